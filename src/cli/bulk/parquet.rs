//! Many dungeons as a Parquet file: each dungeon is a row of the table, and each array is a column. A cell of such a
//! column is a list of values, one for each square of the dungeon, row by row.

use std::io;
use std::sync::Arc;

use parquet::basic::{Compression, GzipLevel, LogicalType, Repetition, Type as Physical};
use parquet::data_type::{ByteArray, ByteArrayType, DataType, Int32Type, Int64Type};
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::types::Type;

use super::super::target::PARQUET_ARRAYS;
use super::{BulkEncoder, BulkRow, BulkTable, Ended, PassOn, Pending};
use crate::recording_file::PROGRAM_VERSION;
use crate::rows::FIRST;

/// Number of squares after which a new row group begins; a reader loads one row group at a time.
const SQUARES_IN_GROUP: u64 = 1 << 21;

/// Compression level, from 0 to 10.
const COMPRESSION: u32 = 6;

/// An encoder that writes the dungeons in row groups.
pub(super) struct ParquetEncoder {
    writer: SerializedFileWriter<Pending>,
    table: BulkTable,
    waiting: Vec<BulkRow>,
}

impl ParquetEncoder {
    /// Creates an encoder that writes a row per dungeon to `out`.
    pub(super) fn new(table: &BulkTable, out: Pending) -> Result<Self> {
        let metadata = [
            ("wallcrawler.design", table.design.clone()),
            ("wallcrawler.version", PROGRAM_VERSION.to_owned()),
            (PARQUET_ARRAYS, table.wanted.names().collect::<Vec<_>>().join(",")),
        ];
        let metadata = metadata.map(|(key, value)| KeyValue::new(key.to_owned(), value));
        let properties = WriterProperties::builder()
            .set_created_by(format!("wallcrawler version {PROGRAM_VERSION}"))
            .set_key_value_metadata(Some(metadata.to_vec()))
            .set_compression(Compression::GZIP(GzipLevel::try_new(COMPRESSION)?))
            .build();
        Ok(Self {
            writer: SerializedFileWriter::new(out, schema(table)?, Arc::new(properties))?,
            table: table.clone(),
            waiting: Vec::new(),
        })
    }

    fn write_group(&mut self) -> Result<()> {
        let rows = std::mem::take(&mut self.waiting);
        let mut group = self.writer.next_row_group()?;
        let text = |text: &str| ByteArray::from(text.as_bytes().to_vec());
        // The casts keep the bits; readers see unsigned numbers, because the logical types of these columns are
        // unsigned.
        let seeds: Vec<i64> = rows.iter().map(|row| row.key.seed.cast_signed()).collect();
        let designs: Vec<ByteArray> = rows.iter().map(|row| text(&row.key.design)).collect();
        let versions: Vec<ByteArray> = rows.iter().map(|row| text(&row.key.version)).collect();
        let catalogs: Vec<i32> = rows.iter().map(|row| row.key.catalog.cast_signed()).collect();
        write_column::<Int64Type>(&mut group, &seeds, None)?;
        write_column::<ByteArrayType>(&mut group, &designs, None)?;
        write_column::<ByteArrayType>(&mut group, &versions, None)?;
        write_column::<Int32Type>(&mut group, &catalogs, None)?;
        let size = self.table.size;
        write_column::<Int32Type>(&mut group, &vec![size.x; rows.len()], None)?;
        write_column::<Int32Type>(&mut group, &vec![size.y; rows.len()], None)?;
        let wanted = self.table.wanted;
        let squares = size.squares() as usize;
        let mut list = |is_wanted: bool, numbers: &dyn Fn(&BulkRow) -> Vec<i32>| -> Result<()> {
            if is_wanted {
                let all: Vec<i32> = rows.iter().flat_map(numbers).collect();
                write_column::<Int32Type>(&mut group, &all, Some(squares))?;
            }
            Ok(())
        };
        list(wanted.tiles, &|row| {
            row.arrays.tiles.iter().map(|&n| n.into()).collect()
        })?;
        list(wanted.generations, &|row| {
            row.arrays.generations.iter().map(|&n| n.into()).collect()
        })?;
        list(wanted.turn_laid, &|row| {
            row.arrays.turn_laid.iter().map(|n| n.cast_signed()).collect()
        })?;
        list(wanted.steps, &|row| row.arrays.steps.clone())?;
        group.close()?;
        Ok(())
    }
}

impl BulkEncoder for ParquetEncoder {
    fn add(&mut self, row: BulkRow) -> io::Result<()> {
        self.waiting.push(row);
        if self.waiting.len() as u64 * self.table.size.squares() >= SQUARES_IN_GROUP {
            self.write_group()?;
        }
        Ok(())
    }

    fn end(mut self: Box<Self>, _: &mut PassOn<'_>) -> Result<(), Ended> {
        if !self.waiting.is_empty() {
            self.write_group().map_err(io::Error::from)?;
        }
        self.writer.close().map_err(io::Error::from)?;
        Ok(())
    }
}

/// Returns the columns of the table: the seed, design and versions that reproduce a dungeon, the size of the dungeon,
/// and its arrays.
fn schema(table: &BulkTable) -> Result<Arc<Type>> {
    let field = |name: &str, physical: Physical, logical: Option<LogicalType>| {
        let builder = Type::primitive_type_builder(name, physical).with_repetition(Repetition::REQUIRED);
        builder.with_logical_type(logical).build().map(Arc::new)
    };
    let integer = |bits, is_signed| Some(LogicalType::integer(bits, is_signed));
    let list = |name: &str, of: Option<LogicalType>| {
        let element = field("element", Physical::INT32, of)?;
        let elements = Type::group_type_builder("list")
            .with_repetition(Repetition::REPEATED)
            .with_fields(vec![element])
            .build()?;
        Type::group_type_builder(name)
            .with_repetition(Repetition::REQUIRED)
            .with_logical_type(Some(LogicalType::List))
            .with_fields(vec![Arc::new(elements)])
            .build()
            .map(Arc::new)
    };
    let [seed, design, version, catalog] = FIRST;
    let text = Some(LogicalType::String);
    let mut fields = vec![
        field(seed, Physical::INT64, integer(64, false))?,
        field(design, Physical::BYTE_ARRAY, text.clone())?,
        field(version, Physical::BYTE_ARRAY, text)?,
        field(catalog, Physical::INT32, integer(32, false))?,
        field("rows", Physical::INT32, None)?,
        field("columns", Physical::INT32, None)?,
    ];
    let wanted = table.wanted;
    let lists = [
        (wanted.tiles, "tiles", integer(8, false)),
        (wanted.generations, "generations", integer(16, true)),
        (wanted.turn_laid, "turn_laid", integer(32, false)),
        (wanted.steps, "steps", None),
    ];
    for (is_wanted, name, of) in lists {
        if is_wanted {
            fields.push(list(name, of)?);
        }
    }
    let schema = Type::group_type_builder("dungeons").with_fields(fields);
    schema.build().map(Arc::new)
}

/// Writes the next column of a row group. With a `length`, each row contains a list of that many values; otherwise,
/// each row contains one value.
fn write_column<T: DataType>(
    group: &mut SerializedRowGroupWriter<'_, Pending>,
    values: &[T::T],
    length: Option<usize>,
) -> Result<()> {
    let Some(mut column) = group.next_column()? else {
        return Err(ParquetError::General(
            "the table has fewer columns than a row has values".into(),
        ));
    };
    match length {
        None => column.typed::<T>().write_batch(values, None, None)?,
        Some(length) => {
            // Every list has elements (definition level 1); the first element of each begins a new row (repetition
            // level 0).
            let defined = vec![1; values.len()];
            let repeated: Vec<i16> = (0..values.len()).map(|i| i16::from(i % length != 0)).collect();
            column
                .typed::<T>()
                .write_batch(values, Some(&defined), Some(&repeated))?
        }
    };
    column.close()
}
