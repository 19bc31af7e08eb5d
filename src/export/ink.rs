//! What the pages of a PDF are drawn with: lines, colours, and text in Helvetica, which every reader has.
//!
//! Characters beyond Western European ones become question marks in it.

use pdf_writer::{Content, Name, Str};

use super::Rgb;

/// Points to a millimetre.
pub(super) const MM: f32 = 72.0 / 25.4;

/// The two fonts: their names in the file, and among those that every reader has.
pub(super) const PLAIN: Name<'static> = Name(b"F1");
pub(super) const BOLD: Name<'static> = Name(b"F2");

/// Widths of the printable characters of ASCII in Helvetica, in thousandths of its height.
const WIDTHS: [u16; 95] = [
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556, 556, 556,
    556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833,
    722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556,
    556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334,
    260, 334, 584,
];

/// How wide a text is, about: what is not ASCII counts as a digit, bold as plain.
pub(super) fn width(text: &str, size: f32) -> f32 {
    let of = |c: char| {
        let place = (c as usize).checked_sub(32);
        place.and_then(|place| WIDTHS.get(place)).map_or(556, |width| *width)
    };
    text.chars().map(|c| f32::from(of(c))).sum::<f32>() * size / 1000.0
}

/// A text in the encoding of the fonts, which is that of Windows; only its part that is Latin-1, too, is used.
fn encoded(text: &str) -> Vec<u8> {
    let byte = |c: char| match c {
        ' '..='~' | '\u{a0}'..='\u{ff}' => c as u32 as u8,
        _ => b'?',
    };
    text.chars().map(byte).collect()
}

/// The beginning of a text that has room, with an ellipsis where the rest is left out.
pub(super) fn cut(text: &str, size: f32, room: f32) -> String {
    if width(text, size) <= room {
        return text.to_owned();
    }
    let mut short: String = text.to_owned();
    while !short.is_empty() && width(&short, size) + width("...", size) > room {
        short.pop();
    }
    short + "..."
}

pub(super) fn fill(content: &mut Content, rgb: Rgb) {
    let [red, green, blue] = rgb.map(|value| f32::from(value) / 255.0);
    if rgb[0] == rgb[1] && rgb[1] == rgb[2] {
        content.set_fill_gray(red);
    } else {
        content.set_fill_rgb(red, green, blue);
    }
}

pub(super) fn stroke(content: &mut Content, rgb: Rgb) {
    let [red, green, blue] = rgb.map(|value| f32::from(value) / 255.0);
    content.set_stroke_rgb(red, green, blue);
}

pub(super) fn line(content: &mut Content, from: [f32; 2], to: [f32; 2]) {
    content.move_to(from[0], from[1]).line_to(to[0], to[1]).stroke();
}

pub(super) fn text(content: &mut Content, font: Name<'_>, size: f32, [x, y]: [f32; 2], text: &str) {
    content.begin_text().set_font(font, size).next_line(x, y);
    content.show(Str(&encoded(text))).end_text();
}

/// A rectangle on the paper in points, from its left lower corner.
#[derive(Debug, Clone, Copy)]
pub(super) struct Area {
    pub(super) left: f32,
    pub(super) foot: f32,
    pub(super) width: f32,
    pub(super) height: f32,
}

impl Area {
    pub(super) fn right(self) -> f32 {
        self.left + self.width
    }

    pub(super) fn top(self) -> f32 {
        self.foot + self.height
    }
}

/// A text in lines that have room, cut between words.
pub(super) fn wrapped(text: &str, size: f32, room: f32) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if width(line, size) + width(word, size) + width(" ", size) <= room => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}
