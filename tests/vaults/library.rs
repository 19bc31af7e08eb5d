//! The helper library of vaults: each family of functions, tested by small vaults that use it.
#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

use crate::common::vaults::{glyphs, lua, resolve, resolve_at, still};
use wallcrawler::vault::map::{Marker, ResolvedMap};

#[test]
fn lists_and_texts() {
    lua(r#"
        assert(util.join(", ", { 1, "b", 3 }) == "1, b, 3")
        assert(util.join(" / ", {}) == "")
        local parts = util.split(",", "a, b ,c")
        assert(#parts == 3 and parts[2] == "b")
        assert(util.split("a/b", "/")[2] == "b")
        assert(util.trim("  x y ") == "x y")
        assert(util.expand("a {b} {c}", { b = 1 }) == "a 1 {c}")
        assert(util.contains({ 1, 2 }, 2) and not util.contains({ 1, 2 }, 3))
        assert(util.join("", util.keys({ b = 1, a = 2, [3] = 0, [1] = 0 })) == "13ab")
        assert(util.join("", util.values({ b = 1, a = 2 })) == "21")
        assert(util.join("", util.map(function(a, b) return a + b end, { 1, 2 }, { 10, 20 })) == "1122")
        local seen = {}
        util.foreach({ 4, 5 }, function(v) seen[#seen + 1] = v end)
        assert(util.join("", seen) == "45")
        assert(util.join("", util.filter(function(v) return v > 1 end, { 1, 2, 3 })) == "23")
        local yes, no = util.partition(function(v) return v % 2 == 0 end, { 1, 2, 3, 4 })
        assert(util.join("", yes) == "24" and util.join("", no) == "13")
        assert(util.fold(function(a, b) return a .. b end, "", { 1, 2 }) == "12")
        assert(util.index_of({ "a", "b" }, "b") == 2)
        assert(util.join("", util.append({ 1 }, { 2 }, { 3, 4 })) == "1234")
        assert(util.join("", util.slice({ 1, 2, 3, 4 }, 2, -2)) == "23")
        assert(util.join("", util.reverse({ 1, 2, 3 })) == "321")
        assert(util.join("", util.sort({ 3, 1, 2 })) == "123")
        assert(util.join("", util.range(4)) == "1234" and util.join("", util.range(2, 6, 2)) == "246")
        assert(util.equal({ 1, { 2 } }, { 1, { 2 } }) and not util.equal({ 1 }, { 1, 2 }))
        assert(util.set({ "a" }).a)
        assert(util.exists({ 1, 2 }, function(v) return v == 2 end) and util.forall({}, error))
        assert(util.curry(function(a, b) return a - b end, 5)(3) == 2)
    "#);
}

#[test]
fn random_choices_follow_their_weights() {
    lua(r#"
        local count = { a = 0, b = 0, c = 0 }
        for _ = 1, 3000 do
            local value = util.random_choose_weighted({ { "a", 1 }, { "b", 3 }, { "c", 0 } })
            count[value] = count[value] + 1
        end
        assert(count.c == 0, "weight 0 came up")
        -- 750 are expected; 600 and 900 lie more than six standard deviations off.
        assert(count.a > 600 and count.a < 900, count.a)
        assert(util.random_choose_weighted({ { "a", 0 } }) == nil)
        assert(util.random_choose_weighted_i({ { "a", 0 }, { "b", 2 } }) == 2)
        local entry = util.random_weighted_from("w", { { i = 1, w = 0 }, { i = 2, w = 5 } })
        assert(entry.i == 2)
        assert(util.random_weighted_from(function(e) return e end, { 0, 4 }) == 4)
        assert(util.random_weighted_keys({ x = 0, y = 2 }) == "y")
        for _ = 1, 50 do
            local subset = util.random_subset({ 1, 2, 3, 4, 5 }, 3)
            assert(#subset == 3)
            assert(subset[1] ~= subset[2] and subset[2] ~= subset[3] and subset[1] ~= subset[3])
        end
        assert(#util.random_subset({ 1, 2 }, 9) == 2)
        local value = util.random_range_real(2, 3)
        assert(value >= 2 and value <= 3)
        assert(util.random_from({ 7 }) == 7 and util.random_from({}) == nil)
        local shuffled = util.shuffle({ 1, 2, 3, 4 })
        assert(util.join("", util.sort(shuffled)) == "1234")
    "#);
}

#[test]
fn points_and_iterators() {
    lua(r#"
        local a, b = dgn.point(1, 2), dgn.point({ 3, 4 })
        assert(a + b == dgn.point(4, 6) and b - a == dgn.point(2, 2) and -a == dgn.point(-1, -2))
        assert(a ~= b and a * 2 == dgn.point(2, 4))
        local x, y = b:xy()
        assert(x == 3 and y == 4 and a:distance(b) == 2)
        assert(#dgn.points({ 1, 2 }, { 3, 4 }) == 2)
        local function count(iterator)
            local n = 0
            for p in iterator do n = n + 1 + 0 * (p.x + p.y) end
            return n
        end
        assert(count(iter.rect_iterator(b, a)) == 9)
        assert(count(iter.rect_iterator(a, b, function(p) return p.x == 1 end)) == 3)
        assert(count(iter.border_iterator(dgn.point(0, 0), dgn.point(3, 3))) == 12)
        assert(count(iter.circle_iterator(1, a)) == 5)
        assert(count(iter.adjacent_iterator(false, nil, a)) == 8)
        assert(count(iter.orthogonal_iterator(a)) == 4)
        assert(count(iter.line_iterator(dgn.point(0, 0), dgn.point(5, 2))) == 6)
        assert(count(iter.point_iterator({ a, b })) == 2)
        assert(count(iter.replica_iterator("any", 1)) == 0)
        assert(count(iter.map_iterator(_G)) == 1)
    "#);
    let map = resolve(
        "{{\nfor p in iter.border_iterator(dgn.point(1, 1), dgn.point(3, 2)) do mapgrd[p.x][p.y] = 'x' end\n}}",
        ".....\n.....\n.....\n.....",
    );
    assert_eq!(glyphs(&map), ".....\n.xxx.\n.xxx.\n.....");
}

#[test]
fn a_subvault_is_filled_by_its_cells() {
    let text = "NAME: outer\nTAGS: unrand no_exits no_rotate no_hmirror no_vmirror\nSUBVAULT: A : inner\n\
        MAP\n.A.x\nAAAx\nA..x\nENDMAP\n\
        NAME: inner\nTAGS: inner unrand no_exits\n: default_subvault_glyphs()\n\
        : for p in iter.subvault_iterator(_G) do mapgrd[p.x][p.y] = 'G' end\nMAP\nENDMAP\n";
    // It is never rotated out of its place, whatever the random draws.
    for seed in 0..20 {
        assert_eq!(glyphs(&resolve_at(text, "D:5", seed)), ".G.x\nGGGx\nG..x");
    }
}

/// Returns the class and the properties of all markers of a map.
fn markers(map: &ResolvedMap) -> Vec<&Marker> {
    map.markers.iter().collect()
}

#[test]
fn markers_keep_their_arguments() {
    let cases = [
        ("one_way_stair { dst = 'garden', desc = 'a gate' }", "dst", "garden"),
        (
            "timed_marker { dst = 'garden', low = 3, high = 5, msg = timed_msg { verb = 'ringing' } }",
            "dst",
            "garden",
        ),
        ("timed_marker { turns = 600, disappear = 'gone' }", "disappear", "gone"),
        (
            "fog_machine { cloud_type = 'flame', pow_max = 10 }",
            "cloud_type",
            "flame",
        ),
        ("chained_fog_machine { cloud_type = 'flame' }", "cloud_type", "flame"),
        ("props_marker { veto_destroy = 'veto' }", "veto_destroy", "veto"),
        (
            "MonPropsMarker:new { description = 'What a sight!' }",
            "description",
            "What a sight!",
        ),
        ("portal_desc { desc = 'a door' }", "desc", "a door"),
        ("portal_desc 'a door'", "desc", "a door"),
        ("transp_loc('here')", "transp_loc", "here"),
        ("transp_dest_loc('here')", "transp_dest_loc", "here"),
        ("hatch_name('down')", "hatch_name", "down"),
        ("hatch_dest_name('down')", "hatch_dest_name", "down"),
        ("restrict_door { reason = 'lock' }", "reason", "lock"),
        ("monster_on_death { death_monster = 'rat' }", "death_monster", "rat"),
        (
            "TriggerableFunction:new { func = 'callback.f', repeated = true }",
            "func",
            "callback.f",
        ),
        ("function_at_spot('callback.f', { n = 1 }, true)", "func", "callback.f"),
        ("message_at_spot('Hush.')", "msg", "Hush."),
        ("tutorial_msg('lesson one')", "message", "lesson one"),
    ];
    for (marker, prop, value) in cases {
        let header = resolve(&format!("MARKER: A = lua:{marker}"), ".A.");
        let call = resolve(&format!(": lua_marker('A', {marker})"), ".A.");
        for map in [header, call] {
            let found = markers(&map);
            assert_eq!(found.len(), 1, "{marker}");
            assert_eq!(found[0].prop(prop), Some(value), "{marker}");
            assert_eq!((found[0].cell.x, found[0].cell.y), (1, 0), "{marker}");
        }
    }
    // Also with no arguments at all.
    for marker in [
        "restrict_door()",
        "fog_machine {}",
        "props_marker {}",
        "one_way_stair {}",
        "timed_marker {}",
    ] {
        assert_eq!(
            resolve(&format!("MARKER: A = lua:{marker}"), "A").markers.len(),
            1,
            "{marker}"
        );
    }
}

#[test]
fn triggers_accept_triggerers_and_their_cells_know_the_first() {
    lua(r#"
        local tm = TriggerableFunction:new { func = "callback.f", repeated = true, data = { n = 1 } }
        tm:add_triggerer(DgnTriggerer:new { type = "pressure_plate" })
        assert(tm.func == "callback.f" and tm.data.n == 1 and #tm.triggerers == 1)
        assert(tm.triggerers[1].type == "pressure_plate")
        tm:remove_all_triggerers()
        assert(#tm.triggerers == 0)
        assert(timed_marker({ low = 9, high = 2 }).low == 2)
        local turns = timed_marker({ low = 2, high = 9 }):draw_turns()
        assert(turns >= 2 and turns <= 9)
        function callback.own() end
        assert(type(callback.own) == "function")
    "#);
    let map = resolve(
        ": lua_marker('A', Triggerable.synchronized_markers(function_at_spot('callback.f', {}, true)))",
        "A.A",
    );
    let replicas: Vec<_> = markers(&map).iter().map(|marker| marker.prop("replica")).collect();
    assert_eq!(replicas, [Some("false"), Some("true")]);
}

#[test]
fn decorations_and_statues_are_features_with_colours_tiles_and_names() {
    let cases = [
        (
            "decorative_floor(_G, 'AB', 'flower patch')",
            "decorative_floor",
            "flower patch",
        ),
        (
            "decorative_floor(_G, 'AB', 'a thing never heard of')",
            "decorative_floor",
            "a thing never heard of",
        ),
        (
            "vault_metal_statue_setup(_G, 'AB', 'iron statue')",
            "metal_statue",
            "iron statue",
        ),
        (
            "vault_granite_statue_setup(_G, 'AB', 'gravestone')",
            "granite_statue",
            "gravestone",
        ),
    ];
    for (call, feature, name) in cases {
        let map = resolve(&format!(": {call}"), "A.B");
        for x in [0, 2] {
            let cell = map.cell(x, 0).unwrap();
            assert_eq!(cell.feature.name(), feature, "{call}");
            assert!(cell.colour.is_some() && cell.tile.is_some(), "{call}");
        }
        assert_eq!(map.cell(1, 0).unwrap().feature.name(), "floor");
        assert!(
            map.feature_names.iter().any(|(f, n)| f.name() == feature && n == name),
            "{call}"
        );
    }
    let snakes = resolve(": snake_statue_setup(_G, 'g')", "g");
    assert_eq!(snakes.cell(0, 0).unwrap().feature.name(), "granite_statue");
}

#[test]
fn further_vault_helpers_have_their_effect() {
    let cloud = resolve(": single_cloud(_G, 'F', 'flame', false)", "F.F");
    assert_eq!(cloud.markers.len(), 2);
    assert_eq!(cloud.markers[0].prop("cloud_type"), Some("flame"));

    let hard = resolve(": vaults_hard_standard(_G)", ".");
    assert!(hard.tags.has("vaults_hard") && hard.tags.has("no_monster_gen"));

    let gate = resolve_at(&still(": zot_entry_setup(_G, true)", "O"), "Depths:4", 1);
    assert_eq!(gate.cell(0, 0).unwrap().feature.name(), "enter_zot");

    let walls = resolve(
        ": init_hm_decor_walldepth(_G, 'x')\n: tile('c = ' .. crackle_def(_G))",
        "xc",
    );
    assert!(walls.cells.iter().flatten().all(|cell| cell.tile.is_some()));

    let themed = resolve(": index_vaults_room_themes(_G, 1)", "x.");
    assert!(themed.cell(0, 0).unwrap().tile.is_some());

    let doors = resolve(": door_vault_setup(_G)", "aaa\n+++\n+++");
    let features: Vec<&str> = doors.cells.iter().flatten().map(|cell| cell.feature.name()).collect();
    assert_eq!(
        features,
        [["runed_door"; 3], ["closed_door"; 3], ["closed_door"; 3]].concat()
    );
    let alone = |marker: &Marker| marker.prop("connected_exclude") == Some("true");
    assert_eq!(doors.markers.iter().filter(|marker| alone(marker)).count(), 9);

    let rooms = resolve(
        ": ks_random_setup(_G, true)",
        "ccFcFcc\ncw.H.wc\n+..t..ED\ncwxxxwc\nccccccc",
    );
    assert_eq!(glyphs(&rooms).matches(['F', 'D', 'E', 'H']).count(), 0);

    let serpent = resolve_at(&still(": serpent_of_hell_setup(_G)", "D"), "Dis:7", 1);
    assert!(serpent.cell(0, 0).unwrap().monster.is_some());
}

#[test]
fn item_and_monster_text() {
    lua(r#"
        assert(dgn.random_item_def({ dagger = 5, rapier = 10 }, "venom", nil, "|")
            == "dagger ego:venom w:5 | rapier ego:venom")
        assert(dgn.random_item_def({ "club" }) == "club")
        assert(dgn.random_item_def({ { "club", 3 } }, nil, "randart") == "club randart w:3")
        assert(dgn.random_item_def({ club = 2, mace = 3 }, { venom = 1, chaos = 4 })
            == "club ego:chaos w:8 / club ego:venom w:2 / mace ego:chaos w:12 / mace ego:venom w:3")
        assert(dgn.random_item_def({ "club" }, { venom = 1, chaos = 4 }) == "club ego:chaos w:4 / club ego:venom w:1")
        assert(dgn.random_entry_arg("rat / bat w:3", "hd:5") == "rat hd:5 / bat w:3 hd:5")
        assert(dgn.random_entry_arg("rat | bat", "w:5", "|") == "rat w:5 | bat w:5")
        assert(string.find(dgn.monster_weapon("kobold", { venom = 1, chaos = 4 }), "club ego:chaos w:4 | club ego:venom w:1", 1, true))
        assert(string.find(dgn.monster_weapon("kobold", "flaming"), "ego:flaming", 1, true))
        assert(string.find(dgn.monster_weapon("never heard of"), "dagger", 1, true))
        assert(string.find(scythe("flaming"), "ego:flaming", 1, true) and not string.find(scythe(), "ego", 1, true))
        for _, name in ipairs({ "loot_potions", "loot_scrolls", "good_scrolls", "good_aux_armour" }) do
            assert(type(dgn[name]) == "string")
        end
        for _, category in ipairs({ "dungeon", "all", "anything" }) do
            assert(string.find(vault_species_skeletons(_G, category), "human skeleton", 1, true))
        end
        assert(type(master_elementalist_setup(_G, true)) == "string")
        assert(count_pan_runes() == 0)
    "#);
    let map = resolve(
        ": dgn.delayed_decay(_G, 'd', 'human corpse')\n: dgn.delayed_decay_extra(_G, 'e', 'orc corpse', 'stone q:1')",
        "de",
    );
    let items = |x| {
        map.cell(x, 0)
            .unwrap()
            .items
            .iter()
            .map(ToString::to_string)
            .collect::<Vec<_>>()
    };
    assert_eq!(items(0), ["human corpse"]);
    assert_eq!(items(1), ["orc corpse", "stone q:1"]);
    let blades = resolve("MONS: a, b, c, d\n: hall_of_blades_weapon(_G)", "567");
    for x in 0..3 {
        let monster = blades.cell(x, 0).unwrap().monster.clone().unwrap();
        assert!(monster.contains("dancing weapon"), "{monster}");
    }
}

#[test]
fn unknown_helpers_are_recorded_and_ignored() {
    let lines = [
        ": util.never_heard_of(3)",
        ": for p in iter.odd_iterator(1) do subst('A = x') end",
        ": theme.paint_it(_G)",
        ": local m = TriggerableOdd:new {} m:add_triggerer(OddTriggerer:new {}) lua_marker('A', m)",
        ": local m = fog_machine {} m:odd_method(3) lua_marker('A', m)",
        ": dgn.unknown_thing(_G, 'x')",
        ": tile('x = ' .. unknown_helper(_G))",
        ": mons('rat ; ' .. dgn.odd_weapon('rat') .. ' . robe')",
        "MARKER: A = lua:odd_marker { a = 1 }",
        ": local n = odd_number() + 3 if n > 99 then subst('A = x') end",
        ": crawl_require('dlua/odd.lua') odd.setup(_G)",
        ": mons(odd_list[crawl.random2(3) + 1])",
        ": kmons('q = ' .. util.random_from(odd_table()))",
        ": local wide = crawl.random_range(1, odd_number()) assert(wide == 1)",
        // Exact values are left out where only the game knows them.
        ": subst('A = ' .. odd_glyph(_G))",
        ": nsubst('A = ' .. odd_number() .. ':x / *:x')",
        ": kfeat('A = ' .. odd_feature())",
        ": weight(odd_number())",
        ": tags(odd_tag())",
    ];
    for line in lines {
        let map = resolve(line, "A.x");
        assert_eq!(glyphs(&map), "A.x", "{line}");
        assert_eq!(map.cell(0, 0).unwrap().feature.name(), "stone_arch", "{line}");
        for text in map.recorded.iter().map(|call| &call.arguments).chain(&map.notes) {
            assert!(!text.contains('\u{1}'), "{line}: {text:?}");
        }
    }
    let needed = [
        ": local set = { rat = { halo = 1 } } local chosen = set[odd_key()] kfeat('A = ' .. chosen.halo)",
        ": if odd_number() > 3 then subst('A = x') end",
        ": for i = 1, odd_table() do subst('A = x') end",
        ": fill_area { x1 = 0, y1 = 0, x2 = 0, y2 = 0, fill = odd_fill() } subst('. = A')",
    ];
    for line in needed {
        assert_eq!(
            glyphs(&resolve(line, "A.x")),
            if line.contains("fill") { "xAx" } else { "A.x" },
            "{line}"
        );
    }
    let map = resolve(": kfeat('A = ' .. odd_feature())", "A");
    assert!(
        map.notes.iter().any(|note| note.contains("odd_feature")),
        "{:?}",
        map.notes
    );
    let map = resolve(
        ": tile('A = ' .. odd_tile())\n: kmons('A = rat ; ' .. odd_weapon())",
        "A",
    );
    let cell = map.cell(0, 0).unwrap();
    assert_eq!(cell.tile.as_deref(), Some("odd_tile()"));
    assert_eq!(cell.monster.as_deref(), Some("rat ; odd_weapon()"));
}
