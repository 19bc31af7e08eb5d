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

    /// How many lines after `line`, going `step` (1 or −1) at a time and counted up to `limit`, have no bit
    /// set from `first` to `last`, both included. What lies outside counts as set.
    pub(super) fn clear_lines(&self, line: i64, step: i64, first: i64, last: i64, limit: i64) -> i64 {
        let start = line.saturating_add(step);
        if first < 0 || last >= self.length || start < 0 || start >= self.count {
            return 0;
        }
        let inside = if step > 0 { self.count - start } else { start + 1 };
        let limit = limit.clamp(0, inside);
        let (first, last) = (first as usize, last as usize);
        let words = first / WORD..last / WORD + 1;
        let from_first = u64::MAX << (first % WORD);
        let to_last = u64::MAX >> (WORD - 1 - last % WORD);
        let line_of = |row: i64| (start + row * step) as usize * self.words_per_line;
        let blocked = |row: &i64| {
            let line = &self.words[line_of(*row)..][words.clone()];
            match line {
                [only] => only & from_first & to_last != 0,
                [low, between @ .., high] => {
                    low & from_first != 0 || high & to_last != 0 || between.iter().any(|word| *word != 0)
                }
                [] => false,
            }
        };
        (0..limit).find(blocked).unwrap_or(limit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_found_across_words_and_the_outside_counts_as_set() {
        let mut lines = BitLines::new(3, 200);
        lines.set(1, 130, true);
        for (first, last, clear) in [
            (0, 129, 2),
            (0, 130, 1),
            (130, 130, 1),
            (131, 199, 2),
            (64, 199, 1),
            (63, 64, 2),
            (-1, 5, 0),
            (0, 200, 0),
        ] {
            assert_eq!(lines.clear_lines(-1, 1, first, last, 2), clear, "{first} to {last}");
        }
        assert_eq!(lines.clear_lines(-1, 1, 0, 9, 99), 3, "the end ends it");
        assert_eq!(lines.clear_lines(3, -1, 0, 199, 99), 1);
        assert_eq!(lines.clear_lines(0, -1, 0, 9, 99), 0);
        assert_eq!(lines.clear_lines(0, 1, 0, 9, -1), 0);
        assert_eq!(lines.clear_lines(i64::MAX, 1, 0, 9, 9), 0);
        lines.set(1, 130, false);
        assert_eq!(lines.clear_lines(-1, 1, 0, 199, 3), 3);
    }
}
