//! Whole dungeons against those that the original program made from the same designs.
//!
//! Where every seed gives one dungeon, ours must be that dungeon, tile for tile. Where the original made only a few
//! different dungeons from a design, each of ours must be one of them, and all of them must occur. `score.py` beside
//! the recorded dungeons compares larger samples. Skipped, with a message, if the recorded dungeons are not present.

#![expect(
    clippy::expect_used,
    reason = "helpers of tests: a record that cannot be used fails its test, and the count is printed"
)]

use std::collections::{BTreeMap, BTreeSet};

use wallcrawler::design::Design;
use wallcrawler::engine::{Event, Growth, Observer, Options, Tile, stage_one};

/// Returns the dungeon of a seed in the format of the recorded ones, which were made without Jumpers.
fn grown(design: &Design, seed: u64) -> Vec<String> {
    let design = Design { seed, ..design.clone() };
    let valid = design.validate(None).design.expect("recorded designs are valid");
    let mut growth = Growth::new(&valid, Options { columns: false }, &mut ());
    growth.finish(&mut ());
    let rows = growth.grid().rows();
    rows.map(|row| row.map(Tile::plain).collect()).collect()
}

/// Cases with one recorded dungeon each, although a coin toss decides a forced turn between two sides with equal room:
/// our dungeons include the recorded outcome.
const COIN: [&str; 8] = [
    "codes-bC-3-s1",
    "codes-lC-3-s9",
    "codes-lTC-43",
    "codes-mix-1",
    "codes-mix-15",
    "codes-rC-3-s1",
    "codes-tC-3-s1",
    "codes-tC-3-s9",
];

/// An observer that counts the births that maxCrawlers prevented.
#[derive(Default)]
struct PreventedBirths(usize);

impl Observer for PreventedBirths {
    fn event(&mut self, event: Event) {
        self.0 += usize::from(matches!(event, Event::Unborn { .. }));
    }
}

#[test]
fn exact_cases_are_equal_tile_for_tile_for_any_seed() {
    let mut families: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    let mut wrong = Vec::new();
    for case in crate::common::cases("exact_cases_are_equal_tile_for_tile_for_any_seed") {
        if case.kind != "exact" {
            continue;
        }
        let design = case.design();
        let is_recorded = |seed| grown(&design, seed) == case.grids[0];
        let equal = if COIN.contains(&case.name.as_str()) {
            (1..=20).any(is_recorded)
        } else {
            [1, 2, 0xdead_beef].into_iter().all(is_recorded)
        };
        let family = families
            .entry(case.name.split('-').next().unwrap_or_default().to_owned())
            .or_default();
        family.0 += usize::from(equal);
        family.1 += 1;
        if !equal {
            wrong.push(case.name);
        }
    }
    for (family, (equal, all)) in families {
        println!("{family}: {equal} of {all} exact");
    }
    assert!(wrong.is_empty(), "{wrong:?}");
}

#[test]
fn births_are_prevented_as_often_as_in_the_original() {
    let mut compared = 0;
    for case in crate::common::cases("births_are_prevented_as_often_as_in_the_original") {
        // The original prints a letter for each: J for a Jumper, C for a Crawler.
        let is_count = |message: &&String| message.chars().all(|letter| matches!(letter, 'J' | 'C'));
        let theirs: usize = case.messages.iter().filter(is_count).map(String::len).sum();
        if case.kind != "exact" || !case.name.starts_with("limited-") {
            continue;
        }
        let valid = case.design().validate(None).design.expect("recorded designs are valid");
        let mut prevented = PreventedBirths(stage_one::build(&valid).refused.len());
        let mut growth = Growth::new(&valid, Options { columns: false }, &mut prevented);
        growth.finish(&mut prevented);
        assert_eq!(prevented.0, theirs, "{}", case.name);
        compared += 1;
    }
    println!("{compared} cases prevent as many births");
}

#[test]
fn a_design_with_few_dungeons_grows_the_same_few() {
    // The rarest of these dungeons occurs about once in 80 seeds.
    const SEEDS: u64 = 800;
    let mut compared = 0;
    for case in crate::common::cases("a_design_with_few_dungeons_grows_the_same_few") {
        let theirs: BTreeSet<&Vec<String>> = case.grids.iter().collect();
        // If a large sample has only a few different dungeons, one that it lacks hardly ever occurs.
        if case.kind != "random" || theirs.len() > 5 || case.grids.len() < 30 {
            continue;
        }
        let design = case.design();
        let ours: BTreeSet<Vec<String>> = (1..=SEEDS).map(|seed| grown(&design, seed)).collect();
        assert!(
            ours.iter().collect::<BTreeSet<_>>() == theirs,
            "{}: {} different dungeons there, {} here",
            case.name,
            theirs.len(),
            ours.len()
        );
        compared += 1;
    }
    println!("{compared} cases of few dungeons have the same few");
}
