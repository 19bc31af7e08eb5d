//! A snapshot of the files of a design, read apart from the document, since a drive may not answer for minutes.
//!
//! The document receives the snapshot later and interprets it then.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::vaults;
use crate::storage::{self, DesignFiles, LoadedDesign};

/// Content of level files by path, or why they cannot be read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LevelFileBytes(BTreeMap<PathBuf, Result<Vec<u8>, String>>);

impl LevelFileBytes {
    /// Reads level files.
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

    /// Returns the files that could be read, ordered by path, with their content.
    pub(super) fn read_ones(&self) -> impl Iterator<Item = (&Path, &[u8])> {
        let read = self.0.iter();
        read.filter_map(|(path, bytes)| Some((path.as_path(), bytes.as_deref().ok()?)))
    }

    /// Returns the content of a level file; reads it now if the snapshot lacks it.
    ///
    /// # Errors
    ///
    /// Returns why it cannot be read.
    pub fn bytes(&self, path: &Path) -> Result<Vec<u8>, String> {
        self.0.get(path).cloned().unwrap_or_else(|| read(path))
    }
}

fn read(path: &Path) -> Result<Vec<u8>, String> {
    storage::read(path).map_err(|error| error.to_string())
}

/// Content of a design's files.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FileSnapshot {
    /// The design's files; `None` if it has no files.
    pub loaded: Option<LoadedDesign>,
    /// The level files that the design names, and others that were requested.
    pub levels: LevelFileBytes,
}

impl FileSnapshot {
    /// Reads a design's files, the level files that it names, and others.
    pub fn read(files: Option<&DesignFiles>, others: &[PathBuf]) -> Self {
        let loaded = files.map(DesignFiles::load);
        let design = loaded.as_ref().and_then(|loaded| loaded.design.as_ref());
        let named = design.map(|design| vaults::files(design, &vaults::folder(files)));
        let levels = LevelFileBytes::read(named.into_iter().flatten().chain(others.iter().cloned()));
        Self { loaded, levels }
    }
}
