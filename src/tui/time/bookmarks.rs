//! Bookmarks: moments of a design's growth to come back to.
//!
//! A moment is told by its iteration and the turns into it, so that it stays useful in the run that follows an edit,
//! whose turns are others. Bookmarks belong to the open design and are not written to its files.

use std::fmt;

use crate::recording::Recording;
use crate::text::counted;
use crate::tui::screen::thousands;

/// A place in time, in terms that hold for another run of the design as well.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct BookmarkedMoment {
    /// The iteration under way.
    pub(super) iteration: u32,
    /// Turns taken in it.
    pub(super) turns: u64,
}

impl BookmarkedMoment {
    /// The moment after a number of turns.
    pub(super) fn of(recording: &Recording, turn: u64) -> Self {
        let iteration = recording.iteration_at(turn);
        let begin = recording.turn_of_iteration(iteration).min(turn);
        let turns = turn - begin;
        Self { iteration, turns }
    }

    /// Turns that are over then in a run, or as near as that run comes.
    pub(super) fn turn_in(self, recording: &Recording) -> u64 {
        let begin = recording.turn_of_iteration(self.iteration);
        let end = recording.next_iteration(begin);
        (begin + self.turns).min(end.saturating_sub(u64::from(self.turns > 0)).max(begin))
    }

    /// Whether a run comes as far.
    fn is_in(self, recording: &Recording) -> bool {
        self.iteration <= recording.iterations() && self.turn_in(recording) <= recording.turns()
    }
}

impl fmt::Display for BookmarkedMoment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "iteration {}", thousands(self.iteration.into()))?;
        match self.turns {
            0 => Ok(()),
            turns => write!(f, ", {} on", counted(turns, "turn")),
        }
    }
}

/// The bookmarks of a design, in the order of time.
#[derive(Debug, Default)]
pub(super) struct Bookmarks(Vec<BookmarkedMoment>);

impl Bookmarks {
    /// Sets a bookmark at a turn or takes away what is there; which moment, and whether it is marked now.
    pub(super) fn toggle(&mut self, recording: &Recording, turn: u64) -> (BookmarkedMoment, bool) {
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

    /// Those that a run reaches, by its turns.
    pub(super) fn turns(&self, recording: &Recording) -> impl Iterator<Item = u64> {
        let reached = self.0.iter().filter(|mark| mark.is_in(recording));
        reached.map(|mark| mark.turn_in(recording))
    }

    /// The turn of the next bookmark after a turn, or of the last before it.
    pub(super) fn next(&self, recording: &Recording, turn: u64, forward: bool) -> Option<u64> {
        if forward {
            self.turns(recording).filter(|mark| *mark > turn).min()
        } else {
            self.turns(recording).filter(|mark| *mark < turn).max()
        }
    }

    /// How many there are, and how many of them a run reaches.
    pub(super) fn count(&self, recording: &Recording) -> (usize, usize) {
        (self.0.len(), self.turns(recording).count())
    }
}
