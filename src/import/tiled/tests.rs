use super::*;
use crate::design::Severity;
use crate::geometry::Point;
use crate::import::square::DrawnSquare;
use crate::import::{ReadResult, read};

/// A drawing of 3 rows and 5 columns.
const MAZE: [&str; 3] = ["#####", "#..##", "#####"];

fn shown(read: &ReadResult) -> Vec<String> {
    let drawing = read
        .drawing
        .as_ref()
        .unwrap_or_else(|| panic!("{:?}", read.diagnostics));
    let glyph = |square| match square {
        DrawnSquare::Blank => ' ',
        DrawnSquare::Open => '.',
        DrawnSquare::Kept => 'o',
        DrawnSquare::Wall => '#',
        DrawnSquare::Column => 'C',
    };
    let Size { x, y } = drawing.size();
    (0..x)
        .map(|x| (0..y).map(|y| glyph(drawing.square(Point::new(x, y)))).collect())
        .collect()
}

fn tmx_with(text: &str, options: &ImportOptions) -> ReadResult {
    read("map.tmx", text.as_bytes().to_vec(), options, &mut |_| {
        Err(std::io::Error::other("it is not there"))
    })
}

fn tmx(text: &str) -> ReadResult {
    tmx_with(text, &ImportOptions::default())
}

fn tmj(text: &str) -> ReadResult {
    read(
        "map.tmj",
        text.as_bytes().to_vec(),
        &ImportOptions::default(),
        &mut |_| Err(std::io::Error::other("it is not there")),
    )
}

/// Returns a map in XML with these tilesets and layers.
fn map(tilesets: &str, layer: &str) -> String {
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<map version=\"1.10\" orientation=\"orthogonal\" width=\"5\" \
         height=\"3\" tilewidth=\"16\" tileheight=\"16\" infinite=\"0\">\n{tilesets}\n{layer}\n</map>\n"
    )
}

fn layer(data: &str) -> String {
    map(
        "<tileset firstgid=\"1\" name=\"a\" tilecount=\"9\" columns=\"3\"/>",
        &format!("<layer id=\"1\" name=\"Ground\" width=\"5\" height=\"3\">{data}</layer>"),
    )
}

/// Returns the tile ids of the maze: a wall is tile 2, or tile 3 with flip flags; an open square is 0.
fn numbers() -> Vec<u32> {
    let squares = MAZE.concat();
    let number = |(i, c)| match (c, i % 2) {
        (b'#', 0) => 2,
        (b'#', _) => 3 | 0xa000_0000,
        _ => 0,
    };
    squares.bytes().enumerate().map(number).collect()
}

fn base64(bytes: &[u8]) -> String {
    use base64::Engine as _;
    base64::engine::general_purpose::STANDARD.encode(bytes)
}

/// Returns the tile ids of the maze as bytes in Base64, compressed with `packing` unless it is empty.
fn packed(packing: &str) -> String {
    use std::io::Write as _;
    let bytes: Vec<u8> = numbers().into_iter().flat_map(u32::to_le_bytes).collect();
    let level = flate2::Compression::default();
    let packed = match packing {
        "zlib" => {
            let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), level);
            encoder.write_all(&bytes).unwrap();
            encoder.finish().unwrap()
        }
        "gzip" => {
            let mut encoder = flate2::write::GzEncoder::new(Vec::new(), level);
            encoder.write_all(&bytes).unwrap();
            encoder.finish().unwrap()
        }
        _ => bytes,
    };
    base64(&packed)
}

fn csv() -> String {
    let numbers: Vec<String> = numbers().iter().map(ToString::to_string).collect();
    let rows: Vec<String> = numbers.chunks(5).map(|row| row.join(",")).collect();
    rows.join(",\n")
}

#[test]
fn every_tmx_encoding_yields_the_same_drawing() {
    let each: Vec<String> = numbers()
        .iter()
        .map(|number| format!("<tile gid=\"{number}\"/>\n"))
        .collect();
    let each = each.concat();
    let each = each.replace(" gid=\"0\"", "");
    for data in [
        format!("<data encoding=\"csv\">\n{}\n</data>", csv()),
        format!("<data>\n{each}</data>"),
        format!("<data encoding=\"base64\">\n   {}\n</data>", packed("")),
        format!(
            "<data encoding=\"base64\" compression=\"zlib\">\n   {}\n</data>",
            packed("zlib")
        ),
        format!(
            "<data encoding=\"base64\" compression=\"gzip\">\n   {}\n</data>",
            packed("gzip")
        ),
    ] {
        let read = tmx(&layer(&data));
        assert_eq!(shown(&read), MAZE, "{data}");
        assert!(
            read.diagnostics[0]
                .message
                .contains("every tile of the layer is read as a wall")
        );
    }
}

#[test]
fn every_tmj_encoding_yields_the_same_drawing() {
    let numbers = numbers();
    let list = serde_json::json!(numbers);
    for (data, more) in [
        (list, ""),
        (packed("").into(), "\"encoding\": \"base64\", "),
        (
            packed("zlib").into(),
            "\"encoding\": \"base64\", \"compression\": \"zlib\", ",
        ),
        (
            packed("gzip").into(),
            "\"encoding\": \"base64\", \"compression\": \"gzip\", ",
        ),
    ] {
        let text = format!(
            "{{ \"orientation\": \"orthogonal\", \"width\": 5, \"height\": 3, \"infinite\": false, \"tilesets\": [], \
             \"layers\": [{{\"type\": \"group\", \"layers\": [{{\"type\": \"tilelayer\", \"name\": \"a\", {more}\
             \"width\": 5, \"height\": 3, \"data\": {data}}}]}}]}}"
        );
        assert_eq!(shown(&tmj(&text)), MAZE, "{text}");
    }
}

#[test]
fn infinite_maps_are_cut_to_their_tiles() {
    let chunk = |x: i32, y: i32, numbers: &str| {
        format!("<chunk x=\"{x}\" y=\"{y}\" width=\"4\" height=\"2\">{numbers}</chunk>")
    };
    let data = [
        chunk(-4, -2, "0,0,0,0, 0,0,1,1"),
        chunk(0, -2, "0,0,0,0, 1,0,0,0"),
        chunk(-4, 0, "0,0,1,0, 0,0,0,0"),
        chunk(0, 0, "1,0,0,0, 1,0,0,0"),
    ];
    let text = map(
        "",
        &format!(
            "<layer name=\"a\" width=\"8\" height=\"4\"><data encoding=\"csv\">{}</data></layer>",
            data.concat()
        ),
    );
    assert_eq!(shown(&tmx(&text)), ["###", "#.#", "..#"]);
    let chunk =
        |x: i32, y: i32, data: &[u32]| serde_json::json!({"x": x, "y": y, "width": 4, "height": 2, "data": data});
    let chunks = serde_json::json!([
        chunk(-4, -2, &[0, 0, 0, 0, 0, 0, 1, 1]),
        chunk(0, -2, &[0, 0, 0, 0, 1, 0, 0, 0]),
        chunk(-4, 0, &[0, 0, 1, 0, 0, 0, 0, 0]),
        chunk(0, 0, &[1, 0, 0, 0, 1, 0, 0, 0]),
    ]);
    let text = serde_json::json!({"layers": [{"type": "tilelayer", "name": "a", "chunks": chunks}]}).to_string();
    assert_eq!(shown(&tmj(&text)), ["###", "#.#", "..#"]);
}

/// A tileset whose tiles imply their meaning in different ways.
const NAMED_SET: &str = "<tileset firstgid=\"10\" name=\"a\">\
    <tile id=\"0\" type=\"wall\"/><tile id=\"1\" class=\"column\"/><tile id=\"2\" type=\"guaranteed\"/>\
    <tile id=\"3\"><properties><property name=\"Solid\" type=\"bool\" value=\"true\"/></properties></tile>\
    <tile id=\"4\"><objectgroup><object id=\"1\" x=\"0\" y=\"0\" width=\"16\" height=\"16\"/></objectgroup></tile>\
    <tile id=\"5\"><properties><property name=\"walkable\" type=\"bool\" value=\"false\"/></properties></tile>\
    </tileset>";

const NAMED_LAYER: &str =
    "<layer name=\"a\" width=\"5\" height=\"2\"><data encoding=\"csv\">10,11,12,13,14,15,16,0,2,10</data></layer>";

#[test]
fn class_property_or_shape_implies_the_meaning_of_a_tile() {
    let rows = ["#Co##", "#. .#"];
    assert_eq!(shown(&tmx(&map(NAMED_SET, NAMED_LAYER))), rows);
    // The same tileset as an external file, in XML and in JSON.
    let named = map("<tileset firstgid=\"10\" source=\"../sets/a.tsx\"/>", NAMED_LAYER);
    let json = serde_json::json!({"tiles": [
        {"id": 0, "type": "wall"}, {"id": 1, "type": "column"}, {"id": 2, "type": "guaranteed"},
        {"id": 3, "properties": [{"name": "solid", "type": "bool", "value": true}]},
        {"id": 4, "objectgroup": {"objects": [{"id": 1}]}},
        {"id": 5, "properties": [{"name": "walkable", "type": "string", "value": "false"}]},
    ]})
    .to_string();
    for set in [NAMED_SET, &json] {
        let mut asked = Vec::new();
        let read = read(
            "map.tmx",
            named.clone().into_bytes(),
            &ImportOptions::default(),
            &mut |file| {
                asked.push(file.to_owned());
                Ok(set.as_bytes().to_vec())
            },
        );
        assert_eq!(shown(&read), rows);
        assert_eq!(asked, ["../sets/a.tsx"]);
    }
    let missing = tmx(&named);
    assert_eq!(shown(&missing), ["#####", "##.##"]);
    assert!(
        missing.diagnostics[0]
            .message
            .contains("cannot read the tileset ../sets/a.tsx: it is not there")
    );
}

#[test]
fn tiles_may_be_named_as_walls() {
    let asked = |walls: &str| ImportOptions {
        walls: Some(walls.into()),
        ..ImportOptions::default()
    };
    let text = map(NAMED_SET, NAMED_LAYER);
    assert_eq!(shown(&tmx_with(&text, &asked("11-12,16"))), [".##..", ".#..."]);
    assert_eq!(shown(&tmx_with(&text, &asked("Column,2"))), [".#...", "...#."]);
    let none = tmx_with(&text, &asked("900"));
    assert!(none.drawing.is_none() && none.diagnostics.iter().any(|d| d.message.contains("has no walls")));
    let turned = tmx_with(&text, &asked("9-2"));
    assert!(turned.diagnostics[0].message.contains("ends before it begins"));
}

#[test]
fn the_layer_is_chosen_by_its_name() {
    let one = |name: &str, visible: &str, tile: u32| {
        format!(
            "<layer name=\"{name}\" {visible} width=\"2\" height=\"1\"><data encoding=\"csv\">{tile},0</data></layer>"
        )
    };
    let layers = [
        one("Ground", "", 0),
        one("Old walls", "visible=\"0\"", 1),
        one("Inner Walls", "", 1),
        one("Trees", "", 0),
    ];
    let text = map("", &layers.concat());
    let read = tmx(&text);
    assert_eq!(shown(&read), ["#."]);
    assert!(
        read.diagnostics[0]
            .message
            .contains("layer `Inner Walls`; the layers of this map are `Ground`, `Old walls`"),
        "{:?}",
        read.diagnostics
    );
    let named = |name: &str| {
        let options = ImportOptions {
            layer: Some(name.into()),
            ..ImportOptions::default()
        };
        tmx_with(&text, &options)
    };
    assert_eq!(shown(&named("old WALLS")), ["#."]);
    assert!(
        named("Trees")
            .diagnostics
            .iter()
            .any(|d| d.message.contains("has no walls"))
    );
    let description = named("Roof").diagnostics[0].to_string();
    assert!(
        description.contains("named `Roof`") && description.contains("`Ground`, `Old walls`, `Inner Walls`, `Trees`"),
        "{description}"
    );
}

#[test]
fn errors_are_reported_with_their_place() {
    let first = |read: ReadResult| {
        assert_eq!(read.drawing, None);
        let error = read.diagnostics.into_iter().find(|d| d.severity == Severity::Error);
        error.expect("an error").to_string()
    };
    let description = first(tmx("<?xml version=\"1.0\"?>\n<map>\n  <layer>\n</map>"));
    assert!(
        description.starts_with("map.tmx:4:") && description.contains("this is not XML"),
        "{description}"
    );
    let description = first(tmx(&layer("<data encoding=\"csv\">1,2</data>")));
    assert!(
        description.starts_with("map.tmx:4:1: error: a layer of 5 × 3 squares needs 15 tiles, but its data has 2"),
        "{description}"
    );
    let description = first(tmx(&layer(
        "<data encoding=\"base64\" compression=\"zstd\">AAAA</data>",
    )));
    assert!(
        description.contains("compressed with `zstd`") && description.contains("zlib or gzip"),
        "{description}"
    );
    let description = first(tmx(&layer(
        "<data encoding=\"base64\" compression=\"zlib\">AAAA</data>",
    )));
    assert!(description.contains("cannot be decompressed"), "{description}");
    let description = first(tmx("<map orientation=\"hexagonal\"><layer/></map>"));
    assert!(
        description.contains("this map is hexagonal; its tiles are not squares"),
        "{description}"
    );
    let description = first(tmx("<?xml version=\"1.0\"?><tileset/>"));
    assert!(description.contains("but <tileset>"), "{description}");
    let description = first(tmx(&map("", "<objectgroup name=\"a\"/>")));
    assert!(description.contains("no tile layer"), "{description}");
    let description = first(tmj("{\"layers\": [\n1, }"));
    assert!(
        description.starts_with("map.tmj:2:") && description.contains("this is not JSON"),
        "{description}"
    );
    for (start, column) in [("", 6), ("\u{feff}", 7)] {
        let description = first(tmj(&format!("{start}{{\"a\":x}}")));
        assert!(
            description.starts_with(&format!("map.tmj:1:{column}:")),
            "{description}"
        );
    }
    let description = first(tmj("{\"a\": 1}"));
    assert!(description.contains("not a Tiled map"), "{description}");
    let description = first(tmj(
        "{\"layers\": [{\"type\": \"tilelayer\", \"name\": \"b\", \"width\": 2, \"height\": 2, \"data\": [1]}]}",
    ));
    assert!(
        description.contains("layer `b`: a layer of 2 × 2 squares needs 4 tiles, but its data has 1"),
        "{description}"
    );
}

/// A small compressed file must not make the import exhaust memory.
#[test]
fn compressed_tiles_cannot_exceed_the_limit() {
    use std::io::Write as _;
    let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(&vec![0; 1 << 22]).unwrap();
    let bomb = base64(&encoder.finish().unwrap());
    let read = tmx(&layer(&format!(
        "<data encoding=\"base64\" compression=\"zlib\">{bomb}</data>"
    )));
    assert!(
        read.diagnostics[0].message.contains("its data has more"),
        "{:?}",
        read.diagnostics
    );
    let chunk = "<chunk x=\"0\" y=\"0\" width=\"8000\" height=\"4000\">AAAA</chunk>".repeat(3);
    let text = map(
        "",
        &format!("<layer name=\"a\"><data encoding=\"base64\">{chunk}</data></layer>"),
    );
    assert_eq!(tmx(&text).drawing, None);
}

/// A layer with two chunks far apart is much larger than its chunks.
#[test]
fn the_area_between_distant_chunks_counts_towards_the_limit() {
    let chunk = |at| Chunk {
        across: at,
        down: at,
        size: Size::new(1, 1),
        tiles: vec![1],
    };
    let joined = |room: &mut Room| {
        let all = vec![chunk(0), chunk(9)];
        Chunks { all }.joined(room)
    };
    // 100 squares, of which the chunks are two.
    let mut room = Room(99);
    assert_eq!(joined(&mut room).unwrap().0, Size::new(10, 10));
    assert_eq!(room.0, 1);
    let error = joined(&mut room).unwrap_err().message;
    assert!(error.contains("tiles in all"), "{error}");
}

#[test]
fn layers_of_a_hidden_group_are_hidden() {
    let one = |name: &str, tile: u32| {
        format!("<layer name=\"{name}\" width=\"2\" height=\"1\"><data encoding=\"csv\">{tile},1</data></layer>")
    };
    let group = format!("<group visible=\"0\"><group>{}</group></group>", one("walls", 0));
    let read = tmx(&map("", &format!("{group}{}", one("walls new", 1))));
    assert_eq!(shown(&read), ["##"]);
    let one = |name: &str, tile: u32| {
        let data = [tile, 1];
        serde_json::json!({"type": "tilelayer", "name": name, "width": 2, "height": 1, "data": data})
    };
    let inner = serde_json::json!({"type": "group", "layers": [one("walls", 0)]});
    let group = serde_json::json!({"type": "group", "visible": false, "layers": [inner]});
    let read = tmj(&serde_json::json!({"layers": [group, one("walls new", 1)]}).to_string());
    assert_eq!(shown(&read), ["##"]);
}

#[test]
fn a_tileset_that_is_named_often_is_read_once() {
    let tileset = r#"<tileset><tile id="0" type="wall"/><tile id="1" type="floor"/></tileset>"#;
    for (name, map) in [
        (
            "a.tmx",
            format!(
                "<map>{}<layer width='2' height='1'><data encoding='csv'>1,199</data></layer></map>",
                (0..100)
                    .map(|i| format!("<tileset firstgid='{}' source='t.tsx'/>", 1 + 2 * i))
                    .collect::<Vec<_>>()
                    .concat()
            ),
        ),
        (
            "a.tmj",
            format!(
                r#"{{"tilesets": [{}], "layers": [{{"type": "tilelayer", "width": 2, "height": 1, "data": [1, 199]}}]}}"#,
                (0..100)
                    .map(|i| format!(r#"{{"firstgid": {}, "source": "t.tsx"}}"#, 1 + 2 * i))
                    .collect::<Vec<_>>()
                    .join(",")
            ),
        ),
    ] {
        for there in [true, false] {
            let mut reads = 0;
            let read = crate::import::read(name, map.clone().into_bytes(), &ImportOptions::default(), &mut |_| {
                reads += 1;
                there
                    .then(|| tileset.into())
                    .ok_or_else(|| std::io::ErrorKind::NotFound.into())
            });
            assert_eq!(reads, 1, "{name}");
            let warnings = read.diagnostics.iter().filter(|d| d.message.contains("t.tsx")).count();
            assert_eq!(warnings, usize::from(!there), "{name}");
            let walls = read.drawing.map(|drawing| drawing.walls());
            assert_eq!(walls, Some(2), "{name}: {:?}", read.diagnostics);
        }
    }
}

#[test]
fn dungeons_with_incomplete_rows_are_rejected() {
    let dungeon = |version: &str, size: &str, rows: &str| {
        tmj(&format!(
            "{{\"format\": \"wallcrawler-dungeon\", {version} {size} \"tiles\": [{rows}]}}"
        ))
    };
    let (version, size) = ("\"version\": 1,", "\"size\": {\"x\": 3, \"y\": 4},");
    let rows = "\"XXXX\", \"XCoX\", \"X.YX\"";
    for (version, size) in [(version, size), ("", ""), (version, "")] {
        assert_eq!(shown(&dungeon(version, size, rows)), ["####", "#Co#", "#.##"]);
    }
    for (version, size, rows, expected) in [
        (
            "\"version\": 99,",
            size,
            rows,
            "this dungeon was exported in version 99 of the format; this program reads version 1",
        ),
        (
            version,
            size,
            "\"XXXX\", \"XCoX\"",
            "`size` states 3 rows, but `tiles` has 2",
        ),
        (
            version,
            size,
            "\"XXXX\", \"XX\", \"XXXX\"",
            "row 1 of `tiles` has 2 tiles; the dungeon has 4 columns",
        ),
        (
            version,
            "",
            "\"XXXX\", \"X\"",
            "row 1 of `tiles` has 1 tile; the dungeon has 4 columns",
        ),
        (
            version,
            size,
            "\"XXXX\", \"XqXX\", \"XXXX\"",
            "the tile at row 1, column 1 is `q`, which is unknown",
        ),
        (
            version,
            size,
            "\"XXXX\", 7, \"XXXX\"",
            "row 1 of `tiles` is not a string",
        ),
    ] {
        let read = dungeon(version, size, rows);
        assert_eq!(read.drawing, None, "{expected}");
        assert_eq!(read.diagnostics[0].message, expected);
        assert_eq!(read.diagnostics[0].severity, Severity::Error);
    }
}
