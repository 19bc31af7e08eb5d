//! Reads the rows that a file of lines already contains, and appends new rows to it. Rows for a pipe or a device are
//! only written, not read.

use std::fs::TryLockError;
use std::io::{BufRead, BufReader, ErrorKind, Read as _, Write as _};
use std::path::{Path, PathBuf};

use fs_err::{File, OpenOptions};

use super::super::failure::Failure;
use super::super::target;
use super::text::Lines;
use super::{FileRow, RowKey, Table};
use crate::storage::{self, SinkKind};

/// Maximum length in bytes of a line that is read; far longer than any row.
const LONGEST: u64 = 1 << 20;

/// Properties that the lines of a file must have.
#[derive(Debug, Clone, Copy)]
pub(super) struct LineKind<'a> {
    pub(super) lines: Lines,
    pub(super) table: &'a Table,
    /// Header (the line of column names) with which a file must begin, including the line break. If this is `None`, no
    /// header is written to a new file, but an existing file may have one.
    pub(super) header: Option<&'a str>,
}

/// A file, pipe or device to which rows are appended.
pub(super) struct RowFile {
    path: PathBuf,
    file: Sink,
    is_stream: bool,
    is_closed: bool,
}

/// Destination of the rows.
type Sink = Box<dyn std::io::Write>;

impl RowFile {
    /// Opens or creates a file of lines and calls `show` with every row in it. Returns the file and the number of these
    /// rows. `key` maps the number of a row (from 0) to the key that the row must have. If `fresh`, existing rows are
    /// deleted without being read. An incomplete last line is removed. The command need not have the permission to
    /// write to a file that already has all rows.
    pub(super) fn open(
        path: &Path,
        kind: LineKind<'_>,
        fresh: bool,
        key: impl Fn(u64) -> Option<RowKey>,
        show: &mut impl FnMut(FileRow),
    ) -> Result<(Self, u64), Failure> {
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        let (mut file, refusal) = match options.open(path) {
            Ok(file) => (file, None),
            Err(error) => {
                let refusal = error.kind();
                let readable = File::open(path).ok().filter(|_| is_permission(refusal) && !fresh);
                (readable.ok_or_else(|| refused(path, refusal, fresh))?, Some(refusal))
            }
        };
        // A second command would mix its rows with those of the first, or delete them. Not every file system has locks.
        if let Err(TryLockError::WouldBlock) = file.file().try_lock() {
            let name = path.display();
            return Err(Failure::unreadable(format_args!(
                "another command is writing {name}; wait until it ends, or choose another file"
            )));
        }
        let mut there = Existing::default();
        if !fresh {
            there.read(&mut BufReader::new(&mut file), path, kind, &key, show)?;
        }
        if let Some(refusal) = refusal {
            let has_header = kind.header.is_none() || there.bytes > 0;
            let is_complete = key(there.rows).is_none() && has_header && file.metadata()?.len() == there.bytes;
            if !is_complete {
                return Err(refused(path, refusal, fresh));
            }
            return Ok((Self::new(path, Box::new(file), false), there.rows));
        }
        file.set_len(there.bytes)?;
        std::io::Seek::seek(&mut file, std::io::SeekFrom::End(0))?;
        let mut rows = Self::new(path, Box::new(file), false);
        if let Some(header) = kind.header.filter(|_| there.bytes == 0) {
            rows.write(header.as_bytes())?;
        }
        Ok((rows, there.rows))
    }

    /// Opens a pipe or a device for writing.
    pub(super) fn stream(path: &Path) -> Result<Self, Failure> {
        let sink = storage::Sink::open(path, SinkKind::Stream)?;
        Ok(Self::new(path, Box::new(sink), true))
    }

    fn new(path: &Path, file: Sink, is_stream: bool) -> Self {
        Self {
            path: path.to_owned(),
            file,
            is_stream,
            is_closed: false,
        }
    }

    /// Appends bytes and flushes them, so that a reader of the file sees them immediately. Returns whether the reader
    /// of a pipe has closed it.
    pub(super) fn write(&mut self, bytes: &[u8]) -> Result<bool, Failure> {
        // Flushing after each row costs little: growing a dungeon takes a hundred times as long as writing its row.
        let written = self.file.write_all(bytes).and_then(|()| self.file.flush());
        self.checked(written)
    }

    /// Adds the path to an error message. If the reader of a pipe has closed it, sets `is_closed` instead of
    /// returning an error. Returns `is_closed`.
    fn checked(&mut self, written: std::io::Result<()>) -> Result<bool, Failure> {
        match written {
            Err(error) if self.is_stream && target::is_closed(&error) => self.is_closed = true,
            // The error of a stream already names its path.
            Err(error) if self.is_stream => return Err(error.into()),
            Err(error) => {
                let path = self.path.display();
                return Err(Failure::unreadable(format_args!("cannot write {path}: {error}")));
            }
            Ok(()) => {}
        }
        Ok(self.is_closed)
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
        file: &mut impl BufRead,
        path: &Path,
        kind: LineKind<'_>,
        key: impl Fn(u64) -> Option<RowKey>,
        show: &mut impl FnMut(FileRow),
    ) -> Result<(), Failure> {
        let mut line = Vec::new();
        for number in 1_u64.. {
            let rejection = |why: &str| {
                let path = path.display();
                Failure::unreadable(format_args!(
                    "{path}:{number}: {why}; pass --fresh to overwrite the file"
                ))
            };
            line.clear();
            let read = file.by_ref().take(LONGEST).read_until(b'\n', &mut line);
            let length = read? as u64;
            let Some(text) = line.strip_suffix(b"\n") else {
                if length == LONGEST {
                    return Err(rejection("this is not a survey"));
                }
                break;
            };
            let text = std::str::from_utf8(text).map_err(|_| rejection("this is not a survey"))?;
            if text.ends_with('\r') {
                return Err(rejection(
                    "the line ends with CR LF, so another program wrote or changed the file",
                ));
            }
            let is_header = number == 1 && kind.lines.header(kind.table).is_some_and(|header| header == text);
            if !is_header {
                let row = kind.lines.read(text, kind.table);
                let row = row.ok_or_else(|| match number {
                    1 => rejection(&other_columns(&kind.lines.names(text), kind.table)),
                    _ => rejection("the row does not fit the columns of the table"),
                })?;
                if number == 1 && kind.header.is_some() {
                    return Err(rejection(
                        "the line of column names is missing, as in a file written for a later shard or with --header \
                         never",
                    ));
                }
                check(&row.key, key(self.rows).as_ref()).map_err(|why| rejection(&why))?;
                self.rows += 1;
                show(row);
            }
            self.bytes += length;
        }
        Ok(())
    }
}

/// Explains why the run cannot resume from an existing file whose columns differ from those of `table`. `found`
/// contains the names of the file's columns; it is empty if they are unknown.
pub(super) fn other_columns(found: &[String], table: &Table) -> String {
    let missing = table.names().find(|name| !found.iter().any(|found| found == name));
    let additional = found.iter().find(|found| !table.names().any(|name| name == *found));
    let difference = match (missing, additional) {
        (Some(name), _) if !found.is_empty() => format!("the file has no column `{name}`"),
        (None, Some(name)) => format!("the file has the column `{name}`, which this run does not write"),
        _ => "the file has columns that differ from those of this run".to_owned(),
    };
    format!(
        "{difference}, so it was written with other metrics, for another design, or by another version of the program"
    )
}

/// Returns whether an error means that the user or the file system does not allow a file to be written.
fn is_permission(kind: ErrorKind) -> bool {
    matches!(kind, ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem)
}

/// Returns the error for a table that must be written, but cannot be opened for writing.
pub(super) fn refused(path: &Path, refusal: ErrorKind, fresh: bool) -> Failure {
    let advice = match path.exists() {
        false => "",
        true if !is_permission(refusal) => "",
        true if fresh => "; make it writable, or choose another file",
        true => "; rows are missing from it: make it writable, or continue with a copy",
    };
    Failure::unreadable(format_args!("cannot write {}: {refusal}{advice}", path.display()))
}

/// Checks that the key of a row is the expected one. The error explains what differs.
pub(super) fn check(found: &RowKey, expected: Option<&RowKey>) -> Result<(), String> {
    let Some(expected) = expected else {
        return Err(format!("seed {} found where no more rows were expected", found.seed));
    };
    if found.design != expected.design {
        return Err("the row belongs to another design, or to an earlier version of this one".into());
    }
    if (&found.version, found.catalog) != (&expected.version, expected.catalog) {
        let describe = |key: &RowKey| format!("{} with seed catalogue {}", key.version, key.catalog);
        let (found, expected) = (describe(found), describe(expected));
        return Err(format!("the row was written by version {found}, not {expected}"));
    }
    if found.seed != expected.seed {
        let (found, expected) = (found.seed, expected.seed);
        return Err(format!("seed {found} found where seed {expected} was expected"));
    }
    if found.varied != expected.varied {
        return Err("the row's values of the varied parameters are not the expected ones".into());
    }
    Ok(())
}
