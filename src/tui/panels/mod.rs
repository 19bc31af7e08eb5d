//! The panels at the right: what the design holds, to read and to edit.
//!
//! One is shown at a time, with the others as tabs in its border. Each panel is a module with its state,
//! its commands and keys, and a drawing function; this one keeps which is shown and passes things on.

mod constants;
mod design;
mod problems;
mod rooms;
mod stats;

use crossterm::event::{KeyCode, KeyEvent, MouseButton, MouseEvent, MouseEventKind};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget;
use unicode_width::UnicodeWidthStr;

use super::app::{Action, App, Effect, Focus};
use super::keys::{Binding, Context, Key};
use super::screen;

/// The panels, in the order of their tabs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Panel {
    /// The stats file: generations × parameters.
    #[default]
    Stats,
    /// The rooms file: rooms, squares, first Crawlers.
    Rooms,
    /// The constants file.
    Constants,
    /// Name, notes, seed, files.
    Design,
    /// What is wrong with the design.
    Problems,
}

impl Panel {
    /// All of them.
    pub(super) const ALL: [Self; 5] = [Self::Stats, Self::Rooms, Self::Constants, Self::Design, Self::Problems];

    /// The panel's tab.
    pub(super) const fn title(self) -> &'static str {
        match self {
            Self::Stats => "Stats",
            Self::Rooms => "Rooms",
            Self::Constants => "Constants",
            Self::Design => "Design",
            Self::Problems => "Problems",
        }
    }
}

/// What the panels remember.
#[derive(Debug, Default)]
pub(super) struct State {
    /// Which is shown.
    pub shown: Panel,
    stats: stats::State,
    constants: constants::State,
}

/// What can be done in panels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Command {
    /// Move the selection by rows (down) and columns (right).
    Select(i32, i32),
}

/// Keys of the panels.
pub(super) static KEYS: &[Binding] = &[
    Binding {
        context: Context::Panels,
        name: "to the map",
        keys: &[Key::plain(KeyCode::Esc)],
        action: Action::FocusMap,
        help: "Go back to the map.",
        foot: true,
    },
    Binding {
        context: Context::Panels,
        name: "up",
        keys: &[Key::plain(KeyCode::Up), Key::char('k')],
        action: Action::Panel(Command::Select(-1, 0)),
        help: "Select the field above.",
        foot: false,
    },
    Binding {
        context: Context::Panels,
        name: "down",
        keys: &[Key::plain(KeyCode::Down), Key::char('j')],
        action: Action::Panel(Command::Select(1, 0)),
        help: "Select the field below.",
        foot: false,
    },
    Binding {
        context: Context::Panels,
        name: "left",
        keys: &[Key::plain(KeyCode::Left), Key::char('h')],
        action: Action::Panel(Command::Select(0, -1)),
        help: "Select the field to the left.",
        foot: false,
    },
    Binding {
        context: Context::Panels,
        name: "right",
        keys: &[Key::plain(KeyCode::Right), Key::char('l')],
        action: Action::Panel(Command::Select(0, 1)),
        help: "Select the field to the right.",
        foot: false,
    },
];

/// Does a command in the panel that is shown.
pub(super) fn update(app: &mut App, command: Command) -> Vec<Effect> {
    match app.panels.shown {
        Panel::Stats => stats::update(app, command),
        Panel::Constants => constants::update(app, command),
        Panel::Rooms | Panel::Design | Panel::Problems => {}
    }
    Vec::new()
}

/// Gives a key to a text field of the panel that is shown; `None` when none takes it.
pub(super) const fn typed(_: &mut App, _: &KeyEvent) -> Option<Vec<Effect>> {
    None
}

/// Gives pasted text to a text field of the panel that is shown.
pub(super) const fn paste(_: &mut App, _: &str) -> Vec<Effect> {
    Vec::new()
}

/// Gives the mouse to the panel: a click focuses it, on a tab shows that panel.
pub(super) fn mouse(app: &mut App, mouse: MouseEvent) -> Vec<Effect> {
    if mouse.kind == MouseEventKind::Down(MouseButton::Left) {
        app.focus = Focus::Panel;
        let area = app.areas().panel;
        if mouse.row == area.y
            && let Some((panel, _, _)) = tabs(area)
                .into_iter()
                .find(|(_, from, to)| (*from..*to).contains(&mouse.column))
        {
            return app.update(Action::FocusPanel(panel));
        }
    }
    Vec::new()
}

/// Where the tabs stand in the border: panel, first column, column after the last.
fn tabs(area: Rect) -> Vec<(Panel, u16, u16)> {
    let mut from = area.x + 1;
    Panel::ALL
        .into_iter()
        .map(|panel| {
            let to = from + tab_text(panel, area.width).width() as u16;
            let tab = (panel, from, to);
            from = to;
            tab
        })
        .collect()
}

/// A tab's text: the title with blanks around it, or one after it where the tabs have little room.
fn tab_text(panel: Panel, width: u16) -> String {
    let title = panel.title();
    let all: usize = Panel::ALL.iter().map(|panel| panel.title().len() + 2).sum();
    if all + 2 <= usize::from(width) {
        format!(" {title} ")
    } else {
        format!("{title} ")
    }
}

/// Draws the panel that is shown, with the tabs in its border.
pub(super) fn draw(app: &App, area: Rect, buf: &mut Buffer) {
    let focused = app.focus == Focus::Panel;
    let theme = app.theme;
    let titles: Vec<Span> = Panel::ALL
        .into_iter()
        .map(|panel| {
            let text = tab_text(panel, area.width);
            if panel == app.panels.shown {
                Span::styled(text, theme.title(true))
            } else {
                Span::styled(text, theme.quiet())
            }
        })
        .collect();
    let block = screen::block(theme, focused).title(Line::from(titles));
    let inside = block.inner(area);
    block.render(area, buf);
    match app.panels.shown {
        Panel::Stats => stats::draw(app, inside, buf),
        Panel::Rooms => rooms::draw(app, inside, buf),
        Panel::Constants => constants::draw(app, inside, buf),
        Panel::Design => design::draw(app, inside, buf),
        Panel::Problems => problems::draw(app, inside, buf),
    }
}
