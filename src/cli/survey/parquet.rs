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
use parquet::record::{Field, Row};
use parquet::schema::types::Type;

use super::super::rows::{FIRST, FileRow, LAST};
use crate::analysis::{Cell, Column};
use crate::recording_file::PROGRAM_VERSION;
use crate::storage::Draft;

/// Number of rows per row group, the unit that a reader loads at once.
const ROWS_IN_GROUP: usize = 1 << 16;

/// Returns the path of the part file that holds the rows of a Parquet file until all are there.
pub(super) fn part_of(path: &Path) -> PathBuf {
    beside(path, ".part")
}

fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    name.into()
}

/// Returns the columns and their types: seeds are unsigned integers, metrics are doubles, truths are booleans, and
/// words are strings. Only the metrics of a design may be missing.
fn schema(columns: &[Column]) -> Result<Arc<Type>> {
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
    for column in columns {
        let kind = match column {
            _ if column.is_word() => {
                fields.push(Arc::new(text(&column.name, Repetition::OPTIONAL)?));
                continue;
            }
            _ if column.is_truth() => Physical::BOOLEAN,
            _ => Physical::DOUBLE,
        };
        let field = Type::primitive_type_builder(&column.name, kind).with_repetition(Repetition::OPTIONAL);
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
    columns: &[Column],
    rows: impl Iterator<Item = std::result::Result<FileRow, String>>,
) -> std::result::Result<Vec<String>, String> {
    let failed = |error: &dyn std::fmt::Display| format!("cannot write {}: {error}", path.display());
    let mut draft = Draft::new(path).map_err(|error| error.to_string())?;
    let properties = Arc::new(
        WriterProperties::builder()
            .set_created_by(format!("wallcrawler version {PROGRAM_VERSION}"))
            .build(),
    );
    let schema = schema(columns).map_err(|error| failed(&error))?;
    let mut writer = SerializedFileWriter::new(&mut draft, schema, properties).map_err(|error| failed(&error))?;
    let mut group = Vec::new();
    for row in rows {
        group.push(row?);
        if group.len() == ROWS_IN_GROUP {
            write_group(&mut writer, columns.len(), &group).map_err(|error| failed(&error))?;
            group.clear();
        }
    }
    write_group(&mut writer, columns.len(), &group).map_err(|error| failed(&error))?;
    writer.close().map_err(|error| failed(&error))?;
    draft.commit().map_err(|error| error.to_string())
}

fn write_group<W: std::io::Write + Send>(
    writer: &mut SerializedFileWriter<W>,
    columns: usize,
    rows: &[FileRow],
) -> Result<()> {
    if rows.is_empty() {
        return Ok(());
    }
    let mut group = writer.next_row_group()?;
    let last = FIRST.len() + columns;
    let mut number = 0;
    while let Some(mut column) = group.next_column()? {
        match number {
            0 => write_all(column.untyped(), rows, |line| Some(Value::Seed(line.seed)), false)?,
            1 => write_all(column.untyped(), rows, |line| Some(Value::Text(&line.design)), false)?,
            _ if number == last => write_all(column.untyped(), rows, |line| Some(Value::Text(&line.odd)), false)?,
            _ => {
                let own = number - FIRST.len();
                write_all(column.untyped(), rows, |line| Value::of(line.cells.get(own)?), true)?;
            }
        }
        column.close()?;
        number += 1;
    }
    group.close()?;
    Ok(())
}

/// A value of any column.
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

/// Writes the values of one column for all rows; values of another type are skipped.
fn write_all<'a>(
    column: &mut ColumnWriter<'_>,
    rows: &'a [FileRow],
    value: impl Fn(&'a FileRow) -> Option<Value<'a>>,
    may_miss: bool,
) -> Result<()> {
    macro_rules! batch {
        ($writer:expr, $($pattern:pat => $made:expr),+) => {{
            let made = rows.iter().map(|line| match value(line) {
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

/// Reads the rows of a file; `None` if the file does not exist.
pub(super) fn read(path: &Path, columns: &[Column]) -> std::result::Result<Option<Vec<FileRow>>, String> {
    let refused = |why: &str| format!("{}: {why}; pass --fresh to start the file again", path.display());
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error.to_string()),
    };
    let reader = SerializedFileReader::new(file.into_parts().0).map_err(|error| refused(&error.to_string()))?;
    let expected = schema(columns).map_err(|error| refused(&error.to_string()))?;
    if reader.metadata().file_metadata().schema() != &*expected {
        return Err(refused("the columns belong to a survey of another design"));
    }
    let rows = reader.get_row_iter(None).map_err(|error| refused(&error.to_string()))?;
    let mut lines = Vec::new();
    for row in rows {
        let row = row.map_err(|error| refused(&error.to_string()))?;
        lines.push(line(&row).ok_or_else(|| refused("this is not a survey"))?);
    }
    Ok(Some(lines))
}

fn line(row: &Row) -> Option<FileRow> {
    let mut fields: Vec<&Field> = row.get_column_iter().map(|(_, field)| field).collect();
    let text = |field: &Field| match field {
        Field::Str(text) => Some(text.clone()),
        _ => None,
    };
    let odd = text(fields.pop()?)?;
    let seed = match fields.first()? {
        Field::ULong(seed) => *seed,
        _ => return None,
    };
    let design = text(fields.get(1)?)?;
    let cell = |field: &&Field| match field {
        Field::Null => Some(Cell::Nothing),
        Field::Bool(truth) => Some(Cell::Truth(*truth)),
        Field::Double(number) => Some(Cell::Number((number * 1e4).round() as i64)),
        Field::Str(word) => Some(Cell::Word(word.clone())),
        _ => None,
    };
    Some(FileRow {
        seed,
        design,
        cells: fields[FIRST.len()..].iter().map(cell).collect::<Option<_>>()?,
        odd,
    })
}

#[cfg(test)]
mod tests {
    use parquet::basic::ConvertedType;

    use super::*;
    use crate::analysis::columns;
    use crate::design::{Design, Room, VaultEntry};

    #[test]
    fn what_is_written_is_read_again_with_its_types() {
        let mut design = Design::default();
        design.layout.rooms.push(Room::default());
        design.layout.vaults.push(VaultEntry::default());
        let columns = columns(&design);
        let cells = |seed: u64| {
            columns
                .iter()
                .zip(0_u64..)
                .map(move |(column, i)| match seed.wrapping_add(i) % 5 {
                    0 => Cell::Nothing,
                    _ if column.is_word() => Cell::Word(format!("it, said \"he\" {seed}")),
                    _ if column.is_truth() => Cell::Truth(seed.is_multiple_of(2)),
                    _ => Cell::Number(i as i64 * 12_345 - 30_000),
                })
        };
        let lines: Vec<FileRow> = (0..1000)
            .chain([u64::MAX])
            .map(|seed| FileRow {
                seed,
                design: "0123456789abcdef".into(),
                cells: cells(seed).collect(),
                odd: if seed.is_multiple_of(3) {
                    String::new()
                } else {
                    "enclosed room-1-unreached".into()
                },
            })
            .collect();
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("all.parquet");
        assert_eq!(read(&path, &columns), Ok(None));
        write(&path, &columns, lines.iter().cloned().map(Ok)).unwrap();
        assert_eq!(read(&path, &columns).unwrap().unwrap(), lines);
        assert!(
            read(&path, &columns[1..])
                .unwrap_err()
                .contains("survey of another design")
        );
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
        assert!(write(&path, &columns, [Err("gone".to_owned())].into_iter()).is_err());
        assert_eq!(read(&path, &columns).unwrap().unwrap().len(), 1001);
        std::fs::write(&path, "seed,design").unwrap();
        assert!(read(&path, &columns).unwrap_err().contains("--fresh"));
    }
}
