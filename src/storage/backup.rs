//! Backups: when a session first replaces a file such as `castle.toml`, the previous content is kept as `castle.toml~`.
//!
//! A file has only one backup, from the last session that saved the file. A session is the lifetime of a
//! [`Backups`] value.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use super::disk::{StorageError, read, resolve_links};
use super::draft::write_atomic;
use crate::design::Diagnostic;

/// Suffix of a backup's name.
pub(super) const ENDING: char = '~';

/// Record of the files that this session has backed up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Backups {
    wanted: bool,
    done: BTreeSet<PathBuf>,
}

impl Default for Backups {
    fn default() -> Self {
        Self {
            wanted: true,
            done: BTreeSet::new(),
        }
    }
}

impl Backups {
    /// Creates a record with backups disabled.
    pub const fn none() -> Self {
        Self {
            wanted: false,
            done: BTreeSet::new(),
        }
    }

    /// Enables or disables backups from now on.
    pub const fn want(&mut self, wanted: bool) {
        self.wanted = wanted;
    }

    /// Copies a file to its backup, unless backups are disabled, this session has already backed up the file, or the
    /// file does not exist. A failed backup does not prevent saving, so it is returned as a diagnostic.
    pub(super) fn keep(&mut self, path: &Path) -> Option<Diagnostic> {
        if !self.wanted {
            return None;
        }
        let file = resolve_links(path).unwrap_or_else(|_| path.to_owned());
        let file = std::path::absolute(&file).unwrap_or(file);
        if !file.is_file() || !self.done.insert(file.clone()) {
            return None;
        }
        let error = copy(&file, &name(&file)).err()?;
        let message = format!("no backup of the previous version was made: {error}");
        Some(Diagnostic::warning(message).help("the file itself was saved; copy it elsewhere before the next save"))
    }
}

/// Returns the path of a file's backup.
pub(super) fn name(file: &Path) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(ENDING.to_string());
    name.into()
}

fn copy(file: &Path, backup: &Path) -> Result<(), StorageError> {
    let bytes = read(file)?;
    write_atomic(backup, &bytes)?;
    // The backup gets the permissions of the file, so that it is readable by the same users.
    if let Ok(before) = fs::metadata(file) {
        fs::set_permissions(backup, before.permissions())?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_version_of_a_session_is_kept() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("castle.toml");
        let text = || fs::read_to_string(folder.path().join("castle.toml~")).ok();
        let mut backups = Backups::default();
        assert_eq!(backups.keep(&file), None, "there is nothing yet");
        fs::write(&file, "one").unwrap();
        assert_eq!(backups.keep(&file), None);
        assert_eq!(text().as_deref(), Some("one"));
        fs::write(&file, "two").unwrap();
        assert_eq!(backups.keep(&file), None);
        assert_eq!(text().as_deref(), Some("one"), "once a session");
        assert_eq!(Backups::none().keep(&file), None);
        assert_eq!(text().as_deref(), Some("one"));
        assert_eq!(Backups::default().keep(&file), None);
        assert_eq!(
            text().as_deref(),
            Some("two"),
            "the next session keeps the version that it found"
        );
    }

    #[cfg(unix)]
    #[test]
    fn the_target_of_a_link_is_backed_up_with_its_permissions_and_failures_are_reported() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().unwrap();
        let (file, link) = (folder.path().join("file"), folder.path().join("link"));
        fs::write(&file, "one").unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
        std::os::unix::fs::symlink("file", &link).unwrap();
        assert_eq!(Backups::default().keep(&link), None);
        let backup = folder.path().join("file~");
        assert_eq!(fs::metadata(&backup).unwrap().permissions().mode() & 0o777, 0o600);
        assert!(!folder.path().join("link~").exists());
        fs::remove_file(&backup).unwrap();
        fs::create_dir(&backup).unwrap();
        let diagnostic = Backups::default().keep(&file).unwrap();
        assert!(diagnostic.message.contains("file~"), "{diagnostic}");
    }
}
