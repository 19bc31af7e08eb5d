//! The text being typed in a panel, and its target: the field or prompt that it is typed into.

use super::PanelsState;
use crate::design::{Design, Entry, EntryText, Field, Parameter};
use crate::tui::editor::Editor;
use crate::tui::widget::prompt::{TextField, TextKind};

/// The field of the design, or the prompt of a panel, that the user types text into.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TypingTarget {
    /// A number in an entry.
    Number(Entry, Parameter),
    /// A text in an entry.
    Word(Entry, EntryText),
    /// The design's name.
    Name,
    /// The design's notes.
    Notes,
    /// The design's seed.
    Seed,
    /// The number of the variation being tried.
    Roll,
    /// A rule that replaces values.
    Rule,
    /// The expectation with this index; the index after the last one adds an expectation.
    Expectation(usize),
}

impl TypingTarget {
    /// Returns the target for a field of an entry.
    pub(super) const fn field(entry: Entry, field: Field) -> Self {
        match field {
            Field::Number(parameter) => Self::Number(entry, parameter),
            Field::Text(text) => Self::Word(entry, text),
        }
    }

    /// Returns the kind of text that the target accepts.
    pub(super) const fn kind(self) -> TextKind {
        match self {
            Self::Number(..) | Self::Seed | Self::Roll => TextKind::Number,
            Self::Name | Self::Word(..) | Self::Rule | Self::Expectation(_) => TextKind::Line,
            Self::Notes => TextKind::Text,
        }
    }

    /// Returns the current value as text; `None` if the entry no longer exists or the target has no value in the
    /// design.
    fn value(self, design: &Design) -> Option<String> {
        match self {
            Self::Number(entry, parameter) => design.get(entry, parameter).map(|value| value.to_string()),
            Self::Word(entry, text) => design.text(entry, text).map(str::to_owned),
            Self::Name => Some(design.name.clone()),
            Self::Notes => Some(design.notes.clone()),
            Self::Seed => Some(design.seed.to_string()),
            Self::Expectation(index) => design.expect.that.get(index).cloned(),
            Self::Roll | Self::Rule => None,
        }
    }
}

/// A value being typed, and its target.
#[derive(Debug, Clone)]
pub(super) struct FieldEdit {
    /// The target of the text.
    pub target: TypingTarget,
    /// The text being typed.
    pub typing: TextField,
}

/// Returns the text field of a target; `None` if no text is being typed for this target.
pub(super) fn typed_at(panels: &PanelsState, target: TypingTarget) -> Option<&TextField> {
    let editing = panels.editing.as_ref()?;
    (editing.target == target).then_some(&editing.typing)
}

/// Returns whether an entry is a named place that the user has not named yet.
pub(super) fn is_unnamed(design: &Design, entry: Entry) -> bool {
    matches!(entry, Entry::NamedPlace(_)) && design.text(entry, EntryText::Name) == Some(entry.label().as_str())
}

/// Starts typing for a target; does nothing if the target has no value. The initial text is the current value, but is
/// empty for the name of a place that the user has not named yet.
pub(super) fn begin(panels: &mut PanelsState, editor: &Editor, target: TypingTarget) {
    let design = editor.document.design();
    if let Some(mut text) = target.value(design) {
        if let TypingTarget::Word(entry, EntryText::Name) = target
            && is_unnamed(design, entry)
        {
            text.clear();
        }
        let typing = TextField::new(target.kind(), text);
        panels.editing = Some(FieldEdit { target, typing });
    }
}
