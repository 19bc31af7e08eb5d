//! Bounded waiting: a drive that does not answer must not keep the program from quitting.
//!
//! Work that exceeds the timeout is left behind and ends with the program.

use std::convert::Infallible;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// Timeout for I/O; only a hung drive takes this long.
pub(super) const PATIENCE: Duration = Duration::from_secs(2);

/// A thread that is joined on drop, unless it hangs.
#[derive(Debug)]
pub(super) struct JoinWithTimeout {
    /// Never receives anything; disconnects when the thread ends.
    end: Receiver<Infallible>,
    thread: Option<JoinHandle<()>>,
}

impl JoinWithTimeout {
    /// Starts a thread.
    ///
    /// # Errors
    ///
    /// Returns the system's error if the thread cannot be spawned.
    pub(super) fn start(name: &str, work: impl FnOnce() + Send + 'static) -> std::io::Result<Self> {
        let (alive, end) = channel();
        let thread = thread::Builder::new().name(name.into()).spawn(move || {
            let _alive = alive;
            work();
        })?;
        Ok(Self {
            end,
            thread: Some(thread),
        })
    }
}

impl Drop for JoinWithTimeout {
    fn drop(&mut self) {
        let ended = self.end.recv_timeout(PATIENCE);
        if let (Err(RecvTimeoutError::Disconnected), Some(thread)) = (ended, self.thread.take()) {
            // Panics are caught and reported where they matter; a failed join adds nothing.
            let _ = thread.join();
        }
    }
}

/// Runs some work on its own thread and returns its result, or `None` after 2 seconds; the work then continues
/// unobserved.
pub fn soon<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Option<T> {
    let (done, result) = channel();
    let begun = thread::Builder::new().name("soon".into()).spawn(move || {
        // The receiver may have timed out.
        let _ = done.send(work());
    });
    begun.ok().and_then(|_| result.recv_timeout(PATIENCE).ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_ends_is_waited_for_and_what_hangs_is_left_behind() {
        let (done, was_done) = channel();
        drop(JoinWithTimeout::start("ends", move || done.send("done").unwrap()).unwrap());
        assert_eq!(was_done.try_recv(), Ok("done"));
        let (end, waits) = channel::<()>();
        let (tell, hears) = channel();
        let hang = move || {
            let ended = waits.recv();
            let _ = tell.send(ended.is_err());
        };
        drop(JoinWithTimeout::start("hangs", hang).unwrap());
        assert!(hears.try_recv().is_err(), "it hangs on");
        drop(end);
        assert_eq!(hears.recv(), Ok(true));
        let (end, waits) = channel::<()>();
        assert_eq!(soon(|| 7), Some(7));
        assert_eq!(soon(move || waits.recv().is_err()), None);
        drop(end);
    }
}
