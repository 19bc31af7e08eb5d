//! Glyphs: the grid of bytes that represents a map while it is being built.
//!
//! A space marks a cell outside the map. Outside the grid, reading a cell returns a space and writing to a cell does
//! nothing, so statements and scripts may use any coordinates. This module does not interpret the glyphs.

use serde::{Deserialize, Serialize};

/// Position of a cell: column and row, from 0 at the top left.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Cell {
    /// Column.
    pub x: i32,
    /// Row.
    pub y: i32,
}

impl Cell {
    /// Returns the cell at an index in cells that are stored row by row, with `width` cells in each row.
    pub(crate) fn at(index: usize, width: usize) -> Self {
        let width = width.max(1);
        Self {
            x: (index % width) as i32,
            y: (index / width) as i32,
        }
    }
}

/// Glyph that marks a cell as not part of the map.
pub const SPACE: u8 = b' ';

/// Maximum number of columns and of rows in a grid; cells beyond it are dropped. A whole level has 80 × 70 cells.
pub const MAX_SIDE: usize = 256;

/// A reflection or rotation of a grid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Turn {
    /// Swaps left and right.
    MirrorHorizontal,
    /// Swaps top and bottom.
    MirrorVertical,
    /// Rotates by 90° clockwise.
    Clockwise,
    /// Rotates by 90° anticlockwise.
    CounterClockwise,
}

impl Turn {
    /// Returns the width and height of a grid after this turn.
    pub fn size(self, width: usize, height: usize) -> (usize, usize) {
        match self {
            Self::MirrorHorizontal | Self::MirrorVertical => (width, height),
            Self::Clockwise | Self::CounterClockwise => (height, width),
        }
    }

    /// Returns the cell to which this turn moves `cell`. `width` and `height` are the size of the grid before the turn.
    pub fn place(self, width: usize, height: usize, cell: Cell) -> Cell {
        let Cell { x, y } = cell;
        let (right, bottom) = (width as i32 - 1, height as i32 - 1);
        match self {
            Self::MirrorHorizontal => Cell { x: right - x, y },
            Self::MirrorVertical => Cell { x, y: bottom - y },
            Self::Clockwise => Cell { x: bottom - y, y: x },
            Self::CounterClockwise => Cell { x: y, y: right - x },
        }
    }

    /// Returns the turn that undoes this one.
    #[must_use]
    pub fn inverse(self) -> Self {
        match self {
            Self::Clockwise => Self::CounterClockwise,
            Self::CounterClockwise => Self::Clockwise,
            mirror => mirror,
        }
    }

    /// Applies this turn to `width × height` values stored row by row.
    pub(crate) fn apply<T: Clone>(self, width: usize, height: usize, values: &mut [T]) {
        let (new_width, _) = self.size(width, height);
        let old = values.to_vec();
        for (at, value) in old.into_iter().enumerate() {
            let to = self.place(width, height, Cell::at(at, width));
            values[to.y as usize * new_width + to.x as usize] = value;
        }
    }
}

/// A grid of glyphs, stored row by row.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Glyphs {
    width: usize,
    height: usize,
    cells: Vec<u8>,
}

impl Glyphs {
    /// Creates a grid filled with one glyph; both sides are limited to [`MAX_SIDE`].
    pub fn new(width: usize, height: usize, fill: u8) -> Self {
        let (width, height) = (width.min(MAX_SIDE), height.min(MAX_SIDE));
        Self {
            width,
            height,
            cells: vec![fill; width * height],
        }
    }

    /// Creates a grid from rows, padding shorter rows with spaces.
    pub fn from_rows<R: AsRef<[u8]>>(rows: &[R]) -> Self {
        let width = rows.iter().map(|row| row.as_ref().len()).max().unwrap_or(0);
        let mut glyphs = Self::new(width, rows.len(), SPACE);
        for (y, row) in rows.iter().enumerate() {
            for (x, glyph) in row.as_ref().iter().enumerate() {
                glyphs.set(x as i32, y as i32, *glyph);
            }
        }
        glyphs
    }

    /// Returns the number of columns.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Returns the number of rows.
    pub fn height(&self) -> usize {
        self.height
    }

    /// Returns whether the grid has no cells.
    pub fn is_empty(&self) -> bool {
        self.cells.is_empty()
    }

    /// Returns whether a cell lies within the grid.
    pub fn holds(&self, x: i32, y: i32) -> bool {
        self.index(x, y).is_some()
    }

    /// Returns the index of a cell, counted row by row; `None` outside the grid.
    pub(crate) fn index(&self, x: i32, y: i32) -> Option<usize> {
        let (x, y) = (usize::try_from(x).ok()?, usize::try_from(y).ok()?);
        (x < self.width && y < self.height).then(|| y * self.width + x)
    }

    /// Returns the cell at an index, counted row by row.
    pub(crate) fn cell(&self, index: usize) -> Cell {
        Cell::at(index, self.width)
    }

    /// Returns the glyph of a cell; a space outside the grid.
    pub fn get(&self, x: i32, y: i32) -> u8 {
        self.index(x, y).map_or(SPACE, |at| self.cells[at])
    }

    /// Sets the glyph of a cell; does nothing outside the grid.
    pub fn set(&mut self, x: i32, y: i32, glyph: u8) {
        if let Some(at) = self.index(x, y) {
            self.cells[at] = glyph;
        }
    }

    /// Returns the glyphs of all cells, row by row.
    pub fn cells(&self) -> &[u8] {
        &self.cells
    }

    /// Returns the glyphs of all cells, row by row, for modification.
    pub(crate) fn cells_mut(&mut self) -> &mut [u8] {
        &mut self.cells
    }

    /// Returns the rows, top to bottom.
    pub fn rows(&self) -> impl Iterator<Item = &[u8]> {
        self.cells.chunks_exact(self.width.max(1))
    }

    /// Returns the cells that contain `glyph`, row by row.
    pub fn find(&self, glyph: u8) -> impl Iterator<Item = Cell> + '_ {
        let held = self.cells.iter().enumerate().filter(move |(_, held)| **held == glyph);
        held.map(|(at, _)| self.cell(at))
    }

    /// Reflects or rotates the grid.
    pub fn turn(&mut self, turn: Turn) {
        turn.apply(self.width, self.height, &mut self.cells);
        (self.width, self.height) = turn.size(self.width, self.height);
    }

    /// Extends the grid to the right and downward to at least `width × height` cells, and fills the new cells with
    /// `fill`. Both sides are limited to [`MAX_SIDE`].
    pub fn extend(&mut self, width: usize, height: usize, fill: u8) {
        let (width, height) = (width.max(self.width), height.max(self.height));
        let mut grown = Self::new(width, height, fill);
        for (at, glyph) in self.cells.iter().enumerate() {
            let Cell { x, y } = self.cell(at);
            grown.set(x, y, *glyph);
        }
        *self = grown;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grid() -> Glyphs {
        Glyphs::from_rows(&["abc", "de"])
    }

    fn text(glyphs: &Glyphs) -> Vec<String> {
        glyphs
            .rows()
            .map(|row| String::from_utf8_lossy(row).into_owned())
            .collect()
    }

    #[test]
    fn rows_are_padded_and_the_outside_is_space() {
        let mut grid = grid();
        assert_eq!((grid.width(), grid.height()), (3, 2));
        assert_eq!(text(&grid), ["abc", "de "]);
        for (x, y) in [(-1, 0), (0, -1), (3, 0), (0, 2), (i32::MIN, i32::MAX)] {
            assert_eq!(grid.get(x, y), SPACE);
            grid.set(x, y, b'!');
        }
        assert_eq!(text(&grid), ["abc", "de "]);
        assert_eq!(Glyphs::from_rows::<&[u8]>(&[]).rows().count(), 0);
    }

    #[test]
    fn turns_put_corners_where_they_belong() {
        let turned = |turn| {
            let mut grid = grid();
            grid.turn(turn);
            text(&grid)
        };
        assert_eq!(turned(Turn::MirrorHorizontal), ["cba", " ed"]);
        assert_eq!(turned(Turn::MirrorVertical), ["de ", "abc"]);
        assert_eq!(turned(Turn::Clockwise), ["da", "eb", " c"]);
        assert_eq!(turned(Turn::CounterClockwise), ["c ", "be", "ad"]);
    }

    #[test]
    fn every_turn_is_undone_by_its_inverse() {
        for turn in [
            Turn::MirrorHorizontal,
            Turn::MirrorVertical,
            Turn::Clockwise,
            Turn::CounterClockwise,
        ] {
            for mut grid in [
                grid(),
                Glyphs::default(),
                Glyphs::new(1, 4, b'x'),
                Glyphs::new(0, 3, b'x'),
            ] {
                let before = grid.clone();
                grid.turn(turn);
                grid.turn(turn.inverse());
                assert_eq!(grid, before, "{turn:?}");
            }
        }
    }

    #[test]
    fn extending_keeps_the_cells_and_never_shrinks() {
        let mut grid = grid();
        grid.extend(2, 3, b'x');
        assert_eq!(text(&grid), ["abc", "de ", "xxx"]);
        grid.extend(MAX_SIDE * 9, 1, b'.');
        assert_eq!(grid.width(), MAX_SIDE);
    }

    #[test]
    fn glyphs_are_found_in_rows() {
        let grid = Glyphs::from_rows(&["..a", ".a.", "..."]);
        let found: Vec<Cell> = grid.find(b'a').collect();
        assert_eq!(found, [Cell { x: 2, y: 0 }, Cell { x: 1, y: 1 }]);
    }
}
