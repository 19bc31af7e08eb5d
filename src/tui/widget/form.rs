//! Settings in rows, each with a label and a value that is changed in place.
//!
//! The user steps a number through a ladder of values, or types the number. The form's owner stores the values and
//! gives them their meaning.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use unicode_width::UnicodeWidthStr as _;

use super::list::{ListState, ListStep, VisibleRows};
use super::popup::after;
use super::prompt::TextField;
use super::text::{put, shortened};
use crate::text::escape_line;
use crate::tui::theme::Theme;
use crate::tui::widget::mouse::position;

/// Columns reserved for the symbol before a value.
pub(in crate::tui) const SIGN: u16 = 2;

/// A setting that is a number.
#[derive(Debug, Clone, Copy)]
pub(in crate::tui) struct NumberChoice {
    /// The value; `None` lets the program choose it.
    pub(in crate::tui) value: Option<u32>,
    /// The values that the step keys go through; other values can be typed.
    pub(in crate::tui) ladder: &'static [u32],
    /// The smallest value; `None` if the program may choose the value.
    pub(in crate::tui) least: Option<u32>,
    /// The largest value.
    pub(in crate::tui) most: u32,
    /// The factor by which a typed number is multiplied.
    pub(in crate::tui) unit: u32,
    /// Whether 0 is a valid value; otherwise, a typed 0 results in `least`.
    pub(in crate::tui) has_zero: bool,
}

impl NumberChoice {
    /// Returns the next value of the ladder, or the previous value if `by` is not positive.
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

    /// Returns the number after a digit was typed; with `fresh`, the digit starts a new number.
    fn with_digit(self, digit: u32, fresh: bool) -> Option<u32> {
        let before = if fresh { 0 } else { self.value.unwrap_or(0) / self.unit };
        let typed = before.saturating_mul(10).saturating_add(digit);
        let typed = typed.saturating_mul(self.unit).min(self.most);
        // Without `has_zero`, 0 means that no number is typed yet.
        (typed > 0 || self.has_zero).then_some(typed).or(self.least)
    }

    /// Returns the number without its last digit. With `fresh`, or if no digit is left, returns `least`.
    fn erased(self, fresh: bool) -> Option<u32> {
        let left = self.value.map(|value| value / self.unit / 10 * self.unit);
        left.filter(|left| *left > 0 && !fresh).or(self.least)
    }
}

/// State of a form: the selected setting, and whether its number is being typed.
#[derive(Debug, Clone, Copy)]
pub(in crate::tui) struct FormState {
    list: ListState,
    /// Whether the next digit starts a new number.
    fresh: bool,
    /// Whether an invalid character was typed into the current number; digits after it are rejected.
    rejected: bool,
}

impl Default for FormState {
    fn default() -> Self {
        Self {
            list: ListState::default(),
            fresh: true,
            rejected: false,
        }
    }
}

impl FormState {
    /// Returns the visible rows of `all` settings.
    pub(in crate::tui) fn visible(&self, area: Rect, all: usize) -> VisibleRows {
        self.list.visible(area, all, 0)
    }

    /// Returns the index of the selected setting, out of `all` settings.
    pub(in crate::tui) fn selected(&self, all: usize) -> usize {
        self.visible(Rect::ZERO, all).selected
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

    /// Returns the number that results from a key, or why the key is rejected; `None` if the key does not edit a
    /// number.
    pub(in crate::tui) fn type_number(
        &mut self,
        label: &str,
        number: NumberChoice,
        key: &KeyEvent,
    ) -> Option<Result<Option<u32>, String>> {
        if key.modifiers.intersects(KeyModifiers::CONTROL | KeyModifiers::ALT) {
            return None;
        }
        let (fresh, rejected) = (self.fresh, self.rejected && !self.fresh);
        let value = match key.code {
            KeyCode::Char(c) => {
                let Some(digit) = c.to_digit(10).filter(|_| !rejected) else {
                    (self.fresh, self.rejected) = (false, true);
                    return Some(Err(not_of_number(label, c)));
                };
                number.with_digit(digit, fresh)
            }
            KeyCode::Backspace | KeyCode::Delete => number.erased(fresh),
            _ => return None,
        };
        (self.fresh, self.rejected) = (false, false);
        Some(Ok(value))
    }

    /// Handles the mouse on a setting: selects it, and returns the step by which its value changes. Scrolling up or
    /// clicking steps forward; scrolling down or clicking the symbol before the value steps back. `columns` is the
    /// width of the labels.
    pub(in crate::tui) fn mouse(&mut self, mouse: MouseEvent, visible: VisibleRows, columns: u16) -> Option<i32> {
        let row = visible.row_at(position(mouse))?;
        let sign = visible.area.x + columns;
        let by = match mouse.kind {
            MouseEventKind::ScrollDown => -1,
            MouseEventKind::Down(MouseButton::Left) if (sign..sign + SIGN).contains(&mouse.column) => -1,
            MouseEventKind::ScrollUp | MouseEventKind::Down(MouseButton::Left) => 1,
            _ => return None,
        };
        self.list.select(row, visible);
        self.restart();
        Some(by)
    }
}

/// Returns why a character is rejected where a number is typed.
fn not_of_number(label: &str, c: char) -> String {
    if c.is_ascii_digit() {
        format!("{label} must be a number: press Backspace before you type more digits")
    } else {
        format!(
            "{label} must be a number: `{}` is not allowed",
            escape_line(&c.to_string())
        )
    }
}

/// Returns the index `by` places further in a ring of `count` places. `count` must be at least 1.
pub(in crate::tui) const fn ring(at: usize, by: i32, count: usize) -> usize {
    (at as i64 + by as i64).rem_euclid(count as i64) as usize
}

/// Returns the value `by` places after `now` in the ring of all values.
pub(in crate::tui) fn next<T: Copy + PartialEq>(all: &[T], now: T, by: i32) -> T {
    let at = all.iter().position(|one| *one == now).unwrap_or(0);
    all[ring(at, by, all.len())]
}

/// Returns `on` or `off`.
pub(in crate::tui) fn switch(on: bool) -> String {
    (if on { "on" } else { "off" }).to_owned()
}

/// Draws a setting: its label and value. The value of the selected setting is drawn between arrows.
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

/// Draws a text field with its label; only the selected field has a cursor.
pub(in crate::tui) fn draw_field(
    theme: Theme,
    row: Rect,
    columns: u16,
    label: &str,
    field: &TextField,
    here: bool,
    buf: &mut Buffer,
) {
    put(label, row, if here { theme.accent() } else { theme.quiet() }, buf);
    let at = after(row, columns);
    if here {
        field.draw(theme, at, buf);
    } else {
        put(&shortened(field.text(), at.width.into()), at, theme.text(), buf);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_typed_within_their_limits() {
        let number = |value, least, has_zero| NumberChoice {
            value,
            ladder: &[1, 2, 5],
            least,
            most: 4096,
            unit: 1,
            has_zero,
        };
        let scale = |value| number(value, None, false);
        assert_eq!(scale(Some(3)).with_digit(2, false), Some(32));
        assert_eq!(scale(Some(3)).with_digit(2, true), Some(2));
        assert_eq!(scale(Some(999)).with_digit(9, false), Some(4096));
        assert_eq!(scale(Some(4096)).stepped(1), Some(4096), "the ladder ends before");
        assert_eq!(scale(Some(4096)).erased(false), Some(409));
        assert_eq!((scale(Some(409)).erased(true), scale(None).stepped(-1)), (None, None));
        assert_eq!(scale(None).with_digit(0, true), None);
        assert_eq!(number(None, None, true).with_digit(0, true), Some(0));
        assert_eq!(number(Some(5), Some(1), false).with_digit(0, true), Some(1));
        assert_eq!(number(Some(1), Some(1), false).stepped(-1), Some(1));
        let length = NumberChoice {
            unit: 1000,
            ..scale(Some(2000))
        };
        assert_eq!((length.with_digit(5, false), length.erased(false)), (Some(4096), None));
    }

    #[test]
    fn a_rejected_character_is_named_as_typed() {
        let number = NumberChoice {
            value: None,
            ladder: &[1],
            least: None,
            most: 9,
            unit: 1,
            has_zero: false,
        };
        for c in ['é', '\'', '%'] {
            let key = KeyEvent::new(KeyCode::Char(c), KeyModifiers::NONE);
            let typed = FormState::default().type_number("Scale", number, &key);
            assert_eq!(
                typed,
                Some(Err(format!("Scale must be a number: `{c}` is not allowed")))
            );
        }
    }
}
