//! The list from which the user chooses a metric to sort by, or to show on an axis of the expressive range or the
//! atlas.

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

/// Maximum columns and rows of the list, including its frame.
const WIDTH: u16 = 96;
const HEIGHT: u16 = SeedOrder::COUNT as u16 + 2;

/// Column at which the descriptions begin.
const MEANING: usize = 20;

/// The purpose of the list of metrics.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum ListPurpose {
    /// To choose the order of the dungeons.
    #[default]
    Sort,
    /// To choose the metric on an axis of the expressive range or the atlas: 0 is horizontal, 1 is vertical.
    Axis(usize),
}

impl ListPurpose {
    const fn title(self) -> &'static str {
        match self {
            Self::Sort => "Sort by",
            Self::Axis(0) => "Horizontal axis",
            Self::Axis(_) => "Vertical axis",
        }
    }

    /// Returns the current sort key or axis.
    fn present(self, state: &SeedGalleryState) -> SeedOrder {
        match self {
            Self::Sort => state.by,
            Self::Axis(axis) => state.range.axes[axis.min(1)],
        }
    }
}

pub(super) fn open(state: &mut SeedGalleryState, purpose: ListPurpose) {
    let mut list = ListState::default();
    list.select_row(purpose.present(state).place());
    (state.list, state.list_for) = (Some(list), purpose);
}

/// Returns the visible part of the list.
pub(super) fn visible(list: ListState, screen: Rect) -> VisibleRows {
    list.visible(popup_inside(WIDTH, HEIGHT, screen), SeedOrder::COUNT, 0)
}

/// Handles the mouse: a click selects a line, a click on the selected line accepts it, a click outside closes the list.
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
    popup(editor.theme, state.list_for.title(), WIDTH, HEIGHT, screen, buf);
    let visible = visible(list, screen);
    let present = state.list_for.present(state);
    let line = |place: usize| {
        let by = SeedOrder::at(place);
        let meaning = match (by, state.list_for) {
            (SeedOrder::Seed, ListPurpose::Sort) => "ascending order of seeds",
            (SeedOrder::Seed, ListPurpose::Axis(_)) => "the seed of the dungeon",
            (SeedOrder::Metric(metric), _) => metric.info().meaning,
        };
        let sign = if by == present { "•" } else { " " };
        let name = Span::styled(format!("{:<MEANING$}", format!(" {sign} {}", by.name())), theme.text());
        let meaning = Span::styled(meaning, theme.quiet());
        table::row(visible.area.width.saturating_sub(1), [name], meaning, [])
    };
    visible.draw(theme, Some(theme.selected(true)), line, buf);
}
