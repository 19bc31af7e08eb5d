//! MONS, ITEM, KMONS and KITEM: monsters and items, which are kept as text in the game's own words.
//!
//! Only separators and weights are parsed. Alternatives are separated by `/`; a monster's equipment follows a `;`;
//! counts (`q:3`) and everything else remain in the text.

use std::sync::Arc;

use super::weighted::{WEIGHT, Weighted, alternatives};
use super::{Keyed, Keys, SpecError, text};
use crate::vault::dice::Dice;

/// Words that mean that there is no monster or item.
const NOTHING: [&str; 2] = ["nothing", "none"];

/// Alternatives for one monster or item; an alternative of `None` means no monster or item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Thing(Weighted<Option<Arc<str>>>);

impl Thing {
    /// Parses alternatives separated by `/`.
    ///
    /// # Errors
    ///
    /// Fails if all alternatives are blank.
    pub fn parse(source: &[u8]) -> Result<Self, SpecError> {
        alternatives(source, |name| Ok((!NOTHING.contains(&name)).then(|| Arc::from(name)))).map(Self)
    }

    /// Chooses one alternative at random, and returns a `Thing` with only that alternative.
    #[must_use]
    pub fn fixed(&self, dice: &mut Dice) -> Self {
        Self(Weighted(vec![(self.draw(dice), WEIGHT)]))
    }

    /// Chooses one of the alternatives at random; `None` means no monster or item.
    pub fn draw(&self, dice: &mut Dice) -> Option<Arc<str>> {
        self.0.get(self.0.draw(dice)).cloned().flatten()
    }
}

/// Parses a list separated by commas; blank items are ignored.
///
/// # Errors
///
/// Fails if all alternatives of an item of the list are blank.
pub fn things(source: &[u8]) -> Result<Vec<Thing>, SpecError> {
    let parts = source.split(|byte| *byte == b',').map(<[u8]>::trim_ascii);
    parts.filter(|part| !part.is_empty()).map(Thing::parse).collect()
}

/// A parsed KMONS or KITEM: glyphs and their monsters or items. From a list of monsters, the game places the first that
/// it can place; from a list of items, it places all.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyedThings {
    /// Glyphs that the statement applies to.
    pub keys: Keys,
    /// Whether all cells get the same alternatives.
    pub once: bool,
    /// Monsters or items, in list order.
    pub things: Vec<Thing>,
}

impl KeyedThings {
    /// Parses `keys = thing / thing, thing …`.
    ///
    /// # Errors
    ///
    /// Fails if a part is missing.
    pub fn parse(source: &[u8]) -> Result<Self, SpecError> {
        let keyed = Keyed::parse(source)?;
        let things = things(keyed.value)?;
        if things.is_empty() {
            return Err(SpecError::new("nothing after the separator", text(source)));
        }
        Ok(Self {
            keys: keyed.keys,
            once: keyed.once,
            things,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::random::Key;

    #[test]
    fn separators_alone_are_read() {
        let list = things(b"orc w:3 ; dagger w:5 | mace . robe / nothing, kobold q:2,").expect("things");
        assert_eq!(list.len(), 2);
        let first: Vec<(Option<&str>, u32)> = list[0]
            .0
            .0
            .iter()
            .map(|(name, weight)| (name.as_deref(), *weight))
            .collect();
        assert_eq!(first, [(Some("orc ; dagger w:5 | mace . robe"), 3), (None, 10)]);
        let mut dice = Dice::new(Key::new(1));
        assert_eq!(list[1].draw(&mut dice).as_deref(), Some("kobold q:2"));
        assert!(things(b"  ").expect("things").is_empty());
        assert_eq!(things(b"a / / b, /c").expect("things")[0].0.0.len(), 2);
        assert!(things(b"a, w:3").is_err());
    }

    #[test]
    fn keyed_things_need_a_thing() {
        let parsed = KeyedThings::parse(b"9* = 9 / any good potion").expect("things");
        assert_eq!(parsed.keys, Keys::new(b"9*"));
        assert!(KeyedThings::parse(b"9 = ,").is_err());
        assert!(KeyedThings::parse(b"9").is_err());
    }
}
