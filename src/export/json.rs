//! Exports a dungeon as JSON with all of its data.
//!
//! [`SCHEMA`] is the published JSON schema, and [`VERSION`] the version number of the format. New fields may be added
//! under the same version number; a change that readers must handle gets a new version number.

use serde_json::{Map, Value, json};

use super::{DoorOf, DungeonView, ExportError, ExportOptions, ExportTask};
use crate::analysis::{self, Cell};
use crate::design::{PlacedVault, VaultContent};
use crate::engine::{BuilderKind, Death, Opening, Tile};
use crate::geometry::Point;
use crate::recording::{BuilderState, FrameBuilder};
use crate::recording_file::{PROGRAM, SourceFile};

/// Version number of the format.
pub const VERSION: u32 = 1;

/// JSON schema of the format.
pub const SCHEMA: &str = include_str!("../../assets/wallcrawler-dungeon-1.schema.json");

/// Returns the name of a tile in exported files.
pub(super) const fn tile_name(tile: Tile) -> &'static str {
    match tile {
        Tile::Open => "open",
        Tile::Guaranteed => "guaranteed",
        Tile::Wall => "wall",
        Tile::HighWall => "high_wall",
        Tile::Column => "column",
    }
}

fn point(at: Point) -> Value {
    json!({"x": at.x, "y": at.y})
}

fn points<'a>(squares: impl IntoIterator<Item = &'a Point>) -> Value {
    squares.into_iter().map(|at| point(*at)).collect()
}

/// Returns the lower-case name of a heading or direction.
fn lower(name: impl std::fmt::Display) -> Value {
    format!("{name}").to_lowercase().into()
}

fn builder(id: usize, shown: &FrameBuilder) -> Value {
    let birth = &shown.birth;
    json!({
        "id": id,
        "parent": birth.parent.map(|parent| parent.0),
        "kind": match birth.kind {
            BuilderKind::Crawler => "crawler",
            BuilderKind::Jumper => "jumper",
            BuilderKind::DoorJumper => "door_jumper",
            BuilderKind::RoomJumper => "room_jumper",
        },
        "generation": birth.generation,
        "born": point(birth.at),
        "forward": lower(birth.forward),
        "direction": birth.direction.map(lower),
        "opening": match birth.opening {
            Opening::Closed => "closed",
            Opening::End => "end",
            Opening::Start => "start",
        },
        "wakes": birth.wakes,
        "at": point(shown.at),
        "state": match shown.state {
            BuilderState::Asleep => "asleep",
            BuilderState::Awake => "awake",
            BuilderState::Dead(Death::Blocked) => "blocked",
            BuilderState::Dead(Death::Aged) => "aged",
            BuilderState::Dead(Death::Joined) => "joined",
        },
        "laid": shown.laid,
    })
}

fn rooms(dungeon: &DungeonView<'_>) -> Value {
    let room = |room: &crate::engine::stage_one::BuiltRoom| {
        let side = 2 * room.width + 1;
        json!({
            "room": room.index,
            "center": point(room.center),
            "at": point(Point::new(room.center.x - room.width, room.center.y - room.width)),
            "size": {"x": side, "y": side},
        })
    };
    dungeon.rooms().iter().map(room).collect()
}

fn vaults(dungeon: &DungeonView<'_>) -> Value {
    let vault = |piece: &PlacedVault| {
        let features = piece.features().filter(|(at, _)| dungeon.feature(*at).is_some());
        let features: Value = features
            .map(|(at, feature)| json!({"x": at.x, "y": at.y, "feature": feature.name()}))
            .collect();
        json!({
            "vault": piece.vault,
            "name": piece.name,
            "at": point(piece.at),
            "size": {"x": piece.size.x, "y": piece.size.y},
            "exits": points(&piece.exits),
            "features": features,
            "contents": contents(piece),
        })
    };
    dungeon.design().placed().iter().map(vault).collect()
}

/// Returns the contents, other than features, of a vault's squares.
fn contents(piece: &PlacedVault) -> Value {
    let content = |content: &VaultContent| {
        let properties = content
            .properties
            .iter()
            .map(|(name, value)| (name.clone(), value.clone().into()));
        json!({
            "x": content.at.x,
            "y": content.at.y,
            "kind": content.kind.name(),
            "text": content.text,
            "properties": properties.collect::<Map<String, Value>>(),
        })
    };
    piece.contents.iter().map(content).collect()
}

fn places(dungeon: &DungeonView<'_>) -> Value {
    let place = |(name, at): (&str, Point)| json!({"name": name, "at": point(at), "steps": dungeon.steps(at)});
    dungeon.places().map(place).collect()
}

fn doors(dungeon: &DungeonView<'_>) -> Value {
    let door = |door: &super::Door| {
        let (room, vault, site, feature) = match door.of {
            DoorOf::Room(room, site) => (Some(room), None, Some(site.to_string()), None),
            DoorOf::Vault(vault, feature) => (None, Some(vault), None, Some(feature.name())),
        };
        let open = door.squares.iter().filter(|at| dungeon.is_open(**at));
        json!({
            "room": room,
            "vault": vault,
            "site": site,
            "feature": feature,
            "shut": door.is_shut(),
            "squares": points(&door.squares),
            "open": points(open),
        })
    };
    dungeon.doors().iter().map(door).collect()
}

/// Returns the metrics of a dungeon as an object with one field per metric.
pub(crate) fn metrics(dungeon: &DungeonView<'_>) -> Value {
    let columns = analysis::columns(dungeon.design());
    let row = analysis::row(dungeon.metrics(), &columns);
    let value = |cell: Cell| match cell {
        Cell::Nothing => Value::Null,
        Cell::Truth(truth) => truth.into(),
        // A number is stored in ten-thousandths. Whole numbers are written without a decimal point.
        Cell::Number(number) if number % 10_000 == 0 => (number / 10_000).into(),
        Cell::Number(number) => (number as f64 / 1e4).into(),
        Cell::Word(word) => word.into(),
    };
    let named = columns
        .into_iter()
        .zip(row)
        .map(|(column, cell)| (column.name, value(cell)));
    Value::Object(named.collect::<Map<_, _>>())
}

/// Writes an array with one row per line. `part` is the index of the array among all such arrays; the reported progress
/// depends on it.
fn write_rows(
    name: &str,
    dungeon: &DungeonView<'_>,
    part: u64,
    job: &mut ExportTask<'_>,
    row: impl Fn(i32) -> String,
) -> Result<(), ExportError> {
    const PARTS: u64 = 5;
    let rows = dungeon.size().x;
    job.format(format_args!("\"{name}\": [\n"))?;
    for x in 0..rows {
        job.at(part * rows as u64 + x as u64, PARTS * rows as u64)?;
        let end = if x + 1 < rows { "," } else { "" };
        job.format(format_args!("{}{end}\n", row(x)))?;
    }
    job.text("],\n")
}

/// Returns a row as a JSON array of numbers, with `none` where `number` returns `None`.
fn numbers(dungeon: &DungeonView<'_>, x: i32, number: impl Fn(Point) -> Option<i64>, none: i64) -> String {
    let columns = dungeon.size().y;
    let row: Vec<String> = (0..columns)
        .map(|y| number(Point::new(x, y)).unwrap_or(none).to_string())
        .collect();
    format!("[{}]", row.join(","))
}

pub(super) fn write(
    dungeon: &DungeonView<'_>,
    options: &ExportOptions,
    job: &mut ExportTask<'_>,
) -> Result<(), ExportError> {
    let (design, clock, size) = (dungeon.design(), dungeon.clock(), dungeon.size());
    let is_finished = dungeon.recording().is_finished() && clock.turn == dungeon.recording().turns();
    let sources = options.sources.iter();
    let sources: Value = sources
        .map(|SourceFile { name, sha256 }| json!({"name": name, "sha256": sha256}))
        .collect();
    let names: Map<String, Value> = Tile::ALL
        .iter()
        .map(|tile| (tile.plain().to_string(), tile_name(*tile).into()))
        .collect();
    let head = [
        ("format", "wallcrawler-dungeon".into()),
        ("version", VERSION.into()),
        ("program", PROGRAM.into()),
        ("name", design.name.clone().into()),
        ("notes", design.notes.clone().into()),
        // A string, because not every JSON reader handles 64-bit integers.
        ("seed", design.seed.to_string().into()),
        ("sources", sources),
        ("size", json!({"x": size.x, "y": size.y})),
        (
            "time",
            json!({
                "turn": clock.turn,
                "iteration": clock.iteration,
                "generation": clock.generation(),
                "finished": is_finished,
            }),
        ),
        ("tile_names", names.into()),
    ];
    job.text("{\n")?;
    for (name, value) in head {
        job.format(format_args!("\"{name}\": {value},\n"))?;
    }
    write_rows("tiles", dungeon, 0, job, |x| {
        let row: String = (0..size.y).map(|y| dungeon.tile(Point::new(x, y)).plain()).collect();
        format!("\"{row}\"")
    })?;
    write_rows("generations", dungeon, 1, job, |x| {
        numbers(dungeon, x, |at| dungeon.generation(at).map(i64::from), -1)
    })?;
    write_rows("laid_by", dungeon, 2, job, |x| {
        numbers(dungeon, x, |at| dungeon.laid(at).map(|(id, _)| i64::from(id.0)), -1)
    })?;
    write_rows("laid_in", dungeon, 3, job, |x| {
        numbers(dungeon, x, |at| dungeon.laid(at).map(|(_, turn)| turn as i64), 0)
    })?;
    write_rows("steps", dungeon, 4, job, |x| {
        numbers(dungeon, x, |at| dungeon.steps(at).map(i64::from), -1)
    })?;
    job.text("\"builders\": [\n")?;
    let builders = dungeon.frame().builders();
    for (id, shown) in builders.iter().enumerate() {
        let end = if id + 1 < builders.len() { "," } else { "" };
        job.format(format_args!("{}{end}\n", builder(id, shown)))?;
    }
    job.text("],\n")?;
    let found = dungeon.metrics();
    let tail = [
        ("rooms", rooms(dungeon)),
        ("vaults", vaults(dungeon)),
        ("doors", doors(dungeon)),
        ("places", places(dungeon)),
        ("entrance", found.entrance.map_or(Value::Null, point)),
        ("exit", found.exit.map_or(Value::Null, point)),
        ("path", points(&found.way)),
    ];
    for (name, value) in tail {
        job.format(format_args!("\"{name}\": {value},\n"))?;
    }
    job.format(format_args!("\"figures\": {}\n}}\n", metrics(dungeon)))
}
