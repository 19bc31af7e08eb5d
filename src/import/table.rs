//! Reads dungeons that Wallcrawler exported as CSV: one line per square, with the square's row, column and tile. A
//! spreadsheet may have saved the table again, with quotation marks and other separators.

use super::MOST_SQUARES;
use super::square::{Drawing, DrawnSquare};
use crate::design::{Diagnostic, MAX_DIMENSION};
use crate::format::Text;
use crate::geometry::{Point, Size};
use crate::text::counted;

/// Returns the kind of square for a tile name in an exported file; `None` for an unknown name.
pub(super) fn square(name: &str) -> Option<DrawnSquare> {
    Some(match name {
        "open" => DrawnSquare::Open,
        "guaranteed" => DrawnSquare::Kept,
        "wall" | "high_wall" => DrawnSquare::Wall,
        "column" => DrawnSquare::Column,
        _ => return None,
    })
}

/// Returns the character between the fields of a dungeon that Wallcrawler exported as CSV: a comma, or a semicolon or a
/// tab if a spreadsheet has saved the table again. Returns `None` for any other file.
pub(super) fn delimiter(begin: &[u8]) -> Option<u8> {
    let begin = begin.strip_prefix(b"\xef\xbb\xbf").unwrap_or(begin);
    let begins = |delimiter: &char| {
        let header = |quote| ["x", "y", "tile"].map(|name| format!("{quote}{name}{quote}"));
        let mut headers = ["", "\""]
            .map(|quote| header(quote).join(&delimiter.to_string()))
            .into_iter();
        headers.any(|header| begin.starts_with(header.as_bytes()))
    };
    [',', ';', '\t']
        .into_iter()
        .find(begins)
        .map(|delimiter| delimiter as u8)
}

/// Parses a line: the row, column and tile of a square.
fn parsed(fields: &csv::StringRecord) -> Result<(Point, DrawnSquare), Box<Diagnostic>> {
    let number = |field: usize| fields.get(field)?.parse::<i64>().ok();
    let square = fields.get(2).and_then(square);
    let Some(((x, y), square)) = number(0).zip(number(1)).zip(square) else {
        let error = Diagnostic::error(
            "this line cannot be read as a square: it does not begin with a row, a column and a tile",
        );
        return Err(Box::new(error.help(
            "begin each line with a row, a column and a tile: `open`, `guaranteed`, `wall`, `high_wall` or `column`",
        )));
    };
    let side = |number: i64| {
        i32::try_from(number)
            .ok()
            .filter(|side| (0..MAX_DIMENSION).contains(side))
    };
    let at = side(x).zip(side(y)).map(|(x, y)| Point::new(x, y));
    let outside = || {
        let error = Diagnostic::error(format!("the square at row {x}, column {y} is outside every dungeon"));
        Box::new(error.help(format!(
            "rows and columns are counted from 0; a dungeon has at most {MAX_DIMENSION} of each"
        )))
    };
    at.map(|at| (at, square)).ok_or_else(outside)
}

pub(super) fn read(text: &Text, diagnostics: &mut Vec<Diagnostic>) -> Option<Drawing> {
    let content = text.content();
    let mut reader = csv::ReaderBuilder::new()
        .delimiter(delimiter(content.as_bytes()).unwrap_or(b','))
        .flexible(true)
        .trim(csv::Trim::All)
        .from_reader(content.as_bytes());
    let mut fields = csv::StringRecord::new();
    let mut found = Vec::new();
    let mut size = Size::new(0, 0);
    // Reading from memory does not fail.
    while let Ok(true) = reader.read_record(&mut fields) {
        // A line of spaces.
        if fields.len() == 1 && fields[0].is_empty() {
            continue;
        }
        match parsed(&fields) {
            Ok((at, square)) => {
                size = Size::new(size.x.max(at.x + 1), size.y.max(at.y + 1));
                found.push((at, square));
            }
            Err(error) => {
                let from = fields.position().map_or(0, |position| position.byte() as usize);
                let line = content.get(from..).unwrap_or_default();
                let from = from + line.len() - line.trim_start_matches(['\r', '\n']).len();
                let line = content[from..].lines().next().unwrap_or_default();
                diagnostics.push(error.from_source(text.source(from..from + line.len())));
                return None;
            }
        }
    }
    if size.squares() > MOST_SQUARES {
        diagnostics.push(Diagnostic::error(format!(
            "the table has {size} squares; the maximum is {MOST_SQUARES}"
        )));
        return None;
    }
    let mut squares = vec![DrawnSquare::Blank; size.squares() as usize];
    let mut repeated = Vec::new();
    for (at, square) in found {
        let own = &mut squares[at.x as usize * size.y as usize + at.y as usize];
        if *own != DrawnSquare::Blank {
            repeated.push(at);
        }
        *own = square;
    }
    let mut drawing = Drawing::new(size, squares);
    drawing.is_plain = false;
    let blank = drawing.squares().filter(|(_, square)| *square == DrawnSquare::Blank);
    let missing: Vec<Point> = blank.map(|(at, _)| at).collect();
    let warn = |squares: &[Point], what: &str, result: &str| {
        let count = counted(squares.len(), "square");
        let first = if squares.len() == 1 { "" } else { "the first " };
        let at = squares.first()?;
        Some(Diagnostic::warning(format!(
            "the table {what} {count}, {first}at {at}; {result}"
        )))
    };
    diagnostics.extend(warn(&missing, "lacks", "a missing square gets no tile"));
    diagnostics.extend(warn(&repeated, "repeats", "the last line of a square counts"));
    Some(drawing)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::import::{DrawingKind, ImportOptions, ReadResult, looks_like};

    fn read(content: &str) -> ReadResult {
        crate::import::read("a.csv", content.into(), &ImportOptions::default(), &mut |_| {
            Err(std::io::ErrorKind::NotFound.into())
        })
    }

    #[test]
    fn tables_that_a_spreadsheet_saved_again_are_read() {
        let own = "x,y,tile,monster\n0,0,wall,\n0,1,column,\"an orc, asleep\nhere\"\n1,0,open,\n1,1,guaranteed,\n";
        let all = |c: &str| {
            let field = |field: &str| format!("\"{}\"", field.trim_matches('"'));
            let lines = ["x,y,tile", "0,0,wall", "0,1,column", "1,0,open", "1,1,guaranteed"];
            let line = |line: &str| line.split(',').map(field).collect::<Vec<_>>().join(c);
            lines.map(line).join("\r\n")
        };
        let plain = own.replace("\"an orc, asleep\nhere\"", "");
        for content in [
            own.to_owned(),
            plain.replace(',', ";"),
            plain.replace(',', "\t"),
            format!("\u{feff}{}", plain.replace('\n', "\r\n")),
            all(","),
            all(";"),
            all("\t"),
        ] {
            assert!(looks_like("a.csv", content.as_bytes()), "{content}");
            let read = read(&content);
            assert_eq!(
                (read.kind, &*read.diagnostics),
                (DrawingKind::Csv, &[][..]),
                "{content}"
            );
            let drawing = read.drawing.expect("a drawing");
            let squares: Vec<DrawnSquare> = drawing.squares().map(|(_, square)| square).collect();
            let expected = [
                DrawnSquare::Wall,
                DrawnSquare::Column,
                DrawnSquare::Open,
                DrawnSquare::Kept,
            ];
            assert_eq!(squares, expected, "{content}");
        }
    }

    #[test]
    fn missing_and_repeated_squares_are_reported() {
        let warnings = |content: &str| -> Vec<String> {
            let read = read(content);
            assert!(read.drawing.is_some(), "{:?}", read.diagnostics);
            read.diagnostics.iter().map(|warning| warning.message.clone()).collect()
        };
        assert_eq!(
            warnings("x,y,tile\n0,0,wall\n0,1,wall\n1,1,wall\n0,1,open\n"),
            [
                "the table lacks 1 square, at row 1, column 0; a missing square gets no tile",
                "the table repeats 1 square, at row 0, column 1; the last line of a square counts",
            ]
        );
        assert_eq!(
            warnings("x,y,tile\n0,0,wall\n1,2,open\n"),
            ["the table lacks 4 squares, the first at row 0, column 1; a missing square gets no tile"]
        );
    }

    #[test]
    fn squares_outside_every_dungeon_are_not_called_unreadable() {
        let error = |line: &str| {
            let read = read(&format!("x,y,tile\r\n0,0,wall\r\n{line}\r\n"));
            assert_eq!(read.drawing, None);
            read.diagnostics[0].to_string()
        };
        for (line, expected) in [
            (
                "40000,5,wall",
                "a.csv:3:1: error: the square at row 40000, column 5 is outside every dungeon: `40000,5,wall`",
            ),
            (
                "0,-1,wall",
                "a.csv:3:1: error: the square at row 0, column -1 is outside every dungeon",
            ),
            ("0,one,wall", "a.csv:3:1: error: this line cannot be read as a square"),
            ("0,1,wal", "a.csv:3:1: error: this line cannot be read as a square"),
        ] {
            let error = error(line);
            assert!(error.starts_with(expected), "{error}");
        }
    }
}
