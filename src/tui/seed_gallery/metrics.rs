//! The list of metrics to sort by.

use crossterm::event::MouseEvent;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Span;

use super::results::SeedOrder;
use super::{SeedGalleryState, update};
use crate::tui::commands::SeedGalleryCommand;
use crate::tui::editor::Editor;
use crate::tui::widget::list::{ListClick, ListState, VisibleRows};
use crate::tui::widget::mouse::click;
use crate::tui::widget::popup::{popup, popup_inside};
use crate::tui::widget::table;

/// Maximum columns and rows, including the frame.
const WIDTH: u16 = 96;
const HEIGHT: u16 = SeedOrder::COUNT as u16 + 2;

/// Column at which the descriptions begin.
const MEANING: usize = 20;

/// Returns the visible part of the list.
pub(super) fn visible(list: ListState, screen: Rect) -> VisibleRows {
    list.visible(popup_inside(WIDTH, HEIGHT, screen), SeedOrder::COUNT, 0)
}

/// Handles the mouse: a click selects a line, a click on the selected line sorts by it, a click outside closes the list.
pub(super) fn mouse(state: &mut SeedGalleryState, editor: &mut Editor, mouse: MouseEvent) {
    let Some(list) = &mut state.list else { return };
    let visible = visible(*list, editor.screen);
    match list.mouse(mouse, visible, |_| false) {
        Some(ListClick::Accepted) => update(state, editor, SeedGalleryCommand::Accept),
        None if click(mouse).is_some_and(|at| !visible.area.contains(at)) => {
            update(state, editor, SeedGalleryCommand::Cancel);
        }
        Some(ListClick::Selected) | None => {}
    }
}

/// Draws the list over the gallery.
pub(super) fn draw(state: &SeedGalleryState, editor: &Editor, screen: Rect, buf: &mut Buffer) {
    let theme = editor.theme;
    let Some(list) = state.list else { return };
    popup(editor.theme, "Sort by", WIDTH, HEIGHT, screen, buf);
    let visible = visible(list, screen);
    let line = |place: usize| {
        let by = SeedOrder::at(place);
        let meaning = match by {
            SeedOrder::Seed => "ascending order of seeds",
            SeedOrder::Metric(metric) => metric.info().meaning,
        };
        let sign = if by == state.by { "•" } else { " " };
        let name = Span::styled(format!("{:<MEANING$}", format!(" {sign} {}", by.name())), theme.text());
        let meaning = Span::styled(meaning, theme.quiet());
        table::row(visible.area.width.saturating_sub(1), [name], meaning, [])
    };
    visible.draw(theme, Some(theme.selected(true)), line, buf);
}
