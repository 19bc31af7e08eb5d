//! KFEAT, KMONS, KITEM, KMASK, MONS and ITEM: the meaning of glyphs in the final grid.
//!
//! A later statement for the same glyph replaces an earlier one, except that KMASK statements add up. If a KFEAT has
//! several alternatives, each cell's alternative is drawn once and kept, so that checks and previews agree.

use super::MapState;
use crate::design::feature::Feature;
use crate::vault::dice::Dice;
use crate::vault::glyphs::{Cell, SPACE};
use crate::vault::spec::{Choice, KeyedThings, Kfeat, Kmask, Marks, SpecError, Thing, Weighted, What, things};

/// Maximum number of monsters in MONS, which define the glyphs `1` to `7`.
const MONSTER_SLOTS: usize = 7;
/// Maximum number of items in ITEM, which define the glyphs `d` to `k`.
const ITEM_SLOTS: usize = 8;

/// For each glyph, the number of its statement in a list, counted from 1; 0 if there is none.
type ByGlyph = [u16; 256];

/// The statements attached to glyphs.
#[derive(Debug, Clone)]
pub(super) struct Latent {
    features: Vec<Weighted<Choice>>,
    monsters: Vec<Vec<Thing>>,
    items: Vec<Vec<Thing>>,
    feature_of: ByGlyph,
    monster_of: ByGlyph,
    item_of: ByGlyph,
    /// Marks that each glyph sets and clears.
    mask_of: [(Marks, Marks); 256],
    monster_slots: Vec<Thing>,
    item_slots: Vec<Thing>,
}

impl Default for Latent {
    fn default() -> Self {
        Self {
            features: Vec::new(),
            monsters: Vec::new(),
            items: Vec::new(),
            feature_of: [0; 256],
            monster_of: [0; 256],
            item_of: [0; 256],
            mask_of: [(Marks::default(), Marks::default()); 256],
            monster_slots: Vec::new(),
            item_slots: Vec::new(),
        }
    }
}

/// The KFEAT statement of a cell and the alternative drawn from it; the default value means that none was drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Drawn {
    statement: u16,
    choice: u16,
    mimic: bool,
}

/// The contents of a cell besides monsters and items.
pub(super) struct Base<'a> {
    pub(super) feature: Feature,
    /// Glyph that determines the default monster or item of the cell.
    pub(super) glyph: u8,
    pub(super) shop: Option<&'a str>,
    pub(super) mimic: bool,
}

/// Adds a statement to a list and assigns it to the glyphs `keys`.
fn add<T>(list: &mut Vec<T>, by_glyph: &mut ByGlyph, keys: impl Iterator<Item = u8>, what: T) -> Result<(), SpecError> {
    list.push(what);
    let number = u16::try_from(list.len())
        .map_err(|_| SpecError::new("a map cannot have more than 65,535 of these statements", ""))?;
    for glyph in keys {
        by_glyph[usize::from(glyph)] = number;
    }
    Ok(())
}

/// Returns the statement assigned to a glyph, if any.
fn of_glyph<'a, T>(list: &'a [T], by_glyph: &ByGlyph, glyph: u8) -> Option<&'a T> {
    list.get(usize::from(by_glyph[usize::from(glyph)]).checked_sub(1)?)
}

impl MapState {
    /// Handles KFEAT: assigns a feature to a glyph.
    ///
    /// # Errors
    ///
    /// Fails if the text is malformed or a feature is unknown.
    pub fn kfeat(&mut self, text: &[u8], dice: &mut Dice) -> Result<(), SpecError> {
        let Some(mut kfeat) = Kfeat::parse(text)? else {
            return Ok(());
        };
        if kfeat.once {
            let drawn = kfeat.choices.draw(dice);
            kfeat.choices.0.swap(0, drawn);
            kfeat.choices.0.truncate(1);
        }
        let Latent {
            features, feature_of, ..
        } = &mut *self.latent;
        add(features, feature_of, kfeat.keys.iter(), kfeat.choices)
    }

    /// Handles KMONS: assigns a monster on floor to a glyph.
    ///
    /// # Errors
    ///
    /// Fails if the text is malformed.
    pub fn kmons(&mut self, text: &[u8], dice: &mut Dice) -> Result<(), SpecError> {
        let (keyed, list) = keyed_things(text, dice)?;
        let Latent {
            monsters, monster_of, ..
        } = &mut *self.latent;
        add(monsters, monster_of, keyed.keys.iter(), list)
    }

    /// Handles KITEM: assigns items on floor to a glyph.
    ///
    /// # Errors
    ///
    /// Fails if the text is malformed.
    pub fn kitem(&mut self, text: &[u8], dice: &mut Dice) -> Result<(), SpecError> {
        let (keyed, list) = keyed_things(text, dice)?;
        let Latent { items, item_of, .. } = &mut *self.latent;
        add(items, item_of, keyed.keys.iter(), list)
    }

    /// Handles KMASK: sets marks for a glyph, or clears marks that the map's tags set.
    ///
    /// # Errors
    ///
    /// Fails if the text is malformed or a mark is unknown.
    pub fn kmask(&mut self, text: &[u8]) -> Result<(), SpecError> {
        let kmask = Kmask::parse(text)?;
        for glyph in kmask.keys.iter() {
            let (set, cleared) = &mut self.latent.mask_of[usize::from(glyph)];
            *set = set.without(kmask.cleared).with(kmask.set);
            *cleared = cleared.without(kmask.set).with(kmask.cleared);
        }
        Ok(())
    }

    /// Handles MONS: assigns the listed monsters to the next unassigned glyphs from `1` to `7`.
    ///
    /// # Errors
    ///
    /// Fails if the text is malformed.
    pub fn mons(&mut self, text: &[u8]) -> Result<(), SpecError> {
        self.latent.monster_slots.extend(things(text)?);
        if self.latent.monster_slots.len() > MONSTER_SLOTS {
            self.latent.monster_slots.truncate(MONSTER_SLOTS);
            self.note("MONS lists more than seven monsters; those after the seventh have no glyph and are ignored");
        }
        Ok(())
    }

    /// Handles ITEM: assigns the listed items to the next unassigned glyphs from `d` to `k`.
    ///
    /// # Errors
    ///
    /// Fails if the text is malformed.
    pub fn item(&mut self, text: &[u8]) -> Result<(), SpecError> {
        self.latent.item_slots.extend(things(text)?);
        if self.latent.item_slots.len() > ITEM_SLOTS {
            self.latent.item_slots.truncate(ITEM_SLOTS);
            self.note("ITEM lists more than eight items; those after the eighth have no glyph and are ignored");
        }
        Ok(())
    }

    /// Completes the map after its body has run. A map without an orientation is tagged as a minivault. For each cell
    /// whose glyph has a KFEAT, one of the alternatives in the KFEAT is chosen at random, unless one has already been
    /// chosen for this cell.
    pub fn fixup(&mut self, dice: &mut Dice) {
        if self.orient.is_none() {
            self.tags.add("minivault");
        }
        if self.latent.features.is_empty() {
            return;
        }
        for at in 0..self.glyphs.cells().len() {
            let cell = self.glyphs.cell(at);
            let statement = self.latent.feature_of[usize::from(self.glyphs.cells()[at])];
            if statement == 0 || self.drawn.get(cell.x, cell.y).statement == statement || self.frozen_at(cell).is_some()
            {
                continue;
            }
            let choices = &self.latent.features[usize::from(statement) - 1];
            let choice = choices.draw(dice);
            let mimic = choices.get(choice).and_then(|choice| choice.mimic);
            let drawn = Drawn {
                statement,
                choice: choice as u16,
                mimic: mimic.is_some_and(|times| dice.below(times) == 0),
            };
            self.drawn.set(&self.glyphs, cell.x, cell.y, drawn);
        }
    }

    /// Returns the contents that the glyph of a cell implies; `None` if the glyph is a space. Before
    /// [`fixup`](Self::fixup), the first alternative of a KFEAT applies.
    pub(super) fn base(&self, cell: Cell, glyph: u8) -> Option<Base<'_>> {
        if glyph == SPACE {
            return None;
        }
        let latent = &*self.latent;
        let statement = latent.feature_of[usize::from(glyph)];
        let floor = Base {
            feature: Feature::FLOOR,
            glyph: b'.',
            shop: None,
            mimic: false,
        };
        if let Some(choices) = of_glyph(&latent.features, &latent.feature_of, glyph) {
            let drawn = self.drawn.get(cell.x, cell.y);
            let drawn = if drawn.statement == statement {
                drawn
            } else {
                Drawn::default()
            };
            let mimic = drawn.mimic;
            return Some(match &choices.get(usize::from(drawn.choice))?.what {
                What::Glyph(glyph) => Base {
                    feature: self.meaning(*glyph),
                    glyph: *glyph,
                    mimic,
                    ..floor
                },
                What::Feature(feature) => Base {
                    feature: *feature,
                    mimic,
                    ..floor
                },
                What::Shop(shop) => Base {
                    feature: Feature::SHOP,
                    shop: Some(shop),
                    mimic,
                    ..floor
                },
            });
        }
        if latent.monster_of[usize::from(glyph)] != 0 || latent.item_of[usize::from(glyph)] != 0 {
            return Some(floor);
        }
        let is_floor = self.masks_are_floor && self.mask_of(glyph) != (Marks::default(), Marks::default());
        Some(Base {
            feature: if is_floor { Feature::FLOOR } else { self.meaning(glyph) },
            glyph,
            ..floor
        })
    }

    /// Returns whether a glyph has no meaning: neither a statement nor the language defines it.
    pub fn lacks_meaning(&self, glyph: u8) -> bool {
        let latent = &*self.latent;
        let at = usize::from(glyph);
        let is_stated = latent.feature_of[at] != 0 || latent.monster_of[at] != 0 || latent.item_of[at] != 0;
        let is_thing = matches!(glyph, SPACE | b'0'..=b'9' | b'd'..=b'k' | b'$' | b'%' | b'*' | b'|');
        !is_stated && !is_thing && Feature::of_glyph(glyph).is_none()
    }

    /// Returns whether a glyph refers to a monster of MONS or an item of ITEM that the map does not list.
    pub fn lacks_thing(&self, glyph: u8) -> bool {
        let latent = &*self.latent;
        let at = usize::from(glyph);
        let is_stated = latent.feature_of[at] != 0 || latent.monster_of[at] != 0 || latent.item_of[at] != 0;
        let is_missing = match glyph {
            b'1'..=b'7' => usize::from(glyph - b'1') >= latent.monster_slots.len(),
            b'd'..=b'k' => usize::from(glyph - b'd') >= latent.item_slots.len(),
            _ => false,
        };
        is_missing && !is_stated
    }

    /// Returns the feature of a cell; `None` if its glyph is a space or it lies outside the map.
    pub fn feature(&self, x: i32, y: i32) -> Option<Feature> {
        let cell = Cell { x, y };
        match self.frozen_at(cell) {
            Some(frozen) => Some(frozen.feature),
            None => self.base(cell, self.glyphs.get(x, y)).map(|base| base.feature),
        }
    }

    /// Returns the feature that a cell of the original rows has under the statements applied so far.
    pub fn original_feature(&self, x: i32, y: i32) -> Option<Feature> {
        let glyph = self.original.as_ref()?.get(x, y);
        self.base(Cell { x, y }, glyph).map(|base| base.feature)
    }

    /// Draws the monster of a cell.
    pub(super) fn monster(&self, glyph: u8, base: &Base<'_>, dice: &mut Dice) -> Option<std::sync::Arc<str>> {
        let latent = &*self.latent;
        if let Some(list) = of_glyph(&latent.monsters, &latent.monster_of, glyph) {
            return list.first()?.draw(dice);
        }
        match base.glyph {
            slot @ b'1'..=b'7' => match latent.monster_slots.get(usize::from(slot - b'1')) {
                Some(monster) => monster.draw(dice),
                None => Some("0".into()),
            },
            b'0' => Some("0".into()),
            b'8' => Some("8".into()),
            b'9' => Some("9".into()),
            _ => None,
        }
    }

    /// Draws the items of a cell.
    pub(super) fn items(&self, glyph: u8, base: &Base<'_>, dice: &mut Dice) -> Vec<std::sync::Arc<str>> {
        let latent = &*self.latent;
        if let Some(list) = of_glyph(&latent.items, &latent.item_of, glyph) {
            return list.iter().filter_map(|item| item.draw(dice)).collect();
        }
        let item = match base.glyph {
            slot @ b'd'..=b'k' => latent
                .item_slots
                .get(usize::from(slot - b'd'))
                .and_then(|item| item.draw(dice)),
            b'$' => Some("$".into()),
            b'%' => Some("%".into()),
            b'*' => Some("*".into()),
            b'|' => Some("|".into()),
            _ => None,
        };
        item.into_iter().collect()
    }

    /// Returns the marks that KMASK sets and clears for a glyph.
    pub(super) fn mask_of(&self, glyph: u8) -> (Marks, Marks) {
        self.latent.mask_of[usize::from(glyph)]
    }
}

/// Parses the glyphs and the list of a KMONS or KITEM. If the statement rolls only once for all cells, chooses its
/// alternatives now.
fn keyed_things(text: &[u8], dice: &mut Dice) -> Result<(KeyedThings, Vec<Thing>), SpecError> {
    let mut keyed = KeyedThings::parse(text)?;
    let mut list = std::mem::take(&mut keyed.things);
    if keyed.once {
        for thing in &mut list {
            *thing = thing.fixed(dice);
        }
    }
    Ok((keyed, list))
}
