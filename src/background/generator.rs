//! Background growth: grows the latest requested design and streams its events.
//!
//! One run at a time. A new request cancels the run under way at once: the latest run number is checked between
//! iterations. A message holds as many iterations as fit its size limit, and at least one.

use std::sync::Arc;
use std::sync::mpsc::SyncSender;

use super::Message;
use super::worker::{JobContext, RunId, Worker};
use crate::design::ValidDesign;
use crate::engine::{Growth, Options, stage_one};
use crate::recording::{DEFAULT_LIMIT, Recorder, Recording};
use crate::reel::RecordingFile;

/// Number of events after which a message is sent, at the end of an iteration.
const EVENTS_PER_MESSAGE: u64 = 4096;

/// Number of turns between two checks of the latest run number, inside long iterations.
const TURNS_PER_LOOK: u32 = 256;

#[derive(Debug)]
enum Request {
    Grow(Growing),
    Replay(Arc<RecordingFile>, usize),
    Compare(Arc<RecordingFile>),
}

#[derive(Debug)]
struct Growing {
    design: ValidDesign,
    options: Options,
    limit: usize,
}

/// The generator thread. Dropping it cancels the run under way and joins the thread.
#[derive(Debug)]
pub struct Generator {
    lane: Worker<Request>,
    limit: usize,
}

impl Generator {
    /// Starts the thread, which sends its messages to `inbox`.
    ///
    /// # Errors
    ///
    /// Returns the system's error if the thread cannot be spawned.
    pub fn new<I: Send + 'static>(inbox: SyncSender<Message<I>>) -> std::io::Result<Self> {
        let broken = |run, why| Message::Broken { run, why };
        Worker::start("generator", inbox, broken, || {
            |run, request, line: &JobContext<I>| match request {
                Request::Grow(growing) => grow(run, &growing, line),
                Request::Replay(reel, limit) => replay(run, &reel, limit, line),
                Request::Compare(reel) => compare(run, &reel, line),
            }
        })
        .map(|lane| Self {
            lane,
            limit: DEFAULT_LIMIT,
        })
    }

    /// Sets the memory limit of each recording, in bytes.
    #[must_use]
    pub fn limited(mut self, bytes: usize) -> Self {
        self.limit = bytes;
        self
    }

    /// Changes the memory limit of future recordings, in bytes.
    pub const fn limit(&mut self, bytes: usize) {
        self.limit = bytes;
    }

    /// Cancels the run under way and grows `design`. Messages of the new run carry the number returned.
    pub fn grow(&self, design: ValidDesign, options: Options) -> RunId {
        let limit = self.limit;
        self.lane.ask(Request::Grow(Growing { design, options, limit }))
    }

    /// Cancels the run under way and plays a recording as if it had just grown. Then its design is grown again, and
    /// [`Message::Again`] reports whether the result is the same.
    pub fn replay(&self, reel: Arc<RecordingFile>) -> RunId {
        self.lane.ask(Request::Replay(reel, self.limit))
    }

    /// Cancels the run under way and checks whether a recording can be reproduced; the reply is a [`Message::Again`].
    pub fn compare(&self, reel: Arc<RecordingFile>) -> RunId {
        self.lane.ask(Request::Compare(reel))
    }

    /// Cancels the run under way.
    pub fn cancel(&self) {
        self.lane.cancel();
    }
}

/// Grows one request to its end; returns early if the run is stale.
fn grow<I>(run: RunId, request: &Growing, line: &JobContext<I>) {
    let mut recorder = Recorder::limited(request.limit);
    let mut growth = Growth::new(&request.design, request.options, &mut recorder);
    let mut recording = Box::new(Recording::new(growth.grid().clone(), recorder.take()).limited(request.limit));
    // On this thread, so that no other one has to copy a large dungeon.
    recording.prepare();
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
        let grew = growth.turn(&mut recorder);
        turns = turns.wrapping_add(1);
        if turns.is_multiple_of(TURNS_PER_LOOK) && line.is_stale(run) {
            return;
        }
        let full = recorder.events() >= EVENTS_PER_MESSAGE && growth.clock().iteration != iteration;
        if full || !grew {
            let track = if grew {
                recorder.take_turns(&growth)
            } else {
                recorder.take()
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

/// Sends a recording, then compares it with a new growth.
fn replay<I>(run: RunId, reel: &RecordingFile, limit: usize, line: &JobContext<I>) {
    let mut recording = Box::new(reel.recording.clone().limited(limit));
    // No further events follow, whether or not the recorded growth was complete.
    recording.finish();
    recording.prepare();
    let started = Message::Started {
        run,
        recording,
        diagnostics: stage_one::build(&reel.design).diagnostics,
    };
    if line.send(run, started) && line.send(run, Message::Finished { run }) {
        compare(run, reel, line);
    }
}

/// Checks whether growing the recording's design reproduces it, and sends the result.
fn compare<I>(run: RunId, reel: &RecordingFile, line: &JobContext<I>) {
    if let Some(again) = reel.again(|| !line.is_stale(run)) {
        line.send(run, Message::Again { run, again });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::background::Inbox;
    use crate::design::Design;

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
