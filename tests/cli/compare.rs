//! `wallcrawler compare`: small effects are found within seeds, nothing is found where nothing differs, and every
//! format has the same numbers.

use serde_json::Value;

use super::{Folder, Ran, run};
use wallcrawler::analysis::{Difference, MetricValues, MetricsRunner, compare_pairs};
use wallcrawler::design::{CrawlerStart, Design};
use wallcrawler::engine::Options;
use wallcrawler::geometry::{Point, Size};
use wallcrawler::presets::Preset;

/// A small edit of *weave*, whose effect is far below the differences between seeds.
const EDIT: [&str; 4] = ["--preset", "weave", "--change", "StraightSpawnProb - 10 in 1"];

fn compare(args: &[&str]) -> Ran {
    run(&[&["compare"], args].concat())
}

/// Returns the metrics of a comparison by name.
fn metrics(args: &[&str]) -> Vec<Value> {
    let ran = compare(&[args, &["--json"]].concat());
    assert_eq!(ran.status, 0, "{}", ran.err);
    let all: Value = serde_json::from_str(&ran.out).expect("JSON");
    all["metrics"].as_array().expect("metrics").clone()
}

fn metric<'a>(metrics: &'a [Value], name: &str) -> &'a Value {
    metrics
        .iter()
        .find(|one| one["name"] == name)
        .expect("a metric of this name")
}

#[test]
fn a_small_edit_is_found_within_seeds_and_not_between_samples() {
    let mut found = [[0; 3]; 2];
    for batch in 0..20 {
        let seeds = |from: u32| format!("{}..{}", from + batch * 100, from + batch * 100 + 100);
        let (seeds, others) = (seeds(0), seeds(10_000));
        let paired = metrics(&[&EDIT[..], &["--seeds", &seeds]].concat());
        let apart = metrics(&[&EDIT[..], &["--seeds", &seeds, "--other-seeds", &others]].concat());
        for (counts, metrics) in found.iter_mut().zip([paired, apart]) {
            for (count, name) in counts.iter_mut().zip(["dead-ends", "junctions", "fill"]) {
                *count += u32::from(metric(&metrics, name)["verdict"] == "shift");
            }
        }
    }
    let [paired, apart] = found;
    assert!(paired.iter().all(|count| *count >= 16), "{paired:?} of 20");
    // The effect on the fill is the largest, so a comparison of two samples finds it occasionally.
    assert!(apart[0] + apart[1] == 0 && apart[2] < 12, "{apart:?} of 20");
}

#[test]
fn seeds_on_both_sides_are_reported() {
    let warnings = |more: &[&str]| {
        let ran = run(&[
            &["compare", "--preset", "keep", "--preset", "weave", "--seeds", "0..30"],
            more,
        ]
        .concat());
        assert_eq!(ran.status, 0, "{}", ran.err);
        ran.err
    };
    assert!(warnings(&["--other-seeds", "20..50"]).contains("--other-seeds repeats 10 seeds of --seeds"));
    for more in [&["--other-seeds", "30..60"][..], &["--other-seeds", "0..30"], &[]] {
        assert!(!warnings(more).contains("repeats"), "{more:?}");
    }
}

#[test]
fn a_design_does_not_differ_from_itself() {
    let found = metrics(&["--preset", "keep", "--preset", "keep", "--seeds", "30"]);
    for one in found {
        assert_eq!((&one["verdict"], &one["p"]), (&"chance".into(), &1.0.into()), "{one}");
        assert_eq!(
            (&one["higher"], &one["lower"], &one["pairs"]),
            (&0.into(), &0.into(), &30.into())
        );
    }
}

#[test]
fn with_a_condition_the_table_counts_the_pairs_that_satisfy_it_on_both_sides() {
    let args = |extra: &[&'static str]| {
        let all = [
            "--preset",
            "keep",
            "--change",
            "MaxAge + 1",
            "--seeds",
            "0..40",
            "--where",
            "path > 230",
        ];
        [&all, extra].concat()
    };
    let found = metrics(&args(&[]));
    let pairs = metric(&found, "fill")["pairs"].as_u64().expect("a number of pairs");
    assert!(0 < pairs && pairs < 40, "{pairs}");
    let table = compare(&args(&[])).out;
    assert!(
        table.contains(&format!("{pairs} dungeons on each side, compared seed by seed")),
        "{table}"
    );
    let none = compare(&[
        "--preset",
        "keep",
        "--preset",
        "weave",
        "--seeds",
        "4",
        "--where",
        "path > 100000",
    ]);
    assert_eq!((none.status, none.out.as_str()), (1, ""), "{}", none.err);
}

#[test]
fn the_means_of_an_unchanged_metric_have_decimals() {
    let args = ["--preset", "keep", "--preset", "keep", "--seeds", "3"];
    let found = metrics(&args);
    let table = compare(&args).out;
    for name in ["fill", "detour", "blind"] {
        let mean = metric(&found, name)["mean"][0].as_f64().expect("a mean");
        let line = table.lines().find(|line| line.starts_with(&format!("{name} ")));
        let cells: Vec<&str> = line.expect("a line").split_whitespace().collect();
        let mean = format!("{mean:.2}");
        assert_eq!(cells[1..4], [&mean, &mean, "0"], "{table}");
    }
}

/// An edit that changes every dungeon but not their distribution: it only renames the seeds, so that the dungeon after
/// the edit is that of another seed.
#[test]
fn of_200_edits_without_effect_at_most_one_in_twenty_is_reported() {
    const EDITS: usize = 200;
    const SEEDS: usize = 40;
    const DUNGEONS: usize = 1_600;
    let mut design = Design::default();
    design.layout.size = Size::new(24, 24);
    design.layout.crawlers.push(CrawlerStart {
        at: Point::new(0, 12),
        ..CrawlerStart::default()
    });
    let design = design.validate(None).design.expect("valid");
    let mut runner = MetricsRunner::new();
    let values: Vec<MetricValues> = (0..DUNGEONS as u64)
        .map(|seed| MetricValues::of(&runner.grow_and_measure(&design.with_seed(seed), Options::default())))
        .collect();
    let mut alarms = 0;
    for edit in 0..EDITS {
        // Each edit forms different pairs: all strides are odd, and the number of dungeons is even, so that no dungeon
        // is paired with itself.
        let before = |at: usize| &values[(edit * SEEDS + at) % DUNGEONS];
        let after = |at: usize| &values[(edit * SEEDS + at + (2 * edit + 1) * 41) % DUNGEONS];
        let pairs: Vec<_> = (0..SEEDS).map(|at| [before(at), after(at)]).collect();
        let found = compare_pairs(&pairs, 999);
        alarms += usize::from(found.iter().any(|one| one.difference != Difference::Chance));
    }
    // Ties make the tests conservative, but not blind.
    assert!((1..=EDITS / 20).contains(&alarms), "{alarms} of {EDITS}");
}

#[test]
fn every_format_has_the_same_numbers() {
    let args = [&EDIT[..], &["--seeds", "40"]].concat();
    let json = metrics(&args);
    let csv = compare(&[&args[..], &["--csv"]].concat()).out;
    let mut lines = csv.lines();
    let head: Vec<&str> = lines.next().expect("a header").split(',').collect();
    for (line, one) in lines.zip(&json) {
        let cells: Vec<&str> = line.split(',').collect();
        assert_eq!(cells.len(), head.len(), "{line}");
        let cell = |name: &str| cells[head.iter().position(|other| *other == name).expect("a column")];
        assert_eq!(cell("name"), one["name"]);
        for name in ["difference", "low", "high", "p", "p_adjusted"] {
            let (cell, number) = (
                cell(name).parse::<f64>().expect("a number"),
                one[name].as_f64().expect("a number"),
            );
            assert!((cell - number).abs() <= 1e-12 * number.abs(), "{name}: {line}");
        }
        let (low, p) = (
            one["low"].as_f64().expect("a number"),
            one["p"].as_f64().expect("a number"),
        );
        assert!(low <= one["difference"].as_f64().expect("a number"), "{one}");
        assert!(p <= one["p_adjusted"].as_f64().expect("a number"), "{one}");
    }
    assert_eq!(csv.lines().count(), json.len() + 1);
    let table = compare(&[&args[..], &["--markdown"]].concat()).out;
    assert_eq!(
        table.lines().filter(|line| line.starts_with("| ")).count(),
        json.len() + 2,
        "{table}"
    );
    assert!(
        table.contains("second: weave with StraightSpawnProb - 10 in 1"),
        "{table}"
    );
}

#[test]
fn sides_are_files_and_presets_in_the_order_of_the_command_line() {
    let keep = Preset::find("keep").expect("a preset").design();
    let folder = Folder::new(&keep);
    let toml = folder.path("design.toml");
    let sides = |args: &[&str]| {
        let ran = compare(&[args, &["--seeds", "2"]].concat());
        assert_eq!(ran.status, 0, "{}", ran.err);
        ran.out
            .lines()
            .take(2)
            .map(|line| line[8..].to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(sides(&["--preset", "weave", &toml]), ["weave", &toml]);
    assert_eq!(sides(&[&toml, "--preset", "weave"]), [&toml, "weave"]);
    let changed = format!("{toml} with MaxAge -> 3, MaxAge + 1");
    assert_eq!(
        sides(&[&toml, "--change", "MaxAge -> 3", "--change", "MaxAge + 1"]),
        [toml, changed]
    );
}

#[test]
fn a_missing_or_additional_side_is_reported() {
    for (args, wanted) in [
        (&[][..], "no design to compare"),
        (&["--preset", "keep"], "nothing to compare with"),
        (
            &["--preset", "keep", "--preset", "weave", "--preset", "hub"],
            "more than two designs",
        ),
        (
            &["--preset", "keep", "--change", "StepLength - 7"],
            "StepLength of generation 0",
        ),
        (
            &["--preset", "keep", "--change", "Maxage ->"],
            "the new value is missing",
        ),
        (&["--preset", "keep", "nowhere.toml"], "nowhere.toml"),
        (
            &["--preset", "keep", "--preset", "weave", "--seeds", "0..1000001"],
            "a side has more than 1,000,000 seeds",
        ),
        (
            &["--preset", "keep", "--seeds", "9", "--other-seeds", "0..4000000000"],
            "a side has more than 1,000,000 seeds",
        ),
    ] {
        let ran = compare(args);
        assert_eq!((ran.status, ran.out.as_str()), (2, ""), "{args:?}");
        assert!(ran.err.contains(wanted), "{args:?}: {}", ran.err);
    }
}
