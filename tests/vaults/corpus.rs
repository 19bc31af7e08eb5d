//! The level files beside the project: parsed, compiled and resolved, with the share that is random.
//!
//! The lower bounds are the project's own measurements. Unoptimised builds use a share of the maps, so that the test
//! stays short; optimized ones use all.

#![allow(clippy::expect_used, clippy::panic, reason = "helpers of tests")]

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;

use wallcrawler::vault::library::Library;
use wallcrawler::vault::lua::{CompileReport, ResolveOutcome, Runtime, RuntimeOptions};
use wallcrawler::vault::source;
use wallcrawler::vault::spec::{Branch, Level};
use wallcrawler::vault::summary::picture;
use wallcrawler::vault::world::VaultWorld;

/// Share of the maps that an unoptimised build resolves.
const STEP: usize = if cfg!(debug_assertions) { 8 } else { 1 };

/// Number of failures that are printed.
const SHOWN: usize = 60;

fn say(line: &str) {
    // Bypasses the test runner, which hides the output of passing tests.
    let _ = writeln!(std::io::stderr(), "{line}");
}

/// Returns the level files, in the order of their paths; none, with a message, if they are missing.
fn corpus(test: &str) -> Option<Arc<Library>> {
    let files = crate::common::level_files(test);
    let read = |(name, bytes): &(String, Vec<u8>)| source::read(name, bytes);
    (!files.is_empty()).then(|| Arc::new(Library::new(files.iter().map(read).collect())))
}

/// Returns a level that the map may be on: the one it is made for, else the first of its depths.
fn world(report: &CompileReport) -> VaultWorld {
    let state = &report.state;
    let levels = || Branch::all().flat_map(|branch| (1..=branch.levels()).map(move |depth| Level::new(branch, depth)));
    let at = levels()
        .find(|level| state.places.matches(level))
        .or_else(|| levels().find(|level| state.depths.matches(level)));
    at.map_or_else(VaultWorld::default, VaultWorld::on)
}

#[derive(Default)]
struct Tally {
    maps: usize,
    clean: usize,
    tried: usize,
    without_error: usize,
    resolved: usize,
    vetoed: usize,
    invalid: usize,
    differ: usize,
    unsteady: usize,
    failures: BTreeMap<String, usize>,
}

fn share(part: usize, whole: usize) -> f64 {
    100.0 * part as f64 / whole.max(1) as f64
}

fn tally(library: &Arc<Library>, options: RuntimeOptions) -> Tally {
    let runtime = Runtime::new(Arc::clone(library), options).unwrap_or_else(|failure| panic!("{failure}"));
    let mut tally = Tally {
        maps: library.len(),
        ..Tally::default()
    };
    let reports = runtime.compile_all();
    for (map, report) in library.ids().zip(&reports) {
        match &report.failure {
            None => tally.clean += 1,
            Some(failure) => fail(&mut tally, &format!("compile {}: {failure}", library.map(map).name)),
        }
    }
    for (map, report) in library.ids().zip(&reports).step_by(STEP) {
        let world = world(report);
        let mut pictures = Vec::new();
        let mut failed = false;
        let mut first = None;
        tally.tried += 1;
        for seed in 1..=4 {
            match runtime.resolve_turned(map, &world, seed, &[]) {
                ResolveOutcome::Resolved(resolved) => {
                    pictures.push(picture(&resolved));
                    if seed == 1 {
                        first = Some(resolved);
                    }
                }
                ResolveOutcome::Vetoed => tally.vetoed += 1,
                ResolveOutcome::Invalid(_) => tally.invalid += 1,
                ResolveOutcome::Failed(failure) => {
                    failed |= seed <= 3;
                    let name = &library.map(map).name;
                    fail(&mut tally, &format!("resolve {name}: {failure}"));
                }
            }
        }
        // Other seeds came in between: the same seed must give the same result.
        if let Some(first) = first {
            let again = runtime.resolve_turned(map, &world, 1, &[]);
            tally.unsteady += usize::from(!matches!(again, ResolveOutcome::Resolved(again) if again == first));
        }
        tally.without_error += usize::from(!failed);
        tally.resolved += usize::from(!pictures.is_empty());
        tally.differ += usize::from(pictures.iter().any(|other| *other != pictures[0]));
    }
    tally
}

fn fail(tally: &mut Tally, what: &str) {
    *tally.failures.entry(what.to_owned()).or_default() += 1;
}

fn report(tally: &Tally) {
    for (failure, times) in tally.failures.iter().take(SHOWN) {
        say(&format!("{times} × {failure}"));
    }
    say(&format!(
        "{} maps: {:.1}% compile clean; of {} resolved over 3 seeds {:.1}% have no Lua error, {:.1}% a grid; \
         {:.1}% differ over 4 seeds; {} vetoes, {} rejected by their own validation",
        tally.maps,
        share(tally.clean, tally.maps),
        tally.tried,
        share(tally.without_error, tally.tried),
        share(tally.resolved, tally.tried),
        share(tally.differ, tally.tried),
        tally.vetoed,
        tally.invalid,
    ));
}

#[test]
fn the_level_files_compile_and_resolve() {
    let Some(library) = corpus("the_level_files_compile_and_resolve") else {
        return;
    };
    let tally = tally(&library, RuntimeOptions::default());
    report(&tally);
    assert!(share(tally.clean, tally.maps) >= 98.0, "too few compile runs are clean");
    assert!(share(tally.without_error, tally.tried) >= 98.0, "too many maps fail");
    assert_eq!(tally.unsteady, 0, "maps that one seed gives two grids of");
    let differ = share(tally.differ, tally.tried);
    // A sample of one in eight deviates a little.
    let slack = if STEP == 1 { 0.0 } else { 4.0 };
    assert!(
        (72.0 - slack..=76.0 + slack).contains(&differ),
        "{differ}% of the maps differ over 4 seeds"
    );
}

/// Resolves the maps of a level file with one seed, in a new Lua state.
fn outcomes(name: &str, bytes: &[u8]) -> Vec<String> {
    let library = Arc::new(Library::new(vec![source::read(name, bytes)]));
    let runtime = Runtime::new(Arc::clone(&library), RuntimeOptions::default())
        .unwrap_or_else(|failure| panic!("{name}: {failure}"));
    let reports = runtime.compile_all();
    let maps = library.ids().zip(&reports).step_by(STEP);
    maps.map(|(map, report)| format!("{:?}", runtime.resolve_turned(map, &world(report), 1, &[])))
        .collect()
}

#[test]
fn a_level_file_gives_the_same_maps_whatever_its_memory_addresses() {
    const TEST: &str = "a_level_file_gives_the_same_maps_whatever_its_memory_addresses";
    let mut kept = Vec::new();
    for (name, bytes) in crate::common::level_files(TEST) {
        let first = outcomes(&name, &bytes);
        // Blocks of many sizes, every other one of them freed: Lua's tables get other addresses.
        let mut blocks: Vec<Vec<u8>> = (0..4_000).map(|block| vec![1; 16 + block * 37 % 480]).collect();
        let mut block = 0;
        blocks.retain(|_| {
            block += 1;
            block % 2 == 0
        });
        kept.push(blocks);
        assert!(
            outcomes(&name, &bytes) == first,
            "{name}: the same seed gives other maps"
        );
    }
}

/// Returns the folder of the game's own data, if it is installed.
fn crawl_data() -> Option<PathBuf> {
    [
        std::env::var_os("WALLCRAWLER_CRAWL_DATA").map(PathBuf::from),
        Some(PathBuf::from("/usr/share/crawl/dat")),
    ]
    .into_iter()
    .flatten()
    .find(|folder| folder.join("dlua").is_dir())
}

#[test]
fn the_level_files_run_with_the_games_own_library() {
    let Some(library) = corpus("the_level_files_run_with_the_games_own_library") else {
        return;
    };
    let Some(folder) = crawl_data() else {
        say("SKIPPED the_level_files_run_with_the_games_own_library: no data of the game (WALLCRAWLER_CRAWL_DATA)");
        return;
    };
    let options = RuntimeOptions {
        loader: Some(Rc::new(move |path: &str| std::fs::read(folder.join(path)).ok())),
        ..RuntimeOptions::default()
    };
    let tally = tally(&library, options);
    report(&tally);
    assert!(share(tally.without_error, tally.tried) >= 95.0, "too many maps fail");
}
