//! The list of the designs that come with the program.

use crossterm::event::KeyCode;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::Line;

use super::{Command, popup, popup_inside};
use crate::design::{Design, MemoryUse};
use crate::document::{Document, available_memory};
use crate::presets::Preset;
use crate::tui::app::{Action, App, Effect};
use crate::tui::files::{self, Then};
use crate::tui::keys::{Binding, Context, Key, bindings};
use crate::tui::text::{shortened, wrap};

const WIDTH: u16 = 72;

/// Rows for the sentence on the selected design, and the rule above them.
const ABOUT: u16 = 4;

/// The list and what is selected in it.
#[derive(Debug)]
pub(in crate::tui) struct List {
    presets: Vec<(Design, String)>,
    selected: usize,
}

/// Keys of the list.
pub(in crate::tui) static KEYS: &[Binding] = bindings! {
    Context::Presets, "open", [Key::plain(KeyCode::Enter)], Action::Dialog(Command::Accept), true, "Open the design that is selected.";
    Context::Presets, "cancel", [Key::plain(KeyCode::Esc), Key::char('q'), Key::ctrl('c')], Action::CloseDialog, true, "Go back to the open design.";
    Context::Presets, "down", [Key::plain(KeyCode::Down), Key::char('j')], Action::Dialog(Command::Field(1)), true, "Select the next design.";
    Context::Presets, "up", [Key::plain(KeyCode::Up), Key::char('k')], Action::Dialog(Command::Field(-1)), true, "Select the design before.";
};

impl List {
    /// All presets.
    pub(in crate::tui) fn new() -> Self {
        let presets = Preset::all().iter().map(|preset| (preset.design(), preset.summary()));
        Self {
            presets: presets.collect(),
            selected: 0,
        }
    }

    /// Moves the selection.
    pub(super) fn select(&mut self, by: i32) {
        let last = self.presets.len().saturating_sub(1);
        self.selected = self.selected.saturating_add_signed(by as isize).min(last);
    }

    fn height(&self) -> u16 {
        self.presets.len() as u16 + ABOUT + 2
    }

    /// The rows of the list inside of the popup, and the first design that is seen.
    fn rows(&self, inside: Rect) -> (Rect, usize) {
        let rows = Rect {
            height: inside.height.saturating_sub(ABOUT).max(inside.height.min(1)),
            ..inside
        };
        (rows, (self.selected + 1).saturating_sub(rows.height.into()))
    }
}

/// Opens the design that is selected.
pub(super) fn accept(app: &mut App, list: &List) -> Vec<Effect> {
    let Some((design, _)) = list.presets.get(list.selected) else {
        return Vec::new();
    };
    let document = Document::new(design.clone(), available_memory(MemoryUse::Showing));
    files::proceed(app, Then::Open(Box::new(document)))
}

/// Selects the design that was clicked; whether it was selected before.
pub(super) fn click(list: &mut List, screen: Rect, at: Position) -> bool {
    let (rows, first) = list.rows(popup_inside(WIDTH, list.height(), screen));
    if !rows.contains(at) {
        return false;
    }
    let before = list.selected;
    let clicked = first + usize::from(at.y - rows.y);
    list.selected = clicked.min(list.presets.len().saturating_sub(1));
    before == clicked
}

/// Draws the list, with a sentence on the selected design below it.
pub(super) fn draw(app: &App, list: &List, screen: Rect, buf: &mut Buffer) {
    let theme = app.theme;
    let inside = popup(
        app,
        "Designs that come with the program",
        WIDTH,
        list.height(),
        screen,
        buf,
    );
    let (rows, first) = list.rows(inside);
    let width = usize::from(inside.width);
    for (y, (i, (design, _))) in (rows.top()..rows.bottom()).zip(list.presets.iter().enumerate().skip(first)) {
        let style = if i == list.selected {
            theme.selected(true)
        } else {
            theme.text()
        };
        let size = design.layout.size.to_string();
        let name = shortened(&design.name, width.saturating_sub(14));
        buf.set_stringn(inside.x, y, format!(" {name} "), width, style);
        let size = Line::styled(format!("{size} "), theme.quiet());
        let x = inside.right().saturating_sub(size.width() as u16).max(inside.x);
        buf.set_line(x, y, &size, inside.right() - x);
    }
    let below = Rect {
        y: rows.bottom(),
        height: inside.bottom().saturating_sub(rows.bottom()),
        ..inside
    };
    if below.is_empty() {
        return;
    }
    buf.set_stringn(below.x, below.y, "─".repeat(width), width, theme.border(false));
    let sentence = list.presets.get(list.selected).map_or("", |(_, sentence)| sentence);
    let lines = wrap(sentence, width.saturating_sub(2));
    for (y, line) in (below.top() + 1..below.bottom()).zip(lines) {
        buf.set_stringn(below.x, y, format!(" {line}"), width, theme.quiet());
    }
}
