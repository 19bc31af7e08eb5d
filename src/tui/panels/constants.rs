//! The constants panel: six numbers for the whole dungeon.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use super::field::{self, TypingTarget};
use super::{PanelsState, follow, move_by};
use crate::design::{Constant, Entry, Field};
use crate::tui::commands::PanelCommand;
use crate::tui::editor::Editor;

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
pub(super) fn target(panels: &PanelsState) -> TypingTarget {
    let constant = Constant::ALL[panels.constants.selected];
    TypingTarget::Number(Entry::Constants, constant.into())
}

/// Returns the first visible row.
fn top(panels: &PanelsState, list: Rect) -> usize {
    follow(0, panels.constants.selected, list.height.into(), Constant::ALL.len())
}

/// Returns the area of the selected field's explanation.
pub(super) fn about_part(area: Rect) -> Rect {
    field::part(area, Constant::ALL.len())[1]
}

/// Carries out a command.
pub(super) fn update(panels: &mut PanelsState, command: PanelCommand) {
    let selected = &mut panels.constants.selected;
    match command {
        PanelCommand::Select(down, _) => *selected = move_by(*selected, down, Constant::ALL.len()),
        PanelCommand::Page(down) => *selected = move_by(*selected, down * 4, Constant::ALL.len()),
        PanelCommand::First => *selected = 0,
        PanelCommand::Last => *selected = Constant::ALL.len() - 1,
        _ => {}
    }
}

/// Selects the clicked field, and returns whether it was selected before.
pub(super) fn click(panels: &mut PanelsState, area: Rect, at: Position) -> bool {
    let [list, _] = field::part(area, Constant::ALL.len());
    let row = top(panels, list) + usize::from(at.y.saturating_sub(list.y));
    if !list.contains(at) || row >= Constant::ALL.len() {
        return false;
    }
    let before = panels.constants.selected;
    panels.constants.selected = row;
    before == row
}

/// Draws names, values and units, and the meaning of the selected field.
pub(super) fn draw(panels: &PanelsState, editor: &Editor, area: Rect, buf: &mut Buffer) {
    let [list, about] = field::part(area, Constant::ALL.len());
    let selected = panels.constants.selected;
    let rows = (list.top()..list.bottom()).zip(top(panels, list)..Constant::ALL.len());
    let field = |row: usize| Field::from(Constant::ALL[row]);
    for (y, row) in rows {
        let line = Rect::new(list.x, y, list.width, 1);
        super::line::field(
            panels,
            editor,
            Entry::Constants,
            field(row),
            selected == row,
            0,
            line,
            buf,
        );
    }
    field::about(editor, Entry::Constants, field(selected), about, buf);
}
