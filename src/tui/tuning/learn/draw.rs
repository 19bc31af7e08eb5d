//! Drawing of the sheet for learning from examples.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::{FAILED, LearnState};
use crate::analysis::tune::{CANDIDATES, LearnPhase, Learning, LearntMetric, Variant};
use crate::design::expect::Metric;
use crate::text::{counted, thousands};
use crate::tui::editor::Editor;
use crate::tui::keymap::Context;
use crate::tui::tuning::TuneState;
use crate::tui::tuning::sheet;
use crate::tui::widget::list::VisibleRows;
use crate::tui::widget::table;
use crate::tui::widget::text::wrapped;

/// Number of lines above the lines of the metrics.
const ABOVE: u16 = 4;
/// Number of lines between the lines of the metrics and the list.
const BETWEEN: u16 = 4;

/// Lays out the list of changed parameters below everything else.
pub(super) fn visible(state: &LearnState, text: Rect) -> VisibleRows {
    let above = ABOVE + state.metrics().len() as u16 + BETWEEN;
    let area = Rect {
        y: text.y + above,
        height: text.height.saturating_sub(above),
        ..text
    };
    state.list.visible(area.intersection(text), state.changes(), 0)
}

/// Draws the sheet.
pub(in crate::tui::tuning) fn draw(
    tune: &TuneState,
    editor: &Editor,
    state: &LearnState,
    area: Rect,
    buf: &mut Buffer,
) {
    let text = sheet::frame(editor, "Learn", Context::Learning, area, buf);
    if text.is_empty() {
        return;
    }
    let (theme, width) = (editor.theme, text.width);
    let tried = state.learning.as_ref().map_or(0, Learning::tried);
    let mut lines = vec![
        progress_line(editor, state, width),
        sheet::both(
            &format!("like {}", state.examples.name),
            &format!("{} tried", thousands(tried)),
            width,
            [theme.text(), theme.quiet()],
        ),
        Line::default(),
        sheet::both(
            "middle 80% of dungeons",
            "examples → learnt",
            width,
            [theme.heading(), theme.quiet()],
        ),
    ];
    let metrics = state.metrics();
    lines.extend(metrics.iter().map(|one| metric_line(editor, one, width)));
    lines.push(match state.accuracy {
        Some(accuracy) => sheet::both(
            "classifier accuracy (guessing: 50%)",
            &format!("{:.0}%", accuracy * 100.0),
            width,
            [theme.quiet(), theme.quiet()],
        ),
        None => Line::default(),
    });
    if tune.looking.is_some() {
        lines.push(Line::styled("shown on the map; not applied", theme.warning()));
    } else {
        lines.push(Line::default());
    }
    lines.push(Line::default());
    let Some(learnt) = state.learnt() else {
        let said = if state.learning.is_none() {
            "The examples are measured first. Then parameter values are tried until the dungeons resemble the examples."
        } else {
            "No change that was tried makes the dungeons more similar to the examples."
        };
        if !state.broken {
            lines.extend(wrapped(said, width, theme.quiet()));
        }
        sheet::draw_lines(&lines, text, text.y, buf);
        return;
    };
    let changed = format!("{} changed", counted(learnt.changes.len(), "parameter"));
    lines.push(Line::styled(changed, theme.heading()));
    sheet::draw_lines(&lines, text, text.y, buf);
    let line = |i: usize| {
        let change = Variant {
            changes: learnt.changes.get(i).copied().into_iter().collect(),
        };
        let change = change.name(&state.base).replace("generation ", "gen ");
        let (name, values) = change.split_once(": ").unwrap_or((&change, ""));
        sheet::both(name, values, width, [theme.text(), theme.accent()])
    };
    sheet::draw_list(editor, visible(state, text), line, buf);
}

/// Returns the line that shows the phase and progress of the search, or its outcome.
fn progress_line(editor: &Editor, state: &LearnState, width: u16) -> Line<'static> {
    let theme = editor.theme;
    if state.broken {
        return Line::styled(FAILED, theme.error());
    }
    if state.paused {
        return sheet::paused(editor, Context::Learning);
    }
    let all: usize = state.readings.iter().map(|table| table.rows.len()).sum();
    let (what, done, all) = match state
        .learning
        .as_ref()
        .map(|learning| (learning.phase(), learning.tried()))
    {
        None => ("measuring the examples", state.done, all),
        Some((LearnPhase::Searching, tried)) => ("searching", tried as usize, CANDIDATES as usize),
        Some((LearnPhase::Choosing, _)) => ("comparing the best", state.done, all),
        Some((LearnPhase::Verifying, _)) => ("verifying", state.done, all),
        Some((LearnPhase::Done, _)) => {
            return if state.metrics().iter().all(LearntMetric::holds) {
                Line::styled("finished: the dungeons are like the examples", theme.good())
            } else {
                Line::styled("finished: no similar dungeons found", theme.warning())
            };
        }
    };
    sheet::progress(theme, what, done, all, width)
}

/// Returns the line of a metric: its range in the middle 80% of the examples (with `~` if it is an estimate), its range
/// in the middle 80% of the learnt dungeons, and the share of learnt dungeons within the range of the examples.
fn metric_line(editor: &Editor, one: &LearntMetric, width: u16) -> Line<'static> {
    let theme = editor.theme;
    let (mark, style) = if one.holds() {
        (Span::styled("✓ ", theme.good()), theme.good())
    } else {
        (Span::styled("✗ ", theme.warning()), theme.warning())
    };
    let Metric::Plain(plain) = one.metric else {
        return Line::default();
    };
    let range = |[low, high]: [f64; 2]| {
        let [low, high] = [low, high].map(|number| sheet::number(plain, number));
        format!("{}–{high}", low.strip_suffix('%').unwrap_or(&low))
    };
    let learnt = one
        .reached
        .map_or_else(|| "none".to_owned(), |[low, _, high]| range([low, high]));
    let share = format!(" {:>3.0}%", one.share * 100.0);
    let sign = if one.is_estimated { "~" } else { "" };
    let right = [
        Span::styled(format!("{sign}{} → {learnt}", range(one.asked)), theme.text()),
        Span::styled(share, style),
    ];
    table::row(width, [mark], Span::styled(one.metric.to_string(), theme.text()), right)
}
