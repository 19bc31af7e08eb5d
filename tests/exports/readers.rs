//! Readers in Python and JavaScript, if these are installed: pytmx, pytiled-parser, jsonschema, ldtkpy, Pillow, PDFium,
//! the player of asciinema, the plugins of the game engine Excalibur, and ajv. pip and npm install them once into the
//! build folder. If that fails, the tests say so, bypassing the test runner, and pass.

use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use serde_json::{Value, json};
use wallcrawler::export::{
    self, CastVersion, ColourBy, DungeonView, ExportKind, ExportOptions, Ground, Painting, PrintLayout, SCHEMA,
};
use wallcrawler::geometry::Point;

use super::films::{generations, screen_is};
use super::outside::{made, run};
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

const MODULES: [&str; 6] = [
    "asciinema-player@3.17.0",
    "excalibur@0.32.0",
    "@excaliburjs/plugin-tiled@0.32.0",
    "@excaliburjs/plugin-ldtk@0.32.1",
    "jsdom@26.1.0",
    "ajv@8.20.0",
];

/// Returns the Python that has the readers.
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
        // A kept folder may belong to a Python that no longer exists.
        let usable = |folder: &Path| {
            let modules = "import jsonschema, ldtkpy.api, PIL.Image, pypdfium2, pytiled_parser, pytmx";
            run(Command::new(folder.join("bin/python")).args(["-c", modules])).map(drop)
        };
        let folder = made("readers-python", &PACKAGES, make, usable)?;
        Some(folder.join("bin/python"))
    });
    python.as_deref()
}

/// Returns the JavaScript modules, and a `node` that runs them.
fn modules() -> Option<&'static Path> {
    static FOUND: OnceLock<Option<PathBuf>> = OnceLock::new();
    let modules = FOUND.get_or_init(|| {
        let make = |folder: &Path| {
            // Checked first: without node nothing needs to be downloaded.
            new_enough()?;
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
            run(npm.arg("--prefix").arg(folder).args(MODULES)).map(drop)
        };
        let folder = made("readers-node", &MODULES, make, |_| new_enough())?;
        Some(folder.join("node_modules"))
    });
    modules.as_deref()
}

/// Returns whether `node` exists and runs the modules: jsdom requires version 18.
fn new_enough() -> Result<(), String> {
    let version = run(Command::new("node").arg("--version"))?;
    let major = version.trim_start_matches('v').split('.').next();
    let major = major.and_then(|major| major.parse::<u32>().ok());
    let is_new = major.is_some_and(|major| major >= 18);
    is_new
        .then_some(())
        .ok_or_else(|| format!("node {} is too old", version.trim()))
}

fn script(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/exports/readers")
        .join(name)
}

fn options() -> ExportOptions {
    ExportOptions {
        scale: Some(4),
        duration: 1000,
        print: PrintLayout {
            square: Some("12mm".parse().unwrap()),
            ..PrintLayout::default()
        },
        ..ExportOptions::default()
    }
}

/// Writes the files for the readers, one per kind.
fn files(kinds: &[ExportKind], dungeon: &DungeonView<'_>) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let put = |name: &str, bytes: &[u8]| std::fs::write(folder.path().join(name), bytes).unwrap();
    put("schema.json", SCHEMA.as_bytes());
    for kind in kinds {
        put(&format!("map.{}", kind.name()), &bytes(*kind, dungeon, &options()));
        if let Some((name, bytes)) = export::beside(*kind, dungeon, &options(), "map.x").unwrap() {
            put(&name, &bytes);
        }
    }
    folder
}

/// Returns the contents of a dungeon as the Python readers see them.
fn seen(python: &Path, dungeon: &DungeonView<'_>) -> Value {
    let kinds = [
        ExportKind::Json,
        ExportKind::Png,
        ExportKind::Gif,
        ExportKind::Apng,
        ExportKind::Pdf,
        ExportKind::Tmx,
        ExportKind::Tmj,
        ExportKind::Ldtk,
        ExportKind::Uvtt,
    ];
    let folder = files(&kinds, dungeon);
    let square = 12.0 * 72.0 / 25.4;
    let mut command = Command::new(python);
    command
        .arg(script("read.py"))
        .arg(folder.path())
        .arg(format!("{square}"));
    let output = run(&mut command).expect("the readers read all of it");
    serde_json::from_str(&output).expect("JSON")
}

fn pictures_are_right(dungeon: &DungeonView<'_>, seen: &Value) {
    let painting = Painting::new(dungeon, ColourBy::Generation, Ground::Dark);
    let part = |at: Point| &painting.parts()[painting.part_of(at)];
    let colours: Value = dungeon.squares().map(|at| json!(part(at).rgb)).collect();
    let size = dungeon.size();
    for name in ["map.png", "map.gif", "map.apng", "map.uvtt"] {
        let seen = &seen["pillow"][name];
        assert_eq!(seen["size"], json!([size.y * 4, size.x * 4]), "{name}");
        assert_eq!(seen["squares"], colours, "{name}");
        let is_animation = seen["frames"].as_u64().unwrap() > 5;
        assert_eq!(is_animation, name == "map.gif" || name == "map.apng", "{name}");
    }
}

fn paper_is_right(dungeon: &DungeonView<'_>, seen: &Value) {
    let pages = export::Pages::new(dungeon.size(), &options().print).unwrap();
    let painting = Painting::new(dungeon, ColourBy::Generation, Ground::Print);
    let seen = seen["pdfium"].as_array().unwrap();
    assert_eq!(seen.len() as u64, pages.count() + 1);
    assert_eq!(seen[0]["label"], "Overview");
    let title = seen[0]["text"].as_str().unwrap();
    let name = dungeon.title().replace('城', "<U+57CE>");
    assert!(title.starts_with(&name), "{title}");
    let grid = pages.grid();
    let all = (0..grid.x).flat_map(|row| (0..grid.y).map(move |column| Point::new(row, column)));
    for (page, read) in all.zip(&seen[1..]) {
        let name = export::Pages::name(page);
        assert_eq!(read["label"], *name);
        let text = read["text"].as_str().unwrap();
        let (from, own) = pages.squares(page);
        // Narrow pages have no room for the whole text.
        let is_wide = own.y >= 8;
        assert!(
            text.starts_with(&name) && (!is_wide || text.contains("1 square = 12 mm")),
            "{text}"
        );
        assert!(seen[0]["text"].as_str().unwrap().contains(&name));
        let next = Point::new(page.x, page.y + 1);
        if grid.contains(next) {
            assert!(text.contains(&format!("right {}", export::Pages::name(next))), "{text}");
        }
        let shades = read["shades"].as_array().unwrap();
        assert_eq!(shades.len(), own.x as usize);
        for (x, row) in (from.x..).zip(shades) {
            assert_eq!(row.as_array().unwrap().len(), own.y as usize);
            for (y, shade) in (from.y..).zip(row.as_array().unwrap()) {
                let at = Point::new(x, y);
                let rgb = painting.parts()[painting.part_of(at)].rgb;
                let shade = shade.as_u64().unwrap();
                // The sign of a door covers the middle of its square.
                if dungeon.doors().iter().any(|door| door.squares.contains(&at)) {
                    continue;
                }
                // Pages are black and grey, except for some features of vaults.
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
        for (object, room) in tmx["objects"]["Rooms"].as_array().unwrap().iter().zip(dungeon.rooms()) {
            let corner = [room.center.y - room.width, room.center.x - room.width].map(|at| f64::from(at * 4));
            let length = f64::from((2 * room.width + 1) * 4);
            let name = format!("room {}", room.index + 1);
            assert_eq!(*object, json!([name, "room", corner[0], corner[1], length, length]));
        }
        let has_contents = dungeon.squares().any(|at| dungeon.contents_at(at).next().is_some());
        // pytiled-parser: both formats are equal.
        let [xml, json] = ["map.tmx", "map.tmj"].map(|name| &seen["pytiled_parser"][name]);
        assert_eq!((&xml["size"], &xml["squares"]), (&size, &json["squares"]));
        assert_eq!(
            (&xml["solid"], xml["objects"].as_object().unwrap().len()),
            (&json["solid"], 6 + usize::from(has_contents))
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
            std::fs::write(&cast, bytes(ExportKind::Cast(version), dungeon, &options())).unwrap();
            let mut node = Command::new("node");
            let played = run(node.arg(script("play.mjs")).arg(modules).arg(&cast)).expect("it plays");
            let played: Value = serde_json::from_str(&played).unwrap();
            let size = dungeon.size();
            let (columns, rows) = (size.y.max(60), (size.x + 1) / 2 + 1);
            assert_eq!(played["size"], json!({"cols": columns, "rows": rows}));
            assert!(
                (played["duration"].as_f64().unwrap() - 4.0).abs() < 1e-6,
                "a second, and three at the end"
            );
            let marks = played["markers"].as_array().unwrap();
            let names: Vec<&str> = marks.iter().map(|mark| mark[1].as_str().unwrap()).collect();
            assert_eq!(names, generations(dungeon, 0));
            let screens = played["screens"].as_array().unwrap();
            assert_eq!(screens.len(), marks.len() + 1);
            let mut before = None;
            for (number, screen) in screens.iter().enumerate() {
                let sent = screen.as_str().unwrap().replace("\u{1b}[?25h\r\n", "");
                let cells = |length: i32| NonZero::new(length as u16).unwrap();
                let mut terminal = vt100::Parser::new(cells(rows), cells(columns), 0);
                terminal.process(sent.as_bytes());
                // The line below shows the moment.
                let line = terminal.screen().rows(0, columns as u16).last().unwrap();
                let mut words = line.split([' ', ',']).filter_map(|word| word.parse::<u64>().ok());
                let (generation, turn) = (words.next().unwrap(), words.next().unwrap());
                // Generations may begin so soon after each other that one frame shows both.
                let own = marks
                    .iter()
                    .rposition(|mark| mark[0] == marks[number.min(marks.len() - 1)][0]);
                assert_eq!(format!("generation {generation}"), names[own.unwrap()], "{line}");
                assert!(before.is_none_or(|before| before <= turn));
                before = Some(turn);
                screen_is(dungeon, terminal.screen(), turn);
            }
            assert_eq!(before, Some(dungeon.turn()));
        }
    });
}

#[test]
fn a_game_engine_and_a_strict_validator_accept_the_maps() {
    let Some(modules) = modules() else { return };
    each(|dungeon| {
        let folder = files(
            &[ExportKind::Json, ExportKind::Tmx, ExportKind::Tmj, ExportKind::Ldtk],
            dungeon,
        );
        let mut node = Command::new("node");
        let loaded = run(node.arg(script("games.mjs")).arg(modules).arg(folder.path())).expect("it loads");
        let loaded: Value = serde_json::from_str(&loaded).unwrap();
        assert_eq!(loaded["ajv"], json!([]));
        let size = json!([dungeon.size().y, dungeon.size().x]);
        let is_open = |at| match dungeon.feature(at) {
            Some(feature) => !feature.is_solid(),
            None => dungeon.grid().tile(at).is_open(),
        };
        let solid: Value = dungeon.squares().map(|at| u8::from(!is_open(at))).collect();
        let classes: Value = dungeon.squares().map(|at| class_of(dungeon, at)).collect();
        for name in ["map.tmx", "map.tmj", "map.ldtk"] {
            assert_eq!(
                (&loaded[name]["size"], &loaded[name]["solid"]),
                (&size, &solid),
                "{name}"
            );
        }
        for name in ["map.tmx", "map.tmj"] {
            let loaded = &loaded[name];
            assert_eq!(loaded["classes"], classes, "{name}");
            assert_eq!(loaded["objects"]["Rooms"], dungeon.rooms().len(), "{name}");
            assert_eq!(loaded["objects"]["Doors"], loaded["doors"], "{name}");
        }
        assert_eq!(loaded["map.ldtk"]["rooms"], dungeon.rooms().len());
    });
}
