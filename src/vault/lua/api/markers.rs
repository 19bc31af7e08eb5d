//! `dgn` functions for markers, hooks, subvaults and the maps of the library.

use std::collections::BTreeMap;
use std::rc::Rc;

use mlua::{Function, Lua, Table, Value};

use super::dgn::lua_error;
use crate::vault::glyphs::Cell;
use crate::vault::lua::call::{Call, Module};
use crate::vault::lua::engine::Phase;
use crate::vault::lua::map_run::{Handle, MapRun};
use crate::vault::lua::placing::PlaceRequest;
use crate::vault::lua::program::compile;
use crate::vault::lua::strings::text_of;
use crate::vault::map::{Marker, MarkerBody};
use crate::vault::spec::{Keys, MarkerKind};

/// Adds the functions to `dgn`.
pub(crate) fn install(dgn: &Module) -> mlua::Result<()> {
    dgn.add("marker", |call| {
        let map = call.map()?;
        for index in 0..call.len() {
            let text = call.bytes(index)?;
            let spec = map.state.borrow_mut().marker(&text);
            let spec = spec.map_err(|error| lua_error(call, &error))?;
            if let MarkerKind::Lua(code) = &spec.kind {
                let make = expression(call, &map, code)?;
                place(
                    call,
                    &map,
                    &spec.keys,
                    &Value::Function(make),
                    &String::from_utf8_lossy(code),
                )?;
            }
        }
        Ok(())
    })?;
    dgn.add("lua_marker", |call| {
        let keys = Keys::new(&call.bytes(0)?);
        let map = call.map()?;
        place(call, &map, &keys, &call.value(1), "")
    })?;
    dgn.add("find_marker_positions_by_prop", marked)?;
    dgn.add("hook", hook)?;
    dgn.add("subvault", |call| {
        for index in 0..call.len() {
            let text = call.bytes(index)?;
            let map = call.map()?;
            call.engine.subvault(call.lua, &map, &text)?;
        }
        Ok(())
    })?;
    maps(dgn)
}

/// Compiles the Lua expression of a MARKER into a function in the map's environment.
fn expression(call: &Call, map: &MapRun, code: &[u8]) -> mlua::Result<Function> {
    call.engine.findings.borrow_mut().file_names[map.file].read(code);
    let code = [b"return ", code].concat();
    let function = compile(call.lua, &call.engine.file(map.file).name, &code)?;
    if let Some(env) = map.env() {
        function.set_environment(env)?;
    }
    Ok(function)
}

/// Adds a marker to each cell whose glyph is one of `keys`. The marker is the table `made_by` or, if `made_by` is a
/// function, the result of calling it for that cell.
fn place(call: &Call, map: &Rc<MapRun>, keys: &Keys, made_by: &Value, source: &str) -> mlua::Result<()> {
    let cells = map.state.borrow().cells_of_keys(keys);
    for cell in cells {
        let made = match made_by {
            Value::Function(make) => make.call::<Value>(())?,
            other => other.clone(),
        };
        let body = match made {
            Value::Table(table) => MarkerBody::Lua {
                source: source.to_owned(),
                props: properties(call.lua, &table)?,
            },
            // Only the game could create this object, so its properties are unknown.
            Value::UserData(_) => MarkerBody::Lua {
                source: source.to_owned(),
                props: Vec::new(),
            },
            other => {
                return Err(call.error(&format!(
                    "a marker must be a table, or a function that returns a table; got {}",
                    other.type_name()
                )));
            }
        };
        map.state.borrow_mut().add_marker(cell, body);
    }
    Ok(())
}

/// Maximum length of a property's value, in characters; longer values are truncated.
const LONGEST: usize = 400;

/// Returns the properties of a marker, sorted by name. These are the fields of the marker, of its tables `super`,
/// `marker` and `props`, and of the `props` within these tables. Fields that contain a table or function are skipped.
fn properties(lua: &Lua, marker: &Table) -> mlua::Result<Vec<(String, String)>> {
    let mut found = BTreeMap::new();
    read_fields(lua, marker, &mut found)?;
    for inner in ["super", "marker", "props"] {
        if let Value::Table(fields) = marker.raw_get(inner)? {
            if let Ok(Value::Table(fields)) = fields.raw_get("props") {
                read_fields(lua, &fields, &mut found)?;
            }
            read_fields(lua, &fields, &mut found)?;
        }
    }
    Ok(found.into_iter().collect())
}

fn read_fields(lua: &Lua, table: &Table, found: &mut BTreeMap<String, String>) -> mlua::Result<()> {
    for pair in table.pairs::<Value, Value>() {
        let (Value::String(name), value) = pair? else { continue };
        let text = match (text_of(lua, &value)?, value) {
            (Some(text), _) => text.to_string_lossy(),
            (None, Value::Boolean(truth)) => truth.to_string(),
            _ => continue,
        };
        found.insert(name.to_string_lossy(), text.chars().take(LONGEST).collect());
    }
    Ok(())
}

/// Returns the cells with a marker that has the property named by the first argument. If a second argument is given,
/// the property must have this value. The cells are returned as points of the helper library.
fn marked(call: &Call) -> mlua::Result<Table> {
    let (name, value) = (call.text(0)?, call.text(1).ok());
    let cells: Vec<Cell> = {
        let map = call.map()?;
        let state = map.state.borrow();
        let has = |marker: &&Marker| {
            marker
                .prop(&name)
                .is_some_and(|found| value.as_deref().is_none_or(|v| v == found))
        };
        state.markers.iter().filter(has).map(|marker| marker.cell).collect()
    };
    let list = call.lua.create_table()?;
    let point: Value = call.lua.globals().raw_get::<Table>("dgn")?.raw_get("point")?;
    for Cell { x, y } in cells {
        match &point {
            Value::Function(point) => list.raw_push(point.call::<Value>((x, y))?)?,
            _ => list.raw_push(call.lua.create_table_from([("x", x), ("y", y)])?)?,
        }
    }
    Ok(list)
}

/// Adds a function to a hook, or removes all functions from the hook if none is given.
fn hook(call: &Call) -> mlua::Result<()> {
    let name = match call.text(0)?.as_str() {
        short @ ("main" | "place" | "epilogue") => format!("post_{short}"),
        full @ ("pre_main" | "post_main" | "post_place" | "pre_epilogue" | "post_epilogue") => full.to_owned(),
        other => {
            let known = "pre_main, post_main, post_place, pre_epilogue or post_epilogue";
            return Err(call.error(&format!("unknown hook `{other}`; known hooks: {known}")));
        }
    };
    let map = call.map()?;
    match call.value(1) {
        Value::Function(function) => map.parts.borrow_mut().hooks.push((name, function)),
        Value::Nil => map.parts.borrow_mut().hooks.retain(|(hook, _)| *hook != name),
        _ => return Err(call.bad(1, "function")),
    }
    Ok(())
}

/// Adds the functions that refer to other maps of the library.
fn maps(dgn: &Module) -> mlua::Result<()> {
    dgn.add("map_by_tag", |call| {
        let tags = call.text(0)?;
        if call.engine.phase() == Phase::Compile {
            return Ok(None);
        }
        Ok(call.engine.draw(&tags, |_| true).map(|map| call.engine.reference(map)))
    })?;
    dgn.add("map_by_name", |call| {
        let name = call.text(0)?;
        let map = call.engine.shared.library.by_name(&name);
        Ok(map.map(|map| call.engine.reference(map)))
    })?;
    for name in ["map_in_depth", "map_by_place"] {
        dgn.add(name, |call| {
            call.record("dgn.");
            Ok(())
        })?;
    }
    dgn.add("place_map", place_map)?;
    dgn.add("place_maps", place_maps)?;
    dgn.add("tagged_maps_place", |call| {
        call.record("dgn.");
        Ok(true)
    })?;
    dgn.add("resolve_map", |call| {
        // A map reference is the handle of a map. `Call::map` returns the map whose handle is the first argument.
        let map = call.map()?;
        if call.engine.phase() == Phase::Compile {
            return Ok(None);
        }
        call.engine.resolve_reference(call.lua, &map)
    })
}

/// Handles `place_map(map, careful, no_exits, x, y)`: places a map of the library on the level of the running map. If
/// `x` and `y` are given, the middle of the map lies at this cell of the level.
fn place_map(call: &Call) -> mlua::Result<bool> {
    // If a script calls `place_map` without `dgn.`, the function receives the running map as an additional first
    // argument.
    let (host, map, from) = match call.value(0) {
        Value::UserData(data) => (call.map()?, Rc::clone(&data.borrow::<Handle>()?.0), 1),
        _ => (call.engine.current().map_or_else(|| call.map(), Ok)?, call.map()?, 0),
    };
    if Rc::ptr_eq(&host, &map) {
        return Err(call.error("`place_map` needs a map, such as one that `map_by_tag` returns"));
    }
    let request = PlaceRequest {
        careful: !matches!(call.value(from), Value::Boolean(false)),
        at: match (call.int(from + 2), call.int(from + 3)) {
            (Ok(x), Ok(y)) => Some(Cell { x, y }),
            _ => None,
        },
    };
    call.engine.place(call.lua, &host, &map, request)
}

/// Handles `place_maps { tag = …, count = … }`: draws `count` of the maps that have the tag, by weight, and places them
/// on the level.
fn place_maps(call: &Call) -> mlua::Result<bool> {
    let wanted = call.table(0)?;
    let host = call.map()?;
    let tags = match wanted.get("tag")? {
        Value::String(tags) => tags.to_string_lossy(),
        // The tag is an opaque value, so only the game could choose a map.
        Value::Table(_) => {
            call.record("dgn.");
            return Ok(true);
        }
        _ => return Err(call.error("`place_maps` needs a `tag`")),
    };
    let count = match wanted.get("count")? {
        Value::Nil => 1.0,
        count => call.lua.coerce_number(count)?.unwrap_or(1.0),
    };
    let request = PlaceRequest {
        careful: true,
        at: None,
    };
    // The cast saturates, so a negative count becomes 0.
    call.engine
        .place_tagged(call.lua, &host, &tags, count as usize, request)
}
