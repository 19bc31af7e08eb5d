//! The helper library: Lua of our own that stands in for the game's own where level files use it.
//!
//! Level files call many functions that no level file defines: the game loads them at its start or on
//! `crawl_require("dlua/…")`. Here are functions of the same names, written from their uses in level files and
//! from the language's description alone. What shows on a grid they do (features, colours, tiles, names, painted
//! ground); monsters and items stay text; what happens in play is left out, and each file says what that is.
//! `--crawl-data` replaces all of this by a player's own copy of the game's.

/// One file of the library: the path by which level files ask for it, and its Lua.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Module {
    /// As in `crawl_require(path)`; also the chunk's name in errors.
    pub path: &'static str,
    /// Lua 5.1.
    pub text: &'static str,
}

macro_rules! modules {
    ($($path:literal => $file:literal),+ $(,)?) => {
        &[$(Module { path: $path, text: include_str!($file) }),+]
    };
}

/// All modules, in the order in which they are run once in a new Lua state, before any level file.
/// They set globals and add functions to the table `dgn`, which then get the map as first argument.
pub const MODULES: &[Module] = modules![
    "dlua/util.lua" => "util.lua",
    "dlua/dungeon.lua" => "dungeon.lua",
    "dlua/iter.lua" => "iter.lua",
    "dlua/markers.lua" => "markers.lua",
    "dlua/triggers.lua" => "triggers.lua",
    "dlua/items.lua" => "items.lua",
    "dlua/vault.lua" => "vault.lua",
    "dlua/tutorial.lua" => "tutorial.lua",
    "dlua/layout/layout.lua" => "layout/layout.lua",
    "dlua/layout/zonify.lua" => "layout/zonify.lua",
    "dlua/layout/theme.lua" => "layout/theme.lua",
    "dlua/layout/minimum_map_area.lua" => "layout/minimum_map_area.lua",
    "dlua/layout/procedural.lua" => "layout/procedural.lua",
    "dlua/layout/omnigrid.lua" => "layout/omnigrid.lua",
    "dlua/layout/geoelf.lua" => "layout/geoelf.lua",
    "dlua/v_layouts.lua" => "layout/v_layouts.lua",
    "dlua/layout/builders.lua" => "layout/builders.lua",
];

/// The module that a level file asks for by this path; `None` if the library has none of that name.
pub fn module(path: &str) -> Option<&'static Module> {
    MODULES.iter().find(|module| module.path == path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_module_is_found_by_its_path_and_opens_with_its_role() {
        for wanted in MODULES {
            assert_eq!(module(wanted.path), Some(wanted));
            assert!(wanted.text.starts_with("-- "), "{} says nothing of itself", wanted.path);
            assert!(
                wanted.text.contains("own helper library"),
                "{} does not say what it belongs to",
                wanted.path
            );
        }
        assert_eq!(module("dlua/absent.lua"), None);
    }
}
