//! The tileset of Tiled and LDtk maps: the meaning of each tile, and the tileset picture.

use std::collections::BTreeSet;

use super::font;
use super::palette::mixed;
use super::picture::failed;
use super::{DungeonView, ExportError, ExportOptions, Palette, Rgb, json};
use crate::design::Feature;
use crate::design::feature::Class;
use crate::engine::Tile;
use crate::geometry::Point;
use crate::recording_file::PROGRAM;

/// Default side length of a tile in pixels.
const SCALE: u32 = 16;

/// Largest side length of a tile in pixels. The picture of a tileset has several rows of [`COLUMNS`] tiles.
const MOST_SCALE: u32 = 256;

/// Number of tiles per row of the picture.
pub(super) const COLUMNS: u32 = 8;

/// The kind of square that a tile of the tileset represents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Meaning {
    /// A tile of the design; the value is the number of its kind in [`Tile`].
    Design(u8),
    /// A tile laid by a Builder: the Builder's generation, and the number of the tile's kind in [`Tile`].
    Laid(u32, u8),
    /// A feature of a vault; the value is the feature's number.
    Feature(u8),
}

/// The tiles that a map needs, in sorted order. The number of a tile is its index.
pub(super) struct Tileset {
    pub(super) tiles: Vec<Meaning>,
    pub(super) scale: u32,
}

/// Returns the kind of a square, which selects its tile in the tileset.
pub(super) fn meaning(dungeon: &DungeonView<'_>, at: Point) -> Meaning {
    let tile = dungeon.tile(at) as u8;
    match (dungeon.feature(at), dungeon.generation(at)) {
        (Some(feature), _) if feature.class() != Class::Floor => Meaning::Feature(feature.number()),
        (_, Some(generation)) => Meaning::Laid(generation, tile),
        (_, None) => Meaning::Design(tile),
    }
}

impl Tileset {
    /// Creates the tileset of a dungeon: one tile for every kind of [`Tile`] that a design can have, and one for each
    /// further kind of square in the dungeon. Fails if the tiles would be too large.
    pub(super) fn new(dungeon: &DungeonView<'_>, options: &ExportOptions) -> Result<Self, ExportError> {
        let scale = options.scale.unwrap_or(SCALE).max(1);
        if scale > MOST_SCALE {
            return Err(ExportError::Options(format!(
                "tiles of {scale} pixels are too large for a tileset; use a scale of at most {MOST_SCALE}"
            )));
        }
        let design = (0..Tile::ALL.len()).map(|tile| Meaning::Design(tile as u8));
        let used = dungeon.squares().map(|at| meaning(dungeon, at));
        let all: BTreeSet<Meaning> = design.chain(used).collect();
        Ok(Self {
            tiles: all.into_iter().collect(),
            scale,
        })
    }

    /// Returns the number of a square's tile, counted from 0.
    pub(super) fn number(&self, dungeon: &DungeonView<'_>, at: Point) -> usize {
        self.tiles.binary_search(&meaning(dungeon, at)).unwrap_or(0)
    }

    /// Returns the width and height of the picture in pixels.
    pub(super) fn pixels(&self) -> [u32; 2] {
        let rows = (self.tiles.len() as u32).div_ceil(COLUMNS);
        [COLUMNS * self.scale, rows * self.scale]
    }
}

impl Meaning {
    /// Returns the name of the tile's kind, or of its feature.
    pub(super) fn class(self) -> &'static str {
        match self {
            Self::Design(tile) | Self::Laid(_, tile) => json::tile_name(Tile::ALL[usize::from(tile)]),
            Self::Feature(number) => Feature::of_number(number).map_or("", Feature::name),
        }
    }

    /// Returns whether the tile blocks movement.
    pub(super) fn is_solid(self) -> bool {
        match self {
            Self::Design(tile) | Self::Laid(_, tile) => !Tile::ALL[usize::from(tile)].is_open(),
            Self::Feature(number) => Feature::of_number(number).is_some_and(Feature::is_solid),
        }
    }

    pub(super) const fn generation(self) -> Option<u32> {
        match self {
            Self::Laid(generation, _) => Some(generation),
            _ => None,
        }
    }

    /// Returns the colour of a pixel of the tile.
    fn pixel(self, palette: &Palette, scale: u32, x: u32, y: u32) -> Rgb {
        let edge = x.min(y).min(scale - 1 - x).min(scale - 1 - y);
        let solid = |rgb: Rgb| {
            // A darker edge makes adjacent tiles distinguishable.
            if edge < scale / 16 {
                mixed(rgb, [0; 3], 1, 4)
            } else {
                rgb
            }
        };
        let inset = |rgb: Rgb, margin: u32| if edge < margin { palette.ground } else { rgb };
        match self {
            Self::Design(tile) | Self::Laid(_, tile) => {
                let laid = self.generation().map(|generation| palette.generation(generation));
                match Tile::ALL[usize::from(tile)] {
                    Tile::Open => palette.ground,
                    Tile::Guaranteed => inset(palette.guaranteed, scale * 3 / 8),
                    Tile::Wall => solid(laid.unwrap_or(palette.design)),
                    Tile::HighWall if edge < scale / 4 => solid(palette.high_wall),
                    Tile::HighWall => mixed(palette.high_wall, palette.text, 1, 3),
                    Tile::Column => inset(laid.unwrap_or(palette.column), scale / 4),
                }
            }
            Self::Feature(number) => {
                let Some(feature) = Feature::of_number(number) else {
                    return palette.ground;
                };
                let rgb = palette.feature(feature).unwrap_or(palette.ground);
                if Piece::of(feature) == Piece::Filled {
                    solid(rgb)
                } else {
                    inset(rgb, scale / 5)
                }
            }
        }
    }
}

/// Whether a feature is drawn over its whole tile or inset from the edges.
#[derive(PartialEq)]
enum Piece {
    Filled,
    Inset,
}

impl Piece {
    fn of(feature: Feature) -> Self {
        match feature.class() {
            Class::Wall | Class::ClearWall | Class::Liquid | Class::Grate => Self::Filled,
            _ => Self::Inset,
        }
    }
}

/// Returns the file name of the tileset picture that belongs to the map file `map`.
pub(super) fn file_name(map: &str) -> String {
    let stem = map.rsplit_once('.').map_or(map, |(stem, _)| stem);
    format!("{stem}.tiles.png")
}

/// Renders the tileset picture as PNG.
pub(super) fn picture(dungeon: &DungeonView<'_>, options: &ExportOptions) -> Result<Vec<u8>, ExportError> {
    let tileset = Tileset::new(dungeon, options)?;
    let palette = Palette::of(options.ground.unwrap_or_default());
    let [width, height] = tileset.pixels();
    let mut pixels = Vec::with_capacity((width * height * 3) as usize);
    let scale = tileset.scale;
    for y in 0..height {
        for x in 0..width {
            let number = (y / scale * COLUMNS + x / scale) as usize;
            let meaning = tileset.tiles.get(number);
            let rgb = meaning.map_or(palette.ground, |meaning| {
                meaning.pixel(&palette, scale, x % scale, y % scale)
            });
            pixels.extend(rgb);
        }
    }
    // Label features with their glyphs if tiles are large enough.
    for (number, meaning) in (0..).zip(&tileset.tiles) {
        let glyph = match meaning {
            Meaning::Feature(number) => Feature::of_number(*number).map(|feature| char::from(feature.glyph())),
            _ => None,
        };
        let Some(glyph) = glyph.filter(|glyph| glyph.is_ascii_alphanumeric() && scale >= font::HEIGHT + 4) else {
            continue;
        };
        let left = number % COLUMNS * scale + (scale - font::ADVANCE) / 2;
        let top = number / COLUMNS * scale + (scale - font::HEIGHT) / 2;
        for (column, row) in font::pixels(glyph.encode_utf8(&mut [0; 4])) {
            let from = (((top + row) * width + left + column) * 3) as usize;
            if let Some(pixel) = pixels.get_mut(from..from + 3) {
                pixel.copy_from_slice(&palette.ground);
            }
        }
    }
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, width, height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder
        .add_text_chunk("Software".into(), PROGRAM.into())
        .map_err(failed)?;
    let mut writer = encoder.write_header().map_err(failed)?;
    writer.write_image_data(&pixels).map_err(failed)?;
    writer.finish().map_err(failed)?;
    Ok(bytes)
}
