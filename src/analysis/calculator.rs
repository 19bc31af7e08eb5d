//! Computes the metrics of a dungeon.
//!
//! A [`MetricsCalculator`] analyses a [`Grid`], fully grown or growing. Everything takes time linear in the squares,
//! except for rooms and vaults, each of which may need a search of its own. The calculator reuses its memory for the
//! next dungeon.

use std::collections::VecDeque;

use super::islands::Islands;
use super::lines::{BlindWays, PassageLine, PassageLines};
use super::metrics::{AreaMetrics, EnclosedArea, Metrics, OUTER_CORRIDOR};
use super::plan::{NO_WAY, OpenPlan};
use super::scene::{Ground, Scene};
use super::widths::Widths;
use crate::engine::{Grid, Mark};
use crate::geometry::{Forward, Point};

/// A calculator of metrics for one dungeon after another.
#[derive(Debug, Default)]
pub struct MetricsCalculator {
    pub(super) plan: OpenPlan,
    /// Steps from the entrance to each square.
    pub(super) distance: Vec<u32>,
    pub(super) reached: Vec<u32>,
    /// Whether each square belongs to the analysed shape.
    pub(super) shape: Vec<bool>,
    /// Whether each square is on a shortest path.
    on_way: Vec<bool>,
    pub(super) seen: Vec<bool>,
    pub(super) edge: Vec<usize>,
    islands: Islands,
    headings: [PassageLines; 2],
    blind: BlindWays,
    pub(super) widths: Widths,
    squares: Vec<usize>,
}

impl MetricsCalculator {
    /// Creates a calculator without a dungeon.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the steps from the entrance to a square of the last dungeon; `None` if it cannot be reached.
    pub fn steps_to(&self, at: Point) -> Option<u32> {
        let steps = self.distance.get(self.plan.index(at)?);
        steps.copied().filter(|steps| *steps != NO_WAY)
    }

    /// Returns the entrance and the exit of a dungeon if no path connects them, else `None`. Either is `None` if no
    /// square is open, or if the scene's own one lies outside the dungeon.
    pub fn no_way(grid: &Grid, scene: &Scene) -> Option<(Option<Point>, Option<Point>)> {
        let mut calculator = Self::new();
        calculator.plan.take(grid);
        let (entrance, exit) = calculator.ends(scene);
        calculator
            .plan
            .walk(entrance.unwrap_or(0), &mut calculator.distance, &mut calculator.reached);
        let is_reached = exit.is_some_and(|exit| calculator.distance[exit] != NO_WAY);
        let point = |at: Option<usize>| at.map(|at| calculator.plan.point(at));
        (!is_reached).then(|| (point(entrance), point(exit)))
    }

    /// Returns the indices of the entrance and the exit.
    fn ends(&self, scene: &Scene) -> (Option<usize>, Option<usize>) {
        let plan = &self.plan;
        let entrance = scene
            .entrance
            .map_or_else(|| plan.nearest_left_top(), |at| plan.index(at));
        let exit = scene
            .exit
            .map_or_else(|| plan.nearest_right_bottom(), |at| plan.index(at));
        (entrance, exit)
    }

    /// Returns the metrics of a dungeon.
    pub fn measure(&mut self, grid: &Grid, scene: &Scene) -> Metrics {
        self.plan.take(grid);
        let (entrance, exit) = self.ends(scene);
        let plan = &self.plan;
        let mut metrics = Metrics {
            size: grid.size(),
            entrance: entrance.map(|at| plan.point(at)),
            exit: exit.map(|at| plan.point(at)),
            ..Metrics::of_nothing()
        };
        // Without an entrance the search starts at index 0: the frame, which is not open.
        plan.walk(entrance.unwrap_or(0), &mut self.distance, &mut self.reached);
        metrics.squares = self.reached.len() as u32;
        Self::count_tiles(grid, &mut metrics);
        metrics.enclosed = self.find_enclosed(grid, scene, metrics.squares);
        self.find_way(exit, &mut metrics);
        self.find_gap(exit, &mut metrics);
        self.find_shapes(entrance, exit, &mut metrics);
        self.find_outer(&mut metrics);
        metrics.rooms = scene
            .rooms
            .iter()
            .map(|ground| self.find_ground(ground, entrance, exit))
            .collect();
        metrics.vaults = scene
            .vaults
            .iter()
            .map(|ground| self.find_ground(ground, entrance, exit))
            .collect();
        metrics
    }

    fn count_tiles(grid: &Grid, metrics: &mut Metrics) {
        let size = grid.size();
        for x in 0..size.x {
            for y in 0..size.y {
                let at = Point::new(x, y);
                if grid.tile(at).is_open() {
                    continue;
                }
                metrics.filled += u32::from(!size.on_border(at));
                if let Mark::Generation(generation) = grid.mark(at) {
                    let index = usize::from(generation);
                    if metrics.tiles.len() <= index {
                        metrics.tiles.resize(index + 1, 0);
                    }
                    metrics.tiles[index] += 1;
                }
            }
        }
        metrics.inside = ((size.x - 2).max(0) * (size.y - 2).max(0)) as u32;
    }

    /// Returns every open area but the largest. Of equally large ones the first is left out.
    fn find_enclosed(&mut self, grid: &Grid, scene: &Scene, reached: u32) -> Vec<EnclosedArea> {
        let plan = &self.plan;
        let open = plan.open.iter().filter(|open| **open).count() as u32;
        if open == reached {
            return Vec::new();
        }
        let vaulted = scene.vaulted(grid.size());
        let columns = plan.columns();
        let in_vault = |index: usize| {
            let at = plan.point(index);
            vaulted.get(at.x as usize * columns + at.y as usize) == Some(&true)
        };
        self.seen.clear();
        self.seen.extend(plan.open.iter().map(|open| !open));
        let mut areas: Vec<EnclosedArea> = Vec::new();
        let steps = plan.steps();
        for first in 0..self.seen.len() {
            if self.seen[first] {
                continue;
            }
            let mut area = EnclosedArea {
                at: plan.point(first),
                squares: 0,
                in_vault: true,
                holds_entrance: self.distance[first] != NO_WAY,
            };
            self.seen[first] = true;
            self.edge.push(first);
            while let Some(at) = self.edge.pop() {
                area.squares += 1;
                area.in_vault &= in_vault(at);
                for step in steps {
                    let to = at.wrapping_add(step);
                    if !std::mem::replace(&mut self.seen[to], true) {
                        self.edge.push(to);
                    }
                }
            }
            areas.push(area);
        }
        let most = areas.iter().map(|area| area.squares).max();
        if let Some(largest) = areas.iter().position(|area| Some(area.squares) == most) {
            areas.remove(largest);
        }
        areas
    }

    /// Finds every square on a shortest path, and one of these paths.
    fn find_way(&mut self, exit: Option<usize>, metrics: &mut Metrics) {
        self.on_way.clear();
        self.on_way.resize(self.plan.open.len(), false);
        let Some(exit) = exit.filter(|&exit| self.distance[exit] != NO_WAY) else {
            return;
        };
        let steps = self.plan.steps();
        let nearer = |at: usize, step: usize| {
            let to = at.wrapping_add(step);
            (self.distance[to] != NO_WAY && self.distance[to] + 1 == self.distance[at]).then_some(to)
        };
        self.on_way[exit] = true;
        self.edge.push(exit);
        while let Some(at) = self.edge.pop() {
            for to in steps.into_iter().filter_map(|step| nearer(at, step)) {
                if !std::mem::replace(&mut self.on_way[to], true) {
                    self.edge.push(to);
                }
            }
        }
        let mut heading = Forward::North as usize;
        let mut at = exit;
        metrics.way.push(self.plan.point(at));
        while self.distance[at] > 0 {
            let ahead = nearer(at, steps[heading]).map(|to| (heading, to));
            let mut turned = (0..4).filter_map(|h| nearer(at, steps[h]).map(|to| (h, to)));
            let Some((next, to)) = ahead.or_else(|| turned.next()) else {
                break;
            };
            (heading, at) = (next, to);
            metrics.way.push(self.plan.point(at));
        }
        metrics.way.reverse();
    }

    /// Finds the fewest walls to remove for a path to the exit, if there is none.
    fn find_gap(&self, exit: Option<usize>, metrics: &mut Metrics) {
        let plan = &self.plan;
        let Some(exit) = exit.filter(|&exit| self.distance[exit] == NO_WAY) else {
            return;
        };
        let (size, steps) = (plan.size(), plan.steps());
        let mut walls = vec![NO_WAY; plan.open.len()];
        let mut from = vec![0; plan.open.len()];
        let mut edge: VecDeque<usize> = self.reached.iter().map(|&at| at as usize).collect();
        for &at in &edge {
            walls[at] = 0;
        }
        while let Some(at) = edge.pop_front() {
            if at == exit {
                break;
            }
            for step in steps {
                let to = at.wrapping_add(step);
                let is_inside = !size.on_border(plan.point(to)) && size.contains(plan.point(to));
                if !(plan.open[to] || is_inside || to == exit) {
                    continue;
                }
                let far = walls[at] + u32::from(!plan.open[to]);
                if far < walls[to] {
                    (walls[to], from[to]) = (far, at);
                    // A free step is processed before all entries of this cost.
                    if plan.open[to] {
                        edge.push_front(to);
                    } else {
                        edge.push_back(to);
                    }
                }
            }
        }
        let mut at = exit;
        while walls[at] != NO_WAY && walls[at] > 0 {
            if !plan.open[at] && !size.on_border(plan.point(at)) {
                metrics.gap.push(plan.point(at));
            }
            at = from[at];
        }
        metrics.gap.reverse();
    }

    fn find_shapes(&mut self, entrance: Option<usize>, exit: Option<usize>, metrics: &mut Metrics) {
        self.shape.clear();
        self.shape.extend(self.distance.iter().map(|&steps| steps != NO_WAY));
        let distance = &self.distance;
        let is_reached = |at: usize| distance[at] != NO_WAY;
        metrics.islands = self.islands.find(&self.plan, is_reached, &mut self.shape);
        metrics.shape = self.shape.iter().filter(|open| **open).count() as u32;
        // If the entrance is a wall there is no shape, and no line goes through the frame.
        let entrance = entrance.unwrap_or(0);
        for (lines, along_rows) in self.headings.iter_mut().zip([true, false]) {
            lines.take(&self.plan, &self.shape, along_rows, entrance);
        }
        let exit = exit.filter(|&exit| is_reached(exit));
        let blind;
        (metrics.dead_ends, blind) = self.blind.find(&self.plan, &self.headings, exit);
        metrics.blind = blind as u32;
        (metrics.widths, metrics.junctions) = self.widths.find(&self.shape, self.plan.stride);
    }

    fn find_outer(&self, metrics: &mut Metrics) {
        let size = self.plan.size();
        let (bottom, right) = (size.x - 2, size.y - 2);
        if bottom < 1 || right < 1 {
            return;
        }
        let corners = [(1, 1), (1, right), (bottom, 1)].map(|(x, y)| Point::new(x, y));
        let sides = [
            (corners[0], Forward::East, right),
            (corners[2], Forward::East, right),
            (corners[0], Forward::South, bottom),
            (corners[1], Forward::South, bottom),
        ];
        for (begin, forward, length) in sides {
            metrics.outer_squares += length as u32;
            let is_open = |i: i32| i < length && self.steps_to(begin.step(forward, i)).is_some();
            let mut first = 0;
            for i in 0..=length {
                if is_open(i) {
                    continue;
                }
                if i - first >= OUTER_CORRIDOR {
                    metrics.outer.push(PassageLine {
                        from: begin.step(forward, first),
                        to: begin.step(forward, i - 1),
                    });
                }
                first = i + 1;
            }
        }
    }

    fn find_ground(&mut self, ground: &Ground, entrance: Option<usize>, exit: Option<usize>) -> AreaMetrics {
        let inside: Vec<usize> = ground.squares.iter().filter_map(|&at| self.plan.index(at)).collect();
        let mut found = AreaMetrics {
            stands: ground.stands(),
            name: ground.name.clone(),
            reached: inside.iter().any(|&at| self.distance[at] != NO_WAY),
            crossed: inside.iter().any(|&at| self.on_way[at]),
            ..AreaMetrics::default()
        };
        if found.crossed
            && let (Some(entrance), Some(exit)) = (entrance, exit)
        {
            found.needed = self.is_needed(&inside, entrance, exit);
        }
        self.squares.clear();
        self.squares.extend(inside.into_iter().filter(|&at| self.shape[at]));
        let exit = exit.filter(|&exit| self.distance[exit] != NO_WAY);
        let lines = self
            .headings
            .iter()
            .filter_map(|lines| lines.cutting_off(&self.plan, &self.squares, exit));
        found.severed_by = lines.min_by_key(|line| line.length());
        found
    }

    /// Returns whether the exit cannot be reached from the entrance without these squares.
    fn is_needed(&mut self, without: &[usize], entrance: usize, exit: usize) -> bool {
        self.seen.clear();
        self.seen.extend(self.plan.open.iter().map(|open| !open));
        for &at in without {
            self.seen[at] = true;
        }
        if self.seen[entrance] || self.seen[exit] {
            return true;
        }
        let steps = self.plan.steps();
        self.seen[entrance] = true;
        self.edge.push(entrance);
        while let Some(at) = self.edge.pop() {
            if at == exit {
                self.edge.clear();
                return false;
            }
            for step in steps {
                let to = at.wrapping_add(step);
                if !std::mem::replace(&mut self.seen[to], true) {
                    self.edge.push(to);
                }
            }
        }
        true
    }
}
