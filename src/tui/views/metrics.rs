//! The view Figures: what the dungeon at the moment shown is like, the flaws first.
//!
//! A line's layer is shown over the map while the line is selected, and Enter leads to its place or its moment; headings
//! fold what stands below them. The figures are those that were found last: of the moment shown, or of one shortly
//! before it while growth goes on.

use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::Line;

use super::figure_lines;
use super::list;
use super::metric_rows::{self, MetricKey, MetricRow};
use super::{ListPage, View};
use crate::analysis::LayerKind;
use crate::tui::app::App;
use crate::tui::text;

/// Headings that fold what stands below them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::tui) enum MetricSection {
    /// The enclosed areas.
    Enclosed,
    /// The dead ends.
    DeadEnds,
    /// The junctions.
    Junctions,
    /// The widths.
    Widths,
    /// The corridors along the outer wall.
    Outer,
    /// The generations' shares.
    Shares,
    /// Rooms and vaults.
    Grounds,
}

/// What the view remembers.
#[derive(Debug)]
pub(super) struct MetricsViewState {
    pub(super) list: list::ListState,
    /// The headings whose lines are shown.
    pub(super) open: Vec<MetricSection>,
    /// What was selected by hand, and the line in which it was seen last: lines come and go with the moment.
    kept: Option<(usize, MetricKey)>,
}

impl Default for MetricsViewState {
    fn default() -> Self {
        Self {
            list: list::ListState::default(),
            open: vec![MetricSection::Enclosed, MetricSection::Shares, MetricSection::Grounds],
            kept: None,
        }
    }
}

impl MetricsViewState {
    /// Shows what stands below a heading, or no longer.
    pub(super) fn fold(&mut self, section: MetricSection) {
        let before = self.open.len();
        self.open.retain(|open| *open != section);
        if self.open.len() == before {
            self.open.push(section);
        }
    }
}

/// Whether the view is on the screen.
pub(super) fn is_seen(app: &App) -> bool {
    app.views.shown == View::Figures && !app.areas().view.is_empty()
}

/// The view's lines.
pub(super) fn page(app: &App, inside: Rect) -> ListPage {
    let (head, entries) = entries(app, inside.width);
    let rows = entries.into_iter().map(|entry| entry.row).collect();
    ListPage::new(head, rows, 0, app.views.figures.list, inside)
}

/// Keeps the selection on what is selected, in whatever line it stands now.
pub(super) fn tick(app: &mut App) {
    let Some(line) = app.views.figures.list.by_hand().filter(|_| is_seen(app)) else {
        return;
    };
    let (_, entries) = entries(app, super::inside(app.areas().view).width);
    let Some(last) = entries.len().checked_sub(1) else {
        return;
    };
    let state = &mut app.views.figures;
    let place = match &state.kept {
        Some((kept, key)) if *kept == line => metric_rows::find(&entries, key),
        _ => None,
    };
    if let Some(place) = place {
        state.list.moved(place);
        if let Some((kept, _)) = &mut state.kept {
            *kept = place;
        }
    } else {
        // Somebody selected another one.
        let line = line.min(last);
        state.kept = Some((line, entries[line].key.clone()));
        state.list.moved(line);
    }
}

/// The layer of the selected line, and the number in it.
pub(super) fn selected(app: &App) -> Option<(LayerKind, Option<u16>)> {
    let inside = super::inside(app.areas().view);
    let (_, entries) = entries(app, inside.width);
    let seen = app.views.figures.list.seen(0, inside.height, entries.len());
    entries.get(seen.selected)?.layer
}

fn entries(app: &App, width: u16) -> (Vec<Line<'static>>, Vec<MetricRow>) {
    let theme = app.theme;
    let tell = |text: String, style: Style| {
        let lines = text::wrap(&text, width.into()).into_iter();
        lines.map(|line| Line::styled(line, style)).collect::<Vec<_>>()
    };
    match app.judge.found() {
        None => (tell("judging the dungeon …".into(), theme.quiet()), Vec::new()),
        Some((_, Err(why))) => {
            let text = format!("no figures, a fault of the program: {why}");
            (tell(text, theme.error()), Vec::new())
        }
        Some((moment, Ok(judged))) => {
            let entries = figure_lines::of(app, judged, width.into());
            (vec![figure_lines::head(app, moment.turn, &entries)], entries)
        }
    }
}
