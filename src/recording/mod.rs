//! The history of a run: every event in order, and a cursor that shows the dungeon after any turn.
//!
//! A [`Recording`] is fed by a growth (it is an observer) or, from another thread, by the [`Track`]s that
//! were recorded there. Events carry old and new values, so a [`Cursor`] walks them in both directions and
//! nothing is ever grown again. What the events mean for a person is not judged here.

mod cursor;
mod frame;

pub use cursor::Cursor;
pub use frame::{Frame, Shown, State};

use crate::engine::{Clock, Event, Grid, Observer};

/// The start of an iteration, in turns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mark {
    /// The iteration's number.
    pub iteration: u32,
    /// Turns that were over when it began.
    pub turn: u64,
}

/// Events in order, with the places where turns and iterations end.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Track {
    events: Vec<Event>,
    /// For each turn, how many events of this track were over when it ended.
    turn_ends: Vec<usize>,
    iterations: Vec<Mark>,
}

impl Track {
    /// How many events it holds.
    pub const fn len(&self) -> usize {
        self.events.len()
    }

    /// Whether nothing happened in it.
    pub const fn is_empty(&self) -> bool {
        self.events.is_empty() && self.turn_ends.is_empty()
    }
}

impl Observer for Track {
    fn event(&mut self, event: Event) {
        self.events.push(event);
    }

    fn turn_ended(&mut self, _: Clock) {
        self.turn_ends.push(self.events.len());
    }

    fn iteration_ended(&mut self, clock: Clock) {
        self.iterations.push(Mark {
            iteration: clock.iteration,
            turn: clock.turn,
        });
    }
}

/// The history of a run, complete or still growing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recording {
    start: Grid,
    /// Events before the first turn: the births of the first Crawlers.
    prelude: usize,
    track: Track,
    finished: bool,
}

impl Recording {
    /// A recording that begins with a dungeon as stage one left it and the events that told its first
    /// Crawlers.
    pub fn new(start: Grid, prelude: Track) -> Self {
        Self {
            start,
            prelude: prelude.events.len(),
            track: prelude,
            finished: false,
        }
    }

    /// Adds what was recorded since.
    pub fn append(&mut self, mut later: Track) {
        let offset = self.track.events.len();
        self.track.events.append(&mut later.events);
        self.track
            .turn_ends
            .extend(later.turn_ends.into_iter().map(|end| end + offset));
        self.track.iterations.append(&mut later.iterations);
    }

    /// Notes that nothing more will come.
    pub fn finish(&mut self) {
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
        self.track.turn_ends.len() as u64
    }

    /// Every event so far.
    pub fn events(&self) -> &[Event] {
        &self.track.events
    }

    /// The events of one turn, counted from 1; those of turn 0 are the first births. Empty past the end.
    pub fn events_of(&self, turn: u64) -> &[Event] {
        let from = if turn == 0 { 0 } else { self.end_of(turn - 1) };
        self.track.events.get(from..self.end_of(turn)).unwrap_or_default()
    }

    /// How many events are over when a turn is.
    fn end_of(&self, turn: u64) -> usize {
        if turn == 0 {
            return self.prelude;
        }
        // What follows the last turn (deaths of its iteration, say) belongs to it once the run is over.
        if self.finished && turn >= self.turns() {
            return self.track.events.len();
        }
        let index = usize::try_from(turn - 1).unwrap_or(usize::MAX);
        self.track
            .turn_ends
            .get(index)
            .copied()
            .unwrap_or(self.track.events.len())
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
    fn event(&mut self, event: Event) {
        self.track.event(event);
    }

    fn turn_ended(&mut self, clock: Clock) {
        self.track.turn_ended(clock);
    }

    fn iteration_ended(&mut self, clock: Clock) {
        self.track.iteration_ended(clock);
    }
}
