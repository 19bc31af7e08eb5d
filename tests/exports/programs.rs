//! Third-party programs, if they are on the path: Tiled draws maps and writes them again, poppler and qpdf read
//! PDFs. Install them with `apt-get install tiled poppler-utils qpdf`.

use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};
use wallcrawler::export::{
    self, ColourBy, DungeonView, ExportKind, ExportOptions, Ground, MapMarks, Pages, Painting, Paper, PrintLayout,
};
use wallcrawler::geometry::{Point, Size};
use wallcrawler::import;

use super::outside::{has, run};
use crate::{bytes, design, each, grown};

/// Pixels per side of a tile in the maps of these tests.
const SIDE: usize = 16;

/// Writes a Tiled map with its tileset.
fn put_map(folder: &Path, dungeon: &DungeonView<'_>) {
    let options = ExportOptions::default();
    for kind in [ExportKind::Tmx, ExportKind::Tmj] {
        let name = format!("map.{}", kind.name());
        std::fs::write(folder.join(name), bytes(kind, dungeon, &options)).unwrap();
    }
    let (name, picture) = export::beside(ExportKind::Tmx, dungeon, &options, "map.x")
        .unwrap()
        .unwrap();
    std::fs::write(folder.join(name), picture).unwrap();
}

/// Returns a command-line program of Tiled, which needs no screen.
fn of_tiled(program: &str, folder: &Path) -> Command {
    let mut command = Command::new(program);
    command
        .env("QT_QPA_PLATFORM", "offscreen")
        .env("XDG_RUNTIME_DIR", folder);
    command
}

/// Returns a picture as rows of pixels.
fn pixels(path: &Path) -> Vec<Vec<[u8; 3]>> {
    let file = std::io::BufReader::new(std::fs::File::open(path).unwrap());
    let mut decoder = png::Decoder::new(file);
    decoder.set_transformations(png::Transformations::normalize_to_color8());
    let mut reader = decoder.read_info().unwrap();
    let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut bytes).unwrap();
    let samples = info.color_type.samples();
    let pixel = |pixel: &[u8]| [pixel[0], pixel[1], pixel[2]];
    let rows = bytes.chunks(info.width as usize * samples);
    rows.take(info.height as usize)
        .map(|row| row.chunks(samples).map(pixel).collect())
        .collect()
}

#[test]
fn tiled_draws_each_square_like_its_tile() {
    if !has("tmxrasterizer") {
        return;
    }
    each(|dungeon| {
        let folder = tempfile::tempdir().unwrap();
        put_map(folder.path(), dungeon);
        let map: Value = serde_json::from_slice(&bytes(ExportKind::Tmj, dungeon, &ExportOptions::default())).unwrap();
        let columns = map["tilesets"][0]["columns"].as_u64().unwrap() as usize;
        let tiles = pixels(&folder.path().join("map.tiles.png"));
        let (width, height) = (dungeon.size().y as usize, dungeon.size().x as usize);
        for name in ["map.tmx", "map.tmj"] {
            let drawn = folder.path().join("drawn.png");
            let mut command = of_tiled("tmxrasterizer", folder.path());
            command.args(["--no-smoothing", "--show-layer", "Dungeon"]);
            run(command.arg(folder.path().join(name)).arg(&drawn)).expect("it draws");
            let drawn = pixels(&drawn);
            assert_eq!((drawn.len(), drawn[0].len()), (height * SIDE, width * SIDE), "{name}");
            for (number, gid) in map["layers"][0]["data"].as_array().unwrap().iter().enumerate() {
                let id = gid.as_u64().unwrap() as usize - 1;
                let (left, top) = (id % columns * SIDE, id / columns * SIDE);
                let (y, x) = (number % width * SIDE, number / width * SIDE);
                for row in 0..SIDE {
                    assert_eq!(
                        drawn[x + row][y..y + SIDE],
                        tiles[top + row][left..left + SIDE],
                        "{name} ({}, {})",
                        number / width,
                        number % width
                    );
                }
            }
        }
    });
}

/// Returns the contents of a Tiled map in JSON, whichever version of Tiled wrote it.
fn normalized(map: &Value) -> Value {
    // Some versions called a class a type.
    let class = |of: &Value| {
        let class = of.get("class").or_else(|| of.get("type"));
        class.cloned().unwrap_or_default()
    };
    let sorted = |of: &Value| {
        let mut all = of["properties"].as_array().cloned().unwrap_or_default();
        all.sort_by_key(|property| property["name"].to_string());
        all
    };
    let object = |of: &Value| {
        let place = ["x", "y", "width", "height"].map(|name| of[name].as_f64().unwrap());
        let line: Vec<[f64; 2]> = of["polyline"]
            .as_array()
            .into_iter()
            .flatten()
            .map(|at| [at["x"].as_f64().unwrap(), at["y"].as_f64().unwrap()])
            .collect();
        json!([
            of["id"],
            of["name"],
            class(of),
            place,
            line,
            of["point"] == true,
            sorted(of)
        ])
    };
    let list = |of: &Value, each: &dyn Fn(&Value) -> Value| -> Value {
        of.as_array().into_iter().flatten().map(each).collect()
    };
    let layer = |of: &Value| json!([of["name"], of["data"], list(&of["objects"], &object), sorted(of)]);
    let tile = |of: &Value| {
        let shape = of["objectgroup"]["objects"].as_array().map_or(0, Vec::len);
        json!([of["id"], class(of), sorted(of), shape])
    };
    json!([
        map["width"],
        map["height"],
        sorted(map),
        list(&map["layers"], &layer),
        list(&map["tilesets"][0]["tiles"], &tile)
    ])
}

#[test]
fn a_map_rewritten_by_tiled_is_equal_and_imports_equally() {
    if !has("tiled") {
        return;
    }
    each(|dungeon| {
        let folder = tempfile::tempdir().unwrap();
        put_map(folder.path(), dungeon);
        let drawing = |name: &str| {
            let bytes = std::fs::read(folder.path().join(name)).unwrap();
            let read = import::read(name, bytes, &import::ImportOptions::default(), &mut |_| {
                Err(std::io::ErrorKind::NotFound.into())
            });
            read.drawing.unwrap_or_else(|| panic!("{name}: {:?}", read.diagnostics))
        };
        let own: Value = serde_json::from_slice(&bytes(ExportKind::Tmj, dungeon, &ExportOptions::default())).unwrap();
        let before = drawing("map.tmx");
        for (from, to) in [
            ("map.tmx", "again.tmj"),
            ("map.tmj", "again.tmx"),
            ("again.tmx", "last.tmj"),
        ] {
            let mut command = of_tiled("tiled", folder.path());
            command.args(["--embed-tilesets", "--export-map"]);
            run(command.arg(folder.path().join(from)).arg(folder.path().join(to))).expect("it is written");
            if to.ends_with("tmj") {
                let again = std::fs::read(folder.path().join(to)).unwrap();
                assert_eq!(
                    normalized(&serde_json::from_slice(&again).unwrap()),
                    normalized(&own),
                    "{from}"
                );
            }
            let after = drawing(to);
            assert_eq!(after.size(), dungeon.size());
            for at in dungeon.squares() {
                assert_eq!(after.square(at), before.square(at), "{to} {at}");
            }
        }
    });
}

/// Pixels per millimetre of the pages that poppler renders.
const TO_MM: u32 = 5;

/// Returns a page as rows of grey values.
fn shades(path: &Path) -> Vec<Vec<u8>> {
    let file = std::fs::read(path).unwrap();
    // P5, width, height and the largest value, separated by white space, and then the values.
    let mut parts = file.splitn(5, u8::is_ascii_whitespace);
    assert_eq!(parts.next(), Some(&b"P5"[..]));
    let [width, _, white] = std::array::from_fn(|_| {
        let number = std::str::from_utf8(parts.next().unwrap()).unwrap();
        number.parse::<usize>().unwrap()
    });
    assert_eq!(white, 255);
    parts.next().unwrap().chunks(width).map(<[u8]>::to_vec).collect()
}

/// Returns the trim box of each page in points: left, bottom, right, top.
fn trims(text: &str) -> Vec<[f64; 4]> {
    let of = |line: &str| {
        let (_, numbers) = line.split_once("TrimBox:")?;
        let numbers: Vec<f64> = numbers
            .split_whitespace()
            .map(|number| number.parse().unwrap())
            .collect();
        numbers.try_into().ok()
    };
    text.lines().filter_map(of).collect()
}

#[test]
fn poppler_measures_squares_to_scale() {
    if !has("pdfinfo") || !has("pdftoppm") {
        return;
    }
    each(|dungeon| {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("map.pdf");
        let print = PrintLayout {
            paper: Paper::A3,
            square: Some("9mm".parse().unwrap()),
            ..PrintLayout::default()
        };
        let options = ExportOptions {
            print,
            marks: Some(MapMarks::None),
            ..ExportOptions::default()
        };
        std::fs::write(&path, bytes(ExportKind::Pdf, dungeon, &options)).unwrap();
        let pages = Pages::new(dungeon.size(), &print).unwrap();
        let info = run(Command::new("pdfinfo")
            .args(["-box", "-f", "1", "-l", "999"])
            .arg(&path))
        .unwrap();
        // The overview page exists if there are several others.
        let first = usize::from(pages.count() > 1);
        let count = pages.count() as usize + first;
        assert!(info.contains(&format!("Pages:           {count}\n")), "{info}");
        assert!(info.contains("(A3)") && !info.contains("Error"), "{info}");
        let trims = trims(&info);
        let mut command = Command::new("pdftoppm");
        command.args([
            "-gray",
            "-aaVector",
            "no",
            "-r",
            &format!("{}", f64::from(TO_MM) * 25.4),
        ]);
        run(command.arg(&path).arg(folder.path().join("page"))).expect("it draws");
        let mut drawn: Vec<_> = std::fs::read_dir(folder.path())
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .filter(|path| path.extension().is_some_and(|ending| ending == "pgm"))
            .collect();
        drawn.sort();
        assert_eq!((drawn.len(), trims.len()), (count, count));
        let painting = Painting::new(dungeon, ColourBy::Generation, Ground::Print);
        let grid = pages.grid();
        let all = (0..grid.x).flat_map(|row| (0..grid.y).map(move |column| Point::new(row, column)));
        for ((page, path), [left, _, _, top]) in all.zip(&drawn[first..]).zip(&trims[first..]) {
            let rows = shades(path);
            let [left, top] = [*left, *top].map(|points| points / 72.0 * 25.4 * f64::from(TO_MM));
            let top = rows.len() as f64 - top;
            let (from, own) = pages.squares(page);
            let side = f64::from(9 * TO_MM);
            for x in 0..own.x {
                for y in 0..own.y {
                    let rgb = painting.parts()[painting.part_of(Point::new(from.x + x, from.y + y))].rgb;
                    // Features of vaults have colours, which a grey value does not distinguish.
                    if rgb[0] != rgb[1] || rgb[1] != rgb[2] {
                        continue;
                    }
                    // Check the pixel two pixels inside each corner of the square. An error of a tenth of a millimetre
                    // in the side of a square is visible at the last square.
                    for (a, b) in [
                        (2.0, 2.0),
                        (2.0, side - 2.0),
                        (side - 2.0, 2.0),
                        (side - 2.0, side - 2.0),
                    ] {
                        let row = (top + f64::from(x) * side + a) as usize;
                        let column = (left + f64::from(y) * side + b) as usize;
                        let shade = rows[row][column];
                        assert!(
                            shade.abs_diff(rgb[0]) <= 1,
                            "page {page}, ({x}, {y}): {shade}, not {}",
                            rgb[0]
                        );
                    }
                }
            }
        }
    });
}

/// Returns the pages of a dungeon whose design has this name.
fn named(name: &str, folder: &Path) -> std::path::PathBuf {
    let mut design = design(Size::new(50, 91));
    design.name = name.into();
    let valid = design.validate(None).design.unwrap();
    let recording = grown(&valid);
    let dungeon = DungeonView::new(&valid, &recording, u64::MAX);
    let path = folder.join("map.pdf");
    std::fs::write(&path, bytes(ExportKind::Pdf, &dungeon, &ExportOptions::default())).unwrap();
    path
}

#[test]
fn names_in_all_scripts_can_be_read_on_paper_and_stay_on_it() {
    if !has("pdftotext") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let long = "Mighty WIDE Halls ".repeat(30);
    for (name, shown) in [
        ("Łódź: Замок, Πύργος, “Hall” ☃", "Łódź: Замок, Πύργος, “Hall” ☃, seed"),
        ("城 שלום", "<U+57CE> <U+05E9><U+05DC><U+05D5><U+05DD>, seed"),
        (&*long, "Mighty WIDE Halls Mighty"),
    ] {
        let path = named(name, folder.path());
        let printed = run(Command::new("pdftotext").arg("-raw").arg(&path).arg("-")).unwrap();
        assert!(printed.starts_with(shown), "{printed}");
        // There is white paper around each word.
        let printed = run(Command::new("pdftotext").arg("-bbox").arg(&path).arg("-")).unwrap();
        let number = |line: &str, name: &str| -> Option<f64> {
            let (_, rest) = line.split_once(&format!("{name}=\""))?;
            rest.split_once('"')?.0.parse().ok()
        };
        let (mut width, mut words) = (0.0, 0);
        for line in printed.lines() {
            width = number(line, "<page width").unwrap_or(width);
            if let (Some(from), Some(to)) = (number(line, "xMin"), number(line, "xMax")) {
                words += 1;
                assert!(from > 0.0 && to < width, "{line} on {width}");
            }
        }
        assert!(words > 20, "{printed}");
        // Text that is cut off ends with an ellipsis.
        assert!(printed.contains("...<") || name != long, "{printed}");
    }
}

#[test]
fn qpdf_finds_nothing_wrong() {
    if !has("qpdf") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let path = named("Łódź 城", folder.path());
    run(Command::new("qpdf").arg("--check").arg(path)).expect("it is a whole PDF");
}
