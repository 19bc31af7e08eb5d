//! Bookmarks: moments of a design's growth that the user can return to.
//!
//! A moment is stored as an iteration and the number of turns completed in that iteration. So it stays meaningful after
//! an edit, even though the turn numbers differ in the new run. Bookmarks belong to the open design and are not written
//! to its files.

use std::fmt;

use crate::recording::Recording;
use crate::text::counted;
use crate::text::thousands;

/// A moment of growth, in a form that also applies to other runs of the design.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::tui) struct BookmarkedMoment {
    /// Number of the iteration that contains the moment.
    pub(in crate::tui) iteration: u32,
    /// Number of turns completed in this iteration.
    pub(in crate::tui) turns: u64,
}

impl BookmarkedMoment {
    /// Returns the moment after a number of turns.
    pub(in crate::tui) fn of(recording: &Recording, turn: u64) -> Self {
        let iteration = recording.iteration_at(turn);
        let begin = recording.turn_of_iteration(iteration).min(turn);
        let turns = turn - begin;
        Self { iteration, turns }
    }

    /// Returns the number of turns that a run has completed at this moment. If the iteration has too few turns in this
    /// run, returns the number for the last moment of the iteration.
    pub(in crate::tui) fn turn_in(self, recording: &Recording) -> u64 {
        let begin = recording.turn_of_iteration(self.iteration);
        let end = recording.next_iteration(begin);
        (begin + self.turns).min(end.saturating_sub(u64::from(self.turns > 0)).max(begin))
    }

    /// Returns whether a run reaches the moment.
    fn is_in(self, recording: &Recording) -> bool {
        self.iteration <= recording.iterations() && self.turn_in(recording) <= recording.turns()
    }
}

impl fmt::Display for BookmarkedMoment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "iteration {}", thousands(self.iteration.into()))?;
        match self.turns {
            0 => Ok(()),
            turns => write!(f, ", after {}", counted(turns, "turn")),
        }
    }
}

/// The bookmarks of a design in chronological order.
#[derive(Debug, Default)]
pub(in crate::tui) struct Bookmarks(Vec<BookmarkedMoment>);

impl Bookmarks {
    /// Sets a bookmark after a turn, or removes the bookmark that is there. Returns the moment, and whether it is now
    /// bookmarked.
    pub(in crate::tui) fn toggle(&mut self, recording: &Recording, turn: u64) -> (BookmarkedMoment, bool) {
        let moment = BookmarkedMoment::of(recording, turn);
        let before = self.0.len();
        self.0
            .retain(|mark| !mark.is_in(recording) || mark.turn_in(recording) != turn);
        let sets = self.0.len() == before;
        if sets {
            let at = self.0.partition_point(|mark| *mark < moment);
            self.0.insert(at, moment);
        }
        (moment, sets)
    }

    /// Returns the turns of the bookmarks that a run reaches.
    pub(in crate::tui) fn turns(&self, recording: &Recording) -> impl Iterator<Item = u64> {
        let reached = self.0.iter().filter(|mark| mark.is_in(recording));
        reached.map(|mark| mark.turn_in(recording))
    }

    /// Returns the turn of the first bookmark after a turn if `forward`, otherwise the turn of the last bookmark before
    /// that turn.
    pub(in crate::tui) fn next(&self, recording: &Recording, turn: u64, forward: bool) -> Option<u64> {
        if forward {
            self.turns(recording).filter(|mark| *mark > turn).min()
        } else {
            self.turns(recording).filter(|mark| *mark < turn).max()
        }
    }

    /// Returns the number of bookmarks, and how many of them a run reaches.
    pub(in crate::tui) fn count(&self, recording: &Recording) -> (usize, usize) {
        (self.0.len(), self.turns(recording).count())
    }
}
