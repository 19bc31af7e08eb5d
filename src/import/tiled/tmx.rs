//! Reads Tiled maps and tilesets in XML.

use std::rc::Rc;

use roxmltree::{Document, Node, ParsingOptions};

use super::{
    Chunk, Chunks, Layer, Map, Rejection, Room, Tile, Tiles, Tileset, check_orientation, data, numbered, rejection, xml,
};
use crate::design::Diagnostic;
use crate::format::Text;
use crate::geometry::Size;
use crate::import::FetchFile;

/// Maximum number of XML nodes; larger documents are rejected.
const MOST_NODES: u32 = 1 << 25;

/// Maximum nesting depth of layer groups; groups nested more deeply are ignored.
const DEPTH: usize = 32;

/// Parses the XML of a text.
fn document(text: &Text) -> Result<Document<'_>, Rejection> {
    xml::check(text)?;
    let options = ParsingOptions {
        nodes_limit: MOST_NODES,
        allow_dtd: true,
        ..ParsingOptions::default()
    };
    Document::parse_with_options(text.content(), options).map_err(|error| {
        let at = error.pos();
        let line = text
            .content()
            .split_inclusive('\n')
            .take(at.row.saturating_sub(1) as usize);
        let before: usize = line.map(str::len).sum();
        let column: usize = text.content()[before..]
            .chars()
            .take(at.col.saturating_sub(1) as usize)
            .map(char::len_utf8)
            .sum();
        let from = before + column;
        let end = text.content()[from..]
            .find('\n')
            .map_or(text.content().len(), |end| from + end);
        Box::new(
            Diagnostic::error(format!("this is not XML: {error}"))
                .from_source(text.source(from..end))
                .help("save the map again"),
        )
    })
}

/// Adds the position of an XML element to an error.
#[expect(clippy::boxed_local, reason = "every `Rejection` is boxed")]
fn placed(text: &Text, node: Node<'_, '_>, error: Rejection) -> Rejection {
    let from = node.range().start;
    let end = text.content()[from..]
        .find(['>', '\n'])
        .map_or(from, |end| from + end + 1);
    Box::new(error.from_source(text.source(from..end)))
}

/// Returns an attribute as a number; `None` if it is missing or not a number.
fn number(node: Node<'_, '_>, name: &str) -> Option<i64> {
    node.attribute(name)?.trim().parse().ok()
}

pub(super) fn map(text: &Text, fetch: &mut FetchFile<'_>, diagnostics: &mut Vec<Diagnostic>) -> Result<Map, Rejection> {
    let document = document(text)?;
    let root = document.root_element();
    if root.tag_name().name() != "map" {
        let name = root.tag_name().name();
        return Err(placed(
            text,
            root,
            rejection(
                format!("this is not a Tiled map, but <{name}>"),
                "use the map, not one of its tilesets or templates",
            ),
        ));
    }
    check_orientation(root.attribute("orientation").unwrap_or_default()).map_err(|error| placed(text, root, error))?;
    let mut map = Map::default();
    for node in root.children().filter(|node| node.has_tag_name("tileset")) {
        let first = number(node, "firstgid")
            .and_then(|first| u32::try_from(first).ok())
            .unwrap_or(1);
        if let Some(source) = node.attribute("source") {
            map.add_external(source, first, fetch, diagnostics);
        } else {
            let tiles = Rc::new(tileset(node));
            map.tilesets.push(Tileset { first, tiles });
        }
    }
    layers(text, root, 0, true, &mut map)?;
    Ok(map)
}

/// Reads all tile layers, including those inside groups, except groups nested more deeply than [`DEPTH`]. `visible` is
/// whether `parent` is visible; the layers of a hidden group are hidden.
fn layers(text: &Text, parent: Node<'_, '_>, depth: usize, visible: bool, map: &mut Map) -> Result<(), Rejection> {
    for node in parent.children() {
        let visible = visible && node.attribute("visible") != Some("0");
        match node.tag_name().name() {
            "group" if depth < DEPTH => layers(text, node, depth + 1, visible, map)?,
            "layer" => {
                let layer = layer(node, visible, &mut map.room).map_err(|error| placed(text, node, error))?;
                map.layers.push(layer);
            }
            _ => {}
        }
    }
    Ok(())
}

fn layer(node: Node<'_, '_>, visible: bool, room: &mut Room) -> Result<Layer, Rejection> {
    let found = node.children().find(|child| child.has_tag_name("data"));
    let data = found.ok_or_else(|| rejection("a layer has no data", "save the map again"))?;
    let chunks: Vec<Node<'_, '_>> = data.children().filter(|child| child.has_tag_name("chunk")).collect();
    let (size, tiles) = if chunks.is_empty() {
        let size = room.reserve(size(node)?)?;
        (size, tiles(data, data, size)?)
    } else {
        let chunk = |node: &Node<'_, '_>| -> Result<Chunk, Rejection> {
            let size = room.reserve(size(*node)?)?;
            Ok(Chunk {
                across: number(*node, "x").unwrap_or(0).clamp(-FAR, FAR),
                down: number(*node, "y").unwrap_or(0).clamp(-FAR, FAR),
                size,
                tiles: tiles(data, *node, size)?,
            })
        };
        let all = chunks.iter().map(chunk).collect::<Result<_, _>>()?;
        Chunks { all }.joined(room)?
    };
    Ok(Layer {
        name: node.attribute("name").unwrap_or_default().to_owned(),
        visible,
        size,
        tiles,
    })
}

/// Maximum distance of a chunk from the origin, in tiles. Larger coordinates are clamped, so that sums cannot overflow.
pub(super) const FAR: i64 = 1 << 40;

fn size(node: Node<'_, '_>) -> Result<Size, Rejection> {
    let side = |name| {
        let missing = || rejection(format!("a layer has no {name}"), "save the map again");
        number(node, name).ok_or_else(missing)
    };
    data::size(side("width")?, side("height")?)
}

/// Decodes the tiles in `node` (a `data` element, or a chunk of it) as the attributes of `data` specify.
fn tiles(data: Node<'_, '_>, node: Node<'_, '_>, size: Size) -> Result<Vec<u32>, Rejection> {
    let Some(encoding) = data.attribute("encoding") else {
        let tiles = node.children().filter(|child| child.has_tag_name("tile"));
        let tiles = tiles.map(|tile| number(tile, "gid").unwrap_or(0).clamp(0, u32::MAX.into()) as u32);
        return super::data::whole(tiles.collect(), size);
    };
    let text: String = node.children().filter_map(|child| child.text()).collect();
    let packing = data.attribute("compression").unwrap_or_default();
    super::data::tiles(&text, encoding, packing, size)
}

/// Reads the tile data of a tileset.
fn tileset(node: Node<'_, '_>) -> Tiles {
    let tiles = node.children().filter(|child| child.has_tag_name("tile"));
    let tile = |node: Node<'_, '_>| {
        let id = u32::try_from(number(node, "id")?).ok()?;
        let class = node.attribute("type").or_else(|| node.attribute("class"));
        let mut tile = Tile {
            class: class.unwrap_or_default().to_owned(),
            ..Tile::default()
        };
        for child in node.children() {
            match child.tag_name().name() {
                "properties" => {
                    for property in child.children().filter(Node::is_element) {
                        let value = property.attribute("value").unwrap_or_default();
                        tile.apply_property(property.attribute("name").unwrap_or_default(), value);
                    }
                }
                "objectgroup" => tile.shape = child.children().any(|object| object.has_tag_name("object")),
                _ => {}
            }
        }
        Some((id, tile))
    };
    numbered(tiles.filter_map(tile))
}

/// Parses an external tileset.
pub(super) fn tileset_file(text: &Text) -> Result<Tiles, Rejection> {
    let document = document(text)?;
    let root = document.root_element();
    if root.tag_name().name() != "tileset" {
        return Err(rejection("this is not a tileset", "use the tileset that the map names"));
    }
    Ok(tileset(root))
}
