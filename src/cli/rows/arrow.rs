//! Writes rows as an Arrow IPC stream, which data frame libraries read from a pipe without parsing text.
//!
//! The columns, their types and the metadata of the schema are the same as in a Parquet file. A batch is written as
//! soon as it has a few thousand rows. A smaller batch is written when a dungeon is finished and a fraction of a second
//! has passed since the last batch, even if `--where` leaves that dungeon out. Rows therefore wait only briefly. This
//! needs no timer, since dungeons usually follow each other within milliseconds.

use std::sync::Arc;
use std::time::{Duration, Instant};

use arrow_ipc::writer::StreamWriter;
use arrow_schema::{ArrowError, Schema};

use super::{FileRow, Table};
use crate::rows::{ColumnBatch, record_batch, schema};

/// Maximum number of rows in a batch.
const ROWS: usize = 4096;

/// Time since the last batch after which the next batch is written, however few rows it has.
const BETWEEN: Duration = Duration::from_millis(200);

/// Whether this program can write a valid stream. On 32-bit x86, the library that writes streams aligns numbers of 64
/// bits to 4 bytes, as the system does, but the format and its readers require 8.
pub(super) const IS_AVAILABLE: bool = align_of::<i64>() == 8;

/// An encoder that turns rows into the bytes of an Arrow stream.
pub(super) struct ArrowEncoder {
    table: Table,
    schema: Arc<Schema>,
    /// Writer into memory; [`Self::take`] returns the bytes.
    stream: StreamWriter<Vec<u8>>,
    batch: ColumnBatch,
    written: Instant,
}

impl ArrowEncoder {
    /// Begins a stream, and writes its schema.
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

    /// Adds a row, and writes the batch if it is full or due.
    pub(super) fn add(&mut self, row: &FileRow) -> Result<(), ArrowError> {
        self.batch.push(row.clone());
        if self.batch.len() == ROWS {
            return self.write_batch();
        }
        self.write_if_due()
    }

    /// Writes the waiting rows as a batch if at least [`BETWEEN`] has passed since the last batch.
    pub(super) fn write_if_due(&mut self) -> Result<(), ArrowError> {
        if self.written.elapsed() >= BETWEEN {
            self.write_batch()?;
        }
        Ok(())
    }

    /// Writes the remaining rows and ends the stream.
    pub(super) fn end(&mut self) -> Result<(), ArrowError> {
        self.write_batch()?;
        self.stream.finish()
    }

    /// Returns the bytes that were added to the stream since the last call.
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
