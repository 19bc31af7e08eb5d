//! The real program on the command line: exit statuses, streams, files, closed pipes, unwritable places.

#![allow(
    clippy::expect_used,
    clippy::format_push_string,
    clippy::panic,
    reason = "helpers of tests"
)]

use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use wallcrawler::design::{CrawlerStart, Design, Stat};
use wallcrawler::format::{native, rooms, stats};
use wallcrawler::geometry::{Point, Size};
use wallcrawler::presets::Preset;

mod atlas;
mod bulk;
mod changes;
mod codes;
mod compare;
#[cfg(unix)]
mod control;
#[cfg(unix)]
mod control_characters;
mod editor;
mod files;
mod learn;
mod lsp;
mod metrics;
mod pipes;
mod range;
mod report;
mod scatter;
mod sweep;
mod tables;
mod trials;
mod vault_check;
mod why;

struct Ran {
    status: i32,
    out: String,
    err: String,
}

fn program() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_wallcrawler"));
    command.stdin(Stdio::null());
    command
}

fn run(args: &[&str]) -> Ran {
    let output = program().args(args).output().expect("the program runs");
    Ran {
        status: output.status.code().expect("no signal"),
        out: String::from_utf8(output.stdout).expect("text"),
        err: String::from_utf8(output.stderr).expect("text"),
    }
}

/// A folder with a design in every format.
struct Folder(tempfile::TempDir);

impl Folder {
    fn empty() -> Self {
        Self(tempfile::tempdir().expect("a folder"))
    }

    fn new(design: &Design) -> Self {
        let folder = Self::empty();
        folder.put("design.toml", &native::write(design));
        folder.put("rooms", &rooms::write(&design.layout).expect("writable"));
        folder.put("stats", &stats::write(&design.character));
        folder
    }

    fn path(&self, name: &str) -> String {
        self.0.path().join(name).to_str().expect("a name").to_owned()
    }

    fn put(&self, name: &str, text: &str) {
        std::fs::write(self.0.path().join(name), text).expect("written");
    }

    fn text(&self, name: &str) -> String {
        std::fs::read_to_string(self.0.path().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }
}

fn design() -> Design {
    let mut design = Design {
        name: "Test".into(),
        seed: 99,
        ..Design::default()
    };
    design.layout.size = Size::new(30, 50);
    design.layout.crawlers.push(CrawlerStart {
        at: Point::new(0, 25),
        ..CrawlerStart::default()
    });
    design.layout.crawlers.push(CrawlerStart {
        at: Point::new(29, 10),
        direction: 4,
        ..CrawlerStart::default()
    });
    design
}

/// Creates a folder with a design in every format, constants, and a recording.
fn inputs() -> Folder {
    let folder = Folder::new(&design());
    let toml = folder.path("design.toml");
    folder.put("rooms4", &folder.text("rooms"));
    folder.put("stats4", &folder.text("stats"));
    folder.put("constants4", "maxCrawlers = 100\n");
    let recorded = run(&["export", &toml, "--to", &folder.path("k.wcr")]);
    assert_eq!(recorded.status, 0, "{}", recorded.err);
    folder
}

#[test]
fn grow_reports_its_statistics_after_the_dungeon() {
    let plain = run(&["grow", "--preset", "first-steps"]);
    let with = run(&["grow", "--preset", "first-steps", "--statistics"]);
    assert_eq!((with.status, &with.out), (0, &plain.out));
    assert_eq!(plain.err, "");
    let metric = |name: &str| {
        let line = with
            .err
            .lines()
            .find_map(|line| line.strip_prefix(&format!("{name}: ")));
        let number = line.and_then(|line| line.split([' ', ',']).next());
        number.unwrap_or_else(|| panic!("no {name} in {}", with.err)).to_owned()
    };
    let number = |name: &str| -> f64 { metric(name).parse().expect("a number") };
    let squares = plain.out.lines().map(|line| line.chars().count()).sum::<usize>();
    let walls = plain.out.chars().filter(char::is_ascii_digit).count();
    assert_eq!(metric("squares"), squares.to_string());
    assert_eq!(metric("tiles laid"), walls.to_string());
    assert!(number("births") > 1.0 && number("turns") > number("births"));
    assert!(number("time of growth") > 0.0 && number("time of growth with recording") > 0.0);
    assert!(number("dungeon") <= 4.0 * number("squares"));
    assert!(number("recording") <= 8.0 * number("events"));
    assert!(number("keyframes") < 1.0, "such a short recording needs none");
}

#[test]
fn grow_prints_a_line_per_row_in_every_format() {
    let folder = Folder::new(&design());
    let toml = folder.path("design.toml");
    let plain = run(&["grow", &toml, "--format", "plain"]);
    assert_eq!((plain.status, plain.err.as_str()), (0, ""));
    assert_eq!(plain.out.lines().count(), 30);
    assert!(plain.out.lines().all(|line| line.len() == 50));
    assert!(plain.out.chars().all(|c| ".XYCo\n".contains(c)), "{}", plain.out);
    let digits = run(&["grow", &toml]);
    assert!(digits.out.contains('0') && digits.out.contains('1'), "{}", digits.out);
    let as_plain = |text: &str| text.replace(|c: char| c.is_ascii_digit(), "X");
    assert_eq!(as_plain(&digits.out), plain.out);
    let without = run(&["grow", &toml, "--no-generations"]);
    assert_eq!(without.out, plain.out);
    let ansi = run(&["grow", &toml, "--format", "ansi"]);
    assert!(
        ansi.out
            .lines()
            .all(|line| line.starts_with("\x1b[38;5;102m█") && line.ends_with("\x1b[0m"))
    );
    // The files of DungeonMaker cannot store a seed. Given the same seed, they grow the same dungeon.
    let (rooms, stats) = (folder.path("rooms"), folder.path("stats"));
    let legacy = run(&[
        "grow", "--rooms", &rooms, "--stats", &stats, "--seed", "0x63", "--format", "plain",
    ]);
    assert_eq!(legacy.out, plain.out);
    assert_ne!(
        run(&["grow", &toml, "--seed", "100", "--format", "plain"]).out,
        plain.out
    );
}

#[test]
fn without_columns_no_column_is_born() {
    let mut design = design();
    for generation in &mut design.character.generations {
        generation.jumper_prob = 100;
    }
    let folder = Folder::new(&design);
    let toml = folder.path("design.toml");
    assert!(run(&["grow", &toml, "--format", "plain"]).out.contains('C'));
    assert!(
        !run(&["grow", &toml, "--format", "plain", "--no-columns"])
            .out
            .contains('C')
    );
}

#[test]
fn grow_writes_a_file_or_reports_why_not() {
    let folder = Folder::new(&design());
    let (toml, target) = (folder.path("design.toml"), folder.path("dungeon.txt"));
    let printed = run(&["grow", &toml]).out;
    for _ in 0..2 {
        let written = run(&["grow", &toml, "--output", &target]);
        assert_eq!(
            (written.status, written.out.as_str(), written.err.as_str()),
            (0, "", "")
        );
        assert_eq!(folder.text("dungeon.txt"), printed);
    }
    for place in ["no/such/folder/x", "design.toml/x", "."] {
        let failed = run(&["grow", &toml, "--output", &folder.path(place)]);
        assert_eq!((failed.status, failed.out.as_str()), (2, ""), "{place}");
        assert!(failed.err.starts_with("error: "), "{}", failed.err);
    }
    assert_eq!(folder.text("design.toml"), native::write(&design()));
    assert_eq!(run(&["grow", &toml, "--output", "-"]).out, printed);
    if Path::new("/dev/null").exists() {
        assert_eq!(run(&["grow", &toml, "--output", "/dev/null"]).status, 0);
    }
}

#[test]
fn designs_that_cannot_be_grown_have_an_exit_status_and_a_reason() {
    let mut small = design();
    small.layout.size.x = 19;
    let folder = Folder::new(&small);
    let unusable = run(&["grow", &folder.path("design.toml")]);
    assert_eq!((unusable.status, unusable.out.as_str()), (1, ""));
    assert!(
        unusable.err.contains("design.toml:") && unusable.err.contains("19"),
        "{}",
        unusable.err
    );
    let absent = run(&["grow", &folder.path("absent.toml")]);
    assert_eq!((absent.status, absent.out.as_str()), (2, ""));
    assert!(absent.err.contains("absent.toml"), "{}", absent.err);
    let designer = run(&[&folder.path("absent.toml")]);
    assert_eq!((designer.status, designer.out.as_str()), (2, ""));
    folder.put("broken.toml", "seed = [");
    assert_eq!(run(&[&folder.path("broken.toml")]).status, 1);
}

#[test]
fn check_distinguishes_usable_unusable_and_unreadable_designs() {
    let folder = Folder::new(&design());
    let [toml, rooms, stats] = ["design.toml", "rooms", "stats"].map(|name| folder.path(name));
    let good = run(&["check", &toml, &rooms, &stats]);
    assert_eq!((good.status, good.err.as_str()), (0, ""));
    assert_eq!(
        good.out,
        format!(
            "{toml}: usable, 30 × 50, 0 rooms, 2 Crawlers\n{rooms}, {stats}: usable, 30 × 50, 0 rooms, 2 Crawlers\n"
        )
    );
    folder.put("small", &folder.text("rooms").replace("dimX = 30", "dimX = 3"));
    let bad = run(&["check", &folder.path("small")]);
    assert_eq!((bad.status, bad.err.as_str()), (1, ""));
    assert!(bad.out.contains("small:1:29\n"), "{}", bad.out);
    let unreadable = run(&["check", &folder.path("absent"), &folder.path("small"), &toml]);
    assert_eq!(unreadable.status, 2);
    assert!(unreadable.err.contains("absent"), "{}", unreadable.err);
    assert!(unreadable.out.contains("not usable") && unreadable.out.contains(": usable"));
    assert_eq!(run(&["check", &folder.path("")]).status, 2);
    assert_eq!(run(&["check"]).status, 2);
}

#[test]
fn a_round_trip_keeps_everything_that_both_formats_hold() {
    let folder = Folder::new(&design());
    let [toml, rooms, stats, constants, back] =
        ["design.toml", "r", "s", "c", "back.toml"].map(|name| folder.path(name));
    let there = run(&[
        "convert",
        &toml,
        "--rooms",
        &rooms,
        "--stats",
        &stats,
        "--constants",
        &constants,
    ]);
    assert_eq!((there.status, there.out.as_str()), (0, ""), "{}", there.err);
    assert!(
        there.err.contains("name") && there.err.contains("--seed 99"),
        "{}",
        there.err
    );
    assert_eq!(folder.text("r"), folder.text("rooms"));
    let again = run(&[
        "convert",
        "--rooms",
        &rooms,
        "--stats",
        &stats,
        "--constants",
        &constants,
        &back,
    ]);
    assert_eq!((again.status, again.err.as_str()), (0, ""));
    assert_eq!(run(&["check", &back]).status, 0);
    let text = folder
        .text("back.toml")
        .replace("seed = 1\n", "seed = 99\n")
        .replace("name = \"\"", "name = \"Test\"");
    assert_eq!(text, folder.text("design.toml"));
    // Nothing is replaced without `--force`, and nothing is written if one of the files would be.
    let refused = run(&["convert", &toml, "--rooms", &folder.path("new"), "--stats", &stats]);
    assert_eq!(refused.status, 2);
    assert!(
        refused.err.contains("--force") && !folder.0.path().join("new").exists(),
        "{}",
        refused.err
    );
    let forced = run(&[
        "convert", "--force", "--rooms", &rooms, "--stats", &stats, "--seed", "5", &back,
    ]);
    assert_eq!(forced.status, 0, "{}", forced.err);
    assert!(folder.text("back.toml").contains("\nseed = 5\n"));
    let backwards = run(&[
        "convert",
        "--rooms",
        &folder.path("n1"),
        "--stats",
        &folder.path("n2"),
        &toml,
    ]);
    assert_eq!(backwards.status, 2);
    assert!(
        backwards.err.contains("the files to read come first"),
        "{}",
        backwards.err
    );
}

#[test]
fn a_recording_is_converted_to_its_design() {
    let folder = Folder::new(&design());
    let [toml, film, back, other] =
        ["design.toml", "film.wcr", "back.toml", "other.toml"].map(|name| folder.path(name));
    let exported = run(&["export", &toml, "--seed", "7", "--to", &film]);
    assert_eq!(exported.status, 0, "{}", exported.err);
    let converted = run(&["convert", &film, "--to", &back]);
    assert_eq!((converted.status, converted.err.as_str()), (0, ""));
    let expected = folder.text("design.toml").replace("seed = 99\n", "seed = 7\n");
    assert_eq!(folder.text("back.toml"), expected);
    let reseeded = run(&["convert", &film, "--to", &other, "--seed", "5"]);
    assert_eq!((reseeded.status, reseeded.err.as_str()), (0, ""));
    assert!(folder.text("other.toml").contains("\nseed = 5\n"));
    let refused = run(&["convert", &film, "--to", &back]);
    assert_eq!(refused.status, 2);
    assert!(refused.err.contains("--force"), "{}", refused.err);
    let both = run(&["convert", &film, "--to", &back, "--rooms", "r", "--stats", "s"]);
    assert!(
        both.status == 2 && both.err.contains("cannot be used with"),
        "{}",
        both.err
    );
    // A truncated recording is reported.
    let whole = std::fs::read(&film).expect("the recording");
    std::fs::write(&film, &whole[..whole.len() / 2]).expect("a write");
    let broken = run(&["convert", &film, "--to", &folder.path("none.toml")]);
    assert_eq!(broken.status, 2);
    assert!(broken.err.contains("ends early"), "{}", broken.err);
    assert!(!folder.0.path().join("none.toml").exists());
    // With `--output`, the order of the files on the command line does not matter.
    let broken = run(&["convert", &film, "--to", &back]);
    assert_eq!(broken.status, 2);
    assert!(!broken.err.contains("come first"), "{}", broken.err);
}

#[test]
fn no_design_is_written_under_the_extension_of_an_export() {
    let folder = Folder::new(&design());
    let [toml, rooms, stats] = ["design.toml", "rooms", "stats"].map(|name| folder.path(name));
    folder.put("maze.txt", "#####\n#...#\n#####\n");
    let maze = folder.path("maze.txt");
    for name in ["a.wcr", "a.png", "a.SVG", "a.tmx", "a.json"] {
        let to = folder.path(name);
        for args in [
            &["convert", "--rooms", &rooms, "--stats", &stats, &to][..],
            &["convert", &toml, "--to", &to],
            &["convert", &toml, "--rooms", &to, "--stats", &folder.path("s")],
            &["import", &maze, "--to", &to],
            &["tune", &toml, "--expect", "path > 1", "--output", &to],
            &["grow", &toml, "--output", &to],
        ] {
            let refused = run(args);
            assert_eq!(refused.status, 2, "{args:?}");
            assert!(refused.err.contains("wallcrawler export"), "{args:?}: {}", refused.err);
            assert!(!folder.0.path().join(name).exists() && !folder.0.path().join("s").exists());
        }
    }
    // The files of DungeonMaker are text, and so is the output of `grow`.
    let text = run(&[
        "convert",
        &toml,
        "--rooms",
        &folder.path("R.TXT"),
        "--stats",
        &folder.path("S.TXT"),
    ]);
    assert_eq!(text.status, 0, "{}", text.err);
    assert_eq!(run(&["grow", &toml, "--output", &folder.path("g.txt")]).status, 0);
}

#[test]
fn a_design_that_legacy_files_cannot_hold_is_refused_before_writing() {
    let mut design = design();
    design.layout.walls.push(Point::new(0, 0));
    let folder = Folder::empty();
    folder.put("design.toml", &native::write(&design));
    let (toml, rooms, stats) = (folder.path("design.toml"), folder.path("rooms"), folder.path("stats"));
    let refused = run(&["convert", &toml, "--rooms", &rooms, "--stats", &stats]);
    assert_eq!(refused.status, 1);
    assert!(refused.err.contains("wall tile 1 cannot be written"), "{}", refused.err);
    assert_eq!(std::fs::read_dir(folder.0.path()).expect("a folder").count(), 1);
    // Constants cannot be stored without a third file.
    design.layout.walls.clear();
    design.constants.join_dist = 3;
    folder.put("design.toml", &native::write(&design));
    let lossy = run(&["convert", &toml, "--rooms", &rooms, "--stats", &stats]);
    assert_eq!(lossy.status, 0);
    assert!(lossy.err.contains("constants"), "{}", lossy.err);
    assert!(
        lossy.err.contains("cannot store the seed\n") && lossy.err.contains("pass `--seed 99` to grow"),
        "{}",
        lossy.err
    );
}

#[test]
fn presets_are_listed_printed_and_written() {
    let list = run(&["presets"]);
    assert_eq!(list.status, 0);
    assert_eq!(list.out.lines().count(), Preset::all().len());
    let first = Preset::all()[0];
    assert!(list.out.lines().next().is_some_and(|line| line.starts_with(first.name)));
    assert_eq!(run(&["presets", first.name]).out, first.text);
    let folder = Folder::empty();
    let target = folder.path("new/folder");
    assert_eq!(run(&["presets", "--write", &target]).status, 0);
    for preset in Preset::all() {
        assert_eq!(folder.text(&format!("new/folder/{}.toml", preset.name)), preset.text);
    }
    let again = run(&["presets", "--write", &target]);
    assert_eq!(again.status, 2);
    assert!(again.err.contains("--force"), "{}", again.err);
    assert_eq!(run(&["presets", "--write", &target, "--force", first.name]).status, 0);
    folder.put("file", "");
    assert_eq!(run(&["presets", "--write", &folder.path("file")]).status, 2);
    let grown = run(&["grow", "--preset", &first.name.to_uppercase()]);
    assert_eq!((grown.status, grown.err.as_str()), (0, ""));
    assert_eq!(run(&["grow"]).out, grown.out);
}

#[test]
fn wrong_command_lines_are_reported_on_standard_error() {
    let folder = Folder::new(&design());
    let (toml, rooms) = (folder.path("design.toml"), folder.path("rooms"));
    let absent = folder.path("rooms9");
    for (args, description) in [
        (&["grow", "--preset", "no-such"][..], "no-such"),
        (&["grow", &toml, "--preset", "first-steps"], "cannot be used with"),
        (
            &["grow", &toml, "--rooms", &rooms, "--stats", &rooms],
            "cannot be used with",
        ),
        (&["grow", "--rooms", &absent], "rooms9"),
        (&["grow", "--constants", &rooms], "--rooms"),
        (&["grow", "--seed", "many"], "0 to 18446744073709551615"),
        (&["grow", "--seed", "-1"], "unexpected argument"),
        (&["grow", "--format", "jpeg"], "plain"),
        (&["presets", "--force"], "--write"),
        (&["convert", &toml], "--rooms"),
        (&["completions", "tcsh"], "bash"),
    ] {
        let ran = run(args);
        assert_eq!((ran.status, ran.out.as_str()), (2, ""), "{args:?}");
        assert!(ran.err.contains(description), "{args:?}: {}", ran.err);
    }
}

#[test]
fn errors_about_missing_and_unwritable_files_say_what_to_do() {
    let folder = Folder::empty();
    let gif = folder.path("walls.gif");
    let absent = folder.path("none.toml");
    let preset = ["--preset", "first-steps"];
    for (args, why) in [
        (
            vec!["frequency", "--to", &gif, preset[0], preset[1]],
            "walls.gif: the picture must be a PNG or an SVG; choose a file such as ",
        ),
        (
            vec!["vault", "show", "moon_well", "--output", &gif],
            "walls.gif: the picture must be a PNG or an SVG; choose a file such as ",
        ),
        (vec!["sweep", &absent], "cannot read "),
        (
            vec!["why", "--metric", "pathh", preset[0], preset[1]],
            "did you mean `path`?",
        ),
        (
            vec!["why", "--metric", "beauty", preset[0], preset[1]],
            "unknown metric or anomaly `beauty`; `wallcrawler survey --help` lists",
        ),
        (
            vec!["vault", "show", "zzz"],
            "unknown map `zzz`; `wallcrawler vault list` lists the maps",
        ),
        (
            vec!["new", &absent, "--size", "5"],
            "use two whole numbers, rows first: 40x60 or 40,60",
        ),
    ] {
        let ran = run(&args);
        assert!(
            ran.status == 2 && ran.err.contains(why),
            "{args:?}: {} {}",
            ran.status,
            ran.err
        );
    }
    assert!(!Path::new(&gif).exists() && !Path::new(&absent).exists());
}

#[test]
fn a_rooms_file_finds_the_stats_beside_it() {
    let folder = Folder::new(&design());
    let rooms = folder.path("rooms");
    let alone = run(&["grow", "--rooms", &rooms, "--seed", "7"]);
    let both = run(&[
        "grow",
        "--rooms",
        &rooms,
        "--stats",
        &folder.path("stats"),
        "--seed",
        "7",
    ]);
    assert_eq!((alone.status, both.status), (0, 0), "{}{}", alone.err, both.err);
    assert_eq!(alone.out, both.out);
    assert!(alone.err.contains("stats"), "it names the file: {}", alone.err);
}

/// The command that users of the original type first.
#[test]
fn every_command_finds_the_pair_of_a_rooms_or_stats_file() {
    let folder = Folder::new(&design());
    folder.put("rooms4", &folder.text("rooms"));
    let mut character = design().character;
    character.generations[0].step_length = 7;
    folder.put("stats4", &stats::write(&character));
    let [rooms, stats] = ["rooms4", "stats4"].map(|name| folder.path(name));
    let both = run(&["grow", "--rooms", &rooms, "--stats", &stats, "--seed", "7"]);
    for named in [&rooms, &stats] {
        let found = run(&["grow", named, "--seed", "7"]);
        assert_eq!((found.status, &found.out), (0, &both.out), "{named}: {}", found.err);
        let other = if named == &rooms { "stats4" } else { "rooms4" };
        assert!(found.err.contains(other), "it names the other file: {}", found.err);
    }
    let [picture, toml] = ["map.svg", "back.toml"].map(|name| folder.path(name));
    for args in [
        &["survey", &rooms, "--seeds", "0..2"][..],
        &["find", &rooms, "--where", "path > 0", "--seeds", "0..2"],
        &["export", &rooms, "--to", &picture],
        &["play", &rooms],
        &["convert", &rooms, "--to", &toml],
    ] {
        let ran = run(args);
        assert_eq!(ran.status, 0, "{args:?}: {}", ran.err);
    }
    assert!(folder.text("back.toml").contains("step_length = 7"));
    let checked = run(&["check", &rooms]);
    assert_eq!(
        checked.out,
        format!("{rooms}, {stats}: usable, 30 × 50, 0 rooms, 2 Crawlers\n")
    );
    // A rooms file alone has the built-in defaults.
    folder.put("rooms8", &folder.text("rooms"));
    let alone = run(&["grow", &folder.path("rooms8"), "--seed", "7"]);
    assert_eq!(alone.status, 0, "{}", alone.err);
    assert!(
        alone.err.contains("no stats8 found beside the rooms file") && alone.err.contains("built-in defaults"),
        "{}",
        alone.err
    );
    folder.put("stats7", &folder.text("stats4"));
    let absent = run(&["grow", &folder.path("stats7")]);
    assert_eq!((absent.status, absent.out.as_str()), (2, ""));
    assert!(absent.err.contains("rooms7"), "{}", absent.err);
}

#[test]
fn only_existing_files_are_reported_as_read() {
    let folder = Folder::empty();
    let absent = run(&["grow", "--rooms", &folder.path("rooms3")]);
    assert_eq!(absent.status, 2);
    assert!(
        absent.err.contains("rooms3") && !absent.err.contains("stats3"),
        "{}",
        absent.err
    );
}

#[test]
fn files_that_the_original_cannot_open_are_noted() {
    let folder = Folder::new(&design());
    let toml = folder.path("design.toml");
    let convert = |rooms: &str, stats: &str| {
        let ran = run(&[
            "convert",
            &toml,
            "--rooms",
            &folder.path(rooms),
            "--stats",
            &folder.path(stats),
        ]);
        assert_eq!(ran.status, 0, "{}", ran.err);
        ran.err.contains("DungeonMaker cannot open")
    };
    assert!(!convert("roomsX", "statsX"));
    assert!(convert("castle.rooms", "castle.stats"));
}

#[test]
fn check_warns_as_the_manual_does() {
    let mut design = design();
    design.layout.crawlers[0].termination = 2;
    design.character.generations[0].max_age = 1;
    design.layout.crawlers[1].delay = 2;
    design.character.generations[1].open_start_prob = 60;
    let folder = Folder::new(&design);
    let checked = run(&["check", &folder.path("design.toml")]);
    assert_eq!(checked.status, 0, "{}", checked.err);
    for description in [
        "MaxAge of generation 0 is 1: first Crawlers without a delay (1 of the 2 first Crawlers) die without building",
        "has termination 2 and starts on the outer wall",
        "OpenStartProb of generation 1 is 60",
    ] {
        let mut lines = checked.out.lines().skip_while(|line| !line.contains(description));
        let [line, place] = [lines.next(), lines.next()].map(Option::unwrap_or_default);
        let is_reported = line.starts_with("warning: ") && place.contains("design.toml:");
        assert!(is_reported, "{description}: {}", checked.out);
    }
}

#[test]
fn the_designer_needs_a_terminal() {
    let ran = run(&[]);
    assert_eq!((ran.status, ran.out.as_str()), (2, ""));
    assert!(ran.err.contains("terminal"), "{}", ran.err);
}

#[test]
fn a_new_design_in_a_missing_folder_is_refused_by_naming_the_folder() {
    let folder = Folder::empty();
    let ran = run(&[&folder.path("nodir/new.toml")]);
    assert_eq!((ran.status, ran.out.as_str()), (2, ""));
    let wanted = format!("the folder {} does not exist; create it first", folder.path("nodir"));
    assert!(ran.err.contains(&wanted), "{}", ran.err);
}

#[test]
fn help_version_and_completions_are_printed() {
    assert_eq!(
        run(&["--version"]).out,
        format!("wallcrawler {}\n", env!("CARGO_PKG_VERSION"))
    );
    let help = run(&["check", "--help"]);
    assert_eq!(help.status, 0);
    for stat in Stat::ALL {
        assert!(help.out.contains(stat.info().name), "{stat:?}");
    }
    for command in ["grow", "check", "convert", "presets", "completions"] {
        assert!(run(&["--help"]).out.contains(command));
        assert_eq!(run(&[command, "--help"]).status, 0);
    }
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = run(&["completions", shell]);
        assert_eq!((script.status, script.err.as_str()), (0, ""));
        assert!(script.out.contains("no-columns"), "{shell}");
    }
}

#[test]
fn a_closed_pipe_is_not_an_error() {
    let mut wide = design();
    wide.layout.size = Size::new(400, 2000);
    wide.character.generations.iter_mut().for_each(|g| g.max_age = 2);
    let folder = Folder::new(&wide);
    let toml = folder.path("design.toml");
    let mut many = "[layout]\n".to_owned();
    for i in 0..5000 {
        many += &format!("unknown{i} = 1\n");
    }
    folder.put("many.toml", &many);
    let many = folder.path("many.toml");
    for args in [
        &["grow", &toml][..],
        &["check", &many],
        &["presets", Preset::all()[0].name],
        &["completions", "bash"],
        &["check", "--help"],
    ] {
        let mut child = program()
            .args(args)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program runs");
        let mut byte = [0];
        let mut out = child.stdout.take().expect("a pipe");
        out.read_exact(&mut byte).expect("a byte");
        drop(out);
        let ended = child.wait_with_output().expect("it ends");
        assert_eq!(ended.status.code(), Some(0), "{args:?}");
        assert_eq!(String::from_utf8_lossy(&ended.stderr), "", "{args:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_reported() {
    for args in [
        &["grow", "--preset", "first-steps"][..],
        &["--version"],
        &["survey", "--help"],
        // Help is printed in another way if an argument contains a control character.
        &["survey", "a\u{1b}b", "--help"],
    ] {
        let full = std::fs::OpenOptions::new()
            .write(true)
            .open("/dev/full")
            .expect("a full disk");
        let ran = program().args(args).stdout(full).output().expect("the program runs");
        assert_eq!(ran.status.code(), Some(2), "{args:?}");
        let err = String::from_utf8_lossy(&ran.stderr);
        assert!(
            err.starts_with("error: cannot write to standard output: "),
            "{args:?}: {err}"
        );
    }
}

/// Some systems have file names that are not UTF-8.
#[cfg(target_os = "linux")]
#[test]
fn any_file_name_works() {
    use std::os::unix::ffi::OsStringExt as _;
    let folder = tempfile::tempdir().expect("a folder");
    let path: PathBuf = folder.path().join(std::ffi::OsString::from_vec(b"d\xff.toml".to_vec()));
    std::fs::write(&path, native::write(&design())).expect("written");
    let ran = program().arg("check").arg(&path).output().expect("the program runs");
    assert_eq!(ran.status.code(), Some(0), "{}", String::from_utf8_lossy(&ran.stdout));
}

/// Writes a recording of a preset into a folder of its own.
fn film(folder: &Path, arguments: &[&str]) -> String {
    let path = folder.join("film.wcr");
    let path = path.to_str().expect("a path of letters").to_owned();
    let ran = run(&[&["export", "--preset", "first-steps", "--to", &path], arguments].concat());
    assert_eq!(ran.status, 0, "{}", ran.err);
    path
}

#[test]
fn attempts_of_an_export_of_a_recording_try_further_seeds() {
    let mut design = design();
    design.expect.that = vec!["path >= 100000".into()];
    let folder = Folder::new(&design);
    let film = folder.path("film.wcr");
    let ran = run(&["export", &folder.path("design.toml"), "--output", &film]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    for (name, attempts, seed) in [("a.json", "1", 99), ("b.json", "3", 101)] {
        let path = folder.path(name);
        let options = ["--attempts", attempts, "--until", "expected"];
        let ran = run(&[&["export", &film, "--output", &path], &options[..]].concat());
        assert_eq!(ran.status, 0, "{}", ran.err);
        let warning = format!("`path >= 100000` does not hold (seed {seed})");
        assert!(ran.err.contains(&warning), "{}", ran.err);
        let exported: serde_json::Value = serde_json::from_str(&folder.text(name)).expect("JSON");
        assert_eq!(exported["seed"], seed.to_string());
    }
}

#[test]
fn an_export_of_a_turn_says_if_no_attempt_meets_the_conditions() {
    let mut design = design();
    design.expect.that = vec!["path >= 100000".into()];
    let folder = Folder::new(&design);
    let toml = folder.path("design.toml");
    let code = run(&["convert", &toml, "--code", "--turn", "3"]).out;
    for (design, options, seed) in [
        (toml.as_str(), &["--turn", "3"][..], None),
        (&toml, &["--turn", "3", "--attempts", "3"], Some(101)),
        (code.trim(), &[], None),
        // A recording contains the whole growth, whichever turn the code names.
        (code.trim(), &["--format", "recording"], Some(99)),
    ] {
        let path = folder.path("exported");
        let args = ["export", design, "--force", "--until", "expected", "--output", &path];
        let format = if options.contains(&"--format") {
            &[][..]
        } else {
            &["--format", "json"]
        };
        let ran = run(&[&args[..], options, format].concat());
        assert_eq!(ran.status, 0, "{}", ran.err);
        let warning = seed.map(|seed| format!("`path >= 100000` does not hold (seed {seed})"));
        match warning {
            Some(warning) => assert!(ran.err.contains(&warning), "{options:?}: {}", ran.err),
            None => assert!(!ran.err.contains("does not hold"), "{options:?}: {}", ran.err),
        }
    }
}

#[test]
fn without_a_terminal_play_prints_a_frame() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = film(folder.path(), &["--seed", "9"]);
    let grown = run(&["grow", "--preset", "first-steps", "--seed", "9"]).out;
    for args in [
        &["play", path.as_str()][..],
        &["play", "--preset", "first-steps", "--seed", "9", "--seconds", "2.5"],
        &["grow", path.as_str()],
    ] {
        let ran = run(args);
        assert_eq!(
            (ran.status, ran.out.as_str(), ran.err.as_str()),
            (0, grown.as_str(), ""),
            "{args:?}"
        );
    }
    // Nothing plays, so a speed would be ignored.
    for option in ["--seconds", "--speed"] {
        assert_eq!(run(&["play", &path, "--frame", "0", option, "5"]).status, 2, "{option}");
    }
    // Before the first turn no wall belongs to a generation.
    let first = run(&["play", &path, "--frame", "0"]);
    assert!(first.status == 0 && !first.out.contains('1'), "{}", first.out);
    let middle = run(&["play", &path, "--frame", "40"]).out;
    assert!(middle != first.out && middle != grown);
    let past = run(&["play", &path, "--frame", "1000"]);
    assert_eq!(past.out, grown);
    assert!(past.err.contains("turn 1,000 is past the end"), "{}", past.err);
}

#[test]
fn check_reports_whether_a_recording_is_intact_and_grows_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = film(folder.path(), &["--seed", "9"]);
    let ran = run(&["check", &path]);
    assert_eq!((ran.status, ran.err.as_str()), (0, ""), "{}", ran.out);
    assert!(ran.out.contains("seed 9, "), "{}", ran.out);
    assert!(
        ran.out
            .contains("turns up to the end of growth, written by Wallcrawler "),
        "{}",
        ran.out
    );
    assert!(
        ran.out.contains("; this version grows the same dungeon\n"),
        "{}",
        ran.out
    );
    let bytes = std::fs::read(&path).expect("read");
    std::fs::write(&path, &bytes[..bytes.len() / 2]).expect("written");
    let ran = run(&["check", &path]);
    assert_eq!((ran.status, ran.out.as_str()), (2, ""));
    assert!(ran.err.contains("copy or download it again"), "{}", ran.err);
    let ran = run(&["check", &path, "--seeds", "3"]);
    assert!(ran.status == 2 && ran.err.contains("have one seed"), "{}", ran.err);
}

#[test]
fn a_recording_without_jumpers_is_converted_with_a_warning_only_where_that_matters() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).to_str().expect("a path of letters").to_owned();
    for (preset, matters) in [("first-steps", false), ("hypostyle", true)] {
        let (recording, toml) = (path(&format!("{preset}.wcr")), path(&format!("{preset}.toml")));
        let ran = run(&["export", "--preset", preset, "--no-columns", "--to", &recording]);
        assert_eq!(ran.status, 0, "{}", ran.err);
        let ran = run(&["convert", &recording, "--to", &toml]);
        assert_eq!(
            (ran.status, ran.err.contains("grow --no-columns")),
            (0, matters),
            "{}",
            ran.err
        );
        let grown = run(&["grow", &toml, "--no-columns"]);
        assert_eq!(grown.out, run(&["play", &recording]).out);
        let [rooms, stats, constants] = ["rooms", "stats", "constants"].map(|name| path(&format!("{name}-{preset}")));
        let files = ["--rooms", &rooms, "--stats", &stats, "--constants", &constants];
        for to in [&["--code"][..], &["--output", "-"], &files] {
            let ran = run(&[&["convert", &recording], to].concat());
            assert_eq!(
                (ran.status, ran.err.contains("pass --no-columns")),
                (0, matters),
                "{to:?}: {}",
                ran.err
            );
        }
    }
}

#[test]
fn dungeons_and_maps_in_json_are_played_and_not_taken_for_casts() {
    let folder = Folder::empty();
    for name in ["d.json", "d.tmj"] {
        let path = folder.path(name);
        let exported = run(&["export", "--preset", "first-steps", "--output", &path]);
        assert_eq!(exported.status, 0, "{}", exported.err);
        let played = run(&["play", &path]);
        assert_eq!(played.status, 0, "{name}: {}", played.err);
        assert!(played.out.starts_with("XXX"), "{name}: {}", played.out);
    }
}

#[test]
fn a_file_that_cannot_be_played_is_reported_with_advice() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = film(folder.path(), &[]);
    let put = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).expect("written");
        path.to_str().expect("a path of letters").to_owned()
    };
    let bytes = std::fs::read(&path).expect("read");
    let mut damaged = bytes.clone();
    damaged[bytes.len() / 2] ^= 4;
    for (name, bytes, status, said) in [
        (
            "film.cast",
            &b"{\"version\": 2, \"width\": 80, \"height\": 24}\n"[..],
            2,
            "asciinema play ",
        ),
        (
            "film3.cast",
            b"{\"version\":3,\"term\":{\"cols\":80,\"rows\":24}}\n[0.1,\"o\",\"\"]\n",
            2,
            "asciinema play ",
        ),
        ("cut.wcr", &bytes[..bytes.len() / 2], 2, "copy or download it again"),
        ("damaged.wcr", &damaged, 2, "the checksum is wrong"),
        ("text.wcr", b"seed = 7", 2, "this is not a Wallcrawler recording"),
        ("renamed", &bytes[..100], 2, "ends early, after 100 bytes"),
    ] {
        let path = put(name, bytes);
        let ran = run(&["play", &path]);
        assert_eq!(ran.status, status, "{name}: {}", ran.err);
        assert!(ran.err.contains(said) && ran.out.is_empty(), "{name}: {}", ran.err);
        assert!(ran.err.contains(name), "{name}: {}", ran.err);
    }
    assert_eq!(run(&["play", "no/such/film.wcr"]).status, 2);
    assert_eq!(run(&["play", &path, "--seconds", "0"]).status, 2);
    assert_eq!(run(&["play", &path, "--seconds", "1", "--speed", "1"]).status, 2);
    // The designer refuses it before it takes over the terminal.
    let ran = run(&[&put("cut.wcr", &bytes[..99])]);
    assert!(ran.status == 2 && ran.err.contains("ends early"), "{}", ran.err);
}

/// Returns an oblong text maze with corridors wide enough for Crawlers.
fn maze() -> String {
    let mut rows = vec!["#".repeat(44)];
    rows.extend(vec![format!("#{}#", ".".repeat(42)); 24]);
    rows.push("#".repeat(44));
    rows[3].replace_range(10..15, "#####");
    rows.join("\n") + "\n"
}

fn imported(folder: &Folder, name: &str) -> Design {
    let text = wallcrawler::format::Text::new(name, folder.text(name));
    let parsed = native::parse(&text);
    assert_eq!(parsed.diagnostics, []);
    parsed.value
}

#[test]
fn a_drawing_becomes_a_design() {
    let folder = Folder::empty();
    folder.put("maze.txt", &maze());
    let (from, to) = (folder.path("maze.txt"), folder.path("castle.toml"));
    let ran = run(&["import", &from, "--to", &to]);
    assert_eq!((ran.status, ran.out.as_str()), (0, ""), "{}", ran.err);
    assert!(ran.err.contains("walls are `#`, open squares `.`"), "{}", ran.err);
    assert!(
        ran.err.contains("placed 5 wall tiles in a dungeon of 26 × 44"),
        "{}",
        ran.err
    );
    assert!(ran.err.contains("added a first Crawler at row "), "{}", ran.err);
    let made = imported(&folder, "castle.toml");
    assert_eq!((made.name.as_str(), made.layout.size), ("maze", Size::new(26, 44)));
    assert_eq!(made.layout.walls[0], Point::new(3, 10));
    assert_eq!(run(&["check", &to]).status, 0);
    // It is not overwritten without `--force`.
    let ran = run(&["import", &from, "--to", &to]);
    assert_eq!(ran.status, 2);
    assert!(ran.err.contains("pass --force to replace it"), "{}", ran.err);
    let ran = run(&[
        "import",
        &from,
        "--to",
        &to,
        "--force",
        "--crawler",
        "none",
        "--keep-open",
        "--seed",
        "7",
    ]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    let made = imported(&folder, "castle.toml");
    assert_eq!((made.seed, made.layout.crawlers.len()), (7, 0));
    assert_eq!(made.layout.open.len(), 24 * 42 - 5);
}

#[test]
fn a_drawing_is_imported_into_a_design_and_its_comments_stay() {
    let folder = Folder::new(&design());
    let text = format!("# mine\n{}", folder.text("design.toml"));
    folder.put("design.toml", &text);
    folder.put("corner.txt", "##.\n#.o\n");
    let (from, into) = (folder.path("corner.txt"), folder.path("design.toml"));
    let ran = run(&["import", &from, "--into", &into, "--at", "5,7"]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    assert!(folder.text("design.toml").starts_with("# mine\n"));
    let (made, before) = (imported(&folder, "design.toml"), design());
    let walls = [(5, 7), (5, 8), (6, 7)].map(|(x, y)| Point::new(x, y));
    assert_eq!(made.layout.walls, walls);
    assert_eq!(
        (made.layout.crawlers, made.character),
        (before.layout.crawlers, before.character)
    );
    let ran = run(&["import", &from, "--into", &into, "--at", "29,7", "--to", "-"]);
    assert_eq!(ran.status, 1, "{}", ran.err);
    assert!(
        ran.err
            .contains("squares at row 29, column 7 does not fit into a dungeon of 30 × 50"),
        "{}",
        ran.err
    );
}

#[test]
fn a_design_written_to_another_folder_keeps_its_level_files() {
    let folder = Folder::empty();
    for name in ["lv", "sub"] {
        std::fs::create_dir(folder.path(name)).expect("a folder");
    }
    folder.put("lv/my.des", "NAME: mine\nMAP\nxxxxx\nx...+\nxxxxx\nENDMAP\n");
    folder.put(
        "lv/a.toml",
        "format = 1\n[[vault]]\nfile = \"my.des\"\nmap = \"mine\"\n",
    );
    folder.put("corner.txt", "##.\n#..\n");
    let [from, into, to] = ["corner.txt", "lv/a.toml", "sub/b.toml"].map(|name| folder.path(name));
    let ran = run(&["import", &from, "--into", &into, "--at", "2,2", "--to", &to]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    assert!(!ran.err.contains("left out"), "{}", ran.err);
    let written = native::parse(&wallcrawler::format::Text::new("b.toml", folder.text("sub/b.toml"))).value;
    assert_eq!(written.layout.vaults[0].file, "../lv/my.des");
}

#[test]
fn drawings_come_from_standard_input_and_go_to_rooms_files() {
    use std::io::Write as _;
    let folder = Folder::empty();
    let rooms = folder.path("rooms");
    let mut command = program();
    command.args(["import", "-", "--to", "-", "--rooms", &rooms, "--walls", "#"]);
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it runs");
    child
        .stdin
        .take()
        .expect("piped")
        .write_all(maze().as_bytes())
        .expect("read");
    let output = child.wait_with_output().expect("it ends");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).expect("text");
    let parsed = native::parse(&wallcrawler::format::Text::new("out", text));
    assert_eq!(parsed.value.layout.walls.len(), 5);
    let written = rooms::parse(&wallcrawler::format::Text::new("rooms", folder.text("rooms")));
    assert_eq!(written.value.walls, parsed.value.layout.walls);
}

/// The vaults of this preset contain grates, altars and open doors.
#[test]
fn the_text_of_a_dungeon_with_grates_is_imported_like_its_tiles() {
    let folder = Folder::empty();
    let walls = |kind: &str, name: &str| {
        let (from, to) = (folder.path(name), folder.path("made.toml"));
        let export = [
            "export",
            "--preset",
            "stronghold",
            "--seed",
            "1",
            "--format",
            kind,
            "--output",
        ];
        assert_eq!(run(&[&export[..], &[&from]].concat()).status, 0, "{kind}");
        let ran = run(&["import", &from, "--output", &to, "--force", "--crawler", "none"]);
        assert_eq!(ran.status, 0, "{kind}: {}", ran.err);
        assert!(!ran.err.contains("not known"), "{kind}: {}", ran.err);
        let mut walls = imported(&folder, "made.toml").layout.walls;
        walls.sort();
        walls
    };
    let tiles = walls("json", "a.json");
    assert!(tiles.len() > 100, "{}", tiles.len());
    for (kind, name) in [("text", "a.txt"), ("digits", "b.txt"), ("ansi", "a.ans")] {
        assert_eq!(walls(kind, name), tiles, "{kind}");
    }
}

#[test]
fn a_square_painted_into_an_exported_picture_changes_only_that_square() {
    let folder = Folder::new(&design());
    let (design, from, to) = (
        folder.path("design.toml"),
        folder.path("a.png"),
        folder.path("made.toml"),
    );
    let ran = run(&["export", &design, "--output", &from, "--scale", "4"]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    let walls = || {
        let ran = run(&["import", &from, "--output", &to, "--force", "--crawler", "none"]);
        assert_eq!(ran.status, 0, "{}", ran.err);
        let layout = imported(&folder, "made.toml").layout;
        (layout.size, layout.walls, ran.err)
    };
    let (size, mut before, _) = walls();
    let open = (size.x / 2..size.x)
        .flat_map(|x| (0..size.y).map(move |y| Point::new(x, y)))
        .find(|at| !size.on_border(*at) && !before.contains(at))
        .expect("an open square");
    let mut reader = png::Decoder::new(std::io::Cursor::new(std::fs::read(&from).expect("a picture")));
    reader.set_transformations(png::Transformations::normalize_to_color8());
    let mut reader = reader.read_info().expect("a picture");
    let mut pixels = vec![0; reader.output_buffer_size().expect("a size")];
    let info = reader.next_frame(&mut pixels).expect("a picture");
    assert_eq!(info.color_type, png::ColorType::Rgb);
    for x in 4 * open.x..4 * open.x + 4 {
        for y in 4 * open.y..4 * open.y + 4 {
            let at = (x as usize * info.width as usize + y as usize) * 3;
            pixels[at..at + 3].copy_from_slice(&[255, 0, 0]);
        }
    }
    let mut painted = Vec::new();
    let mut encoder = png::Encoder::new(&mut painted, info.width, info.height);
    encoder.set_color(png::ColorType::Rgb);
    let mut writer = encoder.write_header().expect("written");
    writer.write_image_data(&pixels).expect("written");
    writer.finish().expect("written");
    std::fs::write(&from, painted).expect("written");
    let (again, after, err) = walls();
    before.push(open);
    before.sort();
    assert_eq!((again, after), (size, before), "{err}");
    let expected = "this picture has 1 colour that Wallcrawler does not use, read by brightness: #ff0000 as wall";
    assert!(err.contains(expected), "{err}");
}

#[test]
fn a_failed_import_has_a_reason() {
    let folder = Folder::empty();
    folder.put("letter.txt", "Dear reader,\nno maze.\n");
    folder.put("map.tmx", "<?xml version=\"1.0\"?>\n<map orientation=\"hexagonal\"/>");
    let to = folder.path("a.toml");
    for (name, status, description) in [
        ("letter.txt", 1, "error: no line of this text looks like a row"),
        ("letter.txt", 1, "letter.txt:1:1\n"),
        (
            "map.tmx",
            1,
            "error: this map is hexagonal; its tiles are not squares\n --> ",
        ),
        ("none.png", 2, "none.png"),
    ] {
        let ran = run(&["import", &folder.path(name), "--to", &to]);
        assert_eq!(ran.status, status, "{name}: {}", ran.err);
        assert!(ran.err.contains(description), "{name}: {}", ran.err);
    }
    folder.put("keep.toml", include_str!("../../presets/keep.toml"));
    let ran = run(&["import", &folder.path("keep.toml"), "--to", &to]);
    assert_eq!(ran.status, 1, "{}", ran.err);
    assert!(
        ran.err.contains("keep.toml is a design, not a drawing\n"),
        "{}",
        ran.err
    );
    let ran = run(&["import", &folder.path("letter.txt")]);
    assert_eq!(ran.status, 2, "the destination is missing");
    folder.put("maze.txt", &maze());
    let ran = run(&["import", &folder.path("maze.txt"), "--into", "-"]);
    assert_eq!(ran.status, 2);
    let description = "error: --into cannot read a design from standard input; save it to a file first\n";
    assert_eq!(ran.err, description);
    assert!(!Path::new(&to).exists());
}

#[test]
fn other_commands_accept_a_drawing_as_a_design() {
    let folder = Folder::empty();
    folder.put("maze.txt", &maze());
    let ran = run(&["grow", &folder.path("maze.txt"), "--format", "plain", "--seed", "3"]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    let rows: Vec<&str> = ran.out.lines().collect();
    assert_eq!((rows.len(), rows[0].len()), (26, 44));
    assert_eq!(&rows[3][10..15], "XXXXX");
    assert!(rows[8..].iter().any(|row| row[1..43].contains('X')), "something grew");
}

#[test]
fn the_library_grows_the_dungeons_with_vaults_that_the_program_prints() {
    use wallcrawler::export::{TextStyle, TextWriter};
    let with_vaults = Preset::all()
        .iter()
        .filter(|preset| !preset.design().layout.vaults.is_empty());
    let mut count = 0;
    for preset in with_vaults {
        count += 1;
        for seed in [1_u64, 7, 12_345] {
            let printed = run(&[
                "grow",
                "--preset",
                preset.name,
                "--format",
                "plain",
                "--seed",
                &seed.to_string(),
            ]);
            let maze = wallcrawler::Maze::grow(&preset.design(), seed).expect("it grows");
            let text = TextWriter {
                style: TextStyle::Plain,
                generations: true,
                design: maze.design(),
            };
            let rows: Vec<String> = (0..maze.size().x).map(|x| text.row(maze.grid(), x)).collect();
            assert_eq!(
                printed.out.lines().collect::<Vec<_>>(),
                rows,
                "{} from seed {seed}",
                preset.name
            );
        }
    }
    assert!(count > 2, "{count} presets have vaults");
}

#[test]
fn grow_and_play_print_nothing_of_a_vault_that_is_left_out() {
    let folder = Folder::empty();
    let own = run(&["presets", "first-steps"]).out;
    let vault = |map: &str, x: i32, y: i32| {
        format!("\n[[vault]]\ndiv = 0\nx = {x}\ny = {y}\nseed = 1\norientation = 1\nmap = \"{map}\"\n")
    };
    let alone = own + &vault("moon_well", 8, 8);
    folder.put("alone.toml", &alone);
    folder.put("both.toml", &(alone + &vault("drowned_causeway", 4, 10)));
    for command in ["grow", "play"] {
        let [alone, both] = ["alone.toml", "both.toml"].map(|name| run(&[command, &folder.path(name)]));
        let why = "vault 2 (drowned_causeway) is left out, because it overlaps vault 1 (moon_well)";
        assert_eq!(both.status, 0, "{}", both.err);
        assert!(command == "play" || both.err.contains(why), "{}", both.err);
        assert_eq!(both.out, alone.out, "{command}");
    }
    let ran = run(&["grow", &folder.path("both.toml"), "--until", "vaults"]);
    assert!(ran.err.contains("vault 2 is not placed"), "{}", ran.err);
}

/// Returns a folder with a design whose vault is in a level file.
fn with_level(level: &str) -> Folder {
    let folder = Folder::empty();
    folder.put("own.des", level);
    let mut design = design();
    design.layout.vaults.push(wallcrawler::design::VaultEntry {
        file: "own.des".into(),
        map: "own".into(),
        ..Default::default()
    });
    folder.put("design.toml", &native::write(&design));
    folder
}

const LEVEL: &str = "NAME: own\nMAP\nxxxxx\nx...+\nxxxxx\nENDMAP\n";

#[test]
fn a_survey_of_another_level_file_is_refused() {
    let folder = with_level(LEVEL);
    let (toml, csv) = (folder.path("design.toml"), folder.path("rows.csv"));
    let survey = |seeds: &str| run(&["survey", &toml, "--seeds", seeds, "--output", &csv]);
    assert_eq!(survey("3").status, 0);
    let rows = folder.text("rows.csv");
    folder.put("own.des", &LEVEL.replace("x...+", "x.x.+"));
    let refused = survey("6");
    assert_ne!(refused.status, 0, "{}", refused.out);
    assert!(refused.err.contains("--fresh"), "{}", refused.err);
    assert_eq!(folder.text("rows.csv"), rows, "nothing is added");
    folder.put("own.des", LEVEL);
    assert_eq!(survey("6").status, 0);
    assert_eq!(folder.text("rows.csv").lines().count(), 7);
}

#[test]
fn a_survey_of_a_recording_with_other_vaults_is_refused() {
    let folder = with_level(LEVEL);
    let (toml, csv) = (folder.path("design.toml"), folder.path("rows.csv"));
    let [first, second] = ["first.wcr", "second.wcr"].map(|name| folder.path(name));
    let in_folder = |args: &[&str]| ran_in(&folder.path(""), args);
    let digest = |path: &str| in_folder(&["design-digest", path]).out;
    let survey = |path: &str, seeds: &str| in_folder(&["survey", path, "--seeds", seeds, "--output", &csv]);
    assert_eq!(run(&["export", &toml, "--to", &first]).status, 0);
    assert_eq!(
        digest(&first),
        digest(&toml),
        "the level file gives the recorded vaults"
    );
    assert_eq!(survey(&first, "98..101").status, 0);
    folder.put("own.des", &LEVEL.replace("x...+", "x.x.+"));
    assert_eq!(run(&["export", &toml, "--to", &second]).status, 0);
    assert_eq!(digest(&second), digest(&toml));
    // The other dungeons of the first recording now come from the changed level file.
    for path in [&first, &second] {
        let refused = survey(path, "98..103");
        assert_eq!(refused.status, 2, "{}", refused.err);
        assert!(refused.err.contains("another design"), "{}", refused.err);
    }
    std::fs::remove_file(folder.path("own.des")).expect("a file");
    let digests = [&first, &second, &toml].map(|path| digest(path));
    assert_ne!(digests[0], digests[1], "recordings with different vaults");
    assert_ne!(digests[0], digests[2]);
    // With other dimensions, the recorded vaults do not apply.
    let resized = |path: &str| in_folder(&["design-digest", path, "--change", "dimX -> 50"]).out;
    assert_eq!(resized(&first), resized(&second));
}

#[test]
fn attempts_warn_once_of_vaults_that_only_the_recorded_dungeon_has() {
    let folder = recorded_without_level();
    let text = wallcrawler::format::Text::new("design.toml", folder.text("design.toml"));
    let mut design = native::parse(&text).value;
    design.expect.that = vec!["path >= 100000".into()];
    folder.put("design.toml", &native::write(&design));
    let [toml, recording] = ["design.toml", "elsewhere/it.wcr"].map(|name| folder.path(name));
    assert_eq!(run(&["export", &toml, "--to", &recording, "--force"]).status, 0);
    let tried = ["grow", "it.wcr", "--until", "expected,vaults", "--attempts"];
    for (attempts, change, warnings) in [
        ("1", "", 0),
        ("3", "", 1),
        ("3", "MaxAge -> 9", 1),
        ("3", "dimX -> 40", 1),
    ] {
        let mut args = [&tried[..], &[attempts]].concat();
        if !change.is_empty() {
            args.extend(["--change", change]);
        }
        let ran = run_elsewhere(&folder, &args);
        let count = ran.err.matches("is not recorded: cannot read own.des").count();
        assert_eq!((ran.status, count), (0, warnings), "{attempts} {change}: {}", ran.err);
    }
}

#[test]
fn converting_a_recording_without_its_level_files_fails_but_writes_the_design() {
    let folder = with_level(LEVEL);
    let (toml, recording) = (folder.path("design.toml"), folder.path("it.wcr"));
    assert_eq!(run(&["export", &toml, "--to", &recording]).status, 0);
    let converted = |to: &str| run(&["convert", &recording, "--to", &folder.path(to)]);
    let with_files = converted("beside.toml");
    assert_eq!((with_files.status, with_files.err.as_str()), (0, ""));
    std::fs::create_dir(folder.path("elsewhere")).expect("a folder");
    let without = converted("elsewhere/design.toml");
    assert_eq!(without.status, 1, "{}", without.err);
    assert!(without.err.contains("level files"), "{}", without.err);
    assert_eq!(folder.text("elsewhere/design.toml"), folder.text("beside.toml"));
}

/// Returns a folder with a recording of seed 99 in `elsewhere`, without the level file of its vault.
fn recorded_without_level() -> Folder {
    let folder = with_level(LEVEL);
    std::fs::create_dir(folder.path("elsewhere")).expect("a folder");
    let [toml, recording] = ["design.toml", "elsewhere/it.wcr"].map(|name| folder.path(name));
    assert_eq!(run(&["export", &toml, "--to", &recording]).status, 0);
    folder
}

/// Runs the program in the folder `elsewhere`.
fn run_elsewhere(folder: &Folder, args: &[&str]) -> Ran {
    ran_in(&folder.path("elsewhere"), args)
}

/// Runs the program in a folder.
fn ran_in(folder: &str, args: &[&str]) -> Ran {
    let output = program()
        .current_dir(folder)
        .args(args)
        .output()
        .expect("the program runs");
    Ran {
        status: output.status.code().expect("no signal"),
        out: String::from_utf8(output.stdout).expect("text"),
        err: String::from_utf8(output.stderr).expect("text"),
    }
}

#[test]
fn commands_over_seeds_use_the_vaults_of_a_recording_for_its_seed() {
    let folder = recorded_without_level();
    let toml = folder.path("design.toml");
    let tiles = |ran: &Ran| -> serde_json::Value {
        let mut value: serde_json::Value = serde_json::from_str(&ran.out).expect("JSON");
        value["tiles"].take()
    };
    // In the second round, a level file with the same name has another map.
    for other in [None, Some(LEVEL.replace("x...+", "x.x.+"))] {
        if let Some(other) = other {
            folder.put("elsewhere/own.des", &other);
        }
        let export = |path| ["export", path, "--seeds", "99..100", "--arrays", "tiles", "--to", "-"];
        let exported = run_elsewhere(&folder, &export("it.wcr"));
        assert_eq!(tiles(&exported), tiles(&run(&export(&toml))));
        assert!(!exported.err.contains("warning"), "{}", exported.err);
        for command in [
            "survey",
            "frequency",
            "find --where squares>0",
            "why --at 14,25 --json",
            "scatter",
        ] {
            let mut args: Vec<&str> = command.split(' ').collect();
            if !["why", "scatter"].contains(&args[0]) {
                args.extend(["--seeds", "99..100"]);
            }
            args.insert(1, "it.wcr");
            let recorded = run_elsewhere(&folder, &args);
            args[1] = &toml;
            let of_files = run(&args);
            let expected = of_files.out.replace(&toml, "it.wcr");
            assert_eq!(
                (recorded.status, recorded.out),
                (of_files.status, expected),
                "{command}"
            );
            assert!(!recorded.err.contains("warning"), "{command}: {}", recorded.err);
        }
    }
}

#[test]
fn commands_over_seeds_warn_of_vaults_that_only_the_recorded_dungeon_has() {
    let folder = recorded_without_level();
    folder.put(
        "elsewhere/sweep.toml",
        "design = \"it.wcr\"\nseeds = \"98..101\"\n[vary]\n\"MaxAge in 0\" = [3, 9]\n",
    );
    for command in [
        "survey it.wcr --seeds 98..101",
        "frequency it.wcr --seeds 99..101",
        "find it.wcr --where squares>0 --seeds 98..101",
        "export it.wcr --seeds 99..101 --to -",
        "compare it.wcr --change MaxAge->3 --seeds 98..101",
        "range it.wcr --x path --y squares --seeds 98..101",
        "curve it.wcr --over MaxAge --seeds 98..101 --values 3",
        "remedies it.wcr --seeds 98..101",
        "report it.wcr --seeds 98..101 --to -",
        "sweep sweep.toml --output -",
    ] {
        let ran = run_elsewhere(&folder, &command.split(' ').collect::<Vec<_>>());
        assert_eq!(ran.status, 0, "{command}: {}", ran.err);
        let seed = if command.contains("99") { 100 } else { 98 };
        let warning = format!("the dungeon of seed {seed} is not recorded: cannot read own.des");
        assert_eq!(ran.err.matches(&warning).count(), 1, "{command}: {}", ran.err);
    }
    let sizes = "design = \"it.wcr\"\nseeds = \"99..100\"\n[vary]\n\"dimX\" = [40, 41]\n";
    folder.put("elsewhere/sizes.toml", sizes);
    for command in [
        "why it.wcr --at 0,0 --change dimX->40",
        "curve it.wcr --over dimX --seeds 99..100 --values 40",
        "sweep sizes.toml --output -",
    ] {
        let ran = run_elsewhere(&folder, &command.split(' ').collect::<Vec<_>>());
        let warning = "the changed dungeon is not recorded: cannot read own.des";
        assert_eq!(ran.err.matches(warning).count(), 1, "{command}: {}", ran.err);
    }
}

#[test]
fn a_json_export_names_the_level_files_it_was_grown_from() {
    let folder = with_level(LEVEL);
    let (toml, json) = (folder.path("design.toml"), folder.path("it.json"));
    let sources = || {
        assert_eq!(run(&["export", &toml, "--to", &json]).status, 0);
        let value: serde_json::Value = serde_json::from_str(&folder.text("it.json")).expect("JSON");
        value["sources"].clone()
    };
    let before = sources();
    assert!(before.to_string().contains("own.des"), "{before}");
    folder.put("own.des", &LEVEL.replace("x...+", "x.x.+"));
    assert_ne!(before, sources());
}

/// A level file in which the order of a table's keys, or their addresses, decide the map.
const BY_ORDER: &str = "NAME: own
MAP
abcdefgh
ENDMAP
{{
local glyphs, seen = { alpha = 'x', beta = '.', gamma = 'G', delta = 'm', [2.5] = 'c', [true] = 'v' }, ''
local kept = {}
for i = 1, 50 do kept[i] = { i } end
for i = 1, 50 do glyphs[kept[i]] = 'b' end
for i = 1, 50 do glyphs[kept[i]] = nil end
for key, glyph in pairs(glyphs) do seen = seen .. glyph end
local function count() for key in pairs({ [kept[1]] = 1, [kept[2]] = 2 }) do seen = seen .. 'T' end end
if not pcall(count) then seen = seen .. 'W' end
if tostring(kept[3]) == 'table: 1' then seen = seen .. 'w' end
for i = 1, #seen do subst(string.sub('abcdefgh', i, i) .. ' = ' .. string.sub(seen, i, i)) end
}}
";

#[test]
fn a_level_file_makes_one_map_whatever_its_memory_addresses() {
    let folder = Folder::empty();
    folder.put("own.des", BY_ORDER);
    let des = folder.path("own.des");
    let show = |garbage: usize| {
        let output = program()
            .args(["vault", "show", "own", &des, "--seed", "1"])
            .env("GARBAGE", "x".repeat(garbage))
            .output()
            .expect("it runs");
        (output.status.code(), String::from_utf8(output.stdout).expect("text"))
    };
    let first = show(0);
    assert_eq!(first.0, Some(0), "{}", first.1);
    assert!(first.1.starts_with("wWvGm.x."), "{}", first.1);
    for garbage in [1, 500, 4_000, 60_000] {
        assert_eq!(show(garbage), first);
    }
}

#[test]
fn an_exit_outside_the_dungeon_is_named_as_the_reason_of_the_missing_path() {
    let mut outside = design();
    outside.expect.exit = Some(Point::new(3, 9_999));
    let folder = Folder::new(&outside);
    let toml = folder.path("design.toml");
    let grown = run(&["grow", &toml]);
    let reason = "the exit is set to row 3, column 9999, outside the dungeon";
    assert!(grown.err.contains(reason), "{}", grown.err);
    assert!(!grown.err.contains("--attempts"), "{}", grown.err);
    let checked = run(&["check", &toml, "--seeds", "2"]);
    assert!((checked.out + &checked.err).contains(reason));
}

#[test]
fn a_dungeon_without_a_path_is_a_warning_and_attempts_search_for_one() {
    // Hand-placed walls from side to side cut the dungeon in two.
    let mut closed = design();
    closed.layout.walls = (0..50).map(|y| Point::new(15, y)).collect();
    let folder = Folder::new(&closed);
    let toml = folder.path("design.toml");
    let grown = run(&["grow", &toml]);
    assert_eq!(grown.status, 0);
    assert!(grown.err.contains("warning: the exit"), "{}", grown.err);
    assert!(grown.err.contains("--attempts"), "{}", grown.err);
    let exported = run(&["export", &toml, "--to", &folder.path("a.txt")]);
    assert_eq!(exported.status, 0, "{}", exported.err);
    assert!(exported.err.contains("warning: the exit"), "{}", exported.err);
    let mut open = design();
    open.expect.that = vec!["reachable".into()];
    let folder = Folder::new(&open);
    let toml = folder.path("design.toml");
    let reached = run(&["grow", &toml, "--attempts", "50", "--until", "reachable,expected"]);
    assert!(!reached.err.contains("is not reachable"), "{}", reached.err);
    assert!(!reached.err.contains("does not hold"), "{}", reached.err);
    open.expect.that = vec!["dead-ends > 2000".into()];
    let folder = Folder::new(&open);
    let toml = folder.path("design.toml");
    let unmet = run(&["grow", &toml, "--attempts", "3", "--until", "expected"]);
    assert_eq!(unmet.status, 0);
    assert!(
        unmet.err.contains("`dead-ends > 2000` does not hold (seed 101)"),
        "{}",
        unmet.err
    );
}

#[test]
fn attempts_do_not_demand_of_one_dungeon_what_only_many_can_fail() {
    let mut design = design();
    design.expect.that = vec![
        "dead-ends > 2000 in 20%".into(),
        "median path > 100000".into(),
        "path > median path".into(),
        "path > 100000 in 100%".into(),
    ];
    let folder = Folder::new(&design);
    let ran = run(&["grow", &folder.path("design.toml"), "--until", "expected"]);
    assert_eq!(ran.status, 0);
    let unmet: Vec<&str> = ran.err.lines().filter(|line| line.contains("does not hold")).collect();
    assert_eq!(unmet, ["warning: `path > 100000 in 100%` does not hold (seed 99)"]);
}

#[test]
fn maps_are_checked_on_levels_that_they_allow() {
    let folder = Folder::empty();
    let assert = |condition: &str| format!(": assert(is_validating() or {condition}, you.where())\nMAP\n.@\nENDMAP\n");
    let maps = [
        (
            "deep",
            "DEPTH: D:3-12, !D:7\n",
            "you.in_branch('D') and you.depth() >= 3 and you.depth() <= 12 and you.depth() ~= 7",
        ),
        (
            "placed",
            "DEPTH: D\nPLACE: Elf:$\n",
            "you.where() == 'Elf:3' and you.xl() > 1",
        ),
        (
            "spread",
            "DEPTH: D:2-\n",
            "not (you.where() == 'D:15' or you.where() == 'D:2')",
        ),
    ];
    for (name, headers, condition) in maps {
        folder.put(
            &format!("{name}.des"),
            &format!("NAME: {name}\n{headers}{}", assert(condition)),
        );
    }
    let check = |name: &str, args: &[&str]| {
        let path = folder.path(&format!("{name}.des"));
        let ran = run(&[&["vault", "check", &path], args].concat());
        (ran.status, ran.out.replace(&path, "file"))
    };
    assert_eq!(
        check("deep", &[]),
        (
            0,
            "1 file, 1 map: 0 with problems; names of monsters, items and tiles not checked (see `vault names`)\n"
                .to_owned()
        )
    );
    assert_eq!(check("placed", &[]).0, 0);
    let (status, text) = check("deep", &["--place", "D:7"]);
    assert!(status == 1 && text.contains("(seed 1 on D:7)"), "{status} {text}");
    // The seeds cover the levels at both ends of the range.
    let (_, text) = check("spread", &["--seeds", "5"]);
    assert!(text.contains("3 of 5 seeds, 2 failed in Lua"), "{text}");
}

#[test]
fn undefined_names_are_counted_and_are_not_errors() {
    let folder = Folder::empty();
    let text = "{{\nodd_setup()\nodd.list = {}\n}}\nNAME: a\nTAGS: unrand\n: odd_helper(_G)\nMAP\n.@\nENDMAP\n";
    folder.put("own.des", text);
    let path = folder.path("own.des");
    let ran = run(&["vault", "check", &path]);
    let expected = "1 file, 1 map: 0 with problems; names of monsters, items and tiles not checked (see `vault names`); 3 undefined names: `odd` (own.des:3), `odd_helper` (own.des:7), `odd_setup` (own.des:2)\n";
    assert_eq!((ran.status, ran.out.replace(&path, "own.des").as_str()), (0, expected));
    let table = run(&["vault", "check", "--summary", &path]).out;
    assert!(
        table.contains("undefined names                                          3\n"),
        "{table}"
    );
}
