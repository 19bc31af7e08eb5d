//! The porter: reads and writes the files of designs, away from who waits at the screen.
//!
//! A drive may not answer for minutes. Whoever asked goes on meanwhile, and gives up when it lasts too long; what is given
//! up before it is put in its place is not written any more. What is to be opened, what is looked at again, what is saved
//! and what is copied have errands of their own: none ends another.

use std::path::{Path, PathBuf};
use std::sync::mpsc::SyncSender;

use super::detached::DetachedTasks;
use super::job::{JobContext, RunId};
use super::{ExportTarget, Message};
use crate::design::MemoryUse;
use crate::document::{FileSnapshot, Saved, Saving, available_memory, is_drawing};
use crate::reel::RecordingFile;
use crate::storage::{self, DesignFiles, companion_files};

/// What is to be read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ReadRequest {
    /// The files of a design.
    pub files: Option<DesignFiles>,
    /// A path that somebody typed. Where a file stands there, it is read in place of `files`.
    pub typed: Option<PathBuf>,
    /// Whether something else is meant where no file stands at the path, and not the path.
    pub selected: bool,
    /// Level files, beside those that the design names.
    pub levels: Vec<PathBuf>,
}

/// What was read.
#[derive(Debug)]
pub struct ReadReply {
    /// The files of the design; `None` when none was asked for, or what was typed is not meant.
    pub files: Option<DesignFiles>,
    /// What they hold.
    pub fresh: FileSnapshot,
    /// The recording that they are, or why it cannot be shown.
    pub reel: Option<Result<Box<RecordingFile>, String>>,
    /// The drawing that what was typed is, and not read.
    pub drawing: Option<PathBuf>,
}

impl From<DesignFiles> for ReadRequest {
    fn from(files: DesignFiles) -> Self {
        Self {
            files: Some(files),
            ..Self::default()
        }
    }
}

impl ReadRequest {
    /// Reads it, here and now.
    pub fn read(self) -> ReadReply {
        if let Some(path) = self.typed.as_ref().filter(|path| path.is_file() && is_drawing(path)) {
            return ReadReply {
                files: None,
                fresh: FileSnapshot::default(),
                reel: None,
                drawing: Some(path.clone()),
            };
        }
        let files = match self.typed {
            Some(path) if path.is_file() => Some(companion_files::of(&path)),
            Some(path) if !self.selected && !path.is_dir() => Some(DesignFiles::Toml(path)),
            _ => self.files,
        };
        let folders = files.iter().flat_map(DesignFiles::paths);
        folders
            .filter_map(|path| path.parent().map(Path::to_owned))
            .for_each(|folder| storage::sweep(&folder));
        if let Some(path) = files.as_ref().and_then(DesignFiles::reel) {
            let reel = storage::read_reel(path, available_memory(MemoryUse::Showing));
            return ReadReply {
                fresh: FileSnapshot::read(None, &self.levels),
                reel: Some(reel.map(Box::new).map_err(|error| error.to_string())),
                files,
                drawing: None,
            };
        }
        ReadReply {
            fresh: FileSnapshot::read(files.as_ref(), &self.levels),
            files,
            reel: None,
            drawing: None,
        }
    }
}

/// Who reads and writes. What hangs when it is dropped is left behind.
#[derive(Debug)]
pub struct FileService {
    opening: DetachedTasks<ReadRequest>,
    looking: DetachedTasks<ReadRequest>,
    saving: DetachedTasks<Box<Saving>>,
    copying: DetachedTasks<Box<Saving>>,
    locating: DetachedTasks<ExportTarget>,
}

/// Says what became of a saving.
type SaveReport<I> = fn(RunId, Result<Box<Saved>, String>) -> Message<I>;

impl FileService {
    /// A porter whose messages go to `inbox`.
    pub fn new<I: Send + 'static>(inbox: &SyncSender<Message<I>>) -> Self {
        let errands = |name, told: fn(RunId, Result<Box<ReadReply>, String>) -> Message<I>, broken| {
            DetachedTasks::new(
                name,
                inbox.clone(),
                broken,
                move |run, fetch: ReadRequest, line: &JobContext<I>| {
                    line.send(run, told(run, Ok(Box::new(fetch.read()))));
                },
            )
        };
        let writers = |name, told: SaveReport<I>, broken| {
            DetachedTasks::new(
                name,
                inbox.clone(),
                broken,
                move |run, saving: Box<Saving>, line: &JobContext<I>| {
                    let saved = saving.write(&|| !line.is_stale(run));
                    line.send(run, told(run, Ok(Box::new(saved))));
                },
            )
        };
        let broken = |run, why: String| Message::Located {
            run,
            located: Err(format!("a fault of the program: {why}")),
        };
        let locating = DetachedTasks::new(
            "locating",
            inbox.clone(),
            broken,
            |run, site: ExportTarget, line: &JobContext<I>| {
                let located = site.find();
                line.send(run, Message::Located { run, located });
            },
        );
        Self {
            locating,
            saving: writers(
                "saving",
                |run, saved| Message::Saved { run, saved },
                |run, why| Message::Saved { run, saved: Err(why) },
            ),
            copying: writers(
                "copying",
                |run, saved| Message::Copied { run, saved },
                |run, why| Message::Copied { run, saved: Err(why) },
            ),
            opening: errands(
                "opening",
                |run, fetched| Message::Fetched { run, fetched },
                |run, why| Message::Fetched { run, fetched: Err(why) },
            ),
            looking: errands(
                "looking",
                |run, fetched| Message::Seen { run, fetched },
                |run, why| Message::Seen { run, fetched: Err(why) },
            ),
        }
    }

    /// Reads what is to be opened; the answer is a [`Message::Fetched`] with the number returned.
    pub fn open(&self, fetch: ReadRequest) -> RunId {
        self.opening.ask(fetch)
    }

    /// What was to be opened is not wanted any more.
    pub fn give_up(&self) {
        self.opening.cancel();
    }

    /// Reads what is open once more; the answer is a [`Message::Seen`] with the number returned.
    pub fn look(&self, fetch: ReadRequest) -> RunId {
        self.looking.ask(fetch)
    }

    /// Saves the open design; the answer is a [`Message::Saved`] with the number returned. A saving under way is given up.
    pub fn save(&self, saving: Box<Saving>) -> RunId {
        self.saving.ask(saving)
    }

    /// What is being saved is not wanted any more.
    pub fn leave_saving(&self) {
        self.saving.cancel();
    }

    /// Writes a copy of the open design; the answer is a [`Message::Copied`] with the number returned. A copy under way is
    /// given up.
    pub fn copy(&self, saving: Box<Saving>) -> RunId {
        self.copying.ask(saving)
    }

    /// The copy under way is not wanted any more.
    pub fn leave_copying(&self) {
        self.copying.cancel();
    }

    /// Finds out where an export goes; the answer is a [`Message::Located`] with the number returned.
    pub fn locate(&self, site: ExportTarget) -> RunId {
        self.locating.ask(site)
    }

    /// Nobody wants to know any more.
    pub fn leave_locating(&self) {
        self.locating.cancel();
    }
}
