//! Vault runs: executes the Lua of level files in the background, so that no file can block the interface.
//!
//! A request concerns a library: the properties of its maps, the results of one map from some seeds, and the portals
//! between maps. The latest request wins; what was computed for a library is cached while it stays in use. A Lua
//! runtime is not `Send`, so it is created on the thread.

use std::ops::Range;
use std::sync::Arc;
use std::sync::mpsc::SyncSender;

use super::Message;
use super::worker::{JobContext, RunId, Worker};
use crate::vault::lua::{CompileReport, LuaFailure, ResolveOutcome, Runtime, RuntimeOptions};
use crate::vault::place::turns;
use crate::vault::portals::Portals;
use crate::vault::source::MapSource;
use crate::vault::{Library, MapId, VaultWorld};

/// Number of libraries kept ready to run.
const BENCHES: usize = 4;

/// Seeds from which maps are resolved to find where their portals lead.
const PORTAL_SEEDS: Range<u64> = 1..3;

/// A request about the maps of a library.
#[derive(Debug, Clone)]
pub struct VaultRunRequest {
    /// The library.
    pub library: Arc<Library>,
    /// Map to resolve; with `None`, the library is only studied.
    pub map: Option<MapId>,
    /// Place and state of the game that the map's Lua sees.
    pub world: VaultWorld,
    /// Seeds; the map is resolved once from each.
    pub seeds: Range<u64>,
    /// 0: turned and mirrored at random; 1 to 8: see [`ORIENTATIONS`](crate::design::ORIENTATIONS).
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
    /// Its tags, separated by spaces.
    pub tags: String,
    /// Levels where it may occur.
    pub levels: String,
    /// Error of its Lua, if any.
    pub failure: Option<LuaFailure>,
    /// Notes for its author.
    pub notes: Vec<String>,
}

impl MapFacts {
    /// Reads the properties from a map's headers, without running its Lua.
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

    /// Returns the properties after the map's compile run.
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

/// A reply of the vault service.
#[derive(Debug)]
pub enum VaultRunReply {
    /// Properties of the maps of a library, in load order.
    Studied {
        /// The library.
        library: Arc<Library>,
        /// One entry per map.
        facts: Vec<MapFacts>,
    },
    /// Result of the requested map from one of the seeds.
    Rolled {
        /// Number of the request.
        run: RunId,
        /// Index of the seed in the request's range.
        index: usize,
        /// Result of the map.
        outcome: ResolveOutcome,
    },
    /// Portals between the maps of a library.
    Ways {
        /// The library.
        library: Arc<Library>,
        /// The portals.
        portals: Box<Portals>,
    },
    /// All replies to a request have been sent.
    Done {
        /// Number of the request.
        run: RunId,
    },
    /// The thread panicked during a request.
    Broken {
        /// Number of the request.
        run: RunId,
        /// Panic message.
        why: String,
    },
}

/// The vault thread. Dropping it cancels the request under way and joins the thread, which ends at the limits of the
/// running Lua.
#[derive(Debug)]
pub struct VaultRunService(Worker<VaultRunRequest>);

impl VaultRunService {
    /// Starts the thread, which sends its messages to `inbox`.
    ///
    /// # Errors
    ///
    /// Returns the system's error if the thread cannot be spawned.
    pub fn new<I: Send + 'static>(inbox: SyncSender<Message<I>>) -> std::io::Result<Self> {
        let broken = |run, why| Message::Vaults(VaultRunReply::Broken { run, why });
        let begin = || {
            let mut benches = Vec::new();
            move |run, order: VaultRunRequest, line: &JobContext<I>| serve(&mut benches, run, &order, line)
        };
        Worker::start("workshop", inbox, broken, begin).map(Self)
    }

    /// Cancels the request under way and begins another. Its replies carry the number returned.
    pub fn ask(&self, order: VaultRunRequest) -> RunId {
        self.0.ask(order)
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

/// Serves a request until it is done or stale.
fn serve<I>(benches: &mut Vec<VaultRunner>, run: RunId, order: &VaultRunRequest, line: &JobContext<I>) {
    let known = benches
        .iter()
        .position(|bench| Arc::ptr_eq(&bench.library, &order.library));
    // Keep the most recently used library last.
    let bench = known.map_or_else(|| VaultRunner::new(&order.library), |at| benches.remove(at));
    if benches.len() == BENCHES {
        benches.remove(0);
    }
    benches.push(bench);
    if let Some(bench) = benches.last_mut()
        && work(bench, run, order, line)
    {
        line.send(run, Message::Vaults(VaultRunReply::Done { run }));
    }
}

/// Returns whether the request was completed; false once it is stale.
fn work<I>(bench: &mut VaultRunner, run: RunId, order: &VaultRunRequest, line: &JobContext<I>) -> bool {
    let tell = |news| line.send(run, Message::Vaults(news));
    let library = &bench.library;
    let runtime = match &bench.runtime {
        Ok(runtime) => runtime,
        Err(failure) => {
            let outcome = ResolveOutcome::Failed(failure.clone());
            return order.map.is_none() || tell(VaultRunReply::Rolled { run, index: 0, outcome });
        }
    };
    if !bench.studied {
        let mut facts = Vec::new();
        for map in library.ids() {
            if line.is_stale(run) {
                return false;
            }
            facts.push(MapFacts::of(&runtime.compile(map), library.map(map)));
        }
        let library = Arc::clone(library);
        bench.studied = tell(VaultRunReply::Studied { library, facts });
    }
    if let Some(map) = order.map {
        for (index, seed) in order.seeds.clone().enumerate() {
            if line.is_stale(run) {
                return false;
            }
            let outcome = match turns(order.orientation) {
                Some(turns) => runtime.resolve_turned(map, &order.world, seed, &turns),
                None => runtime.resolve(map, &order.world, seed),
            };
            tell(VaultRunReply::Rolled { run, index, outcome });
        }
    }
    if !bench.joined {
        let portals = Box::new(Portals::new(library, &runtime.catalog(), |map| {
            let seeds = PORTAL_SEEDS.take_while(|_| !line.is_stale(run));
            let outcomes = seeds.map(|seed| runtime.resolve(map, &VaultWorld::default(), seed));
            outcomes
                .filter_map(|outcome| match outcome {
                    ResolveOutcome::Resolved(resolved) => Some(*resolved),
                    _ => None,
                })
                .collect()
        }));
        let library = Arc::clone(library);
        bench.joined = tell(VaultRunReply::Ways { library, portals });
    }
    !line.is_stale(run)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::background::Inbox;
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

    fn hear(inbox: &Inbox<()>) -> VaultRunReply {
        match inbox.wait(None) {
            Some(Message::Vaults(news)) => news,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn an_order_is_studied_rolled_and_joined_and_what_was_learned_is_kept() {
        let inbox = Inbox::new();
        let workshop = VaultRunService::new(inbox.sender()).unwrap();
        let order = order(MAPS, "good");
        let run = workshop.ask(order.clone());
        let VaultRunReply::Studied { facts, .. } = hear(&inbox) else {
            panic!("the library is studied first");
        };
        assert_eq!((facts[0].tags.starts_with("nice"), facts[0].width), (true, 3));
        let failure = facts[1].failure.as_ref().unwrap();
        assert_eq!((failure.file.as_deref(), failure.line), (Some("test.des"), Some(8)));
        for expected in 0..3 {
            match hear(&inbox) {
                VaultRunReply::Rolled {
                    run: of,
                    index,
                    outcome: ResolveOutcome::Resolved(resolved),
                } => {
                    assert_eq!((of, index), (run, expected));
                    assert_eq!(resolved.origin.seed, expected as u64 + 1);
                }
                other => panic!("{other:?}"),
            }
        }
        assert!(matches!(hear(&inbox), VaultRunReply::Ways { .. }));
        assert!(matches!(hear(&inbox), VaultRunReply::Done { run: of } if of == run));
        let again = workshop.ask(order);
        for _ in 0..3 {
            assert!(matches!(hear(&inbox), VaultRunReply::Rolled { run: of, .. } if of == again));
        }
        assert!(matches!(hear(&inbox), VaultRunReply::Done { run: of } if of == again));
    }

    #[test]
    fn the_latest_order_wins_and_a_runaway_is_told() {
        let inbox = Inbox::new();
        let workshop = VaultRunService::new(inbox.sender()).unwrap();
        let first = order(MAPS, "good");
        for _ in 0..30 {
            workshop.ask(first.clone());
        }
        let mut last = first;
        last.map = last.library.by_name("endless");
        last.seeds = 1..2;
        let run = workshop.ask(last);
        loop {
            match hear(&inbox) {
                VaultRunReply::Rolled {
                    run: of,
                    outcome: ResolveOutcome::Failed(failure),
                    ..
                } if of == run => {
                    assert_eq!(failure.line, Some(8), "{failure}");
                    break;
                }
                VaultRunReply::Done { run: of } => assert_ne!(of, run, "nothing was told"),
                _ => {}
            }
        }
    }
}
