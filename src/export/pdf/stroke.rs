//! Drawing helpers for PDF pages: fill and stroke colours, lines and areas. The module `text` draws text.

use pdf_writer::Content;

use crate::export::Rgb;

/// Points per millimetre.
pub(super) const MM: f32 = 72.0 / 25.4;

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

/// A rectangle on the paper, in points from the paper's lower left corner. `foot` is its lower edge.
#[derive(Debug, Clone, Copy)]
pub(super) struct PaperArea {
    pub(super) left: f32,
    pub(super) foot: f32,
    pub(super) width: f32,
    pub(super) height: f32,
}

impl PaperArea {
    pub(super) fn right(self) -> f32 {
        self.left + self.width
    }

    pub(super) fn top(self) -> f32 {
        self.foot + self.height
    }

    /// Returns the area with a band of this width around it.
    pub(super) fn widened(self, by: f32) -> Self {
        Self {
            left: self.left - by,
            foot: self.foot - by,
            width: self.width + 2.0 * by,
            height: self.height + 2.0 * by,
        }
    }

    pub(super) fn overlaps(self, other: Self) -> bool {
        self.left < other.right() && other.left < self.right() && self.foot < other.top() && other.foot < self.top()
    }
}
