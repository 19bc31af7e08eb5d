//! Saving and copies: started here, written by workers, and reported when complete.
//!
//! A drive may hang for minutes. Meanwhile the app stays usable, and later edits stay unsaved. Saving again waits for
//! the save in progress; saving elsewhere cancels it.

use std::io;

use super::checking::say_read_again;
use super::{AfterSave, FilesState, follow, look, names};
use crate::background::RunId;
use crate::design::{Diagnostic, Severity};
use crate::document::{SaveError, Saved, Saving};
use crate::storage::DesignFiles;
use crate::tui::app::{App, Effect, NoticeLevel};
use crate::tui::dialog::{Dialog, FormPurpose, Question};
use crate::tui::export_dialog;

/// A write in progress.
#[derive(Debug)]
pub(super) struct PendingSave {
    run: Option<RunId>,
    files: DesignFiles,
    /// Whether the dialog that named the files waits for it, so that closing the dialog cancels it.
    is_named: bool,
    /// Whether the design has other files from then on.
    is_elsewhere: bool,
    /// Whether the user has saved again meanwhile.
    again: bool,
}

impl PendingSave {
    fn name(&self) -> String {
        names(self.files.paths().get(..1).unwrap_or_default())
    }

    fn take(writing: &mut Option<Self>, run: RunId) -> Option<Self> {
        writing.take_if(|writing| writing.run == Some(run))
    }
}

impl FilesState {
    /// Returns the name of the file being saved.
    pub(in crate::tui) fn saving(&self) -> Option<String> {
        self.saving.as_ref().map(PendingSave::name)
    }

    /// Returns the name of the file being saved if an open form has named it.
    pub(in crate::tui) fn saving_as_named(&self) -> Option<String> {
        self.saving
            .as_ref()
            .filter(|saving| saving.is_named)
            .map(PendingSave::name)
    }

    /// Returns the name of the file being copied to.
    pub(in crate::tui) fn copying(&self) -> Option<String> {
        self.copying.as_ref().map(PendingSave::name)
    }

    /// Sets the number of the request for the last [`Effect::Save`]. Other replies are dropped.
    pub(in crate::tui) const fn save_begun(&mut self, run: RunId) {
        if let Some(saving) = &mut self.saving {
            saving.run = Some(run);
        }
    }

    /// Sets the number of the request for the last [`Effect::Copy`]. Other replies are dropped.
    pub(in crate::tui) const fn copy_begun(&mut self, run: RunId) {
        if let Some(copying) = &mut self.copying {
            copying.run = Some(run);
        }
    }
}

/// Saves the design to its files, and runs the following action on success.
pub(in crate::tui) fn save(app: &mut App, replace: bool, then: AfterSave) -> Vec<Effect> {
    if let Some(saving) = &mut app.files.saving {
        saving.again = true;
        let text = format!(
            "{} is still being saved; what was edited since comes after it",
            saving.name()
        );
        app.editor.say(NoticeLevel::Warning, text);
        wait(app, then);
        return Vec::new();
    }
    app.editor
        .document
        .backups_mut()
        .want(app.editor.configured.settings.saving.backups);
    let Ok(saving) = app.editor.document.begin_save(replace) else {
        // The design has no files yet.
        app.dialog = Some(Dialog::form(FormPurpose::SaveAs(then), &app.editor.document));
        return Vec::new();
    };
    begin(app, saving, false, then)
}

/// Saves to the files named in the form, which stays open until that succeeds.
pub(in crate::tui) fn save_as_named(app: &mut App, files: DesignFiles) -> Vec<Effect> {
    if app.editor.document.design_files() == Some(&files) && app.files.saving.is_none() {
        let then = match app.dialog.take() {
            Some(Dialog::Form(form)) => form.then(),
            _ => AfterSave::Stay,
        };
        return save(app, false, then);
    }
    app.editor
        .document
        .backups_mut()
        .want(app.editor.configured.settings.saving.backups);
    let saving = app.editor.document.begin_save_as(files, false);
    begin(app, saving, true, AfterSave::Stay)
}

/// Saves to other files, overwriting existing ones, and runs the following action on success.
pub(in crate::tui) fn save_over(app: &mut App, files: DesignFiles, then: AfterSave) -> Vec<Effect> {
    app.editor
        .document
        .backups_mut()
        .want(app.editor.configured.settings.saving.backups);
    let saving = app.editor.document.begin_save_as(files, true);
    begin(app, saving, false, then)
}

/// Writes a copy to other files. With `is_named`, the dialog stays open until that succeeds, and existing files are not
/// overwritten.
pub(in crate::tui) fn copy(app: &mut App, files: DesignFiles, is_named: bool) -> Vec<Effect> {
    app.editor
        .document
        .backups_mut()
        .want(app.editor.configured.settings.saving.backups);
    let copy = app.editor.document.begin_copy(files.clone(), !is_named);
    app.files.copying = Some(PendingSave {
        run: None,
        files,
        is_named,
        is_elsewhere: false,
        again: false,
    });
    vec![Effect::Copy(Box::new(copy))]
}

fn begin(app: &mut App, saving: Saving, is_named: bool, then: AfterSave) -> Vec<Effect> {
    app.files.saving = Some(PendingSave {
        run: None,
        files: saving.files().clone(),
        is_named,
        is_elsewhere: saving.is_elsewhere(),
        again: false,
    });
    wait(app, then);
    vec![Effect::Save(Box::new(saving))]
}

/// Shows that an action waits for the save in progress, with the option to continue.
pub(super) fn wait(app: &mut App, then: AfterSave) {
    if let (Some(name), false) = (app.files.saving(), matches!(then, AfterSave::Stay)) {
        let is_kept = app.editor.configured.settings.saving.autosave.is_some();
        app.dialog = Some(Dialog::Question(Question::saving(&name, then, is_kept)));
    }
}

/// Cancels the writes that the open dialog waits for, because the user wants another name or none.
pub(super) fn give_up_named(app: &mut App) -> Vec<Effect> {
    let mut effects = Vec::new();
    if app.files.copying.take_if(|copying| copying.is_named).is_some() {
        effects.push(Effect::LeaveCopy);
    }
    if app.files.saving.take_if(|saving| saving.is_named).is_some() {
        effects.push(Effect::LeaveSaving);
        effects.extend(look_later(app));
    }
    effects
}

/// Runs a check of the files that was postponed during the save.
fn look_later(app: &mut App) -> Vec<Effect> {
    let later = app.files.look_later.take();
    later.map_or_else(Vec::new, |watch| look(app, watch))
}

/// Converts a failure of the worker to a save error.
fn outcome(saved: Result<Box<Saved>, String>) -> Result<Box<Saved>, SaveError> {
    saved.map_err(|why| {
        let text = format!("it cannot be written, a fault of the program: {why}");
        SaveError::Storage(io::Error::other(text).into())
    })
}

/// Handles the result of a save.
pub(in crate::tui) fn saved(app: &mut App, run: RunId, saved: Result<Box<Saved>, String>) -> Vec<Effect> {
    let Some(writing) = PendingSave::take(&mut app.files.saving, run) else {
        return Vec::new();
    };
    let before = app.editor.document.shared();
    let outcome = outcome(saved).and_then(|saved| app.editor.document.finish(*saved));
    app.files.is_old();
    // If nothing was unsaved, saving may have reloaded changes by another program.
    let taken = *app.editor.document.design() != *before;
    let mut effects = if taken { app.editor.regrow() } else { Vec::new() };
    let whoever = Waiting::of(app, writing.is_named);
    let title = app.editor.document.title();
    match outcome {
        Ok(_) if taken => {
            say_read_again(app);
            effects.extend(whoever.go_on(app, writing.again));
        }
        Ok(notes) => {
            if writing.is_elsewhere {
                app.editor.watch();
                effects.push(Effect::Remember(writing.files.clone()));
            }
            effects.extend(written(app, &notes, whoever, writing.again));
        }
        // The question appears once the user is not in the middle of an action.
        Err(SaveError::Changed) => app.editor.conflict_waits = true,
        Err(SaveError::Unreadable) => {
            let text = format!("{title} was not saved: it was changed elsewhere and cannot be read as it stands");
            whoever.ask(app, text, |then| Question::unreadable(&title, then));
        }
        Err(SaveError::InTheWay(there)) => {
            let text = format!("not saved: {} exists already", names(&there));
            whoever.ask(app, text, |then| Question::replacing(writing.files, &there, then));
        }
        Err(error) => whoever.refuse(app, &error),
    }
    effects.extend(look_later(app));
    effects
}

/// Reports that the design was saved and what its format could not store; then runs the following action.
fn written(app: &mut App, notes: &[Diagnostic], waiting: Waiting, again: bool) -> Vec<Effect> {
    let Some(note) = lost(notes) else {
        let files = names(&app.editor.document.files());
        app.editor
            .say(NoticeLevel::Done, format!("saved: {files}{}", remarks(notes)));
        return waiting.go_on(app, again);
    };
    // The user should read this before quitting.
    let text = format!("{}\n{}", note.message, note.help);
    waiting.ask(app, format!("saved, except for this: {}", note.message), |_| {
        Question::note("Saved, except for this", text)
    });
    Vec::new()
}

/// Returns the first thing that the files could not hold.
fn lost(notes: &[Diagnostic]) -> Option<&Diagnostic> {
    notes.iter().find(|note| note.severity > Severity::Note)
}

/// Returns further notes about files that hold everything, to append to a message.
fn remarks(notes: &[Diagnostic]) -> String {
    notes.iter().flat_map(|note| ["; ", &note.message]).collect()
}

/// Handles the result of a copy.
pub(in crate::tui) fn copied(app: &mut App, run: RunId, saved: Result<Box<Saved>, String>) -> Vec<Effect> {
    let Some(writing) = PendingSave::take(&mut app.files.copying, run) else {
        return Vec::new();
    };
    let is_named = writing.is_named && matches!(app.dialog, Some(Dialog::Share));
    match outcome(saved).and_then(|saved| app.editor.document.finish(*saved)) {
        Ok(notes) => {
            if is_named {
                app.dialog = None;
            }
            let files = names(&writing.files.paths());
            match lost(&notes) {
                None => app.editor.say(
                    NoticeLevel::Done,
                    format!("a copy was written: {files}{}", remarks(&notes)),
                ),
                Some(note) if app.dialog.is_none() && !app.is_busy() => {
                    let text = format!("{}\n{}", note.message, note.help);
                    app.dialog = Some(Dialog::Question(Question::note("Written, except for this", text)));
                }
                Some(note) => {
                    let text = format!("a copy was written, except for this: {}", note.message);
                    app.editor.say(NoticeLevel::Warning, text);
                }
            }
            export_dialog::settled(app, lost(&notes).is_none())
        }
        Err(SaveError::InTheWay(there)) if is_named => {
            app.dialog = Some(Dialog::Question(Question::exporting(writing.files, &there)));
            vec![Effect::LeaveSample]
        }
        Err(error) if is_named => export_dialog::refuse(app, error.to_string()),
        Err(error) => {
            app.editor.say(
                NoticeLevel::Error,
                format!("{} was not written: {error}", writing.name()),
            );
            export_dialog::settled(app, false)
        }
    }
}

/// What waited for a completed save.
enum Waiting {
    /// The form that named the files, which can show an error.
    Form(Box<crate::tui::dialog::FilesForm>),
    /// The following action; the user can be interrupted.
    Free(AfterSave),
    /// Nothing, and the user is in the middle of something that a question would end.
    Busy,
}

impl Waiting {
    /// Takes the waiting dialog off the screen.
    fn of(app: &mut App, is_named: bool) -> Self {
        match app.dialog.take() {
            Some(Dialog::Form(form)) if is_named => Self::Form(form),
            Some(Dialog::Question(question)) => match question.waiting() {
                Ok(then) => Self::Free(then),
                Err(question) => {
                    app.dialog = Some(Dialog::Question(*question));
                    Self::Busy
                }
            },
            None if !app.is_busy() => Self::Free(AfterSave::Stay),
            dialog => {
                app.dialog = dialog;
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

    /// Runs the following action. Later edits are saved first, or asked about.
    fn go_on(self, app: &mut App, again: bool) -> Vec<Effect> {
        let then = self.then();
        if !app.editor.document.is_dirty() || (matches!(then, AfterSave::Stay) && !again) {
            return follow(app, then);
        }
        if again {
            return save(app, false, then);
        }
        app.dialog = Some(Dialog::Question(Question::leaving(&app.editor.document.title(), then)));
        Vec::new()
    }

    /// Opens a question if that interrupts nothing, else shows `told` as a notice.
    fn ask(self, app: &mut App, told: String, question: impl FnOnce(AfterSave) -> Question) {
        match self {
            Self::Busy => app.editor.say(NoticeLevel::Error, told),
            other => app.dialog = Some(Dialog::Question(question(other.then()))),
        }
    }

    /// Reports why the design was not saved.
    fn refuse(self, app: &mut App, why: &SaveError) {
        match self {
            Self::Form(mut form) => {
                form.refuse(why.to_string());
                app.dialog = Some(Dialog::Form(form));
            }
            other => other.ask(app, format!("not saved: {why}"), |_| {
                Question::note("Not saved", why.to_string())
            }),
        }
    }
}
