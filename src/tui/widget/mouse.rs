//! Interpretation of mouse events: where a button was pressed, and which way the wheel was turned.

use crossterm::event::{MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::Position;

/// Returns the screen position of a mouse event.
pub(in crate::tui) const fn position(mouse: MouseEvent) -> Position {
    Position::new(mouse.column, mouse.row)
}

/// Returns where the left button was pressed; `None` for any other event.
pub(in crate::tui) fn click(mouse: MouseEvent) -> Option<Position> {
    (mouse.kind == MouseEventKind::Down(MouseButton::Left)).then_some(position(mouse))
}

/// Returns 1 if the wheel was turned down, -1 if it was turned up, and 0 for any other event.
pub(in crate::tui) const fn wheel(mouse: MouseEvent) -> i32 {
    match mouse.kind {
        MouseEventKind::ScrollDown => 1,
        MouseEventKind::ScrollUp => -1,
        _ => 0,
    }
}
