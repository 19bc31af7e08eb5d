//! Background threads and their messages.
//!
//! Most of the designer's slow work is done by jobs: request types that implement [`Job`] and are listed in `requests`.
//! Other threads watch files, save unsaved work, handle signals, serve the control socket and read terminal input. All
//! these threads send into one [`Inbox`], so that the event loop waits in one place. Only the threads of an
//! [`EditorConnection`], which serve the language server, have their own channels. This module makes no decisions about
//! designs or screens; it only keeps slow work away from the event loop.

mod atlas;
mod autosave;
mod comparison;
mod control;
mod counterfactual;
mod editor_connection;
mod expectations;
mod export;
mod export_target;
mod files;
mod growth;
mod import;
mod job;
mod metrics;
mod pool;
mod preview;
mod regrow;
mod requests;
mod resolver;
mod scatter;
mod search;
mod seed_gallery;
mod signals;
mod story;
mod survey;
mod timeout;
mod trials;
mod vault_browser;
mod wall_frequency;
mod watcher;

pub use atlas::{
    AtlasFile, AtlasFileError, AtlasFileReply, AtlasFileRequest, AtlasSubject, AtlasTrials, MOST_ATLAS_SEEDS,
};
pub use autosave::{AutosaveError, Autosaver, EmergencySave};
pub use comparison::{ComparisonReply, ComparisonRequest, TraceReply, TraceRequest};
pub use control::{
    ActionArgs, ControlAnswer, ControlClient, ControlCommand, ControlError, ControlReply, ControlRequest,
    ControlSender, ControlSocket, DungeonArgs, DungeonContent, DungeonMoment, DungeonQuery, GrowArgs, Square, connect,
    spawn_client,
};
pub use counterfactual::{CounterfactualReply, CounterfactualRequest, CounterfactualSubject, Undoing, causes, undo};
pub use editor_connection::{EditorConnection, Incoming};
pub use expectations::{ExpectationReply, ExpectationRequest};
pub use export::{
    ExportPreview, ExportPreviewRequest, ExportProgress, ExportReply, ExportReport, ExportRequest, FileSize,
    PreviewContent, companion, needs_file, write_export, write_export_into,
};
pub use export_target::{ExportTarget, ResolvedTarget, files_of};
pub use files::{CopyRequest, OpenRequest, ReadReply, ReadRequest, ReloadRequest, SaveRequest};
pub use growth::{GrowthReply, GrowthRequest};
pub use import::{ImportPreview, ImportRequest, ImportedDesign, ReimportOutcome, ReimportReply, ReimportRequest};
pub use job::{Cancelled, Job, JobCx, JobError, Policy, Ticket};
pub use metrics::{GrowthMoment, MetricsReply, MetricsRequest};
pub use pool::{background_threads, in_order, threads};
pub use preview::{FolderReply, FolderRequest, Picture, PictureRequest, Pixels, PreviewSubject};
pub use requests::{InlineJobs, JobReply, JobRequest, Jobs};
pub use scatter::ScatterRequest;
pub use search::{ATTEMPTS, SeedSearchReply, SeedSearchRequest};
pub use seed_gallery::{GrowthBatch, GrowthBatchReply, SeedBatch, SeedBatchReply};
pub use signals::Signals;
pub use story::{StoryReply, StoryRequest};
pub use survey::SeedSurvey;
pub use timeout::with_timeout;
pub use trials::{TrialReply, TrialRequest, TrialResult};
pub use vault_browser::{MapFacts, VaultRunReply, VaultRunRequest};
pub use wall_frequency::{WallFrequencyReply, WallFrequencyRequest};
pub use watcher::WatchService;

use std::path::PathBuf;
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::time::{Duration, Instant};

use crate::storage::RecoverableWork;

/// Capacity of the inbox, in messages. Senders block while it is full.
const CAPACITY: usize = 64;

/// A message from a background thread. `I` is the type of terminal input.
#[derive(Debug)]
pub enum Message<I> {
    /// Terminal input: a key, a mouse event or a resize.
    Input(I),
    /// Terminal input ended or failed, with this error message. No more input follows.
    InputEnded(String),
    /// A reply from a job, with the ticket of the job's request.
    Reply(Ticket, JobReply),
    /// These watched files may have changed.
    FilesChanged(Vec<PathBuf>),
    /// The watcher has begun to watch new folders. Files in them may have changed unnoticed after they were read.
    Watching,
    /// The watcher failed, with this error message.
    WatchFailed(String),
    /// The system's file notifications do not work, for this reason. Open files are polled from now on.
    Polled(String),
    /// Unsaved work that other runs of the program left behind.
    Recoverable(Vec<RecoverableWork>),
    /// Autosave failed, with this error. Consecutive failures are reported only once.
    AutosaveFailed(AutosaveError),
    /// Autosave succeeded for the first time since [`Self::AutosaveFailed`].
    AutosaveWorks,
    /// The system asks the program to stop (suspend) until it is continued.
    Stop,
    /// The program was continued after a stop. Other programs may have changed the terminal in the meantime.
    Continued,
    /// The system asks the program to end, with this signal number.
    Signal(i32),
    /// A request from a client of the control socket.
    Request(Box<ControlRequest>),
    /// The client that drives a designer without a terminal has ended. Such a designer has no other client.
    ClientGone,
    /// Wakes the inbox when terminal input has arrived in its separate channel. Callers of the inbox never receive
    /// `Wake`.
    Wake,
}

/// Receiver of all threads' messages. The threads share a bounded channel. Terminal input has a separate, unbounded
/// channel and takes precedence, since a growth at full speed keeps the bounded channel full.
#[derive(Debug)]
pub struct Inbox<I> {
    sender: SyncSender<Message<I>>,
    receiver: Receiver<Message<I>>,
    typed: Receiver<Message<I>>,
    typist: Sender<Message<I>>,
}

impl<I: Send + 'static> Inbox<I> {
    /// Creates an empty inbox.
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

    /// Returns a sender into the bounded channel.
    pub fn sender(&self) -> SyncSender<Message<I>> {
        self.sender.clone()
    }

    /// Waits for the next message, terminal input first. Returns `None` on timeout. Without a timeout, blocks until a
    /// message arrives.
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
            if !matches!(message, Message::Wake) {
                return Some(message);
            }
        }
    }

    /// Returns a message that has already arrived, terminal input first; `None` if there is none.
    pub fn poll(&self) -> Option<Message<I>> {
        if let Ok(typed) = self.typed.try_recv() {
            return Some(typed);
        }
        let mut others = self.receiver.try_iter();
        others.find(|message| !matches!(message, Message::Wake))
    }

    /// Starts a thread that calls the blocking function `read` and sends its results to this inbox, until `read`
    /// fails or the inbox is dropped. The thread is not joined, since a blocked read cannot be interrupted.
    ///
    /// # Errors
    ///
    /// Returns the system's error if the thread cannot be spawned.
    pub fn pump(&self, mut read: impl FnMut() -> std::io::Result<I> + Send + 'static) -> std::io::Result<()> {
        let (typist, bell) = (self.typist.clone(), self.sender());
        timeout::spawn("input", move || {
            loop {
                let (message, last) = match read() {
                    Ok(input) => (Message::Input(input), false),
                    Err(error) => (Message::InputEnded(error.to_string()), true),
                };
                let gone = typist.send(message).is_err();
                // If the bounded channel is full, no wake-up is needed: its receiver has messages to process, so it
                // does not sleep.
                let _ = bell.try_send(Message::Wake);
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

/// Drops a value on another thread, since freeing a long recording takes longer than a frame.
pub fn drop_in_background<T: Send + 'static>(value: T) {
    // If the thread cannot be spawned, the value is dropped on this thread.
    let _ = timeout::spawn("drop", move || drop(value));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn input_comes_before_waiting_messages() {
        let inbox = Inbox::new();
        while inbox.sender().try_send(Message::Stop).is_ok() {}
        let mut keys = vec![3, 2, 1];
        inbox
            .pump(move || keys.pop().ok_or_else(|| std::io::Error::other("the end")))
            .unwrap();
        while !matches!(inbox.wait(None), Some(Message::Input(1))) {}
        // From now on the bounded channel has room, so input wakes the inbox.
        let mut received = Vec::new();
        while received.len() < 3 {
            match inbox.wait(Some(Duration::from_mins(1))) {
                Some(Message::Input(key)) => received.push(key.to_string()),
                Some(Message::InputEnded(why)) => received.push(why),
                Some(Message::Stop) => {}
                other => panic!("{other:?}"),
            }
        }
        assert_eq!(received, ["2", "3", "the end"]);
        while let Some(message) = inbox.poll() {
            assert!(matches!(message, Message::Stop));
        }
        assert!(inbox.wait(Some(Duration::ZERO)).is_none());
    }
}
