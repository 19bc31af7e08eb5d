//! Background export of grown dungeons for other programs, and previews of what an export would write.
//!
//! Each job grows its dungeon itself. This costs less than copying the recording that the designer holds in memory, and
//! edits cannot affect the export. Only a recording that was read from a file is used directly. Files are replaced
//! atomically. Exports are not queued: a new export cancels a running one. Callers therefore wait until an export has
//! ended before they request the next one. An export to a drive that does not respond can also be cancelled; its thread
//! does not delay the next export.

mod sample;
#[cfg(test)]
mod tests;
mod write;

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use self::sample::{LastGrowth, sample};
pub use self::write::{needs_file, write_export, write_export_into};
use super::job::{Cancelled, Job, JobCx, Policy};
use super::survey::Pace;
use crate::design::ValidDesign;
use crate::document::source_files;
use crate::export::{self, DungeonView, ExportError, ExportKind, ExportOptions, Rgb};
use crate::geometry::Size;
use crate::recording_file::RecordingFile;

/// Shortest time between two progress replies.
const PAUSE: Duration = Duration::from_millis(50);

/// A request to write an export.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExportRequest {
    /// Design from which the dungeon is grown.
    pub design: ValidDesign,
    /// Number of turns to grow; `None` for the whole growth.
    pub turn: Option<u64>,
    /// Kind of the export.
    pub kind: ExportKind,
    /// Options for the export and for the growth.
    pub options: ExportOptions,
    /// Recording that the designer shows, if it was read from a file. The dungeon is then read from this recording
    /// instead of being grown.
    pub recorded: Option<Arc<RecordingFile>>,
    /// Files from which the design was read; empty if the design no longer equals their content. The export records
    /// the digests of these files.
    pub sources: Vec<PathBuf>,
    /// Path of the file to write.
    pub to: PathBuf,
}

/// Result of an export.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExportReport {
    /// Path of the file that was written.
    pub path: PathBuf,
    /// Size of the file in bytes.
    pub bytes: u64,
    /// Path and size in bytes of the companion file, if the kind has one.
    pub beside: Option<(PathBuf, u64)>,
    /// Warning about features that other programs may be unable to read, or about the writing itself.
    pub warning: Option<String>,
}

/// Progress of an export.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExportProgress {
    /// The dungeon is growing. Contains the number of turns so far.
    Growing(u64),
    /// The file is being written. Contains the number of parts written so far and the number of all parts.
    Writing(u64, u64),
}

/// Description of what an export would write, as far as it is known in advance.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExportPreview {
    /// Dimensions of the dungeon, in squares.
    pub squares: Size,
    /// Size of the file; `None` if the dungeon is too large to measure or estimate.
    pub bytes: Option<FileSize>,
    /// Width and height in pixels, for image formats.
    pub pixels: Option<(u32, u32)>,
    /// Number of frames, for animations.
    pub pictures: Option<u64>,
    /// Name and size in bytes of the companion file, if the kind has one.
    pub beside: Option<(String, u64)>,
    /// Preview of the file's content.
    pub shown: PreviewContent,
}

/// Size of a file in bytes, as far as it is known before the file is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileSize {
    /// The exact size.
    Exact(u64),
    /// An estimate.
    About(u64),
    /// The size of a part of the file.
    MoreThan(u64),
}

/// Preview of a file's content.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PreviewContent {
    /// First lines of a text file.
    Lines(Vec<String>),
    /// A picture with its background colour and legend.
    Picture {
        /// Pixels, row by row. If the whole dungeon fits with two pixels per character, each character shows up to two
        /// pixels, one above the other; otherwise up to eight, in four rows and two columns.
        rows: Vec<Vec<Rgb>>,
        /// Colour of open squares.
        ground: Rgb,
        /// Names and colours of all other content.
        legend: Vec<(String, Rgb)>,
    },
    /// No preview: the dungeon is too large.
    Nothing,
}

/// A reply to an [`ExportRequest`].
#[derive(Debug)]
pub enum ExportReply {
    /// Progress of a running export.
    Going(ExportProgress),
    /// The export ended: its report, or why nothing was written.
    Over(Result<ExportReport, ExportError>),
}

impl Job for ExportRequest {
    const NAME: &'static str = "exporter";
    const POLICY: Policy = Policy::Awaited;
    type Memory = ();
    type Reply = ExportReply;

    fn run(self, (): &mut (), cx: &JobCx<'_, ExportReply>) -> Result<(), Cancelled> {
        cx.send(ExportReply::Over(write(&self, cx)))
    }
}

/// A request to preview an export.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExportPreviewRequest {
    /// The export to preview.
    pub export: ExportRequest,
    /// Characters available for the preview (x: rows, y: columns).
    pub room: Size,
}

impl Job for ExportPreviewRequest {
    const NAME: &'static str = "export preview";
    type Memory = LastGrowth;
    type Reply = Result<Box<ExportPreview>, String>;

    fn run(self, memory: &mut LastGrowth, cx: &JobCx<'_, Result<Box<ExportPreview>, String>>) -> Result<(), Cancelled> {
        let sample = match sample(&self.export, self.room, memory, &|| cx.is_cancelled()) {
            Err(ExportError::Interrupted) => return Err(Cancelled),
            Err(error) => Err(error.to_string()),
            Ok(sample) => Ok(Box::new(sample)),
        };
        cx.send(sample)
    }
}

fn write(request: &ExportRequest, cx: &JobCx<'_, ExportReply>) -> Result<ExportReport, ExportError> {
    let mut pace = Pace::new(PAUSE);
    let mut going = |progress: ExportProgress| {
        let goes_on = if pace.is_due() {
            cx.send(ExportReply::Going(progress))
        } else {
            cx.check()
        };
        match goes_on {
            Ok(()) => ControlFlow::Continue(()),
            Err(Cancelled) => ControlFlow::Break(()),
        }
    };
    let grown;
    let recording = if let Some(recording_file) = &request.recorded {
        &recording_file.recording
    } else {
        let mut watch = |turns: u64, _: u64| going(ExportProgress::Growing(turns));
        grown = DungeonView::grow(&request.design, request.options.engine, &mut watch)?;
        &grown
    };
    let dungeon = DungeonView::new(&request.design, recording, request.turn.unwrap_or(u64::MAX));
    let mut watch = |done: u64, all: u64| going(ExportProgress::Writing(done, all));
    write_export(
        request.kind,
        &dungeon,
        &request.options_with_sources(),
        &request.to,
        &mut watch,
    )
}

impl ExportRequest {
    /// Returns the options with the digests of the files from which the design was read. Unreadable files are left
    /// out.
    fn options_with_sources(&self) -> ExportOptions {
        let mut options = self.options.clone();
        if let Some(recording_file) = &self.recorded {
            options.sources.clone_from(&recording_file.sources);
            return options;
        }
        // Reading the files may be slow, so they are read only if this kind records their digests.
        if self.kind.stores_sources() {
            options.sources = source_files(&self.sources);
        }
        options
    }

    /// Returns whether the design was read from files.
    fn has_sources(&self) -> bool {
        let recorded = self.recorded.as_ref();
        recorded.map_or(!self.sources.is_empty(), |recording_file| {
            !recording_file.sources.is_empty()
        })
    }

    /// Returns whether `other` would write the same content as this request, possibly to another path.
    pub fn same_but_for_the_path(&self, other: &Self) -> bool {
        self.kind == other.kind
            && self.turn == other.turn
            && self.options == other.options
            && self.sources == other.sources
            && self.recorded == other.recorded
            && self.design == other.design
    }

    /// Returns the name of the file.
    fn name(&self) -> &str {
        name_of(&self.to)
    }
}

/// Returns the path of the companion file that an export to a path also writes; `None` if the kind has no companion
/// file.
pub fn companion(kind: ExportKind, to: &Path) -> Option<PathBuf> {
    let name = export::name_beside(kind, name_of(to))?;
    Some(to.with_file_name(name))
}

fn name_of(path: &Path) -> &str {
    path.file_name().and_then(|name| name.to_str()).unwrap_or("dungeon")
}
