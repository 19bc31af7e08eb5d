//! `wallcrawler export --seeds`: exports the squares of many dungeons as arrays in one file.
//!
//! Dungeons grow on all cores and are written in the order of their seeds, a few at a time, so that memory does not
//! limit their number. [`BulkKind`] lists the formats. All formats contain the same arrays; see [`SquareArrays`].

mod jsonl;
mod npz;
mod parquet;

use std::fmt::Write as _;
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use self::jsonl::JsonlEncoder;
use self::npz::NpzEncoder;
use self::parquet::ParquetEncoder;
use super::failure::Failure;
use super::interrupt::{INTERRUPTED, end_requested};
use super::output::Output;
use super::progress::Progress;
use super::rows::{RowKey, digest};
use super::seeds::SeedRange;
use super::selection::at_least_one;
use super::survey::describe_work;
use super::target::{ForceArgs, OutputKind, Outputs, is_closed};
use crate::background::{Cancelled, in_order, threads};
use crate::document::SeededDesign;
use crate::engine::Options;
use crate::format::native;
use crate::geometry::Size;
use crate::rows::{SquareArrays, SquareGrower, WantedArrays};
use crate::storage::{Sink, SinkKind, written_but};

/// Options that apply only to the export of one dungeon.
const OF_ONE: [&str; 5] = ["seed", "attempts", "until", "turn", "kind"];

/// Options for the export of many dungeons.
#[derive(Debug, clap::Args)]
pub(super) struct BulkArgs {
    /// Export the squares of many dungeons as arrays, in one file (.jsonl, .npz or .parquet; with - as the file, JSON
    /// lines on standard output). Seeds: 0..1000 (excluding 1000), 5..=9 (including 9), 100 (seeds 0 to 99), or a list
    /// of ranges and single seeds: 3,7,20..40
    #[arg(long, value_name = "SEEDS", conflicts_with_all = OF_ONE)]
    pub(super) seeds: Option<SeedRange>,
    /// With --seeds: the arrays to write, separated by commas. For each square, `tiles` is the kind of tile,
    /// `generations` the generation of the Builder that laid it, `turn_laid` the turn in which it was laid, and `steps`
    /// the number of steps from the entrance [default: all]
    #[arg(
        long,
        value_name = "NAMES",
        value_delimiter = ',',
        requires = "seeds",
        conflicts_with_all = OF_ONE,
        value_parser = WantedArrays::NAMES
    )]
    arrays: Vec<String>,
    /// With --seeds: number of threads [default: one per core]
    #[arg(long, value_name = "N", requires = "seeds", conflicts_with_all = OF_ONE, value_parser = at_least_one())]
    threads: Option<usize>,
}

/// A file format for many dungeons.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum BulkKind {
    /// A JSON object per line.
    Jsonl,
    /// NumPy arrays in a zip archive.
    Npz,
    /// A Parquet file with a row per dungeon, in which each array is a list of numbers.
    Parquet,
}

impl BulkKind {
    /// Every kind with its file extension and a description.
    const ALL: [(Self, &'static str, &'static str); 3] = [
        (Self::Jsonl, "jsonl", "a JSON object per line, with lists of rows"),
        (
            Self::Npz,
            "npz",
            "arrays for numpy.load, with the axes dungeon, row, column",
        ),
        (Self::Parquet, "parquet", "a row per dungeon, with lists of all squares"),
    ];

    /// Returns the format that a path implies: its extension decides, and `-` is JSON lines.
    fn of_path(path: &Path) -> Result<Self, Failure> {
        if path == Path::new("-") {
            return Ok(Self::Jsonl);
        }
        let found = path.extension().and_then(|extension| {
            Self::ALL
                .iter()
                .find(|(_, name, _)| extension.eq_ignore_ascii_case(name))
        });
        found.map(|(kind, ..)| *kind).ok_or_else(|| {
            let all: Vec<String> = Self::ALL.iter().map(|(_, name, _)| format!(".{name}")).collect();
            Failure::unreadable(format_args!(
                "`{}` cannot hold many dungeons; with --seeds, use a name that ends in one of {}",
                path.display(),
                all.join(", ")
            ))
        })
    }

    /// Returns an encoder that writes to `pending`.
    fn encoder(self, table: &BulkTable, pending: &Pending) -> Result<Box<dyn BulkEncoder>, Failure> {
        Ok(match self {
            Self::Jsonl => Box::new(JsonlEncoder::new(table, pending.clone())),
            Self::Npz => Box::new(NpzEncoder::new(table, pending.clone())?),
            Self::Parquet => Box::new(ParquetEncoder::new(table, pending.clone()).map_err(Failure::unreadable)?),
        })
    }
}

/// Returns the part of the help of `export` that lists the formats for many dungeons.
pub(super) fn kinds() -> String {
    let mut help = String::from("\n Many dungeons, with --seeds:\n");
    for (_, extension, description) in BulkKind::ALL {
        let _ = writeln!(help, "  {:10}{:24}{description}", "", format!(".{extension}"));
    }
    help
}

/// A dungeon to write.
struct BulkRow {
    key: RowKey,
    arrays: SquareArrays,
}

/// The properties that all dungeons in a file have in common.
#[derive(Debug, Clone)]
struct BulkTable {
    size: Size,
    wanted: WantedArrays,
    /// Number of dungeons.
    count: u64,
    /// The design as TOML.
    design: String,
}

/// An encoder of dungeons into the bytes of a file.
trait BulkEncoder {
    /// Adds a dungeon.
    fn add(&mut self, row: BulkRow) -> io::Result<()>;

    /// Writes the remaining bytes after the last dungeon. An encoder that writes many bytes here calls `pass_on` after
    /// each part, so that they are not all in memory at once.
    fn end(self: Box<Self>, pass_on: &mut PassOn<'_>) -> Result<(), Ended>;
}

/// A closure that passes on the [`Pending`] bytes. It fails if they cannot be written or the user has interrupted the
/// export.
type PassOn<'a> = dyn FnMut() -> Result<(), Ended> + 'a;

/// Bytes that an encoder wrote and the command has yet to pass on.
#[derive(Debug, Clone, Default)]
struct Pending(Arc<Mutex<Vec<u8>>>);

impl Pending {
    /// Returns the bytes that were written since the last call.
    fn take(&self) -> Vec<u8> {
        std::mem::take(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Write for Pending {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl BulkArgs {
    fn wanted(&self) -> WantedArrays {
        let names: Vec<&str> = self.arrays.iter().map(String::as_str).collect();
        match WantedArrays::named(&names) {
            // The argument parser accepts no other names.
            Ok(wanted) if !names.is_empty() => wanted,
            _ => WantedArrays::ALL,
        }
    }
}

/// An export of many dungeons: which dungeons, to which file, and with which options.
pub(super) struct BulkExport<'a> {
    pub(super) args: &'a BulkArgs,
    pub(super) seeds: &'a SeedRange,
    pub(super) to: &'a Path,
    pub(super) force: ForceArgs,
    /// Files that the command reads.
    pub(super) inputs: Vec<PathBuf>,
    pub(super) options: Options,
}

/// Reason why an export ended early.
enum Ended {
    /// The user stopped the program before the file was written.
    Interrupted,
    /// The user stopped the program before it had written everything to standard output, a pipe or a device.
    Incomplete,
    /// The reader closed the pipe.
    Closed,
    Failed(Failure),
}

impl<E: Into<Failure>> From<E> for Ended {
    fn from(error: E) -> Self {
        Self::Failed(error.into())
    }
}

/// Writes the dungeons of a design; returns the exit status.
pub(super) fn run(export: BulkExport<'_>, seeded: &SeededDesign, output: &mut Output) -> Result<u8, Failure> {
    match write(export, seeded, output) {
        Ok(()) | Err(Ended::Closed) => Ok(0),
        Err(Ended::Interrupted) => {
            output.error("interrupted; nothing was written");
            Ok(INTERRUPTED)
        }
        Err(Ended::Incomplete) => {
            output.error("interrupted; the output is incomplete");
            Ok(INTERRUPTED)
        }
        Err(Ended::Failed(failure)) => Err(failure),
    }
}

fn write(mut export: BulkExport<'_>, seeded: &SeededDesign, output: &mut Output) -> Result<(), Ended> {
    let kind = BulkKind::of_path(export.to)?;
    let mut outputs = Outputs::new(export.force, std::mem::take(&mut export.inputs));
    let sink_kind = outputs.check(export.to, OutputKind::Dungeons)?;
    let sink = match sink_kind {
        SinkKind::Stdout => None,
        _ => Some(Sink::open(export.to, sink_kind)?),
    };
    let table = BulkTable {
        size: seeded.design().layout.size,
        wanted: export.args.wanted(),
        count: export.seeds.len(),
        design: native::write(seeded.design()),
    };
    let pending = Pending::default();
    let mut encoder = kind.encoder(&table, &pending)?;
    let mut bytes = BulkBytes { pending, sink };
    let mut progress = Progress::new(table.count, 0);
    let design = digest(seeded, export.options);
    let requested = end_requested();
    let ended = grow(&export, seeded, table.wanted, &requested, |number, arrays| {
        let key = RowKey::new(export.seeds.nth(number), &design, Vec::new());
        let added = encoder.add(BulkRow { key, arrays }).map_err(Ended::from);
        progress.at(number + 1);
        match added.and_then(|()| bytes.pass_on(output)) {
            Ok(()) => ControlFlow::Continue(()),
            Err(ended) => ControlFlow::Break(ended),
        }
    });
    progress.end();
    let ended = ended.or_else(|| {
        let mut pass_on = || {
            if requested.load(Ordering::Relaxed) {
                return Err(Ended::Interrupted);
            }
            bytes.pass_on(output)
        };
        encoder.end(&mut pass_on).err()
    });
    match ended {
        Some(Ended::Interrupted) if sink_kind != SinkKind::File => return Err(Ended::Incomplete),
        Some(ended) => return Err(ended),
        None => {}
    }
    bytes.pass_on(output)?;
    for lost in bytes.sink.map_or(Ok(Vec::new()), Sink::commit)? {
        output.warning(&written_but(&export.to.display().to_string(), &lost));
    }
    if sink_kind == SinkKind::File {
        describe_work(&progress, 0, table.count, output);
    }
    Ok(())
}

/// The bytes of the encoder, and their destination.
struct BulkBytes {
    pending: Pending,
    /// The file, pipe or device; `None` for standard output.
    sink: Option<Sink>,
}

impl BulkBytes {
    /// Writes the bytes that the encoder produced since the last call.
    fn pass_on(&mut self, output: &mut Output) -> Result<(), Ended> {
        let bytes = self.pending.take();
        match &mut self.sink {
            _ if bytes.is_empty() => Ok(()),
            None => {
                output.data(&bytes);
                if output.is_closed() { Err(Ended::Closed) } else { Ok(()) }
            }
            Some(sink) => sink.write_all(&bytes).map_err(|error| match error {
                error if is_closed(&error) => Ended::Closed,
                error => error.into(),
            }),
        }
    }
}

/// Grows the dungeons on several threads and passes their squares to `receive` in order. The growth ends early if
/// `requested` becomes true. Returns the reason if the growth ends early, or `None` if all dungeons were passed.
fn grow(
    export: &BulkExport<'_>,
    seeded: &SeededDesign,
    wanted: WantedArrays,
    requested: &AtomicBool,
    mut receive: impl FnMut(u64, SquareArrays) -> ControlFlow<Ended>,
) -> Option<Ended> {
    let goes_on = || !requested.load(Ordering::Relaxed);
    let mut ended = None;
    let done = in_order(
        export.seeds.len(),
        export.args.threads.unwrap_or_else(threads),
        || (seeded.seeds(), SquareGrower::default()),
        |(seeds, squares), number| {
            let design = seeds.design(export.seeds.nth(number)).ok_or(Cancelled)?;
            squares.grow(&design, export.options, wanted, goes_on).ok_or(Cancelled)
        },
        |number, arrays| match receive(number, arrays) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(why) => {
                ended = Some(why);
                Err(Cancelled)
            }
        },
    );
    match done {
        Ok(()) => None,
        Err(Cancelled) => ended.or(Some(Ended::Interrupted)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_extension_decides_the_format() {
        let kind = |path: &str| BulkKind::of_path(Path::new(path)).ok();
        assert_eq!(kind("a.npz"), Some(BulkKind::Npz));
        assert_eq!(kind("a/b.parquet"), Some(BulkKind::Parquet));
        assert_eq!(kind("a.b.jsonl"), Some(BulkKind::Jsonl));
        assert_eq!(kind("-"), Some(BulkKind::Jsonl));
        assert_eq!(kind("a.png"), None);
    }
}
