//! A dialog with a text field of one line, and below it a hint or the reason why the text was rejected.

use crossterm::event::KeyEvent;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::popup::popup;
use super::prompt::{PasteCut, TextField};
use super::text::put_wrapped;
use crate::tui::theme::Theme;

/// Number of rows for the hint or the error.
const ROWS: u16 = 3;
/// Height of the dialog with its frame.
const HEIGHT: u16 = 1 + ROWS + 2;

/// A line that is being typed, and its error.
#[derive(Debug)]
pub(in crate::tui) struct LinePrompt {
    typing: TextField,
    why: String,
}

impl LinePrompt {
    /// Creates a prompt with a proposed text, which typing replaces.
    pub(in crate::tui) fn new(text: &str) -> Self {
        Self {
            typing: TextField::proposal(text),
            why: String::new(),
        }
    }

    /// Returns the text.
    pub(in crate::tui) fn text(&self) -> &str {
        self.typing.text()
    }

    /// Shows why the text is invalid, until the next key or paste.
    pub(in crate::tui) fn reject(&mut self, why: String) {
        self.why = why;
    }

    /// Returns why the text was rejected; empty if it was not.
    pub(in crate::tui) fn why(&self) -> &str {
        &self.why
    }

    /// Passes a key to the text field; returns whether the field handled the key.
    pub(in crate::tui) fn typed(&mut self, key: &KeyEvent) -> bool {
        self.why.clear();
        self.typing.press(key)
    }

    /// Inserts pasted text. Returns a [`PasteCut`] if the text did not fit completely.
    pub(in crate::tui) fn paste(&mut self, text: &str) -> Option<PasteCut> {
        self.why.clear();
        self.typing.paste(text)
    }

    /// Draws the dialog, which is `width` columns wide.
    pub(in crate::tui) fn draw(
        &self,
        theme: Theme,
        (title, width): (&str, u16),
        hint: &str,
        screen: Rect,
        buf: &mut Buffer,
    ) {
        let inside = popup(theme, title, width, HEIGHT, screen, buf);
        let row = |y: u16| {
            let width = inside.width.saturating_sub(2);
            Rect::new(inside.x + 1, inside.y.saturating_add(y), width, 1).intersection(inside)
        };
        self.typing.draw(theme, row(0), buf);
        let (text, style) = if self.why.is_empty() {
            (hint, theme.quiet())
        } else {
            (self.why.as_str(), theme.error())
        };
        put_wrapped(text, row(1).union(row(ROWS)).intersection(inside), style, buf);
    }
}
