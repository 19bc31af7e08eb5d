//! Dead ends: the pockets that the passage lines of rows and of columns cut off.

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

/// The search for dead ends among the runs of rows and of columns, with its buffers.
#[derive(Debug, Default)]
pub(super) struct DeadEndFinder {
    /// Squares of the dead ends found so far.
    taken: BitRows,
    /// Squares in pockets, by rows for the first heading, and with rows and columns exchanged for the second.
    blind: [BitRows; 2],
    transposed: BitRows,
    /// Pockets that hold no other, of both headings: squares, first square of the line, and index.
    innermost: Vec<(u32, Point, u32)>,
}

impl DeadEndFinder {
    /// Returns the dead ends, the smallest first, and the number of squares in pockets. `size` is the number of rows and
    /// columns.
    ///
    /// A pocket that contains others is a dead-end passage with branches, of which only the branches count: the
    /// smallest first, each that shares no square with those before it.
    pub(super) fn find(&mut self, size: (usize, usize), headings: &[PassageLines; 2]) -> (Vec<DeadEnd>, u32) {
        self.taken.fit(size.0, size.1);
        self.blind[0].fit(size.0, size.1);
        self.blind[1].fit(size.1, size.0);
        self.innermost.clear();
        for (lines, blind) in headings.iter().zip(&mut self.blind) {
            let numbers = self.innermost.len() as u32..;
            let innermost = lines.innermost.iter().zip(numbers);
            self.innermost
                .extend(innermost.map(|(part, number)| (part.squares, lines.line(part.line).from, number)));
            for runs in lines.outermost() {
                lines.stacks_of(runs).for_each(|squares| blind.fill_rectangle(&squares));
            }
        }
        self.innermost.sort_unstable();
        let mut ends = Vec::new();
        for &(squares, _, number) in &self.innermost {
            let number = number as usize;
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
                squares,
            });
        }
        let [by_rows, by_columns] = &mut self.blind;
        by_columns.transpose(&mut self.transposed);
        by_rows.add(&self.transposed);
        (ends, by_rows.count())
    }
}
