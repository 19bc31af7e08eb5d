//! The constants panel: six numbers for the whole dungeon.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Widget};

use super::Command;
use super::stats::move_by;
use crate::design::{Entry, fields};
use crate::tui::app::{App, Focus};

/// Which field is selected.
#[derive(Debug, Default)]
pub(super) struct State {
    selected: usize,
}

/// Does a command.
pub(super) fn update(app: &mut App, command: Command) {
    let Command::Select(down, _) = command;
    let state = &mut app.panels.constants;
    state.selected = move_by(state.selected, down, fields::CONSTANTS.len());
}

/// Draws names and values.
pub(super) fn draw(app: &App, area: Rect, buf: &mut Buffer) {
    let theme = app.theme;
    let lines: Vec<Line> = fields::CONSTANTS
        .iter()
        .enumerate()
        .map(|(i, field)| {
            let value = app.document.design().get(Entry::Constants, i).unwrap_or_default();
            let style = if i == app.panels.constants.selected {
                theme.selected(app.focus == Focus::Panel)
            } else {
                theme.text()
            };
            Line::from(vec![
                Span::styled(format!("{:<20}", field.info.name), theme.quiet()),
                Span::styled(format!("{value:>6}"), style),
                Span::styled(format!(" {}", field.info.unit), theme.quiet()),
            ])
        })
        .collect();
    Paragraph::new(lines).render(area, buf);
}
