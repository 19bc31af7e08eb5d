//! The functions that `environment.lua` needs to create the environments of files and maps: the lookup of undefined
//! names, the record of their uses, and `mapgrd`.

use std::rc::Rc;

use mlua::{Function, Lua, LuaString, MultiValue, Table, Value};

use crate::text::{counted, suggest};
use crate::vault::lua::call::{Call, Module, describe_all};
use crate::vault::lua::engine::Engine;
use crate::vault::lua::environment::{Environments, MARK};
use crate::vault::lua::failure::OWN_CHUNK;
use crate::vault::lua::map_run::Handle;

/// The meaning of a name that the base globals lack.
pub(super) enum UndefinedName {
    /// Defined nowhere, but the file needs its value.
    Opaque,
    /// The value that another file defined, or nil.
    Value(Value),
}

/// Prepares the base globals; `lookup` resolves a name that they lack: an undefined one becomes an opaque recorder.
///
/// # Errors
///
/// Fails if memory runs out.
pub(super) fn create(
    lua: &Lua,
    engine: &Rc<Engine>,
    dgn: &Table,
    lookup: impl Fn(&Lua, &[u8]) -> mlua::Result<UndefinedName> + 'static,
) -> mlua::Result<Environments> {
    let record = {
        let engine = Rc::clone(engine);
        lua.create_function(move |_, arguments: MultiValue| {
            let mut values: Vec<Value> = arguments.into_iter().collect();
            if values.is_empty() {
                return Ok(());
            }
            let name = match values.remove(0) {
                Value::String(name) => name.to_string_lossy(),
                _ => String::new(),
            };
            values.retain(|value| !is_handle(value));
            engine.mark_opaque();
            engine.record(&name, &describe_all(&values));
            Ok(())
        })?
    };
    let lookup = lua.create_function(move |lua, name: Value| match name {
        Value::String(name) => match lookup(lua, &name.as_bytes())? {
            UndefinedName::Opaque => Ok((true, Value::Nil)),
            UndefinedName::Value(value) => Ok((false, value)),
        },
        _ => Ok((false, Value::Nil)),
    })?;
    let missing = {
        let engine = Rc::clone(engine);
        lua.create_function(move |lua, (module, name, key): (Table, LuaString, Value)| {
            if let Value::String(key) = key {
                report_missing(&engine, lua, &module, &name.to_string_lossy(), &key.to_string_lossy());
            }
            Ok(())
        })?
    };
    let grid = Module::new(lua, engine)?;
    grid.add("mapgrd", read_glyph)?;
    grid.add("put", write_glyph)?;
    let parts: Table = lua
        .load(include_str!("../environment.lua"))
        .set_name(format!("={OWN_CHUNK}"))
        .call((
            dgn.clone(),
            lua.globals(),
            record,
            lookup,
            missing,
            grid.table.raw_get::<Function>("mapgrd")?,
            grid.table.raw_get::<Function>("put")?,
            lua.create_string([MARK])?,
        ))?;
    Environments::from_functions(&parts)
}

/// Reports a function that a module of the game lacks, unless the helper library requests it; the report suggests a
/// function of the module with a similar name.
fn report_missing(engine: &Engine, lua: &Lua, module: &Table, name: &str, key: &str) {
    let Some(place) = engine.direct_caller(lua) else {
        return;
    };
    // Names that were missing before are tables.
    let mut known: Vec<String> = module
        .pairs::<Value, Value>()
        .filter_map(|pair| match pair {
            Ok((Value::String(key), Value::Function(_))) => Some(key.to_string_lossy()),
            _ => None,
        })
        .collect();
    known.sort();
    let similar = suggest(key, known.iter().map(String::as_str)).map(|similar| format!("{name}.{similar}"));
    engine.add_undefined(&format!("{name}.{key}"), Some(place), similar);
}

fn is_handle(value: &Value) -> bool {
    matches!(value, Value::UserData(data) if data.is::<Handle>())
}

/// Handles `mapgrd[x][y]`: returns the glyph.
///
/// # Errors
///
/// Fails outside the map.
fn read_glyph(call: &Call) -> mlua::Result<LuaString> {
    let (x, y) = cell_of_grid(call)?;
    let glyph = call.map()?.state.borrow().glyphs.get(x, y);
    call.lua.create_string([glyph])
}

/// Handles `mapgrd[x][y] = glyph`: sets the first byte of a string.
///
/// # Errors
///
/// Fails outside the map.
fn write_glyph(call: &Call) -> mlua::Result<()> {
    let (x, y) = cell_of_grid(call)?;
    let glyph = call.bytes(2)?.first().copied().unwrap_or(b' ');
    call.map()?.state.borrow_mut().glyphs.set(x, y, glyph);
    Ok(())
}

/// Returns the column and row of a call for a cell of the map.
fn cell_of_grid(call: &Call) -> mlua::Result<(i32, i32)> {
    let (x, y) = (call.int(0)?, call.int(1)?);
    let run = call.map()?;
    let glyphs = &run.state.borrow().glyphs;
    if glyphs.holds(x, y) {
        return Ok((x, y));
    }
    let (width, height) = (glyphs.width(), glyphs.height());
    // The older guide counts from 1; this mistake shows at the last column and row.
    let from_one = if x == width as i32 || y == height as i32 {
        "; mapgrd counts from 0, so the last cell is [width() - 1][height() - 1]"
    } else {
        ""
    };
    Err(mlua::Error::runtime(format!(
        "mapgrd[{x}][{y}] is outside the map of {} and {}{from_one}",
        counted(width, "column"),
        counted(height, "row"),
    )))
}
