//! The painting functions as level files call them: from Lua, with tables of named arguments.

#![allow(clippy::expect_used, clippy::panic, reason = "helpers of tests")]

use std::sync::Arc;

use wallcrawler::vault::lua::{Limits, LuaFailure, ResolveOutcome, Runtime, RuntimeOptions};
use wallcrawler::vault::source;
use wallcrawler::vault::{Library, ResolvedMap, VaultWorld};

/// Returns a file with one map that has these rows and this body.
fn file(rows: &[&str], body: &str) -> String {
    let rows = [&["MAP"], rows, &["ENDMAP"]].concat().join("\n");
    format!("NAME: painted\nTAGS: no_rotate no_hmirror no_vmirror unrand\n{rows}\n{{{{\n{body}\n}}}}\n")
}

fn run(rows: &[&str], body: &str, seed: u64) -> ResolveOutcome {
    let text = file(rows, body);
    let library = Arc::new(Library::new(vec![source::read("painted.des", text.as_bytes())]));
    // Enough for the paintings here; an endless one ends soon.
    let limits = Limits {
        instructions: 2_000_000,
        ..Limits::default()
    };
    let options = RuntimeOptions {
        limits,
        ..RuntimeOptions::default()
    };
    let runtime = Runtime::new(Arc::clone(&library), options).expect("the helper library runs");
    let map = library.by_name("painted").expect("the map");
    runtime.resolve(map, &VaultWorld::default(), seed)
}

fn grid(map: &ResolvedMap) -> Vec<String> {
    let glyph = |x: usize, y: usize| {
        let cell = map.cells[y * map.width + x].as_ref();
        char::from(cell.map_or(b' ', |cell| cell.glyph))
    };
    (0..map.height)
        .map(|y| (0..map.width).map(|x| glyph(x, y)).collect())
        .collect()
}

#[track_caller]
fn painted(rows: &[&str], body: &str, seed: u64) -> Vec<String> {
    match run(rows, body, seed) {
        ResolveOutcome::Resolved(map) => grid(&map),
        other => panic!("{body}: {other:?}"),
    }
}

#[track_caller]
fn failure(body: &str) -> LuaFailure {
    match run(&["..."], body, 1) {
        ResolveOutcome::Failed(failure) => failure,
        other => panic!("{body}: {other:?}"),
    }
}

/// Prints values that the body computes as the glyphs of the first row.
#[track_caller]
fn result_of(rows: &[&str], expression: &str) -> String {
    let body = format!(
        "local said = tostring({expression}) extend_map {{ width = 40, height = 40, fill = ' ' }} \
         for i = 1, #said do mapgrd[i - 1][39] = said:sub(i, i) end"
    );
    painted(rows, &body, 1)[39].trim_end().to_owned()
}

#[test]
fn painting_functions_accept_named_arguments() {
    let body = "extend_map { width = 9, height = 7, fill = 'x' }\n\
                fill_area { x1 = 1, y1 = 1, x2 = 7, y2 = 5, fill = '.' }\n\
                make_box { x1 = 2, y1 = 1, x2 = 5, y2 = 4 }\n\
                make_box_doors { x1 = 2, y1 = 1, x2 = 5, y2 = 4, number = 0 }\n\
                replace_first { x = 8, y = 5, xdir = -1, ydir = 0, find = '.', replace = '{' }";
    assert_eq!(
        painted(&[], body, 1),
        [
            "xxxxxxxxx",
            "x.xxxx..x",
            "x.x..x..x",
            "x.x..x..x",
            "x.xxxx..x",
            "x......{x",
            "xxxxxxxxx"
        ]
    );
    let body = "make_diamond { x = width() / 2, y = height() / 2, radius = '1', fill = 'w' }";
    assert_eq!(
        painted(&[".....", ".....", "....."], body, 1),
        ["..w..", ".www.", "..w.."]
    );
    assert_eq!(
        painted(&["...", "..."], "fill_area()", 1),
        ["xxx", "xxx"],
        "all of it, with rock"
    );
    let backward = "fill_area { x1 = 9, x2 = 1, y1 = 1, y2 = -7, fill = 'l' }";
    assert_eq!(painted(&["...", "...", "..."], backward, 1), [".ll", ".ll", "..."]);
}

#[test]
fn the_bare_name_the_environment_and_the_module_reach_the_same_map() {
    for call in ["fill_area", "_G.fill_area", "dgn.fill_area"] {
        let body = format!("{call} {{ fill = 'l' }}");
        assert_eq!(painted(&[".."], &body, 1), ["ll"], "{call}");
    }
    assert_eq!(
        painted(&[".."], "local grid = mapgrd_table() grid[1][0] = 'w'", 1),
        [".w"]
    );
}

#[test]
fn queries_of_a_map_return_its_contents() {
    let rows = ["x.w", ".x.", "w.+"];
    for (expression, answer) in [
        ("width() .. height()", "33"),
        ("find_in_area { x1 = 0, y1 = 0, x2 = 1, y2 = 1, find = 'cw' }", "false"),
        ("find_in_area { x1 = 0, y1 = 0, x2 = 2, y2 = 1, find = 'cw' }", "true"),
        ("find_in_area { find = '', find_vault = true }", "false"),
        ("count_feature_in_box { feat = '.' }", "4"),
        ("count_feature_in_box { feat = 'deep_water' }", "2"),
        ("count_antifeature_in_box { antifeat = '.' }", "5"),
        ("count_neighbours { x = 1, y = 1, feat = '.' }", "4"),
        ("count_passable_neighbours { x = 1, y = 1 }", "5"),
        ("is_valid_coord { x = 2, y = 2 }", "true"),
        ("is_valid_coord { x = 3, y = 2 }", "false"),
        ("is_passable_coord { x = 2, y = 2 }", "true"),
        ("is_passable_coord { x = 0, y = 0 }", "false"),
        ("is_passable_coord { x = -1, y = 0, passable = ' ' }", "false"),
        ("table.concat({dgn.builder_bounds()}, ',')", "76,66"),
        ("table.concat({dgn.max_bounds()}, ',')", "80,70"),
        ("primary_vault_dimensions()", "nil"),
        ("select('#', farthest_from('q'))", "2"),
        ("table.concat({farthest_from('+')}, ',')", "1,0"),
        ("replace_random { find = 'q', replace = '.' }", "false"),
        ("replace_closest { x = 9, y = 9, find = '+', replace = '.' }", "true"),
        ("connect_adjacent_rooms {}", "0"),
        ("join_the_dots { x1 = 0, y1 = 0, x2 = 9, y2 = 9 }", "false"),
    ] {
        assert_eq!(result_of(&rows, expression), answer, "{expression}");
    }
}

#[test]
fn copied_cells_are_found_as_vaults() {
    let outer = "NAME: outer\nTAGS: unrand no_rotate no_hmirror no_vmirror\nMAP\n....\n.AA.\n....\nENDMAP\n\
                 SUBVAULT: A : inner\n\
                 : if find_in_area { find = '', find_vault = true } then mapgrd[0][0] = 'T' end\n\
                 : if find_in_area { y1 = 2, find = '', find_vault = true } then mapgrd[0][2] = 'T' end\n\
                 NAME: inner\nTAGS: unrand inner\nMAP\nGG\nENDMAP\n";
    let library = Arc::new(Library::new(vec![source::read("outer.des", outer.as_bytes())]));
    let runtime = Runtime::new(Arc::clone(&library), RuntimeOptions::default()).expect("the helper library runs");
    let map = library.by_name("outer").expect("the map");
    match runtime.resolve(map, &VaultWorld::default(), 1) {
        ResolveOutcome::Resolved(map) => assert_eq!(grid(&map), ["T...", ".GG.", "...."]),
        other => panic!("{other:?}"),
    }
}

#[test]
fn caves_and_rooms_come_from_the_seed() {
    let bodies = [
        "extend_map { width = 40, height = 30, fill = 'x' } mapgrd[20][15] = '.' spotty_map { boxy = false, iterations = 90 } \
         widen_paths { find = 'x', percent = 50 } remove_isolated_glyphs { find = 'x', percent = 75, boxy = true }",
        "extend_map { width = 40, height = 30, fill = 'x' } delve(3, 3, 0, 150, 1)",
        "extend_map { width = 40, height = 30, fill = '.' } \
         add_pools { replace = '.', pool_size = 40, contents = { w = 2, l = 1.5, ['.'] = 3, x = -4 }, border = 'x' } \
         connect_adjacent_rooms { wall = 'x', floor = '.', replace = '+', min = 300, max = 900, check_distance = 3 }",
        "extend_map { width = 40, height = 30, fill = 'x' } fill_area { x1 = 5, y1 = 5, x2 = 9, y2 = 9, fill = '.' } smear_map { iterations = 999 }",
        "extend_map { width = 40, height = 30, fill = 'x' } join_the_dots { x1 = 1, y1 = 1, x2 = 38, y2 = 28 }",
        "extend_map { width = 40, height = 30, fill = '.' } octa_room { x1 = 2, y1 = 2, x2 = 30, y2 = 20, outside = 'x', inside = 'w' }",
        "extend_map { width = 40, height = 30, fill = 'x' } make_round_box { x1 = 2, y1 = 2, x2 = 30, y2 = 20, door_count = 3 }",
    ];
    for body in bodies {
        let first = painted(&[], body, 1);
        assert_eq!(first, painted(&[], body, 1), "{body}");
        assert!((2..12).any(|seed| painted(&[], body, seed) != first), "{body}");
    }
}

#[test]
fn the_name_of_an_opaque_value_is_no_list_of_glyphs() {
    for (body, row) in [
        ("fill_area { fill = odd_l() .. 'l' }", "ll"),
        ("fill_area { fill = tostring(odd_l()) }", "xx"),
        ("fill_area { fill = odd_l() }", "xx"),
        ("replace_area { find = 'w' .. odd_l(), replace = '.' }", ".l"),
        ("replace_area { find = '', replace = '.' }", "wl"),
    ] {
        assert_eq!(painted(&["wl"], body, 1), [row], "{body}");
    }
}

#[test]
fn wrong_arguments_are_errors_with_their_line() {
    for (body, message) in [
        ("\nfill_area { x1 = {} }", "`x1` must be a number; got table"),
        ("\nfill_area { x1 = 'wide' }", "`x1` must be a number; got string"),
        ("\nfill_area { fill = true }", "`fill` must be a string; got boolean"),
        ("\nmake_circle { x = 1, y = 1 }", "`radius` is missing"),
        ("\nmake_circle { y = 1, radius = 1 }", "`x` is missing"),
        (
            "\nadd_pools { }",
            "`contents` must be a table of glyphs and weights; got nil",
        ),
        (
            "\nfill_area(7)",
            "bad argument #1 to 'fill_area' (table expected, got number)",
        ),
    ] {
        let failure = failure(body);
        assert_eq!(
            (failure.file.as_deref(), failure.line),
            (Some("painted.des"), Some(8)),
            "{failure}"
        );
        assert_eq!(failure.message, message);
    }
}

#[test]
fn endless_painting_is_stopped() {
    for work in [
        "fill_area { fill = '.' }",
        "extend_map { width = 1e9, height = 1e9, fill = '.' }",
        "connect_adjacent_rooms { max = 1e9, check_distance = 1e9 }",
        "spotty_map { iterations = 1e300 }",
        "smear_map { iterations = 1e300 }",
        "delve(-1e300, 1e300, 1e300, 1e300, 1e300)",
        "add_pools { pool_size = -1, contents = { ['.'] = 1e300 } }",
    ] {
        let body = format!("\nextend_map {{ width = 80, height = 70, fill = 'x' }}\nwhile true do {work} end");
        let failure = failure(&body);
        assert_eq!(failure.line, Some(9), "{failure}");
        assert!(failure.message.contains("does it loop forever?"), "{work}: {failure}");
    }
}
