//! The designer in the terminal: the dungeon as it grows, beside the panels that edit it.
//!
//! There is one loop with one inbox. [`run`] waits for a message (a key, newly grown turns, a changed file), advances
//! playback by the time that has passed, handles as many of the waiting messages as a small time budget allows, and
//! redraws once if anything changed. Without playback, the loop uses no CPU time: it blocks until a message arrives.
//!
//! [`App`] is the state; it has no terminal, thread or clock. One table (`keymap`) maps keys to actions, actions
//! change the state and request [`Effect`]s, and drawing only reads `&App`. No module outside `tui` uses ratatui or
//! crossterm.
//!
//! # Modules
//!
//! A part is a module for one area of the interface, such as the map or a dialog. Its functions receive the part's own
//! state and the `Editor`. Only the shell of the app (the modules from `app` on) has access to the whole [`App`]. If a
//! part displays data of another part, the shell passes the data to the part that displays them. The shell also carries
//! out the parts' requests. In the table, `base` means the rows up to `editor`.
//!
//! | module | contents | may import |
//! |---|---|---|
//! | `areas`, `tabs` | the areas of the panes; the names of panels and views | nothing of `tui` |
//! | `jobs` | handles to jobs in progress | nothing of `tui` |
//! | `metric_reports`, `overlay` | what metrics and other parts show in panels, in views and on the map, as plain data | nothing of `tui` |
//! | `waiting` | requests on the control socket that are answered later | nothing of `tui` |
//! | `recorded`, `played_file` | what the designer and the player report about a recording file | recorded |
//! | `theme` | colours | nothing of `tui` |
//! | `pictures` | pictures in the terminal, with kitty's graphics protocol | nothing of `tui` |
//! | `query` | queries to the terminal before the first frame | pictures, theme |
//! | `wording` | names and descriptions of Builders, tiles, moments, fields, edits, layers and merge conflicts | nothing of `tui` |
//! | `widget` | lists, tables, tabs, text fields, forms, popups | theme |
//! | `commands` | actions, the commands of the parts, and effects | tabs, widget |
//! | `keymap` | the key table and the user's changes | commands, tabs, widget |
//! | `playback` | the run shown, and the moment of the run | commands, wording |
//! | `viewport` | zoom, origin and cursor of the map, and the options for what it shows | commands, jobs, widget |
//! | `walk` | the walk through the dungeon shown | nothing of `tui` |
//! | `editor` | the state that all parts share, and the edits of the design | all above |
//! | `buttons`, `footer` | keys as buttons and in the footer | base |
//! | `map`, `time`, `tools`, `views`, `metrics` | parts of the workspace | base |
//! | `panels`, `tuning` | parts of the workspace with buttons | base, buttons |
//! | `seed_gallery`, `compare` | full screens; the comparison shows metric values in the same format as the seed gallery | base, seed_gallery |
//! | `help`, `palette`, `tour`, `search`, `recovery` | help, command palette, tour, seed search, recoverable work | base |
//! | `dialog` | the dialogs: questions, file paths, new designs, the list of designs to open, unsaved work | base, help, metrics, palette, recovery, time |
//! | `files`, `vault_browser` | saving, reloading and opening; the vault browser | base, dialog |
//! | `export_dialog`, `import_dialog` | exports and imports | base, buttons, dialog |
//! | `screens` | the stack of full screens | base |
//! | `app` | the state of the designer; passes messages and replies to the parts | all above |
//! | `screen` | layout and drawing of the whole screen | all above |
//! | `apply_settings` | the user's settings, and the names that settings may use | all above |
//! | `guardian` | restores the terminal after the designer was killed | nothing of `tui` |
//! | `keyboard` | input from the terminal | pictures |
//! | `terminal` | the terminal session | guardian, pictures, query |
//! | `event_loop` | the loop over messages and frames | app, commands, pictures, terminal |
//! | `player` | the player of recordings | all above |
//! | `copying` | what is copied to the clipboard | base, views |
//! | `drags` | ends drags if the part where they began does not learn that the button was released | all above |
//! | `layers`, `file_actions`, `input`, `replies` | dialogs and full screens; opening, saving and leaving; keys and the mouse; replies of jobs | all above |
//! | `control` | requests on the control socket | all above |

#[cfg(test)]
mod any_size;
mod app;
mod apply_settings;
mod areas;
mod buttons;
mod commands;
mod compare;
mod control;
mod copying;
mod dialog;
mod drags;
mod editor;
mod event_loop;
mod export_dialog;
mod file_actions;
mod files;
#[cfg(test)]
mod fixture;
mod footer;
#[cfg(unix)]
mod guardian;
mod help;
mod import_dialog;
mod input;
mod jobs;
mod keyboard;
mod keymap;
mod layers;
mod map;
mod metric_reports;
mod metrics;
mod overlay;
mod palette;
mod panels;
mod pictures;
mod playback;
mod played_file;
mod player;
#[cfg_attr(
    not(unix),
    allow(dead_code, reason = "the program asks only Unix terminals what they support")
)]
mod query;
mod recorded;
mod recovery;
mod replies;
mod screen;
mod screens;
mod search;
mod seed_gallery;
#[cfg(test)]
mod stories;
mod tabs;
mod terminal;
#[cfg(test)]
mod tests;
mod theme;
mod time;
mod tools;
mod tour;
mod tuning;
mod vault_browser;
mod viewport;
mod views;
mod waiting;
mod walk;
mod widget;
mod wording;

pub use app::App;
pub use apply_settings::vocabulary;
pub use commands::Effect;
pub use player::{PlaybackStart, play};
pub use terminal::Error;
pub use theme::{Depth, Ground, Theme};

use std::io::{self, BufReader};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use crossterm::event::Event;

use self::apply_settings::asks_for_pictures;
use self::event_loop::{LoopScreen, Runner};
use self::keyboard::Keyboard;
use self::query::Answers;
use self::terminal::TerminalSession;
use crate::background::{
    Autosaver, ControlSender, ControlSocket, EmergencySave, Inbox, Jobs, Signals, WatchService, spawn_client,
    with_timeout,
};
use crate::document::Document;
use crate::mcp;
use crate::settings::{Settings, SettingsPath};
use crate::storage::{self, Folders};

/// Name of the file that stores the options of the last export.
const EXPORTS: &str = "export.toml";

/// Name of the file that stores the user's pane sizes.
const PANES: &str = "panes.toml";

/// How programs control the designer, and whether it runs without a terminal.
#[derive(Debug, Default)]
pub struct Control {
    /// Path of the socket through which programs control the designer; `None` opens no socket.
    pub socket: Option<PathBuf>,
    /// Width and height, in characters, of a designer that runs without a terminal; `None` uses the terminal.
    pub headless: Option<(u16, u16)>,
    /// Whether a program controls the designer with the Model Context Protocol over standard input and output. Only
    /// possible if `headless` is set.
    pub mcp: bool,
}

/// The terminal session, if any, and the size of the screen.
struct Stage {
    session: Option<TerminalSession>,
    answers: Answers,
    size: (u16, u16),
}

impl Stage {
    /// Sets up the terminal, unless the designer runs without one.
    fn set(control: &Control, rescue: EmergencySave, settings: &Settings) -> io::Result<Self> {
        if let Some(size) = control.headless {
            terminal::restore_after_panic(rescue);
            return Ok(Self {
                session: None,
                answers: Answers::default(),
                size,
            });
        }
        let asks = asks_for_pictures(settings);
        let mut session = TerminalSession::start(rescue, settings.screen.mouse, asks)?;
        Ok(Self {
            answers: std::mem::take(&mut session.answers),
            size: session.size()?,
            session: Some(session),
        })
    }
}

/// Shows the designer with a document until the user quits. If the user named no design (`unnamed`) and has not seen
/// the tour yet, starts the tour.
///
/// # Errors
///
/// Fails if there is no terminal, if the terminal fails, if the control socket cannot be opened, or if a background
/// thread cannot be started.
pub fn run(document: Document, settings: &SettingsPath, unnamed: bool, control: &Control) -> Result<ExitCode, Error> {
    if control.headless.is_none() {
        terminal::check()?;
    }
    let loaded = settings.load(&vocabulary());
    let inbox = Inbox::<Event>::new();
    let sender = ControlSender::new(&inbox);
    let socket = control.socket.as_ref().map(|path| {
        ControlSocket::open(path, &sender).map_err(|why| Error::Socket {
            path: path.clone(),
            why,
        })
    });
    let socket = socket.transpose()?;
    let state = Folders::of_this_user().map(|folders| folders.state);
    let autosaver = Autosaver::new(inbox.sender(), state.clone(), loaded.settings.saving.autosave)?;
    let jobs = Jobs::new(&inbox, state);
    let watches = WatchService::new(&inbox.sender())?;
    let choices = state_file(EXPORTS);
    let Stage { session, answers, size } = Stage::set(control, autosaver.rescue(), &loaded.settings)?;
    let theme = Theme::new(Depth::Sixteen);
    let mut app = App::new(document, theme, size.0, size.1);
    app.answered(&answers, &loaded.settings, |name| std::env::var(name).ok());
    app.editor.configure(loaded, |name| std::env::var(name).ok());
    let chosen = choices.as_deref().and_then(|file| storage::read(file).ok());
    app.dialogs
        .export
        .recall(&String::from_utf8_lossy(&chosen.unwrap_or_default()));
    let panes = state_file(PANES);
    let divided = panes.as_deref().and_then(|file| storage::read(file).ok());
    // If the file cannot be read, the panes keep their automatic sizes.
    app.editor.split = toml::from_slice(&divided.unwrap_or_default()).unwrap_or_default();
    let split = app.editor.split;
    if let Some(session) = &session {
        let mut keyboard = Keyboard::of_terminal(answers.typed, answers.has_kitty_keys, session.replies.clone());
        inbox.pump(move || keyboard.read())?;
    } else if control.mcp {
        spawn_client(&inbox, &sender, |client| {
            // Ignore the error: it means that the controlling program no longer reads or writes, and then the designer
            // also quits.
            let _ = mcp::serve(BufReader::new(io::stdin()), io::stdout(), |line| {
                Ok(client.answer(line.as_bytes()))
            });
        })?;
    }
    let _signals = Signals::new(inbox.sender(), autosaver.rescue(), terminal::leave_it)?;
    let mut outside = Services {
        screen: LoopScreen::new(session),
        jobs,
        autosaver,
        revision: 0,
        watches,
        settings,
    };
    if control.headless.is_some() {
        // No user watches the growth, so show its end.
        app.editor.time.open_at(u64::MAX);
    } else {
        // Look for recoverable work only in a terminal: the offer to recover it would interrupt a controlling program,
        // which cannot decide for the user. The work is found again when the designer starts in a terminal.
        outside.autosaver.look();
    }
    let mut first = app.start();
    if unnamed && tour_marker().is_some_and(|mark| !mark.exists()) {
        first.extend(app.update(commands::Action::Tour));
    }
    let ended = {
        // The socket is closed when the loop ends.
        let _socket = socket;
        outside
            .perform(&mut app, first)
            .and_then(|()| event_loop::go(&mut app, &inbox, &mut outside))
    };
    outside.note(&app);
    let divided = toml::to_string(&app.editor.split)
        .ok()
        .filter(|_| app.editor.split != split);
    for (file, text) in [(choices, app.dialogs.export.kept()), (panes, divided)] {
        if let (Some(file), Some(text)) = (file, text) {
            // Ignore errors: if a file cannot be written, the next session starts with the old values.
            with_timeout(move || {
                let _ = file.parent().map(fs_err::create_dir_all);
                let _ = storage::write_atomic(&file, text.as_bytes());
            });
        }
    }
    // A user who quits has been asked about unsaved work, so the autosave file can be removed. It must stay if a
    // signal or a broken terminal ended the designer, or if the user quit while a save was still in progress.
    let rescue = outside.autosaver.rescue();
    if matches!(ended, Ok(0)) && !app.is_saving() {
        outside.autosaver.finish();
    }
    drop(outside);
    terminal::report_recovery(&rescue);
    Ok(match ended? {
        // The controlling program quits the designer by closing the designer's standard input, so the end of the input
        // is not a failure.
        app::HANG_UP if control.mcp => ExitCode::SUCCESS,
        status => ExitCode::from(status),
    })
}

/// Returns the path of a file in the user's state folder; `None` if there is no such folder.
fn state_file(name: &str) -> Option<PathBuf> {
    Some(Folders::of_this_user()?.state.join(name))
}

/// Returns the path of the file that marks the tour as done.
fn tour_marker() -> Option<PathBuf> {
    state_file("toured")
}

/// Creates an empty file, and its folder if missing.
fn remember(mark: &Path) -> io::Result<()> {
    mark.parent().map_or(Ok(()), fs_err::create_dir_all)?;
    fs_err::write(mark, "")
}

/// The background services and the terminal, which carry out the designer's effects.
struct Services<'a> {
    screen: LoopScreen,
    jobs: Jobs,
    autosaver: Autosaver,
    /// The revision of the document last passed to the autosaver.
    revision: u64,
    watches: WatchService,
    settings: &'a SettingsPath,
}

impl Runner for Services<'_> {
    fn screen(&mut self) -> &mut LoopScreen {
        &mut self.screen
    }

    /// Passes the unsaved document to the autosaver if it has changed.
    fn note(&mut self, app: &App) {
        let document = app.document();
        if document.revision() != self.revision {
            self.revision = document.revision();
            self.autosaver.note(document.unsaved());
        }
    }

    fn perform(&mut self, app: &mut App, effects: Vec<Effect>) -> io::Result<()> {
        for effect in effects {
            match effect {
                Effect::Start(ticket, request) => self.jobs.start(ticket, request),
                Effect::Watch(files) => self.watches.watch(files),
                Effect::Remember(files) => self.autosaver.remember(files),
                Effect::FindRecoverable => self.autosaver.look(),
                Effect::Adopt(slot) => self.autosaver.adopt(slot),
                // Ignore errors: at worst, the tour starts again next time.
                Effect::RememberTour => drop(tour_marker().map(|mark| remember(&mark))),
                Effect::Configure => {
                    let loaded = self.settings.load(&vocabulary());
                    if app.editor.configured != loaded {
                        let before = app.editor.settings().clone();
                        app.editor.configure(loaded, |name| std::env::var(name).ok());
                        app.editor.report_configured();
                        self.apply(app, &before)?;
                    }
                }
                Effect::Suspend => {
                    self.note(app);
                    // Ignore the error: the autosave thread has reported it, or reports it at its next save.
                    let _ = self.autosaver.rescue().now();
                    let effects = self.screen.perform(app, Effect::Suspend)?;
                    self.perform(app, effects)?;
                }
                effect @ (Effect::Copy(_) | Effect::Resume | Effect::Quit(_) | Effect::Fail(_)) => {
                    let effects = self.screen.perform(app, effect)?;
                    self.perform(app, effects)?;
                }
            }
        }
        Ok(())
    }
}

impl Services<'_> {
    /// Applies changed settings to the services and the terminal.
    fn apply(&mut self, app: &mut App, before: &Settings) -> io::Result<()> {
        let settings = app.editor.settings().clone();
        self.screen.use_mouse(settings.screen.mouse)?;
        self.autosaver.keep_every(settings.saving.autosave);
        if settings.recording != before.recording {
            let effects = app.grow_again();
            self.perform(app, effects)?;
        }
        Ok(())
    }
}
