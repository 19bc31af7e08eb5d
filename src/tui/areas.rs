//! The areas of the panes on the screen.

use ratatui::layout::{Constraint, Layout, Margin, Rect};
use serde::{Deserialize, Serialize};

/// Number of rows of a pane that is folded to its tabs.
pub(super) const FOLDED: u16 = 2;

/// The pane sizes that the user has chosen, remembered for the next session.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct PaneSplit {
    /// Width in columns of the panes beside the map; `None` means a size that suits the dungeon.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub side: Option<u16>,
    /// Height in rows of the panes below the map; `None` means a size that suits the dungeon.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub below: Option<u16>,
    /// Whether the views are folded, so that only their tabs are visible.
    pub folded: bool,
}

/// The areas of all panes and bars on the screen. A pane that is not shown has an empty area.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Areas {
    /// The map with its border.
    pub map: Rect,
    /// The panel with its border and tabs.
    pub panel: Rect,
    /// The toolbar below the map, while the drawing tools are open.
    pub tools: Rect,
    /// The view pane with its border and tabs.
    pub view: Rect,
    /// A second view pane below the first, on tall screens.
    pub second: Rect,
    /// The timeline, with a border if it has more than two rows.
    pub time: Rect,
    /// The footer, which shows keys.
    pub foot: Rect,
}

/// Minimum number of screen rows at which the player shows a footer, and a timeline of two rows instead of one.
const FOOT_FROM: u16 = 8;

/// Returns the area of the map's legend within the view pane.
pub(super) fn legend(view: Rect) -> Rect {
    view.inner(Margin::new(2, 1))
}

impl Areas {
    /// Returns the areas of the player; those that do not fit are empty.
    pub(super) fn of_player(screen: Rect) -> Self {
        let foot = u16::from(screen.height >= FOOT_FROM);
        let rows = (1 + foot).min(screen.height.saturating_sub(1));
        let [map, time, foot] =
            Layout::vertical([Constraint::Min(0), Constraint::Length(rows), Constraint::Length(foot)]).areas(screen);
        Self {
            map,
            time,
            foot,
            ..Self::default()
        }
    }
}
