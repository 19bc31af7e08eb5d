//! Commands of the seed gallery and its atlas.
//!
//! The atlas is a heat map over two metrics. Each filled cell contains a variant of the design: a candidate.

use crate::tui::widget::list::ListStep;

/// A command of the seed gallery.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::tui) enum SeedGalleryCommand {
    /// Opens the gallery.
    Open,
    /// Closes the gallery.
    Close,
    /// Moves the selection to the next dungeon, or to the previous one if the number is negative.
    Next(i32),
    /// Moves the selection by rows of dungeons.
    Select(ListStep),
    /// Applies the selected seed to the design; in the atlas, applies the candidate of the selected cell.
    Enter,
    /// Marks the selected seed or cell, or removes its mark.
    Mark,
    /// Learns parameters from the dungeons of the marked seeds, or of the selected seed.
    Learn,
    /// Switches between showing all seeds and only the marked ones.
    OnlyMarked,
    /// Sorts the dungeons by the next metric, or by the previous metric if the number is negative.
    NextMetric(i32),
    /// Opens the list of metrics to sort by.
    Metrics,
    /// Switches between the dungeons and their expressive range: a map that shows how many dungeons have each
    /// combination of values of two metrics.
    Range,
    /// Shows the atlas, or returns to what was shown before the atlas.
    Atlas,
    /// Crosses the candidates of the two marked cells of the atlas.
    Breed,
    /// Pauses the search that fills the atlas, or continues it.
    Pause,
    /// Starts typing the path of the file in which the atlas is kept.
    File,
    /// Opens the list of metrics for an axis of the expressive range or the atlas: 0 for the horizontal axis, 1 for the
    /// vertical axis.
    Axis(usize),
    /// Reverses the sort order.
    Reverse,
    /// Starts typing a condition that filters the dungeons.
    Filter,
    /// Adds this number of seeds, or of candidates for the atlas.
    More(u64),
    /// Draws the dungeons larger, or smaller if the number is negative.
    Nearer(i32),
    /// Replays the growth of the visible dungeons.
    GrowAgain,
    /// Applies the typed text or the selected metric.
    Accept,
    /// Cancels typing or choosing.
    Cancel,
    /// Moves the selection in the list of metrics.
    Field(ListStep),
}
