//! Autosave files: unsaved work is written to the state folder, so that it can be recovered after a crash.
//!
//! Each running designer has its own [`AutosaveSlot`]: a design as TOML, and beside it a lock file that is locked while
//! the process lives. The system releases the lock even if the process crashes. If the lock is free, the process has
//! ended and has left its design behind ([`RecoverableWork`]). The design is an ordinary TOML file that can also be
//! opened directly; its header lines record its origin. The module `background::autosave` decides when to write.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

use super::companion_files::DesignFiles;
use super::disk::{StorageError, read};
use super::draft::{sweep, write_atomic};
use super::level_files::move_level_files;
use super::loaded::LoadedDesign;
use crate::design::{Design, Diagnostic};
use crate::format::{Text, native};

/// Prefix of the header lines before the design.
const MARK: &str = "#: ";

/// File extensions of a slot's two files.
const DESIGN: &str = "toml";
const LOCK: &str = "lock";

/// A design with unsaved changes, and its origin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unsaved {
    /// The current design in the designer.
    pub design: Arc<Design>,
    /// Files of the design, if it has been opened from or saved to files.
    pub files: Option<DesignFiles>,
    /// Folder that the names of the design's level files are relative to.
    pub folder: PathBuf,
    /// Digest of the last known content of `files`; see [`LoadedDesign::digest`](super::LoadedDesign::digest).
    pub digest: Option<u64>,
    /// Preset from which a design without files was made.
    pub origin: Option<UnsavedOrigin>,
}

/// Origin of a design that was never saved: a preset with a seed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnsavedOrigin {
    /// Name of the preset.
    pub preset: String,
    /// The seed.
    pub seed: u64,
}

/// Header of an autosave file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
struct Head {
    /// Time of the autosave, in seconds since 1970.
    kept: u64,
    /// Id of the process that wrote the autosave.
    pid: u32,
    toml: Option<PathBuf>,
    rooms: Option<PathBuf>,
    stats: Option<PathBuf>,
    constants: Option<PathBuf>,
    /// Folder of the level files.
    folder: Option<PathBuf>,
    /// Digest in hexadecimal, as text, because TOML's integers are too small.
    digest: Option<String>,
    preset: Option<String>,
    /// Seed of the preset, as text for the same reason.
    seed: Option<String>,
}

impl Head {
    fn of(unsaved: &Unsaved, now: SystemTime) -> Self {
        // Paths are made absolute, because recovery may run in another folder. TOML is Unicode text, so paths that are
        // not Unicode are left out. If the path of one of the design's files is left out, the paths of its other files
        // are left out too, because those files alone do not contain the whole design.
        let whole = |path: &PathBuf| {
            let path = std::path::absolute(path).unwrap_or_else(|_| path.clone());
            path.to_str().is_some().then_some(path)
        };
        let mut head = Self {
            kept: now.duration_since(UNIX_EPOCH).unwrap_or_default().as_secs(),
            pid: std::process::id(),
            folder: whole(&Path::new(".").join(&unsaved.folder)),
            digest: unsaved.digest.map(|digest| format!("{digest:x}")),
            preset: unsaved.origin.as_ref().map(|origin| origin.preset.clone()),
            seed: unsaved.origin.as_ref().map(|origin| origin.seed.to_string()),
            ..Self::default()
        };
        let files = unsaved.files.as_ref();
        match files.filter(|files| files.paths().iter().all(|path| whole(path).is_some())) {
            None => {}
            Some(DesignFiles::Toml(path)) => head.toml = whole(path),
            Some(DesignFiles::Legacy {
                rooms,
                stats,
                constants,
            }) => {
                head.rooms = whole(rooms);
                head.stats = stats.as_ref().and_then(whole);
                head.constants = constants.as_ref().and_then(whole);
            }
        }
        head
    }

    fn files(&self) -> Option<DesignFiles> {
        match self {
            Self { toml: Some(path), .. } => Some(DesignFiles::Toml(path.clone())),
            Self {
                rooms: Some(rooms),
                stats,
                constants,
                ..
            } => Some(DesignFiles::Legacy {
                rooms: rooms.clone(),
                stats: stats.clone(),
                constants: constants.clone(),
            }),
            _ => None,
        }
    }

    fn origin(&self) -> Option<UnsavedOrigin> {
        Some(UnsavedOrigin {
            preset: self.preset.clone()?,
            seed: self.seed.as_ref()?.parse().ok()?,
        })
    }

    fn write(&self) -> String {
        let lines = toml::to_string(self).unwrap_or_default();
        let heading = "# Unsaved work, autosaved by Wallcrawler; the designer offers it at the next start.\n";
        let marked = lines.lines().map(|line| format!("{MARK}{line}\n"));
        std::iter::once(heading.to_owned()).chain(marked).collect()
    }

    /// Parses the header lines of a text; missing values get their defaults. Notes of the design may contain lines that
    /// look like header lines, so only the first consecutive ones are read.
    fn read(text: &str) -> Self {
        let lines = text.lines().skip_while(|line| !line.starts_with(MARK));
        let lines: Vec<&str> = lines.map_while(|line| line.strip_prefix(MARK)).collect();
        toml::from_str(&lines.join("\n")).unwrap_or_default()
    }
}

/// The files to which one process writes its unsaved work. They are locked until the slot is dropped or the process
/// ends.
#[derive(Debug)]
pub struct AutosaveSlot {
    design: PathBuf,
    lock: PathBuf,
    // Closing the file releases the lock.
    _held: File,
}

impl AutosaveSlot {
    /// Creates a new, empty slot in a folder, which is created if missing.
    ///
    /// # Errors
    ///
    /// Fails if the folder cannot be created or written.
    pub fn new(folder: &Path) -> io::Result<Self> {
        make_private(folder)?;
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let mut number = now.as_micros() as u64;
        for _ in 0..100 {
            let lock = folder.join(format!("{}-{number}.{LOCK}", std::process::id()));
            let file = match File::create_new(&lock) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                    number += 1;
                    continue;
                }
                created => created?,
            };
            // Before the file was locked, another process may have removed it because it seemed unused. In that case,
            // try another name.
            if file.try_lock().is_ok_or_unsupported() && lock.exists() {
                return Ok(Self {
                    design: lock.with_extension(DESIGN),
                    lock,
                    _held: file,
                });
            }
            number += 1;
        }
        Err(io::Error::other(format!(
            "all autosave slots in {} are in use",
            folder.display()
        )))
    }

    /// Locks the slot of a design that another process left behind; returns `None` while that process lives.
    fn claim(design: PathBuf) -> Option<Self> {
        let lock = design.with_extension(LOCK);
        let file = File::options()
            .write(true)
            .create(true)
            .truncate(false)
            .open(&lock)
            .ok()?;
        let free = file.try_lock().is_ok_or_unsupported() && design.exists();
        free.then_some(Self {
            design,
            lock,
            _held: file,
        })
    }

    /// Returns the path of the slot's design.
    pub fn path(&self) -> &Path {
        &self.design
    }

    /// Writes a design to the slot, replacing the previous design.
    ///
    /// # Errors
    ///
    /// Fails if the design cannot be written; the previous design is then untouched.
    pub fn keep(&self, unsaved: &Unsaved) -> Result<(), StorageError> {
        let head = Head::of(unsaved, SystemTime::now()).write();
        let text = format!("{head}{}", native::write(&unsaved.design));
        write_atomic(&self.design, text.as_bytes())
    }

    /// Deletes the slot's design.
    ///
    /// # Errors
    ///
    /// Fails if the system cannot delete the file; a missing design is not an error.
    pub fn clear(&self) -> io::Result<()> {
        match fs::remove_file(&self.design) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }
}

impl PartialEq for AutosaveSlot {
    fn eq(&self, other: &Self) -> bool {
        self.design == other.design
    }
}

impl Eq for AutosaveSlot {}

impl Drop for AutosaveSlot {
    fn drop(&mut self) {
        // A lock file without a design is useless. If it cannot be removed here, the next call of [`leftovers`] removes
        // it.
        if !self.design.exists() {
            let _ = fs::remove_file(&self.lock);
        }
    }
}

/// Extends the result of locking a file. A lock counts as held if it was acquired, or if the file system does not
/// support locks: then only the unique file name protects the slot.
trait LockHeld {
    fn is_ok_or_unsupported(&self) -> bool;
}

impl LockHeld for Result<(), TryLockError> {
    fn is_ok_or_unsupported(&self) -> bool {
        !matches!(self, Err(TryLockError::WouldBlock))
    }
}

/// Creates a folder that only its owner can access, since unsaved work is private.
pub(super) fn make_private(folder: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::DirBuilderExt as _;
        builder.mode(0o700);
    }
    builder
        .create(folder)
        .map_err(|error| io::Error::new(error.kind(), format!("cannot create {}: {error}", folder.display())))
}

/// Unsaved work that another process left behind. While this value exists, no other process can claim the work.
#[derive(Debug, PartialEq, Eq)]
pub struct RecoverableWork {
    /// Slot with the unsaved work, locked by this process.
    pub slot: AutosaveSlot,
    /// Current content of the design's files, if it has files.
    pub loaded: Option<LoadedDesign>,
    /// Files of the design, if it has files.
    pub files: Option<DesignFiles>,
    /// Time since the autosave, if known.
    pub age: Option<Duration>,
    /// Preset from which a design without files was made.
    pub origin: Option<UnsavedOrigin>,
    /// Whether the design's files have changed since the autosave, or are missing.
    pub changed: bool,
    /// The unsaved design, or diagnostics if the autosave file cannot be used.
    pub design: Result<Design, Vec<Diagnostic>>,
}

impl RecoverableWork {
    fn of(slot: AutosaveSlot, now: SystemTime) -> Self {
        let bytes = read(slot.path());
        let text = bytes.map(|bytes| Text::decode(slot.path().display().to_string(), bytes));
        let (head, mut design) = match text {
            Ok(text) => {
                let parsed = native::parse(&text);
                let usable = parsed.is_usable();
                let design = if usable {
                    Ok(parsed.value)
                } else {
                    Err(parsed.diagnostics)
                };
                (Head::read(text.content()), design)
            }
            Err(error) => {
                let help = "inspect the file, or delete it";
                (
                    Head::default(),
                    Err(vec![Diagnostic::error(error.to_string()).help(help)]),
                )
            }
        };
        let files = head.files();
        if let (None, Some(folder), Ok(design)) = (&files, &head.folder, &mut design) {
            // In a design without files, the names of level files are relative to the current folder, which may be
            // different in this process.
            move_level_files(design, folder, Path::new(""));
        }
        let loaded = files.as_ref().map(DesignFiles::load);
        let now_there = loaded.as_ref().map(|loaded| format!("{:x}", loaded.digest()));
        Self {
            age: (head.kept > 0).then(|| {
                let kept = UNIX_EPOCH + Duration::from_secs(head.kept);
                now.duration_since(kept).unwrap_or_default()
            }),
            changed: now_there.is_some() && head.digest.is_some() && head.digest != now_there,
            origin: head.origin(),
            files,
            loaded,
            design,
            slot,
        }
    }

    /// Returns the title: the name of the design's first file; without files, the name of the design.
    pub fn title(&self) -> String {
        let files = self.files.as_ref().map(DesignFiles::paths).unwrap_or_default();
        let file = files.first().and_then(|path| path.file_name());
        match (file, &self.design) {
            (Some(name), _) => name.to_string_lossy().into_owned(),
            (None, Ok(design)) if !design.name.is_empty() => design.name.clone(),
            _ => "untitled".into(),
        }
    }
}

/// Returns the unsaved work that processes left in a folder when they ended, the latest first. Also removes unused lock
/// files and drafts from the folder.
pub fn leftovers(folder: &Path) -> Vec<RecoverableWork> {
    let now = SystemTime::now();
    sweep(folder);
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        match path.extension().and_then(|ending| ending.to_str()) {
            Some(DESIGN) => found.extend(AutosaveSlot::claim(path).map(|slot| RecoverableWork::of(slot, now))),
            Some(LOCK) if !path.with_extension(DESIGN).exists() => tidy(&path),
            _ => {}
        }
    }
    found.sort_by_key(|left| (left.age.unwrap_or(Duration::MAX), left.slot.path().to_owned()));
    found
}

/// Removes a lock file whose process has ended without leaving unsaved work.
fn tidy(lock: &Path) {
    let Ok(file) = File::options().write(true).open(lock) else {
        return;
    };
    // Where locks are not supported, the process may still be running, so the file stays.
    if file.try_lock().is_ok() && !lock.with_extension(DESIGN).exists() {
        let _ = fs::remove_file(lock);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::design::VaultEntry;

    fn unsaved(files: Option<DesignFiles>) -> Unsaved {
        let mut design = Design {
            name: "Castle".into(),
            ..Design::default()
        };
        design.character.generations[0].step_length = 9;
        let digest = files.as_ref().map(|files| files.load().digest());
        Unsaved {
            design: Arc::new(design),
            files,
            folder: PathBuf::new(),
            digest,
            origin: Some(UnsavedOrigin {
                preset: "keep".into(),
                seed: u64::MAX,
            }),
        }
    }

    #[test]
    fn a_design_without_files_is_recovered_with_its_level_files_in_any_working_directory() {
        let folder = tempfile::tempdir().unwrap();
        let level = folder.path().join("own.des");
        fs::write(&level, "own").unwrap();
        let mut unsaved = unsaved(None);
        unsaved.folder = folder.path().to_owned();
        let design = Arc::make_mut(&mut unsaved.design);
        design.layout.vaults = ["own.des", "missing.des", ""]
            .map(|file| VaultEntry {
                file: file.into(),
                ..VaultEntry::default()
            })
            .into();
        AutosaveSlot::new(&folder.path().join("state"))
            .unwrap()
            .keep(&unsaved)
            .unwrap();
        let left = leftovers(&folder.path().join("state"));
        let vaults = &left[0].design.as_ref().unwrap().layout.vaults;
        assert_eq!(
            fs::canonicalize(&vaults[0].file).unwrap(),
            level.canonicalize().unwrap()
        );
        assert_eq!((&*vaults[1].file, &*vaults[2].file), ("missing.des", ""));
    }

    #[test]
    fn unsaved_work_is_offered_only_after_its_process_has_ended() {
        let folder = tempfile::tempdir().unwrap();
        let state = folder.path().join("state/autosave");
        let file = folder.path().join("castle.toml");
        fs::write(&file, native::write(&Design::default())).unwrap();
        let unsaved = unsaved(Some(DesignFiles::Toml(file.clone())));
        assert_eq!(leftovers(&state), [], "no folder, nothing left");
        let slot = AutosaveSlot::new(&state).unwrap();
        slot.keep(&unsaved).unwrap();
        assert_eq!(leftovers(&state), [], "the process that holds it is alive");
        drop(slot);
        let left = leftovers(&state);
        assert_eq!(left.len(), 1);
        assert_eq!(left[0].design.as_ref(), Ok(&*unsaved.design));
        assert_eq!(left[0].files, unsaved.files);
        assert!(!left[0].changed && left[0].age.unwrap() < Duration::from_hours(1));
        assert_eq!(left[0].title(), "castle.toml");
        assert_eq!(leftovers(&state), [], "only one designer offers it at a time");
        drop(left);
        fs::write(&file, "seed = 3").unwrap();
        assert!(leftovers(&state)[0].changed);
        fs::remove_file(&file).unwrap();
        let left = leftovers(&state);
        assert!(left[0].changed);
        left[0].slot.clear().unwrap();
        drop(left);
        assert_eq!(fs::read_dir(&state).unwrap().count(), 0, "nothing stays behind");
    }

    #[test]
    fn designs_with_three_files_and_with_none_are_saved_with_their_origin() {
        let folder = tempfile::tempdir().unwrap();
        let files = DesignFiles::Legacy {
            rooms: folder.path().join("rooms \"4\""),
            stats: Some(folder.path().join("stats4")),
            constants: None,
        };
        for files in [Some(files), None] {
            let slot = AutosaveSlot::new(folder.path()).unwrap();
            slot.keep(&unsaved(files.clone())).unwrap();
            let text = fs::read_to_string(slot.path()).unwrap();
            assert_eq!(Head::read(&text).pid, std::process::id());
            assert!(
                native::parse(&Text::new("kept", text)).is_usable(),
                "it can be opened by hand"
            );
            drop(slot);
            let left = leftovers(folder.path());
            assert_eq!(left[0].files, files);
            assert_eq!(left[0].origin, unsaved(None).origin);
            left[0].slot.clear().unwrap();
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_design_with_a_file_whose_name_is_not_unicode_is_recovered_without_files() {
        let folder = tempfile::tempdir().unwrap();
        let files = DesignFiles::not_unicode(folder.path());
        let slot = AutosaveSlot::new(folder.path()).unwrap();
        slot.keep(&unsaved(Some(files))).unwrap();
        drop(slot);
        let left = leftovers(folder.path());
        assert_eq!(left[0].files, None);
        assert!(!left[0].changed, "no files, so none have changed");
    }

    #[test]
    fn notes_that_look_like_the_header_do_not_hide_the_files_of_a_design() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("castle.toml");
        fs::write(&file, native::write(&Design::default())).unwrap();
        let mut unsaved = unsaved(Some(DesignFiles::Toml(file)));
        Arc::make_mut(&mut unsaved.design).notes = "Ideas\n#: more rooms\n".into();
        let state = folder.path().join("state");
        AutosaveSlot::new(&state).unwrap().keep(&unsaved).unwrap();
        assert_eq!(leftovers(&state)[0].files, unsaved.files);
    }

    #[test]
    fn unreadable_work_is_offered_with_the_reason() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("1-2.toml"), "seed = [").unwrap();
        fs::write(folder.path().join("3-4.lock"), "").unwrap();
        let left = leftovers(folder.path());
        assert!(left[0].design.is_err());
        assert_eq!(left[0].title(), "untitled");
        assert!(
            !folder.path().join("3-4.lock").exists(),
            "locks without a design are tidied up"
        );
    }

    #[test]
    fn a_slot_that_cannot_be_created_is_reported() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        fs::write(&file, "").unwrap();
        let error = AutosaveSlot::new(&file.join("autosave")).unwrap_err();
        assert!(error.to_string().contains("autosave"), "{error}");
    }

    #[test]
    fn two_slots_of_one_process_are_distinct() {
        let folder = tempfile::tempdir().unwrap();
        let slots: Vec<AutosaveSlot> = (0..20).map(|_| AutosaveSlot::new(folder.path()).unwrap()).collect();
        for (i, slot) in slots.iter().enumerate() {
            assert!(slots[i + 1..].iter().all(|other| other != slot));
        }
    }
}
