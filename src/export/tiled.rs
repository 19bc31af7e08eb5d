//! A dungeon as a map of Tiled, in XML (TMX) or JSON (TMJ): a layer of tiles, and rooms, vaults, doors, the first
//! Crawlers and the way through it as objects.
//!
//! Tiled's x goes across and its y down, in pixels. The tiles' picture is a file of its own, as Tiled has it.

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::svg::escaped;
use super::tileset::{COLUMNS, Tileset, file_name};
use super::{DoorOf, Dungeon, Error, Job, Options};
use crate::engine::Opening;
use crate::geometry::Point;

/// The version of the format, and the Tiled that it came with.
const VERSION: [&str; 2] = ["1.10", "1.10.2"];

/// A property of an object, a tile or the map. No name may be one of Tiled's own, as `width`: pytmx refuses such maps.
enum Property {
    Whole(i64),
    Truth(bool),
    Text(String),
}

type Properties = Vec<(&'static str, Property)>;

/// The shape of an object, in pixels; rectangles have a size.
enum Shape {
    Point,
    Rectangle(i64, i64),
    Line(Vec<[i64; 2]>),
}

struct Object {
    name: String,
    class: &'static str,
    x: i64,
    y: i64,
    shape: Shape,
    properties: Properties,
}

/// What both formats say.
struct Map {
    tileset: Tileset,
    image: String,
    properties: Properties,
    groups: Vec<(&'static str, Vec<Object>)>,
}

fn text(text: impl std::fmt::Display) -> Property {
    Property::Text(format!("{text}"))
}

fn whole(number: impl Into<i64>) -> Property {
    Property::Whole(number.into())
}

impl Map {
    fn new(dungeon: &Dungeon<'_>, options: &Options, name: &str) -> Self {
        let tileset = Tileset::new(dungeon, options);
        let side = i64::from(tileset.scale);
        let clock = dungeon.clock();
        let properties = vec![
            ("design", text(dungeon.design().name.trim())),
            ("iterations", whole(clock.iteration)),
            ("program", text(concat!("wallcrawler ", env!("CARGO_PKG_VERSION")))),
            // A number of Tiled's may be too small for it.
            ("seed", text(dungeon.design().seed)),
            ("turns", text(clock.turn)),
        ];
        let groups = vec![
            ("Rooms", rooms(dungeon, side)),
            ("Vaults", vaults(dungeon, side)),
            ("Doors", doors(dungeon, side)),
            ("First Crawlers", crawlers(dungeon, side)),
            ("Path", way(dungeon, side)),
        ];
        Self {
            tileset,
            image: file_name(name),
            properties,
            groups,
        }
    }

    /// The number after that of the last layer.
    fn next_layer(&self) -> usize {
        self.groups.len() + 2
    }

    /// The number after that of the last object.
    fn next_object(&self) -> usize {
        self.groups.iter().map(|(_, objects)| objects.len()).sum::<usize>() + 1
    }
}

/// The squares from the left top one to the right bottom one.
fn rectangle(from: Point, to: Point, side: i64) -> (i64, i64, Shape) {
    let length = |from: i32, to: i32| (i64::from(to) - i64::from(from) + 1) * side;
    (
        i64::from(from.y) * side,
        i64::from(from.x) * side,
        Shape::Rectangle(length(from.y, to.y), length(from.x, to.x)),
    )
}

/// The middle of a square.
fn middle(at: Point, side: i64) -> [i64; 2] {
    [at.y, at.x].map(|square| i64::from(square) * side + side / 2)
}

fn rooms(dungeon: &Dungeon<'_>, side: i64) -> Vec<Object> {
    let room = |room: &crate::engine::layout::BuiltRoom| {
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

fn vaults(dungeon: &Dungeon<'_>, side: i64) -> Vec<Object> {
    let (standing, _) = crate::design::standing(dungeon.design().pieces(), dungeon.size());
    let vault = |piece: &crate::design::Piece| {
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
    standing.into_iter().map(vault).collect()
}

/// Each straight row of a door's open squares; what was walled up is no door any more.
fn doors(dungeon: &Dungeon<'_>, side: i64) -> Vec<Object> {
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
                properties: properties.iter().map(|(name, value)| (*name, value.copied())).collect(),
            });
        }
    }
    objects
}

impl Property {
    fn copied(&self) -> Self {
        match self {
            Self::Whole(number) => Self::Whole(*number),
            Self::Truth(truth) => Self::Truth(*truth),
            Self::Text(text) => Self::Text(text.clone()),
        }
    }

    const fn type_name(&self) -> &'static str {
        match self {
            Self::Whole(_) => "int",
            Self::Truth(_) => "bool",
            Self::Text(_) => "string",
        }
    }

    fn value(&self) -> Value {
        match self {
            Self::Whole(number) => (*number).into(),
            Self::Truth(truth) => (*truth).into(),
            Self::Text(text) => text.clone().into(),
        }
    }

    fn written(&self) -> String {
        match self {
            Self::Whole(number) => number.to_string(),
            Self::Truth(truth) => truth.to_string(),
            Self::Text(text) => escaped(text),
        }
    }
}

fn crawlers(dungeon: &Dungeon<'_>, side: i64) -> Vec<Object> {
    let builders = dungeon.frame().builders().iter().enumerate();
    let first = builders.filter(|(_, builder)| builder.birth.parent.is_none());
    let crawler = |(id, builder): (usize, &crate::recording::Shown)| {
        let birth = &builder.birth;
        let [x, y] = middle(birth.at, side);
        let direction = birth.direction.map_or("none".into(), |direction| direction.to_string());
        let opening = match birth.opening {
            Opening::Closed => "closed",
            Opening::End => "end",
            Opening::Start => "start",
        };
        Object {
            name: format!("Crawler {}", id + 1),
            class: "crawler",
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
    first.map(crawler).collect()
}

fn way(dungeon: &Dungeon<'_>, side: i64) -> Vec<Object> {
    let figures = dungeon.figures();
    let mut objects = Vec::new();
    for (name, class, at) in [
        ("Entrance", "entrance", figures.entrance),
        ("Exit", "exit", figures.exit),
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
    // Only where it turns, and its ends.
    let way = &figures.way;
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
            properties: vec![("steps", whole(figures.path().unwrap_or(0)))],
        });
    }
    objects
}

fn row(dungeon: &Dungeon<'_>, tileset: &Tileset, x: i32) -> String {
    let columns = dungeon.size().y;
    let numbers: Vec<String> = (0..columns)
        .map(|y| (tileset.number(dungeon, Point::new(x, y)) + 1).to_string())
        .collect();
    numbers.join(",")
}

/// The rows of tiles, each on a line.
fn write_rows(dungeon: &Dungeon<'_>, tileset: &Tileset, job: &mut Job<'_>) -> Result<(), Error> {
    let rows = dungeon.size().x;
    for x in 0..rows {
        job.at(x as u64, rows as u64)?;
        let end = if x + 1 < rows { "," } else { "" };
        job.format(format_args!("{}{end}\n", row(dungeon, tileset, x)))?;
    }
    Ok(())
}

/// The properties of a tile.
fn of_tile(meaning: super::tileset::Meaning) -> Properties {
    let generation = meaning.generation();
    let generation = generation.map(|generation| ("generation", whole(generation)));
    generation
        .into_iter()
        .chain([("solid", Property::Truth(meaning.is_solid()))])
        .collect()
}

fn properties_xml(properties: &Properties) -> String {
    if properties.is_empty() {
        return String::new();
    }
    let mut xml = String::from("<properties>");
    for (name, value) in properties {
        // Writing to a string cannot fail.
        let _ = write!(
            xml,
            "<property name=\"{name}\" type=\"{}\" value=\"{}\"/>",
            value.type_name(),
            value.written()
        );
    }
    xml + "</properties>"
}

fn object_xml(id: usize, object: &Object) -> String {
    let Object { class, x, y, .. } = object;
    let mut xml = format!(
        "<object id=\"{id}\" name=\"{}\" type=\"{class}\" x=\"{x}\" y=\"{y}\"",
        escaped(&object.name)
    );
    if let Shape::Rectangle(width, height) = object.shape {
        let _ = write!(xml, " width=\"{width}\" height=\"{height}\"");
    }
    xml.push('>');
    xml += &properties_xml(&object.properties);
    match &object.shape {
        Shape::Point => xml += "<point/>",
        Shape::Rectangle(..) => {}
        Shape::Line(line) => {
            let points: Vec<String> = line.iter().map(|[x, y]| format!("{x},{y}")).collect();
            let _ = write!(xml, "<polyline points=\"{}\"/>", points.join(" "));
        }
    }
    xml + "</object>\n"
}

pub(super) fn write_tmx(dungeon: &Dungeon<'_>, options: &Options, name: &str, job: &mut Job<'_>) -> Result<(), Error> {
    let map = Map::new(dungeon, options, name);
    let (width, height) = (dungeon.size().y, dungeon.size().x);
    let side = map.tileset.scale;
    let [version, program] = VERSION;
    job.format(format_args!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<map version=\"{version}\" tiledversion=\"{program}\" \
         orientation=\"orthogonal\" renderorder=\"right-down\" width=\"{width}\" height=\"{height}\" \
         tilewidth=\"{side}\" tileheight=\"{side}\" infinite=\"0\" nextlayerid=\"{}\" nextobjectid=\"{}\">\n{}\n",
        map.next_layer(),
        map.next_object(),
        properties_xml(&map.properties)
    ))?;
    let [across, down] = map.tileset.pixels();
    job.format(format_args!(
        "<tileset firstgid=\"1\" name=\"wallcrawler\" tilewidth=\"{side}\" tileheight=\"{side}\" tilecount=\"{}\" \
         columns=\"{COLUMNS}\">\n<image source=\"{}\" width=\"{across}\" height=\"{down}\"/>\n",
        COLUMNS * (down / side),
        escaped(&map.image)
    ))?;
    for (id, meaning) in map.tileset.tiles.iter().enumerate() {
        let properties = properties_xml(&of_tile(*meaning));
        let class = meaning.class();
        job.format(format_args!("<tile id=\"{id}\" type=\"{class}\">{properties}</tile>\n"))?;
    }
    job.format(format_args!(
        "</tileset>\n<layer id=\"1\" name=\"Dungeon\" width=\"{width}\" height=\"{height}\">\n<data encoding=\"csv\">\n"
    ))?;
    write_rows(dungeon, &map.tileset, job)?;
    job.text("</data>\n</layer>\n")?;
    let mut id = 0;
    for (number, (name, objects)) in map.groups.iter().enumerate() {
        job.format(format_args!("<objectgroup id=\"{}\" name=\"{name}\">\n", number + 2))?;
        for object in objects {
            id += 1;
            job.text(&object_xml(id, object))?;
        }
        job.text("</objectgroup>\n")?;
    }
    job.text("</map>\n")
}

fn properties_json(properties: &Properties) -> Value {
    let property =
        |(name, value): &(&str, Property)| json!({"name": name, "type": value.type_name(), "value": value.value()});
    properties.iter().map(property).collect()
}

fn object_json(id: usize, object: &Object) -> Value {
    let (width, height) = match object.shape {
        Shape::Rectangle(width, height) => (width, height),
        _ => (0, 0),
    };
    let mut value = json!({
        "id": id,
        "name": object.name,
        "type": object.class,
        "x": object.x,
        "y": object.y,
        "width": width,
        "height": height,
        "rotation": 0,
        "visible": true,
        "properties": properties_json(&object.properties),
    });
    match &object.shape {
        Shape::Point => value["point"] = true.into(),
        Shape::Rectangle(..) => {}
        Shape::Line(line) => value["polyline"] = line.iter().map(|[x, y]| json!({"x": x, "y": y})).collect(),
    }
    value
}

pub(super) fn write_tmj(dungeon: &Dungeon<'_>, options: &Options, name: &str, job: &mut Job<'_>) -> Result<(), Error> {
    let map = Map::new(dungeon, options, name);
    let (width, height) = (dungeon.size().y, dungeon.size().x);
    let side = map.tileset.scale;
    let [version, program] = VERSION;
    let [across, down] = map.tileset.pixels();
    let tile = |(id, meaning): (usize, &super::tileset::Meaning)| json!({"id": id, "type": meaning.class(), "properties": properties_json(&of_tile(*meaning))});
    let tileset = json!({
        "firstgid": 1, "name": "wallcrawler", "image": map.image, "imagewidth": across, "imageheight": down,
        "tilewidth": side, "tileheight": side, "tilecount": COLUMNS * (down / side), "columns": COLUMNS,
        "margin": 0, "spacing": 0,
        "tiles": map.tileset.tiles.iter().enumerate().map(tile).collect::<Value>(),
    });
    job.format(format_args!(
        "{{\n\"type\": \"map\", \"version\": \"{version}\", \"tiledversion\": \"{program}\", \
         \"orientation\": \"orthogonal\", \"renderorder\": \"right-down\", \"compressionlevel\": -1, \
         \"width\": {width}, \"height\": {height}, \"tilewidth\": {side}, \"tileheight\": {side}, \
         \"infinite\": false, \"nextlayerid\": {}, \"nextobjectid\": {},\n\"properties\": {},\n\"tilesets\": [{tileset}],\n\
         \"layers\": [\n{{\"id\": 1, \"name\": \"Dungeon\", \"type\": \"tilelayer\", \"x\": 0, \"y\": 0, \
         \"width\": {width}, \"height\": {height}, \"opacity\": 1, \"visible\": true, \"data\": [\n",
        map.next_layer(),
        map.next_object(),
        properties_json(&map.properties)
    ))?;
    write_rows(dungeon, &map.tileset, job)?;
    job.text("]}")?;
    let mut id = 0;
    for (number, (name, objects)) in map.groups.iter().enumerate() {
        let objects: Value = objects
            .iter()
            .map(|object| {
                id += 1;
                object_json(id, object)
            })
            .collect();
        let group = json!({
            "id": number + 2, "name": name, "type": "objectgroup", "draworder": "topdown", "x": 0, "y": 0,
            "opacity": 1, "visible": true, "objects": objects,
        });
        job.format(format_args!(",\n{group}"))?;
    }
    job.text("\n]\n}\n")
}
