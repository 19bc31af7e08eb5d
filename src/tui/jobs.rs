//! Handles to jobs in progress. The part of the designer that started a job keeps the handle until the last reply.

use crate::background::Ticket;

/// A job in progress, and the data needed to handle its replies. Dropping the handle cancels the job.
#[derive(Debug)]
pub(super) struct JobHandle<T = ()> {
    guard: CancelOnDrop,
    /// Data of the part that started the job, needed to handle the reply.
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
    /// Creates the handle to the job that was started with this ticket.
    pub(super) const fn new(ticket: Ticket, purpose: T) -> Self {
        let guard = CancelOnDrop(ticket);
        Self { guard, purpose }
    }

    /// Returns whether a reply with this ticket belongs to this job.
    pub(super) fn has(&self, ticket: &Ticket) -> bool {
        self.guard.0 == *ticket
    }

    /// Drops the handle without cancelling the job, which runs to its end. Its replies are no longer handled.
    pub(super) fn leave_running(self) {
        let Self { guard, .. } = self;
        std::mem::forget(guard);
    }

    /// Returns the ticket that the job's replies contain.
    #[cfg(test)]
    pub(super) fn ticket(&self) -> Ticket {
        self.guard.0.clone()
    }
}
