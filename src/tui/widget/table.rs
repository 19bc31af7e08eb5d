//! Rows of tables: fixed columns on both sides, and between them one column that fills the remaining width.

use ratatui::text::{Line, Span};

use super::text::shortened;

/// Returns a row `width` columns wide: `left`, then `fill` shortened to the remaining width, and `right` at the end,
/// after at least one blank.
pub(in crate::tui) fn row<'a>(
    width: u16,
    left: impl IntoIterator<Item = Span<'a>>,
    fill: Span<'a>,
    right: impl IntoIterator<Item = Span<'a>>,
) -> Line<'a> {
    let mut line = Line::from_iter(left);
    let right = Line::from_iter(right);
    let Span { content, style } = fill;
    let room = usize::from(width).saturating_sub(line.width() + right.width());
    let text = match (room, right.spans.is_empty()) {
        (0 | 1, false) | (0, true) => String::new(),
        (room, true) => shortened(&content, room),
        (room, false) => shortened(&content, room - 1),
    };
    line.push_span(Span::styled(text, style));
    if !right.spans.is_empty() {
        let used = line.width() + right.width();
        line.push_span(" ".repeat(usize::from(width).saturating_sub(used)));
        line.spans.extend(right.spans);
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_middle_column_fills_the_remaining_width() {
        let text = |width| row(width, ["a ".into()], "middle".into(), [" b".into()]).to_string();
        assert_eq!(text(12), "a middle   b");
        assert_eq!(text(10), "a midd…  b", "a blank is before the right column");
        assert_eq!([text(6), text(5), text(0)], ["a …  b", "a   b", "a  b"]);
        assert_eq!(row(6, ["a ".into()], "middle".into(), []).to_string(), "a mid…");
    }
}
