//! Map statistics: builds many levels as the game would, and counts the outcome of every map.
//!
//! A level draws from several lists in turn ([`MapList`]): a main map, the maps with CHANCE, minivaults, and further
//! maps. The survey ignores layouts, monsters, stairs, and whether the maps of a level fit beside each other. The
//! caller passes a function that resolves a map for a level and a seed. [`VaultSurvey`] contains the counts, and
//! [`VaultSurvey::report`] formats them.
//!
//! # Approximations
//!
//! - Every map that is drawn is assumed to fit. The game leaves out minivaults that do not fit, so it places fewer
//!   minivaults than the survey counts.
//! - The game requests some maps by tag: entries of branches, overflow altars (for which the Temple has no room),
//!   arrivals and layouts. The survey leaves out these maps.
//! - If the main map of a level cannot be resolved, the level is started again, for up to [`ATTEMPTS`] attempts in
//!   total. Any other map that cannot be resolved is left out.
//! - On each level of the main dungeon, at most one map with the tag `extra` is drawn from [`MapList::Further`].

mod report;

pub use report::odds_table;

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::ResolvedMap;
use super::dice::Dice;
use super::library::{Catalog, Choice, Library, MapId, Profile, Used};
use super::spec::{Branch, Level};
use crate::engine::random::Key;

/// The outcome of resolving a map.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MakeResult {
    /// The map was resolved to a grid.
    Resolved(Box<ResolvedMap>),
    /// The map's veto rejected the level.
    Vetoed,
    /// Every attempt failed the map's own validation.
    Invalid,
    /// The map's Lua failed with this message.
    Failed(String),
}

/// The levels to build.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SurveyPlan {
    /// Levels of a dungeon, in building order.
    pub levels: Vec<Level>,
    /// Number of dungeons. Rules that limit how often a map occurs apply to each dungeon separately.
    pub dungeons: u32,
    /// Seed that determines all draws and the seeds of all maps.
    pub seed: u64,
}

/// A list from which a level draws maps. A level uses the lists in the order of the variants.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MapList {
    /// The main map: a map made for the level (`PLACE`) or, if there is none, a map drawn by depth. Minivaults are
    /// excluded; a draw by depth also excludes maps with the tag `extra`. Outside the main dungeon, a map drawn by
    /// depth is accepted only if it fills the level. After a map that fills the level, nothing else is drawn.
    Main,
    /// Maps with a CHANCE that are allowed by depth: each map is rolled for separately.
    Chance,
    /// Minivaults: one made for the level, and one drawn by depth. If the one drawn by depth has the tag `extra`,
    /// another is drawn by depth.
    Minivault,
    /// Further maps, excluding minivaults: in the main dungeon, one with the tag `extra`; in other branches, one drawn
    /// by depth and, if it has the tag `extra`, another one.
    Further,
}

impl MapList {
    /// Returns the name, as in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Main => "main",
            Self::Chance => "chance",
            Self::Minivault => "minivault",
            Self::Further => "further",
        }
    }
}

/// The probability of drawing a map from a list.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MapOdds {
    /// The list that the map is drawn from.
    pub list: MapList,
    /// The map.
    pub map: MapId,
    /// Probability that one draw from the list yields the map, from 0 to 1.
    pub share: f64,
}

/// Default number of dungeons.
pub const DUNGEONS: u32 = 100;

/// Maximum number of draws from a list for one level, even if every draw yields a map with the tag `extra`.
const EXTRA_DRAWS: u32 = 100;

/// Maximum number of attempts at a level. An attempt fails if the main map cannot be resolved; if all attempts fail,
/// the level counts as failed.
pub const ATTEMPTS: u32 = 5;

impl SurveyPlan {
    /// Returns a plan of all levels of the main dungeon and of every branch that a map names.
    pub fn whole(catalog: &Catalog, seed: u64) -> Self {
        let named = |branch: &Branch| {
            *branch == Branch::DUNGEON
                || catalog
                    .iter()
                    .any(|(_, profile)| profile.place.names(*branch) || profile.depths.names(*branch))
        };
        let branches = Branch::all().filter(named);
        Self {
            levels: branches
                .flat_map(|branch| (1..=branch.levels()).map(move |depth| Level::new(branch, depth)))
                .collect(),
            dungeons: DUNGEONS,
            seed,
        }
    }
}

/// Counts for one level of the plan, over all dungeons.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct LevelCount {
    /// Number of attempts to build the level.
    pub tried: u32,
    /// Number of times the level was finished.
    pub built: u32,
    /// Number of times the level was abandoned after its last attempt.
    pub failed: u32,
    /// Number of times the level was finished without any map.
    pub empty: u32,
    /// Number of vetoes by maps.
    pub vetoes: u32,
}

/// Counts for one map.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct MapCount {
    /// Number of times the map was drawn.
    pub tried: u32,
    /// Number of times the map was resolved.
    pub made: u32,
    /// Number of finished levels that contain the map.
    pub used: u32,
    /// Number of vetoes.
    pub vetoed: u32,
    /// Number of failed validations.
    pub invalid: u32,
    /// Number of Lua failures.
    pub failed: u32,
    /// Number of uses on each level, by index into the plan.
    pub places: BTreeMap<usize, u32>,
    /// The first rejection for each reason.
    #[serde(rename = "rejections", alias = "refusals")]
    pub refusals: Vec<RefusedMap>,
}

/// A rejection of a map, with its seed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RefusedMap {
    /// Level, as an index into the plan.
    pub level: usize,
    /// Seed that reproduces the rejection.
    pub seed: u64,
    /// Reason for the rejection.
    pub why: RefusalReason,
    /// Number of rejections of the map for this reason.
    pub times: u32,
}

/// The reason why a map could not be resolved.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RefusalReason {
    /// The map's veto rejected the level.
    Veto,
    /// Every attempt failed the map's own validation.
    Validation,
    /// The map's Lua failed with this message.
    Lua(String),
}

/// The counts of a survey.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VaultSurvey {
    /// The plan that was built.
    pub plan: SurveyPlan,
    /// Counts by level of the plan.
    pub levels: Vec<LevelCount>,
    /// Counts by map of the library, in load order.
    pub maps: Vec<MapCount>,
    /// The lists from which the levels of the plan can get each map, by the map's index in load order. Maps that no
    /// level can get are missing.
    pub lists: BTreeMap<usize, BTreeSet<MapList>>,
}

/// The maps that a level may draw; each list is in load order.
#[derive(Debug, Default)]
struct Candidates {
    /// Maps made for the level, excluding minivaults.
    own: Vec<MapId>,
    /// Maps without a CHANCE that are allowed by depth, excluding minivaults and maps with the tag `extra`.
    by_depth: Vec<MapId>,
    /// Maps with a CHANCE that are allowed by depth.
    chance: Vec<MapId>,
    /// Minivaults made for the level.
    own_minivaults: Vec<MapId>,
    /// Minivaults without a CHANCE that are allowed by depth.
    minivaults: Vec<MapId>,
    /// Maps for [`MapList::Further`] that are allowed by depth.
    further: Vec<MapId>,
}

impl Candidates {
    fn new(catalog: &Catalog, level: &Level) -> Self {
        let mut lists = Self::default();
        for (id, profile) in catalog.unrequested() {
            let is_minivault = profile.is_minivault();
            if profile.place.matches(level) {
                let own = if is_minivault {
                    &mut lists.own_minivaults
                } else {
                    &mut lists.own
                };
                own.push(id);
            }
            if !profile.depths.matches(level) {
                continue;
            }
            if profile.chance.at(level).is_some() {
                lists.chance.push(id);
            } else if is_minivault {
                lists.minivaults.push(id);
            } else {
                if !profile.is_extra() {
                    lists.by_depth.push(id);
                }
                if profile.is_extra() || level.branch != Branch::DUNGEON {
                    lists.further.push(id);
                }
            }
        }
        lists
    }

    /// Returns the groups of maps, each with the list to which it belongs.
    fn lists(&self) -> [(MapList, &[MapId]); 6] {
        [
            (MapList::Main, &self.own),
            (MapList::Main, &self.by_depth),
            (MapList::Chance, &self.chance),
            (MapList::Minivault, &self.own_minivaults),
            (MapList::Minivault, &self.minivaults),
            (MapList::Further, &self.further),
        ]
    }
}

/// Returns whether a level accepts a map that was drawn from a list. If not, the draw yields no map.
fn is_accepted(list: MapList, profile: &Profile, level: &Level) -> bool {
    let fits = match list {
        MapList::Main => profile.place.matches(level) || level.branch == Branch::DUNGEON || profile.is_encompass(),
        MapList::Chance | MapList::Minivault | MapList::Further => !profile.is_encompass(),
    };
    fits && !profile.is_dummy()
}

/// A level under construction.
struct LevelDraft<'a> {
    level: Level,
    candidates: &'a Candidates,
    catalog: &'a Catalog,
    /// Maps used in the dungeon so far, including this level.
    used: Used,
    placed: Vec<MapId>,
    dice: Dice,
}

impl LevelDraft<'_> {
    /// Returns the choice among the maps of a list that the dungeon still allows.
    fn choice(&self, maps: &[MapId]) -> Choice {
        let free = |map: &MapId| {
            let profile = self.catalog.get(*map);
            profile.is_some_and(|profile| self.used.allows(*map, profile, &self.level))
        };
        self.catalog.choice(maps.iter().copied().filter(free), &self.level)
    }

    /// Draws a map; `None` if no map can be drawn, or the level does not accept the drawn map, for example because the
    /// map has the tag `dummy`.
    fn draw(&mut self, list: MapList, maps: &[MapId]) -> Option<MapId> {
        let map = self.choice(maps).draw(&mut self.dice)?;
        self.accepted(list, map)
    }

    fn accepted(&self, list: MapList, map: MapId) -> Option<MapId> {
        let profile = self.catalog.get(map)?;
        is_accepted(list, profile, &self.level).then_some(map)
    }

    fn record(&mut self, map: MapId) {
        self.placed.push(map);
        if let Some(profile) = self.catalog.get(map) {
            self.used.record(map, profile, &self.level);
        }
    }
}

impl VaultSurvey {
    /// Builds the levels of a plan. `make` resolves a map for a level with a seed.
    pub fn new(
        library: &Library,
        catalog: &Catalog,
        plan: SurveyPlan,
        mut make: impl FnMut(MapId, &Level, u64) -> MakeResult,
    ) -> Self {
        let mut lists: BTreeMap<usize, BTreeSet<MapList>> = BTreeMap::new();
        let mut candidates = Vec::new();
        for level in &plan.levels {
            let of_level = Candidates::new(catalog, level);
            for (list, maps) in of_level.lists() {
                let can_be_drawn = |map: &&MapId| {
                    catalog
                        .get(**map)
                        .is_some_and(|profile| profile.weight_at(level) > 0 && is_accepted(list, profile, level))
                };
                for map in maps.iter().filter(can_be_drawn) {
                    lists.entry(map.index()).or_default().insert(list);
                }
            }
            candidates.push(of_level);
        }
        let mut survey = Self {
            levels: vec![LevelCount::default(); plan.levels.len()],
            maps: vec![MapCount::default(); library.len()],
            lists,
            plan,
        };
        for dungeon in 0..survey.plan.dungeons {
            let mut used = Used::default();
            for (at, candidates) in candidates.iter().enumerate() {
                let key = Key::new(survey.plan.seed).child(u64::from(dungeon)).child(at as u64);
                survey.level(at, key, candidates, catalog, &mut used, &mut make);
            }
        }
        survey
    }

    /// Builds one level, starting again if its main map cannot be resolved.
    fn level(
        &mut self,
        at: usize,
        key: Key,
        candidates: &Candidates,
        catalog: &Catalog,
        used: &mut Used,
        make: &mut impl FnMut(MapId, &Level, u64) -> MakeResult,
    ) {
        for attempt in 0..ATTEMPTS {
            self.levels[at].tried += 1;
            let mut draft = LevelDraft {
                level: self.plan.levels[at],
                candidates,
                catalog,
                used: used.clone(),
                placed: Vec::new(),
                dice: Dice::new(key.child(u64::from(attempt))),
            };
            if !self.attempt(at, &mut draft, make) {
                continue;
            }
            for map in &draft.placed {
                let count = &mut self.maps[map.index()];
                count.used += 1;
                *count.places.entry(at).or_default() += 1;
            }
            self.levels[at].built += 1;
            self.levels[at].empty += u32::from(draft.placed.is_empty());
            *used = draft.used;
            return;
        }
        self.levels[at].failed += 1;
    }

    /// Draws the maps of one level. Returns `false` if its main map cannot be resolved.
    fn attempt(
        &mut self,
        at: usize,
        draft: &mut LevelDraft<'_>,
        make: &mut impl FnMut(MapId, &Level, u64) -> MakeResult,
    ) -> bool {
        let lists = draft.candidates;
        let own = draft.draw(MapList::Main, &lists.own);
        if let Some(map) = own.or_else(|| draft.draw(MapList::Main, &lists.by_depth)) {
            if !self.place(at, map, draft, make) {
                return false;
            }
            if draft.catalog.get(map).is_some_and(Profile::is_encompass) {
                return true;
            }
        }
        let mut by_chance = draft.choice(&lists.chance).draw_each(&mut draft.dice);
        // Shuffled, so that no map is preferred among maps that exclude each other.
        draft.dice.shuffle(&mut by_chance);
        for map in by_chance {
            let is_free = |profile: &Profile| draft.used.allows(map, profile, &draft.level);
            if draft.catalog.get(map).is_some_and(is_free) && draft.accepted(MapList::Chance, map).is_some() {
                self.place(at, map, draft, make);
            }
        }
        if let Some(map) = draft.draw(MapList::Minivault, &lists.own_minivaults) {
            self.place(at, map, draft, make);
        }
        self.place_some(at, MapList::Minivault, &lists.minivaults, EXTRA_DRAWS, draft, make);
        let draws = if draft.level.branch == Branch::DUNGEON {
            1
        } else {
            EXTRA_DRAWS
        };
        self.place_some(at, MapList::Further, &lists.further, draws, draft, make);
        true
    }

    /// Places maps drawn from a list, with at most `draws` draws. Stops after a map without the tag `extra`, or if no
    /// map is drawn.
    fn place_some(
        &mut self,
        at: usize,
        list: MapList,
        maps: &[MapId],
        draws: u32,
        draft: &mut LevelDraft<'_>,
        make: &mut impl FnMut(MapId, &Level, u64) -> MakeResult,
    ) {
        for _ in 0..draws {
            let Some(map) = draft.draw(list, maps) else {
                return;
            };
            self.place(at, map, draft, make);
            if !draft.catalog.get(map).is_some_and(Profile::is_extra) {
                return;
            }
        }
    }

    /// Resolves a map and adds it to the level. Returns whether it was resolved.
    fn place(
        &mut self,
        at: usize,
        map: MapId,
        draft: &mut LevelDraft<'_>,
        make: &mut impl FnMut(MapId, &Level, u64) -> MakeResult,
    ) -> bool {
        // The seed is short enough to be typed by a user who wants to reproduce a failure.
        let seed = u64::from(draft.dice.below(1_000_000_000));
        let is_made = self.make(at, map, seed, make);
        if is_made {
            draft.record(map);
        }
        is_made
    }

    /// Resolves a map and counts the outcome. Returns whether it was resolved.
    fn make(
        &mut self,
        at: usize,
        map: MapId,
        seed: u64,
        make: &mut impl FnMut(MapId, &Level, u64) -> MakeResult,
    ) -> bool {
        let level = self.plan.levels[at];
        let count = &mut self.maps[map.index()];
        count.tried += 1;
        let why = match make(map, &level, seed) {
            MakeResult::Resolved(_) => {
                count.made += 1;
                return true;
            }
            MakeResult::Vetoed => {
                count.vetoed += 1;
                self.levels[at].vetoes += 1;
                RefusalReason::Veto
            }
            MakeResult::Invalid => {
                count.invalid += 1;
                RefusalReason::Validation
            }
            MakeResult::Failed(message) => {
                count.failed += 1;
                RefusalReason::Lua(message)
            }
        };
        match count.refusals.iter_mut().find(|refusal| refusal.why == why) {
            Some(refusal) => refusal.times += 1,
            None => count.refusals.push(RefusedMap {
                level: at,
                seed,
                why,
                times: 1,
            }),
        }
        false
    }
}

/// Returns the probability of each map that a level may draw, provided that the dungeon contains no map yet. Within
/// each list, the highest probability comes first. The probabilities of one draw, including that of drawing no map, add
/// up to 1. A level draws twice from [`MapList::Minivault`], and rolls for each map of [`MapList::Chance`] separately.
pub fn odds(catalog: &Catalog, level: &Level) -> Vec<MapOdds> {
    let lists = Candidates::new(catalog, level);
    let mut all: Vec<MapOdds> = Vec::new();
    // Probability that none of the maps for this very level is drawn, so that a map is drawn by depth.
    let mut without_own = 1.0;
    for (list, maps) in lists.lists() {
        let choice = catalog.choice(maps.iter().copied(), level);
        let odds = match list {
            MapList::Chance => choice.odds_of_each(),
            MapList::Main | MapList::Minivault | MapList::Further => choice.odds(),
        };
        let before = all.len();
        for (map, share) in odds {
            if catalog
                .get(map)
                .is_some_and(|profile| is_accepted(list, profile, level))
            {
                let share = if list == MapList::Main {
                    share * without_own
                } else {
                    share
                };
                // If a map is both made for the level and allowed by depth, add up the probabilities of both draws.
                match all[..before]
                    .iter_mut()
                    .find(|odds| list == MapList::Main && odds.map == map)
                {
                    Some(odds) => odds.share += share,
                    None => all.push(MapOdds { list, map, share }),
                }
            }
        }
        if list == MapList::Main {
            without_own -= all[before..].iter().map(|odds| odds.share).sum::<f64>();
        }
    }
    all.sort_by(|a, b| a.list.cmp(&b.list).then(b.share.total_cmp(&a.share)));
    all
}

#[cfg(test)]
mod tests;
