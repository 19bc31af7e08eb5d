//! Wallcrawler grows dungeons by artificial life and shows them growing.
//!
//! A design is a *rooms file* (the layout: rooms, hand-placed tiles, the first WallCrawlers) and a *stats file* (the
//! behaviour of each generation of Crawlers), or one TOML file with both. Wallcrawler reads them, grows the dungeon turn
//! by turn, records every change with its reason, and shows it beside editable panels.
//!
//! # Data flow
//!
//! ```text
//! file -> format -> design -> engine -> recording -> analysis -> views and exports
//! ```
//!
//! Data flows one way. A file's text is parsed into a [`design::Design`] and a list of diagnostics; validation yields a
//! [`design::ValidDesign`], the only kind that the engine accepts; the engine grows it and reports every event to an
//! observer; a `recording` stores the events, so that any turn can be shown again, forwards and backwards. The terminal
//! and the command line only read.
//!
//! # Modules
//!
//! | module | contents | may import |
//! |---|---|---|
//! | [`geometry`] | points, sizes, Forward and Direction | no other module |
//! | `text` | helpers for messages: escapes for terminals, similar names, numbers with their nouns | no other module |
//! | [`design`] | the design: its data, the parameter table, expectations, validation, diagnostics | text, geometry |
//! | [`format`](mod@format) | conversion between text and designs: rooms file, stats file, constants file, TOML; no file access | text, design, geometry |
//! | [`engine`] | the simulation: grid, random numbers, stage one, growth, events; no files, clocks, threads or screens | text, design, geometry |
//! | [`vault`] | hand-made maps: parser, Lua, resolution of maps and of a design's vaults, validation, portals | text, engine, design, geometry |
//! | [`recording`] | the history of a run, and its playback | engine, design, geometry |
//! | [`recording_file`] | recordings as files: encoding and decoding, safe for any bytes | text, recording, format, engine, design, geometry |
//! | [`analysis`] | metrics of dungeons: regions, expectations, statistics over many dungeons | text, engine, recording, design, geometry |
//! | [`maze`] | a grown dungeon for games: from a design and a seed to tiles, rooms, doors and the path to the exit | analysis, presets, vault, engine, design, geometry |
//! | [`export`] | a grown dungeon as a file for other programs: text, JSON, pictures, animations, maps for game tools | text, analysis, recording_file, recording, engine, design, geometry |
//! | [`import`] | drawings of other programs as hand-placed tiles: text mazes, pictures, layers of Tiled | text, export, engine, format, design, geometry |
//! | `rows` | tables of dungeons: columns, rows, record batches, squares | text, analysis, recording_file, format, engine, design, geometry |
//! | `storage` | reading and atomic writing of files | text, import, recording_file, format, design |
//! | `settings` | the user settings: keys, colours, limits; their file and its diagnostics | text, storage, format, design |
//! | [`presets`] | the designs and vaults that come with the program | vault, format, design |
//! | [`code`] | designs as one line of text, `wc1:…` | text, presets, format, design |
//! | `document` | the open design: its files, its vaults, its undo history, and the changes on disk | text, code, import, vault, presets, recording_file, engine, storage, format, design, geometry |
//! | `background` | threads and the messages they send: growth, seed search, metrics, vaults, previews, exports, imports, autosave, file access, file watching | text, settings, document, import, export, analysis, vault, recording_file, recording, engine, storage, design, geometry |
//! | `mcp` | the Model Context Protocol: requests of the designer's socket as tools for agents | text |
//! | `tui` | the designer in the terminal | all above, not cli |
//! | `cli` | the other commands | all above, not tui |
//!
//! The feature `terminal`, on by default, adds `cli`, `document`, `mcp`, `settings`, `storage`, `tui` and `background`, which need
//! files, threads, signals or a terminal. The feature `export` adds `code`, `export` and `recording_file`, the feature `import` adds
//! `import`, and the feature `rows` adds `rows`, which the command line and the Python package share; `terminal` enables all
//! three.
//!
//! # As a library
//!
//! Design in, dungeon out:
//!
//! ```
//! use wallcrawler::{Design, Maze};
//!
//! # fn main() -> Result<(), wallcrawler::InvalidDesign> {
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
//! A [`Design`] is read from TOML, from the files of DungeonMaker ([`format::read`]), or [written in
//! code](Design::sized). A [`Maze`] has the tiles by row and column, the rooms and doors, the path from the entrance to
//! the exit, and the distance of each square from the entrance: use it to decide where to place objects.
//! [`Growth`](engine::Growth) grows by turns or [iterations](engine::Growth::iterations) and reports every event to an
//! [`Observer`](engine::Observer); a [`recording`] of them plays forwards and backwards. The parsers of
//! [`format`](mod@format) report every error of a text with its position, [`Design::validate`] every value out of
//! range, and [`Maze::diagnostics`] what stage one changed or left out.
//!
//! The feature `vaults` resolves the vaults of a design, so that design and seed determine the dungeon here as in the
//! designer; without it, [`Maze::grow`] returns an error for a design with vaults. Pass level files that are not the
//! crate's own as text to [`Maze::grow_with`].
//!
//! With `default-features = false` the crate has no terminal, no threads and no files, and runs wherever Rust does,
//! including `wasm32-unknown-unknown`; the feature `export` adds the export kinds there.
//!
//! # Guarantees
//!
//! * **A seed keeps its dungeon.** `tests/catalog` pins dungeons and histories. A release that changes one names the
//!   number of the new catalog in the CHANGELOG and counts as breaking. A saved [`Maze`] keeps its squares in any case.
//! * **Versions** follow semver. Changing the meaning of a call, removing something public, or making a match incomplete
//!   is breaking: before 1.0 the second number grows, after it the first. Types that are expected to grow, such as
//!   [export kinds](export::ExportKind), are `#[non_exhaustive]`; construct option structs with `..Default::default()`.
//!   Adding an [`Event`](engine::Event) variant is deliberately a breaking change: replay code must handle every variant.
//!   The features `terminal`, `rows` and `vaults`, and the modules of the first two, belong to the program and its
//!   bindings: they are hidden from the documentation and have no guarantees.
//! * **Rust**: the minimum is `rust-version` in Cargo.toml; only a release whose second number grows raises it.
//! * **Saved data.** All public data implements serde's `Serialize` and `Deserialize`, with lower-case names as in the
//!   JSON export; `tests/files/serialized.rs` pins each. New fields have defaults, and a name that was written once stays readable.
//!   Deserialization rejects inconsistent data with a reason; a [`ValidDesign`](design::ValidDesign) is validated. Runs
//!   under way and types that borrow from them are not serializable: grow them again from the design and its seed.
//! * **No `unsafe`**: the compiler forbids it in this crate.
//! * **WebAssembly.** `wasm32-unknown-unknown` builds without features and with `export` and `import`; the checks run it
//!   in node and compare digests, exports and imported drawings with the native ones. `vaults` needs a C library,
//!   `terminal` a terminal.
//!
//! # Invariants
//!
//! * The engine is pure: the design and its seed determine every tile, on every platform and in every build.
//! * Parsing never fails as a whole if a part is usable: it yields a design and diagnostics.
//! * One table ([`design::fields`]) has the name, range, meaning and default of every parameter.
//! * Every reply of a job carries the ticket of its request; replies to older requests are dropped.
//! * ratatui and crossterm are used in `tui` only, notify and threads in `background` only.
//! * `tests/layering.rs` reads the `use crate::` lines and fails on an import that the table above does not allow.

// The map of modules also names those that features add.
#![cfg_attr(
    not(all(feature = "terminal", feature = "export", feature = "vaults")),
    allow(rustdoc::broken_intra_doc_links)
)]

pub mod analysis;
#[cfg(feature = "terminal")]
#[doc(hidden)]
pub mod background;
#[cfg(feature = "terminal")]
#[doc(hidden)]
pub mod cli;
#[cfg(feature = "export")]
pub mod code;
pub mod design;
#[cfg(feature = "terminal")]
#[doc(hidden)]
pub mod document;
pub mod engine;
#[cfg(feature = "export")]
pub mod export;
pub mod format;
pub mod geometry;
#[cfg(feature = "import")]
pub mod import;
pub mod maze;
#[cfg(feature = "terminal")]
#[doc(hidden)]
pub mod mcp;
pub mod presets;
pub mod recording;
#[cfg(feature = "export")]
pub mod recording_file;
#[cfg(feature = "rows")]
#[doc(hidden)]
pub mod rows;
#[cfg(feature = "terminal")]
#[doc(hidden)]
pub mod settings;
#[cfg(feature = "terminal")]
#[doc(hidden)]
pub mod storage;
#[cfg_attr(
    not(feature = "terminal"),
    allow(dead_code, reason = "the designer and the command line use all of it")
)]
mod text;
#[cfg(feature = "terminal")]
#[doc(hidden)]
pub mod tui;
pub mod vault;

pub use design::{Design, InvalidDesign};
pub use maze::Maze;
