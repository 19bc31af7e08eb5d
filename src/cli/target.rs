//! Output targets of the commands, and the rule for when an existing file may be overwritten.
//!
//! A command never writes to a file that it reads. It replaces an existing file if the file is empty or if its content
//! shows that the same command wrote it. It replaces any other file only with `--force`. Output to devices, pipes and
//! open descriptors is streamed. `-` is standard output.

use std::io::{self, ErrorKind, Write as _};
use std::path::{Path, PathBuf};

use super::failure::Failure;
use super::output::Output;
use crate::document::Document;
use crate::export::{ExportKind, SAMPLE_BYTES};
use crate::format::{self, Text, native};
use crate::recording_file;
use crate::rows::{FIRST, LAST};
use crate::storage::{
    self, DesignFiles, Draft, Sink, SinkKind, StorageError, check_folder, is_same_file, is_same_path, written_but,
};

/// Metadata key under which a Parquet file of dungeons lists the names of its arrays.
pub(super) const PARQUET_ARRAYS: &str = "wallcrawler.arrays";

/// Names of the columns of a map of the expressive range as CSV. A last column `row` may follow.
pub(super) const RANGE_COLUMNS: [&str; 8] = ["x", "x_low", "x_high", "y", "y_low", "y_high", "dungeons", "seed"];

/// The option shared by all commands that write files.
#[derive(Debug, Clone, Copy, Default, clap::Args)]
pub(super) struct ForceArgs {
    /// Replace existing files of any kind, except files that the command reads
    #[arg(long, short)]
    pub(super) force: bool,
}

/// Kind of a command's output. It determines which existing files count as earlier output of the command.
#[derive(Debug, Clone, Copy)]
pub(super) enum OutputKind {
    /// A design or settings file. Users edit these, so an existing file is never replaced without `--force`.
    Edited,
    /// An export.
    Export(ExportKind),
    /// The rows of a survey.
    Survey,
    /// An export of the squares of many dungeons.
    Dungeons,
    /// A map of the expressive range, or another chart: the picture of an atlas, wall frequencies, or the dungeons of
    /// `learn`.
    RangeMap,
    /// A report.
    Report,
    /// A picture in a report, which shows a dungeon or the expressive range.
    Picture,
    /// A manual page for `man`.
    ManualPage,
    /// A map of a level file, written as text. A map that the user has drawn by hand looks the same, so an existing
    /// file is never replaced without `--force`.
    VaultMap,
    /// The names that a copy of Dungeon Crawl Stone Soup defines.
    VaultNames,
}

/// File format of a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PictureKind {
    Png,
    Svg,
}

impl PictureKind {
    /// Returns the format that the extension of a file implies. A name without an extension, such as that of a device
    /// or a pipe, implies PNG. Fails if the extension belongs to neither format.
    pub(super) fn of_name(path: &Path) -> Result<Self, Failure> {
        Self::implied_by(path).ok_or_else(|| Self::unfit(path, "a PNG or an SVG"))
    }

    /// Fails if a file has an extension other than that of PNG.
    pub(super) fn check_png(path: &Path) -> Result<(), Failure> {
        match Self::implied_by(path) {
            Some(Self::Png) => Ok(()),
            _ => Err(Self::unfit(path, "a PNG")),
        }
    }

    fn implied_by(path: &Path) -> Option<Self> {
        match path.extension() {
            None => Some(Self::Png),
            Some(end) if end.eq_ignore_ascii_case("png") => Some(Self::Png),
            Some(end) if end.eq_ignore_ascii_case("svg") => Some(Self::Svg),
            Some(_) => None,
        }
    }

    fn unfit(path: &Path, kinds: &str) -> Failure {
        let (path, png) = (path.display(), path.with_extension("png"));
        let example = png.display();
        Failure::unreadable(format_args!(
            "{path}: the picture must be {kinds}; choose a file such as {example}"
        ))
    }
}

/// The first and the last bytes of a file.
struct FileSample {
    head: Vec<u8>,
    tail: Vec<u8>,
}

impl FileSample {
    fn of(path: &Path) -> io::Result<Self> {
        let [head, tail] = storage::read_ends(path, SAMPLE_BYTES)?;
        Ok(Self { head, tail })
    }

    fn kind(&self) -> Option<ExportKind> {
        ExportKind::of_content(&self.head, &self.tail)
    }

    /// Describes the file, which an output of the kind `own` would replace, with an indefinite article, such as `a
    /// recording`.
    fn name(&self, path: &Path, own: OutputKind) -> String {
        if recording_file::is_recording(&self.head) {
            return "a recording".into();
        }
        if let Some(kind) = self.kind() {
            return format!("an export as {}", kind.name());
        }
        if OutputKind::Dungeons.wrote(self) {
            return "an export of many dungeons".into();
        }
        if OutputKind::Survey.wrote(self) {
            return "a survey".into();
        }
        // Leave out the file name, so that the text is judged by its content alone.
        let text = Text::decode(String::new(), self.head.clone());
        let is_toml = path
            .extension()
            .is_some_and(|ending| ending.eq_ignore_ascii_case("toml"));
        match format::Kind::guess(&text) {
            Some(kind) if kind != format::Kind::Toml || native::is_design(text.content()) => {
                format!("a {}", kind.name())
            }
            // A drawing may begin like a TOML file: with `#`, as a comment does.
            _ if is_toml => "a TOML file".into(),
            // An earlier output cannot be distinguished from a map that the user has drawn.
            _ if matches!(own, OutputKind::VaultMap) => "a file that you may have written or changed".into(),
            _ => "a file that this command did not write".into(),
        }
    }
}

impl OutputKind {
    /// Returns whether an existing regular file is an earlier output of the same kind.
    pub(super) fn wrote_file(self, path: &Path) -> bool {
        FileSample::of(path).is_ok_and(|sample| self.wrote(&sample))
    }

    fn wrote(self, sample: &FileSample) -> bool {
        let contains = |bytes: &[u8], word: &str| bytes.windows(word.len()).any(|part| part == word.as_bytes());
        match self {
            Self::Edited | Self::VaultMap => false,
            Self::Export(kind) => sample.kind().is_some_and(|found| kind.replaces(found)),
            Self::Survey if Self::Dungeons.wrote(sample) => false,
            Self::Survey if sample.head.starts_with(b"PAR1") => contains(&sample.tail, "wallcrawler version"),
            Self::Survey => is_survey(&sample.head),
            Self::Dungeons if sample.head.starts_with(b"PK\x03\x04") => contains(&sample.head, "seeds.npy"),
            Self::Dungeons if sample.head.starts_with(b"PAR1") => contains(&sample.tail, PARQUET_ARRAYS),
            Self::Dungeons => sample.head.starts_with(b"{\"seed\":") && contains(&sample.head, ",\"columns\":"),
            Self::RangeMap => is_range_map(&sample.head),
            Self::Report => is_report(&sample.head),
            Self::Picture => Self::RangeMap.wrote(sample) || Self::Export(ExportKind::Png).wrote(sample),
            Self::ManualPage => contains(&sample.head, ".TH wallcrawler"),
            Self::VaultNames => sample.head.starts_with(b"{\n  \"format\":") && contains(&sample.head, "\"monsters\""),
        }
    }
}

/// Returns whether a file starts like the rows of a survey: with the header, or, in a later shard, with a seed and the
/// digest of a design.
fn is_survey(head: &[u8]) -> bool {
    let header = FIRST.join(",") + ",";
    let text = String::from_utf8_lossy(head);
    let line = text.lines().next().unwrap_or_default();
    // A killed run may have left only a part of the first line.
    let is_whole = text.contains('\n');
    let is_header = || {
        if is_whole {
            line.starts_with(&header) && line.ends_with(&format!(",{LAST}"))
        } else {
            line.starts_with(&header) || header.starts_with(line)
        }
    };
    let is_row = || {
        let mut cells = line.split(',');
        let is_seed = cells.next().is_some_and(|seed| seed.parse::<u64>().is_ok());
        let is_digest = |cell: &str| cell.len() == 16 && cell.bytes().all(|digit| digit.is_ascii_hexdigit());
        let is_number = |cell: &str| cell.parse::<u32>().is_ok();
        is_seed && cells.next().is_some_and(is_digest) && cells.nth(1).map_or(!is_whole, is_number)
    };
    let names = if is_whole { &FIRST[1..] } else { &FIRST[1..2] };
    let is_object =
        || line.starts_with("{\"seed\":") && names.iter().all(|name| line.contains(&format!(",\"{name}\":")));
    is_header() || is_row() || is_object()
}

/// Returns whether a file starts like a report.
fn is_report(head: &[u8]) -> bool {
    let text = String::from_utf8_lossy(head);
    let is_html =
        text.starts_with("<!DOCTYPE html>") && text.contains("<meta name=\"generator\" content=\"wallcrawler ");
    let first = text.lines().next().unwrap_or_default();
    is_html || (first.starts_with("<!-- wallcrawler ") && first.ends_with(" report -->"))
}

/// Returns whether a file starts like a map of the expressive range (a picture, a table or text) or another chart.
fn is_range_map(head: &[u8]) -> bool {
    let text = String::from_utf8_lossy(head);
    let is_picture = text.starts_with("<svg ") || head.starts_with(b"\x89PNG");
    let first = text.lines().next().unwrap_or_default();
    let more = first.strip_prefix(&RANGE_COLUMNS.join(","));
    more.is_some_and(|more| matches!(more, "" | ",row"))
        || (text.starts_with("Expressive range of ") && text.contains('└'))
        || (is_picture && text.contains("wallcrawler-chart "))
}

/// The overwrite rule for the outputs of one command.
#[derive(Debug, Clone)]
pub(super) struct Outputs {
    force: bool,
    inputs: Vec<PathBuf>,
    /// Folders in which the command may read any file.
    folders: Vec<PathBuf>,
    /// Files that were checked as outputs; standard output is `/dev/stdout`.
    named: Vec<PathBuf>,
}

impl Outputs {
    /// Creates the rule for a command that reads the files `inputs`.
    pub(super) const fn new(args: ForceArgs, inputs: Vec<PathBuf>) -> Self {
        Self {
            force: args.force,
            inputs,
            folders: Vec::new(),
            named: Vec::new(),
        }
    }

    /// Adds a folder in which the command may read any file.
    pub(super) fn read_folder(&mut self, folder: &Path) {
        self.folders.extend(folder.canonicalize().ok());
    }

    /// Checks whether the command may and can write to `path`, and returns the kind of sink there. The error explains
    /// the reason and what to do. Commands that run for a long time check their outputs before they start.
    pub(super) fn check(&mut self, path: &Path, own: OutputKind) -> Result<SinkKind, Failure> {
        let sink_kind = self.check_in_new_folder(path, own)?;
        if sink_kind == SinkKind::File {
            // Creating a draft fails whenever the write would fail, unless the cause is a full disk.
            Draft::new(path)?;
        }
        Ok(sink_kind)
    }

    /// Checks like [`Self::check`], but for a survey's file, to which the command appends. Whether the command can
    /// write to the file becomes clear only when it opens the file. Appending needs no draft, and therefore no
    /// permission to write to the folder.
    pub(super) fn check_appended(&mut self, path: &Path) -> Result<SinkKind, Failure> {
        let sink_kind = self.check_in_new_folder(path, OutputKind::Survey)?;
        if path.is_dir() {
            return Err(StorageError::NoFile { path: path.to_owned() }.into());
        }
        if sink_kind == SinkKind::File {
            check_folder(path)?;
        }
        Ok(sink_kind)
    }

    /// Checks like [`Self::check`], but the folder of the file need not exist, because the command creates it.
    pub(super) fn check_in_new_folder(&mut self, path: &Path, own: OutputKind) -> Result<SinkKind, Failure> {
        let name = path.display();
        let is_dash = path == Path::new("-");
        let place = if is_dash { Path::new("/dev/stdout") } else { path };
        if self.reads(place) {
            return Err(Failure::unreadable(format_args!(
                "{name} is read by this command and cannot be its output; choose another file"
            )));
        }
        let sink_kind = if is_dash { SinkKind::Stdout } else { SinkKind::of(path) };
        if sink_kind == SinkKind::Stream {
            return Ok(sink_kind);
        }
        if self.named.iter().any(|other| is_same_path(other, place)) {
            let message = format_args!("{name} is given for two outputs; use a different file for each");
            return Err(Failure::unreadable(message));
        }
        self.named.push(place.to_owned());
        if sink_kind == SinkKind::Stdout {
            return Ok(sink_kind);
        }
        match self.in_the_way(path, own) {
            Some(what) => Err(Failure::unreadable(format_args!(
                "{name} already exists: it is {what}; pass --force to replace it"
            ))),
            None => Ok(sink_kind),
        }
    }

    /// Returns whether a path leads to a file that the command reads or may read.
    fn reads(&self, path: &Path) -> bool {
        let is_below = |folder: &PathBuf| path.canonicalize().is_ok_and(|path| path.starts_with(folder));
        self.inputs.iter().any(|input| is_same_file(input, path)) || self.folders.iter().any(is_below)
    }

    /// Describes the file at a path if it must not be replaced; `None` if the command may write to the path.
    fn in_the_way(&self, path: &Path, own: OutputKind) -> Option<String> {
        if self.force {
            return None;
        }
        let found = match path.metadata() {
            Ok(found) => found,
            Err(_) if matches!(own, OutputKind::Edited) && path.is_symlink() => {
                return Some("a link to a file that does not exist".into());
            }
            Err(_) => return None,
        };
        // For a folder, creating a draft fails with a clear error of its own; replacing an empty file loses nothing.
        if found.is_dir() || found.len() == 0 {
            return None;
        }
        match FileSample::of(path) {
            Ok(sample) if own.wrote(&sample) => None,
            Ok(sample) => Some(sample.name(path, own)),
            Err(error) => Some(format!("a file that cannot be read ({error})")),
        }
    }
}

/// Writes bytes to a checked path. A pipe whose reader has closed it is not an error.
pub(super) fn write(path: &Path, sink_kind: SinkKind, bytes: &[u8], output: &mut Output) -> Result<(), StorageError> {
    if sink_kind == SinkKind::Stdout {
        output.bytes(bytes);
        return Ok(());
    }
    let mut sink = Sink::open(path, sink_kind)?;
    let written = sink.write_all(bytes).map_err(StorageError::from);
    match written.and_then(|()| sink.commit()) {
        Ok(lost) => {
            for lost in lost {
                output.warning(&written_but(&path.display().to_string(), &lost));
            }
            Ok(())
        }
        Err(StorageError::Io(error)) if sink_kind == SinkKind::Stream && is_closed(&error) => Ok(()),
        Err(error) => Err(error),
    }
}

/// Writes the design of a document as TOML to a checked path. Reports what the format cannot represent.
pub(super) fn save_design(
    document: &mut Document,
    path: &Path,
    sink_kind: SinkKind,
    output: &mut Output,
) -> Result<(), Failure> {
    if sink_kind == SinkKind::File {
        let files = DesignFiles::Toml(path.to_owned());
        output.report(&document.save_as(files).map_err(Failure::unreadable)?);
    } else {
        write(path, sink_kind, document.toml_text()?.as_bytes(), output)?;
    }
    Ok(())
}

/// Returns whether an error means that the reader of a pipe has closed it.
pub(super) fn is_closed(error: &io::Error) -> bool {
    error.kind() == ErrorKind::BrokenPipe
}
