//! Commands about metrics.

use crate::analysis::LayerKind;

/// A command about metrics.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::tui) enum MetricsCommand {
    /// Shows the next layer over the map, or none; the previous one if negative.
    Turn(i32),
    /// Shows this layer, or hides it if it is shown.
    Show(LayerKind),
    /// Sets the entrance or exit to the cursor, or back to automatic if it is there.
    End(Endpoint),
    /// Gives the square under the cursor a name.
    Name,
    /// Opens the prompt for places to add on random squares.
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
