//! Checks whether this program still grows the dungeon that a recording contains.

use serde::{Deserialize, Serialize};

use super::RecordingFile;
use crate::design::ValidDesign;
use crate::engine::{Event, Growth, Options};
use crate::recording::{EventChunk, Recording};

/// Number of turns compared at a time.
const TURNS: u64 = 4096;

/// The result of growing a recording's design again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReproductionCheck {
    /// The growth is the same up to the last recorded turn.
    Same,
    /// The growth differs before the first turn.
    AnotherStart,
    /// The first difference is in this turn, counted from 1.
    Another(u64),
}

impl RecordingFile {
    /// Grows the design again and compares every event with the recording. Polls `goes_on`, and returns `None` when
    /// `goes_on` returns `false`.
    pub fn again(&self, goes_on: impl FnMut() -> bool) -> Option<ReproductionCheck> {
        ReproductionCheck::of(&self.design, self.options, &self.recording, goes_on)
    }
}

impl ReproductionCheck {
    /// Like [`RecordingFile::again`], given the parts of a [`RecordingFile`]. If the recording is finished, the growth
    /// must also end after the last recorded turn.
    pub fn of(
        design: &ValidDesign,
        options: Options,
        recording: &Recording,
        mut goes_on: impl FnMut() -> bool,
    ) -> Option<Self> {
        let mut chunk = EventChunk::default();
        let mut growth = Growth::new(design, options, &mut chunk);
        let mut grown = Recording::new(growth.grid().clone(), std::mem::take(&mut chunk));
        if grown.start() != recording.start() || grown.events_of(0) != recording.events_of(0) {
            return Some(Self::AnotherStart);
        }
        let (mut from, last) = (0, recording.turns());
        while from < last {
            let to = (from + TURNS).min(last);
            growth.advance(to - growth.clock().turn, &mut chunk);
            let part = chunk.take_turns();
            let turns = part.turns();
            // Start a new recording for each part, to free the turns already compared.
            grown = Recording::new(crate::engine::Grid::empty(), EventChunk::default());
            grown.append(part);
            let events_within = |recording: &Recording, from: u64, to: u64| {
                let mut events: Vec<(u64, Event)> = Vec::new();
                recording.walk(from, to, |turn, event| events.push((turn - from, *event)));
                events
            };
            let (mine, theirs) = (events_within(&grown, 0, turns), events_within(recording, from, to));
            if turns != to - from || mine != theirs {
                let differs = mine.iter().zip(&theirs).find(|(mine, theirs)| mine != theirs);
                let differs = differs.map(|((mine, _), (theirs, _))| (*mine).min(*theirs));
                let ended = mine.len().min(theirs.len());
                let after = [&mine, &theirs].into_iter().filter_map(|events| events.get(ended));
                let after = after.map(|(turn, _)| *turn).min();
                return Some(Self::Another(from + differs.or(after).unwrap_or(turns + 1)));
            }
            from = to;
            if !goes_on() {
                return None;
            }
        }
        if recording.is_finished() && growth.turn(&mut chunk) {
            return Some(Self::Another(last + 1));
        }
        Some(Self::Same)
    }
}
