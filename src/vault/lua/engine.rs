//! The state that the functions of a runtime use: the data that all runs share, and the session of the current run.
//!
//! No borrow is held while Lua runs, because Lua may call a Rust function that borrows the same data.

use std::cell::{OnceCell, Ref, RefCell, RefMut};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;

use mlua::{Function, Lua, Table};

use super::environment::Environments;
use super::failure::Place;
use super::map_run::MapRun;
use super::names::Names;
use super::outcome::{CompileReport, Loader, UndefinedUse};
use super::program::Programs;
use crate::engine::random::Key;
use crate::vault::dice::Dice;
use crate::vault::library::{Catalog, Library, MapId, Profile, Used};
use crate::vault::map::{MapState, Mask};
use crate::vault::source::{Role, VaultFile};
use crate::vault::spec::Ranges;
use crate::vault::world::VaultWorld;

/// Maximum number of unsupported calls recorded per map; a script in a loop may make many more.
const RECORDED: usize = 1_000;
/// Maximum number of notes, and of printed texts, in one run.
const NOTES: usize = 200;

/// The phase in which a map's Lua runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Phase {
    /// The compile run, before any game starts.
    Compile,
    /// The resolution of a map, as it happens during a game.
    Resolve,
}

/// Data that all runs of a library share and that no run changes.
pub(crate) struct Shared {
    /// The maps and their files.
    pub(crate) library: Arc<Library>,
    /// Lua programs of the maps and files.
    pub(crate) programs: Programs,
    /// Loader of the game's own library, if the runtime's options contain one.
    pub(crate) loader: Option<Loader>,
    /// Whether maps have to remember their statements, because a level file mentions a function that removes them.
    removes_statements: bool,
    /// Factory of environments, and the Lua table that caches the compiled chunks of maps.
    lua: OnceCell<(Environments, Table)>,
}

/// Facts about the library that runs have found so far. Facts are added, never removed.
#[derive(Debug, Default)]
pub(crate) struct Findings {
    /// Modules loaded so far.
    pub(crate) modules: BTreeSet<String>,
    /// Number of modules that are being loaded.
    pub(crate) loading: usize,
    /// Names used and assigned in the Lua of each file.
    pub(crate) file_names: Vec<Names>,
    /// Names used by the game's own library, if it is in use.
    pub(crate) library_names: Names,
    /// Profiles of the maps compiled so far.
    pub(crate) catalog: Catalog,
    /// Names that level files use and that are not defined anywhere, with their first use.
    pub(crate) undefined: BTreeMap<String, UndefinedUse>,
    reports: Vec<Option<CompileReport>>,
    tagged: BTreeMap<String, BTreeSet<MapId>>,
}

/// The environment table of a file.
#[derive(Debug, Clone)]
pub(crate) struct FileTable {
    /// The Lua table.
    pub(crate) table: Table,
    /// Whether the prelude used a value that only the game knows.
    pub(crate) is_opaque: bool,
}

/// The state of one compile run or one resolution.
#[derive(Debug)]
pub(crate) struct Session {
    /// Maps already placed in this world.
    pub(crate) used: Used,
    /// Runs that have an environment table. A run and its table keep each other alive until [`Engine::end`] removes the
    /// table.
    pub(crate) environments: Vec<Rc<MapRun>>,
    /// First line of the running chunk or, after a failure, of the chunk that failed.
    pub(crate) place: u32,
    /// Environment tables of the files whose prelude has run in this session, by file index. Consecutive compile runs
    /// share them.
    pub(crate) files: BTreeMap<usize, FileTable>,
    /// Whether a value that only the game knows was used.
    pub(crate) is_opaque: bool,
    seed: u64,
    world: VaultWorld,
    phase: Phase,
    dice: Dice,
    running: Vec<Option<Rc<MapRun>>>,
    notes: Vec<String>,
    /// Printed texts, each with its file and line.
    printed: Vec<String>,
    /// Unsupported calls made outside maps, by preludes and modules: name and arguments.
    outside: Vec<(String, String)>,
    /// Number of maps that scripts have placed.
    placed: usize,
}

impl Session {
    fn new(phase: Phase, world: VaultWorld, seed: u64) -> Self {
        Self {
            used: Used::default(),
            environments: Vec::new(),
            place: 0,
            files: BTreeMap::new(),
            is_opaque: false,
            seed,
            world,
            phase,
            dice: Dice::new(Key::new(seed)),
            running: Vec::new(),
            notes: Vec::new(),
            printed: Vec::new(),
            outside: Vec::new(),
            placed: 0,
        }
    }
}

/// State that all functions of a runtime can access.
pub(crate) struct Engine {
    /// Data that no run changes.
    pub(crate) shared: Shared,
    /// Facts that runs have found so far.
    pub(crate) findings: RefCell<Findings>,
    /// State of the current run.
    pub(crate) session: RefCell<Session>,
}

impl Engine {
    /// Creates an engine in which no map has run yet.
    pub(crate) fn new(library: Arc<Library>, loader: Option<Loader>) -> Rc<Self> {
        let (programs, file_names) = Programs::new(&library);
        let findings = Findings {
            catalog: Catalog::new(&library),
            reports: vec![None; programs.maps.len()],
            file_names,
            ..Findings::default()
        };
        Rc::new(Self {
            shared: Shared {
                removes_statements: ["subst_remove", "shuffle_remove"]
                    .iter()
                    .any(|name| library.files().iter().any(|file| file.mentions(name))),
                library,
                programs,
                loader,
                lua: OnceCell::new(),
            },
            findings: RefCell::new(findings),
            session: RefCell::new(Session::new(Phase::Compile, VaultWorld::default(), 0)),
        })
    }

    /// Returns the factory of environments and the table of compiled chunks.
    ///
    /// # Errors
    ///
    /// Fails if [`Self::set_environments`] has not been called; the runtime calls it before any file runs.
    fn lua(&self) -> mlua::Result<&(Environments, Table)> {
        self.shared
            .lua
            .get()
            .ok_or_else(|| mlua::Error::runtime("no environments yet"))
    }

    /// Returns the factory of environments.
    ///
    /// # Errors
    ///
    /// Fails if [`Self::set_environments`] has not been called.
    pub(crate) fn environments(&self) -> mlua::Result<&Environments> {
        Ok(&self.lua()?.0)
    }

    /// Sets the factory of environments and the table of compiled chunks. Later calls have no effect.
    pub(crate) fn set_environments(&self, environments: Environments, compiled: Table) {
        // A second pair would belong to the same Lua state, so it can be ignored.
        let _ = self.shared.lua.set((environments, compiled));
    }

    /// Returns the compiled function of a map's chunk, if the map has one.
    ///
    /// # Errors
    ///
    /// Fails if the code is not valid Lua.
    pub(crate) fn chunk(&self, lua: &Lua, run: &MapRun, role: Role) -> mlua::Result<Option<Function>> {
        // A function has one environment at a time, so a map nested within itself needs functions of its own.
        let is_nested = self
            .session
            .borrow()
            .running
            .iter()
            .flatten()
            .any(|other| other.map == run.map);
        let compiled = (!is_nested).then_some(&self.lua()?.1);
        self.shared.programs.maps[run.map.index()].chunk(lua, compiled, self.file(run.file), role)
    }

    /// Ends a compile run or a resolution and releases the Lua values of its maps.
    pub(crate) fn end(&self) {
        let mut session = self.session.borrow_mut();
        session.running.clear();
        for run in std::mem::take(&mut session.environments) {
            run.parts.take();
        }
    }

    /// Returns a file by its index.
    pub(crate) fn file(&self, index: usize) -> &VaultFile {
        &self.shared.library.files()[index]
    }

    /// Creates a run of a map that starts from the map's rows. If a mask is given, the run fills the cells of the mask
    /// in another map.
    pub(crate) fn new_run(&self, map: MapId, mask: Option<&Rc<Mask>>) -> Rc<MapRun> {
        MapRun::filling(map, self.shared.programs.maps[map.index()].file, self.state(map), mask)
    }

    /// Returns the initial state of a map: its rows, without the effects of any statement. The default depth is not
    /// applied yet.
    pub(crate) fn state(&self, map: MapId) -> MapState {
        let source = self.shared.library.map(map);
        let mut state = MapState::new(&source.name);
        state.set_branch(self.world().level.branch);
        state.can_swim = self.world().can_swim();
        if self.shared.removes_statements {
            state.remember_statements();
        }
        for row in &source.rows {
            state.add_row(row);
        }
        state.pad();
        state
    }

    /// Applies the file's default depth to a map without depths; a malformed default was reported when the file was
    /// read.
    pub(crate) fn default_depth(&self, map: MapId, state: &mut MapState) {
        if let Some(ranges) = self.findings.borrow().catalog.default_depth(map) {
            state.default_depth(ranges);
        }
    }

    /// Sets the default depth of the maps in a file, except maps to which a `default-depth:` line applies.
    pub(crate) fn set_default_depth(&self, file: usize, ranges: &Ranges) {
        let library = &self.shared.library;
        let is_own = |map: &MapId| {
            self.shared.programs.maps[map.index()].file == file && library.map(*map).default_depth.is_none()
        };
        let mut findings = self.findings.borrow_mut();
        for map in library.ids().filter(is_own) {
            findings.catalog.set_default_depth(map, ranges.clone());
        }
    }

    /// Begins a compile run or a resolution in a world.
    pub(crate) fn begin(&self, phase: Phase, world: VaultWorld, seed: u64) {
        let next = Session::new(phase, world, seed);
        let before = self.session.replace(next);
        if (before.phase, phase) == (Phase::Compile, Phase::Compile) {
            self.session.borrow_mut().files = before.files;
        }
    }

    /// Returns the seed of the current run.
    pub(crate) fn seed(&self) -> u64 {
        self.session.borrow().seed
    }

    /// Returns the world of the current run.
    pub(crate) fn world(&self) -> Ref<'_, VaultWorld> {
        Ref::map(self.session.borrow(), |session| &session.world)
    }

    /// Returns the current phase.
    pub(crate) fn phase(&self) -> Phase {
        self.session.borrow().phase
    }

    /// Returns the current dice.
    pub(crate) fn dice(&self) -> RefMut<'_, Dice> {
        RefMut::map(self.session.borrow_mut(), |session| &mut session.dice)
    }

    /// Draws a key for new dice that are independent of the current dice.
    pub(crate) fn new_key(&self) -> Key {
        let mut dice = self.dice();
        Key::new(u64::from(dice.below(u32::MAX))).child(u64::from(dice.below(u32::MAX)))
    }

    /// Replaces the dice and returns the old ones.
    pub(crate) fn swap_dice(&self, dice: Dice) -> Dice {
        std::mem::replace(&mut *self.dice(), dice)
    }

    /// Returns the running map. While a map waits for its subvault, the subvault is the running map. Returns `None` in
    /// preludes and modules.
    pub(crate) fn current(&self) -> Option<Rc<MapRun>> {
        self.session.borrow().running.last().cloned().flatten()
    }

    /// Returns the nesting depth of the running maps, preludes and modules.
    pub(crate) fn depth(&self) -> usize {
        self.session.borrow().running.len()
    }

    /// Counts a map that a script places. Returns whether the count is at most `most`.
    pub(crate) fn count_placed(&self, most: usize) -> bool {
        let placed = &mut self.session.borrow_mut().placed;
        *placed += 1;
        *placed <= most
    }

    /// Calls `f` with `run` as the running map; with `None`, no map is running.
    pub(crate) fn within<T>(&self, run: Option<&Rc<MapRun>>, f: impl FnOnce() -> T) -> T {
        self.session.borrow_mut().running.push(run.cloned());
        let result = f();
        self.session.borrow_mut().running.pop();
        result
    }

    /// Adds a note for the map's author, unless it is a duplicate or the run already has 200 notes.
    pub(crate) fn note(&self, text: String) {
        let notes = &mut self.session.borrow_mut().notes;
        if notes.len() < NOTES && !notes.contains(&text) {
            notes.push(text);
        }
    }

    /// Removes and returns the notes added so far.
    pub(crate) fn take_notes(&self) -> Vec<String> {
        std::mem::take(&mut self.session.borrow_mut().notes)
    }

    /// Stores a printed text with its file and line; texts beyond the first 200 are dropped.
    pub(crate) fn print(&self, place: Option<(usize, u32)>, text: &str) {
        let place = place.map_or_else(String::new, |(file, line)| format!("{}:{line}: ", self.file(file).name));
        let printed = &mut self.session.borrow_mut().printed;
        if printed.len() < NOTES {
            printed.push(format!("{place}{text}"));
        }
    }

    /// Removes and returns the texts printed so far.
    pub(crate) fn take_printed(&self) -> Vec<String> {
        std::mem::take(&mut self.session.borrow_mut().printed)
    }

    /// Records an unsupported call of the running map, or of a prelude or module.
    pub(crate) fn record(&self, name: &str, arguments: &str) {
        let Some(run) = self.current() else {
            let outside = &mut self.session.borrow_mut().outside;
            if outside.len() < RECORDED {
                outside.push((name.to_owned(), arguments.to_owned()));
            }
            return;
        };
        // The state is borrowed only while a statement acts on the map, and statements make no unsupported calls.
        let Ok(mut state) = run.state.try_borrow_mut() else {
            return;
        };
        if state.recorded.len() < RECORDED {
            state.record(name, arguments);
        }
    }

    /// Moves the unsupported calls of preludes and modules to the state of a map.
    pub(crate) fn take_outside(&self, state: &mut MapState) {
        for (name, arguments) in std::mem::take(&mut self.session.borrow_mut().outside) {
            state.record(&name, &arguments);
        }
    }

    /// Marks that this run used a value that only the game knows.
    pub(crate) fn mark_opaque(&self) {
        self.session.borrow_mut().is_opaque = true;
    }

    /// Returns whether this run used a value that only the game knows.
    pub(crate) fn is_opaque(&self) -> bool {
        self.session.borrow().is_opaque
    }

    /// Adds a name that a level file uses and that is not defined anywhere, with a similar name that is defined.
    pub(crate) fn add_undefined(&self, name: &str, place: Option<(usize, u32)>, similar: Option<String>) {
        let place = place.map(|(file, line)| Place {
            file: self.file(file).name.clone(),
            line,
        });
        let undefined = &mut self.findings.borrow_mut().undefined;
        undefined
            .entry(name.to_owned())
            .or_insert(UndefinedUse { place, similar });
    }

    /// Returns the report of a map's compile run; `None` if this run has not taken place yet.
    pub(crate) fn report(&self, map: MapId) -> Option<CompileReport> {
        self.findings.borrow().reports[map.index()].clone()
    }

    /// Stores the report of a map's compile run. A map that failed gets no profile, so it is never chosen at random.
    pub(crate) fn set_report(&self, id: MapId, report: CompileReport) {
        let findings = &mut *self.findings.borrow_mut();
        if report.failure.is_none() {
            let profile = profile(&report.state);
            for tag in &profile.tags {
                findings.tagged.entry(tag.clone()).or_default().insert(id);
            }
            findings.catalog.set(id, profile);
        }
        findings.reports[id.index()] = Some(report);
    }

    /// Returns the maps with a tag, in load order.
    pub(crate) fn tagged(&self, tag: &str) -> Vec<MapId> {
        self.findings
            .borrow()
            .tagged
            .get(tag)
            .into_iter()
            .flatten()
            .copied()
            .collect()
    }
}

/// Creates a profile from a map's state.
fn profile(state: &MapState) -> Profile {
    Profile {
        tags: state.tags.iter().map(str::to_owned).collect(),
        depths: state.depths.clone(),
        place: state.places.clone(),
        weight: state.weights.clone(),
        chance: state.chances.clone(),
        orient: state.orient,
    }
}
