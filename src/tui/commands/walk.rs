//! Commands of a walk through the dungeon. The user chooses each step, or lets a simulated explorer walk to the exit.

use crate::geometry::Forward;

/// A command of a walk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::tui) enum WalkCommand {
    /// Begins a walk at the entrance, or ends it.
    Toggle,
    /// Takes one step in this direction; the user, not the explorer, chooses the step.
    Step(Forward),
    /// Goes this number of steps forward in the walk, or back if the number is negative. Beyond the end of the walk,
    /// the explorer takes further steps.
    By(i32),
    /// Goes back to the entrance.
    Start,
    /// Goes to the end of the walk. If the exit has not been seen yet, the explorer first walks until it sees the exit.
    End,
    /// Lets the explorer walk, or pauses it.
    Play,
}
