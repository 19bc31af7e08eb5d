//! Growth as an iterator: iteration by iteration, with what happened in each.

use serde::{Deserialize, Serialize};

use super::Growth;
use crate::engine::{Clock, Event, Grid, Observer, Tile};
use crate::geometry::Point;

/// One iteration that is over: every waking Builder has acted once.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Iteration {
    /// The time after it. Time jumps over iterations in which all sleep, so that numbers may be left out.
    pub clock: Clock,
    /// What happened, in order. Who wakes does so at the beginning of an iteration.
    pub events: Vec<Event>,
}

impl Iteration {
    /// The tiles that were laid, with their squares.
    pub fn tiles(&self) -> impl Iterator<Item = (Point, Tile)> {
        self.events.iter().filter_map(|event| match *event {
            Event::Laid { at, tile, .. } => Some((at, tile)),
            _ => None,
        })
    }
}

/// The iterations that are left of a growth, which goes on with each that is asked for.
///
/// What an item tells is what changed; the whole state after it is that of [`grid`](Self::grid) and
/// [`growth`](Self::growth), which are borrowed and copy nothing. What happened before the first iteration is the birth
/// of the first Crawlers: [`Growth::starts`].
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
///         assert_eq!(iterations.grid().tile(at), tile); // What a game would draw anew.
///     }
/// }
/// assert!(growth.is_finished());
/// # Ok::<(), wallcrawler::Unusable>(())
/// ```
#[derive(Debug)]
pub struct Iterations<'a> {
    growth: &'a mut Growth,
    /// Who woke for the iteration that comes next.
    woken: Vec<Event>,
}

impl<'a> Iterations<'a> {
    pub(super) const fn new(growth: &'a mut Growth) -> Self {
        Self {
            growth,
            woken: Vec::new(),
        }
    }

    /// The growth as it stands now.
    pub const fn growth(&self) -> &Growth {
        self.growth
    }

    /// The dungeon as it stands now.
    pub const fn grid(&self) -> &Grid {
        self.growth.grid()
    }
}

impl Iterator for Iterations<'_> {
    type Item = Iteration;

    fn next(&mut self) -> Option<Iteration> {
        let mut heard = IterationEvents {
            events: std::mem::take(&mut self.woken),
            over: None,
        };
        if !self.growth.iteration(&mut heard) {
            return None;
        }
        self.woken = heard.events.split_off(heard.over.unwrap_or(heard.events.len()));
        Some(Iteration {
            clock: self.growth.clock(),
            events: heard.events,
        })
    }
}

/// An observer that keeps all events, and how many there were when the iteration was over.
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
