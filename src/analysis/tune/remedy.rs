//! The flaws of a design, and the measured effect of remedies.
//!
//! A [`RemedyEffect`] compares the dungeons of the same seeds without and with the remedy.

use serde::{Deserialize, Serialize};

use super::TrialTable;
use crate::analysis::{Anomaly, MetricSample};
use crate::design::GENERATIONS;
use crate::design::expect::{DungeonMetric, Expectation, Metric};

/// Ratio of the path to the distance without walls below which the path counts as too short.
const SHORT_DETOUR: f64 = 1.2;

/// Number of parts of the seeds that are compared with each other, to estimate the standard error.
const FOLDS: usize = 8;

/// Number of standard errors above which a difference is significant.
const CERTAIN: f64 = 2.3;

/// The metrics that are reported for every remedy.
const SHOWN_METRICS: [DungeonMetric; 11] = [
    DungeonMetric::Path,
    DungeonMetric::DeadEnds,
    DungeonMetric::Fill,
    DungeonMetric::Junctions,
    DungeonMetric::Detour,
    DungeonMetric::Enclosed,
    DungeonMetric::EnclosedSquares,
    DungeonMetric::OuterWall,
    DungeonMetric::OuterCorridor,
    DungeonMetric::Unborn,
    DungeonMetric::Reachable,
];

/// A flaw of a design.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Flaw {
    /// An anomaly.
    Odd(Anomaly),
    /// The shortest path is hardly longer than with no wall between.
    ShortPath,
    /// An expectation that does not hold, by its index in the list passed in.
    Unmet(usize),
}

/// The amount of a flaw in some dungeons.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct FlawAmount {
    /// Number of dungeons with the flaw; for an expectation those that fail it, or all of them if it is about
    /// aggregates.
    pub count: usize,
    /// Number of dungeons measured.
    pub dungeons: usize,
    /// Overall severity, from 0; below 1 if no dungeon has the flaw.
    pub weight: f64,
}

impl FlawAmount {
    /// Returns the share of the dungeons with the flaw.
    pub fn share(&self) -> f64 {
        self.count as f64 / self.dungeons.max(1) as f64
    }
}

impl Flaw {
    /// Returns the metrics needed to find flaws and to report the effect of remedies, with those of some expectations.
    pub fn figures<'a>(expectations: impl IntoIterator<Item = &'a Expectation>) -> Vec<Metric> {
        let mut figures: Vec<Metric> = SHOWN_METRICS.map(Metric::Plain).to_vec();
        figures.extend((0..GENERATIONS as u32).map(Metric::Generation));
        for expectation in expectations {
            expectation.condition.figures(&mut |figure, _| {
                if !figures.contains(&figure) {
                    figures.push(figure);
                }
            });
        }
        figures
    }

    /// Describes the flaw for the user.
    pub fn description(self, expectations: &[String]) -> String {
        match self {
            Self::Odd(odd) => odd.to_string(),
            Self::ShortPath => "the way is hardly longer than a straight one".into(),
            Self::Unmet(index) => expectations
                .get(index)
                .map_or_else(String::new, |text| format!("not met: {text}")),
        }
    }

    /// Measures the flaw in some dungeons.
    pub fn measure(self, readings: &TrialTable, expectations: &[Expectation]) -> FlawAmount {
        let dungeons = readings.dungeons();
        let (count, weight) = match self {
            Self::Unmet(index) => expectations.get(index).map_or((0, 0.0), |expectation| {
                let sample = readings.sample([expectation]);
                let verdict = sample.verdict(expectation);
                let count = match verdict.is_of_one {
                    true => verdict.failing.len(),
                    false if verdict.holds => 0,
                    false => dungeons,
                };
                (count, sample.shortfall(expectation))
            }),
            Self::ShortPath => {
                let detours = readings.numbers(Metric::Plain(DungeonMetric::Detour));
                let count = detours
                    .iter()
                    .flatten()
                    .filter(|detour| **detour < SHORT_DETOUR)
                    .count();
                let sum: f64 = detours
                    .iter()
                    .flatten()
                    .map(|detour| (1.0 / detour.max(1.0)).min(1.0))
                    .sum();
                (count, (count as f64 + sum) / dungeons.max(1) as f64)
            }
            Self::Odd(odd) => {
                let shown = readings.rows.iter().flatten().filter(|row| row.odd.contains(&odd));
                let count = shown.count();
                let degrees = degree(odd).map_or_else(Vec::new, |(figure, most)| {
                    let numbers = readings.numbers(figure).into_iter().flatten();
                    numbers.map(|number| (number / most).min(1.0)).collect()
                });
                (
                    count,
                    (count as f64 + degrees.iter().sum::<f64>()) / dungeons.max(1) as f64,
                )
            }
        };
        FlawAmount {
            count,
            dungeons,
            weight,
        }
    }
}

/// Returns the metric of an anomaly's severity, and the value that is the worst case.
const fn degree(odd: Anomaly) -> Option<(Metric, f64)> {
    match odd {
        Anomaly::TakesOver(generation) => Some((Metric::Generation(generation), 1.0)),
        Anomaly::OuterCorridor => Some((Metric::Plain(DungeonMetric::OuterWall), 1.0)),
        Anomaly::Enclosed => Some((Metric::Plain(DungeonMetric::Enclosed), 20.0)),
        Anomaly::Unborn => Some((Metric::Plain(DungeonMetric::Unborn), 1000.0)),
        _ => None,
    }
}

/// Returns the flaws that some dungeons of a design have, the most common first.
pub fn flaws(readings: &TrialTable, expectations: &[Expectation]) -> Vec<(Flaw, FlawAmount)> {
    let mut all: Vec<Flaw> = Vec::new();
    let rows = readings.rows.iter().flatten();
    for &odd in rows.flat_map(|row| &row.odd) {
        if !all.contains(&Flaw::Odd(odd)) {
            all.push(Flaw::Odd(odd));
        }
    }
    all.push(Flaw::ShortPath);
    let sample: MetricSample = readings.sample(expectations);
    let unmet = (0..expectations.len()).filter(|&i| !sample.verdict(&expectations[i]).holds);
    let mut found: Vec<(Flaw, FlawAmount)> = unmet
        .map(Flaw::Unmet)
        .chain(all)
        .map(|flaw| (flaw, flaw.measure(readings, expectations)))
        .filter(|(_, measured)| measured.count > 0)
        .collect();
    found.sort_by_key(|(_, measured)| std::cmp::Reverse(measured.count));
    found
}

/// The effect of a remedy on a flaw, measured from the same seeds.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct RemedyEffect {
    /// Amount without the remedy.
    pub before: FlawAmount,
    /// Amount with the remedy.
    pub after: FlawAmount,
    /// Reduction of the weight in standard errors: positive is better.
    pub certainty: f64,
}

impl RemedyEffect {
    /// Measures the effect between two tables of the same seeds.
    pub fn between(flaw: Flaw, before: &TrialTable, after: &TrialTable, expectations: &[Expectation]) -> Self {
        // Seeds that one of the two could not be grown from are ignored in both.
        let [before, after] = common(before, after);
        let part = |readings: &TrialTable, fold: usize| {
            let mut part = TrialTable::new(readings.figures.clone(), 0);
            part.rows = readings.rows.iter().skip(fold).step_by(FOLDS).cloned().collect();
            flaw.measure(&part, expectations).weight
        };
        let folds = FOLDS.min(before.rows.len());
        let differences: Vec<f64> = (0..folds)
            .map(|fold| part(&before, fold) - part(&after, fold))
            .collect();
        let count = differences.len() as f64;
        let mean = differences.iter().sum::<f64>() / count.max(1.0);
        let squares: f64 = differences.iter().map(|difference| (difference - mean).powi(2)).sum();
        let error = (squares / (count - 1.0).max(1.0) / count.max(1.0)).sqrt();
        // Without variance, any difference is significant.
        let certainty = if mean.abs() < 1e-12 {
            0.0
        } else {
            mean / error.max(1e-6)
        };
        Self {
            before: flaw.measure(&before, expectations),
            after: flaw.measure(&after, expectations),
            certainty,
        }
    }

    /// Returns whether the remedy lessens the flaw significantly.
    pub fn helps(&self) -> bool {
        self.certainty > CERTAIN && self.after.weight < self.before.weight
    }

    /// Returns the reduction of the weight.
    pub fn gain(&self) -> f64 {
        self.before.weight - self.after.weight
    }
}

/// Returns both tables with the seeds that both have.
fn common(before: &TrialTable, after: &TrialTable) -> [TrialTable; 2] {
    let mut both = [before, after].map(|readings| TrialTable::new(readings.figures.clone(), 0));
    for (a, b) in before.rows.iter().zip(&after.rows) {
        if a.is_some() && b.is_some() {
            both[0].rows.push(a.clone());
            both[1].rows.push(b.clone());
        }
    }
    both
}
