//! Draws an atlas: a small map of a dungeon in each cell of a grid over two metrics.

use std::io::Write;

use super::chart::{Anchor, Chart};
use super::dungeon_rows::{Map, largest};
use super::palette::mixed;
use super::range_map::{GAP, LINE, MOST_OF_NAME, TEXT, TICK, frame, labels};
use super::{ExportError, Ground, Palette, font};
use crate::analysis::RangeAxis;
use crate::engine::Grid;

/// Minimum distance of a map from the edges of its cell, in pixels.
const MARGIN: u32 = 2;

/// Minimum length of the longer side of the largest map, in pixels.
const LEAST_SIDE: u32 = 40;

/// An atlas with its labels.
#[derive(Debug, Clone)]
pub struct AtlasPicture<'a> {
    /// The horizontal and the vertical axis.
    pub axes: [RangeAxis; 2],
    /// Names of the horizontal and the vertical axis, with units.
    pub names: [&'a str; 2],
    /// First line, which says what the atlas shows.
    pub title: &'a str,
    /// Second line, which says how the dungeons were found.
    pub subtitle: &'a str,
    /// The dungeon of each filled cell, with the cell's column (from the left) and row (from the bottom).
    pub dungeons: &'a [([usize; 2], Grid)],
    /// Column and row of the cell that is drawn with a frame, because it contains the design itself; `None` for no
    /// frame.
    pub design: Option<[usize; 2]>,
    /// Background that the colours are chosen for.
    pub ground: Ground,
}

impl AtlasPicture<'_> {
    /// Writes the atlas as PNG, with one pixel per square, or more if the dungeons are small.
    ///
    /// # Errors
    ///
    /// Fails if writing fails or the picture would be too large.
    pub fn png(&self, out: &mut dyn Write) -> Result<(), ExportError> {
        self.chart().png(out)
    }

    fn chart(&self) -> Chart {
        let [x, y] = &self.axes;
        let palette = Palette::of(self.ground);
        let ink = palette.text;
        let largest = largest(self.dungeons.iter().map(|(_, grid)| grid));
        let map = Map::new(largest, LEAST_SIDE, palette.ground, ink);
        let label = |text: &str| font::width(text) * TEXT;
        let bins = [x, y].map(|axis| axis.bins() as u32);
        // If an axis has few cells, they are enlarged so that the name of the axis fits.
        let cell: [u32; 2] = std::array::from_fn(|side| {
            let name = label(self.names[side]).min(MOST_OF_NAME);
            (map.size[side] + 2 * MARGIN).max(name.div_ceil(bins[side]))
        });
        let plot = [bins[0] * cell[0], bins[1] * cell[1]];
        let left = GAP + LINE + GAP + label(&"0".repeat(y.label_width())) + TICK + 4;
        let top = GAP + 2 * (LINE + GAP) + GAP;
        let texts = [self.title, self.subtitle].map(label).into_iter().max().unwrap_or(0) + GAP;
        let right = label(&"0".repeat(x.label_width())) / 2 + GAP;
        let width = (left + plot[0] + right).max(GAP + texts);
        let height = top + plot[1] + TICK + 4 + 2 * (LINE + GAP) + GAP;
        let mut chart = Chart::new(width, height, self.title, palette.ground);
        chart.text([GAP, GAP], Anchor::Start, self.title, ink, TEXT);
        let quiet = mixed(palette.ground, ink, 2, 3);
        chart.text([GAP, GAP + LINE + GAP], Anchor::Start, self.subtitle, quiet, TEXT);
        let line = mixed(palette.ground, ink, 1, 3);
        frame(&mut chart, [left, top], plot, line);
        let corner = |[across, up]: [usize; 2]| {
            let down = y.bins() - 1 - up;
            [left + across as u32 * cell[0], top + down as u32 * cell[1]]
        };
        for (place, grid) in self.dungeons {
            let corner = corner(*place);
            let at = std::array::from_fn(|side| corner[side] + (cell[side] - map.size[side]) / 2);
            map.draw(&mut chart, grid, at);
        }
        if let Some(design) = self.design {
            let mark = mixed(ink, [255, 64, 0], 3, 4);
            let [left, top] = corner(design);
            for inset in 0..MARGIN {
                let inner = [cell[0] - 2 * inset - 2, cell[1] - 2 * inset - 2];
                frame(&mut chart, [left + inset + 1, top + inset + 1], inner, mark);
            }
        }
        labels(&mut chart, &self.axes, self.names, self.ground, [left, top], plot, cell);
        chart
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Size;

    #[test]
    fn names_of_axes_fit_beside_a_single_small_cell() {
        let axis = || RangeAxis::of([3.0].into_iter(), 1).unwrap();
        let name = "a metric with a rather long name";
        let picture = AtlasPicture {
            axes: [axis(), axis()],
            names: [name; 2],
            title: "title",
            subtitle: "subtitle",
            dungeons: &[([0, 0], Grid::new(Size::new(20, 20)))],
            design: None,
            ground: Ground::default(),
        };
        let sides = picture.chart().size();
        assert!(sides.iter().all(|side| *side > font::width(name) * TEXT), "{sides:?}");
    }
}
