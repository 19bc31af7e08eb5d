//! Regions: connected sets of open squares.
//!
//! An open square is connected with its open neighbours to the north, east, south and west, but not diagonally. Doors
//! and liquids of vaults are open squares of the grid.

use crate::design::{PlacedVault, ValidDesign};
use crate::engine::Grid;
use crate::geometry::{Forward, Point, Size};

/// The number of a region, counted from 1.
pub type Region = u32;

/// The regions of a dungeon's open squares.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Regions {
    size: Size,
    /// Region of each square, row by row; 0 for squares that are not open.
    of: Vec<Region>,
    /// Number of squares of each region; index 0 is unused and 0.
    squares: Vec<u64>,
}

impl Regions {
    /// Finds the regions of a dungeon, in time and memory linear in its squares.
    pub fn new(grid: &Grid) -> Self {
        let size = grid.size();
        let mut regions = Self {
            size,
            of: vec![0; size.squares() as usize],
            squares: vec![0],
        };
        let mut edge = Vec::new();
        for x in 0..size.x {
            for y in 0..size.y {
                let start = Point::new(x, y);
                if !grid.tile(start).is_open() || regions.of(start).is_some() {
                    continue;
                }
                let region = regions.squares.len() as Region;
                regions.squares.push(0);
                regions.add(start, region);
                edge.push(start);
                while let Some(at) = edge.pop() {
                    for forward in Forward::ALL {
                        let next = at.step(forward, 1);
                        if size.contains(next) && grid.tile(next).is_open() && regions.of(next).is_none() {
                            regions.add(next, region);
                            edge.push(next);
                        }
                    }
                }
            }
        }
        regions
    }

    fn add(&mut self, at: Point, region: Region) {
        if let Some(i) = self.size.index(at) {
            self.of[i] = region;
            self.squares[region as usize] += 1;
        }
    }

    /// Returns the region of a square; `None` if the square is not open, or lies outside the dungeon.
    pub fn of(&self, at: Point) -> Option<Region> {
        self.size.index(at).map(|i| self.of[i]).filter(|region| *region > 0)
    }

    /// Returns the number of regions.
    pub fn len(&self) -> usize {
        self.squares.len() - 1
    }

    /// Returns whether no square is open.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the number of squares of a region; 0 if there is no such region.
    pub fn squares(&self, region: Region) -> u64 {
        self.squares.get(region as usize).copied().unwrap_or(0)
    }

    /// Returns the region with the most squares; `None` if there is no region. On a tie, returns the region that comes
    /// first in row order.
    pub fn largest(&self) -> Option<Region> {
        let all = 1..self.squares.len();
        all.max_by_key(|&region| (self.squares[region], std::cmp::Reverse(region)))
            .map(|region| region as Region)
    }
}

/// Returns the vault exits from which the dungeon's largest region cannot be reached, each with the index of its vault.
/// Vaults that could not be placed are ignored.
pub fn cut_off(grid: &Grid, design: &ValidDesign) -> Vec<(usize, Point)> {
    let exits =
        |piece: &PlacedVault| -> Vec<(usize, Point)> { piece.exits.iter().map(|&at| (piece.vault, at)).collect() };
    let mut exits: Vec<_> = design.placed().iter().flat_map(exits).collect();
    if !exits.is_empty() {
        let regions = Regions::new(grid);
        let main = regions.largest();
        exits.retain(|&(_, at)| regions.of(at) != main);
    }
    exits
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::design::Design;
    use crate::engine::{Mark, Tile};

    fn grid(walls: &[(i32, i32)]) -> Grid {
        let mut grid = Grid::new(Size::new(20, 20));
        for &(x, y) in walls {
            grid.set(Point::new(x, y), Tile::Wall, Mark::Design);
        }
        grid
    }

    #[test]
    fn a_corner_that_is_walled_off_is_a_region_of_its_own() {
        let open = Regions::new(&grid(&[(1, 2)]));
        assert_eq!((open.len(), open.largest()), (1, Some(1)));
        assert_eq!(open.squares(1), 18 * 18 - 1);
        // Diagonal neighbours are not connected.
        let parted = Regions::new(&grid(&[(1, 2), (2, 1)]));
        assert_eq!((parted.len(), parted.largest()), (2, Some(2)));
        assert_eq!((parted.of(Point::new(1, 1)), parted.squares(1)), (Some(1), 1));
        assert_eq!(parted.of(Point::new(1, 2)), None);
        assert_eq!(parted.of(Point::new(-1, 2)), None);
        assert_eq!(parted.squares(9), 0);
    }

    #[test]
    fn exits_in_a_small_region_are_cut_off() {
        let piece = |vault, exits: &[(i32, i32)]| PlacedVault {
            vault,
            name: String::new(),
            at: Point::new(1, 1),
            size: Size::new(1, 1),
            squares: vec![None],
            exits: exits.iter().map(|&(x, y)| Point::new(x, y)).collect(),
            contents: Vec::new(),
        };
        let design = ValidDesign::try_from(&Design::default()).unwrap();
        let pieces = vec![piece(0, &[(1, 1), (9, 9)]), piece(3, &[(1, 2), (5, 5)])];
        let walled = grid(&[(1, 2), (2, 1)]);
        assert_eq!(
            cut_off(&walled, &design.clone().with_pieces(pieces)),
            [(0, Point::new(1, 1)), (3, Point::new(1, 2))]
        );
        assert_eq!(cut_off(&walled, &design), []);
    }
}
