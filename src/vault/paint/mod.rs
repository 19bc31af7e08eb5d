//! Painting: the primitives that layouts use to draw a map. They work on the grid alone.
//!
//! Each function takes the grid, the parameters and the dice. Functions and parameters have the names that level files
//! use for them; the algorithms are our own. An area includes its first and last row and column, and is clipped at the
//! grid's edge. In an area, the first row and column must not come after the last; callers ensure this with
//! [`Area::ordered`]. No argument is invalid, and only [`extend_map`] changes an empty grid. The size of the grid
//! limits the work, regardless of the numbers that a file passes.

mod caves;
mod look;
mod pools;
mod rooms;
mod shapes;

#[cfg(test)]
mod tests;

pub use caves::{Dig, Spots, delve, remove_isolated_glyphs, smear_map, spotty_map, widen_paths};
pub use look::{
    count_in_area, count_neighbours, farthest_from, find_in_area, replace_area, replace_closest, replace_first,
    replace_random,
};
pub use pools::{Pools, add_pools};
pub use rooms::{
    Passages, add_windows, connect_adjacent_rooms, fill_disconnected, join_the_dots, remove_disconnected_doors,
};
pub use shapes::{
    Ragged, Room, Shape, add_box_doors, extend_map, fill_area, make_box, make_irregular_box, make_round_box,
    make_shape, octa_room,
};

use super::dice::Dice;
use super::glyphs::{Cell, Glyphs, SPACE};
use crate::design::feature::Feature;

/// Offsets of the four neighbours that share a side with a cell.
const BESIDE: [(i32, i32); 4] = [(0, -1), (1, 0), (0, 1), (-1, 0)];

/// Offsets of the eight neighbours.
const AROUND: [(i32, i32); 8] = [(-1, -1), (0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0)];

/// A rectangle of cells, including its first and last row and column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Area {
    /// Left column.
    pub x1: i32,
    /// Top row.
    pub y1: i32,
    /// Right column.
    pub x2: i32,
    /// Bottom row.
    pub y2: i32,
}

impl Area {
    /// Returns the area that covers a whole grid.
    pub fn whole(glyphs: &Glyphs) -> Self {
        Self {
            x1: 0,
            y1: 0,
            x2: glyphs.width() as i32 - 1,
            y2: glyphs.height() as i32 - 1,
        }
    }

    /// Returns the area that covers a grid except its outermost cells.
    pub fn inside(glyphs: &Glyphs) -> Self {
        Self {
            x1: 1,
            y1: 1,
            x2: glyphs.width() as i32 - 2,
            y2: glyphs.height() as i32 - 2,
        }
    }

    /// Returns the cells of the area that lie on the grid, row by row.
    pub fn cells(self, glyphs: &Glyphs) -> impl Iterator<Item = Cell> + use<> {
        let Self { x1, y1, x2, y2 } = self.cut(glyphs);
        (y1..=y2).flat_map(move |y| (x1..=x2).map(move |x| Cell { x, y }))
    }

    /// Returns the part of the area that lies on the grid; empty if there is none.
    fn cut(self, glyphs: &Glyphs) -> Self {
        let whole = Self::whole(glyphs);
        Self {
            x1: self.x1.max(0),
            y1: self.y1.max(0),
            x2: self.x2.min(whole.x2),
            y2: self.y2.min(whole.y2),
        }
    }

    /// Returns the same area with its coordinates swapped where necessary, so that `x1 <= x2` and `y1 <= y2`.
    #[must_use]
    pub fn ordered(self) -> Self {
        Self {
            x1: self.x1.min(self.x2),
            y1: self.y1.min(self.y2),
            x2: self.x1.max(self.x2),
            y2: self.y1.max(self.y2),
        }
    }

    fn middle(self) -> Cell {
        Cell {
            x: i32::midpoint(self.x1, self.x2),
            y: i32::midpoint(self.y1, self.y2),
        }
    }

    fn holds(self, cell: Cell) -> bool {
        (self.x1..=self.x2).contains(&cell.x) && (self.y1..=self.y2).contains(&cell.y)
    }

    /// Returns two distances of a cell: in columns, from the nearer of the left and right sides of the area; in rows,
    /// from the nearer of the upper and lower sides. The distance of a cell at a side is 0.
    fn depth(self, cell: Cell) -> (i64, i64) {
        let least =
            |at: i32, low: i32, high: i32| (i64::from(at) - i64::from(low)).min(i64::from(high) - i64::from(at));
        (least(cell.x, self.x1, self.x2), least(cell.y, self.y1, self.y2))
    }
}

/// A set of glyphs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GlyphSet([bool; 256]);

impl GlyphSet {
    /// Creates a set from glyphs, one per byte.
    pub fn new(glyphs: &[u8]) -> Self {
        let mut set = [false; 256];
        for glyph in glyphs {
            set[usize::from(*glyph)] = true;
        }
        Self(set)
    }

    /// Returns the set of glyphs whose default meaning is a feature that a player without special abilities can cross.
    /// Glyphs without a default meaning are included, because they are floor; the space is not, because it is outside
    /// the map.
    pub fn passable() -> Self {
        let mut set = [true; 256];
        for (glyph, passable) in set.iter_mut().enumerate() {
            *passable = Feature::of_glyph(glyph as u8).is_none_or(Feature::is_traversable);
        }
        set[usize::from(SPACE)] = false;
        Self(set)
    }

    /// Returns whether a glyph is in the set.
    pub fn has(&self, glyph: u8) -> bool {
        self.0[usize::from(glyph)]
    }

    /// Returns the set with additional glyphs.
    #[must_use]
    pub fn with(mut self, glyphs: &[u8]) -> Self {
        for glyph in glyphs {
            self.0[usize::from(*glyph)] = true;
        }
        self
    }

    /// Returns the union with another set.
    #[must_use]
    pub fn and(mut self, other: &Self) -> Self {
        for (held, more) in self.0.iter_mut().zip(other.0) {
            *held |= more;
        }
        self
    }
}

/// Glyphs to paint with: each painted cell gets one of the glyphs at random; an empty brush paints nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Brush<'a>(pub &'a [u8]);

impl Brush<'_> {
    fn paint(self, glyphs: &mut Glyphs, cell: Cell, dice: &mut Dice) {
        match self.0 {
            [] => {}
            [glyph] => glyphs.set(cell.x, cell.y, *glyph),
            several => glyphs.set(cell.x, cell.y, several[dice.index(several.len())]),
        }
    }
}

/// Returns the glyph of a cell.
fn at(glyphs: &Glyphs, cell: Cell) -> u8 {
    glyphs.get(cell.x, cell.y)
}

/// Returns the cells at the offsets `steps` from a cell, excluding cells outside the grid.
fn near<'a>(glyphs: &'a Glyphs, cell: Cell, steps: &'a [(i32, i32)]) -> impl Iterator<Item = Cell> + 'a {
    steps
        .iter()
        .map(move |(dx, dy)| Cell {
            x: cell.x.wrapping_add(*dx),
            y: cell.y.wrapping_add(*dy),
        })
        .filter(|next| glyphs.holds(next.x, next.y))
}

/// Returns `true` with a chance of `percent`; always if it is 100 or more.
fn happens(percent: i32, dice: &mut Dice) -> bool {
    dice.x_in_y(percent, 100)
}
