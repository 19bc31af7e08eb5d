//! Companion files: files that belong together by their names, such as DungeonMaker's `rooms4` and `stats4`.

use std::path::{Path, PathBuf};

use super::disk::{is_stream, read_head};
use super::recordings::is_recording;
use crate::design::Diagnostic;
use crate::format::{Kind, Text, companion_name};

/// Number of bytes read to recognize a file's format.
const HEAD: u64 = 64 << 10;

/// The files of a design.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DesignFiles {
    /// One TOML file for everything.
    Toml(PathBuf),
    /// The files of DungeonMaker.
    Legacy {
        /// Path of the rooms file, which contains the layout.
        rooms: PathBuf,
        /// Path of the stats file, which contains the character. Without a file, the character has the built-in
        /// defaults.
        stats: Option<PathBuf>,
        /// Path of the constants file. Without a file, the constants have their defaults.
        constants: Option<PathBuf>,
    },
}

impl DesignFiles {
    /// Returns the files of a design in a folder, one of which has a name that is not Unicode.
    #[cfg(all(test, unix))]
    pub(super) fn not_unicode(folder: &Path) -> Self {
        use std::os::unix::ffi::OsStrExt as _;
        Self::Legacy {
            rooms: folder.join("rooms4"),
            stats: Some(folder.join(std::ffi::OsStr::from_bytes(b"stats\xff"))),
            constants: None,
        }
    }

    /// Returns the paths of the files: first the rooms file, then the stats and the constants file.
    pub fn paths(&self) -> Vec<PathBuf> {
        match self {
            Self::Toml(path) => vec![path.clone()],
            Self::Legacy {
                rooms,
                stats,
                constants,
            } => [Some(rooms), stats.as_ref(), constants.as_ref()]
                .into_iter()
                .flatten()
                .cloned()
                .collect(),
        }
    }
}

/// Returns the files of the design to which the file at `path` belongs. The format is recognized by content. A
/// DungeonMaker file forms a design together with its companion files in the same folder; any other file is a TOML
/// design or a recording.
///
/// A rooms file without a stats file beside it is a design of its own. The design of a stats or constants file includes
/// its companion rooms file, even if that rooms file is missing. A stream has no companion files.
pub fn of(path: &Path) -> DesignFiles {
    match kind(path) {
        Some(Kind::Rooms) if is_stream(path) => DesignFiles::Legacy {
            rooms: path.to_owned(),
            stats: None,
            constants: None,
        },
        _ if is_stream(path) => DesignFiles::Toml(path.to_owned()),
        Some(Kind::Rooms) => of_rooms(path).unwrap_or_else(|| alone(path)),
        Some(Kind::Stats) => DesignFiles::Legacy {
            rooms: rooms_of(path, "stats"),
            stats: Some(path.to_owned()),
            constants: constants_of(&rooms_of(path, "stats")),
        },
        Some(Kind::Constants) => {
            let rooms = rooms_of(path, "constants");
            DesignFiles::Legacy {
                stats: stats_of(&rooms),
                rooms,
                constants: Some(path.to_owned()),
            }
        }
        Some(Kind::Toml) | None => DesignFiles::Toml(path.to_owned()),
    }
}

/// Returns the format of a file, recognized by its first bytes. If these identify no format, a rooms file is
/// recognized by its name. Returns `None` for recordings, files with the extension `toml`, and unknown formats.
fn kind(path: &Path) -> Option<Kind> {
    if is_recording(path) {
        return None;
    }
    let bytes = read_head(path, HEAD).ok()?;
    let is_toml = path
        .extension()
        .is_some_and(|ending| ending.eq_ignore_ascii_case("toml"));
    let by_name = partner(path, "rooms").map(|_| Kind::Rooms);
    // The text gets an empty name, so that only its content identifies the format.
    let by_words = || Kind::guess(&Text::decode("", bytes));
    if is_toml { None } else { by_words().or(by_name) }
}

/// Returns the path of the rooms file to which a stats or constants file belongs; the rooms file need not exist.
fn rooms_of(path: &Path, word: &str) -> PathBuf {
    companion_name(path, word, "rooms").unwrap_or_else(|| path.with_file_name("rooms"))
}

/// Returns the files of a design that has a rooms file but no stats file: the rooms file and, if it exists, the
/// constants file that is read with the rooms file.
pub fn alone(rooms: &Path) -> DesignFiles {
    DesignFiles::Legacy {
        rooms: rooms.to_owned(),
        stats: None,
        constants: constants_of(rooms),
    }
}

/// Returns the files of a design from its rooms file: the rooms file, its companion stats file and, if it exists, the
/// constants file that is read with the rooms file. Returns `None` if there is no stats file.
pub fn of_rooms(rooms: &Path) -> Option<DesignFiles> {
    Some(DesignFiles::Legacy {
        rooms: rooms.to_owned(),
        stats: Some(stats_of(rooms)?),
        constants: constants_of(rooms),
    })
}

fn stats_of(rooms: &Path) -> Option<PathBuf> {
    partner(rooms, "stats").filter(|path| path.is_file())
}

/// Returns the constants file that is read with a rooms file: the rooms file's companion or, if that does not exist,
/// the file `constants` in the same folder.
pub(super) fn constants_of(rooms: &Path) -> Option<PathBuf> {
    let constants = [partner(rooms, "constants"), Some(rooms.with_file_name("constants"))];
    constants.into_iter().flatten().find(|path| path.is_file())
}

/// Returns the path of a rooms file's companion: the same path, with `rooms` in the file name replaced by `word`. The
/// companion need not exist.
pub fn partner(rooms: &Path, word: &str) -> Option<PathBuf> {
    companion_name(rooms, "rooms", word)
}

/// Returns the digit or X that follows `word` in a file's name, if DungeonMaker can open a file of that name.
fn number(path: &Path, word: &str) -> Option<char> {
    let rest = path.file_name()?.to_str()?.strip_prefix(word)?;
    let mut chars = rest.chars();
    let number = chars.next().filter(|c| c.is_ascii_digit() || *c == 'X')?;
    chars.next().is_none().then_some(number)
}

/// Returns paths for a copy of a design in the folder of its rooms file, with names that DungeonMaker itself can open.
/// Returns `None` if DungeonMaker cannot open the rooms file because of its name.
pub fn for_copy(rooms: &Path) -> Option<[PathBuf; 3]> {
    let free = if number(rooms, "rooms")? == 'X' { '0' } else { 'X' };
    Some(["rooms", "stats", "constants"].map(|word| rooms.with_file_name(format!("{word}{free}"))))
}

/// Returns a note if DungeonMaker cannot open files with these names: it requires `rooms` and `stats`, followed by the
/// same digit or X.
pub(super) fn unreadable_name(rooms: &Path, stats: Option<&Path>) -> Option<Diagnostic> {
    let number_of_rooms = number(rooms, "rooms");
    let number_of_stats = stats.map(|path| number(path, "stats"));
    let message = match (number_of_rooms, number_of_stats) {
        (Some(_), None) => return None,
        (Some(rooms), Some(Some(stats))) if rooms == stats => return None,
        (Some(rooms), Some(Some(stats))) => {
            format!("DungeonMaker pairs rooms{rooms} with stats{rooms}, not with stats{stats}")
        }
        (rooms_number, _) => {
            let path = if rooms_number.is_none() {
                rooms
            } else {
                stats.unwrap_or(rooms)
            };
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            format!("DungeonMaker cannot open a file named {name}")
        }
    };
    Some(
        Diagnostic::note(message)
            .help("DungeonMaker opens rooms0 to rooms9 and roomsX, each with the stats file of the same digit or X"),
    )
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

    #[cfg(unix)]
    #[test]
    fn names_that_are_not_unicode_are_paired_too() {
        use std::ffi::OsStr;
        use std::os::unix::ffi::OsStrExt as _;
        let path = |name: &'static [u8]| Path::new(OsStr::from_bytes(name));
        let stats = partner(path(b"a/rooms\xff4"), "stats");
        assert_eq!(stats.as_deref(), Some(path(b"a/stats\xff4")));
    }

    #[test]
    fn existing_companion_files_are_proposed() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let put = |name: &str| std::fs::write(path(name), "").unwrap();
        put("rooms4");
        assert_eq!(of_rooms(&path("rooms4")), None);
        put("stats4");
        let of = |constants: Option<&str>| {
            Some(DesignFiles::Legacy {
                rooms: path("rooms4"),
                stats: Some(path("stats4")),
                constants: constants.map(path),
            })
        };
        assert_eq!(of_rooms(&path("rooms4")), of(None));
        put("constants");
        assert_eq!(of_rooms(&path("rooms4")), of(Some("constants")));
        put("constants4");
        assert_eq!(of_rooms(&path("rooms4")), of(Some("constants4")));
    }

    #[test]
    fn files_are_recognized_by_their_content() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let put = |name: &str, text: &str| std::fs::write(path(name), text).unwrap();
        let legacy = |rooms: &str, stats: Option<&str>, constants: Option<&str>| DesignFiles::Legacy {
            rooms: path(rooms),
            stats: stats.map(path),
            constants: constants.map(path),
        };
        put("rooms4", "Dungeon dimensions - dimX = 100; dimY = 100.");
        assert_eq!(
            of(&path("rooms4")),
            legacy("rooms4", None, None),
            "it is a design of its own"
        );
        put("stats4", "Generation: 0;");
        put("roomsX", "Dungeon dimensions");
        put("statsX", "Generation: 0;");
        put("castle", "Dungeon dimensions");
        put("castle.txt", "seed = 3\n[layout]\n");
        let pair = legacy("rooms4", Some("stats4"), None);
        assert_eq!([of(&path("rooms4")), of(&path("stats4"))], [pair.clone(), pair]);
        assert_eq!(of(&path("statsX")), legacy("roomsX", Some("statsX"), None));
        assert_eq!(of(&path("castle")), legacy("castle", None, None), "by its first words");
        put("constants4", "maxCrawlers = 800");
        put("constants", "maxCrawlers = 800");
        assert_eq!(
            of(&path("constants4")),
            legacy("rooms4", Some("stats4"), Some("constants4"))
        );
        assert_eq!(of(&path("roomsX")), legacy("roomsX", Some("statsX"), Some("constants")));
        put("stats7", "Generation: 0;");
        assert_eq!(of(&path("stats7")), legacy("rooms7", Some("stats7"), Some("constants")));
        for other in ["castle.txt", "nothing", "."] {
            assert_eq!(of(&path(other)), DesignFiles::Toml(path(other)));
        }
    }

    #[test]
    fn names_that_the_original_cannot_open_are_noted() {
        let note = |rooms: &str, stats: Option<&str>| {
            unreadable_name(Path::new(rooms), stats.map(Path::new)).map(|note| note.message)
        };
        assert_eq!(note("a/rooms4", Some("b/stats4")), None);
        assert_eq!(note("roomsX", Some("statsX")), None);
        assert_eq!(note("rooms0", None), None);
        let cannot = |name: &str| Some(format!("DungeonMaker cannot open a file named {name}"));
        assert_eq!(note("castle.rooms", Some("castle.stats")), cannot("castle.rooms"));
        assert_eq!(note("rooms12", Some("stats12")), cannot("rooms12"));
        assert_eq!(note("roomsx", Some("statsx")), cannot("roomsx"));
        assert_eq!(note("rooms4", Some("mine")), cannot("mine"));
        assert!(
            note("rooms4", Some("stats5"))
                .unwrap()
                .contains("stats4, not with stats5")
        );
        let copy = |rooms: &str| for_copy(Path::new(rooms)).map(|[rooms, stats, _]| (rooms, stats));
        assert_eq!(copy("a/rooms4"), Some(("a/roomsX".into(), "a/statsX".into())));
        assert_eq!(copy("roomsX"), Some(("rooms0".into(), "stats0".into())));
        assert_eq!(copy("castle.rooms"), None);
    }
}
