//! Layers that mark the squares to which metrics refer, for display on a map.

use serde::{Deserialize, Serialize};

use super::calculator::MetricsCalculator;
use super::metrics::Metrics;
use super::parts::MetricParts;
use crate::geometry::{Point, Size};

/// The kind of a layer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LayerKind {
    /// A shortest path from the entrance to the exit, [`Metrics::way`].
    Way,
    /// The squares reachable from the entrance, on which a game may place objects.
    Reached,
    /// The enclosed areas, numbered as in [`Metrics::enclosed`].
    Enclosed,
    /// The dead ends, numbered as in [`Metrics::dead_ends`].
    DeadEnds,
    /// The first open block of each junction, numbered as in [`Metrics::junctions`].
    Junctions,
    /// The corridors along the outer wall, numbered as in [`Metrics::outer`].
    Outer,
    /// The passage width at each square; widths above 32 count as 32.
    Widths,
    /// The size of the area visible from each reachable square, in twelfths of the largest such area, rounded up.
    VisibleArea,
    /// The squares that are visible from the path to the exit.
    Seen,
    /// The choke points.
    ChokePoints,
    /// The walk of the explorer with seed 0 until it sees the exit. The number of a square is the position of its first
    /// visit, in twelfths of the walk, rounded up.
    Walk,
}

impl LayerKind {
    /// All kinds.
    pub const ALL: [Self; 11] = [
        Self::Way,
        Self::Reached,
        Self::Enclosed,
        Self::DeadEnds,
        Self::Junctions,
        Self::Outer,
        Self::Widths,
        Self::VisibleArea,
        Self::Seen,
        Self::ChokePoints,
        Self::Walk,
    ];

    /// Returns the parts of the metrics that the layer needs in addition to the standard parts.
    pub const fn parts(self) -> MetricParts {
        match self {
            Self::VisibleArea | Self::Seen | Self::ChokePoints | Self::Walk => MetricParts::SIGHT,
            _ => MetricParts::NONE,
        }
    }
}

/// A layer with a number for each square of a dungeon.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SquareLayer {
    size: Size,
    /// Numbers of the squares, row by row; 0 for squares that the layer does not mark.
    numbers: Vec<u16>,
}

impl SquareLayer {
    fn new(size: Size) -> Self {
        Self {
            size,
            numbers: vec![0; size.squares() as usize],
        }
    }

    /// Returns the number of a square; `None` if the square is outside the dungeon or the layer does not mark it.
    /// Depending on the layer, the number is 1 for every marked square, a position (from 1) in one of the lists of
    /// [`Metrics`], a width, or a number of twelfths; see [`LayerKind`].
    pub fn number(&self, at: Point) -> Option<u16> {
        let number = self.size.index(at).map(|index| self.numbers[index]);
        number.filter(|number| *number > 0)
    }

    /// Returns the number of rows and columns.
    pub const fn size(&self) -> Size {
        self.size
    }

    fn put(&mut self, at: Point, number: usize) {
        if let Some(index) = self.size.index(at) {
            self.numbers[index] = u16::try_from(number).unwrap_or(u16::MAX);
        }
    }
}

impl MetricsCalculator {
    /// Returns the squares of a layer in the dungeon that was measured last. `metrics` must be the metrics of that
    /// dungeon.
    pub fn cover(&mut self, layer: LayerKind, metrics: &Metrics) -> SquareLayer {
        let mut cover = SquareLayer::new(self.plan.size());
        match layer {
            LayerKind::Way => metrics.way.iter().for_each(|&at| cover.put(at, 1)),
            LayerKind::Reached => {
                for at in self.search.reached() {
                    cover.put(self.plan.point(at), 1);
                }
            }
            LayerKind::Enclosed => {
                self.seen.clear();
                self.seen.extend(self.plan.open.iter().map(|open| !open));
                for (number, area) in (1..).zip(&metrics.enclosed) {
                    self.flood(area.at, |at| cover.put(at, number));
                }
            }
            LayerKind::DeadEnds => self.cover_ends(metrics, &mut cover),
            LayerKind::Junctions => {
                for (number, junction) in (1..).zip(&metrics.junctions) {
                    let width = junction.width as i32;
                    for (x, y) in (0..width).flat_map(|x| (0..width).map(move |y| (x, y))) {
                        cover.put(Point::new(junction.at.x + x, junction.at.y + y), number);
                    }
                }
            }
            LayerKind::Outer => {
                for (number, line) in (1..).zip(&metrics.outer) {
                    line.squares().for_each(|at| cover.put(at, number));
                }
            }
            LayerKind::Widths => {
                let mut put = |x, y, width| cover.put(Point::new(x as i32, y as i32), width);
                self.widths.each(&self.shape, &mut put);
            }
            LayerKind::VisibleArea | LayerKind::Seen | LayerKind::ChokePoints | LayerKind::Walk => {
                self.cover_sight(layer, metrics, &mut cover);
            }
        }
        cover
    }

    /// Marks the squares of a layer that belongs to the sight metrics.
    fn cover_sight(&mut self, layer: LayerKind, metrics: &Metrics, cover: &mut SquareLayer) {
        if !self.sight.load(&self.plan.bits, &self.reachable) {
            return;
        }
        let point = |(row, column): (usize, usize)| Point::new(row as i32, column as i32);
        match layer {
            LayerKind::VisibleArea => {
                let mut areas = Vec::new();
                self.sight.each_area(|at, area| areas.push((point(at), area)));
                let most = areas.iter().map(|(_, area)| *area).max().unwrap_or(1);
                for (at, area) in areas {
                    cover.put(at, (u64::from(area) * 12).div_ceil(u64::from(most)) as usize);
                }
            }
            LayerKind::Seen => {
                let way = self.numbers(&metrics.way);
                self.sight.seen_from(&way);
                self.sight
                    .each_seen(|square| cover.put(point(self.sight.place(square)), 1));
            }
            LayerKind::Walk => {
                let way = self.numbers(&metrics.way);
                let (Some(&from), Some(&to)) = (way.first(), way.last()) else {
                    return;
                };
                let walk = self.sight.walk(&[from], Some(to), 0);
                for (step, &square) in walk.iter().enumerate().rev() {
                    let twelfths = ((step + 1) * 12).div_ceil(walk.len());
                    cover.put(point(self.sight.place(square)), twelfths);
                }
            }
            _ => self.sight.each_choke(|at| cover.put(point(at), 1)),
        }
    }

    /// Marks the mouth of each dead end and the squares beyond it, on the side away from the entrance.
    fn cover_ends(&mut self, metrics: &Metrics, cover: &mut SquareLayer) {
        self.plan.bytes_of(&self.shape, &mut self.seen);
        self.seen.iter_mut().for_each(|open| *open = !*open);
        let exit = metrics.exit.and_then(|at| self.plan.index(at));
        for (number, end) in (1..).zip(&metrics.dead_ends) {
            let mouth: Vec<usize> = end.mouth.squares().filter_map(|at| self.plan.index(at)).collect();
            let mut closed: Vec<usize> = Vec::new();
            for &at in &mouth {
                if !std::mem::replace(&mut self.seen[at], true) {
                    closed.push(at);
                }
            }
            let along = usize::from(end.mouth.from.x != end.mouth.to.x);
            // A mouth of one square may lie along either axis.
            let headings: &[usize] = match end.mouth.length() {
                1 => &[0, 1],
                _ if along == 1 => &[1],
                _ => &[0],
            };
            let steps = self.plan.steps();
            let sides = headings
                .iter()
                .flat_map(|&heading| [steps[heading], steps[heading + 2]]);
            // The parts beside the mouth are examined one by one, because several may touch the same side of it.
            for from in sides.flat_map(|step| mouth.iter().map(move |&at| at.wrapping_add(step))) {
                let inside = self.beyond(from, end.squares as usize);
                for &at in &inside {
                    self.seen[at] = false;
                }
                // Returns the smallest distance from the entrance. Squares of pillars have no distance and are
                // ignored.
                let nearest = |squares: &[usize]| {
                    let steps = squares.iter().filter_map(|&at| self.search.steps(at));
                    steps.min()
                };
                let is_dead_end = inside.len() == end.squares as usize
                    && nearest(&inside) > nearest(&mouth)
                    && !exit.is_some_and(|exit| inside.contains(&exit));
                // Another dead end of the same size may have the same mouth.
                let is_marked = |&at: &usize| cover.number(self.plan.point(at)).is_some();
                if is_dead_end && !inside.iter().all(is_marked) {
                    for &at in &inside {
                        cover.put(self.plan.point(at), number);
                    }
                    break;
                }
            }
            for &at in &mouth {
                cover.put(self.plan.point(at), number);
            }
            for at in closed {
                self.seen[at] = false;
            }
        }
    }

    /// Returns the squares connected with `from`. Stops early if there are more than `most`.
    fn beyond(&mut self, from: usize, most: usize) -> Vec<usize> {
        let mut inside = Vec::new();
        if !std::mem::replace(&mut self.seen[from], true) {
            inside.push(from);
        }
        let steps = self.plan.steps();
        let mut next = 0;
        while next < inside.len() && inside.len() <= most {
            for step in steps {
                let to = inside[next].wrapping_add(step);
                if !std::mem::replace(&mut self.seen[to], true) {
                    inside.push(to);
                }
            }
            next += 1;
        }
        inside
    }

    /// Visits the squares connected with `from` that were not visited before.
    fn flood(&mut self, from: Point, mut visit: impl FnMut(Point)) {
        let Some(first) = self.plan.index(from).filter(|at| !self.seen[*at]) else {
            return;
        };
        let steps = self.plan.steps();
        self.seen[first] = true;
        self.edge.push(first);
        while let Some(at) = self.edge.pop() {
            visit(self.plan.point(at));
            for step in steps {
                let to = at.wrapping_add(step);
                if !std::mem::replace(&mut self.seen[to], true) {
                    self.edge.push(to);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::Scene;
    use crate::engine::{Grid, Growth, Mark, Options, Tile};
    use crate::presets::Preset;

    /// Returns a dungeon from a drawing that includes the outer wall.
    fn grid(rows: &[&str]) -> Grid {
        let mut grid = Grid::new(Size::new(rows.len() as i32, rows[0].len() as i32));
        for (x, row) in (0..).zip(rows) {
            for (y, sign) in (0..).zip(row.chars()) {
                let tile = if sign == '#' { Tile::Wall } else { Tile::Open };
                grid.set(Point::new(x, y), tile, Mark::Design);
            }
        }
        grid
    }

    fn drawn(grid: &Grid, layer: LayerKind) -> String {
        let mut calculator = MetricsCalculator::new();
        let metrics = calculator.measure(grid, &Scene::default());
        let cover = calculator.cover(layer, &metrics);
        let size = grid.size();
        let sign = |at: Point| match (cover.number(at), grid.tile(at).is_open()) {
            (Some(number), _) => char::from_digit(u32::from(number), 36).unwrap(),
            (None, true) => '.',
            (None, false) => '#',
        };
        let row = |x: i32| (0..size.y).map(|y| sign(Point::new(x, y))).collect::<String>();
        (0..size.x).map(row).collect::<Vec<_>>().join("\n")
    }

    const HAND: [&str; 9] = [
        "##############",
        "#......#.....#",
        "#......#.....#",
        "####.###..####",
        "#......#..#..#",
        "#.####.######.",
        "#.#..........#",
        "#.#..........#",
        "##############",
    ];

    #[test]
    fn layers_of_a_drawn_dungeon() {
        let grid = grid(&HAND);
        let all = LayerKind::ALL.map(|layer| format!("{layer:?}\n{}", drawn(&grid, layer)));
        insta::assert_snapshot!(all.join("\n\n"));
    }

    /// Returns the layer of the dead ends, and their sizes, in a dungeon of these open rectangles, each given by its
    /// first and its last square.
    fn dead_ends(open: &[[Point; 2]], entrance: Point, exit: Point) -> (SquareLayer, Vec<u32>) {
        let mut grid = Grid::new(Size::new(29, 29));
        for x in 0..29 {
            for y in 0..29 {
                let is_in = |[from, to]: &[Point; 2]| (from.x..=to.x).contains(&x) && (from.y..=to.y).contains(&y);
                if !open.iter().any(is_in) {
                    grid.set(Point::new(x, y), Tile::Wall, Mark::Design);
                }
            }
        }
        let scene = Scene {
            entrance: Some(entrance),
            exit: Some(exit),
            ..Scene::default()
        };
        let mut calculator = MetricsCalculator::new();
        let metrics = calculator.measure(&grid, &scene);
        let sizes = metrics.dead_ends.iter().map(|end| end.squares).collect();
        (calculator.cover(LayerKind::DeadEnds, &metrics), sizes)
    }

    #[test]
    fn dead_ends_are_marked_although_another_part_touches_their_mouth_on_the_same_side() {
        let at = Point::new;
        // Two halls, which a wall separates, and below them a line of three squares that touches both.
        let [left, right] = [[at(1, 1), at(13, 13)], [at(1, 15), at(13, 27)]];
        let line = [at(14, 13), at(14, 15)];
        // The entrance and the exit are in the left hall.
        let (cover, sizes) = dead_ends(&[left, right, line], at(1, 1), at(13, 1));
        assert_eq!(sizes, [169]);
        let numbers = [at(1, 15), at(13, 27), at(14, 14), at(13, 13)].map(|at| cover.number(at));
        assert_eq!(numbers, [Some(1), Some(1), Some(1), None]);
        // Both halls are dead ends: the entrance and the exit are in a third hall, below the line.
        let below = [at(15, 1), at(27, 27)];
        let (cover, sizes) = dead_ends(&[left, right, line, below], at(27, 1), at(27, 27));
        assert_eq!(sizes, [169, 169]);
        let numbers = [at(1, 1), at(13, 13), at(1, 15), at(13, 27)].map(|at| cover.number(at));
        assert_eq!(numbers, [Some(1), Some(1), Some(2), Some(2)]);
        // The exit is in the left hall, which is as large as the dead end.
        let (cover, sizes) = dead_ends(&[left, right, line, below], at(27, 1), at(1, 1));
        assert_eq!(sizes, [169]);
        let numbers = [at(1, 1), at(13, 13), at(1, 15), at(13, 27)].map(|at| cover.number(at));
        assert_eq!(numbers, [None, None, Some(1), Some(1)]);
    }

    #[test]
    fn covers_agree_with_the_metrics_of_grown_dungeons() {
        for preset in ["ammonite", "catacombs", "sunken-city", "pilgrimage"] {
            let design = Preset::find(preset).unwrap().design().validate(None).design.unwrap();
            let mut growth = Growth::new(&design, Options::default(), &mut ());
            growth.finish(&mut ());
            let mut calculator = MetricsCalculator::new();
            let metrics = calculator.measure(growth.grid(), &Scene::new(&design));
            let size = growth.grid().size();
            let mut count = |layer: LayerKind| {
                let cover = calculator.cover(layer, &metrics);
                size.points()
                    .filter_map(|at| cover.number(at))
                    .fold(Vec::new(), |mut counts, number| {
                        let index = usize::from(number) - 1;
                        counts.resize(counts.len().max(index + 1), 0_u32);
                        counts[index] += 1;
                        counts
                    })
            };
            assert_eq!(count(LayerKind::Way).first().copied(), Some(metrics.way.len() as u32));
            assert_eq!(count(LayerKind::Reached), [metrics.squares], "{preset}");
            let enclosed: Vec<u32> = metrics.enclosed.iter().map(|area| area.squares).collect();
            assert_eq!(count(LayerKind::Enclosed), enclosed, "{preset}");
            assert_eq!(count(LayerKind::Widths), metrics.widths, "{preset}");
            // A mouth may lie inside another dead end, so a layer may mark more squares than the metrics count.
            let ends = count(LayerKind::DeadEnds);
            let least: u32 = metrics.dead_ends.iter().map(|end| end.squares).sum();
            assert!(ends.iter().sum::<u32>() >= least, "{preset} {ends:?}");
            assert_eq!(ends.len(), metrics.dead_ends.len(), "{preset}");
        }
    }
}
