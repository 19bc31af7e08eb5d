//! The functions that `environment.lua` needs to create the environments of files and maps: they look up undefined
//! names, record the uses of these names, and read and write the glyph `mapgrd[x][y]` of a map.

use std::rc::Rc;

use mlua::{Function, Lua, LuaString, MultiValue, Table, Value};

use crate::text::{counted, suggest};
use crate::vault::lua::call::{Call, Module, describe_all};
use crate::vault::lua::engine::Engine;
use crate::vault::lua::environment::{Environments, MARK};
use crate::vault::lua::failure::OWN_CHUNK;
use crate::vault::lua::map_run::Handle;

/// The meaning of a name that the base globals do not define.
pub(super) enum UndefinedName {
    /// The file reads the name but nothing defines it, so it must be a value of the game.
    Opaque,
    /// The value that the running map or another file defined, or nil.
    Value(Value),
}

/// Creates the factory of environments and prepares the base globals. `lookup` resolves a name that the base globals do
/// not define; if it returns [`UndefinedName::Opaque`], the name becomes an opaque value that records its uses.
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
        lua.create_function(move |lua, arguments: MultiValue| {
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
            engine.record(&name, &describe_all(lua, &values));
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

/// Reports a name that a level file uses but that the module of the game does not define, and suggests a function of
/// the module with a similar name. Uses by the helper library are not reported.
fn report_missing(engine: &Engine, lua: &Lua, module: &Table, name: &str, key: &str) {
    let Some(place) = engine.direct_caller(lua) else {
        return;
    };
    // Suggest only functions: the module also contains a table for each undefined name that was used before.
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

/// Handles `mapgrd[x][y]`: returns the glyph of the cell.
///
/// # Errors
///
/// Fails if the cell is outside the map.
fn read_glyph(call: &Call) -> mlua::Result<LuaString> {
    let (x, y) = cell_of_grid(call)?;
    let glyph = call.map()?.state.borrow().glyphs.get(x, y);
    call.lua.create_string([glyph])
}

/// Handles `mapgrd[x][y] = glyph`: sets the cell to the first byte of a string. An opaque value leaves the cell
/// unchanged, because only the game knows the glyph.
///
/// # Errors
///
/// Fails if the cell is outside the map.
fn write_glyph(call: &Call) -> mlua::Result<()> {
    let (x, y) = cell_of_grid(call)?;
    let glyph = call.bytes(2)?.first().copied().unwrap_or(b' ');
    if glyph != MARK {
        call.map()?.state.borrow_mut().glyphs.set(x, y, glyph);
    }
    Ok(())
}

/// Returns the column and row that the first two arguments give; fails if the cell is outside the map.
fn cell_of_grid(call: &Call) -> mlua::Result<(i32, i32)> {
    let (x, y) = (call.int(0)?, call.int(1)?);
    let run = call.map()?;
    let glyphs = &run.state.borrow().glyphs;
    if glyphs.holds(x, y) {
        return Ok((x, y));
    }
    let (width, height) = (glyphs.width(), glyphs.height());
    // The game's older guide counts from 1. A script that follows it fails at the last column or row.
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
