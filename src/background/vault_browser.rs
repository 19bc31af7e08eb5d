//! The workshop: runs the Lua of level files in the background, so that no file can hold up the screen.
//!
//! It is asked about a library: what its maps say of themselves, what one of them becomes from some seeds, and
//! which map leads to which. The latest order wins; what was learned for an earlier one is kept as
//! long as the library is asked for. A runtime of Lua cannot leave its thread, so it is made there.

use std::ops::Range;
use std::sync::Arc;
use std::sync::mpsc::SyncSender;

use super::Message;
use super::job::{JobContext, RunId, Worker};
use crate::vault::lua::{CompileReport, LuaFailure, ResolveOutcome, Runtime, RuntimeOptions};
use crate::vault::place::turns;
use crate::vault::portals::Portals;
use crate::vault::source::MapSource;
use crate::vault::{Library, MapId, VaultWorld};

/// How many libraries are kept ready to run.
const BENCHES: usize = 4;

/// From which seeds maps are resolved to find where their portals lead.
const PORTAL_SEEDS: Range<u64> = 1..3;

/// What is asked of the workshop.
#[derive(Debug, Clone)]
pub struct VaultRunRequest {
    /// The maps.
    pub library: Arc<Library>,
    /// The one to be resolved; none: only the library is studied.
    pub map: Option<MapId>,
    /// Where the map believes to be.
    pub world: VaultWorld,
    /// One roll is made from each.
    pub seeds: Range<u64>,
    /// 0: turned and mirrored by chance; 1 to 8: see [`ORIENTATIONS`](crate::design::ORIENTATIONS).
    pub orientation: i32,
}

impl PartialEq for VaultRunRequest {
    /// The same question about the very same library.
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.library, &other.library)
            && (self.map, &self.world, &self.seeds, self.orientation)
                == (other.map, &other.world, &other.seeds, other.orientation)
    }
}

impl Eq for VaultRunRequest {}

/// What a map tells of itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MapFacts {
    /// Columns.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// Its tags, with blanks between.
    pub tags: String,
    /// The levels where it may be.
    pub levels: String,
    /// What went wrong.
    pub failure: Option<LuaFailure>,
    /// What its author may want to know.
    pub notes: Vec<String>,
}

impl MapFacts {
    /// What the headers of a map tell, before its Lua has run.
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

    /// What its compile run told.
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

/// What the workshop tells.
#[derive(Debug)]
pub enum VaultRunReply {
    /// What the maps of a library say of themselves, in load order.
    Studied {
        /// The library.
        library: Arc<Library>,
        /// One for each map.
        facts: Vec<MapFacts>,
    },
    /// What became of the map of an order from one of its seeds.
    Rolled {
        /// Which order.
        run: RunId,
        /// The place of the seed among those of the order.
        index: usize,
        /// What came of it.
        outcome: ResolveOutcome,
    },
    /// Which map of a library leads to which.
    Ways {
        /// The library.
        library: Arc<Library>,
        /// The ways.
        portals: Box<Portals>,
    },
    /// Everything of an order was told.
    Done {
        /// Which order.
        run: RunId,
    },
    /// An order broke off through a fault of the program.
    Broken {
        /// Which order.
        run: RunId,
        /// What the program said.
        why: String,
    },
}

/// The workshop's thread. Dropping it cancels the order under way and joins the thread, which ends at the limits
/// of the Lua that is running.
#[derive(Debug)]
pub struct VaultRunService(Worker<VaultRunRequest>);

impl VaultRunService {
    /// Starts the thread; its messages go to `inbox`.
    ///
    /// # Errors
    ///
    /// When the system has no thread to give.
    pub fn new<I: Send + 'static>(inbox: SyncSender<Message<I>>) -> std::io::Result<Self> {
        let broken = |run, why| Message::Vaults(VaultRunReply::Broken { run, why });
        let begin = || {
            let mut benches = Vec::new();
            move |run, order: VaultRunRequest, line: &JobContext<I>| serve(&mut benches, run, &order, line)
        };
        Worker::start("workshop", inbox, broken, begin).map(Self)
    }

    /// Drops the order under way for another. What is told of it carries the number returned.
    pub fn ask(&self, order: VaultRunRequest) -> RunId {
        self.0.ask(order)
    }
}

/// A library that is ready to run.
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

/// Does an order, as far as nobody has another one.
fn serve<I>(benches: &mut Vec<VaultRunner>, run: RunId, order: &VaultRunRequest, line: &JobContext<I>) {
    let known = benches
        .iter()
        .position(|bench| Arc::ptr_eq(&bench.library, &order.library));
    // The bench in use comes last.
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

/// Whether the order was done; false once it is stale.
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
