//! An iterator that grows a dungeon by one iteration at a time and returns the events of each iteration.

use serde::{Deserialize, Serialize};

use super::Growth;
use crate::engine::{Clock, Event, Grid, Observer, Tile};
use crate::geometry::Point;

/// A finished iteration: every awake Builder has acted once.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Iteration {
    /// Clock after the iteration. Iterations in which all Builders sleep are skipped, so the iteration numbers may have
    /// gaps.
    pub clock: Clock,
    /// Events in order, beginning with those of Builders that wake in this iteration. The first item of [`Iterations`]
    /// lacks these wake events, because the growth reported them before the iterator was created.
    pub events: Vec<Event>,
}

impl Iteration {
    /// Iterates over the tiles that were laid, with their squares.
    pub fn tiles(&self) -> impl Iterator<Item = (Point, Tile)> {
        self.events.iter().filter_map(|event| match *event {
            Event::Laid { at, tile, .. } => Some((at, tile)),
            _ => None,
        })
    }
}

/// The remaining iterations of a growth; each call of `next` runs one of them.
///
/// Each item contains only the events of one iteration. [`grid`](Self::grid) and [`growth`](Self::growth) return
/// references to the state after that iteration. The first Builders are born before the first iteration;
/// [`Growth::starts`] lists them.
///
/// ```
/// use wallcrawler::design::ValidDesign;
/// use wallcrawler::engine::{Growth, Options};
/// # let design: wallcrawler::Design = include_str!("../../../presets/first-steps.toml").parse()?;
///
/// let mut growth = Growth::new(&ValidDesign::try_from(&design)?, Options::default(), &mut ());
/// let mut iterations = growth.iterations();
/// while let Some(iteration) = iterations.next() {
///     for (at, tile) in iteration.tiles() {
///         assert_eq!(iterations.grid().tile(at), tile); // A game would redraw this square.
///     }
/// }
/// assert!(growth.is_finished());
/// # Ok::<(), wallcrawler::InvalidDesign>(())
/// ```
#[derive(Debug)]
pub struct Iterations<'a> {
    growth: &'a mut Growth,
    /// Wake events of the next iteration.
    woken: Vec<Event>,
}

impl<'a> Iterations<'a> {
    pub(super) const fn new(growth: &'a mut Growth) -> Self {
        Self {
            growth,
            woken: Vec::new(),
        }
    }

    /// Returns the growth in its current state.
    pub const fn growth(&self) -> &Growth {
        self.growth
    }

    /// Returns the dungeon in its current state.
    pub const fn grid(&self) -> &Grid {
        self.growth.grid()
    }
}

impl Iterator for Iterations<'_> {
    type Item = Iteration;

    fn next(&mut self) -> Option<Iteration> {
        let mut observed = IterationEvents {
            events: std::mem::take(&mut self.woken),
            over: None,
        };
        if !self.growth.iteration(&mut observed) {
            return None;
        }
        self.woken = observed
            .events
            .split_off(observed.over.unwrap_or(observed.events.len()));
        Some(Iteration {
            clock: self.growth.clock(),
            events: observed.events,
        })
    }
}

/// An observer that collects all events, and records their number at the end of the iteration.
struct IterationEvents {
    events: Vec<Event>,
    over: Option<usize>,
}

impl Observer for IterationEvents {
    fn event(&mut self, event: Event) {
        self.events.push(event);
    }

    fn iteration_ended(&mut self, _: Clock) {
        self.over = Some(self.events.len());
    }
}
