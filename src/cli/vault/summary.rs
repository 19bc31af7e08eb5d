//! `wallcrawler vault check --summary`: one table of what was measured.

use super::super::UNUSABLE;
use super::super::output::Output;
use super::files::Ready;
use crate::vault::lua::Measured;
use crate::vault::summary::Summary;

/// Prints the table; the exit status.
pub(super) fn run(ready: &Ready, output: &mut Output) -> u8 {
    let measured = match Measured::new(&ready.runtime, ready.world.clone()) {
        Ok(measured) => measured,
        Err(failure) => {
            output.complain(&failure.to_string());
            return UNUSABLE;
        }
    };
    let summary = Summary::new(ready.runtime.library(), &measured);
    output.bytes(summary.to_string().as_bytes());
    u8::from(ready.has_errors)
}
