//! Checks of the open files. A check finds changes made by other programs, and leads to a conflict if the open design
//! also has unsaved changes.

use std::path::PathBuf;

use super::FilesState;
use crate::background::{JobError, ReadReply, ReadRequest, ReloadRequest, Ticket};
use crate::document::{FileSnapshot, LevelFileBytes, Reload, Reloaded, Side};
use crate::tui::dialog::{Dialog, Question};
use crate::tui::editor::{Editor, NoticeLevel};

/// A running check of the open files.
#[derive(Debug)]
pub(super) struct FileCheck {
    /// Whether to renew the file watches after the check, because missing folders may exist now.
    watch: bool,
    /// Whether the result will be outdated, because the files were written or may have changed since the check began.
    again: bool,
}

impl FilesState {
    /// Marks the check in progress as outdated.
    pub(super) const fn mark_outdated(&mut self) {
        if let Some(check) = &mut self.check {
            check.purpose.again = true;
        }
    }
}

/// Requests a check of the open files, which may have changed. `watch` says whether to renew the file watches after the
/// check.
pub(in crate::tui) fn request_check(files: &mut FilesState, watch: bool) {
    if let Some(check) = files.check.as_mut().filter(|_| files.saving.is_none()) {
        // The check in progress may have read the files before they changed, so it is repeated.
        let FileCheck { again, watch: watches } = &mut check.purpose;
        (*again, *watches) = (true, *watches | watch);
    } else {
        // During a save, the check is postponed, as it could read the version before or after the save.
        files.check_later = Some(files.check_later.unwrap_or(false) | watch);
    }
}

/// Starts the requested check, unless the files are being written or checked. `browsed` are the level files in the
/// vault browser.
pub(in crate::tui) fn begin_check(
    files: &mut FilesState,
    editor: &mut Editor,
    browsed: impl IntoIterator<Item = PathBuf>,
) {
    if files.saving.is_some() || files.check.is_some() {
        return;
    }
    let Some(watch) = files.check_later.take() else { return };
    let mut levels = editor.document.watched();
    levels.retain(|path| !editor.document.files().contains(path));
    levels.extend(browsed);
    let request = ReloadRequest(ReadRequest {
        files: editor.document.design_files().cloned(),
        levels,
        ..ReadRequest::default()
    });
    files.check = Some(editor.start(request, FileCheck { watch, again: false }));
}

/// What other parts of the designer need to know about the result of a check.
#[derive(Debug)]
pub(in crate::tui) struct CheckedFiles {
    /// Contents of the level files.
    pub levels: LevelFileBytes,
    /// Whether a level file of the design has changed.
    pub is_other_level: bool,
    /// Whether the files of the design have changed and now have errors.
    pub is_broken: bool,
}

/// Handles the contents of the open files: reloads the design, and reports the outcome. Returns `None` if the reply is
/// outdated or reading failed.
pub(in crate::tui) fn handle_check(
    files: &mut FilesState,
    editor: &mut Editor,
    dialog: &mut Option<Dialog>,
    ticket: &Ticket,
    reply: Result<Box<ReadReply>, JobError>,
) -> Option<CheckedFiles> {
    let check = files.check.take_if(|job| job.has(ticket))?.purpose;
    if check.again || files.saving.is_some() {
        request_check(files, check.watch);
        return None;
    }
    let fresh = match reply {
        Ok(reply) => reply.fresh,
        Err(error) => {
            editor.fail(format!("cannot read the files: {error}"));
            return None;
        }
    };
    if check.watch {
        editor.watch();
    }
    let levels = fresh.levels.clone();
    let found = reload(files, editor, dialog, fresh);
    Some(CheckedFiles {
        levels,
        is_other_level: found.is_other_level,
        is_broken: found.outcome == Reload::Broken,
    })
}

fn reload(files: &mut FilesState, editor: &mut Editor, dialog: &mut Option<Dialog>, fresh: FileSnapshot) -> Reloaded {
    let waiting = editor.document.conflict().is_some();
    let found = editor.document.reload_from(fresh);
    if found.is_other_text {
        // Removes a notice about an earlier version of the files, which is out of date.
        let last_notice = files.last_notice.take();
        editor
            .status
            .notice
            .take_if(|(_, text)| last_notice.as_ref() == Some(text));
    }
    match found.outcome {
        Reload::Unchanged => unchanged(files, editor, dialog, found, waiting),
        Reload::Reloaded => {
            editor.regrow();
            say_read_again(files, editor);
        }
        Reload::Broken => {
            let names = editor.document.changed_names();
            let what = if editor.document.is_unreadable() {
                format!("{names} cannot be read")
            } else {
                format!("errors in {names}")
            };
            let text = format!("{what} (see Problems); showing the last valid version");
            say(files, editor, NoticeLevel::Error, text);
        }
        Reload::Conflict => {
            editor.status.notice = None;
            // Closes an open question about an earlier version of the files, which is out of date.
            dialog.take_if(|dialog| matches!(dialog, Dialog::Question(question) if question.is_conflict()));
            editor.status.conflict_waits = dialog.is_none();
            if !editor.status.conflict_waits {
                let changed = editor.document.changed_files("changed on disk");
                let text = format!("{changed}, and you have unsaved changes: saving will ask which version to keep");
                say(files, editor, NoticeLevel::Warning, text);
            }
        }
        Reload::Gone => {
            let gone = editor.document.changed_files("deleted or moved");
            let text = format!("{gone}: the design is unsaved");
            say(files, editor, NoticeLevel::Warning, text);
        }
    }
    found
}

/// Reports changes that do not affect the design itself: changed level files, new warnings, a resolved conflict.
fn unchanged(files: &mut FilesState, editor: &mut Editor, dialog: &mut Option<Dialog>, found: Reloaded, waiting: bool) {
    if waiting && editor.document.conflict().is_none() {
        dialog.take_if(|dialog| matches!(dialog, Dialog::Question(question) if question.is_conflict()));
        let why = if editor.document.is_dirty() {
            editor.document.changed_files("changed back on disk")
        } else {
            format!("your version is now the same as {}", editor.document.changed_names())
        };
        editor.done(format!("{why}: the conflict is resolved"));
    }
    if found.is_other_text
        && let Some(warnings) = warnings(editor)
    {
        let changed = editor.document.changed_files("changed on disk");
        say(files, editor, NoticeLevel::Warning, format!("{changed}; {warnings}"));
    }
    if found.is_other_level {
        editor.done("a level file was changed on disk; the dungeon was grown again");
        editor.regrow();
    }
}

/// Reports that files were reloaded because they changed on disk, and that the design is grown again. Adds the first
/// warning about the files. Reports nothing if the design is invalid.
pub(super) fn say_read_again(files: &mut FilesState, editor: &mut Editor) {
    if editor.document.valid().is_none() {
        return;
    }
    let changed = editor.document.changed_files("changed on disk");
    match warnings(editor) {
        Some(warnings) => say(
            files,
            editor,
            NoticeLevel::Warning,
            format!("{changed}; the dungeon was grown again; {warnings}"),
        ),
        None => say(
            files,
            editor,
            NoticeLevel::Done,
            format!("{changed}; the dungeon was grown again"),
        ),
    }
}

/// Returns the first warning about the changed files, with the number of further warnings.
fn warnings(editor: &Editor) -> Option<String> {
    let mut warnings = editor.document.changed_warnings();
    let first = warnings.next()?;
    let line = first.source.as_ref()?.line;
    let more = match warnings.count() {
        0 => String::new(),
        more => format!(" (and {more} more in Problems)"),
    };
    Some(format!("line {line}: {}{more}", first.message))
}

/// Shows a notice about the open files, which is removed when the files change again.
fn say(files: &mut FilesState, editor: &mut Editor, level: NoticeLevel, text: String) {
    files.last_notice = Some(text.clone());
    editor.say(level, text);
}

/// Asks about the waiting conflict, if any, unless a dialog is open or the user is dragging or typing, which the
/// question would interrupt.
pub(in crate::tui) fn ask_conflict(editor: &mut Editor, dialog: &mut Option<Dialog>, is_busy: bool) {
    if !editor.status.conflict_waits || dialog.is_some() || is_busy {
        return;
    }
    editor.status.conflict_waits = false;
    if editor.document.conflict().is_some() {
        *dialog = Some(Dialog::Question(Question::conflict(&editor.document)));
    }
}

/// Resolves a conflict by merging both sides.
pub(in crate::tui) fn merge(editor: &mut Editor) {
    editor.document.merge();
    editor.regrow();
    if editor.document.valid().is_some() {
        editor.done("merged both versions; if you undo this, saving asks which version to keep");
    }
}

/// Resolves a conflict by using the version of one side.
pub(in crate::tui) fn resolve(editor: &mut Editor, side: Side) {
    editor.document.resolve(side);
    editor.regrow();
    let text = match side {
        Side::Mine => "using your version, not saved yet; undo restores the file's version",
        Side::Theirs => "using the file's version; undo restores yours",
    };
    if editor.document.valid().is_some() {
        editor.done(text);
    }
}
