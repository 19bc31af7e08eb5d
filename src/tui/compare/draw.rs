//! Drawing of the comparison: two maps, a timeline, a list with a line about each metric, and the histograms of the
//! selected metric.

use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Margin, Rect};
use ratatui::style::{Color, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget;
use unicode_width::UnicodeWidthStr as _;

use super::words::{chance_alone, has_values, statement};
use super::{ComparePage, CompareState, ComparisonKind, maps};
use crate::analysis::{Difference, PairCounts};
use crate::geometry::Size;
use crate::text::{thousands, with_thousands};
use crate::tui::commands::{Action, CompareCommand};
use crate::tui::editor::Editor;
use crate::tui::pictures::PicturePlace;
use crate::tui::seed_gallery::{SeedOrder, description};
use crate::tui::theme::Depth;
use crate::tui::viewport::{CellSize, MapScale};
use crate::tui::widget::layout::above_foot;
use crate::tui::widget::popup::{after, block};
use crate::tui::widget::text::{put, put_centered, put_glyph, put_wrapped};
use crate::tui::widget::{table, thumbnail};

/// Minimum height in rows for showing both the maps and the metrics.
const BOTH: u16 = 32;

/// Minimum width in columns for showing the histograms beside the list instead of below it.
const BESIDE: u16 = 100;

/// Rows of the heading above the list.
const HEADING: u16 = 2;

/// Number of squares up to which two dungeons are compared square by square each time the screen is drawn.
const COUNTED: u64 = 100_000;

/// The areas of the comparison's parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct CompareAreas {
    pub maps: [Rect; 2],
    pub time: Rect,
    pub heading: Rect,
    pub list: Rect,
    pub histogram: Rect,
}

impl CompareAreas {
    /// Lays out the parts on the screen, above its last row.
    pub(super) fn of(state: &CompareState, editor: &Editor) -> Self {
        let screen = editor.screen;
        let frame = above_foot(screen);
        Self::within(state, editor, frame)
    }

    /// Lays out the parts in a frame.
    pub(super) fn within(state: &CompareState, editor: &Editor, frame: Rect) -> Self {
        let inside = frame.inner(Margin::new(1, 1));
        let (maps, rest) = match (frame.height >= BOTH, state.page) {
            // If both sides have the same design, no metrics are compared: only the heading is below the maps.
            (true, ComparePage::All) if state.is_one_design() => {
                (inside.height.saturating_sub(1 + HEADING), Constraint::Min(0))
            }
            (true, ComparePage::All) => (inside.height * 11 / 20, Constraint::Min(0)),
            (_, ComparePage::Metrics) => (0, Constraint::Min(0)),
            (false, ComparePage::All) | (_, ComparePage::Maps) => {
                (inside.height.saturating_sub(1), Constraint::Length(0))
            }
        };
        let [maps, time, rest] =
            Layout::vertical([Constraint::Length(maps), Constraint::Length(1), rest]).areas(inside);
        let cell = editor.map.pixels();
        let maps = map_areas((state.size(), cell), maps, state.page == ComparePage::Maps);
        let rest = rest.inner(Margin::new(1, 0));
        let [heading, rest] = Layout::vertical([Constraint::Length(HEADING), Constraint::Min(0)]).areas(rest);
        let [list, _, histogram] = if rest.width >= BESIDE {
            let side = (rest.width * 2 / 5).min(60);
            Layout::horizontal([Constraint::Min(0), Constraint::Length(2), Constraint::Length(side)]).areas(rest)
        } else {
            let rows = if rest.height >= 16 { 8 } else { 0 };
            Layout::vertical([Constraint::Min(0), Constraint::Length(1), Constraint::Length(rows)]).areas(rest)
        };
        Self {
            maps,
            time: time.inner(Margin::new(1, 0)),
            heading,
            list,
            histogram,
        }
    }
}

/// Returns the place of the picture of both maps; `None` if they are drawn with characters, or not shown.
pub(super) fn picture_place(state: &CompareState, editor: &Editor) -> Option<PicturePlace> {
    let (cell, pictures) = editor.map.pixels().zip(editor.map.pictures)?;
    let maps = CompareAreas::of(state, editor).maps.map(maps::inside);
    let area = maps[0].union(maps[1]);
    (!maps[0].is_empty()).then_some(PicturePlace {
        area,
        cell: (cell.width, cell.height),
        first: pictures.first,
    })
}

/// Returns the areas of the two maps: one above the other if `may_stack` is true and the squares are larger in this
/// arrangement, otherwise side by side. `cell` is the size of a character in pixels; `None` if the maps are not drawn
/// in pixels. Both areas have the same size; a column or row that is left over stays empty.
fn map_areas((dungeon, cell): (Size, Option<CellSize>), area: Rect, may_stack: bool) -> [Rect; 2] {
    let halves = |layout: Layout| {
        let [first, second] = layout.areas::<2>(area);
        let (width, height) = (first.width.min(second.width), first.height.min(second.height));
        [first, second].map(|half| Rect { width, height, ..half })
    };
    let parts = [Constraint::Fill(1), Constraint::Fill(1)];
    let (beside, above) = (halves(Layout::horizontal(parts)), halves(Layout::vertical(parts)));
    let scale = |halves: &[Rect; 2]| MapScale::fitting(dungeon, maps::inside(halves[0]), cell);
    // Scales are ordered from large to small squares.
    if may_stack && scale(&above) < scale(&beside) {
        above
    } else {
        beside
    }
}

/// Returns the page to show next. The pages are maps and metrics together, the maps alone, and the metrics alone. On a
/// screen without room for both, the maps and the metrics alternate.
pub(super) fn next_page(state: &CompareState, screen: Rect) -> ComparePage {
    let has_room = above_foot(screen).height >= BOTH;
    match state.page {
        ComparePage::All if has_room => ComparePage::Maps,
        ComparePage::All | ComparePage::Maps => ComparePage::Metrics,
        ComparePage::Metrics => ComparePage::All,
    }
}

/// Draws the comparison over the whole screen except its last row.
pub(in crate::tui) fn draw(state: &CompareState, editor: &Editor, screen: Rect, buf: &mut Buffer) {
    let frame = above_foot(screen);
    draw_within(state, editor, frame, buf);
}

/// Draws the comparison inside `frame`.
pub(super) fn draw_within(state: &CompareState, editor: &Editor, frame: Rect, buf: &mut Buffer) {
    let theme = editor.theme;
    let Some(sides) = state.sides.as_ref().filter(|_| !frame.is_empty()) else {
        return;
    };
    let what = match state.kind {
        ComparisonKind::Edit => "before and after the last edit",
        ComparisonKind::Seeds(..) => "two seeds",
        ComparisonKind::Other => "two designs",
    };
    let mut title = vec![Span::raw(format!(" Compare · {what} "))];
    if !state.by_generation
        && state.size().squares() <= COUNTED
        && let Some([left, right, both]) = maps::counts(state, editor)
    {
        let [blue, orange, grey] = theme.changes();
        let part = |sign: &str, count: u64, color: Color| {
            Span::styled(format!("· {sign} {} ", thousands(count)), theme.text().fg(color))
        };
        title.push(part("only ◀", left, orange));
        title.push(part("only ▶", right, blue));
        title.push(part("both", both, grey));
    }
    let mut title = Line::from(title);
    if title.width() + 3 > usize::from(frame.width) {
        // Shortens the title rather than the counts of differing squares, which appear nowhere else.
        title.spans[0] = Span::raw(" Compare ");
    }
    block(theme, true).title(title).render(frame, buf);
    let plan = CompareAreas::within(state, editor, frame);
    let place = picture_place(state, editor);
    for (side, (area, of)) in plan.maps.into_iter().zip(sides).enumerate() {
        maps::draw(state, editor, side, of, (area, place), buf);
    }
    draw_time(state, editor, plan.time, buf);
    draw_heading(state, editor, plan.heading, buf);
    draw_list(state, editor, plan.list, buf);
    draw_histogram(state, editor, plan.histogram, buf);
}

/// Returns the label before the timeline.
fn time_label(state: &CompareState) -> String {
    let sign = if state.playing.is_some() { '▶' } else { '▮' };
    format!(
        "{sign} iteration {} of {} ",
        thousands(state.now().into()),
        thousands(state.last().into())
    )
}

/// Returns the part of the timeline's row to the right of the label.
fn track(state: &CompareState, area: Rect) -> Rect {
    after(area, time_label(state).width() as u16)
}

/// Returns the iteration at a column of the timeline.
pub(super) fn iteration_at(state: &CompareState, area: Rect, column: u16) -> u32 {
    let track = track(state, area);
    let last = u64::from(track.width.saturating_sub(1)).max(1);
    let at = u64::from(column.saturating_sub(track.x)).min(last);
    (u64::from(state.last()) * at / last) as u32
}

fn draw_time(state: &CompareState, editor: &Editor, area: Rect, buf: &mut Buffer) {
    let theme = editor.theme;
    if area.is_empty() {
        return;
    }
    put(&time_label(state), area, theme.text(), buf);
    let track = track(state, area);
    let width = u64::from(track.width.saturating_sub(1));
    let at = u64::from(state.now()) * width / u64::from(state.last()).max(1);
    for (i, position) in (0..).zip(track.positions()) {
        let (glyph, style) = match i.cmp(&at) {
            std::cmp::Ordering::Less => ('━', theme.accent()),
            std::cmp::Ordering::Equal => ('●', theme.accent()),
            std::cmp::Ordering::Greater => ('─', theme.border(false)),
        };
        put_glyph(glyph, position, style, buf);
    }
}

/// Draws the heading above the list.
fn draw_heading(state: &CompareState, editor: &Editor, area: Rect, buf: &mut Buffer) {
    let theme = editor.theme;
    let seeds = state.dungeons.map_or(0, |[left, right]| left.min(right) as u64);
    let real = state
        .comparisons
        .iter()
        .filter(|comparison| comparison.difference != Difference::Chance);
    let real = real.count();
    let (text, style) = if state.is_one_design() {
        let other = editor.keymap.key_of(Action::Compare(CompareCommand::Other));
        let text = format!(
            "Both sides have the same design: their dungeons differ only by chance. To compare over many seeds, edit the design or choose another ({other})."
        );
        (text, theme.quiet())
    } else if state.comparisons.is_empty() {
        (without_metrics(state), theme.quiet())
    } else {
        let done = if state.comparing.is_some() {
            format!("{} of {} seeds so far: ", thousands(seeds), thousands(state.seeds))
        } else {
            format!("Over {} seeds: ", thousands(seeds))
        };
        let description = match real {
            0 => "no significant difference".to_owned(),
            1 => "one metric differs significantly".to_owned(),
            real => format!("{real} metrics differ significantly"),
        };
        (format!("{done}{description}"), theme.heading())
    };
    put_wrapped(&text, area, style, buf);
    // The list shows the differences; this line shows how often chance alone would produce the selected difference.
    let ordered = state.ordered();
    let selected = ordered.get(state.list.selected(ordered.len()));
    if let Some(comparison) =
        selected.filter(|comparison| has_values(comparison) && !state.is_one_design() && area.height >= HEADING)
    {
        let text = format!(
            "{}: {}",
            comparison.metric.info().name,
            chance_alone(comparison.p_adjusted)
        );
        put(&text, after_rows(area, HEADING - 1), theme.quiet(), buf);
    }
}

/// Returns the heading that is shown while no metrics are compared.
fn without_metrics(state: &CompareState) -> String {
    let side = match state.dungeons {
        _ if state.comparing.is_some() => {
            return format!("measuring {} dungeons on each side …", thousands(state.seeds));
        }
        None => return "The metrics were not measured.".to_owned(),
        Some([0, 0]) => "either side",
        Some([0, _]) => "the left side",
        Some([_, 0]) => "the right side",
        Some(_) => "both sides",
    };
    format!("No metrics are compared: no seed grows a dungeon on {side}.")
}

/// Returns an area without its first rows.
fn after_rows(area: Rect, rows: u16) -> Rect {
    let rows = rows.min(area.height);
    Rect {
        y: area.y + rows,
        height: area.height - rows,
        ..area
    }
}

fn draw_list(state: &CompareState, editor: &Editor, area: Rect, buf: &mut Buffer) {
    let theme = editor.theme;
    let ordered = state.ordered();
    let line = |i: usize| {
        let (text, is_real) = statement(ordered[i]);
        let (sign, style) = if is_real {
            ("≠ ", theme.text())
        } else {
            ("  ", theme.quiet())
        };
        table::row(area.width, [Span::styled(sign, style)], Span::styled(text, style), [])
    };
    state.visible(area).draw(theme, Some(theme.selected(true)), line, buf);
}

/// Draws the two histograms of the selected metric in one chart. The lower part of a bar shows
/// the smaller of the two shares, and the upper part shows by how much the other share is larger.
fn draw_histogram(state: &CompareState, editor: &Editor, area: Rect, buf: &mut Buffer) {
    let theme = editor.theme;
    let ordered = state.ordered();
    let Some(comparison) = ordered
        .get(state.list.selected(ordered.len()))
        .filter(|_| area.height >= 4 && area.width >= 12)
    else {
        return;
    };
    let by = SeedOrder::Metric(comparison.metric);
    let [right, left, both] = theme.changes();
    let head = Line::from(vec![
        Span::styled(by.name(), theme.heading()),
        Span::styled("  ◀ only", theme.text().fg(left)),
        Span::styled("  ▶ only", theme.text().fg(right)),
        Span::styled("  both", theme.text().fg(both)),
    ]);
    buf.set_line(area.x, area.y, &head, area.width);
    let width = usize::from(area.width);
    let Some((range, counts)) = comparison.histograms(width) else {
        return;
    };
    // Returns the share of a side's dungeons whose value is in a bin.
    let share = |side: usize, bin: usize| {
        let all: u64 = counts[side].iter().sum();
        counts[side][bin] as f64 / all.max(1) as f64
    };
    let bins = counts[0].len();
    let highest = (0..bins)
        .map(|bin| share(0, bin).max(share(1, bin)))
        .fold(f64::MIN_POSITIVE, f64::max);
    let bars = Rect {
        y: area.y + 1,
        height: area.height - 2,
        ..area
    };
    // Each character cell shows two half rows.
    let halves = f64::from(bars.height) * 2.0;
    for column in 0..width {
        let bin = column * bins / width;
        let heights = [0, 1].map(|side| (share(side, bin) / highest * halves).ceil() as u16);
        let common = heights[0].min(heights[1]);
        let color = |half: u16| {
            if half < common {
                Some(both)
            } else if half < heights[0] {
                Some(left)
            } else if half < heights[1] {
                Some(right)
            } else {
                None
            }
        };
        for row in 0..bars.height {
            let (lower, upper) = (row * 2, row * 2 + 1);
            let (glyph, style): (char, Style) = if theme.depth() == Depth::None {
                let glyph = match color(lower) {
                    None => ' ',
                    Some(_) if lower < common => '█',
                    Some(_) if lower < heights[0] => '◀',
                    Some(_) => '▶',
                };
                (glyph, theme.text())
            } else {
                thumbnail::stacked(theme, color(upper), color(lower))
            };
            let at = (bars.x + column as u16, bars.bottom() - 1 - row);
            put_glyph(glyph, at, style, buf);
        }
    }
    let foot = Rect {
        y: area.bottom() - 1,
        height: 1,
        ..area
    };
    let [least, most] = [range.start, range.end].map(|value| description(value, by));
    let pairs = comparison.pairs.map(|PairCounts { pairs, higher, lower }| {
        let text = format!("▶ higher in {higher}, lower in {lower} of {pairs} seeds");
        with_thousands(&text)
    });
    if let Some(pairs) = pairs.filter(|pairs| least.width() + most.width() + pairs.width() + 4 <= width) {
        put_centered(&pairs, foot, theme.quiet(), buf);
    }
    put(&least, foot, theme.quiet(), buf);
    put(
        &most,
        after(foot, area.width.saturating_sub(most.width() as u16)),
        theme.quiet(),
        buf,
    );
}
