//! The game's rules for whole maps, checked after a map's Lua has run.
//!
//! A [`Finding`] contains the broken [`Rule`], the name of the map and the position in the file.
//! [`source`](super::source) checks the grammar of each header while it reads a file; this module checks the rules that
//! need the whole map, such as whether the map has rows, is small enough for its orientation, has a way out, and can be
//! chosen by the game. Nothing here runs Lua.

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

/// A rule for maps. The description of each variant states what the rule requires.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Rule {
    /// The text of the file follows the grammar of level files.
    Grammar,
    /// Lua runs without an error.
    Lua,
    /// At least one attempt to resolve the map passes the map's own validation.
    Validation,
    /// A map has rows.
    Rows,
    /// A map is small enough for its orientation.
    Size,
    /// A map that does not fill the level has a way out.
    Exit,
    /// The game can choose the map, and the levels and tags that the map names exist.
    Selection,
    /// Every glyph has a meaning.
    Glyph,
    /// The game has every monster, item, kind of shop, spell, brand, tile and colour that a map names, and their
    /// modifiers have valid values.
    Name,
    /// A player can leave the map from every cell to which a teleport may lead.
    Closet,
    /// A portal has a marker with a destination and a description; the map to which it leads has an exit and no stairs.
    Portal,
}

/// Every rule, with its key and a sentence that states the rule.
const RULES: [(Rule, &str, &str); 11] = [
    (Rule::Grammar, "grammar", "the text follows the grammar of level files"),
    (Rule::Lua, "lua", "the Lua of a map runs without an error"),
    (
        Rule::Validation,
        "validation",
        "at least one of 25 attempts passes the map's own validation",
    ),
    (Rule::Rows, "rows", "a map has rows"),
    (Rule::Size, "size", "a map is not larger than its orientation allows"),
    (Rule::Exit, "exit", "a map that does not fill the level has a way out"),
    (
        Rule::Selection,
        "selection",
        "a map has a DEPTH, a PLACE or a tag by which the game chooses it, and names only levels and tags that exist",
    ),
    (Rule::Glyph, "glyph", "every glyph has a meaning"),
    (
        Rule::Name,
        "name",
        "the game has every monster, item, kind of shop, spell, brand, tile and colour that a map names, and their \
         modifiers have valid values",
    ),
    (
        Rule::Closet,
        "closet",
        "a player can leave the map from every cell to which a teleport may lead",
    ),
    (
        Rule::Portal,
        "portal",
        "a portal has a marker with `dst` and `desc`, and the map to which it leads has an exit and no stairs",
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

    /// Returns the rule's key in reports, such as `exit`.
    pub fn key(self) -> &'static str {
        self.row().0
    }

    /// Returns the rule as a sentence, without a full stop.
    pub fn sentence(self) -> &'static str {
        self.row().1
    }
}

/// A violation of a rule.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    /// The broken rule.
    pub rule: Rule,
    /// Name of the map; empty if the finding lies outside all maps.
    pub map: String,
    /// What is wrong, where, and what to do.
    pub diagnostic: Diagnostic,
}

impl Finding {
    /// Creates a finding positioned at the name of a map.
    fn of_map(rule: Rule, file: &VaultFile, map: &MapSource, diagnostic: Diagnostic) -> Self {
        Self::of_lines(rule, file, map, map.line..=map.line, &map.name, diagnostic)
    }

    /// Creates a finding positioned at the first occurrence of `part` in `lines` of the file.
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
