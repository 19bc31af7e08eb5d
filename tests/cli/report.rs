//! `wallcrawler report`: a page that a browser opens, whose numbers and commands are right, and in which nothing that a
//! user wrote is markup.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use super::{Folder, run};
use wallcrawler::presets::Preset;

/// Names and notes that would be markup if they were not escaped.
const HOSTILE: &str = "<script>document.title='owned'</script><img src=x onerror=alert(1)>\"&amp; [a](b) | `c`";

fn preset(name: &str) -> Folder {
    Folder::new(&Preset::find(name).expect("a preset").design())
}

/// Returns a design with hostile texts, saved under a hostile name.
fn hostile() -> (Folder, String) {
    let mut design = Preset::find("catacombs").expect("a preset").design();
    design.name = HOSTILE.into();
    design.notes = format!("{HOSTILE}\n\nSecond </blockquote> paragraph.");
    let folder = Folder::new(&design);
    let name = folder.path("it's $HOME & `x`.toml");
    std::fs::rename(folder.path("design.toml"), &name).expect("renamed");
    (folder, name)
}

fn report(args: &[&str]) -> String {
    let ran = run(&[&["report"], args].concat());
    assert_eq!(ran.status, 0, "{}", ran.err);
    ran.out
}

/// Returns the texts of all elements of a kind without attributes, such as `code`.
fn elements<'a>(page: &'a str, name: &str) -> Vec<&'a str> {
    let begin = format!("<{name}>");
    let end = format!("</{name}>");
    (page.split(&*begin).skip(1))
        .filter_map(|rest| rest.split_once(&*end).map(|(text, _)| text))
        .collect()
}

#[cfg(unix)]
fn unescaped(text: &str) -> String {
    let plain = text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"");
    plain.replace("&amp;", "&")
}

#[test]
fn nothing_that_a_user_wrote_is_markup() {
    let (folder, design) = hostile();
    let page = report(&[&design, "--seeds", "20", "--to", "-"]);
    assert!(!page.contains("<script") && !page.contains("<img src=x"), "{page}");
    assert!(page.contains("&lt;script&gt;document.title='owned'&lt;/script&gt;"));
    assert!(page.contains("Second &lt;/blockquote&gt; paragraph."));
    // The page needs nothing from elsewhere.
    for outside in ["http://", "https://", "<link", "url("] {
        let here = page.replace("http://www.w3.org", "");
        assert!(!here.contains(outside), "{outside}");
    }
    let file = folder.path("report.md");
    report(&[&design, "--seeds", "20", "--to", &file]);
    let text = std::fs::read_to_string(&file).expect("a report");
    let outside_of_code = text.split("```").next().expect("text before the design");
    assert!(!outside_of_code.contains("<script") && !outside_of_code.contains("[a](b)"));
    assert!(outside_of_code.contains("&lt;script&gt;document.title='owned'"));
}

#[test]
fn the_commands_of_a_report_without_columns_grow_without_columns() {
    let page = report(&["--preset", "catacombs", "--no-columns", "--seeds", "20", "--to", "-"]);
    let codes = elements(&page, "code");
    let commands: Vec<_> = codes.iter().filter(|text| text.starts_with("wallcrawler ")).collect();
    assert!(
        commands.iter().all(|command| command.contains(" --no-columns")),
        "{commands:?}"
    );
    let show = "wallcrawler grow --preset catacombs --no-columns --seed ";
    assert!(commands.iter().any(|command| command.starts_with(show)), "{commands:?}");
    assert!(!page.contains("and how it grew"));
}

#[cfg(unix)]
#[test]
fn every_command_of_a_report_works_in_a_shell() {
    let (_folder, design) = hostile();
    let page = report(&[&design, "--seeds", "30", "--to", "-"]);
    let commands: Vec<String> = elements(&page, "code").into_iter().map(unescaped).collect();
    let commands: Vec<&String> = commands
        .iter()
        .filter(|text| text.starts_with("wallcrawler "))
        .collect();
    assert!(commands.len() > 12, "{commands:?}");
    let mut opened = 0;
    for command in commands {
        // The designer needs a terminal: the same arguments print the dungeon.
        let program = env!("CARGO_BIN_EXE_wallcrawler");
        let is_designer = !command.contains("wallcrawler range") && !command.contains("wallcrawler report");
        let command = if is_designer {
            opened += 1;
            command.replacen("wallcrawler", &format!("{program} grow"), 1)
        } else {
            command.replacen("wallcrawler", program, 1)
        };
        let ran = Command::new("sh").args(["-c", &command]).output().expect("a shell");
        assert!(
            ran.status.success(),
            "{command}: {}",
            String::from_utf8_lossy(&ran.stderr)
        );
    }
    assert!(opened > 10);
}

#[test]
fn the_command_of_a_report_with_another_seed_makes_the_same_report() {
    let page = report(&["--preset", "weave", "--seed", "7", "--seeds", "5", "--to", "-"]);
    let commands = elements(&page, "code");
    assert!(
        commands.contains(&"wallcrawler --preset weave --seed 7"),
        "{commands:?}"
    );
    let made_by = commands.iter().find(|text| text.starts_with("wallcrawler report "));
    let args: Vec<&str> = made_by.expect("a command").split(' ').skip(2).collect();
    assert_eq!(report(&args), page);
}

#[test]
fn the_numbers_agree_with_check_and_survey() {
    let folder = preset("catacombs");
    let design = folder.path("design.toml");
    let page = report(&[&design, "--seeds", "60", "--to", "-"]);
    let checked = run(&["check", &design, "--seeds", "60", "--json"]);
    let checked: serde_json::Value = serde_json::from_str(&checked.out).expect("JSON");
    let found = &checked["checked"][0]["over_seeds"];
    let found = if found.is_null() { &checked["checked"][0] } else { found };
    let expectations = found["expectations"].as_array().expect("expectations");
    let rows = elements(&page, "tr");
    for one in expectations {
        let text = one["expectation"]
            .as_str()
            .expect("text")
            .replace('<', "&lt;")
            .replace('>', "&gt;");
        let row = rows
            .iter()
            .find(|row| row.contains(&format!("<code>{text}</code>")))
            .expect("a row");
        let sign = match one["outcome"].as_str().expect("an outcome") {
            "holds" => "✓\u{a0}holds",
            "fails" => "✗\u{a0}fails",
            _ => "?\u{a0}needs",
        };
        assert!(row.contains(sign), "{row}");
        if let Some(met) = one["met"].as_u64() {
            assert!(row.contains(&format!("{met} of 60 (")), "{row}");
        }
        if let Some(seed) = one["failing"][0].as_u64() {
            assert!(row.contains(&format!("--seed {seed}</code>")), "{row}");
        }
    }
    for anomaly in found["anomalies"].as_array().expect("anomalies") {
        let name = anomaly["anomaly"].as_str().expect("a name");
        let row = rows
            .iter()
            .find(|row| row.contains(&format!("<td>{name}</td>")))
            .expect("a row");
        assert!(row.contains(&format!("{} of 60 (", anomaly["dungeons"])), "{row}");
    }
    let survey = run(&["survey", &design, "--seeds", "60"]);
    for metric in ["path", "dead-ends", "junctions"] {
        let line = survey
            .out
            .lines()
            .find(|line| line.starts_with(&format!("{metric} ")))
            .expect("a line");
        let row = rows
            .iter()
            .find(|row| row.contains(&format!("<code>{metric}</code>")) && row.contains("<svg"))
            .expect("a row");
        // The median is followed by its interval: `246 [230, 251]`.
        let (before, rest) = line.split_once(" [").expect("an interval");
        let (interval, after) = rest.split_once(']').expect("an interval");
        let (mut before, after) = (before.split_whitespace().skip(1), after.split_whitespace());
        let median = format!("{} [{interval}]", before.by_ref().nth(2).expect("a median"));
        let values = line.split_whitespace().skip(1).take(2).chain(after.take(2));
        for value in values.chain([median.as_str()]) {
            assert!(
                row.contains(&format!("class=\"number\">{value}")),
                "{metric} {value}: {row}"
            );
        }
    }
}

#[test]
fn a_markdown_report_has_its_pictures_beside_it_and_replaces_only_an_earlier_one() {
    let folder = preset("keep");
    let (design, file) = (folder.path("design.toml"), folder.path("keep.md"));
    for _ in 0..2 {
        report(&[&design, "--seeds", "20", "--to", &file]);
    }
    let text = std::fs::read_to_string(&file).expect("a report");
    let pictures: Vec<&str> = (text.split("](<").skip(1))
        .filter_map(|rest| rest.split_once(">)"))
        .map(|(path, _)| path)
        .collect();
    assert!(pictures.len() > 4, "{text}");
    for picture in pictures {
        let bytes = std::fs::read(folder.path(picture)).expect("a picture");
        assert!(bytes.starts_with(b"\x89PNG"), "{picture}");
    }
    let page = folder.path("page.txt");
    report(&[&design, "--seeds", "2", "--to", &page, "--format", "html"]);
    let text = std::fs::read_to_string(&page).expect("a report");
    assert!(
        text.contains("--format html --output"),
        "the command would fail without it"
    );
    let own = folder.path("own.html");
    std::fs::write(&own, "<!DOCTYPE html><p>mine").expect("written");
    assert_eq!(run(&["report", &design, "--seeds", "2", "--to", &own]).status, 2);
    for wrong in [&["--to", "report.pdf"][..], &["--to", "-", "--as", "markdown"], &[]] {
        assert_eq!(
            run(&[&["report", &*design, "--seeds", "2"], wrong].concat()).status,
            2,
            "{wrong:?}"
        );
    }
}

#[test]
fn the_folder_of_pictures_is_checked_before_the_dungeons_grow() {
    let folder = preset("keep");
    let design = folder.path("design.toml");
    let refused = |name: &str| {
        let file = folder.path(name);
        let done = run(&["report", &design, "--seeds", "0..20", "--to", &file]);
        assert_eq!(done.status, 2, "{}", done.err);
        assert!(!std::path::Path::new(&file).exists(), "{name}");
        done.err
    };
    std::fs::write(folder.path("a-pictures"), "mine").expect("written");
    let text = refused("a.md");
    assert!(text.contains("a-pictures is not a folder"), "{text}");
    for (name, picture) in [("b", "range.png"), ("c", "seed-7.png")] {
        let pictures = folder.path(&format!("{name}-pictures"));
        std::fs::create_dir(&pictures).expect("a folder");
        let own = folder.path(&format!("{name}-pictures/{picture}"));
        std::fs::write(&own, "mine").expect("written");
        let text = refused(&format!("{name}.md"));
        assert!(text.contains(picture) && text.contains("pass --force"), "{text}");
        assert_eq!(
            std::fs::read_dir(&pictures).expect("a folder").count(),
            1,
            "no picture was written"
        );
        assert_eq!(std::fs::read_to_string(&own).expect("a file"), "mine");
    }
    // The picture of a seed that the report cannot show is not in the way.
    std::fs::write(folder.path("c-pictures/seed-8.png"), "mine").expect("written");
    std::fs::remove_file(folder.path("c-pictures/seed-7.png")).expect("removed");
    report(&[&design, "--seeds", "0..8", "--to", &folder.path("c.md")]);
}

/// Returns the browser: WALLCRAWLER_BROWSER, or a Chromium on the path. A browser that the variable names must work.
fn browser() -> Option<PathBuf> {
    if let Some(named) = std::env::var_os("WALLCRAWLER_BROWSER") {
        return Some(named.into());
    }
    let folders = std::env::var_os("PATH")?;
    let names = ["chromium", "chromium-browser", "google-chrome", "chrome"];
    std::env::split_paths(&folders).find_map(|folder| {
        names
            .map(|name| folder.join(name))
            .into_iter()
            .find(|path| path.is_file())
    })
}

/// Opens a page in the browser without a window, and returns what it prints.
fn browse(browser: &Path, profile: &Path, args: &[&str], page: &str) -> String {
    let out = profile.join("out");
    let mut child = Command::new(browser)
        .args([
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--hide-scrollbars",
        ])
        .arg(format!("--user-data-dir={}", profile.display()))
        .args(args)
        .arg(format!("file://{page}"))
        .stdout(std::fs::File::create(&out).expect("a file"))
        .stderr(Stdio::null())
        .spawn()
        .unwrap_or_else(|error| panic!("{}: {error}", browser.display()));
    let begun = Instant::now();
    while child.try_wait().expect("a process").is_none() {
        if begun.elapsed() > Duration::from_mins(3) {
            let _ = child.kill();
            panic!("{} does not end", browser.display());
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    std::fs::read_to_string(out).expect("text")
}

#[test]
fn a_browser_shows_the_report_and_runs_nothing_in_it() {
    let Some(browser) = browser() else {
        use std::io::Write as _;
        let _ = writeln!(
            std::io::stderr(),
            "SKIPPED the report in a browser: install Chromium, or set WALLCRAWLER_BROWSER to its path"
        );
        return;
    };
    let (folder, design) = hostile();
    let (page, picture) = (folder.path("report.html"), folder.path("screen.png"));
    report(&[&design, "--seeds", "20", "--to", &page]);
    let profile = tempfile::tempdir().expect("a folder");
    let document = browse(&browser, profile.path(), &["--dump-dom"], &page);
    assert!(
        document.contains("<title>Dungeons of &lt;script&gt;"),
        "{document:.400}"
    );
    assert!(
        !document.contains("<script") && !document.contains("onerror=\"alert"),
        "{document:.400}"
    );
    assert_eq!(document.matches("<h2>").count(), 9);
    assert!(document.trim_end().ends_with("</html>"));
    let shot = format!("--screenshot={picture}");
    browse(&browser, profile.path(), &[&shot, "--window-size=1200,1800"], &page);
    let file = std::io::BufReader::new(std::fs::File::open(&picture).expect("a screenshot"));
    let mut reader = png::Decoder::new(file).read_info().expect("a picture");
    let mut pixels = vec![0; reader.output_buffer_size().expect("a size")];
    let info = reader.next_frame(&mut pixels).expect("pixels");
    let samples = info.color_type.samples();
    // The walls of generation 0 are drawn in their colour on a light or a dark page.
    let has = |rgb: [u8; 3]| pixels.chunks(samples).filter(|pixel| pixel[..3] == rgb).count() > 500;
    assert!(has([4, 121, 255]) || has([92, 210, 239]));
}
