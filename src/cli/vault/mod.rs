//! `wallcrawler vault`: the commands that work on level files and their maps.
//!
//! Each subcommand has its own module; the module `files` finds and prepares the level files. Exit status 1 means an
//! unusable map or, in `diff` and `fmt --check`, a difference; exit status 2 means a file that cannot be read.

mod check;
mod diff;
mod dump;
mod files;
mod fmt;
mod list;
mod lsp;
mod names;
mod portals;
mod show;
mod stats;
mod summary;
mod uri;

use clap::Subcommand;

use super::failure::Failure;
use super::output::Output;

/// The arguments of `vault`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// List the maps of level files: size, orientation, depth, weight, tags
    List(list::Args),
    /// Resolve a map with a seed and print it
    ///
    /// To resolve a map is to run its Lua code and to make its random choices, which the seed determines.
    Show(show::Args),
    /// Report errors in level files, and how often each map passes its own validation
    ///
    /// The command resolves each map with many seeds. To resolve a map is to run its Lua code and to make its random
    /// choices, which the seed determines.
    Check(check::Args),
    /// Build many levels and report how often each map was chosen or failed, and how likely each map is to be chosen
    Stats(stats::Args),
    /// Show how portals, transporters, hatches and subvaults connect maps, and which of them lead nowhere
    Portals(portals::Args),
    /// Resolve a map with several seeds, and print the results or write each to a file
    ///
    /// To resolve a map is to run its Lua code and to make its random choices, which the seed determines.
    Dump(dump::Args),
    /// List the maps that differ between two versions of level files, and show them before and after
    ///
    /// The command resolves both versions of each map with many seeds. To resolve a map is to run its Lua code and to
    /// make its random choices, which the seed determines.
    Diff(diff::Args),
    /// Format level files in place: align header values in one column, and continue long values on the next line
    Fmt(fmt::Args),
    /// Run a language server, which reports errors in level files to an editor and completes names
    Lsp(lsp::Args),
    /// Save the names of monsters, items, spells, brands and tiles of your copy of Dungeon Crawl Stone Soup to a file,
    /// for `vault check`
    Names(names::Args),
}

/// Runs the command and returns the exit status.
pub(super) fn run(args: &Args, output: &mut Output) -> Result<u8, Failure> {
    match &args.command {
        Command::List(args) => list::run(args, output),
        Command::Show(args) => show::run(args, output),
        Command::Check(args) => check::run(args, output),
        Command::Stats(args) => stats::run(args, output),
        Command::Portals(args) => portals::run(args, output),
        Command::Dump(args) => dump::run(args, output),
        Command::Diff(args) => diff::run(args, output),
        Command::Fmt(args) => fmt::run(args, output),
        Command::Lsp(args) => lsp::run(args, output),
        Command::Names(args) => names::run(args, output),
    }
}
