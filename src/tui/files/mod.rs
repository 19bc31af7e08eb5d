//! The files of the open design: [`saving`], changes made elsewhere ([`checking`]), [`opening`] another design,
//! quitting.
//!
//! The document detects changes on both sides and never loses one; this module asks the user and reports the outcome.
//! Workers do the reading and writing, because a drive may hang.

mod checking;
mod opening;
mod saving;
#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};

use crossterm::event::KeyCode;
use ratatui::style::Style;

use self::checking::FileCheck;
pub(super) use self::checking::{ask_conflict, look, resolve, seen};
pub(super) use self::opening::{open, opened, told_of_drawing};
use self::saving::PendingSave;
pub(super) use self::saving::{copied, copy, save, save_as_named, save_over, saved};
use super::app::{Action, App, Effect};
use super::dialog::{self, Dialog, FormPurpose, OpenFilter, Question};
use super::keys::{Binding, Context, Key, bindings};
use super::panels;
use super::theme::Theme;
use super::{compare, export_dialog, recovery};
use crate::background::RunId;
use crate::document::Document;
use crate::storage::{DesignFiles, RecoverableWork};

/// A command about files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FileCommand {
    /// Saves to the design's files.
    Save,
    /// Saves to other files.
    SaveAs,
    /// Exports the dungeon for other programs, or writes a copy of the design.
    Export,
    /// Opens another design.
    Open,
    /// Lists the presets.
    Presets,
    /// Finds work that a crash left unsaved.
    Recover,
    /// Quits the app.
    Quit,
}

/// Key bindings about files; active everywhere.
pub(super) static KEYS: &[Binding] = bindings! {
    Context::Alert, "put away", [Key::plain(KeyCode::Esc)], Action::PutAway, true, "Put the message away.";
    Context::Everywhere, "save", [Key::ctrl('s')], Action::File(FileCommand::Save), true, "Save the design to its files.";
    Context::Everywhere, "save as", [Key::char('S'), Key::plain(KeyCode::F(12))], Action::File(FileCommand::SaveAs), false, "Save to another place: one TOML file, or rooms, stats and constants files.";
    Context::Everywhere, "export", [Key::char('P')], Action::File(FileCommand::Export), false, "Write the dungeon for other programs (text, pictures, films, maps of game tools), or a copy of the design.";
    Context::Everywhere, "open", [Key::char('o'), Key::ctrl('o')], Action::File(FileCommand::Open), false, "Open another design: one of the last, one in a folder, or one that comes with the program.";
    Context::Everywhere, "presets", [Key::char('p')], Action::File(FileCommand::Presets), true, "Choose from the designs that come with the program.";
    Context::Everywhere, "recover", [], Action::File(FileCommand::Recover), false, "Look for work that a crash or a kill left unsaved, and offer it.";
};

/// The action that follows once the open design is safe.
#[derive(Debug, Default)]
pub(super) enum AfterSave {
    /// None.
    #[default]
    Stay,
    /// Quits the app.
    Quit,
    /// Opens another design.
    Open(Box<Document>),
    /// Recovers work that a crash left unsaved.
    Recover(Box<RecoverableWork>),
}

/// Runs a command.
pub(super) fn update(app: &mut App, command: FileCommand) -> Vec<Effect> {
    let (taken, mut effects) = panels::take_typed(app);
    if !taken {
        return effects;
    }
    effects.extend(match command {
        FileCommand::Save => save(app, false, AfterSave::Stay),
        FileCommand::SaveAs => {
            app.dialog = Some(Dialog::form(FormPurpose::SaveAs(AfterSave::Stay), &app.editor.document));
            Vec::new()
        }
        FileCommand::Export => export_dialog::begin(app),
        FileCommand::Open => dialog::begin_open(app, OpenFilter::All),
        FileCommand::Presets => dialog::begin_open(app, OpenFilter::Presets),
        FileCommand::Recover => recovery::look(app),
        FileCommand::Quit => proceed(app, AfterSave::Quit),
    });
    effects
}

/// Runs the following action, or asks first if there are unsaved changes or a save in progress.
pub(super) fn proceed(app: &mut App, then: AfterSave) -> Vec<Effect> {
    // During a comparison, the chosen design is compared; the open one stays.
    let then = match then {
        AfterSave::Open(document) if app.compare.is_open() => {
            app.dialog = None;
            compare::with(&mut app.compare, &mut app.editor, document);
            return Vec::new();
        }
        then => then,
    };
    if app.files.saving().is_some() && !matches!(then, AfterSave::Stay) {
        saving::wait(app, then);
        return Vec::new();
    }
    if app.editor.document.is_dirty() {
        app.dialog = Some(Dialog::Question(Question::leaving(&app.editor.document.title(), then)));
        return Vec::new();
    }
    follow(app, then)
}

/// Runs the following action regardless of unsaved changes.
pub(super) fn follow(app: &mut App, then: AfterSave) -> Vec<Effect> {
    match then {
        AfterSave::Stay => Vec::new(),
        AfterSave::Quit => export_dialog::leave(app),
        AfterSave::Open(document) => {
            let mut effects = app.open(*document);
            // The document may have been read a while ago.
            effects.extend(look(app, false));
            effects
        }
        AfterSave::Recover(leftover) => recovery::recover(app, *leftover),
    }
}

/// Cancels the requests that the open dialog waits for.
pub(super) fn give_up(app: &mut App) -> Vec<Effect> {
    let opening = app.files.give_up_opening();
    let mut effects: Vec<Effect> = opening.then_some(Effect::GiveUp).into_iter().collect();
    effects.extend(saving::give_up_named(app));
    effects.extend(export_dialog::give_up(app));
    effects
}

/// Returns the paths of a design's files with their labels.
pub(super) fn kept_in(document: &Document) -> Vec<(&'static str, String)> {
    let text = |path: &Path| path.display().to_string();
    match document.design_files() {
        None => vec![("file", "none yet".into())],
        Some(DesignFiles::Toml(path)) => vec![("file", text(path))],
        Some(DesignFiles::Legacy {
            rooms,
            stats,
            constants,
        }) => {
            let stats = stats
                .as_ref()
                .map_or_else(|| "none: built-in defaults".into(), |path| text(path));
            let mut rows = vec![("rooms", text(rooms)), ("stats", stats)];
            rows.extend(constants.as_ref().map(|path| ("constants", text(path))));
            rows
        }
    }
}

/// Returns the mark in the title: saving in progress, or unsaved changes.
pub(super) fn mark(app: &App) -> &'static str {
    if app.files.saving.is_some() {
        " · saving …"
    } else if app.editor.document.is_dirty() {
        " ●"
    } else {
        ""
    }
}

/// Returns the state of the files as text with its style.
pub(super) fn state(app: &App, theme: Theme) -> (&'static str, Style) {
    let document = &app.editor.document;
    if app.files.saving.is_some() {
        ("saving …", theme.warning())
    } else if document.conflict().is_some() {
        ("changed here and elsewhere; saving asks", theme.error())
    } else if document.is_dirty() {
        ("● unsaved changes", theme.warning())
    } else if document.design_files().is_some() {
        ("saved", theme.good())
    } else {
        ("nothing to save", theme.quiet())
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
    /// File being opened: the number of its request once it has one, and its name.
    opening: Option<(Option<RunId>, String)>,
    /// Check of the open files in progress.
    looking: Option<FileCheck>,
    /// Save in progress.
    saving: Option<PendingSave>,
    /// Copy in progress.
    copying: Option<PendingSave>,
    /// Whether to check the files after the save; the value: whether to renew the watches then.
    look_later: Option<bool>,
    /// Last notice about the open files, which may be invalid once they change again.
    said: Option<String>,
}

impl FilesState {
    /// Resets the state for another document.
    pub(super) fn renewed(&mut self) {
        (self.looking, self.saving, self.look_later) = (None, None, None);
        self.said = None;
    }
}
