//! `wallcrawler scatter`: squares of a dungeon where a game can place objects.

use std::collections::HashMap;

use serde_json::Value;

use wallcrawler::format::native;
use wallcrawler::geometry::Point;
use wallcrawler::presets::Preset;

use super::{Folder, run};

/// A square: its row, column and steps from the entrance, and whether it is in a dead end.
type Square = (i64, i64, i64, bool);

/// Returns the squares that the command prints as JSON, and its exit status.
fn scattered(arguments: &[&str]) -> (i32, Vec<Square>) {
    let ran = run(&[&["scatter", "--json"], arguments].concat());
    let all: Value = serde_json::from_str(&ran.out).unwrap_or_else(|error| panic!("{error}: {}{}", ran.out, ran.err));
    let squares = all["squares"].as_array().expect("squares").iter().map(|square| {
        let number = |name: &str| square[name].as_i64().expect("a number");
        (
            number("row"),
            number("column"),
            number("steps"),
            square["dead_end"].as_bool().expect("true or false"),
        )
    });
    (ran.status, squares.collect())
}

/// Returns the steps from a square to all that can be reached from it, in a dungeon printed as text.
fn steps_from(from: (i64, i64), dungeon: &str) -> HashMap<(i64, i64), i64> {
    let rows: Vec<&[u8]> = dungeon.lines().map(str::as_bytes).collect();
    let is_open = |(row, column): (i64, i64)| {
        let row = usize::try_from(row).ok().and_then(|row| rows.get(row));
        let square = usize::try_from(column).ok().and_then(|column| row?.get(column));
        matches!(square, Some(b'.' | b'o'))
    };
    assert!(is_open(from), "{from:?} is open");
    let mut steps = HashMap::from([(from, 0)]);
    let mut all = vec![from];
    let mut next = 0;
    while let Some(&(row, column)) = all.get(next) {
        next += 1;
        for to in [
            (row - 1, column),
            (row + 1, column),
            (row, column - 1),
            (row, column + 1),
        ] {
            if is_open(to) && !steps.contains_key(&to) {
                steps.insert(to, steps[&(row, column)] + 1);
                all.push(to);
            }
        }
    }
    steps
}

#[test]
fn a_dungeon_without_another_square_gets_no_advice_to_place_squares_closer() {
    for apart in ["0", "1"] {
        let ran = run(&["scatter", "--apart", apart, "--count", "100000"]);
        assert_eq!(ran.status, 1, "{}", ran.err);
        assert!(
            ran.err.contains("of 100000: every reachable square is chosen"),
            "{}",
            ran.err
        );
        assert!(!ran.err.contains("smaller --apart"), "{}", ran.err);
    }
}

#[test]
fn squares_are_reachable_and_apart_and_the_same_every_time() {
    let of = ["--preset", "catacombs", "--seed", "4"];
    let (status, squares) = scattered(&[&of[..], &["--count", "9", "--apart", "7"]].concat());
    assert_eq!((status, squares.len()), (0, 9));
    let dungeon = run(&[&["grow", "--format", "plain"], &of[..]].concat()).out;
    let ends: Value = serde_json::from_str(&run(&[&["export", "--as", "json", "--to", "-"], &of[..]].concat()).out)
        .expect("an export");
    let at = |name: &str| ends["entrance"][name].as_i64().expect("a number");
    let entrance = (at("x"), at("y"));
    for (i, &(row, column, steps, _)) in squares.iter().enumerate() {
        let from = steps_from((row, column), &dungeon);
        assert_eq!(from[&entrance], steps, "from the entrance to {row}, {column}");
        assert!(steps >= 7);
        for &(row, column, ..) in &squares[i + 1..] {
            assert!(from[&(row, column)] >= 7, "{squares:?}");
        }
    }
    let again = scattered(&[&of[..], &["--count", "9", "--apart", "7"]].concat());
    assert_eq!(again, (0, squares.clone()));
    let other = scattered(&["--preset", "catacombs", "--seed", "5", "--count", "9", "--apart", "7"]);
    assert_ne!(other.1, squares);
}

#[test]
fn dead_ends_come_first_on_request_and_tables_show_the_same_squares() {
    let of = ["--preset", "catacombs", "--count", "6", "--by", "dead-end"];
    let (status, squares) = scattered(&of);
    assert!(status == 0 && squares.iter().all(|square| square.3), "{squares:?}");
    let csv = run(&[&["scatter", "--csv"], &of[..]].concat());
    let mut expected = "row,column,steps,dead_end\n".to_owned();
    for (row, column, steps, in_dead_end) in &squares {
        expected += &format!("{row},{column},{steps},{in_dead_end}\n");
    }
    assert_eq!((csv.out, csv.err.as_str()), (expected, ""));
    let text = run(&[&["scatter"], &of[..]].concat()).out;
    let (row, column, steps, _) = squares[0];
    let first = format!("row {row}, column {column}: {steps} steps from the entrance, in a dead end\n");
    assert!(text.starts_with(&first), "{text}");
}

#[test]
fn named_places_are_kept_free_and_a_lack_of_squares_is_reported() {
    let (_, squares) = scattered(&["--preset", "first-steps", "--count", "1"]);
    let (row, column, ..) = squares[0];
    let folder = Folder::empty();
    let preset = Preset::find("first-steps").expect("a preset");
    let place = format!("\n[[place]]\nname = \"boss\"\nx = {row}\ny = {column}\n");
    folder.put("named.toml", &(native::write(&preset.design()) + &place));
    let named = folder.path("named.toml");
    let (_, others) = scattered(&[&named, "--count", "200", "--apart", "3"]);
    assert!(!others.is_empty());
    assert!(
        others
            .iter()
            .all(|square| (square.0 - row).abs() + (square.1 - column).abs() >= 3)
    );
    let ran = run(&["scatter", &named, "--count", "200", "--apart", "50"]);
    assert_eq!(ran.status, 1);
    assert!(
        ran.err
            .contains(" of 200: no other reachable square is at least 50 steps away from"),
        "{}",
        ran.err
    );
    for wrong in [["--count", "0"], ["--by", "depth"], ["--apart", "-1"]] {
        assert_eq!(run(&[&["scatter", &named], &wrong[..]].concat()).status, 2, "{wrong:?}");
    }
}

#[test]
fn a_lack_of_reachable_squares_is_not_blamed_on_the_distance() {
    let of_wall = run(&["scatter", "--preset", "catacombs", "--entrance", "0,0", "--count", "3"]);
    let expected =
        "warning: only 0 squares of 3: no square is reachable, because the entrance at row 0, column 0 is a wall\n";
    assert_eq!((of_wall.status, of_wall.out.as_str()), (1, ""));
    assert!(of_wall.err.ends_with(expected), "{}", of_wall.err);
    let folder = Folder::empty();
    let preset = Preset::find("catacombs").expect("a preset");
    let mut design = preset.design();
    design.expect.entrance = Some(Point::new(999, 1));
    folder.put("outside.toml", &native::write(&design));
    let outside = run(&["scatter", &folder.path("outside.toml"), "--count", "3"]);
    assert!(
        outside.err.ends_with(
            "only 0 squares of 3: no square is reachable, because the entrance is set to row 999, column 1, outside \
             the dungeon\n"
        ),
        "{}",
        outside.err
    );
}
