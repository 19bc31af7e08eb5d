//! The Stats panel: a table of the stats file's parameters for all ten generations, edited in place.
//!
//! The rows are parameters, the columns are generations; the table scrolls. The selected parameter is explained below
//! the table.

mod selection;
pub(super) mod task;
pub(super) mod variation;

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;

pub(super) use self::selection::{StatsState, target};
use super::typing::{self, TypingTarget};
use super::{PanelsState, explanation, line};
use crate::design::{Character, Entry, GENERATIONS, Stat};
use crate::engine::EffectAnalysis;
use crate::tui::buttons;
use crate::tui::editor::Editor;
use crate::tui::keymap::Context;
use crate::tui::widget::list::{ListStep, VisibleRows};

/// Width of the longest name, in columns.
const NAME_WIDTH: u16 = 17;

/// Width of shortened names, if there is little room for values.
const SHORT_NAME_WIDTH: u16 = 12;

/// Minimum number of generations that must fit beside full names; otherwise names are shortened.
const ENOUGH: u16 = 5;

/// Smallest width of a generation's column.
const CELL_WIDTH: u16 = 4;

/// Number of rows of the table: one for the headings and one for each parameter.
const ROWS: usize = 1 + Stat::ALL.len();

/// The areas of the table, and which of its rows and columns are visible.
struct Table {
    /// The row of the generations' headings.
    head: Rect,
    /// The area of the values, without names and headings.
    cells: Rect,
    name_width: u16,
    cell_width: u16,
    /// The visible parameters.
    rows: VisibleRows,
    /// The visible generations.
    columns: VisibleRows,
}

impl Table {
    fn new(panels: &PanelsState, editor: &Editor, area: Rect) -> Self {
        let state = &panels.stats;
        let [list, _] = explanation::part(area, ROWS);
        let cell_width = cell_width(panels, editor);
        let enough = NAME_WIDTH + cell_width * ENOUGH;
        let name_width = if list.width >= enough {
            NAME_WIDTH
        } else {
            SHORT_NAME_WIDTH
        }
        .min(list.width);
        let columns = ((list.width - name_width) / cell_width).min(GENERATIONS as u16);
        let head = Rect {
            height: list.height.min(1),
            ..list
        };
        let cells = Rect::new(
            list.x + name_width,
            list.y + head.height,
            columns * cell_width,
            (list.height - head.height).min(Stat::ALL.len() as u16),
        );
        Self {
            head,
            cells,
            name_width,
            cell_width,
            rows: state.rows.visible(cells, Stat::ALL.len(), 0),
            columns: state.columns.visible(
                Rect {
                    height: columns,
                    ..cells
                },
                GENERATIONS,
                0,
            ),
        }
    }

    /// Returns the generation and the row of the cell at a position.
    fn field_at(&self, at: Position) -> Option<(usize, usize)> {
        let column = at.x.checked_sub(self.cells.x)? / self.cell_width;
        self.cells.contains(at).then(|| {
            (
                self.columns.top + usize::from(column),
                self.rows.top + usize::from(at.y - self.cells.y),
            )
        })
    }
}

/// Returns the width of a column, which has room for a blank and the widest value, including values that are previewed
/// or typed.
fn cell_width(panels: &PanelsState, editor: &Editor) -> u16 {
    let character = &editor.document.design().character;
    let preview = task::preview(panels, editor);
    let values = [Some(character), preview.as_ref()]
        .into_iter()
        .flatten()
        .flat_map(|character| {
            let stats = character.generations.iter();
            stats.flat_map(|stats| Stat::ALL.iter().map(|stat| stat.get(stats)))
        });
    let digits = values.map(|value| value.to_string().len()).max().unwrap_or(0);
    let typed = match target(panels) {
        target if editor.panel == super::Panel::Stats => {
            typing::typed_at(panels, target).map_or(0, |typing| typing.text().len() + 1)
        }
        _ => 0,
    };
    (digits.max(typed).min(11) as u16 + 1).max(CELL_WIDTH)
}

/// Returns the area of the selected field's explanation.
pub(super) fn explanation_part(area: Rect) -> Rect {
    explanation::part(area, ROWS)[1]
}

/// Returns the area below the explanation, for buttons.
pub(super) fn rest_part(area: Rect) -> Rect {
    let about = explanation_part(area);
    Rect {
        y: about.bottom(),
        height: area.bottom() - about.bottom(),
        ..area
    }
}

/// Moves the selection up or down among the parameters, or to the first or last generation.
pub(super) fn step(panels: &mut PanelsState, editor: &Editor, step: ListStep) {
    let table = Table::new(panels, editor, super::inside(panels, editor));
    match step {
        ListStep::First | ListStep::Last => panels.stats.columns.step(step, table.columns),
        ListStep::By(_) | ListStep::Page(_) => panels.stats.rows.step(step, table.rows),
    }
}

/// Moves the selection among the generations.
pub(super) fn step_columns(panels: &mut PanelsState, editor: &Editor, by: i32) {
    let table = Table::new(panels, editor, super::inside(panels, editor));
    panels.stats.columns.step(ListStep::By(by), table.columns);
}

/// Selects the clicked field, and returns whether it was selected before.
pub(super) fn click(panels: &mut PanelsState, editor: &Editor, area: Rect, at: Position) -> bool {
    let table = Table::new(panels, editor, area);
    let Some((generation, row)) = table.field_at(at) else {
        return false;
    };
    panels.stats.columns.select(generation, table.columns);
    panels.stats.rows.select(row, table.rows);
    (table.columns.selected, table.rows.selected) == (generation, row)
}

/// Draws the table and the meaning of the selected field.
pub(super) fn draw(panels: &PanelsState, editor: &Editor, area: Rect, buf: &mut Buffer) {
    let table = Table::new(panels, editor, area);
    draw_head(panels, editor, &table, buf);
    let shown = Shown {
        idle: EffectAnalysis::new(editor.document.design(), editor.options),
        preview: task::preview(panels, editor),
    };
    for (row, &stat) in (table.cells.top()..table.cells.bottom()).zip(&Stat::ALL[table.rows.top..]) {
        draw_row(panels, editor, &table, &shown, row, stat, buf);
    }
    let state = &panels.stats;
    if !task::draw(panels, editor, area, explanation_part(area), buf) {
        let entry = Entry::Generation(state.generation());
        explanation::about(editor, entry, state.stat().into(), explanation_part(area), buf);
        buttons::of(editor, Context::Panels, rest_part(area)).draw(buf);
    }
}

/// The data that the table shows besides the design's values.
struct Shown<'a> {
    idle: EffectAnalysis<'a>,
    /// The parameters to preview: the result of the rule being typed or of the variation being tried.
    preview: Option<Character>,
}

fn draw_head(panels: &PanelsState, editor: &Editor, table: &Table, buf: &mut Buffer) {
    if table.head.is_empty() {
        return;
    }
    let theme = editor.theme;
    let before = table.columns.top > 0;
    let after = table.columns.top + usize::from(table.columns.area.height) < GENERATIONS;
    // If the columns fill the whole width, the mark for further columns is beside the title.
    let beside = after && table.cells.right() == table.head.right();
    let marks = match (before, beside) {
        (false, false) => "",
        (true, false) => " ‹",
        (false, true) => " ›",
        (true, true) => "‹›",
    };
    let title = format!("generation{marks}");
    buf.set_stringn(
        table.head.x,
        table.head.y,
        title,
        table.name_width.into(),
        theme.quiet(),
    );
    for column in 0..table.columns.area.height {
        let generation = table.columns.top + usize::from(column);
        let style = theme.text().fg(theme.generation_text(generation as u32));
        let style = if generation == panels.stats.generation() {
            style.add_modifier(ratatui::style::Modifier::BOLD | ratatui::style::Modifier::UNDERLINED)
        } else {
            style
        };
        let right = table.cells.x + (column + 1) * table.cell_width;
        right_aligned(&generation.to_string(), right, table.head.y, style, buf);
    }
    if after && !beside {
        buf.set_string(table.head.right() - 1, table.head.y, "›", theme.quiet());
    }
}

fn draw_row(
    panels: &PanelsState,
    editor: &Editor,
    table: &Table,
    shown: &Shown,
    row: u16,
    stat: Stat,
    buf: &mut Buffer,
) {
    let theme = editor.theme;
    let info = stat.info();
    let state = &panels.stats;
    let name = if stat == state.stat() {
        theme.accent()
    } else {
        theme.quiet()
    };
    let room = usize::from(table.name_width);
    let text = if info.name.len() > room && room > 0 {
        format!("{}…", &info.name[..room - 1])
    } else {
        info.name.into()
    };
    buf.set_stringn(table.head.x, row, text, room, name);
    for column in 0..table.columns.area.height {
        let generation = table.columns.top + usize::from(column);
        let entry = Entry::Generation(generation);
        let Some(value) = editor.document.design().get(entry, stat) else {
            continue;
        };
        let right = table.cells.x + (column + 1) * table.cell_width;
        let selected = (generation, stat) == (state.generation(), state.stat());
        if let Some(typing) = typing::typed_at(panels, TypingTarget::Number(entry, stat.into())) {
            let width = (typing.text().len() as u16 + 1).min(table.cell_width);
            typing.draw(theme, Rect::new(right - width, row, width, 1), buf);
            continue;
        }
        let previewed = shown
            .preview
            .as_ref()
            .map_or(value, |character| stat.get(&character.generations[generation]));
        let style = if previewed == value || selected {
            let is_idle = shown.idle.of(entry, stat).is_some();
            line::value_style(editor, value, info, selected, is_idle)
        } else {
            editor.theme.highlight()
        };
        let value = previewed;
        right_aligned(&value.to_string(), right, row, style, buf);
    }
}

/// Draws text that ends just before the column `right`.
fn right_aligned(text: &str, right: u16, row: u16, style: Style, buf: &mut Buffer) {
    let width = text.len() as u16;
    buf.set_stringn(right.saturating_sub(width), row, text, width.into(), style);
}

#[cfg(test)]
mod tests {
    use ratatui::layout::Rect;

    use super::*;
    use crate::tui::fixture::TestApp;

    /// Returns the row of headings of a table with this width, if this generation is selected.
    fn head(width: u16, generation: usize) -> String {
        let mut designer = TestApp::grown(120, 40);
        designer.app.panels.stats.select(generation, 0);
        let area = Rect::new(0, 0, width, 20);
        let mut buf = Buffer::empty(area);
        draw(&designer.app.panels, &designer.app.editor, area, &mut buf);
        (0..width).map(|x| buf[(x, 0)].symbol().to_owned()).collect()
    }

    #[test]
    fn columns_that_do_not_fit_are_marked_at_any_width() {
        for (width, generation, expected) in [
            (37, 0, "generation ›        0   1   2   3   4"),
            (38, 0, "generation          0   1   2   3   4›"),
            (36, 0, "generation ›   0   1   2   3   4   5"),
            (36, 6, "generation‹›   1   2   3   4   5   6"),
            (36, 9, "generation ‹   4   5   6   7   8   9"),
        ] {
            assert_eq!(head(width, generation), expected, "{width}");
        }
    }
}
