//! A bit map that counts how many bits are clear in several neighbouring lines at once.
//!
//! Each line is divided into 64-bit words, and the words of neighbouring lines are adjacent in memory, so that a count
//! in either direction needs a few words combined with OR. [`Grid`](super::Grid) has one map with its rows as lines and
//! one with its columns as lines. No other module uses this one.

const WORD: usize = u64::BITS as usize;

/// A middle line and `half` lines to either side of it.
#[derive(Debug, Clone, Copy)]
pub(super) struct LineBand {
    pub(super) middle: usize,
    pub(super) half: usize,
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
        Self {
            words: vec![0; lines as usize * (length as usize).div_ceil(WORD)],
            lines,
            length,
        }
    }

    /// Returns the size of the words in bytes.
    pub(super) fn bytes(&self) -> usize {
        size_of_val(&self.words[..])
    }

    /// Returns the number of lines.
    pub(super) const fn lines(&self) -> i32 {
        self.lines
    }

    /// Returns the number of bits in a line.
    pub(super) const fn length(&self) -> i32 {
        self.length
    }

    /// Sets or clears one bit. The caller must check that the bit exists; so must the callers of the functions below.
    #[inline]
    pub(super) fn set(&mut self, line: usize, bit: usize, on: bool) {
        let word = &mut self.words[bit / WORD * self.lines as usize + line];
        let place = bit % WORD;
        *word = *word & !(1 << place) | u64::from(on) << place;
    }

    /// Returns how many of the `count` bits from `start` on are clear in all lines of the band: from the first bit up
    /// or, with `back`, from the last bit down.
    #[inline]
    pub(super) fn clear(&self, lines: LineBand, start: usize, count: usize, back: bool) -> usize {
        let (band, place) = (start / WORD, start % WORD);
        if place + count <= WORD {
            clear_in_word(self.any(band, lines) >> place, count, back)
        } else {
            self.clear_across_words(lines, start, count, back)
        }
    }

    /// Returns how many bits are clear in all lines of the band, counted from `bit` down to at most `before` bits, and
    /// from `bit` up to at most `after` bits. `bit` itself is not counted.
    #[inline]
    pub(super) fn clear_around(&self, lines: LineBand, bit: usize, before: usize, after: usize) -> (usize, usize) {
        let (band, place) = (bit / WORD, bit % WORD);
        if before <= place && place + after < WORD {
            let set = self.any(band, lines);
            let behind = (set << (WORD - 1 - place) << 1).leading_zeros();
            let ahead = (set >> place >> 1).trailing_zeros();
            return ((behind as usize).min(before), (ahead as usize).min(after));
        }
        let clear = |start, count, back| {
            if count == 0 {
                0
            } else {
                self.clear(lines, start, count, back)
            }
        };
        (clear(bit - before, before, true), clear(bit + 1, after, false))
    }

    /// Like [`Self::clear`], for bits that span several words.
    #[cold]
    #[inline(never)]
    fn clear_across_words(&self, lines: LineBand, start: usize, count: usize, back: bool) -> usize {
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
    #[inline]
    fn any(&self, band: usize, lines: LineBand) -> u64 {
        let first = band * self.lines as usize + lines.middle - lines.half;
        let words = &self.words[first..=(first + 2 * lines.half)];
        match words {
            // Avoids the loop for common corridor widths.
            [w0, w1, w2] => w0 | w1 | w2,
            [w0, w1, w2, w3, w4] => w0 | w1 | w2 | w3 | w4,
            [w0, w1, w2, w3, w4, w5, w6] => w0 | w1 | w2 | w3 | w4 | w5 | w6,
            _ => words.iter().fold(0, |any, word| any | word),
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
            for (middle, half) in [(4, 4), (4, 0), (2, 1), (5, 2), (6, 0), (6, 1), (7, 1)] {
                let clear = |bit: &usize| !(middle - half..=middle + half).any(|line| is_set(line, *bit));
                let lines = LineBand { middle, half };
                assert_eq!(
                    map.clear(lines, bits.start, bits.len(), false),
                    bits.clone().take_while(clear).count(),
                    "{lines:?} {bits:?} ahead"
                );
                assert_eq!(
                    map.clear(lines, bits.start, bits.len(), true),
                    bits.clone().rev().take_while(clear).count(),
                    "{lines:?} {bits:?} back"
                );
            }
        }
    }
}
