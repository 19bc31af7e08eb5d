//! Signal handling: a signal that requests the end of the program becomes a message, so that the designer ends cleanly.
//!
//! The signal thread saves the unsaved work itself before it sends the message, since the event loop may be blocked on
//! a terminal that accepts no output. If the event loop does not end within `GRACE`, the thread ends the process. A
//! hang-up of the terminal is treated as SIGHUP. On systems without signals, no message is ever sent.

use std::sync::mpsc::SyncSender;
#[cfg(unix)]
use std::sync::mpsc::TrySendError;
#[cfg(unix)]
use std::time::Duration;

use super::{EmergencySave, Message};

/// Time limit for the designer to end cleanly after a signal.
#[cfg(unix)]
const GRACE: Duration = Duration::from_secs(3);

/// Interval at which the signal thread checks, within `GRACE`, whether the designer has ended.
#[cfg(unix)]
const LOOK: Duration = Duration::from_millis(10);

/// Signals whose default action ends the process immediately. The designer handles them to end cleanly.
///
/// SIGSEGV, SIGBUS, SIGILL and SIGFPE are excluded: after a real fault nothing in this process can be trusted, and
/// signal-hook refuses to register them. SIGKILL cannot be handled. SIGABRT is handled only when another process sends
/// it. If this process calls abort(), for example because it is out of memory, it ends right after the handler, before
/// the signal thread wakes. In all cases that are not handled, the guardian (`tui::guardian`) restores the terminal,
/// and the last autosave remains. SIGPIPE needs no handler: Rust's runtime ignores it, and writes return an error.
#[cfg(unix)]
const DEADLY: [i32; 14] = {
    use signal_hook::consts::{
        SIGABRT, SIGALRM, SIGHUP, SIGINT, SIGIO, SIGPROF, SIGQUIT, SIGSYS, SIGTERM, SIGTRAP, SIGUSR1, SIGUSR2,
        SIGVTALRM, SIGXCPU,
    };
    [
        SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGABRT, SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF, SIGXCPU, SIGIO,
        SIGSYS, SIGTRAP,
    ]
};

/// Further signals that end a process, given as numbers because signal-hook has no names for them: SIGSTKFLT, SIGPWR,
/// and SIGRTMIN to SIGRTMAX. A system may lack some of them.
#[cfg(all(
    target_os = "linux",
    any(
        target_arch = "x86_64",
        target_arch = "x86",
        target_arch = "aarch64",
        target_arch = "arm"
    )
))]
const DEADLY_BY_NUMBER: [std::ops::RangeInclusive<i32>; 3] = [16..=16, 30..=30, 34..=64];
#[cfg(all(
    unix,
    not(all(
        target_os = "linux",
        any(
            target_arch = "x86_64",
            target_arch = "x86",
            target_arch = "aarch64",
            target_arch = "arm"
        )
    ))
))]
const DEADLY_BY_NUMBER: [std::ops::RangeInclusive<i32>; 0] = [];

/// Signal handlers that stay installed until this value is dropped.
///
/// They handle SIGTSTP and the signals that end a process. They also handle SIGCONT: no program can handle SIGSTOP, so
/// SIGCONT is the only sign that a SIGSTOP stopped the program. SIGXFSZ gets a handler that does nothing, so that
/// exceeding the file size limit is a write error.
#[derive(Debug)]
pub struct Signals {
    #[cfg(unix)]
    thread: Option<std::thread::JoinHandle<()>>,
    #[cfg(unix)]
    handle: signal_hook::iterator::Handle,
}

#[cfg(unix)]
impl Signals {
    /// Installs the handlers, which send messages to `inbox`. When a signal requests the end of the program, `rescue`
    /// saves the unsaved work first. If this value is not dropped within 3 seconds after that, `stuck` is called with
    /// the signal's number and must end the process.
    ///
    /// # Errors
    ///
    /// Returns the system's error if a handler cannot be registered or a thread cannot be started.
    pub fn new<I: Send + 'static>(
        inbox: SyncSender<Message<I>>,
        rescue: EmergencySave,
        stuck: impl Fn(i32) + Send + 'static,
    ) -> std::io::Result<Self> {
        use signal_hook::consts::{SIGCONT, SIGTSTP, SIGXFSZ};

        let mut signals = signal_hook::iterator::Signals::new(DEADLY.into_iter().chain([SIGTSTP, SIGCONT, SIGXFSZ]))?;
        watch_hang_up()?;
        let handle = signals.handle();
        for number in DEADLY_BY_NUMBER.into_iter().flatten() {
            // Registering fails if the system lacks the signal; then the signal cannot end the program either.
            let _ = handle.add_signal(number);
        }
        let listener = handle.clone();
        let thread = std::thread::Builder::new().name("signals".into()).spawn(move || {
            for signal in signals.forever() {
                if signal == SIGXFSZ {
                    continue;
                }
                if signal == SIGTSTP || signal == SIGCONT {
                    let message = if signal == SIGTSTP {
                        Message::Stop
                    } else {
                        Message::Continued
                    };
                    // If the inbox is full, this waits for the event loop: nothing is lost if the message arrives late.
                    let _ = inbox.send(message);
                    continue;
                }
                // A failed save cannot be reported any more.
                let _ = rescue.now();
                let mut message = Some(Message::Signal(signal));
                let mut waited = Duration::ZERO;
                while waited < GRACE {
                    if listener.is_closed() {
                        return;
                    }
                    if let Some(unsent) = message.take()
                        && let Err(TrySendError::Full(back)) = inbox.try_send(unsent)
                    {
                        message = Some(back);
                    }
                    std::thread::sleep(LOOK);
                    waited += LOOK;
                }
                stuck(signal);
            }
        })?;
        Ok(Self {
            thread: Some(thread),
            handle,
        })
    }
}

/// Starts a thread that raises SIGHUP when the terminal hangs up: the system sends the signal only to the session
/// leader, which might not pass it on. Without this signal, the designer would read the end of its input over and over.
#[cfg(target_os = "linux")]
fn watch_hang_up() -> std::io::Result<()> {
    use std::io::{ErrorKind, IsTerminal as _, stdin};
    use std::os::fd::AsRawFd as _;

    use filedescriptor::{Error, POLLHUP, poll, pollfd};

    if !stdin().is_terminal() {
        return Ok(());
    }
    // The thread is never joined: only a hang-up of the terminal wakes it.
    std::thread::Builder::new().name("hang-up".into()).spawn(|| {
        let mut terminal = [pollfd {
            fd: stdin().as_raw_fd(),
            events: 0,
            revents: 0,
        }];
        let received = loop {
            match poll(&mut terminal, None) {
                Err(Error::Poll(error)) if error.kind() == ErrorKind::Interrupted => {}
                received => break received,
            }
        };
        if received.is_ok() && terminal[0].revents & POLLHUP != 0 {
            // A failure to raise the signal cannot be reported any more.
            let _ = signal_hook::low_level::raise(signal_hook::consts::SIGHUP);
        }
    })?;
    Ok(())
}

#[cfg(all(unix, not(target_os = "linux")))]
#[expect(clippy::unnecessary_wraps, reason = "on Linux it can fail")]
fn watch_hang_up() -> std::io::Result<()> {
    Ok(())
}

#[cfg(unix)]
impl Drop for Signals {
    fn drop(&mut self) {
        self.handle.close();
        if let Some(thread) = self.thread.take() {
            // The thread only forwards signals; its result carries no information.
            let _ = thread.join();
        }
    }
}

#[cfg(not(unix))]
impl Signals {
    /// Does nothing, since this system has no signals.
    ///
    /// # Errors
    ///
    /// Never fails.
    pub fn new<I: Send + 'static>(
        _: SyncSender<Message<I>>,
        _: EmergencySave,
        _: impl Fn(i32) + Send + 'static,
    ) -> std::io::Result<Self> {
        Ok(Self {})
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use crate::background::{Autosaver, Inbox};
    use crate::storage::Unsaved;

    // Everything is in a single test, since a signal reaches all handlers in the process: two tests would disturb each
    // other.
    #[test]
    fn a_signal_saves_work_sends_a_message_and_ends_a_stuck_program() {
        let folder = tempfile::tempdir().unwrap();
        let inbox = Inbox::<()>::new();
        let state = Some(folder.path().to_owned());
        let autosaver = Autosaver::new(inbox.sender(), state, Some(Duration::from_hours(1))).unwrap();
        autosaver.note(Some(Unsaved {
            design: std::sync::Arc::default(),
            files: None,
            folder: std::path::PathBuf::new(),
            digest: None,
            origin: None,
        }));
        let (sender, stuck) = std::sync::mpsc::channel();
        let report = move |signal| sender.send(signal).unwrap_or_default();
        let signals = Signals::new(inbox.sender(), autosaver.rescue(), report).unwrap();
        signal_hook::low_level::raise(signal_hook::consts::SIGHUP).unwrap();
        let received = inbox.wait(Some(Duration::from_mins(4)));
        assert!(
            matches!(received, Some(Message::Signal(signal_hook::consts::SIGHUP))),
            "{received:?}"
        );
        let kept = std::fs::read_dir(folder.path().join("autosave")).unwrap().count();
        assert_eq!(
            kept, 2,
            "the design and its lock file must exist before the message is sent"
        );
        assert_eq!(
            stuck.recv(),
            Ok(signal_hook::consts::SIGHUP),
            "`stuck` was not called with the signal"
        );
        drop(signals);
    }
}
