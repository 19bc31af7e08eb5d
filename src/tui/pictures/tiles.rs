//! The tiles of a picture, and their placeholders on the screen.
//!
//! Each tile is a separate picture in the protocol, so that only the tiles that have changed need to be sent again. A
//! placeholder is the character U+10EEEE with two combining characters, which encode its row and column in the tile;
//! its colour encodes the number of the tile's picture.

use ratatui::buffer::{Buffer, Cell};
use ratatui::layout::{Position, Rect};
use ratatui::style::{Color, Style};

use super::PicturePlace;

/// Width of a tile, in characters.
const WIDTH: u16 = 16;

/// Height of a tile, in characters.
const HEIGHT: u16 = 8;

/// Maximum number of tiles of a picture.
pub(super) const MOST: usize = 1 << 10;

/// The character that a terminal replaces with a part of a picture.
const PLACEHOLDER: char = '\u{10EEEE}';

/// The combining characters that encode the row and column numbers 0 to 15, from the protocol's table.
const NUMBERS: [char; 16] = [
    '\u{305}', '\u{30d}', '\u{30e}', '\u{310}', '\u{312}', '\u{33d}', '\u{33e}', '\u{33f}', '\u{346}', '\u{34a}',
    '\u{34b}', '\u{34c}', '\u{350}', '\u{351}', '\u{352}', '\u{357}',
];

/// Returns the areas of the tiles that cover an area, row by row; at most [`MOST`].
pub(super) fn tiles(area: Rect) -> impl Iterator<Item = Rect> {
    let tile = move |left: u16, top: u16| Rect::new(left, top, WIDTH, HEIGHT).intersection(area);
    let rows = (area.top()..area.bottom()).step_by(HEIGHT.into());
    rows.flat_map(move |top| {
        let columns = (area.left()..area.right()).step_by(WIDTH.into());
        columns.map(move |left| tile(left, top))
    })
    .take(MOST)
}

/// Returns the index of the tile that contains a character; `None` outside the tiles.
pub(super) fn index_of(area: Rect, (column, row): (u16, u16)) -> Option<usize> {
    area.contains(Position::new(column, row)).then(|| {
        let across = usize::from(area.width.div_ceil(WIDTH));
        let index = usize::from((row - area.y) / HEIGHT) * across + usize::from((column - area.x) / WIDTH);
        Some(index).filter(|index| *index < MOST)
    })?
}

/// Returns the colour that encodes the number of a picture.
fn color(number: u32) -> Color {
    let [_, red, green, blue] = number.to_be_bytes();
    Color::Rgb(red, green, blue)
}

/// Fills the area of a picture with placeholders.
pub(in crate::tui) fn fill(place: PicturePlace, buf: &mut Buffer) {
    fill_part(place, place.area, buf);
}

/// Fills a part of the area of a picture with placeholders.
pub(in crate::tui) fn fill_part(place: PicturePlace, part: Rect, buf: &mut Buffer) {
    let mut symbol = String::new();
    for (tile, number) in tiles(place.area).zip(place.first..) {
        let style = Style::reset().fg(color(number));
        for (row, top) in NUMBERS.into_iter().zip(tile.top()..tile.bottom()) {
            for (column, left) in NUMBERS.into_iter().zip(tile.left()..tile.right()) {
                let at = Position::new(left, top);
                if part.contains(at)
                    && let Some(cell) = buf.cell_mut(at)
                {
                    symbol.clear();
                    symbol.extend([PLACEHOLDER, row, column]);
                    cell.set_symbol(&symbol).set_style(style);
                }
            }
        }
    }
}

/// Returns which tiles of a picture have a placeholder on the screen.
pub(super) fn visible(place: PicturePlace, buf: &Buffer) -> Vec<bool> {
    let is_placeholder = |cell: &Cell| cell.symbol().starts_with(PLACEHOLDER);
    let any = |tile: Rect| tile.positions().any(|at| buf.cell(at).is_some_and(is_placeholder));
    tiles(place.area).map(any).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLACE: PicturePlace = PicturePlace {
        area: Rect::new(3, 2, 40, 20),
        cell: (8, 16),
        first: 0x01_02_03,
    };

    #[test]
    fn tiles_cover_the_area_once() {
        let all: Vec<Rect> = tiles(PLACE.area).collect();
        assert_eq!(all.len(), 9);
        let characters: u32 = all.iter().map(|tile| tile.area()).sum();
        assert_eq!(characters, PLACE.area.area());
        for at in PLACE.area.positions() {
            let index = index_of(PLACE.area, (at.x, at.y)).unwrap();
            assert!(all[index].contains(at));
        }
        assert_eq!(index_of(PLACE.area, (2, 2)), None);
        assert_eq!(tiles(Rect::ZERO).count(), 0);
        assert_eq!(tiles(Rect::new(0, 0, 1000, 1000)).count(), MOST);
    }

    #[test]
    fn placeholders_count_rows_and_columns_of_their_tile() {
        let mut buf = Buffer::empty(Rect::new(0, 0, 60, 30));
        fill(PLACE, &mut buf);
        assert_eq!(buf[(3, 2)].symbol(), "\u{10eeee}\u{305}\u{305}");
        assert_eq!(buf[(3, 2)].fg, Color::Rgb(1, 2, 3));
        // The first character of the last tile, and its last one.
        assert_eq!(buf[(35, 18)].symbol(), "\u{10eeee}\u{305}\u{305}");
        assert_eq!(buf[(42, 21)].symbol(), "\u{10eeee}\u{310}\u{33f}");
        assert_eq!(buf[(42, 21)].fg, Color::Rgb(1, 2, 11));
        assert_eq!(buf[(43, 21)].symbol(), " ");
        assert_eq!(unicode_width::UnicodeWidthStr::width(buf[(42, 21)].symbol()), 1);
    }

    #[test]
    fn covered_tiles_are_not_visible() {
        let mut buf = Buffer::empty(Rect::new(0, 0, 60, 30));
        assert!(visible(PLACE, &buf).iter().all(|seen| !seen));
        fill(PLACE, &mut buf);
        assert!(visible(PLACE, &buf).iter().all(|seen| *seen));
        for at in Rect::new(3, 2, 16, 8).positions() {
            buf[at].set_symbol("x");
        }
        let seen = visible(PLACE, &buf);
        assert_eq!(seen.iter().filter(|seen| !**seen).count(), 1);
        assert!(!seen[0]);
    }
}
