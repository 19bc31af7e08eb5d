//! The history of a run: every event in order, and a cursor that shows the dungeon after any turn.
//!
//! A [`Recording`] is fed by a growth (it is an observer) or, from another thread, by the [`EventChunk`]s that
//! a [`Recorder`] made there. Events carry old and new values, so a [`Playback`] walks them in both directions.
//!
//! A recording has a limit of bytes. Past it, it gives up the events of stretches that are far from the moment that is
//! shown, and has them grown again, from checkpoints that came with the tracks, when they are needed ([`RegrowRequest`]).
//! What walks it is told where events are missing. What the events mean for a person is not judged here.
//!
//! ```
//! use wallcrawler::engine::{Growth, Options};
//! use wallcrawler::recording::{Cursor, Recording, Track};
//! # let design: wallcrawler::Design = include_str!("../../presets/first-steps.toml").parse()?;
//!
//! let design = wallcrawler::design::ValidDesign::try_from(&design)?;
//! let mut births = Track::default();
//! let mut growth = Growth::new(&design, Options::default(), &mut births);
//! let mut film = Recording::new(growth.grid().clone(), births);
//! growth.finish(&mut film);
//! film.finish();
//!
//! let mut cursor = Cursor::new(&film);
//! cursor.seek(&film, film.turns()); // To the end, and back to the middle.
//! cursor.seek(&film, film.turns() / 2);
//! println!("{}{} Builders take turns", cursor.frame().grid(), cursor.frame().awake());
//! # Ok::<(), wallcrawler::Unusable>(())
//! ```

mod chunk;
mod encoding;
mod frame;
mod iterations;
mod log;
mod playback;
mod provenance;
mod recorder;
mod replay;
mod stats;
mod story;
mod trace;

pub use chunk::EventChunk;
pub use frame::{BuilderState, Frame, FrameBuilder};
pub use log::{DEFAULT_LIMIT, RegrowRequest, RegrownSegments};
pub use playback::{Playback, SeekResult};
pub use provenance::{TileOrigin, TileOrigins};
pub use recorder::Recorder;
pub use replay::{InvalidEvent, Replay, ReplayError, TurnRange};
pub use stats::{Bin, GrowthStats};
pub use story::{Story, StoryEvent, StoryMoment, StoryRecorder};
pub use trace::Trace;

use serde::{Deserialize, Serialize};

use log::EventLog;
use stats::GrowthStatsBuilder;

use crate::engine::{Clock, Event, Grid, Observer, WallRun};

/// Bytes that are given up in one go: a millisecond or less.
const DROPPED_AT_ONCE: usize = 4 << 20;

/// Most bytes that a recording reserves before it has any event.
const MOST_RESERVED: u64 = 1 << 20;

/// The start of an iteration, in turns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct IterationStart {
    /// The iteration's number.
    pub iteration: u32,
    /// Turns that were over when it began.
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

/// The history of a run, complete or still growing.
#[derive(Debug, Clone)]
pub struct Recording {
    start: Grid,
    /// Events before the first turn: the births of the first Crawlers.
    prelude: Vec<Event>,
    /// The turns that were put away.
    store: EventLog,
    /// The turns after those.
    track: EventChunk,
    /// Where the iterations begin.
    iterations: Vec<IterationStart>,
    finished: bool,
    census: GrowthStats,
    /// Counts what comes uncounted, and the turns and iterations that have been.
    tally: GrowthStatsBuilder,
    counted: (u64, usize),
    /// The dungeon at turn 0, for the first cursor.
    first: Option<Box<Frame>>,
}

/// Recordings are equal when the same happened in them and is still there, however it came.
impl PartialEq for Recording {
    fn eq(&self, other: &Self) -> bool {
        let told = |recording: &Self| {
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
        ) && told(self) == told(other)
    }
}

impl Eq for Recording {}

impl Recording {
    /// A recording that begins with a dungeon as stage one left it and the events that told its first
    /// Crawlers.
    pub fn new(start: Grid, mut prelude: EventChunk) -> Self {
        let mut track = EventChunk::default();
        // About what a dungeon of usual density takes, so that the bytes are not moved as they grow.
        track.bytes.reserve(start.size().squares().min(MOST_RESERVED) as usize);
        let prelude = prelude.take_pending();
        let mut tally = GrowthStatsBuilder::default();
        for event in &prelude {
            tally.event(*event);
        }
        Self {
            start,
            prelude,
            store: EventLog::new(DEFAULT_LIMIT),
            track,
            iterations: Vec::new(),
            finished: false,
            census: GrowthStats::default(),
            tally,
            counted: (0, 0),
            first: None,
        }
    }

    /// The same with another limit, in bytes, of what events, checkpoints and the keyframes of one cursor may take.
    /// Less than a quarter of it for events is never left; what is read at the time stays even past that.
    #[must_use]
    pub fn limited(mut self, bytes: usize) -> Self {
        self.store.limit = bytes;
        self
    }

    /// Makes the dungeon at turn 0 for the first cursor, which then need not.
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

    /// Adds the turns that were recorded since. A [`Recorder`]'s tracks have been counted where they were recorded;
    /// what others bring is counted here.
    pub fn append(&mut self, mut later: EventChunk) {
        let (figures, checkpoint) = (later.figures.take(), later.checkpoint.take());
        self.iterations.append(&mut later.iterations);
        let large = later.bytes.len() >= self.store.stretch_bytes() / 2;
        if large && later.is_whole() && self.track.is_whole() {
            // As it is: nothing is copied.
            self.put_away();
            self.store.push(later);
        } else {
            self.track.append(later);
            self.put_away_if_long();
        }
        if let Some(figures) = figures {
            self.census.append(&figures);
            self.counted = (self.turns(), self.iterations.len());
        } else {
            self.count();
        }
        if let Some(checkpoint) = checkpoint {
            self.store.keep(checkpoint);
        }
    }

    #[inline]
    fn put_away_if_long(&mut self) {
        if self.track.bytes.len() >= self.store.stretch_bytes() && self.track.is_whole() {
            self.put_away();
        }
    }

    /// Makes the turns so far a stretch of their own.
    #[cold]
    fn put_away(&mut self) {
        if self.track.turns > 0 {
            let mut next = EventChunk::default();
            next.bytes.reserve(self.track.bytes.len());
            self.store.push(std::mem::replace(&mut self.track, next));
        }
    }

    /// Counts what was recorded since. Needed only after a growth whose observer was this recording itself.
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
        self.census.append(&tally.take());
        self.tally = tally;
    }

    /// Figures of the run over time, for all iterations that are over.
    pub const fn census(&self) -> &GrowthStats {
        &self.census
    }

    /// Notes that nothing more will come.
    pub fn finish(&mut self) {
        if !self.track.is_whole() {
            self.track.end_turn();
        }
        self.finished = true;
    }

    /// Whether the run is over, so that its last turn is the last of all.
    pub const fn is_finished(&self) -> bool {
        self.finished
    }

    /// The dungeon before the first turn.
    pub const fn start(&self) -> &Grid {
        &self.start
    }

    /// Turns recorded so far. Turn 0 is the dungeon before anybody acted.
    pub fn turns(&self) -> u64 {
        self.store.turns() + self.track.turns
    }

    /// Events recorded so far.
    pub fn events(&self) -> u64 {
        self.prelude.len() as u64 + self.store.events + self.track.events()
    }

    /// Bytes that the events and the checkpoints take, without the dungeon itself.
    pub fn bytes(&self) -> usize {
        let iterations = size_of_val(&self.iterations[..]);
        size_of_val(&self.prelude[..]) + iterations + self.store.bytes() + self.track.bytes()
    }

    /// Most bytes that it takes, keyframes of a cursor included.
    pub const fn limit(&self) -> usize {
        self.store.limit
    }

    /// Whether events were dropped, so that some moments must be grown again before they are shown.
    pub const fn regrows(&self) -> bool {
        self.store.dropped > 0
    }

    /// Drops events until what is left fits the limit beside `others` bytes, those first that are farthest from a
    /// turn. What is read there stays. Drops a few megabytes at a time; whether there is more to drop.
    pub fn shed(&mut self, around: u64, others: usize) -> bool {
        let others = others + self.track.bytes() + size_of_val(&self.iterations[..]);
        self.store.shed(around, others)
    }

    /// What must be grown again for the events of a turn, counted from 1, to be there; `None` when they are.
    pub fn errand(&self, turn: u64) -> Option<RegrowRequest> {
        self.store.errand(turn)
    }

    /// Takes what was grown again; whether anything of it was missing here.
    pub fn restore(&mut self, retake: RegrownSegments) -> bool {
        self.store.restore(retake)
    }

    /// Gives up what it holds, a little at a time; whether anything is left. To drop a large recording at once would
    /// take a while.
    pub fn dismantle(&mut self) -> bool {
        self.store.dismantle() || self.start.dismantle(DROPPED_AT_ONCE)
    }

    /// The events of one turn, counted from 1; those of turn 0 are the first births. Empty past the end, and where
    /// they were dropped.
    pub fn events_of(&self, turn: u64) -> Vec<Event> {
        let Some(before) = turn.checked_sub(1) else {
            return self.prelude.clone();
        };
        let mut events = Vec::new();
        self.walk(before, turn, |_, event| events.push(*event));
        events
    }

    /// Visits the events of the turns after `from` up to `to`, in order, each with its turn. How far it came: `to`,
    /// or the turn after which events were dropped.
    pub fn walk(&self, from: u64, to: u64, mut visit: impl FnMut(u64, &Event)) -> u64 {
        for stretch in self.store.overlapping(from, to) {
            let begin = stretch.from;
            let Some(track) = &stretch.track else {
                return begin.max(from);
            };
            track.walk(from.saturating_sub(begin), to - begin, |turn, event| {
                visit(begin + turn, event);
            });
        }
        let begin = self.store.turns();
        if to > begin {
            self.track.walk(from.saturating_sub(begin), to - begin, |turn, event| {
                visit(begin + turn, event);
            });
        }
        to
    }

    /// The same, the last event first. How far it came: `from`, or the turn before which events were dropped.
    fn walk_back(&self, from: u64, to: u64, mut visit: impl FnMut(&Event)) -> u64 {
        let begin = self.store.turns();
        if to > begin {
            self.track.walk_back(from.saturating_sub(begin), to - begin, &mut visit);
        }
        for stretch in self.store.overlapping(from, to).iter().rev() {
            let Some(track) = &stretch.track else {
                return stretch.end().min(to);
            };
            track.walk_back(from.saturating_sub(stretch.from), to - stretch.from, &mut visit);
        }
        from
    }

    /// Where about so many bytes of events after a turn end: that turn, and the bytes. The turn itself at the end of
    /// the recording and where the events that follow were dropped.
    pub fn portion(&self, turn: u64, bytes: usize) -> (u64, usize) {
        let begin = self.store.turns();
        if turn >= self.turns() {
            return (turn, 0);
        }
        if turn >= begin {
            let (end, bytes) = self.track.portion(turn - begin, bytes);
            return (begin + end, bytes);
        }
        let stretch = self.store.overlapping(turn, turn + 1).first();
        stretch
            .and_then(|stretch| Some((stretch.from, stretch.track.as_ref()?)))
            .map_or((turn, 0), |(begin, track)| {
                let (end, bytes) = track.portion(turn - begin, bytes);
                (begin + end, bytes)
            })
    }

    /// Where about so many bytes of events up to a turn begin: that turn, and the bytes. The turn itself at the start
    /// and where those events were dropped.
    pub fn portion_back(&self, turn: u64, bytes: usize) -> (u64, usize) {
        let begin = self.store.turns();
        let Some(before) = turn.checked_sub(1) else {
            return (turn, 0);
        };
        if turn > begin {
            let (end, bytes) = self.track.portion_back(turn - begin, bytes);
            return (begin + end, bytes);
        }
        let stretch = self.store.overlapping(before, turn).first();
        stretch
            .and_then(|stretch| Some((stretch.from, stretch.track.as_ref()?)))
            .map_or((turn, 0), |(begin, track)| {
                let (end, bytes) = track.portion_back(turn - begin, bytes);
                (begin + end, bytes)
            })
    }

    /// The iteration under way after a number of turns.
    pub fn iteration_at(&self, turn: u64) -> u32 {
        let after = self.iterations.partition_point(|mark| mark.turn <= turn);
        after.checked_sub(1).map_or(0, |i| self.iterations[i].iteration)
    }

    /// The last iteration recorded.
    pub fn iterations(&self) -> u32 {
        self.iterations.last().map_or(0, |mark| mark.iteration)
    }

    /// The time after a number of turns.
    pub fn clock_at(&self, turn: u64) -> Clock {
        Clock {
            turn,
            iteration: self.iteration_at(turn),
        }
    }

    /// Turns that are over when an iteration (or, where time jumped over it, the next) begins; all turns
    /// when it has not been reached.
    pub fn turn_of_iteration(&self, iteration: u32) -> u64 {
        if iteration == 0 {
            return 0;
        }
        let at = self.iterations.partition_point(|mark| mark.iteration < iteration);
        self.iterations.get(at).map_or(self.turns(), |mark| mark.turn)
    }

    /// The first turn after `turn` at which a later iteration begins; the last turn when there is none.
    pub fn next_iteration(&self, turn: u64) -> u64 {
        let at = self.iterations.partition_point(|mark| mark.turn <= turn);
        self.iterations.get(at).map_or(self.turns(), |mark| mark.turn)
    }

    /// The last turn before `turn` at which an iteration began; 0 when there is none.
    pub fn previous_iteration(&self, turn: u64) -> u64 {
        let at = self.iterations.partition_point(|mark| mark.turn < turn);
        at.checked_sub(1).map_or(0, |i| self.iterations[i].turn)
    }
}

/// For a growth in the same thread: its events straight into the recording.
impl Observer for Recording {
    #[expect(clippy::inline_always, reason = "as for a track")]
    #[inline(always)]
    fn event(&mut self, event: Event) {
        self.track.event(event);
    }

    #[inline]
    fn built(&mut self, run: WallRun) {
        self.track.built(run);
    }

    #[inline]
    fn turn_ended(&mut self, clock: Clock) {
        self.track.turn_ended(clock);
        self.put_away_if_long();
    }

    fn iteration_ended(&mut self, clock: Clock) {
        self.iterations.push(IterationStart::of(clock));
    }
}
