//! The command palette: every action of the key table, found by typing, with its keys and its context.
//!
//! An action of another context is run there, by moving the focus first; an action that is unavailable now is shown
//! with the reason. Recently used actions come first.

mod fuzzy;
mod list;

pub(super) use self::fuzzy::score;

use crossterm::event::{KeyCode, KeyEvent};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};
use unicode_width::UnicodeWidthStr as _;

use self::list::{ActionReach, PaletteEntry, entries};
use super::app::{Action, App, Effect, NoticeLevel};
use super::dialog::{Dialog, DialogCommand, popup, popup_inside};
use super::keys::{Binding, Context, Key, bindings};
use super::text::{shortened, wrap};
use super::text_field::{TextField, TextKind};

const WIDTH: u16 = 76;

/// Columns of the names.
const NAME: usize = 20;

/// Rows of the list on a screen with enough room; rows above it (text field and rule), and below it (rule and
/// description of the selected action).
const ROWS: u16 = 14;
const HEAD: u16 = 2;
const ABOUT: u16 = 3;

/// Number of recent actions remembered.
const RECENT: usize = 8;

/// State of the palette: the typed text and the selected index.
#[derive(Debug)]
pub(super) struct PaletteState {
    typing: TextField,
    selected: usize,
}

/// Key bindings of the palette.
pub(super) static KEYS: &[Binding] = bindings! {
    Context::Palette, "do", [Key::plain(KeyCode::Enter)], Action::Dialog(DialogCommand::Accept), true, "Do the action that is selected, where it belongs; a click does the same.";
    Context::Palette, "close", [Key::plain(KeyCode::Esc), Key::ctrl('c')], Action::CloseDialog, true, "Go back and do nothing.";
    Context::Palette, "down", [Key::plain(KeyCode::Down), Key::plain(KeyCode::Tab), Key::ctrl('n')], Action::Dialog(DialogCommand::Field(1)), true, "Select the next action.";
    Context::Palette, "up", [Key::plain(KeyCode::Up), Key::plain(KeyCode::BackTab), Key::ctrl('p')], Action::Dialog(DialogCommand::Field(-1)), true, "Select the action before.";
    Context::Palette, "page down", [Key::plain(KeyCode::PageDown)], Action::Dialog(DialogCommand::Scroll(10)), false, "Ten actions on.";
    Context::Palette, "page up", [Key::plain(KeyCode::PageUp)], Action::Dialog(DialogCommand::Scroll(-10)), false, "Ten actions back.";
};

impl PaletteState {
    /// Creates a palette without text.
    pub(super) fn new() -> Self {
        Self {
            typing: TextField::new(TextKind::Line, ""),
            selected: 0,
        }
    }

    /// Passes a key to the text field; returns whether the field accepted it. Resets the selection if the text changed.
    pub(super) fn typed(&mut self, key: &KeyEvent) -> bool {
        let before = self.typing.text().to_owned();
        let taken = self.typing.press(key);
        if before != self.typing.text() {
            self.selected = 0;
        }
        taken
    }

    /// Passes pasted text to the text field.
    pub(super) fn paste(&mut self, text: &str) {
        self.typing.paste(text);
        self.selected = 0;
    }
}

/// Returns the open palette; `None` if another dialog or none is open.
const fn open(app: &App) -> Option<&PaletteState> {
    match &app.dialog {
        Some(Dialog::Palette(state)) => Some(state),
        _ => None,
    }
}

/// Moves the selection by this many entries.
pub(super) fn select(app: &mut App, by: i32) {
    let count = open(app).map_or(0, |state| entries(app, state.typing.text()).len());
    if let Some(Dialog::Palette(state)) = &mut app.dialog {
        let selected = state.selected.min(count.saturating_sub(1));
        state.selected = selected.saturating_add_signed(by as isize).min(count.saturating_sub(1));
    }
}

/// Runs the selected action in its context.
pub(super) fn accept(app: &mut App) -> Vec<Effect> {
    let Some(state) = open(app) else { return Vec::new() };
    let list = entries(app, state.typing.text());
    let Some(entry) = list.into_iter().nth(state.selected) else {
        app.editor.say(NoticeLevel::Warning, "no action has such a name");
        return Vec::new();
    };
    let way = match entry.reach {
        ActionReach::Not(why) => {
            app.editor
                .say(NoticeLevel::Warning, format!("{}: {why}", entry.binding.name));
            return Vec::new();
        }
        ActionReach::Here => Vec::new(),
        ActionReach::By(way) => way,
    };
    let binding = entry.binding;
    app.recent.retain(|recent| !std::ptr::eq(*recent, binding));
    app.recent.insert(0, binding);
    app.recent.truncate(RECENT);
    app.dialog = None;
    let before = picture(app);
    let mut effects: Vec<Effect> = way.into_iter().flat_map(|action| app.update(action)).collect();
    effects.extend(app.update(binding.action));
    if effects.is_empty() && !app.editor.regrows() && picture(app) == before {
        app.editor.say(
            NoticeLevel::Warning,
            format!("{}: there is nothing to do", binding.name),
        );
    }
    effects
}

/// Draws the present screen into a buffer, to detect whether an action changed anything.
fn picture(app: &App) -> Buffer {
    let mut picture = Buffer::empty(app.editor.screen);
    app.draw(app.editor.screen, &mut picture);
    picture
}

/// Runs the clicked action.
pub(super) fn click(app: &mut App, at: Position) -> Vec<Effect> {
    let Some(state) = open(app) else { return Vec::new() };
    let rows = rows(popup_inside(WIDTH, height(), app.editor.screen));
    if !rows.contains(at) {
        return Vec::new();
    }
    let clicked = first(state, rows) + usize::from(at.y - rows.y);
    if clicked >= entries(app, state.typing.text()).len() {
        return Vec::new();
    }
    if let Some(Dialog::Palette(state)) = &mut app.dialog {
        state.selected = clicked;
    }
    accept(app)
}

const fn height() -> u16 {
    ROWS + HEAD + ABOUT + 2
}

/// Returns the rows of the list inside the frame. The description is left out first if there is little room.
fn rows(inside: Rect) -> Rect {
    let head = HEAD.min(inside.height);
    let about = if inside.height > HEAD + ABOUT + 2 { ABOUT } else { 0 };
    Rect {
        y: inside.y + head,
        height: inside.height - head - about,
        ..inside
    }
}

/// Returns the first visible entry.
fn first(state: &PaletteState, rows: Rect) -> usize {
    (state.selected + 1).saturating_sub(usize::from(rows.height))
}

/// Draws the palette.
pub(super) fn draw(app: &App, state: &PaletteState, screen: Rect, buf: &mut Buffer) {
    let theme = app.editor.theme;
    let inside = popup(app.editor.theme, "Commands", WIDTH, height(), screen, buf);
    if inside.is_empty() {
        return;
    }
    let list = entries(app, state.typing.text());
    let width = usize::from(inside.width);
    buf.set_stringn(inside.x, inside.y, " ❯ ", width, theme.accent());
    let field = Rect {
        x: inside.x + 3.min(inside.width),
        width: inside.width.saturating_sub(4),
        height: 1,
        ..inside
    };
    state.typing.draw(theme, field, buf);
    if state.typing.text().is_empty() && field.width > 2 {
        let hint = "type a part of its name, its keys, or what it does";
        buf.set_stringn(field.x + 2, field.y, hint, usize::from(field.width) - 2, theme.quiet());
    }
    let rule = |y: u16, buf: &mut Buffer| {
        if y < inside.bottom() {
            buf.set_stringn(inside.x, y, "─".repeat(width), width, theme.border(false));
        }
    };
    rule(inside.y + 1, buf);
    let rows = rows(inside);
    let seen = list.iter().enumerate().skip(first(state, rows));
    for (y, (i, entry)) in (rows.top()..rows.bottom()).zip(seen) {
        let selected = i == state.selected;
        let line = line(app, entry, width, selected);
        if selected {
            buf.set_style(Rect::new(rows.x, y, rows.width, 1), theme.selected(true));
        }
        buf.set_line(rows.x, y, &line, rows.width);
    }
    if list.is_empty() && !rows.is_empty() {
        buf.set_stringn(
            rows.x + 1,
            rows.y,
            "no action has such a name",
            width.saturating_sub(2),
            theme.quiet(),
        );
    }
    if rows.bottom() < inside.bottom() {
        rule(rows.bottom(), buf);
        about(
            app,
            list.get(state.selected),
            Rect {
                y: rows.bottom() + 1,
                height: ABOUT - 1,
                ..inside
            },
            buf,
        );
    }
}

/// Draws what the selected action does, or why it is unavailable now.
fn about(app: &App, entry: Option<&PaletteEntry>, area: Rect, buf: &mut Buffer) {
    let Some(entry) = entry else { return };
    let (text, style) = match &entry.reach {
        ActionReach::Not(why) => (
            format!("Not now: {why}. {}", entry.binding.help),
            app.editor.theme.warning(),
        ),
        _ => (entry.binding.help.to_owned(), app.editor.theme.quiet()),
    };
    let width = usize::from(area.width);
    for (y, line) in (area.top()..area.bottom()).zip(wrap(&text, width.saturating_sub(2))) {
        buf.set_stringn(area.x, y, format!(" {line}"), width, style);
    }
}

/// Returns a row of the list: the name with its matched letters, the context, and the keys at the right.
fn line(app: &App, entry: &PaletteEntry, width: usize, selected: bool) -> Line<'static> {
    let theme = app.editor.theme;
    let dim = matches!(entry.reach, ActionReach::Not(_));
    let plain = |style: Style| if selected { Style::new() } else { style };
    let (base, hit) = match (selected, dim) {
        (true, _) => (
            Style::new(),
            Style::new().add_modifier(Modifier::BOLD | Modifier::UNDERLINED),
        ),
        (false, true) => (theme.quiet(), theme.quiet().add_modifier(Modifier::UNDERLINED)),
        (false, false) => (theme.text(), theme.accent().add_modifier(Modifier::BOLD)),
    };
    let keys = shortened(&app.editor.keymap.text(entry.binding), width.saturating_sub(2) / 3);
    let mut spans = vec![Span::raw(" ")];
    for (i, c) in entry.binding.name.chars().enumerate() {
        let style = if entry.letters.contains(&i) { hit } else { base };
        spans.push(Span::styled(c.to_string(), style));
    }
    let name = entry.binding.name.width();
    let gap = NAME.saturating_sub(name).max(2);
    let place = shortened(&entry.place, width.saturating_sub(name + gap + keys.width() + 3));
    if place.width() > 3 {
        spans.push(Span::raw(" ".repeat(gap)));
        spans.push(Span::styled(place, plain(theme.quiet())));
    }
    let used: usize = spans.iter().map(Span::width).sum();
    spans.push(Span::raw(" ".repeat(width.saturating_sub(used + keys.width() + 1))));
    spans.push(Span::styled(
        keys,
        plain(if dim { theme.quiet() } else { theme.accent() }),
    ));
    Line::from(spans)
}

#[cfg(test)]
mod tests;
