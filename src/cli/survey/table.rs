//! Formats the summary of a survey as lines of text.

use std::fmt::Write as _;

use super::super::progress::grouped;
use crate::analysis::{Cell, Column, STATES, SurveySummary, ValueCounts, decimal};
use crate::design::Design;
use crate::design::expect::METRICS;
use crate::text::counted;

/// Maximum number of characters of a histogram.
const BINS: usize = 16;

/// Characters for heights from 0 to 8 eighths.
const HEIGHTS: [char; 9] = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// Quantiles to print, in thousandths: minimum, p10, median, p90 and maximum.
const QUANTILES: [u16; 5] = [0, 100, 500, 900, 1000];

/// Returns all lines of the summary.
pub(super) fn lines(summary: &SurveySummary, columns: &[Column], design: &Design, which: &str) -> Vec<String> {
    let name = if design.name.is_empty() {
        "the design"
    } else {
        &design.name
    };
    let mut lines = vec![
        format!("{} of {name}, {which}", counted(summary.dungeons, "dungeon")),
        String::new(),
    ];
    let tallies: Vec<(&Column, &ValueCounts)> = columns.iter().zip(&summary.tallies).collect();
    metrics(&tallies, &mut lines);
    generations(&tallies, summary, &mut lines);
    grounds(&tallies, design, &mut lines);
    lines.push(String::new());
    if summary.odd.is_empty() {
        lines.push("no anomalies found".into());
    } else {
        let width = summary
            .odd
            .keys()
            .map(|odd| odd.to_string().chars().count())
            .max()
            .unwrap_or(0);
        lines.push(format!("{:width$}  dungeons  seeds", "anomaly"));
        for (odd, shown) in &summary.odd {
            let seeds: Vec<String> = shown.seeds.iter().map(u64::to_string).collect();
            let more = if shown.count > shown.seeds.len() as u64 {
                ", …"
            } else {
                ""
            };
            lines.push(format!(
                "{:width$}  {:>8}  {}{more}",
                odd.to_string(),
                grouped(shown.count),
                seeds.join(", ")
            ));
        }
    }
    lines
}

/// Formats the quantiles and the histogram of a number.
fn spread(name: &str, width: usize, tally: &ValueCounts) -> String {
    let mut line = format!("{name:width$}");
    for quantile in QUANTILES {
        let number = tally.quantile(quantile).map_or("-".into(), decimal);
        let _ = write!(line, "{number:>9}");
    }
    let mean = tally
        .mean()
        .map_or("-".into(), |mean| format!("{:.*}", digits(tally), mean / 1e4));
    let _ = write!(line, "{mean:>10}  {}", histogram(&tally.histogram(BINS)));
    line.trim_end().to_owned()
}

/// Returns the number of decimals of the mean: that of the quantiles beside it, or two if they are whole numbers.
fn digits(tally: &ValueCounts) -> usize {
    let shown = QUANTILES.iter().filter_map(|quantile| tally.quantile(*quantile));
    let after_point = |number| decimal(number).split_once('.').map_or(0, |(_, digits)| digits.len());
    shown.map(after_point).max().unwrap_or(0).max(2)
}

/// Returns a histogram as one line: a bar for each count.
pub(in crate::cli) fn histogram(counts: &[u64]) -> String {
    let most = counts.iter().copied().max().unwrap_or(0).max(1);
    // Round up, so that every non-empty bin is visible.
    let height = |count: u64| (count * 8).div_ceil(most) as usize;
    counts.iter().map(|&count| HEIGHTS[height(count)]).collect()
}

fn heads(first: &str, width: usize) -> String {
    format!(
        "{first:width$}{:>9}{:>9}{:>9}{:>9}{:>9}{:>10}",
        "least", "p10", "median", "p90", "most", "mean"
    )
}

fn metrics(tallies: &[(&Column, &ValueCounts)], lines: &mut Vec<String>) {
    let width = METRICS.iter().map(|info| info.name.len()).max().unwrap_or(0) + 1;
    lines.push(heads("metric", width));
    for (column, tally) in &tallies[..METRICS.len().min(tallies.len())] {
        let (yes, no) = (tally.count(&Cell::Truth(true)), tally.count(&Cell::Truth(false)));
        if yes + no > 0 {
            lines.push(format!(
                "{:width$}{:>9} of {}",
                column.name,
                grouped(yes),
                grouped(yes + no)
            ));
        } else {
            lines.push(spread(&column.name, width, tally));
        }
    }
}

fn generations(tallies: &[(&Column, &ValueCounts)], summary: &SurveySummary, lines: &mut Vec<String>) {
    let of = |(column, tally): &(&Column, &ValueCounts)| {
        let number = column.name.strip_prefix("generation-")?.to_owned();
        let part = summary.dungeons - tally.count(&Cell::Number(0)) - tally.count(&Cell::Nothing);
        (part > 0).then(|| (number, part, (*tally).clone()))
    };
    let taking_part: Vec<_> = tallies.iter().filter_map(of).collect();
    if taking_part.is_empty() {
        return;
    }
    lines.push(String::new());
    lines.push(format!("{:84}{:>14}", heads("share of tiles", 17), "took part in"));
    for (number, part, tally) in taking_part {
        let mut line = spread(&format!("generation {number}"), 17, &tally);
        let used = line.chars().count();
        line += &" ".repeat(84_usize.saturating_sub(used));
        lines.push(format!("{line}{:>14}", grouped(part)));
    }
}

/// Adds how often rooms and vaults are built, reachable, crossed and required by the path, and which maps were chosen.
fn grounds(tallies: &[(&Column, &ValueCounts)], design: &Design, lines: &mut Vec<String>) {
    let layout = &design.layout;
    let rooms = (0..layout.rooms.len()).map(|i| ("room", i + 1));
    let vaults = (0..layout.vaults.len()).map(|i| ("vault", i + 1));
    let mut grounds = rooms.chain(vaults).peekable();
    if grounds.peek().is_none() {
        return;
    }
    lines.push(String::new());
    lines.push(format!(
        "{:10}{:>9}{:>9}{:>9}{:>9}{:>9}",
        "", "placed", "reached", "crossed", "needed", "severed"
    ));
    let named = |name: &str| {
        tallies
            .iter()
            .find(|(column, _)| column.name == name)
            .map(|(_, tally)| *tally)
    };
    for (kind, number) in grounds {
        let (Some(states), Some(severed)) = (
            named(&format!("{kind}-{number}")),
            named(&format!("{kind}-{number}-severed")),
        ) else {
            continue;
        };
        // Each state includes those after it.
        let at_least = |state: usize| -> u64 {
            let of = |word: &str| states.count(&Cell::Word(word.into()));
            STATES[state..].iter().map(|word| of(word)).sum()
        };
        let mut line = format!("{:10}", format!("{kind} {number}"));
        for state in 1..STATES.len() {
            let _ = write!(line, "{:>9}", grouped(at_least(state)));
        }
        let _ = write!(line, "{:>9}", grouped(severed.count(&Cell::Truth(true))));
        if let Some(maps) = named(&format!("{kind}-{number}-map")) {
            let maps: Vec<String> = maps
                .counts()
                .filter(|(cell, _)| **cell != Cell::Nothing)
                .map(|(cell, count)| format!("{cell} {}", grouped(count)))
                .collect();
            let _ = write!(line, "  {}", maps.join(", "));
        }
        lines.push(line);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tally(numbers: &[i64]) -> ValueCounts {
        let mut tally = ValueCounts::default();
        for number in numbers {
            tally.add(Cell::Number(*number));
        }
        tally
    }

    #[test]
    fn a_mean_has_as_many_digits_as_the_quantiles() {
        let shares = spread("share", 6, &tally(&[3_333, 3_334, 3_334]));
        assert!(shares.contains("   0.3334    0.3334  "), "{shares}");
        assert!(spread("share", 6, &tally(&[1_111, 2_223])).contains(" 0.1667  "));
        let counts = spread("count", 6, &tally(&[10_000, 20_000, 20_000]));
        assert!(counts.contains(" 1.67  "), "{counts}");
    }
}
