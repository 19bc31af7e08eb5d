//! Helpers of several test binaries.

#![allow(dead_code, unreachable_pub, reason = "every test program uses a part of it")]
#![allow(clippy::expect_used, reason = "it is code of tests")]

pub mod designs;
pub mod vaults;

use std::io::Write as _;
use std::path::{Path, PathBuf};

use wallcrawler::design::Design;
use wallcrawler::format::{Text, constants, rooms, stats};

/// Returns the folder of reference data beside the project, if it exists.
pub fn shared() -> Option<PathBuf> {
    let project = Path::new(env!("CARGO_MANIFEST_DIR"));
    let candidates = [
        std::env::var_os("WALLCRAWLER_SHARED").map(PathBuf::from),
        Some(project.join("../shared")),
        // For a second checkout, one folder deeper.
        Some(project.join("../../shared")),
    ];
    candidates
        .into_iter()
        .flatten()
        .find(|p| p.join("reference/cases").is_dir())
}

/// A recorded dungeon of the original program.
#[derive(serde::Deserialize)]
pub struct Case {
    pub name: String,
    /// `exact`: every seed gives the same dungeon; `random`: the dungeons are a sample.
    pub kind: String,
    pub rooms: String,
    pub stats: String,
    pub constants: String,
    /// The dungeon or the sample, each a list of rows.
    pub grids: Vec<Vec<String>>,
    /// Messages of the original about the design.
    pub messages: Vec<String>,
}

impl Case {
    /// Returns the recorded design.
    pub fn design(&self) -> Design {
        Design {
            layout: rooms::parse(&Text::new("rooms", &self.rooms)).value,
            character: stats::parse(&Text::new("stats", &self.stats)).value,
            constants: constants::parse(&Text::new("constants", &self.constants)).value,
            ..Design::default()
        }
    }
}

/// Returns all recorded cases; none, with a message, if the reference data is missing.
pub fn cases(test: &str) -> Vec<Case> {
    let Some(shared) = shared() else {
        // Bypasses the test runner, which hides the output of passing tests.
        let mut out = std::io::stderr();
        let _ = writeln!(
            out,
            "SKIPPED {test}: no reference data beside the project (or in WALLCRAWLER_SHARED)"
        );
        return Vec::new();
    };
    let mut paths: Vec<PathBuf> = std::fs::read_dir(shared.join("reference/cases"))
        .expect("cases")
        .map(|e| e.expect("case").path())
        .filter(|p| p.extension().is_some_and(|e| e == "json"))
        .collect();
    paths.sort();
    assert!(paths.len() > 400, "the cases are incomplete: {}", paths.len());
    paths
        .iter()
        .map(|p| serde_json::from_slice(&std::fs::read(p).expect("readable")).expect("a case"))
        .collect()
}

/// Returns the given level files, each with its path below their folder, in order; none, with a message, if
/// they are missing.
pub fn level_files(test: &str) -> Vec<(String, Vec<u8>)> {
    fn below(folder: &Path, found: &mut Vec<PathBuf>) {
        for entry in std::fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                below(&path, found);
            } else if path.extension().is_some_and(|e| e == "des") {
                found.push(path);
            }
        }
    }
    let Some(folder) = shared().map(|shared| shared.join("vaults/des")).filter(|p| p.is_dir()) else {
        let mut out = std::io::stderr();
        let _ = writeln!(
            out,
            "SKIPPED {test}: no level files beside the project (or in WALLCRAWLER_SHARED)"
        );
        return Vec::new();
    };
    let mut paths = Vec::new();
    below(&folder, &mut paths);
    paths.sort();
    assert!(paths.len() >= 48, "the level files are incomplete: {}", paths.len());
    let name = |path: &Path| {
        path.strip_prefix(&folder)
            .expect("below")
            .to_string_lossy()
            .into_owned()
    };
    paths
        .iter()
        .map(|path| (name(path), std::fs::read(path).expect("readable")))
        .collect()
}
