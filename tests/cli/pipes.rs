//! Standard input in place of a design, JSON for scripts, and suggestions for misspelt commands.

use std::io::Write as _;
use std::process::Stdio;

use serde_json::Value;

use crate::{Folder, design, inputs, program, run};

fn json(args: &[&str]) -> Value {
    let ran = run(args);
    assert_eq!(ran.status, 0, "{}", ran.err);
    serde_json::from_str(&ran.out).expect("JSON")
}

#[test]
fn a_dash_is_standard_input() {
    let preset = run(&["presets", "keep"]).out;
    let expected = run(&["grow", "--preset", "keep", "--seed", "5"]).out;
    assert_eq!(piped(&["grow", "-", "--seed", "5"], &preset), expected);
    let ran = run(&["-"]);
    assert!(
        ran.status == 2 && ran.err.contains("reads keys from standard input"),
        "{}",
        ran.err
    );
}

#[test]
fn presets_are_listed_as_json() {
    let all = json(&["presets", "--json"]);
    let all = all.as_array().expect("a list");
    let keep = all.iter().find(|preset| preset["name"] == "keep").expect("it is there");
    assert_eq!((&keep["rows"], &keep["columns"]), (&55.into(), &110.into()));
    assert!(all.iter().any(|preset| preset["vaults"].as_u64() > Some(0)));
    assert_eq!(json(&["presets", "keep", "--json"]).as_array().map(Vec::len), Some(1));
}

#[test]
fn found_seeds_are_listed_as_json() {
    let condition = [
        "find",
        "--preset",
        "keep",
        "--seeds",
        "60",
        "--where",
        "path > 150",
        "--by",
        "-dead-ends",
    ];
    let found = json(&[&condition[..], &["--json", "--top", "3"]].concat());
    let text = run(&[&condition[..], &["--quiet", "--top", "3"]].concat()).out;
    let seeds: Vec<String> = found["found"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|one| one["seed"].to_string())
        .collect();
    assert_eq!(seeds, text.lines().collect::<Vec<_>>());
    let first = &found["found"][0];
    assert!(first["metrics"]["path"].as_f64() > Some(150.0), "{first}");
    assert_eq!(
        first["score"].as_f64(),
        first["metrics"]["dead-ends"].as_f64().map(|ends| -ends)
    );
    assert_eq!(found["dungeons"], 60);
}

#[test]
fn a_misspelt_command_is_not_treated_as_a_design() {
    for (words, meant) in [
        (&["gro"][..], "grow"),
        (&["gro", "castle.toml", "--seed", "5"], "grow"),
        (&["survy", "castle.toml", "--seeds", "10"], "survey"),
        (&["chekc"], "check"),
    ] {
        let ran = run(words);
        assert_eq!(ran.status, 2);
        assert!(
            ran.err.contains(&format!("did you mean `wallcrawler {meant}`?")),
            "{}",
            ran.err
        );
    }
    let ran = run(&["zebra"]);
    assert!(ran.status == 2 && ran.err.contains("cannot read zebra"), "{}", ran.err);
    // A file of that name is a design.
    let folder = Folder::empty();
    folder.put("gro", &run(&["presets", "keep"]).out);
    let ran = program()
        .current_dir(folder.0.path())
        .args(["grow", "gro", "--seed", "5"])
        .output()
        .expect("it runs");
    assert!(ran.status.success());
}

/// Runs the program with a pipe as standard input, which contains `input`; returns standard output.
fn piped(args: &[&str], input: impl AsRef<[u8]>) -> String {
    let output = fed(args, input);
    let err = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{args:?}: {err}");
    String::from_utf8(output.stdout).expect("text")
}

/// Runs the program with a pipe as standard input, which contains `input`.
fn fed(args: &[&str], input: impl AsRef<[u8]>) -> std::process::Output {
    let mut child = program()
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut pipe = child.stdin.take().expect("its input");
    pipe.write_all(input.as_ref()).expect("written");
    drop(pipe);
    child.wait_with_output().expect("it ends")
}

#[test]
fn every_command_that_reads_a_file_reads_standard_input() {
    let preset = run(&["presets", "keep"]).out;
    let checked: Value = serde_json::from_str(&piped(&["check", "-", "--json"], &preset)).expect("JSON");
    assert_eq!(checked["checked"][0]["status"], 0, "{checked}");
    let compared = piped(
        &["compare", "-", "--preset", "weave", "--seeds", "9", "--json"],
        &preset,
    );
    let expected = run(&[
        "compare", "--preset", "keep", "--preset", "weave", "--seeds", "9", "--json",
    ])
    .out;
    let compared: Value = serde_json::from_str(&compared).expect("JSON");
    let expected: Value = serde_json::from_str(&expected).expect("JSON");
    assert_eq!(compared["metrics"], expected["metrics"]);
    assert!(
        compared["metrics"].is_array() || compared["metrics"].is_object(),
        "{compared}"
    );
    let level = "NAME: cell\nMAP\nxxx\nx.+\nxxx\nENDMAP\n";
    let maps: Value = serde_json::from_str(&piped(&["vault", "list", "-", "--json"], level)).expect("JSON");
    assert_eq!(
        (&maps[0]["name"], &maps[0]["width"], &maps[0]["line"]),
        (&"cell".into(), &3.into(), &1.into())
    );
    assert_eq!(maps[0]["file"], "standard input");
    let rooms = piped(&["convert", "-", "--output", "-"], &preset);
    assert!(rooms.contains("format = 1"), "{rooms}");
}

#[test]
fn messages_name_standard_input() {
    for (args, text, place) in [
        (&["check", "-"][..], "nme = 3\n", " --> standard input:1:1\n"),
        (
            &["vault", "check", "-"],
            "NAME: a\nXYZ: 3\nMAP\nx\nENDMAP\n",
            " --> standard input:2:1\n",
        ),
        (&["import", "-", "--output", "-"], "\u{1}\u{2}\n", "standard input"),
        (&["sweep", "-"], "seds = 3\n", " --> standard input:1:1\n"),
        (
            &["range", "--x", "path", "--y", "dead-ends", "--from", "-"],
            "path,dead-ends\n1,x\n",
            "error: standard input:2: ",
        ),
        // A design with errors is no drawing.
        (&["grow", "-"], "nme = 3\n", " --> standard input:1:1\n"),
        (&["grow", "-"], "[layuot]\n", " --> standard input:1:"),
        (
            &["settings", "--check", "--config", "-"],
            "nme = 3\n",
            " --> standard input:1:1\n",
        ),
        (
            &["play", "-"],
            "{\"version\": 2, \"width\": 80}\n",
            "standard input is a terminal recording",
        ),
    ] {
        let output = fed(args, text);
        let said = String::from_utf8_lossy(&output.stderr).into_owned() + &String::from_utf8_lossy(&output.stdout);
        assert!(!output.status.success() && said.contains(place), "{args:?}: {said}");
        assert!(!said.contains("/dev/stdin"), "{said}");
    }
}

#[test]
fn recordings_rooms_files_and_drawings_come_from_pipes_and_redirects() {
    let folder = inputs();
    let alone = Folder::empty();
    alone.put("rooms4", &folder.text("rooms4"));
    alone.put("maze.txt", "#####\n#...#\n#.#.#\n#...#\n#####\n");
    let recording = folder.path("k.wcr");
    for (path, commands) in [
        (
            recording.clone(),
            &[
                &["play", "@"][..],
                &["grow", "@"],
                &["grow", "@", "--seed", "3"],
                &["export", "@", "-o", "-", "--format", "csv"],
                &["convert", "@", "-o", "-"],
                &["convert", "@", "--code"],
            ][..],
        ),
        (
            alone.path("rooms4"),
            &[
                &["grow", "@"],
                &["convert", "@", "-o", "-"],
                &["survey", "@", "--seeds", "2", "-o", "-", "--format", "csv"],
            ],
        ),
        (
            alone.path("maze.txt"),
            &[&["grow", "@"], &["design-digest", "@"], &["play", "@"]],
        ),
    ] {
        let input = std::fs::read(&path).expect("readable");
        for command in commands {
            let with = |file: &str| -> Vec<String> { command.iter().map(|word| word.replace('@', file)).collect() };
            let named = with(&path);
            let named: Vec<&str> = named.iter().map(String::as_str).collect();
            let expected = run(&named);
            assert_eq!(expected.status, 0, "{named:?}: {}", expected.err);
            let mut streams = vec!["-"];
            streams.extend(cfg!(target_os = "linux").then_some("/dev/fd/0"));
            for stream in streams {
                let args = with(stream);
                let args: Vec<&str> = args.iter().map(String::as_str).collect();
                assert_eq!(piped(&args, &input), expected.out, "{args:?}");
            }
            let redirected = program()
                .args(with("-"))
                .stdin(std::fs::File::open(&path).expect("readable"))
                .output()
                .expect("it runs");
            assert_eq!(String::from_utf8_lossy(&redirected.stdout), expected.out, "{command:?}");
        }
    }
    let checked = piped(&["check", "-"], std::fs::read(&recording).expect("readable"));
    assert!(
        checked.starts_with("standard input: an undamaged recording"),
        "{checked}"
    );
}

#[test]
fn every_input_file_can_be_standard_input_but_only_one() {
    let folder = inputs();
    let [rooms, stats, new] = ["rooms4", "stats4", "new.toml"].map(|name| folder.path(name));
    let expected = run(&["grow", "--rooms", &rooms, "--stats", &stats]).out;
    assert_eq!(
        piped(&["grow", "--rooms", "-", "--stats", &stats], folder.text("rooms4")),
        expected
    );
    assert_eq!(
        piped(&["grow", "--rooms", &rooms, "--stats", "-"], folder.text("stats4")),
        expected
    );
    piped(
        &["convert", "--rooms", "-", "--stats", &stats, &new],
        folder.text("rooms4"),
    );
    assert_eq!(
        folder
            .text("new.toml")
            .parse::<wallcrawler::design::Design>()
            .expect("a design")
            .layout,
        design().layout
    );
    piped(&["settings", "--check", "--config", "-"], "");
    let learnt = folder.path("learnt.toml");
    let learn = ["learn", "-", "--candidates", "1", "--seeds", "2", "-o", &learnt];
    let ran = fed(&learn, folder.text("design.toml"));
    assert!(
        std::fs::exists(&learnt).expect("readable"),
        "{}",
        String::from_utf8_lossy(&ran.stderr)
    );
    for args in [
        &["grow", "--rooms", "-", "--stats", "-"][..],
        &["convert", "--rooms", "-", "--stats", "-", "other.toml"],
        &["compare", "-", "-"],
        &["check", "-", "-"],
        &["learn", "-", "--layout", "-", "-o", "other.toml"],
        &["vault", "list", "-", "-"],
    ] {
        let ran = run(args);
        assert_eq!(
            (ran.status, ran.out.as_str(), ran.err.as_str()),
            (
                2,
                "",
                "error: `-` (standard input) is given for several files, but contains only one; pass paths for the others\n"
            ),
            "{args:?}"
        );
    }
}

#[test]
fn options_before_a_command_are_read_if_every_command_has_them() {
    let (before, after) = (run(&["--quiet", "presets"]), run(&["presets", "--quiet"]));
    assert_eq!((before.status, before.out), (0, after.out));
    let form = run(&["--progress", "never", "grow", "--preset", "keep", "--seed", "1"]);
    assert_eq!(
        (form.status, form.out),
        (0, run(&["grow", "--preset", "keep", "--seed", "1"]).out)
    );
    for (args, named) in [
        (&["--preset", "keep", "grow"][..], "--preset"),
        (&["castle.toml", "grow"], "[DESIGN]"),
    ] {
        let wrong = run(args);
        assert!(
            wrong.status == 2 && wrong.err.contains(named) && wrong.err.contains("after the command"),
            "{}",
            wrong.err
        );
    }
}

#[test]
fn a_quiet_command_prints_its_result_and_nothing_else() {
    let survey = [
        "survey", "--preset", "keep", "--seeds", "5", "--output", "-", "--format", "csv",
    ];
    let (loud, quiet) = (run(&survey), run(&[&survey[..], &["--quiet"]].concat()));
    assert_eq!(loud.out, quiet.out);
    let found = ["find", "--preset", "keep", "--seeds", "60", "--where", "path > 150"];
    let (loud, quiet) = (run(&found), run(&[&found[..], &["-q"]].concat()));
    assert!(loud.err.contains("dungeons satisfy"), "{}", loud.err);
    assert_eq!(quiet.err, "");
    assert!(
        quiet.out.lines().all(|line| line.parse::<u64>().is_ok()),
        "{}",
        quiet.out
    );
    let wrong = run(&["grow", "--preset", "keep", "--quiet", "--output", "no/such/folder"]);
    assert!(wrong.status == 2 && wrong.err.contains("error"), "{}", wrong.err);
}

#[test]
fn former_names_of_options_are_read() {
    let folder = Folder::empty();
    let new = run(&["export", "--preset", "keep", "-o", "-", "--format", "json"]).out;
    assert_eq!(run(&["export", "--preset", "keep", "-t", "-", "--as", "json"]).out, new);
    let report = ["report", "--preset", "keep", "--seeds", "3"];
    let new = run(&[&report[..], &["--output", "-", "--format", "html"]].concat()).out;
    assert!(new.starts_with("<!DOCTYPE html>"));
    assert!(
        run(&[&report[..], &["--to", "-", "--as", "html"]].concat())
            .out
            .starts_with("<!DOCTYPE html>")
    );
    let (to, other) = (folder.path("walls.png"), folder.path("other.png"));
    assert_eq!(
        run(&["frequency", "--preset", "keep", "--seeds", "3", "--to", &to]).status,
        0
    );
    assert_eq!(
        run(&["frequency", "--preset", "keep", "--seeds", "3", "-o", &other]).status,
        0
    );
}
