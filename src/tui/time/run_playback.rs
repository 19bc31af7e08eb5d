//! Playback of a run: a recording, the cursor at a moment of it, and the target that it seeks.
//!
//! Long seeks proceed in portions, so that no frame is delayed, and stop where events must be regrown first.

use std::sync::{Arc, OnceLock};

use super::bookmarks::BookmarkedMoment;
use crate::design::ValidDesign;
use crate::engine::{Grid, Options};
use crate::recording::{Playback, Recording, SeekResult, TileOrigins};
use crate::recording_file::ReproductionCheck;

/// Bytes of events applied per frame; takes a few milliseconds.
pub(super) const BYTES_PER_FRAME: usize = 32 << 10;

/// Bytes of events applied per received chunk: more than a chunk has, as many of them may arrive between two frames.
const BYTES_PER_PART: usize = 24 << 10;

/// Bytes of events from which the origins of tiles are read at once: a few milliseconds, as the first tile in each part
/// of the dungeon allocates memory.
const READ_AT_ONCE: usize = 16 << 10;

/// A seek target that the run may not have reached yet.
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
    /// For recordings: whether this program reproduces them, once that is known.
    pub(crate) recorded: Option<Arc<OnceLock<ReproductionCheck>>>,
}

impl RunInfo {
    /// Returns whether growing again gives the run shown; `None` while that is being checked.
    pub(crate) fn grows_again(&self) -> Option<bool> {
        let Some(recorded) = &self.recorded else {
            return Some(true);
        };
        recorded.get().map(|again| *again == ReproductionCheck::Same)
    }
}

/// A run and its playback position.
#[derive(Debug)]
pub(super) struct RunPlayback {
    pub(super) recording: Recording,
    /// What it was grown from.
    pub(super) run: Option<RunInfo>,
    /// Number that identifies the run.
    pub(super) number: u64,
    pub(super) cursor: Playback,
    /// Target that was not recorded yet when it was requested.
    pub(super) goal: Option<SeekGoal>,
    /// Turn that is being sought.
    pub(super) heading: Option<u64>,
    /// Turn whose missing events block the seek.
    pub(super) missing: Option<u64>,
    /// Origins of tiles, while they are needed.
    pub(super) origins: Option<TileOrigins>,
    /// Whether it exceeds its memory limit.
    sheds: bool,
}

impl RunPlayback {
    /// Drops events to keep to the recording's limit, except near `around` (the position by default).
    pub(super) fn shed(&mut self, around: Option<u64>) {
        let around = around.unwrap_or(self.cursor.turn());
        self.sheds = self.recording.shed(around, self.cursor.keyframe_bytes());
    }

    /// Returns whether there is more to drop than one call drops.
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

    /// Returns whether there are recorded tiles whose origins can be read now.
    pub(super) fn is_behind(&self) -> bool {
        let read = self.origins.as_ref().map(TileOrigins::read);
        read.is_some_and(|read| read < self.recording.turns() && self.recording.portion(read, 1).0 > read)
    }

    /// Returns the turn whose missing events block the reading of origins.
    pub(super) fn missing_origin(&self) -> Option<u64> {
        let read = self.origins.as_ref().map(TileOrigins::read)?;
        (read < self.recording.turns() && !self.is_behind()).then_some(read + 1)
    }

    pub(super) fn read_origins(&mut self) {
        if let Some(origins) = &mut self.origins {
            origins.read_within(&self.recording, READ_AT_ONCE);
        }
    }

    /// Seeks to the end of a turn, over several frames if the way is long.
    pub(super) fn seek(&mut self, turn: u64) {
        self.seek_within(turn, BYTES_PER_FRAME);
    }

    pub(super) fn seek_within(&mut self, turn: u64, bytes: usize) {
        self.heading = Some(turn.min(self.recording.turns()));
        self.go_on(bytes);
    }

    /// Continues the seek.
    pub(super) fn go_on(&mut self, bytes: usize) {
        let Some(turn) = self.heading else { return };
        self.missing = None;
        match self.cursor.seek_within(&self.recording, turn, bytes) {
            SeekResult::There => self.heading = None,
            SeekResult::Busy => {}
            SeekResult::Missing(turn) => self.missing = Some(turn),
        }
    }

    /// Cancels the seek.
    pub(super) const fn stay(&mut self) {
        self.goal = None;
        self.heading = None;
        self.missing = None;
    }

    /// Returns whether a seek is in progress.
    pub(super) const fn is_on_its_way(&self) -> bool {
        self.goal.is_some() || self.heading.is_some()
    }

    /// Returns the turn shown, or the one being sought.
    pub(super) fn target(&self) -> u64 {
        self.heading.unwrap_or(self.cursor.turn())
    }

    pub(super) fn at_end(&self) -> bool {
        self.recording.is_finished() && self.heading.is_none() && self.cursor.turn() == self.recording.turns()
    }

    /// Drops a small part of its data. Returns whether anything is left.
    pub(super) fn dismantle(&mut self) -> bool {
        if self.origins.as_mut().is_some_and(TileOrigins::dismantle) {
            return true;
        }
        self.origins = None;
        self.cursor.dismantle() || self.recording.dismantle()
    }

    /// Returns whether the goal, if any, has been recorded.
    pub(super) fn has_reached(&self) -> bool {
        match self.goal {
            None => true,
            Some(SeekGoal::End) => self.recording.is_finished(),
            Some(SeekGoal::At(moment)) => {
                self.recording.is_finished() || self.recording.iterations() > moment.iteration
            }
        }
    }

    /// Seeks to the goal, or as near as the recording goes; clears the goal once it is recorded.
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

    /// Returns the place in time, valid for other runs as well.
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

/// The previous run at the moment shown when an edit replaced it, for comparison with the visible one.
#[derive(Debug)]
pub(super) struct PreviousRun {
    grid: Grid,
    at: SeekGoal,
}

impl PreviousRun {
    /// Takes the grid of a playback that is being replaced; the grid of `last` is reused in exchange.
    pub(super) fn of(film: &mut RunPlayback, last: Option<Self>) -> Self {
        let at = film.place();
        let last = last.map_or_else(Grid::empty, |last| last.grid);
        Self {
            grid: film.cursor.exchange_grid(last),
            at,
        }
    }

    /// Returns the dungeon.
    pub(super) const fn grid(&self) -> &Grid {
        &self.grid
    }

    /// Returns whether a playback shows another moment.
    pub(super) fn is_left_by(&self, film: &RunPlayback) -> bool {
        film.place() != self.at
    }
}
