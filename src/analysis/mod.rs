//! What a dungeon is like: judged from its grid, apart from how it was grown.
//!
//! [`Regions`] tells which open squares belong together, and which exits of vaults are cut off. A [`Judge`] finds all
//! [`Figures`] of a dungeon; [`evaluate`] tells what an expression over them comes to. Nothing here draws, prints or
//! changes a dungeon.

mod closing;
mod cover;
mod figures;
mod grown;
mod islands;
mod judge;
mod lines;
mod oddity;
mod plan;
mod regions;
mod row;
mod sample;
mod scene;
mod summary;
mod values;
mod widths;

pub use closing::{Closing, closings};
pub use cover::{Cover, Layer};
pub use figures::{DOMINANT, EnclosedArea, Figures, GroundFigures, Life, OUTER_CORRIDOR};
pub use grown::Nursery;
pub use islands::{Island, PILLAR};
pub use judge::Judge;
pub use lines::{DeadEnd, Line, WIDEST_PASSAGE};
pub use oddity::Oddity;
pub use regions::{Region, Regions, cut_off};
pub use row::{Cell, Column, STATES, columns, row};
pub use sample::{Sample, Verdict, decimal, expectations};
pub use scene::{Ground, Scene};
pub use summary::{Shown, Summary, Tally};
pub use values::{Known, KnownOver, Value, evaluate, margin};
pub use widths::{Junction, MOST_WIDTH};

#[cfg(test)]
mod brute;
#[cfg(test)]
mod tests;
