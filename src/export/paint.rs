//! Assigns each square of a dungeon to a coloured part; each part has a name and a count for the legend.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::marks::{self, MapMarks, SquareMark};
use super::palette::{Covered, along, mixed};
use super::{DungeonView, Ground, Palette, Rgb};
use crate::design::feature::Class;
use crate::design::{Feature, PlacedVault};
use crate::engine::Tile;
use crate::geometry::{Point, Size};

/// Property by which squares are coloured, as on the designer's map.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ColourBy {
    /// Generation of the Builder that laid the tile.
    #[default]
    Generation,
    /// Turn in which the tile was laid.
    Age,
    /// First Builder in the ancestry of the Builder that laid the tile.
    Lineage,
    /// Kind of the tile.
    Kind,
}

impl ColourBy {
    /// Every value with its name.
    pub const ALL: [(Self, &'static str); 4] = [
        (Self::Generation, "generation"),
        (Self::Age, "age"),
        (Self::Lineage, "lineage"),
        (Self::Kind, "kind"),
    ];

    /// Returns the name of the property.
    pub fn name(self) -> &'static str {
        let of = |(by, _): &&(Self, &str)| *by == self;
        Self::ALL.iter().find(of).map_or("", |(_, name)| name)
    }
}

/// Number of equal periods into which the growth is divided when squares are coloured by age.
const AGES: u64 = 10;

/// A set of squares of one colour, with its entry in the legend.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ColourPart {
    /// Name in the legend.
    pub name: String,
    /// Colour of the squares.
    pub rgb: Rgb,
    /// Number of squares.
    pub tiles: u64,
}

/// A dungeon with each square assigned to a coloured part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Painting {
    size: Size,
    palette: Palette,
    parts: Vec<ColourPart>,
    /// For each part, what lies below a label that is drawn over squares of the part.
    covered: Vec<Covered>,
    /// For each square, row by row, the index of the part that the square belongs to.
    squares: Vec<u32>,
}

/// Key of a part, in the order of the legend.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Key {
    Open,
    Wall,
    HighWall,
    Column,
    Guaranteed,
    /// Number of the feature in the table of features. Features that share a colour are still different parts.
    Feature(u8),
    VaultWall,
    Generation(u32),
    Age(u64),
    Line(u32),
    Mark(SquareMark),
}

impl Key {
    /// Returns what a label over a square of this part covers.
    fn covered(self) -> Covered {
        match self {
            Self::Open | Self::Mark(_) => Covered::Open,
            Self::Guaranteed => Covered::Kept,
            Self::Column => Covered::Column,
            Self::Feature(number) if !Feature::of_number(number).is_some_and(PlacedVault::is_wall) => Covered::Open,
            _ => Covered::Wall,
        }
    }
}

impl Painting {
    /// Colours a dungeon without marking any squares.
    pub fn new(dungeon: &DungeonView<'_>, by: ColourBy, ground: Ground) -> Self {
        Self::marked(dungeon, by, ground, MapMarks::None)
    }

    /// Colours a dungeon and marks the squares that `marks` selects.
    pub fn marked(dungeon: &DungeonView<'_>, by: ColourBy, ground: Ground, marks: MapMarks) -> Self {
        let palette = Palette::of(ground);
        let turns = dungeon.recording().turns().max(1);
        let key = |at: Point| {
            let feature = dungeon
                .feature(at)
                .filter(|feature| feature.class() != Class::Floor)
                .map(|feature| match feature.class() {
                    Class::Wall => Key::VaultWall,
                    _ => Key::Feature(feature.number()),
                });
            let tile = dungeon.tile(at);
            let laid = dungeon.laid(at);
            match (by, tile) {
                (_, _) if feature.is_some() => feature.unwrap_or(Key::Open),
                (_, Tile::Open) => Key::Open,
                (_, Tile::Guaranteed) => Key::Guaranteed,
                (ColourBy::Generation, _) if laid.is_some() => Key::Generation(dungeon.generation(at).unwrap_or(0)),
                (ColourBy::Age, _) if laid.is_some() => {
                    let turn = laid.map_or(1, |(_, turn)| turn);
                    let part = u128::from(turn.saturating_sub(1)) * u128::from(AGES) / u128::from(turns);
                    Key::Age((part as u64).min(AGES - 1))
                }
                (ColourBy::Lineage, _) if laid.is_some() => Key::Line(dungeon.line(at).map_or(0, |id| id.0)),
                (_, Tile::Wall) => Key::Wall,
                (_, Tile::HighWall) => Key::HighWall,
                (_, Tile::Column) => Key::Column,
            }
        };
        let mut keys: Vec<Key> = dungeon.squares().map(key).collect();
        for (at, mark) in marks::squares(dungeon, marks) {
            let index = at.x as usize * dungeon.size().y as usize + at.y as usize;
            if let Some(key) = keys.get_mut(index) {
                *key = Key::Mark(mark);
            }
        }
        let mut counts: BTreeMap<Key, u64> = BTreeMap::from([(Key::Open, 0)]);
        for key in &keys {
            *counts.entry(*key).or_default() += 1;
        }
        let mut numbers = BTreeMap::new();
        let covered = counts.keys().map(|key| key.covered()).collect();
        let mut parts = Vec::new();
        for (key, tiles) in counts {
            numbers.insert(key, parts.len() as u32);
            let (name, rgb) = Self::part(key, by, dungeon, &palette);
            parts.push(ColourPart { name, rgb, tiles });
        }
        // Cache the last look-up, because adjacent squares mostly belong to the same part. Without the cache, the
        // look-ups would be the most expensive step.
        let mut last = (Key::Open, 0);
        let squares = keys.into_iter().map(|key| {
            if key != last.0 {
                last = (key, numbers.get(&key).copied().unwrap_or(0));
            }
            last.1
        });
        Self {
            size: dungeon.size(),
            palette,
            squares: squares.collect(),
            parts,
            covered,
        }
    }

    fn part(key: Key, by: ColourBy, dungeon: &DungeonView<'_>, palette: &Palette) -> (String, Rgb) {
        let turns = dungeon.recording().turns().max(1);
        match key {
            Key::Open => ("open".into(), palette.ground),
            Key::Wall if by == ColourBy::Kind => ("wall".into(), palette.design),
            Key::Wall => ("wall of the design".into(), palette.design),
            Key::HighWall if by == ColourBy::Kind => ("high wall".into(), palette.kinds[0]),
            Key::HighWall => ("high wall".into(), palette.high_wall),
            Key::Column if by == ColourBy::Kind => ("column".into(), palette.kinds[2]),
            Key::Column => ("column of the design".into(), palette.column),
            Key::Guaranteed if by == ColourBy::Kind => {
                ("kept open".into(), mixed(palette.ground, palette.kinds[1], 1, 2))
            }
            Key::Guaranteed => ("kept open".into(), mixed(palette.ground, palette.guaranteed, 1, 3)),
            Key::VaultWall => ("a vault's walls".into(), palette.vault),
            Key::Feature(number) => {
                let feature = Feature::of_number(number);
                let name = feature.map_or("", |feature| feature.name()).replace('_', " ");
                let rgb = feature.and_then(|feature| palette.feature(feature));
                (name, rgb.unwrap_or(palette.ground))
            }
            Key::Mark(mark) => Self::mark(mark, palette),
            Key::Generation(generation) => (format!("generation {generation}"), palette.generation(generation)),
            Key::Age(part) => {
                let until = (u128::from(part + 1) * u128::from(turns)).div_ceil(u128::from(AGES));
                let rgb = along(&palette.ages, part as usize, AGES as usize - 1);
                (format!("to turn {until}"), rgb)
            }
            Key::Line(first) => {
                let builders = dungeon.frame().builders();
                let name = builders.get(first as usize).map_or_else(String::new, |first| {
                    let at = first.birth.at;
                    format!("from row {}, column {}", at.x, at.y)
                });
                (name, palette.generation(first))
            }
        }
    }

    /// Returns the name and the colour of a marked square.
    fn mark(mark: SquareMark, palette: &Palette) -> (String, Rgb) {
        let (name, sign) = match mark {
            SquareMark::Door => ("door", "door"),
            SquareMark::Entrance => ("entrance", "fountain"),
            SquareMark::Exit => ("exit", "trap"),
            SquareMark::Place => ("named place", "altar"),
        };
        (name.into(), palette.sign(sign))
    }

    /// Returns the number of rows and columns.
    pub const fn size(&self) -> Size {
        self.size
    }

    /// Returns the palette in use.
    pub const fn palette(&self) -> &Palette {
        &self.palette
    }

    /// Returns the parts. The first part consists of the open squares, which are the background of the picture.
    pub fn parts(&self) -> &[ColourPart] {
        &self.parts
    }

    /// Returns for each part what lies below a label that is drawn over squares of the part.
    pub(super) fn covered(&self) -> &[Covered] {
        &self.covered
    }

    /// Returns the index of the part that a square belongs to. A square outside the dungeon belongs to part 0, the
    /// background.
    pub fn part_of(&self, at: Point) -> usize {
        let index = self.size.index(at);
        index
            .and_then(|index| self.squares.get(index))
            .map_or(0, |part| *part as usize)
    }

    /// Returns the part index of each square in a row.
    pub(super) fn row(&self, x: i32) -> &[u32] {
        let width = self.size.y as usize;
        self.squares
            .get(x as usize * width..(x as usize + 1) * width)
            .unwrap_or(&[])
    }

    /// Assigns a square to another part. The counts of the parts do not change.
    pub(super) fn set(&mut self, at: Point, part: u32) {
        let index = at.x as usize * self.size.y as usize + at.y as usize;
        if let Some(square) = self.squares.get_mut(index) {
            *square = part;
        }
    }

    /// Returns a window of the painting, given its top left square; the window must be inside the painting. The counts
    /// of the parts remain those of the whole painting.
    pub(super) fn window(&self, from: Point, size: Size) -> Self {
        let rows = (from.x..from.x + size.x).flat_map(|x| {
            let row = self.row(x).iter().skip(from.y as usize);
            row.take(size.y as usize).copied()
        });
        Self {
            size,
            palette: self.palette,
            squares: rows.collect(),
            parts: self.parts.clone(),
            covered: self.covered.clone(),
        }
    }

    /// Returns the index of the part for squares with this mark; adds the part if the painting does not have it yet.
    pub(super) fn part_of_mark(&mut self, mark: SquareMark) -> u32 {
        let (name, rgb) = Self::mark(mark, &self.palette);
        let is_it = |part: &ColourPart| part.name == name && part.rgb == rgb;
        match self.parts.iter().position(is_it) {
            Some(part) => part as u32,
            None => self.add_part(name, rgb),
        }
    }

    /// Adds a part for open squares and returns its index. No square belongs to the part yet, but its count is 1, so
    /// that the legend includes it.
    pub(super) fn add_part(&mut self, name: String, rgb: Rgb) -> u32 {
        self.parts.push(ColourPart { name, rgb, tiles: 1 });
        self.covered.push(Covered::Open);
        self.parts.len() as u32 - 1
    }

    /// Returns the entries of the legend: the parts in use, without the background.
    pub(super) fn legend(&self) -> impl Iterator<Item = &ColourPart> {
        self.parts.iter().skip(1).filter(|part| part.tiles > 0)
    }
}
