//! Reads dungeons that Wallcrawler exported as CSV: one line per square, with the square's row, column and tile.

use super::MOST_SQUARES;
use super::square::{Drawing, DrawnSquare};
use crate::design::{Diagnostic, MAX_DIMENSION};
use crate::format::Text;
use crate::geometry::Size;

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

pub(super) fn read(text: &Text, diagnostics: &mut Vec<Diagnostic>) -> Option<Drawing> {
    let mut found = Vec::new();
    let mut size = Size::new(0, 0);
    let mut from = 0;
    for (number, line) in text.content().split_inclusive('\n').enumerate() {
        let span = from..from + line.trim_end().len();
        from += line.len();
        if number == 0 || line.trim().is_empty() {
            continue;
        }
        let mut fields = line.trim_end().split(',');
        let mut number = || -> Option<i32> {
            let number = fields.next()?.trim().parse().ok()?;
            (0..MAX_DIMENSION).contains(&number).then_some(number)
        };
        let at = number().zip(number());
        let tile = fields.next().and_then(|name| square(name.trim()));
        let Some(((x, y), square)) = at.zip(tile) else {
            diagnostics.push(
                Diagnostic::error("this line cannot be read as a square: it does not begin with a row, a column and a tile")
                    .from_source(text.source(span))
                    .help(
                        "begin each line with a row, a column and a tile: `open`, `guaranteed`, `wall`, `high_wall` or `column`",
                    ),
            );
            return None;
        };
        size = Size::new(size.x.max(x + 1), size.y.max(y + 1));
        found.push((x, y, square));
    }
    if size.squares() > MOST_SQUARES {
        diagnostics.push(Diagnostic::error(format!(
            "the table has {size} squares; the maximum is {MOST_SQUARES}"
        )));
        return None;
    }
    let mut squares = vec![DrawnSquare::Blank; size.squares() as usize];
    for (x, y, square) in found {
        squares[x as usize * size.y as usize + y as usize] = square;
    }
    let mut drawing = Drawing::new(size, squares);
    drawing.is_plain = false;
    Some(drawing)
}
