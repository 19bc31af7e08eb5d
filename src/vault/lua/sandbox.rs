//! The Lua state in which the Lua of vaults runs, with limits that stop every runaway script.
//!
//! Files can use only an allow-list of harmless functions. A hook counts instructions in every coroutine. Once a run
//! has reached a limit, every place where Lua could catch the error raises it again, so that the run has to end.

use std::cell::Cell;

use mlua::chunk::ChunkMode;
use mlua::state::{GcIncParams, GcMode};
use mlua::{Function, HookTriggers, Lua, LuaOptions, LuaString, StdLib, Table, Value, VmState};

use super::budget::Budget;
use super::failure::{LuaFailure, OWN_CHUNK};
use super::meter::{Limits, Meter, Run};
use super::strings;

/// Stack in bytes that a run needs. If less is left, a new stack of [`STACK`] bytes is allocated for the run. Lua
/// allows calls between Rust and Lua to nest 200 deep. In a build without optimization, these calls need more stack
/// than the two megabytes of a thread.
const STACK_NEEDED: usize = 8 << 20;
const STACK: usize = 16 << 20;

/// Number of instructions between two checks of the limits.
const SLICE: u32 = 256;

/// Memory in use at which the next garbage collection starts, in percent of the memory in use after the last one. With
/// a lower value, a run over many maps takes a fifth more time; with a higher one, garbage reaches the memory limit.
const GC_PAUSE: i32 = 200;

/// Globals of standard Lua that files may use: functions, constants and library tables.
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

/// Functions removed from the library tables, because they generate bytecode, or random numbers that do not depend
/// on the seed.
const REMOVED: [(&str, &str); 3] = [("math", "random"), ("math", "randomseed"), ("string", "dump")];

/// A Lua 5.1 state in which files can do no harm.
#[derive(Debug)]
pub struct Sandbox {
    /// Lua function that begins a run. It restarts the numbers by which `tostring` names objects, so that earlier runs
    /// do not affect them.
    renew: Option<Function>,
    lua: Lua,
    meter: Meter,
    /// Bytes that were still in use after the last collection by `tidy`; `tidied` counts these collections.
    left: Cell<usize>,
    tidied: Cell<usize>,
}

impl Sandbox {
    /// Creates a Lua state with the functions that files may use.
    ///
    /// # Errors
    ///
    /// Fails if the limits leave no memory for Lua's own functions.
    pub fn new(limits: Limits) -> Result<Self, LuaFailure> {
        Self::within(limits, Budget::default())
    }

    /// Creates a Lua state as [`Self::new`] does; its runs also share a budget.
    ///
    /// # Errors
    ///
    /// Fails if the limits leave no memory for Lua's own functions.
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

    /// Compiles the text of a chunk. Errors refer to lines of `name`, which is shown unchanged.
    ///
    /// # Errors
    ///
    /// Fails if the text is not valid Lua; the failure contains the line.
    pub fn load(&self, name: &str, code: &[u8]) -> Result<Function, LuaFailure> {
        self.run(|lua| chunk(lua, &format!("@{name}"), code))
    }

    /// Runs Lua under the limits, which are reset for each run. A nested run shares what the outer run has left.
    ///
    /// # Errors
    ///
    /// Fails if `body` fails, or if the run was stopped at a limit, even if code has caught that error.
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

    /// Frees the garbage of earlier runs, so that it does not count against the next one. Data in use, such as the
    /// compiled maps of a large file, cannot be freed. To avoid a collection before every run, a collection starts only
    /// when new data fills an eighth of the memory that was free after the last collection. Regardless of this rule, a
    /// collection always starts if more than three quarters of the memory are in use, and never starts if at most a
    /// quarter is.
    fn tidy(&self) {
        let (memory, left) = (self.meter.memory(), self.left.get());
        let most = left + memory.saturating_sub(left) / 8;
        if self.lua.used_memory() <= most.clamp(memory / 4, memory / 4 * 3) {
            return;
        }
        // One collection may not be enough, because each one only halves the buffer in which Lua concatenates strings.
        for _ in 0..4 {
            if self.lua.used_memory() <= self.meter.memory() / 4 {
                break;
            }
            // Only finalizers could make this fail, and files cannot define any.
            let _ = self.lua.gc_collect();
        }
        self.left.set(self.lua.used_memory());
        self.tidied.set(self.tidied.get() + 1);
    }

    /// Returns the number of collections that [`Self::tidy`] has made.
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
        // Hide the metatable of strings, through which a file could change the behaviour of strings in all other files.
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
        // The hook counts the instructions of each coroutine from 0, so the first slice is charged when a coroutine is
        // created.
        let begin = lua.create_function(move |lua, ()| meter.spend(lua, u64::from(SLICE)))?;
        let renew =
            chunk(lua, &format!("={OWN_CHUNK}"), include_bytes!("base.lua"))?.call::<Function>((plain, begin))?;
        self.renew = Some(renew);

        let meter = self.meter.clone();
        lua.set_global_hook(HookTriggers::new().every_nth_instruction(SLICE), move |lua, _| {
            meter.spend(lua, u64::from(SLICE))?;
            Ok(VmState::Continue)
        })?;
        // Garbage counts towards the memory limit, and small collection steps do not keep up with large strings, so
        // steps are unlimited.
        let collection = GcIncParams::default().pause(GC_PAUSE).step_multiplier(0);
        lua.gc_set_mode(GcMode::Incremental(collection));
        lua.set_memory_limit(self.meter.memory())?;
        Ok(())
    }
}

/// Compiles Lua text. Rejects bytecode, which could corrupt the state.
fn chunk(lua: &Lua, name: &str, code: &[u8]) -> mlua::Result<Function> {
    lua.load(code).set_name(name).set_mode(ChunkMode::Text).into_function()
}

/// Removes the position (chunk name and line) at the start of an error message if it lies in the sandbox's own Lua
/// code; `None` if the message has no such position.
fn without_own_place(text: &[u8]) -> Option<&[u8]> {
    let rest = text.strip_prefix(OWN_CHUNK.as_bytes())?.strip_prefix(b":")?;
    let end = rest.iter().position(|byte| !byte.is_ascii_digit())?;
    rest[end..].strip_prefix(b": ")
}
