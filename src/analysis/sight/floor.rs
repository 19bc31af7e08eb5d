//! The floor on which sight is computed, and the computation of the floor squares that are visible from a given square.
//!
//! Two open squares see each other if no wall lies between their centres. Let the two squares be `n` lines (rows or
//! columns) apart along the axis on which they are farther apart, and `m` squares apart along the other axis. The
//! straight line from centre to centre crosses line `k` (for `k` from 1 to `n` − 1) at the point `k · m / n` squares to
//! the side of the first centre. The square of line `k` whose centre is nearest to this point must be open; if two
//! squares are equally near, at least one of them must be open. The range of sight is not limited. The rule is
//! symmetric, and its computation needs only whole numbers. It is the rule of symmetric shadowcasting (A. Ford, 2017,
//! after Björn Bergström), applied to the centres of open squares. If the lines are rows, a wall blocks sight like a
//! thin bar through the centre of its square, along the row and one square long; if they are columns, the bar lies
//! along the column.
//!
//! All tiles that are not open block sight: walls, high walls and column tiles. Doors and liquids of vaults are open.
//!
//! The view from a square is computed line by line in each of the four directions. A list of sectors, which are
//! intervals of slopes, contains the directions in which no wall has blocked the view so far. Each further line narrows
//! the sectors to its stretches of open squares.

use super::super::bit_rows::BitRows;

/// The number used for every square outside the floor.
pub(in crate::analysis) const NO_SQUARE: u32 = u32::MAX;

/// A stretch of adjacent open squares in a line, both ends included.
#[derive(Debug, Clone, Copy)]
struct Stretch {
    from: i32,
    to: i32,
}

/// The stretches of open squares in all lines of one axis: in all rows, or in all columns.
#[derive(Debug, Default)]
struct Lines {
    /// Number of squares in a line.
    length: usize,
    stretches: Vec<Stretch>,
    /// Index of each line's first stretch, followed by the total number of stretches.
    first: Vec<u32>,
    /// For each square, line by line: the index of the first stretch that ends at this square or after it.
    at: Vec<u32>,
    /// For each square, line by line: its number on the floor; [`NO_SQUARE`] outside the floor.
    numbers: Vec<u32>,
}

impl Lines {
    /// Finds the stretches in the rows of a map.
    fn load(&mut self, open: &BitRows) {
        self.length = open.columns();
        self.stretches.clear();
        self.first.clear();
        self.at.clear();
        for row in 0..open.rows() {
            self.first.push(self.stretches.len() as u32);
            let begin = row * self.length;
            open.each_run(row, |from, to| {
                let index = self.stretches.len() as u32;
                self.at.resize(begin + to as usize, index);
                self.stretches.push(Stretch {
                    from: from as i32,
                    to: to as i32 - 1,
                });
            });
            self.at.resize(begin + self.length, self.stretches.len() as u32);
        }
        self.first.push(self.stretches.len() as u32);
    }
}

/// The open squares of a dungeon, and its floor: the reachable open squares, numbered row by row.
#[derive(Debug, Default)]
pub(in crate::analysis) struct Floor {
    rows: Lines,
    columns: Lines,
    /// Row and column of each square of the floor.
    squares: Vec<(u32, u32)>,
    /// For each square of the floor, the numbers of its neighbours to the North, East, South and West; [`NO_SQUARE`] if
    /// a neighbour is not on the floor.
    steps: Vec<[u32; 4]>,
}

impl Floor {
    /// Loads the open squares of a dungeon and numbers the squares of its floor. `transposed` is a buffer.
    pub(super) fn load(&mut self, open: &BitRows, floor: &BitRows, transposed: &mut BitRows) {
        self.rows.load(open);
        open.transpose(transposed);
        self.columns.load(transposed);
        self.squares.clear();
        let (rows, columns) = (open.rows(), open.columns());
        for lines in [&mut self.rows, &mut self.columns] {
            lines.numbers.clear();
            lines.numbers.resize(rows * columns, NO_SQUARE);
        }
        for (row, column) in floor.ones() {
            let number = self.squares.len() as u32;
            self.rows.numbers[row * columns + column] = number;
            self.columns.numbers[column * rows + row] = number;
            self.squares.push((row as u32, column as u32));
        }
        let numbers = &self.rows.numbers;
        let at = |inside: bool, index: usize| if inside { numbers[index] } else { NO_SQUARE };
        self.steps.clear();
        self.steps.extend(self.squares.iter().map(|&(row, column)| {
            let (row, column) = (row as usize, column as usize);
            let here = row * columns + column;
            [
                at(row > 0, here.wrapping_sub(columns)),
                at(column + 1 < columns, here + 1),
                at(row + 1 < rows, here + columns),
                at(column > 0, here.wrapping_sub(1)),
            ]
        }));
    }

    /// Returns the number of squares of the floor.
    pub(in crate::analysis) fn len(&self) -> usize {
        self.squares.len()
    }

    /// Returns the number of a square of the dungeon; [`NO_SQUARE`] if the square is not on the floor.
    pub(in crate::analysis) fn number(&self, row: usize, column: usize) -> u32 {
        self.rows.numbers[row * self.rows.length + column]
    }

    /// Returns the row and the column of a square of the floor.
    pub(in crate::analysis) fn place(&self, number: u32) -> (usize, usize) {
        let (row, column) = self.squares[number as usize];
        (row as usize, column as usize)
    }

    /// Returns the numbers of a floor square's neighbours to the North, East, South and West; [`NO_SQUARE`] if a
    /// neighbour is not on the floor.
    pub(super) fn steps(&self, number: u32) -> [u32; 4] {
        self.steps[number as usize]
    }
}

/// A slope: the number of squares to the side per line ahead, as a fraction with a positive denominator.
#[derive(Debug, Clone, Copy)]
struct Slope {
    aside: i64,
    ahead: i64,
}

impl Slope {
    fn is_below(self, other: Self) -> bool {
        self.aside * other.ahead < other.aside * self.ahead
    }
}

/// An interval of slopes, both ends included, at which no wall has blocked the view so far.
#[derive(Debug, Clone, Copy)]
struct Sector {
    from: Slope,
    to: Slope,
}

/// The computation of views over a floor, with its buffers.
#[derive(Debug, Default)]
pub(in crate::analysis) struct Caster {
    sectors: Vec<Sector>,
    next: Vec<Sector>,
}

impl Caster {
    /// Visits the squares of the floor that are visible from the square `from`, itself included. Each square is visited
    /// once. Each call of `visit` receives the numbers of a stretch of adjacent squares. The first argument is true if
    /// the stretch lies in a row; its numbers are then consecutive.
    pub(super) fn cast(&mut self, floor: &Floor, from: u32, mut visit: impl FnMut(bool, &[u32])) {
        let (row, column) = floor.place(from);
        visit(true, &[from]);
        // Squares on the diagonals are visited only when the lines are rows.
        self.look(&floor.rows, (row, column), 0, |squares| visit(true, squares));
        self.look(&floor.columns, (column, row), 1, |squares| visit(false, squares));
    }

    /// Looks along an axis in both directions, from a place in a line. The squares on the diagonals are visited if
    /// `narrower` is 0, and left out if it is 1.
    fn look(&mut self, lines: &Lines, (line, place): (usize, usize), narrower: i64, mut visit: impl FnMut(&[u32])) {
        let count = lines.first.len() - 1;
        for forwards in [false, true] {
            let edge = |aside| Slope { aside, ahead: 1 };
            self.sectors.clear();
            self.sectors.push(Sector {
                from: edge(-1),
                to: edge(1),
            });
            let most = if forwards { count - 1 - line } else { line };
            for far in 1..=most {
                let line = if forwards { line + far } else { line - far };
                self.pass(lines, line, place as i64, far as i64, far as i64 - narrower, &mut visit);
                std::mem::swap(&mut self.sectors, &mut self.next);
                if self.sectors.is_empty() {
                    break;
                }
            }
        }
    }

    /// Passes the sectors through a line: visits the squares of the floor whose centres lie in a sector, at most
    /// `widest` squares to either side, and removes from the sectors the slopes that the line's walls block.
    #[inline]
    fn pass(&mut self, lines: &Lines, line: usize, place: i64, far: i64, widest: i64, visit: &mut impl FnMut(&[u32])) {
        self.next.clear();
        let begin = line * lines.length;
        let end = lines.first[line + 1] as usize;
        for &sector in &self.sectors {
            let Sector { from, to } = sector;
            // The first square that the sector touches, and the first and the last square whose centres lie in the
            // sector.
            let touched = (2 * far * from.aside - from.ahead + 2 * from.ahead - 1).div_euclid(2 * from.ahead);
            let first = touched + i64::from(touched * from.ahead < far * from.aside);
            let last = (far * to.aside).div_euclid(to.ahead).min(widest);
            let first = first.max(-widest);
            let at = (place + touched).max(0) as usize;
            if at >= lines.length {
                continue;
            }
            let stretches = &lines.stretches[lines.at[begin + at] as usize..end];
            for stretch in stretches {
                let (left, right) = (i64::from(stretch.from) - place, i64::from(stretch.to) - place);
                let edge = Slope {
                    aside: 2 * left - 1,
                    ahead: 2 * far,
                };
                if to.is_below(edge) {
                    break;
                }
                let other = Slope {
                    aside: 2 * right + 1,
                    ahead: 2 * far,
                };
                self.next.push(Sector {
                    from: if from.is_below(edge) { edge } else { from },
                    to: if other.is_below(to) { other } else { to },
                });
                let (first, last) = (first.max(left), last.min(right));
                if first <= last {
                    let squares = begin + (place + first) as usize..=begin + (place + last) as usize;
                    let squares = &lines.numbers[squares];
                    // A stretch is on the floor as a whole or not at all, so checking one square is enough.
                    if squares[0] != NO_SQUARE {
                        visit(squares);
                    }
                }
            }
        }
    }
}
