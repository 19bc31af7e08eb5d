//! The Lua of a library's files as functions: chunks compiled once, preludes run when they are needed.

use std::cell::{Cell, OnceCell, RefCell};
use std::collections::BTreeMap;

use mlua::{Function, Lua, Table, chunk::ChunkMode};

use super::names::Names;
use crate::vault::library::Library;
use crate::vault::source::{Chunk, MapSource, Role, VaultFile};

/// How many roles a map's Lua can have.
const ROLES: usize = 5;

/// The chunk of a map with this role, if it has one.
fn chunk_of(map: &MapSource, role: Role) -> Option<&Chunk> {
    map.chunks().find(|(other, _)| *other == role).map(|(_, chunk)| chunk)
}

/// Compiles a chunk of a file.
///
/// # Errors
///
/// When it is not Lua.
pub(crate) fn compile(lua: &Lua, file: &str, code: &[u8]) -> mlua::Result<Function> {
    lua.load(code)
        .set_name(format!("@{file}"))
        .set_mode(ChunkMode::Text)
        .into_function()
}

/// A file as the runtime knows it.
#[derive(Debug)]
pub(crate) struct FileProgram {
    /// What the names of its Lua are.
    pub(crate) names: RefCell<Names>,
    prelude: OnceCell<Function>,
    /// The names of its prelude, and in which world they were made.
    table: RefCell<Option<(u64, Table)>>,
}

impl FileProgram {
    fn new(file: &VaultFile) -> Self {
        let mut names = Names::default();
        for map in &file.maps {
            for (_, chunk) in map.chunks() {
                names.read(&chunk.code);
            }
        }
        // Only what the prelude defines can be seen by other files.
        names.outer.clear();
        if let Some(prelude) = &file.prelude {
            names.read(&prelude.code);
        }
        Self {
            names: RefCell::new(names),
            prelude: OnceCell::new(),
            table: RefCell::default(),
        }
    }

    /// The function of its prelude.
    ///
    /// # Errors
    ///
    /// When it is not Lua.
    pub(crate) fn prelude(&self, lua: &Lua, file: &VaultFile) -> mlua::Result<Option<Function>> {
        let Some(chunk) = &file.prelude else { return Ok(None) };
        if let Some(function) = self.prelude.get() {
            return Ok(Some(function.clone()));
        }
        let function = compile(lua, &file.name, &chunk.source())?;
        Ok(Some(self.prelude.get_or_init(|| function).clone()))
    }

    /// Its table of names, if it was made in this world.
    pub(crate) fn table(&self, world: u64) -> Option<Table> {
        let table = self.table.borrow();
        table
            .as_ref()
            .filter(|(made, _)| *made == world)
            .map(|(_, table)| table.clone())
    }

    /// Keeps its table of names for a world.
    pub(crate) fn set_table(&self, world: u64, table: Table) {
        *self.table.borrow_mut() = Some((world, table));
    }

    /// Forgets its table.
    pub(crate) fn forget_table(&self) {
        *self.table.borrow_mut() = None;
    }
}

/// A map as the runtime knows it.
#[derive(Debug)]
pub(crate) struct MapProgram {
    /// Index of its file.
    pub(crate) file: usize,
    /// Index in its file.
    pub(crate) index: usize,
    /// Its number among all maps.
    number: usize,
    /// How many of its runs are on, one within the other.
    pub(crate) running: Cell<u32>,
}

impl MapProgram {
    /// The function of one of its chunks, kept in a table of Lua: a state bears only some thousand references of
    /// Rust at once.
    ///
    /// # Errors
    ///
    /// When it is not Lua.
    pub(crate) fn chunk(
        &self,
        lua: &Lua,
        compiled: &Table,
        file: &VaultFile,
        role: Role,
    ) -> mlua::Result<Option<Function>> {
        let Some(chunk) = chunk_of(&file.maps[self.index], role) else {
            return Ok(None);
        };
        // A function has one environment at a time: a map within itself needs functions of its own.
        if self.running.get() > 1 {
            return compile(lua, &file.name, &chunk.source()).map(Some);
        }
        let key = self.number * ROLES + role as usize + 1;
        if let Some(function) = compiled.raw_get(key)? {
            return Ok(Some(function));
        }
        let function = compile(lua, &file.name, &chunk.source())?;
        compiled.raw_set(key, &function)?;
        Ok(Some(function))
    }
}

/// All files and maps of a library.
#[derive(Debug)]
pub(crate) struct Programs {
    /// Files, in the order in which they were loaded.
    pub(crate) files: Vec<FileProgram>,
    /// Maps, in the order of the files.
    pub(crate) maps: Vec<MapProgram>,
    defined: BTreeMap<Vec<u8>, usize>,
}

impl Programs {
    /// The programs of a library; nothing is compiled yet.
    pub(crate) fn new(library: &Library) -> Self {
        let mut programs = Self {
            files: Vec::new(),
            maps: Vec::new(),
            defined: BTreeMap::new(),
        };
        for (index, file) in library.files().iter().enumerate() {
            let program = FileProgram::new(file);
            for name in &program.names.borrow().outer {
                programs.defined.entry(name.clone()).or_insert(index);
            }
            programs.files.push(program);
            let first = programs.maps.len();
            programs.maps.extend((0..file.maps.len()).map(|i| MapProgram {
                file: index,
                index: i,
                number: first + i,
                running: Cell::new(0),
            }));
        }
        programs
    }

    /// The file whose prelude gives a name a value.
    pub(crate) fn definer(&self, name: &[u8]) -> Option<usize> {
        self.defined.get(name).copied()
    }
}
