//! Folder listing for the open dialog: folders, TOML designs, recordings, rooms files with their companions, and
//! drawings that can be imported.
//!
//! Files of any other kind are left out. Recordings, and rooms files such as `rooms4` or `castle.rooms`, are recognized
//! by their names alone. TOML designs, drawings, and rooms files such as `rooms4.txt` are recognized by their names and
//! their first bytes.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use super::companion_files;
use super::companion_files::DesignFiles;
use crate::format::{Kind, Text, native};
use crate::import;
use crate::recording_file::ENDING;

/// Number of bytes read to recognize a file.
const LOOKED_AT: u64 = 64 << 10;

/// Maximum number of entries read. Files beyond this number can still be opened by typing their path.
const MOST: usize = 5_000;

/// An entry of a folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FolderEntry {
    /// Name of the entry, without the path of the folder.
    pub name: String,
    /// Kind of the entry.
    pub kind: EntryKind,
}

/// Kind of a folder entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EntryKind {
    /// Another folder.
    Folder,
    /// A design that can be opened.
    Design(DesignFiles),
    /// A rooms file without its companion stats file beside it.
    Rooms(PathBuf),
    /// A drawing from another program, which can be imported.
    Drawing(PathBuf),
}

/// Lists the folders, designs and drawings in a folder: first the folders, then the files, both sorted by name. Hidden
/// entries are left out.
///
/// # Errors
///
/// Fails if the folder cannot be read.
pub fn list(folder: &Path) -> io::Result<Vec<FolderEntry>> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder)?.flatten().take(MOST) {
        let path = entry.path();
        let Ok(name) = entry.file_name().into_string() else {
            continue;
        };
        if name.starts_with('.') {
            continue;
        }
        if let Some(kind) = kind(&path, &name) {
            found.push(FolderEntry { name, kind });
        }
    }
    let key = |entry: &FolderEntry| (entry.kind != EntryKind::Folder, natural(&entry.name));
    found.sort_by_cached_key(key);
    Ok(found)
}

fn kind(path: &Path, name: &str) -> Option<EntryKind> {
    // `metadata` follows symbolic links.
    let about = std::fs::metadata(path).ok()?;
    if about.is_dir() {
        return Some(EntryKind::Folder);
    }
    if !about.is_file() || name.ends_with('~') {
        return None;
    }
    let ends = |ending: &str| path.extension().is_some_and(|own| own.eq_ignore_ascii_case(ending));
    if ends("toml") {
        return is_design(path).then(|| EntryKind::Design(DesignFiles::Toml(path.to_owned())));
    }
    if ends(ENDING) {
        return Some(EntryKind::Design(DesignFiles::Toml(path.to_owned())));
    }
    let begin = || head(path).unwrap_or_default();
    // The name of a drawing or an exported file may also begin with `rooms`, for example `rooms4.png`.
    let has_rooms = || Kind::guess(&Text::decode("", begin())) == Some(Kind::Rooms);
    let is_named = name.to_ascii_lowercase().starts_with("rooms");
    if ends("rooms") || is_named && (path.extension().is_none() || has_rooms()) {
        let pair = companion_files::of_rooms(path);
        return Some(pair.map_or_else(|| EntryKind::Rooms(path.to_owned()), EntryKind::Design));
    }
    let is_drawing = import::DrawingKind::by_file(name).is_some() && import::looks_like(name, &begin());
    is_drawing.then(|| EntryKind::Drawing(path.to_owned()))
}

fn is_design(path: &Path) -> bool {
    head(path).is_ok_and(|bytes| native::is_design(&String::from_utf8_lossy(&bytes)))
}

/// Reads the first [`LOOKED_AT`] bytes of a file.
fn head(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(LOOKED_AT).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Returns the key for natural sorting: numbers are compared by value, and case decides only between names that are
/// otherwise equal.
fn natural(name: &str) -> (Vec<(String, u64)>, String) {
    let mut parts = Vec::new();
    let mut rest = name;
    while !rest.is_empty() {
        let digits = rest.find(|c: char| c.is_ascii_digit()).unwrap_or(rest.len());
        let (text, after) = rest.split_at(digits);
        let end = after.find(|c: char| !c.is_ascii_digit()).unwrap_or(after.len());
        let (number, after) = after.split_at(end);
        parts.push((text.to_lowercase(), number.parse().unwrap_or(0)));
        rest = after;
    }
    (parts, name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::design::Design;

    #[test]
    fn a_folder_shows_designs_and_folders_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let put = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
        put("castle.toml", &native::write(&Design::default()));
        put("castle.toml~", "seed = 1");
        put("maze.txt", "####\n#..#\n####\n");
        put("letter.txt", "Dear reader,\n");
        put("broken.png", "no picture");
        put("map.tmx", "<?xml version='1.0'?><map/>");
        put("rooms8.tmx", "<?xml version='1.0'?><map/>");
        put("rooms8.svg", "<svg/>");
        put("rooms8.txt", "Dungeon dimensions - dimX = 30; dimY = 50.");
        put("small.toml", "# mine\n[layout]\ndim_x = 30");
        put("Cargo.toml", "[package]\nname = \"x\"\n[dependencies]\n");
        for name in [
            "rooms10",
            "stats10",
            "rooms9",
            "stats9",
            "constants9",
            "rooms3",
            "rooms9~",
            ".hidden",
            "notes",
            "film.WCR",
        ] {
            put(name, "");
        }
        std::fs::create_dir(folder.path().join("old")).unwrap();
        let found = list(folder.path()).unwrap();
        let names: Vec<&str> = found.iter().map(|entry| entry.name.as_str()).collect();
        assert_eq!(
            names,
            [
                "old",
                "castle.toml",
                "film.WCR",
                "map.tmx",
                "maze.txt",
                "rooms3",
                "rooms8.tmx",
                "rooms8.txt",
                "rooms9",
                "rooms10",
                "small.toml"
            ]
        );
        assert!(matches!(found[3].kind, EntryKind::Drawing(_)) && matches!(found[4].kind, EntryKind::Drawing(_)));
        assert!(matches!(found[5].kind, EntryKind::Rooms(_)), "it has no stats file");
        assert!(matches!(found[6].kind, EntryKind::Drawing(_)) && matches!(found[7].kind, EntryKind::Rooms(_)));
        let constants = Some(folder.path().join("constants9"));
        assert!(
            matches!(&found[8].kind, EntryKind::Design(DesignFiles::Legacy { constants: c, .. }) if *c == constants)
        );
        assert!(list(&folder.path().join("none")).is_err());
    }
}
