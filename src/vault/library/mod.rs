//! The library: the maps of all loaded level files, and the choice of maps for a level.
//!
//! A [`Library`] contains the source of each map. A map's [`Profile`] (tags, depths and weights) is reliable only once
//! the map's Lua has run; a [`Catalog`] contains the profiles of a library's maps. A [`Choice`] draws one of several
//! maps and computes the probabilities. Nothing here runs Lua.

mod catalog;
mod choice;

pub use catalog::{Catalog, Profile, Used};
pub use choice::Choice;

use std::collections::BTreeMap;

use super::source::{MapSource, VaultFile};
use crate::design::{Diagnostic, Excerpt, SourcePosition};

/// The id of a map in a library: its index in load order. This is the order in which the files were given and, within
/// each file, the order of its maps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MapId(u32);

impl MapId {
    /// Returns the index in load order, from 0.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The maps of several level files.
#[derive(Debug, Default)]
pub struct Library {
    files: Vec<VaultFile>,
    /// For each map, the index of its file and its index in that file.
    maps: Vec<(usize, usize)>,
    names: BTreeMap<String, MapId>,
    problems: Vec<Diagnostic>,
}

impl Library {
    /// Creates a library from files. A map whose name is already in use gets a diagnostic and cannot be found by name.
    pub fn new(files: Vec<VaultFile>) -> Self {
        let mut library = Self {
            files,
            ..Self::default()
        };
        for (f, file) in library.files.iter().enumerate() {
            for (m, map) in file.maps.iter().enumerate() {
                let id = MapId(library.maps.len() as u32);
                library.maps.push((f, m));
                if map.name.is_empty() {
                    continue;
                }
                let Some(first) = library.names.get(&map.name) else {
                    library.names.insert(map.name.clone(), id);
                    continue;
                };
                let (of, other) = library.maps[first.index()];
                // Duplicates within one file were reported when the file was read.
                if of != f {
                    library
                        .problems
                        .push(duplicate_name(file, map, &library.files[of], other));
                }
            }
        }
        library
    }

    /// Returns whether the name or path of one of the files ends with `name`.
    pub fn has_file(&self, name: &str) -> bool {
        self.files
            .iter()
            .any(|file| std::path::Path::new(&file.name).ends_with(name))
    }

    /// Returns the files, in load order.
    pub fn files(&self) -> &[VaultFile] {
        &self.files
    }

    /// Returns the number of maps.
    pub fn len(&self) -> usize {
        self.maps.len()
    }

    /// Returns whether the library has no maps.
    pub fn is_empty(&self) -> bool {
        self.maps.is_empty()
    }

    /// Returns the ids of all maps, in load order.
    pub fn ids(&self) -> impl Iterator<Item = MapId> + use<> {
        (0..self.maps.len()).map(|index| MapId(index as u32))
    }

    /// Returns a map's source.
    ///
    /// # Panics
    ///
    /// Panics if `id` is out of range, which may happen if it belongs to another library.
    pub fn map(&self, id: MapId) -> &MapSource {
        let (file, map) = self.maps[id.index()];
        &self.files[file].maps[map]
    }

    /// Returns the file that contains a map.
    ///
    /// # Panics
    ///
    /// Panics if `id` is out of range, which may happen if it belongs to another library.
    pub fn file(&self, id: MapId) -> &VaultFile {
        &self.files[self.maps[id.index()].0]
    }

    /// Returns the map with this name.
    pub fn by_name(&self, name: &str) -> Option<MapId> {
        self.names.get(name).copied()
    }

    /// Returns the diagnostics that concern more than one file: map names that two files use. The diagnostics about a
    /// single file are stored in that [`VaultFile`].
    pub fn problems(&self) -> &[Diagnostic] {
        &self.problems
    }
}

/// Creates the diagnostic for a map whose name is already used by a map of another file.
fn duplicate_name(file: &VaultFile, map: &MapSource, first: &VaultFile, other: usize) -> Diagnostic {
    let place = first.maps.get(other).map_or(0, |map| map.line);
    Diagnostic::error(format!("a map with the same name begins at {}:{place}", first.name))
        .from_source(SourcePosition {
            file: file.name.clone(),
            line: map.line,
            column: 1,
            span: 0..0,
            text: map.name.clone(),
            excerpt: Excerpt::default(),
        })
        .help("rename one of the maps, or load only one of the files")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vault::source::read;

    #[test]
    fn maps_are_found_by_name_in_load_order() {
        let files = vec![
            read("a.des", b"NAME: one\nNAME: two\nNAME:\n"),
            read("b.des", b"NAME: three\nNAME: one\n"),
        ];
        let library = Library::new(files);
        assert_eq!(library.len(), 5);
        let names: Vec<&str> = library.ids().map(|id| library.map(id).name.as_str()).collect();
        assert_eq!(names, ["one", "two", "", "three", "one"]);
        let three = library.by_name("three").expect("a map");
        assert_eq!((three.index(), library.file(three).name.as_str()), (3, "b.des"));
        assert_eq!(library.by_name("one").map(MapId::index), Some(0));
        assert_eq!(library.by_name(""), None);
        let description: Vec<String> = library.problems().iter().map(ToString::to_string).collect();
        assert_eq!(description.len(), 1);
        assert!(description[0].starts_with("b.des:2:1: error: a map with the same name begins at a.des:1: `one`"));
    }
}
