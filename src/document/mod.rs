//! The open design: where it came from, its history of edits, and what changed on which side.
//!
//! A document joins a design with the files it was read from. It saves, notices that a file changed
//! elsewhere, and never loses either side: whatever is replaced stays reachable by undo. It knows no
//! threads and no screen; who watches the files and who asks the person is elsewhere.

mod change;
mod history;
mod load;
mod machine;
mod prospect;
#[cfg(test)]
mod tests;
mod vaults;

use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

pub use history::Series;
pub use load::{Opened, diagnose, open, prepare};
pub use machine::available_memory;
pub use prospect::{Prospect, Seeds};

use self::history::History;
use self::vaults::Shelf;
use crate::design::{Design, Diagnostic, Expectations, Memory, ValidDesign};
use crate::presets::Preset;
use crate::storage::{Backups, DesignFiles, Loaded, Origin, StorageError, Unsaved};

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

/// The open design.
#[derive(Debug)]
pub struct Document {
    history: History,
    /// Changes with all that decides what is unsaved; no two documents have the same.
    revision: u64,
    /// Memory that a dungeon may use, in bytes.
    memory: Option<Memory>,
    files: Option<DesignFiles>,
    /// What the files held when they were last read or written.
    disk: Option<Loaded>,
    /// The design as the files last held it; without files, as it was opened.
    saved: Arc<Design>,
    /// The design that comes with the program and was opened, if one was; looked for when somebody asks.
    origin: OnceLock<Option<Origin>>,
    /// No file holds the design: one was deleted, or it was recovered from what a crash left.
    gone: bool,
    conflict: Option<Arc<Design>>,
    backups: Backups,
    valid: Option<ValidDesign>,
    shelf: Shelf,
    /// What validation found.
    diagnostics: Vec<Diagnostic>,
    /// What stage one of the current design's growth found, and the design that it was.
    stage_one: Vec<Diagnostic>,
    grown: Option<Arc<Design>>,
    /// What is wrong with files that could not be used, while they cannot.
    broken: Vec<Diagnostic>,
}

impl Document {
    /// A design without files: a preset, or a new one. It counts as saved until it is edited.
    pub fn new(design: Design, memory: Option<Memory>) -> Self {
        Self::kept_in(None, design, memory)
    }

    /// A design as its files, if it has any, were read.
    fn kept_in(files: Option<(DesignFiles, Loaded)>, design: Design, memory: Option<Memory>) -> Self {
        let (files, disk) = files.unzip();
        let history = History::new(design);
        let mut document = Self {
            saved: Arc::clone(history.present()),
            history,
            origin: OnceLock::new(),
            revision: 0,
            memory,
            files,
            disk,
            gone: false,
            conflict: None,
            backups: Backups::default(),
            valid: None,
            shelf: Shelf::default(),
            diagnostics: Vec::new(),
            stage_one: Vec::new(),
            grown: None,
            broken: Vec::new(),
        };
        document.check();
        document
    }

    /// The document of files that are read now, with another seed where one is given.
    ///
    /// # Errors
    ///
    /// What is wrong with the files, when nothing in them can be used.
    pub fn from_files(files: DesignFiles, seed: Option<u64>, memory: Option<Memory>) -> Result<Self, Vec<Diagnostic>> {
        let loaded = files.load();
        let Some(mut design) = loaded.design.clone() else {
            return Err(loaded.diagnostics);
        };
        design.seed = seed.unwrap_or(design.seed);
        Ok(Self::kept_in(Some((files, loaded)), design, memory))
    }

    /// The document of a design that a crash or a kill left unsaved, with its files as they are now: the design is
    /// unsaved, and one step of undo away is what they hold. Without files, that is the preset that it began as.
    pub fn recovered(
        design: Design,
        files: Option<DesignFiles>,
        origin: Option<&Origin>,
        memory: Option<Memory>,
    ) -> Self {
        let loaded = files.map(|files| (files.load(), files));
        let there = loaded.as_ref().and_then(|(loaded, _)| loaded.design.clone());
        let began = origin.filter(|_| loaded.is_none()).and_then(|origin| {
            let mut design = Preset::find(&origin.preset)?.design();
            design.seed = origin.seed;
            Some(design)
        });
        let known = there.is_some() || began.is_some();
        let mut base = there.or(began).unwrap_or_else(|| design.clone());
        if let Some((_, DesignFiles::Legacy { .. })) = &loaded {
            base.name.clone_from(&design.name);
            base.notes.clone_from(&design.notes);
            base.seed = design.seed;
        }
        let broken = loaded
            .as_ref()
            .filter(|(loaded, _)| loaded.design.is_none() && !loaded.missing);
        let broken = broken.map(|(loaded, _)| loaded.diagnostics.clone()).unwrap_or_default();
        let mut document = Self::kept_in(loaded.map(|(loaded, files)| (files, loaded)), base, memory);
        document.gone = !known;
        document.broken = broken;
        let recovered = "recovered what was unsaved".to_owned();
        document.history.edit(None, design, |_, _| recovered);
        document.check();
        document
    }

    /// What would be lost if the program ended now; `None` when the files hold it all.
    pub fn unsaved(&self) -> Option<Unsaved> {
        self.is_dirty().then(|| Unsaved {
            design: Arc::clone(self.history.present()),
            files: self.files.clone(),
            digest: self.disk.as_ref().map(Loaded::digest),
            origin: self.origin(),
        })
    }

    /// The preset that a design without files began as.
    fn origin(&self) -> Option<Origin> {
        if self.files.is_some() {
            return None;
        }
        let find = || {
            let seed = self.saved.seed;
            let is_it = |preset: &&Preset| {
                Design {
                    seed,
                    ..preset.design()
                } == *self.saved
            };
            let preset = Preset::all().iter().find(is_it)?.name.to_owned();
            Some(Origin { preset, seed })
        };
        self.origin.get_or_init(find).clone()
    }

    /// A number that changes whenever [`Self::unsaved`] may; no two documents have the same.
    pub const fn revision(&self) -> u64 {
        self.revision
    }

    /// The design as it stands.
    pub fn design(&self) -> &Design {
        self.history.present()
    }

    /// The same, to be kept: whether it is still the design can be told by the pointer.
    pub fn shared(&self) -> Arc<Design> {
        Arc::clone(self.history.present())
    }

    /// Another design as it could be grown in the place of this one, with its vaults; `None` where it could not.
    pub fn trial(&mut self, design: &Design) -> Option<ValidDesign> {
        let (valid, _) = load::validate(design, None, self.memory);
        let (pieces, _) = self.shelf.place(design, &self.folder());
        valid.map(|valid| valid.with_pieces(pieces))
    }

    /// The design to grow, when it can be grown.
    pub const fn valid(&self) -> Option<&ValidDesign> {
        self.valid.as_ref()
    }

    /// What is wrong: with the files first, where they cannot be used, then with the design.
    pub fn diagnostics(&self) -> impl Iterator<Item = &Diagnostic> {
        self.broken.iter().chain(&self.diagnostics).chain(&self.stage_one)
    }

    /// Takes what stage one of the growth of this design found, once a run has begun.
    pub fn note_stage_one(&mut self, found: Vec<Diagnostic>) {
        self.stage_one = load::locate(found, self.texts());
        self.grown = Some(self.shared());
    }

    /// The files' texts, while they still say what the design says: only then their lines can be named.
    fn texts(&self) -> Option<&Loaded> {
        self.disk
            .as_ref()
            .filter(|disk| disk.design.is_some() && !self.is_dirty())
    }

    /// Notes that what is unsaved may have changed.
    fn touch(&mut self) {
        static LAST: AtomicU64 = AtomicU64::new(0);
        self.revision = LAST.fetch_add(1, Ordering::Relaxed) + 1;
    }

    fn check(&mut self) {
        self.touch();
        let texts = self.texts();
        let (valid, found) = load::validate(self.design(), texts, self.memory);
        let read = texts.map(|texts| texts.diagnostics.clone()).unwrap_or_default();
        let (pieces, vaults) = self.shelf.place(self.history.present(), &self.folder());
        let vaults = load::locate(vaults, self.texts());
        self.valid = valid.map(|valid| valid.with_pieces(pieces));
        // What was read has been told so already.
        let edited = self.texts().is_none();
        let expected = edited.then(|| self.design().expectation_problems());
        self.diagnostics = read.into_iter().chain(found).chain(vaults).collect();
        self.diagnostics.extend(expected.into_iter().flatten());
        if self.grown.as_ref().is_some_and(|grown| grown.grows_like(self.design())) {
            // Nothing is grown anew, and the lines may be others.
            self.stage_one.iter_mut().for_each(|found| found.source = None);
        } else {
            self.stage_one.clear();
        }
    }

    /// What a person calls it: its first file's name, or the design's.
    pub fn title(&self) -> String {
        let file = self
            .files()
            .into_iter()
            .next()
            .and_then(|path| path.file_name().map(std::ffi::OsStr::to_owned));
        match file {
            Some(name) => name.to_string_lossy().into_owned(),
            None if self.design().name.is_empty() => "untitled".into(),
            None => self.design().name.clone(),
        }
    }

    /// The files it is kept in.
    pub fn files(&self) -> Vec<PathBuf> {
        self.files.as_ref().map(DesignFiles::paths).unwrap_or_default()
    }

    /// The files to be watched: those it is kept in, and the level files of its vaults.
    pub fn watched(&self) -> Vec<PathBuf> {
        let mut files = self.files();
        files.extend(vaults::files(self.design(), &self.folder()));
        files
    }

    /// Where the level files that the design names are looked for: the folder of its first file.
    pub fn folder(&self) -> PathBuf {
        vaults::folder(self.files.as_ref())
    }

    /// What a search for another seed needs to know of it.
    pub fn prospect(&self) -> Prospect {
        Prospect::new(Arc::clone(self.history.present()), self.folder(), self.memory)
    }

    /// What the design was before the last edit that is done, with the edit's name.
    pub fn before(&self) -> Option<(String, Prospect)> {
        let (name, design) = self.history.before()?;
        let prospect = Prospect::new(Arc::new(design), self.folder(), self.memory);
        Some((name.to_owned(), prospect))
    }

    /// Reads the level files of its vaults anew, where they changed; whether one did.
    pub fn reload_vaults(&mut self) -> bool {
        let changed = self.shelf.forget_changed();
        if changed {
            self.check();
        }
        changed
    }

    /// How it is kept in files.
    pub const fn design_files(&self) -> Option<&DesignFiles> {
        self.files.as_ref()
    }

    /// Whether the files lack something of the design. What their format cannot carry does not count.
    pub fn is_dirty(&self) -> bool {
        // Most often nothing was edited, and a design may be long.
        let same = Arc::ptr_eq(&self.saved, self.history.present());
        self.gone || (!same && self.carried(&self.saved) != self.carried(self.design()))
    }

    /// The part of a design that its files can hold.
    fn carried(&self, design: &Design) -> Design {
        let mut design = design.clone();
        if let Some(DesignFiles::Legacy { .. }) = self.files {
            design.name.clear();
            design.notes.clear();
            design.seed = 0;
            design.expect = Expectations::default();
            if !design.layout.vaults.is_empty() {
                let pieces = self.valid.as_ref().map_or(&[][..], ValidDesign::pieces);
                design.layout = design.layout.with_tiles_of(pieces, &design.constants);
            }
        }
        design.layout.limits = design.layout.limits.raised_for(&design.layout);
        design
    }

    /// Changes the design as one step of its history; false when nothing changed.
    pub fn edit(&mut self, name: impl Into<String>, change: impl FnOnce(&mut Design)) -> bool {
        let name = name.into();
        self.edit_in(None, |_, _| name, change)
    }

    /// The same, as part of a series: changes of one series in a row are one step, named from the designs before
    /// the first of them and after the last.
    pub fn edit_in(
        &mut self,
        series: Option<Series>,
        name: impl FnOnce(&Design, &Design) -> String,
        change: impl FnOnce(&mut Design),
    ) -> bool {
        let mut design = self.design().clone();
        change(&mut design);
        let changed = self.history.edit(series, design, name);
        if changed {
            self.check();
        }
        changed
    }

    /// Later changes of a series begin a step of their own.
    pub fn seal(&mut self) {
        self.history.seal();
    }

    /// Takes the last step back and names it.
    pub fn undo(&mut self) -> Option<String> {
        let name = self.history.undo()?;
        self.check();
        Some(name)
    }

    /// Does the step taken back again and names it.
    pub fn redo(&mut self) -> Option<String> {
        let name = self.history.redo()?;
        self.check();
        Some(name)
    }

    /// The names of all steps, in their order: those that are done, then those that were taken back.
    pub fn steps(&self) -> impl ExactSizeIterator<Item = &str> {
        self.history.names()
    }

    /// How many steps are done.
    pub const fn step(&self) -> usize {
        self.history.now()
    }

    /// After how many steps the files last held the design; `None` when no step leads there any more.
    pub const fn saved_step(&self) -> Option<usize> {
        self.history.saved()
    }

    /// Goes to where so many steps are done; whether that was elsewhere.
    pub fn go_to(&mut self, step: usize) -> bool {
        let moved = self.history.go_to(step);
        if moved {
            self.check();
        }
        moved
    }

    /// Looks at the files again, after they may have been changed elsewhere.
    pub fn reload(&mut self) -> Reload {
        let Some(files) = &self.files else {
            return Reload::Unchanged;
        };
        let loaded = files.load();
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
        self.conflict = None;
        self.broken.clear();
        self.history.seal();
        self.history.note_saved(true);
        self.check();
        Ok(notes)
    }
}
