//! The list of recently opened or saved designs, in the state folder.
//!
//! Several instances of the designer can write the list. Each reads the list again just before writing it; if two write
//! at the same time, the version that is written last remains.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::autosave::make_private;
use super::companion_files::DesignFiles;
use super::disk::{StorageError, read};
use super::draft::write_atomic;

/// Maximum number of designs in the list.
const MOST: usize = 30;

/// File name of the list.
const FILE: &str = "recent.toml";

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct List {
    design: Vec<Paths>,
}

#[derive(Debug, Default, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
struct Paths {
    toml: Option<PathBuf>,
    rooms: Option<PathBuf>,
    stats: Option<PathBuf>,
    constants: Option<PathBuf>,
}

impl Paths {
    fn of(files: &DesignFiles) -> Option<Self> {
        // Paths are made absolute, because another instance may read the list while it runs in another folder. The list
        // is Unicode text, so a design with a path that is not Unicode is left out.
        let whole = |path: &PathBuf| {
            let path = std::path::absolute(path).ok()?;
            path.to_str().is_some().then_some(path)
        };
        let each = |path: &Option<PathBuf>| match path {
            None => Some(None),
            Some(path) => whole(path).map(Some),
        };
        Some(match files {
            DesignFiles::Toml(path) => Self {
                toml: Some(whole(path)?),
                ..Self::default()
            },
            DesignFiles::Legacy {
                rooms,
                stats,
                constants,
            } => Self {
                toml: None,
                rooms: Some(whole(rooms)?),
                stats: each(stats)?,
                constants: each(constants)?,
            },
        })
    }

    fn files(self) -> Option<DesignFiles> {
        if let Some(path) = self.toml {
            return Some(DesignFiles::Toml(path));
        }
        Some(DesignFiles::Legacy {
            rooms: self.rooms?,
            stats: self.stats,
            constants: self.constants,
        })
    }
}

fn list(folder: &Path) -> List {
    let bytes = read(&folder.join(FILE)).unwrap_or_default();
    toml::from_str(&String::from_utf8_lossy(&bytes)).unwrap_or_default()
}

/// Returns the recently opened or saved designs, latest first. A missing or unreadable list counts as empty.
pub fn all(folder: &Path) -> Vec<DesignFiles> {
    list(folder).design.into_iter().filter_map(Paths::files).collect()
}

/// Moves a design to the front of the list.
///
/// # Errors
///
/// Fails if the list cannot be written.
pub fn remember(folder: &Path, files: &DesignFiles) -> Result<(), StorageError> {
    let Some(paths) = Paths::of(files) else { return Ok(()) };
    let mut list = list(folder);
    if list.design.first() == Some(&paths) {
        return Ok(());
    }
    list.design.retain(|other| *other != paths);
    list.design.insert(0, paths);
    list.design.truncate(MOST);
    make_private(folder)?;
    let text = toml::to_string(&list).unwrap_or_default();
    write_atomic(&folder.join(FILE), text.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn a_design_is_not_listed_without_one_of_its_files() {
        let folder = tempfile::tempdir().unwrap();
        let files = DesignFiles::not_unicode(folder.path());
        remember(folder.path(), &files).unwrap();
        assert_eq!(all(folder.path()), []);
    }

    #[test]
    fn the_latest_design_comes_first_and_none_is_listed_twice() {
        let folder = tempfile::tempdir().unwrap();
        let state = folder.path().join("state");
        assert_eq!(all(&state), []);
        let toml = |i: usize| DesignFiles::Toml(folder.path().join(format!("{i}.toml")));
        let three = DesignFiles::Legacy {
            rooms: folder.path().join("rooms4"),
            stats: Some(folder.path().join("stats4")),
            constants: None,
        };
        for i in 0..40 {
            remember(&state, &toml(i)).unwrap();
        }
        remember(&state, &three).unwrap();
        remember(&state, &toml(20)).unwrap();
        let list = all(&state);
        assert_eq!(list.len(), MOST);
        assert_eq!(list[..3], [toml(20), three, toml(39)]);
        std::fs::write(state.join(FILE), "design = 3").unwrap();
        assert_eq!(all(&state), [], "a broken list is replaced");
    }
}
