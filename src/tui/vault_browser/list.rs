//! The list of maps: a heading for each level file, a row for each map that passes the filter.

use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Margin, Rect};
use ratatui::widgets::Widget as _;
use unicode_width::UnicodeWidthStr as _;

use super::BrowserState;
use super::library::ChosenMap;
use super::texts::TypedText;
use crate::text::counted;
use crate::tui::editor::Editor;
use crate::tui::widget::list::VisibleRows;
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

/// The rows of the list, and those of them that are visible.
pub(super) struct BrowserRows {
    rows: Vec<BrowserRow>,
    pub(super) visible: VisibleRows,
}

impl BrowserRows {
    /// Returns the rows in the list's pane.
    pub(super) fn of(state: &BrowserState, pane: Rect) -> Self {
        let listed = state.listed();
        let mut rows = Vec::new();
        for (place, group) in state.library.groups.iter().enumerate() {
            rows.push(BrowserRow::Group(place));
            if group.why.is_some() {
                rows.push(BrowserRow::Why(place));
            }
            let maps = listed.iter().filter(|chosen| chosen.0 == place);
            rows.extend(maps.map(|chosen| BrowserRow::Map(*chosen)));
        }
        let selected = state.selected.map(BrowserRow::Map);
        let selected = rows.iter().position(|row| Some(*row) == selected).unwrap_or(0);
        let mut list = state.list;
        list.select_row(selected);
        // The filter is above the list.
        let inside = pane.inner(Margin::new(1, 1));
        let [_, area] = Layout::vertical([Constraint::Length(1), Constraint::Min(0)]).areas(inside);
        let visible = list.visible(area, rows.len(), 0);
        Self { rows, visible }
    }

    /// Returns the map of a row; `None` if it is no map's.
    pub(super) fn map(&self, row: usize) -> Option<ChosenMap> {
        match self.rows.get(row)? {
            BrowserRow::Map(chosen) => Some(*chosen),
            BrowserRow::Group(_) | BrowserRow::Why(_) => None,
        }
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
    let BrowserRows { rows, visible } = BrowserRows::of(state, area);
    let width = usize::from(visible.area.width);
    for (i, area) in visible.rows() {
        match rows[i] {
            BrowserRow::Group(place) => {
                let group = &state.library.groups[place];
                let errors = match group.errors() {
                    0 => String::new(),
                    errors => format!(" · {}", counted(errors, "error")),
                };
                let title = shortened(&group.title(), width.saturating_sub(errors.width()));
                buf.set_stringn(area.x, area.y, &title, width, theme.heading());
                let x = area.x + title.width().min(width) as u16;
                buf.set_stringn(x, area.y, errors, usize::from(area.right() - x), theme.error());
            }
            BrowserRow::Why(place) => {
                let why = state.library.groups[place].why.as_deref().unwrap_or_default();
                let why = format!(" {}", shortened(why, width.saturating_sub(1)));
                buf.set_stringn(area.x, area.y, why, width, theme.error());
            }
            BrowserRow::Map(chosen) => draw_map(state, editor, chosen, area, buf),
        }
    }
    visible.draw_scrollbar(theme, buf);
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
