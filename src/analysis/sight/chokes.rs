//! Choke points: squares of the floor whose removal would disconnect other squares of the floor from each other.

use super::floor::{Floor, NO_SQUARE};

/// The search for choke points, with its buffers.
#[derive(Debug, Default)]
pub(super) struct Chokes {
    /// Position of each square in the order in which the search reaches the squares, from 1; 0 if not reached yet.
    found: Vec<u32>,
    /// For each square, the smallest position found so far among the square itself, its neighbours, and the neighbours
    /// of its descendants in the search.
    low: Vec<u32>,
    /// The search path from the first square to the current one: each square, and the number of its neighbours examined
    /// so far.
    stack: Vec<(u32, u8)>,
    is_choke: Vec<bool>,
}

impl Chokes {
    /// Returns, for each square of a floor, whether it is a choke point: a square whose removal would disconnect other
    /// squares. Squares are connected with their four neighbours. Choke points are the articulation points of this
    /// graph (J. Hopcroft and R. Tarjan, 1973).
    pub(super) fn find(&mut self, floor: &Floor) -> &[bool] {
        for numbers in [&mut self.found, &mut self.low] {
            numbers.clear();
            numbers.resize(floor.len(), 0);
        }
        self.is_choke.clear();
        self.is_choke.resize(floor.len(), false);
        if floor.len() == 0 {
            return &self.is_choke;
        }
        let (mut count, mut from_first) = (1, 0);
        (self.found[0], self.low[0]) = (1, 1);
        self.stack.clear();
        self.stack.push((0, 0));
        while let Some((at, looked)) = self.stack.last_mut() {
            let here = *at as usize;
            let next = floor.steps(*at).get(usize::from(*looked)).copied();
            *looked += 1;
            match next {
                Some(NO_SQUARE) => {}
                Some(next) if self.found[next as usize] > 0 => {
                    // `next` may be the square that the search came from. Including that square does not change the
                    // result of the comparison with `low` below.
                    self.low[here] = self.low[here].min(self.found[next as usize]);
                }
                Some(next) => {
                    count += 1;
                    (self.found[next as usize], self.low[next as usize]) = (count, count);
                    self.stack.push((next, 0));
                }
                None => {
                    self.stack.pop();
                    let Some(&(before, _)) = self.stack.last() else {
                        break;
                    };
                    let before = before as usize;
                    self.low[before] = self.low[before].min(self.low[here]);
                    if before == 0 {
                        from_first += 1;
                    } else if self.low[here] >= self.found[before] {
                        self.is_choke[before] = true;
                    }
                }
            }
        }
        self.is_choke[0] = from_first > 1;
        &self.is_choke
    }
}
