//! Commands of the vault browser.

use crate::tui::widget::list::ListStep;

/// Number of rolls (the same vault, resolved from different seeds) that are shown side by side for comparison.
pub(in crate::tui) const COMPARED: u64 = 10;

/// A command of the vault browser.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::tui) enum BrowserCommand {
    /// Opens the browser.
    Open,
    /// Closes the browser.
    Close,
    /// Moves the selection in the list of vaults.
    Select(ListStep),
    /// Enters the selected portal; if none is selected, lets the user choose the vault's place in the dungeon.
    Enter,
    /// Places the vault at the cursor in the dungeon.
    Place,
    /// Lets the user choose the vault's place in the dungeon.
    ByHand,
    /// Opens the text field of the filter.
    Filter,
    /// Opens the text field for the path of a level file.
    OpenFile,
    /// Opens the text fields for the game state that the vault can read (place, experience level, species, …).
    Values,
    /// Rolls the vault from another seed: the current seed plus this number.
    Seed(i64),
    /// Mirrors the vault left to right.
    Mirror,
    /// Rotates the vault clockwise by 90°.
    Turn,
    /// Mirrors and rotates the vault at random, as far as the vault allows.
    ByChance,
    /// Switches between one roll and a comparison of [`COMPARED`] rolls.
    Compare,
    /// Moves the selection among the compared rolls: to the right by the first number, and down by the second.
    Roll(i32, i32),
    /// Ends the comparison and continues with the selected roll.
    Pick,
    /// Shows or hides the source text of the vault.
    Source,
    /// Scrolls the source by this many lines.
    ScrollSource(i32),
    /// Selects the next portal.
    NextPortal,
    /// Returns to the vault from which the last portal was entered.
    Back,
    /// Applies the typed text.
    Accept,
    /// Discards the typed text.
    Cancel,
    /// Moves to another text field. If the user is typing the filter, selects another vault instead.
    Field(i32),
    /// Places the vault at the position that the user has chosen, where its preview is.
    PutDown,
    /// Cancels the placement.
    GiveUp,
}
