//! The number of steps from one square to every other square.

use std::cell::Cell;
use std::ops::Range;

use super::bit_rows::BitRows;
use super::plan::OpenPlan;

/// Bit of `StepSearch::distance` that marks a reached square on a shortest path.
const ON_PATH: u32 = 1 << 31;
/// Stored in `StepSearch::distance` for a closed square.
const CLOSED: u32 = u32::MAX - 1;
/// Stored in `StepSearch::distance` for an open square that was not reached.
const UNREACHED: u32 = u32::MAX;

/// A search from one square over all open squares, nearest first, with its buffers.
#[derive(Debug, Default)]
pub(super) struct StepSearch {
    /// Steps to each square, in the order of the plan. For the squares marked by `mark_shortest_paths`, [`ON_PATH`] is
    /// added.
    distance: Vec<u32>,
    /// The reached squares, the nearest first, followed by entries left over from earlier searches that reached more
    /// squares. Each entry is an index counted from the start of the plan's second row, the first row inside the frame.
    order: Vec<u32>,
    /// The squares on the shortest paths, in the same form as `order`.
    on_path: Vec<u32>,
    /// Number of reached squares.
    count: usize,
    /// Number of squares from one row of the plan to the next.
    stride: usize,
}

impl StepSearch {
    /// Drops the results of the last search.
    pub(super) const fn clear(&mut self) {
        self.count = 0;
    }

    /// Searches from a square; if it is closed, nothing is reached.
    ///
    /// [`Self::reached`] lists squares at the same distance in the order in which the search reaches them. To reach
    /// them, the search takes the squares that are one step nearer, one by one in order, and steps North, East, South
    /// and West from each.
    pub(super) fn start(&mut self, plan: &OpenPlan, from: usize) {
        self.clear();
        self.stride = plan.stride;
        self.distance.clear();
        let unseen = plan.open.iter().map(|&open| CLOSED + u32::from(open));
        self.distance.extend(unseen);
        self.order.resize(self.order.len().max(plan.bits.count() as usize), 0);
        if plan.open[from] {
            self.distance[from] = 0;
            self.order[0] = (from - plan.stride) as u32;
            let levels = (1..).map(|far| (UNREACHED, far));
            self.count = spread(plan, &mut self.distance, &mut self.order, levels);
        }
    }

    /// Marks the squares on the shortest paths to a reached square.
    pub(super) fn mark_shortest_paths(&mut self, plan: &OpenPlan, to: usize) {
        let far = self.distance[to];
        self.distance[to] |= ON_PATH;
        self.on_path.resize(self.order.len(), 0);
        self.on_path[0] = (to - plan.stride) as u32;
        let levels = (0..far).rev().map(|nearer| (nearer, nearer | ON_PATH));
        spread(plan, &mut self.distance, &mut self.on_path, levels);
    }

    /// Returns whether `mark_shortest_paths` marked any of these squares.
    pub(super) fn is_any_on_path(&self, squares: Range<usize>) -> bool {
        let mut squares = self.distance[squares].iter();
        squares.any(|steps| (ON_PATH..CLOSED).contains(steps))
    }

    /// Returns the number of reached squares.
    pub(super) const fn count(&self) -> usize {
        self.count
    }

    /// Returns the reached squares, the nearest first.
    pub(super) fn reached(&self) -> impl Iterator<Item = usize> {
        let reached = self.order[..self.count].iter();
        reached.map(|&at| at as usize + self.stride)
    }

    /// Replaces the content of `into` by a map of the reached squares.
    pub(super) fn copy_reached(&self, plan: &OpenPlan, into: &mut BitRows) {
        into.fit(plan.rows(), plan.columns());
        if self.count == 0 {
            return;
        }
        let mut reached = vec![false; plan.columns()];
        let inside = self.distance.chunks_exact(self.stride).skip(1);
        for (row, distance) in (0..plan.rows()).zip(inside) {
            for (reached, distance) in reached.iter_mut().zip(&distance[1..]) {
                *reached = *distance < CLOSED;
            }
            into.set_row(row, &reached);
        }
    }

    /// Returns the steps to a square; `None` if it was not reached.
    pub(super) fn steps(&self, at: usize) -> Option<u32> {
        let found = self.count > 0;
        let steps = found.then(|| self.distance[at]).filter(|&steps| steps < CLOSED)?;
        Some(steps & !ON_PATH)
    }

    /// Returns the square that a step from a reached square leads to, if that square is nearer to the start. All open
    /// neighbours of a reached square have been reached, so they have a distance.
    pub(super) fn nearer(&self, at: usize, step: usize) -> Option<usize> {
        let to = at.wrapping_add(step);
        let steps = |at: usize| self.distance[at] & !ON_PATH;
        (self.distance[to] < CLOSED && steps(to) < steps(at)).then_some(to)
    }
}

/// Searches from the first square in `order` level by level, and appends the squares of each level to `order`. `levels`
/// contains, for each level, the distance that a square must have, and the distance that replaces it. Stops when a
/// level is empty or `levels` ends. Returns the number of squares in `order`.
#[inline]
fn spread(plan: &OpenPlan, distance: &mut [u32], order: &mut [u32], levels: impl Iterator<Item = (u32, u32)>) -> usize {
    let stride = plan.stride;
    let inside = distance.len() - 2 * stride;
    let distance = Cell::from_mut(distance).as_slice_of_cells();
    // One slice for each direction. `order` stores an index for each square. At this index, the slice for north
    // contains the square's northern neighbour, the slice for east its eastern neighbour, and so on. All slices have
    // the same length, so one check of the bounds covers them all.
    let beside = |first: usize| &distance[first..][..inside];
    let [north, east, south, west] = [0, stride + 1, 2 * stride, stride - 1].map(beside);
    let steps = plan.steps().map(|step| step as u32);
    let order = Cell::from_mut(order).as_slice_of_cells();
    let (mut begin, mut end) = (0, 1);
    for (sought, replacement) in levels {
        let level = &order[begin..end];
        if level.is_empty() {
            break;
        }
        begin = end;
        for at in level {
            let at = at.get();
            for (side, step) in [north, east, south, west].into_iter().zip(steps) {
                let to = &side[at as usize];
                if to.get() == sought {
                    to.set(replacement);
                    order[end].set(at.wrapping_add(step));
                    end += 1;
                }
            }
        }
    }
    end
}
