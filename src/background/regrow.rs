//! Grows the discarded segments of a recording again, on its own thread beside the run under way.
//!
//! A new request makes the previous one stale.

use std::sync::mpsc::SyncSender;

use super::Message;
use super::worker::{JobContext, RunId, Worker};
use crate::recording::RegrowRequest;

/// The regrowth thread. Dropping it cancels the request under way and joins the thread.
#[derive(Debug)]
pub struct RegrowService(Worker<RegrowRequest>);

impl RegrowService {
    /// Starts the thread, which sends its messages to `inbox`.
    ///
    /// # Errors
    ///
    /// Returns the system's error if the thread cannot be spawned.
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

    /// Cancels the request under way and begins another. The reply carries the number returned.
    pub fn ask(&self, errand: RegrowRequest) -> RunId {
        self.0.ask(errand)
    }
}
