//! Lua of vault files: where it runs, what it may do, and when it is stopped.
//!
//! A [`Sandbox`] is one state of Lua 5.1 that reaches neither files, processes nor the clock, and that ends every
//! run within its [`Limits`]: instructions, memory, and as the last defence time. Patterns, which C
//! Lua matches without ever looking up, are matched by code of our own. What the vault
//! language adds to Lua is not the sandbox's business.
//!
//! A [`Runtime`] runs the maps of a library in a sandbox: it gives each map an environment of its own, binds the
//! functions of the vault language and of the game to it, and makes compile runs and resolutions. mlua
//! appears under this module alone.

mod api;
mod budget;
mod call;
mod engine;
mod environment;
mod failure;
pub mod library;
mod measure;
mod names;
mod patterns;
mod program;
mod resolve;
mod runtime;
mod sandbox;
mod strings;
mod subvault;

pub use budget::Budget;
pub use failure::{FailureKind, LuaFailure, Place};
pub use measure::Measured;
pub use resolve::TRIES;
pub use runtime::{CompileReport, Loader, ResolveOutcome, Runtime, RuntimeOptions};
pub use sandbox::{Limits, Meter, Sandbox};

#[cfg(test)]
mod tests;
