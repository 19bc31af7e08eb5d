//! A drawing: the content of each square in a file, before it becomes part of a design.

use serde::{Deserialize, Serialize};

use crate::geometry::{Point, Size};

/// The content of a square in a drawing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DrawnSquare {
    /// Nothing is drawn here, for example because the line of the text is shorter than the longest line.
    Blank,
    /// Open; Crawlers may build here.
    Open,
    /// Open and guaranteed to stay open.
    Kept,
    /// Wall.
    Wall,
    /// Column.
    Column,
}

impl DrawnSquare {
    /// Returns whether the square is a wall or a column.
    pub const fn is_solid(self) -> bool {
        matches!(self, Self::Wall | Self::Column)
    }
}

/// A grid of drawn squares.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Drawing {
    size: Size,
    /// The squares, row by row.
    squares: Vec<DrawnSquare>,
    /// Whether the invert option applies. It does not apply to files that state which squares are walls: pictures, JSON
    /// files and CSV files that Wallcrawler exported, and Tiled maps whose tilesets mark walls. However, it applies to
    /// such a picture if the user sets a threshold, and to such a map if the user names the walls.
    pub(super) is_plain: bool,
}

impl Drawing {
    /// Creates a drawing of `size.x` rows and `size.y` columns. Missing squares are blank; surplus squares are dropped.
    pub fn new(size: Size, mut squares: Vec<DrawnSquare>) -> Self {
        squares.resize(size.squares() as usize, DrawnSquare::Blank);
        Self {
            size,
            squares,
            is_plain: true,
        }
    }

    /// Creates a drawing from rows. The drawing is as wide as the longest row; shorter rows are padded with blank
    /// squares.
    pub(super) fn of_rows(rows: &[Vec<DrawnSquare>]) -> Self {
        let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
        let mut squares = Vec::with_capacity(rows.len() * columns);
        for row in rows {
            squares.extend(row);
            squares.resize(squares.len() + columns - row.len(), DrawnSquare::Blank);
        }
        Self::new(Size::new(rows.len() as i32, columns as i32), squares)
    }

    /// Returns the number of rows and columns.
    pub const fn size(&self) -> Size {
        self.size
    }

    /// Returns the square at `at`; [`DrawnSquare::Blank`] outside the drawing.
    pub fn square(&self, at: Point) -> DrawnSquare {
        let index = self.size.index(at);
        index
            .and_then(|index| self.squares.get(index).copied())
            .unwrap_or(DrawnSquare::Blank)
    }

    /// Returns every square with its place, row by row.
    pub fn squares(&self) -> impl Iterator<Item = (Point, DrawnSquare)> {
        let columns = self.size.y.max(1) as usize;
        let squares = self.squares.iter().enumerate();
        squares.map(move |(i, square)| (Point::new((i / columns) as i32, (i % columns) as i32), *square))
    }

    /// Returns the number of squares of one kind.
    pub fn count(&self, square: DrawnSquare) -> usize {
        self.squares.iter().filter(|other| **other == square).count()
    }

    /// Returns the number of wall squares.
    pub fn walls(&self) -> usize {
        self.count(DrawnSquare::Wall)
    }

    /// Returns the squares on the edge of the drawing.
    pub fn edge(&self) -> impl Iterator<Item = (Point, DrawnSquare)> {
        self.squares().filter(|(at, _)| self.size.on_border(*at))
    }

    /// Exchanges walls and open squares.
    pub(super) fn invert(&mut self) {
        for square in &mut self.squares {
            *square = match *square {
                DrawnSquare::Open => DrawnSquare::Wall,
                DrawnSquare::Wall => DrawnSquare::Open,
                other => other,
            };
        }
    }

    /// Removes rows and columns at the edges that contain neither a wall nor a column tile.
    pub(super) fn trim(&mut self) {
        let solid = || self.squares().filter(|(_, square)| square.is_solid());
        let Some((first, _)) = solid().next() else { return };
        let (mut from, mut to) = (first, first);
        for (at, _) in solid() {
            from = Point::new(from.x.min(at.x), from.y.min(at.y));
            to = Point::new(to.x.max(at.x), to.y.max(at.y));
        }
        *self = self.part(from, Size::new(to.x - from.x + 1, to.y - from.y + 1));
    }

    /// Returns a copy of the part of the drawing that measures `size` and has its top left square at `from`.
    pub(super) fn part(&self, from: Point, size: Size) -> Self {
        let rows = from.x..from.x + size.x;
        let squares = rows.flat_map(|x| (from.y..from.y + size.y).map(move |y| Point::new(x, y)));
        Self {
            size,
            squares: squares.map(|at| self.square(at)).collect(),
            is_plain: self.is_plain,
        }
    }

    /// Returns the drawing with each square enlarged to `times` × `times` squares.
    pub(super) fn enlarged(self, times: u32) -> Self {
        if times <= 1 {
            return self;
        }
        let times = times as usize;
        let columns = self.size.y.max(1) as usize;
        let mut squares = Vec::with_capacity(self.squares.len() * times * times);
        for row in self.squares.chunks(columns) {
            let wide: Vec<DrawnSquare> = row.iter().flat_map(|square| vec![*square; times]).collect();
            for _ in 0..times {
                squares.extend(&wide);
            }
        }
        let size = Size::new(self.size.x * times as i32, self.size.y * times as i32);
        Self { size, squares, ..self }
    }

    /// Returns the drawing with `wide` copies of each odd-numbered row and each odd-numbered column (counted from 0).
    pub(super) fn widened(self, wide: u32) -> Self {
        if wide <= 1 {
            return self;
        }
        let times = |i: usize| if i % 2 == 1 { wide as usize } else { 1 };
        let mut rows = Vec::new();
        for (x, row) in self.squares.chunks(self.size.y.max(1) as usize).enumerate() {
            let squares = row.iter().enumerate();
            let row: Vec<DrawnSquare> = squares.flat_map(|(y, square)| vec![*square; times(y)]).collect();
            rows.extend(vec![row; times(x)]);
        }
        Self {
            is_plain: self.is_plain,
            ..Self::of_rows(&rows)
        }
    }

    /// Returns the side lengths, across and down, of the largest blocks that the drawing consists of: the greatest
    /// common divisors of the lengths of all runs of equal squares.
    pub(super) fn grain(&self) -> [usize; 2] {
        let (rows, columns) = (self.size.x.max(0) as usize, self.size.y.max(0) as usize);
        let mut grain = [columns, rows];
        for row in self.squares.chunks(columns.max(1)) {
            for (y, pair) in row.windows(2).enumerate() {
                if pair[0] != pair[1] {
                    grain[0] = common(grain[0], y + 1);
                }
            }
        }
        for x in 1..rows {
            let (before, row) = (&self.squares[(x - 1) * columns..x * columns], x * columns);
            if self.squares.get(row..row + columns) != Some(before) {
                grain[1] = common(grain[1], x);
            }
        }
        grain
    }

    /// Returns a smaller drawing that contains only the top left square of each block of `across` × `down` squares.
    pub(super) fn shrunk(&self, across: usize, down: usize) -> Self {
        let columns = self.size.y.max(1) as usize;
        let rows = self.squares.chunks(columns).step_by(down.max(1));
        let rows: Vec<Vec<DrawnSquare>> = rows
            .map(|row| row.iter().step_by(across.max(1)).copied().collect())
            .collect();
        Self {
            is_plain: self.is_plain,
            ..Self::of_rows(&rows)
        }
    }
}

/// Returns the greatest common divisor.
pub(super) const fn common(mut a: usize, mut b: usize) -> usize {
    while b > 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawing(rows: &[&str]) -> Drawing {
        let square = |c| match c {
            '#' => DrawnSquare::Wall,
            ' ' => DrawnSquare::Blank,
            _ => DrawnSquare::Open,
        };
        let rows: Vec<Vec<DrawnSquare>> = rows.iter().map(|row| row.chars().map(square).collect()).collect();
        Drawing::of_rows(&rows)
    }

    #[test]
    fn rows_of_any_length_become_a_rectangle() {
        let ragged = drawing(&["##", "", "#.##"]);
        assert_eq!(ragged.size(), Size::new(3, 4));
        assert_eq!(ragged.square(Point::new(0, 2)), DrawnSquare::Blank);
        assert_eq!(ragged.square(Point::new(2, 3)), DrawnSquare::Wall);
        assert_eq!(ragged.square(Point::new(-1, 9)), DrawnSquare::Blank);
        assert_eq!((ragged.walls(), ragged.count(DrawnSquare::Open)), (5, 1));
        assert_eq!(ragged.edge().count(), 10);
    }

    #[test]
    fn an_enlarged_drawing_has_a_coarser_grain_and_shrinks_back() {
        let small = drawing(&["###.", "#..#", "####"]);
        assert_eq!(small.grain(), [1, 1]);
        let large = small.clone().enlarged(3);
        assert_eq!(large.size(), Size::new(9, 12));
        assert_eq!(large.grain(), [3, 3]);
        assert_eq!(large.shrunk(3, 3), small);
        assert_eq!(drawing(&["####", "####"]).grain(), [4, 2]);
        assert_eq!(drawing(&["##..", "##.."]).grain(), [2, 2]);
        assert_eq!(drawing(&[]).grain(), [0, 0]);
    }

    #[test]
    fn corridors_become_wide_and_walls_stay_thin() {
        let maze = drawing(&["#####", "#.#.#", "#...#", "#####"]);
        let wide = maze.clone().widened(3);
        assert_eq!(
            wide,
            drawing(&[
                "#########",
                "#...#...#",
                "#...#...#",
                "#...#...#",
                "#.......#",
                "#########",
                "#########",
                "#########"
            ])
        );
        assert_eq!(maze.clone().widened(1), maze);
    }

    #[test]
    fn edges_without_walls_and_columns_are_trimmed() {
        let mut margin = drawing(&["......", "..##..", "...#.."]);
        margin.trim();
        assert_eq!(margin, drawing(&["##", ".#"]));
        let mut nothing = drawing(&["..", ".."]);
        nothing.trim();
        assert_eq!(nothing.size(), Size::new(2, 2));
    }
}
