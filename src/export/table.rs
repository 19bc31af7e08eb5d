//! Exports a dungeon as CSV: one line per square.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt::Write as _;

use super::{DungeonView, ExportError, ExportTask, json};
use crate::design::ContentKind;
use crate::geometry::Point;

/// Header line with the names of the columns. A table of a dungeon with named places also has the column `place`.
const HEADER: &str = "x,y,tile,generation,builder,turn,line,feature,steps,monster,items,marker";

/// Start of the header line in every version of the program. A file that begins with it is recognized as a table.
pub(super) const BEGINNING: &str = "x,y,tile,generation,builder,turn,line,feature,steps";

/// Returns a value in CSV notation: in quotation marks if it contains a comma, a quotation mark or a line break.
fn quoted(text: &str) -> Cow<'_, str> {
    if text.contains([',', '"', '\n', '\r']) {
        Cow::Owned(format!("\"{}\"", text.replace('"', "\"\"")))
    } else {
        Cow::Borrowed(text)
    }
}

/// Returns the values of the columns `monster`, `items` and `marker` for a square. The column `marker` also contains
/// shops and portals. Semicolons separate several entries in one column.
fn contents(dungeon: &DungeonView<'_>, at: Point) -> String {
    let (mut monster, mut items, mut markers) = (Vec::new(), Vec::new(), Vec::new());
    for content in dungeon.contents_at(at) {
        match content.kind {
            ContentKind::Monster => monster.push(content.text.clone()),
            ContentKind::Item => items.push(content.text.clone()),
            ContentKind::Shop | ContentKind::Portal | ContentKind::Marker => markers.push(content.to_string()),
        }
    }
    let columns = [monster, items, markers].map(|texts| texts.join("; "));
    columns.map(|column| quoted(&column).into_owned()).join(",")
}

pub(super) fn write(dungeon: &DungeonView<'_>, job: &mut ExportTask<'_>) -> Result<(), ExportError> {
    let mut places: HashMap<Point, Vec<&str>> = HashMap::new();
    for (name, at) in dungeon.places() {
        places.entry(at).or_default().push(name);
    }
    let column = if places.is_empty() { "\n" } else { ",place\n" };
    job.text(&format!("{HEADER}{column}"))?;
    let size = dungeon.size();
    for x in 0..size.x {
        job.at(x as u64, size.x as u64)?;
        let mut lines = String::new();
        for y in 0..size.y {
            let at = Point::new(x, y);
            let laid = dungeon.laid(at);
            let fields = [
                dungeon.generation(at).map(u64::from),
                laid.map(|(id, _)| u64::from(id.0)),
                laid.map(|(_, turn)| turn),
                dungeon.line(at).map(|id| u64::from(id.0)),
            ];
            let fields = fields.map(|field| field.map(|number| number.to_string()).unwrap_or_default());
            let tile = json::tile_name(dungeon.tile(at));
            // Names of features need no quoting, because they contain no commas or quotation marks.
            let feature = dungeon.feature(at).map_or("", |feature| feature.name());
            let steps = dungeon.steps(at).map(|steps| steps.to_string()).unwrap_or_default();
            // Names of places contain no commas or quotation marks either.
            let place = if places.is_empty() {
                String::new()
            } else {
                format!(",{}", places.get(&at).map(|names| names.join("; ")).unwrap_or_default())
            };
            let contents = contents(dungeon, at);
            // Writing to a string cannot fail.
            let _ = writeln!(
                lines,
                "{x},{y},{tile},{},{feature},{steps},{contents}{place}",
                fields.join(",")
            );
        }
        job.text(&lines)?;
    }
    Ok(())
}
