//! The Lua state in which vaults run, and the limits that end every run.
//!
//! Files see an allow-list of harmless functions and nothing else. A hook counts instructions in every coroutine; Rust
//! functions that loop charge the same [`Meter`]. Once a run is spent, every place where Lua could catch the error
//! raises it again, so that the run can only end. Time is checked only to end runs that are slow without using many
//! instructions.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use mlua::chunk::ChunkMode;
use mlua::debug::Debug;
use mlua::state::{GcIncParams, GcMode};
use mlua::{Function, HookTriggers, Lua, LuaOptions, LuaString, StdLib, Table, Value, VmState};

use super::budget::Budget;
use super::failure::{FailureKind, LuaFailure, OWN_CHUNK, Place, TOO_MUCH_MEMORY};
use super::strings;

/// Limits of one run of Lua.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// Number of Lua instructions; the work of Rust functions is converted to the same unit.
    pub instructions: u64,
    /// Bytes of Lua's memory, including garbage: C Lua 5.1 does not collect when memory runs short.
    pub memory: usize,
    /// Time, as a last resort: set so high that only runs that escape the other limits reach it.
    pub time: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            instructions: 50_000_000,
            memory: 128 << 20,
            time: Duration::from_secs(20),
        }
    }
}

/// Stack size in bytes that a run needs; a run with less gets a new stack of this size. Lua allows calls between Rust
/// and Lua to nest 200 deep, each with some kilobytes of stack: without optimization, more than the two megabytes of a
/// thread.
const STACK_NEEDED: usize = 8 << 20;
const STACK: usize = 16 << 20;

/// Number of instructions between two checks of the limits.
const SLICE: u32 = 256;

/// Memory in use at which the next garbage collection starts, in percent of what the last one left: a lower value costs
/// a fifth more time over many maps, a higher one lets garbage reach the limit.
const GC_PAUSE: i32 = 200;

/// Largest number of stack levels searched for places.
pub(super) const TRACE_LEVELS: usize = 64;

/// Global functions that files may use, besides the library tables.
const GLOBALS: [&str; 22] = [
    "_G",
    "_VERSION",
    "assert",
    "coroutine",
    "error",
    "getmetatable",
    "ipairs",
    "math",
    "next",
    "pairs",
    "pcall",
    "rawequal",
    "rawget",
    "rawset",
    "select",
    "setmetatable",
    "string",
    "table",
    "tonumber",
    "tostring",
    "type",
    "unpack",
];

/// Functions removed from the library tables: random numbers independent of the seed, and bytecode.
const REMOVED: [(&str, &str); 3] = [("math", "random"), ("math", "randomseed"), ("string", "dump")];

/// Usage of a run, shared by the hook and by Rust functions.
#[derive(Debug)]
struct State {
    limits: Limits,
    /// Budget of all runs together.
    budget: Budget,
    /// Instructions allowed for the current run: the limit of a run, or the remaining budget if that is less.
    allowed: Cell<u64>,
    left: Cell<u64>,
    deadline: Cell<Option<Instant>>,
    stopped: RefCell<Option<LuaFailure>>,
    depth: Cell<u32>,
}

/// A handle on the remaining allowance of a run, for Rust functions that Lua calls.
#[derive(Debug, Clone)]
pub struct Meter(Rc<State>);

impl Meter {
    fn new(limits: Limits, budget: Budget) -> Self {
        Self(Rc::new(State {
            limits,
            budget,
            allowed: Cell::new(limits.instructions),
            left: Cell::new(limits.instructions),
            deadline: Cell::new(None),
            stopped: RefCell::new(None),
            depth: Cell::new(0),
        }))
    }

    /// Returns the meter of a sandbox's Lua state; for any other state, one without limits.
    pub fn of(lua: &Lua) -> Self {
        lua.app_data_ref::<Self>().map_or_else(
            || {
                let limits = Limits {
                    instructions: u64::MAX,
                    ..Limits::default()
                };
                Self::new(limits, Budget::default())
            },
            |meter| meter.clone(),
        )
    }

    /// Returns the number of instructions left.
    pub fn left(&self) -> u64 {
        self.0.left.get()
    }

    /// Returns the memory limit of Lua in bytes.
    pub fn memory(&self) -> usize {
        self.0.limits.memory
    }

    /// Charges for work that Lua's hook does not count, in instructions.
    ///
    /// # Errors
    ///
    /// Fails if the run is spent. The caller must return the error; a caller that drops it lets the run continue for a
    /// while.
    pub fn spend(&self, lua: &Lua, instructions: u64) -> mlua::Result<()> {
        let state = &*self.0;
        self.refuse_if_stopped()?;
        let left = state.left.get();
        state.left.set(left.saturating_sub(instructions));
        if instructions > left {
            let message = if state.allowed.get() < state.limits.instructions {
                state.budget.spent_message(trace(lua).first().map(ToString::to_string))
            } else {
                let limit = state.limits.instructions;
                format!("stopped after {limit} instructions: does it loop for ever?")
            };
            return Err(self.stop(FailureKind::Instructions, message, lua));
        }
        if state.budget.is_cancelled() {
            return Err(self.stop(FailureKind::Time, "cancelled".into(), lua));
        }
        if state.deadline.get().is_some_and(|deadline| Instant::now() >= deadline) {
            let message = state.budget.late_message().unwrap_or_else(|| {
                let limit = state.limits.time.as_secs_f32();
                format!("stopped after {limit} seconds")
            });
            return Err(self.stop(FailureKind::Time, message, lua));
        }
        Ok(())
    }

    /// Checks that an allocation of this many bytes could fit.
    ///
    /// # Errors
    ///
    /// Fails if `bytes` exceeds the memory limit.
    pub fn fits(&self, bytes: usize) -> mlua::Result<()> {
        if bytes > self.memory() {
            return Err(mlua::Error::MemoryError(TOO_MUCH_MEMORY.to_owned()));
        }
        Ok(())
    }

    fn stop(&self, kind: FailureKind, message: String, lua: &Lua) -> mlua::Error {
        let failure = LuaFailure::new(kind, message, trace(lua));
        self.0.stopped.replace(Some(failure.clone()));
        mlua::Error::external(failure)
    }

    fn refuse_if_stopped(&self) -> mlua::Result<()> {
        match &*self.0.stopped.borrow() {
            Some(failure) => Err(mlua::Error::external(failure.clone())),
            None => Ok(()),
        }
    }

    fn is_running(&self) -> bool {
        self.0.depth.get() > 0
    }

    /// Begins a run, or joins the current one: a nested run shares the limits of the outer run.
    fn enter(&self) {
        let state = &*self.0;
        if state.depth.get() == 0 {
            let allowed = state.limits.instructions.min(state.budget.left());
            state.allowed.set(allowed);
            state.left.set(allowed);
            let deadline = Instant::now().checked_add(state.limits.time);
            let total = state.budget.deadline();
            state.deadline.set(deadline.into_iter().chain(total).min());
            state.stopped.replace(None);
        }
        state.depth.set(state.depth.get() + 1);
    }

    /// Ends a run; returns why it was stopped, if it was.
    fn leave(&self) -> Option<LuaFailure> {
        let state = &*self.0;
        state.depth.set(state.depth.get() - 1);
        if state.depth.get() == 0 {
            state.deadline.set(None);
            state.budget.charge(state.allowed.get() - state.left.get());
            state.stopped.take()
        } else {
            state.stopped.borrow().clone()
        }
    }
}

/// Ends its run when dropped, also during a panic.
struct Run<'a>(&'a Meter);

impl<'a> Run<'a> {
    fn begin(meter: &'a Meter) -> Self {
        meter.enter();
        Self(meter)
    }

    fn end(self) -> Option<LuaFailure> {
        let stopped = self.0.leave();
        std::mem::forget(self);
        stopped
    }
}

impl Drop for Run<'_> {
    fn drop(&mut self) {
        self.0.leave();
    }
}

/// A Lua 5.1 state in which files can do no harm.
#[derive(Debug)]
pub struct Sandbox {
    /// Begins a run in Lua, hiding the effects of earlier runs.
    renew: Option<Function>,
    lua: Lua,
    meter: Meter,
    /// Bytes in use after the last collection before a run; `tidied` counts these collections.
    left: Cell<usize>,
    tidied: Cell<usize>,
}

impl Sandbox {
    /// Creates a state with the library that files may use.
    ///
    /// # Errors
    ///
    /// Fails if the limits leave no memory for the library itself.
    pub fn new(limits: Limits) -> Result<Self, LuaFailure> {
        Self::within(limits, Budget::default())
    }

    /// Creates a state like [`Self::new`] whose runs share a budget.
    ///
    /// # Errors
    ///
    /// Fails if the limits leave no memory for the library itself.
    pub fn within(limits: Limits, budget: Budget) -> Result<Self, LuaFailure> {
        let mut sandbox = Self {
            renew: None,
            // A panic of our own code passes through Lua to the caller instead of becoming an error that Lua can catch.
            lua: Lua::new_with(
                StdLib::TABLE | StdLib::STRING | StdLib::MATH,
                LuaOptions::new().catch_rust_panics(false),
            )
            .map_err(|error| LuaFailure::from_error(&error))?,
            meter: Meter::new(limits, budget),
            left: Cell::new(0),
            tidied: Cell::new(0),
        };
        sandbox
            .install_library()
            .map_err(|error| LuaFailure::from_error(&error))?;
        Ok(sandbox)
    }

    /// Returns the Lua state, for creating tables and functions and setting globals.
    pub fn lua(&self) -> &Lua {
        &self.lua
    }

    /// Returns the meter, for functions that do much work in one call.
    pub fn meter(&self) -> Meter {
        self.meter.clone()
    }

    /// Compiles the text of a chunk. Places in its errors are lines of `name`, which is shown unchanged.
    ///
    /// # Errors
    ///
    /// Fails if the text is not valid Lua; the failure holds the line.
    pub fn load(&self, name: &str, code: &[u8]) -> Result<Function, LuaFailure> {
        self.run(|lua| chunk(lua, &format!("@{name}"), code))
    }

    /// Runs Lua under the limits, which are reset for each run; a nested run shares the remainder of the outer one.
    ///
    /// # Errors
    ///
    /// Fails if the code failed or was stopped, even if the error was caught on the way.
    pub fn run<T>(&self, body: impl FnOnce(&Lua) -> mlua::Result<T>) -> Result<T, LuaFailure> {
        if self.meter.is_running() {
            // The outer run has already ensured the stack size.
            return self.run_here(body);
        }
        self.tidy();
        stacker::maybe_grow(STACK_NEEDED, STACK, || {
            self.run_here(|lua| {
                self.renew.as_ref().map_or(Ok(()), |renew| renew.call(()))?;
                body(lua)
            })
        })
    }

    fn run_here<T>(&self, body: impl FnOnce(&Lua) -> mlua::Result<T>) -> Result<T, LuaFailure> {
        let run = Run::begin(&self.meter);
        let result = body(&self.lua);
        let failure = match (run.end(), result) {
            (Some(stopped), _) => stopped,
            (None, Err(error)) => LuaFailure::from_error(&error),
            (None, Ok(value)) => return Ok(value),
        };
        Err(failure)
    }

    /// Frees the garbage of earlier runs, so that it does not count against the next one. Data in use stays, such as
    /// the compiled maps of a large file: the next collection starts only when an eighth of the remaining memory above
    /// it is used. A run has at least a quarter of the memory, and three quarters if little is in use.
    fn tidy(&self) {
        let (memory, left) = (self.meter.memory(), self.left.get());
        let most = left + memory.saturating_sub(left) / 8;
        if self.lua.used_memory() <= most.clamp(memory / 4, memory / 4 * 3) {
            return;
        }
        // Each collection also halves the buffer in which Lua concatenates strings.
        for _ in 0..4 {
            if self.lua.used_memory() <= self.meter.memory() / 4 {
                break;
            }
            // Only finalizers could make this fail, and files have none.
            let _ = self.lua.gc_collect();
        }
        self.left.set(self.lua.used_memory());
        self.tidied.set(self.tidied.get() + 1);
    }

    /// Returns the number of collections before runs.
    #[cfg(test)]
    pub(super) fn tidied(&self) -> usize {
        self.tidied.get()
    }

    fn install_library(&mut self) -> mlua::Result<()> {
        let lua = &self.lua.clone();
        lua.set_app_data(self.meter());
        let globals = lua.globals();
        for (library, name) in REMOVED {
            globals.get::<Table>(library)?.raw_remove(name)?;
        }
        let names: Vec<LuaString> = globals
            .pairs::<LuaString, Value>()
            .map(|pair| pair.map(|(name, _)| name))
            .collect::<mlua::Result<_>>()?;
        let keep = |name: &LuaString| GLOBALS.iter().any(|known| name.as_bytes() == known.as_bytes());
        for name in names.into_iter().filter(|name| !keep(name)) {
            globals.raw_remove(name)?;
        }
        strings::install(lua, &self.meter)?;
        // Otherwise a file could change the behaviour of strings in all other files.
        if let Some(metatable) = lua.type_metatable::<LuaString>() {
            metatable.raw_set("__metatable", false)?;
        }

        let meter = self.meter.clone();
        let plain = lua.create_function(move |lua, caught: Value| {
            meter.refuse_if_stopped()?;
            match caught {
                Value::Error(error) => {
                    let text = LuaFailure::from_error(&error).to_lua_text();
                    Ok(Value::String(lua.create_string(text)?))
                }
                Value::String(text) => match without_own_place(&text.as_bytes()) {
                    Some(rest) => Ok(Value::String(lua.create_string(rest)?)),
                    None => Ok(Value::String(text)),
                },
                other => Ok(other),
            }
        })?;
        let meter = self.meter.clone();
        // A coroutine counts its own instructions from 0: its first slice is charged on creation.
        let begin = lua.create_function(move |lua, ()| meter.spend(lua, u64::from(SLICE)))?;
        let renew =
            chunk(lua, &format!("={OWN_CHUNK}"), include_bytes!("base.lua"))?.call::<Function>((plain, begin))?;
        self.renew = Some(renew);

        let meter = self.meter.clone();
        lua.set_global_hook(HookTriggers::new().every_nth_instruction(SLICE), move |lua, _| {
            meter.spend(lua, u64::from(SLICE))?;
            Ok(VmState::Continue)
        })?;
        // Garbage counts, and small collection steps do not keep up with large strings, so steps are unlimited.
        let collection = GcIncParams::default().pause(GC_PAUSE).step_multiplier(0);
        lua.gc_set_mode(GcMode::Incremental(collection));
        lua.set_memory_limit(self.meter.memory())?;
        Ok(())
    }
}

/// Compiles text, but never bytecode, which could corrupt the state.
fn chunk(lua: &Lua, name: &str, code: &[u8]) -> mlua::Result<Function> {
    lua.load(code).set_name(name).set_mode(ChunkMode::Text).into_function()
}

/// Removes the place that the sandbox's own Lua prefixed to an error text.
fn without_own_place(text: &[u8]) -> Option<&[u8]> {
    let rest = text.strip_prefix(OWN_CHUNK.as_bytes())?.strip_prefix(b":")?;
    let end = rest.iter().position(|byte| !byte.is_ascii_digit())?;
    rest[end..].strip_prefix(b": ")
}

/// Returns the lines of the call stack, innermost first.
fn trace(lua: &Lua) -> Vec<Place> {
    let place = |debug: &Debug| {
        let line = debug.current_line().filter(|line| *line > 0)?;
        let file = debug.source().short_src.filter(|file| file != OWN_CHUNK)?;
        Some(Place {
            file: file.into_owned(),
            line: line as u32,
        })
    };
    (0..TRACE_LEVELS)
        .map_while(|level| lua.inspect_stack(level, place))
        .flatten()
        .collect()
}
