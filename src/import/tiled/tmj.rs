//! Reads Tiled maps and tilesets in JSON, and dungeons that Wallcrawler exported as JSON.

use std::rc::Rc;

use serde_json::Value;

use super::tmx::FAR;
use super::{
    Chunk, Chunks, Layer, Map, Rejection, Room, Tile, Tiles, Tileset, check_orientation, data, numbered, rejection,
};
use crate::design::Diagnostic;
use crate::export::VERSION;
use crate::format::Text;
use crate::geometry::Size;
use crate::import::square::Drawing;
use crate::import::{FetchFile, text};
use crate::text::{counted, escape_line};

/// What a JSON file contains.
pub(super) enum Found {
    /// A Tiled map.
    Map(Map),
    /// A dungeon that Wallcrawler exported.
    Dungeon(Drawing),
}

fn value(text: &Text) -> Result<Value, Rejection> {
    let content = text.content();
    let json = content.trim_start_matches('\u{feff}');
    serde_json::from_str(json).map_err(|error| {
        let skipped = content.len() - json.len();
        let lines = json.split_inclusive('\n').take(error.line().saturating_sub(1));
        let from = skipped + lines.map(str::len).sum::<usize>() + error.column().saturating_sub(1);
        let from = from.min(content.len());
        let end = content.as_bytes()[from..].iter().position(|byte| *byte == b'\n');
        let end = end.map_or(content.len(), |end| from + end);
        // Remove the line and column from the message, because the diagnostic already shows them.
        let why = error.to_string();
        let why = why.split(" at line ").next().unwrap_or_default();
        Box::new(
            Diagnostic::error(format!("this is not JSON: {why}"))
                .from_source(text.source(from..end))
                .help("save the map again"),
        )
    })
}

fn word<'a>(value: &'a Value, name: &str) -> &'a str {
    value[name].as_str().unwrap_or_default()
}

fn list<'a>(value: &'a Value, name: &str) -> &'a [Value] {
    value[name].as_array().map_or(&[], Vec::as_slice)
}

pub(super) fn read(
    text: &Text,
    fetch: &mut FetchFile<'_>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Result<Found, Rejection> {
    let value = value(text)?;
    if word(&value, "format") == "wallcrawler-dungeon" {
        return dungeon(&value).map(Found::Dungeon);
    }
    if value["layers"].as_array().is_none() {
        return Err(rejection(
            format!("{} is not a Tiled map: it has no layers", text.name()),
            "use a map saved by Tiled as JSON, or a dungeon exported by Wallcrawler",
        ));
    }
    check_orientation(word(&value, "orientation"))?;
    let mut map = Map::default();
    for set in list(&value, "tilesets") {
        let first = set["firstgid"]
            .as_u64()
            .and_then(|first| u32::try_from(first).ok())
            .unwrap_or(1);
        if let Some(source) = set["source"].as_str() {
            map.add_external(source, first, fetch, diagnostics);
        } else {
            let tiles = Rc::new(tileset(set));
            map.tilesets.push(Tileset { first, tiles });
        }
    }
    layers(&value, true, &mut map)?;
    Ok(Found::Map(map))
}

/// Reads a dungeon that Wallcrawler exported. Fails if the version of the format or a tile is unknown, or if the rows
/// of tiles do not match the stated size.
fn dungeon(value: &Value) -> Result<Drawing, Rejection> {
    let version = &value["version"];
    if !version.is_null() && *version != VERSION {
        return Err(rejection(
            format!(
                "this dungeon was exported in version {version} of the format; this program reads version {VERSION}"
            ),
            "use a newer version of Wallcrawler, or export the dungeon again",
        ));
    }
    let damaged = |message: String| rejection(message, "export the dungeon again");
    let mut rows = Vec::new();
    for (x, row) in list(value, "tiles").iter().enumerate() {
        let Some(row) = row.as_str() else {
            return Err(damaged(format!("row {x} of `tiles` is not a string")));
        };
        let square = |(y, c): (usize, char)| {
            let unknown = || {
                damaged(format!(
                    "the tile at row {x}, column {y} is `{}`, which is unknown",
                    escape_line(&c.to_string())
                ))
            };
            text::own_square(c).ok_or_else(unknown)
        };
        rows.push(row.chars().enumerate().map(square).collect::<Result<Vec<_>, _>>()?);
    }
    let side = |name: &str| value["size"][name].as_u64().map(|side| side as usize);
    if let Some(stated) = side("x").filter(|stated| *stated != rows.len()) {
        let found = rows.len();
        return Err(damaged(format!("`size` states {stated} rows, but `tiles` has {found}")));
    }
    let columns = side("y").or_else(|| rows.first().map(Vec::len)).unwrap_or(0);
    if let Some((x, row)) = rows.iter().enumerate().find(|(_, row)| row.len() != columns) {
        let found = counted(row.len(), "tile");
        return Err(damaged(format!(
            "row {x} of `tiles` has {found}; the dungeon has {columns} columns"
        )));
    }
    let mut drawing = Drawing::of_rows(&rows);
    drawing.is_plain = false;
    Ok(drawing)
}

/// Reads all tile layers, including those inside groups. `visible` is whether `parent` is visible; the layers of a
/// hidden group are hidden. The recursion is safe, because the JSON parser limits the depth of nesting.
fn layers(parent: &Value, visible: bool, map: &mut Map) -> Result<(), Rejection> {
    for value in list(parent, "layers") {
        let visible = visible && value["visible"].as_bool().unwrap_or(true);
        match word(value, "type") {
            "group" => layers(value, visible, map)?,
            "tilelayer" => {
                let name = word(value, "name");
                let layer = layer(value, visible, &mut map.room).map_err(|mut error| {
                    error.message = format!("layer `{name}`: {}", error.message);
                    error
                })?;
                map.layers.push(layer);
            }
            _ => {}
        }
    }
    Ok(())
}

fn layer(value: &Value, visible: bool, room: &mut Room) -> Result<Layer, Rejection> {
    let (size, tiles) = if let Some(chunks) = value["chunks"].as_array() {
        let chunk = |chunk: &Value| -> Result<Chunk, Rejection> {
            let size = room.reserve(size(chunk)?)?;
            Ok(Chunk {
                across: chunk["x"].as_i64().unwrap_or(0).clamp(-FAR, FAR),
                down: chunk["y"].as_i64().unwrap_or(0).clamp(-FAR, FAR),
                size,
                tiles: tiles(value, &chunk["data"], size)?,
            })
        };
        let all = chunks.iter().map(chunk).collect::<Result<_, _>>()?;
        Chunks { all }.joined(room)?
    } else {
        let size = room.reserve(size(value)?)?;
        (size, tiles(value, &value["data"], size)?)
    };
    Ok(Layer {
        name: word(value, "name").to_owned(),
        visible,
        size,
        tiles,
    })
}

fn size(value: &Value) -> Result<Size, Rejection> {
    let side = |name: &str| {
        let missing = || rejection(format!("a layer has no {name}"), "save the map again");
        value[name].as_i64().ok_or_else(missing)
    };
    data::size(side("width")?, side("height")?)
}

fn tiles(layer: &Value, tiles: &Value, size: Size) -> Result<Vec<u32>, Rejection> {
    match tiles {
        Value::String(text) => data::tiles(text, "base64", word(layer, "compression"), size),
        Value::Array(numbers) => {
            let number = |number: &Value| {
                let number = number.as_u64().and_then(|number| u32::try_from(number).ok());
                number.ok_or_else(|| {
                    rejection(
                        "the data contain something other than tile numbers",
                        "save the map again",
                    )
                })
            };
            data::whole(numbers.iter().map(number).collect::<Result<_, _>>()?, size)
        }
        _ => Err(rejection("a layer has no data", "save the map again")),
    }
}

fn tileset(value: &Value) -> Tiles {
    let tile = |value: &Value| {
        let id = u32::try_from(value["id"].as_u64()?).ok()?;
        let class = value["type"].as_str().or_else(|| value["class"].as_str());
        let mut tile = Tile {
            class: class.unwrap_or_default().to_owned(),
            shape: !list(&value["objectgroup"], "objects").is_empty(),
            ..Tile::default()
        };
        for property in list(value, "properties") {
            let value = &property["value"];
            let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            tile.apply_property(word(property, "name"), &value);
        }
        Some((id, tile))
    };
    numbered(list(value, "tiles").iter().filter_map(tile))
}

/// Parses an external tileset.
pub(super) fn tileset_file(text: &Text) -> Result<Tiles, Rejection> {
    Ok(tileset(&value(text)?))
}
