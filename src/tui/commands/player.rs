//! Commands of the player of recordings.

/// A command of the player alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::tui) enum PlayerCommand {
    /// Shows the facts about the recording.
    About,
    /// Shows how to find out in the designer why the wall under the cursor was built.
    Why,
}
