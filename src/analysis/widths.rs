//! Passage widths and junctions.
//!
//! The corridors that Crawlers create are several squares wide, so widths are measured with open square blocks: a
//! passage is as wide as the largest open block that fits into it. Blocks up to [`MOST_WIDTH`] wide are found for 64
//! top left squares at a time, one width after the other. Larger blocks, which are rare, are found in one pass over
//! their top left squares. Only the widest blocks, those that no larger one contains, matter: they can be junctions,
//! and they cover all squares of the measured shape (the reachable squares, and the pillars between them).

use serde::{Deserialize, Serialize};

use super::bit_rows::{BitRows, bits};
use super::blocks::{BlockWord, Covered, WidestBlocks};
use super::groups::{Diagonals, Groups};
use super::openings::{Ways, openings};
use super::scene::Rectangle;
use crate::geometry::Point;

/// The largest width for which squares are counted. Squares of wider passages are counted as if they had this width.
/// Junctions may be wider.
pub const MOST_WIDTH: usize = 32;

/// A junction: connected squares of open blocks with at least three openings each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Junction {
    /// Top left square of the first open block of the junction; blocks are sorted by width, then by row.
    pub at: Point,
    /// Width of the first open block.
    pub width: u32,
    /// Number of openings of the open block with the most openings.
    pub ways: u32,
}

/// The computation of widths and junctions, with its buffers.
#[derive(Debug, Default)]
pub(super) struct Widths {
    blocks: WidestBlocks,
    covered: Covered,
    /// Blocks with at least three openings.
    parting: Vec<Junction>,
    /// For each top left square, the width of its largest open block minus [`MOST_WIDTH`]; 0 if the block is not
    /// wider. Contains the squares of the rows in which wider blocks begin, and a frame around these rows.
    beyond: Vec<u32>,
    /// Squares of the junctions.
    painted: BitRows,
    /// Connected groups of these squares.
    groups: Groups,
}

impl Widths {
    /// Returns the number of squares of each width, and the junctions. Index 0 is for width 1, and the last index is
    /// for the greatest width in the shape. Index `MOST_WIDTH - 1`, if present, also counts the squares of all wider
    /// passages. `transposed` is the shape with rows and columns exchanged.
    pub(super) fn find(&mut self, shape: &BitRows, transposed: &BitRows) -> (Vec<u32>, Vec<Junction>) {
        let maps = [shape, transposed];
        self.blocks.find(shape, MOST_WIDTH);
        let mut parting = std::mem::take(&mut self.parting);
        parting.clear();
        for width in 1..=self.blocks.widths() {
            for block in self.blocks.of_width(width) {
                find_junctions(maps, *block, width, &mut parting);
            }
        }
        parting.extend(self.halls(maps));
        let junctions = self.merge(&parting, shape);
        self.parting = parting;
        let mut widths = vec![0; self.blocks.widths().max(1)];
        self.cover(shape, |width, more, _| widths[width - 1] += more);
        (widths, junctions)
    }

    /// Covers the squares of the shape with the widest blocks, from the largest width down. Calls `visit` for each
    /// width, with the number of squares that its blocks cover but no larger blocks do, and with all squares covered
    /// so far. Blocks wider than [`MOST_WIDTH`] cause a separate, earlier call with [`MOST_WIDTH`].
    fn cover(&mut self, shape: &BitRows, mut visit: impl FnMut(usize, u32, &BitRows)) {
        self.covered.fit(shape.rows(), shape.columns());
        let mut add = |blocks: &[BlockWord], width: usize| {
            let more = self.covered.add(blocks, width);
            visit(width.min(MOST_WIDTH), more, self.covered.squares());
        };
        if !self.blocks.beyond().is_empty() {
            add(self.blocks.beyond(), MOST_WIDTH + 1);
        }
        for width in (1..=self.blocks.widths()).rev() {
            add(self.blocks.of_width(width), width);
        }
    }

    /// Returns the junctions wider than [`MOST_WIDTH`], sorted by width, then by row.
    ///
    /// One pass from the bottom right corner finds the excess of each block: its width minus [`MOST_WIDTH`]. The excess
    /// is one more than the smallest excess of the blocks that begin one square to the right, below, and diagonally
    /// below right.
    fn halls(&mut self, maps: [&BitRows; 2]) -> Vec<Junction> {
        let beyond = self.blocks.beyond().iter();
        let tops: Vec<(usize, usize)> = beyond.flat_map(|block| block.squares(maps[0])).collect();
        let (Some(&(first, _)), Some(&(last, _))) = (tops.first(), tops.last()) else {
            return Vec::new();
        };
        let stride = maps[0].columns() + 2;
        self.beyond.clear();
        self.beyond.resize((last - first + 3) * stride, 0);
        let index = |(x, y): (usize, usize)| (x - first + 1) * stride + y + 1;
        for &top in tops.iter().rev() {
            let at = index(top);
            let around = [at + 1, at + stride, at + stride + 1].map(|at| self.beyond[at]);
            self.beyond[at] = 1 + around.into_iter().min().unwrap_or(0);
        }
        let mut widest: Vec<(usize, (usize, usize))> = Vec::new();
        for top in tops {
            let at = index(top);
            let wider = self.beyond[at];
            let is_widest = |at: usize| self.beyond[at] <= wider;
            if is_widest(at - 1) && is_widest(at - stride) && is_widest(at - stride - 1) {
                widest.push((MOST_WIDTH + wider as usize, top));
            }
        }
        widest.sort_unstable();
        let parting = widest.into_iter();
        parting
            .filter_map(|(width, at)| junction(at, width, openings(maps, at, width)))
            .collect()
    }

    /// Calls `visit` with the row and column of every square, once for each width from 1 to the width of its passage,
    /// in ascending order. The last call for a square therefore has the width of its passage.
    pub(super) fn each(&mut self, shape: &BitRows, mut visit: impl FnMut(usize, usize, usize)) {
        self.blocks.find(shape, MOST_WIDTH);
        let mut by_width = vec![BitRows::default(); MOST_WIDTH + 1];
        self.cover(shape, |width, _, squares| by_width[width].copy_from(squares));
        for (width, squares) in by_width.iter().enumerate() {
            squares.ones().for_each(|(row, column)| visit(row, column, width));
        }
    }

    /// Merges junctions that share squares or touch.
    fn merge(&mut self, parting: &[Junction], shape: &BitRows) -> Vec<Junction> {
        self.painted.fit(shape.rows(), shape.columns());
        let left_top = |junction: &Junction| (junction.at.x as usize, junction.at.y as usize);
        for junction in parting {
            let ((row, column), width) = (left_top(junction), junction.width as usize);
            self.painted.fill_rectangle(&Rectangle {
                rows: row..row + width,
                columns: column..column + width,
            });
        }
        self.groups.find(&self.painted, Diagonals::Apart);
        let mut junctions: Vec<Junction> = Vec::with_capacity(self.groups.all().len());
        let mut known = vec![None; self.groups.all().len()];
        for junction in parting {
            let (row, column) = left_top(junction);
            let Some(group) = self.groups.at(row, column) else {
                continue;
            };
            let number = *known[group].get_or_insert(junctions.len());
            match junctions.get_mut(number) {
                Some(known) => known.ways = known.ways.max(junction.ways),
                None => junctions.push(*junction),
            }
        }
        junctions
    }
}

/// Returns the junction at an open block if the block has at least three openings. `at` is the row and column of the
/// block's top left square.
fn junction(at: (usize, usize), width: usize, ways: u32) -> Option<Junction> {
    (ways >= 3).then_some(Junction {
        at: Point::new(at.0 as i32, at.1 as i32),
        width: width as u32,
        ways,
    })
}

/// Appends the junctions among the blocks of one word to `parting`.
fn find_junctions(maps: [&BitRows; 2], block: BlockWord, width: usize, parting: &mut Vec<Junction>) {
    let ways = match width {
        1 => Ways::around_squares(maps[0], block.index),
        2 => Ways::around_two_by_two(maps[0], block.index),
        _ => Ways::UNKNOWN,
    };
    for bit in bits(block.bits & ways.three) {
        let at = maps[0].place(block.index, bit);
        let is_in = |bits: u64| bits >> bit & 1;
        let ways = if is_in(ways.unknown) == 0 {
            3 + is_in(ways.four) as u32
        } else {
            openings(maps, at, width)
        };
        parting.extend(junction(at, width, ways));
    }
}
