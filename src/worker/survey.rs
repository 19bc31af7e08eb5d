//! The dungeons of one design from many seeds, grown and judged on all cores.

use std::ops::ControlFlow;

use super::crew;
use crate::analysis::{Figures, Nursery};
use crate::document::Prospect;
use crate::engine::Options;

/// What is grown, and with how many threads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Survey {
    /// The design.
    pub prospect: Prospect,
    /// Choices of the runs.
    pub options: Options,
    /// How many threads grow.
    pub threads: usize,
}

impl Survey {
    /// A survey of a design on all cores.
    pub fn new(prospect: Prospect, options: Options) -> Self {
        Self {
            prospect,
            options,
            threads: crew::threads(),
        }
    }

    /// Grows `count` dungeons, the seed of each by its number. `look` makes of a dungeon's figures what is wanted, in the
    /// thread that grew it; `take` gets the seeds and what was made of them in order, `None` for a seed whose design
    /// cannot be grown, until it breaks off.
    pub fn run<T: Send>(
        &self,
        count: u64,
        seed: impl Fn(u64) -> u64 + Sync,
        look: impl Fn(u64, &Figures) -> T + Sync,
        mut take: impl FnMut(u64, Option<T>) -> ControlFlow<()>,
    ) {
        crew::in_order(
            count,
            self.threads,
            || (self.prospect.seeds(), Nursery::new()),
            |(seeds, nursery), number| {
                let seed = seed(number);
                let design = seeds.design(seed)?;
                Some(look(seed, &nursery.raise(&design, self.options)))
            },
            |number, outcome| take(seed(number), outcome),
        );
    }
}
