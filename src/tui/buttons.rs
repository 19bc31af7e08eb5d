//! Buttons for the actions available in a context: its keys with their names, which can be clicked.
//!
//! They are drawn below an explanation, so that the user sees how to continue.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Modifier;
use unicode_width::UnicodeWidthStr as _;

use super::theme::Theme;
use crate::tui::commands::{Action, PanelCommand, VariationCommand};
use crate::tui::keymap::{self, Binding, Context, Keymap};
use crate::tui::widget::layout::with_foot;

/// Blank columns between two buttons.
const GAP: u16 = 2;

/// A button: its key, name and action.
type Button = (String, &'static str, Action);

/// Returns the number of rows that a context's buttons take at this width.
pub(super) fn rows(keymap: &Keymap, context: Context, width: u16) -> u16 {
    let area = Rect::new(0, 0, width, u16::MAX);
    places(&all(keymap, context), area)
        .last()
        .map_or(0, |last| last.bottom())
}

fn all(keymap: &Keymap, context: Context) -> Vec<Button> {
    keymap::table()
        .filter(|binding| binding.context == context && is_button(binding))
        .filter_map(|binding| {
            let key = keymap.keys(binding).first()?;
            Some((key.to_string(), binding.name, binding.action))
        })
        .collect()
}

/// Returns whether a binding has a button: in a context of choices if the footer shows it, in all panels if it changes
/// more than one step.
const fn is_button(binding: &Binding) -> bool {
    match binding.context {
        Context::Panels => matches!(
            binding.action,
            Action::Panel(
                PanelCommand::Reset
                    | PanelCommand::Copy
                    | PanelCommand::Replace
                    | PanelCommand::Vary(VariationCommand::Roll)
            )
        ),
        _ => binding.foot,
    }
}

/// Returns the areas of the buttons: side by side, in as many rows as needed.
fn places(buttons: &[Button], area: Rect) -> Vec<Rect> {
    let (mut x, mut y) = (area.x, area.y);
    buttons
        .iter()
        .map(|(key, name, _)| {
            let width = (key.width() + 1 + name.width()) as u16;
            if x > area.x && x + width > area.right() {
                (x, y) = (area.x, y + 1);
            }
            let place = Rect::new(x, y, width, 1).intersection(area);
            x += width + GAP;
            place
        })
        .collect()
}

/// Splits the part below an explanation's rule into the text and the buttons under it.
pub(super) fn part(keymap: &Keymap, context: Context, about: Rect) -> [Rect; 2] {
    let inside = Rect {
        y: about.y + about.height.min(1),
        height: about.height.saturating_sub(1),
        ..about
    };
    let unbounded = Rect {
        height: u16::MAX - inside.y,
        ..inside
    };
    let rows = places(&all(keymap, context), unbounded)
        .last()
        .map_or(0, |last| last.bottom() - inside.y)
        .min(inside.height);
    with_foot(inside, rows)
}

/// Draws the buttons of a context.
pub(super) fn draw(keymap: &Keymap, theme: Theme, context: Context, area: Rect, buf: &mut Buffer) {
    let buttons = all(keymap, context);
    for ((key, name, _), place) in buttons.iter().zip(places(&buttons, area)) {
        if place.is_empty() {
            continue;
        }
        let width = usize::from(place.width);
        let (x, _) = buf.set_stringn(
            place.x,
            place.y,
            key,
            width,
            theme.accent().add_modifier(Modifier::BOLD),
        );
        let rest = place.right().saturating_sub(x + 1);
        if rest > 0 {
            buf.set_stringn(
                x + 1,
                place.y,
                name,
                rest.into(),
                theme.text().add_modifier(Modifier::UNDERLINED),
            );
        }
    }
}

/// Returns the action of the button at a position.
pub(super) fn at(keymap: &Keymap, context: Context, area: Rect, at: Position) -> Option<Action> {
    let buttons = all(keymap, context);
    let place = places(&buttons, area).iter().position(|place| place.contains(at))?;
    Some(buttons[place].2)
}
