//! Commands of curves, remedies and the parameter searches.

use crate::tui::widget::list::ListStep;

/// A command of curves, remedies or the searches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::tui) enum TuneCommand {
    /// Toggles the curves beside parameters.
    Curves,
    /// Shows the curves of the next metrics, or the previous ones if negative.
    Metrics(i32),
    /// Opens or closes the remedies.
    Remedies,
    /// Opens or closes the parameter search.
    Tune,
    /// Opens the dialog to choose an example to learn from, or shows or closes the learning sheet.
    Learn,
    /// Closes the sheet.
    Close,
    /// Moves the selection.
    Select(ListStep),
    /// Moves to another flaw, forward if positive.
    Flaw(i32),
    /// Keeps the selected variant as an edit, or starts the search.
    Accept,
    /// Toggles the preview of the selected variant on the map.
    Look,
    /// Toggles whether the search may change the selected parameter, or whether the selected expectation counts.
    Toggle,
    /// Lets the search change all parameters of the list, or none.
    All,
    /// Starts typing the bounds of the selected parameter.
    Bounds,
    /// Starts typing another expectation.
    Expect,
    /// Switches to the next larger number of seeds, or back to the smallest.
    Seeds,
    /// Pauses or resumes the search.
    Pause,
    /// Ends the search and verifies the best candidate.
    Finish,
    /// Discards the search and returns to the list of parameters.
    Again,
    /// Applies the typed value.
    Take,
    /// Discards the typed value.
    Leave,
}
