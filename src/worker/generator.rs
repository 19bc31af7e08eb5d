//! The background generator: grows the latest design asked for and streams what happens.
//!
//! One thread, one run at a time. A new request cancels the run under way at once: the thread looks at
//! the latest run number between iterations and while it waits for room in the inbox. Messages hold as
//! many iterations as fit a size, one at least.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, SyncSender, TrySendError, channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use super::Message;
use crate::design::ValidDesign;
use crate::engine::{Growth, Options};
use crate::recording::{Recording, Track};

/// Events after which a message is sent, at the end of an iteration.
const EVENTS_PER_MESSAGE: u64 = 4096;

/// Turns between two looks at the latest run number, inside long iterations.
const TURNS_PER_LOOK: u32 = 256;

/// How long the thread sleeps when the inbox is full.
const FULL_INBOX_PAUSE: Duration = Duration::from_millis(1);

/// The number of a run. A later run has a larger number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RunId(u64);

struct Request {
    run: RunId,
    design: ValidDesign,
    options: Options,
}

/// The generator's thread. Dropping it cancels the run under way and joins the thread.
#[derive(Debug)]
pub struct Generator {
    requests: Option<Sender<Request>>,
    latest: Arc<AtomicU64>,
    thread: Option<JoinHandle<()>>,
}

impl Generator {
    /// Starts the thread; its messages go to `inbox`.
    ///
    /// # Errors
    ///
    /// When the system has no thread to give.
    pub fn new<I: Send + 'static>(inbox: SyncSender<Message<I>>) -> std::io::Result<Self> {
        let (requests, receiver) = channel();
        let latest = Arc::new(AtomicU64::new(0));
        let line = Line {
            inbox,
            latest: Arc::clone(&latest),
        };
        let thread = thread::Builder::new()
            .name("generator".into())
            .spawn(move || serve(&receiver, &line))?;
        Ok(Self {
            requests: Some(requests),
            latest,
            thread: Some(thread),
        })
    }

    /// Cancels the run under way and grows `design`. Messages of the new run carry the number returned.
    pub fn grow(&self, design: ValidDesign, options: Options) -> RunId {
        let run = RunId(self.latest.fetch_add(1, Ordering::Relaxed) + 1);
        if let Some(requests) = &self.requests {
            // A dead thread has said so with a `Broken` message; there is nobody left to ask.
            let _ = requests.send(Request { run, design, options });
        }
        run
    }

    /// Cancels the run under way.
    pub fn cancel(&self) {
        self.latest.fetch_add(1, Ordering::Relaxed);
    }
}

impl Drop for Generator {
    fn drop(&mut self) {
        self.cancel();
        self.requests = None;
        if let Some(thread) = self.thread.take() {
            // Its panics are caught and reported as messages; a failed join has nothing to add.
            let _ = thread.join();
        }
    }
}

/// Where messages go, and how the thread learns that nobody wants them any more.
struct Line<I> {
    inbox: SyncSender<Message<I>>,
    latest: Arc<AtomicU64>,
}

impl<I> Line<I> {
    fn is_stale(&self, run: RunId) -> bool {
        self.latest.load(Ordering::Relaxed) != run.0
    }

    /// Sends a message, waiting for room; false when the run is stale or nobody listens.
    fn send(&self, run: RunId, mut message: Message<I>) -> bool {
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

fn serve<I>(requests: &Receiver<Request>, line: &Line<I>) {
    while let Ok(request) = requests.recv() {
        let run = request.run;
        let outcome = catch_unwind(AssertUnwindSafe(|| grow(&request, line)));
        if let Err(panic) = outcome {
            line.send(
                run,
                Message::Broken {
                    run,
                    why: panic_text(panic.as_ref()),
                },
            );
        }
    }
}

fn panic_text(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|s| (*s).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "no reason given".into())
}

/// Grows one request to its end; returns early when the run is stale.
fn grow<I>(request: &Request, line: &Line<I>) {
    let run = request.run;
    if line.is_stale(run) {
        return;
    }
    let mut track = Track::default();
    let mut growth = Growth::new(&request.design, request.options, &mut track);
    let recording = Box::new(Recording::new(growth.grid().clone(), std::mem::take(&mut track)));
    let diagnostics = growth.diagnostics().to_vec();
    if !line.send(
        run,
        Message::Started {
            run,
            recording,
            diagnostics,
        },
    ) {
        return;
    }
    let mut turns: u32 = 0;
    loop {
        let iteration = growth.clock().iteration;
        let grew = growth.turn(&mut track);
        turns = turns.wrapping_add(1);
        if turns.is_multiple_of(TURNS_PER_LOOK) && line.is_stale(run) {
            return;
        }
        let full = track.events() >= EVENTS_PER_MESSAGE && growth.clock().iteration != iteration;
        if full || !grew {
            let track = if grew {
                track.take_turns()
            } else {
                std::mem::take(&mut track)
            };
            if !line.send(run, Message::Grown { run, track }) {
                return;
            }
        }
        if !grew {
            line.send(run, Message::Finished { run });
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::design::Design;
    use crate::worker::Inbox;

    fn valid() -> ValidDesign {
        Design::default().validate(None).design.unwrap()
    }

    #[test]
    fn a_run_starts_grows_and_finishes_under_its_number() {
        let inbox = Inbox::<()>::new();
        let generator = Generator::new(inbox.sender()).unwrap();
        let run = generator.grow(valid(), Options::default());
        let mut said = Vec::new();
        loop {
            match inbox.wait(None).unwrap() {
                Message::Started { run: r, .. } if r == run => said.push("started"),
                Message::Grown { run: r, .. } if r == run => said.push("grown"),
                Message::Finished { run: r } if r == run => break,
                other => panic!("{other:?}"),
            }
        }
        assert_eq!(said[0], "started");
        assert_eq!(said.last(), Some(&"grown"));
    }

    #[test]
    fn a_full_inbox_does_not_keep_the_generator_from_stopping() {
        let inbox = Inbox::<()>::new();
        let generator = Generator::new(inbox.sender()).unwrap();
        for _ in 0..200 {
            generator.grow(valid(), Options::default());
        }
        drop(generator); // joins; hangs here if a blocked send did not notice
    }
}
