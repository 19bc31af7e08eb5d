//! The number of steps from one square to every other.

use super::plan::OpenPlan;

/// A search from one square over all open squares, nearest first, with its buffers.
///
/// For the next search, only the record of the squares seen is cleared: the number of a square that was not reached is
/// never read.
#[derive(Debug, Default)]
pub(super) struct StepSearch {
    /// Whether each square is closed or was reached, in the order of the plan.
    seen: Vec<bool>,
    /// Steps to each reached square.
    distance: Vec<u32>,
    /// The reached squares, the nearest first, followed by the remains of earlier, longer searches.
    order: Vec<u32>,
    /// Number of reached squares.
    count: usize,
}

impl StepSearch {
    /// Drops the results of the last search.
    pub(super) fn clear(&mut self) {
        self.seen.clear();
        self.count = 0;
    }

    /// Searches from a square; if it is closed, nothing is reached.
    pub(super) fn start(&mut self, plan: &OpenPlan, from: usize) {
        let squares = plan.open.len();
        self.clear();
        self.seen.extend(plan.open.iter().map(|open| !open));
        self.distance.resize(squares, 0);
        self.order.resize(self.order.len().max(plan.bits.count() as usize), 0);
        if !plan.open[from] {
            return;
        }
        // With slices of equal length, one bounds check covers all of them.
        let (seen, distance, order) = (
            &mut self.seen[..squares],
            &mut self.distance[..squares],
            &mut self.order[..],
        );
        (seen[from], distance[from], order[0]) = (true, 0, from as u32);
        let steps = plan.steps();
        let (mut next, mut end) = (0, 1);
        while next < end {
            let at = order[next] as usize;
            next += 1;
            let far = distance[at] + 1;
            for step in steps {
                let to = at.wrapping_add(step);
                if !seen[to] {
                    (seen[to], distance[to], order[end]) = (true, far, to as u32);
                    end += 1;
                }
            }
        }
        self.count = end;
    }

    /// Returns the reached squares, the nearest first.
    pub(super) fn reached(&self) -> &[u32] {
        &self.order[..self.count]
    }

    /// Returns the steps to a square; `None` if it was not reached.
    pub(super) fn steps(&self, plan: &OpenPlan, at: usize) -> Option<u32> {
        let is_reached = self.count > 0 && plan.open[at] && self.seen[at];
        is_reached.then(|| self.distance[at])
    }

    /// Returns the square that a step from a reached one leads to, if it is nearer to the start. The neighbours of a
    /// reached square are reached, unless they are closed.
    pub(super) fn nearer(&self, plan: &OpenPlan, at: usize, step: usize) -> Option<usize> {
        let to = at.wrapping_add(step);
        (plan.open[to] && self.distance[to] < self.distance[at]).then_some(to)
    }
}
