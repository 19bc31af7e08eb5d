//! Trials of design variants: how a metric changes over a parameter, what reduces a flaw, which character meets the
//! expectations.
//!
//! A [`Variant`] describes changes to a design. The callers, which own the threads, grow the variants and pass in
//! their [`TrialMetrics`]; all variants use the same seeds, which reduces the noise in their comparison. Nothing is
//! grown here.

mod atlas;
mod catalogue;
mod cma;
mod curve;
mod learn;
mod learnt;
mod likeness;
mod local_model;
mod remedy;
mod search;
#[cfg(test)]
mod tests;

pub use atlas::{Atlas, AtlasCell, AtlasRequest, AtlasState, FRESH_SEEDS};
pub use catalogue::remedies;
pub use cma::Cma;
pub use curve::{Band, Curve, places};
pub use learn::{LearnPhase, Learning};
pub use learnt::{CANDIDATES, HOLDS, LEARNT_METRICS, LearnRequest, LearntMetric, scaled, starting_from};
pub use likeness::pattern_accuracy;
pub use remedy::{Flaw, FlawAmount, RemedyEffect, flaws};
pub use search::{FRESH, TunedParameter, Tuning, TuningCandidate, TuningPhase, Verified, movable};

use serde::{Deserialize, Deserializer, Serialize};

use super::anomaly::Anomaly;
use super::compare::{FLIPS, PairedChange, PairedValues, paired_changes};
use super::lines::PassageLine;
use super::lookup::{MetricLookup, MetricValue};
use super::metrics::Metrics;
use super::parts::MetricParts;
use crate::design::expect::{Expectation, Metric};
use crate::design::fields::SavedName;
use crate::design::{CrawlerStart, Design, Entry, Parameter};
use crate::geometry::Point;

/// Number of generations whose parameters the searches change if the user names none: the first ones lay most of the walls.
pub const FIRST_GENERATIONS: usize = 4;

/// One change of a variant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum VariantChange {
    /// Sets a parameter of an entry; saved with the parameter's key.
    #[serde(deserialize_with = "read_set")]
    Set(Entry, Parameter, i32),
    /// Adds a first Crawler.
    Start(CrawlerStart),
    /// Keeps a square free of walls; a hand-placed one is removed.
    Open(Point),
}

/// Reads a change of a parameter; earlier versions saved the parameter's place in the record.
fn read_set<'de, D: Deserializer<'de>>(deserializer: D) -> Result<(Entry, Parameter, i32), D::Error> {
    let (entry, name, value) = <(Entry, SavedName, i32)>::deserialize(deserializer)?;
    let parameter = name.parameter(entry).map_err(serde::de::Error::custom)?;
    Ok((entry, parameter, value))
}

/// A variant: changes that can be applied to any design.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Variant {
    /// Changes, in order.
    pub changes: Vec<VariantChange>,
}

impl Variant {
    /// Returns a variant that sets one parameter.
    pub fn set(entry: Entry, parameter: impl Into<Parameter>, value: i32) -> Self {
        Self {
            changes: vec![VariantChange::Set(entry, parameter.into(), value)],
        }
    }

    /// Returns the size of the change: for a number its change relative to the old value plus ten (so that changes
    /// from 0 can be compared), for a new Crawler 1, for a square kept open a quarter.
    pub fn size(&self, design: &Design) -> f64 {
        let size = |change: &VariantChange| match *change {
            VariantChange::Set(entry, parameter, value) => {
                let before = f64::from(design.get(entry, parameter).unwrap_or_default());
                (f64::from(value) - before).abs() / (before.abs() + 10.0)
            }
            VariantChange::Start(_) => 1.0,
            VariantChange::Open(_) => 0.25,
        };
        self.changes.iter().map(size).sum()
    }

    /// Returns the design with the changes. Changes that do not apply to it are skipped.
    #[must_use]
    pub fn of(&self, design: &Design) -> Design {
        let mut varied = design.clone();
        self.apply(&mut varied);
        varied
    }

    /// Applies the changes to a design.
    pub fn apply(&self, design: &mut Design) {
        for change in &self.changes {
            match *change {
                VariantChange::Set(entry, parameter, value) => {
                    design.set(entry, parameter, value);
                }
                VariantChange::Start(start) => design.layout.crawlers.push(start),
                VariantChange::Open(at) => {
                    design.layout.walls.retain(|wall| *wall != at);
                    if !design.layout.open.contains(&at) {
                        design.layout.open.push(at);
                    }
                }
            }
        }
    }
}

/// Returns the values of some parameters as a variant of the design, with only the values that differ from the
/// design's, `now`.
fn variant_of(moves: &[TunedParameter], values: &[i32], now: &[i32]) -> Variant {
    let all = moves.iter().zip(values).zip(now);
    let changed = all.filter(|((_, value), now)| value != now);
    Variant {
        changes: changed
            .map(|((one, value), _)| VariantChange::Set(one.entry, one.parameter, *value))
            .collect(),
    }
}

/// Returns the display name of a parameter: `MaxAge of generation 1`, `joinDist`.
fn parameter_name(entry: Entry, parameter: Parameter) -> String {
    let name = parameter.info().name;
    match entry {
        Entry::Constants | Entry::Dimensions | Entry::Limits | Entry::Protuberances => name.into(),
        _ => format!("{name} of {}", entry.label()),
    }
}

impl Variant {
    /// Describes the changes to a design for the user: `MaxAge of generation 1: 60 → 30`.
    pub fn name(&self, design: &Design) -> String {
        let mut parts: Vec<String> = Vec::new();
        let mut opened = Vec::new();
        for change in &self.changes {
            match *change {
                VariantChange::Set(entry, parameter, value) => {
                    let before = design.get(entry, parameter).unwrap_or_default();
                    parts.push(format!("{}: {before} → {value}", parameter_name(entry, parameter)));
                }
                VariantChange::Start(start) => {
                    parts.push(format!("a Crawler with delay {} at {}", start.delay, start.at));
                }
                VariantChange::Open(at) => opened.push(at),
            }
        }
        if let Some(at) = opened.get(opened.len() / 2) {
            parts.push(match opened.len() {
                1 => format!("{at} kept open"),
                count => format!("{count} squares kept open around {at}"),
            });
        }
        parts.join(", ")
    }
}

/// The metrics of a dungeon that was grown for a trial.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TrialMetrics {
    /// Values of the requested metrics, in their order.
    pub values: Vec<MetricValue>,
    /// Anomalies found in the dungeon, among the kinds searched for.
    #[serde(rename = "odd")]
    pub anomalies: Vec<Anomaly>,
    /// Straight corridor along the outer wall that covers the largest share of a side.
    pub corridor: Option<PassageLine>,
    /// Walls between the reachable part and an exit that cannot be reached. See [`Metrics::gap`].
    #[serde(default)]
    pub gap: Vec<Point>,
    /// Number of windows of each local [pattern](crate::analysis::PATTERNS); empty if they were not requested.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub patterns: Vec<u32>,
}

impl TrialMetrics {
    /// Returns the trial metrics from some parts of a dungeon's metrics; `wanted` selects the values.
    pub fn of(metrics: &Metrics, wanted: &[Metric], parts: MetricParts) -> Self {
        let mut anomalies = metrics.anomalies();
        anomalies.retain(|&anomaly| parts.has(MetricParts::of_anomaly(anomaly)));
        Self {
            values: wanted.iter().map(|&metric| metrics.value(metric)).collect(),
            anomalies,
            corridor: metrics
                .side_corridor()
                .map(|(line, _)| line)
                .filter(|_| parts.has(MetricParts::OUTER)),
            gap: if parts.has(MetricParts::PATH) {
                metrics.gap.clone()
            } else {
                Vec::new()
            },
            patterns: metrics.patterns.clone(),
        }
    }
}

/// The trial metrics of one variant from many seeds.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct TrialTable {
    /// Requested metrics.
    #[serde(alias = "figures")]
    pub metrics: Vec<Metric>,
    /// Result of each seed, in seed order; `None` if it is pending, or no dungeon could be grown.
    pub rows: Vec<Option<TrialMetrics>>,
}

/// One row of the table, with the names of its metrics.
struct TrialRow<'a> {
    metrics: &'a [Metric],
    values: &'a [MetricValue],
}

impl MetricLookup for TrialRow<'_> {
    fn value(&self, metric: Metric) -> MetricValue {
        let known = self.metrics.iter().position(|known| *known == metric);
        known.map_or(MetricValue::Number(None), |i| self.values[i])
    }
}

impl TrialTable {
    /// Creates a table without results for `seeds` seeds.
    pub fn new(metrics: Vec<Metric>, seeds: usize) -> Self {
        Self {
            metrics,
            rows: vec![None; seeds],
        }
    }

    /// Returns the number of results.
    pub fn dungeons(&self) -> usize {
        self.rows.iter().flatten().count()
    }

    /// Returns a metric of each dungeon; `None` for dungeons without it.
    pub fn numbers(&self, metric: Metric) -> Vec<Option<f64>> {
        let rows = self.rows.iter();
        rows.map(|row| self.known(row.as_ref()?).value(metric).number())
            .collect()
    }

    /// Returns the median of a metric; `None` if no dungeon has it.
    pub fn median(&self, metric: Metric) -> Option<f64> {
        let mut numbers: Vec<f64> = self.numbers(metric).into_iter().flatten().collect();
        numbers.sort_unstable_by(f64::total_cmp);
        let middle = numbers.len().checked_sub(1)? / 2;
        numbers.get(middle).copied()
    }

    fn known<'a>(&'a self, row: &'a TrialMetrics) -> TrialRow<'a> {
        TrialRow {
            metrics: &self.metrics,
            values: &row.values,
        }
    }

    /// Returns the results as a sample for expectations.
    pub fn sample<'a>(&self, expectations: impl IntoIterator<Item = &'a Expectation>) -> super::MetricSample {
        let mut sample = super::MetricSample::new(expectations);
        for (seed, row) in self.rows.iter().enumerate() {
            if let Some(row) = row {
                let values = sample.values_of(&self.known(row));
                sample.add(seed as u64, values);
            }
        }
        sample
    }

    /// Returns how badly each dungeon fails an expectation, see [`super::MetricSample::severities`]; `None` for pending
    /// results.
    fn severities(&self, expectation: &Expectation) -> Vec<Option<f64>> {
        let mut severities = vec![None; self.rows.len()];
        for (row, severity) in self.sample([expectation]).severities(expectation) {
            severities[row as usize] = Some(severity);
        }
        severities
    }
}

/// Returns, for each expectation, how the share of the dungeons that meet it changes between two tables of the same
/// seeds, corrected for all expectations.
pub fn expectation_changes(before: &TrialTable, after: &TrialTable, expectations: &[Expectation]) -> Vec<PairedChange> {
    let values = expectations.iter().map(|expectation| {
        let meets = |table: &TrialTable| {
            let severities = table.severities(expectation).into_iter();
            severities.map(|severity| severity.map(|severity| f64::from(u8::from(severity <= 0.0))))
        };
        PairedValues {
            pairs: paired(meets(before).collect(), meets(after).collect()),
            is_truth: true,
        }
    });
    paired_changes(&values.collect::<Vec<_>>(), FLIPS)
}

/// Joins the values of two tables row by row.
fn paired(before: Vec<Option<f64>>, after: Vec<Option<f64>>) -> Vec<Option<[f64; 2]>> {
    let pairs = before.into_iter().zip(after);
    pairs.map(|(before, after)| Some([before?, after?])).collect()
}
