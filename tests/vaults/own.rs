//! The vaults in presets/vaults: they resolve, and pass their validation as often as they state.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a panic is how a test fails")]

use std::collections::BTreeSet;

use crate::common::vaults::{glyphs, runtime};
use wallcrawler::vault::library::MapId;
use wallcrawler::vault::lua::{ResolveOutcome, Runtime};
use wallcrawler::vault::world::VaultWorld;

/// Returns the file names and texts of these vaults.
fn own_vaults() -> Vec<(String, String)> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/presets/vaults");
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "des"))
        .map(|path| {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            (name, std::fs::read_to_string(path).unwrap())
        })
        .collect();
    files.sort();
    files
}

/// Returns a runtime for them.
fn runtime_of(files: &[(String, String)]) -> Runtime {
    let given: Vec<(&str, &str)> = files
        .iter()
        .map(|(name, text)| (name.as_str(), text.as_str()))
        .collect();
    runtime(&given)
}

/// Returns the percentage of tries that pass, as a vault's comment states: "# Pass rate: 80%." before its NAME.
fn stated_rate(text: &str, name: &str) -> Option<u32> {
    let mut stated = None;
    for line in text.lines() {
        if let Some(rest) = line.strip_prefix("# Pass rate: ") {
            stated = rest.split('%').next().and_then(|number| number.trim().parse().ok());
        } else if let Some(rest) = line.strip_prefix("NAME:") {
            if rest.trim() == name {
                return stated;
            }
            stated = None;
        }
    }
    None
}

/// Returns a level on which a vault may be, according to its headers.
fn level_for(runtime: &Runtime, map: MapId) -> VaultWorld {
    let depths = runtime.compile(map).state.depths.clone();
    ["D:3", "D:8", "D:12", "Depths:3", "Orc:1", "Elf:1", "Vaults:2"]
        .iter()
        .map(|place| VaultWorld::at(place).unwrap())
        .find(|world| depths.matches(&world.level))
        .unwrap_or_else(|| VaultWorld::at("D:8").unwrap())
}

#[test]
fn embedded_vaults_resolve_and_pass_as_often_as_they_state() {
    let files = own_vaults();
    let runtime = runtime_of(&files);
    assert!(runtime.library().len() >= 15, "only {} vaults", runtime.library().len());
    let mut wrong = Vec::new();
    for map in runtime.library().ids() {
        let name = runtime.library().map(map).name.clone();
        let report = runtime.compile(map);
        assert!(report.failure.is_none(), "{name}: {:?}", report.failure);
        if !report.notes.is_empty() {
            wrong.push(format!("{name}: {:?}", report.notes));
        }
        let world = level_for(&runtime, map);
        let (mut passed, mut tries) = (0, 0);
        let mut grids = BTreeSet::new();
        for seed in 0..200 {
            match runtime.resolve(map, &world, seed) {
                ResolveOutcome::Resolved(map) => {
                    passed += 1;
                    tries += map.origin.tries;
                    grids.insert(glyphs(&map));
                }
                ResolveOutcome::Invalid(map) => tries += map.origin.tries,
                other => panic!("{name} with seed {seed}: {other:?}"),
            }
        }
        let text = &files
            .iter()
            .find(|(file, _)| *file == runtime.library().file(map).name)
            .unwrap()
            .1;
        let rate = 100.0 * f64::from(passed) / f64::from(tries);
        let stated = f64::from(stated_rate(text, &name).unwrap_or(100));
        if passed < 200 {
            wrong.push(format!("{name}: {} seeds never pass", 200 - passed));
        } else if (rate - stated).abs() > 4.0 || (stated_rate(text, &name).is_none() && tries > passed) {
            wrong.push(format!("{name} passes {rate:.1}% and states {stated}%"));
        }
        println!("{name}: {rate:.1}% of tries pass, {} grids of 200 seeds", grids.len());
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn the_embedded_portal_has_destinations_with_exits() {
    let runtime = runtime_of(&own_vaults());
    let mut entries = 0;
    let mut tags = BTreeSet::new();
    for map in runtime.library().ids() {
        let state = runtime.compile(map).state;
        if state.tags.has("rose_garden") {
            tags.insert(runtime.library().map(map).name.clone());
        }
        let world = level_for(&runtime, map);
        let ResolveOutcome::Resolved(found) = runtime.resolve(map, &world, 1) else {
            continue;
        };
        let features: BTreeSet<&str> = found.cells.iter().flatten().map(|cell| cell.feature.name()).collect();
        if found
            .markers
            .iter()
            .any(|marker| marker.prop("dst") == Some("rose_garden"))
        {
            entries += 1;
            assert!(features.contains("enter_portal_vault"));
        }
        if found.tags.has("rose_garden") {
            assert!(features.contains("exit_portal_vault"));
        }
    }
    assert_eq!(entries, 2);
    assert_eq!(tags.len(), 2, "{tags:?}");
}
