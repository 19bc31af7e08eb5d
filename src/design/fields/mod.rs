//! The one table of every numeric parameter: name, meaning, unit, range and default.
//!
//! Parsers, validation, panels, help and documentation read these tables; no range or parameter name is written
//! anywhere else. Names are those of the manual's files; keys are their TOML spelling.
//!
//! This module defines the rows; `character` has those of the stats and constants files, `layout` those of the rooms
//! file
//! and of vaults.

mod character;
mod layout;

use std::ops::RangeInclusive;

pub use character::{CONSTANTS, STATS};
pub use layout::{CRAWLER, DIMENSIONS, LIMITS, PROTUBERANCES, ROOM, SQUARES, VAULT, VAULT_WORDS};

/// The name, meaning, range and default of a parameter, apart from its storage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FieldInfo {
    /// The manual's name, as the original's files spell it: `StepLength`, `lTC`, `maxCrawlers`.
    pub name: &'static str,
    /// The key in a TOML design: `step_length`.
    pub key: &'static str,
    /// One sentence of help, shown for the selected field.
    pub meaning: &'static str,
    /// Unit: `squares`, `%`, `iterations × 10`; empty for codes.
    pub unit: &'static str,
    /// Smallest valid value.
    pub min: i32,
    /// Largest valid value.
    pub max: i32,
    /// Value in a new entry.
    pub default: i32,
}

impl FieldInfo {
    /// Returns the range of valid values.
    pub fn range(&self) -> RangeInclusive<i32> {
        self.min..=self.max
    }

    /// Returns whether a text is the name or the key, in any case and with or without underscores.
    pub fn is_called(&self, text: &str) -> bool {
        is_same_name(self.name, text) || is_same_name(self.key, text)
    }
}

/// Returns whether two names differ only in case and underscores.
pub fn is_same_name(one: &str, other: &str) -> bool {
    let plain = |name: &str| -> Vec<char> {
        let letters = name.chars().filter(|c| *c != '_');
        letters.map(|c| c.to_ascii_lowercase()).collect()
    };
    plain(one) == plain(other)
}

/// A parameter of `T`: its description and its accessors.
#[derive(Debug)]
pub struct Field<T> {
    /// Name, meaning and range.
    pub info: FieldInfo,
    /// Returns the parameter.
    pub get: fn(&T) -> i32,
    /// Sets the parameter, unchecked.
    pub set: fn(&mut T, i32),
}

/// Returns `blank` with every field of the table set to its default.
pub(super) fn defaults<T>(table: &[Field<T>], mut blank: T) -> T {
    for field in table {
        (field.set)(&mut blank, field.info.default);
    }
    blank
}

/// A text field of a record: its key, meaning and accessors.
#[derive(Debug)]
pub struct TextFieldInfo<T> {
    /// Key in a TOML design, and name in panels.
    pub key: &'static str,
    /// One sentence of help, shown for the selected text.
    pub meaning: &'static str,
    /// Returns the text.
    pub get: fn(&T) -> &String,
    /// Returns the text for writing.
    pub get_mut: fn(&mut T) -> &mut String,
}

macro_rules! field {
    ($name:literal, $key:literal, $($member:tt).+ $([$index:literal])?, $range:expr, $default:expr, $unit:literal, $meaning:literal) => {
        Field {
            info: FieldInfo {
                name: $name,
                key: $key,
                meaning: $meaning,
                unit: $unit,
                min: *$range.start(),
                max: *$range.end(),
                default: $default,
            },
            get: |t| t.$($member).+$([$index])?,
            set: |t, value| t.$($member).+$([$index])? = value,
        }
    };
}

macro_rules! word {
    ($key:literal, $member:ident, $meaning:literal) => {
        TextFieldInfo {
            key: $key,
            meaning: $meaning,
            get: |t| &t.$member,
            get_mut: |t| &mut t.$member,
        }
    };
}

/// Makes the macros available to the submodules.
use {field, word};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::design::{Constants, CrawlerStart, Generation, Layout, Limits, Room, VaultEntry};
    use crate::geometry::Point;

    fn walk<T: Clone>(table: &[Field<T>], blank: &T) {
        for (i, field) in table.iter().enumerate() {
            let info = field.info;
            assert!(info.range().contains(&info.default), "{}", info.name);
            assert!(
                !info.meaning.is_empty() && !info.meaning.ends_with('.'),
                "{}",
                info.name
            );
            let mut changed = blank.clone();
            (field.set)(&mut changed, info.max);
            assert_eq!((field.get)(&changed), info.max, "{}", info.name);
            for (j, other) in table.iter().enumerate() {
                assert!(
                    i == j || (other.get)(&changed) == (other.get)(blank),
                    "{} changes {}",
                    info.name,
                    other.info.name
                );
                assert!(i == j || other.info.name != info.name && other.info.key != info.key);
            }
        }
    }

    #[test]
    fn every_field_reaches_its_own_member() {
        walk(&STATS, &Generation::default());
        walk(&CONSTANTS, &Constants::default());
        walk(&ROOM, &Room::default());
        walk(&CRAWLER, &CrawlerStart::default());
        walk(&SQUARES, &Point::new(10, 10));
        walk(&DIMENSIONS, &Layout::default());
        walk(&LIMITS, &Limits::default());
        walk(&VAULT, &VaultEntry::default());
        walk(&PROTUBERANCES, &Layout::default());
    }
}
