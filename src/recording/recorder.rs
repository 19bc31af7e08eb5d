//! The observer of a growth on its own thread: records every event and counts statistics.

use std::sync::Arc;

use super::log::{Checkpoint, spacing};
use super::stats::GrowthStatsBuilder;
use super::{EventChunk, Recording};
use crate::design::ValidDesign;
use crate::engine::{Clock, Event, Growth, Observer, Options, WallRun};

/// An observer that records and counts a growth, in chunks that a [`Recording`] in another thread appends with little
/// work.
#[derive(Debug, Default)]
pub struct Recorder {
    chunk: EventChunk,
    tally: GrowthStatsBuilder,
    /// For a limited recording, the limit in bytes; `bytes` counts the bytes of events since the last checkpoint.
    limit: Option<usize>,
    bytes: usize,
}

impl Recorder {
    /// Creates a recorder for a recording with a limit in bytes: its chunks carry the checkpoints that the recording
    /// needs.
    pub fn limited(limit: usize) -> Self {
        Self {
            limit: Some(limit),
            ..Self::default()
        }
    }

    /// Creates a growth, its recorder, and the recording with a limit in bytes to which the recorder's chunks are
    /// appended.
    pub fn begin(design: &ValidDesign, options: Options, limit: usize) -> (Growth, Self, Recording) {
        let mut recorder = Self::limited(limit);
        let growth = Growth::new(design, options, &mut recorder);
        let recording = Recording::new(growth.grid().clone(), recorder.take()).limited(limit);
        (growth, recorder, recording)
    }

    /// Returns the number of events recorded since the last chunk was removed.
    pub const fn events(&self) -> u64 {
        self.chunk.events()
    }

    /// Removes and returns the finished turns of a growth; keeps the events of the unfinished turn.
    #[must_use]
    pub fn take_turns(&mut self, growth: &Growth) -> EventChunk {
        let mut chunk = self.chunk.take_turns();
        chunk.metrics = Some(self.tally.take());
        chunk.bytes.shrink_to_fit();
        self.bytes += chunk.bytes.len();
        if self.limit.is_some_and(|limit| self.bytes >= spacing(limit, growth)) {
            self.bytes = 0;
            chunk.checkpoint = Some(Arc::new(Checkpoint::new(growth, self.chunk.clone())));
        }
        chunk
    }

    /// Removes and returns everything: the events before the first turn, or the end of a run.
    #[must_use]
    pub fn take(&mut self) -> EventChunk {
        let mut chunk = std::mem::take(&mut self.chunk);
        chunk.metrics = Some(self.tally.take());
        chunk
    }
}

impl Observer for Recorder {
    #[expect(clippy::inline_always, reason = "measured, like `EventChunk`")]
    #[inline(always)]
    fn event(&mut self, event: Event) {
        self.chunk.event(event);
        self.tally.event(event);
    }

    #[inline]
    fn built(&mut self, run: WallRun) {
        self.chunk.built(run);
        self.tally.built(run);
    }

    #[inline]
    fn turn_ended(&mut self, clock: Clock) {
        self.chunk.turn_ended(clock);
    }

    fn iteration_ended(&mut self, clock: Clock) {
        self.chunk.iteration_ended(clock);
        self.tally.iteration_ended(clock);
    }
}
