//! Key bindings of the vault browser: its list, the compared rolls, its text fields, and the placement of a vault.

use crossterm::event::KeyCode;

use super::binding::{Binding, Context, bindings};
use super::key::Key;
use crate::tui::commands::{Action, BrowserCommand, COMPARED};
use crate::tui::widget::list::ListStep;

const fn act(command: BrowserCommand) -> Action {
    Action::Vaults(command)
}

/// Key bindings of the vault browser.
pub(super) static KEYS: &[Binding] = bindings! {
    Context::Vaults, "place", [Key::plain(KeyCode::Enter)], act(BrowserCommand::Enter), true, "Show the vault on the map, where you choose its place; if a portal is selected, enter the portal instead.";
    Context::Vaults, "place here", [Key::char('p')], act(BrowserCommand::Place), false, "Place the vault in the design at the map's cursor, without showing it first.";
    Context::Vaults, "by hand", [Key::char('P')], act(BrowserCommand::ByHand), false, "Show the vault on the map, where you choose its place, even if a portal is selected.";
    Context::Vaults, "reroll", [Key::char('r')], act(BrowserCommand::Seed(1)), true, "Roll the vault from the next seed.";
    Context::Vaults, "previous roll", [Key::char('R')], act(BrowserCommand::Seed(-1)), false, "Roll the vault from the previous seed.";
    Context::Vaults, "compare", [Key::char('c')], act(BrowserCommand::Compare), true, "Compare ten rolls.";
    Context::Vaults, "filter", [Key::char('/')], act(BrowserCommand::Filter), true, "Show only maps whose name, tags or file contain the typed words.";
    Context::Vaults, "open file", [Key::char('o'), Key::ctrl('o')], act(BrowserCommand::OpenFile), true, "Open a level file by its path.";
    Context::Vaults, "source", [Key::char('s')], act(BrowserCommand::Source), true, "Show the source beside the picture, or in its place if there is no room for both.";
    Context::Vaults, "mirror", [Key::char('m')], act(BrowserCommand::Mirror), false, "Mirror the vault left to right.";
    Context::Vaults, "turn", [Key::char('t')], act(BrowserCommand::Turn), false, "Turn the vault clockwise by 90°.";
    Context::Vaults, "at random", [Key::char('0')], act(BrowserCommand::ByChance), false, "Turn and mirror the vault at random, as far as the vault allows.";
    Context::Vaults, "values", [Key::char('e')], act(BrowserCommand::Values), true, "Edit the game state (of Dungeon Crawl Stone Soup) that vaults can read: place, experience, race, class, god.";
    Context::Vaults, "next portal", [Key::char('n'), Key::plain(KeyCode::Tab)], act(BrowserCommand::NextPortal), true, "Select the vault's next portal.";
    Context::Vaults, "leave portal", [Key::char('b'), Key::plain(KeyCode::Backspace)], act(BrowserCommand::Back), true, "Leave the map that was entered and return to the map with the portal.";
    Context::Vaults, "down", [Key::plain(KeyCode::Down), Key::char('j')], act(BrowserCommand::Select(ListStep::By(1))), false, "Select the next map.";
    Context::Vaults, "up", [Key::plain(KeyCode::Up), Key::char('k')], act(BrowserCommand::Select(ListStep::By(-1))), false, "Select the previous map.";
    Context::Vaults, "page down", [Key::plain(KeyCode::PageDown)], act(BrowserCommand::Select(ListStep::Page(1))), false, "Move down one page of maps.";
    Context::Vaults, "page up", [Key::plain(KeyCode::PageUp)], act(BrowserCommand::Select(ListStep::Page(-1))), false, "Move up one page of maps.";
    Context::Vaults, "first", [Key::plain(KeyCode::Home), Key::char('g')], act(BrowserCommand::Select(ListStep::First)), false, "Select the first map.";
    Context::Vaults, "last", [Key::plain(KeyCode::End), Key::char('G')], act(BrowserCommand::Select(ListStep::Last)), false, "Select the last map.";
    Context::Vaults, "source down", [Key::char('J'), Key::shift(KeyCode::Down)], act(BrowserCommand::ScrollSource(3)), false, "Scroll the source down.";
    Context::Vaults, "source up", [Key::char('K'), Key::shift(KeyCode::Up)], act(BrowserCommand::ScrollSource(-3)), false, "Scroll the source up.";
    Context::Vaults, "undo", [Key::char('u'), Key::ctrl('z')], Action::Undo, false, "Undo the last edit of the design.";
    Context::Vaults, "help", [Key::char('?'), Key::plain(KeyCode::F(1))], Action::Help, true, "Show every key and what it does.";
    Context::Vaults, "palette", [Key::char(':'), Key::ctrl('p')], Action::Palette, false, "Find an action by name and run it.";
    Context::Vaults, "close", [Key::plain(KeyCode::Esc), Key::char('q'), Key::char('v'), Key::ctrl('c')], act(BrowserCommand::Close), true, "Go back to the design.";
    Context::Rolls, "choose", [Key::plain(KeyCode::Enter)], act(BrowserCommand::Pick), true, "Continue with the selected roll.";
    Context::Rolls, "right", [Key::plain(KeyCode::Right), Key::char('l')], act(BrowserCommand::Roll(1, 0)), true, "Select the next roll.";
    Context::Rolls, "left", [Key::plain(KeyCode::Left), Key::char('h')], act(BrowserCommand::Roll(-1, 0)), false, "Select the previous roll.";
    Context::Rolls, "down", [Key::plain(KeyCode::Down), Key::char('j')], act(BrowserCommand::Roll(0, 1)), false, "Select the roll below.";
    Context::Rolls, "up", [Key::plain(KeyCode::Up), Key::char('k')], act(BrowserCommand::Roll(0, -1)), false, "Select the roll above.";
    Context::Rolls, "next ten", [Key::char('r'), Key::plain(KeyCode::PageDown)], act(BrowserCommand::Seed(COMPARED as i64)), true, "Compare the next ten rolls.";
    Context::Rolls, "previous ten", [Key::char('R'), Key::plain(KeyCode::PageUp)], act(BrowserCommand::Seed(-(COMPARED as i64))), false, "Compare the previous ten rolls.";
    Context::Rolls, "mirror", [Key::char('m')], act(BrowserCommand::Mirror), false, "Mirror all maps left to right.";
    Context::Rolls, "turn", [Key::char('t')], act(BrowserCommand::Turn), false, "Turn all maps clockwise by 90°.";
    Context::Rolls, "at random", [Key::char('0')], act(BrowserCommand::ByChance), false, "Turn and mirror the vault at random, as far as the vault allows.";
    Context::Rolls, "help", [Key::char('?'), Key::plain(KeyCode::F(1))], Action::Help, true, "Show every key and what it does.";
    Context::Rolls, "palette", [Key::char(':'), Key::ctrl('p')], Action::Palette, false, "Find an action by name and run it.";
    Context::Rolls, "back", [Key::plain(KeyCode::Esc), Key::char('c'), Key::char('q'), Key::ctrl('c')], act(BrowserCommand::Compare), true, "Go back to a single roll.";
    Context::VaultText, "accept", [Key::plain(KeyCode::Enter)], act(BrowserCommand::Accept), true, "Accept the typed text.";
    Context::VaultText, "cancel", [Key::plain(KeyCode::Esc), Key::ctrl('c')], act(BrowserCommand::Cancel), true, "Cancel and keep the old text.";
    Context::VaultText, "next", [Key::plain(KeyCode::Down), Key::plain(KeyCode::Tab)], act(BrowserCommand::Field(1)), true, "Move to the next field, or the next map.";
    Context::VaultText, "previous", [Key::plain(KeyCode::Up), Key::plain(KeyCode::BackTab)], act(BrowserCommand::Field(-1)), false, "Move to the previous field, or the previous map.";
    Context::Placing, "place", [Key::plain(KeyCode::Enter)], act(BrowserCommand::PutDown), true, "Place the vault where its preview is shown; a click does the same.";
    Context::Placing, "cancel", [Key::plain(KeyCode::Esc)], act(BrowserCommand::GiveUp), true, "Go back to the browser without placing the vault.";
};
