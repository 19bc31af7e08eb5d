//! `dgn` of the map: headers as functions, and questions about the map's own glyphs.
//!
//! A header's function may be given several texts; each acts like a header of its own.

use mlua::Value;

use crate::vault::glyphs::Glyphs;
use crate::vault::lua::call::{Call, Module};
use crate::vault::lua::engine::{MapRun, Phase};
use crate::vault::lua::environment::MARK;
use crate::vault::map::{HEADERS, MapState};
use crate::vault::spec::{Orient, SpecError};

/// Adds the functions of `dgn` that act on the map.
pub(crate) fn install(dgn: &Module) -> mlua::Result<()> {
    for name in HEADERS {
        dgn.add(name, move |call| header(call, name))?;
    }
    dgn.add("depth_weight", |call| by_depth(call, MapState::depth_weight))?;
    dgn.add("depth_chance", |call| by_depth(call, MapState::depth_chance))?;
    dgn.add("set_feature_name", |call| {
        let (feature, name) = (call.text(0)?, call.text(1)?);
        let map = call.map()?;
        let result = map.state.borrow_mut().set_feature_name(&feature, &name);
        result.map_err(|error| refuse(call, &error))
    })?;
    dgn.add("map", |call| {
        for index in 0..call.len() {
            let rows = call.bytes(index)?;
            let map = call.map()?;
            let mut state = map.state.borrow_mut();
            for row in rows.split(|byte| *byte == b'\n') {
                state.add_row(row);
            }
        }
        Ok(())
    })?;
    about(dgn)?;
    points(dgn)?;
    old(dgn)
}

/// Headers that keep their text as it is; an opaque part of it hurts nothing.
const OPAQUE_TEXT: [&str; 14] = [
    "mons",
    "item",
    "kmons",
    "kitem",
    "colour",
    "color",
    "ftile",
    "rtile",
    "tile",
    "desc",
    "lfloortile",
    "lrocktile",
    "lfloorcol",
    "lrockcol",
];

/// A header, once for each argument.
fn header(call: &Call, name: &str) -> mlua::Result<()> {
    let map = call.map()?;
    // Without arguments most of these ask; what there is to tell is told by `about`.
    for index in 0..call.len() {
        // A variable that has no value yet says nothing, as in the game.
        if call.value(index).is_nil() {
            continue;
        }
        let mut text = call.bytes(index)?;
        if text.contains(&MARK) {
            text.retain(|byte| *byte != MARK);
            if !OPAQUE_TEXT.contains(&name) {
                let text = String::from_utf8_lossy(&text);
                call.engine
                    .note(format!("{name}(\"{text}\") is left out: only the game knows all of it"));
                continue;
            }
        }
        let result = {
            let mut state = map.state.borrow_mut();
            let mut dice = call.engine.dice();
            state.header(name, &text, &mut dice)
        };
        result.unwrap_or(Ok(())).map_err(|error| refuse(call, &error))?;
    }
    Ok(())
}

fn by_depth(call: &Call, set: fn(&mut MapState, &str, &str) -> Result<(), SpecError>) -> mlua::Result<()> {
    let (ranges, value) = (call.text(0)?, call.text(1)?);
    let map = call.map()?;
    let result = set(&mut map.state.borrow_mut(), &ranges, &value);
    result.map_err(|error| refuse(call, &error))
}

/// What a header says against its text.
pub(super) fn refuse(call: &Call, error: &SpecError) -> mlua::Error {
    call.error(&error.to_string())
}

/// What a map may ask about itself.
fn about(dgn: &Module) -> mlua::Result<()> {
    dgn.add("name", |call| Ok(call.map()?.state.borrow().name.clone()))?;
    dgn.add("has_tag", |call| {
        let tag = call.text(0)?;
        Ok(call.map()?.state.borrow().tags.has(&tag))
    })?;
    // With a text these are headers; without one they tell.
    dgn.add("tags", |call| {
        if call.len() > 0 {
            header(call, "tags")?;
            return Ok(Value::Nil);
        }
        let tags = call.map()?.state.borrow().tags.to_string();
        Ok(Value::String(call.lua.create_string(tags)?))
    })?;
    dgn.add("orient", |call| {
        if call.len() > 0 {
            header(call, "orient")?;
            return Ok(None);
        }
        Ok(call.map()?.state.borrow().orient.map(Orient::name))
    })?;
    dgn.add("is_validating", |call| Ok(call.engine.phase() == Phase::Compile))?;
    dgn.add("original_map", |call| {
        let map = call.map()?;
        let state = map.state.borrow();
        let original = state.original.as_ref().unwrap_or(&state.glyphs);
        let rows = original.rows().map(|row| call.lua.create_string(row));
        call.lua.create_sequence_from(rows.collect::<mlua::Result<Vec<_>>>()?)
    })
}

/// Places of glyphs.
fn points(dgn: &Module) -> mlua::Result<()> {
    dgn.add("gly_point", |call| first_place(call, now))?;
    dgn.add("gly_points", |call| all_places(call, now))?;
    dgn.add("orig_gly_point", |call| first_place(call, before))?;
    dgn.add("orig_gly_points", |call| all_places(call, before))
}

type Which = fn(&MapRun, &mut dyn FnMut(&Glyphs));

/// The grid as it is.
fn now(run: &MapRun, f: &mut dyn FnMut(&Glyphs)) {
    f(&run.state.borrow().glyphs);
}

/// The grid as the file has it.
fn before(run: &MapRun, f: &mut dyn FnMut(&Glyphs)) {
    let state = run.state.borrow();
    f(state.original.as_ref().unwrap_or(&state.glyphs));
}

fn places(call: &Call, which: Which) -> mlua::Result<Vec<(i32, i32)>> {
    let map = call.map()?;
    let mut places = Vec::new();
    for index in 0..call.len() {
        for glyph in call.bytes(index)? {
            which(&map, &mut |glyphs| {
                places.extend(glyphs.find(glyph).map(|cell| (cell.x, cell.y)));
            });
        }
    }
    Ok(places)
}

fn first_place(call: &Call, which: Which) -> mlua::Result<(Option<i32>, Option<i32>)> {
    Ok(match places(call, which)?.first() {
        Some((x, y)) => (Some(*x), Some(*y)),
        None => (None, None),
    })
}

/// All places, as one long list of results: x, y, x, y and so on.
fn all_places(call: &Call, which: Which) -> mlua::Result<mlua::MultiValue> {
    let places = places(call, which)?;
    let numbers = places.into_iter().flat_map(|(x, y)| [x, y]);
    Ok(numbers.map(|n| Value::Integer(n.into())).collect())
}

/// What older releases had: each does nothing and says so.
fn old(dgn: &Module) -> mlua::Result<()> {
    for name in [
        "default_depth",
        "shuffle_remove",
        "subst_remove",
        "mons_from_index",
        "item_from_index",
        "change_level_flags",
        "change_branch_flags",
        "set_level_type_origin",
        "set_level_type_name",
        "set_level_name_abbrev",
        "set_level_type_name_abbrev",
        "load_des_file",
    ] {
        dgn.add(name, move |call| {
            call.record("dgn.");
            call.engine.note(format!(
                "'{name}' is of an older release: it is recorded and does nothing"
            ));
            Ok(())
        })?;
    }
    Ok(())
}
