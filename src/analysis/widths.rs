//! Passage widths and junctions.
//!
//! The measure is the open square block, since Crawlers leave corridors several squares wide: a passage is as wide as
//! the largest open block that fits into it. Blocks of up to [`MOST_WIDTH`] are found 64 places at a time, one width
//! after the other; the larger ones, which are rare, in one pass over their top left squares.

use serde::{Deserialize, Serialize};

use super::bit_rows::{BitRows, BlockSides};
use crate::geometry::Point;

/// The greatest width with a count of its own; squares of wider passages count as this width. Junctions may be wider.
pub const MOST_WIDTH: usize = 32;

/// A junction: connected squares of open blocks with at least three openings each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Junction {
    /// Top left square of the first open block of the junction, in the order of widths and rows.
    pub at: Point,
    /// Width of that block.
    pub width: u32,
    /// Largest number of openings that lead away from one of its open blocks.
    pub ways: u32,
}

/// The computation of widths and junctions, with its buffers.
#[derive(Debug, Default)]
pub(super) struct Widths {
    /// Top left squares of the open blocks of one width, and of the next.
    here: BitRows,
    next: BitRows,
    pairs: BitRows,
    covered: BitRows,
    sides: BlockSides,
    /// Excess over [`MOST_WIDTH`] of the largest open block with this top left square, frame included.
    beyond: Vec<u32>,
    /// Squares of the junctions as bytes with a frame, for access to neighbours; all false between two calls.
    painted: Vec<bool>,
    /// Number of the junction that each square belongs to; valid only for squares that the last call painted.
    number: Vec<u32>,
}

impl Widths {
    /// Returns the number of squares of each width (index 0 is width 1, the last one [`MOST_WIDTH`] and more) and the
    /// junctions. `squares` are those of `shape` as bytes, in rows of `stride`, with a frame that is not open.
    pub(super) fn find(&mut self, shape: &BitRows, squares: &[bool], stride: usize) -> (Vec<u32>, Vec<Junction>) {
        self.here.copy_from(shape);
        self.sides.begin(shape);
        let mut at_least = vec![self.here.count()];
        let mut parting = Vec::new();
        for width in 1..=MOST_WIDTH {
            self.narrow();
            // Blocks that no larger one contains.
            self.covered.copy_from(&self.next);
            self.covered.spread_right(1);
            self.covered.spread_down(1);
            self.here.remove(&self.covered);
            self.sides
                .each_with_openings(&self.here, |at| parting.extend(junction(squares, stride, at, width)));
            std::mem::swap(&mut self.here, &mut self.next);
            if self.here.is_empty() {
                break;
            }
            if width < MOST_WIDTH {
                self.covered.copy_from(&self.here);
                self.covered.spread_right(width);
                self.covered.spread_down(width);
                at_least.push(self.covered.count());
                self.sides.widen(shape);
            }
        }
        parting.extend(self.halls(squares, stride));
        let beyond = at_least.iter().skip(1).chain([&0]);
        let widths = at_least.iter().zip(beyond).map(|(all, wider)| all - wider);
        let widths = widths.collect();
        (widths, self.merge(&parting, squares.len(), stride))
    }

    /// Finds the open blocks that are wider by one than those in `here`: four of these in a square.
    fn narrow(&mut self) {
        self.pairs.copy_from(&self.here);
        self.pairs.keep_if(&self.here, 0, 1);
        self.next.copy_from(&self.pairs);
        self.next.keep_if(&self.pairs, 1, 0);
    }

    /// Returns the junctions wider than [`MOST_WIDTH`], in the order of widths and rows. `here` contains the top left
    /// squares of the open blocks that are wider by one.
    ///
    /// One pass from the bottom right corner finds the excess width of each: one more than the minimum of its right,
    /// lower and lower right neighbours.
    fn halls(&mut self, shape: &[bool], stride: usize) -> Vec<Junction> {
        self.beyond.clear();
        if self.here.is_empty() {
            return Vec::new();
        }
        self.beyond.resize(shape.len(), 0);
        let tops: Vec<(usize, usize)> = self.here.ones().collect();
        let index = |(x, y): (usize, usize)| (x + 1) * stride + y + 1;
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
            .filter_map(|(width, at)| junction(shape, stride, at, width))
            .collect()
    }

    /// Visits the row and column of every square with the width of its passage, and with every lesser width before
    /// that.
    pub(super) fn each(&mut self, shape: &BitRows, mut visit: impl FnMut(i32, i32, usize)) {
        self.here.copy_from(shape);
        for width in 1..=MOST_WIDTH {
            self.covered.copy_from(&self.here);
            self.covered.spread_right(width - 1);
            self.covered.spread_down(width - 1);
            for (x, y) in self.covered.ones() {
                visit(x as i32, y as i32, width);
            }
            self.narrow();
            std::mem::swap(&mut self.here, &mut self.next);
            if self.here.is_empty() {
                return;
            }
        }
    }

    /// Merges junctions that share squares or touch.
    fn merge(&mut self, parting: &[Junction], squares: usize, stride: usize) -> Vec<Junction> {
        self.painted.resize(squares, false);
        self.number.resize(squares, 0);
        let left_top = |junction: &Junction| (junction.at.x as usize + 1) * stride + junction.at.y as usize + 1;
        for junction in parting {
            for row in 0..junction.width as usize {
                let first = left_top(junction) + row * stride;
                self.painted[first..first + junction.width as usize].fill(true);
            }
        }
        let mut junctions: Vec<Junction> = Vec::new();
        let mut edge = Vec::new();
        for junction in parting {
            let at = left_top(junction);
            if self.painted[at] {
                junctions.push(*junction);
                self.painted[at] = false;
                edge.push(at);
                while let Some(at) = edge.pop() {
                    self.number[at] = junctions.len() as u32;
                    for to in [at - stride, at + 1, at + stride, at - 1] {
                        if std::mem::take(&mut self.painted[to]) {
                            edge.push(to);
                        }
                    }
                }
            }
            let known = &mut junctions[self.number[at] as usize - 1];
            known.ways = known.ways.max(junction.ways);
        }
        junctions
    }
}

/// Returns the junction at an open block if it has at least three openings. `at` is the row and column of the block's
/// top left square.
fn junction(shape: &[bool], stride: usize, at: (usize, usize), width: usize) -> Option<Junction> {
    let (x, y) = at;
    let ways = openings(shape, stride, (x + 1) * stride + y + 1, width);
    (ways >= 3).then_some(Junction {
        at: Point::new(x as i32, y as i32),
        width: width as u32,
        ways,
    })
}

/// Returns the number of openings around an open block: stretches of open squares along its four sides, which may turn
/// a corner. A stretch counts if a straight walk out of it can be one square longer than the stretch; three squares are
/// always enough. `at` is the index of the block's top left square.
fn openings(shape: &[bool], stride: usize, at: usize, width: usize) -> u32 {
    let last = width - 1;
    // Each side, clockwise: its first square, the step to the next, the step outward.
    let up = stride.wrapping_neg();
    let left = 1_usize.wrapping_neg();
    let sides = [
        (at.wrapping_add(up), 1, up),
        (at + last + 1, stride, 1),
        (at + (last + 1) * stride + last, left, stride),
        (at + last * stride - 1, up, left),
    ];
    let mut open = 0;
    // The current stretch, and the first one, which may continue where the last ends.
    let mut run = OpenSpan::default();
    let mut first: Option<OpenSpan> = None;
    for (begin, step, out) in sides {
        let mut square = begin;
        for _ in 0..width {
            if shape[square] {
                run.add(shape, square, out);
            } else if run.squares > 0 || first.is_none() {
                open += run.end(&mut first);
            }
            square = square.wrapping_add(step);
        }
        // The corner is one past the side.
        if !shape[square] {
            open += run.end(&mut first);
        }
    }
    match first {
        // Open on all sides.
        None => u32::from(run.leads_on()),
        Some(first) => {
            let whole = OpenSpan {
                squares: run.squares + first.squares,
                depth: run.depth.max(first.depth),
            };
            open + u32::from(whole.leads_on())
        }
    }
}

/// A stretch of open squares around an open block.
#[derive(Debug, Clone, Copy, Default)]
struct OpenSpan {
    squares: usize,
    /// Largest number of squares that one can walk straight out, at most three.
    depth: usize,
}

impl OpenSpan {
    fn add(&mut self, shape: &[bool], square: usize, out: usize) {
        self.squares += 1;
        if self.depth < 3 {
            let mut deep = 1;
            let mut at = square.wrapping_add(out);
            while deep < 3 && shape[at] {
                deep += 1;
                at = at.wrapping_add(out);
            }
            self.depth = self.depth.max(deep);
        }
    }

    const fn leads_on(self) -> bool {
        self.squares > 0 && (self.depth >= 3 || self.depth > self.squares)
    }

    /// Ends the stretch; returns 1 if it counts as an opening. The first one to end is stored in `first` instead.
    fn end(&mut self, first: &mut Option<Self>) -> u32 {
        let run = std::mem::take(self);
        if first.is_none() {
            *first = Some(run);
            return 0;
        }
        u32::from(run.leads_on())
    }
}
