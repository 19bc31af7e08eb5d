//! Threads and their messages: the generator that grows dungeons in the background, the regrower of what a
//! recording gave up, the resolver of the open design's vaults, the workshop that runs vaults for the browser, the search for a seed, the crew that surveys many seeds, the
//! teller of stories, the judger of the dungeon on the screen, the checker of expectations, the tuner that tries
//! variants of a design, the gallery of designs, the sheet of dungeons from many seeds, the odds of each square, the
//! duel of two designs, the exporter of dungeons for other programs, the importer of drawings, the porter who reads and
//! writes files, the watcher of the open files, the keeper of unsaved work, the listener for signals, and a pump for
//! blocking input.
//!
//! All of them send into one bounded [`Inbox`], so that the designer waits in one place. This module
//! decides nothing about designs or screens; it only keeps slow work away from the loop that draws.

mod autosave;
mod comparison;
mod detached;
mod expectations;
mod export;
mod export_target;
mod files;
mod generator;
mod import;
mod job;
mod metrics;
mod parallel;
mod preview;
mod regrow;
mod resolver;
mod search;
mod seed_gallery;
mod signals;
mod story;
mod stream;
mod survey;
mod timeout;
mod trials;
mod vault_browser;
mod wall_frequency;
mod watcher;

pub use autosave::{Autosaver, EmergencySave};
pub use comparison::{ComparisonReply, ComparisonRequest, ComparisonService};
pub use expectations::{ExpectationReply, ExpectationRequest, ExpectationService};
pub use export::{
    ExportPreview, ExportProgress, ExportReply, ExportReport, ExportRequest, ExportService, PreviewContent, deliver,
    deliver_into, needs_file,
};
pub use export_target::{ExportTarget, ResolvedTarget};
pub use files::{FileService, ReadReply, ReadRequest};
pub use generator::Generator;
pub use import::{
    ImportPreview, ImportReply, ImportRequest, ImportService, ImportedDesign, ReimportOutcome, ReimportReply,
    ReimportRequest,
};
pub use job::RunId;
#[cfg(test)]
pub(crate) use job::RunNumbers;
pub use metrics::{GrowthMoment, MetricsReply, MetricsRequest, MetricsService};
pub use preview::{Picture, Pixels, PreviewReply, PreviewService, PreviewSubject};
pub use regrow::RegrowService;
pub use resolver::VaultResolveService;
pub use search::{ATTEMPTS, SeedSearchReply, SeedSearchService};
pub use seed_gallery::{GrowthBatch, SeedBatch, SeedGalleryReply, SeedGalleryService};
pub use signals::Signals;
pub use story::{StoryReply, StoryRequest, StoryService};
pub use survey::SeedSurvey;
pub use timeout::soon;
pub use trials::{TrialReply, TrialRequest, TrialResult, TrialService, background_threads};
pub use vault_browser::{MapFacts, VaultRunReply, VaultRunRequest, VaultRunService};
pub use wall_frequency::{WallFrequencyReply, WallFrequencyService};
pub use watcher::WatchService;

use std::path::PathBuf;
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use crate::design::Diagnostic;
use crate::document::{Saved, VaultReply};
use crate::recording::{EventChunk, Recording, RegrownSegments};
use crate::reel::ReproductionCheck;
use crate::storage::RecoverableWork;

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
        track: EventChunk,
    },
    /// A run is over.
    Finished {
        /// Which run.
        run: RunId,
    },
    /// The run was a recording's, and was grown again to be compared.
    Again {
        /// Which run.
        run: RunId,
        /// What came of it.
        again: ReproductionCheck,
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
        retake: Result<RegrownSegments, String>,
    },
    /// The vaults of the open design are resolved.
    Resolved {
        /// Which request.
        run: RunId,
        /// What came of it; `Err` when a fault of the program ended it.
        reply: Result<Box<VaultReply>, String>,
    },
    /// Something on vaults.
    Vaults(VaultRunReply),
    /// Something for who chooses a design to open.
    Gallery(PreviewReply),
    /// Something for who looks at dungeons of many seeds.
    Sheet(SeedGalleryReply),
    /// What chance does with each square.
    Luck(WallFrequencyReply),
    /// Something for who compares two designs.
    Duel(ComparisonReply),
    /// Something on exports.
    Exported(ExportReply),
    /// Something on drawings that come in.
    Imported(ImportReply),
    /// A search for a seed is over.
    Sought {
        /// Which search.
        run: RunId,
        /// What came of it; `Err` when a fault of the program ended it.
        found: Result<SeedSearchReply, String>,
    },
    /// Something on variants of a design that are tried.
    Tried {
        /// Which request.
        run: RunId,
        /// What there is to tell.
        trial: TrialReply,
    },
    /// An inquiry is answered.
    Told {
        /// Which inquiry.
        run: RunId,
        /// What there is to tell; `Err` when a fault of the program ended it.
        told: Result<StoryReply, String>,
    },
    /// A dungeon is judged.
    Judged {
        /// Which case.
        run: RunId,
        /// What was found; `Err` when a fault of the program ended it.
        judged: Result<Box<MetricsReply>, String>,
    },
    /// A check of expectations over seeds goes on.
    Checked {
        /// Which check.
        run: RunId,
        /// What there is to tell.
        checked: ExpectationReply,
    },
    /// What was to be opened is read.
    Fetched {
        /// Which errand.
        run: RunId,
        /// What was read; `Err` when a fault of the program ended it.
        fetched: Result<Box<ReadReply>, String>,
    },
    /// What is open was read once more.
    Seen {
        /// Which errand.
        run: RunId,
        /// What was read; `Err` when a fault of the program ended it.
        fetched: Result<Box<ReadReply>, String>,
    },
    /// The open design was saved, or could not be.
    Saved {
        /// Which errand.
        run: RunId,
        /// What came of it; `Err` when a fault of the program ended it.
        saved: Result<Box<Saved>, String>,
    },
    /// A copy of the open design was written, or could not be.
    Copied {
        /// Which errand.
        run: RunId,
        /// What came of it; `Err` when a fault of the program ended it.
        saved: Result<Box<Saved>, String>,
    },
    /// It is known where an export goes.
    Located {
        /// Which errand.
        run: RunId,
        /// Where, or why it cannot be written.
        located: Result<ResolvedTarget, String>,
    },
    /// Watched files may have changed.
    FilesChanged(Vec<PathBuf>),
    /// Files are watched that were not: what was read before may have changed unseen.
    Watching,
    /// The watcher cannot see changes any more, and why.
    WatchFailed(String),
    /// The system refuses to notify of changes, for this reason: open files are polled from now on.
    Polled(String),
    /// What other runs left unsaved.
    Leftovers(Vec<RecoverableWork>),
    /// Unsaved work cannot be kept safe, and why.
    NotKept(String),
    /// The system asks the program to stop until it is continued.
    Stop,
    /// The program was stopped and is continued; whoever had the terminal meanwhile may have changed it.
    Continued,
    /// The system asks the program to end, by the signal of this number.
    Signal(i32),
    /// Something waits in the line of its own that input has. The inbox keeps it to itself.
    Rung,
}

/// The one place where all threads' messages arrive. Input has a line of its own and comes first: a growth at full speed
/// keeps the other one full.
#[derive(Debug)]
pub struct Inbox<I> {
    sender: SyncSender<Message<I>>,
    receiver: Receiver<Message<I>>,
    typed: Receiver<Message<I>>,
    typist: Sender<Message<I>>,
}

impl<I: Send + 'static> Inbox<I> {
    /// An empty inbox.
    pub fn new() -> Self {
        let (sender, receiver) = sync_channel(CAPACITY);
        let (typist, typed) = channel();
        Self {
            sender,
            receiver,
            typed,
            typist,
        }
    }

    /// A way to put messages in.
    pub fn sender(&self) -> SyncSender<Message<I>> {
        self.sender.clone()
    }

    /// The next message, input first; `None` when none came in time.
    pub fn wait(&self, timeout: Option<Duration>) -> Option<Message<I>> {
        let until = timeout.and_then(|timeout| Instant::now().checked_add(timeout));
        loop {
            if let Ok(typed) = self.typed.try_recv() {
                return Some(typed);
            }
            let message = match (timeout, until) {
                (Some(_), Some(until)) => {
                    let left = until.saturating_duration_since(Instant::now());
                    self.receiver.recv_timeout(left).ok()
                }
                _ => self.receiver.recv().ok(),
            }?;
            if !matches!(message, Message::Rung) {
                return Some(message);
            }
        }
    }

    /// The next message, if one is there already, input first.
    pub fn poll(&self) -> Option<Message<I>> {
        if let Ok(typed) = self.typed.try_recv() {
            return Some(typed);
        }
        let mut others = self.receiver.try_iter();
        others.find(|message| !matches!(message, Message::Rung))
    }

    /// Reads input with a blocking function on a thread of its own until it fails or the inbox is gone.
    /// The thread is not joined: a blocked read cannot be woken.
    ///
    /// # Errors
    ///
    /// When the system has no thread to give.
    pub fn pump(&self, mut read: impl FnMut() -> std::io::Result<I> + Send + 'static) -> std::io::Result<()> {
        let (typist, bell) = (self.typist.clone(), self.sender());
        thread::Builder::new().name("input".into()).spawn(move || {
            loop {
                let (message, last) = match read() {
                    Ok(input) => (Message::Input(input), false),
                    Err(error) => (Message::InputEnded(error.to_string()), true),
                };
                let gone = typist.send(message).is_err();
                // Where the other line is full nobody sleeps.
                let _ = bell.try_send(Message::Rung);
                if gone || last {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn input_comes_before_all_that_waits() {
        let inbox = Inbox::new();
        while inbox.sender().try_send(Message::Stop).is_ok() {}
        let mut keys = vec![3, 2, 1];
        inbox
            .pump(move || keys.pop().ok_or_else(|| std::io::Error::other("the end")))
            .unwrap();
        while !matches!(inbox.wait(None), Some(Message::Input(1))) {}
        // From now on the other line has room, so that it is rung.
        let mut heard = Vec::new();
        while heard.len() < 3 {
            match inbox.wait(Some(Duration::from_mins(1))) {
                Some(Message::Input(key)) => heard.push(key.to_string()),
                Some(Message::InputEnded(why)) => heard.push(why),
                Some(Message::Stop) => {}
                other => panic!("{other:?}"),
            }
        }
        assert_eq!(heard, ["2", "3", "the end"]);
        while let Some(message) = inbox.poll() {
            assert!(matches!(message, Message::Stop));
        }
        assert!(inbox.wait(Some(Duration::ZERO)).is_none());
    }
}
