//! Detects the format of a design file: from the extension `.toml`, otherwise from the first words of the text,
//! otherwise from the file name.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::text::Text;
use super::{constants, native, rooms, stats};

/// The file formats of designs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// One TOML file for the whole design.
    Toml,
    /// The layout, as a rooms file of DungeonMaker, the original program.
    Rooms,
    /// The character, as a stats file of DungeonMaker.
    Stats,
    /// The constants, as a constants file of DungeonMaker.
    Constants,
}

impl Kind {
    /// Returns the name of the format as shown to the user.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Toml => "TOML design",
            Self::Rooms => "rooms file",
            Self::Stats => "stats file",
            Self::Constants => "constants file",
        }
    }

    /// Detects the format of a text; returns `None` if neither its content nor its name identifies the format.
    pub fn guess(text: &Text) -> Option<Self> {
        let name = text.name().rsplit(['/', '\\']).next().unwrap_or_default();
        let name = name.to_ascii_lowercase();
        if name.rsplit_once('.').is_some_and(|(_, ending)| ending == "toml") {
            return Some(Self::Toml);
        }
        let first = [
            (Self::Rooms, rooms::first_record(text)),
            (Self::Stats, stats::first_record(text)),
            (Self::Constants, constants::first_record(text)),
        ];
        let first = first.into_iter().filter_map(|(kind, at)| Some((at?, kind))).min();
        let begins = text.content().trim_start_matches('\u{feff}').trim_start();
        let blank = text.content().len() - begins.len();
        match first {
            Some((at, kind)) if at <= blank || !native::looks_like(begins) => Some(kind),
            _ if native::looks_like(begins) => Some(Self::Toml),
            _ => [
                (Self::Rooms, "rooms"),
                (Self::Stats, "stats"),
                (Self::Constants, "constants"),
            ]
            .into_iter()
            .find(|(_, start)| name.starts_with(start))
            .map(|(kind, _)| kind),
        }
    }
}

/// Returns the path of the file that accompanies `path`, such as `stats4` for `rooms4`: the last `from` in the file
/// name is replaced by `to`. If all letters of the replaced text are capitals, `to` is also written in capitals.
/// Returns `None` if the file name does not contain `from`. The file need not exist, and its name need not be Unicode.
pub fn companion_name(path: &Path, from: &str, to: &str) -> Option<PathBuf> {
    let name = path.file_name()?.as_encoded_bytes();
    let at = name
        .windows(from.len())
        .rposition(|part| part.eq_ignore_ascii_case(from.as_bytes()))?;
    let (before, rest) = name.split_at(at);
    let (own, after) = rest.split_at(from.len());
    let to = if own.iter().all(u8::is_ascii_uppercase) {
        to.to_uppercase()
    } else {
        to.to_owned()
    };
    Some(path.with_file_name(file_name([before, to.as_bytes(), after].concat())?))
}

/// Returns the bytes as a file name.
#[cfg(unix)]
#[expect(clippy::unnecessary_wraps, reason = "on other systems, it can return `None`")]
fn file_name(bytes: Vec<u8>) -> Option<OsString> {
    Some(std::os::unix::ffi::OsStringExt::from_vec(bytes))
}

/// Returns the bytes as a file name; `None` if they are not UTF-8.
#[cfg(not(unix))]
fn file_name(bytes: Vec<u8>) -> Option<OsString> {
    String::from_utf8(bytes).ok().map(OsString::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_recognized_by_their_first_words() {
        let guess = |name: &str, content: &str| Kind::guess(&Text::new(name, content));
        assert_eq!(guess("x", "Dungeon dimensions - dimX"), Some(Kind::Rooms));
        assert_eq!(guess("x", "a word before\n div: 3"), Some(Kind::Rooms));
        assert_eq!(guess("x", "\n Generation: 0;"), Some(Kind::Stats));
        assert_eq!(guess("x", "maxCrawlers=3"), Some(Kind::Constants));
        assert_eq!(guess("x", "# Open square at noon\nseed = 3"), Some(Kind::Toml));
        assert_eq!(guess("x", "[[room]]"), Some(Kind::Toml));
        assert_eq!(guess("x", "\u{feff}name = 'x'"), Some(Kind::Toml));
        assert_eq!(guess("x.toml", "Dungeon dimensions"), Some(Kind::Toml));
        assert_eq!(guess("layouts/rooms4", "??"), Some(Kind::Rooms));
        assert_eq!(guess("statsX", ""), Some(Kind::Stats));
        assert_eq!(guess("letter", "Dear Sir"), None);
        assert_eq!(guess("letter", ""), None);
    }
}
