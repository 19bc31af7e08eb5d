//! Vaults: hand-made maps in the language of Dungeon Crawl Stone Soup's level files.
//!
//! A level file's bytes become maps with their Lua, a map and a seed become a grid of features, and grids
//! are checked, counted and joined into a dungeon. Coordinates are those of the language: `x` is the
//! column, `y` the row, both from 0 at the left top; a space is no part of a map. Nothing here
//! reads files, only the sandbox of Lua reads the clock, to end what runs away, and what monsters and
//! items mean is left to the game.

pub mod connect;
pub mod dice;
pub mod glyphs;
pub mod library;
#[cfg(feature = "vaults")]
pub mod lua;
pub mod map;
pub mod paint;
pub mod place;
pub mod portals;
pub mod source;
pub mod spec;
pub mod stats;
pub mod summary;
pub mod world;

pub use library::{Library, MapId};
pub use map::{Resolved, ResolvedCell};
pub use world::World;
