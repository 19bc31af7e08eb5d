//! Resolves a map from the seeds of a check, and collects the results.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use super::super::files::LoadedLibrary;
use crate::text::{counted, thousands};
use crate::vault::glyphs::Cell;
use crate::vault::lint::{Exits, PortalFacts, closets};
use crate::vault::lua::{CompileReport, LuaFailure, ResolveOutcome, UndefinedUse};
use crate::vault::source::{MapSource, VaultFile};
use crate::vault::spec::Level;
use crate::vault::{MapId, ResolvedMap, VaultWorld};

/// The closets of the first resolution that has any. Closets are cells into which a player can be teleported and from
/// which there is no way out.
pub(super) struct Closets {
    /// Seed of the resolution.
    pub seed: u64,
    /// Level of the resolution.
    pub level: Level,
    /// The resolved map, with the rotation and mirroring that `vault show` applies for the seed.
    pub map: Box<ResolvedMap>,
    /// Closet cells on `map`.
    pub cells: Vec<Cell>,
    /// First closet cell of the map without its rotation, so that the cell can be found in the rows of the file; `None`
    /// if the resolved map has more or fewer rows than the file.
    pub first_in_rows: Option<Cell>,
}

/// Results of resolving a map from some seeds.
#[derive(Default)]
pub(super) struct Runs {
    /// Number of seeds that yield a map.
    pub resolved: u64,
    /// Number of seeds for which the map rejects itself (veto).
    pub vetoed: u64,
    /// Total number of tries for the seeds that `resolved` and `invalids` count.
    pub tries: u64,
    /// First seed for which no try passed validation, with its level and the map of the last try.
    pub invalid: Option<(u64, Level, Box<ResolvedMap>)>,
    /// Number of seeds for which no try passed validation.
    pub invalids: u64,
    /// First seed with which the map's Lua failed, with its level.
    pub failed: Option<(u64, Level, LuaFailure)>,
    /// Texts that the Lua printed with the seed of `failed`.
    pub printed: Vec<String>,
    /// Number of seeds with which the map's Lua failed.
    pub failures: u64,
    /// Record of whether any resolution has a way out.
    pub exits: Exits,
    /// Portals of the resolutions.
    pub portals: PortalFacts,
    /// Number of seeds with closets.
    pub closets: u64,
    /// Closets of the first seed that yields any.
    pub closet: Option<Closets>,
    /// Undefined names, with their first uses.
    pub undefined: BTreeMap<String, UndefinedUse>,
    /// Number of Lua instructions executed.
    pub spent: u64,
    /// Message about the instruction limit, if it was reached.
    pub exhausted: Option<String>,
}

impl Closets {
    /// Finds the closets of a map that was resolved without rotation. To show them, resolves the map again with the
    /// rotation that the seed determines. Returns `None` if the map has no closets.
    fn new(loaded: &LoadedLibrary, map: MapId, world: &VaultWorld, unturned: &ResolvedMap) -> Option<Self> {
        let first = *closets(unturned).first()?;
        let seed = unturned.origin.seed;
        let turned = match loaded.runtime.resolve(map, world, seed) {
            ResolveOutcome::Resolved(turned) => turned,
            _ => Box::new(unturned.clone()),
        };
        let rows = loaded.runtime.library().map(map).rows.len();
        Some(Self {
            seed,
            level: world.level,
            cells: closets(&turned),
            map: turned,
            first_in_rows: (unturned.height == rows).then_some(first),
        })
    }
}

impl Runs {
    /// Resolves a map from the seeds in `part`, a part of the range from 1 to `seeds`. With `with_closets`, the map is
    /// not rotated, so that closet cells are cells of the file's rows.
    pub(super) fn new(
        loaded: &LoadedLibrary,
        map: MapId,
        seeds: u64,
        part: RangeInclusive<u64>,
        with_closets: bool,
    ) -> Self {
        let mut runs = Self::default();
        let already = loaded.exhausted();
        loaded.allow_times(seeds / 20);
        for (seed, world) in loaded.worlds(map, seeds, part) {
            let outcome = if with_closets {
                loaded.runtime.resolve_turned(map, &world, seed, &[])
            } else {
                loaded.runtime.resolve(map, &world, seed)
            };
            if with_closets
                && runs.closet.is_none()
                && let ResolveOutcome::Resolved(resolved) = &outcome
            {
                runs.closet = Closets::new(loaded, map, &world, resolved);
            }
            if runs.failed.is_none() && matches!(outcome, ResolveOutcome::Failed(_)) {
                runs.printed = loaded.runtime.take_printed();
            }
            runs.add(outcome, seed, world.level, with_closets);
        }
        runs.undefined = loaded.runtime.undefined_names();
        runs.spent = loaded.spent();
        runs.exhausted = already.or_else(|| loaded.exhausted());
        runs
    }

    /// Predicts results from the compile run of a map, without resolving it. Whether a player can leave a map with
    /// random parts cannot be predicted; such a map is assumed to have a way out.
    pub(super) fn of_compile(report: &CompileReport, file: &VaultFile, map: &MapSource) -> Self {
        const RANDOM: [&str; 5] = ["subst", "nsubst", "shuffle", "subvault", "kfeat"];
        let mut runs = Self::default();
        let resolved = report.resolved();
        let headers = map.headers.iter().map(|header| header.keyword.call());
        if file.has_lua(map.line..=map.last_line) || headers.clone().any(|call| RANDOM.contains(&call)) {
            runs.exits = Exits::supposed();
        } else {
            runs.exits.add(&resolved);
        }
        runs.portals.add(&resolved);
        runs
    }

    fn add(&mut self, outcome: ResolveOutcome, seed: u64, level: Level, with_closets: bool) {
        match outcome {
            ResolveOutcome::Resolved(resolved) => {
                self.resolved += 1;
                self.tries += u64::from(resolved.origin.tries);
                self.exits.add(&resolved);
                self.portals.add(&resolved);
                self.closets += u64::from(with_closets && !closets(&resolved).is_empty());
            }
            ResolveOutcome::Vetoed => self.vetoed += 1,
            ResolveOutcome::Invalid(resolved) => {
                self.invalids += 1;
                self.tries += u64::from(resolved.origin.tries);
                self.exits.add(&resolved);
                self.invalid.get_or_insert((seed, level, resolved));
            }
            ResolveOutcome::Failed(failure) => {
                self.failures += 1;
                self.failed.get_or_insert((seed, level, failure));
            }
        }
    }

    /// Adds the results of later seeds.
    pub(super) fn join(&mut self, later: Self) {
        self.resolved += later.resolved;
        self.vetoed += later.vetoed;
        self.tries += later.tries;
        self.invalids += later.invalids;
        self.failures += later.failures;
        self.spent += later.spent;
        self.closets += later.closets;
        self.closet = self.closet.take().or(later.closet);
        self.invalid = self.invalid.take().or(later.invalid);
        if self.failed.is_none() {
            (self.failed, self.printed) = (later.failed, later.printed);
        }
        self.exhausted = self.exhausted.take().or(later.exhausted);
        self.exits.join(later.exits);
        self.portals.join(later.portals);
        for (name, first) in later.undefined {
            self.undefined.entry(name).or_insert(first);
        }
    }

    /// Describes the results: `resolved with 20 of 20 seeds; 12% of 166 tries passed validation`.
    pub(super) fn description(&self, seeds: u64, validates: bool) -> String {
        let mut description = vec![format!(
            "resolved with {} of {}",
            thousands(self.resolved),
            counted(seeds, "seed")
        )];
        for (count, what) in [
            (self.vetoed, "vetoed"),
            (self.invalids, "failed validation"),
            (self.failures, "failed in Lua"),
        ] {
            if count > 0 {
                description.push(format!("{} {what}", thousands(count)));
            }
        }
        let description = description.join(", ");
        if !validates || self.tries == 0 {
            return description;
        }
        let percent = self.resolved as f64 * 100.0 / self.tries as f64;
        let percent = if self.resolved > 0 && percent < 1.0 {
            "less than 1%".to_owned()
        } else if self.resolved < self.tries && percent > 99.0 {
            "over 99%".to_owned()
        } else {
            format!("{percent:.0}%")
        };
        let tries = counted(self.tries, "try");
        format!("{description}; {percent} of {tries} passed validation")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_of_tries_looks_like_0_or_100_percent_only_if_it_is() {
        let description = |resolved: u64, invalids: u64, tries: u64| {
            let runs = Runs {
                resolved,
                tries,
                invalids,
                ..Runs::default()
            };
            runs.description(resolved + invalids, true)
        };
        assert_eq!(
            description(1, 0, 1),
            "resolved with 1 of 1 seed; 100% of 1 try passed validation"
        );
        assert_eq!(
            description(2000, 0, 2001),
            "resolved with 2,000 of 2,000 seeds; over 99% of 2,001 tries passed validation"
        );
        assert_eq!(
            description(99, 0, 100),
            "resolved with 99 of 99 seeds; 99% of 100 tries passed validation"
        );
        assert_eq!(
            description(1, 40, 1001),
            "resolved with 1 of 41 seeds, 40 failed validation; less than 1% of 1,001 tries passed validation"
        );
        assert_eq!(
            description(0, 2, 50),
            "resolved with 0 of 2 seeds, 2 failed validation; 0% of 50 tries passed validation"
        );
    }
}
