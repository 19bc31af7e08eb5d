//! Converts the map's characters to pixels, given the number of pixels per square.
//!
//! Block characters become filled areas. A symbol, such as an arrow or a letter, is drawn as a shape into its square.

use std::collections::HashMap;
use std::sync::LazyLock;

use ratatui::buffer::Cell;
use ratatui::style::{Color, Modifier};
use ratatui::symbols::pixel::OCTANTS;

use super::scene::DOTS;
use crate::export::font;
use crate::tui::pictures::{CLEAR, Raster, Rgba};
use crate::tui::theme::{Ground, Theme};

/// Smallest side of a square, in pixels, with room for one letter.
const LETTER: u32 = 9;

/// Smallest side of a square, in pixels, with room for two letters.
const TWO_LETTERS: u32 = 13;

impl Raster {
    /// Draws a square of `side` pixels: its background, then its symbol.
    pub(super) fn draw(&mut self, (left, top): (i32, i32), side: u32, look: &Look) {
        let length = side as i32;
        self.fill((left, top), (length, length), look.ground);
        let Some(shape) = look.shape else { return };
        for down in 0..length {
            for right in 0..length {
                if shape.covers(right, down, length) {
                    self.set((left + right, top + down), look.ink);
                }
            }
        }
        if let Shape::Letters(letters) = shape {
            self.letters((left, top), side, letters, look.ink);
        }
    }

    /// Draws one letter or two adjacent letters in the middle of a square.
    fn letters(&mut self, (left, top): (i32, i32), side: u32, letters: [char; 2], color: Rgba) {
        let mut text: String = letters.iter().filter(|letter| **letter != ' ').collect();
        if side < TWO_LETTERS {
            text.truncate(text.chars().next().map_or(0, char::len_utf8));
        }
        let scale = (side / TWO_LETTERS).max(1);
        let width = (font::width(&text).saturating_sub(1)) * scale;
        let (x, y) = (
            side.saturating_sub(width) / 2,
            side.saturating_sub(font::HEIGHT * scale) / 2,
        );
        for (column, row) in font::pixels(&text) {
            let at = (left + (x + column * scale) as i32, top + (y + row * scale) as i32);
            self.fill(at, (scale as i32, scale as i32), color);
        }
    }
}

/// The appearance of a square: its background and, if it shows a symbol, the symbol's shape and colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Look {
    pub(super) ground: Rgba,
    ink: Rgba,
    shape: Option<Shape>,
}

impl Look {
    pub(super) const fn has_sign(&self) -> bool {
        self.shape.is_some()
    }
}

/// The shape of a symbol in a square.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shape {
    /// A column: a smaller square.
    Column,
    /// A small dot.
    Dot,
    /// A filled circle, also used for letters that do not fit.
    Disc,
    /// A triangle that points in the direction given as a step in rows and columns.
    Triangle(i32, i32),
    /// An arrow that points in the direction given as a step in rows and columns.
    Arrow(i32, i32),
    /// The outline of the square.
    Outline,
    /// Both diagonals.
    Cross,
    /// Two horizontal bars.
    Bars,
    /// One or two letters.
    Letters([char; 2]),
}

impl Shape {
    /// Returns the shape for a square's two characters; `side` is the square's side in pixels.
    fn of(glyphs: [char; 2], side: u32) -> Self {
        match glyphs {
            ['▐', '▌'] => Self::Column,
            ['·' | '.' | ':', _] => Self::Dot,
            ['•', _] => Self::Disc,
            // A Builder with its Direction.
            ['▲' | '▼' | '◀' | '▶', direction @ '←'..='↙'] => Self::of([direction, ' '], side),
            ['▲', _] => Self::Triangle(-1, 0),
            ['▼', _] => Self::Triangle(1, 0),
            ['◀', _] => Self::Triangle(0, -1),
            ['▶', _] => Self::Triangle(0, 1),
            ['↑', _] => Self::Arrow(-1, 0),
            ['↗', _] => Self::Arrow(-1, 1),
            ['→', _] => Self::Arrow(0, 1),
            ['↘', _] => Self::Arrow(1, 1),
            ['↓', _] => Self::Arrow(1, 0),
            ['↙', _] => Self::Arrow(1, -1),
            ['←', _] => Self::Arrow(0, -1),
            ['↖', _] => Self::Arrow(-1, -1),
            ['□' | '[', _] => Self::Outline,
            ['×' | '╳', _] => Self::Cross,
            ['=' | '≈' | '~', _] => Self::Bars,
            [' ', second] if second != ' ' => Self::of([second, ' '], side),
            _ if side >= LETTER => Self::Letters(glyphs),
            _ => Self::Disc,
        }
    }

    /// Returns whether the shape covers a pixel of a square; [`Self::Letters`] covers none.
    fn covers(self, right: i32, down: i32, side: i32) -> bool {
        // Twice the distance from the centre, so that the numbers are integers.
        let (x, y) = (2 * right - side + 1, 2 * down - side + 1);
        let within = |parts: i32| x.abs().max(y.abs()) * 4 < side * parts;
        match self {
            Self::Column => within(3),
            Self::Dot => x.abs().max(y.abs()) * 5 <= side.max(5),
            Self::Disc => (x * x + y * y) * 9 <= side * side * 4,
            Self::Triangle(rows, columns) => {
                let (along, across) = (x * columns + y * rows, x * rows + y * columns);
                within(3) && across.abs() * 2 <= side * 3 / 4 - along
            }
            Self::Arrow(rows, columns) => {
                let (along, across) = (x * columns + y * rows, x * rows - y * columns);
                let length = side * 3 / 4 * (rows.abs() + columns.abs());
                let shaft = across.abs() * 5 <= side && along.abs() <= length;
                let head = along > length / 4 && across.abs() <= length - along;
                within(4) && (shaft || head)
            }
            Self::Outline => !within(3),
            Self::Cross => within(3) && (x.abs() - y.abs()).abs() * 5 <= side,
            Self::Bars => within(3) && (y.abs() - side / 3).abs() * 6 <= side,
            Self::Letters(_) => false,
        }
    }
}

/// The colours assumed for the terminal's default text and background, which a character may use.
#[derive(Debug, Clone, Copy)]
pub(super) struct Inks {
    text: Rgba,
    ground: Rgba,
}

impl Inks {
    pub(super) const fn of(theme: Theme) -> Self {
        match theme.ground() {
            Ground::Dark => Self {
                text: [222, 222, 222, 255],
                ground: [0, 0, 0, 255],
            },
            Ground::Light => Self {
                text: [34, 34, 34, 255],
                ground: [255, 255, 255, 255],
            },
        }
    }

    /// Returns the text and background colours of a character.
    fn of_cell(self, cell: &Cell) -> (Rgba, Rgba) {
        let color = |color: Color, or: Rgba| Theme::rgb(color).map_or(or, |[red, green, blue]| [red, green, blue, 255]);
        if cell.modifier.contains(Modifier::REVERSED) {
            (color(cell.bg, self.ground), color(cell.fg, self.text))
        } else {
            (color(cell.fg, self.text), color(cell.bg, CLEAR))
        }
    }

    /// Returns the appearance of a square that two characters show.
    pub(super) fn square(self, cells: [&Cell; 2], side: u32) -> Look {
        let (ink, ground) = self.of_cell(cells[0]);
        let solid = |ground: Rgba| Look {
            ground,
            ink,
            shape: None,
        };
        let glyphs = cells.map(|cell| cell.symbol().chars().next().unwrap_or(' '));
        match glyphs {
            [' ', ' '] => solid(ground),
            // A high wall (`▓`) already has a colour of its own; a lighter shade would look like the design's walls.
            ['█' | '▓', _] => solid(ink),
            ['▒', _] => solid(mixed(ink, ground, 2)),
            ['░', _] => solid(mixed(ink, ground, 1)),
            _ => Look {
                ground,
                ink: if glyphs[0] == ' ' {
                    self.of_cell(cells[1]).0
                } else {
                    ink
                },
                shape: Some(Shape::of(glyphs, side)),
            },
        }
    }

    /// Returns the colours of the two squares that a character shows, one above the other.
    pub(super) fn halves(self, cell: &Cell) -> [Rgba; 2] {
        let (ink, ground) = self.of_cell(cell);
        match cell.symbol() {
            " " => [ground; 2],
            "▀" => [ink, ground],
            "▄" => [ground, ink],
            "█" => [ink; 2],
            // Any other symbol has no upper and lower half. Both squares get the background colour or, if the background
            // is transparent, the symbol's colour.
            _ if ground == CLEAR => [ink; 2],
            _ => [ground; 2],
        }
    }

    /// Returns the colours of the eight parts of a character, in four rows of two.
    pub(super) fn blocks(self, cell: &Cell) -> [Rgba; 8] {
        let (ink, ground) = self.of_cell(cell);
        let glyph = cell.symbol().chars().next().unwrap_or(' ');
        let bits = BLOCKS.get(&glyph).copied().unwrap_or(u8::MAX);
        std::array::from_fn(|i| if bits >> i & 1 == 1 { ink } else { ground })
    }
}

/// Mixes two colours: `quarters` quarters of the first and the remainder of the second.
fn mixed(ink: Rgba, ground: Rgba, quarters: u16) -> Rgba {
    let mut mixed = ink;
    if ground[3] == 0 {
        mixed[3] = (u16::from(ink[3]) * quarters / 4) as u8;
        return mixed;
    }
    for (mixed, ground) in mixed.iter_mut().zip(ground) {
        *mixed = ((u16::from(*mixed) * quarters + u16::from(ground) * (4 - quarters)) / 4) as u8;
    }
    mixed
}

/// The filled parts of each octant and Braille character as bits. The eight parts form four rows of two; the first
/// part is the lowest bit.
static BLOCKS: LazyLock<HashMap<char, u8>> = LazyLock::new(|| {
    let octants = (0..=u8::MAX).zip(OCTANTS).map(|(bits, glyph)| (glyph, bits));
    let braille = (0..=u8::MAX).filter_map(|bits| {
        let dot = |i: usize| if bits >> i & 1 == 1 { DOTS[i % 2][i / 2] } else { 0 };
        Some((char::from_u32(0x2800 + (0..8).map(dot).sum::<u32>())?, bits))
    });
    braille.chain(octants).chain([(' ', 0)]).collect()
});

#[cfg(test)]
mod tests {
    use super::*;
    use crate::design::Feature;
    use crate::tui::overlay::feature_glyph;

    fn cell(glyph: char, fg: Color, bg: Color) -> Cell {
        let mut cell = Cell::default();
        cell.set_char(glyph).set_fg(fg).set_bg(bg);
        cell
    }

    fn picture(glyphs: [char; 2], side: u32) -> String {
        let [ink, ground] = [Color::Rgb(9, 9, 9), Color::Rgb(1, 1, 1)];
        let cells = glyphs.map(|glyph| cell(glyph, ink, ground));
        let look = Inks::of(Theme::new(crate::tui::theme::Depth::True)).square([&cells[0], &cells[1]], side);
        let mut raster = Raster::new(side as i32, side as i32);
        raster.draw((0, 0), side, &look);
        let rows = raster.pixels.chunks(side as usize);
        let mut text = String::from("\n");
        for row in rows {
            text.extend(row.iter().map(|pixel| if pixel[0] == 9 { '#' } else { '.' }));
            text.push('\n');
        }
        text
    }

    #[test]
    fn symbols_are_recognizable_in_eight_and_in_fourteen_pixels() {
        let mut all = String::new();
        for glyphs in [
            ['▲', '▲'],
            ['◀', '◀'],
            ['↗', ' '],
            ['→', ' '],
            ['▐', '▌'],
            ['·', ' '],
            ['×', ' '],
            ['=', '='],
            ['S', ' '],
            ['B', '2'],
        ] {
            all.extend(glyphs);
            all.push_str(&picture(glyphs, 8));
            all.push_str(&picture(glyphs, 14));
        }
        insta::assert_snapshot!(all);
    }

    #[test]
    fn no_symbol_of_the_map_is_drawn_as_a_question_mark() {
        let unknown = picture(['\u{fffd}', ' '], 16);
        let features = (0..=u8::MAX).filter_map(Feature::of_number).filter_map(feature_glyph);
        for glyph in features
            .chain(['◆', '◇', '∩', '<', '>', '@', '╳'])
            .filter(|glyph| *glyph != '?')
        {
            assert_ne!(picture([glyph, ' '], 16), unknown, "{glyph}");
        }
    }

    #[test]
    fn an_arrow_is_replaced_only_by_a_direction() {
        for beside in [' ', '▶', '▒', '█', '·'] {
            assert_eq!(Shape::of(['▶', beside], 16), Shape::Triangle(0, 1), "{beside}");
        }
        assert_eq!(Shape::of(['▶', '↘'], 16), Shape::Arrow(1, 1));
    }

    #[test]
    fn blocks_become_their_colours() {
        let inks = Inks::of(Theme::new(crate::tui::theme::Depth::True));
        let (red, blue) = (Color::Rgb(200, 0, 0), Color::Rgb(0, 0, 200));
        let [solid_red, solid_blue] = [[200, 0, 0, 255], [0, 0, 200, 255]];
        assert_eq!(inks.halves(&cell('▀', red, blue)), [solid_red, solid_blue]);
        assert_eq!(inks.halves(&cell('▄', red, Color::Reset)), [CLEAR, solid_red]);
        assert_eq!(inks.halves(&cell('▲', red, blue)), [solid_blue; 2]);
        let upper = OCTANTS[0b0000_1111];
        let [a, b, c] = [solid_red, solid_blue, CLEAR];
        assert_eq!(inks.blocks(&cell(upper, red, blue)), [a, a, a, a, b, b, b, b]);
        assert_eq!(
            inks.blocks(&cell('\u{2801}', red, Color::Reset)),
            [a, c, c, c, c, c, c, c]
        );
        assert_eq!(inks.blocks(&cell(' ', red, blue)), [b; 8]);
        let faint = inks.square([&cell('░', red, Color::Reset), &cell('░', red, Color::Reset)], 8);
        assert_eq!((faint.ground, faint.shape), ([200, 0, 0, 63], None));
    }

    #[test]
    fn nothing_is_drawn_outside() {
        let mut raster = Raster::new(4, 3);
        raster.fill((-5, -5), (100, 100), [1; 4]);
        assert_eq!(raster.pixels, vec![[1; 4]; 12]);
        raster.outline((-1, -1), 20, 2, [2; 4]);
        raster.set((4, 0), [3; 4]);
        raster.set((0, 3), [3; 4]);
        assert!(!raster.pixels.contains(&[3; 4]));
        assert!(Raster::new(-1, 5).pixels.is_empty());
    }
}
