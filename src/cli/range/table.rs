//! Reads two columns of a table of dungeons: comma-separated values under a line of column names, or a JSON object on
//! each line. Any program may have written the table.

use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use csv::{Position, StringRecord};
use fs_err::File;
use serde_json::Value;

use super::super::failure::Failure;
use crate::storage;
use crate::text::{counted, with_suggestion};

/// The dungeons of a table, one for each row.
#[derive(Debug, Default, PartialEq)]
pub(super) struct TableValues {
    /// Values of both columns in each row; `None` for an empty cell.
    pub(super) points: Vec<[Option<f64>; 2]>,
    /// Seed in each row; `None` if the row has none.
    pub(super) seeds: Vec<Option<u64>>,
}

/// The byte order mark with which some programs begin a text file.
const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// Name of the column with the seeds.
const SEED: &str = "seed";

/// Reads the columns with these names from a file, or from standard input if the path is `-`.
///
/// # Errors
///
/// Fails if the file cannot be read, if it lacks one of the columns, if the rows of a CSV file have different lengths, or
/// if a value in these columns is not a number.
pub(super) fn read(path: &Path, names: [&str; 2]) -> Result<TableValues, Failure> {
    let table = storage::input_name(path);
    let input: Box<dyn Read> = if path == Path::new("-") {
        Box::new(std::io::stdin())
    } else {
        Box::new(File::open(path)?)
    };
    parse(BufReader::new(input), names).map_err(|problem| match problem {
        (0, why) => Failure::unreadable(format_args!("{table}: {why}")),
        (line, why) => Failure::unreadable(format_args!("{table}:{line}: {why}")),
    })
}

/// A line number (from 1; 0 for the whole table) and the error message about that line.
type Problem = (u64, String);

fn parse(mut input: impl BufRead, names: [&str; 2]) -> Result<TableValues, Problem> {
    let failed = |error: std::io::Error| (0, error.to_string());
    if input.fill_buf().map_err(failed)?.starts_with(BYTE_ORDER_MARK) {
        input.consume(BYTE_ORDER_MARK.len());
    }
    let begin = input.fill_buf().map_err(failed)?;
    if begin.starts_with(b"PAR1") {
        let why = "this is a Parquet file; write the table as CSV or JSON lines (survey --format csv)";
        return Err((0, why.into()));
    }
    let first = begin.iter().find(|byte| !byte.is_ascii_whitespace());
    if first == Some(&b'{') {
        parse_objects(input, names)
    } else {
        let is_crlf = begin.split(|byte| *byte == b'\n').next();
        let is_crlf = is_crlf.is_some_and(|line| line.ends_with(b"\r"));
        parse_csv(input, is_crlf, names)
    }
}

/// Returns whether two column names are equal, ignoring case and treating `_` as `-`.
fn is_same(one: &str, other: &str) -> bool {
    let plain = |c: char| if c == '_' { '-' } else { c.to_ascii_lowercase() };
    one.trim().chars().map(plain).eq(other.trim().chars().map(plain))
}

/// Returns the error for a table without a column of this name.
fn missing<'a>(name: &str, columns: impl IntoIterator<Item = &'a str>) -> Problem {
    let message = format!("the table has no column `{name}`");
    (1, with_suggestion(&message, name, columns))
}

/// Parses a value: `true` is 1, `false` is 0 (in upper or lower case), and an empty cell is `None`.
fn number(text: &str, line: u64) -> Result<Option<f64>, Problem> {
    match text.trim() {
        "" => Ok(None),
        text if text.eq_ignore_ascii_case("true") => Ok(Some(1.0)),
        text if text.eq_ignore_ascii_case("false") => Ok(Some(0.0)),
        text => match text.parse::<f64>() {
            Ok(number) => Ok(Some(number)),
            Err(_) => Err((line, format!("`{text}` is not a number"))),
        },
    }
}

/// Returns the number of the line in which a record begins. The record's own position can be too early: before blank
/// lines, or before the line feed of a preceding CRLF. `after` is the line that the reader has reached after the
/// record, which must end with a line break.
fn line_of(record: &StringRecord, after: u64, is_crlf: bool) -> u64 {
    let earliest = record.position().map_or(0, Position::line);
    let inside: usize = record.iter().map(|value| value.matches('\n').count()).sum();
    let feeds = inside as u64 + u64::from(!is_crlf);
    earliest.max(after.saturating_sub(feeds))
}

/// Parses comma-separated values. `is_crlf` states whether their lines end in CRLF.
fn parse_csv(input: impl BufRead, is_crlf: bool, names: [&str; 2]) -> Result<TableValues, Problem> {
    let failed = |error: csv::Error| {
        let line = error.position().map_or(0, Position::line);
        (line, error.to_string())
    };
    // The last record of a file may lack a line break, which `line_of` needs. If it has one, this adds a blank line,
    // which the reader ignores.
    let end: &[u8] = if is_crlf { b"\r\n" } else { b"\n" };
    let mut reader = csv::ReaderBuilder::new().flexible(true).from_reader(input.chain(end));
    let header = reader.headers().map_err(failed)?.clone();
    let place = |name: &str| header.iter().position(|column| is_same(column, name));
    let column = |name: &str| place(name).ok_or_else(|| missing(name, header.iter()));
    let places = [column(names[0])?, column(names[1])?];
    let seed = place(SEED);
    let mut values = TableValues::default();
    let mut record = StringRecord::new();
    while reader.read_record(&mut record).map_err(failed)? {
        // Skip repeated headers: a file may consist of several tables, one after another.
        if record == header {
            continue;
        }
        let line = line_of(&record, reader.position().line(), is_crlf);
        if record.len() != header.len() {
            let [found, all] = [(record.len(), "value"), (header.len(), "column")].map(|(n, noun)| counted(n, noun));
            return Err((line, format!("this row has {found}, but the table has {all}")));
        }
        let value = |place: usize| number(record.get(place).unwrap_or_default(), line);
        values.points.push([value(places[0])?, value(places[1])?]);
        values
            .seeds
            .push(seed.and_then(|place| record.get(place)?.trim().parse().ok()));
    }
    Ok(values)
}

fn parse_objects(input: impl BufRead, names: [&str; 2]) -> Result<TableValues, Problem> {
    let mut values = TableValues::default();
    for (line, text) in (1..).zip(input.lines()) {
        let text = text.map_err(|error| (line, error.to_string()))?;
        if text.trim().is_empty() {
            continue;
        }
        let object: serde_json::Map<String, Value> =
            serde_json::from_str(&text).map_err(|_| (line, "this is not a JSON object".to_owned()))?;
        let member = |name: &str| {
            object
                .iter()
                .find(|(key, _)| is_same(key, name))
                .map(|(_, value)| value)
        };
        let value = |name: &str| match member(name) {
            Some(Value::Null) => Ok(None),
            Some(Value::Number(number)) => Ok(number.as_f64()),
            Some(Value::Bool(truth)) => Ok(Some(f64::from(u8::from(*truth)))),
            Some(Value::String(text)) => number(text, line),
            Some(_) => Err((line, format!("`{name}` is not a number"))),
            None if values.points.is_empty() => Err(missing(name, object.keys().map(String::as_str))),
            None => Ok(None),
        };
        let point = [value(names[0])?, value(names[1])?];
        values.points.push(point);
        values.seeds.push(member(SEED).and_then(Value::as_u64));
    }
    Ok(values)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> Result<TableValues, Problem> {
        parse(text.as_bytes(), ["path", "dead-ends"])
    }

    #[test]
    fn csv_and_json_lines_yield_the_same_dungeons() {
        let expected = TableValues {
            points: vec![[Some(120.5), Some(1.0)], [None, Some(3.0)]],
            seeds: vec![Some(7), Some(u64::MAX)],
        };
        let csv = "seed,design,path,dead_ends\n7,ab,120.5,true\n18446744073709551615,ab,,3\n";
        let json = "{\"seed\":7,\"path\":120.5,\"dead-ends\":true}\n\n\
                    {\"dead-ends\":3,\"path\":null,\"seed\":18446744073709551615}\n";
        assert_eq!(parsed(csv), Ok(expected));
        assert_eq!(parsed(csv), parsed(json));
        // A second table with its own header follows the first.
        let twice = parsed(&format!("{csv}{csv}")).unwrap();
        assert_eq!(twice.points.len(), 4);
        // Other programs write `True`, and may begin the file with a byte order mark.
        assert_eq!(parsed(&csv.replace("true", "True")), parsed(csv));
        for text in [csv, json] {
            assert_eq!(parsed(&format!("\u{feff}{text}")), parsed(text));
        }
        let without = parsed("Path,Dead-Ends\n1,2\n").unwrap();
        assert_eq!((without.points.len(), &without.seeds[..]), (1, &[None][..]));
    }

    #[test]
    fn errors_name_the_right_line_after_blank_lines_and_line_ends_of_windows() {
        for (text, line) in [
            ("path,dead-ends\n1,2\n\n\n3,x\n", 5),
            ("path,dead-ends\n1,2\n3,x", 3),
            ("path,dead-ends\n1,2\n\n3,x", 4),
            ("path,dead-ends,note\n1,2,\"a\nb\"\n3,x,\"c\nd\"\n", 4),
        ] {
            let why = "`x` is not a number".to_owned();
            assert_eq!(parsed(text), Err((line, why.clone())), "{text:?}");
            let text = text.replace('\n', "\r\n");
            assert_eq!(parsed(&text), Err((line, why)), "{text:?}");
        }
    }

    #[test]
    fn errors_name_the_line_and_the_column() {
        let (line, why) = parsed("seed,pth,dead-ends\n1,2,3\n").unwrap_err();
        assert_eq!(
            (line, &*why),
            (1, "the table has no column `path`; did you mean `pth`?")
        );
        assert_eq!(
            parsed("path,dead-ends\n1,2\n3,crossed\n").unwrap_err(),
            (3, "`crossed` is not a number".into())
        );
        assert_eq!(
            parsed("path,dead-ends\n1,2\n3\n").unwrap_err(),
            (3, "this row has 1 value, but the table has 2 columns".into())
        );
        assert!(
            parsed("{\"path\":1}\n")
                .unwrap_err()
                .1
                .contains("no column `dead-ends`")
        );
        assert_eq!(parsed("{\"path\":1,\"dead-ends\":2}\n{\"path\"").unwrap_err().0, 2);
        assert!(parsed("PAR1xx").unwrap_err().1.contains("Parquet"));
        assert!(parsed("").is_err());
    }
}
