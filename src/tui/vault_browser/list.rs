//! The list of maps: a heading for each level file, a row for each map that passes the filter.

use ratatui::buffer::Buffer;
use ratatui::layout::{Margin, Position, Rect};
use ratatui::widgets::Widget as _;
use unicode_width::UnicodeWidthStr as _;

use super::BrowserState;
use super::library::ChosenMap;
use super::texts::TypedText;
use crate::text::counted;
use crate::tui::editor::Editor;
use crate::tui::widget::popup::block;
use crate::tui::widget::text::shortened;

/// A row of the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum BrowserRow {
    /// The heading of a group.
    Group(usize),
    /// The reason why a group has no maps.
    Why(usize),
    /// A map.
    Map(ChosenMap),
}

fn rows(state: &BrowserState) -> Vec<BrowserRow> {
    let listed = state.listed();
    let mut rows = Vec::new();
    for (place, group) in state.library.groups.iter().enumerate() {
        rows.push(BrowserRow::Group(place));
        if group.why.is_some() {
            rows.push(BrowserRow::Why(place));
        }
        rows.extend(
            listed
                .iter()
                .filter(|chosen| chosen.0 == place)
                .map(|chosen| BrowserRow::Map(*chosen)),
        );
    }
    rows
}

/// Returns the list's rows inside its pane, below the filter.
pub(super) fn rows_of(pane: Rect) -> Rect {
    let inside = pane.inner(Margin::new(1, 1));
    Rect {
        y: inside.y.saturating_add(1).min(inside.bottom()),
        height: inside.height.saturating_sub(1),
        ..inside
    }
}

/// Scrolls a list of `height` rows so that the selected map is visible, with the first heading if it is the first map.
pub(super) fn keep_in_view(state: &mut BrowserState, height: usize) {
    let rows = rows(state);
    let at = state
        .selected
        .and_then(|chosen| rows.iter().position(|row| *row == BrowserRow::Map(chosen)))
        .unwrap_or(0);
    let most = rows.len().saturating_sub(height);
    let upper = if at == 1 { 0 } else { at };
    let lower = (at + 1).saturating_sub(height);
    state.list_top = state.list_top.min(upper).max(lower).min(most.max(lower));
}

/// Returns the map at a screen position.
pub(super) fn at(state: &BrowserState, area: Rect, at: Position) -> Option<ChosenMap> {
    let row = usize::from(at.y.checked_sub(area.y).filter(|_| area.contains(at))?);
    match rows(state).get(state.list_top + row)? {
        BrowserRow::Map(chosen) => Some(*chosen),
        BrowserRow::Group(_) | BrowserRow::Why(_) => None,
    }
}

/// Draws the list.
pub(super) fn draw(state: &BrowserState, editor: &Editor, area: Rect, buf: &mut Buffer) {
    if area.is_empty() {
        return;
    }
    let theme = editor.theme;
    let count = state.listed().len();
    let block = block(theme, true).title(format!(" Vaults · {count} "));
    block.render(area, buf);
    let inside = area.inner(Margin::new(1, 1));
    if inside.is_empty() {
        return;
    }
    draw_filter(state, editor, Rect { height: 1, ..inside }, buf);
    let area = rows_of(area);
    let width = usize::from(area.width);
    for (y, row) in (area.top()..area.bottom()).zip(rows(state).iter().skip(state.list_top)) {
        match *row {
            BrowserRow::Group(place) => {
                let group = &state.library.groups[place];
                let errors = match group.errors() {
                    0 => String::new(),
                    errors => format!(" · {}", counted(errors, "error")),
                };
                let title = shortened(&group.title(), width.saturating_sub(errors.width()));
                buf.set_stringn(area.x, y, &title, width, theme.heading());
                let x = area.x + title.width().min(width) as u16;
                buf.set_stringn(x, y, errors, usize::from(area.right() - x), theme.error());
            }
            BrowserRow::Why(place) => {
                let why = state.library.groups[place].why.as_deref().unwrap_or_default();
                buf.set_stringn(
                    area.x,
                    y,
                    format!(" {}", shortened(why, width.saturating_sub(1))),
                    width,
                    theme.error(),
                );
            }
            BrowserRow::Map(chosen) => draw_map(state, editor, chosen, Rect { y, height: 1, ..area }, buf),
        }
    }
}

fn draw_map(state: &BrowserState, editor: &Editor, chosen: ChosenMap, area: Rect, buf: &mut Buffer) {
    let theme = editor.theme;
    let group = &state.library.groups[chosen.0];
    let facts = group.facts(chosen.1);
    let name = match group.library.map(chosen.1).name.as_str() {
        "" => "(no name)",
        name => name,
    };
    let failed = facts.is_some_and(|facts| facts.failure.is_some());
    let style = match (state.selected == Some(chosen), failed) {
        (true, _) => theme.selected(true),
        (false, true) => theme.error(),
        (false, false) => theme.text(),
    };
    let size = facts.map_or_else(String::new, |facts| format!(" {}×{}", facts.width, facts.height));
    let width = usize::from(area.width);
    let room = width.saturating_sub(size.width());
    let name = format!(" {} ", shortened(name, room.saturating_sub(2)));
    buf.set_stringn(area.x, area.y, &name, width, style);
    let used = name.width().min(width) as u16;
    let rest = usize::from(area.width - used);
    // Tags use the space between the name and the size.
    let tags = facts.map_or("", |facts| facts.tags.as_str());
    let room = rest.saturating_sub(size.width());
    if room > 4 {
        buf.set_stringn(area.x + used, area.y, shortened(tags, room), room, theme.quiet());
    }
    if rest >= size.width() {
        let x = area.right() - size.width() as u16;
        buf.set_stringn(x, area.y, &size, size.width(), theme.quiet());
    }
}

fn draw_filter(state: &BrowserState, editor: &Editor, area: Rect, buf: &mut Buffer) {
    let theme = editor.theme;
    buf.set_stringn(area.x, area.y, "/", area.width.into(), theme.accent());
    let line = Rect {
        x: area.x + 1.min(area.width),
        width: area.width.saturating_sub(1),
        ..area
    };
    match &state.texts {
        Some(texts) if texts.what == TypedText::Filter => texts.typing().draw(theme, line, buf),
        _ => {
            let (text, style) = match state.filter.as_str() {
                "" => ("all maps", theme.quiet()),
                filter => (filter, theme.typed()),
            };
            buf.set_stringn(line.x, line.y, text, line.width.into(), style);
        }
    }
}
