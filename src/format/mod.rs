//! Text to design and back: the original's rooms, stats and constants files.
//!
//! Reading never fails as a whole where a part can be used: it yields a value, the diagnostics with their
//! lines and columns, and the [`Places`] of every value, so that problems found later can be located, too.
//! What is written the original program can read. Nothing here opens a file.

mod align;
pub mod constants;
mod kind;
pub mod native;
mod record;
pub mod rooms;
pub mod stats;
mod text;
mod whole;

pub use kind::Kind;
pub use text::{Parsed, Places, Text};
pub use whole::read;
