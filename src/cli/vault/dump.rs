//! `wallcrawler vault dump`: resolves a map from several seeds, and prints the results or writes each to its own file.

use std::io::Write as _;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use super::super::UNUSABLE;
use super::super::failure::Failure;
use super::super::output::Output;
use super::super::target::{self, ForceArgs, OutputKind};
use super::files;
use super::show::{View, put, rows};
use crate::storage::{Sink, SinkKind};
use crate::vault::lua::ResolveOutcome;

/// The arguments of `vault dump`.
#[derive(Debug, clap::Args)]
#[command(mut_arg("force", |force| force.requires("output")))]
pub(super) struct Args {
    /// Name of the map
    #[arg(value_name = "MAP")]
    map: String,
    #[command(flatten)]
    files: files::Args,
    /// Number of consecutive seeds to resolve the map with
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..))]
    times: u32,
    /// First seed
    #[arg(long, value_name = "N", default_value = "1", value_parser = super::super::source::seed)]
    seed: u64,
    /// Write to NAME.1, NAME.2, … instead of standard output; if NAME is a pipe or a device, it receives all maps.
    /// Existing files are replaced only with --force
    #[arg(long, short, value_name = "NAME")]
    output: Option<PathBuf>,
    #[command(flatten)]
    force: ForceArgs,
    /// What to write for each cell
    #[arg(long, value_enum, default_value = "glyphs")]
    view: View,
}

/// Runs the command. Returns the exit status, or the error that stopped the command.
pub(super) fn run(args: &Args, output: &mut Output) -> Result<u8, Failure> {
    let (ready, map) = args.files.ready_for(&args.map, output)?;
    let mut place = Place::of(args)?;
    let mut status = u8::from(ready.has_errors);
    for number in 1..=args.times {
        let seed = args.seed.wrapping_add(u64::from(number) - 1);
        let problem = match ready.runtime.resolve(map, &ready.world, seed) {
            ResolveOutcome::Resolved(resolved) => {
                let mut text = rows(&resolved, args.view).join(&b'\n');
                text.push(b'\n');
                if place.put(number, seed, &text, output)?.is_break() {
                    return Ok(status);
                }
                continue;
            }
            ResolveOutcome::Invalid(_) => "it failed its own validation".to_owned(),
            ResolveOutcome::Vetoed => "it rejected itself (veto)".to_owned(),
            ResolveOutcome::Failed(failure) => failure.to_string(),
        };
        output.error(&format!("map `{}`, seed {seed}: {problem}", args.map));
        status = status.max(UNUSABLE);
        if ready.is_spent() {
            break;
        }
    }
    Ok(status.max(ready.status(output)))
}

/// Destination of the maps.
enum Place<'a> {
    /// Standard output; the view determines how the cells are printed.
    Stdout(View),
    /// A pipe or a device, which receives all maps.
    Stream(Sink),
    /// A file for each map; see [`numbered`].
    Files(&'a Path),
}

impl<'a> Place<'a> {
    /// Resolves the destination before any map is written.
    fn of(args: &'a Args) -> Result<Self, Failure> {
        let Some(name) = args.output.as_deref() else {
            return Ok(Self::Stdout(args.view));
        };
        let mut outputs = args.files.outputs(args.force);
        if name == Path::new("-") || SinkKind::of(name) != SinkKind::File {
            return match outputs.check(name, OutputKind::VaultMap)? {
                SinkKind::Stream => Ok(Self::Stream(Sink::open(name, SinkKind::Stream)?)),
                _ => Ok(Self::Stdout(args.view)),
            };
        }
        for number in 1..=args.times {
            // The copy does not remember the earlier names: they differ from each other, and comparing each with all others
            // would take minutes for thousands of files.
            outputs.clone().check(&numbered(name, number), OutputKind::VaultMap)?;
        }
        Ok(Self::Files(name))
    }

    /// Writes a map. Returns `Break` if the reader of the output has closed it.
    fn put(&mut self, number: u32, seed: u64, map: &[u8], output: &mut Output) -> Result<ControlFlow<()>, Failure> {
        let heading = format!("# {number}: seed {seed}\n");
        match self {
            Self::Files(name) => {
                target::write(&numbered(name, number), SinkKind::File, map, output)?;
            }
            Self::Stream(sink) => {
                let written = sink.write_all(heading.as_bytes()).and_then(|()| sink.write_all(map));
                match written {
                    Err(error) if target::is_closed(&error) => return Ok(ControlFlow::Break(())),
                    Err(error) => return Err(Failure::unreadable(format_args!("cannot write the maps: {error}"))),
                    Ok(()) => {}
                }
            }
            Self::Stdout(view) => {
                output.bytes(heading.as_bytes());
                put(map, *view, output);
                if output.is_closed() {
                    return Ok(ControlFlow::Break(()));
                }
            }
        }
        Ok(ControlFlow::Continue(()))
    }
}

/// Returns the name of a numbered file: `volcano.map.3` for `volcano.map` and 3.
fn numbered(name: &Path, number: u32) -> PathBuf {
    let mut name = name.as_os_str().to_owned();
    name.push(format!(".{number}"));
    name.into()
}
