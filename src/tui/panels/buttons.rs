//! Buttons for what can be done here and now: the keys of a context with their names, to be clicked as well.
//!
//! They stand below an explanation, so that a person who has begun something sees how it goes on.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Modifier;
use unicode_width::UnicodeWidthStr as _;

use super::{PanelCommand, VariationCommand};
use crate::tui::app::{Action, App};
use crate::tui::keys::{self, Binding, Context};
use crate::tui::screen;

/// Blank columns between two buttons.
const GAP: u16 = 2;

/// A button: its key, its name, what it does.
type Button = (String, &'static str, Action);

/// Rows that the buttons of a context take in this width.
pub(in crate::tui) fn rows(app: &App, context: Context, width: u16) -> u16 {
    let area = Rect::new(0, 0, width, u16::MAX);
    places(&all(app, context), area).last().map_or(0, |last| last.bottom())
}

fn all(app: &App, context: Context) -> Vec<Button> {
    keys::table()
        .filter(|binding| binding.context == context && is_button(binding))
        .filter_map(|binding| {
            let key = app.keymap.keys(binding).first()?;
            Some((key.to_string(), binding.name, binding.action))
        })
        .collect()
}

/// Of a choice's keys those at the foot; of every panel's those that change more than a step.
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

/// Where the buttons stand: one after the other, in as many rows as they need.
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

/// What is below the rule of an explanation, parted in the text and the buttons under it.
pub(super) fn part(app: &App, context: Context, about: Rect) -> [Rect; 2] {
    let inside = Rect {
        y: about.y + about.height.min(1),
        height: about.height.saturating_sub(1),
        ..about
    };
    let unbounded = Rect {
        height: u16::MAX - inside.y,
        ..inside
    };
    let rows = places(&all(app, context), unbounded)
        .last()
        .map_or(0, |last| last.bottom() - inside.y)
        .min(inside.height);
    screen::with_foot(inside, rows)
}

/// Draws the buttons of a context.
pub(in crate::tui) fn draw(app: &App, context: Context, area: Rect, buf: &mut Buffer) {
    let theme = app.theme;
    let buttons = all(app, context);
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

/// What the button at a place of the screen does.
pub(in crate::tui) fn at(app: &App, context: Context, area: Rect, at: Position) -> Option<Action> {
    let buttons = all(app, context);
    let place = places(&buttons, area).iter().position(|place| place.contains(at))?;
    Some(buttons[place].2)
}
