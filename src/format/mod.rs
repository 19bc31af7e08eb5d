//! Converts between text and designs: the native TOML format and the original's rooms, stats and constants files.
//!
//! Readers use every part of a text that can be used. They return a value, the diagnostics with lines and columns, and
//! the [`Places`] of all values in the text, so that diagnostics found later can also have a line and column. The
//! original program can read the rooms, stats and constants files that this module writes. This module opens no files.

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
pub use text::{Parsed, Places, Text, line_break};
pub use whole::{read, read_as};
