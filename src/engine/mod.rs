//! The simulation: from a valid design to a dungeon, one turn at a time.
//!
//! Pure: no files, clocks, threads, terminals, and no order that depends on a hash. The design and its
//! seed decide everything. [`layout`] is stage one (what stands before the first Crawler moves);
//! [`growth`] lets the Builders act and tells an [`Observer`] every [`Event`] as it happens. [`Idle`] says which
//! parameters have no effect as a design stands, and [`cautions`] what the manual warns of.

mod bits;
mod caution;
pub mod chance;
mod decision;
mod event;
mod grid;
pub mod growth;
mod idle;
pub mod layout;
mod wire;

pub(crate) use bits::{copy_on, drop_on};
pub use caution::cautions;
pub use decision::{Choice, Decision, Leaning, Look, Obstacle, Roll, SideLook};
pub use event::{Birth, BuilderId, Clock, Death, Event, Kind, Observer, Opening, Run, TurnReason};
pub use grid::{Grid, Mark, Tile};
pub use growth::{
    Ahead, Growth, ITERATIONS_PER_GENERATION, Iteration, Iterations, Options, Outlook, Sight, Standing, age_in,
};
pub use idle::{Idle, Idleness};
