//! Names, characters and summaries of the metric layers over the map.

use crate::analysis::{LARGEST_FLOOR, LayerKind, MOST_WIDTH, Metrics};
use crate::text::{counted, thousands};

/// Returns a layer's name.
pub(in crate::tui) const fn layer_name(layer: LayerKind) -> &'static str {
    match layer {
        LayerKind::Way => "path",
        LayerKind::Reached => "reached",
        LayerKind::Enclosed => "enclosed",
        LayerKind::DeadEnds => "dead ends",
        LayerKind::Junctions => "junctions",
        LayerKind::Outer => "outer wall",
        LayerKind::Widths => "widths",
        LayerKind::VisibleArea => "visible area",
        LayerKind::Seen => "seen",
        LayerKind::ChokePoints => "choke points",
        LayerKind::Walk => "walk",
    }
}

/// Returns the character that marks a square of a layer; for widths, visible areas and walks, the character is `number`
/// as a digit in base 36, or `z` if there is no such digit.
pub(in crate::tui) fn layer_glyph(layer: LayerKind, number: u16) -> char {
    match layer {
        LayerKind::Way => '•',
        LayerKind::Reached | LayerKind::Seen => '·',
        LayerKind::Enclosed => '×',
        LayerKind::DeadEnds => '~',
        LayerKind::Junctions | LayerKind::ChokePoints => '◆',
        LayerKind::Outer => '=',
        LayerKind::Widths | LayerKind::VisibleArea | LayerKind::Walk => {
            char::from_digit(u32::from(number), 36).unwrap_or('z')
        }
    }
}

/// Names a counted passage width: `3 wide`, or `32+ wide` for [`MOST_WIDTH`], which includes all wider passages.
pub(in crate::tui) fn passage_width(width: usize) -> String {
    let more = if width == MOST_WIDTH { "+" } else { "" };
    format!("{width}{more} wide")
}

/// Summarizes a layer in a few words, such as the number of its squares.
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
        LayerKind::Outer => format!("{:.0}%", metrics.outer_wall() * 100.0),
        LayerKind::Widths => metrics
            .width()
            .map_or_else(|| "none".into(), |width| format!("median {width}")),
        LayerKind::VisibleArea => visible_area(metrics),
        LayerKind::Seen => unseen(metrics),
        LayerKind::ChokePoints => choke_points(metrics),
        LayerKind::Walk => found(metrics),
    }
}

/// Describes the median visible area, or returns the text of [`not_measured`] if the area has not been measured.
fn visible_area(metrics: &Metrics) -> String {
    let area = metrics.sight.visible_area;
    area.map_or_else(
        || not_measured(metrics),
        |area| format!("median {}", counted(area, "square")),
    )
}

/// Describes the share of the floor that is seen from the path.
fn unseen(metrics: &Metrics) -> String {
    match metrics.sight.unseen {
        Some(unseen) => format!("{:.0}% seen from the path", (1.0 - unseen) * 100.0),
        None if metrics.is_reachable() => not_measured(metrics),
        None => "there is no path".into(),
    }
}

/// Describes the number of choke points.
fn choke_points(metrics: &Metrics) -> String {
    let count = metrics.sight.choke_points;
    count.map_or_else(|| not_measured(metrics), |count| counted(count, "square"))
}

/// Describes how many steps the explorers need to find the exit, and how much they see.
fn found(metrics: &Metrics) -> String {
    let sight = metrics.sight;
    match (sight.found, sight.explored) {
        (Some(found), Some(explored)) => format!("{}, {:.0}% seen", counted(found, "step"), explored * 100.0),
        _ if !metrics.is_reachable() => "there is no path".into(),
        _ if metrics.squares > LARGEST_FLOOR => "too large to measure".into(),
        _ => not_measured(metrics),
    }
}

/// Returns the text for a metric that is measured only when the user shows its layer, and only if a square is reachable.
fn not_measured(metrics: &Metrics) -> String {
    match metrics.squares {
        0 => "no square is reachable".into(),
        _ => "unmeasured until shown".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::{MetricsCalculator, Scene};
    use crate::geometry::Point;
    use crate::tui::fixture::spiral;

    #[test]
    fn the_greatest_counted_width_includes_wider_passages() {
        assert_eq!([3, 31, 32].map(passage_width), ["3 wide", "31 wide", "32+ wide"]);
    }

    #[test]
    fn a_metric_that_cannot_be_measured_does_not_wait_for_its_layer() {
        let (grid, ..) = spiral(1);
        let mut metrics = MetricsCalculator::new().measure(&grid, &Scene::default());
        metrics.way = vec![Point::new(1, 1)];
        metrics.squares = LARGEST_FLOOR;
        assert_eq!(layer_summary(LayerKind::Walk, &metrics), "unmeasured until shown");
        metrics.squares += 1;
        assert_eq!(layer_summary(LayerKind::Walk, &metrics), "too large to measure");
        assert_eq!(
            layer_summary(LayerKind::ChokePoints, &metrics),
            "unmeasured until shown"
        );
        metrics.way.clear();
        metrics.squares = 0;
        assert_eq!(
            layer_summary(LayerKind::VisibleArea, &metrics),
            "no square is reachable"
        );
        assert_eq!(layer_summary(LayerKind::Walk, &metrics), "there is no path");
    }
}
