//! `wallcrawler compare`: shows which metrics differ between two designs, or between a design and a changed copy.

use std::cmp::Ordering;
use std::ops::ControlFlow;
use std::path::PathBuf;

use clap::ArgMatches;
use serde_json::{Value, json};

use super::change::ChangeArgs;
use super::endpoints::EndpointArgs;
use super::failure::Failure;
use super::members::{self, Members};
use super::output::Output;
use super::progress::{Progress, grouped};
use super::seeds::SeedRange;
use super::selection::{Selection, SelectionArgs};
use super::source::{DesignArgs, in_order, input_path, preset_name};
use crate::analysis::{
    Difference, FLIPS, MeanDifference, MetricComparison, MetricValues, SIGNIFICANT, compare_pairs, compare_samples,
};
use crate::document::SeededDesign;
use crate::recording_file::PROGRAM_VERSION;
use crate::storage;
use crate::text::counted;

/// Maximum number of seeds of a side. It limits the use of memory, because the metrics of all dungeons are kept.
const MOST_SEEDS: u64 = 1_000_000;

/// The arguments of `compare`.
#[derive(Debug, clap::Args)]
#[command(after_long_help = super::survey::metrics_and_conditions())]
#[command(mut_arg("change", |change| {
    change.help(
        "Change numbers of the second design: 'MaxAge -> 3', 'CorridorWidth + 1 in 1-4' (in generations 1 to 4), \
         'all 100 -> 90' (wherever a generation's parameter is 100), 'dimX, dimY -> 60', 'width * 2 in room 1'; can be \
         given more than once; the rules are applied in order",
    )
}))]
#[command(mut_arg("condition", |condition| {
    condition.help(
        "Compare only dungeons that satisfy this condition: 'path > 250 and dead-ends < 30'; with the same seeds for both \
         designs, both dungeons of a seed must satisfy it",
    )
}))]
pub(super) struct Args {
    /// Two designs, or one that is compared with a copy changed by --change. Each is a TOML design, a rooms file, a
    /// recording or a drawing; - is standard input
    #[arg(value_name = "DESIGN", value_parser = input_path())]
    designs: Vec<PathBuf>,
    /// Preset to compare; it is the first or the second design depending on whether it comes before or after the
    /// other one on the command line. `wallcrawler presets` lists the presets
    #[arg(
        long,
        value_name = "NAME",
        ignore_case = true,
        hide_possible_values = true,
        value_parser = preset_name(),
    )]
    preset: Vec<String>,
    #[command(flatten)]
    change: ChangeArgs,
    /// Seeds of both designs, at most 1,000,000: 0..10000 (excluding 10000), 5..=9 (including 9), 100 (seeds 0 to 99),
    /// or a list of ranges and single seeds: 3,7,20..40
    #[arg(long, value_name = "SEEDS", default_value = "0..1000")]
    seeds: SeedRange,
    /// Different seeds for the second design; the dungeons are then compared as independent samples, which requires
    /// many more seeds to find the same differences
    #[arg(long, value_name = "SEEDS")]
    other_seeds: Option<SeedRange>,
    #[command(flatten)]
    ends: EndpointArgs,
    /// Print all numbers as JSON
    #[arg(long, conflicts_with_all = ["csv", "markdown"])]
    json: bool,
    /// Print a row for each metric as CSV
    #[arg(long, conflicts_with = "markdown")]
    csv: bool,
    /// Print the table as Markdown
    #[arg(long)]
    markdown: bool,
    #[command(flatten)]
    selection: SelectionArgs,
}

/// One side of the comparison.
#[derive(Clone)]
struct Side {
    name: String,
    design: SeededDesign,
    /// Condition that selects the dungeons to compare.
    selection: Selection,
}

/// Runs the command and returns the exit status. `given` contains the arguments as clap parsed them; it is needed for
/// the order in which designs and presets were given.
pub(super) fn run(args: &Args, given: Option<&ArgMatches>, output: &mut Output) -> Result<u8, Failure> {
    let seeds = seeds(args)?;
    let sides = sides(args, given, output)?;
    let mut diagnostics = Vec::new();
    for (side, seeds) in sides.iter().zip(&seeds) {
        let found = side.design.beyond_recording(seeds.iter()).into_iter();
        // If both sides are the same recording, report each of its diagnostics only once.
        let new: Vec<_> = found.filter(|diagnostic| !diagnostics.contains(diagnostic)).collect();
        diagnostics.extend(new);
    }
    output.report(&diagnostics);
    let mut progress = Progress::new(seeds.iter().map(SeedRange::len).sum(), 0);
    let mut done = 0;
    let mut values = [0, 1].map(|side| {
        let mut values = Vec::new();
        args.selection.survey(sides[side].design.clone()).run(
            seeds[side].len(),
            |number| seeds[side].nth(number),
            |_, metrics| {
                sides[side]
                    .selection
                    .includes(metrics)
                    .then(|| MetricValues::of(metrics))
            },
            |_, one| {
                values.push(one.flatten());
                done += 1;
                progress.at(done);
                ControlFlow::Continue(())
            },
        );
        values
    });
    progress.end();
    let is_paired = seeds[0] == seeds[1];
    let count = |values: &Vec<Option<MetricValues>>| values.iter().flatten().count();
    let has_dungeons = values.each_ref().map(|values| count(values) > 0);
    if is_paired {
        keep_pairs(&mut values);
    }
    let dungeons = values.each_ref().map(count);
    if let Some(side) = has_dungeons.iter().position(|has| !has) {
        return Err(Failure::unusable(format_args!(
            "{} has no dungeon to compare: it cannot be grown from any of the seeds, or no dungeon satisfies the \
             condition",
            sides[side].name
        )));
    }
    if dungeons[0] == 0 {
        return Err(Failure::unusable(
            "no seed has dungeons to compare on both sides; use more seeds, or other seeds for the second design with \
             --other-seeds",
        ));
    }
    let in_common = seeds[0].in_common(&seeds[1]);
    if !is_paired && in_common > 0 {
        output.warning(&format!(
            "--other-seeds repeats {} of --seeds, but the sides are compared as independent samples; pass different \
             seeds, or remove --other-seeds to compare dungeons of the same seed in pairs",
            counted(in_common, "seed")
        ));
    }
    let found = if is_paired {
        let [first, second] = &values;
        let pairs: Vec<_> = (first.iter().flatten().zip(second.iter().flatten()))
            .map(|(first, second)| [first, second])
            .collect();
        compare_pairs(&pairs, FLIPS)
    } else {
        let [first, second] = values
            .each_ref()
            .map(|values| values.iter().flatten().collect::<Vec<_>>());
        compare_samples(&first, &second)
    };
    if args.json {
        let sides: Vec<Value> = (sides.iter().zip(&seeds).zip(dungeons))
            .map(|((side, seeds), dungeons)| json!({"name": side.name, "seeds": seeds.len(), "dungeons": dungeons}))
            .collect();
        let metrics: Vec<Value> = found.iter().map(|one| members::object(members(one))).collect();
        let all = json!({
            "version": PROGRAM_VERSION,
            "paired": is_paired,
            "sides": sides,
            "metrics": metrics,
        });
        output.line(&format!("{all:#}"));
    } else if args.csv {
        members::print_csv(found.iter().map(columns), output);
    } else {
        print_table(args.markdown, &sides, &dungeons, &found, output);
    }
    let real = found.iter().filter(|one| is_real(one)).count();
    output.summary(&format!(
        "{} significantly (p < {SIGNIFICANT}, corrected for all metrics)",
        match real {
            0 => "no metric differs".to_owned(),
            1 => "1 metric differs".to_owned(),
            real => format!("{real} metrics differ"),
        }
    ));
    Ok(0)
}

/// Returns the seeds of both sides. Fails if there are too many.
fn seeds(args: &Args) -> Result<[SeedRange; 2], Failure> {
    let seeds = [&args.seeds, args.other_seeds.as_ref().unwrap_or(&args.seeds)];
    let seeds = seeds.map(|seeds| args.selection.seeds(seeds));
    if seeds.iter().any(|seeds| seeds.len() > MOST_SEEDS) {
        let most = grouped(MOST_SEEDS);
        return Err(Failure::unreadable(format_args!(
            "a side has more than {most} seeds; pass fewer seeds, or a part of them with --shard"
        )));
    }
    Ok(seeds)
}

/// Removes the values of each seed that has no values on one of the sides.
fn keep_pairs(values: &mut [Vec<Option<MetricValues>>; 2]) {
    let [first, second] = values;
    for (first, second) in first.iter_mut().zip(second) {
        if first.is_none() || second.is_none() {
            (*first, *second) = (None, None);
        }
    }
}

/// Opens both sides of the comparison, in the order of the command line. With a single design, the second side is a
/// changed copy of the first. Fails unless there are exactly two sides.
fn sides(args: &Args, given: Option<&ArgMatches>, output: &mut Output) -> Result<[Side; 2], Failure> {
    let paths = args
        .designs
        .iter()
        .map(|path| (storage::input_name(path), DesignArgs::of_file(path)));
    let presets = args
        .preset
        .iter()
        .map(|name| (name.clone(), DesignArgs::of_preset(name)));
    let named = in_order(given, ("designs", paths), ("preset", presets));
    let mut sides = Vec::new();
    for (name, design) in named {
        let design = design.seeded_design(output)?;
        let selection = args.selection.condition(design.design())?;
        sides.push(Side {
            name,
            design,
            selection,
        });
    }
    let (first, second) = match (sides.pop(), sides.pop(), sides.is_empty()) {
        (Some(second), Some(first), true) => (first, second),
        (Some(only), None, true) if !args.change.is_empty() || args.other_seeds.is_some() => (only.clone(), only),
        (Some(_), None, _) => {
            let message = "nothing to compare with; pass a second design, or a change: --change 'MaxAge -> 3'";
            return Err(Failure::unreadable(message));
        }
        (None, ..) => {
            let message = "no design to compare; pass two designs, or one and a change: --change 'MaxAge -> 3'";
            return Err(Failure::unreadable(message));
        }
        _ => {
            let message = "more than two designs; compare them two at a time";
            return Err(Failure::unreadable(message));
        }
    };
    let design = args.ends.of(&first.design)?;
    let first = Side { design, ..first };
    let changed = args.change.of(second.design, args.selection.options(), output)?;
    let design = args.ends.of(&changed)?;
    let name = second.name + &args.change.label();
    let second = Side { name, design, ..second };
    Ok([first, second])
}

fn is_real(comparison: &MetricComparison) -> bool {
    comparison.difference != Difference::Chance
}

/// Returns the name of a verdict in tables.
const fn verdict(difference: Difference) -> &'static str {
    match difference {
        Difference::Chance => "chance",
        Difference::Shift => "shift",
        Difference::Spread => "spread",
    }
}

/// Returns the named numbers of a comparison, in the order of the CSV columns. Arrays contain a value for each side.
fn members(comparison: &MetricComparison) -> Members {
    let info = comparison.metric.info();
    let change = comparison.change;
    let pairs = comparison.pairs;
    vec![
        ("name", json!(info.name)),
        ("unit", json!(info.unit)),
        ("difference", json!(change.map(|change| change.mean))),
        ("low", json!(change.map(|change| change.low))),
        ("high", json!(change.map(|change| change.high))),
        ("p", json!(comparison.p)),
        ("p_adjusted", json!(comparison.p_adjusted)),
        ("verdict", json!(verdict(comparison.difference))),
        ("paired", json!(pairs.is_some())),
        ("mean", json!(comparison.means())),
        ("median", json!(comparison.medians())),
        ("dungeons", json!(comparison.values.each_ref().map(Vec::len))),
        ("pairs", json!(pairs.map(|pairs| pairs.pairs))),
        ("higher", json!(pairs.map(|pairs| pairs.higher))),
        ("lower", json!(pairs.map(|pairs| pairs.lower))),
    ]
}

/// Returns the numbers of a comparison as CSV columns: each array in [`members`] becomes two columns, one for each
/// side.
fn columns(comparison: &MetricComparison) -> Members {
    let mut columns = Members::new();
    for (name, value) in members(comparison) {
        let sides = match name {
            "mean" => ["mean_first", "mean_second"],
            "median" => ["median_first", "median_second"],
            "dungeons" => ["dungeons_first", "dungeons_second"],
            _ => {
                columns.push((name, value));
                continue;
            }
        };
        let value = |side: usize| value.get(side).cloned().unwrap_or(Value::Null);
        columns.extend(sides.into_iter().zip([value(0), value(1)]));
    }
    columns
}

/// Prints the comparison as a human-readable table, with the metrics that differ at the top.
fn print_table(
    is_markdown: bool,
    sides: &[Side; 2],
    dungeons: &[usize; 2],
    found: &[MetricComparison],
    output: &mut Output,
) {
    let is_paired = found.iter().any(|one| one.pairs.is_some());
    output.line(&format!("first:  {}", sides[0].name));
    if is_markdown {
        output.line("");
    }
    output.line(&format!("second: {}", sides[1].name));
    output.line("");
    let [first, second] = dungeons.map(|count| counted(count as u64, "dungeon"));
    output.line(&if is_paired {
        format!("{first} on each side, compared seed by seed; means and 95% intervals")
    } else {
        let first = grouped(dungeons[0] as u64);
        format!("{first} and {second} of different seeds; means and 95% intervals")
    });
    output.line("");
    let head = ["metric", "first", "second", "difference", "seeds", "p, corrected"].map(str::to_owned);
    let mut ordered: Vec<&MetricComparison> = found.iter().collect();
    ordered.sort_by(|a, b| {
        let by_p = a.p_adjusted.total_cmp(&b.p_adjusted).then(a.p.total_cmp(&b.p));
        is_real(b).cmp(&is_real(a)).then(by_p)
    });
    let mut rows = vec![head];
    rows.extend(ordered.into_iter().map(cells));
    let widths: Vec<usize> = (0..6)
        .map(|column| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0))
        .collect();
    for (at, row) in rows.iter().enumerate() {
        let cells: Vec<String> = row
            .iter()
            .zip(&widths)
            .map(|(cell, width)| format!("{cell:width$}"))
            .collect();
        if is_markdown {
            output.line(&format!("| {} |", cells.join(" | ")));
            if at == 0 {
                let rule: Vec<String> = widths.iter().map(|width| "-".repeat(*width)).collect();
                output.line(&format!("| {} |", rule.join(" | ")));
            }
        } else {
            output.line(cells.join("  ").trim_end());
        }
    }
}

/// Returns the cells of a metric in the human-readable table.
fn cells(comparison: &MetricComparison) -> [String; 6] {
    let info = comparison.metric.info();
    // The number of decimals follows from the width of the interval; an interval that is a point has no width.
    let interval = comparison.change.filter(|change| change.low < change.high);
    let digits = interval.map_or(2, MeanDifference::decimals);
    let mean = |mean: Option<f64>| match mean {
        None => "none".to_owned(),
        Some(share) if info.is_truth => format!("{:.1}%", share * 100.0),
        Some(mean) => format!("{mean:.digits$}"),
    };
    let [first, second] = comparison.means().map(mean);
    let change = match comparison.change {
        Some(change) if info.is_truth => format!("{} points", change.scaled(100.0)),
        Some(change) => change.to_string(),
        None => String::new(),
    };
    let seeds = comparison.pairs.map_or_else(String::new, |pairs| {
        let [higher, lower] = [pairs.higher, pairs.lower].map(|count| grouped(count as u64));
        match pairs.higher.cmp(&pairs.lower) {
            Ordering::Greater => format!("higher in {higher}"),
            Ordering::Less => format!("lower in {lower}"),
            Ordering::Equal if pairs.lower > 0 => format!("{lower} each way"),
            Ordering::Equal if pairs.pairs > 0 => "equal in all".to_owned(),
            Ordering::Equal => String::new(),
        }
    });
    let p = if comparison.p_adjusted < 0.001 {
        "< 0.001".to_owned()
    } else {
        format!("{:.3}", comparison.p_adjusted)
    };
    let p = match comparison.difference {
        Difference::Chance => p,
        Difference::Shift => format!("{p}  differs"),
        Difference::Spread => format!("{p}  spread differs"),
    };
    [info.name.to_owned(), first, second, change, seeds, p]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::PairCounts;
    use crate::design::expect::DungeonMetric;

    #[test]
    fn the_column_of_seeds_is_right_about_ties_and_missing_values() {
        let seeds = |pairs, higher, lower| {
            let [.., seeds, _] = cells(&MetricComparison {
                metric: DungeonMetric::Unborn,
                values: [Vec::new(), Vec::new()],
                p: 1.0,
                p_adjusted: 1.0,
                difference: Difference::Chance,
                higher: 0.5,
                change: None,
                pairs: Some(PairCounts { pairs, higher, lower }),
            });
            seeds
        };
        assert_eq!(seeds(9, 4, 3), "higher in 4");
        assert_eq!(seeds(9, 3, 4), "lower in 4");
        assert_eq!(seeds(9, 3, 3), "3 each way");
        assert_eq!(seeds(9, 0, 0), "equal in all");
        assert_eq!(seeds(0, 0, 0), "", "the metric has no values");
    }
}
