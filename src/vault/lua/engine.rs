//! What the Lua of one runtime shares: the world, chance, the maps that run, notes and records.
//!
//! The engine never holds a borrow while Lua runs, since any function of Lua may call back.

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

/// How many opaque calls of one map are kept; of a loop that makes more, these tell enough.
const RECORDED: usize = 1_000;
/// How many different notes one run may leave.
const NOTES: usize = 200;

/// Where in a map's life its Lua runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Phase {
    /// Before any game: the compile run.
    Compile,
    /// In a game: a map is resolved.
    Resolve,
}

/// One run of a map: its state, its environment and the hooks that it left.
#[derive(Debug)]
pub(crate) struct MapRun {
    /// Number of the map.
    pub(crate) map: MapId,
    /// Index of its file.
    pub(crate) file: usize,
    /// What the map has built up so far.
    pub(crate) state: RefCell<MapState>,
    /// The table of its names.
    pub(crate) env: RefCell<Option<Table>>,
    /// Hooks by their full name, in the order in which they were left.
    pub(crate) hooks: RefCell<Vec<(String, Function)>>,
    /// The maps that fill parts of it.
    pub(crate) children: RefCell<Vec<Rc<MapRun>>>,
    /// The cells of another map that it is to fill.
    pub(crate) mask: Option<Rc<Mask>>,
    /// The map is resolved; what Lua asks of the level is answered from it.
    pub(crate) placed: Cell<bool>,
}

impl MapRun {
    /// A run of a map that begins with this state.
    pub(crate) fn new(map: MapId, file: usize, state: MapState) -> Rc<Self> {
        Self::filling(map, file, state, None)
    }

    /// A run of a map that is to fill cells of another.
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

    /// Begins the run again with this state.
    pub(crate) fn restart(&self, state: MapState) {
        *self.state.borrow_mut() = state;
        self.hooks.borrow_mut().clear();
        self.children.borrow_mut().clear();
        self.placed.set(false);
    }
}

/// A map as Lua holds it: the first argument of every function of `dgn`.
#[derive(Debug, Clone)]
pub(crate) struct Handle(pub(crate) Rc<MapRun>);

impl UserData for Handle {}

/// What all functions of a runtime share.
pub(crate) struct Engine {
    /// The maps and the files that they are in.
    pub(crate) library: Arc<Library>,
    /// Their Lua.
    pub(crate) programs: Programs,
    /// The game's own library, if the caller has it.
    pub(crate) loader: Option<Loader>,
    /// Modules of the helper library that were loaded.
    pub(crate) loaded: RefCell<BTreeSet<String>>,
    /// The names that the game's own library uses, if it is the one in use.
    pub(crate) library_names: RefCell<Names>,
    /// The maps that this world has already.
    pub(crate) used: RefCell<Used>,
    /// What maps say of themselves, once they are compiled.
    pub(crate) catalog: RefCell<Catalog>,
    /// The runs that have a table of names: until it is taken away, run and table keep each other alive.
    pub(crate) furnished: RefCell<Vec<Rc<MapRun>>>,
    /// The first line of the chunk that runs; after a failure, of the one that failed.
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
}

impl Engine {
    /// An engine before any map has run.
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
        })
    }

    /// What makes environments.
    ///
    /// # Errors
    ///
    /// When none was given: the runtime gives it before any file runs.
    pub(crate) fn environments(&self) -> mlua::Result<&Environments> {
        self.environments
            .get()
            .ok_or_else(|| mlua::Error::runtime("no environments yet"))
    }

    /// The functions of chunks, by number.
    ///
    /// # Errors
    ///
    /// As for the environments.
    pub(crate) fn compiled(&self) -> mlua::Result<&Table> {
        self.compiled
            .get()
            .ok_or_else(|| mlua::Error::runtime("no table of chunks yet"))
    }

    /// Gives what makes environments and the table for functions of chunks, once.
    pub(crate) fn equip(&self, environments: Environments, compiled: Table) {
        // Second ones would be of the same state.
        let _ = self.environments.set(environments);
        let _ = self.compiled.set(compiled);
    }

    /// Ends a compile run or a resolution: what its maps hold of Lua is let go.
    pub(crate) fn end(&self) {
        for run in self.furnished.take() {
            run.env.take();
            run.hooks.take();
            run.children.take();
        }
        self.running.take();
    }

    /// A file, by its index.
    pub(crate) fn file(&self, index: usize) -> &VaultFile {
        &self.library.files()[index]
    }

    /// The state in which a run of a map begins: its rows and what its file says of its depth.
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

    /// Gives a map that has named no depth the one of its file; a malformed one was told when the file was read.
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
        *self.used.borrow_mut() = Used::default();
        if phase == Phase::Resolve {
            self.generation.set(self.generation.get() + 1);
            self.current_generation.set(self.generation.get());
        } else {
            self.current_generation.set(0);
        }
    }

    /// Which world it is: what files leave in their tables lives as long.
    pub(crate) fn generation(&self) -> u64 {
        self.current_generation.get()
    }

    /// The seed of this world.
    pub(crate) fn seed(&self) -> u64 {
        self.seed.get()
    }

    /// The world that the designer gave.
    pub(crate) fn world(&self) -> Ref<'_, VaultWorld> {
        self.world.borrow()
    }

    /// Where in a map's life its Lua runs.
    pub(crate) fn phase(&self) -> Phase {
        self.phase.get()
    }

    /// The dice of what runs.
    pub(crate) fn dice(&self) -> RefMut<'_, Dice> {
        self.dice.borrow_mut()
    }

    /// A key for dice that roll apart from those of what runs.
    pub(crate) fn new_key(&self) -> Key {
        let mut dice = self.dice();
        Key::new(u64::from(dice.below(u32::MAX))).child(u64::from(dice.below(u32::MAX)))
    }

    /// Takes new dice and gives the old ones back.
    pub(crate) fn swap_dice(&self, dice: Dice) -> Dice {
        self.dice.replace(dice)
    }

    /// The map that runs, the innermost if a map waits for its subvault.
    pub(crate) fn current(&self) -> Option<Rc<MapRun>> {
        self.running.borrow().last().cloned().flatten()
    }

    /// How many maps run, one within the other.
    pub(crate) fn depth(&self) -> usize {
        self.running.borrow().len()
    }

    /// Runs something as part of a map's run, or as part of none.
    pub(crate) fn within<T>(&self, run: Option<&Rc<MapRun>>, f: impl FnOnce() -> T) -> T {
        self.running.borrow_mut().push(run.cloned());
        let result = f();
        self.running.borrow_mut().pop();
        result
    }

    /// Tells the designer something, once.
    pub(crate) fn note(&self, text: String) {
        let mut notes = self.notes.borrow_mut();
        if notes.len() < NOTES && !notes.contains(&text) {
            notes.push(text);
        }
    }

    /// The notes so far, which then are forgotten.
    pub(crate) fn take_notes(&self) -> Vec<String> {
        std::mem::take(&mut self.notes.borrow_mut())
    }

    /// Keeps a call that only the game could answer; outside of maps, nobody would look at it.
    pub(crate) fn record(&self, name: &str, arguments: &str) {
        let Some(run) = self.current() else { return };
        // While a statement acts on the map, it makes no calls.
        let Ok(mut state) = run.state.try_borrow_mut() else {
            return;
        };
        if state.recorded.len() < RECORDED {
            state.record(name, arguments);
        }
    }

    /// What came of a map's compile run, if it ran.
    pub(crate) fn report(&self, map: MapId) -> Option<CompileReport> {
        self.reports.borrow()[map.index()].clone()
    }

    /// Keeps what came of a map's compile run. A map that failed has no profile: nothing draws it.
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

    /// The maps with a tag, in the order of the files.
    pub(crate) fn tagged(&self, tag: &str) -> Vec<MapId> {
        self.tagged.borrow().get(tag).into_iter().flatten().copied().collect()
    }
}

/// What a map says of itself.
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
