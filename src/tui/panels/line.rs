//! Draws a line of a panel's list: a field with its name, its value and the value's meaning.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::Span;
use unicode_width::UnicodeWidthStr as _;

use super::PanelsState;
use super::slider::Slider;
use super::typing::{self, TypingTarget};
use crate::design::{Entry, EntryText, Field, FieldInfo, RoomField};
use crate::engine::EffectAnalysis;
use crate::text::thousands;
use crate::tui::editor::{Editor, Focus};
use crate::tui::widget::table;
use crate::tui::widget::text::shortened;
use crate::tui::wording;

/// Width of the longest name among the constants, including a gap.
const NAME_WIDTH: u16 = 18;

/// Width of the longest name among all other fields, including a gap.
const SHORT_NAME_WIDTH: u16 = 14;

/// Width of the bar that shows a value's position within its range, if there is room for the bar.
const GAUGE_WIDTH: u16 = 10;

/// Minimum width of a value.
const VALUE_WIDTH: u16 = 7;

/// Draws a field that contains text: its name, and its value or the text being typed.
#[expect(clippy::too_many_arguments, reason = "a line, its place and what it is drawn into")]
fn word(
    panels: &PanelsState,
    editor: &Editor,
    entry: Entry,
    word: EntryText,
    selected: bool,
    indent: u16,
    area: Rect,
    buf: &mut Buffer,
) {
    let theme = editor.theme;
    let Some(text) = editor.document.design().text(entry, word) else {
        return;
    };
    let name = if selected { theme.accent() } else { theme.quiet() };
    draw_text(word.key(), indent, SHORT_NAME_WIDTH - 1, area, name, buf);
    let column = indent + SHORT_NAME_WIDTH;
    if let Some(typing) = typing::typed_at(panels, TypingTarget::Word(entry, word)) {
        typing.draw(theme, cut(area, column, area.width), buf);
        return;
    }
    let style = match (selected, text.is_empty()) {
        (true, _) => theme.selected(editor.focus == Focus::Panel),
        (false, true) => theme.quiet(),
        (false, false) => theme.text(),
    };
    draw_text(
        if text.is_empty() { "–" } else { text },
        column,
        area.width,
        area,
        style,
        buf,
    );
}

/// Draws a field of an entry. For a number: its name, the right-aligned value or text field, and the value's meaning
/// or unit. For a text: its name and the text.
#[expect(clippy::too_many_arguments, reason = "a line, its place and what it is drawn into")]
pub(super) fn field(
    panels: &PanelsState,
    editor: &Editor,
    entry: Entry,
    field: Field,
    selected: bool,
    indent: u16,
    area: Rect,
    buf: &mut Buffer,
) {
    let parameter = match field {
        Field::Number(parameter) => parameter,
        Field::Text(text) => {
            word(panels, editor, entry, text, selected, indent, area, buf);
            return;
        }
    };
    let Some(value) = editor.document.design().get(entry, parameter) else {
        return;
    };
    let info = parameter.info();
    let theme = editor.theme;
    let name_width = match entry {
        Entry::Constants => NAME_WIDTH,
        _ => SHORT_NAME_WIDTH,
    };
    let name = if selected { theme.accent() } else { theme.quiet() };
    draw_text(info.name, indent, name_width.saturating_sub(1), area, name, buf);
    let text = value.to_string();
    let typing = typing::typed_at(panels, TypingTarget::Number(entry, parameter));
    let length = typing.map_or(text.len(), |typing| typing.text().len() + 1) as u16;
    let value_width = VALUE_WIDTH.max(length);
    let cell = cut(area, indent + name_width, value_width);
    let width = length.min(cell.width);
    if let Some(typing) = typing {
        typing.draw(theme, Rect::new(cell.right() - width, cell.y, width, 1), buf);
    } else {
        let idle = !selected
            && EffectAnalysis::new(editor.document.design(), editor.options)
                .of(entry, parameter)
                .is_some();
        let style = value_style(editor, value, info, selected, idle);
        draw_text(&text, cell.right() - area.x - width, width, area, style, buf);
    }
    let remark = wording::meaning(editor.document.design(), entry, parameter).unwrap_or_else(|| info.unit.to_owned());
    let column = indent + name_width + value_width + 1;
    let used = column + remark.width() as u16;
    if area.height > 0
        && area.width >= used + GAUGE_WIDTH + 2
        && let Some(slider) = Slider::of(editor.document.design(), entry, parameter)
    {
        let bar = Rect::new(area.right() - GAUGE_WIDTH, area.y, GAUGE_WIDTH, 1);
        slider.gauge(theme, bar, selected, buf);
    }
    // The meaning of a room's style is not drawn, since each switch of the room's style has its own line.
    if parameter != RoomField::Style.into() {
        draw_text(&remark, column, area.width, area, theme.quiet(), buf);
    }
}

/// Returns the style in which a value is drawn: quiet if the value is 0 or the default, dim if it has no effect.
pub(super) fn value_style(editor: &Editor, value: i32, info: &FieldInfo, selected: bool, idle: bool) -> Style {
    let theme = editor.theme;
    if selected {
        theme.selected(editor.focus == Focus::Panel)
    } else if idle {
        theme.idle()
    } else if value == 0 || value == info.default {
        theme.quiet()
    } else {
        theme.text()
    }
}

/// Draws a heading, with a count at the right end of the line.
pub(super) fn heading(editor: &Editor, title: &str, count: usize, selected: bool, area: Rect, buf: &mut Buffer) {
    let theme = editor.theme;
    let style = if selected {
        theme.selected(editor.focus == Focus::Panel)
    } else {
        theme.heading()
    };
    let count = Span::styled(format!("{} ", thousands(count as u64)), theme.quiet());
    let line = table::row(area.width, [], Span::styled(title.to_owned(), style), [count]);
    buf.set_line(area.x, area.y, &line, area.width);
}

/// Returns the part of a line that begins at column `x`, limited to the end of the line.
fn cut(area: Rect, x: u16, width: u16) -> Rect {
    let x = x.min(area.width);
    Rect::new(area.x + x, area.y, width.min(area.width - x), area.height)
}

/// Draws text in a part of a line; text that does not fit is cut and ends with `…`.
pub(super) fn draw_text(text: &str, x: u16, width: u16, area: Rect, style: Style, buf: &mut Buffer) {
    let cell = cut(area, x, width);
    if cell.is_empty() {
        return;
    }
    let room = usize::from(cell.width);
    let text = shortened(text, room);
    buf.set_stringn(cell.x, cell.y, text, room, style);
}
