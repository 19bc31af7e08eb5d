//! Turns panics in decoders into errors.
//!
//! Decoders from other crates read whatever bytes the user opens, and a bug in one may cause a panic. The panic is
//! caught and its message reported as an error, so that the program continues.

use std::any::Any;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};

thread_local! {
    static IS_GUARDED: Cell<bool> = const { Cell::new(false) };
}

/// Returns whether [`read`](super::read) would catch a panic in the current thread. If so, a panic hook should print
/// nothing, because the panic becomes an error message.
pub fn is_guarded() -> bool {
    IS_GUARDED.get()
}

/// Runs a decoder. If it panics, returns the panic's message as `Err`.
pub(super) fn guarded<T>(read: impl FnOnce() -> T) -> Result<T, String> {
    let before = IS_GUARDED.replace(true);
    // Unwind safety: after a panic, the decoder's state is dropped or replaced by the error and never read.
    let done = catch_unwind(AssertUnwindSafe(read));
    IS_GUARDED.set(before);
    done.map_err(|panic| message(&*panic))
}

fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "no reason given".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_an_error_and_the_next_read_succeeds() {
        let failed = guarded(|| {
            assert!(is_guarded());
            assert_eq!(1 + 1, 3, "a palette of {} bytes", 5);
        });
        assert!(failed.unwrap_err().contains("a palette of 5 bytes"));
        assert!(!is_guarded());
        assert_eq!(guarded(|| 7), Ok(7));
    }
}
