//! The Expect panel: the author's expectations about the dungeons, and whether they hold in this dungeon and over many
//! seeds.
//!
//! Expectations are written in the language of [`crate::design::expect`]. Text is checked while the user types it, and
//! errors are shown below the column in which they occur.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::blocks::{BAR_WIDTH, BlockLine};
use super::typing::{self, FieldEdit, TypingTarget};
use super::{PanelsState, move_by};
use crate::analysis::Outcome;
use crate::design::expect;
use crate::tui::commands::{Action, EntryCommand, PanelCommand};
use crate::tui::editor::{Editor, Request};
use crate::tui::metric_reports::ExpectationState;
use crate::tui::widget::list::ListStep;
use crate::tui::widget::popup::after;
use crate::tui::widget::prompt::{TextField, TextKind};
use crate::tui::widget::text::{put_wrapped, wrap};

/// Width of the bar and the symbol before an expectation, in columns.
const SIGN: u16 = 4;

/// Placeholder for the line being typed; the text field is drawn in its place. No expectation begins with this
/// character.
const TYPED: &str = "\u{0}";

fn count(editor: &Editor) -> usize {
    editor.document.design().expect.that.len()
}

fn selected(panels: &PanelsState, editor: &Editor) -> usize {
    panels.expect.selected(count(editor))
}

/// Returns the expectation under the cursor.
pub(super) fn target(panels: &PanelsState, editor: &Editor) -> TypingTarget {
    TypingTarget::Expectation(selected(panels, editor))
}

/// Returns whether there are no expectations.
pub(super) fn is_empty(editor: &Editor) -> bool {
    count(editor) == 0
}

/// Selects an expectation.
pub(super) const fn select(panels: &mut PanelsState, index: usize) {
    panels.expect.select(index);
}

/// Moves the selection.
pub(super) fn step(panels: &mut PanelsState, editor: &Editor, step: ListStep) {
    let area = super::inside(panels, editor);
    let lines = lines(panels, editor, area.width);
    panels.expect.step(step, area, &lines);
}

/// Starts typing in the selected expectation, or in a new one if the design has none.
pub(super) fn edit(panels: &mut PanelsState, editor: &mut Editor) {
    if is_empty(editor) {
        update(panels, editor, EntryCommand::Add);
    } else {
        let target = target(panels, editor);
        typing::begin(panels, editor, target);
    }
}

/// Adds, removes or moves an expectation. A new expectation is added to the design once its text is accepted.
pub(super) fn update(panels: &mut PanelsState, editor: &mut Editor, command: EntryCommand) {
    let (all, now) = (count(editor), selected(panels, editor));
    match command {
        EntryCommand::Add => {
            panels.expect.select(all);
            panels.editing = Some(FieldEdit {
                target: TypingTarget::Expectation(all),
                typing: TextField::new(TextKind::Line, ""),
            });
        }
        EntryCommand::Remove if all > 0 => {
            let name = format!("expectation removed: {}", editor.document.design().expect.that[now]);
            editor.edit(name, |design| drop(design.expect.that.remove(now)));
        }
        EntryCommand::Shift(by) => {
            let to = move_by(now, by, all);
            if to != now {
                let name = format!("expectation {} moved", now + 1);
                panels.expect.select(to);
                editor.edit(name, |design| design.expect.that.swap(now, to));
            }
        }
        EntryCommand::Remove | EntryCommand::Duplicate => {}
    }
}

/// Asks to open the first checked seed for which the selected expectation failed.
pub(super) fn open_failing(panels: &PanelsState, editor: &mut Editor) {
    editor.ask(Request::OpenFailing(selected(panels, editor)));
}

/// Accepts a typed expectation; an empty text removes the expectation. If the text is invalid, returns a message that
/// names the column of the error.
pub(super) fn accept(editor: &mut Editor, index: usize, text: &str) -> Result<(), String> {
    let text = text.trim().to_owned();
    let before = editor.document.design().expect.that.get(index).cloned();
    if text.is_empty() {
        let Some(before) = before else { return Ok(()) };
        let name = format!("expectation removed: {before}");
        editor.edit(name, |design| drop(design.expect.that.remove(index)));
        return Ok(());
    }
    if before.as_ref() == Some(&text) {
        return Ok(());
    }
    if let Err(problem) = expect::parse(&text) {
        return Err(describe(&text, &problem));
    }
    let name = match before {
        Some(_) => format!("expectation {}: {text}", index + 1),
        None => format!("expectation added: {text}"),
    };
    editor.edit(name, |design| {
        if let Some(that) = design.expect.that.get_mut(index) {
            *that = text;
        } else {
            design.expect.that.push(text);
        }
    });
    if let Some(crate::storage::DesignFiles::Legacy { .. }) = editor.document.design_files() {
        editor.warn("only a TOML file stores expectations: save the design as TOML to keep this one");
    }
    Ok(())
}

/// Describes an error with its column: `column 6: unknown metric; …`.
fn describe(text: &str, problem: &expect::ExpectationError) -> String {
    let column = column(text, problem) + 1;
    let help = if problem.help.is_empty() {
        String::new()
    } else {
        format!("; {}", problem.help)
    };
    format!("column {column}: {}{help}", problem.message)
}

fn column(text: &str, problem: &expect::ExpectationError) -> usize {
    text.get(..problem.span.start).unwrap_or(text).chars().count()
}

/// Selects the clicked expectation, and returns whether it was selected before.
pub(super) fn click(panels: &mut PanelsState, editor: &Editor, area: Rect, at: Position) -> bool {
    let lines = lines(panels, editor, area.width);
    panels.expect.click(at, area, &lines) == Some(true)
}

/// Returns the lines of the panel, each with the index of its expectation.
fn lines(panels: &PanelsState, editor: &Editor, width: u16) -> Vec<BlockLine> {
    let theme = editor.theme;
    let room = usize::from(width.saturating_sub(SIGN)).max(1);
    let mut parts = Vec::new();
    let mut put = |index: usize, sign: &'static str, text: &str, style: Style, of_sign: Style| {
        for (i, text) in wrap(text, room).into_iter().enumerate() {
            let sign = if i == 0 { sign } else { " " };
            let spans = vec![Span::styled(format!("{sign} "), of_sign), Span::styled(text, style)];
            parts.push((index, Line::from(spans)));
        }
    };
    let all = &editor.document.design().expect.that;
    let typing = |index: usize| typing::typed_at(panels, TypingTarget::Expectation(index));
    for index in 0..=all.len() {
        if let Some(typing) = typing(index) {
            put(index, "›", TYPED, theme.quiet(), theme.accent());
            match expect::parse(typing.text()) {
                _ if typing.text().trim().is_empty() => {
                    let text = "such as `path >= 180 in 95%` or `median dead-ends <= 40`";
                    put(index, " ", text, theme.quiet(), theme.quiet());
                }
                Ok(_) => {
                    let accept = editor.keymap.key_of(Action::Panel(PanelCommand::Take));
                    put(
                        index,
                        " ",
                        &format!("{accept} accepts it"),
                        theme.quiet(),
                        theme.quiet(),
                    );
                }
                Err(problem) => {
                    let column = column(typing.text(), &problem);
                    if column < room {
                        let caret = format!("{}▲", "\u{a0}".repeat(column));
                        put(index, " ", &caret, theme.warning(), theme.quiet());
                    }
                    put(
                        index,
                        " ",
                        &describe(typing.text(), &problem),
                        theme.warning(),
                        theme.quiet(),
                    );
                }
            }
            continue;
        }
        let Some(text) = all.get(index) else { continue };
        let report = panels.inputs.expectations.get(index);
        let (sign, style, description) = match report.map_or(&ExpectationState::NotYet, |report| &report.here) {
            ExpectationState::Wrong(problem) => ("!", theme.warning(), describe(text, problem)),
            ExpectationState::NotYet => ("·", theme.quiet(), "pending: the growth has not finished".to_owned()),
            ExpectationState::OverSeeds(description) if description.is_empty() => {
                ("·", theme.quiet(), "needs many seeds".into())
            }
            ExpectationState::OverSeeds(description) => (
                "·",
                theme.quiet(),
                format!("needs many seeds; in this dungeon: {description}"),
            ),
            ExpectationState::Holds(description) => ("✓", theme.good(), format!("holds here: {description}")),
            ExpectationState::Fails(description) => ("×", theme.error(), format!("fails here: {description}")),
        };
        put(index, sign, text, theme.text(), style);
        put(index, " ", &description, theme.quiet(), theme.quiet());
        if let Some(over_seeds) = report.and_then(|report| report.over_seeds.as_ref()) {
            let style = match over_seeds.outcome {
                Some(Outcome::Holds) => theme.good(),
                Some(Outcome::Fails) => theme.error(),
                Some(Outcome::NeedsMoreSeeds) => theme.warning(),
                None => theme.quiet(),
            };
            put(index, " ", &over_seeds.text, style, theme.quiet());
        }
    }
    parts
}

/// Draws the expectations, with a bar beside the selected one.
pub(super) fn draw(panels: &PanelsState, editor: &Editor, area: Rect, buf: &mut Buffer) {
    if area.is_empty() {
        return;
    }
    let theme = editor.theme;
    let parts = lines(panels, editor, area.width);
    if parts.is_empty() {
        let text = "This design has no expectations yet. Add conditions that its dungeons should meet, for example: \
                    reachable, path >= 180, enclosed == 0, share(generation 3) <= 0.35 in 95%, median dead-ends <= 40.";
        put_wrapped(text, area, theme.quiet(), buf);
        return;
    }
    let draw = |i: usize, row: Rect, buf: &mut Buffer| {
        let (index, line) = &parts[i];
        let typing = typing::typed_at(panels, TypingTarget::Expectation(*index));
        let is_typed = line.spans.last().is_some_and(|span| span.content == TYPED);
        match typing.filter(|_| is_typed) {
            Some(typing) => typing.draw(theme, after(row, SIGN - BAR_WIDTH), buf),
            None => drop(buf.set_line(row.x, row.y, line, row.width)),
        }
    };
    panels.expect.draw(editor, area, &parts, draw, buf);
}
