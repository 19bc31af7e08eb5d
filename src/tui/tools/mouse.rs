//! The mouse in drawing mode: the left button controls the tool. The right button cancels a gesture or, with the Select
//! tool, changes a site's code to the previous one. The map still handles the wheel and the middle button.

use crossterm::event::{KeyModifiers, MouseButton, MouseEvent, MouseEventKind};

use super::{DrawState, Gesture, bar, begin_at_cursor, cancel, finish, follow, objects, select};
use crate::design::Entry;
use crate::geometry::Point;
use crate::tui::commands::Tool;
use crate::tui::editor::{Editor, Focus};
use crate::tui::widget::mouse::click;

/// Handles a mouse event over the map. Returns false if the map must handle the event.
pub(in crate::tui) fn mouse(
    tools: &mut DrawState,
    editor: &mut Editor,
    in_panel: Option<Entry>,
    mouse: MouseEvent,
) -> bool {
    let square = square(tools, editor, mouse);
    select::sync(tools, editor, in_panel);
    match mouse.kind {
        MouseEventKind::Moved | MouseEventKind::Drag(MouseButton::Left) => {
            if let Some(at) = square {
                editor.map.move_cursor(at);
                follow(tools, editor);
            }
        }
        MouseEventKind::Down(MouseButton::Left) => {
            editor.focus = Focus::Map;
            if let Some(at) = square {
                editor.map.move_cursor(referred_square(tools, editor, at));
                follow(tools, editor);
                press(tools, editor, mouse.modifiers);
            }
        }
        MouseEventKind::Up(MouseButton::Left) if tools.is_dragged() => release(tools, editor),
        MouseEventKind::Down(MouseButton::Right) => {
            if tools.held.is_some() {
                cancel(tools, editor);
            } else if let Some(at) = square {
                editor.map.move_cursor(at);
                if tools.tool == Tool::Select && select::site_at(tools, editor, at).is_some() {
                    super::alter::change(tools, editor, -1);
                }
            }
        }
        _ => return false,
    }
    true
}

/// Returns the square that a press refers to. If one character shows several squares, prefers a square that suits the
/// tool: for Select, a square with an entry; for Erase, a square on which something is drawn; for a tool that draws, a
/// square that is not yet in the tool's list.
fn referred_square(tools: &DrawState, editor: &Editor, at: Point) -> Point {
    if tools.held.is_some() {
        return at;
    }
    let layout = &editor.document.design().layout;
    let suits = |at: &Point| {
        let drawn = || objects::drawn_on(layout, &[*at].into());
        match tools.tool {
            Tool::Select => {
                select::site_at(tools, editor, *at).is_some() || !select::entries_at(editor, *at).is_empty()
            }
            Tool::Erase => !drawn().is_empty(),
            tool => tool.draws().is_none_or(|list| {
                !drawn()
                    .iter()
                    .any(|entry| entry.list().is_some_and(|(of, _)| of == list))
            }),
        }
    };
    let beside = editor.map.beside(editor.areas.map, at);
    beside.into_iter().find(suits).unwrap_or(at)
}

fn press(tools: &mut DrawState, editor: &mut Editor, modifiers: KeyModifiers) {
    if tools.held.is_some() {
        return finish(tools, editor);
    }
    let at = editor.map.cursor();
    tools.preview.mark_outdated();
    if tools.tool != Tool::Select {
        begin_at_cursor(tools, editor, true);
        return;
    }
    let here = select::entries_at(editor, at);
    let more = modifiers.intersects(KeyModifiers::CONTROL | KeyModifiers::SHIFT);
    match here.first() {
        Some(entry) if more => select::toggle(tools, editor, *entry),
        Some(entry) => {
            // The press that selects a room must not change one of its sites.
            tools.fresh = !here.iter().any(|entry| tools.selection.contains(entry));
            if tools.fresh {
                select::choose(tools, editor, [*entry].into());
            }
            tools.begin_gesture(Gesture::Move, at, true);
        }
        None => begin_at_cursor(tools, editor, true),
    }
}

/// Finishes the mouse gesture in progress, if there is one, at the square where the pointer was last seen.
pub(in crate::tui) fn finish_drag(tools: &mut DrawState, editor: &mut Editor, in_panel: Option<Entry>) {
    if tools.is_dragged() {
        select::sync(tools, editor, in_panel);
        finish(tools, editor);
    }
}

/// Cancels the mouse gesture in progress, if there is one.
pub(in crate::tui) fn cancel_drag(tools: &mut DrawState, editor: &mut Editor) {
    if tools.is_dragged() {
        cancel(tools, editor);
    }
}

fn release(tools: &mut DrawState, editor: &mut Editor) {
    let at = editor.map.cursor();
    let fresh = std::mem::take(&mut tools.fresh);
    let clicked = tools
        .held
        .take_if(|held| held.gesture == Gesture::Move && !held.has_moved);
    if clicked.is_none() {
        return finish(tools, editor);
    }
    cancel(tools, editor);
    if !fresh {
        if select::site_at(tools, editor, at).is_some() {
            super::alter::change(tools, editor, 1);
            return;
        }
        let one = tools.selection.len() == 1;
        if one {
            select::below(tools, editor);
        } else if let Some(entry) = select::entries_at(editor, at).first() {
            select::choose(tools, editor, [*entry].into());
        }
    }
}

/// Handles a click on the tool bar.
pub(in crate::tui) fn bar(tools: &mut DrawState, editor: &mut Editor, mouse: MouseEvent) {
    let Some(at) = click(mouse) else { return };
    editor.focus = Focus::Map;
    if let Some(action) = bar::action_at(tools, editor, &editor.areas, at) {
        editor.act(action);
    }
}

/// Returns the square under the pointer; during a drag, the nearest visible square if the pointer is outside the map.
fn square(tools: &DrawState, editor: &Editor, mouse: MouseEvent) -> Option<Point> {
    let from = tools.held.as_ref().filter(|held| held.by_mouse).map(|held| held.from);
    editor.map.square_under(editor.areas.map, mouse.column, mouse.row, from)
}
