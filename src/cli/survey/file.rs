//! The output file of a survey: reads the rows that it contains and appends new ones. Pipes and devices receive the
//! rows as a stream.

use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use fs_err::OpenOptions;

use super::super::target;

use super::super::rows::{FileRow, Format};
use crate::analysis::Column;
use crate::storage::{self, SinkKind};

/// Maximum time that rows stay in the buffer.
const BETWEEN: Duration = Duration::from_secs(1);

/// Properties that the rows of a file must have.
pub(super) struct Kind<'a> {
    pub(super) format: Format,
    pub(super) columns: &'a [Column],
    /// Digest of the design.
    pub(super) design: &'a str,
    pub(super) header: Option<&'a str>,
}

/// A file to which rows are appended.
pub(super) struct Rows {
    path: PathBuf,
    file: BufWriter<Sink>,
    flushed: Instant,
    is_stream: bool,
    is_closed: bool,
}

/// Destination of the rows.
type Sink = Box<dyn std::io::Write>;

impl Rows {
    /// Opens or creates a file and calls `show` with every row in it; returns the file and the number of these rows.
    /// The rows must be of the same design and of consecutive seeds; `seed` returns the seed of a row by its index. An
    /// incomplete last line is removed.
    pub(super) fn open(
        path: &Path,
        kind: &Kind<'_>,
        fresh: bool,
        seed: impl Fn(u64) -> Option<u64>,
        show: &mut impl FnMut(FileRow),
    ) -> Result<(Self, u64), String> {
        let failed = |error: std::io::Error| error.to_string();
        let before = match fs_err::read(path) {
            _ if fresh => Vec::new(),
            Ok(bytes) => bytes,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Vec::new(),
            Err(error) => return Err(error.to_string()),
        };
        let whole = before.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        let refused =
            |line: usize, why: &str| format!("{}:{line}: {why}; pass --fresh to start the file again", path.display());
        let text = std::str::from_utf8(&before[..whole]).map_err(|_| refused(1, "this is not a survey"))?;
        let mut lines = text.lines().zip(1..);
        if let Some(header) = kind.header.filter(|_| whole > 0) {
            let first = lines.next().map(|(line, _)| line);
            if first != Some(header) {
                return Err(refused(1, "the columns belong to a survey of another design"));
            }
        }
        let mut count = 0;
        for (text, number) in lines {
            let Some(line) = kind.format.read(text, kind.columns) else {
                return Err(refused(number, "this is not a row of this design's survey"));
            };
            if line.design != kind.design {
                return Err(refused(
                    number,
                    "the row belongs to another design, or to an earlier version of this one",
                ));
            }
            let expected = seed(count);
            if expected != Some(line.seed) {
                let expected = expected.map_or("no more rows".into(), |seed| format!("seed {seed}"));
                return Err(refused(
                    number,
                    &format!("seed {} found where {expected} was expected", line.seed),
                ));
            }
            count += 1;
            show(line);
        }
        let mut options = OpenOptions::new();
        options.write(true).create(true).truncate(false);
        let mut file = options.open(path).map_err(failed)?;
        file.set_len(whole as u64).map_err(failed)?;
        std::io::Seek::seek(&mut file, std::io::SeekFrom::End(0)).map_err(failed)?;
        let mut rows = Self::new(path, Box::new(file), false);
        if let Some(header) = kind.header.filter(|_| whole == 0) {
            rows.add(header)?;
        }
        Ok((rows, count))
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

    /// Appends a row.
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
