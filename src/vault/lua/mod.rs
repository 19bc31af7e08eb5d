//! Runs the Lua of vault files, with restricted functions and within limits.
//!
//! A [`Sandbox`] is a Lua 5.1 state without access to files, processes or the clock; it stops every run that exceeds
//! its [`Limits`]: instructions, memory and, as a last resort, time. Standard Lua cannot be interrupted while it
//! matches a pattern, so our own code matches patterns. The sandbox does not contain what the vault language adds to
//! Lua.
//!
//! A [`Runtime`] runs the maps of a library in a sandbox: it creates an environment for each map, binds the functions
//! of the vault language and of the game to the map, and performs compile runs and resolutions. Only this module and
//! its submodules use mlua.

mod api;
mod budget;
mod call;
mod engine;
mod environment;
mod failure;
pub mod library;
mod map_run;
mod measure;
mod meter;
mod names;
mod outcome;
mod patterns;
mod placing;
mod program;
mod resolve;
mod runtime;
mod sandbox;
mod strings;
mod subvault;

pub use budget::Budget;
pub use failure::{FailureKind, LuaFailure, Place};
pub use measure::Measured;
pub use meter::{Limits, Meter};
pub use outcome::{CompileReport, Loader, ResolveOutcome, UndefinedUse};
pub use resolve::TRIES;
pub use runtime::{Runtime, RuntimeOptions};
pub use sandbox::Sandbox;

#[cfg(test)]
mod tests;
