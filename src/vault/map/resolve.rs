//! The last step of a map's construction: resolves the feature, monster, items, appearance and marks of every cell.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::appearance::Look;
use super::{MapState, Marker, Tags, UnsupportedCall};
use crate::design::deserialize_checked;
use crate::design::feature::Feature;
use crate::vault::dice::Dice;
use crate::vault::glyphs::{Cell, SPACE};
use crate::vault::spec::{MASKS, MASKS_AS_TAGS, Marks, Orient, PROPS};

/// The content of one cell of a resolved map.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResolvedCell {
    /// Glyph of the cell.
    pub glyph: u8,
    /// Feature of the cell.
    pub feature: Feature,
    /// Shop specification in the game's words; `None` if the cell is not a shop.
    pub shop: Option<Arc<str>>,
    /// Whether a mimic replaces the feature.
    pub mimic: bool,
    /// Monster, in the game's words; `0`, `9` and `8` are random monsters, in order of increasing depth.
    pub monster: Option<Arc<str>>,
    /// Items, in the game's words; `$`, `%`, `*` and `|` are random items, in order of increasing quality.
    pub items: Vec<Arc<str>>,
    /// Colour of the glyph; here and below, `None` means that the map does not override the appearance.
    pub colour: Option<Arc<str>>,
    /// Tile of the floor.
    pub floor_tile: Option<Arc<str>>,
    /// Tile of the rock.
    pub rock_tile: Option<Arc<str>>,
    /// Tile of the feature.
    pub tile: Option<Arc<str>>,
    /// Height of the floor.
    pub height: Option<Arc<str>>,
    /// Marks for level generation, from [`MASKS`].
    pub mask: Marks,
    /// Marks for play, from [`PROPS`].
    pub props: Marks,
}

/// The origin of a resolved map.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Origin {
    /// File name.
    pub file: String,
    /// Line of the map's `NAME:`, from 1.
    pub line: u32,
    /// Seed with which the map was resolved.
    pub seed: u64,
    /// Number of attempts until the map was resolved, including the last one.
    pub tries: u32,
}

/// A resolved map.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(remote = "Self")]
pub struct ResolvedMap {
    /// Name of the map.
    pub name: String,
    /// Origin of the map.
    pub origin: Origin,
    /// Number of columns.
    pub width: usize,
    /// Number of rows.
    pub height: usize,
    /// Cells, row by row; `None` where a cell is not part of the map.
    pub cells: Vec<Option<ResolvedCell>>,
    /// Tags of the map.
    pub tags: Tags,
    /// Placement on a level; `None` if the map does not set one.
    pub orient: Option<Orient>,
    /// Markers on cells.
    pub markers: Vec<Marker>,
    /// Cells on the edge through which the map can be entered and left: cells with the glyphs `+`, `=` and `@` or, if
    /// there are none, one traversable cell on each side.
    pub exits: Vec<Cell>,
    /// Replacement names of features.
    pub feature_names: Vec<(Feature, String)>,
    /// Names and values of the calls that set the appearance of the whole level.
    pub level_looks: Vec<(String, String)>,
    /// Names and values of the properties of the whole level: flags, names, rates.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub level_properties: Vec<(String, String)>,
    /// Calls that only the game could carry out.
    pub recorded: Vec<UnsupportedCall>,
    /// Maps that a script has placed on the same level, at positions that only the game knows.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub placed: Vec<ResolvedMap>,
    /// Notes for the map's author.
    pub notes: Vec<String>,
}

deserialize_checked!(ResolvedMap);

impl ResolvedMap {
    /// Checks a map read from a file: its number of cells must match its size.
    fn checked(self) -> Result<Self, String> {
        let (width, height, cells) = (self.width, self.height, self.cells.len());
        // A map without cells must have size 0 × 0; otherwise one side could be 0 and the other could have any length.
        if width.checked_mul(height) != Some(cells) || (cells == 0 && width + height > 0) {
            return Err(format!("a map of {width} columns and {height} rows has {cells} cells"));
        }
        Ok(self)
    }

    /// Returns the content of a cell; `None` for spaces and outside the map.
    pub fn cell(&self, x: i32, y: i32) -> Option<&ResolvedCell> {
        let (x, y) = (usize::try_from(x).ok()?, usize::try_from(y).ok()?);
        (x < self.width).then(|| self.cells.get(y * self.width + x))??.as_ref()
    }

    /// Returns the cells that are part of the map, with their contents, row by row.
    pub fn filled(&self) -> impl Iterator<Item = (Cell, &ResolvedCell)> {
        let cells = self.cells.iter().enumerate();
        cells.filter_map(|(at, content)| Some((Cell::at(at, self.width), content.as_ref()?)))
    }

    /// Returns the rows, top to bottom.
    pub fn rows(&self) -> impl Iterator<Item = &[Option<ResolvedCell>]> {
        self.cells.chunks_exact(self.width.max(1))
    }
}

impl MapState {
    /// Resolves a cell: chooses its monster and items at random. Returns `None` for spaces and outside the map.
    pub fn resolve_cell(&self, cell: Cell, dice: &mut Dice) -> Option<ResolvedCell> {
        self.resolve_marked(cell, self.marks_of_tags(), dice)
    }

    /// Returns the marks that the tags add to every cell: first those for level generation, then those for play.
    pub(super) fn marks_of_tags(&self) -> (Marks, Marks) {
        let marks = |table: &[&str]| {
            let marks = self.tags.iter().filter_map(|tag| Marks::of_name(table, tag));
            marks.fold(Marks::default(), Marks::with)
        };
        (marks(&MASKS[..MASKS_AS_TAGS]), marks(&PROPS))
    }

    /// Resolves a cell, given the marks that the map's tags add to every cell.
    pub(super) fn resolve_marked(
        &self,
        cell: Cell,
        (mask, props): (Marks, Marks),
        dice: &mut Dice,
    ) -> Option<ResolvedCell> {
        if let Some(frozen) = self.frozen_at(cell) {
            return Some(ResolvedCell::clone(frozen));
        }
        let glyph = self.glyphs.get(cell.x, cell.y);
        let base = self.base(cell, glyph)?;
        let (set, cleared) = self.mask_of(glyph);
        Some(ResolvedCell {
            glyph,
            feature: base.feature,
            shop: base.shop.map(Arc::from),
            mimic: base.mimic,
            monster: self.monster(glyph, &base, dice),
            items: self.items(glyph, &base, dice),
            colour: self.appearances.get(Look::Colour, cell),
            floor_tile: self.appearances.get(Look::FloorTile, cell),
            rock_tile: self.appearances.get(Look::RockTile, cell),
            tile: self.appearances.get(Look::Tile, cell),
            height: self.appearances.get(Look::Height, cell),
            mask: mask.without(cleared).with(set),
            props: props.with(self.props.get(cell.x, cell.y)),
        })
    }

    /// Returns the cells on the edge through which the map can be entered and left: cells with the glyphs `+`, `=` and
    /// `@` that share a side with a space or the outside. If there are none, returns one traversable cell for each side
    /// of the map.
    pub fn exits(&self) -> Vec<Cell> {
        const SIDES: [(i32, i32); 4] = [(0, -1), (1, 0), (0, 1), (-1, 0)];
        let cells = || (0..self.glyphs.cells().len()).map(|at| self.glyphs.cell(at));
        let opens = |cell: Cell, (x, y): (i32, i32)| self.glyphs.get(cell.x + x, cell.y + y) == SPACE;
        let doors = cells().filter(|cell| matches!(self.glyphs.get(cell.x, cell.y), b'+' | b'=' | b'@'));
        let doors: Vec<Cell> = doors
            .filter(|cell| SIDES.iter().any(|side| opens(*cell, *side)))
            .collect();
        if !doors.is_empty() {
            return doors;
        }
        let ground = |cell: Cell| self.feature(cell.x, cell.y).is_some_and(Feature::is_traversable);
        let middles = SIDES.iter().filter_map(|side| {
            let open: Vec<Cell> = cells().filter(|cell| opens(*cell, *side) && ground(*cell)).collect();
            open.get(open.len() / 2).copied()
        });
        let mut exits: Vec<Cell> = middles.collect();
        exits.sort_unstable_by_key(|cell| (cell.y, cell.x));
        exits.dedup();
        exits
    }

    /// Completes the map: makes all remaining random choices and returns the resolved map.
    pub fn finish(mut self, origin: Origin, dice: &mut Dice) -> ResolvedMap {
        self.fixup(dice);
        let marks = self.marks_of_tags();
        let numbers = 0..self.glyphs.cells().len();
        let cells = numbers
            .map(|at| self.resolve_marked(self.glyphs.cell(at), marks, dice))
            .collect();
        ResolvedMap {
            origin,
            width: self.glyphs.width(),
            height: self.glyphs.height(),
            cells,
            exits: self.exits(),
            name: self.name,
            tags: self.tags,
            orient: self.orient,
            markers: self.markers,
            feature_names: self.feature_names,
            level_looks: self.level_looks,
            level_properties: self.level_properties,
            recorded: self.recorded,
            placed: self.placed,
            notes: self.notes,
        }
    }
}
