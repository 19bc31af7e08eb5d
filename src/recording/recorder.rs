//! An observer for a growth that runs in a thread of its own: records every event and gathers statistics.

use std::sync::Arc;

use super::log::{Checkpoint, spacing};
use super::stats::GrowthStatsBuilder;
use super::{EventChunk, Recording};
use crate::design::ValidDesign;
use crate::engine::{Clock, Event, Growth, Observer, Options, WallRun};

/// An observer that records the events of a growth and gathers statistics. It produces chunks that a [`Recording`] in
/// another thread can append with little work.
#[derive(Debug, Default)]
pub struct Recorder {
    chunk: EventChunk,
    tally: GrowthStatsBuilder,
    /// Limit of the recording in bytes. The higher the limit, the more events lie between two checkpoints. If it is
    /// `None`, no checkpoints are made.
    limit: Option<usize>,
    /// Number of bytes of events since the last checkpoint.
    bytes: usize,
}

impl Recorder {
    /// Creates a recorder for a recording with a limit in bytes. The recorder adds checkpoints to its chunks, so that
    /// the recording can regrow dropped events.
    pub fn limited(limit: usize) -> Self {
        Self {
            limit: Some(limit),
            ..Self::default()
        }
    }

    /// Creates a growth, its recorder, and a recording with a limit in bytes. Pass the recorder as observer when
    /// advancing the growth, and append the recorder's chunks to the recording.
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

    /// Removes and returns the turns that have finished; keeps the events of the unfinished turn. `growth` must be the
    /// growth that the recorder observes.
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

    /// Removes and returns all events, including those of the unfinished turn. Use it for the events before the first
    /// turn and at the end of the growth.
    #[must_use]
    pub fn take(&mut self) -> EventChunk {
        let mut chunk = std::mem::take(&mut self.chunk);
        chunk.metrics = Some(self.tally.take());
        chunk
    }
}

impl Observer for Recorder {
    #[expect(
        clippy::inline_always,
        reason = "measured: callers pass a known kind of event, so inlining removes the match"
    )]
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
