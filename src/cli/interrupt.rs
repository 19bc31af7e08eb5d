//! Signals that end a command, so that it can remove a partly written file first.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Exit status of an interrupted program, by the shells' convention (128 + SIGINT).
pub(super) const INTERRUPTED: u8 = 130;

/// Returns a flag that signals set, so that the program can remove a partly written file before it exits.
pub(super) fn end_requested() -> Arc<AtomicBool> {
    let requested = Arc::new(AtomicBool::new(false));
    #[cfg(unix)]
    for signal in [
        signal_hook::consts::SIGINT,
        signal_hook::consts::SIGTERM,
        signal_hook::consts::SIGHUP,
    ] {
        // A second signal ends the program at once, since writing to a pipe may block. If registering fails, the
        // system's default applies and the signal ends the program.
        let _ = signal_hook::flag::register_conditional_shutdown(signal, INTERRUPTED.into(), Arc::clone(&requested));
        let _ = signal_hook::flag::register(signal, Arc::clone(&requested));
    }
    requested
}
