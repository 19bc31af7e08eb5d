//! The text being typed in a panel, and its target.

use super::PanelsState;
use crate::design::{Design, Entry, EntryText, Field, Parameter};
use crate::tui::editor::Editor;
use crate::tui::widget::prompt::{TextField, TextKind};

/// A target of typing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TypingTarget {
    Number(Entry, Parameter),
    Word(Entry, EntryText),
    /// The design's name.
    Name,
    /// The design's notes.
    Notes,
    Seed,
    /// The number of the variation being tried.
    Roll,
    /// A rule that replaces values.
    Rule,
    /// An expectation, or a new one after the last.
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

    /// Returns the current value as text; `None` if the entry is gone or the target has no value in the design.
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

/// Returns the text being typed at a target, if any.
pub(super) fn typed_at(panels: &PanelsState, target: TypingTarget) -> Option<&TextField> {
    let editing = panels.editing.as_ref()?;
    (editing.target == target).then_some(&editing.typing)
}

/// Starts typing at a target, with its current value if it has one.
pub(super) fn begin(panels: &mut PanelsState, editor: &Editor, target: TypingTarget) {
    if let Some(text) = target.value(editor.document.design()) {
        let typing = TextField::new(target.kind(), text);
        panels.editing = Some(FieldEdit { target, typing });
    }
}
