//! Stage one of construction against the recorded dungeons of the original program.
//!
//! Three questions for every recorded case: is the dungeon equal, tile for tile, if no Crawler grows in it; is
//! everything that stage one places in every recorded dungeon; does each message of the original have a diagnostic
//! here, and does each of our diagnostics have a reason. Skipped, with a message, if the recorded dungeons are missing.

#![expect(
    clippy::expect_used,
    reason = "helpers of tests: a record that cannot be used fails its test, and the count is printed"
)]

use crate::common::Case;
use wallcrawler::design::{Diagnostic, Entry, Field, Severity};
use wallcrawler::engine::stage_one::{self, BuiltLayout};
use wallcrawler::engine::{Grid, Tile};
use wallcrawler::format::{Text, rooms};

/// Builds stage one of a case.
fn built(case: &Case) -> BuiltLayout {
    stage_one::build(&case.design().validate(None).design.expect("recorded designs are valid"))
}

fn text(grid: &Grid) -> Vec<String> {
    grid.rows().map(|row| row.map(Tile::plain).collect()).collect()
}

fn differing(a: &[String], b: &[String]) -> usize {
    assert_eq!(a.len(), b.len());
    a.iter()
        .zip(b)
        .flat_map(|(a, b)| a.chars().zip(b.chars()))
        .filter(|(a, b)| a != b)
        .count()
}

#[test]
fn dungeons_without_growth_are_equal_tile_for_tile() {
    let (mut equal, mut wrong) = (0, Vec::new());
    for case in crate::common::cases("dungeons_without_growth_are_equal_tile_for_tile") {
        let BuiltLayout { grid, starts, .. } = built(&case);
        if case.kind != "exact" || !starts.is_empty() {
            continue;
        }
        let tiles = differing(&text(&grid), &case.grids[0]);
        if tiles == 0 {
            equal += 1;
        } else {
            wrong.push((case.name, tiles));
        }
    }
    println!("{equal} dungeons without growth equal, {} not", wrong.len());
    assert!(wrong.is_empty(), "{wrong:?}");
}

#[test]
fn tiles_of_stage_one_are_in_every_recorded_dungeon() {
    let mut wrong = Vec::new();
    for case in crate::common::cases("tiles_of_stage_one_are_in_every_recorded_dungeon") {
        let placed = text(&built(&case).grid);
        for recorded in &case.grids {
            let missing = placed
                .iter()
                .zip(recorded)
                .flat_map(|(p, r)| p.chars().zip(r.chars()))
                .filter(|(p, r)| *p != '.' && p != r)
                .count();
            if missing > 0 {
                wrong.push((case.name.clone(), missing));
                break;
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:?}");
}

/// The original's messages and our diagnostics.
const COUNTERPARTS: [(&str, &str); 17] = [
    ("too small for a 5 x 5 pyramid", "too small for a pyramid"),
    ("We frown on corner decorations", "are too narrow to pass"),
    (
        "mixed up in the first of a pair",
        "an open/closed pair begins before the pair above",
    ),
    ("Crawler has illegal value", "is not a direction"),
    (
        "is not inside the dungeon space",
        "lies outside the dungeon; the Crawler",
    ),
    ("this center door opening, resetting", "too small for center doors"),
    ("this corner door opening, resetting", "too small for corner doors"),
    ("Invalid value passed for style", "is not a sum of switch values"),
    (
        "too small for ColumnJumpers and a central pyramid",
        "too small for columns and a pyramid",
    ),
    ("Shifting room to the left", "towards the left"),
    ("Shifting room to the right", "towards the right"),
    ("Shifting room to the top", "towards the top"),
    ("Shifting room to the bottom", "towards the bottom"),
    ("Not enough room to decorate", "not enough space between"),
    (
        "You cannot put a Crawler in the center",
        "no room for a Crawler in its middle",
    ),
    ("is too small, not built", "is too small; it is left out"),
    // The headline of the message about the start position.
    (
        "Illegal Value for Crawler start position",
        "lies outside the dungeon; the Crawler",
    ),
];

/// Messages that have no diagnostic of their own.
const OTHERWISE: [(&str, &str); 2] = [
    // Our diagnostic is about the code, which the original reports for some codes only.
    ("has no direction assigned", "not a code for"),
    // A wall on a wall makes no difference: there is no diagnostic.
    ("Wall tile placement collides", ""),
];

/// Returns whether a message only counts the births that maxCrawlers prevented: see `conformance.rs`.
fn is_count(message: &str) -> bool {
    message.contains("reating levels") || message.chars().all(|letter| matches!(letter, 'J' | 'C'))
}

/// Checks that a diagnostic of stage one has its line and column in the rooms file, and quotes its value.
fn stands_in_the_file(case: &Case, diagnostic: &Diagnostic) {
    let text = Text::new("rooms", &case.rooms);
    let mut located = diagnostic.clone();
    rooms::parse(&text).places.locate(&mut located, &text);
    // maxCrawlers and MaxAge are in other files.
    if located
        .place
        .is_some_and(|place| matches!(place.entry, Entry::Constants | Entry::Generation(_)))
    {
        return;
    }
    let (place, source) = located.place.zip(located.source).expect("a place in the file");
    let line = 1 + text.content()[..source.span.start].matches('\n').count();
    assert_eq!(source.line as usize, line, "{diagnostic}");
    if let Some(parameter) = place.field.and_then(Field::number) {
        let value = case.design().get(place.entry, parameter).expect("a value");
        assert_eq!(source.text, value.to_string(), "{diagnostic}");
    } else {
        let begins = ["div:", "Wall tile"].iter().any(|word| source.text.starts_with(word));
        assert!(begins, "{diagnostic}: {}", source.text);
    }
}

#[test]
fn every_message_of_the_original_has_its_diagnostic() {
    let mut wrong = Vec::new();
    for case in crate::common::cases("every_message_of_the_original_has_its_diagnostic") {
        let diagnostics = built(&case).diagnostics;
        for d in &diagnostics {
            assert!(d.severity < Severity::Error && !d.help.is_empty(), "{d}");
            // Its part about MaxAge refers to the stats file.
            if !matches!(d.place.map(|place| place.entry), Some(Entry::Generation(_))) {
                stands_in_the_file(&case, d);
            }
        }
        for message in case.messages.iter().filter(|m| !is_count(m)) {
            let pairs = || COUNTERPARTS.iter().chain(&OTHERWISE);
            let counterpart = pairs().find(|(theirs, _)| message.contains(theirs));
            if !counterpart
                .is_some_and(|(_, ours)| ours.is_empty() || diagnostics.iter().any(|d| d.message.contains(ours)))
            {
                wrong.push(format!("{}: no diagnostic for: {message}", case.name));
            }
        }
        for d in &diagnostics {
            let theirs: Vec<&str> = COUNTERPARTS
                .iter()
                .filter(|(_, ours)| d.message.contains(ours))
                .map(|(theirs, _)| *theirs)
                .collect();
            let said = |theirs: &&str| case.messages.iter().any(|m| m.contains(theirs));
            if !theirs.is_empty() && !theirs.iter().any(said) {
                wrong.push(format!("{}: no message of the original for: {}", case.name, d.message));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
