//! Key bindings for imports and the import dialog.

use crossterm::event::KeyCode;

use super::binding::{Binding, Context, bindings};
use super::key::Key;
use crate::tui::commands::{Action, ImportCommand};
use crate::tui::widget::list::ListStep;

const fn act(command: ImportCommand) -> Action {
    Action::Import(command)
}

/// Key binding that repeats an import; active everywhere.
pub(super) static KEYS: &[Binding] = bindings! {
    Context::Everywhere, "import again", [Key::char('I')], act(ImportCommand::Again), false, "Import the design's drawings again from their current files; your own edits stay.";
};

const ENTER: Key = Key::plain(KeyCode::Enter);

const ESC: Key = Key::plain(KeyCode::Esc);

/// Key bindings of the import dialog.
pub(super) static DIALOG_KEYS: &[Binding] = bindings! {
    Context::Import, "import", [ENTER], act(ImportCommand::Accept), true, "Use the drawing as shown. Normally, it becomes a new design. If you opened this dialog from the drawing tools, the drawing's walls move with the map's cursor until you apply them with a key or a click. If you chose the drawing as an example to learn from, learning starts.";
    Context::Import, "learn", [Key::alt('l')], act(ImportCommand::Learn), true, "Instead of importing the drawing, search for parameter values with which the open design's dungeons resemble it.";
    Context::Import, "cancel", [ESC, Key::char('q'), Key::ctrl('c')], Action::CloseDialog, true, "Close without changes.";
    Context::Import, "down", [Key::plain(KeyCode::Down), Key::char('j'), Key::plain(KeyCode::Tab)], act(ImportCommand::Select(ListStep::By(1))), true, "Select the next option.";
    Context::Import, "up", [Key::plain(KeyCode::Up), Key::char('k'), Key::plain(KeyCode::BackTab)], act(ImportCommand::Select(ListStep::By(-1))), false, "Select the previous option.";
    Context::Import, "page down", [Key::plain(KeyCode::PageDown)], act(ImportCommand::Select(ListStep::Page(1))), false, "Move down a page.";
    Context::Import, "page up", [Key::plain(KeyCode::PageUp)], act(ImportCommand::Select(ListStep::Page(-1))), false, "Move up a page.";
    Context::Import, "first", [Key::plain(KeyCode::Home), Key::char('g')], act(ImportCommand::Select(ListStep::First)), false, "Select the first option.";
    Context::Import, "last", [Key::plain(KeyCode::End), Key::char('G')], act(ImportCommand::Select(ListStep::Last)), false, "Select the last option.";
    Context::Import, "change", [Key::plain(KeyCode::Right), Key::char('l'), Key::char(' '), Key::char('+')], act(ImportCommand::Change(1)), true, "Change the option to its next value; numbers can be typed.";
    Context::Import, "previous value", [Key::plain(KeyCode::Left), Key::char('h'), Key::char('-')], act(ImportCommand::Change(-1)), false, "Change the option to its previous value.";
    Context::ImportText, "import", [ENTER], act(ImportCommand::Accept), true, "Use the drawing as shown.";
    Context::ImportText, "learn", [Key::alt('l')], act(ImportCommand::Learn), true, "Search for parameter values with which the open design's dungeons resemble the drawing.";
    Context::ImportText, "cancel", [ESC, Key::ctrl('c')], Action::CloseDialog, true, "Close without changes.";
    Context::ImportText, "down", [Key::plain(KeyCode::Down), Key::plain(KeyCode::Tab)], act(ImportCommand::Select(ListStep::By(1))), true, "Select the next option.";
    Context::ImportText, "up", [Key::plain(KeyCode::Up), Key::plain(KeyCode::BackTab)], act(ImportCommand::Select(ListStep::By(-1))), false, "Select the previous option.";
};
