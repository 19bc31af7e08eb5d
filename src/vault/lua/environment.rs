//! Environments: which table a name is looked up in, and what stands for names that nobody defines.
//!
//! The base globals hold Lua's own functions, the modules of the game and the helper library. Each file has a
//! table of its own above them for its prelude, each map one above its file's, where every function of
//! `dgn` is bound to the map when it is first used. The tables themselves are made by `environment.lua`.

use std::rc::Rc;

use mlua::{Function, Lua, MultiValue, Table, Value};

use super::call::{Call, Module, describe_all};
use super::engine::{Engine, Handle, MapRun};

/// Stands on both sides of what an opaque value adds to a text.
pub(crate) const MARK: u8 = 1;

/// The chunk name that the sandbox leaves out of what it tells.
const OWN_CHUNK: &str = "=[wallcrawler]";

/// What makes environments.
#[derive(Debug)]
pub(crate) struct Environments {
    opaque: Function,
    module: Function,
    file_table: Function,
    map_table: Function,
}

impl Environments {
    /// Prepares the base globals; `strange` is asked for a name that they lack, and gives `"unknown"` if a
    /// recorder is to stand for it, else the value.
    ///
    /// # Errors
    ///
    /// When the memory is out.
    pub(crate) fn new(
        lua: &Lua,
        engine: &Rc<Engine>,
        dgn: &Table,
        strange: impl Fn(&Lua, &[u8]) -> mlua::Result<UndefinedName> + 'static,
    ) -> mlua::Result<Self> {
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
                engine.record(&name, &describe_all(&values));
                Ok(())
            })?
        };
        let strange = lua.create_function(move |lua, name: Value| match name {
            Value::String(name) => match strange(lua, &name.as_bytes())? {
                UndefinedName::Unknown => Ok((Some("unknown"), Value::Nil)),
                UndefinedName::Value(value) => Ok((None, value)),
            },
            _ => Ok((None, Value::Nil)),
        })?;
        let grid = Module::new(lua, engine)?;
        grid.add("mapgrd", read_glyph)?;
        grid.add("put", write_glyph)?;
        let parts: Table = lua.load(include_str!("environment.lua")).set_name(OWN_CHUNK).call((
            dgn.clone(),
            lua.globals(),
            record,
            strange,
            grid.table.raw_get::<Function>("mapgrd")?,
            grid.table.raw_get::<Function>("put")?,
            lua.create_string([MARK])?,
        ))?;
        Ok(Self {
            opaque: parts.raw_get("opaque")?,
            module: parts.raw_get("module")?,
            file_table: parts.raw_get("file_table")?,
            map_table: parts.raw_get("map_table")?,
        })
    }

    /// A value that only the game would know.
    pub(crate) fn opaque(&self, name: &str) -> mlua::Result<Value> {
        self.opaque.call(name)
    }

    /// Makes what a module lacks opaque.
    pub(crate) fn module(&self, name: &str, table: &Table) -> mlua::Result<()> {
        self.module.call((name, table))
    }

    /// The table of a file's names.
    pub(crate) fn file_table(&self) -> mlua::Result<Table> {
        self.file_table.call(())
    }

    /// The table of a map's names.
    pub(crate) fn map_table(&self, run: &Rc<MapRun>, file: &Table) -> mlua::Result<Table> {
        self.map_table.call((Handle(Rc::clone(run)), file))
    }
}

/// What a name means that the base globals lack.
pub(crate) enum UndefinedName {
    /// Nobody defines it, and the file calls it.
    Unknown,
    /// What another file defined, or nil.
    Value(Value),
}

fn is_handle(value: &Value) -> bool {
    matches!(value, Value::UserData(data) if data.is::<Handle>())
}

/// `mapgrd[x][y]`: the glyph, a space outside of the map.
fn read_glyph(call: &Call) -> mlua::Result<mlua::LuaString> {
    let (x, y) = (call.int(0)?, call.int(1)?);
    let glyph = call.map()?.state.borrow().glyphs.get(x, y);
    call.lua.create_string([glyph])
}

/// `mapgrd[x][y] = glyph`: the first byte of a text; nothing outside of the map.
fn write_glyph(call: &Call) -> mlua::Result<()> {
    let (x, y) = (call.int(0)?, call.int(1)?);
    let glyph = call.bytes(2)?.first().copied().unwrap_or(b' ');
    call.map()?.state.borrow_mut().glyphs.set(x, y, glyph);
    Ok(())
}
