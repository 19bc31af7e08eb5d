//! `wallcrawler vault check`: reports errors and warnings of level files.
//!
//! Every map runs once as before a game, which finds errors in its text and its Lua, and is resolved from many seeds, on
//! levels that it allows, which measures how often it passes its own validation.

use std::collections::BTreeMap;

use super::super::UNUSABLE;
use super::super::output::Output;
use super::files::{self, LoadedLibrary};
use super::show::{View, find, rows};
use super::summary;
use crate::text::{counted, escape_bytes};
use crate::vault::lua::{LuaFailure, ResolveOutcome};
use crate::vault::spec::Level;
use crate::vault::{MapId, ResolvedMap};

/// The arguments of `vault check`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    files: files::Args,
    /// Check only this map
    #[arg(long, value_name = "NAME")]
    map: Option<String>,
    /// Number of seeds to resolve each map with
    #[arg(long, value_name = "N", default_value_t = 20)]
    seeds: u64,
    /// Print a table of measurements over all files instead of a report per map
    #[arg(long)]
    summary: bool,
    /// Also report notes, and maps that have no errors
    #[arg(long, short)]
    verbose: bool,
}

/// Result of resolving a map from many seeds.
#[derive(Default)]
struct Rate {
    resolved: u64,
    vetoed: u64,
    /// Number of tries in all resolutions that ended in validation, passed or not.
    tries: u64,
    /// First seed of which no try passed, with its level and the last grid.
    invalid: Option<(u64, Level, Box<ResolvedMap>)>,
    invalids: u64,
    /// First seed whose Lua failed, with its level.
    failed: Option<(u64, Level, LuaFailure)>,
    failures: u64,
}

impl Rate {
    fn of(ready: &LoadedLibrary, map: MapId, seeds: u64) -> Self {
        let mut rate = Self::default();
        for (seed, world) in ready.worlds(map, seeds) {
            match ready.runtime.resolve(map, &world, seed) {
                ResolveOutcome::Resolved(resolved) => {
                    rate.resolved += 1;
                    rate.tries += u64::from(resolved.origin.tries);
                }
                ResolveOutcome::Vetoed => rate.vetoed += 1,
                ResolveOutcome::Invalid(resolved) => {
                    rate.invalids += 1;
                    rate.tries += u64::from(resolved.origin.tries);
                    rate.invalid.get_or_insert((seed, world.level, resolved));
                }
                ResolveOutcome::Failed(failure) => {
                    rate.failures += 1;
                    rate.failed.get_or_insert((seed, world.level, failure));
                }
            }
        }
        rate
    }

    /// Describes the result: `20 of 20 seeds; 12 % of 166 tries pass its validation`.
    fn description(&self, seeds: u64, validates: bool) -> String {
        let mut description = vec![format!("{} of {seeds} seeds", self.resolved)];
        for (count, what) in [
            (self.vetoed, "vetoed"),
            (self.invalids, "failed validation"),
            (self.failures, "failed in Lua"),
        ] {
            if count > 0 {
                description.push(format!("{count} {what}"));
            }
        }
        let description = description.join(", ");
        if !validates || self.tries == 0 {
            return description;
        }
        let percent = self.resolved as f64 * 100.0 / self.tries as f64;
        format!(
            "{description}; {percent:.0} % of {} tries passed validation",
            self.tries
        )
    }
}

/// Runs the command and returns the exit status; as an error where it ends early.
pub(super) fn run(args: &Args, output: &mut Output) -> Result<u8, u8> {
    let ready = args.files.ready(output)?;
    if args.summary {
        return summary::run(&ready, output);
    }
    let maps = match &args.map {
        None => ready.runtime.library().ids().collect(),
        Some(name) => vec![find(&ready.runtime, name, output)?],
    };
    ready.allow_times(args.seeds / 20);
    let mut status = u8::from(ready.has_errors);
    let mut bad = 0;
    let count = maps.len();
    for map in maps {
        if report(&ready, map, args, output) {
            bad += 1;
        }
        if output.is_closed() {
            return Ok(status);
        }
        if ready.is_spent() {
            return Ok(ready.status(output));
        }
    }
    if bad > 0 {
        status = status.max(UNUSABLE);
    }
    let files = ready.runtime.library().files().len();
    let (files, maps) = (counted(files, "file"), counted(count, "map"));
    let undefined = undefined(&ready.runtime.undefined_names());
    output.line(&format!("{files}, {maps}: {bad} with problems{undefined}"));
    Ok(status)
}

/// Counts the names that nothing defines, and shows the first of them with the places of their first uses.
fn undefined(names: &BTreeMap<String, String>) -> String {
    if names.is_empty() {
        return String::new();
    }
    let shown: Vec<String> = names
        .iter()
        .take(5)
        .map(|(name, place)| format!("`{name}` ({place})"))
        .collect();
    let more = if names.len() > shown.len() { ", …" } else { "" };
    format!(
        "; {}: {}{more}",
        counted(names.len(), "undefined name"),
        shown.join(", ")
    )
}

/// Reports the diagnostics of a map; returns whether there are any.
fn report(ready: &LoadedLibrary, map: MapId, args: &Args, output: &mut Output) -> bool {
    let runtime = &ready.runtime;
    let source = runtime.library().map(map);
    let place = format!("{}:{}", runtime.library().file(map).name, source.line);
    let report = runtime.compile(map);
    if let Some(failure) = &report.failure {
        output.line(&format!("{failure} (compile run of `{}`)", source.name));
    }
    if args.verbose {
        for note in &report.notes {
            output.line(&format!("{place}: note: {}: {note}", source.name));
        }
    }
    let rate = Rate::of(ready, map, args.seeds);
    let bad = report.failure.is_some() || rate.failures > 0 || rate.invalids > 0;
    let validates = source.validate.is_some();
    if bad || validates || args.verbose {
        output.line(&format!(
            "{place}: {}: {}",
            source.name,
            rate.description(args.seeds, validates)
        ));
    }
    if let Some((seed, level, failure)) = &rate.failed
        && report.failure.as_ref() != Some(failure)
    {
        output.line(&format!("{failure} (seed {seed} on {level})"));
    }
    if let Some((seed, level, resolved)) = &rate.invalid {
        output.line(&format!("  seed {seed} on {level}, last try:"));
        for row in rows(resolved, View::Glyphs) {
            output.line(&format!("    {}", escape_bytes(&row)));
        }
    }
    bad
}
