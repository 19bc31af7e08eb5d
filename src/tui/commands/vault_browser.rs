//! Commands of the vault browser.

use crate::tui::widget::list::ListStep;

/// Number of rolls compared at once.
pub(in crate::tui) const COMPARED: u64 = 10;

/// A command of the vault browser.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::tui) enum BrowserCommand {
    /// Opens the browser.
    Open,
    /// Closes the browser.
    Close,
    /// Moves the selection among the maps.
    Select(ListStep),
    /// Enters the selected portal; without one, starts choosing the vault's place on the map.
    Enter,
    /// Places the vault at the map's cursor.
    Place,
    /// Starts choosing the vault's place on the map.
    ByHand,
    /// Starts typing a filter.
    Filter,
    /// Starts typing the path of a level file.
    OpenFile,
    /// Starts typing the game's values (place, experience level, species, …).
    Values,
    /// Changes the seed by this number.
    Seed(i64),
    /// Mirrors the vault.
    Mirror,
    /// Rotates the vault by a quarter turn.
    Turn,
    /// Chooses mirroring and rotation at random.
    ByChance,
    /// Toggles between ten rolls and one.
    Compare,
    /// Moves the selection among the compared rolls, by columns and rows.
    Roll(i32, i32),
    /// Keeps the selected roll.
    Pick,
    /// Toggles the source.
    Source,
    /// Scrolls the source by this many lines.
    ScrollSource(i32),
    /// Selects the next portal.
    NextPortal,
    /// Returns to the map from which the last portal was entered.
    Back,
    /// Applies the typed text.
    Accept,
    /// Discards the typed text.
    Cancel,
    /// Moves to another field, or to another map while a filter is typed.
    Field(i32),
    /// Places the vault where its preview is.
    PutDown,
    /// Cancels the placement.
    GiveUp,
}
