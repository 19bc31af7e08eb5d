//! Lines of bits, for questions about runs of squares.
//!
//! The grid keeps one set of lines for its rows and one for its columns, so that a look of some squares'
//! breadth costs one or two words a row in any heading. Only the grid uses it.

const WORD: usize = u64::BITS as usize;

/// `count` lines of `length` bits each, all clear at first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct BitLines {
    words: Vec<u64>,
    words_per_line: usize,
    count: i64,
    length: i64,
}

impl BitLines {
    /// Clear lines; a negative number counts as none.
    pub(super) fn new(count: i32, length: i32) -> Self {
        let (count, length) = (i64::from(count.max(0)), i64::from(length.max(0)));
        let words_per_line = (length as usize).div_ceil(WORD);
        Self {
            words: vec![0; count as usize * words_per_line],
            words_per_line,
            count,
            length,
        }
    }

    /// Sets or clears one bit. The caller has checked that it exists.
    pub(super) fn set(&mut self, line: usize, bit: usize, on: bool) {
        let word = &mut self.words[line * self.words_per_line + bit / WORD];
        let mask = 1 << (bit % WORD);
        if on {
            *word |= mask;
        } else {
            *word &= !mask;
        }
    }

    /// Whether any bit from `first` to `last`, both included, is set in a line; what lies outside counts as set.
    pub(super) fn any(&self, line: i64, first: i64, last: i64) -> bool {
        if line < 0 || line >= self.count || first < 0 || last >= self.length {
            return true;
        }
        let start = line as usize * self.words_per_line;
        let (first, last) = (first as usize, last as usize);
        let (low, high) = (start + first / WORD, start + last / WORD);
        let from_first = u64::MAX << (first % WORD);
        let to_last = u64::MAX >> (WORD - 1 - last % WORD);
        if low == high {
            return self.words[low] & from_first & to_last != 0;
        }
        self.words[low] & from_first != 0
            || self.words[high] & to_last != 0
            || self.words[low + 1..high].iter().any(|word| *word != 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_found_across_words_and_the_outside_counts_as_set() {
        let mut lines = BitLines::new(3, 200);
        lines.set(1, 130, true);
        for (first, last, found) in [
            (0, 129, false),
            (0, 130, true),
            (130, 130, true),
            (131, 199, false),
            (64, 199, true),
            (63, 64, false),
        ] {
            assert_eq!(lines.any(1, first, last), found, "{first} to {last}");
        }
        assert!(!lines.any(0, 0, 199));
        assert!(lines.any(0, -1, 5) && lines.any(0, 0, 200) && lines.any(3, 0, 0) && lines.any(-1, 0, 0));
        lines.set(1, 130, false);
        assert!(!lines.any(1, 0, 199));
    }
}
