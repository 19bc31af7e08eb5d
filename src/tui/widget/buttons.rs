//! Buttons in the lower border of a dialog: the key and the name of an action each.

use crossterm::event::{MouseButton, MouseEvent, MouseEventKind};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Modifier;
use ratatui::text::{Line, Span};
use unicode_width::UnicodeWidthStr as _;

use super::popup::shrunk;
use crate::tui::theme::Theme;

/// A button, and what it does.
#[derive(Debug)]
pub(in crate::tui) struct Button<A> {
    area: Rect,
    key: String,
    name: &'static str,
    action: A,
}

/// Lays out buttons in a row: the key, the name and the action of each.
pub(in crate::tui) fn buttons<A>(
    border: Rect,
    buttons: impl Iterator<Item = (String, &'static str, A)>,
) -> Vec<Button<A>> {
    let mut x = border.x;
    buttons
        .map(|(key, name, action)| {
            let width = (key.width() + name.width() + 3) as u16;
            let area = Rect { x, width, ..border }.intersection(border);
            x = x.saturating_add(width + 1);
            Button {
                area,
                key,
                name,
                action,
            }
        })
        .collect()
}

/// Draws buttons.
pub(in crate::tui) fn draw<A>(theme: Theme, buttons: &[Button<A>], buf: &mut Buffer) {
    for Button { area, key, name, .. } in buttons {
        let line = Line::from(vec![
            Span::raw(" "),
            Span::styled(key, theme.accent().add_modifier(Modifier::BOLD)),
            Span::raw(" "),
            Span::styled(*name, theme.text().add_modifier(Modifier::UNDERLINED)),
            Span::raw(" "),
        ]);
        buf.set_line(area.x, area.y, &line, area.width);
    }
}

/// Returns the action of the clicked button.
pub(in crate::tui) fn clicked<A>(buttons: Vec<Button<A>>, mouse: MouseEvent) -> Option<A> {
    let at = Position::new(mouse.column, mouse.row);
    let is_click = mouse.kind == MouseEventKind::Down(MouseButton::Left);
    let hit = buttons.into_iter().find(|button| is_click && button.area.contains(at));
    hit.map(|button| button.action)
}

/// Returns the part of a dialog's lower border where buttons may be.
pub(in crate::tui) fn border(frame: Rect) -> Rect {
    Rect {
        y: frame.bottom().saturating_sub(1),
        height: frame.height.min(1),
        ..shrunk(shrunk(frame))
    }
}
