//! Passage widths and junctions.
//!
//! The measure is the open square block, since Crawlers leave corridors several squares wide: a passage is as wide as
//! the largest open block that fits into it. Blocks of up to [`MOST_WIDTH`] are found 64 places at a time, one width
//! after the other; the larger ones, which are rare, in one pass over their top left squares.

use serde::{Deserialize, Serialize};

use super::bit_rows::{BitRows, BlockSides};
use super::groups::{Diagonals, Groups};
use crate::geometry::Point;

/// The largest width with a count of its own; squares of wider passages count as this width. Junctions may be wider.
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
    /// Squares of the junctions, and their connected groups.
    painted: BitRows,
    groups: Groups,
}

impl Widths {
    /// Returns the number of squares of each width (index 0 is width 1, the last one [`MOST_WIDTH`] and more) and the
    /// junctions. `transposed` is the shape with rows and columns exchanged.
    pub(super) fn find(&mut self, shape: &BitRows, transposed: &BitRows) -> (Vec<u32>, Vec<Junction>) {
        let maps = [shape, transposed];
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
            self.sides.each_with_openings(shape, &self.here, |at, known| {
                let ways = known.unwrap_or_else(|| openings(maps, at, width));
                parting.extend(junction(at, width, ways));
            });
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
        parting.extend(self.halls(maps));
        let beyond = at_least.iter().skip(1).chain([&0]);
        let widths = at_least.iter().zip(beyond).map(|(all, wider)| all - wider);
        let widths = widths.collect();
        (widths, self.merge(&parting, shape))
    }

    /// Finds the open blocks that are wider by one than those in `here`: each contains four of these, which overlap.
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
    fn halls(&mut self, maps: [&BitRows; 2]) -> Vec<Junction> {
        self.beyond.clear();
        if self.here.is_empty() {
            return Vec::new();
        }
        let stride = maps[0].columns() + 2;
        self.beyond.resize((maps[0].rows() + 2) * stride, 0);
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
            .filter_map(|(width, at)| junction(at, width, openings(maps, at, width)))
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
    fn merge(&mut self, parting: &[Junction], shape: &BitRows) -> Vec<Junction> {
        self.painted.fit(shape.rows(), shape.columns());
        let left_top = |junction: &Junction| (junction.at.x as usize, junction.at.y as usize);
        for junction in parting {
            let ((row, column), width) = (left_top(junction), junction.width as usize);
            for row in row..row + width {
                self.painted.fill(row, column, column + width);
            }
        }
        self.groups.find(&self.painted, Diagonals::Apart);
        let mut junctions: Vec<Junction> = Vec::new();
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

/// Returns the junction at an open block if it has at least three openings. `at` is the row and column of the block's top
/// left square.
fn junction(at: (usize, usize), width: usize, ways: u32) -> Option<Junction> {
    (ways >= 3).then_some(Junction {
        at: Point::new(at.0 as i32, at.1 as i32),
        width: width as u32,
        ways,
    })
}

/// Returns the number of openings around an open block if these are at least three, otherwise 0. Openings are stretches of
/// open squares along its four sides, which may turn a corner. A stretch counts if a straight walk out of it can be one
/// square longer than the stretch; three squares are always enough. `maps` are the shape by rows, and with rows and columns
/// exchanged.
fn openings(maps: [&BitRows; 2], at: (usize, usize), width: usize) -> u32 {
    if width > MOST_WIDTH_OF_RING {
        return openings_of_hall(maps[0], at, width);
    }
    let ring = Ring { maps, at, width };
    let corners = ring.corners();
    let sides = ring.sides_at(0);
    let open = corners | ring.joined(sides);
    let squares = 4 * (width + 1);
    let all = u128::MAX >> (u128::BITS as usize - squares);
    let ends = open & !(open >> 1 | open << (squares - 1));
    let without_lowest = |bits: u128| bits & bits.wrapping_sub(1);
    if without_lowest(without_lowest(ends)) == 0 {
        return 0;
    }
    let two_deep = ring.and_at(1, sides);
    let three_deep = ring.and_at(2, two_deep);
    let [two_deep, three_deep] = [two_deep, three_deep].map(|sides| ring.joined(sides));
    // Begins behind a closed square, so that no stretch is divided.
    let begin = (!open).trailing_zeros() as usize + 1;
    let turned = |bits: u128| (bits >> begin | bits << (squares - begin)) & all;
    let mut left = turned(open);
    let [sides, two_deep, three_deep] = [open & !corners, two_deep, three_deep].map(turned);
    let mut ways = 0;
    while left != 0 {
        // The lowest stretch: adding its lowest bit clears it.
        let stretch = left & !(left + (left & left.wrapping_neg()));
        left &= !stretch;
        let is_one = (stretch & sides).is_power_of_two();
        ways += u32::from(stretch & three_deep != 0 || is_one && stretch & two_deep != 0);
    }
    if ways < 3 { 0 } else { ways }
}

/// Greatest width of a block whose ring of neighbours fits into 128 bits.
const MOST_WIDTH_OF_RING: usize = 31;

/// The squares around an open block, as bits in clockwise order: the upper side from the left to the right, the corner
/// behind it, the right side with its corner, and so on.
struct Ring<'a> {
    maps: [&'a BitRows; 2],
    at: (usize, usize),
    width: usize,
}

impl Ring<'_> {
    /// Returns which squares are open at a depth behind each side, in the order of columns or rows: above, right, below,
    /// left. The squares next to the block have depth 0.
    fn sides_at(&self, depth: usize) -> [u64; 4] {
        let Self {
            maps: [by_rows, by_columns],
            at: (row, column),
            width,
        } = *self;
        // A row or column before the first one becomes a large number, which does not exist either.
        [
            by_rows.bits(row.wrapping_sub(1 + depth), column, width),
            by_columns.bits(column + width + depth, row, width),
            by_rows.bits(row + width + depth, column, width),
            by_columns.bits(column.wrapping_sub(1 + depth), row, width),
        ]
    }

    /// Returns which squares are open at a depth and set in `nearer`.
    fn and_at(&self, depth: usize, nearer: [u64; 4]) -> [u64; 4] {
        let mut sides = self.sides_at(depth);
        for (side, nearer) in sides.iter_mut().zip(nearer) {
            *side &= nearer;
        }
        sides
    }

    /// Returns the bits of four sides as bits of the ring.
    fn joined(&self, [above, right, below, left]: [u64; 4]) -> u128 {
        let reversed = |side: u64| u64::from((side as u32).reverse_bits() >> (u32::BITS as usize - self.width));
        // The bits of two sides fit into a word.
        let first = above | right << (self.width + 1);
        let second = reversed(below) | reversed(left) << (self.width + 1);
        u128::from(first) | u128::from(second) << (2 * (self.width + 1))
    }

    /// Returns which corners are open.
    fn corners(&self) -> u128 {
        let (above, left) = (self.at.0.wrapping_sub(1), self.at.1.wrapping_sub(1));
        let (below, right) = (self.at.0 + self.width, self.at.1 + self.width);
        let corners = [(above, right), (below, right), (below, left), (above, left)];
        let places = (self.width..).step_by(self.width + 1);
        corners.into_iter().zip(places).fold(0, |open, (corner, place)| {
            open | u128::from(self.maps[0].get_or_clear(corner)) << place
        })
    }
}

/// Like [`openings`], square by square, for blocks of any width.
fn openings_of_hall(shape: &BitRows, (row, column): (usize, usize), width: usize) -> u32 {
    let last = width - 1;
    let back = 1_usize.wrapping_neg();
    // Each side, clockwise: its first square, the step to the next, the step outward.
    let sides = [
        ((row.wrapping_sub(1), column), (0, 1), (back, 0)),
        ((row, column + width), (1, 0), (0, 1)),
        ((row + width, column + last), (0, back), (1, 0)),
        ((row + last, column.wrapping_sub(1)), (back, 0), (0, back)),
    ];
    let step = |at: (usize, usize), by: (usize, usize)| (at.0.wrapping_add(by.0), at.1.wrapping_add(by.1));
    let mut open = 0;
    // The current stretch, and the first one, which may continue where the last ends.
    let mut run = OpenSpan::default();
    let mut first: Option<OpenSpan> = None;
    for (begin, along, out) in sides {
        let mut square = begin;
        for _ in 0..width {
            if shape.get_or_clear(square) {
                run.squares += 1;
                let further = std::iter::successors(Some(square), |&at| Some(step(at, out)));
                let depth = further.take(3).take_while(|&at| shape.get_or_clear(at)).count();
                run.depth = run.depth.max(depth);
            } else {
                open += run.end(&mut first);
            }
            square = step(square, along);
        }
        // The corner is one past the side.
        if !shape.get_or_clear(square) {
            open += run.end(&mut first);
        }
    }
    if let Some(first) = first {
        let whole = OpenSpan {
            squares: run.squares + first.squares,
            depth: run.depth.max(first.depth),
        };
        open += u32::from(whole.leads_on());
    }
    if open < 3 { 0 } else { open }
}

/// A stretch of open squares around an open block.
#[derive(Debug, Clone, Copy, Default)]
struct OpenSpan {
    squares: usize,
    /// Largest number of squares that one can walk straight out, at most three.
    depth: usize,
}

impl OpenSpan {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn openings_found_with_bits_agree_with_a_search_square_by_square() {
        let (rows, columns) = (70, 90);
        for share in [60, 80, 90, 97] {
            for width in [1, 2, 3, 5, 14, 31] {
                let mut found = [0; 5];
                for seed in 0..300_u64 {
                    let mut shape = BitRows::default();
                    shape.fit(rows, columns);
                    for (row, column) in (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column))) {
                        let hash = crate::engine::random::mix(seed << 32 | (row * columns + column) as u64);
                        if hash % 100 < share {
                            shape.set(row, column);
                        }
                    }
                    // A block in a corner of the map, and one inside.
                    let at = [(0, columns - width), (19, 33)][seed as usize % 2];
                    for row in at.0..at.0 + width {
                        shape.fill(row, at.1, at.1 + width);
                    }
                    let mut transposed = BitRows::default();
                    shape.transpose(&mut transposed);
                    let ways = openings([&shape, &transposed], at, width);
                    assert_eq!(ways, openings_of_hall(&shape, at, width), "{share} {width} {seed}");
                    found[ways.min(4) as usize] += 1;
                }
                assert!(found[0] > 0 || found[4] > 0, "{found:?}");
            }
        }
    }
}
