//! What leads through a recording: bookmarks, hunts, and the wish to have grown again what they need.

use super::bookmarks::BookmarkedMoment;
use super::event_search::{EventMatch, EventSearch, SearchProgress, SearchedEvent};
use super::player::TimeState;
use crate::geometry::Point;
use crate::recording::{RegrowRequest, RegrownSegments};

/// Events that a hunt reads before the screen may be drawn: a few milliseconds.
const EVENTS_PER_FRAME: u64 = 200_000;

/// How a hunt ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct SearchEnd {
    pub(super) sight: SearchedEvent,
    pub(super) forward: bool,
    pub(super) center: Option<Point>,
    /// What was found, if anything was.
    pub(super) catch: Option<EventMatch>,
}

impl TimeState {
    /// Sets a bookmark at the moment shown, or takes it away; which moment, and whether it is marked now.
    pub(super) fn toggle_bookmark(&mut self) -> Option<(BookmarkedMoment, bool)> {
        self.settle_now();
        let film = self.film.as_ref()?;
        Some(self.bookmarks.toggle(&film.recording, film.target()))
    }

    /// Goes to the next bookmark or the one before; the moment, if there is one.
    pub(super) fn go_to_bookmark(&mut self, forward: bool) -> Option<BookmarkedMoment> {
        self.settle_now();
        let film = self.film.as_ref()?;
        let turn = self.bookmarks.next(&film.recording, film.target(), forward)?;
        let moment = BookmarkedMoment::of(&film.recording, turn);
        self.seek(turn);
        Some(moment)
    }

    /// The turns of the bookmarks in the run that is shown.
    pub(super) fn bookmarks(&self) -> Vec<u64> {
        self.recording()
            .map_or(Vec::new(), |recording| self.bookmarks.turns(recording).collect())
    }

    /// How many bookmarks there are, and how many of them the run that is shown reaches.
    pub(super) fn bookmark_count(&self) -> (usize, usize) {
        self.recording()
            .map_or((0, 0), |recording| self.bookmarks.count(recording))
    }

    /// Begins to look for something, near a square if one is given; pauses, and goes there when it is found.
    pub(super) fn hunt(&mut self, sight: SearchedEvent, forward: bool, center: Option<Point>) {
        self.settle_now();
        self.playing = false;
        if let Some(film) = &mut self.film {
            film.stay();
            let (turn, frame) = (film.cursor.turn(), film.cursor.frame());
            self.hunt = Some(EventSearch::new(sight, forward, center, turn, frame));
        }
        self.hunt_on();
    }

    /// What is being looked for.
    pub(super) const fn hunted(&self) -> Option<&EventSearch> {
        self.hunt.as_ref()
    }

    /// How the last hunt ended, once.
    pub(super) fn caught(&mut self) -> Option<SearchEnd> {
        self.caught.take()
    }

    /// Goes on with the hunt; whether it is over.
    pub(super) fn hunt_on(&mut self) -> bool {
        let (Some(hunt), Some(film)) = (&mut self.hunt, &self.film) else {
            return false;
        };
        let catch = match hunt.go_on(&film.recording, film.cursor.frame(), EVENTS_PER_FRAME) {
            SearchProgress::Busy => return false,
            SearchProgress::Waiting => {
                hunt.waits = true;
                return false;
            }
            SearchProgress::Missing(turn) => {
                hunt.missing = Some(turn);
                return false;
            }
            SearchProgress::Found(catch) => Some(catch),
            SearchProgress::Nothing => None,
        };
        let (sight, forward, center) = (hunt.sight, hunt.forward, hunt.center);
        self.hunt = None;
        self.caught = Some(SearchEnd {
            sight,
            forward,
            center,
            catch,
        });
        if let Some(catch) = catch {
            self.go(catch.turn);
        }
        true
    }

    /// The turn whose events are needed and were dropped, unless they are being grown again.
    pub(super) fn wanted(&self) -> Option<u64> {
        let turn = self.missing()?;
        let asked = self.asked.as_ref().is_some_and(|errand| errand.covers(turn));
        (!asked).then_some(turn)
    }

    pub(super) fn missing(&self) -> Option<u64> {
        let film = self.film.as_ref()?;
        let hunt = self.hunt.as_ref().and_then(|hunt| hunt.missing);
        film.missing.or(hunt).or_else(|| film.missing_origin())
    }

    /// What should be grown again now; each errand is told once.
    pub(crate) fn errand(&mut self) -> Option<RegrowRequest> {
        let turn = self.wanted()?;
        let errand = self.film.as_ref()?.recording.errand(turn);
        if errand.is_none() {
            self.found_again();
        }
        self.asked.clone_from(&errand);
        errand
    }

    /// Something was grown again.
    pub(crate) fn regrown(&mut self, retake: RegrownSegments) {
        let around = self.missing();
        if let Some(film) = &mut self.film {
            film.recording.restore(retake);
            film.shed(around);
        }
        self.asked = None;
        self.found_again();
    }

    /// Nothing can be grown again: it stays where it is.
    pub(crate) fn regrowth_failed(&mut self) {
        self.hunt = None;
        if let Some(film) = &mut self.film {
            film.stay();
        }
        self.keep_origins(false);
    }

    fn found_again(&mut self) {
        if let Some(film) = &mut self.film {
            film.missing = None;
        }
        if let Some(hunt) = &mut self.hunt {
            hunt.missing = None;
        }
    }

    /// Whether what should be shown is being grown again.
    pub(super) fn is_regrowing(&self) -> bool {
        let hunts = self.hunt.as_ref().is_some_and(|hunt| hunt.missing.is_some());
        hunts || self.film.as_ref().is_some_and(|film| film.missing.is_some())
    }

    /// Bytes that the recording takes that is shown, keyframes included, and its limit.
    pub(super) fn memory(&self) -> Option<(usize, usize)> {
        let film = self.film.as_ref()?;
        Some((
            film.recording.bytes() + film.cursor.keyframe_bytes(),
            film.recording.limit(),
        ))
    }
}
