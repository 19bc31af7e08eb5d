//! A map while it is made: its rows, and all that statements and scripts do to them.
//!
//! [`MapState`] is what one run of a map's body builds up. *Immediate* statements (SUBST, NSUBST, SHUFFLE,
//! CLEAR, SUBVAULT, MARKER, looks and KPROP) act on the grid as they come; *latent* ones (KFEAT, KMONS,
//! KITEM, KMASK, MONS, ITEM) hang on a glyph and are read from the final grid. A statement takes the text
//! of one header, without its name. [`MapState::finish`] yields the [`ResolvedMap`] grid that others show,
//! check and place. Lua, files and the choice of maps are elsewhere.

mod headers;
mod latent;
mod layer;
mod looks;
mod replace;
mod resolve;
mod subvault;
mod tags;
mod turn;

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::glyphs::{Cell, Glyphs, MAX_SIDE, SPACE};
use super::spec::{Branch, ByDepth, Marks, Orient, Ranges, SpecError};
use crate::design::feature::Feature;
use latent::{Drawn, Latent};
use layer::Layer;
use looks::Looks;

pub use headers::HEADERS;
pub use looks::Look;
pub use resolve::{Origin, ResolvedCell, ResolvedMap};
pub use subvault::Mask;
pub use tags::Tags;

/// Something that waits on a cell.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Marker {
    /// Where.
    pub cell: Cell,
    /// What.
    pub body: MarkerBody,
}

/// What waits on a cell.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MarkerBody {
    /// A feature that comes when the marker fires.
    Feature(Feature),
    /// A table of a script: how it was written, and its properties as text, sorted by name.
    Lua {
        /// The expression, or the name of what made the table.
        source: String,
        /// Names and values.
        props: Vec<(String, String)>,
    },
}

impl Marker {
    /// The value of a property.
    pub fn prop(&self, name: &str) -> Option<&str> {
        match &self.body {
            MarkerBody::Feature(_) => None,
            MarkerBody::Lua { props, .. } => props
                .iter()
                .find(|(prop, _)| prop == name)
                .map(|(_, value)| value.as_str()),
        }
    }
}

/// A call that only the game can follow, kept as text.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct UnsupportedCall {
    /// The name that was called.
    pub name: String,
    /// Its arguments.
    pub arguments: String,
}

/// The longest text of one statement, in bytes.
const TEXT_LIMIT: usize = 1 << 16;
/// The longest text of all statements of a map that it keeps, in bytes.
const KEPT_LIMIT: usize = 1 << 20;
/// The most markers, and the most recorded calls, of a map.
const LIST_LIMIT: usize = 10_000;
/// The most notes on a map.
const NOTE_LIMIT: usize = 100;

/// A map while it is made.
#[derive(Debug, Clone, Default)]
pub struct MapState {
    /// The map's name.
    pub name: String,
    /// The grid.
    pub glyphs: Glyphs,
    /// The rows as they stood in the file, before any statement.
    pub original: Option<Glyphs>,
    /// Its tags.
    pub tags: Tags,
    /// The levels that may have it, for the draw by depth.
    pub depths: Ranges,
    /// The levels that it is made for, out of the draw.
    pub places: Ranges,
    /// Where on a level it is put.
    pub orient: Option<Orient>,
    /// How likely the draw takes it.
    pub weights: ByDepth,
    /// How likely it comes before the draw, in 10,000.
    pub chances: ByDepth,
    /// What the game's menus call it.
    pub description: String,
    /// Its place in the game's menus.
    pub order: i32,
    /// Looks of the whole level (`lfloorcol` and its like), in the order of their statements.
    pub level_looks: Vec<(String, String)>,
    /// Other names for features on this level.
    pub feature_names: Vec<(Feature, String)>,
    /// What waits on cells.
    pub markers: Vec<Marker>,
    /// Calls that only the game can follow.
    pub recorded: Vec<UnsupportedCall>,
    /// What the author may want to know.
    pub notes: Vec<String>,
    rows: Vec<Vec<u8>>,
    /// What the glyph `t` means here, where it is no common tree.
    trees: Option<Feature>,
    kept: usize,
    latent: Box<Latent>,
    drawn: Layer<Drawn>,
    looks: Looks,
    props: Layer<Marks>,
    frozen: Layer<u32>,
    frozen_cells: Vec<Arc<ResolvedCell>>,
}

impl MapState {
    /// A map without rows and statements.
    pub fn new(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            ..Self::default()
        }
    }

    /// Puts the map into a branch, whose trees are those that the glyph `t` means.
    pub fn stand_in(&mut self, branch: Branch) {
        self.trees = match branch.name() {
            "Swamp" => Feature::by_name("mangrove"),
            "Abyss" | "Pan" => Feature::by_name("demonic_tree"),
            _ => None,
        };
    }

    /// What a glyph means here by itself; floor where it means nothing.
    fn meaning(&self, glyph: u8) -> Feature {
        let tree = self.trees.filter(|_| glyph == b't');
        tree.or_else(|| Feature::of_glyph(glyph)).unwrap_or(Feature::FLOOR)
    }

    /// Adds a row of the MAP block.
    pub fn add_row(&mut self, row: &[u8]) {
        self.rows.push(row.to_vec());
    }

    /// Makes the grid of the rows, padded with spaces to the widest, and remembers it as the original.
    pub fn pad(&mut self) {
        self.glyphs = Glyphs::from_rows(&self.rows);
        if self.rows.len() > MAX_SIDE || self.rows.iter().any(|row| row.len() > MAX_SIDE) {
            self.note(format!(
                "the map has more than {MAX_SIDE} rows or columns; the rest is left out"
            ));
        }
        self.rows.clear();
        self.original = Some(self.glyphs.clone());
    }

    /// Gives a feature another name on this level.
    ///
    /// # Errors
    ///
    /// The feature is unknown.
    pub fn set_feature_name(&mut self, feature: &str, name: &str) -> Result<(), SpecError> {
        let feature = super::spec::feature(feature)?;
        self.keep(name.len())?;
        self.feature_names.retain(|(named, _)| *named != feature);
        self.feature_names.push((feature, name.to_owned()));
        Ok(())
    }

    /// Keeps a call that only the game can follow; those after the first ten thousand are left out.
    pub fn record(&mut self, name: &str, arguments: &str) {
        if self.recorded.len() >= LIST_LIMIT {
            self.note("so many calls of the map are for the game that not all are kept");
            return;
        }
        self.recorded.push(UnsupportedCall {
            name: name.to_owned(),
            arguments: arguments.to_owned(),
        });
    }

    /// Tells the author something, once.
    pub fn note(&mut self, note: impl Into<String>) {
        let note = note.into();
        if self.notes.len() < NOTE_LIMIT && !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }

    /// Counts what a statement makes the map keep: a script in a loop must not fill the memory.
    fn keep(&mut self, bytes: usize) -> Result<(), SpecError> {
        self.kept = self.kept.saturating_add(bytes);
        if self.kept > KEPT_LIMIT {
            return Err(SpecError::new(
                "the statements of this map are longer than a million bytes together",
                "",
            ));
        }
        Ok(())
    }

    /// The cells of the grid that statements may still act on and whose glyph is asked for.
    fn cells_where(&self, wanted: impl Fn(u8) -> bool) -> Vec<Cell> {
        let cells = self.glyphs.cells().iter().enumerate();
        cells
            .filter(|(_, glyph)| **glyph != SPACE && wanted(**glyph))
            .map(|(at, _)| self.glyphs.cell(at))
            .filter(|cell| self.frozen_at(*cell).is_none())
            .collect()
    }

    /// Whether a cell was copied from a subvault and is as it was there.
    pub fn is_copied(&self, cell: Cell) -> bool {
        self.frozen_at(cell).is_some()
    }

    /// What another map put on a cell, unless something was written over it since.
    fn frozen_at(&self, cell: Cell) -> Option<&Arc<ResolvedCell>> {
        let number = self.frozen.get(cell.x, cell.y).checked_sub(1)?;
        let frozen = self.frozen_cells.get(number as usize)?;
        (frozen.glyph == self.glyphs.get(cell.x, cell.y)).then_some(frozen)
    }
}

#[cfg(test)]
mod tests;
