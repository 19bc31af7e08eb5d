//! Runs the chunks of a map in order, for its compile run and for the attempts of a resolution.

use std::rc::Rc;

use mlua::{Function, Lua, Table, Value};

use super::engine::{Engine, FileTable};
use super::failure::{FailureKind, LuaFailure};
use super::map_run::MapRun;
use crate::engine::random::Key;
use crate::text::fnv1a;
use crate::vault::dice::Dice;
use crate::vault::library::{MapId, Used};
use crate::vault::map::Mask;
use crate::vault::source::Role;

/// Maximum number of attempts in one resolution.
pub const TRIES: u32 = 25;

/// Result of the attempts to resolve a map.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ending {
    /// The map passed its validation.
    Done,
    /// The map's veto rejected this level.
    Vetoed,
    /// No attempt passed the map's validation.
    Invalid,
}

/// The last attempt to resolve a map.
#[derive(Debug)]
pub(crate) struct Attempt {
    /// Result of all attempts.
    pub(crate) ending: Ending,
    /// The run with the resulting state.
    pub(crate) run: Rc<MapRun>,
    /// Number of attempts made; 0 after a veto.
    pub(crate) tries: u32,
}

/// Returns whether a chunk's result is true in the sense of Lua's `if`.
fn is_true(answer: &Value) -> bool {
    !matches!(answer, Value::Nil | Value::Boolean(false))
}

/// Returns whether an error ends the whole run and must not be caught.
fn is_end(error: &mlua::Error) -> bool {
    !matches!(
        LuaFailure::from_error(error).kind,
        FailureKind::Error | FailureKind::Syntax
    )
}

/// How a map is rotated and mirrored after its validation has passed.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Placement<'a> {
    /// The map is neither rotated nor mirrored.
    Upright,
    /// The map is mirrored and rotated at random, as its tags allow.
    Turned,
    /// Like `Turned`, for a map that fills these cells of another map.
    Within(&'a Rc<Mask>),
}

impl Engine {
    /// Performs the compile run of a map: runs its Lua once, as the game does before play, and ignores the result of
    /// its validation.
    ///
    /// # Errors
    ///
    /// Fails if the map's Lua fails.
    pub(crate) fn compile_run(self: &Rc<Self>, lua: &Lua, run: &Rc<MapRun>) -> mlua::Result<()> {
        let key = Key::new(0).child(fnv1a(self.shared.library.map(run.map).name.bytes()));
        self.swap_dice(Dice::new(key));
        self.create_environment(lua, run)?;
        // Chunks that do not run here must still be valid Lua.
        for (role, _) in self.shared.library.map(run.map).chunks() {
            self.chunk(lua, run, role)?;
        }
        self.body(lua, run)?;
        self.part(lua, run, Role::Validate)?;
        self.part(lua, run, Role::Epilogue)?;
        Ok(())
    }

    /// Resolves a map as the game would: repeats attempts until validation passes, at most [`TRIES`] times, then runs
    /// the hooks and the epilogue.
    ///
    /// # Errors
    ///
    /// Fails if the map's Lua fails.
    pub(crate) fn resolve(self: &Rc<Self>, lua: &Lua, map: MapId, seed: u64, turned: bool) -> mlua::Result<Attempt> {
        let placement = if turned { Placement::Turned } else { Placement::Upright };
        let key = Key::new(seed).child(fnv1a(self.shared.library.map(map).name.bytes()));
        self.use_up(map);
        // Each resolution takes place in a new world, so values that maps share through `dgn.persist` are discarded.
        if let Value::Table(dgn) = lua.globals().raw_get("dgn")? {
            dgn.raw_set("persist", lua.create_table()?)?;
        }
        self.environments()?.reset_counters()?;
        let attempt = self.attempt(lua, map, key, placement)?;
        if attempt.ending == Ending::Done {
            self.after_placing(lua, &attempt.run)?;
        }
        Ok(attempt)
    }

    /// Runs the hooks and epilogues that follow the placement of a map and its subvaults.
    ///
    /// # Errors
    ///
    /// Fails if a hook or an epilogue fails.
    pub(crate) fn after_placing(self: &Rc<Self>, lua: &Lua, run: &Rc<MapRun>) -> mlua::Result<()> {
        each(run, &|run| self.hooks(run, "post_place"))?;
        each(run, &|run| {
            self.hooks(run, "pre_epilogue")?;
            self.part(lua, run, Role::Epilogue)?;
            self.hooks(run, "post_epilogue")
        })?;
        gather(run);
        Ok(())
    }

    /// Attempts to resolve a map until its validation passes. The attempts use their own dice, so that the result does
    /// not depend on draws elsewhere. If no attempt succeeds, the maps within the map remain available.
    ///
    /// # Errors
    ///
    /// Fails if the map's Lua fails.
    pub(crate) fn attempt(
        self: &Rc<Self>,
        lua: &Lua,
        map: MapId,
        key: Key,
        placement: Placement,
    ) -> mlua::Result<Attempt> {
        let outer = self.swap_dice(Dice::new(key));
        let used = self.session.borrow().used.clone();
        let result = self.tries(lua, map, key, placement, &used);
        self.swap_dice(outer);
        if !matches!(&result, Ok(attempt) if attempt.ending == Ending::Done) {
            self.session.borrow_mut().used = used;
        }
        result
    }

    /// Makes the attempts. Each begins with the maps in `used` used up.
    fn tries(
        self: &Rc<Self>,
        lua: &Lua,
        map: MapId,
        key: Key,
        placement: Placement,
        used: &Used,
    ) -> mlua::Result<Attempt> {
        let mask = match placement {
            Placement::Within(mask) => Some(mask),
            Placement::Upright | Placement::Turned => None,
        };
        let run = self.new_run(map, mask);
        let end = |ending, tries| Attempt {
            ending,
            run: Rc::clone(&run),
            tries,
        };
        self.create_environment(lua, &run)?;
        if self.part(lua, &run, Role::Veto)?.is_some_and(|answer| is_true(&answer)) {
            return Ok(end(Ending::Vetoed, 0));
        }
        let mut rejected = None;
        for number in 0..TRIES {
            self.session.borrow_mut().used.clone_from(used);
            self.swap_dice(Dice::new(key.child(u64::from(number))));
            run.restart(self.state(map));
            self.body(lua, &run)?;
            rejected = match self.part(lua, &run, Role::Validate) {
                Err(error) if is_end(&error) => return Err(error),
                Err(error) => Some(error),
                Ok(Some(answer)) if !is_true(&answer) => None,
                Ok(_) => {
                    if !matches!(placement, Placement::Upright) {
                        run.state.borrow_mut().random_turns(&mut self.dice());
                    }
                    run.parts.borrow_mut().is_placed = true;
                    return Ok(end(Ending::Done, number + 1));
                }
            };
        }
        match rejected {
            Some(error) => Err(error),
            None => Ok(end(Ending::Invalid, TRIES)),
        }
    }

    /// Sets the environment table of a run.
    fn create_environment(self: &Rc<Self>, lua: &Lua, run: &Rc<MapRun>) -> mlua::Result<()> {
        let file = self.file_table(lua, run.file)?;
        let env = self.environments()?.map_table(run, &file)?;
        run.parts.borrow_mut().env = Some(env);
        self.session.borrow_mut().environments.push(Rc::clone(run));
        Ok(())
    }

    /// Runs a map's prelude, body and main hooks, and then draws the feature of each cell.
    fn body(&self, lua: &Lua, run: &Rc<MapRun>) -> mlua::Result<()> {
        self.part(lua, run, Role::Prelude)?;
        self.hooks(run, "pre_main")?;
        self.part(lua, run, Role::Body)?;
        self.hooks(run, "post_main")?;
        run.state.borrow_mut().fixup(&mut self.dice());
        Ok(())
    }

    /// Runs a chunk of a map; does nothing if the map has no such chunk.
    fn part(&self, lua: &Lua, run: &Rc<MapRun>, role: Role) -> mlua::Result<Option<Value>> {
        let Some(function) = self.chunk(lua, run, role)? else {
            return Ok(None);
        };
        if let Some(env) = run.env() {
            function.set_environment(env)?;
        }
        let mut chunks = self.shared.library.map(run.map).chunks();
        let line = chunks
            .find(|(other, _)| *other == role)
            .map_or(0, |(_, chunk)| chunk.line);
        let before = std::mem::replace(&mut self.session.borrow_mut().place, line);
        let answer = self.excuse(self.within(Some(run), || function.call(())))?;
        self.session.borrow_mut().place = before;
        Ok(answer)
    }

    /// Converts an error into a note and returns `None` if the error occurs only because the game is absent: an
    /// operation needed a value that only the game knows. The rest of the chunk does not run.
    fn excuse<T>(&self, result: mlua::Result<T>) -> mlua::Result<Option<T>> {
        let error = match result {
            Ok(value) => return Ok(Some(value)),
            Err(error) => error,
        };
        let failure = LuaFailure::from_error(&error);
        let needs_value = ["attempt to ", "bad argument ", "'for' ", "invalid value "];
        let is_excused = self.is_opaque()
            && failure.kind == FailureKind::Error
            && needs_value.iter().any(|start| failure.message.starts_with(start));
        if !is_excused {
            return Err(error);
        }
        self.note(format!(
            "{failure}: this operation depends on a value that only the game knows, so the rest of this code is skipped"
        ));
        Ok(None)
    }

    /// Runs the functions that a map has added to the hook `name`.
    fn hooks(&self, run: &Rc<MapRun>, name: &str) -> mlua::Result<()> {
        let hooks: Vec<Function> = run
            .parts
            .borrow()
            .hooks
            .iter()
            .filter(|(hook, _)| hook == name)
            .map(|(_, function)| function.clone())
            .collect();
        for hook in hooks {
            self.excuse(self.within(Some(run), || hook.call::<()>(())))?;
        }
        Ok(())
    }

    /// Returns the environment table of a file. If the file's prelude has not run in this session, runs it first.
    ///
    /// # Errors
    ///
    /// Fails if the prelude fails.
    pub(crate) fn file_table(&self, lua: &Lua, file: usize) -> mlua::Result<Table> {
        {
            let session = &mut *self.session.borrow_mut();
            if let Some(file) = session.files.get(&file) {
                session.is_opaque |= file.is_opaque;
                return Ok(file.table.clone());
            }
        }
        let table = self.environments()?.file_table()?;
        let set_table = |is_opaque| {
            let table = table.clone();
            self.session
                .borrow_mut()
                .files
                .insert(file, FileTable { table, is_opaque });
        };
        // The table is stored before the prelude runs, so that the prelude can look up its own names.
        set_table(false);
        let Some(prelude) = self.shared.programs.files[file].prelude(lua, self.file(file))? else {
            return Ok(table);
        };
        prelude.set_environment(table.clone())?;
        let dice = Dice::new(Key::new(self.seed()).child(fnv1a(self.file(file).name.bytes())));
        let outer = self.swap_dice(dice);
        let result = self.within(None, || prelude.call::<()>(()));
        self.swap_dice(outer);
        if let Err(error) = self.excuse(result) {
            self.session.borrow_mut().files.remove(&file);
            return Err(error);
        }
        set_table(self.is_opaque());
        Ok(table)
    }
}

/// Calls `f` for the subvaults of a map, recursively, then for the map itself.
fn each(run: &Rc<MapRun>, f: &dyn Fn(&Rc<MapRun>) -> mlua::Result<()>) -> mlua::Result<()> {
    let children = run.parts.borrow().children.clone();
    for child in &children {
        each(child, f)?;
    }
    f(run)
}

/// Moves two lists from each subvault to the map that encloses it: the unsupported calls that its hooks and epilogues
/// recorded, and the maps that its hooks and epilogues placed.
fn gather(run: &Rc<MapRun>) {
    for child in &run.parts.borrow().children {
        gather(child);
        let mut from = child.state.borrow_mut();
        let mut to = run.state.borrow_mut();
        to.recorded.append(&mut from.recorded);
        to.placed.append(&mut from.placed);
    }
}
