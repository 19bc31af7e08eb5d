//! The open design's files, as the designer deals with them: saving, changes made elsewhere, opening another
//! design, leaving.
//!
//! The document decides what changed on which side and never loses one; this module asks the person and tells
//! what happened.

use std::path::{Path, PathBuf};

use crossterm::event::KeyCode;
use ratatui::style::Style;

use super::app::{Action, App, Effect, Tone};
use super::dialog::{self, Dialog, Purpose, Question, Shows};
use super::keys::{Binding, Context, Key, bindings};
use super::panels::{self, Panel};
use super::theme::Theme;
use super::{compare, intake, recovery, share, vaults};
use crate::design::{Diagnostic, MemoryUse, Severity};
use crate::document::{Document, Fresh, Reload, SaveError, Side};
use crate::storage::{DesignFiles, Leftover};
use crate::worker::{Fetch, Fetched, RunId};

/// What can be done with files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Command {
    /// Save where the design is kept.
    Save,
    /// Save somewhere else.
    SaveAs,
    /// Write the dungeon for other programs, or a copy of the design.
    Export,
    /// Open another design.
    Open,
    /// Choose from the designs that come with the program.
    Presets,
    /// Look for work that a crash left unsaved.
    Recover,
    /// Leave the designer.
    Quit,
}

/// Keys of files; they hold everywhere.
pub(super) static KEYS: &[Binding] = bindings! {
    Context::Alert, "put away", [Key::plain(KeyCode::Esc)], Action::PutAway, true, "Put the message away.";
    Context::Everywhere, "save", [Key::ctrl('s')], Action::File(Command::Save), true, "Save the design to its files.";
    Context::Everywhere, "save as", [Key::char('S'), Key::plain(KeyCode::F(12))], Action::File(Command::SaveAs), false, "Save to another place: one TOML file, or rooms, stats and constants files.";
    Context::Everywhere, "export", [Key::char('P')], Action::File(Command::Export), false, "Write the dungeon for other programs (text, pictures, films, maps of game tools), or a copy of the design.";
    Context::Everywhere, "open", [Key::char('o'), Key::ctrl('o')], Action::File(Command::Open), false, "Open another design: one of the last, one in a folder, or one that comes with the program.";
    Context::Everywhere, "presets", [Key::char('p')], Action::File(Command::Presets), true, "Choose from the designs that come with the program.";
    Context::Everywhere, "recover", [], Action::File(Command::Recover), false, "Look for work that a crash or a kill left unsaved, and offer it.";
};

/// What follows once the open design is safe.
#[derive(Debug, Default)]
pub(super) enum Then {
    /// Nothing.
    #[default]
    Stay,
    /// Leave the designer.
    Quit,
    /// Open another design.
    Open(Box<Document>),
    /// Open what a crash left unsaved.
    Recover(Box<Leftover>),
}

/// Does a command.
pub(super) fn update(app: &mut App, command: Command) -> Vec<Effect> {
    let (taken, mut effects) = panels::take_typed(app);
    if !taken {
        return effects;
    }
    effects.extend(match command {
        Command::Save => save(app, false, Then::Stay),
        Command::SaveAs => {
            app.dialog = Some(Dialog::form(Purpose::SaveAs(Then::Stay), &app.document));
            Vec::new()
        }
        Command::Export => share::begin(app),
        Command::Open => dialog::begin_open(app, Shows::All),
        Command::Presets => dialog::begin_open(app, Shows::Presets),
        Command::Recover => recovery::look(app),
        Command::Quit => proceed(app, Then::Quit),
    });
    effects
}

/// Does what follows, or asks first when there are unsaved changes.
pub(super) fn proceed(app: &mut App, then: Then) -> Vec<Effect> {
    // Who compares chose it for that; the open design stays.
    let then = match then {
        Then::Open(document) if app.compare.is_open() => {
            app.dialog = None;
            return compare::with(app, document);
        }
        then => then,
    };
    if app.document.is_dirty() {
        app.dialog = Some(Dialog::Question(Question::leaving(&app.document.title(), then)));
        return Vec::new();
    }
    follow(app, then)
}

/// Does what follows, whatever becomes of unsaved changes.
pub(super) fn follow(app: &mut App, then: Then) -> Vec<Effect> {
    match then {
        Then::Stay => Vec::new(),
        Then::Quit => share::leave(app),
        Then::Open(document) => {
            let mut effects = app.open(*document);
            // What it holds may have been read a while ago.
            effects.extend(look(app, false));
            effects
        }
        Then::Recover(leftover) => recovery::recover(app, *leftover),
    }
}

/// Saves the design where it is kept, and does what follows when that worked.
pub(super) fn save(app: &mut App, replace: bool, then: Then) -> Vec<Effect> {
    app.document.backups_mut().want(app.configured.settings.saving.backups);
    let before = app.document.design().clone();
    let saved = app.document.save(replace);
    app.files.is_old();
    // Where nothing was unsaved, saving may have read what another program wrote.
    let taken = *app.document.design() != before;
    let mut effects = if taken { app.regrow() } else { Vec::new() };
    match saved {
        Ok(_) if taken => {
            app.say(
                Tone::Done,
                format!("{} was changed elsewhere: read and grown again", app.document.title()),
            );
            effects.extend(follow(app, then));
        }
        Ok(notes) => effects.extend(saved_to(app, &notes, then)),
        Err(SaveError::NoFiles) => {
            app.dialog = Some(Dialog::form(Purpose::SaveAs(then), &app.document));
        }
        Err(SaveError::Changed) => app.dialog = Some(Dialog::Question(Question::conflict(&app.document.title()))),
        Err(SaveError::Unreadable) => {
            app.dialog = Some(Dialog::Question(Question::unreadable(&app.document.title(), then)));
        }
        Err(error @ SaveError::Storage(_)) => {
            app.dialog = Some(Dialog::Question(Question::note("Not saved", error.to_string())));
        }
    }
    effects
}

/// Saves to other files; gives back why that failed.
pub(super) fn save_as(app: &mut App, files: DesignFiles, then: Then) -> Result<Vec<Effect>, (String, Then)> {
    app.document.backups_mut().want(app.configured.settings.saving.backups);
    app.files.is_old();
    match app.document.save_as(files) {
        Ok(notes) => {
            app.dialog = None;
            let mut effects = vec![app.watch()];
            effects.extend(app.document.design_files().cloned().map(Effect::Remember));
            effects.extend(saved_to(app, &notes, then));
            Ok(effects)
        }
        Err(error) => Err((error.to_string(), then)),
    }
}

/// Writes a copy to other files; gives back why that failed.
pub(super) fn export(app: &mut App, files: &DesignFiles) -> Result<(), String> {
    app.document.backups_mut().want(app.configured.settings.saving.backups);
    let notes = app.document.export(files).map_err(|error| error.to_string())?;
    app.dialog = None;
    match notes.first() {
        None => app.say(Tone::Done, format!("a copy was written: {}", names(&files.paths()))),
        Some(note) => {
            let text = format!("{}\n{}", note.message, note.help);
            app.dialog = Some(Dialog::Question(Question::note("Written, except for this", text)));
        }
    }
    Ok(())
}

/// Those of some paths that are the design's own files.
pub(super) fn own_paths(document: &Document, paths: &[PathBuf]) -> Vec<PathBuf> {
    let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let own: Vec<PathBuf> = document.files().iter().map(|path| real(path)).collect();
    paths.iter().filter(|path| own.contains(&real(path))).cloned().collect()
}

/// Tells that the design was saved and what its format could not carry; then does what follows.
fn saved_to(app: &mut App, notes: &[Diagnostic], then: Then) -> Vec<Effect> {
    match notes.first() {
        None => app.say(Tone::Done, format!("saved: {}", names(&app.document.files()))),
        Some(note) => {
            let text = format!("{}\n{}", note.message, note.help);
            app.dialog = Some(Dialog::Question(Question::note("Saved, except for this", text)));
            // Whoever leaves now should have read it.
            return Vec::new();
        }
    }
    follow(app, then)
}

/// The files that a saving would replace although they are not the document's.
pub(super) fn in_the_way(document: &Document, files: &DesignFiles) -> Vec<PathBuf> {
    let own = document.files();
    files
        .paths()
        .into_iter()
        .filter(|path| path.exists() && !own.contains(path))
        .collect()
}

/// What is being read.
#[derive(Debug, Default)]
pub(super) struct State {
    /// What is to be opened: the number of the errand once it has one, and what it is called.
    opening: Option<(Option<RunId>, String)>,
    /// What is open and is looked at again.
    looking: Option<Looking>,
}

/// A look at the open files that is under way.
#[derive(Debug)]
struct Looking {
    run: Option<RunId>,
    /// Whether the files are to be watched anew then: folders may have come that were not there.
    watch: bool,
    /// Whether what comes of it is of yesterday: the files were written since, or may have changed once more.
    again: bool,
}

impl State {
    /// What is waited for, to be opened.
    pub(super) fn opening(&self) -> Option<&str> {
        self.opening.as_ref().map(|(_, name)| name.as_str())
    }

    /// The number of the errand that the last [`Effect::Open`] became. What others bring is dropped.
    pub(super) const fn opening_begun(&mut self, run: RunId) {
        if let Some((number, _)) = &mut self.opening {
            *number = Some(run);
        }
    }

    /// The number of the errand that the last [`Effect::LookAgain`] became. What others bring is dropped.
    pub(super) const fn look_begun(&mut self, run: RunId) {
        if let Some(looking) = &mut self.looking {
            looking.run = Some(run);
        }
    }

    /// What is being read of the open files is of yesterday.
    const fn is_old(&mut self) {
        if let Some(looking) = &mut self.looking {
            looking.again = true;
        }
    }

    /// The open files are others now.
    pub(super) fn renewed(&mut self) {
        self.looking = None;
    }

    /// Waits no longer for what was to be opened.
    pub(super) fn give_up(&mut self) {
        self.opening = None;
    }
}

/// Reads what is to be opened.
pub(super) fn open(app: &mut App, fetch: Fetch) -> Vec<Effect> {
    let paths = fetch.files.as_ref().map(DesignFiles::paths).unwrap_or_default();
    let path = fetch.typed.as_ref().or(paths.first());
    let name = path.map_or_else(String::new, |path| names(std::slice::from_ref(path)));
    app.files.opening = Some((None, name));
    vec![Effect::Open(fetch)]
}

/// Takes what was read to be opened.
pub(super) fn opened(app: &mut App, run: RunId, fetched: Result<Box<Fetched>, String>) -> Vec<Effect> {
    if app.files.opening.take_if(|(number, _)| *number == Some(run)).is_none() {
        return Vec::new();
    }
    let read = match fetched.map(|fetched| *fetched) {
        Err(why) => Err(format!("it cannot be opened, a fault of the program: {why}")),
        Ok(Fetched {
            drawing: Some(path), ..
        }) => {
            let lays = matches!(&app.dialog, Some(Dialog::Open(open)) if open.lays());
            return intake::begin(app, &path, lays);
        }
        Ok(Fetched { files: None, .. }) => return dialog::open_listed(app),
        Ok(Fetched {
            files: Some(files),
            reel: Some(reel),
            ..
        }) => reel.map(|reel| {
            let memory = crate::document::available_memory(MemoryUse::Showing);
            Document::recorded(*reel, files.reel(), memory)
        }),
        Ok(Fetched {
            files: Some(files),
            fresh,
            ..
        }) => {
            let memory = crate::document::available_memory(MemoryUse::Showing);
            Document::from_fresh(files, fresh, None, memory).map_err(|problems| {
                let worst = problems.iter().max_by_key(|problem| problem.severity);
                worst.map_or_else(|| "there is no design in it".into(), told)
            })
        }
    };
    match read {
        Ok(document) => {
            app.dialog = None;
            proceed(app, Then::Open(Box::new(document)))
        }
        Err(why) => dialog::not_opened(app, why),
    }
}

/// What is told of a design that was just made of a drawing.
pub(super) fn told_of_drawing(document: &Document) -> Option<(Tone, String)> {
    let lost: Vec<&str> = document
        .drawn()
        .iter()
        .filter(|told| told.severity > Severity::Note)
        .map(|told| told.message.as_str())
        .collect();
    if document.drawn().is_empty() {
        return None;
    }
    let (walls, title) = (document.design().layout.walls.len(), document.title());
    let made = format!("{title}: a new design with {walls} wall tiles placed by hand");
    Some(match lost.first() {
        None => (Tone::Done, made),
        Some(first) => (Tone::Warning, format!("{made}; {first}")),
    })
}

/// A problem in two lines: where and what, and what to do.
fn told(problem: &Diagnostic) -> String {
    let place = problem.source.as_ref().map_or_else(String::new, |source| {
        format!("{}:{}:{}: ", source.file, source.line, source.column)
    });
    format!("{place}{}\n{}", problem.message, problem.help)
}

/// Looks at the open files again, where they may have changed.
pub(super) fn look(app: &mut App, watch: bool) -> Vec<Effect> {
    if let Some(looking) = &mut app.files.looking {
        // What is read now may be read too early.
        (looking.again, looking.watch) = (true, looking.watch | watch);
        return Vec::new();
    }
    app.files.looking = Some(Looking {
        run: None,
        watch,
        again: false,
    });
    let mut levels = app.document.watched();
    levels.retain(|path| !app.document.files().contains(path));
    levels.extend(app.vaults.files());
    vec![Effect::LookAgain(Fetch {
        files: app.document.design_files().cloned(),
        levels,
        ..Fetch::default()
    })]
}

/// Takes what the open files hold.
pub(super) fn seen(app: &mut App, run: RunId, fetched: Result<Box<Fetched>, String>) -> Vec<Effect> {
    let Some(looking) = app.files.looking.take_if(|looking| looking.run == Some(run)) else {
        return Vec::new();
    };
    if looking.again {
        return look(app, looking.watch);
    }
    let fresh = match fetched {
        Ok(fetched) => fetched.fresh,
        Err(why) => {
            app.say(
                Tone::Error,
                format!("the files cannot be read, a fault of the program: {why}"),
            );
            return Vec::new();
        }
    };
    let levels = fresh.levels.clone();
    let mut effects = reload(app, fresh);
    if looking.watch {
        effects.push(app.watch());
    }
    effects.extend(vaults::reload(app, &levels));
    effects
}

/// Takes what the files hold now and tells what became of them.
fn reload(app: &mut App, fresh: Fresh) -> Vec<Effect> {
    let title = app.document.title();
    let waiting = app.document.conflict().is_some();
    let (outcome, vaults) = app.document.reload_from(fresh);
    if vaults {
        app.gallery.forget();
        app.luck.forget();
    }
    if outcome != Reload::Broken
        && let Some(panel) = app.panels.leave_problems()
    {
        app.panels.shown = panel;
    }
    panels::keep_in_view(app);
    match outcome {
        Reload::Unchanged => {
            if waiting && app.document.conflict().is_none() {
                app.dialog
                    .take_if(|dialog| matches!(dialog, Dialog::Question(question) if question.is_conflict()));
                app.say(
                    Tone::Done,
                    format!("{title} holds what you have: nothing to decide any more"),
                );
            }
            if !vaults {
                return Vec::new();
            }
            app.say(Tone::Done, "a level file was changed elsewhere: read and grown again");
            app.regrow()
        }
        Reload::Reloaded => {
            let effects = app.regrow();
            if app.document.valid().is_some() {
                app.say(
                    Tone::Done,
                    format!("{title} was changed elsewhere: read and grown again"),
                );
            }
            effects
        }
        Reload::Broken => {
            app.panels.show_problems();
            app.say(
                Tone::Error,
                format!("{title} is broken: see Problems; the last good design stands"),
            );
            Vec::new()
        }
        Reload::Conflict => {
            // What was told of an earlier state of the file does not hold any more.
            app.notice = None;
            app.conflict_waits = app.dialog.is_none();
            if !app.conflict_waits {
                app.say(
                    Tone::Warning,
                    format!("{title} was changed elsewhere, and here as well: saving will ask"),
                );
            }
            Vec::new()
        }
        Reload::Gone => {
            app.say(
                Tone::Warning,
                format!("{title} was deleted or moved: the design stands and is unsaved"),
            );
            Vec::new()
        }
    }
}

/// Asks about a change on both sides, once the user is amid nothing that a question would end.
pub(super) fn ask_conflict(app: &mut App) {
    if !app.conflict_waits || app.dialog.is_some() || app.is_busy() {
        return;
    }
    app.conflict_waits = false;
    if app.document.conflict().is_some() {
        app.dialog = Some(Dialog::Question(Question::conflict(&app.document.title())));
    }
}

/// Decides a conflict.
pub(super) fn resolve(app: &mut App, side: Side) -> Vec<Effect> {
    app.dialog = None;
    app.document.resolve(side);
    panels::keep_in_view(app);
    let text = match side {
        Side::Mine => "your version stands, unsaved; undo brings the other one",
        Side::Theirs => "the file's version stands; undo brings yours",
    };
    let effects = app.regrow();
    if app.document.valid().is_some() {
        app.say(Tone::Done, text);
    }
    effects
}

/// Where a design is kept: labels and paths.
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
            let mut rows = vec![("rooms", text(rooms)), ("stats", text(stats))];
            rows.extend(constants.as_ref().map(|path| ("constants", text(path))));
            rows
        }
    }
}

/// Whether the files hold all of the design, in words.
pub(super) fn state(document: &Document, theme: Theme) -> (&'static str, Style) {
    if document.conflict().is_some() {
        ("changed here and elsewhere; saving asks", theme.error())
    } else if document.is_dirty() {
        ("● unsaved changes", theme.warning())
    } else if document.design_files().is_some() {
        ("saved", theme.good())
    } else {
        ("nothing to save", theme.quiet())
    }
}

/// The names of some files, without their folders.
fn names(files: &[PathBuf]) -> String {
    let names = files.iter().filter_map(|path| path.file_name());
    names
        .map(|name| name.to_string_lossy().into_owned())
        .collect::<Vec<_>>()
        .join(", ")
}

impl panels::State {
    /// Shows the problems of broken files, unless a value is being typed.
    fn show_problems(&mut self) {
        if !self.is_typing() && self.shown != Panel::Problems {
            self.before_problems = Some(self.shown);
            self.shown = Panel::Problems;
        }
    }

    /// The panel that broken files took the place of, if it is not shown again yet.
    fn leave_problems(&mut self) -> Option<Panel> {
        self.before_problems.take().filter(|_| self.shown == Panel::Problems)
    }
}
