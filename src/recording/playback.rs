//! A position in a recording, with the dungeon as it was there.
//!
//! Seeking applies or reverts events one by one, from the current turn or from a keyframe: a copy of the dungeon made
//! when the playback first passed that turn. Keyframes are limited to a share of the recording's limit. A seek may have
//! a budget, so that no frame waits for it, and stops where events were dropped.
//!
//! A copy of the dungeon counts against the budget. It is never divided: 1,000 × 1,000 squares take about as long as
//! 40 kB of events, and are copied once in 300,000 events.

use serde::{Deserialize, Serialize};

use super::{Frame, Recording};
use crate::engine::Grid;

/// Minimum number of events between two keyframes.
const EVENTS_PER_KEYFRAME: u64 = 16_384;

/// Bytes of events that are read between two checks of the budget.
const BYTES_AT_ONCE: usize = 4096;

/// Bytes of a dungeon copied (into new memory) in the time in which one byte of events is applied.
const COPIED_PER_BYTE: usize = 32;

/// Approximate bytes of the events of a turn.
const BYTES_PER_TURN: usize = 10;

/// The outcome of a seek.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SeekResult {
    /// Arrived at the requested turn, or at the end of the recording.
    There,
    /// On the way: the budget is spent.
    Busy,
    /// Stopped: the events of this turn, counted from 1, were dropped.
    Missing(u64),
}

/// A position in a recording, with the dungeon at that turn.
#[derive(Debug, Clone)]
pub struct Playback {
    frame: Frame,
    turn: u64,
    /// Dungeons at turns later than 0, in order.
    keyframes: Vec<(u64, Frame)>,
    /// Current minimum number of events between two keyframes; doubled whenever every second keyframe is dropped
    /// because they took too much memory.
    spacing: u64,
    /// The latest turn reached, and the number of events from the last keyframe to it.
    front: (u64, u64),
}

impl Playback {
    /// Creates a playback at turn 0: the first Crawlers exist and none has acted.
    pub fn new(recording: &Recording) -> Self {
        Self::at_first(recording.first_frame())
    }

    /// Like [`Self::new`], reusing the dungeon built by [`Recording::prepare`] if there is one.
    pub fn prepared(recording: &mut Recording) -> Self {
        let first = recording.first.take();
        first.map_or_else(|| Self::new(recording), |frame| Self::at_first(*frame))
    }

    fn at_first(frame: Frame) -> Self {
        Self {
            // Farther apart in larger dungeons, so that keyframes take no more memory than they save in events.
            spacing: EVENTS_PER_KEYFRAME.max(frame.grid().size().squares() / 3),
            frame,
            turn: 0,
            keyframes: Vec::new(),
            front: (0, 0),
        }
    }

    /// Sets the spacing of keyframes.
    #[cfg(test)]
    pub(super) const fn spaced(mut self, events: u64) -> Self {
        self.spacing = events;
        self
    }

    /// Returns the dungeon at this turn.
    pub const fn frame(&self) -> &Frame {
        &self.frame
    }

    /// Returns the number of turns that are over.
    pub const fn turn(&self) -> u64 {
        self.turn
    }

    /// Returns the bytes that keyframes take.
    pub fn keyframe_bytes(&self) -> usize {
        self.keyframes.iter().map(|(_, frame)| frame.bytes()).sum()
    }

    /// Moves to the end of a turn, or as far as the recording reaches, or to where events were dropped.
    pub fn seek(&mut self, recording: &Recording, turn: u64) -> SeekResult {
        self.seek_within(recording, turn, usize::MAX)
    }

    /// Like [`Self::seek`], with a budget of about `bytes` bytes of events, or the time that those take.
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

    /// Returns the bytes of events that could be applied in the time in which the dungeon is copied.
    fn copy_cost(&self) -> usize {
        self.frame.bytes() / COPIED_PER_BYTE
    }

    /// Jumps to a keyframe, or to the start, when the distance from there to a turn is shorter by more than the copy
    /// costs. Returns the part of the budget that the copy used.
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

    /// Applies events, and makes a keyframe when one is due beyond the latest turn reached. Returns the part of the
    /// budget that the copies used.
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

    /// Drops every second keyframe.
    fn thin(&mut self) {
        self.spacing = self.spacing.saturating_mul(2);
        let mut number = 0;
        self.keyframes.retain(|_| {
            number += 1;
            number % 2 == 0
        });
    }

    /// Takes the grid out of a playback that is no longer shown.
    pub fn take_grid(&mut self) -> Grid {
        self.frame.take_grid()
    }
}
