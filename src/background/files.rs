//! Reads and writes the files of designs in the background, so that the interface never waits for a drive.
//!
//! A drive may not answer for minutes: the caller goes on meanwhile and may cancel. A write cancelled before its file
//! is moved into place has no effect. Opening, reloading, saving and copying are separate tasks; none cancels
//! another.

use std::path::{Path, PathBuf};
use std::sync::mpsc::SyncSender;

use super::detached::DetachedTasks;
use super::worker::{JobContext, RunId};
use super::{ExportTarget, Message};
use crate::design::MemoryUse;
use crate::document::{FileSnapshot, Saved, Saving, available_memory, is_drawing};
use crate::reel::RecordingFile;
use crate::storage::{self, DesignFiles, companion_files};

/// Files to be read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ReadRequest {
    /// Files of a design.
    pub files: Option<DesignFiles>,
    /// Path that the user typed. If it is a file, it is read instead of `files`.
    pub typed: Option<PathBuf>,
    /// Whether a list entry is selected: if `typed` is no file, `files` is meant instead.
    pub selected: bool,
    /// Level files to read in addition to those that the design names.
    pub levels: Vec<PathBuf>,
}

/// Result of a read.
#[derive(Debug)]
pub struct ReadReply {
    /// Files of the design; `None` if none was requested, or the typed path is a drawing.
    pub files: Option<DesignFiles>,
    /// Content of the files.
    pub fresh: FileSnapshot,
    /// Recording in the files, or why it cannot be shown.
    pub reel: Option<Result<Box<RecordingFile>, String>>,
    /// Typed path if it is a drawing, which is not read.
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
    /// Reads the files with blocking I/O.
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

/// Tasks that read and write files. Tasks that hang when it is dropped are left behind.
#[derive(Debug)]
pub struct FileService {
    opening: DetachedTasks<ReadRequest>,
    looking: DetachedTasks<ReadRequest>,
    saving: DetachedTasks<Box<Saving>>,
    copying: DetachedTasks<Box<Saving>>,
    locating: DetachedTasks<ExportTarget>,
}

/// Makes the message that reports the result of a save.
type SaveReport<I> = fn(RunId, Result<Box<Saved>, String>) -> Message<I>;

impl FileService {
    /// Creates a service that sends its messages to `inbox`.
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

    /// Reads the files to open; the reply is a [`Message::Fetched`] with the number returned.
    pub fn open(&self, fetch: ReadRequest) -> RunId {
        self.opening.ask(fetch)
    }

    /// Cancels the read for opening.
    pub fn give_up(&self) {
        self.opening.cancel();
    }

    /// Reads the open files again; the reply is a [`Message::Seen`] with the number returned.
    pub fn look(&self, fetch: ReadRequest) -> RunId {
        self.looking.ask(fetch)
    }

    /// Saves the open design; the reply is a [`Message::Saved`] with the number returned. Cancels a save under way.
    pub fn save(&self, saving: Box<Saving>) -> RunId {
        self.saving.ask(saving)
    }

    /// Cancels the save under way.
    pub fn leave_saving(&self) {
        self.saving.cancel();
    }

    /// Writes a copy of the open design; the reply is a [`Message::Copied`] with the number returned. Cancels a copy
    /// under way.
    pub fn copy(&self, saving: Box<Saving>) -> RunId {
        self.copying.ask(saving)
    }

    /// Cancels the copy under way.
    pub fn leave_copying(&self) {
        self.copying.cancel();
    }

    /// Resolves the destination of an export; the reply is a [`Message::Located`] with the number returned.
    pub fn locate(&self, site: ExportTarget) -> RunId {
        self.locating.ask(site)
    }

    /// Cancels the destination check.
    pub fn leave_locating(&self) {
        self.locating.cancel();
    }
}
