//! A dungeon for virtual tabletops, as Universal VTT 0.3: walls as closed lines of sight, doors as portals, the picture
//! within.
//!
//! The format's x goes across and its y down, in squares. All that is not open ends the sight. Columns are objects as
//! well, for tables that let one see past those; others read `line_of_sight` alone. An open door is no portal:
//! importers make a window of a portal that is not closed.

use serde_json::{Value, json};

use super::paint::Painting;
use super::{DungeonView, ExportError, ExportOptions, ExportTask, Picture, outlines};
use crate::engine::Tile;
use crate::geometry::Point;

/// Pixels along a square's side, where nothing is said, and where the picture does not get too large by it.
const SCALE: u32 = 70;

/// The most pixels along a side of the picture, where nothing is said: tables hand it to a graphics card.
const MOST: u32 = 8192;

/// The most parts of walls that every tabletop takes.
const MOST_WALLS: usize = 5000;

/// Returns the lines around what ends the sight, and around columns. The border of the map, beyond which nothing is,
/// needs no line.
fn walls(dungeon: &DungeonView<'_>) -> [Vec<Vec<Point>>; 2] {
    let sight = outlines(dungeon.size(), |at| dungeon.is_open(at));
    let columns = outlines(dungeon.size(), |at| dungeon.tile(at) == Tile::Column);
    [sight, columns]
}

/// What there is to be told about the map of a dungeon: that some tabletops may refuse it.
pub(super) fn warning(dungeon: &DungeonView<'_>) -> Option<String> {
    let parts: usize = walls(dungeon).iter().flatten().map(Vec::len).sum();
    (parts > MOST_WALLS).then(|| {
        format!(
            "the map has {parts} straight parts of walls, and some virtual tabletops take {MOST_WALLS} at most; a smaller \
             dungeon, or one with wider rooms and corridors, has less of them"
        )
    })
}

/// Six bits of each three bytes become a letter.
fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for group in bytes.chunks(3) {
        let byte = |i: usize| u32::from(group.get(i).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for i in 0..4 {
            if i > group.len() {
                text.push('=');
            } else {
                text.push(char::from(LETTERS[(bits >> (18 - 6 * i)) as usize & 63]));
            }
        }
    }
    text
}

/// A corner of squares, or a point given in parts of one.
fn place(at: Point, parts: i32) -> Value {
    let share = |value: i32| match value % parts {
        0 => Value::from(value / parts),
        _ => Value::from(f64::from(value) / f64::from(parts)),
    };
    json!({"x": share(at.y), "y": share(at.x)})
}

/// Closed lines: the first point comes again.
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
    // The picture must be the map and nothing else.
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
    job.text("\"environment\": {\"baked_lighting\": false, \"ambient_light\": \"ffffffff\"},\n\"lights\": [],\n")?;
    job.format(format_args!("\"image\": \"{}\"\n}}\n", base64(&image)))
}

#[cfg(test)]
mod tests {
    use super::*;

    // The examples of RFC 4648.
    #[test]
    fn three_bytes_are_four_letters() {
        let pairs = ["", "f", "fo", "foo", "foob", "fooba", "foobar"].map(|text| base64(text.as_bytes()));
        assert_eq!(pairs, ["", "Zg==", "Zm8=", "Zm9v", "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy"]);
    }
}
