//! The views from the squares of a floor, as bits. Each view is computed when it is first needed.

use super::floor::{Caster, Floor};

const WORD: usize = u64::BITS as usize;

/// The views from the squares of a floor. A view has one bit for each square, in the order of the squares' numbers; the
/// bit is set if the square is visible.
#[derive(Debug, Default)]
pub(in crate::analysis) struct Views {
    pub(super) floor: Floor,
    caster: Caster,
    /// Number of words of a view.
    across: usize,
    words: Vec<u64>,
    /// For each view, the index of the first word that has a bit set, and the index after the last such word. Both are
    /// 0 until the view is computed.
    ranges: Vec<(u32, u32)>,
}

impl Views {
    /// Discards all views. Call this after loading a new floor.
    pub(super) fn begin(&mut self) {
        let squares = self.floor.len();
        self.across = squares.div_ceil(WORD);
        self.words.clear();
        self.words.resize(squares * self.across, 0);
        self.ranges.clear();
        self.ranges.resize(squares, (0, 0));
    }

    /// Computes the view from a square unless it is stored already.
    pub(super) fn find(&mut self, square: u32) {
        let range = &mut self.ranges[square as usize];
        if range.1 != 0 {
            return;
        }
        let view = &mut self.words[square as usize * self.across..][..self.across];
        let (mut low, mut high) = (square, square);
        self.caster.cast(&self.floor, square, |in_row, squares| {
            let (Some(&first), Some(&end)) = (squares.first(), squares.last()) else {
                return;
            };
            (low, high) = (low.min(first), high.max(end));
            if in_row {
                fill(view, first as usize, end as usize);
            } else {
                for &square in squares {
                    view[square as usize / WORD] |= 1 << (square as usize % WORD);
                }
            }
        });
        *range = (low / WORD as u32, high / WORD as u32 + 1);
    }

    /// Computes the views from all squares.
    pub(super) fn find_all(&mut self) {
        for square in 0..self.floor.len() as u32 {
            self.find(square);
        }
    }

    /// Returns the number of words of a view.
    pub(super) const fn across(&self) -> usize {
        self.across
    }

    /// Returns the index of the first word that has a bit set in the view from a square, and the words from there to
    /// the last such word. The view must have been computed.
    pub(super) fn of(&self, square: u32) -> (usize, &[u64]) {
        let (first, end) = self.ranges[square as usize];
        let begin = square as usize * self.across;
        (
            first as usize,
            &self.words[begin + first as usize..begin + end as usize],
        )
    }

    /// Returns the number of squares visible from a square, itself included. The view must have been computed.
    pub(super) fn count(&self, square: u32) -> u32 {
        self.of(square).1.iter().map(|word| word.count_ones()).sum()
    }

    /// Returns the number of squares visible from a square, itself included, without storing the view.
    pub(super) fn count_now(&mut self, square: u32) -> u32 {
        let mut count = 0;
        let add = |_: bool, squares: &[u32]| count += squares.len() as u32;
        self.caster.cast(&self.floor, square, add);
        count
    }

    /// Adds the squares visible from a square to a set, without storing the view.
    pub(super) fn add_now(&mut self, square: u32, set: &mut [u64]) {
        self.each_now(square, |square| {
            set[square as usize / WORD] |= 1 << (square as usize % WORD);
        });
    }

    /// Visits the squares visible from a square, itself included, without storing the view.
    pub(super) fn each_now(&mut self, square: u32, mut visit: impl FnMut(u32)) {
        let each = |_: bool, squares: &[u32]| squares.iter().for_each(|&square| visit(square));
        self.caster.cast(&self.floor, square, each);
    }
}

/// Sets a range of bits, both ends included.
fn fill(words: &mut [u64], first: usize, last: usize) {
    let (head, tail) = (u64::MAX << (first % WORD), u64::MAX >> (WORD - 1 - last % WORD));
    match &mut words[first / WORD..=last / WORD] {
        [one] => *one |= head & tail,
        [one, between @ .., other] => {
            *one |= head;
            between.fill(u64::MAX);
            *other |= tail;
        }
        [] => {}
    }
}

/// Visits the indices of the bits that are set.
pub(super) fn each_bit(words: &[u64], mut visit: impl FnMut(u32)) {
    for (i, &word) in words.iter().enumerate() {
        let mut left = word;
        while left != 0 {
            visit((i * WORD) as u32 + left.trailing_zeros());
            left &= left - 1;
        }
    }
}
