//! Chooses squares for the objects that a game places. The squares are reachable and at a minimum distance from each
//! other; on request, the ends of dead ends are chosen first.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use super::calculator::MetricsCalculator;
use super::cover::{LayerKind, SquareLayer};
use super::metrics::Metrics;
use crate::engine::random::{Key, Stream};
use crate::geometry::{Point, Size};

/// Options for choosing squares.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScatterOptions {
    /// Number of squares to choose.
    pub count: u32,
    /// Minimum number of steps between two chosen squares, and between a chosen square and a square already in use.
    pub apart: u32,
    /// Whether the ends of dead ends are chosen before other squares.
    pub dead_ends: bool,
    /// Seed for the random order in which squares are tried.
    pub seed: u64,
    /// Squares that are already in use, in addition to the entrance and the exit.
    pub taken: Vec<Point>,
}

impl MetricsCalculator {
    /// Chooses squares that are reachable from the entrance, in the dungeon that was measured last. `metrics` must be
    /// the metrics of that dungeon. Returns fewer squares than requested if no more fit. The same dungeon and options
    /// yield the same squares.
    pub fn scatter(&mut self, metrics: &Metrics, options: &ScatterOptions) -> Vec<Point> {
        let reached = self.cover(LayerKind::Reached, metrics);
        let size = reached.size();
        let mut stream = Stream::new(Key::new(options.seed));
        let mut ends = Vec::new();
        if options.dead_ends {
            ends = self.ends_of_dead_ends(metrics);
            shuffle(&mut ends, &mut stream);
        }
        let mut others: Vec<Point> = size.points().filter(|at| reached.number(*at).is_some()).collect();
        shuffle(&mut others, &mut stream);
        let mut near = Near::new(reached);
        let taken = options.taken.iter().chain(&metrics.entrance).chain(&metrics.exit);
        taken.for_each(|at| near.add(*at, options.apart));
        let mut chosen = Vec::new();
        for at in ends.into_iter().chain(others) {
            if chosen.len() == options.count as usize {
                break;
            }
            if !near.contains(at) {
                near.add(at, options.apart);
                chosen.push(at);
            }
        }
        chosen
    }

    /// Returns the end of each dead end: its square with the most steps from the entrance; of several such squares, the
    /// first in row order.
    fn ends_of_dead_ends(&mut self, metrics: &Metrics) -> Vec<Point> {
        let cover = self.cover(LayerKind::DeadEnds, metrics);
        let mut ends: Vec<Option<(u32, Point)>> = vec![None; metrics.dead_ends.len()];
        for at in cover.size().points() {
            let number = cover.number(at).and_then(|number| usize::from(number).checked_sub(1));
            let end = number.and_then(|number| ends.get_mut(number));
            if let (Some(end), Some(steps)) = (end, self.steps_to(at))
                && end.is_none_or(|(most, _)| steps > most)
            {
                *end = Some((steps, at));
            }
        }
        ends.into_iter().flatten().map(|(_, at)| at).collect()
    }
}

fn shuffle(list: &mut [Point], stream: &mut Stream) {
    for last in (1..list.len()).rev() {
        let other = stream.below(u32::try_from(last + 1).unwrap_or(u32::MAX)) as usize;
        list.swap(last, other);
    }
}

/// The squares that are too near to a square in use.
struct Near {
    reached: SquareLayer,
    /// Steps from each square to the nearest square in use; `u32::MAX` for squares that are far enough away.
    steps: Vec<u32>,
    queue: VecDeque<Point>,
}

impl Near {
    fn new(reached: SquareLayer) -> Self {
        Self {
            steps: vec![u32::MAX; reached.size().squares() as usize],
            reached,
            queue: VecDeque::new(),
        }
    }

    fn index(&self, at: Point) -> usize {
        let Size { y, .. } = self.reached.size();
        at.x as usize * y as usize + at.y as usize
    }

    /// Returns whether a square inside the dungeon is too near to a square in use.
    fn contains(&self, at: Point) -> bool {
        self.steps[self.index(at)] != u32::MAX
    }

    /// Marks a square as used, so that all squares fewer than `apart` steps away become too near. Does nothing if the
    /// square is not reachable from the entrance.
    fn add(&mut self, at: Point, apart: u32) {
        let visit = |near: &mut Self, at: Point, steps: u32| {
            let index = near.index(at);
            if near.reached.number(at).is_some() && steps < near.steps[index] {
                near.steps[index] = steps;
                near.queue.push_back(at);
            }
        };
        if !self.reached.size().contains(at) {
            return;
        }
        visit(self, at, 0);
        while let Some(at) = self.queue.pop_front() {
            let next = self.steps[self.index(at)] + 1;
            if next >= apart {
                continue;
            }
            for (x, y) in [(-1, 0), (1, 0), (0, -1), (0, 1)] {
                let to = Point::new(at.x + x, at.y + y);
                if self.reached.size().contains(to) {
                    visit(self, to, next);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use crate::analysis::Scene;
    use crate::engine::{Growth, Options};
    use crate::presets::Preset;

    /// Returns the number of steps from a square to every square that can be reached from it, computed directly from
    /// the definition.
    fn steps_from(from: Point, is_open: &dyn Fn(Point) -> bool) -> HashMap<Point, u32> {
        let mut steps = HashMap::from([(from, 0)]);
        let mut all = vec![from];
        let mut next = 0;
        while let Some(&at) = all.get(next) {
            next += 1;
            for (x, y) in [(-1, 0), (1, 0), (0, -1), (0, 1)] {
                let to = Point::new(at.x + x, at.y + y);
                if is_open(to) && !steps.contains_key(&to) {
                    steps.insert(to, steps[&at] + 1);
                    all.push(to);
                }
            }
        }
        steps
    }

    #[test]
    fn squares_are_reachable_and_apart_and_at_dead_ends_first() {
        for (name, seed) in [("catacombs", 1), ("keep", 2), ("first-steps", 3)] {
            let mut design = Preset::find(name).unwrap().design();
            design.seed = seed;
            let design = design.validate(None).design.unwrap();
            let mut growth = Growth::new(&design, Options::default(), &mut ());
            growth.finish(&mut ());
            let grid = growth.grid();
            let mut calculator = MetricsCalculator::new();
            let metrics = calculator.measure(grid, &Scene::new(&design));
            let options = ScatterOptions {
                count: 12,
                apart: 9,
                dead_ends: true,
                seed: 5,
                taken: vec![Point::new(-1, 3)],
            };
            let chosen = calculator.scatter(&metrics, &options);
            assert!(chosen.len() > 3, "{name}: {chosen:?}");
            assert_eq!(calculator.scatter(&metrics, &options), chosen, "{name}");
            let is_open = |at: Point| grid.size().contains(at) && grid.tile(at).is_open();
            let used: Vec<Point> = chosen
                .iter()
                .copied()
                .chain(metrics.entrance)
                .chain(metrics.exit)
                .collect();
            for (i, at) in chosen.iter().enumerate() {
                let steps = steps_from(*at, &is_open);
                assert!(
                    steps.contains_key(&metrics.entrance.unwrap()),
                    "{name}: {at} is reachable"
                );
                for other in used.iter().skip(i + 1) {
                    let apart = steps.get(other).copied().unwrap_or(u32::MAX);
                    assert!(apart >= 9, "{name}: {at} and {other} are {apart} steps apart");
                }
            }
            // If there are dead ends, at least one of the squares is in one.
            let cover = calculator.cover(LayerKind::DeadEnds, &metrics);
            let in_ends = chosen.iter().filter(|at| cover.number(**at).is_some()).count();
            assert!(in_ends > 0 || metrics.dead_ends.is_empty(), "{name}");
            let first_other = chosen.iter().position(|at| cover.number(*at).is_none());
            assert!(
                first_other.is_none_or(|first| first == in_ends || chosen[first..].len() <= 12),
                "{name}"
            );
            // Another seed yields different squares.
            let other = calculator.scatter(
                &metrics,
                &ScatterOptions {
                    seed: 6,
                    ..options.clone()
                },
            );
            assert_ne!(other, chosen, "{name}");
            // Taken squares are not chosen again.
            let more = ScatterOptions {
                taken: chosen.clone(),
                ..options.clone()
            };
            assert!(
                calculator
                    .scatter(&metrics, &more)
                    .iter()
                    .all(|at| !chosen.contains(at))
            );
        }
    }
}
