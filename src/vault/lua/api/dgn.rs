//! `dgn` functions for the running map: one function for each header, and queries about the map's glyphs.
//!
//! A header function accepts several strings; each acts as a separate header.

use mlua::Value;

use crate::vault::glyphs::Glyphs;
use crate::vault::lua::call::{CELL, Call, Module};
use crate::vault::lua::engine::Phase;
use crate::vault::lua::environment::MARK;
use crate::vault::lua::map_run::MapRun;
use crate::vault::map::{BRANCH_FLAGS, HEADERS, LEVEL_FLAGS, MapState};
use crate::vault::spec::{Orient, Ranges, SpecError};

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
        result.map_err(|error| lua_error(call, &error))
    })?;
    dgn.add("map", |call| {
        for index in 0..call.len() {
            let rows = call.bytes(index)?;
            let map = call.map()?;
            if rows.contains(&MARK) {
                note_opaque(call, "map", &rows);
                continue;
            }
            let mut state = map.state.borrow_mut();
            for row in rows.strip_suffix(b"\n").unwrap_or(&rows).split(|byte| *byte == b'\n') {
                state.append_row(row);
            }
        }
        Ok(())
    })?;
    queries(dgn)?;
    points(dgn)?;
    old(dgn)
}

/// Headers that store their text without parsing it, and therefore accept text that contains an opaque value.
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

/// Applies a header once for each argument.
fn header(call: &Call, name: &str) -> mlua::Result<()> {
    let map = call.map()?;
    // Without arguments, this loop does nothing. Some headers must return a value in this case; `queries` replaces the
    // functions of these headers.
    for index in 0..call.len() {
        // As in the game, a nil argument is ignored.
        if call.value(index).is_nil() {
            continue;
        }
        let mut text = call.bytes(index)?;
        if text.contains(&MARK) {
            if !OPAQUE_TEXT.contains(&name) {
                note_opaque(call, name, &text);
                continue;
            }
            text.retain(|byte| *byte != MARK);
        }
        let result = {
            let mut state = map.state.borrow_mut();
            let mut dice = call.engine.dice();
            state.header(name, &text, &mut dice)
        };
        result.unwrap_or(Ok(())).map_err(|error| lua_error(call, &error))?;
    }
    Ok(())
}

/// Adds a note that a function skips a text because it contains an opaque value.
fn note_opaque(call: &Call, name: &str, text: &[u8]) {
    let known: Vec<u8> = text.iter().copied().filter(|byte| *byte != MARK).collect();
    let text = String::from_utf8_lossy(&known);
    call.engine.note(format!(
        "{name}(\"{text}\") is skipped: a part of the text is known only to the game"
    ));
}

fn by_depth(call: &Call, set: fn(&mut MapState, &str, &str) -> Result<(), SpecError>) -> mlua::Result<()> {
    let (ranges, value) = (call.text(0)?, call.text(1)?);
    let map = call.map()?;
    let result = set(&mut map.state.borrow_mut(), &ranges, &value);
    result.map_err(|error| lua_error(call, &error))
}

/// Converts a header's error into a Lua error.
pub(super) fn lua_error(call: &Call, error: &SpecError) -> mlua::Error {
    call.error(&error.to_string())
}

/// Adds the functions that query the map itself.
fn queries(dgn: &Module) -> mlua::Result<()> {
    dgn.add("name", |call| Ok(call.map()?.state.borrow().name.clone()))?;
    dgn.add("has_tag", |call| {
        let tag = call.text(0)?;
        Ok(call.map()?.state.borrow().tags.has(&tag))
    })?;
    // With an argument, these functions apply a header; without one, they return the current value.
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
    for name in ["depth", "place"] {
        dgn.add(name, move |call| {
            if call.len() > 0 {
                header(call, name)?;
                return Ok(Value::Nil);
            }
            let map = call.map()?;
            let state = map.state.borrow();
            let ranges = if name == "depth" { &state.depths } else { &state.places };
            Ok(Value::String(call.lua.create_string(ranges.to_string())?))
        })?;
    }
    dgn.add("is_validating", |call| Ok(call.engine.phase() == Phase::Compile))?;
    dgn.add("original_map", |call| {
        let map = call.map()?;
        let state = map.state.borrow();
        let original = state.original.as_ref().unwrap_or(&state.glyphs);
        let rows = original.rows().map(|row| call.lua.create_string(row));
        call.lua.create_sequence_from(rows.collect::<mlua::Result<Vec<_>>>()?)
    })
}

/// Adds the functions that return positions of glyphs.
fn points(dgn: &Module) -> mlua::Result<()> {
    dgn.add("gly_point", |call| first_place(call, now))?;
    dgn.add("gly_points", |call| all_places(call, now))?;
    dgn.add("orig_gly_point", |call| first_place(call, before))?;
    dgn.add("orig_gly_points", |call| all_places(call, before))
}

type Which = fn(&MapRun, &mut dyn FnMut(&Glyphs));

/// Passes the current grid to `f`.
fn now(run: &MapRun, f: &mut dyn FnMut(&Glyphs)) {
    f(&run.state.borrow().glyphs);
}

/// Passes the original grid to `f`: the rows as written in the file, without the effects of any statement.
fn before(run: &MapRun, f: &mut dyn FnMut(&Glyphs)) {
    let state = run.state.borrow();
    f(state.original.as_ref().unwrap_or(&state.glyphs));
}

fn places(call: &Call, which: Which) -> mlua::Result<Vec<(i32, i32)>> {
    let map = call.map()?;
    let mut places = Vec::new();
    for index in 0..call.len() {
        let wanted = call.bytes(index)?;
        call.charge_cells(CELL.saturating_mul(wanted.len() as u64))?;
        for glyph in wanted {
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

/// Returns all positions as one flat list of results: x, y, x, y and so on.
fn all_places(call: &Call, which: Which) -> mlua::Result<mlua::MultiValue> {
    let places = places(call, which)?;
    let numbers = places.into_iter().flat_map(|(x, y)| [x, y]);
    Ok(numbers.map(|n| Value::Integer(n.into())).collect())
}

/// Handles `default_depth(ranges)`. In a map, sets the map's depths if it has none. In the prelude of a file, sets the
/// default depth of the file's maps.
fn default_depth(call: &Call) -> mlua::Result<()> {
    let ranges = Ranges::parse(&call.text(0)?).map_err(|error| lua_error(call, &error))?;
    match (call.engine.current(), call.engine.caller(call.lua)) {
        (Some(map), _) => map.state.borrow_mut().default_depth(&ranges),
        (None, Some((file, _))) => call.engine.set_default_depth(file, &ranges),
        (None, None) => call.record("dgn."),
    }
    Ok(())
}

/// Adds functions of older releases of the game, as listed in the game's guide of 2010.
fn old(dgn: &Module) -> mlua::Result<()> {
    dgn.add("default_depth", default_depth)?;
    for (function, name) in [("subst_remove", "subst"), ("shuffle_remove", "shuffle")] {
        dgn.add(function, move |call| remove_statements(call, name))?;
    }
    for (function, name) in [
        ("change_level_flags", LEVEL_FLAGS),
        ("change_branch_flags", BRANCH_FLAGS),
    ] {
        dgn.add(function, move |call| {
            let flags = call.text(0)?;
            let Some(run) = call.engine.current() else {
                call.record("dgn.");
                return Ok(false);
            };
            let is_changed = run.state.borrow_mut().change_flags(name, &flags);
            Ok(is_changed)
        })?;
    }
    for (function, name) in [
        ("set_level_type_origin", "level_origin"),
        ("set_level_type_name", "level_name"),
        ("set_level_name_abbrev", "level_name_abbrev"),
        ("set_level_type_name_abbrev", "level_name_abbrev"),
    ] {
        dgn.add(function, move |call| {
            let text = call.text(0)?;
            match call.engine.current() {
                Some(run) => run.state.borrow_mut().set_level_property(name, &text),
                None => call.record("dgn."),
            }
            Ok(())
        })?;
    }
    dgn.add("load_des_file", load_des_file)?;
    for name in ["mons_from_index", "item_from_index"] {
        dgn.add(name, move |call| {
            call.record("dgn.");
            call.engine.note(format!(
                "`{name}` belongs to an older release of the game; the call is recorded and has no effect"
            ));
            Ok(())
        })?;
    }
    Ok(())
}

/// Handles `subst_remove` and `shuffle_remove`: removes the earlier statements whose texts are given, or all of them if
/// no text is given.
fn remove_statements(call: &Call, name: &str) -> mlua::Result<()> {
    let map = call.map()?;
    let mut texts = vec![None];
    if call.len() > 0 {
        texts = (0..call.len())
            .map(|index| call.bytes(index).map(Some))
            .collect::<mlua::Result<_>>()?;
    }
    for text in texts {
        let removed = {
            let mut state = map.state.borrow_mut();
            let mut dice = call.engine.dice();
            state.remove_statements(name, text.as_deref(), &mut dice)
        };
        if removed.map_err(|error| lua_error(call, &error))? == 0 {
            let text = text.map_or_else(String::new, |text| format!(" `{}`", String::from_utf8_lossy(&text)));
            call.engine
                .note(format!("{name}_remove: no earlier {name} statement{text}"));
        }
    }
    Ok(())
}

/// Handles `load_des_file(name)`. Nothing has to be loaded if the library contains the file; otherwise, adds a note.
fn load_des_file(call: &Call) -> mlua::Result<()> {
    let name = call.text(0)?;
    if !call.engine.shared.library.has_file(&name) {
        call.engine.note(format!(
            "`load_des_file`: `{name}` was not found next to this file, so the maps of `{name}` are missing"
        ));
    }
    Ok(())
}
