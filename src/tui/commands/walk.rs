//! Commands of a walk through the dungeon.

use crate::geometry::Forward;

/// A command of a walk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::tui) enum WalkCommand {
    /// Begins a walk at the entrance, or ends it.
    Toggle,
    /// Takes a step by hand.
    Step(Forward),
    /// Goes this many steps forward, or back if negative. Past the end of the walk, the explorer takes the steps.
    By(i32),
    /// Goes back to the entrance.
    Start,
    /// Goes to the end of the walk; the explorer continues it.
    End,
    /// Lets the explorer walk, or pauses.
    Play,
}
