//! A thread that does the latest of what it was asked for.
//!
//! A new request makes the one under way stale at once: the work looks at the latest number between its steps
//! and while it waits for room in the inbox. What the work keeps between requests lives on the
//! thread and need not be able to leave it. A fault of the program becomes a message; the work begins afresh.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Sender, SyncSender, TrySendError, channel};
use std::thread;
use std::time::Duration;

use super::Message;
use super::timeout::JoinWithTimeout;

/// How long the thread sleeps when the inbox is full.
const FULL_INBOX_PAUSE: Duration = Duration::from_millis(1);

/// The number of a run. A later run of the same thread has a larger number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RunId(u64);

/// Numbers for runs, for who has them done elsewhere.
#[cfg(test)]
#[derive(Debug, Default)]
pub(crate) struct RunNumbers(AtomicU64);

#[cfg(test)]
impl RunNumbers {
    /// The next number.
    pub(crate) fn next(&self) -> RunId {
        RunId::next(&self.0)
    }
}

impl RunId {
    /// The number after the last one, which it becomes.
    pub(super) fn next(latest: &AtomicU64) -> Self {
        Self(latest.fetch_add(1, Ordering::Relaxed) + 1)
    }
}

/// The thread. Dropping it cancels the run under way and joins the thread; one that hangs, as a drive does not answer, is left
/// behind.
#[derive(Debug)]
pub(super) struct Worker<R> {
    requests: Option<Sender<(RunId, R)>>,
    latest: Arc<AtomicU64>,
    /// Its end is waited for.
    _thread: JoinWithTimeout,
}

impl<R: Send + 'static> Worker<R> {
    /// Starts the thread, which makes its work by `begin`; what it says goes to `inbox`, and what a fault of the
    /// program says becomes a message by `broken`.
    ///
    /// # Errors
    ///
    /// When the system has no thread to give.
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
        let thread = JoinWithTimeout::start(name, move || {
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
            // A dead thread has said so with a message; there is nobody left to ask.
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

/// Where messages go, and how the thread learns that nobody wants them any more.
pub(super) struct JobContext<I> {
    inbox: SyncSender<Message<I>>,
    latest: Arc<AtomicU64>,
}

impl<I> JobContext<I> {
    /// A line to an inbox, for who is wanted while its number is the latest.
    pub(super) const fn new(inbox: SyncSender<Message<I>>, latest: Arc<AtomicU64>) -> Self {
        Self { inbox, latest }
    }

    /// Whether another run was asked for since, or none any more.
    pub(super) fn is_stale(&self, run: RunId) -> bool {
        self.latest.load(Ordering::Relaxed) != run.0
    }

    /// Returns whether another run was asked for since, for work that cannot borrow the line.
    pub(super) fn staleness(&self, run: RunId) -> impl Fn() -> bool + 'static {
        let latest = Arc::clone(&self.latest);
        move || latest.load(Ordering::Relaxed) != run.0
    }

    /// Sends a message, waiting for room; false when the run is stale or nobody listens.
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

/// What a fault of the program said.
pub(super) fn panic_text(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|s| (*s).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "no reason given".into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::background::Inbox;

    #[test]
    fn work_that_hangs_keeps_nobody_from_leaving() {
        let inbox = Inbox::<String>::new();
        let (end, waits) = channel::<()>();
        let waits = std::sync::Mutex::new(Some(waits));
        let lane = Worker::start(
            "test",
            inbox.sender(),
            |_, why| Message::Input(why),
            move || {
                let waits = waits.lock().unwrap().take();
                move |run, (): (), line: &JobContext<String>| {
                    line.send(run, Message::Input("begins".into()));
                    waits.as_ref().unwrap().recv().unwrap_err();
                }
            },
        )
        .unwrap();
        lane.ask(());
        assert!(matches!(inbox.wait(None), Some(Message::Input(_))));
        drop(lane);
        drop(end);
    }

    #[test]
    fn a_fault_is_told_and_the_work_begins_afresh() {
        let inbox = Inbox::<String>::new();
        let lane = Worker::start(
            "test",
            inbox.sender(),
            |_, why| Message::Input(why),
            || {
                let mut count = 0;
                move |run, wish: &'static str, line: &JobContext<String>| {
                    count += 1;
                    assert!(wish != "break", "broken as wished");
                    line.send(run, Message::Input(format!("{wish} {count}")));
                }
            },
        )
        .unwrap();
        let mut heard = Vec::new();
        for wish in ["one", "break", "three"] {
            lane.ask(wish);
            match inbox.wait(None) {
                Some(Message::Input(text)) => heard.push(text),
                other => panic!("{other:?}"),
            }
        }
        assert_eq!(heard, ["one 1", "broken as wished", "three 1"]);
    }
}
