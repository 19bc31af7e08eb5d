//! Reads a layer of a Tiled map: selects the layer, and determines which of its tiles are walls.
//!
//! Maps in XML ([`tmx`]) and in JSON ([`tmj`]) are parsed into the same [`Map`]; external tilesets are requested
//! through the fetch callback. Unless the user names the walls, the meaning of a tile comes from its class; failing
//! that, from a property such as `solid`; failing that, from whether the tile has a collision shape. If these imply
//! nothing for any tile of a layer, every tile is a wall. In Tiled, x points across, so x and y are exchanged on
//! reading.

mod data;
mod meaning;
mod tmj;
mod tmx;
mod xml;

use std::collections::BTreeMap;
use std::rc::Rc;

pub(super) use self::meaning::NamedWalls;
use super::square::Drawing;
use super::{FetchFile, ImportOptions, MOST_SQUARES};
use crate::design::Diagnostic;
use crate::format::Text;
use crate::geometry::Size;

/// Mask for the global tile id in each number of a layer's data; the other bits are flags for flipping and rotation.
pub(super) const TILE: u32 = 0x0fff_ffff;

/// Words in a layer's name that suggest that the layer contains the walls; the most specific word first.
const SOLID_NAMES: [&str; 6] = ["wall", "dungeon", "maze", "collision", "solid", "block"];

/// The parts of a Tiled map that matter for the import.
#[derive(Debug, Default)]
struct Map {
    tilesets: Vec<Tileset>,
    /// External tilesets, by the path that the map gives; `None` if the tileset cannot be read. Each is read once, even
    /// if the map names it several times.
    files: BTreeMap<String, Option<Rc<Tiles>>>,
    layers: Vec<Layer>,
    room: Room,
}

/// Number of tiles that the layers not yet read may have in total. The limit is needed because a small compressed file
/// can expand to any number of tiles.
#[derive(Debug)]
struct Room(u64);

impl Default for Room {
    fn default() -> Self {
        Self(MOST_SQUARES * 2)
    }
}

impl Room {
    fn reserve(&mut self, size: Size) -> Result<Size, Rejection> {
        self.reserve_squares(size.squares())?;
        Ok(size)
    }

    fn reserve_squares(&mut self, squares: u64) -> Result<(), Rejection> {
        let left = self.0.checked_sub(squares);
        self.0 = left.ok_or_else(|| {
            rejection(
                format!("this map has more than {} tiles in all", MOST_SQUARES * 2),
                "remove layers that are not part of the drawing",
            )
        })?;
        Ok(())
    }
}

/// A tile layer.
#[derive(Debug)]
struct Layer {
    name: String,
    visible: bool,
    size: Size,
    /// The numbers of the layer's data, row by row: global tile ids with their flags (see [`TILE`]); 0 for no tile.
    tiles: Vec<u32>,
}

/// Data of a tileset's tiles, by each tile's id within the tileset.
type Tiles = BTreeMap<u32, Tile>;

/// A tileset.
#[derive(Debug, Default)]
struct Tileset {
    /// Global id of the first tile.
    first: u32,
    tiles: Rc<Tiles>,
}

/// Indexes the tiles of a tileset by id; if several tiles have the same id, keeps the first.
fn numbered(tiles: impl Iterator<Item = (u32, Tile)>) -> Tiles {
    let mut numbered = Tiles::new();
    for (id, tile) in tiles {
        numbered.entry(id).or_insert(tile);
    }
    numbered
}

/// The data of a tile that may imply whether the tile is a wall.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(super) struct Tile {
    class: String,
    /// Whether a property says that the tile blocks movement; `None` without such a property.
    solid: Option<bool>,
    /// Whether the tile has a collision shape.
    shape: bool,
}

impl Tile {
    /// Sets `solid` from a property that says whether the tile blocks movement; ignores all other properties.
    fn apply_property(&mut self, name: &str, value: &str) {
        const SOLID: [&str; 9] = [
            "solid",
            "wall",
            "collides",
            "collide",
            "collision",
            "blocked",
            "blocking",
            "obstacle",
            "impassable",
        ];
        const OPEN: [&str; 3] = ["walkable", "passable", "open"];
        let truth = match value {
            "true" | "1" => true,
            "false" | "0" => false,
            _ => return,
        };
        let name = name.to_ascii_lowercase();
        if SOLID.contains(&name.as_str()) {
            self.solid = Some(truth);
        } else if OPEN.contains(&name.as_str()) {
            self.solid = self.solid.or(Some(!truth));
        }
    }
}

pub(super) fn read_tmx(
    text: &Text,
    options: &ImportOptions,
    fetch: &mut FetchFile<'_>,
    layers: &mut Vec<String>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Drawing> {
    finished(tmx::map(text, fetch, diagnostics), options, layers, diagnostics)
}

pub(super) fn read_tmj(
    text: &Text,
    options: &ImportOptions,
    fetch: &mut FetchFile<'_>,
    layers: &mut Vec<String>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Drawing> {
    match tmj::read(text, fetch, diagnostics) {
        Ok(tmj::Found::Map(map)) => finished(Ok(map), options, layers, diagnostics),
        Ok(tmj::Found::Dungeon(drawing)) => Some(drawing),
        Err(error) => finished(Err(error), options, layers, diagnostics),
    }
}

/// The error that ends the import. Boxed because a diagnostic is large.
type Rejection = Box<Diagnostic>;

fn finished(
    map: Result<Map, Rejection>,
    options: &ImportOptions,
    layers: &mut Vec<String>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Drawing> {
    let drawn = map.and_then(|map| {
        layers.extend(map.layers.iter().map(|layer| layer.name.clone()));
        let layer = chosen(&map, options.layer.as_deref(), diagnostics)?;
        meaning::drawing(&map, layer, options, diagnostics)
    });
    drawn.map_err(|error| diagnostics.push(*error)).ok()
}

fn rejection(message: impl Into<String>, help: impl Into<String>) -> Rejection {
    Box::new(Diagnostic::error(message).help(help))
}

/// Returns an error if maps of this orientation cannot be read.
fn check_orientation(orientation: &str) -> Result<(), Rejection> {
    match orientation {
        "" | "orthogonal" | "isometric" => Ok(()),
        other => Err(rejection(
            format!("this map is {other}; its tiles are not squares"),
            "use an orthogonal or isometric map",
        )),
    }
}

/// Returns the layer named `asked` or, if `asked` is `None`, the layer that most likely contains the walls.
fn chosen<'a>(map: &'a Map, asked: Option<&str>, diagnostics: &mut Vec<Diagnostic>) -> Result<&'a Layer, Rejection> {
    let names: Vec<String> = map.layers.iter().map(|layer| format!("`{}`", layer.name)).collect();
    if map.layers.is_empty() {
        return Err(rejection(
            "this map has no tile layer",
            "object and image layers are not supported",
        ));
    }
    if let Some(asked) = asked {
        let exact = map.layers.iter().find(|layer| layer.name == asked);
        let alike = || map.layers.iter().find(|layer| layer.name.eq_ignore_ascii_case(asked));
        return exact.or_else(alike).ok_or_else(|| {
            rejection(
                format!("this map has no tile layer named `{asked}`"),
                format!("its layers are {}", names.join(", ")),
            )
        });
    }
    let describing = |word: &&str| {
        let is_named = |layer: &&Layer| layer.visible && layer.name.to_lowercase().contains(*word);
        map.layers.iter().find(is_named)
    };
    let found = SOLID_NAMES.iter().find_map(describing);
    let found = found.or_else(|| map.layers.iter().find(|layer| layer.visible));
    let layer = found.unwrap_or(&map.layers[0]);
    if map.layers.len() > 1 {
        diagnostics.push(
            Diagnostic::note(format!(
                "reading layer `{}`; the layers of this map are {}",
                layer.name,
                names.join(", ")
            ))
            .help("use --layer to choose another"),
        );
    }
    Ok(layer)
}

impl Map {
    /// Adds an external tileset in XML or JSON. If the tileset cannot be read, reports this and adds the tileset
    /// without tile data.
    fn add_external(&mut self, source: &str, first: u32, fetch: &mut FetchFile<'_>, diagnostics: &mut Vec<Diagnostic>) {
        if !self.files.contains_key(source) {
            let tiles = external(source, fetch).map_err(|error| {
                diagnostics.push(
                    Diagnostic::warning(format!("cannot read the tileset {source}: {}", error.message))
                        .help("use --walls to set which of its tiles are walls"),
                );
            });
            self.files.insert(source.to_owned(), tiles.ok().map(Rc::new));
        }
        let tiles = self.files.get(source).cloned().flatten().unwrap_or_default();
        self.tilesets.push(Tileset { first, tiles });
    }
}

/// Fetches and parses an external tileset.
fn external(source: &str, fetch: &mut FetchFile<'_>) -> Result<Tiles, Rejection> {
    let bytes = fetch(source).map_err(|error| rejection(error.to_string(), ""))?;
    let text = Text::decode(source, bytes);
    if let Some(problem) = text.problem() {
        return Err(Box::new(problem.clone()));
    }
    let content = text.content().trim_start_matches('\u{feff}').trim_start();
    if content.starts_with('{') {
        tmj::tileset_file(&text)
    } else {
        tmx::tileset_file(&text)
    }
}

/// The chunks of an infinite layer.
#[derive(Debug, Default)]
struct Chunks {
    all: Vec<Chunk>,
}

#[derive(Debug)]
struct Chunk {
    across: i64,
    down: i64,
    size: Size,
    tiles: Vec<u32>,
}

impl Chunks {
    /// Joins the chunks into one grid, cut to the area that contains tiles. The squares of the chunks are already
    /// reserved in `room`; if the grid has more squares than the chunks, the difference is reserved too.
    fn joined(self, room: &mut Room) -> Result<(Size, Vec<u32>), Rejection> {
        let counted: u64 = self.all.iter().map(|chunk| chunk.size.squares()).sum();
        let tiles = |chunk: &Chunk| -> Vec<(i64, i64, u32)> {
            let columns = i64::from(chunk.size.y.max(1));
            let (down, across) = (chunk.down, chunk.across);
            let tiles = (0_i64..).zip(chunk.tiles.clone());
            let tiles = tiles.filter(|(_, tile)| tile & TILE != 0);
            tiles
                .map(|(i, tile)| (down + i / columns, across + i % columns, tile))
                .collect()
        };
        let all: Vec<(i64, i64, u32)> = self.all.iter().flat_map(tiles).collect();
        let ends = |of: &dyn Fn(&(i64, i64, u32)) -> i64| {
            let (first, last) = (all.iter().map(of).min(), all.iter().map(of).max());
            first.zip(last).unwrap_or((0, -1))
        };
        let ((top, bottom), (left, right)) = (ends(&|tile| tile.0), ends(&|tile| tile.1));
        let size = data::size(right - left + 1, bottom - top + 1)?;
        room.reserve_squares(size.squares().saturating_sub(counted))?;
        let mut joined = vec![0; size.squares() as usize];
        for (x, y, tile) in all {
            let index = (x - top) as usize * size.y as usize + (y - left) as usize;
            if let Some(square) = joined.get_mut(index) {
                *square = tile;
            }
        }
        Ok((size, joined))
    }
}

#[cfg(test)]
mod tests;
