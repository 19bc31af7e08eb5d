//! `wallcrawler design-digest`: prints the digest that identifies a design in the rows of its surveys.

use serde_json::json;

use super::change::ChangedDesignArgs;
use super::failure::Failure;
use super::output::Output;
use super::rows::digest;
use super::selection::BuilderArgs;
use crate::engine::SEED_CATALOG;
use crate::recording_file::PROGRAM_VERSION;

/// The arguments of `design-digest`.
#[derive(Debug, clap::Args)]
#[command(mut_arg("seed", |seed| {
    seed.help("Seed with which the design and its vaults are checked for errors. It does not affect the digest, with one exception: if DESIGN is a recording, and the level files (.des) of its design were changed after the recording was made, the digest depends on this seed [default: the design's seed]")
}))]
pub(super) struct Args {
    #[command(flatten)]
    design: ChangedDesignArgs,
    #[command(flatten)]
    builders: BuilderArgs,
    /// Print as JSON the digest, the version of the program, and the edition of its growth rules (`seed_catalog`):
    /// versions with the same edition grow the same dungeon from the same design and seed
    #[arg(long)]
    json: bool,
}

/// Runs the command and returns the exit status.
pub(super) fn run(args: &Args, output: &mut Output) -> Result<u8, Failure> {
    let options = args.builders.options();
    let seeded = args.design.seeded(options, output)?;
    let digest = digest(&seeded, options);
    if args.json {
        let all = json!({"design": digest, "version": PROGRAM_VERSION, "seed_catalog": SEED_CATALOG});
        output.line(&format!("{all:#}"));
    } else {
        output.line(&digest);
    }
    Ok(0)
}
