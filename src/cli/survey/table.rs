//! Formats the summary of a survey as lines of text.

use std::fmt::Write as _;

use super::super::progress::grouped;
use crate::analysis::{Cell, Column, Interval, STATES, SurveySummary, ValueCounts, decimal};
use crate::design::Design;
use crate::design::expect::all_metrics;
use crate::text::counted;

/// Maximum number of characters of a line, except for long lists of maps and long names of places.
const WIDTH: usize = 100;

/// Bars of a histogram, by height: from 0 to 8 eighths of a character.
const HEIGHTS: [char; 9] = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// Quantiles to print, in thousandths: minimum, p10, median, p90 and maximum.
const QUANTILES: [u16; 5] = [0, 100, 500, 900, 1000];

/// The median, in thousandths like `QUANTILES`. Its 95% interval is printed after it.
const MEDIAN: u16 = 500;

/// Width of the median's interval, in characters: a space and two shares, such as `[0.4783, 0.5012]`.
const INTERVAL: usize = 17;

/// Widths of the columns of a table of quantiles, in characters.
#[derive(Clone, Copy)]
struct Widths {
    /// Width of the column of names.
    name: usize,
    /// Width of each column of quantiles; the column of means is one character wider.
    number: usize,
    /// Maximum width of a histogram: one character per bin.
    bins: usize,
}

/// Widths for the table of the generations' shares of tiles. These widths leave space for the column [`PART`].
const GENERATIONS: Widths = Widths {
    name: 14,
    number: 7,
    bins: 10,
};

/// Title of the column that contains the number of dungeons in which a generation laid tiles.
const PART: &str = "in dungeons";

/// Returns all lines of the summary. `which` describes the seeds and the condition.
pub(super) fn lines(summary: &SurveySummary, columns: &[Column], design: &Design, which: &str) -> Vec<String> {
    let name = if design.name.is_empty() {
        "the design"
    } else {
        &design.name
    };
    let mut lines = vec![format!("{} of {name}, {which}", counted(summary.dungeons, "dungeon"))];
    if summary.dungeons == 0 {
        return lines;
    }
    let tallies: Vec<(&Column, &ValueCounts)> = columns.iter().zip(&summary.tallies).collect();
    metrics(&tallies, &mut lines);
    generations(&tallies, &mut lines);
    grounds(&tallies, design, summary.dungeons, &mut lines);
    lines.push(String::new());
    if summary.anomalies.is_empty() {
        lines.push("no anomalies found".into());
    } else {
        let width = summary
            .anomalies
            .keys()
            .map(|anomaly| anomaly.to_string().chars().count())
            .max()
            .unwrap_or(0);
        lines.push(format!(
            "{:width$}  dungeons  {:INTERVAL$}  seeds",
            "anomaly", "95% interval"
        ));
        for (anomaly, shown) in &summary.anomalies {
            let mut line = format!(
                "{:width$}  {:>8}  {:INTERVAL$}  ",
                anomaly.to_string(),
                grouped(shown.count),
                Interval::of_share(shown.count, summary.dungeons).percent_range()
            );
            add_seeds(&mut line, &shown.seeds, shown.count);
            lines.push(line);
        }
    }
    lines
}

/// Text that ends an incomplete list of seeds.
const MORE: &str = ", …";

/// Appends seeds to a line: as many as fit, but at least one. If fewer than `count` are shown, [`MORE`] follows them.
fn add_seeds(line: &mut String, seeds: &[u64], count: u64) {
    let mut used = line.chars().count();
    let mut shown = 0;
    for seed in seeds {
        let text = format!("{}{seed}", if shown == 0 { "" } else { ", " });
        let is_last = shown + 1 == count;
        used += text.len();
        if shown > 0 && used + if is_last { 0 } else { MORE.chars().count() } > WIDTH {
            break;
        }
        line.push_str(&text);
        shown += 1;
    }
    if shown < count {
        line.push_str(MORE);
    }
}

/// Formats a line with the quantiles, the mean and the histogram of a metric.
fn spread(name: &str, widths: Widths, tally: &ValueCounts) -> String {
    let Widths {
        name: width,
        number,
        bins,
    } = widths;
    let mut line = format!("{name:width$}");
    for quantile in QUANTILES {
        let text = tally.quantile(quantile).map_or("-".into(), decimal);
        let _ = write!(line, "{text:>number$}");
        if quantile == MEDIAN {
            let _ = write!(line, " {:1$}", interval(tally), INTERVAL - 1);
        }
    }
    let mean = tally
        .mean()
        .map_or("-".into(), |mean| format!("{:.*}", digits(tally), mean / 1e4));
    let _ = write!(line, "{mean:>0$}  {1}", number + 1, histogram(&tally.histogram(bins)));
    line.trim_end().to_owned()
}

/// Formats the 95% interval of the median. Returns an empty string if there are too few seeds for an interval.
fn interval(tally: &ValueCounts) -> String {
    let interval = tally.quantile_interval(MEDIAN);
    // Both ends are counted values, which are stored as integers.
    let end = |end: f64| decimal(end as i64);
    if interval.is_finite() {
        format!("[{}, {}]", end(interval.low), end(interval.high))
    } else {
        String::new()
    }
}

/// Returns the line below a table of shares: the largest distance between a share and an end of its 95% interval. Each
/// share is passed as the number of dungeons that have the property and the number of all dungeons.
fn uncertainty(what: &str, shares: &[(u64, u64)]) -> String {
    let distance = |&(met, of): &(u64, u64)| {
        let (Interval { low, high }, share) = (Interval::of_share(met, of), met as f64 / of as f64);
        (share - low).max(high - share)
    };
    let most = shares
        .iter()
        .filter(|(_, of)| *of > 0)
        .map(distance)
        .fold(0.0, f64::max);
    format!("95% intervals of {what}: ±{:.1} points or less", most * 100.0)
}

/// Returns the number of decimal places of the mean: as many as the quantiles beside it have, but at least two.
fn digits(tally: &ValueCounts) -> usize {
    let shown = QUANTILES.iter().filter_map(|quantile| tally.quantile(*quantile));
    let after_point = |number| decimal(number).split_once('.').map_or(0, |(_, digits)| digits.len());
    shown.map(after_point).max().unwrap_or(0).max(2)
}

/// Returns a histogram as one line, with one character as a bar for each count.
pub(in crate::cli) fn histogram(counts: &[u64]) -> String {
    let most = counts.iter().copied().max().unwrap_or(0).max(1);
    // Round up, so that every non-empty bin is visible.
    let height = |count: u64| (count * 8).div_ceil(most) as usize;
    counts.iter().map(|&count| HEIGHTS[height(count)]).collect()
}

fn heads(first: &str, widths: Widths) -> String {
    let Widths { name, number, .. } = widths;
    let interval = format!(" {:1$}", "95% interval", INTERVAL - 1);
    format!(
        "{first:name$}{:>number$}{:>number$}{:>number$}{interval}{:>number$}{:>number$}{:>mean$}",
        "min",
        "p10",
        "median",
        "p90",
        "max",
        "mean",
        mean = number + 1
    )
}

fn metrics(tallies: &[(&Column, &ValueCounts)], lines: &mut Vec<String>) {
    let shown: Vec<_> = tallies.iter().filter(|(column, _)| column.is_metric()).collect();
    if shown.is_empty() {
        return;
    }
    let names = shown.iter().map(|(column, _)| column.name.as_str());
    let names = names.chain(all_metrics().map(|info| info.name));
    let number = 8;
    let width = names.map(|name| name.chars().count()).max().unwrap_or(0);
    let widths = Widths {
        name: width,
        number,
        // The histogram follows six numbers, the interval, and three spaces.
        bins: (WIDTH - 6 * number - INTERVAL - 3).saturating_sub(width).clamp(1, 16),
    };
    lines.push(String::new());
    lines.push(heads("metric", widths));
    for (column, tally) in shown {
        let (yes, no) = (tally.count(&Cell::Truth(true)), tally.count(&Cell::Truth(false)));
        if yes + no > 0 {
            lines.push(format!(
                "{:width$}{:>number$} of {} ({})",
                column.name,
                grouped(yes),
                grouped(yes + no),
                Interval::of_share(yes, yes + no).percent_range()
            ));
        } else {
            lines.push(spread(&column.name, widths, tally));
        }
    }
}

fn generations(tallies: &[(&Column, &ValueCounts)], lines: &mut Vec<String>) {
    let of = |(column, tally): &(&Column, &ValueCounts)| {
        let number = column.name.strip_prefix("generation-")?.to_owned();
        let part = tally.len() - tally.count(&Cell::Number(0));
        (part > 0).then(|| (number, part, (*tally).clone()))
    };
    let taking_part: Vec<_> = tallies.iter().filter_map(of).collect();
    if taking_part.is_empty() {
        return;
    }
    let width = WIDTH - PART.len();
    lines.push(String::new());
    lines.push(format!("{:width$}{PART}", heads("share of tiles", GENERATIONS)));
    for (number, part, tally) in &taking_part {
        let line = spread(&format!("generation {number}"), GENERATIONS, tally);
        lines.push(format!("{line:width$}{:>1$}", grouped(*part), PART.len()));
    }
    let shares: Vec<(u64, u64)> = taking_part
        .iter()
        .map(|(_, part, tally)| (*part, tally.len()))
        .collect();
    lines.push(uncertainty(
        "the shares of dungeons in which each generation laid tiles",
        &shares,
    ));
}

/// Adds the table of rooms and vaults: in how many dungeons each was placed, reachable, crossed by the path, needed by
/// every path and severed, and which maps were chosen for it. Leaves out rooms and vaults for which `tallies`
/// has no entry. `dungeons` is the number of all dungeons.
fn grounds(tallies: &[(&Column, &ValueCounts)], design: &Design, dungeons: u64, lines: &mut Vec<String>) {
    let layout = &design.layout;
    let rooms = (0..layout.rooms.len()).map(|i| ("room", i + 1));
    let vaults = (0..layout.vaults.len()).map(|i| ("vault", i + 1));
    let named = |name: &str| {
        tallies
            .iter()
            .find(|(column, _)| column.name == name)
            .map(|(_, tally)| *tally)
    };
    let mut rows = Vec::new();
    let mut shares = Vec::new();
    for (kind, number) in rooms.chain(vaults) {
        let [states, severed, maps] = ["", "-severed", "-map"].map(|part| named(&format!("{kind}-{number}{part}")));
        if states.or(severed).or(maps).is_none() {
            continue;
        }
        // The states are ordered, and each implies all states before it.
        let at_least = |state: usize| -> Option<u64> {
            let of = |word: &&str| states.map(|states| states.count(&Cell::Word((*word).into())));
            STATES[state..].iter().map(of).sum()
        };
        let severed = severed.map(|severed| severed.count(&Cell::Truth(true)));
        let mut line = format!("{:10}", format!("{kind} {number}"));
        for count in (1..STATES.len()).map(at_least).chain([severed]) {
            let _ = write!(line, "{:>9}", count.map_or_else(String::new, grouped));
            shares.extend(count.map(|count| (count, dungeons)));
        }
        if let Some(maps) = maps {
            let maps = maps.counts().filter(|(cell, _)| **cell != Cell::Nothing);
            let maps: Vec<String> = maps
                .map(|(cell, count)| {
                    shares.push((count, dungeons));
                    format!("{cell} {}", grouped(count))
                })
                .collect();
            let _ = write!(line, "  {}", maps.join(", "));
        }
        rows.push(line.trim_end().to_owned());
    }
    if rows.is_empty() {
        return;
    }
    lines.push(String::new());
    lines.push(format!(
        "{:10}{:>9}{:>9}{:>9}{:>9}{:>9}",
        "", "placed", "reached", "crossed", "needed", "severed"
    ));
    lines.append(&mut rows);
    lines.push(uncertainty("these counts, in percent of all dungeons", &shares));
}

#[cfg(test)]
mod tests {
    use super::*;

    const WIDTHS: Widths = Widths {
        name: 6,
        number: 9,
        bins: 16,
    };

    fn tally(numbers: &[i64]) -> ValueCounts {
        let mut tally = ValueCounts::default();
        for number in numbers {
            tally.add(Cell::Number(*number));
        }
        tally
    }

    #[test]
    fn a_mean_has_as_many_digits_as_the_quantiles() {
        let shares = spread("share", WIDTHS, &tally(&[3_333, 3_334, 3_334]));
        assert!(shares.contains("   0.3334    0.3334  "), "{shares}");
        assert!(spread("share", WIDTHS, &tally(&[1_111, 2_223])).contains(" 0.1667  "));
        let counts = spread("count", WIDTHS, &tally(&[10_000, 20_000, 20_000]));
        assert!(counts.contains(" 1.67  "), "{counts}");
    }

    #[test]
    fn a_list_of_seeds_ends_before_the_line_is_too_long() {
        let list = |used: usize, seeds: &[u64], count| {
            let mut line = " ".repeat(used);
            add_seeds(&mut line, seeds, count);
            line.trim_start().to_owned()
        };
        assert_eq!(list(0, &[3, 14, 15], 3), "3, 14, 15");
        assert_eq!(list(0, &[3, 14, 15], 4), "3, 14, 15, …");
        assert_eq!(list(WIDTH - 8, &[3, 14, 15], 3), "3, 14, …");
        assert_eq!(list(WIDTH - 8, &[3, 14, 1], 3), "3, 14, 1");
        assert_eq!(list(WIDTH, &[3, 14, 15], 3), "3, …");
        assert_eq!(list(WIDTH, &[3], 1), "3");
    }

    #[test]
    fn the_line_below_a_table_names_the_widest_interval() {
        // Wilson: 0.299 to 0.701 for 10 of 20, and 0.839 to 1 for 20 of 20.
        let line = uncertainty("them", &[(20, 20), (10, 20), (0, 0)]);
        assert_eq!(line, "95% intervals of them: ±20.1 points or less");
    }
}
