//! A snapshot of the files of a design. Reading the files does not need the document, so it can happen on another
//! thread, which a slow drive may block for minutes.
//!
//! The document interprets the finished snapshot.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::vaults;
use crate::storage::{self, DesignFiles, LoadedDesign};

/// Level files, which contain vaults, by path: the content of each, or the reason why it cannot be read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LevelFileBytes(BTreeMap<PathBuf, Result<Vec<u8>, String>>);

impl LevelFileBytes {
    /// Reads each level file once.
    fn read(paths: impl IntoIterator<Item = PathBuf>) -> Self {
        let mut levels = BTreeMap::new();
        for path in paths {
            levels.entry(path).or_insert_with_key(|path| read(path));
        }
        Self(levels)
    }

    /// Wraps level files that were already read.
    pub(super) fn of<'a>(read: impl IntoIterator<Item = (PathBuf, &'a [u8])>) -> Self {
        Self(
            read.into_iter()
                .map(|(path, bytes)| (path, Ok(bytes.to_vec())))
                .collect(),
        )
    }

    /// Returns the paths and contents of the files that could be read, ordered by path.
    pub(super) fn read_ones(&self) -> impl Iterator<Item = (&Path, &[u8])> {
        let read = self.0.iter();
        read.filter_map(|(path, bytes)| Some((path.as_path(), bytes.as_deref().ok()?)))
    }

    /// Returns whether the snapshot contains a level file, even if the file could not be read.
    pub(super) fn contains(&self, path: &Path) -> bool {
        self.0.contains_key(path)
    }

    /// Returns the content of a level file. If the snapshot lacks the file, it is read now.
    ///
    /// # Errors
    ///
    /// Returns the reason why the file cannot be read.
    pub fn bytes(&self, path: &Path) -> Result<Vec<u8>, String> {
        self.0.get(path).cloned().unwrap_or_else(|| read(path))
    }
}

fn read(path: &Path) -> Result<Vec<u8>, String> {
    storage::read(path).map_err(|error| error.to_string())
}

/// Content of a design's files and of its level files.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FileSnapshot {
    /// Content of the design's files; `None` if the design has no files.
    pub loaded: Option<LoadedDesign>,
    /// The level files that the design refers to, and those that were requested in addition.
    pub levels: LevelFileBytes,
}

impl FileSnapshot {
    /// Reads a design's files, the level files that the design refers to, and the level files `others`.
    pub fn read(files: Option<&DesignFiles>, others: &[PathBuf]) -> Self {
        let loaded = files.map(DesignFiles::load);
        let design = loaded.as_ref().and_then(|loaded| loaded.design.as_ref());
        let named = design.map(|design| vaults::files(design, &vaults::folder(files)));
        let levels = LevelFileBytes::read(named.into_iter().flatten().chain(others.iter().cloned()));
        Self { loaded, levels }
    }
}
