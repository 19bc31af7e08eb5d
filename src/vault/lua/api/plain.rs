//! Lua's own functions that depend on the current run: `print`, `math.random` and `math.randomseed`.

use std::rc::Rc;

use mlua::{Lua, Table, Value};

use crate::vault::lua::call::{Call, Module, describe_all};
use crate::vault::lua::engine::Engine;

/// Maximum length of the text of one call to `print`, in characters; longer text is truncated.
const LONGEST: usize = 500;

/// Adds the functions to the base globals.
///
/// # Errors
///
/// Fails if memory runs out.
pub(super) fn install(lua: &Lua, engine: &Rc<Engine>) -> mlua::Result<()> {
    let plain = Module::new(lua, engine)?;
    plain.add("print", |call| {
        print(call);
        Ok(())
    })?;
    plain.add("random", random)?;
    // The map's seed determines all draws, so a script cannot set another one.
    plain.add("randomseed", |_| Ok(()))?;
    let globals = lua.globals();
    globals.raw_set("print", plain.table.raw_get::<Value>("print")?)?;
    let math: Table = globals.raw_get("math")?;
    for name in ["random", "randomseed"] {
        math.raw_set(name, plain.table.raw_get::<Value>(name)?)?;
    }
    Ok(())
}

/// Stores the text of a call to `print`, with its file and line, for the author of the map.
fn print(call: &Call) {
    let text = |value: &Value| match value {
        Value::String(text) => text.to_string_lossy(),
        other => describe_all(call.lua, std::slice::from_ref(other)),
    };
    let texts: Vec<String> = call.values().iter().map(text).collect();
    let text: String = texts.join(" ").chars().take(LONGEST).collect();
    let place = call.engine.caller(call.lua);
    call.engine.print(place, &text);
}

/// Handles `math.random`. Without arguments, returns a number from 0 (included) to 1 (excluded); with `m`, an integer
/// from 1 to `m`; with `m` and `n`, an integer from `m` to `n`.
fn random(call: &Call) -> mlua::Result<f64> {
    let (low, high) = match call.len() {
        0 => return Ok(f64::from(call.engine.dice().below(1 << 24)) / f64::from(1 << 24)),
        1 => (1, call.int(0)?),
        _ => (call.int(0)?, call.int(1)?),
    };
    if low > high {
        return Err(call.error("bad argument to 'random' (interval is empty)"));
    }
    Ok(f64::from(call.engine.dice().range(low, high)))
}
