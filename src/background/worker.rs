//! A worker thread that processes only the latest request.
//!
//! A new request makes the one under way stale at once: the work checks the latest number between its steps and while
//! it waits for room in the inbox. State kept between requests lives on the thread and need not be `Send`. A panic
//! becomes a message, and the state is created anew.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Sender, SyncSender, TrySendError, channel};
use std::thread;
use std::time::Duration;

use super::Message;
use super::job::panic_text;
use super::timeout::ThreadGroup;

/// Sleep between two attempts to send to a full inbox.
const FULL_INBOX_PAUSE: Duration = Duration::from_millis(1);

/// Number of a run. Later runs of the same thread have larger numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RunId(u64);

/// Source of run numbers for tests without a worker.
#[cfg(test)]
#[derive(Debug, Default)]
pub(crate) struct RunNumbers(AtomicU64);

#[cfg(test)]
impl RunNumbers {
    /// Returns the next number.
    pub(crate) fn next(&self) -> RunId {
        RunId::next(&self.0)
    }
}

impl RunId {
    /// Increments `latest` and returns the new number.
    pub(super) fn next(latest: &AtomicU64) -> Self {
        Self(latest.fetch_add(1, Ordering::Relaxed) + 1)
    }
}

/// A worker thread. Dropping it cancels the run under way and joins the thread; a thread that hangs on I/O is left
/// behind.
#[derive(Debug)]
pub(super) struct Worker<R> {
    requests: Option<Sender<(RunId, R)>>,
    latest: Arc<AtomicU64>,
    /// Joined on drop, with a timeout.
    _thread: ThreadGroup,
}

impl<R: Send + 'static> Worker<R> {
    /// Starts the thread, which creates its work function with `begin` and sends its messages to `inbox`; `broken`
    /// turns a panic message into a message.
    ///
    /// # Errors
    ///
    /// Returns the system's error if the thread cannot be spawned.
    pub(super) fn start<I, W>(
        name: &str,
        inbox: SyncSender<Message<I>>,
        broken: fn(RunId, String) -> Message<I>,
        begin: impl Fn() -> W + Send + 'static,
    ) -> std::io::Result<Self>
    where
        I: Send + 'static,
        W: FnMut(RunId, R, &JobContext<I>),
    {
        let (requests, receiver) = channel();
        let latest = Arc::new(AtomicU64::new(0));
        let line = JobContext::new(inbox, Arc::clone(&latest));
        let thread = ThreadGroup::default();
        thread.spawn(name, move || {
            let mut work = begin();
            while let Ok((run, request)) = receiver.recv() {
                if line.is_stale(run) {
                    continue;
                }
                if let Err(panic) = catch_unwind(AssertUnwindSafe(|| work(run, request, &line))) {
                    work = begin();
                    line.send(run, broken(run, panic_text(panic.as_ref())));
                }
            }
        })?;
        Ok(Self {
            requests: Some(requests),
            latest,
            _thread: thread,
        })
    }

    /// Cancels the run under way and begins another. Messages of the new run carry the number returned.
    pub(super) fn ask(&self, request: R) -> RunId {
        let run = RunId::next(&self.latest);
        if let Some(requests) = &self.requests {
            // A dead thread has already reported its end; there is no receiver.
            let _ = requests.send((run, request));
        }
        run
    }
}

impl<R> Worker<R> {
    /// Cancels the run under way.
    pub(super) fn cancel(&self) {
        RunId::next(&self.latest);
    }
}

impl<R> Drop for Worker<R> {
    fn drop(&mut self) {
        self.cancel();
        self.requests = None;
    }
}

/// Sender of a job's messages, which also detects stale runs.
pub(super) struct JobContext<I> {
    inbox: SyncSender<Message<I>>,
    latest: Arc<AtomicU64>,
}

impl<I> JobContext<I> {
    /// Creates a context for runs that are wanted while their number equals `latest`.
    pub(super) const fn new(inbox: SyncSender<Message<I>>, latest: Arc<AtomicU64>) -> Self {
        Self { inbox, latest }
    }

    /// Returns whether another run was requested since, or this one was cancelled.
    pub(super) fn is_stale(&self, run: RunId) -> bool {
        self.latest.load(Ordering::Relaxed) != run.0
    }

    /// Sends a message, waiting for room; returns false if the run is stale or the inbox is gone.
    pub(super) fn send(&self, run: RunId, mut message: Message<I>) -> bool {
        loop {
            if self.is_stale(run) {
                return false;
            }
            match self.inbox.try_send(message) {
                Ok(()) => return true,
                Err(TrySendError::Disconnected(_)) => return false,
                Err(TrySendError::Full(back)) => message = back,
            }
            thread::sleep(FULL_INBOX_PAUSE);
        }
    }
}
