//! Handles the signals that end a command, so that the command can remove a partly written file first.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Exit status of an interrupted command; follows the convention of shells (128 + SIGINT).
pub(super) const INTERRUPTED: u8 = 130;

/// Returns a flag that SIGINT, SIGTERM and SIGHUP set. The command checks the flag, removes a partly written file and
/// exits.
pub(super) fn end_requested() -> Arc<AtomicBool> {
    let requested = Arc::new(AtomicBool::new(false));
    #[cfg(unix)]
    for signal in [
        signal_hook::consts::SIGINT,
        signal_hook::consts::SIGTERM,
        signal_hook::consts::SIGHUP,
    ] {
        // A second signal ends the program immediately, since a program that is blocked on a write to a pipe does not
        // check the flag. If registering fails, the signal keeps its default action and ends the program.
        let _ = signal_hook::flag::register_conditional_shutdown(signal, INTERRUPTED.into(), Arc::clone(&requested));
        let _ = signal_hook::flag::register(signal, Arc::clone(&requested));
    }
    requested
}
