//! A file of rows as lines: reads the rows that it contains and appends new ones. Pipes and devices receive the rows as
//! a stream.

use std::io::{BufRead as _, BufReader, BufWriter, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use fs_err::{File, OpenOptions};

use super::super::target;
use super::text::Lines;
use super::{FileRow, RowKey, Table};
use crate::storage::{self, SinkKind};

/// Maximum time that rows stay in the buffer.
const BETWEEN: Duration = Duration::from_secs(1);

/// Maximum length of a line that is read, in bytes: far more than that of any row.
const LONGEST: u64 = 1 << 20;

/// Properties that the lines of a file must have.
#[derive(Debug, Clone, Copy)]
pub(super) struct LineKind<'a> {
    pub(super) lines: Lines,
    pub(super) table: &'a Table,
    /// First line of the file.
    pub(super) header: Option<&'a str>,
}

/// A file to which rows are appended.
pub(super) struct LineFile {
    path: PathBuf,
    file: BufWriter<Sink>,
    flushed: Instant,
    is_stream: bool,
    is_closed: bool,
}

/// Destination of the rows.
type Sink = Box<dyn std::io::Write>;

impl LineFile {
    /// Opens or creates a file and calls `show` with every row in it; returns the file and the number of these rows.
    /// `key` returns the origin that a row must have by its number. An incomplete last line is removed.
    pub(super) fn open(
        path: &Path,
        kind: LineKind<'_>,
        fresh: bool,
        key: impl Fn(u64) -> Option<RowKey>,
        show: &mut impl FnMut(FileRow),
    ) -> Result<(Self, u64), String> {
        let failed = |error: std::io::Error| error.to_string();
        let mut there = Existing::default();
        match File::open(path) {
            _ if fresh => {}
            Ok(file) => there.read(&mut BufReader::new(file), path, kind, key, show)?,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            Err(error) => return Err(failed(error)),
        }
        let mut options = OpenOptions::new();
        options.write(true).create(true).truncate(false);
        let mut file = options.open(path).map_err(failed)?;
        file.set_len(there.bytes).map_err(failed)?;
        std::io::Seek::seek(&mut file, std::io::SeekFrom::End(0)).map_err(failed)?;
        let mut rows = Self::new(path, Box::new(file), false);
        if let Some(header) = kind.header.filter(|_| there.bytes == 0) {
            rows.add(header)?;
        }
        Ok((rows, there.rows))
    }

    /// Opens a pipe or a device, from which nothing is read.
    pub(super) fn stream(path: &Path, header: Option<&str>) -> Result<Self, String> {
        let sink = storage::Sink::open(path, SinkKind::Stream).map_err(|error| error.to_string())?;
        let mut rows = Self::new(path, Box::new(sink), true);
        header.map_or(Ok(()), |header| rows.add(header))?;
        Ok(rows)
    }

    fn new(path: &Path, sink: Sink, is_stream: bool) -> Self {
        Self {
            path: path.to_owned(),
            file: BufWriter::with_capacity(1 << 16, sink),
            flushed: Instant::now(),
            is_stream,
            is_closed: false,
        }
    }

    /// Returns whether a pipe has lost its reader.
    pub(super) const fn is_closed(&self) -> bool {
        self.is_closed
    }

    /// Appends a line.
    pub(super) fn add(&mut self, line: &str) -> Result<(), String> {
        let written = writeln!(self.file, "{line}");
        self.checked(written)?;
        if self.flushed.elapsed() > BETWEEN {
            self.end()?;
        }
        Ok(())
    }

    /// Flushes all rows to the file.
    pub(super) fn end(&mut self) -> Result<(), String> {
        self.flushed = Instant::now();
        let flushed = self.file.flush();
        self.checked(flushed)
    }

    /// Adds the path to an error. A pipe without a reader is remembered instead of reported.
    fn checked(&mut self, written: std::io::Result<()>) -> Result<(), String> {
        match written {
            Err(error) if self.is_stream && target::is_closed(&error) => self.is_closed = true,
            // The error of a stream already names its path.
            Err(error) if self.is_stream => return Err(error.to_string()),
            written => written.map_err(|error| format!("cannot write {}: {error}", self.path.display()))?,
        }
        Ok(())
    }
}

/// The complete lines of a file.
#[derive(Debug, Default)]
struct Existing {
    /// Number of rows.
    rows: u64,
    /// Number of bytes of all complete lines.
    bytes: u64,
}

impl Existing {
    /// Reads the lines one by one and calls `show` with each row.
    fn read(
        &mut self,
        file: &mut BufReader<File>,
        path: &Path,
        kind: LineKind<'_>,
        key: impl Fn(u64) -> Option<RowKey>,
        show: &mut impl FnMut(FileRow),
    ) -> Result<(), String> {
        let mut line = Vec::new();
        for number in 1_u64.. {
            let refused = |why: &str| {
                format!(
                    "{}:{number}: {why}; pass --fresh to start the file again",
                    path.display()
                )
            };
            line.clear();
            let read = file.by_ref().take(LONGEST).read_until(b'\n', &mut line);
            let length = read.map_err(|error| error.to_string())? as u64;
            let Some(text) = line.strip_suffix(b"\n") else {
                if length == LONGEST {
                    return Err(refused("this is not a survey"));
                }
                break;
            };
            let text = std::str::from_utf8(text).map_err(|_| refused("this is not a survey"))?;
            match kind.header.filter(|_| number == 1) {
                Some(header) if text != header => {
                    return Err(refused("the columns belong to a survey of another design"));
                }
                Some(_) => {}
                None => {
                    let row = kind.lines.read(text, kind.table);
                    let row = row.ok_or_else(|| refused("this is not a row of this design's survey"))?;
                    check(&row.key, key(self.rows).as_ref()).map_err(|why| refused(&why))?;
                    self.rows += 1;
                    show(row);
                }
            }
            self.bytes += length;
        }
        Ok(())
    }
}

/// Checks that a row is the one that is expected; the error says what differs.
fn check(found: &RowKey, expected: Option<&RowKey>) -> Result<(), String> {
    let Some(expected) = expected else {
        return Err(format!("seed {} found where no more rows were expected", found.seed));
    };
    if found.design != expected.design {
        return Err("the row belongs to another design, or to an earlier version of this one".into());
    }
    if found.seed != expected.seed {
        let (found, expected) = (found.seed, expected.seed);
        return Err(format!("seed {found} found where seed {expected} was expected"));
    }
    if found.varied != expected.varied {
        return Err("the row has other values of the varied parameters than expected".into());
    }
    Ok(())
}
