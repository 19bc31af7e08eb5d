//! The designs of a sweep, with the level of each factor in each design.

use serde::{Deserialize, Serialize};

use crate::design::{Design, Rule, RuleChange, RuleTarget};
use crate::engine::random::{Key, Stream};

/// Numbers of a design that are changed together, and the changes that a sweep tries.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Factor {
    /// Numbers that the factor changes.
    pub target: RuleTarget,
    /// Changes that the sweep tries, at least one.
    pub levels: Vec<RuleChange>,
}

impl Factor {
    /// Returns whether every level sets a value, rather than adding to or multiplying the value in the design.
    pub fn has_values(&self) -> bool {
        self.levels.iter().all(|level| matches!(level, RuleChange::To(_)))
    }

    /// Returns the rule that applies a level; `None` if there is no such level.
    pub fn rule(&self, level: usize) -> Option<Rule> {
        let change = *self.levels.get(level)?;
        let target = self.target.clone();
        Some(Rule { target, change })
    }

    /// Returns each level as a number, for statistics: the value that it gives to the factor's numbers in `base`. If a
    /// level would give them different values, returns the number that each level adds or multiplies by; but returns
    /// `None` if the levels are of different kinds (add, multiply, set a value), because such levels cannot be
    /// compared.
    pub fn numbers(&self, base: &Design) -> Option<Vec<f64>> {
        let values = self.target.values(base).unwrap_or_default();
        let value = |level: &RuleChange| {
            let mut changed = values.iter().map(|(.., before)| level.of(*before));
            let first = changed.next()?;
            changed.all(|other| other == first).then_some(first as f64)
        };
        let first = self.levels.first().map(std::mem::discriminant);
        let is_mixed = self.levels.iter().any(|one| Some(std::mem::discriminant(one)) != first);
        let change = |level: &RuleChange| match level {
            RuleChange::To(number) | RuleChange::Add(number) => f64::from(*number),
            RuleChange::Times(factor) => *factor,
        };
        let values: Option<Vec<f64>> = self.levels.iter().map(value).collect();
        values.or_else(|| (!is_mixed).then(|| self.levels.iter().map(change).collect()))
    }
}

/// The designs of a sweep, in order.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SweepPlan {
    factors: Vec<Factor>,
    designs: u64,
    /// Level of each factor in each design of a sample; `None` for all combinations.
    sample: Option<Vec<Vec<u32>>>,
}

impl SweepPlan {
    /// Creates the plan of every combination of the levels; the last factor varies fastest. Returns `None` if there are
    /// more combinations than a [`u64`] can count.
    pub fn grid(factors: Vec<Factor>) -> Option<Self> {
        let mut counts = factors.iter().map(|factor| factor.levels.len() as u64);
        let designs = counts.try_fold(1_u64, u64::checked_mul)?;
        Some(Self {
            factors,
            designs,
            sample: None,
        })
    }

    /// Creates the plan of a Latin hypercube sample. For each factor, the range of its level indices is divided into
    /// `designs` equal parts, which may be narrower or wider than a level. Each part is used in exactly one design; the
    /// parts of different factors are combined at random. The same seed creates the same plan on every platform.
    pub fn latin_hypercube(factors: Vec<Factor>, designs: u32, seed: u64) -> Self {
        let of_factor = |(number, factor): (u64, &Factor)| {
            let mut stream = Stream::new(Key::new(seed).child(number));
            let mut parts: Vec<u32> = (0..designs).collect();
            for last in (1..designs).rev() {
                parts.swap(last as usize, stream.below(last + 1) as usize);
            }
            // `place` is random within the part. Otherwise, a part that contains several levels would always use the
            // first of them.
            let level = |part: u32| {
                let place = (u128::from(part) << 32) + u128::from(stream.below(u32::MAX));
                (place * factor.levels.len() as u128 / (u128::from(designs) << 32)) as u32
            };
            parts.into_iter().map(level).collect()
        };
        let sample = (0..).zip(&factors).map(of_factor).collect();
        Self {
            factors,
            designs: designs.into(),
            sample: Some(sample),
        }
    }

    /// Returns the factors, in the order in which [`Self::levels`] lists their levels.
    pub fn factors(&self) -> &[Factor] {
        &self.factors
    }

    /// Returns the number of designs.
    pub const fn designs(&self) -> u64 {
        self.designs
    }

    /// Returns the index of the level that each factor has in a design.
    pub fn levels(&self, design: u64) -> Vec<usize> {
        if let Some(sample) = &self.sample {
            let level = |levels: &Vec<u32>| levels.get(design as usize).map_or(0, |level| *level as usize);
            return sample.iter().map(level).collect();
        }
        let mut rest = design;
        let mut levels: Vec<usize> = (self.factors.iter().rev())
            .map(|factor| {
                let count = factor.levels.len().max(1) as u64;
                let level = rest % count;
                rest /= count;
                level as usize
            })
            .collect();
        levels.reverse();
        levels
    }

    /// Returns the rules that create a design of the plan, one for each factor.
    pub fn rules(&self, design: u64) -> Vec<Rule> {
        let levels = self.factors.iter().zip(self.levels(design));
        levels.filter_map(|(factor, level)| factor.rule(level)).collect()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    fn factor(levels: usize) -> Factor {
        Factor {
            target: RuleTarget::read("MaxAge").unwrap(),
            levels: (0..levels as i32).map(RuleChange::To).collect(),
        }
    }

    #[test]
    fn a_grid_has_every_combination_once() {
        let plan = SweepPlan::grid(vec![factor(2), factor(3), factor(1)]).unwrap();
        let designs: Vec<_> = (0..plan.designs()).map(|design| plan.levels(design)).collect();
        let expected = [[0, 0, 0], [0, 1, 0], [0, 2, 0], [1, 0, 0], [1, 1, 0], [1, 2, 0]];
        assert_eq!(designs, expected);
        assert_eq!(plan.rules(5)[1].to_string(), "MaxAge -> 2");
        assert_eq!(SweepPlan::grid(Vec::new()).unwrap().designs(), 1);
        assert_eq!(SweepPlan::grid(vec![factor(100_000); 4]), None);
    }

    #[test]
    fn a_latin_hypercube_never_changes() {
        let plan = SweepPlan::latin_hypercube(vec![factor(100), factor(3)], 6, 1);
        let designs: Vec<_> = (0..6).map(|design| plan.levels(design)).collect();
        assert_eq!(designs, GOLDEN);
    }

    const GOLDEN: [[usize; 2]; 6] = [[45, 0], [91, 1], [32, 0], [8, 2], [80, 1], [59, 2]];

    #[test]
    fn a_level_is_the_value_that_it_gives_or_else_its_change() {
        let (add, times) = (RuleChange::Add, RuleChange::Times);
        let mut base = Design::default();
        base.constants.join_dist = 8;
        base.character.generations[0].max_age = 4;
        base.character.generations[1].max_age = 5;
        let of = |target: &str, levels: &[RuleChange]| {
            let (target, levels) = (RuleTarget::read(target).unwrap(), levels.to_vec());
            Factor { target, levels }.numbers(&base)
        };
        let mixed = [add(12), times(0.5), add(-6), RuleChange::To(3)];
        assert_eq!(of("joinDist", &mixed), Some(vec![20.0, 4.0, 2.0, 3.0]));
        assert_eq!(of("MaxAge in 0", &mixed[..2]), Some(vec![16.0, 2.0]));
        // Generations 0 and 1 differ, so that a change does not give them one value.
        assert_eq!(of("MaxAge in 0-1", &[times(0.5), times(1.5)]), Some(vec![0.5, 1.5]));
        assert_eq!(of("MaxAge in 0-1", &[add(2), add(-1)]), Some(vec![2.0, -1.0]));
        assert_eq!(of("MaxAge in 0-1", &[RuleChange::To(7)]), Some(vec![7.0]));
        assert_eq!(of("MaxAge in 0-1", &mixed), None);
        assert!(factor(3).has_values());
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]
        #[test]
        fn a_latin_hypercube_covers_the_levels_of_each_factor_evenly(
            counts in prop::collection::vec(1_usize..40, 1..4), designs in 1_u32..120, seed: u64,
        ) {
            let factors = counts.iter().map(|count| factor(*count)).collect();
            let plan = SweepPlan::latin_hypercube(factors, designs, seed);
            prop_assert_eq!(plan.designs(), u64::from(designs));
            for (at, &count) in counts.iter().enumerate() {
                let levels: Vec<usize> = (0..plan.designs()).map(|design| plan.levels(design)[at]).collect();
                prop_assert!(levels.iter().all(|level| *level < count));
                let mut sorted = levels.clone();
                sorted.sort_unstable();
                let all = designs as usize;
                for (part, level) in sorted.into_iter().enumerate() {
                    let range = part * count / all..=((part + 1) * count - 1) / all;
                    prop_assert!(range.contains(&level), "{} is not in part {} of {}", level, part, all);
                }
                if all.is_multiple_of(count) {
                    let times = |level| levels.iter().filter(|one| **one == level).count();
                    prop_assert!((0..count).all(|level| times(level) == all / count));
                }
            }
        }

        #[test]
        fn the_designs_of_a_grid_differ(counts in prop::collection::vec(1_usize..6, 0..4)) {
            let plan = SweepPlan::grid(counts.iter().map(|count| factor(*count)).collect()).unwrap();
            let designs: BTreeSet<_> = (0..plan.designs()).map(|design| plan.levels(design)).collect();
            prop_assert_eq!(designs.len(), counts.iter().product::<usize>());
        }
    }
}
