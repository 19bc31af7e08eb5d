//! Predictions of what living Builders will do next if nothing else changes first.

use super::TimeState;
use crate::engine::{BuilderId, Event, TurnPrediction};
use crate::recording::BuilderState;
use crate::tui::wording;

impl TimeState {
    /// Returns the iteration in which a Builder acts next: the current iteration, or the one after it if the Builder
    /// has already acted in the current one.
    fn next_iteration(&self, id: BuilderId) -> u32 {
        let clock = self.clock();
        let Some(recording) = self.recording() else {
            return clock.iteration;
        };
        // Builders do not act in the order of their births, so look for a turn of this Builder in the current
        // iteration. In every turn, the first event that is neither a birth nor a waking comes from the Builder whose
        // turn it is.
        let begin = recording.turn_of_iteration(clock.iteration);
        let (mut has_acted, mut seen) = (false, begin);
        recording.walk(begin, clock.turn, |turn, event| {
            if turn != seen && !matches!(event, Event::Born { .. } | Event::Woke { .. }) {
                seen = turn;
                has_acted |= event.builder() == id;
            }
        });
        // In a forged recording, the number of the current iteration may be `u32::MAX`.
        clock.iteration.saturating_add(has_acted.into())
    }

    /// Predicts the next turn of an awake Builder; returns `None` if the Builder is asleep, dead or unknown.
    pub(in crate::tui) fn prediction(&self, id: BuilderId) -> Option<TurnPrediction> {
        let frame = self.frame()?;
        let snapshot = frame.standing(id, self.next_iteration(id))?;
        Some(TurnPrediction::of(&self.run()?.design, frame.grid(), &snapshot))
    }

    /// Describes what an awake Builder will do in its next turn if nothing else changes first, or which iteration a
    /// sleeping Builder waits for; returns `None` if the Builder is dead.
    pub(in crate::tui) fn describe_next_turn(&self, id: BuilderId) -> Option<String> {
        let frame = self.frame()?;
        let builder = frame.builder(id)?;
        match builder.state {
            BuilderState::Dead(_) => None,
            BuilderState::Asleep => Some(format!("waits for iteration {}", builder.birth.wakes)),
            BuilderState::Awake => {
                let prediction = self.prediction(id)?;
                Some(wording::next_turn(&prediction, builder.birth.kind, frame.grid().size()))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{Clock, Observer as _};
    use crate::geometry::Forward;
    use crate::recording::{EventChunk, Recording};
    use crate::tui::fixture::spiral;

    #[test]
    fn the_greatest_iteration_of_a_forged_recording_has_no_next_one() {
        let (start, prelude, _) = spiral(1);
        let builder = BuilderId(0);
        let mut track = EventChunk::default();
        let mut clock = Clock {
            iteration: u32::MAX,
            ..Clock::default()
        };
        track.event(Event::Woke { builder });
        track.iteration_ended(clock);
        track.event(Event::Turned {
            builder,
            from: Forward::East,
            to: Forward::South,
            why: crate::engine::TurnReason::Free { rolled: 0, chance: 1 },
        });
        clock.turn += 1;
        track.turn_ended(clock);
        let mut state = TimeState::new(start.size());
        state.started(Recording::new(start, prelude));
        state.append(track);
        state.finished();
        state.seek(1);
        assert_eq!(state.clock().iteration, u32::MAX);
        assert_eq!(state.next_iteration(builder), u32::MAX);
    }
}
