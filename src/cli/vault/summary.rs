//! `wallcrawler vault check --summary`: prints a table of measurements over all files.

use super::super::output::Output;
use super::files::LoadedLibrary;
use crate::vault::summary::LibrarySummary;

/// Prints the table; returns the exit status.
pub(super) fn run(ready: &LoadedLibrary, output: &mut Output) -> u8 {
    let measured = match ready.measured(output) {
        Ok(measured) => measured,
        Err(status) => return status,
    };
    let summary = LibrarySummary::new(ready.runtime.library(), &measured);
    output.text(&summary.to_string());
    ready.status(output)
}
