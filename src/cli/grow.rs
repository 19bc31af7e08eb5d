//! `wallcrawler grow`: grows a dungeon and prints it.

use std::path::PathBuf;

use clap::ValueEnum;

use super::figures::{self, Figures};
use super::output::Output;
use super::target::{self, ForceArgs, Outputs, Own};
use super::{DesignArgs, UNREADABLE, UNUSABLE};
use crate::analysis;
use crate::design::{Design, Entry, MemoryUse, ValidDesign};
use crate::engine::{Grid, Growth, Options};
use crate::export::{Kind, Style, Text};
use crate::storage::Leads;

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
#[command(mut_arg("force", |force| force.requires("output")))]
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
    /// The file to write instead of standard output, whole or not at all; a pipe or a device is written as it comes. A
    /// dungeon that was written before is replaced, any other file with --force
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    force: ForceArgs,
}

impl Args {
    const fn style(&self) -> Style {
        match self.format {
            Format::Plain => Style::Plain,
            Format::Digits => Style::Digits,
            Format::Ansi => Style::Ansi,
        }
    }

    /// Decides where the dungeon of a design goes.
    fn leads(&self, design: &Design) -> Result<Leads, String> {
        let Some(path) = &self.output else {
            return Ok(Leads::Stdout);
        };
        let mut outputs = Outputs::new(self.force, self.design.inputs(design));
        outputs.check(path, Own::Export(Kind::Text(self.style())))
    }
}

/// Runs the command; the exit status.
pub(super) fn run(args: &Args, output: &mut Output) -> u8 {
    let to = args.output.as_deref();
    let kind = to.and_then(Kind::of_path).filter(|kind| !matches!(kind, Kind::Text(_)));
    if let (Some(to), Some(kind)) = (to, kind) {
        let (to, kind) = (to.display(), kind.name());
        output.complain(&format!(
            "this prints text, and {to} has the ending of exports as {kind}; `wallcrawler export DESIGN --to {to}` writes one"
        ));
        return UNREADABLE;
    }
    let options = Options {
        columns: !args.no_columns,
    };
    let (design, growth, leads) = match attempt(args, options, output) {
        Ok(grown) => grown,
        Err(status) => return status,
    };
    let figures = if args.figures {
        Figures::take(&design, options).1.lines()
    } else {
        Vec::new()
    };
    let text = Text {
        style: args.style(),
        generations: !args.no_generations,
        vaults: design.pieces(),
    };
    let status = print(args, leads, text, growth.grid(), output);
    for line in figures {
        output.note(&line);
    }
    status
}

/// Prints the dungeon where it was asked for; the exit status.
fn print(args: &Args, leads: Leads, text: Text<'_>, grid: &Grid, output: &mut Output) -> u8 {
    let rows = (0..grid.size().x).map(|x| text.row(grid, x));
    let Some(path) = args.output.as_deref().filter(|_| leads != Leads::Stdout) else {
        for row in rows {
            output.drawn(&(row + "\n"));
            if output.is_closed() {
                break;
            }
        }
        return 0;
    };
    let all: String = rows.map(|row| row + "\n").collect();
    match target::write(path, leads, all.as_bytes(), output) {
        Ok(()) => 0,
        Err(error) => {
            output.complain(&error.to_string());
            UNREADABLE
        }
    }
}

/// Grows the design, with one seed after the other until its vaults are sound or the attempts are spent.
fn attempt(args: &Args, options: Options, output: &mut Output) -> Result<(ValidDesign, Growth, Leads), u8> {
    let purpose = if args.figures {
        MemoryUse::Showing
    } else {
        MemoryUse::Printing
    };
    let mut design = args.design.valid(purpose, output)?;
    let leads = args.leads(&design).map_err(|why| {
        output.complain(&why);
        UNREADABLE
    })?;
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
            return Ok((design, growth, leads));
        }
        let next = args
            .design
            .opened(Some(first.wrapping_add(u64::from(attempt))), purpose);
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
