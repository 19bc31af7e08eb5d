//! Vaults: hand-made maps in the language of Dungeon Crawl Stone Soup's level files.
//!
//! A level file's bytes become maps with their Lua, a map and a seed become a grid of features, and grids
//! are checked, counted and joined into a dungeon. Coordinates are those of the language: `x` is the
//! column, `y` the row, both from 0 at the left top; a space is no part of a map. Nothing here
//! reads files, only the sandbox of Lua reads the clock, to end what runs away, and what monsters and
//! items mean is left to the game.
//!
//! With the feature `vaults`, which brings Lua:
//!
#![cfg_attr(feature = "vaults", doc = "```")]
#![cfg_attr(not(feature = "vaults"), doc = "```ignore")]
//! use wallcrawler::vault::lua::{Options, Outcome, Runtime};
//! use wallcrawler::vault::{Library, World, source};
//!
//! let file = source::read("cell.des", b"NAME: cell\nMAP\nxxxxx\nx...x\nx.+.@\nxxxxx\nENDMAP\n");
//! let runtime = Runtime::new(Library::new(vec![file]).into(), Options::default())?;
//! let map = runtime.library().by_name("cell").ok_or("no such map")?;
//! if let Outcome::Resolved(cell) = runtime.resolve(map, &World::default(), 7) {
//!     println!("{} × {}, {} exits", cell.height, cell.width, cell.exits.len());
//! #   assert_eq!(cell.width * cell.height, 20);
//! } else {
//!     panic!("it vetoes itself, or fails");
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

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
#[cfg(feature = "vaults")]
pub mod resolver;
pub mod source;
pub mod spec;
pub mod stats;
pub mod summary;
pub mod world;

pub use library::{Library, MapId};
pub use map::{ResolvedCell, ResolvedMap};
pub use world::VaultWorld;
