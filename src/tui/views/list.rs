//! A list of lines in a view: which is selected, which are seen, and where each leads.
//!
//! The lines are made anew for every drawing; this keeps only where the user is in them.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};
use unicode_width::UnicodeWidthStr;

use super::metrics::MetricSection;
use crate::design::Place;
use crate::geometry::Point;
use crate::tui::text::wrap;
use crate::tui::theme::Theme;

/// Where a line leads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Link {
    /// To the end of a turn, and with the cursor to a square.
    Moment(u64, Point),
    /// With the cursor to a square.
    Square(Point),
    /// Shows what stands below a heading, or no longer.
    Fold(MetricSection),
    /// To an entry of the design.
    Entry(Place),
    /// To where so many steps of the history are done.
    Step(usize),
}

/// A line of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ListRow {
    /// What it says.
    pub text: Line<'static>,
    /// Where Enter or a click on it leads.
    pub lead: Option<Link>,
    /// Whether it belongs to the moment shown.
    pub now: bool,
}

impl ListRow {
    /// A text in as many lines as it takes, all of which lead to the same place. The first begins with a
    /// margin, the others with as much room.
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

/// Where the user is in a list.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct ListState {
    /// The line selected by hand; `None`: the one that the view suggests.
    selected: Option<usize>,
    top: usize,
}

/// What of a list is seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct VisibleRows {
    /// The selected line.
    pub selected: usize,
    /// The first line that is seen.
    pub top: usize,
}

impl ListState {
    /// What is seen of `all` lines in so many rows of the screen, when the view suggests a line.
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

    /// Selects a line.
    pub(super) const fn select(&mut self, line: usize, seen: VisibleRows) {
        self.selected = Some(line);
        self.top = seen.top;
    }

    /// The line that is selected by hand.
    pub(super) const fn by_hand(&self) -> Option<usize> {
        self.selected
    }

    /// What is selected stands in another line now; as much of what is about it as can be is seen as before.
    pub(super) const fn moved(&mut self, to: usize) {
        if let Some(from) = self.selected {
            self.selected = Some(to);
            self.top = (self.top + to).saturating_sub(from);
        }
    }

    /// Moves the selection by lines.
    pub(super) fn move_by(&mut self, by: i32, seen: VisibleRows, all: usize) {
        let line = seen.selected.saturating_add_signed(by as isize);
        self.select(line.min(all.saturating_sub(1)), seen);
    }
}

/// The line at a place of the screen.
pub(super) fn line_at(at: Position, area: Rect, seen: VisibleRows, all: usize) -> Option<usize> {
    let line = seen.top + usize::from(at.y.saturating_sub(area.y));
    (area.contains(at) && line < all).then_some(line)
}

/// Draws the lines that are seen, with a mark beside the selected one while the view has the focus.
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
    // What lies beyond the edges is told at them.
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
