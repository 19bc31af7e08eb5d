//! Determines which tiles of a layer are walls: the tiles that the user names or, if the user names none, the tiles
//! that the tilesets mark as walls. If the tilesets mark no tile of the layer as wall or open, every tile is a wall.

use std::collections::{BTreeMap, BTreeSet};

use super::{Layer, Map, Rejection, TILE, Tile, Tiles, rejection};
use crate::design::{Diagnostic, Feature, PlacedVault};
use crate::import::square::{Drawing, DrawnSquare};
use crate::import::{ImportOptions, table};

/// The tiles that the user named as walls.
#[derive(Debug, Default, PartialEq, Eq)]
pub(in crate::import) struct NamedWalls {
    /// Ranges of global tile ids, each as its first and last id.
    ranges: Vec<(u32, u32)>,
    /// Classes of tiles.
    classes: Vec<String>,
}

impl NamedWalls {
    /// Parses a comma-separated list of numbers, ranges of numbers and classes: `1,5-9,brick`.
    pub(in crate::import) fn parse(text: &str) -> Result<Self, Rejection> {
        let mut named_walls = Self::default();
        for word in text.split(',').map(str::trim).filter(|word| !word.is_empty()) {
            let (from, to) = word.split_once('-').unwrap_or((word, word));
            match (from.trim().parse::<u32>(), to.trim().parse::<u32>()) {
                (Ok(from), Ok(to)) if from <= to => named_walls.ranges.push((from, to)),
                (Ok(_), Ok(_)) => {
                    return Err(rejection(
                        format!("the range `{word}` of --walls ends before it begins"),
                        "write tile numbers such as 1,2,5-9",
                    ));
                }
                _ => named_walls.classes.push(word.to_owned()),
            }
        }
        Ok(named_walls)
    }

    /// Returns whether the user named this tile as a wall: by its number, or by the class of `tile`.
    pub(in crate::import) fn has(&self, number: u32, tile: Option<&Tile>) -> bool {
        let is_in = |(from, to): &(u32, u32)| (*from..=*to).contains(&number);
        let named = |tile: &Tile| self.classes.iter().any(|class| class.eq_ignore_ascii_case(&tile.class));
        self.ranges.iter().any(is_in) || tile.is_some_and(named)
    }
}

/// Returns the kind of square that the name of a tile class implies, if any.
fn of_class(class: &str) -> Option<DrawnSquare> {
    if let Some(square) = table::square(class) {
        return Some(square);
    }
    if let Some(feature) = Feature::by_name(class) {
        return Some(if PlacedVault::is_wall(feature) {
            DrawnSquare::Wall
        } else {
            DrawnSquare::Open
        });
    }
    let class = class.to_lowercase();
    let has = |words: &[&str]| words.iter().any(|word| class.contains(word));
    if has(&["wall", "solid", "rock"]) {
        Some(DrawnSquare::Wall)
    } else if has(&["floor", "ground", "open", "door", "path"]) {
        Some(DrawnSquare::Open)
    } else {
        None
    }
}

/// Returns the kind of square that the tileset's data for a tile imply, if any.
fn of_tile(tile: &Tile) -> Option<DrawnSquare> {
    let of_solid = |solid: bool| if solid { DrawnSquare::Wall } else { DrawnSquare::Open };
    let own = of_class(&tile.class).or_else(|| tile.solid.map(of_solid));
    own.or_else(|| tile.shape.then_some(DrawnSquare::Wall))
}

/// Converts a layer to a drawing.
pub(super) fn drawing(
    map: &Map,
    layer: &Layer,
    options: &ImportOptions,
    diagnostics: &mut Vec<Diagnostic>,
) -> Result<Drawing, Rejection> {
    let named_walls = options.walls.as_deref().map(NamedWalls::parse).transpose()?;
    let mut used = BTreeSet::new();
    for tile in &layer.tiles {
        used.insert(tile & TILE);
    }
    // If several tilesets start at the same global id, the last one counts.
    let sets: BTreeMap<u32, &Tiles> = map.tilesets.iter().map(|set| (set.first, &*set.tiles)).collect();
    let of = |number: u32| -> Option<&Tile> {
        let (first, tiles) = sets.range(..=number).next_back()?;
        tiles.get(&(number - first))
    };
    let named: BTreeMap<u32, bool> = match &named_walls {
        Some(named_walls) => used
            .iter()
            .map(|number| (*number, named_walls.has(*number, of(*number))))
            .collect(),
        None => BTreeMap::new(),
    };
    let own: BTreeMap<u32, Option<DrawnSquare>> = used
        .iter()
        .map(|number| (*number, of(*number).filter(|_| *number > 0).and_then(of_tile)))
        .collect();
    let lists = named_walls.is_none() && own.values().any(Option::is_some);
    let square = |number: u32| match &named_walls {
        Some(_) if named.get(&number).is_some_and(|is_named| *is_named) => DrawnSquare::Wall,
        Some(_) => DrawnSquare::Open,
        None if number == 0 => {
            if lists {
                DrawnSquare::Blank
            } else {
                DrawnSquare::Open
            }
        }
        None if lists => own.get(&number).copied().flatten().unwrap_or(DrawnSquare::Open),
        None => DrawnSquare::Wall,
    };
    let squares: BTreeMap<u32, DrawnSquare> = used.iter().map(|number| (*number, square(*number))).collect();
    let drawn = layer
        .tiles
        .iter()
        .map(|tile| squares.get(&(tile & TILE)).copied().unwrap_or(DrawnSquare::Blank));
    let mut drawing = Drawing::new(layer.size, drawn.collect());
    drawing.is_plain = !lists;
    diagnostics.push(description(named_walls.as_ref(), lists, &squares));
    Ok(drawing)
}

/// Returns a note that states how many kinds of tiles became walls, and why.
fn description(named_walls: Option<&NamedWalls>, lists: bool, squares: &BTreeMap<u32, DrawnSquare>) -> Diagnostic {
    let kinds = squares
        .iter()
        .filter(|(number, square)| **number > 0 && square.is_solid())
        .count();
    let kinds = if kinds == 1 {
        "one kind of tile".into()
    } else {
        format!("{kinds} kinds of tiles")
    };
    match (named_walls, lists) {
        (Some(_), _) => Diagnostic::note(format!("{kinds} in the layer became walls, as set with --walls")),
        (None, true) => Diagnostic::note(format!(
            "{kinds} in the layer became walls or columns because of their class, a property or their shape"
        )),
        (None, false) => Diagnostic::note(
            "every tile of the layer is read as a wall, because no class, property or shape says which tiles are walls",
        )
        .help("use --walls with tile numbers, such as 1,2,5-9, to set the walls"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tiles_are_named_by_numbers_and_classes() {
        let named_walls = NamedWalls::parse("1, 5-9,Brick").unwrap();
        let brick = Tile {
            class: "brick".into(),
            ..Tile::default()
        };
        let has = |number, tile| named_walls.has(number, tile);
        assert!(has(1, None) && has(5, None) && has(9, None) && has(30, Some(&brick)));
        assert!(!has(2, None) && !has(10, None) && !has(30, Some(&Tile::default())));
        assert!(NamedWalls::parse("9-5").is_err());
    }

    #[test]
    fn the_data_of_a_tile_implies_its_meaning() {
        let tile = |class: &str, solid, shape| {
            of_tile(&Tile {
                class: class.into(),
                solid,
                shape,
            })
        };
        assert_eq!(tile("high_wall", None, false), Some(DrawnSquare::Wall));
        assert_eq!(tile("guaranteed", Some(true), true), Some(DrawnSquare::Kept));
        assert_eq!(tile("rock_wall", None, false), Some(DrawnSquare::Wall));
        assert_eq!(tile("closed_door", Some(true), false), Some(DrawnSquare::Open));
        assert_eq!(tile("Stone Wall", None, false), Some(DrawnSquare::Wall));
        assert_eq!(tile("grass", None, false), None);
        assert_eq!(tile("grass", Some(false), true), Some(DrawnSquare::Open));
        assert_eq!(tile("", None, true), Some(DrawnSquare::Wall));
    }
}
