//! Commands for playback.

/// A command for playback.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::tui) enum TimeCommand {
    /// Plays or pauses.
    Play,
    /// Selects the next lower speed.
    Slower,
    /// Selects the next higher speed.
    Faster,
    /// Steps forward by one unit.
    Forward(TimeUnit),
    /// Steps back by one unit.
    Back(TimeUnit),
    /// Seeks to the moment before the first turn.
    Start,
    /// Seeks to the end of growth.
    End,
    /// Toggles looping: playback restarts after the end.
    Loop,
    /// Toggles whether the design is shown for a few seconds when playback starts at turn 0.
    Look,
    /// Sets a bookmark at the moment that is shown, or removes it.
    Bookmark,
    /// Seeks to the next or the previous bookmark.
    ToBookmark {
        /// Whether to go to the next bookmark rather than the previous one.
        forward: bool,
    },
    /// Searches for the next or the previous event of a kind.
    Find {
        /// Kind of event.
        sight: SearchedEvent,
        /// Whether to search forward in time.
        forward: bool,
        /// Whether matches must be near the map's cursor.
        near: bool,
    },
    /// Opens the dialog that asks which moment to seek to.
    GoTo,
}

impl TimeCommand {
    /// Returns the command that searches for events near the map's cursor.
    pub(in crate::tui) const fn find(sight: SearchedEvent, forward: bool) -> Self {
        let near = true;
        Self::Find { sight, forward, near }
    }

    /// Returns the command that searches for events anywhere in the dungeon.
    pub(in crate::tui) const fn find_anywhere(sight: SearchedEvent, forward: bool) -> Self {
        let near = false;
        Self::Find { sight, forward, near }
    }
}

/// The unit of a step in time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::tui) enum TimeUnit {
    /// A turn, in which one Builder acts.
    Turn,
    /// An iteration, in which every awake Builder acts once.
    Iteration,
    /// A generation, which lasts a hundred iterations. A step goes to the next or previous start of a generation.
    Generation,
}

/// The kind of event to search for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::tui) enum SearchedEvent {
    /// A Builder is born.
    Birth,
    /// A Builder dies.
    Death,
    /// A tile is laid.
    Change,
}

impl SearchedEvent {
    /// Returns the kind's name within a sentence.
    pub(in crate::tui) const fn name(self) -> &'static str {
        match self {
            Self::Birth => "birth",
            Self::Death => "death",
            Self::Change => "change",
        }
    }
}
