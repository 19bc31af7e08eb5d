//! Growth: the Builders take their turns until none is left.
//!
//! This module keeps time and order; what a Builder does in its turn is told beside it.

use crate::design::{Diagnostic, ValidDesign};

use super::event::{Clock, Observer};
use super::grid::Grid;
use super::layout::{self, Start};

/// How long a generation lasts (manual: rooms-file page).
pub const ITERATIONS_PER_GENERATION: u32 = 100;

/// Choices of a run that are not part of the design.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// Whether ColumnJumpers are born; otherwise a Crawler is born in a Jumper's place.
    pub columns: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self { columns: true }
    }
}

/// A dungeon in growth.
#[derive(Debug, Clone)]
pub struct Growth {
    design: ValidDesign,
    options: Options,
    grid: Grid,
    starts: Vec<Start>,
    diagnostics: Vec<Diagnostic>,
    clock: Clock,
}

impl Growth {
    /// Stage one is done and its first Crawlers are told to the observer as births; nobody has acted yet.
    pub fn new(design: &ValidDesign, options: Options, _observer: &mut impl Observer) -> Self {
        let built = layout::build(design);
        Self {
            design: design.clone(),
            options,
            grid: built.grid,
            starts: built.starts,
            diagnostics: built.diagnostics,
            clock: Clock::default(),
        }
    }

    /// The dungeon as it stands.
    pub const fn grid(&self) -> &Grid {
        &self.grid
    }

    /// The time.
    pub const fn clock(&self) -> Clock {
        self.clock
    }

    /// What stage one changed or left out.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }

    /// Whether no Builder is left.
    pub fn is_finished(&self) -> bool {
        self.starts.is_empty() || self.design.layout.size.x == 0 || !self.options.columns
    }

    /// One Builder acts. False when none is left.
    pub fn turn(&mut self, _observer: &mut impl Observer) -> bool {
        self.starts.clear();
        false
    }

    /// Every living Builder acts once, or those that have not acted yet in the iteration under way. False
    /// when none is left.
    pub fn iteration(&mut self, observer: &mut impl Observer) -> bool {
        let before = self.clock.iteration;
        while self.clock.iteration == before {
            if !self.turn(observer) {
                return false;
            }
        }
        true
    }

    /// Runs to the end.
    pub fn finish(&mut self, observer: &mut impl Observer) {
        while self.turn(observer) {}
    }
}
