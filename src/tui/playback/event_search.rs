//! Event search: finds the next birth, death or change, near the map's cursor or anywhere, forward or backward in
//! time.
//!
//! Recordings have millions of events, so a search reads a limited number of events per frame and continues in the next
//! frame. The search ends with a match, at the start or end of the run, or when the user gives another playback
//! command.

use crate::engine::{BuilderId, Event, Tile};
use crate::geometry::Point;
use crate::recording::{Frame, Recording};
use crate::tui::commands::SearchedEvent;
use crate::tui::wording::builder_name;

/// Maximum distance from the cursor, in rows and in columns, that counts as near.
pub(in crate::tui) const NEAR: i32 = 5;

/// Number of bytes of events that are read between two checks of the budget.
const BYTES_AT_ONCE: usize = 4096;

/// The event that a search found, with its turn and square.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::tui) struct EventMatch {
    pub(in crate::tui) turn: u64,
    pub(in crate::tui) at: Point,
    pub(in crate::tui) event: Event,
}

/// The progress of a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::tui) enum SearchProgress {
    /// The search has found a match and ends.
    Found(EventMatch),
    /// There is no match in this direction, and the search ends.
    Nothing,
    /// There are more events to read.
    Busy,
    /// All recorded turns have been read, but the run is still growing.
    Waiting,
    /// The events of this turn were dropped from the recording. Part of the run must be regrown before the search can
    /// continue.
    Missing(u64),
}

/// A search in progress.
#[derive(Debug)]
pub(in crate::tui) struct EventSearch {
    pub(in crate::tui) sight: SearchedEvent,
    pub(in crate::tui) forward: bool,
    /// Square near which a match must lie; `None` searches everywhere.
    pub(in crate::tui) center: Option<Point>,
    /// In a forward search, the last turn that was read; in a backward search, the number of turns still unread.
    turn: u64,
    /// Positions of the Builders, by id; filled only in forward searches for deaths.
    places: Vec<Point>,
    /// Whether all recorded turns have been read, so that the search waits for growth.
    pub(in crate::tui) waits: bool,
    /// Turn whose dropped events the search needs. Part of the run must be regrown first.
    pub(in crate::tui) missing: Option<u64>,
}

impl EventSearch {
    /// Starts a search at the moment after turn `turn`; `frame` is the dungeon at that moment.
    pub(in crate::tui) fn new(
        sight: SearchedEvent,
        forward: bool,
        center: Option<Point>,
        turn: u64,
        frame: &Frame,
    ) -> Self {
        let follows = forward && sight == SearchedEvent::Death;
        let builders = if follows { frame.builders() } else { &[] };
        Self {
            sight,
            forward,
            center,
            turn: if forward { turn } else { turn.saturating_sub(1) },
            places: builders.iter().map(|builder| builder.at).collect(),
            waits: false,
            missing: None,
        }
    }

    /// Continues the search and reads about `budget` events. `frame` is the dungeon at the moment when
    /// the search began.
    pub(in crate::tui) fn advance(&mut self, recording: &Recording, frame: &Frame, budget: u64) -> SearchProgress {
        let mut read = 0;
        while read < budget {
            let turn = self.turn;
            if turn == if self.forward { recording.turns() } else { 0 } {
                return if self.forward && !recording.is_finished() {
                    SearchProgress::Waiting
                } else {
                    SearchProgress::Nothing
                };
            }
            let (from, to) = if self.forward {
                (turn, recording.portion(turn, BYTES_AT_ONCE).0)
            } else {
                (recording.portion_back(turn, BYTES_AT_ONCE).0, turn)
            };
            if from == to {
                return SearchProgress::Missing(if self.forward { turn + 1 } else { turn });
            }
            let mut found = None;
            recording.walk(from, to, |turn, event| {
                read += 1;
                if let Some(at) = self.match_event(event, frame)
                    && (found.is_none() || !self.forward)
                {
                    let event = *event;
                    found = Some(EventMatch { turn, at, event });
                }
            });
            self.turn = if self.forward { to } else { from };
            if let Some(found) = found {
                return SearchProgress::Found(found);
            }
            // Reading turns without events also takes time.
            read += (to - from) / 4;
        }
        SearchProgress::Busy
    }

    /// Returns the event's square if the event matches. In searches for deaths, also tracks the Builders' positions.
    fn match_event(&mut self, event: &Event, frame: &Frame) -> Option<Point> {
        let at = match (self.sight, *event) {
            (SearchedEvent::Birth, Event::Born { birth, .. }) => birth.at,
            (SearchedEvent::Change, Event::Laid { at, .. }) => at,
            (SearchedEvent::Death, Event::Born { birth, .. }) => {
                if self.forward {
                    self.places.push(birth.at);
                }
                return None;
            }
            (SearchedEvent::Death, Event::Moved { builder, to, .. }) => {
                if let Some(place) = self.places.get_mut(builder.0 as usize) {
                    *place = to;
                }
                return None;
            }
            (SearchedEvent::Death, Event::Died { builder, .. }) => self.place(builder, frame)?,
            _ => return None,
        };
        let is_near = |center: Point| (at.x - center.x).abs() <= NEAR && (at.y - center.y).abs() <= NEAR;
        self.center.is_none_or(is_near).then_some(at)
    }

    /// Returns the square on which a Builder dies. A backward search uses the Builder's position at the moment when the
    /// search began, since a dead Builder no longer moves.
    fn place(&self, builder: BuilderId, frame: &Frame) -> Option<Point> {
        if self.forward {
            self.places.get(builder.0 as usize).copied()
        } else {
            frame.builder(builder).map(|builder| builder.at)
        }
    }
}

/// Describes an event in a few words. `frame` is the dungeon shown, which may precede the event while a long seek is in
/// progress. The kind and generation of a Builder are left out if the event is not its birth and `frame` does not contain
/// it yet.
pub(in crate::tui) fn description(event: &Event, frame: &Frame) -> String {
    let id = event.builder();
    let birth = match event {
        Event::Born { birth, .. } => Some(birth),
        _ => frame.builder(id).map(|builder| &builder.birth),
    };
    let who = match birth {
        Some(birth) => format!("{} of generation {}", builder_name(birth.kind, id), birth.generation),
        None => format!("Builder {id}"),
    };
    match *event {
        Event::Born { .. } => format!("{who} is born"),
        Event::Died { cause, .. } => {
            let of = match cause {
                crate::engine::Death::Blocked => "is blocked and dies",
                crate::engine::Death::Aged => "dies of old age",
                crate::engine::Death::Joined => "joins a wall and dies",
            };
            format!("{who} {of}")
        }
        Event::Laid { tile: Tile::Column, .. } => format!("{who} places a column"),
        _ => format!("{who} lays a wall tile"),
    }
}
