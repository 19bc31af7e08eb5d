//! The dungeon's squares: what stands on each and which generation put it there.
//!
//! The grid knows shapes and look-ups, not why anything is built. Reads outside of it answer "wall",
//! writes outside of it do nothing, so that no caller can reach past the map.

use super::bits::{BitMap, Lines};
use serde::{Deserialize, Serialize};

use crate::geometry::{Forward, Point, Size};

/// What stands on a square.
///
/// The manual's map has two kinds more: squares inside of rooms and doors on which no wall may be built, and walls that
/// may not be joined. No recorded dungeon shows either: Crawlers build inside of rooms where their corridors fit
/// (`mix-*`), and join whatever wall is near enough. What must stay free of walls is guaranteed open, then.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[repr(u8)]
pub enum Tile {
    /// Open; walls may be built here.
    Open,
    /// Open and guaranteed to stay so: the rooms file's open squares.
    Guaranteed,
    /// Wall.
    Wall,
    /// High wall: pyramids and door decorations.
    HighWall,
    /// A column, of a room, of the rooms file or of a ColumnJumper.
    Column,
}

impl Tile {
    /// Every kind; the index is the kind's number.
    pub const ALL: [Self; 5] = [Self::Open, Self::Guaranteed, Self::Wall, Self::HighWall, Self::Column];

    /// Whether one can walk on the square.
    pub const fn is_open(self) -> bool {
        matches!(self, Self::Open | Self::Guaranteed)
    }

    /// The character of the recorded cases: `.` open, `o` guaranteed open, `X` wall, `Y` high wall, `C` column.
    pub const fn plain(self) -> char {
        match self {
            Self::Open => '.',
            Self::Guaranteed => 'o',
            Self::Wall => 'X',
            Self::HighWall => 'Y',
            Self::Column => 'C',
        }
    }
}

/// Who put a tile where it stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Mark {
    /// The design: border, rooms, hand-placed tiles; and every square that is still open.
    Design,
    /// A Builder of this generation (254 stands for all later ones as well).
    Generation(u8),
}

const DESIGN: u8 = 0;

impl Mark {
    /// The mark of a Builder's generation.
    pub const fn generation(generation: u32) -> Self {
        Self::Generation(if generation > 254 { 254 } else { generation as u8 })
    }

    const fn to_byte(self) -> u8 {
        match self {
            Self::Design => DESIGN,
            Self::Generation(g) => g.saturating_add(1),
        }
    }

    const fn from_byte(byte: u8) -> Self {
        match byte {
            DESIGN => Self::Design,
            g => Self::Generation(g - 1),
        }
    }
}

/// A dungeon: `size.x` rows of `size.y` squares. Two bytes and two bits a square.
#[derive(Debug, PartialEq, Eq)]
pub struct Grid {
    size: Size,
    tiles: Vec<Tile>,
    marks: Vec<u8>,
    /// Which squares may not be built on: with rows as lines for looks East and West, and with columns as lines
    /// for looks North and South.
    taken: [BitMap; 2],
}

impl Clone for Grid {
    fn clone(&self) -> Self {
        Self {
            size: self.size,
            tiles: self.tiles.clone(),
            marks: self.marks.clone(),
            taken: self.taken.clone(),
        }
    }

    /// Into memory that is there already.
    fn clone_from(&mut self, source: &Self) {
        let Self {
            size,
            tiles,
            marks,
            taken,
        } = source;
        self.size = *size;
        self.tiles.clone_from(tiles);
        self.marks.clone_from(marks);
        self.taken.clone_from(taken);
    }
}

impl Grid {
    /// An open dungeon inside its outer ring of wall.
    pub fn new(size: Size) -> Self {
        let squares = size.squares() as usize;
        let mut grid = Self {
            size,
            tiles: vec![Tile::Open; squares],
            marks: vec![DESIGN; squares],
            taken: [BitMap::new(size.x, size.y), BitMap::new(size.y, size.x)],
        };
        for x in 0..size.x {
            grid.set(Point::new(x, 0), Tile::Wall, Mark::Design);
            grid.set(Point::new(x, size.y - 1), Tile::Wall, Mark::Design);
        }
        for y in 0..size.y {
            grid.set(Point::new(0, y), Tile::Wall, Mark::Design);
            grid.set(Point::new(size.x - 1, y), Tile::Wall, Mark::Design);
        }
        grid
    }

    /// Rows and columns.
    pub const fn size(&self) -> Size {
        self.size
    }

    #[inline]
    fn index(&self, at: Point) -> Option<usize> {
        self.size
            .contains(at)
            .then(|| at.x as usize * self.size.y as usize + at.y as usize)
    }

    /// What stands on a square; outside of the dungeon, wall.
    pub fn tile(&self, at: Point) -> Tile {
        self.index(at).map_or(Tile::Wall, |i| self.tiles[i])
    }

    /// Who put it there; outside of the dungeon, the design.
    pub fn mark(&self, at: Point) -> Mark {
        self.index(at).map_or(Mark::Design, |i| Mark::from_byte(self.marks[i]))
    }

    /// Puts a tile on a square and returns what stood there; outside of the dungeon nothing happens.
    #[expect(clippy::inline_always, reason = "measured: a call costs as much as the rest")]
    #[inline(always)]
    pub fn set(&mut self, at: Point, tile: Tile, mark: Mark) -> Tile {
        let Some(i) = self.index(at) else {
            return Tile::Wall;
        };
        self.marks[i] = mark.to_byte();
        let taken = tile != Tile::Open;
        self.taken[0].set(at.x as usize, at.y as usize, taken);
        self.taken[1].set(at.y as usize, at.x as usize, taken);
        std::mem::replace(&mut self.tiles[i], tile)
    }

    /// Looks ahead: how many rows of squares in front of `at`, each `half_width` squares broad to either
    /// side of the middle, are open to building, counted up to `limit`. The row of `at` itself is not
    /// looked at. Anything but [`Tile::Open`] ends the look, and so does the edge of the map, wherever in
    /// the row it stands (recorded: `obstacle-*`).
    pub fn free_rows(&self, at: Point, forward: Forward, half_width: i32, limit: i32) -> i32 {
        // Both headings' answers, and an index for the choice: a processor cannot guess where a Builder heads.
        let along_x = usize::from(forward.along_x());
        let map = &self.taken[along_x];
        let (line, place) = ([at.x, at.y][along_x], [at.y, at.x][along_x]);
        let (lines, length) = (map.lines(), map.length());
        let half = half_width.max(0);
        if !self.size.contains(at) || half > line.min(lines - 1 - line) {
            return 0;
        }
        let back = forward.is_back();
        let count = limit.min(if back { place } else { length - 1 - place });
        if count <= 0 {
            return 0;
        }
        let start = if back { place - count } else { place + 1 };
        // What is checked above is not negative, and as unsigned numbers they need no widening.
        let lines = Lines {
            middle: line as u32 as usize,
            half: half as u32 as usize,
        };
        map.clear(lines, start as u32 as usize, count as u32 as usize, back) as i32
    }

    /// Bytes that the squares take.
    pub fn bytes(&self) -> usize {
        self.tiles.len() + self.marks.len() + self.taken.iter().map(BitMap::bytes).sum::<usize>()
    }

    /// The squares row by row, each row from left to right.
    pub fn rows(&self) -> impl Iterator<Item = &[Tile]> {
        self.tiles.chunks(self.size.y.max(1) as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_outside_is_wall_and_cannot_be_written() {
        let mut grid = Grid::new(Size::new(20, 30));
        let before = grid.clone();
        for at in [Point::new(-1, 0), Point::new(0, 30), Point::new(i32::MAX, i32::MIN)] {
            assert_eq!(grid.tile(at), Tile::Wall);
            grid.set(at, Tile::Column, Mark::Generation(1));
        }
        assert_eq!(grid, before);
        assert_eq!(grid.tile(Point::new(19, 29)), Tile::Wall);
        assert_eq!(grid.tile(Point::new(1, 1)), Tile::Open);
    }

    #[test]
    fn the_look_ahead_agrees_with_looking_at_every_square() {
        let mut grid = Grid::new(Size::new(70, 140));
        for (x, y, tile) in [
            (20, 64, Tile::Wall),
            (33, 127, Tile::Column),
            (50, 10, Tile::Guaranteed),
            (51, 63, Tile::HighWall),
        ] {
            grid.set(Point::new(x, y), tile, Mark::Design);
        }
        grid.set(Point::new(40, 40), Tile::Wall, Mark::Design);
        grid.set(Point::new(40, 40), Tile::Open, Mark::Design);
        let slow = |at: Point, forward: Forward, half: i32, limit: i32| {
            (1..=limit)
                .take_while(|row| {
                    (-half..=half)
                        .all(|side| grid.tile(at.step(forward, *row).step(forward.right(), side)) == Tile::Open)
                })
                .count() as i32
        };
        for x in (-2..72).step_by(3) {
            for y in (-2..142).step_by(7) {
                let at = Point::new(x, y);
                for forward in Forward::ALL {
                    for (half, limit) in [(0, 200), (3, 200), (3, 5), (64, 40), (1000, 10), (2, 0), (2, -4)] {
                        assert_eq!(
                            grid.free_rows(at, forward, half, limit),
                            slow(at, forward, half, limit),
                            "{at} {forward} {half} {limit}"
                        );
                    }
                }
            }
        }
        let far = Point::new(i32::MAX, i32::MIN);
        assert_eq!(grid.free_rows(far, Forward::South, i32::MAX, i32::MAX), 0);
    }

    #[test]
    fn marks_survive_and_late_generations_share_the_last() {
        let mut grid = Grid::new(Size::new(20, 20));
        for generation in [0, 7, 254, 255, 70_000] {
            grid.set(Point::new(5, 5), Tile::Wall, Mark::generation(generation));
            assert_eq!(grid.mark(Point::new(5, 5)), Mark::Generation(generation.min(254) as u8));
        }
    }
}
