//! Exports a grown dungeon for other programs: text, tables, JSON, pictures, animations and maps for game tools.
//!
//! A [`DungeonView`] is a dungeon at one turn of its recording. [`write()`] writes it as one of the [`ExportKind`]s to
//! any writer and reports the progress to a [`ProgressCallback`], which may cancel the export. `x` is the row, counted
//! from the top, and `y` the column, counted from the left. Formats for game tools have their own axes, in which x runs
//! to the right. This module opens no files; [`beside`] returns the content of the companion file for the kinds that
//! need one.
//!
//! ```
//! use std::ops::ControlFlow;
//! use wallcrawler::engine;
//! use wallcrawler::export::{self, DungeonView, ExportKind, ExportOptions};
//! # let design: wallcrawler::Design = include_str!("../../presets/keep.toml").parse()?;
//!
//! let design = wallcrawler::design::ValidDesign::try_from(&design)?;
//! let recording = DungeonView::grow(&design, engine::Options::default(), &mut |_, _| ControlFlow::Continue(()))?;
//! let dungeon = DungeonView::new(&design, &recording, recording.turns());
//! let options = ExportOptions { legend: true, scale: Some(8), ..ExportOptions::default() };
//! let mut png = Vec::new();
//! export::write(ExportKind::Png, &dungeon, &options, "keep.png", &mut png, &mut |_, _| ControlFlow::Continue(()))?;
//! assert!(png.starts_with(b"\x89PNG"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod animation;
mod atlas_picture;
mod cast;
mod chart;
mod dungeon;
mod dungeon_rows;
mod film;
pub mod font;
mod frequency_map;
mod json;
mod kind;
mod ldtk;
mod marks;
mod objects;
mod outline;
mod paint;
mod palette;
mod paper;
mod pdf;
mod picture;
mod range_map;
mod recognize;
mod svg;
mod table;
mod text;
mod tiled;
mod tileset;
mod uvtt;
mod vault_picture;

use std::fmt;
use std::io::{self, Write};
use std::ops::ControlFlow;

use serde::{Deserialize, Serialize};

pub use self::atlas_picture::AtlasPicture;
pub use self::dungeon::{Door, DoorOf, DungeonView};
pub use self::dungeon_rows::DungeonRows;
pub use self::frequency_map::FrequencyPicture;
#[cfg(feature = "terminal")]
pub(crate) use self::json::metrics as metrics_json;
pub use self::json::{SCHEMA, VERSION};
pub use self::kind::{CastVersion, ExportKind, ExportSetting, Group, KindInfo};
pub use self::marks::MapMarks;
pub use self::outline::outlines;
pub use self::paint::{ColourBy, ColourPart, Painting};
#[cfg(any(feature = "terminal", feature = "import"))]
pub(crate) use self::palette::along;
#[cfg(feature = "import")]
pub(crate) use self::palette::{Covered, mixed};
/// Shared with the designer's palette.
#[cfg(feature = "terminal")]
pub(crate) use self::palette::{DARK, FEATURES, FeatureColour, LIGHT, darkened, density, luminance};
pub use self::palette::{Ground, Palette, Rgb};
pub use self::paper::{Length, Pages, Paper, ParsePaperError, PrintLayout};
pub use self::picture::Picture;
pub use self::range_map::{RangePicture, class_labels, glyph, shade_glyph, shade_of_five};
pub use self::recognize::SAMPLE_BYTES;
#[cfg(feature = "terminal")]
pub(crate) use self::svg::escaped as xml_escaped;
#[cfg(feature = "import")]
pub(crate) use self::text::glyph_means_wall;
pub use self::text::{TextStyle, TextWriter};
pub use self::vault_picture::VaultPicture;

use crate::recording::MomentScript;
pub use crate::recording_file::sha256;
use crate::recording_file::{Provenance, SourceFile};
use crate::{engine, recording_file};

/// Largest value of [`ExportOptions::scale`] that the program accepts, in pixels per side of a square.
#[cfg(feature = "terminal")]
pub(crate) const MOST_SCALE: u32 = 4096;

/// Options for exporting a dungeon. Each kind uses the options that apply to it and ignores the others.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ExportOptions {
    /// Whether walls show their generation, for [`TextStyle::Digits`] and [`TextStyle::Ansi`].
    pub generations: bool,
    /// Property by which pictures and animations are coloured.
    pub by: ColourBy,
    /// Background that the colours are chosen for; `None` for the default, [`ExportKind::ground`].
    pub ground: Option<Ground>,
    /// Pixels per side of a square; `None` for the default of the kind.
    pub scale: Option<u32>,
    /// Distance between grid lines in squares, in pictures; `None` for no grid.
    pub grid: Option<u32>,
    /// Whether pictures have a title and a legend.
    pub legend: bool,
    /// What maps show besides the tiles; `None` for the default, [`ExportKind::marks`].
    pub marks: Option<MapMarks>,
    /// Page layout of PDF maps.
    pub print: PrintLayout,
    /// Whether doors count as open; if so, a map for virtual tabletops omits them.
    pub open_doors: bool,
    /// Time in milliseconds from the start of an animation until the dungeon is grown.
    pub duration: u32,
    /// Builder that an animation follows: the animation shows the squares around this Builder, from its waking to its
    /// death. With `None` the animation shows the whole dungeon from the first turn.
    pub follow: Option<engine::BuilderId>,
    /// Moments that an animation shows instead of the whole growth; if they are set, `duration` is ignored.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moments: Option<MomentScript>,
    /// Files that the design was read from.
    pub sources: Vec<SourceFile>,
    /// Engine options that the dungeon was grown with, for recordings.
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
            marks: None,
            print: PrintLayout::default(),
            open_doors: false,
            duration: 12_000,
            follow: None,
            moments: None,
            sources: Vec::new(),
            engine: engine::Options::default(),
        }
    }
}

impl ExportOptions {
    /// Returns the inputs that a dungeon was grown from.
    fn provenance<'a>(&'a self, dungeon: &'a DungeonView<'_>) -> Provenance<'a> {
        Provenance {
            design: dungeon.design(),
            options: self.engine,
            sources: &self.sources,
        }
    }
}

/// A callback that receives the number of units done and the total number of units. It cancels the work by returning
/// [`ControlFlow::Break`].
pub type ProgressCallback<'a> = dyn FnMut(u64, u64) -> ControlFlow<()> + 'a;

/// Reason why a dungeon was not exported.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExportError {
    /// Writing to the output failed.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// The progress callback cancelled the export.
    #[error("interrupted")]
    Interrupted,
    /// The dungeon cannot be exported with these options, but it can with others.
    #[error("{0}")]
    Options(String),
    /// The kind cannot represent this dungeon.
    #[error("{0}")]
    Cannot(String),
}

/// The output of an export and its progress callback.
pub(crate) struct ExportTask<'a> {
    out: &'a mut dyn Write,
    watch: &'a mut ProgressCallback<'a>,
}

impl ExportTask<'_> {
    /// Reports progress.
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

/// Writes a dungeon to `out`. `name` is the name of the written file; the name of a companion file is derived from it.
///
/// # Errors
///
/// Fails if writing to `out` fails, `watch` cancels the export, or the dungeon cannot be exported as this kind with these
/// options.
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
        ExportKind::Gif => animation::write_gif(dungeon, options, job),
        ExportKind::Apng => animation::write_apng(dungeon, options, job),
        ExportKind::Cast(version) => cast::write(dungeon, version, options, job),
        ExportKind::Recording => recording(dungeon, options, job),
    }
}

/// Writes the whole recording, regardless of the turn that `dungeon` shows.
fn recording(dungeon: &DungeonView<'_>, options: &ExportOptions, job: &mut ExportTask<'_>) -> Result<(), ExportError> {
    let shot = recording_file::RecordingRef {
        provenance: options.provenance(dungeon),
        recording: dungeon.recording(),
    };
    recording_file::write(&shot, job.out, job.watch).map_err(|unwritten| match unwritten {
        recording_file::WriteError::Io(error) => ExportError::Io(error),
        recording_file::WriteError::Interrupted => ExportError::Interrupted,
        recording_file::WriteError::Cannot(why) => ExportError::Cannot(why),
    })
}

/// Returns a warning if the export can be written but some programs may reject it.
pub fn warning(kind: ExportKind, dungeon: &DungeonView<'_>) -> Option<String> {
    match kind {
        ExportKind::Uvtt => uvtt::warning(dungeon),
        _ => None,
    }
}

/// Grows the dungeon of the preset *keep*.
#[cfg(test)]
fn grown_keep() -> (crate::design::ValidDesign, crate::recording::Recording) {
    let design: crate::design::Design = include_str!("../../presets/keep.toml").parse().unwrap();
    let design = crate::design::ValidDesign::try_from(&design).unwrap();
    let go = &mut |_: u64, _: u64| ControlFlow::Continue(());
    let recording = DungeonView::grow(&design, engine::Options::default(), go).unwrap();
    (design, recording)
}

/// Returns the name of the companion file that a kind needs, derived from the file name `name`; `None` if the kind
/// needs no companion file.
pub fn name_beside(kind: ExportKind, name: &str) -> Option<String> {
    matches!(kind, ExportKind::Tmx | ExportKind::Tmj | ExportKind::Ldtk).then(|| tileset::file_name(name))
}

/// Returns the name and content of the companion file that a kind needs: the tileset picture of a Tiled or LDtk map.
///
/// # Errors
///
/// Fails if [`ExportOptions::scale`] is too large for a tileset.
pub fn beside(
    kind: ExportKind,
    dungeon: &DungeonView<'_>,
    options: &ExportOptions,
    name: &str,
) -> Result<Option<(String, Vec<u8>)>, ExportError> {
    let named = name_beside(kind, name).map(|name| Ok((name, tileset::picture(dungeon, options)?)));
    named.transpose()
}
