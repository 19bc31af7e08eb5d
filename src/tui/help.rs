//! The help overlay: the key table, by place.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Widget};

use super::app::App;
use super::dialog::{popup, popup_area};
use super::keys::{self, Context, Keymap};
use super::panels::Panel;
use super::text::wrap;
use super::theme::Theme;
use super::views::View;

/// Widest that help becomes, and the column of the keys.
const WIDTH: u16 = 92;
const KEYS_WIDTH: usize = 22;

/// How far help is scrolled.
#[derive(Debug, Default)]
pub(super) struct State {
    top: u16,
}

impl State {
    /// At the top.
    pub(super) const fn new() -> Self {
        Self { top: 0 }
    }

    /// Scrolls by lines, no further than the text goes.
    pub(super) fn scroll(&mut self, lines: i16, theme: Theme, keymap: &Keymap, screen: Rect) {
        let text = text(theme, keymap, screen.width).len() as u16;
        let seen = popup_area(WIDTH, text + 2, screen).height.saturating_sub(2);
        self.top = self.top.saturating_add_signed(lines).min(text.saturating_sub(seen));
    }
}

fn contexts() -> impl Iterator<Item = Context> {
    [Context::Everywhere, Context::Map, Context::Tools, Context::Panels]
        .into_iter()
        .chain(Panel::ALL.map(Context::Panel))
        .chain([Context::Typing, Context::Copying, Context::Varying, Context::Views])
        .chain(View::ALL.map(Context::View))
        .chain([
            Context::Vaults,
            Context::Rolls,
            Context::VaultText,
            Context::Placing,
            Context::Alert,
            Context::Form,
            Context::Presets,
            Context::Leftovers,
            Context::Leaving,
            Context::Conflict,
            Context::Replacing,
            Context::Note,
            Context::Help,
            Context::Palette,
        ])
        .filter(|context| keys::table().any(|binding| binding.context == *context))
}

/// The lines for a screen of some width.
fn text(theme: Theme, keymap: &Keymap, width: u16) -> Vec<Line<'static>> {
    let room = usize::from(width.min(WIDTH)).saturating_sub(KEYS_WIDTH + 6).max(10);
    let mut lines = Vec::new();
    for context in contexts() {
        if !lines.is_empty() {
            lines.push(Line::default());
        }
        lines.push(Line::styled(format!(" {}", context.title()), theme.heading()));
        for binding in keys::table().filter(|binding| binding.context == context) {
            let mut keys = keymap.text(binding);
            for part in wrap(binding.help, room) {
                lines.push(Line::from(vec![
                    Span::styled(format!("  {keys:<KEYS_WIDTH$} "), theme.accent()),
                    Span::styled(part, theme.text()),
                ]));
                keys.clear();
            }
        }
    }
    lines
}

/// Draws help over the screen.
pub(super) fn draw(app: &App, state: &State, screen: Rect, buf: &mut Buffer) {
    let text = text(app.theme, &app.keymap, screen.width);
    let inside = popup(app, "Help", WIDTH, text.len() as u16 + 2, screen, buf);
    Paragraph::new(text).scroll((state.top, 0)).render(inside, buf);
}
