//! The mouse on the map: cursor, scrolling and zoom. Drawing tools and the placement of a vault handle the mouse
//! first; this module receives the events that they do not use.

use crossterm::event::{KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::{Position, Rect};

use super::{minimap, reach};
use crate::geometry::{Forward, Point};
use crate::tui::editor::{Editor, Focus};
use crate::tui::viewport::{MapDrag, window};

/// Handles a mouse event. A click sets the cursor; another click on the same character selects the next square in it. A
/// drag scrolls. The wheel zooms at the pointer; it scrolls sideways if it is tilted or Shift is held, and up and down
/// with Ctrl. In the minimap, clicks and drags scroll.
pub(in crate::tui) fn mouse(editor: &mut Editor, mouse: MouseEvent) {
    let window = window(editor.areas.map);
    let view = editor.map.view(window);
    let small =
        minimap::place(editor, &view, window).filter(|place| place.contains(Position::new(mouse.column, mouse.row)));
    let map = &mut editor.map;
    let square = view.square_at(mouse.column, mouse.row);
    let shift = mouse.modifiers.contains(KeyModifiers::SHIFT);
    let control = mouse.modifiers.contains(KeyModifiers::CONTROL);
    match mouse.kind {
        MouseEventKind::Down(MouseButton::Left) if small.is_some() => {
            map.held_small = small;
            center_at_pointer(editor, mouse, window);
        }
        MouseEventKind::Drag(MouseButton::Left) if map.held_small.is_some() => center_at_pointer(editor, mouse, window),
        MouseEventKind::Down(MouseButton::Left | MouseButton::Middle) => {
            let (column, row, origin) = (mouse.column, mouse.row, view.origin);
            let (before, has_cursor) = (map.cursor(), reach::has_cursor(map, &view, column, row));
            if view.area.contains((mouse.column, mouse.row).into()) {
                reach::click(editor, &view, mouse.column, mouse.row, false);
            } else if window.contains((mouse.column, mouse.row).into()) {
                editor.map.move_cursor(square);
            }
            // A press that moves the cursor counts as the first click on the character. If the character already shows
            // the cursor, a press moves it only if it is on a square that clicks skip.
            let again = has_cursor && editor.map.cursor() == before;
            editor.map.held = Some(MapDrag {
                column,
                row,
                origin,
                again,
            });
            editor.focus = Focus::Map;
        }
        // A click on the cursor's own character selects the next square in it; a drag does not.
        MouseEventKind::Up(MouseButton::Left)
            if map.held.is_some_and(|held| {
                held.again && (held.column, held.row, held.origin) == (mouse.column, mouse.row, view.origin)
            }) =>
        {
            map.held = None;
            reach::click(editor, &view, mouse.column, mouse.row, true);
        }
        MouseEventKind::Drag(MouseButton::Left | MouseButton::Middle) => {
            if let Some(held) = &mut map.held {
                held.again &= (held.column, held.row) == (mouse.column, mouse.row);
                let (origin, down) = (held.origin, i32::from(mouse.row) - i32::from(held.row));
                let right = i32::from(mouse.column) - i32::from(held.column);
                let away = view.distance(down, right);
                map.origin = Point::new(origin.x - away.x, origin.y - away.y);
            }
        }
        MouseEventKind::Up(_) => map.release(),
        MouseEventKind::ScrollLeft => map.pan(Forward::West, window),
        MouseEventKind::ScrollRight => map.pan(Forward::East, window),
        MouseEventKind::ScrollUp if shift => map.pan(Forward::West, window),
        MouseEventKind::ScrollDown if shift => map.pan(Forward::East, window),
        MouseEventKind::ScrollUp if control => map.pan(Forward::North, window),
        MouseEventKind::ScrollDown if control => map.pan(Forward::South, window),
        MouseEventKind::ScrollUp => map.zoom_by(true, square, window),
        MouseEventKind::ScrollDown => map.zoom_by(false, square, window),
        _ => {}
    }
}

/// Centres the viewport on the square under the pointer in the minimap.
fn center_at_pointer(editor: &mut Editor, mouse: MouseEvent, window: Rect) {
    if let Some(place) = editor.map.held_small {
        let square = minimap::square_at(place, editor.map.dungeon, mouse.column, mouse.row);
        editor.map.center(square, window);
        editor.focus = Focus::Map;
    }
}
