//! The language of level files, and vaults in a dungeon.

#[path = "../common/mod.rs"]
mod common;
#[cfg(feature = "vaults")]
mod corpus;
#[cfg(feature = "vaults")]
mod examples;
#[cfg(feature = "vaults")]
mod layouts;
#[cfg(feature = "vaults")]
mod library;
mod map;
#[cfg(feature = "vaults")]
mod own;
#[cfg(feature = "vaults")]
mod paint;
mod placed;
#[cfg(feature = "vaults")]
mod runtime;
mod source;
