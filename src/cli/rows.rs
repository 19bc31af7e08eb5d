//! The rows of a survey in a file: written and read as CSV, or as one JSON object per line. Rows for a Parquet file are
//! kept as CSV until it is written.

use std::fmt::Write as _;

use crate::analysis::{Cell, Column};

/// How rows are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Format {
    /// Comma-separated values under a line with the names
    Csv,
    /// A JSON object in each line
    Jsonl,
    /// A Parquet file: columns with types, for data frames and databases
    Parquet,
}

/// The columns before a design's own: the seed, and the digest of the design.
pub(super) const FIRST: [&str; 2] = ["seed", "design"];

/// The last column: the names of the anomalies.
pub(super) const LAST: &str = "odd";

/// A row of the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct FileRow {
    pub(super) seed: u64,
    /// Digest of the design.
    pub(super) design: String,
    pub(super) cells: Vec<Cell>,
    /// Names of the anomalies, separated by spaces.
    pub(super) odd: String,
}

impl Format {
    /// Returns the header line; `None` for formats without one.
    pub(super) fn header(self, columns: &[Column]) -> Option<String> {
        let own = columns.iter().map(|column| column.name.as_str());
        let names: Vec<&str> = FIRST.into_iter().chain(own).chain([LAST]).collect();
        (self != Self::Jsonl).then(|| names.join(","))
    }

    /// Formats a row as a line, without a line break.
    pub(super) fn write(self, line: &FileRow, columns: &[Column]) -> String {
        match self {
            Self::Csv | Self::Parquet => {
                let own = line.cells.iter().map(Cell::to_string);
                let first = [line.seed.to_string(), line.design.clone()];
                joined(first.into_iter().chain(own).chain([line.odd.clone()]))
            }
            Self::Jsonl => {
                let text = |text: &str| serde_json::Value::from(text).to_string();
                let mut out = format!("{{\"seed\":{},\"design\":{}", line.seed, text(&line.design));
                for (column, cell) in columns.iter().zip(&line.cells) {
                    let value = match cell {
                        Cell::Nothing => "null".into(),
                        Cell::Word(word) => text(word),
                        Cell::Truth(_) | Cell::Number(_) => cell.to_string(),
                    };
                    let _ = write!(out, ",{}:{value}", text(&column.name));
                }
                let _ = write!(out, ",\"odd\":{}}}", text(&line.odd));
                out
            }
        }
    }

    /// Parses a row from a line; `None` if it does not match the columns.
    pub(super) fn read(self, text: &str, columns: &[Column]) -> Option<FileRow> {
        match self {
            Self::Csv | Self::Parquet => {
                let mut cells = split(text).into_iter();
                let line = FileRow {
                    seed: cells.next()?.parse().ok()?,
                    design: cells.next()?,
                    cells: columns
                        .iter()
                        .map(|column| cell(&cells.next()?, column))
                        .collect::<Option<_>>()?,
                    odd: cells.next()?,
                };
                cells.next().is_none().then_some(line)
            }
            Self::Jsonl => {
                let object: serde_json::Map<String, serde_json::Value> = serde_json::from_str(text).ok()?;
                let own = |column: &Column| match object.get(&column.name)? {
                    serde_json::Value::Null => Some(Cell::Nothing),
                    serde_json::Value::String(word) => Some(Cell::Word(word.clone())),
                    other => cell(&other.to_string(), column),
                };
                Some(FileRow {
                    seed: object.get("seed")?.as_u64()?,
                    design: object.get("design")?.as_str()?.to_owned(),
                    cells: columns.iter().map(own).collect::<Option<_>>()?,
                    odd: object.get("odd")?.as_str()?.to_owned(),
                })
            }
        }
    }
}

/// Formats values as a line of CSV, without a line break.
pub(super) fn joined(values: impl IntoIterator<Item = String>) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    // Writing to memory cannot fail.
    let _ = writer.write_record(values);
    let line = writer.into_inner().unwrap_or_default();
    String::from_utf8_lossy(&line).trim_end_matches('\n').to_owned()
}

/// Splits a CSV line into its unquoted values.
fn split(line: &str) -> Vec<String> {
    let reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .from_reader(line.as_bytes());
    let record = reader.into_records().next().and_then(Result::ok).unwrap_or_default();
    record.iter().map(str::to_owned).collect()
}

fn cell(text: &str, column: &Column) -> Option<Cell> {
    if text.is_empty() {
        return Some(Cell::Nothing);
    }
    if column.is_word() {
        return Some(Cell::Word(text.to_owned()));
    }
    Some(match text {
        "true" => Cell::Truth(true),
        "false" => Cell::Truth(false),
        number => Cell::Number((number.parse::<f64>().ok()? * 1e4).round() as i64),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::columns;
    use crate::design::{Design, Room, VaultEntry};

    #[test]
    fn what_is_written_is_read_again() {
        let mut design = Design::default();
        design.layout.rooms.push(Room::default());
        design.layout.vaults.push(VaultEntry::default());
        let columns = columns(&design);
        let cells: Vec<Cell> = (0..columns.len())
            .map(|i| match i {
                0 => Cell::Truth(true),
                _ if columns[i].name.ends_with("-map") => Cell::Word("it, said \"he\"".into()),
                _ if columns[i].is_word() => Cell::Word("crossed".into()),
                5 => Cell::Nothing,
                i => Cell::Number(i as i64 * 12_345 - 30_000),
            })
            .collect();
        let line = FileRow {
            seed: u64::MAX,
            design: "0123456789abcdef".into(),
            cells,
            odd: "enclosed room-1-unreached".into(),
        };
        for format in [Format::Csv, Format::Jsonl] {
            let text = format.write(&line, &columns);
            assert_eq!(format.read(&text, &columns), Some(line.clone()), "{text}");
            assert_eq!(format.read(&text[..text.len() / 2], &columns), None);
            assert_eq!(format.read(&text, &columns[1..]).is_some(), format == Format::Jsonl);
        }
        let header = Format::Csv.header(&columns).unwrap();
        assert_eq!(split(&header).len(), columns.len() + 3);
        assert_eq!(Format::Jsonl.header(&columns), None);
    }
}
