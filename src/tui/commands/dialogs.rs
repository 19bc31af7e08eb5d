//! Commands of the dialogs.

use crate::tui::widget::list::ListStep;

/// A command of the dialogs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::tui) enum DialogCommand {
    /// Moves the selection, or the focus to another field; scrolls help.
    Select(ListStep),
    /// Changes the selected setting, forward if positive.
    Change(i32),
    /// Answers the question.
    Answer(Answer),
    /// Accepts the form or the selected entry.
    Accept,
    /// Switches between one file and three.
    OtherFormat,
    /// Completes the input from the selected entry.
    Complete,
    /// Copies a part of the selected design into the open one.
    Combine(DesignPart),
    /// Discards the selected entry.
    ThrowAway,
    /// Starts searching the help.
    Search,
    /// Shows all of the help again.
    ShowAll,
}

/// A part of a design that can be copied into another design.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::tui) enum DesignPart {
    /// The generations and the constants: the stats and constants files.
    Stats,
    /// Everything that is placed: the rooms file.
    Layout,
}

/// An answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::tui) enum Answer {
    /// Saves first.
    Save,
    /// Continues without saving.
    Discard,
    /// Keeps the design as it is in the app.
    Mine,
    /// Uses the design as it is in the files.
    Theirs,
    /// Merges both designs.
    Both,
    /// Overwrites the existing files.
    Replace,
    /// Quits once everything is written.
    Wait,
    /// Cancels the exports and quits.
    End,
    /// Continues without waiting.
    Continue,
}
