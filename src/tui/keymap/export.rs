//! Key bindings of exports and the export dialog.

use crossterm::event::KeyCode;

use super::binding::{Binding, Context, bindings};
use super::key::Key;
use crate::tui::commands::{Action, ExportCommand};
use crate::tui::widget::list::ListStep;

const fn act(command: ExportCommand) -> Action {
    Action::Export(command)
}

/// Global key bindings of exports.
pub(super) static KEYS: &[Binding] = bindings! {
    Context::Everywhere, "export again", [Key::ctrl('e')], act(ExportCommand::Again), false, "Write the last export again, of what the screen shows now: same kind, same choices, same file.";
    Context::Everywhere, "end export", [Key::ctrl('x')], act(ExportCommand::End), false, "End the export under way; nothing of it is written.";
};

const ENTER: Key = Key::plain(KeyCode::Enter);

const ESC: Key = Key::plain(KeyCode::Esc);

/// Key bindings of the dialog.
pub(super) static DIALOG_KEYS: &[Binding] = bindings! {
    Context::Export, "export", [ENTER], act(ExportCommand::Accept), true, "Write what is chosen; asks before it writes over something.";
    Context::Export, "cancel", [ESC, Key::char('q'), Key::ctrl('c')], Action::CloseDialog, true, "Go back and write nothing; the choices are kept.";
    Context::Export, "next part", [Key::plain(KeyCode::Tab)], act(ExportCommand::Part(1)), true, "From the list to the options, to the path, and round.";
    Context::Export, "part before", [Key::plain(KeyCode::BackTab)], act(ExportCommand::Part(-1)), false, "Back to the part before.";
    Context::Export, "down", [Key::plain(KeyCode::Down), Key::char('j')], act(ExportCommand::Select(ListStep::By(1))), false, "Select the next kind or option.";
    Context::Export, "up", [Key::plain(KeyCode::Up), Key::char('k')], act(ExportCommand::Select(ListStep::By(-1))), false, "Select the kind or option before.";
    Context::Export, "page down", [Key::plain(KeyCode::PageDown)], act(ExportCommand::Select(ListStep::Page(1))), false, "A page of kinds or options down.";
    Context::Export, "page up", [Key::plain(KeyCode::PageUp)], act(ExportCommand::Select(ListStep::Page(-1))), false, "A page of kinds or options up.";
    Context::Export, "first", [Key::plain(KeyCode::Home), Key::char('g')], act(ExportCommand::Select(ListStep::First)), false, "Select the first kind or option.";
    Context::Export, "last", [Key::plain(KeyCode::End), Key::char('G')], act(ExportCommand::Select(ListStep::Last)), false, "Select the last kind or option.";
    Context::Export, "change", [Key::plain(KeyCode::Right), Key::char('l'), Key::char(' '), Key::char('+')], act(ExportCommand::Change(1)), true, "Change the option to its next value; numbers can be typed. In the list: go to the options.";
    Context::Export, "change back", [Key::plain(KeyCode::Left), Key::char('h'), Key::char('-')], act(ExportCommand::Change(-1)), false, "Change the option to the value before.";
    Context::ExportPath, "export", [ENTER], act(ExportCommand::Accept), true, "Write what is chosen to this path; asks before it writes over something.";
    Context::ExportPath, "cancel", [ESC, Key::ctrl('c')], Action::CloseDialog, true, "Go back and write nothing; the choices are kept.";
    Context::ExportPath, "complete", [Key::plain(KeyCode::Tab)], act(ExportCommand::Complete), true, "Type the rest of the folder's name.";
    Context::ExportPath, "part before", [Key::plain(KeyCode::BackTab)], act(ExportCommand::Part(-1)), true, "Back to the options.";
    Context::ExportPath, "down", [Key::plain(KeyCode::Down)], act(ExportCommand::Select(ListStep::By(1))), false, "To the next path, or to the list.";
    Context::ExportPath, "up", [Key::plain(KeyCode::Up)], act(ExportCommand::Select(ListStep::By(-1))), false, "To the path before, or back to the options.";
};
