//! Map statistics: many levels built as the game would, and what came of every map on the way.
//!
//! A level gets the map that is made for it or one drawn by depth, and then one of those with the tag `extra`;
//! layouts, monsters and stairs are the game's affair. How a map is made from its source is the
//! caller's: a function of the map, the level and a seed. [`VaultSurvey`] holds the counts, [`VaultSurvey::report`] tells them.

mod report;

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::ResolvedMap;
use super::dice::Dice;
use super::library::{Catalog, Library, MapId, Used};
use super::spec::{Branch, Level};
use crate::engine::random::Key;

/// What came of making a map.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MakeResult {
    /// A grid.
    Resolved(Box<ResolvedMap>),
    /// The map does not want to be on this level.
    Vetoed,
    /// Every try failed the map's own validation.
    Invalid,
    /// Its Lua failed, with what it said.
    Failed(String),
}

/// What is to be built.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SurveyPlan {
    /// The levels of a dungeon, in the order in which they are built.
    pub levels: Vec<Level>,
    /// How many dungeons are built: the maps of one know of each other, those of two do not.
    pub dungeons: u32,
    /// Decides every draw and every map.
    pub seed: u64,
}

/// How many dungeons are built unless something else is asked for.
pub const DUNGEONS: u32 = 100;

/// How often a level is begun anew when a map on it cannot be made, before it counts as failed.
pub const ATTEMPTS: u32 = 5;

impl SurveyPlan {
    /// All levels of the main dungeon and of every branch that a map names.
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

/// What came of one level of the plan, over all dungeons.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct LevelCount {
    /// How often it was begun.
    pub tried: u32,
    /// How often it was finished.
    pub built: u32,
    /// How often it was given up.
    pub failed: u32,
    /// How often it was finished without any map.
    pub empty: u32,
    /// How often a map refused to be on it by veto.
    pub vetoes: u32,
}

/// What came of one map.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct MapCount {
    /// How often it was drawn.
    pub tried: u32,
    /// How often it was made.
    pub made: u32,
    /// How often it is in a finished level.
    pub used: u32,
    /// How often it refused by veto.
    pub vetoed: u32,
    /// How often it failed its own validation.
    pub invalid: u32,
    /// How often its Lua failed.
    pub failed: u32,
    /// On which levels of the plan it is, and how often.
    pub places: BTreeMap<usize, u32>,
    /// The first refusal of each kind.
    pub refusals: Vec<RefusedMap>,
}

/// Why a map could not be made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RefusedMap {
    /// The level, by its place in the plan.
    pub level: usize,
    /// The seed that makes it happen again.
    pub seed: u64,
    /// What happened.
    pub why: RefusalReason,
}

/// Why a map could not be made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RefusalReason {
    /// It does not want to be on this level.
    Veto,
    /// Every try failed its own validation.
    Validation,
    /// Its Lua failed, with what it said.
    Lua(String),
}

/// The counts of many levels.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VaultSurvey {
    /// What was built.
    pub plan: SurveyPlan,
    /// By the levels of the plan.
    pub levels: Vec<LevelCount>,
    /// By the maps of the library, in load order.
    pub maps: Vec<MapCount>,
    /// What may be drawn for each level of the plan.
    candidates: Vec<Candidates>,
}

/// The maps that a level may get, in load order.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Candidates {
    /// Those that are made for it.
    own: Vec<MapId>,
    /// Those that its depth allows.
    by_depth: Vec<MapId>,
    /// Those that come in addition.
    extra: Vec<MapId>,
}

impl Candidates {
    fn new(catalog: &Catalog, level: &Level) -> Self {
        Self {
            own: catalog.at_place(level).collect(),
            by_depth: catalog.by_depth(level).collect(),
            extra: catalog.in_addition(level).collect(),
        }
    }

    fn all(&self) -> impl Iterator<Item = MapId> + '_ {
        self.own.iter().chain(&self.by_depth).chain(&self.extra).copied()
    }
}

impl VaultSurvey {
    /// Builds the levels of a plan. `make` makes a map for a level from a seed.
    pub fn new(
        library: &Library,
        catalog: &Catalog,
        plan: SurveyPlan,
        mut make: impl FnMut(MapId, &Level, u64) -> MakeResult,
    ) -> Self {
        let mut survey = Self {
            levels: vec![LevelCount::default(); plan.levels.len()],
            maps: vec![MapCount::default(); library.len()],
            candidates: plan
                .levels
                .iter()
                .map(|level| Candidates::new(catalog, level))
                .collect(),
            plan,
        };
        for dungeon in 0..survey.plan.dungeons {
            let mut used = Used::default();
            for at in 0..survey.plan.levels.len() {
                let key = Key::new(survey.plan.seed).child(u64::from(dungeon)).child(at as u64);
                survey.level(at, key, catalog, &mut used, &mut make);
            }
        }
        survey
    }

    /// Builds one level, beginning anew while a map on it fails.
    fn level(
        &mut self,
        at: usize,
        key: Key,
        catalog: &Catalog,
        used: &mut Used,
        make: &mut impl FnMut(MapId, &Level, u64) -> MakeResult,
    ) {
        for attempt in 0..ATTEMPTS {
            self.levels[at].tried += 1;
            let mut dice = Dice::new(key.child(u64::from(attempt)));
            if let Some(placed) = self.attempt(at, &mut dice, catalog, used, make) {
                let level = self.plan.levels[at];
                for map in &placed {
                    let count = &mut self.maps[map.index()];
                    count.used += 1;
                    *count.places.entry(at).or_default() += 1;
                    if let Some(profile) = catalog.get(*map) {
                        used.record(*map, profile, &level);
                    }
                }
                self.levels[at].built += 1;
                self.levels[at].empty += u32::from(placed.is_empty());
                return;
            }
        }
        self.levels[at].failed += 1;
    }

    /// The maps of one level; none if one of them cannot be made.
    fn attempt(
        &mut self,
        at: usize,
        dice: &mut Dice,
        catalog: &Catalog,
        used: &Used,
        make: &mut impl FnMut(MapId, &Level, u64) -> MakeResult,
    ) -> Option<Vec<MapId>> {
        let level = self.plan.levels[at];
        let free = |map: &MapId| {
            catalog
                .get(*map)
                .is_some_and(|profile| used.allows(*map, profile, &level))
        };
        let own = catalog.choice(catalog.at_place(&level).filter(free), &level);
        let main = if own.is_empty() {
            catalog.choice(catalog.by_depth(&level).filter(free), &level)
        } else {
            own
        };
        let extra = catalog.choice(catalog.with_tags(&["extra"], Some(&level)).filter(free), &level);
        let mut placed = Vec::new();
        for choice in [main, extra] {
            let Some(map) = choice.draw(dice) else {
                continue;
            };
            // A dummy that was drawn stands for nothing.
            if placed.contains(&map) || catalog.get(map).is_some_and(|profile| profile.has("dummy")) {
                continue;
            }
            // Seeds that a person can type again.
            let seed = u64::from(dice.below(1_000_000_000));
            if !self.make(at, map, seed, make) {
                return None;
            }
            placed.push(map);
        }
        Some(placed)
    }

    /// Makes a map and counts what comes of it; whether it is there.
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
        if !count.refusals.iter().any(|refusal| refusal.why == why) {
            count.refusals.push(RefusedMap { level: at, seed, why });
        }
        false
    }

    /// The maps that a level of the plan may get, and that no finished level has, by their places in load order.
    pub fn unused(&self) -> impl Iterator<Item = usize> {
        let possible: BTreeSet<usize> = self
            .candidates
            .iter()
            .flat_map(Candidates::all)
            .map(MapId::index)
            .collect();
        possible.into_iter().filter(|index| self.maps[*index].used == 0)
    }
}

/// How likely each map is to be a level's own or its draw by depth, the likeliest first; what is missing to
/// 1 is the chance of none.
pub fn odds(catalog: &Catalog, level: &Level) -> Vec<(MapId, f64)> {
    let own = catalog.choice(catalog.at_place(level), level);
    let choice = if own.is_empty() {
        catalog.choice(catalog.by_depth(level), level)
    } else {
        own
    };
    let mut odds = choice.odds();
    odds.sort_by(|a, b| b.1.total_cmp(&a.1));
    odds
}

#[cfg(test)]
mod tests;
