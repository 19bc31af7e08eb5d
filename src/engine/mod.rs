//! The simulation, which grows a dungeon from a valid design, one turn at a time. Its rules are those of DungeonMaker,
//! which the docs of this module call the original program; *the manual* is DungeonMaker's.
//!
//! The simulation is deterministic: the design, its seed and the [`Options`] determine the dungeon. It uses no files,
//! system clocks, threads or terminals, and never iterates in an order that depends on hashes. [`stage_one`] builds
//! everything that exists before the first Crawler moves. [`growth`] executes the turns of the Builders and reports
//! every [`Event`] to an [`Observer`]. [`EffectAnalysis`] finds the parameters that have no effect in a design, and
//! [`cautions`] warns of values that the manual advises against. An [`Intervention`] makes a single change to a run.

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

/// Edition of the rules and of the random draws. All versions of the program with the same edition grow the same
/// dungeon from the same design and seed. `tests/catalog` contains digests of dungeons grown with this edition.
pub const SEED_CATALOG: u32 = 6;
