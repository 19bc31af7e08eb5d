//! The widest blocks of a map. A *block* consists of w × w open squares, and w is its width. It is one of the widest if
//! no larger block contains it.
//!
//! A block of width w + 1 consists of four overlapping blocks of width w, so the blocks of all widths are found one
//! width after the other, 64 at a time: a word holds the top left squares of up to 64 blocks. A block is one of the
//! widest if no block of the next width contains it. These few blocks together cover all open squares. The caller adds
//! them to a [`Covered`], the largest first, so that each square counts for the largest block that contains it.

use std::ops::Range;

use super::bit_rows::{BitRows, bits};

/// Blocks of one width whose top left squares are in the same word of the map.
#[derive(Debug, Clone, Copy)]
pub(super) struct BlockWord {
    /// Index of the word in the map.
    pub(super) index: usize,
    /// Bits of the top left squares.
    pub(super) bits: u64,
}

impl BlockWord {
    /// Returns the row and column of each top left square.
    pub(super) fn squares(self, map: &BitRows) -> impl Iterator<Item = (usize, usize)> {
        bits(self.bits).map(move |bit| map.place(self.index, bit))
    }
}

/// The search for the widest blocks, with its buffers.
#[derive(Debug, Default)]
pub(super) struct WidestBlocks {
    /// Number of words in a row of the map. Each buffer consists of `across` clear words, the words of the map, and
    /// `across + 1` more clear words.
    across: usize,
    /// Top left squares of the blocks of the current width.
    here: Vec<u64>,
    /// Top left squares of the blocks of this width that have another such block one column further right.
    pairs: Vec<u64>,
    /// Top left squares of the blocks that are one square wider.
    wider: Vec<u64>,
    /// The squares in `wider`, and the squares directly to the right of them.
    wider_tops: Vec<u64>,
    /// Range of words in `here` that contains all set bits.
    range: Range<usize>,
    /// The widest blocks of all widths, sorted by width and then by row, followed by all blocks that are one square
    /// wider than the greatest width searched.
    found: Vec<BlockWord>,
    /// For each width from 1, the number of entries in `found` up to and including this width.
    ends: Vec<usize>,
}

impl WidestBlocks {
    /// Finds the widest blocks of the open squares in a map, up to the width `most`.
    pub(super) fn find(&mut self, open: &BitRows, most: usize) {
        self.across = open.across();
        let words = open.words();
        for buffer in [&mut self.here, &mut self.pairs, &mut self.wider, &mut self.wider_tops] {
            buffer.clear();
            buffer.resize(words.len() + 2 * self.across + 1, 0);
        }
        self.range = self.across..self.across + words.len();
        self.here[self.range.clone()].copy_from_slice(words);
        self.found.clear();
        self.ends.clear();
        while self.trim() && self.ends.len() < most {
            self.widen();
        }
        let left = self.range.clone().zip(&self.here[self.range.clone()]);
        let left = left.filter(|(_, bits)| **bits != 0);
        self.found.extend(left.map(|(at, &bits)| BlockWord {
            index: at - self.across,
            bits,
        }));
    }

    /// Removes clear words from both ends of the range. Returns whether any word remains.
    fn trim(&mut self) -> bool {
        let here = &self.here[self.range.clone()];
        let is_used = |word: &u64| *word != 0;
        let first = here.iter().position(is_used);
        let last = here.iter().rposition(is_used);
        let is_any = first.is_some();
        let (first, end) = first.zip(last).map_or((0, 0), |(first, last)| (first, last + 1));
        self.range = self.range.start + first..self.range.start + end;
        is_any
    }

    /// Finds the blocks that are one square wider, and appends to `found` the current blocks that are in none of
    /// these wider blocks.
    fn widen(&mut self) {
        let (Range { start, end }, across) = (self.range.clone(), self.across);
        // Outside the range, all buffers except `here` contain bits of earlier widths: clear the words that the
        // following code reads.
        self.pairs[end..end + across].fill(0);
        self.wider[start - 1] = 0;
        self.wider_tops[start - across..start].fill(0);
        let rights = self.here[start..=end].windows(2);
        for (pair, here) in self.pairs[start..end].iter_mut().zip(rights) {
            *pair = here[0] & (here[0] >> 1 | here[1] << 63);
        }
        let pairs = self.pairs[start..end].iter().zip(&self.pairs[start + across..]);
        for (wider, (above, below)) in self.wider[start..end].iter_mut().zip(pairs) {
            *wider = above & below;
        }
        let lefts = self.wider[start - 1..end].windows(2);
        for (tops, wider) in self.wider_tops[start..end].iter_mut().zip(lefts) {
            *tops = wider[1] | wider[1] << 1 | wider[0] >> 63;
        }
        let tops = self.wider_tops[start - across..].iter().zip(&self.wider_tops[start..]);
        let words = self.here[start..end].iter_mut().zip(&self.wider[start..end]);
        for (index, ((here, &wider), (above, tops))) in (start - across..).zip(words.zip(tops)) {
            let bits = *here & !(above | tops);
            if bits != 0 {
                self.found.push(BlockWord { index, bits });
            }
            *here = wider;
        }
        self.ends.push(self.found.len());
    }

    /// Returns the greatest width of a block, at most the greatest width searched.
    pub(super) fn widths(&self) -> usize {
        self.ends.len()
    }

    /// Returns the widest blocks of one width, row by row.
    pub(super) fn of_width(&self, width: usize) -> &[BlockWord] {
        let first = width.checked_sub(2).map_or(0, |before| self.ends[before]);
        &self.found[first..self.ends[width - 1]]
    }

    /// Returns all blocks that are one square wider than the greatest width searched.
    pub(super) fn beyond(&self) -> &[BlockWord] {
        &self.found[self.ends.last().copied().unwrap_or(0)..]
    }
}

/// The squares covered by blocks, and their number.
#[derive(Debug, Default)]
pub(super) struct Covered {
    squares: BitRows,
    count: u32,
}

impl Covered {
    /// Returns the covered squares.
    pub(super) const fn squares(&self) -> &BitRows {
        &self.squares
    }

    /// Clears the squares and resizes the map.
    pub(super) fn fit(&mut self, rows: usize, columns: usize) {
        self.squares.fit(rows, columns);
        self.count = 0;
    }

    /// Adds the squares of blocks, which must have the same `width`, at most 64. Returns the number of squares that
    /// were not covered before.
    pub(super) fn add(&mut self, blocks: &[BlockWord], width: usize) -> u32 {
        if blocks.is_empty() {
            return 0;
        }
        for block in blocks {
            self.fill(*block, width);
        }
        let count = self.squares.count();
        count - std::mem::replace(&mut self.count, count)
    }

    /// Adds the squares of the blocks in one word.
    fn fill(&mut self, BlockWord { index, bits }: BlockWord, width: usize) {
        let mut squares = u128::from(bits);
        let mut done = 1;
        while done < width {
            let shift = done.min(width - done);
            squares |= squares << shift;
            done += shift;
        }
        let across = self.squares.across();
        let words = self.squares.words_mut();
        for (index, squares) in [(index, squares as u64), (index + 1, (squares >> 64) as u64)] {
            if squares != 0 {
                let rows = words[index..].iter_mut().step_by(across).take(width);
                rows.for_each(|word| *word |= squares);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_widest_blocks_cover_the_squares_of_their_width() {
        for (rows, columns) in [(9, 9), (12, 63), (20, 64), (17, 65), (40, 130)] {
            let mut open = BitRows::default();
            open.fit(rows, columns);
            for (row, column) in (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column))) {
                let hash = crate::engine::random::mix((row * columns + column) as u64);
                if hash % 100 < 95 {
                    open.set(row, column);
                }
            }
            let is_block = |row: usize, column: usize, width: usize| {
                row + width <= rows
                    && column + width <= columns
                    && (row..row + width).all(|row| (column..column + width).all(|column| open.get(row, column)))
            };
            let blocks_of = |width: usize| {
                let all = (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
                let all = all.filter(|&(row, column)| is_block(row, column, width));
                all.collect::<Vec<(usize, usize)>>()
            };
            let most = 5;
            let mut blocks = WidestBlocks::default();
            blocks.find(&open, most);
            let mut covered = Covered::default();
            covered.fit(rows, columns);
            let mut squares = covered.add(blocks.beyond(), most + 1);
            for width in (1..=blocks.widths()).rev() {
                let larger = blocks_of(width + 1);
                let contains = |&(row, column): &(usize, usize)| {
                    let larger = larger.iter();
                    let near = |one: usize, other: usize| one == other || one == other + 1;
                    larger.clone().any(|&(x, y)| near(row, x) && near(column, y))
                };
                let widest: Vec<_> = blocks_of(width).into_iter().filter(|at| !contains(at)).collect();
                let found = blocks.of_width(width).iter().flat_map(|block| block.squares(&open));
                assert_eq!(found.collect::<Vec<_>>(), widest, "{rows} × {columns}, {width}");
                squares += covered.add(blocks.of_width(width), width);
                assert_eq!(squares, covered.squares().count());
                let expected = blocks_of(width);
                let mut all = BitRows::default();
                all.fit(rows, columns);
                for (row, column) in expected {
                    (row..row + width).for_each(|row| all.fill(row, column, column + width));
                }
                assert_eq!(&all, covered.squares(), "{rows} × {columns}, {width}");
            }
            assert_eq!(squares, open.count());
        }
    }
}
