//! Stacks: rectangles into which the set bits of a bitmap are divided.
//!
//! A *run* is a stretch of set bits in one row of the bitmap, with a clear bit or the edge at each end. A *stack*
//! consists of equal runs in consecutive rows, one directly below the other. Walls and passages are long and straight,
//! so there are far fewer stacks than runs.
//!
//! A run continues the stack of the run above if both have the same first and last column; otherwise one stack ends and
//! another begins. Bit operations handle 64 columns at a time to find the runs that continue a stack, so each further
//! row of a stack takes hardly any time. Stacks touch only where one ends and another begins. A run that continues a
//! stack cannot touch another stack: the bits beside it and beside the run above it are clear.

use std::ops::Range;

use super::bit_rows::BitRows;
use super::scene::Rectangle;

const WORD: usize = u64::BITS as usize;

/// Equal runs, one directly below the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Stack {
    /// First row.
    pub(super) top: u32,
    /// The row after the last row.
    pub(super) bottom: u32,
    /// First column.
    pub(super) from: u32,
    /// The column after the last column.
    pub(super) to: u32,
    /// The stacks that touch this stack from above, as a range of indices in `Stacks::touched`.
    above: (u32, u32),
    /// The stacks that touch this stack from below. All of them begin in the same row, so their indices form a range.
    below: (u32, u32),
}

impl Stack {
    /// Returns the number of rows.
    pub(super) const fn height(&self) -> u32 {
        self.bottom - self.top
    }

    /// Returns the number of columns.
    pub(super) const fn width(&self) -> u32 {
        self.to - self.from
    }

    /// Returns the stacks that touch this stack from below, or from above, as a range of indices for
    /// [`Stacks::neighbour`].
    pub(super) const fn side(&self, is_below: bool) -> (u32, u32) {
        if is_below { self.below } else { self.above }
    }

    /// Returns the squares.
    pub(super) const fn rectangle(&self) -> Rectangle {
        Rectangle {
            rows: self.top as usize..self.bottom as usize,
            columns: self.from as usize..self.to as usize,
        }
    }
}

/// The stacks of a map, in the order of their first squares, row by row.
#[derive(Debug, Default)]
pub(super) struct Stacks {
    all: Vec<Stack>,
    /// For each row, the index of the first stack that begins in this row or below; at the end, the number of stacks.
    firsts: Vec<u32>,
    /// One list for each stack, concatenated: the stacks that touch the stack from above, from left to right.
    touched: Vec<u32>,
    /// For each column, the index of the last stack found so far that begins in this column.
    latest: Vec<u32>,
    /// Stacks that end in the row above the current row, from left to right.
    ended: Vec<u32>,
    /// Bitmap of the current row: the first columns of the runs that continue a stack.
    continued: Vec<u64>,
}

impl Stacks {
    /// Finds the stacks of a map. With a `gap` of 0, two stacks touch if one is directly below the other in at least
    /// one column; with a `gap` of 1, stacks that meet only diagonally also touch. Each run of the row `alone` is a
    /// stack by itself.
    pub(super) fn find(&mut self, map: &BitRows, gap: u32, alone: Option<usize>) {
        self.all.clear();
        self.touched.clear();
        self.firsts.clear();
        self.latest.resize(map.columns(), 0);
        self.continued.clear();
        self.continued.resize(map.across(), 0);
        let alone = alone.map_or(0..0, |alone| alone..alone + 2);
        let mut above: &[u64] = &[];
        for (row, here) in map.words().chunks_exact(map.across().max(1)).enumerate() {
            self.firsts.push(self.all.len() as u32);
            if alone.contains(&row) {
                self.continued.fill(0);
            } else if row > 0 && here.iter().zip(above).all(|(here, above)| here == above) {
                continue;
            } else {
                mark_continued(here, above, &mut self.continued);
            }
            self.end(row as u32, above);
            self.begin(row as u32, map.rows() as u32, here, gap);
            above = here;
        }
        self.firsts.push(self.all.len() as u32);
    }

    /// Ends each stack whose run in the row above is not continued.
    fn end(&mut self, row: u32, above: &[u64]) {
        self.ended.clear();
        each_begin(above, &self.continued, |from| {
            let stack = self.latest[from];
            self.all[stack as usize].bottom = row;
            self.ended.push(stack);
        });
    }

    /// Begins a stack with each run in a row, unless the run continues a stack. Records which of the stacks that end in
    /// the row above touch the new stacks. `rows` is the number of rows of the map, which serves as the end of each new
    /// stack until its real end is known.
    fn begin(&mut self, row: u32, rows: u32, here: &[u64], gap: u32) {
        let mut next = 0;
        each_begin(here, &self.continued, |from| {
            let (begin, end) = (from as u32, run_end(here, from) as u32);
            let (number, first) = (self.all.len() as u32, self.touched.len() as u32);
            while let Some(&over) = self.ended.get(next) {
                let stack = &mut self.all[over as usize];
                let reach = stack.to + gap;
                if stack.from >= end + gap {
                    break;
                }
                if reach > begin {
                    self.touched.push(over);
                    if stack.below.1 == 0 {
                        stack.below.0 = number;
                    }
                    stack.below.1 = number + 1;
                }
                // The ended stack may also touch the next run of this row.
                if reach > end {
                    break;
                }
                next += 1;
            }
            self.latest[from] = number;
            self.all.push(Stack {
                top: row,
                bottom: rows,
                from: begin,
                to: end,
                above: (first, self.touched.len() as u32),
                below: (0, 0),
            });
        });
    }

    /// Returns all stacks.
    pub(super) fn all(&self) -> &[Stack] {
        &self.all
    }

    /// Returns the stacks that touch a stack from above, from left to right.
    pub(super) fn above(&self, stack: &Stack) -> &[u32] {
        &self.touched[stack.above.0 as usize..stack.above.1 as usize]
    }

    /// Returns the stack at an index in the range that [`Stack::side`] returns.
    pub(super) fn neighbour(&self, index: u32, is_below: bool) -> u32 {
        if is_below { index } else { self.touched[index as usize] }
    }

    /// Returns the stack that contains a square; `None` if the square is not set.
    pub(super) fn at(&self, row: usize, column: usize) -> Option<usize> {
        let (row, column) = (row as u32, column as u32);
        // Finds the last stack that contains this column and begins in the square's row or above.
        let begun = &self.all[..self.firsts[row as usize + 1] as usize];
        let over = begun
            .iter()
            .rposition(|stack| stack.from <= column && column < stack.to)?;
        (row < begun[over].bottom).then_some(over)
    }

    /// Visits each stack that contains squares of a rectangle. The rectangle must have at least one row.
    pub(super) fn each_meeting(&self, rows: &Range<usize>, columns: &Range<usize>, mut visit: impl FnMut(usize)) {
        let mut column = columns.start;
        while column < columns.end {
            column = if let Some(stack) = self.at(rows.start, column) {
                visit(stack);
                self.all[stack].to as usize
            } else {
                column + 1
            };
        }
        // All stacks that meet the rectangle without meeting its first row begin in one of its later rows.
        let begun = self.firsts[rows.start + 1] as usize..self.firsts[rows.end] as usize;
        for stack in begun {
            let Stack { from, to, .. } = self.all[stack];
            if (from as usize) < columns.end && columns.start < to as usize {
                visit(stack);
            }
        }
    }
}

/// Visits the first column of each run of a row, except for the columns that are set in `others`.
#[inline]
fn each_begin(row: &[u64], others: &[u64], mut visit: impl FnMut(usize)) {
    let mut before = 0;
    for (i, (&word, others)) in row.iter().zip(others).enumerate() {
        let mut begins = word & !(word << 1 | before) & !others;
        before = word >> (WORD - 1);
        while begins != 0 {
            visit(i * WORD + begins.trailing_zeros() as usize);
            begins &= begins - 1;
        }
    }
}

/// Returns the column after the run that contains the column `from`. The last bit of the row must be clear.
#[inline]
fn run_end(row: &[u64], from: usize) -> usize {
    let (mut word, bit) = (from / WORD, from % WORD);
    let mut end = from + (row[word] >> bit).trailing_ones() as usize;
    while end == (word + 1) * WORD {
        word += 1;
        end += row[word].trailing_ones() as usize;
    }
    end
}

/// Replaces `continued` with a bitmap that marks the first column of each run that the rows `here` and `above` have in
/// common.
#[inline]
fn mark_continued(here: &[u64], above: &[u64], continued: &mut [u64]) {
    let (mut before, mut carry, mut carry_above, mut is_second) = (0, false, false, false);
    for (i, (&here, &above)) in here.iter().zip(above).enumerate() {
        let begins = here & above & !((here | above) << 1 | before);
        before = (here | above) >> (WORD - 1);
        continued[i] = begins;
        // Adding 1 at the first bit of a run carries into the column after the run.
        let (end, end_above);
        (end, carry) = here.carrying_add(begins, carry);
        (end_above, carry_above) = above.carrying_add(begins, carry_above);
        // If a run and the run above begin in the same column but end in different columns, `other_ends` contains the
        // end of each. When the loop reaches the first of these ends, it clears the run's bit in `continued`.
        let mut other_ends = end & !here ^ end_above & !above;
        while other_ends != 0 {
            if !is_second {
                clear_last(&mut continued[..=i], other_ends.trailing_zeros());
            }
            is_second = !is_second;
            other_ends &= other_ends - 1;
        }
    }
}

/// Clears the last bit that is set in `words`, not counting bits at or after position `end` of the final word.
#[inline]
fn clear_last(words: &mut [u64], end: u32) {
    let mut mask = !(u64::MAX << end);
    for word in words.iter_mut().rev() {
        if let Some(bit) = (*word & mask).checked_ilog2() {
            *word ^= 1 << bit;
            return;
        }
        mask = u64::MAX;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map(rows: &[&str]) -> BitRows {
        let mut map = BitRows::default();
        map.fit(rows.len(), rows[0].len());
        for (row, line) in rows.iter().enumerate() {
            for (column, _) in line.char_indices().filter(|(_, sign)| *sign == '#') {
                map.fill(row, column, column + 1);
            }
        }
        map
    }

    fn stacks(map: &BitRows, gap: u32, alone: Option<usize>) -> Stacks {
        let mut stacks = Stacks::default();
        stacks.find(map, gap, alone);
        stacks
    }

    /// Returns the rows and columns of each stack.
    fn rectangles(stacks: &Stacks) -> Vec<(Range<usize>, Range<usize>)> {
        let rectangles = stacks.all.iter().map(Stack::rectangle);
        rectangles.map(|all| (all.rows, all.columns)).collect()
    }

    #[test]
    fn a_run_that_does_not_change_continues_its_stack() {
        let map = map(&["##.#", "##.#", "##..", "##.#"]);
        let found = stacks(&map, 0, None);
        assert_eq!(rectangles(&found), [(0..4, 0..2), (0..2, 3..4), (3..4, 3..4)]);
        let found = stacks(&map, 0, Some(1));
        assert_eq!(
            rectangles(&found),
            [
                (0..1, 0..2),
                (0..1, 3..4),
                (1..2, 0..2),
                (1..2, 3..4),
                (2..4, 0..2),
                (3..4, 3..4)
            ]
        );
    }

    #[test]
    fn stacks_touch_along_columns_and_diagonally_on_request() {
        let map = map(&["##.#.", "#.#.#", ".#..#"]);
        let above = |gap| {
            let found = stacks(&map, gap, None);
            found
                .all
                .iter()
                .map(|stack| found.above(stack).to_vec())
                .collect::<Vec<_>>()
        };
        // Stacks 0 and 1 begin in the first row, 2 to 4 in the second, and 5 in the third. Stack 4 is two rows high.
        assert_eq!(above(0), [vec![], vec![], vec![0], vec![], vec![], vec![]]);
        assert_eq!(above(1), [vec![], vec![], vec![0], vec![0, 1], vec![1], vec![2, 3]]);
    }

    #[test]
    fn stacks_of_random_maps_are_equal_runs_and_cover_every_bit() {
        let mut random = 1_u64;
        for (rows, columns) in [(1, 1), (5, 63), (6, 64), (7, 65), (9, 130), (8, 200)] {
            for sparse in 1..5 {
                let mut map = BitRows::default();
                map.fit(rows, columns);
                for row in 0..rows {
                    for column in 0..columns {
                        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                        let is_like_above = row > 0 && !(random >> 40).is_multiple_of(4);
                        let is_set = if is_like_above {
                            map.get(row - 1, column)
                        } else {
                            (random >> 50).is_multiple_of(sparse)
                        };
                        if is_set {
                            map.fill(row, column, column + 1);
                        }
                    }
                }
                check(&map, &stacks(&map, 0, None));
            }
        }
    }

    /// Checks that the stacks agree with their definition.
    fn check(map: &BitRows, found: &Stacks) {
        let is_run = |row: usize, columns: Range<usize>| {
            row < map.rows()
                && columns.clone().all(|column| map.get(row, column))
                && !map.get_or_clear((row, columns.start.wrapping_sub(1)))
                && !map.get_or_clear((row, columns.end))
        };
        let mut squares = 0;
        for (number, stack) in found.all.iter().enumerate() {
            let Rectangle { rows, columns } = stack.rectangle();
            assert!(rows.clone().all(|row| is_run(row, columns.clone())));
            assert!(!is_run(rows.start.wrapping_sub(1), columns.clone()) && !is_run(rows.end, columns.clone()));
            assert_eq!(found.at(rows.end - 1, columns.start), Some(number));
            assert_eq!(found.at(rows.start, columns.end - 1), Some(number));
            squares += rows.len() * columns.len();
            let touches = |other: &Stack| other.bottom == stack.top && other.from < stack.to && stack.from < other.to;
            let touching = (0_u32..).zip(&found.all).filter(|(_, other)| touches(other));
            let below = (0_u32..).zip(&found.all).filter(|(_, other)| other.top == stack.bottom);
            let below = below.filter(|(_, other)| other.from < stack.to && stack.from < other.to);
            let (first, end) = stack.side(true);
            assert!(below.map(|(other, _)| other).eq(first..end));
            let mut touching: Vec<u32> = touching.map(|(other, _)| other).collect();
            touching.sort_by_key(|&other| found.all[other as usize].from);
            assert_eq!(found.above(stack), touching);
        }
        assert_eq!(squares as u32, map.count());
        let (rows, columns) = (map.rows() / 3..map.rows(), map.columns() / 3..map.columns());
        let mut meeting = Vec::new();
        found.each_meeting(&rows, &columns, |stack| meeting.push(stack));
        meeting.sort_unstable();
        let is_in = |rows: &Range<usize>, others: &Range<usize>| rows.start < others.end && others.start < rows.end;
        let expected = (0..found.all.len()).filter(|&stack| {
            let squares = found.all[stack].rectangle();
            is_in(&squares.rows, &rows) && is_in(&squares.columns, &columns)
        });
        assert_eq!(meeting, expected.collect::<Vec<_>>());
        let closed = (0..map.rows()).flat_map(|row| (0..map.columns()).map(move |column| (row, column)));
        for (row, column) in closed.filter(|&(row, column)| !map.get(row, column)) {
            assert_eq!(found.at(row, column), None);
        }
    }
}
