//! Metrics on the map: the layer shown over the map, and the symbols of named places and of the entrance and exit.

use ratatui::style::Style;

use super::MetricsState;
use crate::analysis::LayerKind;
use crate::geometry::Point;
use crate::tui::editor::Editor;
use crate::tui::overlay::{Mark, ShownLayer};
use crate::tui::widget::form::ring;

/// Moves `by` steps through the ring of layers, in which "no layer" is one of the positions, and shows the layer
/// reached.
pub(super) fn turn(metrics: &mut MetricsState, editor: &mut Editor, by: i32) {
    let now = metrics.overlay.map_or(0, |layer| layer as usize + 1);
    let next = ring(now, by, LayerKind::ALL.len() + 1);
    show(metrics, editor, next.checked_sub(1).map(|index| LayerKind::ALL[index]));
}

/// Shows a layer, or hides it if it is shown.
pub(super) fn toggle(metrics: &mut MetricsState, editor: &mut Editor, layer: LayerKind) {
    show(
        metrics,
        editor,
        Some(layer).filter(|layer| metrics.overlay != Some(*layer)),
    );
}

fn show(metrics: &mut MetricsState, editor: &mut Editor, overlay: Option<LayerKind>) {
    metrics.overlay = overlay;
    editor.done(overlay.map_or("layer switched off", description));
}

const fn description(layer: LayerKind) -> &'static str {
    match layer {
        LayerKind::Way => "layer: shortest path from the entrance to the exit",
        LayerKind::Reached => "layer: reachable squares (a game can place objects on them)",
        LayerKind::Enclosed => "layer: areas not connected to the largest one",
        LayerKind::DeadEnds => "layer: dead ends, each with a line at its mouth",
        LayerKind::Junctions => "layer: junctions of three or more passages",
        LayerKind::Outer => "layer: straight corridors of 10 squares or more along the outer wall",
        LayerKind::Widths => "layer: width of the passage at each square",
        LayerKind::VisibleArea => "layer: how much of the dungeon is visible from each square",
        LayerKind::Seen => "layer: squares visible from the shortest path",
        LayerKind::ChokePoints => "layer: squares without which the floor would not be connected",
        LayerKind::Walk => "layer: the walk of an explorer who searches for the exit, coloured from first step to last",
    }
}

/// Returns the layer to show: while the Metrics view has the focus, the layer of its selected line, otherwise the
/// layer chosen for the map.
pub(super) fn wanted(metrics: &MetricsState, editor: &Editor) -> Option<LayerKind> {
    if editor.areas.map.is_empty() {
        return None;
    }
    metrics.pointed.map(|(layer, _)| layer).or(metrics.overlay)
}

/// Returns the layer to draw over the map; `None` until its squares are known.
pub(in crate::tui) fn shown<'a>(metrics: &'a MetricsState, editor: &Editor) -> Option<ShownLayer<'a>> {
    let wanted = wanted(metrics, editor)?;
    let reply = super::last_reply(metrics)?;
    let (layer, cover) = reply.cover.as_ref().filter(|(layer, _)| *layer == wanted)?;
    let size = editor.time.frame()?.grid().size();
    (cover.size() == size).then(|| ShownLayer {
        layer: *layer,
        cover,
        metrics: &reply.metrics,
        picked: metrics.pointed.and_then(|(_, picked)| picked),
    })
}

/// Returns whether the entrance and exit are shown: either metrics are shown, or the design sets the entrance or exit.
fn shows_ends(metrics: &MetricsState, editor: &Editor) -> bool {
    let expect = &editor.document.design().expect;
    super::is_wanted(metrics, editor) || expect.entrance.is_some() || expect.exit.is_some()
}

/// Returns the entrance and exit: those set by the design, otherwise those that the metrics found.
pub(super) fn ends(metrics: &MetricsState, editor: &Editor) -> [Option<Point>; 2] {
    let expect = &editor.document.design().expect;
    let measured = super::last_reply(metrics).map(|reply| &reply.metrics);
    [
        expect.entrance.or_else(|| measured?.entrance),
        expect.exit.or_else(|| measured?.exit),
    ]
}

/// Returns the symbols of named places, and of the entrance and exit. The symbol of a place is a diamond beside the
/// first letter of its name.
pub(in crate::tui) fn marks(metrics: &MetricsState, editor: &Editor) -> Vec<Mark> {
    let style: Style = editor.theme.endpoint_style();
    let places = editor.named_places().map(|(_, place, at)| {
        let letter = place.name.chars().find(|c| c.is_alphabetic()).unwrap_or('?');
        Mark::glyph(at, ['◆', letter], style)
    });
    let mut marks: Vec<Mark> = places.collect();
    if !shows_ends(metrics, editor) {
        return marks;
    }
    let signs = [['<', '<'], ['>', '>']];
    let ends = ends(metrics, editor).into_iter().zip(signs);
    marks.extend(ends.filter_map(|(at, glyphs)| Some(Mark::glyph(at?, glyphs, style))));
    marks
}
