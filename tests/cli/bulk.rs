//! `export --seeds`: the dungeons of many seeds in one file.

use std::collections::BTreeMap;
use std::fs::File;

use parquet::file::reader::SerializedFileReader;
use parquet::record::Field;
use serde_json::Value;

use crate::{Folder, program, run};

/// Returns the columns of the table that the export of one dungeon has, row by row: generation, turn and steps.
fn of_one(seed: &str) -> (String, [Vec<i64>; 3]) {
    let args = ["--preset", "keep", "--seed", seed, "--to", "-"];
    let table = run(&[&["export", "--as", "csv"], &args[..]].concat()).out;
    let cells: Vec<Vec<&str>> = table.lines().skip(1).map(|line| line.split(',').collect()).collect();
    let column = |index: usize, missing: i64| cells.iter().map(|row| row[index].parse().unwrap_or(missing)).collect();
    let text = run(&[&["export", "--as", "text"], &args[..]].concat()).out;
    (text, [column(3, -1), column(5, 0), column(8, -1)])
}

fn bulk(more: &[&str]) -> crate::Ran {
    let ran = run(&[&["export", "--preset", "keep", "--seeds", "3..6"], more].concat());
    assert_eq!(ran.status, 0, "{}", ran.err);
    ran
}

#[test]
fn lines_of_json_have_every_square() {
    let lines = bulk(&["--to", "-"]).out;
    let all: Vec<Value> = lines
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    assert_eq!(all.len(), 3);
    for (dungeon, seed) in all.iter().zip(["3", "4", "5"]) {
        assert_eq!(dungeon["seed"].to_string(), seed);
        let (text, [generations, turns, steps]) = of_one(seed);
        let rows: Vec<&str> = dungeon["tiles"]
            .as_array()
            .expect("rows")
            .iter()
            .filter_map(Value::as_str)
            .collect();
        assert_eq!(rows, text.lines().collect::<Vec<_>>());
        let flat = |name: &str| -> Vec<i64> {
            let rows = dungeon[name].as_array().expect("rows").iter();
            rows.flat_map(|row| row.as_array().expect("numbers").iter().filter_map(Value::as_i64))
                .collect()
        };
        assert_eq!(flat("generations"), generations);
        assert_eq!(flat("turn_laid"), turns);
        assert_eq!(flat("steps"), steps);
        assert_eq!((&dungeon["rows"], &dungeon["columns"]), (&55.into(), &110.into()));
    }
    let digest = run(&["design-digest", "--preset", "keep"]).out;
    assert_eq!(all[0]["design"], digest.trim());
    let part = bulk(&["--to", "-", "--arrays", "steps,tiles", "--threads", "1"]).out;
    let part: Value = serde_json::from_str(part.lines().next().expect("a line")).expect("JSON");
    assert_eq!((&part["steps"], part.get("generations")), (&all[0]["steps"], None));
}

#[test]
fn parquet_has_a_row_with_lists_for_each_dungeon() {
    let folder = Folder::empty();
    let path = folder.path("maps.parquet");
    bulk(&["--to", &path]);
    bulk(&["--to", &folder.path("maps.PARQUET")]);
    // An earlier export is replaced, any other file is not.
    bulk(&["--to", &path]);
    let reader = SerializedFileReader::new(File::open(&path).expect("a file")).expect("a table");
    for (row, seed) in reader.into_iter().zip(["3", "4", "5"]) {
        let row = row.expect("a row");
        let fields: BTreeMap<&String, &Field> = row.get_column_iter().collect();
        let numbers = |name: &str| -> Vec<i64> {
            let Field::ListInternal(list) = fields[&name.to_owned()] else {
                panic!("{name} is a list");
            };
            let number = |field: &Field| match field {
                Field::UByte(number) => i64::from(*number),
                Field::Short(number) => i64::from(*number),
                Field::Int(number) => i64::from(*number),
                Field::UInt(number) => i64::from(*number),
                other => panic!("{other} in {name}"),
            };
            list.elements().iter().map(number).collect()
        };
        let (text, [generations, turns, steps]) = of_one(seed);
        let tiles: Vec<i64> = text
            .chars()
            .filter_map(|tile| ".oXYC".find(tile))
            .map(|at| at as i64)
            .collect();
        assert_eq!(numbers("tiles"), tiles);
        assert_eq!(numbers("generations"), generations);
        assert_eq!(numbers("turn_laid"), turns);
        assert_eq!(numbers("steps"), steps);
        assert_eq!(fields[&"seed".to_owned()].to_string(), seed);
    }
    folder.put("own.parquet", "PAR1 of another program PAR1");
    let ran = run(&[
        "export",
        "--preset",
        "keep",
        "--seeds",
        "3",
        "--to",
        &folder.path("own.parquet"),
    ]);
    assert!(ran.status == 2 && ran.err.contains("pass --force"), "{}", ran.err);
}

#[test]
fn numpy_reads_the_arrays() {
    let folder = Folder::empty();
    let (maps, lines) = (folder.path("maps.npz"), folder.path("maps.jsonl"));
    bulk(&["--to", &maps]);
    bulk(&["--to", &maps]);
    bulk(&["--to", &lines]);
    let bytes = std::fs::read(&maps).expect("a file");
    assert!(bytes.starts_with(b"PK\x03\x04"));
    let code = r#"
import json, sys
try:
    import numpy
except ImportError:
    sys.exit(77)
maps = numpy.load(sys.argv[1])
lines = [json.loads(line) for line in open(sys.argv[2])]
assert maps["seeds"].tolist() == [3, 4, 5]
assert maps["tiles"].shape == (3, 55, 110) and maps["tiles"].dtype == "u1"
for index, line in enumerate(lines):
    assert ["".join(".oXYC"[tile] for tile in row) for row in maps["tiles"][index]] == line["tiles"]
    for name in "generations", "turn_laid", "steps":
        assert maps[name][index].tolist() == line[name], name
assert "[layout]" in str(maps["design"]) and maps["seed_catalog"] == lines[0]["seed_catalog"]
"#;
    let ran = std::process::Command::new("python3")
        .args(["-c", code, &maps, &lines])
        .output();
    match ran {
        Ok(ran) if ran.status.code() == Some(77) => eprintln!("NumPy is not installed to read the archive"),
        Ok(ran) => assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr)),
        Err(_) => eprintln!("Python is not installed to read the archive"),
    }
}

#[test]
fn formats_for_one_dungeon_are_rejected_for_many() {
    for (args, why) in [
        (&["--to", "a.png"][..], "cannot hold many dungeons"),
        (
            &["--to", "-", "--scale", "3"],
            "--scale has no effect on exports of many dungeons",
        ),
        (&["--to", "-", "--seed", "3"], "cannot be used with"),
        (&["--to", "-", "--until", "expected"], "cannot be used with"),
        (&["--to", "-", "--turn", "3"], "cannot be used with"),
        (&["--to", "-", "--arrays", "tile"], "invalid value"),
    ] {
        let ran = run(&[&["export", "--preset", "keep", "--seeds", "3"], args].concat());
        assert_eq!(ran.status, 2, "{args:?}");
        assert!(ran.err.contains(why), "{}", ran.err);
    }
}

#[test]
fn a_survey_and_an_export_of_dungeons_do_not_replace_each_other() {
    let folder = Folder::empty();
    for extension in ["parquet", "jsonl"] {
        let (dungeons, survey) = (
            folder.path(&format!("a.{extension}")),
            folder.path(&format!("b.{extension}")),
        );
        let preset = ["--preset", "keep", "--seeds", "2"];
        let export = |to: &str| run(&[&["export", "--to", to], &preset[..]].concat());
        let measure = |to: &str| run(&[&["survey", "--output", to], &preset[..]].concat());
        assert_eq!((export(&dungeons).status, measure(&survey).status), (0, 0));
        for (ran, what) in [(export(&survey), "a survey"), (measure(&dungeons), "many dungeons")] {
            assert_eq!(ran.status, 2);
            assert!(ran.err.contains(what) && ran.err.contains("--force"), "{}", ran.err);
        }
    }
}

#[cfg(unix)]
#[test]
fn an_interrupted_stream_is_reported_as_incomplete() {
    use std::io::Read as _;
    use std::process::{Command, Stdio};
    let mut child = program()
        .args(["export", "--preset", "keep", "--seeds", "100000000", "--to", "-"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut stdout = child.stdout.take().expect("a pipe");
    stdout.read_exact(&mut [0; 100]).expect("the first dungeon");
    let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(kill.expect("`kill` runs").success());
    std::io::copy(&mut stdout, &mut std::io::sink()).expect("the rest");
    let mut err = String::new();
    let mut stderr = child.stderr.take().expect("a pipe");
    stderr.read_to_string(&mut err).expect("text");
    assert_eq!(child.wait().expect("it ends").code(), Some(130), "{err}");
    assert!(err.contains("interrupted; the output is incomplete"), "{err}");
}
