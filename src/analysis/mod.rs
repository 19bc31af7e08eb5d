//! What a dungeon is like: judged from its grid, apart from how it was grown.
//!
//! [`Regions`] tells which open squares belong together, and which exits of vaults are cut off. A [`Judge`] finds all
//! [`Figures`] of a dungeon; [`evaluate`] tells what an expression over them comes to; a
//! [`Gist`] is what is kept of one dungeon among thousands. [`contrasts`] tells what two samples differ in by more than
//! chance, [`Luck`] what chance does with each square. Nothing here draws, prints or
//! changes a dungeon.
//!
//! ```
//! use wallcrawler::analysis::{Value, evaluate};
//! use wallcrawler::design::expect;
//! # let design: wallcrawler::Design = include_str!("../../presets/keep.toml").parse()?;
//!
//! let wanted = expect::parse_condition("path > 150 and dead-ends < 40").map_err(|problem| problem.message)?;
//! let good = (0..20).find(|&seed| {
//!     let maze = wallcrawler::Maze::grow(&design, seed);
//!     maze.is_ok_and(|maze| evaluate(&wanted, maze.figures(), &()) == Value::Truth(true))
//! });
//! println!("the first good seed is {good:?}");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod closing;
mod contrast;
mod cover;
mod figures;
mod gist;
mod grown;
mod islands;
mod judge;
mod lines;
mod luck;
mod oddity;
mod plan;
mod regions;
mod row;
mod sample;
mod scene;
mod summary;
pub mod tune;
mod values;
mod widths;

pub use closing::{Closing, closings};
pub use contrast::{Contrast, Difference, SIGNIFICANT, contrasts, holm, kolmogorov_smirnov, mann_whitney};
pub use cover::{Cover, Layer};
pub use figures::{DOMINANT, EnclosedArea, Figures, GroundFigures, Life, OUTER_CORRIDOR};
pub use gist::Gist;
pub use grown::Nursery;
pub use islands::{Island, PILLAR};
pub use judge::Judge;
pub use lines::{DeadEnd, Line, WIDEST_PASSAGE};
pub use luck::{Fate, Luck, LuckTally};
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
