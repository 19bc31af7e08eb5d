//! What figures look like on the map: which layer is shown over it, and the signs of entrance and exit.

use ratatui::style::Style;

use crate::analysis::{LayerKind, Metrics, SquareLayer};
use crate::geometry::Point;
use crate::text::counted;
use crate::tui::app::{App, Focus, NoticeLevel};
use crate::tui::map::Mark;
use crate::tui::screen::thousands;
use crate::tui::views::{self, View};

/// A layer as it is drawn.
#[derive(Debug, Clone, Copy)]
pub(in crate::tui) struct ShownLayer<'a> {
    /// Which.
    pub layer: LayerKind,
    /// What it says of each square.
    pub cover: &'a SquareLayer,
    /// The figures that it belongs to.
    pub figures: &'a Metrics,
    /// The number that stands out, as [`SquareLayer::number`] gives it.
    pub picked: Option<u16>,
}

/// Shows the layer that is `by` places further in the ring, of which no layer is one.
pub(super) fn turn(app: &mut App, by: i32) {
    let ring = app.judge.overlay.map_or(0, |layer| layer as i32 + 1);
    let next = (ring + by).rem_euclid(LayerKind::ALL.len() as i32 + 1) as usize;
    show(app, next.checked_sub(1).map(|index| LayerKind::ALL[index]));
}

/// Shows a layer, or none when it is shown already.
pub(super) fn toggle(app: &mut App, layer: LayerKind) {
    show(app, Some(layer).filter(|layer| app.judge.overlay != Some(*layer)));
}

fn show(app: &mut App, overlay: Option<LayerKind>) {
    app.judge.overlay = overlay;
    app.say(NoticeLevel::Done, overlay.map_or("no layer over the map", about));
}

/// What a layer is called.
pub(in crate::tui) const fn name(layer: LayerKind) -> &'static str {
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

const fn about(layer: LayerKind) -> &'static str {
    match layer {
        LayerKind::Way => "layer: the shortest way from the entrance to the exit",
        LayerKind::Reached => "layer: squares that can be walked to, where objects may be placed",
        LayerKind::Enclosed => "layer: areas that cannot be walked to from the largest one",
        LayerKind::DeadEnds => "layer: dead ends, and the line that each is entered across",
        LayerKind::Junctions => "layer: junctions, from which three ways or more lead away",
        LayerKind::Outer => "layer: straight corridors of 10 squares or more along the outer wall",
        LayerKind::Widths => "layer: how wide the passage is in which a square lies",
    }
}

/// How a square of a layer is marked where a character shows it; widths tell their number.
pub(in crate::tui) fn glyph(layer: LayerKind, number: u16) -> char {
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

/// What there is of a layer, in a word or two.
pub(in crate::tui) fn told(layer: LayerKind, figures: &Metrics) -> String {
    let count = |count: usize| thousands(count as u64);
    match layer {
        LayerKind::Way => figures
            .path()
            .map_or_else(|| "none".into(), |path| counted(path, "step")),
        LayerKind::Reached => counted(figures.squares, "square"),
        LayerKind::Enclosed => count(figures.enclosed.len()),
        LayerKind::DeadEnds => count(figures.dead_ends.len()),
        LayerKind::Junctions => count(figures.junctions.len()),
        LayerKind::Outer => format!("{:.0} %", figures.outer_wall() * 100.0),
        LayerKind::Widths => figures
            .width()
            .map_or_else(|| "none".into(), |width| format!("median {width}")),
    }
}

/// The layer that shall be shown: that of the line selected in the view Figures while it has the focus, else the one
/// that was chosen for the map.
pub(super) fn wanted(app: &App) -> Option<LayerKind> {
    if app.areas().map.is_empty() {
        return None;
    }
    selected(app).map(|(layer, _)| layer).or(app.judge.overlay)
}

fn selected(app: &App) -> Option<(LayerKind, Option<u16>)> {
    let looks = app.focus == Focus::View && app.views.shown == View::Figures;
    looks.then(|| views::selected_figure(app)).flatten()
}

/// The layer over the map, once it is known.
pub(in crate::tui) fn shown(app: &App) -> Option<ShownLayer<'_>> {
    let wanted = wanted(app)?;
    let judged = super::judged(app)?;
    let (layer, cover) = judged.cover.as_ref().filter(|(layer, _)| *layer == wanted)?;
    let size = app.time.frame()?.grid().size();
    (cover.size() == size).then(|| ShownLayer {
        layer: *layer,
        cover,
        figures: &judged.figures,
        picked: selected(app).and_then(|(_, picked)| picked),
    })
}

/// Whether entrance and exit are shown: when something tells of figures, or the design says where they are.
fn shows_ends(app: &App) -> bool {
    let expect = &app.document.design().expect;
    super::is_wanted(app) || expect.entrance.is_some() || expect.exit.is_some()
}

/// Where one enters and leaves: as the design says, or as the figures found it.
pub(super) fn ends(app: &App) -> [Option<Point>; 2] {
    let expect = &app.document.design().expect;
    let figures = super::judged(app).map(|judged| &judged.figures);
    [
        expect.entrance.or_else(|| figures?.entrance),
        expect.exit.or_else(|| figures?.exit),
    ]
}

/// The signs of entrance and exit.
pub(in crate::tui) fn marks(app: &App) -> Vec<Mark> {
    if !shows_ends(app) {
        return Vec::new();
    }
    let style: Style = app.theme.way_sign();
    let signs = [['<', '<'], ['>', '>']];
    let ends = ends(app).into_iter().zip(signs);
    ends.filter_map(|(at, glyphs)| {
        Some(Mark {
            beside: style,
            ..Mark::sign(at?, glyphs, style)
        })
    })
    .collect()
}
