//! A bit map that counts clear positions along its lines. A count goes forwards or backwards from a given position: it
//! finds how many consecutive positions are clear in all lines of a band of neighbouring lines.
//!
//! Each line is divided into 64-bit words, and the words of neighbouring lines are adjacent in memory. A count
//! therefore combines only a few words with OR. [`Grid`](super::Grid), the only user of this module, has one map whose
//! lines are the rows of the grid, and one map whose lines are the columns.

use std::hint::select_unpredictable;

const WORD: usize = u64::BITS as usize;

/// Number of lines of set bits before the first line of the map and after its last line. A count over a band that
/// extends at most `MARGIN` lines to either side of its middle line therefore needs no check that all lines of the band
/// exist.
const MARGIN: usize = 3;

/// A map of lines of bits. All bits of a new map are clear; bits outside the map count as set.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct BitMap {
    /// Columns of words: the first 64 bits of every line, then the next 64 bits of every line, and so on. `MARGIN`
    /// words of set bits precede each column and follow the last one.
    words: Vec<u64>,
    /// Number of words from the start of one column of words to the next: one word per line, plus `MARGIN`.
    stride: u32,
    /// Number of bits per line.
    length: u32,
}

impl Clone for BitMap {
    fn clone(&self) -> Self {
        Self {
            words: self.words.clone(),
            ..*self
        }
    }

    /// Reuses the existing allocation.
    fn clone_from(&mut self, source: &Self) {
        self.words.clone_from(&source.words);
        (self.stride, self.length) = (source.stride, source.length);
    }
}

impl BitMap {
    /// Creates a clear map of `lines` lines with `length` bits each; a negative number counts as 0.
    pub(super) fn new(lines: i32, length: i32) -> Self {
        let mut map = Self {
            words: Vec::new(),
            stride: lines.max(0) as u32 + MARGIN as u32,
            length: length.max(0) as u32,
        };
        let columns = map.columns();
        map.words.resize(map.first_word(columns) + MARGIN, u64::MAX);
        for column in 0..columns {
            let first = map.first_word(column) + MARGIN;
            // Bits beyond the end of a line are set.
            let clear = (length as usize - column * WORD).min(WORD);
            map.words[first..first + lines.max(0) as usize].fill(!(u64::MAX >> (WORD - clear)));
        }
        map
    }

    /// Returns the number of words of a line.
    const fn columns(&self) -> usize {
        (self.length as usize).div_ceil(WORD)
    }

    /// Returns the index of the first margin word of a column of words, `MARGIN` words before the word of the first
    /// line.
    #[inline]
    const fn first_word(&self, column: usize) -> usize {
        column * self.stride as usize
    }

    /// Returns the index of the word that contains a bit of a line.
    #[inline]
    const fn word(&self, line: usize, bit: usize) -> usize {
        self.first_word(bit / WORD) + line + MARGIN
    }

    /// Returns the total size of all words, in bytes.
    pub(super) fn bytes(&self) -> usize {
        size_of_val(&self.words[..])
    }

    /// Sets or clears one bit. The caller must ensure that the bit exists; the same applies to all functions below.
    #[inline]
    pub(super) fn set(&mut self, line: usize, bit: usize, on: bool) {
        let index = self.word(line, bit);
        let word = &mut self.words[index];
        let place = bit % WORD;
        *word = *word & !(1 << place) | u64::from(on) << place;
    }

    /// Sets `count` bits of a line from `start` on.
    #[inline]
    pub(super) fn set_run(&mut self, line: usize, start: usize, count: usize) {
        let place = start % WORD;
        let index = self.word(line, start);
        if place + count >= WORD {
            self.set_across_words(line, start, count);
        } else if let Some(word) = self.words.get_mut(index) {
            *word |= ((1 << count) - 1) << place;
        }
    }

    /// Like [`Self::set_run`], for runs that reach or cross the end of a word.
    #[cold]
    #[inline(never)]
    fn set_across_words(&mut self, line: usize, start: usize, count: usize) {
        let (mut bit, end) = (start, start + count);
        while bit < end {
            let place = bit % WORD;
            let set = (WORD - place).min(end - bit);
            let index = self.word(line, bit);
            if let Some(word) = self.words.get_mut(index) {
                *word |= (u64::MAX >> (WORD - set)) << place;
            }
            bit += set;
        }
    }

    /// Returns the words that contain the position `bit` in the `count` lines from `first` on, and the mask of this
    /// position in each of these words.
    #[inline]
    pub(super) fn across(&mut self, first: usize, count: usize, bit: usize) -> (&mut [u64], u64) {
        let from = self.word(first, bit);
        let words = self.words.get_mut(from..from + count).unwrap_or_default();
        (words, 1 << (bit % WORD))
    }

    /// Counts the consecutive positions next to `bit` that are clear in all lines of a band: in `line` and in `half`
    /// lines to either side of it. Returns the number of positions before `bit` and the number after it, each up to
    /// `limit`; `bit` itself is not counted.
    #[expect(clippy::inline_always, reason = "measured: a third of the time would go into calls")]
    #[inline(always)]
    pub(super) fn clear_around(&self, line: usize, half: i32, bit: usize, limit: usize) -> [usize; 2] {
        let (column, place) = (bit / WORD, bit % WORD);
        let set = self.any(column, line, half);
        let found = [before(set, place).min(limit), behind(set, place).min(limit)];
        // A count that reaches the end of the word may continue in the next one.
        let continues = [found[0] >= place, found[1] >= WORD - 1 - place];
        if continues == [false, false] {
            return found;
        }
        [true, false].map(|back| {
            let side = usize::from(!back);
            if continues[side] {
                self.clear_across_words(line, half, bit, limit, back)
            } else {
                found[side]
            }
        })
    }

    /// Like [`Self::clear_around`], but counts only the positions after `bit` or, if `back` is true, only those before
    /// it.
    #[expect(
        clippy::inline_always,
        reason = "measured: without inlining, calls take too much time"
    )]
    #[inline(always)]
    pub(super) fn clear(&self, line: usize, half: i32, bit: usize, limit: usize, back: bool) -> usize {
        let (column, place) = (bit / WORD, bit % WORD);
        let set = self.any(column, line, half);
        // Computes both counts: `back` is unpredictable, so a branch on it would often be mispredicted.
        let found = select_unpredictable(back, before(set, place), behind(set, place)).min(limit);
        if found < select_unpredictable(back, place, WORD - 1 - place) {
            found
        } else {
            self.clear_across_words(line, half, bit, limit, back)
        }
    }

    /// Like [`Self::clear`], for a count that reaches the end of the word that contains `bit`.
    #[cold]
    #[inline(never)]
    fn clear_across_words(&self, line: usize, half: i32, bit: usize, limit: usize, back: bool) -> usize {
        let (mut column, place) = (bit / WORD, bit % WORD);
        let mut clear = if back { place } else { WORD - 1 - place };
        while clear < limit {
            column = if back { column.wrapping_sub(1) } else { column + 1 };
            if column >= self.columns() {
                break;
            }
            let set = self.any(column, line, half);
            let found = if back {
                set.leading_zeros()
            } else {
                set.trailing_zeros()
            };
            clear += found as usize;
            if set != 0 {
                break;
            }
        }
        clear.min(limit)
    }

    /// Combines words of one column with OR: returns the bits that are set in `line` or in any of the `half` lines to
    /// either side of it.
    #[expect(
        clippy::inline_always,
        reason = "measured: without inlining, calls take too much time"
    )]
    #[inline(always)]
    fn any(&self, column: usize, line: usize, half: i32) -> u64 {
        let first = self.first_word(column) + line;
        // The common corridor widths need neither a loop nor a check that the lines exist.
        match half {
            2 => any_of::<5>(self.words.get(first + 1..first + 6)),
            1 => any_of::<3>(self.words.get(first + 2..first + 5)),
            3 => any_of::<7>(self.words.get(first..first + 7)),
            _ => self.any_of_band(column, line, half.max(0) as usize),
        }
    }

    /// Like [`Self::any`], for any number of lines.
    #[inline(never)]
    fn any_of_band(&self, column: usize, line: usize, half: usize) -> u64 {
        if half > line || line + half + MARGIN >= self.stride as usize {
            return u64::MAX;
        }
        let first = self.first_word(column) + MARGIN + line - half;
        let words = self.words.get(first..=first + 2 * half).unwrap_or_default();
        let Some(&last) = words.last_chunk::<4>() else {
            return words.iter().fold(0, |any, word| any | word);
        };
        // `last` may overlap the groups of four words; combining a word with OR twice changes nothing.
        let (fours, _) = words.as_chunks::<4>();
        let any = fours
            .iter()
            .fold(last, |any, four| std::array::from_fn(|i| any[i] | four[i]));
        any.iter().fold(0, |any, word| any | word)
    }
}

/// Returns the bits that are set in any of `N` words.
#[inline]
fn any_of<const N: usize>(words: Option<&[u64]>) -> u64 {
    let words = words.and_then(|words| words.first_chunk::<N>());
    words.map_or(u64::MAX, |words| words.iter().fold(0, |any, word| any | word))
}

/// Returns the number of consecutive clear bits of a word directly before the bit `place`; 63 if all bits before it are
/// clear.
#[inline]
const fn before(set: u64, place: usize) -> usize {
    // The shifts move the bits before `place` to the upper end of the word and leave bit 0 clear. Setting bit 0 limits
    // the count to 63.
    (set << (WORD - 1 - place) << 1 | 1).leading_zeros() as usize
}

/// Returns the number of consecutive clear bits of a word directly after the bit `place`; 64 if all bits after it are
/// clear.
#[inline]
const fn behind(set: u64, place: usize) -> usize {
    (set >> place >> 1).trailing_zeros() as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_found_across_words_from_both_ends() {
        let mut map = BitMap::new(9, 300);
        map.set(4, 130, true);
        map.set(6, 63, true);
        map.set(6, 64, true);
        map.set(6, 64, false);
        let is_set = |line, bit| (line, bit) == (4, 130) || (line, bit) == (6, 63);
        for bits in [
            0..130,
            0..131,
            130..131,
            131..300,
            64..128,
            60..192,
            128..129,
            7..9,
            250..300,
        ] {
            for (middle, half) in [(4, 4), (4, 0), (2, 1), (5, 2), (6, 0), (6, 1), (7, 1), (5, 3)] {
                let clear = |bit: &usize| !(middle - half..=middle + half).any(|line| is_set(line, *bit));
                let ahead = bits.clone().skip(1).take_while(clear).count();
                let back = bits.clone().rev().skip(1).take_while(clear).count();
                let (first, last, most) = (bits.start, bits.end - 1, bits.len() - 1);
                assert_eq!(
                    map.clear(middle as usize, half, first, most, false),
                    ahead,
                    "{middle} {half} {bits:?} ahead"
                );
                assert_eq!(
                    map.clear(middle as usize, half, last, most, true),
                    back,
                    "{middle} {half} {bits:?} back"
                );
                assert_eq!(
                    map.clear_around(middle as usize, half, first, most)[1],
                    ahead,
                    "{middle} {half} {bits:?} ahead of two"
                );
                assert_eq!(
                    map.clear_around(middle as usize, half, last, most)[0],
                    back,
                    "{middle} {half} {bits:?} back of two"
                );
            }
        }
    }
}
