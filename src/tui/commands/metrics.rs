//! Commands about metrics.

use crate::analysis::LayerKind;

/// A command about metrics.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::tui) enum MetricsCommand {
    /// Show the next layer over the map, or none; the previous one if negative.
    Turn(i32),
    /// Show this layer, or hide it if it is shown.
    Show(LayerKind),
    /// Set the entrance or exit to the cursor, or back to automatic if it is there.
    End(Endpoint),
    /// Give the square under the cursor a name.
    Name,
    /// Open the prompt for places to add on random squares.
    Scatter,
    /// Check the expectations over many seeds, or stop the check.
    Check,
}

/// One end of the path through a dungeon.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::tui) enum Endpoint {
    Entrance,
    Exit,
}
