//! Threads and their messages: the generator that grows dungeons in the background, the regrower of what a
//! recording gave up, the workshop that runs vaults, the search for a seed, the crew that surveys many seeds, the
//! teller of stories, the judger of the dungeon on the screen, the gallery of designs, the sheet of dungeons from many
//! seeds, the odds of each square, the watcher of the open files, the keeper of unsaved work, the listener for signals,
//! and a pump for blocking input.
//!
//! All of them send into one bounded [`Inbox`], so that the designer waits in one place. This module
//! decides nothing about designs or screens; it only keeps slow work away from the loop that draws.

mod crew;
mod gallery;
mod generator;
mod judger;
mod keeper;
mod lane;
mod odds;
mod regrower;
mod search;
mod sheet;
mod signals;
mod stream;
mod survey;
mod teller;
mod watcher;
mod workshop;

pub use gallery::{Exhibit, Gallery, Picture, Pixels, Subject};
pub use generator::Generator;
pub use judger::{Case, Judged, Judger};
pub use keeper::{Keeper, Rescue};
pub use lane::RunId;
pub use odds::{Count, Odds};
pub use regrower::Regrower;
pub use search::{ATTEMPTS, Found, Search};
pub use sheet::{Film, Lot, Proof, Sheet};
pub use signals::Signals;
pub use survey::Survey;
pub use teller::{Inquiry, Teller, Told};
pub use watcher::Watcher;
pub use workshop::{Facts, News, Order, Workshop};

use std::path::PathBuf;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;
use std::time::Duration;

use crate::design::Diagnostic;
use crate::recording::{Recording, Retake, Track};
use crate::storage::Leftover;

/// Messages that may wait in the inbox before senders have to.
const CAPACITY: usize = 64;

/// What a thread has to say. `I` is what the terminal sends: keys, mouse, resizes.
#[derive(Debug)]
pub enum Message<I> {
    /// Something typed, clicked or resized.
    Input(I),
    /// The terminal's input ended or failed; nothing more will come.
    InputEnded(String),
    /// A run began: stage one is done.
    Started {
        /// Which run.
        run: RunId,
        /// The dungeon before growth.
        recording: Box<Recording>,
        /// What stage one changed or left out.
        diagnostics: Vec<Diagnostic>,
    },
    /// A run went on.
    Grown {
        /// Which run.
        run: RunId,
        /// What happened since the last message of the run.
        track: Track,
    },
    /// A run is over.
    Finished {
        /// Which run.
        run: RunId,
    },
    /// A run broke off through a fault of the program.
    Broken {
        /// Which run.
        run: RunId,
        /// What the program said.
        why: String,
    },
    /// Turns that a recording had given up were grown again.
    Regrown {
        /// Which errand.
        run: RunId,
        /// The turns; `Err` when a fault of the program ended it.
        retake: Result<Retake, String>,
    },
    /// Something on vaults.
    Vaults(News),
    /// Something for who chooses a design to open.
    Gallery(Exhibit),
    /// Something for who looks at dungeons of many seeds.
    Sheet(Proof),
    /// What chance does with each square.
    Luck(Count),
    /// A search for a seed is over.
    Sought {
        /// Which search.
        run: RunId,
        /// What came of it; `Err` when a fault of the program ended it.
        found: Result<Found, String>,
    },
    /// An inquiry is answered.
    Told {
        /// Which inquiry.
        run: RunId,
        /// What there is to tell; `Err` when a fault of the program ended it.
        told: Result<Told, String>,
    },
    /// A dungeon is judged.
    Judged {
        /// Which case.
        run: RunId,
        /// What was found; `Err` when a fault of the program ended it.
        judged: Result<Box<Judged>, String>,
    },
    /// Watched files may have changed.
    FilesChanged(Vec<PathBuf>),
    /// The watcher cannot see changes any more, and why.
    WatchFailed(String),
    /// What other runs left unsaved.
    Leftovers(Vec<Leftover>),
    /// Unsaved work cannot be kept safe, and why.
    NotKept(String),
    /// The system asks the program to stop until it is continued.
    Stop,
    /// The program was stopped and is continued; whoever had the terminal meanwhile may have changed it.
    Continued,
    /// The system asks the program to end, by the signal of this number.
    Signal(i32),
}

/// The one place where all threads' messages arrive.
#[derive(Debug)]
pub struct Inbox<I> {
    sender: SyncSender<Message<I>>,
    receiver: Receiver<Message<I>>,
}

impl<I: Send + 'static> Inbox<I> {
    /// An empty inbox.
    pub fn new() -> Self {
        let (sender, receiver) = sync_channel(CAPACITY);
        Self { sender, receiver }
    }

    /// A way to put messages in.
    pub fn sender(&self) -> SyncSender<Message<I>> {
        self.sender.clone()
    }

    /// The next message; `None` when none came in time.
    pub fn wait(&self, timeout: Option<Duration>) -> Option<Message<I>> {
        match timeout {
            None => self.receiver.recv().ok(),
            Some(timeout) => self.receiver.recv_timeout(timeout).ok(),
        }
    }

    /// The next message, if one is there already.
    pub fn poll(&self) -> Option<Message<I>> {
        self.receiver.try_recv().ok()
    }

    /// Reads input with a blocking function on a thread of its own until it fails or the inbox is gone.
    /// The thread is not joined: a blocked read cannot be woken.
    ///
    /// # Errors
    ///
    /// When the system has no thread to give.
    pub fn pump(&self, mut read: impl FnMut() -> std::io::Result<I> + Send + 'static) -> std::io::Result<()> {
        let sender = self.sender();
        thread::Builder::new().name("input".into()).spawn(move || {
            loop {
                let (message, last) = match read() {
                    Ok(input) => (Message::Input(input), false),
                    Err(error) => (Message::InputEnded(error.to_string()), true),
                };
                if sender.send(message).is_err() || last {
                    return;
                }
            }
        })?;
        Ok(())
    }
}

impl<I: Send + 'static> Default for Inbox<I> {
    fn default() -> Self {
        Self::new()
    }
}
