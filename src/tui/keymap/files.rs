//! Key bindings for files and new designs.

use crossterm::event::KeyCode;

use super::binding::{Binding, Context, bindings};
use super::key::Key;
use crate::tui::commands::{Action, FileCommand};

/// Key bindings for files and new designs. All except `dismiss` are active everywhere.
pub(super) static KEYS: &[Binding] = bindings! {
    Context::Alert, "dismiss", [Key::plain(KeyCode::Esc)], Action::PutAway, true, "Dismiss the message.";
    Context::Everywhere, "save", [Key::ctrl('s')], Action::File(FileCommand::Save), true, "Save the design to its files.";
    Context::Everywhere, "save as", [Key::char('S'), Key::plain(KeyCode::F(12))], Action::File(FileCommand::SaveAs), false, "Save under another name: as one TOML file, or as separate files for rooms, stats and constants.";
    Context::Everywhere, "export", [Key::char('P')], Action::File(FileCommand::Export), false, "Export the dungeon for other programs (text, pictures, animations, maps for game tools), or a copy of the design.";
    Context::Everywhere, "new", [Key::ctrl('n')], Action::File(FileCommand::New), false, "Begin a new design: empty, with rooms, or from a preset.";
    Context::Everywhere, "open", [Key::char('o'), Key::ctrl('o')], Action::File(FileCommand::Open), false, "Open another design: a recent design, a file in a folder, or a preset.";
    Context::Everywhere, "presets", [Key::char('p')], Action::File(FileCommand::Presets), true, "Choose from the designs that come with the program.";
    Context::Everywhere, "resize", [], Action::Resize, false, "Change the number of rows and columns of the dungeon, in the Rooms panel.";
    Context::Everywhere, "recover", [], Action::File(FileCommand::Recover), false, "Look for unsaved work from an earlier run that crashed or was killed.";
};
