//! Draws a map of the expressive range: a grid over two metrics, in which each cell is shaded by the number of dungeons
//! with the cell's values. The map has axes and a legend.

use std::io::Write;

use super::chart::{Anchor, Chart};
use super::palette::{density, luminance, mixed};
use super::{ExportError, Ground, Palette, Rgb, font};
use crate::analysis::{RangeAxis, RangeCell, RangeMap};

/// Number of pixels per font pixel in labels and wide cells.
pub(super) const TEXT: u32 = 2;
/// Number of pixels per font pixel in narrow cells.
const SMALL: u32 = 1;

/// Height of a line of text, and gap between the elements of the picture, in pixels.
pub(super) const LINE: u32 = font::HEIGHT * TEXT;
pub(super) const GAP: u32 = 10;

/// Cells are enlarged so that axis names up to this length, in pixels, fit.
pub(super) const MOST_OF_NAME: u32 = 480;

/// Length of the tick marks on the axes, in pixels.
pub(super) const TICK: u32 = 6;

/// A map of the expressive range with its title and labels.
#[derive(Clone, Copy)]
pub struct RangePicture<'a> {
    /// The map to draw.
    pub map: &'a RangeMap,
    /// First line, which names the dungeons and the metrics.
    pub title: &'a str,
    /// Second line, such as the number of dungeons and their seeds.
    pub subtitle: &'a str,
    /// Names of the horizontal and the vertical axis, with units.
    pub names: [&'a str; 2],
    /// Returns the text shown while the pointer is on a cell.
    pub hint: &'a dyn Fn(&RangeCell) -> String,
    /// Background that the colours are chosen for.
    pub ground: Ground,
}

/// Returns the fill colour of a cell with this count.
fn shade(map: &RangeMap, count: u64, ground: Ground) -> Rgb {
    density(ground)[shade_of_five(map, count)]
}

/// A character for each shade, for screens without colours.
const GLYPHS: [char; 5] = ['·', '░', '▒', '▓', '█'];

/// Returns the index of a count's shade on a scale of five shades. If the map has fewer than five classes (ranges
/// of counts that share a shade), they are spread over the scale; a single class has the middle shade.
pub fn shade_of_five(map: &RangeMap, count: u64) -> usize {
    match map.classes().len() {
        0 | 1 => GLYPHS.len() / 2,
        classes => map.class_of(count) * (GLYPHS.len() - 1) / (classes - 1),
    }
}

/// Returns the character of a shade on a scale of five.
pub fn shade_glyph(shade: usize) -> char {
    GLYPHS[shade.min(GLYPHS.len() - 1)]
}

/// Returns the character of a count's shade.
pub fn glyph(map: &RangeMap, count: u64) -> char {
    shade_glyph(shade_of_five(map, count))
}

/// Returns the texts of the legend: the range of counts of each class, lowest counts first.
pub fn class_labels(map: &RangeMap) -> Vec<String> {
    let label = |[from, to]: [u64; 2]| {
        if from == to {
            from.to_string()
        } else {
            format!("{from} to {to}")
        }
    };
    map.classes().into_iter().map(label).collect()
}

impl RangePicture<'_> {
    /// Writes the map as SVG.
    ///
    /// # Errors
    ///
    /// Fails if writing fails.
    pub fn svg(&self, out: &mut dyn Write) -> Result<(), ExportError> {
        self.chart().svg(out)
    }

    /// Writes the map as PNG.
    ///
    /// # Errors
    ///
    /// Fails if writing fails or the picture would be too large.
    pub fn png(&self, out: &mut dyn Write) -> Result<(), ExportError> {
        self.chart().png(out)
    }

    /// Returns the width and height in pixels.
    pub fn size(&self) -> [u32; 2] {
        self.chart().size()
    }

    fn chart(&self) -> Chart {
        let [x, y] = self.map.axes();
        let (across, down) = (x.bins() as u32, y.bins() as u32);
        // The fewer cells a map has, the larger they are. Even the smallest have room for three digits.
        let label = |text: &str| font::width(text) * TEXT;
        let least = self.names.map(|name| label(name).min(MOST_OF_NAME));
        let cell = [
            (960 / across).clamp(38, 160).max(least[0].div_ceil(across)),
            (520 / down).clamp(22, 100).max(least[1].div_ceil(down)),
        ];
        let left = GAP + LINE + GAP + label(&"0".repeat(y.label_width())) + TICK + 4;
        let top = GAP + 2 * (LINE + GAP) + GAP;
        let plot = [across * cell[0], down * cell[1]];
        let legend = self.legend_width();
        let texts = [self.title, self.subtitle].map(label).into_iter().max().unwrap_or(0) + GAP;
        let right = label(&"0".repeat(x.label_width())) / 2 + GAP;
        let width = (left + plot[0] + right).max(left + legend + GAP).max(GAP + texts);
        let height = top + plot[1] + TICK + 4 + 3 * (LINE + GAP) + 2 * GAP;
        let palette = Palette::of(self.ground);
        let ink = palette.text;
        let mut chart = Chart::new(width, height, self.title, palette.ground);
        chart.text([GAP, GAP], Anchor::Start, self.title, ink, TEXT);
        let quiet = mixed(palette.ground, ink, 2, 3);
        chart.text([GAP, GAP + LINE + GAP], Anchor::Start, self.subtitle, quiet, TEXT);
        frame(&mut chart, [left, top], plot, mixed(palette.ground, ink, 1, 3));
        for one in self.map.cells() {
            let place = [
                left + one.across as u32 * cell[0],
                top + (down - 1 - one.up as u32) * cell[1],
            ];
            self.cell(&mut chart, one, place, cell);
        }
        labels(
            &mut chart,
            self.map.axes(),
            self.names,
            self.ground,
            [left, top],
            plot,
            cell,
        );
        self.legend(&mut chart, [left, top + plot[1] + TICK + 4 + 2 * (LINE + GAP) + GAP]);
        chart
    }

    /// Draws a cell with its count.
    fn cell(&self, chart: &mut Chart, one: &RangeCell, [left, top]: [u32; 2], [wide, high]: [u32; 2]) {
        let fill = shade(self.map, one.count, self.ground);
        chart.rect([left, top, wide - 1, high - 1], fill, (self.hint)(one));
        let text = one.count.to_string();
        let room = wide - 4;
        let fits = |scale: u32| font::width(&text) * scale <= room + scale;
        let Some(scale) = [TEXT, SMALL].into_iter().find(|scale| fits(*scale)) else {
            return;
        };
        // At a luminance of 0.18, black and white contrast equally with the fill.
        let ink = if luminance(fill) > 0.18 { [0; 3] } else { [255; 3] };
        let at = [left + wide / 2, top + (high - font::HEIGHT * scale) / 2];
        chart.text(at, Anchor::Middle, &text, ink, scale);
    }

    /// Returns the width of the legend in pixels.
    fn legend_width(&self) -> u32 {
        let entries = class_labels(self.map);
        let entry = |text: &String| 2 * LINE + GAP + font::width(text) * TEXT + 2 * GAP;
        entries.iter().map(entry).sum::<u32>() + font::width(LEGEND) * TEXT
    }

    /// Draws the legend: each shade with its range of counts.
    fn legend(&self, chart: &mut Chart, [left, top]: [u32; 2]) {
        let ink = Palette::of(self.ground).text;
        let mut at = left;
        for (label, [count, _]) in class_labels(self.map).iter().zip(self.map.classes()) {
            let fill = shade(self.map, count, self.ground);
            chart.rect([at, top - 2, 2 * LINE, LINE + 4], fill, String::new());
            at += 2 * LINE + GAP;
            chart.text([at, top], Anchor::Start, label, ink, TEXT);
            at += font::width(label) * TEXT + 2 * GAP;
        }
        chart.text([at, top], Anchor::Start, LEGEND, ink, TEXT);
    }
}

/// Draws the tick labels and names of two axes around a plot. The plot has the given left edge, top edge, width
/// and height; `cell` is the width and height of a cell.
pub(super) fn labels(
    chart: &mut Chart,
    [x, y]: &[RangeAxis; 2],
    names: [&str; 2],
    ground: Ground,
    [left, top]: [u32; 2],
    [wide, high]: [u32; 2],
    cell: [u32; 2],
) {
    let palette = Palette::of(ground);
    let (ink, line) = (palette.text, mixed(palette.ground, palette.text, 1, 2));
    let bottom = top + high;
    let width = font::width(&"0".repeat(x.label_width() + 1)) * TEXT;
    for (place, text) in x.ticks(width.div_ceil(cell[0]) as usize) {
        let at = left + (place * f64::from(cell[0])) as u32;
        chart.rect([at, bottom + 1, 1, TICK], line, String::new());
        chart.text([at, bottom + TICK + 4], Anchor::Middle, &text, ink, TEXT);
    }
    for (place, text) in y.ticks((LINE + GAP).div_ceil(cell[1]) as usize) {
        let at = bottom - (place * f64::from(cell[1])) as u32;
        chart.rect([left - 1 - TICK, at, TICK, 1], line, String::new());
        let corner = [left - TICK - 4, at - LINE / 2];
        chart.text(corner, Anchor::End, &text, ink, TEXT);
    }
    let below = bottom + TICK + 4 + LINE + GAP;
    chart.text([left + wide / 2, below], Anchor::Middle, names[0], ink, TEXT);
    chart.text([GAP, top + high / 2], Anchor::Upwards, names[1], ink, TEXT);
}

/// Draws a frame, one pixel wide, around the given area.
pub(super) fn frame(chart: &mut Chart, [left, top]: [u32; 2], [wide, high]: [u32; 2], line: Rgb) {
    for place in [
        [left - 1, top - 1, wide + 2, 1],
        [left - 1, top + high, wide + 2, 1],
        [left - 1, top, 1, high],
        [left + wide, top, 1, high],
    ] {
        chart.rect(place, line, String::new());
    }
}

/// The word that ends the legend.
const LEGEND: &str = "dungeons";
