//! A place in a recording, with the dungeon as it was there.
//!
//! Seeking takes events forward or back one by one, from where the cursor stands or from a keyframe: a
//! copy of the dungeon that the cursor left behind when it first went by. Keyframes keep to a share of the recording's
//! limit. A seek may be given a budget, so that no frame waits for it, and ends where events were dropped.
//!
//! Copies of large dungeons are made in portions that count against the budget. The cursor holds while it leaves a
//! keyframe; a keyframe that it goes to is copied beside what it shows, which stays whole until the copy is.

use serde::{Deserialize, Serialize};

use super::{DROPPED_AT_ONCE, Frame, Recording};
use crate::engine::Grid;

/// Least number of events between two keyframes.
const EVENTS_PER_KEYFRAME: u64 = 16_384;

/// Bytes of events that are read between two looks at the budget.
const BYTES_AT_ONCE: usize = 4096;

/// Bytes of a dungeon that are copied in the time in which a byte of events is taken, into memory that is new.
const COPIED_PER_BYTE: usize = 32;

/// Bytes that the events of a turn take, about.
const BYTES_PER_TURN: usize = 10;

/// How a seek ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SeekResult {
    /// Where it was to go, or at the end of what is recorded.
    There,
    /// On the way: the budget is spent.
    Busy,
    /// Where the events of this turn, counted from 1, were dropped.
    Missing(u64),
}

/// What is being copied.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Source {
    /// The dungeon here, for a keyframe.
    Here,
    /// The keyframe at a turn, or the start at turn 0, to go there.
    At(u64),
}

/// A place in a recording.
#[derive(Debug, Clone)]
pub struct Playback {
    frame: Frame,
    turn: u64,
    /// Dungeons at later turns than 0, in order.
    keyframes: Vec<(u64, Frame)>,
    /// The copy under way, as far as it is.
    copying: Option<(Source, Frame)>,
    /// Dungeons that nobody needs any more, whose memory the next copy takes.
    spare: Vec<Frame>,
    /// Least number of events between two keyframes, for now: twice as many whenever every second one was given up, as
    /// they took too much.
    spacing: u64,
    /// The latest turn that the cursor has been at, and the events from the last keyframe to it.
    front: (u64, u64),
}

impl Playback {
    /// A cursor at turn 0: the first Crawlers stand and nobody has acted.
    pub fn new(recording: &Recording) -> Self {
        Self::at_first(recording.first_frame())
    }

    /// The same with the dungeon that was prepared for it, if that is there.
    pub fn prepared(recording: &mut Recording) -> Self {
        let first = recording.first.take();
        first.map_or_else(|| Self::new(recording), |frame| Self::at_first(*frame))
    }

    fn at_first(frame: Frame) -> Self {
        Self {
            // Larger dungeons have them farther apart, so that they take no more memory than the events save.
            spacing: EVENTS_PER_KEYFRAME.max(frame.grid().size().squares() / 3),
            frame,
            turn: 0,
            keyframes: Vec::new(),
            copying: None,
            spare: Vec::new(),
            front: (0, 0),
        }
    }

    /// The same with keyframes so many events apart.
    #[cfg(test)]
    pub(super) const fn spaced(mut self, events: u64) -> Self {
        self.spacing = events;
        self
    }

    /// The dungeon here.
    pub const fn frame(&self) -> &Frame {
        &self.frame
    }

    /// Turns that are over here.
    pub const fn turn(&self) -> u64 {
        self.turn
    }

    /// Bytes that the keyframes take that it left behind so far, and what it copies them with.
    pub fn keyframe_bytes(&self) -> usize {
        let copying = self.copying.as_ref().map(|(_, into)| into);
        let others = self.spare.iter().chain(copying).map(Frame::bytes);
        self.kept() + others.sum::<usize>()
    }

    fn kept(&self) -> usize {
        self.keyframes.iter().map(|(_, frame)| frame.bytes()).sum()
    }

    /// Goes to the end of a turn, or as far as the recording reaches, or to where events were dropped.
    pub fn seek(&mut self, recording: &Recording, turn: u64) -> SeekResult {
        self.seek_within(recording, turn, usize::MAX)
    }

    /// The same, taking at most about so many bytes of events, or the time for them.
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

    /// Begins to go to a keyframe, or to the start, when the way from there to a turn is shorter by more than the
    /// copying costs.
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

    /// Begins a copy.
    fn copy(&mut self, source: Source) {
        let mut into = self.spare.pop().unwrap_or_else(Frame::empty);
        into.clear_out();
        self.copying = Some((source, into));
    }

    fn give_up_copy(&mut self) {
        self.spare.extend(self.copying.take().map(|(_, into)| into));
    }

    /// Goes on with the copy under way; what is left of a budget.
    fn copy_on(&mut self, recording: &Recording, left: usize) -> usize {
        let Some((source, mut into)) = self.copying.take() else {
            return left;
        };
        let mut bytes = left.saturating_mul(COPIED_PER_BYTE);
        let whole = match source {
            Source::Here => into.copy_on(&self.frame, &mut bytes),
            Source::At(0) => into.begin_on(recording.start(), &self.frame, &mut bytes),
            Source::At(turn) => {
                // None is given up while it is copied.
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

    /// Takes events forward and begins a keyframe where none was left before.
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

    /// Gives up every second keyframe.
    fn thin(&mut self) {
        self.spacing = self.spacing.saturating_mul(2);
        let mut number = 0;
        let gone = self.keyframes.extract_if(.., |_| {
            number += 1;
            number % 2 == 1
        });
        self.spare.extend(gone.map(|(_, frame)| frame));
    }

    /// Gives up a part of the memory that no copy will need; all of it where keyframes take as much as they may.
    fn tidy(&mut self, most: usize) {
        let spare = self.spare.iter().map(Frame::bytes).sum::<usize>();
        if self.spare.len() > 1 || (spare > 0 && self.kept() + spare > most) {
            drop_part(&mut self.spare);
        }
    }

    /// Puts another grid in the place of that of a cursor that nobody looks at any more.
    pub const fn exchange_grid(&mut self, grid: Grid) -> Grid {
        self.frame.exchange_grid(grid)
    }

    /// Gives up a part of what it holds; whether anything is left. To drop it all at once would take a while.
    pub fn dismantle(&mut self) -> bool {
        self.give_up_copy();
        if self.spare.is_empty() {
            self.spare.extend(self.keyframes.pop().map(|(_, frame)| frame));
        }
        if self.spare.is_empty() {
            return self.frame.dismantle(DROPPED_AT_ONCE);
        }
        drop_part(&mut self.spare);
        true
    }
}

/// Gives up a part of the last frame.
fn drop_part(frames: &mut Vec<Frame>) {
    if let Some(last) = frames.last_mut()
        && !last.dismantle(DROPPED_AT_ONCE)
    {
        frames.pop();
    }
}
