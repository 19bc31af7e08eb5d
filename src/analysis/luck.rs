//! What chance does with each square: in how many of many dungeons it is wall, and whether the design says so.
//!
//! Counted are dungeons of one size, up to 65,535 of them; a square takes four bytes.

use crate::engine::{Grid, Mark, Tile};
use crate::geometry::{Point, Size};

/// Who decides what stands on a square.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    /// The design, in every dungeon: a wall.
    Wall,
    /// The design, in every dungeon: it stays open.
    Open,
    /// Chance: in so many dungeons it was a wall.
    Chance(u16),
}

/// Counts of one square.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Counts {
    /// Dungeons in which something stands there.
    walls: u16,
    /// Dungeons in which the design decided what is there.
    given: u16,
}

/// Many dungeons of one design, counted square by square.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Luck {
    size: Size,
    dungeons: u16,
    squares: Vec<Counts>,
}

impl Luck {
    /// No dungeon of a size yet.
    pub fn new(size: Size) -> Self {
        Self {
            size,
            dungeons: 0,
            squares: vec![Counts::default(); size.squares() as usize],
        }
    }

    /// Rows and columns.
    pub const fn size(&self) -> Size {
        self.size
    }

    /// Dungeons counted.
    pub const fn dungeons(&self) -> u16 {
        self.dungeons
    }

    /// Counts a dungeon; one of another size, or past the most that can be counted, is left out.
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

    /// In how many dungeons something stands on a square; 0 outside.
    pub fn walls(&self, at: Point) -> u16 {
        self.counts(at).walls
    }

    fn counts(&self, at: Point) -> Counts {
        if !self.size.contains(at) {
            return Counts::default();
        }
        self.squares[at.x as usize * self.size.y as usize + at.y as usize]
    }

    /// Who decides what stands on a square. Nobody has decided while no dungeon is counted.
    pub fn fate(&self, at: Point) -> Fate {
        let Counts { walls, given } = self.counts(at);
        match (self.dungeons > 0 && given == self.dungeons, walls) {
            (true, 0) => Fate::Open,
            (true, walls) if walls == self.dungeons => Fate::Wall,
            // A vault that is rolled anew for each seed may be open here and there.
            (_, walls) => Fate::Chance(walls),
        }
    }

    /// The part of the way from never to always in which so many of all dungeons lie; the last one holds its end.
    pub fn part(&self, walls: u16, parts: usize) -> usize {
        let parts = parts.max(1);
        (usize::from(walls) * parts / usize::from(self.dungeons.max(1))).min(parts - 1)
    }

    /// How many squares the design decides (walls, open), and how many of those left to chance are walls in each of
    /// some equal parts of the way from never to always.
    pub fn tally(&self, parts: usize) -> ([u64; 2], Vec<u64>) {
        let mut fixed = [0; 2];
        let mut chance = vec![0; parts.max(1)];
        for x in 0..self.size.x {
            for y in 0..self.size.y {
                match self.fate(Point::new(x, y)) {
                    Fate::Wall => fixed[0] += 1,
                    Fate::Open => fixed[1] += 1,
                    Fate::Chance(walls) => chance[self.part(walls, parts)] += 1,
                }
            }
        }
        (fixed, chance)
    }
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
        fn squares_are_counted_as_by_hand(
            dungeons in prop::collection::vec(prop::collection::vec(0..8_u8, 20 * 23), 0..9),
            parts in 1..12_usize,
        ) {
            let size = Size::new(20, 23);
            let mut luck = Luck::new(size);
            let mut grids = Vec::new();
            for numbers in dungeons {
                let mut grid = Grid::new(size);
                for (i, number) in numbers.into_iter().enumerate() {
                    // Some squares are the same in all.
                    let number = if i % 5 == 0 { (i % 9) as u8 } else { number };
                    let (tile, mark) = kind(number);
                    grid.set(Point::new(i as i32 / 23, i as i32 % 23), tile, mark);
                }
                luck.add(&grid);
                grids.push(grid);
            }
            luck.add(&Grid::new(Size::new(21, 23)));
            prop_assert_eq!(usize::from(luck.dungeons()), grids.len());
            let mut counted = ([0; 2], vec![0; parts]);
            for x in 0..20 {
                for y in 0..23 {
                    let at = Point::new(x, y);
                    let walls = grids.iter().filter(|grid| !grid.tile(at).is_open()).count() as u16;
                    prop_assert_eq!(luck.walls(at), walls);
                    let given = |grid: &Grid| grid.mark(at) == Mark::Design && grid.tile(at) != Tile::Open;
                    let fixed = !grids.is_empty() && grids.iter().all(given);
                    let expected = match (fixed, usize::from(walls)) {
                        (true, 0) => Fate::Open,
                        (true, walls) if walls == grids.len() => Fate::Wall,
                        _ => Fate::Chance(walls),
                    };
                    prop_assert_eq!(luck.fate(at), expected);
                    match expected {
                        Fate::Wall => counted.0[0] += 1,
                        Fate::Open => counted.0[1] += 1,
                        Fate::Chance(walls) => counted.1[luck.part(walls, parts)] += 1,
                    }
                }
            }
            prop_assert_eq!(luck.tally(parts), counted);
        }
    }

    #[test]
    fn never_and_always_lie_at_the_ends() {
        let mut luck = Luck::new(Size::new(20, 20));
        assert_eq!(luck.part(0, 7), 0);
        luck.dungeons = 312;
        for parts in 1..12 {
            assert_eq!(luck.part(0, parts), 0);
            assert_eq!(luck.part(312, parts), parts - 1);
        }
        assert_eq!(luck.part(156, 10), 5);
    }

    #[test]
    fn the_outside_is_nothing() {
        let mut luck = Luck::new(Size::new(20, 20));
        luck.add(&Grid::new(Size::new(20, 20)));
        for at in [
            Point::new(-1, 3),
            Point::new(20, 0),
            Point::new(3, 20),
            Point::new(i32::MAX, i32::MIN),
        ] {
            assert_eq!((luck.walls(at), luck.fate(at)), (0, Fate::Chance(0)));
        }
        assert_eq!(luck.fate(Point::new(0, 4)), Fate::Wall, "the border");
    }
}
