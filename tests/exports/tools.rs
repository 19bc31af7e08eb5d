//! Tiled maps, read by the crate `tiled`, and maps for virtual tabletops, checked by the rules of their readers.

use std::collections::BTreeSet;

use serde_json::Value;
use tiled::{LayerType, Loader, Map, ObjectShape, PropertyValue};
use wallcrawler::design::feature::Class;
use wallcrawler::engine::BuilderKind;
use wallcrawler::export::{self, DungeonView, ExportKind, ExportOptions, Painting};
use wallcrawler::geometry::Point;

use crate::{bytes, each, text};

const SIDE: f32 = 16.0;

fn loaded(dungeon: &DungeonView<'_>) -> Map {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("map.tmx");
    let options = ExportOptions::default();
    std::fs::write(&path, bytes(ExportKind::Tmx, dungeon, &options)).unwrap();
    Loader::new().load_tmx_map(&path).expect("a Tiled map")
}

pub(crate) fn class_of(dungeon: &DungeonView<'_>, at: Point) -> &'static str {
    use wallcrawler::engine::Tile;
    match dungeon.feature(at) {
        Some(feature) if feature.class() != Class::Floor => feature.name(),
        _ => match dungeon.grid().tile(at) {
            Tile::Open => "open",
            Tile::Guaranteed => "guaranteed",
            Tile::Wall => "wall",
            Tile::HighWall => "high_wall",
            Tile::Column => "column",
        },
    }
}

#[test]
fn tiled_reads_every_tile() {
    each(|dungeon| {
        let map = loaded(dungeon);
        let size = dungeon.size();
        assert_eq!([map.width, map.height], [size.y as u32, size.x as u32]);
        let seed = PropertyValue::StringValue(dungeon.design().seed.to_string());
        assert_eq!(map.properties["seed"], seed);
        let layer = map.layers().find(|layer| layer.name == "Dungeon").unwrap();
        let tiles = layer.as_tile_layer().unwrap();
        for at in dungeon.squares() {
            let tile = tiles.get_tile(at.y, at.x).expect("a tile on every square");
            assert!(!tile.flip_h && !tile.flip_v && !tile.flip_d);
            let definition = tile.get_tile().expect("a tile of the tileset");
            assert_eq!(definition.user_type, class_of(dungeon, at), "{at}");
            let is_open = dungeon
                .feature(at)
                .map_or(dungeon.grid().tile(at).is_open(), |feature| !feature.is_solid());
            assert_eq!(
                definition.properties["solid"],
                PropertyValue::BoolValue(!is_open),
                "{at}"
            );
            // Collision shapes: the whole tile for squares that block movement, and none elsewhere.
            let shapes = definition.collision.as_ref().map(tiled::ObjectLayerData::object_data);
            assert_eq!(shapes.is_some(), !is_open, "{at}");
            if let Some([shape]) = shapes {
                let all = ObjectShape::Rect {
                    width: SIDE,
                    height: SIDE,
                };
                assert_eq!((shape.x, shape.y, shape.rotation), (0.0, 0.0, 0.0));
                assert_eq!(shape.shape, all);
            } else {
                assert!(is_open, "{at}");
            }
            let generation = dungeon.generation(at).map(|g| PropertyValue::IntValue(g as i32));
            assert_eq!(definition.properties.get("generation"), generation.as_ref(), "{at}");
        }
    });
}

#[test]
fn the_tileset_picture_fits_the_map() {
    each(|dungeon| {
        let map = loaded(dungeon);
        let tileset = &map.tilesets()[0];
        let image = tileset.image.as_ref().unwrap();
        assert_eq!(image.source.file_name().unwrap(), "map.tiles.png");
        let (name, file) = export::beside(ExportKind::Tmx, dungeon, &ExportOptions::default(), "map.tmx")
            .unwrap()
            .unwrap();
        assert_eq!(name, "map.tiles.png");
        let decoder = png::Decoder::new(std::io::Cursor::new(&file));
        let mut reader = decoder.read_info().unwrap();
        let mut rgb = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut rgb).unwrap();
        assert_eq!([image.width, image.height], [info.width as i32, info.height as i32]);
        assert_eq!(
            [info.width, info.height],
            [tileset.columns * 16, tileset.tilecount / tileset.columns * 16]
        );
        // The middle of each wall has the colour of its generation in pictures.
        let painting = Painting::new(dungeon, export::ColourBy::Generation, export::Ground::Dark);
        let layer = map.layers().find_map(tiled::Layer::as_tile_layer).unwrap();
        for at in dungeon.squares() {
            let id = layer.get_tile(at.y, at.x).unwrap().id();
            let (x, y) = (id % tileset.columns * 16 + 8, id / tileset.columns * 16 + 8);
            let from = ((y * info.width + x) * 3) as usize;
            let part = &painting.parts()[painting.part_of(at)];
            if matches!(class_of(dungeon, at), "wall" | "open" | "column") {
                assert_eq!(rgb[from..from + 3], part.rgb, "{at} {}", part.name);
            }
        }
    });
}

/// Calls `look` with a dungeon in which rooms start Jumpers, and the names and classes of its first Builders.
pub(crate) fn with_jumpers(look: impl Fn(&DungeonView<'_>, &[(String, &str)])) {
    let preset = wallcrawler::presets::Preset::find("gallery").unwrap();
    let design = preset.design().validate(None).design.unwrap();
    let recording = crate::grown(&design);
    let dungeon = DungeonView::new(&design, &recording, u64::MAX);
    let builders = (1..).zip(dungeon.frame().builders());
    let first = builders.filter(|(_, builder)| builder.birth.parent.is_none());
    let names: Vec<(String, &str)> = first
        .map(|(number, builder)| match builder.birth.kind {
            BuilderKind::Crawler => (format!("Crawler {number}"), "crawler"),
            _ => (format!("Jumper {number}"), "jumper"),
        })
        .collect();
    for class in ["crawler", "jumper"] {
        assert!(names.iter().any(|(_, own)| *own == class), "no {class}");
    }
    look(&dungeon, &names);
}

#[test]
fn tiled_reads_jumpers_that_are_not_called_crawlers() {
    with_jumpers(|dungeon, names| {
        let map = loaded(dungeon);
        let layer = map.layers().find(|layer| layer.name == "First Crawlers").unwrap();
        let objects: Vec<_> = layer.as_object_layer().unwrap().objects().collect();
        let found = objects
            .iter()
            .map(|object| (object.name.clone(), object.user_type.as_str()));
        assert!(found.eq(names.iter().cloned()));
    });
}

#[test]
fn tiled_reads_rooms_doors_crawlers_and_the_path() {
    each(|dungeon| {
        let map = loaded(dungeon);
        let group = |name: &str| {
            let layer = map.layers().find(|layer| layer.name == name).unwrap();
            let LayerType::Objects(objects) = layer.layer_type() else {
                panic!("{name} is not a layer of objects");
            };
            objects.objects().map(|object| (*object).clone()).collect::<Vec<_>>()
        };
        let rooms = group("Rooms");
        assert_eq!(rooms.len(), dungeon.rooms().len());
        for (object, room) in rooms.iter().zip(dungeon.rooms()) {
            let side = (2 * room.width + 1) as f32 * SIDE;
            let shape = ObjectShape::Rect {
                width: side,
                height: side,
            };
            let corner = [room.center.y - room.width, room.center.x - room.width].map(|at| at as f32 * SIDE);
            assert_eq!((&object.shape, [object.x, object.y]), (&shape, corner));
        }
        // The squares of the doors are the walkable ones, each once.
        let mut squares = Vec::new();
        for object in group("Doors") {
            let ObjectShape::Rect { width, height } = object.shape else {
                panic!("{object:?}");
            };
            let [left, top, across, down] = [object.x, object.y, width, height].map(|v| (v / SIDE) as i32);
            squares.extend((0..down).flat_map(|x| (0..across).map(move |y| Point::new(top + x, left + y))));
        }
        let open = dungeon.doors().iter().flat_map(|door| &door.squares);
        let open: BTreeSet<Point> = open.copied().filter(|at| dungeon.grid().tile(*at).is_open()).collect();
        assert_eq!(squares.len(), open.len());
        assert_eq!(squares.into_iter().collect::<BTreeSet<_>>(), open);
        let first = dungeon
            .frame()
            .builders()
            .iter()
            .filter(|builder| builder.birth.parent.is_none());
        let crawlers = group("First Crawlers");
        assert_eq!(crawlers.len(), first.clone().count());
        for (object, builder) in crawlers.iter().zip(first) {
            let at = builder.birth.at;
            let middle = [at.y, at.x].map(|at| at as f32 * SIDE + SIDE / 2.0);
            assert_eq!([object.x, object.y], middle);
            assert!(matches!(object.shape, ObjectShape::Point(..)));
            let forward = PropertyValue::StringValue(builder.birth.forward.to_string());
            assert_eq!(object.properties["forward"], forward);
            assert_eq!(object.user_type, "crawler");
        }
        let path = group("Path")
            .into_iter()
            .find(|object| object.user_type == "path")
            .unwrap();
        let ObjectShape::Polyline { points } = path.shape else {
            panic!("{path:?}");
        };
        let corners: Vec<Point> = points
            .iter()
            .map(|(x, y)| Point::new(((y + path.y) / SIDE) as i32, ((x + path.x) / SIDE) as i32))
            .collect();
        let mut walked = vec![corners[0]];
        for corner in &corners[1..] {
            while let Some(&at) = walked.last().filter(|at| *at != corner) {
                let step = |to: i32, from: i32| from + (to - from).signum();
                walked.push(Point::new(step(corner.x, at.x), step(corner.y, at.y)));
            }
        }
        assert_eq!(walked, dungeon.metrics().way);
        assert_eq!(group("Vaults").len(), dungeon.design().pieces().len());
    });
}

#[test]
fn the_json_of_tiled_equals_its_xml() {
    each(|dungeon| {
        let map = loaded(dungeon);
        let json: Value = serde_json::from_str(&text(ExportKind::Tmj, dungeon, &ExportOptions::default())).unwrap();
        assert_eq!(json["type"], "map");
        assert_eq!(json["infinite"], false);
        assert_eq!([&json["width"], &json["height"]], [map.width, map.height]);
        let layers = json["layers"].as_array().unwrap();
        assert_eq!(layers.len(), map.layers().len());
        let tileset = &map.tilesets()[0];
        let saved = &json["tilesets"][0];
        assert_eq!(
            [&saved["tilecount"], &saved["columns"], &saved["tilewidth"]],
            [tileset.tilecount, tileset.columns, tileset.tile_width]
        );
        for (id, saved) in (0..).zip(saved["tiles"].as_array().unwrap()) {
            let tile = tileset.get_tile(id).expect("the same tile");
            assert_eq!(saved["id"], id);
            assert_eq!(saved["objectgroup"].is_object(), tile.collision.is_some());
            if let Some(group) = saved["objectgroup"].as_object() {
                let shape = &group["objects"][0];
                assert_eq!(["x", "y", "width", "height"].map(|key| &shape[key]), [0, 0, 16, 16]);
                assert_eq!(
                    (group["type"].as_str(), group["draworder"].as_str()),
                    (Some("objectgroup"), Some("index"))
                );
            }
        }
        let mut ids = BTreeSet::new();
        for (layer, saved) in map.layers().zip(layers) {
            assert_eq!(
                (saved["name"].as_str(), saved["id"].as_u64()),
                (Some(&*layer.name), Some(layer.id().into()))
            );
            match layer.layer_type() {
                LayerType::Tiles(tiles) => {
                    let data = saved["data"].as_array().unwrap();
                    let size = dungeon.size();
                    assert_eq!(data.len() as u64, size.squares());
                    for (at, gid) in dungeon.squares().zip(data) {
                        let id = tiles.get_tile(at.y, at.x).unwrap().id();
                        assert_eq!(*gid, id + 1, "{at}");
                    }
                }
                LayerType::Objects(objects) => {
                    // Importers of Unity make objects solid unless a property says otherwise.
                    assert_eq!(layer.properties["unity:IsTrigger"], PropertyValue::BoolValue(true));
                    let own = serde_json::json!([{"name": "unity:IsTrigger", "type": "bool", "value": true}]);
                    assert_eq!(saved["properties"], own);
                    let all = saved["objects"].as_array().unwrap();
                    assert_eq!(all.len(), objects.objects().len());
                    for (object, saved) in objects.objects().zip(all) {
                        // pytmx rejects maps whose objects have properties with the names of its own attributes.
                        let own = [
                            "id", "name", "type", "x", "y", "width", "height", "rotation", "visible", "gid", "points",
                        ];
                        assert!(own.iter().all(|name| !object.properties.contains_key(*name)));
                        assert!(ids.insert(object.id()), "each object has a number of its own");
                        assert_eq!(saved["id"], object.id());
                        assert_eq!(
                            (&saved["name"], &saved["type"]),
                            (&object.name.clone().into(), &object.user_type.clone().into())
                        );
                        assert_eq!(
                            [&saved["x"], &saved["y"]].map(|v| v.as_f64().unwrap() as f32),
                            [object.x, object.y]
                        );
                        let node = match &object.shape {
                            ObjectShape::Rect { .. } => Some("area"),
                            ObjectShape::Polyline { .. } => Some("path"),
                            _ => None,
                        };
                        let node = node.map(|node| PropertyValue::StringValue(node.into()));
                        assert_eq!(object.properties.get("godot_node_type"), node.as_ref());
                        assert_eq!(saved["properties"].as_array().unwrap().len(), object.properties.len());
                        for property in saved["properties"].as_array().unwrap() {
                            let same = match &object.properties[property["name"].as_str().unwrap()] {
                                PropertyValue::BoolValue(truth) => {
                                    property["type"] == "bool" && property["value"] == *truth
                                }
                                PropertyValue::IntValue(number) => {
                                    property["type"] == "int" && property["value"] == *number
                                }
                                PropertyValue::StringValue(text) => {
                                    property["type"] == "string" && property["value"] == **text
                                }
                                _ => false,
                            };
                            assert!(same, "{property} {:?}", object.properties);
                        }
                        let same = match &object.shape {
                            ObjectShape::Rect { width, height } => {
                                saved["width"].as_f64() == Some((*width).into())
                                    && saved["height"].as_f64() == Some((*height).into())
                            }
                            ObjectShape::Point(..) => saved["point"] == true,
                            ObjectShape::Polyline { points } => {
                                saved["polyline"].as_array().unwrap().len() == points.len()
                            }
                            _ => false,
                        };
                        assert!(same, "{saved}");
                    }
                }
                _ => panic!("{}", layer.name),
            }
        }
        assert!(json["nextobjectid"].as_u64().unwrap() > ids.last().copied().unwrap_or(0).into());
        assert!(json["nextlayerid"].as_u64().unwrap() > layers.len() as u64);
    });
}

/// Returns a point of a map for tabletops, across and down.
fn place(value: &Value) -> [f64; 2] {
    [&value["x"], &value["y"]].map(|v| v.as_f64().expect("a number"))
}

/// Returns the lines of a list, as pairs of points.
fn segments(lines: &Value) -> Vec<[[f64; 2]; 2]> {
    let points = |line: &Value| line.as_array().unwrap().iter().map(place).collect::<Vec<_>>();
    let lines = lines.as_array().unwrap().iter().map(points);
    lines
        .flat_map(|line| line.windows(2).map(|pair| [pair[0], pair[1]]).collect::<Vec<_>>())
        .collect()
}

/// Returns whether a line of sight between two neighbouring squares, given by its middle, crosses a wall.
fn is_blocked(walls: &BTreeSet<(i64, i64)>, from: Point, to: Point) -> bool {
    walls.contains(&(i64::from(from.y + to.y) + 1, i64::from(from.x + to.x) + 1))
}

/// Returns the middles of the parts of a line that lie on edges of squares, in half squares. Lines run along edges.
fn halves(segments: &[[[f64; 2]; 2]]) -> BTreeSet<(i64, i64)> {
    let mut found = BTreeSet::new();
    for [from, to] in segments {
        let [from, to] = [from, to].map(|at| at.map(|v| (v * 2.0).round() as i64));
        assert!((from[0] == to[0]) != (from[1] == to[1]), "{from:?} {to:?}");
        let length = (to[0] - from[0]).abs().max((to[1] - from[1]).abs());
        let step = [(to[0] - from[0]).signum(), (to[1] - from[1]).signum()];
        for i in (1..length).step_by(2) {
            let at = (from[0] + step[0] * i, from[1] + step[1] * i);
            assert!(found.insert(at), "two lines in one place: {at:?}");
        }
    }
    found
}

fn from_base64(text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let letters = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for group in text.as_bytes().chunks(4) {
        let number = group.iter().fold(0_u32, |n, c| {
            n << 6 | letters.iter().position(|l| l == c).unwrap_or(0) as u32
        });
        let letters = group.iter().position(|c| *c == b'=').unwrap_or(4);
        bytes.extend_from_slice(&number.to_be_bytes()[1..letters]);
    }
    bytes
}

fn uvtt(dungeon: &DungeonView<'_>, options: &ExportOptions) -> Value {
    serde_json::from_str(&text(ExportKind::Uvtt, dungeon, options)).unwrap()
}

#[test]
fn a_tabletop_map_has_its_picture_and_the_fields_importers_require() {
    each(|dungeon| {
        let options = ExportOptions {
            scale: Some(7),
            ..ExportOptions::default()
        };
        let map = uvtt(dungeon, &options);
        assert_eq!(map["format"], 0.3);
        let resolution = &map["resolution"];
        assert_eq!(place(&resolution["map_origin"]), [0.0, 0.0]);
        let size = dungeon.size();
        assert_eq!(place(&resolution["map_size"]), [f64::from(size.y), f64::from(size.x)]);
        assert_eq!(resolution["pixels_per_grid"], 7);
        assert!(map["lights"].as_array().unwrap().is_empty() && map["environment"]["baked_lighting"].is_boolean());
        let image = from_base64(map["image"].as_str().unwrap());
        assert!(image.starts_with(b"\x89PNG\r\n\x1a\n"));
        let reader = png::Decoder::new(std::io::Cursor::new(image)).read_info().unwrap();
        assert_eq!(
            [reader.info().width, reader.info().height],
            [size.y as u32 * 7, size.x as u32 * 7]
        );
    });
}

#[test]
fn maps_that_some_tabletops_reject_cause_a_warning() {
    each(|dungeon| {
        let map = uvtt(dungeon, &ExportOptions::default());
        let parts = segments(&map["line_of_sight"]).len() + segments(&map["objects_line_of_sight"]).len();
        assert!(parts < 5000 && export::warning(ExportKind::Uvtt, dungeon).is_none());
    });
    // The largest design that the tests need.
    let valid = crate::design(wallcrawler::geometry::Size::new(260, 270)).validate(None);
    let valid = valid.design.expect("a design");
    let recording = crate::grown(&valid);
    let dungeon = DungeonView::new(&valid, &recording, u64::MAX);
    let map = uvtt(
        &dungeon,
        &ExportOptions {
            scale: Some(1),
            ..ExportOptions::default()
        },
    );
    let parts = segments(&map["line_of_sight"]).len() + segments(&map["objects_line_of_sight"]).len();
    assert!(parts > 5000, "{parts}");
    let warning = export::warning(ExportKind::Uvtt, &dungeon).expect("a warning");
    assert!(
        warning.contains(&format!("{parts} straight wall segments")),
        "{warning}"
    );
    assert_eq!(export::warning(ExportKind::Tmx, &dungeon), None);
}

#[test]
fn walls_block_the_sight_exactly_where_squares_are_closed() {
    each(|dungeon| {
        let map = uvtt(dungeon, &ExportOptions::default());
        let size = dungeon.size();
        let lines = segments(&map["line_of_sight"]);
        let walls = halves(&lines);
        let objects = halves(&segments(&map["objects_line_of_sight"]));
        let is_column = |at| dungeon.grid().tile(at) == wallcrawler::engine::Tile::Column;
        for at in dungeon.squares() {
            for to in [Point::new(at.x + 1, at.y), Point::new(at.x, at.y + 1)]
                .into_iter()
                .filter(|to| size.contains(*to))
            {
                let is_open = |at| dungeon.grid().tile(at).is_open();
                assert_eq!(is_blocked(&walls, at, to), is_open(at) != is_open(to), "{at} {to}");
                assert_eq!(
                    is_blocked(&objects, at, to),
                    is_column(at) != is_column(to),
                    "{at} {to}"
                );
            }
        }
        // Lines are merged: a line turns at each of its points, so horizontal and vertical segments alternate.
        for line in map["line_of_sight"].as_array().unwrap() {
            let points: Vec<[f64; 2]> = line.as_array().unwrap().iter().map(place).collect();
            assert_eq!(points.first(), points.last());
            for three in points.windows(3) {
                assert!(
                    (three[0][0] == three[1][0]) != (three[1][0] == three[2][0]),
                    "{three:?}"
                );
            }
        }
        assert!(lines.len() < walls.len());
    });
}

/// Returns whether a segment, a door, lies between two neighbouring squares.
fn crosses(portal: [[f64; 2]; 2], from: Point, to: Point) -> bool {
    let [a, b] = [from, to].map(|at| [f64::from(at.y) + 0.5, f64::from(at.x) + 0.5]);
    let [p, q] = portal;
    // Both are parallel to an axis; touching is enough.
    let within = |v: f64, a: f64, b: f64| v >= a.min(b) - 1e-9 && v <= a.max(b) + 1e-9;
    let meet =
        |axis: usize| within(a[axis].min(b[axis]), p[axis], q[axis]) || within(p[axis].min(q[axis]), a[axis], b[axis]);
    meet(0) && meet(1)
}

#[test]
fn doors_are_portals_that_close_their_rooms() {
    each(|dungeon| {
        let map = uvtt(dungeon, &ExportOptions::default());
        let portals = map["portals"].as_array().unwrap();
        let open = dungeon
            .doors()
            .iter()
            .filter(|door| door.is_shut() && door.squares.iter().any(|at| dungeon.grid().tile(*at).is_open()));
        assert!(portals.len() >= open.count() && !portals.is_empty());
        let mut lines = Vec::new();
        for portal in portals {
            let bounds = portal["bounds"].as_array().unwrap();
            assert_eq!(bounds.len(), 2);
            let [from, to] = [place(&bounds[0]), place(&bounds[1])];
            let middle = place(&portal["position"]);
            let rotation = portal["rotation"].as_f64().unwrap();
            let length = (to[0] - from[0]).hypot(to[1] - from[1]);
            for axis in 0..2 {
                assert!((middle[axis] - f64::midpoint(from[axis], to[axis])).abs() < 1e-9);
                let way = if axis == 0 { rotation.cos() } else { rotation.sin() };
                assert!((from[axis] + length * way - to[axis]).abs() < 1e-9);
            }
            assert_eq!(portal["closed"], true);
            lines.push([from, to]);
        }
        // Walls and doors close off the middle of a room, except where a Crawler leaves a gap.
        for room in dungeon.rooms() {
            let wall = room.width + 1;
            let is_inside = |at: Point| at.x.abs_diff(room.center.x).max(at.y.abs_diff(room.center.y)) as i32 <= wall;
            let start = Point::new(room.center.x - room.width, room.center.y);
            assert!(dungeon.grid().tile(start).is_open());
            let mut seen = BTreeSet::from([start]);
            let mut edge = vec![start];
            while let Some(at) = edge.pop() {
                for forward in wallcrawler::geometry::Forward::ALL {
                    let to = at.step(forward, 1);
                    let is_shut = lines.iter().any(|line| crosses(*line, at, to));
                    if dungeon.grid().tile(to).is_open() && !is_shut && seen.insert(to) {
                        assert!(is_inside(to), "out of room {} at {to}", room.index);
                        edge.push(to);
                    }
                }
            }
        }
        let open = uvtt(
            dungeon,
            &ExportOptions {
                open_doors: true,
                ..ExportOptions::default()
            },
        );
        // Importers turn a portal that is not closed into a window.
        assert_eq!(open["portals"], serde_json::json!([]));
        assert_eq!(open["line_of_sight"], map["line_of_sight"]);
    });
}
