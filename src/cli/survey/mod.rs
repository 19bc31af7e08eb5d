//! `wallcrawler survey`: measures the dungeons of a design over many seeds.
//!
//! Rows are written to a file in the order of the seeds. An interrupted run leaves a prefix of the file, and the next
//! run resumes after it; so does a run over more seeds. Shards are consecutive parts of the same order, so that their
//! files, concatenated, equal the file of a single run.

mod file;
mod parquet;
mod table;

use std::fmt::Write as _;

use std::io::{BufRead as _, BufReader};
use std::ops::{ControlFlow, Range};
use std::path::{Path, PathBuf};

use fs_err::File;

use self::file::Rows;
use super::endpoints::EndpointArgs;
use super::output::Output;
use super::progress::{Progress, grouped};
use super::rows::{FileRow, Format};
use super::seeds::{SeedRange, Shard};
use super::source::changed;
use super::target::{ForceArgs, OutputKind, Outputs};
use super::{DesignArgs, UNREADABLE};
use crate::analysis::{Anomaly, Cell, Column, Metrics, SurveySummary, columns, row};
use crate::background::SeedSurvey;
use crate::design::expect::METRICS;
use crate::design::{Design, Expectations, Rule};
use crate::document::SeededDesign;
use crate::engine::Options;
use crate::format::native;
use crate::recording_file::PROGRAM_VERSION;
use crate::storage::{self, SinkKind};
use crate::text::{counted, fnv1a};

/// The arguments of `survey`.
#[derive(Debug, clap::Args)]
#[command(after_long_help = metrics())]
#[command(mut_arg("force", |force| force.requires("output")))]
pub(super) struct Args {
    #[command(flatten)]
    design: DesignArgs,
    #[command(flatten)]
    ends: EndpointArgs,
    /// Change parameters of the design: 'MaxAge -> 3', 'CorridorWidth + 1 in 1-4', 'all 100 -> 90'; can be given more
    /// than once, applied in order
    #[arg(long, value_name = "RULE", value_parser = Rule::read)]
    change: Vec<Rule>,
    /// Seeds: 0..10000 (without 10000), 5..=9, a number of seeds from 0, or a comma-separated list of these
    #[arg(long, value_name = "SEEDS", default_value = "0..1000")]
    seeds: SeedRange,
    /// Use one part of the seeds: 3/16 is the third of sixteen. The files of all parts, concatenated in order, are the
    /// file of all seeds
    #[arg(long, value_name = "K/N")]
    shard: Option<Shard>,
    /// Write a row for each dungeon to this file, or to a pipe (- for standard output); existing rows are
    /// kept and the run resumes after them. A file that is not a survey is replaced only with --force
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
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
    /// Number of threads [default: one per core]
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    /// Spawn Crawlers instead of ColumnJumpers
    #[arg(long)]
    no_columns: bool,
}

/// Returns the end of `--help`: every metric.
pub(super) fn metrics() -> String {
    let mut help = String::from("Metrics:\n");
    let width = METRICS.iter().map(|info| info.name.len()).max().unwrap_or(0);
    for info in METRICS {
        let unit = if info.unit.is_empty() {
            String::new()
        } else {
            format!(" ({})", info.unit)
        };
        let _ = writeln!(help, "  {:width$}  {}{unit}", info.name, info.meaning);
    }
    help + "In conditions also: share(generation 3), share(width 2..4), crosses room 1 (a shortest path leads through it), needs room 1 \
            (every path does), severs vault 1 (one line across a passage cuts it off)"
}

/// The values of a dungeon's columns, and its anomalies.
type Row = (Vec<Cell>, Vec<Anomaly>);

/// Collects the statistics and writes the row of each dungeon.
struct Sink {
    columns: Vec<Column>,
    design: String,
    summary: SurveySummary,
    rows: Option<Rows>,
    format: Format,
    is_printed: bool,
    failed: Option<String>,
}

impl Sink {
    /// Opens the file for the rows and reads those in it; returns their number. `seed` returns the seed of a row by its
    /// index.
    fn open(
        &mut self,
        path: &Path,
        header: Option<&str>,
        fresh: bool,
        seed: impl Fn(u64) -> Option<u64>,
    ) -> Result<u64, String> {
        let summary = &mut self.summary;
        let mut show = |line: FileRow| {
            let odd: Vec<Anomaly> = line.odd.split(' ').filter_map(|key| key.parse().ok()).collect();
            summary.add(line.seed, line.cells, &odd);
        };
        let kind = file::Kind {
            format: self.format,
            columns: &self.columns,
            design: &self.design,
            header,
        };
        let (rows, there) = Rows::open(path, &kind, fresh, seed, &mut show)?;
        self.rows = Some(rows);
        Ok(there)
    }

    fn take(&mut self, seed: u64, row: Option<Row>, output: &mut Output) -> ControlFlow<()> {
        let nothing = || (vec![Cell::Nothing; self.columns.len()], vec![Anomaly::NotGrown]);
        let (cells, odd) = row.unwrap_or_else(nothing);
        if self.is_printed || self.rows.is_some() {
            let keys: Vec<String> = odd.iter().map(|odd| odd.key()).collect();
            let line = FileRow {
                seed,
                design: self.design.clone(),
                cells: cells.clone(),
                odd: keys.join(" "),
            };
            let text = self.format.write(&line, &self.columns);
            if self.is_printed {
                output.bytes((text + "\n").as_bytes());
            } else if let Some(Err(error)) = self.rows.as_mut().map(|rows| rows.add(&text)) {
                self.failed = Some(error);
                return ControlFlow::Break(());
            }
            if self.rows.as_ref().is_some_and(Rows::is_closed) {
                return ControlFlow::Break(());
            }
        }
        self.summary.add(seed, cells, &odd);
        if output.is_closed() {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }
}

/// Returns the design to survey, or the exit status if it is unusable.
fn seeded_design(args: &Args, output: &mut Output) -> Result<SeededDesign, u8> {
    let seeded = args.design.seeded_design(&args.ends, output)?;
    changed(seeded, &args.change).map_err(|message| {
        output.error(&message);
        UNREADABLE
    })
}

/// Runs the command and returns the exit status.
pub(super) fn run(args: &Args, output: &mut Output) -> u8 {
    let seeded = match seeded_design(args, output) {
        Ok(seeded) => seeded,
        Err(status) => return status,
    };
    let options = Options {
        columns: !args.no_columns,
    };
    let format = args.format.unwrap_or_else(|| by_name(args.output.as_deref()));
    let leads = match leads(args, format, seeded.design()) {
        Ok(leads) => leads,
        Err(why) => {
            output.error(&why);
            return UNREADABLE;
        }
    };
    let is_printed = leads == Some(SinkKind::Stdout);
    let mut sink = Sink {
        columns: columns(seeded.design()),
        design: digest(&seeded, options),
        summary: SurveySummary::default(),
        rows: None,
        format,
        is_printed,
        failed: None,
    };
    let part = args
        .shard
        .map_or(0..args.seeds.len(), |shard| shard.part(args.seeds.len()));
    let header = sink.format.header(&sink.columns);
    let in_columns = sink.format == Format::Parquet;
    let header = header.filter(|_| in_columns || args.shard.is_none_or(Shard::is_first));
    let path = args.output.as_ref().filter(|_| leads == Some(SinkKind::File));
    let path = path.map(|path| {
        if in_columns {
            parquet::part_of(path)
        } else {
            path.clone()
        }
    });
    if is_printed && let Some(header) = header.as_deref().filter(|_| !in_columns) {
        output.bytes(format!("{header}\n").as_bytes());
    }
    let done = match begin(args, leads, &part, header.as_deref(), path.as_deref(), &mut sink) {
        Ok(done) => done,
        Err(message) => {
            output.error(&message);
            return UNREADABLE;
        }
    };
    let mut survey = SeedSurvey::new(seeded, options);
    survey.threads = args.threads.unwrap_or(survey.threads);
    let mut progress = Progress::new(part.end - part.start, done);
    let first = part.start + done;
    let names = std::mem::take(&mut sink.columns);
    let look = |_: u64, metrics: &Metrics| (row(metrics, &names), metrics.anomalies());
    sink.columns.clone_from(&names);
    let mut taken = done;
    survey.run(
        part.end - first,
        |number| args.seeds.nth(first + number),
        look,
        |seed, row| {
            taken += 1;
            progress.at(taken);
            sink.take(seed, row, output)
        },
    );
    progress.end();
    if let Some(Err(error)) = sink.rows.as_mut().map(Rows::end) {
        sink.failed.get_or_insert(error);
    }
    if in_columns
        && sink.failed.is_none()
        && let (Some(path), Some(part)) = (&args.output, &path)
    {
        sink.rows = None;
        sink.failed = end_columns(path, part, &sink.columns, output).err();
    }
    if let Some(error) = sink.failed {
        output.error(&error);
        return UNREADABLE;
    }
    if !is_printed {
        let which = match args.shard {
            Some(shard) => format!("{}, {}", args.seeds.label(), shard.label()),
            None => args.seeds.label(),
        };
        for line in table::lines(&sink.summary, &sink.columns, survey.variants[0].design(), &which) {
            output.line(&line);
        }
        describe_work(&progress, done, taken, output);
    }
    0
}

/// Opens the destination of the rows and reads the rows already in a file; returns their number.
fn begin(
    args: &Args,
    leads: Option<SinkKind>,
    part: &Range<u64>,
    header: Option<&str>,
    path: Option<&Path>,
    sink: &mut Sink,
) -> Result<u64, String> {
    if sink.format == Format::Parquet {
        begin_columns(args, path, sink)?;
    }
    if let Some(path) = path {
        let seed = |number: u64| (number < part.end - part.start).then(|| args.seeds.nth(part.start + number));
        // A file other than a survey was only accepted because of --force.
        let fresh = args.fresh || args.force.force && !OutputKind::Survey.wrote_file(path);
        return sink.open(path, header, fresh, seed);
    }
    if let (Some(path), Some(SinkKind::Stream)) = (&args.output, leads) {
        sink.rows = Some(Rows::stream(path, header)?);
    }
    Ok(0)
}

/// Returns the format that the file extension implies.
fn by_name(path: Option<&Path>) -> Format {
    match path.and_then(Path::extension).and_then(|ending| ending.to_str()) {
        Some("jsonl" | "json" | "ndjson") => Format::Jsonl,
        Some("parquet" | "pq") => Format::Parquet,
        _ => Format::Csv,
    }
}

/// Resolves where the rows go; `None` if there is no output.
fn leads(args: &Args, format: Format, design: &Design) -> Result<Option<SinkKind>, String> {
    let Some(path) = &args.output else {
        return Ok(None);
    };
    let mut outputs = Outputs::new(args.force, args.design.inputs(design));
    let leads = outputs.check(path, OutputKind::Survey)?;
    if leads == SinkKind::File && format == Format::Parquet {
        outputs.check(&parquet::part_of(path), OutputKind::Survey)?;
    }
    Ok(Some(leads))
}

/// Copies the rows of a Parquet file to its part file, to which more can be appended. An existing part file was left by
/// an interrupted run and has all of them already.
fn begin_columns(args: &Args, part: Option<&Path>, sink: &Sink) -> Result<(), String> {
    let (Some(path), Some(part)) = (&args.output, part) else {
        return Err("a Parquet file cannot be printed or streamed; pass --output with the name of a file".into());
    };
    let is_survey = || path.metadata().is_ok_and(|found| found.len() > 0) && OutputKind::Survey.wrote_file(path);
    if args.fresh || part.exists() || !is_survey() {
        return Ok(());
    }
    let Some(lines) = parquet::read(path, &sink.columns)? else {
        return Ok(());
    };
    let header = Format::Csv.header(&sink.columns);
    let rows = lines.iter().map(|line| Format::Csv.write(line, &sink.columns));
    let text: String = header.into_iter().chain(rows).map(|line| line + "\n").collect();
    storage::write_atomic(part, text.as_bytes()).map_err(|error| error.to_string())
}

/// Writes the Parquet file from its part file, and removes the part file.
fn end_columns(path: &Path, part: &Path, columns: &[Column], output: &mut Output) -> Result<(), String> {
    let text = BufReader::new(File::open(part).map_err(|error| error.to_string())?);
    // The first line is the header.
    let rows = text.lines().skip(1).map(|line| {
        let line = line.map_err(|error| error.to_string())?;
        let row = Format::Csv.read(&line, columns);
        row.ok_or_else(|| {
            format!(
                "another program changed {} during the survey; run it again with --fresh",
                part.display()
            )
        })
    });
    for lost in parquet::write(path, columns, rows)? {
        let name = path.display().to_string();
        output.warning(&storage::written_but(&name, &lost));
    }
    fs_err::remove_file(part).map_err(|error| error.to_string())
}

/// Reports the number of dungeons grown in this run, and the speed.
fn describe_work(progress: &Progress, before: u64, taken: u64, output: &mut Output) {
    if taken > before {
        let rate = progress.rate(taken).round() as u64;
        let grown = counted(taken - before, "dungeon");
        output.summary(&format!("{grown} grown, {} per second", grouped(rate)));
    }
    if before > 0 {
        output.summary(&format!("{} rows were in the file already", grouped(before)));
    }
}

/// Returns a digest of everything that determines the metrics of a seed (the design and its level files), to recognize
/// its rows.
fn digest(seeded: &SeededDesign, options: Options) -> String {
    let mut design = Design::clone(seeded.design());
    design.seed = 0;
    design.name.clear();
    design.notes.clear();
    design.expect = Expectations {
        that: Vec::new(),
        ..design.expect
    };
    let text = format!("{PROGRAM_VERSION} {} {}", options.columns, native::write(&design));
    let mut bytes = text.into_bytes();
    for (file, level) in seeded.levels() {
        bytes.extend_from_slice(file.as_os_str().as_encoded_bytes());
        bytes.extend((level.len() as u64).to_le_bytes());
        bytes.extend_from_slice(level);
    }
    format!("{:016x}", fnv1a(bytes))
}
