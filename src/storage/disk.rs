//! Reads whole files up to a maximum length, and defines the errors of reading and writing. `draft` writes files.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Read, Seek as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use crate::design::Diagnostic;
use crate::recording_file::is_recording;

/// Maximum length of a file that is read, in bytes. No design is that long; without the limit, reading an endless file
/// such as `/dev/zero` would never end.
pub const MAX_BYTES: u64 = 64 << 20;

/// Maximum length of a TOML file that is read, in bytes. Editing a TOML file needs about 200 times its size in memory.
pub const MAX_TOML_BYTES: u64 = 4 << 20;

/// Maximum length of a recording file that is read, in bytes. Without the limit, reading an endless file such as
/// `/dev/zero` would never end. A dungeon of 10,000 × 10,000 squares needs a fifth of this length.
pub const MAX_RECORDING_FILE_BYTES: u64 = 1 << 30;

/// The reason why files could not be read or written.
#[derive(Debug, thiserror::Error)]
pub enum StorageError {
    /// A system call failed; the message names the path.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// The file to read exceeds the limit.
    #[error("{} is larger than {} MiB, the size limit for input", input_name(path), limit >> 20)]
    TooLarge {
        /// Path of the file.
        path: PathBuf,
        /// Limit in bytes.
        limit: u64,
    },
    /// The file to write would exceed the limit for reading, and could not be opened again.
    #[error(
        "{path} would hold more than {} MiB, and could not be read again: too many tiles are placed by hand; \
         save as rooms, stats and constants files instead",
        limit >> 20
    )]
    TooLong {
        /// Path of the file.
        path: PathBuf,
        /// Limit in bytes.
        limit: u64,
    },
    /// The path leads to a folder, a device or a pipe.
    #[error("{path} is not a regular file; choose another path")]
    NoFile {
        /// The path.
        path: PathBuf,
    },
    /// The file is read-only.
    #[error("{path} is read-only; save under another name, or make it writable")]
    ReadOnly {
        /// Path of the file.
        path: PathBuf,
    },
    /// The write was cancelled.
    #[error("cancelled before anything was written")]
    GivenUp,
    /// The file format cannot store the design.
    #[error("the file format cannot store this design: {}", first(.0))]
    NotCarried(Vec<Diagnostic>),
}

/// Path that stands for standard input. [`read`] and [`read_head`] read standard input itself instead of opening the
/// path, which not every system has.
pub const STDIN: &str = "/dev/stdin";

/// Returns the name of an input file in messages and lists: its path, or `standard input` for [`STDIN`] and `-`.
pub fn input_name(path: &Path) -> String {
    if path == Path::new(STDIN) || path == Path::new("-") {
        return "standard input".to_owned();
    }
    path.display().to_string()
}

/// Returns the name for a design that is read from a file and has no name of its own: the name of the file without its
/// extension, empty for a stream.
pub fn input_stem(path: &Path) -> String {
    let stem = path.file_stem().filter(|_| !is_stream(path));
    stem.unwrap_or_default().to_string_lossy().into_owned()
}

/// Returns whether a path leads to a stream that can be read only once: to standard input, or to a pipe or device under
/// `/dev`, such as the pipe that the shell creates for `<(…)`.
pub fn is_stream(path: &Path) -> bool {
    let is_special = || fs::metadata(path).is_ok_and(|found| !found.is_file() && !found.is_dir());
    path == Path::new(STDIN) || path.starts_with("/dev") && is_special()
}

/// Returns the content of a stream, which is read at the first call and kept. A command reads its input several times:
/// to recognize the format, to load the content, and to record its digest.
///
/// The content is cut off one byte after the limit: [`MAX_RECORDING_FILE_BYTES`] for a recording, otherwise
/// [`MAX_BYTES`].
fn read_stream(path: &Path) -> io::Result<Arc<Vec<u8>>> {
    static STREAMS: Mutex<BTreeMap<PathBuf, Arc<Vec<u8>>>> = Mutex::new(BTreeMap::new());
    let mut streams = STREAMS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(bytes) = streams.get(path) {
        return Ok(bytes.clone());
    }
    let mut stream: Box<dyn Read> = if path == Path::new(STDIN) {
        Box::new(io::stdin().lock())
    } else {
        Box::new(fs::File::open(path)?)
    };
    let mut bytes = Vec::new();
    stream.by_ref().take(MAX_BYTES + 1).read_to_end(&mut bytes)?;
    if is_recording(&bytes) {
        stream
            .take(MAX_RECORDING_FILE_BYTES - MAX_BYTES)
            .read_to_end(&mut bytes)?;
    }
    let bytes = Arc::new(bytes);
    streams.insert(path.to_owned(), bytes.clone());
    Ok(bytes)
}

fn first(diagnostics: &[Diagnostic]) -> String {
    diagnostics.first().map(|d| d.message.clone()).unwrap_or_default()
}

/// Reads a whole file of at most [`MAX_BYTES`].
///
/// # Errors
///
/// Fails if the file is missing, unreadable or too large, or the path leads to a folder or a pipe (except under `/dev`,
/// where pipes are read for the shell's `<(…)`).
pub fn read(path: &Path) -> Result<Vec<u8>, StorageError> {
    read_at_most(path, MAX_BYTES)
}

/// Reads a whole file of at most `limit` bytes.
pub(super) fn read_at_most(path: &Path, limit: u64) -> Result<Vec<u8>, StorageError> {
    let named = |error: io::Error| io::Error::new(error.kind(), format!("cannot read {}: {error}", input_name(path)));
    let mut bytes = Vec::new();
    if is_stream(path) {
        bytes.clone_from(&*read_stream(path).map_err(named)?);
    } else {
        if !fs::metadata(path).map_err(named)?.is_file() {
            return Err(StorageError::NoFile { path: path.to_owned() });
        }
        let file = fs::File::open(path).map_err(named)?;
        file.take(limit + 1).read_to_end(&mut bytes).map_err(named)?;
    }
    if bytes.len() as u64 > limit {
        return Err(StorageError::TooLarge {
            path: path.to_owned(),
            limit,
        });
    }
    Ok(bytes)
}

/// Reads the first bytes of a file, at most `most`, to recognize its format. A stream can still be read whole
/// afterwards.
///
/// # Errors
///
/// Fails if the path leads to neither a regular file nor a [stream](is_stream), or if reading fails.
pub fn read_head(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    if is_stream(path) {
        let bytes = read_stream(path)?;
        let length = usize::try_from(most).unwrap_or(usize::MAX).min(bytes.len());
        return Ok(bytes[..length].to_vec());
    }
    // Opening a pipe outside `/dev` would block until something writes to it.
    if !fs::metadata(path)?.is_file() {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    let mut bytes = Vec::new();
    fs::File::open(path)?.take(most).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Reads the beginning and the end of a regular file, at most `most` bytes each.
///
/// # Errors
///
/// Fails if the file cannot be read.
pub fn read_ends(path: &Path, most: u64) -> io::Result<[Vec<u8>; 2]> {
    let mut file = fs::File::open(path)?;
    let length = file.metadata()?.len();
    let (mut head, mut tail) = (Vec::new(), Vec::new());
    (&file).take(most).read_to_end(&mut head)?;
    file.seek(io::SeekFrom::Start(length.saturating_sub(most)))?;
    file.take(most).read_to_end(&mut tail)?;
    Ok([head, tail])
}

/// Follows at most 40 symbolic links, and returns the path of the file to which they lead. That file need not exist.
pub(super) fn resolve_links(path: &Path) -> io::Result<PathBuf> {
    const LINKS: usize = 40;
    let mut path = path.to_owned();
    for _ in 0..LINKS {
        match fs::read_link(&path) {
            Ok(next) => path = path.parent().map(|folder| folder.join(&next)).unwrap_or(next),
            Err(_) => return Ok(path),
        }
    }
    Err(io::Error::other(format!("{}: too many links", path.display())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_and_huge_files_are_rejected() {
        let folder = tempfile::tempdir().unwrap();
        assert!(matches!(read(folder.path()), Err(StorageError::NoFile { .. })));
        let giant = folder.path().join("giant");
        fs::File::create(&giant).unwrap().set_len(MAX_BYTES + 1).unwrap();
        assert!(matches!(read(&giant), Err(StorageError::TooLarge { .. })));
    }
}
