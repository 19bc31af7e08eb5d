//! `wallcrawler vault diff`: lists the maps that differ between two versions of level files, and shows them before and
//! after.
//!
//! The command compares two versions of a map twice. First it compares their statements, without comments, map rows and
//! line breaks. Then it resolves both versions from the same seeds, on levels that the new version allows, and compares
//! the squares. The second comparison also finds maps that changed only because a Lua function that they call has
//! changed.

use serde_json::{Value, json};

use super::super::failure::Failure;
use super::super::output::Output;
use super::check::json_text;
use super::files::{self, LoadedLibrary};
use super::show::{View, facts, rows};
use crate::text::{counted, escape_bytes, escape_line};
use crate::vault::lua::ResolveOutcome;
use crate::vault::map::{Marker, MarkerBody};
use crate::vault::source::statements;
use crate::vault::spec::Ranges;
use crate::vault::{MapId, ResolvedMap};

/// The arguments of `vault diff`.
#[derive(Debug, clap::Args)]
#[command(override_usage = "wallcrawler vault diff [OPTIONS] <OLD> <NEW>")]
#[command(mut_arg("files", |files| files
    .num_args(2)
    .action(clap::ArgAction::Set)
    .required(true)
    .value_names(["OLD", "NEW"])
    .help("The old version, and the new version: each is a level file, or a folder with level files")))]
#[command(mut_arg("place", |place| place.help(files::PLACE_IN_CHECKS)))]
pub(super) struct Args {
    #[command(flatten)]
    files: files::Args,
    /// Number of seeds to resolve each map with
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u64).range(1..))]
    seeds: u64,
    /// Print the differences as a JSON object
    #[arg(long)]
    json: bool,
}

/// Maximum number of lines about a map's contents that are printed for each version.
const CONTENTS_SHOWN: usize = 10;

/// The difference between two versions of a map.
#[derive(Default)]
struct Difference {
    map: String,
    change: &'static str,
    /// File and line of the map: in the new version, or in the old version if the map was removed.
    place: (String, u32),
    /// Statements that only the old version contains.
    removed: Vec<String>,
    /// Statements that only the new version contains.
    added: Vec<String>,
    /// Number of seeds for which the versions yield different squares.
    seeds: u64,
    /// The map for the first of these seeds; for an added or removed map, its only version.
    first: Option<Sample>,
}

/// The old and the new version of a map, resolved from the same seed.
struct Sample {
    seed: u64,
    level: String,
    before: Picture,
    after: Picture,
}

/// A resolved map as lines of text, or the reason why there is none.
#[derive(Default)]
struct Picture {
    rows: Vec<String>,
    contents: Vec<String>,
}

/// Runs the command. Returns the exit status (1 if any map differs), or the error that stopped the command.
pub(super) fn run(args: &Args, output: &mut Output) -> Result<u8, Failure> {
    let [old, new] = args.files.each_alone(output)?;
    old.allow_times(args.seeds / 20);
    new.allow_times(args.seeds / 20);
    let (mut found, mut equal) = (Vec::new(), 0_usize);
    for (map, name) in named(&new) {
        let difference = match old.runtime.library().by_name(name) {
            Some(before) => changed(&old, before, &new, map, args.seeds),
            None => Some(alone(&new, map, true)),
        };
        match difference {
            Some(difference) => found.push(difference),
            None => equal += 1,
        }
        if let Some(spent) = old.exhausted().or_else(|| new.exhausted()) {
            return Err(Failure::unusable(format_args!(
                "stopped early: {spent}; fix `{name}`, or pass fewer files or seeds"
            )));
        }
    }
    let is_gone = |name: &str| new.runtime.library().by_name(name).is_none();
    found.extend(
        named(&old)
            .filter(|(_, name)| is_gone(name))
            .map(|(map, _)| alone(&old, map, false)),
    );
    if args.json {
        let maps: Vec<Value> = found.iter().map(object).collect();
        output.text(&json_text(&json!({"seeds": args.seeds, "equal": equal, "maps": maps})));
    } else {
        for difference in &found {
            print(difference, args.seeds, output);
        }
        let count = |change| found.iter().filter(|difference| difference.change == change).count();
        output.line(&format!(
            "{} added, {} removed, {} changed, {equal} unchanged",
            counted(count("added"), "map"),
            count("removed"),
            count("changed"),
        ));
    }
    Ok(u8::from(!found.is_empty()))
}

/// Returns the maps with their names. If several maps have the same name, only the map found by a search for the name
/// is included.
fn named(loaded: &LoadedLibrary) -> impl Iterator<Item = (MapId, &str)> {
    let library = loaded.runtime.library();
    let maps = library.ids().map(|map| (map, library.map(map).name.as_str()));
    maps.filter(|(map, name)| library.by_name(name) == Some(*map))
}

fn place(loaded: &LoadedLibrary, map: MapId) -> (String, u32) {
    let library = loaded.runtime.library();
    (library.file(map).name.clone(), library.map(map).line)
}

/// Returns the difference for a map that exists in only one version of the files.
fn alone(loaded: &LoadedLibrary, map: MapId, is_new: bool) -> Difference {
    let sample = loaded.worlds(map, 1, 1..=1).next().map(|(seed, world)| {
        let picture = Picture::of(&loaded.runtime.resolve_turned(map, &world, seed, &[]));
        let (before, after) = if is_new {
            (Picture::default(), picture)
        } else {
            (picture, Picture::default())
        };
        Sample {
            seed,
            level: world.level.to_string(),
            before,
            after,
        }
    });
    Difference {
        map: loaded.runtime.library().map(map).name.clone(),
        change: if is_new { "added" } else { "removed" },
        place: place(loaded, map),
        first: sample,
        ..Difference::default()
    }
}

/// Compares the two versions of a map; returns `None` if they are equal.
fn changed(old: &LoadedLibrary, before: MapId, new: &LoadedLibrary, after: MapId, seeds: u64) -> Option<Difference> {
    let (old_lines, new_lines) = (lines(old, before), lines(new, after));
    let mut difference = Difference {
        map: new.runtime.library().map(after).name.clone(),
        change: "changed",
        place: place(new, after),
        removed: only_in(&old_lines, &new_lines),
        added: only_in(&new_lines, &old_lines),
        ..Difference::default()
    };
    for (seed, world) in new.worlds(after, seeds, 1..=seeds) {
        let [was, is] = [
            old.runtime.resolve_turned(before, &world, seed, &[]),
            new.runtime.resolve_turned(after, &world, seed, &[]),
        ];
        if is_same(&was, &is) {
            continue;
        }
        difference.seeds += 1;
        difference.first.get_or_insert_with(|| Sample {
            seed,
            level: world.level.to_string(),
            before: Picture::of(&was),
            after: Picture::of(&is),
        });
    }
    let is_equal = difference.seeds == 0 && old_lines == new_lines;
    (!is_equal).then_some(difference)
}

/// Returns the statements of a map, including the `default-depth` above the map if that statement sets the map's
/// depths.
fn lines(loaded: &LoadedLibrary, map: MapId) -> Vec<String> {
    let library = loaded.runtime.library();
    let (file, source) = (library.file(map), library.map(map));
    let statements = statements(file, source);
    let mut lines: Vec<String> = statements.iter().map(|line| escape_bytes(line).into_owned()).collect();
    if let Some(ranges) = &source.default_depth
        && source.values("DEPTH").next().is_none()
        && Ranges::parse(ranges).is_ok_and(|ranges| loaded.runtime.compile(map).state.depths == ranges)
    {
        lines.push(format!("default-depth: {}", escape_line(ranges)));
    }
    lines
}

/// Returns the lines that are missing from `others`. If a line occurs more often in `lines` than in `others`, the
/// surplus occurrences are returned.
fn only_in(lines: &[String], others: &[String]) -> Vec<String> {
    let mut others: Vec<&String> = others.iter().collect();
    let is_lacking = |line: &&String| {
        let at = others.iter().position(|other| other == line);
        at.map(|at| others.swap_remove(at)).is_none()
    };
    lines.iter().filter(is_lacking).cloned().collect()
}

/// Returns whether two resolutions have the same effect in the game.
fn is_same(a: &ResolveOutcome, b: &ResolveOutcome) -> bool {
    match (a, b) {
        (ResolveOutcome::Resolved(a), ResolveOutcome::Resolved(b))
        | (ResolveOutcome::Invalid(a), ResolveOutcome::Invalid(b)) => is_same_map(a, b),
        (ResolveOutcome::Vetoed, ResolveOutcome::Vetoed) => true,
        (ResolveOutcome::Failed(a), ResolveOutcome::Failed(b)) => a.message == b.message,
        _ => false,
    }
}

fn is_same_map(a: &ResolvedMap, b: &ResolvedMap) -> bool {
    // Compare the properties of Lua markers, not their source: different source may yield the same properties.
    let is_same_marker = |(a, b): (&Marker, &Marker)| {
        a.cell == b.cell
            && match (&a.body, &b.body) {
                (MarkerBody::Lua { props: a, .. }, MarkerBody::Lua { props: b, .. }) => a == b,
                (a, b) => a == b,
            }
    };
    (a.width, a.height, &a.cells, &a.exits) == (b.width, b.height, &b.cells, &b.exits)
        && (&a.feature_names, &a.level_looks) == (&b.feature_names, &b.level_looks)
        && a.markers.len() == b.markers.len()
        && a.markers.iter().zip(&b.markers).all(is_same_marker)
}

impl Picture {
    fn of(outcome: &ResolveOutcome) -> Self {
        match outcome {
            ResolveOutcome::Resolved(resolved) => Self::of_map(resolved),
            ResolveOutcome::Invalid(resolved) => {
                let mut picture = Self::of_map(resolved);
                picture.contents.insert(0, "the last try fails validation".to_owned());
                picture
            }
            ResolveOutcome::Vetoed => Self::of_text("vetoed"),
            ResolveOutcome::Failed(failure) => Self::of_text(&failure.message),
        }
    }

    fn of_text(text: &str) -> Self {
        Self {
            rows: Vec::new(),
            contents: vec![escape_line(text).into_owned()],
        }
    }

    fn of_map(resolved: &ResolvedMap) -> Self {
        let rows = rows(resolved, View::Glyphs);
        // Leave out the first fact, the map's place in its file, which may differ without any change to the map.
        let contents = facts(resolved).into_iter().skip(1);
        Self {
            rows: rows.iter().map(|row| escape_bytes(row).into_owned()).collect(),
            contents: contents.map(|line| escape_line(&line).into_owned()).collect(),
        }
    }
}

fn print(difference: &Difference, seeds: u64, output: &mut Output) {
    let (file, line) = &difference.place;
    let of = if difference.change != "changed" {
        String::new()
    } else if difference.seeds == 0 {
        let is_moved = difference.removed.is_empty() && difference.added.is_empty();
        let what = if is_moved {
            "only the order of the statements differs; "
        } else {
            ""
        };
        format!(": {what}the cells are the same for each of {}", counted(seeds, "seed"))
    } else {
        format!(
            ": the cells differ for {} of {}",
            difference.seeds,
            counted(seeds, "seed")
        )
    };
    output.line(&format!("{} {} ({file}:{line}){of}", difference.change, difference.map));
    for (sign, lines) in [("-", &difference.removed), ("+", &difference.added)] {
        for line in lines.iter().flat_map(|line| line.lines()) {
            output.line(&format!("  {sign} {line}"));
        }
    }
    let Some(Sample {
        seed,
        level,
        before,
        after,
    }) = &difference.first
    else {
        return;
    };
    let which = if difference.change == "changed" {
        ", before and after"
    } else {
        ""
    };
    output.line(&format!("  seed {seed} on {level}{which}:"));
    let width = before.rows.iter().map(|row| row.chars().count()).max();
    for at in 0..before.rows.len().max(after.rows.len()) {
        let row = |picture: &Picture| picture.rows.get(at).cloned().unwrap_or_default();
        let (before, after) = (row(before), row(after));
        let line = match width {
            Some(width) => format!("    {before:width$}   {after}"),
            None => format!("    {after}"),
        };
        output.line(line.trim_end());
    }
    for (sign, here, there) in [("-", before, after), ("+", after, before)] {
        let lines = only_in(&here.contents, &there.contents);
        for line in lines.iter().take(CONTENTS_SHOWN) {
            output.line(&format!("  {sign} {line}"));
        }
        if lines.len() > CONTENTS_SHOWN {
            output.line(&format!(
                "  {sign} {} more",
                counted(lines.len() - CONTENTS_SHOWN, "line")
            ));
        }
    }
}

fn object(difference: &Difference) -> Value {
    let picture = |picture: &Picture| json!({"rows": picture.rows, "contents": picture.contents});
    let sample = difference.first.as_ref().map(|sample| {
        json!({
            "seed": sample.seed, "level": sample.level,
            "before": picture(&sample.before), "after": picture(&sample.after),
        })
    });
    json!({
        "map": difference.map, "change": difference.change, "file": difference.place.0, "line": difference.place.1,
        "removed": difference.removed, "added": difference.added, "seeds": difference.seeds, "first": sample,
    })
}
