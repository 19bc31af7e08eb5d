//! Commands of the tools that draw on the map.

use crate::geometry::Forward;

/// A command of drawing mode.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::tui) enum DrawCommand {
    /// Enters drawing mode.
    Begin,
    /// Cancels the gesture in progress, otherwise leaves drawing mode.
    Leave,
    Choose(Tool),
    /// Chooses the shape of strokes.
    Shape(StrokeShape),
    /// Applies the tool to the cursor's square, or finishes the gesture in progress.
    Apply,
    /// Starts a gesture at the cursor, or finishes the one in progress.
    Hold,
    /// Starts a gesture unless one is in progress, and moves the cursor.
    Extend(Forward),
    /// Moves the selection by one square; a room on the grid moves by one division.
    Nudge(Forward),
    /// Starts moving the selection.
    Grab,
    /// Removes the selected entries.
    Remove,
    /// Copies the selected entries.
    Copy,
    /// Starts placing the copied entries at the cursor.
    Paste,
    /// Copies the selected entries and starts placing the copies at the cursor.
    Duplicate,
    /// Opens the dialog to choose a drawing, which is imported at the cursor.
    ImportDrawing,
    /// Selects every entry.
    All,
    /// Selects the next of several entries under the cursor.
    Below,
    /// Moves the cursor by this number of sites of the selected room.
    Site(i32),
    /// Steps the code of a site by this number, or toggles the termination of a Crawler.
    Change(i32),
    /// Sets the next door width.
    Doors,
    /// Turns a Crawler to the right.
    Turn,
    /// Sets the next Direction of a Crawler.
    Redirect,
    /// Widens rooms by this number of squares.
    Widen(i32),
    /// Changes the `div` of rooms by this number.
    Divide(i32),
    /// Toggles between placing rooms on any square and on the grid.
    Free,
}

/// A drawing tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(in crate::tui) enum Tool {
    /// Selects and moves entries.
    #[default]
    Select,
    /// Places rooms.
    Room,
    /// Draws wall tiles.
    Wall,
    /// Draws open squares.
    Open,
    /// Draws columns.
    Column,
    /// Places first Crawlers.
    Crawler,
    /// Erases wall tiles, open squares, columns and first Crawlers.
    Erase,
}

/// The shape of a stroke between its first and its last square.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(in crate::tui) enum StrokeShape {
    /// Every square that the cursor passed.
    #[default]
    Pencil,
    /// The straight line between the two squares.
    Line,
    /// The edges of the rectangle between the two squares.
    Outline,
    /// The whole rectangle between the two squares.
    Filled,
}
