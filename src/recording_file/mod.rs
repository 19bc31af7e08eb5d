//! Recording files. A recording file contains everything needed to replay a growth. It can, for example, be attached to
//! a bug report.
//!
//! The file (extension `.wcr`) contains the design with its seed, its resolved vaults, the dungeon before the first
//! turn, and all events. It therefore shows the same dungeon on a machine without the level files of the vaults, and in
//! a version of Wallcrawler that would grow the design differently. [`write()`] produces the bytes and
//! [`RecordingFile::read`] parses them; this module itself does not open files. Reading a malformed file returns a
//! [`ReadError`] and never panics: each section has a checksum, a section may expand to at most 64 times its stored
//! length, and every event must be possible in the dungeon that results from the earlier events.
//! [`RecordingFile::again`] checks whether this program would grow the same dungeon.
//!
//! # The format, version 1
//!
//! Numbers are little-endian. A *text* is its length in bytes as a `u32`, then that many bytes of UTF-8. A square is
//! stored as its row, from the top, and its column, from the left.
//!
//! ```text
//! magic     89 57 43 52 0D 0A 1A 0A    like PNG's, so that a transfer in text mode is detected
//! version   u16                        1
//! program   length (u8), then bytes   version of the writing program, "0.1.0"
//! checksum  u32                        CRC-32 (as in PNG and zip) of all bytes so far
//! then sections:
//!   tag      4 characters              initial capital: required; otherwise optional, and skipped if unknown
//!   packing  u8                        0 stored, 1 deflated (RFC 1951); zeros may follow the deflated data
//!   stored   u32                       length of the bytes in the file
//!   length   u32                       length of the unpacked bytes, at most 64 times `stored`
//!   bytes
//!   checksum u32                       CRC-32 of all bytes of the section from the tag on
//! ```
//!
//! The start of the file, up to its checksum, has the same layout in every version. The sections follow in this order,
//! each once, except that `FILM` may occur any number of times and `from` and `held` may be absent:
//!
//! | tag | bytes |
//! |---|---|
//! | `HEAD` | `u32`: bit 0, whether Jumpers are born; bit 1, whether the growth is finished |
//! | `PLAN` | the design in TOML (see [`format::native`](crate::format::native)), at most 16 MiB |
//! | `from` | `u32` number of files from which the design was read; for each, a text with its name and a text with its SHA-256 |
//! | `VLTS` | `u32` number of texts, then the texts: the names of features; `u32` number of resolved vaults. Each vault: `u32`, its index in the design's list; a text, the map's name; `i32` × 2, its top left square; `u32` × 2, rows and columns; for each square, row by row, a `u16`: 0 outside the map, otherwise the number of the feature's name, counted from 1; `u32` number of exits, each `i32` × 2 |
//! | `held` | the contents of the vaults; this section is left out if no vault has contents. `u32` number of vaults, for each a `u32` number of entries; each entry: `i32` × 2, its square; a text, its kind: `monster`, `item`, `shop`, `portal` or `marker`; a text, its name, destination or class; `u32` number of properties, for each a text with its name and a text with its value |
//! | `GRID` | `u32` × 2, rows and columns; for each square, row by row, a byte: 0 open, 1 guaranteed open, 2 wall, 3 high wall, 4 column |
//! | `BORN` | the events before the first turn: births, and wake events of the Builders that act in the first iteration |
//! | `FILM` | some turns: `u32` number of blocks, for each a `u32` number of turns, 1 to 64, and a `u32` number of bytes; `u32` number of iterations that have begun by the end of these turns and are not in an earlier `FILM`, for each a `u32` with its number and a `u64` with the number of turns before it; then the bytes of the blocks in order |
//! | `END.` | `u64`, the total number of turns |
//!
//! # Events
//!
//! A block is a sequence of events, decoded with three variables that start at 0: *who* (the Builder of the previous
//! event), *newest* (the Builder born last), *at* (row and column of the previous event). Each event begins with a
//! byte:
//!
//! * bits 0 to 3: the kind;
//! * bits 4 and 5: with value 0, *who* is unchanged; with value 1, 2 or 3, a signed number of 1, 2 or 4 bytes follows
//!   and is added to *who*;
//! * bit 6: numbers have their full width, as described below for each kind;
//! * bit 7: this event is the last of its turn.
//!
//! A heading is 0 North, 1 East, 2 South, 3 West. A *step* is a byte: bits 0 and 1 are a heading, bits 2 to 7 a number
//! of squares. A *square* is `i16` × 2.
//!
//! | kind | bytes | what happened |
//! |---|---|---|
//! | 0, 1 | step, square | *who* lays walls on open squares, beginning with the square after the given one. The step states how many squares, and the heading in which they follow one another. With kind 1, *who* then moves to the last of these squares. *at* becomes the last of these squares |
//! | 2 | tile before + 16 × tile now, square | *who* lays a tile. *at* becomes the square |
//! | 3 | step | *who* moves to *at*. The step contains the heading and the number of squares of the move. *at* stays the same |
//! | 4 | square, square | *who* moves from the first square to the second, which becomes *at* |
//! | 5 | heading before + 4 × heading now, `u8`, `u8` | *who* turns freely; the two `u8` are the number rolled and the chance in percent |
//! | 6 | headings as for kind 5, then 3 × `u8` (with bit 6, 3 × `u32`) | *who* is forced to turn; the three numbers are the free rows ahead, the rows needed, and the free rows on the side to which it turns |
//! | 7 | opening before + 4 × opening now | the opening of *who* changes: 0 closed, 1 at the end, 2 at the start |
//! | 8 | `u32` | *who* joins a wall at that distance |
//! | 9 | `u8` | *who* dies: 0 blocked, 1 aged, 2 joined |
//! | 10 | | *who* wakes |
//! | 11 | `u32` | a baby of *who* is not born because too many Builders live; the `u32` is the number of living Builders |
//! | 12 | `u16` flags, then `u8` generation, `u16` iteration | a baby of *who* is born at *at* and wakes in that iteration. *newest* increases by 1 and is the number of the baby |
//! | 12 with bit 6 | `u16` flags, square, then 4 × `u32` | a Builder is born: its number, its parent, its generation, and the iteration in which it wakes. *newest* becomes this Builder, and *at* becomes the square |
//! | 13 | | no event in this turn |
//!
//! The flags of a birth: bit 0, a Jumper; bits 1 and 2, heading; bits 3 and 4, opening; bits 5 to 8, 0 for no
//! Direction, otherwise its number in [`Direction::ALL`](crate::geometry::Direction::ALL), counted from 1; bit 9,
//! whether there is a parent; bits 10 and 11, the index of the Builder's kind in
//! [`BuilderKind::ALL`](crate::engine::BuilderKind::ALL), minus the value of bit 0; bit 12, whether the age at waking
//! follows as a `u32`. In `BORN`, bit 7 of an event's first byte is never set. Builders are numbered from 0 in the
//! order of their births.

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

/// Version of the format that [`write()`] produces, and the only version that [`RecordingFile::read`] accepts.
pub const VERSION: u16 = 1;

/// File extension of recordings, without the dot.
pub const ENDING: &str = "wcr";

const MAGIC: [u8; 8] = [0x89, b'W', b'C', b'R', b'\r', b'\n', 0x1a, b'\n'];

/// Maximum length of the design's text in bytes, checked on writing and on reading.
const MOST_DESIGN: usize = 16 << 20;

/// The contents of a recording file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordingFile {
    /// Version of the program that wrote the file.
    pub program: String,
    /// The design that was grown, with its resolved vaults.
    pub design: ValidDesign,
    /// Diagnostics about the design in the file.
    pub diagnostics: Vec<Diagnostic>,
    /// Options of the growth.
    pub options: Options,
    /// Files from which the design was read.
    pub sources: Vec<SourceFile>,
    /// The history of the growth. It is unfinished if the file was written while the dungeon was still growing.
    pub recording: Recording,
}

/// The reason why a recording cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ReadError {
    /// The bytes are not a recording.
    #[error("this is not a Wallcrawler recording; `wallcrawler export DESIGN --output NAME.{ENDING}` writes one")]
    NotOne,
    /// The recording has another version of the format.
    #[error(
        "this recording was written by Wallcrawler {program}, in format {version}; this program reads format {VERSION}; use Wallcrawler {program} to open it"
    )]
    Later {
        /// Version of the recording's format.
        version: u16,
        /// Version of the program that wrote the recording.
        program: String,
    },
    /// The recording ends too early, after this many bytes.
    #[error("the recording ends early, after {0} bytes; copy or download it again")]
    BrokenOff(usize),
    /// The contents of the recording are invalid.
    #[error("the recording is damaged at byte {at}: {what}; copy or download it again, in binary mode")]
    Damaged {
        /// Offset of the error in bytes.
        at: usize,
        /// Description of the error.
        what: String,
    },
    /// The design in the recording cannot be used, for this reason.
    #[error("the design in the recording cannot be used: {0}")]
    Design(String),
}

/// The reason why a recording was not written.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// Writing to the output failed.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// The `watch` callback cancelled the writing.
    #[error("interrupted")]
    Interrupted,
    /// The format cannot store the recording, or dropped events cannot be regrown. Contains the reason.
    #[error("{0}")]
    Cannot(String),
}

/// Returns whether `bytes` begin with the first four bytes of a recording.
pub fn is_recording(bytes: &[u8]) -> bool {
    bytes.starts_with(&MAGIC[..4])
}
