//! Stores the events of a growth in segments of turns. The events of a segment can be dropped and regrown.
//!
//! A [`Recording`](super::Recording) has a limit in bytes. When the log exceeds the limit, it drops the events of whole
//! segments far from the turn that is shown, but keeps checkpoints of the growth. Growth is deterministic, so a
//! [`RegrowRequest`] can grow a segment again from the checkpoint before it, on any thread.

use std::ops::Range;
use std::sync::Arc;

use super::EventChunk;
use crate::engine::Growth;

/// Maximum number of bytes of events in a segment: small enough that copying or dropping a segment takes no noticeable
/// time. Recordings with a low limit have smaller segments.
const MOST_SEGMENT_BYTES: usize = 1 << 19;

/// Maximum number of segments dropped per call.
const DROPPED_AT_ONCE: usize = 8;

/// Number of parts into which the limit is divided to space the checkpoints: a checkpoint is made each time the
/// recorded events have grown by one part.
const CHECKPOINTS: usize = 16;

/// Default limit of a recording in bytes: 512 MiB.
pub const DEFAULT_LIMIT: usize = 512 << 20;

/// A copy of the whole state of a growth, made after one turn and before the next.
#[derive(Debug, Clone)]
pub(super) struct Checkpoint {
    /// Number of turns finished when the copy was made.
    pub(super) turn: u64,
    growth: Growth,
    /// Events that the growth reported after the end of this turn; they belong to the next turn.
    pending: EventChunk,
}

impl Checkpoint {
    pub(super) fn new(growth: &Growth, pending: EventChunk) -> Self {
        Self {
            turn: growth.clock().turn,
            growth: growth.clone(),
            pending,
        }
    }

    /// Returns the memory that the checkpoint uses, in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.growth.bytes() + self.pending.bytes()
    }
}

/// Returns the number of bytes of events between two checkpoints: a fixed fraction of the limit, but at least half the
/// size of a checkpoint.
pub(super) fn spacing(limit: usize, growth: &Growth) -> usize {
    (limit / CHECKPOINTS).max(growth.bytes() / 2)
}

/// Consecutive turns, whose events are either stored or dropped.
#[derive(Debug, Clone)]
pub(super) struct RecordedSegment {
    /// Number of turns before the segment.
    pub(super) from: u64,
    /// Number of turns in the segment.
    pub(super) turns: u64,
    /// Number of bytes of the segment's events, even if they were dropped.
    pub(super) bytes: usize,
    /// The events; `None` if they were dropped.
    pub(super) chunk: Option<EventChunk>,
}

impl RecordedSegment {
    pub(super) const fn end(&self) -> u64 {
        self.from + self.turns
    }
}

/// All finished segments of a recording.
#[derive(Debug, Clone)]
pub(super) struct EventLog {
    segments: Vec<RecordedSegment>,
    /// Number of bytes of the events that are stored.
    bytes: usize,
    checkpoints: Vec<Arc<Checkpoint>>,
    checkpoint_bytes: usize,
    /// Number of segments whose events were dropped.
    pub(super) dropped: usize,
    /// Number of events in all segments, including dropped events.
    pub(super) events: u64,
    pub(super) limit: usize,
}

impl EventLog {
    pub(super) const fn new(limit: usize) -> Self {
        Self {
            segments: Vec::new(),
            bytes: 0,
            checkpoints: Vec::new(),
            checkpoint_bytes: 0,
            dropped: 0,
            events: 0,
            limit,
        }
    }

    /// Returns the number of bytes of events after which a segment ends.
    pub(super) fn segment_bytes(&self) -> usize {
        (self.limit / 64).clamp(64, MOST_SEGMENT_BYTES)
    }

    /// Returns the number of turns in all segments.
    pub(super) fn turns(&self) -> u64 {
        self.segments.last().map_or(0, RecordedSegment::end)
    }

    /// Returns the number of bytes of the stored events and the checkpoints.
    pub(super) const fn bytes(&self) -> usize {
        self.bytes + self.checkpoint_bytes
    }

    pub(super) fn push(&mut self, chunk: EventChunk) {
        let bytes = chunk.bytes();
        self.bytes += bytes;
        self.events += chunk.events;
        self.segments.push(RecordedSegment {
            from: self.turns(),
            turns: chunk.turns,
            bytes,
            chunk: Some(chunk),
        });
    }

    /// Adds a checkpoint. While checkpoints take more than a quarter of the limit, drops every second one.
    pub(super) fn keep(&mut self, checkpoint: Arc<Checkpoint>) {
        self.checkpoint_bytes += checkpoint.bytes();
        self.checkpoints.push(checkpoint);
        while self.checkpoint_bytes > self.limit / 4 && self.checkpoints.len() > 1 {
            let mut number = 0;
            self.checkpoints.retain(|_| {
                number += 1;
                number % 2 == 1
            });
            self.checkpoint_bytes = self.checkpoints.iter().map(|checkpoint| checkpoint.bytes()).sum();
        }
    }

    /// Returns the index of the segment that contains a turn; turns are counted from 1. Returns the number of segments
    /// if the turn is later than all of them.
    fn number_of(&self, turn: u64) -> usize {
        self.segments.partition_point(|segment| segment.end() < turn)
    }

    /// Returns the segments that contain the turns after `from` up to `to`.
    pub(super) fn overlapping(&self, from: u64, to: u64) -> &[RecordedSegment] {
        let first = self.number_of(from.saturating_add(1));
        let last = self.segments.partition_point(|segment| segment.from < to);
        self.segments.get(first..last).unwrap_or_default()
    }

    /// Drops a few segments if the recording exceeds its limit, and returns whether another call is needed. The
    /// recording consists of the stored events, the checkpoints and `others` bytes of other data. Drops nothing while
    /// the stored events together take at most a quarter of the limit. Drops the segments farthest from turn `around`
    /// first, but never the segment of that turn or its neighbours.
    pub(super) fn drop_distant(&mut self, around: u64, others: usize) -> bool {
        // Without a checkpoint, dropped events could not be regrown.
        if self.checkpoints.is_empty() {
            return false;
        }
        let mut dropped = 0;
        let allowed = self
            .limit
            .saturating_sub(others + self.checkpoint_bytes)
            .max(self.limit / 4);
        let here = self.number_of(around.max(1));
        let (mut low, mut high) = (0, self.segments.len());
        while self.bytes > allowed && low < high {
            let below = here.saturating_sub(low);
            let above = (high - 1).saturating_sub(here);
            let farthest = if below >= above {
                low += 1;
                low - 1
            } else {
                high -= 1;
                high
            };
            // Keep the segment of turn `around` and its neighbours, which a playback at that turn reads next.
            if farthest.abs_diff(here) <= 1 {
                break;
            }
            if let Some(chunk) = self.segments[farthest].chunk.take() {
                self.bytes -= chunk.bytes();
                self.dropped += 1;
                dropped += 1;
            }
            if dropped == DROPPED_AT_ONCE {
                return true;
            }
        }
        false
    }

    /// Returns a request that regrows the events of a turn; `None` if the events are stored or cannot be regrown.
    pub(super) fn regrow_request(&self, turn: u64) -> Option<RegrowRequest> {
        let number = self.number_of(turn);
        self.segments.get(number).filter(|segment| segment.chunk.is_none())?;
        let from = self.segments[number].from;
        let after = self.checkpoints.partition_point(|checkpoint| checkpoint.turn <= from);
        let (checkpoint, restart) = match after.checked_sub(1) {
            Some(before) => (&self.checkpoints[before], false),
            None => (self.checkpoints.first()?, true),
        };
        // Also request neighbouring dropped segments between the same two checkpoints, up to an eighth of the limit.
        // The growth from the checkpoint to the first requested segment is then needed only once for all of them.
        let begin = if restart { 0 } else { checkpoint.turn };
        let end = self
            .checkpoints
            .get(after)
            .map_or(u64::MAX, |checkpoint| checkpoint.turn);
        let missing = |number: usize| {
            let segment = self.segments.get(number)?;
            let wanted = segment.chunk.is_none() && segment.from >= begin && segment.from < end;
            wanted.then_some(segment.bytes)
        };
        let (mut first, mut last) = (number, number);
        let mut room = (self.limit / 8).saturating_sub(self.segments[number].bytes);
        while let Some(bytes) = missing(last + 1).filter(|bytes| *bytes <= room) {
            last += 1;
            room -= bytes;
        }
        while let Some(bytes) = first.checked_sub(1).and_then(missing).filter(|bytes| *bytes <= room) {
            first -= 1;
            room -= bytes;
        }
        let turns = self.segments[first..=last]
            .iter()
            .map(|segment| segment.from..segment.end());
        Some(RegrowRequest {
            checkpoint: Arc::clone(checkpoint),
            restart,
            segments: turns.collect(),
        })
    }

    /// Inserts the regrown segments whose events are still missing, and returns whether there were any. Returns `false`
    /// and inserts nothing if the log no longer has the checkpoint that they were regrown from.
    pub(super) fn restore(&mut self, regrown: RegrownSegments) -> bool {
        let known = |kept: &Arc<Checkpoint>| Arc::ptr_eq(kept, &regrown.checkpoint);
        if !self.checkpoints.iter().any(known) {
            return false;
        }
        let mut any = false;
        for (from, chunk) in regrown.chunks {
            let number = self.number_of(from + 1);
            let Some(segment) = self.segments.get_mut(number) else {
                continue;
            };
            if segment.from == from && segment.turns == chunk.turns && segment.chunk.is_none() {
                self.bytes += chunk.bytes();
                self.dropped -= 1;
                segment.chunk = Some(chunk);
                any = true;
            }
        }
        any
    }
}

/// A request to regrow the events of some turns from a checkpoint.
#[derive(Debug, Clone)]
pub struct RegrowRequest {
    checkpoint: Arc<Checkpoint>,
    /// Whether the turns lie before the first checkpoint; if so, growth restarts from the beginning.
    restart: bool,
    /// For each segment, the number of turns finished before it and the number of turns finished at its end.
    segments: Vec<Range<u64>>,
}

/// Two requests are equal if they regrow the same turns from the same checkpoint.
impl PartialEq for RegrowRequest {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.checkpoint, &other.checkpoint) && self.segments == other.segments
    }
}

impl Eq for RegrowRequest {}

/// The segments that a [`RegrowRequest`] has regrown.
#[derive(Debug)]
pub struct RegrownSegments {
    checkpoint: Arc<Checkpoint>,
    chunks: Vec<(u64, EventChunk)>,
}

impl RegrownSegments {
    /// Iterates over the segments in order, each with the number of turns before it.
    pub(super) fn chunks(&self) -> impl Iterator<Item = (u64, &EventChunk)> {
        self.chunks.iter().map(|(from, chunk)| (*from, chunk))
    }
}

impl RegrowRequest {
    /// Returns whether the request regrows the events of a turn, counted from 1.
    pub fn covers(&self, turn: u64) -> bool {
        let has = |segment: &Range<u64>| segment.start < turn && turn <= segment.end;
        self.segments.iter().any(has)
    }

    /// Regrows the turns. Polls `goes_on` often, and returns `None` when `goes_on` returns `false`.
    pub fn run(&self, mut goes_on: impl FnMut() -> bool) -> Option<RegrownSegments> {
        let mut chunk = EventChunk::default();
        let mut growth = if self.restart {
            // Ignore the events before the first turn: the recording never drops them.
            self.checkpoint.growth.restarted(&mut ())
        } else {
            chunk.clone_from(&self.checkpoint.pending);
            self.checkpoint.growth.clone()
        };
        let mut chunks = Vec::with_capacity(self.segments.len());
        for segment in &self.segments {
            if let Some(before) = segment.start.checked_sub(growth.clock().turn + 1) {
                if !growth.advance_while(before, &mut (), &mut goes_on) {
                    return None;
                }
                // Grow the last turn before the segment. After the end of that turn, the growth may already report
                // events of the segment's first turn: keep only these.
                chunk = EventChunk::default();
                growth.turn(&mut chunk);
                let _ = chunk.take_turns();
            }
            if !growth.advance_while(segment.end - segment.start, &mut chunk, &mut goes_on) {
                return None;
            }
            let mut grown = chunk.take_turns();
            grown.iterations = Vec::new();
            grown.bytes.shrink_to_fit();
            chunks.push((segment.start, grown));
        }
        Some(RegrownSegments {
            checkpoint: Arc::clone(&self.checkpoint),
            chunks,
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use crate::design::{CrawlerStart, Design};
    use crate::engine::Options;
    use crate::geometry::{Point, Size};
    use crate::recording::{Playback, Recorder, Recording, SeekResult};

    fn design(seed: u64) -> Design {
        let mut design = Design {
            seed,
            ..Design::default()
        };
        design.layout.size = Size::new(60, 80);
        for y in (10..80).step_by(10) {
            design.layout.crawlers.push(CrawlerStart {
                at: Point::new(0, y),
                direction: 2,
                delay: y / 10,
                ..CrawlerStart::default()
            });
        }
        for generation in &mut design.character.generations {
            generation.max_age = 40;
        }
        design
    }

    /// Records a growth as the designer does, in chunks of `turns` turns.
    fn recorded(seed: u64, limit: usize, turns: usize) -> Recording {
        let valid = design(seed).validate(None).design.unwrap();
        let (mut growth, mut recorder, mut recording) = Recorder::begin(&valid, Options::default(), limit);
        while !growth.is_finished() {
            for _ in 0..turns {
                growth.turn(&mut recorder);
            }
            recording.append(recorder.take_turns(&growth));
            while recording.drop_distant(0, 0) {}
        }
        recording.append(recorder.take());
        recording.finish();
        while recording.drop_distant(0, 0) {}
        recording
    }

    /// Seeks as the designer does, regrowing missing events. Returns the number of regrow requests.
    fn seek(cursor: &mut Playback, recording: &mut Recording, turn: u64, bytes: usize) -> u32 {
        let mut regrow_requests = 0;
        for _ in 0..100_000 {
            match cursor.seek_within(recording, turn, bytes) {
                SeekResult::There => return regrow_requests,
                SeekResult::Busy => {}
                SeekResult::Missing(turn) => {
                    let regrow_request = recording.regrow_request(turn).expect("a request that regrows it");
                    assert!(regrow_request.covers(turn));
                    assert!(recording.restore(regrow_request.run(|| true).unwrap()));
                    while recording.drop_distant(turn, cursor.keyframe_bytes()) {}
                    assert!(recording.regrow_request(turn).is_none(), "the segment being read stays");
                    regrow_requests += 1;
                }
            }
        }
        panic!("never arrives at {turn} from {}", cursor.turn());
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 16, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn a_limited_recording_shows_the_same_frames(
            seed: u64,
            limit in prop_oneof![Just(0_usize), 100..40_000_usize],
            turns in 1..60_usize,
            spacing in 20..2000_u64,
            targets in prop::collection::vec((0..=1000_u64, 64..4096_usize), 1..12),
        ) {
            let all = recorded(seed, usize::MAX, turns);
            prop_assert!(!all.regrows());
            let mut few = recorded(seed, limit, turns);
            prop_assert_eq!((all.turns(), all.events()), (few.turns(), few.events()));
            prop_assert_eq!(all.stats(), few.stats());
            let (mut here, mut there) = (Playback::new(&all), Playback::new(&few).spaced(spacing));
            let mut everywhere = all.clone();
            // Another playback of the complete recording. Each of its seeks gets a new target before it arrives.
            let mut hither = Playback::new(&all).spaced(spacing);
            for (share, bytes) in targets {
                let turn = all.turns() * share / 1000;
                prop_assert_eq!(here.seek(&all, turn), SeekResult::There);
                seek(&mut there, &mut few, turn, bytes);
                prop_assert_eq!(here.turn(), there.turn());
                prop_assert_eq!(here.frame(), there.frame());
                hither.seek_within(&all, all.turns() - turn, bytes / 8);
                prop_assert!(hither.frame().grid().size() == all.start().size(), "always whole");
                seek(&mut hither, &mut everywhere, turn, bytes / 8);
                prop_assert_eq!((here.turn(), here.frame()), (hither.turn(), hither.frame()));
            }
            prop_assert!(there.keyframe_bytes() <= limit / 4 + 2 * there.frame().bytes(), "{}", there.keyframe_bytes());
        }
    }

    #[test]
    fn the_limit_is_kept_and_everything_can_be_read_again() {
        let all = recorded(7, usize::MAX, 20);
        let limit = all.bytes() / 3;
        let mut few = recorded(7, limit, 20);
        assert!(few.regrows());
        // In a small dungeon, one checkpoint takes more memory than all events, so only a quarter of the limit is left
        // for the events. The segment being read and its neighbours are always stored.
        let most = limit / 4 + 3 * 1024;
        let taken = |few: &Recording| few.store.bytes() - few.store.checkpoint_bytes;
        assert!(taken(&few) < most, "{} of {limit}", taken(&few));
        assert!(few.events_of(few.turns() / 2).is_empty(), "dropped");
        let mut cursor = Playback::new(&few);
        let end = few.turns();
        assert!(seek(&mut cursor, &mut few, end, 1000) > 0);
        assert!(seek(&mut cursor, &mut few, 0, 1000) == 0, "the start is there");
        // Read the events of every turn, forwards and backwards.
        for turn in (1..=end).chain((1..=end).rev()) {
            if let Some(regrow_request) = few.regrow_request(turn) {
                assert!(few.restore(regrow_request.run(|| true).unwrap()));
                while few.drop_distant(turn, 0) {}
            }
            assert_eq!(few.events_of(turn), all.events_of(turn), "turn {turn}");
        }
        assert!(taken(&few) < most, "{} of {limit}", taken(&few));
    }

    #[test]
    fn segments_of_another_run_are_not_inserted() {
        let limit = recorded(7, usize::MAX, 20).bytes() / 3;
        let (mut few, other) = (recorded(7, limit, 20), recorded(7, limit, 20));
        let turn = few.turns() / 2;
        let regrown = other.regrow_request(turn).unwrap().run(|| true).unwrap();
        assert!(!few.restore(regrown));
        assert!(few.regrow_request(turn).is_some());
        assert!(
            few.regrow_request(turn)
                .unwrap()
                .run(|| false)
                .is_none_or(|_| turn < 1024),
            "it can be ended"
        );
    }
}
