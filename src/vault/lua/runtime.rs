//! The Lua runtime of a library of maps. It runs the Lua of each map once to find errors (the compile run), and once
//! for each grid that it creates (a resolution).
//!
//! One Lua state serves all maps of a library. Resolutions do not affect each other: preludes run again, environments
//! are dropped, `dgn.persist` is emptied, and the dice depend only on the seed and the map's name. The compile runs of
//! all maps precede the first resolution, because Lua can set the tags by which maps are looked up.

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
    /// Loader of the game's own Lua library; if given, that library replaces the helper library.
    pub loader: Option<Loader>,
}

/// Child key of the dice that draw monsters and items after the grid is finished. Attempts use the child keys 0, 1, 2 …
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
    /// Fails if the helper library (or the library that `loader` provides) cannot be loaded: its Lua fails, or the
    /// limits leave no room for it.
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

    /// Returns the library whose maps this runtime runs.
    pub fn library(&self) -> &Arc<Library> {
        &self.engine.shared.library
    }

    /// Returns the profiles of the maps after [`Self::compile_all`]; maps whose Lua fails have no profile.
    pub fn catalog(&self) -> Catalog {
        self.engine.findings.borrow().catalog.clone()
    }

    /// Returns a map's profile; `None` if the map's Lua fails. Performs the map's compile run first if necessary.
    pub fn profile(&self, map: MapId) -> Option<Profile> {
        self.compile(map);
        self.engine.findings.borrow().catalog.get(map).cloned()
    }

    /// Returns the undefined names with their first uses: names that level files have used in the runs so far, but that
    /// nothing defines. They are global names or functions of the game's modules, such as `you.dance`.
    pub fn undefined_names(&self) -> BTreeMap<String, UndefinedUse> {
        self.engine.findings.borrow().undefined.clone()
    }

    /// Returns the names of a module's functions, sorted. The module may belong to the game, as `crawl` does, or to the
    /// helper library.
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

    /// Returns the report of a map's compile run, and performs this run if it has not been performed yet. The map's Lua
    /// runs once, as the game runs it before play, and the result of its validation is ignored.
    ///
    /// # Panics
    ///
    /// Panics if `map` is out of range, which may happen if it belongs to another library.
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

    /// Performs the compile runs of all maps, in load order, and returns their reports.
    pub fn compile_all(&self) -> Vec<CompileReport> {
        let reports = self.library().ids().map(|map| self.compile(map)).collect();
        self.compiled.set(true);
        reports
    }

    /// Resolves a map in a world. The same map, world and seed always yield the same grid.
    ///
    /// # Panics
    ///
    /// Panics if `map` is out of range, which may happen if it belongs to another library.
    pub fn resolve(&self, map: MapId, world: &VaultWorld, seed: u64) -> ResolveOutcome {
        self.resolve_as(map, world, seed, None)
    }

    /// Resolves a map as [`Self::resolve`] does, but applies `turns` instead of random turns, regardless of the map's
    /// tags. If `turns` is empty, the map is oriented as its author drew it.
    ///
    /// # Panics
    ///
    /// Panics if `map` is out of range, which may happen if it belongs to another library.
    pub fn resolve_turned(&self, map: MapId, world: &VaultWorld, seed: u64, turns: &[Turn]) -> ResolveOutcome {
        self.resolve_as(map, world, seed, Some(turns))
    }

    /// Resolves a map and applies `turns`; `None` rotates and mirrors it at random.
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

    /// Removes and returns the texts that the last resolution printed, each with file and line, if the resolution failed
    /// or the map rejected itself. Otherwise returns nothing, because the notes of the resolved map contain the texts.
    pub fn take_printed(&self) -> Vec<String> {
        self.engine.take_printed()
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

    /// Changes the place of a failure to the line in the map's file that led to it, because that is where the map's
    /// author can fix it.
    fn place(&self, failure: LuaFailure, map: MapId) -> LuaFailure {
        let file = self.library().file(map).name.as_str();
        if failure.file.as_deref() == Some(file) {
            return failure;
        }
        let Some(at) = failure.trace.iter().find(|place| place.file == file).cloned() else {
            if failure.kind == FailureKind::Syntax || failure.file.is_some() {
                return failure;
            }
            // After a tail call, the stack does not contain the chunk; its first line is close enough.
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
