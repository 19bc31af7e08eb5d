//! Commands of the seed gallery.

use crate::tui::widget::list::ListStep;

/// A command of the seed gallery.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::tui) enum SeedGalleryCommand {
    /// Open the gallery.
    Open,
    /// Close the gallery.
    Close,
    /// Move the selection by dungeons, to the next if positive.
    Next(i32),
    /// Move the selection by rows of dungeons.
    Select(ListStep),
    /// Use the selected seed in the design.
    Enter,
    /// Toggle the mark of the selected seed.
    Mark,
    /// Learn from the marked seeds, or from the selected one.
    Learn,
    /// Toggle between marked seeds only and all.
    OnlyMarked,
    /// Sort by the next metric, or a previous one if negative.
    NextMetric(i32),
    /// Choose the metric from a list.
    Metrics,
    /// Toggle between the dungeons and the map of their range.
    Range,
    /// Choose the metric of an axis of the map from a list: 0 across, 1 up.
    Axis(usize),
    /// Reverse the order.
    Reverse,
    /// Type a condition.
    Filter,
    /// Add this many seeds.
    More(u64),
    /// Draw dungeons larger, or smaller if negative.
    Nearer(i32),
    /// Replay the growth of the visible dungeons.
    GrowAgain,
    /// Apply the typed condition or the chosen metric.
    Accept,
    /// Cancel typing or choosing.
    Cancel,
    /// Move the selection of the list of metrics.
    Field(ListStep),
}
