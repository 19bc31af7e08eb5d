//! `wallcrawler vault check --summary`: prints a table of measurements over all files.

use super::super::output::Output;
use super::files::LoadedLibrary;
use crate::vault::summary::LibrarySummary;

/// Prints the table; returns the exit status, as an error if memory is insufficient.
pub(super) fn run(ready: &LoadedLibrary, output: &mut Output) -> Result<u8, u8> {
    let measured = ready.measured(output)?;
    let summary = LibrarySummary::new(ready.runtime.library(), &measured);
    output.text(&summary.to_string());
    Ok(ready.status(output))
}
