//! Metrics on the command line: expectations over seeds, surveys that resume and are split into shards, searches for
//! seeds, and a planted anomaly of each kind.

#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, reason = "helpers of tests")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Arc;

use wallcrawler::analysis::{Interval, MetricSample, Metrics, MetricsRunner, columns, expectations, row};
use wallcrawler::background::SeedSurvey;
use wallcrawler::design::{CrawlerStart, Design, Room};
use wallcrawler::document::SeededDesign;
use wallcrawler::engine::Options;
use wallcrawler::format::native;
use wallcrawler::geometry::{Point, Size};
use wallcrawler::presets::Preset;

/// Runs the program in a folder.
fn run(folder: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_wallcrawler"))
        .args(args)
        .current_dir(folder)
        .output()
        .expect("the program runs")
}

/// Returns the exit status and the output.
fn outcome(output: &Output) -> (i32, String) {
    let text = String::from_utf8(output.stdout.clone()).expect("text");
    let complaints = String::from_utf8(output.stderr.clone()).expect("text");
    (output.status.code().expect("a status"), text + &complaints)
}

fn write(folder: &Path, name: &str, design: &Design) {
    std::fs::write(folder.join(name), native::write(design)).expect("written");
}

/// Returns a hall of 40 × 40 squares with one Crawler.
fn hall() -> Design {
    let mut design = Design::default();
    design.layout.size = Size::new(40, 40);
    design.layout.crawlers.push(CrawlerStart {
        at: Point::new(0, 20),
        ..CrawlerStart::default()
    });
    design
}

#[test]
fn check_takes_a_preset_in_place_of_a_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let (status, text) = outcome(&run(folder.path(), &["check", "--preset", "keep", "--seeds", "20"]));
    assert_eq!(status, 0, "{text}");
    assert!(text.starts_with("preset keep: usable, "), "{text}");
    assert!(text.contains("expectations that hold over seeds 0 to 19"), "{text}");

    // The command in the help opens the preset, with the changes.
    let never = "MaxAge -> 1000";
    let (_, text) = outcome(&run(
        folder.path(),
        &["check", "--preset", "winding-halls", "--seeds", "20"],
    ));
    let (_, changed) = outcome(&run(
        folder.path(),
        &["check", "--preset", "winding-halls", "--seeds", "20", "--change", never],
    ));
    for (text, change) in [(text, ""), (changed, " --change 'MaxAge -> 1000'")] {
        let command = format!("run `wallcrawler --preset winding-halls{change} --seed ");
        let opens = text.matches(&command).count();
        assert!(opens > 0 && opens == text.matches("to see it").count(), "{text}");
    }
    let (status, text) = outcome(&run(folder.path(), &["check", "--preset", "keep", "keep.toml"]));
    assert_eq!(status, 2, "{text}");
}

#[test]
fn every_preset_meets_its_expectations_over_a_hundred_seeds() {
    for preset in Preset::all() {
        let design = preset.design();
        let expected = expectations(&design);
        assert_eq!(
            expected.len(),
            design.expect.that.len(),
            "{}: one cannot be read",
            preset.name
        );
        assert!(expected.len() >= 3, "{} expects too little", preset.name);
        let mut sample = MetricSample::new(expected.iter().map(|(_, expectation)| expectation));
        let template = sample.clone();
        let seeded = SeededDesign::new(Arc::new(design.clone()), PathBuf::default(), None);
        SeedSurvey::new(seeded, Options::default()).run(
            100,
            |seed| seed,
            |_, metrics: &Metrics| template.values_of(metrics),
            |seed, values| {
                sample.add(seed, values.expect("it grows"));
                std::ops::ControlFlow::Continue(())
            },
        );
        for (index, expectation) in &expected {
            let verdict = sample.verdict(expectation);
            let seed = verdict.failing.first().copied();
            assert!(
                verdict.holds,
                "{}: '{}' fails for seeds {:?} ({})",
                preset.name,
                design.expect.that[*index],
                verdict.failing,
                sample.explain(&expectation.condition, seed)
            );
        }
    }
}

/// Returns the output of `check` for a hall with an anomaly, over the first twenty seeds.
fn checked(plant: impl FnOnce(&mut Design), expect: &[&str]) -> (i32, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let mut design = hall();
    plant(&mut design);
    design.expect.that = expect.iter().map(|&text| text.to_owned()).collect();
    write(folder.path(), "flawed.toml", &design);
    outcome(&run(folder.path(), &["check", "flawed.toml", "--seeds", "20"]))
}

#[test]
fn an_unreachable_exit_is_reported_with_a_seed() {
    let wall = |design: &mut Design| design.layout.walls = (1..39).map(|y| Point::new(30, y)).collect();
    let (status, text) = checked(wall, &["reachable"]);
    assert_eq!(status, 3, "{text}");
    for part in [
        "error: this expectation fails for 20 of 20 dungeons, seeds 0, 1, 2, 3, 4, … (seed 0: reachable no)\n",
        "--> flawed.toml:",
        " = help: run `wallcrawler flawed.toml --seed 0` to see it\n",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(
        text.contains("no path from the entrance to the exit in 20 of 20 dungeons"),
        "{text}"
    );
    assert!(
        text.contains("expectations that hold over seeds 0 to 19: 0 of 1"),
        "{text}"
    );
}

#[test]
fn the_suggested_command_shows_the_dungeon_that_was_checked() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut design = hall();
    design.layout.walls = (1..39).map(|y| Point::new(30, y)).collect();
    design.expect.that = vec!["reachable".into()];
    write(folder.path(), "my hall.toml", &design);
    for (more, command) in [
        (&[][..], "wallcrawler 'my hall.toml' --seed 0"),
        (
            &["--no-columns"],
            "wallcrawler grow 'my hall.toml' --no-columns --seed 0",
        ),
        (&["--entrance", "1,1"], "wallcrawler grow 'my hall.toml' --seed 0"),
        (
            &["--exit", "35,35", "--change", "MaxAge -> 9"],
            "wallcrawler grow 'my hall.toml' --change 'MaxAge -> 9' --seed 0",
        ),
    ] {
        let args = [&["check", "my hall.toml", "--seeds", "2"], more].concat();
        let (_, text) = outcome(&run(folder.path(), &args));
        assert!(text.contains(&format!("help: run `{command}` to see it")), "{text}");
    }
}

#[test]
fn a_condition_is_considered_in_statements_about_all_seeds() {
    let folder = tempfile::tempdir().expect("a folder");
    let check = |condition: &str| {
        let args = ["check", "--preset", "catacombs", "--seeds", "100", "--where", condition];
        outcome(&run(folder.path(), &args))
    };
    let (status, text) = check("path > 200");
    assert_eq!(status, 0, "{text}");
    // 17 more of these dungeons are needed; 56 of 100 seeds have one.
    let says = "this expectation needs about 31 more seeds: it is met by 56 of 56 dungeons; 93.6 to 100% of all dungeons \
                that satisfy the condition meet it (95% interval)";
    assert!(text.contains(says), "{text}");
    let (status, text) = check("path > 20000");
    assert_eq!(status, 1, "{text}");
    let says = "error: seeds 0 to 99, where path > 20000: there is no dungeon to check\n";
    assert!(text.contains(says) && !text.contains("expectation"), "{text}");
    let args = [
        "check",
        "--preset",
        "catacombs",
        "--seeds",
        "100",
        "--where",
        "path > 20000",
        "--json",
    ];
    let (status, text) = outcome(&run(folder.path(), &args));
    assert_eq!(status, 1, "{text}");
    let all: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let checked = &all["checked"][0];
    assert_eq!(
        (&checked["files"][0], &checked["status"]),
        (&"preset catacombs".into(), &1.into()),
        "{text}"
    );
    let why = "seeds 0 to 99, where path > 20000: there is no dungeon to check";
    assert_eq!(checked["diagnostics"][0]["message"], why);
}

#[test]
fn an_enclosed_room_is_reported_with_the_builder_that_closed_it() {
    let sealed = |design: &mut Design| {
        design.layout.rooms.push(Room {
            sites: [0; 8],
            ..Room::default()
        });
    };
    let (status, text) = checked(sealed, &["enclosed == 0"]);
    assert_eq!(status, 3, "{text}");
    assert!(text.contains("enclosed areas in 20 of 20 dungeons"), "{text}");
    assert!(
        text.contains("121 squares at row 15, column 15, closed by the design itself"),
        "{text}"
    );
    assert!(text.contains("room 1 cannot be reached"), "{text}");
    // Two Builders that close off a corner between them.
    let folder = tempfile::tempdir().expect("a folder");
    write(
        folder.path(),
        "catacombs.toml",
        &Preset::find("catacombs").expect("a preset").design(),
    );
    let (_, text) = outcome(&run(folder.path(), &["check", "catacombs.toml", "--seeds", "0..10"]));
    let says = "enclosed areas in 1 of 10 dungeons, seed 6 (seed 6: 566 squares at row 1, column 1, closed at row 23, column 24 by Builder #45 of generation 1 in turn 222)";
    assert!(text.contains(says), "{text}");
}

#[test]
fn a_dominant_generation_is_reported_with_a_seed() {
    let few = |design: &mut Design| {
        design.character.generations[0].max_age = 4;
        design.character.generations[1].max_age = 60;
        design.character.generations[1].straight_spawn_prob = 0;
        design.character.generations[1].double_spawn_prob = 0;
        for generation in &mut design.character.generations[2..] {
            generation.max_age = 1;
        }
    };
    let (status, text) = checked(few, &["share(generation 1) <= 0.6"]);
    assert_eq!(status, 3, "{text}");
    assert!(text.contains("generation 1 takes over in "), "{text}");
    assert!(text.contains("% of the tiles)"), "{text}");
}

#[test]
fn a_corridor_along_the_outer_wall_is_reported_with_a_seed() {
    let along = |design: &mut Design| {
        design.layout.crawlers = vec![CrawlerStart {
            at: Point::new(0, 5),
            direction: 2,
            ..CrawlerStart::default()
        }];
    };
    let (status, text) = checked(along, &["outer-corridor <= 20"]);
    assert_eq!(status, 3, "{text}");
    assert!(text.contains("a straight corridor along the outer wall in "), "{text}");
    assert!(text.contains("(seed 0: 38 squares from row "), "{text}");
}

#[test]
fn a_sound_design_has_no_anomalies() {
    let (status, text) = checked(|_| (), &["reachable", "median path >= 60", "path >= 70 in 90%"]);
    assert_eq!(status, 0, "{text}");
    assert!(
        text.contains("expectations that hold over seeds 0 to 19: 2 of 3; 0 fail, 1 needs more seeds"),
        "{text}"
    );
}

#[test]
fn a_seed_that_is_listed_again_is_no_further_evidence() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut design = hall();
    design.expect.that = vec!["dead-ends < 0 in 90%".to_owned()];
    write(folder.path(), "hall.toml", &design);
    let check = |seeds: &str| outcome(&run(folder.path(), &["check", "hall.toml", "--seeds", seeds]));
    assert_eq!(check("6,6,6,6,6"), check("6..7"));
    assert_eq!(check("0..10,5..15"), check("0..15"));
}

#[test]
fn an_expectation_with_too_few_seeds_is_a_note_and_with_strict_an_error() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut design = hall();
    design.expect.that = ["reachable", "dead-ends < 0 in 90%", "path >= 70 in 90%"]
        .map(str::to_owned)
        .to_vec();
    write(folder.path(), "hall.toml", &design);
    let check = |args: &[&str]| {
        run(
            folder.path(),
            &[&["check", "hall.toml", "--seeds", "20"], args].concat(),
        )
    };
    let (status, text) = outcome(&check(&[]));
    assert_eq!(status, 3, "{text}");
    assert!(
        text.contains("error: this expectation fails for 20 of 20 dungeons"),
        "{text}"
    );
    assert!(
        text.contains("; 0 to 16.1% of all seeds meet it (95% interval)"),
        "{text}"
    );
    assert!(text.contains("note: this expectation needs about "), "{text}");
    assert!(text.contains("1 of 3; 1 fails, 1 needs more seeds"), "{text}");
    let json = check(&["--json"]);
    let all: serde_json::Value = serde_json::from_slice(&json.stdout).expect("JSON");
    let checked = &all["checked"][0];
    assert_eq!(json.status.code(), Some(3));
    assert_eq!((&checked["status"], &checked["seeds"]), (&3.into(), &20.into()));
    let found = checked["over_seeds"]["expectations"].as_array().expect("expectations");
    let outcomes: Vec<&str> = found.iter().filter_map(|one| one["outcome"].as_str()).collect();
    assert_eq!(outcomes, ["holds", "fails", "needs_more_seeds"]);
    assert_eq!(
        (&found[1]["met"], &found[1]["more_seeds"]),
        (&0.into(), &serde_json::Value::Null)
    );
    assert!(
        found[2]["more_seeds"].as_u64().is_some_and(|more| more > 0),
        "{found:?}"
    );
    assert_eq!(
        checked["over_seeds"]["diagnostics"][0]["line"].as_u64(),
        checked["over_seeds"]["diagnostics"][1]["line"]
            .as_u64()
            .map(|line| line - 1)
    );
    // An expectation that holds over these seeds succeeds unless certainty is requested.
    design.expect.that.remove(1);
    write(folder.path(), "hall.toml", &design);
    assert_eq!(outcome(&check(&[])).0, 0);
    let (status, text) = outcome(&check(&["--strict"]));
    assert_eq!(status, 3, "{text}");
    assert!(text.contains("error: this expectation needs about "), "{text}");
}

#[test]
fn a_survey_equals_single_runs_resumes_and_splits_into_shards() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut design = hall();
    design.layout.rooms.push(Room::default());
    write(folder.path(), "hall.toml", &design);
    let survey = |args: &[&str]| {
        let all: Vec<&str> = ["survey", "hall.toml", "--seeds", "3..203"]
            .iter()
            .chain(args)
            .copied()
            .collect();
        let output = run(folder.path(), &all);
        assert!(output.status.success(), "{:?}", outcome(&output));
        String::from_utf8(output.stdout).expect("text")
    };
    let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).expect("a file");
    for ending in ["csv", "jsonl"] {
        let name = format!("all.{ending}");
        let summary = survey(&["--output", &name]);
        let whole = read(&name);
        assert!(
            summary.starts_with("200 dungeons of the design, seeds 3 to 202\n"),
            "{summary}"
        );
        assert_eq!(survey(&["--threads", "1"]), summary, "without a file");
        assert_eq!(survey(&["--output", "-", "--format", ending]), whole);
        // A file that is cut off in the middle of a row is resumed.
        let part = format!("part.{ending}");
        std::fs::write(folder.path().join(&part), &whole[..whole.len() * 2 / 3]).expect("written");
        assert_eq!(survey(&["--output", &part]), summary);
        assert_eq!(read(&part), whole);
        // A complete file stays as it is.
        assert_eq!(survey(&["--output", &part]), summary);
        let mut joined = String::new();
        for shard in 1..=3 {
            let name = format!("shard{shard}.{ending}");
            survey(&["--output", &name, "--shard", &format!("{shard}/3")]);
            joined += &read(&name);
        }
        assert_eq!(joined, whole);
    }
    // Each row equals that of a single run.
    let valid = design.validate(None).design.expect("it is sound");
    let columns = columns(&design);
    let csv = read("all.csv");
    let mut runner = MetricsRunner::new();
    for (line, seed) in csv.lines().skip(1).zip(3..) {
        let metrics = runner.grow_and_measure(&valid.with_seed(seed), Options::default());
        let cells: Vec<String> = row(&metrics, &columns).iter().map(ToString::to_string).collect();
        let expected = cells.join(",");
        let own = line.splitn(5, ',').nth(4).expect("cells");
        assert_eq!(own[..expected.len()], expected, "seed {seed}");
    }
    // Each line of JSON is an object that other readers accept.
    for line in read("all.jsonl").lines() {
        let object: serde_json::Value = serde_json::from_str(line).expect("JSON");
        assert!(object["path"].is_u64() || object["path"].is_null());
        assert!(object["reachable"].is_boolean() && object["room_1"].is_string());
    }
    // Rows of another design are not counted as rows of this one.
    design.constants.join_dist += 1;
    write(folder.path(), "hall.toml", &design);
    let output = run(
        folder.path(),
        &["survey", "hall.toml", "--seeds", "3..203", "--output", "all.csv"],
    );
    let (status, text) = outcome(&output);
    assert_eq!(status, 2);
    assert!(text.contains("all.csv:2: the row belongs to another design"), "{text}");
    assert_eq!(read("all.csv"), csv);
    let output = run(
        folder.path(),
        &["survey", "hall.toml", "--seeds", "5", "--output", "all.csv", "--fresh"],
    );
    assert!(output.status.success());
    assert_eq!(read("all.csv").lines().count(), 6);
}

#[test]
fn a_survey_prints_intervals_within_a_hundred_columns() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut design = hall();
    design.layout.rooms.push(Room::default());
    write(folder.path(), "hall.toml", &design);
    let lines = |seeds: &str| -> Vec<String> {
        let (status, text) = outcome(&run(folder.path(), &["survey", "hall.toml", "--seeds", seeds]));
        assert_eq!(status, 0, "{text}");
        let lines: Vec<String> = text.lines().map(str::to_owned).collect();
        let wide = lines.iter().find(|line| line.chars().count() > 100);
        assert_eq!(wide, None, "{text}");
        lines
    };
    let line = |lines: &[String], start: &str| {
        let found = lines.iter().find(|line| line.starts_with(start));
        found.cloned().unwrap_or_else(|| panic!("{start}: {lines:?}"))
    };
    let many = lines("40");
    let heads: Vec<String> = line(&many, "metric ").split_whitespace().map(str::to_owned).collect();
    assert_eq!(heads.join(" "), "metric min p10 median 95% interval p90 max mean");
    let reachable = line(&many, "reachable ");
    let met: u64 = reachable
        .split_whitespace()
        .nth(1)
        .and_then(|met| met.parse().ok())
        .expect("a number");
    let range = Interval::of_share(met, 40).percent_range();
    assert!(reachable.ends_with(&format!("{met} of 40 ({range})")), "{reachable}");
    // The interval contains the median, and equals the interval computed from the rows.
    let csv = run(
        folder.path(),
        &["survey", "hall.toml", "--seeds", "40", "--output", "-"],
    );
    let csv = String::from_utf8(csv.stdout).expect("text");
    let at = csv.split(',').position(|column| column == "squares").expect("a column");
    let mut squares: Vec<f64> = (csv.lines().skip(1))
        .map(|row| {
            row.split(',')
                .nth(at)
                .and_then(|cell| cell.parse().ok())
                .expect("a number")
        })
        .collect();
    squares.sort_by(f64::total_cmp);
    let Interval { low, high } = Interval::of_quantile(&squares, 500, 40);
    assert!(low < high, "{squares:?}");
    let found = line(&many, "squares ");
    assert!(found.contains(&format!(" {} [{low}, {high}] ", squares[19])), "{found}");
    for below in ["each generation laid tiles: ±", "in percent of all dungeons: ±"] {
        assert!(many.iter().any(|line| line.contains(below)), "{below}: {many:?}");
    }
    // Five seeds are too few to bound a median.
    let few = line(&lines("5"), "squares ");
    assert!(!few.contains('['), "{few}");
}

#[test]
fn a_survey_with_changes_equals_a_survey_of_the_changed_design() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut design = hall();
    write(folder.path(), "hall.toml", &design);
    for (number, generation) in design.character.generations.iter_mut().enumerate() {
        generation.max_age = 3;
        generation.corridor_width += i32::from((1..=4).contains(&number));
    }
    write(folder.path(), "short.toml", &design);
    let survey = |args: &[&str]| {
        let all: Vec<&str> = ["survey", "--seeds", "20"].iter().chain(args).copied().collect();
        run(folder.path(), &all)
    };
    let changes = ["--change", "MaxAge -> 3", "--change", "CorridorWidth + 1 in 1-4"];
    let rows = |args: &[&str]| {
        let output = survey(&[args, &["--output", "-"]].concat());
        assert!(output.status.success(), "{:?}", outcome(&output));
        String::from_utf8(output.stdout).expect("text")
    };
    let other = rows(&[&["hall.toml"], &changes[..]].concat());
    assert_eq!(other, rows(&["short.toml"]));
    assert_ne!(other, rows(&["hall.toml"]));
    for (rule, why) in [
        ("MaxAge 3", "->"),
        ("MaxAge -> 2000000", "would be 2000000"),
        ("Age -> 3", "Age"),
    ] {
        let output = survey(&["hall.toml", "--change", rule]);
        let (status, text) = outcome(&output);
        assert!(status == 2 && text.contains(why), "{rule}: {text}");
    }
}

#[test]
fn a_parquet_survey_equals_the_csv_resumes_and_extends() {
    use parquet::file::reader::{FileReader, SerializedFileReader};
    use parquet::record::Field;

    let folder = tempfile::tempdir().expect("a folder");
    let mut design = hall();
    design.layout.rooms.push(Room::default());
    write(folder.path(), "hall.toml", &design);
    let at = |name: &str| folder.path().join(name);
    let survey = |args: &[&str]| {
        let all: Vec<&str> = ["survey", "hall.toml", "--output"]
            .iter()
            .chain(args)
            .copied()
            .collect();
        let output = run(folder.path(), &all);
        // The number of dungeons grown in this run is reported on standard error.
        let text = if output.status.success() {
            &output.stdout
        } else {
            &output.stderr
        };
        (output.status.code(), String::from_utf8_lossy(text).into_owned())
    };
    let rows = |name: &str| {
        let reader = SerializedFileReader::new(std::fs::File::open(at(name)).expect("a file")).expect("Parquet");
        let mut lines = Vec::new();
        for row in reader.get_row_iter(None).expect("rows") {
            let row = row.expect("a row");
            let values = row.get_column_iter().map(|(_, field)| match field {
                Field::Null => String::new(),
                Field::Str(text) => text.clone(),
                Field::Double(number) => number.to_string(),
                Field::Int(whole) => whole.to_string(),
                Field::UInt(catalog) => catalog.to_string(),
                Field::ULong(seed) => seed.to_string(),
                Field::Bool(truth) => truth.to_string(),
                other => panic!("{other:?}"),
            });
            lines.push(values.collect::<Vec<_>>().join(","));
        }
        let schema = reader.metadata().file_metadata().schema().get_fields().to_vec();
        let names: Vec<String> = schema.iter().map(|field| field.name().to_owned()).collect();
        [vec![names.join(",")], lines].concat().join("\n") + "\n"
    };
    let (status, summary) = survey(&["all.csv", "--seeds", "3..203"]);
    assert_eq!(status, Some(0), "{summary}");
    let csv = std::fs::read_to_string(at("all.csv")).expect("a file");
    assert_eq!(
        survey(&["all.parquet", "--seeds", "3..203"]),
        (Some(0), summary.clone())
    );
    assert_eq!(rows("all.parquet"), csv);
    assert!(!at("all.parquet.part").exists() && !at("all.parquet.new").exists());
    // Interrupted: a part file with the beginning, the last row cut off.
    std::fs::write(at("some.parquet.part"), &csv[..csv.len() / 3]).expect("written");
    assert_eq!(
        survey(&["some.parquet", "--seeds", "3..203"]),
        (Some(0), summary.clone())
    );
    assert_eq!(rows("some.parquet"), csv);
    // More seeds than the file has, and the seeds that it already has.
    assert_eq!(survey(&["more.parquet", "--seeds", "3..100"]).0, Some(0));
    assert_eq!(
        survey(&["more.parquet", "--seeds", "3..203"]),
        (Some(0), summary.clone())
    );
    assert_eq!(rows("more.parquet"), csv);
    assert_eq!(survey(&["more.parquet", "--seeds", "3..203"]), (Some(0), summary));
    // Shards are files with the same columns.
    let mut joined = csv.lines().next().expect("a header").to_owned() + "\n";
    for shard in 1..=3 {
        let name = format!("shard{shard}.parquet");
        assert_eq!(
            survey(&[&name, "--seeds", "3..203", "--shard", &format!("{shard}/3")]).0,
            Some(0)
        );
        let shard = rows(&name);
        let (header, rows) = shard.split_once('\n').expect("a header");
        assert!(joined.starts_with(header));
        joined += rows;
    }
    assert_eq!(joined, csv);
    // Rows of another design are left alone.
    design.constants.join_dist += 1;
    write(folder.path(), "hall.toml", &design);
    let (status, text) = survey(&["all.parquet", "--seeds", "3..203"]);
    assert_eq!(status, Some(2));
    assert!(
        text.contains("all.parquet: the row belongs to another design"),
        "{text}"
    );
    assert_eq!(rows("all.parquet"), csv);
    assert!(
        !at("all.parquet.part").exists(),
        "a run that cannot resume leaves no part file"
    );
    let (status, text) = survey(&["-", "--format", "parquet"]);
    assert_eq!(status, Some(2));
    assert!(text.contains("cannot be printed"), "{text}");
}

#[test]
fn find_lists_the_best_seeds_first() {
    let folder = tempfile::tempdir().expect("a folder");
    let halls = Preset::find("winding-halls").expect("a preset").design();
    write(folder.path(), "hall.toml", &halls);
    let find = |args: &[&str]| {
        let all: Vec<&str> = ["find", "hall.toml", "--seeds", "200", "--where"]
            .iter()
            .chain(args)
            .copied()
            .collect();
        outcome(&run(folder.path(), &all))
    };
    let valid = halls.validate(None).design.expect("it is sound");
    let mut runner = MetricsRunner::new();
    let mut paths: Vec<(u32, u64)> = (0..200)
        .map(|seed| {
            (
                runner.grow_and_measure(&valid.with_seed(seed), Options::default()),
                seed,
            )
        })
        .filter_map(|(metrics, seed)| Some((metrics.path()?, seed)))
        .filter(|(path, _)| *path > 300)
        .collect();
    paths.sort_by_key(|&(path, seed)| (std::cmp::Reverse(path), seed));
    assert!((5..180).contains(&paths.len()), "choose another bound: {}", paths.len());
    let (status, text) = find(&["path > 300", "--top", "5"]);
    assert_eq!(status, 0, "{text}");
    let found: Vec<&str> = text.lines().take(5).collect();
    let expected: Vec<String> = paths[..5]
        .iter()
        .map(|(path, seed)| format!("seed {seed}: path {path}"))
        .collect();
    assert_eq!(found, expected);
    assert!(
        text.contains(&format!(
            "{} of 200 dungeons satisfy the condition; the best 5 are listed above",
            paths.len()
        )),
        "{text}"
    );
    let (_, text) = find(&["path > 300", "--top", "0"]);
    assert!(text.ends_with("of 200 dungeons satisfy the condition\n"), "{text}");
    let (_, quiet) = find(&["path > 300", "--by", "-path", "--quiet", "--top", "1000"]);
    let mut seeds: Vec<(u32, u64)> = paths.clone();
    seeds.sort_by_key(|&(path, seed)| (path, seed));
    let quiet: Vec<u64> = quiet.lines().map(|line| line.parse().expect("a seed")).collect();
    assert_eq!(quiet, seeds.iter().map(|(_, seed)| *seed).collect::<Vec<_>>());
    let (status, text) = find(&["path > 100000"]);
    assert_eq!((status, text.contains("0 of 200")), (1, true), "{text}");
    let (status, text) = find(&["pth > 3 and reachable"]);
    assert_eq!(status, 2);
    assert!(
        text.contains("error: unknown metric\n --> --where:1:1\n  |\n1 | pth > 3 and reachable\n  | ^^^\n"),
        "{text}"
    );
    assert!(text.contains(" = help: did you mean `path`?"), "{text}");
    let (status, text) = find(&["crosses room 1"]);
    assert_eq!(status, 2);
    assert!(text.contains("error: there is no room 1\n --> --where:1:9\n"), "{text}");
}

#[test]
fn tune_writes_a_design_that_meets_more_expectations() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut design = hall();
    design.expect.that = vec!["reachable".into()];
    write(folder.path(), "hall.toml", &design);
    let tune = |args: &[&str]| {
        let all: Vec<&str> = ["tune", "hall.toml", "--seeds", "8"]
            .iter()
            .chain(args)
            .copied()
            .collect();
        outcome(&run(folder.path(), &all))
    };
    let (status, text) = tune(&[
        "--expect",
        "median dead-ends <= 8",
        "--move",
        "MaxAge in 1,CorridorWidth",
        "--output",
        "tuned.toml",
    ]);
    assert_eq!(status, 0, "{text}");
    assert!(text.contains("2 of 2 expectations met"), "{text}");
    assert!(text.contains("over 100 fresh seeds:"), "{text}");
    assert!(text.contains("median dead-ends <= 8: fails → holds"), "{text}");
    let file = std::fs::read_to_string(folder.path().join("tuned.toml")).expect("written");
    let found = native::parse(&wallcrawler::format::Text::new("tuned.toml", &file)).value;
    assert_ne!(found.character, design.character);
    // `check` must test the design for what it was tuned for.
    assert_eq!(found.expect.that, ["reachable", "median dead-ends <= 8"]);
    // Only parameters that may move have moved.
    for (generation, (before, after)) in design
        .character
        .generations
        .iter()
        .zip(&found.character.generations)
        .enumerate()
    {
        let mut same = *after;
        same.corridor_width = before.corridor_width;
        if generation == 1 {
            same.max_age = before.max_age;
        }
        assert_eq!(same, *before, "generation {generation}");
    }
    for (args, status, says) in [
        (&["--move", "Nonsense"][..], 2, "--move: unknown parameter `Nonsense`"),
        (&["--move", "MaxAge in 12"], 2, "--move: `12` is not a generation"),
        (&["--move", "minCorrWidth"], 2, "a search cannot change it"),
        (&["--expect", "pth > 3"][..], 2, "did you mean `path`?"),
        (
            &["--expect", "path >= 100000", "--move", "StepLength:1,MaxAge:3"][..],
            3,
            "fails → fails",
        ),
    ] {
        let (found, text) = tune(args);
        assert!(found == status && text.contains(says), "{found} {text}");
    }
}

#[test]
fn tune_counts_an_expectation_once_if_it_is_given_twice() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut design = hall();
    design.expect.that = vec!["reachable".into()];
    write(folder.path(), "hall.toml", &design);
    let twice = ["--expect", "reachable", "--expect", "reachable"];
    let args = [
        &["tune", "hall.toml", "--seeds", "2", "--move", "MaxAge in 1"][..],
        &twice,
    ]
    .concat();
    let (_, text) = outcome(&run(folder.path(), &args));
    assert!(text.contains(" of 1 expectation met over "), "{text}");
}

#[test]
fn tune_succeeds_if_expectations_only_need_more_seeds() {
    let folder = tempfile::tempdir().expect("a folder");
    let args = ["tune", "--preset", "catacombs", "--move", "MaxAge in 9", "--seeds", "4"];
    let (status, text) = outcome(&run(folder.path(), &args));
    // Fewer dungeons than expected meet this one over the fresh seeds.
    let undecided =
        "crosses room 3 in 50%: needs about 9,600 more seeds → needs about 9,600 more seeds, 49 → 49 dungeons";
    assert!(text.contains(undecided) && !text.contains("fails"), "{text}");
    assert_eq!(status, 0, "{text}");
}

#[test]
fn entrance_and_exit_can_be_set_on_the_command_line() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut design = hall();
    // A wall from side to side divides the hall.
    design.layout.walls = (0..40).map(|y| Point::new(30, y)).collect();
    design.expect.that = vec!["reachable".into()];
    write(folder.path(), "parted.toml", &design);
    let check = |args: &[&str]| {
        let all = [&["check", "parted.toml"], args].concat();
        outcome(&run(folder.path(), &all))
    };
    assert_eq!(check(&["--seeds", "3"]).0, 3, "the exit lies beyond the wall");
    let (status, text) = check(&["--seeds", "3", "--entrance", "35,2"]);
    assert_eq!(status, 0, "{text}");
    let (status, text) = check(&["--seeds", "3", "--entrance", "40,2"]);
    assert!(status == 2 && text.contains("rows are 0 to 39"), "{text}");
    let (status, text) = check(&["--entrance", "35,2"]);
    assert!(status == 2 && text.contains("--seeds"), "{text}");
    let ends = ["--entrance", "32,2", "--exit", "38,2"];
    let args = ["find", "parted.toml", "--where", "path >= 6", "--seeds", "3", "--quiet"];
    let (status, found) = outcome(&run(folder.path(), &[&args[..], &ends].concat()));
    assert_eq!((status, found.lines().count()), (0, 3), "{found}");
    let args = ["survey", "parted.toml", "--seeds", "3", "--output", "-"];
    let (_, own) = outcome(&run(folder.path(), &args));
    let (_, given) = outcome(&run(folder.path(), &[&args[..], &ends].concat()));
    assert_ne!(own, given);
    let args = [
        "tune",
        "parted.toml",
        "--seeds",
        "2",
        "--move",
        "StepLength",
        "--output",
        "t.toml",
    ];
    let (status, text) = outcome(&run(folder.path(), &[&args[..], &ends].concat()));
    assert_eq!(status, 0, "{text}");
    let tuned = std::fs::read_to_string(folder.path().join("t.toml")).expect("written");
    assert!(
        tuned.contains("entrance = [32, 2]") && tuned.contains("exit = [38, 2]"),
        "{tuned}"
    );
}
