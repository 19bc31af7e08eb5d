//! Growing again what a recording gave up, on a thread of its own: the run under way goes on beside it.
//!
//! The latest errand makes the one before stale.

use std::sync::mpsc::SyncSender;

use super::Message;
use super::job::{JobContext, RunId, Worker};
use crate::recording::RegrowRequest;

/// The thread. Dropping it ends the errand under way and joins the thread.
#[derive(Debug)]
pub struct RegrowService(Worker<RegrowRequest>);

impl RegrowService {
    /// Starts the thread; its messages go to `inbox`.
    ///
    /// # Errors
    ///
    /// When the system has no thread to give.
    pub fn new<I: Send + 'static>(inbox: SyncSender<Message<I>>) -> std::io::Result<Self> {
        let broken = |run, why| Message::Regrown { run, retake: Err(why) };
        Worker::start("regrower", inbox, broken, || {
            |run, errand: RegrowRequest, line: &JobContext<I>| {
                if let Some(retake) = errand.run(|| !line.is_stale(run)) {
                    let retake = Ok(retake);
                    line.send(run, Message::Regrown { run, retake });
                }
            }
        })
        .map(Self)
    }

    /// Ends the errand under way and does another. What it brings carries the number returned.
    pub fn ask(&self, errand: RegrowRequest) -> RunId {
        self.0.ask(errand)
    }
}
