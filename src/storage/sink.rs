//! Writes to the target of a path: either a file, which is replaced atomically, or a device, a pipe or an open
//! descriptor, to which bytes are streamed.

use std::fs::{self, File};
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

use super::disk::StorageError;
use super::draft::{Draft, folder_of, named};
use crate::text::escape_bytes;

/// Kind of a path's target.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SinkKind {
    /// A regular file, a folder (to which writing fails), or a path at which nothing exists yet.
    File,
    /// The standard output of this process, named by a path like `/dev/stdout`.
    Stdout,
    /// A device, a pipe or another open descriptor, such as `/dev/null` or a shell's `>(…)`.
    Stream,
}

impl SinkKind {
    /// Returns the kind of a path's target. A descriptor counts as a stream even if it is open on a regular file,
    /// since the shell that opened it may continue to write there.
    pub fn of(path: &Path) -> Self {
        match descriptor(path) {
            Some((number, true)) if number == "1" => Self::Stdout,
            Some(_) => Self::Stream,
            None => match fs::metadata(path) {
                Ok(found) if !found.is_file() && !found.is_dir() => Self::Stream,
                _ => Self::File,
            },
        }
    }
}

/// Returns the number of the file descriptor that a path names, even through symbolic links, and whether the descriptor
/// belongs to this process. Returns `None` for other paths.
#[cfg(unix)]
fn descriptor(path: &Path) -> Option<(String, bool)> {
    const LINKS: usize = 40;
    let own = fs::canonicalize("/proc/self").ok();
    let mut path = path.to_owned();
    for _ in 0..LINKS {
        let folder = fs::canonicalize(folder_of(&path)).ok()?;
        let is_own = folder == Path::new("/dev/fd") || own.is_some() && own.as_deref() == folder.parent();
        if is_own || folder.starts_with("/proc") && folder.ends_with("fd") {
            return Some((path.file_name()?.to_str()?.to_owned(), is_own));
        }
        path = folder.join(fs::read_link(&path).ok()?);
    }
    None
}

#[cfg(not(unix))]
const fn descriptor(_: &Path) -> Option<(String, bool)> {
    None
}

/// A destination for bytes: a [`Draft`] of a file, or a stream.
#[derive(Debug)]
pub enum Sink {
    /// A file that is moved into place when it is complete.
    Draft(Box<Draft>),
    /// A stream, to which bytes are written immediately, and its path for messages.
    Stream(PathBuf, File),
    /// The standard output of this process.
    Stdout(io::Stdout),
}

impl Sink {
    /// Opens a path's target. Opening a pipe blocks until it has a reader.
    ///
    /// # Errors
    ///
    /// Fails in the same cases as [`Draft::new`], and if a stream cannot be opened.
    pub fn open(path: &Path, sink_kind: SinkKind) -> Result<Self, StorageError> {
        match sink_kind {
            SinkKind::File => return Ok(Self::Draft(Box::new(Draft::new(path)?))),
            SinkKind::Stdout => return Ok(Self::Stdout(io::stdout())),
            SinkKind::Stream => {}
        }
        // Appending preserves the earlier output of a redirected descriptor.
        let opened = File::options().append(true).open(path);
        let opened = opened.map_err(|error| named(path, &error))?;
        Ok(Self::Stream(path.to_owned(), opened))
    }

    /// Moves a file into place, or flushes a stream. Returns the attributes of the replaced file that could not be
    /// copied to the new file, as [`Draft::commit`] does.
    ///
    /// # Errors
    ///
    /// Fails in the same cases as [`Draft::commit`], and if a stream cannot be flushed.
    pub fn commit(mut self) -> Result<Vec<String>, StorageError> {
        match self {
            Self::Draft(draft) => draft.commit(),
            Self::Stream(..) | Self::Stdout(_) => Ok(self.flush().map(|()| Vec::new())?),
        }
    }
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Draft(draft) => draft.write(bytes),
            Self::Stream(path, stream) => write_stream(stream, bytes).map_err(|error| named(path, &error)),
            Self::Stdout(stdout) => write_stream(stdout, bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Draft(draft) => draft.flush(),
            Self::Stream(path, stream) => stream.flush().map_err(|error| named(path, &error)),
            Self::Stdout(stdout) => stdout.flush(),
        }
    }
}

/// Writes bytes to a stream. Control characters are escaped if the stream is a terminal; otherwise, the bytes are
/// unchanged.
fn write_stream(stream: &mut (impl Write + IsTerminal), bytes: &[u8]) -> io::Result<usize> {
    if !stream.is_terminal() {
        return stream.write(bytes);
    }
    stream.write_all(escape_bytes(bytes).as_bytes())?;
    Ok(bytes.len())
}

/// Returns whether two paths lead to the same existing regular file, even through symbolic links, hard links or
/// different spellings.
pub fn is_same_file(one: &Path, other: &Path) -> bool {
    let (Ok(first), Ok(second)) = (fs::metadata(one), fs::metadata(other)) else {
        return false;
    };
    // Terminals and devices such as /dev/null are ignored, because they have no content that could be overwritten.
    if !first.is_file() || !second.is_file() {
        return false;
    }
    same(&first, &second) || matches!((one.canonicalize(), other.canonicalize()), (Ok(a), Ok(b)) if a == b)
}

/// Returns whether two paths name the same file. The files need not exist.
pub fn is_same_path(one: &Path, other: &Path) -> bool {
    let real = |path: &Path| {
        let folder = folder_of(path).canonicalize().ok()?;
        Some(folder.join(path.file_name()?))
    };
    is_same_file(one, other) || one == other || real(one).is_some_and(|one| Some(one) == real(other))
}

#[cfg(unix)]
fn same(one: &fs::Metadata, other: &fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    (one.dev(), one.ino()) == (other.dev(), other.ino())
}

#[cfg(not(unix))]
const fn same(_: &fs::Metadata, _: &fs::Metadata) -> bool {
    false
}
