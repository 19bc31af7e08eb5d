//! Small pictures of dungeons: pixels from a background service, two or eight per character.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color, Style};
use ratatui::symbols::pixel::OCTANTS;

use crate::background::Pixels;
use crate::geometry::Size;
use crate::tui::theme::{Depth, Theme};

/// The number of pixels per character, and the kind of characters that show them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::tui) enum CellResolution {
    /// Two pixels, one above the other, each in its colour.
    Halves,
    /// Two columns and four rows of pixels, as Braille dots.
    Dots,
    /// Two columns and four rows of pixels, as filled blocks, for terminals that can draw octants.
    Octants,
}

impl CellResolution {
    /// Returns the rows and columns of pixels per character.
    pub(in crate::tui) const fn pixels(self) -> (i32, i32) {
        match self {
            Self::Halves => (2, 1),
            Self::Dots | Self::Octants => (4, 2),
        }
    }

    /// Returns the resolution for a picture of `rows` × `columns` pixels: two pixels per character if the picture then
    /// fits the area, else eight.
    pub(in crate::tui) const fn fitting([rows, columns]: [usize; 2], area: Rect, has_octants: bool) -> Self {
        if rows <= 2 * area.height as usize && columns <= area.width as usize {
            Self::Halves
        } else {
            Self::eight(has_octants)
        }
    }

    /// Returns the resolution of eight pixels per character.
    pub(in crate::tui) const fn eight(has_octants: bool) -> Self {
        if has_octants { Self::Octants } else { Self::Dots }
    }

    /// Returns the columns and rows of characters for a dungeon whose pixels are blocks of `block` × `block` squares.
    pub(in crate::tui) fn extent(self, size: Size, block: i32) -> (u16, u16) {
        let (rows, columns) = self.pixels();
        let (rows, columns) = (rows * block.max(1), columns * block.max(1));
        let characters = |squares: i32, each: i32| ((squares + each - 1) / each).clamp(0, i32::from(u16::MAX)) as u16;
        (characters(size.y, columns), characters(size.x, rows))
    }
}

/// Draws pixels in the centre of an area, clipped to it.
pub(in crate::tui) fn draw(theme: Theme, pixels: &Pixels, resolution: CellResolution, area: Rect, buf: &mut Buffer) {
    let size = [pixels.len(), pixels.first().map_or(0, Vec::len)];
    let color = |x: usize, y: usize| {
        let pixel = pixels.get(x).and_then(|row| row.get(y)).copied().flatten();
        pixel.and_then(|(tile, mark)| theme.tile(tile, mark))
    };
    paint(theme, size, color, resolution, area, |at, glyph, style| {
        if glyph != ' '
            && let Some(cell) = buf.cell_mut(at)
        {
            cell.set_char(glyph).set_style(style);
        }
    });
}

/// Paints a picture of `size` rows and columns of pixels in the centre of an area, clipped to it: calls `put` with each
/// character's position, glyph and style. `color` accepts a pixel's row and column, and returns `None` for an open
/// pixel.
pub(in crate::tui) fn paint(
    theme: Theme,
    size: [usize; 2],
    color: impl Fn(usize, usize) -> Option<Color>,
    resolution: CellResolution,
    area: Rect,
    mut put: impl FnMut((u16, u16), char, Style),
) {
    let (rows, columns) = resolution.pixels();
    let (rows, columns) = (rows as usize, columns as usize);
    let (high, wide) = (size[0].div_ceil(rows) as u16, size[1].div_ceil(columns) as u16);
    let left = area.x + area.width.saturating_sub(wide) / 2;
    let top = area.y + area.height.saturating_sub(high) / 2;
    for row in 0..high.min(area.height) {
        for column in 0..wide.min(area.width) {
            let (x, y) = (usize::from(row) * rows, usize::from(column) * columns);
            let (glyph, style) = if resolution == CellResolution::Halves {
                stacked(theme, color(x, y), color(x + 1, y))
            } else {
                let seen = std::array::from_fn(|i| color(x + i / 2, y + i % 2));
                dots(theme, seen, resolution)
            };
            put((left + column, top + row), glyph, style);
        }
    }
}

/// Returns the character and style for two pixels, one above the other; `None` is an open pixel.
pub(in crate::tui) fn stacked(theme: Theme, top: Option<Color>, bottom: Option<Color>) -> (char, Style) {
    let text = theme.text();
    match (top, bottom) {
        (None, None) => (' ', text),
        (Some(top), None) => ('▀', text.fg(top)),
        (None, Some(bottom)) => ('▄', text.fg(bottom)),
        (Some(top), Some(bottom)) if top == bottom => ('█', text.fg(top)),
        (Some(top), Some(bottom)) => ('▀', text.fg(top).bg(bottom)),
    }
}

/// Returns the character and style for eight pixels, which are given row by row. The character has the most frequent
/// colour of the pixels. If no pixel is open and the terminal has colours, an octant shows the two most frequent
/// colours.
pub(in crate::tui) fn dots(theme: Theme, seen: [Option<Color>; 8], resolution: CellResolution) -> (char, Style) {
    /// The bit of each pixel in Unicode's Braille patterns, row by row.
    const BRAILLE: [u32; 8] = [0x01, 0x08, 0x02, 0x10, 0x04, 0x20, 0x40, 0x80];
    let most = |other_than: Option<Color>| {
        let count = |color: Color| seen.iter().filter(|other| **other == Some(color)).count();
        let colors = seen.iter().flatten().filter(|color| Some(**color) != other_than);
        colors.copied().max_by_key(|color| count(*color))
    };
    let text = theme.text();
    let Some(first) = most(None) else {
        return (' ', text);
    };
    let style = text.fg(first);
    let filled = |is: &dyn Fn(Option<Color>) -> bool| seen.map(is);
    if resolution == CellResolution::Octants {
        let bits = |filled: [bool; 8]| {
            let filled = filled.iter().rev();
            filled.fold(0, |bits, filled| bits << 1 | usize::from(*filled))
        };
        let is_full = seen.iter().all(Option::is_some);
        let second = most(Some(first)).filter(|_| is_full && theme.depth() != Depth::None);
        return match second {
            None => (OCTANTS[bits(filled(&|color| color.is_some()))], style),
            Some(second) => (OCTANTS[bits(filled(&|color| color != Some(second)))], style.bg(second)),
        };
    }
    let bits = seen.iter().zip(BRAILLE).filter(|(color, _)| color.is_some());
    let bits: u32 = bits.map(|(_, bit)| bit).sum();
    (char::from_u32(0x2800 + bits).unwrap_or(' '), style)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{Mark, Tile};
    use crate::tui::fixture::drawn_at_any_size;

    fn pixels(rows: &[&str]) -> Pixels {
        let pixel = |c: char| c.to_digit(10).map(|digit| (Tile::Wall, Mark::Generation(digit as u8)));
        rows.iter().map(|row| row.chars().map(pixel).collect()).collect()
    }

    #[test]
    fn pixels_are_drawn_in_every_resolution() {
        let theme = Theme::new(Depth::True);
        let picture = pixels(&["1111", "1..1", "1.21", "1111"]);
        let drawn = |resolution: CellResolution, area: (u16, u16)| {
            drawn_at_any_size(|area, buf| draw(theme, &picture, resolution, area, buf), area)
        };
        assert_eq!(drawn(CellResolution::Halves, (4, 2)), "█▀▀█\n█▄▀█\n");
        assert_eq!(drawn(CellResolution::Dots, (2, 1)), "⣏⣹\n".replace('⣹', "⣽"));
        assert_eq!(
            drawn(CellResolution::Halves, (8, 2)),
            "  █▀▀█  \n  █▄▀█  \n",
            "in the middle"
        );
        assert_eq!(CellResolution::Halves.extent(Size::new(5, 9), 1), (9, 3));
        assert_eq!(CellResolution::Dots.extent(Size::new(100, 60), 2), (15, 13));
        assert_eq!(CellResolution::Dots.extent(Size::new(0, 0), 0), (0, 0));
    }

    #[test]
    fn octants_have_two_colours_where_nothing_is_open() {
        let theme = Theme::new(Depth::True);
        let [a, b] = [1, 2].map(|generation| Some(theme.generation(generation)));
        let (glyph, style) = dots(theme, [a, b, a, a, a, a, a, a], CellResolution::Octants);
        assert_eq!((style.fg, style.bg), (a, b));
        assert_eq!(glyph, OCTANTS[0b1111_1101]);
        let (glyph, style) = dots(theme, [a, None, a, a, a, a, a, a], CellResolution::Octants);
        assert_eq!((glyph, style.bg), (OCTANTS[0b1111_1101], None));
        assert_eq!(dots(theme, [None; 8], CellResolution::Dots).0, ' ');
    }
}
