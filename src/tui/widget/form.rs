//! Settings in rows, each with a label and a value that is changed in place.
//!
//! A number moves along a ladder of values, or is typed; the owner gives it its meaning.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use unicode_width::UnicodeWidthStr as _;

use super::list::{ListState, ListStep, VisibleRows};
use super::popup::after;
use super::text::{put, shortened};
use crate::tui::theme::Theme;

/// Columns reserved for the sign before a value.
pub(in crate::tui) const SIGN: u16 = 2;

/// A setting that is a number.
#[derive(Debug, Clone, Copy)]
pub(in crate::tui) struct NumberChoice {
    /// The value; `None` leaves it to the program.
    pub(in crate::tui) value: Option<u32>,
    /// The values that the step keys go through; any other can be typed.
    pub(in crate::tui) ladder: &'static [u32],
    /// The smallest value; `None` if the number may be left to the program.
    pub(in crate::tui) least: Option<u32>,
    /// The largest value.
    pub(in crate::tui) most: u32,
    /// The factor of a typed number: its last digit counts this much.
    pub(in crate::tui) unit: u32,
    /// Whether 0 is a value, where the number may be left to the program.
    pub(in crate::tui) has_zero: bool,
}

impl NumberChoice {
    /// Returns the next value of the ladder, or the previous one.
    pub(in crate::tui) fn stepped(self, by: i32) -> Option<u32> {
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

    /// Returns the number after an edit.
    pub(in crate::tui) fn edited(self, edit: NumberEdit) -> Option<u32> {
        match edit {
            NumberEdit::Digit { digit, fresh } => {
                let before = if fresh { 0 } else { self.value.unwrap_or(0) / self.unit };
                let typed = before.saturating_mul(10).saturating_add(digit);
                let typed = typed.saturating_mul(self.unit).min(self.most);
                // An empty number is left to the program, where it may be.
                (typed > 0 || self.has_zero).then_some(typed).or(self.least)
            }
            NumberEdit::Erase { fresh } => {
                let left = self.value.map(|value| value / self.unit / 10 * self.unit);
                left.filter(|left| *left > 0 && !fresh).or(self.least)
            }
        }
    }
}

/// An edit of a number by a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::tui) enum NumberEdit {
    /// Appends a digit; with `fresh`, the digit starts a new number.
    Digit { digit: u32, fresh: bool },
    /// Removes the last digit; with `fresh`, or if none is left, the number becomes the smallest or is left to the
    /// program.
    Erase { fresh: bool },
}

/// State of a form: the selected setting, and whether its number is being typed.
#[derive(Debug, Clone, Copy)]
pub(in crate::tui) struct FormState {
    list: ListState,
    /// Whether the next digit starts a new number.
    fresh: bool,
    /// Whether an invalid character was typed into the present number; digits after it are refused.
    refused: bool,
}

impl Default for FormState {
    fn default() -> Self {
        Self {
            list: ListState::default(),
            fresh: true,
            refused: false,
        }
    }
}

impl FormState {
    /// Returns the visible part of the settings.
    pub(in crate::tui) fn visible(&self, area: Rect, all: usize) -> VisibleRows {
        self.list.visible(area, all, 0)
    }

    /// Returns the index of the selected one of `all` settings.
    pub(in crate::tui) fn selected(&self, all: usize) -> usize {
        self.visible(Rect::ZERO, all).selected
    }

    /// Selects a setting; a number typed there starts anew.
    pub(in crate::tui) const fn select(&mut self, row: usize, visible: VisibleRows) {
        self.list.select(row, visible);
        self.restart();
    }

    /// Moves the selection.
    pub(in crate::tui) fn step(&mut self, step: ListStep, visible: VisibleRows) {
        self.list.step(step, visible);
        self.restart();
    }

    /// Makes the next digit start a new number.
    pub(in crate::tui) const fn restart(&mut self) {
        self.fresh = true;
    }

    /// Returns the edit that a key makes in the selected number, or why it is refused; `None` if the key is not for a
    /// number.
    pub(in crate::tui) fn number(&mut self, label: &str, key: &KeyEvent) -> Option<Result<NumberEdit, String>> {
        if key.modifiers.intersects(KeyModifiers::CONTROL | KeyModifiers::ALT) {
            return None;
        }
        let (fresh, refused) = (self.fresh, self.refused && !self.fresh);
        let edit = match key.code {
            KeyCode::Char(c) => {
                let Some(digit) = c.to_digit(10).filter(|_| !refused) else {
                    (self.fresh, self.refused) = (false, true);
                    return Some(Err(not_of_number(label, c)));
                };
                NumberEdit::Digit { digit, fresh }
            }
            KeyCode::Backspace | KeyCode::Delete => NumberEdit::Erase { fresh },
            _ => return None,
        };
        (self.fresh, self.refused) = (false, false);
        Some(Ok(edit))
    }
}

/// Returns why a character is refused where a number is typed.
fn not_of_number(label: &str, c: char) -> String {
    if c.is_ascii_digit() {
        format!("{label} is a number: type Backspace before other digits")
    } else {
        format!("{label} is a number: `{}` is refused", c.escape_default())
    }
}

/// Returns the next or previous of the values, in a ring.
pub(in crate::tui) fn next<T: Copy + PartialEq>(all: &[T], now: T, by: i32) -> T {
    let at = all.iter().position(|one| *one == now).unwrap_or(0) as i32;
    all[(at + by).rem_euclid(all.len() as i32) as usize]
}

/// Returns `on` or `off`.
pub(in crate::tui) fn switch(on: bool) -> String {
    (if on { "on" } else { "off" }).to_owned()
}

/// Draws a setting: its label and value. The value of the selected one is between arrows.
pub(in crate::tui) fn draw_setting(
    theme: Theme,
    row: Rect,
    columns: u16,
    label: &str,
    value: &str,
    here: bool,
    buf: &mut Buffer,
) {
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

/// Returns whether a position in a row is on the sign that steps back; `columns` are those of the labels.
pub(in crate::tui) fn is_back(area: Rect, columns: u16, at: Position) -> bool {
    let sign = area.x + columns;
    (sign..sign + SIGN).contains(&at.x)
}
