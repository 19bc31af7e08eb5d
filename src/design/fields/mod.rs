//! The table of all parameters: name, meaning, unit, range and default.
//!
//! Each kind of record has an enum of its parameters, such as [`Stat`] or [`RoomField`], in the order of the file.
//! Parsers, validation, panels, help and documentation read [`info`](Parameter::info); no other code contains the
//! name, the range or the position of a parameter. A name is spelled as in DungeonMaker's files; a key is spelled as
//! in TOML designs.
//!
//! This module defines the types and macros. `character` contains the parameters of the stats and constants files,
//! `layout` those of the rooms file, of vaults and of named places.

mod character;
mod layout;

use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};

pub use character::{Constant, Constants, Generation, Stat};
pub use layout::{
    CrawlerField, Dimension, EntryText, Limit, Limits, OuterWall, PlaceField, RoomField, SquareField, VaultField,
};

use super::Entry;

/// The name, meaning, unit, range and default of a parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FieldInfo {
    /// The name in the manual and in DungeonMaker's files: `StepLength`, `lTC`, `maxCrawlers`.
    pub name: &'static str,
    /// The key in a TOML design: `step_length`.
    pub key: &'static str,
    /// Help text that is shown while the field is selected: one sentence without a full stop.
    pub meaning: &'static str,
    /// Unit, such as `squares`, `%` or `× 10 iterations`; empty for codes and other numbers without a unit.
    pub unit: &'static str,
    /// Smallest valid value.
    pub min: i32,
    /// Largest valid value.
    pub max: i32,
    /// Value of the parameter in a new entry.
    pub default: i32,
}

impl FieldInfo {
    /// Returns the range of valid values.
    pub fn range(&self) -> RangeInclusive<i32> {
        self.min..=self.max
    }

    /// Returns a number or a range with the unit after it: `100%`, `5 squares`.
    pub fn with_unit(&self, number: &str) -> String {
        match self.unit {
            "" => number.to_owned(),
            "%" => format!("{number}%"),
            unit => format!("{number} {unit}"),
        }
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

/// Declares the parameters of a record, in file order. Generates an enum with one variant for each parameter. The
/// methods of the enum return the description of a parameter, and read or set the parameter's value in a record. A row
/// is `Variant "name" key => member in range, default value, "unit", "meaning";`.
macro_rules! parameters {
    (
        $(#[$doc:meta])+
        $Enum:ident of $Record:ident {
            $(
                $Variant:ident $name:literal $key:ident => $($member:tt).+ $([$index:expr])?
                in $range:expr, default $default:expr, $unit:literal, $meaning:literal;
            )+
        }
    ) => {
        $(#[$doc])+
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $Enum {
            $(
                #[doc = concat!("`", $name, "`: ", $meaning, ".")]
                $Variant,
            )+
        }

        impl $Enum {
            /// Every parameter of the record, in file order.
            pub const ALL: &'static [Self] = &[$(Self::$Variant),+];

            pub(in crate::design) const PARAMETERS: &'static [Parameter] = &[$(Parameter::$Enum(Self::$Variant)),+];

            /// Returns the name, meaning, unit, range and default.
            pub const fn info(self) -> &'static FieldInfo {
                match self {
                    $(
                        Self::$Variant => const {
                            &FieldInfo {
                                name: $name,
                                key: stringify!($key),
                                meaning: $meaning,
                                unit: $unit,
                                min: *$range.start(),
                                max: *$range.end(),
                                default: $default,
                            }
                        }
                    )+
                }
            }

            /// Returns the value in a record.
            pub const fn get(self, record: &$Record) -> i32 {
                match self {
                    $(Self::$Variant => record.$($member).+ $([$index])?,)+
                }
            }

            /// Sets the value in a record, without checking its range.
            pub const fn set(self, record: &mut $Record, value: i32) {
                match self {
                    $(Self::$Variant => record.$($member).+ $([$index])? = value,)+
                }
            }
        }

        impl From<$Enum> for Parameter {
            fn from(parameter: $Enum) -> Self {
                Self::$Enum(parameter)
            }
        }

        impl From<$Enum> for Field {
            fn from(parameter: $Enum) -> Self {
                Self::Number(parameter.into())
            }
        }

        impl Serialize for $Enum {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.info().key)
            }
        }

        impl<'de> Deserialize<'de> for $Enum {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let saved = SavedName::deserialize(deserializer)?;
                let found = saved.find(Self::ALL, |parameter| parameter.info().key);
                found.map_err(serde::de::Error::custom)
            }
        }
    };
}

/// Declares a record of numbers with its default values, and declares its parameters with [`parameters!`]. The key in a
/// row is also the name of the record's member.
macro_rules! record {
    (
        $(#[$record_doc:meta])+
        struct $Record:ident;
        $(#[$doc:meta])+
        $Enum:ident {
            $(
                $Variant:ident $name:literal $key:ident
                in $range:expr, default $default:expr, $unit:literal, $meaning:literal;
            )+
        }
    ) => {
        $(#[$record_doc])+
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
        #[serde(default)]
        pub struct $Record {
            $(
                #[doc = concat!("`", $name, "`: ", $meaning, ".")]
                pub $key: i32,
            )+
        }

        impl Default for $Record {
            fn default() -> Self {
                Self { $($key: $default),+ }
            }
        }

        parameters! {
            $(#[$doc])+
            $Enum of $Record {
                $($Variant $name $key => $key in $range, default $default, $unit, $meaning;)+
            }
        }
    };
}

/// Makes the macros available in the submodules.
use {parameters, record};

/// Declares [`Parameter`], whose variants contain the parameter enums of all records.
macro_rules! parameter {
    ($($Enum:ident),+) => {
        /// A numeric parameter of any record.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[expect(missing_docs, reason = "each variant contains the enum of the same name, which has its own docs")]
        pub enum Parameter {
            $($Enum($Enum)),+
        }

        impl Parameter {
            /// Returns the name, meaning, unit, range and default.
            pub const fn info(self) -> &'static FieldInfo {
                match self {
                    $(Self::$Enum(parameter) => parameter.info(),)+
                }
            }
        }
    };
}

parameter!(
    Dimension,
    Limit,
    RoomField,
    SquareField,
    CrawlerField,
    OuterWall,
    Stat,
    Constant,
    VaultField,
    PlaceField
);

/// A field of a record: a number, or a text of a vault or named place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Field {
    /// A number.
    Number(Parameter),
    /// A text.
    Text(EntryText),
}

impl Field {
    /// Returns the name shown to the user: the manual's name for a number, the key for a text.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Number(parameter) => parameter.info().name,
            Self::Text(text) => text.key(),
        }
    }

    /// Returns the key in a TOML design, which also identifies the field in saved data.
    pub const fn key(self) -> &'static str {
        match self {
            Self::Number(parameter) => parameter.info().key,
            Self::Text(text) => text.key(),
        }
    }

    /// Returns whether a text is the name or the key of the field. Case and underscores do not matter.
    pub fn is_called(self, text: &str) -> bool {
        is_same_name(self.name(), text) || is_same_name(self.key(), text)
    }

    /// Returns the numeric parameter; `None` for a text.
    pub const fn number(self) -> Option<Parameter> {
        match self {
            Self::Number(parameter) => Some(parameter),
            Self::Text(_) => None,
        }
    }
}

impl From<Parameter> for Field {
    fn from(parameter: Parameter) -> Self {
        Self::Number(parameter)
    }
}

impl From<EntryText> for Field {
    fn from(text: EntryText) -> Self {
        Self::Text(text)
    }
}

/// The saved form of a field: its key or, in data from earlier versions, its index in the record.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
pub(crate) enum SavedName {
    /// Index of the field in the record.
    Index(usize),
    /// Key of the field.
    Key(String),
}

impl SavedName {
    /// Returns the item in `all` with this index or key.
    fn find<T: Copy>(&self, all: &[T], key: impl Fn(T) -> &'static str) -> Result<T, String> {
        let found = match self {
            Self::Index(index) => all.get(*index),
            Self::Key(name) => all.iter().find(|one| key(**one) == name),
        };
        found.copied().ok_or_else(|| match self {
            Self::Index(index) => format!("there is no parameter {index}"),
            Self::Key(name) => format!("there is no parameter `{name}`"),
        })
    }

    /// Returns the field that this index or key names in an entry.
    pub(crate) fn field(&self, entry: Entry) -> Result<Field, String> {
        let all: Vec<Field> = entry.fields().collect();
        self.find(&all, Field::key)
    }

    /// Returns the numeric parameter that this index or key names in an entry.
    pub(crate) fn parameter(&self, entry: Entry) -> Result<Parameter, String> {
        self.find(entry.parameters(), |parameter| parameter.info().key)
    }
}

impl Serialize for Field {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.key())
    }
}

impl Serialize for Parameter {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.info().key)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::design::{Design, List, Room};

    #[test]
    fn every_parameter_reaches_its_own_member() {
        let mut design = Design::default();
        for list in List::ALL {
            list.insert(&mut design.layout, 0, None);
        }
        for entry in design.entries() {
            let values = |design: &Design| -> Vec<Option<i32>> {
                let all = entry.parameters().iter();
                all.map(|parameter| design.get(entry, *parameter)).collect()
            };
            for (i, &parameter) in entry.parameters().iter().enumerate() {
                let info = parameter.info();
                assert!(info.range().contains(&info.default), "{}", info.name);
                assert!(
                    !info.meaning.is_empty() && !info.meaning.ends_with('.'),
                    "{}",
                    info.name
                );
                let clauses: Vec<&str> = info.meaning.split([',', ';']).map(str::trim).collect();
                let different: BTreeSet<_> = clauses.iter().collect();
                assert_eq!(different.len(), clauses.len(), "{} repeats a clause", info.name);
                let mut changed = design.clone();
                assert!(
                    changed.set(entry, parameter, info.max).is_some(),
                    "{entry:?} {}",
                    info.name
                );
                let mut expected = values(&design);
                expected[i] = Some(info.max);
                assert_eq!(values(&changed), expected, "{entry:?} {}", info.name);
            }
            let names: BTreeSet<_> = entry.fields().map(Field::name).collect();
            let keys: BTreeSet<_> = entry.fields().map(Field::key).collect();
            assert!(names.len() == keys.len() && keys.len() == entry.fields().count());
        }
    }

    #[test]
    fn the_codes_of_sites_are_in_the_order_of_the_sites() {
        for (site, field) in RoomField::SITES.into_iter().enumerate() {
            let mut room = Room::default();
            field.set(&mut room, 43);
            assert_eq!(room.sites[site], 43);
            assert_eq!(field.site(), Some(site));
        }
        assert_eq!(RoomField::Delay.site(), None);
    }
}
