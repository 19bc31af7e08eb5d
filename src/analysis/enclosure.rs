//! Finds the cause of an enclosed area: the Builders whose walls surround the area, and the Builder whose tile closed
//! it.

use serde::{Deserialize, Serialize};

use super::metrics::EnclosedArea;
use crate::engine::{BuilderId, Grid, Mark};
use crate::geometry::{Forward, Point, Size};
use crate::recording::TileOrigins;

/// The cause of an enclosed area.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EnclosureCause {
    /// Position of the tile that closed the last path from the area to the largest area.
    pub at: Point,
    /// Builder that laid the tile.
    pub builder: BuilderId,
    /// Turn in which the tile was laid.
    pub turn: u64,
    /// Builders whose tiles touch the area, diagonally or along a side, sorted by number. `builder` is not among them
    /// if later tiles separate its tiles from the area.
    pub around: Vec<BuilderId>,
}

/// A union-find structure of open squares, merged as tiles are removed.
struct Merging {
    size: Size,
    /// For each square, the index of the square that it was merged into. A root has its own index; a square that is not
    /// open has `NONE`.
    into: Vec<u32>,
}

const NONE: u32 = u32::MAX;

impl Merging {
    fn root(&mut self, mut at: u32) -> u32 {
        while self.into[at as usize] != at {
            // Path halving keeps the paths short.
            let above = self.into[at as usize];
            self.into[at as usize] = self.into[above as usize];
            at = above;
        }
        at
    }

    /// Returns the root of the largest area. If several areas are equally large, the first of them in row order counts.
    /// Returns `None` if no square is open.
    fn largest(&mut self) -> Option<u32> {
        let mut roots = Vec::new();
        let mut squares = vec![0_u32; self.into.len()];
        for at in 0..self.into.len() {
            if self.into[at] != NONE {
                let root = self.root(at as u32);
                roots.push(root);
                squares[root as usize] += 1;
            }
        }
        // `max_by_key` returns the last of equal values, so the order is reversed.
        roots.into_iter().rev().max_by_key(|root| squares[*root as usize])
    }

    /// Opens a square and merges it with its open neighbours.
    fn open(&mut self, at: Point) {
        let Some(index) = self.size.index(at) else { return };
        self.into[index] = index as u32;
        for forward in Forward::ALL {
            let Some(beside) = self.size.index(at.step(forward, 1)) else {
                continue;
            };
            if self.into[beside] != NONE {
                let (a, b) = (self.root(index as u32), self.root(beside as u32));
                self.into[a as usize] = b;
            }
        }
    }
}

/// Returns the cause of each enclosed area in `areas`. `grid` is the dungeon after turn `now`. The cause is `None` if
/// the design itself encloses the area, or if `origins` ends before turn `now` and lacks a tile that encloses the area.
///
/// Tiles are removed in the reverse order of their turns until a path leads from the area to the largest area: the
/// tile removed last is the tile that closed the area. The tiles of one turn, all laid by one Builder, are removed in
/// row order.
pub fn enclosure_causes(
    grid: &Grid,
    areas: &[EnclosedArea],
    origins: &TileOrigins,
    now: u64,
) -> Vec<Option<EnclosureCause>> {
    let size = grid.size();
    let mut merging = Merging {
        size,
        into: vec![NONE; size.squares() as usize],
    };
    let mut tiles = Vec::new();
    for at in size.points() {
        if grid.tile(at).is_open() {
            merging.open(at);
        } else if let (Mark::Generation(_), Some(origin)) = (grid.mark(at), origins.of(at, now)) {
            tiles.push((std::cmp::Reverse(origin.turn), at, origin.builder));
        }
    }
    let enclosed: Vec<u32> = areas
        .iter()
        .map(|area| {
            merging
                .size
                .index(area.at)
                .map_or(NONE, |index| merging.root(index as u32))
        })
        .collect();
    let around = around(&mut merging, &enclosed, grid, origins, now);
    let mut causes: Vec<Option<EnclosureCause>> = vec![None; areas.len()];
    let Some(largest) = merging.largest() else {
        return causes;
    };
    tiles.sort_unstable();
    let mut left: Vec<usize> = (0..areas.len()).filter(|&i| enclosed[i] != NONE).collect();
    for (std::cmp::Reverse(turn), at, builder) in tiles {
        if left.is_empty() {
            break;
        }
        merging.open(at);
        let main = merging.root(largest);
        left.retain(|&i| {
            let is_closed = merging.root(enclosed[i]) != main;
            if !is_closed {
                let around = around[i].clone();
                causes[i] = Some(EnclosureCause {
                    at,
                    builder,
                    turn,
                    around,
                });
            }
            is_closed
        });
    }
    causes
}

/// Returns, for each area, the Builders whose tiles touch it diagonally or along a side.
fn around(merging: &mut Merging, areas: &[u32], grid: &Grid, origins: &TileOrigins, now: u64) -> Vec<Vec<BuilderId>> {
    let mut around = vec![Vec::new(); areas.len()];
    let size = grid.size();
    for x in 0..size.x {
        for y in 0..size.y {
            let at = Point::new(x, y);
            let Some(origin) = origins.of(at, now).filter(|_| !grid.tile(at).is_open()) else {
                continue;
            };
            for (dx, dy) in (-1..=1).flat_map(|dx| (-1..=1).map(move |dy| (dx, dy))) {
                let Some(beside) = merging.size.index(Point::new(x + dx, y + dy)) else {
                    continue;
                };
                if merging.into[beside] == NONE {
                    continue;
                }
                let root = merging.root(beside as u32);
                if let Some(area) = areas.iter().position(|area| *area == root) {
                    around[area].push(origin.builder);
                }
            }
        }
    }
    for builders in &mut around {
        builders.sort_unstable();
        builders.dedup();
    }
    around
}
