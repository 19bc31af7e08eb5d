//! A grown dungeon that can be shown as it was after any iteration. For each square on which a Builder laid a tile, a
//! [`Trace`] stores the iteration after which the tile is shown.
//!
//! A [`Trace`] takes four bytes per square plus the grid, however long the growth took, and can show any iteration
//! without replaying events. Views use it to compare two dungeons side by side. It does not contain the Builders; use a
//! [`super::Recording`] to show them.

use crate::engine::{Clock, Event, Grid, Growth, Mark, Observer, Tile};
use crate::geometry::{Point, Size};

/// Marks a square on which no Builder built.
const NEVER: u32 = u32::MAX;

/// An observer that records, for each square, in which iteration a Builder lays a tile on it.
struct Notes {
    size: Size,
    /// Number of the current iteration, counted from 1.
    now: u32,
    laid: Vec<u32>,
}

impl Observer for Notes {
    fn event(&mut self, event: Event) {
        if let Event::Laid { at, before, .. } = event
            && before.is_open()
            && let Some(index) = self.size.index(at)
        {
            self.laid[index] = self.now;
        }
    }

    fn iteration_ended(&mut self, clock: Clock) {
        self.now = clock.iteration.saturating_add(1);
    }
}

/// A grown dungeon, with the iteration after which each tile is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trace {
    grid: Grid,
    laid: Vec<u32>,
    iterations: u32,
}

impl Trace {
    /// Runs a new growth to its end. Polls `goes_on` every 256 turns, and returns `None` when `goes_on` returns
    /// `false`.
    pub fn of(mut growth: Growth, goes_on: impl Fn() -> bool) -> Option<Self> {
        let size = growth.grid().size();
        let mut notes = Notes {
            size,
            now: growth.clock().iteration.saturating_add(1),
            laid: vec![NEVER; size.squares() as usize],
        };
        if !growth.finish_while(&mut notes, goes_on) {
            return None;
        }
        let iterations = growth.clock().iteration;
        Some(Self {
            grid: growth.grid().clone(),
            laid: notes.laid,
            iterations,
        })
    }

    /// Returns the numbers of rows and columns.
    pub const fn size(&self) -> Size {
        self.grid.size()
    }

    /// Returns the number of iterations that the growth took.
    pub const fn iterations(&self) -> u32 {
        self.iterations
    }

    /// Returns the tile on a square after `iteration` iterations, and the mark of its origin. Squares outside the
    /// dungeon are walls.
    pub fn at(&self, at: Point, iteration: u32) -> (Tile, Mark) {
        if let Some(index) = self.grid.size().index(at) {
            let laid = self.laid[index];
            if laid != NEVER && laid > iteration {
                return (Tile::Open, Mark::Design);
            }
        }
        (self.grid.tile(at), self.grid.mark(at))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::design::{CrawlerStart, Design};
    use crate::engine::Options;

    #[test]
    fn every_iteration_is_shown_as_it_grew() {
        let mut design = Design::default();
        design.layout.size = Size::new(40, 50);
        for (at, direction) in [(Point::new(0, 20), 2), (Point::new(39, 30), 4)] {
            design.layout.crawlers.push(CrawlerStart {
                at,
                direction,
                ..CrawlerStart::default()
            });
        }
        let design = design.validate(None).design.unwrap();
        let grow = || Growth::new(&design, Options::default(), &mut ());
        let trace = Trace::of(grow(), || true).unwrap();
        let mut growth = grow();
        let mut compared = 0;
        loop {
            let now = growth.clock().iteration;
            for (x, row) in (0..).zip(growth.grid().rows()) {
                for (y, tile) in (0..).zip(row) {
                    let at = Point::new(x, y);
                    assert_eq!(trace.at(at, now), (tile, growth.grid().mark(at)), "{at} after {now}");
                }
            }
            compared += 1;
            if !growth.iteration(&mut ()) {
                break;
            }
        }
        assert!(compared > 20, "{compared}");
        assert_eq!(trace.iterations(), growth.clock().iteration);
        assert_eq!(trace.at(Point::new(-1, 3), 9), (Tile::Wall, Mark::Design));
        assert_eq!(Trace::of(grow(), || false), None);
    }
}
