//! The open squares of a dungeon as bytes and as bits, and searches over them.
//!
//! A frame of wall surrounds the bytes, so that every square has four neighbours. Searches that go from square to
//! square use the bytes; searches that process whole rows use the bits.

use super::bit_rows::BitRows;
use crate::engine::Grid;
use crate::geometry::{Point, Size};

/// The open squares of a dungeon, in rows of `stride` bytes.
#[derive(Debug, Default)]
pub(super) struct OpenPlan {
    rows: usize,
    columns: usize,
    pub(super) stride: usize,
    pub(super) open: Vec<bool>,
    /// The open squares as bits, without the frame.
    pub(super) bits: BitRows,
}

impl OpenPlan {
    /// Copies the open squares of a dungeon, reusing the allocation.
    pub(super) fn load(&mut self, grid: &Grid) {
        // If the size is the same, nothing needs clearing: the frame is closed, and all other squares are replaced.
        if self.open.is_empty() || self.size() != grid.size() {
            self.fit(grid.size());
        }
        let inside = self.open.chunks_exact_mut(self.stride).skip(1);
        for (x, row) in (0..self.rows).zip(inside) {
            let open = &mut row[1..=self.columns];
            grid.copy_open(x, open);
            self.bits.set_row(x, open);
        }
    }

    /// Resizes the plan and closes all squares.
    pub(super) fn fit(&mut self, size: Size) {
        (self.rows, self.columns) = (size.x.max(0) as usize, size.y.max(0) as usize);
        self.stride = self.columns + 2;
        self.open.clear();
        self.open.resize((self.rows + 2) * self.stride, false);
        self.bits.fit(self.rows, self.columns);
    }

    pub(super) const fn rows(&self) -> usize {
        self.rows
    }

    pub(super) const fn columns(&self) -> usize {
        self.columns
    }

    /// Returns the size of the dungeon, without the frame.
    pub(super) const fn size(&self) -> Size {
        Size::new(self.rows as i32, self.columns as i32)
    }

    /// Returns the index of a square; `None` outside the dungeon.
    pub(super) fn index(&self, at: Point) -> Option<usize> {
        let inside = self.size().contains(at);
        inside.then(|| (at.x as usize + 1) * self.stride + at.y as usize + 1)
    }

    /// Returns the square at an index.
    pub(super) fn point(&self, index: usize) -> Point {
        Point::new((index / self.stride) as i32 - 1, (index % self.stride) as i32 - 1)
    }

    /// Returns the offsets from an index to its four neighbours: North, East, South, West. Add them with
    /// `wrapping_add`.
    pub(super) const fn steps(&self) -> [usize; 4] {
        [self.stride.wrapping_neg(), 1, self.stride, 1_usize.wrapping_neg()]
    }

    /// Returns the open square with the fewest steps to the top left corner, ignoring walls; of several such squares,
    /// the one in the topmost row.
    pub(super) fn nearest_left_top(&self) -> Option<usize> {
        self.corners().find(|&at| self.open[at])
    }

    /// Returns the open square with the fewest steps to the bottom right corner, ignoring walls; of several such
    /// squares, the one in the bottommost row.
    pub(super) fn nearest_right_bottom(&self) -> Option<usize> {
        let last = self.open.len() - 1;
        self.corners().map(|at| last - at).find(|&at| self.open[at])
    }

    /// Returns all squares, ordered by the number of steps from the top left corner, and by row among squares with the
    /// same number of steps.
    fn corners(&self) -> impl Iterator<Item = usize> {
        let (rows, columns) = (self.rows, self.columns);
        let diagonals = 0..(rows + columns).saturating_sub(1);
        diagonals.flat_map(move |steps| {
            let first = (steps + 1).saturating_sub(columns);
            (first..rows.min(steps + 1)).map(move |x| (x + 1) * self.stride + steps - x + 1)
        })
    }

    /// Returns the row and column at an index inside the dungeon.
    pub(super) const fn row_and_column(&self, index: usize) -> (usize, usize) {
        (index / self.stride - 1, index % self.stride - 1)
    }

    /// Converts a bitmap of the dungeon to bytes with a frame, in the order of the plan.
    pub(super) fn bytes_of(&self, bits: &BitRows, bytes: &mut Vec<bool>) {
        bytes.clear();
        bytes.resize(self.open.len(), false);
        let rows = bytes.chunks_exact_mut(self.stride).skip(1);
        for (row, bytes) in (0..self.rows).zip(rows) {
            bits.copy_row(row, &mut bytes[1..=self.columns]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_squares_nearest_to_the_corners_have_the_lowest_and_highest_sums() {
        for (x, y) in [(3, 7), (7, 3), (1, 1), (5, 5)] {
            let mut plan = OpenPlan::default();
            plan.fit(Size::new(x, y));
            assert_eq!(plan.nearest_left_top(), None);
            let order: Vec<usize> = plan.corners().collect();
            assert_eq!(order.len(), (x * y) as usize);
            let sums = order.iter().map(|&at| plan.point(at)).map(|at| (at.x + at.y, at.x));
            assert!(sums.is_sorted(), "{x} × {y}");
            let last = plan.index(Point::new(x - 1, y - 1)).unwrap();
            plan.open[last] = true;
            assert_eq!(plan.nearest_left_top(), Some(last));
            let first = plan.index(Point::new(0, 0)).unwrap();
            plan.open[first] = true;
            assert_eq!(
                (plan.nearest_left_top(), plan.nearest_right_bottom()),
                (Some(first), Some(last))
            );
        }
    }
}
