//! The presets: the promises of each, over several seeds.
//!
//! Tests beside the list itself check that each parses without diagnostics and that every file is embedded.

#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

use std::collections::{BTreeMap, BTreeSet};

use wallcrawler::design::{Design, Diagnostic, Generation, PlacedVault, style};
use wallcrawler::document;
use wallcrawler::engine::{BuilderKind, Event, Grid, Growth, Mark, Observer, Options, Tile};
use wallcrawler::format::native;
use wallcrawler::geometry::{Forward, Point, Size};
use wallcrawler::presets::Preset;

/// Seeds that every preset is grown with, besides its own.
const SEEDS: [u64; 5] = [2, 3, 19, 1_000_003, u64::MAX];

/// Maximum number of iterations: one and a half times as many as any preset needs.
const ITERATIONS: u32 = 3000;

/// Statistics of a run.
#[derive(Default)]
struct RunCounts {
    jumpers: usize,
    late: usize,
    turns_of_first: usize,
    unborn: usize,
    joined: usize,
}

impl Observer for RunCounts {
    fn event(&mut self, event: Event) {
        match event {
            Event::Born { birth, .. } if birth.kind == BuilderKind::Jumper => self.jumpers += 1,
            Event::Born { birth, .. } if birth.parent.is_some() && birth.generation >= 5 => self.late += 1,
            Event::Turned { builder, .. } if builder.0 == 0 => self.turns_of_first += 1,
            Event::Unborn { .. } => self.unborn += 1,
            Event::Joined { .. } => self.joined += 1,
            _ => {}
        }
    }
}

/// A fully grown dungeon.
struct Grown {
    grid: Grid,
    counts: RunCounts,
    diagnostics: Vec<Diagnostic>,
    /// Squares of vaults: an enclosed area inside a vault is intended by its author.
    vaults: BTreeSet<Point>,
}

fn grow(design: &Design) -> Grown {
    let prepared = document::prepare(design, None, None);
    let diagnostics = prepared.diagnostics;
    let valid = prepared.valid.unwrap();
    let mut counts = RunCounts::default();
    let mut growth = Growth::new(&valid, Options::default(), &mut counts);
    while growth.clock().iteration < ITERATIONS && growth.iteration(&mut counts) {}
    assert!(
        growth.is_finished(),
        "{} grows on after {ITERATIONS} iterations",
        design.name
    );
    Grown {
        grid: growth.grid().clone(),
        counts,
        diagnostics,
        vaults: valid
            .pieces()
            .iter()
            .flat_map(PlacedVault::features)
            .map(|(at, _)| at)
            .collect(),
    }
}

fn with_seed(name: &str, seed: u64) -> Design {
    let mut design = Preset::find(name).unwrap().design();
    design.seed = seed;
    design
}

/// Returns every preset with its own seed and the others.
fn every_run(mut check: impl FnMut(&Preset, &Design, &Grown)) {
    for preset in Preset::all() {
        let own = preset.design();
        for seed in SEEDS.into_iter().chain([own.seed]).collect::<BTreeSet<_>>() {
            let design = Design { seed, ..own.clone() };
            check(preset, &design, &grow(&design));
        }
    }
}

fn squares(size: Size) -> impl Iterator<Item = Point> {
    (0..size.x).flat_map(move |x| (0..size.y).map(move |y| Point::new(x, y)))
}

fn open_squares(grid: &Grid) -> Vec<Point> {
    squares(grid.size()).filter(|&at| grid.tile(at).is_open()).collect()
}

/// Returns the reachable open squares.
fn reached(grid: &Grid, from: Point, passable: impl Fn(Point) -> bool) -> BTreeSet<Point> {
    let mut seen = BTreeSet::from([from]);
    let mut stack = vec![from];
    while let Some(at) = stack.pop() {
        for next in Forward::ALL.map(|forward| at.step(forward, 1)) {
            if grid.tile(next).is_open() && passable(next) && seen.insert(next) {
                stack.push(next);
            }
        }
    }
    seen
}

/// Returns the open squares nearest to the top left and bottom right corners.
fn entrance_and_exit(grid: &Grid) -> (Point, Point) {
    let open = open_squares(grid);
    let along = |at: &&Point| at.x + at.y;
    (
        *open.iter().min_by_key(along).unwrap(),
        *open.iter().max_by_key(along).unwrap(),
    )
}

/// Returns the percentage of wall in a part of the dungeon.
fn built(grid: &Grid, part: impl Fn(Point) -> bool) -> usize {
    let part: Vec<Point> = squares(grid.size())
        .filter(|&at| !grid.size().on_border(at) && part(at))
        .collect();
    let walls = part.iter().filter(|&&at| !grid.tile(at).is_open()).count();
    walls * 100 / part.len()
}

#[test]
fn saving_a_preset_unchanged_keeps_its_text() {
    for preset in Preset::all() {
        let design = preset.design();
        let text = native::update(preset.text, &design).unwrap();
        assert_eq!(text, preset.text, "saving {} changes its text", preset.name);
        let first = preset.summary();
        assert!(first.ends_with('.') && first.chars().count() <= 101, "{first}");
        assert!(
            design.notes.lines().count() > 1,
            "{} suggests nothing to try",
            preset.name
        );
    }
}

#[test]
fn every_seed_grows_a_connected_dungeon() {
    every_run(|preset, design, grown| {
        let (name, seed) = (preset.name, design.seed);
        assert!(grown.diagnostics.is_empty(), "{name}: {:?}", grown.diagnostics);
        assert_eq!(grown.counts.unborn, 0, "{name} {seed}: maxCrawlers is too small");
        let (entrance, exit) = entrance_and_exit(&grown.grid);
        let reached = reached(&grown.grid, entrance, |_| true);
        assert!(
            reached.contains(&exit),
            "{name} {seed}: no path from {entrance} to {exit}"
        );
        let open = open_squares(&grown.grid);
        let is_lost = |at: &&Point| !reached.contains(at) && !grown.vaults.contains(at);
        let lost = open.iter().filter(is_lost).count();
        let open = open.len();
        assert!(
            lost * 100 <= open,
            "{name} {seed}: {lost} of {open} squares are closed off"
        );
    });
}

#[test]
fn no_part_is_empty_or_overfull() {
    every_run(|preset, design, grown| {
        let (name, seed, size) = (preset.name, design.seed, design.layout.size);
        let whole = built(&grown.grid, |_| true);
        assert!((8..=35).contains(&whole), "{name} {seed}: {whole}% built");
        let halves = [
            built(&grown.grid, |at| at.x < size.x / 2),
            built(&grown.grid, |at| at.x >= size.x / 2),
            built(&grown.grid, |at| at.y < size.y / 2),
            built(&grown.grid, |at| at.y >= size.y / 2),
        ];
        for half in halves {
            assert!(half * 2 > whole, "{name} {seed}: {half}% of a half, {whole}% of all");
        }
    });
}

#[test]
fn different_seeds_grow_different_dungeons() {
    let mut seen = BTreeMap::new();
    every_run(|preset, design, grown| {
        let map: String = grown.grid.rows().flatten().map(Tile::plain).collect();
        let run = (preset.name, design.seed);
        let earlier = seen.insert(map, run);
        assert_eq!(earlier, None, "{run:?} grows the same dungeon");
    });
}

#[test]
fn vaults_are_placed_and_their_exits_lead_somewhere() {
    let mut with_vaults = 0;
    for preset in Preset::all() {
        let own = preset.design();
        if own.layout.vaults.is_empty() {
            continue;
        }
        with_vaults += 1;
        for seed in 1..=20 {
            let design = Design { seed, ..own.clone() };
            let valid = document::prepare(&design, None, None).valid.unwrap();
            assert_eq!(valid.pieces().len(), own.layout.vaults.len(), "{} {seed}", preset.name);
            let mut growth = Growth::new(&valid, Options::default(), &mut ());
            growth.finish(&mut ());
            let cut_off = wallcrawler::analysis::cut_off(growth.grid(), &valid);
            assert_eq!(cut_off, [], "{} {seed}", preset.name);
        }
    }
    assert!(with_vaults >= 3);
}

#[test]
fn the_first_preset_fits_a_terminal() {
    // The map beside the panels in a terminal of 120 × 40, in half blocks: two squares per character.
    let first = Preset::all()[0].design().layout.size;
    assert!((40..=64).contains(&first.x) && (40..=68).contains(&first.y), "{first}");
}

#[test]
fn presets_have_all_kinds_of_sizes() {
    let sizes: Vec<Size> = Preset::all().iter().map(|p| p.design().layout.size).collect();
    assert!(sizes.len() >= 12);
    assert!(sizes.contains(&Size::new(200, 200)));
    assert!(sizes.iter().any(|s| s.y >= 3 * s.x), "none is oblong");
    assert!(sizes.iter().any(|s| s.x == s.y && s.x < 100), "none is a small square");
}

#[test]
fn first_steps_has_one_first_crawler() {
    let layout = with_seed("first-steps", 1).layout;
    assert_eq!(layout.crawlers.len(), 1);
    assert!(layout.rooms.is_empty() && layout.open.is_empty() && layout.walls.is_empty());
}

#[test]
fn the_gallery_shows_every_style() {
    let rooms = with_seed("gallery", 1).layout.rooms;
    let shown = rooms.iter().fold(0, |all, room| all | room.style);
    assert_eq!(shown, style::ALL);
    assert!(
        rooms.iter().any(|room| room.style & style::WALLS == 0),
        "all have walls"
    );
}

/// All walls are connected, so there is no loop, and so are all open squares: each cell has exactly one access.
#[test]
fn the_cells_of_the_chequer_are_a_tree() {
    for seed in SEEDS {
        let mut design = with_seed("chequer", seed);
        design.character.generations[0].straight_spawn_prob = 0;
        let grid = grow(&design).grid;
        let mut seen = BTreeSet::from([Point::new(0, 0)]);
        let mut stack = vec![Point::new(0, 0)];
        while let Some(at) = stack.pop() {
            for (x, y) in [-1, 0, 1].into_iter().flat_map(|x| [-1, 0, 1].map(|y| (x, y))) {
                let next = Point::new(at.x + x, at.y + y);
                if grid.size().contains(next) && !grid.tile(next).is_open() && seen.insert(next) {
                    stack.push(next);
                }
            }
        }
        let walls = squares(grid.size()).filter(|&at| !grid.tile(at).is_open()).count();
        assert_eq!(seen.len(), walls, "seed {seed}: an island of wall");
        let (entrance, _) = entrance_and_exit(&grid);
        assert_eq!(reached(&grid, entrance, |_| true).len(), open_squares(&grid).len());
    }
}

/// Each barrier is closed at one end and open at the other, and over the seeds at both.
#[test]
fn a_coin_opens_either_end_of_each_barrier_of_two_ways() {
    let mut sides = vec![BTreeSet::new(); 6];
    for seed in 1..=12 {
        let design = with_seed("two-ways", seed);
        let grid = grow(&design).grid;
        for (barrier, middle) in design.layout.walls.iter().enumerate() {
            let open = [1, grid.size().y - 2].map(|y| grid.tile(Point::new(middle.x, y)).is_open());
            assert_ne!(open[0], open[1], "seed {seed}, barrier {barrier}");
            sides[barrier].insert(open[0]);
        }
    }
    assert!(sides.iter().all(|side| side.len() == 2), "{sides:?}");
}

/// Without the inside of the middle room there is no path from the left to the right.
#[test]
fn the_keep_must_be_crossed() {
    for seed in SEEDS {
        let design = with_seed("keep", seed);
        let grid = grow(&design).grid;
        let center = Point::new(design.layout.size.x / 2, design.layout.size.y / 2);
        let width = design.layout.rooms[1].width;
        let inside = |at: Point| (at.x - center.x).abs() <= width && (at.y - center.y).abs() <= width;
        let (entrance, exit) = entrance_and_exit(&grid);
        assert!(reached(&grid, entrance, |_| true).contains(&exit));
        assert!(
            !reached(&grid, entrance, |at| !inside(at)).contains(&exit),
            "seed {seed}"
        );
    }
}

#[test]
fn the_cells_of_the_monastery_are_built_late() {
    for seed in SEEDS {
        let grown = grow(&with_seed("monastery", seed));
        assert!(
            grown.counts.late > 100,
            "seed {seed}: {} late babies",
            grown.counts.late
        );
        let tiles = |wanted: fn(u8) -> bool| {
            squares(grown.grid.size())
                .filter(|&at| matches!(grown.grid.mark(at), Mark::Generation(g) if wanted(g)))
                .count()
        };
        let (halls, cells) = (tiles(|g| g < 5), tiles(|g| g >= 5));
        assert!(cells > halls && halls > 0, "seed {seed}: halls {halls}, cells {cells}");
    }
}

#[test]
fn the_hypostyle_has_the_columns_of_jumpers() {
    for seed in SEEDS {
        let grown = grow(&with_seed("hypostyle", seed));
        let of_jumpers =
            |at: &Point| grown.grid.tile(*at) == Tile::Column && matches!(grown.grid.mark(*at), Mark::Generation(_));
        let columns = squares(grown.grid.size()).filter(of_jumpers).count();
        assert!(
            columns > 200,
            "seed {seed}: {columns} columns of {} Jumpers",
            grown.counts.jumpers
        );
    }
}

#[test]
fn the_ammonite_is_wound_by_one_crawler() {
    let design = with_seed("ammonite", 1);
    assert_eq!(design.layout.crawlers.len(), 1);
    for seed in SEEDS {
        let turns = grow(&with_seed("ammonite", seed)).counts.turns_of_first;
        assert!(turns >= 12, "seed {seed}: {turns} turns are fewer than three laps");
    }
}

#[test]
fn the_river_stays_open_from_end_to_end() {
    for seed in SEEDS {
        let design = with_seed("river", seed);
        let grid = grow(&design).grid;
        assert!(design.layout.open.iter().all(|&at| grid.tile(at) == Tile::Guaranteed));
        let (spring, mouth) = (design.layout.open[0], *design.layout.open.last().unwrap());
        assert_eq!((spring.y, mouth.y), (1, design.layout.size.y - 2));
        let bank = |at: Point| {
            design
                .layout
                .open
                .iter()
                .any(|w| (w.x - at.x).abs() <= 2 && (w.y - at.y).abs() <= 2)
        };
        assert!(reached(&grid, spring, bank).contains(&mouth), "seed {seed}");
    }
}

#[test]
fn standing_stones_enclose_nothing() {
    for seed in SEEDS {
        let grown = grow(&with_seed("standing-stones", seed));
        assert_eq!(grown.counts.joined, 0, "seed {seed}");
        let (entrance, _) = entrance_and_exit(&grown.grid);
        let reached = reached(&grown.grid, entrance, |_| true).len();
        assert_eq!(reached, open_squares(&grown.grid).len(), "seed {seed}");
    }
}

#[test]
fn each_parameter_of_chance_is_used_somewhere() {
    let used = |wanted: fn(&Generation) -> i32| {
        Preset::all()
            .iter()
            .filter(|p| p.design().character.generations.iter().any(|g| wanted(g) > 0))
            .count()
    };
    for (name, count) in [
        ("ChangeDirProb", used(|g| g.change_dir_prob)),
        ("DoubleSpawnProb", used(|g| g.double_spawn_prob)),
        ("JumperProb", used(|g| g.jumper_prob)),
        ("OpenStartProb", used(|g| g.open_start_prob)),
        ("LateSpawnProb", used(|g| g.late_spawn_prob)),
        ("NoDirectionProb", used(|g| g.no_direction_prob)),
    ] {
        assert!(count >= 2, "{name} is used by {count} presets");
    }
}

/// Only the design places walls in the lane between the ring of wall and the border.
#[test]
fn the_ring_road_stays_free() {
    for seed in SEEDS {
        let design = with_seed("ring-road", seed);
        let grid = grow(&design).grid;
        let ring = design.layout.walls.iter().map(|at| at.x).min().unwrap();
        let size = grid.size();
        let on_road = |at: &Point| at.x.min(at.y) < ring || size.x - 1 - at.x < ring || size.y - 1 - at.y < ring;
        let built = squares(size)
            .filter(on_road)
            .find(|&at| grid.mark(at) != Mark::Design && !grid.tile(at).is_open());
        assert_eq!(built, None, "seed {seed}");
    }
}

/// There is an island of wall for each post with two open ends, and no other.
#[test]
fn a_hedge_has_as_many_loops_as_posts_with_two_open_ends() {
    let open = |design: &Design| {
        design
            .layout
            .crawlers
            .iter()
            .filter(|first| first.termination == 1)
            .count()
            / 2
    };
    let loops =
        |metrics: &wallcrawler::analysis::Metrics| metrics.islands.iter().filter(|island| !island.is_pillar()).count();
    let mut design = with_seed("hedges", 1);
    assert_eq!(open(&design), 12);
    // Turn an open/closed pair into a post with two open ends.
    let crawlers = &mut design.layout.crawlers;
    let closed = crawlers.iter().position(|first| first.termination == 3).unwrap();
    crawlers[closed].termination = 1;
    crawlers[closed + 1].termination = 1;
    let mut runner = wallcrawler::analysis::MetricsRunner::new();
    for seed in SEEDS {
        let design = Design { seed, ..design.clone() };
        let valid = document::prepare(&design, None, None).valid.unwrap();
        assert_eq!(
            loops(&runner.grow_and_measure(&valid, Options::default())),
            13,
            "seed {seed}"
        );
    }
}

/// With the doors of all its halls walled up there is still a path, and it is a long one.
#[test]
fn the_short_cut_can_be_avoided() {
    let mut runner = wallcrawler::analysis::MetricsRunner::new();
    for seed in SEEDS {
        let mut design = with_seed("short-cut", seed);
        let straight = runner.grow_and_measure(
            &document::prepare(&design, None, None).valid.unwrap(),
            Options::default(),
        );
        for room in &mut design.layout.rooms {
            let doors = room.sites.iter_mut().filter(|site| **site == 1);
            doors.for_each(|site| *site = 0);
            room.style = style::WALLS;
        }
        let valid = document::prepare(&design, None, None).valid.unwrap();
        let round = runner.grow_and_measure(&valid, Options::default());
        let (straight, round) = (straight.path().unwrap(), round.path().unwrap());
        assert!(round >= 2 * straight, "seed {seed}: {straight} straight, {round} round");
    }
}

/// The Crawler of each house laid a wall inside it, and no two dungeons are furnished alike.
#[test]
fn every_house_of_the_town_is_furnished() {
    let mut furnished = BTreeSet::new();
    for seed in SEEDS {
        let design = with_seed("market-town", seed);
        let grid = grow(&design).grid;
        let houses = design.layout.rooms.iter().filter(|room| room.style == style::WALLS);
        let mut inside = Vec::new();
        for house in houses {
            let (center, _) = house.center_and_reach(grid.size()).unwrap();
            let squares = squares(grid.size())
                .filter(|at| (at.x - center.x).abs() <= house.width && (at.y - center.y).abs() <= house.width);
            let walls: Vec<Point> = squares.filter(|&at| !grid.tile(at).is_open()).collect();
            assert!(walls.len() >= 3, "seed {seed}: the house at {center} is empty");
            inside.push(walls);
        }
        assert_eq!(inside.len(), 20);
        assert!(furnished.insert(inside), "seed {seed}");
    }
}
