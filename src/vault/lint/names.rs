//! Checks the names of monsters, items, spells, brands and tiles against lists that come from the user's copy of the
//! game.
//!
//! The program has no lists of its own. [`Names`] reads the keys of the game's description files, which have one entry
//! for each monster, item and spell. Brands and tiles come from the game's own level files, and tiles also from its
//! source code, if it is available. A list saved on one machine can be used on another. A name that is missing from the
//! lists may exist in a newer version of the game, so every finding is a warning, and a brand or tile is reported only
//! if it resembles a known one.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::details::{Detail, details};
use super::things::{Kind, things};
use super::words::at;
use super::{Finding, Rule};
use crate::design::Diagnostic;
use crate::text::{is_similar, suggest, with_suggestion};
use crate::vault::source::{Header, MapSource, VaultFile};

/// Names from a copy of the game, in lower case. An empty set is not used for checks.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Names {
    /// Version of this list's format, currently [`Names::FORMAT`].
    #[serde(default)]
    pub format: u32,
    /// Monsters.
    #[serde(default)]
    pub monsters: BTreeSet<String>,
    /// Items, and the proper names of artefacts.
    #[serde(default)]
    pub items: BTreeSet<String>,
    /// Spells.
    #[serde(default)]
    pub spells: BTreeSet<String>,
    /// Brands and other egos of items.
    #[serde(default)]
    pub brands: BTreeSet<String>,
    /// Tiles.
    #[serde(default)]
    pub tiles: BTreeSet<String>,
}

/// The game's description files that contain names of monsters.
pub const MONSTER_FILES: [&str; 1] = ["monsters.txt"];
/// The game's description files that contain names of items.
pub const ITEM_FILES: [&str; 3] = ["items.txt", "unident.txt", "unrand.txt"];

/// The game's description files that contain names of spells.
pub const SPELL_FILES: [&str; 1] = ["spells.txt"];

/// Prefix of the names of monsters' tiles.
const OF_MONSTER: &str = "mons_";

/// Line that separates the entries of a description file.
const SEPARATOR: &str = "%%%%";

/// Words before or after a monster's name that modify the monster but are not part of the name.
const MONSTER_WORDS: [&str; 16] = [
    "generate_awake",
    "patrolling",
    "band",
    "seen",
    "always_corpse",
    "never_corpse",
    "actual_spells",
    "priest_spells",
    "wizard",
    "name_adjective",
    "name_definite",
    "name_descriptor",
    "name_nocorpse",
    "name_replace",
    "name_species",
    "name_suffix",
];
/// Words before a monster's name that select a variant of the monster.
const MONSTER_FORMS: [&str; 34] = [
    "0", "8", "9", "spectral", "any", "random", "base", "nonbase", "lesser", "common", "greater", "large", "very",
    "enormous", "titanic", "juvenile", "larval", "mature", "elder", "primal", "red", "green", "blue", "white", "black",
    "purple", "cyan", "yellow", "pale", "grey", "brown", "magenta", "infernal", "unliving",
];
/// Words after a monster's name that describe what the monster has become, such as a zombie.
const REMAINS: [&str; 7] = [
    "zombie",
    "skeleton",
    "simulacrum",
    "spectre",
    "draugr",
    "shape",
    "corpse",
];
/// Words in place of a monster's name: they mean any monster of a group, or no monster.
const MONSTER_KINDS: [&str; 14] = [
    "nothing",
    "none",
    "any",
    "random",
    "spectre",
    "simulacrum",
    "serpent of hell",
    "0",
    "8",
    "9",
    "demon",
    "draconian",
    "spectral",
    "player ghost",
];
/// Words before or after an item's name that describe its quality and how the game generates it.
const ITEM_WORDS: [&str; 16] = [
    "unobtainable",
    "damaged",
    "pre_id",
    "good_item",
    "star_item",
    "superb_item",
    "randart",
    "no_pickup",
    "no_uniq",
    "allow_uniq",
    "useful",
    "mundane",
    "cursed",
    "not_cursed",
    "no_exclude",
    "any",
];
/// Kinds of items. An item's name may be a kind, end in a kind, or begin with a kind and `of`, as in `manual of axes`.
const ITEM_KINDS: [&str; 13] = [
    "rune of zot",
    "manual",
    "corpse",
    "skeleton",
    "chunk",
    "gold",
    "randbook",
    "nothing",
    "none",
    "book",
    "misc",
    "parchment",
    "mimic",
];

impl Names {
    /// Version of the format that this program writes and reads.
    pub const FORMAT: u32 = 1;

    /// Returns the names of the entries in the text of a description file: the first line of each entry. A proper name
    /// in quotation marks within that line is returned as an additional name.
    fn entries(text: &str) -> impl Iterator<Item = String> {
        Self::first_lines(text).flat_map(|line| {
            let own = line.split('"').nth(1).map(folded);
            let name = folded(&line);
            let name = name.strip_prefix("the ").map(str::to_owned).unwrap_or(name);
            std::iter::once(name).chain(own)
        })
    }

    fn first_lines(text: &str) -> impl Iterator<Item = String> {
        text.split(SEPARATOR).filter_map(|entry| {
            let mut lines = entry.lines().map(str::trim);
            let name = lines.find(|line| !line.is_empty() && !line.starts_with('#'))?;
            // An entry whose name begins with `__` is only a text that other entries include.
            (!name.starts_with("__")).then(|| name.to_owned())
        })
    }

    /// Adds the monsters in the text of a description file.
    pub fn add_monsters(&mut self, text: &str) {
        self.format = Self::FORMAT;
        self.monsters.extend(Self::entries(text));
    }

    /// Adds the items in the text of a description file.
    pub fn add_items(&mut self, text: &str) {
        self.format = Self::FORMAT;
        self.items.extend(Self::entries(text));
    }

    /// Adds the spells in the text of a description file, in which the word `spell` follows each name.
    pub fn add_spells(&mut self, text: &str) {
        let spells = Self::first_lines(text).map(|line| folded(line.strip_suffix(" spell").unwrap_or(&line)));
        self.spells.extend(spells);
    }

    /// Adds the brands and tiles that a level file of the game uses.
    pub fn add_level_file(&mut self, file: &VaultFile) {
        for header in file.maps.iter().flat_map(|map| &map.headers) {
            for (detail, name) in details(header) {
                match detail {
                    Detail::Tile => self.tiles.insert(name.to_lowercase()),
                    Detail::Brand => self.brands.insert(folded(&name)),
                    // The descriptions already contain all spells.
                    Detail::Spell => false,
                };
            }
        }
    }

    /// Adds the tiles in the text of a tile list from the game's source code. Words in capitals with an underscore are
    /// names of tiles.
    pub fn add_tiles(&mut self, text: &str) {
        let is_name = |word: &&str| {
            let is_capital = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
            word.contains('_') && word.chars().all(is_capital)
        };
        let lines = text.lines().filter(|line| !line.starts_with('#'));
        self.tiles.extend(
            lines
                .flat_map(str::split_whitespace)
                .filter(is_name)
                .map(str::to_lowercase),
        );
    }

    /// Returns whether both the list of monsters and the list of items are empty.
    pub fn is_empty(&self) -> bool {
        self.monsters.is_empty() && self.items.is_empty()
    }

    /// Returns the name of the monster that `text` describes, if the name is unknown.
    fn unknown_monster(&self, text: &str) -> Option<String> {
        let name = bare(text, |word| MONSTER_WORDS.contains(&word) || word.starts_with("n_"));
        (!self.monsters.is_empty() && !self.is_monster(&folded(&name))).then_some(name)
    }

    fn is_monster(&self, name: &str) -> bool {
        let name = name.strip_prefix("the ").unwrap_or(name);
        if name.is_empty() || MONSTER_KINDS.contains(&name) || self.monsters.contains(name) {
            return true;
        }
        let is_numbered = |word: &str| word.contains('-') || word.chars().all(|c| c.is_ascii_digit());
        if let Some((first, rest)) = name.split_once(' ')
            && (MONSTER_FORMS.contains(&first) || is_numbered(first))
            && self.is_monster(rest)
        {
            return true;
        }
        match name.rsplit_once(' ') {
            Some((rest, last)) if REMAINS.contains(&last) => self.is_monster(rest),
            _ => false,
        }
    }

    /// Returns the name of the item that `text` describes, if the name is unknown.
    fn unknown_item(&self, text: &str) -> Option<String> {
        let words: Vec<&str> = text.split_whitespace().collect();
        // With `any` or `acquire`, the game chooses the item, so there is no name to check.
        if self.items.is_empty() || words.contains(&"any") || text.contains("acquire") {
            return None;
        }
        let shown = bare(text, |word| ITEM_WORDS.contains(&word));
        let name = folded(&shown);
        let name = name.strip_prefix("the ").unwrap_or(&name);
        let is_kind = ITEM_KINDS.iter().any(|kind| {
            name == *kind || name.ends_with(&format!(" {kind}")) || name.starts_with(&format!("{kind} of "))
        });
        let is_glyph = name.len() < 2;
        (!is_kind && !is_glyph && !self.items.contains(name)).then_some(shown)
    }
}

/// Returns the known name that an unknown `name` probably means: a similar name; otherwise the shortest name that ends
/// in it, such as `pair of boots` for `boots`; otherwise the shortest name that begins with it.
fn nearest<'a>(name: &str, list: &'a BTreeSet<String>) -> Option<&'a str> {
    let known = || list.iter().map(String::as_str);
    let end = format!(" {}", folded(name));
    suggest(name, known().filter(|known| is_similar(known, name)))
        .or_else(|| {
            known()
                .filter(|known| known.ends_with(&end))
                .min_by_key(|known| known.len())
        })
        .or_else(|| suggest(name, known()))
}

/// Returns the last or the first word of a name if the other words form a known name, such as `generate_awke` in `rat
/// generate_awke`.
fn stray(name: &str, is_known: impl Fn(&str) -> bool) -> Option<&str> {
    let ends = [
        name.rsplit_once(' '),
        name.split_once(' ').map(|(first, rest)| (rest, first)),
    ];
    let mut words = ends.into_iter().flatten().filter(|(rest, _)| is_known(rest));
    words.next().map(|(_, word)| word)
}

/// Returns the name in a text: the words before the first semicolon, except words with a colon and words for which
/// `is_other` returns true.
fn bare(text: &str, is_other: impl Fn(&str) -> bool) -> String {
    let head = text.split(';').next().unwrap_or_default();
    let words = head
        .split_whitespace()
        .filter(|word| !word.contains(':') && !is_other(word));
    words.collect::<Vec<_>>().join(" ")
}

/// Normalizes a name for comparison: lower case, spaces in place of underscores, no quotation marks or apostrophes.
fn folded(name: &str) -> String {
    let name = name.to_lowercase().replace('_', " ");
    name.chars().filter(|c| !matches!(c, '\'' | '"')).collect()
}

/// Returns a finding for each name in a map's headers that is missing from the lists. Each name is reported only once.
pub fn unknown_names(file: &VaultFile, map: &MapSource, names: &Names) -> Vec<Finding> {
    let mut found: BTreeSet<String> = BTreeSet::new();
    let mut findings = Vec::new();
    for header in &map.headers {
        let details = details(header).into_iter().filter_map(|(detail, name)| {
            let message = names.unknown_detail(detail, &name)?;
            Some((name, message))
        });
        for (name, message) in names.unknown_things(header).into_iter().chain(details) {
            if !found.insert(folded(&name)) {
                continue;
            }
            let diagnostic = Diagnostic::warning(message)
                .help("correct the name, or pass --names with a list from a release of the game that has it");
            findings.push(at(file, map, header, &name, Rule::Name, diagnostic));
        }
    }
    findings
}

impl Names {
    /// Returns the unknown monsters and items in a header, each with a message.
    fn unknown_things(&self, header: &Header) -> Vec<(String, String)> {
        let things = things(header).into_iter().filter(|(kind, _)| *kind != Kind::Shop);
        things
            .filter_map(|(kind, text)| self.unknown_thing(&text, kind == Kind::Monster))
            .collect()
    }

    /// Returns the unknown part of the text that describes a monster or item, with a message.
    fn unknown_thing(&self, text: &str, is_monster: bool) -> Option<(String, String)> {
        let unknown = |text: &str| {
            if is_monster {
                self.unknown_monster(text)
            } else {
                self.unknown_item(text)
            }
        };
        let (list, words, kind): (_, &[&str], _) = if is_monster {
            (&self.monsters, &MONSTER_WORDS, "monster")
        } else {
            (&self.items, &ITEM_WORDS, "item")
        };
        let name = unknown(text)?;
        if let Some(known) = nearest(&name, list) {
            let message = format!("unknown {kind}; did you mean `{known}`?");
            return Some((name, message));
        }
        let Some(word) = stray(&name, |name| unknown(name).is_none()) else {
            return Some((name, format!("unknown {kind}")));
        };
        let message = format!("unknown word next to the name of this {kind}");
        Some((word.to_owned(), with_suggestion(&message, word, words.iter().copied())))
    }

    /// Returns a message if a monster's tile is unknown and resembles the tile of a known monster.
    fn unknown_tile_of_monster(&self, name: &str) -> Option<String> {
        let of_monsters = self
            .monsters
            .iter()
            .map(|monster| format!("{OF_MONSTER}{}", monster.replace(' ', "_")));
        let own = self.tiles.iter().filter(|tile| tile.starts_with(OF_MONSTER)).cloned();
        let tiles: BTreeSet<String> = of_monsters.chain(own).collect();
        if tiles.iter().any(|known| unnumbered(known) == unnumbered(name)) {
            return None;
        }
        let similar = tiles.iter().filter(|known| is_slip(known, name));
        let known = suggest(name, similar.map(String::as_str))?;
        Some(format!("unknown tile; did you mean `{known}`?"))
    }

    /// Returns a message if a tile, brand or spell is unknown. For a tile or brand, returns one only if the name
    /// resembles a known name.
    fn unknown_detail(&self, detail: Detail, name: &str) -> Option<String> {
        let (list, kind) = match detail {
            Detail::Tile if name.starts_with(OF_MONSTER) => return self.unknown_tile_of_monster(name),
            Detail::Tile => (&self.tiles, "tile"),
            Detail::Brand => (&self.brands, "brand"),
            Detail::Spell => (&self.spells, "spell"),
        };
        let is_known = match detail {
            // Tiles that differ only in their numbers are variants of the same tile.
            Detail::Tile => list.iter().any(|known| unnumbered(known) == unnumbered(name)),
            Detail::Brand | Detail::Spell => list.contains(&folded(name)),
        };
        if is_known || list.is_empty() {
            return None;
        }
        // Each word of a tile or brand must be similar: `wall_pebble_green` is not a misspelling of
        // `wall_pebble_brown`.
        let similar = list
            .iter()
            .filter(|known| detail == Detail::Spell || is_slip(&unnumbered(known), &unnumbered(name)));
        match suggest(name, similar.map(String::as_str)) {
            Some(known) => Some(format!("unknown {kind}; did you mean `{}`?", known.replace(' ', "_"))),
            None => (detail == Detail::Spell).then(|| format!("unknown {kind}")),
        }
    }
}

/// Returns whether each word of `name` is similar to the corresponding word of `known`.
fn is_slip(known: &str, name: &str) -> bool {
    let words = |name: &str| name.split(['_', ' ']).map(str::to_owned).collect::<Vec<_>>();
    let (known, name) = (words(known), words(name));
    known.len() == name.len() && known.iter().zip(&name).all(|(known, name)| is_similar(known, name))
}

/// Returns a name in lower case without its numbers.
fn unnumbered(name: &str) -> String {
    let name = name.to_lowercase().replace(|c: char| c.is_ascii_digit(), "");
    name.trim_end_matches('_').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names() -> Names {
        let mut names = Names::default();
        names.add_monsters("%%%%\n__prefix\n\nx\n%%%%\n# Rats\nmarsh rat\n\nWet.\n%%%%\nthe Duke\n\nA duke.\n%%%%");
        names.add_items("%%%%\nbronze bell\n\nx\n%%%%\nbell \"Loud\"\n\nx\n%%%%\nDuke's bell\n");
        names
    }

    #[test]
    fn entries_begin_with_their_names() {
        let names = names();
        assert_eq!(Vec::from_iter(&names.monsters), ["duke", "marsh rat"]);
        assert_eq!(
            Vec::from_iter(&names.items),
            ["bell loud", "bronze bell", "dukes bell", "loud"]
        );
    }

    #[test]
    fn a_finding_lies_in_the_header_that_has_the_name() {
        let text = b"NAME: a\nKMONS: A = marhs  rat\nKMONS: B = marhs rat\nMAP\nAB\nENDMAP\n";
        let file = crate::vault::source::read("a.des", text);
        let findings = unknown_names(&file, &file.maps[0], &names());
        let lines = findings
            .iter()
            .map(|finding| finding.diagnostic.source.as_ref().map(|source| source.line));
        assert_eq!(lines.collect::<Vec<_>>(), [Some(2)]);
    }

    #[test]
    fn words_that_only_modify_a_name_are_not_part_of_it() {
        let names = names();
        for known in [
            "marsh rat",
            "generate_awake marsh rat hd:3 name:Bob name_adjective",
            "marsh rat zombie",
            "spectral marsh rat band",
            "large marsh rat",
            "two-headed marsh rat",
            "the Duke",
            "nothing",
            "9",
            "marsh_rat ; bronze bell . robe",
        ] {
            assert_eq!(names.unknown_monster(known), None, "{known}");
        }
        assert_eq!(
            names.unknown_monster("marhs rat zombie hd:2").as_deref(),
            Some("marhs rat zombie")
        );
        for known in [
            "bronze bell q:3 no_pickup",
            "randart bronze_bell ego:holy_wrath",
            "any armour",
            "dukes_bell",
            "loud",
            "marsh rat corpse",
            "manual of bells",
            "*",
        ] {
            assert_eq!(names.unknown_item(known), None, "{known}");
        }
        assert_eq!(names.unknown_item("bronz bell randart").as_deref(), Some("bronz bell"));
        let is_rat = |name: &str| name == "marsh rat";
        assert_eq!(stray("marsh rat patroling", is_rat), Some("patroling"));
        assert_eq!(stray("patroling marsh rat", is_rat), Some("patroling"));
        assert_eq!(stray("marsh cat", is_rat), None);
        let mut names = Names::default();
        names.add_spells("%%%%\nMagic Dart spell\n\nx\n%%%%\nOrb's Grip spell\n\nx\n%%%%\n");
        names.add_tiles("%name floor\n# FLOOR_OLD\ngrass0 FLOOR_GRASS\n%repeat FLOOR_GRASS FLOOR_GRASS_RED\n");
        assert_eq!(Vec::from_iter(&names.tiles), ["floor_grass", "floor_grass_red"]);
        let spell = |name| names.unknown_detail(Detail::Spell, name);
        assert_eq!((spell("magic_dart"), spell("orbs_grip")), (None, None));
        assert!(spell("magic_drat").is_some_and(|message| message.ends_with("did you mean `magic_dart`?")));
        assert_eq!(spell("quake").as_deref(), Some("unknown spell"));
        let tile = |name| names.unknown_detail(Detail::Tile, name);
        assert_eq!((tile("floor_grass_7"), tile("own_thing")), (None, None));
        assert!(tile("floor_gras").is_some_and(|message| message.contains("`floor_grass`")));
        assert_eq!(tile("floor_grass_blue"), None);
        names.add_monsters("%%%%\norc priest\n\nx\n%%%%\n");
        let tile = |name| names.unknown_detail(Detail::Tile, name);
        assert_eq!((tile("mons_orc_priest"), tile("mons_own_thing")), (None, None));
        assert_eq!(
            tile("mons_orrc_priest").as_deref(),
            Some("unknown tile; did you mean `mons_orc_priest`?")
        );
        assert!(!names.is_monster("orc prest"));
        for known in [
            "20 orc priest",
            "the orc priest",
            "orc priest spectre",
            "black orc priest simulacrum",
            "random",
        ] {
            assert!(names.is_monster(known), "{known}");
        }
        assert_eq!(nearest("priest", &names.monsters), Some("orc priest"), "a longer name");
        assert_eq!(
            Names::default().unknown_item("bronz bell"),
            None,
            "without a list nothing is checked"
        );
    }
}
