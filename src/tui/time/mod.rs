//! The timeline's commands: they change which moment of the run is shown.
//!
//! The generator fills the recording in the background, and [`playback`] plays it. This module runs the commands and
//! handles the mouse. [`timeline`] draws the timeline, and [`moment`] is the dialog in which the user types a moment to
//! go to. During a [`walk`] through the dungeon, the timeline shows the walk instead.

mod moment;
#[cfg(test)]
mod stories;
mod timeline;
pub(super) mod walk;

use crossterm::event::{MouseButton, MouseEvent, MouseEventKind};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

pub(super) use moment::{GotoState as Moment, draw as draw_moment};

use super::editor::{Editor, NoticeLevel};
use crate::text::thousands;
use crate::tui::commands::{TimeCommand, TimeUnit};
use crate::tui::playback;
use crate::tui::playback::{LOOK, NEAR, SearchEnd};

/// Returns the rank of a command in the footer of the full-screen [player](crate::tui::player). The footer lists the
/// commands from the lowest rank to the highest. Returns `None` if the footer does not list the command.
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

/// Runs a command, and reports its effect in the footer if the timeline does not show it.
pub(super) fn update(editor: &mut Editor, command: TimeCommand) {
    match command {
        TimeCommand::Bookmark => toggle_bookmark(editor),
        TimeCommand::ToBookmark { forward } => to_bookmark(editor, forward),
        TimeCommand::Find { sight, forward, near } => {
            let center = near.then(|| editor.map.cursor());
            editor.time.search(sight, forward, center);
            report_search(editor);
        }
        // The app opens the dialog.
        TimeCommand::GoTo => {}
        TimeCommand::Slower | TimeCommand::Faster if editor.time.has_script() => {
            editor.warn("the script of moments sets the speed; going to another moment ends the script");
        }
        TimeCommand::Loop | TimeCommand::Look => {
            editor.time.command(command);
            let text = match (command, editor.time.is_looping(), editor.time.shows_design()) {
                (TimeCommand::Loop, true, _) => "looping on: playback restarts when it reaches the end".to_owned(),
                (TimeCommand::Loop, false, _) => "looping off: playback stops when it reaches the end".into(),
                (_, _, true) => format!("playback first shows the design for {} seconds", LOOK.as_secs()),
                (_, _, false) => "playback starts without showing the design".into(),
            };
            editor.done(text);
        }
        _ => editor.time.command(command),
    }
}

/// Draws the timeline of the walk in progress; if there is none, draws the timeline of the growth.
pub(super) fn draw(editor: &Editor, area: Rect, buf: &mut Buffer) {
    match &editor.walk {
        Some(state) => walk::draw(editor, state, area, buf),
        None => timeline::draw(editor, area, buf),
    }
}

fn toggle_bookmark(editor: &mut Editor) {
    let Some((moment, sets)) = editor.time.toggle_bookmark() else {
        return;
    };
    let text = if sets {
        format!("bookmark set: {moment}")
    } else {
        format!("bookmark removed: {moment}")
    };
    editor.done(text);
}

fn to_bookmark(editor: &mut Editor, forward: bool) {
    if let Some(moment) = editor.time.go_to_bookmark(forward) {
        editor.done(format!("bookmark: {moment}"));
        return;
    }
    let side = if forward { "after" } else { "before" };
    let text = match editor.time.bookmark_count() {
        (0, _) => "no bookmark has been set yet".to_owned(),
        (all, reached) if forward && reached < all => {
            format!("the growth has not reached the later bookmarks ({})", all - reached)
        }
        _ => format!("no bookmark {side} this moment"),
    };
    editor.warn(text);
}

/// Reports the progress of a search, or its result.
fn report_search(editor: &mut Editor) {
    if let Some(search) = editor.time.search_in_progress() {
        let near = search.center.map(|at| format!(" near {at}"));
        let text = format!("looking for a {}{} …", search.sight.name(), near.unwrap_or_default());
        editor.done(text);
    }
    report_search_end(editor);
}

/// Reports the result of a search that has ended.
pub(super) fn report_search_end(editor: &mut Editor) {
    let Some(caught) = editor.time.take_result() else {
        return;
    };
    let SearchEnd {
        sight,
        forward,
        center,
        catch,
    } = caught;
    let (tone, text) = if let (Some(catch), Some(frame)) = (catch, editor.time.frame()) {
        let (what, at) = (playback::description(&catch.event, frame), catch.at);
        let turn = thousands(catch.turn);
        let text = format!("{what} at {at} in turn {turn}");
        if center.is_none() {
            editor.show_square(at);
        }
        (NoticeLevel::Done, text)
    } else {
        let near = center.map(|at| format!(" within {NEAR} squares of {at}"));
        let side = if forward { "after" } else { "before" };
        let text = format!("no {}{} {side} this moment", sight.name(), near.unwrap_or_default());
        (NoticeLevel::Warning, text)
    };
    editor.say(tone, text);
}

/// Handles the mouse. A click or drag on the bar seeks; a click on a bookmark seeks exactly to it. The right button
/// sets or removes a bookmark. A click on an item of the status line runs its command. The wheel moves by iterations.
pub(super) fn mouse(editor: &mut Editor, mouse: MouseEvent) {
    if editor.walk.is_some() {
        return walk::mouse(editor, mouse);
    }
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
