//! A walk through a dungeon, directed by the user or by an explorer, and the squares seen during it.
//!
//! The walker sees the squares that the sight metrics count as visible, and the walls beside them. The *floor* of a
//! dungeon consists of the squares that can be reached from the entrance; these squares are numbered. A walk is a list
//! of squares with a current moment, an index in this list. The user can move the current moment back and forth; a
//! step by hand replaces all squares after the current moment.

use thiserror::Error;

use super::calculator::MetricsCalculator;
use super::parts::MetricParts;
use super::scene::Scene;
use super::sight::{LARGEST_FLOOR, Sight};
use crate::engine::Grid;
use crate::geometry::{Forward, Point, Size};
use crate::text::thousands;

/// Largest number of squares that a dungeon may have for a walk to begin in it.
pub const LARGEST_WALK: u64 = 1 << 18;

const NOT_SEEN: u32 = u32::MAX;

/// The reason why no walk can begin in a dungeon.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum NoWalk {
    /// The dungeon or its reachable part has too many squares.
    #[error(
        "this dungeon is too large for a walk: it may have at most {} squares, {} of them reachable",
        thousands(LARGEST_WALK),
        thousands(LARGEST_FLOOR.into())
    )]
    TooLarge,
    /// No square is open, or the entrance is a wall or outside the dungeon.
    #[error("no walk can begin: no square is open, or the entrance is a wall or outside the dungeon")]
    NoEntrance,
}

/// A walk and its current moment, which is stored as the number of steps taken until then.
#[derive(Debug)]
pub struct Walk {
    size: Size,
    sight: Sight,
    exit: Option<u32>,
    /// Numbers of the squares of the walk: the start, then the square that each step leads to.
    squares: Vec<u32>,
    /// Number of squares seen up to the end of each step, with the start as step 0.
    seen: Vec<u32>,
    /// Step after which each square of the floor was first seen; `NOT_SEEN` if it was not.
    first_seen: Vec<u32>,
    step: usize,
    /// Whether each square of the floor is in sight at the current moment.
    in_sight: Vec<bool>,
}

impl Walk {
    /// Begins a walk at the entrance of a dungeon.
    ///
    /// # Errors
    ///
    /// Fails if the dungeon is too large or has no open entrance.
    pub fn new(grid: &Grid, scene: &Scene) -> Result<Self, NoWalk> {
        if grid.size().squares() > LARGEST_WALK {
            return Err(NoWalk::TooLarge);
        }
        let mut calculator = MetricsCalculator::new();
        let metrics = calculator.measure_parts(grid, scene, MetricParts::PATH.and(MetricParts::REACHED));
        let mut sight = Sight::default();
        if !sight.load(&calculator.plan.bits, &calculator.reachable) {
            return Err(NoWalk::NoEntrance);
        }
        if sight.len() > LARGEST_FLOOR {
            return Err(NoWalk::TooLarge);
        }
        let number = |at: Option<Point>| at.and_then(|at| sight.find((at.x as usize, at.y as usize)));
        let start = number(metrics.entrance).ok_or(NoWalk::NoEntrance)?;
        let mut walk = Self {
            size: grid.size(),
            exit: number(metrics.exit),
            squares: Vec::new(),
            seen: Vec::new(),
            first_seen: vec![NOT_SEEN; sight.len() as usize],
            step: 0,
            in_sight: Vec::new(),
            sight,
        };
        walk.push(start);
        walk.go_to(0);
        Ok(walk)
    }

    /// Returns the number of steps taken up to the current moment.
    pub const fn step(&self) -> usize {
        self.step
    }

    /// Returns the number of steps of the whole walk.
    pub const fn steps(&self) -> usize {
        self.squares.len().saturating_sub(1)
    }

    /// Returns the square of the walker at the current moment.
    pub fn at(&self) -> Point {
        let (row, column) = self.sight.place(self.squares[self.step]);
        Point::new(row as i32, column as i32)
    }

    /// Returns the share of the floor seen after a number of steps, from 0 to 1.
    pub fn share_seen(&self, step: usize) -> f64 {
        let seen = self.seen[step.min(self.steps())];
        f64::from(seen) / f64::from(self.sight.len().max(1))
    }

    /// Returns the step after which the exit was first in sight; `None` if it was not seen on this walk, or no path
    /// leads to it.
    pub fn found(&self) -> Option<usize> {
        let step = self.first_seen[self.exit? as usize];
        (step != NOT_SEEN).then_some(step as usize)
    }

    /// Returns whether a square was seen at or before the current moment. A square outside the floor counts as seen if
    /// one of its neighbours on the floor, diagonal ones included, has been seen.
    pub fn is_known(&self, at: Point) -> bool {
        let is_seen = |at: Point| {
            let number = self.number(at);
            number.is_some_and(|number| self.first_seen[number as usize] as usize <= self.step)
        };
        match self.number(at) {
            Some(_) => is_seen(at),
            None => (-1..=1)
                .flat_map(|x| (-1..=1).map(move |y| Point::new(at.x + x, at.y + y)))
                .any(is_seen),
        }
    }

    /// Returns whether a square of the floor is in sight at the current moment.
    pub fn is_in_sight(&self, at: Point) -> bool {
        self.number(at).is_some_and(|number| self.in_sight[number as usize])
    }

    /// Goes to the moment after a number of steps, or to the end of the walk if it has fewer steps.
    pub fn go_to(&mut self, step: usize) {
        self.step = step.min(self.steps());
        self.in_sight.clear();
        self.in_sight.resize(self.first_seen.len(), false);
        let in_sight = &mut self.in_sight;
        self.sight
            .each_seen_by(self.squares[self.step], |square| in_sight[square as usize] = true);
    }

    /// Takes a step by hand, which drops all later steps of the walk. Does nothing and returns `false` if the square
    /// ahead is not open.
    pub fn walk(&mut self, forward: Forward) -> bool {
        let to = self.number(self.at().step(forward, 1));
        if let Some(to) = to {
            self.forget_rest();
            self.push(to);
            self.go_to(self.steps());
        }
        to.is_some()
    }

    /// Continues the walk from its end with the steps of the explorer with seed 0, until the exit is in sight. If no
    /// path leads to the exit, or if the exit has already been in sight, continues until the whole floor has been seen.
    /// The current moment does not change. Returns whether any step was added.
    pub fn explore(&mut self) -> bool {
        let before = self.squares.len();
        let to = self.exit.filter(|_| self.found().is_none());
        for square in self.sight.walk(&self.squares, to, 0).split_off(before) {
            self.push(square);
        }
        self.squares.len() > before
    }

    /// Returns the number that identifies a square of the floor; `None` if the square is not part of the floor.
    fn number(&self, at: Point) -> Option<u32> {
        self.size
            .contains(at)
            .then(|| self.sight.find((at.x as usize, at.y as usize)))
            .flatten()
    }

    /// Adds a square to the end of the walk.
    fn push(&mut self, square: u32) {
        let step = self.squares.len() as u32;
        let (first_seen, mut seen) = (&mut self.first_seen, self.seen.last().copied().unwrap_or(0));
        self.sight.each_seen_by(square, |other| {
            if first_seen[other as usize] == NOT_SEEN {
                first_seen[other as usize] = step;
                seen += 1;
            }
        });
        self.squares.push(square);
        self.seen.push(seen);
    }

    /// Drops all steps after the current moment.
    fn forget_rest(&mut self) {
        self.squares.truncate(self.step + 1);
        self.seen.truncate(self.step + 1);
        for first in &mut self.first_seen {
            if *first as usize > self.step {
                *first = NOT_SEEN;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::LayerKind;
    use crate::engine::{Growth, Mark, Options, Tile};
    use crate::presets::Preset;

    fn drawn(rows: &[&str]) -> Grid {
        let mut grid = Grid::new(Size::new(rows.len() as i32, rows[0].len() as i32));
        for (x, row) in (0..).zip(rows) {
            for (y, sign) in (0..).zip(row.chars()) {
                let tile = if sign == '#' { Tile::Wall } else { Tile::Open };
                grid.set(Point::new(x, y), tile, Mark::Design);
            }
        }
        grid
    }

    fn known(walk: &Walk) -> String {
        let sign = |at: Point| match (walk.is_in_sight(at), walk.is_known(at)) {
            _ if walk.at() == at => '@',
            (true, _) => '.',
            (false, true) if walk.number(at).is_some() => ':',
            (false, true) => '#',
            (false, false) => ' ',
        };
        let row = |x: i32| (0..walk.size.y).map(|y| sign(Point::new(x, y))).collect::<String>();
        (0..walk.size.x).map(row).collect::<Vec<_>>().join("\n")
    }

    const BEND: [&str; 6] = [
        "#########",
        "#.......#",
        "#.#####.#",
        "#.#...#.#",
        "#.#.###.#",
        "#########",
    ];

    #[test]
    fn a_walk_shows_seen_squares_and_the_walls_beside_them() {
        let mut walk = Walk::new(&drawn(&BEND), &Scene::default()).unwrap();
        let start = known(&walk);
        assert_eq!(
            start,
            "#########\n#@......#\n#.##### #\n#.#      \n#.#      \n###      "
        );
        for _ in 0..6 {
            assert!(walk.walk(Forward::East));
        }
        assert!(!walk.walk(Forward::East), "a wall is ahead");
        assert_eq!(
            known(&walk),
            "#########\n#......@#\n#:#####.#\n#:#   #.#\n#:#   #.#\n###   ###"
        );
        assert_eq!(walk.found(), Some(6));
        walk.go_to(0);
        assert_eq!(known(&walk), start);
        assert!(
            walk.walk(Forward::South),
            "a step by hand replaces the rest of the walk"
        );
        assert_eq!((walk.step(), walk.steps(), walk.found()), (1, 1, None));
    }

    #[test]
    fn an_explorer_takes_the_walk_of_the_layer_until_the_exit_is_in_sight() {
        for preset in ["catacombs", "first-steps", "weave"] {
            let design = Preset::find(preset).unwrap().design().validate(None).design.unwrap();
            let mut growth = Growth::new(&design, Options::default(), &mut ());
            growth.finish(&mut ());
            let scene = Scene::new(&design);
            let mut walk = Walk::new(growth.grid(), &scene).unwrap();
            assert!(walk.explore());
            let mut calculator = MetricsCalculator::new();
            let parts = MetricParts::STANDARD.and(LayerKind::Walk.parts());
            let metrics = calculator.measure_parts(growth.grid(), &scene, parts);
            let cover = calculator.cover(LayerKind::Walk, &metrics);
            for step in 0..=walk.steps() {
                walk.go_to(step);
                assert!(cover.number(walk.at()).is_some(), "{preset}, step {step}");
            }
            assert_eq!(walk.found(), Some(walk.steps()), "{preset}");
            assert!(walk.explore(), "{preset}: the rest of the dungeon");
            assert!((walk.share_seen(walk.steps()) - 1.0).abs() < 1e-9, "{preset}");
            assert!(!walk.explore(), "{preset}");
        }
    }

    #[test]
    fn an_explorer_that_continues_a_walk_by_hand_skips_seen_squares() {
        let mut walk = Walk::new(&drawn(&BEND), &Scene::default()).unwrap();
        assert!(walk.walk(Forward::South));
        assert!(walk.explore());
        assert_eq!((walk.step(), walk.found()), (1, Some(walk.steps())));
        // The explorer goes North again, then East to the bend. It does not explore the squares seen during the walk
        // by hand.
        assert_eq!(walk.steps(), 1 + 1 + 6);
    }

    #[test]
    fn no_walk_begins_in_a_wall_or_in_a_huge_dungeon() {
        let scene = Scene {
            entrance: Some(Point::new(0, 0)),
            ..Scene::default()
        };
        assert_eq!(Walk::new(&drawn(&BEND), &scene).err(), Some(NoWalk::NoEntrance));
        assert_eq!(
            Walk::new(&drawn(&["###", "###", "###"]), &Scene::default()).err(),
            Some(NoWalk::NoEntrance)
        );
        let hall = Grid::new(Size::new(300, 300));
        assert_eq!(Walk::new(&hall, &Scene::default()).err(), Some(NoWalk::TooLarge));
    }
}
