//! Results of the seed gallery: the metric values and the picture of each seed, and the order in which seeds are shown.
//!
//! This module does not grow or measure dungeons: the gallery adds metric values and pictures, and reads the ordered
//! seeds.

use std::collections::{BTreeMap, BTreeSet};

use crate::analysis::{MetricValues, evaluate};
use crate::background::Pixels;
use crate::design::expect::{DungeonMetric, Expectation, Expression, METRICS};
use crate::tui::widget::form::ring;

/// The sort key of the gallery.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(in crate::tui) enum SeedOrder {
    /// The seed.
    #[default]
    Seed,
    /// The value of a metric.
    Metric(DungeonMetric),
}

impl SeedOrder {
    /// Number of sort keys.
    pub(super) const COUNT: usize = METRICS.len() + 1;

    /// Returns the sort key at an index of the list: first the seed, then the metrics in the order of [`METRICS`],
    /// except that the first of them, which usually has the same value for all dungeons, comes last.
    pub(super) fn at(place: usize) -> Self {
        match place % Self::COUNT {
            0 => Self::Seed,
            place => Self::Metric(METRICS[place % METRICS.len()].metric),
        }
    }

    /// Returns the index of the sort key in the list.
    pub(super) const fn place(self) -> usize {
        match self {
            Self::Seed => 0,
            Self::Metric(DungeonMetric::Reachable) => METRICS.len(),
            Self::Metric(metric) => metric as usize,
        }
    }

    /// Returns the sort key `by` places further in the list, wrapping around.
    pub(super) fn next(self, by: i32) -> Self {
        Self::at(ring(self.place(), by, Self::COUNT))
    }

    /// Returns the name for the user: `seed`, or the name of the metric.
    pub(in crate::tui) fn name(self) -> &'static str {
        match self {
            Self::Seed => "seed",
            Self::Metric(metric) => metric.info().name,
        }
    }
}

/// The last picture of a dungeon, and whether its growth is over.
#[derive(Debug)]
pub(super) struct SeedPicture {
    pub pixels: Pixels,
    pub is_grown: bool,
}

/// The known metric values and pictures of the gallery's seeds.
#[derive(Debug, Default)]
pub(super) struct GalleryResults {
    /// The requested seeds.
    pub seeds: BTreeSet<u64>,
    /// Metric values of the measured seeds; `None` for seeds from which nothing grows.
    pub measured: BTreeMap<u64, Option<MetricValues>>,
    /// Pictures, all at the same resolution.
    pub pictures: BTreeMap<u64, SeedPicture>,
    /// Whether the user was warned of vaults that only the opened recording contains.
    pub is_warned: bool,
}

/// A filter and an order of seeds.
#[derive(Debug, Clone, Copy)]
pub(super) struct SeedSelection<'a> {
    pub by: SeedOrder,
    pub downward: bool,
    /// The condition that a seed must meet; seeds that are not measured yet do not meet it.
    pub condition: Option<&'a Expression>,
    /// The seeds to choose from; `None` chooses from all seeds.
    pub among: Option<&'a BTreeSet<u64>>,
}

impl GalleryResults {
    /// Returns the metric values of a seed; `None` if it is not measured yet, or nothing grows from it.
    pub(super) fn metrics_of(&self, seed: u64) -> Option<&MetricValues> {
        self.measured.get(&seed)?.as_ref()
    }

    /// Returns the sort value of a seed, if known.
    pub(super) fn value(&self, seed: u64, by: SeedOrder) -> Option<f64> {
        match by {
            SeedOrder::Seed => Some(seed as f64),
            SeedOrder::Metric(metric) => self.metrics_of(seed)?.number(metric),
        }
    }

    /// Returns the seeds that pass the filter, in order. Seeds whose sort value is unknown come last.
    pub(super) fn ordered(&self, request: SeedSelection<'_>) -> Vec<u64> {
        let passes = |seed: &&u64| {
            let meets = |condition| {
                self.metrics_of(**seed)
                    .is_some_and(|values| evaluate(condition, values, &()).holds())
            };
            request.among.is_none_or(|among| among.contains(*seed)) && request.condition.is_none_or(meets)
        };
        let mut order: Vec<u64> = self.seeds.iter().filter(passes).copied().collect();
        match request.by {
            SeedOrder::Seed if request.downward => order.reverse(),
            SeedOrder::Seed => {}
            by @ SeedOrder::Metric(_) => order.sort_by(|a, b| match (self.value(*a, by), self.value(*b, by)) {
                (Some(a), Some(b)) if request.downward => b.total_cmp(&a),
                (Some(a), Some(b)) => a.total_cmp(&b),
                (a, b) => a.is_none().cmp(&b.is_none()),
            }),
        }
        order
    }

    /// Returns the texts of the expectations that apply to every dungeon but are not met by the dungeon of this seed.
    /// Returns an empty list if the seed is not measured.
    pub(super) fn failed<'a>(&self, seed: u64, expectations: &'a [(String, Expectation)]) -> Vec<&'a str> {
        let Some(values) = self.metrics_of(seed) else {
            return Vec::new();
        };
        let fails = |(_, expectation): &&(String, Expectation)| {
            expectation.is_of_each() && !evaluate(&expectation.condition, values, &()).holds()
        };
        let failed = expectations.iter().filter(fails);
        failed.map(|(text, _)| text.as_str()).collect()
    }

    /// Returns the known sort values of all seeds, ascending.
    pub(super) fn values(&self, by: SeedOrder) -> Vec<f64> {
        let mut values: Vec<f64> = self.seeds.iter().filter_map(|seed| self.value(*seed, by)).collect();
        values.sort_unstable_by(f64::total_cmp);
        values
    }

    /// Returns the number of measured seeds.
    pub(super) fn done(&self) -> usize {
        self.measured.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sort_keys_are_the_seed_and_every_metric() {
        let mut by = SeedOrder::Seed;
        let mut names = BTreeSet::new();
        for place in 0..SeedOrder::COUNT {
            assert_eq!((by.place(), SeedOrder::at(place)), (place, by));
            assert_eq!(by.next(1).next(-1), by);
            names.insert(by.name());
            by = by.next(1);
        }
        assert_eq!((by, names.len()), (SeedOrder::Seed, SeedOrder::COUNT));
    }
}
