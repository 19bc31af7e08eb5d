//! Environments: the tables in which names are looked up, and opaque values for undefined names.
//!
//! The base globals hold Lua's own functions, the modules of the game and the helper library. Each file has a table
//! above them for its prelude, and each map has one above its file's, where every function of `dgn` is bound to the map
//! on first use. `environment.lua` creates the tables.

use std::rc::Rc;

use mlua::{Function, Lua, MultiValue, Table, Value};

use super::call::{Call, Module, describe_all};
use super::engine::{Engine, Handle, MapRun};
use crate::text::counted;

/// Marks both ends of the text that an opaque value contributes to a string.
pub(crate) const MARK: u8 = 1;

/// Chunk name of the sandbox's own Lua, which is left out of failures.
const OWN_CHUNK: &str = "=[wallcrawler]";

/// The factory of environments.
#[derive(Debug)]
pub(crate) struct Environments {
    opaque: Function,
    module: Function,
    file_table: Function,
    map_table: Function,
}

impl Environments {
    /// Prepares the base globals; `lookup` resolves a name that they lack: an undefined one becomes an opaque recorder.
    ///
    /// # Errors
    ///
    /// Fails if memory runs out.
    pub(crate) fn new(
        lua: &Lua,
        engine: &Rc<Engine>,
        dgn: &Table,
        lookup: impl Fn(&Lua, &[u8]) -> mlua::Result<UndefinedName> + 'static,
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
        let grid = Module::new(lua, engine)?;
        grid.add("mapgrd", read_glyph)?;
        grid.add("put", write_glyph)?;
        let parts: Table = lua.load(include_str!("environment.lua")).set_name(OWN_CHUNK).call((
            dgn.clone(),
            lua.globals(),
            record,
            lookup,
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

    /// Creates an opaque value, which only the game would know.
    pub(crate) fn opaque(&self, name: &str) -> mlua::Result<Value> {
        self.opaque.call(name)
    }

    /// Makes undefined names of a module opaque.
    pub(crate) fn module(&self, name: &str, table: &Table) -> mlua::Result<()> {
        self.module.call((name, table))
    }

    /// Creates the environment table of a file.
    pub(crate) fn file_table(&self) -> mlua::Result<Table> {
        self.file_table.call(())
    }

    /// Creates the environment table of a map.
    pub(crate) fn map_table(&self, run: &Rc<MapRun>, file: &Table) -> mlua::Result<Table> {
        self.map_table.call((Handle(Rc::clone(run)), file))
    }
}

/// The meaning of a name that the base globals lack.
pub(crate) enum UndefinedName {
    /// Defined nowhere, but the file needs its value.
    Opaque,
    /// The value that another file defined, or nil.
    Value(Value),
}

fn is_handle(value: &Value) -> bool {
    matches!(value, Value::UserData(data) if data.is::<Handle>())
}

/// Handles `mapgrd[x][y]`: returns the glyph.
///
/// # Errors
///
/// Fails outside of the map.
fn read_glyph(call: &Call) -> mlua::Result<mlua::LuaString> {
    let (x, y) = cell_of_grid(call)?;
    let glyph = call.map()?.state.borrow().glyphs.get(x, y);
    call.lua.create_string([glyph])
}

/// Handles `mapgrd[x][y] = glyph`: sets the first byte of a string.
///
/// # Errors
///
/// Fails outside of the map.
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
    // The older guide counts from 1, which shows at the last column and row.
    let from_one = if x == width as i32 || y == height as i32 {
        "; mapgrd counts from 0, so the last cell is [width() - 1][height() - 1]"
    } else {
        ""
    };
    Err(mlua::Error::runtime(format!(
        "mapgrd[{x}][{y}] is outside of the map of {} and {}{from_one}",
        counted(width, "column"),
        counted(height, "row"),
    )))
}
