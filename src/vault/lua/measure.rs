//! Resolves maps for surveys, portal graphs and summaries, on levels where the maps may occur.

use super::failure::LuaFailure;
use super::meter::Limits;
use super::outcome::ResolveOutcome;
use super::runtime::Runtime;
use super::sandbox::Sandbox;
use crate::vault::library::{Catalog, MapId, Profile};
use crate::vault::map::ResolvedMap;
use crate::vault::source::Chunk;
use crate::vault::spec::Level;
use crate::vault::stats::MakeResult;
use crate::vault::summary::SummaryRuns;
use crate::vault::world::VaultWorld;

/// Number of seeds with which a map is resolved to find its portals.
const SEEDS: u64 = 3;

/// A runtime whose maps are all compiled, with their catalog.
pub struct Measured<'a> {
    runtime: &'a Runtime,
    catalog: Catalog,
    world: VaultWorld,
    /// Sandbox that compiles chunks without running them.
    reader: Sandbox,
}

impl From<ResolveOutcome> for MakeResult {
    fn from(outcome: ResolveOutcome) -> Self {
        match outcome {
            ResolveOutcome::Resolved(resolved) => Self::Resolved(resolved),
            ResolveOutcome::Vetoed => Self::Vetoed,
            ResolveOutcome::Invalid(_) => Self::Invalid,
            ResolveOutcome::Failed(failure) => Self::Failed(failure.to_string()),
        }
    }
}

impl<'a> Measured<'a> {
    /// Compiles all maps of the runtime. The level of `world` is used only for maps that may be placed anywhere.
    ///
    /// # Errors
    ///
    /// Fails if there is no memory for a sandbox.
    pub fn new(runtime: &'a Runtime, world: VaultWorld) -> Result<Self, LuaFailure> {
        runtime.compile_all();
        Ok(Self {
            catalog: runtime.catalog(),
            runtime,
            world,
            reader: Sandbox::new(Limits::default())?,
        })
    }

    /// Returns the profiles from the compile runs.
    pub fn catalog(&self) -> &Catalog {
        &self.catalog
    }

    /// Resolves a map on a level with a seed, and rotates or mirrors it as the seed determines.
    pub fn on(&self, map: MapId, level: &Level, seed: u64) -> MakeResult {
        self.runtime.resolve(map, &self.world_on(*level), seed).into()
    }

    /// Resolves a map with a few seeds on a level where it may occur, and returns the successful results. They are
    /// neither rotated nor mirrored, so their cells match the rows in the file.
    pub fn some(&self, map: MapId) -> Vec<ResolvedMap> {
        let made = (1..=SEEDS).map(|seed| self.make(map, seed));
        made.filter_map(|made| match made {
            MakeResult::Resolved(resolved) => Some(*resolved),
            MakeResult::Vetoed | MakeResult::Invalid | MakeResult::Failed(_) => None,
        })
        .collect()
    }

    fn world_on(&self, level: Level) -> VaultWorld {
        VaultWorld {
            level,
            ..self.world.clone()
        }
    }
}

impl SummaryRuns for Measured<'_> {
    fn compiles(&self, file: &str, chunk: &Chunk) -> bool {
        self.reader.load(file, &chunk.source()).is_ok()
    }

    fn runs_clean(&self, map: MapId) -> bool {
        self.runtime.compile(map).failure.is_none()
    }

    fn undefined_names(&self) -> usize {
        self.runtime.undefined_names().len()
    }

    fn make(&self, map: MapId, seed: u64) -> MakeResult {
        let home = self.catalog.get(map).and_then(Profile::home);
        let world = self.world_on(home.unwrap_or(self.world.level));
        self.runtime.resolve_turned(map, &world, seed, &[]).into()
    }
}
