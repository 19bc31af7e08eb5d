//! A position in a recording, with the dungeon at that position.
//!
//! Seeking applies or reverts events one by one, from the current turn or from a keyframe: a copy of the dungeon made
//! when the playback first passed the keyframe's turn. Keyframes may use at most a quarter of the recording's memory
//! limit. A seek may have a budget, so that it does not delay the next redraw of the screen. A seek stops where events
//! were dropped.
//!
//! Copying the dungeon counts against the budget, but a copy is never split over several seeks, because copies are
//! quick and rare: copying 1,000 × 1,000 squares takes about as long as applying 40 kB of events, and happens only once
//! in 300,000 events.

use serde::{Deserialize, Serialize};

use super::{Frame, Recording};
use crate::engine::Grid;

/// Minimum number of events between two keyframes.
const EVENTS_PER_KEYFRAME: u64 = 16_384;

/// Number of bytes of events that are read between two checks of the budget.
const BYTES_AT_ONCE: usize = 4096;

/// Speed of copying relative to applying events: copying this number of bytes of a dungeon into new memory takes as
/// long as applying one byte of events.
const COPIED_PER_BYTE: usize = 32;

/// Approximate number of bytes of events per turn.
const BYTES_PER_TURN: usize = 10;

/// The outcome of a seek.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SeekResult {
    /// Arrived at the requested turn, or at the end of the recording.
    There,
    /// The budget was spent before the requested turn was reached; seek again to continue.
    Busy,
    /// Stopped because the events of this turn, counted from 1, were dropped.
    Missing(u64),
}

/// A position in a recording, with the dungeon at that turn.
#[derive(Debug, Clone)]
pub struct Playback {
    frame: Frame,
    turn: u64,
    /// Turns (later than 0) and the dungeon at each, in order.
    keyframes: Vec<(u64, Frame)>,
    /// Current minimum number of events between two keyframes. If the keyframes take too much memory, every second one
    /// is dropped and this number is doubled.
    spacing: u64,
    /// The latest turn reached, and the number of events from the last keyframe to it.
    front: (u64, u64),
}

impl Playback {
    /// Creates a playback at turn 0, at which the first Crawlers exist but none has acted.
    pub fn new(recording: &Recording) -> Self {
        Self::at_first(recording.first_frame())
    }

    /// Like [`Self::new`], but uses the dungeon that [`Recording::prepare`] built, if any, and removes it from the
    /// recording.
    pub fn prepared(recording: &mut Recording) -> Self {
        let first = recording.first.take();
        first.map_or_else(|| Self::new(recording), |frame| Self::at_first(*frame))
    }

    fn at_first(frame: Frame) -> Self {
        Self {
            // Keyframes are farther apart in larger dungeons, so that they take no more memory than the events between
            // them.
            spacing: EVENTS_PER_KEYFRAME.max(frame.grid().size().squares() / 3),
            frame,
            turn: 0,
            keyframes: Vec::new(),
            front: (0, 0),
        }
    }

    /// Sets the minimum number of events between two keyframes.
    #[cfg(test)]
    pub(super) const fn spaced(mut self, events: u64) -> Self {
        self.spacing = events;
        self
    }

    /// Returns the dungeon at the current turn.
    pub const fn frame(&self) -> &Frame {
        &self.frame
    }

    /// Returns the current turn: the number of finished turns.
    pub const fn turn(&self) -> u64 {
        self.turn
    }

    /// Returns the memory that keyframes use, in bytes.
    pub fn keyframe_bytes(&self) -> usize {
        self.keyframes.iter().map(|(_, frame)| frame.bytes()).sum()
    }

    /// Moves to the end of a turn. Stops earlier at the end of the recording, or where events were dropped.
    pub fn seek(&mut self, recording: &Recording, turn: u64) -> SeekResult {
        self.seek_within(recording, turn, usize::MAX)
    }

    /// Like [`Self::seek`], but stops after applying about `bytes` bytes of events. Copies of the dungeon use up this
    /// budget too.
    pub fn seek_within(&mut self, recording: &Recording, turn: u64, bytes: usize) -> SeekResult {
        let turn = turn.min(recording.turns());
        let mut left = bytes;
        if self.turn != turn {
            left = left.saturating_sub(self.jump(recording, turn));
        }
        while self.turn != turn {
            if left == 0 {
                return SeekResult::Busy;
            }
            let portion = left.min(BYTES_AT_ONCE);
            let read = if turn > self.turn {
                let (to, read) = recording.portion(self.turn, portion);
                if to == self.turn {
                    return SeekResult::Missing(self.turn + 1);
                }
                read + self.forward(recording, to.min(turn))
            } else {
                let (to, read) = recording.portion_back(self.turn, portion);
                if to == self.turn {
                    return SeekResult::Missing(self.turn);
                }
                self.back(recording, to.max(turn));
                read
            };
            left = left.saturating_sub(read.max(1));
        }
        SeekResult::There
    }

    /// Returns the cost of copying the dungeon: the number of bytes of events that could be applied in the same time.
    fn copy_cost(&self) -> usize {
        self.frame.bytes() / COPIED_PER_BYTE
    }

    /// Jumps to the keyframe nearest to `turn`, or to the start, if this saves more time than copying the dungeon
    /// takes. Returns the part of the budget that the copy used.
    fn jump(&mut self, recording: &Recording, turn: u64) -> usize {
        let after = self.keyframes.partition_point(|(at, _)| *at <= turn);
        let near = self.keyframes[after.saturating_sub(1)..].iter().take(2);
        let nearest = near.min_by_key(|(at, _)| at.abs_diff(turn));
        let at = nearest.map_or(0, |(at, _)| *at);
        let (at, keyframe) = if turn < at.abs_diff(turn) {
            (0, None)
        } else {
            (at, nearest)
        };
        let cost = self.copy_cost();
        let turns_for_cost = (cost / BYTES_PER_TURN) as u64;
        if at.abs_diff(turn).saturating_add(turns_for_cost) >= self.turn.abs_diff(turn) {
            return 0;
        }
        self.frame = match keyframe {
            Some((_, frame)) => frame.clone(),
            None => self.frame.restarted(recording),
        };
        self.turn = at;
        cost
    }

    fn back(&mut self, recording: &Recording, turn: u64) {
        let frame = &mut self.frame;
        recording.walk_back(turn, self.turn, |event| frame.revert(event));
        self.turn = turn;
    }

    /// Applies the events up to `turn`. If `turn` is later than any turn reached before and a keyframe is due, copies
    /// the dungeon to a keyframe. Returns the part of the budget that the copy used.
    fn forward(&mut self, recording: &Recording, turn: u64) -> usize {
        let Self {
            frame,
            front: (front, since),
            ..
        } = self;
        recording.walk(self.turn, turn, |now, event| {
            *since += u64::from(now > *front);
            frame.apply(event);
        });
        self.turn = turn;
        if turn <= *front {
            return 0;
        }
        *front = turn;
        let most = recording.limit() / 4;
        while self.front.1 >= self.spacing {
            if self.keyframe_bytes() + self.frame.bytes() <= most {
                self.front.1 = 0;
                self.keyframes.push((turn, self.frame.clone()));
                return self.copy_cost();
            }
            self.thin();
        }
        0
    }

    /// Drops every second keyframe and doubles the spacing.
    fn thin(&mut self) {
        self.spacing = self.spacing.saturating_mul(2);
        let mut number = 0;
        self.keyframes.retain(|_| {
            number += 1;
            number % 2 == 0
        });
    }

    /// Removes and returns the grid. The playback must not be used afterwards.
    pub fn take_grid(&mut self) -> Grid {
        self.frame.take_grid()
    }
}
