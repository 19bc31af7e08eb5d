//! The flaws of a design, and the measured effect of remedies.
//!
//! A [`RemedyEffect`] compares dungeons without a remedy and dungeons with it, grown from the same seeds. It uses the
//! tests of [`paired_changes`].

use serde::{Deserialize, Serialize};

use super::{TrialMetrics, TrialTable};
use crate::analysis::{
    Anomaly, FLIPS, MetricParts, MetricSample, MetricValue, PairedChange, PairedValues, paired_changes,
};
use crate::design::GENERATIONS;
use crate::design::expect::{DungeonMetric, Expectation, Metric};

/// The path counts as too short if it is shorter than this multiple of the distance without walls.
const SHORT_DETOUR: f64 = 1.2;

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
    #[serde(rename = "odd")]
    Anomaly(Anomaly),
    /// The shortest path is hardly longer than it would be without walls.
    ShortPath,
    /// An expectation that does not hold: its index in the list of expectations.
    Unmet(usize),
}

/// The amount of a flaw in some dungeons.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct FlawAmount {
    /// Number of dungeons with the flaw. For an expectation, the number of dungeons that fail it; if a failing
    /// expectation is only about aggregates (such as a median over all dungeons), the number of all dungeons.
    pub count: usize,
    /// Number of dungeons measured.
    pub dungeons: usize,
    /// Overall severity, 0 or more; below 1 if no dungeon has the flaw.
    pub weight: f64,
}

impl FlawAmount {
    /// Returns the share of the dungeons with the flaw.
    pub fn share(&self) -> f64 {
        self.count as f64 / self.dungeons.max(1) as f64
    }
}

impl Flaw {
    /// Returns the metrics needed to find flaws and to report the effect of remedies, including the metrics that
    /// `expectations` use.
    pub fn metrics<'a>(expectations: impl IntoIterator<Item = &'a Expectation>) -> Vec<Metric> {
        let mut metrics: Vec<Metric> = SHOWN_METRICS.map(Metric::Plain).to_vec();
        metrics.extend((0..GENERATIONS as u32).map(Metric::Generation));
        for expectation in expectations {
            expectation.condition.metrics(&mut |metric, _| {
                if !metrics.contains(&metric) {
                    metrics.push(metric);
                }
            });
        }
        metrics
    }

    /// Returns the metrics by which the flaw itself is measured.
    pub fn own_metrics(self, expectations: &[Expectation]) -> Vec<Metric> {
        let mut metrics = Vec::new();
        match self {
            Self::Unmet(index) => {
                let expectation = expectations.get(index);
                expectation.inspect(|one| one.condition.metrics(&mut |metric, _| metrics.push(metric)));
            }
            Self::ShortPath => metrics.push(Metric::Plain(DungeonMetric::Detour)),
            Self::Anomaly(anomaly) => metrics.extend(degree(anomaly).map(|(metric, _)| metric)),
        }
        metrics
    }

    /// Returns the parts of the metrics that must be computed to find the flaw, in addition to its own metrics.
    pub const fn parts(self) -> MetricParts {
        match self {
            Self::Anomaly(anomaly) => MetricParts::of_anomaly(anomaly),
            Self::ShortPath | Self::Unmet(_) => MetricParts::NONE,
        }
    }

    /// Describes the flaw for the user.
    pub fn description(self, expectations: &[String]) -> String {
        match self {
            Self::Anomaly(anomaly) => anomaly.to_string(),
            Self::ShortPath => "the path is hardly longer than a straight one".into(),
            Self::Unmet(index) => expectations
                .get(index)
                .map_or_else(String::new, |text| format!("failed: `{text}`")),
        }
    }

    /// Returns, for each row of a table, whether the dungeon has the flaw, and how severe the flaw is (higher is
    /// worse). `None` for rows without a result.
    fn severities(self, readings: &TrialTable, expectations: &[Expectation]) -> Vec<Option<(bool, f64)>> {
        fn graded(
            readings: &TrialTable,
            metric: Metric,
            shows: impl Fn(&TrialMetrics, Option<f64>) -> (bool, f64),
        ) -> Vec<Option<(bool, f64)>> {
            let numbers = readings.numbers(metric).into_iter().zip(&readings.rows);
            numbers
                .map(|(number, row)| row.as_ref().map(|row| shows(row, number)))
                .collect()
        }
        let sum = |shows: bool, degree: f64| (shows, f64::from(u8::from(shows)) + degree);
        match self {
            Self::Unmet(index) => expectations.get(index).map_or_else(Vec::new, |expectation| {
                let severities = readings.severities(expectation).into_iter();
                severities
                    .map(|severity| severity.map(|severity| (severity > 0.0, severity)))
                    .collect()
            }),
            Self::ShortPath => graded(readings, Metric::Plain(DungeonMetric::Detour), |_, detour| {
                detour.map_or((false, 0.0), |detour| {
                    sum(detour < SHORT_DETOUR, (1.0 / detour.max(1.0)).min(1.0))
                })
            }),
            Self::Anomaly(anomaly) => {
                let degree = degree(anomaly);
                let metric = degree.map_or(Metric::Plain(DungeonMetric::Detour), |(metric, _)| metric);
                graded(readings, metric, |row, number| {
                    let share = degree.zip(number).map(|((_, most), number)| (number / most).min(1.0));
                    sum(row.anomalies.contains(&anomaly), share.unwrap_or(0.0))
                })
            }
        }
    }

    /// Returns the results of a remedy by which the flaw is measured. For a path that is too short, a path that the
    /// remedy blocks counts as a straight one, so that walling off the exit is no improvement.
    fn results(self, before: &TrialTable, after: &TrialTable) -> TrialTable {
        let mut results = after.clone();
        let detour = Metric::Plain(DungeonMetric::Detour);
        let place = results.metrics.iter().position(|metric| *metric == detour);
        if let (Self::ShortPath, Some(place)) = (self, place) {
            for (row, detour) in results.rows.iter_mut().zip(before.numbers(detour)) {
                let value = row.as_mut().map(|row| &mut row.values[place]);
                if let Some(value) = value.filter(|value| detour.is_some() && value.number().is_none()) {
                    *value = MetricValue::Number(Some(1.0));
                }
            }
        }
        results
    }

    /// Measures the flaw in some dungeons.
    pub fn measure(self, readings: &TrialTable, expectations: &[Expectation]) -> FlawAmount {
        let dungeons = readings.dungeons();
        let severities = self.severities(readings, expectations);
        let found = severities.iter().flatten();
        let count = found.clone().filter(|(shows, _)| *shows).count();
        let mean = found.map(|(_, severity)| severity).sum::<f64>() / dungeons.max(1) as f64;
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
            Self::ShortPath | Self::Anomaly(_) => (count, mean),
        };
        FlawAmount {
            count,
            dungeons,
            weight,
        }
    }
}

/// Returns the metric that measures the severity of an anomaly, and the value of this metric at which the severity
/// reaches its maximum. Returns `None` for anomalies without degrees of severity.
const fn degree(anomaly: Anomaly) -> Option<(Metric, f64)> {
    match anomaly {
        Anomaly::TakesOver(generation) => Some((Metric::Generation(generation), 1.0)),
        Anomaly::OuterCorridor => Some((Metric::Plain(DungeonMetric::OuterWall), 1.0)),
        Anomaly::Enclosed => Some((Metric::Plain(DungeonMetric::Enclosed), 20.0)),
        Anomaly::Unborn => Some((Metric::Plain(DungeonMetric::Unborn), 1000.0)),
        _ => None,
    }
}

/// Returns the flaws that at least one dungeon of a design has, the most common flaw first.
pub fn flaws(readings: &TrialTable, expectations: &[Expectation]) -> Vec<(Flaw, FlawAmount)> {
    let mut all: Vec<Flaw> = Vec::new();
    let rows = readings.rows.iter().flatten();
    for &anomaly in rows.flat_map(|row| &row.anomalies) {
        if !all.contains(&Flaw::Anomaly(anomaly)) {
            all.push(Flaw::Anomaly(anomaly));
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

/// The effect of a remedy on a flaw, measured over the same seeds without and with the remedy.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct RemedyEffect {
    /// Amount of the flaw without the remedy.
    pub before: FlawAmount,
    /// Amount of the flaw with the remedy.
    pub after: FlawAmount,
    /// Change in the share of dungeons that have the flaw. Its p-value, however, is that of the change in the flaw's
    /// severity.
    #[serde(default)]
    pub change: PairedChange,
}

impl RemedyEffect {
    /// Measures the effects of several remedies for a flaw, and corrects the p-values for the number of remedies:
    /// without this correction, one of many remedies might seem to help although none does. `after` contains one table
    /// per remedy.
    pub fn all(flaw: Flaw, before: &TrialTable, after: &[&TrialTable], expectations: &[Expectation]) -> Vec<Self> {
        let after: Vec<TrialTable> = after.iter().map(|after| flaw.results(before, after)).collect();
        let changes = Self::changes(flaw, before, &after, expectations);
        let effects = after.iter().zip(changes).map(|(after, change)| {
            // If either dungeon of a seed could not be grown, the seed is ignored in both tables.
            let [before, after] = common(before, after);
            Self {
                before: flaw.measure(&before, expectations),
                after: flaw.measure(&after, expectations),
                change,
            }
        });
        effects.collect()
    }

    fn changes(
        flaw: Flaw,
        before: &TrialTable,
        after: &[TrialTable],
        expectations: &[Expectation],
    ) -> Vec<PairedChange> {
        let severities = |table: &TrialTable| flaw.severities(table, expectations);
        let first = severities(before);
        let values = |is_truth: bool| {
            let value = |found: &Option<(bool, f64)>| {
                found.map(|(shows, severity)| if is_truth { f64::from(u8::from(shows)) } else { severity })
            };
            let side = |found: &[Option<(bool, f64)>]| found.iter().map(value).collect();
            let pairs = |after: &TrialTable| PairedValues {
                pairs: super::paired(side(&first), side(&severities(after))),
                is_truth,
            };
            after.iter().map(pairs).collect::<Vec<_>>()
        };
        let tested = paired_changes(&values(false), FLIPS);
        let shares = paired_changes(&values(true), 0);
        let both = tested.into_iter().zip(shares);
        both.map(|(tested, share)| PairedChange {
            change: share.change,
            ..tested
        })
        .collect()
    }

    /// Returns whether the remedy reduces the flaw significantly.
    pub fn helps(&self) -> bool {
        self.change.is_real() && self.after.weight < self.before.weight
    }

    /// Returns the amount by which the remedy reduces the overall severity.
    pub fn gain(&self) -> f64 {
        self.before.weight - self.after.weight
    }
}

/// Returns both tables, reduced to the seeds for which both have a result.
fn common(before: &TrialTable, after: &TrialTable) -> [TrialTable; 2] {
    let mut both = [before, after].map(|readings| TrialTable::new(readings.metrics.clone(), 0));
    for (a, b) in before.rows.iter().zip(&after.rows) {
        if a.is_some() && b.is_some() {
            both[0].rows.push(a.clone());
            both[1].rows.push(b.clone());
        }
    }
    both
}
