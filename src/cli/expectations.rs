//! `check --seeds`: checks over many seeds whether a design's expectations hold, and finds anomalies of its dungeons.
//!
//! Every finding names a seed that reproduces it.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use super::progress::{Progress, grouped};
use super::seeds::SeedRange;
use crate::analysis::{Anomaly, EnclosedArea, MetricLookup, MetricSample, Metrics, Verdict, closings, expectations};
use crate::background::SeedSurvey;
use crate::design::expect::{AreaIndex, DungeonMetric, Expectation, Metric};
use crate::design::{Diagnostic, Entry, Place};
use crate::document::SeededDesign;
use crate::engine::Options;
use crate::recording::{Playback, Recording, TileOrigins};
use crate::text::{counted, plural};

/// Maximum number of seeds that a message names.
const NAMED: usize = 5;

/// Result of a check over many seeds.
pub(super) struct Report {
    /// An error for each expectation that fails, and a warning for each anomaly.
    pub(super) diagnostics: Vec<Diagnostic>,
    /// Number of expectations that hold, of all.
    pub(super) held: usize,
    pub(super) all: usize,
}

/// Seeds that show an anomaly, and the description of the first.
struct AnomalyExample {
    seeds: Vec<u64>,
    count: u64,
    first: String,
}

/// Grows a design from each seed and measures its dungeons. `open` is the command line that opens its files, if there
/// is one.
pub(super) fn check(seeded: &SeededDesign, seeds: &SeedRange, open: Option<&str>) -> Report {
    let checked = expectations(seeded.design());
    let all: Vec<&Expectation> = checked.iter().map(|(_, expectation)| expectation).collect();
    let mut sample = MetricSample::new(all.iter().copied());
    let template = sample.clone();
    let survey = SeedSurvey::new(seeded.clone(), Options::default());
    let mut progress = Progress::new(seeds.len(), 0);
    let mut odd: BTreeMap<Anomaly, AnomalyExample> = BTreeMap::new();
    let look = |_: u64, figures: &Metrics| {
        let odd: Vec<(Anomaly, String)> = figures
            .oddities()
            .into_iter()
            .map(|oddity| (oddity, report(oddity, figures)))
            .collect();
        (template.values_of(figures), odd)
    };
    survey.run(
        seeds.len(),
        |number| seeds.nth(number),
        look,
        |seed, looked| {
            let oddities = match looked {
                Some((values, oddities)) => {
                    sample.add(seed, values);
                    oddities
                }
                None => vec![(Anomaly::NotGrown, String::new())],
            };
            for (oddity, first) in oddities {
                let shown = odd.entry(oddity).or_insert(AnomalyExample {
                    seeds: Vec::new(),
                    count: 0,
                    first,
                });
                shown.count += 1;
                if shown.seeds.len() < NAMED {
                    shown.seeds.push(seed);
                }
            }
            progress.at(sample.len() as u64);
            ControlFlow::Continue(())
        },
    );
    progress.end();
    let mut diagnostics = Vec::new();
    let mut held = 0;
    for (index, expectation) in &checked {
        let verdict = sample.verdict(expectation);
        if verdict.holds {
            held += 1;
        } else {
            diagnostics.push(failure(*index, expectation, &verdict, &sample, open));
        }
    }
    if let Some(enclosed) = odd.get_mut(&Anomaly::Enclosed) {
        enclosed.first = enclosed
            .seeds
            .first()
            .and_then(|&seed| enclosers(seeded, seed))
            .unwrap_or_default();
    }
    let all = seeds.len();
    diagnostics.extend(
        odd.into_iter()
            .map(|(oddity, shown)| warning(oddity, &shown, all, open)),
    );
    Report {
        diagnostics,
        held,
        all: checked.len(),
    }
}

/// Names the command that opens the dungeon of a seed.
fn advice(open: Option<&str>, seed: u64) -> String {
    open.map_or(String::new(), |open| format!("run `{open} --seed {seed}` to see it"))
}

fn failure(
    index: usize,
    expectation: &Expectation,
    verdict: &Verdict,
    sample: &MetricSample,
    open: Option<&str>,
) -> Diagnostic {
    let explain = |seed| sample.explain(&expectation.condition, seed);
    let (message, help) = match verdict.failing.first() {
        Some(&first) if verdict.is_of_one => {
            let named: Vec<String> = verdict.failing.iter().take(NAMED).map(u64::to_string).collect();
            let more = if verdict.failing.len() > NAMED { ", …" } else { "" };
            let seeds = plural(verdict.failing.len() as u64, "seed");
            let message = format!(
                "this expectation fails for {} of {}, {seeds} {}{more} (seed {first}: {})",
                grouped(verdict.failing.len() as u64),
                counted(verdict.seeds, "dungeon"),
                named.join(", "),
                explain(Some(first))
            );
            (message, advice(open, first))
        }
        _ => (
            format!(
                "this expectation fails over {} ({})",
                counted(verdict.seeds, "dungeon"),
                explain(None)
            ),
            String::new(),
        ),
    };
    Diagnostic::error(message)
        .at(Place::entry(Entry::Expectation(index)))
        .help(help)
}

fn warning(oddity: Anomaly, shown: &AnomalyExample, all: u64, open: Option<&str>) -> Diagnostic {
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
        "{oddity} in {} of {}, {seeds} {}{more}{first}",
        grouped(shown.count),
        counted(all, "dungeon"),
        named.join(", ")
    );
    let diagnostic =
        Diagnostic::warning(message).help(shown.seeds.first().map_or(String::new(), |&seed| advice(open, seed)));
    match oddity {
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

/// Describes an anomaly of one dungeon.
fn report(oddity: Anomaly, figures: &Metrics) -> String {
    let number = |plain: DungeonMetric| figures.value(Metric::Plain(plain)).number().unwrap_or(0.0);
    match oddity {
        Anomaly::TakesOver(generation) => {
            format!("{:.0} % of the tiles", figures.share_of_generation(generation) * 100.0)
        }
        Anomaly::NoWay => match (figures.entrance, figures.exit) {
            (Some(from), Some(to)) => format!("from {from} to {to}"),
            _ => "no square is open".into(),
        },
        Anomaly::OuterCorridor => figures.side_corridor().map_or(String::new(), |(line, _)| {
            format!("{} from {} to {}", counted(line.length(), "square"), line.from, line.to)
        }),
        Anomaly::Unborn => format!("{} of them", number(DungeonMetric::Unborn)),
        _ => String::new(),
    }
}

/// Describes the enclosed areas of a seed's dungeon and the Builders that closed them.
fn enclosers(seeded: &SeededDesign, seed: u64) -> Option<String> {
    let design = seeded.seeds().design(seed)?;
    let (mut growth, mut recording) = Recording::begin(&design, Options::default());
    growth.finish(&mut recording);
    recording.finish();
    let scene = crate::analysis::Scene::of(&design, growth.rooms());
    let figures = crate::analysis::MetricsCalculator::new().measure(growth.grid(), &scene);
    let areas: Vec<EnclosedArea> = figures.enclosed().copied().collect();
    let mut origins = TileOrigins::new(&recording);
    origins.read_on(&recording, u64::MAX);
    let closed_by = closings(growth.grid(), &areas, &origins, recording.turns());
    let mut cursor = Playback::new(&recording);
    cursor.seek(&recording, recording.turns());
    let description = areas.iter().zip(closed_by).take(NAMED).map(|(area, closing)| {
        let squares = counted(area.squares, "square");
        let by = closing.map_or(", by the design".into(), |closing| {
            let builder = cursor.frame().builder(closing.builder);
            let generation = builder.map_or(0, |builder| builder.birth.generation);
            format!(
                ", closed at {} by Builder {} of generation {generation} in turn {}",
                closing.at, closing.builder.0, closing.turn
            )
        });
        format!("{squares} at {}{by}", area.at)
    });
    Some(description.collect::<Vec<_>>().join("; "))
}
