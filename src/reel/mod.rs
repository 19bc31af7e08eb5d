//! A recording as a file: all that a bug report or a later version needs to show the same film again.
//!
//! The file (ending `.wcr`) holds the design with its seed, its vaults as they were resolved, the dungeon before the first
//! turn, and every event since, so that it shows the same dungeon on a machine without the level files, and with a
//! Wallcrawler whose growth has changed. [`write()`] makes the bytes and [`RecordingFile::read`] reads them; no file is opened here.
//! Reading never fails otherwise than with an [`Error`] for people: each section has a checksum, nothing takes more memory
//! than sixty-four times the bytes that it is read from before it has been checked, and every event must fit the dungeon
//! as the events before it left it. [`RecordingFile::again`] says whether this program would grow the same.
//!
//! # The format, version 1
//!
//! Numbers have their lowest byte first. A *text* is a `u32` of bytes and as many bytes of UTF-8. Squares are
//! given by row, from the top, and column, from the left.
//!
//! ```text
//! magic     89 57 43 52 0D 0A 1A 0A    as PNG has it, so that a transfer as text is noticed
//! version   u16                        1
//! program   u8, then so many bytes     what wrote it, "0.1.0"
//! checksum  u32                        CRC-32 (as in PNG and zip) of all bytes so far
//! then sections:
//!   tag      4 letters                 a reader must know those with a capital first, and leaves out others
//!   packing  u8                        0 as it is, 1 deflated (RFC 1951); then zeros may follow
//!   stored   u32                       bytes as they stand here
//!   length   u32                       bytes once unpacked, at most 64 times as many
//!   bytes
//!   checksum u32                       CRC-32 from the tag on
//! ```
//!
//! What begins the file, up to its checksum, is the same in every version. The sections in their order, each once but for
//! `FILM`:
//!
//! | tag | bytes |
//! |---|---|
//! | `HEAD` | `u32`: bit 0, ColumnJumpers are born; bit 1, growth came to its end |
//! | `PLAN` | the design in TOML (see [`format::native`](crate::format::native)), at most 16 MiB |
//! | `from` | `u32` of files that the design was read from; each a text of its name and a text of its SHA-256 |
//! | `VLTS` | `u32` of texts, the names of features; `u32` of vaults that stand. Each vault: `u32`, its place in the design's list; a text, the map's name; `i32` × 2, its left top square; `u32` × 2, rows and columns; for each square row by row a `u16`, 0 for no part of the map, else the number of the feature's name from 1; `u32` of exits, each `i32` × 2 |
//! | `GRID` | `u32` × 2, rows and columns; for each square row by row a byte: 0 open, 1 guaranteed open, 2 wall, 3 high wall, 4 column |
//! | `BORN` | the events before the first turn: births, and who wakes at once |
//! | `FILM` | some turns: `u32` of blocks, each a `u32` of turns, 1 to 64, and a `u32` of bytes; `u32` of iterations that begin up to the last of these turns, each a `u32` of its number and a `u64` of turns before it; then the bytes of the blocks, one after the other |
//! | `END.` | `u64`, the turns in all |
//!
//! # Events
//!
//! A block is a row of events, read with a memory of three things that begin as 0: *who* (the Builder of the event before),
//! *newest* (who was born last), *at* (row and column of the event before). Each begins with a byte:
//!
//! * bits 0 to 3, the kind;
//! * bits 4 and 5: *who* stays (0), or changes by a signed number of 1, 2 or 4 bytes that follows (1, 2, 3);
//! * bit 6: numbers are written in full;
//! * bit 7: the last event of its turn.
//!
//! A heading is 0 North, 1 East, 2 South, 3 West. A *way* is a byte: bits 0 and 1 a heading, the others squares. A *square* is
//! `i16` × 2.
//!
//! | kind | bytes | what happened |
//! |---|---|---|
//! | 0, 1 | way, square | wall is laid on so many open squares ahead of the square; with 1 the Builder then moves to the last. *at* is the last |
//! | 2 | tile before + 16 × tile now, square | a tile is laid. *at* is the square |
//! | 3 | way | *who* moves so far, to *at* |
//! | 4 | square, square | *who* moves from the first to the second, which is *at* |
//! | 5 | heading before + 4 × heading now, `u8`, `u8` | a turn by chance: what was rolled, and below which percentage |
//! | 6 | the same headings, then 3 × `u8`, in full `u32` | a turn of need: free rows ahead, rows needed, free rows at that side |
//! | 7 | opening before + 4 × opening now | 0 closed, 1 at the end, 2 at the start |
//! | 8 | `u32` | *who* joins a wall so far ahead |
//! | 9 | `u8` | *who* dies: 0 blocked, 1 aged, 2 joined |
//! | 10 | | *who* wakes |
//! | 11 | `u32` | no baby of *who* is born: so many live already |
//! | 12 | `u16` ways, then `u8` generation, `u16` iteration | a child of *who* is born at *at*, which wakes in that iteration. It is *newest* + 1, and then *newest* |
//! | 12 in full | `u16` ways, square, then 4 × `u32` | builder, parent, generation, iteration in which it wakes. *newest* is it, *at* the square |
//! | 13 | | nothing happens in this turn |
//!
//! The ways of a birth: bit 0, a ColumnJumper; bits 1 and 2, heading; bits 3 and 4, opening; bits 5 to 8, Direction from 1 in
//! the order of [`Direction::ALL`](crate::geometry::Direction::ALL), 0 for none; bit 9, whether there is a parent. In
//! `BORN` the last event of the turn is not marked. Builders count from 0 in the order of birth.

mod again;
mod bytes;
mod read;
mod section;
#[cfg(test)]
mod tests;
mod write;

pub use again::ReproductionCheck;
pub use write::{RecordingRef, write};

use std::io;

use crate::design::{Diagnostic, ValidDesign};
use crate::engine::Options;
use crate::recording::Recording;

/// The version of the format that is written, and the latest that is read.
pub const VERSION: u16 = 1;

/// The ending of such files.
pub const ENDING: &str = "wcr";

const MAGIC: [u8; 8] = [0x89, b'W', b'C', b'R', b'\r', b'\n', 0x1a, b'\n'];

/// Longer texts of designs are neither written nor read.
const MOST_DESIGN: usize = 16 << 20;

/// A recording that was read, with all that came with it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordingFile {
    /// The version of the program that wrote it.
    pub program: String,
    /// The design that grew, with its vaults as they were resolved.
    pub design: ValidDesign,
    /// What is to be said of the design as it stands in the file.
    pub diagnostics: Vec<Diagnostic>,
    /// How it was grown.
    pub options: Options,
    /// Names and SHA-256 of the files that the design was read from.
    pub sources: Vec<(String, String)>,
    /// The history. Where it is not finished it was written while the dungeon grew, and nothing more will come.
    pub recording: Recording,
}

/// Why a recording cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ReadError {
    /// It is something else.
    #[error("this is no recording of Wallcrawler; `wallcrawler export DESIGN --to NAME.{ENDING}` writes one")]
    NotOne,
    /// A later program wrote it.
    #[error(
        "this recording was written by Wallcrawler {program}, in format {version}; this program reads {VERSION}. Take that version or a later one to open it"
    )]
    Later {
        /// The version of its format.
        version: u16,
        /// The version of that program.
        program: String,
    },
    /// It ends too early.
    #[error("the recording breaks off after {0} bytes; copy or download it again, whole")]
    BrokenOff(usize),
    /// It holds what nobody wrote.
    #[error("the recording is damaged at byte {at}: {what}; copy or download it again, as binary")]
    Damaged {
        /// Where.
        at: usize,
        /// What is wrong.
        what: String,
    },
    /// Its design cannot be grown here.
    #[error("the design in the recording cannot be used: {0}")]
    Design(String),
}

/// Why a recording was not written.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// It could not be written where it was to go.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// The watch ended it.
    #[error("interrupted; nothing was written")]
    Interrupted,
    /// The format cannot hold it.
    #[error("{0}")]
    Cannot(String),
}

/// Whether bytes begin as a recording does.
pub fn is_reel(bytes: &[u8]) -> bool {
    bytes.starts_with(&MAGIC[..4])
}
