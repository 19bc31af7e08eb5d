//! Rules of the game for whole maps, checked after a map's Lua has run.
//!
//! A [`Finding`] names its [`Rule`], the map and the place in the file. The grammars of single headers are checked while a
//! file is read ([`source`](super::source)); here are the rules that need the finished map: whether it has rows, is small
//! enough for its kind, can be left, and can be chosen by the game. Nothing here runs Lua.

mod closets;
mod details;
mod names;
mod placeable;
mod portals;
mod things;
mod values;
mod words;

use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};

use super::source::{MapSource, VaultFile};
use crate::design::{Diagnostic, Severity};

pub use closets::closets;
pub use names::{ITEM_FILES, MONSTER_FILES, Names, SPELL_FILES, unknown_names};
pub use placeable::{Exits, placeable};
pub use portals::{PortalFacts, destinations, entries};
pub use values::wrong_values;
pub use words::{colours, flags, misspelt, unknown_tags};

/// A rule that a map breaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Rule {
    /// The text of the file follows the grammar of level files.
    Grammar,
    /// Lua runs without an error.
    Lua,
    /// At least one attempt passes the map's own validation.
    Validation,
    /// A map has rows.
    Rows,
    /// A map is small enough for its orientation.
    Size,
    /// A map can be left.
    Exit,
    /// The game can choose the map.
    Selection,
    /// Every glyph has a meaning.
    Glyph,
    /// The game has every monster, item, spell, brand and tile, and their modifiers have possible values.
    Name,
    /// Every cell that a teleport may lead to can be left.
    Closet,
    /// Portals have a marker, a destination and a description; the maps behind them an exit, and no stairs.
    Portal,
}

/// Every rule with its key and the sentence that states it.
const RULES: [(Rule, &str, &str); 11] = [
    (Rule::Grammar, "grammar", "the text follows the grammar of level files"),
    (Rule::Lua, "lua", "the Lua of a map runs without an error"),
    (
        Rule::Validation,
        "validation",
        "one of 25 attempts passes the map's own validation",
    ),
    (Rule::Rows, "rows", "a map has rows"),
    (Rule::Size, "size", "a map is not larger than its orientation allows"),
    (Rule::Exit, "exit", "a map that does not fill the level can be left"),
    (
        Rule::Selection,
        "selection",
        "a map has a DEPTH, a PLACE or a tag by which the game chooses it",
    ),
    (Rule::Glyph, "glyph", "every glyph has a meaning"),
    (
        Rule::Name,
        "name",
        "the game has every monster, item, spell, brand and tile",
    ),
    (
        Rule::Closet,
        "closet",
        "a player can leave every cell to which a teleport may lead",
    ),
    (
        Rule::Portal,
        "portal",
        "a portal has a marker with `dst` and `desc`, and the map behind it an exit and no stairs",
    ),
];

impl Rule {
    /// Returns every rule.
    pub fn all() -> impl Iterator<Item = Self> {
        RULES.iter().map(|(rule, ..)| *rule)
    }

    fn row(self) -> (&'static str, &'static str) {
        let row = RULES.iter().find(|(rule, ..)| *rule == self);
        row.map_or(("", ""), |(_, key, text)| (*key, *text))
    }

    /// Returns the key, such as `no-exit`, by which reports name the rule.
    pub fn key(self) -> &'static str {
        self.row().0
    }

    /// Returns the rule as a sentence, without a full stop.
    pub fn sentence(self) -> &'static str {
        self.row().1
    }
}

/// A broken rule.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    /// The rule.
    pub rule: Rule,
    /// Name of the map; empty outside maps.
    pub map: String,
    /// What is wrong, where, and what to do.
    pub diagnostic: Diagnostic,
}

impl Finding {
    /// Creates a finding at the name of a map.
    fn of_map(rule: Rule, file: &VaultFile, map: &MapSource, diagnostic: Diagnostic) -> Self {
        Self::of_lines(rule, file, map, map.line..=map.line, &map.name, diagnostic)
    }

    /// Creates a finding at the first occurrence of a text in a range of lines of a map.
    pub fn of_lines(
        rule: Rule,
        file: &VaultFile,
        map: &MapSource,
        lines: RangeInclusive<u32>,
        part: &str,
        diagnostic: Diagnostic,
    ) -> Self {
        Self {
            rule,
            map: map.name.clone(),
            diagnostic: diagnostic.from_source(file.position(lines, part)),
        }
    }

    /// Returns whether the finding makes the map unusable.
    pub fn is_error(&self) -> bool {
        self.diagnostic.severity == Severity::Error
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rule_has_one_key_which_is_its_serialized_name() {
        for rule in Rule::all() {
            assert_eq!(serde_json::to_value(rule).expect("a name"), rule.key());
            assert!(!rule.sentence().is_empty());
        }
        let keys: std::collections::BTreeSet<&str> = Rule::all().map(Rule::key).collect();
        assert_eq!(keys.len(), RULES.len());
    }
}
