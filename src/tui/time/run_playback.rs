//! A film: a recording, the cursor that shows a moment of it, and where that is on its way to.
//!
//! Long ways are gone in portions, so that no frame waits, and stop where events must be grown again first.

use std::sync::{Arc, OnceLock};

use super::bookmarks::BookmarkedMoment;
use crate::design::ValidDesign;
use crate::engine::{Grid, Options};
use crate::recording::{Playback, Recording, SeekResult, TileOrigins};
use crate::reel::ReproductionCheck;

/// Bytes of events that are taken before the screen may be drawn: a few milliseconds.
pub(super) const BYTES_PER_FRAME: usize = 32 << 10;

/// The same where a part of a run arrives: more than such a part has, as many of them may come between two frames.
const BYTES_PER_PART: usize = 24 << 10;

/// Bytes of events from which the origins of tiles are read in one go: a few milliseconds, as each tile that is the first
/// in its part of the dungeon costs new memory.
const READ_AT_ONCE: usize = 16 << 10;

/// A place in time that a run may not have reached yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SeekGoal {
    /// The end of growth.
    End,
    /// A moment.
    At(BookmarkedMoment),
}

/// What a run was grown from, and how.
#[derive(Debug, Clone)]
pub(crate) struct RunInfo {
    pub(crate) design: ValidDesign,
    pub(crate) options: Options,
    /// For a recording's film: whether this program grows the same, once that is known.
    pub(crate) recorded: Option<Arc<OnceLock<ReproductionCheck>>>,
}

impl RunInfo {
    /// Whether growing it again is known to come to what is shown; `None` while that is being found out.
    pub(crate) fn grows_again(&self) -> Option<bool> {
        let Some(recorded) = &self.recorded else {
            return Some(true);
        };
        recorded.get().map(|again| *again == ReproductionCheck::Same)
    }
}

/// A run and the moment of it that is shown.
#[derive(Debug)]
pub(super) struct RunPlayback {
    pub(super) recording: Recording,
    /// What it was grown from, and a number that no other film has.
    pub(super) run: Option<RunInfo>,
    pub(super) number: u64,
    pub(super) cursor: Playback,
    /// Where it means to be, when that was not recorded yet.
    pub(super) goal: Option<SeekGoal>,
    /// The turn that it is on the way to, and the turn whose events are missing there.
    pub(super) heading: Option<u64>,
    pub(super) missing: Option<u64>,
    /// Who laid which tile, while somebody wants to know.
    pub(super) origins: Option<TileOrigins>,
    /// Whether it takes more memory than it may.
    sheds: bool,
}

impl RunPlayback {
    /// Keeps to the recording's limit; what is read next, there or where the film is, stays.
    pub(super) fn shed(&mut self, around: Option<u64>) {
        let around = around.unwrap_or(self.cursor.turn());
        self.sheds = self.recording.shed(around, self.cursor.keyframe_bytes());
    }

    /// Whether more has to be given up than can be in one go.
    pub(super) const fn sheds(&self) -> bool {
        self.sheds
    }

    pub(super) fn new(mut recording: Recording, goal: Option<SeekGoal>) -> Self {
        let cursor = Playback::prepared(&mut recording);
        Self {
            recording,
            run: None,
            number: 0,
            cursor,
            goal,
            heading: None,
            missing: None,
            origins: None,
            sheds: false,
        }
    }

    /// Whether tiles were recorded whose origin was not read yet and can be.
    pub(super) fn is_behind(&self) -> bool {
        let read = self.origins.as_ref().map(TileOrigins::read);
        read.is_some_and(|read| read < self.recording.turns() && self.recording.portion(read, 1).0 > read)
    }

    /// The turn whose events are missing for the origins of tiles.
    pub(super) fn missing_origin(&self) -> Option<u64> {
        let read = self.origins.as_ref().map(TileOrigins::read)?;
        (read < self.recording.turns() && !self.is_behind()).then_some(read + 1)
    }

    pub(super) fn read_origins(&mut self) {
        if let Some(origins) = &mut self.origins {
            origins.read_within(&self.recording, READ_AT_ONCE);
        }
    }

    /// Goes to the end of a turn, now or, where the way is long, in the frames that follow.
    pub(super) fn seek(&mut self, turn: u64) {
        self.seek_within(turn, BYTES_PER_FRAME);
    }

    pub(super) fn seek_within(&mut self, turn: u64, bytes: usize) {
        self.heading = Some(turn.min(self.recording.turns()));
        self.go_on(bytes);
    }

    /// Goes on to where it is on the way to.
    pub(super) fn go_on(&mut self, bytes: usize) {
        let Some(turn) = self.heading else { return };
        self.missing = None;
        match self.cursor.seek_within(&self.recording, turn, bytes) {
            SeekResult::There => self.heading = None,
            SeekResult::Busy => {}
            SeekResult::Missing(turn) => self.missing = Some(turn),
        }
    }

    /// Stays where it is.
    pub(super) const fn stay(&mut self) {
        self.goal = None;
        self.heading = None;
        self.missing = None;
    }

    /// Whether it shows another moment than it means to.
    pub(super) const fn is_on_its_way(&self) -> bool {
        self.goal.is_some() || self.heading.is_some()
    }

    /// The turn that it shows, or is on the way to.
    pub(super) fn target(&self) -> u64 {
        self.heading.unwrap_or(self.cursor.turn())
    }

    pub(super) fn at_end(&self) -> bool {
        self.recording.is_finished() && self.heading.is_none() && self.cursor.turn() == self.recording.turns()
    }

    /// Gives up what it holds, a little at a time; whether anything is left.
    pub(super) fn dismantle(&mut self) -> bool {
        if self.origins.as_mut().is_some_and(TileOrigins::dismantle) {
            return true;
        }
        self.origins = None;
        self.cursor.dismantle() || self.recording.dismantle()
    }

    /// Whether the goal, if there is one, lies within what is recorded.
    pub(super) fn has_reached(&self) -> bool {
        match self.goal {
            None => true,
            Some(SeekGoal::End) => self.recording.is_finished(),
            Some(SeekGoal::At(moment)) => {
                self.recording.is_finished() || self.recording.iterations() > moment.iteration
            }
        }
    }

    /// Goes to the goal, or as near as the recording goes; drops the goal once it is reached.
    pub(super) fn pursue(&mut self) {
        let Some(goal) = self.goal else { return };
        let turn = match goal {
            SeekGoal::End => self.recording.turns(),
            SeekGoal::At(moment) => moment.turn_in(&self.recording),
        };
        if self.has_reached() {
            self.goal = None;
        }
        self.seek_within(turn, BYTES_PER_PART);
    }

    /// The place in time, in terms that hold for another run as well.
    pub(super) fn place(&self) -> SeekGoal {
        if let Some(goal) = self.goal {
            return goal;
        }
        let turn = self.target();
        if self.recording.is_finished() && turn == self.recording.turns() {
            return SeekGoal::End;
        }
        SeekGoal::At(BookmarkedMoment::of(&self.recording, turn))
    }
}

/// What the run on the screen is compared with: the run before it, at the moment that was shown when an edit took it
/// away.
#[derive(Debug)]
pub(super) struct PreviousRun {
    grid: Grid,
    at: SeekGoal,
}

impl PreviousRun {
    /// What a film shows that nobody will look at any more. It takes the grid of what was `last` in exchange.
    pub(super) fn of(film: &mut RunPlayback, last: Option<Self>) -> Self {
        let at = film.place();
        let last = last.map_or_else(Grid::empty, |last| last.grid);
        Self {
            grid: film.cursor.exchange_grid(last),
            at,
        }
    }

    /// The dungeon.
    pub(super) const fn grid(&self) -> &Grid {
        &self.grid
    }

    /// Whether another film shows another moment.
    pub(super) fn is_left_by(&self, film: &RunPlayback) -> bool {
        film.place() != self.at
    }
}
