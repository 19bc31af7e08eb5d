//! The field under a panel's cursor: typing a value, stepping it, rejecting invalid values, and explaining the field.
//!
//! All panels edit through this module, so that every field behaves alike and every edit has a name.

use crossterm::event::KeyEvent;
use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Borders, Paragraph, Widget, Wrap};

use super::slider::Slider;
use super::{PanelsState, constants, design, expect, rooms, stats, task, variation};
use crate::design::{Design, Entry, Field, FieldInfo, Parameter, Place, VaultText};
use crate::engine::{EffectAnalysis, NoEffectReason};
use crate::text::thousands;
use crate::tui::editor::{Editor, Focus};
use crate::tui::tabs::Panel;
use crate::tui::widget::prompt::{TextField, TextKind};
use crate::tui::wording;

/// Rows from which the explanation of a field has room for more than the first half of a reason.
const LONG_REASONS_FROM: u16 = 7;

/// A target of typing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TypingTarget {
    /// A parameter of an entry.
    Number(Entry, Parameter),
    /// A text of an entry.
    Word(Entry, VaultText),
    /// The design's name.
    Name,
    /// The design's notes.
    Notes,
    /// The seed.
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

    const fn kind(self) -> TextKind {
        match self {
            Self::Number(..) | Self::Seed | Self::Roll => TextKind::Number,
            Self::Name | Self::Word(..) | Self::Rule | Self::Expectation(_) => TextKind::Line,
            Self::Notes => TextKind::Text,
        }
    }

    /// Returns the present value as text; `None` if the entry is gone or the target has no value in the design.
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

/// Returns the target under the cursor of the panel shown.
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

/// Returns the text being typed at a target, if any.
pub(super) fn typed_at(panels: &PanelsState, target: TypingTarget) -> Option<&TextField> {
    let editing = panels.editing.as_ref()?;
    (editing.target == target).then_some(&editing.typing)
}

/// Starts typing at the cursor, with the present value.
pub(super) fn begin(panels: &mut PanelsState, editor: &Editor) {
    if let Some(target) = target(panels, editor)
        && let Some(text) = target.value(editor.document.design())
    {
        let typing = TextField::new(target.kind(), text);
        panels.editing = Some(FieldEdit { target, typing });
    }
}

/// Starts typing with a digit if a number is under the cursor, and returns whether it did.
pub(super) fn begin_with(panels: &mut PanelsState, editor: &Editor, key: &KeyEvent) -> bool {
    if panels.copying {
        return false;
    }
    let digit = matches!(key.code, crossterm::event::KeyCode::Char('0'..='9'));
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

/// Starts typing a rule that replaces values.
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
            Err(_) => Err(format!("a variation is 0 to {}", thousands(u32::MAX.into()))),
        },
        TypingTarget::Rule => task::replace(editor, &text),
        TypingTarget::Expectation(index) => expect::accept(editor, index, &text),
        TypingTarget::Notes => {
            editor.edit("notes written", |design| design.notes = text);
            Ok(())
        }
    };
    // A typed value is an edit of its own, not merged with steps before or after it.
    editor.document.seal();
    match accepted {
        Ok(()) => cancel(panels),
        Err(why) => editor.fail(why),
    }
}

/// Parses a typed number; the error explains why it is rejected.
fn number(design: &Design, entry: Entry, parameter: Parameter, text: &str) -> Result<i32, String> {
    if design.get(entry, parameter).is_none() {
        return Err(format!("{} no longer exists", entry.label()));
    }
    let info = parameter.info();
    let refused = || format!("{} is {}, not {text}", info.name, range(info));
    if text.is_empty() {
        return Err(format!("{} is {}", info.name, range(info)));
    }
    let value: i32 = text.parse().map_err(|_| refused())?;
    if !info.range().contains(&value) {
        return Err(refused());
    }
    match wording::codes(parameter) {
        Some(codes) if !codes.contains(&value) => {
            Err(format!("{value} is not a code for {}: {}", info.name, info.meaning))
        }
        _ => Ok(value),
    }
}

fn seed(text: &str) -> Result<u64, String> {
    text.parse()
        .map_err(|_| format!("a seed is 0 to {}", thousands(u64::MAX)))
}

/// Returns a field's range with its unit: `0 to 100 %`.
fn range(info: &FieldInfo) -> String {
    let unit = if info.unit.is_empty() { "" } else { " " };
    format!(
        "{} to {}{unit}{}",
        info.min,
        thousands(info.max.unsigned_abs().into()),
        info.unit
    )
}

/// Steps the number under the cursor; consecutive steps are one undo step.
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
        editor.warn(format!("{} is {}", info.name, range(info)));
        return;
    }
    editor.edit_parameter(entry, parameter, value);
}

/// Returns the code that a step leads to: for steps larger than one the code exactly `by` away, if there is one; else
/// the next code in that direction.
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
    editor.document.seal();
}

/// Sets every field of the selected record to its default, as one undo step.
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
        editor.warn("select a record whose fields have defaults");
        return;
    };
    editor.edit(format!("{}: all reset to defaults", entry.label()), |design| {
        for &parameter in entry.parameters() {
            design.set(entry, parameter, parameter.info().default);
        }
    });
    if !editor.regrows() {
        editor.done(format!("{} already has its defaults", entry.label()));
    }
}

fn set_text(editor: &mut Editor, entry: Entry, text: VaultText, value: &str) {
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

/// Splits a panel's inside into its list and the explanation of the selected field: at the bottom, or one blank line
/// below the last of `rows` if they leave room.
pub(super) fn part(area: Rect, rows: usize) -> [Rect; 2] {
    let about = match area.height {
        30.. => 8,
        22.. => 7,
        16.. => 5,
        11.. => 4,
        7.. => 2,
        _ => 0,
    };
    let list = (area.height - about).min(u16::try_from(rows).unwrap_or(u16::MAX).saturating_add(1));
    let [list, about, _] =
        Layout::vertical([Constraint::Length(list), Constraint::Length(about), Constraint::Min(0)]).areas(area);
    [list, about]
}

/// Returns the line of the slider within a field's explanation; `None` if that has fewer than four rows.
pub(super) fn slider_line(about: Rect) -> Option<Rect> {
    (about.height >= 4).then(|| Rect::new(about.x, about.y + 1, about.width, 1))
}

/// Draws the explanation of a field: its name, range and default in a rule, its slider, the meaning of its value, why
/// it has no effect if it has none, and the meaning of the field.
pub(super) fn about(editor: &Editor, entry: Entry, field: Field, area: Rect, buf: &mut Buffer) {
    let parameter = match field {
        Field::Number(parameter) => parameter,
        Field::Text(text) => {
            let lines = vec![Line::styled(text.meaning(), editor.theme.quiet())];
            explain(editor, text.key(), "", lines, area, buf);
            return;
        }
    };
    let info = parameter.info();
    let theme = editor.theme;
    let design = editor.document.design();
    let mut lines = Vec::new();
    if let Some(words) = wording::meaning(design, entry, parameter) {
        lines.push(Line::styled(words, theme.text()));
    }
    if let Some(idle) = EffectAnalysis::new(design, editor.options).of(entry, parameter) {
        // The meaning of the field must be visible as well: where there is little room, the reason is shortened.
        let why = match idle.why().split_once(": ") {
            Some((brief, _)) if area.height < LONG_REASONS_FROM => brief,
            _ => idle.why(),
        };
        let said = match &idle {
            NoEffectReason::Whole(_) => format!("no effect now: {why}"),
            NoEffectReason::Raised(used, _) => format!("counts as {used}: {why}"),
        };
        lines.push(Line::styled(said, theme.warning()));
    }
    let problem = editor
        .document
        .diagnostics()
        .find(|d| d.place == Some(Place::field(entry, parameter)));
    lines.extend(problem.map(|problem| Line::styled(problem.message.as_str(), theme.warning())));
    let mut meaning = Line::styled(info.meaning, theme.quiet());
    // As much as fits beside the name; the range comes before its unit and the default.
    let default = format!(", default {}", info.default);
    let short = format!("{}–{}", info.min, thousands(info.max.unsigned_abs().into()));
    let long = format!("{short} {}", info.unit).trim_end().to_owned();
    let room = usize::from(area.width).saturating_sub(info.name.len() + 4);
    let remarks = [format!("{long}{default}"), format!("{short}{default}"), long, short];
    let remark = remarks.iter().find(|remark| remark.chars().count() <= room);
    let remark = remark.map_or("", String::as_str);
    if !remark.contains(&default) {
        meaning.push_span(Span::styled(format!("; default {}", info.default), theme.quiet()));
    }
    lines.push(meaning);
    let slider = Slider::of(design, entry, parameter).zip(slider_line(area));
    let below = match &slider {
        Some(_) => Rect::new(area.x, area.y + 2, area.width, area.height - 2),
        None => Rect::new(
            area.x,
            area.y + area.height.min(1),
            area.width,
            area.height.saturating_sub(1),
        ),
    };
    explain(editor, info.name, remark, Vec::new(), area, buf);
    Paragraph::new(lines).wrap(Wrap { trim: true }).render(below, buf);
    if let Some((slider, line)) = slider {
        slider.draw(theme, line, buf);
    }
}

/// Draws a rule with a name and a remark, and lines below it.
pub(super) fn explain(editor: &Editor, name: &str, remark: &str, lines: Vec<Line>, area: Rect, buf: &mut Buffer) {
    if area.is_empty() {
        return;
    }
    let theme = editor.theme;
    let focused = editor.focus == Focus::Panel;
    let mut block = Block::new()
        .borders(Borders::TOP)
        .border_style(theme.border(false))
        .title(Line::styled(
            format!("{name} "),
            if focused { theme.heading() } else { theme.text() },
        ));
    if !remark.is_empty() {
        block = block.title(Line::styled(format!(" {remark}"), theme.quiet()).right_aligned());
    }
    let inside = block.inner(area);
    block.render(area, buf);
    Paragraph::new(lines).wrap(Wrap { trim: true }).render(inside, buf);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::design::{RoomField, Stat};

    #[test]
    fn codes_are_stepped_over_what_has_no_meaning() {
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
    fn typed_numbers_are_refused_with_the_range() {
        let design = Design::default();
        let stats = |text| number(&design, Entry::Generation(0), Stat::ChangeDirProb.into(), text);
        assert_eq!(stats("100"), Ok(100));
        for text in ["101", "99999999999", "", "-5", "1-", "1.5", "0x10"] {
            let why = stats(text).unwrap_err();
            assert!(why.contains("ChangeDirProb is 0 to 100 %"), "{why}");
        }
        let gone = number(&design, Entry::Room(0), RoomField::Div.into(), "1");
        assert!(gone.unwrap_err().contains("no longer exists"));
    }
}
