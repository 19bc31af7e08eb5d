//! Small vaults for tests: their text, their resolution, their glyphs.

#![cfg(feature = "vaults")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a panic is how a test fails")]

use std::sync::Arc;

use wallcrawler::vault::library::Library;
use wallcrawler::vault::lua::{ResolveOutcome, Runtime, RuntimeOptions};
use wallcrawler::vault::map::ResolvedMap;
use wallcrawler::vault::source::read;
use wallcrawler::vault::world::VaultWorld;

/// Returns a runtime for level files given as names and texts.
pub fn runtime(files: &[(&str, &str)]) -> Runtime {
    let files = files
        .iter()
        .map(|(name, text)| {
            let file = read(name, text.as_bytes());
            assert!(file.problems.is_empty(), "{name}: {:?}", file.problems);
            file
        })
        .collect();
    Runtime::new(Arc::new(Library::new(files)), RuntimeOptions::default()).unwrap()
}

/// Resolves the first map of a text on a level.
pub fn resolve_at(text: &str, place: &str, seed: u64) -> ResolvedMap {
    let runtime = runtime(&[("test.des", text)]);
    let map = runtime.library().ids().next().unwrap();
    let report = runtime.compile(map);
    assert!(report.failure.is_none(), "{:?}", report.failure);
    match runtime.resolve(map, &VaultWorld::at(place).unwrap(), seed) {
        ResolveOutcome::Resolved(map) => *map,
        other => panic!("{other:?}"),
    }
}

/// Returns a map that is not mirrored or rotated, with these lines before its rows.
pub fn still(lines: &str, rows: &str) -> String {
    let end = if rows.is_empty() { "" } else { "\n" };
    format!("NAME: still\nTAGS: unrand no_exits no_rotate no_hmirror no_vmirror\n{lines}\nMAP\n{rows}{end}ENDMAP\n")
}

/// Resolves a map made by [`still`] on the fifth level of the dungeon.
pub fn resolve(lines: &str, rows: &str) -> ResolvedMap {
    resolve_at(&still(lines, rows), "D:5", 7)
}

/// Returns the glyphs of a map, one line per row, with spaces for cells outside it.
pub fn glyphs(map: &ResolvedMap) -> String {
    let rows: Vec<String> = map
        .rows()
        .map(|row| {
            row.iter()
                .map(|cell| cell.as_ref().map_or(' ', |cell| char::from(cell.glyph)))
                .collect()
        })
        .collect();
    rows.join("\n")
}

/// Runs Lua in a map's body; if one of its assertions fails, the test fails.
pub fn lua(body: &str) {
    resolve(&format!("{{{{\n{body}\n}}}}"), ".");
}
