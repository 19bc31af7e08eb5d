//! The Lua programs of a library: chunks compiled once, preludes run on demand.

use std::cell::{Cell, OnceCell, RefCell};
use std::collections::BTreeMap;

use mlua::{Function, Lua, Table, chunk::ChunkMode};

use super::names::Names;
use crate::vault::library::Library;
use crate::vault::source::{Chunk, MapSource, Role, VaultFile};

/// Number of roles that a map's Lua can have.
const ROLES: usize = 5;

/// Returns a map's chunk with this role, if it has one.
fn chunk_of(map: &MapSource, role: Role) -> Option<&Chunk> {
    map.chunks().find(|(other, _)| *other == role).map(|(_, chunk)| chunk)
}

/// Compiles a chunk of a file.
///
/// # Errors
///
/// Fails if the code is not valid Lua.
pub(crate) fn compile(lua: &Lua, file: &str, code: &[u8]) -> mlua::Result<Function> {
    lua.load(code)
        .set_name(format!("@{file}"))
        .set_mode(ChunkMode::Text)
        .into_function()
}

/// The Lua program of a file.
#[derive(Debug)]
pub(crate) struct FileProgram {
    /// Names used and assigned in its Lua.
    pub(crate) names: RefCell<Names>,
    prelude: OnceCell<Function>,
    /// The file's environment table, with the generation of the world in which it was created.
    table: RefCell<Option<(u64, Table)>>,
    /// Whether the prelude used a value that only the game knows.
    pub(crate) is_opaque: Cell<bool>,
}

impl FileProgram {
    fn new(file: &VaultFile) -> Self {
        let mut names = Names::default();
        for map in &file.maps {
            for (_, chunk) in map.chunks() {
                names.read(&chunk.code);
            }
        }
        // Other files can see only what the prelude defines.
        names.outer.clear();
        if let Some(prelude) = &file.prelude {
            names.read(&prelude.code);
        }
        Self {
            names: RefCell::new(names),
            prelude: OnceCell::new(),
            table: RefCell::default(),
            is_opaque: Cell::new(false),
        }
    }

    /// Returns the compiled prelude, if the file has one.
    ///
    /// # Errors
    ///
    /// Fails if the prelude is not valid Lua.
    pub(crate) fn prelude(&self, lua: &Lua, file: &VaultFile) -> mlua::Result<Option<Function>> {
        let Some(chunk) = &file.prelude else { return Ok(None) };
        if let Some(function) = self.prelude.get() {
            return Ok(Some(function.clone()));
        }
        let function = compile(lua, &file.name, &chunk.source())?;
        Ok(Some(self.prelude.get_or_init(|| function).clone()))
    }

    /// Returns the file's environment table if it was created in this world.
    pub(crate) fn table(&self, world: u64) -> Option<Table> {
        let table = self.table.borrow();
        table
            .as_ref()
            .filter(|(made, _)| *made == world)
            .map(|(_, table)| table.clone())
    }

    /// Stores the file's environment table for a world.
    pub(crate) fn set_table(&self, world: u64, table: Table) {
        *self.table.borrow_mut() = Some((world, table));
    }

    /// Drops the file's environment table.
    pub(crate) fn forget_table(&self) {
        *self.table.borrow_mut() = None;
    }
}

/// The Lua program of a map.
#[derive(Debug)]
pub(crate) struct MapProgram {
    /// Index of the map's file.
    pub(crate) file: usize,
    /// Index of the map in its file.
    pub(crate) index: usize,
    /// Index among all maps.
    number: usize,
    /// Number of nested runs of the map in progress.
    pub(crate) running: Cell<u32>,
}

impl MapProgram {
    /// Returns the compiled function of a chunk, cached in a Lua table because a state can hold only some thousand
    /// references from Rust.
    ///
    /// # Errors
    ///
    /// Fails if the code is not valid Lua.
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
        // A function has one environment at a time: a map nested within itself needs separate functions.
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

/// The Lua programs of all files and maps of a library.
#[derive(Debug)]
pub(crate) struct Programs {
    /// Files, in load order.
    pub(crate) files: Vec<FileProgram>,
    /// Maps, in load order.
    pub(crate) maps: Vec<MapProgram>,
    defined: BTreeMap<Vec<u8>, usize>,
}

impl Programs {
    /// Creates the programs of a library without compiling anything.
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

    /// Returns the file whose prelude assigns a name.
    pub(crate) fn definer(&self, name: &[u8]) -> Option<usize> {
        self.defined.get(name).copied()
    }
}
