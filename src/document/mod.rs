//! The open design: its origin, its history of edits, and conflicts with its files.
//!
//! A document joins a design with the files it was read from. It saves, detects changes of the files by other
//! programs, and never loses either side: whatever is replaced stays reachable by undo. It has no threads and no
//! screen; watching the files and asking the user happen elsewhere.

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
use crate::design::{Design, Diagnostic, Expectations, Memory, ValidDesign};
use crate::import::Placed;
use crate::presets::Preset;
use crate::recording_file::RecordingFile;
use crate::storage::{Backups, DesignFiles, LoadedDesign, Unsaved, UnsavedOrigin};

/// The open design.
#[derive(Debug)]
pub struct Document {
    history: History,
    /// A number that changes whenever the unsaved work may change; unique among all documents.
    revision: u64,
    /// Memory that a dungeon may use, in bytes.
    memory: Option<Memory>,
    files: Option<DesignFiles>,
    /// Content of the files when they were last read or written.
    disk: Option<LoadedDesign>,
    /// Design last held by the files; without files, the design as it was opened.
    saved: Arc<Design>,
    /// Preset that the design began as, if any; computed on first use.
    origin: OnceLock<Option<UnsavedOrigin>>,
    /// Whether no file holds the design: one was deleted, or it was recovered after a crash.
    gone: bool,
    /// Files that differed in the last comparison that found a difference.
    changed: Vec<PathBuf>,
    conflict: Option<Conflict>,
    /// Conflict that was resolved by merging, to which undo leads back.
    merged: Option<ResolvedByMerge>,
    backups: Backups,
    valid: Option<ValidDesign>,
    library: DesignVaultCache,
    /// Whether vaults of the design are unresolved; until they are, it is not valid.
    is_resolving: bool,
    /// Diagnostics of the validation.
    diagnostics: Vec<Diagnostic>,
    /// Diagnostics of stage one, and in `grown` the design that they belong to.
    stage_one: Vec<Diagnostic>,
    grown: Option<Arc<Design>>,
    /// Errors of files that cannot be used at present.
    broken: Vec<Diagnostic>,
    /// Recording that the design was read from.
    recording_file: Option<Arc<RecordingFile>>,
    /// File of that recording.
    recording_path: Option<PathBuf>,
    /// Turn that the design's code requests, until it is shown.
    moment: Option<u64>,
    /// Diagnostics of the drawing that the design was made from, until it is saved.
    drawn: Vec<Diagnostic>,
    /// Drawings that were imported into it since it was opened.
    sources: Vec<DrawingSource>,
}

impl Document {
    /// Creates a document without files: a preset, or a new design. It counts as saved until it is edited.
    pub fn new(design: Design, memory: Option<Memory>) -> Self {
        Self::kept_in(None, design, DesignVaultCache::default(), memory)
    }

    /// Creates a document for a TOML file that does not exist yet. Like an editor's new file it counts as saved until it
    /// is edited, and nothing is written until it is saved.
    pub fn in_new_file(path: PathBuf, design: Design, memory: Option<Memory>) -> Self {
        let files = DesignFiles::Toml(path);
        let loaded = files.load();
        Self::kept_in(Some((files, loaded)), design, DesignVaultCache::default(), memory)
    }

    /// Returns whether its files do not exist yet, because it was not saved since it began in a new file.
    pub fn is_new_file(&self) -> bool {
        !self.gone && self.disk.as_ref().is_some_and(|disk| disk.missing)
    }

    /// Opens the design of a recording, from `file` if it was read from one. It has no files of its own and counts as
    /// saved until it is edited, since its recording holds it. Its vaults stay as recorded until an edit requires
    /// others. A design without a name is named after the file.
    pub fn recorded(recording_file: RecordingFile, file: Option<&Path>, memory: Option<Memory>) -> Self {
        let mut design = Design::clone(&recording_file.design);
        if let Some(stem) = file.and_then(Path::file_stem)
            && design.name.is_empty()
        {
            design.name = stem.to_string_lossy().into_owned();
        }
        let mut document = Self::kept_in(None, design, DesignVaultCache::recorded(&recording_file.design), memory);
        document.recording_file = Some(Arc::new(recording_file));
        document.recording_path = file.map(Path::to_owned);
        document
    }

    /// Returns the recording that the design was read from, which is shown while the design equals the recorded one.
    pub const fn recording_file(&self) -> Option<&Arc<RecordingFile>> {
        self.recording_file.as_ref()
    }

    /// Returns the file of that recording.
    pub fn recording_path(&self) -> Option<&Path> {
        self.recording_path.as_deref()
    }

    /// Removes that recording and returns it.
    pub const fn take_recording(&mut self) -> Option<Arc<RecordingFile>> {
        self.recording_file.take()
    }

    /// Opens the design of a code. It has no files and counts as saved until it is edited, since the code holds it.
    pub fn of_code(code: DungeonCode, memory: Option<Memory>) -> Self {
        let mut document = Self::new(code.design, memory);
        document.moment = code.turn;
        document
    }

    /// Removes the turn that its code requests, and returns it.
    pub const fn take_moment(&mut self) -> Option<u64> {
        self.moment.take()
    }

    /// Creates an unsaved design from a drawing file, with another seed if one is given.
    ///
    /// # Errors
    ///
    /// Returns the diagnostics if the file holds no drawing, or the drawing does not fit into a dungeon.
    pub fn of_drawing(
        path: &Path,
        import: &DrawingImport,
        seed: Option<u64>,
        memory: Option<Memory>,
    ) -> Result<Self, Vec<Diagnostic>> {
        let (drawn, digest) = drawing::read_with_digest(path, import)?;
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        let mut placed = import.alone(&drawn.drawing, &name).map_err(|error| vec![*error])?;
        placed.design.seed = seed.unwrap_or(placed.design.seed);
        let taken = ImportedTiles::alone(Arc::new(drawn.drawing), import.placing, &placed);
        let source = DrawingSource::new(path.to_owned(), import.clone(), digest, taken);
        Ok(Self::of_placed(placed, drawn.diagnostics, source, memory))
    }

    /// Creates an unsaved design from a placed drawing; `diagnostics` holds those of reading the drawing.
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

    /// Returns the drawings that were imported into it since it was opened.
    pub fn sources(&self) -> &[DrawingSource] {
        &self.sources
    }

    /// Returns the imported drawings for modification.
    pub const fn sources_mut(&mut self) -> &mut Vec<DrawingSource> {
        &mut self.sources
    }

    /// Returns the diagnostics of the drawing that the design was made from, until it is saved.
    pub fn drawn(&self) -> &[Diagnostic] {
        &self.drawn
    }

    /// Creates a document with its files, if it has any, as they were read.
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

    /// Reads files and opens them, with another seed if one is given.
    ///
    /// # Errors
    ///
    /// Returns the diagnostics if nothing in the files can be used.
    pub fn from_files(files: DesignFiles, seed: Option<u64>, memory: Option<Memory>) -> Result<Self, Vec<Diagnostic>> {
        let fresh = FileSnapshot::read(Some(&files), &[]);
        Self::from_fresh(files, fresh, seed, memory)
    }

    /// Opens files that were read, with another seed if one is given.
    ///
    /// # Errors
    ///
    /// Returns the diagnostics if nothing in the files can be used.
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

    /// Opens a design that a crash or a kill left unsaved, with its files as they were read: the design is unsaved,
    /// and one undo leads to the content of the files, or without files to the preset that it began as.
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
            base.name.clone_from(&design.name);
            base.notes.clone_from(&design.notes);
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

    /// Returns the work that would be lost if the program ended now; `None` if the files hold all of it.
    pub fn unsaved(&self) -> Option<Unsaved> {
        self.is_dirty().then(|| Unsaved {
            design: Arc::clone(self.history.present()),
            files: self.files.clone(),
            digest: self.disk.as_ref().map(LoadedDesign::digest),
            origin: self.origin(),
        })
    }

    /// Returns the preset that a design without files equals apart from its seed.
    pub fn preset(&self) -> Option<&'static Preset> {
        let preset = Preset::find(&self.origin()?.preset)?;
        (!self.is_dirty()
            || Design {
                seed: self.saved.seed,
                ..self.design().clone()
            } == *self.saved)
            .then_some(preset)
    }

    /// Returns the preset that a design without files began as.
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

    /// Returns a number that changes whenever [`Self::unsaved`] may; unique among all documents.
    pub const fn revision(&self) -> u64 {
        self.revision
    }

    /// Returns the present design.
    pub fn design(&self) -> &Design {
        self.history.present()
    }

    /// Returns a shared pointer to the present design; pointer identity shows whether it is still present.
    pub fn shared(&self) -> Arc<Design> {
        Arc::clone(self.history.present())
    }

    /// Returns another design, ready to grow in place of this one, with those of its vaults that are resolved; `None`
    /// if it is not valid.
    pub fn trial(&mut self, design: &Design) -> Option<ValidDesign> {
        let (valid, _) = load::validate(design, None, self.memory);
        let pieces = self.library.place_known(design, &self.folder());
        valid.map(|valid| valid.with_pieces(pieces))
    }

    /// Returns whether vaults of the design are unresolved; until they are, nothing can be grown.
    pub const fn is_resolving(&self) -> bool {
        self.is_resolving
    }

    /// Returns a request to resolve the vaults on another thread; `None` if all are resolved, or if `pending` is the
    /// same request.
    pub fn vault_request(&self, pending: Option<&VaultRequest>) -> Option<VaultRequest> {
        let is_pending = pending.is_some_and(|pending| pending.holds_for(self.design(), &self.folder()));
        (self.is_resolving && !is_pending).then(|| self.library.request(self.shared()))
    }

    /// Stores the vaults that another thread resolved.
    pub fn store_vaults(&mut self, reply: VaultReply) {
        self.library.store(reply);
        self.check();
    }

    /// Resolves the vaults now, which may block for half a minute.
    pub fn resolve_vaults(&mut self) {
        let design = self.shared();
        self.library.resolve(&design, &self.folder());
        self.check();
    }

    /// Returns the design to grow, if it is valid.
    pub const fn valid(&self) -> Option<&ValidDesign> {
        self.valid.as_ref()
    }

    /// Returns all diagnostics: first those of unusable files, then those of the design.
    pub fn diagnostics(&self) -> impl Iterator<Item = &Diagnostic> {
        let drawn = self.drawn.iter().chain(&self.diagnostics);
        self.broken.iter().chain(drawn).chain(&self.stage_one)
    }

    /// Records the diagnostics of stage one of this design's growth, once a run has begun.
    pub fn note_stage_one(&mut self, found: Vec<Diagnostic>) {
        self.stage_one = load::locate(found, self.texts());
        self.grown = Some(self.shared());
    }

    /// Returns the files' texts while they equal the design: only then do their line numbers apply.
    fn texts(&self) -> Option<&LoadedDesign> {
        self.disk
            .as_ref()
            .filter(|disk| disk.design.is_some() && !self.is_dirty())
    }

    /// Assigns a new revision, since the unsaved work may have changed.
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
            // The level files read in advance are used now and would be outdated next time.
            self.library.bring(LevelFileBytes::default());
        }
        let (pieces, vaults) = placed.unwrap_or_default();
        let vaults = load::locate(vaults, self.texts());
        self.valid = valid
            .filter(|_| !self.is_resolving)
            .map(|valid| valid.with_pieces(pieces));
        // Reading has already reported these.
        let edited = self.texts().is_none();
        let expected = edited.then(|| self.design().expectation_problems());
        self.diagnostics = read.into_iter().chain(found).chain(vaults).collect();
        self.diagnostics.extend(expected.into_iter().flatten());
        if self.grown.as_ref().is_some_and(|grown| grown.grows_like(self.design())) {
            // The growth stays, but the line numbers may have changed.
            self.stage_one.iter_mut().for_each(|found| found.source = None);
        } else {
            self.stage_one.clear();
        }
    }

    /// Returns the title: the name of the first file, or of the design.
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

    /// Returns the paths of its files.
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

    /// Returns the data needed to make the design from other seeds.
    pub fn seeded(&self) -> SeededDesign {
        SeededDesign::new(Arc::clone(self.history.present()), self.folder(), self.memory)
            .with_levels(self.library.read_levels())
    }

    /// Returns the design before the last applied edit, with the edit's name.
    pub fn before(&self) -> Option<(String, SeededDesign)> {
        let (name, design) = self.history.before()?;
        let seeded = SeededDesign::new(Arc::new(design), self.folder(), self.memory);
        let seeded = seeded.with_levels(self.library.read_levels());
        Some((name.to_owned(), seeded))
    }

    /// Returns the kind and paths of its files.
    pub const fn design_files(&self) -> Option<&DesignFiles> {
        self.files.as_ref()
    }

    /// Returns whether the files lack a part of the design. What their format cannot carry does not count.
    pub fn is_dirty(&self) -> bool {
        // The pointers are compared first: most often nothing was edited, and designs may be large.
        let same = Arc::ptr_eq(&self.saved, self.history.present());
        self.gone || (!same && self.carried(&self.saved) != self.carried(self.design()))
    }

    /// Returns the part of a design that its files can hold.
    fn carried(&self, design: &Design) -> Design {
        let mut design = design.clone();
        if let Some(DesignFiles::Legacy { .. }) = self.files {
            design.name.clear();
            design.notes.clear();
            design.seed = 0;
            design.expect = Expectations::default();
            design.layout.places.clear();
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

    /// Changes the design as part of an undo group: consecutive changes of one group form one step, named from the
    /// designs before the first of them and after the last.
    pub fn edit_in(
        &mut self,
        group: Option<EditGroup>,
        name: impl FnOnce(&Design, &Design) -> String,
        change: impl FnOnce(&mut Design),
    ) -> bool {
        let mut design = self.design().clone();
        change(&mut design);
        let changed = self.history.edit(group, design, name);
        if changed {
            self.check();
        }
        changed
    }

    /// Closes the undo group: later changes begin a new step.
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

    /// Returns the number of applied steps at which the files last held the design; `None` if no step leads there any
    /// more.
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
