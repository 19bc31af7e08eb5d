//! The areas of the panes on the screen.

use ratatui::layout::Rect;

/// The areas of all parts of the screen; a part that is not shown has an empty area.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Areas {
    /// The map with its border.
    pub map: Rect,
    /// The panel with its border and tabs.
    pub panel: Rect,
    /// The toolbar below the map, while the tools draw on it.
    pub tools: Rect,
    /// The view with its border and tabs.
    pub view: Rect,
    /// The timeline, with a border if it has more than two rows.
    pub time: Rect,
    /// The footer.
    pub foot: Rect,
}
