//! Shortens text to one line or wraps it into several lines, and writes it into buffers.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

use super::popup::after;
use crate::tui::theme::Theme;

/// Shortens text to at most `room` columns, and ends it with `…` if it was cut.
pub(in crate::tui) fn shortened(text: &str, room: usize) -> String {
    if text.width() <= room {
        return text.to_owned();
    }
    let mut short = String::new();
    let mut used = 1;
    for c in text.chars() {
        used += c.width().unwrap_or(0);
        if used > room {
            break;
        }
        short.push(c);
    }
    short.push('…');
    short
}

/// Shortens a line to at most `room` columns (at least 1), and ends it with `…` if it was cut.
pub(in crate::tui) fn shorten_line(line: &mut Line<'_>, room: usize) {
    if line.width() <= room {
        return;
    }
    let mut left = room.saturating_sub(1);
    let is_whole = |span: &Span<'_>| {
        let rest = left.checked_sub(span.width());
        left = rest.unwrap_or(left);
        rest.is_some()
    };
    let whole = line.spans.iter().map(is_whole).take_while(|is_whole| *is_whole).count();
    line.spans.truncate(whole + 1);
    if let Some(last) = line.spans.last_mut() {
        last.content = shortened(&format!("{last}…"), left + 1).into();
    }
}

/// Wraps text into lines of at most `width` columns (at least 2). Breaks between words, or inside a word that is longer
/// than a line.
pub(in crate::tui) fn wrap(text: &str, width: usize) -> Vec<String> {
    text.lines().flat_map(|line| wrap_line(line, width.max(2))).collect()
}

fn wrap_line(line: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    let mut used = 0;
    for word in line.split_inclusive(' ') {
        let wide = word.trim_end().width();
        if used > 0 && used + wide > width {
            lines.push(String::new());
            used = 0;
        }
        for c in word.chars() {
            let columns = c.width().unwrap_or(0);
            if used + columns > width {
                if c == ' ' {
                    continue;
                }
                lines.push(String::new());
                used = 0;
            }
            used += columns;
            if let Some(last) = lines.last_mut() {
                last.push(c);
            }
        }
    }
    lines
}

/// Writes text into the first row of an area, cut to the area's width.
pub(in crate::tui) fn put(text: &str, area: Rect, style: Style, buf: &mut Buffer) {
    if !area.is_empty() {
        buf.set_stringn(area.x, area.y, text, area.width.into(), style);
    }
}

/// Wraps text into lines of the given style.
pub(in crate::tui) fn wrapped(text: &str, width: u16, style: Style) -> impl Iterator<Item = Line<'static>> {
    let lines = wrap(text, width.into()).into_iter();
    lines.map(move |line| Line::styled(line, style))
}

/// Writes text into an area, wrapped to the area's width and cut to its height. Returns the rows that remain below the
/// text.
pub(in crate::tui) fn put_wrapped(text: &str, mut area: Rect, style: Style, buf: &mut Buffer) -> Rect {
    for line in wrap(text, area.width.into()) {
        put(&line, area, style, buf);
        area.y += area.height.min(1);
        area.height = area.height.saturating_sub(1);
    }
    area
}

/// Draws a horizontal line in a row.
pub(in crate::tui) fn rule(theme: Theme, row: Rect, buf: &mut Buffer) {
    put(&"─".repeat(row.width.into()), row, theme.border(false), buf);
}

/// Draws a character over another one, and keeps the background unless the style sets one.
pub(in crate::tui) fn put_glyph(glyph: char, at: impl Into<Position>, style: Style, buf: &mut Buffer) {
    if let Some(cell) = buf.cell_mut(at) {
        cell.set_char(glyph).set_style(style);
    }
}

/// Replaces a character and its whole style.
pub(in crate::tui) fn replace_glyph(glyph: char, at: impl Into<Position>, style: Style, buf: &mut Buffer) {
    if let Some(cell) = buf.cell_mut(at) {
        cell.reset();
        cell.set_char(glyph).set_style(style);
    }
}

/// Writes text in the centre of an area.
pub(in crate::tui) fn put_centered(text: &str, area: Rect, style: Style, buf: &mut Buffer) {
    let row = Rect {
        y: area.y + area.height / 2,
        height: area.height.min(1),
        ..area
    };
    let left = row.width.saturating_sub(text.width() as u16) / 2;
    put(text, after(row, left), style, buf);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_wrapped_between_words() {
        assert_eq!(
            wrap("use a value from 20 to 32767", 12),
            ["use a value ", "from 20 to ", "32767"]
        );
        assert_eq!(wrap("one\n\ntwo", 9), ["one", "", "two"]);
        assert_eq!(wrap("unbreakable", 4), ["unbr", "eaka", "ble"]);
        assert_eq!(wrap("日本語", 1), ["日", "本", "語"]);
        assert!(wrap("", 9).is_empty());
    }

    #[test]
    fn texts_are_shortened_with_an_ellipsis() {
        assert_eq!(shortened("CorridorWidth", 13), "CorridorWidth");
        assert_eq!(shortened("CorridorWidth", 5), "Corr…");
        assert_eq!(shortened("日本語", 4), "日…");
        let short = |room: usize| {
            let mut line = Line::from(vec!["the ".into(), "hub ".into(), "grows ".into()]);
            shorten_line(&mut line, room);
            line.to_string()
        };
        assert_eq!(short(14), "the hub grows ");
        assert_eq!(short(13), "the hub grow…");
        assert_eq!(short(9), "the hub …");
        assert_eq!(short(8), "the hub…");
        assert_eq!(short(1), "…");
    }
}
