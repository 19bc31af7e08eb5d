//! Bitmaps of squares, stored row by row: each word contains 64 squares of a row.
//!
//! Most metrics are computed for 64 squares at a time. Each row ends with at least one clear bit, so the bits directly
//! before its first column and after its last column are clear. A whole map can therefore be shifted by one column,
//! word by word, without mixing its rows.

use super::scene::Rectangle;

const WORD: usize = u64::BITS as usize;

/// A bitmap with one bit for each square.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(super) struct BitRows {
    rows: usize,
    columns: usize,
    /// Number of words in a row; bit 0 of the first word is the first column.
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

    /// Returns the number of words in a row.
    pub(super) const fn across(&self) -> usize {
        self.across
    }

    /// Returns the words of all rows.
    pub(super) fn words(&self) -> &[u64] {
        &self.words
    }

    /// Returns the words of all rows. The bits after the last column must remain clear.
    pub(super) fn words_mut(&mut self) -> &mut [u64] {
        &mut self.words
    }

    /// Returns the number of set bits.
    pub(super) fn count(&self) -> u32 {
        self.words.iter().map(|word| word.count_ones()).sum()
    }

    /// Returns whether the bit of a square is set. The square must be in the map.
    pub(super) fn get(&self, row: usize, column: usize) -> bool {
        self.words[row * self.across + column / WORD] >> (column % WORD) & 1 != 0
    }

    /// Returns whether the bit of a square is set; `false` for a square outside the map.
    pub(super) fn get_or_clear(&self, (row, column): (usize, usize)) -> bool {
        row < self.rows && column < self.columns && self.get(row, column)
    }

    /// Replaces the bits of a row with `bytes`, one element for each column.
    pub(super) fn set_row(&mut self, row: usize, bytes: &[bool]) {
        let words = &mut self.words[row * self.across..][..self.across];
        for (word, bytes) in words.iter_mut().zip(bytes.chunks(WORD)) {
            let (eights, rest) = bytes.as_chunks::<8>();
            let mut last = [false; 8];
            last[..rest.len()].copy_from_slice(rest);
            let eights = eights.iter().rev();
            *word = eights.fold(gather_bits(last), |word, eight| word << 8 | gather_bits(*eight));
        }
    }

    /// Writes the bits of a row to `bytes`, one element for each column.
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
    #[cfg(test)]
    pub(super) fn set(&mut self, row: usize, column: usize) {
        self.fill(row, column, column + 1);
    }

    /// Returns whether any bit of a row is set in the columns `from..to`, which must not be empty.
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

    /// Returns the bits of two rows from column `from` on; bit 0 is this column. `count`, from 1 to 64, is the number
    /// of valid bits in each result; the last valid bit must be at most one column beyond the map. Rows outside the map
    /// have clear bits; the row directly above the map has the number `usize::MAX`, and the row above that has the
    /// number `usize::MAX - 1`.
    #[inline]
    pub(super) fn bits_of_two(&self, rows: [usize; 2], from: usize, count: usize) -> [u64; 2] {
        let (first, shift) = (from / WORD, from % WORD);
        let is_in_two_words = shift + count > WORD;
        rows.map(|row| {
            let index = row.wrapping_mul(self.across).wrapping_add(first);
            let Some(&word) = self.words.get(index) else {
                return 0;
            };
            let mut bits = word >> shift;
            if is_in_two_words {
                bits |= self.words[index + 1] << (WORD - shift);
            }
            bits
        })
    }

    /// Sets the bits of a row in the columns `from..to`, which must not be empty.
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

    /// Sets the bits of a rectangle of at least one square.
    #[inline]
    pub(super) fn fill_rectangle(&mut self, Rectangle { rows, columns }: &Rectangle) {
        let (first, last, head, tail) = span(columns.start, columns.end);
        if first < last {
            rows.clone().for_each(|row| self.fill(row, columns.start, columns.end));
            return;
        }
        for row in rows.clone() {
            self.words[row * self.across + first] |= head & tail;
        }
    }

    /// Returns whether any bit of a rectangle of at least one square is set.
    #[inline]
    pub(super) fn any_in(&self, Rectangle { rows, columns }: &Rectangle) -> bool {
        rows.clone().any(|row| self.any(row, columns.start, columns.end))
    }

    /// Calls `visit` for each run of set bits in a row, with the run's first column and the column after its last one.
    #[inline]
    pub(super) fn each_run(&self, row: usize, mut visit: impl FnMut(u32, u32)) {
        // A run begins or ends at each bit that differs from the previous bit.
        let (mut before, mut begin, mut is_inside) = (0, 0, false);
        for (i, &word) in self.row(row).iter().enumerate() {
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

    /// Returns the words of a row.
    #[inline]
    pub(super) fn row(&self, row: usize) -> &[u64] {
        &self.words[row * self.across..][..self.across]
    }

    /// Returns the row and column of each set bit, row by row.
    pub(super) fn ones(&self) -> impl Iterator<Item = (usize, usize)> {
        self.words
            .iter()
            .enumerate()
            .flat_map(move |(i, &word)| bits(word).map(move |bit| self.place(i, bit)))
    }

    /// Returns the row and column of the bit with index `bit` in the word with index `word`.
    pub(super) const fn place(&self, word: usize, bit: usize) -> (usize, usize) {
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

    fn combine(&mut self, other: &Self, with: impl Fn(u64, u64) -> u64) {
        for (mine, &other) in self.words.iter_mut().zip(&other.words) {
            *mine = with(*mine, other);
        }
    }
}

/// Returns the indices of the words that contain the first and the last of the columns `from..to`, and a mask for
/// each: the bits from the first column on, and the bits up to the last column.
#[inline]
const fn span(from: usize, to: usize) -> (usize, usize, u64, u64) {
    let last = to - 1;
    let (head, tail) = (u64::MAX << (from % WORD), u64::MAX >> (WORD - 1 - last % WORD));
    (from / WORD, last / WORD, head, tail)
}

/// Returns one boolean for each of eight bits: whether the bit is set. Bit 0 comes first.
#[inline]
fn spread_bits(bits: u8) -> [bool; 8] {
    let copies = u64::from(bits) * 0x0101_0101_0101_0101;
    (copies & 0x8040_2010_0804_0201).to_le_bytes().map(|byte| byte != 0)
}

/// Packs eight booleans into the lowest eight bits of a word. The first one becomes bit 0.
#[inline]
fn gather_bits(bytes: [bool; 8]) -> u64 {
    // The multiplication gathers the lowest bits of all bytes in the highest byte.
    u64::from_le_bytes(bytes.map(u8::from)).wrapping_mul(0x0102_0408_1020_4080) >> 56
}

/// Returns the indices of the set bits, the lowest first.
pub(super) fn bits(word: u64) -> impl Iterator<Item = usize> {
    let mut left = word;
    std::iter::from_fn(move || {
        let bit = (left != 0).then(|| left.trailing_zeros() as usize)?;
        left &= left - 1;
        Some(bit)
    })
}

/// Transposes 64 × 64 bits by swapping ever smaller blocks.
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

    /// Returns a map in which a multiplicative hash selects the set bits.
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
    fn rows_of_bytes_agree_with_the_bits() {
        for (rows, columns) in SIZES {
            let map = sample(rows, columns);
            let mut again = BitRows::default();
            again.fit(rows, columns);
            for row in 0..rows {
                let mut bytes = vec![false; columns];
                map.copy_row(row, &mut bytes);
                assert!((0..columns).all(|column| bytes[column] == map.get(row, column)));
                again.set_row(row, &bytes);
            }
            assert_eq!(map, again);
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
}
