//! The screen of a terminal that shows pictures, composed of characters and pictures, for the tests.

use vt100::{Cell, Color, Screen};
use wallcrawler::export::font;

pub(crate) use super::kitty::Pictures;
use super::kitty::{self, Placeholder, Rgba};

/// The size of a character in pixels.
pub(crate) const CELL: (usize, usize) = (8, 16);

type Rgb = [u8; 3];

/// The terminal's default colours of the background and of text.
const GROUND: Rgb = [16, 16, 16];
const TEXT: Rgb = [204, 204, 204];

/// Returns the screen in pixels, row by row; `None` if a placeholder has no picture.
pub(crate) fn compose(pictures: &Pictures, screen: &Screen) -> Option<Vec<Vec<Rgb>>> {
    let (rows, cols) = screen.size();
    let (width, height) = CELL;
    let mut image = vec![vec![GROUND; usize::from(cols.get()) * width]; usize::from(rows.get()) * height];
    for row in 0..rows.get() {
        for col in 0..cols.get() {
            let Some(cell) = screen.cell(row, col) else { continue };
            let shown = placeholder(cell);
            for down in 0..height {
                for right in 0..width {
                    let ground = rgb(cell.bgcolor(), GROUND);
                    let pixel = match shown {
                        Some(shown) => over(pictures.pixel(shown, (right, down))?, ground),
                        None => character(cell, (right, down), ground),
                    };
                    image[usize::from(row) * height + down][usize::from(col) * width + right] = pixel;
                }
            }
        }
    }
    Some(image)
}

/// Returns what a placeholder shows; `None` for other characters.
pub(crate) fn placeholder(cell: &Cell) -> Option<Placeholder> {
    kitty::placeholder(cell.contents(), || match cell.fgcolor() {
        Color::Rgb(red, green, blue) => [red, green, blue],
        color => panic!("the number of a picture is a colour of 24 bits: {color:?}"),
    })
}

fn over(pixel: Rgba, ground: Rgb) -> Rgb {
    let mixed = |i: usize| {
        let opacity = u32::from(pixel[3]);
        ((u32::from(pixel[i]) * opacity + u32::from(ground[i]) * (255 - opacity)) / 255) as u8
    };
    [mixed(0), mixed(1), mixed(2)]
}

fn rgb(color: Color, default: Rgb) -> Rgb {
    match color {
        Color::Rgb(red, green, blue) => [red, green, blue],
        // Other colours do not occur with true colour.
        Color::Default | Color::Idx(_) => default,
    }
}

/// Returns a pixel of a character that is not a placeholder: letters from a small font, blocks and lines drawn exactly.
fn character(cell: &Cell, (right, down): (usize, usize), ground: Rgb) -> Rgb {
    let ink = rgb(cell.fgcolor(), TEXT);
    let (ink, ground) = if cell.inverse() { (ground, ink) } else { (ink, ground) };
    let is_set = match cell.contents() {
        "" | " " => false,
        "█" => true,
        "▀" => down < 8,
        "▄" => down >= 8,
        "─" | "━" => down == 7,
        "│" | "┃" => right == 3,
        "╭" | "╮" | "╰" | "╯" | "┌" | "┐" | "└" | "┘" => (down == 7) || (right == 3),
        text => {
            let mut pixels = font::pixels(text);
            pixels.any(|(column, row)| (column as usize + 1, row as usize + 4) == (right, down))
        }
    };
    if is_set { ink } else { ground }
}
