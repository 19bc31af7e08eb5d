//! The simulation: from a valid design to a dungeon, one turn at a time.
//!
//! Pure: no files, clocks, threads, terminals, and no order that depends on a hash. The design and its
//! seed decide everything. [`stage_one`] is stage one (what stands before the first Crawler moves);
//! [`growth`] lets the Builders act and tells an [`Observer`] every [`Event`] as it happens. [`EffectAnalysis`] says which
//! parameters have no effect as a design stands, and [`cautions`] what the manual warns of.

mod bitmap;
mod caution;
mod decision;
mod event;
mod grid;
pub mod growth;
mod no_effect;
pub mod random;
pub mod stage_one;
mod wire;

pub(crate) use bitmap::{copy_on, drop_on};
pub use caution::cautions;
pub use decision::{Decision, ForcedTurnSide, FreeTurnSide, LookAhead, Obstacle, Roll, SideLook};
pub use event::{Birth, BuilderId, BuilderKind, Clock, Death, Event, Observer, Opening, TurnReason, WallRun};
pub use grid::{Grid, Mark, Tile};
pub use growth::{
    BuilderSnapshot, Growth, ITERATIONS_PER_GENERATION, Iteration, Iterations, LookFrom, Options, PredictedOutcome,
    TurnPrediction, age_in,
};
pub use no_effect::{EffectAnalysis, NoEffectReason};
