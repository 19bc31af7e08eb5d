//! Key bindings about time, and of the dialog that asks for a moment.

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

/// Key bindings of time; active everywhere.
pub(super) static KEYS: &[Binding] = keys! {
    "play", &[Key::char(' ')], TimeCommand::Play, true, "Play or pause the growth; at the end, play from the start.";
    "turn back", &[Key::char(',')], TimeCommand::Back(TimeUnit::Turn), false, "One turn back: the last Builder's act is undone.";
    "turn", &[Key::char('.')], TimeCommand::Forward(TimeUnit::Turn), true, "One turn on: one Builder acts.";
    "iteration back", &[Key::char('<')], TimeCommand::Back(TimeUnit::Iteration), false, "One iteration back.";
    "iteration", &[Key::char('>')], TimeCommand::Forward(TimeUnit::Iteration), false, "One iteration on: every waking Builder acts once.";
    "generation back", &[Key::char('{')], TimeCommand::Back(TimeUnit::Generation), false, "Back to where a generation's time begins.";
    "generation", &[Key::char('}')], TimeCommand::Forward(TimeUnit::Generation), true, "On to where the next generation's time begins.";
    "to the start", &[Key::char('g')], TimeCommand::Start, false, "To the moment before anybody acts.";
    "to the end", &[Key::char('G')], TimeCommand::End, true, "To the end of growth, and wait for it there.";
    "slower", &[Key::char('['), Key::plain(KeyCode::F(7))], TimeCommand::Slower, false, "Fewer turns a second.";
    "loop", &[Key::char('@')], TimeCommand::Loop, false, "At the end, play from the start again and again; or stop at the end.";
    "look first", &[Key::char('&')], TimeCommand::Look, false, "Show the design for three seconds before a film begins; or begin at once.";
    "bookmark", &[Key::char('b')], TimeCommand::Bookmark, false, "Mark this moment on the timeline, or take its mark away; marks stay when the design is edited.";
    "next bookmark", &[Key::char('\'')], TimeCommand::ToBookmark { forward: true }, false, "On to the next bookmark.";
    "bookmark before", &[Key::char('"')], TimeCommand::ToBookmark { forward: false }, false, "Back to the bookmark before.";
    "change near", &[Key::char(')')], TimeCommand::find(SearchedEvent::Change, true), false, "On to the next tile that is laid within five squares of the map's cursor.";
    "change near before", &[Key::char('(')], TimeCommand::find(SearchedEvent::Change, false), false, "Back to the last tile that was laid within five squares of the map's cursor.";
    "birth near", &[Key::alt('b')], TimeCommand::find(SearchedEvent::Birth, true), false, "On to the next birth within five squares of the map's cursor.";
    "birth near before", &[Key::alt('B')], TimeCommand::find(SearchedEvent::Birth, false), false, "Back to the last birth within five squares of the map's cursor.";
    "death near", &[Key::alt('d')], TimeCommand::find(SearchedEvent::Death, true), false, "On to the next death within five squares of the map's cursor.";
    "death near before", &[Key::alt('D')], TimeCommand::find(SearchedEvent::Death, false), false, "Back to the last death within five squares of the map's cursor.";
    "next birth", &[], TimeCommand::find_anywhere(SearchedEvent::Birth, true), false, "On to the next birth, wherever it is; the map's cursor goes there.";
    "birth before", &[], TimeCommand::find_anywhere(SearchedEvent::Birth, false), false, "Back to the last birth, wherever it is.";
    "next death", &[], TimeCommand::find_anywhere(SearchedEvent::Death, true), false, "On to the next death, wherever it is; the map's cursor goes there.";
    "death before", &[], TimeCommand::find_anywhere(SearchedEvent::Death, false), false, "Back to the last death, wherever it is.";
    "go to", &[Key::char('#')], TimeCommand::GoTo, false, "Type a moment to go to: the number of a turn, i 12 for an iteration, g 3 for a generation, or 50 %.";
    "faster", &[Key::char(']'), Key::plain(KeyCode::F(8))], TimeCommand::Faster, true, "More turns a second.";
};

/// Key bindings of the dialog.
pub(super) static MOMENT_KEYS: &[Binding] = bindings! {
    Context::Moment, "go", [Key::plain(KeyCode::Enter)], Action::Dialog(DialogCommand::Accept), true, "Go to the moment that is typed, and pause there.";
    Context::Moment, "cancel", [Key::plain(KeyCode::Esc), Key::ctrl('c')], Action::CloseDialog, true, "Stay at the moment that is shown.";
};
