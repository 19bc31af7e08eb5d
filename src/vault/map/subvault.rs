//! SUBVAULT: copies another map into cells of this one.
//!
//! The caller chooses the map and runs its statements; this module mirrors or rotates it to fit and copies its cells
//! with their contents. Copied cells are *frozen*: later statements skip them. If a script writes another glyph to a
//! frozen cell, the cell is no longer frozen.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::level_properties::{BRANCH_FLAGS, LEVEL_FLAGS};
use super::{MapState, ResolvedCell};
use crate::design::feature::{Class, Feature};
use crate::vault::dice::Dice;
use crate::vault::glyphs::{Cell, SPACE, Turn};
use crate::vault::spec::{Keys, Orient, SpecError};

/// The cells that a subvault fills, within their bounding box.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mask {
    /// Top left cell of the box.
    pub corner: Cell,
    /// Number of columns of the box.
    pub width: usize,
    /// Number of rows of the box.
    pub height: usize,
    /// Whether each cell is filled, row by row.
    pub cells: Vec<bool>,
}

impl Mask {
    /// Returns whether a cell is filled; `false` outside the box. `x` and `y` are counted from the top left of the box.
    pub fn holds(&self, x: i32, y: i32) -> bool {
        match (usize::try_from(x), usize::try_from(y)) {
            (Ok(x), Ok(y)) if x < self.width && y < self.height => self.cells[y * self.width + x],
            _ => false,
        }
    }

    /// Counts the cells that are present in the mask but not in a map of the same size, or in the map but not in the
    /// mask.
    fn count_differences(&self, sub: &MapState) -> usize {
        let cells = (0..sub.glyphs.cells().len()).map(|at| sub.glyphs.cell(at));
        cells
            .filter(|cell| (sub.glyphs.get(cell.x, cell.y) != SPACE) != self.holds(cell.x, cell.y))
            .count()
    }
}

impl MapState {
    /// Returns the cells that a subvault for the glyphs `keys` fills; `None` if no cell has one of these glyphs.
    pub fn subvault_mask(&self, keys: &Keys) -> Option<Mask> {
        let wanted = self.cells_of_keys(keys);
        let first = wanted.first()?;
        let (mut low, mut high) = (*first, *first);
        for cell in &wanted {
            low = Cell {
                x: low.x.min(cell.x),
                y: low.y.min(cell.y),
            };
            high = Cell {
                x: high.x.max(cell.x),
                y: high.y.max(cell.y),
            };
        }
        let (width, height) = ((high.x - low.x + 1) as usize, (high.y - low.y + 1) as usize);
        let mut cells = vec![false; width * height];
        for cell in wanted {
            cells[(cell.y - low.y) as usize * width + (cell.x - low.x) as usize] = true;
        }
        Some(Mask {
            corner: low,
            width,
            height,
            cells,
        })
    }

    /// Copies another map into the cells of a mask, mirroring or rotating the map to fit. A map that is too large is
    /// rotated if its tags allow rotation and the rotated map fits. A map of exactly the mask's size is mirrored so
    /// that as few cells as possible differ from the mask. A smaller map is placed at random within the mask's box.
    ///
    /// # Errors
    ///
    /// Fails if the map does not fit into the mask and cannot be rotated to fit.
    pub fn merge_subvault(&mut self, mask: &Mask, mut sub: Self, dice: &mut Dice) -> Result<(), SpecError> {
        let fits = |width: usize, height: usize| width <= mask.width && height <= mask.height;
        let (width, height) = (sub.glyphs.width(), sub.glyphs.height());
        if !fits(width, height) {
            if !fits(height, width) || !sub.may_turn(Turn::Clockwise) {
                return Err(SpecError::new(
                    format!(
                        "this map of {width} × {height} cells does not fit into an area of {} × {} cells",
                        mask.width, mask.height
                    ),
                    sub.name,
                ));
            }
            sub.turn(if dice.coinflip() {
                Turn::Clockwise
            } else {
                Turn::CounterClockwise
            });
        }
        let (spare_x, spare_y) = (mask.width - sub.glyphs.width(), mask.height - sub.glyphs.height());
        if spare_x == 0 && spare_y == 0 {
            best_mirror(mask, &mut sub, dice);
        }
        let offset = Cell {
            x: dice.index(spare_x + 1) as i32,
            y: dice.index(spare_y + 1) as i32,
        };
        self.copy(mask, sub, offset, dice);
        Ok(())
    }

    /// Returns whether maps that a script places may replace cells of this map. This requires that this map fills the
    /// level. With `careful` (the script protects vaults, doors and stairs), this map also needs the tag
    /// `overwritable`.
    pub fn takes_maps(&self, careful: bool) -> bool {
        self.orient == Some(Orient::Encompass) && (!careful || self.tags.has("overwritable"))
    }

    /// Returns whether a placed map may overwrite a cell. It may overwrite spaces, and the floor, walls, liquids and
    /// trees of this map itself, but nothing that a subvault placed.
    pub fn may_overwrite(&self, cell: Cell) -> bool {
        let is_plain = |feature: Feature| {
            matches!(
                feature.class(),
                Class::Floor | Class::Wall | Class::Liquid | Class::Tree
            )
        };
        self.frozen_at(cell).is_none() && self.feature(cell.x, cell.y).is_none_or(is_plain)
    }

    /// Writes a resolved cell to the grid and freezes it.
    fn freeze(&mut self, cell: Cell, resolved: ResolvedCell) {
        self.glyphs.set(cell.x, cell.y, resolved.glyph);
        let resolved = Arc::new(resolved);
        // A cell that is filled again reuses its entry in `frozen_cells`, so that a script in a loop cannot exhaust the
        // memory.
        let before = self.frozen.get(cell.x, cell.y).checked_sub(1);
        if let Some(place) = before.and_then(|number| self.frozen_cells.get_mut(number as usize)) {
            *place = resolved;
        } else {
            self.frozen_cells.push(resolved);
            let number = self.frozen_cells.len() as u32;
            self.frozen.set(&self.glyphs, cell.x, cell.y, number);
        }
    }

    /// Copies the cells of a map that lie in the mask, with all their contents. Also adopts the map's feature names,
    /// level properties, unsupported calls, placed maps and notes. As in the game, a glyph that has a KMASK but no
    /// KFEAT becomes floor.
    fn copy(&mut self, mask: &Mask, mut sub: Self, offset: Cell, dice: &mut Dice) {
        sub.fixup(dice);
        sub.masks_are_floor = true;
        let marks = sub.marks_of_tags();
        let mut filled = BTreeSet::new();
        let place = |from: Cell| Cell {
            x: mask.corner.x + offset.x + from.x,
            y: mask.corner.y + offset.y + from.y,
        };
        for at in 0..sub.glyphs.cells().len() {
            let from = sub.glyphs.cell(at);
            if !mask.holds(from.x + offset.x, from.y + offset.y) {
                continue;
            }
            if let Some(resolved) = sub.resolve_marked(from, marks, dice) {
                self.freeze(place(from), resolved);
                filled.insert(place(from));
            }
        }
        // Earlier markers on a filled cell are removed.
        self.markers.retain(|marker| !filled.contains(&marker.cell));
        for marker in sub.markers {
            let cell = place(marker.cell);
            if filled.contains(&cell) {
                self.add_marker(cell, marker.body);
            }
        }
        for (feature, name) in sub.feature_names {
            if !self.feature_names.iter().any(|(named, _)| *named == feature) {
                self.feature_names.push((feature, name));
            }
        }
        for (name, value) in &sub.level_properties {
            if matches!(name.as_str(), LEVEL_FLAGS | BRANCH_FLAGS) {
                self.change_flags(name, value);
            } else {
                self.set_level_property(name, value);
            }
        }
        for call in &sub.recorded {
            self.record(&call.name, &call.arguments);
        }
        self.placed.extend(sub.placed);
        for note in sub.notes {
            self.note(note);
        }
    }
}

/// Mirrors a map of the mask's size so that as few cells as possible differ from the mask. Tries only the reflections
/// that the map's tags allow; breaks ties at random.
fn best_mirror(mask: &Mask, sub: &mut MapState, dice: &mut Dice) {
    const MIRRORS: [&[Turn]; 4] = [
        &[],
        &[Turn::MirrorHorizontal],
        &[Turn::MirrorVertical],
        &[Turn::MirrorHorizontal, Turn::MirrorVertical],
    ];
    let allowed = MIRRORS
        .iter()
        .filter(|turns| turns.iter().all(|turn| sub.may_turn(*turn)));
    let tried = allowed.map(|turns| {
        let mut turned = MapState {
            glyphs: sub.glyphs.clone(),
            ..MapState::default()
        };
        turns.iter().for_each(|turn| turned.turn(*turn));
        (mask.count_differences(&turned), *turns)
    });
    let tried: Vec<(usize, &[Turn])> = tried.collect();
    let fewest = tried.iter().map(|(differences, _)| *differences).min();
    let best: Vec<&[Turn]> = tried
        .iter()
        .filter(|(differences, _)| Some(*differences) == fewest)
        .map(|(_, turns)| *turns)
        .collect();
    if let Some(turns) = best.get(dice.index(best.len())) {
        turns.iter().for_each(|turn| sub.turn(*turn));
    }
}
