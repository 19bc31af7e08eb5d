//! Splits areas: separates the footer from the screen, and rows at the top or bottom from the rest of an area.

use ratatui::layout::{Constraint, Layout, Rect};

/// Returns the screen above the footer.
pub(in crate::tui) fn above_foot(screen: Rect) -> Rect {
    Rect {
        height: screen.height.saturating_sub(1),
        ..screen
    }
}

/// Splits an area into `rows` rows at its top, or as many rows as it has, and the area below them.
pub(in crate::tui) fn with_head(area: Rect, rows: u16) -> [Rect; 2] {
    Layout::vertical([Constraint::Length(rows.min(area.height)), Constraint::Fill(1)]).areas(area)
}

/// Splits an area into `rows` rows at its bottom, or as many rows as it has, and the area above them, which is returned
/// first.
pub(in crate::tui) fn with_foot(area: Rect, rows: u16) -> [Rect; 2] {
    Layout::vertical([Constraint::Fill(1), Constraint::Length(rows.min(area.height))]).areas(area)
}
