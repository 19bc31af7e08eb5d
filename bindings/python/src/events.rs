//! The events of a recording as a table.

use std::sync::Arc;

use arrow_array::builder::{Int32Builder, StringDictionaryBuilder, UInt8Builder, UInt32Builder, UInt64Builder};
use arrow_array::types::Int8Type;
use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_schema::{ArrowError, Field, Schema};
use wallcrawler::engine::{Birth, Death, Event, Opening, Tile, TurnReason};
use wallcrawler::geometry::{Forward, Point};
use wallcrawler::recording::Recording;

/// Returns the events of a recording up to a turn: one row each, in order. Those before the first turn have turn 0.
pub(crate) fn table(recording: &Recording, turn: u64) -> Result<RecordBatch, ArrowError> {
    let mut table = EventTable::default();
    let first = recording.iteration_of(0);
    for event in recording.events_of(0) {
        table.add(0, first, &event);
    }
    let (mut last, mut iteration) = (0, first);
    recording.walk(0, turn, |turn, event| {
        if turn != last {
            (last, iteration) = (turn, recording.iteration_of(turn));
        }
        table.add(turn, iteration, event);
    });
    table.finish()
}

type Words = StringDictionaryBuilder<Int8Type>;

/// The columns of the table. Each event has values in the columns that apply to it; its other values are missing.
#[derive(Default)]
struct EventTable {
    turn: UInt64Builder,
    iteration: UInt32Builder,
    event: Words,
    builder: UInt32Builder,
    row: Int32Builder,
    column: Int32Builder,
    from_row: Int32Builder,
    from_column: Int32Builder,
    forward: Words,
    from_forward: Words,
    tile: Words,
    before: Words,
    reason: Words,
    kind: Words,
    parent: UInt32Builder,
    generation: UInt32Builder,
    direction: Words,
    opening: Words,
    wakes: UInt32Builder,
    rolled: UInt8Builder,
    chance: UInt8Builder,
    free: UInt32Builder,
    needed: UInt32Builder,
    side: UInt32Builder,
    distance: UInt32Builder,
    living: UInt32Builder,
}

/// The values of one event.
#[derive(Default)]
struct EventRow {
    event: &'static str,
    at: Option<Point>,
    from: Option<Point>,
    forward: Option<&'static str>,
    from_forward: Option<&'static str>,
    tile: Option<&'static str>,
    before: Option<&'static str>,
    reason: Option<&'static str>,
    birth: Option<Birth>,
    opening: Option<&'static str>,
    rolled: Option<u8>,
    chance: Option<u8>,
    free: Option<u32>,
    needed: Option<u32>,
    side: Option<u32>,
    distance: Option<u32>,
    living: Option<u32>,
}

impl EventRow {
    /// Returns the values of an event.
    fn of(event: &Event) -> Self {
        let none = Self::default();
        match *event {
            Event::Born { birth, .. } => Self {
                event: "born",
                at: Some(birth.at),
                forward: Some(forward(birth.forward)),
                opening: Some(opening(birth.opening)),
                birth: Some(birth),
                ..none
            },
            Event::Unborn { living, .. } => Self {
                event: "unborn",
                living: Some(living),
                ..none
            },
            Event::Woke { .. } => Self { event: "woke", ..none },
            Event::Laid { at, before, tile, .. } => Self {
                event: "laid",
                at: Some(at),
                tile: Some(tile_name(tile)),
                before: Some(tile_name(before)),
                ..none
            },
            Event::Moved { from, to, .. } => Self {
                event: "moved",
                at: Some(to),
                from: Some(from),
                ..none
            },
            Event::Turned { from, to, why, .. } => Self::of_turn(from, to, why),
            Event::OpeningChanged { to, .. } => Self {
                event: "opening_changed",
                opening: Some(opening(to)),
                ..none
            },
            Event::Joined { distance, .. } => Self {
                event: "joined",
                distance: Some(distance),
                ..none
            },
            Event::Died { cause, .. } => Self {
                event: "died",
                reason: Some(match cause {
                    Death::Blocked => "blocked",
                    Death::Aged => "aged",
                    Death::Joined => "joined",
                }),
                ..none
            },
        }
    }

    fn of_turn(from: Forward, to: Forward, why: TurnReason) -> Self {
        let turned = Self {
            event: "turned",
            forward: Some(forward(to)),
            from_forward: Some(forward(from)),
            ..Self::default()
        };
        match why {
            TurnReason::Forced { free, needed, side } => Self {
                reason: Some("forced"),
                free: Some(free),
                needed: Some(needed),
                side: Some(side),
                ..turned
            },
            TurnReason::Free { rolled, chance } => Self {
                reason: Some("free"),
                rolled: Some(rolled),
                chance: Some(chance),
                ..turned
            },
        }
    }
}

impl EventTable {
    /// Adds an event that happens in this turn and iteration.
    fn add(&mut self, turn: u64, iteration: u32, event: &Event) {
        let row = EventRow::of(event);
        self.turn.append_value(turn);
        self.iteration.append_value(iteration);
        self.event.append_value(row.event);
        self.builder.append_value(event.builder().0);
        self.row.append_option(row.at.map(|at| at.x));
        self.column.append_option(row.at.map(|at| at.y));
        self.from_row.append_option(row.from.map(|at| at.x));
        self.from_column.append_option(row.from.map(|at| at.y));
        self.forward.append_option(row.forward);
        self.from_forward.append_option(row.from_forward);
        self.tile.append_option(row.tile);
        self.before.append_option(row.before);
        self.reason.append_option(row.reason);
        let birth = row.birth;
        self.kind.append_option(birth.map(|birth| kind(&birth)));
        self.parent.append_option(birth.and_then(|birth| Some(birth.parent?.0)));
        self.generation.append_option(birth.map(|birth| birth.generation));
        self.direction
            .append_option(birth.and_then(|birth| Some(DIRECTIONS[birth.direction? as usize])));
        self.opening.append_option(row.opening);
        self.wakes.append_option(birth.map(|birth| birth.wakes));
        self.rolled.append_option(row.rolled);
        self.chance.append_option(row.chance);
        self.free.append_option(row.free);
        self.needed.append_option(row.needed);
        self.side.append_option(row.side);
        self.distance.append_option(row.distance);
        self.living.append_option(row.living);
    }

    /// Returns the collected events as a table.
    fn finish(mut self) -> Result<RecordBatch, ArrowError> {
        let columns: [(&str, ArrayRef); 26] = [
            ("turn", Arc::new(self.turn.finish())),
            ("iteration", Arc::new(self.iteration.finish())),
            ("event", Arc::new(self.event.finish())),
            ("builder", Arc::new(self.builder.finish())),
            ("row", Arc::new(self.row.finish())),
            ("column", Arc::new(self.column.finish())),
            ("from_row", Arc::new(self.from_row.finish())),
            ("from_column", Arc::new(self.from_column.finish())),
            ("forward", Arc::new(self.forward.finish())),
            ("from_forward", Arc::new(self.from_forward.finish())),
            ("tile", Arc::new(self.tile.finish())),
            ("before", Arc::new(self.before.finish())),
            ("reason", Arc::new(self.reason.finish())),
            ("kind", Arc::new(self.kind.finish())),
            ("parent", Arc::new(self.parent.finish())),
            ("generation", Arc::new(self.generation.finish())),
            ("direction", Arc::new(self.direction.finish())),
            ("opening", Arc::new(self.opening.finish())),
            ("wakes", Arc::new(self.wakes.finish())),
            ("rolled", Arc::new(self.rolled.finish())),
            ("chance", Arc::new(self.chance.finish())),
            ("free", Arc::new(self.free.finish())),
            ("needed", Arc::new(self.needed.finish())),
            ("side", Arc::new(self.side.finish())),
            ("distance", Arc::new(self.distance.finish())),
            ("living", Arc::new(self.living.finish())),
        ];
        let fields = columns.iter().enumerate().map(|(index, (name, column))| {
            // Every event has values in the first four columns.
            Field::new(*name, column.data_type().clone(), index >= 4)
        });
        let schema = Schema::new(fields.collect::<Vec<_>>());
        RecordBatch::try_new(Arc::new(schema), columns.map(|(_, column)| column).to_vec())
    }
}

/// Returns the name of a kind of tile, as in the JSON export.
const fn tile_name(tile: Tile) -> &'static str {
    match tile {
        Tile::Open => "open",
        Tile::Guaranteed => "guaranteed",
        Tile::Wall => "wall",
        Tile::HighWall => "high_wall",
        Tile::Column => "column",
    }
}

const fn forward(forward: Forward) -> &'static str {
    match forward {
        Forward::North => "north",
        Forward::East => "east",
        Forward::South => "south",
        Forward::West => "west",
    }
}

/// Names of the Directions, in the order of [`Direction::ALL`](wallcrawler::geometry::Direction::ALL).
const DIRECTIONS: [&str; 8] = [
    "north",
    "north_east",
    "east",
    "south_east",
    "south",
    "south_west",
    "west",
    "north_west",
];

const fn opening(opening: Opening) -> &'static str {
    match opening {
        Opening::Closed => "closed",
        Opening::End => "end",
        Opening::Start => "start",
    }
}

const fn kind(birth: &Birth) -> &'static str {
    use wallcrawler::engine::BuilderKind::{Crawler, DoorJumper, Jumper, RoomJumper};
    match birth.kind {
        Crawler => "crawler",
        Jumper => "jumper",
        DoorJumper => "door_jumper",
        RoomJumper => "room_jumper",
    }
}
