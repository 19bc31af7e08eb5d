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
//! | [`design`] | what the author asked for: data, the field table, expectations, validation, diagnostics | geometry |
//! | [`format`](mod@format) | text to design and back: rooms file, stats file, constants file, TOML; no file access | design, geometry |
//! | [`engine`] | the simulation: grid, chance, stage one, growth, events; no files, clocks, threads, screens | design, geometry |
//! | [`vault`] | hand-made maps: parser, Lua, resolution, validation, portals | engine, design, geometry |
//! | [`recording`] | the history of a run and the cursor that walks it | engine, geometry |
//! | [`analysis`] | what a dungeon is like: regions, figures, expectations, many dungeons together | engine, recording, design, geometry |
//! | [`export`] | a grown dungeon as a file for other programs: text, JSON, pictures, films, maps of game tools | analysis, recording, engine, design, geometry |
//! | [`storage`] | reading and atomic writing of files | format, design |
//! | [`settings`] | what the user set for every design: keys, colours, limits; their file and its diagnostics | storage, format, design |
//! | [`presets`] | the designs and vaults that come with the program | vault, format, design |
//! | [`document`] | the open design: its files, its vaults, its history of edits, what changed on which side | vault, presets, engine, storage, format, design, geometry |
//! | [`worker`] | threads: generator, runner of vaults, search for seeds, teller of stories, judger of dungeons, gallery of designs, sheet of many seeds, odds of squares, keeper of unsaved work, file watcher, their messages | settings, document, analysis, vault, recording, engine, storage, design, geometry |
//! | [`tui`] | the designer in the terminal | all above, not cli |
//! | [`cli`] | the other commands | all above, not tui |
//!
//! `cli`, `document`, `settings`, `storage`, `tui` and `worker` need files, threads, signals or a terminal, and come with the
//! feature `terminal`, which is on by default. `export` comes with a feature of its name, which `terminal` brings along.
//!
//! # Without the terminal
//!
//! With `default-features = false` the crate is a library that reads designs and grows dungeons wherever Rust
//! runs, `wasm32-unknown-unknown` among it:
//!
//! ```
//! use wallcrawler::engine::{Growth, Mark, Options};
//! use wallcrawler::format::{Text, native};
//! use wallcrawler::geometry::Point;
//!
//! let text = Text::new(
//!     "hall.toml",
//!     "seed = 7
//!      [layout]
//!      dim_x = 30
//!      dim_y = 60
//!      [[crawler]]
//!      x = 15
//!      y = 0
//!      direction = 1
//!      delay = 0
//!      termination = 1",
//! );
//! // How a design is written and what its numbers ask for are judged apart. No limit is set to memory here.
//! let parsed = native::parse(&text);
//! let checked = parsed.value.validate(None);
//! for mut diagnostic in parsed.diagnostics.iter().chain(&checked.diagnostics).cloned() {
//!     parsed.places.locate(&mut diagnostic, &text);
//!     println!("{diagnostic}");
//! }
//! let design = checked.design.filter(|_| parsed.is_usable()).ok_or("the design cannot be used")?;
//!
//! let mut growth = Growth::new(&design, Options::default(), &mut ());
//! growth.finish(&mut ());
//! for row in growth.grid().rows() {
//!     println!("{}", row.map(wallcrawler::engine::Tile::plain).collect::<String>());
//! }
//! // The Crawler started on the border and left its wall east of it.
//! assert_eq!(growth.grid().mark(Point::new(15, 1)), Mark::Generation(0));
//! # Ok::<(), &str>(())
//! ```
//!
//! [`format::rooms`], [`format::stats`] and [`format::constants`] read the original's files, one part of a design
//! each. [`Growth::diagnostics`](engine::Growth::diagnostics) says what stage one changed or left out. In place of
//! `()`, a [`recording::Track`] observes the growth for a [`recording::Recording`], from which a
//! [`recording::Cursor`] shows any turn.
//!
//! # Invariants
//!
//! * The engine is pure: the design and its seed decide every tile, on every platform and in every build.
//! * Reading never fails as a whole where a part can be used: it yields a design and diagnostics.
//! * One table ([`design::fields`]) names every parameter, its range, meaning and default.
//! * Every worker message carries the number of its run; messages of an older run are dropped.
//! * ratatui and crossterm appear under `tui` alone, notify and threads under `worker` alone.
//! * `tests/layering.rs` reads the `use crate::` lines and fails on an arrow that this table lacks.

pub mod analysis;
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
pub mod presets;
pub mod recording;
#[cfg(feature = "terminal")]
pub mod settings;
#[cfg(feature = "terminal")]
pub mod storage;
#[cfg(feature = "terminal")]
pub mod tui;
pub mod vault;
#[cfg(feature = "terminal")]
pub mod worker;
