//! Files that belong together by their names, as in the original's distribution: `rooms4` with `stats4`.
//!
//! Only names are looked at, and whether there are such files.

use std::path::{Path, PathBuf};

use super::designs::DesignFiles;

/// The files of a design that a rooms file begins: the stats file of the same name, and the constants file of the same
/// name or the folder's `constants`, when they are there. `None` when there is no stats file.
pub fn of_rooms(rooms: &Path) -> Option<DesignFiles> {
    let stats = partner(rooms, "stats").filter(|path| path.is_file())?;
    let constants = [partner(rooms, "constants"), Some(rooms.with_file_name("constants"))];
    let constants = constants.into_iter().flatten().find(|path| path.is_file());
    Some(DesignFiles::Legacy {
        rooms: rooms.to_owned(),
        stats,
        constants,
    })
}

/// A rooms file's name with another word in the place of `rooms`, which need not exist.
pub fn partner(rooms: &Path, word: &str) -> Option<PathBuf> {
    let name = rooms.file_name()?.to_str()?;
    let at = name.to_ascii_lowercase().rfind("rooms")?;
    let (before, rest) = name.split_at(at);
    let (own, after) = rest.split_at("rooms".len());
    let word = if own.chars().all(char::is_uppercase) {
        word.to_uppercase()
    } else {
        word.to_owned()
    };
    Some(rooms.with_file_name(format!("{before}{word}{after}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_paired_as_the_original_does() {
        let stats = |name: &str| {
            let path = partner(Path::new(name), "stats")?;
            Some(path.to_string_lossy().into_owned())
        };
        assert_eq!(stats("rooms4").as_deref(), Some("stats4"));
        assert_eq!(stats("a/rooms").as_deref(), Some("a/stats"));
        assert_eq!(stats("rooms/castle.rooms").as_deref(), Some("rooms/castle.stats"));
        assert_eq!(stats("ROOMS7.TXT").as_deref(), Some("STATS7.TXT"));
        assert_eq!(stats("castle"), None);
    }

    #[test]
    fn what_is_there_is_proposed() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let put = |name: &str| std::fs::write(path(name), "").unwrap();
        put("rooms4");
        assert_eq!(of_rooms(&path("rooms4")), None);
        put("stats4");
        let of = |constants: Option<&str>| {
            Some(DesignFiles::Legacy {
                rooms: path("rooms4"),
                stats: path("stats4"),
                constants: constants.map(path),
            })
        };
        assert_eq!(of_rooms(&path("rooms4")), of(None));
        put("constants");
        assert_eq!(of_rooms(&path("rooms4")), of(Some("constants")));
        put("constants4");
        assert_eq!(of_rooms(&path("rooms4")), of(Some("constants4")));
    }
}
