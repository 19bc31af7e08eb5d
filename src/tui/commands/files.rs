//! Commands about files: the design's own, exports and imports.

use crate::tui::widget::list::ListStep;

/// A command about files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::tui) enum FileCommand {
    /// Saves to the design's files.
    Save,
    /// Saves to other files.
    SaveAs,
    /// Exports the dungeon for other programs, or writes a copy of the design.
    Export,
    /// Begins a new design.
    New,
    /// Opens another design.
    Open,
    /// Lists the presets.
    Presets,
    /// Finds work that a crash left unsaved.
    Recover,
    /// Quits the app.
    Quit,
}

/// A command of the export dialog or queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::tui) enum ExportCommand {
    /// Exports the selected kind.
    Accept,
    /// Focuses the next part of the dialog, or the previous one if negative.
    Part(i32),
    /// Moves the selection within the part.
    Select(ListStep),
    /// Changes the selected option, forward if positive.
    Change(i32),
    /// Completes the folder's name in the path.
    Complete,
    /// Repeats the last export.
    Again,
    /// Cancels the export in progress.
    End,
}

/// A command of the import dialog.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::tui) enum ImportCommand {
    /// Imports the drawing, or learns from it.
    Accept,
    /// Learns a character for the open design from the drawing instead of importing it.
    Learn,
    /// Moves the selection.
    Select(ListStep),
    /// Changes the selected option, forward if positive.
    Change(i32),
    /// Imports the design's drawings again.
    Again,
}
