//! Trials of design variants. They answer five questions: how a metric depends on a parameter ([`Curve`]), which
//! changes reduce a flaw ([`remedies`]), with which parameter values the design meets its expectations ([`Tuning`]),
//! with which values its dungeons resemble examples ([`Learning`]), and which kinds of dungeons it could produce
//! ([`Atlas`]).
//!
//! A [`Variant`] describes changes to a design. This module grows no dungeons: its callers, which own the threads,
//! grow the variants and pass in their [`TrialMetrics`]. Variants that are requested together are grown from the same
//! seeds, which reduces the noise in their comparison.

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
pub use likeness::{ENOUGH_EXAMPLES, pattern_accuracy};
pub use remedy::{Flaw, FlawAmount, RemedyEffect, flaws};
pub use search::{FRESH, TunedParameter, Tuning, TuningCandidate, TuningPhase, Verified, movable};

use serde::{Deserialize, Deserializer, Serialize};

use super::anomaly::Anomaly;
use super::compare::{FLIPS, PairedChange, PairedValues, paired_changes};
use super::lines::PassageLine;
use super::lookup::{MetricLookup, MetricValue};
use super::metric_sample::SampledDungeon;
use super::metrics::Metrics;
use super::parts::MetricParts;
use crate::design::expect::{Expectation, Metric};
use crate::design::fields::SavedName;
use crate::design::{CrawlerStart, Design, Entry, Parameter};
use crate::geometry::Point;

/// Number of generations whose parameters the searches change by default. These are the first generations, which
/// build most of the walls.
pub const FIRST_GENERATIONS: usize = 4;

/// One change of a variant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum VariantChange {
    /// Sets a parameter of an entry to a value. In a saved variant, the parameter has the key that it has in TOML
    /// designs.
    #[serde(deserialize_with = "read_set")]
    Set(Entry, Parameter, i32),
    /// Adds a Crawler to those with which the growth begins.
    Start(CrawlerStart),
    /// Keeps a square free of walls, and removes a hand-placed wall from it.
    Open(Point),
}

/// Reads a [`VariantChange::Set`]. Instead of the parameter's key, earlier versions saved its index among the
/// parameters of the entry.
fn read_set<'de, D: Deserializer<'de>>(deserializer: D) -> Result<(Entry, Parameter, i32), D::Error> {
    let (entry, name, value) = <(Entry, SavedName, i32)>::deserialize(deserializer)?;
    let parameter = name.parameter(entry).map_err(serde::de::Error::custom)?;
    Ok((entry, parameter, value))
}

/// A list of changes that can be applied to any design.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Variant {
    /// Changes, in the order in which they are applied.
    pub changes: Vec<VariantChange>,
}

impl Variant {
    /// Returns a variant that sets one parameter.
    pub fn set(entry: Entry, parameter: impl Into<Parameter>, value: i32) -> Self {
        Self {
            changes: vec![VariantChange::Set(entry, parameter.into(), value)],
        }
    }

    /// Returns the sum of the sizes of the changes. The size of a parameter's change is |new − old| / (|old| + 10),
    /// where the 10 makes changes from 0 finite. A new Crawler counts as 1, and a square kept open as 0.25.
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

    /// Returns a copy of the design with the changes applied. Changes that do not apply to the design are skipped.
    #[must_use]
    pub fn of(&self, design: &Design) -> Design {
        let mut varied = design.clone();
        self.apply(&mut varied);
        varied
    }

    /// Applies the changes to a design in place.
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

/// Returns the variant that sets the parameters `moves` to `values`. Values equal to those of the design, `now`, are
/// left out.
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
    /// Describes the changes to `design` for the user: `MaxAge of generation 1: 60 → 30`.
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
    /// Values of the requested metrics, in the order of the request.
    pub values: Vec<MetricValue>,
    /// Anomalies found in the dungeon, among the kinds searched for.
    #[serde(rename = "odd")]
    pub anomalies: Vec<Anomaly>,
    /// The straight corridor along the outer wall that covers the largest share of a side.
    pub corridor: Option<PassageLine>,
    /// If the exit cannot be reached: the walls between the reachable part of the dungeon and the exit. See
    /// [`Metrics::gap`].
    #[serde(default)]
    pub gap: Vec<Point>,
    /// Number of windows that show each local [pattern](crate::analysis::PATTERNS); empty if patterns were not
    /// requested.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub patterns: Vec<u32>,
}

impl TrialMetrics {
    /// Extracts the trial metrics from a dungeon's metrics. `wanted` selects the values. Anomalies, the corridor and
    /// the gap are kept only if they belong to `parts`.
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
    /// The requested metrics.
    #[serde(alias = "figures")]
    pub metrics: Vec<Metric>,
    /// Result of each seed, in seed order; `None` if the result is pending, or if no dungeon could be grown.
    pub rows: Vec<Option<TrialMetrics>>,
}

impl TrialTable {
    /// Creates a table for `seeds` seeds whose results are all pending.
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

    /// Returns the value of a metric in each row; `None` if the row has no result, or its dungeon lacks the metric.
    pub fn numbers(&self, metric: Metric) -> Vec<Option<f64>> {
        let rows = self.rows.iter();
        rows.map(|row| self.known(row.as_ref()?).value(metric).number())
            .collect()
    }

    /// Returns the median of a metric over all dungeons; `None` if no dungeon has the metric.
    pub fn median(&self, metric: Metric) -> Option<f64> {
        let mut numbers: Vec<f64> = self.numbers(metric).into_iter().flatten().collect();
        numbers.sort_unstable_by(f64::total_cmp);
        let middle = numbers.len().checked_sub(1)? / 2;
        numbers.get(middle).copied()
    }

    fn known<'a>(&'a self, row: &'a TrialMetrics) -> SampledDungeon<'a> {
        SampledDungeon {
            metrics: &self.metrics,
            values: &row.values,
        }
    }

    /// Returns the results as a sample over which `expectations` can be evaluated.
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

    /// Returns how badly the dungeon of each row fails an expectation (see [`super::MetricSample::severities`]);
    /// `None` for rows without a result.
    fn severities(&self, expectation: &Expectation) -> Vec<Option<f64>> {
        let mut severities = vec![None; self.rows.len()];
        for (row, severity) in self.sample([expectation]).severities(expectation) {
            severities[row as usize] = Some(severity);
        }
        severities
    }
}

/// Returns, for each expectation, how the share of dungeons that meet the expectation changes between two tables of
/// the same seeds. The p-values are corrected for the number of expectations.
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

/// Joins the values of two tables row by row; `None` for rows in which either value is missing.
fn paired(before: Vec<Option<f64>>, after: Vec<Option<f64>>) -> Vec<Option<[f64; 2]>> {
    let pairs = before.into_iter().zip(after);
    pairs.map(|(before, after)| Some([before?, after?])).collect()
}
