//! Detached tasks: one thread per request, for work that may hang beyond recall, such as I/O on an unresponsive
//! drive.
//!
//! A new request makes the previous one stale without waiting for it; a thread that hangs is left behind. On drop,
//! reading tasks are not awaited; writing tasks get a short time to end cleanly. A panic becomes a message.

use std::convert::Infallible;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::sync::mpsc::{Receiver, SyncSender, channel};
use std::thread;

use super::Message;
use super::job::panic_text;
use super::timeout::TIMEOUT;
use super::worker::{JobContext, RunId};

/// Spawner of the tasks of one kind.
pub(super) struct DetachedTasks<R> {
    latest: Arc<AtomicU64>,
    go: Option<SpawnTask<R>>,
    /// Never receives anything; disconnects once all tasks have ended.
    end: Receiver<Infallible>,
    /// Whether dropping waits for the tasks, with a timeout.
    is_awaited: bool,
}

/// Spawns the thread of a task.
type SpawnTask<R> = Box<dyn Fn(RunId, R) + Send>;

impl<R> std::fmt::Debug for DetachedTasks<R> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Errands")
            .field("latest", &self.latest)
            .finish_non_exhaustive()
    }
}

impl<R: Send + 'static> DetachedTasks<R> {
    /// Defines the task: `work` sends its messages to `inbox`; a panic is sent as the message that `broken` makes.
    pub(super) fn new<I: Send + 'static>(
        name: &'static str,
        inbox: SyncSender<Message<I>>,
        broken: fn(RunId, String) -> Message<I>,
        work: impl Fn(RunId, R, &JobContext<I>) + Send + Sync + 'static,
    ) -> Self {
        let latest = Arc::new(AtomicU64::new(0));
        let (newest, work) = (Arc::clone(&latest), Arc::new(work));
        let (alive, end) = channel();
        let go = move |run: RunId, request: R| {
            let line = JobContext::new(inbox.clone(), Arc::clone(&newest));
            let (work, alive) = (Arc::clone(&work), alive.clone());
            let gone = thread::Builder::new().name(name.into()).spawn(move || {
                let _alive = alive;
                if let Err(panic) = catch_unwind(AssertUnwindSafe(|| work(run, request, &line))) {
                    line.send(run, broken(run, panic_text(panic.as_ref())));
                }
            });
            if let Err(error) = gone {
                // The loop that reads the inbox is the caller, so waiting for room here would deadlock.
                let _ = inbox.try_send(broken(run, format!("the system has no thread to give: {error}")));
            }
        };
        Self {
            latest,
            go: Some(Box::new(go)),
            end,
            is_awaited: false,
        }
    }

    /// Makes dropping wait for running tasks, with a timeout.
    pub(super) fn awaited(self) -> Self {
        let mut awaited = self;
        awaited.is_awaited = true;
        awaited
    }

    /// Spawns a task and makes the previous one stale. Its messages carry the number returned.
    pub(super) fn ask(&self, request: R) -> RunId {
        let run = RunId::next(&self.latest);
        if let Some(go) = &self.go {
            go(run, request);
        }
        run
    }
}

impl<R> DetachedTasks<R> {
    /// Makes the running task stale.
    pub(super) fn cancel(&self) {
        RunId::next(&self.latest);
    }
}

impl<R> Drop for DetachedTasks<R> {
    fn drop(&mut self) {
        self.cancel();
        self.go = None;
        if self.is_awaited {
            // Either disconnected or timed out.
            let _ = self.end.recv_timeout(TIMEOUT);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;
    use std::sync::mpsc::channel;

    use super::*;
    use crate::background::Inbox;

    #[test]
    fn an_errand_that_hangs_keeps_nobody_and_is_not_heard_of() {
        let inbox = Inbox::<String>::new();
        let (end, waited) = channel::<()>();
        let waited = Mutex::new(Some(waited));
        let errands = DetachedTasks::<&str>::new(
            "test",
            inbox.sender(),
            |_, why| Message::Input(why),
            move |run, wish: &str, line: &JobContext<String>| {
                assert!(wish != "break", "broken as wished");
                if wish == "hang" {
                    let other = waited.lock().unwrap().take().unwrap();
                    // Blocks until the other end is dropped.
                    other.recv().unwrap_err();
                }
                line.send(run, Message::Input(wish.to_owned()));
            },
        );
        let mut heard = Vec::new();
        errands.ask("hang");
        for wish in ["one", "break", "three"] {
            errands.ask(wish);
            match inbox.wait(None) {
                Some(Message::Input(text)) => heard.push(text),
                other => panic!("{other:?}"),
            }
        }
        assert_eq!(heard, ["one", "broken as wished", "three"]);
        // Not even where dropping waits for the tasks.
        drop(errands.awaited());
        drop(end);
        assert!(inbox.poll().is_none());
    }

    #[test]
    fn who_is_awaited_is_back_at_the_end() {
        let inbox = Inbox::<String>::new();
        let (done, was_done) = channel();
        let done = Mutex::new(done);
        let errands = DetachedTasks::new("test", inbox.sender(), |_, why| Message::Input(why), {
            move |_, wish: &'static str, _: &JobContext<String>| done.lock().unwrap().send(wish).unwrap()
        });
        let errands = errands.awaited();
        errands.ask("one");
        errands.ask("two");
        drop(errands);
        let mut all: Vec<&str> = was_done.try_iter().collect();
        all.sort_unstable();
        assert_eq!(all, ["one", "two"]);
    }
}
