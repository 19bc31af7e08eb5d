//! `wallcrawler vault`: lists, shows, checks, counts and writes maps of level files.
//!
//! Each of its commands has its own file; `files` finds the level files and prepares them. The exit statuses are those
//! of the other commands: 1 for an unusable map, 2 for a file that cannot be read.

mod check;
mod dump;
mod files;
mod list;
mod portals;
mod show;
mod stats;
mod summary;

use clap::Subcommand;

use super::output::Output;

/// The arguments of `vault`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Lists the maps of level files: size, orientation, depth, weight, tags
    List(list::Args),
    /// Prints a map as it is resolved from a seed
    Show(show::Args),
    /// Says what is wrong with level files, and how often each map passes its own validation
    Check(check::Args),
    /// Builds many levels and counts which maps they got, what refused, and how likely each map is
    Stats(stats::Args),
    /// Tells which map leads to which by portals, transporters, hatches and subvaults, and which ends dangle
    Portals(portals::Args),
    /// Writes resolved maps into files, one for each of many seeds
    Dump(dump::Args),
}

/// Runs the command and returns the exit status.
pub(super) fn run(args: &Args, output: &mut Output) -> u8 {
    match &args.command {
        Command::List(args) => list::run(args, output),
        Command::Show(args) => show::run(args, output),
        Command::Check(args) => check::run(args, output),
        Command::Stats(args) => stats::run(args, output),
        Command::Portals(args) => portals::run(args, output),
        Command::Dump(args) => dump::run(args, output),
    }
}
