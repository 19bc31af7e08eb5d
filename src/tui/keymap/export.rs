//! Key bindings for exports and the export dialog.

use crossterm::event::KeyCode;

use super::binding::{Binding, Context, bindings};
use super::key::Key;
use crate::tui::commands::{Action, ExportCommand};
use crate::tui::widget::list::ListStep;

const fn act(command: ExportCommand) -> Action {
    Action::Export(command)
}

/// Key bindings that repeat or cancel an export; active everywhere.
pub(super) static KEYS: &[Binding] = bindings! {
    Context::Everywhere, "export again", [Key::ctrl('e')], act(ExportCommand::Again), false, "Repeat the last export with the dungeon shown now: same kind, same options, same file.";
    Context::Everywhere, "cancel export", [Key::ctrl('x')], act(ExportCommand::End), false, "Cancel the running export; its file is not written.";
};

const ENTER: Key = Key::plain(KeyCode::Enter);

const ESC: Key = Key::plain(KeyCode::Esc);

/// Key bindings of the export dialog.
pub(super) static DIALOG_KEYS: &[Binding] = bindings! {
    Context::Export, "export", [ENTER], act(ExportCommand::Accept), true, "Export; you are asked before a file is replaced.";
    Context::Export, "cancel", [ESC, Key::char('q'), Key::ctrl('c')], Action::CloseDialog, true, "Close without exporting; the options are kept.";
    Context::Export, "next part", [Key::plain(KeyCode::Tab)], act(ExportCommand::Part(1)), true, "Move from the list to the options, or from the options to the path.";
    Context::Export, "previous part", [Key::plain(KeyCode::BackTab)], act(ExportCommand::Part(-1)), false, "Move from the path to the options, or from the options to the list.";
    Context::Export, "down", [Key::plain(KeyCode::Down), Key::char('j')], act(ExportCommand::Select(ListStep::By(1))), false, "Select the next kind or option.";
    Context::Export, "up", [Key::plain(KeyCode::Up), Key::char('k')], act(ExportCommand::Select(ListStep::By(-1))), false, "Select the previous kind or option.";
    Context::Export, "page down", [Key::plain(KeyCode::PageDown)], act(ExportCommand::Select(ListStep::Page(1))), false, "Move down a page.";
    Context::Export, "page up", [Key::plain(KeyCode::PageUp)], act(ExportCommand::Select(ListStep::Page(-1))), false, "Move up a page.";
    Context::Export, "first", [Key::plain(KeyCode::Home), Key::char('g')], act(ExportCommand::Select(ListStep::First)), false, "Select the first kind or option.";
    Context::Export, "last", [Key::plain(KeyCode::End), Key::char('G')], act(ExportCommand::Select(ListStep::Last)), false, "Select the last kind or option.";
    Context::Export, "change", [Key::plain(KeyCode::Right), Key::char('l'), Key::char(' '), Key::char('+')], act(ExportCommand::Change(1)), true, "Change the option to its next value; numbers can be typed. In the list: go to the options.";
    Context::Export, "previous value", [Key::plain(KeyCode::Left), Key::char('h'), Key::char('-')], act(ExportCommand::Change(-1)), false, "Change the option to its previous value.";
    Context::ExportPath, "export", [ENTER], act(ExportCommand::Accept), true, "Export to this path; you are asked before a file is replaced.";
    Context::ExportPath, "cancel", [ESC, Key::ctrl('c')], Action::CloseDialog, true, "Close without exporting; the options are kept.";
    Context::ExportPath, "complete", [Key::plain(KeyCode::Tab)], act(ExportCommand::Complete), true, "Complete the name of a folder in the path.";
    Context::ExportPath, "previous part", [Key::plain(KeyCode::BackTab)], act(ExportCommand::Part(-1)), true, "Move back to the options.";
    Context::ExportPath, "down", [Key::plain(KeyCode::Down)], act(ExportCommand::Select(ListStep::By(1))), false, "Move to the next path, or to the list.";
    Context::ExportPath, "up", [Key::plain(KeyCode::Up)], act(ExportCommand::Select(ListStep::By(-1))), false, "Move to the previous path, or back to the options.";
    Context::ExportText, "export", [ENTER], act(ExportCommand::Accept), true, "Export; you are asked before a file is replaced.";
    Context::ExportText, "cancel", [ESC, Key::ctrl('c')], Action::CloseDialog, true, "Close without exporting; the options are kept.";
    Context::ExportText, "next part", [Key::plain(KeyCode::Tab)], act(ExportCommand::Part(1)), true, "Move to the path.";
    Context::ExportText, "previous part", [Key::plain(KeyCode::BackTab)], act(ExportCommand::Part(-1)), false, "Move back to the list.";
    Context::ExportText, "down", [Key::plain(KeyCode::Down)], act(ExportCommand::Select(ListStep::By(1))), false, "Select the next option.";
    Context::ExportText, "up", [Key::plain(KeyCode::Up)], act(ExportCommand::Select(ListStep::By(-1))), false, "Select the previous option.";
};
