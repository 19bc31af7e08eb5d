//! Saves a document in three phases: the document provides the data, the data is written, and the document records the
//! result.
//!
//! Only the second phase accesses files. It does not need the document, so it can run on its own thread, which a slow
//! drive may block for minutes. Edits made in the meantime stay unsaved. [`Document::save_as`] runs all three phases on
//! the current thread and may block.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

use super::vaults::{self, DesignVaultCache};
use super::{Document, FileSnapshot};
use crate::design::{Design, Diagnostic, PlacedVault, ValidDesign};
use crate::storage::{self, Backups, DesignFiles, LoadedDesign, MovedLevelFiles, StorageError, is_same_file};

/// The reason why a document was not saved.
#[derive(Debug, thiserror::Error)]
pub enum SaveError {
    /// The document has no files yet.
    #[error("this design has no file yet")]
    NoFiles,
    /// Another program changed a file since it was read; [`Document::conflict`] returns the files' version.
    #[error("a file has changed on disk since it was read")]
    Changed,
    /// Another program changed a file, and the files no longer contain a usable design. They are not overwritten,
    /// because they may be work in progress.
    #[error("a file has changed on disk, and the files no longer contain a usable design")]
    Unreadable,
    /// These files exist at the destination, and the user has not confirmed that they may be replaced.
    #[error("{} already {}", names(.0), if .0.len() == 1 { "exists" } else { "exist" })]
    InTheWay(Vec<PathBuf>),
    /// A copy would replace this file, which is the design's own.
    #[error("{} is the design's own file; save the design instead", .0.display())]
    Own(PathBuf),
    /// A file could not be read or written, or the format cannot store the design.
    #[error(transparent)]
    Storage(#[from] StorageError),
}

fn names(paths: &[PathBuf]) -> String {
    let names: Vec<String> = paths.iter().map(|path| path.display().to_string()).collect();
    names.join(", ")
}

/// Purpose of a save.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Purpose {
    /// Saves the document to its own files.
    Again {
        /// Whether to replace files that contain no usable design. If a file of the design is missing, also whether to
        /// replace the other files even if another program changed them.
        replace: bool,
        /// Whether a conflict between the design and its files is unresolved.
        waits: bool,
    },
    /// Saves the document to other files, which become its own.
    Elsewhere,
    /// Writes a copy; the document keeps its files.
    Copy,
}

/// A prepared save: the data to write, independent of the document that it came from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Saving {
    purpose: Purpose,
    files: DesignFiles,
    /// Whether to replace existing files that are not the document's own.
    over: bool,
    design: Arc<Design>,
    /// Number of undo steps that were applied when the save was prepared.
    step: usize,
    /// Resolved vaults of the design.
    pieces: Vec<PlacedVault>,
    /// Whether some vaults were not resolved yet when the save was prepared.
    is_resolving: bool,
    /// Folder of the level files.
    folder: PathBuf,
    /// Names of the level files in the design and in its undo steps.
    level_files: BTreeSet<String>,
    /// The level files that get other names, because the destination is in another folder.
    moved: MovedLevelFiles,
    /// Content of the files when they were last read or written.
    known: Option<LoadedDesign>,
    /// The last usable content of the design's own files, if they are now missing or contain no usable design.
    last_usable: Option<LoadedDesign>,
    /// Content of the design's own TOML file, whose comments are kept in the new file. `None` if the design's own file
    /// or the destination is not a TOML file.
    basis: Option<LoadedDesign>,
    /// The document's own files.
    own: Vec<PathBuf>,
    backups: Backups,
}

/// Result of a save.
#[derive(Debug)]
pub struct Saved {
    saving: Saving,
    outcome: Outcome,
}

#[derive(Debug)]
enum Outcome {
    /// The files were written. Contains the diagnostics about parts that the format cannot store, and the new content
    /// of the files.
    Written(Vec<Diagnostic>, FileSnapshot),
    /// Nothing was written, because a conflict is unresolved, or because the files contain unread changes or no usable
    /// design. Contains the content found.
    Found(LoadedDesign),
    /// Nothing was written, for this reason.
    Failed(SaveError),
}

impl Saving {
    /// Returns the destination files.
    pub const fn files(&self) -> &DesignFiles {
        &self.files
    }

    /// Returns whether the destination files become the document's own with this save.
    pub const fn is_elsewhere(&self) -> bool {
        matches!(self.purpose, Purpose::Elsewhere)
    }

    /// Writes the files, provided that `wanted` returns true just before they are moved into place. Files are replaced
    /// atomically. When the document saves to its own files, changes by other programs that the document has not read
    /// are not overwritten.
    pub fn write(mut self, wanted: &dyn Fn() -> bool) -> Saved {
        let outcome = self.put(wanted).unwrap_or_else(Outcome::Failed);
        Saved { saving: self, outcome }
    }

    fn put(&mut self, wanted: &dyn Fn() -> bool) -> Result<Outcome, SaveError> {
        let paths = self.files.paths();
        // Checked first, because the questions about changed and existing files only make sense for regular files.
        let is_other =
            |path: &&PathBuf| path.metadata().is_ok_and(|found| !found.is_file()) && !storage::is_stream(path);
        if let Some(path) = paths.iter().find(is_other) {
            return Err(StorageError::NoFile { path: path.clone() }.into());
        }
        match self.purpose {
            Purpose::Again { replace, waits } => {
                let found = self.files.load();
                let is_known = self.known.as_ref().is_some_and(|known| known.same_text(&found));
                // If a file is missing, another program may have changed the other files.
                let seen = self.last_usable.as_ref().or(self.known.as_ref());
                let changed = seen.map(|seen| seen.changed(&found, paths.clone())).unwrap_or_default();
                let is_other = changed.iter().any(|path| found.has_text_of(path));
                let may = match (&found.design, found.missing) {
                    (_, true) => !waits && (replace || !is_other),
                    (None, false) => replace,
                    (Some(_), false) => is_known && !waits,
                };
                if !may {
                    return Ok(Outcome::Found(found));
                }
            }
            Purpose::Elsewhere => {}
            Purpose::Copy => {
                let is_own = |path: &&PathBuf| self.own.iter().any(|own| is_same_file(own, path));
                if let Some(path) = paths.iter().find(is_own) {
                    return Err(SaveError::Own(path.clone()));
                }
            }
        }
        let in_the_way = |path: &&PathBuf| !self.own.contains(path) && path.exists();
        let there: Vec<PathBuf> = paths.iter().filter(in_the_way).cloned().collect();
        if !self.over && !there.is_empty() {
            return Err(SaveError::InTheWay(there));
        }
        if self.is_resolving && matches!(self.files, DesignFiles::Legacy { .. }) {
            // The format cannot store vaults, so the vaults are resolved and their squares are written instead.
            (self.pieces, _) = DesignVaultCache::default().resolve(&self.design, &self.folder);
        }
        let names = self.level_files.iter().map(String::as_str);
        self.moved = MovedLevelFiles::find(names, &self.folder, &vaults::folder(Some(&self.files)));
        if !self.moved.is_empty() {
            self.moved.rename_in(Arc::make_mut(&mut self.design));
        }
        let (before, backups) = (self.basis.as_ref().or(self.known.as_ref()), &mut self.backups);
        let notes = self
            .files
            .save_while(&self.design, &self.pieces, before, backups, wanted)?;
        Ok(Outcome::Written(notes, FileSnapshot::read(Some(&self.files), &[])))
    }
}

impl Document {
    /// Prepares saving the design to its own files. With `replace`, files that contain no usable design are
    /// overwritten, even if another program changed them. If one of the design's files is missing, `replace` also
    /// overwrites the others, even if another program changed them, unless a conflict is unresolved. Closes the undo
    /// group.
    ///
    /// # Errors
    ///
    /// Fails if the document has no files.
    pub fn begin_save(&mut self, replace: bool) -> Result<Saving, SaveError> {
        let files = self.files.clone().ok_or(SaveError::NoFiles)?;
        let waits = self.conflict.is_some();
        let known = self.disk.clone();
        Ok(self.begin(Purpose::Again { replace, waits }, files, true, known))
    }

    /// Prepares saving the design to other files, which become its own. If they are in another folder, the level files
    /// get new names. Existing files are replaced only if they already are the design's own or if `over` is true.
    /// Closes the undo group.
    pub fn begin_save_as(&mut self, files: DesignFiles, over: bool) -> Saving {
        self.begin(Purpose::Elsewhere, files, over, None)
    }

    /// Prepares writing a copy to other files. Existing files are replaced only if `over` is true. Closes the undo
    /// group.
    pub fn begin_copy(&mut self, files: DesignFiles, over: bool) -> Saving {
        self.begin(Purpose::Copy, files, over, None)
    }

    fn begin(&mut self, purpose: Purpose, files: DesignFiles, over: bool, known: Option<LoadedDesign>) -> Saving {
        self.history.close_group();
        let is_toml = matches!(files, DesignFiles::Toml(_));
        Saving {
            basis: self.toml_basis().filter(|_| is_toml).cloned(),
            purpose,
            files,
            over,
            design: Arc::clone(self.history.present()),
            step: self.history.now(),
            is_resolving: self.is_resolving,
            folder: self.folder(),
            level_files: self.history.level_files(),
            moved: MovedLevelFiles::default(),
            pieces: self.valid.as_ref().map_or(&[][..], ValidDesign::pieces).to_vec(),
            known,
            last_usable: self.last_usable.clone(),
            own: self.files(),
            backups: self.backups.clone(),
        }
    }

    /// Records the result of a save, and returns the diagnostics about parts that the format cannot store. If another
    /// program had changed the files, the save wrote nothing; this function then loads the design from the files,
    /// unless the open design has unsaved changes.
    ///
    /// # Errors
    ///
    /// Returns the reason why the design was not written. The document then keeps its previous files.
    pub fn finish(&mut self, saved: Saved) -> Result<Vec<Diagnostic>, SaveError> {
        let Saved { saving, outcome } = saved;
        match outcome {
            Outcome::Failed(why) => Err(why),
            Outcome::Found(found) => {
                let is_usable = found.design.is_some();
                self.compare(found);
                if is_usable && self.conflict.is_none() && self.is_dirty() {
                    // The files contain the last saved design: another program changed only comments, or restored a
                    // broken file. `compare` reports no conflict, but the user has not seen this change yet. So a
                    // conflict is recorded, and the user decides whether to replace the files.
                    self.history.note_saved(false);
                    self.set_conflict(Arc::clone(&self.saved), Arc::clone(&self.saved));
                }
                if self.conflict.is_some() {
                    Err(SaveError::Changed)
                } else if is_usable {
                    // The files already equal the design, or their content was loaded.
                    Ok(Vec::new())
                } else {
                    Err(SaveError::Unreadable)
                }
            }
            Outcome::Written(notes, fresh) => {
                self.backups = saving.backups.clone();
                if saving.purpose != Purpose::Copy {
                    self.record_written(saving, fresh);
                }
                Ok(notes)
            }
        }
    }

    fn record_written(&mut self, saving: Saving, fresh: FileSnapshot) {
        if let (DesignFiles::Toml(_), Some(DesignFiles::Toml(_)), Some(disk)) = (&saving.files, &self.files, &self.disk)
        {
            self.history.keep_earlier(disk);
        } else {
            self.history.forget_earlier();
        }
        let files = Some(saving.files);
        if self.files != files {
            (self.disk, self.last_usable) = (None, None);
        }
        self.files = files;
        if !saving.moved.is_empty() {
            self.history.rename_level_files(&saving.moved);
            self.library.rename_level_files(&saving.moved);
        }
        self.library.bring(fresh.levels);
        if let Some(mut loaded) = fresh.loaded {
            // The content read back from disk counts as saved, not the design that was to be written: values that the
            // files did not store stay unsaved. Parts that no file of this format stores count as saved, because the
            // user is informed that they are left out, and saving again would not store them either.
            if let Some(design) = &mut loaded.design {
                self.copy_own_parts(&saving.design, design);
                self.saved = Arc::new(design.clone());
            }
            self.set_disk(loaded);
        }
        self.gone = false;
        self.drawn.clear();
        (self.conflict, self.merged) = (None, None);
        self.broken.clear();
        self.history.note_saved_at(saving.step, &saving.design);
        self.check();
    }

    /// Writes the design to its files. Returns the diagnostics about parts that the format cannot store.
    ///
    /// # Errors
    ///
    /// Fails if the document has no files, if a file was changed on disk since it was read, if a file contains no
    /// usable design (unless `replace` is true), or if a file cannot be written. No file is ever left partly written.
    #[cfg(test)]
    pub(crate) fn save(&mut self, replace: bool) -> Result<Vec<Diagnostic>, SaveError> {
        let saving = self.begin_save(replace)?;
        self.finish(saving.write(&|| true))
    }

    /// Writes the design to other files, which become its own, and returns the diagnostics about parts that the format
    /// cannot store. Existing files are replaced; the caller must have confirmed that.
    ///
    /// # Errors
    ///
    /// Fails if a file cannot be written. The document then keeps its previous files.
    pub fn save_as(&mut self, files: DesignFiles) -> Result<Vec<Diagnostic>, SaveError> {
        let saving = self.begin_save_as(files, true);
        self.finish(saving.write(&|| true))
    }

    /// Returns the record of the files that this session has backed up. The caller moves it to the document that
    /// replaces this one.
    pub const fn backups_mut(&mut self) -> &mut Backups {
        &mut self.backups
    }
}
