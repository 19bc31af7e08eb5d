//! Playback of a run: the recording, the cursor at the moment shown, and the target of a seek in progress.
//!
//! Long seeks proceed in portions, so that no frame is delayed. A seek that reaches dropped events stops until they
//! have been regrown.

use std::sync::{Arc, OnceLock};

use super::bookmarks::BookmarkedMoment;
use crate::design::ValidDesign;
use crate::engine::{Grid, Options};
use crate::recording::{Playback, Recording, SeekResult, TileOrigins};
use crate::recording_file::ReproductionCheck;

/// Bytes of events that a seek applies per frame; this takes a few milliseconds.
pub(in crate::tui) const BYTES_PER_FRAME: usize = 32 << 10;

/// Bytes of events that a seek applies per received chunk: more than a chunk contains, so that the seek keeps up, but
/// fewer than [`BYTES_PER_FRAME`], since many chunks may arrive between two frames.
const BYTES_PER_PART: usize = 24 << 10;

/// Bytes of events read per call of [`RunPlayback::read_origins`]; this takes a few milliseconds. The number is smaller
/// than [`BYTES_PER_FRAME`], because reading the first tile in each part of the dungeon also allocates memory.
const READ_AT_ONCE: usize = 16 << 10;

/// A seek target that the run may not have reached yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::tui) enum SeekGoal {
    /// The end of growth.
    End,
    /// The moment after this number of turns.
    Turn(u64),
    /// A moment that is also valid in other runs.
    At(BookmarkedMoment),
}

/// The design and options that a run was grown from.
#[derive(Debug, Clone)]
pub(in crate::tui) struct RunInfo {
    /// Number of the request for the run.
    pub(in crate::tui) request: u64,
    pub(in crate::tui) design: ValidDesign,
    pub(in crate::tui) options: Options,
    /// Whether this program reproduces the recording, once that is known; `None` if the run was grown rather than
    /// played back from a recording.
    pub(in crate::tui) recorded: Option<Arc<OnceLock<ReproductionCheck>>>,
}

impl RunInfo {
    /// Returns whether growing the design again reproduces the run shown; `None` while that is being checked.
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
    /// The design and options from which the recording was grown.
    pub(in crate::tui) run: Option<RunInfo>,
    /// Number that identifies the run.
    pub(in crate::tui) number: u64,
    pub(in crate::tui) cursor: Playback,
    /// Target that is not recorded yet.
    pub(in crate::tui) goal: Option<SeekGoal>,
    /// The moment taken over from the previous run when this run was first shown, and its turn in this run.
    opened_at: Option<(BookmarkedMoment, u64)>,
    /// Target turn of the seek in progress.
    pub(in crate::tui) heading: Option<u64>,
    /// Turn whose dropped events block the seek until they are regrown.
    pub(in crate::tui) missing: Option<u64>,
    /// Origins of tiles, while they are tracked.
    pub(in crate::tui) origins: Option<TileOrigins>,
    /// Whether more events must be dropped so that the recording stays within its memory limit.
    has_more_to_drop: bool,
}

impl RunPlayback {
    /// Drops events to stay within the recording's memory limit, except events near turn `around` (by default the turn
    /// shown).
    pub(in crate::tui) fn drop_events(&mut self, around: Option<u64>) {
        let around = around.unwrap_or(self.cursor.turn());
        self.has_more_to_drop = self.recording.drop_distant(around, self.cursor.keyframe_bytes());
    }

    /// Returns whether [`Self::drop_events`] must be called again; each call drops only some of the events.
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
            opened_at: None,
            heading: None,
            missing: None,
            origins: None,
            has_more_to_drop: false,
        }
    }

    /// Returns whether there are recorded turns from which origins can be read now.
    pub(in crate::tui) fn has_unread_origins(&self) -> bool {
        let read = self.origins.as_ref().map(TileOrigins::read);
        read.is_some_and(|read| read < self.recording.turns() && self.recording.portion(read, 1).0 > read)
    }

    /// Returns the turn whose dropped events block the reading of origins; `None` if nothing blocks it.
    pub(in crate::tui) fn missing_origin(&self) -> Option<u64> {
        let read = self.origins.as_ref().map(TileOrigins::read)?;
        (read < self.recording.turns() && !self.has_unread_origins()).then_some(read + 1)
    }

    pub(in crate::tui) fn read_origins(&mut self) {
        if let Some(origins) = &mut self.origins {
            origins.read_within(&self.recording, READ_AT_ONCE);
        }
    }

    /// Seeks to the end of a turn; the seek takes several frames if the turn is far away.
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
        self.opened_at = None;
        self.heading = None;
        self.missing = None;
    }

    /// Returns whether a seek is in progress.
    pub(in crate::tui) const fn is_seeking(&self) -> bool {
        self.goal.is_some() || self.heading.is_some()
    }

    /// Returns the target turn of the seek in progress, or else the turn shown.
    pub(in crate::tui) fn target(&self) -> u64 {
        self.heading.unwrap_or(self.cursor.turn())
    }

    pub(in crate::tui) fn at_end(&self) -> bool {
        self.recording.is_finished() && self.heading.is_none() && self.cursor.turn() == self.recording.turns()
    }

    /// Returns whether the goal has been recorded; true if there is no goal.
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

    /// Seeks to the goal, or to the last recorded turn before it; clears the goal once it is recorded.
    pub(in crate::tui) fn seek_goal(&mut self) {
        let Some(goal) = self.goal else { return };
        let turn = match goal {
            SeekGoal::End => self.recording.turns(),
            SeekGoal::Turn(turn) => turn.min(self.recording.turns()),
            SeekGoal::At(moment) => moment.turn_in(&self.recording),
        };
        if self.has_reached() {
            self.goal = None;
            if let SeekGoal::At(moment) = goal {
                self.opened_at = Some((moment, turn));
            }
        }
        self.seek_within(turn, BYTES_PER_PART);
    }

    /// Returns the current moment, or the target of a seek in progress, as a goal that is also valid in other runs.
    ///
    /// A new run takes over its goal from the previous run, but may end before it reaches that moment. Until the user
    /// moves to another moment, this function still returns the goal that was taken over. Undoing an edit therefore
    /// leads back to the same turn of the previous run.
    pub(in crate::tui) fn place(&self) -> SeekGoal {
        if let Some(goal) = self.goal {
            return goal;
        }
        let turn = self.target();
        if let Some((moment, _)) = self.opened_at.filter(|(_, opened)| *opened == turn) {
            return SeekGoal::At(moment);
        }
        if self.recording.is_finished() && turn == self.recording.turns() {
            return SeekGoal::End;
        }
        SeekGoal::At(BookmarkedMoment::of(&self.recording, turn))
    }
}

/// The dungeon of the previous run at the moment when an edit replaced that run, for comparison with the visible run.
#[derive(Debug)]
pub(in crate::tui) struct PreviousRun {
    grid: Grid,
    at: SeekGoal,
}

impl PreviousRun {
    /// Captures the moment of a playback that is being replaced, and takes its grid.
    pub(in crate::tui) fn of(run: &mut RunPlayback) -> Self {
        Self {
            at: run.place(),
            grid: run.cursor.take_grid(),
        }
    }

    /// Returns the dungeon that was shown when the run was replaced.
    pub(in crate::tui) const fn grid(&self) -> &Grid {
        &self.grid
    }

    /// Returns whether `run` shows a different moment than the previous run did.
    pub(in crate::tui) fn is_left_by(&self, run: &RunPlayback) -> bool {
        run.place() != self.at
    }
}
