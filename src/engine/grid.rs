//! The grid of a dungeon's squares: the tile on each square, and the origin of each tile.
//!
//! The grid stores tiles and finds free rows; the rules for building are in [`growth`](super::growth) and
//! [`stage_one`](super::stage_one). The public methods accept squares outside the grid: reading such a square returns
//! wall, and writing to it has no effect.

use std::fmt;
use std::hint::select_unpredictable;

use serde::{Deserialize, Serialize};

use super::bitmap::BitMap;

use crate::geometry::{Forward, Point, Size};

/// The tile on a square.
///
/// The manual's map has two more kinds: one for squares inside rooms and doors, on which no wall may be built, and one
/// for walls that may not be joined. No recorded dungeon shows either kind: Crawlers build inside rooms where their
/// corridors fit (recorded dungeons: `mix-*`), and join near walls of any origin. [`Tile::Guaranteed`] is therefore
/// the only kind of open square on which no wall may be built.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[repr(u8)]
pub enum Tile {
    /// Open; walls may be built here.
    Open,
    /// Open, and no wall may be built here: squares placed by hand, the insides of vaults, and the squares in front of
    /// their exits.
    Guaranteed,
    /// Wall.
    Wall,
    /// High wall: pyramids and door decorations.
    HighWall,
    /// A column: from a room or the rooms file, or left by a Jumper.
    Column,
}

impl Tile {
    /// All kinds of tiles, indexed by their discriminants.
    pub const ALL: [Self; 5] = [Self::Open, Self::Guaranteed, Self::Wall, Self::HighWall, Self::Column];

    /// Returns whether a square with this tile can be walked on: true for [`Tile::Open`] and [`Tile::Guaranteed`].
    pub const fn is_open(self) -> bool {
        matches!(self, Self::Open | Self::Guaranteed)
    }

    /// Returns the character used in recorded dungeons: `.` open, `o` guaranteed open, `X` wall, `Y` high wall, `C`
    /// column.
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

/// The origin of a tile.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mark {
    /// The design: outer wall, rooms, hand-placed tiles and vaults. Squares that are still open also have this mark.
    Design,
    /// A Builder of this generation; [`Mark::LAST`] includes all later generations.
    Generation(u8),
}

impl Mark {
    /// The highest generation in a mark. All later generations use the mark of this generation.
    pub const LAST: u8 = 123;

    /// Returns the mark of tiles that Builders of a generation lay.
    pub const fn generation(generation: u32) -> Self {
        Self::Generation(if generation > Self::LAST as u32 {
            Self::LAST
        } else {
            generation as u8
        })
    }
}

/// A tile and its origin in one byte. The lowest values are the tiles of the design, one value for each kind. The next
/// values are the walls that Builders laid, one value per generation; the last are their columns, one per generation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Square(u8);

impl Square {
    const WALL: u8 = Tile::ALL.len() as u8;
    const COLUMN: u8 = Self::WALL + Mark::LAST + 1;
    /// The kind of tile for each value of a square's byte.
    const TILES: [Tile; 256] = {
        let mut tiles = [Tile::Column; 256];
        let mut i = 0;
        while i < Self::COLUMN as usize {
            tiles[i] = if i < Tile::ALL.len() { Tile::ALL[i] } else { Tile::Wall };
            i += 1;
        }
        tiles
    };

    /// Builders lay only walls and columns; any other tile is stored with [`Mark::Design`], whatever `mark` is.
    #[inline]
    fn new(tile: Tile, mark: Mark) -> Self {
        Self(match (mark, tile) {
            (Mark::Generation(g), Tile::Wall) => Self::WALL + g.min(Mark::LAST),
            (Mark::Generation(g), Tile::Column) => Self::COLUMN + g.min(Mark::LAST),
            _ => tile as u8,
        })
    }

    /// Returns whether the tile is open. The two open kinds have the lowest values.
    #[inline]
    const fn is_open(self) -> bool {
        self.0 <= Tile::Guaranteed as u8
    }

    #[inline]
    const fn tile(self) -> Tile {
        Self::TILES[self.0 as usize]
    }

    #[inline]
    const fn mark(self) -> Mark {
        match self.0 {
            ..Self::WALL => Mark::Design,
            wall @ Self::WALL..Self::COLUMN => Mark::Generation(wall - Self::WALL),
            column => Mark::Generation(column - Self::COLUMN),
        }
    }
}

/// A grid of tiles: `size.x` rows from top to bottom, each of `size.y` squares from left to right. A grid uses one byte
/// and two bits per square.
#[derive(Debug, PartialEq, Eq)]
pub struct Grid {
    size: Size,
    squares: Vec<Square>,
    /// Two bit maps of the squares on which nothing may be built, for counting the free rows ahead of a Builder. In the
    /// first map, each row of the dungeon is a line of bits, for counting to the East and West. In the second map, each
    /// column is a line of bits, for counting to the North and South.
    taken: [BitMap; 2],
}

impl Clone for Grid {
    fn clone(&self) -> Self {
        Self {
            size: self.size,
            squares: self.squares.clone(),
            taken: self.taken.clone(),
        }
    }

    /// Reuses the existing allocations.
    fn clone_from(&mut self, source: &Self) {
        let Self { size, squares, taken } = source;
        self.size = *size;
        self.squares.clone_from(squares);
        self.taken.clone_from(taken);
    }
}

impl Grid {
    /// Creates a dungeon of open squares, surrounded by an outer ring of wall.
    pub fn new(size: Size) -> Self {
        let open = Square::new(Tile::Open, Mark::Design);
        let mut grid = Self {
            size,
            squares: vec![open; size.squares() as usize],
            taken: [BitMap::new(size.x, size.y), BitMap::new(size.y, size.x)],
        };
        if size.squares() == 0 {
            return grid;
        }
        let (top_left, bottom_right) = (Point::new(0, 0), Point::new(size.x - 1, size.y - 1));
        for (corner, [across, along]) in [
            (top_left, [Forward::East, Forward::South]),
            (bottom_right, [Forward::West, Forward::North]),
        ] {
            grid.set(corner, Tile::Wall, Mark::Design);
            grid.lay_wall(corner, across, bottom_right.y, Mark::Design);
            grid.lay_wall(corner, along, bottom_right.x, Mark::Design);
        }
        grid
    }

    /// Creates a grid of 0 × 0 squares.
    pub fn empty() -> Self {
        Self {
            size: Size::new(0, 0),
            squares: Vec::new(),
            taken: [BitMap::new(0, 0), BitMap::new(0, 0)],
        }
    }

    /// Returns the numbers of rows and columns.
    pub const fn size(&self) -> Size {
        self.size
    }

    #[inline]
    fn index(&self, at: Point) -> Option<usize> {
        self.size
            .contains(at)
            .then(|| at.x as usize * self.size.y as usize + at.y as usize)
    }

    /// Returns the tile on a square; wall for a square outside the dungeon.
    pub fn tile(&self, at: Point) -> Tile {
        self.index(at).map_or(Tile::Wall, |i| self.squares[i].tile())
    }

    /// Returns the origin of a square's tile; [`Mark::Design`] for a square outside the dungeon.
    pub fn mark(&self, at: Point) -> Mark {
        self.index(at).map_or(Mark::Design, |i| self.squares[i].mark())
    }

    /// Sets a square's tile and origin, and returns the previous tile. For a square outside the dungeon, changes
    /// nothing and returns wall.
    #[expect(clippy::inline_always, reason = "measured: a call costs as much as the body")]
    #[inline(always)]
    pub fn set(&mut self, at: Point, tile: Tile, mark: Mark) -> Tile {
        let Some(i) = self.index(at) else {
            return Tile::Wall;
        };
        let taken = tile != Tile::Open;
        self.taken[0].set(at.x as usize, at.y as usize, taken);
        self.taken[1].set(at.y as usize, at.x as usize, taken);
        std::mem::replace(&mut self.squares[i], Square::new(tile, mark)).tile()
    }

    /// Turns the `squares` squares ahead of `from` into wall with the origin `mark`. All of them must be inside the
    /// dungeon. The tile on `from` is not changed. Returns the last of these squares.
    ///
    /// Has the same effect as calling [`Self::set`] for each square, with a fraction of the instructions: in one of the
    /// two maps, the squares are a run of bits in a single line; in the other, the same bit of successive words.
    #[expect(clippy::inline_always, reason = "measured: a call costs as much as the body")]
    #[inline(always)]
    pub(super) fn lay_wall(&mut self, from: Point, forward: Forward, squares: i32, mark: Mark) -> Point {
        // Offsets from `from` to the last square, and to the topmost or leftmost square, where writing starts.
        let (ahead, first) = if forward.is_back() {
            (-squares, -squares)
        } else {
            (squares, 1)
        };
        // Uses a branch, because selecting the maps by index would take more instructions than the rest of this
        // function.
        if forward.along_x() {
            self.lay_wall_along::<true>(Point::new(from.x + first, from.y), squares, mark);
            Point::new(from.x + ahead, from.y)
        } else {
            self.lay_wall_along::<false>(Point::new(from.x, from.y + first), squares, mark);
            Point::new(from.x, from.y + ahead)
        }
    }

    /// Turns `squares` squares, beginning with `first`, into wall with the origin `mark`: downwards if `ALONG_X`,
    /// otherwise to the right.
    #[expect(clippy::inline_always, reason = "measured: a call costs as much as the body")]
    #[inline(always)]
    fn lay_wall_along<const ALONG_X: bool>(&mut self, first: Point, squares: i32, mark: Mark) {
        let [rows, columns] = &mut self.taken;
        let width = self.size.y as u32 as usize;
        let (x, y, count) = (
            first.x as u32 as usize,
            first.y as u32 as usize,
            squares.max(0) as u32 as usize,
        );
        let (step, (words, bit)) = if ALONG_X {
            columns.set_run(y, x, count);
            (width, rows.across(x, count, y))
        } else {
            rows.set_run(x, y, count);
            (1, columns.across(y, count, x))
        };
        let wall = Square::new(Tile::Wall, mark);
        let mut index = x * width + y;
        for word in words {
            *word |= bit;
            if let Some(square) = self.squares.get_mut(index) {
                *square = wall;
            }
            index += step;
        }
    }

    /// Returns the number of free rows in front of `at`, counted up to `limit`. A row extends `half_width` squares to
    /// either side of its middle and is free if all its squares are [`Tile::Open`] and inside the dungeon (recorded
    /// dungeons: `obstacle-*`). The row of `at` itself is not counted. Returns 0 if `at` is outside the dungeon.
    pub fn free_rows(&self, at: Point, forward: Forward, half_width: i32, limit: i32) -> i32 {
        if self.size.contains(at) {
            self.free_rows_ahead(at, forward, half_width, limit.max(0))
        } else {
            0
        }
    }

    /// Like [`Self::free_rows`], but requires a square inside the dungeon and a limit of at least 0.
    #[expect(clippy::inline_always, reason = "measured: a third of the time would go into calls")]
    #[inline(always)]
    pub(super) fn free_rows_ahead(&self, at: Point, forward: Forward, half_width: i32, limit: i32) -> i32 {
        let (map, line, place) = self.line(at, forward.along_x());
        map.clear(line, half_width, place, limit as u32 as usize, forward.is_back()) as i32
    }

    /// Returns the numbers of free rows to the left and to the right of a heading, as [`Self::free_rows_ahead`] counts
    /// them. This costs little more than counting on one side.
    #[expect(clippy::inline_always, reason = "measured: a third of the time would go into calls")]
    #[inline(always)]
    pub(super) fn free_rows_aside(&self, at: Point, forward: Forward, half_width: i32, limit: i32) -> [i32; 2] {
        let left = forward.left();
        let (map, line, place) = self.line(at, left.along_x());
        let [before, after] = map.clear_around(line, half_width, place, limit as u32 as usize);
        let [near, far] = select_unpredictable(left.is_back(), [before, after], [after, before]);
        [near as i32, far as i32]
    }

    /// Returns the map for counting along an axis, the index of the line that contains `at`, and the position of `at`
    /// in this line.
    #[expect(clippy::inline_always, reason = "measured: a third of the time would go into calls")]
    #[inline(always)]
    fn line(&self, at: Point, along_x: bool) -> (&BitMap, usize, usize) {
        // Selects without a branch: the heading is unpredictable, so a branch would often be mispredicted.
        let (x, y) = (at.x as u32 as usize, at.y as u32 as usize);
        let (line, place) = select_unpredictable(along_x, (y, x), (x, y));
        (&self.taken[usize::from(along_x)], line, place)
    }

    /// Iterates over the squares on which this grid and another of the same size differ, row by row.
    pub fn differences<'a>(&'a self, other: &'a Self) -> impl Iterator<Item = Point> + 'a {
        let width = self.size.y.max(1) as usize;
        let rows = self.squares.chunks(width).zip(other.squares.chunks(width));
        // Most rows are equal: one comparison of the whole row skips all its squares.
        rows.enumerate().filter(|(_, (a, b))| a != b).flat_map(|(x, (a, b))| {
            let columns = a.iter().zip(b).enumerate().filter(|(_, (a, b))| a != b);
            columns.map(move |(y, _)| Point::new(x as i32, y as i32))
        })
    }

    /// Returns the total size of all squares and of both bit maps, in bytes.
    pub fn bytes(&self) -> usize {
        self.squares.len() + self.taken.iter().map(BitMap::bytes).sum::<usize>()
    }

    /// Returns the squares of a row; an empty slice if the row is outside the grid.
    fn row(&self, x: usize) -> &[Square] {
        let width = self.size.y.max(0) as usize;
        self.squares.get(x * width..(x + 1) * width).unwrap_or_default()
    }

    /// Writes to `open`, for each square of a row, whether the square is open.
    pub(crate) fn copy_open(&self, x: usize, open: &mut [bool]) {
        for (open, square) in open.iter_mut().zip(self.row(x)) {
            *open = square.is_open();
        }
    }

    /// Returns the number of tiles that the Builders of each generation laid, up to the last generation that laid any.
    /// The entry of [`Mark::LAST`] includes all later generations.
    pub(crate) fn laid_by_generation(&self) -> Vec<u32> {
        // Each value has four counters: neighbouring squares often have the same value, and the processor stalls when
        // the same counter is incremented twice in succession.
        let mut counts = [[0_u32; 256]; 4];
        let (fours, rest) = self.squares.as_chunks::<4>();
        for four in fours {
            for (counts, square) in counts.iter_mut().zip(four) {
                counts[usize::from(square.0)] += 1;
            }
        }
        for square in rest {
            counts[0][usize::from(square.0)] += 1;
        }
        let count = |byte: u8| counts.iter().map(|counts| counts[usize::from(byte)]).sum::<u32>();
        let laid = |generation: u8| count(Square::WALL + generation) + count(Square::COLUMN + generation);
        let mut laid: Vec<u32> = (0..=Mark::LAST).map(laid).collect();
        let last = laid.iter().rposition(|&tiles| tiles > 0);
        laid.truncate(last.map_or(0, |last| last + 1));
        laid
    }

    /// Iterates over the rows from top to bottom, each from left to right.
    pub fn rows(&self) -> impl Iterator<Item = impl Iterator<Item = Tile>> {
        let rows = self.squares.chunks(self.size.y.max(1) as usize);
        rows.map(|row| row.iter().map(|square| square.tile()))
    }
}

/// Writes one line per row and one character per square: see [`Tile::plain`].
impl fmt::Display for Grid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.rows().try_for_each(|row| {
            let row: String = row.map(Tile::plain).collect();
            writeln!(f, "{row}")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn open_squares_and_tile_counts_agree_with_the_tiles() {
        for columns in [1, 7, 8, 63, 64, 65, 130] {
            let size = Size::new(3, columns);
            let mut grid = Grid::new(size);
            for (i, y) in (0..columns).enumerate() {
                let mark = [Mark::Design, Mark::Generation(0), Mark::Generation(Mark::LAST)][i / 5 % 3];
                grid.set(Point::new(1, y), Tile::ALL[i % 5], mark);
            }
            let mut open = vec![false; columns as usize];
            grid.copy_open(1, &mut open);
            let mut laid = [0; 1 + Mark::LAST as usize];
            for y in 0..columns {
                let (at, i) = (Point::new(1, y), y as usize);
                assert_eq!(open[i], grid.tile(at).is_open(), "{columns} {y}");
                if let Mark::Generation(generation) = grid.mark(at) {
                    laid[usize::from(generation)] += 1;
                }
            }
            let counted = grid.laid_by_generation();
            assert_eq!(counted[..], laid[..counted.len()]);
            assert_eq!(counted.iter().sum::<u32>(), laid.iter().sum::<u32>());
            assert_ne!(counted.last(), Some(&0));
        }
    }

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
                        if grid.size.contains(at) && limit >= 0 {
                            assert_eq!(
                                grid.free_rows_aside(at, forward, half, limit),
                                [forward.left(), forward.right()].map(|side| slow(at, side, half, limit)),
                                "{at} aside of {forward} {half} {limit}"
                            );
                        }
                    }
                }
            }
        }
        let far = Point::new(i32::MAX, i32::MIN);
        assert_eq!(grid.free_rows(far, Forward::South, i32::MAX, i32::MAX), 0);
    }

    #[test]
    fn differences_lists_the_squares_that_differ() {
        let grid = Grid::new(Size::new(20, 30));
        let mut other = grid.clone();
        assert_eq!(grid.differences(&other).count(), 0);
        let squares = [Point::new(3, 4), Point::new(3, 28), Point::new(18, 1)];
        for at in squares {
            other.set(at, Tile::Column, Mark::Design);
        }
        assert_eq!(grid.differences(&other).collect::<Vec<_>>(), squares);
    }

    #[test]
    fn marks_survive_and_late_generations_share_the_last() {
        let mut grid = Grid::new(Size::new(20, 20));
        let at = Point::new(5, 5);
        for generation in [0, 7, 122, 123, 124, 255, 70_000] {
            for tile in [Tile::Wall, Tile::Column] {
                grid.set(at, tile, Mark::generation(generation));
                let mark = Mark::Generation(generation.min(123) as u8);
                assert_eq!((grid.tile(at), grid.mark(at)), (tile, mark));
            }
        }
        for tile in Tile::ALL {
            grid.set(at, tile, Mark::Design);
            assert_eq!((grid.tile(at), grid.mark(at)), (tile, Mark::Design));
        }
    }
}
