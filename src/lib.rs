//! Wallcrawler grows dungeons by artificial life and shows them growing.
//!
//! A designer keeps a *rooms file* (the layout: rooms, hand-placed tiles, the first WallCrawlers) and a
//! *stats file* (the character: how each generation of Crawlers behaves), or one TOML file that holds
//! both. Wallcrawler reads them, grows the dungeon turn by turn, records every change with its reason,
//! and shows it beside editable panels.
//!
//! # The way of the data
//!
//! ```text
//! file -> format -> design -> engine -> recording -> analysis -> views and exports
//! ```
//!
//! Data flows one way. A file's text is read into a [`design::Design`] and a list of diagnostics;
//! validation yields the [`design::ValidDesign`] that alone the engine accepts; the engine grows it and
//! tells an observer every event; a `recording` keeps the events so that any turn can be shown again,
//! forward and backward; the terminal and the command line only look.
//!
//! # The module map
//!
//! | module | what it holds | may import |
//! |---|---|---|
//! | [`geometry`] | points, sizes, Forward and Direction | nothing of ours |
//! | `text` | what messages are made with: escapes for terminals, similar names, numbers with their nouns | nothing of ours |
//! | [`design`] | what the author asked for: data, the field table, expectations, validation, diagnostics | text, geometry |
//! | [`format`](mod@format) | text to design and back: rooms file, stats file, constants file, TOML; no file access | text, design, geometry |
//! | [`engine`] | the simulation: grid, chance, stage one, growth, events; no files, clocks, threads, screens | text, design, geometry |
//! | [`vault`] | hand-made maps: parser, Lua, resolution of maps and of a design's vaults, validation, portals | text, engine, design, geometry |
//! | [`recording`] | the history of a run and the cursor that walks it | engine, geometry |
//! | [`reel`] | a recording as a file: to bytes and back, whatever the bytes are | text, recording, format, engine, design, geometry |
//! | [`analysis`] | what a dungeon is like: regions, figures, expectations, many dungeons together | text, engine, recording, design, geometry |
//! | [`maze`] | a grown dungeon for games: design and seed in, tiles, rooms, doors and the way out | analysis, presets, vault, engine, design, geometry |
//! | [`export`] | a grown dungeon as a file for other programs: text, JSON, pictures, films, maps of game tools | text, analysis, reel, recording, engine, design, geometry |
//! | [`import`] | drawings of other programs as hand-placed tiles: text mazes, pictures, layers of Tiled | text, export, engine, format, design, geometry |
//! | [`storage`] | reading and atomic writing of files | text, import, reel, format, design |
//! | [`settings`] | what the user set for every design: keys, colours, limits; their file and its diagnostics | text, storage, format, design |
//! | [`presets`] | the designs and vaults that come with the program | vault, format, design |
//! | [`document`] | the open design: its files, its vaults, its history of edits, what changed on which side | text, import, vault, presets, reel, engine, storage, format, design, geometry |
//! | [`background`] | threads: generator, resolver of the design's vaults, runner of vaults for the browser, search for seeds, teller of stories, judger of dungeons, gallery of designs, sheet of many seeds, odds of squares, exporter, importer of drawings, keeper of unsaved work, porter of files, file watcher, their messages | text, settings, document, import, export, analysis, vault, reel, recording, engine, storage, design, geometry |
//! | [`tui`] | the designer in the terminal | all above, not cli |
//! | [`cli`] | the other commands | all above, not tui |
//!
//! `cli`, `document`, `settings`, `storage`, `tui` and `background` need files, threads, signals or a terminal, and come with the
//! feature `terminal`, which is on by default. `export` and `reel` come with the feature `export`, `import` with its own; `terminal`
//! brings both along.
//!
//! # As a library
//!
//! Design in, dungeon out:
//!
//! ```
//! use wallcrawler::{Design, Maze};
//!
//! # fn main() -> Result<(), wallcrawler::Unusable> {
//! let design: Design = include_str!("../presets/keep.toml").parse()?;
//! let maze = Maze::grow(&design, 42)?;
//! for (at, tile) in maze.tiles().filter(|(_, tile)| tile.is_open()) {
//!     println!("floor in row {}, column {}: {tile:?}", at.x, at.y);
//! }
//! println!("{maze}\nfrom {:?} to {:?}, {} rooms", maze.entrance(), maze.exit(), maze.rooms().len());
//! # Ok(())
//! # }
//! ```
//!
//! A [`Design`] is read from TOML, from the original's files ([`format::read`]), or [written in code](Design::sized).
//! A [`Maze`] tells tiles by row and column, rooms, doors, the way from the entrance to the exit, and how far each square
//! is, which says where things may be placed. [`Growth`](engine::Growth) grows by turns or
//! [iterations](engine::Growth::iterations) and tells an [`Observer`](engine::Observer) every event, of which a
//! [`recording`] makes a film that runs both ways. Everything that is wrong with a text, and where, is told by the
//! readers of [`format`](mod@format); the design's numbers are judged by [`Design::validate`], and what stage one
//! changed or left out by [`Maze::diagnostics`].
//!
//! Vaults of a design are resolved with the feature `vaults`, so that the design and the seed decide the dungeon here as in
//! the designer; without it, [`Maze::grow`] returns an error for a design that has some. Level files that are not the crate's own
//! are given as text to [`Maze::grow_with`].
//!
//! With `default-features = false` the crate has no terminal, no threads and no files, and runs wherever Rust
//! does, `wasm32-unknown-unknown` among it; the feature `export` adds the files for other programs there.
//!
//! # What is promised
//!
//! * **A kept seed keeps its dungeon.** `tests/catalog` pins dungeons and histories; a release that changes one says so in
//!   the CHANGELOG under the number of the new catalog, and counts as breaking. A [`Maze`] that was saved keeps its squares
//!   in any case.
//! * **Versions** follow semver. What changes the meaning of a call, takes something public away, or makes a match
//!   incomplete is breaking: before 1.0 the second number grows, after it the first. Marked `#[non_exhaustive]` is what
//!   grows by itself, such as [kinds](export::Kind) of exports; structs of options are made with
//!   `..Options::default()`. An [`Event`](engine::Event) more would be breaking on purpose: who replays a growth must know.
//!   The features `terminal` and `vaults`, and the modules that come with `terminal`, are the program's own and promise
//!   nothing to others.
//! * **Rust**: `rust-version` in Cargo.toml; a later one is asked for in a release whose second number grows.
//! * **Saved data.** All public data has serde's `Serialize` and `Deserialize`, with names in lower case as in the JSON
//!   export; `tests/data.rs` pins each. Fields are added with defaults, and a name that was written once is read for ever.
//!   What must fit together is checked when it is read and refused with a reason; a [`ValidDesign`](design::ValidDesign)
//!   is validated. Runs under way and what borrows them are not saved: a design and its seed make them again.
//! * **No `unsafe`**: the compiler forbids it in this crate.
//! * **WebAssembly.** `wasm32-unknown-unknown` builds without features and with `export` and `import`; the checks run it in
//!   node and compare digests, exported files and drawings that come in with the native ones. `vaults` needs a C library, `terminal` a terminal.
//!
//! # Invariants
//!
//! * The engine is pure: the design and its seed decide every tile, on every platform and in every build.
//! * Reading never fails as a whole where a part can be used: it yields a design and diagnostics.
//! * One table ([`design::fields`]) names every parameter, its range, meaning and default.
//! * Every background message carries the number of its run; messages of an older run are dropped.
//! * ratatui and crossterm appear under `tui` alone, notify and threads under `background` alone.
//! * `tests/layering.rs` reads the `use crate::` lines and fails on an arrow that this table lacks.

// The map of modules names also those that features bring.
#![cfg_attr(
    not(all(feature = "terminal", feature = "export", feature = "vaults")),
    allow(rustdoc::broken_intra_doc_links)
)]

pub mod analysis;
#[cfg(feature = "terminal")]
pub mod background;
#[cfg(feature = "terminal")]
pub mod cli;
pub mod design;
#[cfg(feature = "terminal")]
pub mod document;
pub mod engine;
#[cfg(feature = "export")]
pub mod export;
pub mod format;
pub mod geometry;
#[cfg(feature = "import")]
pub mod import;
pub mod maze;
pub mod presets;
pub mod recording;
#[cfg(feature = "export")]
pub mod reel;
#[cfg(feature = "terminal")]
pub mod settings;
#[cfg(feature = "terminal")]
pub mod storage;
#[cfg_attr(
    not(feature = "terminal"),
    allow(dead_code, reason = "the designer and the command line use all of it")
)]
mod text;
#[cfg(feature = "terminal")]
pub mod tui;
pub mod vault;

pub use design::{Design, InvalidDesign};
pub use maze::Maze;
