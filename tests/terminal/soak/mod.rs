//! Soaks: random keys, kills and damaged files, for any length of time. They do not run with `cargo test`:
//!
//! ```sh
//! WALLCRAWLER_SOAK=3600 cargo test --test terminal soak -- --ignored --nocapture
//! ```
//!
//! `WALLCRAWLER_SOAK` is the number of seconds for the keys (default 60). The kills and the damaged files have
//! `WALLCRAWLER_SOAK_KILLS` (20) and `WALLCRAWLER_SOAK_FILES` (300). `WALLCRAWLER_SOAK_SEED` selects other inputs.
//! A failure prints its seed and the last input.

mod files;
mod inert;
mod keys;
mod kills;

/// Returns a number from the environment.
fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name)
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(default)
}

/// A small random generator (`SplitMix64`): the inputs of a soak depend only on the seed.
struct Random(u64);

impl Random {
    /// Starts the stream of one soak.
    fn of(stream: u64) -> Self {
        Self(setting("WALLCRAWLER_SOAK_SEED", 1) ^ (stream << 32))
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// Returns a number below `end`.
    fn below(&mut self, end: usize) -> usize {
        (self.next() % end.max(1) as u64) as usize
    }

    /// Returns a number from `first` to `last`.
    fn between(&mut self, first: u16, last: u16) -> u16 {
        first + self.below(usize::from(last - first) + 1) as u16
    }

    fn pick<'a, T: ?Sized>(&mut self, of: &[&'a T]) -> &'a T {
        of[self.below(of.len())]
    }
}
