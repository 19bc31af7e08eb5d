//! A place in a recording, with the dungeon as it was there.
//!
//! Seeking takes events forward or back one by one, from where the cursor stands or from a keyframe: a
//! copy of the dungeon that the cursor left behind when it first went by.

use super::{Frame, Recording};

/// Least number of events between two keyframes.
const EVENTS_PER_KEYFRAME: u64 = 16_384;

/// A place in a recording.
#[derive(Debug, Clone)]
pub struct Cursor {
    frame: Frame,
    turn: u64,
    /// Dungeons at earlier turns, in order; the first at turn 0.
    keyframes: Vec<(u64, Frame)>,
    /// The latest turn that the cursor has been at, and the events from the last keyframe to it.
    front: (u64, u64),
}

impl Cursor {
    /// A cursor at turn 0: the first Crawlers stand and nobody has acted.
    pub fn new(recording: &Recording) -> Self {
        let mut frame = Frame::new(recording.start().clone());
        for event in recording.events_of(0) {
            frame.apply(&event);
        }
        Self {
            keyframes: vec![(0, frame.clone())],
            frame,
            turn: 0,
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
    pub fn keyframe_bytes(&self) -> usize {
        self.keyframes.iter().map(|(_, frame)| frame.bytes()).sum()
    }

    /// Goes to the end of a turn, or as far as the recording reaches.
    pub fn seek(&mut self, recording: &Recording, turn: u64) {
        let turn = turn.min(recording.turns());
        let after = self.keyframes.partition_point(|(at, _)| *at <= turn);
        let nearest = self.keyframes[after.saturating_sub(1)..].iter().take(2);
        if let Some((at, frame)) = nearest.min_by_key(|(at, _)| at.abs_diff(turn))
            && at.abs_diff(turn) < self.turn.abs_diff(turn)
        {
            self.frame.clone_from(frame);
            self.turn = *at;
        }
        if turn >= self.turn {
            self.forward(recording, turn);
        } else {
            let frame = &mut self.frame;
            recording.walk_back(turn, self.turn, |event| frame.revert(event));
        }
        self.turn = turn;
    }

    /// Takes events forward and leaves keyframes where none were left before. Larger dungeons have them
    /// farther apart, so that they take no more memory than the events save.
    fn forward(&mut self, recording: &Recording, turn: u64) {
        let spacing = EVENTS_PER_KEYFRAME.max(recording.start().size().squares() / 3);
        let mut last = self.turn;
        let Self {
            frame,
            keyframes,
            front: (front, since),
            ..
        } = self;
        recording.walk(self.turn, turn, |now, event| {
            if now > *front {
                if *since >= spacing && now > last {
                    keyframes.push((now - 1, frame.clone()));
                    *since = 0;
                }
                *since += 1;
            }
            last = now;
            frame.apply(event);
        });
        *front = (*front).max(turn);
    }
}
