//! Commands for curves, remedies and the parameter searches. Remedies and searches open a *sheet* in place of the
//! panels.

use crate::tui::widget::list::ListStep;

/// A command for curves, remedies or a parameter search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::tui) enum TuneCommand {
    /// Shows or hides the curves of metrics over the range of the selected parameter's slider.
    Curves,
    /// Shows the curves of the next metrics, or of the previous metrics if the number is negative.
    Metrics(i32),
    /// Opens or closes the remedies: changes to the design that may remove a flaw.
    Remedies,
    /// Opens or closes the parameter search.
    Tune,
    /// Opens the dialog to choose an example, and then searches for parameter values with which the design's dungeons
    /// resemble the example. During such a search, shows or closes the sheet with its results.
    Learn,
    /// Closes the sheet that is shown, and ends its search.
    Close,
    /// Moves the selection in the list of the sheet.
    Select(ListStep),
    /// Shows the remedies for the next flaw, such as an anomaly or a failed expectation, or for the previous flaw if
    /// the number is negative.
    Flaw(i32),
    /// Applies the selected variant to the design as an edit; before a parameter search, starts the search.
    Accept,
    /// Toggles the preview of the selected variant on the map.
    Look,
    /// If a parameter is selected, toggles whether the search may change it; if an expectation is selected, toggles
    /// whether the search must meet it.
    Toggle,
    /// Allows the search to change all parameters of the list, or none.
    All,
    /// Starts typing the bounds of the selected parameter.
    Bounds,
    /// Starts typing a further expectation for this search.
    Expect,
    /// Selects the next larger number of seeds for each candidate; after the largest, the smallest.
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
