//! `wallcrawler grow`: grows a dungeon and prints it.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use clap::ValueEnum;

use super::figures::{self, Figures};
use super::output::Output;
use super::{DesignArgs, UNREADABLE, UNUSABLE};
use crate::analysis;
use crate::design::feature::Class;
use crate::design::{Entry, MemoryUse, Piece, ValidDesign};
use crate::engine::{Grid, Growth, Mark, Options, Tile};
use crate::geometry::Point;
use crate::storage::{self, StorageError};

/// How a dungeon is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// One character a square: . open, X wall, Y high wall, C column, o guaranteed open, and the glyphs of vaults
    Plain,
    /// The same, with wall tiles as the digit of their generation (9 for later ones)
    Digits,
    /// Blocks in the colours of their generations, for a terminal
    Ansi,
}

/// The arguments of `grow`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    design: DesignArgs,
    /// How the dungeon is printed: a line for each x, a character for each y
    #[arg(long, value_enum, default_value = "digits")]
    format: Format,
    /// Tries so many seeds, one after the other, until every vault stands and its exits can be reached
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    attempts: u32,
    /// No ColumnJumper is born; a Crawler is born in its place
    #[arg(long)]
    no_columns: bool,
    /// Walls do not show their generation
    #[arg(long)]
    no_generations: bool,
    /// Tells time, turns, births, tiles and bytes on standard error, after the dungeon
    #[arg(long)]
    figures: bool,
    /// The file to write instead of standard output
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// Runs the command; the exit status.
pub(super) fn run(args: &Args, output: &mut Output) -> u8 {
    let options = Options {
        columns: !args.no_columns,
    };
    let (design, growth) = match attempt(args, options, output) {
        Ok(grown) => grown,
        Err(status) => return status,
    };
    let figures = if args.figures {
        Figures::take(&design, options).1.lines()
    } else {
        Vec::new()
    };
    let show = Show {
        format: args.format,
        generations: !args.no_generations,
        vaults: design.pieces(),
    };
    let status = print(args, &show, growth.grid(), output);
    for line in figures {
        output.note(&line);
    }
    status
}

/// Prints the dungeon where it was asked for; the exit status.
fn print(args: &Args, show: &Show, grid: &Grid, output: &mut Output) -> u8 {
    match args.output.as_deref().filter(|path| *path != Path::new("-")) {
        None => {
            for x in 0..grid.size().x {
                output.line(&show.row(grid, x));
                if output.is_closed() {
                    break;
                }
            }
            0
        }
        Some(path) => {
            let mut text = String::new();
            for x in 0..grid.size().x {
                text.push_str(&show.row(grid, x));
                text.push('\n');
            }
            write(path, &text).map_or_else(
                |error| {
                    output.complain(&error.to_string());
                    UNREADABLE
                },
                |()| 0,
            )
        }
    }
}

/// Grows the design, with one seed after the other until its vaults are sound or the attempts are spent.
fn attempt(args: &Args, options: Options, output: &mut Output) -> Result<(ValidDesign, Growth), u8> {
    let purpose = if args.figures {
        MemoryUse::Showing
    } else {
        MemoryUse::Printing
    };
    let mut design = args.design.valid(purpose, output)?;
    let first = design.seed;
    for attempt in 1..=args.attempts {
        let growth = figures::grow(&design, options);
        let unsound = unsound(&design, &growth);
        if unsound.is_empty() && attempt > 1 {
            output.complain(&format!(
                "seed {}, the {attempt}. that was tried from {first} on",
                design.seed
            ));
        }
        if unsound.is_empty() || attempt == args.attempts {
            for problem in unsound {
                output.complain(&format!("warning: {problem}"));
            }
            return Ok((design, growth));
        }
        let next = args.design.opened(Some(first.wrapping_add(u64::from(attempt))), purpose);
        design = next.valid.ok_or(UNUSABLE)?;
    }
    Err(UNUSABLE)
}

/// What is wrong with the vaults of a grown dungeon: those that do not stand, and exits that are cut off.
fn unsound(design: &ValidDesign, growth: &Growth) -> Vec<String> {
    let pieces = design.pieces();
    let absent = |index: &usize| pieces.iter().all(|piece| piece.vault != *index);
    let mut problems: Vec<String> = (0..design.layout.vaults.len())
        .filter(absent)
        .map(|index| format!("{} does not stand (seed {})", Entry::Vault(index).label(), design.seed))
        .collect();
    for (vault, at) in analysis::cut_off(growth.grid(), pieces) {
        let label = Entry::Vault(vault).label();
        problems.push(format!("the exit of {label} at {at} is cut off (seed {})", design.seed));
    }
    problems
}

/// Writes a file whole or not at all; what is no file (a device, a pipe) is written as it comes.
fn write(path: &Path, text: &str) -> Result<(), StorageError> {
    match storage::write_atomic(path, text.as_bytes()) {
        Err(StorageError::NoFile { .. }) if !path.is_dir() => Ok(fs_err::write(path, text)?),
        written => written,
    }
}

struct Show<'a> {
    format: Format,
    generations: bool,
    vaults: &'a [Piece],
}

/// The designer's colours of generations 0 to 9, as near as 256 colours come; later ones start over.
const COLOURS: [u8; 10] = [81, 208, 29, 227, 97, 63, 130, 195, 141, 107];

/// The colour of walls of the design.
const GREY: u8 = 102;

impl Show<'_> {
    /// The glyph of what a vault puts on a square, but for its walls and floor, which are like any other.
    fn glyph(&self, at: Point) -> Option<char> {
        let feature = self.vaults.iter().find_map(|piece| piece.feature(at))?;
        (!matches!(feature.class(), Class::Wall | Class::Floor)).then(|| char::from(feature.glyph()))
    }

    fn row(&self, grid: &Grid, x: i32) -> String {
        let mut row = String::with_capacity(grid.size().y as usize);
        let mut colour = None;
        for y in 0..grid.size().y {
            let at = Point::new(x, y);
            let (tile, mark) = (grid.tile(at), grid.mark(at));
            let generation = match mark {
                Mark::Generation(g) if self.generations => Some(g),
                _ => None,
            };
            let wall = tile == Tile::Wall;
            let glyph = self.glyph(at);
            match self.format {
                Format::Plain | Format::Digits if glyph.is_some() => row.extend(glyph),
                Format::Plain => row.push(tile.plain()),
                Format::Digits => row.push(match generation {
                    Some(g) if wall => char::from(b'0' + g.min(9)),
                    _ => tile.plain(),
                }),
                Format::Ansi => {
                    let own = generation.map_or(GREY, |g| COLOURS[usize::from(g) % COLOURS.len()]);
                    let next = (!tile.is_open()).then_some(own);
                    if next != colour {
                        colour = next;
                        // Writing to a string cannot fail.
                        let _ = match colour {
                            Some(colour) => write!(row, "\x1b[38;5;{colour}m"),
                            None => write!(row, "\x1b[0m"),
                        };
                    }
                    row.push(glyph.unwrap_or(match tile {
                        Tile::Open => ' ',
                        Tile::Guaranteed => '·',
                        Tile::Wall => '█',
                        Tile::HighWall => '▲',
                        Tile::Column => '●',
                    }));
                }
            }
        }
        if colour.is_some() {
            row.push_str("\x1b[0m");
        }
        row
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Size;

    fn rows(format: Format, generations: bool) -> Vec<String> {
        let mut grid = Grid::new(Size::new(20, 20));
        grid.set(Point::new(1, 1), Tile::Wall, Mark::Generation(3));
        grid.set(Point::new(1, 2), Tile::Wall, Mark::Generation(12));
        grid.set(Point::new(1, 3), Tile::Column, Mark::Generation(1));
        grid.set(Point::new(1, 4), Tile::HighWall, Mark::Design);
        grid.set(Point::new(1, 5), Tile::Guaranteed, Mark::Design);
        let show = Show {
            format,
            generations,
            vaults: &[],
        };
        (0..2).map(|x| show.row(&grid, x)).collect()
    }

    #[test]
    fn every_format_has_a_character_for_each_square() {
        assert_eq!(rows(Format::Plain, true)[1], "XXXCYo.............X");
        assert_eq!(rows(Format::Digits, true)[1], "X39CYo.............X");
        assert_eq!(rows(Format::Digits, false)[1], "XXXCYo.............X");
        assert_eq!(
            rows(Format::Ansi, true)[1],
            "\x1b[38;5;102m█\x1b[38;5;227m█\x1b[38;5;29m█\x1b[38;5;208m●\x1b[38;5;102m▲\x1b[0m·             \x1b[38;5;102m█\x1b[0m"
        );
        assert_eq!(
            rows(Format::Ansi, false)[0],
            format!("\x1b[38;5;102m{}\x1b[0m", "█".repeat(20))
        );
    }
}
