//! Profiles of maps (tags, depths, weights) and the selection of maps eligible for a level.

use std::collections::BTreeSet;

use super::choice::Choice;
use super::{Library, MapId};
use crate::vault::spec::{Branch, ByDepth, DEFAULT_WEIGHT, Level, Orient, Ranges};

/// The tags, depths and weights of a map, known once its Lua has run.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Profile {
    /// Tags, without duplicates.
    pub tags: BTreeSet<String>,
    /// Depths at which the map may be chosen at random; [`Catalog::set`] replaces an empty value with the file's
    /// default.
    pub depths: Ranges,
    /// Levels that the map is made for (`PLACE`).
    pub place: Ranges,
    /// Weight in the random choice among several maps, for each range of levels; 10 if none is set for a level.
    pub weight: ByDepth,
    /// Chance out of 10,000 that a level gets the map regardless of other maps' weights, for each range of levels.
    pub chance: ByDepth,
    /// Placement on a level (`ORIENT`).
    pub orient: Option<Orient>,
}

/// Tags by which the game requests a map for a special purpose. Without such a request, the game never chooses a map
/// with one of these tags.
const ON_REQUEST: [&str; 4] = ["unrand", "arrival", "layout", "place_unique"];

/// Tags of maps that a level gets in addition to its main map.
const IN_ADDITION: [&str; 2] = ["extra", "extra_post_overflow"];

impl Profile {
    /// Returns whether the map has a tag.
    pub fn has(&self, tag: &str) -> bool {
        self.tags.contains(tag)
    }

    /// Returns the map's weight at a level.
    pub fn weight_at(&self, level: &Level) -> u32 {
        self.weight.at(level).unwrap_or(DEFAULT_WEIGHT)
    }

    /// Returns the first level on which the map may be placed; `None` if it is not bound to any level.
    pub fn home(&self) -> Option<Level> {
        self.levels().next()
    }

    /// Returns the levels on which the map may be placed: the levels of its `PLACE` or, without one, of its depths. A
    /// map with neither may be placed anywhere; for it, the iterator is empty.
    pub fn levels(&self) -> impl Iterator<Item = Level> {
        let has_place = Level::all().any(|level| self.place.matches(&level));
        let ranges = if has_place { &self.place } else { &self.depths };
        Level::all().filter(|level| ranges.matches(level))
    }

    /// Returns whether the map is a minivault: a map without ORIENT, or with the tag `minivault`.
    pub fn is_minivault(&self) -> bool {
        self.orient.is_none() || self.has("minivault")
    }

    /// Returns whether the map fills its level.
    pub fn is_encompass(&self) -> bool {
        self.orient == Some(Orient::Encompass)
    }

    /// Returns whether the map is a dummy: a level for which it is chosen gets no map.
    pub fn is_dummy(&self) -> bool {
        self.has("dummy")
    }

    /// Returns whether the game places the map only on request: for a fixed artefact (`unrand`), a unique monster, an
    /// arrival, a layout, a branch entry, a temple or a tutorial.
    fn is_on_request(&self) -> bool {
        let asks = |tag: &String| {
            ON_REQUEST.contains(&tag.as_str())
                || tag.ends_with("_entry")
                || ["temple_", "tutorial"].iter().any(|prefix| tag.starts_with(prefix))
        };
        self.tags.iter().any(asks)
    }

    /// Returns whether a level gets the map in addition to its main map.
    pub fn is_extra(&self) -> bool {
        IN_ADDITION.iter().any(|tag| self.has(tag))
    }
}

/// The profiles of a library's maps. A map without a profile, for example one whose Lua fails, is never chosen.
#[derive(Debug, Clone, Default)]
pub struct Catalog {
    profiles: Vec<Option<Profile>>,
    defaults: Vec<Ranges>,
}

impl Catalog {
    /// Creates a catalog for a library's maps, which have no profiles yet.
    pub fn new(library: &Library) -> Self {
        let default = |id| library.map(id).default_depth.as_deref();
        Self {
            profiles: vec![None; library.len()],
            defaults: library
                .ids()
                .map(|id| {
                    default(id)
                        .and_then(|text| Ranges::parse(text).ok())
                        .unwrap_or_default()
                })
                .collect(),
        }
    }

    /// Returns the default depth of the file that contains a map.
    pub fn default_depth(&self, id: MapId) -> Option<&Ranges> {
        self.defaults.get(id.index())
    }

    /// Sets the default depth that [`Catalog::set`] gives to a map without depths. A profile that is already set does
    /// not change.
    pub fn set_default_depth(&mut self, id: MapId, ranges: Ranges) {
        if let Some(default) = self.defaults.get_mut(id.index()) {
            *default = ranges;
        }
    }

    /// Sets a map's profile; if it has no depths, the file's default depth is used.
    pub fn set(&mut self, id: MapId, mut profile: Profile) {
        if profile.depths.is_empty() {
            profile.depths = self.defaults.get(id.index()).cloned().unwrap_or_default();
        }
        if let Some(entry) = self.profiles.get_mut(id.index()) {
            *entry = Some(profile);
        }
    }

    /// Returns a map's profile, if it has one.
    pub fn get(&self, id: MapId) -> Option<&Profile> {
        self.profiles.get(id.index())?.as_ref()
    }

    /// Returns all maps that have a profile, in load order.
    pub fn iter(&self) -> impl Iterator<Item = (MapId, &Profile)> {
        let entries = self.profiles.iter().enumerate();
        entries.filter_map(|(index, profile)| Some((MapId(index as u32), profile.as_ref()?)))
    }

    /// Returns the maps that have all of these tags, in load order. If `level` is given, returns only the maps allowed
    /// on that level; a map without depths is allowed anywhere.
    pub fn with_tags<'a>(&'a self, tags: &'a [&str], level: Option<&'a Level>) -> impl Iterator<Item = MapId> + 'a {
        self.iter()
            .filter(move |(_, profile)| tags.iter().all(|tag| profile.has(tag)))
            .filter(move |(_, profile)| {
                level.is_none_or(|level| profile.depths.is_empty() || profile.depths.matches(level))
            })
            .map(|(id, _)| id)
    }

    /// Returns the maps that the game chooses for levels on its own: all maps with a profile, except those placed only
    /// on request.
    pub fn unrequested(&self) -> impl Iterator<Item = (MapId, &Profile)> {
        self.iter().filter(|(_, profile)| !profile.is_on_request())
    }

    /// Returns a [`Choice`] that can draw one of `maps` for a level. Maps with a CHANCE are rolled for first, in the
    /// order of `maps`; the remaining maps are drawn by weight.
    pub fn choice(&self, maps: impl IntoIterator<Item = MapId>, level: &Level) -> Choice {
        let mut choice = Choice::default();
        for (id, profile) in self.of(maps) {
            let weight = profile.weight_at(level);
            match profile.chance.at(level) {
                Some(chance) => choice.add_chance(
                    id,
                    chance,
                    weight,
                    profile.tags.iter().find(|t| t.starts_with("chance_")),
                ),
                None => choice.add(id, weight),
            }
        }
        choice
    }

    /// Returns a [`Choice`] that can draw one of `maps` for a level by weight alone. CHANCE is ignored, as it is when
    /// the game requests maps by tag.
    pub fn choice_by_weight(&self, maps: impl IntoIterator<Item = MapId>, level: &Level) -> Choice {
        let mut choice = Choice::default();
        for (id, profile) in self.of(maps) {
            choice.add(id, profile.weight_at(level));
        }
        choice
    }

    fn of(&self, maps: impl IntoIterator<Item = MapId>) -> impl Iterator<Item = (MapId, &Profile)> {
        maps.into_iter().filter_map(|id| Some((id, self.get(id)?)))
    }
}

/// The maps that a dungeon already contains, with their uniqueness tags.
#[derive(Debug, Clone, Default)]
pub struct Used {
    maps: BTreeSet<MapId>,
    tags: BTreeSet<(String, Scope)>,
}

/// Scope within which at most one map may have a given uniqueness tag.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Scope {
    Dungeon,
    Branch(Branch),
    Level(Branch, u32),
}

impl Used {
    /// Returns whether a level may get a map. A map that is already in the dungeon must allow duplicates (`allow_dup`).
    /// In addition, the map must not share a `uniq_` tag with a map in the dungeon, a `buniq_` tag with a map in the
    /// branch, or a `luniq_` tag with a map on the level.
    pub fn allows(&self, id: MapId, profile: &Profile, level: &Level) -> bool {
        let once = !profile.has("allow_dup") && self.maps.contains(&id);
        !once && !Self::unique(id, profile, level).any(|tag| self.tags.contains(&tag))
    }

    /// Records that a map was placed on a level.
    pub fn record(&mut self, id: MapId, profile: &Profile, level: &Level) {
        self.maps.insert(id);
        self.tags.extend(Self::unique(id, profile, level));
    }

    fn unique(id: MapId, profile: &Profile, level: &Level) -> impl Iterator<Item = (String, Scope)> {
        let here = Scope::Level(level.branch, level.depth);
        let branch = Scope::Branch(level.branch);
        profile.tags.iter().filter_map(move |tag| {
            if tag == "luniq" {
                // A map with the tag `luniq` may be placed only once per level.
                return Some((format!("luniq {}", id.index()), here));
            }
            let scopes = [("uniq_", Scope::Dungeon), ("buniq_", branch), ("luniq_", here)];
            let (_, scope) = scopes.into_iter().find(|(prefix, _)| tag.starts_with(prefix))?;
            Some((tag.clone(), scope))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vault::source::{MapSource, read};
    use crate::vault::spec::{self, SpecError};

    impl Catalog {
        /// Creates a catalog from the maps' headers alone, for tests that run no Lua.
        pub(crate) fn from_headers(library: &Library) -> Self {
            let mut catalog = Self::new(library);
            for id in library.ids() {
                catalog.set(id, Profile::from_headers(library.map(id)));
            }
            catalog
        }
    }

    impl Profile {
        /// Creates the profile of a map from its headers. Invalid headers are ignored.
        pub(crate) fn from_headers(map: &MapSource) -> Self {
            let mut profile = Self::default();
            for header in &map.headers {
                let text = String::from_utf8_lossy(&header.value);
                match header.keyword.call() {
                    "tags" => profile.tags.extend(text.split_whitespace().map(str::to_owned)),
                    "depth" => profile.depths.add(Ranges::parse(&text).unwrap_or_default()),
                    "place" => profile.place = Ranges::parse(&text).unwrap_or_default(),
                    "orient" => profile.orient = Orient::parse(&text).ok(),
                    "weight" => add_numbers(&mut profile.weight, &text, spec::weight),
                    "chance" => add_numbers(&mut profile.chance, &text, spec::chance),
                    _ => {}
                }
            }
            profile
        }
    }

    /// Adds the numbers in the text of a WEIGHT or CHANCE header.
    fn add_numbers(numbers: &mut ByDepth, text: &str, number: fn(&str) -> Result<u32, SpecError>) {
        for (value, ranges) in spec::numbers_by_depth(text).unwrap_or_default() {
            match (number(value), ranges.map(Ranges::parse)) {
                (Ok(value), None) => numbers.set(value),
                (Ok(value), Some(Ok(ranges))) => numbers.set_at(ranges, value),
                _ => {}
            }
        }
    }

    fn library(text: &str) -> Library {
        Library::new(vec![read("a.des", text.as_bytes())])
    }

    fn names(library: &Library, ids: impl Iterator<Item = MapId>) -> Vec<&str> {
        ids.map(|id| library.map(id).name.as_str()).collect()
    }

    fn level(text: &str) -> Level {
        Level::parse(text).expect("a level")
    }

    #[test]
    fn maps_are_found_by_tags_and_depth() {
        let library = library(
            "default-depth: Lair\n\
             NAME: a\nTAGS: big red\n\
             NAME: b\nTAGS: red\nDEPTH: D:3-5\n\
             default-depth:\n\
             NAME: c\nTAGS: red unrand\n\
             NAME: d\nPLACE: D:4\n\
             NAME: e\nDEPTH: D\nTAGS: temple_small\n\
             NAME: f\nDEPTH: D\nTAGS: extra\nNAME: g\nTAGS: extra orc_entry\nDEPTH: D\nNAME: h\nPLACE: D:4\nTAGS: tutorial_1\n",
        );
        let catalog = Catalog::from_headers(&library);
        assert_eq!(names(&library, catalog.with_tags(&["red"], None)), ["a", "b", "c"]);
        assert_eq!(names(&library, catalog.with_tags(&["red", "big"], None)), ["a"]);
        assert_eq!(
            names(&library, catalog.with_tags(&["red"], Some(&level("D:4")))),
            ["b", "c"]
        );
        assert_eq!(
            names(&library, catalog.with_tags(&["red"], Some(&level("Lair:1")))),
            ["a", "c"]
        );
        let unrequested = catalog.unrequested().map(|(id, _)| id);
        assert_eq!(names(&library, unrequested), ["a", "b", "d", "f"]);
    }

    #[test]
    fn maps_have_a_home() {
        let library = library("NAME: a\nDEPTH: D:3-, !D:3\nNAME: b\nDEPTH: D\nPLACE: Elf:$\nNAME: c\n");
        let catalog = Catalog::from_headers(&library);
        let homes: Vec<Option<String>> = catalog
            .iter()
            .map(|(_, p)| p.home().map(|level| level.to_string()))
            .collect();
        assert_eq!(homes, [Some("D:4".to_owned()), Some("Elf:3".to_owned()), None]);
        let levels: Vec<usize> = catalog.iter().map(|(_, p)| p.levels().count()).collect();
        assert_eq!(levels, [12, 1, 0]);
    }

    #[test]
    fn maps_are_used_as_often_as_they_allow() {
        let library = library(
            "NAME: once\nNAME: often\nTAGS: allow_dup\n\
             NAME: u1\nTAGS: uniq_x allow_dup\nNAME: u2\nTAGS: uniq_x\n\
             NAME: b1\nTAGS: buniq_x allow_dup\nNAME: l1\nTAGS: luniq_x allow_dup\nNAME: self\nTAGS: luniq allow_dup\n",
        );
        let catalog = Catalog::from_headers(&library);
        let mut used = Used::default();
        for (id, profile) in catalog.iter() {
            assert!(used.allows(id, profile, &level("D:1")) || library.map(id).name == "u2");
            used.record(id, profile, &level("D:1"));
        }
        let allowed = |at: &str| -> Vec<&str> {
            let level = level(at);
            let free = catalog.iter().filter(|(id, profile)| used.allows(*id, profile, &level));
            names(&library, free.map(|(id, _)| id))
        };
        assert_eq!(allowed("D:1"), ["often"]);
        assert_eq!(allowed("D:2"), ["often", "l1", "self"]);
        assert_eq!(allowed("Orc:1"), ["often", "b1", "l1", "self"]);
    }

    #[test]
    fn headers_show_weights_and_chances_by_depth() {
        let library = library("NAME: a\nWEIGHT: 5 (D:1-3), 20\nCHANCE: 3% (D:2)\nNAME: b\nWEIGHT: x\n");
        let catalog = Catalog::from_headers(&library);
        let profile = |index: usize| catalog.iter().nth(index).expect("a profile").1;
        assert_eq!([1, 4].map(|d| profile(0).weight_at(&level(&d.to_string()))), [5, 20]);
        assert_eq!(
            [1, 2].map(|d| profile(0).chance.at(&level(&d.to_string()))),
            [None, Some(300)]
        );
        assert_eq!(profile(1).weight_at(&level("D:1")), DEFAULT_WEIGHT);
    }
}
