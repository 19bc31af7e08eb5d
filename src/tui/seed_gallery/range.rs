//! The second view of the seed gallery: the expressive range, a map of the number of dungeons by two metrics.
//!
//! The bins are those of `wallcrawler range`, see [`crate::analysis::RangeMap`], fewer only where the screen has no room
//! for them. The selected cell is the one with the selected seed; moving selects the sample of another cell. So marks,
//! the filter and opening a seed work as among the dungeons.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use unicode_width::UnicodeWidthStr as _;

use super::SeedGalleryState;
use super::areas::{SeedGalleryAreas, fitting};
use super::results::SeedOrder;
use crate::analysis::{MOST_BINS, RangeAxis, RangeCell, RangeMap};
use crate::design::expect::DungeonMetric;
use crate::export::{class_labels, glyph, shade_of_five};
use crate::text::counted;
use crate::tui::editor::Editor;
use crate::tui::widget::list::ListStep;
use crate::tui::widget::text::shortened;
use crate::tui::widget::thumbnail::{self, CellResolution};

/// Largest width and height of a cell in characters.
const LARGEST: [u16; 2] = [8, 3];

/// Columns beside the map for the numbers of the vertical axis, and rows above and below it for names and numbers.
const BESIDE: u16 = 9;
const AROUND: u16 = 2;

/// Minimum width of the sheet for showing the sample beside the map, and the width of its picture.
const WIDE_ENOUGH: u16 = 100;
const PICTURE: u16 = 44;

/// Rows above the picture that describe the selected cell.
const CELL_TEXT: u16 = 2;

/// Number of steps of a page.
const PAGE: i32 = 4;

/// State of the view.
#[derive(Debug)]
pub(super) struct RangeView {
    /// Whether the view is shown instead of the dungeons.
    pub is_shown: bool,
    /// The sort keys of the axes: across and up.
    pub axes: [SeedOrder; 2],
}

impl Default for RangeView {
    fn default() -> Self {
        Self {
            is_shown: false,
            axes: [DungeonMetric::Path, DungeonMetric::DeadEnds].map(SeedOrder::Metric),
        }
    }
}

/// The areas of the view on the screen.
#[derive(Debug, Clone, Copy)]
pub(super) struct RangeAreas {
    /// The map with its axes.
    map: Rect,
    /// The picture of the selected dungeon; empty without room for it.
    picture: Rect,
}

impl RangeAreas {
    /// Lays out the view.
    pub(super) fn of(plan: &SeedGalleryAreas) -> Self {
        // The details of the selected dungeon begin with a blank row where they have several.
        let blank = u16::from(plan.about.height > 1);
        let sheet = Rect {
            height: plan.sheet.height + blank,
            ..plan.sheet
        };
        let beside = if sheet.width >= WIDE_ENOUGH { PICTURE } else { 0 };
        let map = Rect {
            width: sheet.width - beside,
            ..sheet
        };
        let picture = Rect {
            x: map.right() + 2,
            y: sheet.y + CELL_TEXT,
            width: beside.saturating_sub(2),
            height: sheet.height.saturating_sub(CELL_TEXT + 1),
        };
        Self { map, picture }
    }

    /// Returns the resolution of the selected dungeon's picture and the side of its pixels, if there is room for it.
    pub(super) fn picture(&self, editor: &Editor) -> Option<(CellResolution, i32)> {
        let size = editor.document.design().layout.size;
        (!self.picture.is_empty()).then(|| fitting(size, self.picture, editor.map.has_octants()))
    }
}

/// A map on the screen.
struct ShownMap {
    map: RangeMap,
    /// Seeds of the points.
    seeds: Vec<u64>,
    /// The cells, without the axes, and the width and height of each.
    cells: Rect,
    size: [u16; 2],
}

impl ShownMap {
    /// Counts the shown seeds; `None` if none has values, or there is no room.
    fn of(state: &SeedGalleryState, area: Rect) -> Option<Self> {
        let seeds: Vec<u64> = state.order.clone();
        let value = |seed: u64| {
            state
                .range
                .axes
                .map(|axis| state.results.metrics_of(seed).and(state.results.value(seed, axis)))
        };
        let points: Vec<_> = seeds.iter().map(|seed| value(*seed)).collect();
        let room = [
            area.width.saturating_sub(BESIDE) / 2,
            area.height.saturating_sub(AROUND),
        ];
        if room.iter().any(|room| *room < 2) {
            return None;
        }
        let bins = [0, 1].map(|axis| MOST_BINS[axis].min(room[axis].into()));
        let map = RangeMap::new(&points, bins)?;
        let [across, up] = map.axes().each_ref().map(|axis| axis.bins() as u16);
        let size = [
            (2 * room[0] / across.max(1)).clamp(1, LARGEST[0]),
            (room[1] / up.max(1)).clamp(1, LARGEST[1]),
        ];
        let cells = Rect {
            x: area.x + BESIDE,
            y: area.y + 1,
            width: size[0] * across,
            height: size[1] * up,
        };
        Some(Self {
            map,
            seeds,
            cells: cells.intersection(area),
            size,
        })
    }

    /// Returns the bins of a seed's dungeon, if it is in a cell.
    fn place(&self, state: &SeedGalleryState, seed: u64) -> Option<[usize; 2]> {
        let values = state.range.axes.map(|axis| state.results.value(seed, axis));
        let bin = |axis: usize| self.map.axes()[axis].bin_of(values[axis]?);
        state.results.metrics_of(seed)?;
        Some([bin(0)?, bin(1)?])
    }

    /// Returns the area of a cell.
    fn area(&self, across: usize, up: usize) -> Rect {
        let rows = self.map.axes()[1].bins();
        let area = Rect {
            x: self.cells.x + across as u16 * self.size[0],
            y: self.cells.y + (rows - 1 - up.min(rows - 1)) as u16 * self.size[1],
            width: self.size[0],
            height: self.size[1],
        };
        area.intersection(self.cells)
    }

    /// Returns the seed of a cell's sample.
    fn sample(&self, cell: &RangeCell) -> u64 {
        self.seeds[cell.sample]
    }
}

/// Returns the sample of the cell at a screen position, and whether the selected seed is in that cell.
pub(super) fn sample_at(state: &SeedGalleryState, plan: &SeedGalleryAreas, at: Position) -> Option<(u64, bool)> {
    let shown = ShownMap::of(state, RangeAreas::of(plan).map)?;
    let is_there = |cell: &&RangeCell| shown.area(cell.across, cell.up).contains(at);
    let cell = shown.map.cells().iter().find(is_there)?;
    let selected = state.current().and_then(|seed| shown.place(state, seed));
    Some((shown.sample(cell), selected == Some([cell.across, cell.up])))
}

/// Returns the sample of the cell to which a step from the selected one leads: cells to the right, or up.
pub(super) fn sample_beside(state: &SeedGalleryState, plan: &SeedGalleryAreas, across: i32, up: i32) -> Option<u64> {
    let shown = ShownMap::of(state, RangeAreas::of(plan).map)?;
    let Some(from) = state.current().and_then(|seed| shown.place(state, seed)) else {
        return shown.map.cells().first().map(|cell| shown.sample(cell));
    };
    shown.map.next_to(from, across, up).map(|cell| shown.sample(cell))
}

/// Returns the sample to which a step in the list of dungeons leads on the map.
pub(super) fn sample_after(state: &SeedGalleryState, plan: &SeedGalleryAreas, step: ListStep) -> Option<u64> {
    let shown = ShownMap::of(state, RangeAreas::of(plan).map)?;
    let cells = shown.map.cells();
    let by = match step {
        ListStep::First => return cells.first().map(|cell| shown.sample(cell)),
        ListStep::Last => return cells.last().map(|cell| shown.sample(cell)),
        ListStep::By(by) => by,
        ListStep::Page(by) => by * PAGE,
    };
    let mut from = state.current().and_then(|seed| shown.place(state, seed))?;
    let mut sample = None;
    for _ in 0..by.unsigned_abs() {
        let Some(cell) = shown.map.next_to(from, 0, -by.signum()) else {
            break;
        };
        from = [cell.across, cell.up];
        sample = Some(shown.sample(cell));
    }
    sample
}

/// Draws the view.
pub(super) fn draw(state: &SeedGalleryState, editor: &Editor, plan: &SeedGalleryAreas, buf: &mut Buffer) {
    let theme = editor.theme;
    let areas = RangeAreas::of(plan);
    if areas.map.is_empty() {
        return;
    }
    let Some(shown) = ShownMap::of(state, areas.map) else {
        let text = match (state.order.is_empty(), state.measuring.is_some()) {
            (_, true) => "growing …",
            (true, false) => "no seed satisfies the condition: / changes it",
            (false, false) => "no dungeon has both values, or there is no room: x and y change the axes",
        };
        let text = shortened(text, areas.map.width.into());
        buf.set_string(areas.map.x, areas.map.y, text, theme.quiet());
        return;
    };
    let selected = state.current().and_then(|seed| shown.place(state, seed));
    for cell in shown.map.cells() {
        let is_selected = selected == Some([cell.across, cell.up]);
        draw_cell(&shown, editor, cell, is_selected, buf);
    }
    draw_axes(state, editor, &shown, areas.map, buf);
    draw_sample(state, editor, &areas, buf);
    let cell = selected.and_then(|[across, up]| shown.map.cell(across, up));
    draw_names(state, editor, &shown, cell, &areas, buf);
}

/// Draws a cell with its count, or with brackets if it is selected.
fn draw_cell(shown: &ShownMap, editor: &Editor, cell: &RangeCell, is_selected: bool, buf: &mut Buffer) {
    let theme = editor.theme;
    let area = shown.area(cell.across, cell.up);
    let shade = theme.density(shade_of_five(&shown.map, cell.count));
    let fill = if shade.is_some() {
        ' '
    } else {
        glyph(&shown.map, cell.count)
    };
    let style = match (is_selected, shade) {
        (true, _) => theme.selected(true),
        (false, Some((ground, ink))) => Style::new().bg(ground).fg(ink),
        (false, None) => theme.text(),
    };
    let width = usize::from(area.width);
    let row: String = std::iter::repeat_n(fill, width).collect();
    let count = cell.count.to_string();
    // Numbers of narrow cells would run into each other, and would leave no room for shades that are characters.
    let margin = if shade.is_some() { 1 } else { 2 };
    let middle = if !is_selected && count.len() + margin <= width {
        format!("{count:^width$}")
    } else if !is_selected {
        row.clone()
    } else if count.len() + 2 <= width {
        format!("[{count:^0$}]", width - 2)
    } else {
        format!("[{:1$}]", "", width.saturating_sub(2))
    };
    for (number, place) in area.rows().enumerate() {
        let is_middle = number == usize::from(area.height.saturating_sub(1)) / 2;
        let text = if is_middle { &middle } else { &row };
        buf.set_stringn(place.x, place.y, text, width, style);
    }
}

/// Draws the numbers of the axes, and the name of the horizontal axis.
fn draw_axes(state: &SeedGalleryState, editor: &Editor, shown: &ShownMap, area: Rect, buf: &mut Buffer) {
    let quiet = editor.theme.quiet();
    let [x, y] = shown.map.axes();
    let bottom = shown.cells.bottom();
    for row in shown.cells.rows() {
        buf.set_string(row.x.saturating_sub(1), row.y, "│", quiet);
    }
    // Numbers of the vertical axis are next to the lowest row above their edge.
    for (place, label) in ticks(y, shown.size[1], 2) {
        let row = bottom.saturating_sub(1 + (place * f64::from(shown.size[1])) as u16);
        if row < shown.cells.y {
            continue;
        }
        let text = shortened(&label, usize::from(BESIDE - 2));
        let left = shown.cells.x.saturating_sub(2 + text.width() as u16);
        buf.set_string(left, row, text, quiet);
    }
    if bottom >= area.bottom() {
        return;
    }
    // The name is right of the numbers, or replaces them where there is no room next to the cells.
    let name = name(state.range.axes[0]);
    let name = shortened(&name, area.width.into());
    let end = (shown.cells.right() + 2).min(area.right().saturating_sub(name.width() as u16));
    buf.set_string(end, bottom, &name, editor.theme.heading());
    let mut free = area.x;
    for (place, label) in ticks(x, shown.size[0], x.label_width() as u16 + 2) {
        let middle = shown.cells.x + (place * f64::from(shown.size[0])) as u16;
        let left = middle.saturating_sub(label.width() as u16 / 2);
        let right = left + label.width() as u16;
        if left >= free && right < end {
            buf.set_string(left, bottom, &label, quiet);
            free = right + 1;
        }
    }
}

/// Returns the labels of an axis that are at least `apart` characters from each other; a bin has `size` characters.
fn ticks(axis: &RangeAxis, size: u16, apart: u16) -> impl Iterator<Item = (f64, String)> {
    axis.ticks(usize::from(apart.div_ceil(size.max(1))))
}

/// Returns the name of an axis with its unit.
fn name(axis: SeedOrder) -> String {
    match axis {
        SeedOrder::Metric(metric) if !metric.info().unit.is_empty() && metric.info().unit != metric.info().name => {
            format!("{} ({})", metric.info().name, metric.info().unit)
        }
        axis => axis.name().to_owned(),
    }
}

/// Draws the name of the vertical axis, the legend and the selected cell in the first row; the cell above the picture if
/// there is one.
fn draw_names(
    state: &SeedGalleryState,
    editor: &Editor,
    shown: &ShownMap,
    cell: Option<&RangeCell>,
    areas: &RangeAreas,
    buf: &mut Buffer,
) {
    let (theme, area) = (editor.theme, areas.map);
    let mut line = Line::from(Span::styled(name(state.range.axes[1]), theme.heading()));
    let labels = class_labels(&shown.map);
    for (label, [count, _]) in labels.iter().zip(shown.map.classes()) {
        let swatch = match theme.density(shade_of_five(&shown.map, count)) {
            Some((ground, _)) => Span::styled("  ", Style::new().bg(ground)),
            None => Span::raw(glyph(&shown.map, count).to_string().repeat(2)),
        };
        line.extend([
            Span::raw("  "),
            swatch,
            Span::styled(format!(" {label}"), theme.quiet()),
        ]);
    }
    let of = format!(" of {}", counted(shown.map.dungeons(), "dungeon"));
    let mut room = usize::from(area.width).saturating_sub(line.width());
    if let Some(cell) = cell {
        let [x, y] = shown.map.axes();
        let [across, up] = state.range.axes.map(SeedOrder::name);
        let across = format!("{across} {}", x.label(cell.across));
        let count = counted(cell.count, "dungeon");
        let rest = format!("{up} {}: {count}", y.label(cell.up));
        if areas.picture.is_empty() {
            // After the legend, if there is room.
            let texts = [format!("{across}, {rest}"), count];
            if let Some(text) = texts.into_iter().find(|text| text.width() + 3 <= room) {
                room -= text.width() + 3;
                buf.set_string(area.right() - text.width() as u16, area.y, text, theme.accent());
            }
        } else {
            for (row, text) in (area.y..).zip([across, rest]) {
                let text = shortened(&text, areas.picture.width.into());
                buf.set_string(areas.picture.x, row, text, theme.accent());
            }
        }
    }
    if of.width() <= room {
        line.push_span(Span::styled(of, theme.quiet()));
    }
    buf.set_line(area.x, area.y, &line, area.width);
}

/// Draws the selected dungeon beside the map.
fn draw_sample(state: &SeedGalleryState, editor: &Editor, areas: &RangeAreas, buf: &mut Buffer) {
    let Some((resolution, _)) = areas.picture(editor) else {
        return;
    };
    let picture = state.current().and_then(|seed| state.results.pictures.get(&seed));
    if let Some(picture) = picture {
        thumbnail::draw(editor.theme, &picture.pixels, resolution, areas.picture, buf);
    }
}

/// Returns the seeds whose pictures the view needs.
pub(super) fn needed(state: &SeedGalleryState, plan: &SeedGalleryAreas, editor: &Editor) -> Vec<u64> {
    let has_room = RangeAreas::of(plan).picture(editor).is_some();
    state.current().filter(|_| has_room).into_iter().collect()
}
