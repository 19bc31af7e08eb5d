//! A place in a recording, with the dungeon as it was there.
//!
//! Seeking takes events forward or back one by one from where the cursor stands, or from the start when
//! that is nearer.

use super::{Frame, Recording};

/// A place in a recording.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cursor {
    frame: Frame,
    turn: u64,
    /// Events applied to the frame.
    events: usize,
}

impl Cursor {
    /// A cursor at turn 0: the first Crawlers stand and nobody has acted.
    pub fn new(recording: &Recording) -> Self {
        let mut cursor = Self {
            frame: Frame::new(recording.start().clone()),
            turn: 0,
            events: 0,
        };
        cursor.seek(recording, 0);
        cursor
    }

    /// The dungeon here.
    pub const fn frame(&self) -> &Frame {
        &self.frame
    }

    /// Turns that are over here.
    pub const fn turn(&self) -> u64 {
        self.turn
    }

    /// Goes to the end of a turn, or as far as the recording reaches.
    pub fn seek(&mut self, recording: &Recording, turn: u64) {
        let turn = turn.min(recording.turns());
        let target = recording.end_of(turn);
        if target < self.events / 2 {
            self.frame = Frame::new(recording.start().clone());
            self.events = 0;
        }
        if target >= self.events {
            for event in &recording.events()[self.events..target] {
                self.frame.apply(event);
            }
        } else {
            for event in recording.events()[target..self.events].iter().rev() {
                self.frame.revert(event);
            }
        }
        self.events = target;
        self.turn = turn;
    }
}
