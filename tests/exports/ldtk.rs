//! LDtk, read by the crate `ldtk2`, whose types are made from LDtk's own schema.

use ldtk2::{EntityInstance, FieldInstance, LayerInstance, Ldtk, Level};
use serde_json::{Value, json};
use wallcrawler::export::{self, DungeonView, ExportKind, ExportOptions};
use wallcrawler::geometry::Point;

use super::tools::class_of;
use crate::{each, text};

const SIDE: i64 = 16;

fn loaded(dungeon: &DungeonView<'_>) -> Ldtk {
    let file = text(ExportKind::Ldtk, dungeon, &ExportOptions::default());
    Ldtk::from_str(&file).expect("a project of LDtk")
}

fn level(project: &Ldtk) -> &Level {
    assert_eq!(project.levels.len(), 1);
    &project.levels[0]
}

fn layer<'a>(project: &'a Ldtk, name: &str) -> &'a LayerInstance {
    let layers = level(project).layer_instances.as_ref().expect("layers");
    let layer = layers.iter().find(|layer| layer.identifier == name).expect(name);
    let own = project.defs.layers.iter().find(|own| own.uid == layer.layer_def_uid);
    let own = own.expect("a definition of the layer");
    assert_eq!(
        (&own.identifier, &own.layer_definition_type),
        (&layer.identifier, &layer.layer_instance_type)
    );
    assert_eq!((layer.grid_size, own.grid_size), (SIDE, SIDE));
    layer
}

/// Returns the values of a file that its reader ignored or misread, with their places.
fn lost(place: &str, file: &Value, read: &Value, found: &mut Vec<String>) {
    match (file, read) {
        (Value::Object(file), Value::Object(read)) => {
            for (name, value) in file {
                match read.get(name) {
                    Some(read) => lost(&format!("{place}.{name}"), value, read, found),
                    None => found.push(format!("{place}.{name} is unknown")),
                }
            }
            // Every value of the reader that is not null must come from the file.
            let more = read
                .iter()
                .filter(|(name, value)| !value.is_null() && !file.contains_key(*name));
            found.extend(more.map(|(name, _)| format!("{place}.{name} came from nowhere")));
        }
        (Value::Array(file), Value::Array(read)) if file.len() == read.len() => {
            for (i, (file, read)) in file.iter().zip(read).enumerate() {
                lost(&format!("{place}[{i}]"), file, read, found);
            }
        }
        (Value::Number(a), Value::Number(b)) if a.as_f64() == b.as_f64() => {}
        _ if file == read => {}
        _ => found.push(format!("{place} is {file}, read as {read}")),
    }
}

#[test]
fn the_reader_understands_every_field() {
    each(|dungeon| {
        let file: Value = serde_json::from_str(&text(ExportKind::Ldtk, dungeon, &ExportOptions::default())).unwrap();
        assert_eq!(file["__header__"]["fileType"], "LDtk Project JSON");
        let mut own = file;
        own.as_object_mut().unwrap().remove("__header__");
        let read = serde_json::to_value(loaded(dungeon)).unwrap();
        let mut found = Vec::new();
        lost("", &own, &read, &mut found);
        assert!(found.is_empty(), "{}", found[..found.len().min(20)].join("\n"));
    });
}

#[test]
fn ids_of_definitions_and_instances_are_unique() {
    each(|dungeon| {
        let project = loaded(dungeon);
        let defs = &project.defs;
        let mut uids: Vec<i64> = defs.layers.iter().map(|layer| layer.uid).collect();
        uids.extend(defs.tilesets.iter().map(|tileset| tileset.uid));
        uids.extend(defs.entities.iter().map(|entity| entity.uid));
        let fields = defs
            .entities
            .iter()
            .flat_map(|entity| &entity.field_defs)
            .chain(&defs.level_fields);
        uids.extend(fields.map(|field| field.uid));
        uids.push(level(&project).uid);
        assert!(uids.iter().all(|uid| *uid < project.next_uid));
        let mut iids = vec![&project.iid, &project.dummy_world_iid, &level(&project).iid];
        for layer in level(&project).layer_instances.as_ref().unwrap() {
            iids.push(&layer.iid);
            iids.extend(layer.entity_instances.iter().map(|entity| &entity.iid));
        }
        for iid in &iids {
            let parts: Vec<usize> = iid.split('-').map(str::len).collect();
            assert_eq!(parts, [8, 4, 4, 4, 12], "{iid}");
        }
        let count = (uids.len(), iids.len());
        uids.sort_unstable();
        uids.dedup();
        iids.sort_unstable();
        iids.dedup();
        assert_eq!((uids.len(), iids.len()), count);
    });
}

#[test]
fn each_square_has_the_number_of_its_tile() {
    each(|dungeon| {
        let project = loaded(dungeon);
        let size = dungeon.size();
        assert_eq!(
            [level(&project).px_wid, level(&project).px_hei],
            [i64::from(size.y) * SIDE, i64::from(size.x) * SIDE]
        );
        let squares = layer(&project, "Squares");
        assert_eq!([squares.c_wid, squares.c_hei], [i64::from(size.y), i64::from(size.x)]);
        assert_eq!(squares.int_grid_csv.len() as u64, size.squares());
        let own = project
            .defs
            .layers
            .iter()
            .find(|own| own.uid == squares.layer_def_uid)
            .unwrap();
        let mut names: Vec<&str> = own
            .int_grid_values
            .iter()
            .filter_map(|value| value.identifier.as_deref())
            .collect();
        for (at, number) in dungeon.squares().zip(&squares.int_grid_csv) {
            let value = own
                .int_grid_values
                .iter()
                .find(|value| value.value == *number)
                .expect("a value");
            assert_eq!(value.identifier.as_deref(), Some(class_of(dungeon, at)), "{at}");
            assert!(value.color.len() == 7 && value.color.starts_with('#'));
        }
        for kind in ["open", "guaranteed", "wall", "high_wall", "column"] {
            assert!(names.contains(&kind));
        }
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!((names.len(), own.int_grid_values.len()), (count, count));
    });
}

#[test]
fn a_collision_layer_has_exactly_the_solid_squares() {
    each(|dungeon| {
        let project = loaded(dungeon);
        let collisions = layer(&project, "Collisions");
        let own = project
            .defs
            .layers
            .iter()
            .find(|own| own.uid == collisions.layer_def_uid);
        let values = &own.unwrap().int_grid_values;
        assert_eq!(
            values
                .iter()
                .map(|value| (value.value, value.identifier.as_deref()))
                .collect::<Vec<_>>(),
            [(1, Some("solid"))]
        );
        let is_open = |at| match dungeon.feature(at) {
            Some(feature) => !feature.is_solid(),
            None => dungeon.grid().tile(at).is_open(),
        };
        let own: Vec<i64> = dungeon.squares().map(|at| i64::from(!is_open(at))).collect();
        assert_eq!(collisions.int_grid_csv, own);
        assert!(own.contains(&0) && own.contains(&1));
    });
}

#[test]
fn the_tiles_agree_with_the_picture_beside_the_project() {
    each(|dungeon| {
        let project = loaded(dungeon);
        let options = ExportOptions::default();
        let (name, file) = export::beside(ExportKind::Ldtk, dungeon, &options, "map.x")
            .unwrap()
            .unwrap();
        let tileset = &project.defs.tilesets[0];
        assert_eq!(tileset.rel_path.as_deref(), Some(&*name));
        let reader = png::Decoder::new(std::io::Cursor::new(&file)).read_info().unwrap();
        assert_eq!(
            [tileset.px_wid, tileset.px_hei],
            [reader.info().width, reader.info().height].map(i64::from)
        );
        assert_eq!(
            [tileset.c_wid * SIDE, tileset.c_hei * SIDE],
            [tileset.px_wid, tileset.px_hei]
        );
        let tiles = layer(&project, "Tiles");
        assert_eq!(
            (tiles.tileset_def_uid, tiles.tileset_rel_path.as_deref()),
            (Some(tileset.uid), Some(&*name))
        );
        let mut placed = tiles.grid_tiles.iter();
        for at in dungeon.squares() {
            let is_drawn = class_of(dungeon, at) != "open" || dungeon.generation(at).is_some();
            if !is_drawn {
                continue;
            }
            let tile = placed.next().expect("a tile for each square that is not open");
            assert_eq!(tile.px, [i64::from(at.y) * SIDE, i64::from(at.x) * SIDE], "{at}");
            assert_eq!(tile.src, [tile.t % tileset.c_wid * SIDE, tile.t / tileset.c_wid * SIDE]);
            assert_eq!(
                tile.d,
                [i64::from(at.x) * i64::from(dungeon.size().y) + i64::from(at.y)]
            );
            assert_eq!((tile.f, tile.a), (0, 1.0));
            let data = tileset
                .custom_data
                .iter()
                .find(|data| data.tile_id == tile.t)
                .expect("data of the tile");
            let data: Value = serde_json::from_str(&data.data).unwrap();
            assert_eq!(data["kind"], class_of(dungeon, at), "{at}");
            assert_eq!(data["generation"], json!(dungeon.generation(at)), "{at}");
        }
        assert!(placed.next().is_none());
    });
}

fn field<'a>(fields: &'a [FieldInstance], name: &str) -> &'a Value {
    static NULL: Value = Value::Null;
    let field = fields.iter().find(|field| field.identifier == name).expect(name);
    // The editor reads its own copy of the value.
    let raw: Vec<&Value> = field.real_editor_values.iter().flatten().collect();
    let value = field.value.as_ref().unwrap_or(&NULL);
    match value {
        Value::Null => assert!(raw.is_empty()),
        Value::Array(points) => {
            let expected = points
                .iter()
                .map(|at| json!({"id": "V_String", "params": [format!("{},{}", at["cx"], at["cy"])]}));
            assert!(expected.eq(raw.into_iter().cloned()));
        }
        value => {
            let id = match value {
                Value::Bool(_) => "V_Bool",
                Value::Number(_) => "V_Int",
                _ => "V_String",
            };
            assert_eq!(raw, [&json!({"id": id, "params": [value]})], "{name}");
        }
    }
    value
}

#[test]
fn jumpers_are_entities_of_their_own() {
    super::tools::with_jumpers(|dungeon, names| {
        let project = loaded(dungeon);
        for (class, identifier) in [("crawler", "Crawler"), ("jumper", "Jumper")] {
            let entities = &layer(&project, "Entities").entity_instances;
            let found = entities.iter().filter(|entity| entity.identifier == identifier);
            let found = found.map(|entity| field(&entity.field_instances, "name").as_str().unwrap());
            let wanted = names.iter().filter(|(_, own)| *own == class);
            assert!(found.eq(wanted.map(|(name, _)| name.as_str())), "{class}");
        }
    });
}

#[test]
fn rooms_doors_crawlers_and_the_path_are_entities() {
    each(|dungeon| {
        let project = loaded(dungeon);
        let all = &layer(&project, "Entities").entity_instances;
        for entity in all {
            let own = project
                .defs
                .entities
                .iter()
                .find(|own| own.uid == entity.def_uid)
                .expect("a definition");
            assert_eq!(own.identifier, entity.identifier);
            assert_eq!(entity.pivot, [own.pivot_x, own.pivot_y]);
            assert_eq!(entity.grid, [entity.px[0] / SIDE, entity.px[1] / SIDE]);
            let fields = own
                .field_defs
                .iter()
                .map(|field| (&field.identifier, &field.field_definition_type, field.uid));
            let instances = entity.field_instances.iter();
            assert!(
                instances
                    .map(|field| (&field.identifier, &field.field_instance_type, field.def_uid))
                    .eq(fields)
            );
        }
        let of = |name: &str| {
            all.iter()
                .filter(|entity| entity.identifier == name)
                .collect::<Vec<&EntityInstance>>()
        };
        let rooms = of("Room");
        assert_eq!(rooms.len(), dungeon.rooms().len());
        for (entity, room) in rooms.iter().zip(dungeon.rooms()) {
            let corner = [room.center.y - room.width, room.center.x - room.width].map(|at| i64::from(at) * SIDE);
            assert_eq!(entity.px, corner);
            let length = i64::from(2 * room.width + 1) * SIDE;
            assert_eq!([entity.width, entity.height], [length; 2]);
            assert_eq!(*field(&entity.field_instances, "room"), room.index + 1);
        }
        let mut squares = Vec::new();
        for door in of("Door") {
            assert!(field(&door.field_instances, "shut").is_boolean());
            for y in door.px[0] / SIDE..(door.px[0] + door.width) / SIDE {
                squares.extend(
                    (door.px[1] / SIDE..(door.px[1] + door.height) / SIDE).map(|x| Point::new(x as i32, y as i32)),
                );
            }
        }
        squares.sort_unstable();
        let doors = dungeon.doors().iter().flat_map(|door| &door.squares);
        let mut open: Vec<Point> = doors.copied().filter(|at| dungeon.grid().tile(*at).is_open()).collect();
        open.sort_unstable();
        open.dedup();
        squares.dedup();
        assert_eq!(squares, open);
        let first = dungeon
            .frame()
            .builders()
            .iter()
            .filter(|builder| builder.birth.parent.is_none());
        let crawlers = of("Crawler");
        assert_eq!(crawlers.len(), first.clone().count());
        for (entity, builder) in crawlers.iter().zip(first) {
            let at = builder.birth.at;
            assert_eq!(entity.grid, [i64::from(at.y), i64::from(at.x)]);
            assert_eq!(
                *field(&entity.field_instances, "forward"),
                builder.birth.forward.to_string()
            );
            assert_eq!(*field(&entity.field_instances, "wakes"), builder.birth.wakes);
        }
        let metrics = dungeon.metrics();
        for (name, at) in [("Entrance", metrics.entrance), ("Exit", metrics.exit)] {
            let cells: Vec<_> = of(name).iter().map(|entity| entity.grid.clone()).collect();
            let at: Vec<_> = at.iter().map(|at| vec![i64::from(at.y), i64::from(at.x)]).collect();
            assert_eq!(cells, at);
        }
        let path = of("Path").remove(0);
        let points = field(&path.field_instances, "points").as_array().unwrap();
        let corner = |at: &Value| {
            let [y, x] = ["cx", "cy"].map(|key| at[key].as_i64().unwrap() as i32);
            Point::new(x, y)
        };
        let corners: Vec<Point> = points.iter().map(corner).collect();
        let mut walked = vec![corners[0]];
        for to in &corners[1..] {
            while let Some(&at) = walked.last().filter(|at| *at != to) {
                let step = |to: i32, from: i32| from + (to - from).signum();
                walked.push(Point::new(step(to.x, at.x), step(to.y, at.y)));
            }
        }
        assert_eq!(walked, metrics.way);
        assert_eq!(of("Vault").len(), dungeon.design().pieces().len());
        let fields = &level(&project).field_instances;
        assert_eq!(*field(fields, "seed"), dungeon.design().seed.to_string());
        assert_eq!(*field(fields, "design"), dungeon.design().name.trim());
        assert_eq!(*field(fields, "turns"), dungeon.turn().to_string());
    });
}
