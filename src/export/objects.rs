//! The objects of exported maps: rooms, vaults and their contents, doors, the first Builders, the path and named
//! places, with their properties.
//!
//! Tiled and LDtk exports share these objects. Coordinates are in pixels; x runs to the right and y downwards.

use super::{DoorOf, DungeonView};
use crate::design::VaultContent;
use crate::engine::Opening;
use crate::geometry::Point;
use crate::recording_file::PROGRAM;

/// The value of a property of an object, a tile or the map. The name of a property must not be a name that Tiled itself
/// uses, such as `width`, because the Python library pytmx rejects maps with such properties.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Property {
    Whole(i64),
    Truth(bool),
    Text(String),
}

pub(super) type Properties = Vec<(&'static str, Property)>;

/// The shape of an object, in pixels: a rectangle has a width and a height, a line has points relative to the object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Shape {
    Point,
    Rectangle(i64, i64),
    Line(Vec<[i64; 2]>),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Object {
    pub(super) name: String,
    pub(super) class: &'static str,
    pub(super) x: i64,
    pub(super) y: i64,
    pub(super) shape: Shape,
    pub(super) properties: Properties,
}

pub(super) fn text(text: impl std::fmt::Display) -> Property {
    Property::Text(format!("{text}"))
}

pub(super) fn whole(number: impl Into<i64>) -> Property {
    Property::Whole(number.into())
}

/// Returns the properties of the map, sorted by name. They identify the design, the seed and the turn.
pub(super) fn of_map(dungeon: &DungeonView<'_>) -> Properties {
    let (design, clock) = (dungeon.design(), dungeon.clock());
    vec![
        ("design", text(design.name.trim())),
        ("iterations", whole(clock.iteration)),
        ("program", text(PROGRAM)),
        // The seed and the turns are text, because the integers of Tiled and LDtk may be too small for them.
        ("seed", text(design.seed)),
        ("turns", text(clock.turn)),
    ]
}

/// Returns the position and shape of the rectangle from the square `from` (top left) to the square `to` (bottom right).
fn rectangle(from: Point, to: Point, side: i64) -> (i64, i64, Shape) {
    let length = |from: i32, to: i32| (i64::from(to) - i64::from(from) + 1) * side;
    (
        i64::from(from.y) * side,
        i64::from(from.x) * side,
        Shape::Rectangle(length(from.y, to.y), length(from.x, to.x)),
    )
}

/// Returns the centre of a square.
fn middle(at: Point, side: i64) -> [i64; 2] {
    [at.y, at.x].map(|square| i64::from(square) * side + side / 2)
}

fn rooms(dungeon: &DungeonView<'_>, side: i64) -> Vec<Object> {
    let room = |room: &crate::engine::stage_one::BuiltRoom| {
        let corner = |by: i32| Point::new(room.center.x + by, room.center.y + by);
        let (x, y, shape) = rectangle(corner(-room.width), corner(room.width), side);
        Object {
            name: format!("room {}", room.index + 1),
            class: "room",
            x,
            y,
            shape,
            properties: vec![("room", whole(room.index as i64 + 1))],
        }
    };
    dungeon.rooms().iter().map(room).collect()
}

fn vaults(dungeon: &DungeonView<'_>, side: i64) -> Vec<Object> {
    let vault = |piece: &crate::design::PlacedVault| {
        let last = Point::new(piece.at.x + piece.size.x - 1, piece.at.y + piece.size.y - 1);
        let (x, y, shape) = rectangle(piece.at, last, side);
        Object {
            name: piece.name.clone(),
            class: "vault",
            x,
            y,
            shape,
            properties: vec![("vault", whole(piece.vault as i64 + 1))],
        }
    };
    dungeon.design().placed().iter().map(vault).collect()
}

/// Returns an object for each monster, item, shop, portal or marker in the vaults.
fn contents(dungeon: &DungeonView<'_>, side: i64) -> Vec<Object> {
    let object = |(vault, content): (usize, &VaultContent)| {
        let [x, y] = middle(content.at, side);
        let mut properties = vec![("content", text(&content.text))];
        if !content.properties.is_empty() {
            properties.push(("details", text(content.properties_text())));
        }
        properties.push(("vault", whole(vault as i64 + 1)));
        Object {
            name: content.text.clone(),
            class: content.kind.name(),
            x,
            y,
            shape: Shape::Point,
            properties,
        }
    };
    dungeon.contents().map(object).collect()
}

/// Returns the objects of the doors: one for each horizontal or vertical line of open squares in a door. Squares that
/// were walled up are left out.
fn doors(dungeon: &DungeonView<'_>, side: i64) -> Vec<Object> {
    let mut objects = Vec::new();
    for door in dungeon.doors() {
        let (name, properties) = match door.of {
            DoorOf::Room(room, place) => (
                format!("{place} of room {}", room + 1),
                vec![("room", whole(room as i64 + 1)), ("site", text(place))],
            ),
            DoorOf::Vault(vault, feature) => (
                feature.name().replace('_', " "),
                vec![("feature", text(feature.name())), ("vault", whole(vault as i64 + 1))],
            ),
        };
        let mut properties: Vec<_> = properties;
        properties.push(("shut", Property::Truth(door.is_shut())));
        properties.sort_by_key(|(name, _)| *name);
        for [from, to] in door.runs(dungeon).iter().flat_map(super::dungeon::Run::rows) {
            let (x, y, shape) = rectangle(from, to, side);
            objects.push(Object {
                name: name.clone(),
                class: "door",
                x,
                y,
                shape,
                properties: properties.clone(),
            });
        }
    }
    objects
}

fn places(dungeon: &DungeonView<'_>, side: i64) -> Vec<Object> {
    let place = |(name, at): (&str, Point)| {
        let [x, y] = middle(at, side);
        // -1 means that the place cannot be reached.
        let steps = dungeon.steps(at).map_or(-1, i64::from);
        Object {
            name: name.to_owned(),
            class: "place",
            x,
            y,
            shape: Shape::Point,
            properties: vec![("steps", whole(steps))],
        }
    };
    dungeon.places().map(place).collect()
}

/// Returns the Builders without parents: the first Crawlers, and the Crawlers and Jumpers of rooms.
fn first_builders(dungeon: &DungeonView<'_>, side: i64) -> Vec<Object> {
    let builders = dungeon.frame().builders().iter().enumerate();
    let first = builders.filter(|(_, builder)| builder.birth.parent.is_none());
    let object = |(id, builder): (usize, &crate::recording::FrameBuilder)| {
        let birth = &builder.birth;
        let [x, y] = middle(birth.at, side);
        let direction = birth.direction.map_or("none".into(), |direction| direction.to_string());
        let opening = match birth.opening {
            Opening::Closed => "closed",
            Opening::End => "end",
            Opening::Start => "start",
        };
        Object {
            name: format!("{} {}", birth.kind.name(), id + 1),
            class: if birth.kind.is_jumper() { "jumper" } else { "crawler" },
            x,
            y,
            shape: Shape::Point,
            properties: vec![
                ("direction", text(direction)),
                ("forward", text(birth.forward)),
                ("laid", whole(builder.laid)),
                ("opening", text(opening)),
                ("wakes", whole(birth.wakes)),
            ],
        }
    };
    first.map(object).collect()
}

fn way(dungeon: &DungeonView<'_>, side: i64) -> Vec<Object> {
    let metrics = dungeon.metrics();
    let mut objects = Vec::new();
    for (name, class, at) in [
        ("Entrance", "entrance", metrics.entrance),
        ("Exit", "exit", metrics.exit),
    ] {
        if let Some([x, y]) = at.map(|at| middle(at, side)) {
            objects.push(Object {
                name: name.into(),
                class,
                x,
                y,
                shape: Shape::Point,
                properties: Vec::new(),
            });
        }
    }
    // Keep only the ends of the path and its turning points.
    let way = &metrics.way;
    let goes_on = |i: usize| {
        let (Some(before), Some(after)) = (i.checked_sub(1).and_then(|i| way.get(i)), way.get(i + 1)) else {
            return false;
        };
        before.x == after.x || before.y == after.y
    };
    let turns: Vec<Point> = (0..way.len()).filter(|i| !goes_on(*i)).map(|i| way[i]).collect();
    if let [first, _, ..] = turns[..] {
        let [x, y] = middle(first, side);
        let line = turns
            .iter()
            .map(|at| middle(*at, side))
            .map(|[px, py]| [px - x, py - y]);
        objects.push(Object {
            name: "Path".into(),
            class: "path",
            x,
            y,
            shape: Shape::Line(line.collect()),
            properties: vec![("steps", whole(metrics.path().unwrap_or(0)))],
        });
    }
    objects
}

/// Returns the objects of a dungeon in named groups; `side` is the side length of a square in pixels.
pub(super) fn groups(dungeon: &DungeonView<'_>, side: i64) -> Vec<(&'static str, Vec<Object>)> {
    let mut groups = vec![
        ("Rooms", rooms(dungeon, side)),
        ("Vaults", vaults(dungeon, side)),
        ("Doors", doors(dungeon, side)),
        ("First Crawlers", first_builders(dungeon, side)),
        ("Path", way(dungeon, side)),
        ("Places", places(dungeon, side)),
    ];
    let contents = contents(dungeon, side);
    if !contents.is_empty() {
        groups.push(("Contents", contents));
    }
    groups
}
