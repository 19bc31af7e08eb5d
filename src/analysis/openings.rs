//! The openings of a block: the ways out of it. A block consists of w × w open squares, and w is its width.
//!
//! A *stretch* is a sequence of connected open squares around the block; it may turn a corner. A stretch of n squares
//! is an opening if you can start on one of its squares and walk straight outward over at least n + 1 open squares,
//! counting the square where you start. However long the stretch is, a walk over three squares is enough. An open
//! corner connects two sides, but does not count as a square of the stretch.
//!
//! The squares around a block that is at most 63 squares wide are examined as bits: see [`Ring`]. The openings of
//! single squares and of blocks of two by two squares, by far the most frequent ones, are counted 64 at a time: see
//! [`Ways`].

use super::bit_rows::BitRows;

const WORD: usize = u64::BITS as usize;

/// Returns the number of openings of an open block if there are at least three, otherwise 0. `maps` contains two maps
/// in which the open squares are set; the second map equals the first with rows and columns exchanged. `at` is the row
/// and column of the block's top left square.
pub(super) fn openings(maps: [&BitRows; 2], at: (usize, usize), width: usize) -> u32 {
    if width >= WORD {
        return openings_by_squares(maps[0], at, width);
    }
    let ring = Ring::new(maps, at, width);
    if width < WORD / 2 && !ring.may_part() {
        return 0;
    }
    let ways = ring.openings(maps, at);
    if ways < 3 { 0 } else { ways }
}

/// Returns the squares that lie `out` steps outward from the sides of a block that is at most 63 squares wide: above,
/// right, left and below. If `out` is 1, the bit after the last square of a side is the corner; later bits have no
/// meaning.
#[expect(
    clippy::inline_always,
    reason = "measured: the calls would take 1.4% of the time that all metrics take"
)]
#[inline(always)]
fn sides([by_rows, by_columns]: [&BitRows; 2], (row, column): (usize, usize), width: usize, out: usize) -> [u64; 4] {
    let beside = |first: usize| [first.wrapping_sub(out), first + width + out - 1];
    let [above, below] = by_rows.bits_of_two(beside(row), column, width + 1);
    let [left, right] = by_columns.bits_of_two(beside(column), row, width + 1);
    [above, right, left, below]
}

/// The open squares around an open block that is at most 63 squares wide.
///
/// They form two chains from the block's top left to its bottom right corner: one along the sides above and right, the
/// other along the sides left and below. The bit between two sides is the corner between them; it is set only if the
/// corner connects these sides.
#[derive(Debug)]
struct Ring {
    width: usize,
    /// The sides above, right, left and below. The first side of each chain ends with the corner.
    sides: [u64; 4],
    /// Whether a corner connects the first squares of both chains, and whether a corner connects their last squares.
    joins_begins: bool,
    joins_ends: bool,
}

impl Ring {
    #[inline]
    fn new(maps: [&BitRows; 2], at: (usize, usize), width: usize) -> Self {
        let [above, right, left, below] = sides(maps, at, width, 1);
        let side = u64::MAX >> (WORD - width);
        let with_corner = |one: u64, next: u64| one & (side | one << 1 & next << width & 1 << width);
        let corner = (at.0.wrapping_sub(1), at.1.wrapping_sub(1));
        Self {
            width,
            sides: [
                with_corner(above, right),
                right & side,
                with_corner(left, below),
                below & side,
            ],
            joins_begins: above & left & 1 != 0 && maps[0].get_or_clear(corner),
            joins_ends: (right & below & below >> 1) >> (width - 1) & 1 != 0,
        }
    }

    /// Returns whether there are at least three stretches around the block. The block must be at most 31 squares wide,
    /// so that a chain fits into a word.
    #[inline]
    fn may_part(&self) -> bool {
        let ([above, right, left, below], side) = (self.sides, u64::MAX >> (WORD - self.width));
        // A shortcut for the many blocks in a passage between two walls.
        let is_within = |ends: u64, walls: u64| ends & side == side && walls & side == 0;
        if is_within(above & below, left | right) || is_within(left & right, above | below) {
            return false;
        }
        let mut stretches = -i32::from(self.joins_begins) - i32::from(self.joins_ends);
        for chain in [above | right << (self.width + 1), left | below << (self.width + 1)] {
            let mut starts = chain & !(chain << 1);
            while starts != 0 {
                starts &= starts - 1;
                stretches += 1;
            }
        }
        stretches >= 3
    }

    /// Returns the number of openings; 0 if all squares around the block are open.
    fn openings(&self, maps: [&BitRows; 2], at: (usize, usize)) -> u32 {
        let side = u64::MAX >> (WORD - self.width);
        let deeper = |near: [u64; 4], out: usize| {
            let further = sides(maps, at, self.width, out);
            std::array::from_fn(|i| near[i] & further[i] & side)
        };
        let join = |one: u64, other: u64| u128::from(one) | u128::from(other) << (self.width + 1);
        let chains = |[above, right, left, below]: [u64; 4]| [join(above, right), join(left, below)];
        // The squares from which a straight walk outward covers at least two squares, and those from which it covers
        // three.
        let two_deep = deeper(self.sides, 2);
        let three_deep = deeper(two_deep, 3);
        let [open, two_deep, three_deep] = [self.sides, two_deep, three_deep].map(chains);
        let last = 2 * self.width;
        let joined = u128::from(self.joins_begins) | u128::from(self.joins_ends) << last;
        // The squares that make their stretch an opening.
        let mut leads = [0, 1].map(|chain| {
            let open = open[chain];
            let alone = open & !(open << 1 | open >> 1 | joined);
            three_deep[chain] | two_deep[chain] & alone
        });
        let first_leads = |chain: usize| leads[chain] & open[chain] & !(open[chain] + 1) != 0;
        let mut shared = 0;
        if self.joins_begins && (first_leads(0) || first_leads(1)) {
            leads = leads.map(|leads| leads | 1);
            shared += 1;
        }
        // Adding some bits of a stretch to the whole stretch carries into the bit after its end, so there is one set
        // bit for each opening.
        let ends = [0, 1].map(|chain| (open[chain] + leads[chain]) & !open[chain]);
        if self.joins_ends && (ends[0] & ends[1]) >> (last + 1) & 1 != 0 {
            shared += 1;
        }
        ends[0].count_ones() + ends[1].count_ones() - shared
    }
}

/// Counts the openings of a block of any width, square by square. Returns their number if there are at least three,
/// otherwise 0.
fn openings_by_squares(shape: &BitRows, (row, column): (usize, usize), width: usize) -> u32 {
    let last = width - 1;
    let back = 1_usize.wrapping_neg();
    // For each side, clockwise: its first square, the step to its next square, and the step outward.
    let sides = [
        ((row.wrapping_sub(1), column), (0, 1), (back, 0)),
        ((row, column + width), (1, 0), (0, 1)),
        ((row + width, column + last), (0, back), (1, 0)),
        ((row + last, column.wrapping_sub(1)), (back, 0), (0, back)),
    ];
    let step = |at: (usize, usize), by: (usize, usize)| (at.0.wrapping_add(by.0), at.1.wrapping_add(by.1));
    let mut open = 0;
    // The current stretch, and the first stretch, which may be the continuation of the last one.
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
        // The square after the side is the corner.
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
    /// Largest number of squares that a straight walk outward can cover, at most three.
    depth: usize,
}

impl OpenSpan {
    const fn leads_on(self) -> bool {
        self.squares > 0 && (self.depth >= 3 || self.depth > self.squares)
    }

    /// Ends the stretch and returns 1 if it is an opening, otherwise 0. The first stretch to end is stored in `first`
    /// instead, and 0 is returned.
    fn end(&mut self, first: &mut Option<Self>) -> u32 {
        let run = std::mem::take(self);
        if first.is_none() {
            *first = Some(run);
            return 0;
        }
        u32::from(run.leads_on())
    }
}

/// The openings of single squares or of blocks of two by two squares, counted for 64 blocks at a time. Each side has
/// at most one opening, and two sides whose squares meet at an open corner share one.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Ways {
    /// Blocks with at least three openings.
    pub(super) three: u64,
    /// Blocks with four openings.
    pub(super) four: u64,
    /// Blocks in `three` that may have fewer openings than `three` and `four` indicate.
    pub(super) unknown: u64,
}

impl Ways {
    /// The value for blocks whose openings must be counted block by block.
    pub(super) const UNKNOWN: Self = Self {
        three: u64::MAX,
        four: 0,
        unknown: u64::MAX,
    };

    /// Counts the openings of the single squares in a word of a map. The result is valid only for squares that are in
    /// no larger block: around these, no two sides meet at an open corner, because otherwise the corner and the square
    /// would be in a larger block.
    pub(super) fn around_squares(open: &BitRows, word: usize) -> Self {
        let row = |down: usize| {
            let index = (word + down * open.across()).wrapping_sub(2 * open.across());
            open.words().get(index).copied().unwrap_or(0)
        };
        let here = RowPart::new(open, word);
        let [n, s] = [row(0) & row(1), row(3) & row(4)];
        let [w, e] = [here.left(1) & here.left(2), here.right(1) & here.right(2)];
        Self {
            three: n & s & (w | e) | w & e & (n | s),
            four: n & s & w & e,
            unknown: 0,
        }
    }

    /// Counts the openings of the blocks of two by two squares whose top left squares are in a word of a map.
    pub(super) fn around_two_by_two(open: &BitRows, word: usize) -> Self {
        let row = |down: usize| RowPart::new(open, (word + down * open.across()).wrapping_sub(3 * open.across()));
        // Three rows above the blocks, the two rows of the blocks, and three rows below.
        let rows: [RowPart; 8] = std::array::from_fn(row);
        let [_, _, above, top, bottom, below, ..] = rows;
        let rows_at = |rows: [RowPart; 3]| rows.map(|row| [row.here, row.right(1)]);
        let columns_at = |at: [usize; 3]| at.map(|right| [top.right(right), bottom.right(right)]);
        let [n, s, w, e] = [
            WordSides::new(rows_at([rows[2], rows[1], rows[0]])),
            WordSides::new(rows_at([rows[5], rows[6], rows[7]])),
            WordSides::new([1, 2, 3].map(|left| [top.left(left), bottom.left(left)])),
            WordSides::new(columns_at([2, 3, 4])),
        ];
        let open_sides = [n, s, w, e];
        // Blocks where two sides meet at an open corner.
        let nw = above.left(1) & above.here & top.left(1);
        let ne = above.right(2) & above.right(1) & top.right(2);
        let sw = below.left(1) & below.here & bottom.left(1);
        let se = below.right(2) & below.right(1) & bottom.right(2);
        // The count is unknown in two cases. A side with one open square was counted as an opening because of a walk
        // over two squares, but that square is part of a longer stretch. Or a side that is not an opening by itself
        // connects the sides next to it.
        let meetings = [(nw, ne), (sw, se), (nw, sw), (ne, se)];
        let unknown = open_sides
            .iter()
            .zip(meetings)
            .fold(0, |unknown, (side, (one, other))| {
                unknown | side.leads & !side.is_deep & (one | other) | !side.leads & one & other
            });
        let [n, s, w, e] = open_sides.map(|side| side.leads);
        let (nw, ne, sw, se) = (nw & n & w, ne & n & e, sw & s & w, se & s & e);
        let one_meets = nw | ne | sw | se;
        let two_meet = (nw | ne) & (sw | se) | nw & ne | sw & se;
        let all = n & s & w & e;
        let three = (n & s & (w | e)) | (w & e & (n | s));
        Self {
            three: three & (!one_meets | all & !two_meet),
            four: all & !one_meets,
            unknown: three & unknown,
        }
    }
}

/// One side of each of 64 blocks of two by two squares.
#[derive(Debug, Clone, Copy)]
struct WordSides {
    /// Whether the side would be an opening if its stretch turned no corner.
    leads: u64,
    /// Whether a straight walk outward can cover three squares. If so, the side is an opening even if
    /// its stretch turns a corner.
    is_deep: u64,
}

impl WordSides {
    /// Returns one side of each block. The arguments say which squares beside that side are open: `near` for the two
    /// squares next to the block, `second` for the two squares one step farther outward, and `third` for the two
    /// squares two steps farther outward.
    const fn new([near, second, third]: [[u64; 2]; 3]) -> Self {
        let two = [near[0] & second[0], near[1] & second[1]];
        let is_deep = two[0] & third[0] | two[1] & third[1];
        let leads = (two[0] | two[1]) & (is_deep | !(near[0] & near[1]));
        Self { leads, is_deep }
    }
}

/// A word of a row, and the words before and after it. Words outside the map are clear.
#[derive(Debug, Clone, Copy)]
struct RowPart {
    before: u64,
    here: u64,
    after: u64,
}

impl RowPart {
    fn new(map: &BitRows, index: usize) -> Self {
        let word = |index: usize| map.words().get(index).copied().unwrap_or(0);
        Self {
            before: word(index.wrapping_sub(1)),
            here: word(index),
            after: word(index.wrapping_add(1)),
        }
    }

    /// Returns, for each column of the word, the bit that lies `by` columns further left. `by` must be from 1 to 63.
    const fn left(self, by: usize) -> u64 {
        self.here << by | self.before >> (WORD - by)
    }

    /// Returns, for each column of the word, the bit that lies `by` columns further right. `by` must be from 0 to 63.
    const fn right(self, by: usize) -> u64 {
        self.here >> by | self.after << 1 << (WORD - 1 - by)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a map of random squares, with an open block.
    fn sample(seed: u64, percent: u64, at: (usize, usize), width: usize) -> BitRows {
        let (rows, columns) = (110, 130);
        let mut shape = BitRows::default();
        shape.fit(rows, columns);
        for (row, column) in (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column))) {
            let hash = crate::engine::random::mix(seed << 32 | (row * columns + column) as u64);
            if hash % 100 < percent {
                shape.set(row, column);
            }
        }
        for row in at.0..at.0 + width {
            shape.fill(row, at.1, at.1 + width);
        }
        shape
    }

    #[test]
    fn openings_agree_with_a_search_square_by_square() {
        for percent in [60, 80, 90, 97] {
            for width in [1, 2, 3, 5, 14, 31, 32, 63, 64, 65, 80] {
                let mut found = [0; 5];
                for seed in 0..100_u64 {
                    // A block in a corner of the map, and one inside.
                    let at = [(0, 130 - width), (19, 33)][seed as usize % 2];
                    let shape = sample(seed, percent, at, width);
                    let mut transposed = BitRows::default();
                    shape.transpose(&mut transposed);
                    let ways = openings([&shape, &transposed], at, width);
                    assert_eq!(ways, openings_by_squares(&shape, at, width), "{percent} {width} {seed}");
                    found[ways.min(4) as usize] += 1;
                }
                assert!(found[0] > 0 || found[4] > 0, "{found:?}");
            }
        }
    }

    #[test]
    fn openings_counted_together_agree_with_those_of_single_blocks() {
        let mut known = [[0; 3]; 2];
        for percent in [30, 40, 50, 65, 80] {
            let shape = sample(percent, percent, (0, 0), 1);
            let mut transposed = BitRows::default();
            shape.transpose(&mut transposed);
            let is_block = |row: usize, column: usize, width: usize| {
                let is_open =
                    |i: usize| shape.get_or_clear((row.wrapping_add(i / width), column.wrapping_add(i % width)));
                (0..width * width).all(is_open)
            };
            let squares = (0..109_usize).flat_map(|row| (0..129_usize).map(move |column| (row, column)));
            for ((row, column), width) in squares.flat_map(|at| [(at, 1), (at, 2)]) {
                // Only blocks that no larger block contains are counted.
                let contained = [(0, 0), (1, 0), (0, 1), (1, 1)]
                    .map(|(up, left)| is_block(row.wrapping_sub(up), column.wrapping_sub(left), width + 1));
                if !is_block(row, column, width) || contained.contains(&true) {
                    continue;
                }
                let word = row * shape.across() + column / WORD;
                let Ways { three, four, unknown } = match width {
                    1 => Ways::around_squares(&shape, word),
                    _ => Ways::around_two_by_two(&shape, word),
                };
                let is_in = |bits: u64| bits >> (column % WORD) & 1 != 0;
                let ways = openings_by_squares(&shape, (row, column), width);
                let counted = if is_in(three) { 3 + u32::from(is_in(four)) } else { 0 };
                assert!(counted >= ways, "{row} {column}");
                if !is_in(unknown) {
                    assert_eq!(counted, ways, "{row} {column}");
                    known[width - 1][ways.saturating_sub(2) as usize] += 1;
                }
            }
        }
        assert!(known.as_flattened().iter().all(|&number| number > 5), "{known:?}");
    }
}
