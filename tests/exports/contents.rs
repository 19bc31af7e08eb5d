//! The contents of vaults, in the files for other programs: read by the crates `tiled` and `ldtk2`, and as JSON.

use serde_json::{Value, json};
use tiled::{Loader, ObjectShape, PropertyValue};
use wallcrawler::export::{DungeonView, ExportKind, ExportOptions, TextStyle};
use wallcrawler::geometry::Point;

use crate::{bytes, grown, text, with_vault};

const SIDE: i32 = 16;

/// A piece of content: square, kind, text and properties.
type Row = (Point, String, String, String);

/// Calls `look` with the dungeon that has a vault, and the vault's contents.
fn with_contents(look: impl Fn(&DungeonView<'_>, &[Row])) {
    let design = with_vault();
    let recording = grown(&design);
    let dungeon = DungeonView::new(&design, &recording, u64::MAX);
    let rows: Vec<Row> = dungeon
        .contents()
        .map(|(_, content)| {
            (
                content.at,
                content.kind.name().to_owned(),
                content.text.clone(),
                content.properties_text(),
            )
        })
        .collect();
    look(&dungeon, &rows);
}

#[test]
fn a_monster_an_item_and_a_portal_are_on_their_squares() {
    with_contents(|dungeon, rows| {
        let at = dungeon.design().pieces()[0].at;
        let square = |column: i32| Point::new(at.x + 3, at.y + column);
        let row = |column: i32, kind: &str, text: &str, properties: &str| {
            (square(column), kind.to_owned(), text.to_owned(), properties.to_owned())
        };
        let portal = "class = one_way_stair, desc = A dry, \"old\" <well>, dst = cistern";
        assert_eq!(
            rows,
            [
                row(1, "monster", "orc warrior ; mace | club", ""),
                row(3, "item", "any weapon ego:\"fire\"", ""),
                row(5, "portal", "cistern", portal),
            ]
        );
    });
}

#[test]
fn json_has_the_contents_of_each_vault() {
    with_contents(|dungeon, rows| {
        let json: Value = serde_json::from_str(&text(ExportKind::Json, dungeon, &ExportOptions::default())).unwrap();
        let contents = json["vaults"][0]["contents"].as_array().expect("contents");
        assert_eq!(contents.len(), rows.len());
        for (content, (at, kind, text, _)) in contents.iter().zip(rows) {
            assert_eq!(
                [&content["x"], &content["y"], &content["kind"], &content["text"]],
                [&json!(at.x), &json!(at.y), &json!(kind), &json!(text)]
            );
        }
        assert_eq!(contents[2]["properties"]["desc"], "A dry, \"old\" <well>");
        let schema: Value = serde_json::from_str(wallcrawler::export::SCHEMA).unwrap();
        let known = &schema["properties"]["vaults"]["items"]["properties"]["contents"]["items"]["properties"];
        for name in contents[0].as_object().unwrap().keys() {
            assert!(known.get(name).is_some(), "the schema lacks {name}");
        }
    });
}

#[test]
fn tiled_reads_the_contents_as_points() {
    with_contents(|dungeon, rows| {
        let folder = tempfile::tempdir().unwrap();
        for kind in [ExportKind::Tmx, ExportKind::Tmj] {
            if kind == ExportKind::Tmj {
                let map: Value = serde_json::from_str(&text(kind, dungeon, &ExportOptions::default())).unwrap();
                let layers = map["layers"].as_array().unwrap();
                let group = layers
                    .iter()
                    .find(|layer| layer["name"] == "Contents")
                    .expect("a group");
                assert_eq!(group["objects"].as_array().unwrap().len(), rows.len());
                continue;
            }
            let path = folder.path().join("map.tmx");
            std::fs::write(&path, bytes(kind, dungeon, &ExportOptions::default())).unwrap();
            let map = Loader::new().load_tmx_map(&path).expect("a Tiled map");
            let layer = map.layers().find(|layer| layer.name == "Contents").expect("a group");
            let objects: Vec<_> = layer.as_object_layer().expect("objects").objects().collect();
            assert_eq!(objects.len(), rows.len());
            for (object, (at, kind, text, details)) in objects.iter().zip(rows) {
                let middle = [at.y, at.x].map(|square| (square * SIDE + SIDE / 2) as f32);
                assert_eq!([object.x, object.y], middle);
                assert!(matches!(object.shape, ObjectShape::Point(..)));
                assert_eq!((&object.user_type, &object.name), (kind, text));
                let value = |name: &str| match object.properties.get(name) {
                    Some(PropertyValue::StringValue(value)) => value.clone(),
                    _ => String::new(),
                };
                assert_eq!((value("content"), value("details")), (text.clone(), details.clone()));
                assert_eq!(object.properties["vault"], PropertyValue::IntValue(1));
            }
        }
    });
}

#[test]
fn ldtk_reads_the_contents_as_entities() {
    with_contents(|dungeon, rows| {
        let project = ldtk2::Ldtk::from_str(text(ExportKind::Ldtk, dungeon, &ExportOptions::default())).unwrap();
        let layers = project.levels[0].layer_instances.as_ref().unwrap();
        let entities = layers.iter().flat_map(|layer| &layer.entity_instances);
        for (at, kind, text, details) in rows {
            let is_it = |entity: &&ldtk2::EntityInstance| {
                entity.identifier.eq_ignore_ascii_case(kind) && entity.grid == [i64::from(at.y), i64::from(at.x)]
            };
            let entity = entities.clone().find(is_it).expect("an entity");
            let field = |name: &str| {
                let field = entity.field_instances.iter().find(|field| field.identifier == name);
                field.and_then(|field| field.value.as_ref()?.as_str().map(str::to_owned))
            };
            assert_eq!(field("content").as_ref(), Some(text));
            assert_eq!(field("details").unwrap_or_default(), *details);
        }
    });
}

#[test]
fn tabletop_maps_have_notes_at_the_middle_of_squares() {
    with_contents(|dungeon, rows| {
        let map: Value = serde_json::from_str(&text(ExportKind::Uvtt, dungeon, &ExportOptions::default())).unwrap();
        let notes = map["notes"].as_array().expect("notes");
        assert_eq!(notes.len(), rows.len());
        for (note, (at, kind, text, _)) in notes.iter().zip(rows) {
            let place = [&note["position"]["x"], &note["position"]["y"]].map(|value| value.as_f64().unwrap());
            assert_eq!(place, [f64::from(at.y) + 0.5, f64::from(at.x) + 0.5]);
            assert_eq!(note["kind"], *kind);
            assert!(note["text"].as_str().unwrap().starts_with(&format!("{kind}: {text}")));
        }
    });
}

#[test]
fn a_vault_that_is_left_out_is_in_no_export() {
    let design = with_vault();
    let recording = grown(&design);
    // The second vault overlaps the first, so it is left out. One of its doors and its contents are on squares of
    // their own.
    let mut over = design.pieces()[0].clone();
    over.vault = 1;
    over.name = "over".into();
    over.at.x += 1;
    over.contents.iter_mut().for_each(|content| content.at.x += 1);
    over.exits.iter_mut().for_each(|exit| exit.x += 1);
    let both = design.clone().with_pieces(vec![design.pieces()[0].clone(), over]);
    assert_eq!(grown(&both), recording);
    let [alone, both] = [&design, &both].map(|design| DungeonView::new(design, &recording, u64::MAX));
    for kind in [
        ExportKind::Text(TextStyle::Plain),
        ExportKind::Text(TextStyle::Digits),
        ExportKind::Text(TextStyle::Ansi),
        ExportKind::Csv,
        ExportKind::Json,
        ExportKind::Svg,
        ExportKind::Tmx,
        ExportKind::Tmj,
        ExportKind::Ldtk,
        ExportKind::Uvtt,
    ] {
        let [alone, both] = [&alone, &both].map(|dungeon| text(kind, dungeon, &ExportOptions::default()));
        assert!(alone == both, "{kind:?}");
    }
}
