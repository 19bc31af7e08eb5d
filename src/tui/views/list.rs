//! A list of lines in a view: the selection, the visible part, and the links of the lines.
//!
//! The lines are rebuilt for every frame; only the selection and the scroll position are state.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};
use unicode_width::UnicodeWidthStr;

use super::metrics::MetricSection;
use crate::design::Place;
use crate::geometry::Point;
use crate::tui::theme::Theme;
use crate::tui::widget::text::wrap;

/// The target of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Link {
    /// The end of a turn; the cursor moves to the square.
    Moment(u64, Point),
    /// A square; the cursor moves to it.
    Square(Point),
    /// Expands or collapses a section.
    Fold(MetricSection),
    /// An entry of the design.
    Entry(Place),
    /// The step of the history after this number of steps.
    Step(usize),
}

/// A line of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ListRow {
    /// Text of the line.
    pub text: Line<'static>,
    /// Target of Enter or a click.
    pub lead: Option<Link>,
    /// Whether the line belongs to the moment shown; drawn in bold.
    pub now: bool,
}

impl ListRow {
    /// Returns a text wrapped to lines with the same link. The first line begins with `margin`, the others with blanks
    /// of the same width.
    pub(super) fn wrapped(
        margin: &Span<'static>,
        text: &str,
        style: Style,
        width: u16,
        lead: Option<Link>,
    ) -> Vec<Self> {
        let room = usize::from(width).saturating_sub(margin.width());
        let mut begin = margin.clone();
        wrap(text, room)
            .into_iter()
            .map(|part| {
                let blank = Span::raw(" ".repeat(margin.width()));
                let margin = std::mem::replace(&mut begin, blank);
                Self {
                    text: Line::from(vec![margin, Span::styled(part, style)]),
                    lead,
                    now: false,
                }
            })
            .collect()
    }
}

/// The selection and scroll position of a list.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct ListState {
    /// Line selected by the user; `None`: the line suggested by the view.
    selected: Option<usize>,
    top: usize,
}

/// The visible part of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct VisibleRows {
    /// Index of the selected line.
    pub selected: usize,
    /// Index of the first visible line.
    pub top: usize,
}

impl ListState {
    /// Returns the visible part of `all` lines in this number of rows of the screen; `suggested` is selected unless the user
    /// has selected a line.
    pub(super) fn seen(&self, suggested: usize, rows: u16, all: usize) -> VisibleRows {
        let rows = usize::from(rows).max(1);
        let last = all.saturating_sub(1);
        let Some(selected) = self.selected else {
            let selected = suggested.min(last);
            let top = selected.saturating_sub(rows / 3).min(all.saturating_sub(rows));
            return VisibleRows { selected, top };
        };
        let selected = selected.min(last);
        let top = self.top.min(all.saturating_sub(rows)).min(selected);
        let top = top.max((selected + 1).saturating_sub(rows));
        VisibleRows { selected, top }
    }

    /// Selects a line, and keeps the scroll position where possible.
    pub(super) const fn select(&mut self, line: usize, seen: VisibleRows) {
        self.selected = Some(line);
        self.top = seen.top;
    }

    /// Returns the line that the user selected, if any.
    pub(super) const fn by_hand(&self) -> Option<usize> {
        self.selected
    }

    /// Moves the selection to the new index of its line, and scrolls so that it keeps its row if possible.
    pub(super) const fn moved(&mut self, to: usize) {
        if let Some(from) = self.selected {
            self.selected = Some(to);
            self.top = (self.top + to).saturating_sub(from);
        }
    }

    /// Moves the selection by this number of lines.
    pub(super) fn move_by(&mut self, by: i32, seen: VisibleRows, all: usize) {
        let line = seen.selected.saturating_add_signed(by as isize);
        self.select(line.min(all.saturating_sub(1)), seen);
    }
}

/// Returns the line at a position of the screen.
pub(super) fn line_at(at: Position, area: Rect, seen: VisibleRows, all: usize) -> Option<usize> {
    let line = seen.top + usize::from(at.y.saturating_sub(area.y));
    (area.contains(at) && line < all).then_some(line)
}

/// Draws the visible lines, with the selected one highlighted while the view has the focus.
pub(super) fn draw(theme: Theme, rows: &[ListRow], seen: VisibleRows, focused: bool, area: Rect, buf: &mut Buffer) {
    for (y, (i, row)) in (area.top()..area.bottom()).zip(rows.iter().enumerate().skip(seen.top)) {
        buf.set_line(area.x, y, &row.text, area.width);
        let line = Rect::new(area.x, y, area.width, 1);
        if row.now {
            buf.set_style(line, Style::new().add_modifier(Modifier::BOLD));
        }
        if focused && i == seen.selected {
            buf.set_style(line, theme.selected(true));
        }
    }
    // Arrows at the edges show that there is more to scroll to.
    let more = |beyond: bool, sign: &str, y: u16, buf: &mut Buffer| {
        if beyond && area.width > 4 && area.height > 1 {
            buf.set_string(area.right() - sign.width() as u16, y, sign, theme.quiet());
        }
    };
    more(seen.top > 0, "↑", area.y, buf);
    more(
        seen.top + usize::from(area.height) < rows.len(),
        "↓",
        area.bottom().saturating_sub(1),
        buf,
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_suggestion_is_seen_and_a_selection_keeps_the_list_still() {
        let mut state = ListState::default();
        let seen = state.seen(50, 9, 100);
        assert_eq!(seen, VisibleRows { selected: 50, top: 47 });
        state.move_by(-2, seen, 100);
        assert_eq!(state.seen(0, 9, 100), VisibleRows { selected: 48, top: 47 });
        let seen = state.seen(0, 9, 100);
        state.move_by(-9, seen, 100);
        assert_eq!(state.seen(0, 9, 100), VisibleRows { selected: 39, top: 39 });
        assert_eq!(
            state.seen(0, 9, 5),
            VisibleRows { selected: 4, top: 0 },
            "the list became shorter"
        );
        assert_eq!(ListState::default().seen(0, 0, 0), VisibleRows { selected: 0, top: 0 });
    }
}
