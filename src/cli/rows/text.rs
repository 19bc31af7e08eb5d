//! Formats and parses rows as lines of text: comma-separated values, or one JSON object per line.

use std::fmt::Write as _;

use super::{FileRow, RowKey, Table};
use crate::analysis::{Cell, CellKind};
use crate::rows::{FIRST, LAST};

/// Format of the lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Lines {
    /// Comma-separated values under a line of column names.
    Csv,
    /// A JSON object on each line.
    Jsonl,
}

impl Lines {
    /// Returns the header line; `None` for formats without one.
    pub(super) fn header(self, table: &Table) -> Option<String> {
        (self == Self::Csv).then(|| joined(table.names().map(str::to_owned)))
    }

    /// Returns the names of the columns that a line contains; none if it is a row of CSV.
    pub(super) fn names(self, line: &str) -> Vec<String> {
        match self {
            Self::Csv => Some(split(line)).filter(|names| names.iter().any(|name| name == FIRST[0])),
            Self::Jsonl => {
                let object = serde_json::from_str::<serde_json::Map<String, serde_json::Value>>(line);
                object.ok().map(|object| object.keys().cloned().collect())
            }
        }
        .unwrap_or_default()
    }

    /// Formats a row as a line, with its line break.
    pub(super) fn line(self, row: &FileRow, table: &Table) -> String {
        let line = match self {
            Self::Csv => {
                let RowKey {
                    seed,
                    design,
                    version,
                    catalog,
                    ..
                } = &row.key;
                let first = [seed.to_string(), design.clone(), version.clone(), catalog.to_string()];
                let values = row.values().map(Cell::to_string);
                joined(first.into_iter().chain(values).chain([row.anomaly_keys()]))
            }
            Self::Jsonl => {
                let text = |text: &str| serde_json::Value::from(text).to_string();
                let key = &row.key;
                let first = [
                    key.seed.to_string(),
                    text(&key.design),
                    text(&key.version),
                    key.catalog.to_string(),
                ];
                let first: Vec<String> = (FIRST.iter().zip(first))
                    .map(|(name, value)| format!("\"{name}\":{value}"))
                    .collect();
                let mut line = format!("{{{}", first.join(","));
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
        };
        line + "\n"
    }

    /// Parses a line. Returns `None` if it is not a row with the columns of the table.
    pub(super) fn read(self, line: &str, table: &Table) -> Option<FileRow> {
        match self {
            Self::Csv => {
                let mut cells = split(line).into_iter();
                let key = RowKey {
                    seed: cells.next()?.parse().ok()?,
                    design: cells.next()?,
                    version: cells.next()?,
                    catalog: cells.next()?.parse().ok()?,
                    varied: Vec::new(),
                };
                let values = table.values().map(|(_, kind)| cell(&cells.next()?, kind));
                let values = values.collect::<Option<_>>()?;
                let anomalies = cells.next()?;
                let row = FileRow::from_parts(key, values, &anomalies, table);
                row.filter(|_| cells.next().is_none())
            }
            Self::Jsonl => {
                let object: serde_json::Map<String, serde_json::Value> = serde_json::from_str(line).ok()?;
                let value = |(name, kind): (&str, CellKind)| match object.get(name)? {
                    serde_json::Value::Null => Some(Cell::Nothing),
                    serde_json::Value::String(word) => Some(Cell::Word(word.clone())),
                    other => cell(&other.to_string(), kind),
                };
                let [seed, design, version, catalog] = FIRST.map(|name| object.get(name));
                let key = RowKey {
                    seed: seed?.as_u64()?,
                    design: design?.as_str()?.to_owned(),
                    version: version?.as_str()?.to_owned(),
                    catalog: catalog?.as_u64()?.try_into().ok()?,
                    varied: Vec::new(),
                };
                let values = table.values().map(value).collect::<Option<_>>()?;
                let anomalies = object.get(LAST)?.as_str()?;
                if object.len() != table.names().count() {
                    return None;
                }
                FileRow::from_parts(key, values, anomalies, table)
            }
        }
    }
}

/// Formats values as a line of CSV, without a line break.
pub(in crate::cli) fn joined(values: impl IntoIterator<Item = String>) -> String {
    let values: Vec<String> = values.into_iter().collect();
    if !values.iter().any(|value| value.contains([',', '"', '\n', '\r'])) {
        return values.join(",");
    }
    let mut writer = csv::Writer::from_writer(Vec::new());
    // Writing to memory cannot fail.
    let _ = writer.write_record(values);
    let line = writer.into_inner().unwrap_or_default();
    String::from_utf8_lossy(&line).trim_end_matches('\n').to_owned()
}

/// Splits a CSV line into its unquoted values.
fn split(line: &str) -> Vec<String> {
    // Nearly all rows contain no quotes. Split them here, since setting up the reader below takes ten times as long as
    // this split.
    if !line.contains('"') {
        return line.split(',').map(str::to_owned).collect();
    }
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
    use super::super::tests::{row, table_with_rooms};
    use super::*;

    #[test]
    fn what_is_written_is_read_again() {
        let (table, fewer) = (table_with_rooms(1), table_with_rooms(0));
        for seed in [0, 1, 2, 3, 4, u64::MAX] {
            let row = row(seed, &table);
            for format in [Lines::Csv, Lines::Jsonl] {
                let text = format.line(&row, &table);
                let text = text.strip_suffix('\n').unwrap();
                assert_eq!(format.read(text, &table), Some(row.clone()), "{text}");
                assert_eq!(format.read(&text[..text.len() / 2], &table), None);
                if format == Lines::Csv {
                    assert_eq!(format.read(text, &fewer), None);
                }
            }
        }
        let header = Lines::Csv.header(&table).unwrap();
        assert_eq!(split(&header), table.names().collect::<Vec<_>>());
        assert_eq!(Lines::Jsonl.header(&table), None);
    }
}
