//! Threads that do one errand each, for work that may hang where nobody can wake it: a drive that does not answer.
//!
//! A new errand makes the one before stale, but never waits for it; a thread that hangs is left behind, and is not
//! joined when the program ends. What a fault of the program says becomes a message.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::sync::mpsc::SyncSender;
use std::thread;

use super::Message;
use super::lane::{Line, RunId, panic_text};

/// Those who go on errands of one sort.
pub(super) struct Errands<R> {
    latest: Arc<AtomicU64>,
    go: Box<dyn Fn(RunId, R) + Send>,
}

impl<R> std::fmt::Debug for Errands<R> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Errands")
            .field("latest", &self.latest)
            .finish_non_exhaustive()
    }
}

impl<R: Send + 'static> Errands<R> {
    /// Says what an errand is: what `work` says goes to `inbox`, and so does why it broke off, by `broken`.
    pub(super) fn new<I: Send + 'static>(
        name: &'static str,
        inbox: SyncSender<Message<I>>,
        broken: fn(RunId, String) -> Message<I>,
        work: impl Fn(RunId, R, &Line<I>) + Send + Sync + 'static,
    ) -> Self {
        let latest = Arc::new(AtomicU64::new(0));
        let (newest, work) = (Arc::clone(&latest), Arc::new(work));
        let go = move |run: RunId, request: R| {
            let line = Line::new(inbox.clone(), Arc::clone(&newest));
            let work = Arc::clone(&work);
            let gone = thread::Builder::new().name(name.into()).spawn(move || {
                if let Err(panic) = catch_unwind(AssertUnwindSafe(|| work(run, request, &line))) {
                    line.send(run, broken(run, panic_text(panic.as_ref())));
                }
            });
            if let Err(error) = gone {
                // A full inbox is read by who waits for this; there is no thread that could wait for room.
                let _ = inbox.try_send(broken(run, format!("the system has no thread to give: {error}")));
            }
        };
        Self {
            latest,
            go: Box::new(go),
        }
    }

    /// Begins an errand; the one before is stale. Its messages carry the number returned.
    pub(super) fn ask(&self, request: R) -> RunId {
        let run = RunId::next(&self.latest);
        (self.go)(run, request);
        run
    }
}

impl<R> Errands<R> {
    /// What is under way is not wanted any more.
    pub(super) fn cancel(&self) {
        RunId::next(&self.latest);
    }
}

impl<R> Drop for Errands<R> {
    fn drop(&mut self) {
        self.cancel();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;
    use std::sync::mpsc::channel;

    use super::*;
    use crate::worker::Inbox;

    #[test]
    fn an_errand_that_hangs_keeps_nobody_and_is_not_heard_of() {
        let inbox = Inbox::<String>::new();
        let (end, waited) = channel::<()>();
        let waited = Mutex::new(Some(waited));
        let errands = Errands::new(
            "test",
            inbox.sender(),
            |_, why| Message::Input(why),
            move |run, wish: &str, line: &Line<String>| {
                assert!(wish != "break", "broken as wished");
                if wish == "hang" {
                    let other = waited.lock().unwrap().take().unwrap();
                    // Until the other end is gone.
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
        drop(end);
        drop(errands);
        assert!(inbox.poll().is_none());
    }
}
