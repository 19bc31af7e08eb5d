//! `wallcrawler vault fmt`: formats level files.

use std::path::PathBuf;

use super::super::failure::Failure;
use super::super::output::Output;
use super::super::{UNUSABLE, target};
use super::files;
use crate::storage::{self, SinkKind};
use crate::text::counted;
use crate::vault::source;

/// The arguments of `vault fmt`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Level files, or folders with level files
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Only list the files that would change, and exit with status 1 if there are any
    #[arg(long)]
    check: bool,
}

/// Runs the command. Returns the exit status, or the error that stopped the command.
pub(super) fn run(args: &Args, output: &mut Output) -> Result<u8, Failure> {
    let paths = files::level_files(&args.files)?;
    if paths.is_empty() {
        return Err(files::none_found());
    }
    let (mut changed, mut status) = (0, 0);
    for path in &paths {
        let before = storage::read(path)?;
        let name = path.display().to_string();
        let file = source::read(&name, &before);
        let Some(after) = source::format(&file) else {
            output.report(&file.problems);
            output.error(&format!("{name} was not formatted; fix its errors first"));
            status = UNUSABLE;
            continue;
        };
        if after == before {
            continue;
        }
        changed += 1;
        output.line(&name);
        if args.check {
            status = UNUSABLE;
        } else {
            target::write(path, SinkKind::File, &after, output)?;
        }
    }
    let verb = if args.check { "would change" } else { "changed" };
    output.summary(&format!("{} of {} {verb}", changed, counted(paths.len(), "file")));
    Ok(status)
}
