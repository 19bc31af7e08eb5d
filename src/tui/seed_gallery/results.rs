//! What is known of the dungeons in the gallery, and which of them are shown in which order.
//!
//! Pure: figures and pictures come in, an order of seeds comes out.

use std::collections::{BTreeMap, BTreeSet};

use crate::analysis::{MetricValues, evaluate};
use crate::background::Pixels;
use crate::design::expect::{DungeonMetric, Expectation, Expression, FIGURES};

/// By what dungeons are ordered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(in crate::tui) enum SeedOrder {
    /// Their seeds.
    #[default]
    Seed,
    /// A figure.
    Figure(DungeonMetric),
}

impl SeedOrder {
    /// How many there are.
    pub(super) const COUNT: usize = FIGURES.len() + 1;

    /// The one at a place of the list: the seed first, then the figures as the table has them, but for the first of
    /// it, which is most often the same for all.
    pub(super) fn at(place: usize) -> Self {
        match place % Self::COUNT {
            0 => Self::Seed,
            place => Self::Figure(FIGURES[place % FIGURES.len()].figure),
        }
    }

    /// Its place in the list.
    pub(super) const fn place(self) -> usize {
        match self {
            Self::Seed => 0,
            Self::Figure(DungeonMetric::Reachable) => FIGURES.len(),
            Self::Figure(figure) => figure as usize,
        }
    }

    /// The next in the ring, or the one before.
    pub(super) fn next(self, by: i32) -> Self {
        Self::at((self.place() as i32 + by).rem_euclid(Self::COUNT as i32) as usize)
    }

    /// What it is called.
    pub(in crate::tui) fn name(self) -> &'static str {
        match self {
            Self::Seed => "seed",
            Self::Figure(figure) => figure.info().name,
        }
    }
}

/// A dungeon as it looks by now.
#[derive(Debug)]
pub(super) struct SeedPicture {
    pub pixels: Pixels,
    pub is_grown: bool,
}

/// Everything that is known of some seeds.
#[derive(Debug, Default)]
pub(super) struct GalleryResults {
    /// The seeds that are wanted, in their order.
    pub seeds: BTreeSet<u64>,
    /// What those that were judged are like; `None` for those from which nothing grows.
    pub judged: BTreeMap<u64, Option<MetricValues>>,
    /// Pictures, all of one grain.
    pub shots: BTreeMap<u64, SeedPicture>,
}

/// What is let through, and in which order.
#[derive(Debug, Clone, Copy)]
pub(super) struct SeedSelection<'a> {
    pub by: SeedOrder,
    pub downward: bool,
    pub condition: Option<&'a Expression>,
    /// Only these.
    pub among: Option<&'a BTreeSet<u64>>,
}

impl GalleryResults {
    /// What is known of a dungeon that has grown.
    pub(super) fn gist(&self, seed: u64) -> Option<&MetricValues> {
        self.judged.get(&seed)?.as_ref()
    }

    /// The value of what dungeons are ordered by.
    pub(super) fn value(&self, seed: u64, by: SeedOrder) -> Option<f64> {
        match by {
            SeedOrder::Seed => Some(seed as f64),
            SeedOrder::Figure(figure) => self.gist(seed)?.number(figure),
        }
    }

    /// The seeds that are let through, in their order. Those without the value come last, and where a condition is set
    /// only what satisfies it is let through.
    pub(super) fn ordered(&self, wish: SeedSelection<'_>) -> Vec<u64> {
        let lets_through = |seed: &&u64| {
            let meets = |condition| {
                self.gist(**seed)
                    .is_some_and(|gist| evaluate(condition, gist, &()).holds())
            };
            wish.among.is_none_or(|among| among.contains(*seed)) && wish.condition.is_none_or(meets)
        };
        let mut order: Vec<u64> = self.seeds.iter().filter(lets_through).copied().collect();
        match wish.by {
            SeedOrder::Seed if wish.downward => order.reverse(),
            SeedOrder::Seed => {}
            by @ SeedOrder::Figure(_) => order.sort_by(|a, b| match (self.value(*a, by), self.value(*b, by)) {
                (Some(a), Some(b)) if wish.downward => b.total_cmp(&a),
                (Some(a), Some(b)) => a.total_cmp(&b),
                (a, b) => a.is_none().cmp(&b.is_none()),
            }),
        }
        order
    }

    /// The expectations on every dungeon that one of them does not meet, as they are written. What only a share of all
    /// must meet is no flaw of one.
    pub(super) fn failed<'a>(&self, seed: u64, expectations: &'a [(String, Expectation)]) -> Vec<&'a str> {
        let Some(gist) = self.gist(seed) else {
            return Vec::new();
        };
        let fails = |(_, expectation): &&(String, Expectation)| {
            expectation.condition.is_of_one()
                && expectation.share.is_none()
                && !evaluate(&expectation.condition, gist, &()).holds()
        };
        let failed = expectations.iter().filter(fails);
        failed.map(|(text, _)| text.as_str()).collect()
    }

    /// The values of a figure over all dungeons, in order.
    pub(super) fn values(&self, by: SeedOrder) -> Vec<f64> {
        let mut values: Vec<f64> = self.seeds.iter().filter_map(|seed| self.value(*seed, by)).collect();
        values.sort_unstable_by(f64::total_cmp);
        values
    }

    /// How many of the wanted seeds are judged.
    pub(super) fn done(&self) -> usize {
        self.judged.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ring_has_the_seed_and_every_figure() {
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
