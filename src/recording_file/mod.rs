//! Recording files: everything that a bug report or a later version needs to play the same growth again.
//!
//! The file (extension `.wcr`) holds the design with its seed, its resolved vaults, the dungeon before the first turn,
//! and every event since. It therefore shows the same dungeon on a machine without the level files, and with a version
//! of Wallcrawler whose growth has changed. [`write()`] produces the bytes and [`RecordingFile::read`] parses them;
//! this module opens no file. Reading a malformed file returns a [`ReadError`] and never panics: each section has a
//! checksum, decompression uses at most 64 times the bytes of a section before it has been checked, and every event
//! must fit the dungeon as the earlier events left it. [`RecordingFile::again`] checks whether this program would grow
//! the same dungeon.
//!
//! # The format, version 1
//!
//! Numbers are little-endian. A *text* is its length in bytes as a `u32`, then as many bytes of UTF-8. Squares are
//! given by row, from the top, and column, from the left.
//!
//! ```text
//! magic     89 57 43 52 0D 0A 1A 0A    like PNG's, so that a transfer in text mode is detected
//! version   u16                        1
//! program   length (u8), then bytes   version of the writing program, "0.1.0"
//! checksum  u32                        CRC-32 (as in PNG and zip) of all bytes so far
//! then sections:
//!   tag      4 letters                 an initial capital marks a required section; readers skip others
//!   packing  u8                        0 stored, 1 deflated (RFC 1951); zeros may follow the deflated data
//!   stored   u32                       length of the bytes in the file
//!   length   u32                       length once unpacked, at most 64 times as many
//!   bytes
//!   checksum u32                       CRC-32 from the tag on
//! ```
//!
//! The start of the file, up to its checksum, is the same in every version. The sections follow in this order, each
//! once except `FILM`, which may occur any number of times:
//!
//! | tag | bytes |
//! |---|---|
//! | `HEAD` | `u32`: bit 0, ColumnJumpers are born; bit 1, growth came to its end |
//! | `PLAN` | the design in TOML (see [`format::native`](crate::format::native)), at most 16 MiB |
//! | `from` | `u32` number of files that the design was read from; for each a text with its name and a text with its SHA-256 |
//! | `VLTS` | `u32` number of texts, then the texts: the names of features; `u32` number of resolved vaults. Each vault: `u32`, its index in the design's list; a text, the map's name; `i32` × 2, its top left square; `u32` × 2, rows and columns; for each square, row by row, a `u16`: 0 outside the map, otherwise the number of the feature's name, counted from 1; `u32` number of exits, each `i32` × 2 |
//! | `held` | the contents of the vaults; missing if they have no contents. `u32` number of vaults, for each a `u32` number of entries; each entry: `i32` × 2, its square; a text, `monster`, `item`, `shop`, `portal` or `marker`; a text, what it is; `u32` number of properties, for each a text with its name and a text with its value |
//! | `GRID` | `u32` × 2, rows and columns; for each square, row by row, a byte: 0 open, 1 guaranteed open, 2 wall, 3 high wall, 4 column |
//! | `BORN` | the events before the first turn: births, and wake events of Builders that are awake at once |
//! | `FILM` | some turns: `u32` number of blocks, for each a `u32` number of turns, 1 to 64, and a `u32` number of bytes; `u32` number of iterations that begin up to the last of these turns, for each a `u32` with its number and a `u64` with the number of turns before it; then the bytes of the blocks in order |
//! | `END.` | `u64`, the total number of turns |
//!
//! # Events
//!
//! A block is a sequence of events, decoded with three variables that start at 0: *who* (the Builder of the previous
//! event), *newest* (the Builder born last), *at* (row and column of the previous event). Each event begins with a
//! byte:
//!
//! * bits 0 to 3: the kind;
//! * bits 4 and 5: *who* is unchanged (0), or changes by a signed number of 1, 2 or 4 bytes that follows (1, 2, 3);
//! * bit 6: numbers have their full width;
//! * bit 7: the last event of its turn.
//!
//! A heading is 0 North, 1 East, 2 South, 3 West. A *step* is a byte: bits 0 and 1 are a heading, the others a number of
//! squares. A *square* is `i16` × 2.
//!
//! | kind | bytes | what happened |
//! |---|---|---|
//! | 0, 1 | step, square | wall is laid on that many open squares ahead of the square; with kind 1 the Builder then moves to the last. *at* is the last |
//! | 2 | tile before + 16 × tile now, square | a tile is laid. *at* is the square |
//! | 3 | step | *who* moves by that step, to *at* |
//! | 4 | square, square | *who* moves from the first to the second, which is *at* |
//! | 5 | heading before + 4 × heading now, `u8`, `u8` | a free turn: the number rolled, and the chance in percent |
//! | 6 | the same headings, then 3 × `u8`, with bit 6 `u32` | a forced turn: free rows ahead, rows needed, free rows at that side |
//! | 7 | opening before + 4 × opening now | 0 closed, 1 at the end, 2 at the start |
//! | 8 | `u32` | *who* joins a wall at that distance |
//! | 9 | `u8` | *who* dies: 0 blocked, 1 aged, 2 joined |
//! | 10 | | *who* wakes |
//! | 11 | `u32` | no baby of *who* is born: the number of living Builders |
//! | 12 | `u16` flags, then `u8` generation, `u16` iteration | a baby of *who* is born at *at*, which wakes in that iteration. Its number is *newest* + 1, which becomes *newest* |
//! | 12 with bit 6 | `u16` flags, square, then 4 × `u32` | builder, parent, generation, iteration in which it wakes. *newest* becomes this Builder, and *at* the square |
//! | 13 | | no event in this turn |
//!
//! The flags of a birth: bit 0, a ColumnJumper; bits 1 and 2, heading; bits 3 and 4, opening; bits 5 to 8, Direction
//! from 1 in the order of [`Direction::ALL`](crate::geometry::Direction::ALL), 0 for none; bit 9, whether there is a
//! parent; bits 10 and 11, added to bit 0, the index in [`BuilderKind::ALL`](crate::engine::BuilderKind::ALL); bit 12,
//! whether the age at waking follows as a `u32`. In `BORN` the last event of the turn is not marked. Builders count
//! from 0 in the order of birth.

mod again;
mod bytes;
mod provenance;
mod read;
mod section;
#[cfg(test)]
mod tests;
mod write;

pub use again::ReproductionCheck;
pub use provenance::{PROGRAM, PROGRAM_VERSION, Provenance, SourceFile, sha256, title_of};
pub use write::{RecordingRef, write};

use std::io;

use crate::design::{Diagnostic, ValidDesign};
use crate::engine::Options;
use crate::recording::Recording;

/// Version of the format that is written, and the only one that is read.
pub const VERSION: u16 = 1;

/// File extension of recordings, without the dot.
pub const ENDING: &str = "wcr";

const MAGIC: [u8; 8] = [0x89, b'W', b'C', b'R', b'\r', b'\n', 0x1a, b'\n'];

/// Maximum length of a design's text in bytes, for writing and reading.
const MOST_DESIGN: usize = 16 << 20;

/// A recording that was read, with its design and sources.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordingFile {
    /// Version of the program that wrote it.
    pub program: String,
    /// The design that was grown, with its resolved vaults.
    pub design: ValidDesign,
    /// Diagnostics of the design in the file.
    pub diagnostics: Vec<Diagnostic>,
    /// Options of the growth.
    pub options: Options,
    /// Files that the design was read from.
    pub sources: Vec<SourceFile>,
    /// The history. An unfinished one was written while the dungeon was still growing and stays unfinished.
    pub recording: Recording,
}

/// The reason why a recording cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ReadError {
    /// The bytes are not a recording.
    #[error("this is not a Wallcrawler recording; `wallcrawler export DESIGN --output NAME.{ENDING}` writes one")]
    NotOne,
    /// A program with another version of the format wrote it.
    #[error(
        "this recording was written by Wallcrawler {program}, in format {version}; this program reads {VERSION}; use that version or a later one to open it"
    )]
    Later {
        /// Version of its format.
        version: u16,
        /// Version of that program.
        program: String,
    },
    /// It ends too early, after this many bytes.
    #[error("the recording ends early, after {0} bytes; copy or download it again")]
    BrokenOff(usize),
    /// Its contents are invalid.
    #[error("the recording is damaged at byte {at}: {what}; copy or download it again, in binary mode")]
    Damaged {
        /// Offset in bytes.
        at: usize,
        /// Description of the error.
        what: String,
    },
    /// Its design cannot be used here.
    #[error("the design in the recording cannot be used: {0}")]
    Design(String),
}

/// The reason why a recording was not written.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// The output failed.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// The `watch` callback cancelled it.
    #[error("interrupted; nothing was written")]
    Interrupted,
    /// The format cannot hold it, or dropped events cannot be regrown.
    #[error("{0}")]
    Cannot(String),
}

/// Returns whether `bytes` begin with the first four bytes of a recording.
pub fn is_recording(bytes: &[u8]) -> bool {
    bytes.starts_with(&MAGIC[..4])
}
