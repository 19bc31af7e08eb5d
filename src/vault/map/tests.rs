use std::collections::BTreeMap;

use super::*;
use crate::engine::random::Key;
use crate::vault::dice::Dice;
use crate::vault::glyphs::Turn;
use crate::vault::spec::{Keys, SpecError};

fn dice(seed: u64) -> Dice {
    Dice::new(Key::new(seed))
}

fn map(rows: &[&str]) -> MapState {
    let mut map = MapState::new("test");
    for row in rows {
        map.add_row(row.as_bytes());
    }
    map.pad();
    map
}

fn text(map: &MapState) -> Vec<String> {
    map.glyphs
        .rows()
        .map(|row| String::from_utf8_lossy(row).into_owned())
        .collect()
}

/// Builds a map, applies statements of the form `name: text`, and runs [`MapState::fixup`].
fn after(rows: &[&str], statements: &[&str], seed: u64) -> MapState {
    let mut map = map(rows);
    let mut dice = dice(seed);
    for statement in statements {
        let (name, text) = statement.split_once(": ").expect("a statement");
        map.header(name, text.as_bytes(), &mut dice)
            .expect("a header")
            .expect(statement);
    }
    map.fixup(&mut dice);
    map
}

/// Returns the chi-square statistic of counts against expected shares.
fn chi_square(counts: &[u32], shares: &[f64]) -> f64 {
    let total = f64::from(counts.iter().sum::<u32>());
    let terms = counts
        .iter()
        .zip(shares)
        .map(|(n, share)| (f64::from(*n) - total * share).powi(2) / (total * share));
    terms.sum()
}

fn count(map: &MapState, glyph: u8) -> u32 {
    map.glyphs.find(glyph).count() as u32
}

#[test]
fn every_header_is_known_by_its_name() {
    for name in HEADERS {
        assert!(map(&["x"]).header(name, b"", &mut dice(1)).is_some(), "{name}");
    }
    assert!(map(&["x"]).header("marker", b"", &mut dice(1)).is_none());
}

#[test]
fn rows_are_padded_and_stored() {
    let map = after(&["xx", "x.x"], &["subst: x = c"], 1);
    assert_eq!(text(&map), ["cc ", "c.c"]);
    let original = map.original.expect("original");
    assert_eq!(original.get(0, 0), b'x');
}

#[test]
fn subst_rolls_for_each_cell_with_its_weights() {
    let row = "a".repeat(200);
    let rows = [row.as_str(); 200];
    let map = after(&rows, &["subst: a = bb c:5 d:15"], 7);
    let counts = [count(&map, b'b'), count(&map, b'c'), count(&map, b'd')];
    assert_eq!(counts.iter().sum::<u32>(), 40_000);
    let chi = chi_square(&counts, &[0.5, 0.125, 0.375]);
    assert!(
        chi < 13.8,
        "chi-square {chi} with 2 degrees of freedom, one in a thousand"
    );
}

#[test]
fn subst_with_a_colon_rolls_once() {
    let mut seen = [0_u32; 2];
    for seed in 0..2000 {
        let map = after(&["ab", "ba"], &["subst: ab : x:30 y"], seed);
        let x = count(&map, b'x');
        assert!(x == 0 || x == 4, "all cells of all keys are the same");
        seen[usize::from(x == 0)] += 1;
    }
    let chi = chi_square(&seen, &[0.75, 0.25]);
    assert!(
        chi < 10.8,
        "chi-square {chi} with 1 degree of freedom, one in a thousand"
    );
}

#[test]
fn subst_accepts_lists_and_replaces_each_cell_once() {
    assert_eq!(text(&after(&["ab="], &["subst: a = b, = : c"], 1)), ["bbc"]);
    // The replacement of one key is not replaced by another key of the same statement.
    assert_eq!(text(&after(&["ab"], &["subst: ab = b"], 1)), ["bb"]);
    assert_eq!(text(&after(&["+a a"], &["subst: + = a, a = x"], 1)), ["xx x"]);
}

#[test]
fn nsubst_counts_are_exact() {
    let row = "A".repeat(10);
    for seed in 0..200 {
        let map = after(&[&row, &row], &["nsubst: A = 3=x / 2:yz / w / *=."], seed);
        assert_eq!(count(&map, b'x'), 3);
        let (y, z) = (count(&map, b'y'), count(&map, b'z'));
        assert!((y, z) == (2, 0) || (y, z) == (0, 2), "one roll for the segment");
        assert_eq!((count(&map, b'w'), count(&map, b'.')), (1, 14));
    }
}

#[test]
fn nsubst_caps_and_leaves_the_surplus() {
    for seed in 0..50 {
        let map = after(&["AB", "AB"], &["nsubst: AB = 1=x / 9=y / 5=z"], seed);
        assert_eq!((count(&map, b'x'), count(&map, b'y'), count(&map, b'z')), (1, 3, 0));
        let map = after(&["AAAA"], &["nsubst: A = 1=x / 2=y"], seed);
        assert_eq!(count(&map, b'A'), 1);
    }
}

#[test]
fn nsubst_draws_all_cells_equally_often() {
    let mut seen = [0_u32; 6];
    for seed in 0..6000 {
        let map = after(&["ABA", "BAB"], &["nsubst: AB = 2=x / *=."], seed);
        for cell in map.glyphs.find(b'x') {
            seen[(cell.y * 3 + cell.x) as usize] += 1;
        }
    }
    // Each run draws two of six cells without replacement. Their counts vary less than independent counts, so the bound
    // is safe.
    let chi = chi_square(&seen, &[1.0 / 6.0; 6]);
    assert!(
        chi < 20.5,
        "chi-square {chi} with 5 degrees of freedom, one in a thousand"
    );
}

#[test]
fn shuffle_draws_all_orders_equally_often() {
    let mut seen = BTreeMap::new();
    for seed in 0..6000 {
        let map = after(&["abc"], &["shuffle: abc"], seed);
        *seen.entry(text(&map)).or_insert(0) += 1;
    }
    let counts: Vec<u32> = seen.into_values().collect();
    assert_eq!(counts.len(), 6);
    let chi = chi_square(&counts, &[1.0 / 6.0; 6]);
    assert!(
        chi < 20.5,
        "chi-square {chi} with 5 degrees of freedom, one in a thousand"
    );
}

#[test]
fn blocks_are_shuffled_whole() {
    let mut seen = BTreeMap::new();
    for seed in 0..6000 {
        let map = after(&["abcdef"], &["shuffle: ab / cd / ef"], seed);
        *seen.entry(text(&map)[0].clone()).or_insert(0) += 1;
    }
    assert_eq!(
        seen.keys().map(String::as_str).collect::<Vec<_>>(),
        ["abcdef", "abefcd", "cdabef", "cdefab", "efabcd", "efcdab"]
    );
    let counts: Vec<u32> = seen.into_values().collect();
    let chi = chi_square(&counts, &[1.0 / 6.0; 6]);
    assert!(
        chi < 20.5,
        "chi-square {chi} with 5 degrees of freedom, one in a thousand"
    );
}

#[test]
fn clear_makes_spaces_that_nothing_fills() {
    let map = after(&["a.b", "..."], &["clear: ab", "subst: . = x", "nsubst: x = *=y"], 1);
    assert_eq!(text(&map), [" y ", "yyy"]);
    assert_eq!(map.feature(0, 0), None);
}

fn feature(map: &MapState, x: i32, y: i32) -> &'static str {
    map.feature(x, y).map_or("space", crate::design::feature::Feature::name)
}

#[test]
fn glyphs_without_meaning_are_floor_until_a_statement_gives_one() {
    let map = after(
        &["xZ.9", "abC "],
        &["kfeat: a = granite_statue", "kmons: C = orc", "kitem: b = gold"],
        1,
    );
    let row = |y| -> Vec<&str> { (0..4).map(|x| feature(&map, x, y)).collect() };
    assert_eq!(row(0), ["rock_wall", "floor", "floor", "floor"]);
    assert_eq!(row(1), ["granite_statue", "floor", "floor", "space"]);
}

#[test]
fn latent_statements_apply_to_the_final_grid_and_the_last_one_counts() {
    let map = after(
        &["ab"],
        &["kfeat: x = lava", "subst: a = x", "kfeat: b = lava", "kfeat: b = tree"],
        1,
    );
    assert_eq!((feature(&map, 0, 0), feature(&map, 1, 0)), ("lava", "tree"));
}

#[test]
fn features_are_drawn_once_and_kept() {
    let row = "a".repeat(200);
    let rows = [row.as_str(); 200];
    let mut map = after(&rows, &["kfeat: a = lava / w:30 x / web"], 5);
    let features = |map: &MapState| -> Vec<&str> { (0..20_000).map(|at| feature(map, at % 200, at / 200)).collect() };
    let first = features(&map);
    let counts = ["lava", "rock_wall", "web"].map(|name| first.iter().filter(|f| **f == name).count() as u32);
    let chi = chi_square(&counts, &[0.2, 0.6, 0.2]);
    assert!(
        chi < 13.8,
        "chi-square {chi} with 2 degrees of freedom, one in a thousand"
    );
    map.fixup(&mut dice(99));
    assert_eq!(first, features(&map));
}

#[test]
fn a_colon_draws_the_feature_for_all_cells() {
    for seed in 0..20 {
        let map = after(&["aaaaaaaa"], &["kfeat: a : lava / web"], seed);
        assert!((1..8).all(|x| feature(&map, x, 0) == feature(&map, 0, 0)));
    }
}

fn resolved(map: &MapState, x: i32, y: i32) -> ResolvedCell {
    map.resolve_cell(Cell { x, y }, &mut dice(1)).expect("a cell")
}

#[test]
fn maps_without_orientation_are_minivaults() {
    assert!(after(&["x"], &[], 1).tags.has("minivault"));
    assert!(!after(&["x"], &["orient: float"], 1).tags.has("minivault"));
}

#[test]
fn trees_are_those_of_the_branch() {
    for (branch, name) in [
        ("D", "tree"),
        ("Swamp", "mangrove"),
        ("Abyss", "demonic_tree"),
        ("Pan", "demonic_tree"),
    ] {
        let mut map = after(&["tab"], &["kfeat: a = t", "kfeat: b = tree"], 1);
        map.set_branch(crate::vault::spec::Branch::parse(branch).expect(branch));
        let features = [0, 1, 2].map(|x| feature(&map, x, 0));
        assert_eq!(features, [name, name, "tree"], "{branch}");
    }
}

#[test]
fn slots_fill_in_order_and_missing_ones_are_random() {
    let map = after(
        &["123de|", "98>>$."],
        &["mons: orc, kobold / kobold", "item: gold q:3", "kitem: > = |"],
        1,
    );
    let monster = |x, y| resolved(&map, x, y).monster.map(|name| name.to_string());
    let items = |x, y| -> Vec<String> { resolved(&map, x, y).items.iter().map(ToString::to_string).collect() };
    assert_eq!(monster(0, 0).as_deref(), Some("orc"));
    assert_eq!(monster(1, 0).as_deref(), Some("kobold"));
    assert_eq!(monster(2, 0).as_deref(), Some("0"));
    assert_eq!(monster(0, 1).as_deref(), Some("9"));
    assert_eq!(monster(5, 1), None);
    assert_eq!(items(3, 0), ["gold q:3"]);
    assert!(items(4, 0).is_empty());
    assert_eq!(items(5, 0), ["|"]);
    assert_eq!(
        (resolved(&map, 2, 1).feature.name(), items(2, 1)),
        ("floor", vec!["|".to_owned()])
    );
}

#[test]
fn a_glyph_as_a_feature_includes_the_contents_of_its_slot() {
    let map = after(&["ab"], &["mons: orc", "kfeat: a = 1", "kfeat: b = |"], 1);
    assert_eq!(resolved(&map, 0, 0).monster.as_deref(), Some("orc"));
    assert_eq!(resolved(&map, 1, 0).items.len(), 1);
}

#[test]
fn features_monsters_and_items_share_a_cell() {
    let map = after(
        &["a"],
        &[
            "kfeat: a = shallow_water",
            "kmons: a = eel / nothing w:0",
            "kitem: a = gold, nothing, ring",
        ],
        1,
    );
    let cell = resolved(&map, 0, 0);
    assert_eq!(
        (cell.feature.name(), cell.monster.as_deref()),
        ("shallow_water", Some("eel"))
    );
    assert_eq!(
        cell.items.iter().map(|item| &**item).collect::<Vec<_>>(),
        ["gold", "ring"]
    );
}

#[test]
fn shops_and_mimics_keep_their_words() {
    let map = after(
        &["ab"],
        &[
            "kfeat: a = general shop type:Odd ; ring | any weapon",
            "kfeat: b = altar_zin mimic",
        ],
        1,
    );
    let cell = resolved(&map, 0, 0);
    assert_eq!(cell.feature.name(), "enter_shop");
    assert_eq!(cell.shop.as_deref(), Some("general shop type:Odd ; ring | any weapon"));
    assert!(resolved(&map, 1, 0).mimic && !cell.mimic);
}

#[test]
fn masks_add_up_and_clear_marks_of_tags() {
    use crate::vault::spec::{MASKS, PROPS};
    let map = after(
        &["ab"],
        &[
            "tags: no_item_gen bloody extra vault",
            "kmask: a = opaque",
            "kmask: ab = !no_item_gen / vault",
            "kprop: b = no_tele_into",
        ],
        1,
    );
    let masks = |x| -> Vec<&str> { resolved(&map, x, 0).mask.names(&MASKS).collect() };
    assert_eq!(masks(0), ["opaque", "vault"]);
    assert_eq!(masks(1), ["vault"]);
    assert_eq!(resolved(&map, 0, 0).props.names(&PROPS).collect::<Vec<_>>(), ["bloody"]);
    assert_eq!(
        resolved(&map, 1, 0).props.names(&PROPS).collect::<Vec<_>>(),
        ["bloody", "no_tele_into"]
    );
}

#[test]
fn marks_of_a_glyph_do_not_replace_it() {
    let map = after(&["xd"], &["item: gold", "kmask: xd = opaque", "kprop: xd = bloody"], 1);
    assert_eq!(feature(&map, 0, 0), "rock_wall");
    assert_eq!(resolved(&map, 1, 0).items.len(), 1);
}

#[test]
fn appearance_applies_immediately_and_stays_on_its_cells() {
    let map = after(
        &["ab "],
        &[
            "colour: a = red",
            "subst: a = b",
            "colour: b : blue:0 / green",
            "ftile: b = floor_a / none w:0",
            "colour: b = none:0 / blue",
        ],
        1,
    );
    let colour = |x| resolved(&map, x, 0).colour.map(|name| name.to_string());
    assert_eq!(
        (colour(0).as_deref(), colour(1).as_deref()),
        (Some("blue"), Some("blue"))
    );
    assert_eq!(resolved(&map, 0, 0).floor_tile.as_deref(), Some("floor_a"));
    let map = after(&["ab"], &["colour: a = red", "subst: ab = c"], 1);
    assert_eq!(resolved(&map, 0, 0).colour.as_deref(), Some("red"));
    assert_eq!(resolved(&map, 1, 0).colour, None);
}

#[test]
fn empty_statements_of_some_kinds_have_no_effect() {
    let map = after(&["x"], &["kfeat:  ", "mons:  ", "item:  ", "depth:  ", "orient:  "], 1);
    assert!(map.depths.is_empty() && map.orient.is_none());
}

#[test]
fn the_other_headers_are_stored() {
    let map = after(
        &["x"],
        &[
            "tags: a b",
            "tags_remove: a",
            "orient: north",
            "weight: 3 (D:1), 7",
            "chance: 5%",
            "depth: D:1-3",
            "depth: Lair",
            "place: D:2",
            "place: D:4",
            "desc: A hole",
            "order: 4",
            "lfloorcol: red",
            "welcome: hello",
        ],
        1,
    );
    let level = |text| crate::vault::spec::Level::parse(text).expect(text);
    assert_eq!(map.tags.to_string(), "b");
    assert_eq!(map.orient, Some(Orient::North));
    assert_eq!(
        (map.weights.at(&level("D:1")), map.weights.at(&level("D:2"))),
        (Some(3), Some(7))
    );
    assert_eq!(map.chances.at(&level("D:9")), Some(500));
    assert!(map.depths.matches(&level("Lair:2")) && map.depths.matches(&level("D:3")));
    assert!(map.places.matches(&level("D:4")) && !map.places.matches(&level("D:2")));
    assert_eq!((map.description.as_str(), map.order), ("A hole", 4));
    assert_eq!(map.level_looks, [("lfloorcol".to_owned(), "red".to_owned())]);
    assert_eq!(map.recorded.len(), 1);
}

fn error(statement: &str) -> SpecError {
    let (name, text) = statement.split_once(':').expect("a statement");
    map(&["ax"])
        .header(name, text.as_bytes(), &mut dice(1))
        .expect("a header")
        .expect_err(statement)
}

#[test]
fn malformed_statements_are_refused_with_their_text() {
    for (statement, text) in [
        ("subst:ax", "ax"),
        ("subst:a =", "a ="),
        ("subst:", ""),
        ("nsubst:a = 0=x", "0=x"),
        ("shuffle:ab/c", "ab/c"),
        ("kfeat:a = granite_status", "granite_status"),
        ("kmask:a = opaqe", "opaqe"),
        ("kprop:a = blody", "blody"),
        ("orient:sideways", "sideways"),
        ("order:first", "first"),
    ] {
        assert_eq!(error(statement).text, text, "{statement}");
    }
}

fn marked(map: &mut MapState, keys: &str) {
    for cell in map.cells_of_keys(&Keys::new(keys.as_bytes())) {
        let props = vec![("dst".to_owned(), "there".to_owned())];
        map.add_marker(
            cell,
            MarkerBody::Lua {
                source: "f()".into(),
                props,
            },
        );
    }
}

#[test]
fn turns_move_all_contents_of_cells() {
    let turns = [
        Turn::MirrorHorizontal,
        Turn::MirrorVertical,
        Turn::Clockwise,
        Turn::CounterClockwise,
    ];
    for turn in turns {
        let mut map = after(
            &["ab.", "c12"],
            &[
                "kfeat: ab = lava / tree / web",
                "colour: abc = red / blue / none",
                "kprop: .12 = bloody / nothing",
                "orient: northeast",
            ],
            3,
        );
        marked(&mut map, "1");
        let before: Vec<Option<ResolvedCell>> = (0..6)
            .map(|at| map.resolve_cell(map.glyphs.cell(at), &mut dice(1)))
            .collect();
        let (orient, markers) = (map.orient, map.markers.clone());
        map.turn(turn);
        for (at, cell) in before.iter().enumerate() {
            let from = Cell {
                x: at as i32 % 3,
                y: at as i32 / 3,
            };
            let to = turn.place(3, 2, from);
            assert_eq!(&map.resolve_cell(to, &mut dice(1)), cell, "{turn:?} {from:?}");
        }
        assert_eq!(map.markers[0].cell, turn.place(3, 2, markers[0].cell));
        assert_ne!(map.orient, orient);
        map.turn(turn.inverse());
        let after: Vec<Option<ResolvedCell>> = (0..6)
            .map(|at| map.resolve_cell(map.glyphs.cell(at), &mut dice(1)))
            .collect();
        assert_eq!((before, orient, markers), (after, map.orient, map.markers));
    }
}

#[test]
fn tags_forbid_turns_and_the_allowed_ones_are_equally_likely() {
    let fixed = after(&["ab", "cd"], &["tags: no_hmirror no_vmirror no_rotate"], 1);
    let mut seen = BTreeMap::new();
    for seed in 0..4000 {
        let mut map = fixed.clone();
        map.random_turns(&mut dice(seed));
        assert_eq!(text(&map), ["ab", "cd"]);
        let mut map = after(&["ab", "cd"], &[], 1);
        map.random_turns(&mut dice(seed));
        *seen.entry(text(&map).concat()).or_insert(0) += 1;
    }
    // Four mirrors without a rotation, four with one: the eight symmetries of a square.
    let counts: Vec<u32> = seen.into_values().collect();
    let chi = chi_square(&counts, &[0.125; 8]);
    assert!(
        counts.len() == 8 && chi < 24.3,
        "chi-square {chi} with 7 degrees of freedom, one in a thousand"
    );
    let long = "a".repeat(71);
    for seed in 0..50 {
        let mut map = map(&[&long]);
        map.random_turns(&mut dice(seed));
        assert_eq!(map.glyphs.width(), 71);
    }
}

#[test]
fn exits_lie_on_the_edge() {
    let map = after(&[" x+x ", " x+x ", "@...=", "x+x@x"], &[], 1);
    let exits: Vec<(i32, i32)> = map.exits().iter().map(|cell| (cell.x, cell.y)).collect();
    assert_eq!(exits, [(2, 0), (0, 2), (4, 2), (1, 3), (3, 3)]);
}

#[test]
fn exits_of_maps_without_doors_are_in_their_open_ground() {
    let exits = |rows: &[&str]| -> Vec<(i32, i32)> {
        let map = after(rows, &[], 1);
        map.exits().iter().map(|cell| (cell.x, cell.y)).collect()
    };
    assert_eq!(exits(&["...", "...", "..."]), [(1, 0), (0, 1), (2, 1), (1, 2)]);
    assert_eq!(exits(&["x..x", "x..x", "xxxx"]), [(2, 0)]);
    assert_eq!(exits(&["xwx", "wGw", "xwx"]), []);
}

fn subvault(rows: &[&str], statements: &[&str]) -> MapState {
    after(rows, statements, 1)
}

#[test]
fn subvaults_are_copied_within_their_mask_and_frozen() {
    let mut host = after(&["xxxx", "xAAx", "xA.x", "xxxx"], &["kfeat: a = lava", "mons: orc"], 1);
    let mask = host.subvault_mask(&Keys::new(b"A")).expect("cells");
    assert_eq!((mask.corner, mask.width, mask.height), (Cell { x: 1, y: 1 }, 2, 2));
    let mut sub = subvault(
        &["a1", " v"],
        &[
            "tags: no_hmirror no_vmirror",
            "kfeat: a = tree",
            "mons: kobold",
            "colour: a = red",
        ],
    );
    marked(&mut sub, "1v");
    host.merge_subvault(&mask, sub, &mut dice(1)).expect("fits");
    // Where the subvault has a space, the host keeps its glyph. The cell outside the mask is unchanged.
    assert_eq!(text(&host), ["xxxx", "xa1x", "xA.x", "xxxx"]);
    host.header("subst", b"a1 = x", &mut dice(1))
        .expect("a header")
        .expect("a statement");
    assert_eq!(feature(&host, 1, 1), "tree");
    let cell = resolved(&host, 2, 1);
    assert_eq!((cell.glyph, cell.monster.as_deref()), (b'1', Some("kobold")));
    assert_eq!(resolved(&host, 1, 1).colour.as_deref(), Some("red"));
    assert_eq!(host.markers.len(), 1, "the marker outside the mask is left out");
    assert_eq!(host.markers[0].cell, Cell { x: 2, y: 1 });
    // A glyph that a script writes over a copied cell takes effect.
    host.glyphs.set(1, 1, b'x');
    assert_eq!(feature(&host, 1, 1), "rock_wall");
    host.glyphs.set(1, 1, b'a');
    host.turn(Turn::Clockwise);
    assert_eq!(feature(&host, 2, 1), "tree");
}

#[test]
fn subvaults_are_turned_to_fit() {
    let host = map(&["AAA", "AAA"]);
    let mask = host.subvault_mask(&Keys::new(b"A")).expect("cells");
    let merged = |rows: &[&str], statements: &[&str], seed| {
        let mut host = host.clone();
        host.merge_subvault(&mask, subvault(rows, statements), &mut dice(seed))
            .map(|()| text(&host))
    };
    let rotated: std::collections::BTreeSet<Vec<String>> = (0..50)
        .filter_map(|seed| merged(&["12", "34", "56"], &[], seed).ok())
        .collect();
    assert_eq!(rotated.len(), 4, "two rotations, and the mirrors of each fit as well");
    assert!(merged(&["12", "34", "56"], &["tags: no_rotate"], 1).is_err());
    assert!(merged(&["1234"], &[], 1).is_err());
    let places: std::collections::BTreeSet<Vec<String>> =
        (0..200).filter_map(|seed| merged(&["1"], &[], seed).ok()).collect();
    assert_eq!(places.len(), 6, "a smaller map is put anywhere");
}

#[test]
fn a_map_of_the_mask_s_size_gets_the_mirror_with_the_fewest_misfits() {
    let host = map(&["AA", "A "]);
    let mask = host.subvault_mask(&Keys::new(b"A")).expect("cells");
    for seed in 0..20 {
        let mut host = host.clone();
        host.merge_subvault(&mask, subvault(&[" 1", "12"], &[]), &mut dice(seed))
            .expect("fits");
        assert_eq!(text(&host), ["21", "1 "]);
    }
}

#[test]
fn finished_maps_hold_their_cells() {
    let mut map = after(&["x+x", "x. "], &["kfeat: . = lava / tree"], 1);
    map.set_feature_name("tree", "dead tree").expect("known");
    assert!(map.set_feature_name("three", "dead tree").is_err());
    map.note("twice");
    map.note("twice");
    let feature = map.feature(1, 1);
    let done = map.finish(
        Origin {
            file: "a.des".into(),
            line: 3,
            seed: 9,
            tries: 2,
        },
        &mut dice(4),
    );
    assert_eq!((done.width, done.height, done.cells.len()), (3, 2, 6));
    assert_eq!(done.cell(1, 1).map(|cell| cell.feature), feature);
    assert!(done.cell(2, 1).is_none() && done.cell(3, 0).is_none() && done.cell(-1, 0).is_none());
    assert_eq!(
        (done.exits.as_slice(), done.notes.len()),
        (&[Cell { x: 1, y: 0 }][..], 1)
    );
    assert_eq!(done.rows().count(), 2);
}

#[test]
fn loops_of_statements_cannot_fill_the_memory() {
    let mut map = map(&["ab"]);
    let mut dice = dice(1);
    let mut run = |name: &str, text: &[u8]| map.header(name, text, &mut dice).expect("a header");
    assert!(run("kfeat", &b"x/".repeat(40_000)).is_err(), "one long text");
    assert!(run("subst", &b"a = ".repeat(40_000)).is_err());
    let refused = (0..100_000).find(|_| run("kmons", b"a = a kobold with a long name").is_err());
    assert!(refused.is_some_and(|times| times > 30_000), "{refused:?}");
    assert!(
        (0..1000).all(|_| run("subst", b"a = a").is_ok()),
        "what is not kept may continue"
    );
    for number in 0..30_000 {
        map.note(format!("note {number}"));
        map.record("f", "");
        map.add_marker(
            Cell { x: 0, y: 0 },
            MarkerBody::Feature(crate::design::feature::Feature::FLOOR),
        );
    }
    assert_eq!(
        (map.notes.len(), map.recorded.len(), map.markers.len()),
        (NOTE_LIMIT, LIST_LIMIT, LIST_LIMIT)
    );
}

#[test]
fn a_cell_that_is_filled_again_reuses_its_entry() {
    let mut host = map(&["AA"]);
    for seed in 0..100 {
        let mask = Mask {
            corner: Cell { x: 0, y: 0 },
            width: 2,
            height: 1,
            cells: vec![true; 2],
        };
        host.merge_subvault(&mask, map(&["xx"]), &mut dice(seed)).expect("fits");
    }
    assert_eq!(host.frozen_cells.len(), 2);
}

#[test]
fn rows_beyond_the_limit_are_reported() {
    let long = "x".repeat(MAX_SIDE + 1);
    let map = map(&[&long]);
    assert_eq!((map.glyphs.width(), map.notes.len()), (MAX_SIDE, 1));
    let mut map = MapState::new("appended");
    for _ in 0..MAX_SIDE {
        map.append_row(b"x");
    }
    assert_eq!((map.glyphs.height(), map.notes.len()), (MAX_SIDE, 0));
    map.append_row(long.as_bytes());
    assert_eq!(
        (map.glyphs.width(), map.glyphs.height(), map.notes.len()),
        (1, MAX_SIDE, 1)
    );
}
