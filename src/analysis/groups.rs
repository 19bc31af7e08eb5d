//! Connected groups of squares, found by joining the stretches of set bits of neighbouring rows.

use std::ops::Range;

use super::bit_rows::BitRows;

/// A stretch of squares in a row.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stretch {
    pub(super) row: u32,
    /// First column, and the one after the last.
    pub(super) from: u32,
    pub(super) to: u32,
    /// Index of its group, in the order in which the groups were found.
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

impl Group {
    /// Adds the squares of another part of the group, whose first square is not before the group's.
    fn add(&mut self, other: &Self) {
        self.bottom = self.bottom.max(other.bottom);
        self.left = self.left.min(other.left);
        self.right = self.right.max(other.right);
        self.squares += other.squares;
    }
}

/// Whether diagonal neighbours are connected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Diagonals {
    Apart,
    Joined,
}

/// The groups of a map, in the order of their first squares.
///
/// A stretch that touches no stretch in the row above begins a group; one that touches several joins their groups. So
/// most stretches only extend a group, and joins are rare.
#[derive(Debug, Default)]
pub(super) struct Groups {
    stretches: Vec<Stretch>,
    /// All groups that were begun. A group that was joined to another one keeps the stretches that were added to it
    /// before.
    begun: Vec<Group>,
    /// For each of these groups, the group that it was joined to (itself at the root); in the end, its number among the
    /// remaining groups.
    numbers: Vec<u32>,
    /// The groups that remain.
    all: Vec<Group>,
}

impl Groups {
    /// Finds the groups of a map's set bits, in time linear in its stretches.
    pub(super) fn find(&mut self, map: &BitRows, diagonals: Diagonals) {
        let beside = u32::from(diagonals == Diagonals::Joined);
        self.stretches.clear();
        self.begun.clear();
        self.numbers.clear();
        let mut above = 0;
        for row in 0..map.rows() {
            let here = self.stretches.len();
            let mut up = above;
            map.each_run(row, |from, to| up = self.add(row as u32, (from, to), beside, up..here));
            above = here;
        }
        self.number();
    }

    /// Adds a stretch. `above` is the range of the stretches of the row above, from the first that may touch it;
    /// stretches touch if fewer than `beside` columns are between them. Returns the first stretch that the next one may
    /// touch.
    #[inline]
    fn add(&mut self, row: u32, (from, to): (u32, u32), beside: u32, above: Range<usize>) -> usize {
        let Range { start: mut up, end } = above;
        let earlier = &self.stretches[..end];
        while earlier.get(up).is_some_and(|above| above.to + beside <= from) {
            up += 1;
        }
        // Most stretches are as long as the one above, and touch no other.
        if let Some(only) = earlier.get(up).filter(|only| (only.from, only.to) == (from, to)) {
            let group = only.group;
            let known = &mut self.begun[group as usize];
            known.bottom = row;
            known.squares += to - from;
            self.stretches.push(Stretch { row, from, to, group });
            return up + 1;
        }
        let mut next = up;
        let mut touched = None;
        while let Some(above) = self.stretches[..end].get(next).filter(|above| above.from < to + beside) {
            let other = above.group;
            touched = Some(touched.map_or(other, |group| self.join(group, other)));
            next += 1;
        }
        let here = Group {
            first: (row, from),
            bottom: row,
            left: from,
            right: to,
            squares: to - from,
        };
        let group = if let Some(group) = touched {
            self.begun[group as usize].add(&here);
            group
        } else {
            let group = self.begun.len() as u32;
            self.begun.push(here);
            self.numbers.push(group);
            group
        };
        self.stretches.push(Stretch { row, from, to, group });
        // The last stretch above may also touch the next one.
        next.saturating_sub(1).max(up)
    }

    #[inline]
    fn root(&mut self, mut group: u32) -> u32 {
        loop {
            let above = self.numbers[group as usize];
            if above == group {
                return group;
            }
            // Path halving keeps the paths short.
            let next = self.numbers[above as usize];
            self.numbers[group as usize] = next;
            group = next;
        }
    }

    /// Joins the groups that two groups were joined to; returns the one that remains, which is the first in row order.
    fn join(&mut self, a: u32, b: u32) -> u32 {
        let (a, b) = (self.root(a), self.root(b));
        let (first, second) = (a.min(b), a.max(b));
        self.numbers[second as usize] = first;
        first
    }

    /// Numbers the remaining groups by their roots, and adds the others to them; each root comes before the other members
    /// of its group.
    fn number(&mut self) {
        self.all.clear();
        for (group, begun) in self.begun.iter().enumerate() {
            let above = self.numbers[group] as usize;
            self.numbers[group] = if above == group {
                self.all.push(*begun);
                self.all.len() as u32 - 1
            } else {
                let number = self.numbers[above];
                self.all[number as usize].add(begun);
                number
            };
        }
    }

    /// Returns the groups, in the order of their first squares.
    pub(super) fn all(&self) -> &[Group] {
        &self.all
    }

    /// Returns the stretches of all groups with the numbers of their groups, row by row.
    pub(super) fn stretches(&self) -> impl Iterator<Item = (usize, Stretch)> {
        let number = |stretch: &Stretch| self.numbers[stretch.group as usize] as usize;
        self.stretches.iter().map(move |stretch| (number(stretch), *stretch))
    }

    /// Returns the number of the group that contains a square.
    pub(super) fn at(&self, row: usize, column: usize) -> Option<usize> {
        let (row, column) = (row as u32, column as u32);
        let after = self
            .stretches
            .partition_point(|stretch| (stretch.row, stretch.from) <= (row, column));
        let stretch = self.stretches[..after].last()?;
        let is_it = stretch.row == row && column < stretch.to;
        is_it.then(|| self.numbers[stretch.group as usize] as usize)
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
    fn diagonal_neighbours_are_connected_only_on_request() {
        let stairs = ["#...#", ".#.#.", "..#.."];
        assert_eq!(groups(&stairs, Diagonals::Apart).len(), 5);
        assert_eq!(groups(&stairs, Diagonals::Joined).len(), 1);
        // A stretch joins all that it touches above, the last of which touches the next, too.
        assert_eq!(groups(&["#.#.#", ".#.#."], Diagonals::Joined).len(), 1);
    }
}
