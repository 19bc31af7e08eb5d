//! Streams of random numbers, identified by keys. A key yields the same numbers on every platform and in every build.
//!
//! Each Builder has its own [`Stream`], made from a [`Key`] that depends on the seed and the Builder's ancestry, so
//! that the draws of one Builder never shift those of another. The generator is Xoshiro256++ from the crate rand, which
//! is portable. The results of rand's range and shuffle helpers can change between releases, so this module does not
//! use them: it derives the few kinds of draws that the rules need from the generator's raw output.

use rand::Rng as _;
use rand::SeedableRng as _;
use rand::rngs::Xoshiro256PlusPlus;
use serde::{Deserialize, Serialize};

/// The key of a stream: the hash of a seed and of a path of child numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Key(u64);

impl Key {
    /// Returns the root key of a dungeon's streams.
    pub const fn new(seed: u64) -> Self {
        Self(mix(seed))
    }

    /// Returns the key of the child with this number.
    #[must_use]
    pub const fn child(self, number: u64) -> Self {
        Self(mix(self.0 ^ mix(number.wrapping_add(0x9e37_79b9_7f4a_7c15))))
    }
}

/// Applies the output function of SplitMix64 to a number. It mixes the bits so that every input bit affects every
/// output bit.
pub const fn mix(value: u64) -> u64 {
    let z = value.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// A stream of random numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stream(Xoshiro256PlusPlus);

impl Stream {
    /// Creates the stream of a key, positioned at its first number.
    #[inline]
    pub fn new(key: Key) -> Self {
        Self(Xoshiro256PlusPlus::seed_from_u64(key.0))
    }

    /// Creates a placeholder stream for a Builder that draws no numbers. Unlike [`new`](Self::new), this function
    /// computes nothing.
    #[inline]
    pub(super) fn unused() -> Self {
        Self(Xoshiro256PlusPlus::from_seed([1; 32]))
    }

    /// Returns a uniformly distributed number from 0 to `n` − 1; 0 when `n` is 0.
    #[inline]
    pub fn below(&mut self, n: u32) -> u32 {
        if n == 0 {
            return 0;
        }
        // Lemire's method: the high word of the product is uniformly distributed if products whose low word is below
        // the threshold are rejected and drawn again.
        let threshold = n.wrapping_neg() % n;
        loop {
            let product = (self.0.next_u64() >> 32) * u64::from(n);
            if product as u32 >= threshold {
                return (product >> 32) as u32;
            }
        }
    }

    /// Rolls a hundred-sided die and returns 0 to 99. An event with a chance of p percent happens if the roll is below
    /// p.
    #[inline]
    pub fn percent(&mut self) -> u8 {
        self.below(100) as u8
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_never_change() {
        let mut stream = Stream::new(Key::new(1).child(2).child(3));
        let rolls: Vec<u8> = (0..8).map(|_| stream.percent()).collect();
        assert_eq!(rolls, GOLDEN);
    }

    const GOLDEN: [u8; 8] = [66, 96, 89, 48, 79, 57, 38, 72];

    #[test]
    fn rolls_are_even() {
        let mut stream = Stream::new(Key::new(7));
        let mut seen = [0_u32; 10];
        for _ in 0..100_000 {
            seen[stream.below(10) as usize] += 1;
        }
        let chi: f64 = seen.iter().map(|n| (f64::from(*n) - 10_000.0).powi(2) / 10_000.0).sum();
        assert!(chi < 33.7, "chi-square {chi} with 9 degrees of freedom: p < 0.0001");
        assert_eq!(stream.below(0), 0);
        assert_eq!(stream.below(1), 0);
    }

    #[test]
    fn children_differ_from_each_other_and_from_their_parent() {
        let key = Key::new(5);
        let mut keys = vec![key, key.child(0), key.child(1), key.child(0).child(0), Key::new(6)];
        keys.sort_unstable();
        keys.dedup();
        assert_eq!(keys.len(), 5);
    }
}
