//! Exports a dungeon as an LDtk 1.5 project: an IntGrid layer with the tile or feature of each square, an IntGrid layer
//! with the solid squares, a tile layer, and an entity layer with rooms, vaults and their contents, doors, the first
//! Builders, the path and named places.
//!
//! In LDtk, x runs to the right and y downwards, both in pixels. Open squares have no tile, so that the level's
//! background shows. The tileset picture is the same companion file as for Tiled maps. All identifiers (uids, iids) are
//! derived from the dungeon, so that exporting the same dungeon again yields the same file.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use serde_json::{Value, json};

use super::objects::{self, Object, Property, Shape, text, whole};
use super::svg::hex;
use super::tileset::{COLUMNS, Meaning, Tileset, file_name, meaning};
use super::{DungeonView, ExportError, ExportOptions, ExportTask, Palette, Rgb, json as names};
use crate::design::Feature;
use crate::design::feature::Class;
use crate::engine::Tile;
use crate::geometry::Point;
use crate::recording_file::sha256;

/// Version of the format, and the editor build that introduced it.
const VERSION: &str = "1.5.3";
const BUILD: u32 = 473_703;

/// Smallest IntGrid value of a feature. The values of tiles start at 1 and are smaller.
const FEATURES: i64 = 10;

/// Name of value 1 in the collision layer. The LDtk loader of the game engine Excalibur recognizes solid squares by
/// this name.
const SOLID: &str = "solid";

/// Definition uids of the layers, the tileset and the level. Entities and fields get uids from `FIRST` on.
const ENTITIES: i64 = 1;
const TILES: i64 = 2;
const SQUARES: i64 = 3;
const TILESET: i64 = 4;
const LEVEL: i64 = 5;
const COLLISIONS: i64 = 6;
const FIRST: i64 = 10;

/// The entities: object class, entity name and colour.
const CLASSES: [(&str, &str, Rgb); 14] = [
    ("room", "Room", [120, 190, 250]),
    ("vault", "Vault", [168, 160, 186]),
    ("door", "Door", [212, 156, 88]),
    ("crawler", "Crawler", [243, 230, 110]),
    ("jumper", "Jumper", [240, 150, 70]),
    ("entrance", "Entrance", [123, 189, 110]),
    ("exit", "Exit", [240, 88, 88]),
    ("path", "Path", [232, 124, 232]),
    ("place", "Place", [250, 196, 80]),
    ("monster", "Monster", [230, 96, 96]),
    ("item", "Item", [240, 200, 90]),
    ("shop", "Shop", [221, 200, 120]),
    ("portal", "Portal", [213, 120, 240]),
    ("marker", "Marker", [140, 200, 200]),
];

/// Number of classes, from the start of [`CLASSES`], that every project defines. Each of the other classes is defined
/// only if a vault has contents of that class.
const ALWAYS: usize = 9;

/// A field of an entity or of the level.
struct Field {
    name: &'static str,
    uid: i64,
    /// Type name in field instances, and the editor's internal type name.
    kind: [&'static str; 2],
}

/// An entity definition.
struct Entity {
    class: &'static str,
    name: &'static str,
    rgb: Rgb,
    uid: i64,
    fields: Vec<Field>,
    /// Whether the entity is a rectangle with its pivot at the top left corner, instead of a point with a central
    /// pivot.
    is_area: bool,
}

/// Returns the LDtk type names of a property.
const fn kind(property: &Property) -> [&'static str; 2] {
    match property {
        Property::Whole(_) => ["Int", "F_Int"],
        Property::Truth(_) => ["Bool", "F_Bool"],
        Property::Text(_) => ["String", "F_String"],
    }
}

/// Type names of an array of points, for the path.
const POINTS: [&str; 2] = ["Array<Point>", "F_Point"];

/// The data of the project, except for the squares of its layers.
struct Project<'a> {
    dungeon: &'a DungeonView<'a>,
    tileset: Tileset,
    palette: Palette,
    picture: String,
    objects: Vec<Object>,
    entities: Vec<Entity>,
    level: Vec<(Field, Property)>,
    next: i64,
    /// SHA-256 digest from which iids are derived.
    digest: String,
}

/// Returns the IntGrid value of a square.
fn number(dungeon: &DungeonView<'_>, at: Point) -> i64 {
    match dungeon.feature(at) {
        Some(feature) if feature.class() != Class::Floor => FEATURES + i64::from(feature.number()),
        _ => dungeon.tile(at) as i64 + 1,
    }
}

/// Returns the value of a field instance, and its raw form for the editor.
fn value(property: &Property) -> (Value, Value) {
    let (id, value) = match property {
        Property::Whole(number) => ("V_Int", Value::from(*number)),
        Property::Truth(truth) => ("V_Bool", Value::from(*truth)),
        Property::Text(text) => ("V_String", Value::from(text.clone())),
    };
    let raw = json!([{"id": id, "params": [value]}]);
    (value, raw)
}

/// Returns the definition of an IntGrid value.
fn value_of(value: i64, name: &str, rgb: Rgb) -> Value {
    json!({"value": value, "identifier": name, "color": hex(rgb), "tile": null, "groupUid": 0})
}

fn instance(field: &Field, (value, raw): (Value, Value)) -> Value {
    json!({
        "__identifier": field.name, "__type": field.kind[0], "__value": value, "__tile": null, "defUid": field.uid,
        "realEditorValues": raw,
    })
}

fn definition(field: &Field) -> Value {
    let is_way = field.kind == POINTS;
    json!({
        "identifier": field.name, "doc": null, "__type": field.kind[0], "uid": field.uid, "type": field.kind[1],
        "isArray": is_way, "canBeNull": !is_way, "arrayMinLength": null, "arrayMaxLength": null,
        "editorDisplayMode": if is_way { "PointPath" } else { "Hidden" }, "editorDisplayScale": 1,
        "editorDisplayPos": "Above", "editorLinkStyle": "StraightArrow", "editorDisplayColor": null,
        "editorAlwaysShow": false, "editorShowInWorld": true, "editorCutLongValues": true, "editorTextSuffix": null,
        "editorTextPrefix": null, "useForSmartColor": false, "exportToToc": false, "searchable": false, "min": null,
        "max": null, "regex": null, "acceptFileTypes": null, "defaultOverride": null, "textLanguageMode": null,
        "symmetricalRef": false, "autoChainRef": true, "allowOutOfLevelRef": true, "allowedRefs": "OnlySame",
        "allowedRefsEntityUid": null, "allowedRefTags": [], "tilesetUid": null,
    })
}

impl<'a> Project<'a> {
    fn new(dungeon: &'a DungeonView<'a>, options: &ExportOptions, name: &str) -> Result<Self, ExportError> {
        let tileset = Tileset::new(dungeon, options)?;
        let scale = i64::from(tileset.scale);
        let groups = objects::groups(dungeon, scale);
        let objects: Vec<Object> = groups.into_iter().flat_map(|(_, objects)| objects).collect();
        let mut next = FIRST;
        let mut uid = || {
            next += 1;
            next - 1
        };
        let is_defined = |class: &str| objects.iter().any(|object| object.class == class);
        let classes = CLASSES.into_iter().enumerate();
        let classes = classes.filter(|(number, (class, ..))| *number < ALWAYS || is_defined(class));
        let entities = classes.map(|(_, (class, name, rgb))| {
            let own = objects.iter().filter(|object| object.class == class);
            let mut fields = BTreeMap::from([("name", kind(&text("")))]);
            fields.extend(
                own.flat_map(|object| object.properties.iter().map(|(name, property)| (*name, kind(property)))),
            );
            if class == "path" {
                fields.insert("points", POINTS);
            }
            let number = uid();
            let fields = fields.into_iter().map(|(name, kind)| Field { name, uid: uid(), kind });
            Entity {
                class,
                name,
                rgb,
                uid: number,
                fields: fields.collect(),
                is_area: matches!(class, "room" | "vault" | "door"),
            }
        });
        let entities: Vec<Entity> = entities.collect();
        let clock = dungeon.clock();
        let mut level = objects::of_map(dungeon);
        level.insert(1, ("generation", whole(clock.generation())));
        let level = level.into_iter().map(|(name, property)| {
            let kind = kind(&property);
            (Field { name, uid: uid(), kind }, property)
        });
        Ok(Self {
            dungeon,
            palette: Palette::of(options.ground.unwrap_or_default()),
            picture: file_name(name),
            objects,
            entities,
            level: level.collect(),
            next: uid(),
            digest: sha256(format!("{} {}", dungeon.title(), clock.turn).as_bytes()),
            tileset,
        })
    }

    /// Returns the unique identifier of the object with this number, in the form of a UUID.
    fn iid(&self, number: usize) -> String {
        let (a, b, c) = (&self.digest[..8], &self.digest[8..12], &self.digest[12..15]);
        format!("{a}-{b}-4{c}-8000-{number:012x}")
    }

    /// Returns the definitions of the IntGrid values in use.
    fn values(&self) -> Value {
        let tiles = Tile::ALL.iter().map(|tile| {
            let rgb = match tile {
                Tile::Open => self.palette.ground,
                Tile::Guaranteed => self.palette.guaranteed,
                Tile::Wall => self.palette.design,
                Tile::HighWall => self.palette.high_wall,
                Tile::Column => self.palette.column,
            };
            (*tile as i64 + 1, names::tile_name(*tile), rgb)
        });
        let used: BTreeSet<i64> = self.dungeon.squares().map(|at| number(self.dungeon, at)).collect();
        let features = used.into_iter().filter_map(|value| {
            let feature = Feature::of_number(u8::try_from(value - FEATURES).ok()?)?;
            let rgb = self.palette.feature(feature).unwrap_or(self.palette.ground);
            Some((value, feature.name(), rgb))
        });
        let all = tiles.chain(features);
        all.map(|(value, name, rgb)| value_of(value, name, rgb)).collect()
    }

    fn layers(&self) -> Value {
        let scale = self.tileset.scale;
        let layer = |uid: i64, name: &str, kind: &str, tileset: Value, values: Value| {
            json!({
                "__type": kind, "identifier": name, "type": kind, "uid": uid, "doc": null, "uiColor": null,
                "gridSize": scale, "guideGridWid": 0, "guideGridHei": 0, "displayOpacity": 1, "inactiveOpacity": 1,
                "hideInList": false, "hideFieldsWhenInactive": true, "canSelectWhenInactive": true,
                "renderInWorldView": true, "pxOffsetX": 0, "pxOffsetY": 0, "parallaxFactorX": 0, "parallaxFactorY": 0,
                "parallaxScaling": true, "requiredTags": [], "excludedTags": [], "uiFilterTags": [],
                "useAsyncRender": false, "autoTilesKilledByOtherLayerUid": null, "intGridValues": values,
                "intGridValuesGroups": [], "autoRuleGroups": [], "autoSourceLayerDefUid": null,
                "tilesetDefUid": tileset, "tilePivotX": 0, "tilePivotY": 0, "biomeFieldUid": null,
            })
        };
        let solid = value_of(1, SOLID, self.palette.design);
        json!([
            layer(ENTITIES, "Entities", "Entities", Value::Null, json!([])),
            layer(TILES, "Tiles", "Tiles", TILESET.into(), json!([])),
            layer(SQUARES, "Squares", "IntGrid", Value::Null, self.values()),
            layer(COLLISIONS, "Collisions", "IntGrid", Value::Null, json!([solid])),
        ])
    }

    fn tileset(&self) -> Value {
        let [across, down] = self.tileset.pixels();
        let scale = self.tileset.scale;
        // A tile's custom data contains what a Tiled export stores as tile properties.
        let data = self.tileset.tiles.iter().enumerate().map(|(id, meaning)| {
            let description = json!({
                "kind": meaning.class(), "generation": meaning.generation(), "solid": meaning.is_solid(),
            });
            json!({"tileId": id, "data": description.to_string()})
        });
        json!({
            "__cWid": COLUMNS, "__cHei": down / scale, "identifier": "Dungeon", "uid": TILESET, "relPath": self.picture,
            "embedAtlas": null, "pxWid": across, "pxHei": down, "tileGridSize": scale, "spacing": 0, "padding": 0,
            "tags": [], "tagsSourceEnumUid": null, "enumTags": [], "customData": data.collect::<Value>(),
            "savedSelections": [], "cachedPixelData": null,
        })
    }

    fn entity(&self, entity: &Entity) -> Value {
        let scale = self.tileset.scale;
        let pivot = if entity.is_area { 0.0 } else { 0.5 };
        json!({
            "identifier": entity.name, "uid": entity.uid, "tags": [], "exportToToc": false, "allowOutOfBounds": false,
            "doc": null, "width": scale, "height": scale, "resizableX": entity.is_area, "resizableY": entity.is_area,
            "minWidth": null, "maxWidth": null, "minHeight": null, "maxHeight": null, "keepAspectRatio": false,
            "tileOpacity": 1, "fillOpacity": if entity.is_area { 0.08 } else { 1.0 }, "lineOpacity": 1,
            "hollow": entity.class == "room" || entity.class == "vault", "color": hex(entity.rgb),
            "renderMode": if entity.is_area { "Rectangle" } else { "Ellipse" }, "showName": true, "tilesetId": null,
            "tileRenderMode": "FitInside", "tileRect": null, "uiTileRect": null, "nineSliceBorders": [], "maxCount": 0,
            "limitScope": "PerLevel", "limitBehavior": "MoveLastOne", "pivotX": pivot, "pivotY": pivot,
            "fieldDefs": entity.fields.iter().map(definition).collect::<Value>(),
        })
    }

    fn object(&self, number: usize, object: &Object) -> Option<Value> {
        let entity = self.entities.iter().find(|entity| entity.class == object.class)?;
        let scale = i64::from(self.tileset.scale);
        let (width, height) = match object.shape {
            Shape::Rectangle(width, height) => (width, height),
            _ => (scale, scale),
        };
        let fields = entity.fields.iter().map(|field| {
            let property = object.properties.iter().find(|(name, _)| *name == field.name);
            let description = match (property, &object.shape) {
                (Some((_, property)), _) => value(property),
                (None, Shape::Line(line)) if field.kind == POINTS => {
                    let squares = line
                        .iter()
                        .map(|[x, y]| [(x + object.x) / scale, (y + object.y) / scale]);
                    let squares: Vec<[i64; 2]> = squares.collect();
                    let raw = |[x, y]: &[i64; 2]| json!({"id": "V_String", "params": [format!("{x},{y}")]});
                    (
                        squares.iter().map(|[x, y]| json!({"cx": x, "cy": y})).collect(),
                        squares.iter().map(raw).collect(),
                    )
                }
                _ if field.name == "name" => value(&text(&object.name)),
                _ => (Value::Null, json!([])),
            };
            instance(field, description)
        });
        let pivot = if entity.is_area { 0.0 } else { 0.5 };
        Some(json!({
            "__identifier": entity.name, "__grid": [object.x / scale, object.y / scale], "__pivot": [pivot, pivot],
            "__tags": [], "__tile": null, "__smartColor": hex(entity.rgb), "__worldX": object.x, "__worldY": object.y,
            "iid": self.iid(FIRST as usize + number), "width": width, "height": height, "defUid": entity.uid,
            "px": [object.x, object.y], "fieldInstances": fields.collect::<Value>(),
        }))
    }

    /// Returns the root object of the project without its levels.
    fn root(&self) -> Value {
        let (size, scale) = (self.dungeon.size(), self.tileset.scale);
        let fields = self.level.iter().map(|(field, _)| definition(field));
        let defs = json!({
            "layers": self.layers(),
            "entities": self.entities.iter().map(|entity| self.entity(entity)).collect::<Value>(),
            "tilesets": [self.tileset()], "enums": [], "externalEnums": [], "levelFields": fields.collect::<Value>(),
        });
        json!({
            "__header__": {
                "fileType": "LDtk Project JSON", "app": "LDtk", "doc": "https://ldtk.io/json",
                "schema": "https://ldtk.io/files/JSON_SCHEMA.json", "appAuthor": "Sebastien 'deepnight' Benard",
                "appVersion": VERSION, "url": "https://ldtk.io",
            },
            "iid": self.iid(0), "jsonVersion": VERSION, "appBuildId": BUILD, "nextUid": self.next,
            "identifierStyle": "Free", "toc": [], "worldLayout": "Free", "worldGridWidth": 256, "worldGridHeight": 256,
            "defaultLevelWidth": size.y as u32 * scale, "defaultLevelHeight": size.x as u32 * scale, "defaultPivotX": 0,
            "defaultPivotY": 0, "defaultGridSize": scale, "defaultEntityWidth": scale, "defaultEntityHeight": scale,
            "bgColor": hex(self.palette.ground), "defaultLevelBgColor": hex(self.palette.ground), "minifyJson": false,
            "externalLevels": false, "exportTiled": false, "simplifiedExport": false, "imageExportMode": "None",
            "exportLevelBg": true, "pngFilePattern": null, "backupOnSave": false, "backupLimit": 10,
            "backupRelPath": null, "levelNamePattern": "Level_%idx", "tutorialDesc": null, "customCommands": [],
            "flags": [], "defs": defs, "worlds": [], "dummyWorldIid": self.iid(1),
        })
    }

    /// Returns the level without its layer instances.
    fn level(&self) -> Value {
        let (size, scale) = (self.dungeon.size(), self.tileset.scale);
        let fields = self
            .level
            .iter()
            .map(|(field, property)| instance(field, value(property)));
        json!({
            "identifier": "Dungeon", "iid": self.iid(2), "uid": LEVEL, "worldX": 0, "worldY": 0, "worldDepth": 0,
            "pxWid": size.y as u32 * scale, "pxHei": size.x as u32 * scale, "__bgColor": hex(self.palette.ground),
            "bgColor": null, "useAutoIdentifier": false, "bgRelPath": null, "bgPos": null, "bgPivotX": 0.5,
            "bgPivotY": 0.5, "__smartColor": hex(self.palette.text), "__bgPos": null, "externalRelPath": null,
            "fieldInstances": fields.collect::<Value>(), "__neighbours": [],
        })
    }

    /// Returns a layer instance without the array called `list`, which is written separately.
    fn layer(&self, uid: i64, name: &str, kind: &str, list: &str) -> Value {
        let (size, scale) = (self.dungeon.size(), self.tileset.scale);
        let (tileset, picture) = match uid {
            TILES => (Value::from(TILESET), Value::from(self.picture.clone())),
            _ => (Value::Null, Value::Null),
        };
        let mut layer = json!({
            "__identifier": name, "__type": kind, "__cWid": size.y, "__cHei": size.x, "__gridSize": scale,
            "__opacity": 1, "__pxTotalOffsetX": 0, "__pxTotalOffsetY": 0, "__tilesetDefUid": tileset,
            "__tilesetRelPath": picture, "iid": self.iid(2 + uid as usize), "levelId": LEVEL, "layerDefUid": uid,
            "pxOffsetX": 0, "pxOffsetY": 0, "visible": true, "optionalRules": [], "intGridCsv": [],
            "autoLayerTiles": [], "seed": 1, "overrideTilesetUid": null, "gridTiles": [], "entityInstances": [],
        });
        if let Some(layer) = layer.as_object_mut() {
            layer.remove(list);
        }
        layer
    }

    /// Returns a row of the tile layer; open squares have no tile.
    fn tiles(&self, x: i32) -> String {
        let (columns, scale) = (self.dungeon.size().y, self.tileset.scale);
        let mut row = String::new();
        for y in 0..columns {
            let at = Point::new(x, y);
            let id = self.tileset.number(self.dungeon, at) as u32;
            if self.tileset.tiles.get(id as usize) == Some(&Meaning::Design(Tile::Open as u8)) {
                continue;
            }
            // Writing to a string cannot fail.
            let _ = write!(
                row,
                "{{\"px\":[{},{}],\"src\":[{},{}],\"f\":0,\"t\":{id},\"d\":[{}],\"a\":1}},",
                y as u32 * scale,
                x as u32 * scale,
                id % COLUMNS * scale,
                id / COLUMNS * scale,
                i64::from(x) * i64::from(columns) + i64::from(y)
            );
        }
        row
    }
}

/// Returns a JSON object without its closing brace, so that more fields can follow.
fn unfinished(object: &Value) -> String {
    let mut text = object.to_string();
    text.pop();
    text
}

/// Writes an IntGrid layer row by row. The progress starts at `done` of `all` rows.
fn write_numbers(
    project: &Project<'_>,
    (uid, name): (i64, &str),
    number: impl Fn(Point) -> i64,
    (done, all): (u64, u64),
    job: &mut ExportTask<'_>,
) -> Result<(), ExportError> {
    let size = project.dungeon.size();
    let layer = project.layer(uid, name, "IntGrid", "intGridCsv");
    job.format(format_args!("{},\n\"intGridCsv\": [\n", unfinished(&layer)))?;
    for x in 0..size.x {
        job.at(done + x as u64, all)?;
        let numbers = (0..size.y).map(|y| number(Point::new(x, y)).to_string());
        let row = numbers.collect::<Vec<_>>().join(",");
        let end = if x + 1 < size.x { "," } else { "" };
        job.format(format_args!("{row}{end}\n"))?;
    }
    job.text("]}")
}

pub(super) fn write(
    dungeon: &DungeonView<'_>,
    options: &ExportOptions,
    name: &str,
    job: &mut ExportTask<'_>,
) -> Result<(), ExportError> {
    let rows = dungeon.size().x;
    let all = 3 * rows as u64;
    job.at(0, all)?;
    let project = Project::new(dungeon, options, name)?;
    job.format(format_args!("{},\n\"levels\": [\n", unfinished(&project.root())))?;
    job.format(format_args!(
        "{},\n\"layerInstances\": [\n",
        unfinished(&project.level())
    ))?;
    let layer = project.layer(ENTITIES, "Entities", "Entities", "entityInstances");
    job.format(format_args!("{},\n\"entityInstances\": [", unfinished(&layer)))?;
    let mut before = "\n";
    for (number, object) in project.objects.iter().enumerate() {
        if let Some(entity) = project.object(number, object) {
            job.format(format_args!("{before}{entity}"))?;
            before = ",\n";
        }
    }
    let layer = project.layer(TILES, "Tiles", "Tiles", "gridTiles");
    job.format(format_args!("\n]}},\n{},\n\"gridTiles\": [", unfinished(&layer)))?;
    before = "\n";
    for x in 0..rows {
        job.at(x as u64, all)?;
        let row = project.tiles(x);
        if let Some(row) = row.strip_suffix(',') {
            job.format(format_args!("{before}{row}"))?;
            before = ",\n";
        }
    }
    job.text("\n]},\n")?;
    let rows = rows as u64;
    let square = |at| number(dungeon, at);
    write_numbers(&project, (SQUARES, "Squares"), square, (rows, all), job)?;
    job.text(",\n")?;
    let solid = |at| i64::from(meaning(dungeon, at).is_solid());
    write_numbers(&project, (COLLISIONS, "Collisions"), solid, (2 * rows, all), job)?;
    job.text("\n]}\n]}\n")
}
