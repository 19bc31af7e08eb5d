//! Computes the metrics of a dungeon.
//!
//! A [`MetricsCalculator`] analyses a [`Grid`], fully grown or growing. All metrics take time linear in the number of
//! squares, except the metrics of rooms and vaults, which may need one search for each room or vault, and the metrics
//! of sight. Only the requested parts are computed. The calculator reuses its memory for the next dungeon.

use std::collections::VecDeque;
use std::ops::Range;

use super::bit_rows::BitRows;
use super::dead_ends::DeadEndFinder;
use super::groups::{Diagonals, Groups};
use super::islands::Islands;
use super::lines::{PassageLine, PassageLines};
use super::metrics::{AreaMetrics, EnclosedArea, Metrics, OUTER_CORRIDOR, PlaceMetrics};
use super::parts::MetricParts;
use super::patterns;
use super::plan::OpenPlan;
use super::scene::{Ground, Rectangle, Scene};
use super::sight::Sight;
use super::steps::StepSearch;
use super::widths::Widths;
use crate::design::expect::PlaceName;
use crate::engine::Grid;
use crate::geometry::{Forward, Point};

/// Number of walls that [`MetricsCalculator::find_gap`] stores for a square until its search reaches the square.
const UNREACHABLE: u32 = u32::MAX;

/// A calculator of metrics, which analyses one dungeon after another.
#[derive(Debug, Default)]
pub struct MetricsCalculator {
    pub(super) plan: OpenPlan,
    /// Steps from the entrance to each square.
    pub(super) search: StepSearch,
    groups: Groups,
    /// Squares that can be reached from the entrance.
    pub(super) reachable: BitRows,
    /// Squares of the analysed shape: the reachable squares and the pillars that they surround.
    pub(super) shape: BitRows,
    /// The shape with rows and columns exchanged.
    transposed: BitRows,
    pub(super) seen: Vec<bool>,
    pub(super) edge: Vec<usize>,
    islands: Islands,
    /// Passage lines within rows, and within columns.
    headings: [PassageLines; 2],
    blind: DeadEndFinder,
    pub(super) widths: Widths,
    pub(super) sight: Sight,
}

impl MetricsCalculator {
    /// Creates a calculator without a dungeon.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the steps from the entrance to a square of the last dungeon; `None` if it cannot be reached.
    pub fn steps_to(&self, at: Point) -> Option<u32> {
        self.search.steps(self.plan.index(at)?)
    }

    /// Returns the entrance and the exit of a dungeon if no path connects them, otherwise `None`. Either
    /// point is `None` if the scene places it outside the dungeon, or if the scene does not define it and no square is
    /// open.
    pub fn no_way(grid: &Grid, scene: &Scene) -> Option<(Option<Point>, Option<Point>)> {
        let mut calculator = Self::new();
        calculator.plan.load(grid);
        let (entrance, exit) = calculator.ends(scene);
        calculator.search.start(&calculator.plan, entrance.unwrap_or(0));
        let is_reached = exit.is_some_and(|exit| calculator.is_reached(exit));
        let point = |at: Option<usize>| at.map(|at| calculator.plan.point(at));
        (!is_reached).then(|| (point(entrance), point(exit)))
    }

    /// Returns the indices of the entrance and the exit in the plan.
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

    /// Returns the metrics of a dungeon, except for the metrics of sight.
    pub fn measure(&mut self, grid: &Grid, scene: &Scene) -> Metrics {
        self.measure_parts(grid, scene, MetricParts::STANDARD)
    }

    /// Returns the metrics of a dungeon. Computes only `parts`, and the parts that these need; all other metrics have
    /// the values of a dungeon without squares. The size, the entrance and the exit are always set. If
    /// [`MetricParts::PATH`] is not computed, [`Self::steps_to`] returns `None`.
    ///
    /// Never inlined, because `benches/instructions.sh` uses the name of this function to count its instructions.
    #[inline(never)]
    pub fn measure_parts(&mut self, grid: &Grid, scene: &Scene, parts: MetricParts) -> Metrics {
        let has_areas = !scene.rooms.is_empty() || !scene.vaults.is_empty();
        let parts = if has_areas {
            parts
        } else {
            parts.without(MetricParts::AREAS)
        };
        let parts = parts.with_needed();
        self.plan.load(grid);
        let (entrance, exit) = self.ends(scene);
        let mut metrics = Metrics {
            size: grid.size(),
            entrance: entrance.map(|at| self.plan.point(at)),
            exit: exit.map(|at| self.plan.point(at)),
            ..Metrics::of_nothing()
        };
        self.search.clear();
        if parts.has(MetricParts::PATH) {
            // Without an entrance the search starts at index 0: the frame, which is not open, so nothing is reached.
            self.search.start(&self.plan, entrance.unwrap_or(0));
            self.find_shortest_path(exit, &mut metrics);
            self.find_gap(exit, &mut metrics);
            let places = scene.places.iter();
            let steps = |&(name, at): &(PlaceName, Option<Point>)| PlaceMetrics {
                name,
                at,
                steps: at.and_then(|at| self.steps_to(at)),
            };
            metrics.places = places.map(steps).collect();
        }
        if parts.has(MetricParts::REACHED) {
            self.find_reachable(entrance, grid, scene, &mut metrics);
        }
        if parts.has(MetricParts::TILES) {
            Self::count_tiles(grid, &self.plan, &mut metrics);
        }
        if parts.has(MetricParts::ISLANDS) {
            self.shape.copy_from(&self.reachable);
            metrics.islands = self.islands.find(&self.plan.bits, &mut self.shape);
            metrics.shape = self.shape.count();
        }
        if parts.has_any(MetricParts::LINES.and(MetricParts::WIDTHS)) {
            self.shape.transpose(&mut self.transposed);
        }
        if parts.has(MetricParts::LINES) {
            self.find_lines(entrance, exit, &mut metrics);
        }
        if parts.has(MetricParts::WIDTHS) {
            (metrics.widths, metrics.junctions) = self.widths.find(&self.shape, &self.transposed);
        }
        if parts.has(MetricParts::OUTER) {
            self.find_outer(&mut metrics);
        }
        if parts.has(MetricParts::AREAS) {
            self.find_areas(scene, entrance, exit, &mut metrics);
        }
        if parts.has(MetricParts::PATTERNS) {
            metrics.patterns = patterns::count(&self.plan.bits);
        }
        if parts.has_any(MetricParts::SIGHT) && self.sight.load(&self.plan.bits, &self.reachable) {
            let way = self.numbers(&metrics.way);
            metrics.sight = self.sight.measure(parts, &way);
        }
        metrics
    }

    /// Converts squares to their numbers on the [floor](super::sight) of the sight metrics. All must be reachable.
    pub(super) fn numbers(&self, squares: &[Point]) -> Vec<u32> {
        let numbers = squares
            .iter()
            .map(|at| self.sight.number((at.x as usize, at.y as usize)));
        numbers.collect()
    }

    fn count_tiles(grid: &Grid, plan: &OpenPlan, metrics: &mut Metrics) {
        let size = grid.size();
        metrics.inside = ((size.x - 2).max(0) * (size.y - 2).max(0)) as u32;
        metrics.filled = metrics.inside - (plan.bits.count() - plan.bits.count_border());
        metrics.tiles = grid.laid_by_generation();
    }

    /// Finds the reachable squares and the enclosed areas. All open areas but the largest are enclosed; if several are
    /// equally large, the first of them in row order counts as the largest.
    fn find_reachable(&mut self, entrance: Option<usize>, grid: &Grid, scene: &Scene, metrics: &mut Metrics) {
        let plan = &self.plan;
        let reached = self.search.count() as u32;
        if reached > 0 && reached == plan.bits.count() {
            // The search for the path reached every open square, so no area is enclosed.
            metrics.squares = reached;
            self.reachable.copy_from(&plan.bits);
            return;
        }
        // The search for the path, if it was made, has found the area of the entrance; the other areas remain.
        self.search.copy_reached(plan, &mut self.reachable);
        let mut others = plan.bits.clone();
        others.remove(&self.reachable);
        self.groups.find(&others, Diagonals::Apart);
        let inside = entrance.map(|at| plan.row_and_column(at));
        let of_entrance = inside.and_then(|(row, column)| self.groups.at(row, column));
        let vaulted = scene.vaulted(grid.size());
        let is_in_vault = |row: usize, columns: Range<usize>| {
            let row = vaulted.chunks(plan.columns()).nth(row);
            row.is_some_and(|row| row[columns].iter().all(|&inside| inside))
        };
        let mut areas = Vec::new();
        let mut add = |(row, column): (u32, u32), squares, in_vault, holds_entrance| {
            areas.push(EnclosedArea {
                at: Point::new(row as i32, column as i32),
                squares,
                in_vault,
                holds_entrance,
            });
        };
        if let Some((row, column)) = self.reachable.ones().next() {
            let mut squares = self.reachable.ones();
            let in_vault = squares.all(|(row, column)| is_in_vault(row, column..column + 1));
            add((row as u32, column as u32), reached, in_vault, true);
        }
        let mut in_vault = vec![true; self.groups.all().len()];
        for (group, stack) in self.groups.stacks() {
            let Rectangle { mut rows, columns } = stack.rectangle();
            in_vault[group] = in_vault[group] && rows.all(|row| is_in_vault(row, columns.clone()));
            if Some(group) == of_entrance {
                self.reachable.fill_rectangle(&stack.rectangle());
            }
        }
        for (number, group) in self.groups.all().iter().enumerate() {
            add(
                group.first,
                group.squares,
                in_vault[number],
                Some(number) == of_entrance,
            );
        }
        areas.sort_unstable_by_key(|area| area.at);
        let of_entrance = areas.iter().find(|area| area.holds_entrance);
        metrics.squares = of_entrance.map_or(0, |area| area.squares);
        let most = areas.iter().map(|area| area.squares).max();
        if let Some(largest) = areas.iter().position(|area| Some(area.squares) == most) {
            areas.remove(largest);
        }
        metrics.enclosed = areas;
    }

    /// Returns whether the search for the path reached a square.
    fn is_reached(&self, at: usize) -> bool {
        self.search.steps(at).is_some()
    }

    /// Finds one shortest path. Traced back from the exit, it continues straight ahead wherever possible.
    fn find_shortest_path(&self, exit: Option<usize>, metrics: &mut Metrics) {
        let Some(exit) = exit.filter(|&exit| self.is_reached(exit)) else {
            return;
        };
        let steps = self.plan.steps();
        let mut heading = Forward::North as usize;
        let mut at = exit;
        metrics
            .way
            .reserve_exact(1 + self.search.steps(exit).unwrap_or(0) as usize);
        metrics.way.push(self.plan.point(at));
        let nearer = |at, heading: usize| {
            let to = self.search.nearer(at, steps[heading]);
            to.map(|to| (heading, to))
        };
        // The loop ends at the entrance, which has no neighbour with fewer steps.
        while let Some((next, to)) = nearer(at, heading).or_else(|| (0..4).find_map(|heading| nearer(at, heading))) {
            (heading, at) = (next, to);
            metrics.way.push(self.plan.point(at));
        }
        metrics.way.reverse();
    }

    /// If no path leads to the exit, finds the fewest walls inside the border whose removal would connect the exit with
    /// the squares that can be reached. Finds none if no square can be reached.
    fn find_gap(&self, exit: Option<usize>, metrics: &mut Metrics) {
        let plan = &self.plan;
        let Some(exit) = exit.filter(|&exit| !self.is_reached(exit)) else {
            return;
        };
        let (size, steps) = (plan.size(), plan.steps());
        let mut walls = vec![UNREACHABLE; plan.open.len()];
        let mut from = vec![0; plan.open.len()];
        let mut edge: VecDeque<usize> = self.search.reached().collect();
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
                    // A step to an open square removes no wall, so the open square is processed next: the queue remains
                    // sorted by the number of walls.
                    if plan.open[to] {
                        edge.push_front(to);
                    } else {
                        edge.push_back(to);
                    }
                }
            }
        }
        let mut at = exit;
        while walls[at] != UNREACHABLE && walls[at] > 0 {
            if !plan.open[at] && !size.on_border(plan.point(at)) {
                metrics.gap.push(plan.point(at));
            }
            at = from[at];
        }
        metrics.gap.reverse();
    }

    /// Finds the passage lines within rows and within columns, and the dead ends.
    fn find_lines(&mut self, entrance: Option<usize>, exit: Option<usize>, metrics: &mut Metrics) {
        // If the entrance is a wall, the shape is empty, and there is nothing to search.
        let entrance = entrance.map(|at| self.plan.row_and_column(at));
        let exit = self.reachable_exit(exit);
        self.headings[0].load(&self.shape, false, entrance, exit);
        self.headings[1].load(&self.transposed, true, entrance, exit);
        let size = (self.plan.rows(), self.plan.columns());
        (metrics.dead_ends, metrics.blind) = self.blind.find(size, &self.headings);
    }

    /// Returns the row and column of the exit if it can be reached.
    fn reachable_exit(&self, exit: Option<usize>) -> Option<(usize, usize)> {
        let exit = exit.map(|at| self.plan.row_and_column(at));
        exit.filter(|&(row, column)| self.reachable.get(row, column))
    }

    fn find_outer(&self, metrics: &mut Metrics) {
        let (rows, columns) = (self.plan.rows(), self.plan.columns());
        if rows < 3 || columns < 3 {
            return;
        }
        // For each side: its first square, the step to its next square, and its length.
        let (bottom, right) = (rows - 2, columns - 2);
        let sides = [
            ((1, 1), (0, 1), right),
            ((bottom, 1), (0, 1), right),
            ((1, 1), (1, 0), bottom),
            ((1, right), (1, 0), bottom),
        ];
        for (begin, step, length) in sides {
            metrics.outer_squares += length as u32;
            let square = |i: usize| (begin.0 + i * step.0, begin.1 + i * step.1);
            let point = |i: usize| Point::new(square(i).0 as i32, square(i).1 as i32);
            let mut first = 0;
            for i in 0..=length {
                let (row, column) = square(i);
                if i < length && self.reachable.get(row, column) {
                    continue;
                }
                if i - first >= OUTER_CORRIDOR as usize {
                    metrics.outer.push(PassageLine {
                        from: point(first),
                        to: point(i - 1),
                    });
                }
                first = i + 1;
            }
        }
    }

    fn find_areas(&mut self, scene: &Scene, entrance: Option<usize>, exit: Option<usize>, metrics: &mut Metrics) {
        let is_placed = scene.rooms.iter().chain(&scene.vaults).any(Ground::is_placed);
        if let Some(exit) = exit.filter(|&exit| is_placed && self.is_reached(exit)) {
            self.search.mark_shortest_paths(&self.plan, exit);
        }
        let mut areas = |grounds: &[Ground]| {
            let areas = grounds.iter();
            let areas = areas.map(|ground| self.find_area(ground, entrance, exit, &metrics.way));
            areas.collect()
        };
        metrics.rooms = areas(&scene.rooms);
        metrics.vaults = areas(&scene.vaults);
    }

    fn find_area(
        &mut self,
        ground: &Ground,
        entrance: Option<usize>,
        exit: Option<usize>,
        way: &[Point],
    ) -> AreaMetrics {
        let rectangles = ground.rectangles(self.plan.size());
        let rows = || {
            rectangles
                .iter()
                .flat_map(|all| all.rows.clone().map(|row| (row, &all.columns)))
        };
        let is_on_way = |row: usize, columns: &Range<usize>| {
            let first = (row + 1) * self.plan.stride + 1;
            self.search.is_any_on_path(first + columns.start..first + columns.end)
        };
        let mut found = AreaMetrics {
            is_placed: ground.is_placed(),
            name: ground.name.clone(),
            reached: rows().any(|(row, columns)| self.reachable.any(row, columns.start, columns.end)),
            crossed: rows().any(|(row, columns)| is_on_way(row, columns)),
            ..AreaMetrics::default()
        };
        // A search is needed only if `way`, one of the shortest paths, crosses the area.
        let is_inside = |at: &Point| rectangles.iter().any(|squares| squares.contains(*at));
        if found.crossed
            && way.iter().any(is_inside)
            && let (Some(entrance), Some(exit)) = (entrance, exit)
        {
            found.needed = self.is_needed(&rectangles, entrance, exit);
        }
        let exit = self.reachable_exit(exit);
        let cuts = self
            .headings
            .iter()
            .filter_map(|lines| lines.cutting_off(&rectangles, exit));
        found.severed_by = cuts.min_by_key(|line| line.length());
        found
    }

    /// Returns whether every path from the entrance to the exit crosses `without`, the rectangles of a room or vault.
    /// The exit must be reachable.
    ///
    /// The search starts at the exit and prefers squares nearer to the entrance. It therefore visits few squares if one
    /// of the shortest paths avoids `without`.
    fn is_needed(&mut self, without: &[Rectangle], entrance: usize, exit: usize) -> bool {
        self.seen.clear();
        self.seen.extend(self.plan.open.iter().map(|open| !open));
        for Rectangle { rows, columns } in without {
            for row in rows.clone() {
                let first = (row + 1) * self.plan.stride + 1;
                self.seen[first + columns.start..first + columns.end].fill(true);
            }
        }
        if self.seen[entrance] || self.seen[exit] {
            return true;
        }
        let steps = self.plan.steps();
        self.seen[exit] = true;
        self.edge.push(exit);
        let mut further = Vec::new();
        while let Some(at) = self.edge.pop().or_else(|| further.pop()) {
            if at == entrance {
                self.edge.clear();
                return false;
            }
            for step in steps {
                let to = at.wrapping_add(step);
                if !std::mem::replace(&mut self.seen[to], true) {
                    let is_nearer = self.search.nearer(at, step).is_some();
                    (if is_nearer { &mut self.edge } else { &mut further }).push(to);
                }
            }
        }
        true
    }
}
