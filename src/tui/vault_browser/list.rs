//! The list of maps: a heading for each group, and below it a row for each of its maps that passes the filter.

use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Margin, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget as _;
use unicode_width::UnicodeWidthStr as _;

use super::BrowserState;
use super::library::ChosenMap;
use super::texts::TypedText;
use crate::text::counted;
use crate::tui::editor::Editor;
use crate::tui::theme::Theme;
use crate::tui::widget::list::VisibleRows;
use crate::tui::widget::popup::block;
use crate::tui::widget::table;
use crate::tui::widget::text::shortened;

/// A row of the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum BrowserRow {
    /// The heading of a group.
    Group(usize),
    /// The reason why a group has no maps.
    Why(usize),
    Map(ChosenMap),
}

/// The rows of the list, and the range of visible rows.
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

    /// Returns the map of a row; `None` if the row has no map.
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
    let width = visible.area.width;
    let line = |i: usize| match rows[i] {
        BrowserRow::Group(place) => {
            let group = &state.library.groups[place];
            let errors = match group.errors() {
                0 => String::new(),
                errors => format!(" · {}", counted(errors, "error")),
            };
            let title = shortened(&group.title(), usize::from(width).saturating_sub(errors.width()));
            Line::from_iter([
                Span::styled(title, theme.heading()),
                Span::styled(errors, theme.error()),
            ])
        }
        BrowserRow::Why(place) => {
            let why = state.library.groups[place].why.as_deref().unwrap_or_default();
            table::row(width, [" ".into()], Span::styled(why, theme.error()), [])
        }
        BrowserRow::Map(chosen) => map_line(state, theme, chosen, width),
    };
    let is_map = rows
        .get(visible.selected)
        .is_some_and(|row| matches!(row, BrowserRow::Map(_)));
    visible.draw(theme, is_map.then(|| theme.selected(true)), line, buf);
}

/// Returns the line of a map: its name, its tags where there is room for them, and its size.
fn map_line(state: &BrowserState, theme: Theme, chosen: ChosenMap, width: u16) -> Line<'_> {
    let group = &state.library.groups[chosen.0];
    let facts = group.facts(chosen.1);
    let name = match group.library.map(chosen.1).name.as_str() {
        "" => "(no name)",
        name => name,
    };
    let failed = facts.is_some_and(|facts| facts.failure.is_some());
    let style = if failed { theme.error() } else { theme.text() };
    let size = facts.map_or_else(String::new, |facts| format!("{}×{}", facts.width, facts.height));
    let room = usize::from(width).saturating_sub(size.width() + 1);
    let name = format!(" {} ", shortened(name, room.saturating_sub(2)));
    let tags = facts
        .filter(|_| room > name.width() + 4)
        .map_or("", |facts| facts.tags.as_str());
    let [tags, size] = [tags.to_owned(), size].map(|text| Span::styled(text, theme.quiet()));
    table::row(width, [Span::styled(name, style)], tags, [size])
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
