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
pub(in crate::tui) const BYTES_PER_FRAME: usize = 32 << 10;

/// Bytes of events applied per received chunk: more than a chunk has, as many of them may arrive between two frames.
const BYTES_PER_PART: usize = 24 << 10;

/// Bytes of events from which the origins of tiles are read at once: a few milliseconds, as the first tile in each part
/// of the dungeon allocates memory.
const READ_AT_ONCE: usize = 16 << 10;

/// A seek target that the run may not have reached yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::tui) enum SeekGoal {
    /// The end of growth.
    End,
    /// The moment after a number of turns.
    Turn(u64),
    At(BookmarkedMoment),
}

/// The design and options that a run was grown from.
#[derive(Debug, Clone)]
pub(in crate::tui) struct RunInfo {
    pub(in crate::tui) design: ValidDesign,
    pub(in crate::tui) options: Options,
    /// For recordings: whether this program reproduces them, once that is known.
    pub(in crate::tui) recorded: Option<Arc<OnceLock<ReproductionCheck>>>,
}

impl RunInfo {
    /// Returns whether growing again gives the run shown; `None` while that is being checked.
    pub(in crate::tui) fn grows_again(&self) -> Option<bool> {
        let Some(recorded) = &self.recorded else {
            return Some(true);
        };
        recorded.get().map(|again| *again == ReproductionCheck::Same)
    }
}

/// A run and its playback position.
#[derive(Debug)]
pub(in crate::tui) struct RunPlayback {
    pub(in crate::tui) recording: Recording,
    /// The design and options from which it was grown.
    pub(in crate::tui) run: Option<RunInfo>,
    /// Number that identifies the run.
    pub(in crate::tui) number: u64,
    pub(in crate::tui) cursor: Playback,
    /// Target that was not recorded yet when it was requested.
    pub(in crate::tui) goal: Option<SeekGoal>,
    /// Turn that is being sought.
    pub(in crate::tui) heading: Option<u64>,
    /// Turn whose missing events block the seek.
    pub(in crate::tui) missing: Option<u64>,
    /// Origins of tiles, while they are needed.
    pub(in crate::tui) origins: Option<TileOrigins>,
    /// Whether it exceeds its memory limit.
    has_more_to_drop: bool,
}

impl RunPlayback {
    /// Drops events to stay within the recording's limit, except near `around` (the position by default).
    pub(in crate::tui) fn drop_events(&mut self, around: Option<u64>) {
        let around = around.unwrap_or(self.cursor.turn());
        self.has_more_to_drop = self.recording.drop_distant(around, self.cursor.keyframe_bytes());
    }

    /// Returns whether there is more to drop than one call drops.
    pub(in crate::tui) const fn has_events_to_drop(&self) -> bool {
        self.has_more_to_drop
    }

    pub(in crate::tui) fn new(mut recording: Recording, goal: Option<SeekGoal>) -> Self {
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
            has_more_to_drop: false,
        }
    }

    /// Returns whether there are recorded tiles whose origins can be read now.
    pub(in crate::tui) fn has_unread_origins(&self) -> bool {
        let read = self.origins.as_ref().map(TileOrigins::read);
        read.is_some_and(|read| read < self.recording.turns() && self.recording.portion(read, 1).0 > read)
    }

    /// Returns the turn whose missing events block the reading of origins.
    pub(in crate::tui) fn missing_origin(&self) -> Option<u64> {
        let read = self.origins.as_ref().map(TileOrigins::read)?;
        (read < self.recording.turns() && !self.has_unread_origins()).then_some(read + 1)
    }

    pub(in crate::tui) fn read_origins(&mut self) {
        if let Some(origins) = &mut self.origins {
            origins.read_within(&self.recording, READ_AT_ONCE);
        }
    }

    /// Seeks to the end of a turn, over several frames if the turn is far away.
    pub(in crate::tui) fn seek(&mut self, turn: u64) {
        self.seek_within(turn, BYTES_PER_FRAME);
    }

    pub(in crate::tui) fn seek_within(&mut self, turn: u64, bytes: usize) {
        self.heading = Some(turn.min(self.recording.turns()));
        self.continue_seek(bytes);
    }

    pub(in crate::tui) fn continue_seek(&mut self, bytes: usize) {
        let Some(turn) = self.heading else { return };
        self.missing = None;
        match self.cursor.seek_within(&self.recording, turn, bytes) {
            SeekResult::There => self.heading = None,
            SeekResult::Busy => {}
            SeekResult::Missing(turn) => self.missing = Some(turn),
        }
    }

    pub(in crate::tui) const fn cancel_seek(&mut self) {
        self.goal = None;
        self.heading = None;
        self.missing = None;
    }

    /// Returns whether a seek is in progress.
    pub(in crate::tui) const fn is_seeking(&self) -> bool {
        self.goal.is_some() || self.heading.is_some()
    }

    /// Returns the turn shown, or the one being sought.
    pub(in crate::tui) fn target(&self) -> u64 {
        self.heading.unwrap_or(self.cursor.turn())
    }

    pub(in crate::tui) fn at_end(&self) -> bool {
        self.recording.is_finished() && self.heading.is_none() && self.cursor.turn() == self.recording.turns()
    }

    /// Returns whether the goal, if any, has been recorded.
    pub(in crate::tui) fn has_reached(&self) -> bool {
        match self.goal {
            None => true,
            Some(SeekGoal::End) => self.recording.is_finished(),
            Some(SeekGoal::Turn(turn)) => self.recording.is_finished() || self.recording.turns() >= turn,
            Some(SeekGoal::At(moment)) => {
                self.recording.is_finished() || self.recording.iterations() > moment.iteration
            }
        }
    }

    /// Seeks to the goal, or as near as the recording goes; clears the goal once it is recorded.
    pub(in crate::tui) fn seek_goal(&mut self) {
        let Some(goal) = self.goal else { return };
        let turn = match goal {
            SeekGoal::End => self.recording.turns(),
            SeekGoal::Turn(turn) => turn.min(self.recording.turns()),
            SeekGoal::At(moment) => moment.turn_in(&self.recording),
        };
        if self.has_reached() {
            self.goal = None;
        }
        self.seek_within(turn, BYTES_PER_PART);
    }

    /// Returns the place in time, valid for other runs as well.
    pub(in crate::tui) fn place(&self) -> SeekGoal {
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
pub(in crate::tui) struct PreviousRun {
    grid: Grid,
    at: SeekGoal,
}

impl PreviousRun {
    /// Takes the grid of a playback that is being replaced.
    pub(in crate::tui) fn of(run: &mut RunPlayback) -> Self {
        Self {
            at: run.place(),
            grid: run.cursor.take_grid(),
        }
    }

    /// Returns the dungeon at the moment shown.
    pub(in crate::tui) const fn grid(&self) -> &Grid {
        &self.grid
    }

    /// Returns whether a playback shows a different moment.
    pub(in crate::tui) fn is_left_by(&self, run: &RunPlayback) -> bool {
        run.place() != self.at
    }
}
