//! The panel Expect: the author's expectations of the dungeons, whether they hold here, and over many seeds.
//!
//! Expectations are written in the language of [`crate::design::expect`]; typed text is checked at once, and errors are
//! shown below the column where they are.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::field::{self, FieldEdit, TypingTarget};
use super::{PanelsState, follow, move_by};
use crate::design::expect;
use crate::tui::commands::PanelCommand;
use crate::tui::editor::{Editor, Focus, NoticeLevel, Request};
use crate::tui::metric_reports::ExpectationState;
use crate::tui::widget::prompt::{TextField, TextKind};
use crate::tui::widget::text::wrap;

/// Columns for the bar and the sign before an expectation.
const SIGN: u16 = 4;

/// Placeholder for the line being typed, until its text field is drawn there. No expectation begins with it.
const TYPED: &str = "\u{0}";

/// The selected expectation, and the first visible line of the list.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct ExpectState {
    selected: usize,
    top: usize,
}

fn count(editor: &Editor) -> usize {
    editor.document.design().expect.that.len()
}

fn selected(panels: &PanelsState, editor: &Editor) -> usize {
    panels.expect.selected.min(count(editor).saturating_sub(1))
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
pub(super) fn select(panels: &mut PanelsState, editor: &Editor, index: usize) {
    panels.expect.selected = index;
    keep_in_view(panels, editor);
}

/// Carries out a command.
pub(super) fn update(panels: &mut PanelsState, editor: &mut Editor, command: PanelCommand) {
    let (all, now) = (count(editor), selected(panels, editor));
    match command {
        PanelCommand::Select(down, _) => panels.expect.selected = move_by(now, down, all),
        PanelCommand::Page(down) => panels.expect.selected = move_by(now, down * 4, all),
        PanelCommand::First => panels.expect.selected = 0,
        PanelCommand::Last => panels.expect.selected = all.saturating_sub(1),
        PanelCommand::Edit if all > 0 => field::begin(panels, editor),
        PanelCommand::Edit | PanelCommand::Add => {
            panels.expect.selected = all;
            panels.editing = Some(FieldEdit {
                target: TypingTarget::Expectation(all),
                typing: TextField::new(TextKind::Line, ""),
            });
        }
        PanelCommand::Remove if all > 0 => {
            let name = format!("expectation removed: {}", editor.document.design().expect.that[now]);
            editor.edit(name, |design| drop(design.expect.that.remove(now)));
        }
        PanelCommand::Shift(by) => {
            let to = move_by(now, by, all);
            if to != now {
                let name = format!("expectation {} moved", now + 1);
                panels.expect.selected = to;
                editor.edit(name, |design| design.expect.that.swap(now, to));
            }
        }
        PanelCommand::OpenFailing => editor.ask(Request::OpenFailing(now)),
        _ => {}
    }
    keep_in_view(panels, editor);
}

/// Accepts a typed expectation; an empty one is removed. Returns an error with its column if it is invalid.
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
        editor.say(NoticeLevel::Warning, "done; only a TOML file keeps expectations");
    }
    Ok(())
}

/// Returns an error with its column, as in `column 6: there is no figure paht; …`.
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

/// Scrolls as little as needed to show the selected expectation.
fn keep_in_view(panels: &mut PanelsState, editor: &Editor) {
    let area = super::inside(panels, editor);
    let lines = lines(panels, editor, area.width);
    let now = panels.expect.selected;
    let of_it = |line: &Part| line.index == now;
    let (Some(first), Some(last)) = (lines.iter().position(of_it), lines.iter().rposition(of_it)) else {
        return;
    };
    let top = follow(panels.expect.top, last, area.height.into(), lines.len());
    panels.expect.top = follow(top, first, area.height.into(), lines.len());
}

/// Scrolls the list by lines; the selection stays.
pub(super) fn scroll(panels: &mut PanelsState, editor: &Editor, by: i32) {
    let area = super::inside(panels, editor);
    let last = lines(panels, editor, area.width)
        .len()
        .saturating_sub(area.height.into());
    panels.expect.top = panels.expect.top.saturating_add_signed(by as isize).min(last);
}

/// Selects the clicked expectation, and returns whether it was selected before.
pub(super) fn click(panels: &mut PanelsState, editor: &Editor, area: Rect, at: Position) -> bool {
    let line = panels.expect.top + usize::from(at.y.saturating_sub(area.y));
    let clicked = lines(panels, editor, area.width).get(line).map(|part| part.index);
    let Some(index) = clicked.filter(|index| area.contains(at) && *index < count(editor)) else {
        return false;
    };
    let before = selected(panels, editor);
    panels.expect.selected = index;
    before == index
}

/// A line of the panel, and the index of the expectation that it belongs to.
struct Part {
    index: usize,
    line: Line<'static>,
}

fn lines(panels: &PanelsState, editor: &Editor, width: u16) -> Vec<Part> {
    let theme = editor.theme;
    let room = usize::from(width.saturating_sub(SIGN)).max(1);
    let mut parts = Vec::new();
    let mut put = |index: usize, sign: &'static str, text: &str, style: Style, of_sign: Style| {
        for (i, text) in wrap(text, room).into_iter().enumerate() {
            let sign = if i == 0 { sign } else { " " };
            let spans = vec![Span::styled(format!("{sign} "), of_sign), Span::styled(text, style)];
            parts.push(Part {
                index,
                line: Line::from(spans),
            });
        }
    };
    let all = &editor.document.design().expect.that;
    let typing = |index: usize| field::typed_at(panels, TypingTarget::Expectation(index));
    for index in 0..=all.len() {
        if let Some(typing) = typing(index) {
            // The field draws the line itself.
            put(index, "›", TYPED, theme.quiet(), theme.accent());
            match expect::parse(typing.text()) {
                _ if typing.text().trim().is_empty() => {
                    let text = "such as: path >= 180 in 95 %, median dead-ends <= 40";
                    put(index, " ", text, theme.quiet(), theme.quiet());
                }
                Ok(_) => put(index, " ", "Enter takes it", theme.quiet(), theme.quiet()),
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
            ExpectationState::NotYet => ("·", theme.quiet(), "not yet: the run is not over".to_owned()),
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
            let style = match over_seeds.holds {
                Some(true) => theme.good(),
                Some(false) => theme.error(),
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
        let text = "This design has no expectations yet. Add a condition that its dungeons should meet: reachable, path >= 180, \
                    enclosed == 0, share(generation 3) <= 0.35 in 95 %, median dead-ends <= 40.";
        for (y, line) in (area.top()..area.bottom()).zip(wrap(text, area.width.into())) {
            buf.set_stringn(area.x, y, line, area.width.into(), theme.quiet());
        }
        return;
    }
    let now = match panels.editing.as_ref().map(|editing| editing.target) {
        Some(TypingTarget::Expectation(index)) => index,
        _ => selected(panels, editor),
    };
    let bar = theme.border(editor.focus == Focus::Panel);
    let top = panels.expect.top.min(parts.len().saturating_sub(area.height.into()));
    for (y, part) in (area.top()..area.bottom()).zip(&parts[top..]) {
        if part.index == now {
            buf.set_stringn(area.x, y, "▌", area.width.into(), bar);
        }
        let x = area.x + 2.min(area.width);
        let typing = field::typed_at(panels, TypingTarget::Expectation(part.index));
        let is_typed = part.line.spans.last().is_some_and(|span| span.content == TYPED);
        match typing.filter(|_| is_typed) {
            Some(typing) => {
                let x = area.x + SIGN.min(area.width);
                typing.draw(theme, Rect::new(x, y, area.right() - x, 1), buf);
            }
            None => drop(buf.set_line(x, y, &part.line, area.right() - x)),
        }
    }
}
