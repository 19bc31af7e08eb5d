//! What listens to a growth on its own thread: every event, and the figures that come of them.

use super::census::Tally;
use super::{Figures, Track};
use crate::engine::{Clock, Event, Observer, Run};

/// Records a growth and counts it, in parts that a [`Recording`](super::Recording) in another thread takes in with
/// little work.
#[derive(Debug, Default)]
pub struct Recorder {
    track: Track,
    tally: Tally,
}

impl Recorder {
    /// How many events were recorded since the last part was taken.
    pub const fn events(&self) -> u64 {
        self.track.events()
    }

    /// Takes the turns that are over, and keeps the events of the turn under way.
    #[must_use]
    pub fn take_turns(&mut self) -> Track {
        let figures = self.tally.take();
        self.track.take_turns().counted(figures)
    }

    /// Takes everything: what came before the first turn, or the end of a run.
    #[must_use]
    pub fn take(&mut self) -> Track {
        let figures = self.tally.take();
        std::mem::take(&mut self.track).counted(figures)
    }
}

impl Track {
    fn counted(mut self, figures: Figures) -> Self {
        self.figures = Some(figures);
        self
    }
}

impl Observer for Recorder {
    #[expect(clippy::inline_always, reason = "as for a track")]
    #[inline(always)]
    fn event(&mut self, event: Event) {
        self.track.event(event);
        self.tally.event(event);
    }

    #[inline]
    fn built(&mut self, run: Run) {
        self.track.built(run);
        self.tally.built(run);
    }

    #[inline]
    fn turn_ended(&mut self, clock: Clock) {
        self.track.turn_ended(clock);
    }

    fn iteration_ended(&mut self, clock: Clock) {
        self.track.iteration_ended(clock);
        self.tally.iteration_ended(clock);
    }
}
