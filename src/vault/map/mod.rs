//! A map under construction: its rows, and the effects of its statements and scripts.
//!
//! One run of a map's body builds a [`MapState`]. *Immediate* statements (SUBST, NSUBST, SHUFFLE, CLEAR, SUBVAULT,
//! MARKER, the appearance overrides and KPROP) act on the grid as they run; *latent* ones (KFEAT, KMONS, KITEM, KMASK,
//! MONS, ITEM) are attached to a glyph and applied to the final grid. The method for a statement accepts the
//! statement's text without its name. [`MapState::finish`] returns the [`ResolvedMap`], which other modules
//! display, check and place. Lua, files and the choice of maps are handled elsewhere.

mod appearance;
mod headers;
mod history;
mod latent;
mod layer;
mod level_properties;
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
use appearance::Appearances;
use latent::{Drawn, Latent};
use layer::Layer;

pub use appearance::Look;
pub use headers::HEADERS;
pub use level_properties::{BRANCH_FLAGS, LEVEL_FLAGS};
pub use resolve::{Origin, ResolvedCell, ResolvedMap};
pub use subvault::Mask;
pub use tags::Tags;

/// A marker on a cell. The game acts on markers during play.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Marker {
    /// Cell of the marker.
    pub cell: Cell,
    /// Content of the marker.
    pub body: MarkerBody,
}

/// Content of a marker.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MarkerBody {
    /// A feature that appears when the marker is activated.
    Feature(Feature),
    /// A table created by a script.
    Lua {
        /// The Lua expression in the MARKER statement; empty if a script called `lua_marker` instead.
        source: String,
        /// Property names and values as text, sorted by name.
        props: Vec<(String, String)>,
    },
}

impl Marker {
    /// Returns the value of a property; `None` if the marker is a feature or lacks the property.
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

/// A call that only the game could carry out, recorded as text.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct UnsupportedCall {
    /// Name of the called function.
    pub name: String,
    /// Arguments, formatted as text.
    pub arguments: String,
}

/// Maximum length of the text of one statement, in bytes.
const TEXT_LIMIT: usize = 1 << 16;
/// Maximum total length of the statement texts that a map stores, in bytes.
const KEPT_LIMIT: usize = 1 << 20;
/// Maximum number of markers, and maximum number of unsupported calls, in a map.
const LIST_LIMIT: usize = 10_000;
/// Maximum number of notes on a map.
const NOTE_LIMIT: usize = 100;

/// A map under construction.
#[derive(Debug, Clone, Default)]
pub struct MapState {
    /// The map's name.
    pub name: String,
    /// The current grid.
    pub glyphs: Glyphs,
    /// Grid as written in the file, without the effects of any statement; `None` before [`Self::pad`].
    pub original: Option<Glyphs>,
    /// Tags of the map.
    pub tags: Tags,
    /// Levels given by the statement DEPTH. On these levels, the map may be chosen at random.
    pub depths: Ranges,
    /// Levels given by the statement PLACE. The map is made for these levels, even if DEPTH does not contain them.
    pub places: Ranges,
    /// Placement on a level.
    pub orient: Option<Orient>,
    /// Weight in the random choice among maps, for each range of levels.
    pub weights: ByDepth,
    /// Chance out of 10,000 of being chosen before the choice by weight, for each range of levels.
    pub chances: ByDepth,
    /// Description in the game's menus.
    pub description: String,
    /// Position in the game's menus.
    pub order: i32,
    /// Names and values of the calls that set the appearance of the whole level, such as `lfloorcol`, in statement
    /// order.
    pub level_looks: Vec<(String, String)>,
    /// Names and values of the properties of the whole level that only the game applies: flags, names, rates.
    pub level_properties: Vec<(String, String)>,
    /// Replacement names of features on this level.
    pub feature_names: Vec<(Feature, String)>,
    /// Markers on cells.
    pub markers: Vec<Marker>,
    /// Calls that only the game could carry out.
    pub recorded: Vec<UnsupportedCall>,
    /// Maps that a script has placed on the same level, at positions that only the game can choose.
    pub placed: Vec<ResolvedMap>,
    /// Notes for the map's author.
    pub notes: Vec<String>,
    rows: Vec<Vec<u8>>,
    /// Whether the player can cross deep water; used when connectivity is checked.
    pub can_swim: bool,
    /// The feature of the glyph `t` in the map's branch; `None` for a common tree.
    trees: Option<Feature>,
    kept: usize,
    /// Whether a glyph that has a KMASK but no KFEAT is floor; set to `true` before SUBVAULT copies the map.
    masks_are_floor: bool,
    /// Statements that changed the grid; `None` if no script removes statements.
    history: Option<Vec<history::AppliedStatement>>,
    latent: Box<Latent>,
    drawn: Layer<Drawn>,
    appearances: Appearances,
    props: Layer<Marks>,
    frozen: Layer<u32>,
    frozen_cells: Vec<Arc<ResolvedCell>>,
}

impl MapState {
    /// Creates a map without rows or statements.
    pub fn new(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            ..Self::default()
        }
    }

    /// Sets the map's branch, which determines the kind of tree for the glyph `t`.
    pub fn set_branch(&mut self, branch: Branch) {
        self.trees = match branch.name() {
            "Swamp" => Feature::by_name("mangrove"),
            "Abyss" | "Pan" => Feature::by_name("demonic_tree"),
            _ => None,
        };
    }

    /// Returns the default feature of a glyph; floor for a glyph without a default.
    fn meaning(&self, glyph: u8) -> Feature {
        let tree = self.trees.filter(|_| glyph == b't');
        tree.or_else(|| Feature::of_glyph(glyph)).unwrap_or(Feature::FLOOR)
    }

    /// Adds a row of the MAP block.
    pub fn add_row(&mut self, row: &[u8]) {
        self.rows.push(row.to_vec());
    }

    /// Builds the grid from the added rows, pads each with spaces to the width of the widest row, and stores a copy as
    /// the original.
    pub fn pad(&mut self) {
        self.glyphs = Glyphs::from_rows(&self.rows);
        if self.rows.len() > MAX_SIDE || self.rows.iter().any(|row| row.len() > MAX_SIDE) {
            self.note_excess();
        }
        self.rows.clear();
        self.original = Some(self.glyphs.clone());
    }

    /// Adds a row below the grid, as a script does with `dgn.map`. Shorter rows are padded with spaces.
    pub fn append_row(&mut self, row: &[u8]) {
        let y = self.glyphs.height();
        if y >= MAX_SIDE || row.len() > MAX_SIDE {
            self.note_excess();
        }
        if y < MAX_SIDE {
            self.glyphs.extend(row.len(), y + 1, SPACE);
            for (x, glyph) in row.iter().take(MAX_SIDE).enumerate() {
                self.glyphs.set(x as i32, y as i32, *glyph);
            }
        }
    }

    fn note_excess(&mut self) {
        self.note(format!(
            "the map has more than {MAX_SIDE} rows or columns; the rest is left out"
        ));
    }

    /// Renames a feature on this level.
    ///
    /// # Errors
    ///
    /// Fails if the feature is unknown.
    pub fn set_feature_name(&mut self, feature: &str, name: &str) -> Result<(), SpecError> {
        let feature = super::spec::feature(feature)?;
        self.keep(name.len())?;
        self.feature_names.retain(|(named, _)| *named != feature);
        self.feature_names.push((feature, name.to_owned()));
        Ok(())
    }

    /// Records a call that only the game could carry out; calls after the first 10,000 are dropped.
    pub fn record(&mut self, name: &str, arguments: &str) {
        if self.recorded.len() >= LIST_LIMIT {
            self.note("the map makes too many calls that only the game can carry out; some are dropped");
            return;
        }
        self.recorded.push(UnsupportedCall {
            name: name.to_owned(),
            arguments: arguments.to_owned(),
        });
    }

    /// Adds a note for the map's author, unless it is a duplicate or the map has 100 notes.
    pub fn note(&mut self, note: impl Into<String>) {
        let note = note.into();
        if self.notes.len() < NOTE_LIMIT && !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }

    /// Adds `bytes` to the number of bytes that statements have stored in the map. Fails if the sum exceeds the limit,
    /// so that a script in a loop cannot exhaust the memory.
    fn keep(&mut self, bytes: usize) -> Result<(), SpecError> {
        self.kept = self.kept.saturating_add(bytes);
        if self.kept > KEPT_LIMIT {
            return Err(SpecError::new(
                "the statements of this map have more than a million bytes in total",
                "",
            ));
        }
        Ok(())
    }

    /// Returns the cells whose glyph satisfies `wanted`, except spaces and cells copied from subvaults.
    fn cells_where(&self, wanted: impl Fn(u8) -> bool) -> Vec<Cell> {
        let cells = self.glyphs.cells().iter().enumerate();
        cells
            .filter(|(_, glyph)| **glyph != SPACE && wanted(**glyph))
            .map(|(at, _)| self.glyphs.cell(at))
            .filter(|cell| self.frozen_at(*cell).is_none())
            .collect()
    }

    /// Returns whether a cell was copied from a subvault and has not been overwritten since.
    pub fn is_copied(&self, cell: Cell) -> bool {
        self.frozen_at(cell).is_some()
    }

    /// Returns the content that was copied from a subvault to a cell; `None` if the cell has been overwritten since.
    fn frozen_at(&self, cell: Cell) -> Option<&Arc<ResolvedCell>> {
        let number = self.frozen.get(cell.x, cell.y).checked_sub(1)?;
        let frozen = self.frozen_cells.get(number as usize)?;
        (frozen.glyph == self.glyphs.get(cell.x, cell.y)).then_some(frozen)
    }
}

#[cfg(test)]
mod tests;
