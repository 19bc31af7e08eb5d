//! The layouts of the helper library: whole levels drawn by Lua.
#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

use std::collections::BTreeSet;

use crate::common::vaults::{glyphs, lua, resolve, resolve_at, still};
use wallcrawler::vault::map::ResolvedMap;

/// Returns the number of connected zones of floor (eight neighbours) in a map's glyphs, and the number of floor cells.
fn zones(map: &ResolvedMap) -> (usize, usize) {
    let open = |x: i32, y: i32| map.cell(x, y).is_some_and(|cell| cell.feature.is_traversable());
    let (width, height) = (map.width as i32, map.height as i32);
    let mut seen = BTreeSet::new();
    let (mut zones, mut ground) = (0, 0);
    for y in 0..height {
        for x in 0..width {
            if !open(x, y) || !seen.insert((x, y)) {
                continue;
            }
            zones += 1;
            let mut todo = vec![(x, y)];
            while let Some((x, y)) = todo.pop() {
                ground += 1;
                for (dx, dy) in (-1..=1).flat_map(|dx| (-1..=1).map(move |dy| (dx, dy))) {
                    let next = (x + dx, y + dy);
                    if open(next.0, next.1) && seen.insert(next) {
                        todo.push(next);
                    }
                }
            }
        }
    }
    (zones, ground)
}

#[test]
fn layouts_draw_connected_levels_that_differ() {
    let layouts = [
        "build_vaults_ring_layout(_G, 5, 20)",
        "build_vaults_cross_layout(_G)",
        "build_vaults_big_room_layout(_G, 10, 20)",
        "build_vaults_chaotic_city_layout(_G, 5, 0.5)",
        "build_vaults_maze_layout(_G)",
        "build_vaults_maze_snakey_layout(_G)",
        "build_vaults_maze_bifur_layout(_G)",
        "build_vaults_layout(_G, 'Omnigrid', layout_primitive_omnigrid(), { max_rooms = 20 })",
    ];
    for layout in layouts {
        let text = still(&format!("ORIENT: encompass\n: {layout}"), "");
        let maps = [1, 2].map(|seed| resolve_at(&text, "Vaults:2", seed));
        for map in &maps {
            assert_eq!((map.width, map.height), (80, 70), "{layout}");
            let (zones, ground) = zones(map);
            assert_eq!(zones, 1, "{layout}");
            assert!(ground > 250, "{layout}: {ground}");
        }
        assert_ne!(glyphs(&maps[0]), glyphs(&maps[1]), "{layout}");
    }
}

#[test]
fn whole_levels_in_one_call() {
    for layout in [
        "layout_basic",
        "layout_bigger_room",
        "layout_chaotic_city",
        "layout_shoals",
        "layout_swamp",
    ] {
        let text = still(
            &format!("ORIENT: encompass\n: if not is_validating() then {layout}() end"),
            "",
        );
        let map = resolve_at(&text, "D:5", 4);
        assert_eq!((map.width, map.height), (80, 70), "{layout}");
        assert!(zones(&map).1 > 500, "{layout}");
    }
}

#[test]
fn zones_areas_and_grids() {
    let zoned = resolve(": zonify.map_fill_zones(_G, 1, 'x')", "...x.\nxxxxx\n.x..x");
    assert_eq!(glyphs(&zoned), "...xx\nxxxxx\nxxxxx");
    let lava = resolve(": zonify.map_fill_lava_zones(_G, 1, 'x')", "..lx.\nxxxxx\nllxxx");
    assert_eq!(glyphs(&lava), "..lxx\nxxxxx\nxxxxx");
    lua(r#"
        assert(minimum_map_area.is_map_big_enough(_G, 1) and not minimum_map_area.is_map_big_enough(_G, 2))
        assert(minimum_map_area.OPEN_CAVES > minimum_map_area.OTHER and minimum_map_area.DIVISIONS > 0)
        local areas = layout.get_areas_around_primary_vault(_G, 2, 3, 40, 50)
        assert(areas[1].x_min == 2 and areas[1].y_max == 50)
        zonify.grid_fill_water_zones(1, "tree")
        local bounds = omnigrid.padded_bounds(2, 10)
        assert(bounds.x1 >= 2 and bounds.x1 <= 10 and bounds.x2 == 79 - bounds.x1)
        local cells = omnigrid.subdivide(0, 0, 39, 29, { guaranteed_divides = 7, minimum_size = 4,
            subdivide_initial_chance = 0, subdivide_level_multiplier = 0.9 })
        local area = 0
        for _, cell in ipairs(cells) do
            area = area + (cell.x2 - cell.x1 + 1) * (cell.y2 - cell.y1 + 1)
            for _, b in ipairs(cell.borders) do
                assert(b.inverse.inverse == b and b.of == cell and b.inverse.of == b.with and b.len >= 1)
            end
        end
        assert(area == 1200 and #cells >= 4, #cells)
        local groups = omnigrid.connect { grid = cells, max_iterations = 500, min_groups = 2 }
        assert(#groups == 2, #groups)
        assert(#groups[1] + #groups[2] == #cells)
        local rooms, ways = { count = 0 }, { count = 0 }
        local a, b = geoelf.add_room(rooms, 3, 3, 2), geoelf.add_room(rooms, 12, 3, 2)
        local way = geoelf.add_corridor(rooms, ways, a, b, geoelf.directions.E, nil)
        assert(rooms.count == 2 and rooms[a].corridor[geoelf.directions.E] == way)
        assert(rooms[b].corridor[geoelf.directions.W] == way)
        assert(theme.room_material() and #theme.room_material() == 1)
        assert(procedural.radial(0, 0, 5)(3, 4) == 1)
        assert(procedural.border(11, 11)(5, 5) > procedural.border(11, 11)(0, 5))
    "#);
    let text = still(
        "{{\nextend_map { width = 30, height = 12, fill = 'x' }\n\
         local rooms, ways = { count = 0 }, { count = 0 }\n\
         local a = geoelf.add_room(rooms, 5, 5, 3)\nlocal b = geoelf.add_room(rooms, 22, 6, 3)\n\
         geoelf.add_corridor(rooms, ways, a, b, geoelf.directions.E, nil)\n\
         geoelf.generate(_G, rooms, ways, 0, 0, false, false)\n}}",
        "",
    );
    let halls = resolve_at(&text, "Elf:1", 2);
    assert_eq!(zones(&halls).0, 1);
    assert!(halls.cell(5, 5).unwrap().feature.is_traversable() && halls.cell(22, 6).unwrap().feature.is_traversable());
}

#[test]
fn noise_shapes_a_level() {
    let cave = |seed| {
        let text = "ORIENT: encompass\n{{\nextend_map { width = 40, height = 30, fill = 'x' }\n\
                    local f = procedural.mul(procedural.simplex3d { scale = 1 }, procedural.border { x2 = 39, y2 = 29, padding = 4 })\n\
                    for x = 0, 39 do for y = 0, 29 do if f(x, y) > 0.4 then mapgrd[x][y] = '.' end end end\n}}";
        resolve_at(&still(text, ""), "D:5", seed)
    };
    let maps = [1, 2, 3].map(cave);
    for map in &maps {
        let (zones, ground) = zones(map);
        assert!(
            (100..1000).contains(&ground) && zones < 30,
            "{zones} zones, {ground} cells"
        );
    }
    assert_ne!(glyphs(&maps[0]), glyphs(&maps[1]));
    assert_eq!(glyphs(&cave(1)), glyphs(&maps[0]));
    lua(r#"
        local a, b, p, q = crawl.worley(1.5, 2.5, 3.5)
        assert(a <= b and p ~= q and crawl.worley_diff(1.5, 2.5, 3.5) == b - a)
        assert(crawl.simplex(1.5, 2) == crawl.simplex(1.5, 2, 0, 0) and crawl.simplex(0.3) ~= crawl.simplex(0.4))
        for _, name in ipairs { "worley", "worley_diff", "noise" } do
            local least, most = procedural.minmax_map(0, 0, 30, 30, procedural[name] { scale = 2, xoff = 5, yoff = 6, z = 7 })
            assert(least >= 0 and most <= 1 and most - least > 0.3, name)
        end
        assert(procedural.radial { x = 3, y = 3 }(3, 9) == 0.25 and procedural.radial { x = 3, y = 3 }(3, 3) == 0)
        local two, three = procedural.constant(2), procedural.constant(3)
        assert(procedural.add(two, three)(0, 0) == 5 and procedural.min(two, three)(0, 0) == 2)
        assert(procedural.max(two, three)(0, 0) == 3 and procedural.invert(two)(0, 0) == -1)
        assert(procedural.map(two, 0, 4, 10, 20)(0, 0) == 15)
        assert(procedural.mix({ two, 1 }, { three, 2 })(0, 0) == 8)
    "#);
}
