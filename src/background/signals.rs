//! The listener for signals: a request to end becomes a message, so that the designer ends in order.
//!
//! Unsaved work is written before that, by the listener itself: the loop may be waiting for a terminal that takes
//! no output any more. A loop that does not end in time is not waited for. A terminal that goes away is taken for the
//! signal that should say so. Where the system has no signals, nothing is ever heard.

use std::sync::mpsc::SyncSender;
#[cfg(unix)]
use std::sync::mpsc::TrySendError;
#[cfg(unix)]
use std::time::Duration;

use super::{EmergencySave, Message};

/// How long the designer may take to end in order.
#[cfg(unix)]
const GRACE: Duration = Duration::from_secs(3);

/// How often it is looked at meanwhile.
#[cfg(unix)]
const LOOK: Duration = Duration::from_millis(10);

/// Signals that end a program which does not handle them. Handled, the designer ends in order.
///
/// SIGSEGV, SIGBUS, SIGILL and SIGFPE are not among them: nothing of this process can be trusted after a real one, and
/// signal-hook refuses to register them. SIGKILL cannot be handled. SIGABRT is, where another process sends it; abort(),
/// which a program calls that runs out of memory, ends the process right after the handler, before any thread wakes.
/// For all of these the guardian (`tui::guardian`) gives the terminal back, and the last autosave stays. SIGPIPE is
/// ignored by Rust's runtime: writing reports it.
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

/// Those that signal-hook has no names for: SIGSTKFLT, SIGPWR, and those from SIGRTMIN to SIGRTMAX. Systems may lack
/// some of them.
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

/// Listens for the signals that end a program until it is dropped, for SIGTSTP, and for SIGCONT after whoever stopped
/// the process without asking. SIGXFSZ is handled by doing nothing: what is too large to be written is an error then.
#[derive(Debug)]
pub struct Signals {
    #[cfg(unix)]
    thread: Option<std::thread::JoinHandle<()>>,
    #[cfg(unix)]
    handle: signal_hook::iterator::Handle,
}

#[cfg(unix)]
impl Signals {
    /// Starts to listen; the messages go to `inbox`. A request to end has `rescue` write what is unsaved first;
    /// when these signals are not dropped in time then, `stuck` is called with the signal's number and has to end
    /// the process.
    ///
    /// # Errors
    ///
    /// When the system refuses a handler or a thread.
    pub fn new<I: Send + 'static>(
        inbox: SyncSender<Message<I>>,
        rescue: EmergencySave,
        stuck: impl Fn(i32) + Send + 'static,
    ) -> std::io::Result<Self> {
        use signal_hook::consts::{SIGCONT, SIGTSTP, SIGXFSZ};

        let mut signals = signal_hook::iterator::Signals::new(DEADLY.into_iter().chain([SIGTSTP, SIGCONT, SIGXFSZ]))?;
        hear_hang_up()?;
        let handle = signals.handle();
        for number in DEADLY_BY_NUMBER.into_iter().flatten() {
            // One that the system does not have cannot end the program either.
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
                    // Whoever stops the designer has time; a full inbox means that it is alive.
                    let _ = inbox.send(message);
                    continue;
                }
                // Where it cannot be written there is nobody left to tell.
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

/// Takes a terminal that goes away for the signal that says so, on a thread of its own: the system sends it to the
/// leader of the session only, who may keep it to itself. Without it the input is read as ended again and again.
#[cfg(target_os = "linux")]
fn hear_hang_up() -> std::io::Result<()> {
    use std::io::{ErrorKind, IsTerminal as _, stdin};
    use std::os::fd::AsRawFd as _;

    use filedescriptor::{Error, POLLHUP, poll, pollfd};

    if !stdin().is_terminal() {
        return Ok(());
    }
    // Not joined: nothing but the end of the terminal wakes it.
    std::thread::Builder::new().name("hang-up".into()).spawn(|| {
        let mut terminal = [pollfd {
            fd: stdin().as_raw_fd(),
            events: 0,
            revents: 0,
        }];
        let heard = loop {
            match poll(&mut terminal, None) {
                Err(Error::Poll(error)) if error.kind() == ErrorKind::Interrupted => {}
                heard => break heard,
            }
        };
        if heard.is_ok() && terminal[0].revents & POLLHUP != 0 {
            // Where it is refused there is nobody left to tell.
            let _ = signal_hook::low_level::raise(signal_hook::consts::SIGHUP);
        }
    })?;
    Ok(())
}

#[cfg(all(unix, not(target_os = "linux")))]
#[expect(clippy::unnecessary_wraps, reason = "elsewhere it can fail")]
fn hear_hang_up() -> std::io::Result<()> {
    Ok(())
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

    // One test, for signals reach all listeners of a process.
    #[test]
    fn a_signal_has_work_kept_and_becomes_a_message_and_ends_a_program_that_is_stuck() {
        let folder = tempfile::tempdir().unwrap();
        let inbox = Inbox::<()>::new();
        let state = Some(folder.path().to_owned());
        let keeper = Autosaver::new(inbox.sender(), state, Some(Duration::from_hours(1))).unwrap();
        keeper.note(Some(Unsaved {
            design: std::sync::Arc::default(),
            files: None,
            digest: None,
            origin: None,
        }));
        let (sender, stuck) = std::sync::mpsc::channel();
        let tell = move |signal| sender.send(signal).unwrap_or_default();
        let signals = Signals::new(inbox.sender(), keeper.rescue(), tell).unwrap();
        signal_hook::low_level::raise(signal_hook::consts::SIGHUP).unwrap();
        let heard = inbox.wait(Some(Duration::from_mins(4)));
        assert!(
            matches!(heard, Some(Message::Signal(signal_hook::consts::SIGHUP))),
            "{heard:?}"
        );
        let kept = std::fs::read_dir(folder.path().join("autosave")).unwrap().count();
        assert_eq!(kept, 2, "the design and its lock, before the message");
        assert_eq!(stuck.recv(), Ok(signal_hook::consts::SIGHUP), "nobody ended it");
        drop(signals);
    }
}
