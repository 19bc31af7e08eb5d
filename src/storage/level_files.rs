//! Names of level files in designs. A name is a path relative to the folder of the design's file, or an absolute path.
//!
//! If a design moves to another folder, the names must change, so that its vaults keep their level files.

use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

use super::draft::folder_of;
use crate::design::{Design, VaultEntry};

/// The level files whose names change when a design moves from one folder to another. Maps each old name to the new
/// name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MovedLevelFiles(BTreeMap<String, String>);

impl MovedLevelFiles {
    /// Finds the new names of level files for a design that moves from the folder `from` to the folder `to`. Absolute
    /// names and those of missing files stay as they are.
    pub fn find<'a>(names: impl IntoIterator<Item = &'a str>, from: &Path, to: &Path) -> Self {
        let (Some(start), Some(end)) = (real(from), real(to)) else {
            return Self::default();
        };
        if start == end {
            return Self::default();
        }
        let names = names.into_iter().filter(|name| !name.is_empty());
        let moved = names.filter_map(|name| Some((name.to_owned(), moved(name, from, &end)?)));
        Self(moved.filter(|(old, new)| old != new).collect())
    }

    /// Changes the names of level files in a design.
    pub fn rename_in(&self, design: &mut Design) {
        self.rename(&mut design.layout.vaults);
    }

    /// Changes the names of level files in vaults.
    pub fn rename(&self, vaults: &mut [VaultEntry]) {
        for vault in vaults {
            if let Some(name) = self.0.get(&vault.file) {
                vault.file.clone_from(name);
            }
        }
    }

    /// Returns whether all level files keep their names.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// Changes the names of level files in a design that moves from the folder `from` to the folder `to`. The level files
/// themselves stay where they are.
pub fn move_level_files(design: &mut Design, from: &Path, to: &Path) {
    let names = design.layout.vaults.iter().map(|vault| vault.file.as_str());
    MovedLevelFiles::find(names, from, to).rename_in(design);
}

/// Returns the name of a level file relative to the folder `to`, which must be a real path. If the file and `to` have
/// only the root in common, returns an absolute name. Returns `None` if `name` is absolute or the file is missing.
fn moved(name: &str, from: &Path, to: &Path) -> Option<String> {
    let path = from.join(name);
    if Path::new(name).is_absolute() || !path.exists() {
        return None;
    }
    let file = path.file_name()?;
    // `..` leads to the parent of a folder's real path, so both paths must be real.
    match relative(&real(folder_of(&path))?.join(file), to) {
        Some(relative) => Some(relative),
        None => std::path::absolute(&path).ok()?.to_str().map(str::to_owned),
    }
}

/// Returns the path that leads from the folder `folder` to `path`; `None` if `folder` and `path` have only the root in
/// common, or if the path is not Unicode.
fn relative(path: &Path, folder: &Path) -> Option<String> {
    let pairs = path.components().zip(folder.components());
    let common: Vec<Component<'_>> = pairs.take_while(|(a, b)| a == b).map(|(a, _)| a).collect();
    if !matches!(common.last(), Some(Component::Normal(_))) {
        return None;
    }
    let up = folder.components().skip(common.len()).map(|_| Some(".."));
    let down = path
        .components()
        .skip(common.len())
        .map(|part| part.as_os_str().to_str());
    let parts: Option<Vec<&str>> = up.chain(down).collect();
    Some(parts?.join("/"))
}

/// Returns the real path of a folder, without symbolic links; `None` if there is no such folder.
fn real(folder: &Path) -> Option<PathBuf> {
    let here = folder.as_os_str().is_empty();
    if here { Path::new(".") } else { folder }.canonicalize().ok()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn renamed(name: &str, from: &Path, to: &Path) -> String {
        let mut design = Design::default();
        design.layout.vaults.push(VaultEntry {
            file: name.into(),
            ..VaultEntry::default()
        });
        move_level_files(&mut design, from, to);
        design.layout.vaults.remove(0).file
    }

    #[test]
    fn the_new_name_of_a_level_file_leads_to_it_from_the_new_folder() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        for name in ["lv/more", "sub/below"] {
            fs::create_dir_all(path(name)).unwrap();
        }
        for name in ["top.des", "lv/my.des", "lv/more/other.des", "sub/own.des"] {
            fs::write(path(name), name).unwrap();
        }
        for (name, from, to, wanted) in [
            ("my.des", "lv", "sub", "../lv/my.des"),
            ("my.des", "lv", "sub/below", "../../lv/my.des"),
            ("more/other.des", "lv", "", "lv/more/other.des"),
            ("more/other.des", "lv", "lv/more", "other.des"),
            ("../top.des", "lv", "sub", "../top.des"),
            ("../sub/own.des", "lv", "sub", "own.des"),
            ("./my.des", "lv", "lv", "./my.des"),
            ("missing.des", "lv", "sub", "missing.des"),
            ("my.des", "lv", "missing", "my.des"),
            ("", "lv", "sub", ""),
        ] {
            let new = renamed(name, &path(from), &path(to));
            assert_eq!(new, wanted, "{name} from {from} to {to}");
        }
        let same = MovedLevelFiles::find(["../top.des"], &path("lv"), &path("sub"));
        assert!(same.is_empty(), "{same:?}");
        let absolute = path("lv/my.des");
        let absolute = absolute.to_str().unwrap();
        assert_eq!(renamed(absolute, &path("lv"), &path("sub")), absolute);
    }

    #[cfg(unix)]
    #[test]
    fn a_level_file_is_found_from_a_folder_behind_a_link() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        for name in ["lv", "far/away"] {
            fs::create_dir_all(path(name)).unwrap();
        }
        fs::write(path("lv/my.des"), "mine").unwrap();
        std::os::unix::fs::symlink("far/away", path("sub")).unwrap();
        let name = renamed("my.des", &path("lv"), &path("sub"));
        assert_eq!(name, "../../lv/my.des");
        assert_eq!(fs::read_to_string(path("sub").join(name)).unwrap(), "mine");
    }

    #[test]
    fn a_level_file_with_only_the_root_in_common_gets_an_absolute_name() {
        let root = Path::new(if cfg!(windows) { r"C:\" } else { "/" });
        assert_eq!(relative(&root.join("a/my.des"), &root.join("b")), None);
        assert_eq!(
            relative(&root.join("a/my.des"), &root.join("a/b")).as_deref(),
            Some("../my.des")
        );
    }
}
