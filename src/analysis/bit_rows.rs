//! Bitmaps of squares, by rows: 64 squares of a row in each word.
//!
//! Most metrics are found 64 squares at a time. Each row ends with at least one clear bit, so that a step to the right
//! or to the left never runs from one row into the next, and whole maps can be shifted word by word.

const WORD: usize = u64::BITS as usize;

/// A bitmap with one bit for each square.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(super) struct BitRows {
    rows: usize,
    columns: usize,
    /// Number of words in a row; bit 0 of the first is the first column.
    across: usize,
    words: Vec<u64>,
}

impl BitRows {
    /// Resizes the map and clears all bits.
    pub(super) fn fit(&mut self, rows: usize, columns: usize) {
        (self.rows, self.columns, self.across) = (rows, columns, columns / WORD + 1);
        self.words.clear();
        self.words.resize(rows * self.across, 0);
    }

    /// Copies another map, reusing the allocation.
    pub(super) fn copy_from(&mut self, other: &Self) {
        (self.rows, self.columns, self.across) = (other.rows, other.columns, other.across);
        self.words.clone_from(&other.words);
    }

    pub(super) const fn rows(&self) -> usize {
        self.rows
    }

    pub(super) const fn columns(&self) -> usize {
        self.columns
    }

    /// Returns whether no bit is set.
    pub(super) fn is_empty(&self) -> bool {
        self.words.iter().all(|&word| word == 0)
    }

    /// Returns the number of set bits.
    pub(super) fn count(&self) -> u32 {
        self.words.iter().map(|word| word.count_ones()).sum()
    }

    /// Returns whether a bit is set. The caller checks that it exists.
    pub(super) fn get(&self, row: usize, column: usize) -> bool {
        self.words[row * self.across + column / WORD] >> (column % WORD) & 1 != 0
    }

    /// Returns whether a bit is set; outside the map none is.
    pub(super) fn get_or_clear(&self, (row, column): (usize, usize)) -> bool {
        row < self.rows && column < self.columns && self.get(row, column)
    }

    /// Replaces the words of a row. The bits from the last column on must be clear.
    pub(super) fn set_row(&mut self, row: usize, words: impl Iterator<Item = u64>) {
        let first = row * self.across;
        for (word, new) in self.words[first..first + self.across].iter_mut().zip(words) {
            *word = new;
        }
    }

    /// Writes the bits of a row as bytes.
    pub(super) fn copy_row(&self, row: usize, bytes: &mut [bool]) {
        let words = &self.words[row * self.across..][..self.across];
        for (bytes, word) in bytes.chunks_mut(WORD).zip(words) {
            let (eights, rest) = bytes.as_chunks_mut::<8>();
            let mut bits = word.to_le_bytes().into_iter().map(spread_bits);
            for (eight, bits) in eights.iter_mut().zip(&mut bits) {
                *eight = bits;
            }
            let last = bits.next().unwrap_or_default();
            rest.copy_from_slice(&last[..rest.len()]);
        }
    }

    /// Returns the number of set bits on the border of the map.
    pub(super) fn count_border(&self) -> u32 {
        let (Some(last_row), Some(last_column)) = (self.rows.checked_sub(1), self.columns.checked_sub(1)) else {
            return 0;
        };
        let is_end = |row: usize| row == 0 || row == last_row;
        let ends = [0, last_row].into_iter().take(self.rows.min(2));
        let ends: u32 = ends
            .flat_map(|row| &self.words[row * self.across..][..self.across])
            .map(|word| word.count_ones())
            .sum();
        let columns = [0, last_column];
        let columns = &columns[..self.columns.min(2)];
        let between = (0..self.rows).filter(|&row| !is_end(row));
        let sides = between.flat_map(|row| columns.iter().map(move |&column| (row, column)));
        ends + sides.filter(|&(row, column)| self.get(row, column)).count() as u32
    }

    /// Sets the bit of a square to 1.
    pub(super) fn set(&mut self, row: usize, column: usize) {
        self.words[row * self.across + column / WORD] |= 1 << (column % WORD);
    }

    /// Returns whether any bit of a row is set from column `from` to the one before `to`; these are at least one
    /// column.
    pub(super) fn any(&self, row: usize, from: usize, to: usize) -> bool {
        let (first, last, head, tail) = span(from, to);
        let words = &self.words[row * self.across..][first..=last];
        match words {
            [one] => one & head & tail != 0,
            [one, .., other] => {
                let between = &words[1..words.len() - 1];
                one & head != 0 || other & tail != 0 || between.iter().any(|&word| word != 0)
            }
            [] => false,
        }
    }

    /// Returns up to 64 bits of a row from column `from` on, the first in bit 0; clear bits if the row does not exist. The
    /// columns must exist.
    #[inline]
    pub(super) fn bits(&self, row: usize, from: usize, count: usize) -> u64 {
        if row >= self.rows {
            return 0;
        }
        let (first, shift) = (row * self.across + from / WORD, from % WORD);
        let mut bits = self.words[first] >> shift;
        if shift + count > WORD {
            bits |= self.words[first + 1] << (WORD - shift);
        }
        bits & (u64::MAX >> (WORD - count))
    }

    /// Sets the bits of a row from column `from` to the one before `to`; these are at least one column.
    #[inline]
    pub(super) fn fill(&mut self, row: usize, from: usize, to: usize) {
        let (first, last, head, tail) = span(from, to);
        let begin = row * self.across;
        if first == last {
            self.words[begin + first] |= head & tail;
            return;
        }
        self.words[begin + first] |= head;
        self.words[begin + first + 1..begin + last].fill(u64::MAX);
        self.words[begin + last] |= tail;
    }

    /// Visits the runs of set bits in a row: the first column of each, and the one after its last.
    #[inline]
    pub(super) fn each_run(&self, row: usize, mut visit: impl FnMut(u32, u32)) {
        // A bit that differs from the one before it begins or ends a run.
        let (mut before, mut begin, mut is_inside) = (0, 0, false);
        for (i, &word) in self.words[row * self.across..][..self.across].iter().enumerate() {
            let mut edges = word ^ (word << 1 | before);
            before = word >> (WORD - 1);
            while edges != 0 {
                let at = (i * WORD) as u32 + edges.trailing_zeros();
                edges &= edges - 1;
                if is_inside {
                    visit(begin, at);
                }
                begin = at;
                is_inside = !is_inside;
            }
        }
    }

    /// Returns the row and column of each set bit, row by row.
    pub(super) fn ones(&self) -> impl Iterator<Item = (usize, usize)> {
        self.words
            .iter()
            .enumerate()
            .flat_map(move |(i, &word)| bits(word).map(move |bit| self.place(i, bit)))
    }

    /// Returns the row and column of a bit of a word.
    const fn place(&self, word: usize, bit: usize) -> (usize, usize) {
        (word / self.across, word % self.across * WORD + bit)
    }

    /// Writes the transposed map to `into`.
    pub(super) fn transpose(&self, into: &mut Self) {
        into.fit(self.columns, self.rows);
        for first in (0..self.rows).step_by(WORD) {
            let rows = WORD.min(self.rows - first);
            for word in 0..self.columns.div_ceil(WORD) {
                let mut block = [0; WORD];
                for (i, bits) in block[..rows].iter_mut().enumerate() {
                    *bits = self.words[(first + i) * self.across + word];
                }
                transpose(&mut block);
                let columns = WORD.min(self.columns - word * WORD);
                for (i, &bits) in block[..columns].iter().enumerate() {
                    into.words[(word * WORD + i) * into.across + first / WORD] = bits;
                }
            }
        }
    }

    /// Sets the bits that are set in another map of the same size.
    pub(super) fn add(&mut self, other: &Self) {
        self.combine(other, |mine, other| mine | other);
    }

    /// Clears the bits that are set in another map of the same size.
    pub(super) fn remove(&mut self, other: &Self) {
        self.combine(other, |mine, other| mine & !other);
    }

    /// Clears each bit if the bit `down` rows below and `right` columns (at most 63) to the right is clear in another map.
    pub(super) fn keep_if(&mut self, other: &Self, down: usize, right: usize) {
        self.shifted(other, down, right, |mine, other| mine & other);
    }

    /// Sets each bit if the bit `down` rows below and `right` columns (at most 63) to its right is set in another map.
    ///
    /// Near the right edge of a map the bits come from the next row: the caller must ignore the results there.
    pub(super) fn add_if(&mut self, other: &Self, down: usize, right: usize) {
        self.shifted(other, down, right, |mine, other| mine | other);
    }

    fn combine(&mut self, other: &Self, with: impl Fn(u64, u64) -> u64) {
        for (mine, &other) in self.words.iter_mut().zip(&other.words) {
            *mine = with(*mine, other);
        }
    }

    #[inline]
    fn shifted(&mut self, other: &Self, down: usize, right: usize, with: impl Fn(u64, u64) -> u64) {
        let shift = (down * self.across).min(self.words.len());
        let there = &other.words[shift..];
        let (mine, beyond) = self.words.split_at_mut(there.len());
        if right == 0 {
            for (mine, &there) in mine.iter_mut().zip(there) {
                *mine = with(*mine, there);
            }
        } else if let Some((&last, _)) = there.split_last() {
            let pairs = there.iter().zip(&there[1..]);
            for (mine, (&there, &next)) in mine.iter_mut().zip(pairs) {
                *mine = with(*mine, there >> right | next << (WORD - right));
            }
            if let Some(mine) = mine.last_mut() {
                *mine = with(*mine, last >> right);
            }
        }
        for mine in beyond {
            *mine = with(*mine, 0);
        }
    }

    /// Sets the bits up to `by` (at most 63) columns to the right of each set bit.
    pub(super) fn spread_right(&mut self, by: usize) {
        let mut done = 0;
        while done < by {
            let shift = (by - done).min(done + 1);
            let mut before = 0;
            for word in &mut self.words {
                let here = *word;
                *word |= here << shift | before >> (WORD - shift);
                before = here;
            }
            done += shift;
        }
    }

    /// Sets the bits up to `by` rows below each set bit.
    pub(super) fn spread_down(&mut self, by: usize) {
        let mut done = 0;
        while done < by {
            let shift = (by - done).min(done + 1);
            let down = shift * self.across;
            for i in (down..self.words.len()).rev() {
                self.words[i] |= self.words[i - down];
            }
            done += shift;
        }
    }

    /// Returns the word at an index; 0 outside the map.
    fn word(&self, index: usize) -> u64 {
        self.words.get(index).copied().unwrap_or(0)
    }
}

/// The surroundings of open square blocks of one width, found for 64 blocks at a time. A *step* is an open square from which
/// one can walk straight on, down the column or along the row.
#[derive(Debug, Default)]
pub(super) struct BlockSides {
    /// Open squares with an open square below, and those with an open square to the right.
    steps: [BitRows; 2],
    /// The same with two open squares.
    double_steps: [BitRows; 2],
    /// Whether one of the next squares along the row, or down the column, is a step.
    any: [BitRows; 2],
    /// The same for double steps.
    any_double: [BitRows; 2],
    /// Whether all of the next squares along the row, or down the column, are open.
    all: [BitRows; 2],
    width: usize,
}

impl BlockSides {
    /// Begins with blocks of one square.
    pub(super) fn begin(&mut self, open: &BitRows) {
        for (axis, (down, right)) in [(1, 0), (0, 1)].into_iter().enumerate() {
            let (steps, double) = (&mut self.steps[axis], &mut self.double_steps[axis]);
            steps.copy_from(open);
            steps.keep_if(open, down, right);
            double.copy_from(steps);
            double.keep_if(open, 2 * down, 2 * right);
            self.any[axis].copy_from(steps);
            self.any_double[axis].copy_from(double);
            self.all[axis].copy_from(open);
        }
        self.width = 1;
    }

    /// Makes the blocks wider by one.
    pub(super) fn widen(&mut self, open: &BitRows) {
        for (axis, (down, right)) in [(0, self.width), (self.width, 0)].into_iter().enumerate() {
            self.any[axis].add_if(&self.steps[axis], down, right);
            self.any_double[axis].add_if(&self.double_steps[axis], down, right);
            self.all[axis].keep_if(open, down, right);
        }
        self.width += 1;
    }

    /// Visits the blocks that may have three openings or more, by row and column of their top left squares, with the number
    /// of their openings if it is known. `blocks` are open blocks of the present width.
    ///
    /// An opening is a stretch of open squares around the block from which one can walk on: two squares deep if it is a
    /// single square, otherwise three. So each opening has a square on a side from which one can walk three squares, or
    /// two squares if the side is not fully open. A fully open side has one opening at most. A partly open side of
    /// three or four squares may have two openings, a longer side more.
    pub(super) fn each_with_openings(
        &self,
        open: &BitRows,
        blocks: &BitRows,
        mut visit: impl FnMut((usize, usize), Option<u32>),
    ) {
        for (i, &word) in blocks.words.iter().enumerate() {
            if word == 0 {
                continue;
            }
            let all = self.sides(&self.all, blocks.across, i, 1);
            let double = self.sides(&self.any_double, blocks.across, i, 3);
            let mut leads = self.sides(&self.any, blocks.across, i, 2);
            for side in (0..4).filter(|_| self.width > 1) {
                leads[side] &= double[side] | !all[side];
            }
            let [n, s, w, e] = leads;
            let three = (n & s & (w | e)) | (w & e & (n | s));
            if self.width == 2 {
                let three = three & word;
                let ways = (three != 0).then(|| TwoByTwo::around(open, i, leads, double));
                let TwoByTwo { three, four, unknown } = ways.map_or_else(TwoByTwo::default, |ways| ways.within(three));
                for bit in bits(three) {
                    let is_in = |bits: u64| bits >> bit & 1;
                    let ways = 3 + is_in(four) as u32;
                    visit(blocks.place(i, bit), (is_in(unknown) == 0).then_some(ways));
                }
                continue;
            }
            let may = if self.width < 3 {
                three
            } else {
                let parted = (0..4).fold(0, |parted, side| parted | leads[side] & !all[side]);
                let two = (n & (s | w | e)) | (s & (w | e)) | (w & e);
                three | parted & if self.width < 5 { two } else { u64::MAX }
            };
            bits(word & may).for_each(|bit| visit(blocks.place(i, bit), None));
        }
    }

    /// Returns the bits of two maps, along rows and along columns, at the four sides of the blocks whose top left squares
    /// are in a word: `back` squares above them and to their left, and next to them below and to their right.
    fn sides(&self, maps: &[BitRows; 2], across: usize, word: usize, back: usize) -> [u64; 4] {
        let [rows, columns] = maps;
        let before = columns.word(word.wrapping_sub(1)) >> (WORD - back);
        let after = columns.word(word + 1) << (WORD - self.width);
        [
            rows.word(word.wrapping_sub(back * across)),
            rows.word(word + self.width * across),
            columns.word(word) << back | before,
            columns.word(word) >> self.width | after,
        ]
    }
}

/// The openings around blocks of two by two squares, by far the most frequent candidates for junctions, counted for 64
/// blocks at a time. Each side has one opening at most, and two sides whose squares meet at an open corner share it.
#[derive(Debug, Clone, Copy, Default)]
struct TwoByTwo {
    /// Blocks with at least three openings, those with four, and those where `three` and `four` may be too many.
    three: u64,
    four: u64,
    unknown: u64,
}

impl TwoByTwo {
    /// Counts the openings around the blocks whose top left squares are in a word. `leads` are the sides with a square
    /// that leads on unless its stretch turns a corner, `double` the sides with a square that leads on in any case:
    /// above, below, left, right.
    fn around(open: &BitRows, word: usize, [n, s, w, e]: [u64; 4], double: [u64; 4]) -> Self {
        let row = |down: usize| {
            // Row 0 is the row above the blocks.
            let at = (word + down * open.across).wrapping_sub(open.across);
            let (before, here, after) = (
                open.word(at.wrapping_sub(1)),
                open.word(at),
                open.word(at.wrapping_add(1)),
            );
            // The squares left of the blocks, their own two columns, and those right of them.
            [
                here << 1 | before >> (WORD - 1),
                here,
                here >> 1 | after << (WORD - 1),
                here >> 2 | after << (WORD - 2),
            ]
        };
        let [above, top, bottom, below] = [row(0), row(1), row(2), row(3)];
        // Where two sides meet.
        let nw = above[0] & above[1] & top[0];
        let ne = above[2] & above[3] & top[3];
        let sw = below[0] & below[1] & bottom[0];
        let se = below[2] & below[3] & bottom[3];
        // A single square is part of a longer stretch, or a side that does not lead on connects its neighbours.
        let turns = [nw | ne, sw | se, nw | sw, ne | se];
        let connects = [nw & ne, sw & se, nw & sw, ne & se];
        let unknown = (0..4).fold(0, |unknown, side| {
            let leads = [n, s, w, e][side];
            unknown | leads & !double[side] & turns[side] | !leads & connects[side]
        });
        let (nw, ne, sw, se) = (nw & n & w, ne & n & e, sw & s & w, se & s & e);
        let one_meets = nw | ne | sw | se;
        let two_meet = (nw | ne) & (sw | se) | nw & ne | sw & se;
        let all = n & s & w & e;
        Self {
            three: !one_meets | (all & !two_meet),
            four: all & !one_meets,
            unknown,
        }
    }

    /// Returns the counts of the blocks with at least three sides that lead on.
    const fn within(self, blocks: u64) -> Self {
        Self {
            three: self.three & blocks,
            ..self
        }
    }
}

/// Returns the first and the last word of the columns from `from` to the one before `to`, and the bits of each.
#[inline]
const fn span(from: usize, to: usize) -> (usize, usize, u64, u64) {
    let last = to - 1;
    let (head, tail) = (u64::MAX << (from % WORD), u64::MAX >> (WORD - 1 - last % WORD));
    (from / WORD, last / WORD, head, tail)
}

/// Returns whether each of eight bits is set.
#[inline]
fn spread_bits(bits: u8) -> [bool; 8] {
    let copies = u64::from(bits) * 0x0101_0101_0101_0101;
    (copies & 0x8040_2010_0804_0201).to_le_bytes().map(|byte| byte != 0)
}

/// Returns the places of the set bits.
fn bits(word: u64) -> impl Iterator<Item = usize> {
    let mut left = word;
    std::iter::from_fn(move || {
        let bit = (left != 0).then(|| left.trailing_zeros() as usize)?;
        left &= left - 1;
        Some(bit)
    })
}

/// Exchanges the rows and columns of 64 × 64 bits, by exchanging ever smaller blocks.
fn transpose(block: &mut [u64; WORD]) {
    let mut half = WORD / 2;
    let mut mask = u64::MAX >> half;
    while half > 0 {
        for pair in block.chunks_exact_mut(2 * half) {
            let (upper, lower) = pair.split_at_mut(half);
            for (upper, lower) in upper.iter_mut().zip(lower) {
                let swapped = (*upper >> half ^ *lower) & mask;
                *upper ^= swapped << half;
                *lower ^= swapped;
            }
        }
        half /= 2;
        mask ^= mask << half;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a map with the bits that a multiplicative hash chooses.
    fn sample(rows: usize, columns: usize) -> BitRows {
        let mut map = BitRows::default();
        map.fit(rows, columns);
        for row in 0..rows {
            for column in 0..columns {
                let hash = ((row * 1013 + column) as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
                if hash >> 62 != 0 {
                    map.fill(row, column, column + 1);
                }
            }
        }
        map
    }

    const SIZES: [(usize, usize); 6] = [(1, 1), (3, 63), (5, 64), (65, 65), (130, 40), (7, 200)];

    #[test]
    fn transposed_maps_have_rows_and_columns_exchanged() {
        for (rows, columns) in SIZES {
            let map = sample(rows, columns);
            let mut other = BitRows::default();
            map.transpose(&mut other);
            assert_eq!((other.rows(), other.columns()), (columns, rows));
            for (row, column) in (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column))) {
                assert_eq!(map.get(row, column), other.get(column, row), "{row} {column}");
            }
            let mut back = BitRows::default();
            other.transpose(&mut back);
            assert_eq!(map, back);
        }
    }

    #[test]
    fn each_run_visits_the_runs_of_set_bits() {
        for (rows, columns) in SIZES {
            let map = sample(rows, columns);
            let mut again = BitRows::default();
            again.fit(rows, columns);
            for row in 0..rows {
                let mut last = None;
                map.each_run(row, |from, to| {
                    assert!(from < to && to as usize <= columns);
                    assert!(last.is_none_or(|last| last < from), "stretches that touch");
                    last = Some(to);
                    again.fill(row, from as usize, to as usize);
                });
            }
            assert_eq!(map, again);
            assert_eq!(map.ones().count() as u32, map.count());
        }
    }

    #[test]
    fn shifts_and_spreads_agree_with_single_bits() {
        for (rows, columns) in SIZES {
            let map = sample(rows, columns);
            for (down, right) in [(0, 0), (0, 1), (1, 0), (2, 3), (4, 33)] {
                let (mut both, mut either) = (map.clone(), map.clone());
                both.keep_if(&map, down, right);
                either.add_if(&map, down, right);
                for (row, column) in (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column))) {
                    let there = row + down < rows && column + right < columns && map.get(row + down, column + right);
                    if column + right < columns {
                        assert_eq!(both.get(row, column), map.get(row, column) && there);
                        assert_eq!(either.get(row, column), map.get(row, column) || there);
                    }
                }
            }
        }
        let mut one = BitRows::default();
        one.fit(9, 140);
        one.fill(2, 60, 61);
        one.spread_right(5);
        one.spread_down(3);
        let covered: Vec<_> = one.ones().collect();
        let expected: Vec<_> = (2..=5)
            .flat_map(|row| (60..=65).map(move |column| (row, column)))
            .collect();
        assert_eq!(covered, expected);
    }
}
