//! Grows variants of a design from many seeds and measures their dungeons in parallel; results arrive in order.
//!
//! Commands use all cores; the background jobs of the designer use all cores but one.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use super::job::Cancelled;
use super::pool;
use crate::analysis::{MetricParts, Metrics, MetricsRunner};
use crate::document::SeededDesign;
use crate::engine::Options;

/// Maximum number of designs that each thread keeps ready to grow.
const KEPT: usize = 256;

/// Designs to grow from many seeds, and the number of threads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeedSurvey {
    /// The designs.
    pub variants: Vec<SeededDesign>,
    /// Engine options with which the dungeons grow.
    pub options: Options,
    /// Number of threads.
    pub threads: usize,
    /// Parts of the metrics to compute. The constructors select the standard parts and those that the designs'
    /// expectations need.
    pub parts: MetricParts,
}

impl SeedSurvey {
    /// Creates a survey of one design. The survey runs on all cores.
    pub fn new(seeded: SeededDesign, options: Options) -> Self {
        Self {
            parts: MetricParts::of_design(seeded.design()),
            variants: vec![seeded],
            options,
            threads: pool::threads(),
        }
    }

    /// Creates a survey of several designs. The survey runs on all cores but one.
    pub(super) fn in_background(variants: Vec<SeededDesign>, options: Options) -> Self {
        let parts = variants.iter().map(|variant| MetricParts::of_design(variant.design()));
        Self {
            parts: parts.fold(MetricParts::STANDARD, MetricParts::and),
            variants,
            options,
            threads: pool::background_threads(),
        }
    }

    /// Grows `count` dungeons of the first design. `seed` maps the number of a dungeon (from 0) to its seed. `measure`
    /// extracts a result from the dungeon's metrics, on the thread that grew the dungeon. `receive` is called in order
    /// with each seed and its result, or `None` if the design cannot be grown from that seed. The survey ends early if
    /// `receive` returns `Break`.
    pub fn run<T: Send>(
        &self,
        count: u64,
        seed: impl Fn(u64) -> u64 + Sync,
        measure: impl Fn(u64, &Metrics) -> T + Sync,
        mut receive: impl FnMut(u64, Option<T>) -> ControlFlow<()>,
    ) {
        // An error only means that `receive` returned `Break`.
        let _ = self.run_while(
            count,
            || true,
            |number| (0, seed(number)),
            measure,
            |number, result| match receive(seed(number), result) {
                ControlFlow::Continue(()) => Ok(()),
                ControlFlow::Break(()) => Err(Cancelled),
            },
        );
    }

    /// Grows `count` dungeons like [`Self::run`], but of designs that are created when they are needed. `dungeon` maps
    /// the number of a dungeon to a pair: the index of its design, and its seed. `variant` creates the design with a
    /// given index. `receive` is called with the number of each dungeon instead of its seed. Each thread keeps at most
    /// 256 designs at a time, so that memory does not limit the total number of designs.
    pub fn run_variants<T: Send>(
        &self,
        count: u64,
        dungeon: impl Fn(u64) -> (usize, u64) + Sync,
        variant: impl Fn(usize) -> SeededDesign + Sync,
        measure: impl Fn(u64, &Metrics) -> T + Sync,
        mut receive: impl FnMut(u64, Option<T>) -> ControlFlow<()>,
    ) {
        // An error only means that `receive` returned `Break`.
        let _ = self.grow(
            count,
            || true,
            dungeon,
            variant,
            measure,
            |number, result| match receive(number, result) {
                ControlFlow::Continue(()) => Ok(()),
                ControlFlow::Break(()) => Err(Cancelled),
            },
        );
    }

    /// Grows `count` dungeons like [`Self::run`], but each dungeon may be of any variant. `dungeon` maps the number of
    /// a dungeon to a pair: the index of its variant, and its seed. `receive` is called with the number of each dungeon
    /// instead of its seed. The survey ends early when `is_wanted` returns false.
    ///
    /// # Errors
    ///
    /// Returns [`Cancelled`] if the survey ended early.
    pub(super) fn run_while<T: Send>(
        &self,
        count: u64,
        is_wanted: impl Fn() -> bool + Sync,
        dungeon: impl Fn(u64) -> (usize, u64) + Sync,
        measure: impl Fn(u64, &Metrics) -> T + Sync,
        receive: impl FnMut(u64, Option<T>) -> Result<(), Cancelled>,
    ) -> Result<(), Cancelled> {
        let variant = |variant: usize| self.variants[variant].clone();
        self.grow(count, is_wanted, dungeon, variant, measure, receive)
    }

    fn grow<T: Send>(
        &self,
        count: u64,
        is_wanted: impl Fn() -> bool + Sync,
        dungeon: impl Fn(u64) -> (usize, u64) + Sync,
        variant: impl Fn(usize) -> SeededDesign + Sync,
        measure: impl Fn(u64, &Metrics) -> T + Sync,
        receive: impl FnMut(u64, Option<T>) -> Result<(), Cancelled>,
    ) -> Result<(), Cancelled> {
        pool::in_order(
            count,
            self.threads,
            || (BTreeMap::new(), MetricsRunner::with_parts(self.parts), None),
            |(designs, runner, last), number| {
                if !is_wanted() {
                    return Err(Cancelled);
                }
                let (index, seed) = dungeon(number);
                if *last != Some(index) {
                    runner.forget();
                    *last = Some(index);
                }
                if designs.len() >= KEPT && !designs.contains_key(&index) {
                    designs.pop_first();
                }
                let seeds = designs.entry(index).or_insert_with(|| variant(index).seeds());
                let Some(design) = seeds.design(seed) else {
                    return Ok(None);
                };
                let metrics = runner
                    .grow_and_measure_while(&design, self.options, &is_wanted)
                    .ok_or(Cancelled)?;
                Ok(Some(measure(seed, &metrics)))
            },
            receive,
        )
    }
}

/// Returns all pairs of a variant index and a seed index, in rounds. Each round covers 8 seeds for every variant, so
/// that a thread rarely switches to another variant, and all variants progress at the same rate.
pub(super) fn rounds(variants: usize, seeds: usize) -> Vec<(usize, usize)> {
    let mut order = Vec::with_capacity(variants * seeds);
    for first in (0..seeds).step_by(8) {
        for variant in 0..variants {
            order.extend((first..seeds.min(first + 8)).map(|seed| (variant, seed)));
        }
    }
    order
}

/// A limit on how often a job sends replies.
#[derive(Debug)]
pub(super) struct Pace {
    last: Instant,
    pause: Duration,
}

impl Pace {
    /// Begins the first pause. `pause` is the length of every pause.
    pub(super) fn new(pause: Duration) -> Self {
        Self {
            last: Instant::now(),
            pause,
        }
    }

    /// Returns whether the current pause is over; if so, begins the next pause.
    pub(super) fn is_due(&mut self) -> bool {
        let is_due = self.last.elapsed() >= self.pause;
        if is_due {
            self.last = Instant::now();
        }
        is_due
    }
}
