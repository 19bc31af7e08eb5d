//! `wallcrawler curve`: shows how metrics depend on the value of one parameter, with everything else fixed.

use std::str::FromStr;

use serde_json::{Value, json};

use super::change::ChangedDesignArgs;
use super::failure::Failure;
use super::members::{self, Members};
use super::output::Output;
use super::seeds::SeedRange;
use super::selection::GrowthArgs;
use super::trials::{MOST_SEEDS, describe_change, describe_p, measure};
use crate::analysis::tune::{TrialTable, places};
use crate::analysis::{FLIPS, Interval, MetricParts, PairedChange, PairedValues, paired_changes};
use crate::design::expect::{DungeonMetric, Metric, all_metrics};
use crate::design::{ApplyError, Design, Rule, RuleChange, RuleTarget};
use crate::recording_file::PROGRAM_VERSION;
use crate::text::counted;

/// Maximum number of values in `--values`.
const MOST_VALUES: i64 = 1_000;

/// Maximum number of values to sample without `--values`, in addition to the design's value.
const VALUES: usize = 9;

/// The arguments of `curve`.
#[derive(Debug, clap::Args)]
#[command(after_long_help = super::survey::metrics(), mut_arg("seed", |seed| seed.help(super::source::SEED_OF_CHECK)))]
pub(super) struct Args {
    #[command(flatten)]
    design: ChangedDesignArgs,
    /// Parameter that varies, written as in --change: MaxAge (in all generations), 'MaxAge in 2' (in generation 2),
    /// 'width in room 1', joinDist
    #[arg(long, value_name = "PARAMETER")]
    over: String,
    /// Values of the parameter: 1,5,10..=20 (including 20) [default: the design's value V, and up to nine other values
    /// between half of V and twice V, or between 0 and 100 if V is 0. If several generations have different values, V
    /// is the value of the first of them]
    #[arg(long, value_name = "VALUES")]
    values: Option<ValueList>,
    /// Metrics to show, separated by commas
    #[arg(
        long,
        value_name = "METRICS",
        value_delimiter = ',',
        default_value = "path,dead-ends,fill"
    )]
    metrics: Vec<String>,
    /// Seeds for each value: 0..1000 (excluding 1000), 5..=9 (including 9), 100 (seeds 0 to 99), or a list of ranges
    /// and single seeds: 3,7,20..40
    #[arg(long, value_name = "SEEDS", default_value = "0..100")]
    seeds: SeedRange,
    /// Print all numbers as JSON
    #[arg(long)]
    json: bool,
    /// Print a row for each metric and value as CSV
    #[arg(long, conflicts_with = "json")]
    csv: bool,
    #[command(flatten)]
    growth: GrowthArgs,
}

/// Values of a parameter, in any order.
#[derive(Debug, Clone)]
struct ValueList(Vec<i32>);

impl FromStr for ValueList {
    type Err = String;

    /// Parses a comma-separated list of numbers and ranges: `1,5,10..=20`.
    fn from_str(text: &str) -> Result<Self, String> {
        let mut values = Vec::new();
        for part in text.split(',').map(str::trim) {
            let number = |text: &str| {
                let wrong = |_| format!("`{part}` is not a value; write 7, 5..10 (excluding 10) or 5..=10");
                text.trim().parse::<i32>().map(i64::from).map_err(wrong)
            };
            let range = match part.split_once("..") {
                None => number(part)?..number(part)? + 1,
                Some((from, to)) => match to.strip_prefix('=') {
                    Some(last) => number(from)?..number(last)? + 1,
                    None => number(from)?..number(to)?,
                },
            };
            if range.is_empty() {
                return Err(format!("`{part}` contains no value"));
            }
            if values.len() as i64 + (range.end - range.start) > MOST_VALUES {
                return Err(format!("more than {MOST_VALUES} values; pass fewer"));
            }
            values.extend(range.map(|value| value as i32));
        }
        Ok(Self(values))
    }
}

/// A point of the curve: a metric, measured in the dungeons that grow with one value of the parameter.
struct CurvePoint {
    metric: DungeonMetric,
    value: i32,
    /// Whether the design itself has this value.
    is_present: bool,
    dungeons: usize,
    mean: Option<f64>,
    /// 95% interval of the mean. If the value of the metric is yes or no, the mean is the share of dungeons for which
    /// the value is yes.
    interval: Interval,
    /// Difference from the unchanged design, over the same seeds.
    change: PairedChange,
}

/// A metric, a value of the parameter with the design that has this value, and the measured dungeons of that design.
type Place<'a> = (DungeonMetric, &'a (i32, Design), &'a TrialTable);

/// Runs the command and returns the exit status.
pub(super) fn run(args: &Args, output: &mut Output) -> Result<u8, Failure> {
    let seeded = args.design.seeded(args.growth.options(), output)?;
    let metrics = metrics(&args.metrics, "curve")?;
    let variants = variants(args, seeded.design())?;
    let varied = variants.iter().map(|(_, design)| design.clone());
    output.report(&seeded.beyond_recording_with(args.seeds.iter(), varied));
    let designs = std::iter::once(seeded.clone());
    let designs = designs.chain(variants.iter().map(|(_, design)| seeded.varied(design.clone())));
    let wanted: Vec<Metric> = metrics.iter().copied().map(Metric::Plain).collect();
    let tables = measure(
        designs.collect(),
        args.seeds.iter().collect(),
        &wanted,
        MetricParts::NONE,
        &args.growth,
    );
    let points = points(&metrics, &variants, seeded.design(), &tables);
    if args.json {
        let all = json!({
            "version": PROGRAM_VERSION,
            "parameter": args.over,
            "seeds": args.seeds.len(),
            "points": points.iter().map(|point| members::object(members(point))).collect::<Vec<Value>>(),
        });
        output.line(&format!("{all:#}"));
    } else if args.csv {
        members::print_csv(points.iter().map(members), output);
    } else {
        print_table(args, &metrics, &points, output);
    }
    Ok(0)
}

/// Parses the names of metrics given with `--metrics`; a name that is given twice counts once. `command` is the command
/// that an error message refers to.
pub(super) fn metrics(names: &[String], command: &str) -> Result<Vec<DungeonMetric>, Failure> {
    let metric = |name: &String| {
        let wanted = name.trim().to_ascii_lowercase().replace('_', "-");
        let found = all_metrics().find(|info| info.name == wanted);
        let unknown = || format!("--metrics: unknown metric `{name}`; `wallcrawler {command} --help` shows the list");
        found
            .map(|info| info.metric)
            .ok_or_else(|| Failure::unreadable(unknown()))
    };
    let mut metrics = Vec::new();
    for name in names {
        let metric = metric(name)?;
        if !metrics.contains(&metric) {
            metrics.push(metric);
        }
    }
    Ok(metrics)
}

/// Returns the values of the parameter in ascending order, each with a copy of the design that has this value.
fn variants(args: &Args, design: &Design) -> Result<Vec<(i32, Design)>, Failure> {
    if args.seeds.len() > MOST_SEEDS {
        let message = format_args!("--seeds has more than {MOST_SEEDS} seeds");
        return Err(Failure::unreadable(message));
    }
    let wrong = |why: &dyn std::fmt::Display| Failure::unreadable(format_args!("--over: {why}"));
    let wrong_value = |why: ApplyError| Failure::unreadable(format_args!("--values: {why}"));
    let target = RuleTarget::read(&args.over).map_err(|error| wrong(&error))?;
    let present = target.values(design).map_err(|why| wrong(&why.to_string()))?;
    let Some((_, parameter, value)) = present.first() else {
        return Err(wrong(&format!("nothing in the design matches `{}`", args.over)));
    };
    let mut values = if let Some(values) = &args.values {
        values.0.clone()
    } else {
        let info = parameter.info();
        let (low, high) = match *value {
            0 => (0, 100),
            value => (value / 2, value.saturating_mul(2)),
        };
        places(low.max(info.min), high.min(info.max), *value, VALUES)
    };
    values.sort_unstable();
    values.dedup();
    let variant = |value: i32| {
        let mut varied = design.clone();
        let rule = Rule {
            target: target.clone(),
            change: RuleChange::To(value),
        };
        rule.apply(&mut varied).map_err(wrong_value)?;
        Ok((value, varied))
    };
    values.into_iter().map(variant).collect()
}

/// Returns the points of all metrics. The first of `tables` belongs to the unchanged design, the following ones to the
/// variants.
fn points(
    metrics: &[DungeonMetric],
    variants: &[(i32, Design)],
    design: &Design,
    tables: &[TrialTable],
) -> Vec<CurvePoint> {
    let Some((before, after)) = tables.split_first() else {
        return Vec::new();
    };
    let pairs = metrics.iter().flat_map(|metric| {
        let plain = Metric::Plain(*metric);
        after.iter().map(move |table| {
            let both = before.numbers(plain).into_iter().zip(table.numbers(plain));
            PairedValues {
                pairs: both.map(|(before, after)| Some([before?, after?])).collect(),
                is_truth: metric.info().is_truth,
            }
        })
    });
    let changes = paired_changes(&pairs.collect::<Vec<_>>(), FLIPS).into_iter();
    let places = metrics.iter().flat_map(|metric| {
        variants
            .iter()
            .zip(after)
            .map(move |(variant, table)| (*metric, variant, table))
    });
    let point = |((metric, (value, varied), table), change): (Place<'_>, PairedChange)| {
        let numbers: Vec<f64> = table.numbers(Metric::Plain(metric)).into_iter().flatten().collect();
        let count = numbers.len() as u64;
        let sum: f64 = numbers.iter().sum();
        CurvePoint {
            metric,
            value: *value,
            is_present: varied == design,
            dungeons: numbers.len(),
            mean: (count > 0).then(|| sum / count as f64),
            interval: if metric.info().is_truth {
                Interval::of_share(sum as u64, count)
            } else {
                Interval::of_mean(&numbers, count)
            },
            change,
        }
    };
    places.zip(changes).map(point).collect()
}

/// Returns the named numbers of a point, in the order of the CSV columns.
fn members(point: &CurvePoint) -> Members {
    let change = point.change.change;
    let finite = |number: f64| json!(Some(number).filter(|number| number.is_finite()));
    vec![
        ("metric", json!(point.metric.info().name)),
        ("value", json!(point.value)),
        ("present", json!(point.is_present)),
        ("dungeons", json!(point.dungeons)),
        ("mean", json!(point.mean)),
        ("low", finite(point.interval.low)),
        ("high", finite(point.interval.high)),
        ("difference", json!(change.map(|change| change.mean))),
        ("difference_low", json!(change.map(|change| change.low))),
        ("difference_high", json!(change.map(|change| change.high))),
        ("p", json!(point.change.p)),
        ("p_adjusted", json!(point.change.p_adjusted)),
        ("pairs", json!(point.change.counts.pairs)),
    ]
}

/// Prints the points as a human-readable table.
fn print_table(args: &Args, metrics: &[DungeonMetric], points: &[CurvePoint], output: &mut Output) {
    let seeds = counted(args.seeds.len(), "dungeon");
    let names: Vec<&str> = metrics.iter().map(|metric| metric.info().name).collect();
    output.line(&format!(
        "{} over {}: {seeds} per value; means and mean differences from the design (same seeds), with 95% intervals",
        names.join(", "),
        args.over
    ));
    let mut shown = None;
    for point in points {
        let info = point.metric.info();
        if shown.replace(point.metric) != Some(point.metric) {
            output.line("");
            output.line(info.name);
        }
        let mean = match point.mean {
            None => "none".into(),
            Some(share) if info.is_truth => format!("{:.1}% {}", share * 100.0, point.interval.percent()),
            Some(mean) => {
                let digits = if mean.abs() < 10.0 { 3 } else { 1 };
                let Interval { low, high } = point.interval;
                let interval = format!(" [{low:.digits$}, {high:.digits$}]");
                // A single dungeon has no interval.
                let interval = if point.interval.is_finite() { &*interval } else { "" };
                format!("{mean:.digits$}{interval}")
            }
        };
        let change = if point.is_present {
            "as designed".to_owned()
        } else {
            let change = describe_change(point.change.change, info.is_truth);
            let verdict = if point.change.is_real() { "  differs" } else { "" };
            format!("{change:32} p {}{verdict}", describe_p(&point.change))
        };
        output.line(&format!("{:>8}  {mean:30}  {change}", point.value));
    }
}
