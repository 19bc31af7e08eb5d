//! Exports a dungeon for virtual tabletops as Universal VTT 0.3: walls as closed lines that block sight, doors as
//! portals, and an embedded picture.
//!
//! In the format, x runs to the right and y downwards, both in squares. Every square that is not open blocks sight.
//! Columns are also written as objects, for tabletops that let players see past them; other tabletops read only
//! `line_of_sight`. Open doors are not written as portals, because importers turn a portal that is not closed into a
//! window.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use super::paint::Painting;
use super::{DungeonView, ExportError, ExportOptions, ExportTask, Picture, outlines};
use crate::design::VaultContent;
use crate::engine::Tile;
use crate::geometry::Point;

/// Default side length of a square in pixels. The default is smaller if the picture would exceed [`MOST`].
const SCALE: u32 = 70;

/// Maximum side length of the picture in pixels at the default scale, because tabletops load the picture as a texture.
const MOST: u32 = 8192;

/// Maximum number of wall segments that every tabletop accepts.
const MOST_WALLS: usize = 5000;

/// Returns the outlines of the open squares, which are the lines that block sight, and the outlines of the columns. The
/// outer edge of the map needs no line, because there is nothing beyond it.
fn walls(dungeon: &DungeonView<'_>) -> [Vec<Vec<Point>>; 2] {
    let sight = outlines(dungeon.size(), |at| dungeon.is_open(at));
    let columns = outlines(dungeon.size(), |at| dungeon.tile(at) == Tile::Column);
    [sight, columns]
}

/// Returns a warning if some tabletops may reject the map because it has too many wall segments.
pub(super) fn warning(dungeon: &DungeonView<'_>) -> Option<String> {
    let parts: usize = walls(dungeon).iter().flatten().map(Vec::len).sum();
    (parts > MOST_WALLS).then(|| {
        format!(
            "the map has {parts} straight wall segments, and some virtual tabletops accept at most {MOST_WALLS}; a \
             smaller dungeon, or one with wider rooms and corridors, has fewer of them"
        )
    })
}

/// Returns a point as JSON, in squares. The coordinates of `at` are in units of 1/`parts` of a square.
fn place(at: Point, parts: i32) -> Value {
    let share = |value: i32| match value % parts {
        0 => Value::from(value / parts),
        _ => Value::from(f64::from(value) / f64::from(parts)),
    };
    json!({"x": share(at.y), "y": share(at.x)})
}

/// Returns closed lines as JSON. The first point of each line is repeated at its end.
fn lines(lines: &[Vec<Point>]) -> Value {
    let closed = |line: &Vec<Point>| -> Value { line.iter().chain(line.first()).map(|at| place(*at, 1)).collect() };
    lines.iter().map(closed).collect()
}

fn portals(dungeon: &DungeonView<'_>, options: &ExportOptions) -> Value {
    let mut portals = Vec::new();
    if options.open_doors {
        return portals.into();
    }
    for door in dungeon.doors().iter().filter(|door| door.is_shut()) {
        for run in door.runs(dungeon) {
            let ends = [run.before, run.behind];
            let is_free = run.squares.len() == 1 && ends.iter().any(|at| dungeon.is_open(*at));
            for [from, to] in run.leaves() {
                let middle = Point::new(from.x + to.x, from.y + to.y);
                let rotation = f64::from(to.x - from.x).atan2(f64::from(to.y - from.y));
                portals.push(json!({
                    "position": place(middle, 4),
                    "bounds": [place(from, 2), place(to, 2)],
                    "rotation": rotation,
                    "closed": true,
                    "freestanding": is_free,
                }));
            }
        }
    }
    portals.into()
}

/// Returns a note for each thing in a vault, such as a monster. The position of the note is the centre of the square on
/// which the thing lies. The field `notes` is not part of the format: tabletops ignore it, but scripts can turn its
/// entries into map pins.
fn notes(dungeon: &DungeonView<'_>) -> Vec<Value> {
    let note = |(_, content): (usize, &VaultContent)| {
        let middle = Point::new(2 * content.at.x + 1, 2 * content.at.y + 1);
        json!({"position": place(middle, 2), "kind": content.kind.name(), "text": content.to_string()})
    };
    dungeon.contents().map(note).collect()
}

pub(super) fn write(
    dungeon: &DungeonView<'_>,
    options: &ExportOptions,
    job: &mut ExportTask<'_>,
) -> Result<(), ExportError> {
    let size = dungeon.size();
    let most = MOST / size.x.max(size.y).max(1) as u32;
    let scale = options.scale.unwrap_or(SCALE.min(most.max(1))).max(1);
    let painting = Painting::new(dungeon, options.by, options.ground.unwrap_or_default());
    let mut image = Vec::new();
    // The picture has no caption, because it must show exactly the map.
    let picture = Picture::new(&painting, scale, options.grid, None)?;
    picture.write(
        &dungeon.title(),
        &mut ExportTask {
            out: &mut image,
            watch: &mut *job.watch,
        },
    )?;
    let [sight, objects] = walls(dungeon);
    let resolution = json!({
        "map_origin": {"x": 0, "y": 0},
        "map_size": {"x": size.y, "y": size.x},
        "pixels_per_grid": scale,
    });
    job.format(format_args!("{{\n\"format\": 0.3,\n\"resolution\": {resolution},\n"))?;
    job.format(format_args!("\"line_of_sight\": {},\n", lines(&sight)))?;
    job.format(format_args!("\"objects_line_of_sight\": {},\n", lines(&objects)))?;
    job.format(format_args!("\"portals\": {},\n", portals(dungeon, options)))?;
    let notes = notes(dungeon);
    if !notes.is_empty() {
        job.format(format_args!("\"notes\": {},\n", Value::from(notes)))?;
    }
    job.text("\"environment\": {\"baked_lighting\": false, \"ambient_light\": \"ffffffff\"},\n\"lights\": [],\n")?;
    job.format(format_args!("\"image\": \"{}\"\n}}\n", STANDARD.encode(&image)))
}
