//! The command palette: finds any action of the key table by typed text, and shows its keys and context.
//!
//! If an action belongs to another context, the palette moves the focus there before it runs the action. Actions that
//! are unavailable now are listed with the reason. Recently used actions come first.

mod fuzzy;
mod list;
mod synonyms;

pub(super) use self::fuzzy::score;
pub(super) use self::list::{ActionReach, reach};

use crossterm::event::{KeyEvent, MouseEvent};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};
use unicode_width::UnicodeWidthStr as _;

use self::list::{PaletteEntry, entries};
use super::editor::Editor;
use super::tabs::{Panel, View};
use super::theme::Theme;
use super::widget::list::{ListClick, ListState, ListStep, VisibleRows};
use super::widget::popup::{after, popup, popup_inside, shrunk};
use super::widget::prompt::{PasteCut, TextField, TextKind};
use super::widget::text::{put, put_wrapped, rule, shortened};
use crate::tui::commands::Action;
use crate::tui::keymap::{self, Binding, Context};
use crate::tui::widget::table;

const WIDTH: u16 = 76;

/// Width of the names, in columns.
const NAME: usize = 20;

/// Number of rows of the list on a screen with enough room.
const ROWS: u16 = 14;

/// Number of rows above the list: the text field and a rule.
const HEAD: u16 = 2;

/// Number of rows below the list: a rule and the description of the selected action.
const ABOUT: u16 = 3;

/// Maximum number of recent actions that are remembered.
const RECENT: usize = 8;

/// The user's place in the designer, and the actions that lead from there to other places.
#[derive(Debug)]
pub(super) struct PalettePlace<'a> {
    /// The contexts whose keys apply, the most specific first.
    pub here: &'a [Context],
    /// The panel shown.
    pub panel: Panel,
    /// The view shown.
    pub view: View,
    /// Actions that close the screens that cover the workspace, the topmost first.
    pub close: Vec<Action>,
    /// The recently chosen actions, the latest first.
    pub recent: &'a [&'static Binding],
}

/// An action, how it could be reached when the palette was opened, and its synonyms.
#[derive(Debug)]
struct PaletteAction {
    binding: &'static Binding,
    reach: ActionReach,
    synonyms: Vec<&'static str>,
}

/// State of the palette: the actions and how they could be reached when the palette was opened, the typed text and the
/// selection.
#[derive(Debug)]
pub(super) struct PaletteState {
    actions: Vec<PaletteAction>,
    here: Vec<Context>,
    recent: Vec<&'static Binding>,
    typing: TextField,
    list: ListState,
}

impl PaletteState {
    /// Creates a palette with an empty text field. If an action has nothing to act on, `unavailable` returns the
    /// reason.
    pub(super) fn new(place: &PalettePlace, unavailable: impl Fn(&Binding) -> Option<&'static str>) -> Self {
        let actions = keymap::table().map(|binding| PaletteAction {
            binding,
            reach: reach(place, unavailable(binding), binding),
            synonyms: synonyms::of(binding),
        });
        Self {
            actions: actions.collect(),
            here: place.here.to_vec(),
            recent: place.recent.to_vec(),
            typing: TextField::new(TextKind::Line, ""),
            list: ListState::default(),
        }
    }

    /// Passes a key to the text field; returns whether the field accepted it. Resets the selection if the text
    /// changed.
    pub(super) fn typed(&mut self, key: &KeyEvent) -> bool {
        let before = self.typing.text().to_owned();
        let taken = self.typing.press(key);
        if before != self.typing.text() {
            self.list = ListState::default();
        }
        taken
    }

    /// Passes pasted text to the text field.
    pub(super) fn paste(&mut self, text: &str) -> Option<PasteCut> {
        self.list = ListState::default();
        self.typing.paste(text)
    }

    fn entries(&self, editor: &Editor) -> Vec<PaletteEntry> {
        entries(self, &editor.keymap, self.typing.text())
    }

    fn visible(&self, editor: &Editor, all: usize) -> VisibleRows {
        let inside = popup_inside(WIDTH, height(), editor.screen);
        self.list.visible(rows(inside), all, 0)
    }

    /// Moves the selection.
    pub(super) fn step(&mut self, editor: &Editor, step: ListStep) {
        let visible = self.visible(editor, self.entries(editor).len());
        self.list.step(step, visible);
    }

    /// Returns the selected action, preceded by the actions that move the focus to its context. If the selected action
    /// is unavailable, shows why and returns `None`.
    pub(super) fn accept(&self, editor: &mut Editor) -> Option<(Vec<Action>, &'static Binding)> {
        let list = self.entries(editor);
        let selected = self.visible(editor, list.len()).selected;
        let Some(entry) = list.into_iter().nth(selected) else {
            editor.warn("no action matches");
            return None;
        };
        match entry.reach {
            ActionReach::Not(why) => {
                editor.warn(format!("{}: {why}", entry.binding.name));
                None
            }
            ActionReach::Here => Some((Vec::new(), entry.binding)),
            ActionReach::By(way) => Some((way, entry.binding)),
        }
    }

    /// Handles a mouse event: a click accepts an action, the wheel moves the selection.
    pub(super) fn mouse(&mut self, editor: &Editor, mouse: MouseEvent) -> Option<ListClick> {
        let visible = self.visible(editor, self.entries(editor).len());
        self.list.mouse(mouse, visible, |_| false)?;
        ListStep::of_wheel(mouse).is_none().then_some(ListClick::Accepted)
    }
}

/// Moves an action to the front of the recent actions.
pub(super) fn remember(recent: &mut Vec<&'static Binding>, binding: &'static Binding) {
    recent.retain(|recent| !std::ptr::eq(*recent, binding));
    recent.insert(0, binding);
    recent.truncate(RECENT);
}

/// Shows a warning that a chosen action changed nothing.
pub(super) fn say_nothing_to_do(editor: &mut Editor, binding: &Binding) {
    editor.warn(format!("{}: there is nothing to do", binding.name));
}

const fn height() -> u16 {
    ROWS + HEAD + ABOUT + 2
}

/// Returns the area of the list inside the frame. If there is little room, no area remains for the description.
fn rows(inside: Rect) -> Rect {
    let head = HEAD.min(inside.height);
    let about = if inside.height > HEAD + ABOUT + 2 { ABOUT } else { 0 };
    Rect {
        y: inside.y + head,
        height: inside.height - head - about,
        ..inside
    }
}

impl PaletteState {
    /// Draws the palette.
    pub(super) fn draw(&self, editor: &Editor, screen: Rect, buf: &mut Buffer) {
        let theme = editor.theme;
        let inside = popup(editor.theme, "Commands", WIDTH, height(), screen, buf);
        if inside.is_empty() {
            return;
        }
        let list = self.entries(editor);
        put(" ❯ ", inside, theme.accent(), buf);
        let field = Rect {
            x: inside.x + 3.min(inside.width),
            width: inside.width.saturating_sub(4),
            height: 1,
            ..inside
        };
        self.typing.draw(theme, field, buf);
        if self.typing.text().is_empty() {
            let hint = "type part of a name or description, or a key";
            put(hint, after(field, 2), theme.quiet(), buf);
        }
        let row = |y: u16| Rect { y, height: 1, ..inside }.intersection(inside);
        rule(theme, row(inside.y + 1), buf);
        let rows = rows(inside);
        let visible = self.list.visible(rows, list.len(), 0);
        let line = |i| line(editor, &list[i], inside.width, i == visible.selected);
        visible.draw(theme, Some(theme.selected(true)), line, buf);
        if list.is_empty() {
            put("no action matches", after(rows, 1), theme.quiet(), buf);
        }
        if rows.bottom() < inside.bottom() {
            rule(theme, row(rows.bottom()), buf);
            let area = Rect {
                y: rows.bottom() + 1,
                height: ABOUT - 1,
                ..inside
            };
            about(theme, list.get(visible.selected), area, buf);
        }
    }
}

/// Draws the description of the selected action and, if the action is unavailable, the reason.
fn about(theme: Theme, entry: Option<&PaletteEntry>, area: Rect, buf: &mut Buffer) {
    let Some(entry) = entry else { return };
    let (text, style) = match &entry.reach {
        ActionReach::Not(why) => (format!("Not now: {why}. {}", entry.binding.help), theme.warning()),
        _ => (entry.binding.help.to_owned(), theme.quiet()),
    };
    put_wrapped(&text, shrunk(area), style, buf);
}

/// Returns a row of the list: the name with its matched letters, the context, and the keys at the right.
fn line(editor: &Editor, entry: &PaletteEntry, width: u16, selected: bool) -> Line<'static> {
    let theme = editor.theme;
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
    let keys = shortened(
        &editor.keymap.text(entry.binding),
        usize::from(width.saturating_sub(2) / 3),
    );
    let keys = Span::styled(keys, plain(if dim { theme.quiet() } else { theme.accent() }));
    let mut spans = vec![Span::raw(" ")];
    for (i, c) in entry.binding.name.chars().enumerate() {
        let style = if entry.letters.contains(&i) { hit } else { base };
        spans.push(Span::styled(c.to_string(), style));
    }
    let gap = NAME.saturating_sub(entry.binding.name.width()).max(2);
    spans.push(Span::raw(" ".repeat(gap)));
    let place = Span::styled(entry.place.clone(), plain(theme.quiet()));
    table::row(width, spans, place, [keys, " ".into()])
}

#[cfg(test)]
mod tests;
