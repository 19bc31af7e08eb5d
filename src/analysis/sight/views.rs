//! The views of a floor's squares, as bits; each view is computed when it is first needed.

use super::floor::{Caster, Floor};

const WORD: usize = u64::BITS as usize;

/// The views of a floor's squares. The view of a square has one bit for each square, by its number.
#[derive(Debug, Default)]
pub(in crate::analysis) struct Views {
    pub(super) floor: Floor,
    caster: Caster,
    /// Number of words of a view.
    across: usize,
    words: Vec<u64>,
    /// Index of the first word of each view that has a bit set, and the index after the last; both 0 while the view is
    /// not known.
    ranges: Vec<(u32, u32)>,
}

impl Views {
    /// Discards all views, after a new floor was loaded.
    pub(super) fn begin(&mut self) {
        let squares = self.floor.len();
        self.across = squares.div_ceil(WORD);
        self.words.clear();
        self.words.resize(squares * self.across, 0);
        self.ranges.clear();
        self.ranges.resize(squares, (0, 0));
    }

    /// Computes the view of a square if it is not known.
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

    /// Computes the views of all squares.
    pub(super) fn find_all(&mut self) {
        for square in 0..self.floor.len() as u32 {
            self.find(square);
        }
    }

    /// Returns the number of words of a view.
    pub(super) const fn across(&self) -> usize {
        self.across
    }

    /// Returns the part of a square's view that has bits set, and the index of its first word. The view must have been
    /// found.
    pub(super) fn of(&self, square: u32) -> (usize, &[u64]) {
        let (first, end) = self.ranges[square as usize];
        let begin = square as usize * self.across;
        (
            first as usize,
            &self.words[begin + first as usize..begin + end as usize],
        )
    }

    /// Returns the number of squares that a square sees, itself included. The view must have been found.
    pub(super) fn count(&self, square: u32) -> u32 {
        self.of(square).1.iter().map(|word| word.count_ones()).sum()
    }

    /// Returns the number of squares that a square sees, itself included, without storing its view.
    pub(super) fn count_now(&mut self, square: u32) -> u32 {
        let mut count = 0;
        let add = |_: bool, squares: &[u32]| count += squares.len() as u32;
        self.caster.cast(&self.floor, square, add);
        count
    }

    /// Adds the squares that a square sees to a set, without storing its view.
    pub(super) fn add_now(&mut self, square: u32, set: &mut [u64]) {
        self.each_now(square, |square| {
            set[square as usize / WORD] |= 1 << (square as usize % WORD);
        });
    }

    /// Visits the squares that a square sees, itself included, without storing its view.
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

/// Visits the numbers of the set bits.
pub(super) fn each_bit(words: &[u64], mut visit: impl FnMut(u32)) {
    for (i, &word) in words.iter().enumerate() {
        let mut left = word;
        while left != 0 {
            visit((i * WORD) as u32 + left.trailing_zeros());
            left &= left - 1;
        }
    }
}
