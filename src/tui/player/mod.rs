//! The player: a full-screen playback of a recording, without the designer around it.
//!
//! The player is the designer reduced to its map, its timeline and the keys that do not edit. The keys come from the
//! designer's key table, with the user's changes; the player adds a few keys of its own. The player writes no file. A
//! background job grows the design again, only to check whether this program reproduces the recording.

#[cfg(test)]
pub(super) mod tests;

use std::io;
use std::process::ExitCode;
use std::sync::Arc;

use crossterm::event::Event;
use ratatui::buffer::Buffer;
use ratatui::layout::{Margin, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget;

use super::app::App;
use super::dialog::Dialog;
use super::event_loop::{LoopScreen, Runner};
use super::keyboard::Keyboard;
use super::terminal::{self, TerminalSession};
use super::theme::{Depth, Theme};
use super::{event_loop, footer, help, recorded, time};
use crate::background::{Autosaver, GrowthRequest, Inbox, Jobs, Signals};
use crate::document::Document;
use crate::engine::BuilderId;
use crate::recording::MomentScript;
use crate::recording_file::RecordingFile;
use crate::settings::SettingsPath;
use crate::tui::apply_settings::{asks_for_pictures, vocabulary};
use crate::tui::areas::Areas;
use crate::tui::commands::{Action, Effect, PlayerCommand, TimeCommand};
use crate::tui::keymap::playback::{self, has};
use crate::tui::keymap::{self, Binding, Context};
use crate::tui::played_file::PlayedFile;
use crate::tui::tabs::View;
use crate::tui::terminal::Error;

/// How playback starts: its speed, its first moment, the Builder that it follows, or a script.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PlaybackStart {
    /// Speed in turns per second; `None` chooses a speed that suits the size of the dungeon.
    pub speed: Option<f64>,
    /// Number of turns after which the dungeon is shown, paused; `None` plays instead.
    pub at: Option<u64>,
    /// Builder to follow; playback starts at the turn in which this Builder wakes, unless `at` is set.
    pub follow: Option<BuilderId>,
    /// The moments to show, one after the other.
    pub moments: Option<MomentScript>,
    /// Whether the recording was grown just now and has no file.
    pub grown: bool,
}

/// Plays the document's recording until the user quits.
///
/// # Errors
///
/// Fails if there is no terminal, if reading from it or writing to it fails, or if a background thread cannot start.
pub fn play(document: Document, begin: &PlaybackStart, settings: &SettingsPath) -> Result<ExitCode, Error> {
    terminal::check()?;
    let loaded = settings.load(&vocabulary());
    let limit = loaded.settings.recording.limit();
    let inbox = Inbox::<Event>::new();
    // The player has no unsaved work. It needs an autosaver only because the code that restores the terminal requires
    // an emergency save, which the autosaver provides.
    let autosaver = Autosaver::new(inbox.sender(), None, None)?;
    let mut session = TerminalSession::start(
        autosaver.rescue(),
        loaded.settings.screen.mouse,
        asks_for_pictures(&loaded.settings),
    )?;
    let answers = std::mem::take(&mut session.answers);
    let (width, height) = session.size()?;
    let (mut app, recording_file) = App::player(document, begin, limit, Theme::new(Depth::Sixteen), width, height);
    app.answered(&answers, &loaded.settings, |name| std::env::var(name).ok());
    app.configure(loaded, |name| std::env::var(name).ok());
    let mut keyboard = Keyboard::of_terminal(answers.typed, answers.has_kitty_keys, session.replies.clone());
    inbox.pump(move || keyboard.read())?;
    let _signals = Signals::new(inbox.sender(), autosaver.rescue(), terminal::leave_it)?;
    let mut alone = PlayerServices {
        screen: LoopScreen::new(Some(session)),
        jobs: Jobs::new(&inbox, None),
    };
    // A recording that was grown just now needs no reproduction check.
    if let Some(recording_file) = recording_file.filter(|_| !begin.grown) {
        app.editor.jobs.run = Some(app.editor.start(GrowthRequest::Compare(recording_file), ()));
    }
    let first = app.finish(Vec::new());
    let ended = alone
        .perform(&mut app, first)
        .and_then(|()| event_loop::go(&mut app, &inbox, &mut alone));
    drop(alone);
    Ok(ExitCode::from(ended?))
}

/// The services of the player: the terminal's screen, and the thread that checks whether the recording can be
/// reproduced.
struct PlayerServices {
    screen: LoopScreen,
    jobs: Jobs,
}

impl Runner for PlayerServices {
    fn screen(&mut self) -> &mut LoopScreen {
        &mut self.screen
    }

    fn perform(&mut self, app: &mut App, effects: Vec<Effect>) -> io::Result<()> {
        effects.into_iter().try_for_each(|effect| match effect {
            Effect::Start(ticket, request) => {
                self.jobs.start(ticket, request);
                Ok(())
            }
            effect => {
                let effects = self.screen.perform(app, effect)?;
                self.perform(app, effects)
            }
        })
    }
}

impl App {
    /// Creates a player for the document's recording. Returns the player, and the recording for the reproduction check.
    /// The player's copy of the recording is limited to `limit` bytes of memory.
    fn player(
        mut document: Document,
        begin: &PlaybackStart,
        limit: usize,
        theme: Theme,
        width: u16,
        height: u16,
    ) -> (Self, Option<Arc<RecordingFile>>) {
        let recording_file = document.take_recording();
        let mut app = Self::new(document, theme, width, height);
        if let Some(recording_file) = &recording_file {
            let file = app.editor.document.recording_path().filter(|_| !begin.grown);
            app.editor.played = Some(PlayedFile::of(app.editor.document.title(), recording_file, file));
            if let Some(description) = recorded::program_notice(recording_file) {
                app.editor.warn(description);
            }
            let path = begin.follow.and_then(|id| recording_file.recording.path_of(id));
            let mut recording = recording_file.recording.clone().limited(limit);
            recording.finish();
            app.editor
                .time
                .order_recorded(recording_file.design.clone(), recording_file.options);
            app.editor.time.started(recording);
            app.editor.time.finished();
            if let Some(speed) = begin.speed {
                app.editor.time.run_at(speed);
            }
            if let Some(id) = begin.follow {
                app.views.follow(&app.editor, id);
            }
            match (begin.at, path) {
                _ if let Some(script) = begin.moments.clone() => app.editor.time.play_script(script),
                (Some(turn), _) => app.editor.time.seek(turn),
                (None, Some(path)) => {
                    app.editor.time.seek(path.from);
                    app.editor.time.command(TimeCommand::Play);
                }
                (None, None) => {}
            }
        }
        (app, recording_file)
    }

    pub(super) fn draw_player(&self, screen: Rect, buf: &mut Buffer) {
        let areas = Areas::of_player(screen);
        super::screen::draw_map(self, areas.map, areas.view.is_empty(), buf);
        time::draw(&self.editor, areas.time, buf);
        draw_foot(self, areas.foot, buf);
        footer::draw_long(&self.editor, screen, areas.foot, areas.foot.width, buf);
        self.draw_dialog(screen, buf);
    }

    /// Returns whether an action is available: the player accepts only actions that do not edit.
    pub(super) const fn accepts(&self, action: Action) -> bool {
        self.editor.played.is_none() || playback::is_viewing(action)
    }
}

/// Runs a command of the player.
pub(super) fn update(app: &mut App, command: PlayerCommand) {
    let (Some(played), Some(recording)) = (&app.editor.played, app.editor.time.recording()) else {
        return;
    };
    match command {
        PlayerCommand::About => app.dialogs.open = Some(Dialog::Help(help::HelpState::about(played.facts(recording)))),
        PlayerCommand::Why => {
            let at = app.editor.map.cursor();
            let laid = app
                .editor
                .time
                .origins()
                .and_then(|origins| origins.of(at, app.editor.time.turn()));
            let text = match laid {
                Some(laid) => format!(
                    "to see why this is here, run {}, go to turn {} with {}, then press {} on {at}",
                    played.command(),
                    laid.turn,
                    app.editor.keymap.key_of(Action::Time(TimeCommand::GoTo)),
                    app.editor.keymap.key_in(Context::Map, Action::FocusView(View::Inspect))
                ),
                None => format!("no Builder has built on {at} up to this moment"),
            };
            app.editor.done(text);
        }
    }
}

/// Draws the footer: the notice, then as many keys as fit, the most important first.
fn draw_foot(app: &App, foot: Rect, buf: &mut Buffer) {
    let theme = app.editor.theme;
    let area = foot.inner(Margin::new(1, 0));
    let mut line = Line::default();
    line.extend(footer::description(&app.editor, foot.width));
    let rank = |action: Action| match action {
        Action::Quit | Action::CloseDialog => Some(0),
        Action::PutAway | Action::Dialog(_) | Action::Help => Some(1),
        Action::Time(command) => time::rank(command).map(|rank| rank + 1),
        Action::Player(_) => Some(98),
        Action::Map(_) => Some(99),
        _ => None,
    };
    let contexts = app.contexts();
    let holds = |binding: &&'static Binding| contexts.contains(&binding.context) && has(binding, &app.editor.keymap);
    let rows = keymap::table().filter(holds);
    let mut rows: Vec<_> = rows.filter_map(|row| Some((rank(row.action)?, row))).collect();
    rows.sort_by_key(|(rank, _)| *rank);
    for (_, binding) in rows {
        let Some(key) = app.editor.keymap.keys(binding).first() else {
            continue;
        };
        let key = Span::styled(key.to_string(), theme.accent());
        let name = Span::styled(format!(" {}  ", binding.name), theme.quiet());
        if line.width() + key.width() + name.width() > usize::from(area.width) {
            break;
        }
        line.spans.extend([key, name]);
    }
    line.render(area, buf);
}
