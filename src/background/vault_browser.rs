//! Vault runs: executes the Lua code of level files in the background, so that no file can block the interface. Level
//! files contain maps for the game Dungeon Crawl Stone Soup.
//!
//! A request names a library and, optionally, one of its maps, which is then resolved from the request's seeds. The
//! first request for a library also reports the properties of all its maps, and the portals between them. The runtimes
//! of the most recently used libraries are kept. A Lua runtime is not `Send`, so the background thread creates it.

use std::ops::Range;
use std::sync::Arc;

use super::job::{Cancelled, Job, JobCx};
use crate::vault::lua::{CompileReport, LuaFailure, ResolveOutcome, Runtime, RuntimeOptions};
use crate::vault::place::turns;
use crate::vault::portals::Portals;
use crate::vault::source::MapSource;
use crate::vault::{Library, MapId, VaultWorld};

/// Maximum number of libraries whose Lua runtimes are kept.
const LIBRARIES: usize = 4;

/// Seeds from which maps are resolved to find where their portals lead.
const PORTAL_SEEDS: Range<u64> = 1..3;

/// A request to run the Lua code of a library's maps.
#[derive(Debug, Clone)]
pub struct VaultRunRequest {
    pub library: Arc<Library>,
    /// Map to resolve; `None` to resolve no map.
    pub map: Option<MapId>,
    /// The level and the player's state, as the map's Lua code sees them.
    pub world: VaultWorld,
    /// Seeds from which the map is resolved, once for each seed.
    pub seeds: Range<u64>,
    /// How the map is turned and mirrored: 0 means at random; 1 to 8 are described at
    /// [`ORIENTATIONS`](crate::design::ORIENTATIONS).
    pub orientation: i32,
}

impl PartialEq for VaultRunRequest {
    /// Compares the libraries by identity, not by content.
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.library, &other.library)
            && (self.map, &self.world, &self.seeds, self.orientation)
                == (other.map, &other.world, &other.seeds, other.orientation)
    }
}

impl Eq for VaultRunRequest {}

/// Properties of a map.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MapFacts {
    /// Number of columns.
    pub width: usize,
    /// Number of rows.
    pub height: usize,
    /// The map's tags, separated by spaces.
    pub tags: String,
    /// Levels where the game may place the map.
    pub levels: String,
    /// Error that the map's Lua code raised, if any.
    pub failure: Option<LuaFailure>,
    /// Notes for the map's author.
    pub notes: Vec<String>,
}

impl MapFacts {
    /// Reads the properties from a map's headers, without running its Lua code.
    pub fn of_headers(source: &MapSource) -> Self {
        let joined = |name: &str| {
            let values = source
                .values(name)
                .map(|value| String::from_utf8_lossy(value).into_owned());
            values.collect::<Vec<_>>().join(" ")
        };
        Self {
            width: source.rows.iter().map(Vec::len).max().unwrap_or(0),
            height: source.rows.len(),
            tags: joined("TAGS"),
            levels: source.default_depth.clone().unwrap_or_default(),
            failure: None,
            notes: Vec::new(),
        }
    }

    /// Returns the properties that a map has after its Lua code was compiled and run.
    fn of(report: &CompileReport, source: &MapSource) -> Self {
        let state = &report.state;
        let levels = [state.places.to_string(), state.depths.to_string()];
        let default = source.default_depth.clone().unwrap_or_default();
        Self {
            width: state.glyphs.width(),
            height: state.glyphs.height(),
            tags: state.tags.iter().collect::<Vec<_>>().join(" "),
            levels: levels.into_iter().find(|text| !text.is_empty()).unwrap_or(default),
            failure: report.failure.clone(),
            notes: report.notes.clone(),
        }
    }
}

/// A reply to a [`VaultRunRequest`].
#[derive(Debug)]
pub enum VaultRunReply {
    /// Properties of the maps of a library, in load order.
    Studied {
        library: Arc<Library>,
        /// Properties, one entry per map.
        facts: Vec<MapFacts>,
    },
    /// Result of resolving the requested map from one seed.
    Rolled {
        /// Index of the seed in the request's range.
        index: usize,
        /// The resolved map, or why it could not be resolved.
        outcome: ResolveOutcome,
    },
    /// Portals between the maps of a library.
    Ways {
        library: Arc<Library>,
        portals: Box<Portals>,
    },
    /// All replies have been sent.
    Done,
}

impl Job for VaultRunRequest {
    const NAME: &'static str = "vault runs";
    type Memory = VaultRunMemory;
    type Reply = VaultRunReply;

    fn run(self, memory: &mut VaultRunMemory, cx: &JobCx<'_, VaultRunReply>) -> Result<(), Cancelled> {
        let runner = memory.runner(&self.library);
        run(runner, &self, cx)?;
        cx.send(VaultRunReply::Done)
    }
}

/// The most recently used libraries, with their Lua runtimes.
#[derive(Default)]
pub struct VaultRunMemory(Vec<VaultRunner>);

impl VaultRunMemory {
    /// Returns the runner of a library, and creates it if there is none. If [`LIBRARIES`] runners already exist, the
    /// new runner replaces the least recently used one.
    fn runner(&mut self, library: &Arc<Library>) -> &mut VaultRunner {
        let known = self.0.iter().position(|runner| Arc::ptr_eq(&runner.library, library));
        let runner = known.map_or_else(|| VaultRunner::new(library), |at| self.0.remove(at));
        if self.0.len() == LIBRARIES {
            self.0.remove(0);
        }
        // Keep the most recently used library last.
        self.0.push(runner);
        let last = self.0.len() - 1;
        &mut self.0[last]
    }
}

/// A library with its Lua runtime.
struct VaultRunner {
    library: Arc<Library>,
    runtime: Result<Runtime, LuaFailure>,
    studied: bool,
    joined: bool,
}

impl VaultRunner {
    fn new(library: &Arc<Library>) -> Self {
        Self {
            library: Arc::clone(library),
            runtime: Runtime::new(Arc::clone(library), RuntimeOptions::default()),
            studied: false,
            joined: false,
        }
    }
}

/// Executes a request.
fn run(runner: &mut VaultRunner, order: &VaultRunRequest, cx: &JobCx<'_, VaultRunReply>) -> Result<(), Cancelled> {
    let library = &runner.library;
    let runtime = match &runner.runtime {
        Ok(runtime) => runtime,
        Err(failure) if order.map.is_some() => {
            let outcome = ResolveOutcome::Failed(failure.clone());
            return cx.send(VaultRunReply::Rolled { index: 0, outcome });
        }
        Err(_) => return Ok(()),
    };
    if !runner.studied {
        let mut facts = Vec::new();
        for map in library.ids() {
            cx.check()?;
            facts.push(MapFacts::of(&runtime.compile(map), library.map(map)));
        }
        let library = Arc::clone(library);
        cx.send(VaultRunReply::Studied { library, facts })?;
        runner.studied = true;
    }
    if let Some(map) = order.map {
        for (index, seed) in order.seeds.clone().enumerate() {
            cx.check()?;
            let outcome = match turns(order.orientation) {
                Some(turns) => runtime.resolve_turned(map, &order.world, seed, &turns),
                None => runtime.resolve(map, &order.world, seed),
            };
            cx.send(VaultRunReply::Rolled { index, outcome })?;
        }
    }
    if !runner.joined {
        let portals = Box::new(Portals::new(library, &runtime.catalog(), |map| {
            let seeds = PORTAL_SEEDS.take_while(|_| !cx.is_cancelled());
            let outcomes = seeds.map(|seed| runtime.resolve(map, &VaultWorld::default(), seed));
            outcomes
                .filter_map(|outcome| match outcome {
                    ResolveOutcome::Resolved(resolved) => Some(*resolved),
                    _ => None,
                })
                .collect()
        }));
        let library = Arc::clone(library);
        cx.send(VaultRunReply::Ways { library, portals })?;
        runner.joined = true;
    }
    cx.check()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::background::job::{Ticket, run_inline};
    use crate::vault::source;

    fn order(text: &str, map: &str) -> VaultRunRequest {
        let library = Arc::new(Library::new(vec![source::read("test.des", text.as_bytes())]));
        VaultRunRequest {
            map: library.by_name(map),
            library,
            world: VaultWorld::default(),
            seeds: 1..4,
            orientation: 0,
        }
    }

    const MAPS: &str = "NAME: good\nTAGS: nice\nSHUFFLE: ab\nMAP\nxab\nENDMAP\n\
        NAME: endless\n: while true do end\nMAP\nx\nENDMAP\n";

    #[test]
    fn a_library_is_studied_once_and_its_maps_are_resolved_from_every_seed() {
        let mut memory = VaultRunMemory::default();
        let order = order(MAPS, "good");
        let mut replies = run_inline(order.clone(), &mut memory, &Ticket::new()).into_iter();
        let Some(VaultRunReply::Studied { facts, .. }) = replies.next() else {
            panic!("the library is studied first");
        };
        assert_eq!((facts[0].tags.starts_with("nice"), facts[0].width), (true, 3));
        let failure = facts[1].failure.as_ref().unwrap();
        assert_eq!((failure.file.as_deref(), failure.line), (Some("test.des"), Some(8)));
        for expected in 0..3 {
            match replies.next() {
                Some(VaultRunReply::Rolled {
                    index,
                    outcome: ResolveOutcome::Resolved(resolved),
                }) => {
                    assert_eq!(index, expected);
                    assert_eq!(resolved.origin.seed, expected as u64 + 1);
                }
                other => panic!("{other:?}"),
            }
        }
        assert!(matches!(replies.next(), Some(VaultRunReply::Ways { .. })));
        assert!(matches!(replies.next(), Some(VaultRunReply::Done)));
        let again = run_inline(order, &mut memory, &Ticket::new());
        let [rolled @ .., VaultRunReply::Done] = &again[..] else {
            panic!("it does not end");
        };
        assert_eq!(rolled.len(), 3);
        assert!(rolled.iter().all(|reply| matches!(reply, VaultRunReply::Rolled { .. })));
    }

    #[test]
    fn lua_that_does_not_end_is_reported() {
        let mut endless = order(MAPS, "endless");
        endless.seeds = 1..2;
        let replies = run_inline(endless, &mut VaultRunMemory::default(), &Ticket::new());
        let failure = replies.iter().find_map(|reply| match reply {
            VaultRunReply::Rolled {
                outcome: ResolveOutcome::Failed(failure),
                ..
            } => Some(failure),
            _ => None,
        });
        assert_eq!(failure.unwrap().line, Some(8));
    }
}
