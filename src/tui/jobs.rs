//! Handles of jobs under way, which a part of the designer keeps until the last reply.

use crate::background::Ticket;

/// A job under way and the purpose of its reply. Dropping it cancels the job.
#[derive(Debug)]
pub(super) struct JobHandle<T = ()> {
    guard: CancelOnDrop,
    /// The purpose of the reply.
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
    /// Creates the handle of a job with this ticket.
    pub(super) const fn new(ticket: Ticket, purpose: T) -> Self {
        let guard = CancelOnDrop(ticket);
        Self { guard, purpose }
    }

    /// Returns whether a reply with this ticket is of this job.
    pub(super) fn has(&self, ticket: &Ticket) -> bool {
        self.guard.0 == *ticket
    }

    /// Lets the job run to its end, though its replies are dropped.
    pub(super) fn leave_running(self) {
        let Self { guard, .. } = self;
        std::mem::forget(guard);
    }

    /// Returns the ticket that the job's messages carry.
    #[cfg(test)]
    pub(super) fn ticket(&self) -> Ticket {
        self.guard.0.clone()
    }
}
