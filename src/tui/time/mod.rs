//! Time: the moment of the run that is shown, and how it changes.
//!
//! The generator fills the recording in the background; [`player`] plays it as a [`run_playback`], [`event_search`]
//! finds events in it, and [`bookmarks`] are moments to return to. This module has the keys, the commands and the
//! mouse; [`timeline`] draws.

mod bookmarks;
mod event_search;
mod guide;
mod moment;
mod player;
mod run_playback;
#[cfg(test)]
mod stories;
mod timeline;

use crossterm::event::{KeyCode, MouseButton, MouseEvent, MouseEventKind};

pub(super) use event_search::SearchedEvent;
pub(super) use moment::{GotoState as Moment, KEYS as MOMENT_KEYS, draw as draw_moment};
pub(super) use player::TimeState;
pub(super) use run_playback::RunInfo;
pub(super) use timeline::draw;

use self::event_search::NEAR;
use self::guide::SearchEnd;
use self::player::LOOK;
use super::action::Action;
use super::editor::{Editor, NoticeLevel};
use super::keys::{Binding, Context, Key};
use crate::text::thousands;

/// A unit of time for stepping.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TimeUnit {
    /// One Builder acts.
    Turn,
    /// Every awake Builder acts once.
    Iteration,
    /// A hundred iterations.
    Generation,
}

/// A command about time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TimeCommand {
    /// Plays or pauses.
    Play,
    /// Selects the next lower speed.
    Slower,
    /// Selects the next higher speed.
    Faster,
    /// Steps forward by one unit.
    Forward(TimeUnit),
    /// Steps back by one unit.
    Back(TimeUnit),
    /// Seeks to the moment before the first turn.
    Start,
    /// Seeks to the end of growth.
    End,
    /// Toggles looping: playback restarts after the end.
    Loop,
    /// Toggles showing the design before growth starts.
    Look,
    /// Sets a bookmark at the moment, or removes it.
    Bookmark,
    /// Seeks to the next or the previous bookmark.
    ToBookmark {
        /// Whether to go forward in time.
        forward: bool,
    },
    /// Searches for the next or the previous event of a kind.
    Find {
        /// Kind of event.
        sight: SearchedEvent,
        /// Whether to search forward in time.
        forward: bool,
        /// Whether matches must be near the map's cursor.
        near: bool,
    },
    /// Opens the dialog that asks for a moment to go to.
    GoTo,
}

impl TimeCommand {
    const fn find(sight: SearchedEvent, forward: bool) -> Self {
        let near = true;
        Self::Find { sight, forward, near }
    }

    /// Returns the command that searches the whole dungeon.
    pub(super) const fn find_anywhere(sight: SearchedEvent, forward: bool) -> Self {
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

/// Returns the priority of a command in the footer of the player, the lowest number first; `None`: not shown.
pub(super) const fn rank(command: TimeCommand) -> Option<u8> {
    Some(match command {
        TimeCommand::Play => 1,
        TimeCommand::Forward(TimeUnit::Turn) => 2,
        TimeCommand::Back(TimeUnit::Turn) => 3,
        TimeCommand::Faster => 4,
        TimeCommand::Slower => 5,
        TimeCommand::Forward(_) => 6,
        TimeCommand::Back(_) => 7,
        TimeCommand::Start => 8,
        TimeCommand::End => 9,
        TimeCommand::Loop => 10,
        _ => return None,
    })
}

/// Runs a command, and reports effects that are not visible on the timeline.
pub(super) fn update(editor: &mut Editor, command: TimeCommand) {
    match command {
        TimeCommand::Bookmark => toggle_bookmark(editor),
        TimeCommand::ToBookmark { forward } => to_bookmark(editor, forward),
        TimeCommand::Find { sight, forward, near } => {
            let center = near.then(|| editor.map.cursor());
            editor.time.hunt(sight, forward, center);
            report_search(editor);
        }
        // The shell opens the dialog.
        TimeCommand::GoTo => {}
        TimeCommand::Loop | TimeCommand::Look => {
            editor.time.command(command);
            let text = match (command, editor.time.is_looping(), editor.time.looks()) {
                (TimeCommand::Loop, true, _) => "looping: after its end the film begins anew".to_owned(),
                (TimeCommand::Loop, false, _) => "looping is off: the film stops at its end".into(),
                (_, _, true) => format!("films begin with {} seconds of the design", LOOK.as_secs()),
                (_, _, false) => "films begin at once".into(),
            };
            editor.say(NoticeLevel::Done, text);
        }
        _ => editor.time.command(command),
    }
}

fn toggle_bookmark(editor: &mut Editor) {
    let Some((moment, sets)) = editor.time.toggle_bookmark() else {
        return;
    };
    let text = if sets {
        format!("bookmark set: {moment}")
    } else {
        format!("bookmark taken away: {moment}")
    };
    editor.say(NoticeLevel::Done, text);
}

fn to_bookmark(editor: &mut Editor, forward: bool) {
    if let Some(moment) = editor.time.go_to_bookmark(forward) {
        editor.say(NoticeLevel::Done, format!("bookmark: {moment}"));
        return;
    }
    let side = if forward { "after" } else { "before" };
    let text = match editor.time.bookmark_count() {
        (0, _) => "no bookmark has been set yet".to_owned(),
        (all, reached) if forward && reached < all => {
            format!(
                "no bookmark {side} this moment; {} lie past what has grown",
                all - reached
            )
        }
        _ => format!("no bookmark {side} this moment"),
    };
    editor.say(NoticeLevel::Warning, text);
}

/// Reports the progress of a search, or its result.
fn report_search(editor: &mut Editor) {
    if let Some(hunt) = editor.time.hunted() {
        let near = hunt.center.map(|at| format!(" near ({}, {})", at.x, at.y));
        let text = format!("looking for a {}{} …", hunt.sight.name(), near.unwrap_or_default());
        editor.say(NoticeLevel::Done, text);
    }
    report_search_end(editor);
}

/// Reports the result of a search that has ended.
pub(super) fn report_search_end(editor: &mut Editor) {
    let Some(caught) = editor.time.caught() else { return };
    let SearchEnd {
        sight,
        forward,
        center,
        catch,
    } = caught;
    let (tone, text) = if let (Some(catch), Some(frame)) = (catch, editor.time.frame()) {
        let (what, at) = (event_search::description(&catch.event, frame), catch.at);
        let turn = thousands(catch.turn);
        let text = format!("{what} at ({}, {}) in turn {turn}", at.x, at.y);
        if center.is_none() {
            editor.show_square(at);
        }
        (NoticeLevel::Done, text)
    } else {
        let near = center.map(|at| format!(" within {NEAR} squares of ({}, {})", at.x, at.y));
        let side = if forward { "after" } else { "before" };
        let text = format!("no {}{} {side} this moment", sight.name(), near.unwrap_or_default());
        (NoticeLevel::Warning, text)
    };
    editor.say(tone, text);
}

/// Handles the mouse: a click or drag on the bar seeks, on a bookmark exactly to it; the right button sets or removes a
/// bookmark; a click on an indicator in the status line toggles it; the wheel steps by iterations.
pub(super) fn mouse(editor: &mut Editor, mouse: MouseEvent) {
    let places = timeline::TimelineAreas::of(editor.areas.time);
    let on_bar = places.has_moment(mouse.row);
    match mouse.kind {
        MouseEventKind::Down(MouseButton::Left) if on_bar => {
            editor.time.drag(true);
            seek(editor, mouse.column, true);
        }
        MouseEventKind::Down(MouseButton::Right) if on_bar => {
            seek(editor, mouse.column, true);
            toggle_bookmark(editor);
        }
        MouseEventKind::Down(MouseButton::Left) if mouse.row == places.words.y => {
            if let Some(command) = timeline::sign_at(editor, places.words, mouse.column) {
                update(editor, command);
            }
        }
        MouseEventKind::Drag(MouseButton::Left) if editor.time.is_dragged() => seek(editor, mouse.column, false),
        MouseEventKind::Up(_) => editor.time.drag(false),
        MouseEventKind::ScrollDown => editor.time.command(TimeCommand::Forward(TimeUnit::Iteration)),
        MouseEventKind::ScrollUp => editor.time.command(TimeCommand::Back(TimeUnit::Iteration)),
        _ => {}
    }
}

/// Seeks to the moment of a column; with `exact`, to the bookmark in that column, if there is one.
fn seek(editor: &mut Editor, column: u16, exact: bool) {
    let bar = timeline::TimelineAreas::of(editor.areas.time).bar;
    let turns = editor.time.turns();
    let marks = editor.time.bookmarks();
    let mut marked = marks
        .into_iter()
        .filter(|turn| bar.x + timeline::column_of(bar, *turn, turns) == column);
    let turn = marked
        .next()
        .filter(|_| exact)
        .unwrap_or_else(|| timeline::turn_at(bar, column, turns));
    editor.time.seek(turn);
}
