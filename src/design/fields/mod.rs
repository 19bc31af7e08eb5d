//! The one table of every numeric parameter: name, meaning, unit, range and default.
//!
//! Parsers, validation, panels, help and documentation read these tables; nobody else writes a
//! range or a parameter's name. Names are those of the manual's files; keys are their TOML spelling.
//!
//! What a row says is here; `character` has the rows of the stats and constants files, `layout` those of the rooms
//! file and of vaults.

mod character;
mod layout;

use std::ops::RangeInclusive;

pub use character::{CONSTANTS, STATS};
pub use layout::{CRAWLER, DIMENSIONS, LIMITS, PROTUBERANCES, ROOM, SQUARES, VAULT, VAULT_WORDS};

/// What a parameter is called, means and may be, apart from where it is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FieldInfo {
    /// The manual's name, as the original's files spell it: `StepLength`, `lTC`, `maxCrawlers`.
    pub name: &'static str,
    /// The key in a TOML design: `step_length`.
    pub key: &'static str,
    /// One sentence for a person who has the field under the cursor.
    pub meaning: &'static str,
    /// What it counts: `squares`, `%`, `iterations × 10`, or empty for codes.
    pub unit: &'static str,
    /// Smallest value that makes sense.
    pub min: i32,
    /// Largest value that makes sense.
    pub max: i32,
    /// The value of a new entry.
    pub default: i32,
}

impl FieldInfo {
    /// The values that make sense.
    pub fn range(&self) -> RangeInclusive<i32> {
        self.min..=self.max
    }

    /// Whether a text is its name or its key, in any case and with or without underscores.
    pub fn is_called(&self, text: &str) -> bool {
        is_same_name(self.name, text) || is_same_name(self.key, text)
    }
}

/// Whether two names differ only in case and underscores.
pub fn is_same_name(one: &str, other: &str) -> bool {
    let plain = |name: &str| -> Vec<char> {
        let letters = name.chars().filter(|c| *c != '_');
        letters.map(|c| c.to_ascii_lowercase()).collect()
    };
    plain(one) == plain(other)
}

/// A parameter of `T`: its description and how to reach it.
#[derive(Debug)]
pub struct Field<T> {
    /// Name, meaning, range.
    pub info: FieldInfo,
    /// Reads the parameter.
    pub get: fn(&T) -> i32,
    /// Writes the parameter, unchecked.
    pub set: fn(&mut T, i32),
}

/// `blank` with every field of the table set to its default.
pub(super) fn defaults<T>(table: &[Field<T>], mut blank: T) -> T {
    for field in table {
        (field.set)(&mut blank, field.info.default);
    }
    blank
}

/// What a text of a record is called and means, and how to reach it.
#[derive(Debug)]
pub struct TextFieldInfo<T> {
    /// The key in a TOML design, and the name in panels.
    pub key: &'static str,
    /// One sentence for a person who has the text under the cursor.
    pub meaning: &'static str,
    /// Reads the text.
    pub get: fn(&T) -> &String,
    /// Reaches the text for writing.
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

/// For the rows in the modules below.
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
