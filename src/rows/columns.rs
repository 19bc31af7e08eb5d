//! Converts rows to typed columns, as Parquet and Arrow store them.

use super::{FileRow, RowKey, Table};
use crate::analysis::{Cell, CellKind};

/// A batch of consecutive rows, stored as columns of the same length.
#[derive(Debug, Default)]
pub struct ColumnBatch {
    pub seeds: Vec<u64>,
    pub designs: Vec<String>,
    pub versions: Vec<String>,
    pub catalogs: Vec<u32>,
    /// Columns of the varied parameters, then of the metrics.
    pub values: Vec<ValueColumn>,
    /// For each row, the keys of the dungeon's anomalies, separated by spaces.
    pub anomalies: Vec<String>,
}

/// The column of a varied parameter or a metric. A missing value is `None`.
#[derive(Debug)]
pub enum ValueColumn {
    Truth(Vec<Option<bool>>),
    Whole(Vec<Option<i32>>),
    Number(Vec<Option<f64>>),
    Word(Vec<Option<String>>),
}

impl ColumnBatch {
    /// Creates the columns of a table, without rows.
    pub fn new(table: &Table) -> Self {
        let column = |(_, kind)| match kind {
            CellKind::Truth => ValueColumn::Truth(Vec::new()),
            CellKind::Whole => ValueColumn::Whole(Vec::new()),
            CellKind::Number => ValueColumn::Number(Vec::new()),
            CellKind::Word => ValueColumn::Word(Vec::new()),
        };
        Self {
            values: table.values().map(column).collect(),
            ..Self::default()
        }
    }

    /// Returns the number of rows.
    pub const fn len(&self) -> usize {
        self.seeds.len()
    }

    /// Returns whether the batch has no rows.
    pub const fn is_empty(&self) -> bool {
        self.seeds.is_empty()
    }

    /// Adds a row. A value whose kind differs from the kind of its column is stored as missing.
    pub fn push(&mut self, row: FileRow) {
        self.anomalies.push(row.anomaly_keys());
        let RowKey {
            seed,
            design,
            version,
            catalog,
            varied,
        } = row.key;
        self.seeds.push(seed);
        self.designs.push(design);
        self.versions.push(version);
        self.catalogs.push(catalog);
        for (column, cell) in self.values.iter_mut().zip(varied.into_iter().chain(row.cells)) {
            column.push(cell);
        }
    }
}

impl ValueColumn {
    fn push(&mut self, cell: Cell) {
        match (self, cell) {
            (Self::Truth(column), Cell::Truth(truth)) => column.push(Some(truth)),
            // Cells store numbers in ten-thousandths. Every count and every parameter fits in an `i32`.
            (Self::Whole(column), Cell::Number(number)) => column.push((number / 10_000).try_into().ok()),
            (Self::Number(column), Cell::Number(number)) => column.push(Some(number as f64 / 1e4)),
            (Self::Word(column), Cell::Word(word)) => column.push(Some(word)),
            (Self::Truth(column), _) => column.push(None),
            (Self::Whole(column), _) => column.push(None),
            (Self::Number(column), _) => column.push(None),
            (Self::Word(column), _) => column.push(None),
        }
    }
}
