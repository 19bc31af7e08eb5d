//! The dice: all random draws for a map, from one stream of the engine's random numbers.
//!
//! Statements and scripts draw from the same dice in sequence, so that a seed determines a map. All draws are computed
//! from integers and do not depend on the platform or the build.

use crate::engine::random::{Key, Stream};

/// A random stream with the kinds of draws that level files use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dice(Stream);

impl Dice {
    /// Creates dice that draw from the start of the random stream for `key`.
    pub fn new(key: Key) -> Self {
        Self(Stream::new(key))
    }

    /// Returns a number from 0 to `n` − 1; 0 when `n` is 0.
    pub fn below(&mut self, n: u32) -> u32 {
        self.0.below(n)
    }

    /// Returns an index into a list of length `len`; 0 when it is empty.
    pub fn index(&mut self, len: usize) -> usize {
        self.below(u32::try_from(len).unwrap_or(u32::MAX)) as usize
    }

    /// Returns a number from `a` to `b`, both included; `a` when `b` is less than `a`.
    pub fn range(&mut self, a: i32, b: i32) -> i32 {
        if b <= a {
            return a;
        }
        let span = i64::from(b) - i64::from(a) + 1;
        match u32::try_from(span) {
            Ok(span) => a.wrapping_add_unsigned(self.below(span)),
            // More values than `below` can count: two draws of 16 bits each.
            Err(_) => (self.below(1 << 16) << 16 | self.below(1 << 16)) as i32,
        }
    }

    /// Returns true with a probability of 1 in `n`; always when `n` is 1 or less.
    pub fn one_chance_in(&mut self, n: i32) -> bool {
        self.below(u32::try_from(n).unwrap_or(0)) == 0
    }

    /// Returns true with a probability of one half.
    pub fn coinflip(&mut self) -> bool {
        self.below(2) == 0
    }

    /// Returns true with a probability of `x` in `y`: never when `x` is 0 or less, and always when `x` is positive and
    /// at least `y`.
    pub fn x_in_y(&mut self, x: i32, y: i32) -> bool {
        match (u32::try_from(x), u32::try_from(y)) {
            (Ok(0) | Err(_), _) => false,
            (Ok(x), Ok(y)) if x < y => self.below(y) < x,
            _ => true,
        }
    }

    /// Returns a number from 0 (included) to 1 (excluded), in steps of 2⁻³².
    pub fn real(&mut self) -> f64 {
        let bits = self.below(1 << 16) << 16 | self.below(1 << 16);
        f64::from(bits) / 4_294_967_296.0
    }

    /// Shuffles a list so that all orders are equally likely.
    pub fn shuffle<T>(&mut self, list: &mut [T]) {
        for last in (1..list.len()).rev() {
            list.swap(last, self.index(last + 1));
        }
    }

    /// Returns an index with a probability proportional to its weight; `None` when no weight is above 0.
    pub fn weighted(&mut self, weights: &[u32]) -> Option<usize> {
        self.pick(weights, |weight| *weight)
    }

    /// Returns an index into `list` as [`Self::weighted`] does, but calls `weight` to compute each item's weight.
    pub fn pick<T>(&mut self, list: &[T], weight: impl Fn(&T) -> u32) -> Option<usize> {
        let total = list.iter().fold(0_u32, |sum, thing| sum.saturating_add(weight(thing)));
        if total == 0 {
            return None;
        }
        let mut roll = self.below(total);
        list.iter().position(|thing| {
            let weight = weight(thing);
            let hit = roll < weight;
            roll = roll.saturating_sub(weight);
            hit
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dice(seed: u64) -> Dice {
        Dice::new(Key::new(seed))
    }

    #[test]
    fn ranges_include_their_ends_and_nothing_beyond() {
        let mut dice = dice(1);
        let mut seen = [0; 5];
        for _ in 0..1000 {
            seen[(dice.range(-2, 2) + 2) as usize] += 1;
        }
        assert!(seen.iter().all(|n| *n > 150), "{seen:?}");
        assert_eq!(dice.range(7, 3), 7);
        assert_eq!(dice.range(3, 3), 3);
        dice.range(i32::MIN, i32::MAX);
        assert!((i32::MIN..=i32::MIN + 1).contains(&dice.range(i32::MIN, i32::MIN + 1)));
    }

    #[test]
    fn chances_of_0_and_1_are_certain() {
        let mut dice = dice(2);
        for _ in 0..100 {
            assert!(dice.one_chance_in(1) && dice.one_chance_in(0) && dice.one_chance_in(-3));
            assert!(!dice.x_in_y(0, 10) && !dice.x_in_y(-1, 10) && !dice.x_in_y(0, 0));
            assert!(dice.x_in_y(10, 10) && dice.x_in_y(11, 10) && dice.x_in_y(1, 0));
            assert!((0.0..1.0).contains(&dice.real()));
        }
    }

    #[test]
    fn draws_follow_the_weights() {
        let mut dice = dice(3);
        let mut seen = [0_u32; 4];
        for _ in 0..40_000 {
            if let Some(at) = dice.weighted(&[1, 0, 2, 5]) {
                seen[at] += 1;
            }
        }
        let expected = [5000.0, 0.0, 10_000.0, 25_000.0];
        let chi: f64 = [0, 2, 3]
            .map(|at| (f64::from(seen[at]) - expected[at]).powi(2) / expected[at])
            .iter()
            .sum();
        assert!(
            chi < 13.8,
            "chi-square {chi} with 2 degrees of freedom, one in a thousand"
        );
        assert_eq!(seen[1], 0);
        assert_eq!(dice.weighted(&[]), None);
        assert_eq!(dice.weighted(&[0, 0]), None);
        assert!(dice.weighted(&[u32::MAX, u32::MAX]).is_some());
    }

    #[test]
    fn all_orders_are_equally_likely() {
        let mut dice = dice(4);
        let mut seen = std::collections::BTreeMap::new();
        for _ in 0..24_000 {
            let mut list = [0, 1, 2, 3];
            dice.shuffle(&mut list);
            *seen.entry(list).or_insert(0_u32) += 1;
        }
        assert_eq!(seen.len(), 24);
        let chi: f64 = seen.values().map(|n| (f64::from(*n) - 1000.0).powi(2) / 1000.0).sum();
        assert!(
            chi < 49.7,
            "chi-square {chi} with 23 degrees of freedom, one in a thousand"
        );
    }
}
