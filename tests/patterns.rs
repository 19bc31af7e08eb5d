//! The guide's patterns: each names a preset, shows its picture, and quotes its expectations and the metrics of a
//! thousand of its dungeons.
//!
//! `WALLCRAWLER_BLESS=1 cargo test --test patterns` measures a thousand seeds again and writes the tables.
//! Without it a hundred of the same seeds are grown: their values must lie within the range of all.

#![allow(clippy::expect_used, clippy::panic, reason = "tests")]

use std::io::Write as _;
use std::path::PathBuf;
use std::process::Command;

use wallcrawler::analysis::{Cell, Interval, MetricsRunner, ValueCounts, evaluate};
use wallcrawler::design::Design;
use wallcrawler::design::expect::{Expression, parse_condition, parse_value};
use wallcrawler::document;
use wallcrawler::engine::Options;
use wallcrawler::presets::Preset;

/// Number of seeds, counted from 0, from which the tables are made.
const ALL: u64 = 1000;

/// Number of seeds that the test grows.
const FEW: u64 = 100;

/// Quantiles of a row, in thousandths.
const QUANTILES: [u16; 5] = [0, 100, 500, 900, 1000];

/// Index of the median in [`QUANTILES`].
const MEDIAN: usize = 2;

const HEAD: &str = "| 1,000 seeds of `";

fn page() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/guide/patterns.md"))
}

/// A pattern of the page.
struct Pattern {
    text: String,
    preset: &'static Preset,
    /// The metrics of its table, with the cells that follow.
    rows: Vec<(String, Vec<String>)>,
}

fn cells(row: &str) -> Vec<String> {
    row.trim_matches('|')
        .split('|')
        .map(|cell| cell.trim().to_owned())
        .collect()
}

fn patterns(text: &str) -> Vec<Pattern> {
    let sections = text.split("\n## ").skip(1);
    let with_table = sections.filter(|section| section.contains(HEAD));
    with_table
        .map(|section| {
            let (_, table) = section.split_once(HEAD).expect("a table");
            let name = table.split('`').next().expect("a name");
            let rows = table.lines().skip(2).take_while(|line| line.starts_with('|'));
            Pattern {
                text: section.to_owned(),
                preset: Preset::find(name).unwrap_or_else(|| panic!("{name} is not a preset")),
                rows: rows
                    .map(|row| {
                        let mut cells = cells(row);
                        (cells.remove(0), cells)
                    })
                    .collect(),
            }
        })
        .collect()
}

/// Returns the metrics of a number of seeds.
fn measured(pattern: &Pattern, seeds: u64) -> Vec<ValueCounts> {
    let parsed = |metric: &str| -> Expression {
        let value = parse_value(metric).or_else(|_| parse_condition(metric));
        value.unwrap_or_else(|_| panic!("{metric} is not a metric"))
    };
    let expressions: Vec<Expression> = pattern.rows.iter().map(|(metric, _)| parsed(metric)).collect();
    let mut tallies = vec![ValueCounts::default(); expressions.len()];
    let mut runner = MetricsRunner::new();
    for seed in 0..seeds {
        let design = Design {
            seed,
            ..pattern.preset.design()
        };
        let valid = document::prepare(&design, None, None).valid.expect("usable");
        let metrics = runner.grow_and_measure(&valid, Options::default());
        for (tally, expression) in tallies.iter_mut().zip(&expressions) {
            tally.add(evaluate(expression, &metrics, &()).into());
        }
    }
    tallies
}

/// Returns how many dungeons satisfy a condition.
fn satisfied(tally: &ValueCounts) -> Option<u64> {
    let count = |truth| tally.count(&Cell::Truth(truth));
    (count(true) + count(false) > 0).then(|| count(true))
}

/// Returns the quantiles of a number, in ten-thousandths.
fn quantiles(tally: &ValueCounts) -> Vec<i64> {
    QUANTILES.iter().filter_map(|&at| tally.quantile(at)).collect()
}

/// Formats a number with at most two decimals.
fn decimal(number: i64) -> String {
    let text = format!("{:.2}", number as f64 / 1e4);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Formats a row; brackets hold the 95% intervals of the median and of the share over all seeds.
fn row(metric: &str, tally: &ValueCounts) -> String {
    if let Some(count) = satisfied(tally) {
        let interval = Interval::of_share(count, ALL).percent_range();
        return format!("| {metric} | | | | | | {count} [{interval}] |");
    }
    let mut cells: Vec<String> = quantiles(tally).into_iter().map(decimal).collect();
    let Interval { low, high } = tally.quantile_interval(QUANTILES[MEDIAN]);
    let [low, high] = [low, high].map(|end| decimal(end as i64));
    cells[MEDIAN] = format!("{} [{low}, {high}]", cells[MEDIAN]);
    format!("| {metric} | {} | |", cells.join(" | "))
}

/// Returns the number of a cell, without its interval.
fn number<T: std::str::FromStr>(cell: &str) -> T {
    let number = cell.split(' ').next().and_then(|number| number.parse().ok());
    number.unwrap_or_else(|| panic!("{cell} is not a number"))
}

#[test]
fn tables_have_the_metrics_of_a_thousand_seeds() {
    let text = std::fs::read_to_string(page()).expect("the page");
    let bless = std::env::var_os("WALLCRAWLER_BLESS").is_some();
    let seeds = if bless { ALL } else { FEW };
    let patterns = patterns(&text);
    assert_eq!(patterns.len(), 10);
    let found: Vec<Vec<ValueCounts>> = std::thread::scope(|scope| {
        let half = |part: &[Pattern]| -> Vec<Vec<ValueCounts>> {
            part.iter().map(|pattern| measured(pattern, seeds)).collect()
        };
        let threads: Vec<_> = patterns.chunks(5).map(|part| scope.spawn(move || half(part))).collect();
        threads
            .into_iter()
            .flat_map(|thread| thread.join().expect("measured"))
            .collect()
    });
    let mut renewed = text.clone();
    for (pattern, tallies) in patterns.iter().zip(&found) {
        let name = pattern.preset.name;
        assert!(pattern.rows.len() >= 3, "{name} has too few rows");
        if bless {
            let rows = pattern.rows.iter().zip(tallies);
            let rows: String = rows.map(|((metric, _), tally)| row(metric, tally) + "\n").collect();
            let head = renewed.find(&format!("{HEAD}{name}`")).expect("its table");
            let from = head + renewed[head..].match_indices('\n').nth(1).expect("two lines").0 + 1;
            let to = from + renewed[from..].find("\n\n").expect("an end") + 1;
            renewed.replace_range(from..to, &rows);
            continue;
        }
        for ((metric, cells), tally) in pattern.rows.iter().zip(tallies) {
            assert_eq!(cells.len(), 6, "{name}: {metric}");
            if let Some(count) = satisfied(tally) {
                // Three standard deviations of a share over a hundred dungeons are at most 15.
                let all: u64 = number(&cells[5]);
                let interval = Interval::of_share(all, ALL).percent_range();
                assert!(
                    cells[5].ends_with(&format!("[{interval}]")),
                    "{name}: {metric} {}",
                    cells[5]
                );
                assert!(
                    (count * 10).abs_diff(all) <= 150,
                    "{name}: {metric} in {count} of {FEW}"
                );
                assert!(count <= all && FEW - count <= ALL - all, "{name}: {metric}");
            } else {
                let quoted: Vec<f64> = cells[..5].iter().map(|cell| number(cell)).collect();
                let (_, interval) = cells[MEDIAN].split_once('[').expect("an interval");
                let ends: Vec<f64> = interval.trim_end_matches(']').split(", ").map(number).collect();
                assert!(
                    ends[0] <= quoted[MEDIAN] && quoted[MEDIAN] <= ends[1],
                    "{name}: {metric}"
                );
                let now: Vec<f64> = quantiles(tally).iter().map(|number| *number as f64 / 1e4).collect();
                let is_within = |value: f64, low: f64, high: f64| low - 0.006 <= value && value <= high + 0.006;
                // The hundred are among the thousand.
                let ends = [now[0], now[4]].map(|end| is_within(end, quoted[0], quoted[4]));
                assert_eq!(ends, [true; 2], "{name}: {metric} {now:?}");
                assert!(is_within(now[2], quoted[1], quoted[3]), "{name}: {metric} {now:?}");
            }
        }
    }
    if bless {
        std::fs::write(page(), renewed).expect("written");
    }
}

#[test]
fn patterns_quote_and_show_their_presets() {
    let text = std::fs::read_to_string(page()).expect("the page");
    for pattern in patterns(&text) {
        let name = pattern.preset.name;
        let promised = pattern.preset.design().expect.that;
        let (_, quoted) = pattern.text.split_once("```toml\n").expect("a promise");
        let quoted = quoted.split("```").next().expect("its end");
        let table: toml::Table = quoted.parse().expect("TOML");
        let that = table["expect"]["that"].as_array().expect("a list");
        assert!(that.len() >= 2, "{name} quotes too little");
        for expectation in that {
            let expectation = expectation.as_str().expect("a text");
            assert!(
                promised.iter().any(|other| other == expectation),
                "{name}: {expectation}"
            );
        }
        assert!(
            pattern.text.contains(&format!("\nof = \"{name}\"\n")),
            "{name} has no picture"
        );
        for part in ["**Problem.**", "**How it works.**", "**Variations.**"] {
            assert!(pattern.text.contains(part), "{name}: {part}");
        }
    }
}

/// Presets are named in italics: *keep*.
#[test]
fn named_presets_exist() {
    for file in ["rooms.md", "patterns.md", "judging.md"] {
        let text = std::fs::read_to_string(page().with_file_name(file)).expect("a page");
        let mut named = 0;
        for (at, before) in text.match_indices("preset *").chain(text.match_indices("presets *")) {
            let name = text[at + before.len()..].split('*').next().unwrap_or_default();
            assert!(Preset::find(name).is_some(), "{file}: {name}");
            named += 1;
        }
        assert!(named > 0, "{file} names no preset");
    }
}

/// Returns the code blocks of a page in a language.
fn blocks(text: &str, language: &str) -> Vec<String> {
    let mut blocks = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if let Some(kind) = line.strip_prefix("```") {
            let block: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
            if kind == language {
                blocks.push(block.join("\n") + "\n");
            }
        }
    }
    blocks
}

/// Searches take too long to run here: their commands must at least parse.
#[test]
fn commands_that_are_only_shown_parse() {
    let mut commands = 0;
    for file in ["rooms.md", "patterns.md", "judging.md", "exporting.md"] {
        let text = std::fs::read_to_string(page().with_file_name(file)).expect("a page");
        let shown = blocks(&text, "text");
        let in_blocks = shown
            .iter()
            .flat_map(|block| block.lines())
            .filter_map(|line| line.strip_prefix("$ "));
        let in_lines = text.split('`').skip(1).step_by(2);
        let whole = in_lines.filter(|code| code.starts_with("wallcrawler ") && !code.contains('\n'));
        for command in in_blocks.chain(whole) {
            // Words in quotes are one argument.
            let words = command.split('\'').enumerate().flat_map(|(at, part)| match at % 2 {
                0 => part.split_whitespace().map(str::to_owned).collect(),
                _ => vec![part.to_owned()],
            });
            let words: Vec<String> = words.skip(1).collect();
            // Names in capitals stand for the reader's own files.
            if words
                .iter()
                .any(|word| word.len() > 1 && word.chars().all(char::is_uppercase))
            {
                continue;
            }
            let output = Command::new(env!("CARGO_BIN_EXE_wallcrawler"))
                .args(&words)
                .arg("--help")
                .output()
                .expect("runs");
            assert!(output.status.success(), "{file}: {command}");
            // `--help` is handled before options are parsed: the options must be listed in it.
            let help = String::from_utf8_lossy(&output.stdout).into_owned();
            for option in words.iter().filter(|word| word.starts_with("--")) {
                let name = option.split('=').next().expect("a name");
                assert!(help.contains(name), "{file}: {command}: {name}");
            }
            commands += 1;
        }
    }
    assert!(commands >= 5, "only {commands} commands were found");
}

/// The script of the page on exports prints what the page shows, if Python is installed.
#[test]
fn the_python_script_prints_what_its_page_shows() {
    let text = std::fs::read_to_string(page().with_file_name("exporting.md")).expect("the page");
    let folder = tempfile::tempdir().expect("a folder");
    let export = Command::new(env!("CARGO_BIN_EXE_wallcrawler"))
        .args(["export", "--preset", "keep", "--seed", "7", "--to", "keep.json"])
        .current_dir(folder.path())
        .output()
        .expect("runs");
    assert!(export.status.success());
    let scripts = blocks(&text, "python");
    let [script] = &scripts[..] else {
        panic!("one script is tested, not {}", scripts.len())
    };
    let (_, rest) = text.split_once(script.as_str()).expect("the script");
    let rest = rest.trim_start_matches("```\n");
    let shown = blocks(rest, "text").into_iter().next().expect("its output");
    std::fs::write(folder.path().join("treasure.py"), script).expect("written");
    let ran = Command::new("python3")
        .arg("treasure.py")
        .current_dir(folder.path())
        .output();
    match ran {
        // The Python that was found may not run.
        Ok(output) if output.status.code() != Some(127) => {
            let err = String::from_utf8_lossy(&output.stderr);
            assert_eq!(String::from_utf8_lossy(&output.stdout), shown, "{err}");
        }
        // Bypasses the test runner, which hides the output of passing tests.
        ran => {
            let why = ran.map_or_else(|error| error.to_string(), |output| output.status.to_string());
            let _ = writeln!(
                std::io::stderr(),
                "SKIPPED the_python_script_prints_what_its_page_shows: no Python here ({why})"
            );
        }
    }
}
