//! `check --seeds`: checks over many seeds whether a design's expectations hold, and finds anomalies in its dungeons.
//!
//! Every anomaly and every failing per-dungeon expectation names a seed that reproduces it.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::ops::ControlFlow;

use serde_json::{Value, json};

use super::progress::{Progress, grouped};
use super::seeds::SeedRange;
use super::selection::Selection;
use crate::analysis::{
    Anomaly, EnclosedArea, Interval, MetricLookup, MetricSample, Metrics, Outcome, Verdict, enclosure_causes,
    expectations,
};
use crate::background::SeedSurvey;
use crate::design::expect::{AreaIndex, DungeonMetric, Expectation, Expectations, Metric};
use crate::design::{Design, Diagnostic, Entry, Place, Severity};
use crate::document::SeededDesign;
use crate::engine::Options;
use crate::geometry::Point;
use crate::recording::{Playback, Recording, TileOrigins};
use crate::text::{counted, plural};

/// Maximum number of seeds that a message names.
const NAMED: usize = 5;

/// Result of a check over many seeds.
pub(super) struct Report {
    /// Number of seeds.
    pub(super) seeds: u64,
    /// Number of dungeons checked; if the command line has a condition, only those that satisfy it.
    pub(super) dungeons: u64,
    /// An error for each expectation that is not met over the seeds, a note for each that is met but needs more seeds
    /// (an error with `--strict`), and a warning for each anomaly.
    pub(super) diagnostics: Vec<Diagnostic>,
    /// The expectations of the design.
    pub(super) expectations: Vec<CheckedExpectation>,
    /// The anomalies as JSON objects, each with the share of dungeons that have it.
    pub(super) anomalies: Vec<Value>,
}

impl Report {
    /// Returns whether any expectation is reported as an error.
    pub(super) fn is_unexpected(&self) -> bool {
        let mut diagnostics = self.diagnostics.iter();
        diagnostics.any(|diagnostic| diagnostic.severity == Severity::Error)
    }
}

/// An expectation of a design, and its verdict over many seeds.
pub(super) struct CheckedExpectation {
    /// The expectation as the design states it.
    pub(super) text: String,
    pub(super) verdict: Verdict,
    /// Values of the aggregates, and values of the metrics in the first dungeon that fails the expectation.
    pub(super) explanation: String,
}

impl CheckedExpectation {
    /// Evaluates the expectation with this index in the design over a sample.
    pub(super) fn new(design: &Design, index: usize, expectation: &Expectation, sample: &MetricSample) -> Self {
        let verdict = sample.verdict(expectation);
        let first = verdict.failing.first().copied();
        Self {
            text: design.expect.that[index].clone(),
            explanation: sample.explain(&expectation.condition, first),
            verdict,
        }
    }

    /// Returns the verdict as a JSON object; the share and its interval are null for a condition on aggregates.
    pub(super) fn json(&self) -> Value {
        let Self {
            text,
            verdict,
            explanation,
        } = self;
        let share = verdict.share();
        json!({
            "expectation": text,
            "outcome": verdict.outcome.key(),
            "holds_here": verdict.holds,
            "more_seeds": verdict.more_seeds,
            "dungeons": verdict.seeds,
            "met": share.map(|_| verdict.met()),
            "share": share.filter(|_| verdict.seeds > 0).map(|_| verdict.met() as f64 / verdict.seeds as f64),
            "low": share.map(|share| share.low),
            "high": share.map(|share| share.high),
            "failing": verdict.failing.iter().take(NAMED).collect::<Vec<_>>(),
            "values": explanation,
        })
    }
}

/// Examples of an anomaly: the seeds of at most [`NAMED`] dungeons that have the anomaly, the number of all such
/// dungeons, and details about the anomaly in the first of them.
struct AnomalyExample {
    seeds: Vec<u64>,
    count: u64,
    first: String,
}

impl AnomalyExample {
    fn json(&self, anomaly: Anomaly, all: u64) -> Value {
        let share = Interval::of_share(self.count, all);
        json!({
            "anomaly": anomaly.to_string(),
            "dungeons": self.count,
            "share": self.count as f64 / all.max(1) as f64,
            "low": share.low,
            "high": share.high,
            "seeds": self.seeds,
            "first": self.first,
        })
    }
}

/// Grows a design from each seed and checks the dungeons that satisfy the condition of `selection`. `show` is the
/// command that shows a dungeon of the design, if a single command can.
///
/// With `is_strict`, an expectation that needs more seeds is an error even if it is met over these seeds.
pub(super) fn check(
    survey: &SeedSurvey,
    seeds: &SeedRange,
    selection: &Selection,
    show: Option<&str>,
    is_strict: bool,
) -> Report {
    let seeded = &survey.variants[0];
    let checked = expectations(seeded.design());
    let all: Vec<&Expectation> = checked.iter().map(|(_, expectation)| expectation).collect();
    let mut sample = MetricSample::new(all.iter().copied());
    let template = sample.clone();
    let (mut grown, mut dungeons) = (0, 0);
    let mut progress = Progress::new(seeds.len(), 0);
    let mut examples: BTreeMap<Anomaly, AnomalyExample> = BTreeMap::new();
    let look = |_: u64, metrics: &Metrics| {
        if !selection.includes(metrics) {
            return None;
        }
        let found: Vec<(Anomaly, String)> = metrics
            .anomalies()
            .into_iter()
            .map(|anomaly| (anomaly, report(anomaly, metrics, &seeded.design().expect)))
            .collect();
        Some((template.values_of(metrics), found))
    };
    survey.run(
        seeds.len(),
        |number| seeds.nth(number),
        look,
        |seed, looked| {
            grown += 1;
            progress.at(grown);
            let anomalies = match looked {
                Some(Some((values, anomalies))) => {
                    sample.add(seed, values);
                    anomalies
                }
                None if selection.condition().is_none() => vec![(Anomaly::NotGrown, String::new())],
                _ => return ControlFlow::Continue(()),
            };
            dungeons += 1;
            for (anomaly, first) in anomalies {
                let shown = examples.entry(anomaly).or_insert(AnomalyExample {
                    seeds: Vec::new(),
                    count: 0,
                    first,
                });
                shown.count += 1;
                if shown.seeds.len() < NAMED {
                    shown.seeds.push(seed);
                }
            }
            ControlFlow::Continue(())
        },
    );
    progress.end();
    let mut diagnostics = Vec::new();
    let mut found = Vec::new();
    for (index, expectation) in &checked {
        let mut checked = CheckedExpectation::new(seeded.design(), *index, expectation, &sample);
        let verdict = &mut checked.verdict;
        // The verdict assumes that every seed has a dungeon to check. If only some have one, more seeds are needed.
        let dungeons = verdict.seeds.max(1);
        verdict.more_seeds = verdict
            .more_seeds
            .map(|more| more.saturating_mul(grown).div_ceil(dungeons));
        let is_selected = selection.condition().is_some();
        let diagnostic = diagnostic(expectation, &checked, is_selected, show, is_strict);
        diagnostics.extend(diagnostic.map(|diagnostic| diagnostic.at(Place::entry(Entry::Expectation(*index)))));
        found.push(checked);
    }
    if let Some(enclosed) = examples.get_mut(&Anomaly::Enclosed) {
        enclosed.first = enclosed
            .seeds
            .first()
            .and_then(|&seed| enclosers(seeded, seed, survey.options))
            .unwrap_or_default();
    }
    let all = dungeons;
    let anomalies = examples
        .iter()
        .map(|(anomaly, shown)| shown.json(*anomaly, all))
        .collect();
    diagnostics.extend(
        examples
            .into_iter()
            .map(|(anomaly, shown)| warning(anomaly, &shown, all, show)),
    );
    Report {
        seeds: seeds.len(),
        dungeons,
        diagnostics,
        expectations: found,
        anomalies,
    }
}

/// Returns help text with the command that shows the dungeon of a seed; empty if there is no such command.
fn advice(show: Option<&str>, seed: u64) -> String {
    show.map_or(String::new(), |show| format!("run `{show} --seed {seed}` to see it"))
}

/// Returns the diagnostic about an expectation; `None` if it holds. With `is_selected`, a condition selects the
/// dungeons that are checked.
fn diagnostic(
    expectation: &Expectation,
    checked: &CheckedExpectation,
    is_selected: bool,
    show: Option<&str>,
    is_strict: bool,
) -> Option<Diagnostic> {
    let CheckedExpectation {
        verdict, explanation, ..
    } = checked;
    if verdict.outcome == Outcome::Holds {
        return None;
    }
    let count = counted(verdict.seeds, "dungeon");
    let state = if verdict.holds { "holds" } else { "fails" };
    let result = match verdict.failing.first() {
        _ if verdict.seeds == 0 => "was not checked on any dungeon".to_owned(),
        _ if verdict.is_of_one && verdict.holds => format!("is met by {} of {count}", grouped(verdict.met())),
        Some(&first) if verdict.is_of_one => {
            let named: Vec<String> = verdict.failing.iter().take(NAMED).map(u64::to_string).collect();
            let more = if verdict.failing.len() > NAMED { ", …" } else { "" };
            let seeds = plural(verdict.failing.len() as u64, "seed");
            let failing = grouped(verdict.failing.len() as u64);
            format!(
                "fails for {failing} of {count}, {seeds} {}{more} (seed {first}: {explanation})",
                named.join(", ")
            )
        }
        _ => format!("{state} over {count} ({explanation})"),
    };
    let mut message = match verdict.outcome {
        Outcome::NeedsMoreSeeds => format!("this expectation {}: it {result}", verdict.description()),
        _ => format!("this expectation {result}"),
    };
    // Give the interval only if the expectation names a share of dungeons. An expectation without a share is about
    // every dungeon, so a single failing dungeon decides it.
    if let Some(share) = verdict
        .share()
        .filter(|_| expectation.share.is_some() && verdict.seeds > 0)
    {
        let all = if is_selected {
            "dungeons that satisfy the condition"
        } else {
            "seeds"
        };
        let _ = write!(
            message,
            "; {} of all {all} meet it (95% interval)",
            share.percent_range()
        );
    }
    let help = match verdict.failing.first() {
        Some(&first) if verdict.is_of_one => advice(show, first),
        _ => String::new(),
    };
    Some(if verdict.holds && !is_strict {
        Diagnostic::note(message)
    } else {
        Diagnostic::error(message).help(help)
    })
}

fn warning(anomaly: Anomaly, shown: &AnomalyExample, all: u64, show: Option<&str>) -> Diagnostic {
    let named: Vec<String> = shown.seeds.iter().map(u64::to_string).collect();
    let more = if shown.count > shown.seeds.len() as u64 {
        ", …"
    } else {
        ""
    };
    let seeds = plural(shown.count, "seed");
    let first = match (shown.first.is_empty(), shown.seeds.first()) {
        (false, Some(seed)) => format!(" (seed {seed}: {})", shown.first),
        _ => String::new(),
    };
    let message = format!(
        "{anomaly} in {} of {}, {seeds} {}{more}{first}",
        grouped(shown.count),
        counted(all, "dungeon"),
        named.join(", ")
    );
    let diagnostic =
        Diagnostic::warning(message).help(shown.seeds.first().map_or(String::new(), |&seed| advice(show, seed)));
    match anomaly {
        Anomaly::LeftOut(area) | Anomaly::Unreached(area) => diagnostic.at(Place::entry(match area {
            AreaIndex::Room(index) => Entry::Room(index),
            AreaIndex::Vault(index) => Entry::Vault(index),
        })),
        Anomaly::TakesOver(generation) if generation < crate::design::GENERATIONS as u32 => {
            diagnostic.at(Place::entry(Entry::Generation(generation as usize)))
        }
        _ => diagnostic,
    }
}

/// Returns details about an anomaly in one dungeon; empty if there are none.
fn report(anomaly: Anomaly, metrics: &Metrics, expect: &Expectations) -> String {
    let number = |plain: DungeonMetric| metrics.value(Metric::Plain(plain)).number().unwrap_or(0.0);
    match anomaly {
        Anomaly::TakesOver(generation) => {
            format!("{:.0}% of the tiles", metrics.share_of_generation(generation) * 100.0)
        }
        Anomaly::NoWay => match (metrics.entrance, metrics.exit) {
            (Some(from), Some(to)) => format!("from {from} to {to}"),
            (entrance, _) => missing_end(expect, entrance),
        },
        Anomaly::OuterCorridor => metrics.side_corridor().map_or(String::new(), |(line, _)| {
            format!("{} from {} to {}", counted(line.length(), "square"), line.from, line.to)
        }),
        Anomaly::Unborn => format!("{} not born", number(DungeonMetric::Unborn)),
        _ => String::new(),
    }
}

/// Returns why a dungeon has no entrance or no exit: no square is open, or the square that the author has set is
/// outside the dungeon. If `entrance` is `None`, the entrance is missing; otherwise, the exit is.
pub(super) fn missing_end(expect: &Expectations, entrance: Option<Point>) -> String {
    let (name, set) = match entrance {
        None => ("entrance", expect.entrance),
        Some(_) => ("exit", expect.exit),
    };
    set.map_or_else(
        || "no square is open".to_owned(),
        |at| format!("the {name} is set to {at}, outside the dungeon"),
    )
}

/// Describes the enclosed areas of a seed's dungeon and the Builders that closed them.
fn enclosers(seeded: &SeededDesign, seed: u64, options: Options) -> Option<String> {
    let design = seeded.seeds().design(seed)?;
    let (mut growth, mut recording) = Recording::begin(&design, options);
    growth.finish(&mut recording);
    recording.finish();
    let scene = crate::analysis::Scene::of(&design, growth.rooms());
    let metrics = crate::analysis::MetricsCalculator::new().measure(growth.grid(), &scene);
    let areas: Vec<EnclosedArea> = metrics.enclosed().copied().collect();
    let mut origins = TileOrigins::new(&recording);
    origins.read_on(&recording, u64::MAX);
    let closed_by = enclosure_causes(growth.grid(), &areas, &origins, recording.turns());
    let mut cursor = Playback::new(&recording);
    cursor.seek(&recording, recording.turns());
    let description = areas.iter().zip(closed_by).take(NAMED).map(|(area, closing)| {
        let squares = counted(area.squares, "square");
        let by = closing.map_or(", closed by the design itself".into(), |closing| {
            let builder = cursor.frame().builder(closing.builder);
            let generation = builder.map_or(0, |builder| builder.birth.generation);
            format!(
                ", closed at {} by Builder {} of generation {generation} in turn {}",
                closing.at, closing.builder, closing.turn
            )
        });
        format!("{squares} at {}{by}", area.at)
    });
    Some(description.collect::<Vec<_>>().join("; "))
}
