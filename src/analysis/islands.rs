//! Islands: connected walls, diagonals included, that do not touch the outer wall. A path can loop around each.

use serde::{Deserialize, Serialize};

use super::plan::OpenPlan;
use crate::geometry::Point;

/// Largest number of rows and of columns of a pillar: columns, statues, the pyramid of a room. Passing a pillar on
/// either side does not count as a choice of paths.
pub const PILLAR: i32 = 5;

/// A connected group of walls inside the dungeon.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Island {
    /// First square in row order.
    pub at: Point,
    /// Number of rows from the highest to the lowest square.
    pub rows: i32,
    /// Number of columns from the leftmost to the rightmost square.
    pub columns: i32,
}

impl Island {
    /// Returns whether the island is small enough to be a pillar.
    pub const fn is_pillar(&self) -> bool {
        self.rows <= PILLAR && self.columns <= PILLAR
    }
}

/// Finds the islands in the reachable part, and adds the pillars among them to `shape`.
#[derive(Debug, Default)]
pub(super) struct Islands {
    seen: Vec<bool>,
    edge: Vec<usize>,
}

impl Islands {
    /// Returns the islands in the part of the dungeon where `is_reached` holds, in row order. Adds the squares of the
    /// pillars among them to `shape`.
    pub(super) fn find(
        &mut self,
        plan: &OpenPlan,
        is_reached: impl Fn(usize) -> bool,
        shape: &mut [bool],
    ) -> Vec<Island> {
        self.seen.clear();
        self.seen.extend_from_slice(&plan.open);
        // The frame, and the outer wall that touches it.
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
            // The square above the first one is open: a wall there would be the first.
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

    /// Visits the squares connected with those in `edge`.
    fn flood(&mut self, plan: &OpenPlan, mut visit: impl FnMut(usize)) {
        let s = plan.stride;
        let around = [s + 1, s, s - 1, 1].into_iter();
        let around: Vec<usize> = around.flat_map(|step| [step, step.wrapping_neg()]).collect();
        while let Some(at) = self.edge.pop() {
            visit(at);
            for &step in &around {
                // Outside the first and last row there is nothing; the frame is connected all the same.
                let to = at.wrapping_add(step);
                if self.seen.get(to) == Some(&false) {
                    self.seen[to] = true;
                    self.edge.push(to);
                }
            }
        }
    }
}
