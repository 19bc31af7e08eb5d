//! Commands of the tools that draw on the map.

use crate::geometry::Forward;

/// A command of drawing mode. An entry is a part of the layout, such as a room, a wall tile or a first Crawler. A
/// gesture is an edit in progress that follows the cursor, such as a stroke, a new room or a move of the selection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::tui) enum DrawCommand {
    /// Enters drawing mode.
    Begin,
    /// Cancels the gesture in progress; without one, leaves drawing mode.
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
    /// Moves the selection by one square; a room on the grid moves by one part of the grid (see [`Self::Divide`]).
    Nudge(Forward),
    /// Starts moving the selection.
    Grab,
    /// Removes the selected entries.
    Remove,
    /// Copies the selected entries for pasting.
    Copy,
    /// Starts placing, at the cursor, the entries that were copied last.
    Paste,
    /// Copies the selected entries and starts placing the copies at the cursor.
    Duplicate,
    /// Opens the dialog to choose a drawing, which is imported at the cursor.
    ImportDrawing,
    /// Selects every entry.
    All,
    /// Selects the next entry, if several are under the cursor.
    Below,
    /// Moves the cursor by this number of sites along the wall of the selected room. A site is a position in the wall
    /// that can have a door or a Crawler.
    Site(i32),
    /// Changes the content of the site under the cursor (nothing, a door or a Crawler) by this number of steps. If the
    /// cursor is not on a site, switches the termination of the selected first Crawlers between open and closed.
    Change(i32),
    /// Changes the width of the center doors of the selected rooms or, if no room is selected, of new rooms. If the
    /// selection is a single room and the cursor is on one of its corners, changes the width of its corner doors
    /// instead.
    Doors,
    /// Turns the selected first Crawlers, or the Crawler that the user is placing, by 90° to the right.
    Turn,
    /// Changes the selected first Crawlers, or the Crawler that the user is placing, to the next Direction.
    Redirect,
    /// Widens the selected rooms, or the room that the user is placing, by this number of squares.
    Widen(i32),
    /// Changes the `div` of the selected rooms, or of the room that the user is placing, by this number. `div` is the
    /// number of parts into which the grid divides the dungeon.
    Divide(i32),
    /// Switches between placing rooms on any square and placing them only on the grid.
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
    /// Every square that the cursor passes.
    #[default]
    Pencil,
    /// The straight line between the two squares.
    Line,
    /// The edges of the rectangle between the two squares.
    Outline,
    /// The whole rectangle between the two squares.
    Filled,
}
