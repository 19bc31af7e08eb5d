//! The files of the open design: [`saving`], changes made elsewhere ([`checking`]), [`opening`] another design,
//! quitting.
//!
//! The document detects changes both on disk and in the designer and never loses one; this module asks the user and
//! reports the outcome. Workers do the reading and writing, because a drive may hang. The shell updates the other parts of
//! the designer after a read or write: see [`super::file_actions`].

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

/// Returns the mark in the title: saving in progress, or unsaved changes.
pub(super) fn mark(files: &FilesState, editor: &Editor) -> &'static str {
    if files.saving.is_some() {
        " · saving …"
    } else if editor.document.is_dirty() {
        " ●"
    } else {
        ""
    }
}

/// Returns the names of files without their folders.
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
    /// Name of the file being opened.
    opening: Option<JobHandle<String>>,
    /// Check in progress, of the open files.
    check: Option<JobHandle<FileCheck>>,
    /// Save in progress.
    saving: Option<JobHandle<PendingSave>>,
    /// Copy in progress.
    copying: Option<JobHandle<PendingSave>>,
    /// `Some` if the files must be checked after the save in progress; `true` if the file watches must be renewed then.
    check_later: Option<bool>,
    /// Last notice about the open files, which may be invalid once they change again.
    last_notice: Option<String>,
}

impl FilesState {
    /// Resets the state for another document.
    pub(super) fn reset(&mut self) {
        (self.check, self.check_later) = (None, None);
        // The user has decided not to wait for the save, but it continues.
        if let Some(saving) = self.saving.take() {
            saving.leave_running();
        }
        self.last_notice = None;
    }
}
