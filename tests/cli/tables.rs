//! Tables of dungeons: the origin of each row, names and types of columns, and formats that other programs read.

use std::io::{BufRead as _, BufReader};

use arrow_ipc::reader::StreamReader;
use parquet::basic::Compression;
use parquet::file::reader::{FileReader as _, SerializedFileReader};
use parquet::record::Field;
use wallcrawler::design::expect::{METRICS, SIGHT_METRICS};
use wallcrawler::design::{Room, VaultEntry};
use wallcrawler::engine::SEED_CATALOG;
use wallcrawler::format::Text;

use super::*;

const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Runs a command that must succeed and returns what it prints.
#[track_caller]
fn printed(args: &[&str]) -> String {
    let ran = run(args);
    assert_eq!(ran.status, 0, "{args:?}: {}", ran.err);
    ran.out
}

/// Runs a survey of three seeds, which must be refused with a reason.
#[track_caller]
fn refused(args: &[&str], reason: &str) {
    let ran = run(&[&["survey", "--seeds", "3"], args].concat());
    assert_eq!(ran.status, 2, "{args:?}: {}", ran.err);
    assert!(ran.err.contains(reason), "{args:?}: {}", ran.err);
}

/// Returns the values of a column of CSV.
fn column<'a>(csv: &'a str, name: &str) -> Vec<&'a str> {
    let mut lines = csv.lines().map(|line| line.split(','));
    let at = lines.next().and_then(|mut names| names.position(|found| found == name));
    let at = at.unwrap_or_else(|| panic!("no column {name}"));
    lines.map(|mut cells| cells.nth(at).expect("a cell")).collect()
}

#[test]
fn rows_carry_the_digest_of_the_design_and_the_edition_that_grew_them() {
    let folder = Folder::new(&design());
    let toml = folder.path("design.toml");
    let survey = |args: &[&str]| printed(&[&["survey", "--seeds", "2", "--output", "-"], args].concat());
    let digest = |args: &[&str]| printed(&[&["design-digest"], args].concat()).trim().to_owned();
    let own = digest(&[&toml]);
    for args in [
        &[&toml[..]][..],
        &[&toml, "--change", "MaxAge -> 3"],
        &[&toml, "--no-columns"],
        &[&toml, "--entrance", "1,1"],
    ] {
        let csv = survey(args);
        assert!(csv.starts_with("seed,design,version,seed_catalog,reachable,"), "{csv}");
        let digest = digest(args);
        assert_eq!(column(&csv, "design"), [&digest, &digest], "{args:?}");
        assert_eq!(digest == own, args.len() == 1, "{args:?}");
        assert_eq!(column(&csv, "version"), [VERSION; 2]);
        assert_eq!(column(&csv, "seed_catalog"), [(); 2].map(|()| SEED_CATALOG.to_string()));
    }
    // The digest does not depend on values that affect no metric, nor on the kind of file.
    let mut other = design();
    (other.name, other.notes, other.seed) = ("x".into(), "y".into(), 99);
    other.expect.that.push("path > 3".into());
    folder.put("other.toml", &native::write(&other));
    assert_eq!(digest(&[&folder.path("other.toml")]), own);
    assert_eq!(
        digest(&["--rooms", &folder.path("rooms"), "--stats", &folder.path("stats")]),
        own
    );
    other.layout.size.x += 1;
    folder.put("other.toml", &native::write(&other));
    assert_ne!(digest(&[&folder.path("other.toml")]), own);
    let json: serde_json::Value = serde_json::from_str(&printed(&["design-digest", &toml, "--json"])).expect("JSON");
    assert_eq!(
        (&json["design"], &json["version"], &json["seed_catalog"]),
        (&own.into(), &VERSION.into(), &SEED_CATALOG.into())
    );
}

#[test]
fn the_digest_changes_with_a_level_file() {
    let folder = Folder::empty();
    let mut with_vault = design();
    with_vault.layout.vaults.push(VaultEntry {
        file: "own.des".into(),
        ..VaultEntry::default()
    });
    folder.put("vault.toml", &native::write(&with_vault));
    let digest = |map: &str| {
        folder.put("own.des", &format!("NAME: one\nTAGS: x\nMAP\n{map}\nENDMAP\n"));
        printed(&["design-digest", &folder.path("vault.toml")])
    };
    assert_ne!(digest("x.x"), digest("..x"));
    assert_eq!(digest("x.x"), digest("x.x"));
}

#[test]
fn rows_of_another_version_are_refused_and_kept() {
    let folder = Folder::new(&design());
    let toml = folder.path("design.toml");
    let rows = folder.path("rows.csv");
    let args = [&toml[..], "--output", &rows];
    let whole = printed(&[&["survey", "--seeds", "3"], &args[..]].concat());
    assert!(whole.contains("3 dungeons"));
    let csv = folder.text("rows.csv");
    let own = format!(",{VERSION},{SEED_CATALOG},");
    let other = csv.replace(&own, &format!(",{VERSION},{},", SEED_CATALOG + 1));
    folder.put("rows.csv", &other);
    refused(&args, "rows.csv:2: the row was written by version");
    assert_eq!(folder.text("rows.csv"), other);
    folder.put("rows.csv", &csv.replace(&own, &format!(",0.0.1,{SEED_CATALOG},")));
    refused(&args, "0.0.1 with seed catalogue");
    // Only the columns that version 0.1 had before its release.
    let old: String = csv
        .lines()
        .map(|line| line.replace(",version,seed_catalog", "").replacen(&own, ",", 1) + "\n")
        .collect();
    let rows_alone: String = old.lines().skip(1).map(|line| line.to_owned() + "\n").collect();
    for (text, why) in [
        (
            old,
            "rows.csv already exists: it is a file that this command did not write",
        ),
        (
            rows_alone,
            "rows.csv:1: the file has columns that differ from those of this run, so it was written",
        ),
    ] {
        folder.put("rows.csv", &text);
        refused(&args, why);
        assert_eq!(folder.text("rows.csv"), text);
    }
}

#[test]
fn a_table_that_cannot_be_resumed_is_refused_with_the_cause() {
    let folder = Folder::new(&design());
    let toml = folder.path("design.toml");
    for name in ["rows.csv", "rows.jsonl", "rows.parquet"] {
        let file = folder.path(name);
        let survey = |metrics: &str| {
            printed(&[
                "survey",
                &toml,
                "--seeds",
                "2",
                "--fresh",
                "-o",
                &file,
                "--metrics",
                metrics,
            ])
        };
        let why = "so it was written with other metrics, for another design, or by another version";
        survey("path");
        let missing = format!("the file has no column `fill`, {why}");
        refused(&[&toml, "-o", &file, "--metrics", "path,fill"], &missing);
        survey("path,fill");
        let additional = format!("the file has the column `fill`, which this run does not write, {why}");
        refused(&[&toml, "-o", &file, "--metrics", "path"], &additional);
    }
    let file = folder.path("rows.csv");
    let args = [&toml[..], "-o", &file, "--metrics", "path,fill"];
    let text = folder.text("rows.csv");
    folder.put("rows.csv", &text.replace('\n', "\r\n"));
    refused(&args, "rows.csv:1: the line ends with CR LF, so another program");
    folder.put("rows.csv", &text.replacen('\n', "\n1,2\n", 1));
    refused(&args, "rows.csv:2: the row does not fit the columns of the table");
    let (_, rows) = text.split_once('\n').expect("a header");
    folder.put("rows.csv", rows);
    refused(
        &args,
        "rows.csv:1: the line of column names is missing, as in a file written for a later shard",
    );
}

#[cfg(unix)]
#[test]
fn a_complete_table_is_read_without_permission_to_write_it() {
    use std::os::unix::fs::PermissionsExt as _;
    use std::os::unix::process::CommandExt as _;
    let folder = Folder::new(&design());
    let mode = |path: &str, mode| {
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).expect("the owner may");
    };
    let root = folder.path(".");
    let toml = folder.path("design.toml");
    for name in ["rows.csv", "rows.jsonl", "rows.parquet"] {
        let file = folder.path(name);
        let survey = |seeds: &str, more: &[&str]| {
            let mut command = program();
            command
                .args(["survey", &toml, "--seeds", seeds, "-o", &file])
                .args(more);
            // Permissions do not restrict root.
            if std::fs::metadata("/proc/self").is_ok_and(|found| std::os::unix::fs::MetadataExt::uid(&found) == 0) {
                command.uid(65534).gid(65534);
            }
            command.output()
        };
        let table = printed(&["survey", &toml, "--seeds", "4", "-o", &file, "--quiet"]);
        let before = std::fs::read(&file).expect("a table");
        mode(&file, 0o444);
        mode(&root, 0o555);
        let outputs =
            ["4", "6", "4"].map(|seeds| survey(seeds, if seeds == "4" { &[] } else { &["--progress", "json"] }));
        let fresh = survey("4", &["--fresh"]);
        mode(&root, 0o755);
        mode(&file, 0o644);
        let Ok(fresh) = fresh else {
            println!("not checked: another user cannot run the program");
            return;
        };
        let [complete, extended, again] = outputs.map(|output| output.expect("it ran before"));
        let message = |output: &std::process::Output| String::from_utf8_lossy(&output.stderr).into_owned();
        for output in [&complete, &again] {
            assert_eq!(output.status.code(), Some(0), "{name}: {}", message(output));
            assert_eq!(message(output), "4 rows were already in the file\n");
            assert_eq!(String::from_utf8_lossy(&output.stdout), table, "{name}");
        }
        for (output, advice) in [
            (
                &extended,
                "rows are missing from it: make it writable, or continue with a copy",
            ),
            (&fresh, "make it writable, or choose another file"),
        ] {
            assert_eq!(output.status.code(), Some(2), "{name}");
            let wanted = format!("error: cannot write {file}: permission denied; {advice}\n");
            assert_eq!(message(output), wanted);
        }
        assert_eq!(std::fs::read(&file).expect("a table"), before, "{name}");
    }
}

#[test]
fn a_table_named_as_a_folder_is_refused() {
    let folder = Folder::new(&design());
    let (toml, here) = (folder.path("design.toml"), folder.path("."));
    let message = format!("error: {here} is not a regular file; choose another path\n");
    refused(&[&toml, "-o", &here], &message);
    refused(&[&toml, "-o", &here, "--fresh"], &message);
}

#[test]
fn a_run_with_a_condition_is_refused_only_if_it_would_resume() {
    let folder = Folder::new(&design());
    let (toml, file) = (folder.path("design.toml"), folder.path("rows.csv"));
    let args = [&toml[..], "--where", "path >= 0", "-o", &file];
    folder.put("rows.csv", "a note\n");
    refused(&args, "pass --force to replace it");
    printed(&[&["survey", "--seeds", "3", "--force"], &args[..]].concat());
    assert!(folder.text("rows.csv").starts_with("seed,"));
    refused(&args, "a run with --where cannot be resumed; pass --fresh");
    printed(&[&["survey", "--seeds", "3", "--fresh"], &args[..]].concat());
    // Rows are never resumed after the content of standard output.
    #[cfg(target_os = "linux")]
    {
        let all = std::fs::File::options().append(true).open(&file).expect("a table");
        let mut command = program();
        command.args([
            "survey",
            "--seeds",
            "3",
            &toml,
            "--where",
            "path >= 0",
            "-o",
            "/dev/stdout",
        ]);
        assert!(command.stdout(all).status().expect("the program runs").success());
        assert_eq!(folder.text("rows.csv").matches("seed,design,").count(), 2);
    }
}

#[test]
fn options_for_rows_need_an_output() {
    let folder = Folder::new(&design());
    let toml = folder.path("design.toml");
    refused(&[&toml, "--format", "csv"], "--output <FILE>");
    refused(&[&toml, "--header", "always"], "--output <FILE>");
    refused(
        &[&toml, "-o", "-", "--correlation"],
        "--correlation prints a table, which would be mixed with the rows",
    );
}

#[test]
fn the_extension_of_a_table_may_be_in_upper_case() {
    let folder = Folder::new(&design());
    for (name, begin) in [("rows.PARQUET", "PAR1"), ("rows.Jsonl", "{"), ("rows.CSV", "seed,")] {
        let file = folder.path(name);
        printed(&["survey", &folder.path("design.toml"), "--seeds", "2", "-o", &file]);
        let bytes = std::fs::read(&file).expect("a file");
        assert!(bytes.starts_with(begin.as_bytes()), "{name}");
    }
}

#[test]
fn columns_are_identifiers_that_conditions_accept() {
    let folder = Folder::new(&design());
    let toml = folder.path("design.toml");
    let csv = printed(&["survey", &toml, "--seeds", "1", "--output", "-"]);
    let names: Vec<&str> = csv.lines().next().expect("a header").split(',').collect();
    for name in &names {
        let is_part = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
        assert!(
            name.starts_with(|c: char| c.is_ascii_lowercase()) && name.chars().all(is_part),
            "{name}"
        );
    }
    for info in METRICS {
        let identifier = info.name.replace('-', "_");
        assert!(names.contains(&&*identifier), "{identifier}");
        let found = |name: &str| printed(&["find", &toml, "--where", &format!("{name} >= 0"), "--seeds", "5"]);
        if !info.is_truth && info.name != "detour" && info.name != "path" {
            assert_eq!(found(&identifier), found(info.name), "{identifier}");
        }
    }
}

#[test]
fn the_header_is_written_on_request() {
    let folder = Folder::new(&design());
    let toml = folder.path("design.toml");
    let survey = |args: &[&str]| printed(&[&["survey", &toml, "--seeds", "4", "--output", "-"], args].concat());
    let whole = survey(&[]);
    let (header, rows) = whole.split_once('\n').expect("a header");
    assert_eq!(survey(&["--header", "never"]), rows);
    assert_eq!(survey(&["--header", "always"]), whole);
    let shard = |k: u32, header: &str| survey(&["--shard", &format!("{k}/2"), "--header", header]);
    assert_eq!(shard(1, "first") + &shard(2, "first"), whole);
    assert_eq!(shard(2, "always"), format!("{header}\n{}", shard(2, "never")));
    // A file is resumed whether it has a header or not.
    let file = folder.path("rows.csv");
    for (before, after, existing) in [("always", "never", &whole[..]), ("never", "never", rows)] {
        printed(&[
            "survey", &toml, "--seeds", "2", "-o", &file, "--fresh", "--header", before,
        ]);
        printed(&["survey", &toml, "--seeds", "4", "-o", &file, "--header", after]);
        assert_eq!(folder.text("rows.csv"), existing);
    }
    refused(
        &[&toml, "-o", &file, "--header", "always"],
        "rows.csv:1: the line of column names",
    );
    refused(
        &[&toml, "-o", "-", "--format", "jsonl", "--header", "never"],
        "--header applies to CSV only",
    );
}

#[test]
fn a_parquet_file_is_compressed_and_has_the_design() {
    let folder = Folder::new(&design());
    let path = folder.path("rows.parquet");
    let toml = folder.path("design.toml");
    let args = [
        "survey",
        &toml,
        "--seeds",
        "500",
        "--output",
        &path,
        "--change",
        "MaxAge -> 7",
    ];
    printed(&args);
    let reader = SerializedFileReader::new(std::fs::File::open(&path).expect("a file")).expect("Parquet");
    let metadata = reader
        .metadata()
        .file_metadata()
        .key_value_metadata()
        .expect("metadata");
    let value = |key: &str| {
        let found = metadata.iter().find(|one| one.key == key);
        found
            .and_then(|one| one.value.clone())
            .unwrap_or_else(|| panic!("no {key}"))
    };
    let parsed = native::parse(&Text::new("metadata", value("wallcrawler.design")));
    let mut changed = design();
    for generation in &mut changed.character.generations {
        generation.max_age = 7;
    }
    assert_eq!(parsed.value, changed);
    assert_eq!(value("wallcrawler.version"), VERSION);
    assert_eq!(value("wallcrawler.seed_catalog"), SEED_CATALOG.to_string());
    for column in reader.metadata().row_group(0).columns() {
        assert!(matches!(column.compression(), Compression::GZIP(_)), "{column:?}");
    }
    let first = reader
        .get_row_iter(None)
        .expect("rows")
        .next()
        .expect("a row")
        .expect("a row");
    let of = |name: &str| {
        first
            .get_column_iter()
            .find(|(found, _)| *found == name)
            .map(|(_, field)| field.clone())
    };
    assert!(matches!(of("path"), Some(Field::Int(_))), "{:?}", of("path"));
    assert!(matches!(of("fill"), Some(Field::Double(_))));
}

#[test]
fn an_arrow_stream_has_the_rows_of_the_csv_with_their_types() {
    use arrow_array::cast::AsArray as _;
    use arrow_array::types::{Float64Type, Int32Type, UInt64Type};

    let folder = Folder::new(&design());
    let toml = folder.path("design.toml");
    let csv = printed(&["survey", &toml, "--seeds", "5..305", "--output", "-"]);
    let survey = ["survey", &toml, "--seeds", "5..305", "--format", "arrow", "--output"];
    let output = program().args(survey).arg("-").output().expect("the program runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let reader = StreamReader::try_new(&output.stdout[..], None).expect("an Arrow stream");
    let schema = reader.schema();
    assert!(schema.metadata()["wallcrawler.design"].contains("format = 1"));
    let names: Vec<&str> = schema.fields().iter().map(|field| field.name().as_str()).collect();
    assert_eq!(names.join(","), csv.lines().next().expect("a header"));
    let (mut seeds, mut paths, mut fills, mut reachable) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for batch in reader {
        let batch = batch.expect("a batch");
        let column = |name: &str| batch.column_by_name(name).expect("a column");
        let shown = |value: Option<String>| value.unwrap_or_default();
        seeds.extend(
            column("seed")
                .as_primitive::<UInt64Type>()
                .iter()
                .map(|one| shown(one.map(|n| n.to_string()))),
        );
        paths.extend(
            column("path")
                .as_primitive::<Int32Type>()
                .iter()
                .map(|one| shown(one.map(|n| n.to_string()))),
        );
        fills.extend(
            column("fill")
                .as_primitive::<Float64Type>()
                .iter()
                .map(|one| shown(one.map(|n| n.to_string()))),
        );
        reachable.extend(
            column("reachable")
                .as_boolean()
                .iter()
                .map(|one| shown(one.map(|n| n.to_string()))),
        );
    }
    for (name, values) in [
        ("seed", seeds),
        ("path", paths),
        ("fill", fills),
        ("reachable", reachable),
    ] {
        assert_eq!(values, column(&csv, name), "{name}");
    }
    refused(
        &[&toml, "--format", "arrow", "--output", &folder.path("x.arrows")],
        "cannot be resumed",
    );
    // A file with this name must not get rows of CSV.
    refused(
        &[&toml, "--output", &folder.path("x.arrow")],
        "pass --format arrow --output -, or choose a .parquet file",
    );
    assert!(!Path::new(&folder.path("x.arrow")).exists());
}

#[test]
fn a_reader_of_a_pipe_sees_a_row_while_the_next_dungeon_grows() {
    let mut slow = design();
    slow.layout.size = Size::new(900, 900);
    let folder = Folder::new(&slow);
    for format in ["csv", "jsonl"] {
        let mut child = program()
            .args(["survey", &folder.path("design.toml"), "--seeds", "3", "--threads", "1"])
            .args(["--format", format, "--output", "-"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program runs");
        let lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
        let mut rows = lines.filter(|line| line.as_ref().is_ok_and(|line| !line.starts_with("seed,")));
        assert!(rows.next().is_some());
        child.kill().expect("it runs");
        assert!(rows.count() < 2, "all rows came at the end");
        child.wait().expect("it was killed");
    }
}

#[test]
fn a_survey_writes_and_prints_only_the_metrics_that_are_named() {
    let folder = Folder::new(&design());
    let toml = folder.path("design.toml");
    let survey = |args: &[&str]| printed(&[&["survey", &toml, "--seeds", "3"], args].concat());
    let all = survey(&["--sight", "--output", "-"]);
    let chosen = survey(&["--metrics", "found,dead_ends", "--output", "-"]);
    let names = [
        "seed",
        "design",
        "version",
        "seed_catalog",
        "dead_ends",
        "found",
        "anomalies",
    ];
    let header: Vec<&str> = all.lines().next().expect("a header").split(',').collect();
    let columns = names.map(|name| header.iter().position(|column| *column == name).expect("a column"));
    for (all, chosen) in all.lines().zip(chosen.lines()) {
        let all: Vec<&str> = all.split(',').collect();
        assert_eq!(columns.map(|column| all[column]).join(","), chosen);
    }
    assert_eq!(
        (chosen.lines().count(), chosen.lines().next()),
        (4, Some(&*names.join(",")))
    );

    let summary = survey(&["--metrics", "dead ends"]);
    assert!(summary.contains("dead-ends"), "{summary}");
    assert!(!summary.contains("junctions"), "{summary}");
}

#[test]
fn a_survey_prints_tables_only_for_the_columns_that_it_measures() {
    let mut design = design();
    design.layout.rooms.push(Room::default());
    let folder = Folder::new(&design);
    let toml = folder.path("design.toml");
    let survey = |metrics: &str| printed(&["survey", &toml, "--seeds", "3", "--metrics", metrics]);
    let path = survey("path");
    assert!(
        !path.contains("severed") && !path.contains("95% intervals of these counts"),
        "{path}"
    );
    let rooms = survey("room-1");
    assert!(!rooms.contains("\nmetric "), "{rooms}");
    let row = rooms.lines().find(|line| line.starts_with("room 1 "));
    assert_eq!(row.expect("a row").split_whitespace().count(), 2 + 4, "{rooms}");
}

#[test]
fn a_survey_prints_the_paths_to_places() {
    let folder = Folder::empty();
    let place = "\n[[place]]\nname = \"boss\"\nx = 5\ny = 25\n";
    folder.put("design.toml", &(native::write(&design()) + place));
    let toml = folder.path("design.toml");
    for more in [&["--metrics", "path to boss"][..], &[]] {
        let out = printed(&[&["survey", &toml, "--seeds", "3"], more].concat());
        assert!(out.contains("\npath-to-boss "), "{out}");
    }
}

#[test]
fn metrics_of_sight_are_columns_on_request() {
    let folder = Folder::new(&design());
    let toml = folder.path("design.toml");
    let survey = |args: &[&str]| printed(&[&["survey", &toml, "--seeds", "3", "--output", "-"], args].concat());
    let (plain, with) = (survey(&[]), survey(&["--sight"]));
    for (plain, with) in plain.lines().zip(with.lines()) {
        let (plain, with): (Vec<_>, Vec<_>) = (plain.split(',').collect(), with.split(',').collect());
        let last = plain.len() - 1;
        assert_eq!((&with[..last], with.last()), (&plain[..last], plain.last()));
        assert_eq!(with.len(), plain.len() + SIGHT_METRICS.len());
    }
    let header: Vec<&str> = with.lines().next().expect("a header").split(',').collect();
    let found = header.iter().position(|name| *name == "found").expect("a column");
    for (seed, row) in with.lines().skip(1).enumerate() {
        let steps = row.split(',').nth(found).expect("a cell");
        let condition = format!("found in {steps}..{steps}");
        let seeds = format!("{seed}..={seed}");
        let line = printed(&["find", &toml, "--where", &condition, "--seeds", &seeds]);
        assert!(line.contains(&format!("found {steps}")), "{line}");
    }
}
