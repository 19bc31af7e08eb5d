//! The rows of a survey as a Parquet file.
//!
//! Rows cannot be appended to a Parquet file, because its metadata is at the end. While a survey runs, its rows are
//! therefore stored as CSV in a part file (the same name with `.part` appended), from which an interrupted run resumes.
//! Once the part file has all rows, the Parquet file is written atomically and the part file is removed. A later run
//! over more seeds first copies the rows of the Parquet file back to a part file.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use fs_err::File;
use parquet::basic::{Compression, Encoding, GzipLevel, LogicalType, Repetition, Type as Physical};
use parquet::data_type::{
    BoolType, ByteArray, ByteArrayType, DataType as PhysicalType, DoubleType, Int32Type, Int64Type,
};
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::reader::{FileReader as _, SerializedFileReader};
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::record::reader::RowIter;
use parquet::record::{Field, Row};
use parquet::schema::types::Type;

use super::super::failure::Failure;
use super::file::other_columns;
use super::{FileRow, RowKey, Table};
use crate::analysis::{Cell, CellKind};
use crate::recording_file::PROGRAM_VERSION;
use crate::rows::{ColumnBatch, FIRST, LAST, ValueColumn};
use crate::storage::Draft;

/// Compression level, from 0 to 9.
const COMPRESSION: u32 = 9;

/// Number of rows per row group; a reader loads one row group at a time.
const ROWS_IN_GROUP: usize = 1 << 16;

/// Returns the path of the part file, which contains the rows of a Parquet file until the survey is complete.
pub(super) fn part_of(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".part");
    name.into()
}

/// Returns the columns and their types: seeds and seed catalogues are unsigned integers, counts are integers, other
/// numbers are doubles, yes/no values are booleans, and text values are strings. Only the values of varied parameters
/// and metrics may be null.
fn schema(table: &Table) -> Result<Arc<Type>> {
    let field = |name: &str, physical: Physical, logical: Option<LogicalType>, repetition: Repetition| {
        let builder = Type::primitive_type_builder(name, physical).with_repetition(repetition);
        builder.with_logical_type(logical).build().map(Arc::new)
    };
    let (required, text) = (Repetition::REQUIRED, Some(LogicalType::String));
    let unsigned = |bits| Some(LogicalType::integer(bits, false));
    let [seed, design, version, catalog] = FIRST;
    let mut fields = vec![
        field(seed, Physical::INT64, unsigned(64), required)?,
        field(design, Physical::BYTE_ARRAY, text.clone(), required)?,
        field(version, Physical::BYTE_ARRAY, text.clone(), required)?,
        field(catalog, Physical::INT32, unsigned(32), required)?,
    ];
    for (name, kind) in table.values() {
        let (physical, logical) = match kind {
            CellKind::Truth => (Physical::BOOLEAN, None),
            CellKind::Whole => (Physical::INT32, None),
            CellKind::Number => (Physical::DOUBLE, None),
            CellKind::Word => (Physical::BYTE_ARRAY, text.clone()),
        };
        fields.push(field(name, physical, logical, Repetition::OPTIONAL)?);
    }
    fields.push(field(LAST, Physical::BYTE_ARRAY, text, required)?);
    Type::group_type_builder("survey")
        .with_fields(fields)
        .build()
        .map(Arc::new)
}

/// Returns the metadata of the file, and the compression and encoding of its columns.
fn properties(table: &Table) -> Result<WriterProperties> {
    let metadata = table.metadata();
    let metadata = metadata
        .into_iter()
        .map(|(key, value)| KeyValue::new(key.to_owned(), value));
    Ok(WriterProperties::builder()
        .set_created_by(format!("wallcrawler version {PROGRAM_VERSION}"))
        .set_key_value_metadata(Some(metadata.collect()))
        .set_compression(Compression::GZIP(GzipLevel::try_new(COMPRESSION)?))
        // Seeds change from row to row, so a dictionary does not help. Most are 1 larger than the seed before, so the
        // column stores their differences, which take little space.
        .set_column_dictionary_enabled(FIRST[0].into(), false)
        .set_column_encoding(FIRST[0].into(), Encoding::DELTA_BINARY_PACKED)
        .build())
}

/// Writes the rows to a file atomically. Returns warnings about properties of the replaced file that could not be
/// preserved.
pub(super) fn write(
    path: &Path,
    table: &Table,
    rows: impl Iterator<Item = std::result::Result<FileRow, Failure>>,
) -> std::result::Result<Vec<String>, Failure> {
    let failed = |error: ParquetError| {
        let path = path.display();
        Failure::unreadable(format_args!("cannot write {path}: {error}"))
    };
    let mut draft = Draft::new(path)?;
    let properties = properties(table).map_err(failed)?;
    let schema = schema(table).map_err(failed)?;
    let writer = SerializedFileWriter::new(&mut draft, schema, Arc::new(properties));
    let mut writer = writer.map_err(failed)?;
    let mut batch = ColumnBatch::new(table);
    for row in rows {
        batch.push(row?);
        if batch.len() == ROWS_IN_GROUP {
            let full = std::mem::replace(&mut batch, ColumnBatch::new(table));
            write_group(&mut writer, full).map_err(failed)?;
        }
    }
    if !batch.is_empty() {
        write_group(&mut writer, batch).map_err(failed)?;
    }
    writer.close().map_err(failed)?;
    Ok(draft.commit()?)
}

fn write_group<W: std::io::Write + Send>(writer: &mut SerializedFileWriter<W>, batch: ColumnBatch) -> Result<()> {
    let mut group = writer.next_row_group()?;
    let bytes = |column: Vec<String>| column.into_iter().map(|text| ByteArray::from(text.into_bytes()));
    // The casts keep the bits; readers see unsigned numbers, because the logical types of these columns are unsigned.
    let seeds: Vec<i64> = batch.seeds.into_iter().map(u64::cast_signed).collect();
    let catalogs: Vec<i32> = batch.catalogs.into_iter().map(u32::cast_signed).collect();
    write_column::<Int64Type, _>(&mut group, &seeds, None)?;
    write_column::<ByteArrayType, _>(&mut group, &bytes(batch.designs).collect::<Vec<_>>(), None)?;
    write_column::<ByteArrayType, _>(&mut group, &bytes(batch.versions).collect::<Vec<_>>(), None)?;
    write_column::<Int32Type, _>(&mut group, &catalogs, None)?;
    for column in batch.values {
        match column {
            ValueColumn::Truth(values) => write_values::<BoolType, _>(&mut group, values)?,
            ValueColumn::Whole(values) => write_values::<Int32Type, _>(&mut group, values)?,
            ValueColumn::Number(values) => write_values::<DoubleType, _>(&mut group, values)?,
            ValueColumn::Word(values) => {
                let values = values.into_iter().map(|word| Some(ByteArray::from(word?.into_bytes())));
                write_values::<ByteArrayType, _>(&mut group, values.collect())?;
            }
        }
    }
    write_column::<ByteArrayType, _>(&mut group, &bytes(batch.anomalies).collect::<Vec<_>>(), None)?;
    group.close()?;
    Ok(())
}

/// Writes the next column of a row group, in which values may be null.
fn write_values<T: PhysicalType, W: std::io::Write + Send>(
    group: &mut SerializedRowGroupWriter<'_, W>,
    values: Vec<Option<T::T>>,
) -> Result<()> {
    let levels: Vec<i16> = values.iter().map(|value| i16::from(value.is_some())).collect();
    let values: Vec<T::T> = values.into_iter().flatten().collect();
    write_column::<T, W>(group, &values, Some(&levels))
}

/// Writes the next column of a row group. `levels` contains 1 for each row with a value and 0 for each null; it is
/// `None` if the column cannot contain nulls.
fn write_column<T: PhysicalType, W: std::io::Write + Send>(
    group: &mut SerializedRowGroupWriter<'_, W>,
    values: &[T::T],
    levels: Option<&[i16]>,
) -> Result<()> {
    let Some(mut column) = group.next_column()? else {
        return Err(ParquetError::General(
            "the rows have more values than the table has columns".into(),
        ));
    };
    column.typed::<T>().write_batch(values, levels, None)?;
    column.close()
}

/// Opens a Parquet file and returns its rows. Fails if its columns are not those of the table.
pub(super) fn read(path: &Path, table: &Table) -> std::result::Result<FileRows, Failure> {
    let file = File::open(path)?;
    let rejection = |why: &str| rejection(path, why);
    let reader = SerializedFileReader::new(file.into_parts().0).map_err(|error| rejection(&error.to_string()))?;
    let expected = schema(table).map_err(|error| rejection(&error.to_string()))?;
    let found = reader.metadata().file_metadata().schema();
    if found != &*expected {
        let names: Vec<String> = found.get_fields().iter().map(|field| field.name().to_owned()).collect();
        return Err(rejection(&other_columns(&names, table)));
    }
    Ok(FileRows {
        path: path.to_owned(),
        table: table.clone(),
        count: reader.metadata().file_metadata().num_rows().unsigned_abs(),
        rows: RowIter::from_file_into(Box::new(reader)),
    })
}

/// An iterator over the rows of a Parquet file.
pub(super) struct FileRows {
    path: PathBuf,
    table: Table,
    count: u64,
    rows: RowIter<'static>,
}

impl FileRows {
    /// Returns the number of rows that the file has according to its metadata.
    pub(super) const fn row_count(&self) -> u64 {
        self.count
    }
}

impl Iterator for FileRows {
    type Item = std::result::Result<FileRow, Failure>;

    fn next(&mut self) -> Option<Self::Item> {
        let row = self.rows.next()?;
        Some(match row {
            Ok(found) => row_of(&found, &self.table).ok_or_else(|| rejection(&self.path, "this is not a survey")),
            Err(error) => Err(rejection(&self.path, &error.to_string())),
        })
    }
}

/// Returns an error that explains why the run cannot resume from a Parquet file.
pub(super) fn rejection(path: &Path, why: &str) -> Failure {
    let path = path.display();
    Failure::unreadable(format_args!("{path}: {why}; pass --fresh to overwrite the file"))
}

fn row_of(row: &Row, table: &Table) -> Option<FileRow> {
    let mut fields = row.get_column_iter().map(|(_, field)| field);
    let text = |field: &Field| match field {
        Field::Str(text) => Some(text.clone()),
        _ => None,
    };
    let cell = |field: &Field| match field {
        Field::Null => Some(Cell::Nothing),
        Field::Bool(truth) => Some(Cell::Truth(*truth)),
        Field::Int(whole) => Some(Cell::Number(i64::from(*whole) * 10_000)),
        Field::Double(number) => Some(Cell::Number((number * 1e4).round() as i64)),
        Field::Str(word) => Some(Cell::Word(word.clone())),
        _ => None,
    };
    let Field::ULong(seed) = fields.next()? else {
        return None;
    };
    let (design, version) = (text(fields.next()?)?, text(fields.next()?)?);
    let Field::UInt(catalog) = fields.next()? else {
        return None;
    };
    let key = RowKey {
        seed: *seed,
        design,
        version,
        catalog: *catalog,
        varied: Vec::new(),
    };
    let values = fields.by_ref().take(table.values().count());
    let values = values.map(cell).collect::<Option<_>>()?;
    FileRow::from_parts(key, values, &text(fields.next()?)?, table)
}

#[cfg(test)]
mod tests {
    use parquet::basic::ConvertedType;

    use super::super::tests::{row, table_with_rooms};
    use super::*;

    #[test]
    fn what_is_written_is_read_again_with_its_types() {
        let (table, fewer) = (table_with_rooms(1), table_with_rooms(0));
        let lines: Vec<FileRow> = (0..1000).chain([u64::MAX]).map(|seed| row(seed, &table)).collect();
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("all.parquet");
        let all = || read(&path, &table).unwrap().collect::<std::result::Result<Vec<_>, _>>();
        write(&path, &table, lines.iter().cloned().map(Ok)).unwrap();
        assert_eq!(all().unwrap(), lines);
        assert!(format!("{:?}", read(&path, &fewer).err()).contains("column `room_1`, which this run"));
        let reader = SerializedFileReader::new(std::fs::File::open(&path).unwrap()).unwrap();
        let schema = reader.metadata().file_metadata().schema().clone();
        let kinds: Vec<(&str, Physical, ConvertedType)> = schema
            .get_fields()
            .iter()
            .map(|field| {
                (
                    field.name(),
                    field.get_physical_type(),
                    field.get_basic_info().converted_type(),
                )
            })
            .collect();
        for wanted in [
            ("seed", Physical::INT64, ConvertedType::UINT_64),
            ("design", Physical::BYTE_ARRAY, ConvertedType::UTF8),
            ("reachable", Physical::BOOLEAN, ConvertedType::NONE),
            ("seed_catalog", Physical::INT32, ConvertedType::UINT_32),
            ("path", Physical::INT32, ConvertedType::NONE),
            ("fill", Physical::DOUBLE, ConvertedType::NONE),
            ("room_1", Physical::BYTE_ARRAY, ConvertedType::UTF8),
            ("room_1_severed", Physical::BOOLEAN, ConvertedType::NONE),
            ("vault_1_map", Physical::BYTE_ARRAY, ConvertedType::UTF8),
            ("anomalies", Physical::BYTE_ARRAY, ConvertedType::UTF8),
        ] {
            assert!(kinds.contains(&wanted), "{wanted:?} in {kinds:?}");
        }
        // An error among the rows leaves the file unchanged.
        assert!(write(&path, &table, [Err(Failure::unreadable("gone"))].into_iter()).is_err());
        assert_eq!(all().unwrap().len(), 1001);
        std::fs::write(&path, "seed,design").unwrap();
        assert!(format!("{:?}", read(&path, &table).err()).contains("--fresh"));
    }
}
