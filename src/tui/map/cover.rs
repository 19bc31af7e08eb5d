//! A layer of metrics over the map, such as the squares of the shortest path, of dead ends or of enclosed areas.
//!
//! At near zoom levels, the background of each square is marked; at far ones, whole characters are highlighted. In a
//! dungeon much larger than the viewport, only a sample of the squares is checked; [`points`] draws the squares that
//! the sample must not miss, such as those of the shortest path.

use ratatui::buffer::{Buffer, Cell};
use ratatui::style::{Color, Modifier, Style};

use super::marked::half;
use crate::analysis::LayerKind;
use crate::geometry::Point;
use crate::tui::overlay::ShownLayer;
use crate::tui::theme::{Depth, Theme};
use crate::tui::viewport::{MapWindow, Zoom};
use crate::tui::widget::text::put_glyph;
use crate::tui::wording;

/// Squares sampled per character in each direction.
const SAMPLES: i32 = 6;

/// The style of all squares that have the same number in a layer, such as the squares of one dead end.
#[derive(Debug, Clone, Copy)]
struct NumberStyle {
    glyph: char,
    /// The colours of the mark and of its background.
    style: Style,
    /// Whether the mark has a stronger colour, and takes precedence in a character that shows several squares.
    strong: bool,
}

fn number_style(theme: Theme, shown: &ShownLayer<'_>, number: u16) -> NumberStyle {
    let strong = match shown.layer {
        LayerKind::Way | LayerKind::Junctions | LayerKind::Outer | LayerKind::ChokePoints | LayerKind::Walk => true,
        LayerKind::Enclosed => shown
            .metrics
            .enclosed
            .get(usize::from(number) - 1)
            .is_none_or(|area| !area.in_vault),
        LayerKind::Reached | LayerKind::DeadEnds | LayerKind::Widths | LayerKind::VisibleArea | LayerKind::Seen => {
            false
        }
    };
    let is_picked = shown.picked == Some(number) && !matches!(shown.layer, LayerKind::Way | LayerKind::Reached);
    let style = match shown.layer {
        _ if is_picked => theme.highlight(),
        LayerKind::Widths => theme.width(usize::from(number)),
        LayerKind::VisibleArea | LayerKind::Walk => theme.level(usize::from(number)),
        layer => theme.layer(layer as usize),
    };
    NumberStyle {
        glyph: wording::layer_glyph(shown.layer, number),
        style,
        strong: strong || is_picked,
    }
}

pub(super) fn draw(theme: Theme, shown: &ShownLayer<'_>, view: &MapWindow, buf: &mut Buffer) {
    let (rows, columns) = (view.zoom.rows(), view.zoom.columns());
    let step = |squares: i32| (squares / SAMPLES).max(1);
    let looks = |number: u16| number_style(theme, shown, number);
    for row in view.area.top()..view.area.bottom() {
        for column in (view.area.left()..view.area.right()).step_by(view.zoom.width() as usize) {
            let first = view.square_at(column, row);
            let Some(cell) = buf.cell_mut((column, row)) else {
                continue;
            };
            match view.zoom {
                Zoom::Double => {
                    if let Some(look) = shown.cover.number(first).map(looks) {
                        near(theme, cell, look, false);
                        if let Some(beside) = buf.cell_mut((column + 1, row)) {
                            near(theme, beside, look, true);
                        }
                    }
                }
                Zoom::Half => {
                    for (at, upper) in [(first, true), (Point::new(first.x + 1, first.y), false)] {
                        if let Some(look) = shown.cover.number(at).map(looks) {
                            middle(theme, cell, look, upper);
                        }
                    }
                }
                Zoom::Dots(_) => {
                    let squares = (0..rows)
                        .step_by(step(rows) as usize)
                        .flat_map(|x| (0..columns).step_by(step(columns) as usize).map(move |y| (x, y)));
                    let numbers = squares.filter_map(|(x, y)| shown.cover.number(Point::new(first.x + x, first.y + y)));
                    if let Some(look) = numbers.map(looks).max_by_key(|look| look.strong) {
                        far(theme, cell, look);
                    }
                }
            }
        }
    }
    points(theme, shown, view, buf);
}

/// Draws the squares that must be visible at any zoom, and the mouths of dead ends.
fn points(theme: Theme, shown: &ShownLayer<'_>, view: &MapWindow, buf: &mut Buffer) {
    let metrics = shown.metrics;
    let mut put = |at: Point, number: usize| {
        let number = u16::try_from(number).unwrap_or(u16::MAX);
        let look = NumberStyle {
            strong: true,
            ..number_style(theme, shown, number)
        };
        let Some((column, row)) = view.character_of(at) else {
            return;
        };
        match view.zoom {
            Zoom::Dots(_) => {
                if let Some(cell) = buf.cell_mut((column, row)) {
                    far(theme, cell, look);
                }
            }
            Zoom::Half if shown.layer == LayerKind::DeadEnds => {
                if let Some(cell) = buf.cell_mut((column, row)) {
                    middle(theme, cell, look, view.square_at(column, row) == at);
                }
            }
            Zoom::Double if shown.layer == LayerKind::DeadEnds => {
                for i in 0..view.zoom.width() as u16 {
                    put_glyph('=', (column + i, row), look.style, buf);
                }
            }
            // `draw` has already drawn these squares, character by character.
            _ => {}
        }
    };
    match shown.layer {
        LayerKind::Way => metrics.way.iter().for_each(|at| put(*at, 1)),
        LayerKind::Enclosed => (1..).zip(&metrics.enclosed).for_each(|(i, area)| put(area.at, i)),
        LayerKind::DeadEnds => (1..)
            .zip(&metrics.dead_ends)
            .for_each(|(i, end)| end.mouth.squares().for_each(|at| put(at, i))),
        LayerKind::Junctions => (1..).zip(&metrics.junctions).for_each(|(i, place)| put(place.at, i)),
        LayerKind::Outer => (1..)
            .zip(&metrics.outer)
            .for_each(|(i, line)| line.squares().for_each(|at| put(at, i))),
        LayerKind::Reached
        | LayerKind::Widths
        | LayerKind::VisibleArea
        | LayerKind::Seen
        | LayerKind::ChokePoints
        | LayerKind::Walk => {}
    }
}

/// Draws one of a square's two characters: the second if `beside` is true, otherwise the first. If the character shows
/// a tile, changes only the background.
fn near(theme: Theme, cell: &mut Cell, look: NumberStyle, beside: bool) {
    if cell.symbol() != " " {
        if let Some(ground) = look.style.bg {
            cell.set_bg(ground);
        }
        return;
    }
    cell.set_char(if beside { ' ' } else { look.glyph });
    match theme.depth() {
        // A whole path in reverse video would stand out more than the walls.
        Depth::None => cell.set_char(look.glyph),
        _ => cell.set_style(look.style),
    };
}

/// Draws a square that occupies half of a character.
fn middle(theme: Theme, cell: &mut Cell, look: NumberStyle, upper: bool) {
    let color = if look.strong { look.style.fg } else { look.style.bg };
    match (theme.depth(), color) {
        (Depth::Indexed | Depth::True, Some(color)) => half(cell, upper, color, color),
        (Depth::Sixteen, _) if look.strong => {
            let color = look.style.fg.unwrap_or(Color::Reset);
            half(cell, upper, color, color);
        }
        _ if cell.symbol() == " " => {
            cell.set_char(look.glyph);
            if let Some(color) = look.style.fg {
                cell.set_fg(color);
            }
        }
        _ => {}
    }
}

/// Draws a character that shows many squares.
fn far(theme: Theme, cell: &mut Cell, look: NumberStyle) {
    match (theme.depth(), look.style.bg) {
        (Depth::Indexed | Depth::True, Some(ground)) => {
            cell.set_bg(ground);
        }
        _ if cell.symbol() == " " => {
            cell.set_char(look.glyph);
            cell.set_style(look.style.remove_modifier(Modifier::REVERSED));
        }
        _ if look.strong => drop(cell.set_style(Style::new().add_modifier(Modifier::REVERSED))),
        _ => {}
    }
}
