//! Statements on maps: the effects that arbitrary text may have on a grid; all headers of the shared files are
//! understood.

#![allow(clippy::expect_used, clippy::panic, reason = "helpers of tests")]

use proptest::prelude::*;
use wallcrawler::design::feature::Feature;
use wallcrawler::engine::random::Key;
use wallcrawler::vault::connect::{Flood, Rows};
use wallcrawler::vault::dice::Dice;
use wallcrawler::vault::glyphs::{Cell, Turn};
use wallcrawler::vault::map::{HEADERS, MapState, MarkerBody, Origin, ResolvedCell};
use wallcrawler::vault::source;
use wallcrawler::vault::spec::{Keys, SpecError, SubvaultSpec};

fn map(rows: &[Vec<u8>]) -> MapState {
    let mut map = MapState::new("test");
    for row in rows {
        map.add_row(row);
    }
    map.pad();
    map
}

/// Runs a header of any name; returns the reason if it is refused.
fn run(map: &mut MapState, name: &str, text: &[u8], dice: &mut Dice) -> Result<(), SpecError> {
    match name {
        "marker" => map.marker(text).map(drop),
        "subvault" => SubvaultSpec::parse(text).map(|spec| drop(map.subvault_mask(&spec.keys))),
        name => map.header(name, text, dice).expect("a header"),
    }
}

fn cells(map: &MapState) -> Vec<Cell> {
    let (width, height) = (map.glyphs.width() as i32, map.glyphs.height() as i32);
    (0..height)
        .flat_map(|y| (0..width).map(move |x| Cell { x, y }))
        .collect()
}

/// Returns everything on every cell, with the same dice for each.
fn contents(map: &MapState) -> Vec<Option<ResolvedCell>> {
    let dice = || Dice::new(Key::new(1));
    cells(map)
        .into_iter()
        .map(|cell| map.resolve_cell(cell, &mut dice()))
        .collect()
}

fn rows() -> impl Strategy<Value = Vec<Vec<u8>>> {
    prop::collection::vec(
        prop::collection::vec(prop::sample::select(b"ab  .x+1d>@=:".to_vec()), 0..7),
        0..6,
    )
}

/// Generates a header and a text, from meaningful parts and from anything.
fn statement() -> impl Strategy<Value = (&'static str, Vec<u8>)> {
    let names: Vec<&'static str> = HEADERS.into_iter().chain(["marker", "subvault"]).collect();
    let part = prop::sample::select(vec![
        "a",
        "b",
        "x",
        "=",
        ":",
        " ",
        "/",
        ",",
        ";",
        "*",
        "1",
        "3",
        "10",
        ".",
        "w:",
        "w:5",
        "floor",
        "lava",
        "shop",
        "mimic",
        "none",
        "nothing",
        "!",
        "|",
        "opaque",
        "bloody",
        "%",
        "D:1-3",
        "(",
        ")",
        "-",
        "feat:",
        "lua:",
        "c:0",
        "4294967295",
        "99999999999",
        "orc",
        "north",
        "a = b",
        "b : ",
        "\u{e9}",
        "q:3",
    ]);
    let meant = prop::collection::vec(part, 0..9).prop_map(|parts| parts.concat().into_bytes());
    let any = prop::collection::vec(any::<u8>(), 0..24);
    (prop::sample::select(names), prop_oneof![4 => meant, 1 => any])
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_header_acts_or_is_refused_and_never_fills_a_space(
        rows in rows(),
        statements in prop::collection::vec(statement(), 0..12),
        seed in any::<u64>(),
    ) {
        let mut map = map(&rows);
        let mut dice = Dice::new(Key::new(seed));
        let spaces: Vec<Cell> = cells(&map).into_iter().filter(|cell| map.glyphs.get(cell.x, cell.y) == b' ').collect();
        let size = (map.glyphs.width(), map.glyphs.height());
        let mut cleared = false;
        for (name, text) in &statements {
            let refused = run(&mut map, name, text, &mut dice).is_err();
            cleared |= *name == "clear" && !refused;
        }
        prop_assert_eq!(size, (map.glyphs.width(), map.glyphs.height()));
        prop_assert!(spaces.iter().all(|cell| map.glyphs.get(cell.x, cell.y) == b' '));
        if !cleared {
            let now = cells(&map).iter().filter(|cell| map.glyphs.get(cell.x, cell.y) == b' ').count();
            prop_assert_eq!(now, spaces.len(), "a statement but CLEAR made a space");
        }
        map.fixup(&mut dice);
        for cell in cells(&map) {
            prop_assert_eq!(map.feature(cell.x, cell.y).is_some(), map.glyphs.get(cell.x, cell.y) != b' ');
            Flood::new(&map, Rows::Now, cell);
            Flood::new(&map, Rows::Original, cell);
        }
        let features: Vec<Option<Feature>> = cells(&map).iter().map(|cell| map.feature(cell.x, cell.y)).collect();
        let resolved = map.finish(Origin::default(), &mut dice);
        let finished: Vec<Option<Feature>> = resolved.cells.iter().map(|cell| cell.as_ref().map(|cell| cell.feature)).collect();
        prop_assert_eq!(features, finished, "the checked map is the one shown");
    }

    #[test]
    fn rotations_are_undone_by_their_inverse_with_all_cell_contents(
        rows in rows(),
        statements in prop::collection::vec(statement(), 0..12),
        turns in prop::collection::vec(
            prop::sample::select(vec![Turn::MirrorHorizontal, Turn::MirrorVertical, Turn::Clockwise, Turn::CounterClockwise]),
            0..6,
        ),
        seed in any::<u64>(),
    ) {
        let mut map = map(&rows);
        let mut dice = Dice::new(Key::new(seed));
        // Things that a rotation could lose: a feature among several, each appearance, marks, and markers.
        for (name, text) in [
            ("kfeat", "ab1. = lava / web / tree w:20"), ("colour", "abx. = red / blue / none"),
            ("ftile", "ab1 = one / two"), ("rtile", "x.a = three / four"), ("tile", "ab = five / six"),
            ("fheight", "a. = 1 / 2"), ("kprop", "ab.x = bloody / nothing"), ("marker", "ab = feat:stone_arch"),
        ] {
            run(&mut map, name, text.as_bytes(), &mut dice).expect("a statement");
        }
        for (name, text) in &statements {
            let _ = run(&mut map, name, text, &mut dice);
        }
        let sub = vec![b"b+".to_vec(), b" a".to_vec()];
        if let Some(mask) = map.subvault_mask(&Keys::new(b"x")) {
            let mut other = self::map(&sub);
            other.add_marker(Cell { x: 0, y: 0 }, MarkerBody::Lua { source: "f()".into(), props: Vec::new() });
            let _ = map.merge_subvault(&mask, other, &mut dice);
        }
        map.fixup(&mut dice);
        let (before, markers, orient) = (contents(&map), map.markers.clone(), map.orient);
        let size = (map.glyphs.width(), map.glyphs.height());
        for turn in &turns {
            map.turn(*turn);
        }
        for marker in &map.markers {
            prop_assert!(map.glyphs.holds(marker.cell.x, marker.cell.y));
        }
        turns.iter().rev().for_each(|turn| map.turn(turn.inverse()));
        prop_assert_eq!(size, (map.glyphs.width(), map.glyphs.height()));
        prop_assert_eq!(before, contents(&map));
        prop_assert_eq!(markers, map.markers);
        prop_assert_eq!(orient, map.orient);
    }

    #[test]
    fn the_same_seed_gives_the_same_map(
        rows in rows(),
        statements in prop::collection::vec(statement(), 0..12),
        seed in any::<u64>(),
    ) {
        let finished = || {
            let mut map = map(&rows);
            let mut dice = Dice::new(Key::new(seed));
            for (name, text) in &statements {
                let _ = run(&mut map, name, text, &mut dice);
            }
            map.random_turns(&mut dice);
            map.finish(Origin::default(), &mut dice)
        };
        prop_assert_eq!(finished(), finished());
    }
}

#[test]
fn every_header_of_the_shared_files_is_understood() {
    let files = crate::common::level_files("every_header_of_the_shared_files_is_understood");
    let mut headers = 0;
    let mut refused = Vec::new();
    for (name, bytes) in &files {
        for source in source::read(name, bytes).maps {
            let mut map = map(&source.rows);
            let mut dice = Dice::new(Key::new(1));
            for header in &source.headers {
                headers += 1;
                if let Err(error) = run(&mut map, header.keyword.call(), &header.value, &mut dice) {
                    refused.push(format!("{name}:{}: {} {error}", header.line, header.keyword.name()));
                }
            }
            let spaces = cells(&map)
                .iter()
                .filter(|cell| map.glyphs.get(cell.x, cell.y) == b' ')
                .count();
            map.random_turns(&mut dice);
            let done = map.finish(Origin::default(), &mut dice);
            assert_eq!(
                done.cells.iter().filter(|cell| cell.is_none()).count(),
                spaces,
                "{name}: {}",
                source.name
            );
        }
    }
    assert!(
        refused.is_empty(),
        "{} of {headers}:\n{}",
        refused.len(),
        refused.join("\n")
    );
    assert!(files.is_empty() || headers > 10_000, "{headers}");
}
