//! Buttons for the key bindings of a context: below an explanation, or in the lower border of a dialog.

use ratatui::layout::Rect;

use super::editor::Editor;
use crate::tui::commands::{Action, PanelCommand, VariationCommand};
use crate::tui::keymap::{self, Binding, Context};
use crate::tui::widget::items::{Item, ItemBar};
use crate::tui::widget::layout::with_foot;
use crate::tui::widget::popup::shrunk;

/// Blank columns between two buttons.
const GAP: u16 = 2;

/// Lays out the buttons of a context in an area.
pub(super) fn of(editor: &Editor, context: Context, area: Rect) -> ItemBar<Action> {
    let bindings = keymap::table().filter(|binding| binding.context == context && is_button(binding));
    ItemBar::new(bindings.map(|binding| button(editor, binding, 0)), area, GAP)
}

/// Lays out two buttons in a dialog's lower border: accept and cancel, which are the first two bindings of its context.
pub(super) fn in_border(editor: &Editor, context: Context, frame: Rect) -> ItemBar<Action> {
    let border = Rect {
        y: frame.bottom().saturating_sub(1),
        height: frame.height.min(1),
        ..shrunk(shrunk(frame))
    };
    let bindings = keymap::table().filter(|binding| binding.context == context).take(2);
    ItemBar::new(bindings.map(|binding| button(editor, binding, 1)), border, 1)
}

/// Returns the button of a binding, with `pad` blank columns on either side.
fn button(editor: &Editor, binding: &'static Binding, pad: usize) -> Item<Action> {
    let key = editor.keymap.keys(binding).first().map(ToString::to_string);
    Item::button(editor.theme, pad, key.unwrap_or_default(), binding.name, binding.action)
}

/// Returns whether a binding has a button. In the panels, only a few fixed bindings have one; in other contexts, every
/// binding that the footer shows has one.
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

/// Returns the number of rows that a context's buttons need at this width.
pub(super) fn rows(editor: &Editor, context: Context, width: u16) -> u16 {
    of(editor, context, Rect::new(0, 0, width, u16::MAX)).rows()
}

/// Splits the area below an explanation's separator into the text and the buttons under it.
pub(super) fn part(editor: &Editor, context: Context, about: Rect) -> [Rect; 2] {
    let inside = Rect {
        y: about.y + about.height.min(1),
        height: about.height.saturating_sub(1),
        ..about
    };
    with_foot(inside, rows(editor, context, inside.width))
}
