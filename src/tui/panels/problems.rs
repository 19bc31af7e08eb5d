//! The Problems panel: diagnostics of the design, its files and the settings, the most severe first.
//!
//! Enter goes to the entry or field that a diagnostic is about.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget;

use super::blocks::{BAR_WIDTH, BlockLine};
use super::{PanelsState, expect, rooms};
use crate::design::{Diagnostic, Entry, Place, Severity};
use crate::text::escape_line;
use crate::tui::editor::Editor;
use crate::tui::tabs::Panel;
use crate::tui::widget::list::ListStep;
use crate::tui::widget::text::wrap;

/// Returns all diagnostics of the design, its files and the settings.
fn all(editor: &Editor) -> impl Iterator<Item = &Diagnostic> {
    editor.document.diagnostics().chain(&editor.configured.diagnostics)
}

/// Returns all diagnostics, the most severe first.
pub(super) fn list(editor: &Editor) -> Vec<&Diagnostic> {
    let mut list: Vec<&Diagnostic> = all(editor).collect();
    list.sort_by_key(|problem| std::cmp::Reverse(problem.severity));
    list
}

/// Returns the worst severity of all diagnostics, and their number; `None` if there are none.
pub(super) fn worst_severity(editor: &Editor) -> Option<(Severity, usize)> {
    let worst = all(editor).map(|problem| problem.severity).max()?;
    Some((worst, all(editor).count()))
}

/// Returns the lines of a diagnostic, wrapped to `width` columns: severity and place, message, help, a blank line.
fn lines(editor: &Editor, problem: &Diagnostic, width: u16) -> Vec<Line<'static>> {
    let theme = editor.theme;
    let style = match problem.severity {
        Severity::Note => theme.accent(),
        Severity::Warning => theme.warning(),
        Severity::Error => theme.error(),
    };
    let mut head = vec![Span::styled(problem.severity.to_string(), style)];
    if let Some(source) = &problem.source {
        let name = source.file.rsplit(std::path::MAIN_SEPARATOR).next().unwrap_or_default();
        let place = format!(" {name}:{}:{}", source.line, source.column);
        head.push(Span::styled(place, theme.quiet()));
    } else if let Some(place) = problem.place {
        head.push(Span::styled(format!(" {}", place.entry.label()), theme.quiet()));
    }
    let text = problem.source.as_ref().map(|source| source.text.as_str());
    let quoted = text.filter(|text| !text.is_empty());
    let quoted = quoted.map_or_else(String::new, |text| format!(": `{}`", escape_line(text)));
    let width = usize::from(width.saturating_sub(BAR_WIDTH)).max(1);
    let message = wrap(&format!("{}{quoted}", problem.message), width);
    let help = wrap(&problem.help, width);
    std::iter::once(Line::from(head))
        .chain(message.into_iter().map(Line::raw))
        .chain(help.into_iter().map(|line| Line::styled(line, theme.quiet())))
        .chain([Line::default()])
        .collect()
}

/// Returns the lines of all diagnostics, each with the index of its diagnostic.
fn all_lines(editor: &Editor, width: u16) -> Vec<BlockLine> {
    let list = list(editor);
    let problems = list.iter().enumerate();
    problems
        .flat_map(|(i, problem)| lines(editor, problem, width).into_iter().map(move |line| (i, line)))
        .collect()
}

/// Moves the selection.
pub(super) fn step(panels: &mut PanelsState, editor: &Editor, step: ListStep) {
    let area = super::inside(panels, editor);
    panels.problems.step(step, area, &all_lines(editor, area.width));
}

/// Selects the clicked problem, and returns whether it was selected before.
pub(super) fn click(panels: &mut PanelsState, editor: &Editor, area: Rect, at: Position) -> bool {
    let lines = all_lines(editor, area.width);
    panels.problems.click(at, area, &lines) == Some(true)
}

/// Goes to the entry or field that the selected problem is about.
pub(super) fn go(panels: &mut PanelsState, editor: &mut Editor) {
    let list = list(editor);
    let Some(problem) = list.get(panels.problems.selected(list.len())).copied() else {
        return;
    };
    let Some(place) = problem.place else {
        editor.warn("this problem is not in an entry of the design: fix it in the file");
        return;
    };
    show(panels, editor, place);
}

/// Shows an entry or field of the design in its panel. If the entry is an open square, a wall tile, a column tile or a
/// first Crawler, also moves the map's cursor to its square.
pub(super) fn show(panels: &mut PanelsState, editor: &mut Editor, place: Place) {
    let row = || {
        place
            .entry
            .fields()
            .position(|field| Some(field) == place.field)
            .unwrap_or(0)
    };
    match place.entry {
        Entry::Generation(generation) => {
            editor.panel = Panel::Stats;
            panels.stats.select(generation, row());
        }
        Entry::Constants => {
            editor.panel = Panel::Constants;
            panels.constants.select_row(row());
        }
        Entry::Expectation(index) => {
            editor.panel = Panel::Expect;
            expect::select(panels, index);
        }
        entry => {
            editor.panel = Panel::Rooms;
            rooms::select(panels, entry, place.field);
            show_on_map(editor, entry);
        }
    }
}

/// Moves the map's cursor to an entry, if the entry is an open square, a wall tile, a column tile or a first Crawler.
fn show_on_map(editor: &mut Editor, entry: Entry) {
    let layout = &editor.document.design().layout;
    let at = match entry {
        Entry::Open(i) => layout.open.get(i).copied(),
        Entry::Wall(i) => layout.walls.get(i).copied(),
        Entry::Column(i) => layout.columns.get(i).copied(),
        Entry::Crawler(i) => layout.crawlers.get(i).map(|start| start.at),
        _ => None,
    };
    if let Some(at) = at {
        editor.map.move_cursor(at);
    }
}

/// Draws the diagnostics, with a bar beside the selected one.
pub(super) fn draw(panels: &PanelsState, editor: &Editor, area: Rect, buf: &mut Buffer) {
    let theme = editor.theme;
    let lines = all_lines(editor, area.width);
    if lines.is_empty() {
        Line::styled("no problems", theme.quiet()).render(area, buf);
        return;
    }
    let draw = |i: usize, row: Rect, buf: &mut Buffer| {
        buf.set_line(row.x, row.y, &lines[i].1, row.width);
    };
    panels.problems.draw(editor, area, &lines, draw, buf);
}
