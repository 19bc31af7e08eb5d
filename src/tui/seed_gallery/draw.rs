//! Drawing of the seed gallery: the dungeons with their captions, and below them the details of the selected dungeon.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget;
use unicode_width::UnicodeWidthStr as _;

use super::SeedGalleryState;
use super::areas::SeedGalleryAreas;
use super::pixels::draw_picture;
use super::results::SeedOrder;
use super::{MOST_SQUARES, atlas, filter, metrics, range};
use crate::analysis::{Interval, decimal};
use crate::design::expect::{DungeonMetric, METRICS, SIGHT_METRICS};
use crate::text::{counted, thousands, with_thousands};
use crate::tui::commands::SeedGalleryCommand;
use crate::tui::editor::Editor;
use crate::tui::widget::layout::above_foot;
use crate::tui::widget::popup::block;
use crate::tui::widget::table;
use crate::tui::widget::text::{put_centered, put_glyph, shortened};

/// Metrics shown for the selected dungeon, the most informative first.
const SHOWN_METRICS: [DungeonMetric; 9] = [
    DungeonMetric::Path,
    DungeonMetric::Detour,
    DungeonMetric::DeadEnds,
    DungeonMetric::Loops,
    DungeonMetric::Junctions,
    DungeonMetric::Fill,
    DungeonMetric::Enclosed,
    DungeonMetric::OuterWall,
    DungeonMetric::Dominant,
];

/// Maximum number of bars of the histogram.
const BARS: usize = 24;

/// Draws the gallery over the whole screen except the footer. If the list of metrics is open, draws the list over the
/// gallery.
pub(in crate::tui) fn draw(state: &SeedGalleryState, editor: &Editor, screen: Rect, buf: &mut Buffer) {
    let frame = above_foot(screen);
    draw_within(state, editor, frame, buf);
    metrics::draw(state, editor, screen, buf);
}

/// Draws the gallery in a frame.
pub(super) fn draw_within(state: &SeedGalleryState, editor: &Editor, frame: Rect, buf: &mut Buffer) {
    if frame.is_empty() {
        return;
    }
    let plan = SeedGalleryAreas::within(state, editor, frame);
    draw_frame(state, editor, frame, buf);
    if state.atlas.is_shown {
        if let Some(description) = cannot_grow(editor) {
            put_centered(
                &shortened(&description, plan.sheet.width.into()),
                plan.sheet,
                editor.theme.quiet(),
                buf,
            );
        } else {
            atlas::draw(state, editor, &plan, buf);
            atlas::draw_about(state, editor, plan.about, buf);
        }
        return;
    }
    filter::draw(state, editor, plan.filter, buf);
    if state.range.is_shown && nothing(state, editor).is_none() {
        range::draw(state, editor, &plan, buf);
    } else if let Some(description) = nothing(state, editor) {
        let description = shortened(&description, plan.sheet.width.into());
        put_centered(&description, plan.sheet, editor.theme.quiet(), buf);
    } else {
        for (number, seed) in state.seen(&plan).iter().enumerate() {
            draw_dungeon(state, editor, &plan, *seed, plan.cell(number), buf);
        }
    }
    if let Some(seed) = state.current() {
        draw_about(state, editor, seed, plan.about, buf);
    }
}

/// Returns why the design's dungeons cannot be shown; `None` if they can.
pub(super) fn cannot_grow(editor: &Editor) -> Option<String> {
    if editor.document.design().layout.size.squares() > MOST_SQUARES {
        let most = thousands(MOST_SQUARES);
        return Some(format!(
            "use `wallcrawler survey` for dungeons of more than {most} squares"
        ));
    }
    if editor.document.valid().is_none() {
        return Some(editor.why_not_grown().into());
    }
    None
}

/// Returns why no dungeons are shown; `None` if there are some.
fn nothing(state: &SeedGalleryState, editor: &Editor) -> Option<String> {
    if let Some(why) = cannot_grow(editor) {
        return Some(why);
    }
    if !state.order.is_empty() {
        return None;
    }
    let key = |command| super::key(editor, command);
    if state.only_marked && state.marks.is_empty() {
        let all = key(SeedGalleryCommand::OnlyMarked);
        return Some(format!("no seed is marked; press {all} to show all seeds"));
    }
    Some(match (state.measuring.is_some(), state.only_marked) {
        (true, _) => "growing …".into(),
        (false, true) => format!(
            "no marked seed satisfies the condition; press {} to show all seeds, {} to change the condition",
            key(SeedGalleryCommand::OnlyMarked),
            key(SeedGalleryCommand::Filter)
        ),
        (false, false) => format!(
            "no seed satisfies the condition; press {} to grow 100 more, {} to change the condition",
            key(SeedGalleryCommand::More(100)),
            key(SeedGalleryCommand::Filter)
        ),
    })
}

fn draw_frame(state: &SeedGalleryState, editor: &Editor, frame: Rect, buf: &mut Buffer) {
    let theme = editor.theme;
    if state.atlas.is_shown {
        let title = Line::from(atlas::title(state, editor));
        return block(theme, true).title(title).render(frame, buf);
    }
    let all = state.results.seeds.len();
    let mut title = vec![Span::raw(format!(" Seed gallery · {} ", editor.document.title()))];
    if state.measuring.is_some() {
        let done = thousands(state.results.done() as u64);
        let text = format!("· {done} of {} measured … ", counted(all, "seed"));
        title.push(Span::styled(text, theme.warning()));
    } else {
        title.push(Span::styled(format!("· {} ", counted(all, "seed")), theme.quiet()));
    }
    if !state.marks.is_empty() {
        let only = if state.only_marked { "only " } else { "" };
        let text = format!("· {only}★ {} marked ", state.marks.len());
        title.push(Span::styled(text, theme.accent()));
    }
    let arrow = if state.downward { '↓' } else { '↑' };
    let order = Line::from(format!(" by {} {arrow} ", state.by.name())).right_aligned();
    let block = block(theme, true);
    let title = Line::from(title);
    let has_room = title.width() + order.width() + 4 <= usize::from(frame.width);
    let block = if has_room {
        block.title(title).title(order)
    } else {
        block.title(title)
    };
    block.render(frame, buf);
}

/// Draws a dungeon's picture, and below it the caption with its seed and a metric.
fn draw_dungeon(
    state: &SeedGalleryState,
    editor: &Editor,
    plan: &SeedGalleryAreas,
    seed: u64,
    cell: Rect,
    buf: &mut Buffer,
) {
    let theme = editor.theme;
    if cell.is_empty() {
        return;
    }
    let is_selected = state.current() == Some(seed);
    let picture = plan.picture_in(cell);
    if let Some(grown) = state.results.pictures.get(&seed) {
        draw_picture(editor, plan, &grown.pixels, plan.picture, picture, buf);
    }
    let failed = state.results.failed(seed, &state.expectations);
    let is_missing = matches!(state.results.measured.get(&seed), Some(None));
    let style = match (is_selected, failed.is_empty() && !is_missing) {
        (true, _) => theme.selected(true),
        (_, false) => theme.error(),
        _ => theme.text(),
    };
    let caption = Rect {
        y: cell.bottom() - 1,
        height: 1,
        ..cell
    };
    let mark = if state.marks.contains(&seed) { '★' } else { ' ' };
    let flaw = if failed.is_empty() { "" } else { "✗ " };
    let left = format!("{mark}{seed}");
    let value = state.results.value(seed, shown(state.by));
    let value = match (state.results.measured.get(&seed), value) {
        (None, _) => "…".to_owned(),
        (Some(None), _) => "nothing grows".to_owned(),
        (_, None) => "none".to_owned(),
        (_, Some(value)) => description(value, shown(state.by)),
    };
    let right = format!("{flaw}{value} ");
    // The seed is more important, so the metric is omitted if there is no room for both.
    let has_room = left.width() + right.width() < usize::from(caption.width);
    let right = has_room.then(|| Span::raw(right));
    let line = table::row(caption.width, [], left.into(), right);
    buf.set_line(caption.x, caption.y, &line, caption.width);
    buf.set_style(caption, style);
    if is_selected {
        // A bar beside the picture makes the selected dungeon easy to find.
        for row in picture.rows() {
            put_glyph('▌', (row.x.saturating_sub(2), row.y), theme.accent(), buf);
        }
    }
}

/// Returns the metric that the captions show: the sort key, or the path length if the dungeons are sorted by seed.
const fn shown(by: SeedOrder) -> SeedOrder {
    match by {
        SeedOrder::Seed => SeedOrder::Metric(DungeonMetric::Path),
        by @ SeedOrder::Metric(_) => by,
    }
}

/// Formats a sort value for display.
pub(in crate::tui) fn description(value: f64, by: SeedOrder) -> String {
    match by {
        SeedOrder::Metric(metric) if metric.info().is_truth => if value > 0.0 { "yes" } else { "no" }.into(),
        _ => with_thousands(&decimal((value * 1000.0).round() as i64 * 10)),
    }
}

/// Draws the details of the selected dungeon: its metrics, its position among all dungeons, and its anomalies or failed
/// expectations.
fn draw_about(state: &SeedGalleryState, editor: &Editor, seed: u64, area: Rect, buf: &mut Buffer) {
    let theme = editor.theme;
    let width = usize::from(area.width);
    let mut lines: Vec<Line> = Vec::new();
    let mut line = Line::from(vec![Span::styled(format!("seed {seed}"), theme.heading())]);
    let measured = state.results.measured.get(&seed);
    match measured {
        Some(Some(values)) => {
            let first = match state.by {
                SeedOrder::Metric(metric) => Some(metric),
                SeedOrder::Seed => None,
            };
            let of_sight = SIGHT_METRICS.iter().map(|info| info.metric);
            let rest = METRICS.iter().map(|info| info.metric);
            let mut known: Vec<DungeonMetric> = Vec::new();
            for metric in first.into_iter().chain(of_sight).chain(SHOWN_METRICS).chain(rest) {
                let Some(value) = values.number(metric).filter(|_| !known.contains(&metric)) else {
                    continue;
                };
                known.push(metric);
                let name = format!("   {} ", metric.info().name);
                let value = description(value, SeedOrder::Metric(metric));
                if line.width() + name.width() + value.width() > width {
                    break;
                }
                line.push_span(Span::styled(name, theme.quiet()));
                line.push_span(Span::raw(value));
            }
        }
        Some(None) => line.push_span(Span::styled("   nothing grows", theme.error())),
        None => line.push_span(Span::styled("   growing …", theme.quiet())),
    }
    // Leaves a blank row below the dungeons if there are several rows.
    if area.height > 1 {
        lines.push(Line::default());
    }
    lines.push(line);
    lines.push(distribution(state, editor, seed, width));
    let failed = state.results.failed(seed, &state.expectations);
    let anomalies = state
        .results
        .metrics_of(seed)
        .map(|values| values.anomalies.as_slice())
        .unwrap_or_default();
    let anomalies: Vec<String> = anomalies.iter().map(ToString::to_string).collect();
    lines.push(match (failed.is_empty(), anomalies.is_empty()) {
        (false, _) => {
            let text = format!("✗ not as expected: {}", failed.join(", "));
            Line::styled(shortened(&text, width), theme.error())
        }
        (true, false) => Line::styled(
            shortened(&format!("anomalies: {}", anomalies.join(", ")), width),
            theme.warning(),
        ),
        // Nothing can be said about a dungeon that was not measured.
        (true, true) if state.expectations.is_empty() || !matches!(measured, Some(Some(_))) => Line::default(),
        (true, true) => Line::styled("as expected", theme.good()),
    });
    for (row, line) in area.rows().zip(lines) {
        buf.set_line(row.x, row.y, &line, row.width);
    }
}

/// Returns a line with the histogram of a metric over all dungeons: minimum, bars, maximum and median. The selected
/// dungeon's bar is highlighted.
fn distribution(state: &SeedGalleryState, editor: &Editor, seed: u64, width: usize) -> Line<'static> {
    let theme = editor.theme;
    let by = shown(state.by);
    let values = state.results.values(by);
    let (Some(least), Some(most)) = (values.first().copied(), values.last().copied()) else {
        return Line::default();
    };
    let here = state.results.value(seed, by);
    let median = values[(values.len() - 1) / 2];
    let breadth = (most - least).max(f64::MIN_POSITIVE);
    let part = |value: f64| (((value - least) / breadth * BARS as f64) as usize).min(BARS - 1);
    let mut counts = [0; BARS];
    for value in &values {
        counts[part(*value)] += 1;
    }
    let highest = counts.iter().copied().max().unwrap_or(1).max(1);
    let bar = |count: usize| match count {
        0 => ' ',
        count => char::from_u32(0x2581 + (count * 7 / highest) as u32).unwrap_or('█'),
    };
    let mut line = Line::from(vec![Span::styled(
        format!("{}  {} ", by.name(), description(least, by)),
        theme.quiet(),
    )]);
    for (i, count) in counts.into_iter().enumerate() {
        let style: Style = if here.is_some_and(|here| part(here) == i) {
            theme.accent()
        } else {
            theme.quiet()
        };
        line.push_span(Span::styled(bar(count).to_string(), style));
    }
    let Interval { low, high } = Interval::of_quantile(&values, 500, values.len() as u64);
    let interval = if low.is_finite() && high.is_finite() {
        format!(" [{}, {}]", description(low, by), description(high, by))
    } else {
        String::new()
    };
    let text = format!(
        " {}   median {}{interval}",
        description(most, by),
        description(median, by)
    );
    line.push_span(Span::styled(text, theme.quiet()));
    if let Some(here) = here {
        line.push_span(Span::styled(
            format!("   here {}", description(here, by)),
            theme.accent(),
        ));
    }
    let text = format!("   over {}", counted(values.len(), "seed"));
    if line.width() + text.width() <= width {
        line.push_span(Span::styled(text, theme.quiet()));
    }
    line
}
