//! Text input: a field of a panel or a form, with a cursor, for one line of text or several.
//!
//! A field only edits its text; its owner decides what the text is for and whether it is valid. Keys that are not text
//! (Enter, Esc, Tab, Ctrl-S) are left to the key table.

use std::fmt;
use std::path::{Path, PathBuf};

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Span;
use ratatui::widgets::{Paragraph, Widget};
use tui_input::{Input, InputRequest};

use crate::text::thousands;
use crate::tui::theme::Theme;

/// Maximum length of a typed line in bytes: enough for any path or expression, but a limit on large pastes.
const MOST_OF_LINE: usize = 4_000;

/// Maximum length of a typed text of several lines in bytes. The whole text is wrapped again for each frame; at this
/// length, that causes no noticeable delay.
const MOST_OF_TEXT: usize = 100_000;

/// Maximum length of a typed number in bytes: more than any valid number needs, so that a number that is too long is
/// rejected, not cut.
const MOST_OF_NUMBER: usize = 40;

/// The kind of text that a field accepts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::tui) enum TextKind {
    /// A number. Other characters are kept, so that `20x40` is rejected as a whole and not read as 2040.
    Number,
    /// Any single line.
    Line,
    /// Any text, including line breaks.
    Text,
}

impl TextKind {
    /// Returns the maximum length in bytes.
    const fn most(self) -> usize {
        match self {
            Self::Number => MOST_OF_NUMBER,
            Self::Line => MOST_OF_LINE,
            Self::Text => MOST_OF_TEXT,
        }
    }

    fn takes(self, c: char) -> bool {
        match self {
            Self::Number | Self::Line => !c.is_control(),
            Self::Text => !c.is_control() || c == '\n',
        }
    }
}

/// Reports that pasted text did not fit completely into a field. Contains the maximum length of the field's text in
/// bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::tui) struct PasteCut(usize);

impl fmt::Display for PasteCut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let most = thousands(self.0 as u64);
        write!(
            f,
            "the pasted text was shortened: this field holds at most {most} bytes"
        )
    }
}

/// A text and its cursor.
#[derive(Debug, Clone)]
pub(in crate::tui) struct TextField {
    kind: TextKind,
    input: Input,
    /// Whether the text is a proposal that the user has not begun to edit.
    is_proposal: bool,
}

impl TextField {
    /// Creates a field with an initial text and the cursor at its end.
    pub(in crate::tui) fn new(kind: TextKind, text: impl Into<String>) -> Self {
        Self {
            kind,
            input: Input::new(text.into()),
            is_proposal: false,
        }
    }

    /// Creates a field of one line with a proposed text. The first character that is typed or pasted replaces the
    /// proposal; a key that moves the cursor or deletes text begins to edit it.
    pub(in crate::tui) fn proposal(text: impl Into<String>) -> Self {
        Self {
            is_proposal: true,
            ..Self::new(TextKind::Line, text)
        }
    }

    /// Creates a field with a proposed path.
    pub(in crate::tui) fn path(path: &Path) -> Self {
        Self::proposal(path.display().to_string())
    }

    /// Returns the text typed so far.
    pub(in crate::tui) fn text(&self) -> &str {
        self.input.value()
    }

    /// Returns whether a text field handles a key: a character, or a key that moves the cursor or deletes text.
    pub(in crate::tui) fn is_text(key: &KeyEvent) -> bool {
        request(key).is_some()
    }

    /// Handles a key that edits the text or moves the cursor. Returns false, without effect, for any other key.
    pub(in crate::tui) fn press(&mut self, key: &KeyEvent) -> bool {
        let Some(request) = request(key) else { return false };
        let is_proposal = std::mem::take(&mut self.is_proposal);
        match request {
            InputRequest::InsertChar(c) => {
                if is_proposal {
                    self.input.reset();
                }
                self.insert(c);
            }
            request => drop(self.input.handle(request)),
        }
        true
    }

    /// Inserts a line break, if the kind allows it.
    pub(in crate::tui) fn break_line(&mut self) {
        self.insert('\n');
    }

    /// Inserts pasted text without the characters that the kind does not allow. If the rest does not fit, inserts as
    /// much of its beginning as fits, and returns a [`PasteCut`].
    pub(in crate::tui) fn paste(&mut self, text: &str) -> Option<PasteCut> {
        let unix = text.replace("\r\n", "\n").replace('\r', "\n");
        let text = match self.kind {
            TextKind::Number => unix.trim(),
            TextKind::Line | TextKind::Text => unix.trim_end_matches('\n'),
        };
        let is_line = self.kind != TextKind::Text;
        let chars = text
            .chars()
            .map(|c| if c == '\t' || is_line && c == '\n' { ' ' } else { c });
        if !text.is_empty() && std::mem::take(&mut self.is_proposal) {
            self.input.reset();
        }
        let mut left = self.kind.most().saturating_sub(self.text().len());
        let mut fits = true;
        let mut new = String::new();
        for c in chars.filter(|c| self.kind.takes(*c)) {
            fits &= c.len_utf8() <= left;
            if !fits {
                break;
            }
            left -= c.len_utf8();
            new.push(c);
        }
        // Inserting the characters one by one would copy the whole text for each of them.
        let cursor = self.input.cursor();
        let mut text = self.text().to_owned();
        let at = text.char_indices().nth(cursor).map_or(text.len(), |(at, _)| at);
        text.insert_str(at, &new);
        self.input = Input::new(text).with_cursor(cursor + new.chars().count());
        (!fits).then(|| PasteCut(self.kind.most()))
    }

    /// Returns whether a key would insert a character, but the text already has its maximum length.
    pub(in crate::tui) fn is_full_for(&self, key: &KeyEvent) -> bool {
        matches!(request(key), Some(InputRequest::InsertChar(_))) && self.is_full()
    }

    fn is_full(&self) -> bool {
        self.text().len() >= self.kind.most()
    }

    /// Returns the maximum length of the text in bytes.
    pub(in crate::tui) const fn most(&self) -> usize {
        self.kind.most()
    }

    fn insert(&mut self, c: char) {
        if self.kind.takes(c) && !self.is_full() {
            self.input.handle(InputRequest::InsertChar(c));
        }
    }

    /// Draws the text in one line with its cursor; a proposal is drawn as selected. A text that does not fit is
    /// scrolled so that the cursor is visible.
    pub(in crate::tui) fn draw(&self, theme: Theme, area: Rect, buf: &mut Buffer) {
        if area.is_empty() {
            return;
        }
        let scroll = self.input.visual_scroll(usize::from(area.width.saturating_sub(1)));
        buf.set_style(area, theme.typed());
        let style = if self.is_proposal {
            theme.selected(true)
        } else {
            theme.typed()
        };
        Paragraph::new(Span::styled(self.text(), style))
            .scroll((0, scroll.min(usize::from(u16::MAX)) as u16))
            .render(area, buf);
        let cursor = (self.input.visual_cursor().saturating_sub(scroll)).min(usize::from(area.width - 1)) as u16;
        if let Some(cell) = buf.cell_mut((area.x + cursor, area.y)) {
            cell.set_style(theme.cursor(true));
        }
    }

    /// Draws a text of several lines, wrapped at the area's width, and scrolled so that the cursor's line is visible.
    pub(in crate::tui) fn draw_text(&self, theme: Theme, area: Rect, buf: &mut Buffer) {
        if area.is_empty() {
            return;
        }
        buf.set_style(area, theme.typed());
        let width = usize::from(area.width);
        let mut rows = vec![String::new()];
        let mut cursor = (0, 0);
        let used = |rows: &[String]| {
            rows.last()
                .map_or(0, |row| unicode_width::UnicodeWidthStr::width(row.as_str()))
        };
        for (i, c) in self.text().chars().chain(['\n']).enumerate() {
            let wide = unicode_width::UnicodeWidthChar::width(c).unwrap_or(0);
            if c != '\n' && used(&rows) + wide > width {
                rows.push(String::new());
            }
            if i == self.input.cursor() {
                cursor = (rows.len() - 1, used(&rows).min(width - 1));
            }
            match rows.last_mut() {
                Some(row) if c != '\n' => row.push(c),
                _ => rows.push(String::new()),
            }
        }
        let top = (cursor.0 + 1).saturating_sub(usize::from(area.height));
        for (y, row) in (area.top()..area.bottom()).zip(rows.iter().skip(top)) {
            buf.set_stringn(area.x, y, row, width, theme.typed());
        }
        if let Some(cell) = buf.cell_mut((area.x + cursor.1 as u16, area.y + (cursor.0 - top) as u16)) {
            cell.set_style(theme.cursor(true));
        }
    }
}

/// Returns the edit or cursor movement that a key requests; `None` for any other key.
fn request(key: &KeyEvent) -> Option<InputRequest> {
    let modifiers = key.modifiers & (KeyModifiers::CONTROL | KeyModifiers::ALT);
    Some(match (modifiers, key.code) {
        (KeyModifiers::NONE, KeyCode::Char(c)) => InputRequest::InsertChar(c),
        (KeyModifiers::NONE, KeyCode::Backspace) | (KeyModifiers::CONTROL, KeyCode::Char('h')) => {
            InputRequest::DeletePrevChar
        }
        (KeyModifiers::NONE, KeyCode::Delete) | (KeyModifiers::CONTROL, KeyCode::Char('d')) => {
            InputRequest::DeleteNextChar
        }
        (KeyModifiers::NONE, KeyCode::Left) => InputRequest::GoToPrevChar,
        (KeyModifiers::NONE, KeyCode::Right) => InputRequest::GoToNextChar,
        (KeyModifiers::CONTROL, KeyCode::Left) | (KeyModifiers::ALT, KeyCode::Char('b')) => InputRequest::GoToPrevWord,
        (KeyModifiers::CONTROL, KeyCode::Right) | (KeyModifiers::ALT, KeyCode::Char('f')) => InputRequest::GoToNextWord,
        (KeyModifiers::NONE, KeyCode::Home) | (KeyModifiers::CONTROL, KeyCode::Char('a')) => InputRequest::GoToStart,
        (KeyModifiers::NONE, KeyCode::End) | (KeyModifiers::CONTROL, KeyCode::Char('e')) => InputRequest::GoToEnd,
        (KeyModifiers::CONTROL, KeyCode::Char('w')) | (KeyModifiers::ALT, KeyCode::Backspace) => {
            InputRequest::DeletePrevWord
        }
        (KeyModifiers::CONTROL, KeyCode::Char('u')) => InputRequest::DeleteFromStart,
        (KeyModifiers::CONTROL, KeyCode::Char('k')) => InputRequest::DeleteTillEnd,
        _ => return None,
    })
}

/// Returns a typed path with a leading `~/` expanded to the home folder; `None` if the text is empty.
pub(in crate::tui) fn expanded(text: &str) -> Option<PathBuf> {
    let home = std::env::home_dir().filter(|_| text.starts_with("~/"));
    match (text.strip_prefix("~/"), home) {
        (Some(rest), Some(home)) => Some(home.join(rest)),
        _ if text.is_empty() => None,
        _ => Some(PathBuf::from(text)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(code: KeyCode) -> KeyEvent {
        KeyEvent::new(code, KeyModifiers::NONE)
    }

    #[test]
    fn other_characters_in_a_number_are_kept_so_that_it_is_rejected() {
        let mut typing = TextField::new(TextKind::Number, "1");
        for c in "2x-3\u{1b}".chars() {
            assert!(typing.press(&key(KeyCode::Char(c))));
        }
        typing.paste("45\r\n");
        assert_eq!(typing.text(), "12x-345");
        let mut typing = TextField::new(TextKind::Number, "");
        typing.paste(" -1.5 x\n");
        assert_eq!(typing.text(), "-1.5 x");
        assert!(!typing.press(&key(KeyCode::Enter)));
    }

    #[test]
    fn a_pasted_line_stays_one_line() {
        let mut typing = TextField::new(TextKind::Line, "");
        typing.paste("a\r\nb\tc\u{1b}\n");
        assert_eq!(typing.text(), "a b c");
        let mut typing = TextField::new(TextKind::Text, "");
        typing.paste("a\r\nb\n");
        assert_eq!(typing.text(), "a\nb");
        assert_eq!(typing.paste("\tc"), None);
        assert_eq!(typing.text(), "a\nb c", "a tab separates words in every field");
        assert_eq!(typing.paste(&"x".repeat(10_000)), None);
        assert_eq!(typing.text().len(), 10_005);
        assert_eq!(typing.paste(&"ä".repeat(MOST_OF_TEXT)), Some(PasteCut(MOST_OF_TEXT)));
        assert_eq!(typing.text().len(), MOST_OF_TEXT - 1, "no character is cut in half");
    }

    #[test]
    fn typing_replaces_a_proposal_and_other_keys_edit_it() {
        let after = |edit: fn(&mut TextField) -> bool| {
            let mut typing = TextField::proposal("the-hub.toml");
            edit(&mut typing);
            typing.press(&key(KeyCode::Char('x')));
            typing.text().to_owned()
        };
        assert_eq!(after(|_| true), "x");
        assert_eq!(after(|typing| typing.press(&key(KeyCode::Char('w')))), "wx");
        assert_eq!(after(|typing| typing.press(&key(KeyCode::Backspace))), "the-hub.tomx");
        assert_eq!(after(|typing| typing.press(&key(KeyCode::Home))), "xthe-hub.toml");
        assert_eq!(after(|typing| typing.press(&key(KeyCode::End))), "the-hub.tomlx");
        assert_eq!(after(|typing| typing.press(&key(KeyCode::Enter))), "x");
        assert_eq!(after(|typing| typing.paste("castle\n").is_none()), "castlex");
        assert_eq!(after(|typing| typing.paste("").is_none()), "x");
    }

    #[test]
    fn any_text_is_drawn_in_any_place() {
        for text in ["", "a", "日本語のテキスト", "a\nb\n\nc", "🤦🏼‍♂️x"] {
            for width in 0..12 {
                for height in 0..4 {
                    let area = Rect::new(1, 1, width, height);
                    let mut buf = Buffer::empty(Rect::new(0, 0, 14, 6));
                    let typing = TextField::new(TextKind::Text, text);
                    typing.draw(Theme::new(crate::tui::Depth::True), area, &mut buf);
                    typing.draw_text(Theme::new(crate::tui::Depth::True), area, &mut buf);
                }
            }
        }
    }
}
