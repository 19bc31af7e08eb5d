//! What files can call: the modules `dgn`, `crawl`, `you`, `feat`, and opaque ones for the rest of the game.
//!
//! What has an answer without a game gives it; what would change or show the game is kept as a recorded call;
//! what a module does not know is opaque, and recorded when it is used. Nothing here raises an error because the
//! game is absent.

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

/// The modules of the game of which nothing is known here.
const OPAQUE: &[&str] = &[
    "mons", "moninf", "items", "item", "view", "los", "travel", "spells", "options", "file", "wiz", "tiles", "debug",
];

/// Puts all modules into the base globals of a state.
///
/// # Errors
///
/// When the memory is out.
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
    /// What a name means that the base globals lack: what the running map or any file's prelude says, else an opaque
    /// value if the running file calls it, else nil.
    fn strange(self: &Rc<Self>, lua: &Lua, name: &[u8]) -> mlua::Result<UndefinedName> {
        let run = self.current();
        let file = run.as_ref().map(|run| run.file);
        // The library looks for functions by their names, which may be of the map that runs.
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
