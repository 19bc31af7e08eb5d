//! The open design and its files: reading them again, saving, and what changed on which side.
//!
//! Whatever another program wrote is taken or asked about, never written over unseen; the side that gives way stays
//! reachable by undo.

use std::sync::Arc;

use super::{Document, Fresh, Levels};
use crate::design::{Design, Diagnostic, ValidDesign};
use crate::storage::{Backups, DesignFiles, Loaded, StorageError};

/// What became of the document when its files were looked at again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reload {
    /// The files hold what they held, or what the design holds.
    Unchanged,
    /// The design is now what the files hold; undo brings the one before back.
    Reloaded,
    /// The files cannot be used; the design stands as it was, and [`Document::diagnostics`] says what is wrong.
    Broken,
    /// The files changed and so did the design; see [`Document::conflict`].
    Conflict,
    /// A file is gone; the design stands and counts as unsaved.
    Gone,
}

/// A side of a conflict.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// The design in the designer.
    Mine,
    /// The design in the files.
    Theirs,
}

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
    /// A file could not be read or written, or the format cannot carry the design.
    #[error(transparent)]
    Storage(#[from] StorageError),
}

impl Document {
    /// Looks at the files again, after they may have been changed elsewhere.
    pub fn reload(&mut self) -> Reload {
        let loaded = self.files.as_ref().map(DesignFiles::load);
        loaded.map_or(Reload::Unchanged, |loaded| self.compare(loaded))
    }

    /// The same with what the files hold, which somebody read; whether a level file changed, too.
    pub fn reload_from(&mut self, fresh: Fresh) -> (Reload, bool) {
        self.shelf.bring(fresh.levels);
        let outcome = fresh
            .loaded
            .filter(|_| self.files.is_some())
            .map_or(Reload::Unchanged, |loaded| self.compare(loaded));
        let changed = self.shelf.forget_changed();
        if changed {
            self.check();
        }
        self.shelf.bring(Levels::default());
        (outcome, changed)
    }

    /// Takes what the files hold, or says why not.
    fn compare(&mut self, loaded: Loaded) -> Reload {
        if self.disk.as_ref().is_some_and(|disk| disk.same_text(&loaded)) {
            return Reload::Unchanged;
        }
        self.touch();
        self.gone = loaded.missing;
        self.broken.clear();
        if self.gone {
            self.disk = Some(loaded);
            return Reload::Gone;
        }
        let Some(theirs) = loaded.design.clone() else {
            self.broken.clone_from(&loaded.diagnostics);
            self.disk = Some(loaded);
            return Reload::Broken;
        };
        let was_dirty = self.is_dirty();
        let theirs = Arc::new(self.with_own_parts(theirs));
        self.disk = Some(loaded);
        self.saved = Arc::clone(&theirs);
        if !self.is_dirty() {
            self.conflict = None;
            self.history.note_saved(true);
            self.check();
            return Reload::Unchanged;
        }
        if was_dirty {
            self.history.note_saved(false);
            self.conflict = Some(theirs);
            return Reload::Conflict;
        }
        self.take(&theirs);
        Reload::Reloaded
    }

    /// A design from the files, with what their format cannot carry taken from the open one.
    fn with_own_parts(&self, mut theirs: Design) -> Design {
        if let Some(DesignFiles::Legacy { .. }) = self.files {
            let mine = self.design();
            theirs.name.clone_from(&mine.name);
            theirs.notes.clone_from(&mine.notes);
            theirs.seed = mine.seed;
            theirs.expect.clone_from(&mine.expect);
        }
        theirs
    }

    fn take(&mut self, design: &Design) {
        let name = format!("{} changed elsewhere", self.title());
        self.history.edit(None, design.clone(), |_, _| name);
        self.history.note_saved(true);
        self.check();
    }

    /// The files' side, while a change on both sides waits for a decision.
    pub fn conflict(&self) -> Option<&Design> {
        self.conflict.as_deref()
    }

    /// Decides a conflict. The side that gives way stays reachable by undo.
    pub fn resolve(&mut self, side: Side) {
        let Some(theirs) = self.conflict.take() else { return };
        let mine = Arc::clone(self.history.present());
        self.take(&theirs);
        if side == Side::Mine {
            self.history
                .edit(None, (*mine).clone(), |_, _| "your version kept".into());
            self.check();
        }
    }

    /// Writes the design to its files. Gives what the format could not carry.
    ///
    /// # Errors
    ///
    /// When there are no files; when one was changed elsewhere since it was read, or cannot be read, and
    /// `replace` does not say to write all the same; when one cannot be written. The files on disk are
    /// whole in any case.
    pub fn save(&mut self, replace: bool) -> Result<Vec<Diagnostic>, SaveError> {
        if self.files.is_none() {
            return Err(SaveError::NoFiles);
        }
        let mine = Arc::clone(self.history.present());
        self.reload();
        if !replace && self.conflict.is_some() {
            return Err(SaveError::Changed);
        }
        if !replace && !self.broken.is_empty() {
            return Err(SaveError::Unreadable);
        }
        if *self.design() != *mine {
            // Nothing here was unsaved, and the reload took what the files hold: there is nothing to write.
            return Ok(Vec::new());
        }
        self.resolve(Side::Mine);
        self.write()
    }

    /// Writes the design to other files and keeps it there from now on. The caller has asked whether files
    /// that are there already may be replaced.
    ///
    /// # Errors
    ///
    /// When a file cannot be written; the document then stays with the files it had.
    pub fn save_as(&mut self, files: DesignFiles) -> Result<Vec<Diagnostic>, SaveError> {
        let before = (self.files.replace(files), self.disk.take());
        let written = self.write();
        if written.is_err() {
            (self.files, self.disk) = before;
        }
        written
    }

    /// Writes a copy of the design to other files; it stays where it is kept. The caller has asked whether files that
    /// are there already may be replaced. Gives what the format could not carry.
    ///
    /// # Errors
    ///
    /// When a file cannot be written.
    pub fn export(&mut self, files: &DesignFiles) -> Result<Vec<Diagnostic>, SaveError> {
        let pieces = self.valid.as_ref().map_or(&[][..], ValidDesign::pieces);
        Ok(files.save(self.history.present(), pieces, None, &mut self.backups)?)
    }

    /// What has been backed up in this session: a document that takes the place of another goes on with it.
    pub const fn backups_mut(&mut self) -> &mut Backups {
        &mut self.backups
    }

    fn write(&mut self) -> Result<Vec<Diagnostic>, SaveError> {
        let Some(files) = &self.files else {
            return Err(SaveError::NoFiles);
        };
        let pieces = self.valid.as_ref().map_or(&[][..], ValidDesign::pieces);
        let notes = files.save(self.history.present(), pieces, self.disk.as_ref(), &mut self.backups)?;
        let loaded = files.load();
        // What is on disk now, not what was meant: where the format cannot carry a part, it stays unsaved.
        if let Some(design) = loaded.design.clone() {
            self.saved = Arc::new(self.with_own_parts(design));
        }
        self.disk = Some(loaded);
        self.gone = false;
        self.drawn.clear();
        self.conflict = None;
        self.broken.clear();
        self.history.seal();
        self.history.note_saved(true);
        self.check();
        Ok(notes)
    }
}
