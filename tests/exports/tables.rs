//! Text, CSV and JSON.

use std::collections::{BTreeSet, HashMap, VecDeque};
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;
use wallcrawler::engine::{Mark, Tile};
use wallcrawler::export::{DungeonView, ExportKind, ExportOptions, SCHEMA, TextStyle};
use wallcrawler::geometry::{Point, Size};
use wallcrawler::presets::Preset;

use super::outside::say;
use crate::{design, each, grown, text};

#[test]
fn text_has_a_character_for_each_square() {
    each(|dungeon| {
        let plain = text(ExportKind::Text(TextStyle::Plain), dungeon, &ExportOptions::default());
        let digits = text(ExportKind::Text(TextStyle::Digits), dungeon, &ExportOptions::default());
        let rows: Vec<Vec<char>> = plain.lines().map(|line| line.chars().collect()).collect();
        let digits: Vec<Vec<char>> = digits.lines().map(|line| line.chars().collect()).collect();
        assert_eq!(rows.len(), dungeon.size().x as usize);
        for at in dungeon.squares() {
            let (x, y) = (at.x as usize, at.y as usize);
            assert_eq!(rows[x].len(), dungeon.size().y as usize);
            if dungeon.feature(at).is_some() {
                continue;
            }
            let tile = dungeon.grid().tile(at);
            assert_eq!(rows[x][y], tile.plain(), "{at}");
            let digit = match dungeon.grid().mark(at) {
                Mark::Generation(g) if tile == Tile::Wall => char::from_digit(u32::from(g.min(9)), 10).unwrap(),
                _ => tile.plain(),
            };
            assert_eq!(digits[x][y], digit, "{at}");
        }
        let doors = plain.matches('+').count();
        assert_eq!(doors, 2 * dungeon.design().pieces().len());
    });
}

#[test]
fn a_table_has_a_line_for_each_square() {
    each(|dungeon| {
        let table = text(ExportKind::Csv, dungeon, &ExportOptions::default());
        let mut lines = csv::Reader::from_reader(table.as_bytes());
        let header: Vec<String> = lines.headers().unwrap().iter().map(str::to_owned).collect();
        assert_eq!(
            header.join(","),
            "x,y,tile,generation,builder,turn,line,feature,steps,monster,items,marker"
        );
        let steps = steps_from_entrance(dungeon);
        let mut squares = dungeon.squares();
        for line in lines.records() {
            let line = line.expect("a row of CSV");
            let at = squares.next().expect("as many squares as lines");
            let fields: Vec<&str> = line.iter().collect();
            let contents: Vec<String> = dungeon.contents_at(at).map(ToString::to_string).collect();
            let shown = ["monster: ", "item: ", ""];
            let shown = shown.iter().zip(&fields[9..]).filter(|(_, text)| !text.is_empty());
            let shown: Vec<String> = shown.map(|(kind, text)| format!("{kind}{text}")).collect();
            assert_eq!(shown, contents, "{at}");
            let expected = steps.get(&(at.x, at.y)).map_or(String::new(), u32::to_string);
            assert_eq!(fields[8], expected, "{at}");
            assert_eq!([fields[0], fields[1]], [at.x.to_string(), at.y.to_string()]);
            match dungeon.grid().mark(at) {
                Mark::Generation(generation) => {
                    assert_eq!(fields[3], generation.to_string());
                    let builder: usize = fields[4].parse().unwrap();
                    let shown = &dungeon.frame().builders()[builder];
                    assert_eq!(shown.birth.generation, u32::from(generation));
                    let first: usize = fields[6].parse().unwrap();
                    assert_eq!(dungeon.frame().builders()[first].birth.parent, None);
                }
                Mark::Design => assert_eq!(fields[3..7], ["", "", "", ""]),
            }
        }
        assert_eq!(squares.next(), None);
    });
}

/// Returns the distance of each square reachable from the entrance, by a simple search.
fn steps_from_entrance(dungeon: &DungeonView<'_>) -> HashMap<(i32, i32), u32> {
    let entrance = dungeon.metrics().entrance.expect("somewhere is open");
    let mut steps = HashMap::from([((entrance.x, entrance.y), 0)]);
    let mut next = VecDeque::from([(entrance.x, entrance.y)]);
    while let Some((x, y)) = next.pop_front() {
        let far = steps[&(x, y)] + 1;
        for (x, y) in [(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)] {
            let is_inside = x >= 0 && y >= 0 && x < dungeon.size().x && y < dungeon.size().y;
            if is_inside && dungeon.grid().tile(Point::new(x, y)).is_open() && !steps.contains_key(&(x, y)) {
                steps.insert((x, y), far);
                next.push_back((x, y));
            }
        }
    }
    assert!(steps.len() > 100, "the dungeon is hardly walkable");
    steps
}

fn point(value: &Value) -> Point {
    Point::new(value["x"].as_i64().unwrap() as i32, value["y"].as_i64().unwrap() as i32)
}

fn check_json(dungeon: &DungeonView<'_>, json: &Value) {
    let size = dungeon.size();
    assert_eq!(point(&json["size"]), Point::new(size.x, size.y));
    assert_eq!(json["seed"], dungeon.design().seed.to_string());
    let steps = steps_from_entrance(dungeon);
    let mut tiles_by = vec![0; dungeon.frame().builders().len()];
    for at in dungeon.squares() {
        let (x, y) = (at.x as usize, at.y as usize);
        let tile = json["tiles"][x].as_str().unwrap().as_bytes()[y];
        assert_eq!(char::from(tile), dungeon.grid().tile(at).plain());
        let mark = dungeon.grid().mark(at);
        let generation = match mark {
            Mark::Generation(generation) => i64::from(generation),
            Mark::Design => -1,
        };
        assert_eq!(json["generations"][x][y], generation, "{at}");
        let far = steps.get(&(at.x, at.y)).map_or(-1, |steps| i64::from(*steps));
        assert_eq!(json["steps"][x][y], far, "{at}");
        let (by, turn) = (
            json["laid_by"][x][y].as_i64().unwrap(),
            json["laid_in"][x][y].as_u64().unwrap(),
        );
        assert_eq!((by >= 0, turn > 0), (mark != Mark::Design, mark != Mark::Design));
        if by >= 0 {
            tiles_by[by as usize] += 1;
            // The recording has the same tile.
            let events = dungeon.recording().events_of(turn);
            let is_laid = |event: &wallcrawler::engine::Event| matches!(event, wallcrawler::engine::Event::Laid { builder, at: laid, .. } if i64::from(builder.0) == by && *laid == at);
            assert!(events.iter().any(is_laid), "{at}");
        }
    }
    for (id, builder) in dungeon.frame().builders().iter().enumerate() {
        let saved = &json["builders"][id];
        assert_eq!(
            (saved["id"].as_u64(), saved["laid"].as_u64()),
            (Some(id as u64), Some(tiles_by[id]))
        );
        assert_eq!(point(&saved["born"]), builder.birth.at);
        assert_eq!(saved["parent"].as_u64(), builder.birth.parent.map(|id| u64::from(id.0)));
    }
    let way: Vec<Point> = json["path"].as_array().unwrap().iter().map(point).collect();
    assert_eq!(way, dungeon.metrics().way);
    assert_eq!(point(&json["entrance"]), way[0]);
    assert_eq!(point(&json["exit"]), way[way.len() - 1]);
    assert_eq!(
        json["figures"]["path"].as_u64(),
        dungeon.metrics().path().map(u64::from)
    );
    assert_eq!(
        json["figures"]["builders"].as_u64(),
        Some(dungeon.frame().builders().len() as u64)
    );
    let doors = json["doors"].as_array().unwrap();
    assert_eq!(doors.len(), dungeon.doors().len());
    for door in doors {
        for at in door["open"].as_array().unwrap() {
            assert!(dungeon.grid().tile(point(at)).is_open());
        }
    }
}

#[test]
fn json_holds_everything() {
    each(|dungeon| {
        let options = ExportOptions {
            sources: vec![("design.toml".to_owned(), "0".repeat(64)).into()],
            ..ExportOptions::default()
        };
        let json: Value = serde_json::from_str(&text(ExportKind::Json, dungeon, &options)).unwrap();
        check_json(dungeon, &json);
        assert_eq!(json["time"]["finished"], true);
        let rooms = dungeon.design().layout.rooms.len();
        assert_eq!(json["rooms"].as_array().unwrap().len(), rooms);
        // Doors of the rooms: 8 + 8 + 3, and 2 of the vault.
        let doors = json["doors"].as_array().unwrap().len();
        assert_eq!(doors, if rooms > 0 { 19 } else { 2 });
        // Halfway through, all values are those of that moment.
        let halfway = DungeonView::new(dungeon.design(), dungeon.recording(), dungeon.turn() / 2);
        let json: Value = serde_json::from_str(&text(ExportKind::Json, &halfway, &options)).unwrap();
        check_json(&halfway, &json);
        assert_eq!(json["time"]["finished"], false);
    });
}

#[test]
fn json_before_the_first_turn_has_the_iteration_in_which_a_sleeper_wakes() {
    let mut design = design(Size::new(50, 50));
    design.layout.rooms.clear();
    design.layout.crawlers.truncate(1);
    design.layout.crawlers[0].delay = 9;
    let design = design.validate(None).design.unwrap();
    let recording = grown(&design);
    let json = |turn| -> Value {
        let dungeon = DungeonView::new(&design, &recording, turn);
        serde_json::from_str(&text(ExportKind::Json, &dungeon, &ExportOptions::default())).unwrap()
    };
    let first = json(0);
    assert_eq!(
        (&first["builders"][0]["wakes"], &first["builders"][0]["state"]),
        (&89.into(), &"awake".into())
    );
    assert_eq!(first["time"]["iteration"], 89);
    assert_eq!(json(1)["time"]["iteration"], 90, "its first turn ends iteration 89");
}

/// Validates with the reference implementation in Python, if it is installed. Of a dungeon that is only checked, one row
/// of squares is enough.
const VALIDATE: &str = "
import json, sys
try:
    from jsonschema import Draft202012Validator as validator
except ImportError:
    sys.exit(77)
schema, depth, *paths = sys.argv[1:]
schema = json.load(open(schema))
validator.check_schema(schema)
for path in paths:
    dungeon = json.load(open(path))
    if depth == 'quick':
        for key in ['tiles', 'generations', 'laid_by', 'laid_in', 'steps']:
            dungeon[key] = dungeon[key][:1]
    validator(schema).validate(dungeon)
    if depth == 'quick':
        continue
    for key, wrong in [('seed', 7), ('version', 2), ('tiles', ['?']), ('path', [[1, 2]]), ('entrance', 3)]:
        broken = dict(dungeon)
        broken[key] = wrong
        assert list(validator(schema).iter_errors(broken)), key
    for key in schema['required']:
        broken = dict(dungeon)
        del broken[key]
        assert list(validator(schema).iter_errors(broken)), key
    assert set(dungeon) == set(schema['properties']), set(dungeon) ^ set(schema['properties'])
    assert set(dungeon['builders'][0]) == set(schema['properties']['builders']['items']['properties'])
    assert set(dungeon['doors'][0]) == set(schema['properties']['doors']['items']['properties'])
";

/// Validates files of a folder that contain JSON exports.
fn validate(folder: &Path, depth: &str, names: &[String]) {
    let schema = folder.join("schema.json");
    std::fs::write(&schema, SCHEMA).unwrap();
    let mut python = Command::new("python3");
    python.args(["-c", VALIDATE]).arg(&schema).arg(depth);
    python.args(names.iter().map(|name| folder.join(name)));
    match python.stdin(Stdio::null()).output() {
        Ok(ran) if ran.status.code() == Some(77) => say("SKIPPED: Python has no package jsonschema"),
        // The Python that was found may not run.
        Ok(ran) if ran.status.code() == Some(127) => say("SKIPPED: Python is not installed"),
        Ok(ran) => assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr)),
        Err(error) => say(&format!("SKIPPED: Python does not run ({error})")),
    }
}

#[test]
fn json_satisfies_its_schema() {
    let schema: Value = serde_json::from_str(SCHEMA).expect("the schema is JSON");
    let required = schema["required"].as_array().unwrap();
    each(|dungeon| {
        let folder = tempfile::tempdir().unwrap();
        let file = text(ExportKind::Json, dungeon, &ExportOptions::default());
        let json: Value = serde_json::from_str(&file).unwrap();
        assert!(required.iter().all(|key| json.get(key.as_str().unwrap()).is_some()));
        std::fs::write(folder.path().join("dungeon.json"), &file).unwrap();
        validate(folder.path(), "thorough", &["dungeon.json".to_owned()]);
    });
}

#[test]
fn json_of_every_preset_satisfies_its_schema() {
    let schema: Value = serde_json::from_str(SCHEMA).unwrap();
    let known = schema["properties"]["builders"]["items"]["properties"]["kind"]["enum"].as_array();
    let folder = tempfile::tempdir().unwrap();
    let mut names = Vec::new();
    let mut kinds = BTreeSet::new();
    for preset in Preset::all() {
        let design = wallcrawler::document::prepare(&preset.design(), None, None)
            .valid
            .unwrap();
        let recording = grown(&design);
        let dungeon = DungeonView::new(&design, &recording, u64::MAX);
        let file = text(ExportKind::Json, &dungeon, &ExportOptions::default());
        let json: Value = serde_json::from_str(&file).unwrap();
        for builder in json["builders"].as_array().unwrap() {
            assert!(known.unwrap().contains(&builder["kind"]), "{}: {builder}", preset.name);
            kinds.insert(builder["kind"].as_str().unwrap().to_owned());
        }
        names.push(format!("{}.json", preset.name));
        std::fs::write(folder.path().join(&names[names.len() - 1]), &file).unwrap();
    }
    assert_eq!(
        kinds.len(),
        known.unwrap().len(),
        "some kinds of Builder are not tested: {kinds:?}"
    );
    validate(folder.path(), "quick", &names);
}
