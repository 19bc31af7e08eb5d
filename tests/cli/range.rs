//! `wallcrawler range`: a survey's file gives the same map as its seeds, every format has the same cells, and samples
//! are in their cells.

use super::{Folder, run};
use wallcrawler::presets::Preset;

const AXES: [&str; 4] = ["--x", "path", "--y", "dead-ends"];

fn preset(name: &str) -> Folder {
    Folder::new(&Preset::find(name).expect("a preset").design())
}

fn range(args: &[&str]) -> String {
    let ran = run(&[&["range"], &AXES[..], args].concat());
    assert_eq!(ran.status, 0, "{}", ran.err);
    ran.out
}

/// Returns the rows of a table without its header.
fn rows(table: &str) -> Vec<Vec<&str>> {
    table.lines().skip(1).map(|line| line.split(',').collect()).collect()
}

#[test]
fn the_map_of_a_survey_agrees_with_its_seeds_and_samples_are_in_their_cells() {
    let folder = preset("weave");
    let (design, survey) = (folder.path("design.toml"), folder.path("survey.csv"));
    let lines = folder.path("survey.jsonl");
    let grown = range(&[&design, "--seeds", "60", "--to", "-"]);
    for file in [&survey, &lines] {
        let surveyed = run(&["survey", &design, "--seeds", "60", "--output", file]);
        assert_eq!(surveyed.status, 0, "{}", surveyed.err);
        let from = range(&["--from", file, "--to", "-"]);
        let without_rows: Vec<&str> = from
            .lines()
            .map(|line| line.rsplit_once(',').expect("a row").0)
            .collect();
        assert_eq!(without_rows, grown.lines().collect::<Vec<_>>());
    }
    let table = std::fs::read_to_string(survey).expect("a survey");
    let header: Vec<&str> = table.lines().next().expect("a header").split(',').collect();
    let column = |name: &str| {
        let is_named = |column: &&str| column.replace('_', "-") == name;
        header.iter().position(is_named).expect("a column")
    };
    let [path, ends] = ["path", "dead-ends"].map(column);
    let cells = rows(&grown);
    let number = |text: &str| text.parse::<f64>().expect("a number");
    let mut dungeons = 0.0;
    for cell in &cells {
        assert_eq!((cell[0], cell[3]), ("path", "dead-ends"));
        let sample: Vec<&str> = table
            .lines()
            .find(|line| line.starts_with(&format!("{},", cell[7])))
            .expect("the sample's row")
            .split(',')
            .collect();
        assert!(
            (number(cell[1])..number(cell[2])).contains(&number(sample[path])),
            "{cell:?}"
        );
        assert!(
            (number(cell[4])..number(cell[5])).contains(&number(sample[ends])),
            "{cell:?}"
        );
        dungeons += number(cell[6]);
    }
    assert_eq!(dungeons.to_string(), "60");
}

#[test]
fn pictures_have_a_shaded_cell_for_each_row_and_name_the_command_of_the_sample() {
    let folder = preset("weave");
    let design = folder.path("design.toml");
    let (svg, png) = (folder.path("map.svg"), folder.path("map.png"));
    let table = range(&[&design, "--seeds", "40", "--to", "-"]);
    for file in [&svg, &png] {
        range(&[&design, "--seeds", "40", "--to", file]);
        // An earlier map is replaced, another file is not.
        range(&[&design, "--seeds", "40", "--to", file]);
    }
    let refused = run(&[
        "range", &design, "--x", "path", "--y", "fill", "--seeds", "2", "--to", &design, "--as", "svg",
    ]);
    assert_eq!(refused.status, 2);
    let text = std::fs::read_to_string(&svg).expect("a picture");
    let hints: Vec<&str> = text
        .lines()
        .filter(|line| line.starts_with("<rect") && line.contains("<title>"))
        .collect();
    let cells = rows(&table);
    assert_eq!(hints.len(), cells.len());
    // A shell would interpret the backslashes of a path of Windows.
    let quote = if design.contains('\\') { "'" } else { "" };
    for (hint, cell) in hints.iter().zip(&cells) {
        let command = format!("such as wallcrawler {quote}{design}{quote} --seed {}</title>", cell[7]);
        assert!(hint.contains(&command), "{hint} {command}");
    }
    let reader = png::Decoder::new(std::io::BufReader::new(std::fs::File::open(&png).expect("a file")));
    let info = reader.read_info().expect("a PNG file");
    let (wide, high) = (info.info().width, info.info().height);
    assert!(
        text.contains(&format!("viewBox=\"0 0 {wide} {high}\"")),
        "{wide} {high}"
    );
}

#[test]
fn short_axes_have_labels_in_the_text() {
    let folder = preset("keep");
    let table = folder.path("table.csv");
    let printed = |rows: &str| {
        std::fs::write(&table, format!("path,dead-ends\n{rows}")).expect("a file");
        let text = range(&["--from", &table]);
        let map = text.lines().skip(3).take_while(|line| !line.is_empty());
        map.map(str::trim_end).collect::<Vec<_>>().join("\n")
    };
    let axes = "path (steps)";
    assert_eq!(
        printed("140,7\n"),
        format!("dead-ends (ends)\n7 │▒▒\n  └──\n   140\n   {axes}")
    );
    assert_eq!(
        printed("3,0\n"),
        format!("dead-ends (ends)\n0 │▒▒\n  └──\n    3\n   {axes}")
    );
    assert_eq!(
        printed("0,1\n1,0\n"),
        format!("dead-ends (ends)\n1 │▒▒\n0 │  ▒▒\n  └────\n    0 1\n   {axes}")
    );
}

#[test]
fn the_command_of_a_sample_grows_the_same_dungeon_as_the_map() {
    let folder = Folder::empty();
    let svg = folder.path("map.svg");
    for (more, show) in [
        (&["--no-columns"][..], "grow --preset weave --no-columns"),
        (&["--entrance", "1,5"], "grow --preset weave"),
    ] {
        range(&[&["--preset", "weave", "--seeds", "5", "--to", &svg], more].concat());
        let text = folder.text("map.svg");
        let samples = text.matches("such as ").count();
        let command = format!("such as wallcrawler {show} --seed ");
        assert!(samples > 0 && text.matches(&command).count() == samples, "{text}");
    }
}

#[test]
fn a_background_is_refused_without_a_file() {
    let folder = preset("keep");
    let design = folder.path("design.toml");
    let ran = run(&[&["range", &design, "--seeds", "2", "--on", "dark"], &AXES[..]].concat());
    assert_eq!((ran.status, ran.out.as_str()), (2, ""), "{}", ran.err);
    assert!(ran.err.contains("--output"), "{}", ran.err);
}

#[test]
fn options_about_the_growth_are_refused_with_a_table() {
    let folder = preset("keep");
    let (design, table) = (folder.path("design.toml"), folder.path("table.csv"));
    std::fs::write(&table, "seed,path,dead-ends\n1,140,7\n").expect("a file");
    for option in [
        &["--change", "MaxAge -> 3"][..],
        &["--entrance", "1,5"],
        &["--exit", "1,5"],
        &["--seed", "7"],
        &["--where", "reachable"],
        &["--shard", "1/2"],
        &["--threads", "1"],
        &["--no-columns"],
    ] {
        let ran = run(&[&["range", &design, "--from", &table], &AXES[..], option].concat());
        assert_eq!((ran.status, ran.out.as_str()), (2, ""), "{option:?}");
        assert!(
            ran.err.contains(option[0]) && ran.err.contains("no effect with --from"),
            "{}",
            ran.err
        );
    }
}

#[test]
fn expressions_can_be_axes_and_mistakes_are_reported() {
    let folder = preset("keep");
    let design = folder.path("design.toml");
    let ran = run(&[
        "range",
        &design,
        "--x",
        "path / squares",
        "--y",
        "reachable",
        "--seeds",
        "20",
        "--bins",
        "8x4",
    ]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    assert!(
        ran.out.contains("reachable (0 no, 1 yes)") && ran.out.contains("path / squares"),
        "{}",
        ran.out
    );
    let text = run(&["range", &design, "--x", "pth", "--y", "fill", "--seeds", "2"]);
    assert!(
        text.status == 2 && text.err.contains("did you mean `path`"),
        "{}",
        text.err
    );
    for wrong in [
        &["--bins", "1x4"][..],
        &["--to", "map.jpg"],
        &["--as", "svg"],
        &["--from", "none.csv"],
    ] {
        assert_eq!(run(&[&["range"], &AXES[..], wrong].concat()).status, 2, "{wrong:?}");
    }
    let table = folder.path("words.csv");
    std::fs::write(&table, "path,dead-ends\n1,many\n").expect("a file");
    let ran = run(&[&["range", "--from", &*table], &AXES[..]].concat());
    assert!(
        ran.status == 2 && ran.err.contains("words.csv:2: `many` is not a number"),
        "{}",
        ran.err
    );
    std::fs::write(&table, "path,dead-ends\n,3\n").expect("a file");
    let ran = run(&[&["range", "--from", &*table], &AXES[..]].concat());
    assert!(ran.status == 1 && ran.err.contains("no dungeon"), "{}", ran.err);
}

#[test]
fn expressions_are_not_rounded_before_they_are_counted() {
    let folder = preset("weave");
    let (design, survey) = (folder.path("design.toml"), folder.path("survey.csv"));
    let axes = ["path / squares", "loops / squares / 1000"];
    let map = |more: &[&str]| {
        let ran = run(&[&["range", "--x", axes[0], "--y", axes[1], "--to", "-"], more].concat());
        assert_eq!(ran.status, 0, "{}", ran.err);
        ran.out
    };
    let grown = map(&[&design, "--seeds", "100"]);
    let metrics = "path,squares,loops";
    let surveyed = run(&[
        "survey",
        &design,
        "--seeds",
        "100",
        "--metrics",
        metrics,
        "--output",
        &survey,
    ]);
    assert_eq!(surveyed.status, 0, "{}", surveyed.err);
    let table = std::fs::read_to_string(&survey).expect("a survey");
    let number = |text: &str| text.parse::<f64>().expect("a number");
    let header: Vec<&str> = table.lines().next().expect("a header").split(',').collect();
    let columns = ["path", "squares", "loops"].map(|name| header.iter().position(|found| *found == name));
    let columns = columns.map(|column| column.expect("a column"));
    // Each dungeon's seed and its values, also as a table with as many decimals as Rust prints.
    let mut values = String::from("seed,path / squares,loops / squares / 1000\n");
    let dungeons: Vec<[f64; 2]> = rows(&table)
        .iter()
        .filter(|row| !row[columns[0]].is_empty())
        .map(|row| {
            let [path, squares, loops] = columns.map(|column| number(row[column]));
            let [x, y] = [path / squares, loops / squares / 1000.0];
            values += &format!("{},{x},{y}\n", row[0]);
            [x, y]
        })
        .collect();
    folder.put("values.csv", &values);
    let read = map(&["--from", &folder.path("values.csv")]);
    let mut counted = 0;
    for map in [&grown, &read] {
        let cells = rows(map);
        assert!(cells.len() > 20, "{map}");
        for cell in &cells {
            let is_in = |values: &&[f64; 2]| {
                let [x, y] = [1, 4].map(|low| number(cell[low])..number(cell[low + 1]));
                x.contains(&values[0]) && y.contains(&values[1])
            };
            let inside = dungeons.iter().filter(is_in).count();
            assert_eq!(inside.to_string(), cell[6], "{cell:?}");
            counted += inside;
        }
    }
    assert_eq!(counted, 2 * dungeons.len());
}
