//! The destination of a command's rows, by its arguments: a file that is resumed, a pipe, or standard output.

use std::io::{BufRead as _, BufReader, Write as _};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use fs_err::File;

use super::super::output::Output;
use super::super::target::{ForceArgs, OutputKind, Outputs};
use super::file::{LineFile, LineKind};
use super::parquet;
use super::text::Lines;
use super::{FileRow, RowKey, Table};
use crate::storage::{self, Draft, SinkKind};

/// Format of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(in crate::cli) enum Format {
    /// Comma-separated values under a line with the names
    Csv,
    /// A JSON object in each line
    Jsonl,
    /// A Parquet file: columns with types, for data frames and databases
    Parquet,
}

/// The arguments that say where rows go, for every command that writes them.
#[derive(Debug, clap::Args)]
#[command(mut_arg("force", |force| force.requires("output")))]
pub(in crate::cli) struct RowArgs {
    /// Write a row for each dungeon to this file, or to a pipe (- for standard output); existing rows are
    /// kept and the run resumes after them. A file that is not a survey is replaced only with --force
    #[arg(long, short, value_name = "FILE")]
    pub(in crate::cli) output: Option<PathBuf>,
    #[command(flatten)]
    force: ForceArgs,
    /// Format of the rows [default: by the extension of the file: .jsonl, .parquet, else CSV]. A Parquet file is written
    /// at the end; until then the rows are in FILE.part, from which an interrupted run resumes. Parquet files of several
    /// shards need not be joined: tools read many files as one
    #[arg(long, value_enum)]
    format: Option<Format>,
    /// Overwrite the file instead of resuming
    #[arg(long, requires = "output")]
    fresh: bool,
}

impl RowArgs {
    /// Returns whether there are rows in the file, which the run would resume after.
    pub(in crate::cli) fn is_resumed(&self) -> bool {
        let is_there = |path: &PathBuf| path.metadata().is_ok_and(|found| found.is_file() && found.len() > 0);
        let path = self.output.as_ref().filter(|_| !self.fresh);
        path.is_some_and(|path| is_there(path) || is_there(&parquet::part_of(path)))
    }

    /// Returns the format that is given, or else the one that the file extension implies.
    fn format(&self) -> Format {
        let extension = self.output.as_deref().and_then(Path::extension);
        let by_name = || match extension.and_then(|extension| extension.to_str()) {
            Some("jsonl" | "json" | "ndjson") => Format::Jsonl,
            Some("parquet" | "pq") => Format::Parquet,
            _ => Format::Csv,
        };
        self.format.unwrap_or_else(by_name)
    }
}

/// Writes the rows of a table.
pub(in crate::cli) struct RowWriter {
    table: Table,
    destination: Destination,
    failed: Option<String>,
}

enum Destination {
    /// The command has no --output.
    Nowhere,
    Stdout(Lines),
    Lines(Lines, LineFile),
    Parquet {
        path: PathBuf,
        /// Path of the part file with the rows so far, as CSV.
        part: PathBuf,
        rows: LineFile,
    },
}

impl RowWriter {
    /// Opens the destination and calls `show` with each row that is there; returns the writer and the number of these
    /// rows. `key` returns the origin of a row by its number, `None` after the last one. `inputs` are the files that the
    /// command reads, which cannot be its output. A table that is one of several shards has a header if it is the first.
    ///
    /// # Errors
    ///
    /// Returns a message if the destination cannot be written, or contains something other than the first rows of this
    /// table.
    pub(in crate::cli) fn open(
        args: &RowArgs,
        table: Table,
        inputs: Vec<PathBuf>,
        is_first_shard: bool,
        key: impl Fn(u64) -> Option<RowKey>,
        mut show: impl FnMut(FileRow),
        output: &mut Output,
    ) -> Result<(Self, u64), String> {
        let nowhere = |table: Table| Self {
            table,
            destination: Destination::Nowhere,
            failed: None,
        };
        let Some(path) = &args.output else {
            return Ok((nowhere(table), 0));
        };
        let mut outputs = Outputs::new(args.force, inputs);
        let leads = outputs.check(path, OutputKind::Survey)?;
        let lines = match args.format() {
            Format::Csv => Lines::Csv,
            Format::Jsonl => Lines::Jsonl,
            Format::Parquet => {
                let part = parquet::part_of(path);
                if leads != SinkKind::File {
                    return Err(
                        "a Parquet file cannot be printed or streamed; pass --output with the name of a file".into(),
                    );
                }
                outputs.check(&part, OutputKind::Survey)?;
                if !args.fresh && !part.exists() {
                    unpack(path, &part, &table)?;
                }
                let header = Lines::Csv.header(&table);
                let (rows, there) = resumed(args, &part, Lines::Csv, &table, header.as_deref(), key, &mut show)?;
                let path = path.clone();
                let destination = Destination::Parquet { path, part, rows };
                let writer = Self {
                    destination,
                    ..nowhere(table)
                };
                return Ok((writer, there));
            }
        };
        let header = lines.header(&table).filter(|_| is_first_shard);
        let (destination, there) = match leads {
            SinkKind::Stdout => {
                if let Some(header) = header {
                    output.bytes(format!("{header}\n").as_bytes());
                }
                (Destination::Stdout(lines), 0)
            }
            SinkKind::Stream => (Destination::Lines(lines, LineFile::stream(path, header.as_deref())?), 0),
            SinkKind::File => {
                let (rows, there) = resumed(args, path, lines, &table, header.as_deref(), key, &mut show)?;
                (Destination::Lines(lines, rows), there)
            }
        };
        let writer = Self {
            destination,
            ..nowhere(table)
        };
        Ok((writer, there))
    }

    /// Returns the columns of the table.
    pub(in crate::cli) const fn table(&self) -> &Table {
        &self.table
    }

    /// Returns whether the rows go to standard output, so that nothing else may be printed there.
    pub(in crate::cli) const fn is_printed(&self) -> bool {
        matches!(self.destination, Destination::Stdout(_))
    }

    /// Writes the next row. Breaks if no more rows are wanted: writing failed, or the reader of a pipe is gone.
    pub(in crate::cli) fn add(&mut self, row: &FileRow, output: &mut Output) -> ControlFlow<()> {
        let (lines, file) = match &mut self.destination {
            Destination::Nowhere => return closed(output.is_closed()),
            Destination::Stdout(lines) => {
                output.bytes((lines.write(row, &self.table) + "\n").as_bytes());
                return closed(output.is_closed());
            }
            Destination::Lines(lines, file) => (*lines, file),
            Destination::Parquet { rows, .. } => (Lines::Csv, rows),
        };
        self.failed = file.add(&lines.write(row, &self.table)).err();
        closed(self.failed.is_some() || file.is_closed() || output.is_closed())
    }

    /// Completes the file.
    ///
    /// # Errors
    ///
    /// Returns the message of the first error, also that of an earlier [`Self::add`].
    pub(in crate::cli) fn end(mut self, output: &mut Output) -> Result<(), String> {
        let flushed = match &mut self.destination {
            Destination::Nowhere | Destination::Stdout(_) => Ok(()),
            Destination::Lines(_, file) | Destination::Parquet { rows: file, .. } => file.end(),
        };
        self.failed.map_or(flushed, Err)?;
        let Destination::Parquet { path, part, rows } = self.destination else {
            return Ok(());
        };
        drop(rows);
        pack(&path, &part, &self.table, output)
    }
}

const fn closed(is_closed: bool) -> ControlFlow<()> {
    if is_closed {
        ControlFlow::Break(())
    } else {
        ControlFlow::Continue(())
    }
}

/// Opens a file of lines after the rows that it contains; returns their number.
fn resumed(
    args: &RowArgs,
    path: &Path,
    lines: Lines,
    table: &Table,
    header: Option<&str>,
    key: impl Fn(u64) -> Option<RowKey>,
    show: &mut impl FnMut(FileRow),
) -> Result<(LineFile, u64), String> {
    // A file other than a survey was only accepted because of --force.
    let fresh = args.fresh || args.force.force && !OutputKind::Survey.wrote_file(path);
    let kind = LineKind { lines, table, header };
    LineFile::open(path, kind, fresh, key, show)
}

/// Copies the rows of a Parquet file, if there are any, to its part file, to which more can be appended. An existing
/// part file was left by an interrupted run and has all of them already.
fn unpack(path: &Path, part: &Path, table: &Table) -> Result<(), String> {
    let is_survey = path.metadata().is_ok_and(|found| found.len() > 0) && OutputKind::Survey.wrote_file(path);
    if !is_survey {
        return Ok(());
    }
    let mut draft = std::io::BufWriter::new(Draft::new(part).map_err(|error| error.to_string())?);
    let mut add = |line: &str| writeln!(draft, "{line}").map_err(|error| error.to_string());
    Lines::Csv.header(table).map_or(Ok(()), |header| add(&header))?;
    for row in parquet::read(path, table)? {
        add(&Lines::Csv.write(&row?, table))?;
    }
    let draft = draft.into_inner().map_err(|error| error.to_string())?;
    draft.commit().map(|_| ()).map_err(|error| error.to_string())
}

/// Writes the Parquet file from its part file, and removes the part file.
fn pack(path: &Path, part: &Path, table: &Table, output: &mut Output) -> Result<(), String> {
    let text = BufReader::new(File::open(part).map_err(|error| error.to_string())?);
    // The first line is the header.
    let rows = text.lines().skip(1).map(|line| {
        let line = line.map_err(|error| error.to_string())?;
        let row = Lines::Csv.read(&line, table);
        row.ok_or_else(|| {
            format!(
                "another program changed {} during the survey; run it again with --fresh",
                part.display()
            )
        })
    });
    for lost in parquet::write(path, table, rows)? {
        let name = path.display().to_string();
        output.warning(&storage::written_but(&name, &lost));
    }
    fs_err::remove_file(part).map_err(|error| error.to_string())
}
