//! KMASK and KPROP: marks on cells. Some marks can also be set for a whole map, as tags.

use serde::{Deserialize, Serialize};

use super::weighted::{Weighted, alternatives};
use super::{Keyed, Keys, SpecError};

/// A set of marks from one table: [`MASKS`] or [`PROPS`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash, Serialize, Deserialize)]
pub struct Marks(u16);

/// Marks of KMASK, which apply during level generation.
pub const MASKS: [&str; 11] = [
    "no_item_gen",
    "no_monster_gen",
    "no_trap_gen",
    "no_pool_fixup",
    "no_wall_fixup",
    "opaque",
    "allow_tele_closets",
    "vault",
    // From release 0.6.
    "no_secret_doors",
    "no_rtele_into",
    "no_ctele_into",
];

/// Number of marks at the beginning of [`MASKS`] that can also be tags of a whole map. All marks of [`PROPS`] can be
/// such tags.
pub const MASKS_AS_TAGS: usize = 5;

/// Marks of KPROP, which apply during play.
pub const PROPS: [&str; 10] = [
    "bloody",
    "no_tele_into",
    "no_cloud_gen",
    "no_tide",
    "no_jiyva",
    "highlight",
    // From release 0.6.
    "no_rtele_into",
    "no_ctele_into",
    "force_exclude",
    "no_submerge",
];

impl Marks {
    /// Returns the mark with this name in a table.
    pub fn of_name(table: &[&str], name: &str) -> Option<Self> {
        table.iter().position(|known| *known == name).map(|at| Self(1 << at))
    }

    /// Returns the union with another set.
    #[must_use]
    pub fn with(self, more: Self) -> Self {
        Self(self.0 | more.0)
    }

    /// Returns the set without the marks of another set.
    #[must_use]
    pub fn without(self, less: Self) -> Self {
        Self(self.0 & !less.0)
    }

    /// Returns the names of the marks; `table` is the table that the marks come from.
    pub fn names(self, table: &'static [&'static str]) -> impl Iterator<Item = &'static str> {
        table
            .iter()
            .enumerate()
            .filter(move |(at, _)| self.0 >> at & 1 == 1)
            .map(|(_, name)| *name)
    }
}

fn named(table: &[&'static str], name: &str) -> Result<Marks, SpecError> {
    Marks::of_name(table, name).ok_or_else(|| SpecError::unknown("unknown mark", name, table.iter().copied()))
}

/// A parsed KMASK: glyphs, and marks to set and to clear.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Kmask {
    /// Glyphs that the statement applies to.
    pub keys: Keys,
    /// Marks to set.
    pub set: Marks,
    /// Marks to clear.
    pub cleared: Marks,
}

impl Kmask {
    /// Parses `keys = mark / !mark …`.
    ///
    /// # Errors
    ///
    /// Fails if a part is missing or a mark is unknown.
    pub fn parse(source: &[u8]) -> Result<Self, SpecError> {
        let keyed = Keyed::parse(source)?;
        let (mut set, mut cleared) = (Marks::default(), Marks::default());
        for part in super::text(keyed.value)
            .split('/')
            .map(str::trim)
            .filter(|part| !part.is_empty())
        {
            match part.strip_prefix('!') {
                Some(name) => cleared = cleared.with(named(&MASKS, name.trim())?),
                None => set = set.with(named(&MASKS, part)?),
            }
        }
        Ok(Self {
            keys: keyed.keys,
            set,
            cleared,
        })
    }
}

/// A parsed KPROP: glyphs and alternative marks for their cells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kprop {
    /// Glyphs that the statement applies to.
    pub keys: Keys,
    /// Whether all cells get the same alternative.
    pub once: bool,
    /// Alternatives with weights; an empty set of marks means `nothing`.
    pub props: Weighted<Marks>,
}

impl Kprop {
    /// Parses `keys = mark / mark w:5 / nothing`.
    ///
    /// # Errors
    ///
    /// Fails if a part is missing or a mark is unknown.
    pub fn parse(source: &[u8]) -> Result<Self, SpecError> {
        let keyed = Keyed::parse(source)?;
        let props = alternatives(keyed.value, |name| match name {
            "nothing" | "none" => Ok(Marks::default()),
            name => named(&PROPS, name),
        })?;
        Ok(Self {
            keys: keyed.keys,
            once: keyed.once,
            props,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn masks_set_and_clear() {
        let kmask = Kmask::parse(b"ab = opaque / !no_item_gen/ vault").expect("mask");
        assert_eq!(kmask.set.names(&MASKS).collect::<Vec<_>>(), ["opaque", "vault"]);
        assert_eq!(kmask.cleared.names(&MASKS).collect::<Vec<_>>(), ["no_item_gen"]);
        let error = Kmask::parse(b"a = no_items_gen").expect_err("unknown");
        assert!(error.message.contains("no_item_gen"), "{error}");
    }

    #[test]
    fn properties_may_be_nothing() {
        let kprop = Kprop::parse(b". = bloody / w:4 nothing").expect("prop");
        assert_eq!(kprop.props.0[1].0, Marks::default());
        assert_eq!(kprop.props.0[1].1, 4);
        assert!(Kprop::parse(b". = blody").is_err());
    }
}
