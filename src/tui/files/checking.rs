//! Checking the open files again: which changes another program made, and how they are resolved.

use super::FilesState;
use crate::background::{ReadReply, ReadRequest, RunId};
use crate::document::{FileSnapshot, Reload, Reloaded, Side};
use crate::tui::app::{App, Effect, NoticeLevel};
use crate::tui::dialog::{Dialog, Question};
use crate::tui::panels;
use crate::tui::vault_browser;

/// A check of the open files in progress.
#[derive(Debug)]
pub(super) struct FileCheck {
    run: Option<RunId>,
    /// Whether to renew the file watches afterwards: missing folders may exist now.
    watch: bool,
    /// Whether its result is outdated: the files were written since, or may have changed once more.
    again: bool,
}

impl FilesState {
    /// Sets the number of the request for the last [`Effect::LookAgain`]. Other replies are dropped.
    pub(in crate::tui) const fn look_begun(&mut self, run: RunId) {
        if let Some(looking) = &mut self.looking {
            looking.run = Some(run);
        }
    }

    /// Marks the check in progress as outdated.
    pub(super) const fn is_old(&mut self) {
        if let Some(looking) = &mut self.looking {
            looking.again = true;
        }
    }
}

/// Checks the open files, after they may have changed.
pub(in crate::tui) fn look(app: &mut App, watch: bool) -> Vec<Effect> {
    if app.files.saving.is_some() {
        // A read during a save could return either version.
        app.files.look_later = Some(app.files.look_later.unwrap_or(false) | watch);
        return Vec::new();
    }
    if let Some(looking) = &mut app.files.looking {
        // The check in progress may have read the files too early.
        (looking.again, looking.watch) = (true, looking.watch | watch);
        return Vec::new();
    }
    app.files.looking = Some(FileCheck {
        run: None,
        watch,
        again: false,
    });
    let mut levels = app.editor.document.watched();
    levels.retain(|path| !app.editor.document.files().contains(path));
    levels.extend(app.vaults.files());
    vec![Effect::LookAgain(ReadRequest {
        files: app.editor.document.design_files().cloned(),
        levels,
        ..ReadRequest::default()
    })]
}

/// Handles the content of the open files.
pub(in crate::tui) fn seen(app: &mut App, run: RunId, fetched: Result<Box<ReadReply>, String>) -> Vec<Effect> {
    let Some(looking) = app.files.looking.take_if(|looking| looking.run == Some(run)) else {
        return Vec::new();
    };
    if looking.again || app.files.saving.is_some() {
        return look(app, looking.watch);
    }
    let fresh = match fetched {
        Ok(fetched) => fetched.fresh,
        Err(why) => {
            app.editor.say(
                NoticeLevel::Error,
                format!("the files cannot be read, a fault of the program: {why}"),
            );
            return Vec::new();
        }
    };
    let levels = fresh.levels.clone();
    let effects = reload(app, fresh);
    if looking.watch {
        app.editor.watch();
    }
    vault_browser::reload(&mut app.vaults, &mut app.editor, &levels);
    effects
}

/// Reloads the design from the files, and reports the outcome.
fn reload(app: &mut App, fresh: FileSnapshot) -> Vec<Effect> {
    let waiting = app.editor.document.conflict().is_some();
    let found = app.editor.document.reload_from(fresh);
    if found.is_other_level {
        app.gallery.forget();
        app.luck.forget();
    }
    if found.outcome != Reload::Broken {
        app.panels.leave_problems(&mut app.editor);
    }
    panels::keep_in_view(app);
    if found.is_other_text {
        // A notice about an earlier version of the files is out of date.
        let said = app.files.said.take();
        app.editor.notice.take_if(|(_, text)| said.as_ref() == Some(text));
    }
    match found.outcome {
        Reload::Unchanged => unchanged(app, found, waiting),
        Reload::Reloaded => {
            let effects = app.editor.regrow();
            say_read_again(app);
            effects
        }
        Reload::Broken => {
            app.panels.show_problems(&mut app.editor);
            let names = app.editor.document.changed_names();
            let what = if app.editor.document.is_unreadable() {
                "cannot be read"
            } else {
                "has errors"
            };
            say(
                app,
                NoticeLevel::Error,
                format!("{names} {what} (see Problems); showing the last valid version"),
            );
            Vec::new()
        }
        Reload::Conflict => {
            app.editor.notice = None;
            app.editor.conflict_waits = app.dialog.is_none();
            if !app.editor.conflict_waits {
                let changed = app.editor.document.changed_files("changed elsewhere");
                say(
                    app,
                    NoticeLevel::Warning,
                    format!("{changed}, and here as well: saving will ask"),
                );
            }
            Vec::new()
        }
        Reload::Gone => {
            let gone = app.editor.document.changed_files("deleted or moved");
            say(app, NoticeLevel::Warning, format!("{gone}: the design is unsaved"));
            Vec::new()
        }
    }
}

/// Reports news while the design stays as it is: level files, warnings, a resolved conflict.
fn unchanged(app: &mut App, found: Reloaded, waiting: bool) -> Vec<Effect> {
    if waiting && app.editor.document.conflict().is_none() {
        app.dialog
            .take_if(|dialog| matches!(dialog, Dialog::Question(question) if question.is_conflict()));
        let names = app.editor.document.changed_names();
        app.editor.say(
            NoticeLevel::Done,
            format!("{names} holds what you have: nothing to decide any more"),
        );
    }
    if found.is_other_text
        && let Some(warnings) = warnings(app)
    {
        let changed = app.editor.document.changed_files("changed elsewhere");
        say(app, NoticeLevel::Warning, format!("{changed}; {warnings}"));
    }
    if !found.is_other_level {
        return Vec::new();
    }
    app.editor.say(
        NoticeLevel::Done,
        "a level file was changed elsewhere: read and grown again",
    );
    app.editor.regrow()
}

/// Reports that files changed elsewhere were reloaded and the design regrown, with warnings about them.
pub(super) fn say_read_again(app: &mut App) {
    if app.editor.document.valid().is_none() {
        return;
    }
    let changed = app.editor.document.changed_files("changed elsewhere");
    match warnings(app) {
        Some(warnings) => say(
            app,
            NoticeLevel::Warning,
            format!("{changed} and grown again; {warnings}"),
        ),
        None => say(app, NoticeLevel::Done, format!("{changed}: read and grown again")),
    }
}

/// Returns the first warning about the files that changed, with the number of the others.
fn warnings(app: &App) -> Option<String> {
    let mut warnings = app.editor.document.changed_warnings();
    let first = warnings.next()?;
    let line = first.source.as_ref().map_or(0, |source| source.line);
    let more = match warnings.count() {
        0 => String::new(),
        more => format!(" (and {more} more in Problems)"),
    };
    Some(format!("line {line}: {}{more}", first.message))
}

/// Shows a notice about the open files that is valid until they change again.
fn say(app: &mut App, tone: NoticeLevel, text: String) {
    app.files.said = Some(text.clone());
    app.editor.say(tone, text);
}

/// Asks about a conflict, once the user is not in the middle of an action that a question would end.
pub(in crate::tui) fn ask_conflict(app: &mut App) {
    if !app.editor.conflict_waits || app.dialog.is_some() || app.is_busy() {
        return;
    }
    app.editor.conflict_waits = false;
    if app.editor.document.conflict().is_some() {
        app.dialog = Some(Dialog::Question(Question::conflict(&app.editor.document.title())));
    }
}

/// Resolves a conflict.
pub(in crate::tui) fn resolve(app: &mut App, side: Side) -> Vec<Effect> {
    app.dialog = None;
    app.editor.document.resolve(side);
    panels::keep_in_view(app);
    let text = match side {
        Side::Mine => "using your version, unsaved; undo restores the file's",
        Side::Theirs => "using the file's version; undo restores yours",
    };
    let effects = app.editor.regrow();
    if app.editor.document.valid().is_some() {
        app.editor.say(NoticeLevel::Done, text);
    }
    effects
}
