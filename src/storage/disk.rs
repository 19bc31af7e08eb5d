//! Reads whole files up to a maximum length, and defines the errors of reading and writing. `draft` writes files.

use std::fs;
use std::io::{self, Read as _, Seek as _};
use std::path::{Path, PathBuf};

use crate::design::Diagnostic;

/// Maximum length of a file that is read, in bytes. No design is that long; without the limit, reading an endless file
/// such as `/dev/zero` would never end.
pub const MAX_BYTES: u64 = 64 << 20;

/// Maximum length of a TOML file that is read, in bytes. Editing a TOML file needs about 200 times its size in memory.
pub const MAX_TOML_BYTES: u64 = 4 << 20;

/// The reason why files could not be read or written.
#[derive(Debug, thiserror::Error)]
pub enum StorageError {
    /// A system call failed; the message names the path.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// The file to read exceeds the limit.
    #[error("{path} is larger than {} MiB, the limit for files to open", limit >> 20)]
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

/// Path through which standard input is read as a file. On systems without this path, [`read`] reads standard input
/// itself.
pub const STDIN: &str = "/dev/stdin";

/// Returns the name of an input file in messages and lists: its path, or `standard input` for [`STDIN`] and `-`.
pub fn input_name(path: &Path) -> String {
    if path == Path::new(STDIN) || path == Path::new("-") {
        return "standard input".to_owned();
    }
    path.display().to_string()
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
    if !cfg!(unix) && path == Path::new(STDIN) {
        let read = io::stdin().lock().take(limit + 1).read_to_end(&mut bytes);
        read.map_err(named)?;
    } else {
        if !fs::metadata(path).map_err(named)?.is_file() && !path.starts_with("/dev") {
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
