//! Connected groups of squares, found by joining the stretches of set bits of neighbouring rows.

use super::bit_rows::BitRows;

/// A stretch of squares in a row.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stretch {
    pub(super) row: u32,
    /// First column, and the one after the last.
    pub(super) from: u32,
    pub(super) to: u32,
    /// Stretch that this one was joined to, itself at the root; at last the number of its group.
    group: u32,
}

/// A connected group of squares.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Group {
    /// Row and column of its first square in row order.
    pub(super) first: (u32, u32),
    /// Last row.
    pub(super) bottom: u32,
    /// First column, and the one after the last.
    pub(super) left: u32,
    pub(super) right: u32,
    pub(super) squares: u32,
}

/// Whether diagonal neighbours are connected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Diagonals {
    Apart,
    Joined,
}

/// The groups of a map, in the order of their first squares.
#[derive(Debug, Default)]
pub(super) struct Groups {
    stretches: Vec<Stretch>,
    groups: Vec<Group>,
}

impl Groups {
    /// Finds the groups of a map's set bits, in time linear in its stretches.
    pub(super) fn find(&mut self, map: &BitRows, diagonals: Diagonals) {
        let beside = u32::from(diagonals == Diagonals::Joined);
        self.stretches.clear();
        let (mut above, mut here) = (0, 0);
        for row in 0..map.rows() {
            let stretches = &mut self.stretches;
            map.each_run(row, |from, to| {
                let group = stretches.len() as u32;
                let row = row as u32;
                stretches.push(Stretch { row, from, to, group });
            });
            let end = self.stretches.len();
            let mut up = above;
            for at in here..end {
                let Stretch { from, to, .. } = self.stretches[at];
                while up < here && self.stretches[up].to + beside <= from {
                    up += 1;
                }
                let mut next = up;
                while next < here && self.stretches[next].from < to + beside {
                    if next == up {
                        self.stretches[at].group = self.root(next) as u32;
                    } else {
                        self.join(next, at);
                    }
                    next += 1;
                }
                // The last one may reach to the next stretch, too.
                up = next.saturating_sub(1).max(up);
            }
            (above, here) = (here, end);
        }
        self.number();
    }

    fn root(&mut self, mut at: usize) -> usize {
        loop {
            let above = self.stretches[at].group as usize;
            if above == at {
                return at;
            }
            // Path halving keeps the paths short.
            let next = self.stretches[above].group;
            self.stretches[at].group = next;
            at = next as usize;
        }
    }

    /// Joins the groups of two stretches; the root is the first in row order.
    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.root(a), self.root(b));
        let (first, second) = (a.min(b), a.max(b));
        self.stretches[second].group = first as u32;
    }

    /// Numbers the groups by their roots, each of which comes before the others of its group.
    fn number(&mut self) {
        self.groups.clear();
        for i in 0..self.stretches.len() {
            let Stretch { row, from, to, group } = self.stretches[i];
            let squares = to - from;
            let number = if group as usize == i {
                self.groups.push(Group {
                    first: (row, from),
                    bottom: row,
                    left: from,
                    right: to,
                    squares,
                });
                self.groups.len() as u32 - 1
            } else {
                let number = self.stretches[group as usize].group;
                let known = &mut self.groups[number as usize];
                known.bottom = row;
                known.left = known.left.min(from);
                known.right = known.right.max(to);
                known.squares += squares;
                number
            };
            self.stretches[i].group = number;
        }
    }

    /// Returns the groups, in the order of their first squares.
    pub(super) fn all(&self) -> &[Group] {
        &self.groups
    }

    /// Returns the stretches of all groups with the numbers of their groups, row by row.
    pub(super) fn stretches(&self) -> impl Iterator<Item = (usize, Stretch)> {
        self.stretches.iter().map(|stretch| (stretch.group as usize, *stretch))
    }

    /// Returns the number of the group that contains a square.
    pub(super) fn at(&self, row: usize, column: usize) -> Option<usize> {
        let (row, column) = (row as u32, column as u32);
        let after = self
            .stretches
            .partition_point(|stretch| (stretch.row, stretch.from) <= (row, column));
        let stretch = self.stretches[..after].last()?;
        (stretch.row == row && column < stretch.to).then_some(stretch.group as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn groups(rows: &[&str], diagonals: Diagonals) -> Vec<Group> {
        let mut map = BitRows::default();
        map.fit(rows.len(), rows[0].len());
        for (row, line) in rows.iter().enumerate() {
            for (column, _) in line.char_indices().filter(|(_, sign)| *sign == '#') {
                map.fill(row, column, column + 1);
            }
        }
        let mut groups = Groups::default();
        groups.find(&map, diagonals);
        groups.all().to_vec()
    }

    #[test]
    fn groups_that_meet_further_down_are_one() {
        let comb = ["#.#.#", "#.#.#", "#####", ".....", "##.##"];
        let found = groups(&comb, Diagonals::Apart);
        assert_eq!(found.len(), 3);
        let expected = Group {
            first: (0, 0),
            bottom: 2,
            left: 0,
            right: 5,
            squares: 11,
        };
        assert_eq!(found[0], expected);
        assert_eq!((found[1].first, found[2].first), ((4, 0), (4, 3)));
    }

    #[test]
    fn diagonal_neighbours_are_connected_only_if_asked() {
        let stairs = ["#...#", ".#.#.", "..#.."];
        assert_eq!(groups(&stairs, Diagonals::Apart).len(), 5);
        assert_eq!(groups(&stairs, Diagonals::Joined).len(), 1);
        // A stretch joins all that it touches above, the last of which touches the next, too.
        assert_eq!(groups(&["#.#.#", ".#.#."], Diagonals::Joined).len(), 1);
    }
}
