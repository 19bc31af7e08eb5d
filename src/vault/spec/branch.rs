//! The branches of the game: their names, their numbers of levels and the levels that contain their entrances.
//!
//! The facts come from players' documentation for release 0.32 and later; the table also lists the names that older
//! level files use. Placing a map needs only the names. Scripts can query the entrances and the numbers of levels. The
//! entrances also determine the absolute depth of every level, which is its depth below the surface.

use serde::{Deserialize, Serialize};

use super::SpecError;

/// A branch of the dungeon, as an index into the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Branch(u8);

/// Facts about a branch.
struct Facts {
    /// Short name, which level files use.
    name: &'static str,
    /// Full name, in words.
    long: &'static str,
    /// Number of levels.
    levels: u32,
    /// Parent branch, and the first and last level of the parent that may contain the entrance.
    entry: Option<(&'static str, u32, u32)>,
    /// Other names that level files use or used to use.
    aliases: &'static [&'static str],
}

const fn facts(
    name: &'static str,
    long: &'static str,
    levels: u32,
    entry: (&'static str, u32, u32),
    aliases: &'static [&'static str],
) -> Facts {
    Facts {
        name,
        long,
        levels,
        entry: Some(entry),
        aliases,
    }
}

/// The main dungeon comes first; it is the default for a place without a branch.
const TABLE: [Facts; 42] = [
    Facts {
        name: "D",
        long: "Dungeon",
        levels: 15,
        entry: None,
        aliases: &["Main", "Main Dungeon"],
    },
    facts("Temple", "Ecumenical Temple", 1, ("D", 4, 7), &[]),
    facts("Lair", "Lair of Beasts", 5, ("D", 8, 11), &["Lair of the Beasts"]),
    facts("Swamp", "Swamp", 4, ("Lair", 2, 4), &[]),
    facts("Shoals", "Shoals", 4, ("Lair", 2, 4), &["Shoal"]),
    facts("Snake", "Snake Pit", 4, ("Lair", 2, 4), &[]),
    facts("Spider", "Spider Nest", 4, ("Lair", 2, 4), &["Spider's Nest"]),
    facts("Slime", "Slime Pits", 5, ("Lair", 5, 5), &["Pits of Slime"]),
    facts("Orc", "Orcish Mines", 2, ("D", 9, 12), &[]),
    facts("Elf", "Elven Halls", 3, ("Orc", 2, 2), &[]),
    facts("Vaults", "Vaults", 5, ("D", 13, 14), &["Vault"]),
    facts("Crypt", "Crypt", 3, ("Vaults", 2, 3), &[]),
    facts("Tomb", "Tomb of the Ancients", 3, ("Crypt", 3, 3), &["Tomb"]),
    facts("Depths", "Depths", 4, ("D", 15, 15), &[]),
    facts("Hell", "Vestibule of Hell", 1, ("Depths", 1, 4), &["Vestibule"]),
    facts("Dis", "Iron City of Dis", 7, ("Hell", 1, 1), &[]),
    facts("Geh", "Gehenna", 7, ("Hell", 1, 1), &[]),
    facts("Coc", "Cocytus", 7, ("Hell", 1, 1), &[]),
    facts("Tar", "Tartarus", 7, ("Hell", 1, 1), &[]),
    facts("Zot", "Realm of Zot", 5, ("Depths", 4, 4), &["Hall of Zot"]),
    facts("Abyss", "Abyss", 7, ("Depths", 2, 4), &[]),
    facts("Pan", "Pandemonium", 1, ("Depths", 2, 4), &[]),
    facts("Zig", "Ziggurat", 27, ("Depths", 1, 4), &[]),
    facts("Bazaar", "Bazaar", 1, ("D", 4, 15), &["Bzr"]),
    facts("Trove", "Treasure Trove", 1, ("D", 12, 15), &[]),
    facts("Sewer", "Sewer", 1, ("D", 3, 6), &[]),
    facts("Ossuary", "Ossuary", 1, ("D", 4, 8), &[]),
    facts("Bailey", "Bailey", 1, ("D", 7, 10), &[]),
    facts("Gauntlet", "Gauntlet", 1, ("D", 8, 13), &[]),
    facts("IceCv", "Ice Cave", 1, ("D", 11, 15), &[]),
    facts("Volcano", "Volcano", 1, ("D", 11, 14), &[]),
    facts("WizLab", "Wizard's Laboratory", 1, ("Depths", 1, 4), &["Wizlab"]),
    facts("Desolation", "Desolation of Salt", 1, ("Depths", 1, 4), &[]),
    facts("Necropolis", "Necropolis", 1, ("Vaults", 1, 4), &[]),
    facts("Gulch", "Gulch", 1, ("Depths", 1, 4), &[]),
    facts("Arena", "Okawaru's Arena", 1, ("D", 1, 15), &[]),
    facts("Crucible", "Crucible of Flesh", 1, ("D", 1, 15), &[]),
    // Removed from the game, but their level files still exist.
    facts("Hive", "Hive", 2, ("D", 11, 16), &[]),
    facts("Blade", "Hall of Blades", 1, ("Vaults", 4, 6), &["Blades"]),
    facts("Forest", "Enchanted Forest", 5, ("D", 2, 15), &[]),
    facts("Dwarf", "Dwarven Hall", 1, ("D", 2, 15), &[]),
    facts("Lab", "Labyrinth", 1, ("D", 8, 15), &[]),
];

/// A branch is serialized by its name.
impl From<Branch> for String {
    fn from(branch: Branch) -> Self {
        branch.name().into()
    }
}

impl TryFrom<String> for Branch {
    type Error = String;

    fn try_from(name: String) -> Result<Self, String> {
        Self::by_name(&name).ok_or_else(|| format!("unknown branch `{name}`"))
    }
}

impl Branch {
    /// The main dungeon.
    pub const DUNGEON: Self = Self(0);

    /// Returns the branch with this name, ignoring case. The name may be the short name, the full name or an older
    /// name.
    pub fn by_name(name: &str) -> Option<Self> {
        let known = |facts: &Facts| {
            [facts.name, facts.long]
                .iter()
                .chain(facts.aliases)
                .any(|known| known.eq_ignore_ascii_case(name))
        };
        TABLE.iter().position(known).map(|index| Self(index as u8))
    }

    /// Parses the name of a branch: the short name, the full name or an older name.
    ///
    /// # Errors
    ///
    /// Fails if the branch is unknown; the message suggests a similar one.
    pub fn parse(name: &str) -> Result<Self, SpecError> {
        Self::by_name(name).ok_or_else(|| {
            let names = TABLE.iter().map(|facts| facts.name);
            SpecError::unknown("unknown branch", name, names)
        })
    }

    /// Parses the name of a branch as level files write it: the short name, current or older.
    ///
    /// # Errors
    ///
    /// Fails if no branch has this short name. The message suggests the short name if `name` is a full name, otherwise
    /// a similar name, if there is one.
    pub fn parse_short(name: &str) -> Result<Self, SpecError> {
        let branch = Self::parse(name)?;
        let facts = branch.facts();
        let mut short = std::iter::once(&facts.name).chain(facts.aliases.iter().filter(|alias| is_word(alias)));
        if short.any(|known| known.eq_ignore_ascii_case(name)) {
            return Ok(branch);
        }
        let message = format!("unknown branch; did you mean `{}`?", facts.name);
        Err(SpecError::new(message, name))
    }

    /// Returns the branch that an entrance feature such as `enter_orcish_mines` leads to.
    pub fn of_entrance(feature: &str) -> Option<Self> {
        Self::by_name(&feature.strip_prefix("enter_")?.replace('_', " "))
    }

    fn facts(self) -> &'static Facts {
        &TABLE[usize::from(self.0)]
    }

    /// Returns the short name, as written in level files.
    pub fn name(self) -> &'static str {
        self.facts().name
    }

    /// Returns the full name, in words.
    pub fn long_name(self) -> &'static str {
        self.facts().long
    }

    /// Returns the number of levels; in a ziggurat and the Abyss, the number of descents.
    pub fn levels(self) -> u32 {
        self.facts().levels
    }

    /// Returns the parent branch, and the first and last level of the parent that may contain the entrance; `None` for
    /// the main dungeon.
    pub fn entry(self) -> Option<(Self, u32, u32)> {
        let (parent, first, last) = self.facts().entry?;
        Some((Self::by_name(parent)?, first, last))
    }

    /// Returns the absolute depth (the depth below the surface) of a level of this branch. Assumes that each entrance
    /// lies half-way between the first and last level that may contain it.
    pub fn absolute_depth(self, level: u32) -> u32 {
        let above = self.entry().map_or(0, |(parent, first, last)| {
            parent.absolute_depth(u32::midpoint(first, last))
        });
        above.saturating_add(level)
    }

    /// Returns all branches, the main dungeon first.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..TABLE.len()).map(|index| Self(index as u8))
    }
}

/// Returns whether a name is one word, like the names in level files.
fn is_word(name: &str) -> bool {
    name.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_and_each_is_one_branch() {
        assert_eq!(Branch::by_name("D"), Some(Branch::DUNGEON));
        assert_eq!(Branch::by_name("dungeon"), Some(Branch::DUNGEON));
        assert_eq!(Branch::by_name("Pandemonium").map(Branch::name), Some("Pan"));
        assert_eq!(Branch::by_name("Vault").map(Branch::name), Some("Vaults"));
        assert_eq!(Branch::by_name("Nowhere"), None);
        for branch in Branch::all() {
            for name in [branch.name(), branch.long_name()] {
                assert_eq!(Branch::by_name(name), Some(branch), "{name}");
            }
            assert!(branch.levels() > 0);
            assert!(
                branch == Branch::DUNGEON || branch.entry().is_some(),
                "{}",
                branch.name()
            );
        }
    }

    #[test]
    fn every_entrance_leads_to_a_branch() {
        use crate::design::feature::Feature;
        for feature in Feature::all().map(Feature::name) {
            let elsewhere = ["enter_shop", "enter_portal_vault"].contains(&feature);
            let leads = feature.starts_with("enter_") && !elsewhere;
            assert_eq!(Branch::of_entrance(feature).is_some(), leads, "{feature}");
        }
        assert_eq!(Branch::of_entrance("enter_ice_cave"), Branch::by_name("IceCv"));
    }

    #[test]
    fn a_misspelt_branch_gets_a_suggestion() {
        let error = Branch::parse("Vautls").expect_err("unknown branch");
        assert!(error.message.contains("`Vaults`"), "{error}");
        assert_eq!(error.text, "Vautls");
        assert!(
            !Branch::parse("zzzzzzzz")
                .expect_err("unknown branch")
                .message
                .contains("did you")
        );
    }

    #[test]
    fn level_files_name_branches_by_one_word() {
        for (name, branch) in [
            ("D", "D"),
            ("d", "D"),
            ("Vault", "Vaults"),
            ("Orc", "Orc"),
            ("Blade", "Blade"),
        ] {
            assert_eq!(Branch::parse_short(name).map(Branch::name), Ok(branch), "{name}");
        }
        for (name, short) in [("Dungeon", "`D`"), ("Orcish Mines", "`Orc`"), ("Snak", "`Snake`")] {
            let error = Branch::parse_short(name).expect_err("not short");
            assert!(error.message.contains(short), "{error}");
            assert_eq!(error.text, name);
        }
    }

    #[test]
    fn depths_below_the_surface_grow_along_the_way() {
        let depth = |name: &str, level| Branch::by_name(name).map(|b| b.absolute_depth(level));
        assert_eq!(depth("D", 15), Some(15));
        assert_eq!(depth("Lair", 1), Some(10));
        assert!(depth("Elf", 1) > depth("Orc", 2));
        assert_eq!(depth("Zot", 1), depth("Depths", 5));
        assert_eq!(Branch::DUNGEON.absolute_depth(u32::MAX), u32::MAX);
        assert_eq!(depth("Elf", u32::MAX), Some(u32::MAX));
    }
}
