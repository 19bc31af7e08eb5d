//! Saving, in three steps: what is to be written is taken from the document, written wherever that may last, and told
//! to the document again.
//!
//! Only the middle step touches files, and it knows no document: it may be done on a thread of its own, for a drive may
//! not answer for minutes. What is edited meanwhile stays unsaved. [`Document::save`] and [`Document::save_as`] do all
//! three at once, for who has the time.

use std::path::PathBuf;
use std::sync::Arc;

use super::vaults::VaultShelf;
use super::{Document, FileSnapshot};
use crate::design::{Design, Diagnostic, PlacedVault, ValidDesign};
use crate::storage::{Backups, DesignFiles, LoadedDesign, StorageError, is_same_file};

/// Why a document was not saved.
#[derive(Debug, thiserror::Error)]
pub enum SaveError {
    /// It has no files yet.
    #[error("this design has no file yet")]
    NoFiles,
    /// A file changed since it was read; [`Document::conflict`] holds the other side.
    #[error("a file was changed elsewhere since it was read")]
    Changed,
    /// A file holds no usable design any more; writing would replace what somebody is at work on.
    #[error("a file was changed elsewhere and cannot be read as it stands")]
    Unreadable,
    /// Files stand there that nobody has said may be written over.
    #[error("{} exists already", names(.0))]
    InTheWay(Vec<PathBuf>),
    /// A copy would take the place of the design's own file.
    #[error("{} is the design's own file: saving writes it", .0.display())]
    Own(PathBuf),
    /// A file could not be read or written, or the format cannot carry the design.
    #[error(transparent)]
    Storage(#[from] StorageError),
}

fn names(paths: &[PathBuf]) -> String {
    let names: Vec<String> = paths.iter().map(|path| path.display().to_string()).collect();
    names.join(", ")
}

/// What the writing is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Purpose {
    /// The document is saved where it is kept.
    Again {
        /// Whether files that hold no usable design are written over.
        replace: bool,
        /// Whether what the files held when they were last read waits for a decision.
        waits: bool,
    },
    /// It is kept elsewhere from now on.
    Elsewhere,
    /// It stays where it is kept.
    Copy,
}

/// What is to be written, apart from its document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Saving {
    purpose: Purpose,
    files: DesignFiles,
    /// Whether files that are not the document's may be written over.
    over: bool,
    design: Arc<Design>,
    /// How many edits were done then.
    step: usize,
    pieces: Vec<PlacedVault>,
    /// The folder of the level files of vaults that are not resolved yet.
    unresolved: Option<PathBuf>,
    /// What the files held when they were last read.
    known: Option<LoadedDesign>,
    /// The document's own files.
    own: Vec<PathBuf>,
    backups: Backups,
}

/// What came of it.
#[derive(Debug)]
pub struct Saved {
    saving: Saving,
    outcome: Outcome,
}

#[derive(Debug)]
enum Outcome {
    /// It was written: what the format could not carry, and what the files hold now.
    Written(Vec<Diagnostic>, FileSnapshot),
    /// The files hold something that nobody here has seen, or has not decided about.
    Found(LoadedDesign),
    /// Why it was not written.
    Refused(SaveError),
}

impl Saving {
    /// The files that it is for.
    pub const fn files(&self) -> &DesignFiles {
        &self.files
    }

    /// Whether the document is kept elsewhere from then on.
    pub const fn is_elsewhere(&self) -> bool {
        matches!(self.purpose, Purpose::Elsewhere)
    }

    /// Writes it, as long as it is wanted, which is asked last before files are put in their place. The files are whole
    /// in any case, and what another program wrote is not written over unseen.
    pub fn write(mut self, wanted: &dyn Fn() -> bool) -> Saved {
        let outcome = self.put(wanted).unwrap_or_else(Outcome::Refused);
        Saved { saving: self, outcome }
    }

    fn put(&mut self, wanted: &dyn Fn() -> bool) -> Result<Outcome, SaveError> {
        let paths = self.files.paths();
        match self.purpose {
            Purpose::Again { replace, waits } => {
                let found = self.files.load();
                let is_known = self.known.as_ref().is_some_and(|known| known.same_text(&found));
                let may = match (&found.design, found.missing) {
                    (_, true) => !waits,
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
        if let (DesignFiles::Legacy { .. }, Some(folder)) = (&self.files, &self.unresolved) {
            // This format has no vaults: their squares are written.
            (self.pieces, _) = VaultShelf::default().resolve(&self.design, folder);
        }
        let (known, backups) = (self.known.as_ref(), &mut self.backups);
        let notes = self
            .files
            .save_while(&self.design, &self.pieces, known, backups, wanted)?;
        Ok(Outcome::Written(notes, FileSnapshot::read(Some(&self.files), &[])))
    }
}

impl Document {
    /// What is to be written to save the design to its files; with `replace`, files that hold no usable design are written
    /// over. Later edits are steps of their own.
    ///
    /// # Errors
    ///
    /// When there are no files.
    pub fn begin_save(&mut self, replace: bool) -> Result<Saving, SaveError> {
        let files = self.files.clone().ok_or(SaveError::NoFiles)?;
        let waits = self.conflict.is_some();
        let known = self.disk.clone();
        Ok(self.begin(Purpose::Again { replace, waits }, files, true, known))
    }

    /// What is to be written to keep the design in other files from now on. Files that are there already and not its own
    /// are written over where `over` says so.
    pub fn begin_save_as(&mut self, files: DesignFiles, over: bool) -> Saving {
        self.begin(Purpose::Elsewhere, files, over, None)
    }

    /// What is to be written for a copy in other files. Files that are there already are written over where `over` says
    /// so.
    pub fn begin_copy(&mut self, files: DesignFiles, over: bool) -> Saving {
        self.begin(Purpose::Copy, files, over, None)
    }

    fn begin(&mut self, purpose: Purpose, files: DesignFiles, over: bool, known: Option<LoadedDesign>) -> Saving {
        self.history.seal();
        Saving {
            purpose,
            files,
            over,
            design: Arc::clone(self.history.present()),
            step: self.history.now(),
            unresolved: self.is_resolving.then(|| self.folder()),
            pieces: self.valid.as_ref().map_or(&[][..], ValidDesign::pieces).to_vec(),
            known,
            own: self.files(),
            backups: self.backups.clone(),
        }
    }

    /// Takes what came of writing. Gives what the format could not carry. Where the files were changed elsewhere and
    /// nothing here was unsaved, nothing was written, and the design is now what they hold.
    ///
    /// # Errors
    ///
    /// Why the design was not written; the document then stays with the files it had.
    pub fn finish(&mut self, saved: Saved) -> Result<Vec<Diagnostic>, SaveError> {
        let Saved { saving, outcome } = saved;
        match outcome {
            Outcome::Refused(why) => Err(why),
            Outcome::Found(found) => {
                let is_usable = found.design.is_some();
                self.compare(found);
                if is_usable && self.conflict.is_none() && self.is_dirty() {
                    // The files hold again what was read first, but nobody saw that: the user decides.
                    self.history.note_saved(false);
                    self.conflict = Some(Arc::clone(&self.saved));
                }
                if self.conflict.is_some() {
                    Err(SaveError::Changed)
                } else if is_usable {
                    // The files hold all, by another's hand, or what they hold was taken.
                    Ok(Vec::new())
                } else {
                    Err(SaveError::Unreadable)
                }
            }
            Outcome::Written(notes, fresh) => {
                self.backups = saving.backups.clone();
                if saving.purpose != Purpose::Copy {
                    self.take_written(saving, fresh);
                }
                Ok(notes)
            }
        }
    }

    fn take_written(&mut self, saving: Saving, fresh: FileSnapshot) {
        self.files = Some(saving.files);
        self.shelf.bring(fresh.levels);
        if let Some(loaded) = fresh.loaded {
            // What is on disk now, not what was meant: where the format cannot carry a part, it stays unsaved.
            if let Some(design) = loaded.design.clone() {
                self.saved = Arc::new(self.with_own_parts(design));
            }
            self.disk = Some(loaded);
        }
        self.gone = false;
        self.drawn.clear();
        self.conflict = None;
        self.broken.clear();
        self.history.note_saved_at(saving.step, &saving.design);
        self.check();
    }

    /// Writes the design to its files. Gives what the format could not carry.
    ///
    /// # Errors
    ///
    /// When there are no files; when one was changed elsewhere since it was read; when one cannot be read, and
    /// `replace` does not say to write all the same; when one cannot be written. The files on disk are
    /// whole in any case.
    pub fn save(&mut self, replace: bool) -> Result<Vec<Diagnostic>, SaveError> {
        let saving = self.begin_save(replace)?;
        self.finish(saving.write(&|| true))
    }

    /// Writes the design to other files and keeps it there from now on. The caller has asked whether files
    /// that are there already may be replaced.
    ///
    /// # Errors
    ///
    /// When a file cannot be written; the document then stays with the files it had.
    pub fn save_as(&mut self, files: DesignFiles) -> Result<Vec<Diagnostic>, SaveError> {
        let saving = self.begin_save_as(files, true);
        self.finish(saving.write(&|| true))
    }

    /// What has been backed up in this session: a document that takes the place of another goes on with it.
    pub const fn backups_mut(&mut self) -> &mut Backups {
        &mut self.backups
    }
}
