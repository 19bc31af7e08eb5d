//! Who laid what stands on each square, and when.
//!
//! Nothing is built twice on a square, so one list of turns holds for every moment of a run: what was laid
//! after the moment is not there yet. [`TileOrigins`] therefore only ever reads on, whichever way the cursor
//! moves, and in portions, so that a frame need not wait for it. It takes four bytes a square and eight a
//! turn, and is kept by whoever needs it: 24 MB for a full dungeon of 2,000 × 2,000.

use serde::{Deserialize, Serialize};

use super::{DROPPED_AT_ONCE, Recording};
use crate::engine::{BuilderId, Event, drop_on};
use crate::geometry::{Point, Size};

/// Squares of a dungeon for each turn of a run, about: room is made for them, so that they are not moved as they grow.
const SQUARES_PER_TURN: u64 = 4;

/// Where a tile comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct TileOrigin {
    /// Who laid it.
    pub builder: BuilderId,
    /// In which turn, counted from 1: it stands when that turn is over.
    pub turn: u64,
}

/// One turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct OriginTurn {
    /// Who acted.
    builder: u32,
    /// Tiles that were laid until its end.
    laid: u32,
}

/// The origin of every tile of a recording, as far as it was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TileOrigins {
    size: Size,
    /// The turn in which the tile on a square was laid, row by row; 0: in none that was read. Of the turns
    /// past four billion the last that can be told stands for all.
    squares: Vec<u32>,
    /// The turns read, the first at 1.
    turns: Vec<OriginTurn>,
    /// For every Builder, the first Crawler that it descends from.
    first: Vec<u32>,
}

impl TileOrigins {
    /// Of a recording of which nothing has been read yet but the first Crawlers.
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
            origins.take(0, &event);
        }
        origins
    }

    /// Reads at most so many turns more, and no farther than to where events were dropped; whether all that is
    /// recorded so far has been read.
    pub fn read_on(&mut self, recording: &Recording, turns: u64) -> bool {
        let from = self.read();
        let to = from.saturating_add(turns).min(recording.turns());
        let to = recording.walk(from, to, |turn, event| self.take(turn, event));
        self.reach(to);
        to == recording.turns()
    }

    /// The same for about so many bytes of events.
    pub fn read_within(&mut self, recording: &Recording, bytes: usize) -> bool {
        let (to, _) = recording.portion(self.read(), bytes);
        self.read_on(recording, to.saturating_sub(self.read()))
    }

    /// Gives up a part of its memory, and what it tells; whether anything is left.
    pub fn dismantle(&mut self) -> bool {
        drop_on(&mut self.squares, DROPPED_AT_ONCE) || drop_on(&mut self.turns, DROPPED_AT_ONCE)
    }

    /// Turns that were read. What was laid later is not known.
    pub const fn read(&self) -> u64 {
        self.turns.len() as u64 - 1
    }

    /// Where the tile on a square comes from, if a Builder had laid it when turn `now` was over. `None` as
    /// well for the design's tiles, open squares and all that lies outside of the dungeon.
    pub fn of(&self, at: Point, now: u64) -> Option<TileOrigin> {
        let index = self.index(at)?;
        let turn = *self.squares.get(index)?;
        let builder = BuilderId(self.turns.get(turn as usize)?.builder);
        let turn = u64::from(turn);
        (1..=now).contains(&turn).then_some(TileOrigin { builder, turn })
    }

    /// The first Crawler that a Builder descends from; itself for a first Crawler, and for one that nobody
    /// has read of.
    pub fn first_of(&self, builder: BuilderId) -> BuilderId {
        let first = self.first.get(builder.0 as usize).copied();
        BuilderId(first.unwrap_or(builder.0))
    }

    /// How many tiles were laid in the turns after `from` up to `to`, as far as they were read.
    pub fn laid_between(&self, from: u64, to: u64) -> u64 {
        let until = |turn: u64| u64::from(self.turns[turn.min(self.read()) as usize].laid);
        until(to).saturating_sub(until(from))
    }

    /// Bytes that it takes.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.squares[..]) + size_of_val(&self.turns[..]) + size_of_val(&self.first[..])
    }

    fn index(&self, at: Point) -> Option<usize> {
        let inside = self.size.contains(at);
        inside.then(|| at.x as usize * self.size.y as usize + at.y as usize)
    }

    fn take(&mut self, turn: u64, event: &Event) {
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

    /// Makes room for the turns up to this one.
    fn reach(&mut self, turn: u64) {
        let laid = self.turns.last().map_or(0, |last| last.laid);
        let length = (turn as usize).saturating_add(1);
        if self.turns.len() < length {
            self.turns.resize(length, OriginTurn { builder: 0, laid });
        }
    }
}
