//! The help overlay: the key table, by place.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Widget};

use super::app::App;
use super::dialog::{popup, popup_area};
use super::keys::{self, Context};
use super::panels::Panel;
use super::theme::Theme;

const WIDTH: u16 = 78;
const KEYS_WIDTH: usize = 20;

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
    pub(super) fn scroll(&mut self, lines: i16, screen: Rect) {
        let text = lines_of_help();
        let seen = popup_area(WIDTH, text + 2, screen).height.saturating_sub(2);
        self.top = self.top.saturating_add_signed(lines).min(text.saturating_sub(seen));
    }
}

fn contexts() -> impl Iterator<Item = Context> {
    [Context::Everywhere, Context::Map, Context::Panels]
        .into_iter()
        .chain(Panel::ALL.map(Context::Panel))
        .chain([Context::Help])
        .filter(|context| keys::table().any(|binding| binding.context == *context))
}

fn lines_of_help() -> u16 {
    (contexts().count() * 2 - 1 + keys::table().count()) as u16
}

fn text(theme: Theme) -> Vec<Line<'static>> {
    let mut lines = Vec::new();
    for context in contexts() {
        if !lines.is_empty() {
            lines.push(Line::default());
        }
        lines.push(Line::styled(format!(" {}", context.title()), theme.heading()));
        for binding in keys::table().filter(|binding| binding.context == context) {
            lines.push(Line::from(vec![
                Span::styled(format!("  {:<KEYS_WIDTH$} ", binding.keys_text()), theme.accent()),
                Span::styled(binding.help, theme.text()),
            ]));
        }
    }
    lines
}

/// Draws help over the screen.
pub(super) fn draw(app: &App, state: &State, screen: Rect, buf: &mut Buffer) {
    let inside = popup(app, "Help", WIDTH, lines_of_help() + 2, screen, buf);
    Paragraph::new(text(app.theme))
        .scroll((state.top, 0))
        .render(inside, buf);
}
