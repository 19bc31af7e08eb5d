//! Growth of one design from many seeds.

use super::{Growth, Options};
use crate::design::ValidDesign;
use crate::engine::event::Clock;
use crate::engine::grid::Grid;
use crate::engine::intervention::Interventions;
use crate::engine::observer::Observer;
use crate::engine::stage_one;

/// Grows one design from one seed after another. If stage one does not depend on the seed, it runs only once, and the
/// memory of the last growth is reused.
#[derive(Debug, Default)]
pub struct SeedGrower {
    last: Option<Growth>,
    /// The dungeon after stage one, if it is the same for every seed.
    stage_one: Option<Grid>,
}

impl SeedGrower {
    /// Starts the growth of a design, as [`Growth::new`] does. Reuses the result of stage one from the previous growth
    /// if the designs differ only in their seeds and stage one draws no random numbers.
    pub fn start(&mut self, design: &ValidDesign, options: Options, observer: &mut impl Observer) -> &mut Growth {
        let is_same = |last: &Growth| {
            let before = &last.rules.design;
            last.rules.options == options
                && before.layout == design.layout
                && before.pieces() == design.pieces()
                && before.constants == design.constants
                && before.character == design.character
        };
        let last = self.last.take().filter(is_same);
        let growth = if let (Some(mut last), Some(stage_one)) = (last, &self.stage_one) {
            last.rules.design = design.clone();
            last.rules.interventions = Interventions::default();
            last.grid.clone_from(stage_one);
            last.clock = Clock::default();
            last.population.clear();
            last.begin(observer);
            last
        } else {
            let growth = Growth::new(design, options, observer);
            self.stage_one = (!stage_one::is_random(design)).then(|| growth.grid.clone());
            growth
        };
        self.last.insert(growth)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::presets::Preset;

    #[test]
    fn a_reused_grower_grows_each_seed_like_a_new_one() {
        let mut grower = SeedGrower::default();
        for preset in Preset::all() {
            let mut design = preset.design();
            design.layout.vaults.clear();
            let mut random = design.clone();
            for crawler in &mut random.layout.crawlers {
                (crawler.delay, crawler.termination) = (10, 3);
            }
            for design in [design, random] {
                let design = design.validate(None).design.unwrap();
                for seed in [3, 4, 3, 99] {
                    let design = design.with_seed(seed);
                    let again = grower.start(&design, Options::default(), &mut ());
                    let mut alone = Growth::new(&design, Options::default(), &mut ());
                    // Leaves one growth unfinished: the next start must not depend on it.
                    let turns = if seed == 4 { 50 } else { u64::MAX };
                    assert_eq!(again.advance(turns, &mut ()), alone.advance(turns, &mut ()));
                    assert_eq!(again.grid(), alone.grid(), "{} {seed}", preset.name);
                    assert_eq!((again.clock(), again.born()), (alone.clock(), alone.born()));
                    assert_eq!(again.starts(), alone.starts());
                }
            }
        }
    }
}
