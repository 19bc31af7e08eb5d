//! The Events view: events before and after the moment shown, filtered by kind, generation and area.
//!
//! The recording is searched backward and forward from that moment, a portion per frame, until there are enough events
//! to scroll through. So a recording of millions of turns is usually read only in part. Going to one of the events
//! restarts the search there.

use std::collections::BTreeMap;
use std::time::Duration;

use ratatui::layout::{Position, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::filter::{EventArea, EventFilter, filter_items};
use super::page::{Link, ListPage, ListRow};
use crate::engine::{BuilderId, BuilderKind as Builder, Event, Tile};
use crate::geometry::{Point, Size};
use crate::recording::{Frame, Recording};
use crate::text::{counted, thousands};
use crate::tui::commands::{EventKind, ViewCommand};
use crate::tui::editor::Editor;
use crate::tui::widget::items::ItemBar;
use crate::tui::widget::list::ListState;
use crate::tui::wording;

/// Number of events after which the search in one direction ends.
const WANTED: usize = 100;

/// Bytes of events searched in each direction per frame; this takes well under a frame's time.
const BYTES_AT_ONCE: usize = 16 << 10;

/// Bytes of events searched between two checks of whether enough events were found. Usually, a few checks suffice.
const BYTES_PER_LOOK: usize = 2 << 10;

/// Pause before the search continues.
const PAUSE: Duration = Duration::from_millis(16);

/// Distance in squares, in each direction, that counts as near the cursor.
const NEAR: i32 = 8;

/// One line of the list.
#[derive(Debug, Clone, PartialEq, Eq)]
struct EventItem {
    turn: u64,
    at: Point,
    generation: u32,
    text: String,
}

/// The parameters of a search; it restarts when one of them changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct EventsKey {
    run: u64,
    turn: u64,
    filter: EventFilter,
    /// Corner and size of the area in which events must lie; `None` means the whole dungeon.
    area: Option<(Point, Size)>,
}

/// A search with its results so far.
#[derive(Debug)]
struct EventsSearch {
    key: EventsKey,
    /// Events up to and including the moment, the nearest first.
    before: Vec<EventItem>,
    /// All turns from this turn to the moment have been searched.
    from: u64,
    /// Whether the events before the first turn have been searched.
    has_start: bool,
    /// Events after the moment, the nearest first.
    after: Vec<EventItem>,
    /// All turns from the moment to this turn have been searched.
    to: u64,
    /// Positions of Builders. The first element contains the positions at the turn `from` of all Builders that move
    /// between `from` and the moment. The second element contains the positions at the turn `to` of all Builders that
    /// move or are born between the moment and `to`.
    places: [BTreeMap<BuilderId, Point>; 2],
    /// Whether the recording has dropped the events before `from`, or those after `to`, to save memory. The search ends
    /// there.
    dropped: [bool; 2],
    /// Builders born after the moment.
    born: BTreeMap<BuilderId, (Builder, u32)>,
}

/// The state of the view.
#[derive(Debug, Default)]
pub(super) struct EventsState {
    pub(super) list: ListState,
    filter: EventFilter,
    search: Option<EventsSearch>,
}

impl EventsState {
    /// Changes the filter.
    pub(super) fn filter(&mut self, editor: &Editor, command: ViewCommand) {
        let generations = editor
            .time
            .frame()
            .into_iter()
            .flat_map(Frame::builders)
            .map(|builder| builder.birth.generation);
        let last = generations.max().unwrap_or(0);
        let filter = &mut self.filter;
        match command {
            ViewCommand::Kind(kind) => filter.hidden ^= kind.bit(),
            ViewCommand::AllKinds => filter.hidden = 0,
            ViewCommand::Generation(by) => {
                // Cycles through `every generation` and the individual generations.
                let now = filter.generation.map_or(0, |generation| i64::from(generation) + 1);
                let next = (now + i64::from(by)).rem_euclid(i64::from(last) + 2);
                filter.generation = u32::try_from(next - 1).ok();
            }
            ViewCommand::Place => {
                filter.place = match filter.place {
                    EventArea::Everywhere => EventArea::Window,
                    EventArea::Window => EventArea::Cursor,
                    EventArea::Cursor => EventArea::Everywhere,
                }
            }
            _ => {}
        }
        self.list = ListState::default();
    }

    /// Starts a search if its parameters have changed, otherwise continues the current one. Called in every frame while
    /// the view is visible.
    pub(super) fn search(&mut self, editor: &mut Editor) {
        let Some((recording, frame)) = editor.time.recording().zip(editor.time.frame()) else {
            return;
        };
        let area = match self.filter.place {
            EventArea::Everywhere => None,
            EventArea::Window => Some(editor.map.visible(editor.areas.map)),
            EventArea::Cursor => {
                let Point { x, y } = editor.map.cursor();
                Some((Point::new(x - NEAR, y - NEAR), Size::new(2 * NEAR + 1, 2 * NEAR + 1)))
            }
        };
        let turn = editor.time.clock().turn;
        let key = EventsKey {
            run: editor.time.run_number(),
            turn,
            filter: self.filter,
            area,
        };
        let mut search = match self.search.take() {
            Some(search) if search.key == key => search,
            // The list scrolls back to the moment.
            _ => {
                self.list = ListState::default();
                EventsSearch::new(key)
            }
        };
        let is_over = search.is_over(recording);
        search.go_on(recording, frame);
        self.search = Some(search);
        if !is_over {
            editor.redraw();
        }
    }

    /// Returns the pause before the search continues, or `None` if it is complete.
    pub(super) fn next_change(&self, editor: &Editor) -> Option<Duration> {
        let (search, recording) = self.search.as_ref().zip(editor.time.recording())?;
        (!search.is_over(recording)).then_some(PAUSE)
    }

    /// Returns the command of the filter's item at a position; `None` if there is none.
    pub(super) fn clicked(&self, editor: &Editor, inside: Rect, at: Position) -> Option<ViewCommand> {
        let items = filter_items(editor, self.filter, inside);
        items.into_iter().find_map(|line| line.at(at))
    }
}

impl EventsSearch {
    fn new(key: EventsKey) -> Self {
        Self {
            key,
            before: Vec::new(),
            from: key.turn,
            has_start: false,
            after: Vec::new(),
            to: key.turn,
            places: [BTreeMap::new(), BTreeMap::new()],
            dropped: [false; 2],
            born: BTreeMap::new(),
        }
    }

    /// Returns two values: whether the search must continue backward, and whether it must continue forward.
    fn goes_on(&self, recording: &Recording) -> [bool; 2] {
        [
            !self.has_start && self.before.len() < WANTED && !self.dropped[0],
            self.to < recording.turns() && self.after.len() < WANTED && !self.dropped[1],
        ]
    }

    /// Returns whether the search is complete in both directions.
    fn is_over(&self, recording: &Recording) -> bool {
        self.goes_on(recording) == [false; 2]
    }

    fn go_on(&mut self, recording: &Recording, frame: &Frame) {
        for _ in 0..BYTES_AT_ONCE / BYTES_PER_LOOK {
            if self.is_over(recording) {
                return;
            }
            self.look(recording, frame);
        }
    }

    fn look(&mut self, recording: &Recording, frame: &Frame) {
        let [back, on] = self.goes_on(recording);
        if back {
            let to = self.from;
            self.from = recording.portion_back(to, BYTES_PER_LOOK).0;
            self.dropped[0] = to > 0 && self.from == to;
            let mut events = Vec::new();
            recording.walk(self.from, to, |turn, event| events.push((turn, *event)));
            for turn in events.chunk_by(|a, b| a.0 == b.0).rev() {
                for (_, event) in turn.iter().rev() {
                    if let Event::Moved { builder, from, .. } = *event {
                        self.places[0].insert(builder, from);
                    }
                }
                let found = self.items(0, turn, frame);
                self.before.extend(found.into_iter().rev());
            }
            if self.from == 0 {
                let births: Vec<(u64, Event)> = recording.events_of(0).into_iter().map(|event| (0, event)).collect();
                let found = self.items(0, &births, frame);
                self.before.extend(found.into_iter().rev());
                self.has_start = true;
            }
        }
        if on {
            let from = self.to;
            self.to = recording.portion(from, BYTES_PER_LOOK).0;
            self.dropped[1] = self.to == from;
            let mut events = Vec::new();
            recording.walk(from, self.to, |turn, event| events.push((turn, *event)));
            for turn in events.chunk_by(|a, b| a.0 == b.0) {
                for (_, event) in turn {
                    if let Event::Born { builder, birth } = *event {
                        self.born.insert(builder, (birth.kind, birth.generation));
                        self.places[1].insert(builder, birth.at);
                    }
                }
                let found = self.items(1, turn, frame);
                self.after.extend(found);
                for (_, event) in turn {
                    if let Event::Moved { builder, to, .. } = *event {
                        self.places[1].insert(builder, to);
                    }
                }
            }
        }
    }

    /// Returns the lines of one turn's events that pass the filter. `places` must hold the positions of Builders at
    /// the beginning of the turn.
    fn items(&self, direction: usize, events: &[(u64, Event)], frame: &Frame) -> Vec<EventItem> {
        let mut found = Vec::new();
        let mut moved: Option<(BuilderId, Point)> = None;
        let mut laid = 0_u64;
        for (i, (turn, event)) in events.iter().enumerate() {
            let builder = event.builder();
            let place = || {
                let moved = moved.filter(|(who, _)| *who == builder).map(|(_, to)| to);
                let known = self.places[direction].get(&builder).copied();
                moved.or(known).or_else(|| Some(frame.builder(builder)?.at))
            };
            let at = match *event {
                Event::Born { birth, .. } => Some(birth.at),
                Event::Laid { at, .. } => Some(at),
                Event::Moved { to, .. } => {
                    moved = Some((builder, to));
                    continue;
                }
                _ => place(),
            };
            let born = self.born.get(&builder).copied();
            let born = born.or_else(|| frame.builder(builder).map(|b| (b.birth.kind, b.birth.generation)));
            let (Some(at), Some((kind, generation)), Some(sort)) = (at, born, EventKind::of(event)) else {
                continue;
            };
            // Consecutive tiles share one line.
            let mut text = wording::event(event);
            if let Event::Laid { tile, .. } = event {
                laid += 1;
                if matches!(events.get(i + 1), Some((_, Event::Laid { .. }))) {
                    continue;
                }
                text = match tile {
                    Tile::Column => format!("left a column at {at:#}"),
                    _ => format!("built {} to {at:#}", counted(laid, "square")),
                };
                laid = 0;
            }
            if self.key.passes(sort, generation, at) {
                found.push(EventItem {
                    turn: *turn,
                    at,
                    generation,
                    text: match kind {
                        Builder::Crawler => format!("{} {text}", wording::builder_number(builder)),
                        Builder::Jumper | Builder::DoorJumper | Builder::RoomJumper => {
                            format!("{} {text}", wording::builder_name(kind, builder))
                        }
                    },
                });
            }
        }
        found
    }
}

impl EventsKey {
    fn passes(&self, kind: EventKind, generation: u32, at: Point) -> bool {
        let inside = |(corner, size): (Point, Size)| size.contains(Point::new(at.x - corner.x, at.y - corner.y));
        self.filter.hidden & kind.bit() == 0
            && self.filter.generation.is_none_or(|only| only == generation)
            && self.area.is_none_or(inside)
    }
}

/// Returns the lines of the view.
pub(super) fn page(state: &EventsState, editor: &Editor, inside: Rect) -> ListPage {
    let theme = editor.theme;
    let head = filter_items(editor, state.filter, inside).map(ItemBar::line).into();
    let clock = editor.time.clock();
    let Some((search, recording)) = state.search.as_ref().zip(editor.time.recording()) else {
        let rows = ListRow::wrapped(
            &Span::raw(""),
            "the growth has not started yet",
            theme.quiet(),
            inside.width,
            None,
        );
        return ListPage::new(head, rows, 0, state.list, inside);
    };
    let mut rows = Vec::new();
    let line = |item: &EventItem| {
        let style = if item.turn == clock.turn {
            theme.accent()
        } else {
            theme.text()
        };
        let margin = format!("{:>6} ", thousands(item.turn));
        let color = Style::new().fg(theme.generation(item.generation));
        ListRow {
            text: Line::from(vec![
                Span::styled(margin, theme.quiet()),
                Span::styled("■ ", color),
                Span::styled(item.text.clone(), style),
            ]),
            link: Some(Link::Moment(item.turn, item.at)),
            now: item.turn == clock.turn,
        }
    };
    // A line about dropped events links to the turn at which the search stopped because of them.
    let edge = |over: bool, end: &str, at: u64, found: usize, dropped: bool| {
        let text = match (over, found >= WANTED) {
            _ if dropped => {
                "… events further away were dropped to save memory; follow this link to get them back".to_owned()
            }
            (true, _) => end.to_owned(),
            (false, true) => "… go to one of these events to see more".to_owned(),
            (false, false) => format!("… searching, {} so far", counted(at.abs_diff(clock.turn), "turn")),
        };
        let target = dropped.then(|| Link::Moment(at, editor.map.cursor()));
        ListRow::wrapped(&Span::raw(" ".repeat(7)), &text, theme.quiet(), inside.width, target)
    };
    rows.extend(edge(
        search.has_start,
        "the beginning",
        search.from,
        search.before.len(),
        search.dropped[0],
    ));
    rows.extend(search.before.iter().rev().map(line));
    let suggested = rows.len();
    let now = format!("now: {}", wording::moment(clock));
    rows.extend(ListRow::wrapped(
        &Span::styled("     ▸ ", theme.accent()),
        &now,
        theme.heading(),
        inside.width,
        None,
    ));
    rows.extend(search.after.iter().map(line));
    let end = if recording.is_finished() {
        "the end of growth"
    } else {
        "growth continues"
    };
    rows.extend(edge(
        search.to >= recording.turns(),
        end,
        search.to,
        search.after.len(),
        search.dropped[1],
    ));
    ListPage::new(head, rows, suggested, state.list, inside)
}
