//! The rows of a survey as a Parquet file.
//!
//! A Parquet file has its metadata at the end, so that rows cannot be appended. While a survey runs, its rows are kept
//! as CSV in a file beside it, with `.part` at the end of its name, from which an interrupted run resumes. Once all
//! rows are there, the Parquet file is written atomically and the part file removed. A run over more seeds first copies
//! the rows out of the Parquet file.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use fs_err::File;
use parquet::basic::{LogicalType, Repetition, Type as Physical};
use parquet::column::writer::ColumnWriter;
use parquet::data_type::ByteArray;
use parquet::errors::Result;
use parquet::file::properties::WriterProperties;
use parquet::file::reader::{FileReader as _, SerializedFileReader};
use parquet::file::writer::SerializedFileWriter;
use parquet::record::reader::RowIter;
use parquet::record::{Field, Row};
use parquet::schema::types::Type;

use super::{FIRST, FileRow, LAST, Table};
use crate::analysis::{Cell, CellKind};
use crate::recording_file::PROGRAM_VERSION;
use crate::storage::Draft;

/// Number of rows per row group, the unit that a reader loads at once.
const ROWS_IN_GROUP: usize = 1 << 16;

/// Returns the path of the part file that holds the rows of a Parquet file until all are there.
pub(super) fn part_of(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".part");
    name.into()
}

/// Returns the columns and their types: seeds are unsigned integers, numbers are doubles, truths are booleans, and
/// words are strings. Only varied parameters and metrics may be missing.
fn schema(table: &Table) -> Result<Arc<Type>> {
    let text = |name: &str, repetition: Repetition| {
        Type::primitive_type_builder(name, Physical::BYTE_ARRAY)
            .with_logical_type(Some(LogicalType::String))
            .with_repetition(repetition)
            .build()
    };
    let whole = LogicalType::integer(64, false);
    let seed = Type::primitive_type_builder(FIRST[0], Physical::INT64)
        .with_logical_type(Some(whole))
        .with_repetition(Repetition::REQUIRED)
        .build()?;
    let mut fields = vec![Arc::new(seed), Arc::new(text(FIRST[1], Repetition::REQUIRED)?)];
    for (name, kind) in table.values() {
        let physical = match kind {
            CellKind::Word => {
                fields.push(Arc::new(text(name, Repetition::OPTIONAL)?));
                continue;
            }
            CellKind::Truth => Physical::BOOLEAN,
            CellKind::Whole | CellKind::Number => Physical::DOUBLE,
        };
        let field = Type::primitive_type_builder(name, physical).with_repetition(Repetition::OPTIONAL);
        fields.push(Arc::new(field.build()?));
    }
    fields.push(Arc::new(text(LAST, Repetition::REQUIRED)?));
    Type::group_type_builder("survey")
        .with_fields(fields)
        .build()
        .map(Arc::new)
}

/// Writes the rows to a file atomically. Returns a warning about what could not be preserved of an earlier file.
pub(super) fn write(
    path: &Path,
    table: &Table,
    rows: impl Iterator<Item = std::result::Result<FileRow, String>>,
) -> std::result::Result<Vec<String>, String> {
    let failed = |error: &dyn std::fmt::Display| format!("cannot write {}: {error}", path.display());
    let mut draft = Draft::new(path).map_err(|error| error.to_string())?;
    let properties = Arc::new(
        WriterProperties::builder()
            .set_created_by(format!("wallcrawler version {PROGRAM_VERSION}"))
            .build(),
    );
    let schema = schema(table).map_err(|error| failed(&error))?;
    let mut writer = SerializedFileWriter::new(&mut draft, schema, properties).map_err(|error| failed(&error))?;
    let mut group = Vec::new();
    for row in rows {
        group.push(row?);
        if group.len() == ROWS_IN_GROUP {
            write_group(&mut writer, table, &group).map_err(|error| failed(&error))?;
            group.clear();
        }
    }
    write_group(&mut writer, table, &group).map_err(|error| failed(&error))?;
    writer.close().map_err(|error| failed(&error))?;
    draft.commit().map_err(|error| error.to_string())
}

fn write_group<W: std::io::Write + Send>(
    writer: &mut SerializedFileWriter<W>,
    table: &Table,
    rows: &[FileRow],
) -> Result<()> {
    if rows.is_empty() {
        return Ok(());
    }
    let mut group = writer.next_row_group()?;
    let last = FIRST.len() + table.values().count();
    let mut number = 0;
    let keys: Vec<String> = rows.iter().map(FileRow::anomaly_keys).collect();
    while let Some(mut column) = group.next_column()? {
        let values: Vec<Option<Value<'_>>> = match number {
            0 => rows.iter().map(|row| Some(Value::Seed(row.key.seed))).collect(),
            1 => rows.iter().map(|row| Some(Value::Text(&row.key.design))).collect(),
            _ if number == last => keys.iter().map(|keys| Some(Value::Text(keys))).collect(),
            _ => {
                let own = number - FIRST.len();
                let cell = |row| Value::of(FileRow::values(row).nth(own)?);
                rows.iter().map(cell).collect()
            }
        };
        let may_miss = (FIRST.len()..last).contains(&number);
        write_all(column.untyped(), &values, may_miss)?;
        column.close()?;
        number += 1;
    }
    group.close()?;
    Ok(())
}

/// A value of any column.
#[derive(Debug, Clone, Copy)]
enum Value<'a> {
    Seed(u64),
    Truth(bool),
    Number(f64),
    Text(&'a str),
}

impl<'a> Value<'a> {
    fn of(cell: &'a Cell) -> Option<Self> {
        Some(match cell {
            Cell::Nothing => return None,
            Cell::Truth(truth) => Self::Truth(*truth),
            Cell::Number(number) => Self::Number(*number as f64 / 1e4),
            Cell::Word(word) => Self::Text(word),
        })
    }
}

/// Writes the values of one column; values of another type are skipped.
fn write_all(column: &mut ColumnWriter<'_>, values: &[Option<Value<'_>>], may_miss: bool) -> Result<()> {
    macro_rules! batch {
        ($writer:expr, $($pattern:pat => $made:expr),+) => {{
            let made = values.iter().map(|value| match *value {
                $(Some($pattern) => Some($made),)+
                _ => None,
            });
            let made: Vec<_> = made.collect();
            let levels: Vec<i16> = made.iter().map(|made| i16::from(made.is_some())).collect();
            let values: Vec<_> = made.into_iter().flatten().collect();
            $writer.write_batch(&values, may_miss.then_some(&levels[..]), None)?;
        }};
    }
    match column {
        // Stored in the same bits; the column's type is unsigned.
        ColumnWriter::Int64ColumnWriter(writer) => batch!(writer, Value::Seed(seed) => seed as i64),
        ColumnWriter::BoolColumnWriter(writer) => batch!(writer, Value::Truth(truth) => truth),
        ColumnWriter::DoubleColumnWriter(writer) => batch!(writer, Value::Number(number) => number),
        ColumnWriter::ByteArrayColumnWriter(writer) => batch!(writer, Value::Text(text) => ByteArray::from(text)),
        _ => {}
    }
    Ok(())
}

/// Opens a file and returns its rows.
pub(super) fn read(path: &Path, table: &Table) -> std::result::Result<FileRows, String> {
    let file = File::open(path).map_err(|error| error.to_string())?;
    let refused = |why: &str| refused(path, why);
    let reader = SerializedFileReader::new(file.into_parts().0).map_err(|error| refused(&error.to_string()))?;
    let expected = schema(table).map_err(|error| refused(&error.to_string()))?;
    if reader.metadata().file_metadata().schema() != &*expected {
        return Err(refused("the columns belong to a survey of another design"));
    }
    Ok(FileRows {
        path: path.to_owned(),
        table: table.clone(),
        rows: RowIter::from_file_into(Box::new(reader)),
    })
}

/// Rows of a file, read one by one.
pub(super) struct FileRows {
    path: PathBuf,
    table: Table,
    rows: RowIter<'static>,
}

impl Iterator for FileRows {
    type Item = std::result::Result<FileRow, String>;

    fn next(&mut self) -> Option<Self::Item> {
        let row = self.rows.next()?;
        Some(match row {
            Ok(found) => row_of(&found, &self.table).ok_or_else(|| refused(&self.path, "this is not a survey")),
            Err(error) => Err(refused(&self.path, &error.to_string())),
        })
    }
}

fn refused(path: &Path, why: &str) -> String {
    format!("{}: {why}; pass --fresh to start the file again", path.display())
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
        Field::Double(number) => Some(Cell::Number((number * 1e4).round() as i64)),
        Field::Str(word) => Some(Cell::Word(word.clone())),
        _ => None,
    };
    let Field::ULong(seed) = fields.next()? else {
        return None;
    };
    let design = text(fields.next()?)?;
    let values = fields.by_ref().take(table.values().count());
    let values = values.map(cell).collect::<Option<_>>()?;
    FileRow::from_parts(*seed, design, values, &text(fields.next()?)?, table)
}

#[cfg(test)]
mod tests {
    use parquet::basic::ConvertedType;

    use super::super::tests::{row, table};
    use super::*;

    #[test]
    fn what_is_written_is_read_again_with_its_types() {
        let table = table();
        let lines: Vec<FileRow> = (0..1000).chain([u64::MAX]).map(|seed| row(seed, &table)).collect();
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("all.parquet");
        let all = || read(&path, &table).unwrap().collect::<std::result::Result<Vec<_>, _>>();
        write(&path, &table, lines.iter().cloned().map(Ok)).unwrap();
        assert_eq!(all().unwrap(), lines);
        let mut fewer = table.clone();
        fewer.metrics.remove(0);
        assert!(read(&path, &fewer).err().unwrap().contains("survey of another design"));
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
            ("path", Physical::DOUBLE, ConvertedType::NONE),
            ("room-1", Physical::BYTE_ARRAY, ConvertedType::UTF8),
            ("room-1-severed", Physical::BOOLEAN, ConvertedType::NONE),
            ("vault-1-map", Physical::BYTE_ARRAY, ConvertedType::UTF8),
            ("odd", Physical::BYTE_ARRAY, ConvertedType::UTF8),
        ] {
            assert!(kinds.contains(&wanted), "{wanted:?} in {kinds:?}");
        }
        // An error among the rows leaves the file unchanged.
        assert!(write(&path, &table, [Err("gone".to_owned())].into_iter()).is_err());
        assert_eq!(all().unwrap().len(), 1001);
        std::fs::write(&path, "seed,design").unwrap();
        assert!(read(&path, &table).err().unwrap().contains("--fresh"));
    }
}
