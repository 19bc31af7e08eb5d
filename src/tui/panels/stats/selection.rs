//! The selection of the stats table.

use crate::design::{Entry, GENERATIONS, Stat};
use crate::tui::panels::PanelsState;
use crate::tui::panels::typing::TypingTarget;
use crate::tui::widget::list::ListState;

/// The selection in the table. The rows are the parameters in the order of [`Stat::ALL`]; the columns are generations.
#[derive(Debug, Default)]
pub(in crate::tui::panels) struct StatsState {
    pub(super) rows: ListState,
    pub(super) columns: ListState,
}

impl StatsState {
    /// Selects a field.
    pub(in crate::tui::panels) const fn select(&mut self, generation: usize, row: usize) {
        self.columns.select_row(generation);
        self.rows.select_row(row);
    }

    /// Returns the selected generation.
    pub(super) fn generation(&self) -> usize {
        self.columns.selected(GENERATIONS)
    }

    /// Returns the selected parameter.
    pub(super) fn stat(&self) -> Stat {
        Stat::ALL[self.rows.selected(Stat::ALL.len())]
    }
}

/// Returns the field under the cursor.
pub(in crate::tui::panels) fn target(panels: &PanelsState) -> TypingTarget {
    let state = &panels.stats;
    TypingTarget::Number(Entry::Generation(state.generation()), state.stat().into())
}

/// Returns the generation under the cursor.
pub(super) fn generation(panels: &PanelsState) -> usize {
    panels.stats.generation()
}
