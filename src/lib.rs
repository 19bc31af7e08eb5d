//! Wallcrawler grows dungeons by artificial life and shows their growth in the terminal.
//!
//! A design is one TOML file, or three files of DungeonMaker: a *rooms file* (the layout: rooms, hand-placed tiles, the
//! first Crawlers), a *stats file* (the behaviour of each generation of Crawlers) and a *constants file* (six numbers
//! for the whole dungeon). Wallcrawler reads the design, grows the dungeon turn by turn, records every change, and
//! shows the dungeon beside panels that edit the design.
//!
//! # Data flow
//!
//! ```text
//! file -> format -> design -> engine -> recording -> analysis -> views and exports
//! ```
//!
//! Data flows one way. A file's text is parsed into a [`design::Design`] and a list of diagnostics; validation yields a
//! [`design::ValidDesign`], the only kind of design that the engine accepts; the engine grows the dungeon and reports
//! every event to an observer; a `recording` stores the events, so that any turn can be shown again, forwards and
//! backwards. The designer's views and the command line only read the recording.
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
//! | [`recording`] | the history of a growth, and its playback | engine, design, geometry |
//! | [`recording_file`] | recordings as files: encoding, and decoding that is safe for arbitrary bytes | text, recording, format, engine, design, geometry |
//! | [`analysis`] | metrics of dungeons: regions, expectations, statistics over many dungeons | text, engine, recording, design, geometry |
//! | [`maze`] | a grown dungeon for games, made from a design and a seed: tiles, rooms, doors and the path to the exit | analysis, presets, vault, engine, design, geometry |
//! | [`export`] | a grown dungeon as a file for other programs: text, JSON, pictures, animations, maps for game tools | text, analysis, recording_file, recording, engine, design, geometry |
//! | [`import`] | drawings from other programs as hand-placed tiles: text mazes, pictures, layers of Tiled maps | text, export, engine, format, design, geometry |
//! | `rows` | tables of dungeons: columns, rows, record batches, squares | text, analysis, recording_file, format, engine, design, geometry |
//! | `storage` | reading and atomic writing of files | text, import, recording_file, format, design |
//! | `settings` | the user's settings: keys, colours, limits; the settings file and its diagnostics | text, storage, format, design |
//! | [`presets`] | the designs and vaults that come with the program | vault, format, design |
//! | [`code`] | designs encoded as one line of text, `wc1:…` | text, presets, format, design |
//! | `document` | the open design: its files, its vaults, its undo history, and changes to its files on disk | text, code, import, vault, presets, recording_file, engine, storage, format, design, geometry |
//! | `background` | threads and the messages they send: growth, seed search, metrics, vaults, previews, exports, imports, autosave, file access, file watching | text, settings, document, import, export, analysis, vault, recording_file, recording, engine, storage, design, geometry |
//! | `mcp` | the Model Context Protocol: offers the requests of the designer's control socket as tools to AI agents | text |
//! | `tui` | the designer in the terminal | all above, not cli |
//! | `cli` | the command line and all commands but the designer | all above, not tui |
//!
//! The feature `terminal`, on by default, adds `background`, `cli`, `document`, `mcp`, `settings`, `storage` and `tui`,
//! which need files, threads, signals or a terminal. The feature `export` adds `code`, `export` and `recording_file`;
//! the feature `import` adds `import`; the features `rows` and `files` add what the command line and the Python package
//! share: `rows`, and the part of `storage` that writes files. `terminal` also enables these four features, and
//! `vaults`.
//!
//! # As a library
//!
//! Read a design, grow it from a seed, and use the dungeon:
//!
//! ```
//! use wallcrawler::{Design, Maze};
//!
//! # fn main() -> Result<(), wallcrawler::InvalidDesign> {
//! let design: Design = include_str!("../presets/keep.toml").parse()?;
//! let maze = Maze::grow(&design, 42)?;
//! for (at, tile) in maze.tiles().filter(|(_, tile)| tile.is_open()) {
//!     println!("floor in row {}, column {}: {tile:?}", at.x, at.y); // x is the row, y the column
//! }
//! println!("{maze}\nfrom {:?} to {:?}, {} rooms", maze.entrance(), maze.exit(), maze.rooms().len());
//! # Ok(())
//! # }
//! ```
//!
//! A [`Design`] is read from TOML, from the files of DungeonMaker ([`format::read`]), or [written in
//! code](Design::sized). A [`Maze`] has the tiles by row and column, the rooms and doors, the path from the entrance to
//! the exit, and the distance of each square from the entrance: use it to decide where to place objects.
//! [`Growth`](engine::Growth) grows a dungeon by turns or [iterations](engine::Growth::iterations) and reports every
//! event to an [`Observer`](engine::Observer); a [`recording`] of these events can be played forwards and backwards.
//! The parsers of [`format`](mod@format) report every error in a text with its position, [`Design::validate`] reports
//! every value out of range, and [`Maze::diagnostics`] returns what was changed in the design or left out of it.
//!
//! The feature `vaults` resolves the vaults of a design, so that the crate and the designer grow the same dungeon from
//! a design and a seed. Without the feature, [`Maze::grow`] returns an error for a design with vaults. Vaults are
//! defined in level files, and some of these come with the crate; pass the text of others to [`Maze::grow_with`].
//!
//! With `default-features = false` the crate uses no terminal, threads or files, and runs on every target of Rust,
//! including `wasm32-unknown-unknown`. The features `export` and `import` also work there.
//!
//! # Guarantees
//!
//! * **The same design and seed produce the same dungeon.** `tests/catalog`, the *seed catalogue*, pins dungeons and
//!   their histories. A release that changes one of them counts as breaking, and the CHANGELOG lists a new edition of
//!   the catalogue. A saved [`Maze`] keeps its squares even if a later release grows the design differently.
//! * **Versions** follow semver. Changing the meaning of a call, removing a public item, or making an exhaustive match
//!   incomplete is breaking: it raises the second number before 1.0, and the first from 1.0 on. Enums that are expected
//!   to get more variants, such as [export kinds](export::ExportKind), are `#[non_exhaustive]`; construct option
//!   structs with `..Default::default()`. Adding an [`Event`](engine::Event) variant is deliberately a breaking change:
//!   replay code must handle every variant. The features `terminal`, `rows`, `files` and `vaults` are meant for the
//!   program and its bindings and have no guarantees; the modules that `terminal`, `rows` and `files` add are hidden
//!   from the documentation.
//! * **Rust**: the minimum version is `rust-version` in Cargo.toml; a release that raises only the third number of the
//!   version does not change it.
//! * **Saved data.** Designs, dungeons and other data that a program may want to save implement serde's `Serialize` and
//!   `Deserialize`, with lower-case names as in the JSON export; `tests/files/serialized.rs` pins the names. It also
//!   lists the public types that are not serializable, such as recordings (which have a file format of their own). New
//!   fields have defaults, and later releases can read every name that a release has written. Deserializing inconsistent
//!   data fails with an error that states the reason: for instance, a [`ValidDesign`](design::ValidDesign) is validated
//!   again when it is deserialized. A growth in progress and types that borrow from it are not serializable: grow the
//!   dungeon again from the design and its seed.
//! * **No `unsafe`**: the compiler forbids it in this crate.
//! * **WebAssembly.** The crate builds for `wasm32-unknown-unknown`, either without features or with `export` and
//!   `import`. `tests/wasm/run` runs the build with both features in Node.js and compares digests, exports and imported
//!   drawings with those of a native build. `vaults` needs a C library and `terminal` needs a terminal, so neither is
//!   available for this target.
//!
//! # Invariants
//!
//! * The engine is pure: the design and its seed determine every tile, on every platform and in every build.
//! * Parsing never fails as a whole if a part is usable: it yields a design and diagnostics.
//! * One table ([`design::fields`]) contains the name, range, meaning and default of every parameter.
//! * Every reply of a background job carries the ticket of its request; the designer drops replies to older requests.
//! * Only `tui` uses the crates ratatui and crossterm; only `background` uses the crate notify and starts threads.
//! * `tests/layering.rs` reads every path that begins with `crate::` and fails on one that the table above does not
//!   allow.

// The table of modules above links to modules that exist only with their feature.
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
#[cfg(feature = "files")]
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
