//! Growth in the background: grows a design and sends its events to the event loop.

use std::sync::Arc;

use super::job::{Cancelled, Job, JobCx};
use crate::design::{Diagnostic, ValidDesign};
use crate::engine::{Options, stage_one};
use crate::recording::{EventChunk, Recorder, Recording};
use crate::recording_file::{RecordingFile, ReproductionCheck};

/// Number of events after which a reply is sent.
const EVENTS_PER_MESSAGE: u64 = 4096;

/// Number of turns between two checks for cancellation.
const TURNS_PER_CHECK: u64 = 256;

/// A request for a growth that the designer shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GrowthRequest {
    /// Grow a design.
    Grow {
        /// The design.
        design: ValidDesign,
        /// Options of the engine.
        options: Options,
        /// Memory limit of the recording, in bytes.
        limit: usize,
    },
    /// Send a recording as if it had just been grown, then grow its design again to check whether this reproduces the
    /// recording.
    Replay {
        /// The recording.
        file: Arc<RecordingFile>,
        /// Memory limit of the recording, in bytes.
        limit: usize,
    },
    /// Only grow a recording's design again, to check whether this reproduces the recording.
    Compare(Arc<RecordingFile>),
}

/// A reply to a [`GrowthRequest`].
#[derive(Debug)]
pub enum GrowthReply {
    /// Stage one, which builds the dungeon before growth, is complete.
    Started {
        /// The recording so far, with the dungeon before growth. For [`GrowthRequest::Replay`], the whole recording.
        recording: Box<Recording>,
        /// Diagnostics about everything in the design that stage one changed or left out.
        diagnostics: Vec<Diagnostic>,
    },
    /// Events since the last reply.
    Grown(EventChunk),
    /// The growth ended.
    Finished,
    /// A recording's design was grown again. Contains the result of the comparison with the recording.
    Reproduced(ReproductionCheck),
}

impl Job for GrowthRequest {
    const NAME: &'static str = "growth";
    type Memory = ();
    type Reply = GrowthReply;

    fn run(self, (): &mut (), cx: &JobCx<'_, GrowthReply>) -> Result<(), Cancelled> {
        match self {
            Self::Grow { design, options, limit } => grow(&design, options, limit, cx),
            Self::Replay { file, limit } => replay(&file, limit, cx),
            Self::Compare(file) => compare(&file, cx),
        }
    }
}

/// Grows a design to its end.
fn grow(design: &ValidDesign, options: Options, limit: usize, cx: &JobCx<'_, GrowthReply>) -> Result<(), Cancelled> {
    let (mut growth, mut recorder, recording) = Recorder::begin(design, options, limit);
    let mut recording = Box::new(recording);
    // Prepare the recording on this thread, so that the event loop need not build a large dungeon.
    recording.prepare();
    let diagnostics = growth.diagnostics().to_vec();
    cx.send(GrowthReply::Started { recording, diagnostics })?;
    while growth.advance(TURNS_PER_CHECK, &mut recorder) {
        cx.check()?;
        if recorder.events() >= EVENTS_PER_MESSAGE {
            cx.send(GrowthReply::Grown(recorder.take_turns(&growth)))?;
        }
    }
    cx.send(GrowthReply::Grown(recorder.take()))?;
    cx.send(GrowthReply::Finished)
}

/// Sends a recording, then checks whether growing its design reproduces the recording.
fn replay(file: &RecordingFile, limit: usize, cx: &JobCx<'_, GrowthReply>) -> Result<(), Cancelled> {
    let mut recording = Box::new(file.recording.clone().limited(limit));
    // No further events follow, so the recording is marked as finished even if the recorded growth was incomplete.
    recording.finish();
    recording.prepare();
    let diagnostics = stage_one::build(&file.design).diagnostics;
    cx.send(GrowthReply::Started { recording, diagnostics })?;
    cx.send(GrowthReply::Finished)?;
    compare(file, cx)
}

/// Checks whether growing a recording's design reproduces the recording, and sends the result.
fn compare(file: &RecordingFile, cx: &JobCx<'_, GrowthReply>) -> Result<(), Cancelled> {
    let check = file.again(|| !cx.is_cancelled()).ok_or(Cancelled)?;
    cx.send(GrowthReply::Reproduced(check))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::background::job::{Ticket, run_inline};
    use crate::background::{Inbox, Jobs};
    use crate::design::Design;
    use crate::recording::DEFAULT_LIMIT;

    fn request() -> GrowthRequest {
        GrowthRequest::Grow {
            design: Design::default().validate(None).design.unwrap(),
            options: Options::default(),
            limit: DEFAULT_LIMIT,
        }
    }

    #[test]
    fn a_growth_starts_grows_and_finishes() {
        let replies = run_inline(request(), &mut (), &Ticket::new());
        let [GrowthReply::Started { .. }, chunks @ .., GrowthReply::Finished] = &replies[..] else {
            panic!("{replies:?}");
        };
        assert!(!chunks.is_empty() && chunks.iter().all(|reply| matches!(reply, GrowthReply::Grown(_))));
    }

    #[test]
    fn a_full_inbox_does_not_keep_a_growth_from_stopping() {
        let inbox = Inbox::<()>::new();
        let mut jobs = Jobs::new(&inbox, None);
        for _ in 0..200 {
            jobs.start(Ticket::new(), request().into());
        }
        drop(jobs); // Hangs for 2 seconds if a blocked send does not notice that its job is cancelled.
    }
}
