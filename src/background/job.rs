//! Runs jobs on threads. Each job type has one [`Slot`], which runs the latest request of this type.
//!
//! A [`Ticket`] identifies each request. The job receives the ticket and stops soon after the ticket is cancelled;
//! every reply also carries the ticket. A new job cancels a running job of the same type. If a job panics, an error is
//! sent as its reply.

use std::any::Any;
use std::marker::PhantomData;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, SyncSender, TrySendError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use super::timeout::{ThreadGroup, spawn};

/// Sleep between two attempts to send to a full inbox.
const FULL_INBOX_PAUSE: Duration = Duration::from_millis(1);

/// Error of a job that was cancelled before it finished.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cancelled;

/// Identity of a request. The request's job and its replies carry the ticket. Clones of a ticket are equal; tickets
/// from two calls of [`Ticket::new`] differ.
#[derive(Debug, Clone)]
pub struct Ticket(Arc<AtomicBool>);

impl PartialEq for Ticket {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for Ticket {}

impl Ticket {
    /// Creates a ticket for a new request.
    #[expect(clippy::new_without_default, reason = "each call returns a different ticket")]
    pub fn new() -> Self {
        Self(Arc::new(AtomicBool::new(false)))
    }

    /// Cancels the job. The job stops the next time it checks the ticket, and it sends no further replies.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Returns whether the job was cancelled.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Why a job ended without a result.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum JobError {
    /// The job panicked with this message.
    #[error("internal error: {0}")]
    Panicked(String),
    /// The system could not start a thread; contains the system's message.
    #[error("cannot start a thread: {0}")]
    NoThread(String),
}

/// Kind of thread on which a job runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Policy {
    /// One thread that runs all jobs of the type and keeps its [memory](Job::Memory) between them. Quitting waits for
    /// the threads of all `Kept` and `Awaited` jobs, up to 2 seconds in total.
    Kept,
    /// A separate thread for each job, since a job may hang on an unresponsive drive. Quitting does not wait for the
    /// thread.
    Detached,
    /// Like `Detached`, but quitting waits as for `Kept`, so that the job can remove partially written files.
    Awaited,
}

/// A request that a background thread carries out.
pub trait Job: Send + 'static {
    /// Name of the job's thread.
    const NAME: &'static str;
    /// Kind of the job's thread.
    const POLICY: Policy = Policy::Kept;
    /// Data that a thread keeps between jobs, if [`Self::POLICY`] is [`Policy::Kept`]. Otherwise each job starts with
    /// the default.
    type Memory: Default + 'static;
    /// Type of the job's replies.
    type Reply: Send + 'static;

    /// Carries out the request and sends the replies.
    ///
    /// # Errors
    ///
    /// Returns [`Cancelled`] if the job ended early.
    fn run(self, memory: &mut Self::Memory, cx: &JobCx<'_, Self::Reply>) -> Result<(), Cancelled>;
}

/// The context of a running job: its ticket, reply sender and state folder.
pub struct JobCx<'a, R> {
    ticket: &'a Ticket,
    send: &'a (dyn Fn(R) -> Result<(), Cancelled> + Sync),
    state_folder: Option<&'a Path>,
}

impl<R> JobCx<'_, R> {
    /// Returns whether the job was cancelled.
    pub fn is_cancelled(&self) -> bool {
        self.ticket.is_cancelled()
    }

    /// Checks that the job was not cancelled, for use with `?`.
    ///
    /// # Errors
    ///
    /// Returns [`Cancelled`] if the job was cancelled.
    pub fn check(&self) -> Result<(), Cancelled> {
        if self.is_cancelled() { Err(Cancelled) } else { Ok(()) }
    }

    /// Sends a reply; blocks while the inbox is full.
    ///
    /// # Errors
    ///
    /// Returns [`Cancelled`] if the job was cancelled or the inbox is gone.
    pub fn send(&self, reply: R) -> Result<(), Cancelled> {
        (self.send)(reply)
    }

    /// Returns the ticket, for work that cannot borrow the context.
    pub const fn ticket(&self) -> &Ticket {
        self.ticket
    }

    /// Returns the folder of the program's state; `None` if the program has none.
    pub const fn state_folder(&self) -> Option<&Path> {
        self.state_folder
    }
}

/// Runs a job on the calling thread and returns its replies.
pub(super) fn run_inline<J: Job>(job: J, memory: &mut J::Memory, ticket: &Ticket) -> Vec<J::Reply> {
    let replies = Mutex::new(Vec::new());
    let send = |reply: J::Reply| {
        replies.lock().unwrap_or_else(PoisonError::into_inner).push(reply);
        Ok(())
    };
    let cx = JobCx {
        ticket,
        send: &send,
        state_folder: None,
    };
    // A cancelled job is not an error here: it just sends fewer replies.
    let _ = job.run(memory, &cx);
    replies.into_inner().unwrap_or_else(PoisonError::into_inner)
}

/// Destination of replies. `R` is the common type of all jobs' replies.
pub(super) trait Outbox<R>: Send + Sync {
    /// Sends a reply; blocks while there is no room for it.
    fn send(&self, ticket: &Ticket, reply: R) -> Result<(), Cancelled>;

    /// Sends a reply if there is room for it; otherwise drops it.
    fn try_send(&self, ticket: &Ticket, reply: R);
}

/// Sends a message; blocks while the inbox is full.
///
/// # Errors
///
/// Returns [`Cancelled`] if the ticket was cancelled or the inbox is gone.
pub(super) fn send<M>(inbox: &SyncSender<M>, ticket: &Ticket, mut message: M) -> Result<(), Cancelled> {
    loop {
        if ticket.is_cancelled() {
            return Err(Cancelled);
        }
        match inbox.try_send(message) {
            Ok(()) => return Ok(()),
            Err(TrySendError::Disconnected(_)) => return Err(Cancelled),
            Err(TrySendError::Full(back)) => message = back,
        }
        thread::sleep(FULL_INBOX_PAUSE);
    }
}

/// Data that the threads of all jobs share.
pub(super) struct Surroundings<R> {
    pub(super) outbox: Arc<dyn Outbox<R>>,
    /// Folder of the program's state.
    pub(super) state_folder: Option<Arc<Path>>,
}

impl<R> Clone for Surroundings<R> {
    fn clone(&self) -> Self {
        Self {
            outbox: Arc::clone(&self.outbox),
            state_folder: self.state_folder.clone(),
        }
    }
}

impl<R> Surroundings<R> {
    /// Runs a job. If it panics, sends an error and resets the memory.
    fn run<J: Job>(&self, job: J, memory: &mut J::Memory, ticket: &Ticket, wrap: Wrap<J, R>) {
        let cx = JobCx {
            ticket,
            send: &|reply| self.outbox.send(ticket, wrap(Ok(reply))),
            state_folder: self.state_folder.as_deref(),
        };
        if let Err(panic) = catch_unwind(AssertUnwindSafe(|| job.run(memory, &cx))) {
            *memory = J::Memory::default();
            let error = JobError::Panicked(panic_text(panic.as_ref()));
            // Sending fails only if the job was cancelled or the inbox is gone. Either way, nothing waits for the
            // error.
            let _ = self.outbox.send(ticket, wrap(Err(error)));
        }
    }
}

/// A function that wraps the reply or the error of a job type in the common type of replies.
type Wrap<J, R> = fn(Result<<J as Job>::Reply, JobError>) -> R;

/// A job in the queue of a kept thread. The thread calls it with the memory of the job type. `QueuedJob` is one type
/// for all job types, because compiling a copy of the code for each of them would take a long time.
type QueuedJob = Box<dyn FnOnce(&mut dyn Any) + Send>;

/// Runs the jobs of a queue until its sender is dropped. All of them get the memory that `new_memory` returns.
fn run_queue(jobs: &Receiver<QueuedJob>, new_memory: fn() -> Box<dyn Any>) {
    let mut memory = new_memory();
    for job in jobs {
        job(memory.as_mut());
    }
}

/// Runs the jobs of one type. Dropping the slot cancels the running job, but does not wait for its thread.
pub(super) struct Slot<J: Job> {
    last: Option<Ticket>,
    /// Queue of the kept thread; `None` until the thread is started.
    queue: Option<Sender<QueuedJob>>,
    jobs: PhantomData<fn(J)>,
}

impl<J: Job> Default for Slot<J> {
    fn default() -> Self {
        Self {
            last: None,
            queue: None,
            jobs: PhantomData,
        }
    }
}

impl<J: Job> Slot<J> {
    /// Cancels the running job, if any, and starts another. Quitting waits for the jobs that run in `threads`.
    pub(super) fn start<R: 'static>(
        &mut self,
        ticket: &Ticket,
        job: J,
        around: &Surroundings<R>,
        threads: &ThreadGroup,
        wrap: Wrap<J, R>,
    ) {
        if let Some(last) = self.last.replace(ticket.clone()) {
            last.cancel();
        }
        let started = match J::POLICY {
            Policy::Kept => self.queue(ticket.clone(), job, around, threads, wrap),
            Policy::Detached | Policy::Awaited => {
                let (around, ticket) = (around.clone(), ticket.clone());
                let work = move || around.run(job, &mut J::Memory::default(), &ticket, wrap);
                if J::POLICY == Policy::Awaited {
                    threads.spawn(J::NAME, work)
                } else {
                    spawn(J::NAME, work)
                }
            }
        };
        if let Err(error) = started {
            // The caller is the event loop, which also reads the inbox, so blocking until the inbox has room would
            // deadlock.
            let error = JobError::NoThread(error.to_string());
            around.outbox.try_send(ticket, wrap(Err(error)));
        }
    }

    /// Passes a job to the kept thread. The first job starts the thread.
    fn queue<R: 'static>(
        &mut self,
        ticket: Ticket,
        job: J,
        around: &Surroundings<R>,
        threads: &ThreadGroup,
        wrap: Wrap<J, R>,
    ) -> std::io::Result<()> {
        if self.queue.is_none() {
            let (queue, jobs) = channel();
            threads.spawn(J::NAME, move || run_queue(&jobs, || Box::new(J::Memory::default())))?;
            self.queue = Some(queue);
        }
        if let Some(queue) = &self.queue {
            let around = around.clone();
            let run = move |memory: &mut dyn Any| {
                if let Some(memory) = memory.downcast_mut()
                    && !ticket.is_cancelled()
                {
                    around.run(job, memory, &ticket, wrap);
                }
            };
            // Sending does not fail, since the thread ends only after the queue is dropped.
            let _ = queue.send(Box::new(run));
        }
        Ok(())
    }
}

impl<J: Job> Drop for Slot<J> {
    fn drop(&mut self) {
        if let Some(last) = &self.last {
            last.cancel();
        }
        self.queue = None;
    }
}

/// Returns the message of a panic.
pub(super) fn panic_text(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|s| (*s).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "no reason given".into())
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{Receiver, sync_channel};

    use super::*;

    type Reply = Result<Vec<u64>, JobError>;

    impl Outbox<Reply> for SyncSender<(Ticket, Reply)> {
        fn send(&self, ticket: &Ticket, reply: Reply) -> Result<(), Cancelled> {
            send(self, ticket, (ticket.clone(), reply))
        }

        fn try_send(&self, ticket: &Ticket, reply: Reply) {
            let _ = Self::try_send(self, (ticket.clone(), reply));
        }
    }

    /// The data that the threads of all jobs share, the receiver of their replies, and the threads.
    struct Around(Surroundings<Reply>, Receiver<(Ticket, Reply)>, ThreadGroup);

    fn surroundings() -> Around {
        let (sender, inbox) = sync_channel(64);
        let around = Surroundings {
            outbox: Arc::new(sender),
            state_folder: None,
        };
        Around(around, inbox, ThreadGroup::default())
    }

    /// A job. `Count(n)` replies with a list of `n`s, one for each job that has used the same memory, this one included;
    /// `Panic` panics; `Hang` replies once and then blocks; `UntilCancelled` replies once, waits until another job is
    /// cancelled, and then sends.
    enum Task {
        Count(u64),
        Panic,
        Hang(Receiver<()>),
        UntilCancelled(Ticket, Sender<()>),
    }

    fn work(task: Task, memory: &mut usize, cx: &JobCx<'_, Vec<u64>>) -> Result<(), Cancelled> {
        *memory += 1;
        match task {
            Task::Count(number) => cx.send(vec![number; *memory]),
            Task::Panic => panic!("as requested"),
            Task::Hang(end) => {
                cx.send(Vec::new())?;
                // Blocks until the other end is dropped.
                end.recv().unwrap_err();
                cx.send(Vec::new())
            }
            Task::UntilCancelled(other, done) => {
                cx.send(Vec::new())?;
                while !other.is_cancelled() {
                    thread::sleep(FULL_INBOX_PAUSE);
                }
                done.send(()).unwrap();
                Ok(())
            }
        }
    }

    struct KeptTask(Task);

    impl Job for KeptTask {
        const NAME: &'static str = "kept";
        type Memory = usize;
        type Reply = Vec<u64>;

        fn run(self, memory: &mut usize, cx: &JobCx<'_, Vec<u64>>) -> Result<(), Cancelled> {
            work(self.0, memory, cx)
        }
    }

    struct DetachedTask(Task);

    impl Job for DetachedTask {
        const NAME: &'static str = "detached";
        const POLICY: Policy = Policy::Detached;
        type Memory = usize;
        type Reply = Vec<u64>;

        fn run(self, memory: &mut usize, cx: &JobCx<'_, Vec<u64>>) -> Result<(), Cancelled> {
            work(self.0, memory, cx)
        }
    }

    /// Starts a job and returns the next reply, which must be this job's.
    fn first<J>(slot: &mut Slot<J>, Around(around, inbox, threads): &Around, job: J) -> Reply
    where
        J: Job<Reply = Vec<u64>>,
    {
        let ticket = Ticket::new();
        slot.start(&ticket, job, around, threads, |reply| reply);
        let (of, reply) = inbox.recv().unwrap();
        assert_eq!(of, ticket);
        reply
    }

    #[test]
    fn a_kept_thread_keeps_its_memory_until_a_job_panics() {
        let (mut slot, around) = (Slot::default(), surroundings());
        let seen = |number, times| Ok(vec![number; times]);
        for (task, expected) in [
            (Task::Count(1), seen(1, 1)),
            (Task::Count(2), seen(2, 2)),
            (Task::Panic, Err(JobError::Panicked("as requested".into()))),
            (Task::Count(3), seen(3, 1)),
        ] {
            assert_eq!(first(&mut slot, &around, KeptTask(task)), expected);
        }
    }

    #[test]
    fn a_detached_job_that_hangs_delays_no_other_and_its_replies_are_dropped() {
        let mut slot = Slot::default();
        let around = surroundings();
        let (end, hangs) = channel::<()>();
        let hanging = Ticket::new();
        let job = DetachedTask(Task::Hang(hangs));
        slot.start(&hanging, job, &around.0, &around.2, |reply| reply);
        assert_eq!(around.1.recv().unwrap().0, hanging);
        let expected = vec![1];
        assert_eq!(first(&mut slot, &around, DetachedTask(Task::Count(1))), Ok(expected));
        assert!(hanging.is_cancelled(), "a new job cancels the one before");
        drop((slot, end));
        assert!(around.1.try_recv().is_err());
    }

    #[test]
    fn a_kept_thread_that_hangs_does_not_keep_the_program_from_quitting() {
        let (mut slot, around) = (Slot::default(), surroundings());
        let (end, hangs) = channel::<()>();
        assert_eq!(first(&mut slot, &around, KeptTask(Task::Hang(hangs))), Ok(Vec::new()));
        drop(slot);
        drop(around.2);
        drop(end);
    }

    #[test]
    fn all_jobs_are_cancelled_before_quitting_waits_for_their_threads() {
        let [mut waiting, mut other] = [Slot::default(), Slot::default()];
        let (around, (done, was_done)) = (surroundings(), channel());
        let last = Ticket::new();
        let task = Task::UntilCancelled(last.clone(), done);
        assert_eq!(first(&mut waiting, &around, KeptTask(task)), Ok(Vec::new()));
        let job = KeptTask(Task::Count(1));
        other.start(&last, job, &around.0, &around.2, |reply| reply);
        drop(waiting);
        drop(other);
        drop(around.2);
        assert_eq!(was_done.try_recv(), Ok(()));
    }
}
