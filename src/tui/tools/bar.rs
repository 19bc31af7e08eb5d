//! The tool bar below the map in drawing mode: the tools with their keys, the options of the active tool, and a hint
//! that says what Enter or a click will do.
//!
//! The tools and the options can be clicked.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;
use ratatui::text::Span;
use ratatui::widgets::{Paragraph, Widget, Wrap};
use unicode_width::UnicodeWidthStr;

use super::plan::shape_of;
use super::preview::PlanAtCursor;
use super::{DrawState, Gesture, RoomPlacing, headings, select};
use crate::design::{RoomField, SitePlace};
use crate::text::thousands;
use crate::tui::areas::Areas;
use crate::tui::commands::{Action, BrowserCommand, DrawCommand, MapCommand, StrokeShape, Tool};
use crate::tui::editor::Editor;
use crate::tui::widget::items::{Item, ItemBar};
use crate::tui::wording;

/// Minimum width in columns of a bar that shows all tools in one row.
const WIDE: u16 = 80;

/// If the map and the bar together have at least this height in rows, the options have a row of their own. Below this
/// height, the bar has only two rows: the tools, and the hint with the options that fit.
const TALL: u16 = 16;

/// Minimum number of columns to the right of the hint for showing options; this is enough for several options.
const SEVERAL: u16 = 24;

/// Height of the bar without a row for the options.
pub(in crate::tui) const LOW: u16 = 2;

/// Returns the height of the bar in rows, given its width and the height of the map and the bar together.
pub(in crate::tui) const fn height(width: u16, column: u16) -> u16 {
    match (column < TALL, width < WIDE) {
        (true, _) => LOW,
        (false, true) => 4,
        (false, false) => 3,
    }
}

/// Returns an item of the bar: the first key of an action, if it has one, and a text. A click runs the action.
fn item(editor: &Editor, text: &str, action: Action, active: bool) -> Item<Action> {
    let theme = editor.theme;
    let [keys, texts] = if active {
        [theme.selected(true); 2]
    } else {
        [theme.accent(), theme.text()]
    };
    let line = vec![
        Span::styled(" ", texts),
        Span::styled(editor.keymap.first(action).unwrap_or_default(), keys),
        Span::styled(format!(" {text} "), texts),
    ];
    Item::new(line, action)
}

/// Returns the items that choose a tool, insert a vault or import a drawing.
fn tool_items(tools: &DrawState, editor: &Editor) -> Vec<Item<Action>> {
    let all = [
        ("select", Tool::Select),
        ("room", Tool::Room),
        ("wall", Tool::Wall),
        ("open", Tool::Open),
        ("column", Tool::Column),
        ("Crawler", Tool::Crawler),
        ("erase", Tool::Erase),
    ];
    all.into_iter()
        .map(|(text, tool)| {
            let action = Action::Tools(DrawCommand::Choose(tool));
            item(editor, text, action, tool == tools.tool)
        })
        .chain([
            item(editor, "vault", Action::Vaults(BrowserCommand::Open), false),
            item(editor, "import", Action::Tools(DrawCommand::ImportDrawing), false),
        ])
        .collect()
}

/// Returns the items for the options and commands of the active tool.
fn options(tools: &DrawState, editor: &Editor) -> Vec<Item<Action>> {
    let word = |text: &str, command, active| item(editor, text, Action::Tools(command), active);
    if let Some(shape) = shape_of(tools) {
        return StrokeShape::ALL
            .map(|one| word(one.name(), DrawCommand::Shape(one), one == shape))
            .into();
    }
    let free = if tools.placing == RoomPlacing::Free {
        "free"
    } else {
        "on grid"
    };
    match tools.tool {
        Tool::Room => vec![
            word("", DrawCommand::Widen(-1), false),
            word(&format!("width {}", tools.room.width), DrawCommand::Widen(1), false),
            word("", DrawCommand::Divide(-1), false),
            word(&format!("div {}", tools.room.div), DrawCommand::Divide(1), false),
            word(free, DrawCommand::Free, tools.placing == RoomPlacing::Free),
            word("doors", DrawCommand::Doors, false),
        ],
        Tool::Crawler => {
            let (forward, direction) = tools.crawler.headings().unzip();
            let forward = forward.map_or('?', crate::geometry::Forward::arrow);
            let direction = headings::arrow(direction.flatten());
            let end = if tools.crawler.termination == 1 {
                "open end"
            } else {
                "closed end"
            };
            vec![
                word(&format!("heads {forward}"), DrawCommand::Turn, false),
                word(&format!("Direction {direction}"), DrawCommand::Redirect, false),
                word(end, DrawCommand::Change(1), false),
            ]
        }
        _ if select::room(tools, editor).is_some() => vec![
            word("site", DrawCommand::Site(1), false),
            word("change", DrawCommand::Change(1), false),
            word("doors", DrawCommand::Doors, false),
            word("wider", DrawCommand::Widen(1), false),
            word("narrower", DrawCommand::Widen(-1), false),
            word(free, DrawCommand::Free, tools.placing == RoomPlacing::Free),
            word("grab", DrawCommand::Grab, false),
            word("remove", DrawCommand::Remove, false),
            word("duplicate", DrawCommand::Duplicate, false),
        ],
        _ => vec![
            word("grab", DrawCommand::Grab, false),
            word("remove", DrawCommand::Remove, false),
            word("copy", DrawCommand::Copy, false),
            word("paste", DrawCommand::Paste, false),
            word("duplicate", DrawCommand::Duplicate, false),
            word("below", DrawCommand::Below, false),
            word("turn", DrawCommand::Turn, false),
        ],
    }
}

/// Returns the bars with the items, and the area of the hint. The hint has one row, and a rejection or warning that
/// does not fit into it also takes the row of the options. If the options have no row of their own, those that fit are
/// to the right of the hint.
fn parts(tools: &DrawState, editor: &Editor, areas: &Areas) -> ([ItemBar<Action>; 2], Rect) {
    let area = areas.tools;
    let rows = |from: u16, count: u16| {
        let from = from.min(area.height);
        Rect::new(area.x, area.y + from, area.width, count.min(area.height - from))
    };
    let for_tools = if area.height > 3 { 2 } else { 1 };
    let for_options = area.height.saturating_sub(for_tools + 1).min(1);
    let items = |for_options| {
        let options = options(tools, editor);
        [
            ItemBar::new(tool_items(tools, editor), rows(0, for_tools), 0),
            ItemBar::new(options, rows(for_tools, for_options), 0),
        ]
    };
    if for_options > 0 && has_objection(tools) && hint(tools, editor, areas).0.width() >= usize::from(area.width) {
        return (items(0), rows(for_tools, 2));
    }
    let row = rows(for_tools + for_options, 1);
    if for_options > 0 || has_objection(tools) {
        return (items(for_options), row);
    }
    let width = (hint(tools, editor, areas).0.width() as u16 + 3).min(row.width);
    let rest = Rect {
        x: row.x + width,
        width: row.width - width,
        ..row
    };
    let [tool_bar, _] = items(0);
    let hint = Rect { width, ..row };
    let options = if rest.width < SEVERAL {
        Vec::new()
    } else {
        options(tools, editor)
    };
    ([tool_bar, ItemBar::new(options, rest, 0)], hint)
}

/// Returns the action of the item at a position of the screen.
pub(super) fn action_at(tools: &DrawState, editor: &Editor, areas: &Areas, at: Position) -> Option<Action> {
    let (bars, _) = parts(tools, editor, areas);
    bars.into_iter().find_map(|bar| bar.at(at))
}

/// Returns whether the plan at the cursor is rejected or has a warning.
fn has_objection(tools: &DrawState) -> bool {
    match &tools.preview.found {
        PlanAtCursor::Rejected(_) => true,
        PlanAtCursor::Preview(preview) => preview.warning.is_some(),
        PlanAtCursor::Nothing => false,
    }
}

/// Returns the hint: the effect of a click or of the key that applies the tool, or the reason why the plan at the
/// cursor is rejected.
fn hint(tools: &DrawState, editor: &Editor, areas: &Areas) -> (String, Style) {
    let theme = editor.theme;
    let tools = &tools;
    let coarse = editor.map.squares_of_a_character(areas.map);
    let held = tools.held.as_ref().map(|held| &held.gesture);
    let quiet = |text: String| (text, theme.quiet());
    let [apply, cancel, one, zoom_in] = [
        Action::Tools(DrawCommand::Hold),
        Action::Tools(DrawCommand::Leave),
        Action::Tools(DrawCommand::Apply),
        Action::Map(MapCommand::Nearer),
    ]
    .map(|action| editor.keymap.key_of(action));
    match (&tools.preview.found, held) {
        (PlanAtCursor::Rejected(why), _) => return (why.clone(), theme.error()),
        (PlanAtCursor::Preview(preview), _) if preview.warning.is_some() => {
            let warning = preview.warning.clone().unwrap_or_default();
            return (warning, theme.warning());
        }
        (PlanAtCursor::Preview(preview), Some(_)) => {
            let why = tools
                .preview
                .why_none()
                .map_or_else(String::new, |why| format!(" ({why})"));
            return (
                format!("{}: {apply} applies, {cancel} cancels{why}", preview.name),
                theme.good(),
            );
        }
        (PlanAtCursor::Preview(_), None) if let Some(why) = tools.preview.why_none() => return (why, theme.warning()),
        (_, Some(Gesture::Span)) if tools.tool == Tool::Select => {
            return quiet(format!("move to the other corner, then {apply} selects what is inside"));
        }
        (_, Some(Gesture::Move)) => return quiet(format!("move the selection, then {apply}; {cancel} cancels")),
        (_, Some(_)) => return quiet(format!("move the cursor, then {apply}; {cancel} cancels")),
        _ => {}
    }
    if let Some((rows, columns)) = coarse.filter(|(_, columns)| *columns > 1) {
        let text =
            format!("{rows} × {columns} squares per character: {zoom_in} zooms in; the arrow keys move by one square");
        return (text, theme.warning());
    }
    quiet(match tools.tool {
        Tool::Select => select_hint(tools, editor, &apply),
        Tool::Room => format!("click, or drag from middle to wall · or start with {apply}"),
        Tool::Crawler => format!("click, or drag the way the Crawler should head · or start with {apply}"),
        Tool::Wall | Tool::Open | Tool::Column | Tool::Erase if tools.shape == StrokeShape::Pencil => {
            format!("drag to draw · or start with {apply}; {one} draws one square")
        }
        _ => format!("drag from end to end · or start with {apply}"),
    })
}

/// Returns the hint of the Select tool; `apply` is the key that applies the tool.
fn select_hint(tools: &DrawState, editor: &Editor, apply: &str) -> String {
    let cursor = editor.map.cursor();
    if let Some((index, site)) = select::site_at(tools, editor, cursor) {
        let entry = crate::design::Entry::Room(index);
        let now = wording::meaning(editor.document.design(), entry, RoomField::SITES[site]).unwrap_or_default();
        return format!(
            "{} of {}: {now} · {apply} or a click changes it",
            SitePlace::ALL[site],
            entry.label()
        );
    }
    let here = select::entries_at(editor, cursor);
    match here.first() {
        Some(entry) if tools.selection.contains(entry) => {
            format!("{} · drag it, or pick it up with {apply}", entry.label())
        }
        Some(entry) => format!("{} · a click or {apply} selects it", entry.label()),
        None => match tools.selection.len() {
            0 => "click to select (rooms: on a wall or the middle), or drag a box".into(),
            count => format!(
                "{} selected · drag a box to select others, or press {apply} to begin a box",
                thousands(count as u64)
            ),
        },
    }
}

/// Draws the bar.
pub(in crate::tui) fn draw(tools: &DrawState, editor: &Editor, areas: &Areas, buf: &mut Buffer) {
    let (bars, row) = parts(tools, editor, areas);
    for bar in bars {
        bar.draw(buf);
    }
    let (text, style) = hint(tools, editor, areas);
    if row.width > 1 {
        let row = Rect::new(row.x + 1, row.y, row.width - 1, row.height);
        Paragraph::new(text)
            .style(style)
            .wrap(Wrap { trim: true })
            .render(row, buf);
    }
}
