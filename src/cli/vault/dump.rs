//! `wallcrawler vault dump`: a map resolved many times, each into a file of its own.

use std::path::{Path, PathBuf};

use super::super::output::Output;
use super::super::{UNREADABLE, UNUSABLE};
use super::files;
use super::show::{View, find, rows};
use crate::storage;
use crate::vault::lua::Outcome;

/// The arguments of `vault dump`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The map's name
    #[arg(value_name = "MAP")]
    map: String,
    #[command(flatten)]
    files: files::Args,
    /// How many times it is resolved, with one seed after the other
    #[arg(long, value_name = "N", default_value_t = 10)]
    times: u32,
    /// The first seed
    #[arg(long, value_name = "N", default_value = "1", value_parser = super::super::source::seed)]
    seed: u64,
    /// The files to write: a dot and the number are added; without it everything is printed
    #[arg(long, short, value_name = "NAME")]
    output: Option<PathBuf>,
    /// What is written of each cell
    #[arg(long, value_enum, default_value = "glyphs")]
    view: View,
}

/// Runs the command; the exit status.
pub(super) fn run(args: &Args, output: &mut Output) -> u8 {
    let ready = match args.files.ready(output) {
        Ok(ready) => ready,
        Err(status) => return status,
    };
    let Some(map) = find(&ready.runtime, &args.map, output) else {
        return UNREADABLE;
    };
    let mut status = u8::from(ready.has_errors);
    for number in 1..=args.times {
        let seed = args.seed.wrapping_add(u64::from(number) - 1);
        let problem = match ready.runtime.resolve(map, &ready.world, seed) {
            Outcome::Resolved(resolved) => {
                let mut text = rows(&resolved, args.view).join(&b'\n');
                text.push(b'\n');
                if let Some(name) = &args.output {
                    if let Err(error) = storage::write_atomic(&numbered(name, number), &text) {
                        output.complain(&error.to_string());
                        return UNREADABLE;
                    }
                } else {
                    output.line(&format!("# {number}: seed {seed}"));
                    output.bytes(&text);
                    if output.is_closed() {
                        return status;
                    }
                }
                continue;
            }
            Outcome::Invalid(_) => "failed its own validation".to_owned(),
            Outcome::Vetoed => "vetoed itself".to_owned(),
            Outcome::Failed(failure) => failure.to_string(),
        };
        output.complain(&format!("'{}', seed {seed}: {problem}", args.map));
        status = status.max(UNUSABLE);
    }
    status
}

/// `volcano.map` and 3: `volcano.map.3`.
fn numbered(name: &Path, number: u32) -> PathBuf {
    let mut name = name.as_os_str().to_owned();
    name.push(format!(".{number}"));
    name.into()
}
