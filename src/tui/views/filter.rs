//! The filter of the Events view: by kind, generation and place, with its labels.

use crate::engine::Event;
use crate::tui::commands::{EventKind, ViewCommand};

impl EventKind {
    /// All kinds with their labels.
    pub(super) const ALL: [(Self, &'static str); 7] = [
        (Self::Birth, "births"),
        (Self::Death, "deaths"),
        (Self::Turn, "turns"),
        (Self::Wall, "walls"),
        (Self::Join, "joined"),
        (Self::Wake, "woke"),
        (Self::Unborn, "not born"),
    ];

    /// Returns the kind of an event, or `None` for events that have no line of their own.
    pub(super) const fn of(event: &Event) -> Option<Self> {
        Some(match event {
            Event::Born { .. } => Self::Birth,
            Event::Died { .. } => Self::Death,
            Event::Turned { .. } => Self::Turn,
            Event::Laid { .. } => Self::Wall,
            Event::Joined { .. } | Event::OpeningChanged { .. } => Self::Join,
            Event::Woke { .. } => Self::Wake,
            Event::Unborn { .. } => Self::Unborn,
            // The line about the built tiles names the destination.
            Event::Moved { .. } => return None,
        })
    }

    /// Returns the bit of the kind in a filter.
    pub(super) const fn bit(self) -> u8 {
        1 << self as u8
    }
}

/// The area that events are shown from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum EventArea {
    /// The whole dungeon.
    #[default]
    Everywhere,
    /// The part of the dungeon that the map shows.
    Window,
    /// The squares around the cursor.
    Cursor,
}

/// The selection of events to show.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct EventFilter {
    /// Bits of the hidden kinds.
    pub hidden: u8,
    /// Only generation to show, if set.
    pub generation: Option<u32>,
    /// Area to show.
    pub place: EventArea,
}

/// Returns the three lines of the filter: items with their text, whether they are active, and the command of a click.
pub(super) fn words_of_filter(filter: EventFilter) -> [Vec<(String, bool, ViewCommand)>; 3] {
    let kind = |(i, (kind, name)): (usize, (EventKind, &str))| {
        let shown = filter.hidden & kind.bit() == 0;
        let sign = if shown { "✓" } else { "·" };
        (format!("{}{sign}{name} ", i + 1), shown, ViewCommand::Kind(kind))
    };
    let mut kinds = EventKind::ALL.into_iter().enumerate().map(kind);
    let first = kinds.by_ref().take(4).collect();
    let generation = filter.generation.map_or_else(
        || "‹ every generation › ".to_owned(),
        |generation| format!("‹ generation {generation} only › "),
    );
    let place = match filter.place {
        EventArea::Everywhere => "w everywhere",
        EventArea::Window => "w in the map's window",
        EventArea::Cursor => "w near the cursor",
    };
    [
        first,
        kinds.collect(),
        vec![
            (generation, filter.generation.is_some(), ViewCommand::Generation(1)),
            (place.into(), filter.place != EventArea::Everywhere, ViewCommand::Place),
        ],
    ]
}
