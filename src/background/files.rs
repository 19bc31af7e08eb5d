//! Reads and writes the files of designs in the background, so that the interface never waits for a drive.
//!
//! A drive may take minutes to respond; meanwhile, the caller can do other work or cancel the job. If a write is
//! cancelled before its file is moved into place, the write has no effect. Opening, reloading, saving and copying are
//! separate jobs, which do not cancel each other.

use std::path::{Path, PathBuf};

use super::job::{Cancelled, Job, JobCx, Policy};
use crate::design::MemoryUse;
use crate::document::{FileSnapshot, Saved, Saving, available_memory, is_drawing};
use crate::recording_file::RecordingFile;
use crate::storage::{self, DesignFiles, RecordingFileError, companion_files};

/// A request to read the files of a design.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ReadRequest {
    /// Files of the design to read, unless `typed` takes precedence.
    pub files: Option<DesignFiles>,
    /// Path that the user typed. If it names a file, that file is read instead of `files`.
    pub typed: Option<PathBuf>,
    /// Whether the user selected an entry of a list. If true, and `typed` is not a file, `files` is read. If false, a
    /// typed path that does not exist is read as a design, so that the read reports the error.
    pub selected: bool,
    /// Level files to read in addition to those that the design uses.
    pub levels: Vec<PathBuf>,
}

/// Result of a read.
#[derive(Debug)]
pub struct ReadReply {
    /// Files of the design; `None` if no design was requested, or the typed path is a drawing.
    pub files: Option<DesignFiles>,
    /// Content of the files.
    pub fresh: FileSnapshot,
    /// If the file is a recording: the recording, or why it cannot be shown.
    pub recording_file: Option<Result<Box<RecordingFile>, RecordingFileError>>,
    /// The typed path if it names a drawing. The drawing itself is not read.
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
    /// Reads the files, with blocking I/O.
    pub fn read(self) -> ReadReply {
        if let Some(path) = self.typed.as_ref().filter(|path| path.is_file() && is_drawing(path)) {
            return ReadReply {
                files: None,
                fresh: FileSnapshot::default(),
                recording_file: None,
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
        if let Some(path) = files.as_ref().and_then(DesignFiles::recording_file) {
            let recording_file = storage::read_recording(path, available_memory(MemoryUse::Showing));
            return ReadReply {
                fresh: FileSnapshot::read(None, &self.levels),
                recording_file: Some(recording_file.map(Box::new)),
                files,
                drawing: None,
            };
        }
        ReadReply {
            fresh: FileSnapshot::read(files.as_ref(), &self.levels),
            files,
            recording_file: None,
            drawing: None,
        }
    }
}

/// Defines a detached job that passes its request to a function and sends the function's result.
macro_rules! file_job {
    ($(#[$doc:meta])* $request:ident($of:ty), $name:literal, $reply:ty, $run:expr) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq)]
        pub struct $request(pub $of);

        impl Job for $request {
            const NAME: &'static str = $name;
            const POLICY: Policy = Policy::Detached;
            type Memory = ();
            type Reply = Box<$reply>;

            fn run(self, (): &mut (), cx: &JobCx<'_, Box<$reply>>) -> Result<(), Cancelled> {
                cx.send(Box::new($run(self.0, cx)))
            }
        }
    };
}

file_job! {
    /// A request to open files.
    OpenRequest(ReadRequest), "opening", ReadReply, read
}

file_job! {
    /// A request to read the open files again.
    ReloadRequest(ReadRequest), "reloading", ReadReply, read
}

file_job! {
    /// A request to save the open design.
    SaveRequest(Saving), "saving", Saved, write
}

file_job! {
    /// A request to write a copy of the open design.
    CopyRequest(Saving), "copying", Saved, write
}

fn read(request: ReadRequest, _: &JobCx<'_, Box<ReadReply>>) -> ReadReply {
    request.read()
}

fn write(saving: Saving, cx: &JobCx<'_, Box<Saved>>) -> Saved {
    saving.write(&|| !cx.is_cancelled())
}
