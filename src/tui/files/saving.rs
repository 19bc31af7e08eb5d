//! Saving the design and writing copies. This module starts the writes, workers carry them out, and this module reports
//! their results.
//!
//! A drive may hang for minutes. During that time the app stays usable, and further edits stay unsaved. Saving again
//! waits for the save in progress; saving to other files cancels it.

use std::io;

use super::checking::say_read_again;
use super::{AfterSave, FilesState, names};
use crate::background::{CopyRequest, JobError, SaveRequest, Ticket};
use crate::design::{Diagnostic, Severity};
use crate::document::{SaveError, Saved, Saving};
use crate::storage::DesignFiles;
use crate::tui::commands::Effect;
use crate::tui::dialog::{Dialog, FormPurpose, Question};
use crate::tui::editor::{Editor, Request};
use crate::tui::jobs::JobHandle;

/// A write in progress.
#[derive(Debug)]
pub(super) struct PendingSave {
    files: DesignFiles,
    /// Whether the dialog in which the paths were typed stays open until the write succeeds; closing the dialog cancels
    /// the write.
    is_named: bool,
    /// Whether the design is saved to different files, which become its own files after the save.
    is_elsewhere: bool,
    /// Whether the user has requested another save since this one started.
    again: bool,
}

impl PendingSave {
    fn name(&self) -> String {
        names(self.files.paths().get(..1).unwrap_or_default())
    }

    /// Removes and returns the write that a reply belongs to; `None` if the reply is outdated.
    fn take(writing: &mut Option<JobHandle<Self>>, ticket: &Ticket) -> Option<Self> {
        writing.take_if(|job| job.has(ticket)).map(|job| job.purpose)
    }
}

impl FilesState {
    /// Returns the name of the file being saved.
    pub(in crate::tui) fn saving(&self) -> Option<String> {
        self.saving.as_ref().map(|job| job.purpose.name())
    }

    /// Returns the name of the file being saved, if its path was typed in the form.
    pub(in crate::tui) fn saving_as_named(&self) -> Option<String> {
        self.saving
            .as_ref()
            .filter(|job| job.purpose.is_named)
            .map(|job| job.purpose.name())
    }

    /// Returns the name of the file being copied to.
    pub(in crate::tui) fn copying(&self) -> Option<String> {
        self.copying.as_ref().map(|job| job.purpose.name())
    }
}

/// Saves the design to its files, and runs `then` on success. `replace` has the same meaning as in
/// `Document::begin_save`.
pub(in crate::tui) fn save(
    files: &mut FilesState,
    editor: &mut Editor,
    dialog: &mut Option<Dialog>,
    replace: bool,
    then: AfterSave,
) {
    if let Some(JobHandle { purpose: saving, .. }) = &mut files.saving {
        saving.again = true;
        let text = format!("{} is still being saved; newer edits will be saved next", saving.name());
        editor.warn(text);
        wait(files, editor, dialog, then);
        return;
    }
    apply_backup_setting(editor);
    let Ok(saving) = editor.document.begin_save(replace) else {
        // The design has no files yet.
        *dialog = Some(Dialog::form(FormPurpose::SaveAs(then), &editor.document));
        return;
    };
    begin(files, editor, dialog, saving, false, then);
}

/// Saves to the files typed in the form, which stays open until the save succeeds.
pub(in crate::tui) fn save_as_named(
    files: &mut FilesState,
    editor: &mut Editor,
    dialog: &mut Option<Dialog>,
    named: DesignFiles,
) {
    if editor.document.design_files() == Some(&named) {
        files.saving.take_if(|job| job.purpose.is_elsewhere);
        let then = match dialog.take() {
            Some(Dialog::Form(form)) => form.then(),
            _ => AfterSave::Stay,
        };
        save(files, editor, dialog, false, then);
        return;
    }
    apply_backup_setting(editor);
    let saving = editor.document.begin_save_as(named, false);
    begin(files, editor, dialog, saving, true, AfterSave::Stay);
}

/// Saves to other files, and runs `then` on success. Overwrites existing files.
pub(in crate::tui) fn save_over(
    files: &mut FilesState,
    editor: &mut Editor,
    dialog: &mut Option<Dialog>,
    named: DesignFiles,
    then: AfterSave,
) {
    apply_backup_setting(editor);
    let saving = editor.document.begin_save_as(named, true);
    begin(files, editor, dialog, saving, false, then);
}

/// Writes a copy of the design to other files. With `is_named`, the dialog stays open until the copy is written, and
/// existing files are not overwritten.
pub(in crate::tui) fn copy(files: &mut FilesState, editor: &mut Editor, named: DesignFiles, is_named: bool) {
    apply_backup_setting(editor);
    let copy = editor.document.begin_copy(named.clone(), !is_named);
    let pending = PendingSave {
        files: named,
        is_named,
        is_elsewhere: false,
        again: false,
    };
    files.copying = Some(editor.start(CopyRequest(copy), pending));
}

/// Passes the setting for the number of backups to the document.
fn apply_backup_setting(editor: &mut Editor) {
    let wanted = editor.configured.settings.saving.backups;
    editor.document.backups_mut().want(wanted);
}

fn begin(
    files: &mut FilesState,
    editor: &mut Editor,
    dialog: &mut Option<Dialog>,
    saving: Saving,
    is_named: bool,
    then: AfterSave,
) {
    let pending = PendingSave {
        files: saving.files().clone(),
        is_named,
        is_elsewhere: saving.is_elsewhere(),
        again: false,
    };
    files.saving = Some(editor.start(SaveRequest(saving), pending));
    wait(files, editor, dialog, then);
}

/// If `then` has to wait for the save in progress, shows a dialog in which the user can continue without waiting.
pub(in crate::tui) fn wait(files: &FilesState, editor: &Editor, dialog: &mut Option<Dialog>, then: AfterSave) {
    if let (Some(name), false) = (files.saving(), matches!(then, AfterSave::Stay)) {
        let risk = if editor.configured.settings.saving.autosave.is_none() {
            Some("Autosave is off")
        } else if editor.status.autosave_failed {
            Some("Autosave has failed")
        } else {
            None
        };
        *dialog = Some(Dialog::Question(Question::saving(&name, then, risk)));
    }
}

/// Cancels the writes that the dialog on the screen waits for, because the user changes the path or closes the dialog.
pub(in crate::tui) fn cancel_named(files: &mut FilesState) {
    files.copying.take_if(|job| job.purpose.is_named);
    files.saving.take_if(|job| job.purpose.is_named);
}

/// Converts a failure of the worker into a save error.
fn outcome(saved: Result<Box<Saved>, JobError>) -> Result<Box<Saved>, SaveError> {
    saved.map_err(|error| {
        let text = format!("cannot write the file: {error}");
        SaveError::Storage(io::Error::other(text).into())
    })
}

/// Handles the result of a save. `is_busy` says whether the user is dragging or typing, which a question would
/// interrupt.
pub(in crate::tui) fn handle_saved(
    files: &mut FilesState,
    editor: &mut Editor,
    dialog: &mut Option<Dialog>,
    is_busy: bool,
    ticket: &Ticket,
    saved: Result<Box<Saved>, JobError>,
) {
    let Some(writing) = PendingSave::take(&mut files.saving, ticket) else {
        return;
    };
    let before = editor.document.step();
    let outcome = outcome(saved).and_then(|saved| editor.document.finish(*saved));
    files.save_failed = outcome.is_err();
    files.mark_outdated();
    // If the design had no unsaved changes, saving may have reloaded changes made by another program, as an undo step.
    let is_reloaded = editor.document.step() != before;
    if is_reloaded {
        editor.regrow();
    }
    let pending = Waiting::of(dialog, is_busy, writing.is_named);
    let title = editor.document.title();
    match outcome {
        Ok(_) if is_reloaded => {
            say_read_again(files, editor);
            pending.resume(files, editor, dialog, writing.again);
        }
        Ok(notes) => {
            if writing.is_elsewhere {
                editor.watch();
                editor.emit(Effect::Remember(writing.files.clone()));
            }
            // If newer edits are saved next, that save reports the exceptions.
            let is_last = !writing.again || !editor.document.is_dirty();
            if is_last && is_lossy(&notes) {
                // The user should read the note before the designer quits, so `then` does not run.
                let title = match notes.len() {
                    1 => "Saved, with one exception",
                    _ => "Saved, with exceptions",
                };
                let brief = format!("saved, with exceptions: {}", joined(&notes));
                pending.ask(editor, dialog, brief, |_| Question::note(title, listed(&notes)));
            } else {
                let text = format!("saved: {}{}", names(&editor.document.files()), remarks(&notes));
                editor.done(text);
                pending.resume(files, editor, dialog, writing.again);
            }
        }
        // The question appears once no dialog is open and the user is neither dragging nor typing.
        Err(SaveError::Changed) => editor.status.conflict_waits = true,
        Err(SaveError::Unreadable) => {
            let text = format!(
                "{title} was not saved: it was changed by another program and no longer contains a usable design"
            );
            pending.ask(editor, dialog, text, |then| Question::unreadable(&title, then));
        }
        Err(ref error @ SaveError::InTheWay(ref there)) => {
            let text = format!("not saved: {error}");
            pending.ask(editor, dialog, text, |then| {
                Question::replacing(writing.files, there, then)
            });
        }
        Err(error) => pending.reject(editor, dialog, &error),
    }
}

/// Returns whether there is a warning or an error about a part of the design that the files cannot contain.
fn is_lossy(notes: &[Diagnostic]) -> bool {
    notes.iter().any(|note| note.severity > Severity::Note)
}

/// Returns the notes as a text with one line per note. The lines of help follow, each only once.
fn listed(notes: &[Diagnostic]) -> String {
    let dash = if notes.len() > 1 { "- " } else { "" };
    let mut lines: Vec<String> = notes.iter().map(|note| format!("{dash}{}", note.message)).collect();
    for note in notes {
        if !lines.contains(&note.help) {
            lines.push(note.help.clone());
        }
    }
    lines.join("\n")
}

/// Returns the notes in one line.
fn joined(notes: &[Diagnostic]) -> String {
    let messages: Vec<&str> = notes.iter().map(|note| note.message.as_str()).collect();
    messages.join("; ")
}

/// Returns the notes as text to append to a message.
fn remarks(notes: &[Diagnostic]) -> String {
    notes.iter().flat_map(|note| ["; ", &note.message]).collect()
}

/// The result of a copy, as reported to the export dialog.
#[derive(Debug)]
pub(in crate::tui) enum Copied {
    /// The copy was written to these files. The flag says whether they contain the whole design.
    Written(DesignFiles, bool),
    /// The copy was not written.
    Failed,
    /// The copy was not written to the path typed in the export dialog, for this reason.
    Rejected(String),
    /// A question asks whether to replace existing files.
    Asking,
}

/// Handles the result of a copy. Returns `None` if the result is outdated. `is_busy` says whether the user is dragging
/// or typing, which a question would interrupt.
pub(in crate::tui) fn handle_copied(
    files: &mut FilesState,
    editor: &mut Editor,
    dialog: &mut Option<Dialog>,
    is_busy: bool,
    ticket: &Ticket,
    saved: Result<Box<Saved>, JobError>,
) -> Option<Copied> {
    let writing = PendingSave::take(&mut files.copying, ticket)?;
    let is_named = writing.is_named && matches!(dialog, Some(Dialog::Export));
    Some(match outcome(saved).and_then(|saved| editor.document.finish(*saved)) {
        Ok(notes) => {
            if is_named {
                *dialog = None;
            }
            let is_lossy = is_lossy(&notes);
            if !is_lossy {
                let files = names(&writing.files.paths());
                editor.done(format!("a copy was written: {files}{}", remarks(&notes)));
            } else if dialog.is_none() && !is_busy {
                let title = match notes.len() {
                    1 => "Written, with one exception",
                    _ => "Written, with exceptions",
                };
                *dialog = Some(Dialog::Question(Question::note(title, listed(&notes))));
            } else {
                editor.warn(format!("a copy was written, with exceptions: {}", joined(&notes)));
            }
            Copied::Written(writing.files, !is_lossy)
        }
        Err(SaveError::InTheWay(there)) if is_named => {
            *dialog = Some(Dialog::Question(Question::exporting(writing.files, &there)));
            Copied::Asking
        }
        Err(error) if is_named => Copied::Rejected(error.to_string()),
        Err(error) => {
            let text = format!("{} was not written: {error}", writing.name());
            editor.fail(text);
            Copied::Failed
        }
    })
}

/// What waited for the end of a save.
enum Waiting {
    /// The form in which the paths were typed; it can show an error.
    Form(Box<crate::tui::dialog::FilesForm>),
    /// The action to run next; a question may be shown.
    Free(AfterSave),
    /// Nothing, and no question may be shown: another dialog is open, or the user is dragging or typing.
    Busy,
}

impl Waiting {
    /// Closes the dialog that waited for the save. Any other dialog stays open.
    fn of(dialog: &mut Option<Dialog>, is_busy: bool, is_named: bool) -> Self {
        match dialog.take() {
            Some(Dialog::Form(form)) if is_named => Self::Form(form),
            Some(Dialog::Question(question)) => match question.waiting() {
                Ok(then) => Self::Free(then),
                Err(question) => {
                    *dialog = Some(Dialog::Question(*question));
                    Self::Busy
                }
            },
            None if !is_busy => Self::Free(AfterSave::Stay),
            other => {
                *dialog = other;
                Self::Busy
            }
        }
    }

    fn then(self) -> AfterSave {
        match self {
            Self::Form(form) => form.then(),
            Self::Free(then) => then,
            Self::Busy => AfterSave::Stay,
        }
    }

    /// Runs the action that waited. If the design was edited during the save, first saves it again (if the user
    /// requested another save) or asks about the unsaved changes (if the action would lose them).
    fn resume(self, files: &mut FilesState, editor: &mut Editor, dialog: &mut Option<Dialog>, again: bool) {
        let then = self.then();
        if !editor.document.is_dirty() || (matches!(then, AfterSave::Stay) && !again) {
            editor.ask(Request::Follow(then));
        } else if again {
            save(files, editor, dialog, false, then);
        } else {
            *dialog = Some(Dialog::Question(Question::leaving(&editor.document.title(), then)));
        }
    }

    /// Opens a question unless it would interrupt the user; if it would, shows `text` as a notice instead.
    fn ask(
        self,
        editor: &mut Editor,
        dialog: &mut Option<Dialog>,
        text: String,
        question: impl FnOnce(AfterSave) -> Question,
    ) {
        match self {
            Self::Busy => editor.fail(text),
            other => *dialog = Some(Dialog::Question(question(other.then()))),
        }
    }

    /// Reports why the design was not saved.
    fn reject(self, editor: &mut Editor, dialog: &mut Option<Dialog>, why: &SaveError) {
        match self {
            Self::Form(mut form) => {
                form.reject(why.to_string());
                *dialog = Some(Dialog::Form(form));
            }
            other => other.ask(editor, dialog, format!("not saved: {why}"), |_| {
                Question::note("Not saved", why.to_string())
            }),
        }
    }
}
