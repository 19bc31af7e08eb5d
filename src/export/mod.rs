//! A grown dungeon as a file for other programs: text, tables, JSON, pictures, films, maps of game tools.
//!
//! A [`DungeonView`] is all that is known about a dungeon at one moment of its recording. [`write()`] turns it into one of the
//! [`ExportKind`]s, row by row into whatever takes bytes, and tells a [`ProgressCallback`] how far it is, which may end it. Axes are those
//! of the program everywhere but where the format has its own: `x` is the row, from the top, `y` the column, from the
//! left; formats of game tools have x across. No file is opened here; where a kind needs a second file, [`beside`] says
//! which.
//!
//! ```
//! use std::ops::ControlFlow;
//! use wallcrawler::engine;
//! use wallcrawler::export::{self, Dungeon, Kind, Options};
//! # let design: wallcrawler::Design = include_str!("../../presets/keep.toml").parse()?;
//!
//! let design = wallcrawler::design::ValidDesign::try_from(&design)?;
//! let recording = Dungeon::grow(&design, engine::Options::default(), &mut |_, _| ControlFlow::Continue(()))?;
//! let dungeon = Dungeon::new(&design, &recording, recording.turns());
//! let options = Options { legend: true, scale: Some(8), ..Options::default() };
//! let mut png = Vec::new();
//! export::write(Kind::Png, &dungeon, &options, "keep.png", &mut png, &mut |_, _| ControlFlow::Continue(()))?;
//! assert!(png.starts_with(b"\x89PNG"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod bound;
mod cast;
mod digest;
mod dungeon;
mod film;
pub mod font;
mod ink;
mod json;
mod kind;
mod ldtk;
mod letters;
mod objects;
mod outline;
mod paint;
mod palette;
mod paper;
mod pdf;
mod picture;
mod recognize;
mod svg;
mod table;
mod text;
mod tiled;
mod tileset;
mod uvtt;

use std::fmt;
use std::io::{self, Write};
use std::ops::ControlFlow;

use serde::{Deserialize, Serialize};

pub use self::digest::sha256;
pub use self::dungeon::{Door, DoorOf, DungeonView};
pub use self::json::{SCHEMA, VERSION};
pub use self::kind::{CastVersion, ExportKind, ExportSetting, Group, KindInfo};
pub use self::outline::outlines;
pub use self::paint::{ColourBy, ColourPart, Painting};
#[cfg(any(feature = "terminal", feature = "import"))]
pub(crate) use self::palette::along;
#[cfg(feature = "import")]
pub(crate) use self::palette::mixed;
/// The designer's palette has its colours from here.
#[cfg(feature = "terminal")]
pub(crate) use self::palette::{DARK, FEATURES, FeatureColour, LIGHT, darkened};
pub use self::palette::{Ground, Palette, Rgb};
pub use self::paper::{Length, Pages, Paper, PrintLayout};
pub use self::picture::Picture;
pub use self::recognize::SAMPLE_BYTES;
pub use self::text::{TextStyle, TextWriter};

use crate::{engine, reel};

/// How a dungeon is written. Each kind takes of it what it knows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ExportOptions {
    /// Walls show their generation, in text of digits and colours.
    pub generations: bool,
    /// By what pictures and films are coloured.
    pub by: ColourBy,
    /// What they are coloured for; without it, as [`ExportKind::ground`] says.
    pub ground: Option<Ground>,
    /// Pixels along a square's side; without it, as the kind has it.
    pub scale: Option<u32>,
    /// Lines between so many squares, in pictures.
    pub grid: Option<u32>,
    /// A title and a legend, in pictures.
    pub legend: bool,
    /// How it goes on paper.
    pub print: PrintLayout,
    /// Doors stand open and are left out, for virtual tabletops.
    pub open_doors: bool,
    /// How long a film takes until the dungeon is grown, in milliseconds.
    pub duration: u32,
    /// How many files the design was read from, each by its name and the SHA-256 of its bytes.
    pub sources: Vec<(String, String)>,
    /// How the dungeon was grown, for recordings.
    pub engine: engine::Options,
}

impl Default for ExportOptions {
    fn default() -> Self {
        Self {
            generations: true,
            by: ColourBy::Generation,
            ground: None,
            scale: None,
            grid: None,
            legend: false,
            print: PrintLayout::default(),
            open_doors: false,
            duration: 12_000,
            sources: Vec::new(),
            engine: engine::Options::default(),
        }
    }
}

/// The program that wrote a file, for formats with a place for it.
const SOFTWARE: &str = concat!("wallcrawler ", env!("CARGO_PKG_VERSION"));

/// Told how far the work is, in parts done of all parts; it may end it.
pub type ProgressCallback<'a> = dyn FnMut(u64, u64) -> ControlFlow<()> + 'a;

/// Why a dungeon was not written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExportError {
    /// It could not be written where it was to go.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// The watch ended it.
    #[error("interrupted; nothing was written")]
    Interrupted,
    /// The kind cannot hold it.
    #[error("{0}")]
    Cannot(String),
}

/// Where a file goes, and who watches.
pub(crate) struct ExportTask<'a> {
    out: &'a mut dyn Write,
    watch: &'a mut ProgressCallback<'a>,
}

impl ExportTask<'_> {
    /// Says how far the work is.
    fn at(&mut self, done: u64, all: u64) -> Result<(), ExportError> {
        match (self.watch)(done, all) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(ExportError::Interrupted),
        }
    }

    fn text(&mut self, text: &str) -> Result<(), ExportError> {
        Ok(self.out.write_all(text.as_bytes())?)
    }

    fn format(&mut self, text: fmt::Arguments<'_>) -> Result<(), ExportError> {
        Ok(self.out.write_fmt(text)?)
    }
}

/// Writes a dungeon. `name` is that of the file, for kinds that speak of a second file beside it.
///
/// # Errors
///
/// When `out` fails, the watch ends it, or the kind cannot hold such a dungeon.
pub fn write<'a>(
    kind: ExportKind,
    dungeon: &DungeonView<'_>,
    options: &ExportOptions,
    name: &str,
    out: &'a mut dyn Write,
    watch: &'a mut ProgressCallback<'a>,
) -> Result<(), ExportError> {
    let job = &mut ExportTask { out, watch };
    match kind {
        ExportKind::Text(style) => text::write(dungeon, style, options, job),
        ExportKind::Csv => table::write(dungeon, job),
        ExportKind::Json => json::write(dungeon, options, job),
        ExportKind::Png => picture::write(dungeon, options, job),
        ExportKind::Svg => svg::write(dungeon, options, job),
        ExportKind::Pdf => pdf::write(dungeon, options, job),
        ExportKind::Tmx => tiled::write_tmx(dungeon, options, name, job),
        ExportKind::Tmj => tiled::write_tmj(dungeon, options, name, job),
        ExportKind::Ldtk => ldtk::write(dungeon, options, name, job),
        ExportKind::Uvtt => uvtt::write(dungeon, options, job),
        ExportKind::Gif => film::write_gif(dungeon, options, job),
        ExportKind::Apng => film::write_apng(dungeon, options, job),
        ExportKind::Cast(version) => cast::write(dungeon, version, options, job),
        ExportKind::Recording => recording(dungeon, options, job),
    }
}

/// Writes the whole recording, whatever moment of it the dungeon is at.
fn recording(dungeon: &DungeonView<'_>, options: &ExportOptions, job: &mut ExportTask<'_>) -> Result<(), ExportError> {
    let shot = reel::RecordingRef {
        design: dungeon.design(),
        options: options.engine,
        recording: dungeon.recording(),
        sources: &options.sources,
    };
    reel::write(&shot, job.out, job.watch).map_err(|unwritten| match unwritten {
        reel::WriteError::Io(error) => ExportError::Io(error),
        reel::WriteError::Interrupted => ExportError::Interrupted,
        reel::WriteError::Cannot(why) => ExportError::Cannot(why),
    })
}

/// What people should know of a dungeon as a kind, though it can be written: that some programs may refuse it.
pub fn warning(kind: ExportKind, dungeon: &DungeonView<'_>) -> Option<String> {
    match kind {
        ExportKind::Uvtt => uvtt::warning(dungeon),
        _ => None,
    }
}

/// The name of the file that a kind needs beside its own, which has the name given.
pub fn name_beside(kind: ExportKind, name: &str) -> Option<String> {
    matches!(kind, ExportKind::Tmx | ExportKind::Tmj | ExportKind::Ldtk).then(|| tileset::file_name(name))
}

/// The file that a kind needs beside its own, by name and bytes: the picture of the tiles of a map of
/// Tiled or LDtk.
///
/// # Errors
///
/// When the kind cannot hold such a dungeon.
pub fn beside(
    kind: ExportKind,
    dungeon: &DungeonView<'_>,
    options: &ExportOptions,
    name: &str,
) -> Result<Option<(String, Vec<u8>)>, ExportError> {
    let named = name_beside(kind, name).map(|name| Ok((name, tileset::picture(dungeon, options)?)));
    named.transpose()
}
