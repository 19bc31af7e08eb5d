//! Splits of areas: the screen above the footer, rows at the foot, the columns of tabs.

use ratatui::layout::{Constraint, Layout, Rect};
use unicode_width::UnicodeWidthStr as _;

/// Returns the screen above the footer.
pub(in crate::tui) fn above_foot(screen: Rect) -> Rect {
    Rect {
        height: screen.height.saturating_sub(1),
        ..screen
    }
}

/// Splits an area into the part above, and `rows` rows at its bottom, or as many as it has.
pub(in crate::tui) fn with_foot(area: Rect, rows: u16) -> [Rect; 2] {
    Layout::vertical([Constraint::Fill(1), Constraint::Length(rows.min(area.height))]).areas(area)
}

/// Returns the positions of adjacent tabs: each with its first column and the column after its last.
pub(in crate::tui) fn tabs<T: Copy>(
    all: impl IntoIterator<Item = T>,
    mut from: u16,
    text: impl Fn(T) -> String,
) -> Vec<(T, u16, u16)> {
    let place = |tab| {
        let to = from + text(tab).width() as u16;
        (tab, std::mem::replace(&mut from, to), to)
    };
    all.into_iter().map(place).collect()
}
