//! Points, sizes, headings (the four ways a Builder can face) and Directions (the eight ways that it can prefer) on
//! the grid.
//!
//! The axes follow the manual's page on rooms files: `x` runs from top to bottom, `y` from left to right, and (0, 0) is
//! the top left corner.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A square of the dungeon, or an offset between two squares.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
pub struct Point {
    /// Row, from the top.
    pub x: i32,
    /// Column, from the left.
    pub y: i32,
}

impl Point {
    /// Creates the square in row `x`, column `y`.
    pub const fn new(x: i32, y: i32) -> Self {
        Self { x, y }
    }

    /// Returns the row, from the top: `x`.
    pub const fn row(self) -> i32 {
        self.x
    }

    /// Returns the column, from the left: `y`.
    pub const fn column(self) -> i32 {
        self.y
    }

    /// Returns the square at a distance of `steps` squares towards `forward`; a negative distance goes the opposite
    /// way. Saturates instead of overflowing, so that extreme numbers in files cannot cause a panic.
    #[must_use]
    pub const fn step(self, forward: Forward, steps: i32) -> Self {
        let offset = forward.offset();
        Self {
            x: saturating_step(self.x, offset.x, steps),
            y: saturating_step(self.y, offset.y, steps),
        }
    }
}

/// Moves a coordinate by `steps` times `offset`. One clamp in `i64` costs less than saturating each operation.
const fn saturating_step(from: i32, offset: i32, steps: i32) -> i32 {
    let to = from as i64 + offset as i64 * steps as i64;
    if to > i32::MAX as i64 {
        i32::MAX
    } else if to < i32::MIN as i64 {
        i32::MIN
    } else {
        to as i32
    }
}

/// Converts `(row, column)`.
impl From<(i32, i32)> for Point {
    fn from((x, y): (i32, i32)) -> Self {
        Self { x, y }
    }
}

/// Writes `row 12, column 30`, for messages; `{:#}` writes the short form `(12, 30)`, for lists and titles.
impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if f.alternate() {
            return write!(f, "({}, {})", self.x, self.y);
        }
        write!(f, "row {}, column {}", self.x, self.y)
    }
}

/// Dimensions of a dungeon: `x` rows of `y` squares.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Size {
    /// Number of rows (the manual's dimX).
    pub x: i32,
    /// Number of columns (the manual's dimY).
    pub y: i32,
}

impl Size {
    /// Creates the size of `x` rows of `y` squares.
    pub const fn new(x: i32, y: i32) -> Self {
        Self { x, y }
    }

    /// Returns the number of columns: `y`.
    pub const fn width(self) -> i32 {
        self.y
    }

    /// Returns the number of rows: `x`.
    pub const fn height(self) -> i32 {
        self.x
    }

    /// Returns the number of squares; 0 when a dimension is not positive.
    pub const fn squares(self) -> u64 {
        if self.x <= 0 || self.y <= 0 {
            0
        } else {
            self.x as u64 * self.y as u64
        }
    }

    /// Returns whether the square lies in the dungeon; the outermost ring counts as inside.
    pub const fn contains(self, at: Point) -> bool {
        at.x >= 0 && at.y >= 0 && at.x < self.x && at.y < self.y
    }

    /// Returns the index of a square in a list of all squares, row by row; `None` for a square outside the dungeon.
    #[inline]
    pub(crate) fn index(self, at: Point) -> Option<usize> {
        self.contains(at)
            .then(|| at.x as usize * self.y as usize + at.y as usize)
    }

    /// Returns all squares, row by row.
    pub(crate) fn points(self) -> impl Iterator<Item = Point> + Clone {
        (0..self.x).flat_map(move |x| (0..self.y).map(move |y| Point::new(x, y)))
    }

    /// Returns whether the square lies in the outermost ring. This ring is wall, except where a room's door opens it.
    pub const fn on_border(self, at: Point) -> bool {
        self.contains(at) && (at.x == 0 || at.y == 0 || at.x == self.x - 1 || at.y == self.y - 1)
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} × {}", self.x, self.y)
    }
}

/// A Builder's heading: which of the four ways it faces (the manual's member *Forward*).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[repr(u8)]
pub enum Forward {
    /// Up, to smaller x.
    North,
    /// Right, to larger y.
    East,
    /// Down, to larger x.
    South,
    /// Left, to smaller y.
    West,
}

impl Forward {
    /// The four headings, clockwise from North.
    pub const ALL: [Self; 4] = [Self::North, Self::East, Self::South, Self::West];

    /// Returns the offset of one step ahead.
    pub const fn offset(self) -> Point {
        const OFFSETS: [Point; 4] = [Point::new(-1, 0), Point::new(0, 1), Point::new(1, 0), Point::new(0, -1)];
        OFFSETS[self as usize]
    }

    /// Returns the heading after a quarter turn clockwise.
    #[must_use]
    pub const fn right(self) -> Self {
        Self::ALL[(self as usize + 1) % 4]
    }

    /// Returns the heading after half a turn.
    #[must_use]
    pub const fn back(self) -> Self {
        Self::ALL[(self as usize + 2) % 4]
    }

    /// Returns the heading after a quarter turn anticlockwise.
    #[must_use]
    pub const fn left(self) -> Self {
        Self::ALL[(self as usize + 3) % 4]
    }

    /// Converts the heading to the Direction of the same name.
    pub const fn direction(self) -> Direction {
        Direction::ALL[self as usize * 2]
    }

    /// Returns whether the heading lies along the x-axis (North or South).
    pub const fn along_x(self) -> bool {
        matches!(self, Self::North | Self::South)
    }

    /// Returns whether the heading points towards smaller coordinates (North or West).
    pub const fn is_back(self) -> bool {
        matches!(self, Self::North | Self::West)
    }

    /// Returns an arrow character for the heading.
    pub const fn arrow(self) -> char {
        match self {
            Self::North => '▲',
            Self::East => '▶',
            Self::South => '▼',
            Self::West => '◀',
        }
    }
}

impl fmt::Display for Forward {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::North => "North",
            Self::East => "East",
            Self::South => "South",
            Self::West => "West",
        })
    }
}

/// A Builder's preferred Direction, one of eight (the manual's member *Direction*). A Builder without a preference (the
/// manual's value 0) has `None` in its `Option<Direction>`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[repr(u8)]
pub enum Direction {
    /// Up.
    North,
    /// Up and right.
    NorthEast,
    /// Right.
    East,
    /// Down and right.
    SouthEast,
    /// Down.
    South,
    /// Down and left.
    SouthWest,
    /// Left.
    West,
    /// Up and left.
    NorthWest,
}

impl Direction {
    /// The eight Directions, clockwise from North.
    pub const ALL: [Self; 8] = [
        Self::North,
        Self::NorthEast,
        Self::East,
        Self::SouthEast,
        Self::South,
        Self::SouthWest,
        Self::West,
        Self::NorthWest,
    ];

    /// Returns the Direction after `eighths` of a full turn clockwise (negative: anticlockwise).
    #[must_use]
    pub const fn rotate(self, eighths: i32) -> Self {
        Self::ALL[(self as i32 + eighths).rem_euclid(8) as usize]
    }

    /// Converts the Direction to the heading of the same name; `None` for a diagonal.
    pub const fn straight(self) -> Option<Forward> {
        if (self as usize).is_multiple_of(2) {
            Some(Forward::ALL[self as usize / 2])
        } else {
            None
        }
    }

    /// Returns an arrow character for the Direction, thinner than a heading's arrow.
    pub const fn arrow(self) -> char {
        ['↑', '↗', '→', '↘', '↓', '↙', '←', '↖'][self as usize]
    }

    /// Returns whether a Builder with this Direction may face `forward`. A straight Direction allows every heading but
    /// its opposite; a diagonal allows the two headings beside it (manual, *How WallCrawlers Work*).
    pub const fn allows(self, forward: Forward) -> bool {
        let turn = (forward as i32 * 2 - self as i32).rem_euclid(8);
        matches!(turn, 0 | 1 | 2 | 6 | 7)
    }
}

impl fmt::Display for Direction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::North => "North",
            Self::NorthEast => "NorthEast",
            Self::East => "East",
            Self::SouthEast => "SouthEast",
            Self::South => "South",
            Self::SouthWest => "SouthWest",
            Self::West => "West",
            Self::NorthWest => "NorthWest",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_straight_direction_allows_three_headings_and_a_diagonal_two() {
        let allowed = |d: Direction| Forward::ALL.into_iter().filter(|f| d.allows(*f)).collect::<Vec<_>>();
        assert_eq!(
            allowed(Direction::North),
            [Forward::North, Forward::East, Forward::West]
        );
        assert_eq!(allowed(Direction::NorthEast), [Forward::North, Forward::East]);
        assert_eq!(allowed(Direction::SouthWest), [Forward::South, Forward::West]);
    }

    #[test]
    fn four_quarter_turns_restore_a_heading() {
        for f in Forward::ALL {
            assert_eq!(f.right().right(), f.back());
            assert_eq!(f.left().right(), f);
            assert_eq!(f.direction().straight(), Some(f));
        }
    }

    #[test]
    fn steps_saturate() {
        assert_eq!(Point::new(i32::MAX, 0).step(Forward::South, i32::MAX).x, i32::MAX);
    }
}
