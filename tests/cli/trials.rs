//! `frequency`, `curve`, `remedies` and `--progress json`: their numbers agree with single dungeons and with the other
//! commands.

use serde_json::Value;
use wallcrawler::analysis::{Anomaly, Interval, WallFrequency};
use wallcrawler::engine::{Growth, Options};
use wallcrawler::geometry::Point;

use super::*;

#[track_caller]
fn printed(args: &[&str]) -> String {
    let ran = run(args);
    assert_eq!(ran.status, 0, "{args:?}: {}", ran.err);
    ran.out
}

#[track_caller]
fn parsed(args: &[&str]) -> Value {
    serde_json::from_str(&printed(args)).expect("JSON")
}

#[track_caller]
fn refused(args: &[&str], reason: &str) {
    let ran = run(args);
    assert_eq!((ran.status, ran.out.as_str()), (2, ""), "{args:?}: {}", ran.err);
    assert!(ran.err.contains(reason), "{args:?}: {}", ran.err);
}

/// Returns the rows of CSV as objects of texts by name.
fn rows(csv: &str) -> Vec<std::collections::BTreeMap<&str, &str>> {
    let mut lines = csv.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let names = lines.next().expect("a header");
    lines.map(|cells| names.iter().copied().zip(cells).collect()).collect()
}

#[test]
fn the_frequency_of_each_square_agrees_with_growing_every_seed() {
    let folder = Folder::new(&design());
    let toml = folder.path("design.toml");
    let valid = design().validate(None).design.expect("it is sound");
    let size = design().layout.size;
    let mut expected = WallFrequency::new(size);
    for seed in 5..45 {
        let mut growth = Growth::new(&valid.with_seed(seed), Options::default(), &mut ());
        growth.finish(&mut ());
        expected.add(growth.grid());
    }
    let frequency = |args: &[&str]| printed(&[&["frequency", &toml, "--seeds", "5..45"], args].concat());
    let csv = frequency(&["--csv"]);
    assert_eq!(frequency(&["--csv", "--threads", "1"]), csv);
    let squares = rows(&csv);
    assert_eq!(squares.len() as u64, size.squares());
    let mut is_random = false;
    for (square, i) in squares.iter().zip(0..) {
        let at = Point::new(i / size.y, i % size.y);
        assert_eq!(
            (square["row"], square["column"]),
            (&*at.x.to_string(), &*at.y.to_string())
        );
        assert_eq!(
            (square["walls"], square["dungeons"]),
            (&*expected.walls(at).to_string(), "40")
        );
        if square["origin"] == "chance" {
            let Interval { low, high } = Interval::of_share(expected.walls(at).into(), 40);
            assert_eq!(
                (square["low"], square["high"]),
                (&*format!("{low:.4}"), &*format!("{high:.4}"))
            );
            is_random |= high - low > 0.2;
        }
    }
    assert!(is_random);
    let json: Value = serde_json::from_str(&frequency(&["--json"])).expect("JSON");
    let map = frequency(&[]);
    let picture = folder.path("walls.png");
    frequency(&["--to", &picture, "--scale", "3"]);
    let decoder = png::Decoder::new(std::io::Cursor::new(std::fs::read(&picture).expect("a picture")));
    let mut reader = decoder.read_info().expect("a picture");
    let mut pixels = vec![0; reader.output_buffer_size().expect("a size")];
    let info = reader.next_frame(&mut pixels).expect("pixels");
    assert_eq!((info.width, info.height), (size.y as u32 * 3, size.x as u32 * 3));
    for (x, line) in (0..size.x).zip(map.lines()) {
        let signs = line.chars().chain(std::iter::repeat(' '));
        for (y, sign) in (0..size.y).zip(signs) {
            let walls = expected.walls(Point::new(x, y));
            assert_eq!(json["walls"][x as usize][y as usize], walls);
            let square = &squares[(x * size.y + y) as usize];
            for limit in ["low", "high"] {
                let expected: f64 = square[limit].parse().expect("a number");
                assert_eq!(
                    json[limit][x as usize][y as usize], expected,
                    "{limit} of row {x}, column {y}"
                );
            }
            let digit = u16::from(sign.is_ascii_digit()) * sign.to_digit(10).unwrap_or(0) as u16;
            match sign {
                '#' => assert_eq!(walls, 40),
                '.' | ' ' => assert_eq!(walls, 0),
                _ => assert!(
                    walls * 10 / 40 == digit || digit == 9 && walls == 40,
                    "{sign} for {walls}"
                ),
            }
            let pixel = pixels[(x as usize * 3 + 1) * info.line_size + y as usize * 3 + 2];
            assert_eq!(u16::from(pixel), 255 - walls * 255 / 40);
        }
    }
    let drawn = folder.path("walls.svg");
    frequency(&["--to", &drawn, "--scale", "3"]);
    let drawn = std::fs::read_to_string(&drawn).expect("a picture");
    let (at, square) = (0..)
        .zip(&squares)
        .find(|(_, square)| square["origin"] == "chance")
        .expect("a random square");
    let (left, top) = (at % size.y * 3, at / size.y * 3);
    let share = |name: &str| square[name].parse::<f64>().expect("a number") * 100.0;
    assert!(drawn.contains(&format!("<rect x=\"{left}\" y=\"{top}\" width=\"3\" height=\"3\"")));
    let hint = format!("wall in {} of 40 dungeons, {:.1}%", square["walls"], share("share"));
    assert!(drawn.contains(&hint), "{hint}");
    refused(
        &["frequency", &toml, "--to", &folder.path("walls.gif")],
        "PNG or an SVG",
    );
    // Earlier pictures are replaced, other files are not.
    frequency(&["--to", &picture]);
    frequency(&["--to", &folder.path("walls.svg")]);
    folder.put("mine.png", "mine");
    refused(&["frequency", &toml, "--to", &folder.path("mine.png")], "--force");
    refused(&["frequency", &toml, "--seeds", "70000"], "65535");
}

#[test]
fn a_frequency_svg_with_too_many_squares_is_refused_before_dungeons_are_grown() {
    let mut large = design();
    large.layout.size = Size::new(501, 500);
    large.layout.crawlers.truncate(1);
    let folder = Folder::new(&large);
    let (toml, picture) = (folder.path("design.toml"), folder.path("walls.svg"));
    let ran = run(&[
        "frequency",
        &toml,
        "--seeds",
        "2",
        "--to",
        &picture,
        "--progress",
        "json",
    ]);
    assert_eq!((ran.status, ran.out.as_str()), (2, ""), "{}", ran.err);
    assert!(ran.err.contains("too many for an SVG"), "{}", ran.err);
    assert!(!ran.err.contains("\"done\""), "{}", ran.err);
}

/// Returns whether both are numbers and differ by no more than their last digit.
fn is_close(one: Option<&serde_json::Number>, other: Option<f64>) -> bool {
    let both = one.and_then(serde_json::Number::as_f64).zip(other);
    both.is_some_and(|(one, other)| (one - other).abs() < 1e-9)
}

#[test]
fn a_curve_has_the_means_of_surveys_and_the_differences_of_comparisons() {
    let folder = Folder::new(&design());
    let toml = folder.path("design.toml");
    let curve = [
        "curve",
        &toml,
        "--over",
        "MaxAge",
        "--values",
        "3,9",
        "--seeds",
        "60",
        "--metrics",
        "fill,dead_ends",
    ];
    let json = parsed(&[&curve[..], &["--json"]].concat());
    let points = json["points"].as_array().expect("points");
    assert_eq!(points.len(), 4);
    let csv = printed(&[&curve[..], &["--csv"]].concat());
    for (point, row) in points.iter().zip(rows(&csv)) {
        for (name, text) in row {
            match &point[name] {
                Value::String(expected) => assert_eq!(text, expected),
                Value::Number(expected) => assert!(is_close(Some(expected), text.parse().ok()), "{name}: {text}"),
                other => assert_eq!(text, other.to_string().replace("null", ""), "{name}"),
            }
        }
        let change = format!("MaxAge -> {}", point["value"]);
        let compared = parsed(&["compare", &toml, "--change", &change, "--seeds", "60", "--json"]);
        let metrics = compared["metrics"].as_array().expect("metrics").iter();
        let same = metrics.filter(|one| one["name"] == point["metric"]).collect::<Vec<_>>()[0];
        assert!(
            is_close(point["mean"].as_number(), same["mean"][1].as_f64()),
            "{change}"
        );
        for (own, name) in [
            ("difference", "difference"),
            ("difference_low", "low"),
            ("difference_high", "high"),
        ] {
            let (own, other) = (point[own].as_number(), same[name].as_f64());
            assert!(is_close(own, other), "{name} of {change}: {own:?} {other:?}");
        }
        let [low, mean, high] = ["low", "mean", "high"].map(|name| point[name].as_f64().expect("a number"));
        assert!(low < mean && mean < high, "{point}");
    }
    // By default, the values surround the design's own, which is marked.
    let table = printed(&[
        "curve",
        &toml,
        "--over",
        "joinDist",
        "--seeds",
        "3",
        "--metrics",
        "reachable",
    ]);
    assert_eq!(table.matches("as designed").count(), 1, "{table}");
    assert_eq!(
        printed(&[
            "curve",
            &toml,
            "--over",
            "joinDist",
            "--seeds",
            "3",
            "--metrics",
            "reachable,Reachable",
        ]),
        table,
        "a metric that is named twice is shown once"
    );
    refused(&["curve", &toml, "--over", "Age"], "Age");
    refused(&["curve", &toml, "--over", "width in room 9"], "room");
    refused(
        &["curve", &toml, "--over", "MaxAge", "--metrics", "paths"],
        "unknown metric `paths`",
    );
    refused(
        &["curve", &toml, "--over", "MaxAge", "--values", "2000000"],
        "--values: MaxAge of generation 0 would be 2000000",
    );
}

#[test]
fn remedies_count_a_flaw_as_surveys_do_and_reduce_it() {
    let preset = ["--preset", "weave", "--seeds", "40"];
    let json = parsed(&[&["remedies"], &preset[..], &["--json"]].concat());
    let survey = printed(&[&["survey"], &preset[..], &["--output", "-"]].concat());
    let key = Anomaly::OuterCorridor.key();
    let showing = rows(&survey)
        .iter()
        .filter(|row| row["anomalies"].contains(&key))
        .count();
    let flaws = json["flaws"].as_array().expect("flaws");
    let flaw = flaws
        .iter()
        .find(|flaw| flaw["flaw"] == Anomaly::OuterCorridor.to_string());
    let flaw = flaw.expect("weave has corridors along whole sides");
    assert_eq!((&flaw["count"], &flaw["dungeons"]), (&showing.into(), &40.into()));
    let Interval { low, high } = Interval::of_share(showing as u64, 40);
    assert_eq!((flaw["low"].as_f64(), flaw["high"].as_f64()), (Some(low), Some(high)));
    let remedies = flaw["remedies"].as_array().expect("remedies");
    let best = &remedies[0];
    assert_eq!(best["helps"], true);
    assert!(best["after"].as_u64() < best["before"].as_u64());
    assert!(
        best["difference_high"].as_f64() < Some(0.0) && best["p_adjusted"].as_f64() < Some(0.05),
        "{best}"
    );
    // The best remedy has its reported effect when it is applied.
    let value = best["remedy"]
        .as_str()
        .and_then(|name| name.strip_prefix("protuberances: 0 → "));
    let change = format!(
        "protuberances -> {}",
        value.expect("protuberances break such corridors")
    );
    let changed = printed(&[&["survey"], &preset[..], &["--output", "-", "--change", &change]].concat());
    let after = rows(&changed)
        .iter()
        .filter(|row| row["anomalies"].contains(&key))
        .count();
    assert_eq!(best["after"], after);
    let csv = printed(&[&["remedies"], &preset[..], &["--csv"]].concat());
    let all: usize = flaws
        .iter()
        .map(|flaw| flaw["remedies"].as_array().map_or(0, Vec::len))
        .sum();
    assert_eq!(csv.lines().count(), all + 1);
    let text = printed(&[&["remedies", "--top", "1"], &preset[..]].concat());
    assert!(
        text.contains(&format!(" in {showing} of 40 dungeons [91%, 100%]")),
        "{text}"
    );
    assert!(text.contains(best["remedy"].as_str().expect("a name")), "{text}");
}

#[test]
fn progress_is_json_for_programs_that_ask_for_it() {
    let folder = Folder::new(&design());
    let toml = folder.path("design.toml");
    for (args, total) in [
        (&["survey", &toml, "--seeds", "30"][..], 30),
        (&["find", &toml, "--where", "reachable", "--seeds", "30", "--quiet"], 30),
        (&["compare", &toml, &toml, "--seeds", "30", "--json"], 60),
        (&["check", &toml, "--seeds", "30", "--json"], 30),
        (&["frequency", &toml, "--seeds", "30"], 30),
        (
            &["curve", &toml, "--over", "MaxAge", "--values", "3", "--seeds", "30"],
            60,
        ),
    ] {
        let reports = |args: &[&str]| -> Vec<Value> {
            let err = run(args).err;
            let lines = err.lines().filter(|line| line.starts_with('{'));
            lines.map(|line| serde_json::from_str(line).expect("JSON")).collect()
        };
        let found = reports(&[args, &["--progress", "json"]].concat());
        let done: Vec<_> = found
            .iter()
            .map(|one| one["done"].as_u64().expect("a number"))
            .collect();
        assert!(done.is_sorted() && done.last() == Some(&total), "{args:?}: {done:?}");
        assert!(
            found
                .iter()
                .all(|one| one["total"] == total && one["per_second"].is_number()),
            "{args:?}"
        );
        assert!(reports(args).is_empty() && reports(&[args, &["--progress", "never"]].concat()).is_empty());
    }
    let export = ["export", &toml, "--to", &folder.path("d.png"), "--progress", "json"];
    let err = run(&export).err;
    let last: Value =
        serde_json::from_str(err.lines().rfind(|line| line.starts_with('{')).expect("a line")).expect("JSON");
    assert!(last["task"].is_string() && last["seconds"].is_number(), "{last}");
}

#[test]
fn too_few_dungeons_give_no_statement_about_all_seeds() {
    let folder = Folder::new(&design());
    let toml = folder.path("design.toml");
    let none = printed(&["survey", &toml, "--seeds", "20", "--where", "path > 100000"]);
    assert_eq!(none.lines().count(), 1, "{none}");
    assert!(none.starts_with("0 dungeons of "), "{none}");
    let curve = printed(&["curve", &toml, "--over", "MaxAge in 1", "--seeds", "1"]);
    assert!(curve.contains("too few dungeons") && !curve.contains("inf"), "{curve}");
}
