//! The content of a view: fixed lines at the top, and below them a list whose lines may be links.
//!
//! Both are rebuilt for every frame; only the selection and the scroll position of the list are state.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};

use crate::analysis::counterfactual::Alternative;
use crate::design::Place;
use crate::geometry::Point;
use crate::tui::editor::{Editor, Focus};
use crate::tui::widget::list::{ListState, VisibleRows};
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
    /// The dungeon that results from one change to the run, shown on the map. Following the link again shows the run's
    /// own dungeon.
    Alternative(Alternative),
    /// An entry of the design.
    Entry(Place),
    /// The design after this number of steps of the undo history; 0 is the design as it was opened.
    Step(usize),
}

/// A section of the metrics that can be expanded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MetricSection {
    /// The enclosed areas.
    Enclosed,
    DeadEnds,
    Junctions,
    /// The corridor widths.
    Widths,
    /// The corridors along the outer wall.
    Outer,
    /// The generations' shares of the tiles.
    Shares,
    /// Rooms and vaults.
    Grounds,
}

/// A line of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ListRow {
    pub text: Line<'static>,
    /// Target of Enter or a click.
    pub link: Option<Link>,
    /// Whether the line is bold because it belongs to the moment shown or the current step, or reports an anomaly.
    pub now: bool,
}

impl ListRow {
    /// Wraps text into lines that all have the same link. The first line begins with `margin`, the other lines with
    /// blanks of the same width.
    pub(super) fn wrapped(
        margin: &Span<'static>,
        text: &str,
        style: Style,
        width: u16,
        link: Option<Link>,
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
                    link,
                    now: false,
                }
            })
            .collect()
    }
}

/// The content of a view with a list.
pub(super) struct ListPage {
    pub(super) head: Vec<Line<'static>>,
    pub(super) rows: Vec<ListRow>,
    /// The visible part of the list.
    pub(super) visible: VisibleRows,
}

impl ListPage {
    /// Creates a page with fixed lines above a list, inside the border of a view. The row `suggested` is selected until
    /// the user selects a row.
    pub(super) fn new(
        head: Vec<Line<'static>>,
        rows: Vec<ListRow>,
        suggested: usize,
        list: ListState,
        inside: Rect,
    ) -> Self {
        // In a small view, the fixed lines take at most half of the rows.
        let above = (head.len() as u16).min(inside.height / 2);
        let area = Rect::new(inside.x, inside.y + above, inside.width, inside.height - above);
        Self {
            visible: list.visible(area, rows.len(), suggested),
            head,
            rows,
        }
    }

    /// Returns the link of the selected line.
    pub(super) fn link(&self) -> Option<Link> {
        self.rows.get(self.visible.selected)?.link
    }

    /// Draws the page; the selected line is highlighted while the view has the focus.
    pub(super) fn draw(&self, editor: &Editor, inside: Rect, buf: &mut Buffer) {
        for (line, row) in self
            .head
            .iter()
            .zip(inside.rows())
            .take_while(|(_, row)| row.y < self.visible.area.y)
        {
            buf.set_line(row.x, row.y, line, row.width);
        }
        let theme = editor.theme;
        let selection = (editor.focus == Focus::View).then(|| theme.selected(true));
        let line = |i: usize| {
            let row = &self.rows[i];
            let style = Style::new().add_modifier(if row.now { Modifier::BOLD } else { Modifier::empty() });
            row.text.clone().patch_style(style)
        };
        self.visible.draw(theme, selection, line, buf);
    }
}
