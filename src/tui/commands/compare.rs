//! Commands of the comparison.

use crate::geometry::Forward;
use crate::tui::widget::list::ListStep;

/// A command of the comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::tui) enum CompareCommand {
    /// Compares before and after the last edit.
    Open,
    /// Compares the marked and the selected seed of the gallery.
    Seeds,
    /// Opens the dialog to choose another design to compare with.
    Other,
    /// Closes the comparison.
    Close,
    /// Steps by this number of iterations.
    Step(i32),
    /// Goes to the start.
    Start,
    /// Goes to the end.
    End,
    /// Plays both growths, or pauses.
    Play,
    /// Toggles colouring by difference and by generation.
    Colours,
    /// Zooms in or out.
    Zoom(i32),
    /// Zooms to fit both dungeons.
    Fit,
    /// Moves the cursor.
    Move(Forward),
    /// Moves the selection in the list of metrics.
    Metric(ListStep),
    /// Shows the maps alone, the metrics alone, or both.
    Page,
    /// Compares more seeds.
    More,
    /// Continues with one side.
    Keep(usize),
}
