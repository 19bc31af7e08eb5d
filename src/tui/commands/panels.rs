//! Commands of the panels.

use crate::tui::widget::list::ListStep;

/// A command of the panels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::tui) enum PanelCommand {
    /// Move the selection among the rows.
    Row(ListStep),
    /// Move the selection among the columns, or into an entry's fields; back when negative.
    Column(i32),
    /// Leave an entry's fields, or go to the map.
    Back,
    /// Type a value, toggle a switch, open an entry, or go to the place of a diagnostic.
    Edit,
    /// Change the number by this much.
    Step(i32),
    /// Set the field to its default.
    Reset,
    /// Set every field of the record to its default: a generation, a room, the constants.
    ResetAll,
    /// Ask where to copy the generation.
    Copy,
    /// Copy the generation.
    CopyTo(CopyTo),
    /// Cancel copying the generation.
    CopyNothing,
    /// Type a rule that replaces values.
    Replace,
    /// A command for a variation of the character.
    Vary(VariationCommand),
    /// Accept the text being typed.
    Take,
    /// Cancel the text being typed.
    Leave,
    /// Insert a line break into the text being typed.
    BreakLine,
    /// Change a list of entries.
    Entry(EntryCommand),
    /// Set another seed, drawn at random.
    Reroll,
    /// Grow with the first seed for which the expectation fails.
    OpenFailing,
}

/// A change of a list of entries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::tui) enum EntryCommand {
    /// Add an entry to the list.
    Add,
    /// Add a copy of the entry.
    Duplicate,
    /// Remove the entry.
    Remove,
    /// Move the entry in its list, down when positive.
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
    /// Try a variation, or another one.
    Roll,
    /// Widen the bound; narrow it when negative.
    Amount(i32),
    /// Vary other generations: all, the selected one, the selected and later ones.
    Generations,
    /// Keep the variation as an edit.
    Keep,
    /// Discard the variation.
    Leave,
}
