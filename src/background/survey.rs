//! The dungeons of one design from many seeds, grown and judged on all cores.

use std::ops::ControlFlow;

use super::parallel;
use crate::analysis::{Metrics, MetricsRunner};
use crate::document::SeededDesign;
use crate::engine::Options;

/// What is grown, and with how many threads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeedSurvey {
    /// The design.
    pub prospect: SeededDesign,
    /// Choices of the runs.
    pub options: Options,
    /// How many threads grow.
    pub threads: usize,
}

impl SeedSurvey {
    /// A survey of a design on all cores.
    pub fn new(prospect: SeededDesign, options: Options) -> Self {
        Self {
            prospect,
            options,
            threads: parallel::threads(),
        }
    }

    /// Grows `count` dungeons, the seed of each by its number. `look` makes of a dungeon's figures what is wanted, in the
    /// thread that grew it; `take` gets the seeds and what was made of them in order, `None` for a seed whose design
    /// cannot be grown, until it breaks off.
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
