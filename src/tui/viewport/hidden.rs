//! The set of hidden generations.

use crate::engine::Mark;

/// The set of generations that are not drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(in crate::tui) struct HiddenGenerations(u128);

impl HiddenGenerations {
    /// The empty set: every generation is drawn.
    pub(in crate::tui) const NONE: Self = Self(0);

    /// Returns whether every generation is drawn.
    pub(in crate::tui) const fn is_none(self) -> bool {
        self.0 == 0
    }

    const fn bit(generation: u8) -> u128 {
        // `Mark::LAST` is below 128, the number of bits.
        1 << (if generation < Mark::LAST {
            generation
        } else {
            Mark::LAST
        })
    }

    /// Returns whether a generation is hidden. Generations from [`Mark::LAST`] on are hidden together.
    pub(in crate::tui) const fn contains(self, generation: u8) -> bool {
        self.0 & Self::bit(generation) != 0
    }

    /// Hides a generation, or shows it again.
    pub(in crate::tui) const fn toggle(&mut self, generation: u8) {
        self.0 ^= Self::bit(generation);
    }

    /// Hides all generations except this one; if they are hidden already, shows every generation again.
    pub(in crate::tui) const fn toggle_alone(&mut self, generation: u8) {
        let others = !Self::bit(generation);
        self.0 = if self.0 == others { 0 } else { others };
    }

    /// Describes the set in a few words for the map's border; `None` when all are drawn.
    pub(in crate::tui) fn description(self) -> Option<String> {
        let one = |bits: u128| bits.trailing_zeros();
        match (self.0.count_ones(), self.0.count_zeros()) {
            (0, _) => None,
            (1, _) => Some(format!("generation {} hidden", one(self.0))),
            (_, 0) => Some("every generation hidden".into()),
            (_, 1) => Some(format!("generation {} only", one(!self.0))),
            // `toggle_alone` also hides generations that do not exist, so the text counts those that are shown.
            (hidden, shown) if shown < hidden => Some(format!("{shown} generations only")),
            (hidden, _) => Some(format!("{hidden} generations hidden")),
        }
    }
}
