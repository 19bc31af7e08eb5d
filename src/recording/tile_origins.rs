//! The origin of the tile on each square: its Builder and its turn.
//!
//! No square is built on twice, so one list of turns serves every moment of a run: a tile laid after that moment is not
//! there yet. [`TileOrigins`] therefore only reads forward, whichever way the playback moves, and in portions, so that
//! no frame waits for it. It takes four bytes per square and eight per turn: 24 MB for a full dungeon of 2,000 × 2,000.
//! The caller stores it beside the recording.

use serde::{Deserialize, Serialize};

use super::Recording;
use crate::engine::{BuilderId, Event};
use crate::geometry::{Point, Size};

/// Approximate number of squares per turn of a run, to reserve memory so that the turns are not moved as they grow.
const SQUARES_PER_TURN: u64 = 4;

/// The origin of a tile.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct TileOrigin {
    /// The Builder that laid it.
    pub builder: BuilderId,
    /// The turn in which it was laid, counted from 1; the tile is present when that turn is over.
    pub turn: u64,
}

/// One turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct OriginTurn {
    /// Builder that laid tiles in it; 0 when none did.
    builder: u32,
    /// Number of tiles laid until its end.
    laid: u32,
}

/// The origins of all tiles of a recording, up to the last turn read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TileOrigins {
    size: Size,
    /// Turn in which the tile on each square was laid, row by row; 0 for none read so far. Turns past four billion
    /// saturate.
    squares: Vec<u32>,
    /// The turns read, the first at index 1.
    turns: Vec<OriginTurn>,
    /// For every Builder, the first Crawler that it descends from.
    first: Vec<u32>,
}

impl TileOrigins {
    /// Creates the origins of a recording of which only the first Crawlers have been read.
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

    /// Like [`Self::read_on`], for about `bytes` bytes of events.
    pub fn read_within(&mut self, recording: &Recording, bytes: usize) -> bool {
        let (to, _) = recording.portion(self.read(), bytes);
        self.read_on(recording, to.saturating_sub(self.read()))
    }

    /// Returns the number of turns read. The origins of later tiles are unknown.
    pub const fn read(&self) -> u64 {
        self.turns.len() as u64 - 1
    }

    /// Returns the origin of the tile on a square if a Builder had laid it when turn `now` was over. `None` as well for
    /// tiles of the design, open squares and squares outside the dungeon.
    pub fn of(&self, at: Point, now: u64) -> Option<TileOrigin> {
        let index = self.index(at)?;
        let turn = *self.squares.get(index)?;
        let builder = BuilderId(self.turns.get(turn as usize)?.builder);
        let turn = u64::from(turn);
        (1..=now).contains(&turn).then_some(TileOrigin { builder, turn })
    }

    /// Returns the first Crawler that a Builder descends from; the Builder itself for a first Crawler and for a Builder
    /// not read yet.
    pub fn first_of(&self, builder: BuilderId) -> BuilderId {
        let first = self.first.get(builder.0 as usize).copied();
        BuilderId(first.unwrap_or(builder.0))
    }

    /// Returns the number of tiles laid in the turns after `from` up to `to`, as far as they were read.
    pub fn laid_between(&self, from: u64, to: u64) -> u64 {
        let until = |turn: u64| u64::from(self.turns[turn.min(self.read()) as usize].laid);
        until(to).saturating_sub(until(from))
    }

    fn index(&self, at: Point) -> Option<usize> {
        let inside = self.size.contains(at);
        inside.then(|| at.x as usize * self.size.y as usize + at.y as usize)
    }

    fn apply(&mut self, turn: u64, event: &Event) {
        self.reach(turn);
        match *event {
            Event::Born { builder, birth } => {
                let first = birth.parent.map_or(builder, |parent| self.first_of(parent));
                self.first.push(first.0);
            }
            Event::Laid { builder, at, .. } => {
                if let Some(index) = self.index(at) {
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

    /// Extends the list of turns up to this one.
    fn reach(&mut self, turn: u64) {
        let laid = self.turns.last().map_or(0, |last| last.laid);
        let length = (turn as usize).saturating_add(1);
        if self.turns.len() < length {
            self.turns.resize(length, OriginTurn { builder: 0, laid });
        }
    }
}
