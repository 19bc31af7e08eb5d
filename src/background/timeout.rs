//! Waiting with a timeout: a drive that does not respond must not keep the program from quitting.
//!
//! If work exceeds the timeout, its thread is not joined: it runs until the work or the process ends.

use std::convert::Infallible;
use std::io;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::Duration;

/// Timeout for I/O; only a hung drive takes this long.
pub(super) const TIMEOUT: Duration = Duration::from_secs(2);

/// A group of threads. Dropping the group waits until all threads end or [`TIMEOUT`] is over; a thread that hangs is
/// left running.
#[derive(Debug)]
pub(super) struct ThreadGroup {
    /// Each thread holds a clone until it ends.
    alive: Option<Sender<Infallible>>,
    /// Never receives a message; disconnects when all threads have ended.
    end: Receiver<Infallible>,
}

impl Default for ThreadGroup {
    fn default() -> Self {
        let (alive, end) = channel();
        Self {
            alive: Some(alive),
            end,
        }
    }
}

impl ThreadGroup {
    /// Runs `work` in a new thread named `name` that belongs to the group.
    ///
    /// # Errors
    ///
    /// Returns the system's error if the thread cannot be spawned.
    pub(super) fn spawn(&self, name: &str, work: impl FnOnce() + Send + 'static) -> io::Result<()> {
        let alive = self.alive.clone();
        spawn(name, move || {
            let _alive = alive;
            work();
        })
    }
}

impl Drop for ThreadGroup {
    fn drop(&mut self) {
        self.alive = None;
        // The result does not matter: all threads have ended (disconnected), or one hangs (timeout).
        let _ = self.end.recv_timeout(TIMEOUT);
    }
}

/// Runs `work` on a new thread, which is not joined.
///
/// # Errors
///
/// Returns the system's error if the thread cannot be spawned.
pub(super) fn spawn(name: &str, work: impl FnOnce() + Send + 'static) -> io::Result<()> {
    // Box `work`, because compiling a copy of the standard library's code for each type of `work` would take a long
    // time.
    let work: Box<dyn FnOnce() + Send> = Box::new(work);
    thread::Builder::new().name(name.into()).spawn(work).map(drop)
}

/// Runs `work` on a new thread and returns its result. Returns `None` if the result is not ready after 2 seconds (the
/// work continues, and its result is dropped) or if the thread cannot be started.
pub fn with_timeout<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Option<T> {
    let (done, result) = channel();
    let begun = spawn("with timeout", move || {
        // Sending fails if the receiver has timed out.
        let _ = done.send(work());
    });
    begun.ok()?;
    result.recv_timeout(TIMEOUT).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finished_threads_are_joined_and_hung_ones_left_behind() {
        let (done, was_done) = channel();
        let spawn = |name, work: Box<dyn FnOnce() + Send>| {
            let group = ThreadGroup::default();
            group.spawn(name, work).unwrap();
            drop(group);
        };
        spawn("ends", Box::new(move || done.send("done").unwrap()));
        assert_eq!(was_done.try_recv(), Ok("done"));
        let (end, waits) = channel::<()>();
        let (report, replies) = channel();
        let hang = move || {
            let ended = waits.recv();
            let _ = report.send(ended.is_err());
        };
        spawn("hangs", Box::new(hang));
        assert!(replies.try_recv().is_err(), "it hangs on");
        drop(end);
        assert_eq!(replies.recv(), Ok(true));
        let (end, waits) = channel::<()>();
        assert_eq!(with_timeout(|| 7), Some(7));
        assert_eq!(with_timeout(move || waits.recv().is_err()), None);
        drop(end);
    }
}
