//! Observers, which receive the events of a growth.

use super::decision::Decision;
use super::event::{BuilderId, Clock, Event, WallRun};
use super::random::Key;

/// A receiver of the events of a growth. `()` ignores them at no cost.
pub trait Observer {
    /// Whether the observer receives decisions. If not, growth does not even compute their numbers.
    const DECISIONS: bool = false;

    /// Whether the observer receives the births of babies. If not, growth draws a baby's Direction and opening only when
    /// the baby needs them; two of three babies die before that. An observer of decisions must receive births.
    const BIRTHS: bool = true;

    /// Handles an event.
    fn event(&mut self, event: Event);

    /// Handles the name of a Builder's stream of random numbers, right before its birth.
    fn named(&mut self, builder: BuilderId, key: Key) {
        let _ = (builder, key);
    }

    /// Handles a decision; the events that follow from it come after it. Called only if
    /// [`DECISIONS`](Observer::DECISIONS) is `true`.
    fn decided(&mut self, builder: BuilderId, decision: Decision) {
        let _ = (builder, decision);
    }

    /// Handles a run of wall. The default passes each of its events to [`Self::event`].
    fn built(&mut self, run: WallRun) {
        run.events().for_each(|event| self.event(event));
    }

    /// Handles the end of a turn, which `clock.turn` counts.
    fn turn_ended(&mut self, clock: Clock) {
        let _ = clock;
    }

    /// Handles the end of an iteration; `clock.iteration` is the next iteration (after a jump over sleep, the
    /// iteration in which a Builder wakes).
    fn iteration_ended(&mut self, clock: Clock) {
        let _ = clock;
    }
}

impl Observer for () {
    const BIRTHS: bool = false;

    fn event(&mut self, _: Event) {}

    fn built(&mut self, _: WallRun) {}
}
