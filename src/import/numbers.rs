//! Reads tables of comma-separated numbers, the format in which Tiled exports a layer or stores it in a map: one line
//! per row, one number per tile, with or without a comma at the end of a line. Semicolons may replace the commas.

use super::square::{Drawing, DrawnSquare};
use super::tiled::{NamedWalls, TILE};
use super::{DrawingKind, ImportOptions, MOST_SQUARES};
use crate::design::{Diagnostic, MAX_DIMENSION};
use crate::format::Text;
use crate::geometry::Size;

/// Number that marks an empty square in exported tables. In a table that contains it, 0 is a tile; in all other tables,
/// 0 marks an empty square.
const NO_TILE: i64 = -1;

/// A row of the table: the byte range of its line in the text, and its numbers.
struct Row {
    from: usize,
    to: usize,
    numbers: Vec<i64>,
}

/// Returns the rows of a text in which every line is empty or a list of numbers, and at least one line has several
/// numbers; `None` for any other text.
fn rows(content: &str) -> Option<Vec<Row>> {
    let mut rows = Vec::new();
    let mut from = 0;
    for line in content.split_inclusive('\n') {
        let text = line.trim_end();
        let to = from + text.len();
        if !text.is_empty() {
            let numbers = numbers(text)?;
            rows.push(Row { from, to, numbers });
        }
        from += line.len();
    }
    let is_table = rows.iter().any(|row| row.numbers.len() > 1);
    is_table.then_some(rows)
}

/// Returns the numbers of a line; `None` if it contains anything else.
fn numbers(line: &str) -> Option<Vec<i64>> {
    let line = line.trim_start_matches('\u{feff}');
    let line = line.strip_suffix([',', ';']).unwrap_or(line);
    let number = |field: &str| match field.trim() {
        "" => Some(NO_TILE),
        field => field
            .parse()
            .ok()
            .filter(|number| (NO_TILE..=u32::MAX.into()).contains(number)),
    };
    line.split([',', ';']).map(number).collect()
}

/// Returns whether the start of a file looks like a table of numbers. The last line may be incomplete and is ignored.
pub(super) fn looks_like(begin: &str) -> bool {
    let whole = begin.rsplit_once('\n').map_or(begin, |(whole, _)| whole);
    rows(whole).is_some_and(|rows| rows.len() > 1 && rows[0].numbers.len() > 2)
}

/// Returns whether a text is a table of numbers.
pub(super) fn is_table(content: &str) -> bool {
    rows(content).is_some()
}

/// A text in which every line is a list of numbers.
pub(super) struct Table(Vec<Row>);

impl Table {
    /// Parses a text as a table; `None` if it is not a table. Also returns `None` for a text of single digits if the
    /// options set wall or open characters: [`text::read`](super::text::read) then reads the digits as characters.
    pub(super) fn of(text: &Text, kind: DrawingKind, options: &ImportOptions) -> Option<Self> {
        let rows = rows(text.content())?;
        let is_digit = |number: &i64| (0..10).contains(number);
        let names_characters = kind == DrawingKind::Text && (options.walls.is_some() || options.open.is_some());
        let is_text = names_characters && rows.iter().flat_map(|row| &row.numbers).all(is_digit);
        (!is_text).then_some(Self(rows))
    }

    /// Converts the table to a drawing. On failure, adds an error to `diagnostics` and returns `None`.
    pub(super) fn read(
        &self,
        text: &Text,
        options: &ImportOptions,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Option<Drawing> {
        let (drawing, description) = match drawing(text, &self.0, options) {
            Ok((drawing, note)) => (Some(drawing), note),
            Err(why) => (None, *why),
        };
        diagnostics.push(description);
        drawing
    }
}

fn drawing(text: &Text, rows: &[Row], options: &ImportOptions) -> Result<(Drawing, Diagnostic), Box<Diagnostic>> {
    let columns = rows.first().map_or(0, |row| row.numbers.len());
    if let Some((number, row)) = (1..).zip(rows).find(|(_, row)| row.numbers.len() != columns) {
        let message = format!(
            "row {number} has {} numbers, but the first row has {columns}",
            row.numbers.len()
        );
        return Err(Box::new(
            Diagnostic::error(message)
                .from_source(text.source(row.from..row.to))
                .help("write the same number of values in every row"),
        ));
    }
    let most = MAX_DIMENSION as usize;
    if rows.len() > most || columns > most || (rows.len() * columns) as u64 > MOST_SQUARES {
        let message = format!("the table is too large: {columns} × {} tiles", rows.len());
        let help = format!("the maximum is {most} tiles each way and {MOST_SQUARES} tiles in total");
        return Err(Box::new(Diagnostic::error(message).help(help)));
    }
    let named_walls = options.walls.as_deref().map(NamedWalls::parse).transpose()?;
    let empty = if rows.iter().any(|row| row.numbers.contains(&NO_TILE)) {
        NO_TILE
    } else {
        0
    };
    let square = |number: i64| {
        // The upper bits are flags for flipping and rotating the tile.
        let tile = u32::try_from(number).map_or(0, |number| number & TILE);
        let is_wall = match &named_walls {
            Some(named_walls) => number != NO_TILE && named_walls.has(tile, None),
            None => number != empty,
        };
        if is_wall { DrawnSquare::Wall } else { DrawnSquare::Open }
    };
    let squares = rows.iter().flat_map(|row| &row.numbers).map(|number| square(*number));
    let drawing = Drawing::new(Size::new(rows.len() as i32, columns as i32), squares.collect());
    let note = match named_walls {
        Some(_) => Diagnostic::note("the numbers given with --walls are walls"),
        None => Diagnostic::note(format!("every number but {empty} is a wall"))
            .help("use --walls with tile numbers, such as 1,2,5-9, to set the walls"),
    };
    Ok((drawing, note))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::import::{looks_like as file_looks_like, read as read_file};

    fn shown(name: &str, content: &str, options: &ImportOptions) -> Vec<String> {
        let read = read_file(name, content.into(), options, &mut |_| {
            Err(std::io::ErrorKind::NotFound.into())
        });
        let drawing = read.drawing.unwrap_or_else(|| panic!("{:?}", read.diagnostics));
        let size = drawing.size();
        let sign = |x, y| match drawing.square(crate::geometry::Point::new(x, y)) {
            DrawnSquare::Wall => '#',
            _ => '.',
        };
        (0..size.x).map(|x| (0..size.y).map(|y| sign(x, y)).collect()).collect()
    }

    const RING: [&str; 3] = ["####", "#..#", "####"];

    #[test]
    fn tables_of_tiled_are_read_as_tile_numbers() {
        let options = ImportOptions::default();
        for content in [
            // A Tiled export: tile ids within the tileset, -1 for empty squares.
            "12,12,12,12\n12,-1,-1,12\n12,12,0,12\n",
            // The data of a map: global tile ids, 0 for empty squares, a comma after each line but the last.
            "13,13,13,13,\n13,0,0,13,\n13,13,13,13\n",
            "13,13,13,13,\r\n13,0,0,13,\r\n13,13,13,13,\r\n",
            "13, 13, 13, 13\n13, 0, 0, 13\n\n13, 13, 13, 13",
            "3,3,3,3\n3,0,0,3\n3,3,3,3\n",
            // Tiles with flip flags.
            "2147483661,13,13,13\n13,0,0,13\n13,13,1073741837,13\n",
            "7;7;7;7\n7;;;7\n7;7;7;7\n",
        ] {
            for name in ["hall.csv", "hall.txt"] {
                assert_eq!(shown(name, content, &options), RING, "{content}");
            }
            let csv = ImportOptions {
                kind: Some(DrawingKind::Csv),
                ..ImportOptions::default()
            };
            assert_eq!(shown("hall", content, &csv), RING, "{content}");
            assert!(file_looks_like("hall.csv", content.as_bytes()), "{content}");
        }
        let walls = ImportOptions {
            walls: Some("20-22".into()),
            ..ImportOptions::default()
        };
        let floors = "21,20,21,22\n21,5,5,22\n20,20,20,20\n";
        assert_eq!(shown("hall.csv", floors, &walls), RING);
        let single = ImportOptions {
            walls: Some("5-7".into()),
            ..ImportOptions::default()
        };
        assert_eq!(shown("hall.csv", "7,7,6,7\n7,0,4,7\n7,5,7,7\n", &single), RING);
        assert!(!file_looks_like("people.csv", b"name,age\nAnn,5\n"));
        assert!(!file_looks_like("list.csv", b"1\n2\n3\n"));
    }

    #[test]
    fn the_options_that_a_table_uses_are_offered_for_its_kind() {
        use crate::import::ImportSetting;
        let table = "7,0,0,7\n7,7,7,7\n7,3,3,7\n";
        let with = |change: &dyn Fn(&mut ImportOptions)| {
            let mut options = ImportOptions {
                kind: Some(DrawingKind::Csv),
                ..ImportOptions::default()
            };
            change(&mut options);
            shown("hall", table, &options)
        };
        let plain = with(&|_| {});
        assert_eq!(plain, ["#..#", "####", "####"]);
        for (setting, drawn) in [
            (ImportSetting::Walls, with(&|options| options.walls = Some("3".into()))),
            (ImportSetting::Invert, with(&|options| options.invert = true)),
            (ImportSetting::Open, with(&|options| options.open = Some("3".into()))),
            (ImportSetting::Threshold, with(&|options| options.threshold = Some(9))),
            (ImportSetting::Scale, with(&|options| options.scale = Some(2))),
        ] {
            assert_eq!(
                DrawingKind::Csv.takes(setting),
                drawn != plain,
                "{setting:?}: {drawn:?}"
            );
        }
    }

    #[test]
    fn rows_of_different_lengths_are_refused_with_their_line() {
        let read = read_file(
            "hall.csv",
            "1,2,3\n12,12\n".into(),
            &ImportOptions::default(),
            &mut |_| Err(std::io::ErrorKind::NotFound.into()),
        );
        assert_eq!(read.drawing, None);
        let description = read.diagnostics[0].to_string();
        assert!(
            description.starts_with("hall.csv:2:1: error: row 2 has 2 numbers"),
            "{description}"
        );
    }

    #[test]
    fn our_own_tables_are_read_as_lists_of_squares() {
        let own = "x,y,tile\n0,0,wall\n0,1,open\n";
        assert_eq!(shown("own.csv", own, &ImportOptions::default()), ["#."]);
    }
}
