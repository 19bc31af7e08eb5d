//! `wallcrawler vault check --summary`: prints a table of measurements over all files.

use super::super::failure::Failure;
use super::super::output::Output;
use super::files::LoadedLibrary;
use crate::vault::summary::LibrarySummary;

/// Prints the table and returns the exit status, or an error if memory is insufficient.
pub(super) fn run(ready: &LoadedLibrary, output: &mut Output) -> Result<u8, Failure> {
    let measured = ready.measured()?;
    let summary = LibrarySummary::new(ready.runtime.library(), &measured);
    output.text(&summary.to_string());
    Ok(ready.status(output))
}
