//! Tests of designs with vaults, of their limits and of the cache.

use std::cell::Cell;

use super::*;
use crate::design::VaultEntry;

const ROOM: &str = "NAME: room\nTAGS: nice no_rotate\nSHUFFLE: ab\nMAP\nxab\nENDMAP\n";
const LOOP: &str = "NAME: endless\n: if you.where() ~= 'D:1' then while true do end end\nMAP\nx\nENDMAP\n";

fn design(vaults: &[(&str, &str)]) -> Design {
    let mut design = Design::default();
    let entry = |(file, map): &(&str, &str)| VaultEntry {
        file: (*file).to_owned(),
        map: (*map).to_owned(),
        place: "D:5".into(),
        ..VaultEntry::default()
    };
    design.layout.vaults = vaults.iter().map(entry).collect();
    design
}

fn read(file: &str) -> Result<Vec<LevelFile>, String> {
    let text = match file.get(..4) {
        Some("room") => ROOM,
        Some("loop") => LOOP,
        _ => return Err(format!("no {file}")),
    };
    Ok(vec![LevelFile {
        name: file.to_owned(),
        bytes: text.as_bytes().into(),
    }])
}

#[test]
fn resolved_vaults_are_placed_without_running_lua() {
    let mut design = design(&[("room", "room"), ("none", "x")]);
    let (mut cache, mut resolver) = (VaultCache::default(), VaultResolver::default());
    assert!(cache.place(&design).is_none());
    resolver.resolve(&design, &mut cache, &read, None);
    let (pieces, problems) = cache.place(&design).unwrap();
    assert_eq!((pieces.len(), problems.len()), (1, 1));
    assert!(problems[0].message.contains("no none"), "{problems:?}");
    assert_eq!(cache.unread().collect::<Vec<_>>(), [("none", "no none")]);
    design.layout.vaults[0].at = Point::new(9, 9);
    design.layout.vaults[0].div = 0;
    assert_eq!(cache.place(&design).unwrap().0[0].at, Point::new(9, 9));
    design.seed += 1;
    assert!(cache.place(&design).is_none(), "another seed may bring another map");
    assert_eq!(cache.place_known(&design), []);
}

#[test]
fn a_map_that_does_not_fit_is_described_by_its_rows_and_columns() {
    let row = "x".repeat(300);
    let cells = format!("NAME: long\nTAGS: onetag\nMAP\n{row}\nENDMAP\n");
    let size = Design::default().layout.size;
    let expected = format!(
        "map `long` has 1 row and 256 columns, too many for a dungeon of {size} squares; the vault is left out"
    );
    assert_eq!(drawn_by_tag(&cells), (0, vec![expected]));
    let none = "map `none` has no cells; the vault is left out".to_owned();
    assert_eq!(drawn_by_tag("NAME: none\nTAGS: onetag\n"), (0, vec![none]));
}

/// Returns the diagnostics of a design whose only vault is a map with the tag `onetag`, drawn from `text`, and the number
/// of placed vaults.
fn drawn_by_tag(text: &str) -> (usize, Vec<String>) {
    let mut design = design(&[("one.des", "")]);
    design.layout.vaults[0].tag = "onetag".into();
    let read = |file: &str| {
        Ok(vec![LevelFile {
            name: file.to_owned(),
            bytes: text.as_bytes().into(),
        }])
    };
    let mut cache = VaultCache::default();
    VaultResolver::default().resolve(&design, &mut cache, &read, None);
    let (pieces, problems) = cache.place(&design).expect("resolved vaults");
    (
        pieces.len(),
        problems.into_iter().map(|problem| problem.message).collect(),
    )
}

#[test]
fn maps_whose_compile_run_fails_do_not_vanish_from_a_tag_without_a_warning() {
    let map = |name: &str, headers: &str, code: &str| {
        format!("NAME: {name}\n{headers}: if not crawl.game_started() then {code} end\nMAP\nx\nENDMAP\n")
    };
    let tagged = "TAGS: onetag\nDEPTH: D\n";
    let endless = map("endless", tagged, "for i = 1, 6000000 do local x = i end");
    let (placed, problems) = drawn_by_tag(&endless);
    let [problem] = &problems[..] else {
        panic!("{problems:?}");
    };
    assert_eq!(placed, 0);
    assert!(
        problem.starts_with("map `endless` with the tag `onetag` cannot be chosen, because its Lua fails: one.des:4: ")
            && problem.contains("10000000 instructions")
            && problem.ends_with("; the vault is left out"),
        "{problem}"
    );
    // A map that can be drawn is placed, with a warning about the others.
    let sound = map("sound", tagged, "");
    let broken = map("broken", tagged, "error('boom')");
    let (placed, problems) = drawn_by_tag(&format!("{sound}{broken}"));
    assert_eq!(
        (placed, &problems[..]),
        (
            1,
            &[
                "map `broken` with the tag `onetag` cannot be chosen, because its Lua fails: one.des:11: boom"
                    .to_owned()
            ][..]
        )
    );
    // Maps without the tag, and those for other levels, could not have been drawn.
    let elsewhere = map("far", "TAGS: onetag\nDEPTH: Lair\n", "error('boom')");
    let other = map("other", "TAGS: onetags\nDEPTH: D\n", "error('boom')");
    let longer = map("longer", "TAGS: not_onetag\nDEPTH: D\n", "error('boom')");
    let excluded = map("excluded", "TAGS: onetag\nDEPTH: D\nDEPTH: !D:5\n", "error('boom')");
    let all = format!("{sound}{elsewhere}{other}{longer}{excluded}");
    assert_eq!(drawn_by_tag(&all), (1, Vec::new()));
}

#[test]
fn maps_beyond_the_limit_of_all_compile_runs_are_counted_in_a_warning() {
    let map = |i: u32| {
        format!(
            "NAME: m{i}\nTAGS: onetag\n: if not crawl.game_started() then for i = 1, 4000000 do local x = i end end\n\
             MAP\nx\nENDMAP\n"
        )
    };
    let (placed, problems) = drawn_by_tag(&(1..=14).map(map).collect::<String>());
    assert_eq!(
        (placed, &problems[..]),
        (
            1,
            &[
                "8 maps with the tag `onetag` cannot be chosen, because their Lua fails; the first is `m7`: \
               one.des:39: all maps together may use 50000000 Lua instructions, and one.des:39 reached the limit"
                    .to_owned()
            ][..]
        )
    );
}

#[test]
fn looping_vaults_share_a_limit_and_the_one_that_used_it_up_is_named() {
    let files: Vec<String> = (1..=30).map(|i| format!("loop{i}")).collect();
    let mut vaults: Vec<(&str, &str)> = files.iter().map(|file| (file.as_str(), "endless")).collect();
    vaults.push(("room", "room"));
    let design = design(&vaults);
    let mut cache = VaultCache::default();
    let reads = Cell::new(0);
    let counted = |file: &str| {
        reads.set(reads.get() + 1);
        read(file)
    };
    VaultResolver::default().resolve(&design, &mut cache, &counted, None);
    let (pieces, problems) = cache.place(&design).unwrap();
    assert_eq!(pieces, []);
    let ran = (TOTAL / LIMITS.instructions) as usize;
    assert_eq!(reads.get(), ran, "later ones do not run");
    assert!(problems[0].message.contains("10000000 instructions"), "{}", problems[0]);
    let last = &problems.last().unwrap().message;
    let expected = format!("vault {ran} (`endless`) reached the limit of 100 million Lua instructions");
    assert!(last.contains(&expected), "{last}");
    // The cached results are the same.
    assert_eq!(cache.place(&design).unwrap().1, problems);
    VaultResolver::default().resolve(&design, &mut cache, &counted, None);
    assert_eq!(reads.get(), ran);
}

#[test]
fn a_cancelled_resolution_ends_at_once_and_is_not_cached() {
    let design = design(&[("room", "room"), ("loop", "endless"), ("room", "room")]);
    let mut cache = VaultCache::default();
    let looks = Rc::new(Cell::new(0));
    let looked = Rc::clone(&looks);
    let cancelled = Rc::new(move || {
        looked.set(looked.get() + 1);
        looked.get() > 200
    });
    let mut resolver = VaultResolver::default();
    resolver.resolve(&design, &mut cache, &read, Some(cancelled));
    assert!(looks.get() < 300, "{}", looks.get());
    assert!(cache.place(&design).is_none());
    assert_eq!(cache.place_known(&design).len(), 1, "what came before is kept");
    resolver.resolve(&design, &mut cache, &read, None);
    assert_eq!(cache.place(&design).unwrap().0.len(), 2);
}

#[test]
fn the_guide_names_the_limits_of_designs_and_of_vault_commands() {
    let guide = include_str!("../../../assets/guide/vaults.md");
    let guide: Vec<&str> = guide.split_whitespace().collect();
    let guide = guide.join(" ");
    let million = |instructions: u64| format!("{} million", instructions / 1_000_000);
    for text in [
        format!(
            "{} instructions for each vault of a design",
            million(LIMITS.instructions)
        ),
        format!("{} for all of them together", million(TOTAL)),
        format!("up to {} for all maps of one file together", million(COMPILE_TOTAL)),
        format!("{} instructions for each map", million(Limits::default().instructions)),
        format!("{} seconds for the vaults of a design", TOTAL_TIME.as_secs()),
    ] {
        assert!(guide.contains(&text), "{text}");
    }
}
