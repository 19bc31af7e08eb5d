//! Names, characters and summaries of the metric layers over the map.

use crate::analysis::{LayerKind, Metrics};
use crate::text::{counted, thousands};

/// Returns a layer's name.
pub(in crate::tui) const fn layer_name(layer: LayerKind) -> &'static str {
    match layer {
        LayerKind::Way => "way",
        LayerKind::Reached => "reached",
        LayerKind::Enclosed => "enclosed",
        LayerKind::DeadEnds => "dead ends",
        LayerKind::Junctions => "junctions",
        LayerKind::Outer => "outer wall",
        LayerKind::Widths => "widths",
    }
}

/// Returns the character that marks a square of a layer; for widths it is `number` as a digit in base 36, or `z`
/// if there is no such digit.
pub(in crate::tui) fn layer_glyph(layer: LayerKind, number: u16) -> char {
    match layer {
        LayerKind::Way => '•',
        LayerKind::Reached => '·',
        LayerKind::Enclosed => '×',
        LayerKind::DeadEnds => '~',
        LayerKind::Junctions => '◆',
        LayerKind::Outer => '=',
        LayerKind::Widths => char::from_digit(u32::from(number), 36).unwrap_or('z'),
    }
}

/// Summarizes a layer in a word or two, such as its count.
pub(in crate::tui) fn layer_summary(layer: LayerKind, metrics: &Metrics) -> String {
    let count = |count: usize| thousands(count as u64);
    match layer {
        LayerKind::Way => metrics
            .path()
            .map_or_else(|| "none".into(), |path| counted(path, "step")),
        LayerKind::Reached => counted(metrics.squares, "square"),
        LayerKind::Enclosed => count(metrics.enclosed.len()),
        LayerKind::DeadEnds => count(metrics.dead_ends.len()),
        LayerKind::Junctions => count(metrics.junctions.len()),
        LayerKind::Outer => format!("{:.0} %", metrics.outer_wall() * 100.0),
        LayerKind::Widths => metrics
            .width()
            .map_or_else(|| "none".into(), |width| format!("median {width}")),
    }
}
