//! State shared by all Lua of one runtime: the world, dice, running maps, notes and unsupported calls.
//!
//! The engine never holds a borrow while Lua runs, because any Lua function may call back.

use std::cell::{Cell, OnceCell, Ref, RefCell, RefMut};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;

use mlua::{Function, Table, UserData};

use super::environment::Environments;
use super::names::Names;
use super::program::Programs;
use super::runtime::{CompileReport, Loader};
use crate::engine::random::Key;
use crate::vault::dice::Dice;
use crate::vault::library::{Catalog, Library, MapId, Profile, Used};
use crate::vault::map::{MapState, Mask};
use crate::vault::source::VaultFile;
use crate::vault::spec::Ranges;
use crate::vault::world::VaultWorld;

/// Largest number of unsupported calls kept per map; a loop may make many more.
const RECORDED: usize = 1_000;
/// Largest number of different notes of one run.
const NOTES: usize = 200;

/// The phase of a map's life in which its Lua runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Phase {
    /// The compile run, before any game.
    Compile,
    /// The resolution of a map, in a game.
    Resolve,
}

/// One run of a map: its state, its environment and its hooks.
#[derive(Debug)]
pub(crate) struct MapRun {
    /// Number of the map.
    pub(crate) map: MapId,
    /// Index of the map's file.
    pub(crate) file: usize,
    /// State that the map has built up so far.
    pub(crate) state: RefCell<MapState>,
    /// The map's environment table.
    pub(crate) env: RefCell<Option<Table>>,
    /// Hooks with their full names, in the order in which they were set.
    pub(crate) hooks: RefCell<Vec<(String, Function)>>,
    /// Subvaults that fill parts of the map.
    pub(crate) children: RefCell<Vec<Rc<MapRun>>>,
    /// Cells of another map that this one is to fill.
    pub(crate) mask: Option<Rc<Mask>>,
    /// Whether the map is resolved; Lua's queries about the level are then answered from it.
    pub(crate) placed: Cell<bool>,
}

impl MapRun {
    /// Creates a run of a map that starts with this state.
    pub(crate) fn new(map: MapId, file: usize, state: MapState) -> Rc<Self> {
        Self::filling(map, file, state, None)
    }

    /// Creates a run of a map that fills cells of another.
    pub(crate) fn filling(map: MapId, file: usize, state: MapState, mask: Option<&Rc<Mask>>) -> Rc<Self> {
        Rc::new(Self {
            map,
            file,
            state: RefCell::new(state),
            env: RefCell::default(),
            hooks: RefCell::default(),
            children: RefCell::default(),
            mask: mask.cloned(),
            placed: Cell::new(false),
        })
    }

    /// Restarts the run with this state.
    pub(crate) fn restart(&self, state: MapState) {
        *self.state.borrow_mut() = state;
        self.hooks.borrow_mut().clear();
        self.children.borrow_mut().clear();
        self.placed.set(false);
    }
}

/// The Lua value of a map: the first argument of every function of `dgn`.
#[derive(Debug, Clone)]
pub(crate) struct Handle(pub(crate) Rc<MapRun>);

impl UserData for Handle {}

/// State shared by all functions of a runtime.
pub(crate) struct Engine {
    /// The maps and their files.
    pub(crate) library: Arc<Library>,
    /// Lua programs of the maps and files.
    pub(crate) programs: Programs,
    /// Loader of the game's own library, if the caller provides one.
    pub(crate) loader: Option<Loader>,
    /// Modules loaded so far.
    pub(crate) loaded: RefCell<BTreeSet<String>>,
    /// Names used by the game's own library, if it is in use.
    pub(crate) library_names: RefCell<Names>,
    /// Maps already placed in this world.
    pub(crate) used: RefCell<Used>,
    /// Profiles of the maps compiled so far.
    pub(crate) catalog: RefCell<Catalog>,
    /// Runs that have an environment table: run and table keep each other alive until the table is removed.
    pub(crate) furnished: RefCell<Vec<Rc<MapRun>>>,
    /// First line of the running chunk; after a failure, of the chunk that failed.
    pub(crate) place: Cell<u32>,
    environments: OnceCell<Environments>,
    compiled: OnceCell<Table>,
    generation: Cell<u64>,
    current_generation: Cell<u64>,
    seed: Cell<u64>,
    reports: RefCell<Vec<Option<CompileReport>>>,
    tagged: RefCell<BTreeMap<String, BTreeSet<MapId>>>,
    world: RefCell<VaultWorld>,
    phase: Cell<Phase>,
    dice: RefCell<Dice>,
    running: RefCell<Vec<Option<Rc<MapRun>>>>,
    notes: RefCell<Vec<String>>,
    /// Unsupported calls outside of maps: by preludes and modules.
    outside: RefCell<Vec<(String, String)>>,
    /// Whether a value that only the game knows was used in this run.
    is_opaque: Cell<bool>,
    /// Names that level files use and nothing defines, with the place of the first use.
    undefined: RefCell<BTreeMap<String, String>>,
}

impl Engine {
    /// Creates an engine before any map has run.
    pub(crate) fn new(library: Arc<Library>, loader: Option<Loader>) -> Rc<Self> {
        let programs = Programs::new(&library);
        let reports = vec![None; programs.maps.len()];
        Rc::new(Self {
            catalog: RefCell::new(Catalog::new(&library)),
            library,
            programs,
            loader,
            loaded: RefCell::default(),
            library_names: RefCell::default(),
            used: RefCell::default(),
            furnished: RefCell::default(),
            place: Cell::new(0),
            environments: OnceCell::new(),
            compiled: OnceCell::new(),
            generation: Cell::new(0),
            current_generation: Cell::new(0),
            seed: Cell::new(0),
            reports: RefCell::new(reports),
            tagged: RefCell::default(),
            world: RefCell::default(),
            phase: Cell::new(Phase::Compile),
            dice: RefCell::new(Dice::new(Key::new(0))),
            running: RefCell::default(),
            notes: RefCell::default(),
            outside: RefCell::default(),
            is_opaque: Cell::new(false),
            undefined: RefCell::default(),
        })
    }

    /// Returns the factory of environments.
    ///
    /// # Errors
    ///
    /// Fails if [`Self::equip`] has not been called; the runtime calls it before any file runs.
    pub(crate) fn environments(&self) -> mlua::Result<&Environments> {
        self.environments
            .get()
            .ok_or_else(|| mlua::Error::runtime("no environments yet"))
    }

    /// Returns the compiled functions of chunks, by number.
    ///
    /// # Errors
    ///
    /// Fails if [`Self::equip`] has not been called.
    pub(crate) fn compiled(&self) -> mlua::Result<&Table> {
        self.compiled
            .get()
            .ok_or_else(|| mlua::Error::runtime("no table of chunks yet"))
    }

    /// Sets the factory of environments and the table of compiled chunks, once.
    pub(crate) fn equip(&self, environments: Environments, compiled: Table) {
        // A second pair would belong to the same Lua state.
        let _ = self.environments.set(environments);
        let _ = self.compiled.set(compiled);
    }

    /// Ends a compile run or a resolution and releases the Lua values of its maps.
    pub(crate) fn end(&self) {
        for run in self.furnished.take() {
            run.env.take();
            run.hooks.take();
            run.children.take();
        }
        self.running.take();
    }

    /// Returns a file by its index.
    pub(crate) fn file(&self, index: usize) -> &VaultFile {
        &self.library.files()[index]
    }

    /// Returns the initial state of a map: its rows and its file's default depth.
    pub(crate) fn state(&self, map: MapId) -> MapState {
        let source = self.library.map(map);
        let mut state = MapState::new(&source.name);
        state.stand_in(self.world.borrow().level.branch);
        for row in &source.rows {
            state.add_row(row);
        }
        state.pad();
        state
    }

    /// Applies the file's default depth to a map without depths; a malformed default was reported when the file was
    /// read.
    pub(crate) fn default_depth(&self, map: MapId, state: &mut MapState) {
        let default = self.library.map(map).default_depth.as_deref();
        if let Some(Ok(ranges)) = default.map(Ranges::parse) {
            state.default_depth(&ranges);
        }
    }

    /// Begins a compile run or a resolution in a world.
    pub(crate) fn begin(&self, phase: Phase, world: VaultWorld, seed: u64) {
        self.seed.set(seed);
        self.place.set(0);
        self.phase.set(phase);
        *self.world.borrow_mut() = world;
        self.running.borrow_mut().clear();
        self.notes.borrow_mut().clear();
        self.outside.borrow_mut().clear();
        self.is_opaque.set(false);
        *self.used.borrow_mut() = Used::default();
        if phase == Phase::Resolve {
            self.generation.set(self.generation.get() + 1);
            self.current_generation.set(self.generation.get());
        } else {
            self.current_generation.set(0);
        }
    }

    /// Returns the generation of the world; the tables of files live as long as it does.
    pub(crate) fn generation(&self) -> u64 {
        self.current_generation.get()
    }

    /// Returns the seed of this world.
    pub(crate) fn seed(&self) -> u64 {
        self.seed.get()
    }

    /// Returns the world set by the designer.
    pub(crate) fn world(&self) -> Ref<'_, VaultWorld> {
        self.world.borrow()
    }

    /// Returns the current phase.
    pub(crate) fn phase(&self) -> Phase {
        self.phase.get()
    }

    /// Returns the current dice.
    pub(crate) fn dice(&self) -> RefMut<'_, Dice> {
        self.dice.borrow_mut()
    }

    /// Returns a key for dice independent of the current ones.
    pub(crate) fn new_key(&self) -> Key {
        let mut dice = self.dice();
        Key::new(u64::from(dice.below(u32::MAX))).child(u64::from(dice.below(u32::MAX)))
    }

    /// Replaces the dice and returns the old ones.
    pub(crate) fn swap_dice(&self, dice: Dice) -> Dice {
        self.dice.replace(dice)
    }

    /// Returns the running map, the innermost if a map waits for its subvault.
    pub(crate) fn current(&self) -> Option<Rc<MapRun>> {
        self.running.borrow().last().cloned().flatten()
    }

    /// Returns how many map runs are nested.
    pub(crate) fn depth(&self) -> usize {
        self.running.borrow().len()
    }

    /// Calls `f` as part of a map's run, or of none.
    pub(crate) fn within<T>(&self, run: Option<&Rc<MapRun>>, f: impl FnOnce() -> T) -> T {
        self.running.borrow_mut().push(run.cloned());
        let result = f();
        self.running.borrow_mut().pop();
        result
    }

    /// Adds a note for the designer, unless it is a duplicate.
    pub(crate) fn note(&self, text: String) {
        let mut notes = self.notes.borrow_mut();
        if notes.len() < NOTES && !notes.contains(&text) {
            notes.push(text);
        }
    }

    /// Removes and returns the notes so far.
    pub(crate) fn take_notes(&self) -> Vec<String> {
        std::mem::take(&mut self.notes.borrow_mut())
    }

    /// Records an unsupported call of the running map, or of a prelude or module.
    pub(crate) fn record(&self, name: &str, arguments: &str) {
        let Some(run) = self.current() else {
            let mut outside = self.outside.borrow_mut();
            if outside.len() < RECORDED {
                outside.push((name.to_owned(), arguments.to_owned()));
            }
            return;
        };
        // While a statement acts on the map, no calls are made.
        let Ok(mut state) = run.state.try_borrow_mut() else {
            return;
        };
        if state.recorded.len() < RECORDED {
            state.record(name, arguments);
        }
    }

    /// Moves the unsupported calls of preludes and modules to a map.
    pub(crate) fn take_outside(&self, state: &mut MapState) {
        for (name, arguments) in self.outside.take() {
            state.record(&name, &arguments);
        }
    }

    /// Marks that this run used a value that only the game knows.
    pub(crate) fn mark_opaque(&self) {
        self.is_opaque.set(true);
    }

    /// Returns whether this run used a value that only the game knows.
    pub(crate) fn is_opaque(&self) -> bool {
        self.is_opaque.get()
    }

    /// Adds a name that a level file uses and nothing defines.
    pub(crate) fn add_undefined(&self, name: &str, place: Option<(usize, u32)>) {
        self.note(format!(
            "`{name}` is not defined: its calls are recorded and do nothing"
        ));
        let place = place.map_or_else(String::new, |(file, line)| format!("{}:{line}", self.file(file).name));
        self.undefined.borrow_mut().entry(name.to_owned()).or_insert(place);
    }

    /// Returns the names that level files use and nothing defines, with the places of their first uses.
    pub(crate) fn undefined(&self) -> BTreeMap<String, String> {
        self.undefined.borrow().clone()
    }

    /// Returns the report of a map's compile run, if it ran.
    pub(crate) fn report(&self, map: MapId) -> Option<CompileReport> {
        self.reports.borrow()[map.index()].clone()
    }

    /// Stores the report of a map's compile run. A map that failed gets no profile and is never drawn.
    pub(crate) fn set_report(&self, id: MapId, report: CompileReport) {
        if report.failure.is_none() {
            let profile = profile(&report.state);
            let mut tagged = self.tagged.borrow_mut();
            for tag in &profile.tags {
                tagged.entry(tag.clone()).or_default().insert(id);
            }
            self.catalog.borrow_mut().set(id, profile);
        }
        self.reports.borrow_mut()[id.index()] = Some(report);
    }

    /// Returns the maps with a tag, in load order.
    pub(crate) fn tagged(&self, tag: &str) -> Vec<MapId> {
        self.tagged.borrow().get(tag).into_iter().flatten().copied().collect()
    }
}

/// Returns the profile of a map's state.
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
