//! Dungeon codes: a design with its seed, and optionally a turn of its growth, as one line of text that begins with
//! `wc1:`.
//!
//! # Format 1
//!
//! `wc1:` is followed by base64 with the URL alphabet, without padding. The first two encoded bytes are a checksum: the
//! lowest 16 bits of the FNV-1a hash of all following bytes, in big-endian order. The following bytes are a raw deflate
//! stream, which unpacks to UTF-8 text with lines of the form `key value`:
//!
//! - `preset NAME CHECK`, if present, is the first line. It names the preset that is the base of the design; without
//!   this line, the base is the default design. CHECK is a digest of the values that determine the preset's dungeons,
//!   so that a code is rejected if its preset has changed.
//! - `turn N` means that the dungeon is shown after N turns of its growth. Without this line, the code shows the
//!   finished dungeon.
//! - All other lines are in the format of [`format::compact`](crate::format::compact). They contain the differences
//!   between the design and its base.
//!
//! A code cannot contain level files. A design that uses a level file therefore has no code, and a code that names a
//! level file is rejected, so that opening a code never reads a file.

use std::io::{Read as _, Write as _};

use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;

use crate::design::{Design, Expectations};
use crate::format::compact::{self, CompactError};
use crate::presets::Preset;
use crate::text::fnv1a;

/// Prefix of a code of format 1.
const PREFIX: &str = "wc1:";

/// Maximum length of a code, in characters.
const MAX_CODE: usize = 200_000;

/// Maximum length of the unpacked text of a code, in bytes.
const MAX_TEXT: usize = 2_000_000;

/// The content of a code: a design, and the turn of its growth at which the dungeon is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DungeonCode {
    /// The design, including its seed.
    pub design: Design,
    /// Number of turns after which the dungeon is shown; `None` shows the finished dungeon.
    pub turn: Option<u64>,
}

/// The reason why a code cannot be read or written.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CodeError {
    /// The code has a format that this version does not support. Contains the prefix of the code.
    #[error("`{0}` begins a code of another format; this version of the program reads {PREFIX} only")]
    Format(String),
    /// The code is longer than the maximum.
    #[error("a code has at most {MAX_CODE} characters; share the design as a file instead")]
    TooLong,
    /// The text is not a code, or characters of the code are missing or wrong.
    #[error("the code is incomplete or damaged; copy it again as a whole")]
    Damaged,
    /// The code unpacks to a longer text than any design needs.
    #[error("the code unpacks to more than {MAX_TEXT} bytes, more than any design needs")]
    Oversized,
    /// The preset that the code is based on does not exist, or has changed. Contains the name of the preset.
    #[error("the code is based on the preset `{0}`, which this version of the program lacks or has changed")]
    Preset(String),
    /// The text in the code is not a design.
    #[error("the code does not contain a valid design: {0}")]
    Content(#[from] CompactError),
    /// The design uses a level file. Contains the path of the file.
    #[error("a code cannot contain the level file `{0}` of the design; share that file and the design file instead")]
    LevelFile(String),
}

impl DungeonCode {
    /// Returns whether a text begins like a code, supported or not: with `wc`, a number and a colon.
    pub fn is_code(text: &str) -> bool {
        let Some((head, _)) = text.trim_start().split_once(':') else {
            return false;
        };
        let number = head.strip_prefix("wc").unwrap_or_default();
        !number.is_empty() && number.len() < 5 && number.bytes().all(|byte| byte.is_ascii_digit())
    }

    /// Returns the code. Its base is the default design or one of the presets, whichever results in the shortest
    /// uncompressed text.
    ///
    /// # Errors
    ///
    /// Returns an error if the design uses a level file, or is too large for a code.
    pub fn write(&self) -> Result<String, CodeError> {
        if let Some(file) = level_file(&self.design) {
            return Err(CodeError::LevelFile(file.to_owned()));
        }
        let turn = self.turn.map_or_else(String::new, |turn| format!("turn {turn}\n"));
        let plain = compact::write(&self.design, &Design::default());
        let presets = Preset::all().iter().map(|preset| {
            let base = preset.design();
            let head = format!("preset {} {}\n", preset.name, check_of(&base));
            head + &compact::write(&self.design, &base)
        });
        let texts = std::iter::once(plain).chain(presets);
        let text = texts.min_by_key(String::len).unwrap_or_default();
        let text = match text.split_once('\n') {
            Some((head, rest)) if head.starts_with("preset ") => format!("{head}\n{turn}{rest}"),
            _ => turn + &text,
        };
        if text.len() > MAX_TEXT {
            return Err(CodeError::TooLong);
        }
        let code = PREFIX.to_owned() + &BASE64_URL_SAFE_NO_PAD.encode(packed(&text));
        if code.len() > MAX_CODE {
            return Err(CodeError::TooLong);
        }
        Ok(code)
    }

    /// Reads a code. White space is ignored, because a mail program or a chat may have broken the code into lines.
    ///
    /// # Errors
    ///
    /// Returns an error if the text is not a code, is damaged, or does not contain a valid design.
    pub fn read(text: &str) -> Result<Self, CodeError> {
        let text = text.trim_start();
        let Some(letters) = text.strip_prefix(PREFIX) else {
            return Err(match text.split_once(':') {
                Some((head, _)) if Self::is_code(text) => CodeError::Format(format!("{head}:")),
                _ => CodeError::Damaged,
            });
        };
        if letters.len() > 2 * MAX_CODE {
            return Err(CodeError::TooLong);
        }
        let letters: String = letters.split_ascii_whitespace().collect();
        if letters.len() > MAX_CODE {
            return Err(CodeError::TooLong);
        }
        let bytes = BASE64_URL_SAFE_NO_PAD.decode(letters).map_err(|_| CodeError::Damaged)?;
        Self::of_text(&unpacked(&bytes)?)
    }

    /// Parses the unpacked text of a code.
    fn of_text(text: &str) -> Result<Self, CodeError> {
        let (base, text) = match text
            .split_once('\n')
            .map(|(head, rest)| (head.strip_prefix("preset "), rest))
        {
            Some((Some(head), rest)) => (preset(head)?, rest),
            _ => (Design::default(), text),
        };
        let (turn, text) = match text
            .split_once('\n')
            .map(|(head, rest)| (head.strip_prefix("turn "), rest))
        {
            Some((Some(turn), rest)) => {
                let turn = turn.parse().map_err(|_| CompactError::Value("turn".into()))?;
                (Some(turn), rest)
            }
            _ => (None, text),
        };
        let design = compact::read(text, base)?;
        if let Some(file) = level_file(&design) {
            return Err(CodeError::LevelFile(file.to_owned()));
        }
        Ok(Self { design, turn })
    }
}

/// Returns the design of the preset in `head`, which consists of a name and a check. Fails if the check does not match.
fn preset(head: &str) -> Result<Design, CodeError> {
    let (name, check) = head.split_once(' ').unwrap_or((head, ""));
    let design = Preset::find(name).map(Preset::design);
    design
        .filter(|design| check_of(design) == check)
        .ok_or_else(|| CodeError::Preset(name.to_owned()))
}

/// Returns a digest of everything in a design that influences its dungeons, except the seed.
fn check_of(design: &Design) -> String {
    let plain = Design::default();
    let mut grows = Design {
        name: String::new(),
        notes: String::new(),
        seed: plain.seed,
        expect: Expectations::default(),
        ..design.clone()
    };
    grows.layout.places.clear();
    let hash = fnv1a(compact::write(&grows, &plain).bytes());
    format!("{:08x}", hash as u32)
}

/// Returns the first level file that a design uses and that is not built in.
fn level_file(design: &Design) -> Option<&str> {
    let mut files = design.layout.vaults.iter().map(|vault| vault.file.as_str());
    files.find(|file| !file.is_empty())
}

fn packed(text: &str) -> Vec<u8> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
    // The error can be ignored: writing to memory does not fail.
    let _ = encoder.write_all(text.as_bytes());
    let deflated = encoder.finish().unwrap_or_default();
    let mut bytes = check_bytes(&deflated).to_vec();
    bytes.extend(deflated);
    bytes
}

fn check_bytes(deflated: &[u8]) -> [u8; 2] {
    (fnv1a(deflated.iter().copied()) as u16).to_be_bytes()
}

fn unpacked(bytes: &[u8]) -> Result<String, CodeError> {
    let (check, deflated) = bytes.split_at_checked(2).ok_or(CodeError::Damaged)?;
    if check != check_bytes(deflated) {
        return Err(CodeError::Damaged);
    }
    let mut text = Vec::new();
    let mut decoder = DeflateDecoder::new(deflated).take(MAX_TEXT as u64 + 1);
    decoder.read_to_end(&mut text).map_err(|_| CodeError::Damaged)?;
    if text.len() > MAX_TEXT {
        return Err(CodeError::Oversized);
    }
    String::from_utf8(text).map_err(|_| CodeError::Damaged)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::design::VaultEntry;

    fn code_of(text: &str) -> String {
        PREFIX.to_owned() + &BASE64_URL_SAFE_NO_PAD.encode(packed(text))
    }

    #[test]
    fn every_preset_fits_into_400_characters_with_another_seed_an_edit_and_a_moment() {
        for preset in Preset::all() {
            let mut design = preset.design();
            let turn = Some(12_345);
            for step in 0..3 {
                let code = DungeonCode {
                    design: design.clone(),
                    turn,
                };
                let text = code.write().unwrap();
                assert!(text.len() <= 400, "{}: {}", preset.name, text.len());
                assert!(DungeonCode::is_code(&text));
                assert_eq!(DungeonCode::read(&text), Ok(code), "{}", preset.name);
                match step {
                    0 => design.seed = u64::MAX,
                    _ => design.character.generations[2].max_age += 1,
                }
            }
        }
    }

    #[test]
    fn a_code_broken_into_lines_is_read_and_a_damaged_one_is_refused() {
        let design = Preset::find("weave").unwrap().design();
        let code = DungeonCode { design, turn: None };
        let text = code.write().unwrap();
        let broken = format!("  {}\r\n  {}\n", &text[..20], &text[20..]);
        assert_eq!(DungeonCode::read(&broken), Ok(code));
        for end in PREFIX.len()..text.len() {
            assert_eq!(DungeonCode::read(&text[..end]), Err(CodeError::Damaged), "{end}");
        }
        for at in PREFIX.len()..text.len() {
            let mut other = text.clone();
            let letter = if &other[at..=at] == "A" { "B" } else { "A" };
            other.replace_range(at..=at, letter);
            assert!(DungeonCode::read(&other).is_err(), "{other}");
        }
        for text in ["", "wc1", "wc1:", "wc1:!!!", "wc1:AAAA", "weave", "wc:AAAA", "wc1:ä"] {
            assert_eq!(DungeonCode::read(text), Err(CodeError::Damaged), "{text}");
        }
        assert_eq!(DungeonCode::read("wc2:AAAA"), Err(CodeError::Format("wc2:".into())));
    }

    #[test]
    fn a_hostile_code_is_refused_before_it_takes_memory() {
        let bomb = code_of(&"\n".repeat(MAX_TEXT + 1));
        assert!(bomb.len() < 10_000);
        assert_eq!(DungeonCode::read(&bomb), Err(CodeError::Oversized));
        assert_eq!(
            DungeonCode::read(&format!("wc1:{}", "A".repeat(MAX_CODE + 1))),
            Err(CodeError::TooLong)
        );
        let many = "walls 1,1>999999\n".repeat(1000);
        assert!(matches!(DungeonCode::read(&code_of(&many)), Err(CodeError::Content(_))));
        for (text, error) in [
            ("preset nowhere 0\n", CodeError::Preset("nowhere".into())),
            ("preset weave 00000000\n", CodeError::Preset("weave".into())),
            (
                "vault 1\nvault.file /etc/passwd\n",
                CodeError::LevelFile("/etc/passwd".into()),
            ),
            ("turn x\n", CompactError::Value("turn".into()).into()),
            ("future 1\n", CompactError::Unknown("future".into()).into()),
        ] {
            assert_eq!(DungeonCode::read(&code_of(text)), Err(error), "{text}");
        }
        // Reading accepts dimensions beyond the limits; validation rejects the design.
        let huge = DungeonCode::read(&code_of("dim_x 2147483647\ndim_y 2147483647\n")).unwrap();
        assert!(huge.design.validate(None).design.is_none());
    }

    #[test]
    fn a_design_with_a_level_file_has_no_code() {
        let mut design = Design::default();
        design.layout.vaults.push(VaultEntry {
            file: "mine.des".into(),
            ..VaultEntry::default()
        });
        let code = DungeonCode { design, turn: None };
        assert_eq!(code.write(), Err(CodeError::LevelFile("mine.des".into())));
    }
}
