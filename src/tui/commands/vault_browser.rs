//! Commands of the vault browser.

use crate::tui::widget::list::ListStep;

/// Number of rolls compared at once.
pub(in crate::tui) const COMPARED: u64 = 10;

/// A command of the vault browser.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::tui) enum BrowserCommand {
    /// Open the browser.
    Open,
    /// Close the browser.
    Close,
    /// Move the selection among the maps.
    Select(ListStep),
    /// Enter the selected portal, or without one choose the vault's place on the map.
    Enter,
    /// Place the vault at the map's cursor.
    Place,
    /// Choose the vault's place on the map.
    ByHand,
    /// Type a filter.
    Filter,
    /// Type the path of a level file.
    OpenFile,
    /// Type the game's values (place, experience level, species, …).
    Values,
    /// Change the seed by this number.
    Seed(i64),
    /// Mirror the vault.
    Mirror,
    /// Rotate the vault by a quarter turn.
    Turn,
    /// Choose mirroring and rotation at random.
    ByChance,
    /// Toggle between ten rolls and one.
    Compare,
    /// Move the selection among the compared rolls, by columns and rows.
    Roll(i32, i32),
    /// Keep the selected roll.
    Pick,
    /// Toggle the source.
    Source,
    /// Scroll the source by this many lines.
    ScrollSource(i32),
    /// Select the next portal.
    NextPortal,
    /// Return to the map from which the last portal was entered.
    Back,
    /// Apply the typed text.
    Accept,
    /// Discard the typed text.
    Cancel,
    /// Move to another field, or to another map while a filter is typed.
    Field(i32),
    /// Place the vault where its preview is.
    PutDown,
    /// Cancel the placement.
    GiveUp,
}
