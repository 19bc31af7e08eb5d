//! Commands of curves, remedies and the parameter searches.

use crate::tui::widget::list::ListStep;

/// A command of curves, remedies or the searches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::tui) enum TuneCommand {
    /// Toggle the curves beside parameters.
    Curves,
    /// Show the curves of the next metrics, or the previous ones if negative.
    Metrics(i32),
    /// Open or close the remedies.
    Remedies,
    /// Open or close the parameter search.
    Tune,
    /// Choose an example to learn from, or show or close the learning sheet.
    Learn,
    /// Close the sheet.
    Close,
    /// Move the selection.
    Select(ListStep),
    /// Move to another flaw, forward if positive.
    Flaw(i32),
    /// Keep the selected variant as an edit, or start the search.
    Accept,
    /// Toggle the preview of the selected variant on the map.
    Look,
    /// Toggle whether the search may change the selected parameter, or whether the selected expectation counts.
    Toggle,
    /// Let the search change all parameters of the list, or none.
    All,
    /// Type the bounds of the selected parameter.
    Bounds,
    /// Type another expectation.
    Expect,
    /// Switch to the next larger number of seeds, or back to the smallest.
    Seeds,
    /// Pause or resume the search.
    Pause,
    /// End the search and verify the best candidate.
    Finish,
    /// Discard the search and return to the list of parameters.
    Again,
    /// Apply the typed value.
    Take,
    /// Discard the typed value.
    Leave,
}
