//! `wallcrawler grow`: grows a dungeon and prints it.

use std::path::PathBuf;

use clap::ValueEnum;

use super::DesignArgs;
use super::attempts::AttemptArgs;
use super::change::ChangeArgs;
use super::failure::Failure;
use super::growth_report::{self, GrowthReport};
use super::output::Output;
use super::target::{self, ForceArgs, OutputKind, Outputs};
use crate::design::{Design, MemoryUse, ValidDesign};
use crate::engine::{Grid, Growth, Options};
use crate::export::{ExportKind, TextStyle, TextWriter};
use crate::storage::{SinkKind, StorageError};

/// Format of a printed dungeon.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// One character per square: . open, X wall, Y high wall (a pyramid in a room, or a decoration outside a door), C
    /// column, o kept open (Crawlers may not build there), and the glyphs of vaults
    Plain,
    /// Like plain, but each wall tile is the digit of its generation (9 for generation 9 and later)
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
    #[command(flatten)]
    change: ChangeArgs,
    /// Format of the dungeon: one line per row, one character per column
    #[arg(long, value_enum, default_value = "digits")]
    format: Format,
    #[command(flatten)]
    attempts: AttemptArgs,
    /// Spawn a Crawler wherever JumperProb would produce a Jumper (Jumpers leave single columns instead of walls)
    #[arg(long)]
    no_columns: bool,
    /// Do not show which generation built each wall
    #[arg(long)]
    no_generations: bool,
    /// Print the time, turns, births, tiles and memory use to standard error after the dungeon
    #[arg(long = "statistics", alias = "figures")]
    report: bool,
    /// Write to this file instead of standard output. An existing file is replaced if it contains a dungeon in the same
    /// format, otherwise only with --force. A file is written completely or not at all; a pipe or a device receives the
    /// text as it is produced
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    force: ForceArgs,
}

impl Args {
    const fn style(&self) -> TextStyle {
        match self.format {
            Format::Plain => TextStyle::Plain,
            Format::Digits => TextStyle::Digits,
            Format::Ansi => TextStyle::Ansi,
        }
    }

    /// Checks the destination of the dungeon and returns its kind.
    fn sink_kind(&self, design: &Design) -> Result<SinkKind, Failure> {
        let Some(path) = &self.output else {
            return Ok(SinkKind::Stdout);
        };
        let mut outputs = Outputs::new(self.force, self.design.inputs(design));
        outputs.check(path, OutputKind::Export(ExportKind::Text(self.style())))
    }
}

/// Runs the command and returns the exit status.
pub(super) fn run(args: &Args, output: &mut Output) -> Result<u8, Failure> {
    let to = args.output.as_deref();
    let kind = to
        .and_then(ExportKind::of_path)
        .filter(|kind| !matches!(kind, ExportKind::Text(_)));
    if let (Some(to), Some(kind)) = (to, kind) {
        let (to, kind) = (to.display(), kind.name());
        return Err(Failure::unreadable(format_args!(
            "`grow` writes text, but {to} has the extension of {kind} exports; run `wallcrawler export DESIGN --output {to}`"
        )));
    }
    let options = Options {
        columns: !args.no_columns,
    };
    let purpose = if args.report {
        MemoryUse::Showing
    } else {
        MemoryUse::Printing
    };
    let mut sink_kind = None;
    let grow = |design: &ValidDesign| {
        if sink_kind.is_none() {
            // Check the target first, since growing may take a long time.
            sink_kind = Some(args.sink_kind(design)?);
        }
        Ok(growth_report::grow(design, options))
    };
    let change = Some((&args.change, options));
    let attempt = args
        .attempts
        .grow(&args.design, change, purpose, output, grow, Growth::grid)?;
    attempt.report(output);
    let (design, growth) = (attempt.design, attempt.grown);
    let report = if args.report {
        GrowthReport::measure(&design, options, &growth).lines()
    } else {
        Vec::new()
    };
    let text = TextWriter {
        style: args.style(),
        generations: !args.no_generations,
        design: &design,
    };
    print(args, sink_kind.unwrap_or(SinkKind::Stdout), text, growth.grid(), output)?;
    for line in report {
        output.summary(&line);
    }
    Ok(0)
}

/// Writes the dungeon to the file that `--output` names, or to standard output.
fn print(
    args: &Args,
    sink_kind: SinkKind,
    text: TextWriter<'_>,
    grid: &Grid,
    output: &mut Output,
) -> Result<(), StorageError> {
    let rows = (0..grid.size().x).map(|x| text.row(grid, x));
    let Some(path) = args.output.as_deref().filter(|_| sink_kind != SinkKind::Stdout) else {
        for row in rows {
            output.drawn(&(row + "\n"));
            if output.is_closed() {
                break;
            }
        }
        return Ok(());
    };
    let all: String = rows.map(|row| row + "\n").collect();
    target::write(path, sink_kind, all.as_bytes(), output)
}
