//! Reloads the open design's files, and detects whether the files, the design or both have changed.
//!
//! If another program changes the files, the change is either applied to the design or becomes a conflict that the user
//! resolves. It is never overwritten without the user's knowledge. Undo restores the version that was replaced.

use std::sync::Arc;

use super::{DesignMerge, Document, FileSnapshot};
use crate::design::{Design, Diagnostic, Severity};
use crate::storage::{self, DesignFiles, LoadedDesign, StorageError};

/// Outcome of a reload.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reload {
    /// The design stays as it is: the files are unchanged, already equal the design, contain the last saved design, or,
    /// after a conflict, again contain the version that the design and the files had in common before it.
    Unchanged,
    /// The files changed and the design had no unsaved edits, so the design now equals the files. Undo restores the
    /// previous design.
    Reloaded,
    /// The files cannot be used; the design is unchanged and counts as unsaved, and [`Document::diagnostics`] lists the
    /// errors.
    Broken,
    /// Both the files and the design changed; [`Document::conflict`] returns the files' version.
    Conflict,
    /// A file was deleted; the design is unchanged and counts as unsaved.
    Gone,
}

/// Result of comparing the document with a snapshot of its files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reloaded {
    /// What happened to the design.
    pub outcome: Reload,
    /// Whether the text of a file changed, even if the design in it did not.
    pub is_other_text: bool,
    /// Whether a level file changed.
    pub is_other_level: bool,
}

/// One of the two versions in a conflict.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// The open design with its unsaved edits.
    Mine,
    /// The design in the files.
    Theirs,
}

/// A conflict between the open design and its files.
#[derive(Debug, Clone)]
pub(super) struct Conflict {
    /// Last version that the open design and the files had in common.
    base: Arc<Design>,
    /// Design in the files.
    theirs: Arc<Design>,
}

/// A conflict that was resolved by merging both versions. Undoing the merge restores the conflict.
#[derive(Debug)]
pub(super) struct ResolvedByMerge {
    conflict: Conflict,
    /// Number of applied steps up to and including the merge.
    pub(super) step: usize,
}

impl Document {
    /// Reads the files again after a possible change by another program.
    #[cfg(test)]
    pub(crate) fn reload(&mut self) -> Reload {
        let loaded = self.files.as_ref().map(DesignFiles::load);
        loaded.map_or(Reload::Unchanged, |loaded| self.compare(loaded))
    }

    /// Compares the document with a snapshot of its files and level files.
    pub fn reload_from(&mut self, fresh: FileSnapshot) -> Reloaded {
        self.library.bring(fresh.levels);
        let is_other_level = self.library.forget_changed();
        let revision = self.revision;
        let outcome = fresh
            .loaded
            .filter(|_| self.files.is_some())
            .map_or(Reload::Unchanged, |loaded| self.compare(loaded));
        let is_other_text = self.revision != revision;
        if is_other_level {
            self.check();
        }
        Reloaded {
            outcome,
            is_other_text,
            is_other_level,
        }
    }

    /// Returns the names of the files that the last comparison reported as changed, or the document's title if there
    /// are none.
    pub fn changed_names(&self) -> String {
        let names = self.changed.iter().filter_map(|path| path.file_name());
        let names: Vec<_> = names.map(|name| name.to_string_lossy()).collect();
        if names.is_empty() {
            self.title()
        } else {
            names.join(", ")
        }
    }

    /// Returns the verb that agrees with [`changed_names`](Self::changed_names): `was` or `were`.
    const fn changed_verb(&self) -> &'static str {
        if self.changed.len() > 1 { "were" } else { "was" }
    }

    /// Returns a message about the files that the last comparison reported as changed. For example, if `what` is
    /// `deleted`: `dungeon.stats was deleted`.
    pub fn changed_files(&self, what: &str) -> String {
        format!("{} {} {what}", self.changed_names(), self.changed_verb())
    }

    /// Returns the warnings about the files that the last comparison reported as changed.
    pub fn changed_warnings(&self) -> impl Iterator<Item = &Diagnostic> {
        let is_of_changed = |diagnostic: &&Diagnostic| {
            let file = diagnostic.source.as_ref().map(|source| &source.file);
            self.changed
                .iter()
                .any(|path| Some(&path.display().to_string()) == file)
        };
        self.diagnostics()
            .filter(|diagnostic| diagnostic.severity == Severity::Warning)
            .filter(is_of_changed)
    }

    /// Returns whether a file of the design exists but cannot be read.
    pub fn is_unreadable(&self) -> bool {
        self.disk.as_ref().is_some_and(|disk| disk.unreadable && !disk.missing)
    }

    /// Compares newly read files with their last known content, and loads the design if it changed. If the open design
    /// has unsaved edits, a conflict is recorded instead. If the files cannot be used, their diagnostics are recorded.
    pub(super) fn compare(&mut self, mut loaded: LoadedDesign) -> Reload {
        if self.disk.as_ref().is_some_and(|disk| disk.same_text(&loaded)) {
            return Reload::Unchanged;
        }
        self.touch();
        self.history.forget_earlier();
        self.changed = match &self.disk {
            Some(disk) => disk.changed(&loaded, self.files()),
            None => self.files(),
        };
        self.gone = loaded.design.is_none();
        self.broken.clear();
        if loaded.missing {
            // The message names only the files that were deleted, not those that were changed as well.
            self.changed = self.files();
            self.changed.retain(|path| !loaded.has_text_of(path));
            self.set_disk(loaded);
            return Reload::Gone;
        }
        let before = Arc::clone(&self.saved);
        let Some(theirs) = &mut loaded.design else {
            self.broken.clone_from(&loaded.diagnostics);
            self.set_disk(loaded);
            return Reload::Broken;
        };
        self.copy_own_parts(&before, theirs);
        let theirs = Arc::new(theirs.clone());
        let was_dirty = self.is_dirty();
        self.set_disk(loaded);
        if was_dirty && theirs == self.saved {
            // The files contain the last saved design: another program changed only comments, or restored a broken or
            // missing file. Only the open design has changed, so this is not a conflict. If a save finds this change,
            // `Document::finish` nevertheless records a conflict.
            self.check();
            return Reload::Unchanged;
        }
        self.saved = Arc::clone(&theirs);
        self.merged = None;
        if !self.is_dirty() {
            self.conflict = None;
            self.history.note_saved(true);
            self.check();
            return Reload::Unchanged;
        }
        if was_dirty {
            self.history.note_saved(false);
            if self.conflict.as_ref().is_some_and(|conflict| conflict.base == theirs) {
                // Another program reverted its change, so again only the open design has changed.
                self.conflict = None;
                self.check();
                return Reload::Unchanged;
            }
            self.set_conflict(before, theirs);
            return Reload::Conflict;
        }
        self.replace_design(&theirs);
        Reload::Reloaded
    }

    /// Records the present content of the files. If they cannot be used any more, their last usable content is kept.
    pub(super) fn set_disk(&mut self, loaded: LoadedDesign) {
        let before = self.disk.replace(loaded);
        if self.disk.as_ref().is_some_and(|disk| disk.design.is_some()) {
            self.last_usable = None;
        } else if let Some(before) = before.filter(|before| before.design.is_some()) {
            self.last_usable = Some(before);
        }
    }

    /// Returns the last usable content of the design's TOML file; `None` if the design was not read from a TOML file.
    /// When the design is written as TOML again, the comments and order of this content are kept. After undo, this is
    /// the content from before the undone steps, so that comments which went with a removed record come back.
    pub(super) fn toml_basis(&self) -> Option<&LoadedDesign> {
        let is_toml = matches!(self.files, Some(DesignFiles::Toml(_)));
        let usable = self.disk.as_ref().filter(|disk| disk.design.is_some());
        let last = usable.or(self.last_usable.as_ref());
        self.history.earlier().or(last).filter(|_| is_toml)
    }

    /// Returns the design as TOML. Like a save, it keeps the comments and order of the TOML file that the design was
    /// read from.
    ///
    /// # Errors
    ///
    /// Fails if the text of that file cannot be updated.
    pub fn toml_text(&self) -> Result<String, StorageError> {
        storage::toml_text(self.design(), self.toml_basis())
    }

    /// Completes `read`, a design that was read from the files: if their format cannot store the name, notes, seed,
    /// expectations and named places of a design, they are copied from `design`.
    pub(super) fn copy_own_parts(&self, design: &Design, read: &mut Design) {
        if let Some(DesignFiles::Legacy { .. }) = self.files {
            read.name.clone_from(&design.name);
            read.notes.clone_from(&design.notes);
            read.seed = design.seed;
            read.expect.clone_from(&design.expect);
            read.layout.places.clone_from(&design.layout.places);
        }
    }

    /// Replaces the design with the files' version, completed by [`Self::copy_own_parts`].
    fn replace_design(&mut self, design: &Design) {
        let name = format!("{} changed on disk", self.changed_names());
        let mut design = design.clone();
        self.copy_own_parts(self.design(), &mut design);
        self.history.edit(None, design, |_, _| name);
        self.history.note_saved(!self.is_dirty());
        self.check();
    }

    /// Returns the files' version of the design while a conflict is unresolved.
    pub fn conflict(&self) -> Option<&Design> {
        self.conflict.as_ref().map(|conflict| &*conflict.theirs)
    }

    /// Records a conflict: the open design and the files both differ from `base`, their last common version. If an
    /// earlier conflict is still unresolved, its base is kept.
    pub(super) fn set_conflict(&mut self, base: Arc<Design>, theirs: Arc<Design>) {
        let base = self.conflict.take().map_or(base, |conflict| conflict.base);
        self.conflict = Some(Conflict { base, theirs });
    }

    /// Returns the three versions of an unresolved conflict: the last common version, the open design and the files'
    /// version.
    pub fn conflict_versions(&self) -> Option<[&Design; 3]> {
        let conflict = self.conflict.as_ref()?;
        Some([&conflict.base, self.design(), &conflict.theirs])
    }

    /// Resolves a conflict by merging both versions, as one undo step. Undoing the merge makes the conflict unresolved
    /// again; otherwise a save after undo would overwrite the files' version without the user's knowledge.
    pub fn merge(&mut self) {
        let Some(conflict) = self.conflict.take() else { return };
        let merge = DesignMerge::of(&conflict.base, self.design(), &conflict.theirs);
        let name = format!("merged with {}", self.changed_names());
        if self.history.edit(None, merge.design, |_, _| name) {
            self.history.note_saved(*self.history.present() == self.saved);
            let step = self.history.now();
            self.merged = Some(ResolvedByMerge { conflict, step });
        }
        self.check();
    }

    /// Updates the conflict after undo or redo: restores the conflict while its merge is undone, and removes it if the
    /// merge was redone. A conflict that arose after the merge is not removed.
    pub(super) fn reopen_conflict(&mut self) {
        let Some(resolved) = &self.merged else { return };
        if self.history.now() < resolved.step {
            self.conflict = Some(resolved.conflict.clone());
        } else {
            self.conflict
                .take_if(|conflict| Arc::ptr_eq(&conflict.base, &resolved.conflict.base));
        }
    }

    /// Resolves a conflict by keeping one version. Undo restores the other version.
    pub fn resolve(&mut self, side: Side) {
        let Some(Conflict { theirs, .. }) = self.conflict.take() else {
            return;
        };
        self.merged = None;
        let mine = Arc::clone(self.history.present());
        self.replace_design(&theirs);
        if side == Side::Mine {
            self.history
                .edit(None, (*mine).clone(), |_, _| "your version kept".into());
            self.check();
        }
    }
}
