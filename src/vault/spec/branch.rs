//! The branches of the game: names, numbers of levels and where they begin.
//!
//! Facts from players' documentation, for release 0.32 and later, with the names that older level files use. Names are all that a
//! level file needs to be placed; the numbers answer scripts that ask for them and give a
//! designer's place its absolute depth.

use serde::{Deserialize, Serialize};

use super::SpecError;

/// A branch of the dungeon, by its place in the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Branch(u8);

/// What is known of a branch.
struct Facts {
    /// The short name, which level files use.
    name: &'static str,
    /// The name in words.
    long: &'static str,
    /// How many levels it has.
    levels: u32,
    /// The branch that leads there, with the first and last level that may have the entrance.
    entry: Option<(&'static str, u32, u32)>,
    /// Other names, in level files of any age.
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

/// The main dungeon comes first: a place without a branch is there.
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
    // Gone from the game; their level files are still there to be read.
    facts("Hive", "Hive", 2, ("D", 11, 16), &[]),
    facts("Blade", "Hall of Blades", 1, ("Vaults", 4, 6), &["Blades"]),
    facts("Forest", "Enchanted Forest", 5, ("D", 2, 15), &[]),
    facts("Dwarf", "Dwarven Hall", 1, ("D", 2, 15), &[]),
    facts("Lab", "Labyrinth", 1, ("D", 8, 15), &[]),
];

/// It is saved by its name.
impl From<Branch> for String {
    fn from(branch: Branch) -> Self {
        branch.name().into()
    }
}

impl TryFrom<String> for Branch {
    type Error = String;

    fn try_from(name: String) -> Result<Self, String> {
        Self::by_name(&name).ok_or_else(|| format!("there is no branch '{name}'"))
    }
}

impl Branch {
    /// The main dungeon.
    pub const DUNGEON: Self = Self(0);

    /// The branch of a name, short or in words, of any age; capitals do not matter.
    pub fn by_name(name: &str) -> Option<Self> {
        let known = |facts: &Facts| {
            [facts.name, facts.long]
                .iter()
                .chain(facts.aliases)
                .any(|known| known.eq_ignore_ascii_case(name))
        };
        TABLE.iter().position(known).map(|index| Self(index as u8))
    }

    /// The branch of a name.
    ///
    /// # Errors
    ///
    /// There is no branch of this name; the message suggests a similar one.
    pub fn parse(name: &str) -> Result<Self, SpecError> {
        Self::by_name(name).ok_or_else(|| {
            let names = TABLE.iter().map(|facts| facts.name);
            SpecError::unknown("there is no branch of this name", name, names)
        })
    }

    /// The branch that a feature leads to, as `enter_orcish_mines` does.
    pub fn of_entrance(feature: &str) -> Option<Self> {
        Self::by_name(&feature.strip_prefix("enter_")?.replace('_', " "))
    }

    fn facts(self) -> &'static Facts {
        &TABLE[usize::from(self.0)]
    }

    /// The short name, as level files write it.
    pub fn name(self) -> &'static str {
        self.facts().name
    }

    /// The name in words.
    pub fn long_name(self) -> &'static str {
        self.facts().long
    }

    /// How many levels the branch has; a ziggurat and the Abyss count the ways to go down.
    pub fn levels(self) -> u32 {
        self.facts().levels
    }

    /// The branch that leads here, and the first and last of its levels that may have the entrance; none
    /// for the main dungeon.
    pub fn entry(self) -> Option<(Self, u32, u32)> {
        let (parent, first, last) = self.facts().entry?;
        Some((Self::by_name(parent)?, first, last))
    }

    /// The depth below the surface of a level of this branch, with the entrances half-way between the
    /// first and last level that may have them.
    pub fn absolute_depth(self, level: u32) -> u32 {
        let above = self.entry().map_or(0, |(parent, first, last)| {
            parent.absolute_depth(u32::midpoint(first, last))
        });
        above.saturating_add(level)
    }

    /// Every branch, the main dungeon first.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..TABLE.len()).map(|index| Self(index as u8))
    }
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
    fn a_slip_of_the_pen_is_told_the_branch_that_was_meant() {
        let error = Branch::parse("Vautls").expect_err("no branch");
        assert!(error.message.contains("`Vaults`"), "{error}");
        assert_eq!(error.text, "Vautls");
        assert!(
            !Branch::parse("zzzzzzzz")
                .expect_err("no branch")
                .message
                .contains("did you")
        );
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
