//! Designs that are varied and tried: how a figure changes over a parameter, what lessens a flaw, which character meets
//! the expectations.
//!
//! A [`Variant`] says in what a design is varied. Whoever has threads grows variants from the same seeds and hands over
//! [`TrialMetrics`]s; the same seeds for all of them, so that two variants differ by less chance. Here nothing is grown.

mod catalogue;
mod cma;
mod curve;
mod remedy;
mod search;
#[cfg(test)]
mod tests;

pub use catalogue::remedies;
pub use cma::Cma;
pub use curve::{Band, Curve, places};
pub use remedy::{Flaw, FlawAmount, RemedyEffect, flaws};
pub use search::{FRESH, TunedParameter, Tuning, TuningCandidate, TuningPhase, Verified, movable};

use serde::{Deserialize, Serialize};

use super::anomaly::Anomaly;
use super::lines::PassageLine;
use super::lookup::{MetricLookup, MetricValue};
use super::metrics::Metrics;
use crate::design::expect::Metric;
use crate::design::{CrawlerStart, Design, Entry};
use crate::geometry::Point;

/// One thing in which a design is varied.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum VariantChange {
    /// A field of an entry has another number.
    Set(Entry, usize, i32),
    /// One more first Crawler starts.
    Start(CrawlerStart),
    /// No wall is built on a square; one that was placed there by hand is taken away.
    Open(Point),
}

/// In what a design is varied; it can be laid over any design.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Variant {
    /// The changes, in order.
    pub changes: Vec<VariantChange>,
}

impl Variant {
    /// One field with another number.
    pub fn set(entry: Entry, field: usize, value: i32) -> Self {
        Self {
            changes: vec![VariantChange::Set(entry, field, value)],
        }
    }

    /// Returns how much it changes: numbers by the share of what they were (ten more, so that changes from 0 compare), a new
    /// Crawler as 1, a square kept open as a quarter.
    pub fn size(&self, design: &Design) -> f64 {
        let size = |change: &VariantChange| match *change {
            VariantChange::Set(entry, field, value) => {
                let before = f64::from(design.get(entry, field).unwrap_or_default());
                (f64::from(value) - before).abs() / (before.abs() + 10.0)
            }
            VariantChange::Start(_) => 1.0,
            VariantChange::Open(_) => 0.25,
        };
        self.changes.iter().map(size).sum()
    }

    /// The design with the changes. What it has no place for is left out.
    #[must_use]
    pub fn of(&self, design: &Design) -> Design {
        let mut varied = design.clone();
        self.apply(&mut varied);
        varied
    }

    /// Changes a design.
    pub fn apply(&self, design: &mut Design) {
        for change in &self.changes {
            match *change {
                VariantChange::Set(entry, field, value) => {
                    design.set(entry, field, value);
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

/// What a field is called: `MaxAge of generation 1`, `joinDist`.
fn field_name(entry: Entry, field: usize) -> String {
    let name = entry.fields().get(field).map_or("", |info| info.name);
    match entry {
        Entry::Constants | Entry::Dimensions | Entry::Limits | Entry::Protuberances => name.into(),
        _ => format!("{name} of {}", entry.label()),
    }
}

impl Variant {
    /// What it changes in a design, for a person: `MaxAge of generation 1: 60 → 30`.
    pub fn name(&self, design: &Design) -> String {
        let mut told: Vec<String> = Vec::new();
        let mut opened = Vec::new();
        for change in &self.changes {
            match *change {
                VariantChange::Set(entry, field, value) => {
                    let before = design.get(entry, field).unwrap_or_default();
                    told.push(format!("{}: {before} → {value}", field_name(entry, field)));
                }
                VariantChange::Start(start) => {
                    told.push(format!(
                        "a Crawler with delay {} at ({}, {})",
                        start.delay, start.at.x, start.at.y
                    ));
                }
                VariantChange::Open(at) => opened.push(at),
            }
        }
        if let Some(at) = opened.get(opened.len() / 2) {
            told.push(match opened.len() {
                1 => format!("({}, {}) kept open", at.x, at.y),
                count => format!("{count} squares kept open around ({}, {})", at.x, at.y),
            });
        }
        told.join(", ")
    }
}

/// What is kept of a dungeon that was grown for a trial.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TrialMetrics {
    /// The values of the figures that were asked for, in their order.
    pub values: Vec<MetricValue>,
    /// What is odd about it.
    pub odd: Vec<Anomaly>,
    /// Its straight corridor along the outer wall that takes most of a side.
    pub corridor: Option<PassageLine>,
    /// The walls that lie between it and an exit that cannot be reached. See [`Metrics::gap`].
    #[serde(default)]
    pub gap: Vec<Point>,
}

impl TrialMetrics {
    /// What is kept of a dungeon with these figures.
    pub fn of(figures: &Metrics, wanted: &[Metric]) -> Self {
        Self {
            values: wanted.iter().map(|&figure| figures.value(figure)).collect(),
            odd: figures.oddities(),
            corridor: figures.side_corridor().map(|(line, _)| line),
            gap: figures.gap.clone(),
        }
    }
}

/// The readings of one variant from many seeds, each with as many values as there are figures.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct TrialTable {
    /// The figures that were asked for.
    pub figures: Vec<Metric>,
    /// A reading for each seed, in the order of the seeds; `None` where it is not there yet, or nothing could be grown.
    pub rows: Vec<Option<TrialMetrics>>,
}

/// One of them, by the names of its figures.
struct TrialRow<'a> {
    figures: &'a [Metric],
    values: &'a [MetricValue],
}

impl MetricLookup for TrialRow<'_> {
    fn value(&self, figure: Metric) -> MetricValue {
        let known = self.figures.iter().position(|known| *known == figure);
        known.map_or(MetricValue::Number(None), |i| self.values[i])
    }
}

impl TrialTable {
    /// No readings yet, for so many seeds.
    pub fn new(figures: Vec<Metric>, seeds: usize) -> Self {
        Self {
            figures,
            rows: vec![None; seeds],
        }
    }

    /// How many are there.
    pub fn len(&self) -> usize {
        self.rows.iter().flatten().count()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// A figure of each dungeon, none where there is none.
    pub fn numbers(&self, figure: Metric) -> Vec<Option<f64>> {
        let rows = self.rows.iter();
        rows.map(|row| self.known(row.as_ref()?).value(figure).number())
            .collect()
    }

    /// The median of a figure; `None` where no dungeon has it.
    pub fn median(&self, figure: Metric) -> Option<f64> {
        let mut numbers: Vec<f64> = self.numbers(figure).into_iter().flatten().collect();
        numbers.sort_unstable_by(f64::total_cmp);
        let middle = numbers.len().checked_sub(1)? / 2;
        numbers.get(middle).copied()
    }

    fn known<'a>(&'a self, row: &'a TrialMetrics) -> TrialRow<'a> {
        TrialRow {
            figures: &self.figures,
            values: &row.values,
        }
    }

    /// The same as a sample for expectations.
    pub fn sample<'a>(
        &self,
        expectations: impl IntoIterator<Item = &'a crate::design::expect::Expectation>,
    ) -> super::MetricSample {
        let mut sample = super::MetricSample::new(expectations);
        for (seed, row) in self.rows.iter().enumerate() {
            if let Some(row) = row {
                let values = sample.values_of(&self.known(row));
                sample.add(seed as u64, values);
            }
        }
        sample
    }
}
