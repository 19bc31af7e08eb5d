//! `wallcrawler sweep`: rows that equal those of single surveys, resume and split into shards; every kind of number
//! varies; mistakes and settings without effect are reported with their place.

use std::collections::BTreeSet;
use std::io::Write as _;
use std::process::Stdio;
use std::time::{Duration, Instant};

use super::{Folder, Ran, program, run};

/// A small design with a room and a first Crawler.
const CHAMBER: &str = "format = 1\n[layout]\ndim_x = 40\ndim_y = 40\n[[room]]\n[[crawler]]\nx = 0\ny = 30\n\
                       [expect]\nexit = [20, 20]\n";

/// Returns a folder with a design and a sweep of it.
fn folder(sweep: &str) -> Folder {
    let folder = Folder::empty();
    folder.put("chamber.toml", CHAMBER);
    folder.put("sweep.toml", &format!("design = \"chamber.toml\"\n{sweep}"));
    folder
}

fn sweep(folder: &Folder, args: &[&str]) -> Ran {
    run(&[&["sweep", &folder.path("sweep.toml")], args].concat())
}

/// Returns the rows of a sweep as CSV, without the header.
fn rows(folder: &Folder, args: &[&str]) -> Vec<Vec<String>> {
    let ran = sweep(folder, &[args, &["--output", "-"]].concat());
    assert_eq!(ran.status, 0, "{}", ran.err);
    let lines = ran.out.lines().skip(1);
    lines.map(|line| line.split(',').map(str::to_owned).collect()).collect()
}

#[test]
fn the_rows_of_a_design_agree_with_its_survey() {
    let folder = folder(
        "seeds = \"3..8\"\nchange = [\"MaxAge -> 6\"]\n[vary]\ndimX = [40, 44]\n\"width in room 1\" = \"4..6\"\n",
    );
    let ran = sweep(&folder, &["--output", "-"]);
    let head = ran.out.lines().next().expect("a header");
    assert!(
        head.starts_with("seed,design,version,seed_catalog,dim_x,width_room_1,"),
        "{head}"
    );
    let rows = rows(&folder, &[]);
    assert_eq!(rows.len(), 4 * 5);
    for (design, [x, width]) in [["40", "4"], ["40", "5"], ["44", "4"], ["44", "5"]]
        .into_iter()
        .enumerate()
    {
        let (chamber, x_rule, width_rule) = (
            folder.path("chamber.toml"),
            format!("dimX -> {x}"),
            format!("width -> {width} in room 1"),
        );
        let survey = run(&[
            "survey",
            &chamber,
            "--seeds",
            "3..8",
            "--output",
            "-",
            "--change",
            "MaxAge -> 6",
            "--change",
            &x_rule,
            "--change",
            &width_rule,
        ]);
        for (row, alone) in rows[design * 5..].iter().zip(survey.out.lines().skip(1)) {
            let alone: Vec<&str> = alone.split(',').collect();
            assert_eq!(row[..4], alone[..4]);
            assert_eq!(row[4..6], [x, width]);
            assert_eq!(row[6..], alone[4..]);
        }
    }
}

#[test]
fn each_kind_of_number_varies_and_has_an_effect() {
    for (field, values) in [
        ("MaxAge in 0", "[3, 12]"),
        ("joinDist", "[0, 30]"),
        ("dimX, dimY", "[40, 50]"),
        ("protuberances", "[0, 4]"),
        ("width in room 1", "[3, 9]"),
        ("delay in room 1", "[0, 4]"),
        ("y in Crawler 1", "[\"- 5\", \"+ 5\"]"),
        ("all 30", "[\"* 0.5\", \"* 2\"]"),
    ] {
        let sweep =
            format!("metrics = [\"tiles\", \"path\", \"squares\"]\nseeds = 6\n[vary]\n\"{field}\" = {values}\n");
        let with_crawler = CHAMBER.replace("[[room]]", "[[room]]\ntc = 2");
        let folder = folder(&sweep);
        folder.put("chamber.toml", &with_crawler);
        let rows = rows(&folder, &[]);
        let (first, second) = rows.split_at(6);
        let metrics =
            |rows: &[Vec<String>]| -> Vec<Vec<String>> { rows.iter().map(|row| row[5..8].to_vec()).collect() };
        assert_eq!(second.len(), 6, "{field}");
        let is_delay = field.starts_with("delay");
        assert!(
            metrics(first) != metrics(second) || is_delay && first[0][1] != second[0][1],
            "{field}: {rows:?}"
        );
    }
}

#[test]
fn a_killed_sweep_resumes_to_the_same_bytes_and_shards_are_its_parts() {
    let folder = folder("seeds = \"0..40\"\n[vary]\nMaxAge = \"3..=9\"\nCorridorWidth = [2, 3]\n");
    let whole = sweep(&folder, &["--output", "-"]).out;
    assert_eq!(whole.lines().count(), 1 + 7 * 2 * 40);
    let file = folder.path("rows.csv");
    let mut child = program()
        .args(["sweep", &folder.path("sweep.toml"), "--output", &file, "--threads", "1"])
        .spawn()
        .expect("the program runs");
    let started = Instant::now();
    let length = || std::fs::metadata(&file).map_or(0, |found| found.len());
    while length() < 20_000 && started.elapsed() < Duration::from_mins(1) {
        std::thread::sleep(Duration::from_millis(5));
    }
    child.kill().expect("it can be killed");
    child.wait().expect("it ends");
    assert!(length() > 0, "nothing was written");
    let ran = sweep(&folder, &["--output", &file]);
    assert_eq!((ran.status, &folder.text("rows.csv")), (0, &whole), "{}", ran.err);
    // A row that was cut off is grown again.
    folder.put("rows.csv", &whole[..whole.len() / 3]);
    let ran = sweep(&folder, &["--output", &file]);
    assert!(ran.err.contains("were already in the file"), "{}", ran.err);
    assert_eq!(folder.text("rows.csv"), whole);
    let mut parts = String::new();
    for shard in ["1/3", "2/3", "3/3"] {
        let part = folder.path("part.csv");
        assert_eq!(
            sweep(&folder, &["--output", &part, "--fresh", "--shard", shard]).status,
            0
        );
        parts += &folder.text("part.csv");
    }
    assert_eq!(parts, whole);
    let other = sweep(&folder, &["--output", &file, "--seeds", "0..41"]);
    assert!(
        other.status == 2 && other.err.contains("the row belongs to another design"),
        "{}",
        other.err
    );
    folder.put("rows.csv", &whole.replace(",3,2,t", ",4,2,t"));
    let other = sweep(&folder, &["--output", &file]);
    assert!(
        other.status == 2 && other.err.contains("values of the varied parameters are not"),
        "{}",
        other.err
    );
}

#[test]
fn a_latin_hypercube_depends_on_its_seed_alone() {
    let plan = |seed: u32| {
        let folder = folder(&format!(
            "seeds = 1\nmetrics = [\"tiles\"]\n[vary]\nMaxAge = \"1..=20\"\nStepLength = \"3..=12\"\n[sample]\n\
             latin_hypercube = 10\nseed = {seed}\n"
        ));
        rows(&folder, &[])
    };
    let first = plan(1);
    assert_eq!(first.len(), 10);
    assert_eq!(first, plan(1));
    assert_ne!(first, plan(2));
    let lengths: BTreeSet<&str> = first.iter().map(|row| row[5].as_str()).collect();
    assert_eq!(lengths.len(), 10, "each value once");
}

#[test]
fn a_mistake_names_its_place_and_what_to_do() {
    for (text, place, message, help) in [
        (
            "[vary]\nMaxAgee = [3]\n",
            ":3:1",
            "unknown parameter `MaxAgee`",
            "did you mean `MaxAge`?",
        ),
        (
            "[vary]\nMaxAge = [3, -1]\n",
            ":3:14",
            "numbers may not be negative",
            "write \"- 1\"",
        ),
        (
            "[vary]\nMaxAge = [3, 2000000]\n",
            ":3:14",
            "would be 2000000, which is outside the range 0 to 1000000",
            "",
        ),
        ("[vary]\n\"width in room 2\" = [3]\n", ":3:2", "there is no room 2", ""),
        (
            "metrics = [\"path\", \"tile\"]\n[vary]\nMaxAge = 3\n",
            ":2:21",
            "unknown metric `tile`",
            "did you mean `tiles`?",
        ),
        (
            "change = [\"MaxAge -> 2000000\"]\n[vary]\nMaxAge = 3\n",
            ":2:12",
            "would be 2000000",
            "",
        ),
        (
            "[vary]\nMaxAge = { name = \"path\", values = [3] }\n",
            ":3:1",
            "a column named `path` already exists",
            "another name",
        ),
    ] {
        let folder = folder(text);
        let ran = sweep(&folder, &["--seeds", "1"]);
        let place = format!("sweep.toml{place}");
        assert!(ran.status == 2 && ran.err.contains(&place), "{text}: {}", ran.err);
        assert!(
            ran.err.contains(message) && ran.err.contains(help),
            "{text}: {}",
            ran.err
        );
    }
    let missing = folder("[vary]\nMaxAge = 3\n");
    missing.put("sweep.toml", "design = \"none.toml\"\n[vary]\nMaxAge = 3\n");
    assert_eq!(sweep(&missing, &[]).status, 2);
}

#[test]
fn changes_without_effect_are_reported() {
    let folder = folder(
        "seeds = 2\nmetrics = [\"tiles\"]\nchange = [\"JumperProb -> 0\"]\n[vary]\nLateSpawn = [0, 2]\nMaxAge = [10, 11]\n\
         \"StepLength in 1\" = [1, 2, 4]\nSkipGenerations = [1, 2]\nJumperProb = [0, 20]\n",
    );
    let ran = sweep(&folder, &[]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    for part in [
        "warning: this change has no effect: it changes no value\n",
        "sweep.toml:6:1",
        "warning: this number has no effect in any design of the sweep: LateSpawnProb is 0, so no baby is late\n",
        "note: `-> 10` leaves the design unchanged: `MaxAge`",
        "note: `-> 4` leaves the design unchanged",
    ] {
        assert!(ran.err.contains(part), "{part}: {}", ran.err);
    }
    // Each has an effect together with the other.
    assert!(!ran.err.contains("effect in any design: JumperProb"), "{}", ran.err);
    let folder = self::folder("seeds = 1\n[vary]\nMaxAge = [\"+ 0\", \"* 1\", 10, 11]\n");
    let ran = sweep(&folder, &[]);
    assert!(
        ran.err.contains("note: 2 of 4 designs equal earlier ones"),
        "{}",
        ran.err
    );
}

#[test]
fn statistics_name_the_number_that_matters() {
    let folder = folder(
        "seeds = 4\nmetrics = [\"squares\", \"tiles\"]\n[vary]\n\"dimX, dimY\" = \"40..=80 step 10\"\nsmallestRoomWidth = [1, 2, 3, 4]\n",
    );
    let ran = sweep(&folder, &["--sensitivity", "--correlation"]);
    let line = |begin: &str| {
        let lines: Vec<&str> = ran.out.lines().filter(|line| line.starts_with(begin)).collect();
        lines
            .last()
            .map(|line| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
            .unwrap_or_default()
    };
    let squares = ran
        .out
        .lines()
        .find(|line| line.starts_with("squares") && line.contains('['))
        .expect("a line");
    let share: f64 = squares
        .split_whitespace()
        .nth(1)
        .and_then(|share| share.parse().ok())
        .expect("a share");
    assert!(share > 0.9, "{}", ran.out);
    assert_eq!(line("(by chance)").len(), 4, "{}", ran.out);
    assert!(ran.out.contains("correlations over 80 dungeons"), "{}", ran.out);
    assert_eq!(line("dim_x_dim_y")[4], "80", "{}", ran.out);
    // A complete file needs no growth, and gives the same statistics.
    let file = folder.path("rows.csv");
    let first = sweep(&folder, &["--output", &file, "--sensitivity", "--correlation"]);
    let again = sweep(&folder, &["--output", &file, "--sensitivity", "--correlation"]);
    assert_eq!((&first.out, &again.out), (&ran.out, &ran.out));
    assert!(again.err.contains("80 rows were already in the file"), "{}", again.err);
    let survey = run(&["survey", &folder.path("chamber.toml"), "--seeds", "30", "--correlation"]);
    assert!(survey.out.contains("correlations over 30 dungeons"), "{}", survey.out);
}

#[test]
fn relative_values_of_several_kinds_correlate_like_the_values_that_they_give() {
    let correlations = |levels: &str| {
        let folder = folder(&format!(
            "seeds = 2\nmetrics = [\"squares\", \"tiles\"]\n[vary]\ndimX = {levels}\n"
        ));
        let ran = sweep(&folder, &["--correlation"]);
        let at = ran.out.find("correlations over 6 dungeons");
        ran.out[at.unwrap_or_else(|| panic!("{} {}", ran.out, ran.err))..].to_owned()
    };
    assert_eq!(
        correlations("[\"+ 20\", \"* 1.25\", \"- 4\"]"),
        correlations("[60, 50, 36]")
    );
    // Without one value for both dimensions, such a list has no order.
    let folder = folder(
        "seeds = 2\nmetrics = [\"squares\", \"tiles\"]\nchange = [\"dimY -> 50\"]\n[vary]\n\"dimX, dimY\" = [\"+ 20\", \"* 1.25\"]\n",
    );
    let ran = sweep(&folder, &["--correlation"]);
    let (_, table) = ran.out.split_once("correlations over").expect("a table");
    assert!(!table.contains("\ndim_x_dim_y "), "{table}");
    assert!(table.contains("\n`dim_x_dim_y` is left out: "), "{table}");
}

#[test]
fn a_specification_from_standard_input_names_files_of_the_current_folder() {
    let folder = folder("");
    let mut child = program()
        .args(["sweep", "-", "--output", "-"])
        .current_dir(folder.path(""))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program runs");
    let spec = "design = \"chamber.toml\"\nseeds = 2\n[vary]\nMaxAge = [4, 8]\n";
    let mut input = child.stdin.take().expect("a pipe");
    input.write_all(spec.as_bytes()).expect("written");
    drop(input);
    let output = child.wait_with_output().expect("it ends");
    assert!(output.status.success());
    assert_eq!(String::from_utf8_lossy(&output.stdout).lines().count(), 1 + 4);
}

#[test]
fn tables_of_a_sweep_are_refused_if_standard_output_gets_the_rows() {
    let folder = folder("seeds = 2\n[vary]\nMaxAge = [4, 8]\n");
    for option in ["--sensitivity", "--correlation"] {
        let ran = sweep(&folder, &["--output", "-", option]);
        assert_eq!((ran.status, ran.out.as_str()), (2, ""), "{}", ran.err);
        let message = format!("{option} prints a table, which would be mixed with the rows on standard output");
        assert!(ran.err.contains(&message), "{}", ran.err);
    }
}
