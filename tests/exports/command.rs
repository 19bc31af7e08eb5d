//! The command: kinds by ending, whole files or none, streams and exit statuses.

use std::path::Path;
use std::process::{Command, Output, Stdio};

use wallcrawler::export::{Group, Kind, SCHEMA};

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
fn the_kind_is_told_by_the_ending_or_by_a_word() {
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
        &["--paper", "letter", "--square", "1in", "--legend"],
        b"%PDF-1.",
    );
    begins("o.ldtk", &[], b"{\"__header__\":");
    let all = "a.txt b.csv c.JSON d.png e.svg f.tiles.png f.tmx g.tiles.png g.tmj h.dd2vtt i.gif j.apng k.cast l.txt m \
               n.pdf o.ldtk o.tiles.png";
    assert_eq!(names(folder.path()), all.split(' ').collect::<Vec<_>>());
    // The title of a film tells the seed and the digest of the design's file.
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
fn text_is_what_grow_prints() {
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
fn what_cannot_be_written_is_told_and_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let fails = |args: &[&str], status: i32, told: &str| {
        let ran = run(&[SMALL, args].concat(), folder.path());
        let err = String::from_utf8(ran.stderr).unwrap();
        assert_eq!(ran.status.code(), Some(status), "{err}");
        assert!(err.contains(told), "{err}");
        assert!(names(folder.path()).is_empty(), "{:?}", names(folder.path()));
    };
    fails(
        &["--to", "map.doc"],
        2,
        "say --as with one of text, digits, ansi, csv, json, png",
    );
    fails(&["--to", "no/such/map.png"], 2, "no/such/map.png");
    fails(&["--to", "-", "--as", "tmx"], 1, "needs a file beside it");
    fails(&["--to", "-", "--as", "ldtk"], 1, "needs a file beside it");
    fails(&["--to", "map.png", "--scale", "2", "--grid"], 1, "scale of at least 3");
    fails(
        &["--to", "map.pdf", "--square", "40cm"],
        1,
        "A4 has no room for a square of 400 mm",
    );
    fails(
        &["--to", "map.pdf", "--square", "5 feet"],
        2,
        "say a number with mm, cm, in or pt",
    );
    fails(&["--to", "map.pdf", "--square", "0"], 2, "cannot be printed");
    fails(
        &["--to", "map.pdf", "--paper", "foolscap"],
        2,
        "possible values: a5, a4",
    );
    fails(&[], 2, "--to <FILE>");
    fails(&["--to", "map.png", "--as", "jpeg"], 2, "possible values");
}

#[test]
fn the_schema_is_printed() {
    let folder = tempfile::tempdir().unwrap();
    let ran = run(&["--schema"], folder.path());
    assert!(ran.status.success());
    assert_eq!(String::from_utf8(ran.stdout).unwrap(), SCHEMA);
}

#[test]
fn every_kind_has_one_name_and_its_own_endings() {
    let mut endings = std::collections::BTreeSet::new();
    for about in &Kind::ALL {
        let kind = about.kind;
        assert_eq!(Kind::by_name(about.name), Some(kind));
        assert_eq!(kind.about(), about);
        assert_eq!(
            (kind.name(), kind.told(), kind.group()),
            (about.name, about.told, about.group)
        );
        for ending in about.endings {
            assert!(endings.insert(*ending));
            assert_eq!(Kind::by_ending(&ending.to_uppercase()), Some(kind));
        }
    }
    // Group by group, so that a list of all can have headings.
    assert!(Kind::ALL.is_sorted_by_key(|about| about.group));
    let help = run(&["--help"], Path::new("."));
    let help = String::from_utf8(help.stdout).unwrap();
    for group in Group::ALL {
        assert!(help.contains(&format!("\n {group}:")), "{help}");
        for about in group.kinds() {
            let line = help
                .lines()
                .find(|line| line.trim_start().starts_with(&format!("{} ", about.name)));
            // A long line goes on in the next.
            assert!(
                line.is_some_and(|line| line.contains(&about.told[..9])),
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
    // Twenty thousand pixels across take a while; the signal comes as soon as the new file is begun.
    let args = [SMALL, &["--to", "map.png", "--scale", "400"]].concat();
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
    assert!(err.contains("interrupted; nothing was written"), "{err}");
    assert_eq!(names(folder.path()), ["map.png"]);
    assert_eq!(
        std::fs::read_to_string(folder.path().join("map.png")).unwrap(),
        "before"
    );
}
