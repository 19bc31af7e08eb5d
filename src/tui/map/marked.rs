//! The squares of the entry that is selected in a panel, shown on the map.

use ratatui::buffer::{Buffer, Cell};
use ratatui::style::Color;

use super::scene::{feature_glyph, is_filled};
use super::view::{View, Zoom};
use crate::design::Piece;
use crate::geometry::{Point, Size};
use crate::tui::app::App;
use crate::tui::{panels, vaults};

/// Squares to show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Marked {
    /// None.
    Nothing,
    /// One.
    Square(Point),
    /// The wall of a room: its centre, and how far from it the wall stands.
    Ring(Point, i32),
}

impl Marked {
    /// The squares, as far as they lie in a dungeon.
    fn squares(self, size: Size) -> impl Iterator<Item = Point> {
        let (center, reach) = match self {
            Self::Nothing => (Point::new(0, 0), -1),
            Self::Square(at) => (at, 0),
            Self::Ring(center, reach) => (center, reach),
        };
        let sides =
            (-reach..=reach).flat_map(move |along| [(-reach, along), (reach, along), (along, -reach), (along, reach)]);
        sides
            .map(move |(x, y)| Point::new(center.x.saturating_add(x), center.y.saturating_add(y)))
            .filter(move |at| size.contains(*at))
    }
}

/// Draws them over the picture.
pub(super) fn draw(app: &App, view: &View, buf: &mut Buffer) {
    let style = app.theme.highlight();
    for square in panels::marked(app).squares(app.map.dungeon) {
        let Some((column, row)) = view.character_of(square) else {
            continue;
        };
        let width = if view.zoom == Zoom::Double { 2 } else { 1 };
        for i in 0..width {
            let Some(cell) = buf.cell_mut((column + i, row)) else {
                continue;
            };
            match (view.zoom, style.fg) {
                (Zoom::Half, Some(wall)) => {
                    let upper = view.square_at(column, row) == square;
                    half(cell, upper, wall, style.bg.unwrap_or(wall));
                }
                // What else the character shows keeps its ground.
                (Zoom::Dots(_), Some(wall)) if cell.symbol() != " " => drop(cell.set_fg(wall)),
                _ => drop(cell.set_style(style)),
            }
        }
    }
}

/// Draws the vault that is being placed over the picture: its walls, and the ground of what is open.
pub(super) fn ghost(app: &App, view: &View, buf: &mut Buffer) {
    let Some(piece) = vaults::ghost(app) else { return };
    let style = app.theme.highlight();
    for (square, feature) in piece.features() {
        let Some((column, row)) = view.character_of(square) else {
            continue;
        };
        let wall = Piece::is_wall(feature);
        match (view.zoom, style.fg.zip(style.bg)) {
            (Zoom::Double | Zoom::Single, _) => {
                let glyph = feature_glyph(feature).unwrap_or(' ');
                let width = if view.zoom == Zoom::Double { 2 } else { 1 };
                for i in 0..width {
                    if let Some(cell) = buf.cell_mut((column + i, row)) {
                        let glyph = if i == 0 || is_filled(glyph) { glyph } else { ' ' };
                        cell.reset();
                        cell.set_char(glyph).set_style(style);
                    }
                }
            }
            (Zoom::Half, Some((solid, ground))) => {
                if let Some(cell) = buf.cell_mut((column, row)) {
                    let color = if wall { solid } else { ground };
                    half(cell, view.square_at(column, row) == square, color, color);
                }
            }
            (Zoom::Half | Zoom::Dots(_), _) => {
                if let Some(cell) = buf.cell_mut((column, row)) {
                    cell.set_style(style);
                }
            }
        }
    }
}

/// Colours the upper or the lower half of a character that shows two squares: what stands there as a wall, else
/// the open ground, so that doors remain to be seen.
fn half(cell: &mut Cell, upper: bool, wall: Color, open: Color) {
    let ground = Some(cell.bg).filter(|ground| *ground != Color::Reset);
    let (mut top, mut bottom) = match cell.symbol() {
        "█" => (Some(cell.fg), Some(cell.fg)),
        "▀" => (Some(cell.fg), ground),
        "▄" => (ground, Some(cell.fg)),
        _ => (None, None),
    };
    let marked = if upper { &mut top } else { &mut bottom };
    *marked = Some(if marked.is_some() { wall } else { open });
    match (top, bottom) {
        (Some(top), bottom) => cell.set_char('▀').set_fg(top).set_bg(bottom.unwrap_or(Color::Reset)),
        (None, bottom) => cell.set_char('▄').set_fg(bottom.unwrap_or(open)).set_bg(Color::Reset),
    };
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn marks_stay_in_the_dungeon() {
        let size = Size::new(20, 30);
        let squares = |marked: Marked| marked.squares(size).collect::<BTreeSet<_>>();
        assert!(squares(Marked::Nothing).is_empty());
        assert_eq!(squares(Marked::Square(Point::new(3, 4))), [Point::new(3, 4)].into());
        assert!(squares(Marked::Square(Point::new(i32::MAX, -1))).is_empty());
        assert_eq!(squares(Marked::Ring(Point::new(10, 10), 3)).len(), 24);
        assert_eq!(squares(Marked::Ring(Point::new(0, 0), 2)).len(), 5, "a corner of it");
    }

    #[test]
    fn the_other_half_of_a_character_keeps_its_colour() {
        let (mark, open, wall) = (Color::Magenta, Color::Black, Color::Blue);
        for (glyph, upper, expected, fg, bg) in [
            (' ', true, "▀", open, Color::Reset),
            (' ', false, "▄", open, Color::Reset),
            ('█', true, "▀", mark, wall),
            ('█', false, "▀", wall, mark),
            ('▀', false, "▀", wall, open),
            ('▀', true, "▀", mark, Color::Reset),
            ('▄', true, "▀", open, wall),
            ('▄', false, "▄", mark, Color::Reset),
        ] {
            let mut cell = Cell::default();
            cell.set_char(glyph).set_fg(wall);
            half(&mut cell, upper, mark, open);
            assert_eq!((cell.symbol(), cell.fg, cell.bg), (expected, fg, bg), "{glyph} {upper}");
        }
    }
}
