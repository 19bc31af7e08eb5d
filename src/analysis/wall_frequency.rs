//! Wall frequency: in how many dungeons each square is a wall, and whether the design determines what the square is.
//!
//! Up to 65,535 dungeons of one size are counted, in four bytes per square.

use serde::{Deserialize, Serialize};

use crate::design::deserialize_checked;
use crate::engine::{Grid, Mark, Tile};
use crate::geometry::{Point, Size};

/// What determines whether a square is a wall.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SquareOrigin {
    /// The design places a wall here in every dungeon.
    Wall,
    /// The design keeps the square open in every dungeon.
    Open,
    /// The square is random. The value is the number of dungeons in which it is a wall.
    Chance(u16),
}

/// The counts of one square.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
struct SquareCounts {
    /// Number of dungeons in which the square is not open.
    walls: u16,
    /// Number of dungeons in which the design determines the square.
    given: u16,
}

/// The wall frequency of many dungeons of one design, square by square.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(remote = "Self")]
pub struct WallFrequency {
    size: Size,
    dungeons: u16,
    squares: Vec<SquareCounts>,
}

deserialize_checked!(WallFrequency);

impl WallFrequency {
    /// Checks counts that were read from a file: there must be counts for each square, and no count may exceed the
    /// number of dungeons.
    fn checked(self) -> Result<Self, String> {
        let Self { size, dungeons, .. } = self;
        let counted = |counts: &SquareCounts| counts.walls <= dungeons && counts.given <= dungeons;
        if self.squares.len() as u64 != size.squares() || !self.squares.iter().all(counted) {
            return Err(format!(
                "these are not the counts of {dungeons} dungeons of {size} squares"
            ));
        }
        Ok(self)
    }

    /// Creates counts for dungeons of one size, all 0.
    pub fn new(size: Size) -> Self {
        Self {
            size,
            dungeons: 0,
            squares: vec![SquareCounts::default(); size.squares() as usize],
        }
    }

    /// Returns the size of the counted dungeons.
    pub const fn size(&self) -> Size {
        self.size
    }

    /// Returns the number of dungeons counted.
    pub const fn dungeons(&self) -> u16 {
        self.dungeons
    }

    /// Counts a dungeon. Ignores dungeons whose size is not [`Self::size`], and all dungeons after the first 65,535.
    pub fn add(&mut self, grid: &Grid) {
        if grid.size() != self.size || self.dungeons == u16::MAX {
            return;
        }
        self.dungeons += 1;
        let size = self.size;
        for x in 0..size.x {
            let row = x as usize * size.y as usize;
            for (y, counts) in (0..size.y).zip(&mut self.squares[row..]) {
                let at = Point::new(x, y);
                let tile = grid.tile(at);
                if tile == Tile::Open {
                    continue;
                }
                counts.walls += u16::from(!tile.is_open());
                counts.given += u16::from(grid.mark(at) == Mark::Design);
            }
        }
    }

    /// Returns the number of dungeons in which a square is not open; 0 for a square outside the dungeon.
    pub fn walls(&self, at: Point) -> u16 {
        self.counts(at).walls
    }

    fn counts(&self, at: Point) -> SquareCounts {
        let index = self.size.index(at);
        index.map(|index| self.squares[index]).unwrap_or_default()
    }

    /// Returns what determines whether a square is a wall. Until a dungeon is counted, returns
    /// [`SquareOrigin::Chance`] with 0 dungeons.
    pub fn origin(&self, at: Point) -> SquareOrigin {
        let SquareCounts { walls, given } = self.counts(at);
        match (self.dungeons > 0 && given == self.dungeons, walls) {
            (true, 0) => SquareOrigin::Open,
            (true, walls) if walls == self.dungeons => SquareOrigin::Wall,
            // A vault that is resolved again for each seed may place a wall here in some dungeons and keep the square
            // open in others.
            (_, walls) => SquareOrigin::Chance(walls),
        }
    }

    /// Returns the share of dungeons in which a square is a wall, in tenths rounded down: 0 for less than 10%, 1 for
    /// less than 20%, up to 9 for 90% or more. `walls` is the number of these dungeons.
    pub fn tenth(&self, walls: u16) -> usize {
        (usize::from(walls) * 10 / usize::from(self.dungeons.max(1))).min(9)
    }

    /// Returns the number of squares of each origin.
    pub fn tally(&self) -> WallFrequencySummary {
        let mut tally = WallFrequencySummary::default();
        for at in self.size.points() {
            match self.origin(at) {
                SquareOrigin::Wall => tally.walls += 1,
                SquareOrigin::Open => tally.open += 1,
                SquareOrigin::Chance(0) => tally.never += 1,
                SquareOrigin::Chance(walls) => tally.chance[self.tenth(walls)] += 1,
            }
        }
        tally
    }
}

/// The number of squares of each [origin](SquareOrigin).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct WallFrequencySummary {
    /// Number of squares that are walls by design.
    pub walls: u64,
    /// Number of squares that are open by design.
    pub open: u64,
    /// Number of random squares that are never a wall.
    pub never: u64,
    /// Number of random squares that are a wall in at least one dungeon, grouped by the share of the dungeons in which
    /// they are walls, in [tenths](WallFrequency::tenth).
    pub chance: [u64; 10],
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn kind(number: u8) -> (Tile, Mark) {
        match number {
            0 => (Tile::Wall, Mark::Generation(3)),
            1 => (Tile::Column, Mark::Generation(0)),
            2 => (Tile::Wall, Mark::Design),
            3 => (Tile::HighWall, Mark::Design),
            4 => (Tile::Guaranteed, Mark::Design),
            _ => (Tile::Open, Mark::Design),
        }
    }

    proptest! {
        #[test]
        fn counts_agree_with_counting_by_hand(
            dungeons in prop::collection::vec(prop::collection::vec(0..8_u8, 20 * 23), 0..9),
        ) {
            let size = Size::new(20, 23);
            let mut wall_frequency = WallFrequency::new(size);
            let mut grids = Vec::new();
            for numbers in dungeons {
                let mut grid = Grid::new(size);
                for (i, number) in numbers.into_iter().enumerate() {
                    // Every fifth square is the same in all dungeons.
                    let number = if i % 5 == 0 { (i % 9) as u8 } else { number };
                    let (tile, mark) = kind(number);
                    grid.set(Point::new(i as i32 / 23, i as i32 % 23), tile, mark);
                }
                wall_frequency.add(&grid);
                grids.push(grid);
            }
            wall_frequency.add(&Grid::new(Size::new(21, 23)));
            prop_assert_eq!(usize::from(wall_frequency.dungeons()), grids.len());
            let mut counted = WallFrequencySummary::default();
            for x in 0..20 {
                for y in 0..23 {
                    let at = Point::new(x, y);
                    let walls = grids.iter().filter(|grid| !grid.tile(at).is_open()).count() as u16;
                    prop_assert_eq!(wall_frequency.walls(at), walls);
                    let given = |grid: &Grid| grid.mark(at) == Mark::Design && grid.tile(at) != Tile::Open;
                    let fixed = !grids.is_empty() && grids.iter().all(given);
                    let expected = match (fixed, usize::from(walls)) {
                        (true, 0) => SquareOrigin::Open,
                        (true, walls) if walls == grids.len() => SquareOrigin::Wall,
                        _ => SquareOrigin::Chance(walls),
                    };
                    prop_assert_eq!(wall_frequency.origin(at), expected);
                    match expected {
                        SquareOrigin::Wall => counted.walls += 1,
                        SquareOrigin::Open => counted.open += 1,
                        SquareOrigin::Chance(0) => counted.never += 1,
                        SquareOrigin::Chance(walls) => {
                            let tenth = (0..9).find(|tenth| usize::from(walls) * 10 < (tenth + 1) * grids.len());
                            counted.chance[tenth.unwrap_or(9)] += 1;
                        }
                    }
                }
            }
            prop_assert_eq!(wall_frequency.tally(), counted);
        }
    }

    #[test]
    fn squares_that_never_or_always_are_walls_are_in_the_outer_tenths() {
        let mut wall_frequency = WallFrequency::new(Size::new(20, 20));
        assert_eq!(wall_frequency.tenth(0), 0);
        wall_frequency.dungeons = 312;
        let tenths = [0, 31, 32, 156, 311, 312].map(|walls| wall_frequency.tenth(walls));
        assert_eq!(tenths, [0, 0, 1, 5, 9, 9]);
    }

    #[test]
    fn squares_outside_have_no_count() {
        let mut wall_frequency = WallFrequency::new(Size::new(20, 20));
        wall_frequency.add(&Grid::new(Size::new(20, 20)));
        for at in [
            Point::new(-1, 3),
            Point::new(20, 0),
            Point::new(3, 20),
            Point::new(i32::MAX, i32::MIN),
        ] {
            assert_eq!(
                (wall_frequency.walls(at), wall_frequency.origin(at)),
                (0, SquareOrigin::Chance(0))
            );
        }
        assert_eq!(
            wall_frequency.origin(Point::new(0, 4)),
            SquareOrigin::Wall,
            "the border"
        );
    }
}
