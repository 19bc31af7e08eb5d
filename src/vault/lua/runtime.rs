//! The runtime of a library: compile runs, which find errors, and resolution, which creates grids.
//!
//! One Lua state serves all maps of a library. Resolutions do not affect each other: preludes run again, environments
//! are dropped, `dgn.persist` is emptied, and the dice depend on the seed and the map's name. The whole library is
//! compiled before the first resolution, because the tags by which maps are looked up are set by Lua.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use mlua::Value;

use super::api;
use super::budget::Budget;
use super::engine::{Engine, Phase};
use super::failure::{FailureKind, LuaFailure};
use super::meter::Limits;
use super::outcome::{CompileReport, Loader, ResolveOutcome, UndefinedUse};
use super::resolve::{Attempt, Ending};
use super::sandbox::Sandbox;
use crate::engine::random::Key;
use crate::text::fnv1a;
use crate::vault::dice::Dice;
use crate::vault::glyphs::Turn;
use crate::vault::library::{Catalog, Library, MapId, Profile};
use crate::vault::map::{Origin, ResolvedMap};
use crate::vault::world::VaultWorld;

/// Options of a runtime.
#[derive(Clone, Default)]
pub struct RuntimeOptions {
    /// Limits of one compile run or one resolution.
    pub limits: Limits,
    /// Budget of all runs together; unlimited by default.
    pub budget: Budget,
    /// Loader of the game's own Lua library, which replaces ours.
    pub loader: Option<Loader>,
}

/// Child key of the dice that draw after the grid is done; attempts have the numbers from 0.
const FINISH: u64 = u64::MAX;

/// A runtime for the Lua of a library.
pub struct Runtime {
    sandbox: Sandbox,
    engine: Rc<Engine>,
    compiled: Cell<bool>,
}

impl Runtime {
    /// Creates a runtime for the maps of a library without running any of their Lua.
    ///
    /// # Errors
    ///
    /// Fails if the helper library fails: its Lua is wrong, or the limits leave no room for it.
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

    /// Returns the library whose maps it runs.
    pub fn library(&self) -> &Arc<Library> {
        &self.engine.shared.library
    }

    /// Returns the profiles of the maps after [`Self::compile_all`]; maps whose Lua fails have no profile.
    pub fn catalog(&self) -> Catalog {
        self.engine.findings.borrow().catalog.clone()
    }

    /// Returns a map's profile after its compile run, which is made now if necessary; `None` if the map's Lua fails.
    pub fn profile(&self, map: MapId) -> Option<Profile> {
        self.compile(map);
        self.engine.findings.borrow().catalog.get(map).cloned()
    }

    /// Returns the names that the maps run so far use but that are not defined anywhere, with their first uses: global
    /// names, and functions of modules of the game such as `you.dance`.
    pub fn undefined_names(&self) -> BTreeMap<String, UndefinedUse> {
        self.engine.findings.borrow().undefined.clone()
    }

    /// Returns the names of the functions of a module of the game or of the helper library, such as `crawl`, sorted.
    pub fn functions(&self, module: &str) -> Vec<String> {
        let names = self.sandbox.run(|lua| {
            let Value::Table(table) = lua.globals().raw_get(module)? else {
                return Ok(Vec::new());
            };
            let pairs = table.pairs::<Value, Value>();
            let names = pairs.filter_map(|pair| match pair {
                Ok((Value::String(name), Value::Function(_))) => Some(name.to_string_lossy()),
                _ => None,
            });
            Ok(names.collect())
        });
        let mut names: Vec<String> = names.unwrap_or_default();
        names.sort();
        names
    }

    /// Makes the compile run of a map, as before a game: its Lua runs once, and validation is ignored.
    ///
    /// # Panics
    ///
    /// Panics if the map's index is out of range, as the index of a map of another library may be.
    pub fn compile(&self, map: MapId) -> CompileReport {
        if let Some(report) = self.engine.report(map) {
            return report;
        }
        self.engine.begin(Phase::Compile, VaultWorld::default(), 0);
        let run = self.engine.new_run(map, None);
        let result = self.sandbox.run(|lua| self.engine.compile_run(lua, &run));
        self.engine.end();
        let mut state = run.state.take();
        self.engine.default_depth(map, &mut state);
        self.engine.take_outside(&mut state);
        let report = CompileReport {
            state: Rc::new(state),
            failure: result.err().map(|failure| self.place(failure, map)),
            is_opaque: self.engine.is_opaque(),
            notes: self.engine.take_notes(),
            printed: self.engine.take_printed(),
        };
        self.engine.set_report(map, report.clone());
        report
    }

    /// Makes the compile runs of all maps, in load order.
    pub fn compile_all(&self) -> Vec<CompileReport> {
        let reports = self.library().ids().map(|map| self.compile(map)).collect();
        self.compiled.set(true);
        reports
    }

    /// Resolves a map in a world: the same seed yields the same grid.
    ///
    /// # Panics
    ///
    /// Panics if the map's index is out of range, as the index of a map of another library may be.
    pub fn resolve(&self, map: MapId, world: &VaultWorld, seed: u64) -> ResolveOutcome {
        self.resolve_as(map, world, seed, None)
    }

    /// Resolves a map and applies the caller's turns, regardless of its tags; otherwise the result is the same as that
    /// of [`Self::resolve`] for the seed. Without any turns the map is as its author drew it.
    ///
    /// # Panics
    ///
    /// Panics if the map's index is out of range, as the index of a map of another library may be.
    pub fn resolve_turned(&self, map: MapId, world: &VaultWorld, seed: u64, turns: &[Turn]) -> ResolveOutcome {
        self.resolve_as(map, world, seed, Some(turns))
    }

    /// Resolves a map, turned at random or by the caller's turns.
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

    /// Returns the grid of a map's last attempt.
    fn finish(&self, attempt: &Attempt, map: MapId, seed: u64) -> Box<ResolvedMap> {
        let mut state = attempt.run.state.take();
        for note in self.engine.take_notes() {
            state.note(note);
        }
        for printed in self.engine.take_printed() {
            state.note(format!("printed at {printed}"));
        }
        self.engine.take_outside(&mut state);
        let origin = Origin {
            file: self.library().file(map).name.clone(),
            line: self.library().map(map).line,
            seed,
            tries: attempt.tries,
        };
        // Monsters and items are drawn last, so that their rolls do not affect the grid.
        let key = Key::new(seed)
            .child(fnv1a(self.library().map(map).name.bytes()))
            .child(FINISH);
        Box::new(state.finish(origin, &mut Dice::new(key)))
    }

    /// Moves a failure to the line of the map's file that led to it, where the vault's author can fix it.
    fn place(&self, failure: LuaFailure, map: MapId) -> LuaFailure {
        let file = self.library().file(map).name.as_str();
        if failure.file.as_deref() == Some(file) {
            return failure;
        }
        let Some(at) = failure.trace.iter().find(|place| place.file == file).cloned() else {
            if failure.kind == FailureKind::Syntax || failure.file.is_some() {
                return failure;
            }
            // Tail calls leave no trace of the chunk: its first line is close enough.
            let line = match self.engine.session.borrow().place {
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
