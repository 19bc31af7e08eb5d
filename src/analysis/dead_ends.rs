//! Finds dead ends among the pockets. A pocket is a part of the dungeon, without the exit, that a single
//! [passage line](super::lines) cuts off from the entrance.

use serde::{Deserialize, Serialize};

use super::bit_rows::BitRows;
use super::lines::{PassageLine, PassageLines};
use crate::geometry::Point;

/// A dead end: a part of the dungeon whose only access is one line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeadEnd {
    /// Line through which the dead end is entered and left.
    pub mouth: PassageLine,
    /// Number of squares beyond the line.
    pub squares: u32,
}

/// The search for dead ends, with its buffers.
#[derive(Debug, Default)]
pub(super) struct DeadEndFinder {
    /// Squares of the dead ends found so far.
    taken: BitRows,
    /// Squares in pockets. The first map contains the pockets that are cut off by lines within rows. The second map
    /// contains those that are cut off by lines within columns; its rows and columns are exchanged.
    blind: [BitRows; 2],
    transposed: BitRows,
    /// Pockets that contain no other pocket, in the order in which they are examined. Each entry packs four numbers of
    /// 32 bits: the number of squares, the row and column of the first square of the line, and the index of the pocket.
    /// Pockets that are cut off by lines within rows have lower indices than the others. Packed entries can be compared
    /// quickly.
    innermost: Vec<u128>,
}

impl DeadEndFinder {
    /// Returns the dead ends, the smallest first, and the number of squares in pockets. `size` is the number of rows
    /// and of columns; `headings` are the passage lines within rows and within columns.
    ///
    /// A pocket that contains other pockets leads to them; only the innermost pockets can be dead ends. They are
    /// examined from the smallest to the largest. A pocket that shares a square with an earlier dead end is skipped.
    pub(super) fn find(&mut self, size: (usize, usize), headings: &[PassageLines; 2]) -> (Vec<DeadEnd>, u32) {
        self.taken.fit(size.0, size.1);
        self.blind[0].fit(size.0, size.1);
        self.blind[1].fit(size.1, size.0);
        self.innermost.clear();
        for (lines, blind) in headings.iter().zip(&mut self.blind) {
            let numbers = self.innermost.len() as u32..;
            let innermost = lines.innermost.iter().zip(numbers);
            self.innermost.extend(innermost.map(|(part, number)| {
                let Point { x, y } = lines.line(part.line).from;
                let words = [part.squares, x as u32, y as u32, number];
                words.into_iter().fold(0, |all, word| all << 32 | u128::from(word))
            }));
            for runs in lines.outermost() {
                lines.stacks_of(runs).for_each(|squares| blind.fill_rectangle(&squares));
            }
        }
        self.innermost.sort_unstable();
        let mut ends = Vec::with_capacity(self.innermost.len());
        for &entry in &self.innermost {
            let number = entry as u32 as usize;
            let (lines, part) = match headings[0].innermost.get(number) {
                Some(part) => (&headings[0], part),
                None => (
                    &headings[1],
                    &headings[1].innermost[number - headings[0].innermost.len()],
                ),
            };
            if lines.squares_of(part.runs).any(|squares| self.taken.any_in(&squares)) {
                continue;
            }
            let rectangles = lines.squares_of(part.runs);
            rectangles.for_each(|squares| self.taken.fill_rectangle(&squares));
            ends.push(DeadEnd {
                mouth: lines.line(part.line),
                squares: part.squares,
            });
        }
        let [by_rows, by_columns] = &mut self.blind;
        by_columns.transpose(&mut self.transposed);
        by_rows.add(&self.transposed);
        (ends, by_rows.count())
    }
}
