//! The simulation: from a valid design to a dungeon, one turn at a time.
//!
//! Pure: no files, system clocks, threads or terminals, and no iteration order that depends on a hash. The design and
//! its seed determine everything. [`stage_one`] builds everything that exists before the first Crawler moves;
//! [`growth`] lets the Builders act and reports every [`Event`] to an [`Observer`]. [`EffectAnalysis`] finds the
//! parameters that have no effect in a design, and [`cautions`] returns the manual's warnings. An [`Intervention`]
//! changes one thing in a run.

mod bitmap;
mod caution;
mod decision;
mod event;
mod grid;
pub mod growth;
mod intervention;
mod no_effect;
mod observer;
pub mod random;
pub mod schedule;
pub mod stage_one;
mod wire;

pub use caution::cautions;
pub use decision::{Decision, ForcedTurnSide, FreeTurnSide, LookAhead, Obstacle, Roll, SideLook};
pub use event::{Birth, BuilderId, BuilderKind, Clock, Death, Event, Opening, TurnReason, WallRun};
pub use grid::{Grid, Mark, Tile};
pub use growth::{
    BuilderSnapshot, Growth, ITERATIONS_PER_GENERATION, Iteration, Iterations, LookFrom, Options, PredictedOutcome,
    SeedGrower, TurnPrediction, age_in,
};
pub use intervention::{Intervention, RollKind};
pub use no_effect::{EffectAnalysis, NoEffectReason, why_same};
pub use observer::Observer;

/// Edition of the rules and random draws: the same design and seed make the same dungeon in all versions of the program
/// with the same edition. `tests/catalog` has digests of dungeons of this edition.
pub const SEED_CATALOG: u32 = 6;
