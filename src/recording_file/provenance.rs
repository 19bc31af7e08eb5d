//! The data needed to reproduce an output: the version of the program, the design with its seed, and the files that the
//! design was read from.

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::design::{Design, ValidDesign};
use crate::engine::Options;

/// Version of this program.
pub const PROGRAM_VERSION: &str = env!("CARGO_PKG_VERSION");

/// Name and version of this program, for formats that can store them.
pub const PROGRAM: &str = concat!("wallcrawler ", env!("CARGO_PKG_VERSION"));

/// A file that a design was read from. Serialized as a pair of the file's name and its digest.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "(String, String)", into = "(String, String)")]
pub struct SourceFile {
    /// Name of the file. For a level file in the design's folder or in a folder below it, this is the path relative to
    /// the design's folder.
    pub name: String,
    /// SHA-256 digest of the file's content, as 64 lower-case hexadecimal digits.
    pub sha256: String,
}

impl SourceFile {
    /// Creates the value for a file from the file's name and its content, which is hashed.
    pub fn of(name: impl Into<String>, bytes: &[u8]) -> Self {
        Self {
            name: name.into(),
            sha256: sha256(bytes),
        }
    }
}

impl From<(String, String)> for SourceFile {
    fn from((name, sha256): (String, String)) -> Self {
        Self { name, sha256 }
    }
}

impl From<SourceFile> for (String, String) {
    fn from(SourceFile { name, sha256 }: SourceFile) -> Self {
        (name, sha256)
    }
}

/// The origin of a dungeon. Exports and recording files store as much of it as their formats can hold.
#[derive(Debug, Clone, Copy)]
pub struct Provenance<'a> {
    /// The design that was grown, with its seed and its resolved vaults.
    pub design: &'a ValidDesign,
    /// Options with which the design was grown.
    pub options: Options,
    /// Files that the design was read from.
    pub sources: &'a [SourceFile],
}

impl Provenance<'_> {
    /// Returns [the title](title_of), followed by the name and the SHA-256 of each source file.
    pub fn title_with_sources(&self) -> String {
        let sources = self.sources.iter();
        let sources = sources.map(|file| format!(", {} sha256:{}", file.name, file.sha256));
        std::iter::once(title_of(self.design)).chain(sources).collect()
    }
}

/// Returns the title of a dungeon: the design's name (`A dungeon` if empty) and its seed.
pub fn title_of(design: &Design) -> String {
    let name = design.name.trim();
    let name = if name.is_empty() { "A dungeon" } else { name };
    format!("{name}, seed {}", design.seed)
}

/// Returns the SHA-256 digest (FIPS 180-4) of `bytes` as 64 lower-case hexadecimal digits.
pub fn sha256(bytes: &[u8]) -> String {
    format!("{:x}", Sha256::digest(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    // Example messages that NIST publishes for SHA-256.
    #[test]
    fn digests_agree_with_the_standard() {
        assert_eq!(
            sha256(b"abc"),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
        assert_eq!(
            sha256(b""),
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
        );
        assert_eq!(
            sha256(b"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        );
        assert_eq!(
            sha256(&vec![b'a'; 1_000_000]),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
        );
    }
}
