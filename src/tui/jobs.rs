//! Jobs under way: what a part of the designer keeps of a request until its last reply.

use std::sync::Arc;

use super::editor::Editor;
use crate::background::{GrowthRequest, JobRequest, Ticket};
use crate::design::ValidDesign;
use crate::recording_file::RecordingFile;
use crate::tui::commands::Effect;

/// A job under way, and what its reply is needed for. Dropping it cancels the job.
#[derive(Debug)]
pub(super) struct JobHandle<T = ()> {
    guard: CancelOnDrop,
    /// What the reply is needed for.
    pub(super) purpose: T,
}

#[derive(Debug)]
struct CancelOnDrop(Ticket);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

impl<T> JobHandle<T> {
    /// Returns whether a reply with this ticket is of this job.
    pub(super) fn has(&self, ticket: &Ticket) -> bool {
        self.guard.0 == *ticket
    }

    /// Lets the job run to its end, though its replies are dropped.
    pub(super) fn leave_running(self) {
        let Self { guard, .. } = self;
        std::mem::forget(guard);
    }

    /// Returns the ticket.
    #[cfg(test)]
    pub(super) fn ticket(&self) -> Ticket {
        self.guard.0.clone()
    }
}

impl Editor {
    /// Starts a job, whose replies arrive with the ticket of the handle.
    pub(super) fn start<T>(&mut self, job: impl Into<JobRequest>, purpose: T) -> JobHandle<T> {
        let ticket = Ticket::new();
        self.emit(Effect::Start(ticket.clone(), job.into()));
        JobHandle {
            guard: CancelOnDrop(ticket),
            purpose,
        }
    }

    /// Grows a design to show it.
    pub(super) fn grow(&mut self, design: ValidDesign) {
        let (options, limit) = (self.options, self.recording_limit());
        self.run = Some(self.start(GrowthRequest::Grow { design, options, limit }, ()));
    }

    /// Shows a recording.
    pub(super) fn replay(&mut self, file: Arc<RecordingFile>) {
        let limit = self.recording_limit();
        self.run = Some(self.start(GrowthRequest::Replay { file, limit }, ()));
    }

    /// Returns the memory limit of a recording, in bytes.
    fn recording_limit(&self) -> usize {
        usize::try_from(self.settings().recording.memory).unwrap_or(usize::MAX)
    }
}
