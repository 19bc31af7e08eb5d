//! The list of edits: what was done, what was taken back, where the design stands and where it was saved.
//!
//! Enter, or a click, goes to any of them; nothing is lost by looking. The first line is the design as it was
//! opened.

use crossterm::event::KeyCode;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::Line;
use unicode_width::UnicodeWidthStr as _;

use super::{Command as ViewCommand, View};
use crate::tui::app::{Action, App, Effect, Focus};
use crate::tui::keys::{Binding, Context, Key, bindings};
use crate::tui::screen::thousands;
use crate::tui::text::shortened;

/// What is selected, and from which line on the list is seen.
#[derive(Debug, Default)]
pub(in crate::tui) struct State {
    /// The line chosen, and the step that the design stood at then; elsewhere the present is selected.
    chosen: Option<(usize, usize)>,
    top: usize,
}

/// What can be done in the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::tui) enum Command {
    /// Select a line further on, up when negative.
    Select(i32),
    /// The same by windows.
    Page(i32),
    /// The design as it was opened.
    First,
    /// The last edit, taken back or not.
    Last,
    /// Go to the selected line.
    GoTo,
}

const HERE: Context = Context::View(View::History);

/// Keys of the list.
pub(in crate::tui) static KEYS: &[Binding] = bindings! {
    HERE, "go there", [Key::plain(KeyCode::Enter)], Action::View(ViewCommand::History(Command::GoTo)), true, "Bring the design to the selected step; the others stay in the list.";
    HERE, "up", [Key::plain(KeyCode::Up), Key::char('k')], Action::View(ViewCommand::History(Command::Select(-1))), true, "Select the edit before.";
    HERE, "down", [Key::plain(KeyCode::Down), Key::char('j')], Action::View(ViewCommand::History(Command::Select(1))), true, "Select the edit after.";
    HERE, "page up", [Key::plain(KeyCode::PageUp)], Action::View(ViewCommand::History(Command::Page(-1))), false, "Move up by a window.";
    HERE, "page down", [Key::plain(KeyCode::PageDown)], Action::View(ViewCommand::History(Command::Page(1))), false, "Move down by a window.";
    HERE, "first", [Key::plain(KeyCode::Home)], Action::View(ViewCommand::History(Command::First)), false, "Select the design as it was opened.";
    HERE, "last", [Key::plain(KeyCode::End)], Action::View(ViewCommand::History(Command::Last)), false, "Select the last edit, taken back or not.";
};

/// Lines of the list: the design as it was opened, then every step.
fn lines(app: &App) -> usize {
    app.document.steps().len() + 1
}

/// The selected line.
fn selected(app: &App) -> usize {
    let now = app.document.step();
    let chosen = app.views.history.chosen.filter(|(_, at)| *at == now);
    chosen.map_or(now, |(line, _)| line).min(lines(app) - 1)
}

/// The first line that is seen in so many rows, as near to where it was as shows the selected one.
fn top(app: &App, rows: u16) -> usize {
    let rows = usize::from(rows).max(1);
    let (selected, all) = (selected(app), lines(app));
    let top = app.views.history.top.min(all.saturating_sub(rows)).min(selected);
    if selected >= top + rows {
        selected + 1 - rows
    } else {
        top
    }
}

/// Does a command in the list, which has so many rows.
pub(super) fn update(app: &mut App, command: Command, rows: u16) -> Vec<Effect> {
    let (line, last) = (selected(app), lines(app) - 1);
    let window = i32::from(rows.max(2) - 1);
    let by = |by: i32| line.saturating_add_signed(by as isize).min(last);
    let chosen = match command {
        Command::Select(down) => by(down),
        Command::Page(down) => by(down * window),
        Command::First => 0,
        Command::Last => last,
        Command::GoTo => {
            let effects = app.go_to(line);
            app.views.history.chosen = None;
            app.views.history.top = top(app, rows);
            return effects;
        }
    };
    app.views.history.chosen = Some((chosen, app.document.step()));
    app.views.history.top = top(app, rows);
    Vec::new()
}

/// Goes to the line that was clicked.
pub(super) fn click(app: &mut App, area: Rect, at: Position) -> Vec<Effect> {
    let line = top(app, area.height) + usize::from(at.y.saturating_sub(area.y));
    if !area.contains(at) || line >= lines(app) {
        return Vec::new();
    }
    app.views.history.top = top(app, area.height);
    app.views.history.chosen = Some((line, app.document.step()));
    update(app, Command::GoTo, area.height)
}

/// Draws the list: the present marked, what was taken back in quiet, and where the design was saved.
pub(super) fn draw(app: &App, area: Rect, buf: &mut Buffer) {
    if area.is_empty() {
        return;
    }
    let theme = app.theme;
    let (now, saved, selected, first) = (
        app.document.step(),
        app.document.saved_step(),
        selected(app),
        top(app, area.height),
    );
    let names = std::iter::once("as it was opened").chain(app.document.steps());
    let number_width = thousands(lines(app) as u64).len();
    for (y, (line, name)) in (area.top()..area.bottom()).zip(names.enumerate().skip(first)) {
        let style = match line {
            _ if line == selected => theme.selected(app.focus == Focus::View),
            _ if line > now => theme.quiet(),
            _ => theme.text(),
        };
        let mark = if line == now { "▸" } else { " " };
        let head = format!("{mark} {:>number_width$} ", thousands(line as u64));
        buf.set_stringn(area.x, y, &head, area.width.into(), theme.accent());
        let tag = if saved == Some(line) { " saved" } else { "" };
        let from = area.x + (head.chars().count() as u16).min(area.width);
        let room = usize::from(area.right() - from).saturating_sub(tag.len());
        buf.set_stringn(from, y, short(name, room), room, style);
        let tag = Line::styled(tag, theme.good());
        let x = area.right().saturating_sub(tag.width() as u16).max(from);
        buf.set_line(x, y, &tag, area.right() - x);
    }
}

/// A step's name in so many columns: its values are the last to go.
fn short(name: &str, room: usize) -> String {
    match name.rsplit_once(": ") {
        Some((what, values)) if name.width() > room && values.width() + 8 < room => {
            format!("{}: {values}", shortened(what, room - values.width() - 2))
        }
        _ => shortened(name, room),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_keep_their_values() {
        let name = "CorridorWidth of generation 2: 4 → 3";
        assert_eq!(short(name, 40), name);
        assert_eq!(short(name, 24), "CorridorWidth of…: 4 → 3");
        assert_eq!(short(name, 9), "Corridor…");
    }
}
