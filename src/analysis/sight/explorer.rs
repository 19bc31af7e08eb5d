//! Explorers: walkers that remember the squares they have seen, and always go to the nearest unseen square next to a
//! seen square.

use super::floor::NO_SQUARE;
use super::views::Views;
use crate::engine::random::mix;

const WORD: usize = u64::BITS as usize;
const NOT_REACHED: u32 = u32::MAX;

/// An explorer, whose buffers are reused for the next walk.
#[derive(Debug, Default)]
pub(super) struct Explorer {
    seen: Vec<u64>,
    /// Number of squares seen.
    count: u32,
    /// Number of steps to each square from the square where the explorer last chose a destination.
    distance: Vec<u32>,
    /// Squares that have an entry in `distance`, nearest first.
    reached: Vec<u32>,
    /// Squares still to be walked, the destination first.
    path: Vec<u32>,
}

/// The result of a walk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Found {
    /// Number of steps.
    pub(super) steps: u32,
    /// Number of squares seen during the whole walk, the view from the start included.
    pub(super) seen: u32,
}

impl Explorer {
    /// Continues a walk until the explorer has seen the square `to`, or all squares if `to` is `None`. Calls `step`
    /// with the new square after each further step.
    ///
    /// `so_far` contains the squares of the walk so far, the start first; if it is empty, the explorer takes no step.
    /// The explorer has seen everything visible from these squares, and sees everything visible from its new square
    /// after each step. Once it has seen its destination, it chooses a new one: among the unseen squares next to seen
    /// ones, the nearest by steps over seen squares. If several squares are equally near, it chooses the one with the
    /// lowest pseudo-random number, which depends on the square and the seed. It goes there on a shortest path over the
    /// squares that it had seen when it chose the destination. The path is traced back from the destination; wherever
    /// several squares are one step nearer to the explorer, the path continues to the one with the lowest pseudo-random
    /// number.
    pub(super) fn walk(
        &mut self,
        views: &mut Views,
        so_far: &[u32],
        to: Option<u32>,
        seed: u64,
        mut step: impl FnMut(u32),
    ) -> Found {
        let squares = views.floor.len();
        self.seen.clear();
        self.seen.resize(views.across(), 0);
        self.count = 0;
        self.distance.clear();
        self.distance.resize(squares, NOT_REACHED);
        self.reached.clear();
        self.path.clear();
        for &square in so_far {
            self.see(views, square);
        }
        let mut steps = so_far.len().saturating_sub(1) as u32;
        let mut at = so_far.last().copied();
        let mut destination = at;
        while let Some(here) = at
            && !to.is_some_and(|to| self.has_seen(to))
        {
            if destination.is_none_or(|destination| self.has_seen(destination)) {
                destination = self.choose(views, here, seed);
            }
            at = destination.and_then(|_| self.path.pop());
            if let Some(next) = at {
                steps += 1;
                self.see(views, next);
                step(next);
            }
        }
        Found {
            steps,
            seen: self.count,
        }
    }

    fn has_seen(&self, square: u32) -> bool {
        self.seen[square as usize / WORD] >> (square as usize % WORD) & 1 != 0
    }

    fn see(&mut self, views: &mut Views, at: u32) {
        views.find(at);
        let (first, view) = views.of(at);
        for (seen, word) in self.seen[first..].iter_mut().zip(view) {
            self.count += (word & !*seen).count_ones();
            *seen |= word;
        }
    }

    /// Chooses a destination and stores the path to it. Returns `None` if no unseen square can be reached.
    fn choose(&mut self, views: &Views, from: u32, seed: u64) -> Option<u32> {
        let floor = &views.floor;
        let drawn = |square: u32| {
            let (row, column) = floor.place(square);
            mix(mix(seed).wrapping_add((row as u64) << 32).wrapping_add(column as u64))
        };
        for square in self.reached.drain(..) {
            self.distance[square as usize] = NOT_REACHED;
        }
        self.distance[from as usize] = 0;
        self.reached.push(from);
        let mut best: Option<(u64, u32)> = None;
        let mut next = 0;
        let mut nearest = NOT_REACHED;
        while let Some(&at) = self.reached.get(next) {
            next += 1;
            let far = self.distance[at as usize];
            if far >= nearest {
                break;
            }
            for to in floor.steps(at) {
                if to == NO_SQUARE || self.distance[to as usize] != NOT_REACHED {
                    continue;
                }
                if self.has_seen(to) {
                    self.distance[to as usize] = far + 1;
                    self.reached.push(to);
                } else {
                    // Squares at this distance or more are not searched any further.
                    nearest = far + 1;
                    let one = (drawn(to), to);
                    best = Some(best.map_or(one, |best| best.min(one)));
                }
            }
        }
        let (_, destination) = best?;
        self.path.clear();
        let (mut at, mut far) = (destination, nearest);
        while far > 0 {
            self.path.push(at);
            far -= 1;
            let before = floor.steps(at).into_iter();
            let before = before.filter(|&to| to != NO_SQUARE && self.distance[to as usize] == far);
            at = before.min_by_key(|&to| (drawn(to), to))?;
        }
        Some(destination)
    }
}
