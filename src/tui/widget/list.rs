//! The selection and the scroll position of a list, moved by keys, the wheel and clicks; and the list's scrollbar.
//!
//! The rows are rebuilt for every frame and every event; only the selection and the scroll position are state.

use crossterm::event::MouseEvent;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;
use ratatui::text::Line;
use ratatui::widgets::{Scrollbar, ScrollbarOrientation, ScrollbarState, StatefulWidget as _};

use crate::tui::theme::Theme;
use crate::tui::widget::mouse::{click, wheel};

/// Number of rows by which one notch of the mouse wheel moves the selection.
const WHEEL: i32 = 3;

/// A step of the selection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::tui) enum ListStep {
    /// By this many rows, down if positive.
    By(i32),
    /// By this many pages, down if positive.
    Page(i32),
    /// To the first row.
    First,
    /// To the last row.
    Last,
}

impl ListStep {
    /// Returns the step for a mouse event; `None` if the wheel was not turned.
    pub(in crate::tui) const fn of_wheel(mouse: MouseEvent) -> Option<Self> {
        match wheel(mouse) {
            0 => None,
            by => Some(Self::By(by * WHEEL)),
        }
    }

    /// Returns the number of rows to move by, negative for up. For the first and the last row, returns the smallest and
    /// the largest number.
    pub(in crate::tui) const fn rows(self, height: u16) -> isize {
        match self {
            Self::By(by) => by as isize,
            // One row of the previous page stays visible.
            Self::Page(by) => by as isize * (if height > 2 { height as isize - 1 } else { 1 }),
            Self::First => isize::MIN,
            Self::Last => isize::MAX,
        }
    }
}

/// The effect of a mouse event on a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::tui) enum ListClick {
    /// The event selected a row.
    Selected,
    /// The event hit the row that was already selected, so the caller runs the row's action.
    Accepted,
}

/// The selection and scroll position of a list.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(in crate::tui) struct ListState {
    /// The row selected by the user; `None` if the row suggested by the owner is selected.
    selected: Option<usize>,
    top: usize,
}

/// The visible part of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::tui) struct VisibleRows {
    /// The area of the list on the screen.
    pub area: Rect,
    /// Total number of rows.
    pub all: usize,
    /// Index of the selected row.
    pub selected: usize,
    /// Index of the first visible row.
    pub top: usize,
}

impl ListState {
    /// Returns the visible part of `all` rows in an area; `suggested` is selected unless the user has selected a row.
    pub(in crate::tui) fn visible(&self, area: Rect, all: usize, suggested: usize) -> VisibleRows {
        let rows = usize::from(area.height).max(1);
        let last = all.saturating_sub(1);
        let (selected, top) = match self.selected {
            None => {
                let selected = suggested.min(last);
                (selected, selected.saturating_sub(rows / 3))
            }
            Some(selected) => {
                let selected = selected.min(last);
                (selected, self.top.clamp((selected + 1).saturating_sub(rows), selected))
            }
        };
        VisibleRows {
            area,
            all,
            selected,
            top: top.min(all.saturating_sub(rows)),
        }
    }

    /// Selects a row, and keeps the scroll position where possible.
    pub(in crate::tui) const fn select(&mut self, row: usize, visible: VisibleRows) {
        self.selected = Some(row);
        self.top = visible.top;
    }

    /// Returns the row that the user selected, if any.
    pub(in crate::tui) const fn selected_by_user(&self) -> Option<usize> {
        self.selected
    }

    /// Returns the index of the selected row, out of `all` rows, in a list without a suggested row.
    pub(in crate::tui) fn selected(&self, all: usize) -> usize {
        self.visible(Rect::ZERO, all, 0).selected
    }

    /// Selects a row; the list scrolls only if the row is not visible.
    pub(in crate::tui) const fn select_row(&mut self, row: usize) {
        self.selected = Some(row);
    }

    /// Selects a row, and scrolls so that the rows after it up to `last` are also visible, if they fit into the height.
    pub(in crate::tui) fn select_block(&mut self, row: usize, last: usize, height: u16) {
        self.selected = Some(row);
        self.top = self.top.max((last + 1).saturating_sub(height.into())).min(row);
    }

    /// Follows the selected row to its new index, and scrolls so that the row keeps its place on the screen if
    /// possible.
    pub(in crate::tui) const fn follow_row(&mut self, to: usize) {
        if let Some(from) = self.selected {
            self.selected = Some(to);
            self.top = (self.top + to).saturating_sub(from);
        }
    }

    /// Moves the selection by a step.
    pub(in crate::tui) fn step(&mut self, step: ListStep, visible: VisibleRows) {
        self.step_over(step, visible, |_| false);
    }

    /// Moves the selection by a step; rows for which `is_heading` holds are never selected.
    pub(in crate::tui) fn step_over(
        &mut self,
        step: ListStep,
        visible: VisibleRows,
        is_heading: impl Fn(usize) -> bool,
    ) {
        if visible.all == 0 {
            return;
        }
        let by = step.rows(visible.area.height);
        let target = visible
            .selected
            .saturating_add_signed(by)
            .min(visible.all.saturating_sub(1));
        // Finds the nearest row in the direction of the step, or else in the other direction.
        let onwards = |forward: bool| {
            if forward {
                (target..visible.all).find(|row| !is_heading(*row))
            } else {
                (0..=target).rev().find(|row| !is_heading(*row))
            }
        };
        let Some(row) = onwards(by > 0).or_else(|| onwards(by <= 0)) else {
            return;
        };
        self.select(row, visible);
        // The rows next to the selected one also stay visible, since one of them may be its heading. Clicks do not use
        // this function, so they do not scroll the list.
        let height = usize::from(visible.area.height);
        if height > 2 {
            self.top = self.top.clamp((row + 2).saturating_sub(height), row.saturating_sub(1));
        }
    }

    /// Handles a turn of the wheel, or a click on a row for which `is_heading` does not hold. Returns `None` if the
    /// event does not concern the list.
    pub(in crate::tui) fn mouse(
        &mut self,
        mouse: MouseEvent,
        visible: VisibleRows,
        is_heading: impl Fn(usize) -> bool,
    ) -> Option<ListClick> {
        if let Some(step) = ListStep::of_wheel(mouse) {
            self.step_over(step, visible, is_heading);
            return Some(ListClick::Selected);
        }
        let row = visible.row_at(click(mouse)?)?;
        if is_heading(row) {
            return None;
        }
        self.select(row, visible);
        Some(if row == visible.selected {
            ListClick::Accepted
        } else {
            ListClick::Selected
        })
    }
}

impl VisibleRows {
    /// Returns the index and the area of each visible row.
    pub(in crate::tui) fn rows(self) -> impl Iterator<Item = (usize, Rect)> {
        (self.top..self.all).zip(self.area.rows())
    }

    /// Returns the index of the row at a position on the screen.
    pub(in crate::tui) fn row_at(self, at: Position) -> Option<usize> {
        let row = self.top + usize::from(at.y.checked_sub(self.area.y)?);
        (self.area.contains(at) && row < self.all).then_some(row)
    }

    /// Draws the visible rows and the scrollbar. `selection` is the style of the selected row; `None` draws it like the
    /// other rows.
    pub(in crate::tui) fn draw<'a>(
        self,
        theme: Theme,
        selection: Option<Style>,
        row: impl Fn(usize) -> Line<'a>,
        buf: &mut Buffer,
    ) {
        for (i, place) in self.rows() {
            buf.set_line(place.x, place.y, &row(i), place.width);
            if let Some(style) = selection.filter(|_| i == self.selected) {
                buf.set_style(place, style);
            }
        }
        self.draw_scrollbar(theme, buf);
    }

    /// Draws a scrollbar into the column right of the list if not all rows are visible.
    pub(in crate::tui) fn draw_scrollbar(self, theme: Theme, buf: &mut Buffer) {
        let bar = Rect {
            x: self.area.right(),
            width: 1,
            ..self.area
        };
        scrollbar(theme, bar, self.top, self.all, buf);
    }
}

/// Draws a scrollbar for `all` rows into a column of the screen; `top` is the first visible row. Draws nothing if all
/// rows fit.
pub(in crate::tui) fn scrollbar(theme: Theme, column: Rect, top: usize, all: usize, buf: &mut Buffer) {
    let rows = usize::from(column.height);
    let column = column.intersection(buf.area);
    if all <= rows || column.is_empty() {
        return;
    }
    // The thumb reaches the end when the last row is visible.
    let mut state = ScrollbarState::new(all - rows + 1)
        .position(top)
        .viewport_content_length(rows);
    Scrollbar::new(ScrollbarOrientation::VerticalRight)
        .begin_symbol(None)
        .end_symbol(None)
        .track_symbol(None)
        .thumb_symbol("┃")
        .thumb_style(theme.quiet())
        .render(column, buf, &mut state);
}

#[cfg(test)]
mod tests {
    use crossterm::event::{KeyModifiers, MouseButton, MouseEventKind};

    use super::*;

    const fn area(height: u16) -> Rect {
        Rect::new(2, 1, 10, height)
    }

    fn shown(visible: VisibleRows) -> (usize, usize) {
        (visible.selected, visible.top)
    }

    #[test]
    fn a_suggestion_is_visible_and_a_selection_keeps_the_list_still() {
        let mut state = ListState::default();
        let visible = state.visible(area(9), 100, 50);
        assert_eq!(shown(visible), (50, 47));
        state.step(ListStep::By(-2), visible);
        let visible = state.visible(area(9), 100, 0);
        assert_eq!(shown(visible), (48, 47));
        state.step(ListStep::By(-9), visible);
        assert_eq!(shown(state.visible(area(9), 100, 0)), (39, 38));
        assert_eq!(shown(state.visible(area(9), 5, 0)), (4, 0), "the list became shorter");
        assert_eq!(shown(ListState::default().visible(area(0), 0, 0)), (0, 0));
    }

    #[test]
    fn pages_are_as_high_as_the_list_and_headings_are_never_selected() {
        let mut state = ListState::default();
        let is_heading = |row: usize| row == 0 || row == 9 || row == 19;
        let mut step = |step| {
            state.step_over(step, state.visible(area(10), 20, 1), is_heading);
            shown(state.visible(area(10), 20, 1)).0
        };
        assert_eq!(step(ListStep::Page(1)), 10);
        assert_eq!(step(ListStep::By(-1)), 8);
        assert_eq!(step(ListStep::Last), 18);
        assert_eq!(step(ListStep::By(1)), 18);
        assert_eq!(step(ListStep::Page(-1)), 8);
        assert_eq!(step(ListStep::First), 1);
        assert_eq!(step(ListStep::By(-1)), 1);
        state.step_over(ListStep::By(1), state.visible(area(10), 0, 0), |_| {
            panic!("there is no row")
        });
    }

    #[test]
    fn the_wheel_moves_by_three_rows_and_a_second_click_accepts() {
        let mut state = ListState::default();
        let event = |kind, row| MouseEvent {
            kind,
            column: 3,
            row,
            modifiers: KeyModifiers::NONE,
        };
        let mut mouse = |kind, row| {
            let visible = state.visible(area(5), 20, 0);
            let clicked = state.mouse(event(kind, row), visible, |row| row == 4);
            (clicked, state.visible(area(5), 20, 0).selected)
        };
        let left = MouseEventKind::Down(MouseButton::Left);
        assert_eq!(mouse(MouseEventKind::ScrollDown, 1), (Some(ListClick::Selected), 3));
        assert_eq!(mouse(left, 2), (Some(ListClick::Selected), 1));
        assert_eq!(mouse(left, 2), (Some(ListClick::Accepted), 1));
        assert_eq!(mouse(left, 5), (None, 1), "a heading");
        assert_eq!(mouse(left, 6), (None, 1), "below the list");
    }

    #[test]
    fn the_scrollbar_reaches_both_ends() {
        let drawn = |top| {
            let mut buf = Buffer::empty(Rect::new(0, 0, 1, 6));
            scrollbar(Theme::new(crate::tui::theme::Depth::True), buf.area, top, 12, &mut buf);
            buf.content
                .iter()
                .map(ratatui::buffer::Cell::symbol)
                .collect::<String>()
        };
        assert!(drawn(0).starts_with('┃') && drawn(0).ends_with(' '), "{}", drawn(0));
        assert!(drawn(6).starts_with(' ') && drawn(6).ends_with('┃'), "{}", drawn(6));
    }
}
