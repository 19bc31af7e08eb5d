//! Commands of the comparison.

use crate::geometry::Forward;
use crate::tui::widget::list::ListStep;

/// A command of the comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::tui) enum CompareCommand {
    /// Compares the design before and after the last edit.
    Open,
    /// Compares the marked seed with the selected seed of the seed gallery.
    Seeds,
    /// Opens the dialog to choose another design to compare with.
    Other,
    /// Closes the comparison.
    Close,
    /// Steps the growth on both sides forward by this number of iterations, or back if the number is negative.
    Step(i32),
    /// Goes to the start of the growth, on both sides.
    Start,
    /// Goes to the end of the growth, on both sides.
    End,
    /// Plays the growth on both sides, or pauses playback.
    Play,
    /// Switches between colouring by difference and by generation.
    Colours,
    /// Zooms in if positive, otherwise out.
    Zoom(i32),
    /// Zooms to fit both dungeons.
    Fit,
    /// Moves the cursor on the maps by one square.
    Move(Forward),
    /// Moves the selection in the list of metrics.
    Metric(ListStep),
    /// Switches between the maps alone, the metrics alone, and both.
    Page,
    /// Compares twice as many seeds as before.
    More,
    /// Closes the comparison and continues with the design and seed of one side: 0 for the left, 1 for the right.
    Keep(usize),
}
