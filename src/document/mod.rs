//! The open design: where it came from, its history of edits, and what changed on which side.
//!
//! A document joins a design with the files it was read from. It saves, notices that a file changed
//! elsewhere, and never loses either side: whatever is replaced stays reachable by undo. It knows no
//! threads and no screen; who watches the files and who asks the person is elsewhere.

mod change;
mod drawing;
mod file_snapshot;
mod files;
mod history;
mod load;
mod memory;
mod saving;
mod seeded_design;
mod source;
#[cfg(test)]
mod tests;
mod vaults;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

pub use drawing::{
    DrawingImport, FirstCrawler, ReadDrawing, add_crawler, drawing_of, files_of_drawing, is_drawing, read_drawing,
    summary,
};
pub use file_snapshot::{FileSnapshot, LevelFileBytes};
pub use files::{Reload, Reloaded, Side};
pub use history::EditGroup;
pub use load::{Opened, diagnose, inputs, open, prepare};
pub use memory::available_memory;
pub use saving::{SaveError, Saved, Saving};
pub use seeded_design::{SeedDesigns, SeededDesign};
pub use source::{DrawingMerge, DrawingSource, ImportedTiles};
pub use vaults::{VaultReply, VaultRequest, files as level_files, folder as level_folder};

use self::history::History;
use self::vaults::VaultShelf;
use crate::design::{Design, Diagnostic, Expectations, Memory, ValidDesign};
use crate::import::Placed;
use crate::presets::Preset;
use crate::reel::RecordingFile;
use crate::storage::{Backups, DesignFiles, LoadedDesign, Unsaved, UnsavedOrigin};

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
    disk: Option<LoadedDesign>,
    /// The design as the files last held it; without files, as it was opened.
    saved: Arc<Design>,
    /// The design that comes with the program and was opened, if one was; looked for when somebody asks.
    origin: OnceLock<Option<UnsavedOrigin>>,
    /// No file holds the design: one was deleted, or it was recovered from what a crash left.
    gone: bool,
    /// The files that differed when they were last found to differ from what was read before.
    changed: Vec<PathBuf>,
    conflict: Option<Arc<Design>>,
    backups: Backups,
    valid: Option<ValidDesign>,
    shelf: VaultShelf,
    /// Vaults of the design are not resolved yet: until they are, it is not valid.
    is_resolving: bool,
    /// What validation found.
    diagnostics: Vec<Diagnostic>,
    /// What stage one of the current design's growth found, and the design that it was.
    stage_one: Vec<Diagnostic>,
    grown: Option<Arc<Design>>,
    /// What is wrong with files that could not be used, while they cannot.
    broken: Vec<Diagnostic>,
    /// The recording that the design came in.
    reel: Option<Arc<RecordingFile>>,
    /// The file of that recording.
    reel_file: Option<PathBuf>,
    /// What was told of the drawing that the design was made of, until it is saved.
    drawn: Vec<Diagnostic>,
    /// The drawings that are part of it, as far as they were taken since it was opened.
    sources: Vec<DrawingSource>,
}

impl Document {
    /// A design without files: a preset, or a new one. It counts as saved until it is edited.
    pub fn new(design: Design, memory: Option<Memory>) -> Self {
        Self::kept_in(None, design, VaultShelf::default(), memory)
    }

    /// The design of a recording that was read from a file, if it was. It has no files of its own and counts as saved
    /// until it is edited, as its recording holds it. Its vaults stand as they were recorded until an edit asks for
    /// others. A design without a name is called after the file.
    pub fn recorded(reel: RecordingFile, file: Option<&Path>, memory: Option<Memory>) -> Self {
        let mut design = Design::clone(&reel.design);
        if let Some(stem) = file.and_then(Path::file_stem)
            && design.name.is_empty()
        {
            design.name = stem.to_string_lossy().into_owned();
        }
        let mut document = Self::kept_in(None, design, VaultShelf::recorded(&reel.design), memory);
        document.reel = Some(Arc::new(reel));
        document.reel_file = file.map(Path::to_owned);
        document
    }

    /// The recording that the design came in: what is shown while the design is the one that was recorded.
    pub const fn reel(&self) -> Option<&Arc<RecordingFile>> {
        self.reel.as_ref()
    }

    /// The file of that recording.
    pub fn reel_file(&self) -> Option<&Path> {
        self.reel_file.as_deref()
    }

    /// Takes that recording out.
    pub const fn take_reel(&mut self) -> Option<Arc<RecordingFile>> {
        self.reel.take()
    }

    /// A new design of the drawing in a file, unsaved, with another seed where one is given.
    ///
    /// # Errors
    ///
    /// When the file holds no drawing, or it does not fit into a dungeon.
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

    /// A new design of a drawing that was placed, unsaved; `told` was told of the drawing before.
    pub fn of_placed(placed: Placed, told: Vec<Diagnostic>, source: DrawingSource, memory: Option<Memory>) -> Self {
        let mut document = Self::new(placed.design, memory);
        document.gone = true;
        document.drawn = told;
        document.drawn.extend(placed.diagnostics);
        document.sources.push(source);
        document.touch();
        document
    }

    /// The drawings that are part of it, as far as they were taken since it was opened.
    pub fn sources(&self) -> &[DrawingSource] {
        &self.sources
    }

    /// The same, to be changed.
    pub const fn sources_mut(&mut self) -> &mut Vec<DrawingSource> {
        &mut self.sources
    }

    /// What was told of the drawing that the design was made of, until it is saved.
    pub fn drawn(&self) -> &[Diagnostic] {
        &self.drawn
    }

    /// A design as its files, if it has any, were read.
    fn kept_in(
        files: Option<(DesignFiles, LoadedDesign)>,
        design: Design,
        shelf: VaultShelf,
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
            backups: Backups::default(),
            valid: None,
            shelf,
            is_resolving: false,
            diagnostics: Vec::new(),
            stage_one: Vec::new(),
            grown: None,
            broken: Vec::new(),
            reel: None,
            reel_file: None,
            drawn: Vec::new(),
            sources: Vec::new(),
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
        let fresh = FileSnapshot::read(Some(&files), &[]);
        Self::from_fresh(files, fresh, seed, memory)
    }

    /// The document of files that were read, with another seed where one is given.
    ///
    /// # Errors
    ///
    /// What is wrong with the files, when nothing in them can be used.
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
            VaultShelf::of(fresh.levels),
            memory,
        ))
    }

    /// The document of a design that a crash or a kill left unsaved, with its files as they were read: the design is
    /// unsaved, and one step of undo away is what they hold. Without files, that is the preset that it began as.
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
            VaultShelf::default(),
            memory,
        );
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
            digest: self.disk.as_ref().map(LoadedDesign::digest),
            origin: self.origin(),
        })
    }

    /// The preset that a design without files began as.
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

    /// Another design as it could be grown in the place of this one, with those of its vaults that are resolved; `None`
    /// where it could not.
    pub fn trial(&mut self, design: &Design) -> Option<ValidDesign> {
        let (valid, _) = load::validate(design, None, self.memory);
        let pieces = self.shelf.place_known(design, &self.folder());
        valid.map(|valid| valid.with_pieces(pieces))
    }

    /// Whether vaults of the design are still to be resolved; until they are, nothing can be grown.
    pub const fn is_resolving(&self) -> bool {
        self.is_resolving
    }

    /// What another thread needs to resolve the vaults, if that is to be done and `asked` does not do it already.
    pub fn vault_request(&self, asked: Option<&VaultRequest>) -> Option<VaultRequest> {
        let is_asked = asked.is_some_and(|asked| asked.holds_for(self.design(), &self.folder()));
        (self.is_resolving && !is_asked).then(|| self.shelf.request(self.shared()))
    }

    /// Keeps the vaults that another thread resolved.
    pub fn take_vaults(&mut self, reply: VaultReply) {
        self.shelf.take(reply);
        self.check();
    }

    /// Resolves the vaults now, which may take half a minute.
    pub fn resolve_vaults(&mut self) {
        let design = self.shared();
        self.shelf.resolve(&design, &self.folder());
        self.check();
    }

    /// The design to grow, when it can be grown.
    pub const fn valid(&self) -> Option<&ValidDesign> {
        self.valid.as_ref()
    }

    /// What is wrong: with the files first, where they cannot be used, then with the design.
    pub fn diagnostics(&self) -> impl Iterator<Item = &Diagnostic> {
        let drawn = self.drawn.iter().chain(&self.diagnostics);
        self.broken.iter().chain(drawn).chain(&self.stage_one)
    }

    /// Takes what stage one of the growth of this design found, once a run has begun.
    pub fn note_stage_one(&mut self, found: Vec<Diagnostic>) {
        self.stage_one = load::locate(found, self.texts());
        self.grown = Some(self.shared());
    }

    /// The files' texts, while they still say what the design says: only then their lines can be named.
    fn texts(&self) -> Option<&LoadedDesign> {
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
        let placed = self.shelf.place(self.history.present(), &self.folder());
        self.is_resolving = placed.is_none();
        if !self.is_resolving {
            // What was read has been used, and is old the next time.
            self.shelf.bring(LevelFileBytes::default());
        }
        let (pieces, vaults) = placed.unwrap_or_default();
        let vaults = load::locate(vaults, self.texts());
        self.valid = valid
            .filter(|_| !self.is_resolving)
            .map(|valid| valid.with_pieces(pieces));
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
    pub fn prospect(&self) -> SeededDesign {
        SeededDesign::new(Arc::clone(self.history.present()), self.folder(), self.memory)
            .with_levels(self.shelf.read_levels())
    }

    /// What the design was before the last edit that is done, with the edit's name.
    pub fn before(&self) -> Option<(String, SeededDesign)> {
        let (name, design) = self.history.before()?;
        let prospect = SeededDesign::new(Arc::new(design), self.folder(), self.memory);
        let prospect = prospect.with_levels(self.shelf.read_levels());
        Some((name.to_owned(), prospect))
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
        series: Option<EditGroup>,
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
}
