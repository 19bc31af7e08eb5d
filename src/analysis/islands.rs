//! Islands: groups of connected walls, diagonals included, that do not touch the outer wall. A path can loop around
//! each island.

use serde::{Deserialize, Serialize};

use super::bit_rows::BitRows;
use super::groups::{Diagonals, Group, Groups};
use crate::geometry::Point;

/// Largest number of rows and of columns of an island that counts as a pillar. A pillar can be a statue, the pyramid of
/// a room, or a single tile left by a Jumper. Passing a pillar on either side does not count as a choice of paths.
pub const PILLAR: i32 = 5;

/// A connected group of walls inside the dungeon.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Island {
    /// First square in row order.
    pub at: Point,
    /// Number of rows from the topmost to the bottommost square.
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

/// The search for islands in the reachable part, with its buffers.
#[derive(Debug, Default)]
pub(super) struct Islands {
    walls: BitRows,
    groups: Groups,
}

impl Islands {
    /// Returns the islands in the reachable part of the dungeon, in row order. `shape` must contain the reachable
    /// squares; the squares of the islands that are pillars are added to it.
    pub(super) fn find(&mut self, open: &BitRows, shape: &mut BitRows) -> Vec<Island> {
        let (rows, columns) = (open.rows(), open.columns());
        self.walls.fit(rows, columns);
        for row in (0..rows).filter(|_| columns > 0) {
            self.walls.fill(row, 0, columns);
        }
        self.walls.remove(open);
        self.groups.find(&self.walls, Diagonals::Joined);
        // A group that touches the border is part of the outer wall.
        let is_inside = |group: &Group| {
            let (top, bottom) = (group.first.0 as usize, group.bottom as usize);
            top > 0 && bottom < rows && group.left > 0 && (group.right as usize) < columns
        };
        let mut islands = Vec::with_capacity(self.groups.all().len());
        let mut is_pillar = Vec::with_capacity(self.groups.all().len());
        for group in self.groups.all() {
            let (row, column) = group.first;
            // The square above the group's first square is open, because a wall there would be the first square. The
            // island is in the reachable part if the square above is.
            let is_reached = is_inside(group) && shape.get(row as usize - 1, column as usize);
            let island = Island {
                at: Point::new(row as i32, column as i32),
                rows: (group.bottom - row) as i32,
                columns: (group.right - group.left) as i32,
            };
            is_pillar.push(is_reached && island.is_pillar());
            if is_reached {
                islands.push(island);
            }
        }
        for (_, stack) in self.groups.stacks().filter(|(group, _)| is_pillar[*group]) {
            shape.fill_rectangle(&stack.rectangle());
        }
        islands
    }
}
