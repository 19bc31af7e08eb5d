//! Draws small maps of dungeons in rows, each row below a caption, so that dungeons can be compared by eye.

use std::io::Write;

use super::chart::{Anchor, Chart};
use super::palette::mixed;
use super::range_map::{GAP, LINE, TEXT};
use super::{ExportError, Ground, Palette, Rgb, font};
use crate::engine::Grid;
use crate::geometry::{Point, Size};

/// Minimum length of the longer side of the largest map, in pixels.
const LEAST_SIDE: u32 = 120;

/// Rows of dungeons.
#[derive(Debug, Clone)]
pub struct DungeonRows<'a> {
    /// Title of the picture, drawn above the rows.
    pub title: &'a str,
    /// The rows from top to bottom, each with its caption and its dungeons from left to right.
    pub rows: &'a [(String, Vec<Grid>)],
    /// Background that the colours are chosen for.
    pub ground: Ground,
}

impl DungeonRows<'_> {
    /// Writes the rows as PNG, with one pixel per square, or more if the dungeons are small.
    ///
    /// # Errors
    ///
    /// Fails if writing fails or the picture would be too large.
    pub fn png(&self, out: &mut dyn Write) -> Result<(), ExportError> {
        let palette = Palette::of(self.ground);
        let ink = palette.text;
        let quiet = mixed(palette.ground, ink, 2, 3);
        let largest = largest(self.rows.iter().flat_map(|(_, dungeons)| dungeons));
        let map = Map::new(largest, LEAST_SIDE, palette.ground, ink);
        let [wide, high] = map.size;
        let columns = self.rows.iter().map(|(_, dungeons)| dungeons.len()).max().unwrap_or(0) as u32;
        let texts = self
            .rows
            .iter()
            .map(|(caption, _)| caption.as_str())
            .chain([self.title]);
        let text_width = texts.map(|text| font::width(text) * TEXT).max().unwrap_or(0);
        let width = text_width.max((columns * (wide + GAP)).saturating_sub(GAP)) + 2 * GAP;
        let row_height = GAP + LINE + GAP + high + GAP;
        let height = GAP + LINE + GAP + self.rows.len() as u32 * row_height;
        let mut chart = Chart::new(width, height, self.title, palette.ground);
        chart.text([GAP, GAP], Anchor::Start, self.title, ink, TEXT);
        let mut top = GAP + LINE + GAP;
        for (caption, dungeons) in self.rows {
            chart.text([GAP, top + GAP], Anchor::Start, caption, quiet, TEXT);
            for (column, grid) in (0..).zip(dungeons) {
                map.draw(&mut chart, grid, [GAP + column * (wide + GAP), top + GAP + LINE + GAP]);
            }
            top += row_height;
        }
        chart.png(out)
    }
}

/// Returns a size that is large enough for each of the dungeons, with at least one row and one column.
pub(super) fn largest<'a>(dungeons: impl Iterator<Item = &'a Grid>) -> Size {
    dungeons.fold(Size::new(1, 1), |largest, grid| {
        let size = grid.size();
        Size::new(largest.x.max(size.x), largest.y.max(size.y))
    })
}

/// The settings for drawing small maps, which all have the same scale.
pub(super) struct Map {
    /// Width and height of the largest map in pixels.
    pub(super) size: [u32; 2],
    scale: u32,
    paper: Rgb,
    ink: Rgb,
}

impl Map {
    /// Creates the settings for dungeons that are no larger than `largest`. On a map of that size, the longer side has
    /// at least `least_side` pixels.
    pub(super) fn new(largest: Size, least_side: u32, ground: Rgb, ink: Rgb) -> Self {
        let size = [largest.y as u32, largest.x as u32];
        let scale = least_side.div_ceil(size[0].max(size[1]));
        Self {
            size: size.map(|squares| squares * scale),
            scale,
            // A map's background differs from the picture's, so that neighbouring maps do not run into each other.
            paper: mixed(ground, ink, 1, 12),
            ink,
        }
    }

    /// Draws the closed squares of a dungeon on a background of the same size, at the given top left corner.
    pub(super) fn draw(&self, chart: &mut Chart, grid: &Grid, [left, top]: [u32; 2]) {
        let scale = self.scale;
        let [wide, high] = [grid.size().y, grid.size().x].map(|squares| squares as u32 * scale);
        chart.rect([left, top, wide, high], self.paper, String::new());
        walls(grid, |[column, row], length| {
            let place = [left + column * scale, top + row * scale, length * scale, scale];
            chart.rect(place, self.ink, String::new());
        });
    }
}

/// Calls `visit` for each run of closed squares in a row of the dungeon, with the column and row of the run's first
/// square and with the run's length.
fn walls(grid: &Grid, mut visit: impl FnMut([u32; 2], u32)) {
    let size = grid.size();
    for x in 0..size.x {
        let mut first = 0;
        for y in 0..=size.y {
            if y < size.y && !grid.tile(Point::new(x, y)).is_open() {
                continue;
            }
            if y > first {
                visit([first as u32, x as u32], (y - first) as u32);
            }
            first = y + 1;
        }
    }
}
