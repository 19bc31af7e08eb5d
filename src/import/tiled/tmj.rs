//! Reads Tiled maps and tilesets in JSON, and dungeons that Wallcrawler exported as JSON.

use std::rc::Rc;

use serde_json::Value;

use super::tmx::FAR;
use super::{
    Chunk, Chunks, Layer, Map, Rejection, Room, Tile, Tiles, Tileset, check_orientation, data, numbered, rejection,
};
use crate::design::Diagnostic;
use crate::format::Text;
use crate::geometry::Size;
use crate::import::FetchFile;

/// What a JSON file contains.
pub(super) enum Found {
    /// A Tiled map.
    Map(Map),
    /// The rows of a dungeon that Wallcrawler exported.
    Rows(Vec<String>),
}

fn value(text: &Text) -> Result<Value, Rejection> {
    let content = text.content();
    let skipped = content.len() - content.trim_start_matches('\u{feff}').len();
    serde_json::from_str(&content[skipped..]).map_err(|error| {
        let lines = content.split_inclusive('\n').take(error.line().saturating_sub(1));
        let from = lines.map(str::len).sum::<usize>() + error.column().saturating_sub(1);
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
        let rows = list(&value, "tiles").iter().filter_map(Value::as_str);
        return Ok(Found::Rows(rows.map(str::to_owned).collect()));
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
    layers(&value, &mut map)?;
    Ok(Found::Map(map))
}

/// Reads all tile layers, including those inside groups. The recursion is safe, because the JSON parser limits the
/// depth of nesting.
fn layers(parent: &Value, map: &mut Map) -> Result<(), Rejection> {
    for value in list(parent, "layers") {
        match word(value, "type") {
            "group" => layers(value, map)?,
            "tilelayer" => {
                let name = word(value, "name");
                let layer = layer(value, &mut map.room).map_err(|mut error| {
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

fn layer(value: &Value, room: &mut Room) -> Result<Layer, Rejection> {
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
        Chunks { all }.joined()?
    } else {
        let size = room.reserve(size(value)?)?;
        (size, tiles(value, &value["data"], size)?)
    };
    Ok(Layer {
        name: word(value, "name").to_owned(),
        visible: value["visible"].as_bool().unwrap_or(true),
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
            tile.apply_property(word(property, "name"), &property["value"].to_string());
        }
        Some((id, tile))
    };
    numbered(list(value, "tiles").iter().filter_map(tile))
}

/// Parses an external tileset.
pub(super) fn tileset_file(text: &Text) -> Result<Tiles, Rejection> {
    Ok(tileset(&value(text)?))
}
