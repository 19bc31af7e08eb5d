//! The history of a run: every event in order, and a cursor that shows the dungeon after any turn.
//!
//! A [`Recording`] is fed by a growth (it is an observer) or, from another thread, by the [`Track`]s that
//! were recorded there. Events carry old and new values, so a [`Cursor`] walks them in both directions and
//! nothing is ever grown again. What the events mean for a person is not judged here.

mod census;
mod code;
mod cursor;
mod frame;
mod origins;
mod recorder;
mod story;

use std::ops::Range;

pub use census::{Bin, Census};
pub use cursor::Cursor;
pub use frame::{Frame, Shown, State};
pub use origins::{Origin, Origins};
pub use recorder::Recorder;
pub use story::{Moment, Story, What, Witness};

use census::{Figures, Tally};

use crate::engine::{Clock, Event, Grid, Observer, Run};

/// Most bytes that a recording reserves before it has any event.
const MOST_RESERVED: u64 = 1 << 20;

/// The start of an iteration, in turns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mark {
    /// The iteration's number.
    pub iteration: u32,
    /// Turns that were over when it began.
    pub turn: u64,
}

/// Some turns: their events in order, as bytes, and where iterations begin.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Track {
    bytes: Vec<u8>,
    blocks: Vec<Block>,
    turns: u64,
    events: u64,
    iterations: Vec<Mark>,
    /// Where the bytes of the turn under way begin.
    turn: usize,
    /// Where the bytes of the last event begin.
    event: usize,
    /// For the block under way.
    context: code::Context,
    /// Whether the block under way can go on with another turn.
    goes_on: bool,
    /// What was counted in its iterations, should somebody have counted.
    figures: Option<Figures>,
}

/// Turns that can be read without those before them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Block {
    /// Turns before it.
    turn: u64,
    /// Bytes before it.
    offset: usize,
}

impl Track {
    /// How many events it holds.
    pub const fn events(&self) -> u64 {
        self.events
    }

    /// Bytes that it takes.
    pub fn bytes(&self) -> usize {
        self.bytes.len() + size_of_val(&self.blocks[..]) + size_of_val(&self.iterations[..])
    }

    /// Takes the turns that are over, and keeps the events of the turn under way.
    #[must_use]
    pub fn take_turns(&mut self) -> Self {
        let pending = self.take_pending();
        let taken = std::mem::take(self);
        for event in pending {
            self.event(event);
        }
        taken
    }

    /// Takes the events of the turn under way.
    fn take_pending(&mut self) -> Vec<Event> {
        let mut pending = Vec::new();
        if self.turn < self.bytes.len()
            && let Some(block) = self.blocks.last().copied()
        {
            let under_way = self.bytes.len() - self.turn;
            let mut reader = code::Reader::new(&self.bytes[block.offset..]);
            while reader.left() > 0 {
                let pending_now = reader.left() <= under_way;
                match reader.next() {
                    Some(read) if pending_now => pending.extend(read.event),
                    Some(_) => {}
                    None => break,
                }
            }
            self.bytes.truncate(self.turn);
            self.events -= pending.len() as u64;
            if block.turn == self.turns {
                self.blocks.pop();
            }
            self.goes_on = false;
        }
        pending
    }

    fn append(&mut self, mut later: Self) {
        let pending = self.take_pending();
        if pending.is_empty() {
            let (turns, offset) = (self.turns, self.bytes.len());
            let moved = |block: Block| Block {
                turn: block.turn + turns,
                offset: block.offset + offset,
            };
            self.blocks.extend(later.blocks.into_iter().map(moved));
            self.bytes.append(&mut later.bytes);
            self.turns += later.turns;
            self.events += later.events;
            self.turn = offset + later.turn;
            self.event = offset + later.event;
            self.context = later.context;
            self.goes_on = later.goes_on;
        } else {
            // The turn under way goes on in the other track, so that all that follows must be written anew.
            for event in pending {
                self.event(event);
            }
            let after = later.take_pending();
            for turn in 0..later.turns {
                later.walk(turn, turn + 1, |_, event| self.event(*event));
                self.end_turn();
            }
            for event in after {
                self.event(event);
            }
        }
        self.iterations.append(&mut later.iterations);
    }

    /// Begins a block where it is time for one. Called before each event.
    #[inline]
    fn begin(&mut self) {
        self.event = self.bytes.len();
        if self.turn == self.event {
            let first = self.blocks.last().map_or(0, |block| block.turn);
            if !self.goes_on || self.turns - first >= code::TURNS_PER_BLOCK {
                self.begin_block();
            }
        }
    }

    #[cold]
    fn begin_block(&mut self) {
        self.blocks.push(Block {
            turn: self.turns,
            offset: self.event,
        });
        self.context = code::Context::default();
        self.goes_on = true;
    }

    #[inline]
    fn end_turn(&mut self) {
        if self.turn == self.bytes.len() {
            self.begin();
            code::write_nothing(&mut self.bytes);
        }
        code::end_turn(&mut self.bytes, self.event);
        self.turn = self.bytes.len();
        self.turns += 1;
    }

    /// Visits the events of the turns after `from` up to `to`, each with its turn, counted from 1.
    fn walk(&self, from: u64, to: u64, mut visit: impl FnMut(u64, &Event)) {
        for block in self.blocks_of(from, to) {
            self.read(block, from, to, &mut visit);
        }
    }

    /// The same, the last event first.
    fn walk_back(&self, from: u64, to: u64, mut visit: impl FnMut(&Event)) {
        let mut events = Vec::new();
        for block in self.blocks_of(from, to).rev() {
            self.read(block, from, to, |_, event| events.push(*event));
            events.drain(..).rev().for_each(|event| visit(&event));
        }
    }

    /// The blocks that hold the turns after `from` up to `to`.
    fn blocks_of(&self, from: u64, to: u64) -> Range<usize> {
        let after = |turn: u64| self.blocks.partition_point(|block| block.turn <= turn);
        after(from).saturating_sub(1)..self.blocks.partition_point(|block| block.turn < to)
    }

    fn read(&self, block: usize, from: u64, to: u64, mut visit: impl FnMut(u64, &Event)) {
        let Block { turn, offset } = self.blocks[block];
        let end = self.blocks.get(block + 1).map_or(self.turn, |next| next.offset);
        let mut reader = code::Reader::new(&self.bytes[offset..end]);
        let mut turn = turn + 1;
        while turn <= to
            && let Some(read) = reader.next()
        {
            if let Some(event) = &read.event
                && turn > from
            {
                visit(turn, event);
            }
            turn += u64::from(read.last);
        }
    }
}

impl Observer for Track {
    #[expect(
        clippy::inline_always,
        reason = "measured: the kind of event is known where it happens"
    )]
    #[inline(always)]
    fn event(&mut self, event: Event) {
        self.begin();
        code::write(&event, &mut self.context, &mut self.bytes);
        self.events += 1;
    }

    #[inline]
    fn built(&mut self, run: Run) {
        self.begin();
        if code::write_run(&run, &mut self.context, &mut self.bytes) {
            self.events += u64::from(run.count());
        } else {
            run.events().for_each(|event| self.event(event));
        }
    }

    #[inline]
    fn turn_ended(&mut self, _: Clock) {
        self.end_turn();
    }

    fn iteration_ended(&mut self, clock: Clock) {
        self.iterations.push(Mark {
            iteration: clock.iteration,
            turn: clock.turn,
        });
    }
}

/// The history of a run, complete or still growing.
#[derive(Debug, Clone)]
pub struct Recording {
    start: Grid,
    /// Events before the first turn: the births of the first Crawlers.
    prelude: Vec<Event>,
    track: Track,
    finished: bool,
    census: Census,
    /// Counts what comes uncounted, and the turns and iterations that have been.
    tally: Tally,
    counted: (u64, usize),
}

/// Recordings are equal when the same happened in them, however much of it has been counted.
impl PartialEq for Recording {
    fn eq(&self, other: &Self) -> bool {
        (&self.start, &self.prelude, &self.track, self.finished)
            == (&other.start, &other.prelude, &other.track, other.finished)
    }
}

impl Eq for Recording {}

impl Recording {
    /// A recording that begins with a dungeon as stage one left it and the events that told its first
    /// Crawlers.
    pub fn new(start: Grid, mut prelude: Track) -> Self {
        let mut track = Track::default();
        // About what a dungeon of usual density takes, so that the bytes are not moved as they grow.
        track.bytes.reserve(start.size().squares().min(MOST_RESERVED) as usize);
        let prelude = prelude.take_pending();
        let mut tally = Tally::default();
        for event in &prelude {
            tally.event(*event);
        }
        Self {
            start,
            prelude,
            track,
            finished: false,
            census: Census::default(),
            tally,
            counted: (0, 0),
        }
    }

    /// Adds the turns that were recorded since. A [`Recorder`]'s tracks have been counted where they were recorded;
    /// what others bring is counted here.
    pub fn append(&mut self, mut later: Track) {
        let figures = later.figures.take();
        self.track.append(later);
        if let Some(figures) = figures {
            self.census.append(&figures);
            self.counted = (self.turns(), self.track.iterations.len());
        } else {
            self.count();
        }
    }

    /// Counts what was recorded since. Needed only after a growth whose observer was this recording itself.
    pub fn count(&mut self) {
        let Self {
            track, tally, counted, ..
        } = self;
        let (turns, mut next) = *counted;
        let mut begin = |tally: &mut Tally, turn: u64| {
            while let Some(mark) = track.iterations.get(next).filter(|mark| mark.turn < turn) {
                tally.iteration_ended(Clock {
                    turn: mark.turn,
                    iteration: mark.iteration,
                });
                next += 1;
            }
        };
        track.walk(turns, track.turns, |turn, event| {
            begin(tally, turn);
            tally.event(*event);
        });
        begin(tally, track.turns + 1);
        *counted = (track.turns, next);
        self.census.append(&self.tally.take());
    }

    /// Figures of the run over time, for all iterations that are over.
    pub const fn census(&self) -> &Census {
        &self.census
    }

    /// Notes that nothing more will come.
    pub fn finish(&mut self) {
        if self.track.turn < self.track.bytes.len() {
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
    pub const fn turns(&self) -> u64 {
        self.track.turns
    }

    /// Events recorded so far.
    pub const fn events(&self) -> u64 {
        self.prelude.len() as u64 + self.track.events()
    }

    /// Bytes that the events take, without the dungeon itself.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.prelude[..]) + self.track.bytes()
    }

    /// The events of one turn, counted from 1; those of turn 0 are the first births. Empty past the end.
    pub fn events_of(&self, turn: u64) -> Vec<Event> {
        let Some(before) = turn.checked_sub(1) else {
            return self.prelude.clone();
        };
        let mut events = Vec::new();
        self.walk(before, turn, |_, event| events.push(*event));
        events
    }

    /// Visits the events of the turns after `from` up to `to`, in order, each with its turn.
    pub fn walk(&self, from: u64, to: u64, visit: impl FnMut(u64, &Event)) {
        self.track.walk(from, to, visit);
    }

    /// The same, the last event first.
    fn walk_back(&self, from: u64, to: u64, visit: impl FnMut(&Event)) {
        self.track.walk_back(from, to, visit);
    }

    /// The iteration under way after a number of turns.
    pub fn iteration_at(&self, turn: u64) -> u32 {
        let after = self.track.iterations.partition_point(|mark| mark.turn <= turn);
        after.checked_sub(1).map_or(0, |i| self.track.iterations[i].iteration)
    }

    /// The last iteration recorded.
    pub fn iterations(&self) -> u32 {
        self.track.iterations.last().map_or(0, |mark| mark.iteration)
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
        let at = self.track.iterations.partition_point(|mark| mark.iteration < iteration);
        self.track.iterations.get(at).map_or(self.turns(), |mark| mark.turn)
    }

    /// The first turn after `turn` at which a later iteration begins; the last turn when there is none.
    pub fn next_iteration(&self, turn: u64) -> u64 {
        let at = self.track.iterations.partition_point(|mark| mark.turn <= turn);
        self.track.iterations.get(at).map_or(self.turns(), |mark| mark.turn)
    }

    /// The last turn before `turn` at which an iteration began; 0 when there is none.
    pub fn previous_iteration(&self, turn: u64) -> u64 {
        let at = self.track.iterations.partition_point(|mark| mark.turn < turn);
        at.checked_sub(1).map_or(0, |i| self.track.iterations[i].turn)
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
    fn built(&mut self, run: Run) {
        self.track.built(run);
    }

    #[inline]
    fn turn_ended(&mut self, clock: Clock) {
        self.track.turn_ended(clock);
    }

    fn iteration_ended(&mut self, clock: Clock) {
        self.track.iteration_ended(clock);
    }
}
