//! Exports a dungeon as a Tiled map, in XML (TMX) or JSON (TMJ): a tile layer, and object layers for rooms, vaults and
//! their contents, doors, the first Builders, the path and named places.
//!
//! In Tiled, x runs to the right and y downwards, both in pixels. The tileset picture is a separate file, as Tiled
//! expects. Solid tiles have a collision shape. The importers for Godot (YATI) and Unity (SuperTiled2Unity) would also
//! make objects solid; custom properties prevent this.

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::objects::{self, Object, Properties, Property, Shape, text, whole};
use super::svg::escaped;
use super::tileset::{COLUMNS, Meaning, Tileset, file_name};
use super::{DungeonView, ExportError, ExportOptions, ExportTask};
use crate::geometry::Point;

/// Version of the format, and a version of Tiled that writes this format.
const VERSION: [&str; 2] = ["1.10", "1.10.2"];

/// The content that both formats share.
struct Map {
    tileset: Tileset,
    image: String,
    properties: Properties,
    groups: Vec<(&'static str, Vec<Object>)>,
}

impl Map {
    fn new(dungeon: &DungeonView<'_>, options: &ExportOptions, name: &str) -> Result<Self, ExportError> {
        let tileset = Tileset::new(dungeon, options)?;
        let side = i64::from(tileset.scale);
        Ok(Self {
            tileset,
            image: file_name(name),
            properties: objects::of_map(dungeon),
            groups: objects::groups(dungeon, side),
        })
    }

    /// Returns the next free layer id.
    fn next_layer(&self) -> usize {
        self.groups.len() + 2
    }

    /// Returns the next free object id.
    fn next_object(&self) -> usize {
        self.groups.iter().map(|(_, objects)| objects.len()).sum::<usize>() + 1
    }
}

impl Property {
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

/// Returns the properties of an object: its own properties and the type of its Godot node. Points have no node type,
/// because the Godot importer turns them into markers by default.
fn of_object(object: &Object) -> Properties {
    let node = match object.shape {
        Shape::Point => None,
        Shape::Rectangle(..) => Some("area"),
        Shape::Line(_) => Some("path"),
    };
    let mut properties = object.properties.clone();
    properties.extend(node.map(|node| ("godot_node_type", text(node))));
    properties.sort_by_key(|(name, _)| *name);
    properties
}

/// Returns the properties that every object layer has. They make the layer's objects non-solid in Unity.
fn of_group() -> Properties {
    vec![("unity:IsTrigger", Property::Truth(true))]
}

fn row(dungeon: &DungeonView<'_>, tileset: &Tileset, x: i32) -> String {
    let columns = dungeon.size().y;
    let numbers: Vec<String> = (0..columns)
        .map(|y| (tileset.number(dungeon, Point::new(x, y)) + 1).to_string())
        .collect();
    numbers.join(",")
}

/// Writes the tile numbers, one row per line.
fn write_rows(dungeon: &DungeonView<'_>, tileset: &Tileset, job: &mut ExportTask<'_>) -> Result<(), ExportError> {
    let rows = dungeon.size().x;
    for x in 0..rows {
        job.at(x as u64, rows as u64)?;
        let end = if x + 1 < rows { "," } else { "" };
        job.format(format_args!("{}{end}\n", row(dungeon, tileset, x)))?;
    }
    Ok(())
}

/// Returns the properties of a tile.
fn of_tile(meaning: Meaning) -> Properties {
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

/// Returns the collision shape of a solid tile, which covers the whole tile; an empty string for tiles that are not
/// solid.
fn shape_xml(meaning: Meaning, side: u32) -> String {
    if !meaning.is_solid() {
        return String::new();
    }
    format!(
        "<objectgroup draworder=\"index\" id=\"2\"><object id=\"1\" x=\"0\" y=\"0\" width=\"{side}\" height=\"{side}\"/>\
         </objectgroup>"
    )
}

fn shape_json(side: u32) -> Value {
    json!({
        "id": 2, "name": "", "type": "objectgroup", "draworder": "index", "x": 0, "y": 0, "opacity": 1, "visible": true,
        "objects": [{
            "id": 1, "name": "", "type": "", "x": 0, "y": 0, "width": side, "height": side, "rotation": 0,
            "visible": true,
        }],
    })
}

fn tile_json(id: usize, meaning: Meaning, side: u32) -> Value {
    let mut tile = json!({"id": id, "type": meaning.class(), "properties": properties_json(&of_tile(meaning))});
    if meaning.is_solid() {
        tile["objectgroup"] = shape_json(side);
    }
    tile
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
    xml += &properties_xml(&of_object(object));
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

pub(super) fn write_tmx(
    dungeon: &DungeonView<'_>,
    options: &ExportOptions,
    name: &str,
    job: &mut ExportTask<'_>,
) -> Result<(), ExportError> {
    let map = Map::new(dungeon, options, name)?;
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
        let (class, solid) = (meaning.class(), shape_xml(*meaning, side));
        job.format(format_args!(
            "<tile id=\"{id}\" type=\"{class}\">{properties}{solid}</tile>\n"
        ))?;
    }
    job.format(format_args!(
        "</tileset>\n<layer id=\"1\" name=\"Dungeon\" width=\"{width}\" height=\"{height}\">\n<data encoding=\"csv\">\n"
    ))?;
    write_rows(dungeon, &map.tileset, job)?;
    job.text("</data>\n</layer>\n")?;
    let mut id = 0;
    for (number, (name, objects)) in map.groups.iter().enumerate() {
        let properties = properties_xml(&of_group());
        job.format(format_args!(
            "<objectgroup id=\"{}\" name=\"{name}\">{properties}\n",
            number + 2
        ))?;
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
        "properties": properties_json(&of_object(object)),
    });
    match &object.shape {
        Shape::Point => value["point"] = true.into(),
        Shape::Rectangle(..) => {}
        Shape::Line(line) => value["polyline"] = line.iter().map(|[x, y]| json!({"x": x, "y": y})).collect(),
    }
    value
}

pub(super) fn write_tmj(
    dungeon: &DungeonView<'_>,
    options: &ExportOptions,
    name: &str,
    job: &mut ExportTask<'_>,
) -> Result<(), ExportError> {
    let map = Map::new(dungeon, options, name)?;
    let (width, height) = (dungeon.size().y, dungeon.size().x);
    let side = map.tileset.scale;
    let [version, program] = VERSION;
    let [across, down] = map.tileset.pixels();
    let tile = |(id, meaning): (usize, &Meaning)| tile_json(id, *meaning, side);
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
            "opacity": 1, "visible": true, "properties": properties_json(&of_group()), "objects": objects,
        });
        job.format(format_args!(",\n{group}"))?;
    }
    job.text("\n]\n}\n")
}
