//! The filter of the Events view: selects events by kind, generation and area. Also builds the filter's labels.

use ratatui::layout::Rect;
use ratatui::text::Span;

use crate::engine::Event;
use crate::tui::commands::{Action, EventKind, ViewCommand};
use crate::tui::editor::Editor;
use crate::tui::widget::items::{Item, ItemBar};

impl EventKind {
    /// All kinds with their labels.
    pub(super) const ALL: [(Self, &'static str); 7] = [
        (Self::Birth, "births"),
        (Self::Death, "deaths"),
        (Self::Turn, "turned"),
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
            // The line about the built tiles already names the destination.
            Event::Moved { .. } => return None,
        })
    }

    /// Returns the bit of the kind in a filter.
    pub(super) const fn bit(self) -> u8 {
        1 << self as u8
    }
}

/// The area whose events are shown.
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
    /// The hidden kinds, as a combination of their [bits](EventKind::bit).
    pub hidden: u8,
    /// The only generation to show; `None` shows every generation.
    pub generation: Option<u32>,
    /// Area to show.
    pub place: EventArea,
}

/// Returns the three lines of the filter, placed in the top rows of `area`. Active items are highlighted.
pub(super) fn filter_items(editor: &Editor, filter: EventFilter, area: Rect) -> [ItemBar<ViewCommand>; 3] {
    let theme = editor.theme;
    // The label of a command without a key shows no key, but it can still be clicked.
    let key = |command| editor.keymap.first(Action::View(command)).unwrap_or_default();
    let item = |text: String, is_active: bool, command: ViewCommand| {
        let style = if is_active { theme.accent() } else { theme.quiet() };
        Item::new(Span::styled(text, style), command)
    };
    let kind = |(kind, name): (EventKind, &str)| {
        let shown = filter.hidden & kind.bit() == 0;
        let sign = if shown { "✓" } else { "·" };
        let command = ViewCommand::Kind(kind);
        item(format!("{}{sign}{name} ", key(command)), shown, command)
    };
    let mut kinds = EventKind::ALL.into_iter().map(kind);
    let first: Vec<_> = kinds.by_ref().take(4).collect();
    let generation = filter.generation.map_or_else(
        || "‹ every generation › ".to_owned(),
        |generation| format!("‹ generation {generation} only › "),
    );
    let place = match filter.place {
        EventArea::Everywhere => "everywhere",
        EventArea::Window => "on the visible map",
        EventArea::Cursor => "near the cursor",
    };
    let place = format!("{} {place}", key(ViewCommand::Place));
    let last = vec![
        item(generation, filter.generation.is_some(), ViewCommand::Generation(1)),
        item(place, filter.place != EventArea::Everywhere, ViewCommand::Place),
    ];
    let row = |(y, items)| {
        let row = Rect {
            y: area.y + y,
            height: 1,
            ..area
        };
        ItemBar::new(items, row.intersection(area), 0)
    };
    let [a, b, c] = [first, kinds.collect(), last];
    [(0, a), (1, b), (2, c)].map(row)
}
