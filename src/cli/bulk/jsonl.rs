//! Many dungeons as JSON lines: one object per dungeon, in which each array is a list of rows.

use std::io::{self, Write as _};

use serde::Serialize;
use serde_json::{Value, json};

use super::{BulkEncoder, BulkRow, BulkTable, Ended, PassOn, Pending};
use crate::engine::Tile;

/// An encoder that writes each dungeon as a line.
pub(super) struct JsonlEncoder {
    table: BulkTable,
    out: Pending,
}

impl JsonlEncoder {
    /// Creates an encoder that writes a line per dungeon to `out`.
    pub(super) fn new(table: &BulkTable, out: Pending) -> Self {
        let table = table.clone();
        Self { table, out }
    }

    /// Returns an array, which has one number per square, as a list of rows.
    fn rows<T: Serialize>(&self, squares: &[T]) -> Value {
        let columns = self.table.size.y.max(1) as usize;
        squares.chunks(columns).map(|row| json!(row)).collect()
    }
}

impl BulkEncoder for JsonlEncoder {
    fn add(&mut self, row: BulkRow) -> io::Result<()> {
        let BulkRow { key, arrays } = row;
        // Each tile is one character, as in the text export.
        let tiles: Vec<char> = arrays
            .tiles
            .iter()
            .map(|tile| Tile::ALL[*tile as usize].plain())
            .collect();
        let columns = self.table.size.y.max(1) as usize;
        let tiles: Vec<String> = tiles.chunks(columns).map(|row| row.iter().collect()).collect();
        let mut fields = vec![
            ("seed", json!(key.seed)),
            ("design", json!(key.design)),
            ("version", json!(key.version)),
            ("seed_catalog", json!(key.catalog)),
            ("rows", json!(self.table.size.x)),
            ("columns", json!(self.table.size.y)),
        ];
        let wanted = self.table.wanted;
        let optional = [
            (wanted.tiles, "tiles", json!(tiles)),
            (wanted.generations, "generations", self.rows(&arrays.generations)),
            (wanted.turn_laid, "turn_laid", self.rows(&arrays.turn_laid)),
            (wanted.steps, "steps", self.rows(&arrays.steps)),
        ];
        let optional = optional.into_iter().filter(|(is_wanted, ..)| *is_wanted);
        fields.extend(optional.map(|(_, name, value)| (name, value)));
        // Write the object by hand: serde_json's map would sort the names.
        let fields: Vec<String> = fields
            .iter()
            .map(|(name, value)| format!("\"{name}\":{value}"))
            .collect();
        writeln!(self.out, "{{{}}}", fields.join(","))
    }

    fn end(self: Box<Self>, _: &mut PassOn<'_>) -> Result<(), Ended> {
        Ok(())
    }
}
