//! The open design: its origin, its history of edits, and conflicts with its files.
//!
//! A [`Document`] combines a design with the files that it was read from. It saves the design, and detects changes that
//! other programs make to the files. If it replaces one version of the design with another, undo restores the replaced
//! version. This module starts no threads and displays nothing; other modules watch the files and ask the user.

mod change;
mod drawing;
mod file_snapshot;
mod files;
mod history;
mod load;
mod memory;
mod merge;
mod new_design;
mod saving;
mod seeded_design;
mod source;
#[cfg(test)]
mod tests;
mod vaults;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

pub use crate::code::{CodeError, DungeonCode};
pub use drawing::{
    DrawingImport, FirstCrawler, ReadDrawing, add_crawler, drawing_of, files_of_drawing, is_drawing, read_drawing,
};
pub use file_snapshot::{FileSnapshot, LevelFileBytes};
pub use files::{Reload, Reloaded, Side};
pub use history::EditGroup;
pub use load::{Opened, diagnose, inputs, open, prepare};
pub use memory::available_memory;
pub use merge::{ChangedBy, DesignMerge, Difference, MergedPart};
pub use new_design::{NewDesign, StartWith};
pub use saving::{SaveError, Saved, Saving};
pub use seeded_design::{SeedDesigns, SeededDesign};
pub use source::{DrawingMerge, DrawingSource, ImportedTiles};
pub use vaults::{VaultReply, VaultRequest, files as level_files, folder as level_folder, source_files};

use self::files::{Conflict, ResolvedByMerge};
use self::history::History;
use self::vaults::DesignVaultCache;
use crate::design::{Design, Diagnostic, Memory, ValidDesign};
use crate::import::Placed;
use crate::presets::Preset;
use crate::recording_file::RecordingFile;
use crate::storage::{self, Backups, DesignFiles, LoadedDesign, Unsaved, UnsavedOrigin};

/// The open design.
#[derive(Debug)]
pub struct Document {
    history: History,
    /// A number that changes whenever the unsaved work may have changed. No two documents have the same number.
    revision: u64,
    /// Memory that the dungeon may use; `None` if it is unknown.
    memory: Option<Memory>,
    /// The design's files; `None` if it has none yet.
    files: Option<DesignFiles>,
    /// Content of the files when they were last read or written.
    disk: Option<LoadedDesign>,
    /// The last usable content of the files, if they are now missing or contain no usable design.
    last_usable: Option<LoadedDesign>,
    /// The design that the files last contained; without files, the design as it was opened.
    saved: Arc<Design>,
    /// Preset and seed from which a design without files was made, if any. Computed on first use.
    origin: OnceLock<Option<UnsavedOrigin>>,
    /// Whether the design counts as unsaved even without edits, because no file contains it: a file was deleted or no
    /// longer contains a usable design, or the design was made from a drawing or recovered after a crash.
    gone: bool,
    /// Files that changed, according to the last comparison that found a change.
    changed: Vec<PathBuf>,
    /// Unresolved conflict between the design and its files.
    conflict: Option<Conflict>,
    /// Conflict that was resolved by merging, and that undo restores.
    merged: Option<ResolvedByMerge>,
    backups: Backups,
    /// The validated design with its resolved vaults; `None` if it cannot be grown.
    valid: Option<ValidDesign>,
    library: DesignVaultCache,
    /// Whether some vaults are not resolved yet. Until all are, `valid` is `None`.
    is_resolving: bool,
    /// Diagnostics about the text, the values and the vaults of the design.
    diagnostics: Vec<Diagnostic>,
    /// Diagnostics of stage one for the design `grown`.
    stage_one: Vec<Diagnostic>,
    /// The design of the last growth that reported its diagnostics of stage one.
    grown: Option<Arc<Design>>,
    /// Diagnostics about files that currently contain no usable design.
    broken: Vec<Diagnostic>,
    /// Recording that the design was read from.
    recording_file: Option<Arc<RecordingFile>>,
    /// File that this recording was read from.
    recording_path: Option<PathBuf>,
    /// Turn to display, if the design was opened from a dungeon code that selects one. Removed when the display has
    /// read it.
    moment: Option<u64>,
    /// Diagnostics about the drawing that the design was made from. Cleared when the design is saved.
    drawn: Vec<Diagnostic>,
    /// Drawings that were imported into the design since it was opened.
    sources: Vec<DrawingSource>,
}

impl Document {
    /// Creates a document without files, for a preset or a new design. The document counts as saved until it is edited.
    pub fn new(design: Design, memory: Option<Memory>) -> Self {
        Self::kept_in(None, design, DesignVaultCache::default(), memory)
    }

    /// Creates a document for a TOML file that does not exist yet. The document counts as saved until it is edited,
    /// like a new file in a text editor. The file is created when the document is saved.
    pub fn in_new_file(path: PathBuf, design: Design, memory: Option<Memory>) -> Self {
        let files = DesignFiles::Toml(path);
        let loaded = files.load();
        Self::kept_in(Some((files, loaded)), design, DesignVaultCache::default(), memory)
    }

    /// Returns whether the document was created for a new file and has not been saved yet.
    pub fn is_new_file(&self) -> bool {
        !self.gone && self.disk.as_ref().is_some_and(|disk| disk.missing)
    }

    /// Opens the design of a recording; `file` is the path that the recording was read from, if any. The document has
    /// no files of its own. It counts as saved until it is edited, since the recording contains the design. The
    /// recorded vaults are used until an edit changes the vault entries, the seed or the size. A design without a name
    /// is named after the file.
    pub fn recorded(recording_file: RecordingFile, file: Option<&Path>, memory: Option<Memory>) -> Self {
        let mut design = Design::clone(&recording_file.design);
        if let Some(file) = file.filter(|_| design.name.is_empty()) {
            design.name = storage::input_stem(file);
        }
        let mut document = Self::kept_in(None, design, DesignVaultCache::recorded(&recording_file.design), memory);
        document.recording_file = Some(Arc::new(recording_file));
        document.recording_path = file.map(Path::to_owned);
        document
    }

    /// Returns the recording that the design was read from. While the design equals the recorded one, this recording is
    /// displayed.
    pub const fn recording_file(&self) -> Option<&Arc<RecordingFile>> {
        self.recording_file.as_ref()
    }

    /// Returns the path of the file that the recording was read from.
    pub fn recording_path(&self) -> Option<&Path> {
        self.recording_path.as_deref()
    }

    /// Removes and returns the recording that the design was read from.
    pub const fn take_recording(&mut self) -> Option<Arc<RecordingFile>> {
        self.recording_file.take()
    }

    /// Opens the design of a dungeon code. The document has no files. It counts as saved until it is edited, since the
    /// code contains the design.
    pub fn of_code(code: DungeonCode, memory: Option<Memory>) -> Self {
        let mut document = Self::new(code.design, memory);
        document.moment = code.turn;
        document
    }

    /// Removes and returns the turn that the dungeon code selects for display.
    pub const fn take_moment(&mut self) -> Option<u64> {
        self.moment.take()
    }

    /// Creates an unsaved document from a drawing file. `seed` replaces the design's seed if it is given.
    ///
    /// # Errors
    ///
    /// Returns the diagnostics if the file contains no drawing, or if the drawing does not fit into a dungeon.
    pub fn of_drawing(
        path: &Path,
        import: &DrawingImport,
        seed: Option<u64>,
        memory: Option<Memory>,
    ) -> Result<Self, Vec<Diagnostic>> {
        let (drawn, digest) = drawing::read_with_digest(path, import)?;
        let name = storage::input_stem(path);
        let mut placed = import.alone(&drawn.drawing, &name).map_err(|error| vec![*error])?;
        placed.design.seed = seed.unwrap_or(placed.design.seed);
        let taken = ImportedTiles::alone(Arc::new(drawn.drawing), import.placing, &placed);
        let source = DrawingSource::new(path.to_owned(), import.clone(), digest, taken);
        Ok(Self::of_placed(placed, drawn.diagnostics, source, memory))
    }

    /// Creates an unsaved document from a drawing that was placed in a new design; `diagnostics` are those from reading
    /// the drawing.
    pub fn of_placed(
        placed: Placed,
        diagnostics: Vec<Diagnostic>,
        source: DrawingSource,
        memory: Option<Memory>,
    ) -> Self {
        let mut document = Self::new(placed.design, memory);
        document.gone = true;
        document.drawn = diagnostics;
        document.drawn.extend(placed.diagnostics);
        document.sources.push(source);
        document.touch();
        document
    }

    /// Returns the drawings that were imported into the design since it was opened.
    pub fn sources(&self) -> &[DrawingSource] {
        &self.sources
    }

    /// Returns the imported drawings for modification.
    pub const fn sources_mut(&mut self) -> &mut Vec<DrawingSource> {
        &mut self.sources
    }

    /// Returns the diagnostics about the drawing that the design was made from; none once the design is saved.
    pub fn drawn(&self) -> &[Diagnostic] {
        &self.drawn
    }

    /// Creates a document from a design and, if it has files, their content.
    fn kept_in(
        files: Option<(DesignFiles, LoadedDesign)>,
        design: Design,
        library: DesignVaultCache,
        memory: Option<Memory>,
    ) -> Self {
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
            last_usable: None,
            gone: false,
            changed: Vec::new(),
            conflict: None,
            merged: None,
            backups: Backups::default(),
            valid: None,
            library,
            is_resolving: false,
            diagnostics: Vec::new(),
            stage_one: Vec::new(),
            grown: None,
            broken: Vec::new(),
            recording_file: None,
            recording_path: None,
            moment: None,
            drawn: Vec::new(),
            sources: Vec::new(),
        };
        document.check();
        document
    }

    /// Reads the files of a design and opens it. `seed` replaces the design's seed if it is given.
    ///
    /// # Errors
    ///
    /// Returns the diagnostics if the files contain no usable design.
    pub fn from_files(files: DesignFiles, seed: Option<u64>, memory: Option<Memory>) -> Result<Self, Vec<Diagnostic>> {
        let fresh = FileSnapshot::read(Some(&files), &[]);
        Self::from_fresh(files, fresh, seed, memory)
    }

    /// Opens a design from a snapshot of its files. `seed` replaces the design's seed if it is given.
    ///
    /// # Errors
    ///
    /// Returns the diagnostics if the files contain no usable design.
    pub fn from_fresh(
        files: DesignFiles,
        fresh: FileSnapshot,
        seed: Option<u64>,
        memory: Option<Memory>,
    ) -> Result<Self, Vec<Diagnostic>> {
        let Some(loaded) = fresh.loaded else {
            return Err(Vec::new());
        };
        let Some(mut design) = loaded.design.clone() else {
            return Err(loaded.diagnostics);
        };
        design.seed = seed.unwrap_or(design.seed);
        Ok(Self::kept_in(
            Some((files, loaded)),
            design,
            DesignVaultCache::of(fresh.levels),
            memory,
        ))
    }

    /// Opens a design that was recovered after the program crashed or was killed; `files` contains the current content
    /// of its files. The document counts as unsaved. One undo restores the content of the files or, without files, the
    /// preset from which the design was made.
    pub fn recovered(
        design: Design,
        files: Option<(DesignFiles, LoadedDesign)>,
        origin: Option<&UnsavedOrigin>,
        memory: Option<Memory>,
    ) -> Self {
        let loaded = files.map(|(files, loaded)| (loaded, files));
        let there = loaded.as_ref().and_then(|(loaded, _)| loaded.design.clone());
        let began = origin.filter(|_| loaded.is_none()).and_then(|origin| {
            let mut design = Preset::find(&origin.preset)?.design();
            design.seed = origin.seed;
            Some(design)
        });
        let known = there.is_some() || began.is_some();
        let mut base = there.or(began).unwrap_or_else(|| design.clone());
        if let Some((_, DesignFiles::Legacy { .. })) = &loaded {
            base.seed = design.seed;
        }
        let broken = loaded
            .as_ref()
            .filter(|(loaded, _)| loaded.design.is_none() && !loaded.missing);
        let broken = broken.map(|(loaded, _)| loaded.diagnostics.clone()).unwrap_or_default();
        let mut document = Self::kept_in(
            loaded.map(|(loaded, files)| (files, loaded)),
            base,
            DesignVaultCache::default(),
            memory,
        );
        document.gone = !known;
        document.broken = broken;
        let recovered = "recovered the unsaved changes".to_owned();
        document.history.edit(None, design, |_, _| recovered);
        document.check();
        document
    }

    /// Returns the work that would be lost if the program ended now; `None` if there are no unsaved changes.
    pub fn unsaved(&self) -> Option<Unsaved> {
        self.is_dirty().then(|| Unsaved {
            design: Arc::clone(self.history.present()),
            files: self.files.clone(),
            folder: self.folder(),
            digest: self.disk.as_ref().map(LoadedDesign::digest),
            origin: self.origin(),
        })
    }

    /// Returns the preset that the design equals, apart from the seed; `None` if there is none or the design has files.
    pub fn preset(&self) -> Option<&'static Preset> {
        let preset = Preset::find(&self.origin()?.preset)?;
        (!self.is_dirty()
            || Design {
                seed: self.saved.seed,
                ..self.design().clone()
            } == *self.saved)
            .then_some(preset)
    }

    /// Returns the preset and the seed from which a design without files was made.
    fn origin(&self) -> Option<UnsavedOrigin> {
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
            Some(UnsavedOrigin { preset, seed })
        };
        self.origin.get_or_init(find).clone()
    }

    /// Returns a number that changes whenever the result of [`Self::unsaved`] may have changed. No two documents have
    /// the same number.
    pub const fn revision(&self) -> u64 {
        self.revision
    }

    /// Returns the present design.
    pub fn design(&self) -> &Design {
        self.history.present()
    }

    /// Returns a shared pointer to the present design. As long as a later call returns the same pointer, the design has
    /// not been replaced.
    pub fn shared(&self) -> Arc<Design> {
        Arc::clone(self.history.present())
    }

    /// Validates another design, so that it can be grown instead of the open one. Its vaults are added if they are
    /// already resolved, and are missing otherwise. Returns `None` if the design is invalid.
    pub fn trial(&mut self, design: &Design) -> Option<ValidDesign> {
        let (valid, _) = load::validate(design, None, self.memory);
        let pieces = self.library.place_known(design, &self.folder());
        valid.map(|valid| valid.with_pieces(pieces))
    }

    /// Returns whether some vaults of the design are not resolved yet. Until all are, [`Self::valid`] returns `None`.
    pub const fn is_resolving(&self) -> bool {
        self.is_resolving
    }

    /// Returns a request to resolve the vaults on another thread; `None` if all vaults are resolved, or if the reply to
    /// the request `pending` will resolve them.
    pub fn vault_request(&self, pending: Option<&VaultRequest>) -> Option<VaultRequest> {
        let is_pending = pending.is_some_and(|pending| pending.holds_for(self.design(), &self.folder()));
        (self.is_resolving && !is_pending).then(|| self.library.request(self.shared()))
    }

    /// Stores the vaults that another thread resolved.
    pub fn store_vaults(&mut self, reply: VaultReply) {
        self.library.store(reply);
        self.check();
    }

    /// Resolves the vaults on the current thread, which may block for half a minute.
    pub fn resolve_vaults(&mut self) {
        let design = self.shared();
        self.library.resolve(&design, &self.folder());
        self.check();
    }

    /// Returns the validated design with its vaults; `None` if it cannot be grown or some vaults are not resolved yet.
    pub const fn valid(&self) -> Option<&ValidDesign> {
        self.valid.as_ref()
    }

    /// Returns all diagnostics: about unusable files, about the imported drawing, about the design, and of stage one.
    pub fn diagnostics(&self) -> impl Iterator<Item = &Diagnostic> {
        let drawn = self.drawn.iter().chain(&self.diagnostics);
        self.broken.iter().chain(drawn).chain(&self.stage_one)
    }

    /// Returns whether the files of the design have errors, so that the design on the screen is an earlier version.
    pub(crate) const fn has_broken_files(&self) -> bool {
        !self.broken.is_empty()
    }

    /// Records the diagnostics that stage one reported when the present design began to grow.
    pub fn note_stage_one(&mut self, found: Vec<Diagnostic>) {
        self.stage_one = load::locate(found, self.texts());
        self.grown = Some(self.shared());
    }

    /// Returns the content of the files; `None` if the design has unsaved changes, since the line numbers of the files
    /// then do not apply to it.
    fn texts(&self) -> Option<&LoadedDesign> {
        self.disk
            .as_ref()
            .filter(|disk| disk.design.is_some() && !self.is_dirty())
    }

    /// Assigns a new revision. Called whenever the unsaved work may have changed.
    fn touch(&mut self) {
        static LAST: AtomicU64 = AtomicU64::new(0);
        self.revision = LAST.fetch_add(1, Ordering::Relaxed) + 1;
    }

    fn check(&mut self) {
        self.touch();
        let texts = self.texts();
        let (valid, found) = load::validate(self.design(), texts, self.memory);
        let read = texts.map(|texts| texts.diagnostics.clone()).unwrap_or_default();
        let placed = self.library.place(self.history.present(), &self.folder());
        self.is_resolving = placed.is_none();
        if !self.is_resolving {
            // The level files that were read in advance have been used. They would be outdated next time.
            self.library.bring(LevelFileBytes::default());
        }
        let (pieces, vaults) = placed.unwrap_or_default();
        let vaults = load::locate(vaults, self.texts());
        self.valid = valid
            .filter(|_| !self.is_resolving)
            .map(|valid| valid.with_pieces(pieces));
        self.diagnostics = read.into_iter().chain(found).chain(vaults).collect();
        if self.grown.as_ref().is_some_and(|grown| grown.grows_like(self.design())) {
            // The dungeon is not grown again, so its diagnostics stay, but their line numbers may be outdated.
            self.stage_one.iter_mut().for_each(|found| found.source = None);
        } else {
            self.stage_one.clear();
        }
    }

    /// Returns the title: the name of the first file, else the name of the design, else `untitled`.
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

    /// Returns the paths of the design's files.
    pub fn files(&self) -> Vec<PathBuf> {
        self.files.as_ref().map(DesignFiles::paths).unwrap_or_default()
    }

    /// Returns the files to watch: the design's files, and the level files of its vaults.
    pub fn watched(&self) -> Vec<PathBuf> {
        let mut files = self.files();
        files.extend(vaults::files(self.design(), &self.folder()));
        files
    }

    /// Returns the folder that level file paths are relative to: the folder of the design's first file.
    pub fn folder(&self) -> PathBuf {
        vaults::folder(self.files.as_ref())
    }

    /// Returns the data needed to prepare copies of the present design with other seeds.
    pub fn seeded(&self) -> SeededDesign {
        SeededDesign::new(Arc::clone(self.history.present()), self.folder(), self.memory).with_vaults_of(&self.library)
    }

    /// Returns the name of the last applied edit, and the design before that edit.
    pub fn before(&self) -> Option<(String, SeededDesign)> {
        let (name, design) = self.history.before()?;
        let seeded = SeededDesign::new(Arc::new(design), self.folder(), self.memory).with_vaults_of(&self.library);
        Some((name.to_owned(), seeded))
    }

    /// Returns the format and the paths of the design's files.
    pub const fn design_files(&self) -> Option<&DesignFiles> {
        self.files.as_ref()
    }

    /// Returns whether the design has unsaved changes. Changes of parts that the files' format cannot store count as
    /// saved once a save has reported that these parts are left out.
    pub fn is_dirty(&self) -> bool {
        // Comparing the pointers first is cheap and usually suffices, since most often nothing was edited.
        let same = Arc::ptr_eq(&self.saved, self.history.present());
        self.gone || (!same && self.carried(&self.saved) != self.carried(self.design()))
    }

    /// Returns a copy of a design for [`Self::is_dirty`], in the form in which the files' format stores it. The copy
    /// has no seed if the format cannot store it: trying another seed is no work that could be lost.
    fn carried(&self, design: &Design) -> Design {
        let mut design = design.clone();
        if let Some(DesignFiles::Legacy { .. }) = self.files {
            design.seed = 0;
            if !design.layout.vaults.is_empty() {
                let pieces = self.valid.as_ref().map_or(&[][..], ValidDesign::pieces);
                design.layout = design.layout.with_tiles_of(pieces, &design.constants);
            }
        }
        design.layout.limits = design.layout.limits.raised_for(&design.layout);
        design
    }

    /// Changes the design as one undo step; returns false if nothing changed.
    pub fn edit(&mut self, name: impl Into<String>, change: impl FnOnce(&mut Design)) -> bool {
        let name = name.into();
        self.edit_in(None, |_, _| name, change)
    }

    /// Changes the design as part of an undo group; returns false if nothing changed. Consecutive changes of one group
    /// form one step. `name` builds the step's name from two designs: the one before the first of these changes and the
    /// one after the last.
    pub fn edit_in(
        &mut self,
        group: Option<EditGroup>,
        name: impl FnOnce(&Design, &Design) -> String,
        change: impl FnOnce(&mut Design),
    ) -> bool {
        let mut design = self.design().clone();
        change(&mut design);
        let before = self.step();
        let changed = self.history.edit(group, design, name);
        if changed {
            // A merge that was undone cannot be redone after another edit.
            self.merged.take_if(|resolved| before < resolved.step);
            self.check();
        }
        changed
    }

    /// Returns whether the next change of this undo group would join the last step.
    pub fn is_open_group(&self, group: EditGroup) -> bool {
        self.history.is_open_group(group)
    }

    /// Closes the current undo group, so that the next change begins a new step.
    pub fn close_undo_group(&mut self) {
        self.history.close_group();
    }

    /// Undoes the last step and returns its name.
    pub fn undo(&mut self) -> Option<String> {
        let name = self.history.undo()?;
        self.reopen_conflict();
        self.check();
        Some(name)
    }

    /// Redoes the next undone step and returns its name.
    pub fn redo(&mut self) -> Option<String> {
        let name = self.history.redo()?;
        self.reopen_conflict();
        self.check();
        Some(name)
    }

    /// Returns the names of all steps in order: the applied ones, then the undone ones.
    pub fn steps(&self) -> impl ExactSizeIterator<Item = &str> {
        self.history.names()
    }

    /// Returns the number of applied steps.
    pub const fn step(&self) -> usize {
        self.history.now()
    }

    /// Returns how many steps are applied when the design equals the files; `None` if undo and redo cannot reach that
    /// design.
    pub const fn saved_step(&self) -> Option<usize> {
        self.history.saved()
    }

    /// Undoes or redoes until `step` steps are applied; returns whether anything changed.
    pub fn go_to(&mut self, step: usize) -> bool {
        let moved = self.history.go_to(step);
        if moved {
            self.reopen_conflict();
            self.check();
        }
        moved
    }
}
