//! The flaws of a design, and what a remedy does to them.
//!
//! No remedy is believed: [`RemedyEffect`] compares what was measured with and without, from the same seeds.

use serde::{Deserialize, Serialize};

use super::TrialTable;
use crate::analysis::{Anomaly, MetricSample};
use crate::design::GENERATIONS;
use crate::design::expect::{DungeonMetric, Expectation, Metric};

/// A way this much longer than with no wall between is no maze.
const SHORT_DETOUR: f64 = 1.2;

/// Parts of the seeds that are compared with each other, to tell a difference from chance.
const FOLDS: usize = 8;

/// A difference this many times its standard error is no chance.
const CERTAIN: f64 = 2.3;

/// The figures that are told of every remedy.
const TOLD: [DungeonMetric; 11] = [
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
    /// Something odd.
    Odd(Anomaly),
    /// The shortest way is hardly longer than with no wall between.
    ShortPath,
    /// One of the expectations does not hold, by its place among those that were given.
    Unmet(usize),
}

/// How much of a flaw there is.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct FlawAmount {
    /// Dungeons that show it; for an expectation those that fail it, or all of them where it speaks of all together.
    pub count: usize,
    /// Dungeons looked at.
    pub dungeons: usize,
    /// How bad it is on the whole, from 0; below 1 where no dungeon shows it.
    pub weight: f64,
}

impl FlawAmount {
    /// The share of the dungeons that show it.
    pub fn share(&self) -> f64 {
        self.count as f64 / self.dungeons.max(1) as f64
    }
}

impl Flaw {
    /// The figures that are needed to find flaws and to tell what remedies do, with those of some expectations.
    pub fn figures<'a>(expectations: impl IntoIterator<Item = &'a Expectation>) -> Vec<Metric> {
        let mut figures: Vec<Metric> = TOLD.map(Metric::Plain).to_vec();
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

    /// What it is, for a person.
    pub fn told(self, expectations: &[String]) -> String {
        match self {
            Self::Odd(odd) => odd.to_string(),
            Self::ShortPath => "the way is hardly longer than a straight one".into(),
            Self::Unmet(index) => expectations
                .get(index)
                .map_or_else(String::new, |text| format!("not met: {text}")),
        }
    }

    /// How much of it there is in some dungeons.
    pub fn measure(self, readings: &TrialTable, expectations: &[Expectation]) -> FlawAmount {
        let dungeons = readings.len();
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

/// The figure that tells how bad an oddity is, and what is as bad as can be.
const fn degree(odd: Anomaly) -> Option<(Metric, f64)> {
    match odd {
        Anomaly::TakesOver(generation) => Some((Metric::Generation(generation), 1.0)),
        Anomaly::OuterCorridor => Some((Metric::Plain(DungeonMetric::OuterWall), 1.0)),
        Anomaly::Enclosed => Some((Metric::Plain(DungeonMetric::Enclosed), 20.0)),
        Anomaly::Unborn => Some((Metric::Plain(DungeonMetric::Unborn), 1000.0)),
        _ => None,
    }
}

/// The flaws that some dungeons of a design show, the commonest first.
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

/// What a remedy does to a flaw, measured from the same seeds without it and with it.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct RemedyEffect {
    /// Without.
    pub before: FlawAmount,
    /// With.
    pub after: FlawAmount,
    /// By how much the weight falls, in standard errors of that difference: positive is better.
    pub certainty: f64,
}

impl RemedyEffect {
    /// Compares.
    pub fn between(flaw: Flaw, before: &TrialTable, after: &TrialTable, expectations: &[Expectation]) -> Self {
        // Seeds that one of the two could not be grown from count for neither.
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
        // Where nothing varies the difference is what it is.
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

    /// Whether it lessens the flaw by more than chance.
    pub fn helps(&self) -> bool {
        self.certainty > CERTAIN && self.after.weight < self.before.weight
    }

    /// By how much the weight falls.
    pub fn gain(&self) -> f64 {
        self.before.weight - self.after.weight
    }
}

/// The seeds that both have.
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
