//! The guide's examples do what the guide says, and errors in Lua are reported with their file and line.
//!
//! After a change of messages, `WALLCRAWLER_BLESS=1 cargo test --test vaults examples` writes them again.

#![allow(clippy::expect_used, clippy::panic, reason = "helpers of tests")]

use std::path::{Path, PathBuf};
use std::sync::Arc;

use wallcrawler::vault::lua::{Measured, ResolveOutcome, Runtime, RuntimeOptions};
use wallcrawler::vault::portals::Portals;
use wallcrawler::vault::source::{self, VaultFile};
use wallcrawler::vault::{Library, ResolvedMap, VaultWorld};

fn fixture(folder: &str, name: &str) -> VaultFile {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/vaults/{folder}/{name}.des"));
    source::read(&format!("{name}.des"), &std::fs::read(path).expect("a fixture"))
}

fn names(folder: &str) -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/vaults").join(folder);
    let mut names: Vec<String> = std::fs::read_dir(path)
        .expect("the fixtures")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|e| e == "des"))
        .map(|path| path.file_stem().expect("a name").to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

fn runtime(folder: &str, name: &str) -> Runtime {
    let library = Library::new(vec![fixture(folder, name)]);
    Runtime::new(Arc::new(library), RuntimeOptions::default()).expect("the helper library runs")
}

/// Returns the grids of a map of the guide for a number of seeds, not mirrored or rotated.
fn grids(file: &str, map: &str, world: &VaultWorld, seeds: u64) -> Vec<ResolvedMap> {
    let runtime = runtime("guide", file);
    let id = runtime.library().by_name(map).expect("a map");
    (1..=seeds)
        .map(|seed| match runtime.resolve_turned(id, world, seed, &[]) {
            ResolveOutcome::Resolved(resolved) => *resolved,
            other => panic!("{map}, seed {seed}: {other:?}"),
        })
        .collect()
}

fn at(level: &str) -> VaultWorld {
    VaultWorld::at(level).expect("a level")
}

fn glyph(grid: &ResolvedMap, x: i32, y: i32) -> char {
    grid.cell(x, y).map_or(' ', |cell| char::from(cell.glyph))
}

fn monster(grid: &ResolvedMap, x: i32, y: i32) -> &str {
    grid.cell(x, y)
        .and_then(|cell| cell.monster.as_deref())
        .unwrap_or_default()
}

#[test]
fn every_example_compiles_and_resolves() {
    for name in names("guide") {
        let runtime = runtime("guide", &name);
        for id in runtime.library().ids() {
            let report = runtime.compile(id);
            assert!(report.failure.is_none(), "{:?}", report.failure);
            for seed in 1..=20 {
                let outcome = runtime.resolve(id, &at("D:2"), seed);
                assert!(
                    matches!(outcome, ResolveOutcome::Resolved(_)),
                    "{name}, seed {seed}: {outcome:?}"
                );
            }
        }
    }
}

#[test]
fn two_statements_decide_a_third() {
    let mut seen = std::collections::BTreeSet::new();
    for grid in grids("random_test", "random_test", &at("D:1"), 200) {
        let [a, b, c] = [3, 9, 15].map(|x| glyph(&grid, x, 2));
        assert!([a, b, c].iter().all(|glyph| "x.".contains(*glyph)));
        assert!(!(a == 'x' && c == 'x' && b == 'x'), "all paths are closed");
        seen.insert((a, b, c));
    }
    assert_eq!(seen.len(), 7, "every other path occurs: {seen:?}");
}

#[test]
fn conditions_follow_experience_and_branch() {
    let master = VaultWorld { xl: 19, ..at("D:5") };
    let novice = VaultWorld { xl: 18, ..at("D:5") };
    for grid in grids("condition_002", "condition_002", &master, 5) {
        assert_eq!(monster(&grid, 1, 1), "greater mummy");
    }
    let elves: Vec<String> = grids("condition_002", "condition_002", &novice, 60)
        .iter()
        .map(|grid| monster(grid, 1, 1).to_owned())
        .collect();
    for elf in ["deep elf priest", "deep elf sorcerer", "deep elf demonologist"] {
        assert!(elves.iter().any(|monster| monster == elf), "{elf}: {elves:?}");
    }
    for (level, first, second) in [
        ("Orc:1", "orc priest", "orc high priest"),
        ("Elf:2", "deep elf priest", "deep elf high priest"),
    ] {
        let grid = grids("condition_003", "condition_003", &at(level), 1).remove(0);
        assert_eq!((monster(&grid, 1, 1), monster(&grid, 1, 2)), (first, second));
    }
    for (level, plant) in [("D:6", "plant"), ("D:7", "oklob plant")] {
        for (file, map) in [
            ("statue_in_pool", "statue_in_pool"),
            ("statue_pool_map", "statue_in_pool_by_function"),
        ] {
            let grid = grids(file, map, &at(level), 1).remove(0);
            assert_eq!(monster(&grid, 0, 0), plant, "{map} on {level}");
            assert!(grid.tags.has("no_rotate") && grid.tags.has("no_pool_fixup"));
        }
    }
    // All rows are there, whatever surrounds them.
    let grid = grids("condition_004", "condition_004", &at("Orc:1"), 1).remove(0);
    assert_eq!((glyph(&grid, 3, 2), glyph(&grid, 3, 7)), ('I', 'U'));
}

#[test]
fn validation_rejects_bad_maps() {
    // The stair is connected to an exit or to the other stair; unvalidated maps would often be cut off.
    let mut tries = 0;
    for grid in grids("contrived_001", "contrived_001", &at("D:2"), 100) {
        tries += grid.origin.tries;
        let right = [(5, 1)].iter().any(|(x, y)| glyph(&grid, *x, *y) == '.');
        assert!(right, "the only way out is closed");
    }
    assert!(tries > 150, "{tries} tries for 100 grids");
    for grid in grids("contrived_001_stairs", "contrived_001_stairs", &at("D:2"), 100) {
        assert_ne!(glyph(&grid, 2, 1), 'c');
    }
    let always = grids("contrived_001_always", "contrived_001_always", &at("D:2"), 100);
    assert!(always.iter().all(|grid| grid.origin.tries == 1));
    assert!(
        always.iter().any(|grid| glyph(grid, 5, 1) == 'x'),
        "no roll is rejected"
    );
    let blocks = grids("lua_blocks", "lua_blocks", &at("D:2"), 5);
    assert!(
        blocks.iter().all(|grid| grid.origin.tries == 1),
        "every block ran, in its order"
    );
}

#[test]
fn portals_lead_to_their_destinations() {
    for (file, from, tag, to) in [
        (
            "portal_generic",
            "portal_generic_entry",
            "generic_portal",
            "portal_generic_generic",
        ),
        (
            "one_way_stair",
            "ice_cave_entry_parameters",
            "ice_cave",
            "ice_cave_destination",
        ),
        (
            "timed_portal",
            "timed_portal_entry_vault",
            "timed_portal",
            "timed_portal_destination",
        ),
        (
            "generic_portal_function",
            "portal_function_entry_vault",
            "generic_portal_by_function",
            "portal_function_destination",
        ),
    ] {
        let runtime = runtime("guide", file);
        let measured = Measured::new(&runtime, at("D:2")).expect("a sandbox");
        let library = runtime.library();
        let portals = Portals::new(library, measured.catalog(), |map| measured.some(map));
        let messages: Vec<String> = portals
            .dangling(library, None)
            .iter()
            .map(ToString::to_string)
            .collect();
        assert_eq!(messages, [""; 0], "{file}");
        let id = |name: &str| library.by_name(name).expect("a map");
        let edges: Vec<_> = portals.from(id(from)).collect();
        assert_eq!(edges.len(), 1, "{file}: {edges:?}");
        assert_eq!(edges[0].way.to_string(), format!("the portal to `{tag}`"));
        assert_eq!(
            (edges[0].to.as_slice(), edges[0].timed),
            (&[id(to)][..], file == "timed_portal")
        );
    }
}

#[test]
fn calls_that_only_the_game_supports_are_recorded() {
    let grid = grids("random_monsters", "random_monsters_by_call", &at("D:2"), 1).remove(0);
    let kept = format!("{:?}", grid.recorded);
    assert!(
        kept.contains("set_random_mon_list") && kept.contains("ice dragon"),
        "{kept}"
    );
    let grid = grids("random_monsters", "random_monsters_by_function", &at("D:2"), 1).remove(0);
    assert!(
        format!("{:?}", grid.recorded).contains("giant mosquito"),
        "{:?}",
        grid.recorded
    );
    let grid = grids("mon_props_marker", "mon_props_marker", &at("D:2"), 1).remove(0);
    assert_eq!(grid.markers.len(), 1);
    assert_eq!(grid.markers[0].prop("description"), Some("What a horrible sight!\n"));
    let grid = grids("marker_properties", "marker_properties", &at("D:2"), 1).remove(0);
    assert_eq!(grid.markers.len(), 5);
    assert!(
        grid.markers
            .iter()
            .any(|marker| marker.prop("veto_shatter") == Some("veto"))
    );
}

#[test]
fn lua_can_set_glyphs_and_weights() {
    let grid = grids("mapgrd", "mapgrd", &at("D:2"), 1).remove(0);
    assert_eq!(
        [(0, 0), (1, 0), (2, 2), (3, 2)].map(|(x, y)| glyph(&grid, x, y)),
        ['x', '.', 'x', '.']
    );
    let plants = grids("plant_weight", "statue_in_pool_by_weight", &at("D:2"), 60);
    let oklobs = plants
        .iter()
        .filter(|grid| monster(grid, 0, 0) == "oklob plant")
        .count();
    assert!((10..=50).contains(&oklobs), "{oklobs} of 60");
}

/// Returns the output of a command on level files, run in the folder of the guide's examples.
fn printed(arguments: &[&str]) -> String {
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_wallcrawler"))
        .arg("vault")
        .args(arguments)
        .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/vaults"))
        .output()
        .expect("runs");
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    errors + &String::from_utf8_lossy(&output.stdout)
}

#[test]
fn the_summary_is_one_table() {
    let table = printed(&["check", "--summary", "guide"]);
    let row = |what: &str| {
        let line = table.lines().find_map(|line| line.strip_prefix(what)).expect(what);
        line.trim().split("  ").next().expect("a count").to_owned()
    };
    // The error of condition_004 is in one file, below one map.
    assert_eq!(row("files read without a diagnostic"), "19 of 20");
    assert_eq!(row("maps read without a diagnostic"), "24 of 25");
    assert_eq!(row("files unchanged after being printed and read again"), "20 of 20");
    assert_eq!(row("maps without a Lua error over 3 seeds"), "25 of 25");
    let own = printed(&["check", "--summary"]);
    assert!(own.contains("files read without a diagnostic"), "{own}");
    // Options that the table does not follow are refused.
    for option in [&["--map", "moon_well"][..], &["--seeds", "50"], &["--verbose"]] {
        let refused = printed(&[&["check", "--summary"], option].concat());
        let is_refused = refused.contains(option[0]) && refused.contains("cannot be used with");
        assert!(
            is_refused && !refused.contains("files read without"),
            "{option:?}: {refused}"
        );
    }
}

#[test]
fn surveys_and_graphs_are_printed() {
    let stats = printed(&["stats", "guide/condition_002.des", "--place", "D:4", "--levels", "7"]);
    assert!(
        stats.starts_with("D:4, 7 times, seed 1: 7 levels built in 7 tries"),
        "{stats}"
    );
    assert!(
        stats.contains("condition_002  main      7     7     7  D:4 7")
            && stats.contains("condition_002  main  100.00%"),
        "{stats}"
    );
    let frequencies = printed(&["stats", "guide/condition_002.des", "--place", "Temple", "--odds"]);
    assert_eq!(
        frequencies,
        "map            list     on Temple:1\ncondition_002  further      100.00%\n"
    );
    let lines = printed(&[
        "stats",
        "guide/condition_002.des",
        "--place",
        "D:4",
        "--levels",
        "7",
        "--csv",
    ]);
    assert_eq!(
        lines,
        "map,lists,drawn,made,used,vetoed,invalid,failed,levels\ncondition_002,main,7,7,7,0,0,0,D:4 7\n"
    );
    let object = printed(&[
        "stats",
        "guide/condition_002.des",
        "--place",
        "D:4",
        "--levels",
        "7",
        "--json",
    ]);
    let object: serde_json::Value = serde_json::from_str(&object).expect("JSON");
    assert_eq!(object["survey"]["maps"][0]["levels"]["D:4"], 7);
    assert_eq!(object["odds"][0]["share"], 1.0);
    let dungeon = printed(&["stats", "guide/condition_002.des", "--dungeons", "2"]);
    assert!(dungeon.starts_with("2 dungeons of 15 levels"), "{dungeon}");
    let portals = printed(&[
        "portals",
        "guide/timed_portal.des",
        "guide/portal_generic.des",
        "--map",
        "portal_generic_entry",
    ]);
    assert!(
        portals.contains(
            "portal_generic_entry at row 0, column 0: the portal to `generic_portal` → portal_generic_generic"
        )
    );
    assert!(!portals.contains("timed"), "{portals}");
    let cut = printed(&["portals", "broken/35-bad-subvault.des"]);
    assert!(cut.contains("--> broken/35-bad-subvault.des:2:11"), "{cut}");
}

#[test]
fn broken_lua_is_reported_with_file_and_line() {
    let mut wrong = Vec::new();
    let mut count = 0;
    for name in names("broken") {
        let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("tests/vaults/broken/{name}.des"));
        let text = std::fs::read(&path).expect("readable");
        let Some(promise) = text.strip_prefix(b"# Lua: line ") else {
            continue;
        };
        count += 1;
        let runtime = runtime("broken", &name);
        let mut got = String::new();
        for id in runtime.library().ids() {
            if let Some(failure) = runtime.compile(id).failure {
                got.push_str(&failure.to_string());
                got.push('\n');
            }
        }
        let line: String = promise
            .iter()
            .take_while(|b| b.is_ascii_digit())
            .map(|b| char::from(*b))
            .collect();
        let placed = got.contains(&format!("{name}.des:{line}:")) || got.contains(&format!("line {line}"));
        assert!(placed, "{name}: {got}");
        let expected = path.with_extension("expected");
        if std::env::var_os("WALLCRAWLER_BLESS").is_some() {
            std::fs::write(&expected, &got).expect("written");
        }
        let wanted = std::fs::read_to_string(&expected).unwrap_or_default();
        if got != wanted {
            wrong.push(format!("{name}\n--- expected\n{wanted}--- got\n{got}"));
        }
    }
    assert!(count >= 8, "fixtures are missing");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
