//! What a dungeon is like: judged from its grid, apart from how it was grown.
//!
//! [`Regions`] tells which open squares belong together, and which exits of vaults are cut off. Nothing here
//! draws, prints or changes a dungeon.

mod regions;

pub use regions::{Region, Regions, cut_off};
