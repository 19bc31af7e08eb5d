//! The command: kinds by file extension, whole files or none, streams and exit statuses.

use std::path::Path;
use std::process::{Command, Output, Stdio};

use wallcrawler::export::{self, ExportKind, ExportOptions, Group, PrintLayout, SCHEMA};

fn program() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_wallcrawler"));
    command.arg("export").stdin(Stdio::null());
    command
}

fn run(args: &[&str], folder: &Path) -> Output {
    program()
        .args(args)
        .current_dir(folder)
        .output()
        .expect("the program runs")
}

fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    let mut names: Vec<String> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

const SMALL: &[&str] = &["--preset", "first-steps", "--seed", "7"];

#[test]
fn the_extension_or_an_option_selects_the_kind() {
    let folder = tempfile::tempdir().unwrap();
    let begins = |name: &str, args: &[&str], begin: &[u8]| {
        let ran = run(&[SMALL, &["--to", name], args].concat(), folder.path());
        assert!(ran.status.success(), "{name}: {}", String::from_utf8_lossy(&ran.stderr));
        assert!(ran.stdout.is_empty() && ran.stderr.is_empty());
        let bytes = std::fs::read(folder.path().join(name)).unwrap();
        assert!(bytes.starts_with(begin), "{name}: {:?}", &bytes[..20]);
    };
    begins("a.txt", &[], b"XXXX");
    begins("b.csv", &[], b"x,y,");
    begins("c.JSON", &[], b"{\n\"format\": \"wallcrawler-dungeon\"");
    begins("d.png", &["--scale", "2", "--legend", "--on", "print"], b"\x89PNG");
    begins("e.svg", &["--by", "lineage"], b"<svg ");
    begins("f.tmx", &[], b"<?xml ");
    begins("g.tmj", &[], b"{\n\"type\": \"map\"");
    begins("h.dd2vtt", &["--scale", "4"], b"{\n\"format\": 0.3");
    begins("i.gif", &["--seconds", "1"], b"GIF89a");
    begins("j.apng", &["--seconds", "1"], b"\x89PNG");
    begins("k.cast", &["--seconds", "1"], b"{");
    begins("l.txt", &["--as", "ansi"], b"\x1b[38;5;");
    begins("m", &["--as", "cast3", "--seconds", "1"], b"{");
    begins(
        "n.pdf",
        &["--paper", "letter", "--square", "9mm", "--legend"],
        b"%PDF-1.",
    );
    begins("n.wcr", &[], b"\x89WCR");
    begins("o.ldtk", &[], b"{\"__header__\":");
    let all = "a.txt b.csv c.JSON d.png e.svg f.tiles.png f.tmx g.tiles.png g.tmj h.dd2vtt i.gif j.apng k.cast l.txt m \
               n.pdf n.wcr o.ldtk o.tiles.png";
    assert_eq!(names(folder.path()), all.split(' ').collect::<Vec<_>>());
    // The number of pages is reported, since they must be cut and glued.
    let large = ["--to", "large.pdf", "--paper", "letter", "--square", "1in"];
    let ran = run(&[SMALL, &large].concat(), folder.path());
    let err = String::from_utf8_lossy(&ran.stderr);
    assert!(ran.status.success() && err.contains("it needs 35 pages"), "{err}");
    // The title of an animation has the seed and the digest of the design's file.
    let cast = std::fs::read_to_string(folder.path().join("k.cast")).unwrap();
    let digest = wallcrawler::export::sha256(
        wallcrawler::presets::Preset::find("first-steps")
            .unwrap()
            .text
            .as_bytes(),
    );
    assert!(
        cast.lines()
            .next()
            .unwrap()
            .contains(&format!("seed 7, first-steps.toml sha256:{digest}"))
    );
}

#[test]
fn text_agrees_with_the_output_of_grow() {
    let folder = tempfile::tempdir().unwrap();
    for (kind, format) in [("text", "plain"), ("digits", "digits"), ("ansi", "ansi")] {
        let exported = run(&[SMALL, &["--as", kind, "--to", "-"]].concat(), folder.path());
        let mut grow = Command::new(env!("CARGO_BIN_EXE_wallcrawler"));
        let grown = grow.args(["grow", "--format", format]).args(SMALL).output().unwrap();
        assert!(exported.status.success() && !grown.stdout.is_empty());
        assert_eq!(exported.stdout, grown.stdout, "{kind}");
    }
    assert!(names(folder.path()).is_empty());
}

#[test]
fn a_failed_export_is_reported_and_leaves_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let fails = |args: &[&str], status: i32, message: &str| {
        let ran = run(&[SMALL, args].concat(), folder.path());
        let err = String::from_utf8(ran.stderr).unwrap();
        assert_eq!(ran.status.code(), Some(status), "{err}");
        assert!(err.contains(message), "{err}");
        assert!(names(folder.path()).is_empty(), "{:?}", names(folder.path()));
    };
    fails(
        &["--to", "map.doc"],
        2,
        "pass --format with one of text, digits, ansi, csv, json, png",
    );
    fails(&["--to", "no/such/map.png"], 2, "no/such/map.png");
    fails(&["--to", "-", "--as", "tmx"], 2, "needs a companion file");
    fails(&["--to", "-", "--as", "ldtk"], 2, "needs a companion file");
    fails(&["--to", "map.png", "--scale", "2", "--grid"], 2, "scale of at least 3");
    fails(
        &["--to", "map.pdf", "--margin", "200mm"],
        2,
        "A4 has no room for a square of 0.5 mm between margins of 200 mm",
    );
    fails(
        &["--to", "map.gif", "--follow", "99999"],
        2,
        "Builder #99,999 was never born: the growth has only ",
    );
    fails(
        &["--to", "map.gif", "--follow", "1", "--turn", "0"],
        2,
        "Builder #1 has not acted by turn 0; ",
    );
    fails(
        &["--to", "map.pdf", "--square", "40cm"],
        2,
        "A4 has no room for a square of 400 mm",
    );
    fails(
        &["--to", "map.pdf", "--square", "5 feet"],
        2,
        "write a number with mm, cm, in or pt",
    );
    fails(&["--to", "map.pdf", "--square", "0"], 2, "too small to print");
    fails(
        &["--to", "map.pdf", "--paper", "foolscap"],
        2,
        "possible values: a5, a4",
    );
    fails(&[], 2, "--output <FILE>");
    fails(&["--to", "map.png", "--as", "jpeg"], 2, "possible values");
}

#[test]
fn a_turn_past_the_end_gets_a_warning_and_a_script_excludes_it() {
    let folder = tempfile::tempdir().unwrap();
    let export = |args: &[&str]| {
        let ran = run(&[SMALL, args].concat(), folder.path());
        let err = String::from_utf8(ran.stderr).unwrap();
        (ran.status.code(), err)
    };
    for args in [
        &["-o", "a.json", "--turn", "99999"][..],
        &["-o", "a.gif", "--moments", "0,99999:1"],
    ] {
        let (status, err) = export(args);
        assert_eq!(status, Some(0), "{args:?}: {err}");
        assert!(
            err.contains("turn 99,999 is past the end; showing the last turn"),
            "{args:?}: {err}"
        );
    }
    for args in [
        &["-o", "b.json", "--turn", "9"][..],
        &["-o", "b.gif", "--moments", "0,9:1,end:1"],
    ] {
        assert_eq!(export(args), (Some(0), String::new()), "{args:?}");
    }
    let (status, err) = export(&["-o", "c.gif", "--moments", "200,end:1", "--turn", "50"]);
    assert!(status == Some(2) && err.contains("cannot be used with"), "{err}");
}

#[test]
fn the_help_names_the_kinds_that_can_leave_out_generations() {
    let help = String::from_utf8(run(&["--help"], Path::new(".")).stdout).unwrap();
    let help: Vec<&str> = help.split_whitespace().collect();
    assert!(
        help.join(" ")
            .contains("--no-generations Kinds `digits` and `ansi`: do not show"),
        "{help:?}"
    );
}

/// An export of a recording equals an export of its design, even if the design's file has changed since.
#[test]
fn export_accepts_a_recording_as_a_design() {
    let folder = tempfile::tempdir().unwrap();
    let read = |name: &str| std::fs::read(folder.path().join(name)).unwrap();
    let of = |args: &[&str]| {
        let ran = run(args, folder.path());
        assert!(
            ran.status.success(),
            "{args:?}: {}",
            String::from_utf8_lossy(&ran.stderr)
        );
    };
    let design = wallcrawler::presets::Preset::find("catacombs").unwrap();
    std::fs::write(folder.path().join("mine.toml"), design.text).unwrap();
    of(&["mine.toml", "--no-columns", "--to", "mine.wcr"]);
    for name in ["a.json", "a.cast", "a.png"] {
        of(&["mine.toml", "--no-columns", "--to", name]);
    }
    std::fs::write(folder.path().join("mine.toml"), "seed = 9").unwrap();
    for (name, before) in [("b.json", "a.json"), ("b.cast", "a.cast"), ("b.png", "a.png")] {
        of(&["mine.wcr", "--to", name]);
        assert!(read(name) == read(before), "{name}");
    }
    of(&["mine.wcr", "--to", "again.wcr"]);
    assert_eq!(read("again.wcr"), read("mine.wcr"));
    // Another seed is another dungeon, which is grown now.
    of(&["mine.wcr", "--seed", "5", "--to", "c.txt"]);
    of(&["--preset", "catacombs", "--seed", "5", "--to", "d.txt"]);
    assert_eq!(read("c.txt"), read("d.txt"));

    std::fs::write(folder.path().join("cut.wcr"), &read("mine.wcr")[..999]).unwrap();
    let ran = run(&["cut.wcr", "--to", "e.txt"], folder.path());
    let said = String::from_utf8(ran.stderr).unwrap();
    assert_eq!(ran.status.code(), Some(2), "{said}");
    assert!(
        said.contains("cut.wcr: the recording ends early, after 999 bytes"),
        "{said}"
    );
}

#[test]
fn the_schema_is_printed() {
    let folder = tempfile::tempdir().unwrap();
    let ran = run(&["--schema"], folder.path());
    assert!(ran.status.success());
    assert_eq!(String::from_utf8(ran.stdout).unwrap(), SCHEMA);
}

#[test]
fn every_kind_has_one_name_and_its_own_extensions() {
    let mut endings = std::collections::BTreeSet::new();
    for about in &ExportKind::ALL {
        let kind = about.kind;
        assert_eq!(ExportKind::by_name(about.name), Some(kind));
        assert_eq!(kind.about(), about);
        assert_eq!(
            (kind.name(), kind.description(), kind.group()),
            (about.name, about.description, about.group)
        );
        for ending in about.endings {
            assert!(endings.insert(*ending));
            assert_eq!(ExportKind::by_ending(&ending.to_uppercase()), Some(kind));
        }
    }
    // The kinds are sorted by group, so that a list of all can have headings.
    assert!(ExportKind::ALL.is_sorted_by_key(|about| about.group));
    let help = run(&["--help"], Path::new("."));
    let help = String::from_utf8(help.stdout).unwrap();
    for group in Group::ALL {
        assert!(help.contains(&format!("\n {group}:")), "{help}");
        for about in group.kinds() {
            let line = help
                .lines()
                .find(|line| line.trim_start().starts_with(&format!("{} ", about.name)));
            // A long line continues in the next.
            assert!(
                line.is_some_and(|line| line.contains(&about.description[..9])),
                "{}: {help}",
                about.name
            );
        }
    }
}

#[cfg(unix)]
#[test]
fn an_interrupted_export_leaves_no_half_file() {
    use std::io::Read as _;
    let folder = tempfile::tempdir().unwrap();
    // Twenty thousand pixels across take a while; the signal comes as soon as the new file exists.
    let args = [SMALL, &["--to", "map.png", "--scale", "400", "--force"]].concat();
    std::fs::write(folder.path().join("map.png"), "before").unwrap();
    let mut child = program()
        .args(args)
        .current_dir(folder.path())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    while names(folder.path()).len() < 2 {
        assert_eq!(child.try_wait().unwrap(), None, "it ended before it was interrupted");
        std::thread::yield_now();
    }
    let killed = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status()
        .unwrap();
    assert!(killed.success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let mut err = String::new();
    child.stderr.take().unwrap().read_to_string(&mut err).unwrap();
    assert!(err.contains("interrupted; no file was changed"), "{err}");
    assert_eq!(names(folder.path()), ["map.png"]);
    assert_eq!(
        std::fs::read_to_string(folder.path().join("map.png")).unwrap(),
        "before"
    );
}

#[test]
fn every_kind_reports_progress_and_can_be_cancelled() {
    use std::ops::ControlFlow;
    crate::each(|dungeon| {
        let options = ExportOptions {
            scale: Some(4),
            duration: 1000,
            print: PrintLayout {
                square: Some("12mm".parse().unwrap()),
                ..PrintLayout::default()
            },
            ..ExportOptions::default()
        };
        for about in &ExportKind::ALL {
            let written = |stop: usize| {
                let mut calls = Vec::new();
                let mut watch = |done: u64, all: u64| {
                    calls.push((done, all));
                    if calls.len() > stop {
                        ControlFlow::Break(())
                    } else {
                        ControlFlow::Continue(())
                    }
                };
                let mut bytes = Vec::new();
                let result = export::write(about.kind, dungeon, &options, "map.x", &mut bytes, &mut watch);
                (result, calls)
            };
            let (result, calls) = written(usize::MAX);
            assert!(result.is_ok() && !calls.is_empty(), "{}", about.name);
            let share = |(done, all): &(u64, u64)| *done as f64 / (*all).max(1) as f64;
            let mut shares: Vec<f64> = calls.iter().map(share).collect();
            assert!(shares.is_sorted() && shares[0] <= 0.01, "{}: {shares:?}", about.name);
            // Progress is reported before half of the work is done; a small recording is packed in one go.
            if about.kind == ExportKind::Recording {
                continue;
            }
            shares.push(1.0);
            let longest = shares.windows(2).map(|pair| pair[1] - pair[0]).fold(0.0, f64::max);
            assert!(longest <= 0.51, "{}: {shares:?}", about.name);
            for stop in [0, calls.len() / 2, calls.len() - 1] {
                let (result, after) = written(stop);
                assert!(
                    matches!(result, Err(export::ExportError::Interrupted)),
                    "{} at {stop}",
                    about.name
                );
                assert_eq!(after.len(), stop + 1, "{}", about.name);
            }
        }
    });
}
