//! The README and the guide: pictures agree with their recipes, commands run, examples print what the pages show, and
//! links and named files exist.
//!
//! `cargo run --release --example guide` renews pictures and tables of metrics; `WALLCRAWLER_BLESS=1 cargo test --test
//! guide` renews the output of commands.

#![allow(clippy::expect_used, clippy::panic, reason = "tests")]

#[path = "../examples/support/mod.rs"]
mod support;

use std::collections::BTreeSet;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use support::recipe::{Kind, Recipe, of_page, pages};
use support::sheet::Sheet;
use support::{dungeons, film, metrics, output, screen};
use wallcrawler::design::{Constant, Design, Entry, FieldInfo, GENERATIONS, Limit, Parameter, Stat};
use wallcrawler::presets::Preset;

const RENEW: &str = "renew it with: cargo run --release --example guide";

/// Pages whose commands run with `--help` only: they name the reader's files, or would take days.
const ONLY_READ: [&str; 3] = ["README.md", "commands.md", "measures.md"];

fn recipes() -> Vec<Recipe> {
    let pages = pages().expect("pages");
    let of = |page: &PathBuf| of_page(page).unwrap_or_else(|error| panic!("{error:#}"));
    pages.iter().flat_map(of).collect()
}

fn text(page: &Path) -> String {
    std::fs::read_to_string(page).expect("a page")
}

fn is_named(page: &Path, names: &[&str]) -> bool {
    page.file_name()
        .is_some_and(|name| names.iter().any(|other| name == *other))
}

#[test]
fn pictures_of_dungeons_agree_with_their_recipes() {
    let recipes: Vec<Recipe> = recipes()
        .into_iter()
        .filter(|recipe| recipe.kind == Kind::Picture)
        .collect();
    let check = |recipe: &Recipe| {
        let sheet = dungeons::picture(recipe).unwrap_or_else(|error| panic!("{error:#}"));
        let kept = Sheet::read(&recipe.file).map(|(kept, _)| kept == sheet);
        assert!(kept.unwrap_or(false), "{} is stale; {RENEW}", recipe.file.display());
        let table = metrics::table(recipe).unwrap_or_else(|error| panic!("{error:#}"));
        let page = text(&recipe.page);
        let lines: Vec<&str> = page.lines().collect();
        assert_eq!(lines[recipe.table.clone()], table, "{}; {RENEW}", recipe.place());
    };
    std::thread::scope(|scope| {
        for part in recipes.chunks(recipes.len().div_ceil(2).max(1)) {
            scope.spawn(move || part.iter().for_each(check));
        }
    });
}

#[test]
fn pictures_of_commands_agree_with_the_commands() {
    let recipes = recipes();
    let drawn: Vec<&Recipe> = recipes.iter().filter(|recipe| recipe.kind == Kind::Output).collect();
    for recipe in &drawn {
        let sheet = output::picture(recipe).unwrap_or_else(|error| panic!("{error:#}"));
        let kept = Sheet::read(&recipe.file).map(|(kept, _)| kept == sheet);
        assert!(kept.unwrap_or(false), "{} is stale; {RENEW}", recipe.file.display());
    }
    assert!(!drawn.is_empty(), "no page has a picture that a command draws");
}

/// Letters depend on the machine that made the picture, so the test compares the digest of the cells that is stored in
/// the file.
#[test]
fn pictures_of_the_designer_are_up_to_date() {
    for recipe in &recipes() {
        let (now, kept) = match recipe.kind {
            Kind::Picture | Kind::Output => continue,
            Kind::Screen => {
                let (shown, _) = screen::of_recipe(recipe).unwrap_or_else(|error| panic!("{error:#}"));
                let kept = Sheet::read(&recipe.file).ok().and_then(|(_, note)| note);
                (shown.digest(), kept)
            }
            Kind::Film => {
                let shots = film::of_recipe(recipe).unwrap_or_else(|error| panic!("{error:#}"));
                let bytes = std::fs::read(&recipe.file).unwrap_or_default();
                (screen::digest(shots.iter().map(|(shot, _)| shot)), film::note(&bytes))
            }
        };
        assert_eq!(kept, Some(now), "{} is stale; {RENEW}", recipe.file.display());
    }
}

#[test]
fn every_picture_has_a_recipe() {
    let made: BTreeSet<PathBuf> = recipes().into_iter().map(|recipe| recipe.file).collect();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets");
    let mut size = 0;
    for folder in [root.clone(), root.join("guide"), root.join("guide/pictures")] {
        for entry in std::fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("a file").path();
            if path
                .extension()
                .is_some_and(|ending| ending == "png" || ending == "gif")
            {
                assert!(made.contains(&path), "{} has no recipe", path.display());
                size += std::fs::metadata(&path).expect("a file").len();
            }
        }
    }
    assert!(size < 8 << 20, "the pictures take {size} bytes");
}

/// Returns the anchor that GitHub gives to a heading.
fn anchor(heading: &str) -> String {
    let kept = heading.trim().to_lowercase();
    let kept = kept
        .chars()
        .filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.map(|c| if c == ' ' { '-' } else { c }).collect()
}

/// Returns the lines of a page that are not in a code block or a comment.
fn prose(page: &str) -> Vec<&str> {
    let (mut code, mut comment) = (false, false);
    let is_prose = |line: &&str| {
        if line.starts_with("```") {
            code = !code;
            return false;
        }
        comment |= line.starts_with("<!--");
        let is_prose = !code && !comment;
        comment &= !line.ends_with("-->");
        is_prose
    };
    page.lines().filter(is_prose).collect()
}

/// Returns the top-level documents for people who change the program.
fn documents_of_the_code() -> [PathBuf; 2] {
    ["ARCHITECTURE.md", "CONTRIBUTING.md"].map(|name| Path::new(env!("CARGO_MANIFEST_DIR")).join(name))
}

#[test]
fn every_file_that_the_documents_name_exists() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = 0;
    for page in documents_of_the_code() {
        // Code is between backticks: every second part.
        for code in text(&page).split('`').skip(1).step_by(2) {
            let is_path = code.contains('/') && !code.contains([' ', '*', ':', '\n', '\u{2026}']);
            let is_placeholder = code.contains("NAME");
            let folder = code.split('/').next().unwrap_or_default();
            if !is_path || is_placeholder || folder.is_empty() || folder == ".." {
                continue;
            }
            // Some passages name files by their paths below `src`.
            let home = [root.to_owned(), root.join("src")];
            if let Some(home) = home.into_iter().find(|home| home.join(folder).exists()) {
                files += 1;
                assert!(home.join(code).exists(), "{}: {code} does not exist", page.display());
            }
        }
    }
    assert!(files > 60, "only {files} files were found");
}

#[test]
fn the_citation_has_the_version_and_the_seed_catalog() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let version = env!("CARGO_PKG_VERSION");
    let citation = text(&root.join("CITATION.cff"));
    assert!(citation.contains(&format!("\nversion: {version}\n")), "CITATION.cff");
    let digests = text(&root.join("tests/catalog/digests.txt"));
    let edition = digests.lines().next().and_then(|line| line.strip_prefix("# edition "));
    let wanted = format!(
        "Wallcrawler {version}, seed catalogue {},",
        edition.expect("an edition")
    );
    let page = text(&root.join("assets/guide/reproducing.md"));
    assert!(page.contains(&wanted), "reproducing.md does not contain: {wanted}");
}

#[test]
fn every_link_leads_somewhere() {
    let mut links = 0;
    let pages = pages().expect("pages").into_iter().chain(documents_of_the_code());
    for page in pages {
        for line in prose(&text(&page)) {
            for (_, rest) in line.match_indices("](").map(|(at, _)| line.split_at(at + 2)) {
                let target = rest.split(')').next().unwrap_or("");
                if target.starts_with("http") {
                    continue;
                }
                links += 1;
                let (file, heading) = target.split_once('#').unwrap_or((target, ""));
                let file = if file.is_empty() {
                    page.clone()
                } else {
                    page.with_file_name("").join(file)
                };
                assert!(file.exists(), "{}: {target} leads nowhere", page.display());
                let there = if heading.is_empty() { String::new() } else { text(&file) };
                let headings = there.lines().filter_map(|line| line.strip_prefix('#'));
                let mut anchors = headings.map(|heading| anchor(heading.trim_start_matches('#')));
                assert!(
                    heading.is_empty() || anchors.any(|anchor| anchor == heading),
                    "{}: {target} has no such heading",
                    page.display()
                );
            }
        }
    }
    assert!(links > 5, "only {links} links were found");
}

#[test]
fn the_index_leads_to_every_page() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let index = text(&root.join("assets/guide/README.md"));
    for page in pages().expect("pages") {
        let name = page.file_name().and_then(|name| name.to_str()).expect("a name");
        assert!(
            name == "README.md" || index.contains(&format!("({name})")),
            "{name} is not in the index"
        );
    }
}

#[test]
fn every_named_preset_exists() {
    for page in pages().expect("pages") {
        let text = text(&page);
        for (at, _) in text.match_indices("--preset ") {
            let name = text[at + 9..].split(|c: char| !c.is_alphanumeric() && c != '-').next();
            let name = name.unwrap_or("");
            let is_placeholder = name.chars().all(char::is_uppercase);
            assert!(
                is_placeholder || Preset::find(name).is_some(),
                "{}: {name}",
                page.display()
            );
        }
    }
}

/// Formats a number with its thousands separated.
fn grouped(number: i32) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Checks that the section of a parameter states its range and default, as in the field table; returns its lines.
fn section(page: &str, heading: &str, info: &FieldInfo) -> Range<usize> {
    let lines: Vec<&str> = page.lines().collect();
    let wanted = format!("{heading} {}", info.name);
    let from = lines.iter().position(|line| *line == wanted);
    let from = from.unwrap_or_else(|| panic!("{} has no section", info.name));
    let after = lines[from + 1..].iter().position(|line| line.starts_with("##"));
    let (min, max, default) = (grouped(info.min), grouped(info.max), grouped(info.default));
    let range = info.with_unit(&format!("{min} to {max}"));
    let range = format!("{range}; {default} in a new design.");
    assert_eq!(lines[from + 2], range, "{}", info.name);
    from..after.map_or(lines.len(), |after| from + 1 + after)
}

/// Checks that the pictures of a section show a low and a high value of its parameter, and differ in nothing else.
#[expect(clippy::needless_pass_by_value, reason = "an iterator made for the call")]
fn low_and_high(
    recipes: &[Recipe],
    section: &Range<usize>,
    parameter: Parameter,
    entries: impl Iterator<Item = Entry> + Clone,
) -> usize {
    let name = parameter.info().name;
    let pictures = recipes.iter().filter(|recipe| section.contains(&recipe.line));
    let mut count = 0;
    for recipe in pictures {
        let layout = dungeons::read(recipe).expect("a recipe");
        let designs = layout.panels.iter().map(|panel| panel.design().expect("a design"));
        let [mut low, high] = <[Design; 2]>::try_from(designs.collect::<Vec<_>>()).expect("two panels");
        let mut is_higher = false;
        for entry in entries.clone() {
            let [less, more] = [&low, &high].map(|design| design.get(entry, parameter).expect("a value"));
            assert!(less <= more, "{}", recipe.place());
            is_higher |= less < more;
            low.set(entry, parameter, more);
        }
        assert!(is_higher, "{} shows no high and low value of {name}", recipe.place());
        assert_eq!(low, high, "{} differs in more than {name}", recipe.place());
        count += 1;
    }
    count
}

#[test]
fn every_parameter_has_a_section_with_a_low_and_a_high_value() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/guide/parameters.md");
    let (page, recipes) = (text(&path), of_page(&path).expect("recipes"));
    for &stat in Stat::ALL {
        let section = section(&page, "##", stat.info());
        let pictures = low_and_high(&recipes, &section, stat.into(), (0..GENERATIONS).map(Entry::Generation));
        assert_eq!(pictures, 1, "{stat:?}");
    }
    let mut pictures = 0;
    for &constant in Constant::ALL {
        let section = section(&page, "###", constant.info());
        pictures += low_and_high(&recipes, &section, constant.into(), [Entry::Constants].into_iter());
    }
    // Rooms have a page of their own.
    assert_eq!(pictures, Constant::ALL.len() - 1);
    for limit in Limit::ALL {
        let name = limit.info().name;
        assert!(page.contains(name), "{name} is not described");
    }
}

/// A part of a page's text.
enum Part {
    /// Prose.
    Prose(String),
    /// A file's name and its text.
    File(String, String),
    /// The name of a file, the name of the file that it was changed from, and the lines that differ.
    Changed(String, String, String),
    /// The name of a file that a command of the page wrote, and lines from it.
    Excerpt(String, String),
    /// Commands with their output.
    Console(String),
    /// Commands.
    Shell(String),
}

fn parts(page: &str) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut prose = String::new();
    let (mut name, mut excerpt) = (None, None);
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        prose.push_str(line);
        prose.push('\n');
        if let Some(file) = line.strip_prefix('`').and_then(|rest| rest.strip_suffix("`:")) {
            let (file, from) = file.split_once("`, changed from `").unwrap_or((file, ""));
            // A sentence may begin and end with code, too.
            name = (!file.contains('`')).then(|| (file.to_owned(), from.to_owned()));
        }
        if let Some(file) = line.strip_prefix("From `").and_then(|rest| rest.strip_suffix("`:")) {
            excerpt = Some(file.to_owned());
        }
        let Some(kind) = line.strip_prefix("```") else {
            continue;
        };
        let block: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
        let text = block.iter().fold(String::new(), |text, line| text + line + "\n");
        parts.push(Part::Prose(std::mem::take(&mut prose)));
        if let Some(file) = excerpt.take() {
            parts.push(Part::Excerpt(file, text));
            prose.push_str("```\n");
            continue;
        }
        parts.push(match (kind, name.take()) {
            ("console", _) => Part::Console(text),
            ("sh", _) => Part::Shell(text),
            ("diff", Some((name, from))) => Part::Changed(name, from, text),
            (_, Some((name, _))) => Part::File(name, text),
            (_, None) => Part::Prose(text),
        });
        prose.push_str("```\n");
    }
    parts.push(Part::Prose(prose));
    parts
}

/// Returns a text with the lines that begin with `-` replaced by those that begin with `+`.
fn changed(text: &str, lines: &str) -> String {
    let all = |sign: char| -> String {
        let lines = lines.lines().filter_map(|line| line.strip_prefix(sign));
        lines.flat_map(|line| [line, "\n"]).collect()
    };
    let old = all('-');
    assert_eq!(text.matches(&old).count(), 1, "{old} occurs once");
    text.replacen(&old, &all('+'), 1)
}

/// Splits a command into its words like a shell, up to a comment or a pipe into a program of the reader's.
fn words(command: &str) -> Vec<String> {
    let mut words = Vec::new();
    let (mut word, mut quote) = (None::<String>, None);
    for c in command.chars() {
        match quote {
            Some(end) if c == end => quote = None,
            None if c == '\'' || c == '"' => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            None if (c == '#' || c == '|') && word.is_none() => break,
            None if c == ' ' => words.extend(word.take()),
            _ => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

/// Runs a command. `< FILE` at its end is its standard input, a file of the page.
fn start(words: &[String], folder: &Path) -> Output {
    assert_eq!(words.first().map(String::as_str), Some("wallcrawler"), "{words:?}");
    let (words, input) = match words {
        [words @ .., sign, file] if sign == "<" => {
            let file = std::fs::File::open(folder.join(file)).expect("a file of the page");
            (words, Stdio::from(file))
        }
        words => (words, Stdio::inherit()),
    };
    Command::new(env!("CARGO_BIN_EXE_wallcrawler"))
        .args(&words[1..])
        .current_dir(folder)
        // Neither the settings nor the unsaved work of the user who runs the tests may change what is printed.
        .env("XDG_CONFIG_HOME", folder.join(".config"))
        .env("XDG_STATE_HOME", folder.join(".state"))
        .stdin(input)
        .output()
        .expect("runs")
}

/// Returns the output of a command, both streams, as a person sees it.
fn printed(command: &str, folder: &Path) -> Vec<String> {
    let output = start(&words(command), folder);
    let mut text = String::from_utf8_lossy(&output.stderr).into_owned();
    text.push_str(&String::from_utf8_lossy(&output.stdout));
    // Editors would remove blanks at line ends.
    text.lines().map(|line| line.trim_end().to_owned()).collect()
}

/// Returns the part of a command's output that a page shows. If the page has lines `…`, this is the output lines whose
/// first words are those of the lines on the page.
fn shown(printed: &[String], kept: &[&str]) -> Vec<String> {
    if !kept.contains(&"…") {
        return printed.to_vec();
    }
    let first = |line: &str| line.split_whitespace().next().map(str::to_owned);
    let mut rest = printed.iter();
    let next = |line: &&str| {
        if matches!(*line, "…" | "") {
            return Some((*line).to_owned());
        }
        rest.by_ref().find(|other| first(other) == first(line)).cloned()
    };
    kept.iter().filter_map(next).collect()
}

/// Returns whether a command opens the designer, for which there is no terminal here.
fn opens_the_designer(words: &[String]) -> bool {
    let is_no_command = |word: &String| word.starts_with('-') || word.contains('.');
    words.get(1).is_none_or(is_no_command)
}

#[test]
fn commands_of_the_pages_run_and_print_what_they_show() {
    let mut commands = 0;
    for path in pages().expect("pages") {
        let page = text(&path);
        let folder = tempfile::tempdir().expect("a folder");
        let mut renewed = String::new();
        for part in parts(&page) {
            match part {
                Part::Prose(text) => renewed.push_str(&text),
                Part::File(name, text) => {
                    std::fs::write(folder.path().join(name), &text).expect("written");
                    renewed.push_str(&text);
                }
                Part::Changed(name, from, text) => {
                    let before = std::fs::read_to_string(folder.path().join(&from)).expect("a file of the page");
                    let changed = changed(&before, &text);
                    std::fs::write(folder.path().join(name), changed).expect("written");
                    renewed.push_str(&text);
                }
                Part::Excerpt(name, text) => {
                    let file = std::fs::read_to_string(folder.path().join(&name)).expect("a file of a command");
                    let lines: Vec<String> = file.lines().map(str::to_owned).collect();
                    for line in shown(&lines, &text.lines().collect::<Vec<_>>()) {
                        renewed += &line;
                        renewed += "\n";
                    }
                }
                Part::Shell(text) => {
                    for command in text.lines().filter(|line| line.starts_with("wallcrawler")) {
                        commands += 1;
                        let mut words = words(command);
                        if is_named(&path, &ONLY_READ) || opens_the_designer(&words) {
                            words.push("--help".into());
                        }
                        let output = start(&words, folder.path());
                        let err = String::from_utf8_lossy(&output.stderr);
                        assert!(output.status.success(), "{}: {command}\n{err}", path.display());
                    }
                    renewed.push_str(&text);
                }
                Part::Console(text) => {
                    let mut lines = text.lines().peekable();
                    while let Some(line) = lines.next() {
                        let command = line.strip_prefix("$ ").expect("a command");
                        commands += 1;
                        let mut kept = Vec::new();
                        while let Some(line) = lines.next_if(|line| !line.starts_with("$ ")) {
                            kept.push(line);
                        }
                        let printed = printed(command, folder.path());
                        for line in [vec![line.to_owned()], shown(&printed, &kept)].concat() {
                            renewed += &line;
                            renewed += "\n";
                        }
                    }
                }
            }
        }
        if std::env::var_os("WALLCRAWLER_BLESS").is_some() {
            std::fs::write(&path, renewed).expect("written");
        } else {
            assert_eq!(
                renewed,
                page,
                "{}: renew it with WALLCRAWLER_BLESS=1 and review the changes",
                path.display()
            );
        }
    }
    assert!(commands > 20, "only {commands} commands were found");
}
