//! A list whose entries have several lines each, with a bar beside the selected entry.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::Line;

use crate::tui::editor::{Editor, Focus};
use crate::tui::widget::list::{ListState, ListStep, VisibleRows};
use crate::tui::widget::text::put;

/// Width of the bar beside the selected entry, in columns.
pub(super) const BAR_WIDTH: u16 = 2;

/// The index of an entry, and one of its lines.
pub(super) type BlockLine = (usize, Line<'static>);

/// The selected entry, and the scroll position in lines.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct BlocksState {
    selected: usize,
    list: ListState,
}

impl BlocksState {
    /// Returns the index of the selected entry, given the number of entries.
    pub(super) fn selected(&self, count: usize) -> usize {
        self.selected.min(count.saturating_sub(1))
    }

    /// Selects an entry.
    pub(super) const fn select(&mut self, index: usize) {
        self.selected = index;
    }

    /// Returns which lines are visible: the list is scrolled so that the selected entry is among them.
    pub(super) fn visible(&self, area: Rect, lines: &[BlockLine]) -> VisibleRows {
        let index = self.selected.min(lines.last().map_or(0, |(index, _)| *index));
        let of_it = |line: &BlockLine| line.0 == index;
        let mut list = self.list;
        if let (Some(first), Some(last)) = (lines.iter().position(of_it), lines.iter().rposition(of_it)) {
            list.select_block(first, last, area.height);
        }
        list.visible(area, lines.len(), 0)
    }

    /// Moves the selection by a step, counted in lines. A step that would end inside an entry continues to the nearest
    /// first line of an entry, in the same direction if possible.
    pub(super) fn step(&mut self, step: ListStep, area: Rect, lines: &[BlockLine]) {
        let is_continued = |row: usize| row > 0 && lines[row - 1].0 == lines[row].0;
        self.list.step_over(step, self.visible(area, lines), is_continued);
        self.selected = lines
            .get(self.list.selected(lines.len()))
            .map_or(0, |(index, _)| *index);
    }

    /// Selects the clicked entry, and returns whether it was selected before; `None` if the click hit no entry.
    pub(super) fn click(&mut self, at: Position, area: Rect, lines: &[BlockLine]) -> Option<bool> {
        let visible = self.visible(area, lines);
        let (index, _) = lines[visible.row_at(at)?];
        let was_selected = lines[visible.selected].0 == index;
        self.list.select(visible.selected, visible);
        self.selected = index;
        Some(was_selected)
    }

    /// Draws the visible lines, the bar and the scroll bar. `line` draws the line at an index.
    pub(super) fn draw(
        &self,
        editor: &Editor,
        area: Rect,
        lines: &[BlockLine],
        line: impl Fn(usize, Rect, &mut Buffer),
        buf: &mut Buffer,
    ) {
        let theme = editor.theme;
        let visible = self.visible(area, lines);
        let bar = theme.border(editor.focus == Focus::Panel);
        for (i, row) in visible.rows() {
            let (index, text) = &lines[i];
            if *index == lines[visible.selected].0 && text.width() > 0 {
                put("▌", row, bar, buf);
            }
            let indent = BAR_WIDTH.min(row.width);
            let place = Rect::new(row.x + indent, row.y, row.width - indent, row.height);
            line(i, place, buf);
        }
        visible.draw_scrollbar(theme, buf);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_and_clicks_select_whole_entries() {
        let lines: Vec<BlockLine> = (0..30).map(|i| (i / 3, Line::raw("text"))).collect();
        let area = Rect::new(0, 0, 20, 9);
        let mut state = BlocksState::default();
        let mut step = |step| {
            state.step(step, area, &lines);
            (state.selected(10), state.visible(area, &lines).top)
        };
        assert_eq!(step(ListStep::By(1)).0, 1);
        assert_eq!(step(ListStep::By(-1)).0, 0);
        assert_eq!(step(ListStep::Page(1)).0, 3, "to the first line that begins an entry");
        assert_eq!(step(ListStep::Last), (9, 21), "all lines of the last one are visible");
        assert_eq!(step(ListStep::By(1)).0, 9);
        assert_eq!(step(ListStep::By(-3)).0, 8);
        assert_eq!(step(ListStep::First), (0, 0));
        let mut click = |y| state.click(Position::new(3, y), area, &lines);
        assert_eq!([click(4), click(5), click(9)], [Some(false), Some(true), None]);
        assert_eq!(state.selected(10), 1);
        assert_eq!(BlocksState::default().visible(area, &[]).all, 0);
    }
}
