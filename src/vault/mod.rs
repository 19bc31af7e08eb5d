//! Vaults: hand-made maps in the language of Dungeon Crawl Stone Soup's level files.
//!
//! This module parses level files into maps with their Lua code, uses a seed to resolve a map to a grid of features,
//! checks grids and computes their statistics, and places them in a dungeon. Coordinates are those of the language: `x`
//! is the column, `y` the row, both from 0 at the top left. A space marks a cell that is not part of the map. Nothing
//! here accesses the file system. Only the Lua sandbox reads the clock, to stop runaway code. The module does not
//! interpret monsters and items; that is left to the game.
//!
//! An example that needs the Cargo feature `vaults`, which adds Lua:
//!
#![cfg_attr(feature = "vaults", doc = "```")]
#![cfg_attr(not(feature = "vaults"), doc = "```ignore")]
//! use wallcrawler::vault::lua::{RuntimeOptions, ResolveOutcome, Runtime};
//! use wallcrawler::vault::{Library, VaultWorld, source};
//!
//! let file = source::read("cell.des", b"NAME: cell\nMAP\nxxxxx\nx...x\nx.+.@\nxxxxx\nENDMAP\n");
//! let runtime = Runtime::new(Library::new(vec![file]).into(), RuntimeOptions::default())?;
//! let map = runtime.library().by_name("cell").ok_or("no such map")?;
//! if let ResolveOutcome::Resolved(cell) = runtime.resolve(map, &VaultWorld::default(), 7) {
//!     println!("{} × {}, {} exits", cell.height, cell.width, cell.exits.len());
//! #   assert_eq!(cell.width * cell.height, 20);
//! } else {
//!     panic!("the map was rejected or failed");
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Modules that only the program needs (checking level files, statistics, portals, the vaults of a design) are hidden
//! from the documentation and may change in any version.

#[doc(hidden)]
pub mod connect;
pub mod dice;
pub mod glyphs;
pub mod library;
#[doc(hidden)]
pub mod lint;
#[cfg(feature = "vaults")]
pub mod lua;
mod lua_text;
pub mod map;
#[doc(hidden)]
pub mod noise;
#[doc(hidden)]
pub mod paint;
#[doc(hidden)]
pub mod place;
#[doc(hidden)]
pub mod portals;
#[cfg(feature = "vaults")]
#[doc(hidden)]
pub mod resolver;
pub mod source;
pub mod spec;
#[doc(hidden)]
pub mod stats;
#[doc(hidden)]
pub mod summary;
pub mod world;

pub use library::{Library, MapId};
pub use map::{ResolvedCell, ResolvedMap};
pub use world::VaultWorld;
