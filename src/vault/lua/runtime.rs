//! The runtime of a library: compile runs, which find errors, and resolution, which makes grids.
//!
//! One state of Lua serves all maps of a library. What one resolution leaves behind does not reach
//! the next: preludes run anew, environments are dropped, `dgn.persist` is emptied, and the dice are
//! those of the seed and the map's name. The library is compiled as a whole before the first
//! resolution, since tags, by which maps are looked up, come out of Lua.

use std::cell::Cell;
use std::rc::Rc;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::api;
use super::budget::Budget;
use super::engine::{Engine, MapRun, Phase};
use super::failure::{FailureKind, LuaFailure};
use super::resolve::{Attempt, Ending, name_key};
use super::sandbox::{Limits, Sandbox};
use crate::engine::random::Key;
use crate::vault::dice::Dice;
use crate::vault::glyphs::Turn;
use crate::vault::library::{Catalog, Library, MapId};
use crate::vault::map::{MapState, Origin, ResolvedMap};
use crate::vault::world::VaultWorld;

/// Gives the text of a module of the game's own library, by its path: `dlua/vault.lua`.
pub type Loader = Rc<dyn Fn(&str) -> Option<Vec<u8>>>;

/// What a runtime is made of.
#[derive(Clone, Default)]
pub struct RuntimeOptions {
    /// What one compile run or one resolution may use.
    pub limits: Limits,
    /// What all runs together may use; without a limit unless one is set.
    pub budget: Budget,
    /// The game's own library of Lua, in place of ours.
    pub loader: Option<Loader>,
}

/// What came of a map's compile run.
#[derive(Debug, Clone)]
pub struct CompileReport {
    /// What the map says of itself: tags, depths, weight, and the grid of this one run.
    pub state: Rc<MapState>,
    /// What went wrong.
    pub failure: Option<LuaFailure>,
    /// What the designer should know, though nothing is wrong.
    pub notes: Vec<String>,
}

/// What came of a resolution.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ResolveOutcome {
    /// A grid that passed the map's own validation.
    Resolved(Box<ResolvedMap>),
    /// The map does not want to be here.
    Vetoed,
    /// Every try failed the map's validation; the last one is told.
    Invalid(Box<ResolvedMap>),
    /// Its Lua failed.
    Failed(LuaFailure),
}

/// The child key of the dice for what is drawn once the grid is done; tries have the numbers from 0.
const FINISH: u64 = u64::MAX;

/// Runs the Lua of a library.
pub struct Runtime {
    sandbox: Sandbox,
    engine: Rc<Engine>,
    compiled: Cell<bool>,
}

impl Runtime {
    /// A runtime for the maps of a library; nothing of theirs has run yet.
    ///
    /// # Errors
    ///
    /// When the helper library fails: its own Lua is wrong, or the limits leave no room for it.
    pub fn new(library: Arc<Library>, options: RuntimeOptions) -> Result<Self, LuaFailure> {
        let sandbox = Sandbox::within(options.limits, options.budget)?;
        let engine = Engine::new(library, options.loader);
        sandbox.run(|lua| api::install(lua, &engine))?;
        sandbox.run(|lua| engine.start(lua))?;
        Ok(Self {
            sandbox,
            engine,
            compiled: Cell::new(false),
        })
    }

    /// The library whose maps it runs.
    pub fn library(&self) -> &Arc<Library> {
        &self.engine.library
    }

    /// What the maps say of themselves, after [`Self::compile_all`]; a map whose Lua fails says nothing.
    pub fn catalog(&self) -> Catalog {
        self.engine.catalog.borrow().clone()
    }

    /// The compile run of a map, as before a game: its Lua runs once, and what its validation says does not matter.
    ///
    /// # Panics
    ///
    /// When the map is one of another library.
    pub fn compile(&self, map: MapId) -> CompileReport {
        if let Some(report) = self.engine.report(map) {
            return report;
        }
        self.engine.begin(Phase::Compile, VaultWorld::default(), 0);
        let run = MapRun::new(map, self.engine.programs.maps[map.index()].file, self.engine.state(map));
        let result = self.sandbox.run(|lua| self.engine.compile_run(lua, &run));
        self.engine.end();
        let mut state = run.state.take();
        self.engine.default_depth(map, &mut state);
        let report = CompileReport {
            state: Rc::new(state),
            failure: result.err().map(|failure| self.place(failure, map)),
            notes: self.engine.take_notes(),
        };
        self.engine.set_report(map, report.clone());
        report
    }

    /// The compile runs of all maps, in their order.
    pub fn compile_all(&self) -> Vec<CompileReport> {
        let reports = self.library().ids().map(|map| self.compile(map)).collect();
        self.compiled.set(true);
        reports
    }

    /// Resolves a map in a world: the same seed gives the same grid.
    ///
    /// # Panics
    ///
    /// When the map is one of another library.
    pub fn resolve(&self, map: MapId, world: &VaultWorld, seed: u64) -> ResolveOutcome {
        self.resolve_as(map, world, seed, None)
    }

    /// Resolves a map and turns it as the caller wants, whatever its tags allow: otherwise it is the same as
    /// [`Self::resolve`] gives for the seed. Without any turn it is as its author drew it.
    ///
    /// # Panics
    ///
    /// When the map is one of another library.
    pub fn resolve_turned(&self, map: MapId, world: &VaultWorld, seed: u64, turns: &[Turn]) -> ResolveOutcome {
        self.resolve_as(map, world, seed, Some(turns))
    }

    /// Resolves a map, turned by chance or by the caller's turns.
    fn resolve_as(&self, map: MapId, world: &VaultWorld, seed: u64, turns: Option<&[Turn]>) -> ResolveOutcome {
        if !self.compiled.get() {
            self.compile_all();
        }
        self.engine.begin(Phase::Resolve, world.clone(), seed);
        let result = self
            .sandbox
            .run(|lua| self.engine.resolve(lua, map, seed, turns.is_none()));
        self.engine.end();
        let attempt = match result {
            Ok(attempt) => attempt,
            Err(failure) => return ResolveOutcome::Failed(self.place(failure, map)),
        };
        for &turn in turns.unwrap_or_default() {
            attempt.run.state.borrow_mut().turn(turn);
        }
        match attempt.ending {
            Ending::Done => ResolveOutcome::Resolved(self.finish(&attempt, map, seed)),
            Ending::Vetoed => ResolveOutcome::Vetoed,
            Ending::Invalid => ResolveOutcome::Invalid(self.finish(&attempt, map, seed)),
        }
    }

    /// The grid of a map's last try.
    fn finish(&self, attempt: &Attempt, map: MapId, seed: u64) -> Box<ResolvedMap> {
        let mut state = attempt.run.state.take();
        for note in self.engine.take_notes() {
            state.note(note);
        }
        let origin = Origin {
            file: self.library().file(map).name.clone(),
            line: self.library().map(map).line,
            seed,
            tries: attempt.tries,
        };
        // Monsters and items are drawn last: nothing that they roll may shift the grid.
        let key = Key::new(seed)
            .child(name_key(&self.library().map(map).name))
            .child(FINISH);
        Box::new(state.finish(origin, &mut Dice::new(key)))
    }

    /// Tells a failure where the vault's author can mend it: at the line of the map's file that led there.
    fn place(&self, failure: LuaFailure, map: MapId) -> LuaFailure {
        let file = self.library().file(map).name.as_str();
        if failure.file.as_deref() == Some(file) {
            return failure;
        }
        let Some(at) = failure.trace.iter().find(|place| place.file == file).cloned() else {
            if failure.kind == FailureKind::Syntax || failure.file.is_some() {
                return failure;
            }
            // Calls at the end of a chunk leave no trace of it: its first line is near enough.
            let line = match self.engine.place.get() {
                0 => self.library().map(map).line,
                line => line,
            };
            return LuaFailure {
                file: Some(file.to_owned()),
                line: Some(line),
                ..failure
            };
        };
        let message = match (&failure.file, failure.line) {
            (Some(other), Some(line)) => format!("{} (in {other}:{line})", failure.message),
            _ => failure.message.clone(),
        };
        LuaFailure {
            file: Some(at.file),
            line: Some(at.line),
            message,
            ..failure
        }
    }
}
