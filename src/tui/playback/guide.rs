//! Navigation in a recording: bookmarks, event searches, and requests to regrow dropped events that a seek or search
//! needs.

use super::TimeState;
use super::bookmarks::BookmarkedMoment;
use super::event_search::{EventMatch, EventSearch, SearchProgress};
use crate::geometry::Point;
use crate::recording::{RegrowRequest, RegrownSegments};
use crate::tui::commands::SearchedEvent;

/// Number of events that a search reads per frame; reading them takes a few milliseconds.
const EVENTS_PER_FRAME: u64 = 200_000;

/// The result of a search that has ended, with the search's settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::tui) struct SearchEnd {
    pub(in crate::tui) sight: SearchedEvent,
    pub(in crate::tui) forward: bool,
    pub(in crate::tui) center: Option<Point>,
    /// The match; `None` if nothing was found.
    pub(in crate::tui) catch: Option<EventMatch>,
}

impl TimeState {
    /// Sets a bookmark at the moment shown, or removes the bookmark that is there. Returns the moment, and whether it
    /// is now bookmarked.
    pub(in crate::tui) fn toggle_bookmark(&mut self) -> Option<(BookmarkedMoment, bool)> {
        self.show_coming();
        let run = self.run.as_ref()?;
        Some(self.bookmarks.toggle(&run.recording, run.target()))
    }

    /// Seeks to the next or the previous bookmark. Returns the bookmark's moment; `None` if there is no such bookmark.
    pub(in crate::tui) fn go_to_bookmark(&mut self, forward: bool) -> Option<BookmarkedMoment> {
        self.show_coming();
        let run = self.run.as_ref()?;
        let turn = self.bookmarks.next(&run.recording, run.target(), forward)?;
        let moment = BookmarkedMoment::of(&run.recording, turn);
        self.seek(turn);
        Some(moment)
    }

    /// Returns the turns of the bookmarks in the run shown.
    pub(in crate::tui) fn bookmarks(&self) -> Vec<u64> {
        self.recording()
            .map_or(Vec::new(), |recording| self.bookmarks.turns(recording).collect())
    }

    /// Returns the number of all bookmarks, and the number of bookmarks in the run shown.
    pub(in crate::tui) fn bookmark_count(&self) -> (usize, usize) {
        self.recording()
            .map_or((0, 0), |recording| self.bookmarks.count(recording))
    }

    /// Pauses playback and starts a search, near the square `center` if it is given. Seeks to the match once it is
    /// found.
    pub(in crate::tui) fn search(&mut self, sight: SearchedEvent, forward: bool, center: Option<Point>) {
        self.show_coming();
        self.playing = false;
        if let Some(run) = &mut self.run {
            run.cancel_seek();
            let (turn, frame) = (run.cursor.turn(), run.cursor.frame());
            self.search = Some(EventSearch::new(sight, forward, center, turn, frame));
        }
        self.search_on();
    }

    /// Returns the search in progress.
    pub(in crate::tui) const fn search_in_progress(&self) -> Option<&EventSearch> {
        self.search.as_ref()
    }

    /// Returns the result of the last search, and removes it.
    pub(in crate::tui) fn take_result(&mut self) -> Option<SearchEnd> {
        self.caught.take()
    }

    /// Continues the search. Returns whether the search has ended.
    pub(in crate::tui) fn search_on(&mut self) -> bool {
        let (Some(search), Some(run)) = (&mut self.search, &self.run) else {
            return false;
        };
        let catch = match search.advance(&run.recording, run.cursor.frame(), EVENTS_PER_FRAME) {
            SearchProgress::Busy => return false,
            SearchProgress::Waiting => {
                search.waits = true;
                return false;
            }
            SearchProgress::Missing(turn) => {
                search.missing = Some(turn);
                return false;
            }
            SearchProgress::Found(catch) => Some(catch),
            SearchProgress::Nothing => None,
        };
        let (sight, forward, center) = (search.sight, search.forward, search.center);
        self.search = None;
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

    /// Returns the turn whose dropped events are needed; `None` if none are needed or a pending request covers the
    /// turn.
    pub(in crate::tui) fn missing_turn(&self) -> Option<u64> {
        let turn = self.missing()?;
        let requested = self
            .requested
            .as_ref()
            .is_some_and(|regrow_request| regrow_request.covers(turn));
        (!requested).then_some(turn)
    }

    pub(in crate::tui) fn missing(&self) -> Option<u64> {
        let run = self.run.as_ref()?;
        let search = self.search.as_ref().and_then(|search| search.missing);
        run.missing.or(search).or_else(|| run.missing_origin())
    }

    /// Returns the request to regrow the events that are needed. Each request is returned only once.
    pub(in crate::tui) fn regrow_request(&mut self) -> Option<RegrowRequest> {
        let turn = self.missing_turn()?;
        let regrow_request = self.run.as_ref()?.recording.regrow_request(turn);
        if regrow_request.is_none() {
            self.clear_missing();
        }
        self.requested.clone_from(&regrow_request);
        regrow_request
    }

    /// Adds regrown segments to the recording.
    pub(in crate::tui) fn regrown(&mut self, retake: RegrownSegments) {
        let around = self.missing();
        if let Some(run) = &mut self.run {
            run.recording.restore(retake);
            run.drop_events(around);
        }
        self.requested = None;
        self.clear_missing();
    }

    /// Handles a failure to regrow events: cancels the search and the seek, and stops tracking the origins of tiles.
    pub(in crate::tui) fn regrowth_failed(&mut self) {
        self.search = None;
        if let Some(run) = &mut self.run {
            run.cancel_seek();
        }
        self.keep_origins(false);
    }

    fn clear_missing(&mut self) {
        if let Some(run) = &mut self.run {
            run.missing = None;
        }
        if let Some(search) = &mut self.search {
            search.missing = None;
        }
    }

    /// Returns whether the events that the current seek or search needs are being regrown.
    pub(in crate::tui) fn is_regrowing(&self) -> bool {
        let is_searching = self.search.as_ref().is_some_and(|search| search.missing.is_some());
        is_searching || self.run.as_ref().is_some_and(|run| run.missing.is_some())
    }

    /// Returns the number of bytes that the recording shown uses, including keyframes, and the recording's limit.
    pub(in crate::tui) fn memory(&self) -> Option<(usize, usize)> {
        let run = self.run.as_ref()?;
        Some((
            run.recording.bytes() + run.cursor.keyframe_bytes(),
            run.recording.limit(),
        ))
    }
}
