//! What lies over the screen: help, questions, forms. One at a time; it takes all keys and the mouse.
//!
//! A dialog with text fields takes keys in [`typed`] before the key table is asked.

use crossterm::event::{KeyCode, KeyEvent, MouseEvent, MouseEventKind};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::widgets::{Clear, Widget};

use super::app::{Action, App, Effect};
use super::help;
use super::keys::{Binding, Context, Key};
use super::screen;

/// The dialog on top.
#[derive(Debug)]
pub(super) enum Dialog {
    /// The help overlay, scrolled down by some lines.
    Help(help::State),
}

/// What can be done in dialogs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Command {
    /// Scroll by lines, down when positive.
    Scroll(i16),
}

/// Keys of dialogs.
pub(super) static KEYS: &[Binding] = &[
    Binding {
        context: Context::Help,
        name: "close",
        keys: &[
            Key::plain(KeyCode::Esc),
            Key::char('?'),
            Key::char('q'),
            Key::plain(KeyCode::Enter),
            Key::ctrl('c'),
        ],
        action: Action::CloseDialog,
        help: "Go back to the designer.",
        foot: true,
    },
    Binding {
        context: Context::Help,
        name: "down",
        keys: &[Key::plain(KeyCode::Down), Key::char('j')],
        action: Action::Dialog(Command::Scroll(1)),
        help: "Scroll down a line.",
        foot: true,
    },
    Binding {
        context: Context::Help,
        name: "up",
        keys: &[Key::plain(KeyCode::Up), Key::char('k')],
        action: Action::Dialog(Command::Scroll(-1)),
        help: "Scroll up a line.",
        foot: true,
    },
    Binding {
        context: Context::Help,
        name: "page down",
        keys: &[Key::plain(KeyCode::PageDown), Key::char(' ')],
        action: Action::Dialog(Command::Scroll(10)),
        help: "Scroll down by ten lines.",
        foot: false,
    },
    Binding {
        context: Context::Help,
        name: "page up",
        keys: &[Key::plain(KeyCode::PageUp)],
        action: Action::Dialog(Command::Scroll(-10)),
        help: "Scroll up by ten lines.",
        foot: false,
    },
];

impl Dialog {
    /// The help overlay.
    pub(super) const fn help() -> Self {
        Self::Help(help::State::new())
    }

    /// Whose keys hold in it.
    pub(super) const fn context(&self) -> Context {
        match self {
            Self::Help(_) => Context::Help,
        }
    }
}

/// Does a command in the dialog on top.
pub(super) fn update(app: &mut App, command: Command) -> Vec<Effect> {
    let (theme, screen) = (app.theme, app.screen);
    match (&mut app.dialog, command) {
        (Some(Dialog::Help(state)), Command::Scroll(lines)) => state.scroll(lines, theme, screen),
        (None, _) => {}
    }
    Vec::new()
}

/// Gives a key to a text field of the dialog on top; `None` when none takes it.
pub(super) const fn typed(_: &mut App, _: &KeyEvent) -> Option<Vec<Effect>> {
    None
}

/// Gives pasted text to a text field of the dialog on top.
pub(super) const fn paste(_: &mut App, _: &str) -> Vec<Effect> {
    Vec::new()
}

/// Gives the mouse to the dialog on top.
pub(super) fn mouse(app: &mut App, mouse: MouseEvent) -> Vec<Effect> {
    match mouse.kind {
        MouseEventKind::ScrollDown => update(app, Command::Scroll(3)),
        MouseEventKind::ScrollUp => update(app, Command::Scroll(-3)),
        _ => Vec::new(),
    }
}

/// Draws the dialog on top, if there is one.
pub(super) fn draw(app: &App, screen: Rect, buf: &mut Buffer) {
    match &app.dialog {
        Some(Dialog::Help(state)) => help::draw(app, state, screen, buf),
        None => {}
    }
}

/// Clears a place in the middle of the screen, frames it and returns what is inside.
pub(super) fn popup(app: &App, title: &str, width: u16, height: u16, screen: Rect, buf: &mut Buffer) -> Rect {
    let area = popup_area(width, height, screen);
    Clear.render(area, buf);
    let block = screen::block(app.theme, true).title(format!(" {title} "));
    let inside = block.inner(area);
    block.render(area, buf);
    inside
}

/// The place of a popup: in the middle, no larger than the screen allows, and above the line at the foot,
/// which tells its keys.
pub(super) fn popup_area(width: u16, height: u16, screen: Rect) -> Rect {
    let width = width.min(screen.width);
    let room = screen.height.saturating_sub(1);
    let height = height.min(room);
    Rect::new(
        screen.x + (screen.width - width) / 2,
        screen.y + (room - height) / 2,
        width,
        height,
    )
}
