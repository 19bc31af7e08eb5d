//! COLOUR, FTILE, RTILE, TILE, FHEIGHT, KPROP and MARKER: statements that act on cells immediately.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::layer::Layer;
use super::{LIST_LIMIT, MapState, Marker, MarkerBody};
use crate::vault::dice::Dice;
use crate::vault::glyphs::{Cell, Glyphs, Turn};
use crate::vault::spec::{Keys, Kprop, MarkerKind, MarkerSpec, Overlay, SpecError, items};

/// An aspect of a cell's appearance that a map can override.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Look {
    /// Colour of the glyph.
    Colour,
    /// Tile of the floor.
    FloorTile,
    /// Tile of the rock.
    RockTile,
    /// Tile of the feature.
    Tile,
    /// Height of the floor.
    Height,
}

/// The appearance overrides of all cells.
#[derive(Debug, Clone, Default)]
pub(super) struct Appearances {
    names: Vec<Arc<str>>,
    layers: [Layer<u16>; 5],
}

impl Appearances {
    /// Returns the override of an aspect of a cell, if there is one.
    pub(super) fn get(&self, look: Look, cell: Cell) -> Option<Arc<str>> {
        let number = self.layers[look as usize].get(cell.x, cell.y);
        self.names.get(usize::from(number.checked_sub(1)?)).cloned()
    }

    /// Returns the number of a name, from 1, and adds the name if it is new; 0 for `None`.
    fn number(&mut self, name: Option<&Arc<str>>) -> u16 {
        let Some(name) = name else {
            return 0;
        };
        let known = self.names.iter().position(|known| known == name);
        let at = known.unwrap_or_else(|| {
            self.names.push(name.clone());
            self.names.len() - 1
        });
        u16::try_from(at + 1).unwrap_or(0)
    }

    pub(super) fn turn(&mut self, map: &Glyphs, turn: Turn) {
        for layer in &mut self.layers {
            layer.turn(map, turn);
        }
    }
}

impl MapState {
    /// Handles COLOUR, FTILE, RTILE, TILE or FHEIGHT: overrides the appearance of cells.
    ///
    /// # Errors
    ///
    /// Fails if the text is malformed; the items before the malformed one have been applied.
    pub fn overlay(&mut self, look: Look, text: &[u8], dice: &mut Dice) -> Result<(), SpecError> {
        for item in items(text)? {
            let overlay = match look {
                Look::Height => Overlay::heights(item)?,
                _ => Overlay::parse(item)?,
            };
            let alternatives = overlay
                .looks
                .0
                .iter()
                .map(|(name, _)| self.appearances.number(name.as_ref()));
            let numbers: Vec<u16> = alternatives.collect();
            let once = overlay.once.then(|| overlay.looks.draw(dice));
            for cell in self.cells_where(|glyph| overlay.keys.holds(glyph)) {
                let number = numbers[once.unwrap_or_else(|| overlay.looks.draw(dice))];
                self.appearances.layers[look as usize].set(&self.glyphs, cell.x, cell.y, number);
            }
        }
        Ok(())
    }

    /// Handles KPROP: sets marks on cells; the marks apply during play.
    ///
    /// # Errors
    ///
    /// Fails if the text is malformed or a mark is unknown.
    pub fn kprop(&mut self, text: &[u8], dice: &mut Dice) -> Result<(), SpecError> {
        let kprop = Kprop::parse(text)?;
        let once = kprop.once.then(|| kprop.props.draw(dice));
        for cell in self.cells_where(|glyph| kprop.keys.holds(glyph)) {
            let drawn = once.unwrap_or_else(|| kprop.props.draw(dice));
            let marks = kprop.props.get(drawn).copied().unwrap_or_default();
            let before = self.props.get(cell.x, cell.y);
            self.props.set(&self.glyphs, cell.x, cell.y, before.with(marks));
        }
        Ok(())
    }

    /// Handles MARKER and returns its parsed text. A feature marker is added to its cells immediately. For a Lua
    /// expression, the caller has to evaluate the expression once for each cell of
    /// [`cells_of_keys`](Self::cells_of_keys) and add each result with [`add_marker`](Self::add_marker).
    ///
    /// # Errors
    ///
    /// Fails if the text is malformed or the feature is unknown.
    pub fn marker(&mut self, text: &[u8]) -> Result<MarkerSpec, SpecError> {
        let spec = MarkerSpec::parse(text)?;
        if let MarkerKind::Feature(feature) = spec.kind {
            for cell in self.cells_of_keys(&spec.keys) {
                self.add_marker(cell, MarkerBody::Feature(feature));
            }
        }
        Ok(spec)
    }

    /// Returns the cells that contain one of the glyphs, row by row, except cells that were copied from subvaults.
    pub fn cells_of_keys(&self, keys: &Keys) -> Vec<Cell> {
        self.cells_where(|glyph| keys.holds(glyph))
    }

    /// Adds a marker to a cell; markers after the first 10,000 of a map are dropped.
    pub fn add_marker(&mut self, cell: Cell, body: MarkerBody) {
        if self.markers.len() < LIST_LIMIT {
            self.markers.push(Marker { cell, body });
        } else {
            self.note("the map has too many markers; some are dropped");
        }
    }
}
