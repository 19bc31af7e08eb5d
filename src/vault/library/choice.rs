//! Draws one of several maps at random, and computes the exact probability of each map.

use super::MapId;
use crate::vault::dice::Dice;
use crate::vault::spec::CERTAIN;

/// Candidate maps with their chances and weights.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Choice {
    /// Chances, rolled for in this order before any map is drawn by weight.
    rolls: Vec<Roll>,
    /// Maps drawn by weight if no roll succeeds.
    others: Vec<(MapId, u32)>,
}

/// Maps that share one chance.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Roll {
    /// Tag that the maps have in common; `None` for a single map.
    tag: Option<String>,
    /// Chance out of 10,000.
    chance: u32,
    maps: Vec<(MapId, u32)>,
}

impl Choice {
    /// Adds a map that is drawn by weight.
    pub fn add(&mut self, map: MapId, weight: u32) {
        self.others.push((map, weight));
    }

    /// Adds a map that is drawn with a chance, given out of 10,000. Maps added with the same tag form a group; the
    /// chance of the first map in a group applies to the whole group, and `weight` decides between its maps.
    pub fn add_chance(&mut self, map: MapId, chance: u32, weight: u32, tag: Option<&String>) {
        let joined = |roll: &&mut Roll| tag.is_some() && roll.tag.as_ref() == tag;
        match self.rolls.iter_mut().find(joined) {
            Some(roll) => roll.maps.push((map, weight)),
            None => self.rolls.push(Roll {
                tag: tag.cloned(),
                chance,
                maps: vec![(map, weight)],
            }),
        }
    }

    /// Rolls for the chances in order until a roll succeeds, and then draws a map by weight: one of the maps with that
    /// chance or, if no roll succeeds, one of the maps without a chance. Returns `None` if none of these maps has a
    /// weight above 0. The drawn map may have the tag `dummy`, which also means "no map"; the caller has to check this.
    pub fn draw(&self, dice: &mut Dice) -> Option<MapId> {
        let success = self.rolls.iter().find(|roll| dice.below(CERTAIN) < roll.chance);
        let maps = success.map_or(&self.others, |roll| &roll.maps);
        let weights: Vec<u32> = maps.iter().map(|(_, weight)| *weight).collect();
        Some(maps[dice.weighted(&weights)?].0)
    }

    /// Rolls independently for every map and every group with a chance. Returns each map whose roll succeeds and, for
    /// each group whose roll succeeds, one map drawn by weight. The results are in the order in which the maps and
    /// groups were added. Maps added with [`add`](Self::add) are never drawn.
    pub fn draw_each(&self, dice: &mut Dice) -> Vec<MapId> {
        let mut drawn = Vec::new();
        for roll in &self.rolls {
            if dice.below(CERTAIN) < roll.chance {
                let weights: Vec<u32> = roll.maps.iter().map(|(_, weight)| *weight).collect();
                drawn.extend(dice.weighted(&weights).map(|at| roll.maps[at].0));
            }
        }
        drawn
    }

    /// Returns, for each map with a chance, the probability from 0 to 1 that [`draw_each`](Self::draw_each) returns it.
    pub fn odds_of_each(&self) -> Vec<(MapId, f64)> {
        let mut odds = Vec::new();
        for roll in &self.rolls {
            let chance = f64::from(roll.chance.min(CERTAIN)) / f64::from(CERTAIN);
            weigh(&roll.maps, chance, &mut odds);
        }
        odds
    }

    /// Returns, for each map, the probability from 0 to 1 that [`draw`](Self::draw) returns it; maps with a chance come
    /// first. If the sum is below 1, the remainder is the probability that no map is drawn.
    pub fn odds(&self) -> Vec<(MapId, f64)> {
        let mut odds = Vec::new();
        let mut left = 1.0;
        for roll in &self.rolls {
            let chance = f64::from(roll.chance.min(CERTAIN)) / f64::from(CERTAIN);
            weigh(&roll.maps, left * chance, &mut odds);
            left *= 1.0 - chance;
        }
        weigh(&self.others, left, &mut odds);
        odds
    }
}

/// Divides the probability `share` among maps in proportion to their weights, and appends the results to `odds`.
fn weigh(maps: &[(MapId, u32)], share: f64, odds: &mut Vec<(MapId, f64)>) {
    let total: f64 = maps.iter().map(|(_, weight)| f64::from(*weight)).sum();
    if total > 0.0 {
        odds.extend(
            maps.iter()
                .map(|(map, weight)| (*map, share * f64::from(*weight) / total)),
        );
    } else {
        odds.extend(maps.iter().map(|(map, _)| (*map, 0.0)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::random::Key;

    /// Draws `draws` times and returns the chi-square statistic of the counts against [`Choice::odds`], and the number
    /// of possible outcomes.
    fn chi_square(choice: &Choice, draws: u32, seed: u64) -> (f64, usize) {
        let mut dice = Dice::new(Key::new(seed));
        let odds = choice.odds();
        let mut counts = vec![0_u32; odds.len() + 1];
        for _ in 0..draws {
            let place = |map| odds.iter().position(|(id, _)| *id == map).expect("one with odds");
            counts[choice.draw(&mut dice).map_or(odds.len(), place)] += 1;
        }
        let nothing = 1.0 - odds.iter().map(|(_, p)| p).sum::<f64>();
        let expected = odds
            .iter()
            .map(|(_, p)| *p)
            .chain([nothing])
            .map(|p| p * f64::from(draws));
        let mut possible = 0;
        let chi = counts.iter().zip(expected).fold(0.0, |chi, (count, expected)| {
            if expected < 1e-6 {
                assert_eq!(*count, 0, "a map without a chance was drawn");
                return chi;
            }
            possible += 1;
            chi + (f64::from(*count) - expected).powi(2) / expected
        });
        (chi, possible)
    }

    fn id(index: u32) -> MapId {
        MapId(index)
    }

    #[test]
    fn draws_follow_the_odds() {
        let mut weighed = Choice::default();
        for (index, weight) in [10, 20, 5, 0, 65].into_iter().enumerate() {
            weighed.add(id(index as u32), weight);
        }
        let mut rolled = weighed.clone();
        let tag = "chance_x".to_owned();
        rolled.add_chance(id(10), 3000, 10, None);
        rolled.add_chance(id(11), 2000, 30, Some(&tag));
        rolled.add_chance(id(12), 9999, 10, Some(&tag));
        rolled.add_chance(id(13), 5000, 0, None);
        let mut only = Choice::default();
        only.add_chance(id(1), 2500, 10, None);
        // Upper 0.1% quantiles of chi-square for 1 to 7 degrees of freedom.
        let critical = [10.83, 13.82, 16.27, 18.47, 20.52, 22.46, 24.32];
        for (seed, (choice, outcomes)) in [(weighed, 4), (rolled, 8), (only, 2)].into_iter().enumerate() {
            let (chi, possible) = chi_square(&choice, 10_000, seed as u64);
            assert_eq!(possible, outcomes);
            assert!(chi < critical[possible - 2], "chi-square {chi} for {possible} outcomes");
        }
    }

    #[test]
    fn each_chance_is_rolled_independently() {
        let mut choice = Choice::default();
        let tag = "chance_x".to_owned();
        choice.add(id(9), 10);
        choice.add_chance(id(1), 5000, 10, None);
        choice.add_chance(id(2), 2500, 10, Some(&tag));
        choice.add_chance(id(3), 2500, 30, Some(&tag));
        choice.add_chance(id(4), CERTAIN, 10, None);
        let odds = choice.odds_of_each();
        assert_eq!(odds, [(id(1), 0.5), (id(2), 0.0625), (id(3), 0.1875), (id(4), 1.0)]);
        let mut dice = Dice::new(Key::new(5));
        let mut counts = [0_u32; 10];
        for _ in 0..10_000 {
            for map in choice.draw_each(&mut dice) {
                counts[map.index()] += 1;
            }
        }
        for (map, share) in odds {
            let (found, expected) = (f64::from(counts[map.index()]), share * 10_000.0);
            // Four standard deviations.
            let allowed = 4.0 * (expected * (1.0 - share)).sqrt();
            assert!(
                (found - expected).abs() <= allowed,
                "{map:?}: {found} instead of {expected}"
            );
        }
        assert_eq!(counts[9], 0);
    }

    #[test]
    fn odds_follow_the_formula() {
        let mut choice = Choice::default();
        assert!(choice.odds().is_empty());
        assert_eq!(choice.draw(&mut Dice::new(Key::new(1))), None);
        choice.add(id(3), 10);
        choice.add(id(4), 30);
        choice.add_chance(id(1), 5000, 10, None);
        choice.add_chance(id(2), 5000, 10, None);
        assert_eq!(
            choice.odds(),
            [(id(1), 0.5), (id(2), 0.25), (id(3), 0.0625), (id(4), 0.1875)]
        );
        let mut certain = Choice::default();
        certain.add_chance(id(1), CERTAIN, 1, None);
        certain.add(id(2), 10);
        assert_eq!(certain.odds(), [(id(1), 1.0), (id(2), 0.0)]);
        assert_eq!(certain.draw(&mut Dice::new(Key::new(1))), Some(id(1)));
    }
}
