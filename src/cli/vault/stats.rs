//! `wallcrawler vault stats`: counts which maps levels get, and how often.

use super::super::output::Output;
use super::files;
use crate::vault::library::Catalog;
use crate::vault::spec::Level;
use crate::vault::stats::{self, DUNGEONS, SurveyPlan, VaultSurvey};

/// The arguments of `vault stats`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    files: files::Args,
    /// Number of times to build the level of --place
    #[arg(long, value_name = "N", default_value_t = DUNGEONS)]
    levels: u32,
    /// Build N whole dungeons: every level of every branch that a map names
    #[arg(long, value_name = "N", conflicts_with = "levels")]
    dungeons: Option<u32>,
    /// Seed of the random choices
    #[arg(long, value_name = "N", default_value = "1", value_parser = super::super::source::seed)]
    seed: u64,
    /// Print only the probability of each map on the level of --place
    #[arg(long, conflicts_with_all = ["levels", "dungeons"])]
    odds: bool,
}

/// Runs the command and returns the exit status; as an error where it ends early.
pub(super) fn run(args: &Args, output: &mut Output) -> Result<u8, u8> {
    let ready = args.files.ready(output)?;
    ready.allow_times(u64::from(args.dungeons.unwrap_or(args.levels)) / u64::from(DUNGEONS));
    let measured = ready.measured(output)?;
    let (library, catalog) = (ready.runtime.library(), measured.catalog());
    let level = ready.world.level;
    if !args.odds {
        let plan = match args.dungeons {
            Some(dungeons) => SurveyPlan {
                dungeons,
                ..SurveyPlan::whole(catalog, args.seed)
            },
            None => SurveyPlan {
                levels: vec![level],
                dungeons: args.levels,
                seed: args.seed,
            },
        };
        let survey = VaultSurvey::new(library, catalog, plan, |map, level, seed| measured.on(map, level, seed));
        output.text(&survey.report(library));
        output.line("");
    }
    if args.dungeons.is_none() {
        let name = |map| library.map(map).name.as_str();
        odds(catalog, &level, name, output);
    }
    Ok(ready.status(output))
}

/// Prints the probability of each map on a level.
fn odds<'a>(catalog: &Catalog, level: &Level, name: impl Fn(crate::vault::MapId) -> &'a str, output: &mut Output) {
    let odds = stats::odds(catalog, level);
    output.line(&format!("Probability of each map on {level}"));
    for (map, share) in &odds {
        output.line(&format!("  {:6.2} %  {}", share * 100.0, name(*map)));
    }
    let none = 1.0 - odds.iter().map(|(_, share)| share).sum::<f64>();
    if none > 1e-9 {
        output.line(&format!("  {:6.2} %  none", none * 100.0));
    }
}
