//! Whole files, read within bounds and written atomically.
//!
//! Every write goes to a new file beside the old one and takes its place only when it is whole on disk, so
//! that a crash, a full disk or a pulled plug leaves the old file or the new one, never a part.

use std::fs;
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};

use crate::design::Diagnostic;

/// Larger files are refused: no design is that long, and reading must end.
pub const MAX_BYTES: u64 = 64 << 20;

/// Larger TOML files are refused: changing one takes some 200 bytes of memory for each of its own.
pub const MAX_TOML_BYTES: u64 = 4 << 20;

/// Why files could not be read or written.
#[derive(Debug, thiserror::Error)]
pub enum StorageError {
    /// The system refused; the message names the path.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// The file is larger than any design.
    #[error("{path} holds more than {} MiB; more than is ever opened", limit >> 20)]
    TooLarge {
        /// Which file.
        path: PathBuf,
        /// How many bytes are read.
        limit: u64,
    },
    /// The file would be larger than what is read.
    #[error(
        "{path} would hold more than {} MiB, and could not be read again: too many tiles are placed by hand; \
         save as rooms, stats and constants files instead",
        limit >> 20
    )]
    TooLong {
        /// Which file.
        path: PathBuf,
        /// How many bytes are read.
        limit: u64,
    },
    /// Something that is not a file stands there.
    #[error("{path} is no file")]
    NoFile {
        /// Which path.
        path: PathBuf,
    },
    /// The file may not be written.
    #[error("{path} is read-only; save under another name, or make it writable")]
    ReadOnly {
        /// Which file.
        path: PathBuf,
    },
    /// Nobody wants it any more.
    #[error("given up before anything was written")]
    GivenUp,
    /// The format cannot hold the design.
    #[error("the file format cannot hold this design: {}", first(.0))]
    NotCarried(Vec<Diagnostic>),
}

fn first(diagnostics: &[Diagnostic]) -> String {
    diagnostics.first().map(|d| d.message.clone()).unwrap_or_default()
}

/// Reads a whole file of at most [`MAX_BYTES`].
///
/// # Errors
///
/// When there is no such file, it may not be read, it is too large, or a folder or a pipe stands there
/// (what lies under `/dev` is read all the same, for `<(…)` of the shell).
pub fn read(path: &Path) -> Result<Vec<u8>, StorageError> {
    read_at_most(path, MAX_BYTES)
}

/// The same with another limit.
pub(super) fn read_at_most(path: &Path, limit: u64) -> Result<Vec<u8>, StorageError> {
    let named = |error: io::Error| io::Error::new(error.kind(), format!("cannot read {}: {error}", path.display()));
    if !fs::metadata(path).map_err(named)?.is_file() && !path.starts_with("/dev") {
        return Err(StorageError::NoFile { path: path.to_owned() });
    }
    let mut bytes = Vec::new();
    let file = fs::File::open(path).map_err(named)?;
    file.take(limit + 1).read_to_end(&mut bytes).map_err(named)?;
    if bytes.len() as u64 > limit {
        return Err(StorageError::TooLarge {
            path: path.to_owned(),
            limit,
        });
    }
    Ok(bytes)
}

/// Puts `bytes` in a file, whole or not at all. An existing file keeps its mode, and a link keeps pointing
/// to the file that is replaced.
///
/// # Errors
///
/// When the folder is missing or may not be written, the disk is full, the file is read-only, or
/// something else than a file stands there. What stood there is then untouched.
pub fn write_atomic(path: &Path, bytes: &[u8]) -> Result<(), StorageError> {
    let mut draft = Draft::new(path)?;
    // The error names the file already.
    draft.write_all(bytes)?;
    draft.commit()
}

/// A file that is being written beside the one whose place it takes when it is whole. Dropped before, it is gone.
#[derive(Debug)]
pub struct Draft {
    /// The path as it was given, for messages.
    path: PathBuf,
    target: PathBuf,
    file: tempfile::NamedTempFile,
    before: Option<fs::Metadata>,
    /// Whether all of it is on the disk.
    is_settled: bool,
}

impl Draft {
    /// Begins a file for a path.
    ///
    /// # Errors
    ///
    /// As of [`write_atomic`]; the disk may still turn out to be full.
    pub fn new(path: &Path) -> Result<Self, StorageError> {
        let target = resolve_links(path)?;
        let before = fs::metadata(&target).ok();
        if before.as_ref().is_some_and(|m| !m.is_file()) {
            return Err(StorageError::NoFile { path: path.to_owned() });
        }
        if before.as_ref().is_some_and(|m| m.permissions().readonly()) {
            return Err(StorageError::ReadOnly { path: path.to_owned() });
        }
        let folder = folder_of(&target);
        if matches!(folder.try_exists(), Ok(false)) {
            let why = format!(
                "cannot write {}: there is no folder {}; make it first",
                path.display(),
                folder.display()
            );
            return Err(io::Error::new(io::ErrorKind::NotFound, why).into());
        }
        let mut builder = tempfile::Builder::new();
        builder.prefix(".wallcrawler-");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            // A new file gets what the umask leaves of this, like any other program's.
            builder.permissions(fs::Permissions::from_mode(0o666));
        }
        // The error itself names a draft that nobody knows.
        let file = builder
            .tempfile_in(folder)
            .map_err(|error| named(path, &error.kind().into()))?;
        Ok(Self {
            path: path.to_owned(),
            target,
            file,
            before,
            is_settled: false,
        })
    }

    /// Brings what was written to the disk. All that can fail for want of room has failed then.
    ///
    /// # Errors
    ///
    /// When the system refuses.
    pub(super) fn settle(&mut self) -> Result<(), StorageError> {
        if let Some(before) = &self.before {
            let permissions = self.file.as_file().set_permissions(before.permissions());
            permissions.map_err(|error| named(&self.path, &error))?;
        }
        let synced = self.file.as_file().sync_all();
        synced.map_err(|error| named(&self.path, &error))?;
        self.is_settled = true;
        Ok(())
    }

    /// Puts the file in its place.
    ///
    /// # Errors
    ///
    /// When the system refuses; what stood there is then untouched.
    pub fn commit(mut self) -> Result<(), StorageError> {
        if !self.is_settled {
            self.settle()?;
        }
        let Self { path, target, file, .. } = self;
        file.persist(&target).map_err(|error| named(&path, &error.error))?;
        // The new name is on disk only when the folder is; where folders cannot be synced, nothing is lost by it.
        let _ = fs::File::open(folder_of(&target)).and_then(|folder| folder.sync_all());
        Ok(())
    }
}

impl io::Write for Draft {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.is_settled = false;
        self.file.write(bytes).map_err(|error| named(&self.path, &error))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush().map_err(|error| named(&self.path, &error))
    }
}

/// An error of writing that says where.
fn named(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("cannot write {}: {error}", path.display()))
}

/// The folder of a file.
fn folder_of(target: &Path) -> &Path {
    match target.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// The file that a path finally names, which need not exist.
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
    fn a_write_replaces_the_whole_file_and_leaves_nothing_beside_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("rooms");
        write_atomic(&path, b"one").unwrap();
        write_atomic(&path, b"two").unwrap();
        assert_eq!(read(&path).unwrap(), b"two");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn what_cannot_be_written_names_the_file_and_what_to_do() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("maps/keep.txt");
        let told = write_atomic(&path, b"").unwrap_err().to_string();
        let wanted = format!(
            "cannot write {}: there is no folder {}; make it first",
            path.display(),
            folder.path().join("maps").display()
        );
        assert_eq!(told, wanted);
        // A file is no folder.
        let path = folder.path().join("file");
        fs::write(&path, "").unwrap();
        let told = write_atomic(&path.join("keep.txt"), b"").unwrap_err().to_string();
        assert!(
            told.starts_with("cannot write ") && !told.contains(".wallcrawler-"),
            "{told}"
        );
    }

    #[test]
    fn a_draft_that_is_dropped_leaves_what_was_there() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("map.png");
        let mut draft = Draft::new(&path).unwrap();
        draft.write_all(b"half").unwrap();
        drop(draft);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
        let mut draft = Draft::new(&path).unwrap();
        draft.write_all(b"who").unwrap();
        draft.write_all(b"le").unwrap();
        assert!(!path.exists());
        draft.commit().unwrap();
        assert_eq!(read(&path).unwrap(), b"whole");
    }

    #[cfg(unix)]
    #[test]
    fn modes_and_links_survive() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().unwrap();
        let (file, link) = (folder.path().join("file"), folder.path().join("link"));
        write_atomic(&file, b"one").unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
        std::os::unix::fs::symlink("file", &link).unwrap();
        write_atomic(&link, b"two").unwrap();
        assert_eq!(read(&file).unwrap(), b"two");
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o640);
        // A link to a file that is not there yet makes that file.
        let dangling = folder.path().join("dangling");
        std::os::unix::fs::symlink("new", &dangling).unwrap();
        write_atomic(&dangling, b"three").unwrap();
        assert_eq!(read(&folder.path().join("new")).unwrap(), b"three");
        std::os::unix::fs::symlink("circle", folder.path().join("circle")).unwrap();
        assert!(write_atomic(&folder.path().join("circle"), b"x").is_err());
    }

    #[test]
    fn what_cannot_be_written_is_told_and_left_whole() {
        let folder = tempfile::tempdir().unwrap();
        let error = write_atomic(&folder.path().join("no/such/folder"), b"x").unwrap_err();
        assert!(error.to_string().contains("no/such/folder"), "{error}");
        assert!(matches!(
            write_atomic(folder.path(), b"x"),
            Err(StorageError::NoFile { .. })
        ));
        let path = folder.path().join("kept");
        write_atomic(&path, b"kept").unwrap();
        let mut permissions = fs::metadata(&path).unwrap().permissions();
        permissions.set_readonly(true);
        fs::set_permissions(&path, permissions).unwrap();
        assert!(matches!(write_atomic(&path, b"x"), Err(StorageError::ReadOnly { .. })));
        assert_eq!(read(&path).unwrap(), b"kept");
    }

    #[test]
    fn folders_and_giants_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        assert!(matches!(read(folder.path()), Err(StorageError::NoFile { .. })));
        let giant = folder.path().join("giant");
        fs::File::create(&giant).unwrap().set_len(MAX_BYTES + 1).unwrap();
        assert!(matches!(read(&giant), Err(StorageError::TooLarge { .. })));
    }
}
