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
    /// Export the selected kind.
    Accept,
    /// Focus the next part of the dialog, or the previous one if negative.
    Part(i32),
    /// Move the selection within the part.
    Select(ListStep),
    /// Change the selected option, forward if positive.
    Change(i32),
    /// Complete the folder's name in the path.
    Complete,
    /// Repeat the last export.
    Again,
    /// Cancel the export in progress.
    End,
}

/// A command of the import dialog.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::tui) enum ImportCommand {
    /// Import the drawing, or learn from it.
    Accept,
    /// Learn a character for the open design from the drawing instead of importing it.
    Learn,
    /// Move the selection.
    Select(ListStep),
    /// Change the selected option, forward if positive.
    Change(i32),
    /// Import the design's drawings again.
    Again,
}
