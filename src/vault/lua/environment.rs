//! Environments: the tables in which names are looked up, and opaque values for undefined names.
//!
//! The base globals hold Lua's own functions, the modules of the game and the helper library. Each file has a table
//! above the globals for its prelude, and each map has a table above that of its file, where every function of `dgn` is
//! bound to the map on first use. `environment.lua` creates the tables, with functions of `api/environment.rs`.

use std::rc::Rc;

use mlua::{Function, Table, Value};

use super::map_run::{Handle, MapRun};

/// Marks both ends of the text that an opaque value contributes to a string.
pub(crate) const MARK: u8 = 1;

/// The factory of environments.
#[derive(Debug)]
pub(crate) struct Environments {
    opaque: Function,
    module: Function,
    file_table: Function,
    map_table: Function,
    keep_counters: Function,
    reset_counters: Function,
}

impl Environments {
    /// Creates a factory from the functions that `environment.lua` returns by name.
    ///
    /// # Errors
    ///
    /// Fails if one is missing.
    pub(crate) fn from_functions(functions: &Table) -> mlua::Result<Self> {
        Ok(Self {
            opaque: functions.raw_get("opaque")?,
            module: functions.raw_get("module")?,
            file_table: functions.raw_get("file_table")?,
            map_table: functions.raw_get("map_table")?,
            keep_counters: functions.raw_get("keep_counters")?,
            reset_counters: functions.raw_get("reset_counters")?,
        })
    }

    /// Stores the numbers among the base globals and in their tables, such as the counters of the game's library; later
    /// calls add those of modules that were loaded since.
    pub(crate) fn keep_counters(&self) -> mlua::Result<()> {
        self.keep_counters.call(())
    }

    /// Resets these numbers and removes the globals that runs have made, so that no run affects a later one. Does
    /// nothing if they were never stored.
    pub(crate) fn reset_counters(&self) -> mlua::Result<()> {
        self.reset_counters.call(())
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
