//! The player: a recording on the whole screen, without the designer around it.
//!
//! It is the designer with only its map and its timeline, and those of its keys that look and edit nothing: they stand
//! in the same table, with what the user made of them, beside a few of its own. No file is touched, and what grows is thrown
//! away: whether this program grows what was recorded is found out beside the screen.

mod about;
#[cfg(test)]
pub(super) mod tests;

use std::io;
use std::process::ExitCode;
use std::sync::Arc;

use crossterm::event::{Event, KeyCode};
use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Margin, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget;

use super::action::{Action, Effect};
use super::app::{App, NoticeLevel};
use super::dialog::{self, Dialog};
use super::event_loop::{LoopScreen, Runner};
use super::keyboard::{Keyboard, TerminalInput};
use super::keys::{Binding, Context, Key, Keymap, bindings};
use super::screen::Areas;
use super::terminal::{self, TerminalSession};
use super::theme::{Depth, Theme};
use super::time::SearchedEvent;
use super::{Error, event_loop, footer, help, keys, map, memory, recorded, time, vocabulary};
use crate::background::{Autosaver, Generator, Inbox, Signals};
use crate::document::Document;
use crate::engine::Options;
use crate::reel::RecordingFile;
use crate::settings::SettingsPath;

pub(super) use about::PlayedFile;

/// Screens of so many rows have a line of keys at the foot, and a timeline of two rows instead of one.
const FOOT_FROM: u16 = 8;

/// What can be done in the player alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PlayerCommand {
    /// Tell what is known of the recording.
    About,
    /// Tell where one learns why the cursor's wall stands.
    Why,
}

const fn find(sight: SearchedEvent, forward: bool) -> Action {
    Action::Time(time::TimeCommand::find_anywhere(sight, forward))
}

/// Keys of the player, beside those of time and of the map that look.
pub(super) static KEYS: &[Binding] = bindings! {
    Context::Player, "quit", [Key::char('q'), Key::ctrl('c')], Action::Quit, true, "Leave the player.";
    Context::Player, "about", [Key::char('i')], Action::Player(PlayerCommand::About), false, "Tell what is played: its seed, its length, what wrote it, and whether this program grows the same.";
    Context::Player, "why", [Key::plain(KeyCode::Enter)], Action::Player(PlayerCommand::Why), false, "Tell how the designer is asked why the wall under the cursor stands.";
    Context::Player, "next birth", [Key::char('s')], find(SearchedEvent::Birth, true), false, "On to the next birth, wherever it is; the cursor goes there.";
    Context::Player, "birth before", [Key::char('S')], find(SearchedEvent::Birth, false), false, "Back to the last birth, wherever it is.";
    Context::Player, "next death", [Key::char('d')], find(SearchedEvent::Death, true), false, "On to the next death, wherever it is; the cursor goes there.";
    Context::Player, "death before", [Key::char('D')], find(SearchedEvent::Death, false), false, "Back to the last death, wherever it is.";
};

/// How playing begins.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct PlaybackStart {
    /// Turns a second; as suits the recording where nothing is said.
    pub speed: Option<f64>,
    /// Stands after so many turns, instead of playing from the start.
    pub at: Option<u64>,
    /// Whether the recording was grown for this, and is in no file.
    pub grown: bool,
}

/// Plays the recording that a document came in until the user leaves.
///
/// # Errors
///
/// When there is no terminal, or it fails.
pub fn play(document: Document, begin: PlaybackStart, settings: &SettingsPath) -> Result<ExitCode, Error> {
    terminal::check()?;
    let loaded = settings.load(&vocabulary());
    let limit = memory(&loaded.settings);
    let inbox = Inbox::<Event>::new();
    // Nothing is unsaved here; it is there for whoever restores the terminal.
    let keeper = Autosaver::new(inbox.sender(), None, None)?;
    let session = TerminalSession::start(keeper.rescue(), loaded.settings.screen.mouse)?;
    let (width, height) = session.size()?;
    let (mut app, reel) = App::player(document, begin, limit, Theme::new(Depth::Sixteen), width, height);
    app.configure(loaded, |name| std::env::var(name).ok());
    app.know_octants(map::knows_octants(|name| std::env::var(name).ok()));
    let mut keyboard = Keyboard::<TerminalInput>::default();
    inbox.pump(move || keyboard.read())?;
    let _signals = Signals::new(inbox.sender(), keeper.rescue(), terminal::leave_it)?;
    // It is left in peace where there is nothing to find out.
    let generator = Generator::new(inbox.sender())?;
    if let Some(reel) = reel.filter(|_| !begin.grown) {
        app.run_started(generator.compare(reel));
    }
    let mut alone = PlayerServices(LoopScreen::new(session));
    let ended = event_loop::go(&mut app, &inbox, &mut alone);
    drop(alone);
    Ok(ExitCode::from(ended?))
}

/// Nobody but the terminal is there who could be asked for anything.
struct PlayerServices(LoopScreen);

impl Runner for PlayerServices {
    fn screen(&mut self) -> &mut LoopScreen {
        &mut self.0
    }

    fn perform(&mut self, app: &mut App, effects: Vec<Effect>) -> io::Result<()> {
        effects.into_iter().try_for_each(|effect| self.0.perform(app, effect))
    }
}

impl App {
    /// A player of the recording that a document came in, and that recording, to find out whether it grows again. What its
    /// dungeons left behind takes so many bytes at most.
    fn player(
        mut document: Document,
        begin: PlaybackStart,
        limit: usize,
        theme: Theme,
        width: u16,
        height: u16,
    ) -> (Self, Option<Arc<RecordingFile>>) {
        let reel = document.take_reel();
        let mut app = Self::new(document, Options::default(), theme, width, height);
        if let Some(reel) = &reel {
            let file = app.document.reel_file().filter(|_| !begin.grown);
            app.played = Some(PlayedFile::of(app.document.title(), reel, file));
            if let Some(told) = recorded::told_at_once(reel) {
                app.say(NoticeLevel::Warning, told);
            }
            let mut recording = reel.recording.clone().limited(limit);
            recording.finish();
            app.time.order_recorded(reel.design.clone(), reel.options);
            app.time.started(recording);
            app.time.finished();
            if let Some(speed) = begin.speed {
                app.time.run_at(speed);
            }
            if let Some(turn) = begin.at {
                app.time.seek(turn);
            }
        }
        (app, reel)
    }

    /// Whether a recording is played, and that is all.
    pub(super) const fn plays_only(&self) -> bool {
        self.played.is_some()
    }

    /// Whether an action is one of this screen: a player looks and edits nothing.
    pub(super) const fn obeys(&self, action: Action) -> bool {
        self.played.is_none() || obeys(action)
    }
}

/// Whether an action looks and edits nothing.
const fn obeys(action: Action) -> bool {
    match action {
        Action::Time(_)
        | Action::Player(_)
        | Action::Quit
        | Action::Suspend
        | Action::PutAway
        | Action::Help
        | Action::CloseDialog
        // Of dialogs only those open that help, and ask for a moment.
        | Action::Dialog(_) => true,
        Action::Map(command) => map::looks(command),
        _ => false,
    }
}

/// Whether help tells the keys of a place to somebody who plays, or does not.
pub(super) const fn tells(plays: bool, context: Context) -> bool {
    match context {
        Context::Player => plays,
        Context::Map | Context::Everywhere | Context::Moment | Context::Alert | Context::Help | Context::HelpSearch => {
            true
        }
        _ => !plays,
    }
}

/// Whether a row of the key table is one of the player: it is obeyed, has a key, and none of the player's own rows stands in
/// its place.
pub(super) fn has(binding: &'static Binding, keymap: &Keymap) -> bool {
    let own = binding.context == Context::Player;
    let replaced = !own && KEYS.iter().any(|other| other.action == binding.action);
    obeys(binding.action) && !replaced && !keymap.keys(binding).is_empty()
}

/// Does what the player alone does.
pub(super) fn update(app: &mut App, command: PlayerCommand) {
    let (Some(played), Some(recording)) = (&app.played, app.time.recording()) else {
        return;
    };
    match command {
        PlayerCommand::About => app.dialog = Some(Dialog::Help(help::HelpState::about(played.facts(recording)))),
        PlayerCommand::Why => {
            let at = app.map.cursor();
            let laid = app.time.origins().and_then(|origins| origins.of(at, app.time.turn()));
            let text = match laid {
                Some(laid) => format!(
                    "why this stands is told by {}: # {} Enter, then Enter on ({}, {})",
                    played.command(),
                    laid.turn,
                    at.x,
                    at.y
                ),
                None => format!("no Builder has laid anything on ({}, {}) by this moment", at.x, at.y),
            };
            app.say(NoticeLevel::Done, text);
        }
    }
}

/// The places of the parts; those without room are empty.
pub(super) fn areas(screen: Rect) -> Areas {
    let foot = u16::from(screen.height >= FOOT_FROM);
    let rows = (1 + foot).min(screen.height.saturating_sub(1));
    let [map, time, foot] =
        Layout::vertical([Constraint::Min(0), Constraint::Length(rows), Constraint::Length(foot)]).areas(screen);
    Areas {
        map,
        time,
        foot,
        ..Areas::default()
    }
}

/// Draws the player.
pub(super) fn draw(app: &App, screen: Rect, buf: &mut Buffer) {
    let areas = areas(screen);
    map::draw(app, areas.map, areas.view.is_empty(), buf);
    time::draw(app, areas.time, buf);
    draw_foot(app, areas.foot, buf);
    footer::draw_long(app, screen, areas.foot, buf);
    dialog::draw(app, screen, buf);
}

/// What was told, and the keys: time's first, then those of the map, as many as have room.
fn draw_foot(app: &App, foot: Rect, buf: &mut Buffer) {
    let theme = app.theme;
    let area = foot.inner(Margin::new(1, 0));
    let mut line = Line::default();
    line.extend(footer::told(app, foot));
    let rank = |action: Action| match action {
        Action::Quit | Action::CloseDialog => Some(0),
        Action::PutAway | Action::Dialog(_) | Action::Help => Some(1),
        Action::Time(command) => time::rank(command).map(|rank| rank + 1),
        Action::Player(_) => Some(98),
        Action::Map(_) => Some(99),
        _ => None,
    };
    let contexts = app.contexts();
    let holds = |binding: &&'static Binding| contexts.contains(&binding.context) && has(binding, &app.keymap);
    let rows = keys::table().filter(holds);
    let mut rows: Vec<_> = rows.filter_map(|row| Some((rank(row.action)?, row))).collect();
    rows.sort_by_key(|(rank, _)| *rank);
    for (_, binding) in rows {
        let Some(key) = app.keymap.keys(binding).first() else {
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
