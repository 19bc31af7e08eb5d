//! A picture in memory.

use super::Rgba;

/// A transparent pixel, through which the terminal's background is visible.
pub(in crate::tui) const CLEAR: Rgba = [0; 4];

/// Minimum side, in pixels, of the area inside the frame around a square.
const LEAST_FRAME: i32 = 5;

/// A rectangle of pixels, stored row by row.
#[derive(Debug, Clone)]
pub(in crate::tui) struct Raster {
    width: i32,
    pub(in crate::tui) pixels: Vec<Rgba>,
}

impl Raster {
    /// Creates a raster of transparent pixels.
    pub(in crate::tui) fn new(width: i32, height: i32) -> Self {
        let all = i64::from(width.max(0)) * i64::from(height.max(0));
        Self {
            width,
            pixels: vec![CLEAR; usize::try_from(all).unwrap_or(0)],
        }
    }

    /// Sets a pixel; does nothing if the position is outside the raster.
    pub(in crate::tui) fn set(&mut self, (right, down): (i32, i32), color: Rgba) {
        if (0..self.width).contains(&right)
            && let Ok(at) = usize::try_from(i64::from(down) * i64::from(self.width) + i64::from(right))
            && let Some(pixel) = self.pixels.get_mut(at)
        {
            *pixel = color;
        }
    }

    /// Fills the part of a rectangle that lies in the raster.
    pub(in crate::tui) fn fill(&mut self, (left, top): (i32, i32), (width, height): (i32, i32), color: Rgba) {
        let (from, to) = (left.clamp(0, self.width), (left + width).clamp(0, self.width));
        for row in top.max(0)..top + height {
            let at = |column: i32| usize::try_from(i64::from(row) * i64::from(self.width) + i64::from(column)).ok();
            let Some(pixels) = at(from)
                .zip(at(to))
                .and_then(|(from, to)| self.pixels.get_mut(from..to))
            else {
                return;
            };
            pixels.fill(color);
        }
    }

    /// Draws the outline of a square with the given side; the line is `thick` pixels wide, inside the square.
    pub(in crate::tui) fn outline(&mut self, (left, top): (i32, i32), side: i32, thick: i32, color: Rgba) {
        let thick = thick.min((side + 1) / 2);
        self.fill((left, top), (side, thick), color);
        self.fill((left, top + side - thick), (side, thick), color);
        self.fill((left, top), (thick, side), color);
        self.fill((left + side - thick, top), (thick, side), color);
    }

    /// Draws a frame around a square of the map. The frame has dark edges, so that it is visible on any colour.
    /// `colors` contains the colour of the frame and the colour of the edges.
    pub(in crate::tui) fn frame_square(&mut self, (left, top): (i32, i32), side: i32, colors: [Rgba; 2]) {
        let [bright, edge] = colors;
        let thick = (side / 8).clamp(1, 4);
        let inner = side.max(LEAST_FRAME);
        let corner = |around: i32| (left - (inner - side) / 2 - around, top - (inner - side) / 2 - around);
        self.outline(corner(thick), inner + 2 * thick, thick, bright);
        self.outline(corner(thick + 1), inner + 2 * thick + 2, 1, edge);
        self.outline(corner(0), inner, 1, edge);
    }
}
