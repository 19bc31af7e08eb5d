//! Splits areas: separates the footer from the screen, and rows at the top or bottom from the rest of an area.

use ratatui::layout::{Constraint, Layout, Rect};

/// Returns the screen above the footer.
pub(in crate::tui) fn above_foot(screen: Rect) -> Rect {
    Rect {
        height: screen.height.saturating_sub(1),
        ..screen
    }
}

/// Splits an area in two: an upper part of `rows` rows, and a lower part with all other rows. If the area has too few
/// rows, the upper part is the whole area.
pub(in crate::tui) fn with_head(area: Rect, rows: u16) -> [Rect; 2] {
    Layout::vertical([Constraint::Length(rows.min(area.height)), Constraint::Fill(1)]).areas(area)
}

/// Splits an area in two: an upper part, and a lower part of `rows` rows. If the area has too few rows, the lower part
/// is the whole area.
pub(in crate::tui) fn with_foot(area: Rect, rows: u16) -> [Rect; 2] {
    Layout::vertical([Constraint::Fill(1), Constraint::Length(rows.min(area.height))]).areas(area)
}
