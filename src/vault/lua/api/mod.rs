//! The modules that level files can call: `dgn`, `crawl`, `you`, `feat`, and opaque ones for the rest of the game.
//!
//! Functions that can be answered without a game are answered; functions that would change or display the game are
//! recorded as unsupported calls; names that a module does not define are opaque and recorded when used. Nothing here
//! raises an error because the game is absent.

mod cells;
mod crawl;
mod dgn;
mod level;
mod markers;
mod paint;
mod reach;
mod require;
mod you;

use std::rc::Rc;

use mlua::{Lua, Value};

use super::call::Module;
use super::engine::Engine;
use super::environment::{Environments, UndefinedName};

/// Modules of the game that are entirely opaque here.
const OPAQUE: &[&str] = &[
    "mons", "moninf", "items", "item", "view", "los", "travel", "spells", "options", "file", "wiz", "tiles", "debug",
];

/// Adds all modules to the base globals of a state.
///
/// # Errors
///
/// Fails if memory runs out.
pub(crate) fn install(lua: &Lua, engine: &Rc<Engine>) -> mlua::Result<()> {
    let dgn = Module::new(lua, engine)?;
    dgn::install(&dgn)?;
    level::install(&dgn)?;
    markers::install(&dgn)?;
    cells::install(&dgn)?;
    paint::install(&dgn)?;
    reach::install(&dgn)?;
    let environments = {
        let engine = Rc::clone(engine);
        Environments::new(lua, &Rc::clone(&engine), &dgn.table, move |lua, name| {
            engine.strange(lua, name)
        })?
    };
    let globals = lua.globals();
    let modules = [
        ("crawl", crawl::install as fn(&Module) -> mlua::Result<()>),
        ("you", you::install),
        ("feat", level::feat),
    ];
    for (name, fill) in modules {
        let module = Module::new(lua, engine)?;
        fill(&module)?;
        environments.module(name, &module.table)?;
        globals.raw_set(name, module.table)?;
    }
    environments.module("dgn", &dgn.table)?;
    globals.raw_set("dgn", dgn.table)?;
    for name in OPAQUE {
        globals.raw_set(*name, environments.opaque(name)?)?;
    }
    require::install(lua, engine)?;
    engine.equip(environments, lua.create_table()?);
    Ok(())
}

impl Engine {
    /// Resolves a name that the base globals lack: returns the value that the running map or any file's prelude
    /// defines, else an opaque value if the running file calls the name, else nil.
    fn strange(self: &Rc<Self>, lua: &Lua, name: &[u8]) -> mlua::Result<UndefinedName> {
        let run = self.current();
        let file = run.as_ref().map(|run| run.file);
        // The helper library looks up functions by name, which may be defined by the running map.
        if let Some(env) = run.and_then(|run| run.env.borrow().clone())
            && let value = env.raw_get::<Value>(lua.create_string(name)?)?
            && !value.is_nil()
        {
            return Ok(UndefinedName::Value(value));
        }
        if let Some(definer) = self.programs.definer(name) {
            let table = self.file_table(lua, definer)?;
            return Ok(UndefinedName::Value(table.raw_get::<Value>(lua.create_string(name)?)?));
        }
        let unknown = file.is_some_and(|file| {
            self.programs.files[file].names.borrow().is_unknown(name)
                || self.library_names.borrow().is_unknown_member(name)
        });
        if unknown {
            self.note(format!(
                "'{}' is unknown here: its calls are recorded and do nothing",
                String::from_utf8_lossy(name)
            ));
            return Ok(UndefinedName::Unknown);
        }
        Ok(UndefinedName::Value(Value::Nil))
    }
}
