//! The player: a recording on the whole screen, without the designer around it.
//!
//! It is the designer with only its map and its timeline, and those of its keys that look and edit nothing: they stand
//! in the same table, with what the user made of them. Nothing grows here and no file is touched.

#[cfg(test)]
mod tests;

use std::io;
use std::process::ExitCode;
use std::sync::Arc;

use crossterm::event::Event;
use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Margin, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget;

use super::action::{Action, Effect};
use super::app::{App, Tone};
use super::keyboard::{Keyboard, Terminal};
use super::rounds::{Goes, Screen};
use super::screen::Areas;
use super::terminal::{self, Session};
use super::theme::{Depth, Theme};
use super::{Error, keys, map, memory, recorded, rounds, time, vocabulary};
use crate::document::Document;
use crate::engine::Options;
use crate::reel::Reel;
use crate::settings::Place;
use crate::worker::{Inbox, Keeper, Signals};

/// Screens of so many rows have a line of keys at the foot, and a timeline of two rows instead of one.
const FOOT_FROM: u16 = 8;

/// Plays the recording that a document came in until the user leaves, at so many turns a second or as suits it.
///
/// # Errors
///
/// When there is no terminal, or it fails.
pub fn play(document: Document, speed: Option<f64>, settings: &Place) -> Result<ExitCode, Error> {
    terminal::check()?;
    let loaded = settings.load(&vocabulary());
    let limit = memory(&loaded.settings);
    let inbox = Inbox::<Event>::new();
    // Nothing is unsaved here; it is there for whoever restores the terminal.
    let keeper = Keeper::new(inbox.sender(), None, None)?;
    let session = Session::start(keeper.rescue(), loaded.settings.screen.mouse)?;
    let (width, height) = session.size()?;
    let mut app = App::player(document, limit, Theme::new(Depth::Sixteen), width, height);
    app.configure(loaded, |name| std::env::var(name).ok());
    app.know_octants(map::knows_octants(|name| std::env::var(name).ok()));
    if let Some(speed) = speed {
        app.time.run_at(speed);
    }
    let mut keyboard = Keyboard::<Terminal>::default();
    inbox.pump(move || keyboard.read())?;
    let _signals = Signals::new(inbox.sender(), keeper.rescue(), terminal::leave_it)?;
    let mut alone = Alone(Screen::new(session));
    let ended = rounds::go(&mut app, &inbox, &mut alone);
    drop(alone);
    Ok(ExitCode::from(ended?))
}

/// Nobody but the terminal is there who could be asked for anything.
struct Alone(Screen);

impl Goes for Alone {
    fn screen(&mut self) -> &mut Screen {
        &mut self.0
    }

    fn perform(&mut self, app: &mut App, effects: Vec<Effect>) -> io::Result<()> {
        effects.into_iter().try_for_each(|effect| self.0.perform(app, effect))
    }
}

impl App {
    /// A player of the recording that a document came in. What its dungeons left behind takes so many bytes at most.
    fn player(mut document: Document, limit: usize, theme: Theme, width: u16, height: u16) -> Self {
        let reel = document.take_reel();
        let mut app = Self::new(document, Options::default(), theme, width, height);
        app.plays_only = true;
        if let Some(reel) = reel {
            if let Some(told) = recorded::told_at_once(&reel) {
                app.say(Tone::Warning, told);
            }
            let Reel {
                design,
                options,
                recording,
                ..
            } = Arc::unwrap_or_clone(reel);
            let mut recording = recording.limited(limit);
            recording.finish();
            app.time.order_recorded(design, options);
            app.time.started(recording);
            app.time.finished();
        }
        app
    }

    /// Whether an action is one of this screen: a player looks and edits nothing.
    pub(super) const fn obeys(&self, action: Action) -> bool {
        !self.plays_only
            || match action {
                Action::Time(_) | Action::Quit | Action::Suspend | Action::PutAway => true,
                Action::Map(command) => map::looks(command),
                _ => false,
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
    map::draw(app, areas.map, buf);
    time::draw(app, areas.time, buf);
    draw_foot(app, areas.foot, buf);
}

/// What was told, and the keys: time's first, then those of the map, as many as have room.
fn draw_foot(app: &App, area: Rect, buf: &mut Buffer) {
    let theme = app.theme;
    let area = area.inner(Margin::new(1, 0));
    let mut line = Line::default();
    if let Some((tone, text)) = &app.notice {
        let style = match tone {
            Tone::Done => theme.good(),
            Tone::Warning => theme.warning(),
            Tone::Error => theme.error(),
        };
        line.push_span(Span::styled(format!("{text}   "), style));
    }
    let rank = |action: Action| match action {
        Action::Quit => Some(0),
        Action::Time(command) => time::rank(command),
        Action::Map(_) => Some(99),
        _ => None,
    };
    let contexts = app.contexts();
    let holds = |binding: &&keys::Binding| app.obeys(binding.action) && contexts.contains(&binding.context);
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
