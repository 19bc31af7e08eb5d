//! Lua of vault files: where it runs, its restrictions, and its limits.
//!
//! A [`Sandbox`] is a Lua 5.1 state without access to files, processes or the clock; it ends every run within its
//! [`Limits`]: instructions, memory and, as a last resort, time. C Lua matches patterns without any interrupt, so our
//! own code matches them. The sandbox knows nothing of what the vault language adds to Lua.
//!
//! A [`Runtime`] runs the maps of a library in a sandbox: it gives each map its own environment, binds the functions of
//! the vault language and of the game to it, and makes compile runs and resolutions. mlua is used only under this
//! module.

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
