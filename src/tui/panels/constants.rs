//! The Constants panel: six numbers for the whole dungeon.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use super::PanelsState;
use super::explanation;
use super::typing::TypingTarget;
use crate::design::{Constant, Entry, Field};
use crate::tui::editor::Editor;
use crate::tui::widget::list::{ListStep, VisibleRows};

/// Returns which rows of the list are visible; the list has one row for each of [`Constant::ALL`].
fn visible(panels: &PanelsState, area: Rect) -> VisibleRows {
    panels
        .constants
        .visible(explanation::part(area, Constant::ALL.len())[0], Constant::ALL.len(), 0)
}

/// Returns the selected constant as the target of typing.
pub(super) fn target(panels: &PanelsState) -> TypingTarget {
    let constant = Constant::ALL[panels.constants.selected(Constant::ALL.len())];
    TypingTarget::Number(Entry::Constants, constant.into())
}

/// Returns the area of the selected field's explanation.
pub(super) fn explanation_part(area: Rect) -> Rect {
    explanation::part(area, Constant::ALL.len())[1]
}

/// Moves the selection.
pub(super) fn step(panels: &mut PanelsState, editor: &Editor, step: ListStep) {
    let visible = visible(panels, super::inside(panels, editor));
    panels.constants.step(step, visible);
}

/// Selects the clicked field; returns whether it was already selected.
pub(super) fn click(panels: &mut PanelsState, area: Rect, at: Position) -> bool {
    let visible = visible(panels, area);
    let Some(row) = visible.row_at(at) else { return false };
    panels.constants.select(row, visible);
    row == visible.selected
}

/// Draws the fields, and below them the explanation of the selected field.
pub(super) fn draw(panels: &PanelsState, editor: &Editor, area: Rect, buf: &mut Buffer) {
    let visible = visible(panels, area);
    let selected = visible.selected;
    let field = |row: usize| Field::from(Constant::ALL[row]);
    for (row, line) in visible.rows() {
        super::line::field(
            panels,
            editor,
            Entry::Constants,
            field(row),
            selected == row,
            0,
            line,
            buf,
        );
    }
    visible.draw_scrollbar(editor.theme, buf);
    explanation::about(editor, Entry::Constants, field(selected), explanation_part(area), buf);
}
