//! Lines of a dialog that show a setting and change it in place, for the dialogs of exports and imports.
//!
//! A number moves along a ladder of values, or is typed; the dialog gives it its meaning. Other shared parts of these
//! dialogs are drawn here, too.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};
use unicode_width::UnicodeWidthStr as _;

use super::app::{Action, App};
use super::dialog::after;
use super::keys::Binding;
use super::screen::put;
use super::text::shortened;
use super::theme::Theme;

/// Columns reserved for the sign before a value.
pub(super) const SIGN: u16 = 2;

/// A setting that is a number.
#[derive(Debug, Clone, Copy)]
pub(super) struct NumberChoice {
    /// The value; `None` leaves it to the program.
    pub(super) value: Option<u32>,
    /// The values that the step keys go through; any other can be typed.
    pub(super) ladder: &'static [u32],
    /// The smallest value; `None` if the number may be left to the program.
    pub(super) least: Option<u32>,
    /// The largest value.
    pub(super) most: u32,
    /// The factor of a typed number: its last digit counts this much.
    pub(super) unit: u32,
    /// Whether 0 is a value, where the number may be left to the program.
    pub(super) has_zero: bool,
}

impl NumberChoice {
    /// Returns the next value of the ladder, or the previous one.
    pub(super) fn stepped(self, by: i32) -> Option<u32> {
        let Self {
            value,
            ladder,
            least,
            most,
            ..
        } = self;
        match value {
            None if by > 0 => ladder.first().copied(),
            None => None,
            Some(now) if by > 0 => Some(ladder.iter().copied().find(|step| *step > now).unwrap_or(now).min(most)),
            Some(now) => ladder.iter().rev().copied().find(|step| *step < now).or(least),
        }
    }

    /// Returns the number with a digit appended; with `fresh`, the digit starts a new number.
    pub(super) fn typed(self, digit: u32, fresh: bool) -> Option<u32> {
        let before = if fresh { 0 } else { self.value.unwrap_or(0) / self.unit };
        let typed = before.saturating_mul(10).saturating_add(digit);
        let typed = typed.saturating_mul(self.unit).min(self.most);
        // An empty number is left to the program, where it may be.
        (typed > 0 || self.has_zero).then_some(typed).or(self.least)
    }

    /// Returns the number without its last digit; `least` if no digit is left, or with `fresh`.
    pub(super) fn erased(self, fresh: bool) -> Option<u32> {
        let left = self.value.map(|value| value / self.unit / 10 * self.unit);
        left.filter(|left| *left > 0 && !fresh).or(self.least)
    }
}

/// Returns the next or previous of the values, in a ring.
pub(super) fn next<T: Copy + PartialEq>(all: &[T], now: T, by: i32) -> T {
    let at = all.iter().position(|one| *one == now).unwrap_or(0) as i32;
    all[(at + by).rem_euclid(all.len() as i32) as usize]
}

/// Returns `on` or `off`.
pub(super) fn switch(on: bool) -> String {
    (if on { "on" } else { "off" }).to_owned()
}

/// Draws a line: its label and value. The value of the selected line stands between arrows.
pub(super) fn line(theme: Theme, row: Rect, columns: u16, label: &str, value: &str, here: bool, buf: &mut Buffer) {
    put(label, row, if here { theme.accent() } else { theme.quiet() }, buf);
    let at = after(row, columns);
    let signs = if here { 2 * SIGN } else { SIGN };
    let value = shortened(value, at.width.saturating_sub(signs).into());
    if here {
        put("‹", at, theme.accent(), buf);
        put(&value, after(at, SIGN), theme.selected(true), buf);
        put("›", after(at, SIGN + value.width() as u16 + 1), theme.accent(), buf);
    } else {
        put(&value, after(at, SIGN), theme.text(), buf);
    }
}

/// A button in the lower border of a dialog: its area, key, name and action.
pub(super) type Button = (Rect, String, &'static str, Action);

/// Returns buttons for some rows of the key table.
pub(super) fn buttons(app: &App, border: Rect, rows: impl Iterator<Item = &'static Binding>) -> Vec<Button> {
    let mut x = border.x;
    rows.map(|row| {
        let key = app.editor.keymap.keys(row).first();
        let key = key.map(ToString::to_string).unwrap_or_default();
        let width = (key.width() + row.name.width() + 3) as u16;
        let place = Rect { x, width, ..border }.intersection(border);
        x = x.saturating_add(width + 1);
        (place, key, row.name, row.action)
    })
    .collect()
}

/// Draws buttons.
pub(super) fn draw_buttons(theme: Theme, buttons: Vec<Button>, buf: &mut Buffer) {
    for (place, key, name, _) in buttons {
        let line = Line::from(vec![
            Span::raw(" "),
            Span::styled(key, theme.accent().add_modifier(Modifier::BOLD)),
            Span::raw(" "),
            Span::styled(name, theme.text().add_modifier(Modifier::UNDERLINED)),
            Span::raw(" "),
        ]);
        buf.set_line(place.x, place.y, &line, place.width);
    }
}

/// Returns the action of the button at a position.
pub(super) fn button_at(buttons: Vec<Button>, at: Position) -> Option<Action> {
    let found = buttons.into_iter().find(|(place, ..)| place.contains(at));
    found.map(|(.., action)| action)
}

/// Returns the part of a dialog's lower border where buttons may stand.
pub(super) fn border(frame: Rect) -> Rect {
    Rect {
        y: frame.bottom().saturating_sub(1),
        height: frame.height.min(1),
        ..shrunk(shrunk(frame))
    }
}

/// Returns an area without its first and last column.
pub(super) fn shrunk(area: Rect) -> Rect {
    let by = (area.width / 2).min(1);
    Rect {
        x: area.x + by,
        width: area.width - 2 * by,
        ..area
    }
}

/// Writes a text centred in an area.
pub(super) fn in_the_middle(text: &str, area: Rect, style: Style, buf: &mut Buffer) {
    let row = Rect {
        y: area.y + area.height / 2,
        height: area.height.min(1),
        ..area
    };
    let left = row.width.saturating_sub(text.width() as u16) / 2;
    put(text, after(row, left), style, buf);
}
