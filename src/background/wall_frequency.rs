//! Wall frequencies: grows a design from many seeds and counts how often each square is a wall.
//!
//! All threads count into one [`WallFrequency`], so that the counts take four bytes per square regardless of the number
//! of threads. Each reply contains a copy of the counts; replies are sent a few times per second.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use super::job::{Cancelled, Job, JobCx};
use super::pool;
use super::survey::Pace;
use crate::analysis::{WallFrequency, WallFrequencySummary};
use crate::document::SeededDesign;
use crate::engine::{Growth, Options};
use crate::geometry::Size;

/// Shortest time between two replies.
const PAUSE: Duration = Duration::from_millis(150);

/// Number of seeds for the smallest and for the largest dungeons.
const SEEDS: [u64; 2] = [400, 16];

/// Number of squares to grow in total; one thread grows this many in about ten seconds. The limits in [`SEEDS`] take
/// precedence: small dungeons stay below this total, and the largest exceed it.
const SQUARES: u64 = 150_000_000;

/// Number of squares of the largest dungeon for which walls are counted: the counts take four bytes per square, and
/// there are three copies of them at the same time.
const MOST_SQUARES: u64 = 16_000_000;

/// A request to count over many seeds how often each square is a wall.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WallFrequencyRequest {
    /// The design. The background job grows it from seeds 0, 1, 2 and so on; other callers of [`Self::count`] choose
    /// their own seeds.
    pub seeded: SeededDesign,
    /// Engine options with which the dungeons grow.
    pub options: Options,
}

/// Wall frequencies of the dungeons counted so far.
#[derive(Debug)]
pub struct WallFrequencyReply {
    /// Counts so far.
    pub frequency: Arc<WallFrequency>,
    /// Summary of the counts.
    pub summary: WallFrequencySummary,
    /// Whether all seeds have been counted.
    pub is_done: bool,
}

impl WallFrequencyRequest {
    /// Returns the number of seeds from which a design of this size is grown: 400 for small dungeons, fewer for large
    /// ones, and 0 above 16 million squares.
    pub fn seeds(size: Size) -> u64 {
        if size.squares() > MOST_SQUARES {
            return 0;
        }
        (SQUARES / size.squares().max(1)).clamp(SEEDS[1], SEEDS[0])
    }

    /// Grows `count` dungeons on `threads` threads and counts their walls. `seed` maps the number of a dungeon (from 0)
    /// to its seed. After each dungeon, `receive` is called with the counts so far. The count ends early when
    /// `is_wanted` returns false.
    ///
    /// # Errors
    ///
    /// Returns [`Cancelled`] if the count ended early.
    pub fn count(
        &self,
        threads: usize,
        count: u64,
        seed: impl Fn(u64) -> u64 + Sync,
        is_wanted: impl Fn() -> bool + Sync,
        mut receive: impl FnMut(&Mutex<WallFrequency>) -> Result<(), Cancelled>,
    ) -> Result<WallFrequency, Cancelled> {
        let counts = Mutex::new(WallFrequency::new(self.seeded.design().layout.size));
        pool::in_order(
            count,
            threads,
            || self.seeded.seeds(),
            |seeds, number| {
                let Some(design) = seeds.design(seed(number)) else {
                    return Ok(());
                };
                let mut growth = Growth::new(&design, self.options, &mut ());
                if !growth.finish_while(&mut (), &is_wanted) {
                    return Err(Cancelled);
                }
                counts.lock().unwrap_or_else(PoisonError::into_inner).add(growth.grid());
                Ok(())
            },
            |_, ()| receive(&counts),
        )?;
        Ok(counts.into_inner().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Job for WallFrequencyRequest {
    const NAME: &'static str = "wall frequency";
    type Memory = ();
    type Reply = WallFrequencyReply;

    fn run(self, (): &mut (), cx: &JobCx<'_, WallFrequencyReply>) -> Result<(), Cancelled> {
        let size = self.seeded.design().layout.size;
        let seeds = Self::seeds(size);
        if seeds == 0 {
            return Ok(());
        }
        let report = |counts: &Mutex<WallFrequency>, is_done: bool| {
            let frequency = Arc::new(counts.lock().unwrap_or_else(PoisonError::into_inner).clone());
            let summary = frequency.tally();
            cx.send(WallFrequencyReply {
                frequency,
                summary,
                is_done,
            })
        };
        let mut pace = Pace::new(PAUSE);
        let counts = self.count(
            pool::background_threads(),
            seeds,
            |number| number,
            || !cx.is_cancelled(),
            |counts| if pace.is_due() { report(counts, false) } else { Ok(()) },
        )?;
        report(&Mutex::new(counts), true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::background::job::{Ticket, run_inline};
    use crate::presets::Preset;

    #[test]
    fn the_count_agrees_with_growing_every_seed() {
        let design = Preset::find("first-steps").unwrap().design();
        let size = design.layout.size;
        let seeded = SeededDesign::new(Arc::new(design), std::path::PathBuf::new(), None);
        let options = Options::default();
        let request = WallFrequencyRequest {
            seeded: seeded.clone(),
            options,
        };
        let replies = run_inline(request, &mut (), &Ticket::new());
        let counted: Vec<u16> = replies.iter().map(|reply| reply.frequency.dungeons()).collect();
        assert!(counted.is_sorted());
        let last = replies.last().unwrap();
        assert_eq!(last.summary, last.frequency.tally());
        assert!(last.is_done && u64::from(last.frequency.dungeons()) == WallFrequencyRequest::seeds(size));
        let mut expected = WallFrequency::new(size);
        let mut all = seeded.seeds();
        for seed in 0..WallFrequencyRequest::seeds(size) {
            let mut growth = Growth::new(&all.design(seed).unwrap(), Options::default(), &mut ());
            growth.finish(&mut ());
            expected.add(growth.grid());
        }
        assert!(*last.frequency == expected, "the counts differ");
    }

    #[test]
    fn fewer_seeds_are_counted_for_larger_dungeons() {
        assert_eq!(WallFrequencyRequest::seeds(Size::new(100, 100)), 400);
        assert_eq!(WallFrequencyRequest::seeds(Size::new(1000, 1000)), 150);
        assert_eq!(WallFrequencyRequest::seeds(Size::new(4000, 4000)), 16);
        assert_eq!(WallFrequencyRequest::seeds(Size::new(20_000, 8000)), 0);
    }
}
