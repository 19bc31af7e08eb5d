//! Time: which moment of the run is shown, and how it moves.
//!
//! The generator fills the recording in the background; [`player`] plays it as a [`film`], [`hunt`] looks for something in it,
//! [`bookmarks`] are moments to come back to. This module holds the keys, the commands and the mouse; [`timeline`]
//! draws.

mod bookmarks;
mod film;
mod guide;
mod hunt;
mod moment;
mod player;
#[cfg(test)]
mod stories;
mod timeline;

use crossterm::event::{KeyCode, MouseButton, MouseEvent, MouseEventKind};

pub(super) use film::Run;
pub(super) use hunt::Sight;
pub(super) use moment::{KEYS as MOMENT_KEYS, State as Moment, accept as accept_moment, draw as draw_moment};
pub(super) use player::State;
pub(super) use timeline::draw;

use self::guide::Caught;
use self::hunt::NEAR;
use self::player::LOOK;
use super::app::{Action, App, Effect, Tone};
use super::keys::{Binding, Context, Key};
use super::screen::thousands;

/// A stretch of time to step by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unit {
    /// One Builder acts.
    Turn,
    /// Every waking Builder acts once.
    Iteration,
    /// A hundred iterations.
    Generation,
}

/// What can be done with time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Command {
    /// Play, or pause.
    Play,
    /// Fewer turns a second.
    Slower,
    /// More turns a second.
    Faster,
    /// One unit on.
    Forward(Unit),
    /// One unit back.
    Back(Unit),
    /// To the moment before anybody acts.
    Start,
    /// To the end of growth.
    End,
    /// Begin anew at the end, or stop there.
    Loop,
    /// Look at the design before growth, or do not.
    Look,
    /// Mark the moment, or take its mark away.
    Bookmark,
    /// To the next bookmark, or back to the one before.
    ToBookmark {
        /// On in time.
        forward: bool,
    },
    /// To the next event of a kind, or back to the last.
    Find {
        /// Which kind.
        sight: Sight,
        /// On in time.
        forward: bool,
        /// Whether only what is near the map's cursor counts.
        near: bool,
    },
    /// Ask for a moment, and go there.
    GoTo,
}

impl Command {
    const fn find(sight: Sight, forward: bool) -> Self {
        let near = true;
        Self::Find { sight, forward, near }
    }

    /// The same wherever it is.
    pub(super) const fn find_anywhere(sight: Sight, forward: bool) -> Self {
        let near = false;
        Self::Find { sight, forward, near }
    }
}

macro_rules! keys {
    ($($name:literal, $keys:expr, $command:expr, $foot:literal, $help:literal;)*) => {
        &[$(Binding {
            context: Context::Everywhere,
            name: $name,
            keys: $keys,
            action: Action::Time($command),
            help: $help,
            foot: $foot,
        }),*]
    };
}

/// Keys of time; they hold everywhere.
pub(super) static KEYS: &[Binding] = keys! {
    "play", &[Key::char(' ')], Command::Play, true, "Play or pause the growth; at the end, play from the start.";
    "turn back", &[Key::char(',')], Command::Back(Unit::Turn), false, "One turn back: the last Builder's act is undone.";
    "turn", &[Key::char('.')], Command::Forward(Unit::Turn), true, "One turn on: one Builder acts.";
    "iteration back", &[Key::char('<')], Command::Back(Unit::Iteration), false, "One iteration back.";
    "iteration", &[Key::char('>')], Command::Forward(Unit::Iteration), false, "One iteration on: every waking Builder acts once.";
    "generation back", &[Key::char('{')], Command::Back(Unit::Generation), false, "Back to where a generation's time begins.";
    "generation", &[Key::char('}')], Command::Forward(Unit::Generation), true, "On to where the next generation's time begins.";
    "to the start", &[Key::char('g')], Command::Start, false, "To the moment before anybody acts.";
    "to the end", &[Key::char('G')], Command::End, true, "To the end of growth, and wait for it there.";
    "slower", &[Key::char('['), Key::plain(KeyCode::F(7))], Command::Slower, false, "Fewer turns a second.";
    "loop", &[Key::char('@')], Command::Loop, false, "At the end, play from the start again and again; or stop at the end.";
    "look first", &[Key::char('&')], Command::Look, false, "Show the design for three seconds before a film begins; or begin at once.";
    "bookmark", &[Key::char('b')], Command::Bookmark, false, "Mark this moment on the timeline, or take its mark away; marks stay when the design is edited.";
    "next bookmark", &[Key::char('\'')], Command::ToBookmark { forward: true }, false, "On to the next bookmark.";
    "bookmark before", &[Key::char('"')], Command::ToBookmark { forward: false }, false, "Back to the bookmark before.";
    "change near", &[Key::char(')')], Command::find(Sight::Change, true), false, "On to the next tile that is laid within five squares of the map's cursor.";
    "change near before", &[Key::char('(')], Command::find(Sight::Change, false), false, "Back to the last tile that was laid within five squares of the map's cursor.";
    "birth near", &[Key::alt('b')], Command::find(Sight::Birth, true), false, "On to the next birth within five squares of the map's cursor.";
    "birth near before", &[Key::alt('B')], Command::find(Sight::Birth, false), false, "Back to the last birth within five squares of the map's cursor.";
    "death near", &[Key::alt('d')], Command::find(Sight::Death, true), false, "On to the next death within five squares of the map's cursor.";
    "death near before", &[Key::alt('D')], Command::find(Sight::Death, false), false, "Back to the last death within five squares of the map's cursor.";
    "next birth", &[], Command::find_anywhere(Sight::Birth, true), false, "On to the next birth, wherever it is; the map's cursor goes there.";
    "birth before", &[], Command::find_anywhere(Sight::Birth, false), false, "Back to the last birth, wherever it is.";
    "next death", &[], Command::find_anywhere(Sight::Death, true), false, "On to the next death, wherever it is; the map's cursor goes there.";
    "death before", &[], Command::find_anywhere(Sight::Death, false), false, "Back to the last death, wherever it is.";
    "go to", &[Key::char('#')], Command::GoTo, false, "Type a moment to go to: the number of a turn, i 12 for an iteration, g 3 for a generation, or 50 %.";
    "faster", &[Key::char(']'), Key::plain(KeyCode::F(8))], Command::Faster, true, "More turns a second.";
};

/// How soon a command is named where only the recording is played: the lowest first; `None`: not at all.
pub(super) const fn rank(command: Command) -> Option<u8> {
    Some(match command {
        Command::Play => 1,
        Command::Forward(Unit::Turn) => 2,
        Command::Back(Unit::Turn) => 3,
        Command::Faster => 4,
        Command::Slower => 5,
        Command::Forward(_) => 6,
        Command::Back(_) => 7,
        Command::Start => 8,
        Command::End => 9,
        Command::Loop => 10,
        _ => return None,
    })
}

/// Does a command, and says what cannot be seen.
pub(super) fn update(app: &mut App, command: Command) {
    match command {
        Command::Bookmark => toggle_bookmark(app),
        Command::ToBookmark { forward } => to_bookmark(app, forward),
        Command::Find { sight, forward, near } => {
            let center = near.then(|| app.map.cursor());
            app.time.hunt(sight, forward, center);
            tell(app);
        }
        Command::GoTo => moment::ask(app),
        Command::Loop | Command::Look => {
            app.time.command(command);
            let text = match (command, app.time.is_looping(), app.time.looks()) {
                (Command::Loop, true, _) => "looping: after its end the film begins anew".to_owned(),
                (Command::Loop, false, _) => "looping is off: the film stops at its end".into(),
                (_, _, true) => format!("films begin with {} seconds of the design", LOOK.as_secs()),
                (_, _, false) => "films begin at once".into(),
            };
            app.say(Tone::Done, text);
        }
        _ => app.time.command(command),
    }
}

fn toggle_bookmark(app: &mut App) {
    let Some((moment, sets)) = app.time.toggle_bookmark() else {
        return;
    };
    let text = if sets {
        format!("bookmark set: {moment}")
    } else {
        format!("bookmark taken away: {moment}")
    };
    app.say(Tone::Done, text);
}

fn to_bookmark(app: &mut App, forward: bool) {
    if let Some(moment) = app.time.go_to_bookmark(forward) {
        app.say(Tone::Done, format!("bookmark: {moment}"));
        return;
    }
    let side = if forward { "after" } else { "before" };
    let text = match app.time.bookmark_count() {
        (0, _) => "no bookmark has been set yet".to_owned(),
        (all, reached) if forward && reached < all => {
            format!(
                "no bookmark {side} this moment; {} lie past what has grown",
                all - reached
            )
        }
        _ => format!("no bookmark {side} this moment"),
    };
    app.say(Tone::Warning, text);
}

/// Says how a hunt goes, or how it ended.
fn tell(app: &mut App) {
    if let Some(hunt) = app.time.hunted() {
        let near = hunt.center.map(|at| format!(" near ({}, {})", at.x, at.y));
        let text = format!("looking for a {}{} …", hunt.sight.name(), near.unwrap_or_default());
        app.say(Tone::Done, text);
    }
    tell_end(app);
}

/// Says how a hunt ended, should one have.
pub(super) fn tell_end(app: &mut App) {
    let Some(caught) = app.time.caught() else { return };
    let Caught {
        sight,
        forward,
        center,
        catch,
    } = caught;
    let (tone, text) = if let (Some(catch), Some(frame)) = (catch, app.time.frame()) {
        let (what, at) = (hunt::told(&catch.event, frame), catch.at);
        let turn = thousands(catch.turn);
        let text = format!("{what} at ({}, {}) in turn {turn}", at.x, at.y);
        if center.is_none() {
            super::map::show(app, at);
        }
        (Tone::Done, text)
    } else {
        let near = center.map(|at| format!(" within {NEAR} squares of ({}, {})", at.x, at.y));
        let side = if forward { "after" } else { "before" };
        let text = format!("no {}{} {side} this moment", sight.name(), near.unwrap_or_default());
        (Tone::Warning, text)
    };
    app.say(tone, text);
}

/// A click or drag on the bar goes to that moment, on a bookmark exactly to it; the right button sets a bookmark or
/// takes it away; a click on a sign in the words turns that on or off; the wheel steps iterations.
pub(super) fn mouse(app: &mut App, mouse: MouseEvent) -> Vec<Effect> {
    let places = timeline::Places::of(app.areas().time);
    let on_bar = places.has_moment(mouse.row);
    match mouse.kind {
        MouseEventKind::Down(MouseButton::Left) if on_bar => {
            app.time.drag(true);
            seek(app, mouse.column, true);
        }
        MouseEventKind::Down(MouseButton::Right) if on_bar => {
            seek(app, mouse.column, true);
            toggle_bookmark(app);
        }
        MouseEventKind::Down(MouseButton::Left) if mouse.row == places.words.y => {
            if let Some(command) = timeline::sign_at(app, places.words, mouse.column) {
                update(app, command);
            }
        }
        MouseEventKind::Drag(MouseButton::Left) if app.time.is_dragged() => seek(app, mouse.column, false),
        MouseEventKind::Up(_) => app.time.drag(false),
        MouseEventKind::ScrollDown => app.time.command(Command::Forward(Unit::Iteration)),
        MouseEventKind::ScrollUp => app.time.command(Command::Back(Unit::Iteration)),
        _ => {}
    }
    Vec::new()
}

/// Goes to the moment that a column stands for; `exact`: to the bookmark in it, if there is one.
fn seek(app: &mut App, column: u16, exact: bool) {
    let bar = timeline::Places::of(app.areas().time).bar;
    let turns = app.time.turns();
    let marks = app.time.bookmarks();
    let mut marked = marks
        .into_iter()
        .filter(|turn| bar.x + timeline::column_of(bar, *turn, turns) == column);
    let turn = marked
        .next()
        .filter(|_| exact)
        .unwrap_or_else(|| timeline::turn_at(bar, column, turns));
    app.time.seek(turn);
}
