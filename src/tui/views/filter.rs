//! Which events the view Events shows: by kind, generation and place, and how that is said.

use super::ViewCommand;
use crate::engine::Event;

/// A kind of event, as the list tells them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum EventKind {
    /// Births.
    Birth,
    /// Deaths.
    Death,
    /// Turns to a side.
    Turn,
    /// What was built.
    Wall,
    /// Walls joined, and gaps at a start.
    Join,
    /// Wakings.
    Wake,
    /// Babies that were not born.
    Unborn,
}

impl EventKind {
    /// All of them, with their names.
    pub(super) const ALL: [(Self, &'static str); 7] = [
        (Self::Birth, "births"),
        (Self::Death, "deaths"),
        (Self::Turn, "turns"),
        (Self::Wall, "walls"),
        (Self::Join, "joined"),
        (Self::Wake, "woke"),
        (Self::Unborn, "not born"),
    ];

    /// The kind of an event; `None` for those that are told with others.
    pub(super) const fn of(event: &Event) -> Option<Self> {
        Some(match event {
            Event::Born { .. } => Self::Birth,
            Event::Died { .. } => Self::Death,
            Event::Turned { .. } => Self::Turn,
            Event::Laid { .. } => Self::Wall,
            Event::Joined { .. } | Event::OpeningChanged { .. } => Self::Join,
            Event::Woke { .. } => Self::Wake,
            Event::Unborn { .. } => Self::Unborn,
            // What was built says where to.
            Event::Moved { .. } => return None,
        })
    }

    /// Its bit in a filter.
    pub(super) const fn bit(self) -> u8 {
        1 << self as u8
    }
}

/// Where events are shown from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum EventArea {
    /// The whole dungeon.
    #[default]
    Everywhere,
    /// What the map's window shows.
    Window,
    /// The squares around the cursor.
    Cursor,
}

/// Which events are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct EventFilter {
    /// Kinds that are hidden, by their bits.
    pub hidden: u8,
    /// Of one generation only.
    pub generation: Option<u32>,
    /// From where only.
    pub place: EventArea,
}

/// The words of the filter in their lines, each with what a click on it does.
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
