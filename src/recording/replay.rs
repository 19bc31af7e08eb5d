//! Splits a recording into parts to be stored in a file, and rebuilds a recording from such parts.
//!
//! A file may contain arbitrary bytes. [`Replay`] therefore checks every event against the dungeon that results from
//! the earlier events. A playback of the recording, forwards or backwards, then never meets an impossible event. The
//! byte layout of the file itself is defined in [`recording_file`](crate::recording_file).

use serde::Serialize;

use super::chunk::EventBlock;
use super::encoding::{EventReader, TURNS_PER_BLOCK};
use super::{BuilderState, EventChunk, Frame, IterationStart, Recording};
use crate::engine::{Event, Grid, Mark as Who, Tile};

/// Approximate number of bytes of events in a part.
const BYTES_AT_ONCE: usize = 1 << 20;

/// Exclusive upper limit for generations in a file; no real dungeon reaches it. It limits the length of a list that has
/// a tile count for each generation.
const MOST_GENERATIONS: u32 = 1 << 20;

/// Consecutive turns in encoded form, as blocks that can be decoded independently.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TurnRange<'a> {
    /// Number of turns and number of bytes of each block.
    pub blocks: Vec<(u32, u32)>,
    /// Bytes of all blocks in order; the documentation of `recording_file` describes their format.
    pub bytes: &'a [u8],
    /// Starts of iterations up to the end of these turns, except those that an earlier range contains.
    pub marks: &'a [IterationStart],
}

impl TurnRange<'_> {
    /// Returns the number of turns in the range.
    pub fn turns(&self) -> u64 {
        self.blocks.iter().map(|(turns, _)| u64::from(*turns)).sum()
    }
}

/// The reason why [`Recording::report_parts`] did not pass on all turns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReplayError<E> {
    /// `receive` returned this error.
    Refused(E),
    /// `goes_on` returned `false` while dropped events were being regrown.
    Ended,
    /// The events of this turn (counted from 1) were dropped and cannot be regrown.
    Lost(u64),
}

/// The position of an impossible event, or of bytes that cannot be decoded, and the reason.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct InvalidEvent {
    /// Turn of the event, counted from 1; 0 before the first turn.
    pub turn: u64,
    /// Reason why the event is invalid.
    pub why: &'static str,
}

impl Recording {
    /// Returns the events before the first turn, encoded.
    pub fn prelude(&self) -> Vec<u8> {
        use crate::engine::Observer as _;
        let mut chunk = EventChunk::default();
        for event in &self.prelude {
            chunk.event(*event);
        }
        chunk.bytes
    }

    /// Passes all finished turns to `receive`, in order and in encoded form. Regrows dropped events temporarily,
    /// polling `goes_on` meanwhile; the recording itself does not change.
    ///
    /// # Errors
    ///
    /// Fails if `receive` fails, if `goes_on` returns `false`, or if dropped events cannot be regrown.
    pub fn report_parts<E>(
        &self,
        mut goes_on: impl FnMut() -> bool,
        mut receive: impl FnMut(TurnRange<'_>) -> Result<(), E>,
    ) -> Result<(), ReplayError<E>> {
        let mut marks = 0;
        let mut all = |chunk: &EventChunk, from: u64| {
            let result = chunk.report_parts(|blocks, bytes, to| {
                let until = self.iterations.partition_point(|mark| mark.turn <= from + to);
                let part = TurnRange {
                    blocks,
                    bytes,
                    marks: self.iterations.get(marks..until).unwrap_or_default(),
                };
                marks = marks.max(until);
                receive(part)
            });
            result.map_err(ReplayError::Refused)
        };
        let end = self.store.turns();
        let mut from = 0;
        while from < end {
            let Some(segment) = self.store.overlapping(from, from + 1).first() else {
                return Err(ReplayError::Lost(from + 1));
            };
            if let Some(chunk) = &segment.chunk {
                all(chunk, from)?;
                from = segment.end();
                continue;
            }
            let regrow_request = self.regrow_request(from + 1).ok_or(ReplayError::Lost(from + 1))?;
            let regrown = regrow_request.run(&mut goes_on).ok_or(ReplayError::Ended)?;
            let before = from;
            for (begin, chunk) in regrown.chunks() {
                if begin == from {
                    all(chunk, from)?;
                    from += chunk.turns;
                }
            }
            if from == before {
                return Err(ReplayError::Lost(from + 1));
            }
        }
        all(&self.chunk, end)
    }
}

impl EventChunk {
    /// Passes the finished turns to `receive` in groups of blocks. For each group, `receive` gets the numbers of turns
    /// and bytes of each block, the bytes of all these blocks, and the number of turns from the start of the chunk to
    /// the end of the group.
    fn report_parts<E>(&self, mut receive: impl FnMut(Vec<(u32, u32)>, &[u8], u64) -> Result<(), E>) -> Result<(), E> {
        let (mut blocks, mut first) = (Vec::new(), 0);
        for (number, block) in self.blocks.iter().enumerate() {
            let next = self.blocks.get(number + 1);
            let (turn, offset) = next.map_or((self.turns, self.whole_bytes()), |next| (next.turn, next.offset));
            if turn == block.turn {
                // This block contains only the unfinished turn.
                continue;
            }
            blocks.push(((turn - block.turn) as u32, (offset - block.offset) as u32));
            if offset - first >= BYTES_AT_ONCE {
                receive(std::mem::take(&mut blocks), &self.bytes[first..offset], turn)?;
                first = offset;
            }
        }
        if blocks.is_empty() {
            return Ok(());
        }
        receive(blocks, &self.bytes[first..self.whole_bytes()], self.turns)
    }
}

/// A recording being rebuilt from the contents of a file.
#[derive(Debug)]
pub struct Replay {
    recording: Recording,
    /// The dungeon after all events appended so far.
    frame: Frame,
    /// The start of the last iteration appended so far.
    last: Option<IterationStart>,
}

impl Replay {
    /// Starts to rebuild a recording from the dungeon after stage one and the bytes that [`Recording::prelude`]
    /// returned.
    ///
    /// # Errors
    ///
    /// Fails if the bytes cannot be decoded or describe impossible events.
    pub fn new(start: Grid, prelude: &[u8]) -> Result<Self, InvalidEvent> {
        use crate::engine::Observer as _;
        let mut frame = Frame::new(start.clone());
        let mut chunk = EventChunk::default();
        let invalid = |why| InvalidEvent { turn: 0, why };
        let mut reader = EventReader::new(prelude);
        while reader.left() > 0 {
            let read = reader.next().filter(|read| !read.last);
            let event = read.and_then(|read| read.event).ok_or_else(|| invalid(UNREADABLE))?;
            if !matches!(event, Event::Born { .. } | Event::Woke { .. }) {
                return Err(invalid("a Builder acts before the first turn"));
            }
            check(&frame, &event).map_err(invalid)?;
            frame.apply(&event);
            chunk.event(event);
        }
        Ok(Self {
            recording: Recording::new(start, chunk).limited(usize::MAX),
            frame,
            last: None,
        })
    }

    /// Appends the next turns: the fields of a [`TurnRange`] from [`Recording::report_parts`].
    ///
    /// # Errors
    ///
    /// Fails if the bytes cannot be decoded or describe impossible events.
    pub fn append(
        &mut self,
        blocks: &[(u32, u32)],
        bytes: Vec<u8>,
        marks: &[IterationStart],
    ) -> Result<(), InvalidEvent> {
        let begin = self.recording.turns();
        let (mut turn, mut offset, mut events) = (0_u64, 0_usize, 0_u64);
        let mut kept = Vec::with_capacity(blocks.len());
        for &(turns, length) in blocks {
            let invalid = |turn: u64, why| InvalidEvent {
                turn: begin + turn + 1,
                why,
            };
            let end = offset.saturating_add(length as usize);
            let block = bytes.get(offset..end).filter(|_| u64::from(turns) <= TURNS_PER_BLOCK);
            let block = block.ok_or_else(|| invalid(turn, "a block has an impossible length"))?;
            kept.push(EventBlock { turn, offset });
            let until = turn + u64::from(turns);
            let mut reader = EventReader::new(block);
            while reader.left() > 0 {
                let read = reader.next().filter(|_| turn < until);
                let read = read.ok_or_else(|| invalid(turn, UNREADABLE))?;
                if let Some(event) = &read.event {
                    check(&self.frame, event).map_err(|why| invalid(turn, why))?;
                    self.frame.apply(event);
                    events += 1;
                } else if !read.last {
                    return Err(invalid(turn, UNREADABLE));
                }
                turn += u64::from(read.last);
            }
            if turn != until || turns == 0 {
                return Err(invalid(turn, "turns are missing"));
            }
            offset = end;
        }
        if offset != bytes.len() {
            let turn = begin + turn;
            let why = "there are bytes that belong to no turn";
            return Err(InvalidEvent { turn, why });
        }
        self.check_marks(begin..=begin + turn, marks)?;
        let iterations = marks.to_vec();
        self.recording
            .append(EventChunk::from_parts(bytes, kept, turn, events, iterations));
        Ok(())
    }

    fn check_marks(
        &mut self,
        turns: std::ops::RangeInclusive<u64>,
        marks: &[IterationStart],
    ) -> Result<(), InvalidEvent> {
        for mark in marks {
            let follows = |last: IterationStart| last.iteration < mark.iteration && last.turn <= mark.turn;
            if !turns.contains(&mark.turn) || mark.iteration == 0 || !self.last.is_none_or(follows) {
                let (turn, why) = (mark.turn.min(*turns.end()), "the iterations are not in order");
                return Err(InvalidEvent { turn, why });
            }
            self.last = Some(*mark);
        }
        Ok(())
    }

    /// Returns the number of turns appended so far.
    pub fn turns(&self) -> u64 {
        self.recording.turns()
    }

    /// Returns the recording. If `whole` is true, marks it as finished.
    pub fn finish(mut self, whole: bool) -> Recording {
        if whole {
            self.recording.finish();
        }
        self.recording
    }
}

const UNREADABLE: &str = "an event cannot be read";

/// Checks whether an event is possible in this dungeon and can be reverted. If not, returns the reason.
fn check(frame: &Frame, event: &Event) -> Result<(), &'static str> {
    let size = frame.grid().size();
    let holds = |holds: bool, why: &'static str| if holds { Ok(()) } else { Err(why) };
    if let Event::Born { builder, birth } = event {
        let parent = birth.parent.map(|parent| frame.builder(parent));
        holds(builder.0 as usize == frame.builders().len(), "births are not in order")?;
        holds(!matches!(parent, Some(None)), "the parent was never born")?;
        holds(size.contains(birth.at), "a Builder is born outside the dungeon")?;
        return holds(birth.generation < MOST_GENERATIONS, "the generation is out of range");
    }
    let Some(who) = frame.builder(event.builder()) else {
        return Err("a Builder acts without having been born");
    };
    match *event {
        Event::Laid { at, before, tile, .. } => {
            let fits = size.contains(at) && before.is_open() && frame.grid().tile(at) == before;
            holds(fits, "a tile is laid where no tile can be laid")?;
            holds(frame.grid().mark(at) == Who::Design, "a tile is laid on another")?;
            holds(
                matches!(tile, Tile::Wall | Tile::Column),
                "a Builder never lays this kind of tile",
            )
        }
        Event::Moved { from, to, .. } => holds(
            from == who.at && size.contains(to),
            "a Builder moves from a square where it is not, or out of the dungeon",
        ),
        Event::Turned { from, .. } => holds(
            from == who.forward,
            "a Builder turns from a heading that it does not have",
        ),
        Event::OpeningChanged { from, .. } => holds(
            from == who.opening,
            "an event changes an opening that the Builder does not have",
        ),
        Event::Woke { .. } => holds(
            who.state == BuilderState::Asleep,
            "a Builder that is already awake wakes",
        ),
        Event::Died { .. } => holds(who.state == BuilderState::Awake, "a Builder that is not awake dies"),
        Event::Joined { .. } | Event::Unborn { .. } | Event::Born { .. } => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::engine::Options;
    use crate::presets::Preset;
    use crate::recording::Playback;

    /// Records the whole growth of a preset.
    fn recorded(preset: &str) -> Recording {
        let valid = Preset::find(preset).unwrap().design().validate(None).design.unwrap();
        let (mut growth, mut recording) = Recording::begin(&valid, Options::default());
        growth.finish(&mut recording);
        recording.count();
        recording.finish();
        recording
    }

    type Parts = (Vec<(u32, u32)>, Vec<u8>, Vec<IterationStart>);

    fn parts_of(recording: &Recording) -> Vec<Parts> {
        let mut parts = Vec::new();
        let report = |part: TurnRange<'_>| {
            assert!(part.turns() > 0);
            parts.push((part.blocks, part.bytes.to_vec(), part.marks.to_vec()));
            Ok::<(), ()>(())
        };
        recording.report_parts(|| true, report).unwrap();
        parts
    }

    fn put_together(recording: &Recording, parts: &[Parts]) -> Result<Recording, InvalidEvent> {
        let mut replay = Replay::new(recording.start().clone(), &recording.prelude())?;
        for (blocks, bytes, marks) in parts {
            replay.append(blocks, bytes.clone(), marks)?;
        }
        Ok(replay.finish(true))
    }

    #[test]
    fn every_preset_is_rebuilt_from_its_parts() {
        for preset in Preset::all() {
            let recording = recorded(preset.name);
            let parts = parts_of(&recording);
            let again = put_together(&recording, &parts).unwrap_or_else(|fault| panic!("{}: {fault:?}", preset.name));
            assert_eq!(again, recording, "{}", preset.name);
            assert_eq!(again.stats(), recording.stats(), "{}", preset.name);
            assert_eq!(parts_of(&again), parts, "{}: the same bytes", preset.name);
            let [mut a, mut b] = [&again, &recording].map(Playback::new);
            for turn in [again.turns(), again.turns() / 2, 0] {
                a.seek(&again, turn);
                b.seek(&recording, turn);
                assert_eq!(a.frame(), b.frame(), "{} after {turn}", preset.name);
            }
        }
    }

    #[test]
    fn impossible_events_are_rejected() {
        let recording = recorded("ammonite");
        let parts = parts_of(&recording);
        let invalid = |change: &dyn Fn(&mut Parts)| {
            let mut parts = parts.clone();
            change(&mut parts[0]);
            put_together(&recording, &parts).unwrap_err().why
        };
        assert_eq!(invalid(&|part| part.0[0].0 += 1), "a block has an impossible length");
        assert_eq!(invalid(&|part| part.0[0].1 -= 1), UNREADABLE);
        assert_eq!(
            invalid(&|part| part.1.push(0)),
            "there are bytes that belong to no turn"
        );
        assert_eq!(
            invalid(&|part| part.2[0].iteration = 9999),
            "the iterations are not in order"
        );
        assert_eq!(
            invalid(&|part| part.2[0].turn = u64::MAX),
            "the iterations are not in order"
        );
        let twice = [parts[0].clone(), parts[0].clone()];
        let again = put_together(&recording, &twice).unwrap_err();
        assert!(again.turn > recording.turns() / 2, "{again:?}");
        let late = Replay::new(recording.start().clone(), &parts[0].1).unwrap_err();
        assert_eq!(late.turn, 0);
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

        /// Changed bytes are rejected, or they decode to a recording that can be played to the end and back.
        #[test]
        fn accepted_bytes_can_be_walked(changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4)) {
            let recording = recorded("ammonite");
            let mut parts = parts_of(&recording);
            for (at, byte) in changes {
                let bytes = &mut parts[0].1;
                let at = at.index(bytes.len());
                bytes[at] = byte;
            }
            if let Ok(taken) = put_together(&recording, &parts) {
                let mut cursor = Playback::new(&taken);
                let first = cursor.frame().clone();
                cursor.seek(&taken, taken.turns());
                for turn in (0..taken.turns()).rev().step_by(97) {
                    cursor.seek(&taken, turn);
                }
                cursor.seek(&taken, 0);
                prop_assert_eq!(cursor.frame(), &first);
            }
        }
    }
}
