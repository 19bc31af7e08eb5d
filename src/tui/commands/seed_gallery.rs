//! Commands of the seed gallery.

use crate::tui::widget::list::ListStep;

/// A command of the seed gallery.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::tui) enum SeedGalleryCommand {
    /// Opens the gallery.
    Open,
    /// Closes the gallery.
    Close,
    /// Moves the selection by dungeons, to the next if positive.
    Next(i32),
    /// Moves the selection by rows of dungeons.
    Select(ListStep),
    /// Uses the selected seed, or the candidate of the selected cell, in the design.
    Enter,
    /// Toggles the mark of the selected seed or cell.
    Mark,
    /// Learns from the marked seeds, or from the selected one.
    Learn,
    /// Toggles between marked seeds only and all.
    OnlyMarked,
    /// Sorts by the next metric, or a previous one if negative.
    NextMetric(i32),
    /// Opens the list of metrics to sort by.
    Metrics,
    /// Toggles between the dungeons and the map of their range.
    Range,
    /// Shows the atlas, or the view before it.
    Atlas,
    /// Crosses the two marked cells of the atlas.
    Breed,
    /// Stops the search for the atlas, or continues it.
    Pause,
    /// Starts typing the path of the file that keeps the atlas.
    File,
    /// Opens the list of metrics for an axis of the map: 0 across, 1 up.
    Axis(usize),
    /// Reverses the order.
    Reverse,
    /// Starts typing a condition.
    Filter,
    /// Adds this many seeds, or candidates of the atlas.
    More(u64),
    /// Draws dungeons larger, or smaller if negative.
    Nearer(i32),
    /// Replays the growth of the visible dungeons.
    GrowAgain,
    /// Applies the typed condition or the chosen metric.
    Accept,
    /// Cancels typing or choosing.
    Cancel,
    /// Moves the selection of the list of metrics.
    Field(ListStep),
}
