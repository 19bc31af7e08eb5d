//! Jobs under way: what a part of the designer keeps of a request until its last reply.

use super::action::Effect;
use super::editor::Editor;
use crate::background::{JobRequest, Ticket};

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
}
