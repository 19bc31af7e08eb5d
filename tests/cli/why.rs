//! `wallcrawler why`: changes to the growth of a dungeon, and the commands that show their dungeons.

use super::*;

/// Runs a command that must succeed and returns what it prints.
#[track_caller]
fn printed(args: &[&str]) -> String {
    let ran = run(args);
    assert_eq!(ran.status, 0, "{args:?}: {}", ran.err);
    ran.out
}

/// Runs a printed command line, whose only quotes are around rules, and returns what it prints.
#[track_caller]
fn obeyed(command: &str) -> String {
    let command = command.strip_prefix("wallcrawler ").expect("a command of the program");
    let mut words: Vec<String> = Vec::new();
    for (index, part) in command.split('\'').enumerate() {
        if index % 2 == 1 {
            words.push(part.to_owned());
        } else {
            words.extend(part.split_whitespace().map(str::to_owned));
        }
    }
    printed(&words.iter().map(String::as_str).collect::<Vec<_>>())
}

/// Returns the number of squares that are wall in one of two printed dungeons and open in the other.
fn walls_between(one: &str, other: &str) -> usize {
    let is_wall = |c: char| c != '.' && c != ' ' && c != 'o';
    one.chars()
        .zip(other.chars())
        .filter(|(a, b)| is_wall(*a) != is_wall(*b))
        .count()
}

#[test]
fn each_statement_has_a_command_that_shows_its_dungeon() {
    let design = ["--preset", "catacombs", "--seed", "3"];
    let plain = printed(&[&["grow", "--format", "plain"], &design[..]].concat());
    let rows: Vec<&str> = plain.lines().collect();
    // Walls inside the border.
    let walls = (2..rows.len() - 2).flat_map(|x| (2..rows[x].len() - 2).map(move |y| (x, y)));
    let walls = walls.filter(|&(x, y)| rows[x].as_bytes()[y] == b'X').step_by(149);
    let (mut shown, mut grown) = (0, 0);
    for (x, y) in walls.take(5) {
        let at = format!("{x},{y}");
        let json = printed(&[&["why", "--json", "--at", &at], &design[..]].concat());
        let answer: serde_json::Value = serde_json::from_str(&json).expect("JSON");
        assert_eq!(
            (answer["wall"].as_bool(), answer["seed"].as_u64()),
            (Some(true), Some(3))
        );
        for statement in answer["statements"].as_array().expect("statements").iter().step_by(3) {
            let count = statement["walls_differ"].as_u64().expect("a number") as usize;
            let map = obeyed(statement["show"].as_str().expect("a command"));
            let square = map.lines().nth(x).and_then(|row| row.chars().nth(y));
            assert_eq!(square, Some('-'), "{at}: {statement}");
            assert_eq!(map.matches(['+', '-']).count(), count, "{at}: {statement}");
            shown += 1;
            if let Some(command) = statement["grow"].as_str() {
                let other = obeyed(&format!("{command} --format plain"));
                assert_eq!(walls_between(&plain, &other), count, "{command}");
                grown += 1;
            }
        }
    }
    assert!(shown > 10 && grown > 0, "{shown} {grown}");
}

#[test]
fn statements_are_sentences_with_numbers() {
    let text = printed(&["why", "--preset", "catacombs", "--seed", "3", "--builder", "1"]);
    assert!(text.contains("Crawler #1 of generation 0 was born at"), "{text}");
    assert!(text.contains("of its own"), "{text}");
    assert!(text.contains("if Crawler #1 had not been born:"), "{text}");
    let text = printed(&["why", "--preset", "first-steps", "--metric", "enclosed"]);
    assert!(
        text.contains("nothing to change: `enclosed` is already 0 in this dungeon"),
        "{text}"
    );
    let text = printed(&["why", "--preset", "first-steps", "--metric", "fill > 99"]);
    assert!(
        text.contains("single changes and 66 pairs of the changes nearest to the goal"),
        "{text}"
    );
    let text = printed(&[
        "why",
        "--preset",
        "first-steps",
        "--metric",
        "path > 1000",
        "--change",
        "MaxAge -> 1",
    ]);
    assert!(
        text.starts_with("no change found that reaches the goal; tried "),
        "{text}"
    );
}

#[test]
fn the_total_of_the_progress_includes_pairs_of_changes() {
    let args = ["why", "--preset", "first-steps", "--metric", "fill > 99"];
    let err = run(&[&args[..], &["--progress", "json"]].concat()).err;
    let last = err.lines().rfind(|line| line.starts_with('{')).expect("a report");
    let last: serde_json::Value = serde_json::from_str(last).expect("JSON");
    let tried = printed(&args);
    let total = last["total"].as_u64().expect("a number");
    assert_eq!(last["done"], total, "{last}");
    let singles = format!("tried {} single changes and 66 pairs", total - 66);
    assert!(tried.contains(&singles), "{last}: {tried}");
}

#[test]
fn a_builder_is_an_ancestor_only_if_the_question_is_about_a_tile() {
    let json = printed(&["why", "--preset", "first-steps", "--builder", "5", "--json"]);
    let answer: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(answer["statements"][0]["changes"][0]["ancestor"], false, "{json}");
}

#[test]
fn a_builder_without_effect_on_walls_is_no_change() {
    let args = ["why", "--preset", "first-steps", "--builder", "153"];
    let text = printed(&args);
    assert!(
        text.contains("\n  0 tiles of its own would be missing\n") && text.ends_with("\nno wall would be different\n"),
        "{text}"
    );
    let answer: serde_json::Value = serde_json::from_str(&printed(&[&args[..], &["--json"]].concat())).expect("JSON");
    assert_eq!(answer["statements"], serde_json::json!([]));
}

#[test]
fn missing_builders_squares_and_areas_are_rejected() {
    for (args, reason) in [
        (&["--at", "900,1"][..], "outside the dungeon of 30 × 60 squares"),
        (
            &["--builder", "9999"],
            "--builder 9999: the growth has only 153 Builders",
        ),
        (&["--metric", "dead-endz"], "did you mean `dead-ends`?"),
        (&["--metric", "path >"], "--metric:1:"),
        (&["--metric", "pth > 3"], "help: did you mean `path`?"),
        (&["--metric", "pth>3"], "--metric:1:1\n"),
        (&["--metric", "pth≥3"], "--metric:1:1\n"),
        (&["--metric", "room-9-unreached"], "there is no room 9"),
        (&["--metric", "vault-1-absent"], "there is no vault 1"),
        (&["--metric", "severs room 9"], "there is no room 9"),
        (&["--metric", "path to boss < 9"], "there is no place `boss`"),
        (&["--at", "3,4", "--builder", "1"], "cannot be used with"),
        (&["--at", "3,4", "--show", "9999"], "--show 9999: only "),
        (&[], "required"),
    ] {
        let ran = run(&[&["why", "--preset", "first-steps"], args].concat());
        assert_eq!(ran.status, 2, "{args:?}: {}", ran.err);
        assert!(ran.err.contains(reason), "{args:?}: {}", ran.err);
    }
}

#[test]
fn a_grown_dungeon_can_have_other_numbers() {
    let changed = ["grow", "--preset", "keep", "--change", "MaxAge -> 3", "--seed", "7"];
    let plain = printed(&["grow", "--preset", "keep", "--seed", "7"]);
    assert_ne!(printed(&changed), plain);
    let same = printed(&["grow", "--preset", "keep", "--seed", "7", "--change", "MaxAge + 0"]);
    assert_eq!(same, plain, "with the vaults and rooms of the design");
}
