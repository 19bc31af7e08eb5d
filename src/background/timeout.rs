//! Bounded waiting: a drive that does not answer must not keep the program from quitting.
//!
//! Work that exceeds the timeout is left behind and ends with the program.

use std::convert::Infallible;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::Duration;

/// Timeout for I/O; only a hung drive takes this long.
pub(super) const TIMEOUT: Duration = Duration::from_secs(2);

/// Threads that are waited for on drop, with a timeout: a thread that hangs is left behind.
#[derive(Debug)]
pub(super) struct ThreadGroup {
    /// Each thread holds a clone.
    alive: Option<Sender<Infallible>>,
    /// Never receives anything; disconnects when all threads have ended.
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
    /// Runs `work` in a new thread of the group, called `name`.
    ///
    /// # Errors
    ///
    /// Returns the system's error if the thread cannot be spawned.
    pub(super) fn spawn(&self, name: &str, work: impl FnOnce() + Send + 'static) -> std::io::Result<()> {
        let alive = self.alive.clone();
        thread::Builder::new().name(name.into()).spawn(move || {
            let _alive = alive;
            work();
        })?;
        Ok(())
    }
}

impl Drop for ThreadGroup {
    fn drop(&mut self) {
        self.alive = None;
        // Either disconnected or timed out.
        let _ = self.end.recv_timeout(TIMEOUT);
    }
}

/// Runs some work on its own thread and returns its result, or `None` after 2 seconds; the work then continues
/// unobserved.
pub fn with_timeout<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Option<T> {
    let (done, result) = channel();
    let begun = thread::Builder::new().name("with timeout".into()).spawn(move || {
        // The receiver may have timed out.
        let _ = done.send(work());
    });
    begun.ok().and_then(|_| result.recv_timeout(TIMEOUT).ok())
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
