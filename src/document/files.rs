//! The open design and its files: reading them again, and what changed on which side.
//!
//! Whatever another program wrote is taken or asked about, never written over unseen; the side that gives way stays
//! reachable by undo.

use std::sync::Arc;

use super::{Document, Fresh, Levels};
use crate::design::Design;
use crate::storage::{DesignFiles, Loaded};

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
    pub(super) fn compare(&mut self, loaded: Loaded) -> Reload {
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
    pub(super) fn with_own_parts(&self, mut theirs: Design) -> Design {
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
}
