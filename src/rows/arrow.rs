//! Converts rows to Arrow arrays. The columns, their types and the metadata are the same as in Parquet files.

use std::collections::HashMap;
use std::sync::Arc;

use arrow_array::{
    ArrayRef, BooleanArray, Float64Array, Int32Array, RecordBatch, StringArray, UInt32Array, UInt64Array,
};
use arrow_schema::{ArrowError, DataType, Field, Schema};

use super::columns::{ColumnBatch, ValueColumn};
use super::{FIRST, LAST, Table};
use crate::analysis::CellKind;

/// Returns the Arrow schema of a table: its columns with their types, and its metadata.
pub fn schema(table: &Table) -> Schema {
    let types = [DataType::UInt64, DataType::Utf8, DataType::Utf8, DataType::UInt32];
    let first = FIRST.into_iter().zip(types);
    let first = first.map(|(name, of)| Field::new(name, of, false));
    let values = table.values().map(|(name, kind)| {
        let of = match kind {
            CellKind::Truth => DataType::Boolean,
            CellKind::Whole => DataType::Int32,
            CellKind::Number => DataType::Float64,
            CellKind::Word => DataType::Utf8,
        };
        Field::new(name, of, true)
    });
    let last = Field::new(LAST, DataType::Utf8, false);
    let fields: Vec<Field> = first.chain(values).chain([last]).collect();
    let metadata = table.metadata().into_iter().map(|(key, value)| (key.to_owned(), value));
    Schema::new_with_metadata(fields, metadata.collect::<HashMap<_, _>>())
}

/// Converts a batch of rows to an Arrow record batch. `schema` must be the [`schema()`] of the table that the rows
/// belong to.
///
/// # Errors
///
/// Fails if the rows belong to a table with a different schema.
pub fn record_batch(schema: Arc<Schema>, batch: ColumnBatch) -> Result<RecordBatch, ArrowError> {
    RecordBatch::try_new(schema, arrays(batch))
}

fn arrays(batch: ColumnBatch) -> Vec<ArrayRef> {
    let text = |column: Vec<String>| Arc::new(StringArray::from(column)) as ArrayRef;
    let values = batch.values.into_iter().map(|column| match column {
        ValueColumn::Truth(column) => Arc::new(BooleanArray::from(column)) as ArrayRef,
        ValueColumn::Whole(column) => Arc::new(Int32Array::from(column)),
        ValueColumn::Number(column) => Arc::new(Float64Array::from(column)),
        ValueColumn::Word(column) => Arc::new(StringArray::from(column)),
    });
    let first = [
        Arc::new(UInt64Array::from(batch.seeds)) as ArrayRef,
        text(batch.designs),
        text(batch.versions),
        Arc::new(UInt32Array::from(batch.catalogs)),
    ];
    first.into_iter().chain(values).chain([text(batch.anomalies)]).collect()
}
