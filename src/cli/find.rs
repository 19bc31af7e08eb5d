//! `wallcrawler find`: finds the seeds whose dungeons satisfy a condition, best first.

use std::ops::ControlFlow;

use serde_json::{Map, Value, json};

use super::UNUSABLE;
use super::change::ChangedDesignArgs;
use super::failure::Failure;
use super::output::Output;
use super::progress::{Progress, grouped};
use super::seeds::SeedRange;
use super::selection::{SelectionArgs, expression};
use crate::analysis::{MetricLookup, MetricParts, MetricSample, MetricValue, Metrics, evaluate, margin};
use crate::design::expect::{Expectation, Expression, parse_value};
use crate::text::plural;

/// The arguments of `find`.
#[derive(Debug, clap::Args)]
#[command(
    after_long_help = super::survey::metrics_and_conditions(),
    mut_arg("seed", |seed| seed.help(super::source::SEED_OF_CHECK)),
    mut_arg("condition", |condition| {
        condition.required(true).help("Condition that a dungeon must satisfy: 'path > 250 and dead-ends < 30'")
    })
)]
pub(super) struct Args {
    #[command(flatten)]
    design: ChangedDesignArgs,
    /// Seeds: 0..10000 (excluding 10000), 5..=9 (including 9), 100 (seeds 0 to 99), or a list of ranges and single
    /// seeds: 3,7,20..40
    #[arg(long, value_name = "SEEDS", default_value = "0..1000")]
    seeds: SeedRange,
    /// Sort by this value, such as 'path' or '-dead-ends', highest first [default: the margin by which the dungeon
    /// meets the condition]
    #[arg(long, value_name = "VALUE", allow_hyphen_values = true)]
    by: Option<String>,
    /// Maximum number of seeds to print
    #[arg(long, value_name = "N", default_value_t = 20)]
    top: usize,
    /// Print the number of dungeons that satisfy the condition, and the seeds with their values, as JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    selection: SelectionArgs,
}

/// A seed that satisfies the condition.
struct Found {
    score: f64,
    seed: u64,
    /// The dungeon's values of the metrics in the condition and in `--by`, as text.
    description: String,
    /// The same values, by the name of the metric.
    values: Map<String, Value>,
}

impl Found {
    fn json(&self) -> Value {
        json!({"seed": self.seed, "score": self.score, "metrics": self.values})
    }
}

/// Runs the command and returns the exit status.
pub(super) fn run(args: &Args, output: &mut Output) -> Result<u8, Failure> {
    let seeded = args.design.seeded(args.selection.options(), output)?;
    let design = seeded.design();
    let selection = args.selection.condition(design)?;
    let by = args.by.as_ref();
    let by = by
        .map(|text| expression("--by", text, parse_value, design))
        .transpose()?;
    let condition = selection.condition();
    let condition = condition.ok_or_else(|| Failure::unreadable("pass a condition: --where 'path > 250'"))?;
    // Metrics are printed in the order in which the user wrote them: first those of the condition, then those of --by.
    let description: Vec<Expectation> = [Some(condition), by.as_ref()]
        .into_iter()
        .flatten()
        .map(|expression| Expectation {
            condition: expression.clone(),
            share: None,
        })
        .collect();
    let look = |seed: u64, metrics: &Metrics| {
        if !selection.includes(metrics) {
            return None;
        }
        Some(Found {
            score: score(condition, by.as_ref(), metrics),
            seed,
            description: report(&description, seed, metrics),
            values: values(&description, metrics),
        })
    };
    let seeds = args.selection.seeds(&args.seeds);
    output.report(&seeded.beyond_recording(seeds.iter()));
    let mut survey = args.selection.survey(seeded.clone());
    // Compute only the parts of the metrics that the condition and --by need.
    let parts = description.iter().map(|of| MetricParts::of_expression(&of.condition));
    survey.parts = parts.fold(MetricParts::NONE, MetricParts::and);
    let mut progress = Progress::new(seeds.len(), 0);
    let mut found: Vec<Found> = Vec::new();
    let (mut looked_at, mut satisfying) = (0, 0);
    survey.run(
        seeds.len(),
        |number| seeds.nth(number),
        look,
        |_, one| {
            looked_at += 1;
            progress.at(looked_at);
            if let Some(one) = one.flatten() {
                satisfying += 1;
                found.push(one);
                if found.len() > args.top.saturating_mul(4).max(1024) {
                    best(&mut found, args.top);
                }
            }
            ControlFlow::Continue(())
        },
    );
    progress.end();
    best(&mut found, args.top);
    if args.json {
        let found: Vec<Value> = found.iter().map(Found::json).collect();
        let all = json!({"dungeons": looked_at, "satisfying": satisfying, "found": found});
        output.line(&format!("{all:#}"));
    } else {
        print(&found, [satisfying, looked_at], output);
    }
    Ok(u8::from(satisfying == 0) * UNUSABLE)
}

/// Prints the seeds, and how many of the dungeons satisfy the condition.
fn print(found: &[Found], [satisfying, looked_at]: [u64; 2], output: &mut Output) {
    for one in found {
        if output.is_quiet() {
            output.line(&one.seed.to_string());
        } else {
            output.line(&format!("seed {}: {}", one.seed, one.description));
        }
    }
    let shown = if satisfying > found.len() as u64 {
        match found.len() {
            0 => String::new(),
            1 => "; the best one is listed above".to_owned(),
            best => format!("; the best {best} are listed above"),
        }
    } else {
        String::new()
    };
    let (found, all) = (grouped(satisfying), grouped(looked_at));
    let satisfy = if satisfying == 1 { "satisfies" } else { "satisfy" };
    let dungeons = plural(looked_at, "dungeon");
    output.summary(&format!("{found} of {all} {dungeons} {satisfy} the condition{shown}"));
}

/// Returns the values of the metrics in the condition and in `--by`, by name. A value is null if the dungeon does not
/// have the metric.
fn values(description: &[Expectation], metrics: &impl MetricLookup) -> Map<String, Value> {
    let mut values = Map::new();
    for expectation in description {
        expectation.condition.metrics(&mut |metric, _| {
            let value = match metrics.value(metric) {
                MetricValue::Truth(truth) => Value::Bool(truth),
                MetricValue::Number(number) => json!(number),
            };
            values.insert(metric.to_string(), value);
        });
    }
    values
}

fn score(condition: &Expression, by: Option<&Expression>, metrics: &impl MetricLookup) -> f64 {
    match by {
        Some(by) => evaluate(by, metrics, &()).number().unwrap_or(f64::NEG_INFINITY),
        None => margin(condition, metrics),
    }
}

/// Formats the values of the metrics in the condition and in `--by`.
fn report(description: &[Expectation], seed: u64, metrics: &Metrics) -> String {
    let mut sample = MetricSample::new(description);
    let values = sample.values_of(metrics);
    sample.add(seed, values);
    let mut parts: Vec<String> = Vec::new();
    for expectation in description {
        let description = sample.explain(&expectation.condition, Some(seed));
        for part in description.split(", ").filter(|part| !part.is_empty()) {
            if !parts.iter().any(|known| known == part) {
                parts.push(part.to_owned());
            }
        }
    }
    parts.join(", ")
}

/// Sorts the seeds by score, highest first, with the lower seed first on a tie, and keeps the first `top` seeds.
fn best(found: &mut Vec<Found>, top: usize) {
    found.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.seed.cmp(&b.seed)));
    found.truncate(top);
}
