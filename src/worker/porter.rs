//! The porter: reads the files of designs, away from who waits at the screen.
//!
//! A drive may not answer for minutes. Whoever asked goes on meanwhile, and gives up when it lasts too long. What is to
//! be opened and what is looked at again have errands of their own: neither ends the other.

use std::path::PathBuf;
use std::sync::mpsc::SyncSender;

use super::Message;
use super::errands::Errands;
use super::lane::{Line, RunId};
use crate::design::MemoryUse;
use crate::document::{Fresh, available_memory, is_drawing};
use crate::reel::Reel;
use crate::storage::{self, DesignFiles, pairs};

/// What is to be read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Fetch {
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
pub struct Fetched {
    /// The files of the design; `None` when none was asked for, or what was typed is not meant.
    pub files: Option<DesignFiles>,
    /// What they hold.
    pub fresh: Fresh,
    /// The recording that they are, or why it cannot be shown.
    pub reel: Option<Result<Box<Reel>, String>>,
    /// The drawing that what was typed is, and not read.
    pub drawing: Option<PathBuf>,
}

impl From<DesignFiles> for Fetch {
    fn from(files: DesignFiles) -> Self {
        Self {
            files: Some(files),
            ..Self::default()
        }
    }
}

impl Fetch {
    /// Reads it, here and now.
    pub fn read(self) -> Fetched {
        if let Some(path) = self.typed.as_ref().filter(|path| path.is_file() && is_drawing(path)) {
            return Fetched {
                files: None,
                fresh: Fresh::default(),
                reel: None,
                drawing: Some(path.clone()),
            };
        }
        let files = match self.typed {
            Some(path) if path.is_file() => Some(pairs::of_rooms(&path).unwrap_or(DesignFiles::Toml(path))),
            Some(path) if !self.selected && !path.is_dir() => Some(DesignFiles::Toml(path)),
            _ => self.files,
        };
        if let Some(path) = files.as_ref().and_then(DesignFiles::reel) {
            let reel = storage::read_reel(path, available_memory(MemoryUse::Showing));
            return Fetched {
                fresh: Fresh::read(None, &self.levels),
                reel: Some(reel.map(Box::new).map_err(|error| error.to_string())),
                files,
                drawing: None,
            };
        }
        Fetched {
            fresh: Fresh::read(files.as_ref(), &self.levels),
            files,
            reel: None,
            drawing: None,
        }
    }
}

/// Who reads. What hangs when it is dropped is left behind.
#[derive(Debug)]
pub struct Porter {
    opening: Errands<Fetch>,
    looking: Errands<Fetch>,
}

impl Porter {
    /// A porter whose messages go to `inbox`.
    pub fn new<I: Send + 'static>(inbox: &SyncSender<Message<I>>) -> Self {
        let errands = |name, told: fn(RunId, Result<Box<Fetched>, String>) -> Message<I>, broken| {
            Errands::new(name, inbox.clone(), broken, move |run, fetch: Fetch, line: &Line<I>| {
                line.send(run, told(run, Ok(Box::new(fetch.read()))));
            })
        };
        Self {
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
    pub fn open(&self, fetch: Fetch) -> RunId {
        self.opening.ask(fetch)
    }

    /// What was to be opened is not wanted any more.
    pub fn give_up(&self) {
        self.opening.cancel();
    }

    /// Reads what is open once more; the answer is a [`Message::Seen`] with the number returned.
    pub fn look(&self, fetch: Fetch) -> RunId {
        self.looking.ask(fetch)
    }
}
