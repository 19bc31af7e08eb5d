//! The Lua programs of a library. Each chunk is compiled once, when it is first needed.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};

use mlua::{Function, Lua, Table, chunk::ChunkMode};

use super::names::Names;
use crate::vault::library::Library;
use crate::vault::source::{Chunk, MapSource, Role, VaultFile};

/// Number of roles that a map's Lua can have.
const ROLES: usize = 5;

/// Returns a map's chunk for `role`; `None` if the map has no chunk for this role.
fn chunk_of(map: &MapSource, role: Role) -> Option<&Chunk> {
    map.chunks().find(|(other, _)| *other == role).map(|(_, chunk)| chunk)
}

/// Compiles a chunk of Lua that belongs to `file`.
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
#[derive(Debug, Default)]
pub(crate) struct FileProgram {
    prelude: OnceCell<Function>,
}

/// Returns the names used and assigned in the Lua of a file.
fn names_of(file: &VaultFile) -> Names {
    let mut names = Names::default();
    for map in &file.maps {
        for (_, chunk) in map.chunks() {
            names.read(&chunk.code);
        }
    }
    // Other files can use only what the prelude defines, so drop the outer names of the maps.
    names.outer.clear();
    if let Some(prelude) = &file.prelude {
        names.read(&prelude.code);
    }
    names
}

impl FileProgram {
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
}

/// The Lua program of a map.
#[derive(Debug)]
pub(crate) struct MapProgram {
    /// Index of the map's file.
    pub(crate) file: usize,
    /// Index of the map in its file.
    pub(crate) index: usize,
    /// Index of the map among all maps of the library.
    number: usize,
}

impl MapProgram {
    /// Returns the compiled function of the map's chunk for `role`; `None` if the map has no chunk for this role. If
    /// `compiled` is given, functions are cached in this Lua table. A cache in Rust would be too small: a Lua state
    /// supports only a few thousand references from Rust.
    ///
    /// # Errors
    ///
    /// Fails if the code is not valid Lua.
    pub(crate) fn chunk(
        &self,
        lua: &Lua,
        compiled: Option<&Table>,
        file: &VaultFile,
        role: Role,
    ) -> mlua::Result<Option<Function>> {
        let Some(chunk) = chunk_of(&file.maps[self.index], role) else {
            return Ok(None);
        };
        let Some(compiled) = compiled else {
            return compile(lua, &file.name, &chunk.source()).map(Some);
        };
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
    /// Creates the programs of a library without compiling anything. Also returns the names in the Lua of each file.
    pub(crate) fn new(library: &Library) -> (Self, Vec<Names>) {
        let mut programs = Self {
            files: Vec::new(),
            maps: Vec::new(),
            defined: BTreeMap::new(),
        };
        let names: Vec<Names> = library.files().iter().map(names_of).collect();
        for (index, file) in library.files().iter().enumerate() {
            for name in &names[index].outer {
                programs.defined.entry(name.clone()).or_insert(index);
            }
            programs.files.push(FileProgram::default());
            let first = programs.maps.len();
            programs.maps.extend((0..file.maps.len()).map(|i| MapProgram {
                file: index,
                index: i,
                number: first + i,
            }));
        }
        (programs, names)
    }

    /// Returns the names that preludes define.
    pub(crate) fn defined(&self) -> BTreeSet<String> {
        let names = self.defined.keys();
        names.map(|name| String::from_utf8_lossy(name).into_owned()).collect()
    }

    /// Returns the index of the first file whose prelude defines a name.
    pub(crate) fn definer(&self, name: &[u8]) -> Option<usize> {
        self.defined.get(name).copied()
    }
}
