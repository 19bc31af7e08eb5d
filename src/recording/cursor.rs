//! A place in a recording, with the dungeon as it was there.
//!
//! Seeking takes events forward or back one by one, from where the cursor stands or from a keyframe: a
//! copy of the dungeon that the cursor left behind when it first went by. Keyframes keep to a share of the recording's
//! limit. A seek may be given a budget, so that no frame waits for it, and ends where events were dropped.

use super::{Frame, Recording};

/// Least number of events between two keyframes.
const EVENTS_PER_KEYFRAME: u64 = 16_384;

/// How a seek ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Arrival {
    /// Where it was to go, or at the end of what is recorded.
    There,
    /// On the way: the budget is spent.
    Busy,
    /// Where the events of this turn, counted from 1, were dropped.
    Missing(u64),
}

/// A place in a recording.
#[derive(Debug, Clone)]
pub struct Cursor {
    frame: Frame,
    turn: u64,
    /// Dungeons at later turns than 0, in order.
    keyframes: Vec<(u64, Frame)>,
    keyframe_bytes: usize,
    /// How often every second keyframe was given up, as they took too much.
    thinned: u32,
    /// The latest turn that the cursor has been at, and the events from the last keyframe to it.
    front: (u64, u64),
}

impl Cursor {
    /// A cursor at turn 0: the first Crawlers stand and nobody has acted.
    pub fn new(recording: &Recording) -> Self {
        Self::at_first(recording.first_frame())
    }

    /// The same with the dungeon that was prepared for it, if that is there.
    pub fn prepared(recording: &mut Recording) -> Self {
        let first = recording.first.take();
        first.map_or_else(|| Self::new(recording), |frame| Self::at_first(*frame))
    }

    const fn at_first(frame: Frame) -> Self {
        Self {
            frame,
            turn: 0,
            keyframes: Vec::new(),
            keyframe_bytes: 0,
            thinned: 0,
            front: (0, 0),
        }
    }

    /// The dungeon here.
    pub const fn frame(&self) -> &Frame {
        &self.frame
    }

    /// Turns that are over here.
    pub const fn turn(&self) -> u64 {
        self.turn
    }

    /// Bytes that the keyframes take that it left behind so far.
    pub const fn keyframe_bytes(&self) -> usize {
        self.keyframe_bytes
    }

    /// Goes to the end of a turn, or as far as the recording reaches, or to where events were dropped.
    pub fn seek(&mut self, recording: &Recording, turn: u64) -> Arrival {
        self.seek_within(recording, turn, usize::MAX)
    }

    /// The same, taking at most about so many bytes of events.
    pub fn seek_within(&mut self, recording: &Recording, turn: u64, bytes: usize) -> Arrival {
        let turn = turn.min(recording.turns());
        self.jump(recording, turn);
        let mut left = bytes;
        while self.turn != turn {
            if left == 0 {
                return Arrival::Busy;
            }
            let read = if turn > self.turn {
                let (to, read) = recording.portion(self.turn, left);
                if to == self.turn {
                    return Arrival::Missing(self.turn + 1);
                }
                self.forward(recording, to.min(turn));
                read
            } else {
                let (to, read) = recording.portion_back(self.turn, left);
                if to == self.turn {
                    return Arrival::Missing(self.turn);
                }
                self.back(recording, to.max(turn));
                read
            };
            left = left.saturating_sub(read.max(1));
        }
        Arrival::There
    }

    /// Goes to a keyframe, or to the start, when that is nearer to a turn.
    fn jump(&mut self, recording: &Recording, turn: u64) {
        let mut best = self.turn.abs_diff(turn);
        let after = self.keyframes.partition_point(|(at, _)| *at <= turn);
        let mut nearest = None;
        for (at, frame) in self.keyframes[after.saturating_sub(1)..].iter().take(2) {
            if at.abs_diff(turn) < best {
                best = at.abs_diff(turn);
                nearest = Some((*at, frame));
            }
        }
        if turn < best {
            self.frame.restart(recording.start());
            for event in recording.events_of(0) {
                self.frame.apply(&event);
            }
            self.turn = 0;
        } else if let Some((at, frame)) = nearest {
            self.frame.clone_from(frame);
            self.turn = at;
        }
    }

    fn back(&mut self, recording: &Recording, turn: u64) {
        let frame = &mut self.frame;
        recording.walk_back(turn, self.turn, |event| frame.revert(event));
        self.turn = turn;
    }

    /// Takes events forward and leaves keyframes where none were left before. Larger dungeons have them
    /// farther apart, so that they take no more memory than the events save.
    fn forward(&mut self, recording: &Recording, turn: u64) {
        let spacing = EVENTS_PER_KEYFRAME.max(recording.start().size().squares() / 3) << self.thinned.min(32);
        let mut last = self.turn;
        let Self {
            frame,
            keyframes,
            keyframe_bytes,
            front: (front, since),
            ..
        } = self;
        recording.walk(self.turn, turn, |now, event| {
            if now > *front {
                if *since >= spacing && now > last {
                    *keyframe_bytes += frame.bytes();
                    keyframes.push((now - 1, frame.clone()));
                    *since = 0;
                }
                *since += 1;
            }
            last = now;
            frame.apply(event);
        });
        *front = (*front).max(turn);
        self.turn = turn;
        while self.keyframe_bytes > recording.limit() / 4 && !self.keyframes.is_empty() {
            self.thin();
        }
    }

    /// Gives up every second keyframe.
    fn thin(&mut self) {
        let mut number = 0;
        self.keyframes.retain(|_| {
            number += 1;
            number % 2 == 0
        });
        self.keyframe_bytes = self.keyframes.iter().map(|(_, frame)| frame.bytes()).sum();
        self.thinned += 1;
    }

    /// Gives up a keyframe; whether any is left. To drop them all at once would take a while.
    pub fn dismantle(&mut self) -> bool {
        self.keyframes.pop();
        !self.keyframes.is_empty()
    }
}
