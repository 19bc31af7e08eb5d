//! The observer trait: how callers receive the events of a growth.

use super::decision::Decision;
use super::event::{BuilderId, Clock, Event, WallRun};
use super::random::Key;

/// A receiver of the events of a growth. The observer `()` ignores all events at no cost.
pub trait Observer {
    /// Whether the observer receives decisions. If false, growth does not compute the data of decisions.
    const DECISIONS: bool = false;

    /// Whether the observer receives the births of babies. If false, growth chooses a baby's Direction and opening only
    /// when the baby needs them. This saves time, because two out of three babies die before that. Must be true if
    /// [`DECISIONS`](Observer::DECISIONS) is true.
    const BIRTHS: bool = true;

    /// Handles an event.
    fn event(&mut self, event: Event);

    /// Handles the key of a Builder's stream of random numbers. Called immediately before the Builder's birth.
    fn named(&mut self, builder: BuilderId, key: Key) {
        let _ = (builder, key);
    }

    /// Handles a decision, before the events that result from it. Called only if
    /// [`DECISIONS`](Observer::DECISIONS) is `true`.
    fn decided(&mut self, builder: BuilderId, decision: Decision) {
        let _ = (builder, decision);
    }

    /// Handles a run of wall. The default implementation passes each event of the run to [`Self::event`].
    fn built(&mut self, run: WallRun) {
        run.events().for_each(|event| self.event(event));
    }

    /// Handles the end of a turn; `clock.turn` already includes it.
    fn turn_ended(&mut self, clock: Clock) {
        let _ = clock;
    }

    /// Handles the end of an iteration. `clock.iteration` is the next iteration in which a Builder acts: iterations in
    /// which all Builders sleep are skipped. If all Builders are dead, it is the number after that of the last iteration.
    fn iteration_ended(&mut self, clock: Clock) {
        let _ = clock;
    }
}

impl Observer for () {
    const BIRTHS: bool = false;

    fn event(&mut self, _: Event) {}

    fn built(&mut self, _: WallRun) {}
}
