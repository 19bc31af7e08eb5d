//! Rows as an Arrow IPC stream, which data frames read from a pipe without parsing text.
//!
//! The columns and their types are those of the Parquet file, and the schema has the same metadata. A batch is written
//! once it has a few thousand rows, or when a dungeon is finished a fraction of a second after the last batch, even if
//! that dungeon has no row. So a row is not delayed until others follow. No timer is needed, since dungeons follow each
//! other within milliseconds.

use std::sync::Arc;
use std::time::{Duration, Instant};

use arrow_ipc::writer::StreamWriter;
use arrow_schema::{ArrowError, Schema};

use super::{FileRow, Table};
use crate::rows::{ColumnBatch, record_batch, schema};

/// Maximum number of rows of a batch.
const ROWS: usize = 4096;

/// Time after which a batch is written with the rows that it has.
const BETWEEN: Duration = Duration::from_millis(200);

/// An encoder of rows into the bytes of a stream.
pub(super) struct ArrowEncoder {
    table: Table,
    schema: Arc<Schema>,
    /// Writer into memory; [`Self::take`] returns the bytes.
    stream: StreamWriter<Vec<u8>>,
    batch: ColumnBatch,
    written: Instant,
}

impl ArrowEncoder {
    /// Begins a stream with its schema.
    pub(super) fn new(table: &Table) -> Result<Self, ArrowError> {
        let schema = Arc::new(schema(table));
        Ok(Self {
            stream: StreamWriter::try_new(Vec::new(), &schema)?,
            schema,
            batch: ColumnBatch::new(table),
            table: table.clone(),
            written: Instant::now(),
        })
    }

    /// Adds a row.
    pub(super) fn add(&mut self, row: &FileRow) -> Result<(), ArrowError> {
        self.batch.push(row.clone());
        if self.batch.len() == ROWS {
            return self.write_batch();
        }
        self.write_if_due()
    }

    /// Writes the rows that have waited for a fraction of a second.
    pub(super) fn write_if_due(&mut self) -> Result<(), ArrowError> {
        if self.written.elapsed() >= BETWEEN {
            self.write_batch()?;
        }
        Ok(())
    }

    /// Ends the stream after the remaining rows.
    pub(super) fn end(&mut self) -> Result<(), ArrowError> {
        self.write_batch()?;
        self.stream.finish()
    }

    /// Returns the bytes of the stream since the last call.
    pub(super) fn take(&mut self) -> Vec<u8> {
        std::mem::take(self.stream.get_mut())
    }

    fn write_batch(&mut self) -> Result<(), ArrowError> {
        self.written = Instant::now();
        if self.batch.is_empty() {
            return Ok(());
        }
        let batch = std::mem::replace(&mut self.batch, ColumnBatch::new(&self.table));
        self.stream.write(&record_batch(self.schema.clone(), batch)?)
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{row, table_with_rooms};
    use super::*;

    #[test]
    fn a_row_that_no_other_follows_is_written_after_a_while() {
        let table = table_with_rooms(1);
        let mut encoder = ArrowEncoder::new(&table).unwrap();
        encoder.take();
        encoder.add(&row(1, &table)).unwrap();
        assert!(encoder.take().is_empty());
        encoder.written -= BETWEEN;
        encoder.write_if_due().unwrap();
        assert!(!encoder.take().is_empty());
        encoder.written -= BETWEEN;
        encoder.write_if_due().unwrap();
        assert!(encoder.take().is_empty(), "a batch without rows");
    }
}
