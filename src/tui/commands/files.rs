//! Commands for files: the design's own files, exports and imports.

use crate::tui::widget::list::ListStep;

/// A command for files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::tui) enum FileCommand {
    /// Saves to the design's files.
    Save,
    /// Saves to other files.
    SaveAs,
    /// Exports the dungeon for other programs, or writes a copy of the design.
    Export,
    /// Starts a new design.
    New,
    /// Opens another design.
    Open,
    /// Opens the list of presets.
    Presets,
    /// Searches for unsaved work that a crash left behind.
    Recover,
    /// Quits the app.
    Quit,
}

/// A command for the export dialog or the exports in progress.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::tui) enum ExportCommand {
    /// Exports the dungeon to a file of the selected kind, or writes a copy of the design.
    Accept,
    /// Moves the focus to the next part of the dialog, or to the previous part if the number is negative.
    Part(i32),
    /// Moves the selection within the focused part.
    Select(ListStep),
    /// Changes the selected option to its next value, or to its previous value if the number is negative.
    Change(i32),
    /// Completes the name of a folder in the typed path.
    Complete,
    /// Repeats the last export.
    Again,
    /// Cancels the export in progress.
    End,
}

/// A command of the import dialog.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::tui) enum ImportCommand {
    /// Imports the drawing, or learns parameters from the drawing, depending on the purpose of the dialog.
    Accept,
    /// Learns parameters for the open design from the drawing instead of importing the drawing.
    Learn,
    /// Moves the selection among the options.
    Select(ListStep),
    /// Changes the selected option to its next value, or to its previous value if the number is negative.
    Change(i32),
    /// Imports the design's drawings again.
    Again,
}
