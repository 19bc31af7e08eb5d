//! The modules that level files can call: `dgn`, `crawl`, `you`, `feat`, `env`, and opaque modules for the rest of the
//! game.
//!
//! Functions that can return a value without a running game do so. Calls to functions that would change or display the
//! game are recorded as unsupported calls. A name that a module does not define is an opaque value: a placeholder whose
//! uses are recorded. An opaque module is itself such a value. The absence of the game never makes a function fail.

mod cells;
mod crawl;
mod dgn;
mod environment;
mod level;
mod markers;
mod paint;
mod plain;
mod reach;
mod require;
mod you;

use std::collections::BTreeSet;
use std::rc::Rc;

use mlua::debug::Debug;
use mlua::{Lua, Table, Value};

use super::call::Module;
use super::engine::Engine;
use super::meter::TRACE_LEVELS;
use crate::text::{is_similar, suggest};
use environment::UndefinedName;

/// Opaque modules: modules of the game whose functions Wallcrawler does not implement.
const OPAQUE: &[&str] = &[
    "mons", "moninf", "items", "item", "view", "los", "travel", "spells", "options", "file", "wiz", "tiles", "debug",
    "colour", "color",
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
        environment::create(lua, &Rc::clone(&engine), &dgn.table, move |lua, name| {
            engine.lookup(lua, name)
        })?
    };
    let globals = lua.globals();
    let modules = [
        ("crawl", crawl::install as fn(&Module) -> mlua::Result<()>),
        ("you", you::install),
        ("feat", level::feat),
        ("env", level::env),
    ];
    for (name, fill) in modules {
        let module = Module::new(lua, engine)?;
        fill(&module)?;
        environments.module(name, &module.table)?;
        globals.raw_set(name, module.table)?;
    }
    environments.module("dgn", &dgn.table)?;
    globals.raw_set("dgn", dgn.table)?;
    plain::install(lua, engine)?;
    for name in OPAQUE {
        globals.raw_set(*name, environments.opaque(name)?)?;
    }
    require::install(lua, engine)?;
    engine.set_environments(environments, lua.create_table()?);
    Ok(())
}

impl Engine {
    /// Resolves a name that the base globals do not define: returns the value that the running map or any file's
    /// prelude defines. Without such a value, returns an opaque value if the running file, or the game's own library,
    /// uses the name but never assigns it; otherwise, returns nil.
    fn lookup(self: &Rc<Self>, lua: &Lua, name: &[u8]) -> mlua::Result<UndefinedName> {
        let run = self.current();
        // The running map may define functions that the helper library looks up by name.
        if let Some(env) = run.as_ref().and_then(|run| run.env())
            && let value = env.raw_get::<Value>(lua.create_string(name)?)?
            && !value.is_nil()
        {
            return Ok(UndefinedName::Value(value));
        }
        if let Some(definer) = self.shared.programs.definer(name) {
            let table = self.file_table(lua, definer)?;
            return Ok(UndefinedName::Value(table.raw_get::<Value>(lua.create_string(name)?)?));
        }
        let place = self.caller(lua);
        let file = place.as_ref().map(|(file, _)| *file).or(run.map(|run| run.file));
        let undefined = file.is_some_and(|file| {
            let findings = self.findings.borrow();
            findings.file_names[file].is_undefined(name) || findings.library_names.is_undefined_member(name)
        });
        if undefined {
            self.mark_opaque();
            self.note(format!(
                "`{}` is not defined: calls to it are recorded and do nothing",
                String::from_utf8_lossy(name)
            ));
            let name = String::from_utf8_lossy(name);
            if !self.findings.borrow().undefined.contains_key(&*name) {
                let similar = self.similar_to(lua, &name)?;
                self.add_undefined(&name, place, similar);
            }
            return Ok(UndefinedName::Opaque);
        }
        Ok(UndefinedName::Value(Value::Nil))
    }

    /// Returns the name of the function that a misspelt name probably means. The function may belong to `dgn`, to the
    /// base globals (which include the helper library) or to a prelude. In a map's chunk, the functions of `dgn` can be
    /// called without `dgn.`; elsewhere, the returned name of such a function begins with `dgn.`.
    fn similar_to(&self, lua: &Lua, name: &str) -> mlua::Result<Option<String>> {
        let mut known: BTreeSet<String> = self.shared.programs.defined();
        let globals = lua.globals();
        let dgn: Table = globals.raw_get("dgn")?;
        for table in [globals, dgn.clone()] {
            for pair in table.pairs::<Value, Value>() {
                if let (Value::String(name), Value::Function(_)) = pair? {
                    known.insert(name.to_string_lossy());
                }
            }
        }
        let near = suggest(name, known.iter().map(String::as_str));
        let Some(near) = near.filter(|near| is_similar(near, name)) else {
            return Ok(None);
        };
        let is_outside = near == name || self.current().is_none();
        let needs_module = is_outside && dgn.raw_get::<Value>(near)?.is_function();
        Ok(Some(if needs_module {
            format!("dgn.{near}")
        } else {
            near.to_owned()
        }))
    }

    /// Returns the index and the current line of the level file whose Lua is running. If several level files are on the
    /// call stack, this is the innermost one.
    pub(super) fn caller(&self, lua: &Lua) -> Option<(usize, u32)> {
        self.callers(lua).flatten().next()
    }

    /// Returns the index and the current line of the level file whose Lua is running; `None` if a library function that
    /// it called is running.
    pub(super) fn direct_caller(&self, lua: &Lua) -> Option<(usize, u32)> {
        self.callers(lua).next().flatten()
    }

    /// Returns the files on the Lua call stack, innermost first: the index and line of a level file, or `None` for a
    /// library.
    fn callers<'a>(&'a self, lua: &'a Lua) -> impl Iterator<Item = Option<(usize, u32)>> + 'a {
        let place = |debug: &Debug| {
            let source = debug.source().source?;
            let name = source.strip_prefix('@')?;
            let file = self.shared.library.files().iter().position(|file| file.name == name);
            Some(file.zip(debug.current_line().map(|line| line as u32)))
        };
        (0..TRACE_LEVELS)
            .map_while(move |level| lua.inspect_stack(level, place))
            .flatten()
    }
}
