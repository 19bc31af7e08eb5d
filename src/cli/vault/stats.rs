//! `wallcrawler vault stats`: builds many levels and counts how often each map is chosen.

use super::super::failure::Failure;
use super::super::output::Output;
use super::super::rows::joined;
use super::check::json_text;
use super::files;
use crate::vault::Library;
use crate::vault::stats::{self, DUNGEONS, MapList, MapOdds, RefusalReason, SurveyPlan, VaultSurvey};
use serde_json::{Value, json};

/// The arguments of `vault stats`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    files: files::Args,
    /// Number of times to build the level that --place names
    #[arg(long, value_name = "N", default_value_t = DUNGEONS, value_parser = clap::value_parser!(u32).range(1..))]
    levels: u32,
    /// Build N whole dungeons: all levels of all branches that the maps mention
    #[arg(
        long,
        value_name = "N",
        conflicts_with_all = ["levels", "place"],
        value_parser = clap::value_parser!(u32).range(1..)
    )]
    dungeons: Option<u32>,
    /// Seed of the random choices
    #[arg(long, value_name = "N", default_value = "1", value_parser = super::super::source::seed)]
    seed: u64,
    /// Print only the probability of each map on the level that --place names
    #[arg(long, conflicts_with_all = ["levels", "dungeons"])]
    odds: bool,
    /// Print the counts and probabilities as a JSON object
    #[arg(long, conflicts_with = "csv")]
    json: bool,
    /// Print CSV with a line for each map that can be chosen. With --odds, print instead a line for each map and each
    /// list from which the game can draw it (`main`, `chance`, `minivault`, or `further` for additional maps), with the
    /// probability of the map in that list
    #[arg(long)]
    csv: bool,
}

/// Runs the command. Returns the exit status, or the error that stopped the command.
pub(super) fn run(args: &Args, output: &mut Output) -> Result<u8, Failure> {
    let ready = args.files.ready(output)?;
    ready.allow_times(u64::from(args.dungeons.unwrap_or(args.levels)) / u64::from(DUNGEONS));
    let measured = ready.measured()?;
    let (library, catalog) = (ready.runtime.library(), measured.catalog());
    let level = ready.world.level;
    let survey = (!args.odds).then(|| {
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
        VaultSurvey::new(library, catalog, plan, |map, level, seed| measured.on(map, level, seed))
    });
    let odds = if args.dungeons.is_none() {
        stats::odds(catalog, &level)
    } else {
        Vec::new()
    };
    if args.json {
        let survey = survey.as_ref().map(|survey| counts(library, survey));
        let odds: Vec<Value> = odds.iter().map(|odds| probability(library, odds)).collect();
        output.text(&json_text(&json!({"survey": survey, "odds": odds})));
    } else if args.csv {
        for line in csv(library, survey.as_ref(), &odds) {
            output.line(&line);
        }
    } else {
        if let Some(survey) = &survey {
            output.text(&survey.report(library));
        }
        if survey.is_some() && !odds.is_empty() {
            output.line("");
        }
        if !odds.is_empty() {
            for line in stats::odds_table(library, &odds, &level.to_string()) {
                output.line(&line);
            }
        } else if args.odds {
            output.line(&format!("no map can be chosen for {level}"));
        }
    }
    Ok(ready.status(output))
}

fn probability(library: &Library, odds: &MapOdds) -> Value {
    json!({"map": library.map(odds.map).name, "list": odds.list, "share": odds.share})
}

/// Returns a survey as JSON, with names in place of the indices of maps and levels.
fn counts(library: &Library, survey: &VaultSurvey) -> Value {
    let name = |at: usize| survey.plan.levels[at].to_string();
    let levels = survey.levels.iter().enumerate().map(|(at, count)| {
        json!({
            "level": name(at), "tried": count.tried, "built": count.built, "abandoned": count.failed,
            "without_maps": count.empty, "vetoes": count.vetoes,
        })
    });
    let maps = survey.named(library).enumerate().filter_map(|(index, (map, count))| {
        let rejections = count.refusals.iter().map(|rejection| {
            let why = match &rejection.why {
                RefusalReason::Veto => "veto",
                RefusalReason::Validation => "validation",
                RefusalReason::Lua(message) => message,
            };
            json!({"level": name(rejection.level), "seed": rejection.seed, "why": why, "times": rejection.times})
        });
        let places: serde_json::Map<String, Value> = count
            .places
            .iter()
            .map(|(at, times)| (name(*at), json!(times)))
            .collect();
        Some(json!({
            "map": map, "lists": survey.lists.get(&index)?, "drawn": count.tried, "made": count.made, "used": count.used,
            "vetoed": count.vetoed, "invalid": count.invalid, "failed": count.failed,
            "levels": places, "rejections": rejections.collect::<Vec<_>>(),
        }))
    });
    json!({
        "dungeons": survey.plan.dungeons, "seed": survey.plan.seed,
        "levels": levels.collect::<Vec<_>>(), "maps": maps.collect::<Vec<_>>(),
    })
}

/// Returns CSV lines with a header: the maps with their counts, or the probabilities if there is no survey.
fn csv(library: &Library, survey: Option<&VaultSurvey>, odds: &[MapOdds]) -> Vec<String> {
    let Some(survey) = survey else {
        let rows = odds.iter().map(|odds| {
            let map = library.map(odds.map).name.clone();
            joined([map, odds.list.name().to_owned(), odds.share.to_string()])
        });
        return std::iter::once("map,list,share".to_owned()).chain(rows).collect();
    };
    let mut lines = vec!["map,lists,drawn,made,used,vetoed,invalid,failed,levels".to_owned()];
    for (index, (map, count)) in survey.named(library).enumerate() {
        let Some(lists) = survey.lists.get(&index) else {
            continue;
        };
        let names: Vec<&str> = lists.iter().copied().map(MapList::name).collect();
        let levels = count
            .places
            .iter()
            .map(|(at, times)| format!("{} {times}", survey.plan.levels[*at]));
        let mut cells = vec![map.to_owned(), names.join(" ")];
        let numbers = [
            count.tried,
            count.made,
            count.used,
            count.vetoed,
            count.invalid,
            count.failed,
        ];
        cells.extend(numbers.map(|number| number.to_string()));
        cells.push(levels.collect::<Vec<_>>().join("; "));
        lines.push(joined(cells));
    }
    lines
}
