//! What a mouse event means: where the left button was pressed.

use crossterm::event::{MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::Position;

/// Returns the place of a mouse event.
pub(in crate::tui) const fn position(mouse: MouseEvent) -> Position {
    Position::new(mouse.column, mouse.row)
}

/// Returns where the left button was pressed; `None` for another event.
pub(in crate::tui) fn click(mouse: MouseEvent) -> Option<Position> {
    (mouse.kind == MouseEventKind::Down(MouseButton::Left)).then_some(position(mouse))
}
