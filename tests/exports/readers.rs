//! Readers in Python and JavaScript, where those are at hand: pytmx, pytiled-parser, jsonschema, ldtkpy, Pillow, PDFium,
//! and the player of asciinema. They are put into the folder of the build once, by pip and npm, and stay there. Where
//! that cannot be done the tests say so past the test runner, and pass.

use std::fs::File;
use std::io::{Read as _, Seek as _, Write as _};
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use wallcrawler::export::{self, By, CastVersion, Dungeon, Ground, Kind, Options, Painting, Print, SCHEMA};
use wallcrawler::geometry::Point;

use super::films::screen_is;
use super::tools::class_of;
use crate::{bytes, each};

const PACKAGES: [&str; 6] = [
    "pytmx==3.32",
    "pytiled-parser==2.2.9",
    "jsonschema==4.26.0",
    "ldtkpy==1.4.1",
    "pillow",
    "pypdfium2",
];

const PLAYER: &str = "asciinema-player@3.17.0";

pub(crate) fn say(line: &str) {
    // Past the test runner, which keeps what passing tests print to itself.
    let _ = writeln!(std::io::stderr(), "{line}");
}

/// How long anything of somebody else's may take: a network that hangs must not keep the tests from ending.
const LIMIT: Duration = Duration::from_mins(5);

/// Makes a folder of readers, unless it is there already and they can be used; `None`, and a line that says why, where
/// that cannot be done.
fn made(
    name: &str,
    make: impl Fn(&Path) -> Result<(), String>,
    usable: impl Fn(&Path) -> Result<(), String>,
) -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let ready = folder.join("ready");
    if ready.exists() && usable(&folder).is_ok() {
        return Some(folder);
    }
    let _ = std::fs::remove_dir_all(&folder);
    let created = std::fs::create_dir_all(&folder).map_err(|error| error.to_string());
    match created.and_then(|()| make(&folder)).and_then(|()| usable(&folder)) {
        Ok(()) => {
            std::fs::write(ready, "").expect("written");
            Some(folder)
        }
        Err(why) => {
            say(&format!("SKIPPED the readers of {name}: {why}"));
            None
        }
    }
}

/// Runs a program to its end; what it printed.
fn run(command: &mut Command) -> Result<String, String> {
    // Files, not pipes: what a program leaves behind that was ended keeps those open.
    let [mut out, mut err] = [(); 2].map(|()| tempfile::tempfile().expect("a file"));
    let files = [&out, &err].map(|file| file.try_clone().expect("a file"));
    let [stdout, stderr] = files.map(Stdio::from);
    let name = format!("{command:?}");
    let failed = |error: std::io::Error| format!("{name}: {error}");
    let spawned = command.stdin(Stdio::null()).stdout(stdout).stderr(stderr).spawn();
    let mut child = spawned.map_err(&failed)?;
    let deadline = Instant::now() + LIMIT;
    let status = loop {
        if let Some(status) = child.try_wait().map_err(&failed)? {
            break status;
        }
        if Instant::now() >= deadline {
            let _ = child.kill();
            let _ = child.wait();
            return Err(format!("{name}: not done after {} minutes", LIMIT.as_secs() / 60));
        }
        std::thread::sleep(Duration::from_millis(10));
    };
    let text = |file: &mut File| -> std::io::Result<String> {
        let mut bytes = Vec::new();
        file.rewind()?;
        file.read_to_end(&mut bytes)?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    };
    if status.success() {
        return text(&mut out).map_err(&failed);
    }
    let told = text(&mut err).map_err(&failed)?;
    let lines: Vec<_> = told.lines().rev().take(12).collect();
    Err(format!("{name}: {status}: {}", lines.join(" | ")))
}

/// The Python with its readers.
fn python() -> Option<&'static Path> {
    static PYTHON: OnceLock<Option<PathBuf>> = OnceLock::new();
    let python = PYTHON.get_or_init(|| {
        let make = |folder: &Path| {
            run(Command::new("python3").args(["-m", "venv"]).arg(folder))?;
            let mut pip = Command::new(folder.join("bin/python"));
            pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]);
            pip.args(["--timeout", "10", "--retries", "0"]).args(PACKAGES);
            run(&mut pip).map(drop)
        };
        // A folder that was kept may belong to a Python that is gone.
        let usable = |folder: &Path| {
            let modules = "import jsonschema, ldtkpy.api, PIL.Image, pypdfium2, pytiled_parser, pytmx";
            run(Command::new(folder.join("bin/python")).args(["-c", modules])).map(drop)
        };
        let folder = made("readers-python", make, usable)?;
        Some(folder.join("bin/python"))
    });
    python.as_deref()
}

/// The modules of the player, and a `node` that runs them.
fn modules() -> Option<&'static Path> {
    static MODULES: OnceLock<Option<PathBuf>> = OnceLock::new();
    let modules = MODULES.get_or_init(|| {
        let make = |folder: &Path| {
            let mut npm = Command::new("npm");
            npm.args([
                "install",
                "--silent",
                "--no-audit",
                "--no-fund",
                "--ignore-scripts",
                "--no-save",
            ]);
            npm.args(["--fetch-retries", "0", "--fetch-timeout", "10000"]);
            run(npm.arg("--prefix").arg(folder).arg(PLAYER)).map(drop)
        };
        let usable = |_: &Path| {
            // Modules that wait for others, as the script does that plays.
            let version = run(Command::new("node").arg("--version"))?;
            let major = version.trim_start_matches('v').split('.').next();
            let major = major.and_then(|major| major.parse::<u32>().ok());
            let is_new = major.is_some_and(|major| major >= 16);
            is_new
                .then_some(())
                .ok_or_else(|| format!("node {} is too old", version.trim()))
        };
        usable(Path::new(""))
            .inspect_err(|why| say(&format!("SKIPPED the player of asciinema: {why}")))
            .ok()?;
        let folder = made("readers-node", make, usable)?;
        Some(folder.join("node_modules"))
    });
    modules.as_deref()
}

fn script(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/exports/readers")
        .join(name)
}

fn options() -> Options {
    Options {
        scale: Some(4),
        duration: 1000,
        print: Print {
            square: Some("12mm".parse().unwrap()),
            ..Print::default()
        },
        ..Options::default()
    }
}

/// What the readers in Python see of a dungeon.
fn seen(python: &Path, dungeon: &Dungeon<'_>) -> Value {
    let folder = tempfile::tempdir().unwrap();
    let put = |name: &str, bytes: &[u8]| std::fs::write(folder.path().join(name), bytes).unwrap();
    put("schema.json", SCHEMA.as_bytes());
    for kind in [
        Kind::Json,
        Kind::Png,
        Kind::Gif,
        Kind::Apng,
        Kind::Pdf,
        Kind::Tmx,
        Kind::Tmj,
        Kind::Ldtk,
        Kind::Uvtt,
    ] {
        put(&format!("map.{}", kind.name()), &bytes(kind, dungeon, &options()));
        if let Some((name, bytes)) = export::beside(kind, dungeon, &options(), "map.x").unwrap() {
            put(&name, &bytes);
        }
    }
    let square = 12.0 * 72.0 / 25.4;
    let mut command = Command::new(python);
    command
        .arg(script("read.py"))
        .arg(folder.path())
        .arg(format!("{square}"));
    let told = run(&mut command).expect("the readers read all of it");
    serde_json::from_str(&told).expect("JSON")
}

fn pictures_are_right(dungeon: &Dungeon<'_>, seen: &Value) {
    let painting = Painting::new(dungeon, By::Generation, Ground::Dark);
    let part = |at: Point| &painting.parts()[painting.part_of(at)];
    let colours: Value = dungeon.squares().map(|at| json!(part(at).rgb)).collect();
    let size = dungeon.size();
    for name in ["map.png", "map.gif", "map.apng", "map.uvtt"] {
        let seen = &seen["pillow"][name];
        assert_eq!(seen["size"], json!([size.y * 4, size.x * 4]), "{name}");
        assert_eq!(seen["squares"], colours, "{name}");
        let is_film = seen["frames"].as_u64().unwrap() > 5;
        assert_eq!(is_film, name == "map.gif" || name == "map.apng", "{name}");
    }
}

fn paper_is_right(dungeon: &Dungeon<'_>, seen: &Value) {
    let pages = export::Pages::new(dungeon.size(), &options().print).unwrap();
    let painting = Painting::new(dungeon, By::Generation, Ground::Print);
    let seen = seen["pdfium"].as_array().unwrap();
    assert_eq!(seen.len() as u64, pages.count() + 1);
    assert_eq!(seen[0]["label"], "Overview");
    let grid = pages.grid();
    let all = (0..grid.x).flat_map(|row| (0..grid.y).map(move |column| Point::new(row, column)));
    for (page, told) in all.zip(&seen[1..]) {
        let name = export::Pages::name(page);
        assert_eq!(told["label"], *name);
        let text = told["text"].as_str().unwrap();
        let (from, own) = pages.squares(page);
        // Narrow pages have no room for all of it.
        let is_wide = own.y >= 8;
        assert!(
            text.starts_with(&name) && (!is_wide || text.contains("a square is 12 mm")),
            "{text}"
        );
        assert!(seen[0]["text"].as_str().unwrap().contains(&name));
        let next = Point::new(page.x, page.y + 1);
        if grid.contains(next) {
            assert!(text.contains(&format!("right {}", export::Pages::name(next))), "{text}");
        }
        let shades = told["shades"].as_array().unwrap();
        assert_eq!(shades.len(), own.x as usize);
        for (x, row) in (from.x..).zip(shades) {
            assert_eq!(row.as_array().unwrap().len(), own.y as usize);
            for (y, shade) in (from.y..).zip(row.as_array().unwrap()) {
                let rgb = painting.parts()[painting.part_of(Point::new(x, y))].rgb;
                let shade = shade.as_u64().unwrap();
                // Paper is black and grey, but for some features of vaults.
                let is_grey = rgb[0] == rgb[1] && rgb[1] == rgb[2];
                assert!(!is_grey || shade.abs_diff(rgb[0].into()) <= 1, "({x}, {y}): {shade}");
            }
        }
    }
}

#[test]
fn readers_in_python_see_the_dungeon() {
    let Some(python) = python() else { return };
    each(|dungeon| {
        let seen = seen(python, dungeon);
        let size = json!([dungeon.size().y, dungeon.size().x]);
        let classes: Value = dungeon.squares().map(|at| class_of(dungeon, at)).collect();
        // pytmx.
        let tmx = &seen["pytmx"];
        assert_eq!(
            (&tmx["size"], &tmx["seed"]),
            (&size, &dungeon.design().seed.to_string().into())
        );
        let squares = tmx["squares"].as_array().unwrap();
        assert_eq!(
            squares.iter().map(|square| square[0].clone()).collect::<Value>(),
            classes
        );
        assert!(squares.iter().all(|square| (square[1] == true) == (square[2] == 1)));
        assert_eq!(tmx["objects"]["Rooms"].as_array().unwrap().len(), dungeon.rooms().len());
        for (told, room) in tmx["objects"]["Rooms"].as_array().unwrap().iter().zip(dungeon.rooms()) {
            let corner = [room.center.y - room.width, room.center.x - room.width].map(|at| f64::from(at * 4));
            let length = f64::from((2 * room.width + 1) * 4);
            let name = format!("room {}", room.index + 1);
            assert_eq!(*told, json!([name, "room", corner[0], corner[1], length, length]));
        }
        // pytiled-parser: both formats alike.
        let [xml, json] = ["map.tmx", "map.tmj"].map(|name| &seen["pytiled_parser"][name]);
        assert_eq!((&xml["size"], &xml["squares"]), (&size, &json["squares"]));
        assert_eq!(
            (&xml["solid"], xml["objects"].as_object().unwrap().len()),
            (&json["solid"], 5)
        );
        assert!(!xml["solid"].as_array().unwrap().is_empty());
        for (name, objects) in xml["objects"].as_object().unwrap() {
            let other = json["objects"][name].as_array().unwrap();
            assert_eq!(objects.as_array().unwrap().len(), other.len());
            for (a, b) in objects.as_array().unwrap().iter().zip(other) {
                assert_eq!((&a[0], &a[1]), (&b[0], &b[1]));
                assert_eq!([a[2].as_f64(), a[3].as_f64()], [b[2].as_f64(), b[3].as_f64()]);
            }
        }
        // jsonschema.
        let rows = |x| {
            (0..dungeon.size().y)
                .map(|y| dungeon.grid().tile(Point::new(x, y)).plain())
                .collect::<String>()
        };
        assert_eq!(seen["jsonschema"], (0..dungeon.size().x).map(rows).collect::<Value>());
        // ldtkpy.
        let ldtk = &seen["ldtkpy"];
        assert_eq!((&ldtk["size"], &ldtk["squares"]), (&size, &classes));
        let entities = ldtk["entities"].as_array().unwrap();
        assert_eq!(
            entities.iter().filter(|name| *name == "Room").count(),
            dungeon.rooms().len()
        );
        pictures_are_right(dungeon, &seen);
        paper_is_right(dungeon, &seen);
    });
}

#[test]
fn the_player_of_asciinema_shows_the_dungeon_at_each_chapter() {
    let Some(modules) = modules() else { return };
    each(|dungeon| {
        let folder = tempfile::tempdir().unwrap();
        for version in [CastVersion::Two, CastVersion::Three] {
            let cast = folder.path().join("growth.cast");
            std::fs::write(&cast, bytes(Kind::Cast(version), dungeon, &options())).unwrap();
            let mut node = Command::new("node");
            let told = run(node.arg(script("play.mjs")).arg(modules).arg(&cast)).expect("it plays");
            let told: Value = serde_json::from_str(&told).unwrap();
            let size = dungeon.size();
            let (columns, rows) = (size.y.max(60), (size.x + 1) / 2 + 1);
            assert_eq!(told["size"], json!({"cols": columns, "rows": rows}));
            assert!(
                (told["duration"].as_f64().unwrap() - 4.0).abs() < 1e-6,
                "a second, and three at the end"
            );
            let last = dungeon.clock().generation();
            let marks = told["markers"].as_array().unwrap();
            let names: Vec<&str> = marks.iter().map(|mark| mark[1].as_str().unwrap()).collect();
            let own: Vec<String> = (0..=last)
                .map(|generation| format!("generation {generation}"))
                .collect();
            assert_eq!(names, own);
            let screens = told["screens"].as_array().unwrap();
            assert_eq!(screens.len(), marks.len() + 1);
            let mut before = None;
            for (number, screen) in screens.iter().enumerate() {
                let sent = screen.as_str().unwrap().replace("\u{1b}[?25h\r\n", "");
                let cells = |length: i32| NonZero::new(length as u16).unwrap();
                let mut terminal = vt100::Parser::new(cells(rows), cells(columns), 0);
                terminal.process(sent.as_bytes());
                // The line below says which moment it is.
                let line = terminal.screen().rows(0, columns as u16).last().unwrap();
                let mut words = line.split([' ', ',']).filter_map(|word| word.parse::<u64>().ok());
                let (generation, turn) = (words.next().unwrap(), words.next().unwrap());
                // Generations may begin so soon after each other that one picture shows both.
                let own = marks
                    .iter()
                    .rposition(|mark| mark[0] == marks[number.min(marks.len() - 1)][0]);
                assert_eq!(Some(generation as usize), own, "{line}");
                assert!(before.is_none_or(|before| before <= turn));
                before = Some(turn);
                screen_is(dungeon, terminal.screen(), turn);
            }
            assert_eq!(before, Some(dungeon.turn()));
        }
    });
}
