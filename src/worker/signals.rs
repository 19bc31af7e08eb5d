//! The listener for signals: a request to end becomes a message, so that the designer ends in order.
//!
//! Where the system has no signals, nothing is ever heard.

use std::sync::mpsc::SyncSender;

use super::Message;

/// Listens for SIGTERM, SIGHUP and SIGINT until it is dropped.
#[derive(Debug)]
pub struct Signals {
    #[cfg(unix)]
    thread: Option<std::thread::JoinHandle<()>>,
    #[cfg(unix)]
    handle: signal_hook::iterator::Handle,
}

#[cfg(unix)]
impl Signals {
    /// Starts to listen; the messages go to `inbox`.
    ///
    /// # Errors
    ///
    /// When the system refuses a handler or a thread.
    pub fn new<I: Send + 'static>(inbox: SyncSender<Message<I>>) -> std::io::Result<Self> {
        use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

        let mut signals = signal_hook::iterator::Signals::new([SIGTERM, SIGHUP, SIGINT])?;
        let handle = signals.handle();
        let thread = std::thread::Builder::new().name("signals".into()).spawn(move || {
            for signal in signals.forever() {
                if inbox.send(Message::Signal(signal)).is_err() {
                    return;
                }
            }
        })?;
        Ok(Self {
            thread: Some(thread),
            handle,
        })
    }
}

#[cfg(unix)]
impl Drop for Signals {
    fn drop(&mut self) {
        self.handle.close();
        if let Some(thread) = self.thread.take() {
            // The thread only passes numbers on; it has nothing to say at its end.
            let _ = thread.join();
        }
    }
}

#[cfg(not(unix))]
impl Signals {
    /// Does nothing.
    ///
    /// # Errors
    ///
    /// Never.
    pub fn new<I: Send + 'static>(_: SyncSender<Message<I>>) -> std::io::Result<Self> {
        Ok(Self {})
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use crate::worker::Inbox;

    #[test]
    fn a_signal_becomes_a_message() {
        let inbox = Inbox::<()>::new();
        let signals = Signals::new(inbox.sender()).unwrap();
        signal_hook::low_level::raise(signal_hook::consts::SIGHUP).unwrap();
        let heard = inbox.wait(Some(std::time::Duration::from_secs(20)));
        assert!(
            matches!(heard, Some(Message::Signal(signal_hook::consts::SIGHUP))),
            "{heard:?}"
        );
        drop(signals);
    }
}
