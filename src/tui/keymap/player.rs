//! Key bindings of the player, beside the viewing commands of time and map.

use crossterm::event::KeyCode;

use super::binding::{Binding, Context, bindings};
use super::key::Key;
use crate::tui::commands::{Action, PlayerCommand, SearchedEvent, TimeCommand};

const fn find(sight: SearchedEvent, forward: bool) -> Action {
    Action::Time(TimeCommand::find_anywhere(sight, forward))
}

/// Key bindings of the player, beside the viewing commands of time and map.
pub(super) static KEYS: &[Binding] = bindings! {
    Context::Player, "quit", [Key::char('q'), Key::ctrl('c')], Action::Quit, true, "Leave the player.";
    Context::Player, "about", [Key::char('i')], Action::Player(PlayerCommand::About), false, "Tell what is played: its seed, its length, what wrote it, and whether this program grows the same.";
    Context::Player, "why", [Key::plain(KeyCode::Enter)], Action::Player(PlayerCommand::Why), false, "Tell how the designer is asked why the wall under the cursor stands.";
    Context::Player, "next birth", [Key::char('s')], find(SearchedEvent::Birth, true), false, "On to the next birth, wherever it is; the cursor goes there.";
    Context::Player, "birth before", [Key::char('S')], find(SearchedEvent::Birth, false), false, "Back to the last birth, wherever it is.";
    Context::Player, "next death", [Key::char('d')], find(SearchedEvent::Death, true), false, "On to the next death, wherever it is; the cursor goes there.";
    Context::Player, "death before", [Key::char('D')], find(SearchedEvent::Death, false), false, "Back to the last death, wherever it is.";
};
