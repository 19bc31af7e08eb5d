//! `wallcrawler atlas`: the search, its file, and the designs that it leads to.

use super::*;

/// A small search: 240 candidates, 40 of them bred from the first 200.
const SEARCH: [&str; 13] = [
    "atlas",
    "--preset",
    "weave",
    "--x",
    "path",
    "--y",
    "dead-ends",
    "--candidates",
    "240",
    "--seeds",
    "2",
    "--move",
    "MaxAge,CorridorWidth,ChangeDirProb",
];

/// Runs the search with other options, which replace those of the same names.
fn searched(more: &[&str]) -> Ran {
    let mut args = vec![SEARCH[0]];
    let options = SEARCH[1..].chunks(2).filter(|pair| !more.contains(&pair[0]));
    args.extend(options.flatten());
    args.extend(more);
    run(&args)
}

#[track_caller]
fn printed(more: &[&str]) -> String {
    let ran = searched(more);
    assert_eq!(ran.status, 0, "{more:?}: {}", ran.err);
    ran.out
}

/// Returns the fields of a CSV file, row by row.
fn rows(csv: &str) -> Vec<Vec<&str>> {
    csv.lines().map(|line| line.split(',').collect()).collect()
}

#[test]
fn the_map_shows_the_design_and_a_file_is_resumed_to_the_same_cells() {
    let map = printed(&[]);
    let expected = "240 candidates tried, ";
    assert!(
        map.lines().nth(1).is_some_and(|line| line.starts_with(expected)),
        "{map}"
    );
    assert!(map.contains("@@") && map.contains("path (steps)"), "{map}");
    let folder = Folder::empty();
    let file = &*folder.path("atlas.json");
    let some = printed(&["--file", file, "--candidates", "200"]);
    assert!(some.contains("200 candidates tried"), "{some}");
    let one = printed(&["--candidates", "1"]);
    assert!(one.contains("\n1 candidate tried, "), "{one}");
    assert_eq!(printed(&["--file", file]), map);
    // Nothing is left to search.
    let before = std::fs::read(file).expect("the atlas");
    assert_eq!(printed(&["--file", file]), map);
    assert_eq!(std::fs::read(file).expect("the atlas"), before);
}

#[test]
fn a_picked_cell_becomes_a_design_whose_dungeons_match_it() {
    let folder = Folder::empty();
    let [file, design] = ["atlas.json", "picked.toml"].map(|name| folder.path(name));
    let [file, design] = [&*file, &*design];
    let csv = printed(&["--file", file, "--csv"]);
    let rows = rows(&csv);
    let header = ["path", "dead_ends", "seed", "met", "expectations", "max_age_0"];
    assert_eq!(rows[0][..6], header);
    // The cell with the shortest paths.
    let path = |row: &Vec<&str>| row[0].parse::<f64>().expect("a number");
    let near = rows[1..].iter().min_by(|a, b| path(a).total_cmp(&path(b)));
    let near = near.expect("a cell");
    let place = format!("{},{}", near[0], near[1]);
    let shown = printed(&["--file", file, "--pick", &place, "--output", design]);
    assert!(
        shown.starts_with(&format!("path {}, dead-ends {} (", near[0], near[1])),
        "{shown}"
    );
    assert!(
        shown.contains(&format!("a typical dungeon has the seed {}", near[2])),
        "{shown}"
    );
    // Other seeds have shorter paths than those of the preset.
    let median = |design: &[&str]| {
        let json = run(&[
            &[
                "curve",
                "--over",
                "maxCrawlers",
                "--values",
                "500",
                "--metrics",
                "path",
                "--json",
            ],
            design,
        ]
        .concat());
        assert_eq!(json.status, 0, "{}", json.err);
        let all: serde_json::Value = serde_json::from_str(&json.out).expect("JSON");
        all["points"][0]["mean"].as_f64().expect("a mean")
    };
    let [before, after] = [median(&["--preset", "weave"]), median(&[design])];
    assert!(after < before - 50.0, "{before} {after} {shown}");
    let picture = folder.path("atlas.png");
    let ran = searched(&["--file", file, "--to", &picture]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    assert!(std::fs::read(picture).expect("a picture").starts_with(b"\x89PNG"));
}

#[test]
fn expectations_of_a_cell_are_counted_as_met_because_so_few_seeds_cannot_decide_them() {
    let folder = Folder::empty();
    let design = folder.path("picked.toml");
    let small = ["--preset", "catacombs", "--candidates", "60"];
    let shown = printed(&[&small[..], &["--pick", "252,33", "--output", &design]].concat());
    let first = shown.lines().next().expect("a line");
    let seeds = ["--seeds", "1000000..1000020", "--json"];
    let checked = run(&[&["check", &design][..], &seeds].concat());
    let all: serde_json::Value = serde_json::from_str(&checked.out).expect("JSON");
    let found = all["checked"][0]["over_seeds"]["expectations"]
        .as_array()
        .expect("a list");
    let met = found.iter().filter(|one| one["holds_here"] == true).count();
    let text = format!(", {met} of {} expectations met", found.len());
    assert!(first.ends_with(&text), "{shown}\n{}", checked.out);
    let undecided = |one: &serde_json::Value| one["holds_here"] == true && one["outcome"] == "needs_more_seeds";
    assert!(found.iter().any(undecided), "{all}");
    let map = printed(&small);
    assert!(map.contains("all expectations met   ░░ not all met"), "{map}");
}

#[test]
fn an_atlas_of_another_design_is_not_resumed_and_no_other_file_is_replaced() {
    let folder = Folder::empty();
    let name = &*folder.path("atlas.json");
    printed(&["--file", name]);
    for (change, what) in [
        (&["--x", "fill"][..], "--x"),
        (&["--seeds", "3"], "--seeds"),
        (&["--seed", "98765"], "--seed"),
        (&["--random"], "--random"),
        (&["--expect", "path > 50"], "expectations"),
        (&["--change", "MaxAge -> 9"], "design"),
    ] {
        let ran = searched(&[&["--file", name], change].concat());
        assert_eq!(ran.status, 2, "{change:?}");
        assert!(
            ran.err.contains(what) && ran.err.contains("choose another file"),
            "{}",
            ran.err
        );
    }
    for content in ["my notes", "{}", "{\"format\": \"wallcrawler atlas 1\"}", "[1, 2"] {
        std::fs::write(name, content).expect("written");
        let ran = searched(&["--file", name]);
        assert_eq!(ran.status, 2, "{content}");
        assert!(ran.err.contains("is not an atlas"), "{}", ran.err);
        assert_eq!(std::fs::read_to_string(name).expect("text"), content);
    }
}

#[test]
fn wrong_arguments_are_named() {
    for (more, message) in [
        (&["--x", "pathh"][..], "pathh"),
        (&["--x", "path / 2"], "an axis of an atlas is one metric"),
        (&["--x", "path > 3"], "--x"),
        (&["--pick", "3"], "40,12.5"),
        (&["--pick", "3,x"], "40,12.5"),
        (&["--output", "a.toml"], "--pick"),
        (&["--breed", "3,4"], "2 values"),
        (&["--breed", "3,4", "5,6", "--pick", "3,4"], "--pick"),
        (&["--move", "Maxage,qqq"], "qqq"),
    ] {
        let ran = searched(more);
        assert_eq!(ran.status, 2, "{more:?}");
        assert!(ran.err.contains(message), "{more:?}: {}", ran.err);
    }
}

#[test]
fn a_picture_that_would_not_be_a_png_is_refused_before_the_search() {
    let folder = Folder::empty();
    for name in ["atlas.svg", "atlas.pdf"] {
        let picture = folder.path(name);
        // If the search came first, it would take hours.
        let ran = searched(&["--to", &picture, "--candidates", "10000000"]);
        assert_eq!(ran.status, 2, "{}", ran.err);
        assert!(
            ran.err.contains("the picture must be a PNG; choose a file such as"),
            "{}",
            ran.err
        );
        assert!(!std::path::Path::new(&picture).exists());
    }
}

#[test]
fn outputs_in_missing_folders_are_refused_before_the_search() {
    let folder = Folder::empty();
    let missing = folder.path("missing");
    // If the search came first, it would take hours.
    for output in [
        &["--file", "@"][..],
        &["--to", "@"],
        &["--pick", "3,4", "--output", "@.toml"],
    ] {
        let path = format!("{missing}/atlas");
        let output: Vec<String> = output.iter().map(|part| part.replace('@', &path)).collect();
        let mut more: Vec<&str> = output.iter().map(String::as_str).collect();
        more.extend(["--candidates", "10000000"]);
        let ran = searched(&more);
        assert_eq!(ran.status, 2, "{more:?}: {}", ran.err);
        assert!(ran.err.contains("does not exist; create it first"), "{}", ran.err);
    }
}

#[test]
fn the_child_of_two_cells_lies_between_them_and_becomes_a_design() {
    let folder = Folder::empty();
    let [file, design] = ["atlas.json", "child.toml"].map(|name| folder.path(name));
    let [file, design] = [&*file, &*design];
    let csv = printed(&["--file", file, "--csv"]);
    let rows = rows(&csv);
    let path = |row: &&Vec<&str>| row[0].parse::<f64>().expect("a number");
    let by_path = |a: &&Vec<&str>, b: &&Vec<&str>| path(a).total_cmp(&path(b));
    let low = rows[1..].iter().min_by(by_path).expect("a cell");
    let high = rows[1..].iter().max_by(by_path).expect("a cell");
    let [a, b] = [low, high].map(|row| format!("{},{}", row[0], row[1]));
    let shown = printed(&["--file", file, "--breed", &a, &b, "--output", design]);
    let about = format!(
        "of two cells (path {}, dead-ends {}; path {}, dead-ends {}); the one nearest to the midpoint:",
        low[0], low[1], high[0], high[1]
    );
    assert!(
        shown.lines().next().is_some_and(|line| line.ends_with(&about)),
        "{shown}"
    );
    // Each generation comes from one of the parents, and each parent contributes at least one.
    let child: Design = folder.text("child.toml").parse().expect("a design");
    let mut of = [false; 2];
    for (number, generation) in child.character.generations.iter().take(4).enumerate() {
        let numbers = [
            ("max_age", generation.max_age),
            ("corridor_width", generation.corridor_width),
            ("change_dir_prob", generation.change_dir_prob),
        ];
        let is_of = |parent: &[&str]| {
            numbers.iter().all(|(name, value)| {
                let column = rows[0].iter().position(|column| *column == format!("{name}_{number}"));
                parent[column.expect("a column")] == value.to_string()
            })
        };
        assert!(is_of(low) || is_of(high), "generation {number} is of neither:\n{shown}");
        of[0] |= !is_of(high);
        of[1] |= !is_of(low);
    }
    assert!(of[0] && of[1], "{shown}");
    // A cell has no child with itself.
    let ran = searched(&["--file", file, "--breed", &a, &a]);
    assert_eq!(ran.status, 1, "{}", ran.err);
    assert!(ran.err.contains("choose cells farther apart"), "{}", ran.err);
}

/// Returns the number of cells that a search of *catacombs* fills: over the seeds of the search, and over fresh ones.
fn filled(seed: u64, more: &[&str]) -> [usize; 2] {
    let folder = Folder::empty();
    let file = folder.path("atlas.json");
    let mut args = vec![
        "atlas",
        "--preset",
        "catacombs",
        "--x",
        "loops",
        "--y",
        "dead-ends",
        "--candidates",
        "2500",
    ];
    let seed = seed.to_string();
    args.extend(["--seed", &seed, "--file", &file, "--csv"]);
    args.extend(more);
    let ran = run(&args);
    assert_eq!(ran.status, 0, "{}", ran.err);
    let all: serde_json::Value = serde_json::from_str(&folder.text("atlas.json")).expect("JSON");
    ["cells", "verified"].map(|name| all[name].as_array().expect("cells").len())
}

/// Prints how many cells elites and random candidates fill in ten runs.
#[test]
#[ignore = "measures for minutes; see CONTRIBUTING.md"]
fn elites_fill_two_and_a_half_times_the_cells_of_random_candidates() {
    let mut ratios = Vec::new();
    for seed in 1..=10 {
        let [elites, random] = [&[][..], &["--random"]].map(|more| filled(seed, more));
        ratios.push(elites[1] as f64 / random[1] as f64);
        println!("seed {seed}: elites {elites:?}, random {random:?} (over the search's seeds, over fresh ones)");
    }
    ratios.sort_by(f64::total_cmp);
    let median = f64::midpoint(ratios[4], ratios[5]);
    println!("cells over fresh seeds, elites to random: median {median:.2}, {ratios:.2?}");
    assert!(median >= 2.5, "{median}");
}
