//! Features: what a cell of a hand-made map contains, such as floor, a door or an altar, with the names that level
//! files use. "The game" is Dungeon Crawl Stone Soup, which defines these names.
//!
//! One table contains the name, class and glyph of each feature. The class of a feature determines its colour and its
//! group in the legend and, with a few exceptions, whether it is passable. Names from older releases of the game are
//! converted to the names that replaced them. The effects of features during play are not modelled.

mod table;

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::text::suggest;

/// A feature, stored as its index in the table.
#[derive(Copy, Clone, Eq, PartialEq, Ord, PartialOrd, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Feature(u8);

/// The class of a feature, which determines its colour and its group in the legend.
#[derive(Debug, Copy, Clone, Eq, PartialEq, Ord, PartialOrd, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Class {
    /// Floor of any appearance.
    Floor,
    /// An opaque wall.
    Wall,
    /// A transparent wall.
    ClearWall,
    /// A door, open or shut.
    Door,
    /// Water, lava and other liquids.
    Liquid,
    /// Statues and idols.
    Statue,
    /// Trees, including dead ones.
    Tree,
    /// Stone stairs.
    Stairs,
    /// Escape hatches.
    Hatch,
    /// Portals to, from and between branches and other places.
    Portal,
    /// Altars.
    Altar,
    /// Fountains, including dry ones.
    Fountain,
    /// Traps, webs and shafts.
    Trap,
    /// Shops, including abandoned ones.
    Shop,
    /// Grates: solid, but transparent to sight and missiles.
    Grate,
    /// All other features.
    Other,
}

impl Class {
    /// Every class, in legend order.
    pub const ALL: [Self; 16] = [
        Self::Floor,
        Self::Wall,
        Self::ClearWall,
        Self::Grate,
        Self::Door,
        Self::Liquid,
        Self::Statue,
        Self::Tree,
        Self::Stairs,
        Self::Hatch,
        Self::Portal,
        Self::Altar,
        Self::Fountain,
        Self::Trap,
        Self::Shop,
        Self::Other,
    ];

    /// Returns the display name of the class.
    pub fn name(self) -> &'static str {
        match self {
            Self::Floor => "floor",
            Self::Wall => "wall",
            Self::ClearWall => "clear wall",
            Self::Door => "door",
            Self::Liquid => "liquid",
            Self::Statue => "statue",
            Self::Tree => "tree",
            Self::Stairs => "stairs",
            Self::Hatch => "hatch",
            Self::Portal => "portal",
            Self::Altar => "altar",
            Self::Fountain => "fountain",
            Self::Trap => "trap",
            Self::Shop => "shop",
            Self::Grate => "grate",
            Self::Other => "other",
        }
    }
}

/// Serializes a feature as its name.
impl From<Feature> for String {
    fn from(feature: Feature) -> Self {
        feature.name().into()
    }
}

impl TryFrom<String> for Feature {
    type Error = String;

    fn try_from(name: String) -> Result<Self, String> {
        Self::by_name(&name).ok_or_else(|| format!("unknown feature `{name}`"))
    }
}

impl Feature {
    /// Plain floor, which is also the feature of cells whose glyph has no meaning.
    pub const FLOOR: Self = Self::constant("floor");
    /// A shop; the text of the level file states its kind.
    pub const SHOP: Self = Self::constant("enter_shop");

    /// Finds a feature by name at compile time. The build fails if the table does not contain the name.
    const fn constant(name: &str) -> Self {
        let mut at = 0;
        while !same(table::FEATURES[at].0, name) {
            at += 1;
        }
        Self(at as u8)
    }

    /// Returns the feature with a current or older name: `trap_alarm` as well as `alarm trap`.
    pub fn by_name(name: &str) -> Option<Self> {
        let name = name.trim();
        Self::exact(name).or_else(|| Self::of_older_name(name))
    }

    fn exact(name: &str) -> Option<Self> {
        let at = table::FEATURES.iter().position(|row| row.0 == name)?;
        u8::try_from(at).ok().map(Self)
    }

    fn of_older_name(name: &str) -> Option<Self> {
        if let Some((_, today)) = table::ALIASES.iter().find(|(older, _)| *older == name) {
            return Self::exact(today);
        }
        if let Some(branch) = name.strip_prefix("return_from_") {
            return Self::by_name(&format!("exit_{branch}"));
        }
        // The game's guide for level authors writes `known alarm trap` for trap_alarm.
        if let Some(known) = name.strip_prefix("known ") {
            return Self::by_name(known);
        }
        let kind = name.strip_suffix(" trap")?;
        Self::by_name(&format!("trap_{}", kind.trim().replace(' ', "_")))
    }

    /// Returns the current or older name that is most similar to an unknown name, with its feature. An older name of a
    /// trap is returned in the form `arrow trap` if the unknown name ends in ` trap`, and in the form `trap_arrow`
    /// otherwise.
    pub fn nearest(name: &str) -> Option<(String, Self)> {
        let name = name.strip_prefix("known ").unwrap_or(name);
        let current = table::FEATURES.iter().map(|row| row.0);
        let names = || current.clone().chain(table::ALIASES.iter().map(|(older, _)| *older));
        // The notation of the game's guide, such as `alarm trap`.
        let kind = name.strip_suffix(" trap").map(str::trim);
        let trap = kind.map(|kind| format!("trap_{kind}"));
        let near = trap
            .and_then(|trap| suggest(&trap, names()))
            .or_else(|| suggest(name, names()))?;
        let feature = Self::by_name(near)?;
        Some(match near.strip_prefix("trap_").filter(|_| kind.is_some()) {
            Some(older) if near != feature.name() => (format!("{older} trap"), feature),
            _ => (near.to_owned(), feature),
        })
    }

    /// Returns the default meaning of a glyph in a map. Returns `None` if the glyph has no default meaning; its cells
    /// are then floor.
    pub fn of_glyph(glyph: u8) -> Option<Self> {
        const OF_GLYPH: [Option<Feature>; 256] = {
            let mut all = [None; 256];
            let mut at = 0;
            while at < table::GLYPHS.len() {
                let (glyph, name) = table::GLYPHS[at];
                all[glyph as usize] = Some(Feature::constant(name));
                at += 1;
            }
            all
        };
        OF_GLYPH[usize::from(glyph)]
    }

    fn row(self) -> &'static table::Row {
        &table::FEATURES[usize::from(self.0)]
    }

    /// Returns the name that current level files use.
    pub fn name(self) -> &'static str {
        self.row().0
    }

    /// Returns the glyph that represents the feature in a drawn map.
    pub fn glyph(self) -> u8 {
        self.row().2
    }

    /// Returns the class of the feature.
    pub fn class(self) -> Class {
        self.row().1
    }

    /// Returns the number of the feature: its index in the table.
    pub fn number(self) -> u8 {
        self.0
    }

    /// Returns the feature with a number; `None` if the number is past the end of the table.
    pub fn of_number(number: u8) -> Option<Self> {
        (usize::from(number) < table::FEATURES.len()).then_some(Self(number))
    }

    /// Returns whether the feature is a shut door of any kind.
    pub fn is_shut_door(self) -> bool {
        self.class() == Class::Door && !self.name().starts_with("open") && !self.name().starts_with("broken")
    }

    /// Returns whether the feature is impassable: walls, grates, statues, trees, shut doors and a few others.
    pub fn is_solid(self) -> bool {
        match self.class() {
            Class::Wall | Class::ClearWall | Class::Grate | Class::Statue | Class::Tree => true,
            Class::Door => self.is_shut_door(),
            _ => matches!(
                self.name(),
                "malign_gateway" | "open_sea" | "endless_lava" | "endless_salt" | "unseen"
            ),
        }
    }

    /// Returns whether a player without special abilities can walk through the feature. This method is used to check
    /// that a map is connected. Features that are not solid are traversable, except deep water, lava, bog and teleport
    /// traps. Shut doors are also traversable, except sealed ones.
    pub fn is_traversable(self) -> bool {
        match self.name() {
            "deep_water" | "lava" | "toxic_bog" | "trap_teleport" | "trap_teleport_permanent" => false,
            name if self.is_shut_door() => !name.starts_with("sealed"),
            _ => !self.is_solid(),
        }
    }

    /// Returns every feature, in table order.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..table::FEATURES.len()).filter_map(|at| u8::try_from(at).ok().map(Self))
    }
}

/// Returns whether two names are equal; can be evaluated at compile time, unlike `==`.
const fn same(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let mut at = 0;
    while at < a.len() && at < b.len() && a[at] == b[at] {
        at += 1;
    }
    a.len() == b.len() && at == a.len()
}

impl fmt::Debug for Feature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Display for Feature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_fits_and_names_are_found() {
        assert!(table::FEATURES.len() <= 256);
        for feature in Feature::all() {
            assert_eq!(Feature::by_name(feature.name()), Some(feature));
            assert_eq!(Feature::of_number(feature.number()), Some(feature));
            assert!(feature.glyph().is_ascii_graphic(), "{feature}");
        }
        let names: std::collections::BTreeSet<&str> = Feature::all().map(Feature::name).collect();
        assert_eq!(names.len(), Feature::all().count(), "a name occurs twice");
    }

    #[test]
    fn every_older_name_maps_to_a_feature_and_hides_no_current_name() {
        for (older, today) in table::ALIASES {
            assert_eq!(Feature::exact(older), None, "{older} is also a name of today");
            assert_eq!(Feature::by_name(older), Feature::exact(today), "{older}");
            assert!(Feature::exact(today).is_some(), "{today}");
        }
        for (name, today) in [
            ("return_from_lair", "exit_lair"),
            ("alarm trap", "trap_alarm"),
            ("known teleport trap", "trap_teleport"),
            ("any trap", "random_trap"),
            ("known dart trap", "trap_mechanical"),
            ("web trap", "web"),
            ("permanent teleport trap", "trap_teleport_permanent"),
            ("known shaft", "shaft"),
        ] {
            assert_eq!(Feature::by_name(name).map(Feature::name), Some(today), "{name}");
        }
        assert_eq!(Feature::by_name("wall of cheese"), None);
        let nearest = |name| Feature::nearest(name).map(|(near, feature)| (near, feature.name()));
        for (slip, near, today) in [
            ("granit_statue", "granite_statue", "granite_statue"),
            ("telepor trap", "trap_teleport", "trap_teleport"),
            ("arow trap", "arrow trap", "trap_mechanical"),
            ("known arow trap", "arrow trap", "trap_mechanical"),
            ("trap_arow", "trap_arrow", "trap_mechanical"),
            ("secret_dor", "secret_door", "runed_door"),
        ] {
            assert_eq!(nearest(slip), Some((near.to_owned(), today)), "{slip}");
        }
        assert_eq!(nearest("wall of cheese"), None);
    }

    #[test]
    fn the_guide_s_names_are_all_known() {
        for name in GUIDE.split_whitespace() {
            assert!(Feature::by_name(name).is_some(), "{name}");
        }
    }

    /// The feature names in chapter M of the game's guide for level authors.
    const GUIDE: &str = "unseen rock_wall stone_wall closed_door metal_wall secret_door green_crystal_wall \
        orcish_idol wax_wall permarock_wall silver_statue granite_statue orange_crystal_statue \
        statue_reserved_1 statue_reserved_2 lava deep_water shallow_water water_stuck floor exit_hell \
        enter_hell open_door trap_mechanical trap_magical trap_iii undiscovered_trap enter_shop \
        enter_labyrinth stone_stairs_down_i stone_stairs_down_ii stone_stairs_down_iii escape_hatch_down \
        stone_stairs_up_i stone_stairs_up_ii stone_stairs_up_iii escape_hatch_up enter_dis enter_gehenna \
        enter_cocytus enter_tartarus enter_abyss exit_abyss stone_arch enter_pandemonium exit_pandemonium \
        transit_pandemonium builder_special_wall builder_special_floor enter_orcish_mines enter_hive \
        enter_lair enter_slime_pits enter_vaults enter_crypt enter_hall_of_blades enter_zot enter_temple \
        enter_snake_pit enter_elven_halls enter_tomb enter_swamp enter_shoals enter_reserved_2 enter_reserved_3 \
        enter_reserved_4 return_reserved_2 return_reserved_3 return_reserved_4 return_from_orcish_mines \
        return_from_hive return_from_lair return_from_slime_pits return_from_vaults return_from_crypt \
        return_from_hall_of_blades return_from_zot return_from_temple return_from_snake_pit \
        return_from_elven_halls return_from_tomb return_from_swamp return_from_shoals enter_portal_vault \
        exit_portal_vault altar_zin altar_shining_one altar_kikubaaqudgha altar_yredelemnul altar_xom \
        altar_vehumet altar_okawaru altar_makhleb altar_sif_muna altar_trog altar_nemelex_xobeh \
        altar_elyvilon altar_lugonu altar_beogh fountain_blue fountain_sparkling fountain_blood \
        dry_fountain_blue dry_fountain_sparkling dry_fountain_blood permadry_fountain";

    #[test]
    fn glyphs_have_the_meanings_of_the_table() {
        for (glyph, name) in [
            (b'x', "rock_wall"),
            (b'@', "floor"),
            (b'=', "runed_clear_door"),
            (b'}', "stone_stairs_down_i"),
        ] {
            assert_eq!(Feature::of_glyph(glyph).map(Feature::name), Some(name));
        }
        assert_eq!(Feature::of_glyph(b'Z'), None);
        assert_eq!(Feature::of_glyph(b' '), None);
        assert_eq!(Feature::of_glyph(b'7'), None);
    }

    #[test]
    fn traversable_features_agree_with_the_connection_check() {
        let traversable = |name| Feature::by_name(name).is_some_and(Feature::is_traversable);
        for name in [
            "floor",
            "closed_door",
            "runed_door",
            "open_door",
            "trap_net",
            "shallow_water",
            "shaft",
            "enter_shop",
            "stone_arch",
        ] {
            assert!(traversable(name), "{name}");
        }
        for name in [
            "rock_wall",
            "sealed_door",
            "trap_teleport",
            "deep_water",
            "lava",
            "toxic_bog",
            "iron_grate",
            "tree",
            "orcish_idol",
            "open_sea",
        ] {
            assert!(!traversable(name), "{name}");
        }
        let solid = |name| Feature::by_name(name).is_some_and(Feature::is_solid);
        assert!(solid("closed_door") && solid("sealed_clear_door") && !solid("broken_door") && !solid("lava"));
    }
}
