//! Tests sight and explorers on drawn dungeons, and compares them with their definitions on random and grown dungeons.

use proptest::prelude::*;

use super::*;
use crate::analysis::brute::{self, Squares};
use crate::analysis::{Metrics, MetricsCalculator, Scene};
use crate::engine::{Grid, Growth, Mark, Options, Tile};
use crate::geometry::{Point, Size};
use crate::presets::Preset;

/// Returns a dungeon from its rows: `.` is open, any other character is a wall.
fn drawn(rows: &[&str]) -> Grid {
    let mut grid = Grid::new(Size::new(rows.len() as i32, rows[0].len() as i32));
    for (x, row) in (0..).zip(rows) {
        for (y, sign) in (0..).zip(row.chars()) {
            let tile = if sign == '.' { Tile::Open } else { Tile::Wall };
            grid.set(Point::new(x, y), tile, Mark::Design);
        }
    }
    grid
}

fn measured(grid: &Grid) -> (Metrics, MetricsCalculator) {
    let mut calculator = MetricsCalculator::new();
    let metrics = calculator.measure_parts(grid, &Scene::default(), MetricParts::ALL);
    (metrics, calculator)
}

/// Draws the view from one square: `o` for the square itself, `+` for the squares visible from it.
fn view(grid: &Grid, from: (usize, usize)) -> String {
    let (_, mut calculator) = measured(grid);
    let number = calculator.sight.number(from);
    calculator.sight.seen_from(&[number]);
    let mut seen = Vec::new();
    calculator.sight.each_seen(|number| seen.push(number));
    let size = grid.size();
    let sign = |x: i32, y: i32| {
        let at = (x as usize, y as usize);
        match grid.tile(Point::new(x, y)).is_open() {
            _ if at == from => 'o',
            true if seen.contains(&calculator.sight.number(at)) => '+',
            true => '.',
            false => '#',
        }
    };
    let row = |x: i32| (0..size.y).map(|y| sign(x, y)).collect::<String>();
    (0..size.x).map(row).collect::<Vec<_>>().join("\n")
}

#[test]
fn a_corner_hides_what_lies_behind_it() {
    let grid = drawn(&[
        "################",
        "#..............#",
        "#..............#",
        "#...##.........#",
        "#..............#",
        "#......#.......#",
        "#..............#",
        "################",
    ]);
    insta::assert_snapshot!(view(&grid, (1, 1)), @r"
    ################
    #o+++++++++++++#
    #++++++++++++++#
    #+++##.++++++++#
    #++++....++++++#
    #+++++.#....+++#
    #+++++++.......#
    ################
    ");
}

#[test]
fn a_view_passes_between_two_corners_that_touch() {
    let grid = drawn(&["#####", "#..##", "#.#..", "#....", "#####"]);
    insta::assert_snapshot!(view(&grid, (1, 2)), @r"
    #####
    #+o##
    #+#++
    #+.++
    #####
    ");
}

#[test]
fn a_room_without_walls_has_no_integration() {
    let (metrics, _) = measured(&drawn(&["######", "#....#", "#....#", "######"]));
    assert_eq!(
        metrics.sight,
        SightMetrics {
            visible_area: Some(8),
            unseen: Some(0.0),
            choke_points: Some(0),
            found: Some(0),
            explored: Some(1.0),
            ..SightMetrics::default()
        }
    );
}

#[test]
fn explorers_search_dead_ends_before_they_find_the_exit() {
    // The nearest unseen square is always in the passage that leads down, which is a dead end.
    let (metrics, mut calculator) = measured(&drawn(&[
        "############",
        "#..........#",
        "#.########.#",
        "#.########.#",
        "#.########.#",
        "#.########.#",
        "#..#######.#",
        "############",
    ]));
    let ends = calculator.numbers(&[metrics.entrance.unwrap(), metrics.exit.unwrap()]);
    let walk = calculator.sight.walk(&ends[..1], Some(ends[1]), 0);
    let places: Vec<_> = walk.iter().map(|&number| calculator.sight.place(number)).collect();
    assert_eq!(places.first(), Some(&(1, 1)));
    // Three steps down, until the bend is visible; three steps back; nine steps along the top row, to the corner.
    assert_eq!(metrics.sight.found, Some(3 + 3 + 9), "{places:?}");
    assert_eq!(places.last(), Some(&(1, 10)));
    assert_eq!(metrics.sight.choke_points, Some(19));
}

#[test]
fn sight_is_computed_only_on_request() {
    let grid = drawn(&["#####", "#...#", "#####"]);
    let metrics = MetricsCalculator::new().measure(&grid, &Scene::default());
    assert_eq!(metrics.sight, SightMetrics::default());
    let open = drawn(&["....", "...."]);
    assert_eq!(measured(&open).0.sight.visible_area, Some(8));
    let closed = drawn(&["####", "####"]);
    assert_eq!(measured(&closed).0.sight, SightMetrics::default());
}

#[test]
fn an_exit_that_cannot_be_reached_is_not_found() {
    let sight = measured(&drawn(&["#####", "#.#.#", "#####"])).0.sight;
    assert_eq!((sight.unseen, sight.found, sight.explored), (None, None, None));
    assert_eq!((sight.visible_area, sight.choke_points), (Some(1), Some(0)));
}

#[test]
fn samples_have_one_square_of_each_section() {
    assert_eq!(sampled(5, 8, 3).collect::<Vec<_>>(), [0, 1, 2, 3, 4]);
    assert_eq!(sampled(0, 8, 3).count(), 0);
    for squares in [9, 100, 1000, 4097] {
        let sample: Vec<u32> = sampled(squares, 8, 9).collect();
        assert_eq!(sample.len(), 9);
        for (i, &square) in sample.iter().enumerate() {
            assert!((i * squares / 9..(i + 1) * squares / 9).contains(&(square as usize)));
        }
    }
}

/// Compares every sight metric with its definition.
fn compare(grid: &Grid) -> Result<(), TestCaseError> {
    let (metrics, mut calculator) = measured(grid);
    let Some(entrance) = metrics.entrance else {
        return Ok(());
    };
    let open = brute::open(grid);
    let floor = brute::flood(&open, entrance);
    let views = brute::views(&open, &floor);
    for (at, view) in &views {
        let number = calculator.numbers(&[*at]);
        prop_assert_eq!(calculator.sight.seen_from(&number) as usize, view.len(), "from {}", at);
        let mut seen = Squares::new();
        calculator.sight.each_seen(|number| {
            let (row, column) = calculator.sight.place(number);
            seen.insert(Point::new(row as i32, column as i32));
        });
        prop_assert_eq!(&seen, view, "from {}", at);
        prop_assert!(
            view.iter().all(|to| views[to].contains(at)),
            "{} is seen in one direction",
            at
        );
    }
    let sight = metrics.sight;
    let mut areas: Vec<u32> = views.values().map(|view| view.len() as u32).collect();
    areas.sort_unstable();
    prop_assert_eq!(sight.visible_area, Some(areas[areas.len().div_ceil(2) - 1]));
    let mut counted = Vec::new();
    calculator
        .sight
        .each_area(|(row, column), area| counted.push((Point::new(row as i32, column as i32), area)));
    let expected: Vec<_> = views.iter().map(|(at, view)| (*at, view.len() as u32)).collect();
    prop_assert_eq!(counted, expected);
    let seen: Squares = metrics.way.iter().flat_map(|at| &views[at]).copied().collect();
    let unseen = (floor.len() - seen.len()) as f64 / floor.len() as f64;
    prop_assert_eq!(sight.unseen, metrics.is_reachable().then_some(unseen));

    let chokes: Squares = floor
        .iter()
        .copied()
        .filter(|at| {
            let rest: Squares = floor.iter().copied().filter(|other| other != at).collect();
            brute::parts(&rest).len() > 1
        })
        .collect();
    let mut found = Squares::new();
    calculator.sight.each_choke(|(row, column)| {
        found.insert(Point::new(row as i32, column as i32));
    });
    prop_assert_eq!(&found, &chokes);
    prop_assert_eq!(sight.choke_points, Some(chokes.len() as u32));
    compare_space(&views, sight)?;

    if let (Some(exit), true) = (metrics.exit, metrics.is_reachable()) {
        let ends = calculator.numbers(&[entrance, exit]);
        let walks: Vec<_> = (0..EXPLORERS)
            .map(|seed| brute::explore(&views, (entrance, exit), seed))
            .collect();
        for (seed, (walk, _)) in (0..).zip(&walks) {
            let found = calculator.sight.walk(&ends[..1], Some(ends[1]), seed);
            prop_assert_eq!(found, calculator.numbers(walk), "explorer {}", seed);
        }
        let middle = walks.len() / 2;
        let mut steps: Vec<usize> = walks.iter().map(|(walk, _)| walk.len() - 1).collect();
        steps.sort_unstable();
        prop_assert_eq!(sight.found, Some(steps[middle] as u32));
        let mut seen: Vec<usize> = walks.iter().map(|(_, seen)| seen.len()).collect();
        seen.sort_unstable();
        prop_assert_eq!(sight.explored, Some(seen[middle] as f64 / floor.len() as f64));
    }
    Ok(())
}

/// Compares integration and intelligibility with their definitions.
fn compare_space(views: &std::collections::BTreeMap<Point, Squares>, sight: SightMetrics) -> Result<(), TestCaseError> {
    let n = views.len() as f64;
    let mut values = Vec::new();
    for (at, view) in views.iter().filter(|_| views.len() > 2) {
        let depth = brute::mean_depth(views, *at);
        if depth > 1.0 {
            let asymmetry = 2.0 * (depth - 1.0) / (n - 2.0);
            let diamond = 2.0 * (n * (((n + 2.0) / 3.0).log2() - 1.0) + 1.0) / ((n - 1.0) * (n - 2.0));
            values.push((view.len() as f64 - 1.0, diamond / asymmetry));
        }
    }
    let count = values.len() as f64;
    let mean = values.iter().map(|(_, integration)| integration).sum::<f64>() / count;
    match sight.integration {
        Some(integration) => prop_assert!((integration - mean).abs() < 1e-9 * mean, "{integration} {mean}"),
        None => prop_assert!(values.is_empty()),
    }
    if let Some(intelligibility) = sight.intelligibility {
        let connectivity = values.iter().map(|(connectivity, _)| connectivity).sum::<f64>() / count;
        let sum =
            |of: &dyn Fn(f64, f64) -> f64| values.iter().map(|(c, i)| of(c - connectivity, i - mean)).sum::<f64>();
        let r = sum(&|c, i| c * i) / (sum(&|c, _| c * c).sqrt() * sum(&|_, i| i * i).sqrt());
        prop_assert!((intelligibility - r).abs() < 1e-6, "{intelligibility} {r}");
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn sight_metrics_of_random_dungeons_agree_with_their_definitions(
        rows in 1..12_i32,
        columns in 1..14_i32,
        walls in proptest::collection::vec(0..100_u8, 12 * 14),
        density in 0..60_u8,
    ) {
        let mut grid = Grid::new(Size::new(rows, columns));
        for (x, y) in (0..rows).flat_map(|x| (0..columns).map(move |y| (x, y))) {
            let tile = if walls[(x * 14 + y) as usize] < density { Tile::Wall } else { Tile::Open };
            grid.set(Point::new(x, y), tile, Mark::Design);
        }
        compare(&grid)?;
    }
}

#[test]
fn sight_metrics_of_a_grown_dungeon_agree_with_their_definitions() {
    let mut design = Preset::find("catacombs").unwrap().design();
    design.layout.size = Size::new(24, 30);
    design.layout.rooms.clear();
    let Some(design) = design.validate(None).design else {
        panic!("a smaller dungeon of the preset is valid");
    };
    let mut growth = Growth::new(&design, Options::default(), &mut ());
    growth.finish(&mut ());
    compare(growth.grid()).unwrap();
}
