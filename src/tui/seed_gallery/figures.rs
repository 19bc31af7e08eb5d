//! The list of metrics to sort by.

use crossterm::event::{MouseButton, MouseEvent, MouseEventKind};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use unicode_width::UnicodeWidthStr as _;

use super::results::SeedOrder;
use super::{SeedGalleryCommand, SeedGalleryState, update};
use crate::tui::app::{App, Effect};
use crate::tui::dialog::{popup, popup_inside};
use crate::tui::text::shortened;

/// Maximum columns and rows, including the frame.
const WIDTH: u16 = 96;
const HEIGHT: u16 = SeedOrder::COUNT as u16 + 2;

/// Column at which the descriptions begin.
const MEANING: usize = 20;

/// Moves the selection.
pub(super) fn step(state: &mut SeedGalleryState, by: i32) {
    if let Some(line) = &mut state.list {
        *line = line.saturating_add_signed(by as isize).min(SeedOrder::COUNT - 1);
    }
}

/// Returns the area of the lines, and the first visible one.
fn lines(state: &SeedGalleryState, screen: Rect) -> (Rect, usize) {
    let inside = popup_inside(WIDTH, HEIGHT, screen);
    let selected = state.list.unwrap_or(0);
    let height = usize::from(inside.height.max(1));
    (inside, (selected + 1).saturating_sub(height))
}

/// Handles the mouse: a click chooses a line, a click outside closes the list; the wheel moves the selection.
pub(super) fn mouse(app: &mut App, mouse: MouseEvent, wheel: i32) -> Vec<Effect> {
    if wheel != 0 {
        return update(app, SeedGalleryCommand::Field(wheel));
    }
    if mouse.kind != MouseEventKind::Down(MouseButton::Left) {
        return Vec::new();
    }
    let at = Position::new(mouse.column, mouse.row);
    let (inside, first) = lines(&app.gallery, app.editor.screen);
    if !inside.contains(at) {
        return update(app, SeedGalleryCommand::Cancel);
    }
    app.gallery.list = Some((first + usize::from(at.y - inside.y)).min(SeedOrder::COUNT - 1));
    update(app, SeedGalleryCommand::Accept)
}

/// Draws the list over the gallery.
pub(super) fn draw(app: &App, screen: Rect, buf: &mut Buffer) {
    let theme = app.editor.theme;
    let Some(selected) = app.gallery.list else { return };
    let inside = popup(app, "Sort by", WIDTH, HEIGHT, screen, buf);
    let (_, first) = lines(&app.gallery, screen);
    for (row, place) in inside.rows().zip(first..SeedOrder::COUNT) {
        let by = SeedOrder::at(place);
        let meaning = match by {
            SeedOrder::Seed => "the order in which they were begun",
            SeedOrder::Figure(figure) => figure.info().meaning,
        };
        let (style, quiet) = if place == selected {
            (theme.selected(true), theme.selected(true))
        } else {
            (theme.text(), theme.quiet())
        };
        let width = usize::from(row.width);
        buf.set_stringn(row.x, row.y, " ".repeat(width), width, style);
        let sign = if by == app.gallery.by { "•" } else { " " };
        buf.set_stringn(row.x, row.y, format!(" {sign} {}", by.name()), width, style);
        if width > MEANING {
            let room = (width - MEANING).saturating_sub(1);
            let meaning = shortened(meaning, room);
            debug_assert!(meaning.width() <= room.max(1));
            buf.set_stringn(row.x + MEANING as u16, row.y, meaning, width - MEANING, quiet);
        }
    }
}
