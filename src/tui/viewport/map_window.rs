//! Conversion between squares and characters: the part of the dungeon that a viewport shows.
//!
//! A [`MapWindow`] is recomputed for every frame and every click.

use ratatui::layout::Rect;

use super::pixels::{MapScale, PixelScale};
use super::zoom::Zoom;
use crate::geometry::{Point, Size};

/// The part of a dungeon that a viewport shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::tui) struct MapWindow {
    /// The zoom level at which the map is drawn in characters. For a map in pixels, these characters are then converted
    /// to pixels.
    pub zoom: Zoom,
    /// The scale of a map in pixels; `None` if characters show the squares.
    pub pixels: Option<PixelScale>,
    /// The square at the top left of `area`.
    pub origin: Point,
    /// The area of the characters that show squares; smaller than the viewport if the dungeon does not fill it.
    pub area: Rect,
}

impl MapWindow {
    /// Returns the scale, in characters or in pixels.
    pub(in crate::tui) fn scale(&self) -> MapScale {
        self.pixels.map_or(MapScale::Characters(self.zoom), MapScale::Pixels)
    }

    /// Returns how many squares a viewport shows at this window's zoom or scale.
    pub(in crate::tui) fn squares_in(&self, window: Rect) -> Size {
        self.pixels
            .map_or_else(|| self.zoom.squares_in(window), |scale| scale.squares_in(window))
    }

    /// Describes the size of squares in words.
    pub(in crate::tui) fn name(&self) -> String {
        self.pixels.map_or_else(|| self.zoom.name(), PixelScale::name)
    }

    /// Converts a distance from characters to squares. Positive distances are down and to the right.
    pub(in crate::tui) fn distance(&self, rows: i32, columns: i32) -> Point {
        let Some(scale) = self.pixels else {
            return Point::new(
                rows * self.zoom.rows(),
                columns * self.zoom.columns() / self.zoom.width(),
            );
        };
        Point::new(
            scale.square(rows * i32::from(scale.cell.height)),
            scale.square(columns * i32::from(scale.cell.width)),
        )
    }

    /// Returns the squares that a character shows entirely or partly: the first square, and the number of rows and
    /// columns. Some of them may lie outside the dungeon.
    pub(in crate::tui) fn squares_of(&self, column: u16, row: u16) -> (Point, Size) {
        let first = self.square_at(column, row);
        let Some(scale) = self.pixels else {
            return (first, Size::new(self.zoom.rows(), self.zoom.columns()));
        };
        let count = |place: u16, area: u16, cell: u16, origin: i32, first: i32| {
            let end = (i32::from(place) - i32::from(area) + 1) * i32::from(cell);
            let last = scale.square(end - 1) + i32::from(scale.block) - 1;
            origin + last - first + 1
        };
        let rows = count(row, self.area.y, scale.cell.height, self.origin.x, first.x);
        let columns = count(column, self.area.x, scale.cell.width, self.origin.y, first.y);
        (first, Size::new(rows, columns))
    }

    /// Returns the origin to which the viewport must scroll to show the square `at`; unchanged if `at` is visible.
    pub(in crate::tui) fn origin_that_shows(&self, at: Point, window: Rect) -> Point {
        let seen = self.squares_in(window);
        let (rows, columns) = match self.pixels {
            Some(scale) => (i32::from(scale.block), i32::from(scale.block)),
            None => (self.zoom.rows(), self.zoom.columns()),
        };
        let follow = |at: i32, origin: i32, seen: i32, step: i32| {
            if at < origin {
                at
            } else if at >= origin + seen {
                at - seen + step
            } else {
                origin
            }
        };
        Point::new(
            follow(at.x, self.origin.x, seen.x, rows),
            follow(at.y, self.origin.y, seen.y, columns),
        )
    }

    /// Computes the visible part of a dungeon. Its origin is as near to `wanted` as the dungeon's edges allow. A
    /// dungeon that is smaller than the viewport is centred in it.
    pub(in crate::tui) fn new(dungeon: Size, window: Rect, zoom: Zoom, wanted: Point) -> Self {
        let origin = origin_near(wanted, zoom.squares_in(window), dungeon, zoom.block());
        let characters = |squares: i32, each: i32, width: i32| (squares + each - 1) / each * width;
        let height = characters(dungeon.x - origin.x, zoom.rows(), 1).clamp(0, i32::from(window.height)) as u16;
        let width = characters(dungeon.y - origin.y, zoom.columns(), zoom.width())
            .clamp(0, i32::from(window.width) / zoom.width() * zoom.width()) as u16;
        Self {
            zoom,
            pixels: None,
            origin,
            area: in_the_middle(window, width, height),
        }
    }

    /// Computes the visible part of a dungeon like [`Self::new`], for a map in pixels. Squares at the right and lower
    /// edges may be cut off.
    pub(in crate::tui) fn of_pixels(dungeon: Size, window: Rect, scale: PixelScale, wanted: Point) -> Self {
        let origin = origin_near(wanted, scale.squares_in(window), dungeon, i32::from(scale.block));
        let (width, height) = scale.characters_of(Size::new(dungeon.x - origin.x, dungeon.y - origin.y));
        let width = width.clamp(0, i32::from(window.width)) as u16;
        let height = height.clamp(0, i32::from(window.height)) as u16;
        Self {
            zoom: scale.style(),
            pixels: Some(scale),
            origin,
            area: in_the_middle(window, width, height),
        }
    }

    /// Computes the part of a dungeon shown at a scale.
    pub(in crate::tui) fn at_scale(dungeon: Size, window: Rect, scale: MapScale, wanted: Point) -> Self {
        match scale {
            MapScale::Characters(zoom) => Self::new(dungeon, window, zoom, wanted),
            MapScale::Pixels(scale) => Self::of_pixels(dungeon, window, scale, wanted),
        }
    }

    /// Returns the first square of a character; the character may lie outside the area.
    pub(in crate::tui) fn square_at(&self, column: u16, row: u16) -> Point {
        let down = i32::from(row) - i32::from(self.area.y);
        let right = i32::from(column) - i32::from(self.area.x);
        if let Some(scale) = self.pixels {
            return Point::new(
                self.origin.x + scale.square(down * i32::from(scale.cell.height)),
                self.origin.y + scale.square(right * i32::from(scale.cell.width)),
            );
        }
        Point::new(
            self.origin.x + down * self.zoom.rows(),
            self.origin.y + right.div_euclid(self.zoom.width()) * self.zoom.columns(),
        )
    }

    /// Returns upper bounds on the number of columns and rows by which a square extends beyond its first character.
    pub(in crate::tui) fn characters_of_square(&self) -> (u16, u16) {
        self.pixels.map_or((self.zoom.width() as u16 - 1, 0), |scale| {
            (
                scale.side.div_ceil(scale.cell.width),
                scale.side.div_ceil(scale.cell.height),
            )
        })
    }

    /// Returns the character that shows a square, or the first such character if there are several; `None` if none
    /// does.
    pub(in crate::tui) fn character_of(&self, at: Point) -> Option<(u16, u16)> {
        let (down, right) = (at.x - self.origin.x, at.y - self.origin.y);
        let (down, right) = match self.pixels {
            Some(scale) => (
                scale.pixel(down).div_euclid(i32::from(scale.cell.height)),
                scale.pixel(right).div_euclid(i32::from(scale.cell.width)),
            ),
            None => (
                down.div_euclid(self.zoom.rows()),
                right.div_euclid(self.zoom.columns()) * self.zoom.width(),
            ),
        };
        let inside =
            (0..i32::from(self.area.height)).contains(&down) && (0..i32::from(self.area.width)).contains(&right);
        inside.then(|| (self.area.x + right as u16, self.area.y + down as u16))
    }
}

/// Returns the wanted origin, moved to keep the viewport inside the dungeon and rounded to a multiple of `block`.
fn origin_near(wanted: Point, seen: Size, dungeon: Size, block: i32) -> Point {
    let start = |wanted: i32, seen: i32, whole: i32| {
        let start = wanted.clamp(0, (whole - seen).max(0));
        // Rounded up at the far end, so that the last squares are visible.
        if start == whole - seen {
            (start + block - 1) / block * block
        } else {
            start / block * block
        }
    };
    Point::new(start(wanted.x, seen.x, dungeon.x), start(wanted.y, seen.y, dungeon.y))
}

/// Returns an area of the given size in the middle of a larger one.
const fn in_the_middle(window: Rect, width: u16, height: u16) -> Rect {
    Rect::new(
        window.x + (window.width - width) / 2,
        window.y + (window.height - height) / 2,
        width,
        height,
    )
}
