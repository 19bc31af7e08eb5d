//! The limits of a run of Lua, and the meter that counts its work.
//!
//! The sandbox's hook and all Rust functions with a loop charge their work to the same [`Meter`]. Once a run has
//! reached a limit, every further charge fails, so the run has to end. The time limit exists only for runs that are
//! slow without using many instructions.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::{Duration, Instant};

use mlua::Lua;
use mlua::debug::Debug;
use serde::{Deserialize, Serialize};

use super::budget::Budget;
use super::failure::{FailureKind, LuaFailure, OWN_CHUNK, Place, TOO_MUCH_MEMORY};

/// Limits of one run of Lua.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// Number of Lua instructions; the work of Rust functions is converted to the same unit.
    pub instructions: u64,
    /// Bytes of Lua's memory, including garbage: standard Lua 5.1 does not collect it when memory runs short.
    pub memory: usize,
    /// Time, as a last resort. The default is so high that a run reaches it only if the other limits do not stop the
    /// run.
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

/// Maximum number of stack levels that are searched for files and lines.
pub(super) const TRACE_LEVELS: usize = 64;

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

/// A handle to the limits and the usage of the current run, through which the hook and Rust functions charge work.
#[derive(Debug, Clone)]
pub struct Meter(Rc<State>);

impl Meter {
    /// Creates the meter of a Lua state.
    pub(super) fn new(limits: Limits, budget: Budget) -> Self {
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

    /// Returns the meter of a sandbox's Lua state; for any other state, one without an instruction limit.
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

    /// Returns the number of instructions that the current run has left.
    pub fn left(&self) -> u64 {
        self.0.left.get()
    }

    /// Returns the memory limit of Lua in bytes.
    pub fn memory(&self) -> usize {
        self.0.limits.memory
    }

    /// Charges the current run for work, in Lua instructions. The hook calls this for Lua code, and Rust functions that
    /// loop call it for their own work.
    ///
    /// # Errors
    ///
    /// Fails if the run has reached a limit. The caller must return the error; a caller that drops it lets the run
    /// continue for a while.
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
                format!("stopped after {limit} instructions: does it loop forever?")
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

    /// Checks that an allocation of this many bytes could fit into Lua's memory.
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

    /// Checks that the run has not been stopped.
    ///
    /// # Errors
    ///
    /// Fails with the original failure if the run has been stopped.
    pub(super) fn refuse_if_stopped(&self) -> mlua::Result<()> {
        match &*self.0.stopped.borrow() {
            Some(failure) => Err(mlua::Error::external(failure.clone())),
            None => Ok(()),
        }
    }

    /// Returns whether a run is in progress.
    pub(super) fn is_running(&self) -> bool {
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

    /// Ends a run. Returns the failure with which it was stopped; `None` if it was not stopped.
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

/// A guard for a Lua run under a meter. Dropping the guard ends the run, even during a panic.
pub(super) struct Run<'a>(&'a Meter);

impl<'a> Run<'a> {
    /// Begins a run, or joins the current one.
    pub(super) fn begin(meter: &'a Meter) -> Self {
        meter.enter();
        Self(meter)
    }

    /// Ends the run. Returns the failure with which it was stopped; `None` if it was not stopped.
    pub(super) fn end(self) -> Option<LuaFailure> {
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

/// Returns the files and lines on the call stack, innermost first.
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
