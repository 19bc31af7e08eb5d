//! Key bindings of the player. The player also offers the bindings that [`super::playback`] allows.

use crossterm::event::KeyCode;

use super::binding::{Binding, Context, bindings};
use super::key::Key;
use crate::tui::commands::{Action, PlayerCommand, SearchedEvent, TimeCommand};

const fn find(sight: SearchedEvent, forward: bool) -> Action {
    Action::Time(TimeCommand::find_anywhere(sight, forward))
}

/// Key bindings that only the player has.
pub(super) static KEYS: &[Binding] = bindings! {
    Context::Player, "quit", [Key::char('q'), Key::ctrl('c')], Action::Quit, true, "Quit the player.";
    Context::Player, "suspend", [Key::ctrl('z')], Action::Suspend, false, "Suspend the program and return to the shell; `fg` resumes it.";
    Context::Player, "about", [Key::char('i')], Action::Player(PlayerCommand::About), false, "Show the recording's seed, length and program version, and whether this program grows the same dungeon.";
    Context::Player, "why", [Key::plain(KeyCode::Enter)], Action::Player(PlayerCommand::Why), false, "Show which command to run and which keys to press so that the designer explains the wall under the cursor.";
    Context::Player, "next birth", [Key::char('s')], find(SearchedEvent::Birth, true), false, "Go forward to the next birth, wherever it is; the cursor goes there.";
    Context::Player, "previous birth", [Key::char('S')], find(SearchedEvent::Birth, false), false, "Go back to the previous birth, wherever it is; the cursor goes there.";
    Context::Player, "next death", [Key::char('d')], find(SearchedEvent::Death, true), false, "Go forward to the next death, wherever it is; the cursor goes there.";
    Context::Player, "previous death", [Key::char('D')], find(SearchedEvent::Death, false), false, "Go back to the previous death, wherever it is; the cursor goes there.";
};
