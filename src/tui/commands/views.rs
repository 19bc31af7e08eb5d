//! Commands of the views.

use crate::tui::widget::list::ListStep;

/// A command of the views.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::tui) enum ViewCommand {
    /// Moves the focus back to the map.
    Back,
    /// Moves the selection among the lines.
    Select(ListStep),
    /// Follows the link of the selected line.
    Go,
    /// Follows the Builder under the cursor, or stops following.
    Follow,
    /// Moves the cursor to the next living Builder, or to the previous one if the number is negative.
    NextBuilder(i32),
    /// Inspects the square under the cursor, and lists changes to the run, each of which alone would make the square
    /// different.
    Why,
    /// Shows or hides events of this kind.
    Kind(EventKind),
    /// Shows every kind of event.
    AllKinds,
    /// Shows only the events of the next generation, or of the previous one if the number is negative; beyond the last
    /// or first generation, shows the events of all generations.
    Generation(i32),
    /// Selects the area whose events are shown: the whole dungeon, the part of it that the map shows, or the squares
    /// near the cursor.
    Place,
}

/// A kind of event in the list of events.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::tui) enum EventKind {
    Birth,
    Death,
    /// A Builder turns left or right.
    Turn,
    /// A Builder lays tiles.
    Wall,
    /// A Builder joins a wall, or leaves a gap at the start of its own wall.
    Join,
    /// A Builder wakes.
    Wake,
    /// A baby is not born, because too many Builders are alive.
    Unborn,
}
