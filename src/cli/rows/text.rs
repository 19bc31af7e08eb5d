//! Rows as lines of text: comma-separated values, or one JSON object per line.

use std::fmt::Write as _;

use super::{FIRST, FileRow, LAST, Table};
use crate::analysis::{Cell, CellKind};

/// Format of the lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Lines {
    /// Comma-separated values under a line with the names.
    Csv,
    /// A JSON object in each line.
    Jsonl,
}

impl Lines {
    /// Returns the header line; `None` for formats without one.
    pub(super) fn header(self, table: &Table) -> Option<String> {
        (self == Self::Csv).then(|| joined(table.names().map(str::to_owned)))
    }

    /// Formats a row as a line, without a line break.
    pub(super) fn write(self, row: &FileRow, table: &Table) -> String {
        match self {
            Self::Csv => {
                let first = [row.key.seed.to_string(), row.key.design.clone()];
                let values = row.values().map(Cell::to_string);
                joined(first.into_iter().chain(values).chain([row.anomaly_keys()]))
            }
            Self::Jsonl => {
                let text = |text: &str| serde_json::Value::from(text).to_string();
                let [seed, design] = FIRST;
                let (number, digest) = (row.key.seed, text(&row.key.design));
                let mut line = format!("{{\"{seed}\":{number},\"{design}\":{digest}");
                for ((name, _), cell) in table.values().zip(row.values()) {
                    let value = match cell {
                        Cell::Nothing => "null".into(),
                        Cell::Word(word) => text(word),
                        Cell::Truth(_) | Cell::Number(_) => cell.to_string(),
                    };
                    let _ = write!(line, ",{}:{value}", text(name));
                }
                let _ = write!(line, ",\"{LAST}\":{}}}", text(&row.anomaly_keys()));
                line
            }
        }
    }

    /// Parses a row from a line; `None` if it does not match the columns.
    pub(super) fn read(self, line: &str, table: &Table) -> Option<FileRow> {
        match self {
            Self::Csv => {
                let mut cells = split(line).into_iter();
                let (seed, design) = (cells.next()?.parse().ok()?, cells.next()?);
                let values = table.values().map(|(_, kind)| cell(&cells.next()?, kind));
                let values = values.collect::<Option<_>>()?;
                let anomalies = cells.next()?;
                let row = FileRow::from_parts(seed, design, values, &anomalies, table);
                row.filter(|_| cells.next().is_none())
            }
            Self::Jsonl => {
                let object: serde_json::Map<String, serde_json::Value> = serde_json::from_str(line).ok()?;
                let value = |(name, kind): (&str, CellKind)| match object.get(name)? {
                    serde_json::Value::Null => Some(Cell::Nothing),
                    serde_json::Value::String(word) => Some(Cell::Word(word.clone())),
                    other => cell(&other.to_string(), kind),
                };
                let [seed, design] = FIRST.map(|name| object.get(name));
                let values = table.values().map(value).collect::<Option<_>>()?;
                let anomalies = object.get(LAST)?.as_str()?;
                FileRow::from_parts(seed?.as_u64()?, design?.as_str()?.to_owned(), values, anomalies, table)
            }
        }
    }
}

/// Formats values as a line of CSV, without a line break.
pub(in crate::cli) fn joined(values: impl IntoIterator<Item = String>) -> String {
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

fn cell(text: &str, kind: CellKind) -> Option<Cell> {
    if text.is_empty() {
        return Some(Cell::Nothing);
    }
    if kind == CellKind::Word {
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
    use super::super::tests::{row, table};
    use super::*;

    #[test]
    fn what_is_written_is_read_again() {
        let table = table();
        for seed in [0, 1, 2, 3, 4, u64::MAX] {
            let row = row(seed, &table);
            for format in [Lines::Csv, Lines::Jsonl] {
                let text = format.write(&row, &table);
                assert_eq!(format.read(&text, &table), Some(row.clone()), "{text}");
                assert_eq!(format.read(&text[..text.len() / 2], &table), None);
                let mut fewer = table.clone();
                fewer.metrics.remove(0);
                if format == Lines::Csv {
                    assert_eq!(format.read(&text, &fewer), None);
                }
            }
        }
        let header = Lines::Csv.header(&table).unwrap();
        assert_eq!(split(&header), table.names().collect::<Vec<_>>());
        assert_eq!(Lines::Jsonl.header(&table), None);
    }
}
