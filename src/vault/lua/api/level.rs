//! `dgn` functions for the level and the game: branches, features by name and number, and queries about the placed map.

use mlua::Value;

use crate::design::feature::{Class, Feature};
use crate::text::fnv1a;
use crate::vault::lua::call::{Call, Module};
use crate::vault::spec::{Branch, LEVEL_SIZE, Level};

/// Width of the border that a level keeps free on each side, in squares.
const BORDER: i32 = 2;

/// Adds the functions of `dgn` that need no map.
pub(crate) fn install(dgn: &Module) -> mlua::Result<()> {
    branches(dgn)?;
    features(dgn)?;
    ground(dgn)?;
    dgn.constants("zot_orb_type", "orb of fire")?;
    for name in ["map_parameters", "items_at", "find_markers_by_prop"] {
        dgn.add(name, |call| call.lua.create_table())?;
    }
    // Event types only need distinct numbers, so a hash of the name is enough.
    dgn.add(
        "dgn_event_type",
        |call| Ok(fnv1a(call.text(0)?.bytes()) % 1_000_000 + 1),
    )?;
    dgn.recorded("dgn.", FOR_THE_GAME)
}

/// Functions that need a running game; calls to them are recorded.
const FOR_THE_GAME: &str = "\
    create_monster create_item monster_spec item_spec mons_at mons_from_mid dismiss_monsters set_random_mon_list \
    spawn_random_rate terrain_changed fprop_changed place_cloud apply_area_cloud delete_cloud noisy place_transporter \
    register_listener register_lua_marker remove_listener remove_marker num_matching_markers dgn_event \
    change_floor_colour change_rock_colour change_floor_tile change_rock_tile tile_feat_changed tile_floor_changed \
    tile_rock_changed lev_floortile lev_rocktile lfloorcol_changed lrockcol_changed set_branch_epilogue \
    set_border_fill_type set_floor_colour set_rock_colour apply_tide seen_replace_feat seen_destroy_feat floor_halo \
    fill_disconnected_zones bless reset_level debug_dump_map debug_dump_unused_maps debug_vault_memory test_make_level \
    clear_temp_terrain set_lt_callback marker_at_pos";

fn branches(dgn: &Module) -> mlua::Result<()> {
    let (width, height) = (LEVEL_SIZE.0 as i32, LEVEL_SIZE.1 as i32);
    dgn.add("max_bounds", move |_| Ok((width, height)))?;
    dgn.table.raw_set("GXM", width)?;
    dgn.table.raw_set("GYM", height)?;
    // Layouts pass this width and height to `extend_map`.
    dgn.add("builder_bounds", move |_| Ok((width - 2 * BORDER, height - 2 * BORDER)))?;
    for name in ["level_name", "level_id"] {
        dgn.add(name, level_name)?;
    }
    dgn.add("br_depth", |call| Ok(branch(call)?.levels()))?;
    dgn.add("br_exists", |call| {
        Ok(Branch::by_name(&call.text(0)?).is_some_and(exists))
    })?;
    dgn.add("br_entrance", |call| {
        // The entrance may be on any level from `first` to `last`; assume the middle one.
        let Some((parent, first, last)) = branch(call)?.entry() else {
            return Ok((String::new(), None));
        };
        let level = Level::new(parent, u32::midpoint(first, last));
        Ok((level.to_string(), Some(level.depth)))
    })?;
    dgn.add("br_parent_branch", |call| {
        Ok(branch(call)?.entry().map(|(parent, _, _)| parent.name()))
    })?;
    dgn.constants("br_has_been_seen br_has_shops br_is_brief", false)
}

/// Returns the full name of the level that the first argument names, or of the player's level if there is no argument.
/// A name that is not the name of a level, such as the name of the entrance to the main dungeon, is returned unchanged.
fn level_name(call: &Call) -> mlua::Result<String> {
    if call.value(0).is_nil() {
        return Ok(call.engine.world().level.to_string());
    }
    let name = call.text(0)?;
    Ok(Level::parse(&name).map_or(name, |level| level.to_string()))
}

/// Returns the branch named by the first argument, or the player's branch if there is no argument.
fn branch(call: &Call) -> mlua::Result<Branch> {
    if call.len() == 0 || call.value(0).is_nil() {
        return Ok(call.engine.world().level.branch);
    }
    Branch::parse(&call.text(0)?).map_err(|error| call.error(&error.to_string()))
}

/// Returns whether a branch exists in the assumed game, which contains two of the Lair's four alternative branches and
/// no branch that newer releases have removed.
fn exists(branch: Branch) -> bool {
    !["Shoals", "Spider", "Hive", "Blade", "Forest", "Dwarf", "Lab"].contains(&branch.name())
}

fn features(dgn: &Module) -> mlua::Result<()> {
    for name in ["feature_number", "fnum"] {
        dgn.add(name, |call| {
            let name = call.text(0)?;
            Ok(Feature::by_name(&name).map_or(0, number))
        })?;
    }
    for name in ["feature_name", "fname"] {
        dgn.add(name, |call| Ok(of_number(call, 0).map_or("unseen", Feature::name)))?;
    }
    dgn.add("feature_desc", |call| Ok(description(of_number(call, 0))))?;
    dgn.add("feature_desc_at", |call| Ok(description(at(call)?)))?;
    dgn.add("in_bounds", |call| {
        let (x, y) = (call.int(0)?, call.int(1)?);
        Ok(x > 0 && y > 0 && x < LEVEL_SIZE.0 as i32 - 1 && y < LEVEL_SIZE.1 as i32 - 1)
    })
}

fn description(feature: Option<Feature>) -> String {
    feature.map_or("unseen", Feature::name).replace('_', " ")
}

/// Returns the number by which Lua code refers to a feature. Numbers begin at 1; 0 means no feature.
fn number(feature: Feature) -> u32 {
    u32::from(feature.number()) + 1
}

/// Returns the feature that an argument gives by number or by name.
fn of_number(call: &Call, index: usize) -> Option<Feature> {
    if let Value::String(name) = call.value(index) {
        return Feature::by_name(&name.to_string_lossy());
    }
    let number = call.int_or(index, 0);
    u8::try_from(number.saturating_sub(1)).ok().and_then(Feature::of_number)
}

/// Adds queries about squares of the level. They use the placed map; squares outside it have no feature.
fn ground(dgn: &Module) -> mlua::Result<()> {
    dgn.add("grid", |call| {
        if call.len() > 2 {
            call.record("dgn.");
            return Ok(0);
        }
        Ok(at(call)?.map_or(0, number))
    })?;
    dgn.add("is_passable", |call| Ok(at(call)?.is_some_and(Feature::is_traversable)))?;
    dgn.add("is_wall", |call| Ok(at(call)?.is_some_and(is_wall)))?;
    dgn.constants(
        "has_adjacent_floor fprop_at items_at_exist is_opaque tele_in_loc_sane in_vault",
        false,
    )?;
    dgn.constants(
        "get_floor_colour get_rock_colour colour_at get_floor_tile get_rock_tile",
        "lightgrey",
    )
}

/// Returns whether a feature is a wall, opaque or transparent.
fn is_wall(feature: Feature) -> bool {
    matches!(feature.class(), Class::Wall | Class::ClearWall)
}

/// Returns the feature of a square of the level if the running map is placed and covers the square.
fn at(call: &Call) -> mlua::Result<Option<Feature>> {
    let (x, y) = (call.int(0)?, call.int(1)?);
    let Ok(run) = call.map() else { return Ok(None) };
    if !run.parts.borrow().is_placed {
        return Ok(None);
    }
    let state = run.state.borrow();
    Ok(state.feature(x, y))
}

/// Adds the functions to `env`. In the game, they act on the level during play.
pub(crate) fn env(module: &Module) -> mlua::Result<()> {
    module.add("spawn_random_rate", |call| {
        let rate = call.int(0)?.to_string();
        match call.engine.current() {
            Some(run) => run.state.borrow_mut().set_level_property("spawn_random_rate", &rate),
            None => call.record("env."),
        }
        Ok(())
    })
}

/// Adds the functions to `feat`. They query properties of a feature, given by number or by name.
pub(crate) fn feat(feat: &Module) -> mlua::Result<()> {
    feat.add("is_solid", |call| Ok(of_number(call, 0).is_none_or(Feature::is_solid)))?;
    feat.add("is_wall", |call| Ok(of_number(call, 0).is_none_or(is_wall)))?;
    feat.add("is_traversable", |call| {
        Ok(of_number(call, 0).is_some_and(Feature::is_traversable))
    })?;
    feat.add("has_solid_floor", |call| {
        Ok(of_number(call, 0).is_some_and(Feature::is_traversable))
    })?;
    feat.add("has_dry_floor", |call| {
        Ok(of_number(call, 0).is_some_and(|f| f.is_traversable() && !f.name().contains("water")))
    })?;
    feat.add("is_closed_door", |call| {
        Ok(of_number(call, 0).is_some_and(Feature::is_shut_door))
    })?;
    feat.add("is_open_door", |call| {
        Ok(of_number(call, 0).is_some_and(|feature| feature.class() == Class::Door && !feature.is_shut_door()))
    })?;
    for (name, class) in [
        ("is_altar", Class::Altar),
        ("is_trap", Class::Trap),
        ("is_tree", Class::Tree),
        ("is_statuelike", Class::Statue),
        ("is_fountain", Class::Fountain),
        ("is_door", Class::Door),
    ] {
        feat.add(name, move |call| {
            Ok(of_number(call, 0).is_some_and(|feature| feature.class() == class))
        })?;
    }
    for (name, part) in [
        ("is_water", "water"),
        ("is_watery", "water"),
        ("is_lava", "lava"),
        ("is_staircase", "stairs"),
        ("is_stone_stair", "stone_stairs"),
        ("is_escape_hatch", "escape_hatch"),
        ("is_gate", "gate"),
    ] {
        feat.add(name, move |call| {
            Ok(of_number(call, 0).is_some_and(|feature| feature.name().contains(part)))
        })?;
    }
    Ok(())
}
