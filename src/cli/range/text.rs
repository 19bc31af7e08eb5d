//! Formats a map of the expressive range as text.

use std::fmt::Write as _;

use super::Drawn;
use crate::analysis::RangeAxis;
use crate::export::{class_labels, glyph};

/// Width of a cell in characters.
const WIDE: usize = 2;

/// Minimum distance between two labels of the vertical axis, in rows. If fewer than two labels would fit, the minimum
/// is 1.
const APART: usize = 2;

/// Returns the map as lines of text.
pub(super) fn write(drawn: &Drawn<'_>) -> String {
    let map = drawn.map;
    let mut text = format!("{}\n{}\n\n", drawn.title(), drawn.subtitle());
    let glyph_at = |across, up| map.cell(across, up).map_or(' ', |cell| glyph(map, cell.count));
    text += &grid(map.axes(), drawn.names.each_ref().map(String::as_str), glyph_at);
    text.push('\n');
    for (label, [count, _]) in class_labels(map).iter().zip(map.classes()) {
        let _ = write!(text, "{} {label}  ", glyph(map, count).to_string().repeat(WIDE));
    }
    text.push_str("dungeons\n");
    text
}

/// Returns a grid over two axes, with the labels and names of the axes. `glyph` returns the character for a cell, given
/// its bins on the horizontal and the vertical axis.
pub(in crate::cli) fn grid(axes: &[RangeAxis; 2], names: [&str; 2], glyph: impl Fn(usize, usize) -> char) -> String {
    let [x, y] = axes;
    let margin = y.label_width();
    let mut text = format!("{}\n", names[1]);
    // The label of an edge between two rows is written beside the row above the edge. A label in the middle of a row is
    // written beside that row.
    let mut numbers = vec![String::new(); y.bins() + 1];
    for (place, label) in labels(y, [APART, 1]) {
        numbers[place as usize] = label;
    }
    for up in (0..y.bins()).rev() {
        let row: String = (0..x.bins()).flat_map(|across| [glyph(across, up); WIDE]).collect();
        let _ = writeln!(text, "{:>margin$} │{}", numbers[up], row.trim_end());
    }
    let _ = writeln!(text, "{:margin$} └{}", "", "─".repeat(x.bins() * WIDE));
    let mut line: Vec<char> = Vec::new();
    // At least two spaces separate the labels, or one if the axis is short.
    let apart = [2, 1].map(|spaces| (x.label_width() + spaces).div_ceil(WIDE));
    for (place, label) in labels(x, apart) {
        let middle = (place * WIDE as f64) as usize;
        let from = (middle + 1).saturating_sub(label.len().div_ceil(2)).max(line.len());
        line.resize(from, ' ');
        line.extend(label.chars());
    }
    let _ = writeln!(text, "{:margin$}  {}", "", line.into_iter().collect::<String>());
    let _ = writeln!(text, "{:margin$}  {}", "", names[0]);
    text
}

/// Returns the labels of an axis, each with its position. `apart` contains two minimum distances between labels, in
/// bins; the second one applies if the first one leaves fewer than two labels inside the grid.
fn labels(axis: &RangeAxis, apart: [usize; 2]) -> Vec<(f64, String)> {
    let [labels, closer] = apart.map(|apart| axis.ticks(apart).collect::<Vec<_>>());
    let inside = labels.iter().filter(|(place, _)| *place < axis.bins() as f64);
    if inside.count() < 2 { closer } else { labels }
}
