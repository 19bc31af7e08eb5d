//! Who closed an enclosed area: the Builders whose walls stand around it, and the one that laid the last of them.

use serde::{Deserialize, Serialize};

use super::metrics::EnclosedArea;
use crate::engine::{BuilderId, Grid, Mark};
use crate::geometry::{Forward, Point, Size};
use crate::recording::TileOrigins;

/// How an area came to be enclosed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EnclosureCause {
    /// The tile after which no way led from the area to the largest one any more.
    pub at: Point,
    /// Who laid it.
    pub builder: BuilderId,
    /// In which turn.
    pub turn: u64,
    /// Everybody whose tiles stand beside the area, the one that closed it among them, by number.
    pub around: Vec<BuilderId>,
}

/// Squares that hang together, merged as tiles are taken away.
struct Merging {
    size: Size,
    /// For each square the one that it was merged into; itself at the root. `NONE` for what is not open.
    into: Vec<u32>,
}

const NONE: u32 = u32::MAX;

impl Merging {
    fn index(&self, at: Point) -> Option<usize> {
        let inside = self.size.contains(at);
        inside.then(|| at.x as usize * self.size.y as usize + at.y as usize)
    }

    fn root(&mut self, mut at: u32) -> u32 {
        while self.into[at as usize] != at {
            // Halving the way keeps ways short.
            let above = self.into[at as usize];
            self.into[at as usize] = self.into[above as usize];
            at = above;
        }
        at
    }

    /// Opens a square.
    fn open(&mut self, at: Point) {
        let Some(index) = self.index(at) else { return };
        self.into[index] = index as u32;
        for forward in Forward::ALL {
            let Some(beside) = self.index(at.step(forward, 1)) else {
                continue;
            };
            if self.into[beside] != NONE {
                let (a, b) = (self.root(index as u32), self.root(beside as u32));
                self.into[a as usize] = b;
            }
        }
    }
}

/// Who closed each of the enclosed areas of a dungeon that stood so after turn `now`; `None` for an area that the design
/// itself encloses, and where the origins were not read far enough.
///
/// The tiles are taken away in the order opposite to that in which they were laid, until a way leads from the area to
/// the largest one: the tile taken last is the one that closed it. Of the tiles of one turn, which are one Builder's,
/// the one first in the order of rows is taken first.
pub fn closings(grid: &Grid, areas: &[EnclosedArea], origins: &TileOrigins, now: u64) -> Vec<Option<EnclosureCause>> {
    let size = grid.size();
    let squares = || (0..size.x).flat_map(move |x| (0..size.y).map(move |y| Point::new(x, y)));
    let mut merging = Merging {
        size,
        into: vec![NONE; size.squares() as usize],
    };
    let mut tiles = Vec::new();
    for at in squares() {
        if grid.tile(at).is_open() {
            merging.open(at);
        } else if let (Mark::Generation(_), Some(origin)) = (grid.mark(at), origins.of(at, now)) {
            tiles.push((std::cmp::Reverse(origin.turn), at, origin.builder));
        }
    }
    let enclosed: Vec<u32> = areas
        .iter()
        .map(|area| merging.index(area.at).map_or(NONE, |index| merging.root(index as u32)))
        .collect();
    let around = around(&mut merging, &enclosed, grid, origins, now);
    let largest = squares().filter(|at| grid.tile(*at).is_open()).find_map(|at| {
        let root = merging.index(at).map(|index| merging.root(index as u32))?;
        (!enclosed.contains(&root)).then_some(root)
    });
    let mut closings: Vec<Option<EnclosureCause>> = vec![None; areas.len()];
    let Some(largest) = largest else {
        return closings;
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
                closings[i] = Some(EnclosureCause {
                    at,
                    builder,
                    turn,
                    around,
                });
            }
            is_closed
        });
    }
    closings
}

/// The Builders whose tiles stand beside each area, diagonals too.
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
                let Some(beside) = merging.index(Point::new(x + dx, y + dy)) else {
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
