//! Commands of the panels.

use crate::tui::widget::list::ListStep;

/// A command of the panels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::tui) enum PanelCommand {
    /// Moves the selection among the rows.
    Row(ListStep),
    /// Moves the selection among the columns, or into an entry's fields; back when negative.
    Column(i32),
    /// Leaves an entry's fields, or goes to the map.
    Back,
    /// Starts typing a value, toggles a switch, opens an entry, or goes to the place of a diagnostic.
    Edit,
    /// Changes the number by this much.
    Step(i32),
    /// Sets the field to its default.
    Reset,
    /// Sets every field of the record to its default: a generation, a room, the constants.
    ResetAll,
    /// Asks where to copy the generation.
    Copy,
    /// Copies the generation.
    CopyTo(CopyTo),
    /// Cancels copying the generation.
    CopyNothing,
    /// Starts typing a rule that replaces values.
    Replace,
    /// A command for a variation of the character.
    Vary(VariationCommand),
    /// Accepts the text being typed.
    Take,
    /// Cancels the text being typed.
    Leave,
    /// Inserts a line break into the text being typed.
    BreakLine,
    /// Changes a list of entries.
    Entry(EntryCommand),
    /// Sets another seed, drawn at random.
    Reroll,
    /// Grows with the first seed for which the expectation fails.
    OpenFailing,
}

/// A change of a list of entries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::tui) enum EntryCommand {
    /// Adds an entry to the list.
    Add,
    /// Adds a copy of the entry.
    Duplicate,
    /// Removes the entry.
    Remove,
    /// Moves the entry in its list, down when positive.
    Shift(i32),
}

/// The generations that a copy goes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::tui) enum CopyTo {
    /// The next one.
    Next,
    /// All later ones.
    Later,
    /// All others.
    All,
}

/// A command for a variation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::tui) enum VariationCommand {
    /// Tries a variation, or another one.
    Roll,
    /// Widens the bound; narrows it when negative.
    Amount(i32),
    /// Varies other generations: all, the selected one, the selected and later ones.
    Generations,
    /// Keeps the variation as an edit.
    Keep,
    /// Discards the variation.
    Leave,
}
