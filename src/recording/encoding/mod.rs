//! A compact byte encoding of events.
//!
//! The history of a large dungeon has millions of events, and most values of an event follow from earlier events: the
//! same Builder usually acts again, a new Builder has the next id, and walls are laid in straight lines. Each event, or
//! run of wall, is encoded as one byte for its kind and flags, then the values that earlier events do not imply, as
//! numbers of fixed width. The result is a third as large as in a general format (measured against postcard) and is
//! written in a fraction of the time, which matters because recording must keep up with growth. Turns are grouped in
//! blocks that can be decoded independently.
//!
//! A square is encoded as two bytes per coordinate, which suffices for every dungeon that passes validation.

mod read;
#[cfg(test)]
mod tests;
mod write;

pub(super) use read::EventReader;
pub(super) use write::{end_turn, write, write_nothing, write_run};

use crate::geometry::Point;

/// Maximum number of turns in a block. To read one turn, the block must be decoded from its start up to that turn.
pub(super) const TURNS_PER_BLOCK: u64 = 64;

/// A run of wall of fewer than 64 squares.
const BUILT: u8 = 0;
/// A run of wall of fewer than 64 squares, after which the Builder moves to the last square.
const STEPPED: u8 = 1;
const LAID: u8 = 2;
/// A move in a straight line over fewer than 64 squares, to the square of the last event.
const MOVED: u8 = 3;
const MOVED_FAR: u8 = 4;
const TURNED_FREELY: u8 = 5;
const TURNED_FORCED: u8 = 6;
const OPENING: u8 = 7;
const JOINED: u8 = 8;
const DIED: u8 = 9;
const WOKE: u8 = 10;
const UNBORN: u8 = 11;
const BORN: u8 = 12;
/// A turn without events.
const NOTHING: u8 = 13;
/// Mask of the event kind.
const KIND: u8 = 0x0f;
/// Mask for the encoding of the Builder: omitted (the Builder of the last event that is not a birth), or the difference
/// from that Builder's id in 1, 2 or 4 bytes.
const WHO: u8 = 0x30;
const WHO_1: u8 = 0x10;
const WHO_2: u8 = 0x20;
const WHO_4: u8 = 0x30;
/// Flag: the event's values are stored in full width instead of the short form.
const WIDE: u8 = 0x40;
/// Flag: this event is the last of its turn.
const LAST: u8 = 0x80;

/// The values that the earlier events of a block imply for the next event.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct EventContext {
    /// Builder of the last event that is not a birth.
    builder: u32,
    /// Builder that was born last.
    newest: u32,
    /// Square of the last event.
    at: Point,
}
