//! Writes files atomically.
//!
//! Every write goes to a draft beside the old file. The draft replaces the old file only when the draft is complete on
//! disk. A crash, a full disk or a power failure therefore leaves either the old file or the complete new file. The new
//! file gets the mode, the owner, the group and the extended attributes (including access control lists) of the old
//! file.
//!
//! A file with several names (hard links), or with an owner or attributes that a new file cannot get, is overwritten in
//! place instead, which preserves its names, owner and attributes. While the file is overwritten, its new text also
//! exists beside it as `NAME.new`. After a crash, that copy contains the text that was to be saved.
//!
//! If the old file cannot be opened for writing, it cannot be overwritten in place, and the draft replaces it. Its
//! other names then keep the old text, and an owner or attributes that the new file cannot get are lost.
//!
//! Each process locks its drafts. [`sweep`] removes unlocked drafts, which were left by processes that were killed.

use std::collections::BTreeSet;
use std::fs::{self, File, TryLockError};
use std::io::{self, Seek as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use super::attributes;
use super::disk::{StorageError, resolve_links};

/// Prefix of a draft's name; [`DIGITS`] letters and digits follow.
const PREFIX: &str = ".wallcrawler-";
const DIGITS: usize = 6;

/// Writes a file atomically. The documentation of this module lists the attributes of a replaced file that are kept.
///
/// # Errors
///
/// Fails if the folder is missing or not writable, the disk is full, the file is read-only, or the path leads to
/// something other than a file. If the error occurs while a file is being overwritten in place, that file may be
/// damaged, and the error message names a copy of the new text. Otherwise, the earlier file is unchanged.
pub fn write_atomic(path: &Path, bytes: &[u8]) -> Result<(), StorageError> {
    write_all([(path, bytes)]).map(|_| ())
}

/// Writes files atomically. No file is replaced before all are complete on disk. Returns a sentence about each
/// attribute of a replaced file that could not be kept.
///
/// # Errors
///
/// Fails like [`write_atomic`]. If a draft cannot be moved into place, the files before it have already been replaced.
pub fn write_all<'a>(files: impl IntoIterator<Item = (&'a Path, &'a [u8])>) -> Result<Vec<String>, StorageError> {
    let mut drafts = Vec::new();
    for (path, bytes) in files {
        let mut draft = Draft::new(path)?;
        // The error message already contains the path.
        draft.write_all(bytes)?;
        draft.complete()?;
        drafts.push(draft);
    }
    let mut lost = Vec::new();
    for draft in drafts {
        let name = draft.path.display().to_string();
        lost.extend(draft.commit()?.into_iter().map(|lost| written_but(&name, &lost)));
    }
    Ok(lost)
}

/// Returns a sentence about an attribute of a replaced file that could not be kept.
pub fn written_but(name: &str, lost: &str) -> String {
    format!("{name} was written, but {lost}")
}

/// A file that is being written beside the file that it will replace. Dropping the draft before
/// [`commit`](Self::commit) deletes it.
#[derive(Debug)]
pub struct Draft {
    /// Path as the user gave it, for messages.
    path: PathBuf,
    target: PathBuf,
    file: tempfile::NamedTempFile,
    before: Option<fs::Metadata>,
    /// Whether everything written so far is on disk.
    is_synced: bool,
    /// Attributes of the earlier file that the draft could not get.
    lost: Vec<String>,
}

impl Draft {
    /// Creates a draft for a path. Also removes from the same folder the drafts of processes that were killed.
    ///
    /// # Errors
    ///
    /// Fails like [`write_atomic`], except that a full disk may be detected only later.
    pub fn new(path: &Path) -> Result<Self, StorageError> {
        let target = resolve_links(path)?;
        let before = fs::metadata(&target).ok();
        if before.as_ref().is_some_and(|m| !m.is_file()) {
            return Err(StorageError::NoFile { path: path.to_owned() });
        }
        if before.as_ref().is_some_and(|m| m.permissions().readonly()) {
            return Err(StorageError::ReadOnly { path: path.to_owned() });
        }
        let folder = existing_folder(path, &target)?;
        sweep(folder);
        let file = locked(folder).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound if folder == Path::new(".") => {
                let why = format!(
                    "cannot write {}: the current folder was removed; use an absolute path",
                    path.display()
                );
                io::Error::new(io::ErrorKind::NotFound, why)
            }
            // The message of the original error names the draft, which the user does not know.
            kind => named(path, &kind.into()),
        })?;
        Ok(Self {
            path: path.to_owned(),
            file,
            target,
            before,
            is_synced: false,
            lost: Vec::new(),
        })
    }

    /// Copies the attributes of the earlier file to the draft, and syncs the draft to disk. A full disk is detected
    /// here at the latest.
    ///
    /// # Errors
    ///
    /// Fails if a system call fails.
    pub(super) fn complete(&mut self) -> Result<(), StorageError> {
        if let Some(before) = &self.before {
            let copied = attributes::copy(&self.target, before, self.file.as_file());
            self.lost = copied.map_err(|error| named(&self.path, &error))?;
        }
        let synced = self.file.as_file().sync_all();
        synced.map_err(|error| named(&self.path, &error))?;
        self.is_synced = true;
        Ok(())
    }

    /// Moves the draft into place. Returns the attributes of the earlier file that could not be kept, each as a clause
    /// that follows "was written, but".
    ///
    /// # Errors
    ///
    /// Fails if a system call fails. [`write_atomic`] describes the state of the earlier file after an error.
    pub fn commit(mut self) -> Result<Vec<String>, StorageError> {
        if !self.is_synced {
            self.complete()?;
        }
        let has_links = self.before.as_ref().is_some_and(attributes::has_links);
        // If the earlier file cannot be opened for writing, it may still be possible to replace it: for instance,
        // another user's file in the user's own folder.
        if (has_links || !self.lost.is_empty())
            && let Ok(over) = File::options().write(true).open(&self.target)
        {
            return self.write_over(over).map(|()| Vec::new());
        }
        let Self {
            path,
            target,
            file,
            mut lost,
            ..
        } = self;
        if has_links {
            lost.push("its other names (hard links) still have the previous text".into());
        }
        file.persist(&target).map_err(|error| named(&path, &error.error))?;
        sync(folder_of(&target));
        Ok(lost)
    }

    /// Overwrites the earlier file in place. Until this is done, a complete copy of the new text exists beside it.
    fn write_over(self, mut over: File) -> Result<(), StorageError> {
        let Self { path, target, file, .. } = self;
        let (mut draft, copy) = kept_as(file, &target).map_err(|error| named(&path, &error))?;
        sync(folder_of(&target));
        let written = draft
            .rewind()
            .and_then(|()| io::copy(&mut draft, &mut over))
            .and_then(|length| over.set_len(length))
            .and_then(|()| over.sync_all());
        written.map_err(|error| {
            let why = format!(
                "cannot write {}: {error}; the new text is in {}",
                path.display(),
                copy.display()
            );
            io::Error::new(error.kind(), why)
        })?;
        // Errors are ignored: the file is complete, and a copy that remains has the same content.
        let _ = fs::remove_file(copy);
        Ok(())
    }
}

impl io::Write for Draft {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.is_synced = false;
        // Replaces the draft's name in the error message with the user's path.
        let written = self.file.as_file_mut().write(bytes);
        written.map_err(|error| named(&self.path, &error))
    }

    fn flush(&mut self) -> io::Result<()> {
        let flushed = self.file.as_file_mut().flush();
        flushed.map_err(|error| named(&self.path, &error))
    }
}

/// Renames a draft so that the user can find it. The new name is that of the target, followed by `.new`, and by a
/// number if such a file exists.
fn kept_as(mut draft: tempfile::NamedTempFile, target: &Path) -> io::Result<(File, PathBuf)> {
    const NUMBERS: u32 = 100;
    for number in 1..=NUMBERS {
        let mut name = target.as_os_str().to_owned();
        name.push(".new");
        if number > 1 {
            name.push(number.to_string());
        }
        match draft.persist_noclobber(&name) {
            Ok(file) => return Ok((file, name.into())),
            Err(error) if error.error.kind() == io::ErrorKind::AlreadyExists => draft = error.file,
            Err(error) => return Err(error.error),
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

/// Creates an empty draft in a folder. The draft is locked while it is open.
fn locked(folder: &Path) -> io::Result<tempfile::NamedTempFile> {
    const TRIES: usize = 20;
    let mut builder = tempfile::Builder::new();
    builder.prefix(PREFIX).rand_bytes(DIGITS);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        // The umask is applied to this mode, as for any other program's new files.
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    for _ in 0..TRIES {
        let draft = builder.tempfile_in(folder)?;
        // Another process that sweeps the folder may have removed the draft before it was locked. In that case, try
        // again.
        let is_ours = !matches!(draft.as_file().try_lock(), Err(TryLockError::WouldBlock));
        if is_ours && draft.path().exists() {
            return Ok(draft);
        }
    }
    Err(io::ErrorKind::WouldBlock.into())
}

/// Removes from a folder the drafts of processes that were killed. A process sweeps each folder only once. Errors are
/// ignored: they will be reported when something is written to the folder.
pub fn sweep(folder: &Path) {
    static SWEPT: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());
    let here = folder.as_os_str().is_empty();
    let folder = if here { Path::new(".") } else { folder };
    let Ok(folder) = folder.canonicalize() else { return };
    if SWEPT
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .insert(folder.clone())
    {
        sweep_now(&folder);
    }
}

fn sweep_now(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let digits = name.to_str().and_then(|name| name.strip_prefix(PREFIX));
        let is_draft = digits
            .is_some_and(|digits| digits.len() == DIGITS && digits.bytes().all(|digit| digit.is_ascii_alphanumeric()));
        if !is_draft || !entry.file_type().is_ok_and(|found| found.is_file()) {
            continue;
        }
        // Where locks are not supported, another process may still be writing the draft, so it stays.
        let file = File::options().write(true).open(entry.path());
        if file.is_ok_and(|file| file.try_lock().is_ok()) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Adds the path to a write error.
pub(super) fn named(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("cannot write {}: {error}", path.display()))
}

/// Returns the folder of a file; `.` if the path has no folder.
pub fn folder_of(target: &Path) -> &Path {
    match target.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// Checks that the folder of a file exists. Long tasks call this first, so that they do not run for nothing if the file
/// cannot be written.
///
/// # Errors
///
/// Fails if there is no such folder.
pub fn check_folder(path: &Path) -> Result<(), StorageError> {
    existing_folder(path, &resolve_links(path)?).map(drop)
}

/// Returns the folder of `target`, or an error if the folder does not exist. The error message names `path`.
fn existing_folder<'a>(path: &Path, target: &'a Path) -> Result<&'a Path, StorageError> {
    let folder = folder_of(target);
    if matches!(folder.try_exists(), Ok(false)) {
        let why = format!(
            "cannot write {}: the folder {} does not exist; create it first",
            path.display(),
            folder.display()
        );
        return Err(io::Error::new(io::ErrorKind::NotFound, why).into());
    }
    Ok(folder)
}

/// Syncs the entries of a folder to disk; errors are ignored, since some systems cannot sync folders.
fn sync(folder: &Path) {
    let _ = File::open(folder).and_then(|folder| folder.sync_all());
}

#[cfg(test)]
mod tests {
    use super::super::disk::read;
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
    fn write_errors_name_the_file_and_what_to_do() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("maps/keep.txt");
        let message = write_atomic(&path, b"").unwrap_err().to_string();
        let wanted = format!(
            "cannot write {}: the folder {} does not exist; create it first",
            path.display(),
            folder.path().join("maps").display()
        );
        assert_eq!(message, wanted);
        // The parent of the path is a file, not a folder.
        let path = folder.path().join("file");
        fs::write(&path, "").unwrap();
        let message = write_atomic(&path.join("keep.txt"), b"").unwrap_err().to_string();
        assert!(
            message.starts_with("cannot write ") && !message.contains(".wallcrawler-"),
            "{message}"
        );
    }

    #[test]
    fn a_dropped_draft_leaves_the_earlier_file() {
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
        // Writing through a dangling link creates its target.
        let dangling = folder.path().join("dangling");
        std::os::unix::fs::symlink("new", &dangling).unwrap();
        write_atomic(&dangling, b"three").unwrap();
        assert_eq!(read(&folder.path().join("new")).unwrap(), b"three");
        std::os::unix::fs::symlink("circle", folder.path().join("circle")).unwrap();
        assert!(write_atomic(&folder.path().join("circle"), b"x").is_err());
    }

    #[test]
    fn a_failed_write_is_reported_and_leaves_the_earlier_file_whole() {
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
    fn a_draft_of_a_killed_process_is_removed_and_one_in_use_stays() {
        let folder = tempfile::tempdir().unwrap();
        let put = |name: &str| {
            let path = folder.path().join(name);
            fs::write(&path, "half").unwrap();
            path
        };
        let stale = put(".wallcrawler-a1B2c3");
        let others = [
            ".wallcrawler-",
            ".wallcrawler-a1B2c3d",
            ".wallcrawler-a1B.c3",
            "wallcrawler-a1B2c3",
        ]
        .map(put);
        let under_way = Draft::new(&folder.path().join("keep.toml")).unwrap();
        assert!(!stale.exists(), "the first draft in a folder sweeps it");
        put(".wallcrawler-a1B2c3");
        sweep_now(folder.path());
        assert!(!stale.exists());
        assert!(others.iter().all(|path| path.exists()), "names that drafts do not have");
        assert!(under_way.file.path().exists(), "a draft that is locked");
        under_way.commit().unwrap();
        assert!(folder.path().join("keep.toml").exists());
    }

    #[cfg(unix)]
    #[test]
    fn a_file_with_two_names_keeps_both() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        write_atomic(&path("one"), b"a long first text").unwrap();
        fs::hard_link(path("one"), path("two")).unwrap();
        // The user already has a file with the name that the copy would get.
        fs::write(path("one.new"), "mine").unwrap();
        write_atomic(&path("one"), b"short").unwrap();
        assert_eq!(read(&path("two")).unwrap(), b"short");
        assert_eq!(read(&path("one.new")).unwrap(), b"mine");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 3);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_file_keeps_its_extended_attributes() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("keep.toml");
        write_atomic(&path, b"one").unwrap();
        if let Err(error) = xattr::set(&path, "user.origin", b"castle") {
            println!("not checked: this file system has no attributes ({error})");
            return;
        }
        write_atomic(&path, b"two").unwrap();
        assert_eq!(
            xattr::get(&path, "user.origin").unwrap().as_deref(),
            Some(&b"castle"[..])
        );
        assert_eq!(read(&path).unwrap(), b"two");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_file_keeps_its_owner_and_group_and_its_access_control_list() {
        use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("keep.toml");
        write_atomic(&path, b"one").unwrap();
        if std::os::unix::fs::chown(&path, Some(4321), Some(5432)).is_err() {
            println!("not checked: only root changes owners");
            return;
        }
        // An access control list, version 2: the owner rw, user 77 r, the group r, the mask r, others nothing.
        let mut list = 2_u32.to_le_bytes().to_vec();
        for (tag, rights, id) in [
            (1_u16, 6_u16, u32::MAX),
            (2, 4, 77),
            (4, 4, u32::MAX),
            (16, 4, u32::MAX),
            (32, 0, u32::MAX),
        ] {
            list.extend(
                tag.to_le_bytes()
                    .into_iter()
                    .chain(rights.to_le_bytes())
                    .chain(id.to_le_bytes()),
            );
        }
        let has_list = xattr::set(&path, "system.posix_acl_access", &list).is_ok();
        write_atomic(&path, b"two").unwrap();
        let found = fs::metadata(&path).unwrap();
        assert_eq!((found.uid(), found.gid()), (4321, 5432));
        if has_list {
            assert_eq!(found.permissions().mode() & 0o777, 0o640);
            assert_eq!(xattr::get(&path, "system.posix_acl_access").unwrap(), Some(list));
        }
        assert_eq!(read(&path).unwrap(), b"two");
    }
}
