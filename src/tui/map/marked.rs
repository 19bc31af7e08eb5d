//! Overlays on the map: the squares of selected entries, previews, and the marks of tools.

use ratatui::buffer::{Buffer, Cell};
use ratatui::style::{Color, Style};

use super::scene::DOTS;
use crate::tui::editor::Editor;
use crate::tui::overlay::{MapOverlays, Mark, SquareMarks};
use crate::tui::viewport::{MapWindow, Zoom};
use crate::tui::widget::text::replace_glyph;

impl Mark {
    fn draw(self, view: &MapWindow, buf: &mut Buffer) {
        let Some((column, row)) = view.character_of(self.at) else {
            return;
        };
        let width = view.zoom.width() as u16;
        let blank = |i: u16| buf.cell((column + i, row)).is_none_or(|cell| cell.symbol() == " ");
        if self.only_blank && !(0..width).all(blank) {
            return;
        }
        match (view.zoom, self.style.fg.zip(self.style.bg)) {
            (Zoom::Half, Some((solid, ground))) if !self.sign => {
                if let Some(cell) = buf.cell_mut((column, row)) {
                    let color = if self.solid { solid } else { ground };
                    half(cell, view.square_at(column, row) == self.at, color, color);
                }
            }
            (Zoom::Half, _) if !self.sign => {
                if let Some(cell) = buf.cell_mut((column, row)) {
                    cell.set_style(self.style);
                }
            }
            (Zoom::Dots(block), _) if !self.sign => {
                let first = view.square_at(column, row);
                let part = |from: i32, to: i32| ((to - from) / i32::from(block)).max(0) as usize;
                let (down, right) = (part(first.x, self.at.x), part(first.y, self.at.y));
                let bit = DOTS.get(right).and_then(|column| column.get(down)).copied();
                if let Some(cell) = buf.cell_mut((column, row)) {
                    dot(cell, bit.filter(|_| self.solid), self.style);
                }
            }
            _ => {
                for (i, glyph) in (0..width).zip(self.glyphs) {
                    replace_glyph(glyph, (column + i, row), self.style, buf);
                }
                // The second character goes beside the square if that place is blank.
                if self.sign && width == 1 && self.glyphs[1] != ' ' && view.area.contains((column + 1, row).into()) {
                    let cell = buf.cell_mut((column + 1, row)).filter(|cell| cell.symbol() == " ");
                    if let Some(cell) = cell {
                        cell.set_char(self.glyphs[1]);
                        cell.set_style(self.beside);
                    }
                }
            }
        }
    }
}

/// Adds a dot to a blank or Braille character, and sets the character's colour. The background changes only if `style`
/// has no foreground colour.
fn dot(cell: &mut Cell, bit: Option<u32>, style: Style) {
    let shown = cell.symbol().chars().next().map_or(0, u32::from);
    let dots = match shown {
        BRAILLE..=BRAILLE_END => Some(shown),
        _ if cell.symbol() == " " => Some(BRAILLE),
        _ => None,
    };
    if let (Some(dots), Some(bit)) = (dots, bit)
        && let Some(glyph) = char::from_u32(dots | bit)
    {
        cell.set_char(glyph);
    }
    match style.fg {
        Some(color) => cell.set_fg(color),
        None => cell.set_style(style),
    };
}

/// The first Braille character, which has no dots.
const BRAILLE: u32 = 0x2800;

/// The last Braille character, which has all dots.
const BRAILLE_END: u32 = 0x28FF;

/// Draws the overlays: named places, the entrance and exit, selections, previews, and the vault being placed.
pub(super) fn draw(editor: &Editor, overlays: &MapOverlays<'_>, view: &MapWindow, buf: &mut Buffer) {
    for mark in &overlays.ends {
        mark.draw(view, buf);
    }
    for marked in &overlays.selected {
        selected(editor, *marked, view, buf);
    }
    let style = editor.theme.highlight();
    let vault = overlays.vault.iter().flat_map(|piece| Mark::vault(piece, style));
    for mark in overlays.marks.iter().copied().chain(vault) {
        mark.draw(view, buf);
    }
}

fn selected(editor: &Editor, marked: SquareMarks, view: &MapWindow, buf: &mut Buffer) {
    let style = editor.theme.highlight();
    for square in marked.squares(editor.map.dungeon) {
        let Some((column, row)) = view.character_of(square) else {
            continue;
        };
        for i in 0..view.zoom.width() as u16 {
            let Some(cell) = buf.cell_mut((column + i, row)) else {
                continue;
            };
            match (view.zoom, style.fg) {
                (Zoom::Half, Some(wall)) => {
                    let upper = view.square_at(column, row) == square;
                    half(cell, upper, wall, style.bg.unwrap_or(wall));
                }
                // Other squares of the character keep their background.
                (Zoom::Dots(_), Some(wall)) if cell.symbol() != " " => drop(cell.set_fg(wall)),
                _ => drop(cell.set_style(style)),
            }
        }
    }
}

/// Colours the upper or lower half of a character that shows two squares: with `wall` if that half is filled, otherwise
/// with `open`, so that doors stay visible.
pub(super) fn half(cell: &mut Cell, upper: bool, wall: Color, open: Color) {
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

    use crate::geometry::{Point, Size};

    use super::*;

    #[test]
    fn marks_stay_in_the_dungeon() {
        let size = Size::new(20, 30);
        let squares = |marked: SquareMarks| marked.squares(size).collect::<BTreeSet<_>>();
        assert!(squares(SquareMarks::Nothing).is_empty());
        assert_eq!(
            squares(SquareMarks::Square(Point::new(3, 4))),
            [Point::new(3, 4)].into()
        );
        assert!(squares(SquareMarks::Square(Point::new(i32::MAX, -1))).is_empty());
        assert_eq!(squares(SquareMarks::Ring(Point::new(10, 10), 3)).len(), 24);
        assert_eq!(
            squares(SquareMarks::Ring(Point::new(0, 0), 2)).len(),
            5,
            "a corner of it"
        );
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
