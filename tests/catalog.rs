//! The seed catalogue: designs and seeds, with the digests of the dungeons and histories that they make.
//!
//! The same design and seed make the same dungeon forever, in every build and on every platform. A change of
//! `tests/catalog/digests.txt` breaks that promise to everyone who kept a seed. If it is necessary,
//! `WALLCRAWLER_BLESS=1 cargo test --test catalog` writes the digests again with a new edition number. The CHANGELOG
//! must then say, under `seed catalogue N`, why they changed.
//!
//! The designs are the presets and those in `tests/catalog`; `tests/common/digest.rs` defines the digests.

#![allow(clippy::expect_used, reason = "helpers of tests")]

#[path = "common/digest.rs"]
mod digest;

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use wallcrawler::design::{Design, ValidDesign};
use wallcrawler::engine::{Options, SEED_CATALOG};
use wallcrawler::format::{Text, native};
use wallcrawler::presets::Preset;

use self::digest::Digest;

/// Returns a validated design with its vaults resolved.
#[cfg(feature = "terminal")]
fn ready(design: &Design) -> ValidDesign {
    let prepared = wallcrawler::document::prepare(design, None, None);
    prepared.valid.expect("a valid design")
}

#[cfg(not(feature = "terminal"))]
fn ready(design: &Design) -> ValidDesign {
    design.validate(None).design.expect("a valid design")
}

/// Returns whether this build can prepare a design: the library without a terminal does not read level files.
fn is_known_here(design: &Design) -> bool {
    cfg!(feature = "terminal") || design.layout.vaults.is_empty()
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/catalog")
}

/// Returns the presets and the catalog's own designs, by name.
fn designs() -> Vec<(String, Design)> {
    let mut designs: Vec<_> = Preset::all()
        .iter()
        .map(|preset| (preset.name.to_owned(), preset.design()))
        .collect();
    for entry in std::fs::read_dir(folder()).expect("the catalog's designs") {
        let path = entry.expect("an entry").path();
        if path.extension().is_some_and(|extension| extension == "toml") {
            let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
            let content = std::fs::read_to_string(&path).expect("readable");
            let parsed = native::parse(&Text::new(&name, content));
            // Missing values have defaults, which must not change either.
            assert!(parsed.is_usable(), "{:?}", parsed.diagnostics);
            designs.push((name, parsed.value));
        }
    }
    designs.sort_by(|a, b| a.0.cmp(&b.0));
    designs.retain(|(_, design)| is_known_here(design));
    designs
}

/// Returns the digests of every design with its own seed and some others, and with its own seed without Jumpers.
fn catalog() -> String {
    let mut lines = String::new();
    for (name, design) in designs() {
        let with = Options { columns: true };
        for seed in digest::seeds(&design) {
            let valid = ready(&Design { seed, ..design.clone() });
            lines += &digest::line(&name, &valid, with);
        }
        lines += &digest::line(&name, &ready(&design), Options { columns: false });
    }
    lines
}

const EDITION: &str = "# edition ";

/// Returns the edition that a catalog states, and its lines.
fn split(file: &str) -> (u32, String) {
    let edition = file.lines().find_map(|line| line.strip_prefix(EDITION)?.parse().ok());
    let lines = file.lines().filter(|line| !line.starts_with('#'));
    (
        edition.unwrap_or(0),
        lines.fold(String::new(), |text, line| text + line + "\n"),
    )
}

fn written(edition: u32, lines: &str) -> String {
    let mut file = format!("{EDITION}{edition}\n");
    for text in [
        "Written by `WALLCRAWLER_BLESS=1 cargo test --test catalog`; `tests/catalog.rs` explains when and how.",
        "design, columns or no-columns, seed, digest of the dungeon, digest of its history, turns, births, tiles laid",
    ] {
        writeln!(file, "# {text}").expect("a string takes all");
    }
    file + lines
}

#[test]
fn every_seed_still_grows_its_dungeon() {
    let path = folder().join("digests.txt");
    let (mut edition, mut kept) = split(&std::fs::read_to_string(&path).unwrap_or_default());
    let grown = catalog();
    let other: Vec<&str> = Preset::all()
        .iter()
        .filter(|preset| !is_known_here(&preset.design()))
        .map(|preset| preset.name)
        .collect();
    let is_known = |line: &str| other.iter().all(|name| !line.starts_with(&format!("{name} ")));
    kept = kept
        .lines()
        .filter(|line| is_known(line))
        .fold(String::new(), |text, line| text + line + "\n");
    if std::env::var_os("WALLCRAWLER_BLESS").is_some() && kept != grown {
        edition += 1;
        std::fs::write(&path, written(edition, &grown)).expect("written");
        kept.clone_from(&grown);
    }
    let only = |side: &str, of: &str, not_of: &str| -> Vec<String> {
        let not_of: BTreeSet<&str> = not_of.lines().collect();
        let lines = of.lines().filter(|line| !not_of.contains(line));
        lines.map(|line| format!("{side} {line}")).collect()
    };
    let changed = [only("kept", &kept, &grown), only("now ", &grown, &kept)].concat();
    assert!(
        kept == grown,
        "{}\nThe seed catalogue changed: kept seeds no longer make their dungeons. If that is intended, run\n    \
         WALLCRAWLER_BLESS=1 cargo test --test catalog\nand say why in CHANGELOG.md, in a line with `seed catalogue {}:`.",
        changed.join("\n"),
        edition + 1
    );
    assert_eq!(
        SEED_CATALOG, edition,
        "`engine::SEED_CATALOG` is not the edition of the seed catalogue; set it to {edition}"
    );
    let changelog = Path::new(env!("CARGO_MANIFEST_DIR")).join("CHANGELOG.md");
    let changelog = std::fs::read_to_string(changelog).expect("the changelog");
    assert!(
        changelog.contains(&format!("seed catalogue {edition}:")),
        "the seed catalogue is edition {edition}; CHANGELOG.md must say why, in a line with `seed catalogue {edition}:`"
    );
}

#[test]
fn digests_follow_their_definition() {
    // The published values of FNV-1a for these inputs.
    for (input, hash) in [
        ("", 0xcbf2_9ce4_8422_2325),
        ("a", 0xaf63_dc4c_8601_ec8c),
        ("foobar", 0x8594_4171_f739_67e8),
    ] {
        let mut digest = Digest::new();
        input.bytes().for_each(|byte| digest.byte(byte));
        assert_eq!(digest.value(), hash, "{input}");
    }
}
