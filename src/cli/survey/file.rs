//! The file of a survey's rows: what is in it, and more rows at its end. To a pipe or a device the rows stream.

use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use fs_err::OpenOptions;

use super::super::target;

use super::super::rows::{FileRow, Format};
use crate::analysis::Column;
use crate::storage::{self, SinkKind};

/// Rows wait no longer than this until they are in the file.
const BETWEEN: Duration = Duration::from_secs(1);

/// What the rows of a file must be.
pub(super) struct Kind<'a> {
    pub(super) format: Format,
    pub(super) columns: &'a [Column],
    /// The digest of the design.
    pub(super) design: &'a str,
    pub(super) header: Option<&'a str>,
}

/// A file that rows are added to.
pub(super) struct Rows {
    path: PathBuf,
    file: BufWriter<Sink>,
    flushed: Instant,
    is_stream: bool,
    is_closed: bool,
}

/// What rows are written to.
type Sink = Box<dyn std::io::Write>;

impl Rows {
    /// Opens a file, or makes it, and shows `show` every row that is in it; the file with the number of these rows. They
    /// must be of the same design and of the seeds in order, `seed` being that of a row by its number. A last line
    /// that is not whole is taken away.
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
            |line: usize, why: &str| format!("{}:{line}: {why}; --fresh starts the file again", path.display());
        let text = std::str::from_utf8(&before[..whole]).map_err(|_| refused(1, "this is not a survey"))?;
        let mut lines = text.lines().zip(1..);
        if let Some(header) = kind.header.filter(|_| whole > 0) {
            let first = lines.next().map(|(line, _)| line);
            if first != Some(header) {
                return Err(refused(1, "these are the columns of another survey than this design's"));
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
                    "this row is of another design, or of an earlier version of this one",
                ));
            }
            let expected = seed(count);
            if expected != Some(line.seed) {
                let expected = expected.map_or("no more".into(), |seed| format!("seed {seed}"));
                return Err(refused(
                    number,
                    &format!("seed {} stands where {expected} is asked for", line.seed),
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

    /// Returns whether a pipe has no reader any more.
    pub(super) const fn is_closed(&self) -> bool {
        self.is_closed
    }

    /// Adds a row.
    pub(super) fn add(&mut self, line: &str) -> Result<(), String> {
        let written = writeln!(self.file, "{line}");
        self.checked(written)?;
        if self.flushed.elapsed() > BETWEEN {
            self.end()?;
        }
        Ok(())
    }

    /// Sees to it that all rows are in the file.
    pub(super) fn end(&mut self) -> Result<(), String> {
        self.flushed = Instant::now();
        let flushed = self.file.flush();
        self.checked(flushed)
    }

    /// Names the file in an error. A pipe without a reader is noted instead.
    fn checked(&mut self, written: std::io::Result<()>) -> Result<(), String> {
        match written {
            Err(error) if self.is_stream && target::is_closed(&error) => self.is_closed = true,
            // The error of a stream names it already.
            Err(error) if self.is_stream => return Err(error.to_string()),
            written => written.map_err(|error| format!("cannot write {}: {error}", self.path.display()))?,
        }
        Ok(())
    }
}
