//! Commands of the panels.

use crate::tui::widget::list::ListStep;

/// A command of the panels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::tui) enum PanelCommand {
    /// Moves the selection among the rows.
    Row(ListStep),
    /// Moves the selection to the next column, or into the fields of an entry; moves back if the number is negative.
    Column(i32),
    /// Leaves the fields of an entry; outside an entry, moves the focus to the map.
    Back,
    /// Edits the selected row: starts typing a value, toggles a switch, opens an entry, or goes to the place of a
    /// diagnostic.
    Edit,
    /// Changes the selected number by this amount; turns the selected switch on, or off if the amount is negative.
    Step(i32),
    /// Sets the selected field to its default.
    Reset,
    /// Sets every field of the selected generation or entry, or every constant, to its default.
    ResetAll,
    /// Asks which generations to copy the selected generation to.
    Copy,
    /// Copies the selected generation to these generations.
    CopyTo(CopyTo),
    /// Cancels copying the generation.
    CopyNothing,
    /// Starts typing a rule that replaces values across generations.
    Replace,
    /// A command for a random variation of the design's character.
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
    /// Grows with the first seed for which the selected expectation fails.
    OpenFailing,
}

/// A change to a list of entries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::tui) enum EntryCommand {
    /// Adds an entry to the list.
    Add,
    /// Adds a copy of the selected entry.
    Duplicate,
    /// Removes the selected entry.
    Remove,
    /// Moves the selected entry within its list, down if positive.
    Shift(i32),
}

/// The generations to which a generation is copied.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::tui) enum CopyTo {
    /// The next generation.
    Next,
    /// All later generations.
    Later,
    /// All other generations.
    All,
}

/// A command for a random variation of the design's character, that is, of the parameters of its generations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::tui) enum VariationCommand {
    /// Shows a random variation, or another one if one is already shown.
    Roll,
    /// Varies values more, or less if the number is negative.
    Amount(i32),
    /// Selects the generations to vary: all, only the selected generation, or the selected and all later generations.
    Generations,
    /// Keeps the variation as an edit.
    Keep,
    /// Discards the variation.
    Leave,
}
