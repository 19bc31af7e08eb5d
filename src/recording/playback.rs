//! A position in a recording, with the dungeon as it was there.
//!
//! Seeking applies or reverts events one by one, from the current turn or from a keyframe: a copy of the dungeon made
//! when the playback first passed that turn. Keyframes are limited to a share of the recording's limit. A seek may have
//! a budget, so that no frame waits for it, and stops where events were dropped.
//!
//! Large dungeons are copied in portions that count against the budget. The playback does not move while it makes a
//! keyframe; when it jumps to a keyframe, it copies the keyframe beside the dungeon shown, which stays complete until
//! the copy is.

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

/// What is being copied.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Source {
    /// The current dungeon, as a keyframe.
    Here,
    /// The keyframe at a turn, or the start at turn 0, to jump there.
    At(u64),
}

/// A position in a recording, with the dungeon at that turn.
#[derive(Debug, Clone)]
pub struct Playback {
    frame: Frame,
    turn: u64,
    /// Dungeons at turns later than 0, in order.
    keyframes: Vec<(u64, Frame)>,
    /// Unfinished copy and its source.
    copying: Option<(Source, Frame)>,
    /// Unused dungeons whose memory the next copy reuses.
    spare: Vec<Frame>,
    /// Current minimum number of events between two keyframes; doubled whenever every second keyframe is dropped
    /// because they took too much memory.
    spacing: u64,
    /// The latest turn reached, and the number of events from the last keyframe to it.
    front: (u64, u64),
}

impl Playback {
    /// Creates a playback at turn 0: the first Crawlers are there and none has acted.
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
            copying: None,
            spare: Vec::new(),
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

    /// Returns the bytes that keyframes and the buffers for copies take.
    pub fn keyframe_bytes(&self) -> usize {
        let copying = self.copying.as_ref().map(|(_, into)| into);
        let others = self.spare.iter().chain(copying).map(Frame::bytes);
        self.kept() + others.sum::<usize>()
    }

    fn kept(&self) -> usize {
        self.keyframes.iter().map(|(_, frame)| frame.bytes()).sum()
    }

    /// Moves to the end of a turn, or as far as the recording reaches, or to where events were dropped.
    pub fn seek(&mut self, recording: &Recording, turn: u64) -> SeekResult {
        self.seek_within(recording, turn, usize::MAX)
    }

    /// Like [`Self::seek`], with a budget of about `bytes` bytes of events, or the time that those take.
    pub fn seek_within(&mut self, recording: &Recording, turn: u64, bytes: usize) -> SeekResult {
        let turn = turn.min(recording.turns());
        self.tidy(recording.limit() / 4);
        if let Some((Source::At(at), _)) = self.copying
            && at.abs_diff(turn) >= self.turn.abs_diff(turn)
        {
            self.give_up_copy();
        }
        let (mut left, mut aimed) = (bytes, false);
        while self.turn != turn {
            if left == 0 {
                return SeekResult::Busy;
            }
            if self.copying.is_some() {
                left = self.copy_on(recording, left);
                continue;
            }
            if !aimed {
                aimed = true;
                self.aim(turn);
                continue;
            }
            let portion = left.min(BYTES_AT_ONCE);
            let read = if turn > self.turn {
                let (to, read) = recording.portion(self.turn, portion);
                if to == self.turn {
                    return SeekResult::Missing(self.turn + 1);
                }
                self.forward(recording, to.min(turn));
                read
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

    /// Starts a copy of a keyframe, or of the start, when the distance from there to a turn is shorter by more than the
    /// copy costs.
    fn aim(&mut self, turn: u64) {
        let after = self.keyframes.partition_point(|(at, _)| *at <= turn);
        let near = self.keyframes[after.saturating_sub(1)..].iter().take(2);
        let near = near.map(|(at, _)| *at).chain([0]);
        let nearest = near.min_by_key(|at| at.abs_diff(turn)).unwrap_or(0);
        let cost = self.frame.bytes() / COPIED_PER_BYTE / BYTES_PER_TURN;
        if nearest.abs_diff(turn).saturating_add(cost as u64) < self.turn.abs_diff(turn) {
            self.copy(Source::At(nearest));
        }
    }

    /// Starts a copy.
    fn copy(&mut self, source: Source) {
        let mut into = self.spare.pop().unwrap_or_else(Frame::empty);
        into.clear_out();
        self.copying = Some((source, into));
    }

    fn give_up_copy(&mut self) {
        self.spare.extend(self.copying.take().map(|(_, into)| into));
    }

    /// Continues the unfinished copy. Returns the rest of the budget `left`.
    fn copy_on(&mut self, recording: &Recording, left: usize) -> usize {
        let Some((source, mut into)) = self.copying.take() else {
            return left;
        };
        let mut bytes = left.saturating_mul(COPIED_PER_BYTE);
        let whole = match source {
            Source::Here => into.copy_on(&self.frame, &mut bytes),
            Source::At(0) => into.begin_on(recording.start(), &self.frame, &mut bytes),
            Source::At(turn) => {
                // No keyframe is dropped while it is copied.
                let keyframe = self.keyframes.iter().find(|(at, _)| *at == turn);
                let Some((_, frame)) = keyframe else {
                    self.spare.push(into);
                    return left;
                };
                into.copy_on(frame, &mut bytes)
            }
        };
        if !whole {
            self.copying = Some((source, into));
            return 0;
        }
        match source {
            Source::Here => {
                let after = self.keyframes.partition_point(|(at, _)| *at < self.turn);
                self.keyframes.insert(after, (self.turn, into));
            }
            Source::At(turn) => {
                self.spare.push(std::mem::replace(&mut self.frame, into));
                self.turn = turn;
                if turn == 0 {
                    for event in recording.events_of(0) {
                        self.frame.apply(&event);
                    }
                }
            }
        }
        (bytes / COPIED_PER_BYTE).min(left)
    }

    fn back(&mut self, recording: &Recording, turn: u64) {
        let frame = &mut self.frame;
        recording.walk_back(turn, self.turn, |event| frame.revert(event));
        self.turn = turn;
    }

    /// Applies events, and starts a keyframe when one is due beyond the latest turn reached.
    fn forward(&mut self, recording: &Recording, turn: u64) {
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
            return;
        }
        *front = turn;
        let most = recording.limit() / 4;
        while self.front.1 >= self.spacing {
            if self.kept() + self.frame.bytes() <= most {
                self.front.1 = 0;
                self.copy(Source::Here);
            } else {
                self.thin();
            }
        }
    }

    /// Drops every second keyframe.
    fn thin(&mut self) {
        self.spacing = self.spacing.saturating_mul(2);
        let mut number = 0;
        let gone = self.keyframes.extract_if(.., |_| {
            number += 1;
            number % 2 == 1
        });
        self.spare.extend(gone.map(|(_, frame)| frame));
    }

    /// Frees one dungeon of the spare memory, as long as there are several or keyframes use up
    /// `most` bytes.
    fn tidy(&mut self, most: usize) {
        let spare = self.spare.iter().map(Frame::bytes).sum::<usize>();
        if self.spare.len() > 1 || (spare > 0 && self.kept() + spare > most) {
            self.spare.pop();
        }
    }

    /// Replaces the grid and returns the old one, to recycle a playback that is no longer shown.
    pub const fn exchange_grid(&mut self, grid: Grid) -> Grid {
        self.frame.exchange_grid(grid)
    }
}
