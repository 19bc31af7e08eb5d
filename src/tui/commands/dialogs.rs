//! Commands of the dialogs.

use crate::tui::widget::list::ListStep;

/// A command of the dialogs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::tui) enum DialogCommand {
    /// Moves the selection or the focus, or scrolls the help.
    Select(ListStep),
    /// Changes the selected setting to its next value, or to its previous value if the number is negative.
    Change(i32),
    /// Gives this answer to the question.
    Answer(Answer),
    /// Accepts the form or the selected entry.
    Accept,
    /// Switches between one TOML file and three files: rooms, stats and constants.
    OtherFormat,
    /// Completes the input from the selected entry.
    Complete,
    /// Copies this part of the selected design into the open design.
    Combine(DesignPart),
    /// Discards the selected unsaved work of an earlier session.
    ThrowAway,
    /// Starts typing text to search for in the help.
    Search,
    /// Ends the search and shows all of the help again.
    ShowAll,
}

/// A part of a design that can be copied into another design.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::tui) enum DesignPart {
    /// The generations and the constants: the stats and constants files.
    Stats,
    /// The layout, with everything that is placed in it: the rooms file.
    Layout,
}

/// An answer to a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::tui) enum Answer {
    /// Saves the changes, then continues.
    Save,
    /// Continues without saving.
    Discard,
    /// Keeps the user's version of a design whose files were changed by another program.
    Mine,
    /// Uses the version in the files.
    Theirs,
    /// Merges both versions.
    Both,
    /// Overwrites the existing files.
    Replace,
    /// Quits once the exports in progress are written.
    Wait,
    /// Cancels the exports in progress and quits.
    End,
    /// Continues without waiting for the save to finish.
    Continue,
}
