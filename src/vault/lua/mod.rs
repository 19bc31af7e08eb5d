//! Lua of vault files: where it runs, what it may do, and when it is stopped.
//!
//! A [`Sandbox`] is one state of Lua 5.1 that reaches neither files, processes nor the clock, and that ends every
//! run within its [`Limits`]: instructions, memory, and as the last defence time. Patterns, which C
//! Lua matches without ever looking up, are matched by code of our own. What the vault
//! language adds to Lua is not the sandbox's business. mlua appears under this module alone.

mod failure;
mod patterns;
mod sandbox;
mod strings;

pub use failure::{FailureKind, LuaFailure, Place};
pub use sandbox::{Limits, Meter, Sandbox};

#[cfg(test)]
mod tests;
