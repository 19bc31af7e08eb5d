//! Connected groups of squares, found by joining the [stacks](super::stacks) that touch. A stack is a rectangle.

use super::bit_rows::BitRows;
use super::stacks::{Stack, Stacks};

/// A connected group of squares.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Group {
    /// Row and column of its first square in row order.
    pub(super) first: (u32, u32),
    /// Row after the last row.
    pub(super) bottom: u32,
    /// First column, and the column after the last.
    pub(super) left: u32,
    pub(super) right: u32,
    pub(super) squares: u32,
}

impl Group {
    /// Returns a group that consists of one stack.
    const fn of(stack: &Stack) -> Self {
        Self {
            first: (stack.top, stack.from),
            bottom: stack.bottom,
            left: stack.from,
            right: stack.to,
            squares: stack.height() * stack.width(),
        }
    }

    /// Adds a stack that is not above the group's first row.
    fn add(&mut self, stack: &Stack) {
        self.bottom = self.bottom.max(stack.bottom);
        self.left = self.left.min(stack.from);
        self.right = self.right.max(stack.to);
        self.squares += stack.height() * stack.width();
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
/// A stack that touches no stack above it begins a group; a stack that touches several joins their groups.
#[derive(Debug, Default)]
pub(super) struct Groups {
    stacks: Stacks,
    /// While stacks are joined: for each stack, the index of an earlier stack of its group; for the first stack of a
    /// group, its own index. After that: for each stack, the number of its group.
    numbers: Vec<u32>,
    all: Vec<Group>,
}

impl Groups {
    /// Finds the groups of a map's set bits, in time linear in its words and stacks.
    pub(super) fn find(&mut self, map: &BitRows, diagonals: Diagonals) {
        let gap = u32::from(diagonals == Diagonals::Joined);
        self.stacks.find(map, gap, None);
        self.join();
        self.number();
    }

    /// Joins the stacks that touch.
    fn join(&mut self) {
        let numbers = &mut self.numbers;
        numbers.clear();
        for (number, stack) in (0..).zip(self.stacks.all()) {
            let mut here = number;
            numbers.push(here);
            for &above in self.stacks.above(stack) {
                let above = root(numbers, above);
                let (first, second) = (here.min(above), here.max(above));
                numbers[second as usize] = first;
                here = first;
            }
        }
    }

    /// Numbers the groups in the order of their first stacks, and adds each stack to its group.
    fn number(&mut self) {
        self.all.clear();
        for (stack, rectangle) in self.stacks.all().iter().enumerate() {
            let before = self.numbers[stack] as usize;
            self.numbers[stack] = if before == stack {
                self.all.push(Group::of(rectangle));
                self.all.len() as u32 - 1
            } else {
                let number = self.numbers[before];
                self.all[number as usize].add(rectangle);
                number
            };
        }
    }

    /// Returns the groups, in the order of their first squares.
    pub(super) fn all(&self) -> &[Group] {
        &self.all
    }

    /// Returns each stack with the number of its group, in the order of the stacks' first squares.
    pub(super) fn stacks(&self) -> impl Iterator<Item = (usize, &Stack)> {
        let numbers = self.numbers.iter().map(|&number| number as usize);
        numbers.zip(self.stacks.all())
    }

    /// Returns the number of the group that contains a square; `None` if the square is not set.
    pub(super) fn at(&self, row: usize, column: usize) -> Option<usize> {
        Some(self.numbers[self.stacks.at(row, column)?] as usize)
    }
}

/// Returns the first stack of the group that contains `stack`. The groups are those that [`Groups::join`] has formed so
/// far.
#[inline]
fn root(numbers: &mut [u32], mut stack: u32) -> u32 {
    loop {
        let before = numbers[stack as usize];
        if before == stack {
            return stack;
        }
        // Path halving keeps the paths short.
        let next = numbers[before as usize];
        numbers[stack as usize] = next;
        stack = next;
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
            bottom: 3,
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
        // A run joins all runs that it touches above; the last of these also touches the next run.
        assert_eq!(groups(&["#.#.#", ".#.#."], Diagonals::Joined).len(), 1);
    }
}
