//! A bit map that counts how many bits are clear in several neighbouring lines at once.
//!
//! Each line is divided into 64-bit words, and the words of neighbouring lines are adjacent in memory, so that a count
//! in either direction needs a few words combined with OR. [`Grid`](super::Grid) has one map with its rows as lines and
//! one with its columns as lines. No other module uses this one.

use std::hint::select_unpredictable;

const WORD: usize = u64::BITS as usize;

/// Neighbouring lines, from the first to before the end.
#[derive(Debug, Clone, Copy)]
pub(super) struct LineBand {
    first: usize,
    end: usize,
}

/// Lines of bits, all clear at first.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct BitMap {
    /// The first 64 bits of every line, then the next 64 of every line, and so on.
    words: Vec<u64>,
    lines: i32,
    length: i32,
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
        (self.lines, self.length) = (source.lines, source.length);
    }
}

impl BitMap {
    /// Creates a clear map of `lines` lines of `length` bits; a negative number counts as 0.
    pub(super) fn new(lines: i32, length: i32) -> Self {
        let (lines, length) = (lines.max(0), length.max(0));
        let mut words = vec![0; lines as usize * (length as usize).div_ceil(WORD)];
        let used = length as usize % WORD;
        if used > 0 {
            // Bits behind the end count as set, so that a count ends there.
            let last = words.len() - lines as usize;
            words[last..].fill(u64::MAX << used);
        }
        Self { words, lines, length }
    }

    /// Returns the size of the words in bytes.
    pub(super) fn bytes(&self) -> usize {
        size_of_val(&self.words[..])
    }

    /// Returns the lines around a middle line, `half` to either side; `None` if one of them is outside the map, or the
    /// bit is.
    #[expect(clippy::inline_always, reason = "measured: a call costs a third of a look")]
    #[inline(always)]
    pub(super) fn band(&self, middle: i32, half: i32, bit: i32) -> Option<LineBand> {
        let (first, end) = (middle.wrapping_sub(half), middle.wrapping_add(half).wrapping_add(1));
        // A negative bit becomes a large number here, which is outside, too. Sums that wrap around are out of order.
        let is_inside = (bit as u32) < self.length as u32 && first >= 0 && first < end && end <= self.lines;
        is_inside.then_some(LineBand {
            first: first as u32 as usize,
            end: end as u32 as usize,
        })
    }

    /// Sets or clears one bit. The caller must check that the bit exists; so must the callers of the functions below.
    #[inline]
    pub(super) fn set(&mut self, line: usize, bit: usize, on: bool) {
        let word = &mut self.words[bit / WORD * self.lines as usize + line];
        let place = bit % WORD;
        *word = *word & !(1 << place) | u64::from(on) << place;
    }

    /// Sets `count` bits of a line from `start` on.
    #[inline]
    pub(super) fn set_run(&mut self, line: usize, start: usize, count: usize) {
        let (column, place) = (start / WORD, start % WORD);
        if place + count >= WORD {
            self.set_one_by_one(line, start, count);
        } else if let Some(word) = self.words.get_mut(column * self.lines as u32 as usize + line) {
            *word |= ((1 << count) - 1) << place;
        }
    }

    /// Like [`Self::set_run`], for bits of several words.
    #[cold]
    #[inline(never)]
    fn set_one_by_one(&mut self, line: usize, start: usize, count: usize) {
        (start..start + count).for_each(|bit| self.set(line, bit, true));
    }

    /// Returns the words of `count` lines from `first` on that hold a bit, and the bit in these words.
    #[inline]
    pub(super) fn across(&mut self, first: usize, count: usize, bit: usize) -> (&mut [u64], u64) {
        let from = bit / WORD * self.lines as u32 as usize + first;
        let words = self.words.get_mut(from..from + count).unwrap_or_default();
        (words, 1 << (bit % WORD))
    }

    /// Returns how many bits are clear in all lines of the band behind `bit`, which is not counted, and how many are
    /// clear before it: up to `limit` of each.
    #[expect(clippy::inline_always, reason = "measured, like `band`")]
    #[inline(always)]
    pub(super) fn clear_around(&self, lines: LineBand, bit: usize, limit: usize) -> [usize; 2] {
        let (column, place) = (bit / WORD, bit % WORD);
        let set = self.any(column, lines);
        // The bits behind `bit` at the upper end of a word, those before it at the lower end. The additional bit at the
        // other end, which neither shift reaches, ends a count of 63.
        let behind = (set << (WORD - 1 - place) << 1 | 1).leading_zeros() as usize;
        let ahead = (set >> place >> 1 | 1 << (WORD - 1)).trailing_zeros() as usize;
        let found = [behind.min(limit), ahead.min(limit)];
        // A count that reaches the end of the word may continue in the next one.
        let continues = [found[0] >= place, found[1] >= WORD - 1 - place];
        if continues == [false, false] {
            return found;
        }
        [true, false].map(|back| {
            let side = usize::from(!back);
            if continues[side] {
                self.clear_across_words(lines, bit, limit, back)
            } else {
                found[side]
            }
        })
    }

    /// Returns how many bits are clear in all lines of the band after `bit`, which is not counted, up to `limit`; with
    /// `back`, before it.
    #[expect(clippy::inline_always, reason = "measured, like `band`")]
    #[inline(always)]
    pub(super) fn clear(&self, lines: LineBand, bit: usize, limit: usize, back: bool) -> usize {
        let (column, place) = (bit / WORD, bit % WORD);
        let set = self.any(column, lines);
        // As in `clear_around`. Both are computed: the heading is unpredictable, so a branch would often be mispredicted.
        let behind = (set << (WORD - 1 - place) << 1 | 1).leading_zeros();
        let ahead = (set >> place >> 1 | 1 << (WORD - 1)).trailing_zeros();
        let found = (select_unpredictable(back, behind, ahead) as usize).min(limit);
        if found < select_unpredictable(back, place, WORD - 1 - place) {
            found
        } else {
            self.clear_across_words(lines, bit, limit, back)
        }
    }

    /// Like [`Self::clear`], for bits of several words.
    #[cold]
    #[inline(never)]
    fn clear_across_words(&self, lines: LineBand, bit: usize, limit: usize, back: bool) -> usize {
        let count = limit.min(if back { bit } else { self.length as usize - 1 - bit });
        let start = if back { bit - count } else { bit + 1 };
        let mut clear = 0;
        while clear < count {
            let n = (count - clear).min(WORD);
            let from = start + if back { count - clear - n } else { clear };
            let (band, place) = (from / WORD, from % WORD);
            let mut set = self.any(band, lines) >> place;
            if place + n > WORD {
                set |= self.any(band + 1, lines) << (WORD - place);
            }
            let found = clear_in_word(set, n, back);
            clear += found;
            if found < n {
                break;
            }
        }
        clear
    }

    /// Returns the bits of a word column that are set in any line of the band.
    #[expect(clippy::inline_always, reason = "measured, like `band`")]
    #[inline(always)]
    fn any(&self, column: usize, lines: LineBand) -> u64 {
        let first = column * self.lines as u32 as usize;
        match self.words.get(first + lines.first..first + lines.end) {
            // Avoids the loop for common corridor widths.
            Some([w0, w1, w2]) => w0 | w1 | w2,
            Some([w0, w1, w2, w3, w4]) => w0 | w1 | w2 | w3 | w4,
            Some([w0, w1, w2, w3, w4, w5, w6]) => w0 | w1 | w2 | w3 | w4 | w5 | w6,
            words => words.into_iter().flatten().fold(0, |any, word| any | word),
        }
    }
}

/// Returns how many of the lowest `count` bits (at least one) are clear before the first set bit: from the lowest up
/// or, with `back`, from the highest down.
#[inline]
fn clear_in_word(set: u64, count: usize, back: bool) -> usize {
    let ahead = set.trailing_zeros();
    let behind = (set << (WORD - count)).leading_zeros();
    (if back { behind } else { ahead } as usize).min(count)
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
                let lines = map.band(middle, half, 0).unwrap();
                let ahead = bits.clone().skip(1).take_while(clear).count();
                let back = bits.clone().rev().skip(1).take_while(clear).count();
                let (first, last, most) = (bits.start, bits.end - 1, bits.len() - 1);
                assert_eq!(map.clear(lines, first, most, false), ahead, "{lines:?} {bits:?} ahead");
                assert_eq!(map.clear(lines, last, most, true), back, "{lines:?} {bits:?} back");
                assert_eq!(
                    map.clear_around(lines, first, most)[1],
                    ahead,
                    "{lines:?} {bits:?} ahead of two"
                );
                assert_eq!(
                    map.clear_around(lines, last, most)[0],
                    back,
                    "{lines:?} {bits:?} back of two"
                );
            }
        }
    }
}
