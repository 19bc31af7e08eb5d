//! The files of the open design: [`saving`] them, [`checking`] for changes made by other programs, and [`opening`]
//! another design.
//!
//! The document detects changes on disk as well as in the designer, and never loses either. This module asks the user
//! and reports the outcome. Workers read and write the files, because a drive may hang. After a read or write, the app
//! updates the other parts of the designer: see [`super::file_actions`].

mod checking;
mod opening;
mod saving;
#[cfg(test)]
mod tests;

use std::path::PathBuf;

use self::checking::FileCheck;
pub(super) use self::checking::{CheckedFiles, ask_conflict, begin_check, handle_check, merge, request_check, resolve};
pub(super) use self::opening::{Opened, describe_drawing, handle_opened, open};
use self::saving::PendingSave;
pub(super) use self::saving::{
    Copied, cancel_named, copy, handle_copied, handle_saved, save, save_as_named, save_over, wait,
};
pub(super) use super::editor::AfterSave;
use super::editor::Editor;
use crate::tui::jobs::JobHandle;

/// Returns the mark after the title, which shows a save in progress or unsaved changes.
pub(super) fn mark(files: &FilesState, editor: &Editor) -> &'static str {
    if files.saving.is_some() {
        " · saving …"
    } else if editor.document.is_dirty() {
        " ●"
    } else {
        ""
    }
}

/// Returns the names of files without their folders, separated by commas.
fn names(files: &[PathBuf]) -> String {
    let names = files.iter().filter_map(|path| path.file_name());
    names
        .map(|name| name.to_string_lossy().into_owned())
        .collect::<Vec<_>>()
        .join(", ")
}

/// The state of reading and writing.
#[derive(Debug, Default)]
pub(super) struct FilesState {
    /// The read in progress, with the name of the file being opened.
    opening: Option<JobHandle<String>>,
    /// The running check of the open files.
    check: Option<JobHandle<FileCheck>>,
    /// Save in progress.
    saving: Option<JobHandle<PendingSave>>,
    /// Whether the last save failed.
    pub(super) save_failed: bool,
    /// Copy in progress.
    copying: Option<JobHandle<PendingSave>>,
    /// `Some` if a requested check has not started yet, for example because of a save in progress; `true` if the file
    /// watches must be renewed after the check.
    check_later: Option<bool>,
    /// Last notice about the open files, which is removed when the files change again.
    last_notice: Option<String>,
}

impl FilesState {
    /// Resets the state after another document was opened.
    pub(super) fn reset(&mut self) {
        (self.check, self.check_later) = (None, None);
        // The user has decided not to wait for the save, but the save continues.
        if let Some(saving) = self.saving.take() {
            saving.leave_running();
        }
        self.last_notice = None;
    }
}
