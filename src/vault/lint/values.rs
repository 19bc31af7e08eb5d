//! Checks the values of the modifiers of monsters, items and shops, such as `hd:3`, `god:zin` or `count:7`, and the
//! skills of manuals.
//!
//! The valid values are part of the level language, so this check needs no names from a copy of the game. A newer
//! version of the game may accept more values, so every finding is a warning.

use super::things::{Kind, things};
use super::words::{at, colours};
use super::{Finding, Rule};
use crate::design::Diagnostic;
use crate::design::feature::{Class, Feature};
use crate::text::with_suggestion;
use crate::vault::source::{MapSource, VaultFile};
use crate::vault::spec::{Level, Ranges};

/// The kind of value that a modifier accepts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Value {
    /// Any text, or a name that is checked elsewhere.
    Text,
    /// A whole number of at least 1.
    Count,
    /// A whole number, which may be negative.
    Number,
    /// A god.
    God,
    /// How a monster behaves towards the player.
    Attitude,
    /// A colour.
    Colour,
    /// Levels as in DEPTH, such as `Lair:2`.
    Level,
    /// A school of magic.
    School,
    /// How much the player knows about an item.
    Identity,
}

/// The modifiers of monsters, with the kind of value that each one accepts.
const OF_MONSTERS: [(&str, Value); 14] = [
    ("hd", Value::Count),
    ("hp", Value::Count),
    ("exp", Value::Number),
    ("dur", Value::Number),
    ("god", Value::God),
    ("att", Value::Attitude),
    ("col", Value::Colour),
    ("place", Value::Level),
    ("name", Value::Text),
    ("dbname", Value::Text),
    ("tile", Value::Text),
    ("spells", Value::Text),
    ("ench", Value::Text),
    ("perm_ench", Value::Text),
];
/// The modifiers of items, with the kind of value that each one accepts.
const OF_ITEMS: [(&str, Value); 21] = [
    ("q", Value::Count),
    ("plus", Value::Number),
    ("charges", Value::Number),
    ("level", Value::Number),
    ("numspells", Value::Count),
    ("slevels", Value::Count),
    ("disc", Value::School),
    ("disc2", Value::School),
    ("acquire", Value::God),
    ("ident", Value::Identity),
    ("col", Value::Colour),
    ("place", Value::Level),
    ("ego", Value::Text),
    ("spells", Value::Text),
    ("owner", Value::Text),
    ("title", Value::Text),
    ("tile", Value::Text),
    ("wtile", Value::Text),
    ("artprops", Value::Text),
    ("mimic", Value::Number),
    ("itemname", Value::Text),
];
/// The modifiers of shops, with the kind of value that each one accepts.
const OF_SHOPS: [(&str, Value); 5] = [
    ("count", Value::Count),
    ("greed", Value::Number),
    ("type", Value::Text),
    ("suffix", Value::Text),
    ("name", Value::Text),
];

/// How a monster behaves towards the player.
const ATTITUDES: [&str; 5] = ["hostile", "neutral", "good_neutral", "strict_neutral", "friendly"];
/// How much the player knows about an item.
const IDENTITIES: [&str; 5] = ["all", "type", "curse", "pluses", "properties"];
/// The schools of magic, including those of older releases of the game.
const SCHOOLS: [&str; 18] = [
    "conjuration",
    "conjurations",
    "hexes",
    "charms",
    "fire",
    "ice",
    "air",
    "earth",
    "poison",
    "alchemy",
    "transmutation",
    "transmutations",
    "necromancy",
    "summoning",
    "summonings",
    "translocation",
    "translocations",
    "forgecraft",
];
/// The skills that manuals may teach, including those of older releases of the game.
const SKILLS: [&str; 40] = [
    "fighting",
    "short blades",
    "long blades",
    "axes",
    "maces & flails",
    "maces and flails",
    "polearms",
    "staves",
    "slings",
    "bows",
    "crossbows",
    "ranged weapons",
    "throwing",
    "armour",
    "dodging",
    "stealth",
    "stabbing",
    "shields",
    "traps",
    "traps & doors",
    "unarmed combat",
    "spellcasting",
    "conjurations",
    "hexes",
    "charms",
    "summonings",
    "necromancy",
    "translocations",
    "transmutations",
    "fire magic",
    "ice magic",
    "air magic",
    "earth magic",
    "poison magic",
    "alchemy",
    "forgecraft",
    "invocations",
    "evocations",
    "shapeshifting",
    "random",
];
/// Prefix of the name of a manual; the skill follows.
const MANUAL: &str = "manual of ";

/// Returns a finding for each invalid modifier or skill in a map's headers: an unknown modifier, a word in place of a
/// number, an unknown god, and so on.
pub fn wrong_values(file: &VaultFile, map: &MapSource) -> Vec<Finding> {
    let mut found = Vec::new();
    for header in &map.headers {
        for (kind, text) in things(header) {
            let wrong = text.split_whitespace().filter_map(|word| wrong_word(kind, word));
            let skill = (kind == Kind::Item).then(|| wrong_skill(&text)).flatten();
            for (part, message, help) in wrong.chain(skill) {
                let diagnostic = Diagnostic::warning(message).help(help);
                found.push(at(file, map, header, &part, Rule::Name, diagnostic));
            }
        }
    }
    found
}

/// A description of an error: the offending text, a message, and advice.
type Wrong = (String, String, &'static str);

/// Returns what is wrong with a word; `None` if the word is a valid modifier or not a modifier at all.
fn wrong_word(kind: Kind, word: &str) -> Option<Wrong> {
    let (key, value) = word.split_once(':')?;
    let table: &[(&str, Value)] = match kind {
        Kind::Monster => &OF_MONSTERS,
        Kind::Item => &OF_ITEMS,
        Kind::Shop => &OF_SHOPS,
    };
    let Some((_, expected)) = table.iter().find(|(known, _)| *known == key) else {
        // The user wrote a weight as in SUBST, such as `%:15`.
        if !key.chars().any(char::is_alphanumeric) && value.parse::<u32>().is_ok() {
            let weighted = format!("{key} w:{value}");
            let message = format!("unknown modifier; did you mean `{}`?", weighted.trim_start());
            return Some((
                word.to_owned(),
                message,
                "write a weight as `w:` and a number, such as `% w:15`",
            ));
        }
        let known = table.iter().map(|(known, _)| *known);
        let message = with_suggestion("unknown modifier", key, known);
        let help = "write a name, a colon and a value, without spaces, such as `hd:5`, `q:2` or `count:7`";
        return Some((word.to_owned(), message, help));
    };
    let (message, help) = expected.fault(key, value)?;
    Some((word.to_owned(), message, help))
}

impl Value {
    /// Returns a message about an invalid value, and advice; `None` if the value is valid.
    fn fault(self, key: &str, value: &str) -> Option<(String, &'static str)> {
        let number = value.parse::<i64>().ok();
        let unknown = |what: &str, known: &[&str]| {
            let is_known = known.iter().any(|known| folded(known) == folded(value));
            (!is_known).then(|| with_suggestion(&format!("unknown {what}"), value, known.iter().copied()))
        };
        match self {
            Self::Text => None,
            Self::Count => number.is_none_or(|number| number < 1).then(|| {
                let help = "write a number such as 3; the game ignores any other value";
                (format!("`{key}` must be a positive whole number"), help)
            }),
            Self::Number => number.is_none().then(|| {
                let help = "write a number such as 3 or -1; the game ignores any other value";
                (format!("`{key}` must be a whole number"), help)
            }),
            Self::God => {
                let message = unknown("god", &gods())?;
                Some((
                    message,
                    "write the name of a god with `_` for spaces, such as `sif_muna`",
                ))
            }
            Self::Attitude => {
                let help = "write `hostile`, `neutral`, `good_neutral` or `friendly`; the game treats any other word as hostile";
                Some((unknown("attitude", &ATTITUDES)?, help))
            }
            Self::Colour => {
                let known: Vec<&str> = colours().collect();
                let help = "write one of the 16 colours, such as `lightred`, or an animated one, such as `fire`";
                Some((unknown("colour", &known)?, help))
            }
            Self::Level => {
                let help = "write a branch and a depth, such as `Lair:2`, `D:$` or `Depths`";
                match Ranges::parse(value) {
                    Err(error) => Some((error.message, help)),
                    Ok(ranges) if !Level::all().any(|level| ranges.matches(&level)) => {
                        Some(("there is no such level".to_owned(), help))
                    }
                    Ok(_) => None,
                }
            }
            Self::School => {
                let help = "write a school of magic, such as `fire`, `hexes` or `necromancy`";
                Some((unknown("school of magic", &SCHOOLS)?, help))
            }
            Self::Identity => Some((
                unknown("value of `ident`", &IDENTITIES)?,
                "write `ident:all` or `ident:type`",
            )),
        }
    }
}

/// Returns what is wrong with a manual's skill; `None` if the text names no manual or the skill is known.
fn wrong_skill(text: &str) -> Option<Wrong> {
    let begin = text.to_lowercase().find(MANUAL)? + MANUAL.len();
    let rest = text.get(begin..)?;
    let words = rest.split_whitespace().take_while(|word| !word.contains(':'));
    let skill = words.collect::<Vec<_>>().join(" ");
    let is_known = |skill: &str| SKILLS.iter().any(|known| folded(known) == folded(skill));
    // Words such as `pre_id` may follow the skill.
    let first = skill.rsplit_once(' ').map(|(first, _)| first);
    if skill.is_empty() || is_known(&skill) || first.is_some_and(is_known) {
        return None;
    }
    let message = with_suggestion("unknown skill", &skill, SKILLS);
    Some((
        skill,
        message,
        "write `manual of` and a skill, such as `manual of short blades`",
    ))
}

/// Returns the names of the gods, taken from the names of their altars.
fn gods() -> Vec<&'static str> {
    let altars = Feature::all().filter(|feature| feature.class() == Class::Altar);
    let own = altars.filter_map(|altar| altar.name().strip_prefix("altar_"));
    own.filter(|god| *god != "ecumenical").collect()
}

fn folded(name: &str) -> String {
    name.to_lowercase().replace([' ', '-'], "_")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wrong(kind: Kind, word: &str) -> String {
        wrong_word(kind, word).map_or_else(String::new, |(_, message, _)| message)
    }

    #[test]
    fn impossible_values_are_found_with_suggestions() {
        let monster = |word| wrong(Kind::Monster, word);
        for fine in [
            "hd:3",
            "hp:120",
            "god:Zin",
            "god:sif_muna",
            "god:the_shining_one",
            "att:good_neutral",
            "col:lightred",
            "col:vehumet",
            "place:D:$",
            "place:Lair:2",
            "place:Abyss",
            "name:Bob's_rat",
            "perm_ench:shapeshifter",
            "orc",
        ] {
            assert_eq!(monster(fine), "", "{fine}");
        }
        assert_eq!(monster("hd:x"), "`hd` must be a positive whole number");
        assert_eq!(monster("hp:-3"), "`hp` must be a positive whole number");
        assert_eq!(monster("god:zinn"), "unknown god; did you mean `zin`?");
        assert_eq!(monster("god:foo"), "unknown god");
        assert_eq!(monster("att:neutrall"), "unknown attitude; did you mean `neutral`?");
        assert_eq!(monster("col:rde"), "unknown colour; did you mean `red`?");
        assert_eq!(monster("place:D:99"), "there is no such level");
        assert!(monster("place:Liar:2").contains("Lair"), "{}", monster("place:Liar:2"));
        assert_eq!(monster("hdd:3"), "unknown modifier; did you mean `hd`?");
        assert_eq!(monster("q:3"), "unknown modifier");
        let item = |word| wrong(Kind::Item, word);
        for fine in [
            "q:3",
            "plus:-2",
            "disc:Poison",
            "ident:all",
            "acquire:trog",
            "ego:fire",
            "level:-2",
        ] {
            assert_eq!(item(fine), "", "{fine}");
        }
        assert_eq!(item("q:x"), "`q` must be a positive whole number");
        assert_eq!(item("plus:x"), "`plus` must be a whole number");
        assert_eq!(item("%:15"), "unknown modifier; did you mean `% w:15`?");
        assert_eq!(item(":15"), "unknown modifier; did you mean `w:15`?");
        assert_eq!(item("disc:fir"), "unknown school of magic; did you mean `fire`?");
        assert_eq!(item("ident:al"), "unknown value of `ident`; did you mean `all`?");
        assert_eq!(
            wrong(Kind::Shop, "count:many"),
            "`count` must be a positive whole number"
        );
        assert_eq!(wrong(Kind::Shop, "type:Odd"), "");
    }

    #[test]
    fn manuals_teach_skills() {
        for fine in [
            "manual of Short Blades q:2",
            "manual of short_blades",
            "manual of axes pre_id",
            "manual of",
            "manual",
        ] {
            assert_eq!(wrong_skill(fine), None, "{fine}");
        }
        let (part, message, _) = wrong_skill("manual of short blaeds ident:type").expect("an unknown skill");
        assert_eq!(part, "short blaeds");
        assert_eq!(message, "unknown skill; did you mean `short blades`?");
        assert_eq!(wrong_skill("manual of swimming").expect("unknown").1, "unknown skill");
    }
}
