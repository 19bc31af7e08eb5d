//! Commands of the player of recordings.

/// A command that only the player has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::tui) enum PlayerCommand {
    /// Shows the facts about the recording.
    About,
    /// Explains how the designer can show why the wall under the cursor was built.
    Why,
}
