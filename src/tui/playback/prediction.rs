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
        clock.iteration + u32::from(has_acted)
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
