//! The runtime of level files: environments, the order of chunks, tries, subvaults, randomness, and scripts that fail
//! or run away.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a panic is how a test fails")]

use std::sync::Arc;

use crate::common::vaults::{glyphs, lua, resolve, resolve_at, runtime, still};
use wallcrawler::vault::library::{Library, MapId};
use wallcrawler::vault::lua::{FailureKind, Limits, LuaFailure, ResolveOutcome, Runtime, RuntimeOptions, TRIES};
use wallcrawler::vault::map::ResolvedMap;
use wallcrawler::vault::source::read;
use wallcrawler::vault::world::VaultWorld;

fn map(runtime: &Runtime, name: &str) -> MapId {
    runtime.library().by_name(name).unwrap()
}

fn at(place: &str) -> VaultWorld {
    VaultWorld::at(place).unwrap()
}

fn done(outcome: ResolveOutcome) -> ResolvedMap {
    match outcome {
        ResolveOutcome::Resolved(resolved) => *resolved,
        other => panic!("{other:?}"),
    }
}

/// Returns the result of the compile run of the first map of a text.
fn failure(text: &str, limits: Limits) -> LuaFailure {
    let library = Arc::new(Library::new(vec![read("test.des", text.as_bytes())]));
    let options = RuntimeOptions {
        limits,
        ..RuntimeOptions::default()
    };
    let runtime = Runtime::new(Arc::clone(&library), options).unwrap();
    let first = library.ids().next().unwrap();
    let Some(failure) = runtime.compile(first).failure else {
        panic!("no failure: {text}");
    };
    // The runtime still works afterwards.
    let again = Runtime::compile(&runtime, first);
    assert_eq!(again.failure.as_ref(), Some(&failure));
    failure
}

#[test]
fn names_of_a_map_hide_names_of_its_file() {
    let text = format!(
        "{{{{\nshared = 'file'\nfunction report(e) e.subst('a = ' .. e.own) end\n}}}}\n{}",
        still(
            ": own = 'b'\n: shared = 'map'\n: assert(_G.own == 'b' and rawget(_G, 'shared') == 'map')\n: report(_G)\n\
             : dgn.subst(nil)\n: _G.subst('c = d')",
            "aca"
        )
    );
    let other = "NAME: other\n: assert(own == nil)\n: assert(shared == 'file', shared)\nMAP\n.\nENDMAP\n";
    assert_eq!(glyphs(&resolve_at(&(text.clone() + other), "D:1", 1)), "bdb");
    let runtime = runtime(&[("a.des", &(text + other))]);
    for name in ["still", "other", "still"] {
        done(runtime.resolve(map(&runtime, name), &VaultWorld::default(), 1));
    }
}

#[test]
fn files_see_definitions_of_other_files_preludes() {
    let files = [
        (
            "a.des",
            "NAME: user\nTAGS: unrand no_exits\n: helper(_G)\n: assert(CONSTANT == 4)\nMAP\na\nENDMAP\n",
        ),
        (
            "b.des",
            "{{\nCONSTANT = 4\nfunction helper(e) e.subst('a = z') end\n}}\n",
        ),
    ];
    let runtime = runtime(&files);
    let resolved = done(runtime.resolve(map(&runtime, "user"), &VaultWorld::default(), 3));
    assert_eq!(glyphs(&resolved), "z");
}

/// Names that the game would define: nothing here does.
const UNDEFINED: &str = "odd_library.setup(1)\nlist = odd_class:new { size = ODD_SIZE }\n\
    function helper(e) odd_helper(e) e.subst('a = ' .. (odd_flag and 'x' or 'b')) end\n\
    local shade = {} function chosen() return shade[odd_key()].name end";

#[test]
fn undefined_names_are_recorded_in_preludes_as_in_bodies() {
    // In a body, `colour` is the header.
    let file = format!("{{{{\ncolour.add_colour('shade', function() return odd_colour() end)\n{UNDEFINED}\n}}}}\n");
    let map = still(": helper(_G)\n: subst('. = ' .. chosen())", "a.");
    for text in [
        file.clone() + &map,
        still(&format!("{{{{\n{UNDEFINED}\n}}}}\n: helper(_G)"), "a."),
    ] {
        let map = resolve_at(&text, "D:1", 1);
        assert_eq!(glyphs(&map), "b.", "{text}");
        let calls: Vec<&str> = map.recorded.iter().map(|call| call.name.as_str()).collect();
        for name in ["odd_library.setup", "odd_class.new", "odd_helper"] {
            assert!(calls.contains(&name), "{name}: {calls:?}");
        }
        for name in ["odd_library", "odd_class", "odd_helper"] {
            let note = format!("`{name}` is not defined");
            assert!(map.notes.iter().any(|text| text.starts_with(&note)), "{:?}", map.notes);
        }
        assert!(
            !map.notes.iter().any(|text| text.contains("`odd_flag`")),
            "{:?}",
            map.notes
        );
    }
    let recorded = resolve_at(&(file.clone() + &map), "D:1", 1).recorded;
    assert!(
        recorded.iter().any(|call| call.name == "colour.add_colour"),
        "{recorded:?}"
    );
    // A function uses the names of its own file even if another file calls it.
    let runtime = runtime(&[("a.des", &file), ("b.des", &map)]);
    let map = self::map(&runtime, "still");
    assert_eq!(glyphs(&done(runtime.resolve(map, &VaultWorld::default(), 1))), "b.");
    let names = runtime.undefined_names();
    assert_eq!(
        names
            .get("odd_helper")
            .and_then(|first| first.place.as_ref())
            .map(ToString::to_string)
            .as_deref(),
        Some("a.des:5"),
        "{names:?}"
    );
    assert_eq!(names.len(), 4, "{names:?}");
}

#[test]
fn a_map_with_undefined_names_fails_by_its_own_error() {
    for body in [
        ": odd() error('own')",
        ": assert(odd == 1, 'own')",
        ": nothing = nil\n: nothing.size = 1",
    ] {
        let library = Arc::new(Library::new(vec![read("test.des", still(body, ".").as_bytes())]));
        let runtime = Runtime::new(Arc::clone(&library), RuntimeOptions::default()).unwrap();
        let failure = runtime.compile(library.ids().next().unwrap()).failure;
        assert!(failure.is_some(), "{body}");
    }
}

#[test]
fn hooks_draw_the_same_for_the_same_seed() {
    let text = still(
        ": hook('post_place', function() crawl.mpr(tostring(crawl.random2(1000000))) end)",
        ".",
    );
    let runtime = runtime(&[("a.des", &text)]);
    let map = map(&runtime, "still");
    let drawn = |seed| {
        done(runtime.resolve(map, &VaultWorld::default(), seed)).recorded[0]
            .arguments
            .clone()
    };
    let first = drawn(1);
    assert_ne!(drawn(2), first);
    assert_eq!(drawn(1), first);
}

#[test]
fn the_name_of_a_level_comes_from_the_argument() {
    let body = "assert(dgn.level_name() == you.where() and dgn.level_name(dgn.level_id()) == you.where())\n\
                assert(dgn.level_name(dgn.br_entrance('Zot')) == 'Depths:4')\n\
                assert(you.where() ~= dgn.level_name(dgn.br_entrance('Elf')))\n\
                assert(dgn.level_name('Lair:$') == 'Lair:5')";
    crate::common::vaults::lua(body);
}

#[test]
fn no_state_survives_a_resolution() {
    let text = "{{\ncount = 0\n}}\nNAME: counter\nTAGS: unrand no_exits no_rotate no_hmirror no_vmirror\n\
                : count = count + 1\n: dgn.persist.n = (dgn.persist.n or 0) + 1\n\
                : assert(count == 1 and dgn.persist.n == 1)\nSUBST: a = abcdefgh\nMAP\naaaaaaaa\nENDMAP\n\
                {{ crawl.random2(5) }}\n";
    let one = runtime(&[("a.des", text)]);
    let id = map(&one, "counter");
    let first = done(one.resolve(id, &VaultWorld::default(), 9));
    for seed in 10..40 {
        done(one.resolve(id, &VaultWorld::default(), seed));
    }
    assert_eq!(done(one.resolve(id, &VaultWorld::default(), 9)), first);
    let fresh = runtime(&[("a.des", text)]);
    assert_eq!(done(fresh.resolve(id, &VaultWorld::default(), 9)), first);
    assert_ne!(
        glyphs(&done(fresh.resolve(id, &VaultWorld::default(), 10))),
        glyphs(&first)
    );
}

#[test]
fn random_draws_never_change() {
    let resolved = resolve(
        "SUBST: a = abcdefgh\n: for i = 1, 4 do\n:  mapgrd[i - 1][1] = tostring(crawl.random2(10))\n: end",
        "aaaa\n....",
    );
    assert_eq!(glyphs(&resolved), GOLDEN);
}

const GOLDEN: &str = "chbd\n4570";

#[test]
fn chunks_run_in_their_order() {
    let text = "NAME: order\nTAGS: unrand no_exits no_rotate no_hmirror no_vmirror\n\
        prelude {{\n  log = 'p'\n  hook('pre_main', function() log = log .. '1' end)\n}}\n\
        veto {{\n  assert(log == nil and crawl.game_started())\n}}\n\
        {{\n  log = log .. 'b'\n  hook('main', function() log = log .. '2' end)\n\
          hook('post_place', function() log = log .. '3'; assert(dgn.feature_name(dgn.grid(0, 0)) == 'stone_wall') end)\n\
          hook('pre_epilogue', function() log = log .. '4' end)\n\
          hook('epilogue', function() log = log .. '5'; crawl.mpr(log) end)\n}}\n\
        validate {{\n  log = log .. 'v'\n  return true\n}}\nepilogue {{\n  log = log .. 'e'\n}}\nMAP\nc\nENDMAP\n";
    let runtime = runtime(&[("a.des", text)]);
    let resolved = done(runtime.resolve(map(&runtime, "order"), &VaultWorld::default(), 1));
    let said: Vec<&str> = resolved.recorded.iter().map(|call| call.arguments.as_str()).collect();
    assert_eq!(said, ["\"p1b2v34e5\""]);
}

#[test]
fn the_compile_run_happens_before_the_game_starts() {
    let text = still(
        ": assert(is_validating() and not crawl.game_started() and you.where() == 'D:1')\n: subvault('a : nothing')\n\
         : assert(dgn.map_by_tag('x') == nil)",
        "a",
    ) + "validate {{\n  return false\n}}\nveto {{\n  error('is not run')\n}}\n";
    let runtime = runtime(&[("a.des", &text)]);
    let report = runtime.compile(map(&runtime, "still"));
    assert_eq!(report.failure, None);
    assert!(report.state.tags.has("no_exits"));
}

#[test]
fn a_veto_or_its_error_ends_a_resolution() {
    let text = "NAME: deep\nTAGS: no_exits\nveto {{ return you.absdepth() > 5 }}\nMAP\n.\nENDMAP\n\
                NAME: wrong\nTAGS: no_exits\nveto {{ return nil > 1 }}\nMAP\n.\nENDMAP\n";
    let runtime = runtime(&[("a.des", text)]);
    assert!(matches!(
        runtime.resolve(map(&runtime, "deep"), &at("D:6"), 1),
        ResolveOutcome::Vetoed
    ));
    assert!(matches!(
        runtime.resolve(map(&runtime, "deep"), &at("D:5"), 1),
        ResolveOutcome::Resolved(_)
    ));
    let ResolveOutcome::Failed(failure) = runtime.resolve(map(&runtime, "wrong"), &at("D:5"), 1) else {
        panic!("the error is lost");
    };
    assert_eq!((failure.file.as_deref(), failure.line), (Some("a.des"), Some(9)));
}

#[test]
fn a_map_is_tried_until_it_is_valid() {
    let text = "NAME: picky\nTAGS: no_exits no_rotate no_hmirror no_vmirror\nSUBST: a = ab:30\nMAP\na\nENDMAP\n\
        validate {{ return mapgrd[0][0] == 'a' }}\n\
        NAME: never\nTAGS: no_exits\nMAP\na\nENDMAP\nvalidate {{ return nil }}\n\
        NAME: wrong\nTAGS: no_exits\nMAP\na\nENDMAP\nvalidate {{ return glyphs_connected('a', 'z') }}\n";
    let runtime = runtime(&[("a.des", text)]);
    let mut tries = Vec::new();
    for seed in 0..200 {
        match runtime.resolve(map(&runtime, "picky"), &VaultWorld::default(), seed) {
            ResolveOutcome::Resolved(resolved) => {
                assert_eq!(glyphs(&resolved), "a");
                tries.push(resolved.origin.tries);
            }
            // Three of four tries fail: all 25 fail once in 1,300 times.
            ResolveOutcome::Invalid(_) => tries.push(TRIES),
            other => panic!("{other:?}"),
        }
    }
    let mean = f64::from(tries.iter().sum::<u32>()) / tries.len() as f64;
    assert!((3.0..5.0).contains(&mean), "4 tries are expected, not {mean}");
    let ResolveOutcome::Invalid(last) = runtime.resolve(map(&runtime, "never"), &VaultWorld::default(), 1) else {
        panic!("it never validates");
    };
    assert_eq!((last.origin.tries, glyphs(&last).as_str()), (TRIES, "a"));
    let ResolveOutcome::Failed(failure) = runtime.resolve(map(&runtime, "wrong"), &VaultWorld::default(), 1) else {
        panic!("a missing glyph is an error");
    };
    assert_eq!(failure.line, Some(19));
}

#[test]
fn glyphs_with_a_kmask_become_floor_in_a_subvault_alone() {
    let inner = "NAME: inner\nTAGS: inner unrand no_exits no_rotate no_hmirror no_vmirror\nKMASK: >xw = no_item_gen\n\
                 KPROP: c = no_tele_into\nKMASK: v = vault\nKFEAT: v = lava\nMAP\n>xwcvG\nENDMAP\n";
    let outer = "NAME: outer\nTAGS: unrand no_exits no_rotate no_hmirror no_vmirror\nSUBVAULT: A : inner\n\
                 MAP\nAAAAAA\nENDMAP\n";
    let features = |text: &str| -> Vec<&str> {
        let resolved = resolve_at(text, "D:5", 1);
        resolved
            .cells
            .iter()
            .flatten()
            .map(|cell| cell.feature.name())
            .collect()
    };
    let rest = ["stone_wall", "lava", "granite_statue"];
    let alone = features(inner);
    assert_eq!(alone[..3], ["escape_hatch_down", "rock_wall", "deep_water"]);
    assert_eq!(alone[3..], rest);
    let copied = features(&format!("{outer}\n{inner}"));
    assert_eq!(copied[..3], ["floor"; 3]);
    assert_eq!(copied[3..], rest);
}

#[test]
fn subvaults_fill_their_cells() {
    let text = "NAME: outer\nTAGS: unrand no_exits no_rotate no_hmirror no_vmirror\nSUBVAULT: A : room small\n\
        MAP\nxxxxx\nxAA.x\nxAA.x\nxxxxx\nENDMAP\n\
        NAME: inner\nTAGS: unrand room small no_exits\nSUBST: a = l\nKFEAT: l = altar_xom\nKMONS: l = ant\n\
        : hook('post_place', function() crawl.mpr('inner') end)\nMAP\naa\naa\nENDMAP\n\
        NAME: large\nTAGS: unrand room small no_exits\nMAP\nbbb\nENDMAP\n\
        NAME: elsewhere\nTAGS: unrand room small no_exits\nDEPTH: Zot\nMAP\nee\nENDMAP\n\
        NAME: twice\nTAGS: unrand no_exits no_rotate no_hmirror no_vmirror\nSUBVAULT: A : room small\n\
        SUBVAULT: B : room small\nMAP\nA.B\nENDMAP\n";
    let runtime = runtime(&[("a.des", text)]);
    let outer = done(runtime.resolve(map(&runtime, "outer"), &VaultWorld::default(), 5));
    assert_eq!(glyphs(&outer), "xxxxx\nxll.x\nxll.x\nxxxxx");
    let cell = outer.cell(1, 1).unwrap();
    assert_eq!(
        (cell.feature.name(), cell.monster.as_deref()),
        ("altar_xom", Some("ant"))
    );
    let calls = outer
        .recorded
        .iter()
        .filter(|call| call.arguments == "\"inner\"")
        .count();
    assert_eq!(calls, 1, "{:?}", outer.recorded);
    // One cell is too small for any subvault, and stays as it is.
    let twice = done(runtime.resolve(map(&runtime, "twice"), &VaultWorld::default(), 5));
    assert_eq!(glyphs(&twice), "A.B");
    assert_eq!(twice.notes.len(), 1, "{:?}", twice.notes);
}

#[test]
fn a_subvault_is_used_once_unless_it_may_be_used_again() {
    let maps = |tags: &str| {
        format!(
            "NAME: outer\nTAGS: unrand no_exits\nSUBVAULT: A : one\nSUBVAULT: B : one\nMAP\nAxB\nENDMAP\n\
             NAME: one\nTAGS: unrand one no_exits {tags}\nMAP\nz\nENDMAP\n"
        )
    };
    for (tags, count) in [("", 1), ("allow_dup", 2), ("allow_dup uniq_one", 1)] {
        let runtime = runtime(&[("a.des", &maps(tags))]);
        let resolved = done(runtime.resolve(map(&runtime, "outer"), &VaultWorld::default(), 2));
        assert_eq!(glyphs(&resolved).matches('z').count(), count, "{tags}");
    }
}

#[test]
fn subvaults_of_a_rejected_map_remain_available() {
    let first = "not is_validating() and dgn.persist.count == 1";
    for (large, valid) in [(first, "true"), ("false", "dgn.persist.count > 25")] {
        let text = format!(
            "NAME: outer\nTAGS: unrand no_exits no_rotate no_hmirror no_vmirror\nSUBVAULT: A : middle\n\
             MAP\nAA\nENDMAP\nNAME: middle\nTAGS: unrand middle no_exits no_rotate no_hmirror no_vmirror\n\
             {{{{\ndgn.persist.count = (dgn.persist.count or 0) + 1\nmap({large} and 'BBB' or 'B.')\n\
             subvault('B : inner')\n}}}}\nvalidate {{{{ return {valid} }}}}\n\
             NAME: inner\nTAGS: unrand inner no_exits\nMAP\nz\nENDMAP\n"
        );
        assert_eq!(glyphs(&resolve_at(&text, "D:5", 1)), "z.", "{large}, {valid}");
    }
}

#[test]
fn maps_within_a_map_that_fails_remain_available() {
    let text = format!(
        "NAME: outer\nTAGS: {UPRIGHT}\n: if not is_validating() then assert(not pcall(subvault, 'A : middle')) end\n\
         SUBVAULT: A : inner\nMAP\nA\nENDMAP\n\
         NAME: middle\nTAGS: middle {UPRIGHT}\nSUBVAULT: B : inner\n: assert(is_validating())\nMAP\nB\nENDMAP\n\
         NAME: inner\nTAGS: inner {UPRIGHT}\nMAP\nz\nENDMAP\n"
    );
    assert_eq!(glyphs(&resolve_at(&text, "D:5", 1)), "z");
    let text = format!(
        "NAME: host\nTAGS: {UPRIGHT}\n: hook('post_place', function()\n\
         : assert(not pcall(dgn.place_map, dgn.map_by_tag('hut'), false))\n: assert(dgn.map_by_tag('hut')) end)\n\
         MAP\n.\nENDMAP\n\
         NAME: hut\nTAGS: hut {UPRIGHT}\n: hook('post_place', function() error('no') end)\nMAP\nv\nENDMAP\n"
    );
    assert!(resolve_at(&text, "D:5", 1).placed.is_empty());
}

#[test]
fn recursive_subvaults_end() {
    let text = "NAME: onion\nTAGS: unrand onion allow_dup no_exits\nSUBVAULT: A : peel\nMAP\nA\nENDMAP\n\
                NAME: peel\nTAGS: unrand peel allow_dup no_exits\nSUBVAULT: A : onion\nMAP\nA\nENDMAP\n";
    let runtime = runtime(&[("a.des", text)]);
    let ResolveOutcome::Failed(failure) = runtime.resolve(map(&runtime, "onion"), &VaultWorld::default(), 2) else {
        panic!("it has no end");
    };
    assert_eq!(failure.file.as_deref(), Some("a.des"));
    assert!(failure.message.contains("deep"), "{failure}");
}

#[test]
fn markers_keep_their_properties() {
    let resolved = resolve(
        "{{\nfunction sign(name) made = (made or 0) + 1; return { props = { text = name, number = made } } end\n}}\n\
         MARKER: A = lua:sign('here')\n: lua_marker('B', { plain = true })\n: marker('C = lua:sign(\"c\")')",
        "AAB\nC..",
    );
    let markers: Vec<(i32, i32, Option<&str>, Option<&str>)> = resolved
        .markers
        .iter()
        .map(|marker| (marker.cell.x, marker.cell.y, marker.prop("text"), marker.prop("number")))
        .collect();
    assert_eq!(
        markers,
        [
            (0, 0, Some("here"), Some("1")),
            (1, 0, Some("here"), Some("2")),
            (2, 0, None, None),
            (0, 1, Some("c"), Some("3")),
        ]
    );
    assert_eq!(resolved.markers[2].prop("plain"), Some("true"));
    let failure = failure("NAME: a\n\nMARKER: A = lua:4\nMAP\nA\nENDMAP\n", Limits::default());
    assert_eq!(
        (failure.line, failure.message.contains("table")),
        (Some(3), true),
        "{failure}"
    );
}

#[test]
fn markers_are_found_by_their_properties() {
    let resolved = resolve(
        "MARKER: A = lua:props_marker { spot = 1 }\nMARKER: B = lua:props_marker { spot = 2 }\n\
         {{\nhook('post_place', function()\n\
           local all, second = dgn.find_marker_positions_by_prop('spot'), dgn.find_marker_positions_by_prop('spot', 2)\n\
           crawl.mpr(#all, second[1].x, second[1].y, #dgn.find_marker_positions_by_prop('none'))\nend)\n}}",
        "A.\n.B",
    );
    assert_eq!(resolved.recorded[0].arguments, "2, 1, 1, 0");
}

#[test]
fn calls_that_need_the_game_are_recorded_and_ignored() {
    let resolved = resolve(
        "{{\nlocal list = no_such_thing('a', { b = 1 })\nfor x in list do error('a loop over nothing') end\n\
         no_such.module.call(1)\ndgn.create_monster(1, 2, 'ant')\ncreate_item(3)\nview.invented(4)\ncrawl.invented(5)\n\
         kmons('m = ' .. view.name_of('x'))\nlocal text = 'a' .. list .. 'b'\nassert(not unset)\n}}",
        "m.",
    );
    let calls: Vec<String> = resolved
        .recorded
        .iter()
        .map(|call| format!("{}({})", call.name, call.arguments))
        .collect();
    assert_eq!(
        calls,
        [
            "no_such_thing(\"a\", { b = 1 })",
            "no_such.module.call(1)",
            "dgn.create_monster(1, 2, \"ant\")",
            "dgn.create_item(3)",
            "view.invented(4)",
            "crawl.invented(5)",
            "view.name_of(\"x\")",
        ]
    );
    assert_eq!(resolved.notes.len(), 2, "{:?}", resolved.notes);
}

#[test]
fn map_adds_rows_to_the_grid() {
    let drawn = resolve(": map('a')\n: map('bcd', 'e')\n: map('f\\ng\\n')", "");
    assert_eq!(glyphs(&drawn), "a  \nbcd\ne  \nf  \ng  ");
    let below = resolve(": map('bc')\nSUBST: b = d", "a");
    assert_eq!(glyphs(&below), "a \ndc");
    let text = "NAME: made\nTAGS: unrand no_exits no_rotate no_hmirror no_vmirror\n: dgn.map('x.')\n";
    assert_eq!(glyphs(&resolve_at(text, "D:5", 1)), "x.");
}

#[test]
fn features_are_described_by_number_or_by_square() {
    resolve(
        "{{\nhook('post_place', function()\n\
           assert(dgn.feature_desc_at(0, 0) == 'stone wall' and dgn.feature_desc_at(1, 0) == 'floor')\n\
           assert(dgn.feature_desc_at(2, 0) == 'unseen')\n\
           assert(dgn.feature_desc(dgn.fnum('rock_wall')) == 'rock wall' and dgn.feature_desc(-1e10) == 'unseen')\n\
           assert(dgn.is_wall(0, 0) and not dgn.is_wall(1, 0))\nend)\n}}",
        "c.",
    );
}

#[test]
fn kinds_of_features_follow_their_classes() {
    lua(
        "assert(feat.is_tree('mangrove') and feat.is_statuelike('orcish_idol') and feat.is_altar('random_altar'))\n\
         assert(feat.is_trap('shaft') and feat.is_trap('web') and feat.is_trap('trap_net'))\n\
         assert(feat.is_closed_door('runed_door') and not feat.is_closed_door('open_clear_door'))\n\
         assert(feat.is_open_door('open_clear_door') and not feat.is_open_door('closed_door'))\n\
         assert(feat.is_wall('clear_stone_wall') and not feat.is_wall('closed_door') and not feat.is_wall('tree'))",
    );
}

#[test]
fn a_glyph_that_only_the_game_knows_leaves_its_cell_unchanged() {
    let resolved = resolve(": mapgrd[0][0] = view.glyph_of('x')\n: mapgrd[1][0] = 'c'", "ab");
    assert_eq!(glyphs(&resolved), "ac");
}

#[test]
fn lua_sees_the_place_and_the_player() {
    let world = VaultWorld {
        xl: 19,
        race: "Gnoll".to_owned(),
        god: "Xom".to_owned(),
        ..at("Elf:3")
    };
    let text = still(
        ": if not is_validating() then\n: assert(you.xl() == 19 and you.race() == 'Gnoll' and you.god() == 'Xom')\n\
         : assert(you.branch() == 'Elf' and you.in_branch('elf') and not you.in_branch('D'))\n\
         : assert(you.depth() == 3 and you.where() == 'Elf:3' and you.at_branch_bottom())\n\
         : assert(you.subdepth() == 3 and you.absdepth() > 10 and you.depth_fraction() == 1)\n\
         : assert(dgn.br_depth() == 3 and dgn.br_depth('D') == 15 and dgn.br_exists('Lair'))\n: end",
        ".",
    );
    let runtime = runtime(&[("a.des", &text)]);
    done(runtime.resolve(map(&runtime, "still"), &world, 1));
}

#[test]
fn random_draws_stay_within_their_bounds() {
    lua(
        "assert(crawl.random2(1) == 0 and crawl.random2(0) == 0 and crawl.random2(-5) == 0)\n\
         assert(crawl.random_range(4, 2) == 4 and crawl.random_range(3, 3) == 3)\n\
         assert(crawl.one_chance_in(1) and crawl.one_chance_in(0))\n\
         assert(not crawl.x_chance_in_y(0, 4) and crawl.x_chance_in_y(4, 4))\n\
         local seen = {}\n\
         for i = 1, 2000 do\n\
           local n = crawl.random_range(-2, 2)\n assert(n >= -2 and n <= 2)\n seen[n] = true\n\
           local r = crawl.random_real()\n assert(r >= 0 and r < 1)\n\
           local d = crawl.roll_dice(2, 6)\n assert(d >= 2 and d <= 12)\n\
           local q = crawl.div_rand_round(7, 2)\n assert(q == 3 or q == 4)\n\
           local a = crawl.random2avg(10, 4)\n assert(a >= 0 and a < 10)\n\
         end\n\
         for n = -2, 2 do assert(seen[n]) end\n\
         assert(#crawl.make_name() >= 2)\n\
         assert(crawl.string_compare('a', 'b') == -1 and crawl.article_a('ant') == 'an ant')\n\
         assert(crawl.article_a('Orb') == 'an Orb' and crawl.article_a('bat') == 'a bat')",
    );
}

#[test]
fn unknown_functions_of_a_module_are_named_with_a_suggestion() {
    let text = still(
        ": if you.dpeth() then end\n: you.dpeth()\n: local x = crawl[{}]\n: dgn.walk_on_water(1)\n: util.randm_from({})",
        ".",
    );
    let runtime = runtime(&[("a.des", &text)]);
    done(runtime.resolve(map(&runtime, "still"), &VaultWorld::default(), 1));
    let names: Vec<String> = runtime
        .undefined_names()
        .iter()
        .map(|(name, first)| {
            let place = first.place.as_ref().unwrap();
            format!("{name} {} {}", place.line, first.similar.as_deref().unwrap_or("-"))
        })
        .collect();
    assert_eq!(
        names,
        [
            "dgn.walk_on_water 6 -",
            "util.randm_from 7 util.random_from",
            "you.dpeth 3 you.depth"
        ]
    );
}

/// Checks, in Lua, that a function gives each value as often as expected: within six standard deviations of 4,000
/// draws.
const EXPECT: &str = r#"
    local function expect(name, draw, shares)
        local count, n = {}, 4000
        for _ = 1, n do
            local value = tostring(draw())
            assert(shares[value], name .. " gave " .. value)
            count[value] = (count[value] or 0) + 1
        end
        for value, share in pairs(shares) do
            local off = math.abs((count[value] or 0) - n * share)
            assert(off <= 6 * math.sqrt(n * share * (1 - share)) + 0.5, name .. ": " .. value .. " " .. (count[value] or 0))
        end
    end
"#;

#[test]
fn random_functions_have_the_expected_distributions() {
    lua(&format!(
        "{EXPECT}{}",
        r#"
    local half, third, quarter = { ["true"] = 1 / 2, ["false"] = 1 / 2 }, 1 / 3, 1 / 4
    expect("random2", function() return crawl.random2(3) end, { ["0"] = third, ["1"] = third, ["2"] = third })
    expect("random2avg", function() return crawl.random2avg(2, 2) end, { ["0"] = 3 / 4, ["1"] = quarter })
    expect("random_range", function() return crawl.random_range(5, 8) end,
        { ["5"] = quarter, ["6"] = quarter, ["7"] = quarter, ["8"] = quarter })
    -- The mean of two draws from 0 and 1, rounded down.
    expect("random_range averaged", function() return crawl.random_range(0, 1, 2) end, { ["0"] = 3 / 4, ["1"] = quarter })
    expect("coinflip", crawl.coinflip, half)
    expect("one_chance_in", function() return crawl.one_chance_in(4) end, { ["true"] = quarter, ["false"] = 3 / 4 })
    expect("x_chance_in_y", function() return crawl.x_chance_in_y(2, 5) end, { ["true"] = 2 / 5, ["false"] = 3 / 5 })
    expect("random_real", function() return crawl.random_real() < 0.25 end, { ["true"] = quarter, ["false"] = 3 / 4 })
    expect("roll_dice", function() return crawl.roll_dice(2, 2) end, { ["2"] = quarter, ["3"] = 1 / 2, ["4"] = quarter })
    expect("div_rand_round", function() return crawl.div_rand_round(7, 4) end, { ["1"] = quarter, ["2"] = 3 / 4 })
    expect("random_element", function() return crawl.random_element({ "a", "b" }) end, { a = 1 / 2, b = 1 / 2 })
    expect("math.random", function() return math.random(2) end, { ["1"] = 1 / 2, ["2"] = 1 / 2 })
    expect("math.random of two", function() return math.random(3, 4) end, { ["3"] = 1 / 2, ["4"] = 1 / 2 })
    expect("math.random of none", function() return math.random() < 0.75 end, { ["true"] = 3 / 4, ["false"] = quarter })
"#
    ));
}

#[test]
fn helpers_have_their_documented_distributions() {
    lua(&format!(
        "{EXPECT}{}",
        r#"
    local third, sixth = 1 / 3, 1 / 6
    local weighted = { a = 1 / 10, b = 3 / 10, c = 6 / 10 }
    expect("random_from", function() return util.random_from({ "a", "b", "c" }) end, { a = third, b = third, c = third })
    expect("random_subset", function() return util.join("", util.sort(util.random_subset({ 1, 2, 3 }, 2))) end,
        { ["12"] = third, ["13"] = third, ["23"] = third })
    expect("shuffle", function() return util.join("", util.shuffle({ 1, 2, 3 })) end,
        { ["123"] = sixth, ["132"] = sixth, ["213"] = sixth, ["231"] = sixth, ["312"] = sixth, ["321"] = sixth })
    expect("random_choose_weighted", function()
        return util.random_choose_weighted({ { "a", 10 }, { "b", 30 }, { "c", 60 } })
    end, weighted)
    expect("random_choose_weighted with fractions", function()
        return util.random_choose_weighted({ { "a", 0.1 }, { "b", 0.3 }, { "c", 0.6 } })
    end, weighted)
    expect("random_choose_weighted_i", function()
        return util.random_choose_weighted_i({ { "a" }, { "b", 30 } })
    end, { ["1"] = 1 / 4, ["2"] = 3 / 4 })
    expect("random_weighted_from", function()
        return util.random_weighted_from("w", { { n = "a", w = 1 }, { n = "b", w = 3 }, { n = "c", w = 6 } }).n
    end, weighted)
    expect("random_weighted_keys", function()
        return util.random_weighted_keys({ a = 1, b = 3, c = 6 })
    end, weighted)
    expect("random_range_real", function() return util.random_range_real(2, 4) < 2.5 end,
        { ["true"] = 1 / 4, ["false"] = 3 / 4 })
    expect("room_material", theme.room_material, { x = 8 / 12, c = 3 / 12, v = 1 / 12 })
    expect("index_vaults_room_themes", function() return index_vaults_room_themes(_G).colour end,
        { lightgrey = 1 / 4, brown = 1 / 4, white = 1 / 4, yellow = 1 / 4 })
    expect("master_elementalist_setup", function()
        return string.match(master_elementalist_setup(_G), "staff of (%w+)")
    end, { fire = 1 / 4, cold = 1 / 4, air = 1 / 4, earth = 1 / 4 })
    expect("timed_marker", function() return timed_marker({ low = 4, high = 6 }):draw_turns() end,
        { ["4"] = third, ["5"] = third, ["6"] = third })
    -- Helpers that act on a map, with one that notes what they set.
    local function set_by(helper)
        local found = {}
        local function note(text) found[#found + 1] = text end
        helper({ mons = note, subst = note })
        return found
    end
    local blades = {}
    for _, kind in ipairs { "long sword", "great sword", "battleaxe", "eveningstar", "glaive", "quick blade" } do
        blades[kind] = sixth
    end
    expect("hall_of_blades_weapon", function()
        return string.match(set_by(hall_of_blades_weapon)[1], "; (.-) ego:")
    end, blades)
    expect("level_material", function() return set_by(theme.level_material)[1] or "rock" end,
        { rock = 5 / 6, ["x = c"] = 1 / 8, ["x = v"] = 1 / 24 })
    expect("caves", function() return set_by(theme.D.caves)[1] or "dry" end, { dry = 2 / 3, [". = .:60 W:1"] = third })
"#
    ));
}

#[test]
fn helpers_draw_once_or_for_each_cell_as_documented() {
    let (mut water, mut statues) = (std::collections::BTreeMap::new(), std::collections::BTreeMap::new());
    let runs = 600;
    let text = still(": ks_random_setup(_G, true)\n: snake_statue_setup(_G, 'N')", "wwwFFFN");
    let runtime = runtime(&[("a.des", &text)]);
    for seed in 1..=runs {
        let resolved = done(runtime.resolve(map(&runtime, "still"), &at("D:5"), seed));
        let row = glyphs(&resolved);
        assert!(
            row[..3].bytes().all(|glyph| glyph == row.as_bytes()[0]),
            "one draw for all water: {row}"
        );
        assert_eq!(row[3..6].matches('+').count(), 1, "one entrance: {row}");
        *water.entry(row.as_bytes()[0]).or_insert(0) += 1;
        *statues.entry(resolved.feature_names[0].1.clone()).or_insert(0) += 1;
    }
    let near = |count: i32, share: f64| {
        let (expected, n) = (runs as f64 * share, runs as f64);
        (f64::from(count) - expected).abs() <= 6.0 * (n * share * (1.0 - share)).sqrt()
    };
    for (glyph, share) in [(b'w', 0.5), (b'W', 0.25), (b'l', 0.05), (b'.', 0.2)] {
        assert!(near(water[&glyph], share), "{water:?}");
    }
    assert_eq!(statues.len(), 3);
    assert!(statues.values().all(|count| near(*count, 1.0 / 3.0)), "{statues:?}");
}

#[test]
fn runaway_scripts_are_stopped_and_named() {
    let small = Limits {
        instructions: 300_000,
        memory: 24 << 20,
        ..Limits::default()
    };
    let body = |code: &str| format!("NAME: a\n\n: {code}\nMAP\n.\nENDMAP\n");
    for (code, kind) in [
        ("while true do end", FailureKind::Instructions),
        (
            "while true do pcall(function() while true do end end) end",
            FailureKind::Instructions,
        ),
        ("local s = 'x' while true do s = s .. s end", FailureKind::Memory),
        ("local function f() return f() + 1 end f()", FailureKind::Error),
        (
            "string.find(string.rep('a', 5000), string.rep('a-', 40) .. 'b')",
            FailureKind::Instructions,
        ),
        ("for i = 1, 1e9 do subst('a = b') end", FailureKind::Instructions),
        ("for i = 1, 1e9 do no_such() end", FailureKind::Instructions),
        (
            "coroutine.wrap(function() while true do end end)()",
            FailureKind::Instructions,
        ),
        (
            "extend_map { width = 250, height = 250 } for i = 1, 100 do find_in_area { find = '?' } end",
            FailureKind::Instructions,
        ),
        ("while true do map('x') end", FailureKind::Instructions),
        (
            "extend_map { width = 100, height = 100 } for i = 1, 100 do gly_points('?') end",
            FailureKind::Instructions,
        ),
        (
            "extend_map { width = 100, height = 100 } for i = 1, 100 do has_exit_from(1, 1) end",
            FailureKind::Instructions,
        ),
        (
            "extend_map { width = 100, height = 100 } for i = 1, 100 do glyphs_connected('xx') end",
            FailureKind::Instructions,
        ),
        (
            "local r, t = crawl.regex('a{99}b'), ('a'):rep(1000) for i = 1, 100 do r:matches(t) end",
            FailureKind::Instructions,
        ),
    ] {
        let failure = failure(&body(code), small);
        assert_eq!(failure.kind, kind, "{code}: {failure}");
        if kind != FailureKind::Memory {
            assert_eq!(
                (failure.file.as_deref(), failure.line),
                (Some("test.des"), Some(3)),
                "{code}: {failure}"
            );
        }
    }
}

#[test]
fn errors_in_the_library_are_reported_at_the_line_of_the_vault() {
    let text = "NAME: a\n\n: decorative_floor(_G, 'A')\n: util.map(4, { 1 })\nMAP\nA\nENDMAP\n";
    let failure = failure(text, Limits::default());
    assert_eq!(
        (failure.file.as_deref(), failure.line),
        (Some("test.des"), Some(4)),
        "{failure}"
    );
    assert!(failure.message.contains("dlua/util.lua"), "{failure}");
}

#[test]
fn a_runtime_can_be_reused_many_times() {
    let text = still(": hook('post_place', function() end)\nSUBVAULT: A : small", "A")
        + "NAME: small\nTAGS: small unrand no_exits\nMAP\nb\nENDMAP\n";
    let runtime = runtime(&[("a.des", &text)]);
    let id = map(&runtime, "still");
    for seed in 0..6_000 {
        assert_eq!(glyphs(&done(runtime.resolve(id, &VaultWorld::default(), seed))), "b");
    }
}

#[test]
fn the_guides_validation_passes_as_often_as_computed() {
    let runtime = runtime(&[("guide.des", include_str!("guide/contrived_001.des"))]);
    let (mut passed, mut tried) = (0_u32, 0_u32);
    for seed in 0..2_000 {
        let resolved = done(runtime.resolve(map(&runtime, "contrived_001"), &at("D:2"), seed));
        passed += 1;
        tried += resolved.origin.tries;
    }
    // The path to the doors is dry in three of four outcomes, the way out behind them is open in one of two.
    let share = f64::from(passed) / f64::from(tried);
    assert!(
        (share - 0.375).abs() < 0.02,
        "{share} of the tries are valid, not three of eight"
    );
}

/// Returns a library with a script and maps that it places.
fn placing(script: &str, orient: &str, rows: &str) -> Runtime {
    let host = format!("NAME: host\nTAGS: {UPRIGHT}\n{orient}{{{{\n{script}\n}}}}\nMAP\n{rows}ENDMAP\n");
    let hut = format!(
        "NAME: hut\nTAGS: hut allow_dup {UPRIGHT}\nMONS: rat\n: hook('post_place', function() crawl.mpr('built') end)\n\
                       MAP\nvvv\nv1v\nv.v\nENDMAP\n"
    );
    runtime(&[("test.des", &(host + &hut))])
}

const UPRIGHT: &str = "no_rotate no_hmirror no_vmirror unrand no_exits";

#[test]
fn maps_placed_on_an_unknown_level_are_resolved_beside_the_map() {
    let runtime = placing(
        "hook('post_place', function() dgn.place_maps { tag = 'hut', count = 3 } end)",
        "",
        "..G\n",
    );
    let host = map(&runtime, "host");
    let resolved = done(runtime.resolve(host, &at("D:5"), 3));
    assert_eq!(glyphs(&resolved), "..G");
    assert_eq!(resolved.placed.len(), 3);
    for hut in &resolved.placed {
        assert_eq!((hut.name.as_str(), hut.origin.line), ("hut", 9));
        assert_eq!(glyphs(hut), "vvv\nv1v\nv.v");
        assert_eq!(hut.cell(1, 1).unwrap().monster.as_deref(), Some("rat"));
        assert_eq!(hut.recorded[0].name, "crawl.mpr", "its hooks run");
    }
    assert_eq!(done(runtime.resolve(host, &at("D:5"), 3)), resolved);
}

#[test]
fn a_map_without_cells_becomes_the_map_that_it_places() {
    let script = "if crawl.game_started() then dgn.place_map(dgn.map_by_tag('hut'), false, false) end";
    let runtime = placing(script, "ORIENT: encompass\n", "");
    let resolved = done(runtime.resolve(map(&runtime, "host"), &at("D:5"), 3));
    assert_eq!(glyphs(&resolved), "vvv\nv1v\nv.v");
    assert_eq!(resolved.cell(1, 1).unwrap().monster.as_deref(), Some("rat"));
    assert!(resolved.placed.is_empty());
}

#[test]
fn functions_of_the_older_guide_have_their_visible_effects() {
    let runtime = runtime(&[(
        "a.des",
        "{{\ndgn.default_depth('Lair')\n}}\nNAME: a\n: default_depth('D:3')\n: env.spawn_random_rate(50)\nMAP\n.\nENDMAP\n\
         NAME: b\nDEPTH: D:4\n: default_depth('D:3')\nMAP\n.\nENDMAP\nNAME: c\nMAP\n.\nENDMAP\n\
         default-depth: Orc\nNAME: d\nMAP\n.\nENDMAP\n",
    )]);
    let depths = |name: &str| runtime.compile(map(&runtime, name)).state.depths.to_string();
    assert_eq!((depths("a").as_str(), depths("b").as_str()), ("D:3", "D:4"));
    assert_eq!(
        (depths("c").as_str(), depths("d").as_str()),
        ("Lair", "Orc"),
        "the depth of the prelude, and the later one of the file"
    );
    let profile = runtime.profile(map(&runtime, "c")).expect("a profile");
    assert_eq!(profile.levels().count(), 5);
    let of_level = runtime.compile(map(&runtime, "a")).state.level_properties.clone();
    assert_eq!(of_level, [("spawn_random_rate".to_owned(), "50".to_owned())]);
    assert_eq!(runtime.undefined_names().len(), 0);
    let seen = resolve(
        ": add_windows { wall = 'x', open = '.', window = 'm' }",
        ".......\nxxxxxxx\n.......",
    );
    assert!(glyphs(&seen).bytes().all(|glyph| b".xm\n".contains(&glyph)));
}

#[test]
fn older_functions_remove_statements_and_set_properties_of_the_level() {
    let removed = ": subst('A = x')\n: shuffle('AB')\n: subst('B = y')\n: subst_remove('A = x')\n: shuffle_remove()";
    assert_eq!(glyphs(&resolve(removed, "AAB")), "AAy");
    let none = resolve(": subst_remove('A = x')", "A");
    assert!(
        none.notes
            .iter()
            .any(|note| note.contains("no earlier subst statement `A = x`")),
        "{:?}",
        none.notes
    );
    let flags = "LFLAGS: no_tele_control\n: dgn.change_level_flags('not_mappable !no_tele_control')\n\
                 : change_branch_flags('no_maprot')\n: dgn.set_level_type_origin('in the gardens')\n\
                 : set_level_name_abbrev('Gdn')\n: dgn.set_level_name_abbrev('Grdn')";
    let map = resolve(flags, "A");
    let properties: Vec<String> = map
        .level_properties
        .iter()
        .map(|(name, value)| format!("{name}: {value}"))
        .collect();
    assert_eq!(
        properties,
        [
            "level_flags: not_mappable",
            "branch_flags: no_maprot",
            "level_origin: in the gardens",
            "level_name_abbrev: Grdn"
        ]
    );
    assert!(map.recorded.is_empty(), "{:?}", map.recorded);
    let missing = resolve(": load_des_file('gone.des')", "A");
    assert!(
        missing
            .notes
            .iter()
            .any(|note| note.contains("`gone.des` was not found")),
        "{:?}",
        missing.notes
    );
}

#[test]
fn a_map_is_placed_around_the_cell_of_the_level_that_a_script_names() {
    let rows = "xxxxxxxxxxxx\n".repeat(10);
    // The map of 12 × 10 cells lies in the middle of the level of 80 × 70.
    for (place, corner) in [("40, 35", (5, 4)), ("1, 1", (0, 0)), ("79, 35", (9, 4))] {
        let script =
            format!("hook('post_place', function() dgn.place_map(dgn.map_by_tag('hut'), false, true, {place}) end)");
        let runtime = placing(&script, "ORIENT: encompass\n", &rows);
        let resolved = done(runtime.resolve(map(&runtime, "host"), &at("D:5"), 1));
        let wall = glyphs(&resolved).find('v').map(|at| (at % 13, at / 13));
        assert_eq!(wall, Some(corner), "{place}");
    }
}

#[test]
fn counters_of_the_game_s_library_restart_in_each_resolution() {
    let loader = |path: &str| {
        let code = "count = { n = 0 } \
                    function next_number() count.n = count.n + 1 made = (made or 0) + 1 return count.n .. made end";
        (path == "dlua/init.lua").then(|| code.as_bytes().to_vec())
    };
    let text = still(": tile('x = wall_' .. next_number())", "x");
    let options = RuntimeOptions {
        loader: Some(std::rc::Rc::new(loader)),
        ..RuntimeOptions::default()
    };
    let library = Arc::new(Library::new(vec![read("test.des", text.as_bytes())]));
    let runtime = Runtime::new(library, options).unwrap();
    for seed in [1, 2, 1] {
        let resolved = done(runtime.resolve(map(&runtime, "still"), &at("D:5"), seed));
        assert_eq!(resolved.cell(0, 0).unwrap().tile.as_deref(), Some("wall_11"));
    }
}

#[test]
fn a_module_of_the_game_s_library_that_failed_is_loaded_again() {
    let loader = |path: &str| match path {
        "dlua/outer.lua" => Some(b"crawl_require('dlua/inner.lua') error('broken')".to_vec()),
        "dlua/inner.lua" => Some(b"function inner() return 1 end".to_vec()),
        _ => None,
    };
    let map = |name: &str, code: &str| format!("NAME: {name}\nTAGS: unrand no_exits\n: {code}\nMAP\n.\nENDMAP\n");
    let text = map("first", "crawl_require('dlua/outer.lua')")
        + &map("second", "crawl_require('dlua/outer.lua')")
        + &map("third", "crawl_require('dlua/inner.lua') assert(inner() == 1)");
    let options = RuntimeOptions {
        loader: Some(std::rc::Rc::new(loader)),
        ..RuntimeOptions::default()
    };
    let library = Arc::new(Library::new(vec![read("test.des", text.as_bytes())]));
    let runtime = Runtime::new(library, options).unwrap();
    let failures: Vec<bool> = runtime
        .compile_all()
        .iter()
        .map(|report| report.failure.is_some())
        .collect();
    assert_eq!(failures, [true, true, false]);
    let third = self::map(&runtime, "third");
    for seed in [1, 2] {
        done(runtime.resolve(third, &at("D:5"), seed));
    }
}

#[test]
fn a_map_that_finds_no_room_can_be_placed_later() {
    let script = "hook('post_place', function() assert(not dgn.place_map(dgn.map_by_tag('hut'), false)) \
                  assert(dgn.map_by_tag('hut')) end)";
    let text = format!(
        "NAME: host\nTAGS: {UPRIGHT}\nORIENT: encompass\n: {script}\nMAP\nxx\nxx\nENDMAP\n\
         NAME: hut\nTAGS: hut {UPRIGHT}\nMAP\nvvv\nv.v\nv.v\nENDMAP\n"
    );
    let runtime = runtime(&[("test.des", &text)]);
    let resolved = done(runtime.resolve(map(&runtime, "host"), &at("D:5"), 1));
    assert!(resolved.placed.is_empty());
    let note = "`hut` is not placed: there is no room for it";
    assert!(resolved.notes.iter().any(|text| text == note), "{:?}", resolved.notes);
}

#[test]
fn recorded_tables_show_the_keys_that_are_not_of_a_list() {
    let script =
        ": crawl.mpr({ 'a', 'b', [5] = 'c', [0] = 'd', n = 1 }, { [0] = 'a', [2] = 'b', [0.5] = 'c', [true] = 'd' })";
    let calls = resolve(script, ".").recorded;
    assert_eq!(
        calls[0].arguments,
        "{ [0] = \"d\", \"a\", \"b\", [5] = \"c\", n = 1 }, \
         { [0] = \"a\", [2] = \"b\", [0.5] = \"c\", [true] = \"d\" }"
    );
}

#[test]
fn numbers_become_text_as_in_lua() {
    let script = "{{\nlocal sum = 0.1 + 0.2\ncrawl.mpr(sum, 1e15, { 1 / 3, [1e15] = 3.0 })\n\
                  lua_marker('A', { sum = sum, large = 1e15 })\nassert(crawl.article_a(1e100) == 'a 1e+100')\n\
                  assert(crawl.div_rand_round('0x10', 8) == 2)\n}}";
    let map = resolve(script, "A");
    assert_eq!(
        map.recorded[0].arguments,
        "0.3, 1e+15, { 0.33333333333333, [1e+15] = 3 }"
    );
    assert_eq!(map.markers[0].prop("sum"), Some("0.3"));
    assert_eq!(map.markers[0].prop("large"), Some("1e+15"));
}

#[test]
fn maps_replace_cells_of_a_level_that_may_be_overwritten() {
    let rows = "xxxxxxxxxxxx\n".repeat(3) + &"x....>.....x\n".repeat(4) + &"xxxxxxxxxxxx\n".repeat(3);
    let script = "tags('overwritable') hook('post_place', function() dgn.place_maps { tag = 'hut', count = 2 } end)";
    let runtime = placing(script, "ORIENT: encompass\n", &rows);
    let mut corners = std::collections::BTreeSet::new();
    for seed in 1..=40 {
        let resolved = done(runtime.resolve(map(&runtime, "host"), &at("D:5"), seed));
        let text = glyphs(&resolved);
        let count = |glyph: u8| text.bytes().filter(|found| *found == glyph).count();
        assert_eq!((count(b'1'), count(b'v'), count(b'>')), (2, 14, 4), "{text}");
        assert_eq!(text.len(), rows.len() - 1);
        corners.insert(text.find('v'));
    }
    assert!(corners.len() > 10, "{corners:?}");
    // Without the tag, a careful script finds the level taken.
    let runtime = placing(&script["tags('overwritable') ".len()..], "ORIENT: encompass\n", &rows);
    let resolved = done(runtime.resolve(map(&runtime, "host"), &at("D:5"), 1));
    assert_eq!((resolved.placed.len(), glyphs(&resolved) + "\n"), (2, rows));
}

#[test]
fn placing_without_a_map_or_without_end_fails_or_stops() {
    for script in ["dgn.place_map(nil, false)", "place_map(nil)", "dgn.place_maps {}"] {
        let runtime = placing(&format!("if crawl.game_started() then {script} end"), "", ".\n");
        let outcome = runtime.resolve(map(&runtime, "host"), &at("D:5"), 1);
        assert!(matches!(outcome, ResolveOutcome::Failed(_)), "{script}: {outcome:?}");
    }
    let many = "hook('post_place', function() assert(not dgn.place_maps { tag = 'hut', count = 1e9 }) end)";
    let runtime = placing(many, "", ".\n");
    let resolved = done(runtime.resolve(map(&runtime, "host"), &at("D:5"), 1));
    assert_eq!(resolved.placed.len(), 100);
    let endless = "TAGS: again allow_dup unrand\n: hook('post_place', function() dgn.place_maps { tag = 'again' } end)\nMAP\n.\nENDMAP\n";
    let both = crate::common::vaults::runtime(&[("test.des", &format!("NAME: a\n{endless}NAME: b\n{endless}"))]);
    let outcome = both.resolve(map(&both, "a"), &at("D:5"), 1);
    let ResolveOutcome::Failed(failure) = outcome else {
        panic!("{outcome:?}")
    };
    assert!(failure.message.contains("endlessly"), "{failure}");
}
