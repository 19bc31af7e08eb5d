//! The explanation of the selected field, shown below a panel's list.

use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Borders, Paragraph, Widget, Wrap};

use super::slider::Slider;
use crate::design::{Entry, Field, Parameter, Place};
use crate::engine::{EffectAnalysis, NoEffectReason};
use crate::text::thousands;
use crate::tui::editor::{Editor, Focus};
use crate::tui::wording;

/// Minimum height, in rows, of an explanation that says in full why a value has no effect.
const LONG_REASONS_FROM: u16 = 7;

/// Splits a panel's inside into an area for its list and an area for the explanation of the selected field. `rows` is
/// the number of rows in the list. If the list is short, the explanation follows the list after a blank line;
/// otherwise, the explanation is at the bottom.
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

/// Returns the line of the slider in a parameter's explanation. There is no slider if the explanation has fewer than
/// two rows, or if it has fewer than four rows and contains a warning.
pub(super) fn slider_line(editor: &Editor, entry: Entry, parameter: Parameter, about: Rect) -> Option<Rect> {
    let is_there = match about.height {
        0 | 1 => false,
        2 | 3 => warnings(editor, entry, parameter, about.height).is_empty(),
        _ => true,
    };
    is_there.then(|| Rect::new(about.x, about.y + 1, about.width, 1))
}

/// Returns the warnings in a parameter's explanation, which has `height` rows: why the parameter's value has no effect
/// or counts as another value, and the first diagnostic about the parameter.
fn warnings(editor: &Editor, entry: Entry, parameter: Parameter, height: u16) -> Vec<Line<'_>> {
    let mut lines = Vec::new();
    if let Some(idle) = EffectAnalysis::new(editor.document.design(), editor.options).of(entry, parameter) {
        // The meaning of the field must be visible as well, so the reason is shortened if there is little room.
        let why = match idle.why().split_once(": ") {
            Some((brief, _)) if height < LONG_REASONS_FROM => brief,
            _ => idle.why(),
        };
        lines.push(match &idle {
            NoEffectReason::Whole(_) => format!("no effect now: {why}"),
            NoEffectReason::Raised(used, _) => format!("counts as {used}: {why}"),
        });
    }
    let place = Some(Place::field(entry, parameter));
    let problem = editor.document.diagnostics().find(|found| found.place == place);
    lines.extend(problem.map(|problem| problem.message.clone()));
    let style = editor.theme.warning();
    lines.into_iter().map(|text| Line::styled(text, style)).collect()
}

/// Draws the explanation of a field. The explanation of a text field consists of its name and meaning. The explanation
/// of a number consists of a heading (name, range and default), the slider, the meaning of the value, warnings about
/// the value, and the meaning of the field.
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
    lines.extend(warnings(editor, entry, parameter, area.height));
    let mut meaning = Line::styled(info.meaning, theme.quiet());
    // The heading shows the name and, beside it, the first of `remarks` that fits.
    let default = format!(", default {}", info.default);
    let short = format!("{}–{}", info.min, thousands(info.max.unsigned_abs().into()));
    let long = info.with_unit(&short);
    let room = usize::from(area.width).saturating_sub(info.name.len() + 4);
    let remarks = [format!("{long}{default}"), format!("{short}{default}"), long, short];
    let remark = remarks.iter().find(|remark| remark.chars().count() <= room);
    let remark = remark.map_or("", String::as_str);
    if !remark.contains(&default) {
        meaning.push_span(Span::styled(format!("; default {}", info.default), theme.quiet()));
    }
    lines.push(meaning);
    let slider = Slider::of(design, entry, parameter).zip(slider_line(editor, entry, parameter, area));
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

/// Draws a heading, which is a rule with a name at the left and a remark at the right, and lines of text below it.
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
