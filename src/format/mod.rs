//! Converts between text and designs: the native TOML format and the original's rooms, stats and constants files.
//!
//! Reading keeps every part that can be used: it returns a value, the diagnostics with their lines and columns, and
//! the [`Places`] of every value, so that problems found later can be located, too. The original program can read the
//! rooms, stats and constants files written here. Nothing here opens a file.

mod align;
pub mod compact;
pub mod constants;
mod kind;
pub mod native;
mod record;
pub mod rooms;
pub mod stats;
mod template;
mod text;
mod whole;

pub use kind::{Kind, companion_name};
pub use text::{Parsed, Places, Text};
pub use whole::read;
