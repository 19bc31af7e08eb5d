//! Exports a dungeon as CSV: one line per square.

use std::fmt::Write as _;

use super::{DungeonView, ExportError, ExportTask, json};
use crate::geometry::Point;

/// Header line with the names of the columns.
pub(super) const HEADER: &str = "x,y,tile,generation,builder,turn,line,feature,steps\n";

pub(super) fn write(dungeon: &DungeonView<'_>, job: &mut ExportTask<'_>) -> Result<(), ExportError> {
    job.text(HEADER)?;
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
            // No feature name needs quoting: none has a comma or a quotation mark.
            let feature = dungeon.feature(at).map_or("", |feature| feature.name());
            let steps = dungeon.steps(at).map(|steps| steps.to_string()).unwrap_or_default();
            // Writing to a string cannot fail.
            let _ = writeln!(lines, "{x},{y},{tile},{},{feature},{steps}", fields.join(","));
        }
        job.text(&lines)?;
    }
    Ok(())
}
