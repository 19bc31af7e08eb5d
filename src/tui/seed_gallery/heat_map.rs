//! A heat map over two metrics: its layout beside a picture, its cells and axes, and moving from cell to cell.
//!
//! The range view and the atlas both use this module, which does not depend on what the points represent.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use unicode_width::UnicodeWidthStr as _;

use super::areas::{PictureSize, SeedGalleryAreas, fitting};
use super::results::SeedOrder;
use crate::analysis::{MOST_BINS, RangeAxis, RangeCell, RangeMap};
use crate::export::shade_glyph;
use crate::tui::editor::Editor;
use crate::tui::theme::Theme;
use crate::tui::widget::list::ListStep;
use crate::tui::widget::text::shortened;

/// Largest width and height of a cell in characters.
const LARGEST: [u16; 2] = [8, 3];

/// Number of columns to the left of the cells, for the numbers of the vertical axis, and total number of rows above and
/// below the cells, for names and numbers.
const BESIDE: u16 = 9;
const AROUND: u16 = 2;

/// A sheet with at least this number of columns shows the picture of a dungeon beside the map.
const WIDE_ENOUGH: u16 = 100;

/// Number of columns of the dungeon's picture.
const PICTURE: u16 = 44;

/// Rows above the picture that describe the selected cell.
const CELL_TEXT: u16 = 2;

/// Number of cells by which a page step moves the selection.
const PAGE: i32 = 4;

/// The areas of a heat map on the screen.
#[derive(Debug, Clone, Copy)]
pub(super) struct HeatMapAreas {
    /// The map with its axes.
    pub map: Rect,
    /// The picture of the selected dungeon; empty if there is no room for it.
    pub picture: Rect,
}

impl HeatMapAreas {
    /// Lays out the map and the picture in the gallery's sheet.
    pub(super) fn of(plan: &SeedGalleryAreas) -> Self {
        // If the details below have several rows, the first of them is blank; the map also uses that row.
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

    /// Returns the largest size of the selected dungeon's picture that fits; `None` if there is no room for a picture.
    pub(super) fn picture(&self, editor: &Editor) -> Option<PictureSize> {
        let size = editor.document.design().layout.size;
        (!self.picture.is_empty()).then(|| fitting(size, self.picture, editor))
    }
}

/// A heat map at its position on the screen.
#[derive(Debug)]
pub(super) struct HeatMap {
    /// The counted cells and the axes.
    pub map: RangeMap,
    /// The area of the cells, without the axes, and the width and height of a cell in characters.
    cells: Rect,
    size: [u16; 2],
}

/// How a cell is drawn.
#[derive(Debug, Clone, Copy)]
pub(super) struct CellLook<'a> {
    /// Shade of the cell, from 0 to 4.
    pub shade: usize,
    /// Text in the cell, such as its count.
    pub text: &'a str,
    /// Whether the cell is selected.
    pub is_selected: bool,
}

impl HeatMap {
    /// Counts points in bins: in the bins of the given axes if these fit into the area, or else in as many bins as fit.
    /// Returns `None` if the area is too small. Without axes that fit, also returns `None` if no point has a value on
    /// both axes.
    pub(super) fn new(points: &[[Option<f64>; 2]], axes: Option<[RangeAxis; 2]>, area: Rect) -> Option<Self> {
        let room = [
            area.width.saturating_sub(BESIDE) / 2,
            area.height.saturating_sub(AROUND),
        ];
        if room.iter().any(|room| *room < 2) {
            return None;
        }
        let fits = |axes: &[RangeAxis; 2]| axes.iter().zip(room).all(|(axis, room)| axis.bins() <= room.into());
        let map = match axes {
            Some(axes) if fits(&axes) => RangeMap::on(axes, points),
            Some(_) => RangeMap::new(points, room.map(usize::from))?,
            None => RangeMap::new(points, [0, 1].map(|axis| MOST_BINS[axis].min(room[axis].into())))?,
        };
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
            cells: cells.intersection(area),
            size,
        })
    }

    /// Returns the bins of a point with these values; `None` if it lies outside the axes.
    pub(super) fn place(&self, values: [f64; 2]) -> Option<[usize; 2]> {
        let bin = |axis: usize| self.map.axes()[axis].bin_of(values[axis]);
        Some([bin(0)?, bin(1)?])
    }

    /// Returns the screen area of a cell.
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

    /// Returns the cell at a screen position, if it has points.
    pub(super) fn cell_at(&self, at: Position) -> Option<&RangeCell> {
        let is_there = |cell: &&RangeCell| self.area(cell.across, cell.up).contains(at);
        self.map.cells().iter().find(is_there)
    }

    /// Returns the cell that a step from `from` leads to (see [`RangeMap::next_to`]). The step goes to the right or
    /// left if `across` is not 0, otherwise up or down. If `from` is `None`, returns the first cell.
    pub(super) fn beside(&self, from: Option<[usize; 2]>, across: i32, up: i32) -> Option<&RangeCell> {
        let Some(from) = from else {
            return self.map.cells().first();
        };
        self.map.next_to(from, across, up)
    }

    /// Returns the cell that a list step reaches from `from`: a cell further down or up, or the first or last cell. If
    /// `from` is `None`, a step down or up leads to the first cell.
    pub(super) fn after(&self, from: Option<[usize; 2]>, step: ListStep) -> Option<&RangeCell> {
        let cells = self.map.cells();
        let by = match step {
            ListStep::First => return cells.first(),
            ListStep::Last => return cells.last(),
            ListStep::By(by) => by,
            ListStep::Page(by) => by * PAGE,
        };
        let Some(mut from) = from else {
            return cells.first();
        };
        let mut found = None;
        for _ in 0..by.unsigned_abs() {
            let Some(cell) = self.map.next_to(from, 0, -by.signum()) else {
                break;
            };
            from = [cell.across, cell.up];
            found = Some(cell);
        }
        found
    }

    /// Draws a cell, with its text if the text fits. Brackets mark the selected cell.
    pub(super) fn draw_cell(&self, theme: Theme, cell: &RangeCell, look: CellLook<'_>, buf: &mut Buffer) {
        let CellLook {
            shade,
            text,
            is_selected,
        } = look;
        let area = self.area(cell.across, cell.up);
        let colors = theme.density(shade);
        let fill = if colors.is_some() { ' ' } else { shade_glyph(shade) };
        let style = match (is_selected, colors) {
            (true, _) => theme.selected(true),
            (false, Some((ground, ink))) => Style::new().bg(ground).fg(ink),
            (false, None) => theme.text(),
        };
        let width = usize::from(area.width);
        let row: String = std::iter::repeat_n(fill, width).collect();
        // Texts without margins would touch those of adjacent cells. Without colours the shade is a character, which
        // needs room beside the text.
        let margin = if colors.is_some() { 1 } else { 2 };
        let is_short = !text.is_empty() && text.width() + margin <= width;
        let middle = if !is_selected && is_short {
            format!("{text:^width$}")
        } else if !is_selected {
            row.clone()
        } else if text.width() + 2 <= width {
            format!("[{text:^0$}]", width - 2)
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
    pub(super) fn draw_axes(&self, theme: Theme, name: &str, area: Rect, buf: &mut Buffer) {
        let quiet = theme.quiet();
        let [x, y] = self.map.axes();
        let bottom = self.cells.bottom();
        for row in self.cells.rows() {
            buf.set_string(row.x.saturating_sub(1), row.y, "│", quiet);
        }
        // The label of a bin's edge is in the row just above that edge.
        for (place, label) in ticks(y, self.size[1], 2) {
            let row = bottom.saturating_sub(1 + (place * f64::from(self.size[1])) as u16);
            if row < self.cells.y {
                continue;
            }
            let text = shortened(&label, usize::from(BESIDE - 2));
            let left = self.cells.x.saturating_sub(2 + text.width() as u16);
            buf.set_string(left, row, text, quiet);
        }
        if bottom >= area.bottom() {
            return;
        }
        // The name is to the right of the numbers; where there is no room beside the cells, it replaces some numbers.
        let name = shortened(name, area.width.into());
        let end = (self.cells.right() + 2).min(area.right().saturating_sub(name.width() as u16));
        buf.set_string(end, bottom, &name, theme.heading());
        let mut free = area.x;
        for (place, label) in ticks(x, self.size[0], x.label_width() as u16 + 2) {
            let middle = self.cells.x + (place * f64::from(self.size[0])) as u16;
            let left = middle.saturating_sub(label.width() as u16 / 2);
            let right = left + label.width() as u16;
            if left >= free && right < end {
                buf.set_string(left, bottom, &label, quiet);
                free = right + 1;
            }
        }
    }
}

/// Returns the positions (in bins) and labels of an axis, at least `apart` characters from each other; a bin is `size`
/// characters long.
fn ticks(axis: &RangeAxis, size: u16, apart: u16) -> impl Iterator<Item = (f64, String)> {
    axis.ticks(usize::from(apart.div_ceil(size.max(1))))
}

/// Returns the name of an axis with its unit.
pub(super) fn axis_name(axis: SeedOrder) -> String {
    match axis {
        SeedOrder::Metric(metric) if !metric.info().unit.is_empty() && metric.info().unit != metric.info().name => {
            format!("{} ({})", metric.info().name, metric.info().unit)
        }
        axis => axis.name().to_owned(),
    }
}

/// The end of a legend that lacks some labels.
const MORE: &str = " …";

/// The texts above a heat map.
#[derive(Debug)]
pub(super) struct HeatMapHead<'a> {
    /// Name of the vertical axis.
    pub name: &'a str,
    /// The legend: shades and their meaning.
    pub legend: Vec<(usize, String)>,
    /// Three texts about the selected cell. The first contains its horizontal value. The second contains its vertical
    /// value, and may contain more. The third is a short text for narrow screens, and can be empty.
    pub selected: Option<[String; 3]>,
    /// Total number of points or cells, shown if there is room.
    pub all: String,
}

impl HeatMapHead<'_> {
    /// Draws the name of the vertical axis, the legend and the total in the first row. If the legend does not fit, it
    /// ends with `…` after the last label that does. The text about the selected cell is above the picture, or at the
    /// end of the first row if there is no picture.
    pub(super) fn draw(&self, theme: Theme, areas: &HeatMapAreas, buf: &mut Buffer) {
        let area = areas.map;
        let mut line = Line::from(Span::styled(self.name.to_owned(), theme.heading()));
        for (number, (shade, label)) in self.legend.iter().enumerate() {
            let swatch = match theme.density(*shade) {
                Some((ground, _)) => Span::styled("  ", Style::new().bg(ground)),
                None => Span::raw(shade_glyph(*shade).to_string().repeat(2)),
            };
            let parts = Line::from(vec![
                Span::raw("  "),
                swatch,
                Span::styled(format!(" {label}"), theme.quiet()),
            ]);
            let is_last = number + 1 == self.legend.len();
            let more = if is_last { 0 } else { MORE.width() };
            if line.width() + parts.width() + more > usize::from(area.width) {
                line.push_span(Span::styled(MORE, theme.quiet()));
                break;
            }
            line.extend(parts);
        }
        let mut room = usize::from(area.width).saturating_sub(line.width());
        if let Some([across, rest, short]) = &self.selected {
            if areas.picture.is_empty() {
                // Draws the text after the legend, if there is room.
                let texts = [format!("{across}, {rest}"), short.clone()];
                let fits = |text: &&String| !text.is_empty() && text.width() + 3 <= room;
                if let Some(text) = texts.iter().find(fits) {
                    room -= text.width() + 3;
                    buf.set_string(area.right() - text.width() as u16, area.y, text, theme.accent());
                }
            } else {
                for (row, text) in (area.y..).zip([across, rest]) {
                    let text = shortened(text, areas.picture.width.into());
                    buf.set_string(areas.picture.x, row, text, theme.accent());
                }
            }
        }
        if self.all.width() <= room {
            line.push_span(Span::styled(self.all.clone(), theme.quiet()));
        }
        buf.set_line(area.x, area.y, &line, area.width);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::{Depth, fixture};

    #[test]
    fn every_step_from_a_dungeon_in_no_cell_selects_the_first_cell() {
        let points = [[1.0, 5.0], [4.0, 2.0]].map(|point| point.map(Some));
        let heat = HeatMap::new(&points, None, Rect::new(0, 0, 60, 20)).unwrap();
        let first = heat.map.cells().first();
        assert_eq!(first.map(|cell| cell.sample), Some(1));
        assert_eq!(heat.beside(None, 1, 0), first);
        for step in [ListStep::By(1), ListStep::By(-1), ListStep::Page(1)] {
            assert_eq!(heat.after(None, step), first);
        }
    }

    #[test]
    fn a_legend_without_room_for_all_labels_has_only_whole_ones() {
        let labels = ["1 to 2", "3 to 4", "5 to 8", "9 to 12", "13"];
        let head = HeatMapHead {
            name: "dead-ends",
            legend: labels.into_iter().map(str::to_owned).enumerate().collect(),
            selected: None,
            all: " of 100 dungeons".into(),
        };
        let drawn = |width: u16| {
            let map = Rect::new(0, 0, width, 1);
            let picture = Rect::ZERO;
            let mut buf = Buffer::empty(map);
            head.draw(Theme::new(Depth::True), &HeatMapAreas { map, picture }, &mut buf);
            fixture::text(&buf).trim_end().to_owned()
        };
        let whole = "dead-ends     1 to 2     3 to 4     5 to 8     9 to 12     13";
        assert_eq!(drawn(80), format!("{whole} of 100 dungeons"));
        assert_eq!(drawn(61), whole);
        assert_eq!(drawn(60), "dead-ends     1 to 2     3 to 4     5 to 8     9 to 12 …");
        assert_eq!(drawn(54), "dead-ends     1 to 2     3 to 4     5 to 8 …");
        assert_eq!(drawn(12), "dead-ends …");
    }
}
