//! The stats panel: ten generations × twelve parameters.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Widget};

use super::Command;
use crate::design::{Entry, GENERATIONS, fields};
use crate::tui::app::{App, Focus};

const NAME_WIDTH: u16 = 17;
const CELL_WIDTH: u16 = 4;

/// Which field is selected.
#[derive(Debug, Default)]
pub(super) struct State {
    parameter: usize,
    generation: usize,
}

/// Does a command.
pub(super) fn update(app: &mut App, command: Command) {
    let Command::Select(down, right) = command;
    let state = &mut app.panels.stats;
    state.parameter = move_by(state.parameter, down, fields::STATS.len());
    state.generation = move_by(state.generation, right, GENERATIONS);
}

/// An index moved within a list.
pub(super) fn move_by(index: usize, by: i32, len: usize) -> usize {
    index.saturating_add_signed(by as isize).min(len.saturating_sub(1))
}

/// Draws the table, the generations that have room, and the meaning of the selected field.
pub(super) fn draw(app: &App, area: Rect, buf: &mut Buffer) {
    let theme = app.theme;
    let state = &app.panels.stats;
    let room = usize::from(area.width.saturating_sub(NAME_WIDTH) / CELL_WIDTH).clamp(1, GENERATIONS);
    let first = (state.generation + 1).saturating_sub(room);
    let shown = first..(first + room).min(GENERATIONS);
    let mut head = vec![Span::raw(format!("{:1$}", "", usize::from(NAME_WIDTH)))];
    for generation in shown.clone() {
        let style = theme.text().fg(theme.generation(generation as u32));
        head.push(Span::styled(format!("{generation:>4}"), style));
    }
    let mut lines = vec![Line::from(head)];
    for (parameter, field) in fields::STATS.iter().enumerate() {
        let mut line = vec![Span::styled(format!("{:<17}", field.info.name), theme.quiet())];
        for generation in shown.clone() {
            let value = app.document.design().get(Entry::Generation(generation), parameter);
            let text = format!("{:>4}", value.unwrap_or_default());
            let selected = (parameter, generation) == (state.parameter, state.generation);
            let style = if selected {
                theme.selected(app.focus == Focus::Panel)
            } else {
                theme.text()
            };
            line.push(Span::styled(text, style));
        }
        lines.push(Line::from(line));
    }
    Paragraph::new(lines).render(area, buf);
}
