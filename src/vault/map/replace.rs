//! SUBST, NSUBST, SHUFFLE and CLEAR: statements that replace glyphs in the grid as soon as they run.
//!
//! These statements never change blank cells (spaces) or cells copied from subvaults, and only CLEAR makes a cell
//! blank.

use super::MapState;
use crate::vault::dice::Dice;
use crate::vault::glyphs::SPACE;
use crate::vault::spec::{Count, Keys, Nsubst, Shuffle, SpecError, Subst, items};

impl MapState {
    /// Returns the indices of the cells that contain one of the glyphs, row by row, except cells copied from subvaults.
    fn cells_of(&self, keys: &Keys) -> Vec<usize> {
        let cells = self.glyphs.cells().iter().enumerate();
        cells
            .filter(|(_, glyph)| keys.holds(**glyph))
            .map(|(at, _)| at)
            .filter(|at| self.frozen.is_empty() || self.frozen_at(self.glyphs.cell(*at)).is_none())
            .collect()
    }

    /// Handles SUBST: replaces glyphs with other glyphs.
    ///
    /// # Errors
    ///
    /// Fails if the text is malformed. The replacements that come before the malformed one in the text remain in
    /// effect.
    pub fn subst(&mut self, text: &[u8], dice: &mut Dice) -> Result<(), SpecError> {
        for item in items(text)? {
            let subst = Subst::parse(item)?;
            let once = subst.once.then(|| subst.choice.draw(dice));
            for at in self.cells_of(&subst.keys) {
                self.glyphs.cells_mut()[at] = once.unwrap_or_else(|| subst.choice.draw(dice));
            }
        }
        Ok(())
    }

    /// Handles NSUBST: chooses cells at random from those that contain certain glyphs, and replaces the glyphs of the
    /// chosen cells. The text states how many cells get which new glyphs.
    ///
    /// # Errors
    ///
    /// Fails if the text is malformed. The replacements that come before the malformed one in the text remain in
    /// effect.
    pub fn nsubst(&mut self, text: &[u8], dice: &mut Dice) -> Result<(), SpecError> {
        for item in items(text)? {
            let nsubst = Nsubst::parse(item)?;
            let mut cells = self.cells_of(&nsubst.keys);
            dice.shuffle(&mut cells);
            let mut left = cells.as_slice();
            for segment in &nsubst.segments {
                let count = match segment.count {
                    Count::Cells(count) => left.len().min(count as usize),
                    Count::Rest => left.len(),
                };
                let (taken, rest) = left.split_at(count);
                left = rest;
                let once = segment.once.then(|| segment.choice.draw(dice));
                for at in taken {
                    self.glyphs.cells_mut()[*at] = once.unwrap_or_else(|| segment.choice.draw(dice));
                }
            }
        }
        Ok(())
    }

    /// Handles SHUFFLE: permutes glyphs, or blocks of glyphs, at random.
    ///
    /// # Errors
    ///
    /// Fails if the text is malformed. The replacements that come before the malformed one in the text remain in
    /// effect.
    pub fn shuffle(&mut self, text: &[u8], dice: &mut Dice) -> Result<(), SpecError> {
        for item in items(text)? {
            let shuffle = Shuffle::parse(item)?;
            let becomes = shuffle.draw(dice);
            let keys = Keys::new(&shuffle.blocks.concat());
            for at in self.cells_of(&keys) {
                let glyph = &mut self.glyphs.cells_mut()[at];
                *glyph = becomes[usize::from(*glyph)];
            }
        }
        Ok(())
    }

    /// Handles CLEAR: turns all cells that contain one of the given glyphs into spaces.
    ///
    /// # Errors
    ///
    /// Fails if no glyph is given.
    pub fn clear(&mut self, text: &[u8]) -> Result<(), SpecError> {
        let keys = Keys::new(text);
        if keys.iter().next().is_none() {
            return Err(SpecError::new("there are no glyphs to clear", ""));
        }
        for at in self.cells_of(&keys) {
            self.glyphs.cells_mut()[at] = SPACE;
        }
        Ok(())
    }
}
