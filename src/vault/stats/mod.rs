//! Map statistics: builds many levels as the game would, and counts the outcome of every map.
//!
//! A level gets a map made for it or one drawn by depth, and then one of those with the tag `extra`; layouts, monsters
//! and stairs are left to the game. The caller passes a function that resolves a map for a level and a seed.
//! [`VaultSurvey`] holds the counts, [`VaultSurvey::report`] formats them.

mod report;

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::ResolvedMap;
use super::dice::Dice;
use super::library::{Catalog, Library, MapId, Used};
use super::spec::{Branch, Level};
use crate::engine::random::Key;

/// The outcome of resolving a map.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MakeResult {
    /// A grid.
    Resolved(Box<ResolvedMap>),
    /// The map's veto refused the level.
    Vetoed,
    /// Every attempt failed the map's own validation.
    Invalid,
    /// The map's Lua failed, with its message.
    Failed(String),
}

/// The levels to build.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SurveyPlan {
    /// Levels of a dungeon, in building order.
    pub levels: Vec<Level>,
    /// Number of dungeons; uniqueness of maps applies within each dungeon.
    pub dungeons: u32,
    /// Seed of all draws and maps.
    pub seed: u64,
}

/// Default number of dungeons.
pub const DUNGEONS: u32 = 100;

/// Number of attempts at a level, each ended by a map that cannot be resolved, after which the level counts as failed.
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
    /// Number of attempts.
    pub tried: u32,
    /// Number of times it was finished.
    pub built: u32,
    /// Number of times it was abandoned.
    pub failed: u32,
    /// Number of times it was finished without any map.
    pub empty: u32,
    /// Number of vetoes by maps.
    pub vetoes: u32,
}

/// Counts for one map.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct MapCount {
    /// Number of times it was drawn.
    pub tried: u32,
    /// Number of times it was resolved.
    pub made: u32,
    /// Number of finished levels that contain it.
    pub used: u32,
    /// Number of vetoes.
    pub vetoed: u32,
    /// Number of failed validations.
    pub invalid: u32,
    /// Number of Lua failures.
    pub failed: u32,
    /// Number of uses by level of the plan.
    pub places: BTreeMap<usize, u32>,
    /// The first refusal of each kind.
    pub refusals: Vec<RefusedMap>,
}

/// A refusal of a map, with its seed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RefusedMap {
    /// Level, as an index into the plan.
    pub level: usize,
    /// Seed that reproduces the refusal.
    pub seed: u64,
    /// Reason of the refusal.
    pub why: RefusalReason,
}

/// The reason why a map could not be resolved.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RefusalReason {
    /// The map's veto refused the level.
    Veto,
    /// Every attempt failed the map's own validation.
    Validation,
    /// The map's Lua failed, with its message.
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
    /// Candidate maps for each level of the plan.
    candidates: Vec<Candidates>,
}

/// The maps that a level may get, in load order.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Candidates {
    /// Maps made for the level.
    own: Vec<MapId>,
    /// Maps allowed by depth.
    by_depth: Vec<MapId>,
    /// Additional maps.
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
    /// Builds the levels of a plan. `make` resolves a map for a level from a seed.
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

    /// Builds one level, starting again while a map on it fails.
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

    /// Returns the maps of one level; `None` if one of them cannot be resolved.
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
            // A drawn dummy means "no map".
            if placed.contains(&map) || catalog.get(map).is_some_and(|profile| profile.has("dummy")) {
                continue;
            }
            // Seeds short enough to be typed.
            let seed = u64::from(dice.below(1_000_000_000));
            if !self.make(at, map, seed, make) {
                return None;
            }
            placed.push(map);
        }
        Some(placed)
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
        if !count.refusals.iter().any(|refusal| refusal.why == why) {
            count.refusals.push(RefusedMap { level: at, seed, why });
        }
        false
    }

    /// Returns the maps that a level of the plan may get but no finished level has, as indices in load order.
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

/// Returns the probability of each map to be a level's main map, by place or by depth, highest first; the remainder to
/// 1 is the probability of no map.
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
