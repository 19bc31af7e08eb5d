//! Survey of the dungeons of one design over many seeds, grown and measured on all cores.

use std::ops::ControlFlow;

use super::parallel;
use crate::analysis::{Metrics, MetricsRunner};
use crate::document::SeededDesign;
use crate::engine::Options;

/// A design to grow over many seeds, and the number of threads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeedSurvey {
    /// The design.
    pub prospect: SeededDesign,
    /// Engine options of the growths.
    pub options: Options,
    /// Number of threads.
    pub threads: usize,
}

impl SeedSurvey {
    /// Creates a survey of a design on all cores.
    pub fn new(prospect: SeededDesign, options: Options) -> Self {
        Self {
            prospect,
            options,
            threads: parallel::threads(),
        }
    }

    /// Grows `count` dungeons, using `seed` to get each one's seed from its number. `look` extracts a result from a
    /// dungeon's metrics, on the thread that grew it; `take` receives seeds and results in order, with `None` for a
    /// seed whose design cannot be grown, until it breaks.
    pub fn run<T: Send>(
        &self,
        count: u64,
        seed: impl Fn(u64) -> u64 + Sync,
        look: impl Fn(u64, &Metrics) -> T + Sync,
        mut take: impl FnMut(u64, Option<T>) -> ControlFlow<()>,
    ) {
        parallel::in_order(
            count,
            self.threads,
            || (self.prospect.seeds(), MetricsRunner::new()),
            |(seeds, nursery), number| {
                let seed = seed(number);
                let design = seeds.design(seed)?;
                Some(look(seed, &nursery.raise(&design, self.options)))
            },
            |number, outcome| take(seed(number), outcome),
        );
    }
}
