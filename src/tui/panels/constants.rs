//! The constants panel: six numbers for the whole dungeon.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use super::field::{self, TypingTarget};
use super::{PanelCommand, follow, move_by};
use crate::design::{Constant, Entry, Field};
use crate::tui::app::{App, Effect};

/// The selected row; the rows are those of [`Constant::ALL`].
#[derive(Debug, Default)]
pub(super) struct ConstantsState {
    selected: usize,
}

impl ConstantsState {
    /// Selects a row.
    pub(super) fn select(&mut self, row: usize) {
        self.selected = row.min(Constant::ALL.len() - 1);
    }
}

/// Returns the field under the cursor.
pub(super) fn target(app: &App) -> TypingTarget {
    let constant = Constant::ALL[app.panels.constants.selected];
    TypingTarget::Number(Entry::Constants, constant.into())
}

/// Returns the first visible row.
fn top(app: &App, list: Rect) -> usize {
    follow(
        0,
        app.panels.constants.selected,
        list.height.into(),
        Constant::ALL.len(),
    )
}

/// Returns the area of the selected field's explanation.
pub(super) fn about_part(area: Rect) -> Rect {
    field::part(area, Constant::ALL.len())[1]
}

/// Carries out a command.
pub(super) fn update(app: &mut App, command: PanelCommand) -> Vec<Effect> {
    let selected = &mut app.panels.constants.selected;
    match command {
        PanelCommand::Select(down, _) => *selected = move_by(*selected, down, Constant::ALL.len()),
        PanelCommand::Page(down) => *selected = move_by(*selected, down * 4, Constant::ALL.len()),
        PanelCommand::First => *selected = 0,
        PanelCommand::Last => *selected = Constant::ALL.len() - 1,
        _ => {}
    }
    Vec::new()
}

/// Selects the clicked field, and returns whether it was selected before.
pub(super) fn click(app: &mut App, area: Rect, at: Position) -> bool {
    let [list, _] = field::part(area, Constant::ALL.len());
    let row = top(app, list) + usize::from(at.y.saturating_sub(list.y));
    if !list.contains(at) || row >= Constant::ALL.len() {
        return false;
    }
    let before = app.panels.constants.selected;
    app.panels.constants.selected = row;
    before == row
}

/// Draws names, values and units, and the meaning of the selected field.
pub(super) fn draw(app: &App, area: Rect, buf: &mut Buffer) {
    let [list, about] = field::part(area, Constant::ALL.len());
    let selected = app.panels.constants.selected;
    let rows = (list.top()..list.bottom()).zip(top(app, list)..Constant::ALL.len());
    let field = |row: usize| Field::from(Constant::ALL[row]);
    for (y, row) in rows {
        let line = Rect::new(list.x, y, list.width, 1);
        super::line::field(app, Entry::Constants, field(row), selected == row, 0, line, buf);
    }
    field::about(app, Entry::Constants, field(selected), about, buf);
}
