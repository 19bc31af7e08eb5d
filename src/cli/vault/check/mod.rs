//! `wallcrawler vault check`: reports errors and warnings about level files.
//!
//! The check first compiles every map, as the game (Dungeon Crawl Stone Soup) does when it starts; this finds errors in
//! the text and the Lua of the maps. The check then resolves each map from many seeds, on levels that the map allows,
//! to find out how often the map passes its own validation and whether the game would accept it. The work is divided
//! among all cores; the report does not depend on the number of cores.

mod findings;
mod report;
mod runs;

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;

use super::super::UNUSABLE;
use super::super::failure::Failure;
use super::super::output::Output;
use super::super::source::input_path;
use super::files::{self, LoadedLibrary};
use super::show::{View, rows};
use super::{names, summary};
use crate::background::{Cancelled, in_order, threads};
use crate::design::Severity;
use crate::text::{counted, escape_bytes};
use crate::vault::glyphs::Cell;
use crate::vault::lint::{Finding, Names, PortalFacts, destinations, unknown_tags};
use crate::vault::lua::UndefinedUse;
use crate::vault::{Library, MapId};
use findings::Findings;
use report::Format;
pub(super) use report::json_text;
use runs::Runs;

/// The arguments of `vault check`.
#[derive(Debug, clap::Args)]
#[command(mut_arg("place", |place| place.help(files::PLACE_IN_CHECKS)))]
#[expect(clippy::struct_excessive_bools, reason = "command-line flags")]
pub(super) struct Args {
    #[command(flatten)]
    files: files::Args,
    /// Check only this map
    #[arg(long, value_name = "NAME")]
    map: Option<String>,
    /// Number of seeds to resolve each map with
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u64).range(1..))]
    seeds: u64,
    /// Also find closets: cells into which a player can be teleported and from which there is no way out
    #[arg(long)]
    closets: bool,
    /// Treat warnings as errors
    #[arg(long)]
    strict: bool,
    /// File with the names that the game defines, written by `vault names` [default: the names in --crawl-data]
    #[arg(long, value_name = "FILE", value_parser = input_path())]
    names: Option<PathBuf>,
    /// Format of the report
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
    /// Print the report as JSON; short for --format json
    #[arg(long, conflicts_with = "format")]
    json: bool,
    /// Instead of a report per map, print one table for all files. It counts, among other things, the maps that are
    /// read without a diagnostic, the maps whose Lua runs without an error for each of 3 seeds, and the maps whose grid
    /// differs between seeds
    #[arg(long, conflicts_with_all = ["map", "seeds", "closets", "strict", "names", "format", "json", "verbose"])]
    summary: bool,
    /// Also report notes, and maps that have no errors
    #[arg(long, short)]
    verbose: bool,
}

impl Args {
    /// Returns the format of the report.
    const fn format(&self) -> Format {
        if self.json { Format::Json } else { self.format }
    }
}

/// Number of seeds that a thread resolves at a time.
const SEEDS_AT_ONCE: u64 = 100;

/// Runs the command and returns the exit status.
pub(super) fn run(args: &Args, output: &mut Output) -> Result<u8, Failure> {
    if args.summary {
        return summary::run(&args.files.ready(output)?, output);
    }
    let names = names::of(args.names.as_deref(), args.files.crawl_data())?;
    let (library, world) = args.files.library()?;
    let maps = maps(args, &library)?;
    let loaded = args.files.load(Arc::clone(&library), world.clone())?;
    let mut checked = Checked {
        findings: Findings::new(args.strict, names),
        undefined: BTreeMap::new(),
        portals: Vec::new(),
        spent: 0,
        stopped: None,
    };
    checked
        .findings
        .add_files(&library, args.map.is_some().then(|| maps[0]));
    if args.format() == Format::Text {
        checked.findings.print_new(output);
    }
    let parts = args.seeds.div_ceil(SEEDS_AT_ONCE);
    let limit = LoadedLibrary::limit(args.seeds / 20);
    let mut joined = Runs::default();
    // The loop ends early only if the instruction limit is reached or the reader of the output has closed it. `stopped`
    // and `output` record this, so the result can be ignored.
    let _ = in_order(
        parts.saturating_mul(maps.len() as u64),
        threads(),
        || args.files.load(Arc::clone(&library), world.clone()).ok(),
        |loaded, number| {
            let (map, part) = (maps[(number / parts) as usize], number % parts);
            let first = part * SEEDS_AT_ONCE + 1;
            let last = (first + SEEDS_AT_ONCE - 1).min(args.seeds);
            let loaded = loaded.as_ref().ok_or(Cancelled)?;
            Ok(Runs::new(loaded, map, args.seeds, first..=last, args.closets))
        },
        |number, runs| {
            joined.join(runs);
            if number % parts == parts - 1 {
                let runs = std::mem::take(&mut joined);
                checked.map(&loaded, maps[(number / parts) as usize], runs, args, output);
                checked.stop_beyond(limit);
            }
            if output.is_closed() || checked.stopped.is_some() {
                Err(Cancelled)
            } else {
                Ok(())
            }
        },
    );
    if output.is_closed() {
        return Ok(checked.status());
    }
    for (name, first) in loaded.runtime.undefined_names() {
        checked.undefined.entry(name).or_insert(first);
    }
    checked.behind_portals(&loaded, args, output);
    checked.misspelt(&library, args, output);
    checked.finish(&library, maps.len(), args, output);
    Ok(checked.status())
}

/// Returns the findings about a file that do not require its maps to be resolved from seeds: errors in its text and in
/// the compile runs of its maps, and violations of lint rules.
pub(super) fn without_seeds(loaded: &LoadedLibrary, file: &str, names: Option<Names>) -> Vec<Finding> {
    let library = loaded.runtime.library();
    let mut findings = Findings::new(false, names);
    findings.add_files(library, None);
    for map in library.ids().filter(|map| library.file(*map).name == file) {
        let report = loaded.runtime.compile(map);
        let runs = Runs::of_compile(&report, library.file(map), library.map(map));
        findings.add_map(library, map, &report, &runs, 0);
    }
    for (name, first) in loaded.runtime.undefined_names() {
        findings.add_misspelt(library, &name, &first);
    }
    let is_here = |finding: &Finding| {
        finding
            .diagnostic
            .source
            .as_ref()
            .is_none_or(|source| source.file == file)
    };
    findings
        .all()
        .iter()
        .filter(|finding| is_here(finding))
        .cloned()
        .collect()
}

/// Returns the maps to check: the map that `--map` names, or all. Fails if no map has that name.
fn maps(args: &Args, library: &Library) -> Result<Vec<MapId>, Failure> {
    match &args.map {
        Some(name) => Ok(vec![files::by_name(library, name)?]),
        None => Ok(library.ids().collect()),
    }
}

/// The results of the check so far.
struct Checked {
    findings: Findings,
    undefined: BTreeMap<String, UndefinedUse>,
    /// Portals of the maps that have been checked.
    portals: Vec<(MapId, PortalFacts)>,
    /// Number of Lua instructions that the maps have executed in total.
    spent: u64,
    /// Reason why the check ends early, if it does.
    stopped: Option<String>,
}

impl Checked {
    /// Adds the findings about a map, and prints them if the format is text.
    fn map(&mut self, loaded: &LoadedLibrary, map: MapId, runs: Runs, args: &Args, output: &mut Output) {
        let report = loaded.runtime.compile(map);
        let before = self.findings.all().len();
        self.findings
            .add_map(loaded.runtime.library(), map, &report, &runs, args.seeds);
        let is_new = self.findings.all().len() > before;
        self.spent = self.spent.saturating_add(runs.spent);
        self.stopped = self.stopped.take().or_else(|| runs.exhausted.clone());
        if args.format() == Format::Text {
            let source = loaded.runtime.library().map(map);
            let place = format!("{}:{}", loaded.runtime.library().file(map).name, source.line);
            let later = runs.printed.iter().filter(|text| !report.printed.contains(text));
            for printed in report.printed.iter().chain(later) {
                output.line(&format!("printed at {printed}"));
            }
            if args.verbose {
                for note in &report.notes {
                    output.line(&format!("{place}: note: {}: {note}", source.name));
                }
            }
            self.findings.print_new(output);
            let validates = source.validate.is_some();
            if runs.invalids > 0 || validates || args.verbose || (runs.failures > 0 && is_new) {
                let description = runs.description(args.seeds, validates);
                output.line(&format!("{place}: {}: {description}", source.name));
            }
            if let Some((seed, level, resolved)) = &runs.invalid {
                output.line(&format!("  seed {seed} on {level}, last try:"));
                for row in rows(resolved, View::Glyphs) {
                    output.line(&format!("    {}", escape_bytes(&row)));
                }
            }
            if let Some(closet) = &runs.closet {
                let (seed, level) = (closet.seed, closet.level);
                output.line(&format!("  seed {seed} on {level}, closets marked `!`:"));
                for row in with_marks(rows(&closet.map, View::Glyphs), &closet.cells) {
                    output.line(&format!("    {}", escape_bytes(&row)));
                }
            }
        }
        for (name, first) in runs.undefined {
            self.undefined.entry(name).or_insert(first);
        }
        self.portals.push((map, runs.portals));
    }

    /// Adds the findings that depend on the tags of all maps: about subvaults, and about the maps behind portals.
    fn behind_portals(&mut self, loaded: &LoadedLibrary, args: &Args, output: &mut Output) {
        let library = loaded.runtime.library();
        let tags: BTreeSet<String> = library
            .ids()
            .flat_map(|map| {
                let state = loaded.runtime.compile(map).state;
                state.tags.iter().map(str::to_owned).collect::<Vec<_>>()
            })
            .collect();
        for (map, _) in &self.portals {
            for finding in unknown_tags(library, library.file(*map), library.map(*map), &tags) {
                self.findings.add(finding);
            }
        }
        let has_tag = |map: MapId, tag: &str| loaded.runtime.compile(map).state.tags.has(tag);
        for finding in destinations(loaded.runtime.library(), &self.portals, has_tag) {
            self.findings.add(finding);
        }
        if args.format() == Format::Text {
            self.findings.print_new(output);
        }
    }

    /// Adds warnings about undefined names that are probably misspelt.
    fn misspelt(&mut self, library: &Library, args: &Args, output: &mut Output) {
        for (name, first) in &self.undefined {
            self.findings.add_misspelt(library, name, first);
        }
        if args.format() == Format::Text {
            self.findings.print_new(output);
        }
    }

    /// Ends the check if all maps together have executed more than `limit` Lua instructions.
    fn stop_beyond(&mut self, limit: u64) {
        if self.stopped.is_none() && self.spent > limit {
            self.stopped = Some(format!("all maps together used more than {limit} Lua instructions"));
        }
    }

    fn finish(&self, library: &Library, maps: usize, args: &Args, output: &mut Output) {
        if let Some(reason) = &self.stopped {
            output.error(&format!(
                "stopped early: {reason}; fix maps that loop, or pass fewer files or seeds"
            ));
        }
        match args.format() {
            Format::Text if self.stopped.is_none() => {
                let files = counted(library.files().len(), "file");
                let maps = counted(maps, "map");
                let description = self.findings.description();
                output.line(&format!("{files}, {maps}: {description}{}", undefined(&self.undefined)));
            }
            Format::Text => {}
            format => output.text(&report::write(format, self.findings.all())),
        }
    }

    fn status(&self) -> u8 {
        let is_bad = self.stopped.is_some() || self.findings.all().iter().any(Finding::is_error);
        if is_bad { UNUSABLE } else { 0 }
    }
}

/// Marks cells with `!` in the rows of a grid.
fn with_marks(mut rows: Vec<Vec<u8>>, cells: &[Cell]) -> Vec<Vec<u8>> {
    for cell in cells {
        rows[cell.y as usize][cell.x as usize] = b'!';
    }
    rows
}

/// Describes how many names are undefined, and lists up to five of them with the places where they are first used.
fn undefined(names: &BTreeMap<String, UndefinedUse>) -> String {
    if names.is_empty() {
        return String::new();
    }
    let shown: Vec<String> = names
        .iter()
        .take(5)
        .map(|(name, first)| match &first.place {
            Some(place) => format!("`{name}` ({place})"),
            None => format!("`{name}`"),
        })
        .collect();
    let more = if names.len() > shown.len() { ", …" } else { "" };
    format!(
        "; {}: {}{more}",
        counted(names.len(), "undefined name"),
        shown.join(", ")
    )
}

/// Returns whether diagnostics of this severity become findings; notes do not.
const fn is_shown(severity: Severity) -> bool {
    !matches!(severity, Severity::Note)
}
