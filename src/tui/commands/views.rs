//! Commands of the views.

use crate::tui::widget::list::ListStep;

/// A command of the views.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::tui) enum ViewCommand {
    /// Moves the focus back to the map.
    Back,
    /// Moves the selection.
    Select(ListStep),
    /// Follows the link of the selected line.
    Go,
    /// Follows the Builder under the cursor, or stops following.
    Follow,
    /// Goes to the next living Builder; to the previous one if negative.
    NextBuilder(i32),
    /// Inspects the square under the cursor, and lists the changes that would make it different.
    Why,
    /// Shows or hides a kind of event.
    Kind(EventKind),
    /// Shows every kind of event.
    AllKinds,
    /// Shows the events of the next generation only, or of all; back if negative.
    Generation(i32),
    /// Cycles the area of the events shown: everywhere, the map's window, near the cursor.
    Place,
}

/// A kind of event in the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::tui) enum EventKind {
    Birth,
    Death,
    /// Turns to a side.
    Turn,
    /// Tiles laid.
    Wall,
    /// Walls joined, and gaps left at a start.
    Join,
    /// Builders waking.
    Wake,
    /// Babies not born.
    Unborn,
}
