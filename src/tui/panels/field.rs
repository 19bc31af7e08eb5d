//! Edits the field under a panel's cursor: types a value, steps it, and rejects invalid values.
//!
//! All panels edit through this module, so that all fields behave alike and every edit has a name in the history.

use crossterm::event::{KeyCode, KeyEvent};

use super::stats::{task, variation};
use super::typing::{self, FieldEdit, TypingTarget};
use super::{PanelsState, constants, design, expect, rooms, stats};
use crate::design::{Design, Entry, EntryText, FieldInfo, Parameter};
use crate::text::thousands;
use crate::tui::editor::Editor;
use crate::tui::keymap::Context;
use crate::tui::tabs::Panel;
use crate::tui::widget::prompt::{TextField, TextKind};
use crate::tui::wording;

/// Returns the field under the cursor of the panel shown; `None` if the cursor is not on a field that can be typed
/// into.
pub(super) fn target(panels: &PanelsState, editor: &Editor) -> Option<TypingTarget> {
    match editor.panel {
        Panel::Stats if panels.variation.is_some() => Some(TypingTarget::Roll),
        Panel::Stats => Some(stats::target(panels)),
        Panel::Rooms => rooms::target(panels, editor),
        Panel::Constants => Some(constants::target(panels)),
        Panel::Design => Some(design::target(panels)),
        Panel::Problems => None,
        Panel::Expect => Some(expect::target(panels, editor)),
    }
}

/// Starts typing at the cursor, with the current value.
pub(super) fn begin(panels: &mut PanelsState, editor: &Editor) {
    if let Some(target) = target(panels, editor) {
        typing::begin(panels, editor, target);
    }
}

/// If the key is a digit and the field under the cursor is a number, starts typing with this digit. Returns whether
/// typing was started.
pub(super) fn begin_with(panels: &mut PanelsState, editor: &Editor, key: &KeyEvent) -> bool {
    if task::context(panels, editor) == Some(Context::Copying) {
        return false;
    }
    let digit = matches!(key.code, KeyCode::Char('0'..='9'));
    let Some(target) = target(panels, editor).filter(|target| digit && target.kind() == TextKind::Number) else {
        return false;
    };
    let mut typing = TextField::new(TextKind::Number, "");
    if !TextField::is_text(key) {
        return false;
    }
    typing.press(key);
    panels.editing = Some(FieldEdit { target, typing });
    true
}

/// Starts typing a rule that replaces values in all generations.
pub(super) fn begin_rule(panels: &mut PanelsState) {
    panels.copying = false;
    panels.editing = Some(FieldEdit {
        target: TypingTarget::Rule,
        typing: TextField::new(TextKind::Line, ""),
    });
}

/// Cancels typing.
pub(super) fn cancel(panels: &mut PanelsState) {
    panels.editing = None;
}

/// Accepts the text being typed; if it is invalid, shows why and continues typing.
pub(super) fn accept(panels: &mut PanelsState, editor: &mut Editor) {
    let Some(FieldEdit { target, typing }) = &panels.editing else {
        return;
    };
    let (target, text) = (*target, typing.text().to_owned());
    let accepted = match target {
        TypingTarget::Number(entry, parameter) => number(editor.document.design(), entry, parameter, &text)
            .map(|value| editor.edit_parameter(entry, parameter, value)),
        TypingTarget::Seed => seed(&text).map(|seed| editor.edit_seed(seed)),
        // A new place keeps its automatic name if no name is typed.
        TypingTarget::Word(entry @ Entry::NamedPlace(_), EntryText::Name)
            if text.trim().is_empty() && typing::is_unnamed(editor.document.design(), entry) =>
        {
            Ok(())
        }
        TypingTarget::Word(entry, word) if editor.document.design().text(entry, word).is_none() => Err(gone(entry)),
        TypingTarget::Word(entry, word) => {
            set_text(editor, entry, word, text.trim());
            Ok(())
        }
        TypingTarget::Name => {
            set_name(editor, text.trim().to_owned());
            Ok(())
        }
        TypingTarget::Roll => match text.parse() {
            Ok(number) => {
                variation::set_number(panels, number);
                editor.regrow();
                Ok(())
            }
            Err(_) => Err(format!(
                "a variation must be a number from 0 to {}",
                thousands(u32::MAX.into())
            )),
        },
        TypingTarget::Rule => task::replace(editor, &text),
        TypingTarget::Expectation(index) => expect::accept(editor, index, &text),
        TypingTarget::Notes => {
            editor.edit("notes written", |design| design.notes = text);
            Ok(())
        }
    };
    // A typed value is an undo step of its own, not merged with edits before or after it.
    editor.document.close_undo_group();
    match accepted {
        Ok(()) => cancel(panels),
        Err(why) => editor.fail(why),
    }
}

/// Parses a typed number; the error says why the text is rejected.
fn number(design: &Design, entry: Entry, parameter: Parameter, text: &str) -> Result<i32, String> {
    if design.get(entry, parameter).is_none() {
        return Err(gone(entry));
    }
    let info = parameter.info();
    let rejected = || format!("{} must be {}, not {text}", info.name, range(info));
    if text.is_empty() {
        return Err(format!("{} must be {}", info.name, range(info)));
    }
    let value: i32 = text.parse().map_err(|_| rejected())?;
    if !info.range().contains(&value) {
        return Err(rejected());
    }
    match wording::codes(parameter) {
        Some(codes) if !codes.contains(&value) => {
            Err(format!("{value} is not a code for {}: {}", info.name, info.meaning))
        }
        _ => Ok(value),
    }
}

/// Returns the error for text typed into a field of an entry that has been removed.
fn gone(entry: Entry) -> String {
    format!("{} no longer exists", entry.label())
}

fn seed(text: &str) -> Result<u64, String> {
    text.parse()
        .map_err(|_| format!("a seed must be a number from 0 to {}", thousands(u64::MAX)))
}

/// Returns a field's range with its unit: `0 to 100%`.
fn range(info: &FieldInfo) -> String {
    let most = thousands(info.max.unsigned_abs().into());
    info.with_unit(&format!("{} to {most}", info.min))
}

/// Changes the number under the cursor by `by`; consecutive changes are one undo step.
pub(super) fn step(panels: &PanelsState, editor: &mut Editor, by: i32) {
    match target(panels, editor) {
        Some(TypingTarget::Number(entry, parameter)) => step_number(editor, entry, parameter, by),
        Some(TypingTarget::Seed) => {
            let seed = editor.document.design().seed.wrapping_add_signed(by.into());
            editor.edit_seed(seed);
        }
        Some(
            TypingTarget::Word(..)
            | TypingTarget::Name
            | TypingTarget::Notes
            | TypingTarget::Roll
            | TypingTarget::Rule
            | TypingTarget::Expectation(_),
        )
        | None => {}
    }
}

/// Returns whether the field under the cursor is a number that can be stepped.
pub(super) fn can_step(panels: &PanelsState, editor: &Editor) -> bool {
    matches!(
        target(panels, editor),
        Some(TypingTarget::Number(..) | TypingTarget::Seed)
    )
}

fn step_number(editor: &mut Editor, entry: Entry, parameter: Parameter, by: i32) {
    let Some(before) = editor.document.design().get(entry, parameter) else {
        return;
    };
    let info = parameter.info();
    let value = match wording::codes(parameter) {
        Some(codes) => next_code(&codes, before, by),
        None => before.saturating_add(by).clamp(info.min, info.max),
    };
    if value == before {
        editor.warn(format!("{} must be {}", info.name, range(info)));
        return;
    }
    editor.edit_parameter(entry, parameter, value);
}

/// Returns the value after a step by `by` in a field that accepts only `codes`. A step larger than one reaches
/// `before + by` if that value is a code. Any other step reaches the next code in its direction; if there is none, the
/// value stays `before`.
fn next_code(codes: &[i32], before: i32, by: i32) -> i32 {
    let target = before.saturating_add(by);
    if by.abs() > 1 && codes.contains(&target) {
        return target;
    }
    let next = if by > 0 {
        codes.iter().find(|code| **code > before)
    } else {
        codes.iter().rev().find(|code| **code < before)
    };
    next.copied().unwrap_or(before)
}

/// Sets the field under the cursor to its default.
pub(super) fn reset(panels: &PanelsState, editor: &mut Editor) {
    match target(panels, editor) {
        Some(TypingTarget::Number(entry, parameter)) => {
            let default = parameter.info().default;
            if editor.document.design().get(entry, parameter) == Some(default) {
                let name = wording::field_name(entry, parameter.into());
                editor.done(format!("{name} already has its default, {default}"));
            }
            editor.edit_parameter(entry, parameter, default);
        }
        Some(TypingTarget::Word(entry, word)) => set_text(editor, entry, word, ""),
        Some(TypingTarget::Seed) => editor.edit_seed(Design::default().seed),
        Some(TypingTarget::Name) => set_name(editor, String::new()),
        Some(TypingTarget::Notes) => editor.edit("notes removed", |design| design.notes.clear()),
        Some(TypingTarget::Roll | TypingTarget::Rule | TypingTarget::Expectation(_)) => {}
        None => {
            if editor.panel != Panel::Rooms || !rooms::reset_switch(panels, editor) {
                editor.warn("no field is selected");
            }
        }
    }
    editor.document.close_undo_group();
}

/// Sets every field of the selected entry to its default, as one undo step.
pub(super) fn reset_all(panels: &PanelsState, editor: &mut Editor) {
    let record = match editor.panel {
        Panel::Rooms => rooms::entry(panels, editor),
        Panel::Stats | Panel::Constants => match target(panels, editor) {
            Some(TypingTarget::Number(entry, _)) => Some(entry),
            _ => None,
        },
        Panel::Design | Panel::Problems | Panel::Expect => None,
    };
    let Some(entry) = record else {
        editor.warn("first select a generation or an entry whose fields have defaults");
        return;
    };
    editor.edit(format!("{}: all reset to defaults", entry.label()), |design| {
        for &parameter in entry.parameters() {
            design.set(entry, parameter, parameter.info().default);
        }
        for &text in entry.texts() {
            design.set_text(entry, text, "");
        }
    });
    if !editor.regrows() {
        editor.done(format!("{} already has its defaults", entry.label()));
    }
}

fn set_text(editor: &mut Editor, entry: Entry, text: EntryText, value: &str) {
    editor.edit_in(
        None,
        |before, after| wording::change_name(entry, text.into(), before, after),
        |design| {
            design.set_text(entry, text, value);
        },
    );
}

fn set_name(editor: &mut Editor, name: String) {
    let title = |before: &Design, after: &Design| {
        format!(
            "name: {} → {}",
            wording::quoted(&before.name),
            wording::quoted(&after.name)
        )
    };
    editor.edit_in(None, title, |design| design.name = name);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::design::{RoomField, Stat};

    #[test]
    fn stepping_skips_numbers_that_are_not_codes() {
        let codes = [0, 1, 12, 13, 22, 23];
        assert_eq!(next_code(&codes, 1, 1), 12);
        assert_eq!(next_code(&codes, 12, -1), 1);
        assert_eq!(next_code(&codes, 12, 10), 22);
        assert_eq!(next_code(&codes, 22, 10), 23);
        assert_eq!(next_code(&codes, 23, 1), 23);
        assert_eq!(next_code(&codes, 7, -1), 1);
        assert_eq!(next_code(&codes, i32::MAX, 10), i32::MAX);
    }

    #[test]
    fn invalid_numbers_are_rejected_with_the_range() {
        let design = Design::default();
        let stats = |text| number(&design, Entry::Generation(0), Stat::ChangeDirProb.into(), text);
        assert_eq!(stats("100"), Ok(100));
        for text in ["101", "99999999999", "", "-5", "1-", "1.5", "0x10"] {
            let why = stats(text).unwrap_err();
            assert!(why.contains("ChangeDirProb must be 0 to 100%"), "{why}");
        }
        let gone = number(&design, Entry::Room(0), RoomField::Div.into(), "1");
        assert!(gone.unwrap_err().contains("no longer exists"));
    }
}
