//! Key bindings of playback, and of the dialog in which the user types a moment to seek to.

use crossterm::event::KeyCode;

use super::binding::{Binding, Context, bindings};
use super::key::Key;
use crate::tui::commands::{Action, DialogCommand, SearchedEvent, TimeCommand, TimeUnit};

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

/// Key bindings of playback; active everywhere.
pub(super) static KEYS: &[Binding] = keys! {
    "play", &[Key::char(' ')], TimeCommand::Play, true, "Play or pause the growth; at the end, play from the start.";
    "previous turn", &[Key::char(',')], TimeCommand::Back(TimeUnit::Turn), false, "Go back one turn.";
    "turn", &[Key::char('.')], TimeCommand::Forward(TimeUnit::Turn), true, "Go forward one turn: one Builder (a Crawler or a Jumper) acts.";
    "previous iteration", &[Key::char('<')], TimeCommand::Back(TimeUnit::Iteration), false, "Go back one iteration.";
    "iteration", &[Key::char('>')], TimeCommand::Forward(TimeUnit::Iteration), false, "Go forward one iteration: every awake Builder acts once.";
    "previous generation", &[Key::char('{')], TimeCommand::Back(TimeUnit::Generation), false, "Go back to the start of this generation; from there, to the start of the previous one.";
    "generation", &[Key::char('}')], TimeCommand::Forward(TimeUnit::Generation), true, "Go forward to the start of the next generation.";
    "to the start", &[Key::char('g')], TimeCommand::Start, false, "Go to the moment before any Builder acts.";
    "to the end", &[Key::char('G')], TimeCommand::End, true, "Go to the end of the growth; if the dungeon is still growing, follow the growth to its end.";
    "slower", &[Key::char('['), Key::plain(KeyCode::F(7))], TimeCommand::Slower, false, "Play fewer turns per second.";
    "loop", &[Key::char('@')], TimeCommand::Loop, false, "Turn looping on or off: at the end, play from the start again, or stop.";
    "design first", &[Key::char('&')], TimeCommand::Look, false, "When playback starts at turn 0, show the design for three seconds before the growth begins; press again to turn this off.";
    "bookmark", &[Key::char('b')], TimeCommand::Bookmark, false, "Set or remove a bookmark at this moment; bookmarks stay when the design is edited.";
    "next bookmark", &[Key::char('\'')], TimeCommand::ToBookmark { forward: true }, false, "Go forward to the next bookmark.";
    "previous bookmark", &[Key::char('"')], TimeCommand::ToBookmark { forward: false }, false, "Go back to the previous bookmark.";
    "next change near", &[Key::char(')')], TimeCommand::find(SearchedEvent::Change, true), false, "Go forward to the next tile laid within five squares of the map's cursor.";
    "previous change near", &[Key::char('(')], TimeCommand::find(SearchedEvent::Change, false), false, "Go back to the previous tile laid within five squares of the map's cursor.";
    "next birth near", &[Key::alt('b')], TimeCommand::find(SearchedEvent::Birth, true), false, "Go forward to the next birth within five squares of the map's cursor.";
    "previous birth near", &[Key::alt('B')], TimeCommand::find(SearchedEvent::Birth, false), false, "Go back to the previous birth within five squares of the map's cursor.";
    "next death near", &[Key::alt('d')], TimeCommand::find(SearchedEvent::Death, true), false, "Go forward to the next death within five squares of the map's cursor.";
    "previous death near", &[Key::alt('D')], TimeCommand::find(SearchedEvent::Death, false), false, "Go back to the previous death within five squares of the map's cursor.";
    "next birth", &[], TimeCommand::find_anywhere(SearchedEvent::Birth, true), false, "Go forward to the next birth, wherever it is; the map's cursor goes there.";
    "previous birth", &[], TimeCommand::find_anywhere(SearchedEvent::Birth, false), false, "Go back to the previous birth, wherever it is; the map's cursor goes there.";
    "next death", &[], TimeCommand::find_anywhere(SearchedEvent::Death, true), false, "Go forward to the next death, wherever it is; the map's cursor goes there.";
    "previous death", &[], TimeCommand::find_anywhere(SearchedEvent::Death, false), false, "Go back to the previous death, wherever it is; the map's cursor goes there.";
    "go to", &[Key::char('#')], TimeCommand::GoTo, false, "Type a moment to seek to: the number of a turn, i 12 for an iteration, g 3 for a generation, or 50%.";
    "faster", &[Key::char(']'), Key::plain(KeyCode::F(8))], TimeCommand::Faster, true, "Play more turns per second.";
};

/// Key bindings of the dialog in which the user types a moment to seek to.
pub(super) static MOMENT_KEYS: &[Binding] = bindings! {
    Context::Moment, "go", [Key::plain(KeyCode::Enter)], Action::Dialog(DialogCommand::Accept), true, "Seek to the typed moment and pause.";
    Context::Moment, "cancel", [Key::plain(KeyCode::Esc), Key::ctrl('c')], Action::CloseDialog, true, "Stay at the moment that is shown.";
};
