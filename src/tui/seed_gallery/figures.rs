//! The list of metrics to sort by.

use crossterm::event::{MouseButton, MouseEvent, MouseEventKind};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use unicode_width::UnicodeWidthStr as _;

use super::results::SeedOrder;
use super::{SeedGalleryState, update};
use crate::tui::commands::SeedGalleryCommand;
use crate::tui::editor::Editor;
use crate::tui::widget::popup::{popup, popup_inside};
use crate::tui::widget::text::shortened;

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
pub(super) fn mouse(state: &mut SeedGalleryState, editor: &mut Editor, mouse: MouseEvent, wheel: i32) {
    if wheel != 0 {
        return update(state, editor, SeedGalleryCommand::Field(wheel));
    }
    if mouse.kind != MouseEventKind::Down(MouseButton::Left) {
        return;
    }
    let at = Position::new(mouse.column, mouse.row);
    let (inside, first) = lines(state, editor.screen);
    if !inside.contains(at) {
        return update(state, editor, SeedGalleryCommand::Cancel);
    }
    state.list = Some((first + usize::from(at.y - inside.y)).min(SeedOrder::COUNT - 1));
    update(state, editor, SeedGalleryCommand::Accept);
}

/// Draws the list over the gallery.
pub(super) fn draw(state: &SeedGalleryState, editor: &Editor, screen: Rect, buf: &mut Buffer) {
    let theme = editor.theme;
    let Some(selected) = state.list else { return };
    let inside = popup(editor.theme, "Sort by", WIDTH, HEIGHT, screen, buf);
    let (_, first) = lines(state, screen);
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
        let sign = if by == state.by { "•" } else { " " };
        buf.set_stringn(row.x, row.y, format!(" {sign} {}", by.name()), width, style);
        if width > MEANING {
            let room = (width - MEANING).saturating_sub(1);
            let meaning = shortened(meaning, room);
            debug_assert!(meaning.width() <= room.max(1));
            buf.set_stringn(row.x + MEANING as u16, row.y, meaning, width - MEANING, quiet);
        }
    }
}
