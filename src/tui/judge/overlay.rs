//! What figures look like on the map: which layer is shown over it, and the signs of entrance and exit.

use ratatui::style::Style;

use crate::analysis::{Cover, Figures, Layer};
use crate::geometry::Point;
use crate::text::counted;
use crate::tui::app::{App, Focus, Tone};
use crate::tui::map::Mark;
use crate::tui::screen::thousands;
use crate::tui::views::{self, View};

/// A layer as it is drawn.
#[derive(Debug, Clone, Copy)]
pub(in crate::tui) struct Shown<'a> {
    /// Which.
    pub layer: Layer,
    /// What it says of each square.
    pub cover: &'a Cover,
    /// The figures that it belongs to.
    pub figures: &'a Figures,
    /// The number that stands out, as [`Cover::number`] gives it.
    pub picked: Option<u16>,
}

/// Shows the layer that is `by` places further in the ring, of which no layer is one.
pub(super) fn turn(app: &mut App, by: i32) {
    let ring = app.judge.overlay.map_or(0, |layer| layer as i32 + 1);
    let next = (ring + by).rem_euclid(Layer::ALL.len() as i32 + 1) as usize;
    show(app, next.checked_sub(1).map(|index| Layer::ALL[index]));
}

/// Shows a layer, or none when it is shown already.
pub(super) fn toggle(app: &mut App, layer: Layer) {
    show(app, Some(layer).filter(|layer| app.judge.overlay != Some(*layer)));
}

fn show(app: &mut App, overlay: Option<Layer>) {
    app.judge.overlay = overlay;
    app.say(Tone::Done, overlay.map_or("no layer over the map", about));
}

/// What a layer is called.
pub(in crate::tui) const fn name(layer: Layer) -> &'static str {
    match layer {
        Layer::Way => "way",
        Layer::Reached => "reached",
        Layer::Enclosed => "enclosed",
        Layer::DeadEnds => "dead ends",
        Layer::Junctions => "junctions",
        Layer::Outer => "outer wall",
        Layer::Widths => "widths",
    }
}

const fn about(layer: Layer) -> &'static str {
    match layer {
        Layer::Way => "layer: the shortest way from the entrance to the exit",
        Layer::Reached => "layer: squares that can be walked to, where objects may be placed",
        Layer::Enclosed => "layer: areas that cannot be walked to from the largest one",
        Layer::DeadEnds => "layer: dead ends, and the line that each is entered across",
        Layer::Junctions => "layer: junctions, from which three ways or more lead away",
        Layer::Outer => "layer: straight corridors of 10 squares or more along the outer wall",
        Layer::Widths => "layer: how wide the passage is in which a square lies",
    }
}

/// How a square of a layer is marked where a character shows it; widths tell their number.
pub(in crate::tui) fn glyph(layer: Layer, number: u16) -> char {
    match layer {
        Layer::Way => '•',
        Layer::Reached => '·',
        Layer::Enclosed => '×',
        Layer::DeadEnds => '~',
        Layer::Junctions => '◆',
        Layer::Outer => '=',
        Layer::Widths => char::from_digit(u32::from(number), 36).unwrap_or('z'),
    }
}

/// What there is of a layer, in a word or two.
pub(in crate::tui) fn told(layer: Layer, figures: &Figures) -> String {
    let count = |count: usize| thousands(count as u64);
    match layer {
        Layer::Way => figures
            .path()
            .map_or_else(|| "none".into(), |path| counted(path, "step")),
        Layer::Reached => counted(figures.squares, "square"),
        Layer::Enclosed => count(figures.enclosed.len()),
        Layer::DeadEnds => count(figures.dead_ends.len()),
        Layer::Junctions => count(figures.junctions.len()),
        Layer::Outer => format!("{:.0} %", figures.outer_wall() * 100.0),
        Layer::Widths => figures
            .width()
            .map_or_else(|| "none".into(), |width| format!("median {width}")),
    }
}

/// The layer that shall be shown: that of the line selected in the view Figures while it has the focus, else the one
/// that was chosen for the map.
pub(super) fn wanted(app: &App) -> Option<Layer> {
    if app.areas().map.is_empty() {
        return None;
    }
    selected(app).map(|(layer, _)| layer).or(app.judge.overlay)
}

fn selected(app: &App) -> Option<(Layer, Option<u16>)> {
    let looks = app.focus == Focus::View && app.views.shown == View::Figures;
    looks.then(|| views::selected_figure(app)).flatten()
}

/// The layer over the map, once it is known.
pub(in crate::tui) fn shown(app: &App) -> Option<Shown<'_>> {
    let wanted = wanted(app)?;
    let judged = super::judged(app)?;
    let (layer, cover) = judged.cover.as_ref().filter(|(layer, _)| *layer == wanted)?;
    let size = app.time.frame()?.grid().size();
    (cover.size() == size).then(|| Shown {
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
