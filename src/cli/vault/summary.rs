//! `wallcrawler vault check --summary`: one table of what was measured.

use super::super::output::Output;
use super::files::LoadedLibrary;
use crate::vault::summary::LibrarySummary;

/// Prints the table; the exit status.
pub(super) fn run(ready: &LoadedLibrary, output: &mut Output) -> u8 {
    let measured = match ready.measured(output) {
        Ok(measured) => measured,
        Err(status) => return status,
    };
    let summary = LibrarySummary::new(ready.runtime.library(), &measured);
    output.text(&summary.to_string());
    ready.status(output)
}
