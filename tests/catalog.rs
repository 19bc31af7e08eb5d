//! The seed catalog: designs and seeds, and the digests of the dungeons and histories that they make.
//!
//! The same design and seed make the same dungeon for ever, in every build and on every platform. A change
//! of `tests/catalog/digests.txt` breaks that promise to everyone who kept a seed. Where it must be,
//! `WALLCRAWLER_BLESS=1 cargo test --test catalog` writes the digests anew and numbers the edition, and the
//! CHANGELOG says, under `seed catalog N`, why it changed.
//!
//! The designs are the presets and those in `tests/catalog`. A digest is the 64-bit FNV-1a hash of bytes that are
//! laid out here, number by number, so that neither memory layouts nor the standard library have a say.

#![allow(clippy::expect_used, reason = "helpers of tests")]

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use wallcrawler::design::{Design, ValidDesign};
use wallcrawler::engine::{
    Birth, Clock, Death, Event, Grid, Growth, Kind, Mark, Observer, Opening, Options, Tile, TurnReason,
};
use wallcrawler::format::{Text, native};
use wallcrawler::geometry::Point;
use wallcrawler::presets::Preset;

/// Seeds besides each design's own.
const SEEDS: [u64; 3] = [1, 1_000_003, u64::MAX];

/// FNV-1a of 64 bits.
struct Digest(u64);

impl Digest {
    const fn new() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }

    fn byte(&mut self, byte: u8) {
        self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }

    /// Any number as its low 64 bits, least byte first.
    fn number(&mut self, number: impl Into<i128>) {
        for byte in (number.into() as u64).to_le_bytes() {
            self.byte(byte);
        }
    }

    fn point(&mut self, at: Point) {
        self.number(at.x);
        self.number(at.y);
    }

    /// The numbers 1 and 4 were once given to kinds that are no more.
    fn tile(&mut self, tile: Tile) {
        self.byte(match tile {
            Tile::Open => 0,
            Tile::Guaranteed => 2,
            Tile::Wall => 3,
            Tile::HighWall => 5,
            Tile::Column => 6,
        });
    }

    fn opening(&mut self, opening: Opening) {
        self.byte(match opening {
            Opening::Closed => 0,
            Opening::End => 1,
            Opening::Start => 2,
        });
    }

    /// Dimensions, then every square's tile and who put it there: 0 the design, else 1 + the generation.
    fn grid(grid: &Grid) -> u64 {
        let mut digest = Self::new();
        let size = grid.size();
        digest.point(Point::new(size.x, size.y));
        for x in 0..size.x {
            for y in 0..size.y {
                let at = Point::new(x, y);
                digest.tile(grid.tile(at));
                digest.number(match grid.mark(at) {
                    Mark::Design => 0,
                    Mark::Generation(generation) => 1 + i32::from(generation),
                });
            }
        }
        digest.0
    }

    fn birth(&mut self, birth: &Birth) {
        self.number(birth.parent.map_or(-1, |id| i64::from(id.0)));
        self.byte(match birth.kind {
            Kind::Crawler => 0,
            Kind::Jumper => 1,
        });
        self.number(birth.generation);
        self.point(birth.at);
        self.byte(birth.forward as u8);
        self.byte(birth.direction.map_or(8, |direction| direction as u8));
        self.opening(birth.opening);
        self.number(birth.wakes);
    }
}

/// The digest of what a run tells, with the numbers that a person wants to see beside it.
struct History {
    digest: Digest,
    births: u64,
    tiles: u64,
}

impl Observer for History {
    fn event(&mut self, event: Event) {
        let digest = &mut self.digest;
        let mut begin = |kind: u8| {
            digest.byte(kind);
            digest.number(event.builder().0);
        };
        match event {
            Event::Born { birth, .. } => {
                begin(1);
                digest.birth(&birth);
                self.births += 1;
            }
            Event::Unborn { living, .. } => {
                begin(2);
                digest.number(living);
            }
            Event::Woke { .. } => begin(3),
            Event::Laid { at, before, tile, .. } => {
                begin(4);
                digest.point(at);
                digest.tile(before);
                digest.tile(tile);
                self.tiles += 1;
            }
            Event::Moved { from, to, .. } => {
                begin(5);
                digest.point(from);
                digest.point(to);
            }
            Event::Turned { from, to, why, .. } => {
                begin(6);
                digest.byte(from as u8);
                digest.byte(to as u8);
                match why {
                    TurnReason::Forced { free, needed, side } => [free, needed, side].map(|n| digest.number(n)),
                    TurnReason::Free { rolled, chance } => [255, rolled, chance].map(|n| digest.number(n)),
                };
            }
            Event::OpeningChanged { from, to, .. } => {
                begin(7);
                digest.opening(from);
                digest.opening(to);
            }
            Event::Joined { distance, .. } => {
                begin(8);
                digest.number(distance);
            }
            Event::Died { cause, .. } => {
                begin(9);
                digest.byte(match cause {
                    Death::Blocked => 0,
                    Death::Aged => 1,
                    Death::Joined => 2,
                });
            }
        }
    }

    fn turn_ended(&mut self, clock: Clock) {
        self.digest.byte(100);
        self.digest.number(clock.turn);
    }

    fn iteration_ended(&mut self, clock: Clock) {
        self.digest.byte(101);
        self.digest.number(clock.iteration);
    }
}

/// The design as the engine takes it, its vaults resolved.
#[cfg(feature = "terminal")]
fn ready(design: &Design) -> ValidDesign {
    let prepared = wallcrawler::document::prepare(design, None, None);
    prepared.valid.expect("a usable design")
}

#[cfg(not(feature = "terminal"))]
fn ready(design: &Design) -> ValidDesign {
    design.validate(None).design.expect("a usable design")
}

/// Whether this build can make a design ready: files of vaults are no business of the library without a terminal.
fn is_known_here(design: &Design) -> bool {
    cfg!(feature = "terminal") || design.layout.vaults.is_empty()
}

/// A line of the catalog: what was grown, the two digests, and the numbers.
fn line(name: &str, design: &Design, seed: u64, options: Options) -> String {
    let valid = ready(&Design { seed, ..design.clone() });
    let mut history = History {
        digest: Digest::new(),
        births: 0,
        tiles: 0,
    };
    let mut growth = Growth::new(&valid, options, &mut history);
    growth.finish(&mut history);
    format!(
        "{name} {} {seed} {:016x} {:016x} {} {} {}\n",
        if options.columns { "columns" } else { "no-columns" },
        Digest::grid(growth.grid()),
        history.digest.0,
        growth.clock().turn,
        history.births,
        history.tiles
    )
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/catalog")
}

/// The presets and the catalog's own designs, by name.
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
            // What they leave out has its default: that must not change either.
            assert!(parsed.is_usable(), "{:?}", parsed.diagnostics);
            designs.push((name, parsed.value));
        }
    }
    designs.sort_by(|a, b| a.0.cmp(&b.0));
    designs.retain(|(_, design)| is_known_here(design));
    designs
}

/// Every design with its own seed and some others, and with its own without columns.
fn catalog() -> String {
    let mut lines = String::new();
    for (name, design) in designs() {
        let with = Options { columns: true };
        let mut seeds = vec![design.seed];
        seeds.extend(SEEDS.into_iter().filter(|seed| *seed != design.seed));
        for seed in seeds {
            lines += &line(&name, &design, seed, with);
        }
        lines += &line(&name, &design, design.seed, Options { columns: false });
    }
    lines
}

const EDITION: &str = "# edition ";

/// The edition that a catalog states, and its lines.
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
        "Written by `WALLCRAWLER_BLESS=1 cargo test --test catalog`; `tests/catalog.rs` tells when and how.",
        "design, columns or no-columns, seed, digest of the dungeon, digest of its history, turns, births, tiles laid",
    ] {
        writeln!(file, "# {text}").expect("a string takes all");
    }
    file + lines
}

#[test]
fn every_seed_makes_the_dungeon_that_it_made() {
    let path = folder().join("digests.txt");
    let (mut edition, mut kept) = split(&std::fs::read_to_string(&path).unwrap_or_default());
    let grown = catalog();
    let strange: Vec<&str> = Preset::all()
        .iter()
        .filter(|preset| !is_known_here(&preset.design()))
        .map(|preset| preset.name)
        .collect();
    let is_known = |line: &str| strange.iter().all(|name| !line.starts_with(&format!("{name} ")));
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
        "{}\nThe seed catalog changed: kept seeds no longer make their dungeons. If that must be, run\n    \
         WALLCRAWLER_BLESS=1 cargo test --test catalog\nand say why in CHANGELOG.md, in a line with `seed catalog {}:`.",
        changed.join("\n"),
        edition + 1
    );
    let changelog = Path::new(env!("CARGO_MANIFEST_DIR")).join("CHANGELOG.md");
    let changelog = std::fs::read_to_string(changelog).expect("the changelog");
    assert!(
        changelog.contains(&format!("seed catalog {edition}:")),
        "the seed catalog is edition {edition}; CHANGELOG.md must say why, in a line with `seed catalog {edition}:`"
    );
}

#[test]
fn digests_are_those_of_the_definition() {
    // The published values of FNV-1a for these inputs.
    for (input, hash) in [
        ("", 0xcbf2_9ce4_8422_2325),
        ("a", 0xaf63_dc4c_8601_ec8c),
        ("foobar", 0x8594_4171_f739_67e8),
    ] {
        let mut digest = Digest::new();
        input.bytes().for_each(|byte| digest.byte(byte));
        assert_eq!(digest.0, hash, "{input}");
    }
}
