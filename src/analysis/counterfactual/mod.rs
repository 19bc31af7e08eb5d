//! Counterfactuals: what would be different about a dungeon if one thing in its growth had been different.
//!
//! An [`ObservedRun`] is a finished run. An [`Alternative`] is one thing that might have been different: a Builder that
//! is not born, a parameter that differs by one, a hand-placed tile that is missing, or a roll that comes out the other
//! way. An [`AlternativeGrower`] grows the dungeon with an alternative. Nothing is inferred: each [`Cause`] was found
//! by growing the dungeon with its alternative.
//!
//! Rolls are tried only to explain a tile that a Builder laid: the rolls of this Builder and of its ancestors. All
//! other alternatives are tried, except those that certainly make no difference.
//!
//! ```
//! use wallcrawler::analysis::counterfactual::{AlternativeGrower, ObservedRun};
//! use wallcrawler::engine::Options;
//! use wallcrawler::geometry::Point;
//! # let design: wallcrawler::Design = include_str!("../../../presets/first-steps.toml").parse()?;
//!
//! let design = wallcrawler::design::ValidDesign::try_from(&design)?;
//! let run = ObservedRun::of(&design, Options::default(), || true).ok_or("cancelled")?;
//! let (question, mut grower) = (run.question(Point::new(12, 30)), AlternativeGrower::new(&run));
//! for number in 0..question.alternatives.len() {
//!     if let Ok(Some(cause)) = question.cause(number, &run, &mut grower, || true) {
//!         println!("the square would be different {}", cause.alternative.subject);
//!     }
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod alternative;
mod builder;
mod grower;
mod metric;
mod observed;
mod square;

pub use alternative::{Alternative, AlternativeSubject};
pub use builder::{BuilderEffect, NEAR, WallChanges};
pub use grower::{AlternativeGrower, Stopped};
pub use metric::{Goal, MetricOutcome, MetricQuestion, MetricTester, PAIRED};
pub use observed::{ObservedBuilder, ObservedRun};
pub use square::{Cause, SquareQuestion};

use crate::engine::Grid;

/// Returns the number of squares that are open in one of two dungeons and blocked (by a wall or another tile) in the
/// other.
pub fn walls_between(one: &Grid, other: &Grid) -> u64 {
    let differs = |at: &_| one.tile(*at).is_open() != other.tile(*at).is_open();
    one.differences(other).filter(differs).count() as u64
}
