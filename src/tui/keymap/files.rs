//! Key bindings about files.

use crossterm::event::KeyCode;

use super::binding::{Binding, Context, bindings};
use super::key::Key;
use crate::tui::commands::{Action, FileCommand};

/// Key bindings about files; active everywhere.
pub(super) static KEYS: &[Binding] = bindings! {
    Context::Alert, "put away", [Key::plain(KeyCode::Esc)], Action::PutAway, true, "Put the message away.";
    Context::Everywhere, "save", [Key::ctrl('s')], Action::File(FileCommand::Save), true, "Save the design to its files.";
    Context::Everywhere, "save as", [Key::char('S'), Key::plain(KeyCode::F(12))], Action::File(FileCommand::SaveAs), false, "Save to another place: one TOML file, or rooms, stats and constants files.";
    Context::Everywhere, "export", [Key::char('P')], Action::File(FileCommand::Export), false, "Write the dungeon for other programs (text, pictures, films, maps of game tools), or a copy of the design.";
    Context::Everywhere, "open", [Key::char('o'), Key::ctrl('o')], Action::File(FileCommand::Open), false, "Open another design: one of the last, one in a folder, or one that comes with the program.";
    Context::Everywhere, "presets", [Key::char('p')], Action::File(FileCommand::Presets), true, "Choose from the designs that come with the program.";
    Context::Everywhere, "recover", [], Action::File(FileCommand::Recover), false, "Look for work that a crash or a kill left unsaved, and offer it.";
};
