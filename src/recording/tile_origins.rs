//! The origin of the tile on each square: the Builder that laid it, and the turn in which it was laid.
//!
//! Builders never build on a square twice, so it is enough to store one turn for each square: the tile is there after
//! that turn, and not before. [`TileOrigins`] reads the events of the recording only once, from the first turn to the
//! last. If the playback moves backwards, the stored turns are still right. The events are read in portions, so that
//! they do not delay a frame of the screen. [`TileOrigins`] takes four bytes per square, eight per turn and four per
//! Builder: about 24 MB for a full dungeon of 2,000 × 2,000 squares. The caller stores it beside the recording.

use serde::{Deserialize, Serialize};

use super::Recording;
use crate::engine::{BuilderId, Event};
use crate::geometry::{Point, Size};

/// Approximate number of squares per turn of a growth, used to reserve memory for the turns and avoid reallocations.
const SQUARES_PER_TURN: u64 = 4;

/// The origin of a tile.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct TileOrigin {
    /// The Builder that laid the tile.
    pub builder: BuilderId,
    /// The turn in which the tile was laid, counted from 1. The tile is present when this turn is over.
    pub turn: u64,
}

/// The tiles laid in one turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct OriginTurn {
    /// Builder that laid tiles in this turn; 0 if none did.
    builder: u32,
    /// Number of tiles laid in all turns up to the end of this one.
    laid: u32,
}

/// The origins of all tiles of a recording, up to the last turn read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TileOrigins {
    size: Size,
    /// For each square, row by row, the turn in which its tile was laid; 0 if no Builder has laid a tile there in the
    /// turns read so far. Turns beyond the range of `u32` are stored as [`u32::MAX`].
    squares: Vec<u32>,
    /// The turns read so far; the first turn has index 1.
    turns: Vec<OriginTurn>,
    /// For each Builder, by id, the id of the Crawler or Jumper at the beginning of its line of descent. A Builder that
    /// has no parent has its own id here.
    first: Vec<u32>,
}

impl TileOrigins {
    /// Creates the origins for a recording. Reads the events before the first turn, but no turns.
    pub fn new(recording: &Recording) -> Self {
        let size = recording.start().size();
        let mut turns = Vec::with_capacity((size.squares() / SQUARES_PER_TURN) as usize + 1);
        turns.push(OriginTurn::default());
        let mut origins = Self {
            size,
            squares: vec![0; size.squares() as usize],
            turns,
            first: Vec::new(),
        };
        for event in recording.events_of(0) {
            origins.apply(0, &event);
        }
        origins
    }

    /// Reads at most `turns` further turns, and stops where events were dropped. Returns whether all turns recorded so
    /// far have been read.
    pub fn read_on(&mut self, recording: &Recording, turns: u64) -> bool {
        let from = self.read();
        let to = from.saturating_add(turns).min(recording.turns());
        let to = recording.walk(from, to, |turn, event| self.apply(turn, event));
        self.reach(to);
        to == recording.turns()
    }

    /// Like [`Self::read_on`], but reads about `bytes` bytes of events.
    pub fn read_within(&mut self, recording: &Recording, bytes: usize) -> bool {
        let (to, _) = recording.portion(self.read(), bytes);
        self.read_on(recording, to.saturating_sub(self.read()))
    }

    /// Returns the number of turns read. The origins of later tiles are unknown.
    pub const fn read(&self) -> u64 {
        self.turns.len() as u64 - 1
    }

    /// Returns the origin of the tile on a square after `now` turns. Returns `None` for tiles of the design, open
    /// squares, and squares outside the dungeon.
    pub fn of(&self, at: Point, now: u64) -> Option<TileOrigin> {
        let index = self.size.index(at)?;
        let turn = *self.squares.get(index)?;
        let builder = BuilderId(self.turns.get(turn as usize)?.builder);
        let turn = u64::from(turn);
        (1..=now).contains(&turn).then_some(TileOrigin { builder, turn })
    }

    /// Returns the Builder at the beginning of the line of descent of `builder`: a Crawler or Jumper without a parent.
    /// Returns `builder` itself if it has no parent, or if its birth has not been read yet.
    pub fn first_of(&self, builder: BuilderId) -> BuilderId {
        let first = self.first.get(builder.0 as usize).copied();
        BuilderId(first.unwrap_or(builder.0))
    }

    /// Returns the number of tiles laid after turn `from`, up to and including turn `to`. Counts only turns that were
    /// read.
    pub fn laid_between(&self, from: u64, to: u64) -> u64 {
        let until = |turn: u64| u64::from(self.turns[turn.min(self.read()) as usize].laid);
        until(to).saturating_sub(until(from))
    }

    fn apply(&mut self, turn: u64, event: &Event) {
        self.reach(turn);
        match *event {
            Event::Born { builder, birth } => {
                let first = birth.parent.map_or(builder, |parent| self.first_of(parent));
                self.first.push(first.0);
            }
            Event::Laid { builder, at, .. } => {
                if let Some(index) = self.size.index(at) {
                    self.squares[index] = u32::try_from(turn).unwrap_or(u32::MAX);
                }
                if let Some(last) = self.turns.last_mut() {
                    last.builder = builder.0;
                    last.laid = last.laid.saturating_add(1);
                }
            }
            _ => {}
        }
    }

    /// Extends the list of turns up to `turn`.
    fn reach(&mut self, turn: u64) {
        let laid = self.turns.last().map_or(0, |last| last.laid);
        let length = (turn as usize).saturating_add(1);
        if self.turns.len() < length {
            self.turns.resize(length, OriginTurn { builder: 0, laid });
        }
    }
}
