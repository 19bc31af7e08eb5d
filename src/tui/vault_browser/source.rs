//! The source of the selected map: the lines of its file, each with its diagnostics below.

use ratatui::buffer::Buffer;
use ratatui::layout::{Margin, Rect};
use ratatui::style::Style;
use ratatui::widgets::Widget as _;

use super::BrowserState;
use super::areas::BrowserAreas;
use crate::design::Severity;
use crate::tui::editor::Editor;
use crate::tui::widget::popup::block;
use crate::tui::widget::text::{put, shortened, wrap};
use crate::vault::lua::{LuaFailure, ResolveOutcome};

/// Width of the line numbers in columns.
const NUMBER: usize = 5;

/// Maximum number of rows of a diagnostic below its line.
const PROBLEM_ROWS: usize = 3;

/// A diagnostic about a line of the file.
struct Remark {
    line: u32,
    severity: Severity,
    text: String,
}

/// Returns the diagnostics of the selected map's file, ordered by line.
fn remarks(state: &BrowserState) -> Vec<Remark> {
    let (Some(group), Some((_, map))) = (state.group(), state.selected) else {
        return Vec::new();
    };
    let file = group.library.file(map);
    let mut remarks = Vec::new();
    for problem in file.problems.iter().chain(group.library.problems()) {
        if let Some(source) = problem.source.as_ref().filter(|source| source.file == file.name) {
            remarks.push(Remark {
                line: source.line,
                severity: problem.severity,
                text: problem.message.clone(),
            });
        }
    }
    let compiled = group.library.ids().filter_map(|id| group.facts(id)?.failure.as_ref());
    let rolled = state.rolls.all().filter_map(|(_, outcome)| match outcome? {
        ResolveOutcome::Failed(failure) => Some(failure),
        _ => None,
    });
    let mut lua = |failure: &LuaFailure| {
        let line = failure.line.filter(|_| failure.file.as_ref() == Some(&file.name));
        if let Some(line) = line
            && !remarks
                .iter()
                .any(|known| known.line == line && known.text == failure.message)
        {
            remarks.push(Remark {
                line,
                severity: Severity::Error,
                text: failure.message.clone(),
            });
        }
    };
    compiled.for_each(&mut lua);
    rolled.for_each(&mut lua);
    remarks.sort_by_key(|remark| remark.line);
    remarks
}

/// Returns the index of the first visible line.
fn top(state: &BrowserState, height: usize) -> usize {
    let (Some(group), Some((_, map))) = (state.group(), state.selected) else {
        return 0;
    };
    let lines = group.lines(map).len();
    let most = lines.saturating_sub(height.min(lines) / 2);
    let usual = || {
        let source = group.library.map(map);
        let first = source.line.saturating_sub(1) as usize;
        // If the map has an error, its first erroneous line is shown.
        let failed = remarks(state).into_iter().find(|remark| {
            remark.severity == Severity::Error && (source.line..=source.last_line).contains(&remark.line)
        });
        let failed = failed.map_or(first, |remark| {
            (remark.line as usize).saturating_sub(height.saturating_sub(PROBLEM_ROWS))
        });
        first.max(failed)
    };
    state.source_top.unwrap_or_else(usual).min(most)
}

/// Scrolls the source by a number of lines; down if the number is positive.
pub(super) fn scroll(state: &mut BrowserState, editor: &mut Editor, by: i32) {
    let height = usize::from(BrowserAreas::of(state, editor).source.height.saturating_sub(2));
    if height == 0 {
        return;
    }
    let moved = top(state, height).saturating_add_signed(by as isize);
    state.source_top = Some(moved);
    state.source_top = Some(top(state, height));
}

/// Draws the source.
pub(super) fn draw(state: &BrowserState, editor: &Editor, area: Rect, buf: &mut Buffer) {
    if area.is_empty() {
        return;
    }
    let theme = editor.theme;
    let (Some(group), Some((_, map))) = (state.group(), state.selected) else {
        block(theme, false).title(" Source ").render(area, buf);
        return;
    };
    let file = group.library.file(map);
    let name = shortened(&file.name, usize::from(area.width.saturating_sub(4)));
    block(theme, false).title(format!(" {name} ")).render(area, buf);
    let inside = area.inner(Margin::new(1, 1));
    if inside.is_empty() {
        return;
    }
    let source = group.library.map(map);
    let remarks = remarks(state);
    let width = usize::from(inside.width);
    let mut rows: Vec<(String, Style)> = Vec::new();
    let first = top(state, inside.height.into());
    for (i, line) in group.lines(map).iter().enumerate().skip(first) {
        if rows.len() >= inside.height.into() {
            break;
        }
        let number = i as u32 + 1;
        let here: Vec<&Remark> = remarks.iter().filter(|remark| remark.line == number).collect();
        let style = match here.iter().map(|remark| remark.severity).max() {
            Some(Severity::Error) => theme.error(),
            Some(Severity::Warning) => theme.warning(),
            _ if !(source.line..=source.last_line).contains(&number) => theme.quiet(),
            _ if line.starts_with('#') => theme.quiet(),
            _ if number == source.line => theme.heading(),
            _ => theme.text(),
        };
        rows.push((format!("{number:>4} {line}"), style));
        for remark in here {
            let room = width.saturating_sub(NUMBER + 2);
            let text = wrap(&remark.text, room);
            for (i, text) in text.into_iter().take(PROBLEM_ROWS).enumerate() {
                let sign = if i == 0 { '└' } else { ' ' };
                rows.push((format!("{:NUMBER$}{sign} {text}", ""), theme.warning()));
            }
        }
    }
    for (row, (text, style)) in inside.rows().zip(rows) {
        put(&text, row, style, buf);
    }
}
