//! Islands: walls that hang together, diagonals too, and do not hang on the outer wall. Each is a way round.

use serde::{Deserialize, Serialize};

use super::plan::OpenPlan;
use crate::geometry::Point;

/// An island of at most so many squares either way is a pillar: columns, statues, the pyramid of a room. One
/// passes it, but nobody calls that a choice of ways.
pub const PILLAR: i32 = 5;

/// Walls that hang together inside of the dungeon.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Island {
    /// Its first square in the order of rows.
    pub at: Point,
    /// Rows from its highest to its lowest square.
    pub rows: i32,
    /// Columns from its leftmost to its rightmost square.
    pub columns: i32,
}

impl Island {
    /// Whether it is small enough to be a pillar.
    pub const fn is_pillar(&self) -> bool {
        self.rows <= PILLAR && self.columns <= PILLAR
    }
}

/// Finds the islands that one can walk round, and fills the pillars among them into `shape`.
#[derive(Debug, Default)]
pub(super) struct Islands {
    seen: Vec<bool>,
    edge: Vec<usize>,
}

impl Islands {
    /// The islands that stand in the part of the dungeon that `is_reached` tells, row by row. `shape` gets the squares
    /// of the pillars among them.
    pub(super) fn find(
        &mut self,
        plan: &OpenPlan,
        is_reached: impl Fn(usize) -> bool,
        shape: &mut [bool],
    ) -> Vec<Island> {
        self.seen.clear();
        self.seen.extend_from_slice(&plan.open);
        // The frame and the outer wall that touches it.
        self.seen[0] = true;
        self.edge.push(0);
        self.flood(plan, |_| ());
        let mut islands = Vec::new();
        let mut squares = Vec::new();
        for first in plan.stride..self.seen.len() {
            if self.seen[first] {
                continue;
            }
            self.seen[first] = true;
            self.edge.push(first);
            squares.clear();
            let at = plan.point(first);
            let (mut bottom, mut left, mut right) = (at.x, at.y, at.y);
            self.flood(plan, |index| {
                let at = plan.point(index);
                bottom = bottom.max(at.x);
                left = left.min(at.y);
                right = right.max(at.y);
                squares.push(index);
            });
            // Above its first square no wall can stand, or that would be the first.
            if !is_reached(first - plan.stride) {
                continue;
            }
            let island = Island {
                at,
                rows: bottom - at.x + 1,
                columns: right - left + 1,
            };
            if island.is_pillar() {
                for &index in &squares {
                    shape[index] = true;
                }
            }
            islands.push(island);
        }
        islands
    }

    /// Visits what hangs together with the squares in `edge`.
    fn flood(&mut self, plan: &OpenPlan, mut visit: impl FnMut(usize)) {
        let s = plan.stride;
        let around = [s + 1, s, s - 1, 1].into_iter();
        let around: Vec<usize> = around.flat_map(|step| [step, step.wrapping_neg()]).collect();
        while let Some(at) = self.edge.pop() {
            visit(at);
            for &step in &around {
                // Before the first and after the last row there is nothing; the frame hangs together all the same.
                let to = at.wrapping_add(step);
                if self.seen.get(to) == Some(&false) {
                    self.seen[to] = true;
                    self.edge.push(to);
                }
            }
        }
    }
}
