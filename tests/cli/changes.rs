//! Changes and selections: `--change` addresses every number of a design, and `--where`, `--shard` and `--threads` mean
//! the same in every command over many seeds.

use std::collections::BTreeSet;

use serde_json::Value;

use super::{Folder, run};
use wallcrawler::design::{CrawlerStart, Design, Room};
use wallcrawler::format::native;
use wallcrawler::geometry::{Point, Size};

/// Writes a small dungeon with a room and a first Crawler; returns its path.
fn chamber(folder: &Folder) -> String {
    let mut design = Design::default();
    design.layout.size = Size::new(40, 40);
    design.layout.rooms = vec![Room::default()];
    design.layout.crawlers = vec![CrawlerStart {
        at: Point::new(0, 30),
        ..CrawlerStart::default()
    }];
    design.expect.that = vec!["path >= 1 in 100%".to_owned()];
    folder.put("chamber.toml", &native::write(&design));
    folder.path("chamber.toml")
}

#[test]
fn each_kind_of_number_can_be_changed_and_has_an_effect() {
    let folder = Folder::empty();
    let design = chamber(&folder);
    let rows = |rules: &[&str]| {
        let changes = rules.iter().flat_map(|rule| ["--change", rule]);
        let args: Vec<&str> = ["survey", &design, "--seeds", "4", "--output", "-"]
            .into_iter()
            .chain(changes)
            .collect();
        let ran = run(&args);
        assert_eq!(ran.status, 0, "{rules:?}: {}", ran.err);
        ran.out
    };
    let mut seen = BTreeSet::from([rows(&[])]);
    for rule in [
        "MaxAge -> 3 in 0",
        "joinDist -> 0",
        "dimX, dimY -> 50",
        "protuberances -> 4",
        "width -> 8 in room 1",
        "y - 5 in Crawler 1",
    ] {
        let out = rows(&[rule]);
        assert!(seen.insert(out), "{rule} changes nothing");
    }
}

#[test]
fn the_entrance_is_a_square_of_the_changed_dungeon() {
    let folder = Folder::empty();
    let design = chamber(&folder);
    for command in [
        &["find", "--where", "tiles > 0"][..],
        &["survey", "--output", "-"],
        &["check"],
    ] {
        let ran = |rule: &str, entrance: &str| {
            let more = [
                design.as_str(),
                "--seeds",
                "2",
                "--change",
                rule,
                "--entrance",
                entrance,
            ];
            run(&[command, &more].concat())
        };
        let larger = ran("dimX -> 60", "50,5");
        assert!(!larger.err.contains("outside"), "{command:?}: {}", larger.err);
        assert_ne!(larger.status, 2, "{command:?}: {}", larger.err);
        let smaller = ran("dimX -> 30", "35,5");
        assert_eq!(smaller.status, 2, "{command:?}: {}", smaller.err);
        assert!(smaller.err.contains("rows are 0 to 29"), "{command:?}: {}", smaller.err);
    }
    // Both sides of a comparison need the square.
    for (rule, entrance, rows) in [("dimX -> 30", "35,5", "0 to 29"), ("dimX -> 60", "50,5", "0 to 39")] {
        let ran = run(&[
            "compare",
            &design,
            "--seeds",
            "2",
            "--change",
            rule,
            "--entrance",
            entrance,
        ]);
        assert_eq!((ran.status, ran.out.as_str()), (2, ""), "{rule}: {}", ran.err);
        assert!(ran.err.contains(&format!("rows are {rows}")), "{rule}: {}", ran.err);
    }
}

#[test]
fn check_also_checks_the_designs_that_have_the_given_entrance() {
    let folder = Folder::empty();
    let design = chamber(&folder);
    let mut small = Design::default();
    small.layout.size = Size::new(30, 30);
    small.layout.crawlers = vec![CrawlerStart {
        at: Point::new(0, 15),
        ..CrawlerStart::default()
    }];
    folder.put("small.toml", &native::write(&small));
    let small = folder.path("small.toml");
    let args = ["check", &small, &design, "--seeds", "2", "--entrance", "35,5"];
    let text = run(&args);
    assert!(text.err.contains("rows are 0 to 29"), "{}", text.err);
    assert!(
        text.out
            .contains("chamber.toml: expectations that hold over seeds 0 to 1"),
        "{}",
        text.out
    );
    let json: Value = serde_json::from_str(&run(&[&args[..], &["--json"]].concat()).out).expect("JSON");
    let checked = json["checked"].as_array().expect("designs");
    assert_eq!((checked.len(), &checked[0]["status"]), (2, &2.into()), "{json}");
    assert!(
        checked[0]["diagnostics"].to_string().contains("--entrance names"),
        "{json}"
    );
    assert_eq!(checked[1]["seeds"], 2, "{json}");
}

#[test]
fn a_change_without_effect_is_reported() {
    let folder = Folder::empty();
    let design = chamber(&folder);
    for command in [
        &["survey"][..],
        &["check"],
        &["find", "--where", "reachable"],
        &["compare"],
    ] {
        let args = |rule| [command, &[&design, "--seeds", "2", "--change", rule]].concat();
        for (rule, why) in [
            (
                "MaxAge 999 -> 3",
                "warning: --change `MaxAge 999 -> 3` has no effect: it changes no value",
            ),
            (
                "LateSpawn -> 3",
                "warning: --change `LateSpawn -> 3` has no effect: LateSpawnProb is 0",
            ),
        ] {
            let ran = run(&args(rule));
            assert!(
                ran.status < 2 && ran.err.contains(why),
                "{command:?} {rule}: {}",
                ran.err
            );
        }
        let ran = run(&args("width -> 8 in room 2"));
        let why = "there is no room 2; the design has only room 1";
        assert!(ran.status == 2 && ran.err.contains(why), "{command:?}: {}", ran.err);
    }
    let ran = run(&["check", &design, "--change", "MaxAge -> 3"]);
    assert!(ran.status == 2 && ran.err.contains("need --seeds"), "{}", ran.err);
}

#[test]
fn conditions_shards_and_threads_mean_the_same_in_every_command() {
    let folder = Folder::empty();
    let design = chamber(&folder);
    let all = ["--seeds", "3..43"];
    let found = |args: &[&str]| -> Vec<u64> {
        let ran = run(&[
            &["find", &design, "--quiet", "--top", "99", "--by", "-tiles"],
            &all[..],
            args,
        ]
        .concat());
        let mut seeds: Vec<u64> = ran.out.lines().map(|line| line.parse().expect("a seed")).collect();
        seeds.sort_unstable();
        seeds
    };
    let condition = ["--where", "dead-ends > 10"];
    let seeds = found(&condition);
    assert!((1..40).contains(&seeds.len()), "{seeds:?}");
    let mut parts = Vec::new();
    for shard in ["1/3", "2/3", "3/3"] {
        parts.extend(found(&[&condition[..], &["--shard", shard, "--threads", "1"]].concat()));
    }
    assert_eq!(parts, seeds);
    let rows = |args: &[&str]| {
        let ran = run(&[&["survey", &design, "--output", "-"], &all[..], args].concat());
        assert_eq!(ran.status, 0, "{args:?}: {}", ran.err);
        let seeds = ran
            .out
            .lines()
            .skip(1)
            .filter_map(|line| line.split(',').next()?.parse().ok());
        seeds.collect::<Vec<u64>>()
    };
    assert_eq!(rows(&condition), seeds);
    let file = folder.path("some.csv");
    let survey = [&["survey", &design, "--output", &file], &all[..], &condition].concat();
    assert_eq!(run(&survey).status, 0);
    let again = run(&survey);
    assert!(again.status == 2 && again.err.contains("pass --fresh"), "{}", again.err);
    assert_eq!(run(&[&survey[..], &["--fresh"]].concat()).status, 0);
    let json = |args: &[&str]| -> Value {
        let ran = run(args);
        assert_eq!(ran.status, 0, "{args:?}: {}", ran.err);
        serde_json::from_str(&ran.out).expect("JSON")
    };
    let checked = |more: &[&str]| {
        let args = [&["check", &design, "--json"], &all[..], &condition, more].concat();
        let checked = json(&args)["checked"][0].clone();
        assert_eq!(
            checked["dungeons"],
            checked["over_seeds"]["expectations"][0]["dungeons"]
        );
        checked["dungeons"].as_u64().expect("a number")
    };
    assert_eq!(checked(&[]), seeds.len() as u64);
    let shards = ["1/3", "2/3", "3/3"].map(|shard| checked(&["--shard", shard]));
    assert_eq!(shards.iter().sum::<u64>(), seeds.len() as u64);
    let change = ["--change", "y - 1 in Crawler 1"];
    let compared = json(&[&["compare", &design, "--json"], &all[..], &condition, &change].concat());
    let both = found(&[&condition[..], &change].concat());
    let both = both.iter().filter(|seed| seeds.contains(seed)).count();
    let reachable = compared["metrics"]
        .as_array()
        .and_then(|all| all.iter().find(|one| one["name"] == "reachable"));
    assert_eq!(reachable.expect("a metric")["pairs"], both);
}

#[test]
fn range_and_report_measure_the_changed_design() {
    let folder = Folder::empty();
    let design = chamber(&folder);
    let change = ["--change", "dimX, dimY -> 50", "--seeds", "4"];
    let (picture, table) = (["--to", "-"], ["--as", "csv"]);
    let made = |head: &[&str], tail: &[&str]| {
        let ran = run(&[head, &[&design], tail].concat());
        assert_eq!(ran.status, 0, "{}", ran.err);
        ran.out
    };
    let axes = ["range", "--x", "tiles", "--y", "dead-ends"];
    let [before, after] = [vec![], change.to_vec()].map(|change| {
        let args = [
            &change[..],
            &picture,
            &table,
            &["--seeds", "4"][..2 * usize::from(change.is_empty())],
        ]
        .concat();
        made(&axes, &args)
    });
    assert_ne!(before, after);
    let page = made(&["report"], &[&change[..], &picture].concat());
    assert!(page.contains("50 × 50 squares"), "the report shows another design");
    // The commands of the report open the changed design.
    assert!(page.contains("--change 'dimX, dimY -&gt; 50' --seed "), "{page}");
}

#[test]
fn tune_searches_from_the_changed_design() {
    let folder = Folder::empty();
    let design = chamber(&folder);
    let to = folder.path("tuned.toml");
    let ran = run(&[
        "tune",
        &design,
        "--change",
        "dimX, dimY -> 50",
        "--move",
        "MaxAge:0",
        "--seeds",
        "2",
        "--threads",
        "1",
        "--output",
        &to,
    ]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    let tuned = std::fs::read_to_string(&to).expect("the tuned design");
    assert!(tuned.contains("50"), "{tuned}");
    let size = wallcrawler::storage::DesignFiles::Toml(to.into());
    let opened = wallcrawler::document::open(&size, None, None).design.expect("a design");
    assert_eq!(opened.layout.size, Size::new(50, 50));
}

#[test]
fn the_tuned_design_keeps_the_comments_of_the_design() {
    let folder = Folder::empty();
    let design = chamber(&folder);
    let text = std::fs::read_to_string(&design).expect("a design");
    std::fs::write(&design, format!("# made by hand\n{text}")).expect("written");
    let to = folder.path("tuned.toml");
    let tune = |to: &str| {
        let ran = run(&[
            "tune",
            &design,
            "--move",
            "MaxAge:0",
            "--seeds",
            "2",
            "--threads",
            "1",
            "--output",
            to,
        ]);
        assert_eq!(ran.status, 0, "{}", ran.err);
        ran.out
    };
    tune(&to);
    let tuned = std::fs::read_to_string(&to).expect("the tuned design");
    assert!(tuned.starts_with("# made by hand\n"), "{tuned}");
    // Only the design is on standard output, so that another command can read it.
    assert_eq!(tune("-"), tuned);
}
