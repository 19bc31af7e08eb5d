//! The helper library: Lua code of Wallcrawler that replaces those parts of Dungeon Crawl's library that level files
//! use.
//!
//! Level files call many functions that no level file defines; the game loads them from its own library, at startup or
//! on `crawl_require("dlua/…")`. The helper library defines functions of the same names. The only sources for these
//! functions were the calls in level files and the documentation of the level-file language. The helper library
//! implements effects that are visible on a grid (features, colours, tiles, names, painted ground). The text that
//! describes monsters and items is not interpreted. Effects during play are left out. `--crawl-data` replaces the
//! helper library with the library in the user's copy of the game.

use std::collections::BTreeMap;

/// The modules: the path by which level files request each module, and its Lua code.
const MODULES: &[(&str, &str)] = &[
    ("dlua/util.lua", include_str!("util.lua")),
    ("dlua/dungeon.lua", include_str!("dungeon.lua")),
    ("dlua/iter.lua", include_str!("iter.lua")),
    ("dlua/markers.lua", include_str!("markers.lua")),
    ("dlua/triggers.lua", include_str!("triggers.lua")),
    ("dlua/items.lua", include_str!("items.lua")),
    ("dlua/vault.lua", include_str!("vault.lua")),
    ("dlua/tutorial.lua", include_str!("tutorial.lua")),
    ("dlua/layout/layout.lua", include_str!("layout/layout.lua")),
    ("dlua/layout/zonify.lua", include_str!("layout/zonify.lua")),
    ("dlua/layout/theme.lua", include_str!("layout/theme.lua")),
    (
        "dlua/layout/minimum_map_area.lua",
        include_str!("layout/minimum_map_area.lua"),
    ),
    ("dlua/layout/procedural.lua", include_str!("layout/procedural.lua")),
    ("dlua/layout/omnigrid.lua", include_str!("layout/omnigrid.lua")),
    ("dlua/layout/geoelf.lua", include_str!("layout/geoelf.lua")),
    ("dlua/v_layouts.lua", include_str!("layout/v_layouts.lua")),
    ("dlua/layout/builders.lua", include_str!("layout/builders.lua")),
];

/// Tables that have more entries in the game's library than here. An entry that is not defined here becomes an opaque
/// value: a placeholder for what only the game can compute.
pub(crate) const OPEN: &[&str] = &[
    "util",
    "iter",
    "layout",
    "zonify",
    "theme",
    "theme.D",
    "minimum_map_area",
    "procedural",
    "omnigrid",
    "geoelf",
    "Marker",
];

/// Returns the paths of the modules. A new Lua state runs each module once, in this order, before any level file. The
/// modules set globals and add functions to the table `dgn`; those functions receive the map as their first argument.
pub fn paths() -> impl Iterator<Item = &'static str> {
    MODULES.iter().map(|(path, _)| *path)
}

/// Returns the Lua code of the module with this path; `None` if the library has no such module.
pub fn module(path: &str) -> Option<&'static str> {
    MODULES.iter().find(|(known, _)| *known == path).map(|(_, text)| *text)
}

/// Returns the documented functions of the library by name, each with its signature and the text of the `---` comment
/// above it.
pub fn documentation() -> BTreeMap<String, (String, String)> {
    let mut documented = BTreeMap::new();
    for (_, text) in MODULES {
        let mut comment: Vec<&str> = Vec::new();
        for line in text.lines() {
            if let Some(more) = line.strip_prefix("--- ") {
                comment.push(more);
                continue;
            }
            let comment = std::mem::take(&mut comment).join(" ");
            if let Some((name, call)) = declared(line).filter(|_| !comment.is_empty()) {
                documented.insert(name.to_owned(), (call.to_owned(), comment));
            }
        }
    }
    documented
}

/// Returns the name that a line of a module defines, and its signature.
fn declared(line: &str) -> Option<(&str, &str)> {
    if let Some(head) = line.strip_prefix("function ") {
        let call = head.split_inclusive(')').next()?;
        return Some((call.split('(').next()?, call));
    }
    let (name, value) = line.split_once(" = ")?;
    let is_name = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
    let is_made = ["constructor(", "class(", "named(", "combined(", "function("];
    let is_made = is_made.iter().any(|maker| value.starts_with(maker));
    (is_made && name.chars().all(is_name)).then_some((name, name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_module_is_found_by_its_path_and_opens_with_its_role() {
        for path in paths() {
            let text = module(path).unwrap_or_default();
            assert!(text.starts_with("-- "), "{path} has no description");
            assert!(
                text.contains("own helper library"),
                "{path} does not say what it belongs to"
            );
        }
        assert_eq!(module("dlua/absent.lua"), None);
    }
}
