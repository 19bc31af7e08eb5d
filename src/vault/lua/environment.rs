//! Environments: the tables in which Lua looks up names, and opaque values for undefined names.
//!
//! The base globals contain Lua's own functions, the modules of the game and the helper library. Each file has a table
//! for the names that its prelude defines; names missing there are looked up in the base globals. Each map also has a
//! table. Names missing there are looked up among the functions of `dgn`, which are bound to the map on first use, and
//! then in the file's table. `environment.lua` creates the tables with functions from `api/environment.rs`.

use std::rc::Rc;

use mlua::{Function, Table, Value};

use super::map_run::{Handle, MapRun};

/// Byte before and after the text that an opaque value contributes to a string.
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
    /// Creates a factory from the table that `environment.lua` returns, which contains the functions under their names.
    ///
    /// # Errors
    ///
    /// Fails if one of the functions is missing.
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

    /// Stores every number that is a base global or lies in a table that is a base global, such as the counters of the
    /// game's library. Later calls add the numbers of modules that were loaded in the meantime.
    pub(crate) fn keep_counters(&self) -> mlua::Result<()> {
        self.keep_counters.call(())
    }

    /// Restores the numbers that [`Self::keep_counters`] stored, and removes the globals that runs have created, so
    /// that no run affects a later one. Does nothing if no numbers were stored.
    pub(crate) fn reset_counters(&self) -> mlua::Result<()> {
        self.reset_counters.call(())
    }

    /// Creates an opaque value: a placeholder for a value that only the game knows.
    pub(crate) fn opaque(&self, name: &str) -> mlua::Result<Value> {
        self.opaque.call(name)
    }

    /// Makes a module return an opaque value for every name that it does not define.
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
