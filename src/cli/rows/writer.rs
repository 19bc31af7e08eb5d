//! Opens the destination of a command's rows according to its arguments: a file to which rows are appended, a pipe, or
//! standard output.

use std::io::{BufRead as _, BufReader, ErrorKind, Write as _};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use fs_err::File;

use super::super::failure::Failure;
use super::super::output::Output;
use super::super::selection::Selection;
use super::super::target::{ForceArgs, OutputKind, Outputs};
use super::arrow::{self, ArrowEncoder};
use super::file::{self, LineKind, RowFile};
use super::parquet;
use super::text::Lines;
use super::{FileRow, RowKey, Table};
use crate::storage::{self, Draft, SinkKind, StorageError};

/// Format of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(in crate::cli) enum Format {
    /// Comma-separated values under a line of column names
    Csv,
    /// A JSON object on each line
    Jsonl,
    /// A Parquet file with typed columns, for data frames and databases
    Parquet,
    /// An Arrow IPC stream, for data frames that read from a pipe
    Arrow,
}

/// Rule for when CSV begins with a line of column names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum HeaderChoice {
    /// In every file
    Always,
    /// Never
    Never,
    /// In the file of the first shard, or of a run without --shard; the files of all shards can then be concatenated
    First,
}

/// The arguments that determine where rows are written, for every command that writes them.
#[derive(Debug, clap::Args)]
#[command(mut_arg("force", |force| force.requires("output")))]
pub(in crate::cli) struct RowArgs {
    /// Write a row for each dungeon to this file, or to a pipe (- for standard output). If the file has rows of the
    /// same run, because it was interrupted, they are kept and the run resumes after them; a run with --where cannot be
    /// resumed. A table of another run is overwritten only with --fresh, and a file of another kind only with --force
    #[arg(long, short, value_name = "FILE")]
    pub(in crate::cli) output: Option<PathBuf>,
    #[command(flatten)]
    force: ForceArgs,
    /// Format of the rows [default: from the file extension: .jsonl, .parquet, .arrow, otherwise CSV]. A Parquet file
    /// is written at the end; until then the rows are in FILE.part, from which an interrupted run resumes. Parquet
    /// files of several shards need not be joined: most tools read several files as one table. An Arrow stream can only
    /// go to standard output or to a pipe
    #[arg(long, value_enum, requires = "output")]
    format: Option<Format>,
    /// Where to write a line of column names in CSV [default: first]
    #[arg(
        long,
        value_name = "WHEN",
        value_enum,
        hide_default_value = true,
        requires = "output"
    )]
    header: Option<HeaderChoice>,
    /// Overwrite the file instead of resuming
    #[arg(long, requires = "output")]
    fresh: bool,
}

impl Format {
    /// Returns the format of the lines. Parquet and Arrow have no lines; for them, returns CSV, the format of the part
    /// file of a Parquet file.
    const fn lines(self) -> Lines {
        match self {
            Self::Jsonl => Lines::Jsonl,
            Self::Csv | Self::Parquet | Self::Arrow => Lines::Csv,
        }
    }
}

impl RowArgs {
    /// Fails if the run has a condition and would resume from an existing file. Without the rows of the dungeons that
    /// the condition leaves out, the position at which to resume is unknown.
    pub(in crate::cli) fn check_selection(&self, selection: &Selection) -> Result<(), Failure> {
        if selection.condition().is_some() && self.is_resumed() {
            let message = "a run with --where cannot be resumed; pass --fresh to overwrite the file";
            return Err(Failure::unreadable(message));
        }
        Ok(())
    }

    /// Fails if the rows go to standard output, and an option is given that prints a table there. `options` contains
    /// the name of each such option, and whether it is given.
    pub(in crate::cli) fn check_tables(&self, options: &[(&str, bool)]) -> Result<(), Failure> {
        let is_stdout = |path: &PathBuf| sink_kind(path) == SinkKind::Stdout;
        match options.iter().find(|(_, is_given)| *is_given) {
            Some((name, _)) if self.output.as_ref().is_some_and(is_stdout) => Err(Failure::unreadable(format_args!(
                "{name} prints a table, which would be mixed with the rows on standard output; \
                 pass --output with the name of a file"
            ))),
            _ => Ok(()),
        }
    }

    /// Returns whether the run would resume from the file or from its part file.
    fn is_resumed(&self) -> bool {
        let path = self.output.as_ref();
        let path = path.filter(|path| !self.fresh && sink_kind(path) == SinkKind::File);
        let has_part = |path: &PathBuf| self.format() == Format::Parquet && is_survey(&parquet::part_of(path));
        path.is_some_and(|path| is_survey(path) || has_part(path))
    }

    /// Returns the given format; by default, the format implied by the file extension.
    fn format(&self) -> Format {
        let extension = self.output.as_deref().and_then(Path::extension);
        let extension = extension.and_then(|extension| Some(extension.to_str()?.to_ascii_lowercase()));
        let by_name = || match extension.as_deref() {
            Some("jsonl" | "json" | "ndjson") => Format::Jsonl,
            Some("parquet" | "pq") => Format::Parquet,
            Some("arrow" | "arrows") => Format::Arrow,
            _ => Format::Csv,
        };
        self.format.unwrap_or_else(by_name)
    }

    /// Returns the line of column names with which the file must begin, including its line break; `None` if the format
    /// or `--header` requires none.
    fn first_line(&self, lines: Lines, table: &Table, is_first_shard: bool) -> Option<String> {
        let has_header = match self.header.unwrap_or(HeaderChoice::First) {
            HeaderChoice::Always => true,
            HeaderChoice::Never => false,
            HeaderChoice::First => is_first_shard,
        };
        lines.header(table).filter(|_| has_header).map(|header| header + "\n")
    }
}

/// Writes the rows of a table to the destination that the arguments name.
pub(in crate::cli) struct RowWriter {
    table: Table,
    destination: Destination,
    failed: Option<Failure>,
}

enum Destination {
    /// The command has no --output, or the Parquet file already has all rows.
    Nowhere,
    Stdout(Encoder),
    File(Encoder, RowFile),
    Parquet {
        path: PathBuf,
        /// Path of the part file, which contains the rows written so far as CSV.
        part: PathBuf,
        rows: RowFile,
    },
}

/// An encoder of rows into bytes.
enum Encoder {
    Lines(Lines),
    Arrow(Box<ArrowEncoder>),
}

impl Encoder {
    /// Encodes a row, and returns the bytes to write now. In an Arrow stream, these are the bytes of a batch; if the
    /// row has to wait for more rows, there are none.
    fn row(&mut self, row: &FileRow, table: &Table) -> Result<Vec<u8>, Failure> {
        match self {
            Self::Lines(lines) => Ok(lines.line(row, table).into_bytes()),
            Self::Arrow(encoder) => {
                encoder.add(row).map_err(Failure::unreadable)?;
                Ok(encoder.take())
            }
        }
    }

    /// Returns the bytes of waiting rows if their batch is due.
    fn due(&mut self) -> Result<Vec<u8>, Failure> {
        match self {
            Self::Lines(_) => Ok(Vec::new()),
            Self::Arrow(encoder) => {
                encoder.write_if_due().map_err(Failure::unreadable)?;
                Ok(encoder.take())
            }
        }
    }

    /// Returns the bytes to write after the last row, including rows that still wait for a batch.
    fn end(&mut self) -> Result<Vec<u8>, Failure> {
        match self {
            Self::Lines(_) => Ok(Vec::new()),
            Self::Arrow(encoder) => {
                encoder.end().map_err(Failure::unreadable)?;
                Ok(encoder.take())
            }
        }
    }
}

impl RowWriter {
    /// Opens the destination and calls `show` with each row that it already contains. Returns the writer and the number
    /// of these rows.
    ///
    /// `key` maps the number of a row (from 0) to its key, and returns `None` after the last row. `inputs` contains the
    /// files that the command reads, to which it must not write. `is_first_shard` is true for the first of several
    /// shards, and for a table that is not divided into shards.
    ///
    /// # Errors
    ///
    /// Fails if the destination cannot be written, or contains something other than the first rows of this table.
    pub(in crate::cli) fn open(
        args: &RowArgs,
        table: Table,
        inputs: Vec<PathBuf>,
        is_first_shard: bool,
        key: impl Fn(u64) -> Option<RowKey>,
        mut show: impl FnMut(FileRow),
        output: &mut Output,
    ) -> Result<(Self, u64), Failure> {
        let format = args.format();
        if args.header.is_some() && format != Format::Csv {
            let message = "--header applies to CSV only; the other formats always contain the names of the columns";
            return Err(Failure::unreadable(message));
        }
        let (destination, there) = match &args.output {
            None => (Destination::Nowhere, 0),
            Some(path) => {
                let mut outputs = Outputs::new(args.force, inputs);
                let sink_kind = outputs.check_appended(path)?;
                match (format, sink_kind) {
                    (Format::Parquet, SinkKind::File) => {
                        outputs.check_appended(&parquet::part_of(path))?;
                        to_parquet(args, path, &table, key, &mut show)?
                    }
                    (Format::Parquet, _) => {
                        return Err(Failure::unreadable(
                            "a Parquet file cannot be printed or streamed; pass --output with the name of a file, or \
                             --format arrow",
                        ));
                    }
                    (Format::Arrow, SinkKind::File) => {
                        return Err(Failure::unreadable(
                            "an Arrow stream cannot be resumed, and can only go to standard output or to a pipe; pass \
                             --format arrow --output -, or choose a .parquet file",
                        ));
                    }
                    (Format::Arrow, _) if !arrow::IS_AVAILABLE => {
                        return Err(Failure::unreadable(
                            "this program was built for 32-bit x86 and cannot write an Arrow stream; use a 64-bit \
                             build, or another --format",
                        ));
                    }
                    (Format::Csv | Format::Jsonl, SinkKind::File) => {
                        let lines = format.lines();
                        let header = args.first_line(lines, &table, is_first_shard);
                        let (rows, there) = resumed(args, path, lines, &table, header.as_deref(), key, &mut show)?;
                        (Destination::File(Encoder::Lines(lines), rows), there)
                    }
                    (_, sink_kind) => (to_stream(args, path, sink_kind, &table, is_first_shard, output)?, 0),
                }
            }
        };
        let writer = Self {
            table,
            destination,
            failed: None,
        };
        Ok((writer, there))
    }

    /// Returns the columns of the table.
    pub(in crate::cli) const fn table(&self) -> &Table {
        &self.table
    }

    /// Returns whether the rows go to standard output, in which case nothing else may be printed there.
    pub(in crate::cli) const fn is_printed(&self) -> bool {
        matches!(self.destination, Destination::Stdout(_))
    }

    /// Writes the next row. Returns `Break` if writing failed or the reader of a pipe has closed it.
    pub(in crate::cli) fn add(&mut self, row: &FileRow, output: &mut Output) -> ControlFlow<()> {
        let table = &self.table;
        let bytes = match &mut self.destination {
            Destination::Nowhere => Ok(Vec::new()),
            Destination::Stdout(encoder) | Destination::File(encoder, _) => encoder.row(row, table),
            Destination::Parquet { .. } => Ok(Lines::Csv.line(row, table).into_bytes()),
        };
        self.write(bytes, output)
    }

    /// Writes waiting rows if they are due; the command calls this for each dungeon that `--where` leaves out. Returns
    /// `Break` under the same conditions as [`Self::add`].
    pub(in crate::cli) fn skip(&mut self, output: &mut Output) -> ControlFlow<()> {
        let bytes = match &mut self.destination {
            Destination::Stdout(encoder) | Destination::File(encoder, _) => encoder.due(),
            Destination::Nowhere | Destination::Parquet { .. } => Ok(Vec::new()),
        };
        self.write(bytes, output)
    }

    fn write(&mut self, bytes: Result<Vec<u8>, Failure>, output: &mut Output) -> ControlFlow<()> {
        let written = bytes.and_then(|bytes| match &mut self.destination {
            _ if bytes.is_empty() => Ok(false),
            Destination::Nowhere => Ok(false),
            Destination::Stdout(_) => {
                output.data(&bytes);
                Ok(false)
            }
            Destination::File(_, file) | Destination::Parquet { rows: file, .. } => file.write(&bytes),
        });
        let is_closed = *written.as_ref().unwrap_or(&true) || output.is_closed();
        self.failed = written.err();
        if is_closed {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }

    /// Writes all remaining bytes and completes the file.
    ///
    /// # Errors
    ///
    /// Returns the first error, including errors in earlier calls of [`Self::add`].
    pub(in crate::cli) fn end(self, output: &mut Output) -> Result<(), Failure> {
        self.failed.map_or(Ok(()), Err)?;
        match self.destination {
            Destination::Nowhere => {}
            Destination::Stdout(mut encoder) => output.data(&encoder.end()?),
            Destination::File(mut encoder, mut file) => {
                file.write(&encoder.end()?)?;
            }
            Destination::Parquet { path, part, rows } => {
                drop(rows);
                pack(&path, &part, &self.table, output)?;
            }
        }
        Ok(())
    }
}

/// Opens the part file of a Parquet file to append rows. With --fresh, the part file begins without rows. Without
/// --fresh, a missing part file is created with the rows of the Parquet file, if there are any; but if the Parquet file
/// already has all rows, it is only read, and no part file is created. Returns the destination for further rows, and
/// the number of rows in the part file or in the complete Parquet file.
fn to_parquet(
    args: &RowArgs,
    path: &Path,
    table: &Table,
    key: impl Fn(u64) -> Option<RowKey>,
    show: &mut impl FnMut(FileRow),
) -> Result<(Destination, u64), Failure> {
    let part = parquet::part_of(path);
    let is_packed = !args.fresh && !part.exists() && is_survey(path);
    if is_packed {
        let rows = parquet::read(path, table)?;
        if key(rows.row_count()).is_none() {
            let mut number = 0;
            for row in rows {
                show(checked(row?, number, path, &key)?);
                number += 1;
            }
            return Ok((Destination::Nowhere, number));
        }
    }
    // The Parquet file is written only at the end of the command. Creating a draft shows now, before any dungeon grows,
    // whether the file can be written.
    Draft::new(path).map_err(|error| match error {
        StorageError::ReadOnly { .. } => file::refused(path, ErrorKind::PermissionDenied, !is_packed),
        error => error.into(),
    })?;
    if is_packed {
        unpack(path, &part, table, &key)?;
    }
    let header = Lines::Csv.header(table).map(|header| header + "\n");
    let (rows, there) = resumed(args, &part, Lines::Csv, table, header.as_deref(), key, show)?;
    let path = path.to_owned();
    Ok((Destination::Parquet { path, part, rows }, there))
}

/// Begins a table on standard output, a pipe or a device, and writes the header or the schema.
fn to_stream(
    args: &RowArgs,
    path: &Path,
    sink_kind: SinkKind,
    table: &Table,
    is_first_shard: bool,
    output: &mut Output,
) -> Result<Destination, Failure> {
    let (encoder, first) = if args.format() == Format::Arrow {
        let mut encoder = ArrowEncoder::new(table).map_err(Failure::unreadable)?;
        let first = encoder.take();
        (Encoder::Arrow(Box::new(encoder)), first)
    } else {
        let lines = args.format().lines();
        let header = args.first_line(lines, table, is_first_shard).unwrap_or_default();
        (Encoder::Lines(lines), header.into_bytes())
    };
    if sink_kind == SinkKind::Stdout {
        output.data(&first);
        return Ok(Destination::Stdout(encoder));
    }
    let mut file = RowFile::stream(path)?;
    file.write(&first)?;
    Ok(Destination::File(encoder, file))
}

/// Opens a file of lines to append rows. Returns the file and the number of rows that it already contains.
fn resumed(
    args: &RowArgs,
    path: &Path,
    lines: Lines,
    table: &Table,
    header: Option<&str>,
    key: impl Fn(u64) -> Option<RowKey>,
    show: &mut impl FnMut(FileRow),
) -> Result<(RowFile, u64), Failure> {
    // Without --force, `Outputs` rejects an existing file that is not a survey. With --force, overwrite such a file.
    let fresh = args.fresh || args.force.force && !OutputKind::Survey.wrote_file(path);
    let kind = LineKind { lines, table, header };
    RowFile::open(path, kind, fresh, key, show)
}

/// Returns the kind of sink that `--output` names.
fn sink_kind(path: &Path) -> SinkKind {
    if path == Path::new("-") {
        SinkKind::Stdout
    } else {
        SinkKind::of(path)
    }
}

/// Returns whether a file has rows that this program wrote as Parquet or as lines.
fn is_survey(path: &Path) -> bool {
    path.metadata().is_ok_and(|found| found.len() > 0) && OutputKind::Survey.wrote_file(path)
}

/// Returns a row of a Parquet file; fails if it is not the row that belongs at the index `number`.
fn checked(row: FileRow, number: u64, path: &Path, key: impl Fn(u64) -> Option<RowKey>) -> Result<FileRow, Failure> {
    let fits = file::check(&row.key, key(number).as_ref());
    fits.map_err(|why| parquet::rejection(path, &why))?;
    Ok(row)
}

/// Copies the rows of an existing Parquet file to a new part file, to which further rows can be appended. Fails, and
/// creates no part file, if a row is not the expected one.
fn unpack(path: &Path, part: &Path, table: &Table, key: impl Fn(u64) -> Option<RowKey>) -> Result<(), Failure> {
    let mut draft = std::io::BufWriter::new(Draft::new(part)?);
    let mut add = |text: &str| draft.write_all(text.as_bytes());
    if let Some(header) = Lines::Csv.header(table) {
        add(&(header + "\n"))?;
    }
    for (row, number) in parquet::read(path, table)?.zip(0..) {
        let row = checked(row?, number, path, &key)?;
        add(&Lines::Csv.line(&row, table))?;
    }
    draft.into_inner().map_err(Failure::unreadable)?.commit()?;
    Ok(())
}

/// Writes the Parquet file with the rows of its part file, and removes the part file.
fn pack(path: &Path, part: &Path, table: &Table, output: &mut Output) -> Result<(), Failure> {
    let text = BufReader::new(File::open(part)?);
    // The first line is the header.
    let rows = text.lines().skip(1).map(|line| {
        let row = Lines::Csv.read(&line?, table);
        row.ok_or_else(|| {
            let part = part.display();
            Failure::unreadable(format_args!(
                "another program changed {part} during the survey; run the command again with --fresh"
            ))
        })
    });
    for lost in parquet::write(path, table, rows)? {
        let name = path.display().to_string();
        output.warning(&storage::written_but(&name, &lost));
    }
    Ok(fs_err::remove_file(part)?)
}
