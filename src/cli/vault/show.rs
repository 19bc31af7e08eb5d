//! `wallcrawler vault show`: resolves a map from a seed and prints the result.

use std::path::{Path, PathBuf};

use clap::ValueEnum;

use super::super::UNUSABLE;
use super::super::export::ColourGround;
use super::super::failure::Failure;
use super::super::output::Output;
use super::super::target::{self, ForceArgs, OutputKind, PictureKind};
use super::files;
use crate::design::feature::Class;
use crate::design::{Diagnostic, VaultEntry};
use crate::export::VaultPicture;
use crate::geometry::{Point, Size};
use crate::text::escape_line;
use crate::vault::lua::{ResolveOutcome, Runtime};
use crate::vault::place::{contents, piece};
use crate::vault::{ResolvedCell, ResolvedMap};

/// The form in which each cell is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum View {
    /// The glyph of the cell, after all substitutions and the Lua of the level file
    Glyphs,
    /// The symbol of the cell's feature
    Features,
    /// The symbol of the cell's feature, in terminal colours
    Ansi,
}

/// The arguments of `vault show`.
#[derive(Debug, clap::Args)]
#[command(mut_arg("force", |force| force.requires("to").conflicts_with_all(["view", "bare"])))]
pub(super) struct Args {
    /// Name of the map
    #[arg(value_name = "MAP")]
    map: String,
    #[command(flatten)]
    files: files::Args,
    /// Seed to resolve the map with
    #[arg(long, value_name = "N", default_value = "1", value_parser = super::super::source::seed)]
    seed: u64,
    /// What to print for each cell
    #[arg(long, value_enum, default_value = "glyphs")]
    view: View,
    /// Print only the grid, without the list of what its cells contain
    #[arg(long)]
    bare: bool,
    /// Write a picture with a legend instead of text: as SVG if the name ends with .svg, as PNG if it ends with .png or
    /// has no extension
    #[arg(long = "output", short = 'o', alias = "to", value_name = "FILE", conflicts_with_all = ["view", "bare"], value_hint = clap::ValueHint::FilePath)]
    to: Option<PathBuf>,
    /// Background of the picture
    #[arg(long, value_enum, default_value = "dark", requires = "to", conflicts_with_all = ["view", "bare"])]
    on: ColourGround,
    #[command(flatten)]
    force: ForceArgs,
}

/// Runs the command. Returns the exit status, or the error that stopped the command.
pub(super) fn run(args: &Args, output: &mut Output) -> Result<u8, Failure> {
    let (ready, map) = args.files.ready_for(&args.map, output)?;
    let runtime = &ready.runtime;
    let (resolved, status) = match runtime.resolve(map, &ready.world, args.seed) {
        ResolveOutcome::Resolved(resolved) => (resolved, u8::from(ready.has_errors)),
        ResolveOutcome::Invalid(resolved) => {
            let tries = resolved.origin.tries;
            output.error(&format!(
                "map `{}` failed its own validation in all {tries} tries; showing the last try",
                args.map
            ));
            (resolved, UNUSABLE)
        }
        ResolveOutcome::Vetoed => {
            let message = format!("map `{}` rejected itself at {} (veto)", args.map, ready.world.level);
            return Err(unresolved(runtime, message));
        }
        ResolveOutcome::Failed(failure) => return Err(unresolved(runtime, failure.to_string())),
    };
    match &args.to {
        Some(path) => draw(&resolved, path, args, output)?,
        None => print_all(&resolved, args, output),
    }
    Ok(status)
}

/// Returns the failure for a map that was not resolved: the texts that its Lua printed, and the reason.
fn unresolved(runtime: &Runtime, reason: String) -> Failure {
    let printed = runtime.take_printed().into_iter();
    let notes = printed.map(|text| Diagnostic::note(format!("printed at {text}")));
    Failure::new(UNUSABLE, notes.chain([Diagnostic::error(reason)]).collect())
}

/// Writes a picture of a map.
fn draw(resolved: &ResolvedMap, path: &Path, args: &Args, output: &mut Output) -> Result<(), Failure> {
    let entry = VaultEntry {
        div: 0,
        at: Point::new(1, 1),
        ..VaultEntry::default()
    };
    // Place the map in a dungeon that is just large enough for it and an outer wall.
    let dungeon = Size::new(resolved.height as i32 + 2, resolved.width as i32 + 2);
    let Some(vault) = piece(resolved, &entry, 0, dungeon) else {
        let message = format_args!("map `{}` has no cells to draw", args.map);
        return Err(Failure::unusable(message));
    };
    let title = escape_line(&format!("{}, seed {}", resolved.name, resolved.origin.seed)).into_owned();
    let picture = VaultPicture {
        vault: &vault,
        title: &title,
        ground: args.on.ground(),
    };
    let sink_kind = args.files.outputs(args.force).check(path, OutputKind::Picture)?;
    let mut bytes = Vec::new();
    let drawn = match PictureKind::of_name(path)? {
        PictureKind::Png => picture.png(&mut bytes),
        PictureKind::Svg => picture.svg(&mut bytes),
    };
    drawn.map_err(Failure::unreadable)?;
    target::write(path, sink_kind, &bytes, output)?;
    Ok(())
}

/// Prints a map and, without `--bare`, its facts and the maps that its Lua has placed on the same level.
fn print_all(resolved: &ResolvedMap, args: &Args, output: &mut Output) {
    print(resolved, args.view, output);
    if args.bare {
        return;
    }
    for line in facts(resolved) {
        output.line(&line);
    }
    for placed in &resolved.placed {
        output.line("");
        output.line(&format!("placed on the same level: {}", placed.name));
        print_all(placed, args, output);
    }
}

/// Prints the grid.
fn print(resolved: &ResolvedMap, view: View, output: &mut Output) {
    let mut lines = rows(resolved, view).join(&b'\n');
    lines.push(b'\n');
    put(&lines, view, output);
}

/// Prints rows of a grid. Glyphs and symbols are written as raw bytes. Coloured rows contain escape sequences that this
/// program wrote, so they are printed without escaping.
pub(super) fn put(lines: &[u8], view: View, output: &mut Output) {
    match view {
        View::Ansi => output.drawn(&String::from_utf8_lossy(lines)),
        View::Glyphs | View::Features => output.bytes(lines),
    }
}

/// Returns the rows of the grid. Glyphs are bytes, as in level files.
pub(super) fn rows(resolved: &ResolvedMap, view: View) -> Vec<Vec<u8>> {
    let row = |cells: &[Option<ResolvedCell>]| {
        let mut line = Vec::new();
        for cell in cells {
            let Some(cell) = cell else {
                line.push(b' ');
                continue;
            };
            match view {
                View::Glyphs => line.push(cell.glyph),
                View::Features => line.push(cell.feature.glyph()),
                View::Ansi => {
                    let sign = char::from(cell.feature.glyph());
                    line.extend(format!("\x1b[38;5;{}m{sign}", colour(cell.feature.class())).into_bytes());
                }
            }
        }
        if view == View::Ansi {
            line.extend(b"\x1b[0m");
        }
        line
    };
    resolved.rows().map(row).collect()
}

/// Returns the colour that the designer's map uses for a class, as an index into the 256 terminal colours.
const fn colour(class: Class) -> u8 {
    match class {
        Class::Floor | Class::Other => 102,
        Class::Wall => 146,
        Class::ClearWall => 152,
        Class::Grate => 144,
        Class::Door => 173,
        Class::Liquid => 69,
        Class::Statue => 188,
        Class::Tree => 71,
        Class::Stairs | Class::Hatch => 231,
        Class::Portal => 213,
        Class::Altar => 222,
        Class::Fountain => 117,
        Class::Trap => 203,
        Class::Shop => 221,
    }
}

/// Describes a resolved map, its exits and its cells, one line each.
pub(super) fn facts(resolved: &ResolvedMap) -> Vec<String> {
    let mut lines = vec![format!(
        "{} · {}:{} · seed {} · tries: {}",
        resolved.name, resolved.origin.file, resolved.origin.line, resolved.origin.seed, resolved.origin.tries
    )];
    let exits: Vec<String> = resolved
        .exits
        .iter()
        .map(|exit| format!("row {}, column {}", exit.y, exit.x))
        .collect();
    if !exits.is_empty() {
        lines.push(format!("exits: {}", exits.join("; ")));
    }
    let contents = contents(resolved, Point::new(0, 0));
    for (at, cell) in resolved.filled() {
        let mut parts = Vec::new();
        if !matches!(cell.feature.class(), Class::Floor | Class::Wall) {
            parts.push(cell.feature.name().to_owned());
        }
        let square = Point::new(at.y, at.x);
        parts.extend((contents.iter().filter(|content| content.at == square)).map(ToString::to_string));
        parts.extend(cell.colour.iter().map(|colour| format!("colour: {colour}")));
        if !parts.is_empty() {
            let glyph = char::from(cell.glyph);
            lines.push(format!("row {}, column {}: `{glyph}` {}", at.y, at.x, parts.join("; ")));
        }
    }
    lines.extend(resolved.notes.iter().map(|note| format!("note: {note}")));
    for call in &resolved.recorded {
        lines.push(format!("only the game can run {}({})", call.name, call.arguments));
    }
    lines
}
