//! The exporter: writes grown dungeons for other programs, and tells beforehand what a file would hold, beside the screen.
//!
//! A thread looks at the next export while another writes one. Each grows the dungeon for itself, to its
//! end: that takes less than handing a recording over, and nothing that is edited meanwhile can reach it. A file comes
//! to stand in its place whole or not at all. Exports do not wait here; whoever has several asks for one after the other.
//! One that hangs, as its drive does not answer, can be ended like any other: it is left behind, and keeps neither the next
//! one nor whoever leaves.

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
use super::job::{JobContext, RunId, Worker};
use crate::design::ValidDesign;
use crate::export::{self, DungeonView, ExportError, ExportKind, ExportOptions, Rgb};
use crate::geometry::Size;
use crate::reel::RecordingFile;

/// The least time between two messages on how far an export is.
const PAUSE: Duration = Duration::from_millis(50);

/// What is to be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExportRequest {
    /// What the dungeon grows from.
    pub design: ValidDesign,
    /// After how many turns; `None` for the end.
    pub turn: Option<u64>,
    /// What is made of it.
    pub kind: ExportKind,
    /// How; and how the dungeon grows.
    pub options: ExportOptions,
    /// The recording that is shown, where it was read from a file: the dungeon is what is in it, and not grown.
    pub recorded: Option<Arc<RecordingFile>>,
    /// The files that the design was read from, where it is still what they say: named in what is written, by their digests.
    pub sources: Vec<PathBuf>,
    /// The file.
    pub to: PathBuf,
}

/// What was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExportReport {
    /// The file.
    pub path: PathBuf,
    /// How many bytes it has.
    pub bytes: u64,
    /// The file that stands beside it, where the kind has one, and its bytes.
    pub beside: Option<(PathBuf, u64)>,
    /// What programs that read it may refuse.
    pub warning: Option<String>,
}

/// How far an export is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExportProgress {
    /// The dungeon grows; so many turns are over.
    Growing(u64),
    /// So many parts of all are written.
    Writing(u64, u64),
}

/// What an export would write, as far as it can be told beforehand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExportPreview {
    /// The dungeon's dimensions.
    pub squares: Size,
    /// Turns of its growth that are over.
    pub turn: u64,
    /// Bytes of the file, and whether they were counted to the last one; `None` for a dungeon too large for that.
    pub bytes: Option<(u64, bool)>,
    /// Pixels across and down, where the file is made of pixels.
    pub pixels: Option<(u32, u32)>,
    /// Pictures of a film.
    pub pictures: Option<u64>,
    /// The file beside it, with its bytes.
    pub beside: Option<(String, u64)>,
    /// How it looks.
    pub shown: PreviewContent,
}

/// How a file looks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PreviewContent {
    /// The first lines.
    Lines(Vec<String>),
    /// A picture, the colour of its ground, and the parts of a legend.
    Picture {
        /// The pixels, row by row: no more than two to a character, or else no more than eight, in two columns.
        rows: Vec<Vec<Rgb>>,
        /// The colour of what is open.
        ground: Rgb,
        /// Names and colours of what is not.
        legend: Vec<(String, Rgb)>,
    },
    /// Not at all: it is too large.
    Nothing,
}

/// What is told of exports.
#[derive(Debug)]
pub enum ExportReply {
    /// An export goes on.
    Going {
        /// Which one.
        run: RunId,
        /// How far it is.
        progress: ExportProgress,
    },
    /// An export is over.
    Over {
        /// Which one.
        run: RunId,
        /// What was written, or why nothing was.
        written: Result<ExportReport, String>,
    },
    /// What an export would write.
    Sampled {
        /// Which look.
        run: RunId,
        /// What, or why it cannot be written.
        sample: Result<Box<ExportPreview>, String>,
    },
}

/// The threads. Dropping it ends what is under way and waits for that, but not for a drive that does not answer.
#[derive(Debug)]
pub struct ExportService {
    files: DetachedTasks<Box<ExportRequest>>,
    samples: Worker<(Box<ExportRequest>, Size)>,
}

impl ExportService {
    /// Starts the threads; their messages go to `inbox`.
    ///
    /// # Errors
    ///
    /// When the system has no thread to give.
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

    /// Writes a file; an export under way ends, and nothing of it is written.
    pub fn write(&self, wish: Box<ExportRequest>) -> RunId {
        self.files.ask(wish)
    }

    /// Ends the export under way; nothing of it is written.
    pub fn cancel(&self) {
        self.files.cancel();
    }

    /// Asks what an export would write, and how that looks in at most so many characters (x: rows, y: columns).
    pub fn sample(&self, wish: Box<ExportRequest>, room: Size) -> RunId {
        self.samples.ask((wish, room))
    }

    /// Nobody looks at that any more.
    pub fn turn_away(&self) {
        self.samples.cancel();
    }
}

fn write<I>(run: RunId, wish: &ExportRequest, line: &JobContext<I>) -> Result<ExportReport, ExportError> {
    let mut told = Instant::now();
    let mut going = |progress: ExportProgress| {
        if told.elapsed() >= PAUSE {
            told = Instant::now();
            // Whoever does not listen any more has made it stale.
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
    /// The options, with the digests of the files that the design was read from; those that cannot be read are left out.
    fn options_with_sources(&self) -> ExportOptions {
        let mut options = self.options.clone();
        if let Some(reel) = &self.recorded {
            options.sources.clone_from(&reel.sources);
            return options;
        }
        // Only these name them, and files may be far away.
        if matches!(self.kind, ExportKind::Cast(_) | ExportKind::Recording) {
            options.sources.extend(self.sources.iter().filter_map(|path| {
                let bytes = crate::storage::read(path).ok()?;
                let name = path.file_name()?.to_string_lossy().into_owned();
                Some((name, export::sha256(&bytes)))
            }));
        }
        options
    }

    /// The file that is written beside it, by its name alone, where the kind has one.
    pub fn beside(&self) -> Option<PathBuf> {
        let name = export::name_beside(self.kind, self.name())?;
        Some(self.to.with_file_name(name))
    }

    /// Whether another one would write the same, wherever to.
    pub fn same_but_for_the_path(&self, other: &Self) -> bool {
        self.kind == other.kind
            && self.turn == other.turn
            && self.options == other.options
            && self.sources == other.sources
            && self.recorded == other.recorded
            && self.design == other.design
    }

    /// The name of the file.
    fn name(&self) -> &str {
        name_of(&self.to)
    }
}

fn name_of(path: &Path) -> &str {
    path.file_name().and_then(|name| name.to_str()).unwrap_or("dungeon")
}
