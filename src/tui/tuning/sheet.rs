//! Shared parts of the sheets that remedies and searches open in place of the panels: frame, buttons, lists with a
//! selected line, and formatted metric values.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget as _;

use crate::analysis::MeanDifference;
use crate::design::expect::{DungeonMetric, MetricInfo};
use crate::text::thousands;
use crate::tui::buttons;
use crate::tui::commands::{Action, TuneCommand};
use crate::tui::editor::{Editor, Focus};
use crate::tui::keymap::Context;
use crate::tui::theme::Theme;
use crate::tui::widget::layout::with_foot;
use crate::tui::widget::list::VisibleRows;
use crate::tui::widget::popup::{block, inside};
use crate::tui::widget::table;

/// Splits a sheet into its text and the buttons below.
pub(super) fn parts(editor: &Editor, context: Context, area: Rect) -> [Rect; 2] {
    let inside = inside(area);
    let rows = buttons::rows(editor, context, inside.width);
    // Small sheets omit the buttons; the footer shows the keys.
    let rows = if inside.height >= rows + 8 { rows } else { 0 };
    with_foot(inside, rows)
}

/// Draws the frame and the buttons; returns the area left for the text.
pub(super) fn frame(editor: &Editor, title: &str, context: Context, area: Rect, buf: &mut Buffer) -> Rect {
    if area.is_empty() {
        return Rect::ZERO;
    }
    let focused = editor.focus == Focus::Panel;
    block(editor.theme, focused)
        .title(Span::styled(format!(" {title} "), editor.theme.title(true)))
        .render(area, buf);
    let [text, below] = parts(editor, context, area);
    buttons::of(editor, context, below).draw(buf);
    text
}

/// Returns the action of the button at a position.
pub(super) fn button_at(editor: &Editor, context: Context, area: Rect, at: Position) -> Option<Action> {
    let [_, below] = parts(editor, context, area);
    buttons::of(editor, context, below).at(at)
}

/// Returns the line for a paused search, with the key that resumes it.
pub(super) fn paused(editor: &Editor, context: Context) -> Line<'static> {
    let key = editor.keymap.key_in(context, Action::Tune(TuneCommand::Pause));
    Line::styled(format!("paused: {key} resumes"), editor.theme.warning())
}

/// Draws lines from row `y` downwards until the area is full; returns the row after the last line drawn.
pub(super) fn draw_lines(lines: &[Line], area: Rect, mut y: u16, buf: &mut Buffer) -> u16 {
    for line in lines {
        if y >= area.bottom() {
            break;
        }
        buf.set_line(area.x, y, line, area.width);
        y += 1;
    }
    y
}

/// Draws a list; the selected line is highlighted, more strongly while the sheet has the focus.
pub(super) fn draw_list(
    editor: &Editor,
    visible: VisibleRows,
    line: impl Fn(usize) -> Line<'static>,
    buf: &mut Buffer,
) {
    let selection = editor.theme.selected(editor.focus == Focus::Panel);
    visible.draw(editor.theme, Some(selection), line, buf);
}

/// Returns a line with one text at the left and one at the right. If there is no room for both, shortens the left one.
pub(super) fn both(left: &str, right: &str, width: u16, styles: [Style; 2]) -> Line<'static> {
    let [left, right] =
        [(left, styles[0]), (right, styles[1])].map(|(text, style)| Span::styled(text.to_owned(), style));
    table::row(width, [], left, [right])
}

/// Returns a bar `width` characters wide, filled up to `share` (0 to 1) in steps of half a character.
pub(super) fn bar(share: f64, width: usize) -> String {
    let halves = (share.clamp(0.0, 1.0) * width as f64 * 2.0).round() as usize;
    let (full, rest) = (halves / 2, halves % 2);
    let mut bar = "━".repeat(full);
    bar.push_str(if rest > 0 { "╸" } else { "" });
    bar.push_str(&" ".repeat(width - full - rest));
    bar
}

/// Returns a progress line: label, bar and percentage of `done` out of `of`.
pub(super) fn progress(theme: Theme, what: &str, done: usize, of: usize, width: u16) -> Line<'static> {
    let share = done as f64 / of.max(1) as f64;
    let room = usize::from(width).saturating_sub(what.chars().count() + 7).min(24);
    Line::from(vec![
        Span::styled(format!("{what} "), theme.quiet()),
        Span::styled(bar(share, room), theme.accent()),
        Span::styled(format!(" {:>3.0}%", share * 100.0), theme.quiet()),
    ])
}

/// Returns whether a metric's values are shares or truth values, which are shown as percentages.
fn is_share(metric: DungeonMetric) -> bool {
    let MetricInfo { unit, is_truth, .. } = metric.info();
    *is_truth || unit.is_empty() && !matches!(metric, DungeonMetric::Detour | DungeonMetric::Generations)
}

/// Formats a difference of a metric: `−1.3 [−1.9, −0.7]`; differences of shares are in percentage points.
pub(super) fn difference(metric: DungeonMetric, difference: MeanDifference) -> String {
    if is_share(metric) {
        format!("{} points", difference.scaled(100.0))
    } else {
        difference.to_string()
    }
}

/// Formats a metric value: shares as percentages, counts as whole numbers, the detour with two decimals.
pub(super) fn number(metric: DungeonMetric, number: f64) -> String {
    match metric {
        DungeonMetric::Detour => format!("{number:.2}"),
        DungeonMetric::Generations => format!("{number:.0}"),
        _ if metric.info().is_truth || is_share(metric) && number <= 1.0 => format!("{:.0}%", number * 100.0),
        _ => thousands(number.round().max(0.0) as u64),
    }
}
