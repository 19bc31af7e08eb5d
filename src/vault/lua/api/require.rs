//! `crawl_require`: loads modules of the helper library, or of the game's own library if the runtime has a loader for
//! that library.

use std::rc::Rc;

use mlua::{Lua, Table, Value};

use crate::text::{is_similar, suggest};
use crate::vault::lua::call::Module;
use crate::vault::lua::engine::Engine;
use crate::vault::lua::library;
use crate::vault::lua::program::compile;

/// Adds the functions that load modules.
pub(crate) fn install(lua: &Lua, engine: &Rc<Engine>) -> mlua::Result<()> {
    let functions = Module::new(lua, engine)?;
    for name in ["crawl_require", "require"] {
        functions.add(name, |call| {
            let path = call.text(0)?;
            call.engine.require(call.lua, &path)
        })?;
        let function: Value = functions.table.raw_get(name)?;
        lua.globals().raw_set(name, function)?;
    }
    Ok(())
}

/// Modules of the game's own library that are loaded at start. Level files load the other modules with `crawl_require`.
const GAME_START: [&str; 4] = ["dlua/init.lua", "dlua/dungeon.lua", "dlua/luamark.lua", "dlua/iter.lua"];

impl Engine {
    /// Loads the modules in [`GAME_START`] or, without a loader for the game's own library, all modules of the helper
    /// library.
    ///
    /// # Errors
    ///
    /// Fails if the library's Lua fails.
    pub(crate) fn start(self: &Rc<Self>, lua: &Lua) -> mlua::Result<()> {
        if self.shared.loader.is_some() {
            // The library's `hook` fills tables that only the game would read, so restore the runtime's own `hook`.
            let dgn: Table = lua.globals().raw_get("dgn")?;
            let hook: Value = dgn.raw_get("hook")?;
            GAME_START.iter().try_for_each(|path| self.require(lua, path))?;
            dgn.raw_set("hook", hook)
        } else {
            library::paths().try_for_each(|path| self.require(lua, path))?;
            library::OPEN.iter().try_for_each(|path| {
                let parts = path.split('.');
                let table = parts
                    .into_iter()
                    .try_fold(lua.globals(), |table, name| table.raw_get(name))?;
                self.environments()?.module(path, &table)
            })
        }
    }

    /// Loads a module unless it is loaded already. If the module does not exist, adds a note; the names that it would
    /// define are opaque.
    ///
    /// # Errors
    ///
    /// Fails if the module's Lua fails.
    pub(crate) fn require(self: &Rc<Self>, lua: &Lua, path: &str) -> mlua::Result<()> {
        let path = normal(path);
        let before = self.findings.borrow().modules.clone();
        if !self.findings.borrow_mut().modules.insert(path.clone()) {
            return Ok(());
        }
        let text = match &self.shared.loader {
            Some(loader) => loader(&path),
            None => library::module(&path).map(|text| text.as_bytes().to_vec()),
        };
        let Some(text) = text else {
            self.note(format!(
                "no module `{path}`; calls to its functions are recorded and have no effect"
            ));
            let similar = suggest(&path, library::paths()).filter(|near| is_similar(near, &path));
            if let (Some(similar), Some(place), None) = (similar, self.caller(lua), &self.shared.loader) {
                self.add_undefined(&path, Some(place), Some(similar.to_owned()));
            }
            return Ok(());
        };
        if self.shared.loader.is_some() {
            // The game's library calls functions of the game that level files do not call. Read the names in the
            // library's code, so that undefined ones become opaque.
            self.findings.borrow_mut().library_names.read(&text);
        }
        self.findings.borrow_mut().loading += 1;
        let result = compile(lua, &path, &text).and_then(|function| self.within(None, || function.call::<()>(())));
        self.findings.borrow_mut().loading -= 1;
        if result.is_err() {
            // The next map that needs the module loads it again, and also the modules that the failed one had loaded.
            self.findings.borrow_mut().modules = before;
        }
        result?;
        // A module may load others, so store the library's counters only after the outermost module has been loaded.
        if self.shared.loader.is_some() && self.findings.borrow().loading == 0 {
            self.environments()?.keep_counters()?;
        }
        Ok(())
    }
}

/// Normalizes a module path: older files write `clua` and omit the extension.
fn normal(path: &str) -> String {
    let path = path.trim().trim_start_matches("./").replace('\\', "/");
    let path = match path.strip_prefix("clua/") {
        Some(rest) => format!("dlua/{rest}"),
        None => path,
    };
    let named_lua = path
        .rsplit('.')
        .next()
        .is_some_and(|end| end.eq_ignore_ascii_case("lua"));
    if named_lua { path } else { format!("{path}.lua") }
}
