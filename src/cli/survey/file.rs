//! The file of a survey's rows: what is in it, and more rows at its end.

use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use fs_err::{File, OpenOptions};

use super::super::rows::{Format, Line};
use crate::analysis::Column;

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
    file: BufWriter<File>,
    flushed: Instant,
}

impl Rows {
    /// Opens a file, or makes it, and shows `show` every row that is in it; the file with the number of these rows. They
    /// must be of the same design and of the seeds in order, `seed` being that of a row by its number. A last line
    /// that is not whole is taken away.
    pub(super) fn open(
        path: &Path,
        kind: &Kind<'_>,
        fresh: bool,
        seed: impl Fn(u64) -> Option<u64>,
        show: &mut impl FnMut(Line),
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
            |line: usize, why: &str| format!("{}:{line}: {why}; --fresh begins the file anew", path.display());
        let text = std::str::from_utf8(&before[..whole]).map_err(|_| refused(1, "this is no survey"))?;
        let mut lines = text.lines().zip(1..);
        if let Some(header) = kind.header.filter(|_| whole > 0) {
            let first = lines.next().map(|(line, _)| line);
            if first != Some(header) {
                return Err(refused(1, "these are not the columns of this design's survey"));
            }
        }
        let mut count = 0;
        for (text, number) in lines {
            let Some(line) = kind.format.read(text, kind.columns) else {
                return Err(refused(number, "this is no row of this design's survey"));
            };
            if line.design != kind.design {
                return Err(refused(
                    number,
                    "this row is of another design, or of one before it was changed",
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
        let mut rows = Self {
            path: path.to_owned(),
            file: BufWriter::with_capacity(1 << 16, file),
            flushed: Instant::now(),
        };
        if let Some(header) = kind.header.filter(|_| whole == 0) {
            rows.add(header)?;
        }
        Ok((rows, count))
    }

    /// Adds a row.
    pub(super) fn add(&mut self, line: &str) -> Result<(), String> {
        let written = writeln!(self.file, "{line}");
        written.map_err(|error| self.named(&error))?;
        if self.flushed.elapsed() > BETWEEN {
            self.end()?;
        }
        Ok(())
    }

    /// Sees to it that all rows are in the file.
    pub(super) fn end(&mut self) -> Result<(), String> {
        self.flushed = Instant::now();
        let flushed = self.file.flush();
        flushed.map_err(|error| self.named(&error))
    }

    fn named(&self, error: &std::io::Error) -> String {
        format!("cannot write {}: {error}", self.path.display())
    }
}
