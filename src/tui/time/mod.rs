//! Time: which moment of the run is shown, and how it moves.
//!
//! The generator fills the recording in the background; [`player`] walks it. This module holds the keys,
//! the commands and the mouse; [`timeline`] draws.

mod player;
mod timeline;

use crossterm::event::{KeyCode, MouseButton, MouseEvent, MouseEventKind};

pub(super) use player::State;
pub(super) use timeline::draw;

use super::app::{Action, App, Effect};
use super::keys::{Binding, Context, Key};

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
    "faster", &[Key::char(']'), Key::plain(KeyCode::F(8))], Command::Faster, true, "More turns a second.";
};

/// Does a command.
pub(super) fn update(app: &mut App, command: Command) {
    app.time.command(command);
}

/// A click on the bar goes to that moment, a drag follows the pointer, the wheel steps iterations.
pub(super) fn mouse(app: &mut App, mouse: MouseEvent) -> Vec<Effect> {
    let bar = timeline::bar(app.areas().time);
    match mouse.kind {
        MouseEventKind::Down(MouseButton::Left) if mouse.row == bar.y && bar.width > 0 => {
            app.time.drag(true);
            seek(app, mouse.column);
        }
        MouseEventKind::Drag(MouseButton::Left) if app.time.is_dragged() => seek(app, mouse.column),
        MouseEventKind::Up(_) => app.time.drag(false),
        MouseEventKind::ScrollDown => app.time.command(Command::Forward(Unit::Iteration)),
        MouseEventKind::ScrollUp => app.time.command(Command::Back(Unit::Iteration)),
        _ => {}
    }
    Vec::new()
}

fn seek(app: &mut App, column: u16) {
    let bar = timeline::bar(app.areas().time);
    let turn = timeline::turn_at(bar, column, app.time.turns());
    app.time.seek(turn);
}
