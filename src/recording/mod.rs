//! The history of a dungeon's growth: every event in order, and a playback that shows the dungeon after any turn.
//!
//! A [`Recording`] observes a growth in the same thread (it implements [`Observer`]). If the growth runs in another
//! thread, a [`Recorder`] observes it there and produces [`EventChunk`]s, which are appended to the recording. Events
//! contain old and new values, so that a [`Playback`] can apply and revert them.
//!
//! A recording has a limit in bytes. If it exceeds the limit, events far from the turn that is shown can be dropped
//! (see [`Recording::drop_distant`]). When dropped events are needed again, a [`RegrowRequest`] regrows them from a
//! checkpoint. Checkpoints are copies of the growth, and come with the chunks. Functions that walk the events report
//! where events are missing. This module stores events; it does not interpret them.
//!
//! ```
//! use wallcrawler::engine::Options;
//! use wallcrawler::recording::{Playback, Recording};
//! # let design: wallcrawler::Design = include_str!("../../presets/first-steps.toml").parse()?;
//!
//! let design = wallcrawler::design::ValidDesign::try_from(&design)?;
//! let recording = Recording::of(&design, Options::default());
//! let mut playback = Playback::new(&recording);
//! playback.seek(&recording, recording.turns()); // Seek to the end, then back to the middle.
//! playback.seek(&recording, recording.turns() / 2);
//! println!("{}{} Builders take turns", playback.frame().grid(), playback.frame().awake());
//! # Ok::<(), wallcrawler::InvalidDesign>(())
//! ```

mod chunk;
mod encoding;
mod frame;
mod iterations;
mod log;
mod moment_script;
mod path;
mod playback;
mod recorder;
mod replay;
mod stats;
mod story;
mod tile_origins;
mod trace;

pub use chunk::EventChunk;
pub use frame::{BuilderState, Frame, FrameBuilder};
pub use log::{DEFAULT_LIMIT, RegrowRequest, RegrownSegments};
pub use moment_script::{MomentScript, ParseScriptError};
pub use path::BuilderPath;
pub use playback::{Playback, SeekResult};
pub use recorder::Recorder;
pub use replay::{InvalidEvent, Replay, ReplayError, TurnRange};
pub use stats::{Bin, GrowthStats};
pub use story::{Story, StoryEvent, StoryMoment, StoryRecorder};
pub use tile_origins::{TileOrigin, TileOrigins};
pub use trace::Trace;

use serde::{Deserialize, Serialize};

use log::EventLog;
use stats::GrowthStatsBuilder;

use crate::design::ValidDesign;
use crate::engine::{Clock, Event, Grid, Growth, Observer, Options, WallRun};

/// Maximum number of bytes that a recording reserves for events when it is created.
const MOST_RESERVED: u64 = 1 << 20;

/// The turn at which an iteration starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct IterationStart {
    /// Number of the iteration, counted from 0.
    pub iteration: u32,
    /// Number of turns finished before the iteration began.
    pub turn: u64,
}

impl IterationStart {
    const fn of(clock: Clock) -> Self {
        Self {
            iteration: clock.iteration,
            turn: clock.turn,
        }
    }
}

/// The history of a dungeon's growth, complete or still in progress.
#[derive(Debug, Clone)]
pub struct Recording {
    start: Grid,
    /// Events before the first turn: the births of the first Builders, and the waking of the Builders that act in the
    /// first iteration.
    prelude: Vec<Event>,
    /// The iteration to which the first turn belongs: the earliest iteration in which a Builder wakes.
    first_iteration: u32,
    /// Finished segments of turns.
    store: EventLog,
    /// The turns after the finished segments.
    chunk: EventChunk,
    /// Starts of the iterations, in order.
    iterations: Vec<IterationStart>,
    finished: bool,
    stats: GrowthStats,
    /// Counts events that arrive without statistics. `counted` contains the numbers of turns and iterations already
    /// counted.
    tally: GrowthStatsBuilder,
    counted: (u64, usize),
    /// The dungeon at turn 0, prepared for the first playback.
    first: Option<Box<Frame>>,
}

/// Two recordings are equal if they have the same start, the same number of turns and the same iterations, if both or
/// neither are finished, and if the events before the first dropped event are the same in both. Their division into
/// segments does not matter.
impl PartialEq for Recording {
    fn eq(&self, other: &Self) -> bool {
        let all_events = |recording: &Self| {
            let mut events = Vec::new();
            recording.walk(0, recording.turns(), |turn, event| events.push((turn, *event)));
            events
        };
        (
            &self.start,
            &self.prelude,
            &self.iterations,
            self.turns(),
            self.finished,
        ) == (
            &other.start,
            &other.prelude,
            &other.iterations,
            other.turns(),
            other.finished,
        ) && all_events(self) == all_events(other)
    }
}

impl Eq for Recording {}

impl Recording {
    /// Grows a design to the end and records it.
    pub fn of(design: &ValidDesign, options: Options) -> Self {
        let (mut growth, mut recording) = Self::begin(design, options);
        growth.finish(&mut recording);
        recording.finish();
        recording
    }

    /// Creates a growth and its recording. Pass the recording as observer when advancing the growth.
    pub fn begin(design: &ValidDesign, options: Options) -> (Growth, Self) {
        let mut prelude = EventChunk::default();
        let growth = Growth::new(design, options, &mut prelude);
        let recording = Self::new(growth.grid().clone(), prelude);
        (growth, recording)
    }

    /// Creates a recording from the dungeon after stage one (`start`) and the events before the first turn (`prelude`).
    pub fn new(start: Grid, mut prelude: EventChunk) -> Self {
        let mut chunk = EventChunk::default();
        // Reserve about as many bytes as a dungeon of usual density needs, to avoid reallocations.
        chunk.bytes.reserve(start.size().squares().min(MOST_RESERVED) as usize);
        let prelude = prelude.take_pending();
        let wakes = |event: &Event| match event {
            Event::Born { birth, .. } => Some(birth.wakes),
            _ => None,
        };
        let first_iteration = prelude.iter().filter_map(wakes).min().unwrap_or(0);
        let mut tally = GrowthStatsBuilder::default();
        for event in &prelude {
            tally.event(*event);
        }
        Self {
            start,
            prelude,
            first_iteration,
            store: EventLog::new(DEFAULT_LIMIT),
            chunk,
            iterations: Vec::new(),
            finished: false,
            stats: GrowthStats::default(),
            tally,
            counted: (0, 0),
            first: None,
        }
    }

    /// Sets the limit, in bytes, on the total size of the events, the checkpoints and the keyframes of one playback. A
    /// quarter of the limit is reserved for events. Segments next to the turn being read are never dropped, even if the
    /// recording then exceeds the limit.
    #[must_use]
    pub fn limited(mut self, bytes: usize) -> Self {
        self.store.limit = bytes;
        self
    }

    /// Builds the dungeon at turn 0 in advance, for [`Playback::prepared`].
    pub fn prepare(&mut self) {
        self.first = Some(Box::new(self.first_frame()));
    }

    fn first_frame(&self) -> Frame {
        let mut frame = Frame::new(self.start.clone());
        for event in &self.prelude {
            frame.apply(event);
        }
        frame
    }

    /// Appends newly recorded turns. Chunks from a [`Recorder`] contain their statistics; for all other chunks, this
    /// method counts the events.
    pub fn append(&mut self, mut later: EventChunk) {
        let (metrics, checkpoint) = (later.metrics.take(), later.checkpoint.take());
        self.iterations.append(&mut later.iterations);
        let large = later.bytes.len() >= self.store.segment_bytes() / 2;
        if large && later.is_whole() && self.chunk.is_whole() {
            // Store the chunk as a segment of its own, which avoids copying its events.
            self.close_chunk();
            self.store.push(later);
        } else {
            self.chunk.append(later);
            self.close_chunk_if_long();
        }
        if let Some(metrics) = metrics {
            self.stats.append(&metrics);
            self.counted = (self.turns(), self.iterations.len());
        } else {
            self.count();
        }
        if let Some(checkpoint) = checkpoint {
            self.store.keep(checkpoint);
        }
    }

    #[inline]
    fn close_chunk_if_long(&mut self) {
        if self.chunk.bytes.len() >= self.store.segment_bytes() && self.chunk.is_whole() {
            self.close_chunk();
        }
    }

    /// Stores the current chunk as a segment, and starts an empty chunk.
    #[cold]
    fn close_chunk(&mut self) {
        if self.chunk.turns > 0 {
            let mut next = EventChunk::default();
            next.bytes.reserve(self.chunk.bytes.len());
            self.store.push(std::mem::replace(&mut self.chunk, next));
        }
    }

    /// Updates the statistics with the events recorded since the last update. Needed only if this recording itself was
    /// the observer of the growth.
    pub fn count(&mut self) {
        let (turns, mut next) = self.counted;
        let mut tally = std::mem::take(&mut self.tally);
        let mut begin = |tally: &mut GrowthStatsBuilder, turn: u64| {
            while let Some(mark) = self.iterations.get(next).filter(|mark| mark.turn < turn) {
                tally.iteration_ended(Clock {
                    turn: mark.turn,
                    iteration: mark.iteration,
                });
                next += 1;
            }
        };
        self.walk(turns, self.turns(), |turn, event| {
            begin(&mut tally, turn);
            tally.event(*event);
        });
        begin(&mut tally, self.turns() + 1);
        self.counted = (self.turns(), next);
        self.stats.append(&tally.take());
        self.tally = tally;
    }

    /// Returns the statistics of the growth over time, for all finished iterations. If this recording itself was the
    /// observer of the growth, as in [`Self::of`], the statistics cover the events up to the last call of
    /// [`Self::count`].
    pub const fn stats(&self) -> &GrowthStats {
        &self.stats
    }

    /// Marks the recording as finished: the growth is over, and no turns will be appended.
    pub fn finish(&mut self) {
        if !self.chunk.is_whole() {
            self.chunk.end_turn();
        }
        self.finished = true;
    }

    /// Returns whether the growth is over; if so, the last recorded turn is also the last turn of the growth.
    pub const fn is_finished(&self) -> bool {
        self.finished
    }

    /// Returns the dungeon before the first turn.
    pub const fn start(&self) -> &Grid {
        &self.start
    }

    /// Returns the number of turns recorded so far. Turn 0 is the dungeon before any Builder acted.
    pub fn turns(&self) -> u64 {
        self.store.turns() + self.chunk.turns
    }

    /// Returns the number of events recorded so far, including those before the first turn and dropped events.
    pub fn events(&self) -> u64 {
        self.prelude.len() as u64 + self.store.events + self.chunk.events()
    }

    /// Returns the memory used by events, iterations and checkpoints, in bytes; the dungeon itself is not counted.
    pub fn bytes(&self) -> usize {
        let iterations = size_of_val(&self.iterations[..]);
        size_of_val(&self.prelude[..]) + iterations + self.store.bytes() + self.chunk.bytes()
    }

    /// Returns the limit in bytes, which includes the keyframes of one playback.
    pub const fn limit(&self) -> usize {
        self.store.limit
    }

    /// Returns whether events were dropped; if so, some turns must be regrown before they can be shown.
    pub const fn regrows(&self) -> bool {
        self.store.dropped > 0
    }

    /// Drops events until the recording, plus `others` bytes of other data, fits within the limit. Drops the segments
    /// farthest from turn `around` first, and never the segment of that turn or its neighbours. Drops at most a few
    /// megabytes per call, and returns whether another call is needed.
    pub fn drop_distant(&mut self, around: u64, others: usize) -> bool {
        let others = others + self.chunk.bytes() + size_of_val(&self.iterations[..]);
        self.store.drop_distant(around, others)
    }

    /// Returns a request that regrows the events of a turn (counted from 1); `None` if the events are stored or cannot
    /// be regrown.
    pub fn regrow_request(&self, turn: u64) -> Option<RegrowRequest> {
        self.store.regrow_request(turn)
    }

    /// Inserts regrown segments. Returns whether the recording lacked the events of any of them.
    pub fn restore(&mut self, regrown: RegrownSegments) -> bool {
        self.store.restore(regrown)
    }

    /// Returns the events of turn `turn` (turns are counted from 1); for turn 0, the events before the first turn.
    /// Returns an empty list if the turn is later than the last, or if its events were dropped.
    pub fn events_of(&self, turn: u64) -> Vec<Event> {
        let Some(before) = turn.checked_sub(1) else {
            return self.prelude.clone();
        };
        let mut events = Vec::new();
        self.walk(before, turn, |_, event| events.push(*event));
        events
    }

    /// Visits the events of the turns after `from` up to `to`, in order, each with its turn. Stops where events were
    /// dropped. Returns the turn reached: `to`, or the last turn before the dropped events.
    pub fn walk(&self, from: u64, to: u64, mut visit: impl FnMut(u64, &Event)) -> u64 {
        for segment in self.store.overlapping(from, to) {
            let begin = segment.from;
            let Some(chunk) = &segment.chunk else {
                return begin.max(from);
            };
            chunk.walk(from.saturating_sub(begin), to - begin, |turn, event| {
                visit(begin + turn, event);
            });
        }
        let begin = self.store.turns();
        if to > begin {
            self.chunk.walk(from.saturating_sub(begin), to - begin, |turn, event| {
                visit(begin + turn, event);
            });
        }
        to
    }

    /// Visits the events of the turns after `from` up to `to`, in reverse order. Stops where events were dropped.
    fn walk_back(&self, from: u64, to: u64, mut visit: impl FnMut(&Event)) {
        let begin = self.store.turns();
        if to > begin {
            self.chunk.walk_back(from.saturating_sub(begin), to - begin, &mut visit);
        }
        for segment in self.store.overlapping(from, to).iter().rev() {
            let Some(chunk) = &segment.chunk else { return };
            chunk.walk_back(from.saturating_sub(segment.from), to - segment.from, &mut visit);
        }
    }

    /// Finds a portion of about `bytes` bytes of events that begins after `turn`. Returns the turn at which it ends,
    /// and its length in bytes. Returns `turn` itself at the end of the recording, or if the next events were dropped.
    pub fn portion(&self, turn: u64, bytes: usize) -> (u64, usize) {
        let begin = self.store.turns();
        if turn >= self.turns() {
            return (turn, 0);
        }
        if turn >= begin {
            let (end, bytes) = self.chunk.portion(turn - begin, bytes);
            return (begin + end, bytes);
        }
        let segment = self.store.overlapping(turn, turn + 1).first();
        segment
            .and_then(|segment| Some((segment.from, segment.chunk.as_ref()?)))
            .map_or((turn, 0), |(begin, chunk)| {
                let (end, bytes) = chunk.portion(turn - begin, bytes);
                (begin + end, bytes)
            })
    }

    /// Finds a portion of about `bytes` bytes of events that ends with `turn`. Returns the turn at which it begins, and
    /// its length in bytes. Returns `turn` itself at the start of the recording, or if the events of this turn were
    /// dropped.
    pub fn portion_back(&self, turn: u64, bytes: usize) -> (u64, usize) {
        let begin = self.store.turns();
        let Some(before) = turn.checked_sub(1) else {
            return (turn, 0);
        };
        if turn > begin {
            let (end, bytes) = self.chunk.portion_back(turn - begin, bytes);
            return (begin + end, bytes);
        }
        let segment = self.store.overlapping(before, turn).first();
        segment
            .and_then(|segment| Some((segment.from, segment.chunk.as_ref()?)))
            .map_or((turn, 0), |(begin, chunk)| {
                let (end, bytes) = chunk.portion_back(turn - begin, bytes);
                (begin + end, bytes)
            })
    }

    /// Returns the number of the iteration in progress after `turn` turns.
    pub fn iteration_at(&self, turn: u64) -> u32 {
        let after = self.iterations.partition_point(|mark| mark.turn <= turn);
        after
            .checked_sub(1)
            .map_or(self.first_iteration, |i| self.iterations[i].iteration)
    }

    /// Returns the number of the iteration to which turn `turn` belongs (turns are counted from 1). The last turn of an
    /// iteration belongs to that iteration; after this turn, [`Self::iteration_at`] already returns the next iteration.
    /// Turn 0 counts as part of the first iteration.
    pub fn iteration_of(&self, turn: u64) -> u32 {
        self.iteration_at(turn.saturating_sub(1))
    }

    /// Returns the number of the iteration in progress after the last recorded turn. If the growth is over, this is the
    /// number of its iterations, including skipped ones.
    pub fn iterations(&self) -> u32 {
        self.iterations
            .last()
            .map_or(self.first_iteration, |mark| mark.iteration)
    }

    /// Returns the clock after `turn` turns.
    pub fn clock_at(&self, turn: u64) -> Clock {
        Clock {
            turn,
            iteration: self.iteration_at(turn),
        }
    }

    /// Returns the number of turns finished before an iteration begins. If this iteration was skipped because all
    /// Builders slept, the next recorded iteration counts instead. Returns the number of all turns if the recording has
    /// not reached the iteration.
    pub fn turn_of_iteration(&self, iteration: u32) -> u64 {
        if iteration <= self.first_iteration {
            return 0;
        }
        let at = self.iterations.partition_point(|mark| mark.iteration < iteration);
        self.iterations.get(at).map_or(self.turns(), |mark| mark.turn)
    }

    /// Returns the first turn after `turn` at which an iteration begins; the last turn of the recording if there is
    /// none.
    pub fn next_iteration(&self, turn: u64) -> u64 {
        let at = self.iterations.partition_point(|mark| mark.turn <= turn);
        self.iterations.get(at).map_or(self.turns(), |mark| mark.turn)
    }

    /// Returns the last turn before `turn` at which an iteration begins; 0 if there is none.
    pub fn previous_iteration(&self, turn: u64) -> u64 {
        let at = self.iterations.partition_point(|mark| mark.turn < turn);
        at.checked_sub(1).map_or(0, |i| self.iterations[i].turn)
    }
}

/// Lets a growth in the same thread record straight into the recording.
impl Observer for Recording {
    #[expect(
        clippy::inline_always,
        reason = "measured: callers pass a known kind of event, so inlining removes the match"
    )]
    #[inline(always)]
    fn event(&mut self, event: Event) {
        self.chunk.event(event);
    }

    #[inline]
    fn built(&mut self, run: WallRun) {
        self.chunk.built(run);
    }

    #[inline]
    fn turn_ended(&mut self, clock: Clock) {
        self.chunk.turn_ended(clock);
        self.close_chunk_if_long();
    }

    fn iteration_ended(&mut self, clock: Clock) {
        self.iterations.push(IterationStart::of(clock));
    }
}
