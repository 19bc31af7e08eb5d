//! Background export of grown dungeons for other programs, and previews of what an export would write.
//!
//! One thread computes the next preview while another writes an export. Each grows its dungeon itself, which costs
//! less than handing over a recording and isolates it from edits. Files are replaced atomically. Exports are not
//! queued: callers request one after the other. An export whose drive does not answer can be cancelled like any
//! other; its thread is left behind and delays neither the next export nor quitting.

mod deliver;
mod sample;
#[cfg(test)]
mod tests;

use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::SyncSender;
use std::time::{Duration, Instant};

pub use self::deliver::{deliver, deliver_into, needs_file};
use self::sample::sample;
use super::Message;
use super::detached::DetachedTasks;
use super::worker::{JobContext, RunId, Worker};
use crate::design::ValidDesign;
use crate::export::{self, DungeonView, ExportError, ExportKind, ExportOptions, Rgb};
use crate::geometry::Size;
use crate::reel::RecordingFile;

/// Shortest time between two progress messages.
const PAUSE: Duration = Duration::from_millis(50);

/// An export to be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExportRequest {
    /// Design that the dungeon is grown from.
    pub design: ValidDesign,
    /// Number of turns to grow; `None` for the whole growth.
    pub turn: Option<u64>,
    /// Kind of the export.
    pub kind: ExportKind,
    /// Options of the export and of the growth.
    pub options: ExportOptions,
    /// Recording shown, if it was read from a file: the dungeon is taken from it instead of being grown.
    pub recorded: Option<Arc<RecordingFile>>,
    /// Files that the design was read from, if it still equals their content; the export records their digests.
    pub sources: Vec<PathBuf>,
    /// Path of the file.
    pub to: PathBuf,
}

/// Result of an export.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExportReport {
    /// Path of the file.
    pub path: PathBuf,
    /// Size of the file in bytes.
    pub bytes: u64,
    /// Path and size in bytes of the companion file, if the kind has one.
    pub beside: Option<(PathBuf, u64)>,
    /// Warning about features that reading programs may reject.
    pub warning: Option<String>,
}

/// Progress of an export.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExportProgress {
    /// The dungeon is growing; number of turns done.
    Growing(u64),
    /// The file is being written; number of parts done and in all.
    Writing(u64, u64),
}

/// Description of what an export would write, as far as it is known in advance.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExportPreview {
    /// Dimensions of the dungeon, in squares.
    pub squares: Size,
    /// Number of turns grown.
    pub turn: u64,
    /// Size of the file in bytes, and whether it is exact; `None` for a dungeon too large to measure.
    pub bytes: Option<(u64, bool)>,
    /// Width and height in pixels, for image formats.
    pub pixels: Option<(u32, u32)>,
    /// Number of frames, for animations.
    pub pictures: Option<u64>,
    /// Name and size in bytes of the companion file.
    pub beside: Option<(String, u64)>,
    /// Preview of the content.
    pub shown: PreviewContent,
}

/// Preview of a file's content.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PreviewContent {
    /// First lines of a text file.
    Lines(Vec<String>),
    /// A picture with its background colour and legend.
    Picture {
        /// Pixels, row by row: at most two per character, or else at most eight, in two columns.
        rows: Vec<Vec<Rgb>>,
        /// Colour of open squares.
        ground: Rgb,
        /// Names and colours of everything else.
        legend: Vec<(String, Rgb)>,
    },
    /// No preview: the dungeon is too large.
    Nothing,
}

/// A reply of the export service.
#[derive(Debug)]
pub enum ExportReply {
    /// Progress of an export.
    Going {
        /// Number of the request.
        run: RunId,
        /// Progress so far.
        progress: ExportProgress,
    },
    /// An export ended.
    Over {
        /// Number of the request.
        run: RunId,
        /// Report, or the reason why nothing was written.
        written: Result<ExportReport, String>,
    },
    /// Preview of an export.
    Sampled {
        /// Number of the request.
        run: RunId,
        /// Preview, or the reason why the export cannot be written.
        sample: Result<Box<ExportPreview>, String>,
    },
}

/// Threads of the exports and previews. Dropping it cancels what is under way and waits for it, with a timeout.
#[derive(Debug)]
pub struct ExportService {
    files: DetachedTasks<Box<ExportRequest>>,
    samples: Worker<(Box<ExportRequest>, Size)>,
}

impl ExportService {
    /// Starts the threads, which send their messages to `inbox`.
    ///
    /// # Errors
    ///
    /// Returns the system's error if the thread cannot be spawned.
    pub fn new<I: Send + 'static>(inbox: SyncSender<Message<I>>) -> io::Result<Self> {
        let broken = |run, why: String| {
            let written = Err(format!("a fault of the program: {why}"));
            Message::Exported(ExportReply::Over { run, written })
        };
        let files = DetachedTasks::new(
            "exporter",
            inbox.clone(),
            broken,
            |run, wish: Box<ExportRequest>, line: &JobContext<I>| {
                let written = write(run, &wish, line).map_err(|error| error.to_string());
                line.send(run, Message::Exported(ExportReply::Over { run, written }));
            },
        );
        let broken = |run, why: String| {
            let sample = Err(format!("a fault of the program: {why}"));
            Message::Exported(ExportReply::Sampled { run, sample })
        };
        let samples = Worker::start("samples", inbox, broken, || {
            let mut grown = None;
            move |run, (wish, room): (Box<ExportRequest>, Size), line: &JobContext<I>| {
                let is_stale = || line.is_stale(run);
                let sample = match sample(&wish, room, &mut grown, &is_stale) {
                    Err(ExportError::Interrupted) => return,
                    Err(error) => Err(error.to_string()),
                    Ok(sample) => Ok(Box::new(sample)),
                };
                line.send(run, Message::Exported(ExportReply::Sampled { run, sample }));
            }
        })?;
        Ok(Self {
            files: files.awaited(),
            samples,
        })
    }

    /// Writes a file; an export under way is cancelled and leaves nothing behind.
    pub fn write(&self, wish: Box<ExportRequest>) -> RunId {
        self.files.ask(wish)
    }

    /// Cancels the export under way; it leaves nothing behind.
    pub fn cancel(&self) {
        self.files.cancel();
    }

    /// Requests a preview of an export in at most `room` characters (x: rows, y: columns).
    pub fn sample(&self, wish: Box<ExportRequest>, room: Size) -> RunId {
        self.samples.ask((wish, room))
    }

    /// Cancels the preview under way.
    pub fn turn_away(&self) {
        self.samples.cancel();
    }
}

fn write<I>(run: RunId, wish: &ExportRequest, line: &JobContext<I>) -> Result<ExportReport, ExportError> {
    let mut told = Instant::now();
    let mut going = |progress: ExportProgress| {
        if told.elapsed() >= PAUSE {
            told = Instant::now();
            // A failed send has made the run stale, which is checked next.
            line.send(run, Message::Exported(ExportReply::Going { run, progress }));
        }
        if line.is_stale(run) {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    };
    let grown;
    let recording = if let Some(reel) = &wish.recorded {
        &reel.recording
    } else {
        let mut watch = |turns: u64, _: u64| going(ExportProgress::Growing(turns));
        grown = DungeonView::grow(&wish.design, wish.options.engine, &mut watch)?;
        &grown
    };
    let dungeon = DungeonView::new(&wish.design, recording, wish.turn.unwrap_or(u64::MAX));
    let mut watch = |done: u64, all: u64| going(ExportProgress::Writing(done, all));
    deliver(wish.kind, &dungeon, &wish.options_with_sources(), &wish.to, &mut watch)
}

impl ExportRequest {
    /// Returns the options, with the digests of the files that the design was read from; unreadable files are left
    /// out.
    fn options_with_sources(&self) -> ExportOptions {
        let mut options = self.options.clone();
        if let Some(reel) = &self.recorded {
            options.sources.clone_from(&reel.sources);
            return options;
        }
        // Only these kinds record the sources, and reading the files may be slow.
        if matches!(self.kind, ExportKind::Cast(_) | ExportKind::Recording) {
            options.sources.extend(self.sources.iter().filter_map(|path| {
                let bytes = crate::storage::read(path).ok()?;
                let name = path.file_name()?.to_string_lossy().into_owned();
                Some((name, export::sha256(&bytes)))
            }));
        }
        options
    }

    /// Returns the path of the companion file, derived from the file's name, if the kind has one.
    pub fn beside(&self) -> Option<PathBuf> {
        let name = export::name_beside(self.kind, self.name())?;
        Some(self.to.with_file_name(name))
    }

    /// Returns whether another request would write the same content, regardless of the path.
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

fn name_of(path: &Path) -> &str {
    path.file_name().and_then(|name| name.to_str()).unwrap_or("dungeon")
}
