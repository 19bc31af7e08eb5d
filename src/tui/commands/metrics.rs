//! Commands for metrics.

use crate::analysis::LayerKind;

/// A command for metrics.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::tui) enum MetricsCommand {
    /// Shows the next layer over the map, or the previous one if the number is negative; after the last layer, none.
    Turn(i32),
    /// Shows this layer over the map, or hides it if it is shown.
    Show(LayerKind),
    /// Sets the entrance or the exit to the square under the cursor. If it was already set to that square, removes the
    /// setting, so that the program chooses a square.
    End(Endpoint),
    /// Asks for a name for the square under the cursor.
    Name,
    /// Opens the prompt that adds named places on random squares.
    Scatter,
    /// Checks the expectations over many seeds, or stops the check.
    Check,
}

/// One end of the path through a dungeon.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::tui) enum Endpoint {
    Entrance,
    Exit,
}
