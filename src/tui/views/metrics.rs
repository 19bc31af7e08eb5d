//! The Metrics view: the metrics of the dungeon at the moment shown, anomalies first.
//!
//! While a line is selected, its layer is drawn over the map. Enter follows the line's link; on a heading, it expands
//! or collapses the section. The view shows the latest metrics available: those of the moment shown or, while the
//! dungeon grows, of a moment shortly before it.

use ratatui::layout::Rect;
use ratatui::text::Line;

use super::metric_lines;
use super::metric_rows::{self, MetricKey, MetricRow};
use super::page::{ListPage, MetricSection};
use crate::analysis::LayerKind;
use crate::tui::editor::Editor;
use crate::tui::metric_reports::LatestMetrics;
use crate::tui::widget::list::ListState;
use crate::tui::widget::text::wrapped;

/// The state of the view.
#[derive(Debug)]
pub(super) struct MetricsViewState {
    pub(super) list: ListState,
    /// Expanded sections.
    pub(super) open: Vec<MetricSection>,
    /// Last index and key of the line that the user selected. The key finds the line again when the lines move.
    kept: Option<(usize, MetricKey)>,
}

impl Default for MetricsViewState {
    fn default() -> Self {
        Self {
            list: ListState::default(),
            open: vec![MetricSection::Enclosed, MetricSection::Shares, MetricSection::Grounds],
            kept: None,
        }
    }
}

impl MetricsViewState {
    /// Expands or collapses a section.
    pub(super) fn fold(&mut self, section: MetricSection) {
        let before = self.open.len();
        self.open.retain(|open| *open != section);
        if self.open.len() == before {
            self.open.push(section);
        }
    }

    /// Keeps the same subject selected when the lines move. Called in every frame while the view is visible.
    pub(super) fn keep_selection(&mut self, editor: &Editor, metrics: Option<LatestMetrics<'_>>) {
        let Some(line) = self.list.selected_by_user() else {
            return;
        };
        let (_, entries) = entries(self, editor, metrics, super::inside(editor.areas.view).width);
        let Some(last) = entries.len().checked_sub(1) else {
            return;
        };
        let place = match &self.kept {
            Some((kept, key)) if *kept == line => metric_rows::find(&entries, key),
            _ => None,
        };
        if let Some(place) = place {
            self.list.follow_row(place);
            if let Some((kept, _)) = &mut self.kept {
                *kept = place;
            }
        } else {
            // The user has selected another line, or no line is about the subject any more.
            let line = line.min(last);
            self.kept = Some((line, entries[line].key.clone()));
            self.list.follow_row(line);
        }
    }

    /// Returns the layer of the selected line and the number of the highlighted item.
    pub(super) fn selected_layer(
        &self,
        editor: &Editor,
        metrics: Option<LatestMetrics<'_>>,
    ) -> Option<(LayerKind, Option<u16>)> {
        let inside = super::inside(editor.areas.view);
        let (_, entries) = entries(self, editor, metrics, inside.width);
        let visible = self.list.visible(inside, entries.len(), 0);
        entries.get(visible.selected)?.layer
    }
}

/// Returns the lines of the view.
pub(super) fn page(
    state: &MetricsViewState,
    editor: &Editor,
    metrics: Option<LatestMetrics<'_>>,
    inside: Rect,
) -> ListPage {
    let (head, entries) = entries(state, editor, metrics, inside.width);
    let rows = entries.into_iter().map(|entry| entry.row).collect();
    ListPage::new(head, rows, 0, state.list, inside)
}

fn entries(
    state: &MetricsViewState,
    editor: &Editor,
    metrics: Option<LatestMetrics<'_>>,
    width: u16,
) -> (Vec<Line<'static>>, Vec<MetricRow>) {
    let theme = editor.theme;
    let lines = |text: &str, style| wrapped(text, width, style).collect::<Vec<_>>();
    match metrics.map(|metrics| (metrics, metrics.reply)) {
        None => (lines("measuring the dungeon …", theme.quiet()), Vec::new()),
        Some((_, Err(error))) => {
            let text = format!("no metrics: {error}");
            (lines(&text, theme.error()), Vec::new())
        }
        Some((metrics, Ok(reply))) => {
            let entries = metric_lines::of(editor, &state.open, reply, width);
            (vec![metric_lines::head(editor, metrics, &entries)], entries)
        }
    }
}
