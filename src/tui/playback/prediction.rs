//! Predictions of what living Builders will do next if nothing else changes first.

use super::TimeState;
use crate::engine::{BuilderId, Event, TurnPrediction};
use crate::recording::BuilderState;
use crate::tui::wording;

impl TimeState {
    /// Returns the iteration in which a Builder acts next: the current one, unless the Builder has acted in it.
    fn next_iteration(&self, id: BuilderId) -> u32 {
        let clock = self.clock();
        let Some(recording) = self.recording() else {
            return clock.iteration;
        };
        // Builders act in the order of their places, not of their births; a Builder has acted if one of the turns was
        // its own. The first event of a turn that is neither a birth nor a waking is its Builder's.
        let begin = recording.turn_of_iteration(clock.iteration);
        let (mut has_acted, mut seen) = (false, begin);
        recording.walk(begin, clock.turn, |turn, event| {
            if turn != seen && !matches!(event, Event::Born { .. } | Event::Woke { .. }) {
                seen = turn;
                has_acted |= event.builder() == id;
            }
        });
        clock.iteration + u32::from(has_acted)
    }

    /// Predicts the next turn of an awake Builder; returns `None` for all others.
    pub(in crate::tui) fn prediction(&self, id: BuilderId) -> Option<TurnPrediction> {
        let frame = self.frame()?;
        let snapshot = frame.standing(id, self.next_iteration(id))?;
        Some(TurnPrediction::of(&self.run()?.design, frame.grid(), &snapshot))
    }

    /// Describes what a living Builder will do in its next turn if nothing else changes first, or what it waits for.
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
