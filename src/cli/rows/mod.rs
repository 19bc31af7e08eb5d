//! Tables of dungeons: one row for each dungeon that a command grows, as CSV, JSON lines, Parquet or an Arrow stream.
//!
//! [`crate::rows`] defines the columns and the rows.
//!
//! A command that writes rows
//!
//! 1. flattens [`RowArgs`] into its arguments, which determine the file, its format and whether the run is resumed;
//! 2. describes its columns with a [`Table`], and the order of its rows with a function that maps the number of a row
//!    to a [`RowKey`];
//! 3. opens a [`RowWriter`], which passes to a callback each row that an earlier run left in the file, so that the
//!    command has to grow only the dungeons after these rows;
//! 4. adds the new rows in order, and ends the writer.
//!
//! `text.rs` formats rows as lines, `file.rs` appends lines to a file, `parquet.rs` and `arrow.rs` write rows as
//! columns, and `writer.rs` selects one of these according to the arguments.

mod arrow;
mod file;
mod parquet;
mod text;
mod writer;

pub(super) use self::text::joined;
pub(super) use self::writer::{RowArgs, RowWriter};
pub(super) use crate::rows::{FileRow, RowKey, Table, VariedColumn};

use crate::document::SeededDesign;
use crate::engine::Options;
use crate::rows;

/// Returns the digest of a design and the sources of its vaults; see [`rows::digest`].
pub(super) fn digest(seeded: &SeededDesign, options: Options) -> String {
    rows::digest(seeded.design(), options, seeded.vault_sources())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::{Cell, CellKind};
    use crate::design::{Design, Room, VaultEntry};

    /// Returns a table for a design with this number of rooms and a vault, with a varied parameter of each kind.
    pub(super) fn table_with_rooms(rooms: usize) -> Table {
        let mut design = Design::default();
        design.layout.rooms = vec![Room::default(); rooms];
        design.layout.vaults.push(VaultEntry::default());
        let kinds = [CellKind::Truth, CellKind::Whole, CellKind::Number, CellKind::Word];
        let varied = kinds.into_iter().map(|kind| VariedColumn {
            name: format!("a {kind:?}, varied"),
            kind,
        });
        Table::new(&design, varied.collect())
    }

    /// Returns a row with values of the right kinds, a fifth of which are missing.
    pub(super) fn row(seed: u64, table: &Table) -> FileRow {
        let value = |(i, (_, kind)): (u64, (&str, CellKind))| match kind {
            _ if seed.wrapping_add(i).is_multiple_of(5) => Cell::Nothing,
            CellKind::Word => Cell::Word(format!("it, said \"he\" {seed}")),
            CellKind::Truth => Cell::Truth(seed.is_multiple_of(2)),
            CellKind::Whole => Cell::Number((i as i64 - 3) * 10_000),
            CellKind::Number => Cell::Number(i as i64 * 12_345 - 30_000),
        };
        let values = (0..).zip(table.values()).map(value).collect();
        let anomalies = if seed.is_multiple_of(3) {
            ""
        } else {
            "enclosed room-1-unreached"
        };
        let key = RowKey::new(seed, "0123456789abcdef", Vec::new());
        FileRow::from_parts(key, values, anomalies, table).unwrap()
    }
}
